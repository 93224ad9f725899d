/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages to the user, and the end of the program after an error. */
#ifndef DCCPERF_LOG_H
#define DCCPERF_LOG_H

#include <stdio.h>
#include "base.h"

void log_open(const char *path, bool to_stderr, bool quiet);
FILE *log_file(void);
void log_cannot_write(const char *what);
int log_close(void);
bool log_is_quiet(void);
void log_prefix(const char *text);
void __printf(1, 2) note(const char *fmt, ...);
void __printf(1, 2) complain(const char *fmt, ...);
void __printf(1, 2) warn(const char *fmt, ...);
const char *last_warning(void);
void __printf(1, 2) __noreturn die(const char *fmt, ...);
void on_die(void (*tell)(const char *text));

#endif /* DCCPERF_LOG_H */
