// SPDX-License-Identifier: GPL-2.0-only
/*
 * Send times of packets, and whether the pacer held them back.
 *
 * A receiver acknowledges about one packet in a round trip, which may be any of
 * thousands in flight. The memory for the send time of each would grow with the rate.
 * Instead, the packets that are sent within an eighth of a round trip form a run.
 * The history keeps the first packet of a run with its send time, and the slope of a
 * line from there. The line is the steepest that is never later than a real send time:
 *
 *	time |             x   .
 *	     |        x .  (line)
 *	     |    x .
 *	     |  x
 *	     +------------------- sequence number
 *
 * The history takes a send time from this line. It may be too early by up to an
 * eighth of a round trip, but it is never too late, so an RTT sample is never too
 * small. It is exact for evenly spaced packets, and for the newest packet.
 *
 * A ring of 32 runs covers the last four round trips in constant space. If the
 * round-trip time has become longer than that, the acknowledged packet is older than
 * all runs. Then the time of the oldest run is a lower bound of the sample. Such a
 * bound raises R by a fifth with each report, and with R the time that the ring covers,
 * until the ring covers the acknowledged packets.
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

/* A new run takes the place of the oldest one. */
static void tfrc_tx_history_forget(struct tfrc_tx_history *h,
				   const struct tfrc_tx_run *run)
{
	u64 last = run->seq + run->span;

	h->forgot_limited |= run->limited &&
			     tfrc_seq_distance(h->acked, last) > 0;
}

/* Reduce the slope so that the line at @offset is not later than @after. */
static void tfrc_tx_run_hold(struct tfrc_tx_run *run, u64 offset, u64 after)
{
	if (run->slope * offset > after)
		run->slope = div64_u64(after, offset);
}

/**
 * tfrc_tx_history_add - a data packet is being sent
 * @h: history, zeroed before its first use
 * @seq: sequence number of the packet, greater than earlier ones
 * @rtt: round-trip time R; a run is an eighth of it
 * @limited: the packet was ready earlier, but the pacer held it back
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
		/* Packets without data in between may have been sent right after the last one. */
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
 * Return: true if @seq is newer than all earlier ones. So feedback counts once, however
 *	often it arrives, and only in order.
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
		/* If any run has @seq, it is the newest one that does not begin after it. */
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
	/* The runs of some packets between these two are gone. */
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
 * @elapsed: how long the receiver says it kept the packet, ns
 * @rtt: round-trip time R so far
 * @now: time at which the acknowledgment came
 *
 * A receiver can make R small, and so X great, by a false @elapsed. So @elapsed counts
 * for at most half of the time since the packet was sent. If it is more, the time
 * without @elapsed is a lower bound of the sample, which counts if it is above R. Half
 * of the time is then an upper bound, which counts if it is below R.
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
	/* The lower bound */
	if (least > rtt)
		return least;
	/* The upper bound */
	return !ack->older && took / 2 < rtt ? took / 2 : 0;
}
EXPORT_SYMBOL_GPL(tfrc_tx_ack_sample);
