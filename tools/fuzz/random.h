/* SPDX-License-Identifier: GPL-2.0-only */
/* Random numbers that are the same for the same seed: splitmix64. */
#ifndef FUZZ_RANDOM_H
#define FUZZ_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

extern u64 rng;

static inline u64 random64(void)
{
	u64 z = rng += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static inline u32 below(u32 n)
{
	return (random64() >> 32) * n >> 32;
}

static inline bool chance(u32 percent)
{
	return below(100) < percent;
}

/* Any number; limits and powers of two are more likely. */
static inline u64 any(void)
{
	static const u64 edges[] = {
		0, 1, 2, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000,
		0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, 0x100000000,
		0x7fffffffffff, 0x800000000000, 0xfffffffffffe, 0xffffffffffff,
	};

	switch (below(4)) {
	case 0:
		return edges[below(sizeof(edges) / sizeof(*edges))];
	case 1:
		return below(1000);
	case 2:
		return 1ULL << below(48);
	default:
		return random64() >> below(64);
	}
}

#endif
