// SPDX-License-Identifier: GPL-2.0-only
/*
 * CTFAF's parameters: presets, module parameters, the list of rungs, and state for
 * applications. What is in range is in constraint.c.
 */
#include <linux/module.h>
#include "glue.h"

/*
 * Rates are in bytes/s, so the first A is 10 kbit/s.
 *
 * In the paper T is the least interval that RTCP allows, and a train of ten packets
 * follows each report, as its authors had it in LDA+. All other values follow the
 * paper to the letter.
 */
#define CTFAF_TX_PAPER {						\
	.r_min = 1000,							\
	.r_max = U32_MAX,						\
	.step = 1,							\
	.r_start = 5000,						\
	.increase = 1250,						\
	.interval = 5000,						\
	.t_reset = 60000,						\
	.t_init = 60000,						\
	.l_severe = 1000000,						\
	.probes = 10,							\
	.probe_every = 1,						\
	.refuse = 1,							\
}

#define CTFAF_TX_DEFAULT {						\
	.r_min = 1000,							\
	.r_max = U32_MAX,						\
	.step = 1,							\
	.r_start = 5000,						\
	.increase = 1250,						\
	.interval = 1000,						\
	.t_reset = 60000,						\
	.t_init = 20000,						\
	.l_severe = 250000,						\
	.probes = 3,							\
	.probe_every = 2,						\
	.hold = 20,							\
}

#define CTFAF_RX_DEFAULT {						\
	.loss_history = TFRC_LI_DEFAULT,				\
}

static struct dccp_ctfaf_constraints ctfaf_tx_values = CTFAF_TX_DEFAULT;
static struct dccp_ctfaf_rx_params ctfaf_rx_values = CTFAF_RX_DEFAULT;

static const struct tfrc_preset ctfaf_tx_presets[] = {
	{ "default", &(const struct dccp_ctfaf_constraints)CTFAF_TX_DEFAULT },
	{ "paper", &(const struct dccp_ctfaf_constraints)CTFAF_TX_PAPER },
	{ }
};

static const struct tfrc_preset ctfaf_rx_presets[] = {
	{ "default", &(const struct dccp_ctfaf_rx_params)CTFAF_RX_DEFAULT },
	{ "paper", &(const struct dccp_ctfaf_rx_params)CTFAF_RX_DEFAULT },
	{ }
};

static int ctfaf_tx_changed(void *priv)
{
	struct ctfaf_hc_tx *ctx = priv;

	ctfaf_sender_constrain(&ctx->snd);
	tfrc_delay_set(&ctx->snd.is.base, ctx->snd.ct.par.target_delay);
	tfrc_nominal_set(&ctx->snd.is.base.nominal,
			 ctx->snd.ct.par.nominal_size);
	tfrc_pacing_set_frames(&ctx->hc.pacer.pacing,
			       ctx->snd.ct.par.frame_rate);
	tfrc_hc_tx_hold(&ctx->hc, ctfaf_rate(&ctx->snd.ct));
	return 0;
}

static int ctfaf_rx_changed(void *priv)
{
	struct ctfaf_hc_rx *crx = priv;

	return tfrc_loss_intervals_resize(&crx->rcv.ir.intervals,
					  crx->par.loss_history);
}

const struct tfrc_params ctfaf_tx_params = {
	.optname = DCCP_SOCKOPT_CTFAF_TX,
	TFRC_PARAMS(ctfaf_tx, struct dccp_ctfaf_constraints, target_delay,
		    struct ctfaf_hc_tx, snd.ct.par),
	.valid = ctfaf_constraints_valid,
	.changed = ctfaf_tx_changed,
};

const struct tfrc_params ctfaf_rx_params = {
	.optname = DCCP_SOCKOPT_CTFAF_RX,
	TFRC_PARAMS(ctfaf_rx, struct dccp_ctfaf_rx_params, loss_history,
		    struct ctfaf_hc_rx, par),
	.valid = ctfaf_rx_params_valid,
	.changed = ctfaf_rx_changed,
};

static const struct tfrc_param_name ctfaf_algorithms[] = {
	{ "lda", DCCP_CTFAF_LDA },
	{ "tfrc", DCCP_CTFAF_TFRC },
	{ }
};

#define CTFAF_PARAM_NAMED(member, table, text)				\
	tfrc_module_param(member, ctfaf_tx_params,			\
			  struct dccp_ctfaf_constraints, member, table, text)
#define CTFAF_PARAM(member, text)	CTFAF_PARAM_NAMED(member, NULL, text)

tfrc_module_presets(ctfaf_sockopts);
CTFAF_PARAM(r_min, "least rate, bytes/s (1 to r_max)");
CTFAF_PARAM(r_max, "greatest rate, bytes/s (r_min + S or more)");
CTFAF_PARAM(step, "S, rates are r_min + m S, bytes/s (1 to r_max - r_min, and to 2 r_min)");
CTFAF_PARAM(delta, "greatest change for each report, bytes/s (S or more), 0: no limit");
CTFAF_PARAM(r_start, "first rate, bytes/s (r_min to r_max), 0: r_min");
CTFAF_PARAM(increase, "first additive increase rate of LDA+, bytes/s (1 or more)");
CTFAF_PARAM(l_allowed, "share of lost packets to tolerate, in 10^-6 (0 to 10^6)");
CTFAF_PARAM(interval, "report interval T, ms (100 to 60000)");
CTFAF_PARAM(t_reset, "time from reset to reset of the virtual bandwidth, ms (T to 3600000)");
CTFAF_PARAM(t_init, "time from the start without delta and virtual bandwidth, ms (0 to 3600000)");
CTFAF_PARAM(l_severe,
	    "share of lost packets from which on delta and B do not apply, in 10^-6 (1 to 10^6)");
CTFAF_PARAM(probes, "packets sent back to back after a report (0, or 2 to 15)");
CTFAF_PARAM(probe_every,
	    "reports from one such train to the next, once the bottleneck is known (1 to 255)");
CTFAF_PARAM(steady,
	    "reports with the same bottleneck until it counts as steady (0 to 100; 0: known is enough)");
CTFAF_PARAM(hold, "how long a packet may wait for the next to make a pair, ms (0 to 100)");
CTFAF_PARAM(decay, "share of the virtual bandwidth forgotten at each report, in 10^-3 (0 to 1000)");
CTFAF_PARAM(refuse, "1: a change that would pass r_min or r_max is not made at all");
CTFAF_PARAM(gentle, "1: a reset moves the rate by delta at each report, 0: at once");
CTFAF_PARAM(climb, "1: after a loss, up to r_TCP by increase at each report, 0: at once");
CTFAF_PARAM(target_delay, "delay of the queue to aim at, ms (5 to 1000; 0: no such limit)");
CTFAF_PARAM(nominal_size,
	    "packet size M of LDA+ and the equation, bytes (1 to 1460; 0: the real one)");
CTFAF_PARAM(frame_rate, "frames whose packets are spread, 1/s (1 to 1000; 0: they are not)");
CTFAF_PARAM_NAMED(algorithm, ctfaf_algorithms, "0 or lda: LDA+, 1 or tfrc: TFRC's equation");
tfrc_module_param(loss_history, ctfaf_rx_params, struct dccp_ctfaf_rx_params,
		  loss_history, NULL,
		  "receiver: loss intervals to average (2 to 128)");

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
