/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * TFRC: the sender and the receiver of RFC 5348, and the functions in which a variant
 * of TFRC may differ.
 */
#ifndef _NET_TFRC_RFC5348_H
#define _NET_TFRC_RFC5348_H

#include <net/tfrc.h>

/**
 * struct tfrc_decision - what a sender knows when it is about to change its rate
 * @interval: time since the last feedback packet
 * @rtt: smoothed round-trip time R
 * @x: rate in force until now
 * @x_tfrc: rate that TFRC would now move to
 * @x_calc: rate of the equation in force since the last feedback, 0 if p was 0
 * @x_send: rate really sent since the last feedback
 * @x_recv: receive rate that was reported, limited to twice what was sent
 * @s: mean packet size, bytes
 * @lost: data packets newly reported lost
 * @marked: data packets newly reported CE-marked
 */
struct tfrc_decision {
	u64	interval;
	u64	rtt;
	u64	x;
	u64	x_tfrc;
	u64	x_calc;
	u64	x_send;
	u64	x_recv;
	u32	s;
	u32	lost;
	u32	marked;
};

struct rfc5348_sender;
struct rfc5348_receiver;

/**
 * struct rfc5348_variant - the functions in which a variant of TFRC may differ
 * @calc_x: the throughput equation: the rate X for a loss event rate p
 * @calc_p: its inverse, at the receiver: the p for an X
 * @limit: the bound of X by the receive rate (recv_limit). @worse: there is a new
 *	loss event, or p has grown.
 * @move_to: the rate that the sender really moves to. Called for each feedback
 *	packet, not when the nofeedback timer expires.
 *
 * Every member is mandatory. rfc5348_calc_x() and so on are those of TFRC itself.
 */
struct rfc5348_variant {
	u64	(*calc_x)(const struct rfc5348_sender *t, u32 s, u64 rtt, u64 p);
	u64	(*calc_p)(const struct rfc5348_receiver *t, u32 s, u64 rtt,
			  u64 x);
	u64	(*limit)(struct rfc5348_sender *t, const struct tfrc_report *rep,
			 bool worse, u64 now);
	u64	(*move_to)(struct rfc5348_sender *t,
			   const struct tfrc_decision *d);
};

/**
 * struct rfc5348_sender - state of a TFRC sender
 * @base: what all senders have
 * @variant: the functions in which it may differ from TFRC
 * @r_sqmean: mean of the square roots of the RTT samples, 0 if there was none
 * @r_sqsample: square root of the last one
 * @t_signal: last feedback that reported a loss or mark
 * @t_base: start of the round trip in which X may double once
 * @x_base: X at that time
 */
struct rfc5348_sender {
	struct tfrc_sender		base;
	const struct rfc5348_variant	*variant;
	u64				r_sqmean;
	u64				r_sqsample;
	u64				t_signal;
	u64				t_base;
	u64				x_base;
};

void rfc5348_sender_init(struct rfc5348_sender *t,
			 const struct rfc5348_variant *variant);
u64 rfc5348_calc_x(const struct rfc5348_sender *t, u32 s, u64 rtt, u64 p);
u64 rfc5348_limit(struct rfc5348_sender *t, const struct tfrc_report *rep,
		  bool worse, u64 now);
u64 rfc5348_move_to(struct rfc5348_sender *t, const struct tfrc_decision *d);

/**
 * struct rfc5348_receiver - state of a TFRC receiver
 * @base: what all receivers have
 * @variant: the functions in which it may differ from TFRC; calc_p is used
 * @window: round-trip time, by the window counter
 * @intervals: loss intervals
 * @since: start of the present round trip; the data in it is reported R after this
 * @ccval: window counter of the newest data packet
 * @report_ccval: window counter at the last report
 * @due: a report is due
 */
struct rfc5348_receiver {
	struct tfrc_receiver		base;
	const struct rfc5348_variant	*variant;
	struct tfrc_window_rtt		window;
	struct tfrc_loss_intervals	intervals;
	u64				since;
	u8				ccval;
	u8				report_ccval;
	bool				due;
};

void rfc5348_receiver_init(struct rfc5348_receiver *t, u32 n,
			   const struct rfc5348_variant *variant, u64 rtt);
u64 rfc5348_calc_p(const struct rfc5348_receiver *t, u32 s, u64 rtt, u64 x);

/* options.c, glue: a report of TFRC on the wire */
int tfrc_put_report(struct sk_buff *skb, const struct tfrc_feedback *fb);

#endif /* _NET_TFRC_RFC5348_H */
