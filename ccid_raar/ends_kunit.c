// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of RAAR's sender.c and receiver.c, with single packets and reports.
 */
#include <kunit/test.h>
#include "../lib_tfrc/kunit.h"
#include "receiver.c"
#include "sender.c"

#define MS	TFRC_NSEC_PER_MSEC
#define SEC	TFRC_NSEC_PER_SEC
#define T0	(1000 * SEC)
#define S	1000

static const struct tfrc_receiver_ops ends_test_ops = {
	.packet = raar_receiver_packet,
	.report = raar_receiver_report,
};

/* The sender says what it keeps to: at first, in each round, after a timeout. */
static void ends_test_sender(struct kunit *test)
{
	const struct tfrc_feedback fb = {
		.x_recv = TFRC_RATE(40000), .rate = TFRC_RATE(32000),
		.timeout = 200 * MS, .number = 17,
	};
	struct raar_sender rs;
	struct tfrc_sender *snd = &rs.driven.base;

	raar_sender_init(&rs);
	rs.par.beta = 875;
	tfrc_sender_start(snd, S, 100 * MS, T0);
	/*
	 * RFC 3390: 4 packets in 100 ms. RTO of one sample is 300 ms (RFC 6298, 2.2): 2 RTO and
	 * two packets of 25 ms.
	 */
	EXPECT_RATE(test, snd->x, 40000);
	KUNIT_EXPECT_EQ(test, snd->t_timer, T0 + 650 * MS);
	KUNIT_EXPECT_EQ(test, snd->options, RAAR_HAS_ROUND);
	KUNIT_EXPECT_EQ(test, raar_sender_waited(&rs, T0 + 50 * MS), 0);

	snd->options = 0;
	tfrc_sender_sent(snd, S, T0);
	give_feedback(snd, &fb, 100 * MS, false, T0 + 100 * MS);
	EXPECT_RATE(test, snd->x, 32000);
	KUNIT_EXPECT_EQ(test, snd->options, RAAR_HAS_ROUND);
	KUNIT_EXPECT_EQ(test, rs.driven.number, 17);
	KUNIT_EXPECT_EQ(test, raar_sender_waited(&rs, T0 + 150 * MS), 50 * MS);

	snd->options = 0;
	tfrc_sender_sent(snd, S, T0 + 100 * MS);
	tfrc_sender_timeout(snd, snd->t_timer);
	/* 0.875 * 32000 */
	EXPECT_RATE(test, snd->x, 28000);
	KUNIT_EXPECT_EQ(test, snd->options, RAAR_HAS_ROUND);
}

static bool ends_test_arrives(struct raar_receiver *rr, u64 seq, u64 now)
{
	const struct tfrc_rx_packet pkt = {
		.seq = seq, .len = S, .is_data = true,
	};
	bool due = rr->base.ops->packet(&rr->base, &pkt, now);

	rr->base.options = 0;
	return due;
}

/* A packet with a mark arrives. Return: loss events so far */
static u64 ends_test_marked(struct raar_receiver *rr, u64 seq, u64 now, bool l4s)
{
	const struct tfrc_rx_packet pkt = {
		.seq = seq, .len = S, .is_data = true, .is_ce = true,
		.is_l4s = l4s,
	};

	rr->base.ops->packet(&rr->base, &pkt, now);
	return rr->events;
}

/* The first packet is reported, a copy is nothing, a loss event is at once. */
static void ends_test_receiver(struct kunit *test)
{
	const struct dccp_raar_rx_params par = { RAAR_RX_DEFAULT };
	struct tfrc_feedback fb = { };
	struct raar_receiver *rr;
	u64 rate;

	rr = kunit_kzalloc(test, sizeof(*rr), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, rr);
	raar_receiver_init(rr, &ends_test_ops);
	raar_configure(&rr->raar, &par);
	tfrc_receiver_set_rtt(&rr->base, 100 * MS);
	KUNIT_EXPECT_EQ(test, rr->base.deadline, 0);

	rr->round.rate = TFRC_RATE(40000);
	rr->base.options = RAAR_HAS_ROUND;
	KUNIT_EXPECT_TRUE(test, ends_test_arrives(rr, 1, T0));
	KUNIT_EXPECT_EQ(test, rr->raar.stated, TFRC_RATE(40000));
	KUNIT_EXPECT_EQ(test, rr->base.packets, 1);
	tfrc_receiver_report(&rr->base, T0, &fb);
	KUNIT_EXPECT_EQ(test, fb.number, 1);
	KUNIT_EXPECT_EQ(test, fb.p, 0);
	KUNIT_EXPECT_FALSE(test, ends_test_arrives(rr, 1, T0));
	KUNIT_EXPECT_EQ(test, rr->base.packets, 1);

	/* 2 is lost, as three packets after it show */
	KUNIT_EXPECT_FALSE(test, ends_test_arrives(rr, 3, T0 + 10 * MS));
	KUNIT_EXPECT_FALSE(test, ends_test_arrives(rr, 4, T0 + 20 * MS));
	rate = rr->raar.rate;
	KUNIT_EXPECT_EQ(test, rr->events, 0);
	KUNIT_EXPECT_TRUE(test, ends_test_arrives(rr, 5, T0 + 30 * MS));
	KUNIT_EXPECT_EQ(test, rr->events, 1);
	KUNIT_EXPECT_EQ(test, rr->signals, 1);
	KUNIT_EXPECT_LT(test, rr->raar.rate, rate);
	tfrc_receiver_report(&rr->base, T0 + 30 * MS, &fb);
	KUNIT_EXPECT_EQ(test, fb.lost, 1);
	/* what raar_loss() was told: up to the loss, and what was lost before it */
	KUNIT_EXPECT_EQ(test, rr->raar.data, 5);
	KUNIT_EXPECT_EQ(test, rr->raar.signals, 0);
	KUNIT_EXPECT_LT(test, fb.rate, TFRC_RATE(40000));

	/* A mark of a packet with ECT(1) is no event; any other mark is one. */
	KUNIT_EXPECT_EQ(test, ends_test_marked(rr, 6, T0 + 400 * MS, true), 1);
	KUNIT_EXPECT_EQ(test, rr->base.history.marked, 1);
	KUNIT_EXPECT_EQ(test, ends_test_marked(rr, 7, T0 + 800 * MS, false), 2);
	/* R is what the algorithm measures */
	KUNIT_EXPECT_EQ(test, tfrc_receiver_rtt(&rr->base), rr->raar.rtt.srtt);
}

/*
 * By the paper's timer a mark is an event, and so is what is detected more than R later.
 * The packet that the marked one has overtaken is neither lost nor marked.
 */
static void ends_test_overtaken(struct kunit *test)
{
	struct dccp_raar_rx_params par = { RAAR_RX_DEFAULT };
	struct raar_receiver *rr;
	u64 rate;

	rr = kunit_kzalloc(test, sizeof(*rr), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, rr);
	raar_receiver_init(rr, &ends_test_ops);
	par.hole_events = 0;
	raar_configure(&rr->raar, &par);
	tfrc_receiver_set_rtt(&rr->base, 100 * MS);
	ends_test_arrives(rr, 1, T0);
	ends_test_marked(rr, 3, T0 + 150 * MS, false);
	KUNIT_EXPECT_FALSE(test, rr->raar.slow_start);
	KUNIT_EXPECT_EQ(test, rr->raar.t_event, T0 + 150 * MS);
	rate = rr->raar.rate;
	ends_test_arrives(rr, 2, T0 + 300 * MS);
	KUNIT_EXPECT_EQ(test, rr->base.history.marked, 1);
	KUNIT_EXPECT_EQ(test, rr->raar.t_event, T0 + 150 * MS);
	KUNIT_EXPECT_GE(test, rr->raar.rate, rate);
}

static struct kunit_case ends_cases[] = {
	KUNIT_CASE(ends_test_sender),
	KUNIT_CASE(ends_test_receiver),
	KUNIT_CASE(ends_test_overtaken),
	{ }
};

static struct kunit_suite raar_ends_suite = {
	.name = "raar_ends",
	.test_cases = ends_cases,
};

kunit_test_suite(raar_ends_suite);
