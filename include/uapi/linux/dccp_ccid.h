/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * Congestion controls for media over DCCP: what an application sets and reads.
 *
 * All options are at level SOL_DCCP. The numbers from 128 to 191 belong to the
 * receiving half of a connection, those from 192 to 255 to the sending half
 * (as DCCP_SOCKOPT_CCID_RX_INFO and DCCP_SOCKOPT_CCID_TX_INFO of <linux/dccp.h>
 * do). They may be set before the connection or while it is open. The sockets
 * that accept() returns inherit them from the listening socket. A value that is
 * out of range gives EINVAL and changes nothing.
 */
#ifndef _UAPI_LINUX_DCCP_CCID_H
#define _UAPI_LINUX_DCCP_CCID_H

#include <linux/types.h>
#include <linux/dccp.h>

/* RFC 4340, table 5: 248 to 254 are reserved for experiments. */
#define DCCPC_MARC			248
#define DCCPC_RAAR			249
#define DCCPC_LTFRC			250
#define DCCPC_DVRC			251
#define DCCPC_CTFAF			252

/*
 * DCCP over UDP (RFC 6773): an int, the UDP port of the peer for connect(), or 0 for
 * plain DCCP. Set before the connection; of a connection it is what the peer has now.
 * connect() gives EADDRNOTAVAIL if the sysctl net.dccp.udp_port is 0, and EADDRINUSE if
 * the server already has a connection of the same addresses and DCCP ports.
 */
#define DCCP_SOCKOPT_ENCAP_PORT		36

/*
 * Presets: a name, such as "paper", sets all parameters of the half-connection,
 * for whichever CCID it has. Parameters that are set afterwards change single
 * ones. The name is a string of less than DCCP_CCID_PRESET_LEN bytes, with or
 * without a NUL at its end. Reading gives the name of the preset that is in
 * force, or "custom".
 */
#define DCCP_SOCKOPT_CCID_RX_PRESET	129
#define DCCP_SOCKOPT_CCID_TX_PRESET	193
#define DCCP_CCID_PRESET_LEN		16

/*
 * Options of single schemes, for both halves of a connection. The structs may grow
 * at their end in later versions. The members that a shorter struct does not have
 * keep their values; before the connection these are the defaults. A longer struct
 * is accepted if the rest is 0 (else E2BIG).
 */
#define DCCP_SOCKOPT_MARC_RX		136	/* struct dccp_marc_rx_params */
#define DCCP_SOCKOPT_RAAR_RX		144	/* struct dccp_raar_rx_params */
#define DCCP_SOCKOPT_LTFRC_RX		152	/* struct dccp_ltfrc_rx_params */
#define DCCP_SOCKOPT_DVRC_RX		160	/* struct dccp_dvrc_rx_params */
#define DCCP_SOCKOPT_DVRC_RX_LAYERS	161	/* 1 to 16 __u32, as below */
#define DCCP_SOCKOPT_CTFAF_RX		168	/* struct dccp_ctfaf_rx_params */
#define DCCP_SOCKOPT_MARC_TX		200	/* struct dccp_marc_tx_params */
#define DCCP_SOCKOPT_RAAR_TX		208	/* struct dccp_raar_tx_params */
#define DCCP_SOCKOPT_LTFRC_TX		216	/* struct dccp_ltfrc_tx_params */
#define DCCP_SOCKOPT_DVRC_TX_LAYERS	224	/* 1 to 16 __u32, as below */
#define DCCP_SOCKOPT_DVRC_K		225	/* read-only: __u32 */
#define DCCP_SOCKOPT_DVRC_TX		226	/* struct dccp_dvrc_tx_params */
#define DCCP_SOCKOPT_CTFAF_TX		232	/* struct dccp_ctfaf_constraints */
#define DCCP_SOCKOPT_CTFAF_TX_RUNGS	233	/* 2 to 16 __u32, or a 0, as below */

/**
 * struct dccp_ccid_tx_info - DCCP_SOCKOPT_CCID_TX_INFO of a TFRC-like sender
 *
 * The first seven members are those of struct tfrc_tx_info, which CCID 3
 * returns, in its units: a program written for CCID 3 keeps working. Values
 * that do not fit in their 32 bits saturate. The kernel copies as much as the
 * caller has room for, at least these 36 bytes.
 *
 * @tfrctx_x:		allowed rate X, in 1/64 byte/s
 * @tfrctx_x_recv:	receive rate last reported, in 1/64 byte/s
 * @tfrctx_x_calc:	rate of the throughput equation, bytes/s (0 while p = 0)
 * @tfrctx_rtt:		smoothed round-trip time R, us
 * @tfrctx_p:		loss event rate p, in 10^-6
 * @tfrctx_rto:		nofeedback timeout, us
 * @tfrctx_ipi:		nominal spacing of packets, us
 * @ccid:		number of the CCID that fills this in
 * @flags:		sum of DCCP_CCID_TX_SLOW_START (1: no loss event seen yet),
 *			DCCP_CCID_TX_APP_LIMITED (2: X was not used in full),
 *			DCCP_CCID_TX_ECN (4: data packets carry ECT(0) or ECT(1))
 *			and DCCP_CCID_TX_L4S (8: it is ECT(1))
 * @x:			allowed rate X, bytes/s
 * @x_inst:		rate at which packets are sent now, bytes/s. It is less
 *			than x while a queue builds up (RFC 5348, 4.5) or is
 *			longer than target_delay. Packets that wait when
 *			target_delay lowers it leave as before, for up to 100
 *			ms. A live source sends no more than the lesser of both.
 * @x_calc:		rate of the throughput equation, bytes/s (0 while p = 0)
 * @x_recv:		receive rate last reported, bytes/s
 * @x_send:		rate really sent over the last feedback interval, bytes/s
 * @p_ppb:		loss event rate p, in 10^-9
 * @rtt_ns:		smoothed round-trip time R, ns
 * @packets_sent:	data packets sent
 * @packets_lost:	data packets that the receiver reported lost
 * @packets_marked:	data packets that the receiver reported CE-marked
 * @feedbacks:		feedback packets that were used
 * @nofeedbacks:	how often the nofeedback timer expired
 * @mean_size:		mean packet size s, bytes
 * @reserved0:		0
 * @seq_window:		Sequence Window in force (RFC 4340, 7.5.2)
 * @marc:		state of MARC
 * @raar:		state of RAAR
 * @ltfrc:		state of L-TFRC
 * @dvrc:		state of DVRC
 * @ctfaf:		state of CTFAF
 * @reserved:		room for other schemes
 */
struct dccp_ccid_tx_info {
	__u64	tfrctx_x;
	__u64	tfrctx_x_recv;
	__u32	tfrctx_x_calc;
	__u32	tfrctx_rtt;
	__u32	tfrctx_p;
	__u32	tfrctx_rto;
	__u32	tfrctx_ipi;
	__u16	ccid;
	__u16	flags;
	__u64	x;
	__u64	x_inst;
	__u64	x_calc;
	__u64	x_recv;
	__u64	x_send;
	__u64	p_ppb;
	__u64	rtt_ns;
	__u64	packets_sent;
	__u64	packets_lost;
	__u64	packets_marked;
	__u32	feedbacks;
	__u32	nofeedbacks;
	__u32	mean_size;
	__u32	reserved0;
	__u64	seq_window;
	union {
		/**
		 * @marc.tokens: token value T, bytes
		 * @marc.x_tfrc: rate that TFRC would have moved to, bytes/s
		 * @marc.decision: last decision, enum dccp_marc_decision
		 * @marc.left: how long the tokens last if the equation's rate and
		 *	the rate sent stay as they are, ms; 0: there are none;
		 *	0xffffffff: no more is sent than the equation allows
		 * @marc.kept: how often the decision was DCCP_MARC_KEEP
		 * @marc.limited: how often it was DCCP_MARC_LIMIT
		 * @marc.landed: how often it was DCCP_MARC_LAND
		 */
		struct {
			__s64	tokens;
			__u64	x_tfrc;
			__u32	decision;
			__u32	left;
			__u32	kept;
			__u32	limited;
			__u32	landed;
			__u32	reserved;
		} marc;
		/**
		 * @raar.requested: rate that the receiver requested, bytes/s;
		 *	x is also limited to twice what is delivered
		 * @raar.rto: receiver's timeout in force, us
		 * @raar.round: low byte of the number of the report that began the
		 *	round
		 */
		struct {
			__u64	requested;
			__u32	rto;
			__u32	round;
		} raar;
		/**
		 * @ltfrc.a: coefficients a_0 to a_3 in force, times
		 *	DCCP_LTFRC_ONE
		 * @ltfrc.x_tcp: rate of Padhye's equation, which TFRC has,
		 *	bytes/s (0 while p = 0)
		 * @ltfrc.k: enum dccp_ltfrc_class
		 * @ltfrc.bounded: x_calc is limited to weight times x_tcp
		 */
		struct {
			__s32	a[4];
			__u64	x_tcp;
			__u32	k;
			__u32	bounded;
		} ltfrc;
		/**
		 * @dvrc.requested: rate R that the receiver requested,
		 *	bytes/s; x is also limited to twice what is delivered
		 * @dvrc.kept_back: packets of layers above K that were not sent
		 * @dvrc.k: number K of layers that may be sent (0: no layers)
		 * @dvrc.layers: number of layers that were set
		 * @dvrc.deviation: of the round-trip time, us
		 * @dvrc.dto: receiver's timeout in force, us
		 */
		struct {
			__u64	requested;
			__u64	kept_back;
			__u32	k;
			__u32	layers;
			__u32	deviation;
			__u32	dto;
		} dvrc;
		/**
		 * @ctfaf.rate: the constrained rate r, bytes/s; x is r on the
		 *	grid of steps
		 * @ctfaf.virtual_bandwidth: B, bytes/s; negative: the sender
		 *	took more than the algorithm allowed
		 * @ctfaf.asked: increase (or, negative, decrease) that the
		 *	algorithm asked for last, bytes/s
		 * @ctfaf.increase: additive increase rate A of LDA+, bytes/s
		 * @ctfaf.bottleneck: bandwidth R_b by packet pairs, bytes/s
		 *	(0: no estimate)
		 * @ctfaf.loss: share of the packets lost until the last decision,
		 *	times 2^32
		 * @ctfaf.interval: report interval T in force, ms
		 * @ctfaf.decision: last decision, enum dccp_ctfaf_decision
		 * @ctfaf.resets: how often B was reset
		 * @ctfaf.steps: number of reports that led to a decision
		 */
		struct {
			__u64	rate;
			__s64	virtual_bandwidth;
			__s64	asked;
			__u64	increase;
			__u64	bottleneck;
			__u32	loss;
			__u32	interval;
			__u32	decision;
			__u32	resets;
			__u32	steps;
			__u32	reserved;
		} ctfaf;
		__u64	reserved[16];
	};
};

#define DCCP_CCID_TX_SLOW_START		0x1	/* no loss event seen yet */
#define DCCP_CCID_TX_APP_LIMITED	0x2	/* X was not used in full */
#define DCCP_CCID_TX_ECN		0x4	/* data packets carry ECT(0), or ECT(1) */
#define DCCP_CCID_TX_L4S		0x8	/* it is ECT(1) */

/**
 * struct dccp_ccid_rx_info - DCCP_SOCKOPT_CCID_RX_INFO of a TFRC receiver
 *
 * The first three members are those of struct tfrc_rx_info (CCID 3). The kernel
 * copies as much as the caller has room for, at least these 12 bytes.
 *
 * @tfrcrx_x_recv:	receive rate, bytes/s
 * @tfrcrx_rtt:		round-trip time as the receiver knows it, us
 * @tfrcrx_p:		loss event rate p, in 10^-6
 * @ccid:		number of the CCID that fills this in
 * @loss_history:	number n of loss intervals that p is averaged over, 0 with RAAR
 * @x_recv:		receive rate, bytes/s
 * @p_ppb:		loss event rate p, in 10^-9; 0 with RAAR, which has none
 * @packets_received:	data packets received
 * @packets_lost:	data packets lost
 * @packets_marked:	data packets received with a CE mark
 * @loss_events:	loss events, marks included
 * @feedbacks:		feedback packets sent
 * @raar:		state of RAAR
 * @dvrc:		state of DVRC
 * @reserved:		room for other schemes
 */
struct dccp_ccid_rx_info {
	__u32	tfrcrx_x_recv;
	__u32	tfrcrx_rtt;
	__u32	tfrcrx_p;
	__u16	ccid;
	__u16	loss_history;
	__u64	x_recv;
	__u64	p_ppb;
	__u64	packets_received;
	__u64	packets_lost;
	__u64	packets_marked;
	__u64	loss_events;
	__u64	feedbacks;
	union {
		/**
		 * @raar.rate: rate by GAIMD, bytes/s
		 * @raar.requested: smoothed rate that was reported last, bytes/s
		 * @raar.stated: rate that the sender last said to keep to,
		 *	bytes/s
		 * @raar.alpha: increase for each round in packets, in 10^-6,
		 *	before delta
		 * @raar.rttvar: mean deviation of the round-trip time, us
		 * @raar.rto: timeout, us
		 * @raar.wnd: packets in the last round
		 * @raar.round: number of the report that began this round
		 * @raar.rounds: rounds so far
		 * @raar.samples: rounds in which a round-trip time was measured
		 * @raar.slow_start: no loss event yet
		 */
		struct {
			__u64	rate;
			__u64	requested;
			__u64	stated;
			__u32	alpha;
			__u32	rttvar;
			__u32	rto;
			__u32	wnd;
			__u32	round;
			__u32	rounds;
			__u32	samples;
			__u32	slow_start;
		} raar;
		/**
		 * @dvrc.rate: rate R, bytes/s
		 * @dvrc.receiving: receiving rate at the last loss event,
		 *	bytes/s
		 * @dvrc.mean: moving average of the receiving rate at the ends
		 *	of the epochs, bytes/s
		 * @dvrc.deviation: average deviation of it, bytes/s
		 * @dvrc.k: number K of layers that fit in R (0: no layers)
		 * @dvrc.layers: number of layers
		 * @dvrc.random: loss events that were taken for random
		 * @dvrc.congestion: loss events that were taken for congestion
		 * @dvrc.timeouts: how often nothing arrived for DTO
		 * @dvrc.decision: last decision, enum dccp_dvrc_decision
		 * @dvrc.dto: DTO, us
		 */
		struct {
			__u64	rate;
			__u64	receiving;
			__u64	mean;
			__u64	deviation;
			__u32	k;
			__u32	layers;
			__u32	random;
			__u32	congestion;
			__u32	timeouts;
			__u32	decision;
			__u32	dto;
			__u32	reserved;
		} dvrc;
		__u64	reserved[16];
	};
};

/* What MARC made of TFRC's rate. */
enum dccp_marc_decision {
	DCCP_MARC_TFRC = 0,	/* took TFRC's rate */
	DCCP_MARC_KEEP = 1,	/* no congestion signal: kept the previous rate */
	DCCP_MARC_LIMIT = 2,	/* signal: reduced the previous rate by delta */
	DCCP_MARC_LAND = 3,	/* either, but no more than the tokens last for */
};

/* How MARC's tokens decay. */
enum dccp_marc_decay {
	DCCP_MARC_DECAY_REPORT = 0,	/* by beta for each feedback, as in eq. 4 */
	DCCP_MARC_DECAY_TIME = 1,	/* by beta for each round-trip time */
};

/* How the receive rate limits the sender (self-clocking). */
enum dccp_tfrc_clock {
	DCCP_TFRC_CLOCK_PAPER = 0,	/* X_recv after a loss event, else 1.5 X_recv */
	DCCP_TFRC_CLOCK_RFC5348 = 1,	/* RFC 5348, 4.3: 2 max(X_recv_set) */
	DCCP_TFRC_CLOCK_RESTART = 2,	/* as PAPER, or the initial rate if data limits */
};

/**
 * struct dccp_marc_tx_params - DCCP_SOCKOPT_MARC_TX: the sender's parameters
 *
 * @beta:	decay of the token value, in 10^-3 (0 to 1000)
 * @delta_loss:	largest decrease for each feedback after a loss, in 10^-3
 *		(1 to 999)
 * @delta_mark:	the same when all signals are CE marks, in 10^-3 (1 to 999)
 * @tokens:	1: MARC; 0: the token value is held at 0, which is plain TFRC
 * @clock:	enum dccp_tfrc_clock
 * @decay:	enum dccp_marc_decay
 * @lag:	1: if less arrives than is sent, this is a congestion signal, too;
 *		0: as in the paper
 * @target_delay: delay of the queue to aim at, ms (5 to 1000); 0: no such limit
 * @landing:	X is above TFRC's rate by no more than the tokens last for in so many
 *		round trips (1 to 1000); 0: no such limit
 * @warning:	poll() reports POLLPRI when the tokens last for less than this, ms; 0:
 *		never
 * @nominal_size: packet size of the equation, bytes (1 to 1460, 1460 is recommended
 *		for small packets; RFC 4828); 0: the mean size of the packets
 * @frame_rate:	the packets of a frame are spread over the time to the next one, frames/s
 *		(1 to 1000); 0: they are not
 * @l4s:	1: respond to ECN marks in proportion to their number (ECT(1), RFC 9331),
 *		if the receiver takes part; 0: a mark is like a loss
 * @reserved:	0
 */
struct dccp_marc_tx_params {
	__u16	beta;
	__u16	delta_loss;
	__u16	delta_mark;
	__u8	tokens;
	__u8	clock;
	__u8	decay;
	__u8	lag;
	__u16	target_delay;
	__u16	landing;
	__u16	warning;
	__u16	nominal_size;
	__u16	frame_rate;
	__u8	l4s;
	__u8	reserved;
};

/**
 * struct dccp_marc_rx_params - DCCP_SOCKOPT_MARC_RX: the receiver's parameters
 *
 * @loss_history:	n, the loss intervals that p is averaged over (2 to 255)
 * @recovery:		1: what is lost before the sender can react to a loss event
 *			belongs to that event; 0: what is lost within R
 * @reserved:		0
 */
struct dccp_marc_rx_params {
	__u32	loss_history;
	__u8	recovery;
	__u8	reserved[3];
};

/**
 * struct dccp_raar_tx_params - DCCP_SOCKOPT_RAAR_TX: the sender's parameters
 *
 * @beta:	factor by which the rate is multiplied when no report comes, in 10^-3
 *		(1 to 999)
 * @target_delay: delay of the queue to aim at, ms (5 to 1000); 0: no such limit
 * @frame_rate:	the packets of a frame are spread over the time to the next one, frames/s
 *		(1 to 1000); 0: they are not
 * @l4s:	1: respond to ECN marks in proportion to their number (ECT(1), RFC 9331),
 *		if the receiver takes part; 0: a mark is like a loss
 * @reserved:	0
 */
struct dccp_raar_tx_params {
	__u16	beta;
	__u16	target_delay;
	__u16	frame_rate;
	__u8	l4s;
	__u8	reserved;
};

/**
 * struct dccp_raar_rx_params - DCCP_SOCKOPT_RAAR_RX: the receiver's parameters
 *
 * @beta:	factor by which the rate is multiplied at a loss event, in 10^-3 (1 to
 *		999); the increase alpha follows from it
 * @delta:	share of alpha that is really used, in 10^-3 (1 to 1000)
 * @smoothing:	n, the number of rates whose mean is the smoothed rate (1 to 64)
 * @growth:	the rate does not grow above this times the receive rate, in
 *		10^-3 (1000 to 65535); 0: there is no such limit
 * @rate_max:	the rate does not grow above this, bytes/s; 0: no such limit
 * @early_once:	1: after an early report there is no other one until the first
 *		has taken effect; 0: each packet may cause one, as long as CCVal
 *		can tell the reports apart
 * @wnd_max:	1: wnd is the number of packets in the last round or in this one,
 *		whichever is greater; 0: in the last round
 * @hole_events: 1: losses that last for several round trips are a loss event
 *		for each of them, up to five; 0: they are one if they are detected
 *		at once
 * @exit_guard:	1: the first loss event decreases a rate of no more than what was
 *		sent and received, and the smoothed rate starts anew; with R above
 *		200 ms a rate below the initial rate grows by alpha in each R;
 *		0: it is like any other
 * @per_rtt:	1: the rate grows by alpha @delta packets in a round trip; 0: in a
 *		round
 * @fast_down:	1: at a loss event within n reports of the last one the smoothed rate
 *		starts anew; 0: it is the mean
 * @nominal_size: packet size of the increase, bytes (1 to 1460, 1460 is recommended
 *		for small packets; RFC 4828); 0: the real size
 */
struct dccp_raar_rx_params {
	__u16	beta;
	__u16	delta;
	__u16	smoothing;
	__u16	growth;
	__u32	rate_max;
	__u8	early_once;
	__u8	wnd_max;
	__u8	hole_events;
	__u8	exit_guard;
	__u8	per_rtt;
	__u8	fast_down;
	__u16	nominal_size;
};

/* Classes of fairness of L-TFRC: the factor k of its equation. */
enum dccp_ltfrc_class {
	DCCP_LTFRC_POLYNOMIAL = 0,	/* no class: coefficients are given */
	DCCP_LTFRC_TCP_FRIENDLY = 8,
	DCCP_LTFRC_BOUNDED_FRIENDLY = 11,
	DCCP_LTFRC_STREAMING_ORIENTED = 15,
};

#define DCCP_LTFRC_ONE			65536

/**
 * struct dccp_ltfrc_equation - DCCP_SOCKOPT_LTFRC_TX: the throughput equation
 *
 * X = s/R (a_0 + a_1 ln p + a_2 ln^2 p + a_3 ln^3 p). For a class this is
 * k s/R (-0.25 - 0.5 ln p). Both ends of a connection should have the same equation.
 *
 * @k:		enum dccp_ltfrc_class
 * @weight:	the bound is this times the rate of TFRC's equation, in 10^-3
 *		(1 to 65535)
 * @bounded:	1: apply the bound; the bounded-friendly class always does
 * @l4s:	the sender's: 1: respond to ECN marks in proportion to their number (ECT(1),
 *		RFC 9331), if the receiver takes part; 0: a mark is like a loss
 * @target_delay: the sender's: delay of the queue to aim at, ms (5 to 1000); 0: no such
 *		limit
 * @a:		for DCCP_LTFRC_POLYNOMIAL, a_0 to a_3 times DCCP_LTFRC_ONE; else
 *		ignored. For p from 10^-9 to 1 the rate must not grow with p, and
 *		at 10^-9 it must not be 0.
 */
struct dccp_ltfrc_equation {
	__u16	k;
	__u16	weight;
	__u8	bounded;
	__u8	l4s;
	__u16	target_delay;
	__s32	a[4];
};

/**
 * struct dccp_ltfrc_tx_params - DCCP_SOCKOPT_LTFRC_TX: the sender's parameters
 *
 * @equation:	the throughput equation; the option takes it without the rest, too
 * @nominal_size: packet size of the equation, bytes (1 to 1460, 1460 is recommended
 *		for small packets; RFC 4828); 0: the mean size of the packets
 * @frame_rate:	the packets of a frame are spread over the time to the next one, frames/s
 *		(1 to 1000); 0: they are not
 */
struct dccp_ltfrc_tx_params {
	struct dccp_ltfrc_equation	equation;
	__u16				nominal_size;
	__u16				frame_rate;
};

/**
 * struct dccp_ltfrc_rx_params - DCCP_SOCKOPT_LTFRC_RX: the receiver's parameters
 *
 * @loss_history:	loss intervals that p is averaged over (2 to 255)
 * @equation:		the sender's equation; the first loss interval follows from it
 * @recovery:		1: what is lost before the sender can react to a loss event
 *			belongs to that event; 0: what is lost within R
 * @reserved:		0
 */
struct dccp_ltfrc_rx_params {
	__u32				loss_history;
	struct dccp_ltfrc_equation	equation;
	__u8				recovery;
	__u8				reserved[3];
};

/* What CTFAF's constraints made of the change that its algorithm asked for. */
enum dccp_ctfaf_decision {
	DCCP_CTFAF_START = 0,		/* no report so far */
	DCCP_CTFAF_TOLERATED = 1,	/* decrease: l is less than l_allowed */
	DCCP_CTFAF_AT_MIN = 2,		/* decrease: no further than r_min */
	DCCP_CTFAF_CREDIT = 3,		/* decrease: B > 0, so not taken */
	DCCP_CTFAF_DECREASE_DELTA = 4,	/* decrease: by no more than delta */
	DCCP_CTFAF_REPAY = 5,		/* decrease: B < 0, so by delta */
	DCCP_CTFAF_DECREASE = 6,	/* decrease: as asked for */
	DCCP_CTFAF_AT_MAX = 7,		/* increase: no further than r_max */
	DCCP_CTFAF_RESTRAINT = 8,	/* increase: B < 0, so not taken */
	DCCP_CTFAF_INCREASE_DELTA = 9,	/* increase: by no more than delta */
	DCCP_CTFAF_INCREASE = 10,	/* increase: as asked for */
	DCCP_CTFAF_UNUSED = 11,		/* increase: less than half of X is used */
	DCCP_CTFAF_NOFEEDBACK = 12,	/* no report for 3 T: halved */
};

/* The algorithm that asks for an increase or a decrease. */
enum dccp_ctfaf_algorithm {
	DCCP_CTFAF_LDA = 0,		/* LDA+ */
	DCCP_CTFAF_TFRC = 1,		/* TFRC's throughput equation */
};

/**
 * struct dccp_ctfaf_constraints - DCCP_SOCKOPT_CTFAF_TX: the encoder's constraints
 *
 * The struct is checked as a whole, and may be changed during the connection.
 *
 * @r_min:	least rate of the encoder, bytes/s (at least 1)
 * @r_max:	greatest rate of the encoder, bytes/s
 * @step:	S: rates are r_min + m * step, bytes/s (1 to r_max - r_min, and
 *	to 2 r_min)
 * @delta:	greatest change for each report interval, bytes/s (at least step);
 *		0: no such limit
 * @r_start:	first rate, bytes/s (r_min to r_max); 0: 43800 (RFC 3390's initial
 *		window of 4380 bytes in 100 ms), or the nearer of r_min and
 *		r_max. The initial rate of the path is a further limit
 * @increase:	first value of the additive increase rate A, bytes/s (at least 1)
 * @l_allowed:	share of lost packets to tolerate, in 10^-6 (0 to 10^6)
 * @interval:	report interval T, ms (100 to 60000); never less than a round
 *		trip and the time of 20 packets, of which 5 s count at most
 * @t_reset:	time from reset to reset of B, ms (interval to 3600000)
 * @t_init:	time from the start in which delta and B do not apply, ms (0 to
 *		3600000)
 * @l_severe:	from this share of lost packets on a decrease has no tolerance, no
 *		delta and no credit in B, in 10^-6 (1 to 10^6; 10^6: they always hold)
 * @algorithm:	enum dccp_ctfaf_algorithm
 * @probes:	packets sent back to back after a report to measure the bottleneck
 *		(0, or 2 to 15)
 * @probe_every: number of reports from one such train of packets to the next, once
 *		the bottleneck is known, and steady (at least 1)
 * @hold:	how long a packet may wait for the next one, so that the two are sent
 *		back to back, ms (0 to 100); four times as long while the bottleneck
 *		is unknown
 * @decay:	share of B that is forgotten at each report, in 10^-3 (0 to 1000)
 * @refuse:	1: a change that would pass r_min or r_max is not made at all; 0: the
 *		rate goes to r_min or r_max
 * @gentle:	1: a reset of B moves the rate by delta at each report; 0: at once
 * @climb:	1: after a loss, a rate below r_TCP rises to it by @increase at each
 *		report; 0: at once
 * @steady:	the bottleneck is steady when so many reports after trains have had the
 *		same bandwidth, within an eighth (0 to 100); 0: when it is known
 * @target_delay: delay of the queue to aim at, ms (5 to 1000); 0: no such limit
 * @nominal_size: packet size M of LDA+ and of the equation, bytes (1 to 1460, 1460 is
 *		recommended for small packets; RFC 4828); 0: the mean size of the packets
 * @frame_rate:	the packets of a frame are spread over the time to the next one, frames/s
 *		(1 to 1000); 0: they are not
 */
struct dccp_ctfaf_constraints {
	__u32	r_min;
	__u32	r_max;
	__u32	step;
	__u32	delta;
	__u32	r_start;
	__u32	increase;
	__u32	l_allowed;
	__u32	interval;
	__u32	t_reset;
	__u32	t_init;
	__u32	l_severe;
	__u8	algorithm;
	__u8	probes;
	__u8	probe_every;
	__u8	hold;
	__u16	decay;
	__u8	refuse;
	__u8	gentle;
	__u8	climb;
	__u8	steady;
	__u16	target_delay;
	__u16	nominal_size;
	__u16	frame_rate;
};

/*
 * CTFAF: rates of an encoder that are not evenly spaced.
 *
 * DCCP_SOCKOPT_CTFAF_TX_RUNGS is an array of 2 to 16 rates in bytes/s, instead of
 * r_min, r_max and step. Each is greater than the one before and at most three times
 * as great, and the first is not 0. A single 0 removes them.
 */

/**
 * struct dccp_ctfaf_rx_params - DCCP_SOCKOPT_CTFAF_RX: the receiver's parameters
 *
 * @loss_history:	loss intervals that p is averaged over, for TFRC's equation
 *			(2 to 255)
 */
struct dccp_ctfaf_rx_params {
	__u32	loss_history;
};

/*
 * DVRC: layers of a stream.
 *
 * DCCP_SOCKOPT_DVRC_TX_LAYERS and DCCP_SOCKOPT_DVRC_RX_LAYERS are an array of 1 to
 * 16 cumulative rates in bytes/s: that of layer 1, of layers 1 and 2, and so on.
 * Each is greater than the one before, and the first is not 0. The sender sends its
 * layers to the receiver. Layers that are set at the receiver take precedence.
 *
 * K is the number of layers that may be sent, DCCP_SOCKOPT_DVRC_K of the sending
 * socket. It is 0 as long as there are no layers. When K has changed, poll() reports
 * POLLPRI until K is read.
 *
 * To tag a packet with its layer, set DCCP_SOCKOPT_QPOLICY_ID to
 * DCCPQ_POLICY_PRIO before the connection. Then call sendmsg() with a control
 * message of level SOL_DCCP and type DCCP_SCM_PRIORITY, a __u32 of
 * DCCP_DVRC_PRIORITY(layer). Packets of layers above K are not sent. A packet
 * without a tag belongs to layer 1, but is sent last.
 */
#define DCCP_DVRC_LAYERS_MAX		16
#define DCCP_DVRC_PRIORITY(layer)	(DCCP_DVRC_LAYERS_MAX + 1 - (layer))

/* What DVRC's receiver did last. */
enum dccp_dvrc_decision {
	DCCP_DVRC_START = 0,		/* nothing so far */
	DCCP_DVRC_INCREASE = 1,		/* a round trip without loss */
	DCCP_DVRC_RANDOM = 2,		/* loss, taken for random: additive decrease */
	DCCP_DVRC_CONGESTION = 3,	/* loss, taken for congestion: multiplicative */
	DCCP_DVRC_TIMEOUT = 4,		/* nothing arrived for DTO: multiplicative */
};

/**
 * struct dccp_dvrc_tx_params - DCCP_SOCKOPT_DVRC_TX: the sender's parameters
 *
 * @gamma:	weight of the smoothed round-trip time so far, in 10^-3 (0 to 999)
 * @epsilon:	weight of its deviation so far, in 10^-3 (0 to 999)
 * @slow_start:	1: the first rate is c_1, but no more than the initial rate, and
 *		layers are joined as the allowed rate grows; 0: the first rate is
 *		c_1, as far as the Sequence Window allows, and K is what the
 *		receiver says
 * @l4s:	1: respond to ECN marks in proportion to their number (ECT(1), RFC 9331),
 *		if the receiver takes part; 0: a mark is like a loss
 * @target_delay: delay of the queue to aim at, ms (5 to 1000); 0: no such limit
 * @frame_rate:	the packets of a frame are spread over the time to the next one, frames/s
 *		(1 to 1000); 0: they are not
 */
struct dccp_dvrc_tx_params {
	__u16	gamma;
	__u16	epsilon;
	__u8	slow_start;
	__u8	l4s;
	__u16	target_delay;
	__u16	frame_rate;
};

/**
 * struct dccp_dvrc_rx_params - DCCP_SOCKOPT_DVRC_RX: the receiver's parameters
 *
 * @alpha_i:	increase in a round trip without loss, packets in a round trip, in
 *		10^-3 (1 to 65535)
 * @alpha_d:	decrease at a random loss, likewise (1 to 65535)
 * @beta_d:	factor of the rate in congestion, in 10^-3 (1 to 999)
 * @n:		deviations below the mean from which on it is congestion, in 10^-3
 *		(0 to 65535)
 * @weight:	without layers the rate is no more than this times that of TFRC's
 *		equation, in 10^-3 (1 to 65535)
 * @ack_ratio:	data packets for each acknowledgment (1 to 255)
 * @loss_history: loss intervals that p is averaged over, for the equation (2 to 255)
 * @weight_layers: the same as @weight with layers, in 10^-3; 0: c_k alone bounds
 *		the rate
 * @delta:	weight of the round-trip time's deviation in DTO, in 10^-3
 * @gain_mean:	gain of the mean receiving rate, in 10^-3 (1 to 1000)
 * @gain_deviation: gain of its deviation, in 10^-3 (1 to 1000)
 * @hold:	after the first loss event, how long a layer must have fit before it
 *		is joined, ms (0 to 60000)
 * @validation:	1: with layers, too, the rate grows only while at least half of
 *		it, or of c_K, arrives; with and without layers it is halved for each
 *		2 DTO of a pause, down to the first rate or the initial rate
 * @reserved:	0
 * @nominal_size: packet size of increase, decrease and the equation, bytes (1 to 1460,
 *		1460 is recommended for small packets; RFC 4828); 0: the mean size of
 *		the packets
 */
struct dccp_dvrc_rx_params {
	__u16	alpha_i;
	__u16	alpha_d;
	__u16	beta_d;
	__u16	n;
	__u16	weight;
	__u8	ack_ratio;
	__u8	loss_history;
	__u16	weight_layers;
	__u16	delta;
	__u16	gain_mean;
	__u16	gain_deviation;
	__u16	hold;
	__u8	validation;
	__u8	reserved;
	__u16	nominal_size;
};

#endif /* _UAPI_LINUX_DCCP_CCID_H */
