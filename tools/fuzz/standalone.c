// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random inputs for LLVMFuzzerTestOneInput(), without libFuzzer.
 *
 *	fuzz-SCHEME SEED EVENTS	[INPUT]
 *
 * Runs until there were so many events, or runs only the input with that number.
 */
#include <signal.h>
#include <unistd.h>
#include "kernel.h"

#define LONGEST	2048

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

extern u64 fuzz_events;

static u64 seed, input;

/* splitmix64 */
static u64 random64(u64 *state)
{
	u64 z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static void again(void)
{
	fprintf(stderr, "again: arguments %llu 1 %llu\n", seed, input);
}

void fuzz_fail(const char *file, int line, const char *what)
{
	fprintf(stderr, "%s:%d: not true: %s\n", file, line, what);
	abort();
}

/* The sanitizer of undefined behaviour traps. */
static void on_signal(int signal)
{
	fprintf(stderr, "signal %d\n", signal);
	again();
	_exit(1);
}

int main(int argc, char **argv)
{
	static const int fatal[] = { SIGABRT, SIGFPE, SIGILL, SIGSEGV, SIGBUS };
	static u8 data[LONGEST];
	u64 events, state, i;
	u32 size;

	if (argc < 3) {
		fprintf(stderr, "usage: %s SEED EVENTS [INPUT]\n", argv[0]);
		return 2;
	}
	for (i = 0; i < ARRAY_SIZE(fatal); i++)
		signal(fatal[i], on_signal);
	seed = strtoull(argv[1], NULL, 0);
	events = strtoull(argv[2], NULL, 0);
	input = argc > 3 ? strtoull(argv[3], NULL, 0) : 0;
	for (; fuzz_events < events; input++) {
		state = seed + (input << 32);
		size = random64(&state) % LONGEST;
		for (i = 0; i < size; i++)
			data[i] = random64(&state) >> 32;
		LLVMFuzzerTestOneInput(data, size);
	}
	printf("%llu inputs, %llu events, no rule broken\n", input, fuzz_events);
	return 0;
}
