// SPDX-License-Identifier: GPL-2.0-only
/*
 * CCID 249: RAAR. The receiver decides the rate (raar.c, receiver.c), and the sender
 * follows it (sender.c). This file connects them with DCCP. CCVal has the low bits of
 * the number of the report that began the round.
 */
#include <linux/module.h>
#include "glue.h"

#define CREATE_TRACE_POINTS
#include "raar_trace.h"

static void raar_hc_report(struct tfrc_receiver *rcv, struct tfrc_feedback *fb,
			   u64 now)
{
	struct raar_hc_rx *rrx = container_of(rcv, struct raar_hc_rx, rcv.base);

	raar_receiver_report(rcv, fb, now);
	trace_raar_report(rrx->hc.sk, &rrx->rcv.raar, fb->x_recv, fb->timeout,
			  rrx->rcv.events);
}

static const struct tfrc_receiver_ops raar_receiver_ops = {
	.packet = raar_receiver_packet,
	.report = raar_hc_report,
	.put = driven_put_report,
};

static int raar_tx_init(struct ccid *ccid, struct sock *sk)
{
	struct raar_hc_tx *rtx = ccid_priv(ccid);

	raar_sender_init(&rtx->snd);
	tfrc_hc_tx_init(&rtx->hc, sk, &rtx->snd.driven.base, DRIVEN_REPORT);
	return tfrc_params_init(&raar_tx_params, rtx);
}

static int raar_rx_init(struct ccid *ccid, struct sock *sk)
{
	struct raar_hc_rx *rrx = ccid_priv(ccid);

	raar_receiver_init(&rrx->rcv, &raar_receiver_ops);
	tfrc_hc_rx_init(&rrx->hc, sk, &rrx->rcv.base);
	return tfrc_params_init(&raar_rx_params, rrx);
}

static int raar_tx_send_packet(struct sock *sk, struct sk_buff *skb)
{
	int err = tfrc_hc_tx_send_packet(sk, skb);

	if (!err)
		DCCP_SKB_CB(skb)->dccpd_ccval =
			raar_hc_tx(sk)->snd.driven.number % RAAR_ROUNDS;
	return err;
}

static int raar_tx_insert_options(struct sock *sk, struct sk_buff *skb)
{
	const struct raar_hc_tx *rtx = raar_hc_tx(sk);
	int err = 0;

	if (rtx->hc.snd->options & RAAR_HAS_ROUND)
		err = raar_put_round(skb, rtx->hc.snd->x,
				     raar_sender_waited(&rtx->snd,
							rtx->hc.t_sent));
	return err ?: tfrc_hc_tx_insert_options(sk, skb);
}

static int raar_rx_parse_options(struct sock *sk, u8 pkt, u8 opt, u8 *val,
				 u8 len)
{
	int err = tfrc_hc_rx_parse_options(sk, pkt, opt, val, len);

	if (!err && tfrc_on_data(pkt))
		err = raar_parse(&raar_hc_rx(sk)->rcv, opt, val, len);
	return err;
}

TFRC_SOCKOPTS(raar, raar_sockopts);

static struct ccid_operations ccid_raar_ops = {
	TFRC_CCID(raar, DCCPC_RAAR),
	.ccid_ecn		   = true,
	.ccid_hc_tx_opt_len	   = TFRC_OPT_2BE32_LEN,
	.ccid_hc_tx_send_packet	   = raar_tx_send_packet,
	.ccid_hc_tx_insert_options = raar_tx_insert_options,
	.ccid_hc_tx_parse_options  = tfrc_hc_tx_parse_options,
	.ccid_hc_rx_parse_options  = raar_rx_parse_options,
};

tfrc_module(raar, 249, "RAAR, rate adaptation at receivers");
