// SPDX-License-Identifier: GPL-2.0-only
/*
 * A receiver that reports once in an interval T.
 *
 * The first data packet is reported at once, so that the sender gets its first RTT
 * sample. Afterwards a report is due with the first packet after T, or by a timer after
 * 1.5 T, if data came since the last report. The timer waits for the next frame of a video:
 * a report on a packet that has waited for long is a poor sample of the round-trip time
 * (tfrc_tx_ack_sample()). A report has what TFRC's has, and the share of packets that were
 * lost since the last report. The sender states R and T.
 *
 * A scheme calls these functions from its struct tfrc_receiver_ops.
 */
#include <linux/export.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/types.h>
#include <net/tfrc_interval.h>

/* Share of lost packets, scaled by 2^32 */
static u32 loss_share(u64 lost, u64 data)
{
	return data ? min_t(u64, tfrc_mul_div(lost, 1ULL << 32, data),
			    U32_MAX) : 0;
}

/**
 * interval_receiver_init - start before the first packet
 * @ir: receiver
 * @ops: its operations; must outlive @ir
 * @interval: T until the sender states it, ns
 *
 * Context: any
 */
void interval_receiver_init(struct interval_receiver *ir,
			    const struct tfrc_receiver_ops *ops, u64 interval)
{
	memset(ir, 0, sizeof(*ir));
	tfrc_receiver_init(&ir->base, ops, 0);
	tfrc_loss_intervals_init(&ir->intervals, TFRC_LI_DEFAULT);
	ir->base.intervals = &ir->intervals;
	ir->interval = interval;
}
EXPORT_SYMBOL_GPL(interval_receiver_init);

/**
 * interval_receiver_packet - a packet has arrived
 * @ir: receiver
 * @pkt: the packet
 * @now: time of arrival, ns
 *
 * Context: any. Called by the operation packet.
 * Return: true if a report is due now
 */
bool interval_receiver_packet(struct interval_receiver *ir,
			      const struct tfrc_rx_packet *pkt, u64 now)
{
	u64 patience = ir->interval + ir->interval / 2;
	struct tfrc_receiver *r = &ir->base;
	bool all_reported = r->reported == r->packets, due;
	u64 events = r->history.events;

	if (tfrc_receiver_count(r, &ir->intervals, pkt, now)) {
		if (pkt->is_data)
			tfrc_receiver_measure(r, pkt->len, now);
		if (!events && r->history.events)
			tfrc_receiver_first_tfrc(r, &ir->intervals, now);
	}
	due = r->reported != r->packets &&
	      (!r->feedbacks || now - r->t_report >= ir->interval);
	/* The timer is for the case that no packet comes after T. */
	if (all_reported && r->reported != r->packets && !due)
		ir->since = now < ir->since + patience ? r->t_report : now;
	r->deadline = r->reported == r->packets ? 0 : ir->since + patience;
	return due;
}
EXPORT_SYMBOL_GPL(interval_receiver_packet);

/**
 * interval_receiver_report - fill in a report
 * @ir: receiver
 * @fb: set, except x_pair
 * @now: ns
 *
 * Context: any. Called by the operation report.
 */
void interval_receiver_report(struct interval_receiver *ir,
			      struct tfrc_feedback *fb, u64 now)
{
	struct tfrc_receiver *r = &ir->base;

	r->p = tfrc_receiver_p(r, &ir->intervals);
	fb->p = r->p;
	fb->x_recv = tfrc_receiver_x_recv(r, now);
	fb->loss = loss_share(r->history.lost - ir->report_lost,
			      r->history.data - ir->report_data);
	ir->report_data = r->history.data;
	ir->report_lost = r->history.lost;
	r->deadline = 0;
}
EXPORT_SYMBOL_GPL(interval_receiver_report);
