// SPDX-License-Identifier: GPL-2.0-only
/*
 * The TFRC receiver (RFC 5348, section 6; RFC 4342, 6).
 *
 *	packet --+--> rx_history ----> loss_intervals --> p -------+
 *	         +--> rate_meter -----------------------> X_recv --+--> report
 *	         +--> window_rtt ----> R (events, least interval)  |
 *	         +--> is a report due? ----------------------------+
 *
 * A report is due (RFC 4342, 6; RFC 5348, 6.1)
 *
 *  - with the first data packet: p = 0 and X_recv = 0, so that the sender has
 *    its first RTT sample;
 *  - when the window counter is 4 or more quarters of an RTT ahead of where it
 *    was at the last report;
 *  - at once with a new loss event, lost or marked;
 *  - when two RTTs have passed by the receiver's own clock, in case the sender's
 *    counter does not move, or wraps because of losses;
 *  - if no packet makes a report due: a round trip after the last report while data
 *    comes at least once in a round trip, otherwise a round trip after the data.
 *    Without this report the sender's nofeedback timer would expire.
 */
#include <linux/container_of.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/types.h>
#include <net/tfrc_rfc5348.h>

#define REPORT_QUARTERS		4
#define REPORT_RTTS		2

static struct rfc5348_receiver *rfc5348_of(struct tfrc_receiver *r)
{
	return container_of(r, struct rfc5348_receiver, base);
}

/* Whether the window counter or the time of a new data packet makes a report due */
static bool interval_over(const struct rfc5348_receiver *t, u64 rtt, u64 now)
{
	return ((t->ccval - t->report_ccval) & 0xf) >= REPORT_QUARTERS ||
	       now >= t->base.t_report + REPORT_RTTS * rtt;
}

static void rfc5348_first_event(struct rfc5348_receiver *t, u64 rtt, u64 now)
{
	u64 x = tfrc_receiver_x_target(&t->base, now);
	u64 p = t->variant->calc_p(t, tfrc_receiver_size(&t->base), rtt, x);

	tfrc_receiver_first_interval(&t->base, &t->intervals, p);
}

static bool rfc5348_packet(struct tfrc_receiver *r,
			   const struct tfrc_rx_packet *pkt, u64 now)
{
	struct rfc5348_receiver *t = rfc5348_of(r);
	u64 rtt, events = r->history.events;
	bool all_reported = r->reported == r->packets;

	/* Until the first data packet R is that of the handshake. */
	if (!r->packets)
		tfrc_window_rtt_init(&t->window, r->rtt);
	if (!tfrc_receiver_count(r, &t->intervals, pkt, now))
		return false;
	rtt = tfrc_receiver_rtt(r);
	if (pkt->is_data) {
		t->due |= !r->packets;
		tfrc_receiver_measure(r, pkt->len, now);
		if (r->history.newest == pkt->seq) {
			t->ccval = pkt->ccval & 0xf;
			t->due |= interval_over(t, rtt, now);
		}
	}

	if (r->history.events != events) {
		t->due = true;
		if (!events)
			rfc5348_first_event(t, rtt, now);
	}
	if (all_reported && r->reported != r->packets && !t->due)
		t->since = now < t->since + rtt ? r->t_report : now;
	tfrc_window_rtt_add(&t->window, pkt, now);
	r->rtt = t->window.rtt;
	r->deadline = r->reported == r->packets ? 0 :
		      t->since + tfrc_receiver_rtt(r);
	return t->due;
}

static void rfc5348_report(struct tfrc_receiver *r, struct tfrc_feedback *fb,
			   u64 now)
{
	struct rfc5348_receiver *t = rfc5348_of(r);

	r->p = tfrc_receiver_p(r, &t->intervals);
	fb->p = r->p;
	fb->x_recv = tfrc_receiver_x_recv(r, now);
	t->report_ccval = t->ccval;
	t->due = false;
	r->deadline = 0;
}

static const struct tfrc_receiver_ops rfc5348_receiver_ops = {
	.packet = rfc5348_packet,
	.report = rfc5348_report,
	.put = tfrc_put_report,
};

/**
 * rfc5348_receiver_init - prepare a TFRC receiver for its first packet
 * @t: receiver
 * @n: number of loss intervals to average, taken as the nearest of 2 to
 *	TFRC_LI_DEFAULT; tfrc_loss_intervals_resize() sets more
 * @variant: the functions in which it may differ from TFRC; must outlive @t
 * @rtt: round-trip time of the handshake, ns, or 0 if there is none
 *
 * Loss events have a recovery point, see tfrc_receiver_set_recovery().
 *
 * Context: any
 */
void rfc5348_receiver_init(struct rfc5348_receiver *t, u32 n,
			   const struct rfc5348_variant *variant, u64 rtt)
{
	memset(t, 0, sizeof(*t));
	tfrc_receiver_init(&t->base, &rfc5348_receiver_ops, rtt);
	tfrc_receiver_set_recovery(&t->base, true);
	tfrc_loss_intervals_init(&t->intervals, n);
	t->base.intervals = &t->intervals;
	t->variant = variant;
}
EXPORT_SYMBOL_GPL(rfc5348_receiver_init);

/**
 * rfc5348_calc_p - TFRC's calc_p of struct rfc5348_variant
 * @t: receiver
 * @s: packet size, bytes
 * @rtt: round-trip time R, ns
 * @x: rate
 *
 * Context: any
 * Return: the loss event rate at which the throughput equation gives @x
 */
u64 rfc5348_calc_p(const struct rfc5348_receiver *t, u32 s, u64 rtt, u64 x)
{
	return tfrc_calc_p(s, rtt, x);
}
EXPORT_SYMBOL_GPL(rfc5348_calc_p);
