// SPDX-License-Identifier: GPL-2.0-only
/*
 * L-TFRC's parameters: presets, module parameters, and state for applications.
 * ltfrc.c checks whether an equation is in range.
 */
#include <linux/module.h>
#include "glue.h"

/*
 * New connections have the same equation in both halves. The default gives no more
 * than TFRC's equation. The paper's class k = 8 gives more where losses are frequent.
 */

#define LTFRC_DEFAULT {							\
	.loss_history = TFRC_LI_DEFAULT,				\
	.equation = {							\
		.k = DCCP_LTFRC_TCP_FRIENDLY,				\
		.weight = 1000,						\
		.bounded = 1,						\
	},								\
	.recovery = 1,							\
}

#define LTFRC_PAPER {							\
	.loss_history = TFRC_LI_DEFAULT,				\
	.equation = {							\
		.k = DCCP_LTFRC_TCP_FRIENDLY,				\
		.weight = 2000,						\
	},								\
}

static struct dccp_ltfrc_rx_params ltfrc_values = LTFRC_DEFAULT;
static const struct dccp_ltfrc_rx_params ltfrc_default = LTFRC_DEFAULT;
static const struct dccp_ltfrc_rx_params ltfrc_paper = LTFRC_PAPER;

static const struct tfrc_preset ltfrc_tx_presets[] = {
	{ "default", &ltfrc_default.equation },
	{ "paper", &ltfrc_paper.equation },
	{ }
};

static const struct tfrc_preset ltfrc_rx_presets[] = {
	{ "default", &ltfrc_default },
	{ "paper", &ltfrc_paper },
	{ }
};

static bool ltfrc_rx_params_valid(const void *values)
{
	const struct dccp_ltfrc_rx_params *par = values;

	return par->loss_history >= TFRC_LI_MIN &&
	       par->loss_history <= TFRC_LI_MAX &&
	       par->recovery <= 1 && !par->reserved[0] && !par->reserved[1] &&
	       !par->reserved[2] && ltfrc_equation_valid(&par->equation);
}

static void ltfrc_tx_changed(void *priv)
{
	struct ltfrc_hc_tx *ltx = priv;

	ltfrc_configure(&ltx->snd.lt, &ltx->par);
	tfrc_delay_set(&ltx->snd.tfrc.base, ltx->par.target_delay);
	tfrc_l4s_set(&ltx->snd.tfrc.base, ltx->par.l4s);
}

static void ltfrc_rx_changed(void *priv)
{
	struct ltfrc_hc_rx *lrx = priv;

	tfrc_loss_intervals_resize(&lrx->rcv.tfrc.intervals,
				   lrx->par.loss_history);
	tfrc_receiver_set_recovery(&lrx->rcv.tfrc.base, lrx->par.recovery);
	ltfrc_configure(&lrx->rcv.lt, &lrx->par.equation);
}

const struct tfrc_params ltfrc_tx_params = {
	.optname = DCCP_SOCKOPT_LTFRC_TX,
	.size = sizeof(struct dccp_ltfrc_equation),
	.least = offsetofend(struct dccp_ltfrc_equation, a),
	.values = &ltfrc_values.equation,
	.presets = ltfrc_tx_presets,
	.offset = offsetof(struct ltfrc_hc_tx, par),
	.valid = ltfrc_equation_valid,
	.changed = ltfrc_tx_changed,
};

const struct tfrc_params ltfrc_rx_params = {
	.optname = DCCP_SOCKOPT_LTFRC_RX,
	.size = sizeof(struct dccp_ltfrc_rx_params),
	.least = offsetofend(struct dccp_ltfrc_rx_params, equation.a),
	.values = &ltfrc_values,
	.presets = ltfrc_rx_presets,
	.offset = offsetof(struct ltfrc_hc_rx, par),
	.valid = ltfrc_rx_params_valid,
	.changed = ltfrc_rx_changed,
};

static const struct tfrc_param_name ltfrc_classes[] = {
	{ "tcp-friendly", DCCP_LTFRC_TCP_FRIENDLY },
	{ "bounded-friendly", DCCP_LTFRC_BOUNDED_FRIENDLY },
	{ "streaming-oriented", DCCP_LTFRC_STREAMING_ORIENTED },
	{ }
};

#define LTFRC_PARAM(name, member, table, text)				\
	tfrc_module_param(name, ltfrc_rx_params,			\
			  struct dccp_ltfrc_rx_params, member, table, text)

tfrc_module_presets(ltfrc_sockopts);
LTFRC_PARAM(k, equation.k, ltfrc_classes,
	    "class: 8 or tcp-friendly, 11 or bounded-friendly, 15 or streaming-oriented");
LTFRC_PARAM(weight, equation.weight, NULL,
	    "bound, times the rate of TFRC's equation, in 10^-3 (1 to 65535)");
LTFRC_PARAM(bounded, equation.bounded, NULL,
	    "1: the bound holds for every class, 0: for the bounded-friendly one");
LTFRC_PARAM(target_delay, equation.target_delay, NULL,
	    "sender: delay of the queue to aim at, ms (5 to 1000; 0: no such limit)");
LTFRC_PARAM(l4s, equation.l4s, NULL,
	    "sender: 1: respond to ECN marks in proportion (ECT(1)), 0: a mark is a loss");
LTFRC_PARAM(loss_history, loss_history, NULL,
	    "receiver: loss intervals to average (2 to 128)");
LTFRC_PARAM(recovery, recovery, NULL,
	    "receiver: 1: loss events have a recovery point, 0: they last for R");

static void ltfrc_fill_tx(struct sock *sk, struct dccp_ccid_tx_info *info)
{
	const struct ltfrc_hc_tx *ltx =
		container_of(tfrc_hc_tx(sk), struct ltfrc_hc_tx, hc);
	const struct tfrc_sender *snd = &ltx->snd.tfrc.base;
	const struct ltfrc *lt = &ltx->snd.lt;

	memcpy(info->ltfrc.a, lt->a, sizeof(info->ltfrc.a));
	if (snd->p)
		info->ltfrc.x_tcp = tfrc_calc_x(tfrc_sender_size(snd), snd->rtt,
						snd->p) >> TFRC_RATE_SHIFT;
	info->ltfrc.k = lt->k;
	info->ltfrc.bounded = lt->bounded;
}

const struct tfrc_sockopts ltfrc_sockopts = {
	.params = { &ltfrc_tx_params, &ltfrc_rx_params },
	.fill_tx = ltfrc_fill_tx,
	.fill_rx = rfc5348_fill_rx,
};
