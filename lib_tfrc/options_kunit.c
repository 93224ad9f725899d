// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the options: those that are written are read back, and malformed options and
 * incomplete reports are ignored.
 */
#include <kunit/test.h>
#include <linux/skbuff.h>
#include <net/tfrc_ccid.h>
#include <net/tfrc_driven.h>
#include <net/tfrc_rfc5348.h>
#include "kunit.h"

#define ROOM	256

static struct sk_buff *options_test_skb(struct kunit *test)
{
	struct sk_buff *skb = alloc_skb(ROOM, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, skb);
	skb_reserve(skb, ROOM);
	DCCP_SKB_CB(skb)->dccpd_opt_len = 0;
	return skb;
}

/* Write @fb on a packet and read it back from there. */
static void options_test_transfer(struct kunit *test,
				  const struct tfrc_feedback *fb,
				  struct tfrc_feedback *got, u32 *elapsed)
{
	struct sk_buff *skb = options_test_skb(test);
	struct tfrc_pending pd = { .need = TFRC_REPORT };
	u8 *opt;

	*elapsed = 0;
	KUNIT_ASSERT_EQ(test, tfrc_put_report(skb, fb), 0);
	for (opt = skb->data; opt < skb_tail_pointer(skb); opt += opt[1]) {
		KUNIT_ASSERT_GE(test, opt[1], 2);
		if (opt[0] == DCCPO_ELAPSED_TIME) {
			__be32 v;

			KUNIT_EXPECT_EQ(test, opt[1], 6);
			memcpy(&v, opt + 2, sizeof(v));
			*elapsed = be32_to_cpu(v);
			continue;
		}
		KUNIT_EXPECT_EQ(test, tfrc_pending_option(&pd, opt[0], opt + 2,
							  opt[1] - 2), 0);
	}
	KUNIT_EXPECT_TRUE(test, tfrc_pending_take(&pd, got));
	/* once only */
	KUNIT_EXPECT_FALSE(test, tfrc_pending_take(&pd, got));
	kfree_skb(skb);
}

static void options_test_round_trip(struct kunit *test)
{
	static const struct {
		u64 p, x_recv, p_got, x_got;
		u32 elapsed_us, elapsed_got;
	} cases[] = {
		/* no loss yet */
		{ 0, TFRC_RATE(1000), 0, TFRC_RATE(1000), 0, 0 },
		/* 1/p is rounded up: 1.43 to 2, 3.3 to 4, and so p down */
		{ TFRC_P_ONE, 0, TFRC_P_ONE, 0, 4, 0 },
		{ TFRC_P_ONE / 10 * 7, 1, TFRC_P_ONE / 2, 0, 5, 1 },
		{ TFRC_P_ONE / 10 * 3, TFRC_RATE(1) + 1, TFRC_P_ONE / 4,
		  TFRC_RATE(1), 123456, 12346 },
		{ TFRC_P_ONE / 1000, TFRC_RATE_MAX, TFRC_P_ONE / 1000,
		  TFRC_RATE(U32_MAX), U32_MAX, 429496730 },
		{ TFRC_P_ONE / 3, 0, TFRC_P_ONE / 3, 0, 14, 1 },
		/* less than the option can say */
		{ 1, 0, TFRC_P_ONE / (U32_MAX - 1), 0, 0, 0 },
	};

	for (int i = 0; i < ARRAY_SIZE(cases); i++) {
		struct tfrc_feedback got, fb = {
			.p = cases[i].p,
			.x_recv = cases[i].x_recv,
			.elapsed_us = cases[i].elapsed_us,
			.arrival_us = 0xfffffffe + i,
			.lost = 0x12345 + i,
			.marked = 0x1fffe + i,
		};
		u32 elapsed;

		options_test_transfer(test, &fb, &got, &elapsed);
		KUNIT_EXPECT_EQ_MSG(test, got.p, cases[i].p_got, "case %d", i);
		KUNIT_EXPECT_EQ_MSG(test, got.x_recv, cases[i].x_got,
				    "case %d", i);
		KUNIT_EXPECT_EQ_MSG(test, elapsed, cases[i].elapsed_got,
				    "case %d", i);
		KUNIT_EXPECT_EQ(test, got.lost, (u16)fb.lost);
		KUNIT_EXPECT_EQ(test, got.marked, (u16)fb.marked);
		KUNIT_EXPECT_TRUE(test, got.has_arrival);
		KUNIT_EXPECT_EQ(test, got.arrival_us, fb.arrival_us);
	}
}

/* An option with a wrong length is refused, and changes nothing. */
static void options_test_malformed(struct kunit *test)
{
	static const u8 known[] = {
		TFRC_OPT_LOSS_EVENT_RATE, TFRC_OPT_RECEIVE_RATE,
		TFRC_OPT_SIGNALS, TFRC_OPT_ARRIVAL,
	};
	const u8 zero[4] = { };
	struct tfrc_pending pd = { .need = TFRC_REPORT };
	u8 val[DCCP_SINGLE_OPT_MAXLEN];

	memset(val, 0xff, sizeof(val));
	for (int i = 0; i < ARRAY_SIZE(known); i++)
		for (int len = 0; len <= DCCP_SINGLE_OPT_MAXLEN; len++) {
			int want = len == 4 ? 0 : -EINVAL, got;

			pd.seen = 0;
			got = tfrc_pending_option(&pd, known[i], val, len);
			KUNIT_EXPECT_EQ_MSG(test, got, want, "%u, length %d",
					    known[i], len);
			KUNIT_EXPECT_EQ(test, !pd.seen, want != 0);
		}

	/* a loss interval of no packets: p would be infinite */
	pd.seen = 0;
	KUNIT_EXPECT_EQ(test, tfrc_pending_option(&pd, TFRC_OPT_LOSS_EVENT_RATE,
						  zero, 4), -EINVAL);
	KUNIT_EXPECT_EQ(test, pd.seen, 0);

	/* unknown options are ignored (RFC 4340, 5.8) */
	for (int opt = 192; opt < 256; opt++)
		if (!memchr(known, opt, sizeof(known)))
			KUNIT_EXPECT_EQ(test, tfrc_pending_option(&pd, opt, val,
								  opt - 192), 0);
	KUNIT_EXPECT_EQ(test, pd.seen, 0);
}

/* A report needs all three options, from the same packet. */
static void options_test_incomplete(struct kunit *test)
{
	static const u8 known[] = {
		TFRC_OPT_LOSS_EVENT_RATE, TFRC_OPT_RECEIVE_RATE,
		TFRC_OPT_SIGNALS,
	};
	struct tfrc_feedback fb;
	struct tfrc_pending pd = { .need = TFRC_REPORT };
	const u8 val[4] = { 0, 0, 0, 1 };

	for (int set = 0; set < 8; set++) {
		for (int i = 0; i < ARRAY_SIZE(known); i++)
			if (set & (1 << i))
				tfrc_pending_option(&pd, known[i], val, 4);
		KUNIT_EXPECT_EQ_MSG(test, tfrc_pending_take(&pd, &fb), set == 7,
				    "set %d", set);
	}
	/* Arrival is not needed. */
	KUNIT_EXPECT_FALSE(test, fb.has_arrival);
}

/* A report that requests a rate: three options; others are ignored. */
static void options_test_request(struct kunit *test)
{
	static const u8 val[9] = { 0, 1, 2, 3, 0, 0, 2, 1, 0xfe };
	static const u8 known[] = {
		TFRC_OPT_RECEIVE_RATE, TFRC_OPT_SIGNALS, TFRC_OPT_REQUEST,
	};
	struct tfrc_pending pd = { .need = DRIVEN_REPORT };
	struct tfrc_feedback fb;

	for (int set = 0; set < 8; set++) {
		for (int i = 0; i < ARRAY_SIZE(known); i++)
			if (set & (1 << i))
				tfrc_pending_option(&pd, known[i], val,
						    i < 2 ? 4 : 9);
		KUNIT_EXPECT_EQ_MSG(test, tfrc_pending_take(&pd, &fb), set == 7,
				    "set %d", set);
	}
	KUNIT_EXPECT_EQ(test, fb.rate, TFRC_RATE(0x10203));
	KUNIT_EXPECT_EQ(test, fb.timeout, 513 * TFRC_NSEC_PER_USEC);
	KUNIT_EXPECT_EQ(test, fb.number, 0xfe);
	KUNIT_EXPECT_EQ(test, fb.p, 0);

	for (int len = 0; len < 256; len++) {
		KUNIT_EXPECT_EQ(test, tfrc_pending_option(&pd, TFRC_OPT_REQUEST,
							  val, len),
				len == 9 ? 0 : -EINVAL);
		/* not of such a report: not looked at, and so not malformed */
		KUNIT_EXPECT_EQ(test, tfrc_pending_option(&pd, TFRC_OPT_LOSS_EVENT_RATE,
							  val, len), 0);
	}
}

/* Values that fit are read as they were written. */
static void options_test_request_round_trip(struct kunit *test)
{
	static const struct {
		u64 rate, timeout, got_rate, got_timeout;
	} cases[] = {
		{ TFRC_RATE(1250000) + 99, 234567891, TFRC_RATE(1250000),
		  234567000 },
		{ 0, 0, 0, 0 },
		{ TFRC_RATE_MAX, U64_MAX, TFRC_RATE(U32_MAX),
		  U32_MAX * TFRC_NSEC_PER_USEC },
	};

	for (int i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct tfrc_feedback fb = {
			.x_recv = TFRC_RATE(777), .lost = 3, .marked = 4,
			.rate = cases[i].rate, .timeout = cases[i].timeout,
			.number = i + 9,
		};
		struct tfrc_pending pd = { .need = DRIVEN_REPORT };
		struct sk_buff *skb = options_test_skb(test);
		struct tfrc_feedback got;
		const u8 *o;

		KUNIT_ASSERT_EQ(test, driven_put_report(skb, &fb), 0);
		for (o = skb->data; o < skb_tail_pointer(skb); o += o[1])
			tfrc_pending_option(&pd, o[0], o + 2, o[1] - 2);
		KUNIT_EXPECT_TRUE(test, tfrc_pending_take(&pd, &got));
		KUNIT_EXPECT_EQ(test, got.rate, cases[i].got_rate);
		KUNIT_EXPECT_EQ(test, got.timeout, cases[i].got_timeout);
		KUNIT_EXPECT_EQ(test, got.x_recv, TFRC_RATE(777));
		KUNIT_EXPECT_EQ(test, got.lost, 3);
		KUNIT_EXPECT_EQ(test, got.marked, 4);
		KUNIT_EXPECT_EQ(test, got.number, i + 9);
		kfree_skb(skb);
	}
}

/* The option L4S Read is not needed, has no value, and counts for one packet. */
static void options_test_l4s(struct kunit *test)
{
	static const u8 needed[] = {
		TFRC_OPT_LOSS_EVENT_RATE, TFRC_OPT_RECEIVE_RATE,
		TFRC_OPT_SIGNALS,
	};
	struct tfrc_pending pd = { .need = TFRC_REPORT };
	const u8 val[4] = { 0, 0, 0, 1 };
	struct tfrc_feedback fb;

	/* length of the option, -1: it is not there; -2: it is, the report is not whole */
	for (int len = -2; len < 4; len++) {
		for (int i = 0; i < ARRAY_SIZE(needed) - (len == -2); i++)
			tfrc_pending_option(&pd, needed[i], val, 4);
		if (len != -1)
			KUNIT_EXPECT_EQ(test, tfrc_pending_option(&pd, TFRC_OPT_L4S_READ,
								  val, max(len, 0)), 0);
		KUNIT_EXPECT_EQ(test, tfrc_pending_take(&pd, &fb), len != -2);
		if (len != -2)
			KUNIT_EXPECT_EQ_MSG(test, fb.l4s, len == 0, "%d", len);
	}
}

/* Option L4S of a data packet: one byte, 0 for an offer and 1 if the packet has ECT(1) */
static void options_test_data_l4s(struct kunit *test)
{
	const u8 l4s = 140, offer = TFRC_RX_HAS_L4S, ect1 = TFRC_RX_HAS_ECT1;
	static const struct {
		u8 opt, len, val[2];
		bool malformed, has, ect1;
	} cases[] = {
		{ 140, 1, { 0 }, false, true, false },
		{ 140, 1, { 1 }, false, true, true },
		{ 140, 1, { 2 }, true },
		{ 140, 1, { 255 }, true },
		{ 140, 0, { 1 }, true },
		{ 140, 2, { 1, 1 }, true },
		{ 139, 1, { 1 } },
		{ 205, 0 },
	};

	for (int i = 0; i < ARRAY_SIZE(cases); i++) {
		struct tfrc_receiver r = { };
		int rc = tfrc_data_option(&r, cases[i].opt, cases[i].val, cases[i].len);

		KUNIT_EXPECT_EQ_MSG(test, rc < 0, cases[i].malformed, "%d", i);
		KUNIT_EXPECT_EQ_MSG(test, !!(r.options & offer), cases[i].has, "%d", i);
		KUNIT_EXPECT_EQ_MSG(test, !!(r.options & ect1), cases[i].ect1, "%d", i);
	}

	for (int sent = 0; sent < 2; sent++) {
		struct sk_buff *skb = options_test_skb(test);

		KUNIT_EXPECT_EQ(test, tfrc_put_l4s(skb, sent), 0);
		KUNIT_ASSERT_EQ(test, skb->len, 3);
		KUNIT_EXPECT_EQ(test, skb->data[0], l4s);
		KUNIT_EXPECT_EQ(test, skb->data[1], 3);
		KUNIT_EXPECT_EQ(test, skb->data[2], sent);
		kfree_skb(skb);
	}
}

/* No room: an error, and the caller drops the packet. */
static void options_test_no_room(struct kunit *test)
{
	const struct tfrc_feedback fb = { .elapsed_us = 100 };
	struct sk_buff *skb = options_test_skb(test);

	DCCP_SKB_CB(skb)->dccpd_opt_len = DCCP_MAX_OPT_LEN - 10;
	KUNIT_EXPECT_LT(test, tfrc_put_report(skb, &fb), 0);
	DCCP_SKB_CB(skb)->dccpd_opt_len = DCCP_MAX_OPT_LEN - 20;
	KUNIT_EXPECT_LT(test, driven_put_report(skb, &fb), 0);
	kfree_skb(skb);
}

static struct kunit_case options_cases[] = {
	KUNIT_CASE(options_test_round_trip),
	KUNIT_CASE(options_test_malformed),
	KUNIT_CASE(options_test_incomplete),
	KUNIT_CASE(options_test_request),
	KUNIT_CASE(options_test_request_round_trip),
	KUNIT_CASE(options_test_l4s),
	KUNIT_CASE(options_test_data_l4s),
	KUNIT_CASE(options_test_no_room),
	{ }
};

struct kunit_suite tfrc_options_suite = {
	.name = "tfrc_options",
	.test_cases = options_cases,
};
