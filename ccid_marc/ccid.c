// SPDX-License-Identifier: GPL-2.0-only
/*
 * CCID 248: MARC, a variant of TFRC. The algorithm is in marc.c and its parameters are
 * in params.c. This file connects them with DCCP.
 */
#include <linux/module.h>
#include "glue.h"

#define CREATE_TRACE_POINTS
#include "marc_trace.h"

static u64 marc_hc_move_to(struct rfc5348_sender *t,
			   const struct tfrc_decision *d)
{
	struct marc_hc_tx *mtx = container_of(t, struct marc_hc_tx, snd.tfrc);
	s64 tokens = mtx->snd.marc.tokens;
	u64 x = marc_move_to(&mtx->snd.marc, d);

	t->base.event |= mtx->snd.marc.warned;
	trace_marc_decision(mtx->hc.sk, &mtx->snd.marc, d, tokens, x);
	return x;
}

static const struct rfc5348_variant marc_variant = {
	.calc_x = rfc5348_calc_x,
	.calc_p = rfc5348_calc_p,
	.limit = marc_limit,
	.move_to = marc_hc_move_to,
};

static int marc_tx_init(struct ccid *ccid, struct sock *sk)
{
	struct marc_hc_tx *mtx = ccid_priv(ccid);

	rfc5348_sender_init(&mtx->snd.tfrc, &marc_variant);
	tfrc_hc_tx_init(&mtx->hc, sk, &mtx->snd.tfrc.base, TFRC_REPORT);
	return tfrc_params_init(&marc_tx_params, mtx);
}

static int marc_rx_init(struct ccid *ccid, struct sock *sk)
{
	struct marc_hc_rx *mrx = ccid_priv(ccid);

	rfc5348_receiver_init(&mrx->rcv, TFRC_LI_DEFAULT, &marc_variant, 0);
	tfrc_hc_rx_init(&mrx->hc, sk, &mrx->rcv.base);
	return tfrc_params_init(&marc_rx_params, mrx);
}

TFRC_SOCKOPTS(marc, marc_sockopts);

static struct ccid_operations ccid_marc_ops = {
	TFRC_CCID(marc, DCCPC_MARC),
	.ccid_ecn		   = true,
	.ccid_hc_tx_send_packet	   = tfrc_hc_tx_send_packet,
	.ccid_hc_tx_insert_options = tfrc_hc_tx_insert_options,
	.ccid_hc_tx_parse_options  = tfrc_hc_tx_parse_options,
	.ccid_hc_rx_parse_options  = tfrc_hc_rx_parse_options,
};

tfrc_module(marc, 248, "MARC, Media-Aware Rate Control");
