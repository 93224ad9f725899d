// SPDX-License-Identifier: GPL-2.0-only
/*
 * A sender that is told its rate.
 *
 * The receiver decides: it knows losses and round-trip time, and reports the rate
 * that it wants together with its timeout. The sender is left with a pacer and a
 * safety net, for a receiver may be mistaken, out of reach, or hostile:
 *
 *	rate = min(told, 2 max(X_recv_set), 2 X at the start of the round trip)
 *
 * X_recv_set (RFC 5348, 4.3) holds what was delivered in the last two round trips,
 * and only as far as the sender can believe it: no more than twice what it sent.
 * While the application, not the rate, limits what is sent, the set remembers what
 * was delivered before, but the limit is at most four times what was sent in one of
 * the last three round trips in which anything was. In no case is the initial rate
 * (RFC 3390's window in a round trip) too much, and one packet in 64 s too little:
 * that is what a sender keeps to that is told 0.
 *
 * Of a report that does not come the sender learns by a timer: twice the timeout
 * of the receiver, and the time of two packets, since a report is about a packet,
 * and shows its effect in another. The timeout is the receiver's word, so it counts
 * as one to 16 round-trip times of the sender's own measurement. Each time that the
 * timer expires the rate is cut by the scheme's factor, and what was delivered so
 * far is forgotten: the next report does not lift the rate at once. A sender that
 * had nothing to send could get no report, and is not cut below the initial rate.
 */
#include <linux/export.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/types.h>
#include <net/tfrc.h>

/* bounds of the receiver's timeout, in R */
#define TOLD_TIMEOUT_MIN	1
#define TOLD_TIMEOUT_MAX	16

/**
 * tfrc_told_follow - what rate follows from a report?
 * @t: state, zeroed before its first use
 * @snd: the sender, which has taken from the report all but the rate
 * @fb: the report, from the network, so of any value
 *
 * Context: any, @t locked by the caller. For the hook adapt.
 * Return: the rate to go to; 0 stands for the least there is
 */
u64 tfrc_told_follow(struct tfrc_told *t, const struct tfrc_sender *snd,
		     const struct tfrc_feedback *fb)
{
	t->rate = fb->told;
	t->timeout = clamp(fb->timeout, TOLD_TIMEOUT_MIN * snd->rtt,
			   TOLD_TIMEOUT_MAX * snd->rtt);
	t->number = fb->number;
	return min(t->rate, snd->x_limit);
}
EXPORT_SYMBOL_GPL(tfrc_told_follow);

/**
 * tfrc_told_patience - for how long may no report come?
 * @t: state
 * @snd: the sender
 *
 * Context: any, tfrc_sender_start() was called. For the hook patience.
 * Return: ns
 */
u64 tfrc_told_patience(const struct tfrc_told *t,
		       const struct tfrc_sender *snd)
{
	/* R + 4 R / 2 before there is one (RFC 6298, 2.2) */
	u64 timeout = t->timeout ?: 3 * snd->rtt;

	return 2 * timeout + 2 * tfrc_sender_ipi(snd, tfrc_sender_size(snd));
}
EXPORT_SYMBOL_GPL(tfrc_told_patience);

/**
 * tfrc_told_silence - what rate follows when no report came for so long?
 * @snd: the sender
 * @keep: how much of the rate is kept, in 10^-3
 * @idle: nothing was sent in that time
 *
 * Context: any, tfrc_sender_start() was called. For the hook silence.
 * Return: the rate to go to
 */
u64 tfrc_told_silence(const struct tfrc_sender *snd, u32 keep, bool idle)
{
	/* TFRC_RATE_MAX is less than 2^51 */
	u64 x = div_u64(snd->x * min(keep, 1000U), 1000);

	if (!idle)
		return x;
	return max(x, min(snd->x, tfrc_initial_rate(tfrc_sender_size(snd),
						    snd->rtt)));
}
EXPORT_SYMBOL_GPL(tfrc_told_silence);
