// SPDX-License-Identifier: GPL-2.0-only
/*
 * Nominal send times: when may a packet go?
 *
 * A packet's nominal time is that of the packet before plus the interval that
 * the rate asks for:
 *
 *	t_(i+1) = t_i + t_ipi
 *
 * Who asks later than that is late for one of two reasons. If there was nothing
 * to send, the packet goes at once and its own time becomes the nominal one: no
 * credit is saved while there is nothing to send. If the packet waited, for its
 * time or behind another one, the timer was late: then the nominal times stand,
 * all packets that are due go at once, and the rate is what it should be. So at
 * most min(10 ms, R) is made up for: no burst is longer than what is sent in
 * that time.
 *
 * The interval is given anew each time, so a change of rate applies at once,
 * also to the packet that waits.
 */
#include <linux/minmax.h>
#include <linux/module.h>
#include <net/tfrc.h>

/* Send this much ahead of the nominal time: less than a timer takes to fire. */
#define TFRC_PACING_EARLY	(5 * TFRC_NSEC_PER_USEC)

/**
 * tfrc_pacing_ready - may a packet go now?
 * @p: nominal send times, zeroed before their first use
 * @interval: time that the packet before takes at the present rate, ns
 * @now: time
 *
 * If not, it waits, until the time that @p->due is set to.
 *
 * Context: any, @p locked by the caller.
 * Source: RFC 5348, 4.6 and 8.3
 * Return: true if the packet may go now
 */
bool tfrc_pacing_ready(struct tfrc_pacing *p, u64 interval, u64 now)
{
	u64 due = p->t_last + interval;

	if (!p->t_last || now + min(interval / 2, TFRC_PACING_EARLY) >= due)
		return true;
	p->due = due;
	p->waits = true;
	return false;
}
EXPORT_SYMBOL_GPL(tfrc_pacing_ready);

/**
 * tfrc_pacing_release - a packet goes now
 * @p: nominal send times
 * @interval: time that the packet before takes at the present rate, ns
 * @rtt: round-trip time R, ns
 * @more: there is another packet that could go
 * @now: time, not 0
 *
 * Context: any, @p locked by the caller.
 * Source: RFC 5348, 4.6
 * Return: true if the packet was ready before, but the rate held it back
 */
bool tfrc_pacing_release(struct tfrc_pacing *p, u64 interval, u64 rtt,
			 bool more, u64 now)
{
	u64 due = p->t_last + interval, credit = min(rtt, TFRC_PACING_CREDIT);
	bool waited = p->waits;

	if (!p->t_last || (!waited && due < now))
		p->t_last = now;
	else
		p->t_last = max(due, now - min(credit, now - 1));
	p->waits = more;
	return waited;
}
EXPORT_SYMBOL_GPL(tfrc_pacing_release);

/**
 * tfrc_pacing_changed - the rate has changed while a packet waits
 * @p: nominal send times
 * @interval: time that the packet before takes at the new rate, ns
 * @now: time
 *
 * At a higher rate the packet may be due at a time that has passed. It is not
 * late for that.
 *
 * Context: any, @p locked by the caller.
 * Return: when it is due now
 */
u64 tfrc_pacing_changed(struct tfrc_pacing *p, u64 interval, u64 now)
{
	u64 due = p->t_last + interval;

	if (due < now && now < p->due) {
		p->t_last = now - interval;
		due = now;
	}
	p->due = due;
	return due;
}
EXPORT_SYMBOL_GPL(tfrc_pacing_changed);
