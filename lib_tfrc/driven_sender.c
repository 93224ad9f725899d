// SPDX-License-Identifier: GPL-2.0-only
/*
 * A sender whose receiver decides the rate.
 *
 * The receiver measures losses and the round-trip time, and reports the rate that it
 * requests together with its timeout. The sender paces its packets and limits X,
 * because a receiver may be mistaken, out of reach, or hostile:
 *
 *	X = min(requested rate, 2 max(X_recv_set), 2 X at the start of the round trip)
 *
 * X_recv_set (RFC 5348, 4.3) has the receive rates of the last two round trips, however many
 * reports come in these, each limited to twice what was sent. While the application limits the
 * rate, the set keeps earlier receive rates, but X is at most four times what was sent in one of
 * the last three round trips in which there was data. The initial rate is always allowed. The
 * least rate is one packet in 64 s, also if the requested rate is 0.
 *
 * If no report comes, the nofeedback timer expires. It takes twice the receiver's timeout
 * and the time of two packets: one that is reported, and one in which the report shows
 * its effect. The receiver states the timeout, so it is clamped to between one and 16
 * round-trip times as the sender measures them. A receiver can also make these long, by
 * acknowledging old packets, so more than two of them count for 2 s at most. Each time
 * that the timer expires, X is multiplied by the scheme's factor, and X_recv_set is
 * reset, so that the next report raises X to twice its own receive rate at most. A sender
 * that had nothing to send could not get a report, so its X is not reduced below the
 * initial rate.
 *
 * A scheme calls these functions from its struct tfrc_sender_ops.
 */
#include <linux/container_of.h>
#include <linux/export.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/types.h>
#include <net/tfrc_driven.h>

/* Bounds of the receiver's timeout: so many R, and so long or 2 R if that is more */
#define TIMEOUT_MIN		1
#define TIMEOUT_MAX		16
#define TIMEOUT_LONG		(2 * TFRC_NSEC_PER_SEC)

#define PARTS			1000

/**
 * driven_sender_start - begin with a rate
 * @d: the sender, zeroed and initialised by tfrc_sender_init()
 * @x: the rate
 *
 * Context: any, @d locked by the caller. Called by the operation start.
 */
void driven_sender_start(struct driven_sender *d, u64 x)
{
	tfrc_sender_move(&d->base, x);
	d->x_base = d->base.x;
}
EXPORT_SYMBOL_GPL(driven_sender_start);

/* X at most doubles in a round trip, however many reports come in it. */
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
 * driven_sender_feedback - set X to the requested rate, within limits
 * @d: the sender
 * @rep: the report
 * @now: time
 *
 * Losses in the report do not matter here: the requested rate accounts for them.
 *
 * Context: any, @d locked by the caller. Called by the operation feedback.
 */
void driven_sender_feedback(struct driven_sender *d,
			    const struct tfrc_report *rep, u64 now)
{
	struct tfrc_sender *snd = &d->base;
	u64 limit, most;

	d->rate = rep->fb->rate;
	most = min(TIMEOUT_MAX * snd->rtt, max(TIMEOUT_LONG, 2 * snd->rtt));
	d->timeout = clamp(rep->fb->timeout, TIMEOUT_MIN * snd->rtt, most);
	d->number = rep->fb->number;

	limit = tfrc_sender_recv_limit(snd, rep->data_limited, false, now);
	limit = min(limit, tfrc_sender_most(snd));
	snd->x_limit = driven_limit(d, limit, now);
	tfrc_sender_move(snd, min(d->rate, snd->x_limit));
	snd->restart = true;
}
EXPORT_SYMBOL_GPL(driven_sender_feedback);

/**
 * driven_sender_timeout - the nofeedback timer expired
 * @d: the sender
 * @keep: factor of the rate, in 10^-3
 * @idle: nothing was sent in that time
 * @now: time
 *
 * Context: any, @d locked by the caller. Called by the operation timeout.
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
 * driven_sender_timeout_after - the time after which the nofeedback timer expires
 * @snd: the sender, of a struct driven_sender
 *
 * Context: any, tfrc_sender_start() was called. An operation timeout_after.
 * Return: ns
 */
u64 driven_sender_timeout_after(const struct tfrc_sender *snd)
{
	const struct driven_sender *d =
		container_of(snd, struct driven_sender, base);
	/* R + 4 R / 2 before the first report (RFC 6298, 2.2) */
	u64 timeout = d->timeout ?: 3 * snd->rtt;

	return 2 * timeout + 2 * tfrc_ipi(snd->x_inst, tfrc_sender_size(snd));
}
EXPORT_SYMBOL_GPL(driven_sender_timeout_after);
