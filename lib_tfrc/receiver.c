// SPDX-License-Identifier: GPL-2.0-only
/*
 * The TFRC receiver as an algorithm: packets in, reports out.
 *
 *	packet --+--> rx_history ----> loss_intervals --> p -------+
 *	         +--> rate_meter -----------------------> X_recv --+--> report
 *	         +--> window_rtt ----> R (events, least interval)  |
 *	         +--> is a report due? ----------------------------+
 *
 * A report is due (RFC 4342, 6; RFC 5348, 6.1)
 *
 *  - with the first data packet: p = 0 and X_recv = 0, so that the sender has
 *    its first RTT sample;
 *  - when the window counter is 4 or more quarters of an RTT ahead of where it
 *    was at the last report;
 *  - at once with a new loss event, lost or marked;
 *  - when two RTTs by our own clock have passed, for a sender whose counter
 *    stands still or wraps through losses.
 *
 * It is always a packet that makes a report due: without any there is nothing
 * to report. A report that could not be sent stays due.
 *
 * A scheme in which the receiver decides says itself when a report is due. R is
 * then what it sets the window estimator to, since CCVal has another meaning.
 *
 * What arrived before the first loss event makes no loss interval, because
 * slow start had been doubling the rate. In its place comes the interval whose
 * p allows just the greatest X_recv so far (RFC 5348, 6.3.1), by the inverse of
 * the scheme's own equation.
 */
#include <linux/export.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/types.h>
#include <net/tfrc.h>

#define REPORT_QUARTERS		4
#define REPORT_RTTS		2

/* S_SHIFT bits of fraction; what is new gets a weight of 1 in 8 */
#define S_SHIFT			8

static u32 packet_size(const struct tfrc_receiver *r)
{
	return max(r->s >> S_SHIFT, 1U);
}

static void update_packet_size(struct tfrc_receiver *r, u32 len)
{
	/* no packet is longer than what a 16-bit length can say */
	u32 s = min_t(u32, len, U16_MAX) << S_SHIFT;

	r->s = r->packets ? r->s - r->s / 8 + s / 8 : s;
}

static u64 first_interval(const struct tfrc_receiver *r, u64 rtt, u64 now)
{
	u64 (*calc_p)(void *priv, u32 s, u64 rtt, u64 x) =
		r->scheme ? r->scheme->calc_p : NULL;
	u32 s = packet_size(r);
	u64 x, p;

	/* X_target is at least half a packet in R (RFC 5348, 6.3.1) */
	x = tfrc_mul_div(s, TFRC_RATE(TFRC_NSEC_PER_SEC), 2 * rtt);
	x = max3(x, r->x_max, tfrc_rate_meter_rate(&r->meter, rtt, now));

	p = calc_p ? calc_p(r->priv, s, rtt, x) : tfrc_calc_p(s, rtt, x);
	p = max(p, 1ULL);
	return div64_u64(TFRC_P_ONE + p / 2, p);
}

static bool scheme_decides(const struct tfrc_receiver *r)
{
	return r->scheme && r->scheme->packet;
}

/* scaled by 2^32, which one packet in 2^32 still makes 1 */
static u32 loss_share(u64 lost, u64 data)
{
	return data ? min_t(u64, tfrc_mul_div(lost, 1ULL << 32, data),
			    U32_MAX) : 0;
}

/* a new data packet: does its window counter or its time ask for a report? */
static bool interval_over(const struct tfrc_receiver *r, u64 rtt, u64 now)
{
	return ((r->ccval - r->report_ccval) & 0xf) >= REPORT_QUARTERS ||
	       now >= r->t_report + REPORT_RTTS * rtt;
}

/**
 * tfrc_receiver_init - start before the first packet
 * @r: receiver
 * @n: number of loss intervals to average, taken as the nearest of 2 to
 *	TFRC_LI_MAX
 * @scheme: what the scheme does differently, or NULL; calc_p is used, and what
 *	is for a receiver that decides
 * @priv: passed to the scheme
 * @rtt: round-trip time of the handshake, ns, or 0 if there is none
 *
 * Context: any
 */
void tfrc_receiver_init(struct tfrc_receiver *r, u32 n,
			const struct tfrc_scheme *scheme, void *priv, u64 rtt)
{
	memset(r, 0, sizeof(*r));
	r->scheme = scheme;
	r->priv = priv;
	tfrc_rx_history_init(&r->history);
	tfrc_loss_intervals_init(&r->intervals, n);
	tfrc_window_rtt_init(&r->window, rtt);
}
EXPORT_SYMBOL_GPL(tfrc_receiver_init);

/**
 * tfrc_receiver_packet - a packet has arrived
 * @r: receiver
 * @pkt: the packet, data or not: all that take a sequence number
 * @now: time of arrival, ns
 *
 * Context: any
 * Return: true if a report is due now
 * Source: RFC 5348, 6.1; RFC 4342, 6
 */
bool tfrc_receiver_packet(struct tfrc_receiver *r,
			  const struct tfrc_rx_packet *pkt, u64 now)
{
	u64 rtt = tfrc_window_rtt_get(&r->window);
	u64 events = r->history.events;

	if (!tfrc_rx_history_add(&r->history, &r->intervals, pkt, rtt, now))
		return false;
	if (!scheme_decides(r))
		tfrc_window_rtt_add(&r->window, pkt, now);

	if (pkt->is_data) {
		update_packet_size(r, pkt->len);
		if (!r->packets) {
			tfrc_rate_meter_init(&r->meter, now);
			r->due = true;
		} else {
			tfrc_rate_meter_add(&r->meter, pkt->len, rtt, now);
		}
		r->packets++;
		r->bytes += pkt->len;

		if (r->history.newest == pkt->seq) {
			r->ccval = pkt->ccval & 0xf;
			r->due |= interval_over(r, rtt, now);
		}
	}

	if (r->history.events != events) {
		r->due = true;
		/* unless so many events came at once that it was pushed out */
		if (!events && r->history.events <= r->intervals.n)
			tfrc_loss_intervals_seed(&r->intervals,
						 first_interval(r, rtt, now));
	}
	if (scheme_decides(r))
		r->due = r->scheme->packet(r->priv, r, pkt, now);
	return r->due;
}
EXPORT_SYMBOL_GPL(tfrc_receiver_packet);

/**
 * tfrc_receiver_report - fill in a report and start the next interval
 * @r: receiver
 * @now: ns
 * @fb: filled in
 *
 * Context: any
 * Source: RFC 5348, 6.2; RFC 4342, 8.2, 8.3 and 8.5
 */
void tfrc_receiver_report(struct tfrc_receiver *r, u64 now,
			  struct tfrc_feedback *fb)
{
	u64 rtt = tfrc_window_rtt_get(&r->window);
	u64 arrived = r->history.newest_time;

	r->p = tfrc_loss_intervals_p(&r->intervals,
				     tfrc_rx_history_open(&r->history));
	r->x_recv = tfrc_rate_meter_rate(&r->meter, rtt, now);

	fb->p = r->p;
	fb->x_recv = r->x_recv;
	fb->elapsed_us = 0;
	if (now > arrived)
		fb->elapsed_us = min_t(u64, div_u64(now - arrived,
						    TFRC_NSEC_PER_USEC),
				       U32_MAX);
	fb->lost = r->history.lost;
	fb->marked = r->history.marked;
	fb->loss = loss_share(r->history.lost - r->report_lost,
			      r->history.data - r->report_data);
	fb->x_pair = 0;
	if (scheme_decides(r)) {
		r->scheme->report(r->priv, r, fb, now);
		r->x_recv = fb->x_recv;
	}
	r->x_max = max(r->x_max, r->x_recv);

	tfrc_rate_meter_mark(&r->meter, rtt / TFRC_RATE_MARKS, now);
	r->t_report = now;
	r->report_data = r->history.data;
	r->report_lost = r->history.lost;
	r->report_ccval = r->ccval;
	r->feedbacks++;
	r->due = false;
}
EXPORT_SYMBOL_GPL(tfrc_receiver_report);
