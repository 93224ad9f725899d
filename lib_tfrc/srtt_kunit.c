// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of srtt.c, with the gains of RFC 6298: 1/8 and 1/4; R and R/2 at first.
 */
#include <kunit/test.h>
#include <linux/limits.h>
#include "kunit.h"

#define MS	TFRC_NSEC_PER_MSEC

static void srtt_test_samples(struct kunit *test)
{
	struct tfrc_srtt t = { };

	tfrc_srtt_sample(&t, 100 * MS);
	KUNIT_EXPECT_EQ(test, t.srtt, 100 * MS);
	KUNIT_EXPECT_EQ(test, t.rttvar, 50 * MS);
	/* 7/8 100 + 1/8 180; 3/4 50 + 1/4 80 */
	tfrc_srtt_sample(&t, 180 * MS);
	KUNIT_EXPECT_EQ(test, t.srtt, 110 * MS);
	KUNIT_EXPECT_EQ(test, t.rttvar, 57500000);
	/* 7/8 110 + 1/8 30; 3/4 57.5 + 1/4 80 */
	tfrc_srtt_sample(&t, 30 * MS);
	KUNIT_EXPECT_EQ(test, t.srtt, 100 * MS);
	KUNIT_EXPECT_EQ(test, t.rttvar, 63125000);
}

/* Whatever is measured counts as 100 us to 10 s. */
static void srtt_test_bounds(struct kunit *test)
{
	struct tfrc_srtt t = { };

	tfrc_srtt_sample(&t, 0);
	KUNIT_EXPECT_EQ(test, t.srtt, 100000);
	for (int i = 0; i < 200; i++)
		tfrc_srtt_sample(&t, U64_MAX);
	KUNIT_EXPECT_LE(test, t.srtt, 10 * TFRC_NSEC_PER_SEC);
	KUNIT_EXPECT_GT(test, t.srtt, 9 * TFRC_NSEC_PER_SEC);
}

static struct kunit_case srtt_cases[] = {
	KUNIT_CASE(srtt_test_samples),
	KUNIT_CASE(srtt_test_bounds),
	{ }
};

struct kunit_suite tfrc_srtt_suite = {
	.name = "tfrc_srtt",
	.test_cases = srtt_cases,
};
