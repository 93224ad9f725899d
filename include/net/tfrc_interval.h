/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Control on an interval: the receiver reports once in an interval T, and the sender
 * takes a step, which is one decision, for each report.
 */
#ifndef _NET_TFRC_INTERVAL_H
#define _NET_TFRC_INTERVAL_H

#include <net/tfrc.h>

/* Report intervals, ns, that either end accepts. */
#define TFRC_INTERVAL_MIN		(100 * TFRC_NSEC_PER_MSEC)
#define TFRC_INTERVAL_MAX		(60 * TFRC_NSEC_PER_SEC)

/**
 * struct interval_sender - state of a sender that gets a report in each T
 * @base: what all senders have
 * @interval: report interval T, ns
 * @t_step: time of the last step
 * @bytes: payload sent until then
 * @lost: packets reported lost until then
 * @acked: packets sent up to the one that was acknowledged then
 */
struct interval_sender {
	struct tfrc_sender	base;
	u64			interval;
	u64			t_step;
	u64			bytes;
	u64			lost;
	u64			acked;
};

/**
 * struct interval_step - what happened since the last step
 * @x_send: rate that was sent, over no less than T
 * @lost: packets reported lost
 * @data: packets sent, up to the one that the report acknowledges
 */
struct interval_step {
	u64	x_send;
	u64	lost;
	u64	data;
};

void interval_sender_start(struct interval_sender *is, u64 x, u64 interval,
			   u64 now);
void interval_sender_feedback(struct interval_sender *is,
			      const struct tfrc_report *rep);
struct interval_step interval_sender_step(struct interval_sender *is,
					  const struct tfrc_report *rep,
					  u64 now);
void interval_sender_timeout(struct interval_sender *is);
u64 interval_sender_timeout_after(const struct tfrc_sender *snd);

/**
 * struct interval_receiver - state of a receiver that reports once in T
 * @base: what all receivers have
 * @intervals: loss intervals
 * @interval: T, ns
 * @since: start of the present interval; the next report is due T later, ns
 * @report_data: data packets of the history at the last report
 * @report_lost: those of them that were lost
 */
struct interval_receiver {
	struct tfrc_receiver		base;
	struct tfrc_loss_intervals	intervals;
	u64				interval;
	u64				since;
	u64				report_data;
	u64				report_lost;
};

void interval_receiver_init(struct interval_receiver *ir,
			    const struct tfrc_receiver_ops *ops, u64 interval);
bool interval_receiver_packet(struct interval_receiver *ir,
			      const struct tfrc_rx_packet *pkt, u64 now);
void interval_receiver_report(struct interval_receiver *ir,
			      struct tfrc_feedback *fb, u64 now);

#endif /* _NET_TFRC_INTERVAL_H */
