/* SPDX-License-Identifier: GPL-2.0-only */
/* Parameters of the schemes: from the command line to the socket. */
#ifndef DCCPERF_SCHEMES_H
#define DCCPERF_SCHEMES_H

#include "test.h"

struct dccp_ccid_tx_info;

void scheme_unset(struct test *t);
const char *scheme_parse(const char *scheme, const char *arg, struct test *t);
const char *scheme_use(const char *use, struct test *t);
void scheme_set(int fd, const struct test *t, bool sending);
void scheme_info(const struct dccp_ccid_tx_info *k, struct tx_info *info);

#endif /* DCCPERF_SCHEMES_H */
