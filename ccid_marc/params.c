// SPDX-License-Identifier: GPL-2.0-only
/*
 * MARC's parameters: presets, module parameters, and state for applications. What
 * is in range is in marc.c.
 */
#include <linux/math64.h>
#include <linux/module.h>
#include "glue.h"

/* Recommended for networks */
tfrc_param_values(marc_tx, dccp_marc_tx_params, {
	.beta = MARC_BETA,
	.delta_loss = MARC_DELTA_LOSS,
	.delta_mark = MARC_DELTA_MARK,
	.tokens = 1,
	.clock = DCCP_TFRC_CLOCK_RESTART,
	.decay = DCCP_MARC_DECAY_TIME,
	.lag = 1,
	.target_delay = TFRC_DELAY_DEFAULT,
});

tfrc_param_values(marc_rx, dccp_marc_rx_params, {
	.loss_history = MARC_LOSS_HISTORY,
	.recovery = 1,
});

/*
 * "paper" is the paper's section 4.1 to the letter; its TFRC has no recovery point.
 * "tfrc" is TFRC: no tokens, and RFC 5348's rule for X_recv. "streaming" is
 * for an encoder that uses the tokens, and hears of their end two seconds before. Its
 * viewer has a buffer, so a long queue is no reason to send less than the tokens allow.
 */
static const struct tfrc_preset marc_presets[] = {
	{ "default", "" },
	{ "paper", "clock=paper decay=report lag=0 recovery=0 target_delay=0 loss_history="
		   __stringify(MARC_LOSS_HISTORY_PAPER) },
	{ "tfrc", "tokens=0 clock=rfc5348 target_delay=0" },
	{ "interactive", TFRC_PRESET_INTERACTIVE },
	{ "streaming", "warning=2000 target_delay=0" },
	{ }
};

static int marc_tx_changed(void *priv)
{
	struct marc_hc_tx *mtx = priv;
	const struct dccp_marc_tx_params *par = &mtx->snd.marc.par;

	tfrc_hc_tx_configure(&mtx->hc, par->target_delay, par->frame_rate,
			     par->l4s);
	tfrc_nominal_set(&mtx->snd.tfrc.base.nominal, par->nominal_size);
	return 0;
}

static int marc_rx_changed(void *priv)
{
	struct marc_hc_rx *mrx = priv;

	if (tfrc_loss_intervals_resize(&mrx->rcv.intervals, mrx->par.loss_history))
		return -ENOMEM;
	tfrc_receiver_set_recovery(&mrx->rcv.base, mrx->par.recovery);
	return 0;
}

tfrc_half_params(marc, tx, DCCP_SOCKOPT_MARC_TX, clock, snd.marc.par);
tfrc_half_params(marc, rx, DCCP_SOCKOPT_MARC_RX, loss_history, par);

static const struct tfrc_param_name marc_clocks[] = {
	{ "paper", DCCP_TFRC_CLOCK_PAPER },
	{ "rfc5348", DCCP_TFRC_CLOCK_RFC5348 },
	{ "restart", DCCP_TFRC_CLOCK_RESTART },
	{ }
};

static const struct tfrc_param_name marc_decays[] = {
	{ "report", DCCP_MARC_DECAY_REPORT },
	{ "time", DCCP_MARC_DECAY_TIME },
	{ }
};

tfrc_param(marc_tx, beta, "factor by which the token value T decays; see decay (10^-3, 0 to 1000)");
tfrc_param(marc_tx, delta_loss, "largest decrease of X for losses while T > 0 (10^-3, 1 to 999)");
tfrc_param(marc_tx, delta_mark, "largest decrease of X for ECN marks alone (10^-3, 1 to 999)");
tfrc_param(marc_tx, tokens, "1: MARC; 0: T stays 0, which is TFRC");
tfrc_module_param(clock, marc_tx, clock, marc_clocks,
		  "limit of X by the receive rate. 0 or paper: X_recv in the round trip after a loss event, 1.5 X_recv otherwise, and up to the initial rate after a pause; 1 or rfc5348: as in RFC 5348, 4.3; 2 or restart: as paper, but up to the initial rate whenever the application limits the rate");
tfrc_module_param(decay, marc_tx, decay, marc_decays,
		  "when T is multiplied by beta. 0 or report: at each report; 1 or time: once in R");
tfrc_param(marc_tx, lag, "1: if less arrives than is sent, that is congestion; 0: it is not");
tfrc_param(marc_tx, landing, "n: X is at most TFRC's rate + T/(n R); 0: no limit (R, 0 to 1000)");
tfrc_param(marc_tx, warning, "poll(2) reports POLLPRI if T lasts less; 0: never (ms, 0 to 65535)");
tfrc_param(marc_tx, nominal_size, TFRC_TEXT_NOMINAL_SIZE);
tfrc_param(marc_tx, target_delay, TFRC_TEXT_TARGET_DELAY);
tfrc_param(marc_tx, frame_rate, TFRC_TEXT_FRAME_RATE);
tfrc_param(marc_tx, l4s, TFRC_TEXT_L4S);
tfrc_param(marc_rx, loss_history, TFRC_TEXT_LOSS_HISTORY);
tfrc_param(marc_rx, recovery, TFRC_TEXT_RECOVERY);

static void marc_fill_tx(struct sock *sk, struct dccp_ccid_tx_info *info)
{
	const struct marc *m = &container_of(tfrc_hc_tx(sk), struct marc_hc_tx, hc)->snd.marc;

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
