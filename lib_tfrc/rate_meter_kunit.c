// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the receive rate over one report interval, over more, and with pauses.
 */
#include <linux/limits.h>
#include <linux/types.h>
#include <net/tfrc.h>
#include "kunit.h"

#define MS		TFRC_NSEC_PER_MSEC
#define SEC		TFRC_NSEC_PER_SEC

/* So many packets, one each 10 ms, a tenth of R. Return: when the last one came */
static u64 test_packets(struct tfrc_rate_meter *m, int count, u32 len, u64 now)
{
	while (count--) {
		now += 10 * MS;
		tfrc_rate_meter_add(m, len, 100 * MS, now);
	}
	return now;
}

/* The count of reports does not overflow, however many there are. */
static void test_many_marks(struct kunit *test)
{
	struct tfrc_rate_meter m;
	u64 now = SEC;

	tfrc_rate_meter_init(&m, now);
	for (int i = 0; i < 100; i++) {
		now += 100 * MS;
		tfrc_rate_meter_add(&m, 1000, 100 * MS, now);
		KUNIT_EXPECT_EQ_MSG(test, tfrc_rate_meter_rate(&m, 100 * MS, now),
				    TFRC_RATE(10000), "%d", i);
		tfrc_rate_meter_mark(&m, 0, now);
		KUNIT_EXPECT_LT_MSG(test, m.marks, 3 * TFRC_RATE_MARKS, "%d", i);
	}
}

static void test_rate(struct kunit *test)
{
	struct tfrc_rate_meter m;
	u64 now = SEC;
	int i;

	tfrc_rate_meter_init(&m, now);
	KUNIT_EXPECT_EQ(test, tfrc_rate_meter_rate(&m, 100 * MS, now), 0);

	/* less than an RTT so far: what came counts for a whole one */
	now += 10 * MS;
	tfrc_rate_meter_add(&m, 1000, 100 * MS, now);
	KUNIT_EXPECT_EQ(test, tfrc_rate_meter_rate(&m, 100 * MS, now),
			TFRC_RATE(10000));

	now = test_packets(&m, 9, 1000, now);
	KUNIT_EXPECT_EQ(test, tfrc_rate_meter_rate(&m, 100 * MS, now),
			TFRC_RATE(100000));
	tfrc_rate_meter_mark(&m, 0, now);

	/* a second interval, twice as fast, does not see the first */
	now = test_packets(&m, 10, 2000, now);
	KUNIT_EXPECT_EQ(test, tfrc_rate_meter_rate(&m, 100 * MS, now),
			TFRC_RATE(200000));
	tfrc_rate_meter_mark(&m, 0, now);

	/* an early report reaches back to the one before */
	now += MS;
	tfrc_rate_meter_add(&m, 1010, 100 * MS, now);
	KUNIT_EXPECT_EQ(test, tfrc_rate_meter_rate(&m, 100 * MS, now),
			tfrc_mul_div(21010, TFRC_RATE(1000), 101));
	/* and so does the next, over the interval just begun */
	tfrc_rate_meter_mark(&m, 0, now);
	now += 50 * MS;
	tfrc_rate_meter_add(&m, 4990, 100 * MS, now);
	KUNIT_EXPECT_EQ(test, tfrc_rate_meter_rate(&m, 100 * MS, now),
			tfrc_mul_div(26000, TFRC_RATE(1000), 151));
	/* 75 ms, three quarters of an RTT, are enough, but 74 are not */
	now += 24 * MS;
	tfrc_rate_meter_add(&m, 1, 100 * MS, now);
	KUNIT_EXPECT_EQ(test, tfrc_rate_meter_rate(&m, 100 * MS, now),
			tfrc_mul_div(6001, TFRC_RATE(1000), 75));

	/* a report that is repeated changes nothing */
	tfrc_rate_meter_mark(&m, 0, now);
	for (i = 0; i < 2 * TFRC_RATE_MARKS; i++)
		tfrc_rate_meter_mark(&m, 0, now);
	KUNIT_EXPECT_EQ(test, tfrc_rate_meter_rate(&m, 100 * MS, now),
			tfrc_mul_div(6001, TFRC_RATE(1000), 75));
}

/* A pause counts for one RTT at most. */
static void test_pause(struct kunit *test)
{
	struct tfrc_rate_meter m;
	u64 now = SEC;

	tfrc_rate_meter_init(&m, now);
	now = test_packets(&m, 10, 1000, now);
	tfrc_rate_meter_mark(&m, 0, now);
	now = test_packets(&m, 10, 1000, now);
	/* 10 packets in 100 ms, and one in the RTT after that */
	now += 3600 * SEC;
	tfrc_rate_meter_add(&m, 1000, 100 * MS, now);
	KUNIT_EXPECT_EQ(test, tfrc_rate_meter_rate(&m, 100 * MS, now),
			TFRC_RATE(55000));
	tfrc_rate_meter_mark(&m, 0, now);

	/* a packet every 10 RTTs is a packet an RTT */
	now += SEC;
	tfrc_rate_meter_add(&m, 1000, 100 * MS, now);
	KUNIT_EXPECT_EQ(test, tfrc_rate_meter_rate(&m, 100 * MS, now),
			TFRC_RATE(10000));
}

/* A timer makes a report five RTTs after the last packet, and the next one comes later. */
static void test_late_report(struct kunit *test)
{
	struct tfrc_rate_meter m;
	u64 now = SEC;

	tfrc_rate_meter_init(&m, now);
	now = test_packets(&m, 10, 1000, now);
	/* 10 packets in 100 ms, and none in the RTT after that */
	now += 500 * MS;
	KUNIT_EXPECT_EQ(test, tfrc_rate_meter_rate(&m, 100 * MS, now),
			TFRC_RATE(50000));
	tfrc_rate_meter_mark(&m, 0, now);
	/* the same pause counts once: 11 packets in these 200 ms */
	now += 100 * MS;
	tfrc_rate_meter_add(&m, 1000, 100 * MS, now);
	KUNIT_EXPECT_EQ(test, tfrc_rate_meter_rate(&m, 100 * MS, now),
			TFRC_RATE(55000));
	/* the interval has begun now: 51 packets in 500 ms */
	now = test_packets(&m, 50, 1000, now);
	KUNIT_EXPECT_EQ(test, tfrc_rate_meter_rate(&m, 100 * MS, now),
			TFRC_RATE(102000));
}

/*
 * A receiver whose R is much longer than the sender's reports many times in its own
 * round trip.
 */
static void test_close(struct kunit *test)
{
	struct tfrc_rate_meter m;
	u64 now = SEC;
	int i;

	tfrc_rate_meter_init(&m, now);
	for (i = 0; i < 50; i++) {
		now += 10 * MS;
		tfrc_rate_meter_add(&m, 1000, 100 * MS, now);
		/* the whole history is known for the first RTT */
		if (i >= 9)
			KUNIT_EXPECT_EQ(test, tfrc_rate_meter_rate(&m, 100 * MS,
								   now),
					TFRC_RATE(100000));
		tfrc_rate_meter_mark(&m, 25 * MS, now);
	}
}

/*
 * Reports 30 ms apart, and 1000 bytes each 10 ms: the last four reports are 30 to 120 ms old
 * when R grows from 100 ms to 200. It is 100000 bytes/s all the same, not half of
 * that. With R = 2 s a quarter of R is the least time. Before the first report has left the
 * ring, what came is all there was in R.
 */
static void test_grown(struct kunit *test)
{
	struct tfrc_rate_meter m;
	u64 now = SEC;
	int i;

	tfrc_rate_meter_init(&m, now);
	for (i = 0; i < 3; i++) {
		now = test_packets(&m, 3, 1000, now);
		tfrc_rate_meter_mark(&m, 25 * MS, now);
	}
	/* 9 packets in 90 ms */
	KUNIT_EXPECT_EQ(test, tfrc_rate_meter_rate(&m, 200 * MS, now), TFRC_RATE(45000));
	for (i = 0; i < 20; i++) {
		now = test_packets(&m, 3, 1000, now);
		KUNIT_EXPECT_EQ_MSG(test, tfrc_rate_meter_rate(&m, 200 * MS, now),
				    i ? TFRC_RATE(100000) : TFRC_RATE(60000), "%d", i);
		/* 12 packets since the oldest of four marks */
		KUNIT_EXPECT_EQ_MSG(test, tfrc_rate_meter_rate(&m, 2 * SEC, now),
				    i ? TFRC_RATE(24000) : TFRC_RATE(6000), "%d", i);
		tfrc_rate_meter_mark(&m, 25 * MS, now);
	}
}

static void test_bounds(struct kunit *test)
{
	struct tfrc_rate_meter m = {};

	/* never started: nothing came */
	KUNIT_EXPECT_EQ(test, tfrc_rate_meter_rate(&m, TFRC_RTT_MIN, SEC), 0);
	tfrc_rate_meter_init(&m, SEC);
	tfrc_rate_meter_add(&m, U32_MAX, TFRC_RTT_MIN, SEC);
	KUNIT_EXPECT_EQ(test, tfrc_rate_meter_rate(&m, TFRC_RTT_MIN, SEC),
			TFRC_RATE_MAX);
}

static struct kunit_case rate_meter_cases[] = {
	KUNIT_CASE(test_rate),
	KUNIT_CASE(test_many_marks),
	KUNIT_CASE(test_pause),
	KUNIT_CASE(test_late_report),
	KUNIT_CASE(test_close),
	KUNIT_CASE(test_grown),
	KUNIT_CASE(test_bounds),
	{}
};

struct kunit_suite tfrc_rate_meter_suite = {
	.name = "tfrc_rate_meter",
	.test_cases = rate_meter_cases,
};
