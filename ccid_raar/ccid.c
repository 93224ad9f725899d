// SPDX-License-Identifier: GPL-2.0-only
/*
 * CCID 249: RAAR over the half-connections of lib_tfrc. The receiver decides
 * (raar.c); the sender does what it is told, within the limits of lib_tfrc's told.c.
 * Here is what connects the two with DCCP: rounds in CCVal, and the option that says
 * what rate the sender keeps to.
 */
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/tfrc.h>
#include <net/tfrc_ccid.h>
#include "raar.h"

#define CREATE_TRACE_POINTS
#include "raar_trace.h"

/*
 * The library's state comes first: its hooks find it there.
 *
 * @t_round: when the report came that began this round
 * @announce: the next packet says what rate it is sent at
 */
struct raar_hc_tx {
	struct tfrc_hc_tx		hc;
	struct tfrc_told		told;
	struct dccp_raar_tx_params	par;
	u64				t_round;
	bool				announce;
};

struct raar_hc_rx {
	struct tfrc_hc_rx	hc;
	struct raar		raar;
	struct tfrc_round	option;
	u64			events;
	u64			signals;
};

static struct raar_hc_tx *raar_hc_tx(const struct sock *sk)
{
	return container_of(tfrc_hc_tx(sk), struct raar_hc_tx, hc);
}

static struct raar_hc_rx *raar_hc_rx(const struct sock *sk)
{
	return container_of(tfrc_hc_rx(sk), struct raar_hc_rx, hc);
}

/* Parameters: those of the paper, with guards or without. */

static struct dccp_raar_tx_params raar_tx_values = RAAR_TX_DEFAULT;
static struct dccp_raar_rx_params raar_rx_values = RAAR_RX_DEFAULT;

static const struct tfrc_preset raar_tx_presets[] = {
	{ "default", &(const struct dccp_raar_tx_params)RAAR_TX_DEFAULT },
	{ "paper", &(const struct dccp_raar_tx_params)RAAR_TX_DEFAULT },
	{ }
};

static const struct tfrc_preset raar_rx_presets[] = {
	{ "default", &(const struct dccp_raar_rx_params)RAAR_RX_DEFAULT },
	{ "paper", &(const struct dccp_raar_rx_params)RAAR_RX_PAPER },
	{ }
};

static void raar_tx_apply(void *priv, const void *values)
{
	struct raar_hc_tx *rtx = priv;

	rtx->par = *(const struct dccp_raar_tx_params *)values;
}

static void raar_tx_read(const void *priv, void *values)
{
	const struct raar_hc_tx *rtx = priv;

	*(struct dccp_raar_tx_params *)values = rtx->par;
}

static void raar_rx_apply(void *priv, const void *values)
{
	struct raar_hc_rx *rrx = priv;

	raar_configure(&rrx->raar, values);
}

static void raar_rx_read(const void *priv, void *values)
{
	const struct raar_hc_rx *rrx = priv;

	*(struct dccp_raar_rx_params *)values = rrx->raar.par;
}

static const struct tfrc_params raar_tx_params = {
	.optname = DCCP_SOCKOPT_RAAR_TX,
	.size = sizeof(struct dccp_raar_tx_params),
	.least = offsetofend(struct dccp_raar_tx_params, reserved),
	.values = &raar_tx_values,
	.presets = raar_tx_presets,
	.valid = raar_tx_params_valid,
	.apply = raar_tx_apply,
	.read = raar_tx_read,
};

static const struct tfrc_params raar_rx_params = {
	.optname = DCCP_SOCKOPT_RAAR_RX,
	.size = sizeof(struct dccp_raar_rx_params),
	.least = sizeof(struct dccp_raar_rx_params),
	.values = &raar_rx_values,
	.presets = raar_rx_presets,
	.valid = raar_rx_params_valid,
	.apply = raar_rx_apply,
	.read = raar_rx_read,
};

static const struct tfrc_params *const raar_params[] = {
	&raar_tx_params, &raar_rx_params, NULL
};

#define RAAR_RX_PARAM(member, text)					\
	tfrc_module_param(member, raar_rx_params,			\
			  struct dccp_raar_rx_params, member, NULL, text)

tfrc_module_presets(raar_params);
tfrc_module_param(tx_beta, raar_tx_params, struct dccp_raar_tx_params, beta, NULL,
		  "sender: factor of the rate when no report comes, in 10^-3 (1 to 999)");
RAAR_RX_PARAM(beta, "receiver: factor of the rate for a loss event, in 10^-3 (1 to 999)");
RAAR_RX_PARAM(delta, "receiver: share of the increase alpha to use, in 10^-3 (1 to 1000)");
RAAR_RX_PARAM(smoothing, "receiver: n, rates to average (1 to 64)");
RAAR_RX_PARAM(growth,
	      "receiver: no growth beyond this times the receive rate, in 10^-3 (1000 to 65535; 0: no limit)");
RAAR_RX_PARAM(rate_max, "receiver: no growth beyond this rate, bytes/s (0: no limit)");
RAAR_RX_PARAM(early_once, "receiver: no early report until the last one has taken effect (0 or 1)");
RAAR_RX_PARAM(wnd_max,
	      "receiver: wnd is that of the last round or of this one, the greater (0 or 1)");
RAAR_RX_PARAM(hole_events, "receiver: a hole holds a loss event for each round trip (0 or 1)");
RAAR_RX_PARAM(exit_guard, "receiver: the end of slow start cuts from what was received (0 or 1)");

static int raar_check_sockopt(int optname, const void *val, unsigned int len)
{
	return tfrc_params_check(raar_params, optname, val, len);
}

static int raar_preview_sockopt(const struct list_head *kept, int optname,
				void *val)
{
	return tfrc_params_preview(raar_params, kept, optname, val);
}

static int raar_setsockopt(struct sock *sk, int optname, const void *val,
			   unsigned int len)
{
	return tfrc_params_set(raar_params, sk, optname, val, len);
}

/* The algorithm */

static u64 raar_scheme_adapt(void *priv, const struct tfrc_sender *snd,
			     const struct tfrc_feedback *fb, u64 sample,
			     u64 now)
{
	struct raar_hc_tx *rtx = priv;

	rtx->t_round = now;
	rtx->announce = true;
	return tfrc_told_follow(&rtx->told, snd, fb);
}

static u64 raar_scheme_patience(void *priv)
{
	struct raar_hc_tx *rtx = priv;

	return tfrc_told_patience(&rtx->told, &rtx->hc.snd);
}

static u64 raar_scheme_silence(void *priv, bool idle)
{
	struct raar_hc_tx *rtx = priv;

	rtx->announce = true;
	return tfrc_told_silence(&rtx->hc.snd, rtx->par.beta, idle);
}

static bool raar_scheme_packet(void *priv, struct tfrc_receiver *rcv,
			       const struct tfrc_rx_packet *pkt, u64 now)
{
	struct raar_hc_rx *rrx = priv;
	struct raar *r = &rrx->raar;
	u64 signals = rcv->history.lost + rcv->history.marked;
	u64 events = rcv->history.events - rrx->events;
	bool detected = events || signals != rrx->signals, event;

	rrx->events = rcv->history.events;
	rrx->signals = signals;
	if (pkt->is_data && !r->started)
		raar_start(r, pkt->len, tfrc_window_rtt_get(&rcv->window), now);
	if (!r->started)
		return false;
	event = detected && raar_loss(r, events, now);
	if (pkt->is_data) {
		const struct raar_packet p = {
			.len = pkt->len,
			.ccval = pkt->ccval,
			.newest = rcv->history.newest == pkt->seq,
			.has_round = rrx->option.seen,
			.stated = rrx->option.rate,
			.waited = rrx->option.waited,
		};

		raar_packet(r, &p, !event, now);
		tfrc_window_rtt_init(&rcv->window, r->srtt);
	}
	return raar_due(r, now);
}

static void raar_scheme_report(void *priv, struct tfrc_receiver *rcv,
			       struct tfrc_feedback *fb, u64 now)
{
	struct raar_hc_rx *rrx = priv;

	/* up to the last packet: a pause after it is no measurement */
	fb->x_recv = raar_received(&rrx->raar, rrx->raar.meter.last);
	fb->told = raar_report(&rrx->raar, now);
	fb->timeout = raar_rto(&rrx->raar);
	fb->number = rrx->raar.number;
	trace_raar_report(rrx->hc.sk, &rrx->raar, fb->x_recv, fb->timeout,
			  rrx->events);
}

static u64 raar_scheme_wake(void *priv, const struct tfrc_receiver *rcv)
{
	struct raar_hc_rx *rrx = priv;

	return raar_wake(&rrx->raar);
}

static const struct tfrc_scheme raar_scheme = {
	.adapt = raar_scheme_adapt,
	.patience = raar_scheme_patience,
	.silence = raar_scheme_silence,
	.packet = raar_scheme_packet,
	.report = raar_scheme_report,
	.wake = raar_scheme_wake,
};

static int raar_tx_init(struct ccid *ccid, struct sock *sk)
{
	struct raar_hc_tx *rtx = ccid_priv(ccid);

	tfrc_hc_tx_init(&rtx->hc, sk, &raar_scheme, rtx);
	rtx->hc.stash.need = TFRC_REPORT_TOLD;
	tfrc_params_init(&raar_tx_params, rtx);
	rtx->announce = true;
	return 0;
}

static int raar_rx_init(struct ccid *ccid, struct sock *sk)
{
	struct raar_hc_rx *rrx = ccid_priv(ccid);

	tfrc_hc_rx_init(&rrx->hc, sk, TFRC_LI_DEFAULT, &raar_scheme, rrx);
	raar_init(&rrx->raar);
	tfrc_params_init(&raar_rx_params, rrx);
	return 0;
}

static int raar_tx_send_packet(struct sock *sk, struct sk_buff *skb)
{
	struct raar_hc_tx *rtx = raar_hc_tx(sk);
	int err = tfrc_hc_tx_send_packet(sk, skb);

	if (err)
		return err;
	DCCP_SKB_CB(skb)->dccpd_ccval = rtx->told.number % RAAR_ROUNDS;
	if (rtx->announce)
		dccp_sk(sk)->dccps_hc_tx_insert_options = 1;
	return CCID_PACKET_SEND_AT_ONCE;
}

static int raar_tx_insert_options(struct sock *sk, struct sk_buff *skb)
{
	struct raar_hc_tx *rtx = raar_hc_tx(sk);
	u64 waited = rtx->t_round ? ktime_get_ns() - rtx->t_round : 0;
	int err = tfrc_insert_round(skb, rtx->hc.snd.x, waited);

	rtx->announce = err != 0;
	return err;
}

static int raar_rx_parse_options(struct sock *sk, u8 pkt, u8 opt, u8 *val,
				 u8 len)
{
	/* It belongs on data packets, and is passed over on others. */
	if (pkt != DCCP_PKT_DATA && pkt != DCCP_PKT_DATAACK)
		return 0;
	return tfrc_stash_round(&raar_hc_rx(sk)->option, opt, val, len);
}

static void raar_rx_packet_recv(struct sock *sk, struct sk_buff *skb)
{
	tfrc_hc_rx_packet_recv(sk, skb);
	raar_hc_rx(sk)->option.seen = false;
}

static void raar_fill_tx_info(struct sock *sk, struct dccp_ccid_tx_info *info)
{
	const struct raar_hc_tx *rtx = raar_hc_tx(sk);

	tfrc_hc_tx_fill_info(sk, info);
	/* Reports have no p: what was lost tells as much. */
	if (info->packets_lost || info->packets_marked)
		info->flags &= ~DCCP_CCID_TX_SLOW_START;
	info->raar.told = rtx->told.rate >> TFRC_RATE_SHIFT;
	info->raar.rto = div_u64(rtx->told.timeout, TFRC_NSEC_PER_USEC);
	info->raar.round = rtx->told.number;
}

static void raar_fill_rx_info(struct sock *sk, struct dccp_ccid_rx_info *info)
{
	const struct raar *r = &raar_hc_rx(sk)->raar;

	tfrc_hc_rx_fill_info(sk, info);
	info->raar.rate = r->rate >> TFRC_RATE_SHIFT;
	info->raar.told = r->told >> TFRC_RATE_SHIFT;
	info->raar.stated = r->stated >> TFRC_RATE_SHIFT;
	info->raar.alpha = (r->alpha * 1000000) >> RAAR_ALPHA_SHIFT;
	info->raar.rttvar = div_u64(r->rttvar, TFRC_NSEC_PER_USEC);
	info->raar.rto = div_u64(raar_rto(r), TFRC_NSEC_PER_USEC);
	info->raar.wnd = r->wnd;
	info->raar.round = r->round;
	info->raar.rounds = r->rounds;
	info->raar.samples = r->samples;
	info->raar.slow_start = r->slow_start;
}

static int raar_tx_getsockopt(struct sock *sk, const int optname, int len,
			      u32 __user *optval, int __user *optlen)
{
	struct dccp_ccid_tx_info info;

	if (optname != DCCP_SOCKOPT_CCID_TX_INFO)
		return tfrc_params_get(raar_params, sk, optname, len, optval,
				       optlen);
	raar_fill_tx_info(sk, &info);
	return tfrc_put_info(&info, sizeof(info), TFRC_TX_INFO_LEAST,
			     len, optval, optlen);
}

static int raar_rx_getsockopt(struct sock *sk, const int optname, int len,
			      u32 __user *optval, int __user *optlen)
{
	struct dccp_ccid_rx_info info;

	if (optname != DCCP_SOCKOPT_CCID_RX_INFO)
		return tfrc_params_get(raar_params, sk, optname, len, optval,
				       optlen);
	raar_fill_rx_info(sk, &info);
	return tfrc_put_info(&info, sizeof(info), sizeof(struct tfrc_rx_info),
			     len, optval, optlen);
}

static struct ccid_operations ccid_raar_ops = {
	.ccid_id		   = DCCPC_RAAR,
	.ccid_name		   = "raar",
	.ccid_owner		   = THIS_MODULE,
	.ccid_ecn		   = true,
	.ccid_check_sockopt	   = raar_check_sockopt,
	.ccid_preview_sockopt	   = raar_preview_sockopt,

	TFRC_HC_TX_HOOKS,
	.ccid_hc_tx_obj_size	   = sizeof(struct raar_hc_tx),
	.ccid_hc_tx_opt_len	   = TFRC_OPT_ROUND_LEN,
	.ccid_hc_tx_init	   = raar_tx_init,
	.ccid_hc_tx_send_packet	   = raar_tx_send_packet,
	.ccid_hc_tx_insert_options = raar_tx_insert_options,
	.ccid_hc_tx_getsockopt	   = raar_tx_getsockopt,
	.ccid_hc_tx_setsockopt	   = raar_setsockopt,

	TFRC_HC_RX_HOOKS,
	.ccid_hc_rx_obj_size	   = sizeof(struct raar_hc_rx),
	.ccid_hc_rx_init	   = raar_rx_init,
	.ccid_hc_rx_packet_recv	   = raar_rx_packet_recv,
	.ccid_hc_rx_parse_options  = raar_rx_parse_options,
	.ccid_hc_rx_insert_options = tfrc_hc_rx_insert_options,
	.ccid_hc_rx_getsockopt	   = raar_rx_getsockopt,
	.ccid_hc_rx_setsockopt	   = raar_setsockopt,
};
module_ccid_params(ccid_raar_ops, raar_params);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The dccp-ccids developers");
MODULE_VERSION(DCCP_CCIDS_VERSION);
MODULE_DESCRIPTION("DCCP CCID 249: RAAR, rate adaptation at receivers");
MODULE_ALIAS("net-dccp-ccid-249");
