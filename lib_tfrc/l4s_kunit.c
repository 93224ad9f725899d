// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the proportional response to marks. Expected values are worked out by hand in
 * the comments, from the rules at the top of l4s.c.
 *
 * If not said otherwise, R = 100 ms, s = 1000 bytes, X = X_recv = 100,000 bytes/s, and 16
 * packets are sent and acknowledged in a round. So s/round is 10,000 bytes/s. alpha is in
 * parts of 2^20 = 1,048,576.
 */
#include <kunit/test.h>
#include <linux/limits.h>
#include <net/tfrc.h>
#include "kunit.h"

#define MS		TFRC_NSEC_PER_MSEC
#define SEC		TFRC_NSEC_PER_SEC
#define R		(100 * MS)
#define S		1000
#define X		100000
#define T0		(1000 * SEC)
#define PACKETS		16

/* The whole bytes/s of a rate */
#define EXPECT_BYTES(test, got, bytes_per_s)				\
	KUNIT_EXPECT_EQ(test, (got) >> TFRC_RATE_SHIFT, bytes_per_s)

static const struct tfrc_feedback l4s_yes = { .l4s = true };
static const struct tfrc_feedback l4s_no = { };

/* A sender whose receiver has just answered at T0 */
static void l4s_test_init(struct tfrc_sender *snd)
{
	struct tfrc_report rep = { .fb = &l4s_yes, .marked = 3 };

	memset(snd, 0, sizeof(*snd));
	snd->s = S << TFRC_SIZE_SHIFT;
	snd->rtt = R;
	snd->x = TFRC_RATE(X);
	snd->x_recv = TFRC_RATE(X);
	snd->packets = 1000;
	tfrc_l4s_set(snd, true);
	tfrc_l4s_report(snd, &rep, T0);
	tfrc_l4s_feedback(snd, &rep, T0);
}

/* A report on the next 16 packets. Return: what X_inst may be */
static u64 l4s_test_round(struct tfrc_sender *snd, u32 marked, u32 lost, u64 now)
{
	struct tfrc_report rep = {
		.fb = &l4s_yes, .marked = marked, .lost = lost,
	};

	snd->packets += PACKETS;
	tfrc_l4s_report(snd, &rep, now);
	tfrc_l4s_feedback(snd, &rep, now);
	return tfrc_l4s_limit(snd, snd->x);
}

static void l4s_test_off(struct kunit *test)
{
	struct tfrc_report rep = { .fb = &l4s_no, .marked = 5 };
	struct tfrc_sender snd;
	u32 i;

	l4s_test_init(&snd);
	memset(&snd.l4s, 0, sizeof(snd.l4s));
	tfrc_l4s_report(&snd, &rep, T0 + R);
	KUNIT_EXPECT_EQ(test, rep.marked, 5);
	/* nobody has asked the receiver */
	rep.fb = &l4s_yes;
	tfrc_l4s_report(&snd, &rep, T0 + R);
	KUNIT_EXPECT_EQ(test, rep.marked, 5);
	/*
	 * Reports under way are on packets of before, whose marks are in no loss event. The first
	 * one that says no has some of them, too.
	 */
	l4s_test_init(&snd);
	KUNIT_EXPECT_TRUE(test, snd.l4s.agreed);
	tfrc_l4s_set(&snd, false);
	for (i = 0; i < 4; i++) {
		rep = (struct tfrc_report) {
			.fb = i < 2 ? &l4s_yes : &l4s_no, .marked = 5,
		};
		tfrc_l4s_report(&snd, &rep, T0 + 2 * R);
		KUNIT_EXPECT_EQ(test, rep.marked, i < 3 ? 0 : 5);
	}
	EXPECT_RATE(test, l4s_test_round(&snd, 16, 0, T0 + R), X);
	KUNIT_EXPECT_FALSE(test, snd.l4s.agreed);
	EXPECT_RATE(test, tfrc_l4s_limit(&snd, TFRC_RATE(7)), 7);
}

/* The receiver answers, does not, and does again. */
static void l4s_test_agree(struct kunit *test)
{
	struct tfrc_report rep = { .fb = &l4s_no, .marked = 5 };
	struct tfrc_sender snd;

	memset(&snd, 0, sizeof(snd));
	tfrc_l4s_set(&snd, true);
	tfrc_l4s_report(&snd, &rep, T0);
	KUNIT_EXPECT_EQ(test, rep.marked, 5);
	KUNIT_EXPECT_FALSE(test, snd.l4s.agreed);

	/* These marks are still of packets with ECT(0). */
	rep.fb = &l4s_yes;
	tfrc_l4s_report(&snd, &rep, T0);
	KUNIT_EXPECT_EQ(test, rep.marked, 5);
	KUNIT_EXPECT_TRUE(test, snd.l4s.agreed);
	tfrc_l4s_report(&snd, &rep, T0);
	KUNIT_EXPECT_EQ(test, rep.marked, 0);
	KUNIT_EXPECT_EQ(test, snd.l4s.marked, 5);

	l4s_test_init(&snd);
	EXPECT_RATE(test, l4s_test_round(&snd, 16, 0, T0 + R), 50000);
	rep = (struct tfrc_report){ .fb = &l4s_no, .marked = 5 };
	tfrc_l4s_report(&snd, &rep, T0 + 2 * R);
	tfrc_l4s_feedback(&snd, &rep, T0 + 2 * R);
	KUNIT_EXPECT_EQ(test, rep.marked, 5);
	KUNIT_EXPECT_TRUE(test, snd.l4s.on);
	KUNIT_EXPECT_FALSE(test, snd.l4s.agreed);
	EXPECT_RATE(test, tfrc_l4s_limit(&snd, snd.x), X);
}

static void l4s_test_alpha(struct kunit *test)
{
	struct tfrc_sender snd;
	u64 t = T0;

	l4s_test_init(&snd);
	KUNIT_EXPECT_EQ(test, snd.l4s.alpha, 1048576);
	/* 15/16, and nothing is limited before the first mark */
	EXPECT_RATE(test, l4s_test_round(&snd, 0, 0, t += R), X);
	KUNIT_EXPECT_EQ(test, snd.l4s.alpha, 983040);
	/* 15/16 * 15/16 + 1/4 / 16 = 229/256; X (1 - 229/512) */
	EXPECT_BYTES(test, l4s_test_round(&snd, 4, 0, t += R), 55273);
	KUNIT_EXPECT_EQ(test, snd.l4s.alpha, 937984);
	/* 229/256 * 15/16 = 3435/4096, and s/round more */
	EXPECT_BYTES(test, l4s_test_round(&snd, 0, 0, t += R), 65273);
	KUNIT_EXPECT_EQ(test, snd.l4s.alpha, 879360);
	/* Three rounds: 3435/4096 * 13/16 + 3/16 = 56943/65536, from X_l4s */
	EXPECT_BYTES(test, l4s_test_round(&snd, 16, 0, t += 3 * R), 36916);
	KUNIT_EXPECT_EQ(test, snd.l4s.alpha, 911088);
	/* Nine rounds count as four: 56943/65536 * 3/4, 4 s/round */
	EXPECT_BYTES(test, l4s_test_round(&snd, 0, 0, t += 9 * R), 76916);
	KUNIT_EXPECT_EQ(test, snd.l4s.alpha, 683316);
	/* no more than X */
	EXPECT_RATE(test, l4s_test_round(&snd, 0, 0, t += 9 * R), X);
	KUNIT_EXPECT_EQ(test, snd.l4s.x, TFRC_RATE(X));
}

/* The link's rate falls to a quarter: X_recv leads there in one step. */
static void l4s_test_fall(struct kunit *test)
{
	struct tfrc_sender snd;

	l4s_test_init(&snd);
	snd.l4s.alpha = 0;
	snd.x_recv = TFRC_RATE(X / 4);
	/* alpha = 1/16: 25,000 * 31/32 */
	EXPECT_BYTES(test, l4s_test_round(&snd, 16, 0, T0 + R), 24218);
	/* 31/256: 24218.75 * 481/512 */
	EXPECT_BYTES(test, l4s_test_round(&snd, 16, 0, T0 + 2 * R), 22752);
	/* a greater X_recv does not raise it */
	snd.x_recv = TFRC_RATE(X);
	/* 31/256 * 15/16 + 1/16 / 16 = 481/4096 */
	EXPECT_BYTES(test, l4s_test_round(&snd, 1, 0, T0 + 3 * R), 21416);
}

/* alpha changes once in a round; a mark has effect at once, with alpha once in a round */
static void l4s_test_once(struct kunit *test)
{
	struct tfrc_sender snd;
	u64 t = T0;

	l4s_test_init(&snd);
	snd.l4s.alpha = TFRC_L4S_ONE / 4;
	EXPECT_RATE(test, l4s_test_round(&snd, 0, 0, t += R / 4), X);
	/* 7/8 */
	EXPECT_RATE(test, l4s_test_round(&snd, 12, 0, t += R / 4), 87500);
	EXPECT_RATE(test, l4s_test_round(&snd, 4, 0, t += R / 4), 87500);
	KUNIT_EXPECT_EQ(test, snd.l4s.alpha, 262144);
	/* 16 of 64: alpha is 1/4 anyway. X_recv is less than X_l4s. */
	snd.x_recv = TFRC_RATE(80000);
	EXPECT_RATE(test, l4s_test_round(&snd, 0, 0, t += R / 4), 87500);
	KUNIT_EXPECT_EQ(test, snd.l4s.alpha, 262144);
	/* 38 ms later 7/8 of a round have passed since the cut, 37 are too little. */
	EXPECT_RATE(test, l4s_test_round(&snd, 1, 0, t += 37 * MS), 80000);
	EXPECT_RATE(test, l4s_test_round(&snd, 1, 0, t += MS), 70000);
	l4s_test_init(&snd);
	snd.l4s.alpha = 16384;
	t = T0;
	/* 7/8 of a round is enough. */
	l4s_test_round(&snd, 0, 0, t += 87 * MS);
	KUNIT_EXPECT_EQ(test, snd.l4s.alpha, 16384);
	l4s_test_round(&snd, 0, 0, t += MS);
	KUNIT_EXPECT_EQ(test, snd.l4s.alpha, 15360);
}

/* A longer sample makes the next cut later; no round is less than 25 ms. */
static void l4s_test_rounds(struct kunit *test)
{
	struct tfrc_report rep = {
		.fb = &l4s_yes, .sample = 4 * R, .marked = 16,
	};
	struct tfrc_sender snd;
	u64 t;

	/* The next cut is after 7/8 of 400 ms. */
	l4s_test_init(&snd);
	EXPECT_RATE(test, l4s_test_round(&snd, 16, 0, T0 + R), 50000);
	for (t = T0 + 2 * R; t <= T0 + 5 * R; t += R) {
		snd.packets += PACKETS;
		rep.marked = 16;
		tfrc_l4s_report(&snd, &rep, t);
		tfrc_l4s_feedback(&snd, &rep, t);
		EXPECT_RATE(test, snd.l4s.x, t < T0 + 5 * R ? 50000 : 25000);
	}

	/* s / 25 ms = 40,000, after 22 ms, not after 21 */
	l4s_test_init(&snd);
	snd.rtt = MS;
	l4s_test_round(&snd, 16, 0, T0 + 25 * MS);
	EXPECT_RATE(test, snd.l4s.x, 50000);
	l4s_test_round(&snd, 0, 0, T0 + 46 * MS);
	EXPECT_RATE(test, snd.l4s.x, 50000);
	l4s_test_round(&snd, 0, 0, T0 + 47 * MS);
	EXPECT_RATE(test, snd.l4s.x, 90000);
}

/* Losses are the scheme's: they neither reduce nor raise, and do not dilute. */
static void l4s_test_losses(struct kunit *test)
{
	struct tfrc_sender snd;

	l4s_test_init(&snd);
	EXPECT_RATE(test, l4s_test_round(&snd, 0, 2, T0 + R), X);
	snd.l4s.alpha = 0;
	/* 4 of 8 that were received: alpha = 1/32 */
	EXPECT_BYTES(test, l4s_test_round(&snd, 4, 8, T0 + 2 * R), 98437);
	KUNIT_EXPECT_EQ(test, snd.l4s.alpha, 32768);
	EXPECT_BYTES(test, l4s_test_round(&snd, 0, 1, T0 + 3 * R), 98437);
	/* X has fallen below. */
	snd.x = TFRC_RATE(1000);
	EXPECT_RATE(test, tfrc_l4s_limit(&snd, snd.x), 1000);
	EXPECT_RATE(test, l4s_test_round(&snd, 0, 0, T0 + 4 * R), 1000);
	EXPECT_BYTES(test, snd.l4s.x, 98437);
	/* 1/32 (15/16)^3 + 1/16 = 92536 / 2^20: 1000 (1 - 92536 / 2^21) */
	EXPECT_BYTES(test, l4s_test_round(&snd, 16, 0, T0 + 5 * R), 955);
}

/* A source that sends less: what it sent counts, not what an interval received. */
static void l4s_test_limited(struct kunit *test)
{
	struct tfrc_report rep = {
		.fb = &l4s_yes, .marked = 8, .data_limited = true,
	};
	struct tfrc_sender snd;

	l4s_test_init(&snd);
	snd.x_recv = TFRC_RATE(1000);
	snd.x_sent[0] = TFRC_RATE(20000);
	snd.x_sent[1] = TFRC_RATE(40000);
	snd.packets += PACKETS;
	tfrc_l4s_report(&snd, &rep, T0 + R);
	tfrc_l4s_feedback(&snd, &rep, T0 + R);
	/* alpha = 31/32: 40,000 (1 - 31/64) */
	EXPECT_RATE(test, snd.l4s.x, 20625);

	/* Acks have shown the mark, and no data came since the last report. */
	l4s_test_init(&snd);
	snd.x_recv = 0;
	snd.x_sent[0] = TFRC_RATE(40000);
	rep.data_limited = false;
	rep.marked = 8;
	snd.packets += PACKETS;
	tfrc_l4s_report(&snd, &rep, T0 + R);
	tfrc_l4s_feedback(&snd, &rep, T0 + R);
	EXPECT_RATE(test, snd.l4s.x, 20625);
}

static void l4s_test_timeout(struct kunit *test)
{
	struct tfrc_sender snd;

	l4s_test_init(&snd);
	tfrc_l4s_timeout(&snd, false);
	KUNIT_EXPECT_EQ(test, snd.l4s.x, 0);
	l4s_test_round(&snd, 16, 0, T0 + R);
	tfrc_l4s_timeout(&snd, true);
	EXPECT_RATE(test, snd.l4s.x, 50000);
	tfrc_l4s_timeout(&snd, false);
	EXPECT_RATE(test, snd.l4s.x, 25000);
	snd.l4s.x = 1;
	tfrc_l4s_timeout(&snd, false);
	KUNIT_EXPECT_EQ(test, snd.l4s.x, 1);
}

/* What a receiver may claim */
static void l4s_test_extreme(struct kunit *test)
{
	struct tfrc_report rep = { .fb = &l4s_yes };
	struct tfrc_sender snd;
	u64 t = T0;
	u32 i;

	l4s_test_init(&snd);
	/* more marks and more losses than packets: all are marked */
	l4s_test_round(&snd, U16_MAX, U16_MAX, t += R);
	KUNIT_EXPECT_EQ(test, snd.l4s.alpha, 1048576);
	EXPECT_RATE(test, snd.l4s.x, 50000);
	/* no packet is acknowledged, or fewer than before: a mark, but no round */
	rep.marked = 1;
	tfrc_l4s_report(&snd, &rep, t += R);
	tfrc_l4s_feedback(&snd, &rep, t);
	rep.flight = U64_MAX;
	tfrc_l4s_feedback(&snd, &rep, t += R);
	EXPECT_RATE(test, snd.l4s.x, 25000);
	KUNIT_EXPECT_EQ(test, snd.l4s.marked, 1);
	/* It never becomes 0, which would be no limit. */
	for (i = 0; i < 100; i++)
		l4s_test_round(&snd, 16, 0, t += R);
	KUNIT_EXPECT_EQ(test, snd.l4s.x, 1);
	snd.x_recv = 0;
	l4s_test_round(&snd, 16, 0, t += R);
	KUNIT_EXPECT_EQ(test, snd.l4s.x, 1);
	/* the greatest rates and times */
	snd.x = TFRC_RATE_MAX;
	snd.l4s.x = TFRC_RATE_MAX;
	snd.x_recv = U64_MAX;
	snd.s = 65535 << TFRC_SIZE_SHIFT;
	l4s_test_round(&snd, 16, 0, t += 1ULL << 60);
	KUNIT_EXPECT_EQ(test, snd.l4s.x, TFRC_RATE_MAX / 2);
	snd.rtt = 1;
	l4s_test_round(&snd, 0, 0, t += 1ULL << 60);
	/* 4 * 65535 bytes in 25 ms */
	KUNIT_EXPECT_EQ(test, snd.l4s.x,
			TFRC_RATE_MAX / 2 + TFRC_RATE(4 * 65535 * 40));
}

static void l4s_test_set(struct kunit *test)
{
	struct tfrc_sender snd;

	l4s_test_init(&snd);
	EXPECT_RATE(test, l4s_test_round(&snd, 16, 0, T0 + R), 50000);
	tfrc_l4s_set(&snd, true);
	EXPECT_RATE(test, tfrc_l4s_limit(&snd, snd.x), 50000);
	tfrc_l4s_set(&snd, false);
	EXPECT_RATE(test, tfrc_l4s_limit(&snd, snd.x), X);
	tfrc_l4s_set(&snd, true);
	KUNIT_EXPECT_FALSE(test, snd.l4s.agreed);
}

static u64 l4s_test_after(const struct tfrc_sender *snd)
{
	return SEC;
}

static void l4s_test_start(struct tfrc_sender *snd, u64 now)
{
	tfrc_sender_move(snd, TFRC_RATE(X));
}

/* What the scheme is told of the report: marks, event */
static u32 l4s_test_told;
static bool l4s_test_event;

static void l4s_test_scheme(struct tfrc_sender *snd,
			    const struct tfrc_report *rep, u64 now)
{
	l4s_test_told = rep->marked;
	l4s_test_event = rep->event;
	tfrc_sender_move(snd, TFRC_RATE(X));
}

static void l4s_test_expired(struct tfrc_sender *snd, bool idle, u64 now)
{
	tfrc_sender_move(snd, TFRC_RATE(X));
}

/* With the whole sender: X_inst is limited, X is not, and totals have all marks. */
static void l4s_test_sender(struct kunit *test)
{
	static const struct tfrc_sender_ops ops = {
		.start = l4s_test_start, .feedback = l4s_test_scheme,
		.timeout = l4s_test_expired, .limited = tfrc_sender_limited,
		.timeout_after = l4s_test_after,
	};
	struct tfrc_feedback fb = { .x_recv = TFRC_RATE(X), .marked = 2 };
	struct tfrc_sender snd;
	u32 i;

	tfrc_sender_init(&snd, &ops);
	tfrc_l4s_set(&snd, true);
	tfrc_sender_start(&snd, S, R, T0);
	for (i = 0; i < PACKETS; i++)
		tfrc_sender_sent(&snd, S, T0);
	/* The receiver does not take part yet. */
	give_feedback(&snd, &fb, R, false, T0 + R);
	KUNIT_EXPECT_EQ(test, l4s_test_told, 2);
	KUNIT_EXPECT_TRUE(test, l4s_test_event);
	fb.l4s = true;
	fb.marked = 3;
	give_feedback(&snd, &fb, R, false, T0 + 3 * R);
	KUNIT_EXPECT_EQ(test, l4s_test_told, 1);
	for (i = 0; i < PACKETS; i++)
		tfrc_sender_sent(&snd, S, T0 + 3 * R);
	fb.marked = 19;
	give_feedback(&snd, &fb, R, false, T0 + 5 * R);
	KUNIT_EXPECT_EQ(test, l4s_test_told, 0);
	KUNIT_EXPECT_FALSE(test, l4s_test_event);
	KUNIT_EXPECT_EQ(test, snd.marked, 19);
	EXPECT_RATE(test, snd.x, X);
	EXPECT_RATE(test, snd.x_inst, X / 2);
	/* The nofeedback timer */
	tfrc_sender_sent(&snd, S, T0 + 5 * R);
	tfrc_sender_timeout(&snd, T0 + 50 * R);
	EXPECT_RATE(test, snd.x_inst, X / 4);
}

static struct kunit_case tfrc_l4s_cases[] = {
	KUNIT_CASE(l4s_test_off),
	KUNIT_CASE(l4s_test_agree),
	KUNIT_CASE(l4s_test_alpha),
	KUNIT_CASE(l4s_test_fall),
	KUNIT_CASE(l4s_test_once),
	KUNIT_CASE(l4s_test_rounds),
	KUNIT_CASE(l4s_test_losses),
	KUNIT_CASE(l4s_test_limited),
	KUNIT_CASE(l4s_test_timeout),
	KUNIT_CASE(l4s_test_extreme),
	KUNIT_CASE(l4s_test_set),
	KUNIT_CASE(l4s_test_sender),
	{ }
};

struct kunit_suite tfrc_l4s_suite = {
	.name = "tfrc_l4s",
	.test_cases = tfrc_l4s_cases,
};
