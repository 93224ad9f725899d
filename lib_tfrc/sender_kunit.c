// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the sender: RFC 5348, section 4, and self-clocking. Expected values
 * are worked out by hand in the comments.
 */
#include <kunit/test.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <net/tfrc.h>
#include "kunit.h"

#define MS		TFRC_NSEC_PER_MSEC
#define R		(100 * MS)
#define S		1000
#define T0		(1000 * TFRC_NSEC_PER_SEC)

/* An equation that is easy to follow: X = 100 KB/s * (1 % / p). */
static u64 sender_test_calc_x(void *priv, u32 s, u64 rtt, u64 p)
{
	return tfrc_mul_div(TFRC_RATE(100000), TFRC_P_ONE / 100, p);
}

static const struct tfrc_scheme plain = {
	.calc_x = sender_test_calc_x,
};

/* A sender that knows R and is @x fast, as measured and as allowed. */
static u64 sender_test_start(struct tfrc_sender *snd, u64 x, bool paper)
{
	u64 now = T0, bytes, r;

	tfrc_sender_init(snd, &plain, NULL);
	tfrc_sender_start(snd, S, R, now);
	snd->paper_clock = paper;
	for (r = 0; r < 2; r++, now += R)
		for (bytes = 0; bytes < x / 10; bytes += S)
			tfrc_sender_sent(snd, S, now);
	tfrc_sender_feedback(snd, &(struct tfrc_feedback){ }, R, false, now);
	snd->x = TFRC_RATE(x);
	snd->x_inst = snd->x;
	return now;
}

/* One round trip at @sent bytes/s, at the end of which @fb arrives. */
static u64 sender_test_round(struct tfrc_sender *snd, u64 now, u64 sent,
			     const struct tfrc_feedback *fb, bool limited)
{
	u64 bytes;

	for (bytes = 0; bytes < sent / 10; bytes += S)
		tfrc_sender_sent(snd, S, now);
	tfrc_sender_feedback(snd, fb, R, limited, now + R);
	return now + R;
}

/* W_init / R: 4 packets up to 1095 bytes, 4380 bytes, 2 packets from 2190. */
static void sender_test_initial(struct kunit *test)
{
	static const struct {
		u32 s, rate;
	} cases[] = {
		{ 100, 4000 }, { 1000, 40000 }, { 1095, 43800 },
		{ 1460, 43800 }, { 2190, 43800 }, { 3000, 60000 },
	};
	struct tfrc_sender snd;
	int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		tfrc_sender_init(&snd, &plain, NULL);
		tfrc_sender_start(&snd, cases[i].s, R, T0);
		EXPECT_RATE(test, snd.x, cases[i].rate);
		/* without an RTT, one packet a second */
		tfrc_sender_start(&snd, cases[i].s, 0, T0);
		EXPECT_RATE(test, snd.x, cases[i].s);
		KUNIT_EXPECT_EQ(test, snd.t_timer,
				T0 + 2 * TFRC_NSEC_PER_SEC);
	}
}

static void sender_test_slow_start(struct kunit *test)
{
	struct tfrc_sender snd;
	struct tfrc_feedback fb = { };
	u64 now = sender_test_start(&snd, 40000, false);

	/* doubles in a round trip */
	fb.x_recv = TFRC_RATE(40000);
	now = sender_test_round(&snd, now, 40000, &fb, false);
	EXPECT_RATE(test, snd.x, 80000);
	/* but not twice in it */
	fb.x_recv = TFRC_RATE(80000);
	sender_test_round(&snd, now - R / 2, 80000, &fb, false);
	EXPECT_RATE(test, snd.x, 80000);
	now = sender_test_round(&snd, now, 80000, &fb, false);
	EXPECT_RATE(test, snd.x, 160000);
	/* nor beyond twice what arrives */
	fb.x_recv = TFRC_RATE(85000);
	now = sender_test_round(&snd, now, 160000, &fb, false);
	now = sender_test_round(&snd, now, 160000, &fb, false);
	now = sender_test_round(&snd, now, 160000, &fb, false);
	EXPECT_RATE(test, snd.x, 170000);
}

/* The equation rules, as long as X_recv follows. */
static void sender_test_equation(struct kunit *test)
{
	struct tfrc_sender snd;
	struct tfrc_feedback fb = { .p = TFRC_P_ONE / 50 };
	u64 now = sender_test_start(&snd, 60000, false);

	fb.x_recv = TFRC_RATE(60000);
	now = sender_test_round(&snd, now, 60000, &fb, false);
	EXPECT_RATE(test, snd.x_calc, 50000);
	EXPECT_RATE(test, snd.x, 50000);
	/* X_recv_set holds the greatest of two round trips, then forgets it */
	fb.x_recv = TFRC_RATE(10000);
	now = sender_test_round(&snd, now, 50000, &fb, false);
	EXPECT_RATE(test, snd.x, 50000);
	/* also if no more reports came than the set has room for */
	now = sender_test_round(&snd, now + R, 50000, &fb, false);
	EXPECT_RATE(test, snd.x, 20000);
	/* never below a packet in 64 s */
	fb.x_recv = 0;
	fb.p = TFRC_P_ONE;
	for (int i = 0; i < 4; i++)
		now = sender_test_round(&snd, now, 20000, &fb, false);
	KUNIT_EXPECT_EQ(test, snd.x, TFRC_RATE(S) / 64);
}

/* RFC 5348, 4.3: nothing to send is no reason to forget what the path took. */
static void sender_test_data_limited(struct kunit *test)
{
	struct tfrc_sender snd;
	struct tfrc_feedback fb = { .p = TFRC_P_ONE / 100 };
	u64 now = sender_test_start(&snd, 60000, false);

	fb.x_recv = TFRC_RATE(60000);
	now = sender_test_round(&snd, now, 60000, &fb, false);
	EXPECT_RATE(test, snd.x, 100000);
	fb.x_recv = TFRC_RATE(5000);
	for (int i = 0; i < 5; i++)
		now = sender_test_round(&snd, now, 30000, &fb, true);
	EXPECT_RATE(test, snd.x, 100000);
	/* with a loss: half of 60000, once, against 0.85 * 5000 */
	fb.lost++;
	now = sender_test_round(&snd, now, 30000, &fb, true);
	EXPECT_RATE(test, snd.x, 30000);
	/* what is lost within a round trip of it belongs to the same event */
	fb.lost++;
	tfrc_sender_feedback(&snd, &fb, R, true, now + R / 2);
	EXPECT_RATE(test, snd.x, 60000);
	fb.lost++;
	tfrc_sender_feedback(&snd, &fb, R, true, now + R - 1);
	EXPECT_RATE(test, snd.x, 60000);
	/* a mark counts as much */
	fb.marked++;
	now = sender_test_round(&snd, now, 30000, &fb, true);
	EXPECT_RATE(test, snd.x, 15000);
	/* and without one, up to twice again */
	now = sender_test_round(&snd, now, 30000, &fb, true);
	EXPECT_RATE(test, snd.x, 30000);
}

static u64 sender_test_stay(void *priv, const struct tfrc_decision *d)
{
	return d->x;
}

/*
 * A source that slows from 400 KB/s to 20: X is at most four times what was sent
 * in one of three round trips, 80 KB/s, and not below the initial rate. A
 * scheme would stay where it is; RFC 5348 remembers 2 * 400 KB/s, for a
 * data-limited sender; a told sender would go to what it is told.
 */
static void sender_test_slows(struct kunit *test)
{
	static const struct tfrc_scheme stay = {
		.calc_x = sender_test_calc_x,
		.move_to = sender_test_stay,
	};
	static const struct {
		const struct tfrc_scheme *scheme;
		bool paper;
	} cases[] = { { &stay, true }, { &stay, false }, { &plain, false } };
	/* p is small: the equation allows 100 MB/s */
	struct tfrc_feedback fb = { .p = TFRC_P_ONE / 100000 };
	struct tfrc_sender snd;
	u64 now;

	for (int i = 0; i < ARRAY_SIZE(cases); i++) {
		now = sender_test_start(&snd, 400000, cases[i].paper);
		snd.scheme = cases[i].scheme;
		fb.x_recv = TFRC_RATE(400000);
		now = sender_test_round(&snd, now, 400000, &fb, false);
		fb.x_recv = TFRC_RATE(20000);
		for (int r = 0; r < 2; r++) {
			now = sender_test_round(&snd, now, 20000, &fb, true);
			KUNIT_EXPECT_GE(test, snd.x, TFRC_RATE(400000));
		}
		for (int r = 0; r < 5; r++) {
			now = sender_test_round(&snd, now, 20000, &fb, true);
			KUNIT_EXPECT_EQ_MSG(test, snd.x, TFRC_RATE(80000),
					    "case %d", i);
		}
		/* one packet of 100 bytes in three round trips: s falls, too */
		for (int r = 0; r < 2000; r++, now += 3 * R) {
			tfrc_sender_sent(&snd, 100, now);
			tfrc_sender_feedback(&snd, &fb, R, true, now + R);
		}
		KUNIT_EXPECT_LE(test, snd.x, TFRC_RATE(4000));
		KUNIT_EXPECT_GE(test, snd.x, TFRC_RATE(3999));
	}
}

/* Self-clocking: X_recv in the round trip after a loss, 1.5 X_recv later. */
static void sender_test_paper_clock(struct kunit *test)
{
	struct tfrc_sender snd;
	struct tfrc_feedback fb = { .p = TFRC_P_ONE / 100 };
	u64 now = sender_test_start(&snd, 60000, true);

	fb.x_recv = TFRC_RATE(60000);
	fb.lost = 1;
	now = sender_test_round(&snd, now, 60000, &fb, false);
	EXPECT_RATE(test, snd.x, 60000);
	/* still within the round trip */
	fb.x_recv = TFRC_RATE(50000);
	sender_test_round(&snd, now - R / 2, 60000, &fb, false);
	EXPECT_RATE(test, snd.x, 50000);
	now = sender_test_round(&snd, now, 60000, &fb, false);
	EXPECT_RATE(test, snd.x, 75000);
	/* X_recv plain: the set of RFC 5348 would remember 50000 */
	fb.x_recv = TFRC_RATE(30000);
	now = sender_test_round(&snd, now, 60000, &fb, false);
	EXPECT_RATE(test, snd.x, 45000);
	/* an idle sender may start again at the initial rate */
	fb.x_recv = TFRC_RATE(1000);
	now = sender_test_round(&snd, now, 1000, &fb, true);
	EXPECT_RATE(test, snd.x, 40000);
	/* but not after a loss */
	fb.lost++;
	now = sender_test_round(&snd, now, 1000, &fb, true);
	EXPECT_RATE(test, snd.x, 1000);
}

/* RFC 5348, 4.4, branch by branch. */
static void sender_test_timeout(struct kunit *test)
{
	struct tfrc_sender snd;
	struct tfrc_feedback fb = { .p = TFRC_P_ONE / 100 };
	u64 now = sender_test_start(&snd, 100000, false);

	/* p = 0: halve X */
	tfrc_sender_sent(&snd, S, now);
	tfrc_sender_timeout(&snd, now);
	EXPECT_RATE(test, snd.x, 50000);
	/* idle: down to the initial rate, but no further */
	tfrc_sender_timeout(&snd, now);
	EXPECT_RATE(test, snd.x, 40000);
	tfrc_sender_timeout(&snd, now);
	EXPECT_RATE(test, snd.x, 40000);
	/* which is nothing to go up to */
	snd.x = TFRC_RATE(20000);
	tfrc_sender_timeout(&snd, now);
	EXPECT_RATE(test, snd.x, 20000);

	/* X_calc = 100000 was the limit, X_recv = 60000 */
	now = sender_test_start(&snd, 100000, false);
	fb.x_recv = TFRC_RATE(60000);
	now = sender_test_round(&snd, now, 100000, &fb, false);
	EXPECT_RATE(test, snd.x, 100000);
	tfrc_sender_sent(&snd, S, now);
	tfrc_sender_timeout(&snd, now);
	EXPECT_RATE(test, snd.x, 50000);
	/* whatever the limit was, half of it */
	tfrc_sender_sent(&snd, S, now);
	tfrc_sender_timeout(&snd, now);
	EXPECT_RATE(test, snd.x, 25000);
	/* idle, below the initial rate */
	tfrc_sender_timeout(&snd, now);
	EXPECT_RATE(test, snd.x, 25000);
	/* down to a packet in 64 s, and no further */
	for (int i = 0; i < 20; i++) {
		tfrc_sender_sent(&snd, S, now);
		tfrc_sender_timeout(&snd, now);
	}
	KUNIT_EXPECT_EQ(test, snd.x, TFRC_RATE(S) / 64);
	/* next time after 2 s/X = 128 s */
	KUNIT_EXPECT_EQ(test, snd.t_timer - now, 128 * TFRC_NSEC_PER_SEC);
	KUNIT_EXPECT_EQ(test, snd.nofeedbacks, 23);
}

/* 4 R, or two packets, or two ticks, whatever is longest. */
static void sender_test_timer(struct kunit *test)
{
	struct tfrc_sender snd;
	struct tfrc_feedback fb = { };
	u64 now = sender_test_start(&snd, 40000, false);

	KUNIT_EXPECT_EQ(test, snd.t_timer, now + 4 * R);
	/* no sample, no change */
	tfrc_sender_feedback(&snd, &fb, 0, false, now);
	KUNIT_EXPECT_EQ(test, snd.rtt, R);
	for (int i = 0; i < 200; i++)
		tfrc_sender_feedback(&snd, &fb, 1, false, now);
	KUNIT_EXPECT_LT(test, snd.rtt, 2 * TFRC_RTT_MIN);
	KUNIT_EXPECT_EQ(test, snd.t_timer, now + 50 * MS);
}

/* The timer rests when nothing is sent and the rate does not fall any more. */
static void sender_test_rests(struct kunit *test)
{
	struct tfrc_sender snd;
	u64 now = sender_test_start(&snd, 40000, false);
	int i;

	/* what was sent before counts for the first one: it halves the rate */
	KUNIT_EXPECT_FALSE(test, snd.resting);
	for (i = 0; i < 100 && !snd.resting; i++) {
		now = snd.t_timer;
		tfrc_sender_timeout(&snd, now);
	}
	KUNIT_EXPECT_LT(test, i, 10);
	KUNIT_EXPECT_TRUE(test, snd.resting);

	/* the next packet sets it, as if there had been no pause */
	now += 1000 * TFRC_NSEC_PER_SEC;
	tfrc_sender_sent(&snd, S, now);
	KUNIT_EXPECT_FALSE(test, snd.resting);
	KUNIT_EXPECT_EQ(test, snd.t_timer, now + 4 * R);
	tfrc_sender_sent(&snd, S, now + R);
	KUNIT_EXPECT_EQ(test, snd.t_timer, now + 4 * R);
	tfrc_sender_timeout(&snd, snd.t_timer);
	KUNIT_EXPECT_FALSE(test, snd.resting);
}

/* A receiver that reports the impossible. */
static void sender_test_liar(struct kunit *test)
{
	struct tfrc_sender snd;
	struct tfrc_feedback fb = {
		.p = U64_MAX, .x_recv = U64_MAX, .lost = U32_MAX,
		.marked = U32_MAX,
	};
	u64 now = sender_test_start(&snd, 40000, false);

	now = sender_test_round(&snd, now, 40000, &fb, false);
	KUNIT_EXPECT_EQ(test, snd.p, TFRC_P_ONE);
	/* of the totals 16 bits count */
	KUNIT_EXPECT_EQ(test, snd.lost, U16_MAX);
	KUNIT_EXPECT_EQ(test, snd.marked, U16_MAX);
	fb.lost++;
	now = sender_test_round(&snd, now, 40000, &fb, false);
	KUNIT_EXPECT_EQ(test, snd.lost, U16_MAX + 1);

	/* no loss and a receive rate beyond what was sent: 2 * 2 * 40000 */
	fb.p = 0;
	for (int i = 0; i < 10; i++)
		now = sender_test_round(&snd, now, 40000, &fb, false);
	EXPECT_RATE(test, snd.x, 160000);
	/* RTTs out of range are clamped */
	for (int i = 0; i < 300; i++)
		tfrc_sender_feedback(&snd, &fb, U64_MAX, false, now);
	KUNIT_EXPECT_LE(test, snd.rtt, TFRC_RTT_MAX);
}

static u64 sender_test_moves;

static u64 sender_test_move_to(void *priv, const struct tfrc_decision *d)
{
	struct kunit *test = priv;

	sender_test_moves++;
	KUNIT_EXPECT_EQ(test, d->interval, R);
	return d->x;
}

/* A scheme has the last word after feedback, but not at a timeout. */
static void sender_test_scheme(struct kunit *test)
{
	static const struct tfrc_scheme keep = {
		.calc_x = sender_test_calc_x,
		.move_to = sender_test_move_to,
	};
	struct tfrc_sender snd;
	struct tfrc_feedback fb = { .p = TFRC_P_ONE };
	u64 now = sender_test_start(&snd, 80000, true);

	snd.scheme = &keep;
	snd.priv = test;
	sender_test_moves = 0;
	now = sender_test_round(&snd, now, 80000, &fb, false);
	KUNIT_EXPECT_EQ(test, sender_test_moves, 1);
	EXPECT_RATE(test, snd.x, 80000);
	/* X_calc is 1000: what the scheme made of it is of no account */
	tfrc_sender_sent(&snd, S, now);
	tfrc_sender_timeout(&snd, now);
	KUNIT_EXPECT_EQ(test, sender_test_moves, 1);
	EXPECT_RATE(test, snd.x, 500);
}

/* 1000 bytes at 40000 bytes/s take 25 ms. */
static void sender_test_ipi(struct kunit *test)
{
	struct tfrc_sender snd;

	sender_test_start(&snd, 40000, false);
	KUNIT_EXPECT_EQ(test, tfrc_sender_ipi(&snd, 1000), 25 * MS);
	KUNIT_EXPECT_EQ(test, tfrc_sender_ipi(&snd, 40), MS);
	snd.x_inst = 1;
	KUNIT_EXPECT_EQ(test, tfrc_sender_ipi(&snd, U32_MAX),
			(65535ULL << 16) * TFRC_NSEC_PER_SEC);
	snd.x_inst = TFRC_RATE_MAX;
	KUNIT_EXPECT_EQ(test, tfrc_sender_ipi(&snd, 1000), 40);
}

/* A scheme with rules of its own: it is asked, and the timer is its own. */
struct sender_test_own {
	u64	rate;
	u64	sample;
	u64	x_calc;
	u32	silences;
	u32	idle;
};

static u64 sender_test_own_start(void *priv, const struct tfrc_sender *snd,
				 u64 now)
{
	struct sender_test_own *own = priv;

	return own->rate;
}

static u64 sender_test_own_adapt(void *priv, const struct tfrc_sender *snd,
				 const struct tfrc_feedback *fb, u64 sample,
				 u64 now)
{
	struct sender_test_own *own = priv;

	own->sample = sample;
	own->x_calc = snd->x_calc;
	return own->rate;
}

static u64 sender_test_own_patience(void *priv)
{
	return 7 * TFRC_NSEC_PER_SEC;
}

static u64 sender_test_own_silence(void *priv, bool idle)
{
	struct sender_test_own *own = priv;

	own->silences++;
	own->idle += idle;
	return own->rate / 2;
}

static void sender_test_own_rules(struct kunit *test)
{
	static const struct tfrc_scheme scheme = {
		.calc_x = sender_test_calc_x,
		.start = sender_test_own_start,
		.adapt = sender_test_own_adapt,
		.patience = sender_test_own_patience,
		.silence = sender_test_own_silence,
	};
	const u64 patience = 7 * TFRC_NSEC_PER_SEC;
	struct sender_test_own own = { .rate = TFRC_RATE(12345) };
	struct tfrc_feedback fb = { .p = TFRC_P_ONE / 50 };
	struct tfrc_sender snd;

	tfrc_sender_init(&snd, &scheme, &own);
	tfrc_sender_start(&snd, S, R, T0);
	EXPECT_RATE(test, snd.x, 12345);
	KUNIT_EXPECT_EQ(test, snd.t_timer, T0 + patience);

	tfrc_sender_sent(&snd, S, T0);
	own.rate = TFRC_RATE(777);
	tfrc_sender_feedback(&snd, &fb, R, false, T0 + R);
	EXPECT_RATE(test, snd.x, 777);
	KUNIT_EXPECT_EQ(test, snd.feedbacks, 1);
	KUNIT_EXPECT_EQ(test, snd.t_timer, T0 + R + patience);
	KUNIT_EXPECT_EQ(test, own.sample, R);
	EXPECT_RATE(test, own.x_calc, 50000);

	tfrc_sender_sent(&snd, S, T0 + 2 * R);
	tfrc_sender_timeout(&snd, T0 + R + patience);
	KUNIT_EXPECT_EQ(test, snd.x, TFRC_RATE(777) / 2);
	KUNIT_EXPECT_EQ(test, own.idle, 0);
	KUNIT_EXPECT_EQ(test, snd.t_timer, T0 + R + 2 * patience);
	tfrc_sender_timeout(&snd, T0 + R + 2 * patience);
	KUNIT_EXPECT_EQ(test, own.silences, 2);
	KUNIT_EXPECT_EQ(test, own.idle, 1);
	KUNIT_EXPECT_EQ(test, snd.nofeedbacks, 2);

	/* its rates are bounded as any other: a packet in 64 s, and the greatest */
	own.rate = 0;
	tfrc_sender_feedback(&snd, &fb, R, false, T0 + 200 * R);
	KUNIT_EXPECT_EQ(test, snd.x, TFRC_RATE(S) / 64);
	own.rate = U64_MAX;
	tfrc_sender_feedback(&snd, &fb, R, false, T0 + 300 * R);
	KUNIT_EXPECT_EQ(test, snd.x, TFRC_RATE_MAX);
}

/* What an application wants lowers the rate at once, but not to nothing. */
static void sender_test_hold(struct kunit *test)
{
	struct tfrc_sender snd;

	sender_test_start(&snd, 100000, false);
	tfrc_sender_hold(&snd, TFRC_RATE(200000));
	EXPECT_RATE(test, snd.x, 100000);
	tfrc_sender_hold(&snd, TFRC_RATE(30000));
	EXPECT_RATE(test, snd.x, 30000);
	tfrc_sender_hold(&snd, 0);
	KUNIT_EXPECT_EQ(test, snd.x, TFRC_RATE(S) / 64);
}

/*
 * RFC 5348, 4.5, with samples of 100, 200, 200 and 50 ms. In units of 10 ms^0.5 the mean
 * is 1; 0.9 * 1 + 0.1 * sqrt(2) = 1.0414214; 1.0787006; 1.0415412. Over the square root
 * of the sample: 1, 0.7363961, 0.7627565, 1.4729617. X = 100 KB/s * 1 % / 2 % throughout.
 */
static void sender_test_oscillations(struct kunit *test)
{
	static const struct {
		u32 sample, inst;
	} cases[] = {
		{ 100, 1000000 }, { 200, 736396 }, { 200, 762756 }, { 50, 1472962 },
	};
	struct tfrc_sender snd;
	struct tfrc_feedback fb = {
		.p = TFRC_P_ONE / 50, .x_recv = TFRC_RATE(60000),
	};
	u64 now = sender_test_start(&snd, 60000, false), inst;
	int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		u64 bytes;

		for (bytes = 0; bytes < 12000; bytes += S)
			tfrc_sender_sent(&snd, S, now);
		now += R;
		tfrc_sender_feedback(&snd, &fb, cases[i].sample * MS, false, now);
		EXPECT_RATE(test, snd.x, 50000);
		inst = tfrc_mul_div(snd.x_inst, 1000000, snd.x);
		KUNIT_EXPECT_GE_MSG(test, inst + 2, cases[i].inst, "case %d", i);
		KUNIT_EXPECT_LE_MSG(test, inst, cases[i].inst + 2, "case %d", i);
		KUNIT_EXPECT_EQ(test, tfrc_sender_ipi(&snd, S),
				div64_u64(TFRC_RATE(S) * TFRC_NSEC_PER_SEC,
					  snd.x_inst));
	}
	/* the timer goes by X: 4 R is longer than two packets */
	KUNIT_EXPECT_EQ(test, snd.t_timer, now + 4 * snd.rtt);

	/* a report without a sample has that of the last one: 1.4729617 */
	tfrc_sender_feedback(&snd, &fb, 0, false, now);
	KUNIT_EXPECT_EQ(test, tfrc_mul_div(snd.x_inst, 1000, snd.x), 1472);
	/* at most twice X; and a timeout leaves nothing of it */
	tfrc_sender_feedback(&snd, &fb, MS, false, now);
	KUNIT_EXPECT_EQ(test, snd.x_inst, 2 * snd.x);
	tfrc_sender_timeout(&snd, now);
	KUNIT_EXPECT_EQ(test, snd.x_inst, snd.x);
	/* at least a tenth, as the mean takes in a tenth of any sample */
	now = sender_test_start(&snd, 60000, false);
	tfrc_sender_feedback(&snd, &fb, TFRC_RTT_MIN, false, now);
	for (i = 0; i < 300; i++)
		tfrc_sender_feedback(&snd, &fb, TFRC_RTT_MIN, false, now);
	tfrc_sender_feedback(&snd, &fb, TFRC_RTT_MAX, false, now);
	KUNIT_EXPECT_GE(test, 10 * snd.x_inst + 10, snd.x);
	KUNIT_EXPECT_LE(test, 9 * snd.x_inst, snd.x);

	/* a scheme may do without */
	snd.reduce_oscillations = false;
	tfrc_sender_feedback(&snd, &fb, TFRC_RTT_MIN, false, now);
	KUNIT_EXPECT_EQ(test, snd.x_inst, snd.x);
}

/* Sizes of 5 * 1400 and 1 * 100 bytes: s = 1183.3 all the time, not of the last few. */
static void sender_test_mean_size(struct kunit *test)
{
	struct tfrc_sender snd;
	u32 least = U32_MAX, most = 0;
	int i;

	tfrc_sender_init(&snd, &plain, NULL);
	tfrc_sender_start(&snd, 1400, R, T0);
	for (i = 0; i < 6000; i++) {
		tfrc_sender_sent(&snd, i % 6 == 5 ? 100 : 1400, T0);
		if (i < 1000)
			continue;
		least = min(least, tfrc_sender_size(&snd));
		most = max(most, tfrc_sender_size(&snd));
	}
	/* one packet is a 256th: 1300 / 256 = 5 bytes */
	KUNIT_EXPECT_GE(test, least, 1183 - 5);
	KUNIT_EXPECT_LE(test, most, 1183 + 5);

	/* the first packets are averaged as they are: of 100 and 300 bytes, 200 */
	tfrc_sender_start(&snd, 100, R, T0);
	snd.packets = 0;
	tfrc_sender_sent(&snd, 100, T0);
	tfrc_sender_sent(&snd, 300, T0);
	KUNIT_EXPECT_EQ(test, tfrc_sender_size(&snd), 200);

	/* p = 1/4: four intervals are 16 packets; 1000 * (15/16)^16 = 356 are left */
	snd.packets = 1000;
	snd.p = TFRC_P_ONE / 4;
	snd.s = 1100 << TFRC_SIZE_SHIFT;
	for (i = 0; i < 16; i++)
		tfrc_sender_sent(&snd, 100, T0);
	KUNIT_EXPECT_EQ(test, tfrc_sender_size(&snd), 456);
	/* p = 1: 8 packets, at least: 1000 * (7/8)^8 = 343.6 */
	snd.p = TFRC_P_ONE;
	snd.s = 1100 << TFRC_SIZE_SHIFT;
	for (i = 0; i < 8; i++)
		tfrc_sender_sent(&snd, 100, T0);
	KUNIT_EXPECT_EQ(test, tfrc_sender_size(&snd), 444);
	/* of all sizes */
	for (i = 0; i < 300; i++)
		tfrc_sender_sent(&snd, 65535, T0);
	KUNIT_EXPECT_EQ(test, tfrc_sender_size(&snd), 65535);
	for (i = 0; i < 300; i++)
		tfrc_sender_sent(&snd, 1, T0);
	KUNIT_EXPECT_EQ(test, tfrc_sender_size(&snd), 1);
}

static struct kunit_case sender_cases[] = {
	KUNIT_CASE(sender_test_initial),
	KUNIT_CASE(sender_test_slow_start),
	KUNIT_CASE(sender_test_equation),
	KUNIT_CASE(sender_test_data_limited),
	KUNIT_CASE(sender_test_slows),
	KUNIT_CASE(sender_test_paper_clock),
	KUNIT_CASE(sender_test_timeout),
	KUNIT_CASE(sender_test_timer),
	KUNIT_CASE(sender_test_rests),
	KUNIT_CASE(sender_test_liar),
	KUNIT_CASE(sender_test_scheme),
	KUNIT_CASE(sender_test_own_rules),
	KUNIT_CASE(sender_test_hold),
	KUNIT_CASE(sender_test_oscillations),
	KUNIT_CASE(sender_test_mean_size),
	KUNIT_CASE(sender_test_ipi),
	{ }
};

struct kunit_suite tfrc_sender_suite = {
	.name = "tfrc_sender",
	.test_cases = sender_cases,
};
