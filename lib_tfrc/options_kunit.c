// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the feedback options: what is written is read again, and nothing
 * that is malformed or incomplete gets through.
 */
#include <kunit/test.h>
#include <linux/skbuff.h>
#include <net/tfrc_ccid.h>
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
	struct tfrc_stash st = { .need = TFRC_REPORT_TFRC };
	u8 *opt;

	*elapsed = 0;
	KUNIT_ASSERT_EQ(test, tfrc_insert_feedback(skb, fb), 0);
	for (opt = skb->data; opt < skb_tail_pointer(skb); opt += opt[1]) {
		KUNIT_ASSERT_GE(test, opt[1], 2);
		if (opt[0] == DCCPO_ELAPSED_TIME) {
			__be32 v;

			KUNIT_EXPECT_EQ(test, opt[1], 6);
			memcpy(&v, opt + 2, sizeof(v));
			*elapsed = be32_to_cpu(v);
			continue;
		}
		KUNIT_EXPECT_EQ(test, tfrc_stash_option(&st, opt[0], opt + 2,
							opt[1] - 2), 0);
	}
	KUNIT_EXPECT_TRUE(test, tfrc_stash_take(&st, got));
	/* once only */
	KUNIT_EXPECT_FALSE(test, tfrc_stash_take(&st, got));
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
	}
}

/* Every length but the right one is refused and changes nothing. */
static void options_test_malformed(struct kunit *test)
{
	static const u8 known[] = {
		TFRC_OPT_LOSS_EVENT_RATE, TFRC_OPT_RECEIVE_RATE,
		TFRC_OPT_SIGNALS,
	};
	const u8 zero[4] = { };
	struct tfrc_stash st = { .need = TFRC_REPORT_TFRC };
	u8 val[DCCP_SINGLE_OPT_MAXLEN];

	memset(val, 0xff, sizeof(val));
	for (int i = 0; i < ARRAY_SIZE(known); i++)
		for (int len = 0; len <= DCCP_SINGLE_OPT_MAXLEN; len++) {
			int want = len == 4 ? 0 : -EINVAL, got;

			st.seen = 0;
			got = tfrc_stash_option(&st, known[i], val, len);
			KUNIT_EXPECT_EQ_MSG(test, got, want, "%u, length %d",
					    known[i], len);
			KUNIT_EXPECT_EQ(test, !st.seen, want != 0);
		}

	/* a loss interval of no packets: p would be infinite */
	st.seen = 0;
	KUNIT_EXPECT_EQ(test, tfrc_stash_option(&st, TFRC_OPT_LOSS_EVENT_RATE,
						zero, 4), -EINVAL);
	KUNIT_EXPECT_EQ(test, st.seen, 0);

	/* what is not known is passed over, as RFC 4340, 5.8 asks for */
	for (int opt = 192; opt < 256; opt++)
		if (!memchr(known, opt, sizeof(known)))
			KUNIT_EXPECT_EQ(test, tfrc_stash_option(&st, opt, val,
								opt - 192), 0);
	KUNIT_EXPECT_EQ(test, st.seen, 0);
}

/* Less than all three is no report, nor is what is left of an earlier packet. */
static void options_test_incomplete(struct kunit *test)
{
	static const u8 known[] = {
		TFRC_OPT_LOSS_EVENT_RATE, TFRC_OPT_RECEIVE_RATE,
		TFRC_OPT_SIGNALS,
	};
	struct tfrc_feedback fb;
	struct tfrc_stash st = { .need = TFRC_REPORT_TFRC };
	const u8 val[4] = { 0, 0, 0, 1 };

	for (int set = 0; set < 8; set++) {
		for (int i = 0; i < ARRAY_SIZE(known); i++)
			if (set & (1 << i))
				tfrc_stash_option(&st, known[i], val, 4);
		KUNIT_EXPECT_EQ_MSG(test, tfrc_stash_take(&st, &fb), set == 7,
				    "set %d", set);
	}
}

/* A report on an interval has two options more, and needs all five. */
static void options_test_on_interval(struct kunit *test)
{
	static const u8 known[] = {
		TFRC_OPT_LOSS_EVENT_RATE, TFRC_OPT_RECEIVE_RATE,
		TFRC_OPT_SIGNALS, TFRC_OPT_LOSS_SHARE, TFRC_OPT_BOTTLENECK,
	};
	static const u8 val[4] = { 0, 1, 2, 3 };
	struct tfrc_stash st = { .need = TFRC_REPORT_INTERVAL };
	struct tfrc_feedback fb;

	for (int set = 0; set < 32; set++) {
		for (int i = 0; i < ARRAY_SIZE(known); i++)
			if (set & (1 << i))
				tfrc_stash_option(&st, known[i], val, 4);
		KUNIT_EXPECT_EQ_MSG(test, tfrc_stash_take(&st, &fb), set == 31,
				    "set %d", set);
	}
	KUNIT_EXPECT_EQ(test, fb.loss, 0x10203);
	KUNIT_EXPECT_EQ(test, fb.x_pair, TFRC_RATE(0x10203));
	for (int len = 0; len < 256; len++)
		for (int i = 3; i < ARRAY_SIZE(known); i++)
			KUNIT_EXPECT_EQ(test, tfrc_stash_option(&st, known[i],
								val, len),
					len == 4 ? 0 : -EINVAL);
}

/* A report with a rate: three options, and what else comes is passed over. */
static void options_test_told(struct kunit *test)
{
	static const u8 val[9] = { 0, 1, 2, 3, 0, 0, 2, 1, 0xfe };
	static const u8 known[] = {
		TFRC_OPT_RECEIVE_RATE, TFRC_OPT_SIGNALS, TFRC_OPT_TOLD,
	};
	struct tfrc_stash st = { .need = TFRC_REPORT_TOLD };
	struct tfrc_feedback fb;

	for (int set = 0; set < 8; set++) {
		for (int i = 0; i < ARRAY_SIZE(known); i++)
			if (set & (1 << i))
				tfrc_stash_option(&st, known[i], val,
						  i < 2 ? 4 : 9);
		KUNIT_EXPECT_EQ_MSG(test, tfrc_stash_take(&st, &fb), set == 7,
				    "set %d", set);
	}
	KUNIT_EXPECT_EQ(test, fb.told, TFRC_RATE(0x10203));
	KUNIT_EXPECT_EQ(test, fb.timeout, 513 * TFRC_NSEC_PER_USEC);
	KUNIT_EXPECT_EQ(test, fb.number, 0xfe);
	KUNIT_EXPECT_EQ(test, fb.p, 0);

	for (int len = 0; len < 256; len++) {
		KUNIT_EXPECT_EQ(test, tfrc_stash_option(&st, TFRC_OPT_TOLD,
							val, len),
				len == 9 ? 0 : -EINVAL);
		/* not of such a report: not looked at, and so not malformed */
		KUNIT_EXPECT_EQ(test, tfrc_stash_option(&st, TFRC_OPT_LOSS_EVENT_RATE,
							val, len), 0);
	}
}

/* What is put on a packet is what is read off it, if it fits. */
static void options_test_told_round_trip(struct kunit *test)
{
	static const struct {
		u64 told, timeout, got_told, got_timeout;
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
			.told = cases[i].told, .timeout = cases[i].timeout,
			.number = i + 9,
		};
		struct tfrc_stash st = { .need = TFRC_REPORT_TOLD };
		struct sk_buff *skb = options_test_skb(test);
		struct tfrc_feedback got;
		const u8 *o;

		KUNIT_ASSERT_EQ(test, tfrc_insert_told(skb, &fb), 0);
		for (o = skb->data; o < skb_tail_pointer(skb); o += o[1])
			tfrc_stash_option(&st, o[0], o + 2, o[1] - 2);
		KUNIT_EXPECT_TRUE(test, tfrc_stash_take(&st, &got));
		KUNIT_EXPECT_EQ(test, got.told, cases[i].got_told);
		KUNIT_EXPECT_EQ(test, got.timeout, cases[i].got_timeout);
		KUNIT_EXPECT_EQ(test, got.x_recv, TFRC_RATE(777));
		KUNIT_EXPECT_EQ(test, got.lost, 3);
		KUNIT_EXPECT_EQ(test, got.marked, 4);
		KUNIT_EXPECT_EQ(test, got.number, i + 9);
		kfree_skb(skb);
	}
}

static void options_test_round_option(struct kunit *test)
{
	static const u8 val[8] = { 0, 0, 1, 0, 0xff, 0xff, 0xff, 0xff };
	struct sk_buff *skb = options_test_skb(test);
	struct tfrc_round rd = { };

	for (int len = 0; len < 256; len++)
		if (len != 8)
			KUNIT_EXPECT_EQ(test, tfrc_stash_round(&rd, TFRC_OPT_ROUND,
							       val, len),
					-EINVAL);
	KUNIT_EXPECT_EQ(test, tfrc_stash_round(&rd, 137, val, 3), 0);
	KUNIT_EXPECT_FALSE(test, rd.seen);
	KUNIT_EXPECT_EQ(test, tfrc_stash_round(&rd, TFRC_OPT_ROUND, val, 8), 0);
	KUNIT_EXPECT_TRUE(test, rd.seen);
	KUNIT_EXPECT_EQ(test, rd.rate, TFRC_RATE(256));
	KUNIT_EXPECT_EQ(test, rd.waited, U32_MAX * TFRC_NSEC_PER_USEC);

	KUNIT_ASSERT_EQ(test, tfrc_insert_round(skb, TFRC_RATE(50000),
						7 * TFRC_NSEC_PER_MSEC), 0);
	KUNIT_EXPECT_EQ(test, skb->len, TFRC_OPT_ROUND_LEN);
	KUNIT_EXPECT_EQ(test, tfrc_stash_round(&rd, skb->data[0], skb->data + 2,
					       skb->data[1] - 2), 0);
	KUNIT_EXPECT_EQ(test, rd.rate, TFRC_RATE(50000));
	KUNIT_EXPECT_EQ(test, rd.waited, 7 * TFRC_NSEC_PER_MSEC);
	kfree_skb(skb);
}

/* What a receiver is told, within what it is ready to do. */
static void options_test_interval(struct kunit *test)
{
	static const struct {
		__be32 val[2];
		u64 interval, rtt;
	} cases[] = {
		{ { cpu_to_be32(5000000), cpu_to_be32(40000) },
		  5 * TFRC_NSEC_PER_SEC, 40 * TFRC_NSEC_PER_MSEC },
		{ { 0, 0 }, TFRC_INTERVAL_MIN, TFRC_RTT_MIN },
		{ { cpu_to_be32(U32_MAX), cpu_to_be32(U32_MAX) },
		  TFRC_INTERVAL_MAX, TFRC_RTT_MAX },
	};
	struct tfrc_interval iv;

	for (int i = 0; i < ARRAY_SIZE(cases); i++) {
		const u8 *val = (const u8 *)cases[i].val;

		memset(&iv, 0, sizeof(iv));
		for (int len = 0; len < 256; len++)
			if (len != 8)
				KUNIT_EXPECT_EQ(test, tfrc_stash_interval(&iv, 136, val, len),
						-EINVAL);
		KUNIT_EXPECT_EQ(test, tfrc_stash_interval(&iv, 137, val, 3), 0);
		KUNIT_EXPECT_FALSE(test, iv.seen);
		KUNIT_EXPECT_EQ(test, tfrc_stash_interval(&iv, 136, val, 8), 0);
		KUNIT_EXPECT_TRUE(test, iv.seen);
		KUNIT_EXPECT_EQ(test, iv.interval, cases[i].interval);
		KUNIT_EXPECT_EQ(test, iv.rtt, cases[i].rtt);
	}
}

/* What is put on a packet is what is read off it. */
static void options_test_interval_round_trip(struct kunit *test)
{
	const struct tfrc_feedback fb = {
		.loss = 0x89abcdef, .x_pair = TFRC_RATE(1250000),
	};
	struct tfrc_stash st = { .need = TFRC_REPORT_INTERVAL };
	struct sk_buff *skb = options_test_skb(test);
	struct tfrc_interval iv = { };
	const u8 *o;

	KUNIT_ASSERT_EQ(test, tfrc_insert_shares(skb, &fb), 0);
	for (o = skb->data; o < skb_tail_pointer(skb); o += o[1])
		tfrc_stash_option(&st, o[0], o + 2, o[1] - 2);
	KUNIT_EXPECT_EQ(test, st.loss, fb.loss);
	KUNIT_EXPECT_EQ(test, st.x_pair, 1250000);
	kfree_skb(skb);

	skb = options_test_skb(test);
	KUNIT_ASSERT_EQ(test, tfrc_insert_interval(skb, 5 * TFRC_NSEC_PER_SEC,
						   TFRC_NSEC_PER_MSEC), 0);
	KUNIT_EXPECT_EQ(test, skb->len, TFRC_OPT_INTERVAL_LEN);
	KUNIT_EXPECT_EQ(test, tfrc_stash_interval(&iv, skb->data[0],
						  skb->data + 2,
						  skb->data[1] - 2), 0);
	KUNIT_EXPECT_EQ(test, iv.interval, 5 * TFRC_NSEC_PER_SEC);
	KUNIT_EXPECT_EQ(test, iv.rtt, TFRC_NSEC_PER_MSEC);
	kfree_skb(skb);
}

/* What a sender of layers says, of any value; and what it is when put on a packet. */
static void options_test_path(struct kunit *test)
{
	static const struct {
		__be32 val[2];
		u64 rtt, deviation;
	} cases[] = {
		{ { cpu_to_be32(70000), cpu_to_be32(3000) },
		  70 * TFRC_NSEC_PER_MSEC, 3 * TFRC_NSEC_PER_MSEC },
		{ { 0, 0 }, TFRC_RTT_MIN, 0 },
		{ { cpu_to_be32(U32_MAX), cpu_to_be32(U32_MAX) },
		  TFRC_RTT_MAX, TFRC_RTT_MAX },
	};
	struct sk_buff *skb = options_test_skb(test);
	struct tfrc_path path;

	for (int i = 0; i < ARRAY_SIZE(cases); i++) {
		const u8 *val = (const u8 *)cases[i].val;

		memset(&path, 0, sizeof(path));
		for (int len = 0; len < 256; len++)
			if (len != 8)
				KUNIT_EXPECT_EQ(test, tfrc_stash_path(&path, 137, val, len),
						-EINVAL);
		KUNIT_EXPECT_EQ(test, tfrc_stash_path(&path, 136, val, 3), 0);
		KUNIT_EXPECT_FALSE(test, path.seen);
		KUNIT_EXPECT_EQ(test, tfrc_stash_path(&path, 137, val, 8), 0);
		KUNIT_EXPECT_TRUE(test, path.seen);
		KUNIT_EXPECT_EQ(test, path.rtt, cases[i].rtt);
		KUNIT_EXPECT_EQ(test, path.deviation, cases[i].deviation);
	}

	KUNIT_ASSERT_EQ(test, tfrc_insert_path(skb, TFRC_NSEC_PER_MSEC, 2000), 0);
	KUNIT_EXPECT_EQ(test, skb->len, TFRC_OPT_PATH_LEN);
	KUNIT_EXPECT_EQ(test, tfrc_stash_path(&path, skb->data[0], skb->data + 2,
					      skb->data[1] - 2), 0);
	KUNIT_EXPECT_EQ(test, path.rtt, TFRC_NSEC_PER_MSEC);
	KUNIT_EXPECT_EQ(test, path.deviation, 2000);
	kfree_skb(skb);
}

/* 1 to 16 rates, whatever they are. */
static void options_test_layers(struct kunit *test)
{
	u32 rate[TFRC_LAYERS_MAX] = { U32_MAX, 0, 7 };
	u8 val[256] = { 0, 0, 4, 0, 255 };
	struct tfrc_layers l = {};

	for (int len = 0; len < 256; len++) {
		bool good = len && len % 4 == 0 && len <= 64;

		KUNIT_EXPECT_EQ(test, tfrc_stash_layers(&l, 139, val, len),
				good ? 0 : -EINVAL);
		if (good)
			KUNIT_EXPECT_EQ(test, l.n, len / 4);
	}
	KUNIT_EXPECT_EQ(test, l.rate[0], 1024);
	KUNIT_EXPECT_EQ(test, l.rate[1], 0xff000000);

	for (u32 n = 1; n <= TFRC_LAYERS_MAX; n++) {
		struct sk_buff *skb = options_test_skb(test);

		memset(&l, 0, sizeof(l));
		KUNIT_ASSERT_EQ(test, tfrc_insert_layers(skb, rate, n), 0);
		KUNIT_EXPECT_EQ(test, skb->len, TFRC_OPT_LAYERS_LEN(n));
		KUNIT_EXPECT_EQ(test, tfrc_stash_layers(&l, 138, skb->data, 1), 0);
		KUNIT_EXPECT_EQ(test, l.n, 0);
		KUNIT_EXPECT_EQ(test, tfrc_stash_layers(&l, skb->data[0],
							skb->data + 2,
							skb->data[1] - 2), 0);
		KUNIT_EXPECT_EQ(test, l.n, n);
		KUNIT_EXPECT_MEMEQ(test, l.rate, rate, 4 * n);
		kfree_skb(skb);
	}
}

/* No room: an error, and the caller drops the packet. */
static void options_test_no_room(struct kunit *test)
{
	const struct tfrc_feedback fb = { .elapsed_us = 100 };
	struct sk_buff *skb = options_test_skb(test);

	DCCP_SKB_CB(skb)->dccpd_opt_len = DCCP_MAX_OPT_LEN - 10;
	KUNIT_EXPECT_LT(test, tfrc_insert_feedback(skb, &fb), 0);
	DCCP_SKB_CB(skb)->dccpd_opt_len = DCCP_MAX_OPT_LEN - 20;
	KUNIT_EXPECT_LT(test, tfrc_insert_told(skb, &fb), 0);
	kfree_skb(skb);
}

static struct kunit_case options_cases[] = {
	KUNIT_CASE(options_test_round_trip),
	KUNIT_CASE(options_test_malformed),
	KUNIT_CASE(options_test_incomplete),
	KUNIT_CASE(options_test_on_interval),
	KUNIT_CASE(options_test_told),
	KUNIT_CASE(options_test_told_round_trip),
	KUNIT_CASE(options_test_round_option),
	KUNIT_CASE(options_test_interval),
	KUNIT_CASE(options_test_interval_round_trip),
	KUNIT_CASE(options_test_path),
	KUNIT_CASE(options_test_layers),
	KUNIT_CASE(options_test_no_room),
	{ }
};

struct kunit_suite tfrc_options_suite = {
	.name = "tfrc_options",
	.test_cases = options_cases,
};
