// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of MARC beside its paper. Expected values are worked out by hand from the
 * paper's text, or by marc_kunit_gen.py from its closed forms.
 */
#include <kunit/test.h>
#include <linux/module.h>
#include "../lib_tfrc/kunit.h"
#include "marc.c"
#include "marc_kunit_table.h"
#include "marc_paper_kunit_table.h"

#define MS	TFRC_NSEC_PER_MSEC

/* Section 4.1 to the letter, as the preset "paper" has it. */
static struct marc marc_test_paper(void)
{
	return (struct marc) {
		.par = {
			.beta = MARC_BETA,
			.delta_loss = MARC_DELTA_LOSS,
			.delta_mark = MARC_DELTA_MARK,
			.tokens = 1,
			.decay = DCCP_MARC_DECAY_REPORT,
		},
	};
}

/* What is recommended. */
static struct marc marc_test_default(void)
{
	struct marc m = marc_test_paper();

	m.par.decay = DCCP_MARC_DECAY_TIME;
	m.par.lag = 1;
	return m;
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

#define ONE	BIT_ULL(MARC_DECAY_SHIFT)

/* Eq. 4. */
static void marc_test_token_value(struct kunit *test)
{
	struct marc m = marc_test_paper();
	const u64 beta = marc_decay(&m.par, 0, 0);

	KUNIT_EXPECT_EQ(test, marc_token_value(0, 500, beta), 500);
	KUNIT_EXPECT_EQ(test, marc_token_value(1000, 500, beta), 1400);
	KUNIT_EXPECT_EQ(test, marc_token_value(1000, -2000, beta), -1100);
	KUNIT_EXPECT_EQ(test, marc_token_value(-1000, 0, beta), -900);
	KUNIT_EXPECT_EQ(test, marc_token_value(1000, 0, 0), 0);
	KUNIT_EXPECT_EQ(test, marc_token_value(1000, 1, ONE), 1001);
	/* nothing forgotten for years does not overflow */
	KUNIT_EXPECT_EQ(test, marc_token_value(S64_MAX / 2000, S64_MAX / 2000,
					       ONE), S64_MAX / 2000);
	KUNIT_EXPECT_EQ(test, marc_token_value(-S64_MAX / 2000, -S64_MAX / 2000,
					       ONE), -S64_MAX / 2000);
}

/* Section 4.1: tokens decay with time; eq. 4 as it is written: by the report. */
static void marc_test_decay(struct kunit *test)
{
	/* 5e-8 of 1, see marc_decay() */
	const u64 slack = 14073748;

	for (int i = 0; i < ARRAY_SIZE(marc_decays); i++) {
		struct dccp_marc_tx_params par = {
			.decay = DCCP_MARC_DECAY_TIME,
		};
		u64 got;

		par.beta = marc_decays[i].beta;
		got = marc_decay(&par, marc_decays[i].interval,
				 marc_decays[i].rtt);
		KUNIT_EXPECT_LE_MSG(test, got, marc_decays[i].left + slack,
				    "row %d", i);
		KUNIT_EXPECT_GE_MSG(test, got + slack, marc_decays[i].left,
				    "row %d", i);
		KUNIT_EXPECT_LE(test, got, ONE);

		par.decay = DCCP_MARC_DECAY_REPORT;
		got = marc_decay(&par, marc_decays[i].interval,
				 marc_decays[i].rtt);
		KUNIT_EXPECT_EQ_MSG(test, got * 1000 >> MARC_DECAY_SHIFT,
				    marc_decays[i].beta, "row %d", i);
		par.beta = 0;
		KUNIT_EXPECT_EQ(test, marc_decay(&par, 1, 1), 0);
		par.decay = DCCP_MARC_DECAY_TIME;
		KUNIT_EXPECT_EQ(test, marc_decay(&par, 0, 0), 0);
	}
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
		.x_recv = TFRC_RATE(w_snd),
		.s = 1000,
		.lost = lost,
		.marked = marked,
	};
}

/*
 * Eq. 6 and 7: A = 15 KB/s of a share of 100 KB/s. An interval leaves 8500
 * bytes; T_n = 8500 (1 - 0.9^n) / 0.1. With I = R both ways to decay are one.
 */
static void marc_test_accumulation(struct kunit *test)
{
	struct marc both[] = { marc_test_paper(), marc_test_default() };

	for (int way = 0; way < ARRAY_SIZE(both); way++) {
		struct tfrc_decision d = marc_test_step(20000, 20000, 100000,
							15000, 0, 0);
		u32 n = 0;

		for (int i = 0; i < ARRAY_SIZE(marc_accumulations); i++) {
			const u32 tokens = marc_accumulations[i].tokens;

			for (; n < marc_accumulations[i].n; n++)
				marc_move_to(&both[way], &d);
			/* each step cuts off less than a byte: 10 in the end */
			KUNIT_EXPECT_LE(test, both[way].tokens, tokens + 1);
			KUNIT_EXPECT_GE(test, both[way].tokens, tokens - 10);
		}
	}
}

/* Eq. 10 with D = 0: the first M with (1/a - 1) beta^M / (1 - beta) < 1. */
static void marc_test_exhaustion(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(marc_exhaustions); i++) {
		/* A = a * 100 MB/s, so that rounding to bytes is no matter */
		const u64 share = 100000000;
		const u64 used = share / 1000 * marc_exhaustions[i].a;
		struct tfrc_decision d = marc_test_step(used, used, share,
							used, 0, 0);
		struct marc m = marc_test_paper();
		u32 reports = 0;

		m.par.beta = marc_exhaustions[i].beta;
		for (int n = 0; n < 1000; n++)
			marc_move_to(&m, &d);
		/* from now on the share is what is sent: D = 0 */
		d.x_calc = d.x_send;
		while (m.tokens >= used / 10 && reports < 1000) {
			marc_move_to(&m, &d);
			reports++;
		}
		KUNIT_EXPECT_EQ_MSG(test, reports, marc_exhaustions[i].m,
				    "beta %u, a %u", marc_exhaustions[i].beta,
				    marc_exhaustions[i].a);
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

	for (int i = 0; i < 2 * ARRAY_SIZE(cases); i++) {
		const typeof(cases[0]) *c = &cases[i / 2];
		struct tfrc_decision d =
			marc_test_step(100000, c->x_tfrc, 100000, 100000,
				       c->lost, c->marked);
		struct marc m = i % 2 ? marc_test_paper() : marc_test_default();

		m.tokens = c->tokens;
		KUNIT_EXPECT_EQ_MSG(test, marc_move_to(&m, &d), TFRC_RATE(c->x),
				    "%s", c->what);
		KUNIT_EXPECT_EQ_MSG(test, m.decision, c->decision, "%s",
				    c->what);
		KUNIT_EXPECT_EQ_MSG(test, m.x_tfrc, d.x_tfrc, "%s", c->what);

		/* with T held at 0, TFRC */
		m.par.tokens = 0;
		m.tokens = c->tokens;
		d.x_calc = TFRC_RATE(200000);
		KUNIT_EXPECT_EQ_MSG(test, marc_move_to(&m, &d), d.x_tfrc, "%s",
				    c->what);
		KUNIT_EXPECT_EQ(test, m.tokens, 0);
	}
}

/*
 * Congestion that shows only as delay: X = 100 KB/s, of which the source uses
 * some, TFRC would go to 37.5 KB/s, nothing is lost or marked.
 */
static void marc_test_lag(struct kunit *test)
{
	static const struct {
		const char *what;
		u32 sent, arrived, s, x;
	} cases[] = {
		{ "all arrives", 57600, 57600, 1000, 100000 },
		{ "more arrives", 57600, 80000, 1000, 100000 },
		{ "a third of the link is left", 57600, 25000, 1000, 90000 },
		{ "nothing arrives", 57600, 0, 1000, 90000 },
		{ "an eighth is missing", 80000, 70000, 100, 100000 },
		{ "more than an eighth", 80000, 69990, 100, 90000 },
		/* in 100 ms 1000 bytes are missing: half of it, but a packet */
		{ "a packet is missing", 20000, 10000, 1000, 100000 },
		{ "more than a packet", 20000, 9980, 1000, 90000 },
	};

	for (int i = 0; i < ARRAY_SIZE(cases); i++) {
		struct tfrc_decision d = marc_test_step(100000, 37500, 100000,
							cases[i].sent, 0, 0);
		struct marc m = marc_test_default();

		d.x_recv = TFRC_RATE(cases[i].arrived);
		d.s = cases[i].s;
		m.tokens = 50000;
		KUNIT_EXPECT_EQ_MSG(test, marc_move_to(&m, &d),
				    TFRC_RATE(cases[i].x), "%s",
				    cases[i].what);
		/* to the letter of the paper it keeps its rate */
		m = marc_test_paper();
		m.tokens = 50000;
		KUNIT_EXPECT_EQ_MSG(test, marc_move_to(&m, &d),
				    TFRC_RATE(100000), "%s", cases[i].what);
		KUNIT_EXPECT_EQ(test, m.decision, DCCP_MARC_KEEP);
	}
}

/* A queue that was built remains, although now as much arrives as is sent. */
static void marc_test_standing_queue(struct kunit *test)
{
	struct tfrc_decision d = marc_test_step(100000, 20000, 100000, 57600,
						0, 0);
	struct marc m = marc_test_default();
	int n;

	m.tokens = 1000000;
	d.x_recv = TFRC_RATE(25000);
	d.x = marc_move_to(&m, &d);
	KUNIT_EXPECT_EQ(test, d.x, TFRC_RATE(90000));
	d.x_send = d.x_recv;
	/* 0.9^n < 20000 / 90000: n = 15, of which the last is a small step */
	for (n = 0; m.decision == DCCP_MARC_LIMIT && n < 100; n++)
		d.x = marc_move_to(&m, &d);
	KUNIT_EXPECT_EQ(test, n, 15);
	KUNIT_EXPECT_EQ(test, d.x, TFRC_RATE(20000));
	KUNIT_EXPECT_GT(test, m.tokens, 0);
	/* that was it: without a sign of congestion the rate is kept again */
	d.x_tfrc = TFRC_RATE(10000);
	KUNIT_EXPECT_EQ(test, marc_move_to(&m, &d), TFRC_RATE(20000));
	KUNIT_EXPECT_EQ(test, m.decision, DCCP_MARC_KEEP);
}

/*
 * Section 4.1, delta as a function of tokens: X is at most X_tfrc + T/(n R). R = 100 ms,
 * X' = 100 KB/s, X_tfrc = 50 KB/s; what is sent is the share, so T = 0.9 T'. With n = 10
 * a byte of T allows a byte/s of excess.
 */
static void marc_test_landing(struct kunit *test)
{
	static const struct {
		const char *what;
		u32 landing, lost, tokens, x;
		enum dccp_marc_decision decision;
	} cases[] = {
		{ "no landing", 0, 0, 10000, 100000, DCCP_MARC_KEEP },
		{ "no signal", 10, 0, 10000, 59000, DCCP_MARC_LAND },
		{ "signal", 10, 1, 10000, 59000, DCCP_MARC_LAND },
		{ "no signal, above delta", 10, 0, 50000, 95000, DCCP_MARC_LAND },
		{ "signal, delta is less", 10, 1, 50000, 90000, DCCP_MARC_LIMIT },
		{ "many tokens", 10, 0, 60000, 100000, DCCP_MARC_KEEP },
		{ "no tokens", 10, 0, 0, 50000, DCCP_MARC_TFRC },
		{ "within one round trip", 1, 0, 1000, 59000, DCCP_MARC_LAND },
		{ "the longest", 1000, 0, 1000000, 59000, DCCP_MARC_LAND },
	};

	for (int i = 0; i < ARRAY_SIZE(cases); i++) {
		struct tfrc_decision d = marc_test_step(100000, 50000, 100000,
							100000, cases[i].lost, 0);
		struct marc m = marc_test_paper();

		m.par.landing = cases[i].landing;
		m.tokens = cases[i].tokens;
		KUNIT_EXPECT_EQ_MSG(test, marc_move_to(&m, &d) >> TFRC_RATE_SHIFT,
				    cases[i].x, "%s", cases[i].what);
		KUNIT_EXPECT_EQ_MSG(test, m.decision, cases[i].decision, "%s",
				    cases[i].what);
		KUNIT_EXPECT_EQ(test, m.kept, m.decision == DCCP_MARC_KEEP);
		KUNIT_EXPECT_EQ(test, m.limited, m.decision == DCCP_MARC_LIMIT);
		KUNIT_EXPECT_EQ(test, m.landed, m.decision == DCCP_MARC_LAND);
	}
}

/*
 * The equation allows 50 KB/s from now on, TFRC would go to 50 KB/s, and the source uses
 * all of X. Without landing X is above that until T is used up, and falls at once. With
 * it the excess E follows T: E = T/s, and per round trip T' = 0.9 T - 0.1 s E = 0.8 T. So
 * each report takes a fifth of the excess, and no step is larger.
 */
static void marc_test_soft(struct kunit *test)
{
	struct marc m = marc_test_paper();
	u64 x = TFRC_RATE(100000), before = x;

	m.par.landing = 10;
	m.tokens = 60000;
	for (int n = 0; n < 60; n++) {
		struct tfrc_decision d = marc_test_step(0, 50000, 50000, 0, 0, 0);

		d.x = x;
		d.x_send = x;
		d.x_recv = x;
		x = marc_move_to(&m, &d);
		KUNIT_EXPECT_LE(test, x, before);
		KUNIT_EXPECT_GE(test, x, TFRC_RATE(50000));
		if (m.decision == DCCP_MARC_LAND && before < TFRC_RATE(100000)) {
			u64 fall = (before - TFRC_RATE(50000)) / 5;

			/* 0.9 T and the excess are rounded down to a byte */
			KUNIT_EXPECT_GE(test, x + fall + TFRC_RATE(2), before);
		}
		before = x;
	}
	/* 0.8^59 of 50 KB/s is less than a byte/s */
	KUNIT_EXPECT_LE(test, x, TFRC_RATE(50001));
	KUNIT_EXPECT_GT(test, m.landed, 10);
}

/*
 * k reports until b^k T = 1000 (1 - b^k) / (1 - b): for b = 0.9 and T = 10,000 it is
 * 0.9^k = 1/2, k = 6.5788; for T = 90,000 it is 0.9^k = 1/10, k = 21.8543; for b = 0.81
 * 0.81^k = 1/2.9, k = 5.05270; for b = 0.5 0.5^k = 1/6, k = 2.58496.
 */
static void marc_test_left(struct kunit *test)
{
	static const struct {
		s64 tokens, unused;
		u32 beta, interval_ms, left_us;
	} cases[] = {
		{ 10000, -1000, 900, 100, 657881 },
		{ 90000, -1000, 900, 100, 2185435 },
		{ 10000, -1000, 810, 200, 1010541 },
		{ 10000, -1000, 500, 100, 258496 },
		{ 5000, -1000, 1000, 100, 500000 },
		{ 1, -1000, 1000, 100, 100 },
		{ 0, -1000, 900, 100, 0 },
		{ -5, -1000, 900, 100, 0 },
		{ -5, 1000, 900, 100, 0 },
	};

	for (int i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct dccp_marc_tx_params par = { .beta = cases[i].beta };
		u64 got = marc_left(cases[i].tokens, cases[i].unused,
				    marc_decay(&par, 0, 0),
				    cases[i].interval_ms * MS);

		KUNIT_EXPECT_LE_MSG(test, got, cases[i].left_us * 1000ULL + 1000,
				    "row %d", i);
		KUNIT_EXPECT_GE_MSG(test, got + 1000, cases[i].left_us * 1000ULL,
				    "row %d", i);
	}
	/* while nothing is used up there is no end */
	KUNIT_EXPECT_EQ(test, marc_left(1, 0, ONE / 2, MS), U64_MAX);
	KUNIT_EXPECT_EQ(test, marc_left(1, 5, ONE / 2, MS), U64_MAX);
	/* the greatest T, D and I: no overflow */
	KUNIT_EXPECT_GT(test, marc_left(S64_MAX / 2000, -3200000000000LL,
					ONE - 1, 128000 * MS), 128000 * MS);
}

/*
 * The tokens are used up when it was said, to a report, whatever the decay. T is rounded
 * to a byte at each report, which is 10 bytes in the end, or 1 ms. The warning comes
 * once, when less than its time is left.
 */
static void marc_test_warning(struct kunit *test)
{
	for (int beta = 500; beta <= 1000; beta += 100) {
		struct marc m = marc_test_default();
		struct tfrc_decision d = marc_test_step(100000, 100000, 90000,
							100000, 0, 0);
		u64 end = 0, time = 0;
		u32 warnings = 0;

		m.par.beta = beta;
		m.par.warning = 150;
		m.tokens = 20000;
		for (time = 100 * MS; m.tokens > 0; time += 100 * MS) {
			marc_move_to(&m, &d);
			warnings += m.warned;
			if (m.warned)
				KUNIT_EXPECT_LT(test, m.left, 150 * MS);
			if (!end)
				end = time + m.left;
			if (m.left)
				KUNIT_EXPECT_LE(test, abs((s64)(time + m.left - end)),
						2 * MS);
		}
		time -= 100 * MS;
		KUNIT_EXPECT_LE_MSG(test, end, time, "beta %d", beta);
		KUNIT_EXPECT_GT_MSG(test, end + 100 * MS, time, "beta %d", beta);
		KUNIT_EXPECT_EQ_MSG(test, warnings, 1, "beta %d", beta);

		/* Saved again, and used up again: another warning */
		d.x_calc = TFRC_RATE(200000);
		marc_move_to(&m, &d);
		KUNIT_EXPECT_EQ(test, m.left, U64_MAX);
		d.x_calc = TFRC_RATE(10000);
		for (warnings = 0; m.tokens > 0;) {
			marc_move_to(&m, &d);
			warnings += m.warned;
		}
		KUNIT_EXPECT_EQ(test, warnings, 1);
		m.par.warning = 0;
		m.left = U64_MAX;
		marc_move_to(&m, &d);
		KUNIT_EXPECT_FALSE(test, m.warned);
	}
}

/* A warning that is set above the time that is left is given at once, and once. */
static void marc_test_warning_raised(struct kunit *test)
{
	struct marc m = marc_test_default();
	struct tfrc_decision d = marc_test_step(100000, 100000, 90000, 100000, 0, 0);

	/* 1000 bytes are used up in each 100 ms, so 2 s are left, less what decays */
	m.par.beta = 1000;
	m.par.warning = 150;
	m.tokens = 20000;
	marc_move_to(&m, &d);
	KUNIT_EXPECT_FALSE(test, m.warned);
	KUNIT_EXPECT_GT(test, m.left, 1000 * MS);
	m.par.warning = 5000;
	marc_move_to(&m, &d);
	KUNIT_EXPECT_TRUE(test, m.warned);
	marc_move_to(&m, &d);
	KUNIT_EXPECT_FALSE(test, m.warned);
}

/* Before the first loss the share is unknown: T does not change. */
static void marc_test_slow_start(struct kunit *test)
{
	struct tfrc_decision d = marc_test_step(100000, 200000, 0, 100000,
						0, 0);
	struct marc m = marc_test_paper();

	m.tokens = 1000;
	KUNIT_EXPECT_EQ(test, marc_move_to(&m, &d), TFRC_RATE(200000));
	KUNIT_EXPECT_EQ(test, m.tokens, 900);
}

/*
 * An hour without a packet, W = 100 KB/s, R = 100 ms. With decay by time the earlier
 * tokens are gone, and the hour saves the share of four round trips, 40,000 bytes. By
 * the letter of the paper it is one report: 0.9 T' + 360 MB.
 */
static void marc_test_pause(struct kunit *test)
{
	struct tfrc_decision d = marc_test_step(100000, 100000, 100000, 0,
						0, 0);
	struct marc m = marc_test_default();

	d.interval = 3600000 * MS;
	m.tokens = 80000;
	marc_move_to(&m, &d);
	KUNIT_EXPECT_EQ(test, m.tokens, 40000);

	m = marc_test_paper();
	m.tokens = 80000;
	marc_move_to(&m, &d);
	KUNIT_EXPECT_EQ(test, m.tokens, 360072000);
}

/*
 * What is spent counts in full: 90 KB/s above the share for 8 R are 72,000 bytes.
 * T' = 100,000 has decayed to 0.9^8 of it, 43,046, or once to 90,000.
 */
static void marc_test_spending(struct kunit *test)
{
	struct tfrc_decision d = marc_test_step(100000, 100000, 10000, 100000,
						0, 0);
	struct marc m = marc_test_default();

	d.interval = 800 * MS;
	m.tokens = 100000;
	marc_move_to(&m, &d);
	KUNIT_EXPECT_LE(test, m.tokens, 43047 - 72000);
	KUNIT_EXPECT_GE(test, m.tokens, 43046 - 72000);

	m = marc_test_paper();
	m.tokens = 100000;
	marc_move_to(&m, &d);
	KUNIT_EXPECT_EQ(test, m.tokens, 90000 - 72000);
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
		{ { 900, 100, 50, 1, 2 }, true },
		{ { 900, 100, 50, 1, 3 }, false },
		{ { 900, 100, 50, 1, 0, 1, 1 }, true },
		{ { 900, 100, 50, 1, 0, 2, 0 }, false },
		{ { 900, 100, 50, 1, 0, 0, 2 }, false },
		{ { 900, 100, 50, 1, 0, 0, 0, 5 }, true },
		{ { 900, 100, 50, 1, 0, 0, 0, 4 }, false },
		{ { 900, 100, 50, 1, 0, 0, 0, 0, 1000, 65535 }, true },
		{ { 900, 100, 50, 1, 0, 0, 0, 0, 1001, 0 }, false },
		{ { 900, 100, 50, 1, 0, 0, 0, 5, 0, 0, 0, 0, 1 }, true },
		{ { 900, 100, 50, 1, 0, 0, 0, 5, 0, 0, 0, 0, 2 }, false },
		{ { 900, 100, 50, 1, 0, 0, 0, 5, 0, 0, 0, 0, 1, 1 }, false },
	};
	struct dccp_marc_rx_params rx = { };

	for (int i = 0; i < ARRAY_SIZE(cases); i++)
		KUNIT_EXPECT_EQ_MSG(test, marc_tx_params_valid(&cases[i].par),
				    cases[i].valid, "case %d", i);
	for (u32 n = 0; n < 300; n++) {
		rx.loss_history = n;
		KUNIT_EXPECT_EQ(test, marc_rx_params_valid(&rx),
				n >= 2 && n <= 255);
	}
	rx = (struct dccp_marc_rx_params){ .loss_history = 8, .recovery = 1 };
	KUNIT_EXPECT_TRUE(test, marc_rx_params_valid(&rx));
	rx.recovery = 2;
	KUNIT_EXPECT_FALSE(test, marc_rx_params_valid(&rx));
	rx = (struct dccp_marc_rx_params){ .loss_history = 8, .reserved[2] = 1 };
	KUNIT_EXPECT_FALSE(test, marc_rx_params_valid(&rx));
}

/* With T held at 0 MARC is TFRC, whatever its other parameters are. */
static void marc_test_tokens_off(struct kunit *test)
{
	static const struct dccp_marc_tx_params par[] = {
		{ .beta = 900, .delta_loss = 100, .delta_mark = 50,
		  .decay = DCCP_MARC_DECAY_TIME, .lag = 1 },
		{ .beta = 100, .delta_loss = 1, .delta_mark = 999,
		  .clock = DCCP_TFRC_CLOCK_RFC5348 },
	};
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(par); i++) {
		struct marc m = { .par = par[i] };

		for (j = 0; j < ARRAY_SIZE(reader_steps); j++) {
			const struct tfrc_decision d = {
				.interval = reader_steps[j].interval_ms * MS,
				.rtt = 100 * MS,
				.x = TFRC_RATE(reader_steps[j].x),
				.x_tfrc = TFRC_RATE(reader_steps[j].x_tfrc),
				.x_calc = TFRC_RATE(reader_steps[j].w),
				.x_send = TFRC_RATE(reader_steps[j].w_snd),
				.s = 1000,
				.lost = reader_steps[j].lost,
				.marked = reader_steps[j].marked,
			};

			KUNIT_EXPECT_EQ(test, marc_move_to(&m, &d), d.x_tfrc);
			KUNIT_EXPECT_EQ(test, m.tokens, 0);
		}
	}
}

/* lag = 0 applies at once: a connection that lagged keeps its rate, as in the paper. */
static void marc_test_lag_off(struct kunit *test)
{
	struct marc m = {
		.par = { .beta = 900, .delta_loss = 100, .delta_mark = 50, .tokens = 1 },
		.tokens = 1000000,
		.lagging = true,
	};
	const struct tfrc_decision d = {
		.interval = 100 * MS,
		.rtt = 100 * MS,
		.x = TFRC_RATE(100000),
		.x_tfrc = TFRC_RATE(50000),
		.s = 1000,
	};

	KUNIT_EXPECT_EQ(test, marc_move_to(&m, &d), d.x);
	KUNIT_EXPECT_EQ(test, m.decision, DCCP_MARC_KEEP);
}

/*
 * Section 4.1, with values that are computed from the paper alone. The kernel rounds T
 * to a byte at each report; with the decay the sum of these errors is at most 10 bytes.
 */
static void marc_test_reader(struct kunit *test)
{
	struct marc m = { };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(reader_steps); i++) {
		const struct tfrc_decision d = {
			.interval = reader_steps[i].interval_ms * MS,
			.rtt = 100 * MS,
			.x = TFRC_RATE(reader_steps[i].x),
			.x_tfrc = TFRC_RATE(reader_steps[i].x_tfrc),
			.x_calc = TFRC_RATE(reader_steps[i].w),
			.x_send = TFRC_RATE(reader_steps[i].w_snd),
			.x_recv = TFRC_RATE(reader_steps[i].w_snd),
			.s = 1000,
			.lost = reader_steps[i].lost,
			.marked = reader_steps[i].marked,
		};
		u64 x;

		if (reader_steps[i].first)
			m = (struct marc) {
				.par = {
					.beta = 900,
					.delta_loss = 100,
					.delta_mark = 50,
					.tokens = 1,
					.decay = DCCP_MARC_DECAY_REPORT,
				},
			};
		x = marc_move_to(&m, &d);
		KUNIT_EXPECT_LE_MSG(test, abs(m.tokens - reader_steps[i].tokens),
				    10, "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, m.decision, reader_steps[i].decision,
				    "row %u", i);
		KUNIT_EXPECT_LE_MSG(test, x,
				    TFRC_RATE(reader_steps[i].x_after) +
				    TFRC_RATE(1) / 2, "row %u", i);
		KUNIT_EXPECT_GE_MSG(test, x + TFRC_RATE(1) / 2,
				    TFRC_RATE(reader_steps[i].x_after),
				    "row %u", i);
	}
}

/* An equation that is easy to follow: X = 100 KB/s * (1 % / p). */
static u64 marc_test_calc_x(const struct rfc5348_sender *t, u32 s, u64 rtt,
			    u64 p)
{
	return tfrc_mul_div(TFRC_RATE(100000), TFRC_P_ONE / 100, p);
}

static const struct rfc5348_variant marc_test_variant = {
	.calc_x = marc_test_calc_x,
	.calc_p = rfc5348_calc_p,
	.limit = marc_limit,
	.move_to = rfc5348_move_to,
};

/* One round trip of 100 ms at @sent bytes/s, at the end of which @fb arrives. */
static u64 marc_test_round(struct marc_sender *ms, u64 now, u64 sent,
			   const struct tfrc_feedback *fb, bool limited)
{
	const u64 r = 100 * TFRC_NSEC_PER_MSEC;
	u64 bytes;

	for (bytes = 0; bytes < sent / 10; bytes += 1000)
		tfrc_sender_sent(&ms->tfrc.base, 1000, now);
	give_feedback(&ms->tfrc.base, fb, r, limited, now + r);
	return now + r;
}

/* A sender that knows R and is @x fast, as measured and as allowed. */
static u64 marc_test_clock_start(struct marc_sender *ms, u64 x)
{
	const struct tfrc_feedback none = { };
	u64 now = 1000 * TFRC_NSEC_PER_SEC, bytes;

	memset(ms, 0, sizeof(*ms));
	rfc5348_sender_init(&ms->tfrc, &marc_test_variant);
	ms->marc.par.clock = DCCP_TFRC_CLOCK_PAPER;
	tfrc_sender_start(&ms->tfrc.base, 1000, 100 * TFRC_NSEC_PER_MSEC, now);
	for (bytes = 0; bytes < x / 10; bytes += 1000)
		tfrc_sender_sent(&ms->tfrc.base, 1000, now);
	now = marc_test_round(ms, now + 100 * TFRC_NSEC_PER_MSEC, x, &none,
			      false);
	tfrc_sender_move(&ms->tfrc.base, TFRC_RATE(x));
	return now;
}

/* Self-clocking: X_recv in the round trip after a loss, 1.5 X_recv later. */
static void marc_test_clock(struct kunit *test)
{
	struct marc_sender ms;
	struct tfrc_feedback fb = { .p = TFRC_P_ONE / 100 };
	u64 now = marc_test_clock_start(&ms, 60000);

	fb.x_recv = TFRC_RATE(60000);
	fb.lost = 1;
	now = marc_test_round(&ms, now, 60000, &fb, false);
	EXPECT_RATE(test, ms.tfrc.base.x, 60000);
	/* still within the round trip */
	fb.x_recv = TFRC_RATE(50000);
	marc_test_round(&ms, now - 50 * TFRC_NSEC_PER_MSEC, 60000, &fb, false);
	EXPECT_RATE(test, ms.tfrc.base.x, 50000);
	now = marc_test_round(&ms, now, 60000, &fb, false);
	EXPECT_RATE(test, ms.tfrc.base.x, 75000);
	/* X_recv plain: the set of RFC 5348 would remember 50000 */
	fb.x_recv = TFRC_RATE(30000);
	now = marc_test_round(&ms, now, 60000, &fb, false);
	EXPECT_RATE(test, ms.tfrc.base.x, 45000);
	/* in proportion to what a source sends, however little that is */
	fb.x_recv = TFRC_RATE(10000);
	now = marc_test_round(&ms, now, 10000, &fb, true);
	EXPECT_RATE(test, ms.tfrc.base.x, 15000);
	/* after a pause it may start again at the initial rate */
	now = marc_test_round(&ms, now + 300 * TFRC_NSEC_PER_MSEC, 20000, &fb, true);
	EXPECT_RATE(test, ms.tfrc.base.x, 15000);
	now = marc_test_round(&ms, now + 301 * TFRC_NSEC_PER_MSEC, 20000, &fb, true);
	EXPECT_RATE(test, ms.tfrc.base.x, 40000);
	/* but not after a loss */
	fb.lost++;
	marc_test_round(&ms, now, 10000, &fb, true);
	EXPECT_RATE(test, ms.tfrc.base.x, 10000);
}

/* The same, but that the initial rate is open to a source that sends less than X. */
static void marc_test_restart(struct kunit *test)
{
	struct marc_sender ms;
	struct tfrc_feedback fb = {
		.p = TFRC_P_ONE / 100, .x_recv = TFRC_RATE(10000),
	};
	u64 now = marc_test_clock_start(&ms, 60000);

	ms.marc.par.clock = DCCP_TFRC_CLOCK_RESTART;
	now = marc_test_round(&ms, now, 10000, &fb, true);
	EXPECT_RATE(test, ms.tfrc.base.x, 40000);
	now = marc_test_round(&ms, now, 10000, &fb, false);
	EXPECT_RATE(test, ms.tfrc.base.x, 15000);
	fb.lost++;
	marc_test_round(&ms, now, 10000, &fb, true);
	EXPECT_RATE(test, ms.tfrc.base.x, 10000);
}

static struct kunit_case marc_cases[] = {
	KUNIT_CASE(marc_test_clock),
	KUNIT_CASE(marc_test_restart),
	KUNIT_CASE(marc_test_unused_share),
	KUNIT_CASE(marc_test_token_value),
	KUNIT_CASE(marc_test_decay),
	KUNIT_CASE(marc_test_accumulation),
	KUNIT_CASE(marc_test_exhaustion),
	KUNIT_CASE(marc_test_rule),
	KUNIT_CASE(marc_test_lag),
	KUNIT_CASE(marc_test_standing_queue),
	KUNIT_CASE(marc_test_landing),
	KUNIT_CASE(marc_test_soft),
	KUNIT_CASE(marc_test_left),
	KUNIT_CASE(marc_test_warning),
	KUNIT_CASE(marc_test_warning_raised),
	KUNIT_CASE(marc_test_slow_start),
	KUNIT_CASE(marc_test_pause),
	KUNIT_CASE(marc_test_spending),
	KUNIT_CASE(marc_test_params),
	KUNIT_CASE(marc_test_reader),
	KUNIT_CASE(marc_test_lag_off),
	KUNIT_CASE(marc_test_tokens_off),
	{ }
};

static struct kunit_suite marc_suite = {
	.name = "marc",
	.test_cases = marc_cases,
};

kunit_test_suite(marc_suite);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The dccp-ccids developers");
MODULE_VERSION(DCCP_CCIDS_VERSION);
MODULE_DESCRIPTION("Tests of MARC");
