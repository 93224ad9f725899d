// SPDX-License-Identifier: GPL-2.0-only
/*
 * Statistics of the receiver. There are no system calls here. Time is an argument, so
 * unit tests can set it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats.h"

/*
 * When the next report is due. If the program was held up, those that it has missed are left
 * out: nothing would be in them.
 */
u64 multiple_after(u64 start, u64 step, u64 now)
{
	return start + ((now - start) / step + 1) * step;
}

void series_add(struct series *s, double v)
{
	double d = v - s->mean;

	s->n++;
	s->mean += d / s->n;
	s->m2 += d * (v - s->mean);
}

double series_sd(const struct series *s)
{
	return s->n > 1 ? sqrt(s->m2 / (s->n - 1)) : NAN;
}

double series_cov(const struct series *s)
{
	return s->mean > 0 ? series_sd(s) / s->mean : NAN;
}

void rate_bins_init(struct rate_bins *b, u64 width, u64 start)
{
	memset(b, 0, sizeof(*b));
	b->width = width;
	b->end = start + width;
}

/*
 * Only complete bins count. A gap of many bins is computed at once and not in a loop,
 * because a clock may jump.
 */
void rate_bins_add(struct rate_bins *b, u64 now, u64 bytes)
{
	struct series *s = &b->rates;

	if (now >= b->end) {
		u64 zeros = (now - b->end) / b->width;

		series_add(s, b->bytes * 8.0 * NSEC_PER_SEC / b->width);
		b->bytes = 0;
		if (zeros) {
			double n = s->n, m = zeros;

			s->m2 += s->mean * s->mean * n * m / (n + m);
			s->mean *= n / (n + m);
			s->n += zeros;
		}
		b->end += (zeros + 1) * b->width;
	}
	b->bytes += bytes;
}

int rx_stats_init(struct rx_stats *s, double cov, double omit, double gap)
{
	memset(s, 0, sizeof(*s));
	s->delays = calloc(DELAY_STEPS, sizeof(*s->delays));
	s->variations = calloc(DELAY_STEPS, sizeof(*s->variations));
	s->gap = gap * 1e6;
	s->omit = omit * NSEC_PER_SEC;
	s->omitting = s->omit > 0;
	s->bins.width = cov * NSEC_PER_SEC;
	return s->delays && s->variations ? 0 : -1;
}

void rx_stats_free(struct rx_stats *s)
{
	free(s->delays);
	free(s->variations);
	s->delays = NULL;
	s->variations = NULL;
}

/*
 * Whether a packet with this number came before. The window is a ring of bits that
 * ends at the greatest number so far. For a packet older than the window this is not
 * known, so it counts as reordered.
 */
static bool seen_before(struct rx_stats *s, u64 seq)
{
	u64 *word = &s->seen[seq % DUP_WINDOW / 64];
	u64 bit = 1ULL << (seq % 64);
	u64 i;

	if (seq >= s->next) {
		if (seq - s->next >= DUP_WINDOW)
			memset(s->seen, 0, sizeof(s->seen));
		else
			for (i = s->next; i < seq; i++)
				s->seen[i % DUP_WINDOW / 64] &= ~(1ULL << (i % 64));
		*word |= bit;
		return false;
	}
	if (s->next - seq > DUP_WINDOW)
		return false;
	if (*word & bit)
		return true;
	*word |= bit;
	return false;
}

/* now - then, bounded so that differences do not overflow: a peer may send any time. */
static s64 span(u64 now, u64 then)
{
	s64 d = now - then, limit = 1LL << 60;

	return d > limit ? limit : d < -limit ? -limit : d;
}

/* The measurement starts with this packet. */
static void restart(struct rx_stats *s, u64 seq, s64 delay,
		    u64 now)
{
	s->omitting = false;
	s->base = seq;
	s->first = now;
	s->last = now;
	s->delay_first = delay;
	s->delay_min = delay;
	s->delay_max = delay;
	s->jitter = 0;
	s->prev_transit_valid = 0;
	rate_bins_init(&s->bins, s->bins.width, now);
}

static void note_delay(struct rx_stats *s, s64 delay)
{
	s64 over = delay - s->delay_first + DELAY_BELOW * DELAY_STEP;
	s64 step = over < 0 ? 0 : over / DELAY_STEP;

	if (step >= DELAY_STEPS)
		step = DELAY_STEPS - 1;
	s->delays[step]++;
	if (delay < s->delay_min)
		s->delay_min = delay;
	if (delay > s->delay_max)
		s->delay_max = delay;
}

/* RFC 3550, 6.4.1 and A.8, in ns; transit is arrival minus sending time. */
static void note_jitter(struct rx_stats *s, s64 transit)
{
	s64 d = transit - s->prev_transit, step;

	if (d < 0)
		d = -d;
	if (s->prev_transit_valid) {
		s->jitter += (d - s->jitter) / 16;
		step = d / DELAY_STEP;
		s->variations[step < DELAY_STEPS ? step : DELAY_STEPS - 1]++;
		if (d > s->variation_max)
			s->variation_max = d;
	}
	s->prev_transit = transit;
	s->prev_transit_valid = 1;
}

/* Returns false for a duplicate. */
bool rx_stats_packet(struct rx_stats *s, u64 seq, u32 bytes,
		     u64 sent, u64 sched, u64 now)
{
	bool duplicate = s->started && seen_before(s, seq);
	bool in_order = !s->started || seq >= s->next;
	s64 delay = span(now, sched);

	if (!s->started) {
		/* Packets before the first one that arrived are lost, too. */
		seen_before(s, seq);
		s->started = true;
		s->last_any = now;
		restart(s, 0, delay, now);
		s->omitting = s->omit > 0;
	} else if (s->omitting && in_order && now - s->first >= s->omit) {
		restart(s, seq, delay, now);
	} else if (!s->omitting && seq >= s->base && !duplicate) {
		series_add(&s->gaps, now - s->last_any);
		s->wide_gaps += now - s->last_any > s->gap;
	}
	s->last_any = now;
	if (in_order)
		s->next = seq + 1;
	if (s->omitting || seq < s->base)
		return !duplicate;
	if (duplicate) {
		s->duplicates++;
		return false;
	}
	if (!in_order)
		s->reordered++;
	s->packets++;
	s->bytes += bytes;
	s->last = now;
	rate_bins_add(&s->bins, now, bytes);
	note_delay(s, delay);
	note_jitter(s, span(now, sent));
	return true;
}

/* The q-quantile of the delay above the smallest delay, ms */
static double delay_quantile(const struct rx_stats *s, double q)
{
	u64 want = ceil(q * s->packets), sum = 0;
	s64 i, over;

	for (i = 0; i < DELAY_STEPS; i++) {
		sum += s->delays[i];
		if (sum >= want)
			break;
	}
	over = (i - DELAY_BELOW) * DELAY_STEP + s->delay_first - s->delay_min;
	return over > 0 ? over / 1e6 : 0;
}

/* The q-quantile of the differences of consecutive delays, ms; NAN: there is none */
static double variation_quantile(const struct rx_stats *s, double q)
{
	u64 n = 0, sum = 0;
	s64 i;

	for (i = 0; i < DELAY_STEPS; i++)
		n += s->variations[i];
	if (!n)
		return NAN;
	for (i = 0; i < DELAY_STEPS - 1; i++) {
		sum += s->variations[i];
		if (sum >= q * n)
			break;
	}
	return i * (DELAY_STEP / 1e6);
}

/* Packets that arrived late_ms or more after their playback time. */
static u64 count_late(const struct rx_stats *s, double late_ms)
{
	s64 from = s->delay_min - s->delay_first + (s64)(late_ms * 1e6) +
		       DELAY_BELOW * DELAY_STEP;
	s64 i = from < 0 ? 0 : from / DELAY_STEP;
	u64 n = 0;

	for (; i < DELAY_STEPS; i++)
		n += s->delays[i];
	return n;
}

/**
 * rx_stats_result() - compute the results
 * @packets_sent: by the sender's own count, 0 if it is not known
 * @seconds_sent: time for which it sent, after what is omitted; 0: not known
 * @late_ms: a packet is late if its delay (arrival minus scheduled time)
 *	     exceeds the smallest delay of the test by at least this much
 */
void rx_stats_result(struct rx_stats *s, u64 packets_sent,
		     double seconds_sent, double late_ms,
		     struct receiver_result *r)
{
	u64 expected = packets_sent ? packets_sent : s->next;
	u64 end, late;

	if (!s->started || s->omitting) {
		r->lost = s->started ? 0 : packets_sent;
		r->lost_percent = r->lost ? 100 : NAN;
		return;
	}
	expected = expected > s->base ? expected - s->base : 0;
	r->packets = s->packets;
	r->bytes = s->bytes;
	r->reordered = s->reordered;
	r->duplicates = s->duplicates;
	r->lost = expected > s->packets ? expected - s->packets : 0;
	if (r->lost + r->packets)
		r->lost_percent = 100.0 * r->lost / (r->lost + r->packets);

	r->seconds = (s->last - s->first) / 1e9;
	if (seconds_sent > r->seconds && seconds_sent < 1e6)
		r->seconds = seconds_sent;
	if (r->seconds > 0)
		r->bits_per_second = s->bytes * 8 / r->seconds;

	r->jitter_ms = s->jitter / 1e6;
	if (s->gaps.n)
		r->interarrival_ms = s->gaps.mean / 1e6;
	r->interarrival_sd_ms = series_sd(&s->gaps) / 1e6;
	end = s->first + (u64)(r->seconds * 1e9);
	rate_bins_add(&s->bins, end > s->last ? end : s->last, 0);
	r->cov = series_cov(&s->bins.rates);
	r->cov_seconds = s->bins.width / 1e9;

	if (!s->packets)
		return;
	r->gap_ms = s->gap / 1e6;
	r->gap_percent = 100.0 * s->wide_gaps / s->packets;
	r->delivery_index = (s->packets - s->wide_gaps) /
			    (double)(s->packets + r->lost);
	r->variation_p95_ms = variation_quantile(s, 0.95);
	if (isfinite(r->variation_p95_ms))
		r->variation_max_ms = s->variation_max / 1e6;
	late = count_late(s, late_ms);
	r->late_ms = late_ms;
	r->late_percent = 100.0 * late / s->packets;
	r->late_or_lost_percent = 100.0 * (late + r->lost) /
				  (s->packets + r->lost);
	r->delay_p50_ms = delay_quantile(s, 0.5);
	r->delay_p95_ms = delay_quantile(s, 0.95);
	r->delay_p99_ms = delay_quantile(s, 0.99);
	r->delay_max_ms = (s->delay_max - s->delay_min) / 1e6;
}
