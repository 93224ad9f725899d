// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the sender that is told its rate. Expected values are worked out by
 * hand in the comments.
 */
#include <kunit/test.h>
#include <linux/limits.h>
#include <net/tfrc.h>
#include "kunit.h"

#define MS		TFRC_NSEC_PER_MSEC
#define SEC		TFRC_NSEC_PER_SEC
#define R		(100 * MS)
#define S		1000
#define T0		(1000 * SEC)

struct told_test {
	struct tfrc_told	told;
	struct tfrc_sender	snd;
	u64			now;
};

static u64 told_test_adapt(void *priv, const struct tfrc_sender *snd,
			   const struct tfrc_feedback *fb, u64 sample, u64 now)
{
	struct told_test *t = priv;

	return tfrc_told_follow(&t->told, snd, fb);
}

static u64 told_test_patience(void *priv)
{
	struct told_test *t = priv;

	return tfrc_told_patience(&t->told, &t->snd);
}

static u64 told_test_silence(void *priv, bool idle)
{
	struct told_test *t = priv;

	return tfrc_told_silence(&t->snd, 750, idle);
}

static const struct tfrc_scheme told_scheme = {
	.adapt = told_test_adapt,
	.patience = told_test_patience,
	.silence = told_test_silence,
};

static void told_test_start(struct told_test *t)
{
	*t = (struct told_test) { .now = T0 };
	tfrc_sender_init(&t->snd, &told_scheme, t);
	tfrc_sender_start(&t->snd, S, R, t->now);
}

/* One round trip at @sent bytes/s, at the end of which a report comes. */
static void told_test_round(struct told_test *t, u64 sent, u64 x_recv, u64 told,
			    u64 timeout, bool data_limited)
{
	const struct tfrc_feedback fb = {
		.x_recv = TFRC_RATE(x_recv),
		.told = TFRC_RATE(told),
		.timeout = timeout,
		.number = 200,
	};
	u64 bytes;

	for (bytes = 0; bytes < sent / 10; bytes += S)
		tfrc_sender_sent(&t->snd, S, t->now);
	t->now += R;
	tfrc_sender_feedback(&t->snd, &fb, R, data_limited, t->now);
}

/* It begins with RFC 3390's window, and then does what it is told. */
static void told_test_follow(struct kunit *test)
{
	struct told_test t;

	told_test_start(&t);
	EXPECT_RATE(test, t.snd.x, 40000);
	KUNIT_EXPECT_EQ(test, t.snd.t_timer, T0 + 2 * SEC);
	told_test_round(&t, 40000, 40000, 60000, 150 * MS, false);
	EXPECT_RATE(test, t.snd.x, 60000);
	KUNIT_EXPECT_EQ(test, t.told.number, 200);
	told_test_round(&t, 60000, 60000, 55000, 150 * MS, false);
	EXPECT_RATE(test, t.snd.x, 55000);
	/* also below the initial rate */
	told_test_round(&t, 60000, 60000, 5000, 150 * MS, false);
	EXPECT_RATE(test, t.snd.x, 5000);
	/* 0 is a packet in 64 s */
	told_test_round(&t, 5000, 5000, 0, 150 * MS, false);
	KUNIT_EXPECT_EQ(test, t.snd.x, TFRC_RATE(S) / 64);
}

/* Whatever it is told: 2 X_recv, and of X_recv 2 X_send is believed. */
static void told_test_limit(struct kunit *test)
{
	struct told_test t;
	int i;

	told_test_start(&t);
	told_test_round(&t, 50000, 50000, U32_MAX, SEC, false);
	EXPECT_RATE(test, t.snd.x, 80000);	/* 2 * 40000 */
	told_test_round(&t, 50000, 50000, U32_MAX, SEC, false);
	EXPECT_RATE(test, t.snd.x, 100000);
	told_test_round(&t, 50000, 30000, U32_MAX, SEC, false);
	/* the greatest X_recv of two round trips */
	EXPECT_RATE(test, t.snd.x, 100000);
	/* then it is forgotten; the initial rate is never too much */
	for (i = 0; i < 3; i++)
		told_test_round(&t, 50000, 15000, U32_MAX, SEC, false);
	EXPECT_RATE(test, t.snd.x, 40000);
	/* a liar */
	for (i = 0; i < 3; i++)
		told_test_round(&t, 50000, U32_MAX, U32_MAX, SEC, false);
	EXPECT_RATE(test, t.snd.x, 200000);
	/* the application sends less: not to be forgotten */
	for (i = 0; i < 5; i++)
		told_test_round(&t, 50000, 10000, U32_MAX, SEC, true);
	EXPECT_RATE(test, t.snd.x, 200000);
	/* but for four times what it sends */
	for (i = 0; i < 5; i++)
		told_test_round(&t, 20000, 10000, U32_MAX, SEC, true);
	EXPECT_RATE(test, t.snd.x, 80000);
}

/* Many reports in a round trip: X doubles once in it. */
static void told_test_doubles(struct kunit *test)
{
	struct tfrc_feedback fb = {
		.x_recv = TFRC_RATE(U32_MAX), .told = TFRC_RATE(U32_MAX),
		.timeout = SEC,
	};
	struct told_test t;
	int i, j, round;

	told_test_start(&t);
	for (round = 1; round <= 6; round++) {
		for (i = 0; i < 10; i++) {
			/* 6 MB/s: what is delivered would allow 24 MB/s */
			for (j = 0; j < 60; j++)
				tfrc_sender_sent(&t.snd, S, t.now);
			t.now += R / 10;
			tfrc_sender_feedback(&t.snd, &fb, R, false, t.now);
		}
		/* at the first report, and after each round trip */
		EXPECT_RATE(test, t.snd.x, 80000ULL << round);
	}
	/* 5.12 MB/s: 0.75 times that after a silence, and from there again */
	tfrc_sender_sent(&t.snd, S, t.now);
	tfrc_sender_timeout(&t.snd, t.snd.t_timer);
	EXPECT_RATE(test, t.snd.x, 3840000);
	told_test_round(&t, 6000000, U32_MAX, U32_MAX, SEC, false);
	EXPECT_RATE(test, t.snd.x, 7680000);
}

/* Twice the timeout, of 1 to 16 R, and two packets. */
static void told_test_timeout(struct kunit *test)
{
	static const struct {
		u64 timeout, want;
	} cases[] = {
		{ 150 * MS, 340 * MS }, { 0, 240 * MS }, { 99 * MS, 240 * MS },
		{ 1600 * MS, 3240 * MS }, { U64_MAX, 3240 * MS },
		{ U32_MAX * TFRC_NSEC_PER_USEC, 3240 * MS },
	};
	struct told_test t;
	int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		told_test_start(&t);
		/* at 50000 bytes/s a packet takes 20 ms */
		told_test_round(&t, 50000, 50000, 50000, cases[i].timeout,
				false);
		KUNIT_EXPECT_LE_MSG(test, t.snd.t_timer - t.now,
				    cases[i].want + 1, "case %d", i);
		KUNIT_EXPECT_GE_MSG(test, t.snd.t_timer - t.now + 1,
				    cases[i].want, "case %d", i);
	}
}

static u64 told_test_begin(void *priv, const struct tfrc_sender *snd, u64 now)
{
	return TFRC_RATE(50000);
}

/* Before the first report: 2 (R + 4 R / 2), and two packets of 20 ms. */
static void told_test_no_report(struct kunit *test)
{
	struct tfrc_scheme scheme = told_scheme;
	struct told_test t = { .now = T0 };

	scheme.start = told_test_begin;
	tfrc_sender_init(&t.snd, &scheme, &t);
	tfrc_sender_start(&t.snd, S, R, t.now);
	KUNIT_EXPECT_LE(test, t.snd.t_timer - t.now, 640 * MS + 1);
	KUNIT_EXPECT_GE(test, t.snd.t_timer - t.now + 1, 640 * MS);
}

/* Silence: times 0.75, each time, and no leap after it. */
static void told_test_silence_cuts(struct kunit *test)
{
	struct told_test t;

	told_test_start(&t);
	told_test_round(&t, 80000, 80000, 80000, 150 * MS, false);
	tfrc_sender_sent(&t.snd, S, t.now);
	t.now = t.snd.t_timer;
	tfrc_sender_timeout(&t.snd, t.now);
	EXPECT_RATE(test, t.snd.x, 60000);
	/* 300 ms and two packets at 60000 bytes/s, 33.3 ms */
	KUNIT_EXPECT_GE(test, t.snd.t_timer - t.now, 333 * MS);
	KUNIT_EXPECT_LE(test, t.snd.t_timer - t.now, 334 * MS);
	tfrc_sender_sent(&t.snd, S, t.now);
	tfrc_sender_timeout(&t.snd, t.snd.t_timer);
	EXPECT_RATE(test, t.snd.x, 45000);
	/* 10000 bytes/s arrive, while 45000 could have */
	told_test_round(&t, 10000, 10000, 80000, 150 * MS, true);
	EXPECT_RATE(test, t.snd.x, 45000);
	told_test_round(&t, 45000, 45000, 80000, 150 * MS, false);
	EXPECT_RATE(test, t.snd.x, 80000);
}

/* While nothing is sent, no further than to the initial rate. */
static void told_test_idle(struct kunit *test)
{
	static const u64 want[] = { 60000, 45000, 40000, 40000 };
	struct told_test t;
	int i;

	told_test_start(&t);
	told_test_round(&t, 80000, 80000, 80000, 150 * MS, false);
	for (i = 0; i < ARRAY_SIZE(want); i++) {
		tfrc_sender_timeout(&t.snd, t.snd.t_timer);
		EXPECT_RATE(test, t.snd.x, want[i]);
	}
	/* a slower one stays what it is */
	told_test_round(&t, 40000, 40000, 9000, 150 * MS, false);
	tfrc_sender_timeout(&t.snd, t.snd.t_timer);
	EXPECT_RATE(test, t.snd.x, 9000);
	/* and it has sent something: that is no idleness */
	tfrc_sender_sent(&t.snd, S, t.now);
	tfrc_sender_timeout(&t.snd, t.snd.t_timer);
	EXPECT_RATE(test, t.snd.x, 6750);
}

/*
 * A source that slows from 400 KB/s to 20, for which the receiver goes on to tell
 * 400: X is four times what was sent in one of the last three round trips.
 */
static void told_test_slows(struct kunit *test)
{
	struct told_test t;

	told_test_start(&t);
	t.snd.x = TFRC_RATE(400000);
	told_test_round(&t, 400000, 400000, 400000, SEC, false);
	EXPECT_RATE(test, t.snd.x, 400000);
	for (int i = 0; i < 2; i++) {
		told_test_round(&t, 20000, 20000, 400000, SEC, true);
		EXPECT_RATE(test, t.snd.x, 400000);
	}
	told_test_round(&t, 20000, 20000, 400000, SEC, true);
	EXPECT_RATE(test, t.snd.x, 80000);
}

static struct kunit_case told_cases[] = {
	KUNIT_CASE(told_test_follow),
	KUNIT_CASE(told_test_limit),
	KUNIT_CASE(told_test_slows),
	KUNIT_CASE(told_test_doubles),
	KUNIT_CASE(told_test_timeout),
	KUNIT_CASE(told_test_no_report),
	KUNIT_CASE(told_test_silence_cuts),
	KUNIT_CASE(told_test_idle),
	{ }
};

struct kunit_suite tfrc_told_suite = {
	.name = "tfrc_told",
	.test_cases = told_cases,
};
