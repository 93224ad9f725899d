// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sending half of a connection: hooks of DCCP around the TFRC sender.
 */
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <net/tfrc_ccid.h>
#include "tfrc_trace.h"

/*
 * A Sequence Window is to be about five times the packets of a round trip (RFC
 * 4340, 7.5.2). With each doubling it takes half as many packets to guess a
 * number in it (7.5.5): ask when it is less, and for twice that. A change takes
 * a round trip to be confirmed, in which the rate may double, and one more if it
 * is lost. It is five times the packets again then, or at the worst 2.5 times.
 * Three quarters of it are ahead of what has arrived.
 */
#define TFRC_SEQ_WIN_LEAST	5
#define TFRC_SEQ_WIN_MORE	10

/* Features that follow from the choice of the CCID, at the sender of data. */
const struct ccid_dependency tfrc_hc_tx_deps[] = {
	/* no Ack Vectors: the receiver reports the loss event rate */
	{ .dependent_feat = DCCPF_SEND_ACK_VECTOR, .is_local = false, .val = 0 },
	{ .dependent_feat = DCCPF_SEND_LEV_RATE, .is_local = false,
	  .is_mandatory = true, .val = 1 },
	{ .dependent_feat = DCCPF_ACK_RATIO, .is_local = true, .val = 0 },
	/* without NDP Count a lost acknowledgment looks like lost data */
	{ .dependent_feat = DCCPF_SEND_NDP_COUNT, .is_local = true, .val = 1 },
	{ .dependent_feat = DCCPF_RESERVED },
};
EXPORT_SYMBOL_GPL(tfrc_hc_tx_deps);

/*
 * As many packets acknowledge a report that tells of losses or marks: it ends the
 * loss event at the receiver (rx_history.c). One may be lost.
 */
#define TFRC_REPORT_ACKS	3

static bool tfrc_hc_open(const struct sock *sk)
{
	return sk->sk_state == DCCP_OPEN || sk->sk_state == DCCP_PARTOPEN;
}

/* The division is the dearest part of a packet: no need for it at the same rate. */
static u64 tfrc_hc_tx_ipi(struct tfrc_hc_tx *hc)
{
	if (!hc->started)
		return 0;
	if (hc->ipi_x != hc->snd.x_inst || hc->ipi_len != hc->last_len) {
		hc->ipi_x = hc->snd.x_inst;
		hc->ipi_len = hc->last_len;
		hc->ipi = tfrc_sender_ipi(&hc->snd, hc->last_len);
	}
	return hc->ipi;
}

static void tfrc_hc_tx_arm_nofeedback(struct tfrc_hc_tx *hc, u64 now)
{
	u64 t = hc->snd.t_timer;

	if (ccid_is_stopped(ccid_of_priv(hc)) || hc->snd.resting)
		return;
	sk_reset_timer(hc->sk, &hc->nofeedback, jiffies + 1 +
		       (t > now ? nsecs_to_jiffies(t - now) : 0));
}

static void tfrc_hc_tx_trace(struct sock *sk, u64 before, u64 sample,
			     bool silence)
{
	trace_tfrc_tx_rate(sk, &tfrc_hc_tx(sk)->snd,
			   ccid_get_current_tx_ccid(dccp_sk(sk)), before,
			   sample, silence);
}

static void tfrc_hc_tx_nofeedback(struct timer_list *t)
{
	struct tfrc_hc_tx *hc = from_timer(hc, t, nofeedback);
	struct sock *sk = hc->sk;
	u64 now = ktime_get_ns();

	bh_lock_sock(sk);
	if (ccid_is_stopped(ccid_of_priv(hc))) {
		/* The socket may have another half-connection by now. */
	} else if (sock_owned_by_user(sk)) {
		/* Feedback may be waiting in the backlog: look again soon. */
		ccid_retry_timer(ccid_of_priv(hc), sk, &hc->nofeedback,
				 jiffies + 1);
	} else if (tfrc_hc_open(sk)) {
		if (now >= hc->snd.t_timer) {
			u64 before = hc->snd.x;

			tfrc_sender_timeout(&hc->snd, now);
			tfrc_hc_tx_trace(sk, before, 0, true);
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
 * @scheme: what is done differently from TFRC
 * @priv: passed to the functions of @scheme
 *
 * Context: hook ccid_hc_tx_init, may not sleep.
 */
void tfrc_hc_tx_init(struct tfrc_hc_tx *hc, struct sock *sk,
		     const struct tfrc_scheme *scheme, void *priv)
{
	hc->sk = sk;
	tfrc_sender_init(&hc->snd, scheme, priv);
	tfrc_pacer_init(&hc->pacer, sk);
	hc->stash.need = TFRC_REPORT_TFRC;
	timer_setup(&hc->nofeedback, tfrc_hc_tx_nofeedback, 0);
}
EXPORT_SYMBOL_GPL(tfrc_hc_tx_init);

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
 * tfrc_hc_tx_send_packet - may the packet go now?
 * @sk: the socket
 * @skb: the packet
 *
 * Context: hook ccid_hc_tx_send_packet.
 * Return: 0 if it may, CCID_PACKET_WILL_DEQUEUE_LATER if the pacer will say so
 */
int tfrc_hc_tx_send_packet(struct sock *sk, struct sk_buff *skb)
{
	struct tfrc_hc_tx *hc = tfrc_hc_tx(sk);
	u64 now = ktime_get_ns();

	if (!hc->started) {
		tfrc_sender_start(&hc->snd, skb->len,
				  dccp_sk(sk)->dccps_syn_rtt *
				  TFRC_NSEC_PER_USEC, now);
		tfrc_hc_tx_arm_nofeedback(hc, now);
	} else if (!hc->at_once &&
		   !tfrc_pacer_ready(&hc->pacer, tfrc_hc_tx_ipi(hc), now)) {
		return CCID_PACKET_WILL_DEQUEUE_LATER;
	}

	if (hc->acks) {
		hc->acks--;
		inet_csk_schedule_ack(sk);
	}
	DCCP_SKB_CB(skb)->dccpd_ccval =
		tfrc_window_counter_next(&hc->counter, hc->snd.rtt, now);
	hc->limited = tfrc_pacing_release(&hc->pacer.pacing, tfrc_hc_tx_ipi(hc),
					  hc->snd.rtt,
					  skb_queue_len(&sk->sk_write_queue) > 1,
					  now) && !hc->at_once;
	hc->t_sent = now;
	hc->last_len = skb->len;
	hc->started = true;
	return CCID_PACKET_SEND_AT_ONCE;
}
EXPORT_SYMBOL_GPL(tfrc_hc_tx_send_packet);

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
	u64 now = hc->t_sent;	/* not later than it was, as a clock would be */
	u64 seq = dccp_sk(sk)->dccps_gss;

	tfrc_sender_sent(&hc->snd, len, now);
	if (!timer_pending(&hc->nofeedback))
		tfrc_hc_tx_arm_nofeedback(hc, now);
	tfrc_tx_history_add(&hc->hist, seq, hc->snd.rtt, hc->limited, now);
	tfrc_window_counter_sent(&hc->counter, seq, now);
}
EXPORT_SYMBOL_GPL(tfrc_hc_tx_packet_sent);

/**
 * tfrc_seq_window - keep the Sequence Window ahead of what is in flight
 * @sk: the socket
 * @flight: packets of any type that it sends in a round trip
 *
 * One change at a time, repeated in each round trip until it is confirmed: it
 * travels on the next packet with an acknowledgment number, and nothing else makes
 * a one-way sender send one.
 *
 * Context: socket locked, connection open; once in a round trip or more often.
 * Source: RFC 4340, 7.5.2
 */
void tfrc_seq_window(struct sock *sk, u64 flight)
{
	u64 window = dccp_sk(sk)->dccps_l_seq_win;

	if (dccp_feat_nn_get(sk, DCCPF_SEQUENCE_WINDOW) != window) {
		inet_csk_schedule_ack(sk);
		return;
	}

	flight = min_t(u64, flight, DCCPF_SEQ_WMAX / TFRC_SEQ_WIN_MORE);
	if (TFRC_SEQ_WIN_LEAST * flight <= window)
		return;
	window = min_t(u64, TFRC_SEQ_WIN_MORE * flight, DCCPF_SEQ_WMAX);
	dccp_feat_signal_nn_change(sk, DCCPF_SEQUENCE_WINDOW, window);
}

static void tfrc_hc_tx_seq_window(struct sock *sk)
{
	const struct tfrc_sender *snd = &tfrc_hc_tx(sk)->snd;
	u64 flight = tfrc_mul_div(snd->x, snd->rtt, TFRC_NSEC_PER_SEC) >>
		     TFRC_RATE_SHIFT;

	tfrc_seq_window(sk, div_u64(flight, tfrc_sender_size(snd)));
}

/**
 * tfrc_hc_tx_packet_recv - a packet came from the receiver of our data
 * @sk: the socket
 * @skb: the packet
 *
 * Only a whole report counts, and only on a packet that acknowledges something
 * newer than the report before.
 *
 * Context: hook ccid_hc_tx_packet_recv.
 */
void tfrc_hc_tx_packet_recv(struct sock *sk, struct sk_buff *skb)
{
	struct tfrc_hc_tx *hc = tfrc_hc_tx(sk);
	u64 now, before, sample, elapsed, signals;
	u64 seq = DCCP_SKB_CB(skb)->dccpd_ack_seq;
	struct tfrc_feedback fb;
	struct tfrc_tx_ack ack;
	bool whole;
	u64 p;

	whole = tfrc_stash_take(&hc->stash, &fb);
	if (!whole || dccp_packet_without_ack(skb) ||
	    !tfrc_tx_history_ack(&hc->hist, seq, &ack))
		return;

	now = ktime_get_ns();
	before = hc->snd.x;
	/* The core counts Elapsed Time in units of 10 us. */
	elapsed = 10 * TFRC_NSEC_PER_USEC *
		  dccp_sk(sk)->dccps_options_received.dccpor_elapsed_time;
	sample = tfrc_tx_ack_sample(&ack, elapsed, hc->snd.rtt, now);
	signals = hc->snd.lost + hc->snd.marked;
	p = hc->snd.p;
	tfrc_window_counter_acked(&hc->counter, seq);
	tfrc_sender_feedback(&hc->snd, &fb, sample, !ack.limited, now);
	if (!hc->snd.scheme->adapt && (hc->snd.feedbacks == 1 ||
				       hc->snd.lost + hc->snd.marked != signals ||
				       hc->snd.p > p))
		hc->acks = TFRC_REPORT_ACKS;
	tfrc_hc_tx_trace(sk, before, sample, false);
	tfrc_hc_tx_arm_nofeedback(hc, now);
	tfrc_pacer_rate_changed(&hc->pacer, tfrc_hc_tx_ipi(hc), now);
	tfrc_hc_tx_seq_window(sk);
}
EXPORT_SYMBOL_GPL(tfrc_hc_tx_packet_recv);

/**
 * tfrc_hc_tx_parse_options - an option from the receiver of our data
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
	return tfrc_stash_option(&tfrc_hc_tx(sk)->stash, opt, val, len);
}
EXPORT_SYMBOL_GPL(tfrc_hc_tx_parse_options);

static u64 tfrc_hc_tx_rto(const struct tfrc_sender *snd)
{
	return max(snd->t_timer, snd->t_feedback) - snd->t_feedback;
}

/**
 * tfrc_hc_tx_get_info - what ss shows
 * @sk: the socket
 * @info: to be filled in
 *
 * Context: hook ccid_hc_tx_get_info.
 */
void tfrc_hc_tx_get_info(struct sock *sk, struct tcp_info *info)
{
	const struct tfrc_sender *snd = &tfrc_hc_tx(sk)->snd;

	info->tcpi_rtt = div_u64(snd->rtt, TFRC_NSEC_PER_USEC);
	info->tcpi_rto = min_t(u64, U32_MAX, div_u64(tfrc_hc_tx_rto(snd),
						     TFRC_NSEC_PER_USEC));
	info->tcpi_lost = min_t(u64, snd->lost, U32_MAX);
	info->tcpi_pacing_rate = snd->x >> TFRC_RATE_SHIFT;
	info->tcpi_delivery_rate = snd->x_recv >> TFRC_RATE_SHIFT;
}
EXPORT_SYMBOL_GPL(tfrc_hc_tx_get_info);

static u32 tfrc_u32(u64 value)
{
	return min_t(u64, value, U32_MAX);
}

static u64 tfrc_p_in(u64 p, u32 parts)
{
	return tfrc_mul_div(p, parts, TFRC_P_ONE);
}

/**
 * tfrc_hc_tx_fill_info - answer to DCCP_SOCKOPT_CCID_TX_INFO
 * @sk: the socket
 * @info: to be filled in, but for the part that belongs to a scheme
 *
 * Context: socket locked.
 */
void tfrc_hc_tx_fill_info(struct sock *sk, struct dccp_ccid_tx_info *info)
{
	struct tfrc_hc_tx *hc = tfrc_hc_tx(sk);
	const struct tfrc_sender *snd = &hc->snd;
	const u32 us = TFRC_NSEC_PER_USEC;

	memset(info, 0, sizeof(*info));
	info->tfrctx_x = snd->x >> (TFRC_RATE_SHIFT - 6);
	info->tfrctx_x_recv = snd->x_recv >> (TFRC_RATE_SHIFT - 6);
	info->tfrctx_x_calc = tfrc_u32(snd->x_calc >> TFRC_RATE_SHIFT);
	info->tfrctx_rtt = tfrc_u32(div_u64(snd->rtt, us));
	info->tfrctx_p = tfrc_p_in(snd->p, 1000000);
	info->tfrctx_rto = tfrc_u32(div_u64(tfrc_hc_tx_rto(snd), us));
	info->tfrctx_ipi = tfrc_u32(div_u64(tfrc_hc_tx_ipi(hc), us));
	info->ccid = ccid_get_current_tx_ccid(dccp_sk(sk));
	info->flags = (snd->p ? 0 : DCCP_CCID_TX_SLOW_START) |
		      (hc->limited ? 0 : DCCP_CCID_TX_APP_LIMITED) |
		      (dccp_tx_ect(sk) ? DCCP_CCID_TX_ECN : 0);
	info->x = snd->x >> TFRC_RATE_SHIFT;
	info->x_calc = snd->x_calc >> TFRC_RATE_SHIFT;
	info->x_recv = snd->x_recv >> TFRC_RATE_SHIFT;
	info->x_send = snd->x_send >> TFRC_RATE_SHIFT;
	info->p_ppb = tfrc_p_in(snd->p, 1000000000);
	info->rtt_ns = snd->rtt;
	info->packets_sent = snd->packets;
	info->packets_lost = snd->lost;
	info->packets_marked = snd->marked;
	info->feedbacks = snd->feedbacks;
	info->nofeedbacks = snd->nofeedbacks;
	info->mean_size = tfrc_sender_size(snd);
	info->seq_window = dccp_sk(sk)->dccps_l_seq_win;
}
EXPORT_SYMBOL_GPL(tfrc_hc_tx_fill_info);

/**
 * tfrc_put_info - copy an answer to getsockopt() to the user
 * @info: the answer, not in a CCID's private state: kernels with hardened
 *	usercopy let nothing be copied from there
 * @size: its size
 * @least: size of the oldest version of it
 * @len: room that the user has
 * @optval: the user's buffer
 * @optlen: where to say how much was copied
 *
 * Context: socket locked, may sleep.
 * Return: 0, -EINVAL if there is too little room, -EFAULT
 */
int tfrc_put_info(const void *info, int size, int least, int len,
		  u32 __user *optval, int __user *optlen)
{
	if (len < least)
		return -EINVAL;
	len = min(len, size);
	if (put_user(len, optlen) || copy_to_user(optval, info, len))
		return -EFAULT;
	return 0;
}
EXPORT_SYMBOL_GPL(tfrc_put_info);
