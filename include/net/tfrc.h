/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lib_tfrc: what the rate-based congestion controls for DCCP have in common.
 *
 * This header is for algorithms and for glue. It contains no socket, no packet
 * buffer, no timer and no clock. The half-connections that connect the algorithms
 * with DCCP are in <net/tfrc_ccid.h>.
 *
 * Each kind of quantity has one unit in all files:
 *	time			ns, from a monotonic clock, always an argument
 *	rate			bytes/s, scaled by 2^TFRC_RATE_SHIFT
 *	loss event rate p	scaled by 2^TFRC_P_SHIFT, 0 before the first loss event
 *	size			bytes
 *	factors and shares	in 10^-3, where a user sets them (two of CTFAF: 10^-6)
 */
#ifndef _NET_TFRC_H
#define _NET_TFRC_H

#include <linux/bits.h>
#include <linux/types.h>

#define TFRC_NSEC_PER_USEC	1000ULL
#define TFRC_NSEC_PER_MSEC	1000000ULL
#define TFRC_NSEC_PER_SEC	1000000000ULL

#define TFRC_RATE_SHIFT		16
#define TFRC_RATE(bytes_per_s)	((u64)(bytes_per_s) << TFRC_RATE_SHIFT)
/* 200 Gbit/s, twice the greatest rate that the equation is meant for. */
#define TFRC_RATE_MAX		TFRC_RATE(200000000000ULL / 8)

#define TFRC_P_SHIFT		48
#define TFRC_P_ONE		BIT_ULL(TFRC_P_SHIFT)

/*
 * Round-trip times outside of this range are clamped. Below 100 us a sample is not exact,
 * because Elapsed Time has units of 10 us (RFC 4340, 13.2). And a processor sends only some
 * packets in such a time, so a report in each R would be one for each packet.
 */
#define TFRC_RTT_MIN		(100 * TFRC_NSEC_PER_USEC)
#define TFRC_RTT_MAX		(10 * TFRC_NSEC_PER_SEC)
/* On a longer path the initial rate is not that of RFC 3390, see tfrc_initial_rate(). */
#define TFRC_RTT_LONG		(125 * TFRC_NSEC_PER_MSEC)
/* RTT to assume where there is none (RFC 4340, 3.4). */
#define TFRC_RTT_FALLBACK	(200 * TFRC_NSEC_PER_MSEC)
/* Longest back-off: at least one packet in t_mbi (RFC 5348, 4.3). */
#define TFRC_T_MBI		64

/* fixp.c */
u64 tfrc_mul_div(u64 a, u64 b, u64 c);
s64 tfrc_ln(u64 x);
u64 tfrc_exp(s64 y);
u64 tfrc_sqrt(u64 x);

/* equation.c */
u64 tfrc_calc_x(u32 s, u64 rtt, u64 p);
u64 tfrc_calc_p(u32 s, u64 rtt, u64 x);

/**
 * struct tfrc_feedback - what a receiver reports to a sender
 * @p: loss event rate; not in reports of a receiver that decides the rate
 * @x_recv: receive rate since the last report
 * @elapsed_us: time from the acknowledged packet's arrival to this report, us
 * @arrival_us: when that packet arrived, by the receiver's clock, us modulo 2^32
 * @lost: data packets lost so far, of which the wire carries the low 16 bits
 * @marked: data packets received with a CE mark so far, likewise
 * @loss: share of the data packets since the last report that were lost, scaled
 *	by 2^32; only in reports on an interval
 * @x_pair: rate of the bottleneck, 0 if unknown; only in reports on an interval
 * @rate: rate that the receiver requests; this and the next two members are only
 *	in reports of a receiver that decides the rate
 * @timeout: time after which the receiver would repeat the report, ns
 * @number: a number whose meaning the scheme defines
 * @has_arrival: the report says @arrival_us
 * @l4s: the receiver knows that marks of packets with ECT(1) are no losses (l4s.c)
 */
struct tfrc_feedback {
	u64	p;
	u64	x_recv;
	u32	elapsed_us;
	u32	arrival_us;
	u32	lost;
	u32	marked;
	u64	x_pair;
	u64	rate;
	u64	timeout;
	u32	loss;
	u8	number;
	bool	has_arrival;
	bool	l4s;
};

/* srtt.c: RFC 6298 */

/**
 * struct tfrc_srtt - round-trip time, for a retransmission timeout
 * @srtt: smoothed round-trip time, ns; 0 before the first sample
 * @rttvar: its mean deviation, ns
 */
struct tfrc_srtt {
	u64	srtt;
	u64	rttvar;
};

void tfrc_srtt_sample(struct tfrc_srtt *t, u64 sample);

/**
 * tfrc_seq_distance - signed distance in the space of sequence numbers, of 48 bits
 * @a: a sequence number
 * @b: another one
 *
 * Context: any
 * Return: @b less @a; less than 0 if @b is before @a
 */
static inline s64 tfrc_seq_distance(u64 a, u64 b)
{
	return (s64)((b - a) << 16) >> 16;
}

/* tx_history.c: send times of packets */

#define TFRC_TX_RUNS		32

/**
 * struct tfrc_tx_run - packets sent in a short time
 * @time: when the first packet was sent, ns modulo 2^40
 * @span: sequence numbers from the first to the last
 * @held: those from the first to the first that the pacer held back; 3: three or more
 * @limited: the pacer held back at least one of them
 * @seq: sequence number of the first packet modulo 2^32
 * @slope: time for each sequence number, ns, on a line that begins at the first
 *	packet and is never later than a real send time
 */
struct tfrc_tx_run {
	u64	time:40;
	u64	span:21;
	u64	held:2;
	u64	limited:1;
	u32	seq;
	u32	slope;
};

/**
 * struct tfrc_tx_history - send times of the last few round trips
 * @run: ring of runs
 * @head: number of runs started since the ring was empty; the newest is in
 *	run[(head - 1) % size]
 * @newest: sequence number of the newest packet
 * @last: when it was sent
 * @acked: greatest sequence number found so far
 * @forgot_limited: the pacer held back a packet that is, or may be, newer than
 *	@acked, and whose run is gone
 */
struct tfrc_tx_history {
	struct tfrc_tx_run	run[TFRC_TX_RUNS];
	u64			head;
	u64			newest;
	u64			last;
	u64			acked;
	bool			forgot_limited;
};

/**
 * struct tfrc_tx_ack - what is known of a packet that was acknowledged
 * @sent: when it was sent, or a time before that; 0: it carried no data
 * @older: it is older than the history, and was sent before @sent
 * @limited: the pacer held back a packet between the one acknowledged before and
 *	this one, so the interval was not data-limited
 */
struct tfrc_tx_ack {
	u64	sent;
	bool	older;
	bool	limited;
};

void tfrc_tx_history_add(struct tfrc_tx_history *h, u64 seq, u64 rtt,
			 bool limited, u64 now);
bool tfrc_tx_history_unacked(const struct tfrc_tx_history *h);
bool tfrc_tx_history_ack(struct tfrc_tx_history *h, u64 seq,
			 struct tfrc_tx_ack *ack);
u64 tfrc_tx_ack_sample(const struct tfrc_tx_ack *ack, u64 elapsed, u64 rtt,
		       u64 now);

/* window_counter.c: CCVal of data packets */

#define TFRC_WC_CHANGES		4

/**
 * struct tfrc_wc_change - a value of the window counter
 * @seq: the first packet with it
 * @value: the value, of which CCVal is the low four bits
 */
struct tfrc_wc_change {
	u64	seq:48;
	u64	value:16;
};

/**
 * struct tfrc_window_counter - quarters of a round trip
 * @change: ring of the latest values
 * @time: when the first packet with the latest was sent
 * @changes: number of values so far, 0 before the first packet
 * @value: the latest
 * @next: the value of the packet that is about to be sent
 * @least: lower bound of @next, by what was acknowledged (RFC 4342, 8.1)
 */
struct tfrc_window_counter {
	struct tfrc_wc_change	change[TFRC_WC_CHANGES];
	u64			time;
	u32			changes;
	u16			value;
	u16			next;
	u16			least;
};

u8 tfrc_window_counter_next(struct tfrc_window_counter *w, u64 rtt, u64 now);
void tfrc_window_counter_sent(struct tfrc_window_counter *w, u64 seq, u64 now);
void tfrc_window_counter_acked(struct tfrc_window_counter *w, u64 seq, u64 rtt);

/* pacing.c: nominal send times */

/* A sender makes up for at most this much time that late timers have lost. */
#define TFRC_PACING_CREDIT	(10 * TFRC_NSEC_PER_MSEC)
/* A sender with nothing to send saves at most this much time for later, and at most R. */
#define TFRC_PACING_SAVED	(100 * TFRC_NSEC_PER_MSEC)
/* A packet waits at most this long to be sent with others, and a 16th of R. */
#define TFRC_PACING_LATE	(750 * TFRC_NSEC_PER_USEC)
#define TFRC_PACING_LATE_RTT	16
/* Most packets that are sent together */
#define TFRC_PACING_BATCH	4U
#define TFRC_FRAME_RATE_MAX	1000

/**
 * struct tfrc_pacing - nominal send times
 * @t_last: that of the last packet, 0 before the first one
 * @due: that of the packet that waits, as computed when it last asked to be sent
 * @waits: the next packet is in the queue: it was there when the previous one was
 *	sent, or it has asked to be sent since
 * @saves: time in which there is nothing to send is saved for later
 * @rests: the time until the next packet is not saved
 * @saved: how much is saved, ns
 * @sent: packets sent since the queue was last empty, but the last one
 * @most: packets that have come since then
 * @late: how much later than its time the packet that waits leaves on purpose, ns
 * @frame: time over which so many packets are spread, ns; 0: they are not
 * @slot: @frame / @most, the least time from packet to packet
 */
struct tfrc_pacing {
	u64	t_last;
	u64	due;
	bool	waits;
	bool	saves;
	bool	rests;
	u32	saved;
	u32	sent;
	u32	most;
	u32	late;
	u64	frame;
	u64	slot;
};

/**
 * tfrc_frame_rate_valid - whether a number of frames in a second is in range
 * @rate: frames/s; 0: it is not known
 *
 * Return: true if it may be set
 */
static inline bool tfrc_frame_rate_valid(u32 rate)
{
	return rate <= TFRC_FRAME_RATE_MAX;
}

void tfrc_pacing_set_saves(struct tfrc_pacing *p, bool saves);
void tfrc_pacing_rest(struct tfrc_pacing *p);
void tfrc_pacing_set_frames(struct tfrc_pacing *p, u32 rate);
bool tfrc_pacing_ready(struct tfrc_pacing *p, u64 interval, u64 now);
bool tfrc_pacing_release(struct tfrc_pacing *p, u64 interval, u64 rtt,
			 bool more, u64 now);
u64 tfrc_pacing_late(struct tfrc_pacing *p, u64 interval, u64 most, u32 queued);
u64 tfrc_pacing_nominal(const struct tfrc_pacing *p, u64 last, u64 now);
u64 tfrc_pacing_changed(struct tfrc_pacing *p, u64 interval, u64 now);
void tfrc_pacing_queued(struct tfrc_pacing *p, u32 n, u64 interval, u64 now);

/**
 * tfrc_round_over - whether a round trip has passed
 * @since: its start
 * @round: its length
 * @now: time
 *
 * Reports come once in R as the receiver knows it, which is a little less while R falls.
 *
 * Return: true if it has, or is an eighth short of it
 */
static inline bool tfrc_round_over(u64 since, u64 round, u64 now)
{
	return now - since >= round - round / 8;
}

/* delay.c: a limit of the rate by the queueing delay */

/* Targets, ms: of the preset "interactive", and by default */
#define TFRC_DELAY_INTERACTIVE	20
#define TFRC_DELAY_DEFAULT	100
/* Range of the target, ms */
#define TFRC_DELAY_MIN		5
#define TFRC_DELAY_MAX		1000

/**
 * struct tfrc_delay_meter - delays of one kind, of packets that were acknowledged
 * @least: the least of this period and of the one before, ns, 0: none
 * @since: start of this period
 * @sum: of the delays since the last step
 * @samples: how many are in @sum
 */
struct tfrc_delay_meter {
	u64	least[2];
	u64	since;
	u64	sum;
	u32	samples;
};

/**
 * struct tfrc_delay - what is known of the queue, and the limit that follows
 * @target: delay of the queue to aim at, ns; 0: there is no limit
 * @clock: the receiver's clock less the sender's and the delay of the first packet,
 *	us; the one-way delays are relative to it
 * @events: loss events while the queue is above the target
 * @drain: steps that drain it, this one and those to come
 * @doubled: how many times in a row it was not low after that, up to a limit
 * @slower: @t_above has counted anew, as the link had become slower
 * @x: X_delay; 0: it limits nothing
 * @rtt: round-trip times
 * @one_way: one-way delays
 * @q: delay of the queue at the last step
 * @t_step: last step
 * @t_above: since when the queue is above the target, or counts as above it; 0: it is not
 * @q_longest: greatest @q since then
 * @t_longest: when it was
 * @t_low: since when it is known not to have been low; in a pause @t_on; 0: from the
 *	next step on
 * @t_on: end of the pause, in which X_delay limits nothing
 * @pause: length of the last pause, 0: none so far
 */
struct tfrc_delay {
	u32	target;
	u32	clock;
	u8	events;
	u8	drain;
	u8	doubled;
	bool	slower;
	u64	x;
	struct tfrc_delay_meter rtt;
	struct tfrc_delay_meter one_way;
	u64	q;
	u64	t_step;
	u64	t_above;
	u64	q_longest;
	u64	t_longest;
	u64	t_low;
	u64	t_on;
	u64	pause;
};

/**
 * tfrc_delay_valid - whether a target is in range
 * @target: ms; 0: none
 *
 * Return: true if it may be set
 */
static inline bool tfrc_delay_valid(u32 target)
{
	return !target || (target >= TFRC_DELAY_MIN && target <= TFRC_DELAY_MAX);
}

/* nominal.c: streams of small packets, RFC 4828 */

#define TFRC_NOMINAL_INTERVALS	8
#define TFRC_NOMINAL_MAX	1460

/**
 * struct tfrc_nominal - the nominal packet size, and loss intervals of small packets
 * @asked: the parameter, bytes; 0: there is no nominal size
 * @size: the same, or less if the path carries less
 * @k: number of loss intervals known so far
 * @len: they, the newest first, data packets scaled by 2^16
 * @data: data packets before the last loss event
 * @signals: packets lost or marked before it, modulo 2^32
 * @t_event: when it began
 * @x_max: of a sender, greatest receive rate so far
 * @p: p_SP at the last report or decision, 0 before the first loss event
 */
struct tfrc_nominal {
	u16	asked;
	u16	size;
	u32	k;
	u64	len[TFRC_NOMINAL_INTERVALS];
	u64	data;
	u32	signals;
	u64	t_event;
	u64	x_max;
	u64	p;
};

/**
 * struct tfrc_nominal_at - what is known when a loss event begins
 * @s: mean packet size, bytes
 * @signals: packets lost or marked before it, modulo 2^32
 * @data: data packets up to here, as the receiver counts them or the sender knows
 * @x: rate that the first loss interval allows
 * @rtt: round-trip time R, ns
 * @now: time
 */
struct tfrc_nominal_at {
	u32	s;
	u32	signals;
	u64	data;
	u64	x;
	u64	rtt;
	u64	now;
};

void tfrc_nominal_set(struct tfrc_nominal *nom, u32 size);
void tfrc_nominal_mss(struct tfrc_nominal *nom, u32 mss);
u64 tfrc_nominal_more(u32 s, u64 x, u64 real, u64 nominal);
u32 tfrc_nominal_event(struct tfrc_nominal *nom,
		       const struct tfrc_nominal_at *ev);
u64 tfrc_nominal_p(const struct tfrc_nominal *nom, u64 data, u64 p, u64 rtt,
		   u64 now);

/**
 * tfrc_nominal_valid - whether a nominal size is in range
 * @size: bytes; 0: none
 *
 * Return: true if it may be set
 */
static inline bool tfrc_nominal_valid(u32 size)
{
	return size <= TFRC_NOMINAL_MAX;
}

/* l4s.c: a limit of the rate by the share of marked packets */

/* Shares are scaled by this. */
#define TFRC_L4S_ONE		BIT(20)

/**
 * struct tfrc_l4s - proportional response to marks
 * @on: the user wants it
 * @agreed: the receiver takes part, so packets are sent with ECT(1)
 * @fresh: the report in hand has marks
 * @ends: it was turned off, and a report may still count marks of before
 * @alpha: smoothed share of marked packets, scaled by TFRC_L4S_ONE
 * @x: X_l4s; 0: it limits nothing
 * @acked: data packets acknowledged at the end of the last round
 * @marked: data packets reported marked since then
 * @lost: data packets reported lost since then
 * @t_round: end of the last round
 * @t_cut: when alpha last reduced @x
 */
struct tfrc_l4s {
	bool	on;
	bool	agreed;
	bool	fresh;
	bool	ends;
	u32	alpha;
	u64	x;
	u64	acked;
	u64	marked;
	u64	lost;
	u64	t_round;
	u64	t_cut;
};

/* sender.c: what all senders have */

#define TFRC_X_RECV_SET		3
/* Scale of the mean packet size s. */
#define TFRC_SIZE_SHIFT		16

struct tfrc_sender;

/**
 * struct tfrc_report - what a sender learns from a report
 * @fb: contents of the report; they come from the network, so any value is possible
 * @ack: newest packet that it acknowledges
 * @flight: packets sent after that one
 * @sample: round-trip time measured with it, ns, 0 if there is none
 * @sent: when that packet was sent, 0 if it is not known
 * @data_limited: in the interval that it reports on, the application limited the
 *	rate, and not X
 * @no_data: no data was sent since the packet that the report before acknowledges
 * @waits: packets that wait to be sent
 * @p: loss event rate in it, at most 1
 * @interval: time since the previous report, ns
 * @lost: data packets newly reported lost
 * @marked: data packets newly reported CE-marked, without those for l4s.c
 * @event: @lost and @marked begin a loss event: they were reported a round trip or
 *	more after the last one
 *
 * Glue fills in the first eight members; tfrc_sender_feedback() computes the others.
 */
struct tfrc_report {
	const struct tfrc_feedback *fb;
	u64	ack;
	u64	flight;
	u64	sample;
	u64	sent;
	bool	data_limited;
	bool	no_data;
	u32	waits;
	u64	p;
	u64	interval;
	u32	lost;
	u32	marked;
	bool	event;
};

/**
 * struct tfrc_sender_ops - how a sender chooses its rate
 * @start: the first packet is about to be sent; s and R are known
 * @feedback: a report came. struct tfrc_sender has been updated from it, except
 *	for the rate, @p and @x_calc.
 * @timeout: the nofeedback timer expired. If the sender was @idle, no report could
 *	come.
 * @limited: X_inst is what X, X_delay and X_l4s leave, after one of the first three or
 *	after tfrc_sender_hold()
 * @timeout_after: the time after which the nofeedback timer expires, ns
 *
 * Every operation is mandatory. The first three set the rate by
 * tfrc_sender_move(). All are called with the sender locked.
 */
struct tfrc_sender_ops {
	void	(*start)(struct tfrc_sender *snd, u64 now);
	void	(*feedback)(struct tfrc_sender *snd,
			    const struct tfrc_report *rep, u64 now);
	void	(*timeout)(struct tfrc_sender *snd, bool idle, u64 now);
	void	(*limited)(struct tfrc_sender *snd);
	u64	(*timeout_after)(const struct tfrc_sender *snd);
};

/**
 * struct tfrc_sender - what all senders have; each embeds it first
 * @ops: how it chooses its rate
 * @has_rtt: @rtt was measured
 * @sampled: by a report, and not only in the handshake
 * @sent_since_timer: data was sent since the nofeedback timer was set
 * @restart: the next packet sets the nofeedback timer anew. The first one after a report
 *	does so, too, if it comes more than R later
 * @resting: nothing is sent, so the nofeedback timer stays unarmed until the next
 *	packet, which sets it
 * @event: the application is to be told: poll() reports POLLPRI
 * @acks: number of the next packets that acknowledge the last report
 * @options: options that the next packet is to have, bits that the scheme defines.
 *	They are cleared when a packet was sent.
 * @s: mean packet size, scaled by 2^TFRC_SIZE_SHIFT
 * @signals: packets reported lost or marked, without marks for l4s.c, modulo 2^32
 * @window: Sequence Window at the start, packets: what both ends know
 * @x: allowed rate X
 * @x_inst: rate at which packets are sent
 * @x_waits: that of the next @waits bytes
 * @waits: payload that waited when X_delay became less, and is sent as before
 * @x_max: greatest X that the user wants, at most TFRC_RATE_MAX
 * @x_calc: rate of the equation (X_Bps), 0 while p = 0, or if there is none
 * @p: loss event rate last reported
 * @rtt: smoothed round-trip time R
 * @x_recv: receive rate last reported, limited to twice what was sent
 * @x_send: rate really sent in the last feedback interval
 * @x_limit: of a sender whose receiver decides, the limit of X by what is delivered
 * @x_recv_set: receive rates that limit X (RFC 5348, 4.3)
 * @x_recv_time: when each of them came, 0 if unused
 * @tld: when X was last doubled (RFC 5348, 4.3), or began to double
 * @t_feedback: last feedback, or the first packet
 * @t_event: first feedback of the last loss event
 * @t_timer: when the nofeedback timer expires
 * @bytes: payload sent, running total
 * @bytes_reported: value of @bytes when the last feedback came
 * @x_sent: rates sent in the last two round trips in which there was data
 * @t_meter: start of the round trip after those
 * @meter_bytes: payload sent in it so far
 * @meter_time: from its start to the last packet in it
 * @lost: packets that the receiver reported lost, running total
 * @marked: packets that the receiver reported CE-marked, running total
 * @packets: data packets sent
 * @feedbacks: feedback packets used
 * @nofeedbacks: expiries of the nofeedback timer
 * @delay: limit of X_inst by the queueing delay
 * @nominal: of a sender that decides, the nominal packet size
 * @l4s: limit of X_inst by the share of marked packets
 */
struct tfrc_sender {
	const struct tfrc_sender_ops *ops;
	bool	has_rtt;
	bool	sampled;
	bool	sent_since_timer;
	bool	restart;
	bool	resting;
	bool	event;
	u8	acks;
	u8	options;
	u32	s;
	u32	signals;
	u64	window;
	u64	x;
	u64	x_inst;
	u64	x_waits;
	u64	waits;
	u64	x_max;
	u64	x_calc;
	u64	p;
	u64	rtt;
	u64	x_recv;
	u64	x_send;
	u64	x_limit;
	u64	x_recv_set[TFRC_X_RECV_SET];
	u64	x_recv_time[TFRC_X_RECV_SET];
	u64	tld;
	u64	t_feedback;
	u64	t_event;
	u64	t_timer;
	u64	bytes;
	u64	bytes_reported;
	u64	x_sent[2];
	u64	t_meter;
	u64	meter_bytes;
	u64	meter_time;
	u64	lost;
	u64	marked;
	u64	packets;
	u32	feedbacks;
	u32	nofeedbacks;
	struct tfrc_delay delay;
	struct tfrc_nominal nominal;
	struct tfrc_l4s	l4s;
};

/* Called by glue */
void tfrc_sender_start(struct tfrc_sender *snd, u32 len, u64 rtt, u64 now);
void tfrc_sender_sent(struct tfrc_sender *snd, u32 len, u64 now);
void tfrc_sender_feedback(struct tfrc_sender *snd, struct tfrc_report *rep,
			  u64 now);
void tfrc_sender_timeout(struct tfrc_sender *snd, u64 now);
void tfrc_sender_hold(struct tfrc_sender *snd, u64 x);
u64 tfrc_sender_timeout_after(const struct tfrc_sender *snd);
u64 tfrc_ipi(u64 x, u32 len);

/**
 * tfrc_sender_rate - the rate at which the next packet is sent
 * @snd: the sender
 *
 * Context: any, @snd locked by the caller.
 * Return: X_inst, or the rate for which the packets that wait were made
 */
static inline u64 tfrc_sender_rate(const struct tfrc_sender *snd)
{
	return snd->waits ? snd->x_waits : snd->x_inst;
}

/* delay.c */
void tfrc_delay_set(struct tfrc_sender *snd, u32 target);
u32 tfrc_delay_target(const struct tfrc_sender *snd, u64 now);
u64 tfrc_delay_limit(const struct tfrc_sender *snd, u64 x);
void tfrc_delay_feedback(struct tfrc_sender *snd,
			 const struct tfrc_report *rep, u64 now);
void tfrc_delay_timeout(struct tfrc_sender *snd, u64 before);

/* nominal.c */
void tfrc_nominal_feedback(struct tfrc_sender *snd,
			   const struct tfrc_report *rep, u64 now);
/* l4s.c */
void tfrc_l4s_set(struct tfrc_sender *snd, bool on);
u64 tfrc_l4s_limit(const struct tfrc_sender *snd, u64 x);
void tfrc_l4s_report(struct tfrc_sender *snd, struct tfrc_report *rep, u64 now);
void tfrc_l4s_feedback(struct tfrc_sender *snd, const struct tfrc_report *rep,
		       u64 now);
void tfrc_l4s_timeout(struct tfrc_sender *snd, bool idle);
u64 tfrc_sender_sending(const struct tfrc_sender *snd);

/* Called by implementations of struct tfrc_sender_ops */
void tfrc_sender_init(struct tfrc_sender *snd,
		      const struct tfrc_sender_ops *ops);
u64 tfrc_w_init_rate(u32 s, u64 rtt);
u64 tfrc_initial_rate(u32 s, u64 rtt);
u64 tfrc_time_at(u64 x, u32 len);
u64 tfrc_sender_initial_rate(const struct tfrc_sender *snd);
u64 tfrc_sender_first_rate(const struct tfrc_sender *snd);
u64 tfrc_sender_bound(const struct tfrc_sender *snd, u64 x);
u64 tfrc_sender_most(const struct tfrc_sender *snd);
void tfrc_sender_move(struct tfrc_sender *snd, u64 x);
void tfrc_sender_limited(struct tfrc_sender *snd);
void tfrc_sender_recv_set(struct tfrc_sender *snd, u64 x_recv, u64 now);
u64 tfrc_sender_recv_limit(struct tfrc_sender *snd, bool data_limited,
			   bool worse, u64 now);

/**
 * tfrc_sender_size - mean packet size s, at least 1 byte
 * @snd: the sender
 *
 * Return: bytes of payload
 */
static inline u32 tfrc_sender_size(const struct tfrc_sender *snd)
{
	u32 s = (snd->s + (1U << (TFRC_SIZE_SHIFT - 1))) >> TFRC_SIZE_SHIFT;

	return s ? s : 1;
}

#include <net/tfrc_receiver.h>

#endif /* _NET_TFRC_H */
