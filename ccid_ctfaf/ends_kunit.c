// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of CTFAF's sender.c and receiver.c, with single packets and reports.
 */
#include <kunit/test.h>
#include "../lib_tfrc/kunit.h"
#include "receiver.c"
#include "sender.c"

#define MS	TFRC_NSEC_PER_MSEC
#define SEC	TFRC_NSEC_PER_SEC
#define T0	(1000 * SEC)
#define S	1000
#define R	(100 * MS)

static struct ctfaf_sender *ends_test_of(struct tfrc_sender *snd)
{
	return container_of(snd, struct ctfaf_sender, is.base);
}

static void ends_test_feedback(struct tfrc_sender *snd,
			       const struct tfrc_report *rep, u64 now)
{
	ctfaf_sender_feedback(ends_test_of(snd), rep, now);
}

static void ends_test_timeout(struct tfrc_sender *snd, bool idle, u64 now)
{
	ctfaf_sender_timeout(ends_test_of(snd), idle);
}

static const struct tfrc_sender_ops ends_sender_ops = {
	.start = ctfaf_sender_start,
	.feedback = ends_test_feedback,
	.timeout = ends_test_timeout,
	.limited = tfrc_sender_limited,
	.timeout_after = interval_sender_timeout_after,
};

static struct ctfaf_sender *ends_test_sender_new(struct kunit *test)
{
	struct ctfaf_sender *cs = kunit_kzalloc(test, sizeof(*cs), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, cs);
	tfrc_sender_init(&cs->is.base, &ends_sender_ops);
	cs->ct.par = (struct dccp_ctfaf_constraints) {
		.r_min = 1000, .r_max = 1000000, .step = 1, .r_start = 20000,
		.increase = 1250, .interval = 1000, .t_reset = 60000,
		.l_severe = 1000000, .probe_every = 1,
	};
	ctfaf_sender_constrain(cs);
	tfrc_sender_start(&cs->is.base, S, R, T0);
	return cs;
}

/* A step follows from a report each T: A is 1250 bytes/s where R_b is unknown. */
static void ends_test_steps(struct kunit *test)
{
	struct ctfaf_sender *cs = ends_test_sender_new(test);
	struct tfrc_sender *snd = &cs->is.base;
	struct tfrc_feedback fb = { .x_recv = TFRC_RATE(20000) };
	u32 i;

	EXPECT_RATE(test, snd->x, 20000);
	/* 20 packets take 1 s, as long as T */
	KUNIT_EXPECT_EQ(test, cs->is.interval, SEC);
	KUNIT_EXPECT_EQ(test, snd->t_timer, T0 + 3 * SEC);

	/* the first report is too early for a step; T goes on one more packet */
	tfrc_sender_sent(snd, S, T0);
	give_feedback(snd, &fb, R, false, T0 + R);
	EXPECT_RATE(test, snd->x, 20000);
	KUNIT_EXPECT_FALSE(test, snd->event);
	KUNIT_EXPECT_EQ(test, cs->ct.steps, 0);

	for (i = 1; i < 20; i++)
		tfrc_sender_sent(snd, S, T0 + i * 50 * MS);
	give_feedback(snd, &fb, R, false, T0 + SEC);
	KUNIT_EXPECT_EQ(test, cs->ct.steps, 1);
	EXPECT_RATE(test, snd->x, 21250);
	KUNIT_EXPECT_TRUE(test, snd->event);
	snd->event = false;
	/* a second one at once is no step */
	give_feedback(snd, &fb, R, false, T0 + SEC + MS);
	KUNIT_EXPECT_EQ(test, cs->ct.steps, 1);
	KUNIT_EXPECT_FALSE(test, snd->event);

	/* no report for 3 T: half of X; an idle sender comes to rest at 20000 */
	tfrc_sender_sent(snd, S, T0 + SEC);
	tfrc_sender_timeout(snd, T0 + 5 * SEC);
	EXPECT_RATE(test, snd->x, 10625);
	KUNIT_EXPECT_TRUE(test, snd->event);
	KUNIT_EXPECT_EQ(test, cs->ct.decision, DCCP_CTFAF_NOFEEDBACK);
}

/*
 * A grows with r: not while the source uses little of X, and not over a pause. With R_b of
 * 1250 KB/s eq. 9 and 10 make 2 * 1250 - 1250 * 20000 / 1250000 = 2480 of it. Eq. 11 and 12
 * have more, 12.5 and 55 KB/s.
 */
static void ends_test_increase(struct kunit *test)
{
	struct ctfaf_sender *cs = ends_test_sender_new(test);
	struct tfrc_feedback fb = {
		.x_recv = TFRC_RATE(5000), .x_pair = TFRC_RATE(1250000),
	};
	struct tfrc_sender *snd = &cs->is.base;
	u32 i, k;

	for (k = 0; k < 4; k++) {
		for (i = 0; i < (k < 3 ? 5 : 20); i++)
			tfrc_sender_sent(snd, S, T0 + k * SEC + i * 50 * MS);
		if (k == 3)
			fb.x_recv = TFRC_RATE(20000);
		give_feedback(snd, &fb, R, false, T0 + (k + 1) * SEC);
		KUNIT_EXPECT_EQ(test, cs->ct.steps, k + 1);
		EXPECT_RATE(test, snd->x, k < 3 ? 20000 : 22480);
	}
	EXPECT_RATE(test, cs->lda.a, 2480);
	ctfaf_sender_timeout(cs, true);
	EXPECT_RATE(test, cs->lda.a, 1250);
}

/* Interval is on each packet until the first report, then on one after each change. */
static void ends_test_options(struct kunit *test)
{
	struct ctfaf_sender *cs = ends_test_sender_new(test);
	struct tfrc_feedback fb = { .x_recv = TFRC_RATE(20000) };
	struct tfrc_sender *snd = &cs->is.base;
	u32 i;

	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_EQ(test, ctfaf_sender_options(cs),
				CTFAF_HAS_INTERVAL);
	/* the first report has an RTT sample and is no step */
	tfrc_sender_sent(snd, S, T0);
	give_feedback(snd, &fb, R, false, T0 + R);
	KUNIT_EXPECT_EQ(test, ctfaf_sender_options(cs), CTFAF_HAS_INTERVAL);
	KUNIT_EXPECT_EQ(test, ctfaf_sender_options(cs), 0);
	for (i = 1; i < 20; i++)
		tfrc_sender_sent(snd, S, T0 + i * 50 * MS);
	give_feedback(snd, &fb, R, false, T0 + SEC);
	KUNIT_EXPECT_EQ(test, cs->ct.steps, 1);
	KUNIT_EXPECT_EQ(test, ctfaf_sender_options(cs), CTFAF_HAS_INTERVAL);
	KUNIT_EXPECT_EQ(test, ctfaf_sender_options(cs), 0);
	/* a report that is too early for a step changes neither */
	give_feedback(snd, &fb, R, false, T0 + SEC + MS);
	KUNIT_EXPECT_EQ(test, ctfaf_sender_options(cs), 0);
	/* The receiver may not know of T, and wait longer. */
	tfrc_sender_timeout(snd, T0 + 5 * SEC);
	KUNIT_EXPECT_EQ(test, ctfaf_sender_options(cs), CTFAF_HAS_INTERVAL);
	KUNIT_EXPECT_EQ(test, ctfaf_sender_options(cs), 0);
}

/*
 * A packet waits for another one if a train is wanted: for 20 ms, and 80 ms while R_b is
 * unknown, but for no more than the time of two packets.
 */
static void ends_test_hold(struct kunit *test)
{
	struct ctfaf_sender *cs = ends_test_sender_new(test);
	u64 now = T0 + SEC;

	cs->ct.par.hold = 20;
	cs->train.last = now;
	KUNIT_EXPECT_EQ(test, ctfaf_sender_hold(cs, S, false, 50 * MS, now), 0);
	cs->train.wanted = true;
	KUNIT_EXPECT_EQ(test, ctfaf_sender_hold(cs, 0, false, 50 * MS, now), 0);
	KUNIT_EXPECT_EQ(test, ctfaf_sender_hold(cs, S, true, 50 * MS, now), 0);
	KUNIT_EXPECT_EQ(test, ctfaf_sender_hold(cs, S, false, 50 * MS, now),
			now + 80 * MS);

	cs->train.until = 0;
	KUNIT_EXPECT_EQ(test, ctfaf_sender_hold(cs, S, false, 30 * MS, now),
			now + 60 * MS);
	cs->train.until = 0;
	cs->bottleneck = TFRC_RATE(125000);
	KUNIT_EXPECT_EQ(test, ctfaf_sender_hold(cs, S, false, 30 * MS, now),
			now + 20 * MS);
	/* in vain */
	KUNIT_EXPECT_EQ(test, ctfaf_sender_hold(cs, S, false, 30 * MS,
						now + 20 * MS), 0);
	KUNIT_EXPECT_FALSE(test, cs->train.wanted);
}

/* X_delay rises by 1000 bytes in 100 ms with a report that leads to no step: so does X_inst. */
static void ends_test_inst(struct kunit *test)
{
	struct ctfaf_sender *cs = ends_test_sender_new(test);
	struct tfrc_feedback fb = { .x_recv = TFRC_RATE(20000) };
	struct tfrc_sender *snd = &cs->is.base;

	tfrc_delay_set(snd, 50);
	tfrc_sender_sent(snd, S, T0);
	give_feedback(snd, &fb, R, false, T0 + R);
	snd->delay.x = TFRC_RATE(10000);
	snd->delay.t_step = T0 + R;
	give_feedback(snd, &fb, R, false, T0 + R);
	EXPECT_RATE(test, snd->x_inst, 10000);
	snd->delay.x = TFRC_RATE(5000);
	give_feedback(snd, &fb, R, false, T0 + 2 * R);
	KUNIT_EXPECT_EQ(test, cs->ct.steps, 0);
	EXPECT_RATE(test, snd->x, 20000);
	EXPECT_RATE(test, snd->x_inst, 10000);
	give_feedback(snd, &fb, R, false, T0 + 3 * R);
	KUNIT_EXPECT_EQ(test, cs->ct.steps, 0);
	EXPECT_RATE(test, snd->x_inst, 20000);
}

/* Another limit lowers X to 5000 and is lifted: X does not jump to where r was. */
static void ends_test_lower(struct kunit *test)
{
	struct ctfaf_sender *cs = ends_test_sender_new(test);
	struct tfrc_feedback fb = { .x_recv = TFRC_RATE(20000) };
	struct tfrc_sender *snd = &cs->is.base;
	u32 i;

	tfrc_sender_sent(snd, S, T0);
	give_feedback(snd, &fb, R, false, T0 + R);
	for (i = 1; i < 20; i++)
		tfrc_sender_sent(snd, S, T0 + i * 50 * MS);
	tfrc_sender_hold(snd, TFRC_RATE(5000));
	give_feedback(snd, &fb, R, false, T0 + SEC);
	EXPECT_RATE(test, snd->x, 6250);

	tfrc_sender_hold(snd, TFRC_RATE(5000));
	tfrc_sender_sent(snd, S, T0 + SEC);
	tfrc_sender_timeout(snd, T0 + 10 * SEC);
	EXPECT_RATE(test, snd->x, 2500);
}

/* Losses since the last step count, not those of a single report. */
static void ends_test_loss(struct kunit *test)
{
	struct ctfaf_sender *cs = ends_test_sender_new(test);
	struct tfrc_sender *snd = &cs->is.base;
	struct tfrc_feedback fb = { .x_recv = TFRC_RATE(20000) };
	u32 i;

	for (i = 0; i < 20; i++)
		tfrc_sender_sent(snd, S, T0 + i * 50 * MS);
	/* two of 20, in a report that is too early for a step */
	fb.lost = 2;
	give_feedback(snd, &fb, R, false, T0 + 300 * MS);
	KUNIT_EXPECT_EQ(test, cs->ct.steps, 0);
	give_feedback(snd, &fb, R, false, T0 + SEC);
	KUNIT_EXPECT_EQ(test, cs->ct.steps, 1);
	/* 2^32 / 10 */
	KUNIT_EXPECT_EQ(test, cs->loss, 429496729);
}

/*
 * Two steps with losses in each. At the first, which decreases X, ten packets are in
 * flight. The losses of the second one count unless most of its packets were sent before,
 * or if the first one was tolerated. When the newest packet was sent does not matter.
 */
static void ends_test_fallen(struct kunit *test)
{
	static const struct {
		u32 sent;
		bool tolerated;
		bool counts;
	} second[] = {
		{ 0, false, false },
		{ 9, false, false },
		{ 10, false, true },
		{ 20, false, true },
		{ 9, true, true },
	};
	struct tfrc_feedback fb = { .x_recv = TFRC_RATE(20000) };
	u32 i, k;

	for (k = 0; k < ARRAY_SIZE(second); k++) {
		struct tfrc_report rep = { .fb = &fb, .sample = R };
		struct ctfaf_sender *cs = ends_test_sender_new(test);
		struct tfrc_sender *snd = &cs->is.base;
		u64 x;

		fb.lost = 0;
		tfrc_sender_sent(snd, S, T0);
		tfrc_sender_feedback(snd, &rep, T0 + R);
		for (i = 1; i < 20; i++)
			tfrc_sender_sent(snd, S, T0 + i * 50 * MS);
		fb.lost = 5;
		rep.flight = 10;
		cs->ct.par.l_allowed = second[k].tolerated ? 1000000 : 0;
		tfrc_sender_feedback(snd, &rep, T0 + SEC);
		KUNIT_EXPECT_EQ(test, cs->ct.steps, 1);
		x = snd->x;
		if (second[k].tolerated)
			EXPECT_RATE(test, x, 20000);
		else
			KUNIT_EXPECT_LT(test, x, TFRC_RATE(15000));
		cs->ct.par.l_allowed = 0;

		for (i = 0; i < second[k].sent; i++)
			tfrc_sender_sent(snd, S, T0 + SEC + i * 50 * MS);
		fb.lost = 15;
		rep.flight = 0;
		tfrc_sender_feedback(snd, &rep, T0 + 10 * SEC);
		KUNIT_EXPECT_EQ(test, cs->ct.steps, 2);
		if (second[k].counts)
			KUNIT_EXPECT_LT_MSG(test, snd->x, x, "row %u", k);
		else
			KUNIT_EXPECT_EQ_MSG(test, snd->x, x, "row %u", k);
	}
}

/*
 * The nofeedback timer is the reaction to what was lost before it. The first report after
 * it does not know of the hole yet, the second one does; what the third one tells is new.
 * A timer of an idle sender is no reaction.
 */
static void ends_test_timed_out(struct kunit *test)
{
	struct tfrc_feedback fb = { .x_recv = TFRC_RATE(20000) };
	u32 i, k;

	for (k = 0; k < 2; k++) {
		struct tfrc_report rep = { .fb = &fb, .sample = R };
		struct ctfaf_sender *cs = ends_test_sender_new(test);
		struct tfrc_sender *snd = &cs->is.base;
		u64 now = T0, x = 0;
		u32 n;

		fb.lost = 0;
		for (i = 0; i < 100; i++)
			tfrc_sender_sent(snd, S, now);
		tfrc_sender_feedback(snd, &rep, now += SEC);
		ctfaf_sender_timeout(cs, k);
		for (n = 1; n <= 3; n++) {
			for (i = 0; i < 100; i++)
				tfrc_sender_sent(snd, S, now);
			x = snd->x;
			fb.lost += n > 1 ? 50 : 0;
			tfrc_sender_feedback(snd, &rep, now += 10 * SEC);
			if (n == 2 && !k)
				KUNIT_EXPECT_EQ(test, snd->x, x);
			else if (n > 1)
				KUNIT_EXPECT_LT(test, snd->x, x);
		}
	}
}

/*
 * Without a round-trip time of the handshake: a packet a second, with a T of 5 s. The first
 * report brings 20000 and T = 1 s, and a decision follows a second later.
 */
static void ends_test_first(struct kunit *test)
{
	struct tfrc_feedback fb = { .x_recv = TFRC_RATE(1000) };
	struct ctfaf_sender *cs = ends_test_sender_new(test);
	struct tfrc_sender *snd = &cs->is.base;
	u64 now = T0 + R;
	u32 i;

	tfrc_sender_start(snd, S, 0, T0);
	EXPECT_RATE(test, snd->x, 1000);
	KUNIT_EXPECT_EQ(test, cs->is.interval, 5 * SEC);
	tfrc_sender_sent(snd, S, T0);
	give_feedback(snd, &fb, R, false, now);
	EXPECT_RATE(test, snd->x, 20000);
	KUNIT_EXPECT_EQ(test, cs->is.interval, SEC);
	KUNIT_EXPECT_EQ(test, snd->t_timer, now + 3 * SEC);
	KUNIT_EXPECT_EQ(test, cs->ct.steps, 0);

	/* all of X is used */
	for (i = 0; i < 20; i++)
		tfrc_sender_sent(snd, S, now + i * 50 * MS);
	fb.x_recv = TFRC_RATE(20000);
	give_feedback(snd, &fb, R, false, now + SEC / 2 - 1);
	KUNIT_EXPECT_EQ(test, cs->ct.steps, 0);
	give_feedback(snd, &fb, R, false, now + SEC);
	KUNIT_EXPECT_EQ(test, cs->ct.steps, 1);
	EXPECT_RATE(test, snd->x, 21250);
}

/* Before the first report the timer has expired three times: X is as after the first of them. */
static void ends_test_first_late(struct kunit *test)
{
	struct tfrc_feedback fb = { .x_recv = TFRC_RATE(20000) };
	struct ctfaf_sender *cs = ends_test_sender_new(test);
	struct tfrc_sender *snd = &cs->is.base;
	u32 i;

	for (i = 0; i < 3; i++) {
		tfrc_sender_sent(snd, S, T0 + i * 10 * SEC);
		tfrc_sender_timeout(snd, T0 + (i + 1) * 10 * SEC);
	}
	EXPECT_RATE(test, snd->x, 2500);
	give_feedback(snd, &fb, R, false, T0 + 31 * SEC);
	KUNIT_EXPECT_EQ(test, cs->ct.steps, 0);
	EXPECT_RATE(test, snd->x, 10000);
}

/*
 * After an outage in which the timer expired six times X is half of what it was, but at most
 * the start rate of 20000, and 20 packets take T. The next report has the losses of the outage,
 * which do not count.
 */
static void ends_test_outage(struct kunit *test)
{
	static const struct {
		u32 before, after;
	} rates[] = { { 16000, 8000 }, { 60000, 20000 } };
	u32 i, k;

	for (k = 0; k < ARRAY_SIZE(rates); k++) {
		struct ctfaf_sender *cs = ends_test_sender_new(test);
		struct tfrc_feedback fb = { .x_recv = TFRC_RATE(20000) };
		struct tfrc_sender *snd = &cs->is.base;
		u64 now = T0 + SEC;

		tfrc_sender_sent(snd, S, T0);
		give_feedback(snd, &fb, R, false, T0 + R);
		cs->ct.r = TFRC_RATE(rates[k].before);
		tfrc_sender_move(snd, cs->ct.r);
		for (i = 0; i < 6; i++) {
			tfrc_sender_sent(snd, S, now);
			tfrc_sender_timeout(snd, now += 10 * SEC);
		}
		KUNIT_EXPECT_EQ(test, snd->x, TFRC_RATE(rates[k].before) / 64);
		KUNIT_EXPECT_EQ(test, cs->is.interval, 1 * SEC);
		tfrc_sender_sent(snd, S, now);
		give_feedback(snd, &fb, R, false, now += R);
		KUNIT_EXPECT_EQ(test, cs->ct.steps, 0);
		EXPECT_RATE(test, snd->x, rates[k].after);
		KUNIT_EXPECT_EQ(test, cs->is.interval,
				20 * 1000 * SEC / rates[k].after);

		/* the six packets of the outage */
		for (i = 0; i < 20; i++)
			tfrc_sender_sent(snd, S, now);
		fb.lost = 6;
		now += cs->is.interval;
		give_feedback(snd, &fb, R, false, now);
		KUNIT_EXPECT_EQ(test, cs->ct.steps, 1);
		EXPECT_RATE(test, snd->x, rates[k].after);
		/* what is lost from now on counts */
		for (i = 0; i < 20; i++)
			tfrc_sender_sent(snd, S, now);
		fb.lost = 12;
		give_feedback(snd, &fb, R, false, now + cs->is.interval);
		KUNIT_EXPECT_LT(test, snd->x, TFRC_RATE(rates[k].after));
	}
}

/* Without R of the handshake X is a packet in a second. What is lost of these does not count. */
static void ends_test_lost_start(struct kunit *test)
{
	struct ctfaf_sender *cs = ends_test_sender_new(test);
	struct tfrc_feedback fb = { .x_recv = TFRC_RATE(20000) };
	struct tfrc_sender *snd = &cs->is.base;

	tfrc_sender_start(snd, S, 0, T0);
	EXPECT_RATE(test, snd->x, S);
	tfrc_sender_sent(snd, S, T0);
	tfrc_sender_timeout(snd, T0 + 15 * SEC);
	tfrc_sender_sent(snd, S, T0 + 15 * SEC);
	give_feedback(snd, &fb, R, false, T0 + 15 * SEC + R);
	EXPECT_RATE(test, snd->x, 20000);
}

/* SO_MAX_PACING_RATE of 23000: X is on the grid of 1000 + n 5000, and stays there. */
static void ends_test_most(struct kunit *test)
{
	struct ctfaf_sender *cs = kunit_kzalloc(test, sizeof(*cs), GFP_KERNEL);
	struct tfrc_feedback fb = { .x_recv = TFRC_RATE(20000) };
	struct tfrc_sender *snd = &cs->is.base;
	u32 i, k;

	KUNIT_ASSERT_NOT_NULL(test, cs);
	tfrc_sender_init(snd, &ends_sender_ops);
	cs->ct.par = (struct dccp_ctfaf_constraints) {
		.r_min = 1000, .r_max = 1000000, .step = 5000, .r_start = 30000,
		.increase = 4000, .interval = 1000, .t_reset = 60000,
		.l_severe = 1000000,
	};
	ctfaf_sender_constrain(cs);
	snd->x_max = TFRC_RATE(23000);
	tfrc_sender_start(snd, S, R, T0);
	EXPECT_RATE(test, snd->x, 21000);
	tfrc_sender_sent(snd, S, T0);
	give_feedback(snd, &fb, R, false, T0 + R);
	for (k = 1; k < 5; k++) {
		for (i = 0; i < 22; i++)
			tfrc_sender_sent(snd, S, T0 + k * SEC);
		give_feedback(snd, &fb, R, false, T0 + k * SEC);
		KUNIT_EXPECT_EQ(test, cs->ct.steps, k);
		EXPECT_RATE(test, snd->x, 21000);
	}
}

/*
 * r falls from 30000 to 30000 (1 - sqrt(4 / 21)) = 16907 (eq. 17), so X stays at 16000: only
 * the second loss has an effect.
 */
static void ends_test_stays(struct kunit *test)
{
	struct ctfaf_sender *cs = ends_test_sender_new(test);
	struct tfrc_feedback fb = { .x_recv = TFRC_RATE(20000) };
	struct tfrc_sender *snd = &cs->is.base;
	u32 i, k;

	cs->ct.par.step = 15000;
	tfrc_sender_sent(snd, S, T0);
	give_feedback(snd, &fb, R, false, T0 + R);
	cs->ct.r = TFRC_RATE(30000);
	tfrc_sender_move(snd, TFRC_RATE(16000));
	for (k = 1; k < 3; k++) {
		for (i = 0; i < 20; i++)
			tfrc_sender_sent(snd, S, T0 + k * SEC);
		fb.lost = k == 1 ? 4 : 14;
		give_feedback(snd, &fb, R, false, T0 + k * SEC);
		KUNIT_EXPECT_EQ(test, cs->ct.steps, k);
		EXPECT_RATE(test, snd->x, k == 1 ? 16000 : 1000);
		KUNIT_EXPECT_LT(test, cs->ct.r, TFRC_RATE(16908));
		KUNIT_EXPECT_EQ(test, cs->fallen, k == 1 ? 0 : snd->packets);
	}
}

static const struct tfrc_receiver_ops ends_receiver_ops = {
	.packet = ctfaf_receiver_packet,
	.report = ctfaf_receiver_report,
};

/* T and R as the newest packet states them; two probes make an estimate. */
static void ends_test_receiver(struct kunit *test)
{
	struct tfrc_rx_packet pkt = {
		.seq = 1, .len = S, .is_data = true, .newest = true,
	};
	struct tfrc_feedback fb = { };
	struct ctfaf_receiver *cr;

	cr = kunit_kzalloc(test, sizeof(*cr), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, cr);
	interval_receiver_init(&cr->ir, &ends_receiver_ops, SEC);
	cr->interval = 2 * SEC;
	cr->rtt = 70 * MS;
	cr->ir.base.options = CTFAF_HAS_INTERVAL;
	KUNIT_EXPECT_TRUE(test, ctfaf_receiver_packet(&cr->ir.base, &pkt, T0));
	KUNIT_EXPECT_EQ(test, cr->ir.interval, 2 * SEC);
	KUNIT_EXPECT_EQ(test, tfrc_receiver_rtt(&cr->ir.base), 70 * MS);
	tfrc_receiver_report(&cr->ir.base, T0, &fb);
	KUNIT_EXPECT_EQ(test, fb.x_pair, 0);

	pkt.seq = 2;
	pkt.ccval = 1;
	pkt.newest = false;
	cr->interval = 5 * SEC;
	KUNIT_EXPECT_FALSE(test, ctfaf_receiver_packet(&cr->ir.base, &pkt,
						       T0 + SEC));
	KUNIT_EXPECT_EQ(test, cr->ir.interval, 2 * SEC);
	/* it waits for 1.5 T at most, for another packet to go first */
	KUNIT_EXPECT_EQ(test, cr->ir.base.deadline,
			T0 + SEC + 3 * SEC);
	/* 1000 bytes in 8 ms: 125000 bytes/s */
	pkt.seq = 3;
	pkt.ccval = 2;
	KUNIT_EXPECT_FALSE(test, ctfaf_receiver_packet(&cr->ir.base, &pkt,
						       T0 + SEC + 8 * MS));
	tfrc_receiver_report(&cr->ir.base, T0 + 2 * SEC, &fb);
	EXPECT_RATE(test, fb.x_pair, 125000);
}

static struct kunit_case ends_cases[] = {
	KUNIT_CASE(ends_test_steps),
	KUNIT_CASE(ends_test_increase),
	KUNIT_CASE(ends_test_options),
	KUNIT_CASE(ends_test_hold),
	KUNIT_CASE(ends_test_inst),
	KUNIT_CASE(ends_test_lower),
	KUNIT_CASE(ends_test_loss),
	KUNIT_CASE(ends_test_fallen),
	KUNIT_CASE(ends_test_timed_out),
	KUNIT_CASE(ends_test_first),
	KUNIT_CASE(ends_test_first_late),
	KUNIT_CASE(ends_test_outage),
	KUNIT_CASE(ends_test_lost_start),
	KUNIT_CASE(ends_test_most),
	KUNIT_CASE(ends_test_stays),
	KUNIT_CASE(ends_test_receiver),
	{ }
};

static struct kunit_suite ctfaf_ends_suite = {
	.name = "ctfaf_ends",
	.test_cases = ends_cases,
};

kunit_test_suite(ctfaf_ends_suite);
