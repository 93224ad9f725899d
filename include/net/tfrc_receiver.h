/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The receiver side of lib_tfrc: loss detection, loss intervals, receive rate,
 * round-trip time, and what all receivers have.
 *
 * Included by <net/tfrc.h>, which has the units. The owner of a struct may read
 * every member; only the functions below write. All of them may be called in any
 * context; the caller serialises calls for the same struct.
 */
#ifndef _NET_TFRC_RECEIVER_H
#define _NET_TFRC_RECEIVER_H

#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/types.h>

struct sk_buff;
struct tfrc_feedback;

/**
 * struct tfrc_rx_packet - what a receiver needs to know of a packet
 * @seq: sequence number, 48 bits
 * @ndp: NDP Count, 0 without the option (RFC 4340, 7.7)
 * @ack: newest packet of this end that it acknowledges, if @has_ack
 * @len: size in bytes as the rates count it
 * @ccval: CCVal of the header
 * @is_data: carries application data
 * @is_ce: carries a CE mark
 * @is_l4s: was sent with ECT(1), so a mark is no congestion signal for the receiver
 * @has_ack: has an acknowledgment number
 * @newest: no packet that was sent later has arrived. Otherwise what the options
 *	say of the sender is out of date.
 */
struct tfrc_rx_packet {
	u64	seq;
	u64	ndp;
	u64	ack;
	u32	len;
	u8	ccval;
	bool	is_data;
	bool	is_ce;
	bool	is_l4s;
	bool	has_ack;
	bool	newest;
};

/* loss_intervals.c: RFC 5348, 5.4 and 5.5 */

#define TFRC_LI_MIN		2
#define TFRC_LI_DEFAULT		8
#define TFRC_LI_MAX		255

/**
 * struct tfrc_loss_intervals - the last loss intervals and their discounts
 * @n: number of intervals to average
 * @k: number of intervals known so far, at most @n
 * @len: I_1 to I_k, in data packets, the newest first
 * @df: discount factors DF_1 to DF_k, scaled by 2^23
 * @own: room for both, for as many as TFRC has. If @n is more, there is other room
 *
 * A copy must not be used, since it would refer to the room of the first one.
 */
struct tfrc_loss_intervals {
	u32	n;
	u32	k;
	u32	*len;
	u32	*df;
	u32	own[2 * TFRC_LI_DEFAULT];
};

void tfrc_loss_intervals_init(struct tfrc_loss_intervals *li, u32 n);
int tfrc_loss_intervals_resize(struct tfrc_loss_intervals *li, u32 n);
void tfrc_loss_intervals_free(struct tfrc_loss_intervals *li);
void tfrc_loss_intervals_add(struct tfrc_loss_intervals *li, u64 len);
void tfrc_loss_intervals_seed(struct tfrc_loss_intervals *li, u64 len);
u64 tfrc_loss_intervals_p(const struct tfrc_loss_intervals *li, u64 open);

/* rx_history.c: RFC 5348, 5.1 to 5.3 */

#define TFRC_NDUPACK		3
/* An event lasts no longer than the sender's nofeedback timer, in R (RFC 5348, 4.3). */
#define TFRC_EVENT_RTTS		4
/* Data packets in R below which an event lasts for R alone. */
#define TFRC_EVENT_PACKETS	4

/**
 * struct tfrc_rx_entry - a packet that arrived above a hole
 * @seq: sequence number
 * @ndp: NDP Count
 * @time: time of arrival
 * @is_data: carries application data
 * @is_ce: carries a CE mark
 * @is_l4s: which is no congestion signal
 */
struct tfrc_rx_entry {
	u64	seq:48;
	u64	is_data:1;
	u64	is_ce:1;
	u64	is_l4s:1;
	u64	ndp;
	u64	time;
};

/**
 * struct tfrc_rx_history - which packets are lost, and where loss events begin
 * @base: sequence number up to which each packet is known to be received or lost
 * @base_time: when @base arrived
 * @gap: longest time lately between two packets that were not more than R apart
 * @newest: greatest sequence number that has arrived
 * @newest_time: when it arrived
 * @above: packets that arrived above the first hole, in order of sequence
 * @n_above: how many
 * @started: a packet has arrived
 * @data: data packets up to @base, received or lost
 * @lost: those of @data that were lost
 * @marked: data packets that arrived with a CE mark, also above a hole
 * @signals: those of @marked that are congestion signals, as all are without L4S
 * @events: loss events
 * @event_time: when the last loss event began
 * @event_data: value of @data just before the packet that it began with
 * @report: sequence number of the report that includes the first @reported events
 * @reported: number of these events
 * @acked: events that the sender knows of, as its acknowledgments show
 * @acked_time: when the first packet came that was sent after that
 * @waiting: @report is not acknowledged yet
 * @answers: the sender acknowledges reports, as far as is known
 * @dense: when the last event began, TFRC_EVENT_PACKETS data packets came in R
 * @paused: the last two packets in a row were more than R apart
 * @arrivals: data packets that have arrived
 * @arrival: arrival times of the last TFRC_EVENT_PACKETS of them, a ring
 */
struct tfrc_rx_history {
	u64			base;
	u64			base_time;
	u64			gap;
	u64			newest;
	u64			newest_time;
	struct tfrc_rx_entry	above[TFRC_NDUPACK];
	u8			n_above;
	bool			started;
	bool			waiting;
	bool			answers;
	bool			dense;
	bool			paused;
	u64			data;
	u64			lost;
	u64			marked;
	u64			signals;
	u64			events;
	u64			event_time;
	u64			event_data;
	u64			report;
	u64			reported;
	u64			acked;
	u64			acked_time;
	u64			arrivals;
	u64			arrival[TFRC_EVENT_PACKETS];
};

void tfrc_rx_history_init(struct tfrc_rx_history *h);
bool tfrc_rx_history_add(struct tfrc_rx_history *h,
			 struct tfrc_loss_intervals *li,
			 const struct tfrc_rx_packet *pkt, u64 rtt, u64 now);
void tfrc_rx_history_reported(struct tfrc_rx_history *h, u64 report);
void tfrc_rx_history_forget(struct tfrc_rx_history *h);
u64 tfrc_rx_history_open(const struct tfrc_rx_history *h);

/* rate_meter.c: RFC 5348, 6.2 */

#define TFRC_RATE_MARKS		4

/**
 * struct tfrc_rate_meter - rate over a report interval, but at least over an RTT
 * @bytes: bytes so far
 * @last: when the last of them came
 * @mark_bytes: @bytes at the last reports, a ring
 * @mark_time: when they were made
 * @marks: reports so far, from three times the size on less a multiple of it, so that up to
 *	the size the first one is there; the last one is in slot (@marks - 1) % size
 */
struct tfrc_rate_meter {
	u64	bytes;
	u64	last;
	u64	mark_bytes[TFRC_RATE_MARKS];
	u64	mark_time[TFRC_RATE_MARKS];
	u32	marks;
};

void tfrc_rate_meter_init(struct tfrc_rate_meter *m, u64 now);
void tfrc_rate_meter_add(struct tfrc_rate_meter *m, u32 len, u64 rtt, u64 now);
u64 tfrc_rate_meter_rate(const struct tfrc_rate_meter *m, u64 rtt, u64 now);
void tfrc_rate_meter_mark(struct tfrc_rate_meter *m, u64 apart, u64 now);

/* window_rtt.c: RFC 4342, 8.1 */

/**
 * struct tfrc_window_rtt - round-trip time seen through the window counter
 * @rtt: estimate, 0 while there is none
 * @seq: newest packet
 * @time: arrival of the newest data packet
 * @first: arrival of the first data packet with this counter
 * @missing: data packets missing since the newest data packet
 * @min: sum of what the measured quarters took at least
 * @max: sum of what they took at most
 * @pause: the longest of the last pauses
 * @quarters: number of quarters in @min and @max
 * @pauses: number of pauses in @pause
 * @ccval: counter of the newest data packet
 * @started: a data packet has arrived
 * @whole: no packet with this counter is missing before @first, and the counter did
 *	not wrap
 */
struct tfrc_window_rtt {
	u64	rtt;
	u64	seq;
	u64	time;
	u64	first;
	u64	missing;
	u64	min;
	u64	max;
	u64	pause;
	u8	quarters;
	u8	pauses;
	u8	ccval;
	bool	started;
	bool	whole;
};

void tfrc_window_rtt_init(struct tfrc_window_rtt *w, u64 rtt);
void tfrc_window_rtt_add(struct tfrc_window_rtt *w,
			 const struct tfrc_rx_packet *pkt, u64 now);
u64 tfrc_window_rtt_get(const struct tfrc_window_rtt *w);

/* receiver.c: what all receivers have */

/* Of the mean packet size s. */
#define TFRC_RX_SIZE_SHIFT	8

struct tfrc_receiver;

/**
 * struct tfrc_receiver_ops - what a receiver reports, and when
 * @packet: a packet has arrived. Return: whether a report is due now.
 * @report: fill in a report. Elapsed time and totals are there. This sets the rest
 *	of what @put writes, and in any case @x_recv.
 * @put: write the report as options of a packet; glue. Return: 0, or -1 if there
 *	is no room for them.
 *
 * Every operation is mandatory. They are called with the receiver locked. @packet and
 * @report also set the deadline of struct tfrc_receiver.
 */
struct tfrc_receiver_ops {
	bool	(*packet)(struct tfrc_receiver *r,
			  const struct tfrc_rx_packet *pkt, u64 now);
	void	(*report)(struct tfrc_receiver *r, struct tfrc_feedback *fb,
			  u64 now);
	int	(*put)(struct sk_buff *skb, const struct tfrc_feedback *fb);
};

/**
 * struct tfrc_receiver - what all receivers have; each embeds it first
 * @ops: what it reports, and when
 * @intervals: those of the implementation, whose memory is given back with the
 *	receiver; NULL: it has none
 * @history: losses, marks and loss events
 * @meter: receive rate
 * @rtt: round-trip time R, 0 while there is none
 * @p: loss event rate last reported, 0 if reports have none
 * @x_recv: receive rate last reported
 * @x_max: greatest receive rate ever reported
 * @t_report: when the last report was made
 * @deadline: time at which a report is due if no packet comes before, ns; 0: there
 *	is none
 * @reported: value of @packets at the last report
 * @packets: data packets received, without duplicates and late ones
 * @bytes: payload of these packets
 * @feedbacks: reports made
 * @s: mean size of a data packet, scaled by 2^TFRC_RX_SIZE_SHIFT
 * @options: options that the packet being received has, bits that the scheme defines
 * @recovery: a loss event lasts until the sender knows of it
 * @l4s: the sender offers the proportional response to marks (l4s.c)
 */
struct tfrc_receiver {
	const struct tfrc_receiver_ops	*ops;
	struct tfrc_loss_intervals	*intervals;
	struct tfrc_rx_history		history;
	struct tfrc_rate_meter		meter;
	u64				rtt;
	u64				p;
	u64				x_recv;
	u64				x_max;
	u64				t_report;
	u64				deadline;
	u64				reported;
	u64				packets;
	u64				bytes;
	u64				feedbacks;
	u32				s;
	u8				options;
	bool				recovery;
	bool				l4s;
};

/* Called by glue */
void tfrc_receiver_report(struct tfrc_receiver *r, u64 now,
			  struct tfrc_feedback *fb);
void tfrc_receiver_stamp(const struct tfrc_receiver *r, u64 now,
			 struct tfrc_feedback *fb);
void tfrc_receiver_sent(struct tfrc_receiver *r, u64 seq);
void tfrc_receiver_set_recovery(struct tfrc_receiver *r, bool on);

/* Called by implementations of struct tfrc_receiver_ops */
void tfrc_receiver_init(struct tfrc_receiver *r,
			const struct tfrc_receiver_ops *ops, u64 rtt);
void tfrc_receiver_set_rtt(struct tfrc_receiver *r, u64 rtt);
u64 tfrc_receiver_x_target(const struct tfrc_receiver *r, u64 now);
void tfrc_receiver_first_interval(const struct tfrc_receiver *r,
				  struct tfrc_loss_intervals *li, u64 p);
void tfrc_receiver_first_tfrc(const struct tfrc_receiver *r,
			      struct tfrc_loss_intervals *li, u64 now);
u64 tfrc_receiver_p(const struct tfrc_receiver *r,
		    const struct tfrc_loss_intervals *li);
u64 tfrc_receiver_x_recv(struct tfrc_receiver *r, u64 now);

/**
 * tfrc_receiver_data - a new data packet was received
 * @r: receiver
 * @len: its size, bytes
 *
 * For a receiver that does not call tfrc_receiver_measure().
 */
static inline void tfrc_receiver_data(struct tfrc_receiver *r, u32 len)
{
	r->packets++;
	r->bytes += len;
}

/**
 * tfrc_receiver_rtt - round-trip time R, or a default while there is none, ns
 * @r: receiver
 *
 * Return: ns, not 0
 */
static inline u64 tfrc_receiver_rtt(const struct tfrc_receiver *r)
{
	return r->rtt ? r->rtt : TFRC_RTT_FALLBACK;
}

/**
 * tfrc_receiver_count - count losses and marks by a packet
 * @r: receiver
 * @li: gets the loss intervals that end, may be NULL
 * @pkt: the packet, with data or without, since every packet has a sequence number
 * @now: time of arrival, ns
 *
 * Context: any. Called by the operation packet.
 * Return: true if the packet is new
 */
static inline bool tfrc_receiver_count(struct tfrc_receiver *r,
				       struct tfrc_loss_intervals *li,
				       const struct tfrc_rx_packet *pkt,
				       u64 now)
{
	return tfrc_rx_history_add(&r->history, li, pkt, tfrc_receiver_rtt(r),
				   now);
}

/**
 * tfrc_receiver_measure - count a new data packet for X_recv and s
 * @r: receiver
 * @len: its size, bytes
 * @now: time of arrival, ns
 *
 * Context: any. Called by the operation packet, after tfrc_receiver_count().
 */
static inline void tfrc_receiver_measure(struct tfrc_receiver *r, u32 len,
					 u64 now)
{
	/* The length of an IP packet has 16 bits; a new packet has a weight of 1/8. */
	u32 s = min_t(u32, len, U16_MAX) << TFRC_RX_SIZE_SHIFT;

	r->s = r->packets ? r->s - r->s / 8 + s / 8 : s;
	if (!r->packets)
		tfrc_rate_meter_init(&r->meter, now);
	else
		tfrc_rate_meter_add(&r->meter, len, tfrc_receiver_rtt(r), now);
	tfrc_receiver_data(r, len);
}

/**
 * tfrc_receiver_size - mean packet size s, at least 1 byte
 * @r: receiver
 *
 * Return: bytes of payload
 */
static inline u32 tfrc_receiver_size(const struct tfrc_receiver *r)
{
	u32 s = r->s >> TFRC_RX_SIZE_SHIFT;

	return s ? s : 1;
}

#endif /* _NET_TFRC_RECEIVER_H */
