/* SPDX-License-Identifier: GPL-2.0-only */
/* Receiving. */
#ifndef DCCPERF_RECEIVER_H
#define DCCPERF_RECEIVER_H

#include "flow.h"

void receiver_run(struct flow *s);

#endif /* DCCPERF_RECEIVER_H */
