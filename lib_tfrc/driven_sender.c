// SPDX-License-Identifier: GPL-2.0-only
/*
 * A sender whose receiver decides.
 *
 * The receiver knows losses and round-trip time, and reports the rate that it asks
 * for together with its timeout. The sender is left with a pacer and a safety net,
 * for a receiver may be mistaken, out of reach, or hostile:
 *
 *	X = min(rate asked for, 2 max(X_recv_set), 2 X at the start of the round trip)
 *
 * X_recv_set (RFC 5348, 4.3) holds what was delivered in the last two round trips,
 * and only as far as the sender can believe it: no more than twice what it sent.
 * While the application, not the rate, limits what is sent, the set remembers what
 * was delivered before, but the limit is at most four times what was sent in one of
 * the last three round trips in which anything was. In no case is the initial rate
 * (RFC 3390's window in a round trip) too much, and one packet in 64 s too little:
 * that is what a sender keeps to that is asked for 0.
 *
 * Of a report that does not come the sender learns by the nofeedback timer: twice the
 * timeout of the receiver, and the time of two packets, since a report is about a
 * packet, and shows its effect in another. The timeout is the receiver's word, so it
 * counts as one to 16 round-trip times of the sender's own measurement. Each time that
 * the timer expires the rate is cut by the scheme's factor, and what was delivered so
 * far is forgotten: the next report does not lift the rate at once. A sender that
 * had nothing to send could get no report, and is not cut below the initial rate.
 *
 * A scheme calls these functions from its struct tfrc_sender_ops.
 */
#include <linux/container_of.h>
#include <linux/export.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/types.h>
#include <net/tfrc_driven.h>

/* bounds of the receiver's timeout, in R */
#define TIMEOUT_MIN		1
#define TIMEOUT_MAX		16

#define PARTS			1000

/**
 * driven_sender_start - begin with a rate
 * @d: the sender, zeroed and initialised by tfrc_sender_init()
 * @x: the rate
 *
 * Context: any, @d locked by the caller. For the operation start.
 */
void driven_sender_start(struct driven_sender *d, u64 x)
{
	tfrc_sender_move(&d->base, x);
	d->x_base = d->base.x;
}
EXPORT_SYMBOL_GPL(driven_sender_start);

/* No faster than in slow start: each of many reports in a round trip may raise X. */
static u64 driven_limit(struct driven_sender *d, u64 limit, u64 now)
{
	struct tfrc_sender *snd = &d->base;

	if (now - snd->tld >= snd->rtt) {
		snd->tld = now;
		d->x_base = snd->x;
	}
	return max(min(2 * d->x_base, limit), tfrc_sender_initial_rate(snd));
}

/**
 * driven_sender_feedback - do as the report says, within limits
 * @d: the sender
 * @rep: the report
 * @now: time
 *
 * Losses are the receiver's affair: it has its own answer.
 *
 * Context: any, @d locked by the caller. For the operation feedback.
 */
void driven_sender_feedback(struct driven_sender *d,
			    const struct tfrc_report *rep, u64 now)
{
	struct tfrc_sender *snd = &d->base;
	u64 limit;

	d->rate = rep->fb->rate;
	d->timeout = clamp(rep->fb->timeout, TIMEOUT_MIN * snd->rtt,
			   TIMEOUT_MAX * snd->rtt);
	d->number = rep->fb->number;

	limit = tfrc_sender_recv_limit(snd, rep->data_limited, false, now);
	limit = min(limit, tfrc_sender_most(snd));
	snd->x_limit = driven_limit(d, limit, now);
	tfrc_sender_move(snd, min(d->rate, snd->x_limit));
	snd->restart = true;
}
EXPORT_SYMBOL_GPL(driven_sender_feedback);

/**
 * driven_sender_timeout - no report came for too long
 * @d: the sender
 * @keep: how much of the rate is kept, in 10^-3
 * @idle: nothing was sent in that time
 * @now: time
 *
 * Context: any, @d locked by the caller. For the operation timeout.
 */
void driven_sender_timeout(struct driven_sender *d, u32 keep, bool idle,
			   u64 now)
{
	struct tfrc_sender *snd = &d->base;
	/* TFRC_RATE_MAX is less than 2^51 */
	u64 x = div_u64(snd->x * min(keep, PARTS + 0U), PARTS);

	if (idle)
		x = max(x, min(snd->x, tfrc_sender_initial_rate(snd)));
	tfrc_sender_move(snd, x);
	tfrc_sender_recv_set(snd, snd->x / 2, now);
	snd->restart = snd->feedbacks;
}
EXPORT_SYMBOL_GPL(driven_sender_timeout);

/**
 * driven_sender_timeout_after - for how long may no report come?
 * @snd: the sender, of a struct driven_sender
 *
 * Context: any, tfrc_sender_start() was called. For the operation timeout_after.
 * Return: ns
 */
u64 driven_sender_timeout_after(const struct tfrc_sender *snd)
{
	const struct driven_sender *d =
		container_of(snd, struct driven_sender, base);
	/* R + 4 R / 2 before there is one (RFC 6298, 2.2) */
	u64 timeout = d->timeout ?: 3 * snd->rtt;

	return 2 * timeout + 2 * tfrc_sender_ipi(snd, tfrc_sender_size(snd));
}
EXPORT_SYMBOL_GPL(driven_sender_timeout_after);
