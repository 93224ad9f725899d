// SPDX-License-Identifier: GPL-2.0-only
/*
 * CCID 252: CTFAF. An algorithm (LDA+ in lda.c, or TFRC's throughput equation) asks for
 * changes of the rate, and the framework (constraint.c) decides. sender.c and receiver.c
 * call them for each report and each packet. This file connects these with DCCP. CCVal
 * is the place of a packet in a train of probes.
 */
#include <linux/module.h>
#include "glue.h"

#define CREATE_TRACE_POINTS
#include "ctfaf_trace.h"

static struct ctfaf_hc_tx *ctfaf_hc_of(struct tfrc_sender *snd)
{
	return container_of(snd, struct ctfaf_hc_tx, snd.is.base);
}

static void ctfaf_trace(const struct ctfaf_hc_tx *ctx)
{
	const struct ctfaf_sender *cs = &ctx->snd;

	trace_ctfaf_decision(ctx->hc.sk, &cs->ct, &cs->lda, cs->loss,
			     cs->bottleneck, cs->is.interval);
}

static void ctfaf_hc_feedback(struct tfrc_sender *snd,
			      const struct tfrc_report *rep, u64 now)
{
	struct ctfaf_hc_tx *ctx = ctfaf_hc_of(snd);

	if (ctfaf_sender_feedback(&ctx->snd, rep, now))
		ctfaf_trace(ctx);
}

static void ctfaf_hc_timeout(struct tfrc_sender *snd, bool idle, u64 now)
{
	struct ctfaf_hc_tx *ctx = ctfaf_hc_of(snd);

	ctfaf_sender_timeout(&ctx->snd, idle);
	ctfaf_trace(ctx);
}

static const struct tfrc_sender_ops ctfaf_sender_ops = {
	.start = ctfaf_sender_start,
	.feedback = ctfaf_hc_feedback,
	.timeout = ctfaf_hc_timeout,
	.limited = tfrc_sender_limited,
	.timeout_after = interval_sender_timeout_after,
};

static const struct tfrc_receiver_ops ctfaf_receiver_ops = {
	.packet = ctfaf_receiver_packet,
	.report = ctfaf_receiver_report,
	.put = ctfaf_put_report,
};

static int ctfaf_tx_init(struct ccid *ccid, struct sock *sk)
{
	struct ctfaf_hc_tx *ctx = ccid_priv(ccid);

	tfrc_sender_init(&ctx->snd.is.base, &ctfaf_sender_ops);
	lda_init(&ctx->snd.lda, 0);
	tfrc_hc_tx_init(&ctx->hc, sk, &ctx->snd.is.base, CTFAF_REPORT);
	return tfrc_params_init(&ctfaf_tx_params, ctx);
}

/* Until the sender states T, the receiver uses the default of this machine's senders. */
static int ctfaf_rx_init(struct ccid *ccid, struct sock *sk)
{
	struct ctfaf_hc_rx *crx = ccid_priv(ccid);
	struct dccp_ctfaf_constraints par;

	tfrc_params_load(&ctfaf_tx_params, &par);
	interval_receiver_init(&crx->rcv.ir, &ctfaf_receiver_ops,
			       par.interval * TFRC_NSEC_PER_MSEC);
	tfrc_hc_rx_init(&crx->hc, sk, &crx->rcv.ir.base);
	return tfrc_params_init(&ctfaf_rx_params, crx);
}

static int ctfaf_tx_send_packet(struct sock *sk, struct sk_buff *skb)
{
	struct ctfaf_hc_tx *ctx = ctfaf_hc_tx(sk);
	bool more = skb_queue_len(&sk->sk_write_queue) > 1;
	u64 now = ktime_get_ns(), until;
	u8 place;
	int err;

	if (!tfrc_hc_tx_ready(&ctx->hc, now))
		return CCID_PACKET_WILL_DEQUEUE_LATER;
	until = ctfaf_sender_hold(&ctx->snd, skb->len, more,
				  tfrc_hc_tx_ipi(&ctx->hc), now);
	if (until) {
		tfrc_pacer_wait(&ctx->hc.pacer, until);
		return CCID_PACKET_WILL_DEQUEUE_LATER;
	}
	err = tfrc_hc_tx_send_at(sk, skb, now);
	if (err)
		return err;
	tfrc_hc_tx_next_at_once(&ctx->hc, ctfaf_sender_place(&ctx->snd, more,
							     &place, now));
	DCCP_SKB_CB(skb)->dccpd_ccval = place;
	tfrc_hc_tx_add_options(&ctx->hc, ctfaf_sender_options(&ctx->snd));
	return CCID_PACKET_SEND_AT_ONCE;
}

static int ctfaf_tx_insert_options(struct sock *sk, struct sk_buff *skb)
{
	const struct ctfaf_hc_tx *ctx = ctfaf_hc_tx(sk);

	return ctfaf_put_interval(skb, ctx->snd.is.interval, ctx->hc.snd->rtt);
}

static int ctfaf_tx_parse_options(struct sock *sk, u8 pkt, u8 opt, u8 *val,
				  u8 len)
{
	return pkt == DCCP_PKT_DATA ? 0 :
	       ctfaf_parse_report(&tfrc_hc_tx(sk)->pending, opt, val, len);
}

static int ctfaf_rx_parse_options(struct sock *sk, u8 pkt, u8 opt, u8 *val,
				  u8 len)
{
	return tfrc_on_data(pkt) ? ctfaf_parse(&ctfaf_hc_rx(sk)->rcv, opt, val,
					       len) : 0;
}

TFRC_SOCKOPTS(ctfaf, ctfaf_sockopts);

static struct ccid_operations ccid_ctfaf_ops = {
	TFRC_CCID(ctfaf, DCCPC_CTFAF),
	.ccid_hc_tx_opt_len	   = TFRC_OPT_2BE32_LEN,
	.ccid_hc_tx_send_packet	   = ctfaf_tx_send_packet,
	.ccid_hc_tx_insert_options = ctfaf_tx_insert_options,
	.ccid_hc_tx_parse_options  = ctfaf_tx_parse_options,
	.ccid_hc_rx_parse_options  = ctfaf_rx_parse_options,
};

tfrc_module(ctfaf, 252, "CTFAF, constrained TCP-friendly adaptation, with LDA+");
