// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of what all senders have. Expected values are worked out by hand in the
 * comments.
 */
#include <kunit/test.h>
#include <linux/container_of.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <net/tfrc.h>
#include "kunit.h"

#define MS		TFRC_NSEC_PER_MSEC
#define R		(100 * MS)
#define S		1000
#define T0		(1000 * TFRC_NSEC_PER_SEC)

static void sender_test_first(struct tfrc_sender *snd, u64 now)
{
	tfrc_sender_move(snd, tfrc_sender_first_rate(snd));
}

static u64 sender_test_second(const struct tfrc_sender *snd)
{
	return TFRC_NSEC_PER_SEC;
}

static const struct tfrc_sender_ops plain = {
	.start = sender_test_first,
	.limited = tfrc_sender_limited,
	.timeout_after = sender_test_second,
};

static void sender_test_start(struct tfrc_sender *snd, u64 x)
{
	tfrc_sender_init(snd, &plain);
	tfrc_sender_start(snd, S, R, T0);
	tfrc_sender_move(snd, TFRC_RATE(x));
}

/*
 * 1000 bytes at 40000 bytes/s take 25 ms. At the least rate, 20 bytes in 64 s, a packet that
 * is longer than the mean takes 64 s, too.
 */
static void sender_test_ipi(struct kunit *test)
{
	struct tfrc_sender snd;

	sender_test_start(&snd, 40000);
	KUNIT_EXPECT_EQ(test, tfrc_ipi(snd.x_inst, 1000), 25 * MS);
	KUNIT_EXPECT_EQ(test, tfrc_ipi(snd.x_inst, 40), MS);
	snd.x_inst = TFRC_RATE(20) / 64;
	KUNIT_EXPECT_EQ(test, tfrc_ipi(snd.x_inst, 10), 32 * TFRC_NSEC_PER_SEC);
	KUNIT_EXPECT_EQ(test, tfrc_ipi(snd.x_inst, 1400), 64 * TFRC_NSEC_PER_SEC);
	snd.x_inst = 1;
	KUNIT_EXPECT_EQ(test, tfrc_ipi(snd.x_inst, U32_MAX), 64 * TFRC_NSEC_PER_SEC);
	snd.x_inst = TFRC_RATE_MAX;
	KUNIT_EXPECT_EQ(test, tfrc_ipi(snd.x_inst, 1000), 40);
}

/* An implementation with its own rates and its own nofeedback timer */
struct sender_test_own {
	struct tfrc_sender	snd;
	u64			rate;
	u64			sample;
	u64			p;
	u32			timeouts;
	u32			idle;
};

static struct sender_test_own *sender_test_own(struct tfrc_sender *snd)
{
	return container_of(snd, struct sender_test_own, snd);
}

static void sender_test_own_start(struct tfrc_sender *snd, u64 now)
{
	tfrc_sender_move(snd, sender_test_own(snd)->rate);
}

static void sender_test_own_feedback(struct tfrc_sender *snd,
				     const struct tfrc_report *rep, u64 now)
{
	struct sender_test_own *own = sender_test_own(snd);

	own->sample = rep->sample;
	own->p = rep->p;
	tfrc_sender_move(snd, own->rate);
}

static void sender_test_own_timeout(struct tfrc_sender *snd, bool idle, u64 now)
{
	struct sender_test_own *own = sender_test_own(snd);

	own->timeouts++;
	own->idle += idle;
	tfrc_sender_move(snd, own->rate / 2);
}

static u64 sender_test_own_after(const struct tfrc_sender *snd)
{
	return 7 * TFRC_NSEC_PER_SEC;
}

static const struct tfrc_sender_ops sender_test_own_ops = {
	.start = sender_test_own_start,
	.feedback = sender_test_own_feedback,
	.timeout = sender_test_own_timeout,
	.limited = tfrc_sender_limited,
	.timeout_after = sender_test_own_after,
};

static void sender_test_own_rules(struct kunit *test)
{
	const u64 after = 7 * TFRC_NSEC_PER_SEC;
	struct sender_test_own own = { .rate = TFRC_RATE(12345) };
	struct tfrc_feedback fb = { .p = TFRC_P_ONE / 50 };
	struct tfrc_sender *snd = &own.snd;

	tfrc_sender_init(snd, &sender_test_own_ops);
	tfrc_sender_start(snd, S, R, T0);
	EXPECT_RATE(test, snd->x, 12345);
	KUNIT_EXPECT_EQ(test, snd->t_timer, T0 + after);

	tfrc_sender_sent(snd, S, T0);
	own.rate = TFRC_RATE(777);
	give_feedback(snd, &fb, R, false, T0 + R);
	EXPECT_RATE(test, snd->x, 777);
	KUNIT_EXPECT_EQ(test, snd->feedbacks, 1);
	KUNIT_EXPECT_EQ(test, snd->t_timer, T0 + R + after);
	KUNIT_EXPECT_EQ(test, own.sample, R);
	KUNIT_EXPECT_EQ(test, own.p, TFRC_P_ONE / 50);

	tfrc_sender_sent(snd, S, T0 + 2 * R);
	tfrc_sender_timeout(snd, T0 + R + after);
	KUNIT_EXPECT_EQ(test, snd->x, TFRC_RATE(777) / 2);
	KUNIT_EXPECT_EQ(test, own.idle, 0);
	KUNIT_EXPECT_EQ(test, snd->t_timer, T0 + R + 2 * after);
	tfrc_sender_timeout(snd, T0 + R + 2 * after);
	KUNIT_EXPECT_EQ(test, own.timeouts, 2);
	KUNIT_EXPECT_EQ(test, own.idle, 1);
	KUNIT_EXPECT_EQ(test, snd->nofeedbacks, 2);

	/* its rates are bounded as any other: a packet in 64 s, and the greatest */
	own.rate = 0;
	give_feedback(snd, &fb, R, false, T0 + 200 * R);
	KUNIT_EXPECT_EQ(test, snd->x, TFRC_RATE(S) / 64);
	own.rate = U64_MAX;
	give_feedback(snd, &fb, R, false, T0 + 300 * R);
	KUNIT_EXPECT_EQ(test, snd->x, TFRC_RATE_MAX);
}

/* R of the handshake is 100 ms, or unknown. Then samples of 60 and 70 ms: 60, and 61 ms */
static void sender_test_sample(struct kunit *test)
{
	struct sender_test_own own = { .rate = TFRC_RATE(12345) };
	struct tfrc_feedback fb = { };

	for (int known = 0; known <= 1; known++) {
		tfrc_sender_init(&own.snd, &sender_test_own_ops);
		tfrc_sender_start(&own.snd, S, known * R, T0);
		KUNIT_EXPECT_EQ(test, own.snd.has_rtt, known);
		/* a report without a sample */
		give_feedback(&own.snd, &fb, 0, false, T0 + R);
		KUNIT_EXPECT_EQ(test, own.snd.has_rtt, known);
		give_feedback(&own.snd, &fb, 60 * MS, false, T0 + 2 * R);
		KUNIT_EXPECT_TRUE(test, own.snd.has_rtt);
		KUNIT_EXPECT_EQ(test, own.snd.rtt, 60 * MS);
		give_feedback(&own.snd, &fb, 70 * MS, false, T0 + 3 * R);
		KUNIT_EXPECT_EQ(test, own.snd.rtt, 61 * MS);
	}
}

/*
 * A report of packets without data raises neither X nor X_inst, but may lower both, and does not
 * defer the nofeedback timer. The peer decides how many of them there are.
 */
static void sender_test_no_data(struct kunit *test)
{
	struct sender_test_own own = { .rate = TFRC_RATE(500) };
	const struct tfrc_feedback fb = { };
	struct tfrc_report rep = { .fb = &fb, .no_data = true };
	struct tfrc_sender *snd = &own.snd;

	tfrc_sender_init(snd, &sender_test_own_ops);
	tfrc_sender_start(snd, S, R, T0);
	own.rate = TFRC_RATE(501);
	tfrc_sender_feedback(snd, &rep, T0 + R);
	EXPECT_RATE(test, snd->x, 500);
	EXPECT_RATE(test, snd->x_inst, 500);
	KUNIT_EXPECT_EQ(test, snd->t_timer, T0 + 7 * TFRC_NSEC_PER_SEC);
	/* by the ratio of R */
	snd->x_inst = TFRC_RATE(300);
	tfrc_sender_feedback(snd, &rep, T0 + R);
	EXPECT_RATE(test, snd->x, 500);
	EXPECT_RATE(test, snd->x_inst, 300);
	own.rate = TFRC_RATE(299);
	tfrc_sender_feedback(snd, &rep, T0 + R);
	EXPECT_RATE(test, snd->x, 299);
	EXPECT_RATE(test, snd->x_inst, 299);
	own.rate = TFRC_RATE(501);
	rep.no_data = false;
	tfrc_sender_feedback(snd, &rep, T0 + R);
	EXPECT_RATE(test, snd->x, 501);
	EXPECT_RATE(test, snd->x_inst, 501);
	KUNIT_EXPECT_EQ(test, snd->t_timer, T0 + R + 7 * TFRC_NSEC_PER_SEC);
}

/*
 * R is 10 s, and becomes 10 ms after 51 packets of 1000 bytes, one in 100 ms, by false
 * acknowledgments: they were sent in 5 s. A packet after a pause counts for R.
 */
static void sender_test_metered(struct kunit *test)
{
	struct tfrc_sender snd;
	u32 i;

	sender_test_start(&snd, 40000);
	snd.rtt = 100 * R;
	for (i = 0; i < 51; i++)
		tfrc_sender_sent(&snd, S, T0 + i * R);
	snd.rtt = R / 10;
	tfrc_sender_sent(&snd, S, T0 + 1000 * R);
	EXPECT_RATE(test, snd.x_sent[0], 10200);
	tfrc_sender_sent(&snd, S, T0 + 2000 * R);
	EXPECT_RATE(test, snd.x_sent[0], 100000);
	EXPECT_RATE(test, snd.x_sent[1], 10200);
}

/* The user's limit holds for all rates; 1000 bytes in 64 s are 15.625 bytes/s. */
static void sender_test_most(struct kunit *test)
{
	struct tfrc_sender snd;

	tfrc_sender_init(&snd, &plain);
	snd.x_max = TFRC_RATE(30000);
	/* The initial rate is 4000 bytes in 100 ms, which is 40000 bytes/s. */
	tfrc_sender_start(&snd, S, R, T0);
	EXPECT_RATE(test, snd.x, 30000);
	tfrc_sender_move(&snd, TFRC_RATE(29999));
	EXPECT_RATE(test, snd.x, 29999);
	tfrc_sender_move(&snd, TFRC_RATE(30001));
	EXPECT_RATE(test, snd.x, 30000);
	EXPECT_RATE(test, snd.x_inst, 30000);
	snd.x_max = 0;
	tfrc_sender_move(&snd, TFRC_RATE(30001));
	KUNIT_EXPECT_EQ(test, snd.x, TFRC_RATE(15625) / 1000);
}

/* A limit of the application reduces X at once, but not to 0. */
static void sender_test_hold(struct kunit *test)
{
	struct tfrc_sender snd;

	sender_test_start(&snd, 100000);
	tfrc_sender_hold(&snd, TFRC_RATE(200000));
	EXPECT_RATE(test, snd.x, 100000);
	tfrc_sender_hold(&snd, TFRC_RATE(30000));
	EXPECT_RATE(test, snd.x, 30000);
	tfrc_sender_hold(&snd, 0);
	KUNIT_EXPECT_EQ(test, snd.x, TFRC_RATE(S) / 64);
}

/* Sizes of 5 * 1400 and 1 * 100 bytes: s = 1183.3 all the time, not of the last few. */
static void sender_test_mean_size(struct kunit *test)
{
	struct tfrc_sender snd;
	u32 least = U32_MAX, most = 0;
	int i;

	tfrc_sender_init(&snd, &plain);
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

/*
 * X_recv is 100000 once, and 10000 afterwards. Twice the greatest of two round trips is the
 * limit, whether reports come each R, as often as three values do in 2 R, or eight times as
 * often. The greatest of several may be the second. What came is not kept for longer.
 */
static void sender_test_recv_set(struct kunit *test)
{
	static const u64 gaps[] = { R, 2 * R / 3 + 1, R / 2, R / 4, R / 8 };
	struct tfrc_sender snd;

	for (int i = 0; i < ARRAY_SIZE(gaps); i++) {
		for (int second = 0; second < 2; second++) {
			u64 now = T0, high = T0 + second * gaps[i], want, x;

			if (second && 3 * gaps[i] >= 2 * R)
				continue;
			sender_test_start(&snd, 40000);
			for (; now <= T0 + 10 * R; now += gaps[i]) {
				snd.x_recv = TFRC_RATE(now == high ? 100000 : 10000);
				x = tfrc_sender_recv_limit(&snd, false, false, now);
				want = now >= high && now <= high + 2 * R ? 200000 : 20000;
				KUNIT_EXPECT_EQ_MSG(test, x, TFRC_RATE(want),
						    "gap %llu, %llu", gaps[i], now - T0);
			}
		}
	}
}

static struct kunit_case sender_cases[] = {
	KUNIT_CASE(sender_test_ipi),
	KUNIT_CASE(sender_test_own_rules),
	KUNIT_CASE(sender_test_sample),
	KUNIT_CASE(sender_test_no_data),
	KUNIT_CASE(sender_test_metered),
	KUNIT_CASE(sender_test_most),
	KUNIT_CASE(sender_test_hold),
	KUNIT_CASE(sender_test_mean_size),
	KUNIT_CASE(sender_test_recv_set),
	{ }
};

struct kunit_suite tfrc_sender_suite = {
	.name = "tfrc_sender",
	.test_cases = sender_cases,
};
