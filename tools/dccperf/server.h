/* SPDX-License-Identifier: GPL-2.0-only */
/* The server. */
#ifndef DCCPERF_SERVER_H
#define DCCPERF_SERVER_H

#include "options.h"

int server_run(const struct options *o);

#endif /* DCCPERF_SERVER_H */
