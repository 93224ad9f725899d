// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of control on an interval: when a receiver reports, and the values of a step.
 */
#include <linux/container_of.h>
#include <linux/types.h>
#include <net/tfrc_interval.h>
#include "receiver_kunit.h"

static struct interval_receiver *receiver_of(struct tfrc_receiver *r)
{
	return container_of(r, struct interval_receiver, base);
}

static bool interval_test_packet(struct tfrc_receiver *r,
				 const struct tfrc_rx_packet *pkt, u64 now)
{
	return interval_receiver_packet(receiver_of(r), pkt, now);
}

static void interval_test_report(struct tfrc_receiver *r,
				 struct tfrc_feedback *fb, u64 now)
{
	interval_receiver_report(receiver_of(r), fb, now);
}

static const struct tfrc_receiver_ops receiver_ops = {
	.packet = interval_test_packet,
	.report = interval_test_report,
};

/* The first packet is reported at once, then once in T. Every 10th packet is lost. */
static void interval_test_receiver(struct kunit *test)
{
	struct interval_receiver ir;
	struct tfrc_feedback fb = { };
	struct tfrc_rx_packet pkt;
	struct sender snd;
	u32 i, reports = 0;

	start_sender(&snd, 100 * MS);
	interval_receiver_init(&ir, &receiver_ops, SEC);
	tfrc_receiver_set_rtt(&ir.base, 100 * MS);
	KUNIT_EXPECT_EQ(test, ir.base.deadline, 0);
	for (i = 0; i <= 300; i++) {
		pkt = next_packet(&snd, 10 * MS);
		if (i % 10 == 5)
			continue;
		if (!receiver_ops.packet(&ir.base, &pkt, snd.now))
			continue;
		tfrc_receiver_report(&ir.base, snd.now, &fb);
		reports++;
		KUNIT_EXPECT_EQ(test, i % 100, 0);
		KUNIT_EXPECT_EQ(test, ir.base.deadline, 0);
	}
	KUNIT_EXPECT_EQ(test, reports, 4);
	/* 10 of 100: 2^32 / 10 */
	KUNIT_EXPECT_EQ(test, fb.loss, 429496729);
	KUNIT_EXPECT_EQ(test, fb.lost, 30);
	KUNIT_EXPECT_NE(test, fb.p, 0);

	/* one more packet, and none after it: the deadline is 1.5 T after the last report */
	pkt = next_packet(&snd, 10 * MS);
	KUNIT_EXPECT_FALSE(test, receiver_ops.packet(&ir.base, &pkt, snd.now));
	KUNIT_EXPECT_EQ(test, ir.base.deadline,
			snd.now - 10 * MS + SEC + SEC / 2);
	/* the next one comes after T, and in time */
	pkt = next_packet(&snd, SEC + SEC / 4);
	KUNIT_EXPECT_TRUE(test, receiver_ops.packet(&ir.base, &pkt, snd.now));
}

/* x_send is the rate since the last step, over T at least. */
static void interval_test_step(struct kunit *test)
{
	const struct tfrc_report rep = { .flight = 3 };
	struct interval_sender is = { };
	struct interval_step step;

	is.interval = SEC;
	is.t_step = 10 * SEC;
	is.base.bytes = 5000;
	is.base.packets = 5;
	is.base.lost = 2;
	step = interval_sender_step(&is, &rep, 12 * SEC);
	KUNIT_EXPECT_EQ(test, step.x_send, TFRC_RATE(2500));
	KUNIT_EXPECT_EQ(test, step.lost, 2);
	KUNIT_EXPECT_EQ(test, step.data, 2);
	/* a burst counts over T, and nothing counts twice */
	is.base.bytes += 1000;
	is.base.packets++;
	step = interval_sender_step(&is, &rep, 12 * SEC + MS);
	KUNIT_EXPECT_EQ(test, step.x_send, TFRC_RATE(1000));
	KUNIT_EXPECT_EQ(test, step.lost, 0);
	KUNIT_EXPECT_EQ(test, step.data, 1);
}

static struct kunit_case interval_cases[] = {
	KUNIT_CASE(interval_test_receiver),
	KUNIT_CASE(interval_test_step),
	{}
};

struct kunit_suite interval_suite = {
	.name = "tfrc_interval",
	.test_cases = interval_cases,
};
