// SPDX-License-Identifier: GPL-2.0-only
/* Tests of LDA+: each equation against exact values, and the changes asked for. */
#include <kunit/test.h>
#include <linux/math.h>
#include "lda.c"

#define MS	TFRC_NSEC_PER_MSEC

struct lda_rate_row {
	u64	a, r, bottleneck, add, exp;
};

struct lda_tcp_row {
	u32	s;
	u64	interval, rtt, increase;
};

struct lda_loss_row {
	u32	s;
	u64	rtt, t_out;
	u32	loss;
	u64	r_tcp, decreased;
};

#include "lda_kunit_table.h"

/* relative difference in 10^-6, not counting two units of rounding */
static u64 lda_error_ppm(u64 got, u64 want)
{
	u64 diff = abs((s64)(got - want));

	return diff > 2 ? tfrc_mul_div(diff - 2, 1000000, want) : 0;
}

/* Eq. 9, 10 and 11. */
static void lda_test_rate(struct kunit *test)
{
	const struct lda_rate_row *row = lda_rate_table;

	for (int i = 0; i < ARRAY_SIZE(lda_rate_table); i++, row++) {
		KUNIT_EXPECT_LE_MSG(test, lda_error_ppm(lda_add(TFRC_RATE(row->a),
								TFRC_RATE(row->r),
								TFRC_RATE(row->bottleneck)),
							row->add), 1,
				    "A_add, row %d", i);
		/* near R_b: a part in 2^32 of 10^-6 */
		KUNIT_EXPECT_LE_MSG(test, lda_error_ppm(lda_exp(TFRC_RATE(row->r),
								TFRC_RATE(row->bottleneck)),
							row->exp), 300,
				    "A_exp, row %d", i);
	}
}

/* Eq. 12 and 13. */
static void lda_test_tcp_increase(struct kunit *test)
{
	const struct lda_tcp_row *row = lda_tcp_table;
	u64 a, unit;

	for (int i = 0; i < ARRAY_SIZE(lda_tcp_table); i++, row++) {
		a = lda_tcp_increase(row->s, row->interval, row->rtt);
		/* what the first division drops, the second step multiplies */
		unit = row->interval / row->rtt + 2;
		KUNIT_EXPECT_LE_MSG(test, a, row->increase, "row %d", i);
		KUNIT_EXPECT_LE_MSG(test, row->increase - a, unit,
				    "row %d: %llu, not %llu", i, a,
				    row->increase);
	}
}

/* Eq. 16 and 17. */
static void lda_test_loss(struct kunit *test)
{
	const struct lda_loss_row *row = lda_loss_table;
	u64 r;

	for (int i = 0; i < ARRAY_SIZE(lda_loss_table); i++, row++) {
		r = lda_tcp_rate(row->s, row->rtt, row->t_out, row->loss);
		KUNIT_EXPECT_LE_MSG(test, lda_error_ppm(r, row->r_tcp), 30,
				    "r_TCP, row %d: %llu, not %llu", i, r,
				    row->r_tcp);
		r = lda_decreased(TFRC_RATE(1000000), row->loss, 0);
		KUNIT_EXPECT_LE_MSG(test, lda_error_ppm(r, row->decreased), 1,
				    "row %d", i);
		KUNIT_EXPECT_EQ(test, lda_decreased(TFRC_RATE(1000000),
						    row->loss, r + 1), r + 1);
	}
}

static struct lda_report lda_test_report(u32 loss, u64 bottleneck)
{
	return (struct lda_report) {
		.loss = loss,
		.s = 1000,
		.bottleneck = TFRC_RATE(bottleneck),
		.rtt = 100 * MS,
		.interval = 5000 * MS,
	};
}

/* Eq. 14 and 15: each of the three is the least once. A_TCP is 255000. */
static void lda_test_least(struct kunit *test)
{
	static const struct {
		const char *what;
		u64 a, r, bottleneck, increase;
	} cases[] = {
		/* 1250 * 2 - 1250 / 100 */
		{ "A_add", 1250, 10000, 1000000, 2487 },
		/* (1 - e^-0.99) 10000 */
		{ "A_exp", 100000, 10000, 1000000, 6284 },
		{ "A_TCP", 500000, 1000000, 100000000, 255000 },
		{ "at R_b", 100000, 1000000, 1000000, 0 },
		{ "beyond R_b", 100000, 1500000, 1000000, 0 },
		{ "far beyond R_b", 100000, 5000000, 1000000, 0 },
		{ "no R_b", 100000, 1000000, 0, 1250 },
	};

	for (int i = 0; i < ARRAY_SIZE(cases); i++) {
		struct lda_report rep = lda_test_report(0, cases[i].bottleneck);
		struct lda lda;
		s64 ask;

		lda_init(&lda, TFRC_RATE(1250));
		lda.a = TFRC_RATE(cases[i].a);
		ask = lda_ask(&lda, TFRC_RATE(cases[i].r), &rep);
		KUNIT_EXPECT_EQ_MSG(test, ask >> TFRC_RATE_SHIFT,
				    cases[i].increase, "%s", cases[i].what);
		/* A is never less than its first value */
		KUNIT_EXPECT_EQ_MSG(test, lda.a, max_t(u64, ask,
						       TFRC_RATE(1250)),
				    "%s", cases[i].what);
	}
}

/* A nominal size of 1460 bytes. Of packets of 460, 460/500 are payload. */
static void lda_test_nominal(struct kunit *test)
{
	struct lda_report rep = lda_test_report(0, 100000000);
	struct lda lda;
	int i;
	static const struct {
		u32 r, more;
	} cases[] = {
		/* T = tau = 5 s: 1460 / 5 * 460 / 500; 460 / 5 with the real size */
		{ 40000, 268 },
		/* 100 packets/s are 46,000 bytes/s */
		{ 45800, 200 }, { 46000, 92 },
	};

	rep.s = 460;
	rep.nominal = 1460;
	rep.rtt = 5000 * MS;
	lda_init(&lda, TFRC_RATE(10));
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		lda.a = TFRC_RATE(500000);
		KUNIT_EXPECT_EQ(test, lda_ask(&lda, TFRC_RATE(cases[i].r), &rep) >>
				TFRC_RATE_SHIFT, cases[i].more);
	}

	/* l = 0.1, tau = 0.1 s, t_out = 3 tau: 29,902.46 * 460 / 500 */
	rep.rtt = 100 * MS;
	rep.loss = (1ULL << 32) / 10;
	KUNIT_EXPECT_EQ(test, lda_tcp(&lda, &rep) >> TFRC_RATE_SHIFT, 27510);
	/* 29,902.46 * 250 / 290 are more than 100 packets */
	rep.s = 250;
	KUNIT_EXPECT_EQ(test, lda_tcp(&lda, &rep) >> TFRC_RATE_SHIFT, 25000);
	rep.nominal = 0;
	KUNIT_EXPECT_EQ(test, lda_tcp(&lda, &rep) >> TFRC_RATE_SHIFT, 5120);
	/* l = 0.01: 100 packets of 460 are less than with the real size */
	rep.s = 460;
	rep.nominal = 1460;
	rep.loss = (1ULL << 32) / 100;
	KUNIT_EXPECT_EQ(test, lda_tcp(&lda, &rep) >> TFRC_RATE_SHIFT, 52765);
}

/* A grows as (2 - r/R_b)^m, and after R_b was reached it grows again. */
static void lda_test_grows(struct kunit *test)
{
	struct lda_report rep = lda_test_report(0, 100000000);
	struct lda lda;

	lda_init(&lda, TFRC_RATE(1250));
	for (int i = 1; i <= 6; i++) {
		s64 ask = lda_ask(&lda, TFRC_RATE(1000000), &rep);

		/* 1.99^i */
		KUNIT_EXPECT_EQ(test, ask >> TFRC_RATE_SHIFT,
				((const int[]){ 2487, 4950, 9850, 19602, 39009,
						77629 })[i - 1]);
	}
	lda_ask(&lda, TFRC_RATE(100000000), &rep);
	KUNIT_EXPECT_EQ(test, lda.a, TFRC_RATE(1250));
	KUNIT_EXPECT_GT(test, lda_ask(&lda, TFRC_RATE(1000000), &rep),
			TFRC_RATE(2000));
}

/* A loss: down to r (1 - sqrt l) or r_TCP, or up to r_TCP, and A anew. */
static void lda_test_asks(struct kunit *test)
{
	/* l = 1/100, t_out = 3 R: r_TCP = 1000 / (0.1 * 0.0871787…) */
	struct lda_report rep = lda_test_report(42949673, 1000000);
	u64 r_tcp = lda_tcp_rate(1000, 100 * MS, 300 * MS, rep.loss);
	struct lda lda;

	KUNIT_EXPECT_EQ(test, r_tcp >> TFRC_RATE_SHIFT, 114706);
	lda_init(&lda, TFRC_RATE(1250));
	lda.a = TFRC_RATE(50000);
	KUNIT_EXPECT_LE(test, abs(lda_ask(&lda, TFRC_RATE(1000000), &rep) +
				  (s64)TFRC_RATE(100000)), 100);
	KUNIT_EXPECT_EQ(test, lda.a, TFRC_RATE(1250));
	KUNIT_EXPECT_EQ(test, lda_ask(&lda, TFRC_RATE(120000), &rep),
			(s64)(r_tcp - TFRC_RATE(120000)));
	KUNIT_EXPECT_EQ(test, lda_ask(&lda, TFRC_RATE(20000), &rep),
			(s64)(r_tcp - TFRC_RATE(20000)));
	rep.loss = U32_MAX;
	KUNIT_EXPECT_LT(test, lda_ask(&lda, TFRC_RATE(1000000), &rep),
			-(s64)TFRC_RATE(990000));
}

/* The same in the paper's words: no further than an increase at a time. */
static void lda_test_climb(struct kunit *test)
{
	struct lda_report rep = lda_test_report(42949673, 1000000);
	struct lda lda;

	lda_init(&lda, TFRC_RATE(1250));
	lda.climb = true;
	/* r_TCP is 114706: 14706 and 706 above these, below the last */
	KUNIT_EXPECT_EQ(test, lda_ask(&lda, TFRC_RATE(100000), &rep),
			(s64)TFRC_RATE(1250));
	KUNIT_EXPECT_EQ(test, lda_ask(&lda, TFRC_RATE(114000), &rep) >>
			TFRC_RATE_SHIFT, 706);
	KUNIT_EXPECT_LE(test, abs(lda_ask(&lda, TFRC_RATE(1000000), &rep) +
				  (s64)TFRC_RATE(100000)), 100);
}

/* l of totals: 2^32 times lost / sent, whatever the last interval says. */
static void lda_test_share(struct kunit *test)
{
	static const struct {
		u64 lost, data;
		u32 share, l;
	} cases[] = {
		{ 0, 0, 0, 0 }, { 0, 100, U32_MAX, 0 },
		{ 1, 4, 0, 1U << 30 }, { 1, 75, 7, 57266230 },
		{ 3, 65535, U32_MAX, 196611 }, { 75, 75, 0, U32_MAX },
		{ 76, 75, 0, U32_MAX }, { 1, 0, 0, U32_MAX },
		/* Acks in flight count as data that has not arrived yet. */
		{ 76, 75, 1U << 30, 1U << 30 }, { 1, 0, 57266230, 57266230 },
		/* 65536 losses are none */
		{ 0, 65536, 1U << 31, 1U << 31 },
		{ 32768, 65536, 1U << 30, 1U << 31 },
	};

	for (int i = 0; i < ARRAY_SIZE(cases); i++)
		KUNIT_EXPECT_EQ_MSG(test, lda_loss(cases[i].lost, cases[i].data,
						   cases[i].share), cases[i].l,
				    "%d", i);
}

/* RFC 6298: gains of 1/8 and 1/4; R and R/2 at first. */
static void lda_test_timeout(struct kunit *test)
{
	struct lda lda;

	lda_init(&lda, 1);
	KUNIT_EXPECT_EQ(test, lda_timeout(&lda, 200 * MS), 600 * MS);
	tfrc_srtt_sample(&lda.rtt, 100 * MS);
	KUNIT_EXPECT_EQ(test, lda_timeout(&lda, 0), 300 * MS);
	tfrc_srtt_sample(&lda.rtt, 180 * MS);
	KUNIT_EXPECT_EQ(test, lda.rtt.srtt, 110 * MS);
	KUNIT_EXPECT_EQ(test, lda.rtt.rttvar, 57500000);
	tfrc_srtt_sample(&lda.rtt, 0);
	KUNIT_EXPECT_LT(test, lda.rtt.srtt, 97 * MS);
	tfrc_srtt_sample(&lda.rtt, U64_MAX);
	KUNIT_EXPECT_LE(test, lda_timeout(&lda, 0), 5 * TFRC_RTT_MAX);
}

static struct kunit_case lda_cases[] = {
	KUNIT_CASE(lda_test_rate),
	KUNIT_CASE(lda_test_tcp_increase),
	KUNIT_CASE(lda_test_loss),
	KUNIT_CASE(lda_test_least),
	KUNIT_CASE(lda_test_nominal),
	KUNIT_CASE(lda_test_grows),
	KUNIT_CASE(lda_test_asks),
	KUNIT_CASE(lda_test_climb),
	KUNIT_CASE(lda_test_share),
	KUNIT_CASE(lda_test_timeout),
	{ }
};

static struct kunit_suite lda_suite = {
	.name = "ctfaf_lda",
	.test_cases = lda_cases,
};

kunit_test_suite(lda_suite);
