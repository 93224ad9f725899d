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

/* Parameters of new connections. */
static struct dccp_marc_tx_params marc_tx_default = {
	.beta = MARC_BETA,
	.delta_loss = MARC_DELTA_LOSS,
	.delta_mark = MARC_DELTA_MARK,
	.tokens = 1,
	.clock = DCCP_TFRC_CLOCK_PAPER,
};

static struct dccp_marc_rx_params marc_rx_default = {
	.loss_history = MARC_LOSS_HISTORY,
};

static int marc_check_sockopt(int optname, const void *val, unsigned int len)
{
	switch (optname) {
	case DCCP_SOCKOPT_MARC_TX:
		return len == sizeof(struct dccp_marc_tx_params) &&
		       marc_tx_params_valid(val) ? 0 : -EINVAL;
	case DCCP_SOCKOPT_MARC_RX:
		return len == sizeof(struct dccp_marc_rx_params) &&
		       marc_rx_params_valid(val) ? 0 : -EINVAL;
	}
	return -ENOPROTOOPT;
}

#define MARC_TX_PARAM(member)						\
	TFRC_PARAM(marc_tx_default, member, DCCP_SOCKOPT_MARC_TX,	\
		   marc_check_sockopt)

module_param_cb(beta, &tfrc_param_ops, MARC_TX_PARAM(beta), 0644);
MODULE_PARM_DESC(beta, "decay of the token value for each report, in 10^-3 (0 to 1000)");
module_param_cb(delta_loss, &tfrc_param_ops, MARC_TX_PARAM(delta_loss), 0644);
MODULE_PARM_DESC(delta_loss, "largest decrease after a loss, in 10^-3 (1 to 999)");
module_param_cb(delta_mark, &tfrc_param_ops, MARC_TX_PARAM(delta_mark), 0644);
MODULE_PARM_DESC(delta_mark, "largest decrease after CE marks alone, in 10^-3 (1 to 999)");
module_param_cb(tokens, &tfrc_param_ops, MARC_TX_PARAM(tokens), 0644);
MODULE_PARM_DESC(tokens, "1: MARC, 0: plain TFRC");
module_param_cb(clock, &tfrc_param_ops, MARC_TX_PARAM(clock), 0644);
MODULE_PARM_DESC(clock, "self-clocking, 0: X_recv or 1.5 X_recv, 1: RFC 5348");
module_param_cb(loss_history, &tfrc_param_ops,
		TFRC_PARAM(marc_rx_default, loss_history,
			   DCCP_SOCKOPT_MARC_RX, marc_check_sockopt), 0644);
MODULE_PARM_DESC(loss_history, "receiver: loss intervals to average (2 to 128)");

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

static void marc_tx_configure(struct marc_hc_tx *mtx,
			      const struct dccp_marc_tx_params *par)
{
	mtx->marc.par = *par;
	mtx->hc.snd.paper_clock = par->clock == DCCP_TFRC_CLOCK_PAPER;
}

static int marc_tx_init(struct ccid *ccid, struct sock *sk)
{
	struct marc_hc_tx *mtx = ccid_priv(ccid);
	struct dccp_marc_tx_params par;

	tfrc_param_copy(&par, &marc_tx_default, sizeof(par));
	tfrc_hc_tx_init(&mtx->hc, sk, &marc_scheme, mtx);
	marc_tx_configure(mtx, &par);
	return 0;
}

static int marc_rx_init(struct ccid *ccid, struct sock *sk)
{
	struct dccp_marc_rx_params par;

	tfrc_param_copy(&par, &marc_rx_default, sizeof(par));
	tfrc_hc_rx_init(ccid_priv(ccid), sk, par.loss_history, &marc_scheme,
			NULL);
	return 0;
}

static int marc_tx_setsockopt(struct sock *sk, int optname, const void *val,
			      unsigned int len)
{
	marc_tx_configure(marc_hc_tx(sk), val);
	return 0;
}

static int marc_rx_setsockopt(struct sock *sk, int optname, const void *val,
			      unsigned int len)
{
	const struct dccp_marc_rx_params *par = val;

	tfrc_loss_intervals_resize(&tfrc_hc_rx(sk)->rcv.intervals,
				   par->loss_history);
	return 0;
}

static int marc_tx_getsockopt(struct sock *sk, const int optname, int len,
			      u32 __user *optval, int __user *optlen)
{
	const struct marc *m = &marc_hc_tx(sk)->marc;
	struct dccp_marc_tx_params par = m->par;
	struct dccp_ccid_tx_info info;

	switch (optname) {
	case DCCP_SOCKOPT_CCID_TX_INFO:
		tfrc_hc_tx_fill_info(sk, &info);
		info.marc.tokens = m->tokens;
		info.marc.x_tfrc = m->x_tfrc >> TFRC_RATE_SHIFT;
		info.marc.decision = m->decision;
		return tfrc_put_info(&info, sizeof(info),
				     sizeof(struct tfrc_tx_info), len, optval,
				     optlen);
	case DCCP_SOCKOPT_MARC_TX:
		return tfrc_put_info(&par, sizeof(par), sizeof(par), len,
				     optval, optlen);
	}
	return -ENOPROTOOPT;
}

static int marc_rx_getsockopt(struct sock *sk, const int optname, int len,
			      u32 __user *optval, int __user *optlen)
{
	struct dccp_marc_rx_params par = {
		.loss_history = tfrc_hc_rx(sk)->rcv.intervals.n,
	};

	if (optname == DCCP_SOCKOPT_MARC_RX)
		return tfrc_put_info(&par, sizeof(par), sizeof(par), len,
				     optval, optlen);
	return tfrc_hc_rx_getsockopt(sk, optname, len, optval, optlen);
}

static struct ccid_operations ccid_marc_ops = {
	.ccid_id		   = DCCPC_MARC,
	.ccid_name		   = "marc",
	.ccid_owner		   = THIS_MODULE,
	.ccid_ecn		   = true,
	.ccid_check_sockopt	   = marc_check_sockopt,

	TFRC_HC_TX_HOOKS,
	.ccid_hc_tx_obj_size	   = sizeof(struct marc_hc_tx),
	.ccid_hc_tx_init	   = marc_tx_init,
	.ccid_hc_tx_send_packet	   = tfrc_hc_tx_send_packet,
	.ccid_hc_tx_getsockopt	   = marc_tx_getsockopt,
	.ccid_hc_tx_setsockopt	   = marc_tx_setsockopt,

	TFRC_HC_RX_HOOKS,
	.ccid_hc_rx_obj_size	   = sizeof(struct tfrc_hc_rx),
	.ccid_hc_rx_init	   = marc_rx_init,
	.ccid_hc_rx_packet_recv	   = tfrc_hc_rx_packet_recv,
	.ccid_hc_rx_insert_options = tfrc_hc_rx_insert_options,
	.ccid_hc_rx_getsockopt	   = marc_rx_getsockopt,
	.ccid_hc_rx_setsockopt	   = marc_rx_setsockopt,
};
module_ccid(ccid_marc_ops);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("DCCP CCID 248: MARC, Media-Aware Rate Control");
MODULE_ALIAS("net-dccp-ccid-248");
