// SPDX-License-Identifier: GPL-2.0-only
/*
 * L-TFRC's parameters: presets, module parameters, and state for applications.
 * What is in range is in ltfrc.c.
 */
#include <linux/module.h>
#include "glue.h"

/*
 * New connections have the same equation in both halves. The default gives no more
 * than TFRC's equation. The paper's class k = 8 gives more where losses are frequent.
 */

#define LTFRC_NETWORK							\
	.k = DCCP_LTFRC_TCP_FRIENDLY,					\
	.weight = 1000,							\
	.bounded = 1

#define LTFRC_DEFAULT { LTFRC_NETWORK }

#define LTFRC_PAPER {							\
	.k = DCCP_LTFRC_TCP_FRIENDLY,					\
	.weight = 2000,							\
}

#define LTFRC_TX_DEFAULT {						\
	.equation = LTFRC_DEFAULT,					\
}

#define LTFRC_TX_PAPER {						\
	.equation = LTFRC_PAPER,					\
}

#define LTFRC_RX_DEFAULT {						\
	.loss_history = TFRC_LI_DEFAULT,				\
	.equation = LTFRC_DEFAULT,					\
	.recovery = 1,							\
}

#define LTFRC_RX_PAPER {						\
	.loss_history = TFRC_LI_DEFAULT,				\
	.equation = LTFRC_PAPER,					\
}

/* A call: a short queue instead of the last percents of the link */
static const struct dccp_ltfrc_tx_params ltfrc_tx_interactive = {
	.equation = { LTFRC_NETWORK, .target_delay = TFRC_DELAY_INTERACTIVE },
};

static struct dccp_ltfrc_tx_params ltfrc_tx_values = LTFRC_TX_DEFAULT;
static struct dccp_ltfrc_rx_params ltfrc_rx_values = LTFRC_RX_DEFAULT;

static const struct tfrc_preset ltfrc_tx_presets[] = {
	{ "default", &(const struct dccp_ltfrc_tx_params)LTFRC_TX_DEFAULT },
	{ "paper", &(const struct dccp_ltfrc_tx_params)LTFRC_TX_PAPER },
	{ "interactive", &ltfrc_tx_interactive },
	{ }
};

static const struct tfrc_preset ltfrc_rx_presets[] = {
	{ "default", &(const struct dccp_ltfrc_rx_params)LTFRC_RX_DEFAULT },
	{ "paper", &(const struct dccp_ltfrc_rx_params)LTFRC_RX_PAPER },
	{ "interactive", &(const struct dccp_ltfrc_rx_params)LTFRC_RX_DEFAULT },
	{ }
};

static int ltfrc_tx_changed(void *priv)
{
	struct ltfrc_hc_tx *ltx = priv;

	ltfrc_configure(&ltx->snd.lt, &ltx->par.equation);
	tfrc_delay_set(&ltx->snd.tfrc.base, ltx->par.equation.target_delay);
	tfrc_nominal_set(&ltx->snd.tfrc.base.nominal, ltx->par.nominal_size);
	tfrc_pacing_set_frames(&ltx->hc.pacer.pacing, ltx->par.frame_rate);
	tfrc_l4s_set(&ltx->snd.tfrc.base, ltx->par.equation.l4s);
	return 0;
}

static int ltfrc_rx_changed(void *priv)
{
	struct ltfrc_hc_rx *lrx = priv;

	if (tfrc_loss_intervals_resize(&lrx->rcv.tfrc.intervals,
				       lrx->par.loss_history))
		return -ENOMEM;
	tfrc_receiver_set_recovery(&lrx->rcv.tfrc.base, lrx->par.recovery);
	ltfrc_configure(&lrx->rcv.lt, &lrx->par.equation);
	return 0;
}

const struct tfrc_params ltfrc_tx_params = {
	.optname = DCCP_SOCKOPT_LTFRC_TX,
	TFRC_PARAMS(ltfrc_tx, struct dccp_ltfrc_tx_params, equation,
		    struct ltfrc_hc_tx, par),
	.valid = ltfrc_tx_params_valid,
	.changed = ltfrc_tx_changed,
};

const struct tfrc_params ltfrc_rx_params = {
	.optname = DCCP_SOCKOPT_LTFRC_RX,
	TFRC_PARAMS(ltfrc_rx, struct dccp_ltfrc_rx_params, equation,
		    struct ltfrc_hc_rx, par),
	.valid = ltfrc_rx_params_valid,
	.changed = ltfrc_rx_changed,
};

static const struct tfrc_param_name ltfrc_classes[] = {
	{ "tcp-friendly", DCCP_LTFRC_TCP_FRIENDLY },
	{ "bounded-friendly", DCCP_LTFRC_BOUNDED_FRIENDLY },
	{ "streaming-oriented", DCCP_LTFRC_STREAMING_ORIENTED },
	{ }
};

/* A member of the equation, which new connections have in both halves */
#define LTFRC_EQUATION_PARAM(name, table, text)				\
	tfrc_module_param_both(name, ltfrc_tx_params,			\
			       struct dccp_ltfrc_tx_params,		\
			       ltfrc_rx_params,				\
			       struct dccp_ltfrc_rx_params,		\
			       equation.name, table, text)
#define LTFRC_TX_PARAM(member, text)					\
	tfrc_module_param(member, ltfrc_tx_params,			\
			  struct dccp_ltfrc_tx_params, member, NULL, text)
#define LTFRC_RX_PARAM(member, text)					\
	tfrc_module_param(member, ltfrc_rx_params,			\
			  struct dccp_ltfrc_rx_params, member, NULL, text)

tfrc_module_presets(ltfrc_sockopts);
LTFRC_EQUATION_PARAM(k, ltfrc_classes,
		     "class: 8 or tcp-friendly, 11 or bounded-friendly, 15 or streaming-oriented");
LTFRC_EQUATION_PARAM(weight, NULL,
		     "bound, times the rate of TFRC's equation, in 10^-3 (1 to 65535)");
LTFRC_EQUATION_PARAM(bounded, NULL,
		     "1: the bound holds for every class, 0: for the bounded-friendly one");
LTFRC_EQUATION_PARAM(target_delay, NULL,
		     "sender: delay of the queue to aim at, ms (5 to 1000; 0: no such limit)");
LTFRC_EQUATION_PARAM(l4s, NULL,
		     "sender: 1: respond to ECN marks in proportion (ECT(1)), 0: a mark is a loss");
LTFRC_TX_PARAM(nominal_size,
	       "sender: packet size of the equation, bytes (1 to 1460; 0: the real one)");
LTFRC_TX_PARAM(frame_rate,
	       "sender: frames whose packets are spread, 1/s (1 to 1000; 0: they are not)");
LTFRC_RX_PARAM(loss_history, "receiver: loss intervals to average (2 to 128)");
LTFRC_RX_PARAM(recovery,
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
