// SPDX-License-Identifier: GPL-2.0-only
/*
 * When was a packet sent, and did the rate hold it back?
 *
 * A receiver acknowledges about one packet in each round trip, any one of the
 * thousands that may be under way. To remember each of them would need memory
 * that grows with the rate. Instead, packets that are sent within a sixteenth
 * of a round trip form a run, of which only the first and the last send time
 * are kept; those between are interpolated. A ring of 64 runs covers the last
 * four round trips in constant space, and is never wrong by more than the
 * sixteenth (a paced sender spaces its packets evenly and gets far closer).
 */
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <net/tfrc.h>

#define TFRC_RUNS_PER_RTT	16

/* Signed distance from @a to @b in the space of 48-bit sequence numbers. */
static s64 tfrc_seq_distance(u64 a, u64 b)
{
	return (s64)((b - a) << 16) >> 16;
}

/**
 * tfrc_tx_history_add - a data packet is being sent
 * @h: history, zeroed before its first use
 * @seq: sequence number of the packet
 * @rtt: round-trip time, sets how fine the history is
 * @limited: the packet was ready earlier, but the rate held it back
 * @now: time
 *
 * Context: any, @h locked by the caller. Constant time.
 */
void tfrc_tx_history_add(struct tfrc_tx_history *h, u64 seq, u64 rtt,
			 bool limited, u64 now)
{
	struct tfrc_tx_run *run = &h->run[(h->head - 1) % TFRC_TX_RUNS];
	u64 span = 0;

	if (h->head)
		span = tfrc_seq_distance(run->seq, seq);
	else
		h->acked = seq - 1;

	if (!h->head || span > U32_MAX || now - run->time > U32_MAX ||
	    now - run->time > div_u64(rtt, TFRC_RUNS_PER_RTT)) {
		run = &h->run[h->head++ % TFRC_TX_RUNS];
		run->seq = seq;
		run->time = now;
		run->limited = false;
		span = 0;
	}
	run->span = span;
	run->duration = now - run->time;
	run->limited |= limited;
}
EXPORT_SYMBOL_GPL(tfrc_tx_history_add);

/**
 * tfrc_tx_history_ack - look up a packet that was acknowledged
 * @h: history
 * @seq: acknowledgment number, of a packet that was sent
 * @sent: set to the time at which the packet was sent, 0 if that is not known:
 *	it carried no data, or was sent too long ago
 * @limited: set if the rate held back a packet since the one acknowledged
 *	before, up to this one: the interval was not data-limited
 *
 * Context: any, @h locked by the caller. At most TFRC_TX_RUNS steps.
 * Return: true if @seq is newer than any number before: feedback counts once,
 *	however often it arrives, and in its order
 */
bool tfrc_tx_history_ack(struct tfrc_tx_history *h, u64 seq, u64 *sent,
			 bool *limited)
{
	u32 runs = min_t(u64, h->head, TFRC_TX_RUNS), i;

	if (!runs || tfrc_seq_distance(h->acked, seq) <= 0)
		return false;

	*sent = 0;
	*limited = false;
	for (i = 1; i <= runs; i++) {
		const struct tfrc_tx_run *run =
			&h->run[(h->head - i) % TFRC_TX_RUNS];
		s64 offset = tfrc_seq_distance(run->seq, seq);

		if (offset < 0)
			continue;
		if (offset <= run->span)
			*sent = run->time + (run->span ?
				tfrc_mul_div(run->duration, offset,
					     run->span) : 0);
		*limited |= run->limited;
		if (tfrc_seq_distance(h->acked, run->seq) <= 0)
			break;
	}
	h->acked = seq;
	return true;
}
EXPORT_SYMBOL_GPL(tfrc_tx_history_ack);
