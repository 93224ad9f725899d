// SPDX-License-Identifier: GPL-2.0-only
/*
 * Packet history of a receiver: it finds the lost packets, and those at which a loss
 * event begins.
 *
 *	sequence space
 *	... . . . . X . . B _ _ _ A A _ A
 *	    decided       |       |     |
 *	                  base    above (at most 2 while the hole is open)
 *
 * Up to base each packet is known to be received or lost. The packet right
 * after base becomes the new base. A packet further up leaves a hole below it, a
 * range of sequence numbers that have not arrived. The packet is kept until the
 * hole is filled, or until three packets above the hole have arrived (NDUPACK,
 * RFC 5348, 5.1); then the packets of the hole are lost. So at most two packets
 * wait, a packet decides at most one hole, and the work for each packet is the
 * same, however wide the hole is. A packet at or below base is a duplicate or too
 * late, and changes nothing.
 *
 * Only data packets count. But packets without data have sequence numbers, too.
 * The packet after a hole states how many of them were sent right before it (NDP
 * Count, RFC 4340, 7.7). These are the last ones of the hole; if the hole has no
 * others, nothing is missing. So positions are numbers of data packets, and a loss
 * interval is the difference of two positions.
 *
 * A loss event (5.2) includes all losses and marks within one RTT after its first
 * packet. The time of a marked packet is that of its arrival. The time of a lost
 * one is interpolated between its neighbours:
 *
 *	T_i = T_before + (T_after - T_before) * i / D,	i = 1, 2, ...
 *
 * for the i-th packet of a hole, where the D-th is the packet after it. So a hole
 * that lasts for several RTTs contains several loss events, and their first
 * packets are found by division.
 *
 * This is for packets at equal distances. A source of video sends a frame and then pauses. If
 * a pause is next to packets that are lost together, the interpolation would spread them over
 * it, and a loss within 10 ms could count as several events. So the lost packets and the one
 * after them are taken to be no more than twice the longest gap apart that was seen lately,
 * where what is longer than R is no gap but a pause. After two pauses in a row there are no
 * gaps, and nothing is taken to be closer than it was. It is not known on which side of the
 * packets the pause is: they are late for the question whether they begin an event, and early
 * for the end of this event, so that neither side makes one event of two. A source that sends
 * fewer packets from one moment on may have a few of them taken for closer than they were.
 *
 * The recovery point: R is the sender's smoothed round-trip time. When a queue has
 * just filled, the real round trip is longer. Losses before the sender can react
 * to a loss event belong to that event, as in TCP one reduction covers all packets
 * that were sent before it. So the sender acknowledges the report of an event
 * (hc_tx.c), and the packet that acknowledges it was sent after the reaction:
 *
 *	sender		-x-x-x---x-x--x--x-(S)----->	S: sent after the report
 *			 \          ^        \		   came, acknowledges it
 *	receiver	  first     report    event ends, but not before R is over
 *
 * This is for many packets in flight. With fewer than four packets in R, TCP does
 * not get three duplicate acknowledgments, so it has a timeout and no fast recovery.
 * There an event lasts for R. With a recovery point one event would include most of
 * the losses of such a sender.
 *
 * If a sender has never acknowledged a report, an event lasts for R, too. From a
 * sender that has, an acknowledgment is expected, but only until its nofeedback timer
 * would make it react in any case. If the report of an event is not acknowledged
 * when the next event begins, no acknowledgment is expected until another one comes.
 *
 * A marked packet has effect and is counted at once. If a hole below it would begin a
 * loss event, that event begins now (5.1), although it is not yet known whether the
 * packets of the hole are lost.
 *
 * A mark of a packet with ECT(1), as its option says, is no loss event: the sender
 * responds to how many of the packets are marked (l4s.c). It is only counted.
 *
 * Sequence numbers have 48 bits and wrap. A hostile sender may leave holes of any
 * width and state any NDP Count. This makes its own p wrong, but costs the receiver no
 * more time.
 */
#include <linux/export.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/types.h>
#include <net/tfrc.h>

/* Number of data packets that are missing in the hole */
static u64 data_missing(const struct tfrc_rx_history *h)
{
	u64 hole = tfrc_seq_distance(h->base, h->above[0].seq) - 1;

	return hole - min(hole, h->above[0].ndp);
}

/* A loss event begins at this position, counted from @h->data. */
static void begin_event(struct tfrc_rx_history *h,
			struct tfrc_loss_intervals *li, u64 position)
{
	u64 start = h->data + position;

	/* Packets that were missing below a marked packet may have come since. */
	if (li)
		tfrc_loss_intervals_add(li, start - min(start, h->event_data));
	h->event_data = start;
}

/* How long a loss event may last if no packet acknowledges its report before */
static u64 event_span(const struct tfrc_rx_history *h, u64 rtt)
{
	return h->answers && h->dense ? TFRC_EVENT_RTTS * rtt : rtt;
}

/* The last point in time at which losses belong to the last loss event */
static u64 event_end(const struct tfrc_rx_history *h, u64 rtt)
{
	u64 least = h->event_time + rtt;
	u64 most = h->event_time + event_span(h, rtt);

	/* The packet at acked_time was sent after the sender's reaction. */
	if (h->acked == h->events)
		most = min(most, max(h->acked_time, 1ULL) - 1);
	return max(least, most);
}

/* Whether a loss at this time begins a new loss event */
static bool is_new_event(const struct tfrc_rx_history *h, u64 time, u64 rtt)
{
	return !h->events || time > event_end(h, rtt);
}

/*
 * The hole above the base, for interpolation: @before is T_before, @span is
 * T_after - T_before, @dist the distance of the sequence numbers.
 */
struct hole {
	u64	before;
	u64	span;
	u64	dist;
};

static struct hole lowest_hole(const struct tfrc_rx_history *h)
{
	const struct tfrc_rx_entry *after = &h->above[0];
	struct hole hole;
	u32 i;

	/* S_after is the packet above the hole that arrived first. */
	for (i = 1; i < h->n_above; i++)
		if (h->above[i].time < after->time)
			after = &h->above[i];

	hole.dist = tfrc_seq_distance(h->base, after->seq);
	hole.before = min(h->base_time, after->time);
	hole.span = after->time - hole.before;
	return hole;
}

/*
 * Two packets have arrived one after the other. A long gap counts for some 50 packets. A pause
 * between the frames of a video is none. But a source with two pauses in a row has no gaps: then
 * each lost packet has a time of its own.
 */
static void note_gap(struct tfrc_rx_history *h, u64 from, u64 to, u64 rtt)
{
	bool paused = to > from && to - from > rtt;

	if (to < from)
		return;
	if (!paused)
		h->gap = max(to - from, h->gap - h->gap / 32);
	else if (h->paused)
		h->gap = 0;
	h->paused = paused;
}

/*
 * The longest time that the packets of a hole can take with these gaps between them. A mark above
 * the hole may have begun an event in it by interpolation. Then its packets stay where they are.
 */
static u64 without_pause(const struct tfrc_rx_history *h, const struct hole *hole)
{
	u64 gap = 2 * h->gap;

	if (!gap || div64_u64(hole->span, gap) < hole->dist ||
	    (h->events && h->event_time > hole->before))
		return hole->span;
	return gap * hole->dist;
}

/* The first packet of a hole, from 1, that is not in the last event; U64_MAX: none */
static u64 first_of_event(const struct tfrc_rx_history *h,
			  const struct hole *hole, u64 rtt)
{
	u64 end = event_end(h, rtt);

	if (!h->events || end < hole->before)
		return 1;
	if (end - hole->before >= hole->span)
		return U64_MAX;
	return tfrc_mul_div(end - hole->before, hole->dist, hole->span) + 1;
}

/* Whether enough data packets come in R for a recovery point */
static bool is_dense(const struct tfrc_rx_history *h, u64 rtt)
{
	u64 n = h->arrivals;

	return n >= TFRC_EVENT_PACKETS &&
	       h->arrival[(n - 1) % TFRC_EVENT_PACKETS] -
	       h->arrival[n % TFRC_EVENT_PACKETS] <= rtt;
}

/* A loss event begins: find out whether its report will be acknowledged. */
static void expect_answers(struct tfrc_rx_history *h, u64 rtt)
{
	/* The report of the last event has not been acknowledged. */
	if (h->dense && h->waiting && h->reported == h->events)
		h->answers = false;
	h->dense = is_dense(h, rtt);
}

static void packets_lost(struct tfrc_rx_history *h,
			 struct tfrc_loss_intervals *li, u64 lost, u64 rtt)
{
	struct hole hole = lowest_hole(h);
	u64 first, step, more, pause, i;

	for (i = 1; i < h->n_above; i++)
		note_gap(h, h->above[i - 1].time, h->above[i].time, rtt);
	pause = hole.span - without_pause(h, &hole);
	hole.span -= pause;
	hole.before += pause;
	first = first_of_event(h, &hole, rtt);
	if (first > lost)
		goto counted;

	/* One loss event begins there, and one at each step after it. */
	expect_answers(h, rtt);
	step = min(tfrc_mul_div(event_span(h, rtt), hole.dist, hole.span),
		   lost) + 1;
	more = div64_u64(lost - first, step);

	/* The loss intervals keep only the last n. */
	i = more - min_t(u64, more, li ? li->n : 0);
	for (; i <= more; i++)
		begin_event(h, li, first - 1 + i * step);

	h->event_time = hole.before - pause +
			tfrc_mul_div(hole.span, first + more * step, hole.dist);
	h->events += more + 1;
counted:
	h->lost += lost;
	h->data += lost;
}

/*
 * A marked packet has arrived above a hole; @seq is its number. Begin a loss event if
 * one of the packets that may be lost below it, or the mark itself, begins one.
 */
static void marked_above_hole(struct tfrc_rx_history *h,
			      struct tfrc_loss_intervals *li, u64 seq, u64 rtt)
{
	const struct tfrc_rx_entry *e = h->above;
	struct hole hole = lowest_hole(h);
	u64 missing = data_missing(h), position = 0, first;

	for (;;) {
		first = first_of_event(h, &hole, rtt);
		if (first <= missing) {
			position += first - 1;
			h->event_time = hole.before +
				tfrc_mul_div(hole.span, first, hole.dist);
			break;
		}
		position += missing;
		if (e->seq == seq) {
			if (!is_new_event(h, e->time, rtt))
				return;
			h->event_time = e->time;
			break;
		}
		position += e->is_data;
		hole.dist = tfrc_seq_distance(e[0].seq, e[1].seq);
		hole.before = min(e[0].time, e[1].time);
		hole.span = e[1].time - hole.before;
		missing = hole.dist - 1 - min(hole.dist - 1, e[1].ndp);
		e++;
	}
	expect_answers(h, rtt);
	begin_event(h, li, position);
	h->events++;
}

/* The packet right after the base has a mark that is a congestion signal. */
static void packet_marked(struct tfrc_rx_history *h,
			  struct tfrc_loss_intervals *li, u64 time, u64 rtt)
{
	if (!is_new_event(h, time, rtt))
		return;
	expect_answers(h, rtt);
	begin_event(h, li, 0);
	h->event_time = time;
	h->events++;
}

/* The packet above the lowest hole, or right above the base, becomes the base. */
static void packet_decided(struct tfrc_rx_history *h,
			   struct tfrc_loss_intervals *li,
			   const struct tfrc_rx_entry *e, u64 rtt)
{
	if (e->is_data) {
		if (e->is_ce && !e->is_l4s)
			packet_marked(h, li, e->time, rtt);
		h->data++;
		if (tfrc_seq_distance(h->base, e->seq) == 1)
			note_gap(h, h->base_time, e->time, rtt);
	}
	h->base = e->seq;
	h->base_time = e->time;
}

/* Keep a packet in its place, the @i-th, above the base. */
static void packet_waits(struct tfrc_rx_history *h, u32 i,
			 const struct tfrc_rx_entry *e)
{
	memmove(h->above + i + 1, h->above + i, (h->n_above - i) * sizeof(*e));
	h->above[i] = *e;
	h->n_above++;
}

/* Decide what is known now: of each hole, and of the packet above it. */
static void decide(struct tfrc_rx_history *h, struct tfrc_loss_intervals *li,
		   u64 rtt)
{
	while (h->n_above) {
		u64 missing = data_missing(h);

		if (missing) {
			if (h->n_above < TFRC_NDUPACK)
				break;
			packets_lost(h, li, missing, rtt);
		}
		packet_decided(h, li, &h->above[0], rtt);
		h->n_above--;
		memmove(h->above, h->above + 1,
			h->n_above * sizeof(h->above[0]));
	}
}

/**
 * tfrc_rx_history_init - start before the first packet
 * @h: history
 *
 * Context: any
 */
void tfrc_rx_history_init(struct tfrc_rx_history *h)
{
	memset(h, 0, sizeof(*h));
}
EXPORT_SYMBOL_GPL(tfrc_rx_history_init);

/* A packet has come that acknowledges the report of the first @reported events. */
static void report_acked(struct tfrc_rx_history *h, u64 now)
{
	h->waiting = false;
	h->answers = true;
	h->acked = h->reported;
	h->acked_time = now;
}

/**
 * tfrc_rx_history_add - a packet has arrived
 * @h: history
 * @li: gets the loss intervals that end, may be NULL
 * @pkt: the packet, with data or without, since every packet has a sequence number
 * @rtt: round-trip time R, ns, at most TFRC_RTT_MAX
 * @now: time of arrival, ns
 *
 * The first packet sets where the history begins.
 *
 * Context: any
 * Return: true if the packet is new; false for a duplicate, and for a packet
 *	that was declared lost before it came
 * Source: RFC 5348, 5.1 to 5.3; RFC 4340, 7.7
 */
bool tfrc_rx_history_add(struct tfrc_rx_history *h,
			 struct tfrc_loss_intervals *li,
			 const struct tfrc_rx_packet *pkt, u64 rtt, u64 now)
{
	bool signal = pkt->is_data && pkt->is_ce && !pkt->is_l4s;
	const struct tfrc_rx_entry e = {
		.seq = pkt->seq,
		.ndp = pkt->ndp,
		.time = now,
		.is_data = pkt->is_data,
		.is_ce = pkt->is_ce,
		.is_l4s = pkt->is_l4s,
	};
	u32 i;

	if (!h->started) {
		h->started = true;
		h->base = pkt->seq - 1;
		h->base_time = now;
		h->newest = h->base;
	}

	if (tfrc_seq_distance(h->base, pkt->seq) <= 0)
		return false;
	for (i = h->n_above; i > 0; i--) {
		s64 above = tfrc_seq_distance(h->above[i - 1].seq, pkt->seq);

		if (!above)
			return false;
		if (above > 0)
			break;
	}

	if (tfrc_seq_distance(h->newest, pkt->seq) > 0) {
		h->newest = pkt->seq;
		h->newest_time = now;
	}
	h->marked += pkt->is_data && pkt->is_ce;
	h->signals += signal;
	if (pkt->is_data)
		h->arrival[h->arrivals++ % TFRC_EVENT_PACKETS] = now;
	if (h->waiting && pkt->has_ack && tfrc_seq_distance(h->report, pkt->ack) >= 0)
		report_acked(h, now);

	/* The usual case: the next packet, and no hole */
	if (!h->n_above && tfrc_seq_distance(h->base, pkt->seq) == 1) {
		packet_decided(h, li, &e, rtt);
		return true;
	}

	packet_waits(h, i, &e);
	decide(h, li, rtt);
	if (signal && tfrc_seq_distance(h->base, pkt->seq) > 0)
		marked_above_hole(h, li, pkt->seq, rtt);
	return true;
}
EXPORT_SYMBOL_GPL(tfrc_rx_history_add);

/**
 * tfrc_rx_history_reported - a report was sent
 * @h: history
 * @report: sequence number of the packet that carries it
 *
 * A receiver calls this for each report if its sender acknowledges reports of losses
 * and marks. Losses and marks before the packet that acknowledges the report belong to
 * the last loss event.
 *
 * Context: any
 * Source: RFC 5348, 5.2, with a recovery point as in TCP (RFC 6582, 3.2)
 */
void tfrc_rx_history_reported(struct tfrc_rx_history *h, u64 report)
{
	if (h->reported == h->events && (h->waiting || h->answers))
		return;
	h->report = report;
	h->reported = h->events;
	h->waiting = true;
}
EXPORT_SYMBOL_GPL(tfrc_rx_history_reported);

/**
 * tfrc_rx_history_forget - loss events have no recovery point from now on
 * @h: history
 *
 * Loss events last for R until tfrc_rx_history_reported() is called again.
 *
 * Context: any
 */
void tfrc_rx_history_forget(struct tfrc_rx_history *h)
{
	h->waiting = false;
	h->answers = false;
}
EXPORT_SYMBOL_GPL(tfrc_rx_history_forget);

/**
 * tfrc_rx_history_open - length of the open loss interval I_0
 * @h: history
 *
 * Context: any
 * Return: data packets from the first one of the last loss event on, or from
 *	the first packet of the connection
 * Source: RFC 5348, 5.3
 */
u64 tfrc_rx_history_open(const struct tfrc_rx_history *h)
{
	/* The event may have begun above @data, see marked_above_hole(). */
	return h->data - min(h->data, h->event_data);
}
EXPORT_SYMBOL_GPL(tfrc_rx_history_open);
