// SPDX-License-Identifier: GPL-2.0-only
/*
 * The receiver of RAAR: it takes packets and reports from the library to raar.c.
 *
 *	packet --> rx_history --> new losses, marks, loss events ---> raar_loss()
 *	       --> payload, round, rate of the sender -------------> raar_packet()
 *	       --> raar_due(): whether a report is due
 *
 * The algorithm measures R. There is no loss event rate.
 */
#include <linux/container_of.h>
#include <linux/string.h>
#include "raar.h"

static struct raar_receiver *raar_receiver_of(struct tfrc_receiver *rcv)
{
	return container_of(rcv, struct raar_receiver, base);
}

/**
 * raar_receiver_init - start before the first packet
 * @rr: receiver
 * @ops: its operations
 */
void raar_receiver_init(struct raar_receiver *rr,
			const struct tfrc_receiver_ops *ops)
{
	memset(rr, 0, sizeof(*rr));
	tfrc_receiver_init(&rr->base, ops, 0);
	raar_init(&rr->raar);
}

/* Whether the packet shows new losses or marks that begin a loss event */
static bool raar_receiver_event(struct raar_receiver *rr, u64 now)
{
	const struct tfrc_rx_history *h = &rr->base.history;
	u64 signals = h->lost + h->signals, events = h->events - rr->events;
	bool detected = events || signals != rr->signals;

	rr->raar.data = h->data;
	rr->raar.signals = rr->signals;
	rr->events = h->events;
	rr->signals = signals;
	return detected && rr->raar.started &&
	       raar_loss(&rr->raar, events, now);
}

/**
 * raar_receiver_packet - a packet has arrived
 * @rcv: receiver, of a struct raar_receiver
 * @pkt: the packet
 * @now: time of arrival, ns
 *
 * Return: true if a report is due now
 */
bool raar_receiver_packet(struct tfrc_receiver *rcv,
			  const struct tfrc_rx_packet *pkt, u64 now)
{
	struct raar_receiver *rr = raar_receiver_of(rcv);
	struct raar *r = &rr->raar;
	struct raar_packet p = {
		.len = pkt->len,
		.ccval = pkt->ccval,
		.has_round = rcv->options & RAAR_HAS_ROUND,
		.stated = rr->round.rate,
		.waited = rr->round.waited,
	};
	bool event;

	if (!tfrc_receiver_count(rcv, NULL, pkt, now))
		return false;
	if (pkt->is_data && !r->started)
		raar_start(r, pkt->len, tfrc_receiver_rtt(rcv), now);
	event = raar_receiver_event(rr, now);
	if (pkt->is_data) {
		tfrc_receiver_data(rcv, pkt->len);
		p.newest = rcv->history.newest == pkt->seq;
		raar_packet(r, &p, !event, now);
		tfrc_receiver_set_rtt(rcv, r->rtt.srtt);
	}
	rcv->deadline = raar_wake(r);
	return r->started && raar_due(r, now);
}

/**
 * raar_receiver_report - fill in a report
 * @rcv: receiver, of a struct raar_receiver
 * @fb: set
 * @now: ns
 */
void raar_receiver_report(struct tfrc_receiver *rcv, struct tfrc_feedback *fb,
			  u64 now)
{
	struct raar *r = &raar_receiver_of(rcv)->raar;

	/* Up to the last packet, because a pause after it does not count. */
	fb->x_recv = raar_received(r, r->meter.last);
	fb->rate = raar_report(r, now);
	fb->timeout = raar_rto(r);
	fb->number = r->number;
	rcv->deadline = raar_wake(r);
}
