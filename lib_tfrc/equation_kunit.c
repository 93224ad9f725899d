// SPDX-License-Identifier: GPL-2.0-only
/*
 * The throughput equation and its inverse against exact values.
 *
 * The bounds are those that equation.c states. They are far below the 10^-3
 * that the library promises, so that a mistake in a constant is seen.
 */
#include <linux/limits.h>
#include <linux/math.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/types.h>
#include <net/tfrc.h>
#include "kunit.h"

#define P_MIN		(TFRC_P_ONE / 1000000000)
#define DECADES		10

/* exact X for p, and exact p for that X */
struct equation_row {
	int	decade;
	u32	s;
	u64	rtt;
	u64	p;
	u64	x;
	u64	p_of_x;
};

#include "equation_kunit_table.h"

/* relative difference in 10^-9, not counting a unit of rounding */
static u64 error_ppb(u64 got, u64 want)
{
	u64 diff = abs((s64)(got - want));

	return diff ? tfrc_mul_div(diff - 1, 1000000000, want) : 0;
}

static void print_errors(struct kunit *test, const char *what, const u64 *worst)
{
	int i;

	for (i = DECADES - 1; i >= 0; i--)
		kunit_info(test, "%s, p from 1e-%d: at most %llu * 10^-9 off\n",
			   what, i, worst[i]);
}

static void equation_calc_x(struct kunit *test)
{
	const struct equation_row *row = equation_table;
	u64 x, error, worst[DECADES] = {};
	int i;

	for (i = 0; i < ARRAY_SIZE(equation_table); i++, row++) {
		x = tfrc_calc_x(row->s, row->rtt, row->p);
		/* where a unit is more than the error, X is the nearest one */
		if (row->x < 10000)
			KUNIT_EXPECT_EQ(test, x, row->x);
		error = error_ppb(x, row->x);
		worst[-row->decade] = max(worst[-row->decade], error);
		KUNIT_EXPECT_LE_MSG(test, error, 1000,
				    "s %u, rtt %llu, p %llu: X is not %llu",
				    row->s, row->rtt, row->p, row->x);
	}
	print_errors(test, "X(p)", worst);
}

static void equation_calc_p(struct kunit *test)
{
	const struct equation_row *row = equation_table;
	u64 error, worst[DECADES] = {};
	int i;

	for (i = 0; i < ARRAY_SIZE(equation_table); i++, row++) {
		error = error_ppb(tfrc_calc_p(row->s, row->rtt, row->x),
				  row->p_of_x);
		worst[-row->decade] = max(worst[-row->decade], error);
		KUNIT_EXPECT_LE_MSG(test, error, 4000,
				    "s %u, rtt %llu, X %llu: p is not %llu",
				    row->s, row->rtt, row->x, row->p_of_x);
	}
	print_errors(test, "p(X)", worst);
}

/* X(p(X)) = X, for rates in steps of 1/128, all over the range of p. */
static void equation_round_trip(struct kunit *test)
{
	static const u32 size[] = { 1, 100, 1460, 65535 };
	static const u64 rtt[] = { TFRC_RTT_MIN, 3000000, 140000000,
				   TFRC_RTT_MAX };
	u64 x, end, back;
	int i, j;

	for (i = 0; i < ARRAY_SIZE(size); i++) {
		for (j = 0; j < ARRAY_SIZE(rtt); j++) {
			x = tfrc_calc_x(size[i], rtt[j], TFRC_P_ONE);
			end = tfrc_calc_x(size[i], rtt[j], P_MIN);
			for (x++; x < end; x += (x >> 7) + 1) {
				back = tfrc_calc_p(size[i], rtt[j], x);
				back = tfrc_calc_x(size[i], rtt[j], back);
				KUNIT_EXPECT_LE_MSG(test, error_ppb(back, x),
						    5000,
						    "s %u, rtt %llu, X %llu",
						    size[i], rtt[j], x);
			}
		}
	}
}

/* X never rises with p and R, and never falls with s. */
static void equation_monotonic(struct kunit *test)
{
	const u32 s = 1000;
	const u64 rtt = 140000000;
	u64 p, x;
	int i;

	for (p = P_MIN; p < TFRC_P_ONE; p += p >> 9) {
		x = tfrc_calc_x(s, rtt, p);
		KUNIT_EXPECT_LE(test, tfrc_calc_x(s, rtt, p + 1), x);
		KUNIT_EXPECT_LT(test, tfrc_calc_x(s, rtt, p + (p >> 9)), x);
		KUNIT_EXPECT_LT(test, tfrc_calc_x(s, rtt + (rtt >> 9), p), x);
		KUNIT_EXPECT_GT(test, tfrc_calc_x(s + 2, rtt, p), x);

		KUNIT_EXPECT_LE(test, tfrc_calc_p(s, rtt, x + 1),
				tfrc_calc_p(s, rtt, x));
		KUNIT_EXPECT_LE(test, tfrc_calc_p(s, rtt + 1, x),
				tfrc_calc_p(s, rtt, x));
		KUNIT_EXPECT_GE(test, tfrc_calc_p(s + 1, rtt, x),
				tfrc_calc_p(s, rtt, x));
	}

	/* powers of two of R, where intermediate results get longer */
	for (i = 14; i < 33; i++) {
		p = TFRC_P_ONE / 1000;
		x = TFRC_RATE(100000);
		KUNIT_EXPECT_GE(test, tfrc_calc_x(s, (1ULL << i) - 1, p),
				tfrc_calc_x(s, 1ULL << i, p));
		KUNIT_EXPECT_GE(test, tfrc_calc_p(s, (1ULL << i) - 1, x),
				tfrc_calc_p(s, 1ULL << i, x));
	}
}

/* Arguments out of range are clamped. */
static void equation_edges(struct kunit *test)
{
	const u64 ms = TFRC_NSEC_PER_MSEC;
	u64 x_one, x_min, p;

	KUNIT_EXPECT_EQ(test, tfrc_calc_x(0, 100 * ms, TFRC_P_ONE / 100), 0);
	KUNIT_EXPECT_EQ(test, tfrc_calc_x(1000, 100 * ms, 0),
			tfrc_calc_x(1000, 100 * ms, P_MIN));
	KUNIT_EXPECT_EQ(test, tfrc_calc_x(1000, 100 * ms, U64_MAX),
			tfrc_calc_x(1000, 100 * ms, TFRC_P_ONE));
	KUNIT_EXPECT_EQ(test, tfrc_calc_x(1000, 0, TFRC_P_ONE),
			tfrc_calc_x(1000, TFRC_RTT_MIN, TFRC_P_ONE));
	KUNIT_EXPECT_EQ(test, tfrc_calc_x(1000, U64_MAX, TFRC_P_ONE),
			tfrc_calc_x(1000, TFRC_RTT_MAX, TFRC_P_ONE));

	KUNIT_EXPECT_EQ(test, tfrc_calc_x(U32_MAX, 0, 0), TFRC_RATE_MAX);
	KUNIT_EXPECT_EQ(test, tfrc_calc_x(65535, 0, 0), TFRC_RATE_MAX);
	KUNIT_EXPECT_EQ(test, tfrc_calc_x(0, 0, 0), 0);
	KUNIT_EXPECT_EQ(test, tfrc_calc_x(0, U64_MAX, U64_MAX), 0);
	KUNIT_EXPECT_GT(test, tfrc_calc_x(1, U64_MAX, U64_MAX), 0);
	KUNIT_EXPECT_GT(test, tfrc_calc_x(U32_MAX, U64_MAX, U64_MAX),
			tfrc_calc_x(65535, U64_MAX, U64_MAX));

	/* outside of what the equation can give */
	x_one = tfrc_calc_x(1000, 100 * ms, TFRC_P_ONE);
	x_min = tfrc_calc_x(1000, 100 * ms, P_MIN);
	KUNIT_EXPECT_EQ(test, tfrc_calc_p(1000, 100 * ms, x_one - 1),
			TFRC_P_ONE);
	KUNIT_EXPECT_LT(test, tfrc_calc_p(1000, 100 * ms, x_one + 2),
			TFRC_P_ONE);
	KUNIT_EXPECT_EQ(test, tfrc_calc_p(1000, 100 * ms, x_min + (x_min >> 7)),
			P_MIN);
	KUNIT_EXPECT_GT(test, tfrc_calc_p(1000, 100 * ms, x_min - (x_min >> 7)),
			P_MIN);

	KUNIT_EXPECT_EQ(test, tfrc_calc_p(0, 0, 0), TFRC_P_ONE);
	KUNIT_EXPECT_EQ(test, tfrc_calc_p(1000, 100 * ms, 0), TFRC_P_ONE);
	KUNIT_EXPECT_EQ(test, tfrc_calc_p(1000, 100 * ms, 1), TFRC_P_ONE);
	KUNIT_EXPECT_EQ(test, tfrc_calc_p(U32_MAX, U64_MAX, 0), TFRC_P_ONE);
	KUNIT_EXPECT_EQ(test, tfrc_calc_p(U32_MAX, 0, 1), TFRC_P_ONE);
	KUNIT_EXPECT_EQ(test, tfrc_calc_p(0, U64_MAX, U64_MAX), P_MIN);
	KUNIT_EXPECT_EQ(test, tfrc_calc_p(1, U64_MAX, U64_MAX), P_MIN);
	KUNIT_EXPECT_EQ(test, tfrc_calc_p(65535, 0, U64_MAX),
			tfrc_calc_p(65535, 0, TFRC_RATE_MAX));
	KUNIT_EXPECT_EQ(test, tfrc_calc_p(1000, 0, 1ULL << 40),
			tfrc_calc_p(1000, TFRC_RTT_MIN, 1ULL << 40));
	KUNIT_EXPECT_EQ(test, tfrc_calc_p(1000, U64_MAX, 1ULL << 24),
			tfrc_calc_p(1000, TFRC_RTT_MAX, 1ULL << 24));

	/* the longest products */
	p = tfrc_calc_p(U32_MAX, TFRC_RTT_MAX, TFRC_RATE_MAX);
	KUNIT_EXPECT_LE(test, error_ppb(tfrc_calc_x(U32_MAX, TFRC_RTT_MAX, p),
					TFRC_RATE_MAX), 5000);
}

static struct kunit_case tfrc_equation_cases[] = {
	KUNIT_CASE(equation_calc_x),
	KUNIT_CASE(equation_calc_p),
	KUNIT_CASE(equation_round_trip),
	KUNIT_CASE(equation_monotonic),
	KUNIT_CASE(equation_edges),
	{}
};

struct kunit_suite tfrc_equation_suite = {
	.name = "tfrc_equation",
	.test_cases = tfrc_equation_cases,
};
