// SPDX-License-Identifier: GPL-2.0-only
/*
 * MARC's parameters: presets, module parameters, and state for applications. What
 * is in range is in marc.c.
 */
#include <linux/math64.h>
#include <linux/module.h>
#include "glue.h"

/* Recommended for networks */
#define MARC_TX_NETWORK							\
	.beta = MARC_BETA,						\
	.delta_loss = MARC_DELTA_LOSS,					\
	.delta_mark = MARC_DELTA_MARK,					\
	.tokens = 1,							\
	.clock = DCCP_TFRC_CLOCK_PAPER,					\
	.decay = DCCP_MARC_DECAY_TIME,					\
	.lag = 1

#define MARC_TX_DEFAULT { MARC_TX_NETWORK }

/* The paper's section 4.1 to the letter */
static const struct dccp_marc_tx_params marc_tx_paper = {
	.beta = MARC_BETA,
	.delta_loss = MARC_DELTA_LOSS,
	.delta_mark = MARC_DELTA_MARK,
	.tokens = 1,
	.clock = DCCP_TFRC_CLOCK_PAPER,
	.decay = DCCP_MARC_DECAY_REPORT,
	.lag = 0,
};

/* TFRC as in RFC 5348: no tokens, and its own rule for X_recv. */
static const struct dccp_marc_tx_params marc_tx_tfrc = {
	.beta = MARC_BETA,
	.delta_loss = MARC_DELTA_LOSS,
	.delta_mark = MARC_DELTA_MARK,
	.tokens = 0,
	.clock = DCCP_TFRC_CLOCK_RFC5348,
	.decay = DCCP_MARC_DECAY_TIME,
	.lag = 1,
};

/* A call: a short queue instead of the last percents of the link */
static const struct dccp_marc_tx_params marc_tx_interactive = {
	MARC_TX_NETWORK,
	.target_delay = TFRC_DELAY_INTERACTIVE,
};

/* An encoder that uses the tokens, and hears of their end two seconds before */
static const struct dccp_marc_tx_params marc_tx_streaming = {
	MARC_TX_NETWORK,
	.warning = 2000,
};

#define MARC_RX_DEFAULT {						\
	.loss_history = MARC_LOSS_HISTORY,				\
	.recovery = 1,							\
}

/* The paper's TFRC has no recovery point. */
static const struct dccp_marc_rx_params marc_rx_paper = {
	.loss_history = MARC_LOSS_HISTORY_PAPER,
	.recovery = 0,
};

static struct dccp_marc_tx_params marc_tx_values = MARC_TX_DEFAULT;
static struct dccp_marc_rx_params marc_rx_values = MARC_RX_DEFAULT;

static const struct tfrc_preset marc_tx_presets[] = {
	{ "default", &(const struct dccp_marc_tx_params)MARC_TX_DEFAULT },
	{ "paper", &marc_tx_paper },
	{ "tfrc", &marc_tx_tfrc },
	{ "interactive", &marc_tx_interactive },
	{ "streaming", &marc_tx_streaming },
	{ }
};

static const struct tfrc_preset marc_rx_presets[] = {
	{ "default", &(const struct dccp_marc_rx_params)MARC_RX_DEFAULT },
	{ "paper", &marc_rx_paper },
	{ "tfrc", &(const struct dccp_marc_rx_params)MARC_RX_DEFAULT },
	{ "interactive", &(const struct dccp_marc_rx_params)MARC_RX_DEFAULT },
	{ "streaming", &(const struct dccp_marc_rx_params)MARC_RX_DEFAULT },
	{ }
};

static int marc_tx_changed(void *priv)
{
	struct marc_hc_tx *mtx = priv;

	tfrc_delay_set(&mtx->snd.tfrc.base, mtx->snd.marc.par.target_delay);
	tfrc_nominal_set(&mtx->snd.tfrc.base.nominal,
			 mtx->snd.marc.par.nominal_size);
	tfrc_pacing_set_frames(&mtx->hc.pacer.pacing,
			       mtx->snd.marc.par.frame_rate);
	tfrc_l4s_set(&mtx->snd.tfrc.base, mtx->snd.marc.par.l4s);
	return 0;
}

static int marc_rx_changed(void *priv)
{
	struct marc_hc_rx *mrx = priv;

	if (tfrc_loss_intervals_resize(&mrx->rcv.intervals,
				       mrx->par.loss_history))
		return -ENOMEM;
	tfrc_receiver_set_recovery(&mrx->rcv.base, mrx->par.recovery);
	return 0;
}

const struct tfrc_params marc_tx_params = {
	.optname = DCCP_SOCKOPT_MARC_TX,
	TFRC_PARAMS(marc_tx, struct dccp_marc_tx_params, clock,
		    struct marc_hc_tx, snd.marc.par),
	.valid = marc_tx_params_valid,
	.changed = marc_tx_changed,
};

const struct tfrc_params marc_rx_params = {
	.optname = DCCP_SOCKOPT_MARC_RX,
	TFRC_PARAMS(marc_rx, struct dccp_marc_rx_params, loss_history,
		    struct marc_hc_rx, par),
	.valid = marc_rx_params_valid,
	.changed = marc_rx_changed,
};

static const struct tfrc_param_name marc_clocks[] = {
	{ "paper", DCCP_TFRC_CLOCK_PAPER },
	{ "rfc5348", DCCP_TFRC_CLOCK_RFC5348 },
	{ }
};

static const struct tfrc_param_name marc_decays[] = {
	{ "report", DCCP_MARC_DECAY_REPORT },
	{ "time", DCCP_MARC_DECAY_TIME },
	{ }
};

#define MARC_TX_PARAM(member, table, text)				\
	tfrc_module_param(member, marc_tx_params,			\
			  struct dccp_marc_tx_params, member, table, text)
#define MARC_RX_PARAM(member, text)					\
	tfrc_module_param(member, marc_rx_params,			\
			  struct dccp_marc_rx_params, member, NULL, text)

tfrc_module_presets(marc_sockopts);
MARC_TX_PARAM(beta, NULL, "decay of the token value, in 10^-3 (0 to 1000)");
MARC_TX_PARAM(delta_loss, NULL, "largest decrease after a loss, in 10^-3 (1 to 999)");
MARC_TX_PARAM(delta_mark, NULL, "largest decrease after CE marks alone, in 10^-3 (1 to 999)");
MARC_TX_PARAM(tokens, NULL, "1: MARC, 0: no tokens");
MARC_TX_PARAM(clock, marc_clocks,
	      "self-clocking, 0 or paper: X_recv or 1.5 X_recv, 1 or rfc5348: RFC 5348");
MARC_TX_PARAM(decay, marc_decays,
	      "tokens decay 0 or report: for each report, 1 or time: for each round trip");
MARC_TX_PARAM(lag, NULL, "1: if less arrives than is sent, this is congestion, 0: it is not");
MARC_TX_PARAM(target_delay, NULL, "delay of the queue to aim at, ms (5 to 1000; 0: no such limit)");
MARC_TX_PARAM(landing, NULL,
	      "X is above TFRC's rate by what the tokens last for in so many round trips (1 to 1000; 0: no such limit)");
MARC_TX_PARAM(warning, NULL, "POLLPRI when the tokens last for less than this, ms (0: never)");
MARC_TX_PARAM(nominal_size, NULL,
	      "packet size of the equation, bytes (1 to 1460; 0: the real one)");
MARC_TX_PARAM(frame_rate, NULL,
	      "frames whose packets are spread, 1/s (1 to 1000; 0: they are not)");
MARC_TX_PARAM(l4s, NULL, "1: respond to ECN marks in proportion (ECT(1)), 0: a mark is a loss");
MARC_RX_PARAM(loss_history, "receiver: loss intervals to average (2 to 128)");
MARC_RX_PARAM(recovery, "receiver: 1: loss events have a recovery point, 0: they last for R");

static void marc_fill_tx(struct sock *sk, struct dccp_ccid_tx_info *info)
{
	const struct marc *m = &container_of(tfrc_hc_tx(sk), struct marc_hc_tx,
					     hc)->snd.marc;

	info->marc.tokens = m->tokens;
	info->marc.x_tfrc = m->x_tfrc >> TFRC_RATE_SHIFT;
	info->marc.decision = m->decision;
	info->marc.left = min_t(u64, U32_MAX, div_u64(m->left, TFRC_NSEC_PER_MSEC));
	info->marc.kept = m->kept;
	info->marc.limited = m->limited;
	info->marc.landed = m->landed;
}

const struct tfrc_sockopts marc_sockopts = {
	.params = { &marc_tx_params, &marc_rx_params },
	.fill_tx = marc_fill_tx,
	.tx_info_event = true,
	.fill_rx = rfc5348_fill_rx,
};
