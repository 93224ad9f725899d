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
#include <linux/moduleparam.h>
#include <linux/timer.h>
#include <net/tfrc.h>
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
	TFRC_OPT_LOSS_EVENT_RATE = 192,	/* 1/p rounded up, be32 */
	TFRC_OPT_RECEIVE_RATE	 = 194,	/* X_recv in bytes/s, be32 */
	TFRC_OPT_SIGNALS	 = 200,	/* packets lost, marked: 2 be16 */
	TFRC_OPT_LOSS_SHARE	 = 201,	/* since the last report, 2^-32, be32 */
	TFRC_OPT_BOTTLENECK	 = 202,	/* bytes/s, 0: unknown, be32 */
};

/* Length of the option INTERVAL with its header, for ccid_hc_tx_opt_len. */
#define TFRC_OPT_INTERVAL_LEN		10

/* Report intervals, ns, that either end accepts. */
#define TFRC_INTERVAL_MIN		(100 * TFRC_NSEC_PER_MSEC)
#define TFRC_INTERVAL_MAX		(60 * TFRC_NSEC_PER_SEC)

/**
 * struct tfrc_stash - options of a packet that is not yet accepted
 * @on_interval: reports come on an interval, and have two options more
 * @seen: bit for each kind of option in the packet
 * @pinv: Loss Event Rate
 * @x_recv: Receive Rate
 * @lost: lost packets, modulo 2^16
 * @marked: marked packets, modulo 2^16
 * @loss: Loss Share
 * @x_pair: Bottleneck
 */
struct tfrc_stash {
	bool	on_interval;
	u8	seen;
	u16	lost;
	u16	marked;
	u32	pinv;
	u32	x_recv;
	u32	loss;
	u32	x_pair;
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

int tfrc_stash_option(struct tfrc_stash *st, u8 opt, const u8 *val, u8 len);
bool tfrc_stash_take(struct tfrc_stash *st, struct tfrc_feedback *fb);
int tfrc_insert_feedback(struct sk_buff *skb, const struct tfrc_feedback *fb);
int tfrc_insert_shares(struct sk_buff *skb, const struct tfrc_feedback *fb);
int tfrc_stash_interval(struct tfrc_interval *iv, u8 opt, const u8 *val,
			u8 len);
int tfrc_insert_interval(struct sk_buff *skb, u64 interval, u64 rtt);

/* pacer.c */

/**
 * struct tfrc_pacer - releases queued packets at their nominal times
 * @timer: fires at the nominal time of the packet that waits
 * @sk: the socket, which outlives the pacer
 * @t_last: nominal send time of the last packet
 * @late: the packet that goes next has waited for the timer
 * @stopped: do not arm the timer again
 */
struct tfrc_pacer {
	struct hrtimer	timer;
	struct sock	*sk;
	u64		t_last;
	bool		late;
	bool		stopped;
};

void tfrc_pacer_init(struct tfrc_pacer *p, struct sock *sk);
bool tfrc_pacer_ready(struct tfrc_pacer *p, u64 interval, u64 now);
bool tfrc_pacer_release(struct tfrc_pacer *p, u64 interval, u64 now);
void tfrc_pacer_rate_changed(struct tfrc_pacer *p, u64 interval);
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
 * @last_len: payload of the last packet sent
 * @ccval: window counter (RFC 4342, 8.1)
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
	u32			last_len;
	u8			ccval;
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

/* hc_rx.c */

/**
 * struct tfrc_hc_rx - receiving half of a connection
 * @rcv: the algorithm
 * @fb: the report that goes on the next acknowledgment
 * @timer: reports what came last before a pause
 * @sk: the socket
 * @reported: value of @rcv.packets at the last report
 * @interval: time from report to report, ns; 0: as RFC 4342 has it. If not 0,
 *	CCVal does not count quarters of a round trip.
 */
struct tfrc_hc_rx {
	struct tfrc_receiver	rcv;
	struct tfrc_feedback	fb;
	struct timer_list	timer;
	struct sock		*sk;
	u64			reported;
	u64			interval;
};

static inline struct tfrc_hc_rx *tfrc_hc_rx(const struct sock *sk)
{
	return ccid_priv(dccp_sk(sk)->dccps_hc_rx_ccid);
}

extern const struct ccid_dependency tfrc_hc_rx_deps[];

void tfrc_hc_rx_init(struct tfrc_hc_rx *hc, struct sock *sk, u32 n,
		     const struct tfrc_scheme *scheme, void *priv);
void tfrc_hc_rx_stop(struct sock *sk);
void tfrc_hc_rx_packet_recv(struct sock *sk, struct sk_buff *skb);
int tfrc_hc_rx_insert_options(struct sock *sk, struct sk_buff *skb);
void tfrc_hc_rx_get_info(struct sock *sk, struct tcp_info *info);
int tfrc_hc_rx_getsockopt(struct sock *sk, const int optname, int len,
			  u32 __user *optval, int __user *optlen);

int tfrc_put_info(const void *info, int size, int least, int len,
		  u32 __user *optval, int __user *optlen);

/* param.c */

/**
 * struct tfrc_param_name - name of a value
 * @name: accepted in the place of the number; NULL at the end of a table
 * @value: the number
 */
struct tfrc_param_name {
	const char	*name;
	u32		value;
};

/**
 * struct tfrc_param - module parameter of up to 32 bits without sign
 * @value: where it is kept
 * @size: of @value, in bytes
 * @valid: are all parameters of the module in range?
 * @names: of values, or NULL
 */
struct tfrc_param {
	void	*value;
	size_t	size;
	bool	(*valid)(void);
	const struct tfrc_param_name *names;
};

extern const struct kernel_param_ops tfrc_param_ops;

/**
 * TFRC_PARAM_NAMED - argument of module_param_cb() for tfrc_param_ops
 * @variable: where the parameter is kept
 * @table: names of values, or NULL
 * @check: function that says whether all parameters are in range
 */
#define TFRC_PARAM_NAMED(variable, table, check)			\
	(&(struct tfrc_param) {						\
		.value = &(variable),					\
		.size = sizeof(variable),				\
		.valid = (check),					\
		.names = (table),					\
	})

/* The same for numbers without names. */
#define TFRC_PARAM(variable, check)	TFRC_PARAM_NAMED(variable, NULL, check)

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

#endif /* _NET_TFRC_CCID_H */
