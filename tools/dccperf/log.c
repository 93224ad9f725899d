// SPDX-License-Identifier: GPL-2.0-only
/* Messages to the user, and the end of the program after an error. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "log.h"

#define MAX_TELL	2
#define MESSAGE_MAX	1000

static const char *log_path;
static char prefix[16];
static bool log_to_stderr, log_quiet, write_failed;
static char warning[MESSAGE_MAX];
static void (*tells[MAX_TELL])(const char *text);
static unsigned int n_tells;

/*
 * @to_stderr: standard output carries data. @quiet: the report is JSON, and there are no
 * lines of text.
 */
void log_open(const char *path, bool to_stderr, bool quiet)
{
	log_path = path;
	log_to_stderr = to_stderr;
	log_quiet = quiet;
}

FILE *log_file(void)
{
	static FILE *f;

	if (f)
		return f;
	f = stdout;
	if (log_path) {
		f = fopen(log_path, "ae");
		if (!f) {
			f = stderr;
			die("cannot write %s", log_path);
		}
	} else if (log_to_stderr) {
		f = stderr;
	}
	setvbuf(f, NULL, _IOLBF, 0);
	return f;
}

/* What a test has found is lost. Its peer need not know. */
void log_cannot_write(const char *what)
{
	fprintf(stderr, "dccperf: error - cannot write %s: is the disk full?\n", what);
	write_failed = true;
}

/* At the end of a process: 1 if not all that was to be written is written */
int log_close(void)
{
	FILE *f = log_file();

	if (fflush(f) || ferror(f))
		log_cannot_write(log_path ? log_path : "the report");
	return write_failed;
}

bool log_is_quiet(void)
{
	return log_quiet;
}

/* What each line of text begins with. */
void log_prefix(const char *text)
{
	snprintf(prefix, sizeof(prefix), "%s", text);
}

/* Print a line of text, unless the report is JSON. */
void note(const char *fmt, ...)
{
	va_list ap;

	if (log_quiet)
		return;
	fputs(prefix, log_file());
	va_start(ap, fmt);
	vfprintf(log_file(), fmt, ap);
	va_end(ap);
	putc('\n', log_file());
}

/* To the user; to the file of the report, too, because a daemon has no other place. */
void complain(const char *fmt, ...)
{
	char text[MESSAGE_MAX + 30];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	fprintf(stderr, "dccperf: %s\n", text);
	if (log_path && log_file() != stderr)
		note("dccperf: %s", text);
}

/* A report in JSON contains the last warning. */
void warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(warning, sizeof(warning), fmt, ap);
	va_end(ap);
	complain("warning - %s", warning);
}

const char *last_warning(void)
{
	return warning;
}

/* Functions that die() calls with its message, the last one first */
void on_die(void (*tell)(const char *text))
{
	if (n_tells < MAX_TELL)
		tells[n_tells++] = tell;
}

void die(const char *fmt, ...)
{
	char text[MESSAGE_MAX];
	unsigned int i;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	complain("error - %s", text);
	for (i = n_tells; i-- > 0;)
		tells[i](text);
	exit(1);
}
