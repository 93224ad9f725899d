// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of CTFAF's options: values are read as they were written, and malformed options
 * are refused.
 */
#include <kunit/test.h>
#include <linux/skbuff.h>
#include "wire.c"
#include "../lib_tfrc/wire_kunit.h"

/* A report on an interval has two options more, and needs all five. */
static void wire_test_on_interval(struct kunit *test)
{
	static const u8 known[] = {
		TFRC_OPT_LOSS_EVENT_RATE, TFRC_OPT_RECEIVE_RATE,
		TFRC_OPT_SIGNALS, CTFAF_OPT_LOSS_SHARE, CTFAF_OPT_BOTTLENECK,
	};
	static const u8 val[4] = { 0, 1, 2, 3 };
	struct tfrc_pending pd = { .need = CTFAF_REPORT };
	struct tfrc_feedback fb;

	for (int set = 0; set < 32; set++) {
		for (int i = 0; i < ARRAY_SIZE(known); i++)
			if (set & (1 << i))
				ctfaf_parse_report(&pd, known[i], val, 4);
		KUNIT_EXPECT_EQ_MSG(test, tfrc_pending_take(&pd, &fb), set == 31,
				    "set %d", set);
	}
	KUNIT_EXPECT_EQ(test, fb.loss, 0x10203);
	KUNIT_EXPECT_EQ(test, fb.x_pair, TFRC_RATE(0x10203));
	for (int len = 0; len < 256; len++)
		for (int i = 3; i < ARRAY_SIZE(known); i++)
			KUNIT_EXPECT_EQ(test, ctfaf_parse_report(&pd, known[i],
								 val, len),
					len == 4 ? 0 : -EINVAL);
}

/* What a receiver takes from the options, within its bounds. */
static void wire_test_interval(struct kunit *test)
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
	struct ctfaf_receiver iv;

	for (int i = 0; i < ARRAY_SIZE(cases); i++) {
		const u8 *val = (const u8 *)cases[i].val;

		memset(&iv, 0, sizeof(iv));
		for (int len = 0; len < 256; len++)
			if (len != 8)
				KUNIT_EXPECT_EQ(test, ctfaf_parse(&iv, 136, val, len),
						-EINVAL);
		KUNIT_EXPECT_EQ(test, ctfaf_parse(&iv, 137, val, 3), 0);
		KUNIT_EXPECT_EQ(test, iv.ir.base.options, 0);
		KUNIT_EXPECT_EQ(test, ctfaf_parse(&iv, 136, val, 8), 0);
		KUNIT_EXPECT_EQ(test, iv.ir.base.options, CTFAF_HAS_INTERVAL);
		KUNIT_EXPECT_EQ(test, iv.interval, cases[i].interval);
		KUNIT_EXPECT_EQ(test, iv.rtt, cases[i].rtt);
	}
}

/* What is put on a packet is what is read off it. */
static void wire_test_interval_round_trip(struct kunit *test)
{
	const struct tfrc_feedback fb = {
		.loss = 0x89abcdef, .x_pair = TFRC_RATE(1250000),
	};
	struct tfrc_pending pd = { .need = CTFAF_REPORT };
	struct sk_buff *skb = wire_test_skb(test);
	struct ctfaf_receiver iv = { };
	const u8 *o;

	KUNIT_ASSERT_EQ(test, ctfaf_put_report(skb, &fb), 0);
	for (o = skb->data; o < skb_tail_pointer(skb); o += o[1])
		ctfaf_parse_report(&pd, o[0], o + 2, o[1] - 2);
	KUNIT_EXPECT_EQ(test, pd.loss, fb.loss);
	KUNIT_EXPECT_EQ(test, pd.x_pair, 1250000);
	kfree_skb(skb);

	skb = wire_test_skb(test);
	KUNIT_ASSERT_EQ(test, ctfaf_put_interval(skb, 5 * TFRC_NSEC_PER_SEC,
						 TFRC_NSEC_PER_MSEC), 0);
	KUNIT_EXPECT_EQ(test, skb->len, TFRC_OPT_2BE32_LEN);
	KUNIT_EXPECT_EQ(test, ctfaf_parse(&iv, skb->data[0],
					  skb->data + 2,
						  skb->data[1] - 2), 0);
	KUNIT_EXPECT_EQ(test, iv.interval, 5 * TFRC_NSEC_PER_SEC);
	KUNIT_EXPECT_EQ(test, iv.rtt, TFRC_NSEC_PER_MSEC);
	kfree_skb(skb);
}

static struct kunit_case wire_cases[] = {
	KUNIT_CASE(wire_test_on_interval),
	KUNIT_CASE(wire_test_interval),
	KUNIT_CASE(wire_test_interval_round_trip),
	{ }
};

static struct kunit_suite ctfaf_wire_suite = {
	.name = "ctfaf_wire",
	.test_cases = wire_cases,
};

kunit_test_suite(ctfaf_wire_suite);
