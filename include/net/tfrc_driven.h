/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Receiver-driven control: the receiver decides the rate, and the sender follows it
 * within limits. Each scheme has its own struct tfrc_receiver.
 */
#ifndef _NET_TFRC_DRIVEN_H
#define _NET_TFRC_DRIVEN_H

#include <net/tfrc.h>

/**
 * struct driven_sender - state of a sender whose receiver decides the rate
 * @base: what all senders have
 * @rate: the rate that the receiver requests
 * @timeout: the receiver's timeout, within bounds, ns; 0 before the first report
 * @x_base: X at the start of the round trip in which it may double
 * @number: number in the last report
 */
struct driven_sender {
	struct tfrc_sender	base;
	u64			rate;
	u64			timeout;
	u64			x_base;
	u8			number;
};

void driven_sender_start(struct driven_sender *d, u64 x);
void driven_sender_feedback(struct driven_sender *d,
			    const struct tfrc_report *rep, u64 now);
void driven_sender_timeout(struct driven_sender *d, u32 keep, bool idle,
			   u64 now);
u64 driven_sender_timeout_after(const struct tfrc_sender *snd);

/* options.c, glue: a report with a rate on the wire */
int driven_put_report(struct sk_buff *skb, const struct tfrc_feedback *fb);

#endif /* _NET_TFRC_DRIVEN_H */
