// SPDX-License-Identifier: GPL-2.0-only
/*
 * The receiving half of a connection: hooks of DCCP around the TFRC receiver.
 */
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/tfrc.h>
#include <net/tfrc_ccid.h>
#include "tfrc_trace.h"

/* Features that follow from the choice of the CCID, at the receiver of data. */
const struct ccid_dependency tfrc_hc_rx_deps[] = {
	{ .dependent_feat = DCCPF_SEND_ACK_VECTOR, .is_local = true, .val = 0 },
	{ .dependent_feat = DCCPF_SEND_LEV_RATE, .is_local = true,
	  .is_mandatory = true, .val = 1 },
	/* without NDP Count a lost acknowledgment looks like lost data */
	{ .dependent_feat = DCCPF_SEND_NDP_COUNT, .is_local = false,
	  .is_mandatory = true, .val = 1 },
	{ .dependent_feat = DCCPF_RESERVED },
};
EXPORT_SYMBOL_GPL(tfrc_hc_rx_deps);

static const struct tfrc_scheme *tfrc_hc_rx_decides(const struct tfrc_hc_rx *hc)
{
	const struct tfrc_scheme *scheme = hc->rcv.scheme;

	return scheme && scheme->packet ? scheme : NULL;
}

/*
 * Acknowledgments have a Sequence Window, too. One for each packet may be as many in
 * a round trip as there is data; those in flight that are more than the window make
 * what the sender acknowledges of them invalid.
 */
static void tfrc_hc_rx_seq_window(struct tfrc_hc_rx *hc, u64 now)
{
	hc->acks++;
	if (now - hc->t_acks < tfrc_window_rtt_get(&hc->rcv.window))
		return;
	if (hc->sk->sk_state == DCCP_OPEN)
		tfrc_seq_window(hc->sk, hc->acks);
	hc->acks = 0;
	hc->t_acks = now;
}

static void tfrc_hc_rx_report(struct tfrc_hc_rx *hc, u64 now)
{
	tfrc_receiver_report(&hc->rcv, now, &hc->fb);
	trace_tfrc_rx_report(hc->sk, &hc->rcv, &hc->fb,
			     ccid_get_current_rx_ccid(dccp_sk(hc->sk)));
	hc->reported = hc->rcv.packets;
	tfrc_hc_rx_seq_window(hc, now);
	dccp_sk(hc->sk)->dccps_hc_rx_insert_options = 1;
	dccp_send_ack(hc->sk);
	/* If it could not be sent, what went before is no newer. */
	if (!hc->interval && !tfrc_hc_rx_decides(hc))
		tfrc_rx_history_told(&hc->rcv.history,
				     dccp_sk(hc->sk)->dccps_gss);
}

/* Without a packet that asks for one, there is a report after this time. */
static u64 tfrc_hc_rx_period(const struct tfrc_hc_rx *hc)
{
	return hc->interval ?: tfrc_window_rtt_get(&hc->rcv.window);
}

/* Look again at this time. */
static void tfrc_hc_rx_arm(struct tfrc_hc_rx *hc, u64 when, u64 now)
{
	unsigned long expires = jiffies + 1 +
		(when > now ? nsecs_to_jiffies(when - now) : 0);

	if (!timer_pending(&hc->timer) ||
	    time_before(expires, hc->timer.expires))
		sk_reset_timer(hc->sk, &hc->timer, expires);
}

/*
 * When is a report due if no packet comes? 0: then there is none. Data is counted,
 * and nothing else, or two ends would report each other's reports.
 */
static u64 tfrc_hc_rx_wake(const struct tfrc_hc_rx *hc)
{
	if (tfrc_hc_rx_decides(hc))
		return hc->rcv.scheme->wake(hc->rcv.priv, &hc->rcv);
	if (hc->reported == hc->rcv.packets)
		return 0;
	return hc->rcv.t_report + tfrc_hc_rx_period(hc);
}

static bool tfrc_hc_rx_due(struct tfrc_hc_rx *hc,
			   const struct tfrc_rx_packet *pkt, u64 now)
{
	bool due = tfrc_receiver_packet(&hc->rcv, pkt, now);

	/* In either case the first packet is reported at once; twice come, none. */
	if (hc->interval && hc->rcv.feedbacks)
		due = hc->reported != hc->rcv.packets &&
		      now - hc->rcv.t_report >= hc->interval;
	return due;
}

/*
 * The window counter says when a report is due, on a packet. If none follows,
 * what came since the last report would stay unreported, and the sender's
 * nofeedback timer take it for lost: report it after a round trip. A scheme in
 * which the receiver decides says when.
 */
static void tfrc_hc_rx_timer(struct timer_list *t)
{
	struct tfrc_hc_rx *hc = from_timer(hc, t, timer);
	struct ccid *ccid = ccid_of_priv(hc);
	struct sock *sk = hc->sk;
	u64 now = ktime_get_ns(), when;

	bh_lock_sock(sk);
	if (ccid_is_stopped(ccid) ||
	    (1 << sk->sk_state) & ~(DCCPF_OPEN | DCCPF_PARTOPEN))
		goto out;
	if (sock_owned_by_user(sk)) {
		ccid_retry_timer(ccid, sk, &hc->timer, jiffies + 1);
		goto out;
	}
	when = tfrc_hc_rx_wake(hc);
	if (when && now >= when) {
		tfrc_hc_rx_report(hc, now);
		when = tfrc_hc_rx_wake(hc);
	}
	if (when)
		tfrc_hc_rx_arm(hc, when, now);
out:
	bh_unlock_sock(sk);
	sock_put(sk);
}

/**
 * tfrc_hc_rx_init - prepare the receiving half of a connection
 * @hc: private state of the CCID
 * @sk: the socket
 * @n: loss intervals to average
 * @scheme: what is done differently from TFRC
 * @priv: passed to the functions of @scheme
 *
 * Context: hook ccid_hc_rx_init, may not sleep.
 */
void tfrc_hc_rx_init(struct tfrc_hc_rx *hc, struct sock *sk, u32 n,
		     const struct tfrc_scheme *scheme, void *priv)
{
	hc->sk = sk;
	timer_setup(&hc->timer, tfrc_hc_rx_timer, 0);
	tfrc_receiver_init(&hc->rcv, n, scheme, priv, 0);
}
EXPORT_SYMBOL_GPL(tfrc_hc_rx_init);

/**
 * tfrc_hc_rx_stop - the connection is over
 * @sk: the socket
 *
 * Context: hook ccid_hc_rx_stop.
 */
void tfrc_hc_rx_stop(struct sock *sk)
{
	sk_stop_timer(sk, &tfrc_hc_rx(sk)->timer);
}
EXPORT_SYMBOL_GPL(tfrc_hc_rx_stop);

/**
 * tfrc_hc_rx_packet_recv - a packet came from the sender of data
 * @sk: the socket
 * @skb: the packet
 *
 * Context: hook ccid_hc_rx_packet_recv.
 */
void tfrc_hc_rx_packet_recv(struct sock *sk, struct sk_buff *skb)
{
	struct tfrc_hc_rx *hc = tfrc_hc_rx(sk);
	struct dccp_sock *dp = dccp_sk(sk);
	const struct dccp_hdr *dh = dccp_hdr(skb);
	const u8 type = DCCP_SKB_CB(skb)->dccpd_type;
	const struct tfrc_rx_packet pkt = {
		.seq = DCCP_SKB_CB(skb)->dccpd_seq,
		.ndp = dp->dccps_options_received.dccpor_ndp,
		.ack = DCCP_SKB_CB(skb)->dccpd_ack_seq,
		/* as the sender counts a packet without data */
		.len = max(skb->len - dh->dccph_doff * 4, 1U),
		.ccval = hc->interval ? 0 : dh->dccph_ccval,
		.is_data = type == DCCP_PKT_DATA || type == DCCP_PKT_DATAACK,
		.is_ce = dccp_skb_is_ce(skb),
		.has_ack = !dccp_packet_without_ack(skb),
	};
	u64 now = ktime_get_ns();

	/* A server knows the RTT of the handshake only after init. */
	if (!hc->rcv.packets && dp->dccps_syn_rtt)
		tfrc_window_rtt_init(&hc->rcv.window, dp->dccps_syn_rtt *
				     TFRC_NSEC_PER_USEC);

	if (tfrc_hc_rx_due(hc, &pkt, now))
		tfrc_hc_rx_report(hc, now);
	else if (pkt.is_data && !tfrc_hc_rx_decides(hc) &&
		 !timer_pending(&hc->timer))
		tfrc_hc_rx_arm(hc, now + tfrc_hc_rx_period(hc), now);

	if (tfrc_hc_rx_decides(hc)) {
		u64 when = tfrc_hc_rx_wake(hc);

		if (when)
			tfrc_hc_rx_arm(hc, when, now);
	}
}
EXPORT_SYMBOL_GPL(tfrc_hc_rx_packet_recv);

/**
 * tfrc_hc_rx_insert_options - put the report on an acknowledgment
 * @sk: the socket
 * @skb: the packet
 *
 * Context: hook ccid_hc_rx_insert_options.
 * Return: 0, or -1 if there is no room for the options
 */
int tfrc_hc_rx_insert_options(struct sock *sk, struct sk_buff *skb)
{
	struct tfrc_hc_rx *hc = tfrc_hc_rx(sk);

	if (dccp_packet_without_ack(skb))
		return 0;
	return tfrc_hc_rx_decides(hc) ? tfrc_insert_told(skb, &hc->fb) :
					tfrc_insert_feedback(skb, &hc->fb);
}
EXPORT_SYMBOL_GPL(tfrc_hc_rx_insert_options);

/**
 * tfrc_hc_rx_get_info - what ss shows
 * @sk: the socket
 * @info: to be filled in
 *
 * Context: hook ccid_hc_rx_get_info.
 */
void tfrc_hc_rx_get_info(struct sock *sk, struct tcp_info *info)
{
	info->tcpi_rcv_rtt = div_u64(tfrc_window_rtt_get(&tfrc_hc_rx(sk)->rcv.window),
				     TFRC_NSEC_PER_USEC);
}
EXPORT_SYMBOL_GPL(tfrc_hc_rx_get_info);

/**
 * tfrc_hc_rx_fill_info - answer to DCCP_SOCKOPT_CCID_RX_INFO
 * @sk: the socket
 * @info: to be filled in, but for the part that belongs to a scheme
 *
 * Context: socket locked.
 */
void tfrc_hc_rx_fill_info(struct sock *sk, struct dccp_ccid_rx_info *info)
{
	const struct tfrc_receiver *r = &tfrc_hc_rx(sk)->rcv;
	u64 rtt = tfrc_window_rtt_get(&r->window);

	memset(info, 0, sizeof(*info));
	info->tfrcrx_x_recv = min_t(u64, r->x_recv >> TFRC_RATE_SHIFT, U32_MAX);
	info->tfrcrx_rtt = div_u64(rtt, TFRC_NSEC_PER_USEC);
	info->tfrcrx_p = tfrc_mul_div(r->p, 1000000, TFRC_P_ONE);
	info->ccid = ccid_get_current_rx_ccid(dccp_sk(sk));
	info->loss_history = r->intervals.n;
	info->x_recv = r->x_recv >> TFRC_RATE_SHIFT;
	info->p_ppb = tfrc_mul_div(r->p, 1000000000, TFRC_P_ONE);
	info->packets_received = r->packets;
	info->packets_lost = r->history.lost;
	info->packets_marked = r->history.marked;
	info->loss_events = r->history.events;
	info->feedbacks = r->feedbacks;
}
EXPORT_SYMBOL_GPL(tfrc_hc_rx_fill_info);

/**
 * tfrc_hc_rx_getsockopt - answer to DCCP_SOCKOPT_CCID_RX_INFO
 * @sk: the socket
 * @optname: option
 * @len: room that the user has
 * @optval: the user's buffer
 * @optlen: where to say how much was copied
 *
 * Context: hook ccid_hc_rx_getsockopt.
 * Return: 0 or a negative error
 */
int tfrc_hc_rx_getsockopt(struct sock *sk, const int optname, int len,
			  u32 __user *optval, int __user *optlen)
{
	struct dccp_ccid_rx_info info;

	if (optname != DCCP_SOCKOPT_CCID_RX_INFO)
		return -ENOPROTOOPT;
	tfrc_hc_rx_fill_info(sk, &info);
	return tfrc_put_info(&info, sizeof(info), sizeof(struct tfrc_rx_info),
			     len, optval, optlen);
}
EXPORT_SYMBOL_GPL(tfrc_hc_rx_getsockopt);
