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
		  "sender: factor by which X is multiplied when no report comes in time (10^-3, 1 to 999)");
tfrc_param(raar_tx, target_delay, TFRC_TEXT_TARGET_DELAY);
tfrc_param(raar_tx, frame_rate, TFRC_TEXT_FRAME_RATE);
tfrc_param(raar_tx, l4s, TFRC_TEXT_L4S);
tfrc_param(raar_rx, beta,
	   "receiver: factor by which the rate is multiplied at a loss event; the increase alpha follows from it (10^-3, 1 to 999)");
tfrc_param(raar_rx, delta, "receiver: share of alpha that is used (10^-3, 1 to 1000)");
tfrc_param(raar_rx, smoothing,
	   "receiver: n, the number of rates in the mean that is reported (rates, 1 to 64)");
tfrc_param(raar_rx, growth,
	   "receiver: the rate does not grow above this times the receive rate; 0: no such limit (10^-3, 0 or 1000 to 65535)");
tfrc_param(raar_rx, rate_max,
	   "receiver: the rate does not grow above this; 0: no such limit (bytes/s, 0 to 4294967295)");
tfrc_param(raar_rx, early_once,
	   "receiver: 1: after an early report there is no other one until it has taken effect; 0: each packet may cause one");
tfrc_param(raar_rx, wnd_max,
	   "receiver: number of packets by which the increase is divided. 1: that of the last round or of this one, whichever is greater; 0: that of the last round");
tfrc_param(raar_rx, hole_events,
	   "receiver: losses that last for several round trips. 1: they are a loss event for each of them, up to five; 0: one loss event, if they are detected at once");
tfrc_param(raar_rx, exit_guard,
	   "receiver: 1: the first loss event decreases a rate of no more than what was sent and received, and the mean begins anew, and with R above 200 ms a rate below the initial rate grows by alpha in each round trip; 0: it is like any other loss event");
tfrc_param(raar_rx, per_rtt,
	   "receiver: time in which the rate grows by alpha delta packets. 1: a round trip; 0: a round");
tfrc_param(raar_rx, fast_down,
	   "receiver: how a second loss event within n reports is reported. 1: in full; 0: in the mean");
tfrc_param(raar_rx, nominal_size,
	   "receiver: packet size in the increase (RFC 4828); 0: the real size (bytes, 0 to 1460)");

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
