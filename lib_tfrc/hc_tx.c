// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sending half of a connection: hooks of DCCP around a struct tfrc_sender.
 *
 *	send_packet	a packet is next in the queue: the pacer says whether it may go
 *	packet_sent	a packet was sent: the sender and the history of send times
 *			account for it
 *	packet_recv	a packet came: if it carries a report, the sender gets it
 *	nofeedback	the nofeedback timer expired: the sender reduces its rate
 */
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <net/tfrc_ccid.h>
#include <net/tfrc_compat.h>
#include "tfrc_trace.h"

#define SEQ_MASK		((1ULL << 48) - 1)

/* Features that follow from the choice of the CCID, at the sender of data. */
const struct ccid_dependency tfrc_hc_tx_deps[] = {
	/* No Ack Vectors: the receiver reports losses by options of its own. */
	{ .dependent_feat = DCCPF_SEND_ACK_VECTOR, .is_local = false, .val = 0 },
	{ .dependent_feat = DCCPF_SEND_LEV_RATE, .is_local = false,
	  .is_mandatory = true, .val = 1 },
	{ .dependent_feat = DCCPF_ACK_RATIO, .is_local = true, .val = 0 },
	/* Without NDP Count a lost acknowledgment looks like lost data. */
	{ .dependent_feat = DCCPF_SEND_NDP_COUNT, .is_local = true, .val = 1 },
	{ .dependent_feat = DCCPF_RESERVED },
};
EXPORT_SYMBOL_GPL(tfrc_hc_tx_deps);

static bool tfrc_hc_open(const struct sock *sk)
{
	return sk->sk_state == DCCP_OPEN || sk->sk_state == DCCP_PARTOPEN;
}

/**
 * tfrc_hc_tx_ipi - time that the last packet takes at the present rate
 * @hc: the sending half
 *
 * The result is cached, because the division is the most expensive operation for a
 * packet.
 *
 * Context: socket locked.
 * Return: ns; 0 before the first packet
 */
u64 tfrc_hc_tx_ipi(struct tfrc_hc_tx *hc)
{
	u64 x;

	if (!hc->started)
		return 0;
	x = tfrc_sender_rate(hc->snd);
	if (hc->ipi_x != x || hc->ipi_len != hc->last_len) {
		hc->ipi_x = x;
		hc->ipi_len = hc->last_len;
		hc->ipi = tfrc_ipi(x, hc->last_len);
	}
	return hc->ipi;
}
EXPORT_SYMBOL_GPL(tfrc_hc_tx_ipi);

static void tfrc_hc_tx_arm_nofeedback(struct tfrc_hc_tx *hc, u64 now)
{
	u64 t = hc->snd->t_timer;

	if (ccid_is_stopped(ccid_of_priv(hc)) || hc->snd->resting)
		return;
	sk_reset_timer(hc->sk, &hc->nofeedback, jiffies + 1 +
		       (t > now ? nsecs_to_jiffies(t - now) : 0));
}

/* What waits, if frames are spread; the packet that was sent before counts, too. */
static void tfrc_hc_tx_queued(struct tfrc_hc_tx *hc, u32 sent, u64 now)
{
	struct tfrc_pacing *p = &hc->pacer.pacing;

	if (p->frame)
		tfrc_pacing_queued(p, skb_queue_len(&hc->sk->sk_write_queue) +
				   sent, tfrc_hc_tx_ipi(hc), now);
}

static bool tfrc_hc_tx_due(struct tfrc_hc_tx *hc, u64 now)
{
	const struct tfrc_sender *snd = hc->snd;
	u64 late = 0;

	/* Neither frames nor packets with ECT(1) are sent in bursts. */
	if (!hc->pacer.pacing.frame && !snd->l4s.on)
		late = min(TFRC_PACING_LATE, snd->rtt / TFRC_PACING_LATE_RTT);
	tfrc_hc_tx_queued(hc, 1, now);
	return tfrc_pacer_ready(&hc->pacer, tfrc_hc_tx_ipi(hc), late, now);
}

/**
 * tfrc_hc_tx_waits - whether the pacer's timer will examine the queue
 * @sk: the socket
 *
 * Context: hook ccid_hc_tx_waits.
 * Return: true if the packet that was queued makes no difference
 */
bool tfrc_hc_tx_waits(struct sock *sk)
{
	return tfrc_pacer_waits(&tfrc_hc_tx(sk)->pacer);
}
EXPORT_SYMBOL_GPL(tfrc_hc_tx_waits);

/*
 * The sender is about to choose X, which is at most what SO_MAX_PACING_RATE says. A
 * packet does not look at this, so a new limit, or a pause of the one by the delay, applies
 * from the next report on.
 *
 * Nothing is sent at twice X if there is such a limit, if packets are to meet no queue
 * (l4s, or a target for the delay below the queue that a burst makes), or if they are spread
 * (frame_rate).
 */
static void tfrc_hc_tx_limit(struct tfrc_hc_tx *hc, u64 now)
{
	struct tfrc_pacing *p = &hc->pacer.pacing;
	unsigned long most = READ_ONCE(hc->sk->sk_max_pacing_rate);
	u32 target = tfrc_delay_target(hc->snd, now);

	hc->snd->x_max = TFRC_RATE(min_t(u64, most, TFRC_RATE_MAX >> TFRC_RATE_SHIFT));
	tfrc_pacing_set_saves(p, most == ~0UL &&
			      (!target || target >= TFRC_PACING_SAVED) &&
			      !hc->snd->l4s.on && !p->frame);
	if (hc->snd->nominal.asked)
		tfrc_nominal_mss(&hc->snd->nominal,
				 dccp_sk(hc->sk)->dccps_mss_cache);
	/* The packet scheduler fq counts headers, too, and would queue the packets. */
	WRITE_ONCE(hc->sk->sk_pacing_rate, ~0UL);
}

/* The sender has decided on a report, or as none came. */
static void tfrc_hc_tx_decided(struct sock *sk, u64 before, u64 sample,
			       bool timeout)
{
	struct tfrc_sender *snd = tfrc_hc_tx(sk)->snd;

	trace_tfrc_tx_rate(sk, snd, ccid_get_current_tx_ccid(dccp_sk(sk)),
			   before, sample, timeout);
	if (snd->event)
		ccid_set_event(sk, true);
	snd->event = false;
}

static void tfrc_hc_tx_nofeedback(struct timer_list *t)
{
	struct tfrc_hc_tx *hc = timer_container_of(hc, t, nofeedback);
	struct sock *sk = hc->sk;
	u64 now = ktime_get_ns();

	bh_lock_sock(sk);
	if (ccid_is_stopped(ccid_of_priv(hc))) {
		/* The socket may have another half-connection by now. */
	} else if (sock_owned_by_user(sk)) {
		/* There may be feedback in the backlog, so try again soon. */
		ccid_retry_timer(ccid_of_priv(hc), sk, &hc->nofeedback,
				 jiffies + 1);
	} else if (tfrc_hc_open(sk)) {
		if (now >= hc->snd->t_timer) {
			u64 before = hc->snd->x;

			tfrc_hc_tx_limit(hc, now);
			tfrc_sender_timeout(hc->snd, now);
			tfrc_pacing_rest(&hc->pacer.pacing);
			tfrc_hc_tx_decided(sk, before, 0, true);
		}
		tfrc_hc_tx_arm_nofeedback(hc, now);
	}
	bh_unlock_sock(sk);
	sock_put(sk);
}

/**
 * tfrc_hc_tx_init - prepare the sending half of a connection
 * @hc: private state of the CCID
 * @sk: the socket
 * @snd: the algorithm, initialised; it follows @hc
 * @need: options of a complete report, TFRC_HAS_*
 *
 * Context: hook ccid_hc_tx_init, may not sleep.
 */
void tfrc_hc_tx_init(struct tfrc_hc_tx *hc, struct sock *sk,
		     struct tfrc_sender *snd, u8 need)
{
	hc->sk = sk;
	hc->snd = snd;
	hc->pending.need = need;
	tfrc_pacer_init(&hc->pacer, sk);
	timer_setup(&hc->nofeedback, tfrc_hc_tx_nofeedback, 0);
}
EXPORT_SYMBOL_GPL(tfrc_hc_tx_init);

/**
 * tfrc_hc_tx_configure - set the parameters that the senders of all schemes have
 * @hc: sending half
 * @target_delay: delay of the queue to aim at, ms; 0: no such limit
 * @frame_rate: frames whose packets are spread, 1/s; 0: they are not
 * @l4s: respond to ECN marks in proportion
 *
 * Context: socket locked. The values are in range.
 */
void tfrc_hc_tx_configure(struct tfrc_hc_tx *hc, u32 target_delay,
			  u32 frame_rate, bool l4s)
{
	tfrc_delay_set(hc->snd, target_delay);
	tfrc_pacing_set_frames(&hc->pacer.pacing, frame_rate);
	tfrc_l4s_set(hc->snd, l4s);
}
EXPORT_SYMBOL_GPL(tfrc_hc_tx_configure);

/**
 * tfrc_hc_tx_stop - the connection is over
 * @sk: the socket
 *
 * Context: hook ccid_hc_tx_stop.
 */
void tfrc_hc_tx_stop(struct sock *sk)
{
	struct tfrc_hc_tx *hc = tfrc_hc_tx(sk);

	tfrc_pacer_stop(&hc->pacer);
	sk_stop_timer(sk, &hc->nofeedback);
}
EXPORT_SYMBOL_GPL(tfrc_hc_tx_stop);

/**
 * tfrc_hc_tx_free - the half-connection's memory is freed next
 * @ccid: the half-connection; its private state begins with struct tfrc_hc_tx
 *
 * Context: hook ccid_hc_tx_free.
 */
void tfrc_hc_tx_free(struct ccid *ccid)
{
	struct tfrc_hc_tx *hc = ccid_priv(ccid);

	tfrc_pacer_free(&hc->pacer);
}
EXPORT_SYMBOL_GPL(tfrc_hc_tx_free);

/**
 * tfrc_hc_tx_ready - whether the rate allows a packet now
 * @hc: the sending half
 * @now: time
 *
 * If not, the pacer's timer has the queue examined again at the packet's nominal
 * time. The first packet, and one that follows at once, does not wait.
 *
 * Context: socket locked.
 * Return: true if the packet may be sent now
 */
bool tfrc_hc_tx_ready(struct tfrc_hc_tx *hc, u64 now)
{
	return !hc->started || hc->at_once || tfrc_hc_tx_due(hc, now);
}
EXPORT_SYMBOL_GPL(tfrc_hc_tx_ready);

/* Whether data packets have the option L4S, so that they may be sent with ECT(1) */
static bool tfrc_hc_tx_l4s(const struct sock *sk)
{
	return tfrc_hc_tx(sk)->snd->l4s.on && dccp_tx_ect(sk);
}

/**
 * tfrc_hc_tx_send_at - send the packet, or wait for its nominal time
 * @sk: the socket
 * @skb: the packet
 * @now: time
 *
 * Context: hook ccid_hc_tx_send_packet.
 * Return: 0 if it is sent now, CCID_PACKET_WILL_DEQUEUE_LATER if the pacer's timer
 *	will send it
 */
int tfrc_hc_tx_send_at(struct sock *sk, struct sk_buff *skb, u64 now)
{
	struct tfrc_hc_tx *hc = tfrc_hc_tx(sk);
	struct tfrc_sender *snd = hc->snd;

	if (!hc->started) {
		snd->window = dccp_sk(sk)->dccps_l_seq_win;
		tfrc_hc_tx_limit(hc, now);
		tfrc_sender_start(snd, skb->len, dccp_sk(sk)->dccps_syn_rtt *
				  TFRC_NSEC_PER_USEC, now);
		tfrc_hc_tx_arm_nofeedback(hc, now);
	} else if (!tfrc_hc_tx_ready(hc, now)) {
		return CCID_PACKET_WILL_DEQUEUE_LATER;
	}

	if (snd->acks) {
		snd->acks--;
		inet_csk_schedule_ack(sk);
	}
	if (snd->options || tfrc_hc_tx_l4s(sk))
		dccp_sk(sk)->dccps_hc_tx_insert_options = 1;
	DCCP_SKB_CB(skb)->dccpd_ect1 = tfrc_hc_tx_l4s(sk) && snd->l4s.agreed;
	DCCP_SKB_CB(skb)->dccpd_ccval =
		tfrc_window_counter_next(&hc->counter, snd->rtt, now);
	hc->limited = tfrc_pacing_release(&hc->pacer.pacing, tfrc_hc_tx_ipi(hc),
					  snd->rtt,
					  skb_queue_len(&sk->sk_write_queue) > 1,
					  now) && !hc->at_once;
	/* The packet is still in the queue. */
	tfrc_hc_tx_queued(hc, 0, now);
	hc->t_sent = now;
	hc->last_len = skb->len;
	hc->started = true;
	return CCID_PACKET_SEND_AT_ONCE;
}
EXPORT_SYMBOL_GPL(tfrc_hc_tx_send_at);

/**
 * tfrc_hc_tx_send_packet - tfrc_hc_tx_send_at() as a hook, for schemes that add nothing
 * @sk: the socket
 * @skb: the packet
 *
 * Context: hook ccid_hc_tx_send_packet.
 * Return: as tfrc_hc_tx_send_at()
 */
int tfrc_hc_tx_send_packet(struct sock *sk, struct sk_buff *skb)
{
	return tfrc_hc_tx_send_at(sk, skb, ktime_get_ns());
}
EXPORT_SYMBOL_GPL(tfrc_hc_tx_send_packet);

/**
 * tfrc_hc_tx_add_options - the packet that is being sent will have options
 * @hc: the sending half
 * @options: bits that the scheme defines
 *
 * Context: hook ccid_hc_tx_send_packet, after tfrc_hc_tx_send_at().
 */
void tfrc_hc_tx_add_options(struct tfrc_hc_tx *hc, u8 options)
{
	hc->snd->options |= options;
	if (hc->snd->options)
		dccp_sk(hc->sk)->dccps_hc_tx_insert_options = 1;
}
EXPORT_SYMBOL_GPL(tfrc_hc_tx_add_options);

/**
 * tfrc_hc_tx_insert_options - the option L4S of a data packet
 * @sk: the socket
 * @skb: the packet
 *
 * A scheme with options of its own calls it for each data packet.
 *
 * Context: hook ccid_hc_tx_insert_options.
 * Return: 0, or -1 if there is no room for the option
 */
int tfrc_hc_tx_insert_options(struct sock *sk, struct sk_buff *skb)
{
	return tfrc_hc_tx_l4s(sk) ?
	       tfrc_put_l4s(skb, DCCP_SKB_CB(skb)->dccpd_ect1) : 0;
}
EXPORT_SYMBOL_GPL(tfrc_hc_tx_insert_options);

/**
 * tfrc_hc_tx_hold - limit X, because the application wants no more
 * @hc: the sending half
 * @x: the limit
 *
 * Context: socket locked.
 */
void tfrc_hc_tx_hold(struct tfrc_hc_tx *hc, u64 x)
{
	if (!hc->started)
		return;
	tfrc_sender_hold(hc->snd, x);
	tfrc_pacer_rate_changed(&hc->pacer, tfrc_hc_tx_ipi(hc), ktime_get_ns());
}
EXPORT_SYMBOL_GPL(tfrc_hc_tx_hold);

/**
 * tfrc_hc_tx_packet_sent - a data packet was sent
 * @sk: the socket
 * @len: its payload
 *
 * Context: hook ccid_hc_tx_packet_sent.
 */
void tfrc_hc_tx_packet_sent(struct sock *sk, unsigned int len)
{
	struct tfrc_hc_tx *hc = tfrc_hc_tx(sk);
	u64 now = hc->t_sent;	/* the clock would be later than this */
	u64 seq = dccp_sk(sk)->dccps_gss;

	tfrc_sender_sent(hc->snd, len, now);
	hc->snd->options = 0;
	if (!timer_pending(&hc->nofeedback))
		tfrc_hc_tx_arm_nofeedback(hc, now);
	tfrc_tx_history_add(&hc->hist, seq, hc->snd->rtt, hc->limited,
			    tfrc_pacing_nominal(&hc->pacer.pacing, hc->hist.last, now));
	tfrc_window_counter_sent(&hc->counter, seq, now);
}
EXPORT_SYMBOL_GPL(tfrc_hc_tx_packet_sent);

/*
 * R follows a queue that grows by seconds only after many reports. If the window went by
 * X R alone, there would be more packets in the queue than fit in it. The core drops what
 * acknowledges a packet from before the window, so no report would count any more.
 */
static void tfrc_hc_tx_seq_window(struct sock *sk, u64 flight)
{
	const struct tfrc_sender *snd = tfrc_hc_tx(sk)->snd;
	u64 due = tfrc_mul_div(snd->x, snd->rtt, TFRC_NSEC_PER_SEC) >>
		  TFRC_RATE_SHIFT;

	tfrc_seq_window(sk, div_u64(due, tfrc_sender_size(snd)), flight);
}

/*
 * A packet has options of a report. Most packets that come to a receiver of data have
 * none, and need no room for all this.
 */
static noinline void tfrc_hc_tx_report(struct sock *sk, struct sk_buff *skb)
{
	struct tfrc_hc_tx *hc = tfrc_hc_tx(sk);
	u64 seq = DCCP_SKB_CB(skb)->dccpd_ack_seq;
	struct tfrc_report rep;
	struct tfrc_feedback fb;
	struct tfrc_tx_ack ack;
	u64 now, before, elapsed;
	bool no_data = !tfrc_tx_history_unacked(&hc->hist);

	if (!tfrc_pending_take(&hc->pending, &fb) || dccp_packet_without_ack(skb) ||
	    !tfrc_tx_history_ack(&hc->hist, seq, &ack))
		return;

	now = ktime_get_ns();
	before = hc->snd->x;
	/* The core counts Elapsed Time in units of 10 us. */
	elapsed = 10 * TFRC_NSEC_PER_USEC *
		  dccp_sk(sk)->dccps_options_received.dccpor_elapsed_time;
	rep = (struct tfrc_report) {
		.fb = &fb,
		.ack = seq,
		.flight = (dccp_sk(sk)->dccps_gss - seq) & SEQ_MASK,
		.sample = tfrc_tx_ack_sample(&ack, elapsed, hc->snd->rtt, now),
		.sent = ack.older ? 0 : ack.sent,
		.data_limited = !ack.limited,
		.no_data = no_data,
		.waits = skb_queue_len(&sk->sk_write_queue),
	};
	tfrc_window_counter_acked(&hc->counter, seq, hc->snd->rtt);
	tfrc_hc_tx_limit(hc, now);
	tfrc_sender_feedback(hc->snd, &rep, now);
	tfrc_hc_tx_decided(sk, before, rep.sample, false);
	tfrc_hc_tx_arm_nofeedback(hc, now);
	tfrc_pacer_rate_changed(&hc->pacer, tfrc_hc_tx_ipi(hc), now);
	tfrc_hc_tx_seq_window(sk, rep.flight);
}

/**
 * tfrc_hc_tx_packet_recv - a packet came from the receiver of the data
 * @sk: the socket
 * @skb: the packet
 *
 * A report counts only if it is complete and its packet acknowledges a newer packet
 * than the previous report.
 *
 * Context: hook ccid_hc_tx_packet_recv.
 */
void tfrc_hc_tx_packet_recv(struct sock *sk, struct sk_buff *skb)
{
	if (tfrc_hc_tx(sk)->pending.seen)
		tfrc_hc_tx_report(sk, skb);
}
EXPORT_SYMBOL_GPL(tfrc_hc_tx_packet_recv);

/**
 * tfrc_hc_tx_parse_options - an option came from the receiver of the data
 * @sk: the socket
 * @pkt: type of the packet
 * @opt: type of the option
 * @val: its value
 * @len: length of @val
 *
 * Context: hook ccid_hc_tx_parse_options.
 * Return: 0, or -EINVAL if the option is malformed
 */
int tfrc_hc_tx_parse_options(struct sock *sk, u8 pkt, u8 opt, u8 *val, u8 len)
{
	/* These must be ignored on Data packets (RFC 4342, 8.3 and 8.5). */
	if (pkt == DCCP_PKT_DATA)
		return 0;
	return tfrc_pending_option(&tfrc_hc_tx(sk)->pending, opt, val, len);
}
EXPORT_SYMBOL_GPL(tfrc_hc_tx_parse_options);
