// SPDX-License-Identifier: GPL-2.0-only
/*
 * Packet history of a receiver: which packets are lost, and in which of them
 * does a loss event begin?
 *
 *	sequence space
 *	... . . . . X . . B _ _ _ A A _ A
 *	    decided       |       |     |
 *	                  base    above (at most 2 while the hole is open)
 *
 * Up to base each packet is known as received or lost. A packet that comes
 * right after base moves it on. A packet that comes further up leaves a hole
 * below it, and is kept until the hole is filled or, when a third packet above
 * it has arrived (NDUPACK, RFC 5348, 5.1), declared lost. So no more than two
 * packets ever wait, a packet decides no more than one hole, and the work for
 * each is the same, however wide the hole. What arrives at or below base is a
 * duplicate or too late, and changes nothing.
 *
 * Only data packets count. The sender's acknowledgments take sequence numbers
 * too, and of the packets in a hole as many were no data as the packet after
 * it says (NDP Count, RFC 4340, 7.7): these are the last ones of the hole, and
 * a hole of nothing else is none. Thus positions are numbers of data packets,
 * and a loss interval is the difference of two positions.
 *
 * The loss event (5.2): what is lost or marked within one RTT of its first
 * packet belongs to it. A marked packet has its time of arrival; that of a
 * lost one is interpolated between its neighbours:
 *
 *	T_i = T_before + (T_after - T_before) * i / D,	i = 1, 2, ...
 *
 * for the i-th of a hole, where packet D is the one after it. So a hole that
 * lasts for several RTTs holds several loss events, and their first packets
 * are found by division.
 *
 * The recovery point: R is the sender's smoothed round-trip time, and a queue
 * that has just filled makes the real one longer. What is lost until the sender
 * can react to a loss event belongs to that event, as in TCP one reduction
 * covers all that was sent before it. So a sender acknowledges the report that
 * tells of an event (hc_tx.c), and the first packet that does so is the first
 * one sent afterwards:
 *
 *	sender		-x-x-x---x-x--x--x-(S)----->	S: sent after the report
 *			 \          ^        \		   came, acknowledges it
 *	receiver	  first     report    event ends, but not before R is over
 *
 * This is for many packets in flight. Of fewer than four in R, TCP has no three
 * duplicate acknowledgments, and no recovery either, but a timeout: there an event
 * lasts for R, or one of few packets would hold most of what is lost.
 *
 * Of a sender that has never acknowledged a report this is not expected: then, too,
 * an event lasts for R. Of another one it is, but for no longer than until its
 * nofeedback timer would make it react in any case; and if it has not acknowledged
 * the report of one event when the next one begins, it is not expected any more, until
 * it acknowledges one again.
 *
 * A marked packet has effect at once, and what may be lost below it comes first
 * (5.1): if a loss event begins in a hole below it, then it does so now, even if
 * it takes until NDUPACK to know that the packets of the hole are lost.
 *
 * Sequence numbers have 48 bits and wrap. A sender may leave holes of any
 * width and state any NDP Count: it can spoil its own numbers, not our time.
 */
#include <linux/export.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/types.h>
#include <net/tfrc.h>

/* how far is b above a? */
static s64 seq_delta(u64 a, u64 b)
{
	return (s64)((b - a) << 16) >> 16;
}

/* data packets that are missing below the first packet above the hole */
static u64 data_missing(const struct tfrc_rx_history *h)
{
	u64 hole = seq_delta(h->base, h->above[0].seq) - 1;

	return hole - min(hole, h->above[0].ndp);
}

/* a loss event begins at this position, counted from @h->data */
static void begin_event(struct tfrc_rx_history *h,
			struct tfrc_loss_intervals *li, u64 position)
{
	u64 start = h->data + position;

	/* What was taken for lost below a marked packet may have come since. */
	if (li)
		tfrc_loss_intervals_add(li, start - min(start, h->event_data));
	h->event_data = start;
}

/* how long a loss event may last, if the sender does not hear of it before */
static u64 event_span(const struct tfrc_rx_history *h, u64 rtt)
{
	return h->answers && h->dense ? TFRC_EVENT_RTTS * rtt : rtt;
}

/* until when, this included, does what is lost belong to the last loss event? */
static u64 event_end(const struct tfrc_rx_history *h, u64 rtt)
{
	u64 least = h->event_time + rtt;
	u64 most = h->event_time + event_span(h, rtt);

	/* the packet at heard_time itself was sent afterwards */
	if (h->heard == h->events)
		most = min(most, max(h->heard_time, 1ULL) - 1);
	return max(least, most);
}

/* is a packet of this time the first of a new loss event? */
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

	/* S_after is what arrived first of all above the hole */
	for (i = 1; i < h->n_above; i++)
		if (h->above[i].time < after->time)
			after = &h->above[i];

	hole.dist = seq_delta(h->base, after->seq);
	hole.before = min(h->base_time, after->time);
	hole.span = after->time - hole.before;
	return hole;
}

/* the first one of a hole, from 1, that is not of the last event; U64_MAX: none */
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

/* do as many data packets come in R as a recovery takes? */
static bool is_dense(const struct tfrc_rx_history *h, u64 rtt)
{
	u64 n = h->arrivals;

	return n >= TFRC_EVENT_PACKETS &&
	       h->arrival[(n - 1) % TFRC_EVENT_PACKETS] -
	       h->arrival[n % TFRC_EVENT_PACKETS] <= rtt;
}

/* A loss event begins: how long may it last? */
static void expect_answers(struct tfrc_rx_history *h, u64 rtt)
{
	/* the event before waited for the acknowledgment of its report */
	if (h->dense && h->waiting && h->told == h->events)
		h->answers = false;
	h->dense = is_dense(h, rtt);
}

static void packets_lost(struct tfrc_rx_history *h,
			 struct tfrc_loss_intervals *li, u64 lost, u64 rtt)
{
	struct hole hole = lowest_hole(h);
	u64 first = first_of_event(h, &hole, rtt);
	u64 step, more, i;

	if (first > lost)
		goto counted;

	/* one loss event there, and one each step from there */
	expect_answers(h, rtt);
	step = min(tfrc_mul_div(event_span(h, rtt), hole.dist, hole.span),
		   lost) + 1;
	more = div64_u64(lost - first, step);

	/* of very many only the last n would stay in the loss intervals */
	i = more - min_t(u64, more, li ? li->n : 0);
	for (; i <= more; i++)
		begin_event(h, li, first - 1 + i * step);

	h->event_time = hole.before + tfrc_mul_div(hole.span,
						   first + more * step,
						   hole.dist);
	h->events += more + 1;
counted:
	h->lost += lost;
	h->data += lost;
}

/*
 * A marked packet has arrived above a hole; @seq is its number. Of what may be lost
 * below it, and the mark itself, does one begin a loss event?
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
		hole.dist = seq_delta(e[0].seq, e[1].seq);
		hole.before = min(e[0].time, e[1].time);
		hole.span = e[1].time - hole.before;
		missing = hole.dist - 1 - min(hole.dist - 1, e[1].ndp);
		e++;
	}
	expect_answers(h, rtt);
	begin_event(h, li, position);
	h->events++;
}

/* the first packet above the hole becomes the base */
static void packet_decided(struct tfrc_rx_history *h,
			   struct tfrc_loss_intervals *li, u64 rtt)
{
	const struct tfrc_rx_entry *e = &h->above[0];

	if (e->is_data) {
		if (e->is_ce) {
			h->marked++;
			if (is_new_event(h, e->time, rtt)) {
				expect_answers(h, rtt);
				begin_event(h, li, 0);
				h->event_time = e->time;
				h->events++;
			}
		}
		h->data++;
	}
	h->base = e->seq;
	h->base_time = e->time;

	h->n_above--;
	memmove(h->above, h->above + 1, h->n_above * sizeof(*e));
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

/* a packet that was sent after the sender had heard of the events told */
static void sender_has_heard(struct tfrc_rx_history *h, u64 now)
{
	h->waiting = false;
	h->answers = true;
	h->heard = h->told;
	h->heard_time = now;
}

/**
 * tfrc_rx_history_add - a packet has arrived
 * @h: history
 * @li: gets the loss intervals that end, may be NULL
 * @pkt: the packet, data or not: all that take a sequence number
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
	struct tfrc_rx_entry *e;
	u32 i;

	if (!h->started) {
		h->started = true;
		h->base = pkt->seq - 1;
		h->base_time = now;
		h->newest = h->base;
	}

	if (seq_delta(h->base, pkt->seq) <= 0)
		return false;
	for (i = h->n_above; i > 0; i--) {
		s64 above = seq_delta(h->above[i - 1].seq, pkt->seq);

		if (!above)
			return false;
		if (above > 0)
			break;
	}

	e = &h->above[i];
	memmove(e + 1, e, (h->n_above - i) * sizeof(*e));
	h->n_above++;
	*e = (struct tfrc_rx_entry) {
		.seq = pkt->seq,
		.ndp = pkt->ndp,
		.time = now,
		.is_data = pkt->is_data,
		.is_ce = pkt->is_ce,
	};

	if (seq_delta(h->newest, pkt->seq) > 0) {
		h->newest = pkt->seq;
		h->newest_time = now;
	}
	if (pkt->is_data)
		h->arrival[h->arrivals++ % TFRC_EVENT_PACKETS] = now;
	if (h->waiting && pkt->has_ack && seq_delta(h->report, pkt->ack) >= 0)
		sender_has_heard(h, now);

	while (h->n_above) {
		u64 missing = data_missing(h);

		if (missing) {
			if (h->n_above < TFRC_NDUPACK)
				break;
			packets_lost(h, li, missing, rtt);
		}
		packet_decided(h, li, rtt);
	}
	if (pkt->is_data && pkt->is_ce && seq_delta(h->base, pkt->seq) > 0)
		marked_above_hole(h, li, pkt->seq, rtt);
	return true;
}
EXPORT_SYMBOL_GPL(tfrc_rx_history_add);

/**
 * tfrc_rx_history_told - a report was sent
 * @h: history
 * @report: sequence number of our packet that carries it
 *
 * To be called for each report, by a receiver whose sender acknowledges reports
 * that tell of losses or marks. What is lost or marked before a packet comes that
 * acknowledges it belongs to the last loss event.
 *
 * Context: any
 * Source: RFC 5348, 5.2, with a recovery point as TCP has it (RFC 6582, 3.2)
 */
void tfrc_rx_history_told(struct tfrc_rx_history *h, u64 report)
{
	if (h->told == h->events && (h->waiting || h->answers))
		return;
	h->report = report;
	h->told = h->events;
	h->waiting = true;
}
EXPORT_SYMBOL_GPL(tfrc_rx_history_told);

/**
 * tfrc_rx_history_forget - no more reports are told of
 * @h: history
 *
 * As long as tfrc_rx_history_told() is not called again, loss events last for R.
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
	/* an event may have begun above a hole, see marked_above_hole() */
	return h->data - min(h->data, h->event_data);
}
EXPORT_SYMBOL_GPL(tfrc_rx_history_open);
