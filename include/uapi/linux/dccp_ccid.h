/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * Congestion controls for media over DCCP: what an application sets and reads.
 *
 * All options are at level SOL_DCCP. The numbers from 128 to 191 belong to the
 * receiving half of a connection, those from 192 to 255 to the sending half
 * (as DCCP_SOCKOPT_CCID_RX_INFO and DCCP_SOCKOPT_CCID_TX_INFO of <linux/dccp.h>
 * do). They may be set before the connection, and are then inherited by the
 * children of a listening socket, or while it is open. A value that is out of
 * range gives EINVAL and changes nothing.
 */
#ifndef _UAPI_LINUX_DCCP_CCID_H
#define _UAPI_LINUX_DCCP_CCID_H

#include <linux/types.h>

/* RFC 4340, table 5: 248 to 254 are reserved for experiments. */
#define DCCPC_MARC			248
#define DCCPC_LTFRC			250

/* Number of the scheme's own options, in both directions of a connection. */
#define DCCP_SOCKOPT_MARC_RX		136	/* struct dccp_marc_rx_params */
#define DCCP_SOCKOPT_LTFRC_RX		152	/* struct dccp_ltfrc_rx_params */
#define DCCP_SOCKOPT_MARC_TX		200	/* struct dccp_marc_tx_params */
#define DCCP_SOCKOPT_LTFRC_TX		216	/* struct dccp_ltfrc_equation */

/**
 * struct dccp_ccid_tx_info - DCCP_SOCKOPT_CCID_TX_INFO of a TFRC-like sender
 *
 * The first seven members are those of struct tfrc_tx_info, which CCID 3
 * returns, in its units: a program written for CCID 3 keeps working. Values
 * that do not fit in their 32 bits saturate. The kernel copies as much as the
 * caller has room for, at least these 40 bytes.
 *
 * @tfrctx_x:		allowed rate X, in 1/64 byte/s
 * @tfrctx_x_recv:	receive rate last reported, in 1/64 byte/s
 * @tfrctx_x_calc:	rate of the throughput equation, bytes/s (0 while p = 0)
 * @tfrctx_rtt:		smoothed round-trip time R, us
 * @tfrctx_p:		loss event rate p, in 10^-6
 * @tfrctx_rto:		nofeedback timeout, us
 * @tfrctx_ipi:		nominal spacing of packets, us
 * @ccid:		number of the CCID that fills this in
 * @flags:		DCCP_CCID_TX_*
 * @x:			allowed rate X, bytes/s
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
 * @seq_window:		Sequence Window in force (RFC 4340, 7.5.2)
 * @marc:		state of MARC
 * @ltfrc:		state of L-TFRC
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
		 */
		struct {
			__s64	tokens;
			__u64	x_tfrc;
			__u32	decision;
			__u32	reserved;
		} marc;
		/**
		 * @ltfrc.a: coefficients a_0 to a_3 in force, times
		 *	DCCP_LTFRC_ONE
		 * @ltfrc.x_tcp: rate of Padhye's equation, which TFRC has,
		 *	bytes/s (0 while p = 0)
		 * @ltfrc.k: enum dccp_ltfrc_class
		 * @ltfrc.bounded: x_calc is held to weight times x_tcp
		 */
		struct {
			__s32	a[4];
			__u64	x_tcp;
			__u32	k;
			__u32	bounded;
		} ltfrc;
		__u64	reserved[16];
	};
};

#define DCCP_CCID_TX_SLOW_START		0x1	/* no loss event seen yet */
#define DCCP_CCID_TX_APP_LIMITED	0x2	/* X was not used in full */
#define DCCP_CCID_TX_ECN		0x4	/* data packets carry ECT(0) */

/**
 * struct dccp_ccid_rx_info - DCCP_SOCKOPT_CCID_RX_INFO of a TFRC receiver
 *
 * The first three members are those of struct tfrc_rx_info (CCID 3).
 *
 * @tfrcrx_x_recv:	receive rate, bytes/s
 * @tfrcrx_rtt:		round-trip time as the receiver knows it, us
 * @tfrcrx_p:		loss event rate p, in 10^-6
 * @ccid:		number of the CCID that fills this in
 * @loss_history:	number n of loss intervals that p is averaged over
 * @x_recv:		receive rate, bytes/s
 * @p_ppb:		loss event rate p, in 10^-9
 * @packets_received:	data packets received
 * @packets_lost:	data packets lost
 * @packets_marked:	data packets received with a CE mark
 * @loss_events:	loss events, marks included
 * @feedbacks:		feedback packets sent
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
};

/* What MARC did with the rate that TFRC asked for. */
enum dccp_marc_decision {
	DCCP_MARC_TFRC = 0,	/* took TFRC's rate */
	DCCP_MARC_KEEP = 1,	/* no congestion signal: kept the previous rate */
	DCCP_MARC_LIMIT = 2,	/* signal: reduced the previous rate by delta */
};

/* How the sender is held to what the receiver gets (self-clocking). */
enum dccp_tfrc_clock {
	DCCP_TFRC_CLOCK_PAPER = 0,	/* X_recv after a loss event, else 1.5 X_recv */
	DCCP_TFRC_CLOCK_RFC5348 = 1,	/* RFC 5348, 4.3: 2 max(X_recv_set) */
};

/**
 * struct dccp_marc_tx_params - DCCP_SOCKOPT_MARC_TX: the sender's parameters
 *
 * @beta:	decay of the token value for each feedback, in 10^-3 (0 to 1000)
 * @delta_loss:	largest decrease for each feedback after a loss, in 10^-3
 *		(1 to 999)
 * @delta_mark:	the same when all signals are CE marks, in 10^-3 (1 to 999)
 * @tokens:	1: MARC; 0: the token value is held at 0, which is plain TFRC
 * @clock:	enum dccp_tfrc_clock
 */
struct dccp_marc_tx_params {
	__u16	beta;
	__u16	delta_loss;
	__u16	delta_mark;
	__u8	tokens;
	__u8	clock;
};

/**
 * struct dccp_marc_rx_params - DCCP_SOCKOPT_MARC_RX: the receiver's parameters
 *
 * @loss_history:	n, the loss intervals that p is averaged over (2 to 128)
 */
struct dccp_marc_rx_params {
	__u32	loss_history;
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
 * struct dccp_ltfrc_equation - DCCP_SOCKOPT_LTFRC_TX: what rate does p allow?
 *
 * X = s/R (a_0 + a_1 ln p + a_2 ln^2 p + a_3 ln^3 p), which for a class is
 * k s/R (-0.25 - 0.5 ln p). The two ends of a connection should have the same.
 *
 * @k:		enum dccp_ltfrc_class
 * @weight:	the bound is this times the rate of TFRC's equation, in 10^-3
 *		(1 to 65535)
 * @bounded:	1: apply the bound; the bounded-friendly class always does
 * @reserved:	0
 * @a:		for DCCP_LTFRC_POLYNOMIAL, a_0 to a_3 times DCCP_LTFRC_ONE, such
 *		that for p from 10^-9 to 1 more loss never gives a greater rate,
 *		and 10^-9 allows one; else ignored
 */
struct dccp_ltfrc_equation {
	__u16	k;
	__u16	weight;
	__u8	bounded;
	__u8	reserved[3];
	__s32	a[4];
};

/**
 * struct dccp_ltfrc_rx_params - DCCP_SOCKOPT_LTFRC_RX: the receiver's parameters
 *
 * @loss_history:	loss intervals that p is averaged over (2 to 128)
 * @equation:		the sender's: from it follows the first loss interval
 */
struct dccp_ltfrc_rx_params {
	__u32				loss_history;
	struct dccp_ltfrc_equation	equation;
};

#endif /* _UAPI_LINUX_DCCP_CCID_H */
