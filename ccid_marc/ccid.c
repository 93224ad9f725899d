// SPDX-License-Identifier: GPL-2.0-only
/*
 * CCID 248: MARC over the TFRC half-connections of lib_tfrc. The algorithm is
 * in marc.c; here are its parameters and how they reach it.
 */
#include <linux/module.h>
#include <linux/tfrc.h>
#include <net/tfrc_ccid.h>
#include "marc.h"

#define CREATE_TRACE_POINTS
#include "marc_trace.h"

/* The library's state comes first: its hooks find it there. */
struct marc_hc_tx {
	struct tfrc_hc_tx	hc;
	struct marc		marc;
};

static struct marc_hc_tx *marc_hc_tx(const struct sock *sk)
{
	return container_of(tfrc_hc_tx(sk), struct marc_hc_tx, hc);
}

/* Parameters */

/* What we recommend on a network. */
#define MARC_TX_DEFAULT {						\
	.beta = MARC_BETA,						\
	.delta_loss = MARC_DELTA_LOSS,					\
	.delta_mark = MARC_DELTA_MARK,					\
	.tokens = 1,							\
	.clock = DCCP_TFRC_CLOCK_PAPER,					\
	.decay = DCCP_MARC_DECAY_TIME,					\
	.lag = 1,							\
}

/* Section 4.1 as it is written. */
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
	{ }
};

static const struct tfrc_preset marc_rx_presets[] = {
	{ "default", &(const struct dccp_marc_rx_params)MARC_RX_DEFAULT },
	{ "paper", &marc_rx_paper },
	{ "tfrc", &(const struct dccp_marc_rx_params)MARC_RX_DEFAULT },
	{ }
};

static void marc_tx_apply(void *priv, const void *values)
{
	struct marc_hc_tx *mtx = priv;

	mtx->marc.par = *(const struct dccp_marc_tx_params *)values;
	mtx->hc.snd.paper_clock =
		mtx->marc.par.clock == DCCP_TFRC_CLOCK_PAPER;
}

static void marc_tx_read(const void *priv, void *values)
{
	const struct marc_hc_tx *mtx = priv;

	*(struct dccp_marc_tx_params *)values = mtx->marc.par;
}

static void marc_rx_apply(void *priv, const void *values)
{
	const struct dccp_marc_rx_params *par = values;
	struct tfrc_hc_rx *hc = priv;

	tfrc_loss_intervals_resize(&hc->rcv.intervals, par->loss_history);
	tfrc_hc_rx_set_recovery(hc, par->recovery);
}

static void marc_rx_read(const void *priv, void *values)
{
	const struct tfrc_hc_rx *hc = priv;

	*(struct dccp_marc_rx_params *)values = (struct dccp_marc_rx_params) {
		.loss_history = hc->rcv.intervals.n,
		.recovery = hc->recovery,
	};
}

static const struct tfrc_params marc_tx_params = {
	.optname = DCCP_SOCKOPT_MARC_TX,
	.size = sizeof(struct dccp_marc_tx_params),
	.least = offsetofend(struct dccp_marc_tx_params, clock),
	.values = &marc_tx_values,
	.presets = marc_tx_presets,
	.valid = marc_tx_params_valid,
	.apply = marc_tx_apply,
	.read = marc_tx_read,
};

static const struct tfrc_params marc_rx_params = {
	.optname = DCCP_SOCKOPT_MARC_RX,
	.size = sizeof(struct dccp_marc_rx_params),
	.least = offsetofend(struct dccp_marc_rx_params, loss_history),
	.values = &marc_rx_values,
	.presets = marc_rx_presets,
	.valid = marc_rx_params_valid,
	.apply = marc_rx_apply,
	.read = marc_rx_read,
};

static const struct tfrc_params *const marc_params[] = {
	&marc_tx_params, &marc_rx_params, NULL
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

tfrc_module_presets(marc_params);
MARC_TX_PARAM(beta, NULL, "decay of the token value, in 10^-3 (0 to 1000)");
MARC_TX_PARAM(delta_loss, NULL, "largest decrease after a loss, in 10^-3 (1 to 999)");
MARC_TX_PARAM(delta_mark, NULL, "largest decrease after CE marks alone, in 10^-3 (1 to 999)");
MARC_TX_PARAM(tokens, NULL, "1: MARC, 0: no tokens");
MARC_TX_PARAM(clock, marc_clocks,
	      "self-clocking, 0 or paper: X_recv or 1.5 X_recv, 1 or rfc5348: RFC 5348");
MARC_TX_PARAM(decay, marc_decays,
	      "tokens decay 0 or report: for each report, 1 or time: for each round trip");
MARC_TX_PARAM(lag, NULL, "1: less arriving than is sent is congestion, 0: it is not");
MARC_RX_PARAM(loss_history, "receiver: loss intervals to average (2 to 128)");
MARC_RX_PARAM(recovery, "receiver: 1: loss events have a recovery point, 0: they last for R");

static int marc_check_sockopt(int optname, const void *val, unsigned int len)
{
	return tfrc_params_check(marc_params, optname, val, len);
}

static int marc_preview_sockopt(const struct list_head *kept, int optname,
				void *val)
{
	return tfrc_params_preview(marc_params, kept, optname, val);
}

static int marc_setsockopt(struct sock *sk, int optname, const void *val,
			   unsigned int len)
{
	return tfrc_params_set(marc_params, sk, optname, val, len);
}

/* The algorithm */

static u64 marc_scheme_move_to(void *priv, const struct tfrc_decision *d)
{
	struct marc_hc_tx *mtx = priv;
	s64 tokens = mtx->marc.tokens;
	u64 x = marc_move_to(&mtx->marc, d);

	trace_marc_decision(mtx->hc.sk, &mtx->marc, d, tokens, x);
	return x;
}

static const struct tfrc_scheme marc_scheme = {
	.move_to = marc_scheme_move_to,
};

static int marc_tx_init(struct ccid *ccid, struct sock *sk)
{
	struct marc_hc_tx *mtx = ccid_priv(ccid);

	tfrc_hc_tx_init(&mtx->hc, sk, &marc_scheme, mtx);
	tfrc_params_init(&marc_tx_params, mtx);
	return 0;
}

static int marc_rx_init(struct ccid *ccid, struct sock *sk)
{
	tfrc_hc_rx_init(ccid_priv(ccid), sk, TFRC_LI_DEFAULT, &marc_scheme,
			NULL);
	tfrc_params_init(&marc_rx_params, ccid_priv(ccid));
	return 0;
}

static int marc_tx_getsockopt(struct sock *sk, const int optname, int len,
			      u32 __user *optval, int __user *optlen)
{
	const struct marc *m = &marc_hc_tx(sk)->marc;
	struct dccp_ccid_tx_info info;

	if (optname != DCCP_SOCKOPT_CCID_TX_INFO)
		return tfrc_params_get(marc_params, sk, optname, len, optval,
				       optlen);
	tfrc_hc_tx_fill_info(sk, &info);
	info.marc.tokens = m->tokens;
	info.marc.x_tfrc = m->x_tfrc >> TFRC_RATE_SHIFT;
	info.marc.decision = m->decision;
	return tfrc_put_info(&info, sizeof(info), TFRC_TX_INFO_LEAST,
			     len, optval, optlen);
}

static int marc_rx_getsockopt(struct sock *sk, const int optname, int len,
			      u32 __user *optval, int __user *optlen)
{
	if (optname != DCCP_SOCKOPT_CCID_RX_INFO)
		return tfrc_params_get(marc_params, sk, optname, len, optval,
				       optlen);
	return tfrc_hc_rx_getsockopt(sk, optname, len, optval, optlen);
}

static struct ccid_operations ccid_marc_ops = {
	.ccid_id		   = DCCPC_MARC,
	.ccid_name		   = "marc",
	.ccid_owner		   = THIS_MODULE,
	.ccid_ecn		   = true,
	.ccid_check_sockopt	   = marc_check_sockopt,
	.ccid_preview_sockopt	   = marc_preview_sockopt,

	TFRC_HC_TX_HOOKS,
	.ccid_hc_tx_obj_size	   = sizeof(struct marc_hc_tx),
	.ccid_hc_tx_init	   = marc_tx_init,
	.ccid_hc_tx_send_packet	   = tfrc_hc_tx_send_packet,
	.ccid_hc_tx_getsockopt	   = marc_tx_getsockopt,
	.ccid_hc_tx_setsockopt	   = marc_setsockopt,

	TFRC_HC_RX_HOOKS,
	.ccid_hc_rx_obj_size	   = sizeof(struct tfrc_hc_rx),
	.ccid_hc_rx_init	   = marc_rx_init,
	.ccid_hc_rx_packet_recv	   = tfrc_hc_rx_packet_recv,
	.ccid_hc_rx_insert_options = tfrc_hc_rx_insert_options,
	.ccid_hc_rx_getsockopt	   = marc_rx_getsockopt,
	.ccid_hc_rx_setsockopt	   = marc_setsockopt,
};
module_ccid_params(ccid_marc_ops, marc_params);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The dccp-ccids developers");
MODULE_VERSION(DCCP_CCIDS_VERSION);
MODULE_DESCRIPTION("DCCP CCID 248: MARC, Media-Aware Rate Control");
MODULE_ALIAS("net-dccp-ccid-248");
