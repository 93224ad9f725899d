// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the TFRC sender (RFC 5348, section 4). Expected values are worked out by hand
 * in the comments.
 */
#include <kunit/test.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <net/tfrc_rfc5348.h>
#include "kunit.h"

#define MS		TFRC_NSEC_PER_MSEC
#define R		(100 * MS)
#define S		1000
#define T0		(1000 * TFRC_NSEC_PER_SEC)

/* An equation that is easy to follow: X = 100 KB/s * (1 % / p). */
static u64 sender_test_calc_x(const struct rfc5348_sender *t, u32 s, u64 rtt,
			      u64 p)
{
	return tfrc_mul_div(TFRC_RATE(100000), TFRC_P_ONE / 100, p);
}

static const struct rfc5348_variant plain = {
	.calc_x = sender_test_calc_x,
	.calc_p = rfc5348_calc_p,
	.limit = rfc5348_limit,
	.move_to = rfc5348_move_to,
};

/* A sender that knows R and is @x fast, as measured and as allowed. */
static u64 sender_test_start(struct rfc5348_sender *t, u64 x)
{
	struct tfrc_sender *snd = &t->base;
	u64 now = T0, bytes, r;

	rfc5348_sender_init(t, &plain);
	tfrc_sender_start(snd, S, R, now);
	for (r = 0; r < 2; r++, now += R)
		for (bytes = 0; bytes < x / 10; bytes += S)
			tfrc_sender_sent(snd, S, now);
	give_feedback(snd, &(struct tfrc_feedback){ }, R, false, now);
	snd->x = TFRC_RATE(x);
	snd->x_inst = snd->x;
	return now;
}

/* One round trip at @sent bytes/s, at the end of which @fb arrives. */
static u64 sender_test_round(struct rfc5348_sender *t, u64 now, u64 sent,
			     const struct tfrc_feedback *fb, bool limited)
{
	struct tfrc_sender *snd = &t->base;
	u64 bytes;

	for (bytes = 0; bytes < sent / 10; bytes += S)
		tfrc_sender_sent(snd, S, now);
	give_feedback(snd, fb, R, limited, now + R);
	return now + R;
}

/*
 * W_init / R: 4 packets up to 1095 bytes, 4380 bytes, 2 packets from 2190. With R above
 * 125 ms it is what 8 packets up to 547 bytes, 4380 bytes, or 2 packets are in 100 ms, but
 * no more than 40 packets up to 365 bytes, 14600 bytes, or 2 packets in R.
 */
static void sender_test_initial(struct kunit *test)
{
	static const struct {
		u32 s, rtt, rate;	/* ms */
	} cases[] = {
		{ 100, 100, 4000 }, { 1000, 100, 40000 }, { 1095, 100, 43800 },
		{ 1460, 100, 43800 }, { 2190, 100, 43800 }, { 3000, 100, 60000 },
		{ 1460, 20, 219000 }, { 547, 100, 21880 },
		{ 1460, 125, 35040 }, { 100, 126, 8000 }, { 547, 126, 43760 },
		{ 548, 126, 43800 }, { 1460, 126, 43800 }, { 3000, 126, 60000 },
		{ 1460, 400, 36500 }, { 100, 500, 8000 }, { 100, 1000, 4000 },
		{ 365, 1000, 14600 }, { 364, 1000, 14560 }, { 1460, 1000, 14600 },
		{ 7000, 1000, 14600 }, { 9000, 1000, 18000 },
	};
	struct rfc5348_sender snd;
	int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		rfc5348_sender_init(&snd, &plain);
		tfrc_sender_start(&snd.base, cases[i].s,
				  cases[i].rtt * TFRC_NSEC_PER_MSEC, T0);
		EXPECT_RATE(test, snd.base.x, cases[i].rate);
		/* without an RTT, one packet a second */
		tfrc_sender_start(&snd.base, cases[i].s, 0, T0);
		EXPECT_RATE(test, snd.base.x, cases[i].s);
		KUNIT_EXPECT_EQ(test, snd.base.t_timer,
				T0 + 2 * TFRC_NSEC_PER_SEC);
	}
}

static void sender_test_slow_start(struct kunit *test)
{
	struct rfc5348_sender snd;
	struct tfrc_feedback fb = { };
	u64 now = sender_test_start(&snd, 40000);

	/* doubles in a round trip */
	fb.x_recv = TFRC_RATE(40000);
	now = sender_test_round(&snd, now, 40000, &fb, false);
	EXPECT_RATE(test, snd.base.x, 80000);
	/* but not twice in it */
	fb.x_recv = TFRC_RATE(80000);
	sender_test_round(&snd, now - R / 2, 80000, &fb, false);
	EXPECT_RATE(test, snd.base.x, 80000);
	now = sender_test_round(&snd, now, 80000, &fb, false);
	EXPECT_RATE(test, snd.base.x, 160000);
	/* nor beyond twice what arrives */
	fb.x_recv = TFRC_RATE(85000);
	now = sender_test_round(&snd, now, 160000, &fb, false);
	now = sender_test_round(&snd, now, 160000, &fb, false);
	now = sender_test_round(&snd, now, 160000, &fb, false);
	EXPECT_RATE(test, snd.base.x, 170000);
}

/* X is that of the equation, unless X_recv limits it. */
static void sender_test_equation(struct kunit *test)
{
	struct rfc5348_sender snd;
	struct tfrc_feedback fb = { .p = TFRC_P_ONE / 50 };
	u64 now = sender_test_start(&snd, 60000);

	fb.x_recv = TFRC_RATE(60000);
	now = sender_test_round(&snd, now, 60000, &fb, false);
	EXPECT_RATE(test, snd.base.x_calc, 50000);
	EXPECT_RATE(test, snd.base.x, 50000);
	/* X_recv_set holds the greatest of two round trips, then forgets it */
	fb.x_recv = TFRC_RATE(10000);
	now = sender_test_round(&snd, now, 50000, &fb, false);
	EXPECT_RATE(test, snd.base.x, 50000);
	/* also if no more reports came than the set has room for */
	now = sender_test_round(&snd, now + R, 50000, &fb, false);
	EXPECT_RATE(test, snd.base.x, 20000);
	/* never below a packet in 64 s */
	fb.x_recv = 1;
	fb.p = TFRC_P_ONE;
	for (int i = 0; i < 4; i++)
		now = sender_test_round(&snd, now, 20000, &fb, false);
	KUNIT_EXPECT_EQ(test, snd.base.x, TFRC_RATE(S) / 64);
}

/*
 * A report without X_recv, as the first one or that of a loss that Acks have shown: X is that
 * of the equation (RFC 5348, 4.3: X_recv_set begins with Infinity).
 */
static void sender_test_no_x_recv(struct kunit *test)
{
	struct tfrc_feedback fb = { .p = TFRC_P_ONE / 5, .marked = 1 };
	struct rfc5348_sender snd;
	u64 now;

	rfc5348_sender_init(&snd, &plain);
	tfrc_sender_start(&snd.base, S, R, T0);
	tfrc_sender_sent(&snd.base, S, T0);
	give_feedback(&snd.base, &fb, R, false, T0 + R);
	EXPECT_RATE(test, snd.base.x, 5000);

	now = sender_test_start(&snd, 60000);
	fb = (struct tfrc_feedback){ .p = TFRC_P_ONE / 50, .x_recv = TFRC_RATE(60000) };
	now = sender_test_round(&snd, now, 60000, &fb, false);
	EXPECT_RATE(test, snd.base.x, 50000);
	fb = (struct tfrc_feedback){ .p = TFRC_P_ONE / 25, .lost = 1 };
	for (int limited = 0; limited < 2; limited++) {
		now = sender_test_round(&snd, now, 50000, &fb, limited);
		EXPECT_RATE(test, snd.base.x, 25000);
	}
}

/* The report after 2^32 - 1 others is not the first one, which sets the initial rate. */
static void sender_test_many_reports(struct kunit *test)
{
	struct tfrc_feedback fb = { .x_recv = TFRC_RATE(200000) };
	struct rfc5348_sender snd;
	u64 now = sender_test_start(&snd, 200000);

	snd.base.feedbacks = U32_MAX;
	for (int i = 0; i < 3; i++) {
		now = sender_test_round(&snd, now, 200000, &fb, false);
		EXPECT_RATE(test, snd.base.x, 400000);
	}
}

/* RFC 5348, 4.3: a data-limited sender keeps earlier receive rates. */
static void sender_test_data_limited(struct kunit *test)
{
	struct rfc5348_sender snd;
	struct tfrc_feedback fb = { .p = TFRC_P_ONE / 100 };
	u64 now = sender_test_start(&snd, 60000);

	fb.x_recv = TFRC_RATE(60000);
	now = sender_test_round(&snd, now, 60000, &fb, false);
	EXPECT_RATE(test, snd.base.x, 100000);
	fb.x_recv = TFRC_RATE(5000);
	for (int i = 0; i < 5; i++)
		now = sender_test_round(&snd, now, 30000, &fb, true);
	EXPECT_RATE(test, snd.base.x, 100000);
	/* with a loss: half of 60000, once, against 0.85 * 5000 */
	fb.lost++;
	now = sender_test_round(&snd, now, 30000, &fb, true);
	EXPECT_RATE(test, snd.base.x, 30000);
	/* what is lost within a round trip of it belongs to the same event */
	fb.lost++;
	give_feedback(&snd.base, &fb, R, true, now + R / 2);
	EXPECT_RATE(test, snd.base.x, 60000);
	fb.lost++;
	give_feedback(&snd.base, &fb, R, true, now + R - 1);
	EXPECT_RATE(test, snd.base.x, 60000);
	/* a mark counts as much */
	fb.marked++;
	now = sender_test_round(&snd, now, 30000, &fb, true);
	EXPECT_RATE(test, snd.base.x, 15000);
	/* and without one, up to twice again */
	now = sender_test_round(&snd, now, 30000, &fb, true);
	EXPECT_RATE(test, snd.base.x, 30000);
}

static u64 sender_test_stay(struct rfc5348_sender *t,
			    const struct tfrc_decision *d)
{
	return d->x;
}

static u64 sender_test_no_limit(struct rfc5348_sender *t,
				const struct tfrc_report *rep, bool worse,
				u64 now)
{
	return U64_MAX;
}

/*
 * A source that slows from 400 KB/s to 20: X is at most four times what was sent
 * in one of three round trips, 80 KB/s, and not below the initial rate. A
 * variant would stay where it is; RFC 5348 remembers 2 * 400 KB/s, for a
 * data-limited sender.
 */
static void sender_test_slows(struct kunit *test)
{
	static const struct rfc5348_variant stay = {
		.calc_x = sender_test_calc_x,
		.limit = sender_test_no_limit,
		.move_to = sender_test_stay,
	}, limited = {
		.calc_x = sender_test_calc_x,
		.limit = rfc5348_limit,
		.move_to = sender_test_stay,
	};
	static const struct rfc5348_variant *const cases[] = {
		&stay, &limited, &plain,
	};
	/* p is small: the equation allows 100 MB/s */
	struct tfrc_feedback fb = { .p = TFRC_P_ONE / 100000 };
	struct rfc5348_sender snd;
	u64 now;

	for (int i = 0; i < ARRAY_SIZE(cases); i++) {
		now = sender_test_start(&snd, 400000);
		snd.variant = cases[i];
		fb.x_recv = TFRC_RATE(400000);
		now = sender_test_round(&snd, now, 400000, &fb, false);
		fb.x_recv = TFRC_RATE(20000);
		for (int r = 0; r < 2; r++) {
			now = sender_test_round(&snd, now, 20000, &fb, true);
			KUNIT_EXPECT_GE(test, snd.base.x, TFRC_RATE(400000));
		}
		for (int r = 0; r < 5; r++) {
			now = sender_test_round(&snd, now, 20000, &fb, true);
			KUNIT_EXPECT_EQ_MSG(test, snd.base.x, TFRC_RATE(80000),
					    "case %d", i);
		}
		/* one packet of 100 bytes in three round trips: s falls, too */
		for (int r = 0; r < 2000; r++, now += 3 * R) {
			tfrc_sender_sent(&snd.base, 100, now);
			give_feedback(&snd.base, &fb, R, true, now + R);
		}
		KUNIT_EXPECT_LE(test, snd.base.x, TFRC_RATE(4000));
		KUNIT_EXPECT_GE(test, snd.base.x, TFRC_RATE(3999));
	}
}

/* RFC 5348, 4.4, branch by branch. */
static void sender_test_timeout(struct kunit *test)
{
	struct rfc5348_sender snd;
	struct tfrc_feedback fb = { .p = TFRC_P_ONE / 100 };
	u64 now = sender_test_start(&snd, 100000);

	/* p = 0: halve X */
	tfrc_sender_sent(&snd.base, S, now);
	tfrc_sender_timeout(&snd.base, now);
	EXPECT_RATE(test, snd.base.x, 50000);
	/* idle: down to the initial rate, but no further */
	tfrc_sender_timeout(&snd.base, now);
	EXPECT_RATE(test, snd.base.x, 40000);
	tfrc_sender_timeout(&snd.base, now);
	EXPECT_RATE(test, snd.base.x, 40000);
	/* which is nothing to go up to */
	snd.base.x = TFRC_RATE(20000);
	tfrc_sender_timeout(&snd.base, now);
	EXPECT_RATE(test, snd.base.x, 20000);

	/* X_calc = 100000 was the limit, X_recv = 60000 */
	now = sender_test_start(&snd, 100000);
	fb.x_recv = TFRC_RATE(60000);
	now = sender_test_round(&snd, now, 100000, &fb, false);
	EXPECT_RATE(test, snd.base.x, 100000);
	tfrc_sender_sent(&snd.base, S, now);
	tfrc_sender_timeout(&snd.base, now);
	EXPECT_RATE(test, snd.base.x, 50000);
	/* whatever the limit was, half of it */
	tfrc_sender_sent(&snd.base, S, now);
	tfrc_sender_timeout(&snd.base, now);
	EXPECT_RATE(test, snd.base.x, 25000);
	/* idle, below the initial rate */
	tfrc_sender_timeout(&snd.base, now);
	EXPECT_RATE(test, snd.base.x, 25000);
	/* down to a packet in 64 s, and no further */
	for (int i = 0; i < 20; i++) {
		tfrc_sender_sent(&snd.base, S, now);
		tfrc_sender_timeout(&snd.base, now);
	}
	KUNIT_EXPECT_EQ(test, snd.base.x, TFRC_RATE(S) / 64);
	/* next time after 2 s/X = 128 s */
	KUNIT_EXPECT_EQ(test, snd.base.t_timer - now, 128 * TFRC_NSEC_PER_SEC);
	KUNIT_EXPECT_EQ(test, snd.base.nofeedbacks, 23);
}

/* 4 R, or two packets, or two ticks, whatever is longest. */
static void sender_test_timer(struct kunit *test)
{
	struct rfc5348_sender snd;
	struct tfrc_feedback fb = { };
	u64 now = sender_test_start(&snd, 40000);

	KUNIT_EXPECT_EQ(test, snd.base.t_timer, now + 4 * R);
	/* no sample, no change */
	give_feedback(&snd.base, &fb, 0, false, now);
	KUNIT_EXPECT_EQ(test, snd.base.rtt, R);
	for (int i = 0; i < 200; i++)
		give_feedback(&snd.base, &fb, 1, false, now);
	KUNIT_EXPECT_LT(test, snd.base.rtt, 2 * TFRC_RTT_MIN);
	KUNIT_EXPECT_EQ(test, snd.base.t_timer, now + 50 * MS);

	/* packets leave at X_inst: two of 1000 bytes at 500 bytes/s */
	snd.base.x_inst = TFRC_RATE(500);
	KUNIT_EXPECT_EQ(test, snd.base.ops->timeout_after(&snd.base),
			4 * TFRC_NSEC_PER_SEC);
}

/*
 * R is 100 ms, so a report gives 400 ms for the next one. A packet comes 330 ms after the report
 * on the one before, and its report 430 ms after that. So the packet gives 400 ms more, unless it
 * comes in R, or one after the report did before.
 */
static void sender_test_apart(struct kunit *test)
{
	struct tfrc_feedback fb = { .x_recv = TFRC_RATE(10000) };
	struct rfc5348_sender snd;
	u64 now = sender_test_start(&snd, 40000);

	for (int i = 0; i < 10; i++) {
		now += 330 * MS;
		tfrc_sender_sent(&snd.base, S, now);
		KUNIT_EXPECT_EQ(test, snd.base.t_timer, now + 4 * R);
		now += R;
		give_feedback(&snd.base, &fb, R, true, now);
		KUNIT_EXPECT_EQ(test, snd.base.t_timer, now + 4 * R);
	}
	tfrc_sender_sent(&snd.base, S, now + R);
	KUNIT_EXPECT_EQ(test, snd.base.t_timer, now + 4 * R);
	tfrc_sender_sent(&snd.base, S, now + 3 * R);
	KUNIT_EXPECT_EQ(test, snd.base.t_timer, now + 4 * R);

	/* no report comes: the timer expires again and again, whatever is sent */
	now += 4 * R;
	tfrc_sender_timeout(&snd.base, now);
	tfrc_sender_sent(&snd.base, S, now + 3 * R);
	KUNIT_EXPECT_EQ(test, snd.base.t_timer, now + 4 * R);
}

/* The timer is not armed when nothing is sent and X does not fall any more. */
static void sender_test_rests(struct kunit *test)
{
	struct rfc5348_sender snd;
	u64 now = sender_test_start(&snd, 40000);
	int i;

	/* what was sent before counts for the first one: it halves the rate */
	KUNIT_EXPECT_FALSE(test, snd.base.resting);
	for (i = 0; i < 100 && !snd.base.resting; i++) {
		now = snd.base.t_timer;
		tfrc_sender_timeout(&snd.base, now);
	}
	KUNIT_EXPECT_LT(test, i, 10);
	KUNIT_EXPECT_TRUE(test, snd.base.resting);

	/* the next packet sets it, as if there had been no pause */
	now += 1000 * TFRC_NSEC_PER_SEC;
	tfrc_sender_sent(&snd.base, S, now);
	KUNIT_EXPECT_FALSE(test, snd.base.resting);
	KUNIT_EXPECT_EQ(test, snd.base.t_timer, now + 4 * R);
	tfrc_sender_sent(&snd.base, S, now + R);
	KUNIT_EXPECT_EQ(test, snd.base.t_timer, now + 4 * R);
	tfrc_sender_timeout(&snd.base, snd.base.t_timer);
	KUNIT_EXPECT_FALSE(test, snd.base.resting);
}

/* A receiver with impossible reports */
static void sender_test_liar(struct kunit *test)
{
	struct rfc5348_sender snd;
	struct tfrc_feedback fb = {
		.p = U64_MAX, .x_recv = U64_MAX, .lost = U32_MAX,
		.marked = U32_MAX,
	};
	u64 now = sender_test_start(&snd, 40000);

	now = sender_test_round(&snd, now, 40000, &fb, false);
	KUNIT_EXPECT_EQ(test, snd.base.p, TFRC_P_ONE);
	/* of the totals 16 bits count */
	KUNIT_EXPECT_EQ(test, snd.base.lost, U16_MAX);
	KUNIT_EXPECT_EQ(test, snd.base.marked, U16_MAX);
	fb.lost++;
	now = sender_test_round(&snd, now, 40000, &fb, false);
	KUNIT_EXPECT_EQ(test, snd.base.lost, U16_MAX + 1);

	/* no loss and a receive rate beyond what was sent: 2 * 2 * 40000 */
	fb.p = 0;
	for (int i = 0; i < 10; i++)
		now = sender_test_round(&snd, now, 40000, &fb, false);
	EXPECT_RATE(test, snd.base.x, 160000);
	/*
	 * a small p, and a report for each tenth of a round trip, as fast as X allows: X
	 * doubles in each round trip
	 */
	now = sender_test_start(&snd, 40000);
	fb.p = TFRC_P_ONE / 100000;
	for (u64 x = TFRC_RATE(80000); x < TFRC_RATE(10000000); x *= 2) {
		for (int i = 0; i < 10; i++) {
			u64 bytes = tfrc_mul_div(snd.base.x, R, 10 * TFRC_NSEC_PER_SEC);

			for (u64 b = 0; b < bytes >> TFRC_RATE_SHIFT; b += S)
				tfrc_sender_sent(&snd.base, S, now);
			now += R / 10;
			give_feedback(&snd.base, &fb, R, false, now);
			/* the tenth one begins the next round trip */
			KUNIT_EXPECT_EQ(test, snd.base.x, i < 9 ? x : 2 * x);
		}
	}
	/* RTTs out of range are clamped */
	for (int i = 0; i < 300; i++)
		give_feedback(&snd.base, &fb, U64_MAX, false, now);
	KUNIT_EXPECT_LE(test, snd.base.rtt, TFRC_RTT_MAX);
}

static u64 sender_test_moves;

static u64 sender_test_move_to(struct rfc5348_sender *t,
			       const struct tfrc_decision *d)
{
	sender_test_moves += d->interval == R;
	return d->x;
}

/* A variant may change the rate after feedback, but not at a timeout. */
static void sender_test_scheme(struct kunit *test)
{
	static const struct rfc5348_variant keep = {
		.calc_x = sender_test_calc_x,
		.limit = sender_test_no_limit,
		.move_to = sender_test_move_to,
	};
	struct rfc5348_sender snd;
	struct tfrc_feedback fb = { .p = TFRC_P_ONE };
	u64 now = sender_test_start(&snd, 80000);

	snd.variant = &keep;
	sender_test_moves = 0;
	now = sender_test_round(&snd, now, 80000, &fb, false);
	KUNIT_EXPECT_EQ(test, sender_test_moves, 1);
	EXPECT_RATE(test, snd.base.x, 80000);
	/* X_calc is 1000; the variant's rate does not count */
	tfrc_sender_sent(&snd.base, S, now);
	tfrc_sender_timeout(&snd.base, now);
	KUNIT_EXPECT_EQ(test, sender_test_moves, 1);
	EXPECT_RATE(test, snd.base.x, 500);
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
	struct rfc5348_sender snd;
	struct tfrc_feedback fb = {
		.p = TFRC_P_ONE / 50, .x_recv = TFRC_RATE(60000),
	};
	u64 now = sender_test_start(&snd, 60000), inst;
	int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		u64 bytes;

		for (bytes = 0; bytes < 12000; bytes += S)
			tfrc_sender_sent(&snd.base, S, now);
		now += R;
		give_feedback(&snd.base, &fb, cases[i].sample * MS, false, now);
		EXPECT_RATE(test, snd.base.x, 50000);
		inst = tfrc_mul_div(snd.base.x_inst, 1000000, snd.base.x);
		KUNIT_EXPECT_GE_MSG(test, inst + 2, cases[i].inst, "case %d", i);
		KUNIT_EXPECT_LE_MSG(test, inst, cases[i].inst + 2, "case %d", i);
		KUNIT_EXPECT_EQ(test, tfrc_ipi(snd.base.x_inst, S),
				div64_u64(TFRC_RATE(S) * TFRC_NSEC_PER_SEC,
					  snd.base.x_inst));
	}
	/* the timer goes by X: 4 R is longer than two packets */
	KUNIT_EXPECT_EQ(test, snd.base.t_timer, now + 4 * snd.base.rtt);

	/* a report without a sample has that of the last one: 1.4729617 */
	give_feedback(&snd.base, &fb, 0, false, now);
	KUNIT_EXPECT_EQ(test, tfrc_mul_div(snd.base.x_inst, 1000, snd.base.x), 1472);
	/* at most twice X; and a timeout leaves nothing of it */
	give_feedback(&snd.base, &fb, MS, false, now);
	KUNIT_EXPECT_EQ(test, snd.base.x_inst, 2 * snd.base.x);
	tfrc_sender_timeout(&snd.base, now);
	KUNIT_EXPECT_EQ(test, snd.base.x_inst, snd.base.x);
	/* at least a tenth, as the mean takes in a tenth of any sample */
	now = sender_test_start(&snd, 60000);
	give_feedback(&snd.base, &fb, TFRC_RTT_MIN, false, now);
	for (i = 0; i < 300; i++)
		give_feedback(&snd.base, &fb, TFRC_RTT_MIN, false, now);
	give_feedback(&snd.base, &fb, TFRC_RTT_MAX, false, now);
	KUNIT_EXPECT_GE(test, 10 * snd.base.x_inst + 10, snd.base.x);
	KUNIT_EXPECT_LE(test, 9 * snd.base.x_inst, snd.base.x);
}

static struct kunit_case sender_cases[] = {
	KUNIT_CASE(sender_test_initial),
	KUNIT_CASE(sender_test_slow_start),
	KUNIT_CASE(sender_test_equation),
	KUNIT_CASE(sender_test_no_x_recv),
	KUNIT_CASE(sender_test_many_reports),
	KUNIT_CASE(sender_test_data_limited),
	KUNIT_CASE(sender_test_slows),
	KUNIT_CASE(sender_test_timeout),
	KUNIT_CASE(sender_test_timer),
	KUNIT_CASE(sender_test_apart),
	KUNIT_CASE(sender_test_rests),
	KUNIT_CASE(sender_test_liar),
	KUNIT_CASE(sender_test_scheme),
	KUNIT_CASE(sender_test_oscillations),
	{ }
};

struct kunit_suite rfc5348_sender_suite = {
	.name = "tfrc_rfc5348_sender",
	.test_cases = sender_cases,
};
