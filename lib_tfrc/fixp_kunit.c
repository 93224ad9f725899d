// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of fixed-point arithmetic, against exact values and for consistency.
 */
#include <linux/limits.h>
#include <linux/math.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/types.h>
#include <net/tfrc.h>
#include "kunit.h"

/* logarithm and square root have 8 and 7 bits more here than in the kernel */
struct root_row {
	u64	x;
	s64	ln;
	u64	sqrt;
};

struct exp_row {
	s64	y;
	u64	exp;
};

#include "fixp_kunit_table.h"

/* Numbers at which carries and shifts go wrong. */
static const u64 edges[] = {
	0, 1, 2, 3, U32_MAX - 1, U32_MAX, 1ULL << 32, (1ULL << 32) + 1,
	TFRC_P_ONE - 1, TFRC_P_ONE, TFRC_P_ONE + 1, 0xffffffffULL << 32,
	S64_MAX, 1ULL << 63, (1ULL << 63) + 1, U64_MAX - 1, U64_MAX
};

/* Numbers of all lengths: xorshift, cut to a number of bits that varies too. */
static u64 next_number(u64 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state >> (*state & 63);
}

static u64 distance(u64 a, u64 b)
{
	return a > b ? a - b : b - a;
}

/* a * b < c * d, by their 128 bits */
static bool product_less(u64 a, u64 b, u64 c, u64 d)
{
	u64 ab = mul_u64_u64_shr(a, b, 64);
	u64 cd = mul_u64_u64_shr(c, d, 64);

	return ab < cd || (ab == cd && a * b < c * d);
}

/* The quotient is right if quotient * c <= a * b < (quotient + 1) * c. */
static void check_quotient(struct kunit *test, u64 a, u64 b, u64 c)
{
	u64 q = tfrc_mul_div(a, b, c);
	bool right;

	if (!c)
		right = q == U64_MAX;
	else if (q == U64_MAX)
		right = !product_less(a, b, q, c);
	else
		right = !product_less(a, b, q, c) &&
			product_less(a, b, q + 1, c);

	KUNIT_EXPECT_TRUE_MSG(test, right, "%llu * %llu / %llu is not %llu",
			      a, b, c, q);
}

static void fixp_mul_div(struct kunit *test)
{
	u64 state = 88172645463325252ULL;
	u64 a, b;
	int i, j, k;

	for (i = 0; i < ARRAY_SIZE(edges); i++) {
		for (j = 0; j < ARRAY_SIZE(edges); j++) {
			for (k = 0; k < ARRAY_SIZE(edges); k++)
				check_quotient(test, edges[i], edges[j],
					       edges[k]);
		}
	}

	for (i = 0; i < 20000; i++) {
		a = next_number(&state);
		b = next_number(&state);
		check_quotient(test, a, b, next_number(&state));
		/* the result has 63 bits or more, or does not fit */
		check_quotient(test, a, b, mul_u64_u64_shr(a, b, 63));
	}

	KUNIT_EXPECT_EQ(test, tfrc_mul_div(6, 7, 0), U64_MAX);
	KUNIT_EXPECT_EQ(test, tfrc_mul_div(0, 7, 0), U64_MAX);
	KUNIT_EXPECT_EQ(test, tfrc_mul_div(U64_MAX, U64_MAX, 1), U64_MAX);
	KUNIT_EXPECT_EQ(test, tfrc_mul_div(U64_MAX, 5, 7),
			13176245766935394010ULL);
}

static void fixp_ln(struct kunit *test)
{
	u64 error, worst = 0;
	int i;

	for (i = 0; i < ARRAY_SIZE(root_table); i++) {
		error = abs(tfrc_ln(root_table[i].x) * 256 - root_table[i].ln);
		worst = max(worst, error);
		/* 0.51 of the kernel's units, and the table's own rounding */
		KUNIT_EXPECT_LE_MSG(test, error, 131, "x = %llu",
				    root_table[i].x);
	}
	kunit_info(test, "ln: at most %llu/256 * 2^-32 off\n", worst);

	KUNIT_EXPECT_EQ(test, tfrc_ln(TFRC_P_ONE), 0);
	KUNIT_EXPECT_EQ(test, tfrc_ln(0), tfrc_ln(1));
}

static void fixp_sqrt(struct kunit *test)
{
	u64 error, worst = 0;
	int i;

	for (i = 0; i < ARRAY_SIZE(root_table); i++) {
		error = distance(tfrc_sqrt(root_table[i].x) * 128,
				 root_table[i].sqrt);
		worst = max(worst, error);
		KUNIT_EXPECT_LE_MSG(test, error, 65, "x = %llu",
				    root_table[i].x);
	}
	kunit_info(test, "sqrt: at most %llu/128 * 2^-48 off\n", worst);

	KUNIT_EXPECT_EQ(test, tfrc_sqrt(0), 0);
	KUNIT_EXPECT_EQ(test, tfrc_sqrt(TFRC_P_ONE), TFRC_P_ONE);
	KUNIT_EXPECT_EQ(test, tfrc_sqrt(4 * TFRC_P_ONE), 2 * TFRC_P_ONE);
}

static void fixp_exp(struct kunit *test)
{
	u64 want, error, worst = 0;
	int i;

	for (i = 0; i < ARRAY_SIZE(exp_table); i++) {
		want = exp_table[i].exp;
		error = distance(tfrc_exp(exp_table[i].y), want);
		KUNIT_EXPECT_LE_MSG(test, error, 1 + (want >> 50), "y = %lld",
				    exp_table[i].y);
		/* where rounding does not count, in parts of 2^60 */
		if (want >> 60)
			worst = max(worst, error);
	}
	kunit_info(test, "exp: at most %llu * 2^-60 of the result off\n",
		   worst);

	KUNIT_EXPECT_EQ(test, tfrc_exp(0), TFRC_P_ONE);
	KUNIT_EXPECT_EQ(test, tfrc_exp(-34LL << 32), 0);
	KUNIT_EXPECT_EQ(test, tfrc_exp(S64_MIN), 0);
	KUNIT_EXPECT_EQ(test, tfrc_exp(12LL << 32), U64_MAX);
	KUNIT_EXPECT_EQ(test, tfrc_exp(S64_MAX), U64_MAX);
}

/* Next to each other, and where an argument changes its power of two. */
static void fixp_monotonic(struct kunit *test)
{
	u64 state = 88172645463325252ULL;
	u64 x;
	s64 y;
	int i;

	for (i = 0; i < 20000; i++) {
		x = next_number(&state);
		if (i < 64)
			x = (1ULL << i) - 1;
		if (x == U64_MAX)
			continue;
		KUNIT_EXPECT_LE_MSG(test, tfrc_ln(x), tfrc_ln(x + 1),
				    "ln of %llu", x);
		KUNIT_EXPECT_LE_MSG(test, tfrc_sqrt(x), tfrc_sqrt(x + 1),
				    "sqrt of %llu", x);
		/* from about -34 to 12, and where the result doubles */
		y = mul_u64_u64_shr(state, 46ULL << 32, 64);
		y -= 34LL << 32;
		if (i < 64)
			y = tfrc_ln(1ULL << i) - 1;
		KUNIT_EXPECT_LE_MSG(test, tfrc_exp(y), tfrc_exp(y + 1),
				    "exp of %lld", y);
	}
}

/* e^ln(x) = x but for the logarithm's last bit; sqrt(x)^2 = x likewise. */
static void fixp_round_trip(struct kunit *test)
{
	u64 state = 88172645463325252ULL;
	u64 x, root, back;
	int i;

	for (i = 0; i < 20000; i++) {
		x = next_number(&state);
		back = tfrc_exp(tfrc_ln(x));
		if (back == U64_MAX)
			continue;
		/* the logarithm takes 0 as 1 */
		KUNIT_EXPECT_LE_MSG(test, distance(back, x), 1 + (x >> 32),
				    "exp(ln(%llu))", x);

		/* (r + 1/2)^2 is less than r above r^2 */
		root = tfrc_sqrt(x);
		back = mul_u64_u64_shr(root, root, TFRC_P_SHIFT);
		KUNIT_EXPECT_LE_MSG(test, distance(back, x),
				    2 + (root >> TFRC_P_SHIFT),
				    "sqrt(%llu)^2", x);
	}
}

static struct kunit_case tfrc_fixp_cases[] = {
	KUNIT_CASE(fixp_mul_div),
	KUNIT_CASE(fixp_ln),
	KUNIT_CASE(fixp_sqrt),
	KUNIT_CASE(fixp_exp),
	KUNIT_CASE(fixp_monotonic),
	KUNIT_CASE(fixp_round_trip),
	{}
};

struct kunit_suite tfrc_fixp_suite = {
	.name = "tfrc_fixp",
	.test_cases = tfrc_fixp_cases,
};
