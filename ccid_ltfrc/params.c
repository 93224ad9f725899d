// SPDX-License-Identifier: GPL-2.0-only
/*
 * L-TFRC's parameters: presets, module parameters, and state for applications.
 * What is in range is in ltfrc.c.
 */
#include <linux/module.h>
#include "glue.h"

/*
 * New connections have the same equation in both halves. The default gives no more
 * than TFRC's equation.
 */
#define LTFRC_EQUATION							\
	.equation = {							\
		.k = DCCP_LTFRC_TCP_FRIENDLY,				\
		.weight = 1000,						\
		.bounded = 1,						\
		.target_delay = TFRC_DELAY_DEFAULT,			\
	}

tfrc_param_values(ltfrc_tx, dccp_ltfrc_tx_params, { LTFRC_EQUATION });

tfrc_param_values(ltfrc_rx, dccp_ltfrc_rx_params, {
	LTFRC_EQUATION,
	.loss_history = TFRC_LI_DEFAULT,
	.recovery = 1,
});

/* The paper's class k = 8 gives more than TFRC where losses are frequent. */
static const struct tfrc_preset ltfrc_presets[] = {
	{ "default", "" },
	{ "paper", "weight=2000 bounded=0 recovery=0 target_delay=0" },
	{ "interactive", TFRC_PRESET_INTERACTIVE },
	{ }
};

static int ltfrc_tx_changed(void *priv)
{
	struct ltfrc_hc_tx *ltx = priv;
	const struct dccp_ltfrc_equation *eq = &ltx->par.equation;

	ltfrc_configure(&ltx->snd.lt, eq);
	tfrc_hc_tx_configure(&ltx->hc, eq->target_delay, ltx->par.frame_rate,
			     eq->l4s);
	tfrc_nominal_set(&ltx->snd.tfrc.base.nominal, ltx->par.nominal_size);
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

tfrc_half_params(ltfrc, tx, DCCP_SOCKOPT_LTFRC_TX, equation, par);
tfrc_half_params(ltfrc, rx, DCCP_SOCKOPT_LTFRC_RX, equation, par);

static const struct tfrc_param_name ltfrc_classes[] = {
	{ "tcp-friendly", DCCP_LTFRC_TCP_FRIENDLY },
	{ "bounded-friendly", DCCP_LTFRC_BOUNDED_FRIENDLY },
	{ "streaming-oriented", DCCP_LTFRC_STREAMING_ORIENTED },
	{ }
};

/* A member of the equation, which new connections have in both halves */
#define LTFRC_EQUATION_PARAM(name, table, text)				\
	tfrc_module_param_both(name, ltfrc_tx, ltfrc_rx, equation.name, table, text)

LTFRC_EQUATION_PARAM(k, ltfrc_classes,
		     "both ends: class of the equation. 8: tcp-friendly; 11: bounded-friendly; 15: streaming-oriented");
LTFRC_EQUATION_PARAM(weight, NULL,
		     "both ends: the bound of X, times the rate of TFRC's equation (10^-3, 1 to 65535)");
LTFRC_EQUATION_PARAM(bounded, NULL,
		     "both ends: 1: the bound holds for each class; 0: only for the bounded-friendly class");
LTFRC_EQUATION_PARAM(target_delay, NULL, TFRC_TEXT_TARGET_DELAY);
LTFRC_EQUATION_PARAM(l4s, NULL, TFRC_TEXT_L4S);
tfrc_param(ltfrc_tx, nominal_size, TFRC_TEXT_NOMINAL_SIZE);
tfrc_param(ltfrc_tx, frame_rate, TFRC_TEXT_FRAME_RATE);
tfrc_param(ltfrc_rx, loss_history, TFRC_TEXT_LOSS_HISTORY);
tfrc_param(ltfrc_rx, recovery, TFRC_TEXT_RECOVERY);

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
