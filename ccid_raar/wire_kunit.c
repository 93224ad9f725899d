// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of RAAR's options: values are read as they were written, and malformed options
 * are refused.
 */
#include <kunit/test.h>
#include <linux/skbuff.h>
#include "wire.c"
#include "../lib_tfrc/wire_kunit.h"

static void wire_test_round_option(struct kunit *test)
{
	static const u8 val[8] = { 0, 0, 1, 0, 0xff, 0xff, 0xff, 0xff };
	struct sk_buff *skb = wire_test_skb(test);
	struct raar_receiver rd = { };

	for (int len = 0; len < 256; len++)
		if (len != 8)
			KUNIT_EXPECT_EQ(test, raar_parse(&rd, RAAR_OPT_ROUND,
							 val, len),
					-EINVAL);
	KUNIT_EXPECT_EQ(test, raar_parse(&rd, 137, val, 3), 0);
	KUNIT_EXPECT_EQ(test, rd.base.options, 0);
	KUNIT_EXPECT_EQ(test, raar_parse(&rd, RAAR_OPT_ROUND, val, 8), 0);
	KUNIT_EXPECT_EQ(test, rd.base.options, RAAR_HAS_ROUND);
	KUNIT_EXPECT_EQ(test, rd.round.rate, TFRC_RATE(256));
	KUNIT_EXPECT_EQ(test, rd.round.waited, U32_MAX * TFRC_NSEC_PER_USEC);

	KUNIT_ASSERT_EQ(test, raar_put_round(skb, TFRC_RATE(50000),
					     7 * TFRC_NSEC_PER_MSEC), 0);
	KUNIT_EXPECT_EQ(test, skb->len, TFRC_OPT_2BE32_LEN);
	KUNIT_EXPECT_EQ(test, raar_parse(&rd, skb->data[0], skb->data + 2,
					 skb->data[1] - 2), 0);
	KUNIT_EXPECT_EQ(test, rd.round.rate, TFRC_RATE(50000));
	KUNIT_EXPECT_EQ(test, rd.round.waited, 7 * TFRC_NSEC_PER_MSEC);
	kfree_skb(skb);
}

static struct kunit_case wire_cases[] = {
	KUNIT_CASE(wire_test_round_option),
	{ }
};

static struct kunit_suite raar_wire_suite = {
	.name = "raar_wire",
	.test_cases = wire_cases,
};

kunit_test_suite(raar_wire_suite);
