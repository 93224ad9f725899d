// SPDX-License-Identifier: GPL-2.0-only
/*
 * The pacer: a timer that releases packets at their nominal times (pacing.c),
 * whatever HZ is.
 */
#include <linux/hrtimer.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/string.h>
#include <net/tfrc_ccid.h>
#include <net/tfrc_compat.h>

/*
 * The handler locks the socket, so the owner of the lock cannot wait for it. Nor can the
 * timer be cancelled while the handler runs, also if it has been armed again. Therefore a
 * pacer that is stopped may still have an armed timer, which then does nothing.
 * tfrc_pacer_free() cancels it.
 *
 * The armed timer has no reference to the socket. The handler takes one: it runs in
 * softirq, so what it saw before the pacer was stopped is in memory until it ends, and
 * memory of sockets remains sockets' until then (SLAB_TYPESAFE_BY_RCU). At worst it
 * examines the queue of another socket once more than is necessary.
 */
static enum hrtimer_restart tfrc_pacer_fire(struct hrtimer *timer)
{
	struct tfrc_pacer *p = container_of(timer, struct tfrc_pacer, timer);
	struct sock *sk = p->sk;

	rcu_read_lock();
	if (!READ_ONCE(p->stopped) && refcount_inc_not_zero(&sk->sk_refcnt)) {
		dccp_xmit_ready(sk);
		sock_put(sk);
	}
	rcu_read_unlock();
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
	p->by_rate = false;
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
 * @late: how much later the timer may expire, so that it releases several packets, ns
 * @now: time
 *
 * If not, the timer expires at its nominal time, or as much later as makes the packets
 * behind it due, too.
 *
 * Context: socket locked.
 * Return: true if the packet may be sent now
 */
bool tfrc_pacer_ready(struct tfrc_pacer *p, u64 interval, u64 late, u64 now)
{
	if (tfrc_pacing_ready(&p->pacing, interval, now))
		return true;
	p->by_rate = true;
	tfrc_pacer_arm(p, p->pacing.due +
		       tfrc_pacing_late(&p->pacing, interval, late,
					skb_queue_len(&p->sk->sk_write_queue)));
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
	p->by_rate = false;
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
 * tfrc_pacer_waits - whether the timer will release the packet that is next
 * @p: the pacer
 *
 * Then a packet that is queued behind it changes nothing, unless frames are spread.
 *
 * Context: socket locked.
 * Return: true if the queue need not be examined before
 */
bool tfrc_pacer_waits(struct tfrc_pacer *p)
{
	return p->by_rate && !p->pacing.frame && hrtimer_is_queued(&p->timer);
}
EXPORT_SYMBOL_GPL(tfrc_pacer_waits);

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
 * Context: socket locked.
 */
void tfrc_pacer_stop(struct tfrc_pacer *p)
{
	WRITE_ONCE(p->stopped, true);
	hrtimer_try_to_cancel(&p->timer);
}
EXPORT_SYMBOL_GPL(tfrc_pacer_stop);

/**
 * tfrc_pacer_free - the pacer's memory is freed next
 * @p: the pacer, stopped a grace period ago
 *
 * Context: softirq, no socket locked.
 */
void tfrc_pacer_free(struct tfrc_pacer *p)
{
	hrtimer_cancel(&p->timer);
}
EXPORT_SYMBOL_GPL(tfrc_pacer_free);
