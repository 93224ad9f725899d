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
 * The delay q of the queue is the delay of a packet less the least one of the last few
 * minutes, the base. There are two kinds of delay, and the lesser q counts:
 *
 *	round-trip time		is longer also if there is a queue on the way back
 *	one-way delay		comes from two clocks. A receiver's clock that runs
 *				faster makes it longer all the time
 *
 * The base is the least delay of this period of 150 s and of the one before. A flow that
 * comes when others have filled the queue takes a part of it for propagation. Then its
 * q is less than theirs, so they give way and the queue gets shorter, until all see it. But
 * if they hold the queue at the target, it does not get shorter than what the latecomer
 * takes for propagation, and they give way until nothing is left to them. So a flow drains
 * a queue that was not low for 5 s (and eight steps) when it comes to the target, for four
 * steps or until it is low. Low is a quarter of the target, but at least 10 ms, which jitter
 * alone may be. On a path that has become longer no queue is low any more. So if it was not
 * low after four steps, the next time is twice as long, up to 80 s.
 *
 * At first X_delay limits nothing. A step follows about once in a round trip, with the
 * first report after it, and on a short path about each 50 ms: T = max(R, 50 ms). It has the
 * mean of the delays since the last step: one sample may be jitter, and each cut for nothing
 * costs rate. What is measured now was sent half a round trip ago, and the next rate has an
 * effect after a step and as much time again. So the step decides by the queue that there
 * will be two steps later if it grows on as it did, but by no more than it has grown. A step
 * that lowers X_delay starts from X if X has become less, as after a loss:
 *
 *	q' = q + min(2 T max(0, dq/dt), q)
 *	goal = target; while the flow drains the queue what is low, if that is less
 *
 *	q' > goal:	X_delay = min(X_delay, (1 - f) X_recv)
 *			or (1 - f) X_delay, if the source sent less than it might
 *			f = (q' - goal) / max(250 ms, 2 R), at most 0.38
 *			but at least half of X_delay; two thirds if q < 100 ms
 *	else:		dX_delay/dt = (1 - q' / target) min(1, 150 ms / R) *
 *				max(s / (100 ms)^2, X_delay / 2 s)
 *
 * Packets that wait when a step lowers the rate were made for the rate that the
 * application was told. They leave at that rate until the next report, but no more of them
 * than it has in min(100 ms, R): an encoder reacts after 100 ms (tfrc_sender_keep_rate()).
 * A source that keeps its transmit queue full reacts to a step so much later.
 *
 * A short queue that a TCP flow fills within R would otherwise look like a long one. The
 * burst of such a flow also takes most of the link for a round trip, and X_recv in it is
 * far below the flow's share. An encoder cannot follow such a fall at once, and the frames
 * that it makes until then would be late. So a step at most halves the rate. While the queue
 * is shorter than 100 ms there is time for another step before it is full, and a step takes
 * no more than a third.
 *
 * While there is a queue, X_recv is the flow's share of the link. To send less than this
 * by a share f for some time empties the queue by f times this time: here all that is
 * above the goal in 250 ms or two round trips. The next step starts from the same
 * X_recv and not from the lower rate, so a queue that is measured late does not count
 * twice. A source that sends less than it may has an X_recv that is no share of the link, so
 * a pause of the source must not limit what it sends then. But it may fill the queue
 * nevertheless, if the link has become slower than the source.
 *
 * The growth goes by time and not by round trips, so that flows with unequal round-trip
 * times get about the same. But a flow hears two round trips later of the queue that its
 * growth makes. With R = 300 ms it would have grown by 30 % or more until then, and would
 * have to give way by more than that. So of each round trip 150 ms count at most. The
 * growth counts for at most four round trips or 200 ms, at most doubles X_delay, and does
 * not lift it above X.
 *
 * X_delay is at least s/R, and with a target of 100 ms or more W_init / R. Short flows of
 * others fill the queue for a second or two, mostly too short for the signs below. Each
 * time the flow would give way until its encoder has no rate to go to. A sender that knows
 * nothing of a path may send as much. Below some rate of the link or of the flow's share
 * of it the queue from W_init alone is above a target of 100 ms: 175 kbit/s if R without a
 * queue is 100 ms, and 290 kbit/s if it is 20 ms. Then the limit pauses (below).
 *
 * A flow that fills the queue itself, such as TCP's, leaves nothing to one that
 * withdraws from it. There are two signs of such a flow:
 *
 *   - q' stays above the target for 2 s and for 4 round trips.
 *   - There are two loss events while q' has been above the target for a second and for
 *     2 round trips.
 *
 * A round trip is R, or q if that is longer. R is a mean, which follows a queue that grows
 * by seconds only after many reports. Where X_recv is the flow's share, a step takes what
 * is above the target out of the queue in 250 ms or two round trips, unless that is so much
 * that f is at its most, or that the rate would fall by more than a step may. So alone the
 * flow would have emptied it. A source that sends much less than X_delay gives way only when
 * X_delay has come down to what it sends. If it fills the queue itself by a little, this may
 * take longer than 2 s, and the pause is in vain.
 *
 * Time and loss events count anew, once, from a step that should take more than half of the
 * rate, unless it drains the queue. So much less arrives when the link has become slower. If
 * the queue was above the target before that, the flow had too little time to empty what has
 * come since.
 *
 * Neither sign counts as long as the queue is shorter than it was at its longest by more
 * than an eighth of the time since then. The greatest cut takes about three times as much.
 * So the flow is emptying it, and the queue was its own: of a link that became much slower
 * than the source, from which a second or more has to leave.
 *
 * Then X_delay limits nothing for a pause, and the scheme competes as it would without a
 * target. Another try follows. If it fails within a minute, the next pause is twice as
 * long, up to 60 s. A try that fails costs a part of the share, and one that succeeds
 * shortens the queue to the target. So the first pause goes with the target, which says
 * what that is worth: 500 times the target, but 10 s at least and 60 s at most.
 *
 * What a peer can do: a receiver that reports late or false makes the sender slower, and
 * one that hides the queue makes it send as the scheme does. X_delay never raises a rate.
 */
#include <linux/bits.h>
#include <linux/export.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <net/tfrc.h>

#define MINUTE			(60 * TFRC_NSEC_PER_SEC)

/* Half of the time for which a least delay counts at most */
#define PERIOD			(150 * TFRC_NSEC_PER_SEC)

/* Shares are in 10^-3. */
#define ONE			1000
/* The most that a step takes from X_recv */
#define CUT			380
/* A queue for which a step takes a third of X_delay at most, and not half */
#define SHORT_QUEUE		(100 * TFRC_NSEC_PER_MSEC)
/* The queue is low at this part of the target, or at this delay if that is more. */
#define LOW_PART		4
#define LOW_LEAST		(10 * TFRC_NSEC_PER_MSEC)
/* A queue that was not low for so long, and for so many steps, is drained. */
#define DRAIN_AFTER		(5 * TFRC_NSEC_PER_SEC)
#define DRAIN_AFTER_STEPS	8
/* Steps that drain it, and how many times in a row the time doubles */
#define DRAIN_STEPS		4
#define DRAIN_DOUBLED		4
/* The least time from step to step */
#define STEP_MIN		(50 * TFRC_NSEC_PER_MSEC)
/* Time in which what is above the goal is to leave the queue */
#define EXCESS_TIME		(250 * TFRC_NSEC_PER_MSEC)
/* The growth adds a packet in this time to the packets in this time. */
#define GROWTH_TIME		(100 * TFRC_NSEC_PER_MSEC)
/* Time in which the growth of a great X_delay doubles it */
#define DOUBLING_TIME		(2 * TFRC_NSEC_PER_SEC)
/* What counts of a round trip in which it grows */
#define GROWTH_RTT		(150 * TFRC_NSEC_PER_MSEC)
/* What a step counts for at most: so many round trips, or so long if that is more */
#define STEP_RTTS		4
#define STEP_TIME		(2 * GROWTH_TIME)
/* A mean of at most so many samples, so that the sum fits in 64 bits */
#define SAMPLES_MAX		U16_MAX

/* The one-way delay of the first packet, us. Later ones may be shorter. */
#define ONE_WAY_FIRST		BIT(31)

#define FILLED_AFTER		(2 * TFRC_NSEC_PER_SEC)
#define FILLED_RTTS		4
/* Share of the time by which a queue gets shorter that the flow is emptying */
#define EMPTIED_SHARE		8
#define LOSSES_AFTER		TFRC_NSEC_PER_SEC
#define LOSSES_RTTS		2
#define LOSSES			2
/* The first pause, in targets, and its limits */
#define PAUSE_TARGETS		500
#define PAUSE_MIN		(10 * TFRC_NSEC_PER_SEC)
#define PAUSE_MAX		(60 * TFRC_NSEC_PER_SEC)

/* What was seen of the queue says nothing of it from @when on; 0: from the next step on. */
static void tfrc_delay_forget(struct tfrc_delay *d, u64 when)
{
	d->t_above = 0;
	d->t_low = when;
	d->drain = 0;
}

/**
 * tfrc_delay_set - set the target, or turn it off
 * @snd: the sender
 * @target: delay of the queue to aim at, ms, as tfrc_delay_valid() has it; 0: none
 *
 * With another target X_delay goes on from where it is, and a pause ends. The base is kept:
 * the queue of the moment may be why a user asks for a shorter one, and must not become the
 * base. With the target off nothing is measured, so the base is then that of the first
 * reports.
 *
 * Context: any, @snd locked by the caller.
 */
void tfrc_delay_set(struct tfrc_sender *snd, u32 target)
{
	struct tfrc_delay *d = &snd->delay;

	target *= (u32)TFRC_NSEC_PER_MSEC;
	if (d->target == target)
		return;
	if (d->target && target) {
		tfrc_delay_forget(d, 0);
		d->t_on = 0;
		d->pause = 0;
	} else {
		memset(d, 0, sizeof(*d));
	}
	d->target = target;
}
EXPORT_SYMBOL_GPL(tfrc_delay_set);

/**
 * tfrc_delay_target - the delay of the queue to aim at
 * @snd: the sender
 * @now: time
 *
 * Context: any, @snd locked by the caller.
 * Return: ns; 0: there is none, or a pause
 */
u32 tfrc_delay_target(const struct tfrc_sender *snd, u64 now)
{
	return now < snd->delay.t_on ? 0 : snd->delay.target;
}
EXPORT_SYMBOL_GPL(tfrc_delay_target);

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

	return d->x ? min(x, d->x) : x;
}
EXPORT_SYMBOL_GPL(tfrc_delay_limit);

static void tfrc_delay_sample(struct tfrc_delay_meter *m, u64 delay, u64 now)
{
	if (!m->least[0] || now - m->since >= PERIOD) {
		m->least[1] = now - m->since < 2 * PERIOD ? m->least[0] : 0;
		m->least[0] = delay;
		m->since = now;
	}
	m->least[0] = min(m->least[0], delay);
	if (m->samples < SAMPLES_MAX) {
		m->sum += delay;
		m->samples++;
	}
}

/* What the delays since the last step are above the base; U64_MAX: there were none */
static u64 tfrc_delay_queue(struct tfrc_delay_meter *m)
{
	u64 base = m->least[0], mean;

	if (!m->samples)
		return U64_MAX;
	if (m->least[1])
		base = min(base, m->least[1]);
	mean = div_u64(m->sum, m->samples);
	m->sum = 0;
	m->samples = 0;
	/* A sample of before a long pause may be less than the base, which forgot it. */
	return mean - min(mean, base);
}

/*
 * The one-way delay is the difference of two clocks, of which 32 bits of us are known. It
 * is relative to that of the first packet.
 */
static void tfrc_delay_one_way(struct tfrc_delay *d,
			       const struct tfrc_report *rep, u64 now)
{
	u32 us = rep->fb->arrival_us -
		 (u32)div_u64(rep->sent, TFRC_NSEC_PER_USEC);

	if (!d->one_way.least[0])
		d->clock = us;
	us += ONE_WAY_FIRST - d->clock;
	tfrc_delay_sample(&d->one_way, max(us * TFRC_NSEC_PER_USEC, 1ULL), now);
}

/* Another flow fills the queue: X_delay does not apply for some time. */
static void tfrc_delay_pause(struct tfrc_delay *d, u64 now)
{
	if (d->pause && now - d->t_on < MINUTE)
		d->pause = min(2 * d->pause, PAUSE_MAX);
	else
		d->pause = clamp(PAUSE_TARGETS * (u64)d->target, PAUSE_MIN,
				 PAUSE_MAX);
	d->t_on = now + d->pause;
	d->x = 0;
	tfrc_delay_forget(d, d->t_on);
}

/* R, which follows a queue that grows by seconds only after many reports */
static u64 tfrc_delay_rtt(const struct tfrc_sender *snd)
{
	return max(snd->rtt, snd->delay.q);
}

/* T: time from step to step */
static u64 tfrc_delay_interval(const struct tfrc_sender *snd)
{
	return max(snd->rtt, STEP_MIN);
}

/* Whether the queue has become shorter since it was longest, as a flow's own does */
static bool tfrc_delay_emptying(const struct tfrc_delay *d, u64 now)
{
	return d->q + (now - d->t_longest) / EMPTIED_SHARE < d->q_longest;
}

/* Whether another flow keeps the queue above the target */
static bool tfrc_delay_filled(const struct tfrc_sender *snd, u64 now)
{
	const struct tfrc_delay *d = &snd->delay;

	if (tfrc_delay_emptying(d, now))
		return false;
	return d->events >= LOSSES ||
	       now - d->t_above >= max(FILLED_AFTER,
				       FILLED_RTTS * tfrc_delay_rtt(snd));
}

/* What X_delay leaves to a flow in any case */
static u64 tfrc_delay_least(const struct tfrc_sender *snd)
{
	u32 s = tfrc_sender_size(snd);

	if (snd->delay.target >= TFRC_DELAY_DEFAULT * TFRC_NSEC_PER_MSEC)
		return tfrc_w_init_rate(s, snd->rtt);
	return tfrc_mul_div(TFRC_RATE(s), TFRC_NSEC_PER_SEC, snd->rtt);
}

/*
 * The queue is, or will be, above the target: look whether another flow keeps it there.
 * @slower: so much less arrives that this step should take more than half
 */
static void tfrc_delay_watch(struct tfrc_sender *snd, bool slower, u64 now)
{
	struct tfrc_delay *d = &snd->delay;

	if (!d->t_above)
		d->q_longest = 0;
	if (!d->t_above || (slower && !d->slower)) {
		d->slower = d->t_above > 0;
		d->t_above = max(now, 1ULL);
		d->events = 0;
	}
	if (d->q >= d->q_longest) {
		d->q_longest = d->q;
		d->t_longest = now;
	}
	if (tfrc_delay_filled(snd, now))
		tfrc_delay_pause(d, now);
}

/* A step: what the queue may be. One that was not low for long is drained. */
static u64 tfrc_delay_goal(struct tfrc_delay *d, u64 ahead, u64 dt, u64 now)
{
	u64 target = d->target, low = max(target / LOW_PART, LOW_LEAST);
	u64 after = max(DRAIN_AFTER << d->doubled, DRAIN_AFTER_STEPS * dt);

	if (!d->t_low || d->q <= low) {
		d->t_low = now;
		d->drain = 0;
		d->doubled = 0;
	} else if (d->drain) {
		if (!--d->drain) {
			d->t_low = now;
			d->doubled = min(d->doubled + 1, DRAIN_DOUBLED);
		}
	} else if (ahead > target && now - d->t_low >= after) {
		d->drain = DRAIN_STEPS;
	}
	return d->drain ? min(low, target) : target;
}

/*
 * A step while the queue is, or will be, @above the goal. Return: whether so much less
 * arrives that it should take more than half, and does not drain the queue
 */
static bool tfrc_delay_cut(struct tfrc_sender *snd, u64 above, bool data_limited)
{
	struct tfrc_delay *d = &snd->delay;
	u64 x = d->x ? min(d->x, snd->x) : snd->x, down;
	u32 f;

	f = min(div64_u64(ONE * above, max(EXCESS_TIME, 2 * snd->rtt)),
		CUT + 0ULL);
	down = tfrc_mul_div(data_limited ? x : snd->x_recv, ONE - f, ONE);
	d->x = max3(min(x, down), x - div_u64(x, d->q < SHORT_QUEUE ? 3 : 2),
		    tfrc_delay_least(snd));
	return down < x / 2 && !d->drain;
}

/* A step while there is room for @below in the queue; @dt since the last one */
static void tfrc_delay_grow(struct tfrc_sender *snd, u64 below, u64 dt)
{
	struct tfrc_delay *d = &snd->delay;
	u64 packet, more;

	if (!d->x || d->x >= snd->x)
		return;
	dt = min(dt, max(STEP_RTTS * snd->rtt, STEP_TIME));
	if (snd->rtt > GROWTH_RTT)
		dt = tfrc_mul_div(dt, GROWTH_RTT, snd->rtt);
	packet = tfrc_mul_div(TFRC_RATE(tfrc_sender_size(snd)),
			      TFRC_NSEC_PER_SEC, GROWTH_TIME);
	more = max(tfrc_mul_div(packet, dt, GROWTH_TIME),
		   tfrc_mul_div(d->x, dt, DOUBLING_TIME));
	more = tfrc_mul_div(more, below, d->target);
	d->x = min(d->x + min(more, d->x), snd->x);
}

static void tfrc_delay_step(struct tfrc_sender *snd, bool data_limited, u64 now)
{
	struct tfrc_delay *d = &snd->delay;
	u64 dt = now - d->t_step, before = d->q, ahead, goal;
	bool slower = false;

	d->q = min(tfrc_delay_queue(&d->rtt), tfrc_delay_queue(&d->one_way));
	d->t_step = now;
	if (!tfrc_delay_target(snd, now))
		return;

	ahead = d->q;
	if (d->q > before)
		ahead += min(tfrc_mul_div(d->q - before, 2 * tfrc_delay_interval(snd), dt),
			     d->q);
	goal = tfrc_delay_goal(d, ahead, dt, now);
	if (ahead > goal)
		slower = tfrc_delay_cut(snd, ahead - goal, data_limited);
	else
		tfrc_delay_grow(snd, d->target - ahead, dt);
	if (ahead > d->target)
		tfrc_delay_watch(snd, slower, now);
	else
		d->t_above = 0;
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
		tfrc_delay_sample(&d->rtt, clamp(rep->sample, TFRC_RTT_MIN,
						 TFRC_RTT_MAX), now);
	if (rep->sent && rep->fb->has_arrival)
		tfrc_delay_one_way(d, rep, now);
	if (rep->event && d->t_above &&
	    now - d->t_above >= max(LOSSES_AFTER,
				    LOSSES_RTTS * tfrc_delay_rtt(snd)))
		d->events = min(d->events + 1, LOSSES);
	if (d->rtt.samples &&
	    tfrc_round_over(d->t_step, tfrc_delay_interval(snd), now))
		tfrc_delay_step(snd, rep->data_limited, now);
}
EXPORT_SYMBOL_GPL(tfrc_delay_feedback);

/**
 * tfrc_delay_timeout - the nofeedback timer has expired
 * @snd: the sender
 * @before: X before the scheme reduced it
 *
 * It is not known how long the queue was in the meantime. X may be far above X_delay. So
 * X_delay is reduced by the same share, and with it what is sent.
 *
 * Context: any, @snd locked by the caller.
 */
void tfrc_delay_timeout(struct tfrc_sender *snd, u64 before)
{
	struct tfrc_delay *d = &snd->delay;

	tfrc_delay_forget(d, 0);
	if (d->x && snd->x < before)
		d->x = max(tfrc_mul_div(d->x, snd->x, before),
			   min(d->x, tfrc_delay_least(snd)));
}
EXPORT_SYMBOL_GPL(tfrc_delay_timeout);
