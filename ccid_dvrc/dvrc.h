/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _DVRC_H
#define _DVRC_H

#include <net/tfrc.h>
#include <uapi/linux/dccp_ccid.h>

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
u32 dvrc_layers_in(const struct dvrc_layers *l, u64 r);

/**
 * struct dvrc_rtt - the sender's round-trip time
 * @rtt: EstimatedRTT, 0 before the first sample
 * @deviation: Deviation
 */
struct dvrc_rtt {
	u64	rtt;
	u64	deviation;
};

u64 dvrc_smoothed_rtt(u64 rtt, u64 sample);
u64 dvrc_deviation(u64 deviation, u64 rtt, u64 before);
u64 dvrc_dto(const struct dvrc_rtt *t, u32 s, u64 r);
void dvrc_rtt_sample(struct dvrc_rtt *t, u64 sample);

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

void dvrc_history_add(struct dvrc_history *h, u64 rate);
u64 dvrc_threshold(const struct dvrc_history *h, u32 n);

#define DVRC_PACKETS	4	/* that a receiving rate is measured over, at least */
#define DVRC_MARKS	8	/* remembered: more than that, a power of two */

/**
 * struct dvrc_mark - a data packet has arrived
 * @time: when
 * @bytes: that had arrived then, with it
 */
struct dvrc_mark {
	u64	time;
	u64	bytes;
};

/**
 * struct dvrc - state of a DVRC receiver
 * @par: parameters
 * @layers: the rate vector
 * @path: what the sender says of the round-trip time
 * @history: of receiving rates
 * @meter: of the receiving rate over a round trip
 * @arrival: the last packets, a ring
 * @packets: how many there were; the last one is in slot (@packets - 1) % size
 * @r: the rate R
 * @receiving: receiving rate at the last loss event
 * @t_adjust: since when there was neither a loss event nor an increase
 * @t_signal: last arrival, or last timeout since
 * @s: packet size, bytes
 * @idle: the sender had nothing more to send
 * @decision: the last one
 * @random: loss events that were taken for random
 * @congestion: loss events that were taken for congestion
 * @timeouts: times that nothing arrived for DTO
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
	u64				receiving;
	u64				t_adjust;
	u64				t_signal;
	u32				s;
	bool				idle;
	enum dccp_dvrc_decision		decision;
	u32				random;
	u32				congestion;
	u32				timeouts;
};

bool dvrc_rx_params_valid(const void *values);
u64 dvrc_increased(u64 r, u32 s, u64 rtt, u32 alpha);
u64 dvrc_decreased(u64 r, u32 s, u64 rtt, u32 alpha, u32 beta);
u64 dvrc_backed_off(u64 r, u32 beta);
u64 dvrc_receiving_rate(const struct dvrc *d, u64 now);
void dvrc_arrival(struct dvrc *d, u32 len, u32 s, bool idle, u64 now);
bool dvrc_round_over(const struct dvrc *d, u64 now);
void dvrc_increase(struct dvrc *d, u64 p, u64 now);
void dvrc_loss(struct dvrc *d, u64 p, u64 now);
u64 dvrc_timeout_at(const struct dvrc *d);
void dvrc_timeout(struct dvrc *d, u64 now);

#endif /* _DVRC_H */
