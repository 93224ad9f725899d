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
 * are found by division. A CE mark takes effect in its turn of the sequence:
 * at once, unless there is a hole below it.
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

	if (li)
		tfrc_loss_intervals_add(li, start - h->event_data);
	h->event_data = start;
}

static void packets_lost(struct tfrc_rx_history *h,
			 struct tfrc_loss_intervals *li, u64 lost, u64 rtt)
{
	const struct tfrc_rx_entry *after = &h->above[0];
	u64 before, span, dist, step, more, i;
	u64 first = 1;

	/* S_after is what arrived first of all above the hole */
	for (i = 1; i < h->n_above; i++)
		if (h->above[i].time < after->time)
			after = &h->above[i];

	dist = seq_delta(h->base, after->seq);
	before = min(h->base_time, after->time);
	span = after->time - before;

	/* the first one that is not within an RTT of the last event's start */
	if (h->events && h->event_time + rtt >= before) {
		u64 within = h->event_time + rtt - before;

		if (within >= span)
			goto counted;
		first = tfrc_mul_div(within, dist, span) + 1;
		if (first > lost)
			goto counted;
	}

	/* one loss event there, and one each step from there */
	step = min(tfrc_mul_div(rtt, dist, span), lost) + 1;
	more = div64_u64(lost - first, step);

	/* of very many only the last n would stay in the loss intervals */
	i = more - min_t(u64, more, li ? li->n : 0);
	for (; i <= more; i++)
		begin_event(h, li, first - 1 + i * step);

	h->event_time = before + tfrc_mul_div(span, first + more * step, dist);
	h->events += more + 1;
counted:
	h->lost += lost;
	h->data += lost;
}

/* the first packet above the hole becomes the base */
static void packet_decided(struct tfrc_rx_history *h,
			   struct tfrc_loss_intervals *li, u64 rtt)
{
	const struct tfrc_rx_entry *e = &h->above[0];

	if (e->is_data) {
		if (e->is_ce) {
			h->marked++;
			if (!h->events || e->time > h->event_time + rtt) {
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

	while (h->n_above) {
		u64 missing = data_missing(h);

		if (missing) {
			if (h->n_above < TFRC_NDUPACK)
				break;
			packets_lost(h, li, missing, rtt);
		}
		packet_decided(h, li, rtt);
	}
	return true;
}
EXPORT_SYMBOL_GPL(tfrc_rx_history_add);

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
	return h->data - h->event_data;
}
EXPORT_SYMBOL_GPL(tfrc_rx_history_open);
