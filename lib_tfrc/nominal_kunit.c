// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the nominal packet size against RFC 4828: its tables and examples, and loss
 * intervals that are worked out by hand. If not said otherwise, R = 100 ms.
 */
#include <kunit/test.h>
#include <linux/math.h>
#include <net/tfrc_interval.h>
#include <net/tfrc_rfc5348.h>
#include "kunit.h"

#define MS		TFRC_NSEC_PER_MSEC
#define SEC		TFRC_NSEC_PER_SEC
#define R		(100 * MS)
#define T0		(1000 * SEC)

static void nominal_test_range(struct kunit *test)
{
	u32 i;

	for (i = 0; i < 0x10000; i++)
		KUNIT_EXPECT_EQ(test, tfrc_nominal_valid(i), i <= 1460);
}

/* RFC 4828, 4.2: what is left of 128 kbit/s for payload */
static void nominal_test_headers(struct kunit *test)
{
	const u64 x = TFRC_RATE(16000);

	/* 120-byte packets: 96 kbit/s; 40-byte packets: 64 kbit/s */
	EXPECT_RATE(test, tfrc_nominal_more(120, 0, 0, x), 12000);
	EXPECT_RATE(test, tfrc_nominal_more(40, 0, 0, TFRC_RATE(4000)), 2000);
	/* a byte of 41: 3.12 kbit/s, which are 390 packets/s, but 100 are the limit */
	EXPECT_RATE(test, tfrc_nominal_more(1, 0, 0, x), 100);
	EXPECT_RATE(test, tfrc_nominal_more(1, 0, 0, TFRC_RATE(3690)), 90);
	EXPECT_RATE(test, tfrc_nominal_more(0, 0, 0, x), 0);
}

/*
 * RFC 4828, table 2, for R = 100 ms: packets of 14, 536 and 1460 bytes. Its rates include
 * headers of 40 bytes. Where p limits them, they are those of a TCP with 1500 bytes in
 * place of 1460, and up to 0.3 % above the equation of RFC 5348.
 */
static void nominal_test_table(struct kunit *test)
{
	static const u32 size[] = { 14, 536, 1460 };
	static const struct {
		u32 p_ppm, rate[3];
	} rows[] = {
		{ 10, { 5400, 57600, 150000 } },
		{ 10000, { 5400, 57600, 150000 } },
		{ 30000, { 5400, 57600, 83070 } },
		{ 100000, { 5400, 26580, 26580 } },
		{ 200000, { 5400, 8060, 8060 } },
		{ 300000, { 2930, 2930, 2930 } },
		{ 400000, { 1260, 1260, 1260 } },
		{ 500000, { 630, 630, 630 } },
	};
	int i, j;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		u64 p = tfrc_mul_div(TFRC_P_ONE, rows[i].p_ppm, 1000000);

		for (j = 0; j < ARRAY_SIZE(size); j++) {
			u64 x = tfrc_nominal_more(size[j], 0, 0,
						  tfrc_calc_x(1460, R, p));
			u64 got = tfrc_mul_div(x, size[j] + 40, size[j]) >>
				  TFRC_RATE_SHIFT;

			u64 want = rows[i].rate[j];

			if (want < 100 * (size[j] + 40))
				want = want * 1460 / 1500;
			/* rounded to 10 bytes/s in the table */
			KUNIT_EXPECT_LE_MSG(test, abs((s64)(got - want)),
					    5 + want * 3 / 1000,
					    "p %u, %u bytes: %llu", rows[i].p_ppm,
					    size[j], got);
		}
	}
}

/* Never less than with the real size, and never more than 100 packets in a second. */
static void nominal_test_more(struct kunit *test)
{
	/* 500 bytes, 1460/s * 500 / 540 */
	EXPECT_RATE(test, tfrc_nominal_more(500, 0, TFRC_RATE(1000),
					    TFRC_RATE(1080)), 1000);
	EXPECT_RATE(test, tfrc_nominal_more(500, 0, TFRC_RATE(1000),
					    TFRC_RATE(10800)), 10000);
	/* from 45,000 to 50,000, which are 100 packets, and no further */
	EXPECT_RATE(test, tfrc_nominal_more(500, TFRC_RATE(45000), TFRC_RATE(1000),
					    TFRC_RATE(10800)), 5000);
	EXPECT_RATE(test, tfrc_nominal_more(500, TFRC_RATE(49500), TFRC_RATE(1000),
					    TFRC_RATE(10800)), 1000);
	/* above, what the real size gives */
	EXPECT_RATE(test, tfrc_nominal_more(500, TFRC_RATE(80000), TFRC_RATE(1000),
					    TFRC_RATE(10800)), 1000);
	EXPECT_RATE(test, tfrc_nominal_more(500, 0, TFRC_RATE(80000),
					    TFRC_RATE(100000)), 80000);
}

static u32 nominal_test_event(struct tfrc_nominal *nom, u64 data, u32 signals,
			      u64 now)
{
	return tfrc_nominal_event(nom, &(struct tfrc_nominal_at) {
		.s = 100,
		.data = data,
		.signals = signals,
		/* 1460 bytes, p = 1 %: 164,005.06 bytes/s, of which 100/140 are payload */
		.x = TFRC_RATE(16400506) / 140,
		.rtt = R,
		.now = now,
	});
}

/* 1/p_SP, in thousandths of a packet */
static u64 nominal_test_mean(const struct tfrc_nominal *nom, u64 data, u64 now)
{
	u64 p = tfrc_nominal_p(nom, data, 0, R, now);

	return p ? (tfrc_mul_div(TFRC_P_ONE, 2000, p) + 1) / 2 : 0;
}

/* RFC 4828, 3 and 4.4: N/K for what takes two round trips at most */
static void nominal_test_intervals(struct kunit *test)
{
	struct tfrc_nominal nom = { };
	u64 t = T0, mean;

	tfrc_nominal_set(&nom, 1460);
	KUNIT_EXPECT_EQ(test, tfrc_nominal_p(&nom, 500, TFRC_P_ONE, R, t), 0);

	/* the first interval: 1 / 1 %, with 1460 bytes, whatever came before */
	KUNIT_EXPECT_EQ(test, nominal_test_event(&nom, 1000, 0, t), 1);
	KUNIT_EXPECT_LE(test, abs((s64)(nominal_test_mean(&nom, 1000, t) - 100000)), 5);

	/* 50 packets, 3 of them lost, in a second: 50 */
	t += SEC;
	KUNIT_EXPECT_EQ(test, nominal_test_event(&nom, 1050, 3, t), 1);
	/* 10 packets, 4 of them lost, in 2 R: 2.5 */
	t += 2 * R;
	KUNIT_EXPECT_EQ(test, nominal_test_event(&nom, 1060, 7, t), 4);
	/* (2.5 + 50 + 100) / 3 = 50.833. I_0 of 1000 packets is short. */
	KUNIT_EXPECT_LE(test, abs((s64)(nominal_test_mean(&nom, 2060, t + 2 * R) -
					50833)), 5);
	/* no longer: (1000 + 2.5 + 50) / 3 = 350.833 */
	KUNIT_EXPECT_LE(test, abs((s64)(nominal_test_mean(&nom, 2060, t + 2 * R + 1) -
					350833)), 5);
	/* I_0 = 10 makes it no greater */
	KUNIT_EXPECT_LE(test, abs((s64)(nominal_test_mean(&nom, 1070, t + SEC) -
					50833)), 5);
	/* 2 R and a ns are not short; p is at least what is reported */
	KUNIT_EXPECT_EQ(test, nominal_test_event(&nom, 1070, 12, t + 2 * R + 1), 1);
	KUNIT_EXPECT_EQ(test, tfrc_nominal_p(&nom, 1070, TFRC_P_ONE / 2, R, t),
			TFRC_P_ONE / 2);

	/* more losses than packets, or none, cannot be */
	t += SEC;
	nominal_test_event(&nom, 1080, 12, t);
	KUNIT_EXPECT_EQ(test, nominal_test_event(&nom, 1083, 99, t += R), 3);
	KUNIT_EXPECT_EQ(test, nominal_test_event(&nom, 1083, 99, t += R), 1);

	/* Packets without data are in flight now, and were not before. */
	KUNIT_EXPECT_EQ(test, nominal_test_event(&nom, 1043, 104, t += R), 1);
	KUNIT_EXPECT_EQ(test, nom.len[0], 1 << 16);

	/* four signals, and their number wraps */
	nom.signals = U32_MAX - 1;
	KUNIT_EXPECT_EQ(test, nominal_test_event(&nom, 1083, 2, t += R), 4);
	KUNIT_EXPECT_EQ(test, nom.len[0], 10 << 16);

	/* another size keeps the intervals, and none forgets them */
	tfrc_nominal_set(&nom, 1460);
	mean = nominal_test_mean(&nom, 1083, t);
	KUNIT_EXPECT_NE(test, mean, 0);
	tfrc_nominal_set(&nom, 1000);
	KUNIT_EXPECT_EQ(test, nom.size, 1000);
	KUNIT_EXPECT_EQ(test, nominal_test_mean(&nom, 1083, t), mean);
	tfrc_nominal_set(&nom, 0);
	tfrc_nominal_set(&nom, 1000);
	KUNIT_EXPECT_EQ(test, nominal_test_mean(&nom, 1083, t), 0);
}

/* RFC 4828, 4.4: eight short intervals of N packets and K losses: p = K/N */
static void nominal_test_short(struct kunit *test)
{
	struct tfrc_nominal nom = { };
	u64 i;

	tfrc_nominal_set(&nom, 1460);
	for (i = 0; i < 9; i++)
		nominal_test_event(&nom, 1000 + 6 * i, 2 * i, T0 + i * 150 * MS);
	/* 6 packets, 2 losses each */
	KUNIT_EXPECT_EQ(test, nominal_test_mean(&nom, 1048, T0 + 8 * 150 * MS), 3000);

	/*
	 * Weights 5, 5, 5, 5, 4, 3, 2, 1 of 30. A ninth interval, of 300 packets:
	 * (5 * 300 + 25 * 3) / 30 = 52.5; three more of 3: still 52.5; then
	 * (4 * 300 + 26 * 3) / 30 = 42.6
	 */
	nominal_test_event(&nom, 1348, 18, T0 + 100 * SEC);
	KUNIT_EXPECT_EQ(test, nominal_test_mean(&nom, 1348, T0 + 100 * SEC), 52500);
	for (i = 1; i <= 4; i++)
		nominal_test_event(&nom, 1348 + 3 * i, 18 + i,
				   T0 + 100 * SEC + i * 150 * MS);
	KUNIT_EXPECT_EQ(test, nominal_test_mean(&nom, 1360, T0 + 100 * SEC +
						4 * 150 * MS), 42600);
}

/* A report on all packets sent so far; @marked of them have ECT(1), if they are any */
static void nominal_test_report(struct tfrc_sender *snd, u64 p, u32 lost, u32 marked,
				u64 now)
{
	const struct tfrc_feedback fb = {
		.p = p, .x_recv = TFRC_RATE(3000), .lost = lost, .marked = marked,
		.l4s = snd->l4s.on,
	};

	give_feedback(snd, &fb, R, false, now);
}

static const struct rfc5348_variant nominal_variant = {
	.calc_x = rfc5348_calc_x,
	.calc_p = rfc5348_calc_p,
	.limit = rfc5348_limit,
	.move_to = rfc5348_move_to,
};

/*
 * A sender of 30 packets of 100 bytes a second, which loses @lost at once, and one more
 * 2 R later. If @marked is not 0, so many are marked for l4s.c each time. Return: X_calc
 * then, in 10^-2 bytes/s
 */
static u64 nominal_test_sender(u32 size, u32 mss, u32 lost, u32 marked)
{
	struct rfc5348_sender t;
	struct tfrc_sender *snd = &t.base;
	u64 now = T0, i;

	rfc5348_sender_init(&t, &nominal_variant);
	tfrc_nominal_set(&snd->nominal, size);
	if (mss)
		tfrc_nominal_mss(&snd->nominal, mss);
	tfrc_l4s_set(snd, marked);
	tfrc_sender_start(snd, 100, R, now);
	for (i = 0; i < 30; i++, now += 100 * MS / 3)
		tfrc_sender_sent(snd, 100, now);
	nominal_test_report(snd, 0, 0, 0, now);
	now += R;
	for (i = 0; i < 100; i++)
		tfrc_sender_sent(snd, 100, now);
	nominal_test_report(snd, TFRC_P_ONE / 10, lost, marked, now);
	/* a loss interval of 5 packets */
	now += 2 * R;
	for (i = 0; i < 5; i++)
		tfrc_sender_sent(snd, 100, now);
	nominal_test_report(snd, TFRC_P_ONE / 10, lost + 1, 2 * marked, now);
	return (100 * snd->x_calc) >> TFRC_RATE_SHIFT;
}

/*
 * X_recv is 3,000 bytes/s, 4,200 with headers. The equation gives that for 1460 bytes at
 * p = 0.259372, an interval of 3.855467 packets, and for 500 bytes at 0.160597, 6.226750.
 * The second interval is 5/K packets long.
 *
 *	size	K	mean	   p_SP	       X	   * 100 / 140
 *	1460	1	4.427733   0.225849    5,924.97	   4,232.12
 *	1460	5	2.427733   0.411907    1,121.87	     801.33
 *	 500	1	5.613375   0.178146    3,428.68	   2,449.06
 *
 * With the real size and the reported p = 0.1, X is 100 / (0.1 * 0.564939) = 1,770.10.
 */
static void nominal_test_rfc5348(struct kunit *test)
{
	static const struct {
		u32 size, mss, lost, marked, x;
	} cases[] = {
		{ 0, 0, 1, 0, 177010 }, { 1460, 0, 1, 0, 423212 },
		{ 1460, 0, 5, 0, 177010 }, { 1460, 1460, 1, 0, 423212 },
		{ 1460, 500, 1, 0, 244906 }, { 500, 1424, 1, 0, 244906 },
		{ 1, 1424, 1, 0, 177010 },
		/* marks for l4s.c are no signals */
		{ 1460, 0, 1, 4, 423212 },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		u64 x = nominal_test_sender(cases[i].size, cases[i].mss,
					    cases[i].lost, cases[i].marked);

		/* What is rounded is a part in 2^16 of an interval. */
		KUNIT_EXPECT_LE_MSG(test, abs((s64)(x - cases[i].x)),
				    1 + cases[i].x / 20000, "case %d: %llu", i, x);
	}
}

/*
 * A sender that gets one report in T, p = 10 %, 100 bytes: p_SP is at least the share of
 * packets lost in T. X is 7,833.81 * 100 / 140 at 20 %, 2,844.77 * 100 / 140 at 30 %, and
 * 1,770.10 with the real size.
 */
static void nominal_test_interval(struct kunit *test)
{
	static const struct {
		u32 p_ppm, loss_ppm, x;
	} cases[] = {
		{ 0, 300000, 177010 }, { 200000, 0, 559557 },
		{ 200000, 300000, 203197 }, { 300000, 200000, 203197 },
	};
	struct tfrc_feedback fb = { };
	struct tfrc_report rep = { .fb = &fb, .p = TFRC_P_ONE / 10 };
	struct interval_sender is = { };
	int i;

	is.base.s = 100 << TFRC_SIZE_SHIFT;
	is.base.rtt = R;
	tfrc_nominal_set(&is.base.nominal, 1460);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		u64 x;

		is.base.nominal.p = tfrc_mul_div(TFRC_P_ONE, cases[i].p_ppm, 1000000);
		fb.loss = tfrc_mul_div(1ULL << 32, cases[i].loss_ppm, 1000000);
		interval_sender_feedback(&is, &rep);
		x = (100 * is.base.x_calc) >> TFRC_RATE_SHIFT;
		KUNIT_EXPECT_LE_MSG(test, abs((s64)(x - cases[i].x)),
				    1 + cases[i].x / 20000, "case %d: %llu", i, x);
	}
}

static struct kunit_case nominal_cases[] = {
	KUNIT_CASE(nominal_test_range),
	KUNIT_CASE(nominal_test_headers),
	KUNIT_CASE(nominal_test_table),
	KUNIT_CASE(nominal_test_more),
	KUNIT_CASE(nominal_test_intervals),
	KUNIT_CASE(nominal_test_short),
	KUNIT_CASE(nominal_test_rfc5348),
	KUNIT_CASE(nominal_test_interval),
	{ }
};

struct kunit_suite tfrc_nominal_suite = {
	.name = "tfrc_nominal",
	.test_cases = nominal_cases,
};
