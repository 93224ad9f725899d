/* SPDX-License-Identifier: GPL-2.0-only */
/* Sending. */
#ifndef DCCPERF_SENDER_H
#define DCCPERF_SENDER_H

#include "flow.h"

void sender_run(struct flow *s);

#endif /* DCCPERF_SENDER_H */
