// SPDX-License-Identifier: GPL-2.0-only
/*
 * When was a packet sent, and did the rate hold it back?
 *
 * A receiver acknowledges about one packet in each round trip, any one of the
 * thousands that may be under way. To remember each of them would need memory
 * that grows with the rate. Instead, packets that are sent within an eighth of a
 * round trip form a run. Of a run the history keeps the first packet and its
 * send time, and the steepest line from there that no packet of the run was sent
 * before:
 *
 *	time |             x   .
 *	     |        x .  (line)
 *	     |    x .
 *	     |  x
 *	     +------------------- sequence number
 *
 * A send time is read off that line. So it may be too early, by an eighth of a
 * round trip at most, but is never too late: a sample is never too small. For
 * packets that were evenly spaced it is exact, as it is for the newest one.
 *
 * A ring of 32 runs covers the last four round trips in constant space. If the
 * round-trip time has grown beyond that, an acknowledgment is for a packet that
 * is older than all of them: then the oldest run's time bounds the sample from
 * below. Such a bound raises R, and with it the time that the ring covers, by a
 * fifth with each report, until the packets that are acknowledged are found.
 */
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <net/tfrc.h>

#define TFRC_RUNS_PER_RTT	8

/* Signed distance from @a to @b in the space of 48-bit sequence numbers. */
static s64 tfrc_seq_distance(u64 a, u64 b)
{
	return (s64)((b - a) << 16) >> 16;
}

static struct tfrc_tx_run *tfrc_tx_run(struct tfrc_tx_history *h, u64 i)
{
	return &h->run[i % TFRC_TX_RUNS];
}

/* The oldest run gives its place to a new one. */
static void tfrc_tx_history_forget(struct tfrc_tx_history *h,
				   const struct tfrc_tx_run *run)
{
	u64 last = run->seq + run->span;

	h->forgot_limited |= run->limited &&
			     tfrc_seq_distance(h->acked, last) > 0;
}

/* Nothing that is @offset after the first packet was sent earlier than @after it. */
static void tfrc_tx_run_hold(struct tfrc_tx_run *run, u64 offset, u64 after)
{
	if (run->slope * offset > after)
		run->slope = div64_u64(after, offset);
}

/**
 * tfrc_tx_history_add - a data packet is being sent
 * @h: history, zeroed before its first use
 * @seq: sequence number of the packet, greater than those before
 * @rtt: round-trip time R, sets how fine the history is
 * @limited: the packet was ready earlier, but the rate held it back
 * @now: time
 *
 * Context: any, @h locked by the caller. Constant time.
 */
void tfrc_tx_history_add(struct tfrc_tx_history *h, u64 seq, u64 rtt,
			 bool limited, u64 now)
{
	struct tfrc_tx_run *run = tfrc_tx_run(h, h->head - 1);
	u64 offset = 0, after = now - run->time;

	if (h->head)
		offset = tfrc_seq_distance(run->seq, seq);
	else
		h->acked = seq - 1;

	if (!h->head || offset > U32_MAX ||
	    after > min(rtt, TFRC_RTT_MAX) / TFRC_RUNS_PER_RTT) {
		run = tfrc_tx_run(h, h->head++);
		if (h->head > TFRC_TX_RUNS)
			tfrc_tx_history_forget(h, run);
		*run = (struct tfrc_tx_run) {
			.seq = seq, .time = now, .slope = U32_MAX,
		};
		offset = 0;
	} else {
		/* Numbers without data in between may have followed at once. */
		if (offset > run->span + 1)
			tfrc_tx_run_hold(run, offset - 1, h->last - run->time);
		tfrc_tx_run_hold(run, offset, after);
	}
	run->span = offset;
	run->limited |= limited;
	h->last = now;
}
EXPORT_SYMBOL_GPL(tfrc_tx_history_add);

/**
 * tfrc_tx_history_ack - look up a packet that was acknowledged
 * @h: history
 * @seq: acknowledgment number, of a packet that was sent
 * @ack: set to what is known of it
 *
 * Context: any, @h locked by the caller. At most TFRC_TX_RUNS steps.
 * Return: true if @seq is newer than any number before: feedback counts once,
 *	however often it arrives, and in its order
 */
bool tfrc_tx_history_ack(struct tfrc_tx_history *h, u64 seq,
			 struct tfrc_tx_ack *ack)
{
	u32 runs = min_t(u64, h->head, TFRC_TX_RUNS), i;
	const struct tfrc_tx_run *run;
	s64 offset = -1;

	if (!runs || tfrc_seq_distance(h->acked, seq) <= 0)
		return false;

	*ack = (struct tfrc_tx_ack) { };
	for (i = 1; i <= runs; i++) {
		s64 beyond = offset;

		run = tfrc_tx_run(h, h->head - i);
		offset = tfrc_seq_distance(run->seq, seq);
		if (offset < 0)
			continue;
		/* the newest run that does not begin after @seq has it, or none */
		if (beyond < 0 && offset <= run->span)
			ack->sent = i == 1 && offset == run->span ?
				h->last : run->time + run->slope * offset;
		ack->limited |= run->limited;
		if (tfrc_seq_distance(h->acked, run->seq) <= 0)
			break;
	}
	if (offset < 0) {
		ack->sent = run->time;
		ack->older = true;
	}
	/* what the rate did to packets between these two may be forgotten */
	if (i > runs)
		ack->limited |= h->forgot_limited;
	if (!ack->older)
		h->forgot_limited = false;
	h->acked = seq;
	return true;
}
EXPORT_SYMBOL_GPL(tfrc_tx_history_ack);

/**
 * tfrc_tx_ack_sample - round-trip time that an acknowledgment measures
 * @ack: what is known of the packet acknowledged
 * @elapsed: for how long its receiver kept it, by its own word, ns
 * @rtt: round-trip time R so far
 * @now: time at which the acknowledgment came
 *
 * @elapsed is the receiver's word alone, and the less R is, the faster we send: half
 * of the time is all that it is good for. Where it is more, the rest is a bound from
 * below, which counts if it is above R; and half of the time is one from above, which
 * counts if it is below R.
 *
 * Context: any
 * Source: RFC 5348, 4.3, step 1
 * Return: R_sample in ns, or 0 if there is none
 */
u64 tfrc_tx_ack_sample(const struct tfrc_tx_ack *ack, u64 elapsed, u64 rtt,
		       u64 now)
{
	u64 took = now - ack->sent, least = took - min(elapsed, took);

	if (!ack->sent)
		return 0;
	if (!ack->older && elapsed <= took / 2)
		return least;
	/* It was no less than this, which counts if it is above R, ... */
	if (least > rtt)
		return least;
	/* ... and no more than half of the time, by the rule, if that is below R. */
	return !ack->older && took / 2 < rtt ? took / 2 : 0;
}
EXPORT_SYMBOL_GPL(tfrc_tx_ack_sample);
