// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of send times, against a reference that keeps all of them, and of R.
 */
#include <kunit/test.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <net/tfrc.h>
#include "kunit.h"

#define US		TFRC_NSEC_PER_USEC
#define MS		TFRC_NSEC_PER_MSEC
#define SEC		TFRC_NSEC_PER_SEC
#define R		(100 * MS)
#define T0		(1000 * SEC)
#define SEQ_MASK	((1ULL << 48) - 1)

static struct tfrc_tx_history *history(struct kunit *test)
{
	struct tfrc_tx_history *h = kunit_kzalloc(test, sizeof(*h), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, h);
	return h;
}

/* Whether there is data after what was acknowledged: across the end of the numbers */
static void tx_history_test_unacked(struct kunit *test)
{
	struct tfrc_tx_history *h = history(test);
	const u64 first = (1ULL << 48) - 2;
	struct tfrc_tx_ack ack;

	tfrc_tx_history_add(h, first, R, false, T0);
	KUNIT_EXPECT_TRUE(test, tfrc_tx_history_unacked(h));
	KUNIT_EXPECT_TRUE(test, tfrc_tx_history_ack(h, first, &ack));
	KUNIT_EXPECT_FALSE(test, tfrc_tx_history_unacked(h));
	/* a packet without data */
	KUNIT_EXPECT_TRUE(test, tfrc_tx_history_ack(h, 1, &ack));
	KUNIT_EXPECT_FALSE(test, tfrc_tx_history_unacked(h));
	tfrc_tx_history_add(h, 3, R, false, T0 + MS);
	KUNIT_EXPECT_TRUE(test, tfrc_tx_history_ack(h, 2, &ack));
	KUNIT_EXPECT_TRUE(test, tfrc_tx_history_unacked(h));
}

/* One packet each ms, R / 8 = 12.5 ms, so 13 packets in a run. */
static void tx_history_test_even(struct kunit *test)
{
	struct tfrc_tx_history *h = history(test);
	const u64 first = (1ULL << 48) - 150;
	struct tfrc_tx_ack ack;
	u64 i;

	KUNIT_EXPECT_FALSE(test, tfrc_tx_history_ack(h, 5, &ack));

	/* across the end of the 48-bit space */
	for (i = 0; i < 300; i++)
		tfrc_tx_history_add(h, (first + i) & SEQ_MASK, R, i == 170,
				    T0 + i * MS);
	for (i = 0; i < 300; i += 50) {
		KUNIT_EXPECT_TRUE(test, tfrc_tx_history_ack(h, (first + i) &
							    SEQ_MASK, &ack));
		KUNIT_EXPECT_EQ(test, ack.sent, T0 + i * MS);
		KUNIT_EXPECT_FALSE(test, ack.older);
		KUNIT_EXPECT_EQ(test, ack.limited, i == 200);
	}
	/* found before, and older than that */
	KUNIT_EXPECT_FALSE(test, tfrc_tx_history_ack(h, 100, &ack));
	KUNIT_EXPECT_FALSE(test, tfrc_tx_history_ack(h, 50, &ack));

	/* numbers between the last packet of a run and a pause had no data */
	tfrc_tx_history_add(h, 160, R, true, T0 + 1000 * MS);
	KUNIT_EXPECT_TRUE(test, tfrc_tx_history_ack(h, 155, &ack));
	KUNIT_EXPECT_EQ(test, ack.sent, 0);
	KUNIT_EXPECT_FALSE(test, ack.limited);
	KUNIT_EXPECT_TRUE(test, tfrc_tx_history_ack(h, 160, &ack));
	KUNIT_EXPECT_EQ(test, ack.sent, T0 + 1000 * MS);
	KUNIT_EXPECT_TRUE(test, ack.limited);
}

/* Packets 0 to 2 are a run, of which the pacer held back the first; 3 and 4 are the next. */
static void tx_history_test_held(struct kunit *test)
{
	struct tfrc_tx_history *h = history(test);
	struct tfrc_tx_ack ack;
	u64 i;

	for (i = 0; i < 5; i++)
		tfrc_tx_history_add(h, i, R, !i, T0 + i * MS + i / 3 * R);
	KUNIT_EXPECT_TRUE(test, tfrc_tx_history_ack(h, 1, &ack));
	KUNIT_EXPECT_TRUE(test, ack.limited);
	/* which of the run it was is not known, and one of it is left */
	KUNIT_EXPECT_TRUE(test, tfrc_tx_history_ack(h, 2, &ack));
	KUNIT_EXPECT_TRUE(test, ack.limited);
	/* all of the run had been acknowledged before */
	KUNIT_EXPECT_TRUE(test, tfrc_tx_history_ack(h, 3, &ack));
	KUNIT_EXPECT_FALSE(test, ack.limited);

	/* after a pause the first packet leaves at once, and only the next ones wait */
	for (i = 10; i < 14; i++)
		tfrc_tx_history_add(h, i, R, i > 11, T0 + SEC + i * MS);
	for (i = 10; i < 14; i++) {
		KUNIT_EXPECT_TRUE(test, tfrc_tx_history_ack(h, i, &ack));
		KUNIT_EXPECT_EQ(test, ack.limited, i > 11);
	}
}

/*
 * Frames of two packets, 33 ms apart, with R = 300 ms: an eighth of it is more than 33 ms. All
 * send times are exact, for the two packets of a frame leave together. With R = 600 ms a
 * sixteenth is 37.5 ms, so two frames are in a run, and the second one has the time of the
 * first.
 */
static void tx_history_test_frames(struct kunit *test)
{
	struct tfrc_tx_history *h = history(test);
	struct tfrc_tx_ack ack;
	u64 i;

	for (i = 0; i < 20; i++)
		tfrc_tx_history_add(h, 10 + i, 3 * R, false, T0 + i / 2 * 33 * MS);
	for (i = 0; i < 20; i++) {
		KUNIT_EXPECT_TRUE(test, tfrc_tx_history_ack(h, 10 + i, &ack));
		KUNIT_EXPECT_EQ(test, ack.sent, T0 + i / 2 * 33 * MS);
	}

	for (i = 0; i < 5; i++)
		tfrc_tx_history_add(h, 40 + i, 6 * R, false, T0 + SEC + i / 2 * 33 * MS);
	KUNIT_EXPECT_TRUE(test, tfrc_tx_history_ack(h, 42, &ack));
	KUNIT_EXPECT_EQ(test, ack.sent, T0 + SEC);
}

/*
 * Five at once, then one each 2 ms: on the line from the first below all of them, which
 * the fifth one fixes at a slope of 0.
 */
static void tx_history_test_burst(struct kunit *test)
{
	static const u64 uneven[] = { 0, 4 * MS, 6 * MS, 9 * MS };
	struct tfrc_tx_history *h = history(test);
	struct tfrc_tx_ack ack;
	u64 i;

	for (i = 0; i < 5; i++)
		tfrc_tx_history_add(h, 10 + i, R, false, T0);
	for (i = 1; i < 6; i++)
		tfrc_tx_history_add(h, 14 + i, R, false, T0 + 2 * i * MS);
	KUNIT_EXPECT_TRUE(test, tfrc_tx_history_ack(h, 12, &ack));
	KUNIT_EXPECT_EQ(test, ack.sent, T0);
	KUNIT_EXPECT_TRUE(test, tfrc_tx_history_ack(h, 17, &ack));
	KUNIT_EXPECT_EQ(test, ack.sent, T0);
	/* but the newest is known */
	KUNIT_EXPECT_TRUE(test, tfrc_tx_history_ack(h, 19, &ack));
	KUNIT_EXPECT_EQ(test, ack.sent, T0 + 10 * MS);

	/* 3 ms a packet, from the first and the last: no packet was sent before that */
	for (i = 0; i < 4; i++)
		tfrc_tx_history_add(h, 20 + i, R, false, T0 + SEC + uneven[i]);
	tfrc_tx_history_add(h, 24, R, false, T0 + 2 * SEC);
	KUNIT_EXPECT_TRUE(test, tfrc_tx_history_ack(h, 21, &ack));
	KUNIT_EXPECT_EQ(test, ack.sent, T0 + SEC + 3 * MS);
	KUNIT_EXPECT_TRUE(test, tfrc_tx_history_ack(h, 23, &ack));
	KUNIT_EXPECT_EQ(test, ack.sent, T0 + SEC + 9 * MS);
}

/* For a packet older than its runs the ring knows that it is older. */
static void tx_history_test_older(struct kunit *test)
{
	struct tfrc_tx_history *h = history(test);
	struct tfrc_tx_ack ack;
	u64 i;

	tfrc_tx_history_add(h, 100, R, true, T0);
	for (i = 1; i <= TFRC_TX_RUNS + 2; i++)
		tfrc_tx_history_add(h, 100 + i, R, false, T0 + 20 * i * MS);
	/* of 35 runs the first three are gone */
	KUNIT_EXPECT_TRUE(test, tfrc_tx_history_ack(h, 100, &ack));
	KUNIT_EXPECT_TRUE(test, ack.older);
	KUNIT_EXPECT_EQ(test, ack.sent, T0 + 60 * MS);
	/* the rate may have held it back, or one of those that are forgotten */
	KUNIT_EXPECT_TRUE(test, ack.limited);
	KUNIT_EXPECT_TRUE(test, tfrc_tx_history_ack(h, 103, &ack));
	KUNIT_EXPECT_FALSE(test, ack.older);
	KUNIT_EXPECT_EQ(test, ack.sent, T0 + 60 * MS);
	KUNIT_EXPECT_TRUE(test, ack.limited);
	KUNIT_EXPECT_TRUE(test, tfrc_tx_history_ack(h, 110, &ack));
	KUNIT_EXPECT_FALSE(test, ack.limited);
}

/* 2^40 ns are 1100 s, of which the ring may miss no turn. */
static void tx_history_test_steps(struct kunit *test)
{
	struct tfrc_tx_history *h = history(test);
	const u64 turn = 1ULL << 40;
	struct tfrc_tx_ack ack;

	/* one packet each 500 s, four in 1500 s */
	tfrc_tx_history_add(h, 1, R, false, T0);
	tfrc_tx_history_add(h, 2, R, false, T0 + 500 * SEC);
	tfrc_tx_history_add(h, 3, R, false, T0 + 1000 * SEC);
	tfrc_tx_history_add(h, 4, R, false, T0 + 1500 * SEC);
	KUNIT_EXPECT_TRUE(test, tfrc_tx_history_ack(h, 1, &ack));
	KUNIT_EXPECT_EQ(test, ack.sent, T0);
	KUNIT_EXPECT_TRUE(test, tfrc_tx_history_ack(h, 2, &ack));
	KUNIT_EXPECT_EQ(test, ack.sent, T0 + 500 * SEC);
	KUNIT_EXPECT_FALSE(test, ack.older);

	/* a turn later the ring begins anew: all of this is older */
	tfrc_tx_history_add(h, 5, R, true, T0 + 1500 * SEC + turn);
	tfrc_tx_history_add(h, 6, R, false, T0 + 1500 * SEC + 2 * turn + MS);
	KUNIT_EXPECT_TRUE(test, tfrc_tx_history_ack(h, 5, &ack));
	KUNIT_EXPECT_TRUE(test, ack.older);
	KUNIT_EXPECT_TRUE(test, ack.limited);
	KUNIT_EXPECT_EQ(test, ack.sent, T0 + 1500 * SEC + 2 * turn + MS);
	KUNIT_EXPECT_TRUE(test, tfrc_tx_history_ack(h, 6, &ack));
	KUNIT_EXPECT_FALSE(test, ack.older);

	/* 2^32 sequence numbers later, which are the same 32 bits */
	tfrc_tx_history_add(h, 7, R, false, T0 + 1500 * SEC + 2 * turn + 2 * MS);
	tfrc_tx_history_add(h, 8 + (1ULL << 32), R, false,
			    T0 + 1500 * SEC + 2 * turn + 3 * MS);
	KUNIT_EXPECT_TRUE(test, tfrc_tx_history_ack(h, 7, &ack));
	KUNIT_EXPECT_TRUE(test, ack.older);
	KUNIT_EXPECT_TRUE(test, tfrc_tx_history_ack(h, 7 + (1ULL << 32), &ack));
	KUNIT_EXPECT_TRUE(test, ack.older);
	KUNIT_EXPECT_TRUE(test, tfrc_tx_history_ack(h, 8 + (1ULL << 32), &ack));
	KUNIT_EXPECT_FALSE(test, ack.older);
	KUNIT_EXPECT_EQ(test, ack.sent, T0 + 1500 * SEC + 2 * turn + 3 * MS);
}

static void tx_history_test_sample(struct kunit *test)
{
	struct tfrc_tx_ack ack = { .sent = T0 };

	KUNIT_EXPECT_EQ(test, tfrc_tx_ack_sample(&ack, 0, R, T0 + 7), 7);
	KUNIT_EXPECT_EQ(test, tfrc_tx_ack_sample(&ack, 30 * MS, R, T0 + R),
			70 * MS);
	/* Elapsed Time counts for at most half of the time */
	KUNIT_EXPECT_EQ(test, tfrc_tx_ack_sample(&ack, R / 2, R, T0 + R), R / 2);
	KUNIT_EXPECT_EQ(test, tfrc_tx_ack_sample(&ack, R / 2 + 1, R, T0 + R), R / 2);
	KUNIT_EXPECT_EQ(test, tfrc_tx_ack_sample(&ack, U64_MAX, R, T0 + R), R / 2);
	/* if it is more, half of the time is an upper bound, which counts below R */
	KUNIT_EXPECT_EQ(test, tfrc_tx_ack_sample(&ack, 60 * MS, 60 * MS, T0 + R), R / 2);
	KUNIT_EXPECT_EQ(test, tfrc_tx_ack_sample(&ack, 60 * MS, 50 * MS, T0 + R), 0);
	KUNIT_EXPECT_EQ(test, tfrc_tx_ack_sample(&ack, 50 * MS, 20 * MS, T0 + R), R / 2);
	/* a lower bound counts if it is above R */
	ack.older = true;
	KUNIT_EXPECT_EQ(test, tfrc_tx_ack_sample(&ack, 0, R, T0 + R), 0);
	KUNIT_EXPECT_EQ(test, tfrc_tx_ack_sample(&ack, 0, R, T0 + R + 1), R + 1);
	/* of 10 R it was kept for 6: it was on its way for 4 */
	KUNIT_EXPECT_EQ(test, tfrc_tx_ack_sample(&ack, 6 * R, R, T0 + 10 * R), 4 * R);
	KUNIT_EXPECT_EQ(test, tfrc_tx_ack_sample(&ack, 9 * R, R, T0 + 10 * R), 0);
	ack.older = false;
	KUNIT_EXPECT_EQ(test, tfrc_tx_ack_sample(&ack, 6 * R, R, T0 + 10 * R), 4 * R);
	KUNIT_EXPECT_EQ(test, tfrc_tx_ack_sample(&ack, 9 * R, R, T0 + 10 * R), 0);
	ack.sent = 0;
	KUNIT_EXPECT_EQ(test, tfrc_tx_ack_sample(&ack, 0, R, T0), 0);
}

/* The reference: all packets that were ever sent. */
#define PACKETS		3000

struct reference {
	u64	time[PACKETS];
	bool	data[PACKETS];
	bool	limited[PACKETS];
};

/* splitmix64 */
static u64 tx_history_random(u64 *state)
{
	u64 z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* Random spacing, changes of R and acknowledgments, from the seed */
static void tx_history_pattern(struct kunit *test, struct tfrc_tx_history *h,
			       struct reference *ref, u64 seed)
{
	const u64 first = (1ULL << 48) - seed % PACKETS;
	u64 state = seed, random, now = T0, rtt, most = 0, gap, i, acked = -1, last = -1;
	const bool constant = seed & 1, burst = seed & 2, acks = seed & 4;
	u64 rtt0 = 10 * US << seed / 8 % 20, ipi = rtt0 >> seed / 160 % 8;

	memset(h, 0, sizeof(*h));
	rtt = rtt0;
	for (i = 0; i < PACKETS; i++) {
		struct tfrc_tx_ack ack;
		bool limited = false;
		u64 n, k;

		random = tx_history_random(&state);
		gap = ipi;
		if (burst)
			gap = random % 8 ? random / 8 % (ipi / 100 + 1) : 8 * ipi;
		else if (random % 64 == 0)
			gap = ipi + random % (4 * ipi);
		now += gap;
		if (!constant && random >> 20 & 1)
			rtt = min(10 * US << random / 64 % 20, TFRC_RTT_MAX);
		most = max(most, rtt);
		ref->time[i] = now;
		ref->data[i] = !i || !acks || random >> 32 & 3;
		ref->limited[i] = seed % 3 && random >> 40 & 1;
		if (ref->data[i]) {
			tfrc_tx_history_add(h, (first + i) & SEQ_MASK, rtt,
					    ref->limited[i], now);
			last = i;
		}
		if (random >> 44 & 7)
			continue;

		/* any packet so far: some of the newest, some of long ago */
		n = i - min(i, (random >> 48) >> (random >> 50 & 15));
		if (!tfrc_tx_history_ack(h, (first + n) & SEQ_MASK, &ack)) {
			KUNIT_ASSERT_TRUE(test, (s64)n <= (s64)acked);
			continue;
		}
		KUNIT_ASSERT_TRUE_MSG(test, (s64)n > (s64)acked, "seed %llu", seed);
		for (k = acked + 1; k <= n; k++)
			limited |= ref->data[k] && ref->limited[k];
		KUNIT_ASSERT_TRUE_MSG(test, ack.limited || !limited, "seed %llu",
				      seed);
		if (!(seed % 3))
			KUNIT_ASSERT_FALSE(test, ack.limited);
		acked = n;
		if (ack.older) {
			KUNIT_ASSERT_LE_MSG(test, ref->time[n], ack.sent,
					    "seed %llu", seed);
			/* the ring covers 31 runs of R / 8 at least */
			if (constant)
				KUNIT_ASSERT_GT_MSG(test, now - ref->time[n],
						    rtt / 8 * 31, "seed %llu", seed);
			continue;
		}
		/* a number without data may be taken for one of the run around it */
		KUNIT_ASSERT_TRUE_MSG(test, ack.sent || !ref->data[n], "seed %llu",
				      seed);
		if (!ack.sent)
			continue;
		/* never too late, and at most an eighth too early */
		KUNIT_ASSERT_LE_MSG(test, ack.sent, ref->time[n], "seed %llu", seed);
		KUNIT_ASSERT_LE_MSG(test, ref->time[n] - ack.sent, most / 8,
				    "seed %llu", seed);
		if (n == last)
			KUNIT_ASSERT_EQ(test, ack.sent, ref->time[n]);
	}
}

static void tx_history_test_reference(struct kunit *test)
{
	struct tfrc_tx_history *h = history(test);
	struct reference *ref = kunit_kzalloc(test, sizeof(*ref), GFP_KERNEL);
	u64 seed;

	KUNIT_ASSERT_NOT_NULL(test, ref);
	for (seed = 0; seed < 1600; seed++)
		tx_history_pattern(test, h, ref, seed);
}

/*
 * A path whose round-trip time is @to and was @from, @ipi from packet to packet, and
 * a report once in R: how many until R is within a tenth of what it is?
 */
static u32 tx_history_reports(struct tfrc_tx_history *h, u64 from, u64 to,
			      u64 ipi)
{
	u64 rtt = from, sent, acked, sample, now;
	struct tfrc_tx_ack ack;
	u32 reports = 0;

	memset(h, 0, sizeof(*h));
	for (sent = 0; sent < 100; sent++)
		tfrc_tx_history_add(h, sent, rtt, true, T0 + sent * ipi);
	for (acked = 100; max(rtt, to) - min(rtt, to) > to / 10 && reports < 1000;
	     acked += rtt / ipi + 1) {
		now = T0 + acked * ipi + to;
		for (; T0 + sent * ipi <= now; sent++)
			tfrc_tx_history_add(h, sent, rtt, true, T0 + sent * ipi);
		if (!tfrc_tx_history_ack(h, acked, &ack))
			return U32_MAX;
		reports++;
		sample = tfrc_tx_ack_sample(&ack, 0, rtt, now);
		if (sample)
			rtt = (9 * rtt + clamp(sample, TFRC_RTT_MIN, TFRC_RTT_MAX)) / 10;
	}
	return reports;
}

/*
 * Up and down, by any factor, at any rate. From 10 s to 100 us R falls to 0.9 R with
 * each report, and to the last tenth: 0.9^n = 0.1 * 10^-5, n = 132. On the way up the
 * ring covers the time of the last four reports, R + R/g + R/g^2 + R/g^3 if R grows
 * by g with each: g = 0.9 + 0.1 * 3.1 = 1.21, and 10^5 takes 61, the rest 22 more.
 */
static void tx_history_test_jump(struct kunit *test)
{
	struct tfrc_tx_history *h = history(test);
	static const u64 rtts[] = { 100 * US, 300 * US, 20 * MS, 200 * MS, 10 * SEC };
	/* packets in ten of the longer of the two round-trip times */
	static const u32 rates[] = { 3, 10, 100, 10000, 1000000 };
	u32 i, j, k, n;

	for (i = 0; i < ARRAY_SIZE(rtts); i++) {
		for (j = 0; j < ARRAY_SIZE(rtts); j++) {
			for (k = 0; k < ARRAY_SIZE(rates); k++) {
				u64 ipi = 10 * max(rtts[i], rtts[j]) / rates[k];

				n = tx_history_reports(h, rtts[i], rtts[j],
						       max(ipi, 1ULL));
				KUNIT_EXPECT_LE_MSG(test, n, i > j ? 132 : 88,
						    "%llu to %llu us, %llu ns a packet: %u reports",
						    rtts[i] / US, rtts[j] / US,
						    ipi, n);
			}
		}
	}
}

static struct kunit_case tx_history_cases[] = {
	KUNIT_CASE(tx_history_test_unacked),
	KUNIT_CASE(tx_history_test_even),
	KUNIT_CASE(tx_history_test_held),
	KUNIT_CASE(tx_history_test_frames),
	KUNIT_CASE(tx_history_test_burst),
	KUNIT_CASE(tx_history_test_older),
	KUNIT_CASE(tx_history_test_steps),
	KUNIT_CASE(tx_history_test_sample),
	KUNIT_CASE(tx_history_test_reference),
	KUNIT_CASE(tx_history_test_jump),
	{ }
};

struct kunit_suite tfrc_tx_history_suite = {
	.name = "tfrc_tx_history",
	.test_cases = tx_history_cases,
};
