// SPDX-License-Identifier: GPL-2.0-only
/*
 * Round-trip time at the receiver, from the window counter.
 *
 * The sender adds one to the counter in CCVal of its data packets in each quarter
 * of its round-trip time R (RFC 4342, 8.1). The first packet that is sent d quarters
 * or more after the first one with the old value has a value that is d ahead, but
 * at most 5 ahead, however long the sender paused.
 *
 *	counter	  7   7   7   7   8   8   8   8   9
 *		  |<---quiet-->|  |
 *		  |<----took----->|
 *
 * A step is no sample of R, because a slow sender sends its next packet long after
 * the quarter is over. But it bounds R from both sides. From the first packet with
 * the old value to the first one with the new value it takes d quarters or more,
 * and less than d + 1. To the last packet with the old value it takes less than
 * one:
 *
 *	max(d * quiet, took * d / (d + 1)) < d * R / 4 <= took
 *
 * At an acknowledgment the sender steps to four values ahead of the packet that was
 * acknowledged (window_counter.c). If its R is greater than the round trip, this is
 * before these quarters have passed. Such a step takes less than d times the quiet
 * time. Then the time that it took counts, because four values take a round trip.
 *
 * Both bounds are summed up until they cover an RTT. The smoothed estimate moves
 * only until it is within these sums. So a fast flow measures R, and a slow one
 * corrects a wrong initial value but does not change a right one.
 *
 * A step of 5 is a pause, which may be as long as it likes: R is at most four
 * fifths of it. A source whose packets are more than 5/4 R apart makes no other
 * steps. A packet that was late makes the pause after it too short, so the
 * longest of 16 pauses counts. It corrects an R of the handshake that is too
 * long, and does not change another one.
 *
 * If a packet is missing right before one of the two ends of a step, it may
 * have been the end itself, so the step does not count. A packet missing in
 * between does no harm, unless so many are missing that the counter, at 5 for
 * each packet, could have wrapped. Packets that arrive late or twice are
 * ignored.
 */
#include <linux/export.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/types.h>
#include <net/tfrc.h>

#define RTT_QUARTERS	4
#define STEP_PAUSE	5
#define PAUSES		16
#define PACKETS_ROUND	3	/* 4 with the next one: 4 * 5 > 16 values */

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

/* A step of 5 took so long. */
static void pause_taken(struct tfrc_window_rtt *w, u64 took)
{
	w->pause = max(w->pause, took);
	if (++w->pauses < PAUSES)
		return;
	w->rtt = clamp(div_u64(w->pause * RTT_QUARTERS, STEP_PAUSE),
		       TFRC_RTT_MIN, tfrc_window_rtt_get(w));
	w->pause = 0;
	w->pauses = 0;
}

/* A step is complete: the first packet with the new value has arrived. */
static void step_taken(struct tfrc_window_rtt *w, u8 step, u64 now)
{
	u64 took = now - w->first;
	u64 quiet = w->time - w->first;

	if (step == STEP_PAUSE) {
		pause_taken(w, took);
		return;
	}
	w->min += min(took, max(step * quiet, div_u64(step * took, step + 1)));
	w->max += took;
	w->quarters += step;
	if (w->quarters >= RTT_QUARTERS)
		update_rtt(w);
}

/**
 * tfrc_window_rtt_init - start with the round-trip time of the handshake
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
		/* Earlier packets with this value may be missing: begin with the next value. */
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
		if (w->whole && !missing && step <= STEP_PAUSE)
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
 * tfrc_window_rtt_get - the estimate, or a default while there is none
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
