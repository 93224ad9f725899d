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

static struct ltfrc_hc_rx *ltfrc_hc_rx(const struct sock *sk)
{
	return container_of(tfrc_hc_rx(sk), struct ltfrc_hc_rx, hc);
}

/* Parameters of new connections, for both halves. */
static struct dccp_ltfrc_rx_params ltfrc_default = {
	.loss_history = TFRC_LI_DEFAULT,
	.equation = {
		.k = DCCP_LTFRC_TCP_FRIENDLY,
		.weight = 2000,
	},
};

static bool ltfrc_rx_params_valid(const struct dccp_ltfrc_rx_params *par)
{
	return par->loss_history >= TFRC_LI_MIN &&
	       par->loss_history <= TFRC_LI_MAX &&
	       ltfrc_equation_valid(&par->equation);
}

static int ltfrc_check_sockopt(int optname, const void *val, unsigned int len)
{
	bool valid;

	switch (optname) {
	case DCCP_SOCKOPT_LTFRC_TX:
		valid = len == sizeof(struct dccp_ltfrc_equation) &&
			ltfrc_equation_valid(val);
		break;
	case DCCP_SOCKOPT_LTFRC_RX:
		valid = len == sizeof(struct dccp_ltfrc_rx_params) &&
			ltfrc_rx_params_valid(val);
		break;
	default:
		return -ENOPROTOOPT;
	}
	return valid ? 0 : -EINVAL;
}

static const struct tfrc_param_name ltfrc_classes[] = {
	{ "tcp-friendly", DCCP_LTFRC_TCP_FRIENDLY },
	{ "bounded-friendly", DCCP_LTFRC_BOUNDED_FRIENDLY },
	{ "streaming-oriented", DCCP_LTFRC_STREAMING_ORIENTED },
	{ }
};

#define LTFRC_PARAM(member, table)					\
	TFRC_PARAM_NAMED(ltfrc_default, member, table,			\
			 DCCP_SOCKOPT_LTFRC_RX, ltfrc_check_sockopt)

module_param_cb(k, &tfrc_param_ops, LTFRC_PARAM(equation.k, ltfrc_classes),
		0644);
MODULE_PARM_DESC(k, "class: 8 or tcp-friendly, 11 or bounded-friendly, 15 or streaming-oriented");
module_param_cb(weight, &tfrc_param_ops, LTFRC_PARAM(equation.weight, NULL),
		0644);
MODULE_PARM_DESC(weight, "bound, times the rate of TFRC's equation, in 10^-3 (1 to 65535)");
module_param_cb(bounded, &tfrc_param_ops, LTFRC_PARAM(equation.bounded, NULL),
		0644);
MODULE_PARM_DESC(bounded, "1: the bound holds for every class, 0: for the bounded-friendly one");
module_param_cb(loss_history, &tfrc_param_ops, LTFRC_PARAM(loss_history, NULL),
		0644);
MODULE_PARM_DESC(loss_history, "receiver: loss intervals to average (2 to 128)");

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
	struct dccp_ltfrc_rx_params par;

	tfrc_param_copy(&par, &ltfrc_default, sizeof(par));
	tfrc_hc_tx_init(&ltx->hc, sk, &ltfrc_tx_scheme, ltx);
	ltfrc_configure(&ltx->lt, &par.equation);
	return 0;
}

static int ltfrc_rx_init(struct ccid *ccid, struct sock *sk)
{
	struct ltfrc_hc_rx *lrx = ccid_priv(ccid);
	struct dccp_ltfrc_rx_params par;

	tfrc_param_copy(&par, &ltfrc_default, sizeof(par));
	tfrc_hc_rx_init(&lrx->hc, sk, par.loss_history, &ltfrc_rx_scheme,
			&lrx->lt);
	ltfrc_configure(&lrx->lt, &par.equation);
	return 0;
}

static int ltfrc_tx_setsockopt(struct sock *sk, int optname, const void *val,
			       unsigned int len)
{
	ltfrc_configure(&ltfrc_hc_tx(sk)->lt, val);
	return 0;
}

static int ltfrc_rx_setsockopt(struct sock *sk, int optname, const void *val,
			       unsigned int len)
{
	const struct dccp_ltfrc_rx_params *par = val;
	struct ltfrc_hc_rx *lrx = ltfrc_hc_rx(sk);

	tfrc_loss_intervals_resize(&lrx->hc.rcv.intervals, par->loss_history);
	ltfrc_configure(&lrx->lt, &par->equation);
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
	struct dccp_ltfrc_equation eq = ltfrc_hc_tx(sk)->lt.eq;
	struct dccp_ccid_tx_info info;

	switch (optname) {
	case DCCP_SOCKOPT_CCID_TX_INFO:
		ltfrc_fill_info(sk, &info);
		return tfrc_put_info(&info, sizeof(info),
				     sizeof(struct tfrc_tx_info), len, optval,
				     optlen);
	case DCCP_SOCKOPT_LTFRC_TX:
		return tfrc_put_info(&eq, sizeof(eq), sizeof(eq), len, optval,
				     optlen);
	}
	return -ENOPROTOOPT;
}

static int ltfrc_rx_getsockopt(struct sock *sk, const int optname, int len,
			       u32 __user *optval, int __user *optlen)
{
	const struct ltfrc_hc_rx *lrx = ltfrc_hc_rx(sk);
	struct dccp_ltfrc_rx_params par = {
		.loss_history = lrx->hc.rcv.intervals.n,
		.equation = lrx->lt.eq,
	};

	if (optname == DCCP_SOCKOPT_LTFRC_RX)
		return tfrc_put_info(&par, sizeof(par), sizeof(par), len,
				     optval, optlen);
	return tfrc_hc_rx_getsockopt(sk, optname, len, optval, optlen);
}

static struct ccid_operations ccid_ltfrc_ops = {
	.ccid_id		   = DCCPC_LTFRC,
	.ccid_name		   = "ltfrc",
	.ccid_owner		   = THIS_MODULE,
	.ccid_ecn		   = true,
	.ccid_check_sockopt	   = ltfrc_check_sockopt,

	TFRC_HC_TX_HOOKS,
	.ccid_hc_tx_obj_size	   = sizeof(struct ltfrc_hc_tx),
	.ccid_hc_tx_init	   = ltfrc_tx_init,
	.ccid_hc_tx_send_packet	   = tfrc_hc_tx_send_packet,
	.ccid_hc_tx_getsockopt	   = ltfrc_tx_getsockopt,
	.ccid_hc_tx_setsockopt	   = ltfrc_tx_setsockopt,

	TFRC_HC_RX_HOOKS,
	.ccid_hc_rx_obj_size	   = sizeof(struct ltfrc_hc_rx),
	.ccid_hc_rx_init	   = ltfrc_rx_init,
	.ccid_hc_rx_packet_recv	   = tfrc_hc_rx_packet_recv,
	.ccid_hc_rx_insert_options = tfrc_hc_rx_insert_options,
	.ccid_hc_rx_getsockopt	   = ltfrc_rx_getsockopt,
	.ccid_hc_rx_setsockopt	   = ltfrc_rx_setsockopt,
};
module_ccid(ccid_ltfrc_ops);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("DCCP CCID 250: L-TFRC, logarithm-based TFRC");
MODULE_ALIAS("net-dccp-ccid-250");
