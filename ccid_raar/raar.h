/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _RAAR_H
#define _RAAR_H

#include <net/tfrc_driven.h>
#include <uapi/linux/dccp_ccid.h>

#define RAAR_SMOOTHING_MAX	64
#define RAAR_ALPHA_SHIFT	32
/* Number of values of a round's low four bits */
#define RAAR_ROUNDS		16

/* Recommended for networks: the parameters of the paper, and all guards */
#define RAAR_RX_DEFAULT							\
	.beta = 875,							\
	.delta = 167,							\
	.smoothing = 8,							\
	.growth = 2000,							\
	.early_once = 1,						\
	.wnd_max = 1,							\
	.hole_events = 1,						\
	.exit_guard = 1

/**
 * struct raar_packet - a data packet that has arrived
 * @len: its payload, bytes
 * @ccval: low four bits of the number of the report that began its round
 * @newest: no packet with a greater sequence number has arrived
 * @has_round: it states the next two values
 * @stated: rate that the sender keeps to
 * @waited: time from the report's arrival at the sender to this packet, ns
 */
struct raar_packet {
	u32	len;
	u8	ccval;
	bool	newest;
	bool	has_round;
	u64	stated;
	u64	waited;
};

/**
 * struct raar_sent - a report that was sent
 * @time: when
 * @reported: the rate in it
 */
struct raar_sent {
	u64	time;
	u64	reported;
};

/**
 * struct raar - state of a receiver
 * @par: parameters
 * @alpha: increase in packets for each round, scaled by 2^32
 * @started: a data packet has arrived
 * @slow_start: no loss event yet
 * @rate: rate by GAIMD
 * @reported: smoothed rate in the last report
 * @stated: rate that the sender keeps to, as far as it is known
 * @past: values of @rate at the last reports, a ring
 * @reports: number of values so far; the newest is in past[(@reports - 1) % size]
 * @known: how many of them count, at most n
 * @meter: receive rate, from round to round
 * @rtt: smoothed round-trip time R and its mean deviation
 * @sent: the last reports, by the low bits of their number
 * @number: of the last report, 0 before the first
 * @round: number of the report that began this round
 * @early: number of the last report that was made while @rate was less than @stated
 * @nominal: loss intervals, if there is a nominal packet size
 * @data: data packets so far, received or lost; this and the next member are set
 *	before raar_loss() is called
 * @signals: packets lost or marked before the new ones
 * @wnd: packets in the last round
 * @dyn_wnd: packets in this round
 * @fresh: a packet has arrived since the last report
 * @timer_done: the timer of this round has expired
 * @raised: @rate was raised to the initial rate of a greater packet since the last report
 * @largest: greatest size of a packet so far, bytes; RFC 5348, 4.2 has the initial rate
 *	by that
 * @low: initial rate of a long path, 0 on a shorter one
 * @alone: the sender sends less than a packet in R, so this round is reported at once
 * @t_round: when this round began
 * @t_event: when the last loss event was detected
 * @event_reports: @reports at that time
 * @t_grown: when the last packet came, which made the rate grow unless it showed a loss
 * @t_report: when the last report was made
 * @rounds: rounds so far
 * @samples: round-trip times measured
 */
struct raar {
	struct dccp_raar_rx_params par;
	u64			alpha;
	bool			started;
	bool			slow_start;
	u64			rate;
	u64			reported;
	u64			stated;
	u64			past[RAAR_SMOOTHING_MAX];
	u32			reports;
	u32			known;
	struct tfrc_rate_meter	meter;
	struct tfrc_srtt	rtt;
	struct raar_sent	sent[RAAR_ROUNDS];
	u32			number;
	u32			round;
	u32			early;
	struct tfrc_nominal	nominal;
	u64			data;
	u64			signals;
	u32			wnd;
	u32			dyn_wnd;
	bool			fresh;
	bool			timer_done;
	bool			alone;
	bool			raised;
	u32			largest;
	u64			low;
	u64			t_round;
	u64			t_event;
	u32			event_reports;
	u64			t_grown;
	u64			t_report;
	u32			rounds;
	u32			samples;
};

bool raar_tx_params_valid(const void *values);
bool raar_rx_params_valid(const void *values);
u64 raar_rto(const struct raar *r);
u64 raar_received(const struct raar *r, u64 now);
void raar_init(struct raar *r);
void raar_configure(struct raar *r, const struct dccp_raar_rx_params *par);
void raar_start(struct raar *r, u32 s, u64 rtt, u64 now);
bool raar_loss(struct raar *r, u64 events, u64 now);
void raar_packet(struct raar *r, const struct raar_packet *pkt, bool grow,
		 u64 now);
bool raar_due(const struct raar *r, u64 now);
u64 raar_wake(const struct raar *r);
u64 raar_report(struct raar *r, u64 now);

/* sender.c */

/**
 * struct raar_sender - state of a RAAR sender
 * @driven: a sender whose receiver decides the rate
 * @par: parameters
 * @t_round: when the report came that began this round, 0 before the first
 */
struct raar_sender {
	struct driven_sender		driven;
	struct dccp_raar_tx_params	par;
	u64				t_round;
};

/* @options of struct tfrc_sender and of struct tfrc_receiver */
#define RAAR_HAS_ROUND		0x1

void raar_sender_init(struct raar_sender *rs);
u64 raar_sender_waited(const struct raar_sender *rs, u64 now);

/* receiver.c */

/**
 * struct raar_round - the option ROUND of a packet
 * @rate: the rate that the sender of data keeps to
 * @waited: time from the report that began the round to this packet, ns
 */
struct raar_round {
	u64	rate;
	u64	waited;
};

/**
 * struct raar_receiver - a RAAR receiver
 * @base: what all receivers have
 * @raar: the algorithm
 * @round: the option of the packet being received, if it has it
 * @events: loss events that the algorithm knows of
 * @signals: losses and marks that it knows of
 */
struct raar_receiver {
	struct tfrc_receiver	base;
	struct raar		raar;
	struct raar_round	round;
	u64			events;
	u64			signals;
};

void raar_receiver_init(struct raar_receiver *rr,
			const struct tfrc_receiver_ops *ops);
bool raar_receiver_packet(struct tfrc_receiver *rcv,
			  const struct tfrc_rx_packet *pkt, u64 now);
void raar_receiver_report(struct tfrc_receiver *rcv, struct tfrc_feedback *fb,
			  u64 now);

#endif /* _RAAR_H */
