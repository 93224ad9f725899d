/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Definitions that the algorithm files, and the kernel's tfrc_equation.c, need from the
 * kernel's headers, for a compiler on the host. This is included first (-include), with
 * empty files in the place of <linux/...>.
 */
#ifndef _LAB_USERSPACE_H
#define _LAB_USERSPACE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed short s16;
typedef signed int s32;
typedef signed long long s64;

#define __u8			u8
#define __u16			u16
#define __u32			u32
#define __u64			u64
#define __s32			s32
#define __s64			s64

#define U8_MAX			((u8)~0U)
#define U16_MAX			((u16)~0U)
#define U32_MAX			((u32)~0U)
#define U64_MAX			((u64)~0ULL)
#define S64_MAX			((s64)(U64_MAX >> 1))

#define BIT(nr)			(1UL << (nr))
#define BIT_ULL(nr)		(1ULL << (nr))

#define min(a, b)	\
	({ typeof(a) _a = (a); typeof(b) _b = (b); _a < _b ? _a : _b; })
#define max(a, b)	\
	({ typeof(a) _a = (a); typeof(b) _b = (b); _a > _b ? _a : _b; })
#define min_t(type, a, b)	min((type)(a), (type)(b))
#define max_t(type, a, b)	max((type)(a), (type)(b))
#define min3(a, b, c)		min(min(a, b), c)
#define max3(a, b, c)		max(max(a, b), c)
#define clamp(val, lo, hi)	min(max(val, lo), hi)
#define clamp_t(type, val, lo, hi) clamp((type)(val), (type)(lo), (type)(hi))
#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

#define container_of(ptr, type, member)	\
	((type *)((char *)(ptr) - offsetof(type, member)))
#define noinline
#define likely(condition)	(condition)
#define unlikely(condition)	(condition)
#define EXPORT_SYMBOL_GPL(...)

static inline u64 div_u64(u64 dividend, u32 divisor)
{
	return dividend / divisor;
}

static inline s64 div_s64(s64 dividend, s32 divisor)
{
	return dividend / divisor;
}

static inline u64 div64_u64(u64 dividend, u64 divisor)
{
	return dividend / divisor;
}

static inline u64 div64_u64_rem(u64 dividend, u64 divisor, u64 *remainder)
{
	*remainder = dividend % divisor;
	return dividend / divisor;
}

static inline u64 mul_u64_u64_shr(u64 a, u64 b, unsigned int shift)
{
	return (__uint128_t)a * b >> shift;
}

static inline int fls64(u64 x)
{
	return x ? 64 - __builtin_clzll(x) : 0;
}

static inline u32 int_sqrt64(u64 x)
{
	u64 root = 0, bit;

	for (bit = 1ULL << 31; bit; bit >>= 1) {
		if ((root | bit) * (root | bit) <= x)
			root |= bit;
	}
	return root;
}

#endif /* _LAB_USERSPACE_H */
