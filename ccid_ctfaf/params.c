// SPDX-License-Identifier: GPL-2.0-only
/*
 * CTFAF's parameters: presets, module parameters, the list of rungs, and state for
 * applications. What is in range is in constraint.c.
 */
#include <linux/module.h>
#include "glue.h"

/*
 * Rates are in bytes/s, so the first A is 10 kbit/s. B lasts for some 20 reports: without a decay
 * a sender that was at r_max for a minute pays losses of 14 % for 20 s from it.
 */
tfrc_param_values(ctfaf_tx, dccp_ctfaf_constraints, {
	.r_min = 1000,
	.r_max = U32_MAX,
	.step = 1,
	.increase = 1250,
	.interval = 200,
	.t_reset = 60000,
	.t_init = 20000,
	.l_severe = 250000,
	.decay = 50,
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
		"r_start=5000 interval=5000 t_init=60000 l_severe=1000000 probes=10 probe_every=1 hold=0 decay=0 refuse=1 climb=1 target_delay=0"
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

tfrc_param(ctfaf_tx, r_min, "least rate of the encoder (bytes/s, 1 to r_max)");
tfrc_param(ctfaf_tx, r_max, "greatest rate of the encoder (bytes/s, from r_min + S)");
tfrc_param(ctfaf_tx, step,
	   "S: the encoder has the rates r_min + m S; at most r_max - r_min, and at most 2 r_min (bytes/s, 1 and more)");
tfrc_param(ctfaf_tx, delta,
	   "greatest change of the rate at a report; 0: no limit (bytes/s, 0, or S and more)");
tfrc_param(ctfaf_tx, r_start,
	   "first rate; 0: 43800 (RFC 3390's initial window of 4380 bytes in 100 ms), or the nearer of r_min and r_max. The initial rate of the path is a further limit (bytes/s, 0, or r_min to r_max)");
tfrc_param(ctfaf_tx, increase,
	   "first value of LDA+'s additive increase rate (bytes/s, 1 and more)");
tfrc_param(ctfaf_tx, l_allowed,
	   "with a smaller share of lost packets the rate is not reduced (10^-6, 0 to 1000000)");
tfrc_param(ctfaf_tx, interval, "report interval T (ms, 100 to 60000)");
tfrc_param(ctfaf_tx, t_reset, "time from one reset of B to the next (ms, T to 3600000)");
tfrc_param(ctfaf_tx, t_init,
	   "time from the start in which delta and B do not apply (ms, 0 to 3600000)");
tfrc_param(ctfaf_tx, l_severe,
	   "from this share of lost packets on a decrease has no tolerance, no delta and no credit (10^-6, 1 to 1000000)");
tfrc_param(ctfaf_tx, probes,
	   "packets that are sent back to back after a report, to measure the bottleneck; 0: none (packets, 0 or 2 to 15)");
tfrc_param(ctfaf_tx, probe_every,
	   "reports from one such train of packets to the next, once the bottleneck is known and steady (reports, 1 to 255)");
tfrc_param(ctfaf_tx, steady,
	   "the bottleneck is steady when so many reports in a row have had the same bandwidth; 0: as soon as it is known (reports, 0 to 100)");
tfrc_param(ctfaf_tx, hold,
	   "time for which a packet may wait for the next one, so that both are sent back to back; four times as long while the bottleneck is unknown (ms, 0 to 100)");
tfrc_param(ctfaf_tx, decay, "share of B that is forgotten at each report (10^-3, 0 to 1000)");
tfrc_param(ctfaf_tx, refuse,
	   "what becomes of a change that would pass r_min or r_max. 1: it is not made at all; 0: it ends there");
tfrc_param(ctfaf_tx, gentle,
	   "how a reset of B moves the rate. 1: by at most delta at each report; 0: at once");
tfrc_param(ctfaf_tx, climb,
	   "how a rate below r_TCP (TCP's rate, in LDA+) rises to it after a loss. 1: by increase at each report; 0: at once");
tfrc_param(ctfaf_tx, target_delay, TFRC_TEXT_TARGET_DELAY);
tfrc_param(ctfaf_tx, nominal_size,
	   "sender: packet size in LDA+ and in the equation (RFC 4828); 0: the mean size of the packets (bytes, 0 to 1460)");
tfrc_param(ctfaf_tx, frame_rate, TFRC_TEXT_FRAME_RATE);
tfrc_module_param(algorithm, ctfaf_tx, algorithm, ctfaf_algorithms,
		  "what asks for changes. 0 or lda: LDA+; 1 or tfrc: TFRC's equation");
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
