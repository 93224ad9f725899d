/* SPDX-License-Identifier: GPL-2.0-only */
/* Time, and waiting for it or for descriptors. */
#ifndef DCCPERF_WAIT_H
#define DCCPERF_WAIT_H

#include "base.h"

extern volatile int stopping;	/* SIGINT or SIGTERM came */

u64 now_ns(void);
void sleep_ns(u64 ns);
int wait_fds(void *fds, unsigned int n, u64 until);
int wait_fds_now(void *fds, unsigned int n, u64 now, u64 until);
void block_signals(bool block);

#endif /* DCCPERF_WAIT_H */
