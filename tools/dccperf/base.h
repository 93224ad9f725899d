/* SPDX-License-Identifier: GPL-2.0-only */
/* Types and units. Times are CLOCK_MONOTONIC in ns, rates are bits of payload per second. */
#ifndef DCCPERF_BASE_H
#define DCCPERF_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/types.h>

typedef __u64 u64;
typedef __s64 s64;
typedef __u32 u32;
typedef __u16 u16;
typedef __u8 u8;

#define __printf(a, b)		__attribute__((format(printf, a, b)))
#define __noreturn		__attribute__((noreturn))
#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))

#ifndef SOL_DCCP
#define SOL_DCCP		269		/* not in every libc */
#endif

#define NSEC_PER_SEC		1000000000ULL
#define NSEC_PER_MSEC		1000000ULL

#endif /* DCCPERF_BASE_H */
