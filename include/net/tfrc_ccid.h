/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The glue of lib_tfrc: what connects the algorithms of <net/tfrc.h> with DCCP.
 *
 * The private state of a CCID's half-connection begins with struct tfrc_hc_tx or
 * struct tfrc_hc_rx. The algorithm follows, which embeds struct tfrc_sender or
 * struct tfrc_receiver. Then the functions named tfrc_hc_* are hooks of struct
 * ccid_operations. A scheme that does more wraps them. All are called with the
 * socket locked.
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
 * Options of a feedback packet (192 to 255), and one of a data packet (128 to 191), that
 * two or more schemes have. Loss Event Rate and Receive Rate are those of RFC 4342, 8;
 * this project defines the others. The options that only one scheme has are in its wire.c.
 */
enum tfrc_option {
	TFRC_OPT_L4S		 = 140,	/* 1: sent with ECT(1), 0: an offer; u8 */
	TFRC_OPT_LOSS_EVENT_RATE = 192,	/* 1/p rounded up, be32 */
	TFRC_OPT_RECEIVE_RATE	 = 194,	/* X_recv in bytes/s, be32 */
	TFRC_OPT_SIGNALS	 = 200,	/* packets lost, marked: 2 be16 */
	TFRC_OPT_REQUEST	 = 203,	/* bytes/s, timeout in us: 2 be32, u8 */
	TFRC_OPT_ARRIVAL	 = 204,	/* by the receiver's clock, us, be32 */
	TFRC_OPT_L4S_READ	 = 205,	/* marks with ECT(1) are no losses; empty */
};

/* Bits of @options of struct tfrc_receiver; the scheme has the lower ones */
#define TFRC_RX_HAS_L4S			0x40
#define TFRC_RX_HAS_ECT1		0x80

/*
 * The option L4S is not in ccid_hc_tx_opt_len. The core leaves room for Data Checksum (6
 * bytes), which Linux does not send, so the maximum packet size is always the same.
 */
#define TFRC_OPT_L4S_LEN		3

/* Options of a report, and the sets of them that make it complete */
#define TFRC_HAS_P			0x1
#define TFRC_HAS_X_RECV			0x2
#define TFRC_HAS_SIGNALS		0x4
#define TFRC_HAS_RATE			0x8
#define TFRC_HAS_ARRIVAL		0x10	/* no report needs it */
#define TFRC_HAS_L4S			0x20	/* L4S Read, likewise */
#define TFRC_HAS_OWN			0x40	/* this and higher bits: the scheme's */
#define TFRC_REPORT	(TFRC_HAS_P | TFRC_HAS_X_RECV | TFRC_HAS_SIGNALS)
#define DRIVEN_REPORT	(TFRC_HAS_X_RECV | TFRC_HAS_SIGNALS | TFRC_HAS_RATE)

/**
 * struct tfrc_pending - report on a packet that is not yet accepted
 * @need: options of a complete report; others but Arrival and L4S Read are ignored
 * @seen: those of all these that the packet has, TFRC_HAS_*; 0 on most packets
 * @pinv: Loss Event Rate
 * @x_recv: Receive Rate
 * @lost: lost packets, modulo 2^16
 * @marked: marked packets, modulo 2^16
 * @loss: share of lost packets, if reports have it
 * @x_pair: rate of the bottleneck, bytes/s, likewise
 * @rate: rate in the option Request
 * @timeout: timeout in it, us
 * @number: number in it
 * @arrival: Arrival
 */
struct tfrc_pending {
	u8	need;
	u8	seen;
	u8	number;
	u16	lost;
	u16	marked;
	u32	pinv;
	u32	x_recv;
	u32	loss;
	u32	x_pair;
	u32	rate;
	u32	timeout;
	u32	arrival;
};

int tfrc_pending_option(struct tfrc_pending *pd, u8 opt, const u8 *val, u8 len);
bool tfrc_pending_take(struct tfrc_pending *pd, struct tfrc_feedback *fb);

u32 tfrc_get_be32(const u8 *val);
u64 tfrc_get_us(const u8 *val);
u32 tfrc_us(u64 ns);
int tfrc_put_be32(struct sk_buff *skb, u8 opt, u64 value);
int tfrc_put_2be32(struct sk_buff *skb, u8 opt, u64 a, u64 b);
int tfrc_data_option(struct tfrc_receiver *r, u8 opt, const u8 *val, u8 len);
int tfrc_put_l4s(struct sk_buff *skb, bool ect1);

/* Header and value of an option with two be32, for ccid_hc_tx_opt_len. */
#define TFRC_OPT_2BE32_LEN		10

/* Options of a data packet (128 to 191) are ignored on other packets. */
static inline bool tfrc_on_data(u8 pkt)
{
	return pkt == DCCP_PKT_DATA || pkt == DCCP_PKT_DATAACK;
}

/* pacer.c */

/**
 * struct tfrc_pacer - releases queued packets at their nominal times
 * @pacing: these times
 * @timer: expires at the nominal time of the packet that waits
 * @sk: the socket
 * @stopped: do not arm the timer again, and touch @sk no more
 * @by_rate: the timer was set since the rate holds a packet back
 */
struct tfrc_pacer {
	struct tfrc_pacing	pacing;
	struct hrtimer		timer;
	struct sock		*sk;
	bool			stopped;
	bool			by_rate;
};

void tfrc_pacer_init(struct tfrc_pacer *p, struct sock *sk);
bool tfrc_pacer_ready(struct tfrc_pacer *p, u64 interval, u64 late, u64 now);
void tfrc_pacer_wait(struct tfrc_pacer *p, u64 until);
void tfrc_pacer_rate_changed(struct tfrc_pacer *p, u64 interval, u64 now);
bool tfrc_pacer_waits(struct tfrc_pacer *p);
void tfrc_pacer_skip(struct tfrc_pacer *p);
void tfrc_pacer_stop(struct tfrc_pacer *p);
void tfrc_pacer_free(struct tfrc_pacer *p);

/* hc_tx.c */

/**
 * struct tfrc_hc_tx - sending half of a connection
 * @snd: the algorithm, which follows in the CCID's private state
 * @hist: send times
 * @counter: CCVal of data packets, unless the scheme sets another
 * @pacer: holds packets back
 * @nofeedback: nofeedback timer
 * @pending: report on the packet that is being received
 * @sk: the socket
 * @t_sent: when the last packet was sent
 * @ipi: cached time between packets, at rate @ipi_x with a payload of @ipi_len
 * @ipi_x: rate
 * @ipi_len: bytes
 * @last_len: payload of the last packet sent
 * @started: the first packet was sent
 * @limited: the pacer held back the next packet
 * @at_once: the next packet need not wait for its nominal time; the packets after
 *	it wait longer
 */
struct tfrc_hc_tx {
	struct tfrc_sender	*snd;
	struct tfrc_tx_history	hist;
	struct tfrc_window_counter counter;
	struct tfrc_pacer	pacer;
	struct timer_list	nofeedback;
	struct tfrc_pending	pending;
	struct sock		*sk;
	u64			t_sent;
	u64			ipi;
	u64			ipi_x;
	u32			ipi_len;
	u32			last_len;
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
		     struct tfrc_sender *snd, u8 need);
void tfrc_hc_tx_configure(struct tfrc_hc_tx *hc, u32 target_delay,
			  u32 frame_rate, bool l4s);
void tfrc_hc_tx_stop(struct sock *sk);
void tfrc_hc_tx_free(struct ccid *ccid);
int tfrc_hc_tx_send_packet(struct sock *sk, struct sk_buff *skb);
bool tfrc_hc_tx_waits(struct sock *sk);
int tfrc_hc_tx_send_at(struct sock *sk, struct sk_buff *skb, u64 now);
void tfrc_hc_tx_packet_sent(struct sock *sk, unsigned int len);
void tfrc_hc_tx_packet_recv(struct sock *sk, struct sk_buff *skb);
int tfrc_hc_tx_parse_options(struct sock *sk, u8 pkt, u8 opt, u8 *val, u8 len);
int tfrc_hc_tx_insert_options(struct sock *sk, struct sk_buff *skb);

/* Called by a scheme that sends packets in a way of its own */
bool tfrc_hc_tx_ready(struct tfrc_hc_tx *hc, u64 now);
void tfrc_hc_tx_hold(struct tfrc_hc_tx *hc, u64 x);
void tfrc_hc_tx_add_options(struct tfrc_hc_tx *hc, u8 options);
u64 tfrc_hc_tx_ipi(struct tfrc_hc_tx *hc);

/* Whether the next packet is sent without waiting for its nominal time */
static inline void tfrc_hc_tx_next_at_once(struct tfrc_hc_tx *hc, bool at_once)
{
	hc->at_once = at_once;
}

/* seq_window.c */

void tfrc_seq_window(struct sock *sk, u64 packets, u64 flight);

/* hc_rx.c */

/**
 * struct tfrc_hc_rx - receiving half of a connection
 * @rcv: the algorithm, which follows in the CCID's private state
 * @fb: the report that the next acknowledgment carries
 * @timer: makes a report at the deadline
 * @t_timer: when it expires, if it is pending
 * @sk: the socket
 * @t_acks: start of the round trip of @acks
 * @acks: acknowledgments sent in this round trip
 */
struct tfrc_hc_rx {
	struct tfrc_receiver	*rcv;
	struct tfrc_feedback	fb;
	struct timer_list	timer;
	u64			t_timer;
	struct sock		*sk;
	u64			t_acks;
	u32			acks;
};

static inline struct tfrc_hc_rx *tfrc_hc_rx(const struct sock *sk)
{
	return ccid_priv(dccp_sk(sk)->dccps_hc_rx_ccid);
}

extern const struct ccid_dependency tfrc_hc_rx_deps[];

void tfrc_hc_rx_init(struct tfrc_hc_rx *hc, struct sock *sk,
		     struct tfrc_receiver *rcv);
void tfrc_hc_rx_stop(struct sock *sk);
void tfrc_hc_rx_exit(struct sock *sk);
void tfrc_hc_rx_packet_recv(struct sock *sk, struct sk_buff *skb);
int tfrc_hc_rx_insert_options(struct sock *sk, struct sk_buff *skb);
int tfrc_hc_rx_parse_options(struct sock *sk, u8 pkt, u8 opt, u8 *val, u8 len);

/* info.c */

void tfrc_hc_tx_get_info(struct sock *sk, struct tcp_info *info);
void tfrc_hc_rx_get_info(struct sock *sk, struct tcp_info *info);
void tfrc_hc_tx_fill_info(struct sock *sk, struct dccp_ccid_tx_info *info);
void tfrc_hc_rx_fill_info(struct sock *sk, struct dccp_ccid_rx_info *info);
void rfc5348_fill_rx(struct sock *sk, struct dccp_ccid_rx_info *info);

/*
 * The least room for an answer to DCCP_SOCKOPT_CCID_TX_INFO: the members of CCID 3's
 * structure, without the padding that aligns its 64-bit members. On i386 these are
 * aligned to 32 bits, and the programs there ask for 36 bytes.
 */
#define TFRC_TX_INFO_LEAST	offsetofend(struct tfrc_tx_info, tfrctx_ipi)

int tfrc_put_info(const void *info, int size, int least, int len,
		  u32 __user *optval, int __user *optlen);

/**
 * TFRC_CCID - the members of struct ccid_operations that all CCIDs of the library share
 * @scheme: its name; struct @scheme_hc_tx, @scheme_tx_init() and so on must exist, and
 *	TFRC_SOCKOPTS() must have been used
 * @number: its number
 *
 * The CCID itself sets the other members: how a packet is sent, and options.
 */
#define TFRC_CCID(scheme, number)					\
	.ccid_id		   = (number),				\
	.ccid_name		   = #scheme,				\
	.ccid_owner		   = THIS_MODULE,			\
	.ccid_check_sockopt	   = scheme##_check_sockopt,		\
	.ccid_preview_sockopt	   = scheme##_preview_sockopt,		\
	.ccid_hc_tx_deps	   = tfrc_hc_tx_deps,			\
	.ccid_hc_tx_obj_size	   = sizeof(struct scheme##_hc_tx),	\
	.ccid_hc_tx_init	   = scheme##_tx_init,			\
	.ccid_hc_tx_waits	   = tfrc_hc_tx_waits,			\
	.ccid_hc_tx_packet_sent	   = tfrc_hc_tx_packet_sent,		\
	.ccid_hc_tx_packet_recv	   = tfrc_hc_tx_packet_recv,		\
	.ccid_hc_tx_stop	   = tfrc_hc_tx_stop,			\
	.ccid_hc_tx_free	   = tfrc_hc_tx_free,			\
	.ccid_hc_tx_get_info	   = tfrc_hc_tx_get_info,		\
	.ccid_hc_tx_getsockopt	   = scheme##_getsockopt,		\
	.ccid_hc_tx_setsockopt	   = scheme##_setsockopt,		\
	.ccid_hc_rx_deps	   = tfrc_hc_rx_deps,			\
	.ccid_hc_rx_obj_size	   = sizeof(struct scheme##_hc_rx),	\
	.ccid_hc_rx_init	   = scheme##_rx_init,			\
	.ccid_hc_rx_packet_recv	   = tfrc_hc_rx_packet_recv,		\
	.ccid_hc_rx_insert_options = tfrc_hc_rx_insert_options,		\
	.ccid_hc_rx_stop	   = tfrc_hc_rx_stop,			\
	.ccid_hc_rx_exit	   = tfrc_hc_rx_exit,			\
	.ccid_hc_rx_get_info	   = tfrc_hc_rx_get_info,		\
	.ccid_hc_rx_getsockopt	   = scheme##_getsockopt,		\
	.ccid_hc_rx_setsockopt	   = scheme##_setsockopt

/**
 * module_ccid - a module that registers one CCID and does nothing else
 * @ops: its struct ccid_operations
 */
#define module_ccid(ops)	module_driver(ops, ccid_register, ccid_unregister)

/**
 * tfrc_module - the module of a CCID with parameters and presets, and what modinfo shows
 * @scheme: its name; ccid_@scheme_ops and @scheme_sockopts must exist
 * @number: its number, in digits
 * @text: what it is
 */
#define tfrc_module(scheme, number, text)				\
	module_driver(ccid_##scheme##_ops, tfrc_ccid_register,		\
		      tfrc_ccid_unregister, &scheme##_sockopts);	\
	module_param_cb(preset, &tfrc_preset_ops,			\
			(void *)&scheme##_sockopts, 0644);		\
	MODULE_PARM_DESC(preset, "sets all parameters: default, paper, ..."); \
	MODULE_LICENSE("GPL");						\
	MODULE_AUTHOR("The dccp-ccids developers");			\
	MODULE_VERSION(DCCP_CCIDS_VERSION);				\
	MODULE_DESCRIPTION("DCCP CCID " #number ": " text);		\
	MODULE_ALIAS("net-dccp-ccid-" #number);				\
	MODULE_ALIAS("net-dccp-ccid-" #scheme)

#endif /* _NET_TFRC_CCID_H */
