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
u64 pair_bandwidth(u32 len, u64 gap)
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
