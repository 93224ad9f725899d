// SPDX-License-Identifier: GPL-2.0-only
/*
 * CCID 251: DVRC. The receiver decides (dvrc.c, receiver.c), and acknowledges data
 * packets with the rate R and the number of layers K. The sender follows it (sender.c).
 * This file connects them with DCCP, and drops packets of layers above K. CCVal is 1 on a
 * packet behind which no packet waits.
 */
#include <linux/module.h>
#include "glue.h"

#define CREATE_TRACE_POINTS
#include "dvrc_trace.h"

static void dvrc_hc_report(struct tfrc_receiver *rcv, struct tfrc_feedback *fb,
			   u64 now)
{
	struct dvrc_hc_rx *drx = container_of(rcv, struct dvrc_hc_rx, rcv.base);

	dvrc_receiver_report(rcv, fb, now);
	trace_dvrc_report(drx->hc.sk, &drx->rcv.dvrc, fb->x_recv, fb->timeout);
}

static const struct tfrc_receiver_ops dvrc_receiver_ops = {
	.packet = dvrc_receiver_packet,
	.report = dvrc_hc_report,
	.put = driven_put_report,
};

static int dvrc_tx_init(struct ccid *ccid, struct sock *sk)
{
	struct dvrc_hc_tx *dtx = ccid_priv(ccid);

	dvrc_sender_init(&dtx->snd);
	tfrc_hc_tx_init(&dtx->hc, sk, &dtx->snd.driven.base, DRIVEN_REPORT);
	return tfrc_params_init(&dvrc_tx_params, dtx);
}

static int dvrc_rx_init(struct ccid *ccid, struct sock *sk)
{
	struct dvrc_hc_rx *drx = ccid_priv(ccid);

	dvrc_receiver_init(&drx->rcv, &dvrc_receiver_ops);
	tfrc_hc_rx_init(&drx->hc, sk, &drx->rcv.base);
	return tfrc_params_init(&dvrc_rx_params, drx);
}

/* The inverse of DCCP_DVRC_PRIORITY(). A packet without a tag is of the base layer. */
static u32 dvrc_layer(const struct sk_buff *skb)
{
	if (!skb->priority || skb->priority > DCCP_DVRC_LAYERS_MAX)
		return 1;
	return DCCP_DVRC_PRIORITY(skb->priority);
}

/*
 * Whether no packet waits behind this one, apart from those that are not sent. This walks
 * the queue, as the qpolicy prio does for each packet.
 */
static bool dvrc_tx_idle(const struct dvrc_sender *ds, struct sock *sk,
			 const struct sk_buff *this,
			 bool (*sends)(const struct dvrc_sender *ds, u32 layer))
{
	const struct sk_buff *skb;

	skb_queue_walk(&sk->sk_write_queue, skb)
		if (skb != this && sends(ds, dvrc_layer(skb)))
			return false;
	return true;
}

static bool dvrc_tx_wanted(const struct dvrc_sender *ds, struct sock *sk,
			   const struct sk_buff *skb)
{
	u32 layer = dvrc_layer(skb);

	return dvrc_sender_wants(ds, layer) ||
	       (dvrc_sender_ends(ds, layer) &&
		dvrc_tx_idle(ds, sk, skb, dvrc_sender_ends));
}

static int dvrc_tx_send_packet(struct sock *sk, struct sk_buff *skb)
{
	struct dvrc_hc_tx *dtx = dvrc_hc_tx(sk);
	u64 now = ktime_get_ns();
	bool idle;
	int err;

	if (!dvrc_tx_wanted(&dtx->snd, sk, skb)) {
		dtx->snd.kept_back++;
		tfrc_pacer_skip(&dtx->hc.pacer);
		return -EBADMSG;
	}
	err = tfrc_hc_tx_send_at(sk, skb, now);
	if (err)
		return err;
	idle = dvrc_tx_idle(&dtx->snd, sk, skb, dvrc_sender_wants);
	DCCP_SKB_CB(skb)->dccpd_ccval = dvrc_sender_ccval(&dtx->snd, idle);
	tfrc_hc_tx_add_options(&dtx->hc, dvrc_sender_options(&dtx->snd, now));
	return CCID_PACKET_SEND_AT_ONCE;
}

static int dvrc_tx_insert_options(struct sock *sk, struct sk_buff *skb)
{
	struct dvrc_sender *ds = &dvrc_hc_tx(sk)->snd;
	u8 options = ds->driven.base.options;
	int err = 0;

	if (options & DVRC_HAS_PATH)
		err = dvrc_put_path(skb, ds->rtt.rtt, ds->rtt.deviation);
	if (!err && options & DVRC_HAS_LAYERS) {
		err = dvrc_put_layers(skb, &ds->layers);
		ds->vector_seq = ds->vector_seq ?: DCCP_SKB_CB(skb)->dccpd_seq;
	}
	return err ?: tfrc_hc_tx_insert_options(sk, skb);
}

static int dvrc_rx_parse_options(struct sock *sk, u8 pkt, u8 opt, u8 *val,
				 u8 len)
{
	int err = tfrc_hc_rx_parse_options(sk, pkt, opt, val, len);

	if (!err && tfrc_on_data(pkt))
		err = dvrc_parse(&dvrc_hc_rx(sk)->rcv, opt, val, len);
	return err;
}

TFRC_SOCKOPTS(dvrc, dvrc_sockopts);

static struct ccid_operations ccid_dvrc_ops = {
	TFRC_CCID(dvrc, DCCPC_DVRC),
	.ccid_ecn		   = true,
	.ccid_hc_tx_opt_len	   = TFRC_OPT_2BE32_LEN +
				     DVRC_OPT_LAYERS_LEN(DCCP_DVRC_LAYERS_MAX),
	.ccid_hc_tx_send_packet	   = dvrc_tx_send_packet,
	.ccid_hc_tx_insert_options = dvrc_tx_insert_options,
	.ccid_hc_tx_parse_options  = tfrc_hc_tx_parse_options,
	.ccid_hc_rx_parse_options  = dvrc_rx_parse_options,
};

tfrc_module(dvrc, 251, "DVRC, dynamic video rate control with layers");
