// SPDX-License-Identifier: GPL-2.0-only
/*
 * The receiver of DVRC: it takes packets and reports from the library to dvrc.c.
 *
 *	packet --> options: round-trip time, rate vector
 *	       --> rx_history: lost and marked packets, loss events
 *	       --> dvrc_arrival(): receiving rate
 *	       --> a loss event:	dvrc_loss()
 *		   more of the same:	dvrc_more_loss()
 *		   a round trip without loss: dvrc_increase()
 *
 * A report is due with the first packet, with a decrease, with each ack_ratio-th packet,
 * with a packet that comes a quarter of a round trip and 100 us after the last report or
 * later, a round trip after the last report if data came since, and when nothing came for
 * DTO.
 * So a stream of few packets has each of them acknowledged, whatever ack_ratio is.
 */
#include <linux/container_of.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include "dvrc.h"

/* A packet is acknowledged at once if there were fewer reports than this. */
#define DVRC_REPORTS_PER_RTT	4
/* But not so soon after a report: it would be each packet where R is very small. */
#define DVRC_REPORT_APART	TFRC_RTT_MIN

static struct dvrc_receiver *dvrc_receiver_of(struct tfrc_receiver *rcv)
{
	return container_of(rcv, struct dvrc_receiver, base);
}

/**
 * dvrc_receiver_init - start before the first packet
 * @dr: receiver
 * @ops: its operations
 */
void dvrc_receiver_init(struct dvrc_receiver *dr,
			const struct tfrc_receiver_ops *ops)
{
	memset(dr, 0, sizeof(*dr));
	tfrc_receiver_init(&dr->base, ops, 0);
	tfrc_loss_intervals_init(&dr->intervals, TFRC_LI_DEFAULT);
	dr->base.intervals = &dr->intervals;
}

/* Options of a late packet are ignored, because they are out of date. */
static void dvrc_receiver_options(struct dvrc_receiver *dr)
{
	struct dvrc *d = &dr->dvrc;

	if (dr->base.options & DVRC_HAS_PATH) {
		d->path.rtt = dr->path.rtt;
		d->path.deviation = dr->path.deviation;
		tfrc_receiver_set_rtt(&dr->base, dr->path.rtt);
	}
	if (dr->base.options & DVRC_HAS_LAYERS && !dr->own_layers)
		dvrc_vector(d, dr->vector.rate,
			    dr->vector.k * sizeof(*dr->vector.rate));
}

static void dvrc_receiver_count(struct dvrc_receiver *dr,
				const struct tfrc_rx_packet *pkt, u64 events,
				u64 now)
{
	struct tfrc_receiver *rcv = &dr->base;
	struct dvrc *d = &dr->dvrc;
	bool idle = d->idle;

	if (!d->path.rtt)
		d->path.rtt = tfrc_receiver_rtt(rcv);
	if (pkt->is_data) {
		/*
		 * CCVal of a late packet does not tell whether more data was sent after it.
		 * An Ack that has overtaken it is no data.
		 */
		if (!d->packets || tfrc_seq_distance(dr->newest, pkt->seq) > 0) {
			dr->newest = pkt->seq;
			idle = pkt->ccval == DVRC_CCVAL_IDLE;
		}
		tfrc_receiver_measure(rcv, pkt->len, now);
		dvrc_arrival(d, pkt->len, tfrc_receiver_size(rcv), idle, now);
	}
	if (!events && rcv->history.events)
		tfrc_receiver_first_tfrc(rcv, &dr->intervals, now);
}

/* A nominal size has loss intervals of its own, and a loss event rate that follows. */
static void dvrc_receiver_nominal(struct dvrc_receiver *dr, bool event, u64 p,
				  u64 now)
{
	struct tfrc_nominal *nom = &dr->dvrc.nominal;
	const struct dvrc *d = &dr->dvrc;
	u64 data = dr->base.history.data;

	if (event)
		tfrc_nominal_event(nom, &(struct tfrc_nominal_at) {
			.s = d->s,
			.data = data,
			.signals = dr->lost + dr->marked,
			.x = tfrc_receiver_x_target(&dr->base, now),
			.rtt = d->path.rtt,
			.now = now,
		});
	nom->p = tfrc_nominal_p(nom, data, p, d->path.rtt, now);
}

static void dvrc_receiver_decide(struct dvrc_receiver *dr,
				 const struct tfrc_rx_packet *pkt, u64 now)
{
	const struct tfrc_rx_history *h = &dr->base.history;
	struct dvrc *d = &dr->dvrc;
	bool event = h->events != dr->events;
	bool marked = h->signals != dr->marked;
	bool loss = event || marked || h->lost != dr->lost;
	u64 p;

	if (!d->packets || (!loss && !(pkt->is_data && dvrc_round_over(d, now))))
		return;

	p = tfrc_receiver_p(&dr->base, &dr->intervals);
	if (d->nominal.asked)
		dvrc_receiver_nominal(dr, event, p, now);
	if (event)
		dvrc_loss(d, p, marked, now);
	else if (loss)
		dvrc_more_loss(d, p, marked, now);
	else
		dvrc_increase(d, p, now);
	dr->base.p = p;
	dr->events = h->events;
	dr->lost = h->lost;
	dr->marked = h->signals;
}

/* Packets wait for others to be reported with, but no longer than a round trip. */
static void dvrc_receiver_deadline(struct dvrc_receiver *dr, bool waiting)
{
	u64 when = dvrc_timeout_at(&dr->dvrc);

	if (waiting)
		when = min(when, dr->base.t_report + dr->dvrc.path.rtt);
	dr->base.deadline = when == U64_MAX ? 0 : when;
}

/**
 * dvrc_receiver_packet - a packet has arrived
 * @rcv: receiver, of a struct dvrc_receiver
 * @pkt: the packet
 * @now: time of arrival, ns
 *
 * Return: true if a report is due now
 */
bool dvrc_receiver_packet(struct tfrc_receiver *rcv,
			  const struct tfrc_rx_packet *pkt, u64 now)
{
	struct dvrc_receiver *dr = dvrc_receiver_of(rcv);
	struct dvrc *d = &dr->dvrc;
	u32 random = d->random, congestion = d->congestion;
	u64 events = rcv->history.events;
	bool new;

	if (pkt->newest)
		dvrc_receiver_options(dr);
	new = tfrc_receiver_count(rcv, &dr->intervals, pkt, now);
	if (new) {
		dvrc_receiver_count(dr, pkt, events, now);
		dvrc_receiver_decide(dr, pkt, now);
	}
	dvrc_receiver_deadline(dr, rcv->packets != rcv->reported);
	if (!new)
		return false;
	/* At once for the first packet and a decrease */
	return !rcv->feedbacks ? pkt->is_data :
	       d->random != random || d->congestion != congestion ||
	       rcv->packets - rcv->reported >= d->par.ack_ratio ||
	       (pkt->is_data &&
		now - rcv->t_report >= max(d->path.rtt / DVRC_REPORTS_PER_RTT,
					   DVRC_REPORT_APART));
}

/**
 * dvrc_receiver_report - fill in a report
 * @rcv: receiver, of a struct dvrc_receiver
 * @fb: set
 * @now: ns
 */
void dvrc_receiver_report(struct tfrc_receiver *rcv, struct tfrc_feedback *fb,
			  u64 now)
{
	struct dvrc *d = &dvrc_receiver_of(rcv)->dvrc;

	if (now >= dvrc_timeout_at(d))
		dvrc_timeout(d, now);
	fb->p = rcv->p;
	fb->x_recv = dvrc_receiving_rate(d, now);
	fb->rate = d->r;
	fb->timeout = dvrc_dto_now(d);
	fb->number = dvrc_layers_now(d, now);
	tfrc_rate_meter_mark(&rcv->meter,
			     tfrc_receiver_rtt(rcv) / TFRC_RATE_MARKS, now);
	dvrc_receiver_deadline(dvrc_receiver_of(rcv), false);
}
