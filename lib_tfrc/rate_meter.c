// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rate meter: the receive rate since the last report.
 *
 * A report that is made early, because of a loss, would measure only a moment.
 * So the rate is measured since the last report, but over an RTT at least: the
 * meter remembers the last few reports and goes back to the latest one that is an
 * RTT old (RFC 5348, 6.2). Three quarters of an RTT are enough, because the window
 * counter counts quarters. If the meter went back by one more report for the last
 * quarter, it would average over two RTTs, and slow down slow start.
 *
 * A pause does not count. The receiver of the RFC has a timer that expires each
 * RTT, so no measurement is longer than that. This receiver is driven by packets,
 * and sees a pause only at its end. It subtracts the part of a pause that is longer
 * than one RTT, as if the marks had been set that much later. So the first packet
 * after a pause counts as one packet in an RTT. A report that a timer makes late, more
 * than an RTT after the last packet, comes in such a pause, too.
 */
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/types.h>
#include <net/tfrc.h>

static u64 elapsed(u64 from, u64 to)
{
	return to > from ? to - from : 0;
}

/**
 * tfrc_rate_meter_init - start to measure
 * @m: rate meter
 * @now: where the first interval begins, ns
 *
 * Context: any
 */
void tfrc_rate_meter_init(struct tfrc_rate_meter *m, u64 now)
{
	memset(m, 0, sizeof(*m));
	m->last = now;
	m->mark_time[0] = now;
	m->marks = 1;
}
EXPORT_SYMBOL_GPL(tfrc_rate_meter_init);

/**
 * tfrc_rate_meter_add - data has come
 * @m: rate meter
 * @len: how much, bytes
 * @rtt: round-trip time R, ns; a longer pause counts as R
 * @now: when, ns
 *
 * Context: any
 */
void tfrc_rate_meter_add(struct tfrc_rate_meter *m, u32 len, u64 rtt, u64 now)
{
	u64 pause = elapsed(m->last, now);
	u32 i;

	if (pause > rtt)
		for (i = 0; i < TFRC_RATE_MARKS; i++)
			m->mark_time[i] = min(m->mark_time[i] + pause - rtt,
					      now);
	m->bytes += len;
	m->last = now;
}
EXPORT_SYMBOL_GPL(tfrc_rate_meter_add);

/* Whether the mark at which the measurement began is in the ring */
static bool has_start(const struct tfrc_rate_meter *m)
{
	return m->marks <= TFRC_RATE_MARKS;
}

/**
 * tfrc_rate_meter_rate - rate since the last report, but at least over an RTT
 * @m: rate meter
 * @rtt: round-trip time R, ns
 * @now: ns
 *
 * If R has grown since the oldest mark, all marks may be less than three quarters of R old.
 * Bytes that came before them are not known, so the rate is over the time since the oldest
 * one, but over a quarter of R at least.
 *
 * Context: any
 * Return: bytes/s, scaled by 2^TFRC_RATE_SHIFT, at most TFRC_RATE_MAX; before
 *	the first RTT is over the bytes that have come in an RTT so far
 * Source: RFC 5348, 6.2
 */
u64 tfrc_rate_meter_rate(const struct tfrc_rate_meter *m, u64 rtt, u64 now)
{
	u32 i, n = min_t(u32, m->marks, TFRC_RATE_MARKS);
	u64 interval = 0, bytes = m->bytes;

	now = min(now, m->last + rtt);
	for (i = 1; i <= n && interval < rtt - rtt / 4; i++) {
		u32 slot = (m->marks - i) % TFRC_RATE_MARKS;

		interval = elapsed(m->mark_time[slot], now);
		bytes = m->bytes - m->mark_bytes[slot];
	}
	if (interval < rtt - rtt / 4)
		interval = has_start(m) ? rtt : max(interval, rtt / 4);

	return min(tfrc_mul_div(bytes, TFRC_RATE(TFRC_NSEC_PER_SEC), interval),
		   TFRC_RATE_MAX);
}
EXPORT_SYMBOL_GPL(tfrc_rate_meter_rate);

/**
 * tfrc_rate_meter_mark - a report is made: the next interval begins
 * @m: rate meter
 * @apart: least length of an interval, ns
 * @now: ns
 *
 * A repeated report without new data starts no interval. Neither does a report less
 * than @apart after the last mark. If reports may be closer than an RTT, use a quarter
 * of it: then the last marks always reach back for three quarters, of the R of their time.
 *
 * Context: any
 */
void tfrc_rate_meter_mark(struct tfrc_rate_meter *m, u64 apart, u64 now)
{
	u32 slot = m->marks % TFRC_RATE_MARKS;
	u32 last = (m->marks - 1) % TFRC_RATE_MARKS;

	if (m->marks && (m->mark_bytes[last] == m->bytes ||
			 elapsed(m->mark_time[last], now) < apart))
		return;
	m->mark_bytes[slot] = m->bytes;
	m->mark_time[slot] = now;
	if (++m->marks == 3 * TFRC_RATE_MARKS)
		m->marks -= TFRC_RATE_MARKS;
}
EXPORT_SYMBOL_GPL(tfrc_rate_meter_mark);
