// SPDX-License-Identifier: GPL-2.0-only
/*
 * RAAR's parameters: presets, module parameters, and state for applications. What
 * is in range is in raar.c.
 */
#include <linux/module.h>
#include "glue.h"

tfrc_param_values(raar_tx, dccp_raar_tx_params, {
	.beta = 875,
	.target_delay = TFRC_DELAY_DEFAULT,
});
tfrc_param_values(raar_rx, dccp_raar_rx_params, { RAAR_RX_DEFAULT });

/*
 * The paper has no guards. "thin-uplink" is for a slow way back, or up: few reports, a
 * faster rate, and small packets that count.
 */
static const struct tfrc_preset raar_presets[] = {
	{ "default", "" },
	{ "paper", "growth=0 early_once=0 wnd_max=0 hole_events=0 exit_guard=0 target_delay=0" },
	{ "thin-uplink", "target_delay=50 per_rtt=1 fast_down=1 nominal_size="
			 __stringify(TFRC_NOMINAL_MAX) },
	{ }
};

static int raar_tx_changed(void *priv)
{
	struct raar_hc_tx *rtx = priv;
	const struct dccp_raar_tx_params *par = &rtx->snd.par;

	tfrc_hc_tx_configure(&rtx->hc, par->target_delay, par->frame_rate,
			     par->l4s);
	return 0;
}

static int raar_rx_changed(void *priv)
{
	struct raar_hc_rx *rrx = priv;

	raar_configure(&rrx->rcv.raar, &rrx->rcv.raar.par);
	return 0;
}

tfrc_half_params(raar, tx, DCCP_SOCKOPT_RAAR_TX, target_delay, snd.par);
tfrc_half_params(raar, rx, DCCP_SOCKOPT_RAAR_RX, exit_guard, rcv.raar.par);

tfrc_module_param(tx_beta, raar_tx, beta, NULL,
		  "sender: factor of the rate when no report comes, in 10^-3 (1 to 999)");
tfrc_param(raar_tx, target_delay, TFRC_TEXT_TARGET_DELAY);
tfrc_param(raar_tx, frame_rate, TFRC_TEXT_FRAME_RATE);
tfrc_param(raar_tx, l4s, TFRC_TEXT_L4S);
tfrc_param(raar_rx, beta, "receiver: factor of the rate for a loss event, in 10^-3 (1 to 999)");
tfrc_param(raar_rx, delta, "receiver: share of the increase alpha to use, in 10^-3 (1 to 1000)");
tfrc_param(raar_rx, smoothing, "receiver: n, rates to average (1 to 64)");
tfrc_param(raar_rx, growth,
	   "receiver: limit of growth, times the receive rate, in 10^-3 (1000 to 65535; 0: no limit)");
tfrc_param(raar_rx, rate_max, "receiver: limit of growth, bytes/s (0: no limit)");
tfrc_param(raar_rx, early_once,
	   "receiver: no early report until the last one has taken effect (0 or 1)");
tfrc_param(raar_rx, wnd_max,
	   "receiver: wnd is that of the last round or of this one, whichever is greater (0 or 1)");
tfrc_param(raar_rx, hole_events,
	   "receiver: losses that last are a loss event for each round trip, up to five (0 or 1)");
tfrc_param(raar_rx, exit_guard,
	   "receiver: the end of slow start decreases what was received, and R above 200 ms does not keep a rate low (0 or 1)");
tfrc_param(raar_rx, per_rtt, "receiver: the rate grows in each 1: round trip, 0: round");
tfrc_param(raar_rx, fast_down,
	   "receiver: a second loss event within n reports is reported in full (0 or 1)");
tfrc_param(raar_rx, nominal_size,
	   "receiver: packet size of the increase, bytes (1 to 1460; 0: the real one)");

static void raar_fill_tx(struct sock *sk, struct dccp_ccid_tx_info *info)
{
	const struct driven_sender *d = &raar_hc_tx(sk)->snd.driven;

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
