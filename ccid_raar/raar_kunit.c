// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of RAAR's receiver: its equations against exact values, what it does on
 * each event by hand, and simulated connections against a model that was written
 * from the paper's text (both of these from raar_kunit_gen.py).
 */
#include <kunit/test.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/module.h>
#include "../lib_tfrc/kunit.h"
#include "raar.c"
#include "raar_kunit_table.h"
#include "raar_paper_kunit_table.h"

#define MS	TFRC_NSEC_PER_MSEC
#define SEC	TFRC_NSEC_PER_SEC
#define R	(100 * MS)
#define S	1000
#define T0	(1000 * SEC)

/*
 * The kernel rounds R down at each sample, by less than 1 ns: with a gain of 1/8 that
 * is 8 ns in the end. RTTVAR takes over these, and has 4 of its own.
 */
#define ROUNDED_RTT	8
#define ROUNDED_VAR	(ROUNDED_RTT + 4)

static void expect_within(struct kunit *test, u64 got, u64 want, u64 slack,
			  const char *what, u32 number)
{
	KUNIT_EXPECT_GE_MSG(test, got + slack, want, "%s %u", what, number);
	KUNIT_EXPECT_LE_MSG(test, got, want + slack, "%s %u", what, number);
}

static void expect_near(struct kunit *test, u64 got, u64 want, u64 parts,
			const char *what, u32 number)
{
	expect_within(test, got, want, div64_u64(want, parts) + 2, what, number);
}

static void raar_test_alpha(struct kunit *test)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(raar_alphas); i++)
		expect_near(test, raar_alpha(raar_alphas[i].beta),
			    raar_alphas[i].alpha, U64_MAX, "row", i);
}

static void raar_test_increase(struct kunit *test)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(raar_increases); i++)
		expect_near(test, raar_increase(raar_alpha(raar_increases[i].beta),
						raar_increases[i].delta,
						raar_increases[i].wnd,
						raar_increases[i].s,
						raar_increases[i].rtt),
			    raar_increases[i].rate, 1000000, "row", i);
}

/* The paper's weights, in tenths for n = 8 and in ninths for n = 7. */
static void raar_test_weights(struct kunit *test)
{
	static const u32 even[] = { 10, 10, 10, 10, 8, 6, 4, 2 };
	static const u32 odd[] = { 9, 9, 9, 8, 6, 4, 2 };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(even); i++)
		KUNIT_EXPECT_EQ(test, raar_weight(i + 1, 8), even[i]);
	for (i = 0; i < ARRAY_SIZE(odd); i++)
		KUNIT_EXPECT_EQ(test, raar_weight(i + 1, 7), odd[i]);
	KUNIT_EXPECT_EQ(test, raar_weight(1, 1), 2);
}

/* All guards, and none: the presets. */
static const struct dccp_raar_rx_params guarded = { RAAR_RX_DEFAULT };
static const struct dccp_raar_rx_params paper = {
	.beta = 875,
	.delta = 167,
	.smoothing = 8,
};

/* At R = 100 ms and 1000 bytes a packet, it begins at 40000 bytes/s. */
static void raar_test_begin(struct raar *r,
			    const struct dccp_raar_rx_params *par)
{
	raar_init(r);
	raar_configure(r, par);
	raar_start(r, S, R, T0);
}

static void raar_test_start(struct raar *r, u32 smoothing)
{
	struct dccp_raar_rx_params par = guarded;

	par.smoothing = smoothing;
	raar_test_begin(r, &par);
}

static void raar_test_means(struct kunit *test)
{
	struct raar r;
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(raar_means); i++) {
		raar_test_start(&r, raar_means[i].n);
		r.slow_start = false;
		KUNIT_EXPECT_EQ(test, raar_smoothed(&r), 0);
		/* whatever was before the last n does not count */
		for (j = 0; j < raar_means[i].known; j++) {
			r.rate = TFRC_RATE(raar_means[i].rates[j]);
			raar_report(&r, T0);
		}
		expect_near(test, raar_smoothed(&r), raar_means[i].mean,
			    100000000, "row", i);
	}
}

static void raar_test_ranges(struct kunit *test)
{
	static const struct dccp_raar_rx_params bad[] = {
		{ .beta = 0, .delta = 167, .smoothing = 8, .growth = 2000 },
		{ .beta = 1000, .delta = 167, .smoothing = 8, .growth = 2000 },
		{ .beta = 875, .delta = 0, .smoothing = 8, .growth = 2000 },
		{ .beta = 875, .delta = 1001, .smoothing = 8, .growth = 2000 },
		{ .beta = 875, .delta = 167, .smoothing = 0, .growth = 2000 },
		{ .beta = 875, .delta = 167, .smoothing = 65, .growth = 2000 },
		{ .beta = 875, .delta = 167, .smoothing = 8, .growth = 999 },
		{ .beta = 875, .delta = 167, .smoothing = 8, .growth = 1 },
		{ .beta = 875, .delta = 167, .smoothing = 8, .early_once = 2 },
		{ .beta = 875, .delta = 167, .smoothing = 8, .wnd_max = 2 },
		{ .beta = 875, .delta = 167, .smoothing = 8, .hole_events = 2 },
		{ .beta = 875, .delta = 167, .smoothing = 8, .exit_guard = 255 },
		{ .beta = 875, .delta = 167, .smoothing = 8, .per_rtt = 2 },
		{ .beta = 875, .delta = 167, .smoothing = 8, .fast_down = 2 },
		{ .beta = 875, .delta = 167, .smoothing = 8, .nominal_size = 1461 },
	};
	static const struct dccp_raar_rx_params good[] = {
		{ .beta = 1, .delta = 1, .smoothing = 1, .growth = 1000 },
		{ .beta = 999, .delta = 1000, .smoothing = 64, .growth = U16_MAX,
		  .rate_max = U32_MAX },
		guarded, paper,
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(bad); i++)
		KUNIT_EXPECT_FALSE_MSG(test, raar_rx_params_valid(&bad[i]),
				       "%u", i);
	for (i = 0; i < ARRAY_SIZE(good); i++)
		KUNIT_EXPECT_TRUE_MSG(test, raar_rx_params_valid(&good[i]),
				      "%u", i);
	for (i = 0; i < 0x10000; i++) {
		struct dccp_raar_tx_params tx = { .beta = i };

		KUNIT_EXPECT_EQ(test, raar_tx_params_valid(&tx),
				i >= 1 && i <= 999);
		tx.target_delay = 5;
		KUNIT_EXPECT_EQ(test, raar_tx_params_valid(&tx),
				i >= 1 && i <= 999);
		tx.l4s = 1;
		KUNIT_EXPECT_EQ(test, raar_tx_params_valid(&tx),
				i >= 1 && i <= 999);
		tx.l4s = 2;
		KUNIT_EXPECT_FALSE(test, raar_tx_params_valid(&tx));
		tx.l4s = 0;
		tx.reserved = 1;
		KUNIT_EXPECT_FALSE(test, raar_tx_params_valid(&tx));
		tx.reserved = 0;
		tx.target_delay = 4;
		KUNIT_EXPECT_FALSE(test, raar_tx_params_valid(&tx));
	}
}

/* A packet of the round of report @number, @waited after that. */
static void arrives(struct raar *r, u32 number, u64 stated, u64 waited, u64 now)
{
	const struct raar_packet pkt = {
		.len = S, .ccval = number % 16, .newest = true,
		.has_round = stated != 0, .stated = stated, .waited = waited,
	};

	raar_packet(r, &pkt, true, now);
}

/* Slow start: s/R for each packet, and what it leads to when it ends. */
static void raar_test_slow_start(struct kunit *test)
{
	struct raar r;
	u32 i;

	raar_test_start(&r, 8);
	EXPECT_RATE(test, r.rate, 40000);
	for (i = 0; i < 4; i++)
		arrives(&r, 0, TFRC_RATE(40000), 0, T0 + i * 25 * MS);
	EXPECT_RATE(test, r.rate, 80000);
	KUNIT_EXPECT_TRUE(test, r.slow_start);
	/* the raw rate is reported */
	EXPECT_RATE(test, raar_report(&r, T0 + R), 80000);
	KUNIT_EXPECT_EQ(test, r.reported, r.rate);
	arrives(&r, 1, TFRC_RATE(80000), 0, T0 + 2 * R);
	for (i = 0; i < 9; i++)
		arrives(&r, 1, 0, 0, T0 + 2 * R + (i + 1) * 12500000);
	EXPECT_RATE(test, r.rate, 180000);

	/* the end of it fills the array, so that it is not averaged in */
	raar_loss(&r, 1, T0 + 3 * R);
	KUNIT_EXPECT_FALSE(test, r.slow_start);
	KUNIT_EXPECT_EQ(test, r.known, 8);
	KUNIT_EXPECT_EQ(test, raar_report(&r, T0 + 4 * R), r.rate);
}

/* A packet of a size arrives. Return: a report is due */
static bool sized(struct raar *r, u32 len, bool grow, u64 now)
{
	const struct raar_packet pkt = { .len = len, .newest = true };

	raar_packet(r, &pkt, grow, now);
	return raar_due(r, now);
}

/*
 * The first packet has 20 bytes: four of these in R are 800 bytes/s, and it adds 200. One of
 * 1400 raises the rate to 43800 (RFC 3390: 4380 bytes in R), adds 14000, and is reported at
 * once. Neither a smaller one nor one whose initial rate is less than the rate does.
 */
static void raar_test_small_first(struct kunit *test)
{
	struct raar r;
	u32 i;

	raar_init(&r);
	raar_configure(&r, &guarded);
	raar_start(&r, 20, R, T0);
	KUNIT_EXPECT_TRUE(test, sized(&r, 20, true, T0));
	EXPECT_RATE(test, raar_report(&r, T0), 1000);
	KUNIT_EXPECT_TRUE(test, sized(&r, 1400, true, T0 + 25 * MS));
	EXPECT_RATE(test, raar_report(&r, T0 + 25 * MS), 57800);
	KUNIT_EXPECT_FALSE(test, sized(&r, 1400, true, T0 + 26 * MS));
	KUNIT_EXPECT_FALSE(test, sized(&r, 1401, true, T0 + 27 * MS));
	EXPECT_RATE(test, r.rate, 57800 + 14000 + 14010);
	/* from then on twice what came in R is the limit: 20 + 2 * 1400 + 1401 bytes */
	EXPECT_RATE(test, raar_report(&r, T0 + R), 84420);

	/* the low bits tell 15 reports from each other: after ten are under way, five more */
	raar_init(&r);
	raar_configure(&r, &guarded);
	raar_start(&r, 20, R, T0);
	for (i = 0; i < 10; i++)
		raar_report(&r, T0);
	for (i = 0; i < 5; i++) {
		r.rate = 0;
		KUNIT_EXPECT_TRUE(test, sized(&r, 100 + i, true, T0));
		raar_report(&r, T0);
	}
	r.rate = 0;
	KUNIT_EXPECT_FALSE(test, sized(&r, 200, true, T0));

	/* After a loss event it stays. */
	raar_init(&r);
	raar_configure(&r, &guarded);
	raar_start(&r, 20, R, T0);
	sized(&r, 20, true, T0);
	raar_report(&r, T0);
	raar_loss(&r, 1, T0 + 25 * MS);
	sized(&r, 1400, false, T0 + 25 * MS);
	KUNIT_EXPECT_LT(test, r.rate, TFRC_RATE(1000));
}

/* What the first loss event cuts: 0.875 of the least of three. */
static void raar_test_exit(struct kunit *test)
{
	static const struct {
		u32 rate, stated, received, want;
	} cases[] = {
		{ 180000, 80000, 100000, 70000 },	/* stated */
		{ 50000, 80000, 100000, 43750 },	/* rate */
		{ 180000, 80000, 60000, 52500 },	/* received */
		{ 180000, 80000, 30000, 35000 },	/* half of stated */
	};
	struct raar r;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		raar_test_start(&r, 8);
		r.rate = TFRC_RATE(cases[i].rate);
		r.stated = TFRC_RATE(cases[i].stated);
		r.meter.bytes = cases[i].received / 10;
		raar_loss(&r, 1, T0 + R);
		EXPECT_RATE(test, r.rate, cases[i].want);
	}
}

/* A whole round adds alpha * delta * s/R: 0.3125 * 0.167 * 10000. */
static void raar_test_avoidance(struct kunit *test)
{
	struct raar r;
	u32 i;

	raar_test_start(&r, 8);
	raar_loss(&r, 1, T0);
	for (i = 0; i < 8; i++)
		arrives(&r, 0, 0, 0, T0 + i * 25 * MS);
	raar_report(&r, T0 + 2 * R);
	r.rate = TFRC_RATE(35000);
	for (i = 0; i < 8; i++)
		arrives(&r, 1, 0, 0, T0 + 2 * R + i * 25 * MS);
	KUNIT_EXPECT_EQ(test, r.wnd, 8);
	EXPECT_RATE(test, r.rate * 8, 8 * 35000 + 4175);

	/* a loss event: times 0.875; two of them: again */
	r.rate = TFRC_RATE(64000);
	raar_loss(&r, 2, T0);
	EXPECT_RATE(test, r.rate, 49000);
	/* of very many not less than a byte in 64 s is left */
	for (i = 0; i < 40; i++)
		raar_loss(&r, U64_MAX, T0);
	KUNIT_EXPECT_EQ(test, r.rate, TFRC_RATE(1) / 64);
	/* and the next packet makes it one packet, or more */
	arrives(&r, 1, 0, 0, T0 + 5 * R);
	KUNIT_EXPECT_GE(test, r.rate, TFRC_RATE(S) / 64);
}

/*
 * alpha delta s/R each R is 0.3125 * 0.167 * 10000 = 521.875 bytes/s: for 20 ms of 100 a
 * fifth of it. A longer pause than R counts as R.
 */
static void raar_test_increase_in(struct kunit *test)
{
	const u64 alpha = raar_alpha(875), step = 521875;

	expect_near(test, raar_increase_in(alpha, 167, 20 * MS, S, R) * 1000,
		    TFRC_RATE(step / 5), 1000000, "20 ms", 0);
	expect_near(test, raar_increase_in(alpha, 167, R, S, R) * 1000,
		    TFRC_RATE(step), 1000000, "R", 0);
	expect_near(test, raar_increase_in(alpha, 167, 3600 * SEC, S, R) * 1000,
		    TFRC_RATE(step), 1000000, "an hour", 0);
	KUNIT_EXPECT_EQ(test, raar_increase_in(alpha, 167, 0, S, R), 0);
}

/*
 * With per_rtt the same is added in R whether a round has one packet, as after a cut by
 * the paper's rules, or many, and whatever the number of packets is. What comes with a
 * loss event adds nothing, and its time does not count later.
 */
static void raar_test_per_rtt(struct kunit *test)
{
	static const u32 packets[] = { 1, 2, 5, 50 };
	struct dccp_raar_rx_params par = paper;
	struct raar r;
	u32 i, j, k;

	par.per_rtt = 1;
	for (i = 0; i < ARRAY_SIZE(packets); i++) {
		for (j = 0; j < 2; j++) {
			u64 gap = R / packets[i];

			raar_test_begin(&r, &par);
			raar_loss(&r, 1, T0);
			r.rate = TFRC_RATE(50000);
			/* ten times R */
			for (k = 1; k <= 10 * packets[i]; k++) {
				if (j)
					raar_report(&r, T0 + k * gap);
				arrives(&r, r.number, 0, 0, T0 + k * gap);
			}
			expect_near(test, r.rate * 100, TFRC_RATE(5521875),
				    1000000, "packets", packets[i]);
		}
	}
	raar_test_begin(&r, &par);
	raar_loss(&r, 1, T0);
	r.rate = TFRC_RATE(50000);
	raar_packet(&r, &(const struct raar_packet){ .len = S }, false, T0 + R);
	EXPECT_RATE(test, r.rate, 50000);
	arrives(&r, 0, 0, 0, T0 + R);
	EXPECT_RATE(test, r.rate, 50000);
}

/*
 * On a path with R = 400 ms and 1000 bytes a packet the initial rate is 36500 bytes/s. A
 * rate below that grows by alpha s/R in R, 0.3125 * 2500, whatever delta and wnd are; above
 * that by 0.167 of it in a round of eight packets. With R = 200 ms
 * it does that below the initial rate, too.
 */
static void raar_test_low(struct kunit *test)
{
	static const struct {
		const char *what;
		u32 rtt, rate, guard, want;	/* ms, bytes/s, and 10^-2 bytes/s */
	} cases[] = {
		{ "below", 400, 20000, 1, 2078125 },
		{ "just below", 400, 36000, 1, 3661855 },
		{ "above", 400, 36600, 1, 3673047 },
		{ "no guard", 400, 20000, 0, 2013047 },
		{ "short path", 200, 20000, 1, 2026094 },
	};
	struct dccp_raar_rx_params par = guarded;
	struct raar r;
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		u64 rtt = cases[i].rtt * MS, now = T0;

		par.exit_guard = cases[i].guard;
		par.growth = 0;
		raar_init(&r);
		raar_configure(&r, &par);
		raar_start(&r, S, rtt, now);
		raar_loss(&r, 1, now);
		for (j = 0; j < 8; j++, now += rtt / 8)
			arrives(&r, 0, 0, 0, now);
		raar_report(&r, now);
		r.rate = TFRC_RATE(cases[i].rate);
		for (j = 0; j < 8; j++, now += rtt / 8)
			arrives(&r, 1, 0, 0, now);
		expect_near(test, r.rate * 100, (u64)cases[i].want << TFRC_RATE_SHIFT,
			    1000000, cases[i].what, i);
	}
}

/*
 * A mean of 100 KB/s over eight reports, then a loss event and another one. In the mean the
 * newest of eight rates has a weight of 10 in 60. With fast_down the second event is
 * reported in full. Rates are in tenths of a byte/s.
 */
static void raar_test_fast_down(struct kunit *test)
{
	static const struct {
		const char *what;
		u32 fast, events, reports, want;
	} cases[] = {
		/* (10 * 76562.5 + 10 * 87500 + 40 * 100000) / 60 */
		{ "off", 0, 1, 1, 940104 },
		/* 0.875^2 */
		{ "second event", 1, 1, 1, 765625 },
		{ "at the last report", 1, 1, 7, 765625 },
		/* (10 * 76562.5 + 50 * 87500) / 60 */
		{ "later", 1, 1, 8, 856771 },
		/* 0.875^3 */
		{ "two at once", 1, 2, 8, 669922 },
	};
	struct dccp_raar_rx_params par = guarded;
	struct raar r;
	u32 i, k;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		par.fast_down = cases[i].fast;
		raar_test_begin(&r, &par);
		raar_loss(&r, 1, T0);
		for (k = 0; k < 20; k++) {
			r.rate = TFRC_RATE(100000);
			raar_report(&r, T0 + k * R);
		}
		raar_loss(&r, 1, T0 + 20 * R);
		EXPECT_RATE(test, r.rate, 87500);
		for (k = 0; k < cases[i].reports; k++)
			raar_report(&r, T0 + (21 + k) * R);
		raar_loss(&r, cases[i].events, T0 + (21 + k) * R);
		EXPECT_RATE(test, 10 * raar_report(&r, T0 + (22 + k) * R),
			    cases[i].want);
	}
}

/*
 * A nominal size of 1460 bytes, real packets of 460: a round adds 0.3125 * 0.167 * 14600 *
 * 460 / 500 = 701 bytes/s, up to 46,000.
 */
static void raar_test_nominal(struct kunit *test)
{
	struct dccp_raar_rx_params par = paper;
	struct raar r;

	par.nominal_size = 1460;
	raar_test_begin(&r, &par);
	/* slow start: the real size, 460 / 0.1 */
	r.rate = TFRC_RATE(10000);
	raar_grow(&r, 460, T0);
	EXPECT_RATE(test, r.rate, 14600);

	r.slow_start = false;
	r.wnd = 1;
	r.rate = TFRC_RATE(20000);
	raar_grow(&r, 460, T0);
	EXPECT_RATE(test, 10000 * (r.rate - TFRC_RATE(20000)), 7009825);
	/* 0.3125 * 0.167 * 4600 = 240.0625, and no more than to 100 packets */
	r.rate = TFRC_RATE(45500);
	raar_grow(&r, 460, T0);
	EXPECT_RATE(test, r.rate, 46000);
	raar_grow(&r, 460, T0);
	EXPECT_RATE(test, 10000 * (r.rate - TFRC_RATE(46000)), 2400625);

	/* the third loss event: of the interval before, 2 R long, each loss counts */
	r.rate = TFRC_RATE(64000);
	KUNIT_EXPECT_TRUE(test, raar_loss(&r, 1, T0 + SEC));
	r.data = 100;
	r.signals = 1;
	raar_loss(&r, 1, T0 + 2 * SEC);
	EXPECT_RATE(test, r.rate, 49000);
	r.rate = TFRC_RATE(64000);
	r.data = 120;
	r.signals = 3;
	raar_loss(&r, 1, T0 + 2 * SEC + 2 * R);
	EXPECT_RATE(test, r.rate, 49000);
	/* a longer one counts once, and without a nominal size all do */
	r.rate = TFRC_RATE(64000);
	r.signals = 9;
	raar_loss(&r, 1, T0 + 2 * SEC + 5 * R);
	EXPECT_RATE(test, r.rate, 56000);
	par.nominal_size = 0;
	raar_configure(&r, &par);
	r.rate = TFRC_RATE(64000);
	r.signals = 19;
	raar_loss(&r, 1, T0 + 2 * SEC + 6 * R);
	EXPECT_RATE(test, r.rate, 56000);
}

/* A packet that shows a loss event adds nothing. */
static void raar_test_no_growth(struct kunit *test)
{
	const struct raar_packet pkt = { .len = S, .newest = true };
	struct raar r;

	raar_test_start(&r, 8);
	raar_loss(&r, 1, T0);
	raar_packet(&r, &pkt, false, T0);
	EXPECT_RATE(test, r.rate, 17500);
	KUNIT_EXPECT_TRUE(test, r.fresh);
}

/* The paper's first loss event: rate is cut from what it is, and nothing else. */
static void raar_test_paper_exit(struct kunit *test)
{
	struct raar r;

	raar_test_begin(&r, &paper);
	r.rate = TFRC_RATE(180000);
	r.stated = TFRC_RATE(80000);
	KUNIT_EXPECT_TRUE(test, raar_loss(&r, 1, T0 + R));
	EXPECT_RATE(test, r.rate, 157500);
	KUNIT_EXPECT_EQ(test, r.known, 0);
	KUNIT_EXPECT_FALSE(test, r.slow_start);
}

/*
 * B.2: what is detected within R of the first loss belongs to its event, and what
 * is detected at once is one event. The guard counts what the history counts.
 */
static void raar_test_events(struct kunit *test)
{
	struct raar r;

	raar_test_begin(&r, &paper);
	r.rate = TFRC_RATE(64000);
	KUNIT_EXPECT_TRUE(test, raar_loss(&r, 5, T0));
	EXPECT_RATE(test, r.rate, 56000);
	KUNIT_EXPECT_FALSE(test, raar_loss(&r, 5, T0 + R - 1));
	EXPECT_RATE(test, r.rate, 56000);
	KUNIT_EXPECT_TRUE(test, raar_loss(&r, 0, T0 + R));
	EXPECT_RATE(test, r.rate, 49000);
	KUNIT_EXPECT_FALSE(test, raar_loss(&r, 1, T0 + R + R / 2));
	EXPECT_RATE(test, r.rate, 49000);

	raar_test_start(&r, 8);
	KUNIT_EXPECT_FALSE(test, raar_loss(&r, 0, T0));
	KUNIT_EXPECT_TRUE(test, r.slow_start);
	KUNIT_EXPECT_TRUE(test, raar_loss(&r, 1, T0));
	r.rate = TFRC_RATE(64000);
	KUNIT_EXPECT_TRUE(test, raar_loss(&r, 2, T0 + 1));
	EXPECT_RATE(test, r.rate, 49000);
	KUNIT_EXPECT_FALSE(test, raar_loss(&r, 0, T0 + 9 * R));
	EXPECT_RATE(test, r.rate, 49000);
	/* A hole of 40 round trips halves the rate: 32768 (7/8)^5 */
	r.rate = TFRC_RATE(32768);
	KUNIT_EXPECT_TRUE(test, raar_loss(&r, 40, T0 + 50 * R));
	EXPECT_RATE(test, r.rate, 16807);
}

/* The first report is about the first packet, which is no measurement of a rate. */
static void raar_test_first_report(struct kunit *test)
{
	const struct dccp_raar_rx_params *par[] = { &guarded, &paper };
	struct raar r;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(par); i++) {
		raar_test_begin(&r, par[i]);
		arrives(&r, 0, TFRC_RATE(40000), 0, T0);
		KUNIT_EXPECT_TRUE(test, raar_due(&r, T0));
		/* 40000, and s/R for a packet in slow start */
		EXPECT_RATE(test, raar_report(&r, T0), 50000);
		KUNIT_EXPECT_EQ(test, r.early, 0);
	}
}

/*
 * Slow start with a sender that keeps to the request: report k takes effect R after it
 * is made, R before report k + 1. So in the R before report k + 1 packets come at rate
 * k, and in the R before that at rate k - 1; each of them adds s/R:
 *
 *	rate_{k+1} = rate_k + rate_{k-1} + rate_k,	times 1 + sqrt(2) in 2 R
 *
 * With the guard rate_{k+1} is twice what was received, which is rate_k.
 */
static void raar_test_doubling(struct kunit *test)
{
	const struct dccp_raar_rx_params *par[] = { &guarded, &paper };
	static const u64 factors[] = { 2000, 2414 };
	u64 requested[2] = {}, now;
	struct raar r;
	u32 i, k;

	for (i = 0; i < ARRAY_SIZE(par); i++) {
		raar_test_begin(&r, par[i]);
		now = T0;
		arrives(&r, 0, TFRC_RATE(40000), 0, now);
		requested[1] = raar_report(&r, now);
		now += R;
		for (k = 1; k <= 8; k++) {
			u64 gap = tfrc_mul_div(TFRC_RATE(S), SEC, requested[1]);
			u64 end = now + 2 * R;

			requested[0] = requested[1];
			for (; now < end; now += gap) {
				if (r.number == k && now >= raar_wake(&r) && r.fresh)
					requested[1] = raar_report(&r, now);
				arrives(&r, k, 0, 0, now);
			}
			now = end;
			KUNIT_EXPECT_EQ(test, r.number, k + 1);
		}
		/* 5 percent: whole packets */
		KUNIT_EXPECT_GE(test, requested[1] * 1000, requested[0] * factors[i] / 20 * 19);
		KUNIT_EXPECT_LE(test, requested[1] * 1000, requested[0] * factors[i] / 20 * 21);
	}
}

/*
 * The paper reports with every packet while rate is below what the sender keeps to,
 * here as long as four bits tell the reports apart. The timer of the round runs on.
 */
static void raar_test_early_paper(struct kunit *test)
{
	u64 now = T0 + 2 * R - MS;
	struct raar r;
	u32 i;

	raar_test_begin(&r, &paper);
	arrives(&r, 0, TFRC_RATE(40000), 0, T0);
	raar_report(&r, T0);
	/* a sample of R, of a sender that waited for less: its round lasts R */
	arrives(&r, 1, TFRC_RATE(40000), R - MS, now);
	raar_loss(&r, 1, now);
	r.rate = TFRC_RATE(30000);
	for (i = 0; i < 15; i++) {
		KUNIT_EXPECT_TRUE(test, raar_due(&r, now + i * MS));
		raar_report(&r, now + i * MS);
		/* never two reports about one packet */
		KUNIT_EXPECT_FALSE(test, raar_due(&r, now + i * MS));
		arrives(&r, 1, 0, 0, now + (i + 1) * MS);
	}
	KUNIT_EXPECT_LT(test, r.rate, r.stated);
	KUNIT_EXPECT_EQ(test, r.number - r.round, 15);
	KUNIT_EXPECT_FALSE(test, raar_due(&r, now + 50 * MS));
	/* R after the round began, whatever else was reported, and once */
	KUNIT_EXPECT_EQ(test, raar_wake(&r), now + R);
	KUNIT_EXPECT_TRUE(test, raar_due(&r, now + R));
	raar_report(&r, now + R);
	arrives(&r, 1, 0, 0, now + R);
	KUNIT_EXPECT_FALSE(test, raar_due(&r, now + R));
	KUNIT_EXPECT_EQ(test, raar_wake(&r), now + R + raar_rto(&r));
	/* the first of them takes effect: another one may be made */
	arrives(&r, 3, TFRC_RATE(40000), 0, now + R + 10 * MS);
	KUNIT_EXPECT_EQ(test, r.round, 3);
	KUNIT_EXPECT_TRUE(test, raar_due(&r, now + R + 10 * MS));
	/* the sender is at rate */
	arrives(&r, 3, r.rate, 0, now + R + 11 * MS);
	KUNIT_EXPECT_FALSE(test, raar_due(&r, now + R + 11 * MS));
}

/*
 * A round of one packet, of which each reported: by the paper each packet of the next
 * round then adds a whole round's increase, 0.3125 * 0.167 * 10000. With the guard
 * the third packet adds a third of it.
 */
static void raar_test_short_rounds(struct kunit *test)
{
	/* of alpha delta s/R, times 6: the packet that begins a round, and the next two */
	static const u32 wanted[] = { 6 + 6 + 6, 6 + 3 + 2 };
	struct dccp_raar_rx_params par = paper;
	struct raar r;
	u64 before;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(wanted); i++) {
		par.wnd_max = i;
		raar_test_begin(&r, &par);
		raar_loss(&r, 1, T0);
		r.rate = TFRC_RATE(30000);
		raar_report(&r, T0);
		arrives(&r, 1, TFRC_RATE(30000), 0, T0 + R);
		raar_report(&r, T0 + R);
		before = r.rate;
		arrives(&r, 2, TFRC_RATE(30000), 0, T0 + 2 * R);
		KUNIT_EXPECT_EQ(test, r.wnd, 1);
		arrives(&r, 2, 0, 0, T0 + 2 * R + 10 * MS);
		arrives(&r, 2, 0, 0, T0 + 2 * R + 20 * MS);
		EXPECT_RATE(test, (r.rate - before) * 6 * 8,
			    wanted[i] * 4175);
	}
}

/* Rounds of one packet each, ten in R: what is received is ten packets in R. */
static void raar_test_short_meter(struct kunit *test)
{
	struct raar r;
	u64 now = T0;
	u32 i;

	raar_test_begin(&r, &paper);
	for (i = 0; i < 40; i++, now += R / 10) {
		arrives(&r, i, TFRC_RATE(1), 0, now);
		if (i == 39)
			break;
		raar_report(&r, now);
	}
	KUNIT_EXPECT_EQ(test, r.rounds, 39);
	expect_near(test, raar_received(&r, now), TFRC_RATE(100000), 20,
		    "received", 0);
}

/* The receiver's limit of the rate */
static void raar_test_rate_max(struct kunit *test)
{
	struct dccp_raar_rx_params par = paper;
	struct raar r;
	u64 now = T0;
	u32 i;

	par.rate_max = 45000;
	raar_test_begin(&r, &par);
	EXPECT_RATE(test, r.rate, 40000);
	for (i = 0; i < 20; i++, now += R)
		arrives(&r, 0, 0, 0, now);
	EXPECT_RATE(test, r.rate, 45000);
	raar_loss(&r, 1, now);
	r.rate = TFRC_RATE(44990);
	for (i = 0; i < 20; i++, now += R)
		arrives(&r, 0, 0, 0, now);
	EXPECT_RATE(test, raar_report(&r, now), 45000);
	/* a lower one holds at once, for what was remembered as well */
	par.rate_max = 20000;
	raar_configure(&r, &par);
	arrives(&r, 0, 0, 0, now);
	EXPECT_RATE(test, r.rate, 20000);
	EXPECT_RATE(test, raar_report(&r, now), 20000);
	/* one packet in 64 s is left in any case */
	par.rate_max = 1;
	raar_configure(&r, &par);
	arrives(&r, 0, 0, 0, now);
	EXPECT_RATE(test, r.rate * 64, S);
}

/* Ten packets in a round trip, and a report when @reports. */
static void round_trip(struct raar *r, u32 len, bool reports, u64 *now)
{
	struct raar_packet pkt = { .len = len, .newest = true };
	u32 i;

	for (i = 0; i < 10; i++, *now += R / 10) {
		pkt.ccval = r->number % 16;
		raar_packet(r, &pkt, true, *now);
	}
	if (reports)
		raar_report(r, *now);
}

/* An application that sends less than it may: rate comes to twice that. */
static void raar_test_limited(struct kunit *test)
{
	struct raar r;
	u64 now = T0;
	u32 i;

	/*
	 * 10000 bytes/s of 40000, in slow start: after the first report down by beta a
	 * round, to 20000
	 */
	raar_test_start(&r, 8);
	round_trip(&r, 100, true, &now);
	EXPECT_RATE(test, r.rate, 50000);
	round_trip(&r, 100, true, &now);
	EXPECT_RATE(test, r.rate, 43750);
	for (i = 0; i < 50; i++)
		round_trip(&r, 100, true, &now);
	EXPECT_RATE(test, r.rate, 20000);
	KUNIT_EXPECT_TRUE(test, r.slow_start);
	/* 25000 bytes/s of 40000: up to 50000, give or take a packet in a round */
	for (i = 0; i < 50; i++)
		round_trip(&r, 250, true, &now);
	KUNIT_EXPECT_GE(test, r.rate, TFRC_RATE(45000));
	KUNIT_EXPECT_LE(test, r.rate, TFRC_RATE(55000));

	/* the same after slow start, but what it has it keeps */
	raar_loss(&r, 1, T0);
	r.rate = TFRC_RATE(40000);
	for (i = 0; i < 200; i++)
		round_trip(&r, 250, true, &now);
	EXPECT_RATE(test, r.rate, 50000);
	r.rate = TFRC_RATE(90000);
	round_trip(&r, 250, true, &now);
	EXPECT_RATE(test, r.rate, 90000);

	/* the paper has no such limit: ten packets of 250 bytes add 25000 a round trip */
	raar_test_begin(&r, &paper);
	now = T0;
	for (i = 0; i < 50; i++)
		round_trip(&r, 250, true, &now);
	EXPECT_RATE(test, r.rate, 40000 + 50 * 25000);
}

/* The two reasons to report, and the repetition of a report that was lost. */
static void raar_test_reports(struct kunit *test)
{
	struct raar r;
	u64 now;

	raar_test_start(&r, 8);
	KUNIT_EXPECT_FALSE(test, raar_due(&r, T0));
	KUNIT_EXPECT_EQ(test, raar_wake(&r), 0);
	/* the first packet at once */
	arrives(&r, 0, TFRC_RATE(40000), 0, T0);
	KUNIT_EXPECT_TRUE(test, raar_due(&r, T0));
	raar_report(&r, T0);
	KUNIT_EXPECT_EQ(test, r.number, 1);
	KUNIT_EXPECT_FALSE(test, raar_due(&r, T0 + 10 * SEC));

	/* RTTVAR is R/2, so RTO 3 R: then it is repeated, if there is data */
	arrives(&r, 0, 0, 0, T0 + R);
	KUNIT_EXPECT_EQ(test, raar_wake(&r), T0 + 3 * R);
	KUNIT_EXPECT_FALSE(test, raar_due(&r, T0 + 3 * R - 1));
	KUNIT_EXPECT_TRUE(test, raar_due(&r, T0 + 3 * R));
	raar_report(&r, T0 + 3 * R);

	/* R after the round began; the first sample is 100 ms */
	now = T0 + 4 * R;
	arrives(&r, 2, TFRC_RATE(45000), 0, now);
	KUNIT_EXPECT_EQ(test, r.round, 2);
	KUNIT_EXPECT_EQ(test, r.rtt.srtt, R);
	KUNIT_EXPECT_EQ(test, raar_wake(&r), now + R);
	KUNIT_EXPECT_FALSE(test, raar_due(&r, now + R - 1));
	KUNIT_EXPECT_TRUE(test, raar_due(&r, now + R));

	/* at once when rate fell below what is sent at */
	r.rate = TFRC_RATE(44000);
	KUNIT_EXPECT_TRUE(test, raar_due(&r, now));
	raar_report(&r, now);
	KUNIT_EXPECT_EQ(test, r.early, 3);
	/* but once only */
	raar_loss(&r, 1, T0);
	arrives(&r, 2, 0, 0, now + MS);
	KUNIT_EXPECT_FALSE(test, raar_due(&r, now + MS));
	/* or when it was lost: RTTVAR is half of the first sample */
	KUNIT_EXPECT_FALSE(test, raar_due(&r, now + 300 * MS - 1));
	KUNIT_EXPECT_TRUE(test, raar_due(&r, now + 300 * MS));
	raar_report(&r, now + 300 * MS);
	KUNIT_EXPECT_EQ(test, r.number, 4);
	/* report 3 was only late: 4 is still under way, with the lower rate */
	arrives(&r, 3, TFRC_RATE(44000), 0, now + 310 * MS);
	KUNIT_EXPECT_FALSE(test, raar_due(&r, now + 310 * MS));
	arrives(&r, 4, TFRC_RATE(44000), 0, now + 350 * MS);
	KUNIT_EXPECT_TRUE(test, raar_due(&r, now + 350 * MS));
}

/*
 * Slow start with less than a packet in a round trip: each packet begins a round, and
 * each report is made by the timer, when nothing has come since.
 */
static void raar_test_sparse(struct kunit *test)
{
	struct raar r;
	u64 now = T0, before;
	int i;

	raar_test_start(&r, 8);
	r.rate = TFRC_RATE(S) * 5;
	r.reported = r.rate;
	for (i = 0; i < 40; i++) {
		arrives(&r, r.number % RAAR_ROUNDS, 0, 0, now);
		before = r.rate;
		raar_report(&r, raar_wake(&r) + 10 * MS);
		now += 3 * R / 2;
	}
	KUNIT_EXPECT_TRUE(test, r.slow_start);
	/* one packet arrives in 1.5 R, so the limit is two in 1.5 R: 13333 bytes/s */
	KUNIT_EXPECT_GE(test, r.rate, TFRC_RATE(13000));
	KUNIT_EXPECT_LE(test, r.rate, TFRC_RATE(21000));
	KUNIT_EXPECT_LE(test, before, TFRC_RATE(31000));
}

/*
 * Less than a packet in R: the sender had nothing to send for R or more. Then its
 * packet is reported at once, which gives the sender a sample of R.
 */
static void raar_test_alone(struct kunit *test)
{
	const u64 stated = TFRC_RATE(1000);
	struct raar r;
	u64 now = T0;
	int i;

	raar_test_start(&r, 8);
	arrives(&r, 0, 0, 0, now);
	KUNIT_EXPECT_TRUE(test, raar_due(&r, now));
	raar_report(&r, now);
	for (i = 0; i < 5; i++) {
		now += 2 * R;
		arrives(&r, r.number, stated, R, now);
		KUNIT_EXPECT_TRUE(test, raar_due(&r, now));
		raar_report(&r, now);
	}
	KUNIT_EXPECT_EQ(test, r.rtt.srtt, R);

	/* it waited for less: another packet may come within R */
	now += 2 * R - MS;
	arrives(&r, r.number, stated, R - MS, now);
	KUNIT_EXPECT_FALSE(test, raar_due(&r, now));
	KUNIT_EXPECT_EQ(test, raar_wake(&r), now + R);
	arrives(&r, r.number, 0, 0, now + MS);
	raar_report(&r, now + R);

	/* it sends bursts: more follow the first packet */
	now += 4 * R;
	arrives(&r, r.number, stated, 2 * R, now);
	KUNIT_EXPECT_EQ(test, r.wnd, 2);
	KUNIT_EXPECT_FALSE(test, raar_due(&r, now));
	KUNIT_EXPECT_EQ(test, raar_wake(&r), now + R);
}

/*
 * Behind a queue of 8 s a report waits for 2 s, and is repeated each 2 s, as long as fewer
 * than 15 are under way. More could not be told apart, so there RTO counts: 8 + 4 * 4 s.
 */
static void raar_test_long_queue(struct kunit *test)
{
	struct raar r;
	u64 now = T0;
	u32 i;

	raar_test_start(&r, 8);
	arrives(&r, 0, 0, 0, now);
	raar_report(&r, now);
	now += 8 * SEC;
	arrives(&r, 1, r.rate, 0, now);
	KUNIT_EXPECT_EQ(test, r.rtt.srtt, 8 * SEC);
	for (i = 2; i <= 16; i++) {
		KUNIT_EXPECT_EQ_MSG(test, raar_wake(&r), now + 2 * SEC, "%u", i);
		now += 2 * SEC;
		raar_report(&r, now);
		KUNIT_EXPECT_EQ(test, r.number, i);
		arrives(&r, 1, r.rate, 0, now);
	}
	KUNIT_EXPECT_EQ(test, raar_wake(&r), now + 24 * SEC);
}

/*
 * Reports come each 2 s there, so rounds are shorter than 2 R. In 2 R = 16 s rate grows all
 * the same by alpha delta s/R = 0.3125 * 0.167 * 1000 / 8 bytes/s.
 */
static void raar_test_long_growth(struct kunit *test)
{
	struct raar r;
	u64 now = T0, before;
	u32 i;

	raar_test_begin(&r, &paper);
	arrives(&r, 0, 0, 0, now);
	raar_report(&r, now);
	now += 8 * SEC;
	arrives(&r, 1, r.rate, 0, now);
	raar_loss(&r, 1, now);
	before = r.rate;
	for (i = 1; i <= 160; i++) {
		now += 100 * MS;
		if (i % 20 == 0)
			raar_report(&r, now);
		arrives(&r, r.number, 0, 0, now);
	}
	KUNIT_EXPECT_EQ(test, r.rtt.srtt, 8 * SEC);
	expect_near(test, r.rate - before, TFRC_RATE(6524) / 1000, 1000, "growth in 2 R", 0);
}

/* A packet that comes late shows nothing new, so a report on it would not count. */
static void raar_test_late(struct kunit *test)
{
	struct raar_packet late = { .len = S };
	struct raar r;

	raar_test_start(&r, 8);
	arrives(&r, 0, 0, 0, T0);
	raar_report(&r, T0);
	raar_packet(&r, &late, true, T0 + R);
	KUNIT_EXPECT_EQ(test, raar_wake(&r), 0);
	late.newest = true;
	raar_packet(&r, &late, true, T0 + R);
	KUNIT_EXPECT_NE(test, raar_wake(&r), 0);
}

/* The wait that fills its field may be a longer one: no sample. */
static void raar_test_long_wait(struct kunit *test)
{
	struct raar r;
	u64 now = T0 + 5000 * SEC;

	raar_test_start(&r, 8);
	arrives(&r, 0, 0, 0, T0);
	raar_report(&r, T0 + R);
	arrives(&r, 1, TFRC_RATE(20000), U32_MAX * TFRC_NSEC_PER_USEC, now);
	KUNIT_EXPECT_EQ(test, r.samples, 0);
	KUNIT_EXPECT_EQ(test, r.rtt.srtt, R);
	KUNIT_EXPECT_EQ(test, r.round, 1);
}

/* The rate that the sender states, or the requested one if it states none. */
static void raar_test_stated(struct kunit *test)
{
	struct raar_packet late = { .len = S, .has_round = true };
	struct raar r;

	raar_test_start(&r, 8);
	arrives(&r, 0, TFRC_RATE(41000), 0, T0);
	EXPECT_RATE(test, r.stated, 41000);
	raar_report(&r, T0);
	arrives(&r, 1, 0, 0, T0 + R);
	KUNIT_EXPECT_EQ(test, r.stated, r.reported);
	/* a cut of its own within the round */
	arrives(&r, 1, TFRC_RATE(30000), 0, T0 + R);
	EXPECT_RATE(test, r.stated, 30000);
	/* one that comes late is of the past */
	late.stated = TFRC_RATE(10000);
	raar_packet(&r, &late, true, T0 + R);
	EXPECT_RATE(test, r.stated, 30000);
	arrives(&r, 1, U64_MAX, 0, T0 + R);
	KUNIT_EXPECT_EQ(test, r.stated, TFRC_RATE_MAX);
}

/* SRTT and RTTVAR by the gains of RFC 6298, and what is no sample. */
static void raar_test_rtt(struct kunit *test)
{
	struct raar_packet late = {
		.len = S, .ccval = 4, .has_round = true, .stated = TFRC_RATE(9),
	};
	struct raar r;

	raar_test_start(&r, 8);
	KUNIT_EXPECT_EQ(test, raar_rto(&r), 300 * MS);
	arrives(&r, 0, TFRC_RATE(1), 0, T0);
	raar_report(&r, T0);
	/* the first sample takes the place of the handshake's (RFC 6298, 2.2) */
	arrives(&r, 1, TFRC_RATE(1), 0, T0 + 140 * MS);
	KUNIT_EXPECT_EQ(test, r.rtt.rttvar, 70 * MS);
	KUNIT_EXPECT_EQ(test, r.rtt.srtt, 140 * MS);

	/* a pause of 5 s at the sender is not in it: (3 * 70 + 75) / 4, (980 + 65) / 8 */
	raar_report(&r, T0 + SEC);
	arrives(&r, 2, TFRC_RATE(1), 5 * SEC, T0 + 6 * SEC + 65 * MS);
	KUNIT_EXPECT_EQ(test, r.rtt.rttvar, 71250000);
	KUNIT_EXPECT_EQ(test, r.rtt.srtt, 130625000);
	KUNIT_EXPECT_EQ(test, r.samples, 2);

	/* the packet that says so was lost: none */
	raar_report(&r, T0 + 7 * SEC);
	arrives(&r, 3, 0, 0, T0 + 9 * SEC);
	KUNIT_EXPECT_EQ(test, r.round, 3);
	KUNIT_EXPECT_EQ(test, r.samples, 2);
	/* but a later one may say it */
	raar_report(&r, T0 + 9 * SEC);
	raar_packet(&r, &late, true, T0 + 9 * SEC + R);
	KUNIT_EXPECT_EQ(test, r.round, 3);
	/* it cannot have waited for longer than all took */
	arrives(&r, 4, TFRC_RATE(1), R, T0 + 9 * SEC + R);
	KUNIT_EXPECT_EQ(test, r.round, 4);
	KUNIT_EXPECT_EQ(test, r.samples, 2);
	/* out of all proportion: held to 10 s */
	raar_report(&r, T0 + 10 * SEC);
	arrives(&r, 5, TFRC_RATE(1), 0, T0 + 100 * SEC);
	KUNIT_EXPECT_EQ(test, r.rtt.srtt, (7 * 130625000ULL + TFRC_RTT_MAX) / 8);

	/* a steady path: the clock's granularity is left */
	r.rtt.srtt = R;
	r.rtt.rttvar = 0;
	KUNIT_EXPECT_EQ(test, raar_rto(&r), 110 * MS);
}

/* The number of a round wraps its four bits, with reports lost in between. */
static void raar_test_wrap(struct kunit *test)
{
	struct raar r;
	u32 i, lost, number;
	u64 now = T0;

	raar_test_start(&r, 8);
	arrives(&r, 0, TFRC_RATE(1), 0, now);
	/* near the wrap of the number itself, too */
	r.number = U32_MAX - 40;
	r.round = r.number;
	r.early = r.number;
	for (i = 0; i < 200; i++) {
		for (lost = 0; lost < i % 15; lost++)
			raar_report(&r, now += 10 * MS);
		raar_report(&r, now += 10 * MS);
		number = r.number;
		now += R;
		/* what is left of the round before says nothing */
		arrives(&r, r.round, 0, 0, now - MS);
		arrives(&r, number, TFRC_RATE(1), 0, now);
		KUNIT_EXPECT_EQ(test, r.round, number);
		KUNIT_EXPECT_EQ(test, r.samples, i + 1);
		KUNIT_EXPECT_EQ(test, r.rtt.srtt, R);
	}

	/* 17 reports without a sign: 4 bits fit two, the newest counts */
	number = r.round;
	for (i = 0; i < 17; i++)
		raar_report(&r, now += 10 * MS);
	arrives(&r, number + 1, TFRC_RATE(1), 0, now + R);
	KUNIT_EXPECT_EQ(test, r.round, number + 17);
	KUNIT_EXPECT_EQ(test, r.samples, 200);
	/* the second of 17 fits only one: it has a sample */
	number = r.round;
	for (i = 0; i < 17; i++)
		raar_report(&r, now += 10 * MS);
	arrives(&r, number + 2, TFRC_RATE(1), 0, now + R);
	KUNIT_EXPECT_EQ(test, r.round, number + 2);
	KUNIT_EXPECT_EQ(test, r.samples, 201);
	/* 15 are left: a report that was never made begins no round */
	arrives(&r, number + 2 + 15, 0, 0, now + R);
	KUNIT_EXPECT_EQ(test, r.round, number + 17);
	arrives(&r, r.round + 1, 0, 0, now + R);
	KUNIT_EXPECT_EQ(test, r.round, number + 17);
}

/* wnd: packets of a round, late ones as well; none are lost between rounds. */
static void raar_test_wnd(struct kunit *test)
{
	struct raar_packet late = { .len = S };
	struct raar r;
	u32 i;

	raar_test_start(&r, 8);
	for (i = 0; i < 5; i++)
		arrives(&r, 0, 0, 0, T0 + i * MS);
	raar_packet(&r, &late, true, T0 + 5 * MS);
	KUNIT_EXPECT_EQ(test, r.wnd, 0);
	KUNIT_EXPECT_EQ(test, r.dyn_wnd, 6);
	raar_report(&r, T0 + R);
	arrives(&r, 1, 0, 0, T0 + 2 * R);
	KUNIT_EXPECT_EQ(test, r.wnd, 6);
	/* of round 0, which was overtaken by the first of round 1 */
	raar_packet(&r, &late, true, T0 + 2 * R);
	arrives(&r, 1, 0, 0, T0 + 2 * R);
	KUNIT_EXPECT_EQ(test, r.wnd, 6);
	KUNIT_EXPECT_EQ(test, r.dyn_wnd, 3);
	/* the report that would have begun round 2 was lost */
	raar_report(&r, T0 + 3 * R);
	raar_report(&r, T0 + 4 * R);
	arrives(&r, 3, 0, 0, T0 + 5 * R);
	KUNIT_EXPECT_EQ(test, r.wnd, 3);
	KUNIT_EXPECT_EQ(test, r.rounds, 2);
}

/* Parameters change: what follows from them does, too. */
static void raar_test_configure(struct kunit *test)
{
	struct dccp_raar_rx_params par = guarded;
	struct raar r;

	raar_test_start(&r, 8);
	raar_loss(&r, 1, T0);
	par.smoothing = 2;
	par.beta = 500;
	raar_configure(&r, &par);
	KUNIT_EXPECT_EQ(test, r.alpha, 1ULL << 32);
	KUNIT_EXPECT_EQ(test, r.known, 2);
	r.rate = TFRC_RATE(10000);
	/* weights 4 and 2 */
	EXPECT_RATE(test, raar_report(&r, T0) * 6, 4 * 10000 + 2 * 17500);
	par.smoothing = 64;
	raar_configure(&r, &par);
	/* of three values none is beyond n/2 */
	EXPECT_RATE(test, raar_report(&r, T0) * 3, 2 * 10000 + 17500);
}

static void raar_test_step(struct kunit *test, struct raar *r, u32 i, u64 now)
{
	const typeof(raar_steps[0]) *st = &raar_steps[i];
	const struct raar_packet pkt = {
		.len = st->len, .ccval = st->ccval, .newest = true,
		.has_round = st->op & STEP_OPTION, .stated = st->stated,
	};
	bool event = false;

	if (st->op & STEP_LOSS)
		event = raar_loss(r, st->events, now);
	if (st->op & STEP_PACKET)
		raar_packet(r, &pkt, !event, now);
	if (st->op & STEP_REPORT) {
		KUNIT_EXPECT_TRUE_MSG(test, raar_due(r, now), "step %u", i);
		expect_near(test, raar_report(r, now), st->requested, 100000,
			    "requested, step", i);
	}
	expect_near(test, r->rate, st->rate, 100000, "rate, step", i);
	expect_within(test, r->rtt.srtt, st->srtt, ROUNDED_RTT, "SRTT, step", i);
	expect_within(test, r->rtt.rttvar, st->rttvar, ROUNDED_VAR, "RTTVAR, step", i);
	if (r->number)
		expect_within(test, raar_wake(r) ? raar_wake(r) - T0 : 0, st->wake,
			      ROUNDED_RTT + 4 * ROUNDED_VAR, "timer, step", i);
	KUNIT_EXPECT_EQ_MSG(test, r->round, st->round, "step %u", i);
	KUNIT_EXPECT_EQ_MSG(test, r->wnd, st->wnd, "step %u", i);
	KUNIT_EXPECT_EQ_MSG(test, raar_due(r, now), st->due, "step %u", i);
}

static void raar_test_paper(struct kunit *test)
{
	u32 i, flow, step = 0;

	for (flow = 0; flow < ARRAY_SIZE(raar_flows); flow++) {
		const bool guards = raar_flows[flow].guards;
		const struct dccp_raar_rx_params par = {
			.beta = raar_flows[flow].beta,
			.delta = raar_flows[flow].delta,
			.smoothing = raar_flows[flow].smoothing,
			.early_once = guards,
			.wnd_max = guards,
			.hole_events = guards,
		};
		struct raar r;
		u64 now = T0;

		raar_init(&r);
		raar_configure(&r, &par);
		raar_start(&r, raar_flows[flow].s, raar_flows[flow].rtt, now);
		for (i = 0; i < raar_flows[flow].steps; i++, step++) {
			now += raar_steps[step].gap;
			raar_test_step(test, &r, step, now);
		}
		KUNIT_EXPECT_GT_MSG(test, r.rounds, 10, "flow %u", flow);
	}
	KUNIT_EXPECT_EQ(test, step, ARRAY_SIZE(raar_steps));
}

/* Packets of a hostile sender */
static void raar_test_hostile(struct kunit *test)
{
	const struct dccp_raar_rx_params *par[] = { &guarded, &paper };
	u64 random = 1, now = T0;
	u32 i, reports = 0;
	struct raar r;

	for (i = 0; i < 200000; i++) {
		struct raar_packet pkt;
		bool event = false;

		if (i % 100000 == 0) {
			raar_test_begin(&r, par[i / 100000]);
			reports = 0;
		}
		/* Knuth's MMIX generator; its high bits are the good ones */
		random = random * 6364136223846793005ULL + 1442695040888963407ULL;
		pkt = (struct raar_packet) {
			.len = random >> 61 ? S : random >> 20 & 0xffff,
			.ccval = random >> 32 & 0xf,
			.newest = random >> 60 != 3,
			.has_round = random >> 63,
			.stated = random >> 60 == 9 ? U64_MAX : random >> 16,
			.waited = random >> 60 == 10 ? U64_MAX : random >> 52,
		};
		now += random >> 48;
		if (random >> 58 == 5)
			event = raar_loss(&r, random >> 56 & 1 ? random : 0, now);
		raar_packet(&r, &pkt, !event, now);
		while (raar_due(&r, now)) {
			raar_report(&r, now);
			reports++;
		}
		KUNIT_EXPECT_LE(test, reports, i % 100000 + 1);
		KUNIT_EXPECT_LE(test, r.rate, TFRC_RATE_MAX);
		KUNIT_EXPECT_GT(test, r.rate, 0);
		KUNIT_EXPECT_LE(test, r.reported, TFRC_RATE_MAX);
		KUNIT_EXPECT_GE(test, r.rtt.srtt, TFRC_RTT_MIN);
		KUNIT_EXPECT_LE(test, r.rtt.srtt, TFRC_RTT_MAX);
		KUNIT_EXPECT_LE(test, raar_rto(&r), 5 * TFRC_RTT_MAX);
		if (i % 100000 == 99999)
			KUNIT_EXPECT_GT(test, r.samples, 100);
	}
}

/* Eq. 1 and 2, with values that are computed from the paper alone */
static void raar_test_reader_increase(struct kunit *test)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(reader_increases); i++) {
		u64 alpha = raar_alpha(reader_increases[i].beta);
		u64 more = raar_increase(alpha, reader_increases[i].delta,
					 reader_increases[i].wnd,
					 reader_increases[i].s,
					 reader_increases[i].rtt_us *
					 TFRC_NSEC_PER_USEC);

		expect_within(test, tfrc_mul_div(alpha, 1000000000,
						 BIT_ULL(RAAR_ALPHA_SHIFT)),
			      reader_increases[i].alpha_ppb, 1, "alpha", i);
		expect_near(test, tfrc_mul_div(more, 1000, TFRC_RATE(1)),
			    reader_increases[i].increase_milli, 1000000,
			    "increase", i);
	}
}

static void raar_test_reader_smoothed(struct kunit *test)
{
	struct dccp_raar_rx_params par = {
		.beta = 875, .delta = 167, .growth = 2000,
	};
	struct raar r;
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(reader_smoothed); i++) {
		par.smoothing = reader_smoothed[i].n;
		raar_init(&r);
		raar_configure(&r, &par);
		for (j = 0; j < reader_smoothed[i].known; j++)
			raar_remember(&r, TFRC_RATE(reader_smoothed[i].raw[j]));
		expect_within(test, raar_smoothed(&r),
			      TFRC_RATE(reader_smoothed[i].smoothed),
			      TFRC_RATE(1), "smoothed", i);
	}
}

static struct kunit_case raar_cases[] = {
	KUNIT_CASE(raar_test_alpha),
	KUNIT_CASE(raar_test_increase),
	KUNIT_CASE(raar_test_weights),
	KUNIT_CASE(raar_test_means),
	KUNIT_CASE(raar_test_ranges),
	KUNIT_CASE(raar_test_slow_start),
	KUNIT_CASE(raar_test_small_first),
	KUNIT_CASE(raar_test_exit),
	KUNIT_CASE(raar_test_paper_exit),
	KUNIT_CASE(raar_test_events),
	KUNIT_CASE(raar_test_first_report),
	KUNIT_CASE(raar_test_doubling),
	KUNIT_CASE(raar_test_avoidance),
	KUNIT_CASE(raar_test_increase_in),
	KUNIT_CASE(raar_test_low),
	KUNIT_CASE(raar_test_per_rtt),
	KUNIT_CASE(raar_test_fast_down),
	KUNIT_CASE(raar_test_nominal),
	KUNIT_CASE(raar_test_no_growth),
	KUNIT_CASE(raar_test_limited),
	KUNIT_CASE(raar_test_reports),
	KUNIT_CASE(raar_test_sparse),
	KUNIT_CASE(raar_test_alone),
	KUNIT_CASE(raar_test_long_wait),
	KUNIT_CASE(raar_test_long_queue),
	KUNIT_CASE(raar_test_long_growth),
	KUNIT_CASE(raar_test_late),
	KUNIT_CASE(raar_test_stated),
	KUNIT_CASE(raar_test_rtt),
	KUNIT_CASE(raar_test_wrap),
	KUNIT_CASE(raar_test_wnd),
	KUNIT_CASE(raar_test_configure),
	KUNIT_CASE(raar_test_early_paper),
	KUNIT_CASE(raar_test_short_rounds),
	KUNIT_CASE(raar_test_short_meter),
	KUNIT_CASE(raar_test_rate_max),
	KUNIT_CASE(raar_test_paper),
	KUNIT_CASE(raar_test_hostile),
	KUNIT_CASE(raar_test_reader_increase),
	KUNIT_CASE(raar_test_reader_smoothed),
	{ }
};

static struct kunit_suite raar_suite = {
	.name = "raar",
	.test_cases = raar_cases,
};

kunit_test_suite(raar_suite);

MODULE_DESCRIPTION("KUnit tests of RAAR");
MODULE_LICENSE("GPL");
MODULE_AUTHOR("The dccp-ccids developers");
MODULE_VERSION(DCCP_CCIDS_VERSION);
