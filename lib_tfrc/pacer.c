// SPDX-License-Identifier: GPL-2.0-only
/*
 * The pacer: a timer that releases packets at their nominal times (pacing.c),
 * whatever HZ is.
 */
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/string.h>
#include <net/tfrc_ccid.h>
#include <net/tfrc_compat.h>

/*
 * The handler only schedules the core's tasklet, which locks the socket and dequeues
 * packets. If the handler locked the socket, the timer could be armed again while the
 * handler still runs. Then the owner of the lock could not wait for it.
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
	memset(&p->pacing, 0, sizeof(p->pacing));
	hrtimer_setup(&p->timer, tfrc_pacer_fire, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_PINNED_SOFT);
	p->sk = sk;
	p->stopped = false;
}
EXPORT_SYMBOL_GPL(tfrc_pacer_init);

/* Each send() while a packet waits gets here, mostly with the same time. */
static void tfrc_pacer_arm(struct tfrc_pacer *p, u64 due)
{
	if (p->stopped || (hrtimer_is_queued(&p->timer) &&
			   ktime_to_ns(hrtimer_get_expires(&p->timer)) == due))
		return;
	hrtimer_start(&p->timer, ns_to_ktime(due), HRTIMER_MODE_ABS_PINNED_SOFT);
}

/**
 * tfrc_pacer_ready - whether the next packet may be sent now
 * @p: the pacer
 * @interval: time that the last packet takes at the present rate, ns
 * @now: time
 *
 * If not, the timer expires at its nominal time.
 *
 * Context: socket locked.
 * Return: true if the packet may be sent now
 */
bool tfrc_pacer_ready(struct tfrc_pacer *p, u64 interval, u64 now)
{
	if (tfrc_pacing_ready(&p->pacing, interval, now))
		return true;
	tfrc_pacer_arm(p, p->pacing.due);
	return false;
}
EXPORT_SYMBOL_GPL(tfrc_pacer_ready);

/**
 * tfrc_pacer_wait - set the timer for a packet that waits for another reason
 * @p: the pacer
 * @until: when it expires; a packet that is queued before then is examined at once
 *
 * The rate would allow the packet now.
 *
 * Context: socket locked.
 */
void tfrc_pacer_wait(struct tfrc_pacer *p, u64 until)
{
	tfrc_pacer_arm(p, until);
}
EXPORT_SYMBOL_GPL(tfrc_pacer_wait);

/**
 * tfrc_pacer_rate_changed - adapt the time of the packet that waits, if any
 * @p: the pacer
 * @interval: time that the last packet takes at the new rate, ns
 * @now: time
 *
 * Context: socket locked.
 */
void tfrc_pacer_rate_changed(struct tfrc_pacer *p, u64 interval, u64 now)
{
	if (hrtimer_is_queued(&p->timer))
		tfrc_pacer_arm(p, tfrc_pacing_changed(&p->pacing, interval,
						      now));
}
EXPORT_SYMBOL_GPL(tfrc_pacer_rate_changed);

/**
 * tfrc_pacer_skip - the packet that waited is not sent
 * @p: the pacer
 *
 * The rate did not hold it back, so the packet after it has no credit.
 *
 * Context: socket locked.
 */
void tfrc_pacer_skip(struct tfrc_pacer *p)
{
	p->pacing.waits = false;
}
EXPORT_SYMBOL_GPL(tfrc_pacer_skip);

/**
 * tfrc_pacer_stop - release no more packets
 * @p: the pacer
 *
 * The timer holds no reference to the socket. So this must be called before the
 * pacer is freed; when it returns, the timer is not armed and its handler has ended.
 *
 * Context: socket locked. Waits for the handler, which takes no lock.
 */
void tfrc_pacer_stop(struct tfrc_pacer *p)
{
	p->stopped = true;
	hrtimer_cancel(&p->timer);
}
EXPORT_SYMBOL_GPL(tfrc_pacer_stop);
