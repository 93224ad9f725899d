/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The glue of lib_tfrc: what connects the algorithms of <net/tfrc.h> with DCCP.
 *
 * A CCID puts struct tfrc_hc_tx or struct tfrc_hc_rx first in the private state
 * of its half-connection and its own state behind it. The functions named
 * tfrc_hc_* then serve directly as hooks of struct ccid_operations; where a
 * scheme does more, it wraps them. All are called with the socket locked.
 */
#ifndef _NET_TFRC_CCID_H
#define _NET_TFRC_CCID_H

#include <linux/device/driver.h>
#include <linux/hrtimer.h>
#include <linux/timer.h>
#include <net/tfrc.h>
#include <net/tfrc_params.h>
#include <uapi/linux/dccp_ccid.h>

#include "ccid.h"
#include "dccp.h"
#include "feat.h"

/* options.c */

/*
 * Options of a data packet (128 to 191) and of a feedback packet (from 192 on).
 * RFC 4342, 8 has Loss Event Rate and Receive Rate; the others are our own.
 */
enum tfrc_option {
	TFRC_OPT_INTERVAL	 = 136,	/* report each so many us, R in us: 2 be32 */
	TFRC_OPT_PATH		 = 137,	/* RTT and its deviation in us: 2 be32 */
	TFRC_OPT_ROUND		 = 138,	/* rate in bytes/s, us waited: 2 be32 */
	TFRC_OPT_LAYERS		 = 139,	/* cumulative rates, bytes/s: 1 to 16 be32 */
	TFRC_OPT_LOSS_EVENT_RATE = 192,	/* 1/p rounded up, be32 */
	TFRC_OPT_RECEIVE_RATE	 = 194,	/* X_recv in bytes/s, be32 */
	TFRC_OPT_SIGNALS	 = 200,	/* packets lost, marked: 2 be16 */
	TFRC_OPT_LOSS_SHARE	 = 201,	/* since the last report, 2^-32, be32 */
	TFRC_OPT_BOTTLENECK	 = 202,	/* bytes/s, 0: unknown, be32 */
	TFRC_OPT_TOLD		 = 203,	/* bytes/s, timeout in us: 2 be32, u8 */
};

/* Lengths with the header, for ccid_hc_tx_opt_len. */
#define TFRC_OPT_INTERVAL_LEN		10
#define TFRC_OPT_PATH_LEN		10
#define TFRC_OPT_ROUND_LEN		10
#define TFRC_OPT_LAYERS_LEN(n)		(2 + 4 * (n))

/* Options of a report, and which of them make a whole one. */
#define TFRC_HAS_P			0x1
#define TFRC_HAS_X_RECV			0x2
#define TFRC_HAS_SIGNALS		0x4
#define TFRC_HAS_LOSS			0x8
#define TFRC_HAS_X_PAIR			0x10
#define TFRC_HAS_TOLD			0x20
#define TFRC_REPORT_TFRC	(TFRC_HAS_P | TFRC_HAS_X_RECV | TFRC_HAS_SIGNALS)
#define TFRC_REPORT_INTERVAL	(TFRC_REPORT_TFRC | TFRC_HAS_LOSS | TFRC_HAS_X_PAIR)
#define TFRC_REPORT_TOLD	(TFRC_HAS_X_RECV | TFRC_HAS_SIGNALS | TFRC_HAS_TOLD)

/* Report intervals, ns, that either end accepts. */
#define TFRC_INTERVAL_MIN		(100 * TFRC_NSEC_PER_MSEC)
#define TFRC_INTERVAL_MAX		(60 * TFRC_NSEC_PER_SEC)

/**
 * struct tfrc_stash - options of a packet that is not yet accepted
 * @need: options of a whole report, TFRC_REPORT_*; others are passed over
 * @seen: those of them that the packet has, TFRC_HAS_*
 * @pinv: Loss Event Rate
 * @x_recv: Receive Rate
 * @lost: lost packets, modulo 2^16
 * @marked: marked packets, modulo 2^16
 * @loss: Loss Share
 * @x_pair: Bottleneck
 * @told: rate of Told
 * @timeout: its timeout, us
 * @number: its number
 */
struct tfrc_stash {
	u8	need;
	u8	seen;
	u8	number;
	u16	lost;
	u16	marked;
	u32	pinv;
	u32	x_recv;
	u32	loss;
	u32	x_pair;
	u32	told;
	u32	timeout;
};

/**
 * struct tfrc_interval - the option INTERVAL of a packet not yet accepted
 * @interval: how often the sender of data wants a report, ns
 * @rtt: its smoothed round-trip time, ns
 * @seen: the packet has the option
 */
struct tfrc_interval {
	u64	interval;
	u64	rtt;
	bool	seen;
};

/**
 * struct tfrc_round - the option ROUND of a packet not yet accepted
 * @rate: the rate that the sender of data keeps to
 * @waited: time from the report that began the round to this packet, ns
 * @seen: the packet has the option
 */
struct tfrc_round {
	u64	rate;
	u64	waited;
	bool	seen;
};

/**
 * struct tfrc_path - the option PATH of a packet not yet accepted
 * @rtt: the sender's smoothed round-trip time, ns
 * @deviation: how much it varies, ns
 * @seen: the packet has the option
 */
struct tfrc_path {
	u64	rtt;
	u64	deviation;
	bool	seen;
};

#define TFRC_LAYERS_MAX			16

/**
 * struct tfrc_layers - the option LAYERS of a packet not yet accepted
 * @rate: cumulative rates, bytes/s, in the order and of the values that came
 * @n: how many; 0 if the packet does not have the option
 */
struct tfrc_layers {
	u32	rate[TFRC_LAYERS_MAX];
	u32	n;
};

int tfrc_stash_option(struct tfrc_stash *st, u8 opt, const u8 *val, u8 len);
bool tfrc_stash_take(struct tfrc_stash *st, struct tfrc_feedback *fb);
int tfrc_insert_feedback(struct sk_buff *skb, const struct tfrc_feedback *fb);
int tfrc_insert_shares(struct sk_buff *skb, const struct tfrc_feedback *fb);
int tfrc_insert_told(struct sk_buff *skb, const struct tfrc_feedback *fb);
int tfrc_stash_interval(struct tfrc_interval *iv, u8 opt, const u8 *val,
			u8 len);
int tfrc_insert_interval(struct sk_buff *skb, u64 interval, u64 rtt);
int tfrc_stash_round(struct tfrc_round *rd, u8 opt, const u8 *val, u8 len);
int tfrc_insert_round(struct sk_buff *skb, u64 rate, u64 waited);
int tfrc_stash_path(struct tfrc_path *path, u8 opt, const u8 *val, u8 len);
int tfrc_insert_path(struct sk_buff *skb, u64 rtt, u64 deviation);
int tfrc_stash_layers(struct tfrc_layers *l, u8 opt, const u8 *val, u8 len);
int tfrc_insert_layers(struct sk_buff *skb, const u32 *rate, u32 n);

/* pacer.c */

/**
 * struct tfrc_pacer - releases queued packets at their nominal times
 * @pacing: these times
 * @timer: fires at that of the packet that waits
 * @sk: the socket, which outlives the pacer
 * @stopped: do not arm the timer again
 */
struct tfrc_pacer {
	struct tfrc_pacing	pacing;
	struct hrtimer		timer;
	struct sock		*sk;
	bool			stopped;
};

void tfrc_pacer_init(struct tfrc_pacer *p, struct sock *sk);
bool tfrc_pacer_ready(struct tfrc_pacer *p, u64 interval, u64 now);
void tfrc_pacer_wait(struct tfrc_pacer *p, u64 until);
void tfrc_pacer_rate_changed(struct tfrc_pacer *p, u64 interval, u64 now);
void tfrc_pacer_stop(struct tfrc_pacer *p);

/* hc_tx.c */

/**
 * struct tfrc_hc_tx - sending half of a connection
 * @snd: the algorithm
 * @hist: send times
 * @pacer: holds packets back
 * @nofeedback: nofeedback timer
 * @stash: options of the packet that is being received
 * @sk: the socket
 * @t_window: when @ccval was last incremented
 * @t_sent: when the last packet was sent
 * @ipi: time that it takes at rate @ipi_x, if its payload is @ipi_len
 * @ipi_x: rate
 * @ipi_len: bytes
 * @last_len: payload of the last packet sent
 * @ccval: window counter (RFC 4342, 8.1)
 * @acks: how many of the next packets acknowledge the last report
 * @started: the first packet was sent
 * @limited: the packet that goes next was held back
 * @at_once: the packet that goes next need not wait for its nominal time; those
 *	after it wait longer
 */
struct tfrc_hc_tx {
	struct tfrc_sender	snd;
	struct tfrc_tx_history	hist;
	struct tfrc_pacer	pacer;
	struct timer_list	nofeedback;
	struct tfrc_stash	stash;
	struct sock		*sk;
	u64			t_window;
	u64			t_sent;
	u64			ipi;
	u64			ipi_x;
	u32			ipi_len;
	u32			last_len;
	u8			ccval;
	u8			acks;
	bool			started;
	bool			limited;
	bool			at_once;
};

static inline struct tfrc_hc_tx *tfrc_hc_tx(const struct sock *sk)
{
	return ccid_priv(dccp_sk(sk)->dccps_hc_tx_ccid);
}

extern const struct ccid_dependency tfrc_hc_tx_deps[];

void tfrc_hc_tx_init(struct tfrc_hc_tx *hc, struct sock *sk,
		     const struct tfrc_scheme *scheme, void *priv);
void tfrc_hc_tx_stop(struct sock *sk);
int tfrc_hc_tx_send_packet(struct sock *sk, struct sk_buff *skb);
void tfrc_hc_tx_packet_sent(struct sock *sk, unsigned int len);
void tfrc_hc_tx_packet_recv(struct sock *sk, struct sk_buff *skb);
int tfrc_hc_tx_parse_options(struct sock *sk, u8 pkt, u8 opt, u8 *val, u8 len);
void tfrc_hc_tx_get_info(struct sock *sk, struct tcp_info *info);
void tfrc_hc_tx_fill_info(struct sock *sk, struct dccp_ccid_tx_info *info);
void tfrc_seq_window(struct sock *sk, u64 flight);

/* hc_rx.c */

/**
 * struct tfrc_hc_rx - receiving half of a connection
 * @rcv: the algorithm
 * @fb: the report that goes on the next acknowledgment
 * @timer: reports what came last before a pause
 * @sk: the socket
 * @reported: value of @rcv.packets at the last report
 * @t_acks: since when @acks counts
 * @acks: acknowledgments sent in this round trip
 * @interval: time from report to report, ns; 0: as RFC 4342 has it. If not 0,
 *	CCVal does not count quarters of a round trip.
 */
struct tfrc_hc_rx {
	struct tfrc_receiver	rcv;
	struct tfrc_feedback	fb;
	struct timer_list	timer;
	struct sock		*sk;
	u64			reported;
	u64			t_acks;
	u64			interval;
	u32			acks;
};

static inline struct tfrc_hc_rx *tfrc_hc_rx(const struct sock *sk)
{
	return ccid_priv(dccp_sk(sk)->dccps_hc_rx_ccid);
}

/*
 * Has nothing come that was sent later? If something has, what the options of @skb
 * say of their sender is out of date; they are parsed before that is known.
 */
static inline bool tfrc_hc_rx_newest(const struct sock *sk,
				     const struct sk_buff *skb)
{
	return DCCP_SKB_CB(skb)->dccpd_seq == dccp_sk(sk)->dccps_gsr;
}

extern const struct ccid_dependency tfrc_hc_rx_deps[];

void tfrc_hc_rx_init(struct tfrc_hc_rx *hc, struct sock *sk, u32 n,
		     const struct tfrc_scheme *scheme, void *priv);
void tfrc_hc_rx_stop(struct sock *sk);
void tfrc_hc_rx_packet_recv(struct sock *sk, struct sk_buff *skb);
int tfrc_hc_rx_insert_options(struct sock *sk, struct sk_buff *skb);
void tfrc_hc_rx_get_info(struct sock *sk, struct tcp_info *info);
void tfrc_hc_rx_fill_info(struct sock *sk, struct dccp_ccid_rx_info *info);
int tfrc_hc_rx_getsockopt(struct sock *sk, const int optname, int len,
			  u32 __user *optval, int __user *optlen);

/*
 * The least room for an answer to DCCP_SOCKOPT_CCID_TX_INFO: the members of CCID 3's
 * structure, without the padding that aligns its 64-bit members. On i386 these are
 * aligned to 32 bits, and the programs there ask for 36 bytes.
 */
#define TFRC_TX_INFO_LEAST	offsetofend(struct tfrc_tx_info, tfrctx_ipi)

int tfrc_put_info(const void *info, int size, int least, int len,
		  u32 __user *optval, int __user *optlen);

/* Hooks of the sending half that a scheme leaves as they are. */
#define TFRC_HC_TX_HOOKS						\
	.ccid_hc_tx_deps	   = tfrc_hc_tx_deps,			\
	.ccid_hc_tx_packet_sent	   = tfrc_hc_tx_packet_sent,		\
	.ccid_hc_tx_stop	   = tfrc_hc_tx_stop,			\
	.ccid_hc_tx_packet_recv	   = tfrc_hc_tx_packet_recv,		\
	.ccid_hc_tx_parse_options  = tfrc_hc_tx_parse_options,		\
	.ccid_hc_tx_get_info	   = tfrc_hc_tx_get_info

/* Hooks of the receiving half that a scheme leaves as they are. */
#define TFRC_HC_RX_HOOKS						\
	.ccid_hc_rx_deps	   = tfrc_hc_rx_deps,			\
	.ccid_hc_rx_stop	   = tfrc_hc_rx_stop,			\
	.ccid_hc_rx_get_info	   = tfrc_hc_rx_get_info

/**
 * module_ccid - a module that registers one CCID and does nothing else
 * @ops: its struct ccid_operations
 */
#define module_ccid(ops)	module_driver(ops, ccid_register, ccid_unregister)

/**
 * module_ccid_params - the same for a CCID with parameters
 * @ops: its struct ccid_operations
 * @all: its table of parameters
 */
#define module_ccid_params(ops, all)					\
	module_driver(ops, tfrc_ccid_register, tfrc_ccid_unregister, all)

#endif /* _NET_TFRC_CCID_H */
