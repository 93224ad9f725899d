// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of L-TFRC's equation and its inverse, against exact values, and of the equations
 * that are valid.
 */
#include <kunit/test.h>
#include <linux/math.h>
#include <linux/module.h>
#include "ltfrc.c"

#define MS	TFRC_NSEC_PER_MSEC

/* exact X for p */
struct ltfrc_row {
	u32	equation;
	u32	s;
	u64	rtt;
	u64	p;
	u64	x;
};

#include "ltfrc_kunit_table.h"

static struct ltfrc ltfrc_test_new(u16 k)
{
	const struct dccp_ltfrc_equation eq = { .k = k, .weight = 2000 };
	struct ltfrc lt;

	ltfrc_configure(&lt, &eq);
	return lt;
}

/* relative difference in 10^-6, not counting a unit of rounding */
static u64 ltfrc_error_ppm(u64 got, u64 want)
{
	u64 diff = abs((s64)(got - want));

	return diff > 1 ? tfrc_mul_div(diff - 1, 1000000, want) : 0;
}

/*
 * The required precision is 0.1 %. The real error is that of rounding ln p, 2^-33. It is
 * greatest near the zero of the equation: 10^-6.
 */
static void ltfrc_test_exact(struct kunit *test)
{
	const struct ltfrc_row *row = ltfrc_table;
	u64 error, worst[ARRAY_SIZE(ltfrc_equations)] = { };
	struct ltfrc lt;

	for (int i = 0; i < ARRAY_SIZE(ltfrc_table); i++, row++) {
		KUNIT_ASSERT_TRUE(test, ltfrc_equation_valid(&ltfrc_equations[row->equation]));
		ltfrc_configure(&lt, &ltfrc_equations[row->equation]);
		error = ltfrc_error_ppm(ltfrc_calc_x(&lt, row->s, row->rtt,
						     row->p), row->x);
		worst[row->equation] = max(worst[row->equation], error);
		KUNIT_EXPECT_LE_MSG(test, error, 5,
				    "equation %u, s %u, rtt %llu, p %llu: X is not %llu",
				    row->equation, row->s, row->rtt, row->p,
				    row->x);
	}
	for (int i = 0; i < ARRAY_SIZE(worst); i++)
		kunit_info(test, "equation %d: at most %llu * 10^-6 off\n", i,
			   worst[i]);
}

/* The paper's example: k = 11, 1 KB, 0.1 s, 0.1 %: 352 KB/s. */
static void ltfrc_test_example(struct kunit *test)
{
	struct ltfrc lt = ltfrc_test_new(11);
	u64 x;

	lt.bounded = false;
	x = ltfrc_calc_x(&lt, 1000, 100 * MS, TFRC_P_ONE / 1000);
	KUNIT_EXPECT_EQ(test, x >> TFRC_RATE_SHIFT, 352426);
}

/* 2^48 e^-0.5, where eq. 5 is 0 */
#define LTFRC_TEST_ZERO	170723203316912ULL

/* From p = e^-0.5 on X is one packet in 64 s. */
static void ltfrc_test_zero(struct kunit *test)
{
	const u64 zero = LTFRC_TEST_ZERO;
	static const u16 k[] = { 8, 11, 15 };
	const u64 least = TFRC_RATE(6400) / 64;

	for (int i = 0; i < ARRAY_SIZE(k); i++) {
		struct ltfrc lt = ltfrc_test_new(k[i]);

		KUNIT_EXPECT_EQ(test, ltfrc_calc_x(&lt, 6400, 100 * MS, zero),
				least);
		KUNIT_EXPECT_EQ(test, ltfrc_calc_x(&lt, 6400, 100 * MS,
						   TFRC_P_ONE * 61 / 100),
				least);
		KUNIT_EXPECT_EQ(test, ltfrc_calc_x(&lt, 6400, 100 * MS,
						   TFRC_P_ONE), least);
		KUNIT_EXPECT_EQ(test, ltfrc_calc_x(&lt, 6400, 100 * MS,
						   U64_MAX), least);
		KUNIT_EXPECT_EQ(test, ltfrc_window(lt.a, 1ULL << 31), 0);
		KUNIT_EXPECT_GT(test, ltfrc_window(lt.a, (1ULL << 31) + 4), 0);
		KUNIT_EXPECT_GT(test, ltfrc_calc_x(&lt, 6400, 100 * MS,
						   TFRC_P_ONE * 60 / 100),
				least);
	}
}

/* Padhye's equation bounds X where it is the lesser. */
static void ltfrc_test_bound(struct kunit *test)
{
	struct ltfrc free = ltfrc_test_new(15), held = ltfrc_test_new(11);
	u64 p, x, tcp;
	u32 bound = 0;

	free.bounded = false;
	for (p = LTFRC_P_MIN; p < TFRC_P_ONE / 2; p += p >> 4) {
		tcp = tfrc_calc_x(1000, 100 * MS, p);
		x = ltfrc_calc_x(&held, 1000, 100 * MS, p);
		KUNIT_EXPECT_LE(test, x, 2 * tcp);
		held.bounded = false;
		KUNIT_EXPECT_LE(test, x, ltfrc_calc_x(&held, 1000, 100 * MS, p));
		if (x != ltfrc_calc_x(&held, 1000, 100 * MS, p)) {
			KUNIT_EXPECT_EQ(test, x, 2 * tcp);
			bound++;
		}
		held.bounded = true;
	}
	KUNIT_EXPECT_GT(test, bound, 0);
	KUNIT_EXPECT_GT(test, ltfrc_calc_x(&free, 1000, 100 * MS,
					   TFRC_P_ONE / 5),
			2 * tfrc_calc_x(1000, 100 * MS, TFRC_P_ONE / 5));
}

/*
 * p(X(p)) = p. The smaller p is, the greater is the error of p for 10^-6 of the rate. So
 * the rates are compared.
 */
static void ltfrc_test_inverse(struct kunit *test)
{
	struct ltfrc lt;
	u64 p, back, x;

	for (int i = 0; i < ARRAY_SIZE(ltfrc_equations); i++) {
		ltfrc_configure(&lt, &ltfrc_equations[i]);
		for (p = LTFRC_P_MIN; p < TFRC_P_ONE * 6 / 10; p += p >> 3) {
			x = ltfrc_calc_x(&lt, 1000, 100 * MS, p);
			back = ltfrc_calc_p(&lt, 1000, 100 * MS, x);
			KUNIT_EXPECT_LE_MSG(test, ltfrc_error_ppm(back, p), 100,
					    "equation %d, p %llu, back %llu",
					    i, p, back);
		}
	}
}

/*
 * The first rate after slow start ended at a window of so many packets: the
 * rate of 10^-9 is all there is, 81 packets for k = 8, 152 for k = 15.
 */
static void ltfrc_test_first_rate(struct kunit *test)
{
	static const struct {
		u16 k;
		u32 window, first;	/* packets; 10^-2 packets */
	} cases[] = {
		{ 8, 4, 400 }, { 8, 10, 1000 }, { 8, 80, 8000 },
		{ 8, 100, 8089 }, { 8, 1000, 8089 },
		{ 11, 4, 400 }, { 11, 10, 1000 }, { 11, 100, 10000 },
		{ 11, 1000, 11122 },
		{ 15, 4, 400 }, { 15, 10, 1000 }, { 15, 100, 10000 },
		{ 15, 1000, 15167 },
	};

	for (int i = 0; i < ARRAY_SIZE(cases); i++) {
		struct ltfrc lt = ltfrc_test_new(cases[i].k);
		u64 rtt = 100 * MS, p, x;

		lt.bounded = false;
		p = ltfrc_calc_p(&lt, 1000, rtt,
				 TFRC_RATE(10000 * cases[i].window));
		KUNIT_EXPECT_GE(test, p, LTFRC_P_MIN);
		x = ltfrc_calc_x(&lt, 1000, rtt, p) >> TFRC_RATE_SHIFT;
		KUNIT_EXPECT_LE_MSG(test, abs((s64)x - 100 * cases[i].first),
				    100, "k %u, window %u: %llu", cases[i].k,
				    cases[i].window, x);
	}
}

/* Arguments out of range are clamped. */
static void ltfrc_test_edges(struct kunit *test)
{
	struct ltfrc lt = ltfrc_test_new(8);
	u64 p;

	KUNIT_EXPECT_EQ(test, ltfrc_calc_x(&lt, 1000, 100 * MS, 0),
			ltfrc_calc_x(&lt, 1000, 100 * MS, LTFRC_P_MIN));
	KUNIT_EXPECT_EQ(test, ltfrc_calc_x(&lt, 0, 100 * MS, 1), 0);
	KUNIT_EXPECT_EQ(test, ltfrc_calc_x(&lt, 1000, 0, TFRC_P_ONE / 10),
			ltfrc_calc_x(&lt, 1000, TFRC_RTT_MIN, TFRC_P_ONE / 10));
	KUNIT_EXPECT_EQ(test, ltfrc_calc_x(&lt, U32_MAX, 0, 0), TFRC_RATE_MAX);
	KUNIT_EXPECT_EQ(test, ltfrc_calc_p(&lt, 0, 0, 0), LTFRC_P_MIN);
	KUNIT_EXPECT_EQ(test, ltfrc_calc_p(&lt, 1, U64_MAX, U64_MAX),
			LTFRC_P_MIN);
	/* no rate, no window: the zero itself, but for the last bits of -ln p */
	p = ltfrc_calc_p(&lt, 1000, 100 * MS, 0);
	KUNIT_EXPECT_LE(test, abs((s64)(p - LTFRC_TEST_ZERO)),
			LTFRC_TEST_ZERO / 1000000000);
}

static void ltfrc_test_valid(struct kunit *test)
{
	static const struct {
		const char *what;
		struct dccp_ltfrc_equation eq;
		bool valid;
	} cases[] = {
		{ "tcp-friendly", { .k = 8, .weight = 2000 }, true },
		{ "bounded-friendly", { .k = 11, .weight = 1 }, true },
		{ "streaming-oriented", { .k = 15, .weight = 65535,
		  .bounded = 1 }, true },
		{ "no class", { .k = 9, .weight = 2000 }, false },
		{ "no weight", { .k = 8 }, false },
		{ "bounded is a flag", { .k = 8, .weight = 1, .bounded = 2 },
		  false },
		{ "marks", { .k = 8, .weight = 1, .l4s = 1 }, true },
		{ "l4s is a flag", { .k = 8, .weight = 1, .l4s = 2 }, false },
		{ "target", { .k = 8, .weight = 1, .target_delay = 1000 },
		  true },
		{ "no such target", { .k = 8, .weight = 1,
		  .target_delay = 4 }, false },
		{ "no polynomial", { .weight = 1 }, false },
		{ "always the same", { .weight = 1, .a = { 1 } }, true },
		{ "never anything", { .weight = 1, .a = { -1 } }, false },
		{ "first order", { .weight = 1, .a = { -131072, -262144 } },
		  true },
		{ "rises with p", { .weight = 1, .a = { 1000, 1 } }, false },
		{ "too little", { .weight = 1, .a = { -20, -1 } }, false },
		{ "just enough", { .weight = 1, .a = { -19, -1 } }, true },
		{ "second order", { .weight = 1, .a = { 0, 0, 1 } }, true },
		{ "falls again at 21", { .weight = 1, .a = { 0, -41, -1 } },
		  false },
		{ "does not at 20", { .weight = 1, .a = { 0, -42, -1 } },
		  true },
		{ "third order", { .weight = 1, .a = { 0, 0, 0, -1 } }, true },
		{ "falls at the end", { .weight = 1, .a = { 0, 0, 0, 1 } },
		  false },
		/* w' = 12 - 12 l + 3 l^2 = 3 (l - 2)^2 */
		{ "flat for a moment", { .weight = 1, .a = { 0, -12, -6, -1 } },
		  true },
		{ "falls for a moment", { .weight = 1,
		  .a = { 0, -11, -6, -1 } }, false },
		{ "extreme", { .weight = 1, .a = { S32_MIN, S32_MIN, S32_MAX,
		  S32_MIN } }, true },
	};

	for (int i = 0; i < ARRAY_SIZE(cases); i++)
		KUNIT_EXPECT_EQ_MSG(test, ltfrc_equation_valid(&cases[i].eq),
				    cases[i].valid, "%s", cases[i].what);
}

/* The receiver: 2 to 255 loss intervals, a switch, reserved bytes, and an equation */
static void ltfrc_test_rx_valid(struct kunit *test)
{
	static const struct dccp_ltfrc_rx_params good = {
		.loss_history = 8, .equation = { .k = 8, .weight = 1000 },
	};
	struct dccp_ltfrc_rx_params par = good;

	for (u32 i = 0; i < 300; i++) {
		par.loss_history = i;
		KUNIT_EXPECT_EQ(test, ltfrc_rx_params_valid(&par),
				i >= 2 && i <= 255);
	}
	for (u32 i = 0; i < 256; i++) {
		par = good;
		par.recovery = i;
		KUNIT_EXPECT_EQ(test, ltfrc_rx_params_valid(&par), i < 2);
	}
	for (u32 i = 0; i < ARRAY_SIZE(par.reserved); i++) {
		par = good;
		par.reserved[i] = 1;
		KUNIT_EXPECT_FALSE(test, ltfrc_rx_params_valid(&par));
	}
	par = good;
	par.equation.k = 9;
	KUNIT_EXPECT_FALSE(test, ltfrc_rx_params_valid(&par));
}

/* The greatest coefficients do not overflow: 32768 (1 + l + l^2 + l^3). */
static void ltfrc_test_overflow(struct kunit *test)
{
	const s32 a[4] = { S32_MAX, S32_MIN, S32_MAX, S32_MIN };
	u64 w = ltfrc_window(a, 20ULL << 32);

	KUNIT_EXPECT_EQ(test, w >> 32, 32768ULL * 8421 - 1);
	KUNIT_EXPECT_EQ(test, ltfrc_window(a, 0) >> 16, S32_MAX);
}

static struct kunit_case ltfrc_cases[] = {
	KUNIT_CASE(ltfrc_test_exact),
	KUNIT_CASE(ltfrc_test_example),
	KUNIT_CASE(ltfrc_test_zero),
	KUNIT_CASE(ltfrc_test_bound),
	KUNIT_CASE(ltfrc_test_inverse),
	KUNIT_CASE(ltfrc_test_first_rate),
	KUNIT_CASE(ltfrc_test_edges),
	KUNIT_CASE(ltfrc_test_valid),
	KUNIT_CASE(ltfrc_test_rx_valid),
	KUNIT_CASE(ltfrc_test_overflow),
	{ }
};

static struct kunit_suite ltfrc_suite = {
	.name = "ltfrc",
	.test_cases = ltfrc_cases,
};

kunit_test_suite(ltfrc_suite);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The dccp-ccids developers");
MODULE_VERSION(DCCP_CCIDS_VERSION);
MODULE_DESCRIPTION("Tests of L-TFRC");
