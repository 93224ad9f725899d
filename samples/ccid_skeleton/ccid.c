// SPDX-License-Identifier: GPL-2.0-only
/*
 * CCID 253: a congestion control to start from. It is TFRC with half of the rate that
 * the equation allows.
 *
 * lib_tfrc has the half-connections: feedback, loss events, pacing, options, timers.
 * A variant of TFRC names in struct rfc5348_variant the functions in which it differs,
 * and TFRC's own functions for the rest. See Documentation/tutorial/new-ccid.rst.
 */
#include <linux/module.h>
#include <net/tfrc_ccid.h>
#include <net/tfrc_rfc5348.h>

#define DCCPC_SKELETON		253
#define SKELETON_DIVISOR	2

/* The library's state comes first, because its hooks look for it there. */
struct skeleton_hc_tx {
	struct tfrc_hc_tx	hc;
	struct rfc5348_sender	snd;
	u64			divisor;
};

struct skeleton_hc_rx {
	struct tfrc_hc_rx	hc;
	struct rfc5348_receiver	rcv;
};

/* The equation. Rates are scaled by 2^16 and p by 2^48; R is in ns. */
static u64 skeleton_calc_x(const struct rfc5348_sender *t, u32 s, u64 rtt,
			   u64 p)
{
	const struct skeleton_hc_tx *stx =
		container_of(t, struct skeleton_hc_tx, snd);

	return div64_u64(tfrc_calc_x(s, rtt, p), stx->divisor);
}

/* Its inverse, p for a rate, which the receiver needs */
static u64 skeleton_calc_p(const struct rfc5348_receiver *t, u32 s, u64 rtt,
			   u64 x)
{
	return tfrc_calc_p(s, rtt, x * SKELETON_DIVISOR);
}

static const struct rfc5348_variant skeleton_variant = {
	.calc_x = skeleton_calc_x,
	.calc_p = skeleton_calc_p,
	.limit = rfc5348_limit,
	.move_to = rfc5348_move_to,
};

/* Called with zeroed memory, before any packet; the socket may have no address yet. */
static int skeleton_tx_init(struct ccid *ccid, struct sock *sk)
{
	struct skeleton_hc_tx *stx = ccid_priv(ccid);

	stx->divisor = SKELETON_DIVISOR;
	rfc5348_sender_init(&stx->snd, &skeleton_variant);
	tfrc_hc_tx_init(&stx->hc, sk, &stx->snd.base, TFRC_REPORT);
	return 0;
}

static int skeleton_rx_init(struct ccid *ccid, struct sock *sk)
{
	struct skeleton_hc_rx *srx = ccid_priv(ccid);

	rfc5348_receiver_init(&srx->rcv, TFRC_LI_DEFAULT, &skeleton_variant, 0);
	tfrc_hc_rx_init(&srx->hc, sk, &srx->rcv.base);
	return 0;
}

static const struct tfrc_sockopts skeleton_sockopts = {
	.fill_rx = rfc5348_fill_rx,
};

TFRC_SOCKOPTS(skeleton, skeleton_sockopts);

static struct ccid_operations ccid_skeleton_ops = {
	TFRC_CCID(skeleton, DCCPC_SKELETON),
	.ccid_ecn		   = true,
	.ccid_hc_tx_send_packet	   = tfrc_hc_tx_send_packet,
	.ccid_hc_tx_parse_options  = tfrc_hc_tx_parse_options,
};
module_ccid(ccid_skeleton_ops);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The dccp-ccids developers");
MODULE_VERSION(DCCP_CCIDS_VERSION);
MODULE_DESCRIPTION("DCCP CCID 253: a sample, half of TFRC");
MODULE_ALIAS("net-dccp-ccid-253");
MODULE_ALIAS("net-dccp-ccid-skeleton");
