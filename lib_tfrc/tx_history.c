// SPDX-License-Identifier: GPL-2.0-only
/*
 * Send times of packets, and whether the pacer held them back.
 *
 * A receiver acknowledges about one packet in a round trip, which may be any of
 * thousands in flight. The memory for the send time of each would grow with the rate.
 * Instead, the packets that are sent within an eighth of a round trip form a run; of a long
 * round trip those within 25 ms, but at least a sixteenth.
 * The history keeps the first packet of a run with its send time, and the slope of a
 * line from there. The line is the steepest that is never later than a real send time:
 *
 *	time |             x   .
 *	     |        x .  (line)
 *	     |    x .
 *	     |  x
 *	     +------------------- sequence number
 *
 * The history takes a send time from this line. It may be too early by up to the length of
 * a run, but it is never too late, so an RTT sample is never too small. It is exact for evenly
 * spaced packets, for the first one of a run, and for the newest packet. With two frames of a
 * video in a run, the second one would look as if it had waited in a queue (delay.c). For packets
 * that the pacer sends together, the times are the nominal ones (tfrc_pacing_nominal()).
 *
 * A ring of 32 runs covers the last two to four round trips in constant space. If the
 * round-trip time has become longer than that, the acknowledged packet is older than
 * all runs. Then the time of the oldest run is a lower bound of the sample. Such a
 * bound raises R by a tenth or more with each report, and with R the time that the ring covers,
 * until the ring covers the acknowledged packets.
 *
 * A run has the low bits of its time and of its first sequence number. The others follow
 * from the newest packet, as long as neither time nor sequence numbers make a great step
 * between two packets. After such a step, and after nine minutes without data, the ring
 * begins anew.
 */
#include <linux/bits.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <net/tfrc.h>

#define TFRC_RUNS_PER_RTT	8

/* A run is no longer than this, so that two frames of a video are not in one. */
#define TFRC_RUN_FRAME		(25 * TFRC_NSEC_PER_MSEC)

#define TFRC_RUN_TIME_BITS	40
#define TFRC_RUN_SPAN_MAX	(BIT_ULL(21) - 1)
#define TFRC_RUN_HELD_MAX	3ULL

/* Greatest steps from packet to packet: 9 minutes, and so many sequence numbers */
#define TFRC_RUN_TIME_STEP	BIT_ULL(TFRC_RUN_TIME_BITS - 1)
#define TFRC_RUN_SEQ_STEP	BIT_ULL(24)

/* Time that a run lasts: with half as long ones the ring covers two round trips. */
static u64 tfrc_tx_run_length(u64 rtt)
{
	u64 most = min(rtt, TFRC_RTT_MAX) / TFRC_RUNS_PER_RTT;

	return clamp(TFRC_RUN_FRAME, most / 2, most);
}

static struct tfrc_tx_run *tfrc_tx_run(struct tfrc_tx_history *h, u64 i)
{
	return &h->run[i % TFRC_TX_RUNS];
}

static u32 tfrc_tx_runs(const struct tfrc_tx_history *h)
{
	return min_t(u64, h->head, TFRC_TX_RUNS);
}

/* When a run began, at most 2^40 ns before a time */
static u64 tfrc_tx_run_time(const struct tfrc_tx_run *run, u64 before)
{
	return before - ((before - run->time) & (BIT_ULL(TFRC_RUN_TIME_BITS) - 1));
}

/* Sequence numbers from the first packet of a run to @seq, which is near the newest one */
static s64 tfrc_tx_run_offset(const struct tfrc_tx_history *h,
			      const struct tfrc_tx_run *run, u64 seq)
{
	return tfrc_seq_distance(h->newest, seq) + (u32)(h->newest - run->seq);
}

/* Whether the pacer may have held back packets of a run after the last one acknowledged */
static bool tfrc_tx_run_limited(const struct tfrc_tx_history *h,
				const struct tfrc_tx_run *run)
{
	return run->limited &&
	       (s64)run->span > tfrc_tx_run_offset(h, run, h->acked);
}

/* A run gives place. */
static void tfrc_tx_history_forget(struct tfrc_tx_history *h,
				   const struct tfrc_tx_run *run)
{
	h->forgot_limited |= tfrc_tx_run_limited(h, run);
}

/* The ring begins anew. */
static void tfrc_tx_history_forget_all(struct tfrc_tx_history *h)
{
	u32 i;

	for (i = 0; i < tfrc_tx_runs(h); i++)
		tfrc_tx_history_forget(h, &h->run[i]);
	h->head = 0;
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
 * @rtt: round-trip time R, which sets how long a run lasts
 * @limited: the packet was ready earlier, but the pacer held it back
 * @now: send time, not before that of the packet before
 *
 * Context: any, @h locked by the caller. Constant time.
 */
void tfrc_tx_history_add(struct tfrc_tx_history *h, u64 seq, u64 rtt,
			 bool limited, u64 now)
{
	struct tfrc_tx_run *run = tfrc_tx_run(h, h->head - 1);
	u64 offset = 0, after = 0, began = 0;

	if (!h->head) {
		h->acked = seq - 1;
	} else if (now - h->last >= TFRC_RUN_TIME_STEP ||
		   tfrc_seq_distance(h->newest, seq) > TFRC_RUN_SEQ_STEP) {
		tfrc_tx_history_forget_all(h);
	} else {
		offset = tfrc_tx_run_offset(h, run, seq);
		began = tfrc_tx_run_time(run, h->last);
		after = now - began;
	}

	if (!h->head || offset > TFRC_RUN_SPAN_MAX ||
	    after > tfrc_tx_run_length(rtt)) {
		run = tfrc_tx_run(h, h->head++);
		if (h->head > TFRC_TX_RUNS)
			tfrc_tx_history_forget(h, run);
		*run = (struct tfrc_tx_run) {
			.seq = seq, .time = now, .slope = U32_MAX,
		};
		offset = 0;
	} else {
		/* Packets without data in between may have been sent right after the last one. */
		if (offset > run->span + 1ULL)
			tfrc_tx_run_hold(run, offset - 1, h->last - began);
		tfrc_tx_run_hold(run, offset, after);
	}
	run->span = offset;
	if (limited && !run->limited)
		run->held = min(offset, TFRC_RUN_HELD_MAX);
	run->limited |= limited;
	h->newest = seq;
	h->last = now;
}
EXPORT_SYMBOL_GPL(tfrc_tx_history_add);

/**
 * tfrc_tx_history_unacked - whether data was sent since the packet last acknowledged
 * @h: history
 *
 * Context: any, @h locked by the caller.
 * Return: true if a packet with data is newer than all that tfrc_tx_history_ack() has found
 */
bool tfrc_tx_history_unacked(const struct tfrc_tx_history *h)
{
	return tfrc_seq_distance(h->acked, h->newest) > 0;
}
EXPORT_SYMBOL_GPL(tfrc_tx_history_unacked);

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
	u32 runs = tfrc_tx_runs(h), i;
	const struct tfrc_tx_run *run;
	u64 began = h->last;
	s64 offset = -1;

	if (!runs || tfrc_seq_distance(h->acked, seq) <= 0)
		return false;

	*ack = (struct tfrc_tx_ack) { };
	for (i = 1; i <= runs; i++) {
		s64 beyond = offset;

		run = tfrc_tx_run(h, h->head - i);
		began = tfrc_tx_run_time(run, began);
		offset = tfrc_tx_run_offset(h, run, seq);
		if (offset < 0)
			continue;
		/* If any run has @seq, it is the newest one that does not begin after it. */
		if (beyond < 0 && offset <= run->span)
			ack->sent = i == 1 && offset == run->span ?
				h->last : began + run->slope * offset;
		ack->limited |= tfrc_tx_run_limited(h, run) &&
				offset >= run->held;
		if (tfrc_tx_run_offset(h, run, h->acked) >= 0)
			break;
	}
	if (offset < 0) {
		ack->sent = began;
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
