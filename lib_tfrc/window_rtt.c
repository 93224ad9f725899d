// SPDX-License-Identifier: GPL-2.0-only
/*
 * Round-trip time at the receiver, from the window counter.
 *
 * The sender adds one to the counter in CCVal of its data packets each quarter
 * of its round-trip time R (RFC 4342, 8.1): it sends a packet with a new value
 * d ahead as soon as d quarters have passed since it sent the first one with
 * the old value, but with no more than 5, however long it paused.
 *
 *	counter	  7   7   7   7   8   8   8   8   9
 *		  |<---quiet-->|  |
 *		  |<----took----->|
 *
 * So a single step is no sample: a sender of few packets passes the quarter
 * long before it sends. But it bounds R from both sides. From the first packet
 * with the old value until the first with the new one d quarters have passed,
 * and less than d + 1, while until the last packet with the old value less than
 * one had:
 *
 *	max(d * quiet, took * d / (d + 1)) < d * R / 4 <= took
 *
 * At an acknowledgment the sender steps to four values ahead of the packet that was
 * acknowledged (window_counter.c), maybe before these quarters have passed: its R is
 * greater than the round trip. Such a step took less than d times the quiet time.
 * What it took counts: four values together take a round trip.
 *
 * Both bounds are summed up until they cover an RTT. The estimate, smoothed as
 * usual, moves no further than these sums ask for: a fast flow measures R, and
 * a slow one corrects a wrong initial value but does not spoil a good one.
 *
 * A step of 5 or more is a pause, and tells nothing. A packet missing right
 * before one of the two ends could have been the end itself, so that such a
 * step is left out; one missing in between does no harm, unless there are so
 * many that the counter, at most 5 a packet, could have gone all the way round.
 * Packets that arrive late or twice are ignored.
 */
#include <linux/export.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/types.h>
#include <net/tfrc.h>

#define RTT_QUARTERS	4
#define STEP_PAUSE	5
#define PACKETS_ROUND	3	/* with the next one, 4 * 5 > 16 values */

static void update_rtt(struct tfrc_window_rtt *w)
{
	u64 least = div_u64(w->min * RTT_QUARTERS, w->quarters);
	u64 most = div_u64(w->max * RTT_QUARTERS, w->quarters);

	least = clamp(least, TFRC_RTT_MIN, TFRC_RTT_MAX);
	most = clamp(most, TFRC_RTT_MIN, TFRC_RTT_MAX);
	if (!w->rtt)
		w->rtt = (least + most) / 2;
	else if (w->rtt < least)
		w->rtt += (least - w->rtt) / 8;
	else if (w->rtt > most)
		w->rtt -= (w->rtt - most) / 8;

	w->min = 0;
	w->max = 0;
	w->quarters = 0;
}

/* from the first packet with the old counter to the first with the new one */
static void step_taken(struct tfrc_window_rtt *w, u8 step, u64 now)
{
	u64 took = now - w->first;
	u64 quiet = w->time - w->first;

	w->min += min(took, max(step * quiet, div_u64(step * took, step + 1)));
	w->max += took;
	w->quarters += step;
	if (w->quarters >= RTT_QUARTERS)
		update_rtt(w);
}

/**
 * tfrc_window_rtt_init - start with what is known
 * @w: estimator
 * @rtt: round-trip time of the handshake, ns, or 0 if there is none
 *
 * Context: any
 */
void tfrc_window_rtt_init(struct tfrc_window_rtt *w, u64 rtt)
{
	memset(w, 0, sizeof(*w));
	if (rtt)
		w->rtt = clamp(rtt, TFRC_RTT_MIN, TFRC_RTT_MAX);
}
EXPORT_SYMBOL_GPL(tfrc_window_rtt_init);

/**
 * tfrc_window_rtt_add - a packet has arrived
 * @w: estimator
 * @pkt: the packet, data or not
 * @now: time of arrival, ns
 *
 * Context: any
 * Source: RFC 4342, 8.1
 */
void tfrc_window_rtt_add(struct tfrc_window_rtt *w,
			 const struct tfrc_rx_packet *pkt, u64 now)
{
	s64 ahead = (s64)((pkt->seq - w->seq) << 16) >> 16;
	u8 ccval = pkt->ccval & 0xf;
	u8 step = (ccval - w->ccval) & 0xf;
	u64 missing;

	if (!w->started) {
		if (!pkt->is_data)
			return;
		/* maybe not the first with this counter: begin with the next */
		w->started = true;
		w->whole = false;
		step = 0;
		ahead = 1;
	}
	if (ahead <= 0)
		return;

	w->seq = pkt->seq;
	w->missing += ahead - 1 - min_t(u64, ahead - 1, pkt->ndp);
	if (!pkt->is_data)
		return;
	missing = w->missing;
	w->missing = 0;

	if (step) {
		if (w->whole && !missing && step < STEP_PAUSE)
			step_taken(w, step, now);
		w->whole = !missing;
		w->first = now;
	} else if (missing >= PACKETS_ROUND) {
		w->whole = false;
	}
	w->ccval = ccval;
	w->time = now;
}
EXPORT_SYMBOL_GPL(tfrc_window_rtt_add);

/**
 * tfrc_window_rtt_get - round-trip time to work with
 * @w: estimator
 *
 * Context: any
 * Return: the estimate, or TFRC_RTT_FALLBACK, ns
 */
u64 tfrc_window_rtt_get(const struct tfrc_window_rtt *w)
{
	return w->rtt ?: TFRC_RTT_FALLBACK;
}
EXPORT_SYMBOL_GPL(tfrc_window_rtt_get);
