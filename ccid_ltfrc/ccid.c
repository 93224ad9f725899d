// SPDX-License-Identifier: GPL-2.0-only
/*
 * CCID 250: L-TFRC, a variant of TFRC. The equation is in ltfrc.c and the parameters are
 * in params.c. This file connects them with DCCP.
 */
#include <linux/module.h>
#include "glue.h"

#define CREATE_TRACE_POINTS
#include "ltfrc_trace.h"

/* The sender uses the equation, the receiver its inverse. */
static u64 ltfrc_hc_calc_x(const struct rfc5348_sender *t, u32 s, u64 rtt,
			   u64 p)
{
	const struct ltfrc_hc_tx *ltx =
		container_of(t, struct ltfrc_hc_tx, snd.tfrc);
	u64 x = ltfrc_calc_x(&ltx->snd.lt, s, rtt, p);

	trace_ltfrc_equation(ltx->hc.sk, &ltx->snd.lt, s, rtt, p, x);
	return x;
}

static u64 ltfrc_hc_calc_p(const struct rfc5348_receiver *t, u32 s, u64 rtt,
			   u64 x)
{
	const struct ltfrc_receiver *lr =
		container_of(t, struct ltfrc_receiver, tfrc);

	return ltfrc_calc_p(&lr->lt, s, rtt, x);
}

static const struct rfc5348_variant ltfrc_variant = {
	.calc_x = ltfrc_hc_calc_x,
	.calc_p = ltfrc_hc_calc_p,
	.limit = rfc5348_limit,
	.move_to = rfc5348_move_to,
};

static int ltfrc_tx_init(struct ccid *ccid, struct sock *sk)
{
	struct ltfrc_hc_tx *ltx = ccid_priv(ccid);

	rfc5348_sender_init(&ltx->snd.tfrc, &ltfrc_variant);
	tfrc_hc_tx_init(&ltx->hc, sk, &ltx->snd.tfrc.base, TFRC_REPORT);
	return tfrc_params_init(&ltfrc_tx_params, ltx);
}

static int ltfrc_rx_init(struct ccid *ccid, struct sock *sk)
{
	struct ltfrc_hc_rx *lrx = ccid_priv(ccid);

	rfc5348_receiver_init(&lrx->rcv.tfrc, TFRC_LI_DEFAULT, &ltfrc_variant,
			      0);
	tfrc_hc_rx_init(&lrx->hc, sk, &lrx->rcv.tfrc.base);
	return tfrc_params_init(&ltfrc_rx_params, lrx);
}

TFRC_SOCKOPTS(ltfrc, ltfrc_sockopts);

static struct ccid_operations ccid_ltfrc_ops = {
	TFRC_CCID(ltfrc, DCCPC_LTFRC),
	.ccid_ecn		   = true,
	.ccid_hc_tx_send_packet	   = tfrc_hc_tx_send_packet,
	.ccid_hc_tx_insert_options = tfrc_hc_tx_insert_options,
	.ccid_hc_tx_parse_options  = tfrc_hc_tx_parse_options,
	.ccid_hc_rx_parse_options  = tfrc_hc_rx_parse_options,
};

tfrc_module(ltfrc, 250, "L-TFRC, logarithm-based TFRC");
