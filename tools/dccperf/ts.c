// SPDX-License-Identifier: GPL-2.0-only
/*
 * When each byte of an MPEG transport stream is due: its clock references
 * (PCR, ISO/IEC 13818-1, 2.4.3.5) say when they leave, and the bytes between
 * two of them leave at constant rate.
 */
#include "ts.h"

#define PCR_HZ		27000000.0
#define PCR_WRAP	((1ULL << 33) * 300)
#define PCR_MAX_GAP	2.0		/* s; a larger step is a new time base */

void ts_init(struct ts_clock *c)
{
	*c = (struct ts_clock){ .pid = -1 };
}

/* The PCR of a packet of the PID that has the clock; false if it has none. */
static bool packet_pcr(struct ts_clock *c, const u8 *p, u64 *pcr,
		       bool *discontinuity)
{
	int pid = (p[1] & 0x1f) << 8 | p[2];

	if (!(p[3] & 0x20) || p[4] < 7 || !(p[5] & 0x10))
		return false;
	if (c->pid < 0)
		c->pid = pid;
	if (c->pid != pid)
		return false;
	*discontinuity = p[5] & 0x80;
	*pcr = ((u64)p[6] << 25 | p[7] << 17 | p[8] << 9 | p[9] << 1 |
		p[10] >> 7) * 300 + ((p[10] & 1) << 8 | p[11]);
	return true;
}

static void add_pcr(struct ts_clock *c, u64 pos, u64 pcr,
		    bool discontinuity)
{
	double step, bytes;

	if (!c->have_next) {
		/* The first reference: the bytes before it are due at the same time. */
		c->have_next = true;
		c->next_pos = pos;
		c->next_pcr = pcr;
		return;
	}
	bytes = pos - c->next_pos;
	step = (pcr + PCR_WRAP - c->next_pcr) % PCR_WRAP / PCR_HZ;
	if (discontinuity || step > PCR_MAX_GAP)
		step = c->rate > 0 ? bytes / c->rate : 0;
	else if (step > 0)
		c->rate = bytes / step;
	c->have_prev = true;
	c->prev_pos = c->next_pos;
	c->prev_pcr = c->next_pcr;
	c->prev_time = c->next_time;
	c->next_pos = pos;
	c->next_pcr = pcr;
	c->next_time = c->prev_time + step;
}

/**
 * ts_time() - the time at which the byte at @pos is due
 * @buf: the stream from @pos on
 * @have: bytes in @buf
 * @end: these are the last bytes of the stream
 * @time: in s since the first clock reference
 *
 * Positions must not decrease. TS_MORE: the next reference is not in @buf yet.
 */
enum ts_status ts_time(struct ts_clock *c, const u8 *buf, u64 pos,
		       size_t have, bool end, double *time)
{
	/* References in bytes before @pos are not needed. */
	if (c->scan < pos)
		c->scan = (pos + TS_PACKET - 1) / TS_PACKET * TS_PACKET;

	while (!c->have_next || c->next_pos <= pos) {
		const u8 *p = buf + (c->scan - pos);
		bool discontinuity;
		u64 pcr;

		if (c->scan + TS_PACKET > pos + have) {
			if (!end)
				return TS_MORE;
			/* After the last reference: at the last rate. */
			*time = c->next_time;
			if (c->rate > 0)
				*time += (pos - c->next_pos) / c->rate;
			return TS_TIME;
		}
		if (*p != 0x47)
			return TS_BAD;
		if (packet_pcr(c, p, &pcr, &discontinuity))
			add_pcr(c, c->scan, pcr, discontinuity);
		c->scan += TS_PACKET;
	}
	*time = 0;
	if (c->have_prev)
		*time = c->prev_time + (c->next_time - c->prev_time) *
			(pos - c->prev_pos) / (c->next_pos - c->prev_pos);
	return TS_TIME;
}
