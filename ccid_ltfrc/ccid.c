// SPDX-License-Identifier: GPL-2.0-only
/*
 * CCID 250: L-TFRC over the TFRC half-connections of lib_tfrc. The equation is
 * in ltfrc.c; here are its parameters and how they reach it.
 */
#include <linux/module.h>
#include <linux/tfrc.h>
#include <net/tfrc_ccid.h>
#include "ltfrc.h"

#define CREATE_TRACE_POINTS
#include "ltfrc_trace.h"

/* The library's state comes first: its hooks find it there. */
struct ltfrc_hc_tx {
	struct tfrc_hc_tx	hc;
	struct ltfrc		lt;
};

struct ltfrc_hc_rx {
	struct tfrc_hc_rx	hc;
	struct ltfrc		lt;
};

static struct ltfrc_hc_tx *ltfrc_hc_tx(const struct sock *sk)
{
	return container_of(tfrc_hc_tx(sk), struct ltfrc_hc_tx, hc);
}

/*
 * Parameters: both halves have the same equation. By default it gives no more than
 * TFRC's. The paper's class of k = 8 gives more where losses are frequent.
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

static void ltfrc_tx_apply(void *priv, const void *values)
{
	struct ltfrc_hc_tx *ltx = priv;

	ltfrc_configure(&ltx->lt, values);
}

static void ltfrc_tx_read(const void *priv, void *values)
{
	const struct ltfrc_hc_tx *ltx = priv;

	*(struct dccp_ltfrc_equation *)values = ltx->lt.eq;
}

static void ltfrc_rx_apply(void *priv, const void *values)
{
	const struct dccp_ltfrc_rx_params *par = values;
	struct ltfrc_hc_rx *lrx = priv;

	tfrc_loss_intervals_resize(&lrx->hc.rcv.intervals, par->loss_history);
	tfrc_hc_rx_set_recovery(&lrx->hc, par->recovery);
	ltfrc_configure(&lrx->lt, &par->equation);
}

static void ltfrc_rx_read(const void *priv, void *values)
{
	const struct ltfrc_hc_rx *lrx = priv;

	*(struct dccp_ltfrc_rx_params *)values = (struct dccp_ltfrc_rx_params) {
		.loss_history = lrx->hc.rcv.intervals.n,
		.equation = lrx->lt.eq,
		.recovery = lrx->hc.recovery,
	};
}

static const struct tfrc_params ltfrc_tx_params = {
	.optname = DCCP_SOCKOPT_LTFRC_TX,
	.size = sizeof(struct dccp_ltfrc_equation),
	.least = offsetofend(struct dccp_ltfrc_equation, a),
	.values = &ltfrc_values.equation,
	.presets = ltfrc_tx_presets,
	.valid = ltfrc_equation_valid,
	.apply = ltfrc_tx_apply,
	.read = ltfrc_tx_read,
};

static const struct tfrc_params ltfrc_rx_params = {
	.optname = DCCP_SOCKOPT_LTFRC_RX,
	.size = sizeof(struct dccp_ltfrc_rx_params),
	.least = offsetofend(struct dccp_ltfrc_rx_params, equation.a),
	.values = &ltfrc_values,
	.presets = ltfrc_rx_presets,
	.valid = ltfrc_rx_params_valid,
	.apply = ltfrc_rx_apply,
	.read = ltfrc_rx_read,
};

static const struct tfrc_params *const ltfrc_params[] = {
	&ltfrc_tx_params, &ltfrc_rx_params, NULL
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

tfrc_module_presets(ltfrc_params);
LTFRC_PARAM(k, equation.k, ltfrc_classes,
	    "class: 8 or tcp-friendly, 11 or bounded-friendly, 15 or streaming-oriented");
LTFRC_PARAM(weight, equation.weight, NULL,
	    "bound, times the rate of TFRC's equation, in 10^-3 (1 to 65535)");
LTFRC_PARAM(bounded, equation.bounded, NULL,
	    "1: the bound holds for every class, 0: for the bounded-friendly one");
LTFRC_PARAM(loss_history, loss_history, NULL,
	    "receiver: loss intervals to average (2 to 128)");
LTFRC_PARAM(recovery, recovery, NULL,
	    "receiver: 1: loss events have a recovery point, 0: they last for R");

static int ltfrc_check_sockopt(int optname, const void *val, unsigned int len)
{
	return tfrc_params_check(ltfrc_params, optname, val, len);
}

static int ltfrc_preview_sockopt(const struct list_head *kept, int optname,
				 void *val)
{
	return tfrc_params_preview(ltfrc_params, kept, optname, val);
}

static int ltfrc_setsockopt(struct sock *sk, int optname, const void *val,
			    unsigned int len)
{
	return tfrc_params_set(ltfrc_params, sk, optname, val, len);
}

/* The algorithm */

static u64 ltfrc_scheme_calc_x(void *priv, u32 s, u64 rtt, u64 p)
{
	struct ltfrc_hc_tx *ltx = priv;
	u64 x = ltfrc_calc_x(&ltx->lt, s, rtt, p);

	trace_ltfrc_equation(ltx->hc.sk, &ltx->lt, s, rtt, p, x);
	return x;
}

/* At the sender the equation, at the receiver its inverse. */
static const struct tfrc_scheme ltfrc_tx_scheme = {
	.calc_x = ltfrc_scheme_calc_x,
};

static const struct tfrc_scheme ltfrc_rx_scheme = {
	.calc_p = ltfrc_calc_p,
};

static int ltfrc_tx_init(struct ccid *ccid, struct sock *sk)
{
	struct ltfrc_hc_tx *ltx = ccid_priv(ccid);

	tfrc_hc_tx_init(&ltx->hc, sk, &ltfrc_tx_scheme, ltx);
	tfrc_params_init(&ltfrc_tx_params, ltx);
	return 0;
}

static int ltfrc_rx_init(struct ccid *ccid, struct sock *sk)
{
	struct ltfrc_hc_rx *lrx = ccid_priv(ccid);

	tfrc_hc_rx_init(&lrx->hc, sk, TFRC_LI_DEFAULT, &ltfrc_rx_scheme,
			&lrx->lt);
	tfrc_params_init(&ltfrc_rx_params, lrx);
	return 0;
}

static void ltfrc_fill_info(struct sock *sk, struct dccp_ccid_tx_info *info)
{
	const struct ltfrc_hc_tx *ltx = ltfrc_hc_tx(sk);
	const struct tfrc_sender *snd = &ltx->hc.snd;

	tfrc_hc_tx_fill_info(sk, info);
	memcpy(info->ltfrc.a, ltx->lt.a, sizeof(info->ltfrc.a));
	if (snd->p)
		info->ltfrc.x_tcp = tfrc_calc_x(tfrc_sender_size(snd), snd->rtt,
						snd->p) >> TFRC_RATE_SHIFT;
	info->ltfrc.k = ltx->lt.eq.k;
	info->ltfrc.bounded = ltx->lt.bounded;
}

static int ltfrc_tx_getsockopt(struct sock *sk, const int optname, int len,
			       u32 __user *optval, int __user *optlen)
{
	struct dccp_ccid_tx_info info;

	if (optname != DCCP_SOCKOPT_CCID_TX_INFO)
		return tfrc_params_get(ltfrc_params, sk, optname, len, optval,
				       optlen);
	ltfrc_fill_info(sk, &info);
	return tfrc_put_info(&info, sizeof(info), TFRC_TX_INFO_LEAST,
			     len, optval, optlen);
}

static int ltfrc_rx_getsockopt(struct sock *sk, const int optname, int len,
			       u32 __user *optval, int __user *optlen)
{
	if (optname != DCCP_SOCKOPT_CCID_RX_INFO)
		return tfrc_params_get(ltfrc_params, sk, optname, len, optval,
				       optlen);
	return tfrc_hc_rx_getsockopt(sk, optname, len, optval, optlen);
}

static struct ccid_operations ccid_ltfrc_ops = {
	.ccid_id		   = DCCPC_LTFRC,
	.ccid_name		   = "ltfrc",
	.ccid_owner		   = THIS_MODULE,
	.ccid_ecn		   = true,
	.ccid_check_sockopt	   = ltfrc_check_sockopt,
	.ccid_preview_sockopt	   = ltfrc_preview_sockopt,

	TFRC_HC_TX_HOOKS,
	.ccid_hc_tx_obj_size	   = sizeof(struct ltfrc_hc_tx),
	.ccid_hc_tx_init	   = ltfrc_tx_init,
	.ccid_hc_tx_send_packet	   = tfrc_hc_tx_send_packet,
	.ccid_hc_tx_getsockopt	   = ltfrc_tx_getsockopt,
	.ccid_hc_tx_setsockopt	   = ltfrc_setsockopt,

	TFRC_HC_RX_HOOKS,
	.ccid_hc_rx_obj_size	   = sizeof(struct ltfrc_hc_rx),
	.ccid_hc_rx_init	   = ltfrc_rx_init,
	.ccid_hc_rx_packet_recv	   = tfrc_hc_rx_packet_recv,
	.ccid_hc_rx_insert_options = tfrc_hc_rx_insert_options,
	.ccid_hc_rx_getsockopt	   = ltfrc_rx_getsockopt,
	.ccid_hc_rx_setsockopt	   = ltfrc_setsockopt,
};
module_ccid_params(ccid_ltfrc_ops, ltfrc_params);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The dccp-ccids developers");
MODULE_VERSION(DCCP_CCIDS_VERSION);
MODULE_DESCRIPTION("DCCP CCID 250: L-TFRC, logarithm-based TFRC");
MODULE_ALIAS("net-dccp-ccid-250");
