// SPDX-License-Identifier: GPL-2.0-only
/* Tests of packet pairs: which packets are one, their bandwidth, and the filter. */
#include <kunit/test.h>
#include "pair.c"

#define US	TFRC_NSEC_PER_USEC

/* Eq. 8: 1000 bytes in 8 ms are 1 Mbit/s. */
static void pair_test_bandwidth(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, pair_bandwidth(1000, 8000 * US),
			TFRC_RATE(125000));
	KUNIT_EXPECT_EQ(test, pair_bandwidth(1500, 12 * US),
			TFRC_RATE(125000000));
	KUNIT_EXPECT_EQ(test, pair_bandwidth(0, 1), 0);
	KUNIT_EXPECT_EQ(test, pair_bandwidth(U32_MAX, 1), TFRC_RATE_MAX);
}

static void pair_test_marks(struct kunit *test)
{
	static const struct {
		const char *what;
		u64 seq, seq2;
		u8 position, position2;
		u32 gap;
		u32 estimates;
	} cases[] = {
		{ "a pair", 10, 11, 1, 2, 100, 1 },
		{ "the last two", 10, 11, 14, 15, 100, 1 },
		{ "sequence numbers wrap", (1ULL << 48) - 1, 0, 3, 4, 100, 1 },
		{ "no probes", 10, 11, 0, 0, 100, 0 },
		{ "the second begins a train", 10, 11, 0, 1, 100, 0 },
		{ "two trains", 10, 11, 10, 1, 100, 0 },
		{ "one is missing", 10, 12, 1, 3, 100, 0 },
		{ "one is missing, place says no", 10, 12, 1, 2, 100, 0 },
		{ "out of order", 11, 10, 2, 1, 100, 0 },
		{ "twice", 10, 10, 2, 2, 100, 0 },
		{ "no gap", 10, 11, 1, 2, 0, 0 },
		{ "after the end", 10, 11, 15, 0, 100, 0 },
	};

	for (int i = 0; i < ARRAY_SIZE(cases); i++) {
		struct pair_filter f = { };

		pair_packet(&f, cases[i].seq, cases[i].position, 1000, 5000);
		pair_packet(&f, cases[i].seq2, cases[i].position2, 1000,
			    5000 + cases[i].gap);
		KUNIT_EXPECT_EQ_MSG(test, f.n, cases[i].estimates, "%s",
				    cases[i].what);
		KUNIT_EXPECT_EQ_MSG(test, pair_median(&f), f.n ?
				    pair_bandwidth(1000, 100) : 0, "%s",
				    cases[i].what);
	}
}

/* Gaps of @gap, but for one in @every, which is ten times as long, or short. */
static u64 pair_test_train(struct pair_filter *f, u32 n, u32 gap, u32 every,
			   bool longer)
{
	u64 now = 1000000, seq = 1;

	for (u32 i = 0; i < n; i++) {
		pair_packet(f, seq++, 1, 1000, now);
		now += i % every ? gap : longer ? 10 * gap : gap / 10;
		pair_packet(f, seq++, 2, 1000, now);
		now += 1000000;
	}
	return pair_median(f);
}

static void pair_test_median(struct kunit *test)
{
	const u64 right = pair_bandwidth(1000, 8000 * US);

	for (u32 n = 1; n < 200; n++) {
		struct pair_filter f = { };

		KUNIT_EXPECT_EQ(test, pair_test_train(&f, n, 8000 * US, 1000,
						      false) == right, n > 1);
		KUNIT_EXPECT_LT(test, f.n, 2 * PAIR_WINDOW);
	}
	for (u32 every = 3; every < 10; every++) {
		struct pair_filter slow = { }, fast = { };

		KUNIT_EXPECT_EQ(test, pair_test_train(&slow, 100, 8000 * US,
						      every, true), right);
		KUNIT_EXPECT_EQ(test, pair_test_train(&fast, 100, 8000 * US,
						      every, false), right);
	}
}

/* A path that changes is known after half a window. */
static void pair_test_change(struct kunit *test)
{
	struct pair_filter f = { };

	pair_test_train(&f, 100, 8000 * US, 1000, true);
	KUNIT_EXPECT_EQ(test, pair_test_train(&f, 17, 4000 * US, 1000, true),
			pair_bandwidth(1000, 4000 * US));
}

/* As many packets as wait, up to n, numbered from 1; one that is alone is no train. */
static void pair_test_place(struct kunit *test)
{
	struct pair_train t = { };

	KUNIT_EXPECT_FALSE(test, pair_place(&t, true, 3, 1));
	KUNIT_EXPECT_EQ(test, t.position, 0);
	pair_report(&t, 1, 0, 1);
	KUNIT_EXPECT_FALSE(test, pair_place(&t, false, 3, 2));
	KUNIT_EXPECT_EQ(test, t.position, 0);
	KUNIT_EXPECT_TRUE(test, pair_place(&t, true, 3, 3));
	KUNIT_EXPECT_EQ(test, t.position, 1);
	KUNIT_EXPECT_TRUE(test, pair_place(&t, true, 3, 4));
	KUNIT_EXPECT_FALSE(test, pair_place(&t, true, 3, 5));
	KUNIT_EXPECT_EQ(test, t.position, 3);
	t.position = 0;
	KUNIT_EXPECT_FALSE(test, pair_place(&t, true, 3, 6));
	KUNIT_EXPECT_EQ(test, t.position, 0);
	/* the last that waits is in it */
	pair_report(&t, 1, 0, 1);
	KUNIT_EXPECT_TRUE(test, pair_place(&t, true, 15, 7));
	KUNIT_EXPECT_FALSE(test, pair_place(&t, false, 15, 8));
	KUNIT_EXPECT_EQ(test, t.position, 2);
}

/* After each report, or each fourth one once R_b is known. */
static void pair_test_report(struct kunit *test)
{
	struct pair_train t = { };

	for (int i = 1; i < 100; i++) {
		t.wanted = false;
		pair_report(&t, 4, 0, 1);
		KUNIT_EXPECT_EQ(test, t.wanted, i % 4 == 0);
	}
	for (int i = 0; i < 100; i++) {
		t.wanted = false;
		pair_report(&t, 255, 0, 0);
		KUNIT_EXPECT_TRUE(test, t.wanted);
	}
}

/* A train of two packets, and the report on it. Return: whether another one follows. */
static bool pair_test_round(struct pair_train *t, u8 every, u8 steady, u64 rate)
{
	if (t->wanted) {
		pair_place(t, true, 2, 1);
		pair_place(t, false, 2, 2);
		t->position = 0;
	}
	pair_report(t, every, steady, rate);
	return t->wanted;
}

/*
 * With steady = 3 a train follows each report, until three of them have had the same
 * bandwidth as the first: within an eighth of 8000, which is 7000 to 9000. A change, or
 * a drift of more than that, begins anew.
 */
static void pair_test_steady(struct kunit *test)
{
	static const u32 rates[] = { 0, 0, 8000, 9000, 7000, 8000 };
	struct pair_train t = { };
	int i, n;

	for (i = 0; i < ARRAY_SIZE(rates); i++)
		KUNIT_EXPECT_EQ_MSG(test, pair_test_round(&t, 4, 3, rates[i]),
				    i < 5, "report %d", i);
	/* then each fourth one: reports 4, 8, 12 */
	for (n = 0, i = 2; i <= 13; i++)
		n += pair_test_round(&t, 4, 3, 8000);
	KUNIT_EXPECT_EQ(test, n, 3);

	/* a drift */
	KUNIT_EXPECT_TRUE(test, pair_test_round(&t, 4, 3, 9001));
	for (i = 0; i < 2; i++)
		KUNIT_EXPECT_TRUE(test, pair_test_round(&t, 4, 3, 9001));
	KUNIT_EXPECT_FALSE(test, pair_test_round(&t, 4, 3, 9001));
	/* unknown again */
	KUNIT_EXPECT_TRUE(test, pair_test_round(&t, 4, 3, 0));

	/* reports without a train do not make it steady */
	t = (struct pair_train){ };
	pair_report(&t, 200, 3, 8000);
	for (i = 0; i < 100; i++) {
		t.wanted = false;
		pair_report(&t, 200, 3, 8000);
		KUNIT_EXPECT_TRUE(test, t.wanted);
	}
	/* one packet is no train */
	pair_place(&t, true, 2, 3);
	t.position = 0;
	pair_report(&t, 200, 1, 8000);
	KUNIT_EXPECT_TRUE(test, t.wanted);
}

/* A packet waits for the next one only if that may be expected within the limit. */
static void pair_test_hold(struct kunit *test)
{
	const u64 longest = 20000 * US;
	struct pair_train t = { };
	u64 now = 1000000 * US;

	/* no report, or nothing to tell when the next may come */
	KUNIT_EXPECT_EQ(test, pair_hold(&t, false, longest, now), 0);
	pair_report(&t, 1, 0, 1);
	KUNIT_EXPECT_EQ(test, pair_hold(&t, false, longest, now), 0);
	pair_place(&t, false, 3, now);

	/* as far apart as this, there is no point in it */
	KUNIT_EXPECT_EQ(test, pair_hold(&t, false, longest, now + longest + 1),
			0);
	KUNIT_EXPECT_TRUE(test, t.wanted);

	/* it waits, until the other one is there */
	now += 10000 * US;
	KUNIT_EXPECT_EQ(test, pair_hold(&t, false, longest, now),
			now + longest);
	KUNIT_EXPECT_EQ(test, pair_hold(&t, false, longest, now + 9000 * US),
			now + longest);
	KUNIT_EXPECT_EQ(test, pair_hold(&t, true, longest, now + 10000 * US),
			0);
	KUNIT_EXPECT_TRUE(test, pair_place(&t, true, 3, now));
	KUNIT_EXPECT_EQ(test, pair_hold(&t, false, longest, now), 0);
	KUNIT_EXPECT_FALSE(test, pair_place(&t, false, 3, now));
	KUNIT_EXPECT_EQ(test, t.position, 2);
	t.position = 0;

	/* in vain: it goes, and none is held until the next report */
	pair_report(&t, 1, 0, 1);
	KUNIT_EXPECT_EQ(test, pair_hold(&t, false, longest, now + 1),
			now + 1 + longest);
	KUNIT_EXPECT_EQ(test, pair_hold(&t, false, longest, now + 1 + longest),
			0);
	KUNIT_EXPECT_FALSE(test, t.wanted);
	pair_place(&t, false, 3, now + 1 + longest);
	KUNIT_EXPECT_EQ(test, t.position, 0);
	KUNIT_EXPECT_EQ(test, pair_hold(&t, false, longest, now + longest), 0);

	/* none is held for no time */
	pair_report(&t, 1, 0, 1);
	KUNIT_EXPECT_EQ(test, pair_hold(&t, false, 0, now + 2 + longest), 0);
}

static struct kunit_case pair_cases[] = {
	KUNIT_CASE(pair_test_bandwidth),
	KUNIT_CASE(pair_test_marks),
	KUNIT_CASE(pair_test_median),
	KUNIT_CASE(pair_test_change),
	KUNIT_CASE(pair_test_place),
	KUNIT_CASE(pair_test_report),
	KUNIT_CASE(pair_test_steady),
	KUNIT_CASE(pair_test_hold),
	{ }
};

static struct kunit_suite pair_suite = {
	.name = "ctfaf_pair",
	.test_cases = pair_cases,
};

kunit_test_suite(pair_suite);
