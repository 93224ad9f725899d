// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bandwidth of the bottleneck, by packet pairs.
 *
 * Two packets that are sent back to back queue one behind the other at the bottleneck.
 * From there on they are as far apart as the bottleneck takes to send the second one:
 *
 *	bandwidth = size of the second packet / gap between the two	(eq. 8)
 *
 * The sender marks trains of such packets by their place in the train, in CCVal:
 * 1, 2, 3, and so on, with 0 for all others. Two packets with consecutive sequence
 * numbers and places are a pair. Packets of other flows in between make the gap longer,
 * and a queue behind the bottleneck makes it shorter. Neither error has a bound, so the
 * result is the median of the last estimates.
 *
 * A train consists of packets that wait for the pacer. If an application sends evenly
 * and less than X, no packets wait. Then a packet is held back for a short time until
 * the next one is there.
 */
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include "ctfaf.h"

#define SEQ_MASK	((1ULL << 48) - 1)

/**
 * pair_bandwidth - eq. 8: bandwidth of the bottleneck by one pair
 * @len: size of the second packet, bytes
 * @gap: time between their arrivals, ns, not 0
 *
 * Return: bytes/s, scaled by 2^TFRC_RATE_SHIFT
 */
static u64 pair_bandwidth(u32 len, u64 gap)
{
	return min(tfrc_mul_div(TFRC_RATE(len), TFRC_NSEC_PER_SEC, gap),
		   TFRC_RATE_MAX);
}

/**
 * pair_packet - a data packet has arrived
 * @f: filter, zeroed before its first use
 * @seq: sequence number
 * @position: place in a train, 0 if in none
 * @len: payload, bytes
 * @now: time of arrival
 *
 * A gap of 0 is no estimate: the clock is too coarse, or the network card passed both
 * packets on together.
 */
void pair_packet(struct pair_filter *f, u64 seq, u8 position, u32 len, u64 now)
{
	if (f->position && position == f->position + 1 &&
	    seq == ((f->seq + 1) & SEQ_MASK) && now > f->time)
		f->estimate[f->n++ % PAIR_WINDOW] =
			pair_bandwidth(len, now - f->time);
	/* so that wrapping round does not empty the ring */
	if (f->n == 2 * PAIR_WINDOW)
		f->n = PAIR_WINDOW;
	f->seq = seq;
	f->time = now;
	f->position = position;
}

/**
 * pair_median - the bandwidth
 * @f: filter
 *
 * Return: the median of the last estimates (the lower one of two), or 0 if there
 * are none
 */
u64 pair_median(const struct pair_filter *f)
{
	u64 sorted[PAIR_WINDOW], x;
	u32 n = min_t(u32, f->n, PAIR_WINDOW), i, j;

	for (i = 0; i < n; i++) {
		x = f->estimate[i];
		for (j = i; j && sorted[j - 1] > x; j--)
			sorted[j] = sorted[j - 1];
		sorted[j] = x;
	}
	return n ? sorted[(n - 1) / 2] : 0;
}

/*
 * Count the reports in a row with the same bandwidth. A report without a train before it
 * says nothing new. The comparison is with the first one of them, so a slow drift is a
 * change, too.
 */
static void pair_compare(struct pair_train *t, u64 bandwidth)
{
	u64 change = bandwidth > t->bandwidth ? bandwidth - t->bandwidth :
						t->bandwidth - bandwidth;

	if (!t->bandwidth || change > t->bandwidth / 8) {
		t->bandwidth = bandwidth;
		t->same = 0;
	} else if (t->sent && t->same < U8_MAX) {
		t->same++;
	}
	t->sent = false;
}

/**
 * pair_report - a report has come: decide whether a train follows
 * @t: trains, zeroed before the first packet
 * @every: number of reports from one train to the next
 * @steady: number of reports with the same bandwidth after which this holds
 * @bandwidth: R_b in the report, 0 if it is unknown
 *
 * A train follows each report until the bandwidth is known, and steady. The paper:
 * probing "after the sending of each RTCP sender report or every few ones", and filters
 * that are "accurate after short transient periods" (section 4.1.1).
 */
void pair_report(struct pair_train *t, u8 every, u8 steady, u64 bandwidth)
{
	pair_compare(t, bandwidth);
	if (++t->reports < every && bandwidth && t->same >= steady)
		return;
	t->reports = 0;
	t->wanted = true;
}

/**
 * pair_hold - whether a packet that could be sent waits for another one
 * @t: trains
 * @more: another packet is in the queue
 * @longest: how long it may wait, ns
 * @now: time
 *
 * It waits only if a train is wanted, and if the last packet was sent no longer ago
 * than @longest, so that the next one may be expected in this time.
 *
 * Return: until when it waits, or 0 if it is sent
 */
u64 pair_hold(struct pair_train *t, bool more, u64 longest, u64 now)
{
	if (!t->wanted || t->position || more)
		return 0;
	if (!t->until) {
		if (!t->last || now - t->last > longest)
			return 0;
		t->until = now + longest;
	}
	if (now < t->until)
		return t->until;
	/* In vain. */
	t->until = 0;
	t->wanted = false;
	return 0;
}

/**
 * pair_place - a packet is sent: set its place in a train
 * @t: trains; @position is the place
 * @more: another packet is in the queue
 * @n: length of a train
 * @now: time
 *
 * A train begins with a packet behind which another one waits, and continues while
 * packets wait. Otherwise the gaps would be those of the application.
 *
 * Return: true if the next packet follows at once
 */
bool pair_place(struct pair_train *t, bool more, u8 n, u64 now)
{
	if (t->position || (t->wanted && more)) {
		t->sent |= t->position;
		t->position++;
		t->wanted = false;
	}
	t->until = 0;
	t->last = now;
	return t->position && more && t->position < n;
}
