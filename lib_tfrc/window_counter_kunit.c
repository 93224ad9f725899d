// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the sender's window counter, with values worked out by hand from RFC 4342,
 * 8.1, and of the R that a receiver estimates from it.
 */
#include <kunit/test.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <net/tfrc.h>
#include "kunit.h"

#define MS		TFRC_NSEC_PER_MSEC
#define SEC		TFRC_NSEC_PER_SEC
#define R		(100 * MS)
#define T0		(1000 * SEC)
#define SEQ_MASK	((1ULL << 48) - 1)

static u8 send_one(struct tfrc_window_counter *w, u64 seq, u64 now)
{
	u8 value = tfrc_window_counter_next(w, R, now);

	tfrc_window_counter_sent(w, seq & SEQ_MASK, now);
	return value;
}

/* Quarters of R = 100 ms, from the first packet with the value before. */
static void window_counter_test_quarters(struct kunit *test)
{
	static const struct {
		u32 ms;
		u8 value;
	} cases[] = {
		{ 0, 0 }, { 24, 0 }, { 25, 1 }, { 49, 1 }, { 51, 2 },
		/* from 51 on: 75 is no quarter later, 76 is */
		{ 75, 2 }, { 76, 3 }, { 151, 6 }, { 276, 11 },
		/* seven quarters, and an hour: by five */
		{ 451, 0 }, { 3600000, 5 }, { 3600001, 5 }, { 3600025, 6 },
	};
	struct tfrc_window_counter w = { };
	int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		KUNIT_EXPECT_EQ_MSG(test, send_one(&w, i, T0 + cases[i].ms * MS),
				    cases[i].value, "case %d", i);
}

/* After an acknowledgment of a packet with WC, WC + 4 at least. */
static void window_counter_test_acked(struct kunit *test)
{
	struct tfrc_window_counter w = { };
	const u64 first = (1ULL << 48) - 2;
	u64 i;

	/* numbers -2 and -1 (mod 2^48) have 0, 0 and 1 have 1, 2 and 3 have 2, ... */
	for (i = 0; i < 6; i++)
		KUNIT_EXPECT_EQ(test, send_one(&w, first + i, T0 + i / 2 * 25 * MS),
				i / 2);
	/* of 1: 5, by three more than there is; and only once */
	tfrc_window_counter_acked(&w, 0, R);
	KUNIT_EXPECT_EQ(test, send_one(&w, 4, T0 + 60 * MS), 5);
	KUNIT_EXPECT_EQ(test, send_one(&w, 5, T0 + 60 * MS), 5);
	/* quarters count from that packet on */
	KUNIT_EXPECT_EQ(test, send_one(&w, 6, T0 + 84 * MS), 5);
	KUNIT_EXPECT_EQ(test, send_one(&w, 7, T0 + 85 * MS), 6);
	/* of 2: 6 is what it is; an older one again changes nothing */
	tfrc_window_counter_acked(&w, 3, R);
	tfrc_window_counter_acked(&w, 1, R);
	KUNIT_EXPECT_EQ(test, send_one(&w, 8, T0 + 86 * MS), 6);
	/* of the newest: 10, not 10 and a quarter that has passed as well */
	tfrc_window_counter_acked(&w, 8, R);
	KUNIT_EXPECT_EQ(test, send_one(&w, 9, T0 + 111 * MS), 10);
	/* but five quarters are more */
	tfrc_window_counter_acked(&w, 9, R);
	KUNIT_EXPECT_EQ(test, send_one(&w, 10, T0 + 236 * MS), 15);
	/* across the end of the 16 values: of 15 to 3 */
	tfrc_window_counter_acked(&w, 10, R);
	KUNIT_EXPECT_EQ(test, send_one(&w, 11, T0 + 237 * MS), 3);

	/* longer ago than four changes: nothing to do */
	for (i = 12; i < 20; i++)
		send_one(&w, i, T0 + (237 + 25 * (i - 11)) * MS);
	KUNIT_EXPECT_EQ(test, w.value & 0xf, 11);
	tfrc_window_counter_acked(&w, 15, R);
	KUNIT_EXPECT_EQ(test, send_one(&w, 20, T0 + 438 * MS), 11);
	tfrc_window_counter_acked(&w, 16, R);	/* 8 */
	KUNIT_EXPECT_EQ(test, send_one(&w, 21, T0 + 439 * MS), 12);
}

/* R is at its least: the round trip may take less, and a report in each R is enough. */
static void window_counter_test_least(struct kunit *test)
{
	struct tfrc_window_counter w = { };

	send_one(&w, 1, T0);
	tfrc_window_counter_acked(&w, 1, TFRC_RTT_MIN);
	KUNIT_EXPECT_EQ(test, send_one(&w, 2, T0 + 30 * MS), 1);
	tfrc_window_counter_acked(&w, 2, TFRC_RTT_MIN + 1);
	KUNIT_EXPECT_EQ(test, send_one(&w, 3, T0 + 31 * MS), 5);
}

/* A packet that is not sent uses up no value. */
static void window_counter_test_unsent(struct kunit *test)
{
	struct tfrc_window_counter w = { };

	send_one(&w, 1, T0);
	KUNIT_EXPECT_EQ(test, tfrc_window_counter_next(&w, R, T0 + R), 4);
	KUNIT_EXPECT_EQ(test, tfrc_window_counter_next(&w, R, T0 + 2 * R), 5);
	KUNIT_EXPECT_EQ(test, send_one(&w, 2, T0 + 2 * R), 5);
}

/* Against the letter of the RFC, for which all sent packets are kept */
static void window_counter_test_random(struct kunit *test)
{
	const u32 packets = 100000;
	u32 *value = kunit_kcalloc(test, packets, sizeof(*value), GFP_KERNEL);
	u64 state = 1, now = T0, last_time = T0, seq;
	struct tfrc_window_counter w = { };
	u32 last = 0, least = 0;

	KUNIT_ASSERT_NOT_NULL(test, value);
	for (seq = 0; seq < packets; seq++) {
		u64 random = (state = state * 6364136223846793005ULL + 1) >> 20;
		u64 quarters;

		now += random % 64 ? random % (20 * MS) : random % SEC;
		quarters = div64_u64(now - last_time, R / 4);
		value[seq] = max(last + (u32)min(quarters, 5ULL), least);
		KUNIT_ASSERT_EQ(test, send_one(&w, seq, now), value[seq] % 16);
		KUNIT_ASSERT_LE(test, value[seq], last + 5);
		if (value[seq] != last)
			last_time = now;
		last = value[seq];
		if (random >> 40 & 1)
			continue;
		random = random >> 30 & 15;
		tfrc_window_counter_acked(&w, seq - min(seq, random), R);
		least = max(least, value[seq - min(seq, random)] + 4);
	}
}

/*
 * A packet each ms on a path of @rtt, at a sender that takes R for its round-trip time:
 * what does the receiver measure, and how often does it report?
 */
static u64 window_counter_path(u64 rtt, u32 *reports)
{
	struct tfrc_window_counter w = { };
	struct tfrc_rx_packet pkt = { .len = 1000, .is_data = true };
	u64 ack_time[64], ack_seq[64], head = 0, tail = 0, now, i;
	struct tfrc_window_rtt rtt_rx;
	u8 reported = 0;

	*reports = 0;
	tfrc_window_rtt_init(&rtt_rx, 0);
	for (i = 1, now = T0; i < 20000; i++, now += MS) {
		while (tail < head && ack_time[tail % 64] <= now)
			tfrc_window_counter_acked(&w, ack_seq[tail++ % 64], R);
		pkt.seq = i;
		pkt.ccval = send_one(&w, i, now);
		tfrc_window_rtt_add(&rtt_rx, &pkt, now + rtt / 2);
		if (((pkt.ccval - reported) & 0xf) < 4 && i > 1)
			continue;
		reported = pkt.ccval;
		ack_time[head % 64] = now + rtt;
		ack_seq[head++ % 64] = i;
		++*reports;
	}
	return tfrc_window_rtt_get(&rtt_rx);
}

/* R = 100 ms: where the round trip takes less, it is that which the receiver sees. */
static void window_counter_test_receiver(struct kunit *test)
{
	u64 rtt;
	u32 n;

	for (rtt = 8 * MS; rtt <= 100 * MS; rtt += MS) {
		u64 got = window_counter_path(rtt, &n);

		/* a packet each ms: a step may be a ms late */
		KUNIT_EXPECT_GE_MSG(test, got, rtt * 94 / 100, "RTT %llu", rtt);
		KUNIT_EXPECT_LE_MSG(test, got, rtt * 106 / 100 + MS, "RTT %llu", rtt);
		KUNIT_EXPECT_GE_MSG(test, (u64)n * (rtt + MS), 19 * SEC, "RTT %llu", rtt);
	}
	/* and where it takes more, R */
	rtt = window_counter_path(200 * MS, &n);
	KUNIT_EXPECT_GE(test, rtt, 96 * MS);
	KUNIT_EXPECT_LE(test, rtt, 104 * MS);
	KUNIT_EXPECT_EQ(test, n, 200);
}

static struct kunit_case window_counter_cases[] = {
	KUNIT_CASE(window_counter_test_quarters),
	KUNIT_CASE(window_counter_test_acked),
	KUNIT_CASE(window_counter_test_least),
	KUNIT_CASE(window_counter_test_unsent),
	KUNIT_CASE(window_counter_test_random),
	KUNIT_CASE(window_counter_test_receiver),
	{ }
};

struct kunit_suite tfrc_window_counter_suite = {
	.name = "tfrc_window_counter",
	.test_cases = window_counter_cases,
};
