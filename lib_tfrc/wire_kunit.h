/* SPDX-License-Identifier: GPL-2.0-only */
/* For tests of what is written on packets. */
#ifndef _LIB_TFRC_WIRE_KUNIT_H
#define _LIB_TFRC_WIRE_KUNIT_H

#include <kunit/test.h>
#include <linux/skbuff.h>
#include <net/tfrc_ccid.h>

#define WIRE_TEST_ROOM	256

static inline struct sk_buff *wire_test_skb(struct kunit *test)
{
	struct sk_buff *skb = alloc_skb(WIRE_TEST_ROOM, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, skb);
	skb_reserve(skb, WIRE_TEST_ROOM);
	DCCP_SKB_CB(skb)->dccpd_opt_len = 0;
	return skb;
}

#endif /* _LIB_TFRC_WIRE_KUNIT_H */
