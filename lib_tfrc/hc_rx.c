// SPDX-License-Identifier: GPL-2.0-only
/*
 * The receiving half of a connection: hooks of DCCP around a struct tfrc_receiver.
 *
 *	packet_recv	a packet came: the receiver gets it, and says if a report is due
 *	timer		the deadline of a report has come
 *	parse_options	the sender offers a proportional response to marks
 *	insert_options	an acknowledgment is sent: it gets the report
 */
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <net/tfrc_ccid.h>
#include <net/tfrc_compat.h>
#include "tfrc_trace.h"

/* Features that follow from the choice of the CCID, at the receiver of data. */
const struct ccid_dependency tfrc_hc_rx_deps[] = {
	{ .dependent_feat = DCCPF_SEND_ACK_VECTOR, .is_local = true, .val = 0 },
	{ .dependent_feat = DCCPF_SEND_LEV_RATE, .is_local = true,
	  .is_mandatory = true, .val = 1 },
	/* Without NDP Count a lost acknowledgment looks like lost data. */
	{ .dependent_feat = DCCPF_SEND_NDP_COUNT, .is_local = false,
	  .is_mandatory = true, .val = 1 },
	{ .dependent_feat = DCCPF_RESERVED },
};
EXPORT_SYMBOL_GPL(tfrc_hc_rx_deps);

/*
 * Acknowledgments have a Sequence Window, too. DVRC's receiver sends four in a round trip
 * or more, and with ack_ratio = 1 one for each data packet. If more of them are in flight
 * than fit in the window, the sender's acknowledgments of them are invalid.
 */
static void tfrc_hc_rx_seq_window(struct tfrc_hc_rx *hc, u64 now)
{
	hc->acks++;
	if (now - hc->t_acks < tfrc_receiver_rtt(hc->rcv))
		return;
	if (hc->sk->sk_state == DCCP_OPEN)
		tfrc_seq_window(hc->sk, hc->acks, 0);
	hc->acks = 0;
	hc->t_acks = now;
}

static void tfrc_hc_rx_report(struct tfrc_hc_rx *hc, u64 now)
{
	tfrc_receiver_report(hc->rcv, now, &hc->fb);
	tfrc_hc_rx_seq_window(hc, now);
	dccp_sk(hc->sk)->dccps_hc_rx_insert_options = 1;
	dccp_send_ack(hc->sk);
	trace_tfrc_rx_report(hc->sk, hc->rcv, &hc->fb,
			     ccid_get_current_rx_ccid(dccp_sk(hc->sk)));
	/* If the packet could not be sent, this is the number of an older one. */
	tfrc_receiver_sent(hc->rcv, dccp_sk(hc->sk)->dccps_gss);
}

/* Arm the timer for a report that is due without a packet. */
static void tfrc_hc_rx_arm(struct tfrc_hc_rx *hc, u64 now)
{
	u64 when = hc->rcv->deadline;

	if (!when || (timer_pending(&hc->timer) && when >= hc->t_timer))
		return;
	hc->t_timer = when;
	sk_reset_timer(hc->sk, &hc->timer, jiffies + 1 +
		       (when > now ? nsecs_to_jiffies(when - now) : 0));
}

static void tfrc_hc_rx_timer(struct timer_list *t)
{
	struct tfrc_hc_rx *hc = timer_container_of(hc, t, timer);
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
	when = hc->rcv->deadline;
	if (when && now >= when)
		tfrc_hc_rx_report(hc, now);
	tfrc_hc_rx_arm(hc, now);
out:
	bh_unlock_sock(sk);
	sock_put(sk);
}

/**
 * tfrc_hc_rx_init - prepare the receiving half of a connection
 * @hc: private state of the CCID
 * @sk: the socket
 * @rcv: the algorithm, initialised; it follows @hc
 *
 * Context: hook ccid_hc_rx_init, may not sleep.
 */
void tfrc_hc_rx_init(struct tfrc_hc_rx *hc, struct sock *sk,
		     struct tfrc_receiver *rcv)
{
	hc->sk = sk;
	hc->rcv = rcv;
	timer_setup(&hc->timer, tfrc_hc_rx_timer, 0);
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
 * tfrc_hc_rx_exit - the half-connection is about to be freed
 * @sk: the socket
 *
 * Context: hook ccid_hc_rx_exit.
 */
void tfrc_hc_rx_exit(struct sock *sk)
{
	struct tfrc_receiver *r = tfrc_hc_rx(sk)->rcv;

	if (r->intervals)
		tfrc_loss_intervals_free(r->intervals);
}
EXPORT_SYMBOL_GPL(tfrc_hc_rx_exit);

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
	struct tfrc_receiver *r = hc->rcv;
	struct dccp_sock *dp = dccp_sk(sk);
	const struct dccp_hdr *dh = dccp_hdr(skb);
	const struct tfrc_rx_packet pkt = {
		.seq = DCCP_SKB_CB(skb)->dccpd_seq,
		.ndp = dp->dccps_options_received.dccpor_ndp,
		.ack = DCCP_SKB_CB(skb)->dccpd_ack_seq,
		/* The sender, too, counts an empty packet as one byte. */
		.len = max(skb->len - dh->dccph_doff * 4, 1U),
		.ccval = dh->dccph_ccval,
		.is_data = tfrc_on_data(DCCP_SKB_CB(skb)->dccpd_type),
		.is_ce = dccp_skb_is_ce(skb),
		.is_l4s = r->options & TFRC_RX_HAS_ECT1,
		.has_ack = !dccp_packet_without_ack(skb),
		.newest = DCCP_SKB_CB(skb)->dccpd_seq == dp->dccps_gsr,
	};
	u64 now = ktime_get_ns();

	/* A server knows the RTT of the handshake only after init. */
	if (!r->packets && dp->dccps_syn_rtt)
		tfrc_receiver_set_rtt(r, dp->dccps_syn_rtt * TFRC_NSEC_PER_USEC);

	if (pkt.is_data && pkt.newest)
		r->l4s = r->options & TFRC_RX_HAS_L4S;
	if (r->ops->packet(r, &pkt, now))
		tfrc_hc_rx_report(hc, now);
	r->options = 0;
	tfrc_hc_rx_arm(hc, now);
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
	/* Without memory for it, a report leaves later, and acknowledges a newer packet. */
	tfrc_receiver_stamp(hc->rcv, ktime_get_ns(), &hc->fb);
	if (hc->rcv->ops->put(skb, &hc->fb))
		return -1;
	return hc->fb.l4s ? dccp_insert_option(skb, TFRC_OPT_L4S_READ, "", 0) :
			    0;
}
EXPORT_SYMBOL_GPL(tfrc_hc_rx_insert_options);

/**
 * tfrc_hc_rx_parse_options - an option came from the sender of the data
 * @sk: the socket
 * @pkt: type of the packet
 * @opt: type of the option
 * @val: its value
 * @len: length of @val
 *
 * A scheme calls it for options that are not its own.
 *
 * Context: hook ccid_hc_rx_parse_options.
 * Return: 0, or -EINVAL if the option is malformed
 */
int tfrc_hc_rx_parse_options(struct sock *sk, u8 pkt, u8 opt, u8 *val, u8 len)
{
	return tfrc_on_data(pkt) ?
	       tfrc_data_option(tfrc_hc_rx(sk)->rcv, opt, val, len) : 0;
}
EXPORT_SYMBOL_GPL(tfrc_hc_rx_parse_options);
