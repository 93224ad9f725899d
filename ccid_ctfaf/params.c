// SPDX-License-Identifier: GPL-2.0-only
/*
 * CTFAF's parameters: presets, module parameters, the list of rungs, and state for
 * applications. What is in range is in constraint.c.
 */
#include <linux/module.h>
#include "glue.h"

/* Rates are in bytes/s, so the first A is 10 kbit/s. */
tfrc_param_values(ctfaf_tx, dccp_ctfaf_constraints, {
	.r_min = 1000,
	.r_max = U32_MAX,
	.step = 1,
	.increase = 1250,
	.interval = 200,
	.t_reset = 60000,
	.t_init = 20000,
	.l_severe = 250000,
	.probes = 3,
	.probe_every = 2,
	.hold = 20,
	.target_delay = TFRC_DELAY_DEFAULT,
});

tfrc_param_values(ctfaf_rx, dccp_ctfaf_rx_params, {
	.loss_history = TFRC_LI_DEFAULT,
});

/*
 * In the paper T is the least interval that RTCP allows, and a train of ten packets
 * follows each report, as its authors had it in LDA+. climb is one of two readings: only
 * with it LDA+ has the paper's share beside TCP. All other values follow the paper to the
 * letter.
 */
static const struct tfrc_preset ctfaf_presets[] = {
	{ "default", "" },
	{
		"paper",
		"r_start=5000 interval=5000 t_init=60000 l_severe=1000000 probes=10 probe_every=1 hold=0 refuse=1 climb=1 target_delay=0"
	},
	{ }
};

static int ctfaf_tx_changed(void *priv)
{
	struct ctfaf_hc_tx *ctx = priv;
	const struct dccp_ctfaf_constraints *par = &ctx->snd.ct.par;

	ctfaf_sender_constrain(&ctx->snd);
	tfrc_hc_tx_configure(&ctx->hc, par->target_delay, par->frame_rate,
			     false);
	tfrc_nominal_set(&ctx->snd.is.base.nominal, par->nominal_size);
	tfrc_hc_tx_hold(&ctx->hc, ctfaf_rate(&ctx->snd.ct));
	return 0;
}

static int ctfaf_rx_changed(void *priv)
{
	struct ctfaf_hc_rx *crx = priv;

	return tfrc_loss_intervals_resize(&crx->rcv.ir.intervals,
					  crx->par.loss_history);
}

tfrc_half_params(ctfaf, tx, DCCP_SOCKOPT_CTFAF_TX, target_delay, snd.ct.par);
tfrc_half_params(ctfaf, rx, DCCP_SOCKOPT_CTFAF_RX, loss_history, par);

static const struct tfrc_param_name ctfaf_algorithms[] = {
	{ "lda", DCCP_CTFAF_LDA },
	{ "tfrc", DCCP_CTFAF_TFRC },
	{ }
};

tfrc_param(ctfaf_tx, r_min, "least rate, bytes/s (1 to r_max)");
tfrc_param(ctfaf_tx, r_max, "greatest rate, bytes/s (r_min + S or more)");
tfrc_param(ctfaf_tx, step,
	   "S, rates are r_min + m S, bytes/s (1 to r_max - r_min, and to 2 r_min)");
tfrc_param(ctfaf_tx, delta, "greatest change for each report, bytes/s (S or more), 0: no limit");
tfrc_param(ctfaf_tx, r_start,
	   "first rate, bytes/s (r_min to r_max), 0: 43800, or the nearer limit");
tfrc_param(ctfaf_tx, increase, "first additive increase rate of LDA+, bytes/s (1 or more)");
tfrc_param(ctfaf_tx, l_allowed, "share of lost packets to tolerate, in 10^-6 (0 to 10^6)");
tfrc_param(ctfaf_tx, interval, "report interval T, ms (100 to 60000)");
tfrc_param(ctfaf_tx, t_reset,
	   "time from reset to reset of the virtual bandwidth, ms (T to 3600000)");
tfrc_param(ctfaf_tx, t_init,
	   "time from the start without delta and virtual bandwidth, ms (0 to 3600000)");
tfrc_param(ctfaf_tx, l_severe,
	   "share of lost packets from which on no delta and no B limit a decrease, in 10^-6 (1 to 10^6)");
tfrc_param(ctfaf_tx, probes, "packets sent back to back after a report (0, or 2 to 15)");
tfrc_param(ctfaf_tx, probe_every,
	   "reports from one such train to the next, once the bottleneck is known (1 to 255)");
tfrc_param(ctfaf_tx, steady,
	   "reports with the same bottleneck until it counts as steady (0 to 100; 0: known is enough)");
tfrc_param(ctfaf_tx, hold, "how long a packet may wait for the next to make a pair, ms (0 to 100)");
tfrc_param(ctfaf_tx, decay,
	   "share of the virtual bandwidth forgotten at each report, in 10^-3 (0 to 1000)");
tfrc_param(ctfaf_tx, refuse, "1: a change that would pass r_min or r_max is not made at all");
tfrc_param(ctfaf_tx, gentle, "1: a reset moves the rate by delta at each report, 0: at once");
tfrc_param(ctfaf_tx, climb, "1: after a loss, up to r_TCP by increase at each report, 0: at once");
tfrc_param(ctfaf_tx, target_delay, TFRC_TEXT_TARGET_DELAY);
tfrc_param(ctfaf_tx, nominal_size,
	   "packet size M of LDA+ and the equation, bytes (1 to 1460; 0: the real one)");
tfrc_param(ctfaf_tx, frame_rate, TFRC_TEXT_FRAME_RATE);
tfrc_module_param(algorithm, ctfaf_tx, algorithm, ctfaf_algorithms,
		  "0 or lda: LDA+, 1 or tfrc: TFRC's equation");
tfrc_param(ctfaf_rx, loss_history, TFRC_TEXT_LOSS_HISTORY);

static bool ctfaf_list_valid(const u32 *list, size_t size)
{
	return ctfaf_rungs_valid(list, size / sizeof(*list));
}

static void ctfaf_list_set(struct sock *sk, const u32 *list, size_t size)
{
	struct ctfaf_hc_tx *ctx = ctfaf_hc_tx(sk);

	ctfaf_set_rungs(&ctx->snd.ct, list, size / sizeof(*list));
	tfrc_hc_tx_hold(&ctx->hc, ctfaf_rate(&ctx->snd.ct));
}

/* A list that could be set: without rungs it is a single 0. */
static u32 ctfaf_list_get(const struct sock *sk, u32 *list)
{
	const struct ctfaf *ct = &ctfaf_hc_tx(sk)->snd.ct;

	*list = 0;
	memcpy(list, ct->rung, ct->n_rungs * sizeof(*list));
	return max(ct->n_rungs, 1U);
}

static const struct tfrc_list ctfaf_lists[] = {
	{ DCCP_SOCKOPT_CTFAF_TX_RUNGS, ctfaf_list_valid, ctfaf_list_set,
	  ctfaf_list_get },
	{ }
};

static void ctfaf_fill_tx(struct sock *sk, struct dccp_ccid_tx_info *info)
{
	const struct ctfaf_sender *cs = &ctfaf_hc_tx(sk)->snd;

	info->ctfaf.rate = cs->ct.r >> TFRC_RATE_SHIFT;
	info->ctfaf.virtual_bandwidth = cs->ct.b >> TFRC_RATE_SHIFT;
	info->ctfaf.asked = cs->ct.asked >> TFRC_RATE_SHIFT;
	info->ctfaf.increase = cs->lda.a >> TFRC_RATE_SHIFT;
	info->ctfaf.bottleneck = cs->bottleneck >> TFRC_RATE_SHIFT;
	info->ctfaf.loss = cs->loss;
	info->ctfaf.interval = div_u64(cs->is.interval, TFRC_NSEC_PER_MSEC);
	info->ctfaf.decision = cs->ct.decision;
	info->ctfaf.resets = cs->ct.resets;
	info->ctfaf.steps = cs->ct.steps;
}

static void ctfaf_fill_rx(struct sock *sk, struct dccp_ccid_rx_info *info)
{
	info->loss_history = ctfaf_hc_rx(sk)->rcv.ir.intervals.n;
}

const struct tfrc_sockopts ctfaf_sockopts = {
	.params = { &ctfaf_tx_params, &ctfaf_rx_params },
	.lists = ctfaf_lists,
	.fill_tx = ctfaf_fill_tx,
	.tx_info_event = true,
	.fill_rx = ctfaf_fill_rx,
};
