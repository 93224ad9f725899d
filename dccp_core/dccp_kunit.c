// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of functions of the core whose callers a program cannot bring into the
 * situation in question, at least not at a time of its choice.
 */
#include <kunit/test.h>
#include <linux/module.h>
#include <linux/skbuff.h>
#include <net/net_namespace.h>
#include "dccp.h"
#include "feat.h"
#include "ccids/lib/packet_history.h"

/*
 * A Timestamp, an NDP Count, an Elapsed Time, a Change L of the Sequence Window to 1000,
 * and a Change R of a feature that nobody knows
 */
static const u8 core_test_options[] = {
	41, 6, 0, 0, 0, 5,
	37, 3, 7,
	43, 4, 0, 9,
	32, 9, 3, 0, 0, 0, 0, 3, 232,
	34, 4, 200, 1,
	0, 0,
};

static void core_test_release(void *skb)
{
	kfree_skb(skb);
}

/* An Ack with these options, from the client */
static struct sk_buff *core_test_ack(struct kunit *test)
{
	const int size = sizeof(struct dccp_hdr) + sizeof(struct dccp_hdr_ext) +
			 sizeof(struct dccp_hdr_ack_bits);
	struct sk_buff *skb = alloc_skb(128, GFP_KERNEL);
	struct dccp_hdr *dh;

	KUNIT_ASSERT_NOT_NULL(test, skb);
	KUNIT_ASSERT_EQ(test, 0,
			kunit_add_action_or_reset(test, core_test_release, skb));
	skb_reset_transport_header(skb);
	dh = skb_put_zero(skb, size);
	dh->dccph_x = 1;
	dh->dccph_type = DCCP_PKT_ACK;
	dh->dccph_doff = (size + sizeof(core_test_options)) / 4;
	skb_put_data(skb, core_test_options, sizeof(core_test_options));
	DCCP_SKB_CB(skb)->dccpd_type = DCCP_PKT_ACK;
	DCCP_SKB_CB(skb)->dccpd_seq = 1000;
	return skb;
}

/*
 * The listener of a handshake is connected by another processor before the packet is
 * processed. Nothing is written to it, and the handshake is what it would have been.
 */
static void core_test_listener(struct kunit *test)
{
	static const u8 states[] = {
		DCCP_LISTEN, DCCP_CLOSED, DCCP_REQUESTING, DCCP_PARTOPEN,
	};
	const size_t size = sizeof(struct dccp_sock);

	BUILD_BUG_ON(sizeof(core_test_options) % 4);
	for (int i = 0; i < ARRAY_SIZE(states); i++) {
		struct dccp_request_sock *dreq =
			kunit_kzalloc(test, sizeof(*dreq), GFP_KERNEL);
		struct dccp_sock *dp = kunit_kzalloc(test, size, GFP_KERNEL);
		struct dccp_sock *before = kunit_kzalloc(test, size, GFP_KERNEL);
		struct sk_buff *skb = core_test_ack(test);
		struct dccp_feat_entry *entry;
		struct sock *sk = (struct sock *)dp;

		KUNIT_ASSERT_NOT_NULL(test, dreq);
		KUNIT_ASSERT_NOT_NULL(test, dp);
		KUNIT_ASSERT_NOT_NULL(test, before);
		sock_net_set(sk, &init_net);
		sk->sk_state = states[i];
		dp->dccps_role = DCCP_ROLE_CLIENT;
		/* as if the packet were late */
		dp->dccps_gsr = 2000;
		dp->dccps_options_received.dccpor_ndp = 99;
		INIT_LIST_HEAD(&dp->dccps_featneg);
		INIT_LIST_HEAD(&dreq->dreq_featneg);
		memcpy(before, dp, size);

		KUNIT_EXPECT_EQ(test, 0, dccp_parse_options(sk, dreq, skb));
		KUNIT_EXPECT_TRUE_MSG(test, !memcmp(dp, before, size),
				      "state %u", states[i]);
		KUNIT_EXPECT_EQ(test, 5, dreq->dreq_timestamp_echo);
		KUNIT_EXPECT_TRUE(test, test_bit(200, dreq->dreq_unknown[1]));
		entry = list_first_entry_or_null(&dreq->dreq_featneg,
						 struct dccp_feat_entry, node);
		KUNIT_EXPECT_NOT_NULL_MSG(test, entry, "state %u", states[i]);
		if (entry) {
			KUNIT_EXPECT_EQ(test, DCCPF_SEQUENCE_WINDOW,
					entry->feat_num);
			KUNIT_EXPECT_EQ(test, 1000, entry->val.nn);
		}
		dccp_feat_list_purge(&dreq->dreq_featneg);
		dccp_feat_list_purge(&dp->dccps_featneg);
	}
}

/*
 * CCID 3 stops at the first entry that is older than what it looks for. Here one that is
 * out of order shows whether it went on. The numbers wrap.
 */
static void core_test_history(struct kunit *test)
{
	const u64 base = UINT48_MAX - 3;
	struct tfrc_tx_hist_entry entry[] = {
		{ .seqno = ADD48(base, 7) },	/* the newest */
		{ .seqno = ADD48(base, 5) },
		{ .seqno = base },
		{ .seqno = ADD48(base, 3) },	/* never reached */
	};

	for (int i = 0; i < ARRAY_SIZE(entry) - 1; i++)
		entry[i].next = &entry[i + 1];
	for (int i = 0; i < ARRAY_SIZE(entry) - 1; i++)
		KUNIT_EXPECT_PTR_EQ(test, &entry[i],
				    tfrc_tx_hist_find_entry(entry, entry[i].seqno));
	KUNIT_EXPECT_NULL(test, tfrc_tx_hist_find_entry(entry, ADD48(base, 3)));
	KUNIT_EXPECT_NULL(test, tfrc_tx_hist_find_entry(entry, ADD48(base, 6)));
	KUNIT_EXPECT_NULL(test, tfrc_tx_hist_find_entry(entry, ADD48(base, 8)));
	entry[2].next = NULL;
	KUNIT_EXPECT_NULL(test, tfrc_tx_hist_find_entry(entry, SUB48(base, 1)));
	KUNIT_EXPECT_NULL(test, tfrc_tx_hist_find_entry(NULL, base));
}

static struct kunit_case core_test_cases[] = {
	KUNIT_CASE(core_test_listener),
	KUNIT_CASE(core_test_history),
	{}
};

static struct kunit_suite core_test_suite = {
	.name = "dccp_core",
	.test_cases = core_test_cases,
};

kunit_test_suite(core_test_suite);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Tests of the DCCP core");
