// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of what all receivers have: the operations are called, and their results kept.
 */
#include <linux/container_of.h>
#include <linux/types.h>
#include <net/tfrc.h>
#include "receiver_kunit.h"

struct decides {
	struct tfrc_receiver	r;
	u64			seen;
};

/* A receiver for which a report is due with each data packet without a mark */
static bool decides_packet(struct tfrc_receiver *r,
			   const struct tfrc_rx_packet *pkt, u64 now)
{
	struct decides *d = container_of(r, struct decides, r);

	if (!tfrc_receiver_count(r, NULL, pkt, now))
		return false;
	tfrc_receiver_measure(r, pkt->len, now);
	d->seen = r->packets;
	return !pkt->is_ce;
}

static void decides_report(struct tfrc_receiver *r, struct tfrc_feedback *fb,
			   u64 now)
{
	fb->rate = 2 * tfrc_receiver_x_recv(r, now);
	fb->timeout = now;
	fb->x_recv = 5;
	fb->number = 7;
}

static void test_decides(struct kunit *test)
{
	static const struct tfrc_receiver_ops ops = {
		.packet = decides_packet, .report = decides_report,
	};
	struct tfrc_rx_packet pkt;
	struct tfrc_feedback fb;
	struct decides d = { };
	struct sender snd;
	u64 i;

	start_sender(&snd, 100 * MS);
	tfrc_receiver_init(&d.r, &ops, 70 * MS);
	for (i = 1; i <= 50; i++) {
		pkt = next_packet(&snd, 10 * MS);
		pkt.is_ce = i & 1;
		KUNIT_EXPECT_EQ(test, d.r.ops->packet(&d.r, &pkt, snd.now),
				!(i & 1));
		KUNIT_EXPECT_EQ(test, d.seen, i);
	}
	/* a duplicate is nothing to decide on */
	d.seen = 0;
	KUNIT_EXPECT_FALSE(test, d.r.ops->packet(&d.r, &pkt, snd.now));
	KUNIT_EXPECT_EQ(test, d.seen, 0);
	/* the counter is none: R is as it was given */
	KUNIT_EXPECT_EQ(test, tfrc_receiver_rtt(&d.r), 70 * MS);

	tfrc_receiver_report(&d.r, snd.now, &fb);
	EXPECT_NEAR(test, fb.rate, 2 * TFRC_RATE(100000), 2);
	KUNIT_EXPECT_EQ(test, fb.timeout, snd.now);
	KUNIT_EXPECT_EQ(test, fb.number, 7);
	KUNIT_EXPECT_EQ(test, d.r.x_recv, 5);
	KUNIT_EXPECT_EQ(test, d.r.reported, 50);
	KUNIT_EXPECT_EQ(test, fb.marked, 25);
}

/* R is what was stated, within bounds, or 200 ms (RFC 4340, 3.4). */
static void test_rtt(struct kunit *test)
{
	static const struct tfrc_receiver_ops ops = { };
	struct tfrc_receiver r;

	tfrc_receiver_init(&r, &ops, 0);
	KUNIT_EXPECT_EQ(test, tfrc_receiver_rtt(&r), 200 * MS);
	tfrc_receiver_set_rtt(&r, 1);
	KUNIT_EXPECT_EQ(test, tfrc_receiver_rtt(&r), TFRC_RTT_MIN);
	tfrc_receiver_set_rtt(&r, U64_MAX);
	KUNIT_EXPECT_EQ(test, tfrc_receiver_rtt(&r), TFRC_RTT_MAX);
}

/* A report is waited for only if loss events have a recovery point. */
static void test_recovery(struct kunit *test)
{
	static const struct tfrc_receiver_ops ops = { };
	struct tfrc_receiver r;

	tfrc_receiver_init(&r, &ops, 0);
	tfrc_receiver_sent(&r, 10);
	KUNIT_EXPECT_FALSE(test, r.history.waiting);
	tfrc_receiver_set_recovery(&r, true);
	tfrc_receiver_sent(&r, 11);
	KUNIT_EXPECT_TRUE(test, r.history.waiting);
	KUNIT_EXPECT_EQ(test, r.history.report, 11);
	tfrc_receiver_set_recovery(&r, false);
	KUNIT_EXPECT_FALSE(test, r.history.waiting);
}

static struct kunit_case receiver_cases[] = {
	KUNIT_CASE(test_decides),
	KUNIT_CASE(test_rtt),
	KUNIT_CASE(test_recovery),
	{}
};

struct kunit_suite tfrc_receiver_suite = {
	.name = "tfrc_receiver",
	.test_cases = receiver_cases,
};
