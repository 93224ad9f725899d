/* SPDX-License-Identifier: GPL-2.0-only */
/* The clock of an MPEG transport stream. */
#ifndef DCCPERF_TS_H
#define DCCPERF_TS_H

#include "base.h"

#define TS_PACKET	188
#define TS_CHUNK	(7 * TS_PACKET)

struct ts_clock {		/* when each byte of a transport stream is due */
	int		pid;
	bool		have_prev, have_next;
	u64	prev_pos, next_pos, scan;	/* bytes from the start */
	u64	prev_pcr, next_pcr;		/* 27 MHz */
	double		prev_time, next_time;		/* s */
	double		rate;				/* bytes/s */
};

enum ts_status { TS_TIME, TS_MORE, TS_BAD };

void ts_init(struct ts_clock *c);
enum ts_status ts_time(struct ts_clock *c, const u8 *buf, u64 pos,
		       size_t have, bool end, double *time);

#endif /* DCCPERF_TS_H */
