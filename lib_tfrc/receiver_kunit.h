/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A small model of a sender: it numbers its packets, through a wrap of the
 * sequence numbers, and counts quarters of its RTT as RFC 4342, 8.1 says.
 */
#ifndef _LIB_TFRC_RECEIVER_KUNIT_H
#define _LIB_TFRC_RECEIVER_KUNIT_H

#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/types.h>
#include <net/tfrc.h>
#include "kunit.h"

#define US		TFRC_NSEC_PER_USEC
#define MS		TFRC_NSEC_PER_MSEC
#define SEC		TFRC_NSEC_PER_SEC
#define SEQ_MASK	((1ULL << 48) - 1)
#define SIZE		1000

/**
 * struct sender - the model
 * @seq: next sequence number
 * @now: time of the last packet
 * @rtt: what it counts quarters of
 * @t_counter: when it first sent @counter
 * @counter: window counter
 */
struct sender {
	u64	seq;
	u64	now;
	u64	rtt;
	u64	t_counter;
	u8	counter;
};

/* the next packet, @gap after the last one */
static inline struct tfrc_rx_packet next_packet(struct sender *snd, u64 gap)
{
	struct tfrc_rx_packet pkt = { .len = SIZE, .is_data = true };
	u64 quarters;

	snd->now += gap;
	quarters = div64_u64(snd->now - snd->t_counter, snd->rtt / 4);
	if (quarters) {
		snd->counter += min_t(u64, quarters, 5);
		snd->t_counter = snd->now;
	}
	pkt.ccval = snd->counter & 0xf;
	pkt.seq = snd->seq++ & SEQ_MASK;
	return pkt;
}

static inline void start_sender(struct sender *snd, u64 rtt)
{
	*snd = (struct sender) {
		.seq = (1ULL << 48) - 50,
		.now = 1000 * SEC,
		.t_counter = 1000 * SEC,
		.rtt = rtt,
	};
}

static inline void expect_near(struct kunit *test, u64 got, u64 want,
			       u32 percent, int line)
{
	KUNIT_EXPECT_GE_MSG(test, got * 100, want * (100 - percent),
			    "line %d: %llu, not %llu", line, got, want);
	KUNIT_EXPECT_LE_MSG(test, got * 100, want * (100 + percent),
			    "line %d: %llu, not %llu", line, got, want);
}

#define EXPECT_NEAR(test, got, want, percent)				\
	expect_near(test, got, want, percent, __LINE__)

#endif /* _LIB_TFRC_RECEIVER_KUNIT_H */
