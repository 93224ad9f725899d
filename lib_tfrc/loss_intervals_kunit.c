// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the loss event rate, against exact fractions, and of the bounds of intervals.
 */
#include <linux/limits.h>
#include <linux/math.h>
#include <linux/types.h>
#include <net/tfrc.h>
#include "kunit.h"

/* n, the intervals in order of time, the open one, and p in exact arithmetic */
struct interval_row {
	const char	*about;
	u32		n;
	u32		first;
	u32		count;
	u32		open;
	u64		p;
};

#include "loss_intervals_kunit_table.h"

static void expect_p(struct kunit *test, const struct tfrc_loss_intervals *li,
		     u32 open, u64 want, const char *about)
{
	u64 got = tfrc_loss_intervals_p(li, open);

	/* weights and discounts have 23 bits: some units of 2^-23 */
	KUNIT_EXPECT_LE_MSG(test, abs((s64)(got - want)), want / 1000000 + 1,
			    "%s: n = %u, I_0 = %u: got %llu, want %llu", about,
			    li->n, open, got, want);
}

static void test_exact(struct kunit *test)
{
	struct tfrc_loss_intervals li;
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(interval_table); i++) {
		const struct interval_row *row = &interval_table[i];

		tfrc_loss_intervals_init(&li, row->n);
		KUNIT_ASSERT_EQ(test, tfrc_loss_intervals_resize(&li, row->n), 0);
		for (j = 0; j < row->count; j++)
			tfrc_loss_intervals_add(&li,
						interval_lengths[row->first + j]);
		expect_p(test, &li, row->open, row->p, row->about);
		tfrc_loss_intervals_free(&li);
	}
}

/* One packet in 100 starts a loss event: p is 1 % for every n, and stays so. */
static void test_steady(struct kunit *test)
{
	struct tfrc_loss_intervals li;
	u32 n, i;

	for (n = TFRC_LI_MIN; n <= TFRC_LI_MAX; n++) {
		tfrc_loss_intervals_init(&li, n);
		KUNIT_ASSERT_EQ(test, tfrc_loss_intervals_resize(&li, n), 0);
		for (i = 0; i < 3 * n; i++) {
			tfrc_loss_intervals_add(&li, 100);
			expect_p(test, &li, 1, TFRC_P_ONE / 100, "steady");
		}
		KUNIT_EXPECT_EQ(test, li.k, n);
		tfrc_loss_intervals_free(&li);
	}
}

/* A short open interval does not raise p; a long one reduces it. */
static void test_open_interval(struct kunit *test)
{
	struct tfrc_loss_intervals li;
	u64 p, last = TFRC_P_ONE / 100;
	u32 i;

	tfrc_loss_intervals_init(&li, 8);
	for (i = 0; i < 8; i++)
		tfrc_loss_intervals_add(&li, 100);
	for (i = 1; i <= 2000; i++) {
		p = tfrc_loss_intervals_p(&li, i);
		KUNIT_EXPECT_LE(test, p, last + last / 1000000);
		last = p;
	}
	KUNIT_EXPECT_LT(test, last, TFRC_P_ONE / 500);
}

static void test_bounds(struct kunit *test)
{
	static const u32 n[][2] = {
		{ 0, TFRC_LI_MIN }, { 1, TFRC_LI_MIN }, { 2, 2 }, { 255, 255 },
		{ 256, TFRC_LI_MAX }, { U32_MAX, TFRC_LI_MAX },
	};
	struct tfrc_loss_intervals li;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(n); i++) {
		tfrc_loss_intervals_init(&li, n[i][0]);
		KUNIT_EXPECT_EQ(test, li.n, min(n[i][1], TFRC_LI_DEFAULT + 0U));
		KUNIT_ASSERT_EQ(test, tfrc_loss_intervals_resize(&li, n[i][0]), 0);
		KUNIT_EXPECT_EQ(test, li.n, n[i][1]);
		tfrc_loss_intervals_free(&li);
	}

	tfrc_loss_intervals_init(&li, 8);
	KUNIT_EXPECT_EQ(test, tfrc_loss_intervals_p(&li, 0), 0);
	KUNIT_EXPECT_EQ(test, tfrc_loss_intervals_p(&li, U64_MAX), 0);
	/* there is nothing to state the length of */
	tfrc_loss_intervals_seed(&li, 10);
	KUNIT_EXPECT_EQ(test, tfrc_loss_intervals_p(&li, 1), 0);

	tfrc_loss_intervals_add(&li, 0);
	KUNIT_EXPECT_EQ(test, tfrc_loss_intervals_p(&li, 0), TFRC_P_ONE);
	tfrc_loss_intervals_add(&li, U64_MAX);
	KUNIT_EXPECT_EQ(test, li.len[0], U32_MAX);
	KUNIT_EXPECT_EQ(test, li.len[1], 1);
}

/* The seed takes the place of the oldest interval and of its discount. */
static void test_seed(struct kunit *test)
{
	struct tfrc_loss_intervals li;

	tfrc_loss_intervals_init(&li, 8);
	tfrc_loss_intervals_add(&li, 7);
	tfrc_loss_intervals_seed(&li, 200);
	expect_p(test, &li, 1, TFRC_P_ONE / 200, "seed");

	tfrc_loss_intervals_init(&li, 8);
	tfrc_loss_intervals_add(&li, 1);
	tfrc_loss_intervals_add(&li, 100);
	tfrc_loss_intervals_seed(&li, 300);
	expect_p(test, &li, 1, TFRC_P_ONE / 200, "seed below others");

	tfrc_loss_intervals_seed(&li, 0);
	KUNIT_EXPECT_EQ(test, li.len[1], 1);
}

/* The newest intervals stay, with their discounts, wherever they are kept. */
static void test_resize(struct kunit *test)
{
	static const u32 sizes[] = { 8, 9, 255, 20, 8, 128, 5 };
	struct tfrc_loss_intervals li;
	u32 i, j;

	tfrc_loss_intervals_init(&li, 8);
	for (i = 1; i <= 8; i++)
		tfrc_loss_intervals_add(&li, i);
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		KUNIT_ASSERT_EQ(test, tfrc_loss_intervals_resize(&li, sizes[i]), 0);
		KUNIT_EXPECT_EQ(test, li.n, sizes[i]);
		KUNIT_EXPECT_EQ(test, li.k, min(sizes[i], 8U));
		for (j = 0; j < li.k; j++) {
			KUNIT_EXPECT_EQ(test, li.len[j], 8 - j);
			KUNIT_EXPECT_EQ(test, li.df[j], 1 << 23);
		}
	}
	KUNIT_ASSERT_EQ(test, tfrc_loss_intervals_resize(&li, 9), 0);
	for (i = 0; i < 20; i++)
		tfrc_loss_intervals_add(&li, 100 + i);
	KUNIT_EXPECT_EQ(test, li.k, 9);
	KUNIT_EXPECT_EQ(test, li.len[0], 119);
	KUNIT_EXPECT_EQ(test, li.len[8], 111);
	tfrc_loss_intervals_free(&li);
}

static struct kunit_case loss_intervals_cases[] = {
	KUNIT_CASE(test_exact),
	KUNIT_CASE(test_steady),
	KUNIT_CASE(test_open_interval),
	KUNIT_CASE(test_bounds),
	KUNIT_CASE(test_seed),
	KUNIT_CASE(test_resize),
	{}
};

struct kunit_suite tfrc_loss_intervals_suite = {
	.name = "tfrc_loss_intervals",
	.test_cases = loss_intervals_cases,
};
