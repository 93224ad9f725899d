// SPDX-License-Identifier: GPL-2.0-only
/*
 * The TFRC sender (RFC 5348, section 4).
 *
 * The allowed rate X moves for one of two reasons:
 *
 *   - Feedback came. It reports the receive rate (X_recv) and the loss event
 *     rate (p). While p is 0 the sender is in slow start: X doubles once in a
 *     round trip. Afterwards X is the rate of the throughput equation for p and
 *     the round-trip time R, which is about what a TCP would get. In either case
 *     X is limited by what the receiver gets, so that X follows when the path
 *     gets slower:
 *
 *	X <= 2 max(X_recv_set)
 *
 *   - The nofeedback timer expired: no feedback came for four round trips. X is
 *     halved.
 *
 * Packets are not sent at X itself but at X_inst, which is less than X while the last
 * RTT sample shows that a queue builds up (4.5).
 *
 * A variant (struct rfc5348_variant) may have its own equation and its own bound by
 * X_recv, and it may change the rate after feedback. It cannot change what the
 * nofeedback timer does. With every variant X is at most four times what was sent in
 * one of the last three round trips in which there was data, or the initial rate. And X
 * at most doubles in a round trip.
 */
#include <linux/container_of.h>
#include <linux/export.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <net/tfrc_rfc5348.h>

/* Nofeedback timer before the first feedback (RFC 5348, 4.2) */
#define INITIAL_TIMEOUT		(2 * TFRC_NSEC_PER_SEC)

/*
 * So many packets acknowledge a report of losses or marks. The first of them that
 * arrives ends the loss event at the receiver (rx_history.c); the others are there in
 * case it is lost.
 */
#define REPORT_ACKS		3

static struct rfc5348_sender *rfc5348_of(struct tfrc_sender *snd)
{
	return container_of(snd, struct rfc5348_sender, base);
}

/*
 * X_inst (RFC 5348, 4.5). A sample that is much below the mean may come from an empty
 * queue, but also from a new route. So X_inst is at most twice X. It is at least a tenth
 * of X, because a tenth of the mean is the sample itself.
 */
static void rfc5348_move(struct rfc5348_sender *t, u64 x)
{
	struct tfrc_sender *snd = &t->base;
	u64 x_inst;

	tfrc_sender_move(snd, x);
	if (!t->r_sqsample)
		return;
	x_inst = tfrc_mul_div(snd->x, t->r_sqmean, t->r_sqsample);
	snd->x_inst = tfrc_sender_bound(snd, min(x_inst, 2 * snd->x));
}

static void rfc5348_sample(struct rfc5348_sender *t, u64 sample)
{
	t->r_sqsample = tfrc_sqrt(clamp(sample, TFRC_RTT_MIN, TFRC_RTT_MAX));
	t->r_sqmean = t->r_sqmean ?
		div_u64(9 * t->r_sqmean + t->r_sqsample, 10) : t->r_sqsample;
}

static void rfc5348_start(struct tfrc_sender *snd, u64 now)
{
	struct rfc5348_sender *t = rfc5348_of(snd);

	rfc5348_move(t, tfrc_sender_first_rate(snd));
	t->t_base = now;
	t->x_base = snd->x;
}

/*
 * X at most doubles in a round trip, whatever p is and however many reports come in it.
 * By the RFC this holds while p is 0. Later X_recv limits X, but a receiver may report a
 * false one.
 */
static u64 rfc5348_most(struct rfc5348_sender *t, u64 now)
{
	struct tfrc_sender *snd = &t->base;

	if (now - t->t_base >= snd->rtt) {
		t->t_base = now;
		t->x_base = snd->x;
	}
	return min(tfrc_sender_most(snd),
		   max(2 * t->x_base, tfrc_sender_initial_rate(snd)));
}

/* Step 4 of RFC 5348, 4.3: the next rate, from p, X and recv_limit */
static u64 rfc5348_next_rate(struct tfrc_sender *snd, u64 limit, u64 now)
{
	if (snd->p)
		return min(snd->x_calc, limit);
	if (now - snd->tld < snd->rtt)
		return snd->x;
	snd->tld = now;
	return max(min(2 * snd->x, limit), tfrc_sender_initial_rate(snd));
}

static void rfc5348_feedback(struct tfrc_sender *snd,
			     const struct tfrc_report *rep, u64 now)
{
	struct rfc5348_sender *t = rfc5348_of(snd);
	struct tfrc_decision d = {
		.interval = rep->interval,
		.rtt = snd->rtt,
		.x = snd->x,
		.x_calc = snd->x_calc,
		.x_send = snd->x_send,
		.x_recv = snd->x_recv,
		.s = tfrc_sender_size(snd),
		.lost = rep->lost,
		.marked = rep->marked,
	};
	u64 most = rfc5348_most(t, now), limit;
	bool more = rep->p > snd->p;

	if (rep->sample)
		rfc5348_sample(t, rep->sample);
	snd->p = rep->p;
	snd->x_calc = rep->p ? t->variant->calc_x(t, d.s, d.rtt, rep->p) : 0;
	if (snd->x_calc && snd->nominal.p)
		snd->x_calc = tfrc_nominal_more(d.s, 0, snd->x_calc,
						t->variant->calc_x(t, snd->nominal.size, d.rtt,
								   snd->nominal.p));
	if (rep->lost || rep->marked)
		t->t_signal = now;
	if (snd->feedbacks == 1 || rep->lost || rep->marked || more)
		snd->acks = REPORT_ACKS;

	/* The first report is on one packet, so only its RTT sample is used. */
	if (snd->feedbacks == 1 && !rep->p) {
		snd->tld = now;
		rfc5348_move(t, tfrc_sender_initial_rate(snd));
		return;
	}

	/*
	 * No data came since the report before, as with a first packet that is marked. X_recv
	 * is not known then, and limits nothing (RFC 5348, 4.3: Infinity).
	 */
	limit = rep->fb->x_recv ?
		t->variant->limit(t, rep, rep->event || more, now) : TFRC_RATE_MAX;
	d.x_tfrc = min(rfc5348_next_rate(snd, limit, now), most);
	d.x_tfrc = tfrc_sender_bound(snd, d.x_tfrc);
	rfc5348_move(t, min(t->variant->move_to(t, &d), most));
}

/*
 * Halves the rate (RFC 5348, 4.4). The RFC halves the smaller of X_calc and 2 X_recv. X is
 * this, or less after a data-limited interval with a loss. Only a variant may have set X
 * higher; then X_calc is halved. A sender that
 * sent nothing could not get feedback, so its rate does not fall below the initial
 * rate.
 */
static void rfc5348_timeout(struct tfrc_sender *snd, bool idle, u64 now)
{
	u64 x = snd->p ? min(snd->x, snd->x_calc) : snd->x, floor = 0;
	struct rfc5348_sender *t = rfc5348_of(snd);

	if (snd->has_rtt && idle)
		floor = min(x, tfrc_sender_initial_rate(snd));
	/* The last sample is old, so it does not raise X_inst. */
	t->r_sqsample = max(t->r_sqsample, t->r_sqmean);
	rfc5348_move(t, max(x / 2, floor));

	/* The next report does not lift X beyond twice this at once. */
	if (snd->p) {
		snd->x_recv = snd->x / 2;
		tfrc_sender_recv_set(snd, snd->x_recv, now);
	}
}

/* Four round trips, or the time in which two packets leave, whichever is longer */
static u64 rfc5348_timeout_after(const struct tfrc_sender *snd)
{
	if (!snd->feedbacks && !snd->nofeedbacks)
		return INITIAL_TIMEOUT;
	return max(4 * snd->rtt,
		   2 * tfrc_time_at(min(snd->x, snd->x_inst), tfrc_sender_size(snd)));
}

static const struct tfrc_sender_ops rfc5348_sender_ops = {
	.start = rfc5348_start,
	.feedback = rfc5348_feedback,
	.timeout = rfc5348_timeout,
	.limited = tfrc_sender_limited,
	.timeout_after = rfc5348_timeout_after,
};

/**
 * rfc5348_sender_init - prepare a TFRC sender for its first packet
 * @t: the sender
 * @variant: the functions in which it may differ from TFRC; must outlive @t
 *
 * Context: any, @t not shared.
 */
void rfc5348_sender_init(struct rfc5348_sender *t,
			 const struct rfc5348_variant *variant)
{
	memset(t, 0, sizeof(*t));
	tfrc_sender_init(&t->base, &rfc5348_sender_ops);
	t->variant = variant;
}
EXPORT_SYMBOL_GPL(rfc5348_sender_init);

/**
 * rfc5348_calc_x - TFRC's calc_x of struct rfc5348_variant
 * @t: the sender
 * @s: packet size, bytes
 * @rtt: round-trip time R, ns
 * @p: loss event rate, not 0
 *
 * Context: any
 * Return: the rate of the throughput equation (RFC 5348, 3.1)
 */
u64 rfc5348_calc_x(const struct rfc5348_sender *t, u32 s, u64 rtt, u64 p)
{
	return tfrc_calc_x(s, rtt, p);
}
EXPORT_SYMBOL_GPL(rfc5348_calc_x);

/**
 * rfc5348_limit - TFRC's limit of struct rfc5348_variant
 * @t: the sender
 * @rep: the report
 * @worse: there is a new loss event, or p has grown
 * @now: time
 *
 * Context: any, @t locked by the caller
 * Return: recv_limit (RFC 5348, 4.3, step 4)
 */
u64 rfc5348_limit(struct rfc5348_sender *t, const struct tfrc_report *rep,
		  bool worse, u64 now)
{
	return tfrc_sender_recv_limit(&t->base, rep->data_limited, worse, now);
}
EXPORT_SYMBOL_GPL(rfc5348_limit);

/**
 * rfc5348_move_to - TFRC's move_to of struct rfc5348_variant
 * @t: the sender
 * @d: what the sender knows
 *
 * Context: any
 * Return: the rate that TFRC moves to
 */
u64 rfc5348_move_to(struct rfc5348_sender *t, const struct tfrc_decision *d)
{
	return d->x_tfrc;
}
EXPORT_SYMBOL_GPL(rfc5348_move_to);
