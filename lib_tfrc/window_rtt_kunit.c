// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the round-trip time that a receiver estimates from the window counter.
 */
#include <linux/limits.h>
#include <linux/types.h>
#include <net/tfrc.h>
#include "receiver_kunit.h"

/* @n packets, @gap apart, every @lose-th of them lost (0: none) */
static void feed_rtt(struct tfrc_window_rtt *w, struct sender *snd, u64 gap,
		     u32 n, u32 lose)
{
	struct tfrc_rx_packet pkt;
	u32 i;

	for (i = 1; i <= n; i++) {
		pkt = next_packet(snd, gap);
		if (!lose || i % lose)
			tfrc_window_rtt_add(w, &pkt, snd->now);
	}
}

static void test_none(struct kunit *test)
{
	struct tfrc_window_rtt w;

	tfrc_window_rtt_init(&w, 0);
	KUNIT_EXPECT_EQ(test, tfrc_window_rtt_get(&w), TFRC_RTT_FALLBACK);
	tfrc_window_rtt_init(&w, 30 * MS);
	KUNIT_EXPECT_EQ(test, tfrc_window_rtt_get(&w), 30 * MS);
	tfrc_window_rtt_init(&w, 1);
	KUNIT_EXPECT_EQ(test, tfrc_window_rtt_get(&w), TFRC_RTT_MIN);
	tfrc_window_rtt_init(&w, U64_MAX);
	KUNIT_EXPECT_EQ(test, tfrc_window_rtt_get(&w), TFRC_RTT_MAX);
}

/* Many packets an RTT, from 100 us to 10 s, with and without a first value. */
static void test_fast(struct kunit *test)
{
	static const u64 first[] = { 0, 100 * US, 50 * MS, 10 * SEC };
	struct tfrc_window_rtt w;
	struct sender snd;
	u64 rtt;
	u32 i;

	for (rtt = 200 * US; rtt < 10 * SEC; rtt *= 7) {
		for (i = 0; i < ARRAY_SIZE(first); i++) {
			start_sender(&snd, rtt);
			tfrc_window_rtt_init(&w, first[i]);
			feed_rtt(&w, &snd, rtt / 200, 200 * 150, 0);
			EXPECT_NEAR(test, tfrc_window_rtt_get(&w), rtt, 3);
		}
	}
}

/* The first estimate takes no more than two RTTs; a new RTT is followed. */
static void test_follows(struct kunit *test)
{
	struct tfrc_window_rtt w;
	struct sender snd;

	start_sender(&snd, 100 * MS);
	tfrc_window_rtt_init(&w, 0);
	feed_rtt(&w, &snd, MS, 160, 0);
	EXPECT_NEAR(test, w.rtt, 100 * MS, 3);

	/* smoothed: an RTT later a part of the way, soon nearly all of it */
	snd.rtt = 200 * MS;
	feed_rtt(&w, &snd, MS, 220, 0);
	KUNIT_EXPECT_GT(test, w.rtt, 105 * MS);
	KUNIT_EXPECT_LT(test, w.rtt, 130 * MS);
	feed_rtt(&w, &snd, MS, 40 * 200, 0);
	EXPECT_NEAR(test, w.rtt, 200 * MS, 3);
}

/* With losses some steps do not count, but none becomes longer. */
static void test_losses(struct kunit *test)
{
	static const u32 lose[] = { 2, 4, 5, 7, 10, 100 };
	struct tfrc_window_rtt w;
	struct sender snd;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(lose); i++) {
		start_sender(&snd, 100 * MS);
		tfrc_window_rtt_init(&w, 0);
		/* 23 packets a quarter: the losses fall on each place of it */
		feed_rtt(&w, &snd, 1090 * US, 24000, lose[i]);
		/* of every second one lost no step has both its ends */
		if (lose[i] > 2)
			EXPECT_NEAR(test, w.rtt, 100 * MS, 5);
		else
			KUNIT_EXPECT_EQ(test, w.rtt, 0);
	}

	/* outages of whole wraps of the counter, and of nearly whole ones */
	for (i = 0; i < 16; i++) {
		start_sender(&snd, 100 * MS);
		tfrc_window_rtt_init(&w, 100 * MS);
		feed_rtt(&w, &snd, MS, 510, 0);
		while (snd.now < 1100 * SEC) {
			struct sender lost = snd;

			while (lost.now < snd.now + 400 * MS + i * 25 * MS)
				next_packet(&lost, MS);
			snd = lost;
			feed_rtt(&w, &snd, MS, 110, 0);
		}
		EXPECT_NEAR(test, w.rtt, 100 * MS, 5);
	}
}

/* A slow flow keeps a right first value, and corrects a wrong one. */
static void test_slow(struct kunit *test)
{
	struct tfrc_window_rtt w;
	struct sender snd;
	u64 gap;

	/* from 20 packets an RTT to one in an RTT and a quarter less a bit */
	for (gap = 5 * MS; gap < 125 * MS; gap += 3 * MS) {
		start_sender(&snd, 100 * MS);
		tfrc_window_rtt_init(&w, 100 * MS);
		feed_rtt(&w, &snd, gap, 1000, 0);
		KUNIT_EXPECT_GE_MSG(test, w.rtt, 99 * MS, "gap %llu", gap);
		KUNIT_EXPECT_LE_MSG(test, w.rtt, 101 * MS, "gap %llu", gap);

		/* d quarters are passed with d + 1 nearly over, or just so */
		tfrc_window_rtt_init(&w, 5 * SEC);
		feed_rtt(&w, &snd, gap, 1000, 0);
		KUNIT_EXPECT_GE_MSG(test, w.rtt, 99 * MS, "gap %llu", gap);
		KUNIT_EXPECT_LE_MSG(test, w.rtt, 201 * MS, "gap %llu", gap);

		tfrc_window_rtt_init(&w, MS);
		feed_rtt(&w, &snd, gap, 1000, 0);
		KUNIT_EXPECT_GE_MSG(test, w.rtt, 49 * MS, "gap %llu", gap);
		KUNIT_EXPECT_LE_MSG(test, w.rtt, 101 * MS, "gap %llu", gap);
	}

	/* slower than that R is at most four fifths of the gap */
	start_sender(&snd, 100 * MS);
	tfrc_window_rtt_init(&w, 70 * MS);
	feed_rtt(&w, &snd, 130 * MS, 1000, 0);
	KUNIT_EXPECT_EQ(test, w.rtt, 70 * MS);
	tfrc_window_rtt_init(&w, 5 * SEC);
	feed_rtt(&w, &snd, 130 * MS, 1000, 0);
	KUNIT_EXPECT_EQ(test, w.rtt, 104 * MS);
	/* as without a handshake that measured R */
	tfrc_window_rtt_init(&w, 0);
	feed_rtt(&w, &snd, 130 * MS, 1000, 0);
	KUNIT_EXPECT_EQ(test, w.rtt, 104 * MS);
	tfrc_window_rtt_init(&w, 0);
	feed_rtt(&w, &snd, 500 * MS, 1000, 0);
	KUNIT_EXPECT_EQ(test, w.rtt, 200 * MS);
}

/* Each fifth packet is late by up to 99 ms of 130, which does not make R less. */
static void test_late(struct kunit *test)
{
	struct tfrc_rx_packet pkt;
	struct tfrc_window_rtt w;
	struct sender snd;
	u32 i;

	start_sender(&snd, 100 * MS);
	tfrc_window_rtt_init(&w, 100 * MS);
	for (i = 0; i < 10000; i++) {
		pkt = next_packet(&snd, 130 * MS);
		tfrc_window_rtt_add(&w, &pkt, snd.now +
				    (i % 5 ? 0 : i % 100 * MS));
	}
	KUNIT_EXPECT_EQ(test, w.rtt, 100 * MS);
}

/* Bursts and pauses: the time of a pause does not count. */
static void test_pauses(struct kunit *test)
{
	struct tfrc_window_rtt w;
	struct sender snd;
	u32 i;

	start_sender(&snd, 100 * MS);
	tfrc_window_rtt_init(&w, 100 * MS);
	for (i = 0; i < 200; i++) {
		feed_rtt(&w, &snd, MS, 260, 0);
		snd.now += 130 * MS + i * 77 * MS;
	}
	EXPECT_NEAR(test, w.rtt, 100 * MS, 3);
}

/* What comes late or twice has an old counter; acknowledgments have none. */
static void test_reordering(struct kunit *test)
{
	struct tfrc_rx_packet pkt, ack = {}, old = {};
	struct tfrc_window_rtt w;
	struct sender snd;
	u32 i;

	start_sender(&snd, 100 * MS);
	tfrc_window_rtt_init(&w, 0);
	for (i = 0; i < 20000; i++) {
		pkt = next_packet(&snd, MS);
		if (i % 7 == 3) {
			/* one that is overtaken by the next */
			old = pkt;
			continue;
		}
		tfrc_window_rtt_add(&w, &pkt, snd.now);
		if (i % 7 == 4) {
			tfrc_window_rtt_add(&w, &old, snd.now);
			tfrc_window_rtt_add(&w, &pkt, snd.now);
			ack.seq = snd.seq++ & SEQ_MASK;
			tfrc_window_rtt_add(&w, &ack, snd.now);
		}
	}
	EXPECT_NEAR(test, w.rtt, 100 * MS, 5);

	/* of lost acknowledgments NDP Count tells: 19 of 20 packets here */
	start_sender(&snd, 100 * MS);
	tfrc_window_rtt_init(&w, 0);
	for (i = 0; i < 1000; i++) {
		snd.seq += 19;
		pkt = next_packet(&snd, MS);
		pkt.ndp = 19;
		tfrc_window_rtt_add(&w, &pkt, snd.now);
	}
	EXPECT_NEAR(test, w.rtt, 100 * MS, 3);

	/* a hole stays one even if an acknowledgment follows it */
	start_sender(&snd, 100 * MS);
	tfrc_window_rtt_init(&w, 100 * MS);
	for (i = 0; i < 2000; i++) {
		feed_rtt(&w, &snd, MS, 24, 0);
		/* a pause of 500 ms, but a step of one */
		snd.now += 500 * MS;
		snd.t_counter = snd.now - 25 * MS;
		snd.seq++;
		ack.seq = snd.seq++ & SEQ_MASK;
		tfrc_window_rtt_add(&w, &ack, snd.now);
	}
	KUNIT_EXPECT_EQ(test, w.rtt, 100 * MS);
}

/* From 15 to 0 is a step of one: here it is the only one, the rest are pauses. */
static void test_wrap(struct kunit *test)
{
	struct tfrc_rx_packet pkt = { .is_data = true };
	struct tfrc_window_rtt w;
	u64 now = SEC;
	u32 i;

	tfrc_window_rtt_init(&w, 0);
	for (i = 0; i < 32; i++) {
		pkt.seq++;
		pkt.ccval = 5 * i % 16;
		tfrc_window_rtt_add(&w, &pkt, now);
		now += 125 * MS;
	}
	/* four fifths of 125 ms, which is less than 200 */
	KUNIT_EXPECT_EQ(test, w.rtt, 100 * MS);
	tfrc_window_rtt_init(&w, 400 * MS);
	for (i = 0; i < 20; i++) {
		pkt.seq++;
		pkt.ccval = 5 * (i % 4);
		now += pkt.ccval ? 1250 * MS : 25 * MS;
		tfrc_window_rtt_add(&w, &pkt, now);
	}
	/* the steps of one say 50 to 100 ms; an eighth of the way from 400 ms */
	KUNIT_EXPECT_EQ(test, w.rtt, 362500 * US);
}

static void test_hostile(struct kunit *test)
{
	struct tfrc_rx_packet pkt = { .is_data = true };
	struct tfrc_window_rtt w;
	u64 now = SEC;
	u32 i;

	/* a step with each packet, all at once, then in hours */
	tfrc_window_rtt_init(&w, 0);
	for (i = 0; i < 1000; i++) {
		pkt.seq++;
		pkt.ccval += 3;
		tfrc_window_rtt_add(&w, &pkt, now);
	}
	KUNIT_EXPECT_EQ(test, w.rtt, TFRC_RTT_MIN);
	for (i = 0; i < 1000; i++) {
		pkt.seq++;
		pkt.ccval++;
		now += 3600 * SEC;
		tfrc_window_rtt_add(&w, &pkt, now);
	}
	EXPECT_NEAR(test, w.rtt, TFRC_RTT_MAX, 1);
	KUNIT_EXPECT_LE(test, w.rtt, TFRC_RTT_MAX);
}

static struct kunit_case window_rtt_cases[] = {
	KUNIT_CASE(test_none),
	KUNIT_CASE(test_fast),
	KUNIT_CASE(test_follows),
	KUNIT_CASE(test_losses),
	KUNIT_CASE(test_slow),
	KUNIT_CASE(test_late),
	KUNIT_CASE(test_pauses),
	KUNIT_CASE(test_reordering),
	KUNIT_CASE(test_wrap),
	KUNIT_CASE(test_hostile),
	{}
};

struct kunit_suite tfrc_window_rtt_suite = {
	.name = "tfrc_window_rtt",
	.test_cases = window_rtt_cases,
};
