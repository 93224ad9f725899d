// SPDX-License-Identifier: GPL-2.0-only
/*
 * CCID 253: a congestion control to start from. It is TFRC that takes half of what
 * is its due, and leaves the rest to others.
 *
 * lib_tfrc has the half-connections: feedback, loss events, pacing, options, timers.
 * A scheme says in struct tfrc_scheme what it does differently; what it leaves out
 * is TFRC's. See Documentation/tutorial/new-ccid.rst.
 */
#include <linux/module.h>
#include <linux/tfrc.h>
#include <net/tfrc_ccid.h>

#define DCCPC_SKELETON		253
#define SKELETON_DIVISOR	2

/* The library's state comes first: its hooks find it there. */
struct skeleton_hc_tx {
	struct tfrc_hc_tx	hc;
	u64			divisor;
};

/* The algorithm: rates are bytes/s * 2^16, R is in ns, p * 2^48. */
static u64 skeleton_calc_x(void *priv, u32 s, u64 rtt, u64 p)
{
	const struct skeleton_hc_tx *stx = priv;

	return div64_u64(tfrc_calc_x(s, rtt, p), stx->divisor);
}

/* Its inverse: the loss event rate that explains a rate. For the receiver. */
static u64 skeleton_calc_p(void *priv, u32 s, u64 rtt, u64 x)
{
	return tfrc_calc_p(s, rtt, x * SKELETON_DIVISOR);
}

static const struct tfrc_scheme skeleton_scheme = {
	.calc_x = skeleton_calc_x,
	.calc_p = skeleton_calc_p,
};

/* The memory is zeroed; no packet has been sent, and addresses may be missing. */
static int skeleton_tx_init(struct ccid *ccid, struct sock *sk)
{
	struct skeleton_hc_tx *stx = ccid_priv(ccid);

	stx->divisor = SKELETON_DIVISOR;
	tfrc_hc_tx_init(&stx->hc, sk, &skeleton_scheme, stx);
	return 0;
}

static int skeleton_rx_init(struct ccid *ccid, struct sock *sk)
{
	tfrc_hc_rx_init(ccid_priv(ccid), sk, TFRC_LI_DEFAULT, &skeleton_scheme,
			NULL);
	return 0;
}

static int skeleton_tx_getsockopt(struct sock *sk, const int optname, int len,
				  u32 __user *optval, int __user *optlen)
{
	struct dccp_ccid_tx_info info;

	if (optname != DCCP_SOCKOPT_CCID_TX_INFO)
		return -ENOPROTOOPT;
	tfrc_hc_tx_fill_info(sk, &info);
	return tfrc_put_info(&info, sizeof(info), TFRC_TX_INFO_LEAST,
			     len, optval, optlen);
}

static struct ccid_operations ccid_skeleton_ops = {
	.ccid_id		   = DCCPC_SKELETON,
	.ccid_name		   = "skeleton",
	.ccid_owner		   = THIS_MODULE,
	.ccid_ecn		   = true,

	TFRC_HC_TX_HOOKS,
	.ccid_hc_tx_obj_size	   = sizeof(struct skeleton_hc_tx),
	.ccid_hc_tx_init	   = skeleton_tx_init,
	.ccid_hc_tx_send_packet	   = tfrc_hc_tx_send_packet,
	.ccid_hc_tx_getsockopt	   = skeleton_tx_getsockopt,

	TFRC_HC_RX_HOOKS,
	.ccid_hc_rx_obj_size	   = sizeof(struct tfrc_hc_rx),
	.ccid_hc_rx_init	   = skeleton_rx_init,
	.ccid_hc_rx_packet_recv	   = tfrc_hc_rx_packet_recv,
	.ccid_hc_rx_insert_options = tfrc_hc_rx_insert_options,
	.ccid_hc_rx_getsockopt	   = tfrc_hc_rx_getsockopt,
};
module_ccid(ccid_skeleton_ops);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The dccp-ccids developers");
MODULE_VERSION(DCCP_CCIDS_VERSION);
MODULE_DESCRIPTION("DCCP CCID 253: a sample, half of TFRC");
MODULE_ALIAS("net-dccp-ccid-253");
