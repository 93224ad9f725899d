// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bandwidth of the bottleneck, by packet pairs.
 *
 * Two packets that leave back to back queue up behind one another where the path
 * is narrowest, and stay as far apart as it takes to send one there:
 *
 *	bandwidth = size of the second packet / gap between the two	(eq. 8)
 *
 * The sender marks trains of such packets by their place in the train, in CCVal:
 * 1, 2, 3, and so on, with 0 for all others. Two neighbours in sequence and in
 * place are a pair. What crosses in between makes the gap longer, a queue behind
 * the bottleneck shorter, and neither has a bound: so the median counts, of the
 * last estimates.
 *
 * The sender takes for a train what waits for the pacer. An application that sends
 * evenly, and less than it may, leaves nothing waiting: then a packet is held back
 * for a moment until the next one is there.
 */
#include <linux/minmax.h>
#include <linux/string.h>
#include "ctfaf.h"

#define SEQ_MASK	((1ULL << 48) - 1)

/**
 * pair_bandwidth - eq. 8: bandwidth that keeps two packets this far apart
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
 * A gap of 0 is no estimate: the clock, or a network card that hands over what
 * it has gathered, does not tell the two apart.
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

/**
 * pair_report - a report has come: shall there be a train?
 * @t: trains, zeroed before the first packet
 * @every: after how many reports there is one
 * @known: the bandwidth is known already; if not, each report will do
 */
void pair_report(struct pair_train *t, u8 every, bool known)
{
	if (++t->reports < every && known)
		return;
	t->reports = 0;
	t->wanted = true;
}

/**
 * pair_hold - shall a packet that could go wait for another one?
 * @t: trains
 * @more: another one is there
 * @longest: how long it may wait, ns
 * @now: time
 *
 * Only if a train is wanted, and the packet before went so short a time ago that the
 * next may be expected as soon.
 *
 * Return: until when, or 0 if it shall go
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
 * pair_place - a packet goes: which place in a train does it have?
 * @t: trains; @position is the answer
 * @more: another one is there
 * @n: length of a train
 * @now: time
 *
 * A train begins with a packet that another one waits behind, and goes on as long
 * as there are any: else the gaps would be the application's.
 *
 * Return: true if the next packet is to follow at once
 */
bool pair_place(struct pair_train *t, bool more, u8 n, u64 now)
{
	if (t->position || (t->wanted && more)) {
		t->position++;
		t->wanted = false;
	}
	t->until = 0;
	t->last = now;
	return t->position && more && t->position < n;
}
