/* SPDX-License-Identifier: GPL-2.0-only */
/* Reports to the user. */
#ifndef DCCPERF_REPORT_H
#define DCCPERF_REPORT_H

#include "flow.h"

struct sum {			/* of several flows */
	unsigned int	flows;
	double		start, end;
	u64		bytes, packets, lost;
	double		bits_per_second;
};

void report_init(const struct options *o);
void report_open(struct flow *s);
void report_interval(struct flow *s, const struct interval *iv);
void report_trace(struct flow *s, u64 now, const struct interval *iv);
void report_end(struct flow *s);
void report_sum_interval(const struct sum *s, bool sending);
void report_sum(const struct sum *snd, const struct sum *rcv, double fairness,
		char *const *documents, unsigned int n);

#endif /* DCCPERF_REPORT_H */
