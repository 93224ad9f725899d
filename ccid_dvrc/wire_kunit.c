// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of DVRC's options: values are read as they were written, and malformed options
 * are refused.
 */
#include <kunit/test.h>
#include <linux/skbuff.h>
#include "wire.c"
#include "../lib_tfrc/wire_kunit.h"

/* Options of any value from a sender, and the options that are written */
static void wire_test_path(struct kunit *test)
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
	struct sk_buff *skb = wire_test_skb(test);
	struct dvrc_receiver *dr = kunit_kzalloc(test, sizeof(*dr), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, dr);
	for (int i = 0; i < ARRAY_SIZE(cases); i++) {
		const u8 *val = (const u8 *)cases[i].val;

		memset(dr, 0, sizeof(*dr));
		for (int len = 0; len < 256; len++)
			if (len != 8)
				KUNIT_EXPECT_EQ(test, dvrc_parse(dr, 137, val, len),
						-EINVAL);
		KUNIT_EXPECT_EQ(test, dvrc_parse(dr, 136, val, 3), 0);
		KUNIT_EXPECT_EQ(test, dr->base.options, 0);
		KUNIT_EXPECT_EQ(test, dvrc_parse(dr, 137, val, 8), 0);
		KUNIT_EXPECT_EQ(test, dr->base.options, DVRC_HAS_PATH);
		KUNIT_EXPECT_EQ(test, dr->path.rtt, cases[i].rtt);
		KUNIT_EXPECT_EQ(test, dr->path.deviation, cases[i].deviation);
	}

	KUNIT_ASSERT_EQ(test, dvrc_put_path(skb, TFRC_NSEC_PER_MSEC, 2000), 0);
	KUNIT_EXPECT_EQ(test, skb->len, TFRC_OPT_2BE32_LEN);
	KUNIT_EXPECT_EQ(test, dvrc_parse(dr, skb->data[0], skb->data + 2,
					 skb->data[1] - 2), 0);
	KUNIT_EXPECT_EQ(test, dr->path.rtt, TFRC_NSEC_PER_MSEC);
	KUNIT_EXPECT_EQ(test, dr->path.deviation, 2000);
	kfree_skb(skb);
}

/* 1 to 16 rates that grow. */
static void wire_test_layers(struct kunit *test)
{
	u8 val[256] = { 0, 0, 4, 0, 255, 0, 0, 0 };
	struct dvrc_layers l = { };
	struct dvrc_receiver *dr = kunit_kzalloc(test, sizeof(*dr), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, dr);

	for (int i = 2; i < 64; i++) {
		val[4 * i] = 255;
		val[4 * i + 3] = i;
	}
	for (int len = 0; len < 256; len++) {
		bool good = len && len % 4 == 0 && len <= 64;

		KUNIT_EXPECT_EQ(test, dvrc_parse(dr, 139, val, len),
				good ? 0 : -EINVAL);
		if (good)
			KUNIT_EXPECT_EQ(test, dr->vector.k, len / 4);
	}
	KUNIT_EXPECT_EQ(test, dr->vector.rate[0], 1024);
	KUNIT_EXPECT_EQ(test, dr->vector.rate[1], 0xff000000);
	/* rates that do not grow are refused, and an earlier vector stays */
	dr->base.options = 0;
	val[0] = 255;
	val[3] = 1;
	KUNIT_EXPECT_EQ(test, dvrc_parse(dr, 139, val, 8), -EINVAL);
	KUNIT_EXPECT_EQ(test, dr->base.options, 0);
	KUNIT_EXPECT_EQ(test, dr->vector.k, 16);
	KUNIT_EXPECT_EQ(test, dr->vector.rate[0], 1024);

	for (u32 n = 1; n <= DCCP_DVRC_LAYERS_MAX; n++) {
		struct sk_buff *skb = wire_test_skb(test);

		l.rate[n - 1] = n == 1 ? 7 : 3 * l.rate[n - 2];
		l.k = n;
		memset(dr, 0, sizeof(*dr));
		KUNIT_ASSERT_EQ(test, dvrc_put_layers(skb, &l), 0);
		KUNIT_EXPECT_EQ(test, skb->len, DVRC_OPT_LAYERS_LEN(n));
		KUNIT_EXPECT_EQ(test, dvrc_parse(dr, 138, skb->data, 1), 0);
		KUNIT_EXPECT_EQ(test, dr->base.options, 0);
		KUNIT_EXPECT_EQ(test, dvrc_parse(dr, skb->data[0],
						 skb->data + 2,
						 skb->data[1] - 2), 0);
		KUNIT_EXPECT_EQ(test, dr->base.options, DVRC_HAS_LAYERS);
		KUNIT_EXPECT_EQ(test, dr->vector.k, n);
		KUNIT_EXPECT_MEMEQ(test, dr->vector.rate, l.rate, 4 * n);
		kfree_skb(skb);
	}
}

static struct kunit_case wire_cases[] = {
	KUNIT_CASE(wire_test_path),
	KUNIT_CASE(wire_test_layers),
	{ }
};

static struct kunit_suite dvrc_wire_suite = {
	.name = "dvrc_wire",
	.test_cases = wire_cases,
};

kunit_test_suite(dvrc_wire_suite);
