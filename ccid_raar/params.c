// SPDX-License-Identifier: GPL-2.0-only
/*
 * RAAR's parameters: presets, module parameters, and state for applications. What
 * is in range is in raar.c.
 */
#include <linux/module.h>
#include "glue.h"

/* The default and the paper differ in the guards, which only the default has. */

/* A slow way back, or up: few reports, a faster rate, and small packets that count */
static const struct dccp_raar_tx_params raar_tx_thin = {
	.beta = 875,
	.target_delay = 50,
};

static const struct dccp_raar_rx_params raar_rx_thin = {
	RAAR_RX_NETWORK,
	.per_rtt = 1,
	.fast_down = 1,
	.nominal_size = TFRC_NOMINAL_MAX,
};

static struct dccp_raar_tx_params raar_tx_values = RAAR_TX_DEFAULT;
static struct dccp_raar_rx_params raar_rx_values = RAAR_RX_DEFAULT;

static const struct tfrc_preset raar_tx_presets[] = {
	{ "default", &(const struct dccp_raar_tx_params)RAAR_TX_DEFAULT },
	{ "paper", &(const struct dccp_raar_tx_params)RAAR_TX_DEFAULT },
	{ "thin-uplink", &raar_tx_thin },
	{ }
};

static const struct tfrc_preset raar_rx_presets[] = {
	{ "default", &(const struct dccp_raar_rx_params)RAAR_RX_DEFAULT },
	{ "paper", &(const struct dccp_raar_rx_params)RAAR_RX_PAPER },
	{ "thin-uplink", &raar_rx_thin },
	{ }
};

static int raar_tx_changed(void *priv)
{
	struct raar_hc_tx *rtx = priv;

	tfrc_delay_set(&rtx->snd.driven.base, rtx->snd.par.target_delay);
	tfrc_pacing_set_frames(&rtx->hc.pacer.pacing, rtx->snd.par.frame_rate);
	tfrc_l4s_set(&rtx->snd.driven.base, rtx->snd.par.l4s);
	return 0;
}

static int raar_rx_changed(void *priv)
{
	struct raar_hc_rx *rrx = priv;

	raar_configure(&rrx->rcv.raar, &rrx->rcv.raar.par);
	return 0;
}

const struct tfrc_params raar_tx_params = {
	.optname = DCCP_SOCKOPT_RAAR_TX,
	TFRC_PARAMS(raar_tx, struct dccp_raar_tx_params, target_delay,
		    struct raar_hc_tx, snd.par),
	.valid = raar_tx_params_valid,
	.changed = raar_tx_changed,
};

const struct tfrc_params raar_rx_params = {
	.optname = DCCP_SOCKOPT_RAAR_RX,
	TFRC_PARAMS(raar_rx, struct dccp_raar_rx_params, exit_guard,
		    struct raar_hc_rx, rcv.raar.par),
	.valid = raar_rx_params_valid,
	.changed = raar_rx_changed,
};

#define RAAR_RX_PARAM(member, text)					\
	tfrc_module_param(member, raar_rx_params,			\
			  struct dccp_raar_rx_params, member, NULL, text)

tfrc_module_presets(raar_sockopts);
tfrc_module_param(tx_beta, raar_tx_params, struct dccp_raar_tx_params, beta, NULL,
		  "sender: factor of the rate when no report comes, in 10^-3 (1 to 999)");
tfrc_module_param(target_delay, raar_tx_params, struct dccp_raar_tx_params,
		  target_delay, NULL,
		  "sender: delay of the queue to aim at, ms (5 to 1000; 0: no such limit)");
tfrc_module_param(frame_rate, raar_tx_params, struct dccp_raar_tx_params,
		  frame_rate, NULL,
		  "sender: frames whose packets are spread, 1/s (1 to 1000; 0: they are not)");
tfrc_module_param(l4s, raar_tx_params, struct dccp_raar_tx_params, l4s, NULL,
		  "sender: 1: respond to ECN marks in proportion (ECT(1)), 0: a mark is a loss");
RAAR_RX_PARAM(beta, "receiver: factor of the rate for a loss event, in 10^-3 (1 to 999)");
RAAR_RX_PARAM(delta, "receiver: share of the increase alpha to use, in 10^-3 (1 to 1000)");
RAAR_RX_PARAM(smoothing, "receiver: n, rates to average (1 to 64)");
RAAR_RX_PARAM(growth,
	      "receiver: limit of growth, times the receive rate, in 10^-3 (1000 to 65535; 0: no limit)");
RAAR_RX_PARAM(rate_max, "receiver: limit of growth, bytes/s (0: no limit)");
RAAR_RX_PARAM(early_once, "receiver: no early report until the last one has taken effect (0 or 1)");
RAAR_RX_PARAM(wnd_max,
	      "receiver: wnd is that of the last round or of this one, whichever is greater (0 or 1)");
RAAR_RX_PARAM(hole_events,
	      "receiver: losses that last are a loss event for each round trip (0 or 1)");
RAAR_RX_PARAM(exit_guard, "receiver: the end of slow start decreases what was received (0 or 1)");
RAAR_RX_PARAM(per_rtt, "receiver: the rate grows in each 1: round trip, 0: round");
RAAR_RX_PARAM(fast_down,
	      "receiver: a second loss event within n reports is reported in full (0 or 1)");
RAAR_RX_PARAM(nominal_size,
	      "receiver: packet size of the increase, bytes (1 to 1460; 0: the real one)");

static void raar_fill_tx(struct sock *sk, struct dccp_ccid_tx_info *info)
{
	const struct driven_sender *d = &raar_hc_tx(sk)->snd.driven;

	/* Reports have no p. A loss or mark shows that slow start has ended. */
	if (info->packets_lost || info->packets_marked)
		info->flags &= ~DCCP_CCID_TX_SLOW_START;
	info->raar.requested = d->rate >> TFRC_RATE_SHIFT;
	info->raar.rto = tfrc_us(d->timeout);
	info->raar.round = d->number;
}

static void raar_fill_rx(struct sock *sk, struct dccp_ccid_rx_info *info)
{
	const struct raar *r = &raar_hc_rx(sk)->rcv.raar;

	info->raar.rate = r->rate >> TFRC_RATE_SHIFT;
	info->raar.requested = r->reported >> TFRC_RATE_SHIFT;
	info->raar.stated = r->stated >> TFRC_RATE_SHIFT;
	info->raar.alpha = (r->alpha * 1000000) >> RAAR_ALPHA_SHIFT;
	info->raar.rttvar = tfrc_us(r->rtt.rttvar);
	info->raar.rto = tfrc_us(raar_rto(r));
	info->raar.wnd = r->wnd;
	info->raar.round = r->round;
	info->raar.rounds = r->rounds;
	info->raar.samples = r->samples;
	info->raar.slow_start = r->slow_start;
}

const struct tfrc_sockopts raar_sockopts = {
	.params = { &raar_tx_params, &raar_rx_params },
	.fill_tx = raar_fill_tx,
	.fill_rx = raar_fill_rx,
};
