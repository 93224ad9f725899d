// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the limit by the queueing delay. Expected values are worked out by hand in
 * the comments, from the rules at the top of delay.c.
 *
 * If not said otherwise, R = 100 ms, s = 1000 bytes, the target is 50 ms, X = X_recv =
 * 100,000 bytes/s. So s/R is 10,000 bytes/s.
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

static void delay_test_init(struct tfrc_sender *snd)
{
	memset(snd, 0, sizeof(*snd));
	snd->s = S << TFRC_SIZE_SHIFT;
	snd->rtt = R;
	snd->x = TFRC_RATE(X);
	snd->x_recv = TFRC_RATE(X);
	tfrc_delay_set(snd, 50);
}

static const struct tfrc_feedback nothing;

/* A report with a sample of so many ms. Return: what X_inst may be */
static u64 delay_test_report(struct tfrc_sender *snd, u64 ms, u64 now)
{
	struct tfrc_report rep = { .fb = &nothing, .sample = ms * MS };

	tfrc_delay_feedback(snd, &rep, now);
	return tfrc_delay_limit(snd, snd->x);
}

static void delay_test_off(struct kunit *test)
{
	struct tfrc_sender snd;

	delay_test_init(&snd);
	tfrc_delay_set(&snd, 0);
	delay_test_report(&snd, 100, T0);
	EXPECT_RATE(test, delay_test_report(&snd, 900, T0 + SEC), X);
	KUNIT_EXPECT_EQ(test, snd.delay.rtt.least[0], 0);
	KUNIT_EXPECT_EQ(test, tfrc_delay_target(&snd, T0 + SEC), 0);
	EXPECT_RATE(test, tfrc_delay_limit(&snd, TFRC_RATE(7)), 7);
}

static void delay_test_range(struct kunit *test)
{
	u32 i;

	for (i = 0; i < 0x10000; i++)
		KUNIT_EXPECT_EQ(test, tfrc_delay_valid(i),
				!i || (i >= 5 && i <= 1000));
}

static void delay_test_cut(struct kunit *test)
{
	struct tfrc_sender snd;
	u64 t = T0;

	delay_test_init(&snd);
	EXPECT_RATE(test, delay_test_report(&snd, 100, t), X);
	/* q = 10, q' = 10 + 10 */
	EXPECT_RATE(test, delay_test_report(&snd, 110, t += R), X);
	/* q = 40, q' = 40 + 40, not 2 * 30: 30 above, f = 30 / 250 */
	EXPECT_RATE(test, delay_test_report(&snd, 140, t += R), 88000);
	/* q' = q = 40: 10 / 50 of s/R */
	EXPECT_RATE(test, delay_test_report(&snd, 140, t += R), 90000);
	/* q = 45, q' = 45 + 2 * 5: f = 5 / 250, and (1 - f) X_recv is more than X_delay */
	EXPECT_RATE(test, delay_test_report(&snd, 145, t += R), 90000);
	/* q = 100, q' = 200: f is at most 0.38 */
	EXPECT_RATE(test, delay_test_report(&snd, 200, t += R), 62000);
	/* q = 70: f = 20 / 250, and (1 - f) X_recv is more than X_delay */
	EXPECT_RATE(test, delay_test_report(&snd, 170, t += R), 62000);
	EXPECT_RATE(test, delay_test_report(&snd, 100, t += R), 72000);
	/* q = 25, q' = 50: it does not grow */
	EXPECT_RATE(test, delay_test_report(&snd, 125, t += R), 72000);
	/* two round trips: 2 * 0.5 s/R */
	EXPECT_RATE(test, delay_test_report(&snd, 125, t += 2 * R), 82000);
	/* q = 50 is the target */
	EXPECT_RATE(test, delay_test_report(&snd, 150, t += 100 * SEC), 82000);
	/* 82,000 + 4 * 10,000 is more than X */
	EXPECT_RATE(test, delay_test_report(&snd, 100, t += 4 * R), X);
	KUNIT_EXPECT_EQ(test, snd.delay.x, TFRC_RATE(X));
}

/*
 * R = 10 ms. A step follows after 7/8 of 50 ms, with the mean of the samples since the last
 * one, here q = (60 + 60 + 60 + 60 + 0) / 5 = 48. A step of CTFAF, which comes once in T,
 * counts for 200 ms.
 */
static void delay_test_near(struct kunit *test)
{
	struct tfrc_sender snd;
	u32 i;

	delay_test_init(&snd);
	snd.rtt = R / 10;
	snd.x = TFRC_RATE(10 * X);
	snd.x_recv = snd.x;
	delay_test_report(&snd, 100, T0);
	/* q = 100, and 100 more in two steps: f = 150 / 250, but at most 0.38 */
	EXPECT_RATE(test, delay_test_report(&snd, 200, T0 + R), 620000);
	/* 0.2 s / 2 s: a tenth */
	EXPECT_RATE(test, delay_test_report(&snd, 100, T0 + 3 * R), 682000);
	/* of a second, too */
	EXPECT_RATE(test, delay_test_report(&snd, 100, T0 + 13 * R), 750200);

	delay_test_init(&snd);
	snd.rtt = R / 10;
	delay_test_report(&snd, 100, T0);
	for (i = 1; i <= 4; i++)
		EXPECT_RATE(test, delay_test_report(&snd, 160, T0 + i * R / 10), X);
	KUNIT_EXPECT_EQ(test, snd.delay.q, 0);
	delay_test_report(&snd, 100, T0 + R / 2);
	KUNIT_EXPECT_EQ(test, snd.delay.q, 48 * MS);
}

/* With a long round trip the queue has two of them to become shorter. */
static void delay_test_long(struct kunit *test)
{
	struct tfrc_sender snd;

	delay_test_init(&snd);
	snd.rtt = 2 * R;
	EXPECT_RATE(test, delay_test_report(&snd, 200, T0), X);
	/* q = 50, q' = 100: f = 50 / 400 */
	EXPECT_RATE(test, delay_test_report(&snd, 250, T0 + 2 * R), 87500);
}

/* Rates of which half is more than 100,000 bytes/s, and rates near s/R */
static void delay_test_growth(struct kunit *test)
{
	struct tfrc_sender snd;
	u64 t = T0;

	delay_test_init(&snd);
	snd.x = TFRC_RATE(1000000);
	snd.x_recv = snd.x;
	delay_test_report(&snd, 100, t);
	EXPECT_RATE(test, delay_test_report(&snd, 200, t += 2 * R), 620000);
	/* 0.2 s: a tenth */
	EXPECT_RATE(test, delay_test_report(&snd, 100, t += 2 * R), 682000);
	/* ten round trips, of which four count: a fifth */
	EXPECT_RATE(test, delay_test_report(&snd, 100, t += 10 * R), 818400);
	/* at least half */
	snd.x_recv = 0;
	EXPECT_RATE(test, delay_test_report(&snd, 900, t += 2 * R), 409200);
	/* at least a packet in a round trip */
	snd.delay.x = TFRC_RATE(15000);
	EXPECT_RATE(test, delay_test_report(&snd, 900, t += 2 * R), 10000);
	/* 4 s/R more would be 50,000, but it at most doubles */
	EXPECT_RATE(test, delay_test_report(&snd, 100, t += 4 * R), 20000);
}

/*
 * R = 300 ms, of which 150 ms count. s / (100 ms)^2 is 100,000 bytes/s in a second. The
 * queue of 300 ms is 600 ms ahead, so f = 550 / 600, but at most 0.38.
 */
static void delay_test_growth_far(struct kunit *test)
{
	struct tfrc_sender snd;
	u64 t = T0;

	delay_test_init(&snd);
	snd.rtt = 3 * R;
	snd.x = TFRC_RATE(1000000);
	snd.x_recv = snd.x;
	delay_test_report(&snd, 100, t);
	EXPECT_RATE(test, delay_test_report(&snd, 400, t += 3 * R), 620000);
	/* 0.15 s / 2 s of X_delay */
	EXPECT_RATE(test, delay_test_report(&snd, 100, t += 3 * R), 666500);
	/* ten round trips, of which four count: 0.6 s / 2 s */
	EXPECT_RATE(test, delay_test_report(&snd, 100, t += 30 * R), 866450);
	/* 0.15 s of 100,000 */
	snd.delay.x = TFRC_RATE(50000);
	EXPECT_RATE(test, delay_test_report(&snd, 100, t += 3 * R), 65000);
	/* 150 ms count as a whole, 160 ms do not. */
	snd.rtt = 150 * MS;
	EXPECT_RATE(test, delay_test_report(&snd, 100, t += 150 * MS), 80000);
	snd.rtt = 160 * MS;
	EXPECT_RATE(test, delay_test_report(&snd, 100, t += 160 * MS), 95000);
}

/*
 * The least X_delay. Below a target of 100 ms it is s/R. From there on it is the window of
 * RFC 3390, min(4 s, max(2 s, 4380 bytes)), in R.
 */
static const struct {
	u32 target, s, rtt_ms, x;
} delay_test_leasts[] = {
	{ 5, 1000, 100, 10000 },
	{ 99, 1000, 100, 10000 },
	{ 100, 1000, 100, 40000 },
	{ 100, 100, 100, 4000 },
	{ 100, 1460, 100, 43800 },
	{ 100, 3000, 100, 60000 },
	{ 200, 1000, 400, 10000 },
};

static void delay_test_least(struct kunit *test)
{
	struct tfrc_sender snd;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(delay_test_leasts); i++) {
		delay_test_init(&snd);
		tfrc_delay_set(&snd, delay_test_leasts[i].target);
		snd.s = delay_test_leasts[i].s << TFRC_SIZE_SHIFT;
		snd.rtt = delay_test_leasts[i].rtt_ms * MS;
		/* Half of this is less. */
		snd.x = TFRC_RATE(delay_test_leasts[i].x * 3 / 2);
		snd.x_recv = 0;
		delay_test_report(&snd, 100, T0);
		EXPECT_RATE(test, delay_test_report(&snd, 900, T0 + 8 * R),
			    delay_test_leasts[i].x);
	}
}

/* X = 90,000: a step leaves two thirds of it while q < 100 ms, and half after that. */
static const struct {
	u32 target, q, x;
} delay_test_shorts[] = {
	{ 20, 50, 60000 },
	{ 20, 99, 60000 },
	{ 20, 100, 45000 },
	{ 100, 99, 60000 },
	{ 100, 100, 45000 },
	{ 200, 400, 45000 },
};

static void delay_test_short(struct kunit *test)
{
	struct tfrc_sender snd;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(delay_test_shorts); i++) {
		delay_test_init(&snd);
		tfrc_delay_set(&snd, delay_test_shorts[i].target);
		snd.x = TFRC_RATE(90000);
		snd.x_recv = 0;
		delay_test_report(&snd, 100, T0);
		EXPECT_RATE(test, delay_test_report(&snd, 100 + delay_test_shorts[i].q, T0 + R),
			    delay_test_shorts[i].x);
	}
}

/* A step each round trip, with the mean of its samples */
static void delay_test_once(struct kunit *test)
{
	struct tfrc_sender snd;
	u64 i, t = T0;

	delay_test_init(&snd);
	delay_test_report(&snd, 100, t);
	for (i = 1; i <= 3; i++)
		EXPECT_RATE(test, delay_test_report(&snd, 100 + 20 * i,
						    t += R / 4), X);
	/* a report without a sample */
	EXPECT_RATE(test, delay_test_report(&snd, 0, t), X);
	/* 120, 140, 160, 180: q = 50, q' = 100, f = 50 / 250 */
	EXPECT_RATE(test, delay_test_report(&snd, 180, t += R / 4), 80000);
}

/* R falls, and so do the times between reports: each of them is a step. */
static void delay_test_early(struct kunit *test)
{
	struct tfrc_sender snd;

	delay_test_init(&snd);
	delay_test_report(&snd, 100, T0);
	/* an eighth and a nanosecond too early */
	EXPECT_RATE(test, delay_test_report(&snd, 150, T0 + R * 7 / 8 - 1), X);
	/* 150 and 150: q = 50, q' = 100, f = 50 / 250 */
	EXPECT_RATE(test, delay_test_report(&snd, 150, T0 + R * 7 / 8), 80000);
}

/* A source that sends little: its X_recv is no share of the link. */
static void delay_test_limited(struct kunit *test)
{
	struct tfrc_report rep = {
		.fb = &nothing, .sample = 9 * R, .data_limited = true,
	};
	struct tfrc_sender snd;

	delay_test_init(&snd);
	snd.x_recv = TFRC_RATE(X / 5);
	delay_test_report(&snd, 100, T0);
	/* f = 0.38 of X, then of X_delay */
	tfrc_delay_feedback(&snd, &rep, T0 + 2 * R);
	EXPECT_RATE(test, tfrc_delay_limit(&snd, snd.x), 62000);
	tfrc_delay_feedback(&snd, &rep, T0 + 4 * R);
	EXPECT_RATE(test, tfrc_delay_limit(&snd, snd.x), 38440);
	/* of X_recv this would be 12,400, which is less than half */
	rep.data_limited = false;
	tfrc_delay_feedback(&snd, &rep, T0 + 6 * R);
	EXPECT_RATE(test, tfrc_delay_limit(&snd, snd.x), 19220);
	tfrc_delay_feedback(&snd, &rep, T0 + 8 * R);
	EXPECT_RATE(test, tfrc_delay_limit(&snd, snd.x), 12400);
}

/* After a loss X is far below X_delay: a step starts from X. */
static void delay_test_fallen(struct kunit *test)
{
	struct tfrc_report limited = {
		.fb = &nothing, .sample = 2 * R, .data_limited = true,
	};
	struct tfrc_sender snd;

	delay_test_init(&snd);
	snd.x = TFRC_RATE(10 * X);
	snd.x_recv = snd.x;
	delay_test_report(&snd, 100, T0);
	EXPECT_RATE(test, delay_test_report(&snd, 200, T0 + 2 * R), 620000);
	snd.x = TFRC_RATE(X);
	snd.x_recv = snd.x;
	/* q' = q = 100: f = 50 / 250 */
	EXPECT_RATE(test, delay_test_report(&snd, 200, T0 + 4 * R), 80000);
	/* of X, too, if the source sends less */
	snd.x = TFRC_RATE(X / 2);
	tfrc_delay_feedback(&snd, &limited, T0 + 6 * R);
	EXPECT_RATE(test, tfrc_delay_limit(&snd, snd.x), 40000);
}

/*
 * The queue is below the target of 50 ms, but since T0 it was not low, at most 12.5 ms. Return:
 * what a step at @t makes of X if q is 45 then, and 30 a round trip before: q' = 45 + 2 * 15
 */
static u64 delay_test_hover(struct tfrc_sender *snd, u64 t)
{
	delay_test_report(snd, 120, T0 + R);
	delay_test_report(snd, 130, T0 + 2 * R);
	delay_test_report(snd, 130, t - R);
	return delay_test_report(snd, 145, t);
}

/* A queue that was not low for 5 s is drained. */
static void delay_test_drain(struct kunit *test)
{
	struct tfrc_sender snd;
	u64 t = T0 + 5 * SEC;

	delay_test_init(&snd);
	delay_test_report(&snd, 100, T0);
	/* 25 above the target: f = 25 / 250 */
	EXPECT_RATE(test, delay_test_hover(&snd, t - 1), 90000);

	delay_test_init(&snd);
	delay_test_report(&snd, 100, T0);
	/* 62.5 above 12.5: f = 62.5 / 250 */
	EXPECT_RATE(test, delay_test_hover(&snd, t), 75000);
	/* q' = q = 20, which is 7.5 above: f = 7.5 / 250 of X_recv */
	snd.x_recv = TFRC_RATE(60000);
	EXPECT_RATE(test, delay_test_report(&snd, 120, t += R), 58200);
	KUNIT_EXPECT_EQ(test, snd.delay.t_above, 0);
	/* q = 12 is low: it grows by 38 / 50 of s/R, and goes on with q' = 20 + 2 * 8 */
	EXPECT_RATE(test, delay_test_report(&snd, 112, t += R), 65800);
	EXPECT_RATE(test, delay_test_report(&snd, 120, t += R), 68600);
}

/* Another flow keeps the queue from becoming low: it is drained for four steps. */
static void delay_test_drain_ends(struct kunit *test)
{
	struct tfrc_sender snd;
	u64 t = T0 + 5 * SEC;
	u32 i;

	delay_test_init(&snd);
	delay_test_report(&snd, 100, T0);
	EXPECT_RATE(test, delay_test_hover(&snd, t), 75000);
	/* 32.5 above 12.5, but 87,000 of X_recv is more than X_delay */
	for (i = 2; i <= 4; i++)
		EXPECT_RATE(test, delay_test_report(&snd, 145, t += R), 75000);
	/* 5 below the target: a tenth of s/R */
	EXPECT_RATE(test, delay_test_report(&snd, 145, t += R), 76000);

	/* again after 10 s: q = 60, q' = 60 + 2 * 15, f = 40 / 250 */
	t += 10 * SEC;
	snd.delay.x = 0;
	delay_test_report(&snd, 145, t - R - 1);
	EXPECT_RATE(test, delay_test_report(&snd, 160, t - 1), 84000);
	snd.delay.x = 0;
	/* below the target it is not drained, however long it was not low */
	EXPECT_RATE(test, delay_test_report(&snd, 130, t += R), X);
	/* q = 45, q' = 75, f = 62.5 / 250 */
	EXPECT_RATE(test, delay_test_report(&snd, 145, t += R), 75000);
}

/*
 * A path that has become longer: the queue is never low, and the time doubles. q is 45 and 60
 * by turns, so that it is above the target at each second step.
 */
static void delay_test_drain_doubled(struct kunit *test)
{
	static const u64 after[] = { 5, 10, 20, 40, 80, 80 };
	struct tfrc_sender snd;
	u64 t = T0, since = T0;
	u32 i, step = 0;

	delay_test_init(&snd);
	delay_test_report(&snd, 100, t);
	for (i = 0; i < ARRAY_SIZE(after); i++) {
		while (!snd.delay.drain && step < 5000)
			delay_test_report(&snd, ++step & 1 ? 145 : 160, t += R);
		KUNIT_EXPECT_GE(test, t - since, after[i] * SEC);
		KUNIT_EXPECT_LT(test, t - since, after[i] * SEC + 2 * R);
		while (snd.delay.drain && step < 5000)
			delay_test_report(&snd, ++step & 1 ? 145 : 160, t += R);
		since = t;
	}
	KUNIT_EXPECT_LT(test, step, 5000);
	/* It was low: then it is drained after 5 s again. */
	delay_test_report(&snd, 112, t += R);
	since = t;
	while (!snd.delay.drain && step < 5000)
		delay_test_report(&snd, ++step & 1 ? 145 : 160, t += R);
	KUNIT_EXPECT_LT(test, t - since, 5 * SEC + 2 * R);
}

/* A source that sends little: f is of X_delay. */
static void delay_test_drain_limited(struct kunit *test)
{
	struct tfrc_report rep = {
		.fb = &nothing, .sample = 145 * MS, .data_limited = true,
	};
	struct tfrc_sender snd;

	delay_test_init(&snd);
	snd.x_recv = TFRC_RATE(X / 5);
	delay_test_report(&snd, 100, T0);
	delay_test_report(&snd, 120, T0 + R);
	delay_test_report(&snd, 130, T0 + 2 * R);
	delay_test_report(&snd, 130, T0 + 5 * SEC - R);
	/* q = 45, q' = 75, f = 62.5 / 250 */
	tfrc_delay_feedback(&snd, &rep, T0 + 5 * SEC);
	EXPECT_RATE(test, tfrc_delay_limit(&snd, snd.x), 75000);
}

/* Steps that are 5 s apart, as CTFAF's may be: this is not known of a queue between them. */
static void delay_test_drain_slow(struct kunit *test)
{
	struct tfrc_sender snd;

	delay_test_init(&snd);
	delay_test_report(&snd, 100, T0);
	/* q = 55, q' = 55 + 2 / 50 * 55: f = 7.2 / 250, in 10^-3 */
	EXPECT_RATE(test, delay_test_report(&snd, 155, T0 + 5 * SEC), 97200);
}

/* What is low: a quarter of the target, but at least 10 ms */
static const struct {
	u32 target, low, not_low;
} delay_test_lows[] = {
	{ 50, 12, 13 },
	{ 40, 10, 11 },
	{ 20, 10, 11 },
	{ 100, 25, 26 },
};

static void delay_test_low(struct kunit *test)
{
	struct tfrc_sender snd;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(delay_test_lows); i++) {
		delay_test_init(&snd);
		tfrc_delay_set(&snd, delay_test_lows[i].target);
		delay_test_report(&snd, 100, T0);
		delay_test_report(&snd, 100 + delay_test_lows[i].not_low, T0 + SEC);
		KUNIT_EXPECT_EQ(test, snd.delay.t_low, T0);
		delay_test_report(&snd, 100 + delay_test_lows[i].low, T0 + 2 * SEC);
		KUNIT_EXPECT_EQ(test, snd.delay.t_low, T0 + 2 * SEC);
	}
	/* A target below 10 ms is its own goal: q = q' = 11, so 6 above it, f = 6 / 250 */
	delay_test_init(&snd);
	tfrc_delay_set(&snd, 5);
	delay_test_report(&snd, 100, T0);
	delay_test_report(&snd, 111, T0 + 5 * SEC - R);
	delay_test_report(&snd, 111, T0 + 5 * SEC);
	KUNIT_EXPECT_NE(test, snd.delay.drain, 0);
	snd.delay.x = 0;
	EXPECT_RATE(test, delay_test_report(&snd, 111, T0 + 5 * SEC + R), 97600);
}

/* It is not known since when the queue was not low. */
static void delay_test_low_unknown(struct kunit *test)
{
	struct tfrc_sender snd;
	u64 t = T0 + 5 * SEC;
	u32 i;

	/* no reports came */
	delay_test_init(&snd);
	delay_test_report(&snd, 100, T0);
	tfrc_delay_timeout(&snd, snd.x);
	EXPECT_RATE(test, delay_test_hover(&snd, t), 90000);
	/* while it is drained, too: it grows by a tenth of s/R */
	EXPECT_RATE(test, delay_test_hover(&snd, t + SEC), 75000);
	tfrc_delay_timeout(&snd, snd.x);
	EXPECT_RATE(test, delay_test_report(&snd, 145, t + SEC + R), 76000);

	/* 15 above another target: f = 15 / 250 */
	delay_test_init(&snd);
	delay_test_report(&snd, 100, T0);
	tfrc_delay_set(&snd, 60);
	EXPECT_RATE(test, delay_test_hover(&snd, t), 94000);
	/* while it is drained: 15 below another one */
	delay_test_hover(&snd, t + SEC);
	KUNIT_EXPECT_NE(test, snd.delay.drain, 0);
	tfrc_delay_set(&snd, 61);
	KUNIT_EXPECT_EQ(test, snd.delay.drain, 0);

	/* a pause, of 25 s: q' = q = 70, f = 20 / 250 */
	delay_test_init(&snd);
	delay_test_report(&snd, 100, T0);
	for (i = 1; !snd.delay.t_on && i < 30; i++)
		delay_test_report(&snd, 170, T0 + i * R);
	KUNIT_EXPECT_LT(test, i, 30);
	t = snd.delay.t_on;
	delay_test_report(&snd, 170, t - 1);
	EXPECT_RATE(test, delay_test_report(&snd, 170, t + R), 92000);
}

/* A sample of 100 ms counts for 150 s, and in the 150 s after them. */
static void delay_test_base(struct kunit *test)
{
	struct tfrc_sender snd;

	delay_test_init(&snd);
	delay_test_report(&snd, 100, T0);
	/* no reports for so long, so this is not a queue of two minutes */
	tfrc_delay_timeout(&snd, snd.x);
	/* q = 100: f = 50 / 250 */
	EXPECT_RATE(test, delay_test_report(&snd, 200, T0 + 149 * SEC), 80000);
	EXPECT_RATE(test, delay_test_report(&snd, 200, T0 + 150 * SEC), 80000);
	tfrc_delay_timeout(&snd, snd.x);
	EXPECT_RATE(test, delay_test_report(&snd, 200, T0 + 299 * SEC), 80000);
	/* 200 is the base now: q = 0 and X_delay grows. */
	EXPECT_RATE(test, delay_test_report(&snd, 200, T0 + 300 * SEC), X);
	KUNIT_EXPECT_EQ(test, snd.delay.rtt.least[1], 200 * MS);
	/* after any time */
	delay_test_report(&snd, 500, T0 + 600 * SEC);
	KUNIT_EXPECT_EQ(test, snd.delay.rtt.least[0], 500 * MS);
	KUNIT_EXPECT_EQ(test, snd.delay.rtt.least[1], 0);
	delay_test_report(&snd, 400, T0 + (1ULL << 62));
	KUNIT_EXPECT_EQ(test, snd.delay.rtt.least[0], 400 * MS);
	KUNIT_EXPECT_EQ(test, snd.delay.rtt.least[1], 0);
}

/*
 * A sample that came right after a step waits for the next one. If a long pause follows,
 * it may be less than any delay that the base knows. That is no queue.
 */
static void delay_test_pause(struct kunit *test)
{
	struct tfrc_sender snd;

	delay_test_init(&snd);
	delay_test_report(&snd, 100, T0);
	delay_test_report(&snd, 100, T0 + R / 4);
	EXPECT_RATE(test, delay_test_report(&snd, 120, T0 + 400 * SEC), X);
	KUNIT_EXPECT_EQ(test, snd.delay.q, 0);
	/* q = 10, q' = 20 */
	EXPECT_RATE(test, delay_test_report(&snd, 130, T0 + 400 * SEC + R), X);
	KUNIT_EXPECT_EQ(test, snd.delay.q, 10 * MS);
}

/*
 * A report with a sample of so many ms. The packet was on its way for so many ms more
 * than the first one, and the receiver's clock is @clock us before the sender's.
 */
static u64 delay_test_arrival(struct tfrc_sender *snd, u64 ms, s64 way,
			      u32 clock, u64 now)
{
	struct tfrc_feedback fb = {
		.arrival_us = clock + (u32)div_u64(now + way * (s64)MS,
						   TFRC_NSEC_PER_USEC),
		.has_arrival = true,
	};
	struct tfrc_report rep = {
		.fb = &fb, .sample = ms * MS, .sent = now,
	};

	tfrc_delay_feedback(snd, &rep, now);
	return tfrc_delay_limit(snd, snd->x);
}

/* Of two delays the one with less of a queue counts. */
static void delay_test_one_way(struct kunit *test)
{
	/* The last one has the arrivals before and after a wrap. */
	const u32 clocks[] = {
		0, 12345, U32_MAX, -(u32)div_u64(T0 + R, TFRC_NSEC_PER_USEC),
	};
	struct tfrc_sender snd;
	u64 t;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(clocks); i++) {
		delay_test_init(&snd);
		t = T0;
		delay_test_arrival(&snd, 100, 0, clocks[i], t);
		/* a queue on the way back only */
		EXPECT_RATE(test, delay_test_arrival(&snd, 900, 0, clocks[i],
						     t += R), X);
		/* the receiver's clock is fast */
		EXPECT_RATE(test, delay_test_arrival(&snd, 100, 500, clocks[i],
						     t += R), X);
		/* q = 30 of 30 and 60, q' = 60: f = 10 / 250 */
		EXPECT_RATE(test, delay_test_arrival(&snd, 160, 30, clocks[i],
						     t += R), 96000);
		/* a way that is shorter than the first: q = 0, 10,000 more */
		EXPECT_RATE(test, delay_test_arrival(&snd, 150, -5, clocks[i],
						     t += R), X);
		/* 5 ms more than that: q = 5, q' = 10 */
		EXPECT_RATE(test, delay_test_arrival(&snd, 150, 0, clocks[i],
						     t += R), X);
		KUNIT_EXPECT_EQ(test, snd.delay.q, 5 * MS);
		/* Reports without Arrival, and of a packet that is too old */
		delay_test_report(&snd, 130, t += R);
		KUNIT_EXPECT_EQ(test, snd.delay.q, 30 * MS);
	}
}

/*
 * Pauses with a target, ms and s: each twice as long as the one before, up to 60 s. They
 * end before the base of 100 ms is forgotten.
 */
static const struct {
	u32 target, pauses[6];
} delay_test_pauses[] = {
	{ 5, { 10, 20, 40, 60, 60 } },
	{ 20, { 10, 20, 40, 60, 60 } },
	{ 50, { 25, 50, 60 } },
	{ 100, { 50, 60 } },
	{ 120, { 60, 60 } },
	{ 140, { 60, 60 } },
};

/* A try that fails, with q = 300 for 2 s, and its pause. Return: when this ends */
static u64 delay_test_fail(struct kunit *test, struct tfrc_sender *snd,
			   u32 target, u32 pause, u64 t)
{
	/* 0.62 X_recv, or W_init / R of 4 s */
	u32 least = target < 100 ? 31000 : 40000;
	u32 k;

	for (k = 0; k < 10; k++, t += 2 * R) {
		KUNIT_EXPECT_EQ(test, tfrc_delay_target(snd, t), target * MS);
		EXPECT_RATE(test, delay_test_report(snd, 400, t),
			    k ? least : X / 2);
	}
	for (k = 0; k < 5 * pause; k++, t += 2 * R) {
		EXPECT_RATE(test, delay_test_report(snd, 400, t), X);
		KUNIT_EXPECT_EQ(test, tfrc_delay_target(snd, t), 0);
	}
	return t;
}

/* Above the target for 2 s: a pause */
static void delay_test_filled_by(struct kunit *test, u32 target,
				 const u32 *pauses)
{
	struct tfrc_sender snd;
	u64 t = T0;
	u32 i, k;

	delay_test_init(&snd);
	tfrc_delay_set(&snd, target);
	snd.x_recv = TFRC_RATE(X / 2);
	delay_test_report(&snd, 100, t - 2 * R);
	for (i = 0; pauses[i]; i++)
		t = delay_test_fail(test, &snd, target, pauses[i], t);

	/* A minute without a pause: the next one is as short as the first. */
	for (k = 0; k < 5 * 60; k++, t += 2 * R)
		EXPECT_RATE(test, delay_test_report(&snd, 100 + target, t), X);
	t = delay_test_fail(test, &snd, target, pauses[0], t);
	EXPECT_RATE(test, delay_test_report(&snd, 400, t), X / 2);
}

static void delay_test_filled(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(delay_test_pauses); i++)
		delay_test_filled_by(test, delay_test_pauses[i].target,
				     delay_test_pauses[i].pauses);
}

/* From @t on q = 300, and f = 0.38: a pause after 2 s */
static void delay_test_try(struct kunit *test, struct tfrc_sender *snd, u64 t)
{
	u32 k;

	for (k = 0; k < 10; k++, t += 2 * R)
		EXPECT_RATE(test, delay_test_report(snd, 400, t), 62000);
	EXPECT_RATE(test, delay_test_report(snd, 400, t), X);
}

/* A pause also if X_delay is more than half of X; with a long R after 4 R */
static void delay_test_deep(struct kunit *test)
{
	struct tfrc_sender snd;
	u64 t = T0;
	u32 k;

	delay_test_init(&snd);
	delay_test_report(&snd, 100, t);
	delay_test_try(test, &snd, t + 2 * R);

	/* 4 R are 2.8 s. The last step before is at 2.1 s. */
	delay_test_init(&snd);
	snd.rtt = 7 * R;
	delay_test_report(&snd, 700, t);
	/* q = 460, q' = 920 at first: f = 0.38. Then f = 410 / 1400 */
	for (k = 0; k < 4; k++)
		EXPECT_RATE(test, delay_test_report(&snd, 1160, t += 7 * R),
			    62000);
	EXPECT_RATE(test, delay_test_report(&snd, 1160, t += 7 * R), X);
}

/*
 * The flow's own queue of 1 s, which gets shorter by 200 ms in a second: no pause after 4 q,
 * 2.2 s. From 200 ms on it stays as it is, until it is shorter by less than an eighth of
 * the time since it was longest, 6.4 s.
 */
static void delay_test_emptying(struct kunit *test)
{
	struct tfrc_sender snd;
	u64 k;

	delay_test_init(&snd);
	snd.x_recv = TFRC_RATE(X / 2);
	delay_test_report(&snd, 100, T0 - 2 * R);
	for (k = 0; k < 32; k++)
		EXPECT_RATE(test,
			    delay_test_report(&snd, k < 20 ? 1100 - 40 * k : 300,
					      T0 + 2 * k * R),
			    k ? 31000 : X / 2);
	EXPECT_RATE(test, delay_test_report(&snd, 300, T0 + 2 * k * R), X);
}

/* Of a queue that gets shorter by 200 ms in a second losses are no sign, either. */
static void delay_test_emptying_lossy(struct kunit *test)
{
	struct tfrc_report rep = { .fb = &nothing };
	struct tfrc_sender snd;
	u64 k;

	/*
	 * From 120 ms on it stays as it is, 680 ms shorter than at first, an eighth of 5.44 s.
	 * f = 70 / 250 there, and 0.72 X_recv is more than X_delay.
	 */
	delay_test_init(&snd);
	delay_test_report(&snd, 100, T0 - 2 * R);
	for (k = 0; k <= 28; k++) {
		rep.event = k;
		rep.sample = (k < 17 ? 900 - 40 * k : 220) * MS;
		tfrc_delay_feedback(&snd, &rep, T0 + 2 * k * R);
		EXPECT_RATE(test, tfrc_delay_limit(&snd, snd.x),
			    k < 28 ? 62000 : X);
	}
}

/*
 * A queue of 1 s hides what the sender does for as long, and R does not know it yet: a
 * pause after 4 s in the place of 2 s, and 2 losses count after 2 s in the place of one.
 */
static void delay_test_late(struct kunit *test)
{
	struct tfrc_report rep = { .fb = &nothing, .sample = 1100 * MS };
	struct tfrc_sender snd;
	u64 k;

	delay_test_init(&snd);
	delay_test_report(&snd, 100, T0 - 2 * R);
	for (k = 0; k < 20; k++)
		EXPECT_RATE(test, delay_test_report(&snd, 1100, T0 + 2 * k * R),
			    62000);
	EXPECT_RATE(test, delay_test_report(&snd, 1100, T0 + 2 * k * R), X);

	delay_test_init(&snd);
	delay_test_report(&snd, 100, T0 - 2 * R);
	for (k = 0; k <= 11; k++) {
		rep.event = k;
		tfrc_delay_feedback(&snd, &rep, T0 + 2 * k * R);
		EXPECT_RATE(test, tfrc_delay_limit(&snd, snd.x),
			    k < 11 ? 62000 : X);
	}
}

/*
 * The queue is above the target by chance: q' = 60 + 60 at first, f = 70 / 250. Then less
 * arrives for a moment: q = 90 and q' = 120, f = 0.28, which asks for 43,200, more than half.
 * A second after the first step the link has an eighth. Two steps should take more than half,
 * and the time counts from the first of them on. Return: when the pause began, less @t
 */
static u64 delay_test_slower(struct kunit *test, struct tfrc_sender *snd,
			     u32 steps, u64 t)
{
	static const u32 rates[] = { 72000, 72000, 72000, 48000, 48000, 24000, 12000 };
	u64 k;

	snd->delay.x = 0;
	for (k = 0; k < steps; k++) {
		snd->x_recv = TFRC_RATE(k < 5 ? (k == 3 ? 60000 : X) : X / 8);
		if (delay_test_report(snd, k < 5 ? (k == 3 ? 190 : 160) : 400,
				      t + 2 * k * R) == snd->x)
			break;
		/* then s/R, as 0.62 X_recv is less */
		EXPECT_RATE(test, snd->delay.x, k < ARRAY_SIZE(rates) ? rates[k] : 10000);
	}
	return 2 * k * R;
}

/* Again after a pause, and after the queue was short */
static void delay_test_link(struct kunit *test)
{
	struct tfrc_sender snd;
	u64 t = T0;

	delay_test_init(&snd);
	delay_test_report(&snd, 100, t - 2 * R);
	KUNIT_EXPECT_EQ(test, delay_test_slower(test, &snd, 40, t), 3 * SEC);
	t += 100 * SEC;
	delay_test_report(&snd, 100, t - 2 * R);
	delay_test_slower(test, &snd, 12, t);
	t += 24 * R;
	delay_test_report(&snd, 100, t);
	t += 2 * R;
	KUNIT_EXPECT_EQ(test, delay_test_slower(test, &snd, 40, t), 3 * SEC);
}

/*
 * X is twice X_recv at first, so the first step should take more than half: the time
 * begins there, and may begin anew. X = 90,000, and f = 0.28 at first, then 0.04.
 */
static void delay_test_link_started(struct kunit *test)
{
	static const u32 rates[] = { 60000, 43200, 43200, 43200, 43200, 21600 };
	struct tfrc_sender snd;
	u64 k;

	delay_test_init(&snd);
	snd.x = TFRC_RATE(90000);
	delay_test_report(&snd, 100, T0 - 2 * R);
	for (k = 0; k < 15; k++) {
		snd.x_recv = snd.x / (k < 5 ? 2 : 4);
		EXPECT_RATE(test, delay_test_report(&snd, k < 5 ? 160 : 400, T0 + 2 * k * R),
			    k < ARRAY_SIZE(rates) ? rates[k] : 13950);
	}
	EXPECT_RATE(test, delay_test_report(&snd, 400, T0 + 2 * k * R), 90000);
}

/*
 * q = 20 is not low, so the queue is drained when q' = 60 + 40 comes to the target: the
 * goal is 12.5 ms, and f = 0.35. X = 90,000. Less arrives while it is: the pause comes 2
 * s after the first step.
 */
static void delay_test_link_drain(struct kunit *test)
{
	static const u32 rates[] = { 60000, 30000, 15000 };
	struct tfrc_sender snd;
	u64 k;

	delay_test_init(&snd);
	snd.x = TFRC_RATE(90000);
	delay_test_report(&snd, 100, T0 - 61 * 2 * R);
	for (k = 60; k; k--)
		delay_test_report(&snd, 120, T0 - 2 * k * R);
	for (k = 0; k < 10; k++) {
		snd.x_recv = snd.x / (k ? 4 : 1);
		EXPECT_RATE(test, delay_test_report(&snd, k ? 400 : 160, T0 + 2 * k * R),
			    k < ARRAY_SIZE(rates) ? rates[k] : 13950);
	}
	EXPECT_RATE(test, delay_test_report(&snd, 400, T0 + 2 * k * R), 90000);
}

/*
 * The queue of delay_test_emptying(). After 2 s much less arrives for a moment, so the time
 * counts anew, but the queue was longest before that.
 */
static void delay_test_link_emptying(struct kunit *test)
{
	struct tfrc_sender snd;
	u64 k;

	delay_test_init(&snd);
	delay_test_report(&snd, 100, T0 - 2 * R);
	for (k = 0; k < 32; k++) {
		snd.x_recv = TFRC_RATE(k == 10 ? X / 20 : X / 2);
		EXPECT_RATE(test,
			    delay_test_report(&snd, k < 20 ? 1100 - 40 * k : 300,
					      T0 + 2 * k * R),
			    !k ? X / 2 : k < 10 ? 31000 : 15500);
	}
	EXPECT_RATE(test, delay_test_report(&snd, 300, T0 + 2 * k * R), X);
}

/* A loss event of before the link was slower does not count. */
static void delay_test_link_lossy(struct kunit *test)
{
	struct tfrc_report rep = { .fb = &nothing };
	struct tfrc_sender snd;
	u64 k;

	delay_test_init(&snd);
	delay_test_report(&snd, 100, T0 - 2 * R);
	for (k = 0; k <= 12; k++) {
		snd.x_recv = TFRC_RATE(k < 6 ? X : X / 4);
		rep.sample = (k < 6 ? 160 : 400) * MS;
		/* The first one is a second after the first step. */
		rep.event = k >= 5;
		tfrc_delay_feedback(&snd, &rep, T0 + 2 * k * R);
		/* The link is slower from T0 + 1.2 s on: events of T0 + 2.2 s and 2.4 s */
		KUNIT_EXPECT_EQ(test, tfrc_delay_limit(&snd, snd.x) == snd.x, k == 12);
	}
}

/* The time above the target begins anew after a step at the target. */
static void delay_test_stays_above(struct kunit *test)
{
	struct tfrc_sender snd;
	u64 k, t = T0;

	delay_test_init(&snd);
	delay_test_report(&snd, 100, t - 2 * R);
	for (k = 0; k < 9; k++, t += 2 * R)
		EXPECT_RATE(test, delay_test_report(&snd, 400, t), 62000);
	/* q = q' = 50: no room to grow */
	EXPECT_RATE(test, delay_test_report(&snd, 150, t), 62000);
	delay_test_try(test, &snd, t + 2 * R);
}

/* A queue of 1 s that is gone says nothing of one of 300 ms: a pause after 2 s. */
static void delay_test_another(struct kunit *test)
{
	struct tfrc_sender snd;

	delay_test_init(&snd);
	delay_test_report(&snd, 100, T0 - 2 * R);
	EXPECT_RATE(test, delay_test_report(&snd, 1100, T0), 62000);
	EXPECT_RATE(test, delay_test_report(&snd, 150, T0 + 2 * R), 62000);
	delay_test_try(test, &snd, T0 + 4 * R);
}

/* If no report came, the time begins anew. */
static void delay_test_expiry(struct kunit *test)
{
	struct tfrc_sender snd;

	delay_test_init(&snd);
	delay_test_report(&snd, 100, T0 - 2 * R);
	EXPECT_RATE(test, delay_test_report(&snd, 400, T0), 62000);
	tfrc_delay_timeout(&snd, snd.x);
	EXPECT_RATE(test, delay_test_report(&snd, 400, T0 + 20 * R), 62000);
	EXPECT_RATE(test, delay_test_report(&snd, 400, T0 + 39 * R), 62000);
	EXPECT_RATE(test, delay_test_report(&snd, 400, T0 + 40 * R), X);
}

/* X is above X_delay. When the nofeedback timer reduces X by an eighth, X_delay follows. */
static void delay_test_silence(struct kunit *test)
{
	struct tfrc_sender snd;

	delay_test_init(&snd);
	delay_test_report(&snd, 100, T0 - 2 * R);
	EXPECT_RATE(test, delay_test_report(&snd, 400, T0), 62000);
	tfrc_delay_timeout(&snd, snd.x);
	KUNIT_EXPECT_EQ(test, snd.delay.x, TFRC_RATE(62000));
	snd.x = TFRC_RATE(87500);
	tfrc_delay_timeout(&snd, TFRC_RATE(100000));
	KUNIT_EXPECT_EQ(test, snd.delay.x, TFRC_RATE(54250));
	/* s/R is left to it */
	snd.x = TFRC_RATE(10);
	tfrc_delay_timeout(&snd, TFRC_RATE(87500));
	KUNIT_EXPECT_EQ(test, snd.delay.x, TFRC_RATE(10000));
}

/* Two loss events after the first second above the target: a pause */
static void delay_test_losses(struct kunit *test)
{
	struct tfrc_report rep = { .fb = &nothing, .sample = 400 * MS };
	struct tfrc_sender snd;
	u64 t;
	u32 k;

	delay_test_init(&snd);
	delay_test_report(&snd, 100, T0 - 2 * R);
	for (k = 0; k <= 6; k++) {
		rep.event = k;
		tfrc_delay_feedback(&snd, &rep, T0 + 2 * k * R);
		EXPECT_RATE(test, tfrc_delay_limit(&snd, snd.x),
			    k < 6 ? 62000 : X);
	}

	/* The next try, after 25 s, counts its own losses. */
	t = T0 + 12 * R + 25 * SEC;
	KUNIT_EXPECT_EQ(test, tfrc_delay_target(&snd, t - 1), 0);
	rep.event = false;
	tfrc_delay_feedback(&snd, &rep, t);
	EXPECT_RATE(test, tfrc_delay_limit(&snd, snd.x), 62000);
	for (k = 1; k <= 6; k++) {
		rep.event = k > 4;
		tfrc_delay_feedback(&snd, &rep, t + 2 * k * R);
	}
	EXPECT_RATE(test, tfrc_delay_limit(&snd, snd.x), X);

	/* Another target ends a pause. */
	KUNIT_EXPECT_EQ(test, tfrc_delay_target(&snd, t + 12 * R), 0);
	tfrc_delay_set(&snd, 20);
	KUNIT_EXPECT_EQ(test, tfrc_delay_target(&snd, t + 12 * R), 20 * MS);
}

static void delay_test_set(struct kunit *test)
{
	struct tfrc_sender snd;

	delay_test_init(&snd);
	delay_test_report(&snd, 100, T0);
	EXPECT_RATE(test, delay_test_report(&snd, 200, T0 + 2 * R), 62000);
	tfrc_delay_set(&snd, 50);
	EXPECT_RATE(test, tfrc_delay_limit(&snd, snd.x), 62000);
	/* Another target changes what follows, and not what is. */
	tfrc_delay_set(&snd, 1000);
	EXPECT_RATE(test, tfrc_delay_limit(&snd, snd.x), 62000);
	KUNIT_EXPECT_EQ(test, snd.delay.target, 1000 * MS);
	/* The base is that of before: q = 100, f = (100 - 20) / 250, and 68,000 is no cut */
	tfrc_delay_set(&snd, 20);
	EXPECT_RATE(test, delay_test_report(&snd, 200, T0 + 4 * R), 62000);
	KUNIT_EXPECT_NE(test, snd.delay.t_above, 0);
	/* Nothing is measured while it is off. */
	tfrc_delay_set(&snd, 0);
	tfrc_delay_set(&snd, 20);
	KUNIT_EXPECT_EQ(test, snd.delay.rtt.least[0], 0);
}

static void delay_test_extreme(struct kunit *test)
{
	struct tfrc_report rep = { .fb = &nothing, .sample = 1 };
	struct tfrc_sender snd;
	u32 i;

	delay_test_init(&snd);
	tfrc_delay_set(&snd, 1000);
	snd.rtt = TFRC_RTT_MIN;
	snd.x = TFRC_RATE_MAX;
	snd.x_recv = 2 * TFRC_RATE_MAX;
	tfrc_delay_feedback(&snd, &rep, 0);
	tfrc_delay_feedback(&snd, &rep, T0);
	rep.sample = U64_MAX;
	/* 0.62 * 2 is more than X */
	tfrc_delay_feedback(&snd, &rep, T0 + SEC);
	KUNIT_EXPECT_EQ(test, snd.delay.x, TFRC_RATE_MAX);
	KUNIT_EXPECT_EQ(test, snd.delay.q, TFRC_RTT_MAX - TFRC_RTT_MIN);
	/* 4000 bytes in 100 us, which is more than half */
	snd.x_recv = 0;
	snd.delay.x = TFRC_RATE(60000000);
	tfrc_delay_feedback(&snd, &rep, T0 + 2 * SEC);
	EXPECT_RATE(test, snd.delay.x, 40000000);

	/* more samples in a round trip than are counted */
	snd.rtt = TFRC_RTT_MAX;
	for (i = 0; i < 70000; i++)
		tfrc_delay_feedback(&snd, &rep, T0 + 2 * SEC + i);
	tfrc_delay_feedback(&snd, &rep, T0 + 30 * SEC);
	KUNIT_EXPECT_EQ(test, snd.delay.q, TFRC_RTT_MAX - TFRC_RTT_MIN);
}

/* The same through the sender, which any scheme has */

static void delay_test_move(struct tfrc_sender *snd, u64 now)
{
	tfrc_sender_move(snd, TFRC_RATE(X));
}

static void delay_test_plain(struct tfrc_sender *snd,
			     const struct tfrc_report *rep, u64 now)
{
	tfrc_sender_move(snd, TFRC_RATE(X));
}

static void delay_test_moves(struct tfrc_sender *snd,
			     const struct tfrc_report *rep, u64 now)
{
	tfrc_sender_move(snd, TFRC_RATE(X));
	/* as TFRC does in a round trip that is shorter than the mean */
	snd->x_inst = 2 * snd->x;
}

static void delay_test_expired(struct tfrc_sender *snd, bool idle, u64 now)
{
	delay_test_moves(snd, NULL, now);
}

static u64 delay_test_after(const struct tfrc_sender *snd)
{
	return SEC;
}

static const struct tfrc_sender_ops delay_test_ops = {
	.start = delay_test_move,
	.feedback = delay_test_moves,
	.timeout = delay_test_expired,
	.limited = tfrc_sender_limited,
	.timeout_after = delay_test_after,
};

/* A step of CTFAF is not due with each report: X stays, also when packets become larger. */
static void delay_test_stays(struct tfrc_sender *snd,
			     const struct tfrc_report *rep, u64 now)
{
}

static void delay_test_larger(struct kunit *test)
{
	struct tfrc_sender_ops ops = delay_test_ops;
	struct tfrc_feedback fb = { };
	struct tfrc_sender snd;

	ops.feedback = delay_test_stays;
	tfrc_sender_init(&snd, &ops);
	tfrc_sender_start(&snd, 64, R, T0);
	tfrc_delay_set(&snd, 50);
	/* the least rate: one packet of 64 bytes in 64 s */
	tfrc_sender_move(&snd, 0);
	EXPECT_RATE(test, snd.x_inst, 1);
	tfrc_sender_sent(&snd, 64, T0);
	snd.s = 64000 << TFRC_SIZE_SHIFT;
	snd.delay.x = 1;
	give_feedback(&snd, &fb, R, false, T0 + R);
	EXPECT_RATE(test, snd.x, 1);
	KUNIT_EXPECT_LE(test, snd.x_inst, snd.x);
}

static void delay_test_sender(struct kunit *test)
{
	struct tfrc_feedback fb = { .x_recv = TFRC_RATE(X) };
	struct tfrc_sender snd;
	u32 i;

	tfrc_sender_init(&snd, &delay_test_ops);
	tfrc_sender_start(&snd, S, R, T0);
	tfrc_delay_set(&snd, 50);
	tfrc_sender_sent(&snd, S, T0);
	give_feedback(&snd, &fb, R, false, T0 + R);
	EXPECT_RATE(test, snd.x_inst, 2 * X);

	/* 20,000 bytes in a round trip, so X_recv counts as it is */
	for (i = 0; i < 20; i++)
		tfrc_sender_sent(&snd, S, T0 + SEC);
	give_feedback(&snd, &fb, 10 * R, false, T0 + SEC + R);
	EXPECT_RATE(test, snd.x, X);
	EXPECT_RATE(test, snd.x_inst, 62000);
	/* 1000 / 62,000 s */
	KUNIT_EXPECT_EQ(test, tfrc_ipi(tfrc_sender_rate(&snd), S) / 1000, 16129);
	tfrc_sender_hold(&snd, TFRC_RATE(90000));
	EXPECT_RATE(test, snd.x, 90000);
	EXPECT_RATE(test, snd.x_inst, 62000);
	tfrc_sender_hold(&snd, TFRC_RATE(50000));
	EXPECT_RATE(test, snd.x_inst, 50000);
	tfrc_sender_timeout(&snd, T0 + 3 * SEC);
	EXPECT_RATE(test, snd.x, X);
	EXPECT_RATE(test, snd.x_inst, 62000);
}

/*
 * The report with which X_delay rises lifts X_inst: packets of 1000 bytes, and no queue for
 * 100 ms, are 10,000 bytes/s.
 */
static void delay_test_follows(struct kunit *test)
{
	struct tfrc_sender_ops ops = delay_test_ops;
	struct tfrc_feedback fb = { .x_recv = TFRC_RATE(X) };
	struct tfrc_sender snd;

	ops.feedback = delay_test_plain;
	tfrc_sender_init(&snd, &ops);
	tfrc_sender_start(&snd, S, R, T0);
	tfrc_delay_set(&snd, 50);
	tfrc_sender_sent(&snd, S, T0);
	give_feedback(&snd, &fb, R, false, T0 + SEC);
	snd.delay.x = TFRC_RATE(50000);
	give_feedback(&snd, &fb, R, false, T0 + SEC + R);
	EXPECT_RATE(test, snd.delay.x, 60000);
	EXPECT_RATE(test, snd.x_inst, 60000);
	KUNIT_EXPECT_EQ(test, snd.x, TFRC_RATE(X));
}

static void delay_test_corrects(struct tfrc_sender *snd,
				const struct tfrc_report *rep, u64 now)
{
	tfrc_sender_move(snd, TFRC_RATE(X));
	/* as TFRC does in a round trip that is longer than the mean */
	snd->x_inst = TFRC_RATE(70000);
}

/*
 * X_inst before the report, and R after it. X is 100,000 bytes/s then, X_inst without the
 * limit 200,000, and with it 68,200. So many packets, each in so many us, leave before that.
 */
static const struct {
	u32 x_inst, rtt_ms, waits, n, us;
	void (*feedback)(struct tfrc_sender *snd, const struct tfrc_report *rep, u64 now);
	u32 x_max;
	bool l4s;
} delay_test_waits[] = {
	{ 200000, 115, 0, 0, 0 },
	{ 200000, 115, 3, 3, 10000 },
	/* no more than X: 10,000 bytes in 100 ms, and 7000 in R */
	{ 200000, 115, 50, 10, 10000 },
	{ 200000, 70, 50, 7, 10000 },
	/* no more than it was before */
	{ 80000, 115, 50, 8, 12500 },
	{ 60000, 115, 50, 0, 0 },
	/* no more than the scheme has now, nor than the user wants: 7500 bytes begin 8 packets */
	{ 200000, 115, 50, 7, 14285, delay_test_corrects },
	{ 200000, 115, 50, 8, 13333, delay_test_stays, 75000 },
	{ 200000, 115, 50, 0, 0, .l4s = true },
};

static void delay_test_lower(struct kunit *test, struct tfrc_sender *snd, u32 i)
{
	struct tfrc_feedback fb = { .x_recv = TFRC_RATE(110000) };
	struct tfrc_report rep = {
		.fb = &fb, .sample = 250 * MS, .waits = delay_test_waits[i].waits,
	};
	static struct tfrc_sender_ops ops;
	u32 k;

	ops = delay_test_ops;
	tfrc_sender_init(snd, &ops);
	tfrc_sender_start(snd, S, R, T0);
	tfrc_delay_set(snd, 50);
	tfrc_sender_sent(snd, S, T0);
	give_feedback(snd, &fb, R, false, T0 + R);
	for (k = 0; k < 20; k++)
		tfrc_sender_sent(snd, S, T0 + SEC);
	snd->x_inst = TFRC_RATE(delay_test_waits[i].x_inst);
	snd->l4s.on = delay_test_waits[i].l4s;
	if (delay_test_waits[i].feedback)
		ops.feedback = delay_test_waits[i].feedback;
	if (delay_test_waits[i].x_max)
		snd->x_max = TFRC_RATE(delay_test_waits[i].x_max);
	/* R is 9 parts of this, and one of the sample */
	snd->rtt = div_u64(delay_test_waits[i].rtt_ms * MS - 25 * MS, 9) * 10;
	tfrc_sender_feedback(snd, &rep, T0 + SEC + R);
	EXPECT_RATE(test, snd->x_inst, 68200);
}

/* Packets that wait when the limit lowers X_inst are sent as before. */
static void delay_test_waiting(struct kunit *test)
{
	struct tfrc_sender snd;
	u32 i, n;

	for (i = 0; i < ARRAY_SIZE(delay_test_waits); i++) {
		delay_test_lower(test, &snd, i);
		for (n = 0; n < delay_test_waits[i].n; n++) {
			KUNIT_EXPECT_EQ_MSG(test, tfrc_ipi(tfrc_sender_rate(&snd), S) / 1000,
					    delay_test_waits[i].us, "case %u, packet %u", i, n);
			tfrc_sender_sent(&snd, S, T0 + 2 * SEC);
		}
		/* 1000 / 68,200 s, for any number of packets */
		for (n = 0; n < 3; n++) {
			KUNIT_EXPECT_EQ_MSG(test, tfrc_ipi(tfrc_sender_rate(&snd), S) / 1000, 14662,
					    "case %u", i);
			tfrc_sender_sent(&snd, S, T0 + 2 * SEC);
		}
	}

	/* not after another decision */
	delay_test_lower(test, &snd, 2);
	give_feedback(&snd, &nothing, R, false, T0 + 2 * SEC);
	KUNIT_EXPECT_EQ(test, tfrc_sender_rate(&snd), snd.x_inst);
	delay_test_lower(test, &snd, 2);
	tfrc_sender_timeout(&snd, T0 + 3 * SEC);
	KUNIT_EXPECT_EQ(test, tfrc_ipi(tfrc_sender_rate(&snd), S) / 1000, 14662);
	delay_test_lower(test, &snd, 2);
	tfrc_sender_hold(&snd, TFRC_RATE(50000));
	KUNIT_EXPECT_EQ(test, tfrc_ipi(tfrc_sender_rate(&snd), S) / 1000, 20000);
}

static struct kunit_case delay_cases[] = {
	KUNIT_CASE(delay_test_off),
	KUNIT_CASE(delay_test_range),
	KUNIT_CASE(delay_test_cut),
	KUNIT_CASE(delay_test_near),
	KUNIT_CASE(delay_test_long),
	KUNIT_CASE(delay_test_growth),
	KUNIT_CASE(delay_test_growth_far),
	KUNIT_CASE(delay_test_least),
	KUNIT_CASE(delay_test_short),
	KUNIT_CASE(delay_test_once),
	KUNIT_CASE(delay_test_early),
	KUNIT_CASE(delay_test_limited),
	KUNIT_CASE(delay_test_fallen),
	KUNIT_CASE(delay_test_drain),
	KUNIT_CASE(delay_test_drain_ends),
	KUNIT_CASE(delay_test_drain_doubled),
	KUNIT_CASE(delay_test_drain_limited),
	KUNIT_CASE(delay_test_drain_slow),
	KUNIT_CASE(delay_test_low),
	KUNIT_CASE(delay_test_low_unknown),
	KUNIT_CASE(delay_test_base),
	KUNIT_CASE(delay_test_pause),
	KUNIT_CASE(delay_test_one_way),
	KUNIT_CASE(delay_test_filled),
	KUNIT_CASE(delay_test_deep),
	KUNIT_CASE(delay_test_emptying),
	KUNIT_CASE(delay_test_emptying_lossy),
	KUNIT_CASE(delay_test_late),
	KUNIT_CASE(delay_test_link),
	KUNIT_CASE(delay_test_link_started),
	KUNIT_CASE(delay_test_link_drain),
	KUNIT_CASE(delay_test_link_emptying),
	KUNIT_CASE(delay_test_link_lossy),
	KUNIT_CASE(delay_test_stays_above),
	KUNIT_CASE(delay_test_another),
	KUNIT_CASE(delay_test_expiry),
	KUNIT_CASE(delay_test_silence),
	KUNIT_CASE(delay_test_losses),
	KUNIT_CASE(delay_test_set),
	KUNIT_CASE(delay_test_extreme),
	KUNIT_CASE(delay_test_larger),
	KUNIT_CASE(delay_test_sender),
	KUNIT_CASE(delay_test_follows),
	KUNIT_CASE(delay_test_waiting),
	{ }
};

struct kunit_suite tfrc_delay_suite = {
	.name = "tfrc_delay",
	.test_cases = delay_cases,
};
