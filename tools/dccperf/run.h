/* SPDX-License-Identifier: GPL-2.0-only */
/* A test, once it is connected. */
#ifndef DCCPERF_RUN_H
#define DCCPERF_RUN_H

#include "flow.h"

void flow_negotiated(struct flow *s);
int flow_run(struct flow *s);

#endif /* DCCPERF_RUN_H */
