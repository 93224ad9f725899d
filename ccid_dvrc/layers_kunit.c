// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of layers: each rule at its borders.
 */
#include <kunit/test.h>
#include <linux/limits.h>
#include "layers.c"

/* Section 3.3: K for R at, and next to, each of the rates. */
static void layers_test_in(struct kunit *test)
{
	struct dvrc_layers l = {};
	u32 rate[DCCP_DVRC_LAYERS_MAX];

	KUNIT_EXPECT_EQ(test, dvrc_layers_in(&l, 0), 0);
	KUNIT_EXPECT_EQ(test, dvrc_layers_in(&l, U64_MAX), 0);
	for (u32 k = 1; k <= DCCP_DVRC_LAYERS_MAX; k++) {
		for (u32 j = 0; j < k; j++)
			rate[j] = j < 15 ? 1000 * (j + 1) * (j + 2) : U32_MAX;
		dvrc_layers_set(&l, rate, k * sizeof(u32));
		KUNIT_EXPECT_EQ(test, dvrc_layers_in(&l, 0), 1);
		KUNIT_EXPECT_EQ(test, dvrc_layers_in(&l, U64_MAX), k);
		for (u32 j = 1; j <= k; j++) {
			u64 c = TFRC_RATE(rate[j - 1]);

			KUNIT_EXPECT_EQ(test, dvrc_layers_in(&l, c), j);
			KUNIT_EXPECT_EQ(test, dvrc_layers_in(&l, c + 1), j);
			KUNIT_EXPECT_EQ(test, dvrc_layers_in(&l, c - 1),
					max(j - 1, 1U));
		}
	}
}

static void layers_test_valid(struct kunit *test)
{
	static const u32 good[] = { 1, 2, 1000, U32_MAX };
	static const u32 equal[] = { 1, 2, 2 };
	static const u32 falling[] = { 3, 2 };
	static const u32 zero[] = { 0, 2 };
	u32 many[DCCP_DVRC_LAYERS_MAX + 1];

	for (u32 i = 0; i < ARRAY_SIZE(many); i++)
		many[i] = i + 1;
	for (size_t size = 0; size <= sizeof(many); size++)
		KUNIT_EXPECT_EQ(test, dvrc_layers_valid(many, size),
				size && size % 4 == 0 && size <= 64);
	KUNIT_EXPECT_TRUE(test, dvrc_layers_valid(good, sizeof(good)));
	KUNIT_EXPECT_FALSE(test, dvrc_layers_valid(equal, sizeof(equal)));
	KUNIT_EXPECT_FALSE(test, dvrc_layers_valid(falling, sizeof(falling)));
	KUNIT_EXPECT_FALSE(test, dvrc_layers_valid(zero, sizeof(zero)));
}

/* The least of c_1, the limit by the Sequence Window, and the initial rate. */
static void layers_test_start(struct kunit *test)
{
	static const u32 rate[] = { 6250000, 9000000 };
	struct dvrc_layers l = {};

	KUNIT_EXPECT_EQ(test, dvrc_start_rate(&l, 7, 5, true), 7);
	dvrc_layers_set(&l, rate, sizeof(rate));
	KUNIT_EXPECT_EQ(test, dvrc_start_rate(&l, TFRC_RATE(40000),
					      TFRC_RATE(200000), true),
			TFRC_RATE(40000));
	KUNIT_EXPECT_EQ(test, dvrc_start_rate(&l, TFRC_RATE(40000),
					      TFRC_RATE(200000), false),
			TFRC_RATE(200000));
	KUNIT_EXPECT_EQ(test, dvrc_start_rate(&l, TFRC_RATE(40000),
					      TFRC_RATE(8000000), false),
			TFRC_RATE(6250000));
	l.rate[0] = 30000;
	KUNIT_EXPECT_EQ(test, dvrc_start_rate(&l, TFRC_RATE(40000),
					      TFRC_RATE(200000), true),
			TFRC_RATE(30000));
}

/* K of a sender: what is reported, at most the number of layers, and one above X. */
static void layers_test_sent(struct kunit *test)
{
	static const u32 rate[] = { 1000, 2000, 4000, 8000 };
	struct dvrc_layers l = {};

	KUNIT_EXPECT_EQ(test, dvrc_layers_sent(&l, 0, 0, true), 0);
	KUNIT_EXPECT_EQ(test, dvrc_layers_sent(&l, 3, 0, true), 3);
	KUNIT_EXPECT_EQ(test, dvrc_layers_sent(&l, 255, 0, true), 16);
	dvrc_layers_set(&l, rate, sizeof(rate));
	for (u32 slow_start = 0; slow_start < 2; slow_start++) {
		KUNIT_EXPECT_EQ(test, dvrc_layers_sent(&l, 0, TFRC_RATE(9000),
						       slow_start), 1);
		KUNIT_EXPECT_EQ(test, dvrc_layers_sent(&l, 3, TFRC_RATE(9000),
						       slow_start), 3);
		KUNIT_EXPECT_EQ(test, dvrc_layers_sent(&l, 255, U64_MAX,
						       slow_start), 4);
		KUNIT_EXPECT_EQ(test, dvrc_layers_sent(&l, 4, TFRC_RATE(2000),
						       slow_start),
				slow_start ? 3 : 4);
		KUNIT_EXPECT_EQ(test, dvrc_layers_sent(&l, 4, 0, slow_start),
				slow_start ? 2 : 4);
	}
}

static struct kunit_case layers_cases[] = {
	KUNIT_CASE(layers_test_in),
	KUNIT_CASE(layers_test_valid),
	KUNIT_CASE(layers_test_start),
	KUNIT_CASE(layers_test_sent),
	{ }
};

static struct kunit_suite dvrc_layers_suite = {
	.name = "dvrc_layers",
	.test_cases = layers_cases,
};

kunit_test_suite(dvrc_layers_suite);
