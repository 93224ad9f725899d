// SPDX-License-Identifier: GPL-2.0-only
/*
 * The pacer: packets leave at their nominal times, whatever HZ is.
 *
 * A packet's nominal time is that of the packet before plus the interval that
 * the rate asks for. A packet that comes from the application after its nominal
 * time goes at once, and its own time becomes the nominal one: no credit is
 * saved while there is nothing to send. A packet that was ready, but that the
 * timer released too late, keeps its nominal time, so that late timers do not
 * add up to a lower rate; the burst that follows a very late timer is bounded
 * (RFC 5348, 8.3).
 *
 * The interval is given anew each time, so a change of rate applies at once,
 * also to the packet that waits.
 */
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <net/tfrc_ccid.h>

/* Send this much ahead of the nominal time: less than a timer takes to fire. */
#define TFRC_PACER_EARLY	(5 * TFRC_NSEC_PER_USEC)
/* Catch up with at most this much time lost by late timers. */
#define TFRC_PACER_LATE		(10 * TFRC_NSEC_PER_MSEC)

/*
 * Only hand over to the tasklet that dequeues packets: the socket is locked
 * there. Were it locked here, the timer could be armed again while its handler
 * still runs, and then neither be cancelled nor waited for.
 */
static enum hrtimer_restart tfrc_pacer_fire(struct hrtimer *timer)
{
	struct tfrc_pacer *p = container_of(timer, struct tfrc_pacer, timer);
	struct tasklet_struct *t = &dccp_sk(p->sk)->dccps_xmitlet;

	if (!test_and_set_bit(TASKLET_STATE_SCHED, &t->state)) {
		/* the tasklet gives this back */
		sock_hold(p->sk);
		__tasklet_schedule(t);
	}
	return HRTIMER_NORESTART;
}

/**
 * tfrc_pacer_init - prepare a pacer
 * @p: the pacer, part of the CCID's private state of @sk
 * @sk: the socket
 *
 * Context: any.
 */
void tfrc_pacer_init(struct tfrc_pacer *p, struct sock *sk)
{
	hrtimer_init(&p->timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_PINNED_SOFT);
	p->timer.function = tfrc_pacer_fire;
	p->sk = sk;
	p->t_last = 0;
	p->late = false;
	p->stopped = false;
}
EXPORT_SYMBOL_GPL(tfrc_pacer_init);

static void tfrc_pacer_arm(struct tfrc_pacer *p, u64 due)
{
	if (!p->stopped)
		hrtimer_start(&p->timer, ns_to_ktime(due),
			      HRTIMER_MODE_ABS_PINNED_SOFT);
}

/**
 * tfrc_pacer_ready - may a packet go now?
 * @p: the pacer
 * @interval: time that the packet before takes at the present rate, ns
 * @now: time
 *
 * If not, the queue is looked at again when it may.
 *
 * Context: socket locked.
 * Return: true if the packet may go now
 */
bool tfrc_pacer_ready(struct tfrc_pacer *p, u64 interval, u64 now)
{
	u64 due = p->t_last + interval;

	if (!p->t_last || now + min(interval / 2, TFRC_PACER_EARLY) >= due)
		return true;
	p->late = true;
	tfrc_pacer_arm(p, due);
	return false;
}
EXPORT_SYMBOL_GPL(tfrc_pacer_ready);

/**
 * tfrc_pacer_release - a packet goes now
 * @p: the pacer
 * @interval: time that the packet before takes at the present rate, ns
 * @now: time
 *
 * Context: socket locked.
 * Return: true if the packet was ready before, but the rate held it back
 */
bool tfrc_pacer_release(struct tfrc_pacer *p, u64 interval, u64 now)
{
	u64 due = p->t_last + interval;
	bool late = p->late;

	p->late = false;
	if (!p->t_last || (!late && now > due))
		p->t_last = now;
	else
		p->t_last = max(due, now - TFRC_PACER_LATE);
	return late;
}
EXPORT_SYMBOL_GPL(tfrc_pacer_release);

/**
 * tfrc_pacer_rate_changed - adapt the time of the packet that waits, if any
 * @p: the pacer
 * @interval: time that the packet before takes at the new rate, ns
 *
 * Context: socket locked.
 */
void tfrc_pacer_rate_changed(struct tfrc_pacer *p, u64 interval)
{
	if (hrtimer_is_queued(&p->timer))
		tfrc_pacer_arm(p, p->t_last + interval);
}
EXPORT_SYMBOL_GPL(tfrc_pacer_rate_changed);

/**
 * tfrc_pacer_stop - release nothing more
 * @p: the pacer
 *
 * The timer holds no reference on the socket: it is gone when this returns, which
 * must be before the pacer is freed.
 *
 * Context: socket locked. Waits for the handler, which takes no lock.
 */
void tfrc_pacer_stop(struct tfrc_pacer *p)
{
	p->stopped = true;
	hrtimer_cancel(&p->timer);
}
EXPORT_SYMBOL_GPL(tfrc_pacer_stop);
