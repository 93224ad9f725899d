// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the sender whose receiver decides the rate. Expected values are worked out
 * by hand in the comments.
 */
#include <kunit/test.h>
#include <linux/limits.h>
#include <net/tfrc_driven.h>
#include "kunit.h"

#define MS		TFRC_NSEC_PER_MSEC
#define SEC		TFRC_NSEC_PER_SEC
#define R		(100 * MS)
#define S		1000
#define T0		(1000 * SEC)

struct driven_test {
	struct driven_sender	snd;
	u64			now;
};

static struct driven_sender *driven_test_of(struct tfrc_sender *snd)
{
	return container_of(snd, struct driven_sender, base);
}

static void driven_test_begin(struct tfrc_sender *snd, u64 now)
{
	driven_sender_start(driven_test_of(snd), tfrc_sender_first_rate(snd));
}

static void driven_test_feedback(struct tfrc_sender *snd,
				 const struct tfrc_report *rep, u64 now)
{
	driven_sender_feedback(driven_test_of(snd), rep, now);
}

static void driven_test_expire(struct tfrc_sender *snd, bool idle, u64 now)
{
	driven_sender_timeout(driven_test_of(snd), 750, idle, now);
}

static const struct tfrc_sender_ops driven_test_ops = {
	.start = driven_test_begin,
	.feedback = driven_test_feedback,
	.timeout = driven_test_expire,
	.limited = tfrc_sender_limited,
	.timeout_after = driven_sender_timeout_after,
};

static void driven_test_start(struct driven_test *t)
{
	*t = (struct driven_test) { .now = T0 };
	tfrc_sender_init(&t->snd.base, &driven_test_ops);
	tfrc_sender_start(&t->snd.base, S, R, t->now);
}

/* One round trip at @sent bytes/s, at the end of which a report comes. */
static void driven_test_round(struct driven_test *t, u64 sent, u64 x_recv, u64 rate,
			      u64 timeout, bool data_limited)
{
	const struct tfrc_feedback fb = {
		.x_recv = TFRC_RATE(x_recv),
		.rate = TFRC_RATE(rate),
		.timeout = timeout,
		.number = 200,
	};
	u64 bytes;

	for (bytes = 0; bytes < sent / 10; bytes += S)
		tfrc_sender_sent(&t->snd.base, S, t->now);
	t->now += R;
	give_feedback(&t->snd.base, &fb, R, data_limited, t->now);
}

/* It begins with RFC 3390's window, and then follows the requested rate. */
static void driven_test_follow(struct kunit *test)
{
	struct driven_test t;

	driven_test_start(&t);
	EXPECT_RATE(test, t.snd.base.x, 40000);
	driven_test_round(&t, 40000, 40000, 60000, 150 * MS, false);
	EXPECT_RATE(test, t.snd.base.x, 60000);
	KUNIT_EXPECT_EQ(test, t.snd.number, 200);
	driven_test_round(&t, 60000, 60000, 55000, 150 * MS, false);
	EXPECT_RATE(test, t.snd.base.x, 55000);
	/* also below the initial rate */
	driven_test_round(&t, 60000, 60000, 5000, 150 * MS, false);
	EXPECT_RATE(test, t.snd.base.x, 5000);
	/* a request of 0: one packet in 64 s */
	driven_test_round(&t, 5000, 5000, 0, 150 * MS, false);
	KUNIT_EXPECT_EQ(test, t.snd.base.x, TFRC_RATE(S) / 64);
}

/* X is at most 2 X_recv, and X_recv counts for at most 2 X_send. */
static void driven_test_limit(struct kunit *test)
{
	struct driven_test t;
	int i;

	driven_test_start(&t);
	driven_test_round(&t, 50000, 50000, U32_MAX, SEC, false);
	EXPECT_RATE(test, t.snd.base.x, 80000);	/* 2 * 40000 */
	driven_test_round(&t, 50000, 50000, U32_MAX, SEC, false);
	EXPECT_RATE(test, t.snd.base.x, 100000);
	driven_test_round(&t, 50000, 30000, U32_MAX, SEC, false);
	/* the greatest X_recv of two round trips */
	EXPECT_RATE(test, t.snd.base.x, 100000);
	/* then it is forgotten; the initial rate is always allowed */
	for (i = 0; i < 3; i++)
		driven_test_round(&t, 50000, 15000, U32_MAX, SEC, false);
	EXPECT_RATE(test, t.snd.base.x, 40000);
	/* a false X_recv */
	for (i = 0; i < 3; i++)
		driven_test_round(&t, 50000, U32_MAX, U32_MAX, SEC, false);
	EXPECT_RATE(test, t.snd.base.x, 200000);
	/* the application sends less: X_recv_set keeps the earlier rates */
	for (i = 0; i < 5; i++)
		driven_test_round(&t, 50000, 10000, U32_MAX, SEC, true);
	EXPECT_RATE(test, t.snd.base.x, 200000);
	/* but X is at most four times what is sent */
	for (i = 0; i < 5; i++)
		driven_test_round(&t, 20000, 10000, U32_MAX, SEC, true);
	EXPECT_RATE(test, t.snd.base.x, 80000);
}

/* X doubles once in a round trip, however many reports come. */
static void driven_test_doubles(struct kunit *test)
{
	struct tfrc_feedback fb = {
		.x_recv = TFRC_RATE(U32_MAX), .rate = TFRC_RATE(U32_MAX),
		.timeout = SEC,
	};
	struct driven_test t;
	int i, j, round;

	driven_test_start(&t);
	for (round = 1; round <= 6; round++) {
		for (i = 0; i < 10; i++) {
			/* 6 MB/s: what is delivered would allow 24 MB/s */
			for (j = 0; j < 60; j++)
				tfrc_sender_sent(&t.snd.base, S, t.now);
			t.now += R / 10;
			give_feedback(&t.snd.base, &fb, R, false, t.now);
		}
		/* at the first report, and after each round trip */
		EXPECT_RATE(test, t.snd.base.x, 80000ULL << round);
	}
	/* 5.12 MB/s: 0.75 times that after a timeout, and from there again */
	tfrc_sender_sent(&t.snd.base, S, t.now);
	tfrc_sender_timeout(&t.snd.base, t.snd.base.t_timer);
	EXPECT_RATE(test, t.snd.base.x, 3840000);
	driven_test_round(&t, 6000000, U32_MAX, U32_MAX, SEC, false);
	EXPECT_RATE(test, t.snd.base.x, 7680000);
}

/* Twice the timeout, clamped to 1 to 16 R, and two packets */
static void driven_test_timeout(struct kunit *test)
{
	static const struct {
		u64 timeout, want;
	} cases[] = {
		{ 150 * MS, 340 * MS }, { 0, 240 * MS }, { 99 * MS, 240 * MS },
		{ 1600 * MS, 3240 * MS }, { U64_MAX, 3240 * MS },
		{ U32_MAX * TFRC_NSEC_PER_USEC, 3240 * MS },
	};
	struct driven_test t;
	int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		driven_test_start(&t);
		/* at 50000 bytes/s a packet takes 20 ms */
		driven_test_round(&t, 50000, 50000, 50000, cases[i].timeout,
				  false);
		KUNIT_EXPECT_LE_MSG(test, t.snd.base.t_timer - t.now,
				    cases[i].want + 1, "case %d", i);
		KUNIT_EXPECT_GE_MSG(test, t.snd.base.t_timer - t.now + 1,
				    cases[i].want, "case %d", i);
	}
}

/* Of R above 125 ms 2 s count, but 2 R in any case */
static void driven_test_timeout_far(struct kunit *test)
{
	static const struct {
		u64 rtt, want;
	} cases[] = {
		{ 120 * MS, 1920 * MS }, { 130 * MS, 2 * SEC }, { SEC, 2 * SEC },
		{ 1500 * MS, 3 * SEC }, { 10 * SEC, 20 * SEC },
	};
	const struct tfrc_feedback fb = { .timeout = U64_MAX };
	struct driven_test t;
	int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		driven_test_start(&t);
		t.snd.base.rtt = cases[i].rtt;
		tfrc_sender_sent(&t.snd.base, S, t.now);
		give_feedback(&t.snd.base, &fb, 0, false, t.now + R);
		KUNIT_EXPECT_EQ_MSG(test, t.snd.timeout, cases[i].want, "case %d", i);
		KUNIT_EXPECT_EQ(test, t.snd.base.t_timer,
				t.now + R + 2 * cases[i].want +
				2 * tfrc_ipi(t.snd.base.x_inst, S));
	}
}

static void driven_test_begin_fast(struct tfrc_sender *snd, u64 now)
{
	driven_sender_start(driven_test_of(snd), TFRC_RATE(50000));
}

/* Before the first report: 2 (R + 4 R / 2), and two packets of 20 ms. */
static void driven_test_no_report(struct kunit *test)
{
	struct tfrc_sender_ops ops = driven_test_ops;
	struct driven_test t = { .now = T0 };

	ops.start = driven_test_begin_fast;
	tfrc_sender_init(&t.snd.base, &ops);
	tfrc_sender_start(&t.snd.base, S, R, t.now);
	KUNIT_EXPECT_LE(test, t.snd.base.t_timer - t.now, 640 * MS + 1);
	KUNIT_EXPECT_GE(test, t.snd.base.t_timer - t.now + 1, 640 * MS);
}

/* Each timeout multiplies X by 0.75, and the next report does not raise X at once. */
static void driven_test_cuts(struct kunit *test)
{
	struct driven_test t;

	driven_test_start(&t);
	driven_test_round(&t, 80000, 80000, 80000, 150 * MS, false);
	tfrc_sender_sent(&t.snd.base, S, t.now);
	t.now = t.snd.base.t_timer;
	tfrc_sender_timeout(&t.snd.base, t.now);
	EXPECT_RATE(test, t.snd.base.x, 60000);
	/* 300 ms and two packets at 60000 bytes/s, 33.3 ms */
	KUNIT_EXPECT_GE(test, t.snd.base.t_timer - t.now, 333 * MS);
	KUNIT_EXPECT_LE(test, t.snd.base.t_timer - t.now, 334 * MS);
	tfrc_sender_sent(&t.snd.base, S, t.now);
	tfrc_sender_timeout(&t.snd.base, t.snd.base.t_timer);
	EXPECT_RATE(test, t.snd.base.x, 45000);
	/* 10000 bytes/s arrive, while 45000 could have */
	driven_test_round(&t, 10000, 10000, 80000, 150 * MS, true);
	EXPECT_RATE(test, t.snd.base.x, 45000);
	driven_test_round(&t, 45000, 45000, 80000, 150 * MS, false);
	EXPECT_RATE(test, t.snd.base.x, 80000);
}

/* While nothing is sent, X does not fall below the initial rate. */
static void driven_test_idle(struct kunit *test)
{
	static const u64 want[] = { 60000, 45000, 40000, 40000 };
	struct driven_test t;
	int i;

	driven_test_start(&t);
	driven_test_round(&t, 80000, 80000, 80000, 150 * MS, false);
	for (i = 0; i < ARRAY_SIZE(want); i++) {
		tfrc_sender_timeout(&t.snd.base, t.snd.base.t_timer);
		EXPECT_RATE(test, t.snd.base.x, want[i]);
	}
	/* a lower X stays */
	driven_test_round(&t, 40000, 40000, 9000, 150 * MS, false);
	tfrc_sender_timeout(&t.snd.base, t.snd.base.t_timer);
	EXPECT_RATE(test, t.snd.base.x, 9000);
	/* a sender that has sent something is not idle */
	tfrc_sender_sent(&t.snd.base, S, t.now);
	tfrc_sender_timeout(&t.snd.base, t.snd.base.t_timer);
	EXPECT_RATE(test, t.snd.base.x, 6750);
}

/*
 * A source slows from 400 KB/s to 20, and the receiver still requests 400: X is at most
 * four times what was sent in one of the last three round trips.
 */
static void driven_test_slows(struct kunit *test)
{
	struct driven_test t;

	driven_test_start(&t);
	t.snd.base.x = TFRC_RATE(400000);
	driven_test_round(&t, 400000, 400000, 400000, SEC, false);
	EXPECT_RATE(test, t.snd.base.x, 400000);
	for (int i = 0; i < 2; i++) {
		driven_test_round(&t, 20000, 20000, 400000, SEC, true);
		EXPECT_RATE(test, t.snd.base.x, 400000);
	}
	driven_test_round(&t, 20000, 20000, 400000, SEC, true);
	EXPECT_RATE(test, t.snd.base.x, 80000);
}

/* Packets that wait may leave faster, but the timer goes by those after them. */
static void driven_test_waits(struct kunit *test)
{
	struct driven_test t;

	driven_test_start(&t);
	t.snd.timeout = SEC;
	t.snd.base.x_inst = TFRC_RATE(S);
	t.snd.base.x_waits = TFRC_RATE(100 * S);
	t.snd.base.waits = 100 * S;
	/* twice the timeout, and two packets of a second */
	KUNIT_EXPECT_EQ(test, driven_sender_timeout_after(&t.snd.base), 4 * SEC);
}

static struct kunit_case driven_cases[] = {
	KUNIT_CASE(driven_test_follow),
	KUNIT_CASE(driven_test_limit),
	KUNIT_CASE(driven_test_slows),
	KUNIT_CASE(driven_test_doubles),
	KUNIT_CASE(driven_test_timeout),
	KUNIT_CASE(driven_test_timeout_far),
	KUNIT_CASE(driven_test_no_report),
	KUNIT_CASE(driven_test_cuts),
	KUNIT_CASE(driven_test_idle),
	KUNIT_CASE(driven_test_waits),
	{ }
};

struct kunit_suite driven_suite = {
	.name = "tfrc_driven",
	.test_cases = driven_cases,
};
