// SPDX-License-Identifier: GPL-2.0-only
/*
 * The window counter of the sender (RFC 4342, 8.1).
 *
 * CCVal of a data packet counts quarters of a round trip R. From one data packet to
 * the next it grows by at most five, because CCVal has only 16 values. The receiver
 * sends a report whenever the counter has grown by four.
 *
 * An acknowledgment of a packet with the value WC shows that a round trip has passed
 * since that packet. So the next packets have WC + 4 at least. While R is the time of
 * a round trip, they have that value anyway. If R is greater, as after a queue has
 * drained, this rule makes the receiver still report once in a round trip, so R
 * follows soon. But R is at least TFRC_RTT_MIN, and does not follow below that. There
 * the rule would only have the receiver report on each packet, so it does not apply.
 *
 * So a step of d values takes d R / 4 or, at an acknowledgment, less. But from the
 * first packet with a value to the first one that is four or more ahead, at least a
 * round trip or R passes.
 */
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <net/tfrc.h>

#define TFRC_WC_ROUND		4	/* values in a round trip */
#define TFRC_WC_STEP_MAX	5

static s64 tfrc_wc_distance(u64 a, u64 b)
{
	return (s64)((b - a) << 16) >> 16;
}

/**
 * tfrc_window_counter_next - value for a data packet that is about to be sent
 * @w: the counter, zeroed before its first use
 * @rtt: round-trip time R, ns, not 0
 * @now: time
 *
 * The packet need not be sent afterwards.
 *
 * Context: any, @w locked by the caller.
 * Return: CCVal
 */
u8 tfrc_window_counter_next(struct tfrc_window_counter *w, u64 rtt, u64 now)
{
	u64 passed = now - w->time;

	w->next = w->value;
	if (!w->changes)
		return w->next & 0xf;
	/* Most packets are sent before the quarter is over, and need no division. */
	if (passed >= rtt / TFRC_WC_ROUND)
		w->next += min_t(u64, div64_u64(TFRC_WC_ROUND *
						min(passed, 2 * TFRC_RTT_MAX), rtt),
				 TFRC_WC_STEP_MAX);
	if ((s16)(w->least - w->next) > 0)
		w->next = w->least;
	return w->next & 0xf;
}
EXPORT_SYMBOL_GPL(tfrc_window_counter_next);

/**
 * tfrc_window_counter_sent - the packet of tfrc_window_counter_next() was sent
 * @w: the counter
 * @seq: sequence number of the packet
 * @now: time, the same as for tfrc_window_counter_next()
 *
 * Context: any, @w locked by the caller.
 */
void tfrc_window_counter_sent(struct tfrc_window_counter *w, u64 seq, u64 now)
{
	if (w->changes && w->next == w->value)
		return;
	w->value = w->next;
	if ((s16)(w->value - w->least) > 0)
		w->least = w->value;
	w->time = now;
	w->change[w->changes++ % TFRC_WC_CHANGES] = (struct tfrc_wc_change) {
		.seq = seq, .value = w->value,
	};
}
EXPORT_SYMBOL_GPL(tfrc_window_counter_sent);

/**
 * tfrc_window_counter_acked - a packet was acknowledged
 * @w: the counter
 * @seq: its sequence number
 * @rtt: round-trip time R, ns
 *
 * Each of the last four changes added at least one. So a packet that was sent before
 * them has a value that is already four behind, and changes nothing.
 *
 * Context: any, @w locked by the caller.
 */
void tfrc_window_counter_acked(struct tfrc_window_counter *w, u64 seq, u64 rtt)
{
	u32 n = min_t(u32, w->changes, TFRC_WC_CHANGES), i;

	if (rtt <= TFRC_RTT_MIN)
		return;
	for (i = 1; i <= n; i++) {
		const struct tfrc_wc_change *c =
			&w->change[(w->changes - i) % TFRC_WC_CHANGES];

		if (tfrc_wc_distance(c->seq, seq) < 0)
			continue;
		if ((s16)(c->value + TFRC_WC_ROUND - w->least) > 0)
			w->least = c->value + TFRC_WC_ROUND;
		return;
	}
}
EXPORT_SYMBOL_GPL(tfrc_window_counter_acked);
