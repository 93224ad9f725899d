/* SPDX-License-Identifier: GPL-2.0-only */
/* Statistics. No system calls. */
#ifndef DCCPERF_STATS_H
#define DCCPERF_STATS_H

#include "test.h"

struct series {			/* mean and standard deviation, Welford */
	u64	n;
	double		mean, m2;
};

struct rate_bins {		/* rate in consecutive bins of equal width */
	u64	width, end, bytes;
	struct series	rates;
};

#define DUP_WINDOW		65536
#define DELAY_STEP		100000LL	/* 0.1 ms */
#define DELAY_BELOW		100000LL	/* steps below the first: 10 s */
#define DELAY_STEPS		1300000		/* 130 s in all */

struct rx_stats {
	u64	omit, first, last, last_any;
	u64	base, next, prev_transit_valid;
	u64	packets, bytes, reordered, duplicates;
	s64		prev_transit, delay_first, delay_min, delay_max;
	double		jitter;
	struct series	gaps;
	struct rate_bins bins;
	bool		started, omitting;
	u32	*delays;
	u64	gap, wide_gaps;	/* ns; packets after a wider gap */
	u32	*variations;	/* of the delay from packet to packet, DELAY_STEP */
	s64	variation_max;
	u64	seen[DUP_WINDOW / 64];
};

u64 multiple_after(u64 start, u64 step, u64 now);
void series_add(struct series *s, double v);
double series_sd(const struct series *s);
double series_cov(const struct series *s);
void rate_bins_init(struct rate_bins *b, u64 width, u64 start);
void rate_bins_add(struct rate_bins *b, u64 now, u64 bytes);
int rx_stats_init(struct rx_stats *s, double cov, double omit, double gap);
void rx_stats_free(struct rx_stats *s);
bool rx_stats_packet(struct rx_stats *s, u64 seq, u32 bytes,
		     u64 sent, u64 sched, u64 now);
void rx_stats_result(struct rx_stats *s, u64 packets_sent,
		     double seconds_sent, double late_ms,
		     struct receiver_result *r);

#endif /* DCCPERF_STATS_H */
