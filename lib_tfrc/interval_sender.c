// SPDX-License-Identifier: GPL-2.0-only
/*
 * A sender that gets a report in each interval T and takes a step for it. A step is
 * one decision of the scheme.
 *
 * Between two steps reports may be lost, or more than one may come. So a step is about
 * the time since the previous step. It uses the sender's own totals and those of the
 * receiver:
 *
 *	step		  report  step		  report   step
 *	----+-----------------+-----+-----------------+------+---->
 *	    |<------ T ------>      |<------ T ------>
 *	    '------ x_send, lost, data ------'
 *
 * If no report comes for 3 T, the nofeedback timer expires. There is no report without
 * data, so the timer takes at least the time of two packets, which is longer if X is
 * very low.
 *
 * A scheme calls these functions from its struct tfrc_sender_ops.
 */
#include <linux/container_of.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/types.h>
#include <net/tfrc_interval.h>

/* The nofeedback timer, in T */
#define TIMEOUT_INTERVALS	3

/**
 * interval_sender_start - begin with a rate and an interval
 * @is: the sender, zeroed and initialised by tfrc_sender_init()
 * @x: the rate
 * @interval: report interval T, ns
 * @now: time
 *
 * Context: any, @is locked by the caller. Called by the operation start.
 */
void interval_sender_start(struct interval_sender *is, u64 x, u64 interval,
			   u64 now)
{
	is->interval = interval;
	is->t_step = now;
	tfrc_sender_move(&is->base, x);
}
EXPORT_SYMBOL_GPL(interval_sender_start);

/**
 * interval_sender_feedback - a report came; a step may or may not follow
 * @is: the sender
 * @rep: the report
 *
 * Context: any, @is locked by the caller. Called by the operation feedback.
 */
void interval_sender_feedback(struct interval_sender *is,
			      const struct tfrc_report *rep)
{
	struct tfrc_sender *snd = &is->base;

	u32 s = tfrc_sender_size(snd);
	u64 p;

	snd->p = rep->p;
	snd->x_calc = rep->p ? tfrc_calc_x(s, snd->rtt, rep->p) : 0;
	if (snd->x_calc && snd->nominal.p) {
		/* A report does not tell how many loss events there were in T. */
		p = max(snd->nominal.p, (u64)rep->fb->loss << (TFRC_P_SHIFT - 32));
		snd->x_calc = tfrc_nominal_more(s, 0, snd->x_calc,
						tfrc_calc_x(snd->nominal.size,
							    snd->rtt, p));
	}
	snd->restart = true;
}
EXPORT_SYMBOL_GPL(interval_sender_feedback);

/*
 * All packets in flight count as data. If there are Acks among them, less has arrived by
 * this than really has. This makes no lasting error, but a step may have too few packets.
 */
static u64 interval_acked(const struct interval_sender *is,
			  const struct tfrc_report *rep)
{
	u64 packets = is->base.packets;

	return max(packets - min(rep->flight, packets), is->acked);
}

/**
 * interval_sender_step - take a step: compute what happened since the last one
 * @is: the sender
 * @rep: the report that leads to the step
 * @now: time
 *
 * x_send is over T at least, so a burst does not count as a high rate.
 *
 * Context: any, @is locked by the caller.
 * Return: rate, losses and packets since the last step
 */
struct interval_step interval_sender_step(struct interval_sender *is,
					  const struct tfrc_report *rep,
					  u64 now)
{
	const struct tfrc_sender *snd = &is->base;
	u64 acked = interval_acked(is, rep);
	struct interval_step step = {
		.x_send = tfrc_mul_div(TFRC_RATE(snd->bytes - is->bytes),
				       TFRC_NSEC_PER_SEC,
				       max(now - is->t_step, is->interval)),
		.lost = snd->lost - is->lost,
		.data = acked - is->acked,
	};

	is->t_step = now;
	is->bytes = snd->bytes;
	is->lost = snd->lost;
	is->acked = acked;
	return step;
}
EXPORT_SYMBOL_GPL(interval_sender_step);

/**
 * interval_sender_timeout - the nofeedback timer expired, and X has been lowered
 * @is: the sender
 *
 * Context: any, @is locked by the caller. Called by the operation timeout.
 */
void interval_sender_timeout(struct interval_sender *is)
{
	is->base.restart = is->base.feedbacks;
}
EXPORT_SYMBOL_GPL(interval_sender_timeout);

/**
 * interval_sender_timeout_after - the time after which the nofeedback timer expires
 * @snd: the sender, of a struct interval_sender
 *
 * Context: any, tfrc_sender_start() was called. An operation timeout_after.
 * Return: ns
 */
u64 interval_sender_timeout_after(const struct tfrc_sender *snd)
{
	const struct interval_sender *is =
		container_of(snd, struct interval_sender, base);

	return max(TIMEOUT_INTERVALS * is->interval,
		   2 * tfrc_ipi(snd->x_inst, tfrc_sender_size(snd)));
}
EXPORT_SYMBOL_GPL(interval_sender_timeout_after);
