// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of MARC beside its paper. Expected values are worked out by hand or
 * from the closed forms that the paper gives.
 */
#include <kunit/test.h>
#include <linux/module.h>
#include "marc.c"

#define MS	TFRC_NSEC_PER_MSEC

static struct marc marc_test_new(void)
{
	return (struct marc) {
		.par = {
			.beta = MARC_BETA,
			.delta_loss = MARC_DELTA_LOSS,
			.delta_mark = MARC_DELTA_MARK,
			.tokens = 1,
		},
	};
}

/* Eq. 5: 94 KB/s of share, 50 KB/s sent, in 140 ms: 6160 bytes. */
static void marc_test_unused_share(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, marc_unused_share(TFRC_RATE(94000),
						TFRC_RATE(50000), 140 * MS),
			6160);
	KUNIT_EXPECT_EQ(test, marc_unused_share(TFRC_RATE(50000),
						TFRC_RATE(94000), 140 * MS),
			-6160);
	KUNIT_EXPECT_EQ(test, marc_unused_share(TFRC_RATE(50000),
						TFRC_RATE(50000), 140 * MS), 0);
	/* the longest interval at the greatest rate: 25 GB/s, 128 s */
	KUNIT_EXPECT_EQ(test, marc_unused_share(TFRC_RATE_MAX, 0,
						128000 * MS),
			3200000000000LL);
}

/* Eq. 4. */
static void marc_test_token_value(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, marc_token_value(0, 500, 900), 500);
	KUNIT_EXPECT_EQ(test, marc_token_value(1000, 500, 900), 1400);
	KUNIT_EXPECT_EQ(test, marc_token_value(1000, -2000, 900), -1100);
	KUNIT_EXPECT_EQ(test, marc_token_value(-1000, 0, 900), -900);
	KUNIT_EXPECT_EQ(test, marc_token_value(1000, 0, 0), 0);
	KUNIT_EXPECT_EQ(test, marc_token_value(1000, 1, 1000), 1001);
	/* nothing forgotten for years does not overflow */
	KUNIT_EXPECT_GT(test, marc_token_value(S64_MAX / 2000, S64_MAX / 2000,
					       1000), 0);
	KUNIT_EXPECT_LT(test, marc_token_value(-S64_MAX / 2000, -S64_MAX / 2000,
					       1000), 0);
	KUNIT_EXPECT_EQ(test, marc_token_value(S64_MAX / 2000, S64_MAX / 2000,
					       1000), S64_MAX / 2000);
}

static struct tfrc_decision marc_test_step(u64 x, u64 x_tfrc, u64 w, u64 w_snd,
					   u32 lost, u32 marked)
{
	return (struct tfrc_decision) {
		.interval = 100 * MS,
		.rtt = 100 * MS,
		.x = TFRC_RATE(x),
		.x_tfrc = TFRC_RATE(x_tfrc),
		.x_calc = TFRC_RATE(w),
		.x_send = TFRC_RATE(w_snd),
		.lost = lost,
		.marked = marked,
	};
}

/*
 * Eq. 6 and 7: A = 15 KB/s of a share of 100 KB/s. An interval leaves 8500
 * bytes; T_n = 8500 (1 - 0.9^n) / 0.1: 8500, 16150, 23035, …, 85000.
 */
static void marc_test_accumulation(struct kunit *test)
{
	static const struct {
		u32 n, tokens;
	} cases[] = {
		{ 1, 8500 }, { 2, 16150 }, { 3, 23035 },
		{ 10, 55363 }, { 44, 84175 }, { 200, 85000 },
	};
	struct tfrc_decision d = marc_test_step(20000, 20000, 100000, 15000,
						0, 0);
	struct marc m = marc_test_new();
	u32 n = 0;

	for (int i = 0; i < ARRAY_SIZE(cases); i++) {
		while (n < cases[i].n) {
			marc_move_to(&m, &d);
			n++;
		}
		/* each step cuts off less than a byte: 10 bytes in the end */
		KUNIT_EXPECT_LE(test, m.tokens, cases[i].tokens + 1);
		KUNIT_EXPECT_GE(test, m.tokens, cases[i].tokens - 10);
	}
}

/* Eq. 10 with D = 0: the first M with (1/a - 1) beta^M / (1 - beta) < 1. */
static void marc_test_exhaustion(struct kunit *test)
{
	static const struct {
		u16 beta, a;	/* 10^-3 */
		u32 m;
	} cases[] = {
		/* a = 0.15: 5.667 / (1 - beta), log(1 - beta) over log(beta) */
		{ 500, 150, 4 },	/* 11.33 -> 0.708 after 4 */
		{ 700, 150, 9 },	/* 18.89 -> 1.089, 0.762 */
		{ 800, 150, 15 },	/* 28.33 -> 1.246, 0.997 */
		{ 900, 150, 39 },	/* 56.67 -> 1.034, 0.931 */
		{ 900, 500, 22 },	/* 10.00 -> 1.094, 0.985 */
	};

	for (int i = 0; i < ARRAY_SIZE(cases); i++) {
		/* A = a * 100 MB/s, so that rounding to bytes is no matter */
		const u64 share = 100000000, used = share / 1000 * cases[i].a;
		struct tfrc_decision d = marc_test_step(used, used, share,
							used, 0, 0);
		struct marc m = marc_test_new();
		u32 reports = 0;

		m.par.beta = cases[i].beta;
		for (int n = 0; n < 500; n++)
			marc_move_to(&m, &d);
		/* from now on the share is what is sent: D = 0 */
		d.x_calc = d.x_send;
		while (m.tokens >= used / 10 && reports < 1000) {
			marc_move_to(&m, &d);
			reports++;
		}
		KUNIT_EXPECT_EQ_MSG(test, reports, cases[i].m,
				    "beta %u, a %u", cases[i].beta, cases[i].a);
	}
}

/* The rule of section 4.1, branch by branch and at its borders. */
static void marc_test_rule(struct kunit *test)
{
	static const struct {
		const char *what;
		u32 x_tfrc, lost, marked;
		s64 tokens;
		u32 x;
		enum dccp_marc_decision decision;
	} cases[] = {
		{ "increase", 120000, 0, 0, 5000, 120000, DCCP_MARC_TFRC },
		{ "small decrease", 95000, 1, 0, 5000, 95000, DCCP_MARC_TFRC },
		{ "just delta", 90000, 1, 0, 5000, 90000, DCCP_MARC_TFRC },
		{ "beyond delta", 89999, 1, 0, 5000, 90000, DCCP_MARC_LIMIT },
		{ "far beyond", 1000, 3, 0, 5000, 90000, DCCP_MARC_LIMIT },
		{ "no signal", 50000, 0, 0, 5000, 100000, DCCP_MARC_KEEP },
		{ "no signal, above delta", 90001, 0, 0, 5000, 90001,
		  DCCP_MARC_TFRC },
		{ "marks", 50000, 0, 2, 5000, 95000, DCCP_MARC_LIMIT },
		{ "marks, just delta", 95000, 0, 2, 5000, 95000,
		  DCCP_MARC_TFRC },
		{ "marks and losses", 50000, 1, 2, 5000, 90000,
		  DCCP_MARC_LIMIT },
		{ "one token", 50000, 1, 0, 2, 90000, DCCP_MARC_LIMIT },
		{ "no token", 50000, 1, 0, 0, 50000, DCCP_MARC_TFRC },
		{ "no token, no signal", 50000, 0, 0, 0, 50000,
		  DCCP_MARC_TFRC },
		{ "debt", 50000, 1, 0, -5000, 50000, DCCP_MARC_TFRC },
	};

	for (int i = 0; i < ARRAY_SIZE(cases); i++) {
		struct tfrc_decision d =
			marc_test_step(100000, cases[i].x_tfrc, 100000, 100000,
				       cases[i].lost, cases[i].marked);
		struct marc m = marc_test_new();

		m.tokens = cases[i].tokens;
		KUNIT_EXPECT_EQ_MSG(test, marc_move_to(&m, &d),
				    TFRC_RATE(cases[i].x), "%s", cases[i].what);
		KUNIT_EXPECT_EQ_MSG(test, m.decision, cases[i].decision, "%s",
				    cases[i].what);
		KUNIT_EXPECT_EQ_MSG(test, m.x_tfrc, d.x_tfrc, "%s",
				    cases[i].what);

		/* with T held at 0, TFRC */
		m = marc_test_new();
		m.par.tokens = 0;
		m.tokens = cases[i].tokens;
		d.x_calc = TFRC_RATE(200000);
		KUNIT_EXPECT_EQ_MSG(test, marc_move_to(&m, &d), d.x_tfrc, "%s",
				    cases[i].what);
		KUNIT_EXPECT_EQ(test, m.tokens, 0);
	}
}

/* No loss so far, no estimate of the share: what is sent does not count. */
static void marc_test_slow_start(struct kunit *test)
{
	struct tfrc_decision d = marc_test_step(100000, 200000, 0, 100000,
						0, 0);
	struct marc m = marc_test_new();

	m.tokens = 1000;
	KUNIT_EXPECT_EQ(test, marc_move_to(&m, &d), TFRC_RATE(200000));
	KUNIT_EXPECT_EQ(test, m.tokens, 900);
}

/* A pause saves up for four round trips, however long it is. */
static void marc_test_pause(struct kunit *test)
{
	struct tfrc_decision d = marc_test_step(100000, 100000, 100000, 0,
						0, 0);
	struct marc m = marc_test_new();

	d.interval = 3600000 * MS;
	marc_move_to(&m, &d);
	KUNIT_EXPECT_EQ(test, m.tokens, 40000);
}

static void marc_test_params(struct kunit *test)
{
	static const struct {
		struct dccp_marc_tx_params par;
		bool valid;
	} cases[] = {
		{ { 900, 100, 50, 1, 0 }, true },
		{ { 0, 1, 1, 0, 0 }, true },
		{ { 1000, 999, 999, 1, 1 }, true },
		{ { 1001, 100, 50, 1, 0 }, false },
		{ { 900, 0, 50, 1, 0 }, false },
		{ { 900, 1000, 50, 1, 0 }, false },
		{ { 900, 100, 0, 1, 0 }, false },
		{ { 900, 100, 1000, 1, 0 }, false },
		{ { 900, 100, 50, 2, 0 }, false },
		{ { 900, 100, 50, 1, 2 }, false },
	};
	struct dccp_marc_rx_params rx = { };

	for (int i = 0; i < ARRAY_SIZE(cases); i++)
		KUNIT_EXPECT_EQ_MSG(test, marc_tx_params_valid(&cases[i].par),
				    cases[i].valid, "case %d", i);
	for (u32 n = 0; n < 300; n++) {
		rx.loss_history = n;
		KUNIT_EXPECT_EQ(test, marc_rx_params_valid(&rx),
				n >= 2 && n <= 128);
	}
	rx = (struct dccp_marc_rx_params){ .loss_history = 8, .recovery = 1 };
	KUNIT_EXPECT_TRUE(test, marc_rx_params_valid(&rx));
	rx.recovery = 2;
	KUNIT_EXPECT_FALSE(test, marc_rx_params_valid(&rx));
	rx = (struct dccp_marc_rx_params){ .loss_history = 8, .reserved[2] = 1 };
	KUNIT_EXPECT_FALSE(test, marc_rx_params_valid(&rx));
}

static struct kunit_case marc_cases[] = {
	KUNIT_CASE(marc_test_unused_share),
	KUNIT_CASE(marc_test_token_value),
	KUNIT_CASE(marc_test_accumulation),
	KUNIT_CASE(marc_test_exhaustion),
	KUNIT_CASE(marc_test_rule),
	KUNIT_CASE(marc_test_slow_start),
	KUNIT_CASE(marc_test_pause),
	KUNIT_CASE(marc_test_params),
	{ }
};

static struct kunit_suite marc_suite = {
	.name = "marc",
	.test_cases = marc_cases,
};

kunit_test_suite(marc_suite);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Tests of MARC");
