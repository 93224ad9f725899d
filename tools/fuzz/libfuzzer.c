// SPDX-License-Identifier: GPL-2.0-only
/* Needed beside libFuzzer's own main(). */
#include "kernel.h"

void fuzz_fail(const char *file, int line, const char *what)
{
	fprintf(stderr, "%s:%d: not true: %s\n", file, line, what);
	abort();
}
