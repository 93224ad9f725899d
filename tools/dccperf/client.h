/* SPDX-License-Identifier: GPL-2.0-only */
/* The client. */
#ifndef DCCPERF_CLIENT_H
#define DCCPERF_CLIENT_H

#include "options.h"

int client_run(const struct options *o);

#endif /* DCCPERF_CLIENT_H */
