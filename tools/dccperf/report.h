/* SPDX-License-Identifier: GPL-2.0-only */
/* Reports to the user. */
#ifndef DCCPERF_REPORT_H
#define DCCPERF_REPORT_H

#include "flow.h"

void report_init(const struct options *o);
void report_open(struct flow *s);
void report_interval(struct flow *s, const struct interval *iv);
void report_trace(struct flow *s, u64 now, const struct interval *iv);
void report_end(struct flow *s);

#endif /* DCCPERF_REPORT_H */
