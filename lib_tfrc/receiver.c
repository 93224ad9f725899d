// SPDX-License-Identifier: GPL-2.0-only
/*
 * What all receivers have.
 *
 *	packet --> operation packet	says whether a report is due
 *	timer  --> deadline		one is due by then
 *	  report is due --> tfrc_receiver_report() --> operation report
 *	  it is sent    --> tfrc_receiver_stamp()  --> operation put
 *
 * An implementation, struct tfrc_receiver_ops, decides when a report is due and what it
 * says. It calls those of the functions here that it needs:
 *
 *	tfrc_receiver_count()	 rx_history, loss_intervals: losses, marks, loss events
 *	tfrc_receiver_measure()	 rate_meter: X_recv; the mean packet size
 *	tfrc_receiver_p()	 loss event rate
 *	tfrc_receiver_x_recv()	 receive rate of a report
 *
 * A report that could not be sent stays due. A packet without data makes a report due
 * only if it shows a loss event. Otherwise the two ends would report each other's reports.
 *
 * The packets before the first loss event are no loss interval, because slow start
 * doubled the rate. The first interval is instead the one whose p allows X_target, by the
 * inverse of the equation. X_target is the greatest X_recv so far (RFC 5348, 6.3.1), and
 * on a long path at least half of the initial rate.
 */
#include <linux/export.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/types.h>
#include <net/tfrc.h>

/**
 * tfrc_receiver_init - start before the first packet
 * @r: receiver
 * @ops: what it reports, and when; must outlive @r
 * @rtt: round-trip time of the handshake, ns, or 0 if there is none
 *
 * Context: any
 */
void tfrc_receiver_init(struct tfrc_receiver *r,
			const struct tfrc_receiver_ops *ops, u64 rtt)
{
	memset(r, 0, sizeof(*r));
	r->ops = ops;
	tfrc_rx_history_init(&r->history);
	tfrc_receiver_set_rtt(r, rtt);
}
EXPORT_SYMBOL_GPL(tfrc_receiver_init);

/**
 * tfrc_receiver_set_rtt - set the round-trip time R
 * @r: receiver
 * @rtt: ns, of any value; 0: it is not known
 *
 * Context: any
 */
void tfrc_receiver_set_rtt(struct tfrc_receiver *r, u64 rtt)
{
	r->rtt = rtt ? clamp(rtt, TFRC_RTT_MIN, TFRC_RTT_MAX) : 0;
}
EXPORT_SYMBOL_GPL(tfrc_receiver_set_rtt);

/**
 * tfrc_receiver_set_recovery - choose whether loss events have a recovery point
 * @r: receiver
 * @on: they have; the default is false: they last for R (RFC 5348, 5.2)
 *
 * Context: any
 */
void tfrc_receiver_set_recovery(struct tfrc_receiver *r, bool on)
{
	r->recovery = on;
	if (!on)
		tfrc_rx_history_forget(&r->history);
}
EXPORT_SYMBOL_GPL(tfrc_receiver_set_recovery);

/**
 * tfrc_receiver_x_target - the rate that the p of the first loss interval allows
 * @r: receiver, at its first loss event
 * @now: ns
 *
 * X_target stands for half of the rate that was sent. On a long path the first losses may
 * come in the first round trip, when X_recv is only what has come of it so far. The sender
 * begins with the initial rate there, so X_target is at least half of that; unless the
 * first packet was lost, or there was more than one event. Half of the initial rate is
 * allowed to a sender that began with less, too.
 *
 * Context: any
 * Return: the greatest receive rate so far, but at least half a packet in R, or half of
 * the initial rate on a long path
 * Source: RFC 5348, 6.3.1
 */
u64 tfrc_receiver_x_target(const struct tfrc_receiver *r, u64 now)
{
	u32 s = tfrc_receiver_size(r);
	u64 rtt = tfrc_receiver_rtt(r), least;

	if (rtt > TFRC_RTT_LONG && r->history.events == 1 && r->history.event_data)
		least = tfrc_initial_rate(s, rtt) / 2;
	else
		least = tfrc_mul_div(s, TFRC_RATE(TFRC_NSEC_PER_SEC), 2 * rtt);
	return max3(least, r->x_max, tfrc_rate_meter_rate(&r->meter, rtt, now));
}
EXPORT_SYMBOL_GPL(tfrc_receiver_x_target);

/**
 * tfrc_receiver_first_interval - set the first loss interval
 * @r: receiver
 * @li: its loss intervals
 * @p: loss event rate that allows tfrc_receiver_x_target(), of any value
 *
 * If more than n loss events came at once, the first interval is already forgotten, and
 * this does nothing.
 *
 * Context: any
 * Source: RFC 5348, 6.3.1
 */
void tfrc_receiver_first_interval(const struct tfrc_receiver *r,
				  struct tfrc_loss_intervals *li, u64 p)
{
	p = max(p, 1ULL);
	if (r->history.events <= li->n)
		tfrc_loss_intervals_seed(li, div64_u64(TFRC_P_ONE + p / 2, p));
}
EXPORT_SYMBOL_GPL(tfrc_receiver_first_interval);

/**
 * tfrc_receiver_first_tfrc - set the first loss interval by TFRC's equation
 * @r: receiver, at its first loss event
 * @li: its loss intervals
 * @now: ns
 *
 * Context: any
 */
void tfrc_receiver_first_tfrc(const struct tfrc_receiver *r,
			      struct tfrc_loss_intervals *li, u64 now)
{
	u64 p = tfrc_calc_p(tfrc_receiver_size(r), tfrc_receiver_rtt(r),
			    tfrc_receiver_x_target(r, now));

	tfrc_receiver_first_interval(r, li, p);
}
EXPORT_SYMBOL_GPL(tfrc_receiver_first_tfrc);

/**
 * tfrc_receiver_p - present loss event rate
 * @r: receiver
 * @li: its loss intervals
 *
 * Context: any
 * Return: p
 */
u64 tfrc_receiver_p(const struct tfrc_receiver *r,
		    const struct tfrc_loss_intervals *li)
{
	return tfrc_loss_intervals_p(li, tfrc_rx_history_open(&r->history));
}
EXPORT_SYMBOL_GPL(tfrc_receiver_p);

/**
 * tfrc_receiver_x_recv - receive rate to report, and start to measure the next one
 * @r: receiver
 * @now: ns
 *
 * Context: any. Called by the operation report.
 * Return: X_recv
 */
u64 tfrc_receiver_x_recv(struct tfrc_receiver *r, u64 now)
{
	u64 rtt = tfrc_receiver_rtt(r);
	u64 x_recv = tfrc_rate_meter_rate(&r->meter, rtt, now);

	tfrc_rate_meter_mark(&r->meter, rtt / TFRC_RATE_MARKS, now);
	return x_recv;
}
EXPORT_SYMBOL_GPL(tfrc_receiver_x_recv);

/**
 * tfrc_receiver_stamp - fill in the times of a report when it is sent
 * @r: receiver
 * @now: when the report is sent, ns
 * @fb: Elapsed Time and time of arrival are filled in: of the newest packet,
 *	as this is what a DCCP-Ack acknowledges
 *
 * Context: any
 * Source: RFC 4340, 13.2; RFC 4342, 8.2
 */
void tfrc_receiver_stamp(const struct tfrc_receiver *r, u64 now,
			 struct tfrc_feedback *fb)
{
	u64 arrived = r->history.newest_time;

	fb->elapsed_us = 0;
	if (now > arrived)
		fb->elapsed_us = min_t(u64, div_u64(now - arrived,
						    TFRC_NSEC_PER_USEC),
				       U32_MAX);
	fb->arrival_us = (u32)div_u64(arrived, TFRC_NSEC_PER_USEC);
}
EXPORT_SYMBOL_GPL(tfrc_receiver_stamp);

/**
 * tfrc_receiver_report - make a report
 * @r: receiver
 * @now: ns
 * @fb: filled in, but for the times, see tfrc_receiver_stamp()
 *
 * Context: any
 * Source: RFC 5348, 6.2; RFC 4342, 8.2, 8.3 and 8.5
 */
void tfrc_receiver_report(struct tfrc_receiver *r, u64 now,
			  struct tfrc_feedback *fb)
{
	fb->lost = r->history.lost;
	fb->marked = r->history.marked;
	fb->l4s = r->l4s;
	r->ops->report(r, fb, now);

	r->x_recv = fb->x_recv;
	r->x_max = max(r->x_max, r->x_recv);
	r->t_report = now;
	r->reported = r->packets;
	r->feedbacks++;
}
EXPORT_SYMBOL_GPL(tfrc_receiver_report);

/**
 * tfrc_receiver_sent - a report was sent
 * @r: receiver
 * @seq: sequence number of the packet that carries it
 *
 * Context: any
 */
void tfrc_receiver_sent(struct tfrc_receiver *r, u64 seq)
{
	if (r->recovery)
		tfrc_rx_history_reported(&r->history, seq);
}
EXPORT_SYMBOL_GPL(tfrc_receiver_sent);
