// SPDX-License-Identifier: GPL-2.0-only
/*
 * A limit of the rate by the queueing delay, for senders of live media.
 *
 * Losses tell of a queue only when it is full. With a target, target_delay, any
 * scheme sends at no more than X_delay, which follows the delay of the queue. The
 * scheme and its X are as without a target; only X_inst is less:
 *
 *	X_inst <= X_delay
 *
 * The delay q of the queue is the round-trip time less the least one of the last five
 * minutes, the base. The least samples are kept by the minute. A flow that comes when
 * others have filled the queue would take their queue for propagation. So each flow
 * that is limited sends at 3/4 of X_delay for a round trip, once in 10 s; then the queue
 * gets shorter, and all see it.
 *
 * At first X_delay limits nothing. A step follows about once in a round trip, with the
 * first report after it. It has the mean of the samples since the last step, half of
 * which counts (all of it if the last step was two round trips ago or more):
 *
 *	e = (target - q) / target, at least -1
 *
 *	e < 0:	X_delay = min(X_delay, (1 + 0.38 e) X_recv)
 *	else:	X_delay = X_delay + n e max(s/R, X_delay / 20)
 *
 * While there is a queue, X_recv is the flow's share of the link. So one step makes the
 * queue shorter, and the next one starts from the same X_recv and not from the lower
 * rate. n is the number of round trips since the last step, 4 at most. A step at most
 * doubles X_delay, and does not lift it above X. X_delay is at least s/R. A source that
 * sends less than it may does not fill the queue, so its reports do not reduce X_delay.
 *
 * A flow that fills the queue itself, such as TCP's, leaves nothing to one that
 * withdraws from it. There are two signs of such a flow. Either q stays above the target
 * for 2 s although X_delay has become half or less of what it was; alone the flow
 * would have emptied the queue in this time. Or there are two loss events while q has
 * been above the target for a second. Then X_delay limits nothing for 10 s, and the
 * scheme competes as it would without a target. Another try follows. If it fails within
 * a minute, the next pause is twice as long, up to 60 s.
 *
 * What a peer can do: a receiver that reports late makes the sender slower, and
 * one that hides the queue makes it send as the scheme does. X_delay never raises a rate.
 */
#include <linux/export.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <net/tfrc.h>

#define MINUTE			(60 * TFRC_NSEC_PER_SEC)

/* e is in 10^-3. */
#define ONE			1000
/* The most that a step takes from X_recv, in 10^-3 */
#define CUT			380
/* Share of X_delay that a round trip adds at most */
#define GROWTH			20
/* Round trips for which a step counts at most */
#define STEP_MAX		4
/* A mean of at most so many samples, so that the sum fits in 64 bits */
#define SAMPLES_MAX		U16_MAX

#define DRAIN_EVERY		(10 * TFRC_NSEC_PER_SEC)

#define FILLED_AFTER		(2 * TFRC_NSEC_PER_SEC)
#define LOSSES_AFTER		TFRC_NSEC_PER_SEC
#define LOSSES			2
#define PAUSE_MIN		(10 * TFRC_NSEC_PER_SEC)
#define PAUSE_MAX		(60 * TFRC_NSEC_PER_SEC)

/**
 * tfrc_delay_set - set the target, or turn it off
 * @snd: the sender
 * @target: delay of the queue to aim at, ms, as tfrc_delay_valid() has it; 0: none
 *
 * What was learned of the path is kept if the target is the same as before.
 *
 * Context: any, @snd locked by the caller.
 */
void tfrc_delay_set(struct tfrc_sender *snd, u32 target)
{
	struct tfrc_delay *d = &snd->delay;

	target *= (u32)TFRC_NSEC_PER_MSEC;
	if (d->target == target)
		return;
	memset(d, 0, sizeof(*d));
	d->target = target;
}
EXPORT_SYMBOL_GPL(tfrc_delay_set);

/**
 * tfrc_delay_limit - limit a rate by X_delay
 * @snd: the sender
 * @x: the rate
 *
 * Context: any
 * Return: the lesser of the two
 */
u64 tfrc_delay_limit(const struct tfrc_sender *snd, u64 x)
{
	const struct tfrc_delay *d = &snd->delay;

	if (!d->x)
		return x;
	return min(x, d->draining ? d->x - d->x / 4 : d->x);
}
EXPORT_SYMBOL_GPL(tfrc_delay_limit);

static void tfrc_delay_sample(struct tfrc_delay *d, u64 sample, u64 now)
{
	u64 minutes = div64_u64(now - d->t_minute, MINUTE);
	int i;

	if (!d->base[0])
		minutes = TFRC_DELAY_MINUTES;
	if (minutes) {
		for (i = TFRC_DELAY_MINUTES - 1; i >= 0; i--)
			d->base[i] = i < minutes ? 0 : d->base[i - minutes];
		d->t_minute = now;
	}
	d->base[0] = d->base[0] ? min(d->base[0], sample) : sample;
	if (d->samples < SAMPLES_MAX) {
		d->sum += sample;
		d->samples++;
	}
}

static u64 tfrc_delay_base(const struct tfrc_delay *d)
{
	u64 base = d->base[0];
	int i;

	for (i = 1; i < TFRC_DELAY_MINUTES; i++)
		if (d->base[i])
			base = min(base, d->base[i]);
	return base;
}

/* Another flow fills the queue: X_delay does not apply for some time. */
static void tfrc_delay_pause(struct tfrc_delay *d, u64 now)
{
	if (d->pause && now - d->t_on < MINUTE)
		d->pause = min(2 * d->pause, PAUSE_MAX);
	else
		d->pause = PAUSE_MIN;
	d->t_on = now + d->pause;
	d->x = 0;
	d->draining = false;
	d->t_above = 0;
}

/* Whether another flow keeps the queue above the target */
static bool tfrc_delay_filled(const struct tfrc_delay *d, u64 now)
{
	return d->events >= LOSSES ||
	       (now - d->t_above >= FILLED_AFTER && d->x &&
		d->x <= d->x_above / 2);
}

/* A step while the queue is above the target; @one is a packet in a round trip. */
static void tfrc_delay_cut(struct tfrc_sender *snd, u64 q, u64 one,
			   bool data_limited, u64 now)
{
	struct tfrc_delay *d = &snd->delay;
	u64 x = d->x ? d->x : snd->x, down;
	u32 e;

	if (!d->t_above) {
		d->t_above = max(now, 1ULL);
		d->x_above = x;
		d->events = 0;
	}
	if (!data_limited) {
		/* q is at most 10^10 ns */
		e = min(div_u64(ONE * (q - d->target), d->target), ONE + 0ULL);
		down = tfrc_mul_div(snd->x_recv, ONE * ONE - CUT * e,
				    ONE * ONE);
		/* The first drain is 10 s after the first cut. */
		if (!d->x)
			d->t_drain = now;
		d->x = max(min(x, down), one);
	}
	if (tfrc_delay_filled(d, now))
		tfrc_delay_pause(d, now);
}

static void tfrc_delay_step(struct tfrc_sender *snd, bool data_limited, u64 now)
{
	struct tfrc_delay *d = &snd->delay;
	u64 one = tfrc_mul_div(TFRC_RATE(tfrc_sender_size(snd)),
			       TFRC_NSEC_PER_SEC, snd->rtt);
	u64 trips = div64_u64(now - d->t_step, snd->rtt);
	u64 mean = div_u64(d->sum, d->samples), q, more;
	u32 e;

	d->rtt = d->rtt && trips < 2 ? (d->rtt + mean) / 2 : mean;
	d->sum = 0;
	d->samples = 0;
	d->t_step = now;
	if (now < d->t_on)
		return;

	d->draining = d->x && now - d->t_drain >= DRAIN_EVERY;
	if (d->draining)
		d->t_drain = now;

	q = d->rtt - min(d->rtt, tfrc_delay_base(d));
	if (q > d->target) {
		tfrc_delay_cut(snd, q, one, data_limited, now);
		return;
	}

	d->t_above = 0;
	if (!d->x || d->x >= snd->x)
		return;
	e = div_u64(ONE * (d->target - q), d->target);
	more = tfrc_mul_div(max(one, d->x / GROWTH),
			    min(trips, STEP_MAX + 0ULL) * e, ONE);
	d->x = min(d->x + min(more, d->x), snd->x);
}

/**
 * tfrc_delay_feedback - the scheme has set its rate after a report: follow the queue
 * @snd: the sender
 * @rep: the report
 * @now: time
 *
 * Context: any, @snd locked by the caller.
 */
void tfrc_delay_feedback(struct tfrc_sender *snd,
			 const struct tfrc_report *rep, u64 now)
{
	struct tfrc_delay *d = &snd->delay;

	if (!d->target)
		return;
	if (rep->sample)
		tfrc_delay_sample(d, clamp(rep->sample, TFRC_RTT_MIN,
					   TFRC_RTT_MAX), now);
	if (rep->event && d->t_above && now - d->t_above >= LOSSES_AFTER)
		d->events = min(d->events + 1, LOSSES);
	if (d->samples && now - d->t_step >= snd->rtt)
		tfrc_delay_step(snd, rep->data_limited, now);
}
EXPORT_SYMBOL_GPL(tfrc_delay_feedback);

/**
 * tfrc_delay_timeout - the nofeedback timer has expired
 * @snd: the sender
 *
 * It is not known how long the queue was in the meantime.
 *
 * Context: any, @snd locked by the caller.
 */
void tfrc_delay_timeout(struct tfrc_sender *snd)
{
	snd->delay.t_above = 0;
	snd->delay.draining = false;
}
EXPORT_SYMBOL_GPL(tfrc_delay_timeout);
