/* SPDX-License-Identifier: GPL-2.0-only */
/* Several flows of a client at the same time. */
#ifndef DCCPERF_PARALLEL_H
#define DCCPERF_PARALLEL_H

#include "options.h"

int parallel_run(const struct options *o);

#endif /* DCCPERF_PARALLEL_H */
