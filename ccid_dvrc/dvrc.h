/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _DVRC_H
#define _DVRC_H

#include <net/tfrc_driven.h>
#include <uapi/linux/dccp_ccid.h>

/* layers.c */

/**
 * struct dvrc_layers - the rate vector r_k
 * @rate: cumulative rates c_1 to c_k, bytes/s
 * @k: number of layers, 0 if there are none
 */
struct dvrc_layers {
	u32	rate[DCCP_DVRC_LAYERS_MAX];
	u32	k;
};

bool dvrc_layers_valid(const u32 *rate, size_t size);
void dvrc_layers_set(struct dvrc_layers *l, const u32 *rate, size_t size);
u32 dvrc_layers_get(const struct dvrc_layers *l, u32 *rate);
u32 dvrc_layers_in(const struct dvrc_layers *l, u64 r);
u64 dvrc_start_rate(const struct dvrc_layers *l, u64 initial, u64 most,
		    bool slow_start);
u32 dvrc_layers_sent(const struct dvrc_layers *l, u32 k, u64 x,
		     bool slow_start);

/* dvrc.c */

/**
 * struct dvrc_rtt - the sender's round-trip time
 * @rtt: EstimatedRTT, 0 before the first sample
 * @deviation: Deviation
 * @last: @rtt of the last round, 0 before its end; not used at the receiver
 */
struct dvrc_rtt {
	u64	rtt;
	u64	deviation;
	u64	last;
};

void dvrc_rtt_sample(struct dvrc_rtt *t, u64 sample, u32 gamma);
void dvrc_rtt_round(struct dvrc_rtt *t, u32 epsilon);

/**
 * struct dvrc_history - receiving rates at the ends of the epochs
 * @mean: their moving average
 * @deviation: their average deviation
 * @epochs: how many there were
 */
struct dvrc_history {
	u64	mean;
	u64	deviation;
	u32	epochs;
};

#define DVRC_PACKETS	4	/* least number for a receiving rate */
#define DVRC_MARKS	8	/* size of the ring: more than that, a power of two */

/**
 * struct dvrc_mark - a data packet has arrived
 * @time: when
 * @bytes: bytes that had arrived then, with this packet
 */
struct dvrc_mark {
	u64	time;
	u64	bytes;
};

/**
 * struct dvrc - state of a DVRC receiver
 * @par: parameters
 * @layers: the rate vector
 * @path: round-trip time that the sender states
 * @history: receiving rates at the ends of epochs
 * @meter: receiving rate over a round trip
 * @arrival: the last packets, a ring
 * @packets: number of packets so far; the last one is in slot (@packets - 1) % size
 * @r: the rate R
 * @r_event: R at the last loss event, before it was reduced
 * @r_top: greatest R by which data may have been sent that arrives after a decrease, or 0
 * @receiving: receiving rate at the last loss event
 * @t_adjust: since when there was neither a loss nor an increase
 * @adjust_bytes: bytes of @meter when @t_adjust was set
 * @t_begin: first arrival
 * @t_signal: last arrival, or last timeout since
 * @t_fit: since when more layers than @k fit in @r
 * @nominal: the nominal packet size, and p_SP
 * @s: packet size, bytes
 * @largest: greatest size of a packet so far, bytes
 * @k: number of layers that the sender may send, 0 before it is known
 * @idle: the sender had nothing more to send
 * @gentle: the last loss event counted as random
 * @decision: the last one
 * @random: loss events that counted as random
 * @congestion: loss events that counted as congestion
 * @timeouts: how often DTO expired
 */
struct dvrc {
	struct dccp_dvrc_rx_params	par;
	struct dvrc_layers		layers;
	struct dvrc_rtt			path;
	struct dvrc_history		history;
	struct tfrc_rate_meter		meter;
	struct dvrc_mark		arrival[DVRC_MARKS];
	u64				packets;
	u64				r;
	u64				r_event;
	u64				r_top;
	u64				receiving;
	u64				t_adjust;
	u64				adjust_bytes;
	u64				t_begin;
	u64				t_signal;
	u64				t_fit;
	struct tfrc_nominal		nominal;
	u32				s;
	u32				k;
	bool				idle;
	bool				gentle;
	enum dccp_dvrc_decision		decision;
	u32				random;
	u32				congestion;
	u32				timeouts;
	u32				largest;
};

bool dvrc_rx_params_valid(const void *values);
bool dvrc_tx_params_valid(const void *values);
u64 dvrc_dto_now(const struct dvrc *d);
u64 dvrc_receiving_rate(const struct dvrc *d, u64 now);
void dvrc_arrival(struct dvrc *d, u32 len, u32 s, bool idle, u64 now);
bool dvrc_round_over(const struct dvrc *d, u64 now);
void dvrc_increase(struct dvrc *d, u64 p, u64 now);
void dvrc_loss(struct dvrc *d, u64 p, bool marked, u64 now);
void dvrc_more_loss(struct dvrc *d, u64 p, bool marked, u64 now);
u32 dvrc_layers_now(struct dvrc *d, u64 now);
void dvrc_vector(struct dvrc *d, const u32 *rate, size_t size);
u64 dvrc_timeout_at(const struct dvrc *d);
void dvrc_timeout(struct dvrc *d, u64 now);

/* sender.c */

/* @options of struct tfrc_sender and of struct tfrc_receiver */
#define DVRC_HAS_PATH		0x1
#define DVRC_HAS_LAYERS		0x2

/* CCVal of a packet behind which nothing waits to be sent */
#define DVRC_CCVAL_IDLE		1

/**
 * struct dvrc_sender - state of a DVRC sender
 * @driven: a sender whose receiver decides the rate
 * @par: parameters
 * @rtt: round-trip time to state
 * @layers: rate vector that the application has set
 * @vector_seq: first packet that carried it, if @advertise; 0: none did
 * @t_stated: when the round-trip time was last stated
 * @kept_back: packets of layers above K
 * @asked: K of the receiver, or of the rate while that does not know the layers
 * @k: number of layers that may be sent, 0 if there are no layers
 * @announced: @k when the last packet said that another one follows, 0 if it did not
 * @advertise: the receiver does not have the rate vector yet
 */
struct dvrc_sender {
	struct driven_sender		driven;
	struct dccp_dvrc_tx_params	par;
	struct dvrc_rtt			rtt;
	struct dvrc_layers		layers;
	u64				vector_seq;
	u64				t_stated;
	u64				kept_back;
	u32				asked;
	u32				k;
	u32				announced;
	bool				advertise;
};

void dvrc_sender_init(struct dvrc_sender *ds);
void dvrc_sender_set_layers(struct dvrc_sender *ds, const u32 *rate,
			    size_t size);
bool dvrc_sender_wants(const struct dvrc_sender *ds, u32 layer);
bool dvrc_sender_ends(const struct dvrc_sender *ds, u32 layer);
u8 dvrc_sender_ccval(struct dvrc_sender *ds, bool idle);
u8 dvrc_sender_options(struct dvrc_sender *ds, u64 now);

/* receiver.c */

/**
 * struct dvrc_receiver - a DVRC receiver
 * @base: what all receivers have
 * @intervals: loss intervals
 * @dvrc: the algorithm
 * @path: the option PATH of the packet being received, if it has it
 * @vector: the option LAYERS, likewise
 * @events: loss events that the algorithm knows of
 * @lost: lost packets that it knows of
 * @marked: marks that are congestion signals, as far as it knows
 * @newest: the newest data packet
 * @own_layers: the rate vector was set at this end
 */
struct dvrc_receiver {
	struct tfrc_receiver		base;
	struct tfrc_loss_intervals	intervals;
	struct dvrc			dvrc;
	struct dvrc_rtt			path;
	struct dvrc_layers		vector;
	u64				events;
	u64				lost;
	u64				marked;
	u64				newest;
	bool				own_layers;
};

void dvrc_receiver_init(struct dvrc_receiver *dr,
			const struct tfrc_receiver_ops *ops);
bool dvrc_receiver_packet(struct tfrc_receiver *rcv,
			  const struct tfrc_rx_packet *pkt, u64 now);
void dvrc_receiver_report(struct tfrc_receiver *rcv, struct tfrc_feedback *fb,
			  u64 now);

#endif /* _DVRC_H */
