// SPDX-License-Identifier: GPL-2.0-only
/*
 * Nominal send times of packets.
 *
 * A packet's nominal time is that of the previous packet plus the interval at the
 * present rate:
 *
 *	t_(i+1) = t_i + t_ipi
 *
 * A packet may be sent later than that for one of two reasons. If there was nothing
 * to send before, the packet is sent at once, and this time becomes its nominal time:
 * a sender does not save credit while it has nothing to send. If the packet waited,
 * for its time or behind another one, the timer was late. Then the nominal times stay
 * as they are, and all packets that are due are sent at once, so the rate is right on
 * average. At most min(10 ms, R) is made up for in this way, which limits the burst.
 *
 * The interval is an argument of each call, so a change of the rate applies at once,
 * also to the packet that waits.
 */
#include <linux/minmax.h>
#include <linux/module.h>
#include <net/tfrc.h>

/* A packet may be sent this much early, which is less than a timer takes to expire. */
#define TFRC_PACING_EARLY	(5 * TFRC_NSEC_PER_USEC)

/**
 * tfrc_pacing_ready - whether the next packet may be sent now
 * @p: nominal send times, zeroed before their first use
 * @interval: time that the last packet takes at the present rate, ns
 * @now: time
 *
 * If not, it waits until @p->due, which this sets.
 *
 * Context: any, @p locked by the caller.
 * Source: RFC 5348, 4.6 and 8.3
 * Return: true if the packet may be sent now
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
 * tfrc_pacing_release - a packet is sent now
 * @p: nominal send times
 * @interval: time that the last packet takes at the present rate, ns
 * @rtt: round-trip time R, ns
 * @more: there is another packet in the queue
 * @now: time, not 0
 *
 * Context: any, @p locked by the caller.
 * Source: RFC 5348, 4.6
 * Return: true if the packet was ready earlier, but the pacer held it back
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
 * @interval: time that the last packet takes at the new rate, ns
 * @now: time
 *
 * At a higher rate the nominal time may have passed already. This does not count as
 * late: the packet is due now.
 *
 * Context: any, @p locked by the caller.
 * Return: the new time at which it is due
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
