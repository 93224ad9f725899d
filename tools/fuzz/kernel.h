/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel functions that lib_tfrc and one CCID need, so that they compile without
 * changes, glue included: time, timers, sockets, and packets of a connection whose ends
 * are both in this program. This is included first; headers of the kernel are empty
 * files.
 */
#ifndef _FUZZ_KERNEL_H
#define _FUZZ_KERNEL_H

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include "../../lab/userspace.h"

typedef u16 __be16;
typedef u32 __be32;
#define cpu_to_be16	htons
#define cpu_to_be32	htonl
#define be32_to_cpu	ntohl
#define __user
#define CONFIG_KUNIT	0

/* Called for a bug of the code under test, and for a broken rule */
void fuzz_fail(const char *file, int line, const char *what);
#define CHECK(condition) \
	do { if (!(condition)) fuzz_fail(__FILE__, __LINE__, #condition); } while (0)

#define static_assert			_Static_assert
#define container_of(ptr, type, member)	\
	((type *)((char *)(ptr) - offsetof(type, member)))
#define rcu_read_lock()
#define rcu_read_unlock()
#define READ_ONCE(x)			(x)
#define WRITE_ONCE(x, value)		((x) = (value))

static inline u64 roundup_pow_of_two(u64 x)
{
	CHECK(x && x <= 1ULL << 63);
	return x == 1 ? 1 : 1ULL << fls64(x - 1);
}

/* Memory */

#define GFP_ATOMIC	0
#define __GFP_NOWARN	0
#define kcalloc(n, size, flags)	calloc(n, size)
#define kfree(p)		free(p)

/* Time */

#define KERNEL_VERSION(a, b, c)	(((a) << 16) + ((b) << 8) + (c))
#define LINUX_VERSION_CODE	KERNEL_VERSION(7, 0, 0)

#define HZ	100
#define TICK	(1000000000ULL / HZ)

extern u64 fuzz_now;
#define ktime_get_ns()		(fuzz_now)
#define jiffies			((unsigned long)(fuzz_now / TICK))
#define nsecs_to_jiffies(n)	((unsigned long)((n) / TICK))
#define time_before(a, b)	((long)((a) - (b)) < 0)

/* One list of timers for both kinds; @at is ns. */
struct fuzz_timer {
	u64	at;
	bool	armed;
};

void fuzz_arm(struct fuzz_timer *t, u64 at);

enum hrtimer_restart { HRTIMER_NORESTART };
struct hrtimer {
	struct fuzz_timer	t;
	enum hrtimer_restart	(*function)(struct hrtimer *timer);
};

#define CLOCK_MONOTONIC			1
#define HRTIMER_MODE_ABS_PINNED_SOFT	0
#define hrtimer_setup(timer, handler, clock, mode) \
	(memset(timer, 0, sizeof(*(timer))), (timer)->function = (handler))
#define ns_to_ktime(ns)			(ns)
#define hrtimer_start(timer, time, mode) fuzz_arm(&(timer)->t, time)
#define hrtimer_is_queued(timer)	((timer)->t.armed)
#define hrtimer_get_expires(timer)	((timer)->t.at)
#define ktime_to_ns(time)		(time)
#define hrtimer_try_to_cancel(timer) \
	({ bool _armed = (timer)->t.armed; (timer)->t.armed = false; _armed; })
#define hrtimer_cancel(timer)		((void)((timer)->t.armed = false))

struct timer_list {
	struct fuzz_timer	t;
	unsigned long		expires;
	void			(*function)(struct timer_list *timer);
};

#define timer_container_of(var, timer, field)	\
	container_of(timer, typeof(*(var)), field)
#define timer_setup(timer, handler, flags) \
	(memset(timer, 0, sizeof(*(timer))), (timer)->function = (handler))
#define timer_pending(timer)		((timer)->t.armed)
#define sk_reset_timer(sk, timer, when)	\
	((timer)->expires = (when), fuzz_arm(&(timer)->t, (timer)->expires * TICK))
#define sk_stop_timer(sk, timer)	((timer)->t.armed = false)

/* Modules */

#define __stringify_1(x...)		#x
#define __stringify(x...)		__stringify_1(x)
#define THIS_MODULE			NULL
#define module_param_cb(name, ops, arg, perm)	\
	__attribute__((constructor)) \
	static void fuzz_param_##name(void) { fuzz_param(#name, ops, arg); }
#define MODULE_PARM_DESC(name, text)
#define MODULE_LICENSE(text)
#define MODULE_AUTHOR(text)
#define MODULE_VERSION(text)
#define MODULE_DESCRIPTION(text)
#define MODULE_ALIAS(text)
#define module_driver(ops, add, remove, ...)	\
	struct ccid_operations *const fuzz_ccid = &(ops)

struct kernel_param_ops {
	int	nothing;
};

/* A module parameter, which presets refer to */
void fuzz_param(const char *name, const struct kernel_param_ops *ops,
		const void *arg);

#define sizeof_field(type, member)	sizeof(((type *)0)->member)
#define offsetofend(type, member)	\
	(offsetof(type, member) + sizeof_field(type, member))

/* There is only one thread. */
#define DEFINE_SPINLOCK(lock)		int lock __attribute__((unused))
#define spin_lock_bh(lock)
#define spin_unlock_bh(lock)

static inline const void *memchr_inv(const void *start, int c, size_t n)
{
	const u8 *p = start;

	for (; n--; p++)
		if (*p != (u8)c)
			return p;
	return NULL;
}

/* Packets: what the core knows of a packet, and its options */

enum {
	DCCP_PKT_REQUEST, DCCP_PKT_RESPONSE, DCCP_PKT_DATA, DCCP_PKT_ACK,
	DCCP_PKT_DATAACK,
};

enum {
	DCCPO_ELAPSED_TIME = 43,
};

#define DCCP_MAX_OPT_LEN	1008

struct dccp_hdr {
	u8	dccph_ccval;
	u8	dccph_doff;
};

struct sk_buff {
	struct dccp_hdr	hdr;
	u64		dccpd_seq;
	u64		dccpd_ack_seq;
	u8		dccpd_type;
	u8		dccpd_ccval;
	bool		dccpd_ect1;
	bool		ce;
	u32		len;
	u32		priority;
	u64		ndp;
	u32		elapsed;	/* in units of 10 us */
	u32		opt_len;
	u8		opt[192];
};

#define DCCP_SKB_CB(skb)	(skb)
#define dccp_hdr(skb)		(&(skb)->hdr)
#define dccp_skb_is_ce(skb)	((skb)->ce)

static inline bool dccp_packet_without_ack(const struct sk_buff *skb)
{
	return skb->dccpd_type == DCCP_PKT_DATA ||
	       skb->dccpd_type == DCCP_PKT_REQUEST;
}

int dccp_insert_option(struct sk_buff *skb, u8 option, const void *value,
		       u8 len);

/* Socket options that are kept until there is an instance */

struct list_head {
	struct list_head	*next;
};

struct ccid_sockopt {
	struct list_head	node;
	int			optname;
	unsigned int		len;
	u8			val[];
};

#define list_for_each_entry_rcu(pos, head, member)			\
	for ((pos) = container_of((head)->next, typeof(*(pos)), member); \
	     &(pos)->member != (head);					\
	     (pos) = container_of((pos)->member.next, typeof(*(pos)), member))

/* Sockets */

#define FUZZ_QUEUE	16

struct fuzz_queue {
	struct sk_buff	skb[FUZZ_QUEUE];
	u32		n;
};

#define skb_queue_len(queue)	((queue)->n)
#define skb_queue_walk(queue, s) \
	for ((s) = (queue)->skb; (s) < (queue)->skb + (queue)->n; (s)++)

struct ccid {
	struct ccid_operations	*ccid_ops;
	bool			ccid_stopped;
	u64			ccid_priv[];
};

static inline void *ccid_priv(const struct ccid *ccid)
{
	return (void *)ccid->ccid_priv;
}

#define ccid_of_priv(priv)	container_of(priv, struct ccid, ccid_priv)
#define ccid_is_stopped(ccid)	((ccid)->ccid_stopped)
#define ccid_retry_timer(ccid, sk, timer, when)	sk_reset_timer(sk, timer, when)
#define ccid_set_event(sk, event)	((void)(sk))

struct dccp_options_received {
	u64	dccpor_ndp;
	u32	dccpor_elapsed_time;
};

struct sock {
	u8				sk_state;
	unsigned long			sk_max_pacing_rate;
	unsigned long			sk_pacing_rate;
	struct fuzz_queue		sk_write_queue;
	int				sk_refcnt;
	struct ccid			*dccps_hc_tx_ccid;
	struct ccid			*dccps_hc_rx_ccid;
	bool				xmit_ready;
	struct dccp_options_received	dccps_options_received;
	u32				dccps_syn_rtt;
	u32				dccps_mss_cache;
	u64				dccps_gss;
	u64				dccps_gsr;
	u64				dccps_l_seq_win;
	u64				seq_win_asked;
	u8				dccps_hc_tx_insert_options;
	u8				dccps_hc_rx_insert_options;
	bool				ack_pending;
};

enum {
	DCCP_OPEN = 1, DCCP_PARTOPEN = 2,
	DCCPF_OPEN = 1 << 1, DCCPF_PARTOPEN = 1 << 2,
};

#define dccp_sock		sock
#define dccp_sk(sk)		((struct sock *)(sk))
#define bh_lock_sock(sk)
#define bh_unlock_sock(sk)
#define refcount_inc_not_zero(count)	((void)(count), true)
#define sock_put(sk)
#define sock_owned_by_user(sk)	false
#define inet_csk_schedule_ack(sk)	((sk)->ack_pending = true)
#define dccp_tx_ect(sk)		true
#define ccid_get_current_tx_ccid(sk) ((sk)->dccps_hc_tx_ccid->ccid_ops->ccid_id)
#define ccid_get_current_rx_ccid(sk) ((sk)->dccps_hc_rx_ccid->ccid_ops->ccid_id)

static inline bool before48(u64 a, u64 b)
{
	return (s64)((b - a) << 16) > 0;
}

void dccp_send_ack(struct sock *sk);
#define dccp_xmit_ready(sk)	((sk)->xmit_ready = true)

/* Features */

struct ccid_dependency {
	u8	dependent_feat;
	bool	is_local;
	bool	is_mandatory;
	u8	val;
};

enum {
	DCCPF_RESERVED, DCCPF_SEQUENCE_WINDOW, DCCPF_SEND_ACK_VECTOR,
	DCCPF_SEND_LEV_RATE, DCCPF_ACK_RATIO, DCCPF_SEND_NDP_COUNT,
};

#define DCCPF_SEQ_WMAX		((1ULL << 46) - 1)
#define dccp_feat_nn_get(sk, feat)	((sk)->seq_win_asked)
#define dccp_feat_signal_nn_change(sk, feat, value)	\
	((sk)->seq_win_asked = (value))

/* The hooks of CCIDs */
struct tcp_info {
	u32	tcpi_rtt, tcpi_rcv_rtt, tcpi_rto, tcpi_lost;
	u32	tcpi_data_segs_out, tcpi_data_segs_in, tcpi_delivered_ce;
	u64	tcpi_pacing_rate, tcpi_max_pacing_rate, tcpi_delivery_rate;
	u8	tcpi_delivery_rate_app_limited;
};

struct ccid_operations {
	u8				ccid_id;
	const char			*ccid_name;
	void				*ccid_owner;
	bool				ccid_ecn;
	u8				ccid_hc_tx_opt_len;
	u32				ccid_hc_rx_obj_size;
	u32				ccid_hc_tx_obj_size;
	const struct ccid_dependency	*ccid_hc_rx_deps;
	const struct ccid_dependency	*ccid_hc_tx_deps;
	int	(*ccid_check_sockopt)(int name, const void *val, unsigned int len);
	int	(*ccid_preview_sockopt)(const struct list_head *kept, int name,
					void *val);
	int	(*ccid_hc_rx_init)(struct ccid *ccid, struct sock *sk);
	int	(*ccid_hc_tx_init)(struct ccid *ccid, struct sock *sk);
	void	(*ccid_hc_rx_exit)(struct sock *sk);
	void	(*ccid_hc_rx_stop)(struct sock *sk);
	void	(*ccid_hc_tx_stop)(struct sock *sk);
	void	(*ccid_hc_tx_free)(struct ccid *ccid);
	void	(*ccid_hc_rx_packet_recv)(struct sock *sk, struct sk_buff *skb);
	void	(*ccid_hc_tx_packet_recv)(struct sock *sk, struct sk_buff *skb);
	int	(*ccid_hc_rx_parse_options)(struct sock *sk, u8 pkt, u8 opt,
					    u8 *val, u8 len);
	int	(*ccid_hc_tx_parse_options)(struct sock *sk, u8 pkt, u8 opt,
					    u8 *val, u8 len);
	int	(*ccid_hc_rx_insert_options)(struct sock *sk, struct sk_buff *skb);
	int	(*ccid_hc_tx_insert_options)(struct sock *sk, struct sk_buff *skb);
	bool	(*ccid_hc_tx_waits)(struct sock *sk);
	int	(*ccid_hc_tx_send_packet)(struct sock *sk, struct sk_buff *skb);
	void	(*ccid_hc_tx_packet_sent)(struct sock *sk, unsigned int len);
	void	(*ccid_hc_rx_get_info)(struct sock *sk, struct tcp_info *info);
	void	(*ccid_hc_tx_get_info)(struct sock *sk, struct tcp_info *info);
	int	(*ccid_hc_rx_getsockopt)(struct sock *sk, const int name, int len,
					 u32 *val, int *vallen);
	int	(*ccid_hc_tx_getsockopt)(struct sock *sk, const int name, int len,
					 u32 *val, int *vallen);
	int	(*ccid_hc_rx_setsockopt)(struct sock *sk, int name,
					 const void *val, unsigned int len);
	int	(*ccid_hc_tx_setsockopt)(struct sock *sk, int name,
					 const void *val, unsigned int len);
};

enum {
	CCID_PACKET_SEND_AT_ONCE, CCID_PACKET_WILL_DEQUEUE_LATER = 0x20000,
};

#define DCCP_SOCKOPT_CCID_RX_INFO	128
#define DCCP_SOCKOPT_CCID_TX_INFO	192

/* The kernel's <linux/tfrc.h>, of which only the sizes are used */
struct tfrc_tx_info {
	u64	first[2];
	u32	then[4];
	u32	tfrctx_ipi;
};

struct tfrc_rx_info {
	u32	all[3];
};

#define put_user(value, to)		(*(to) = (value), 0)
#define copy_to_user(to, from, len)	(memcpy(to, from, len), 0)

/* Tracepoints */
#define _TFRC_TRACE_H
#define _MARC_TRACE_H
#define _RAAR_TRACE_H
#define _LTFRC_TRACE_H
#define _DVRC_TRACE_H
#define _CTFAF_TRACE_H
#define trace_tfrc_tx_rate(...)
#define trace_tfrc_rx_report(...)
#define trace_marc_decision(sk, m, d, tokens, x)	((void)(tokens))
#define trace_raar_report(sk, ...)	((void)(sk))
#define trace_ltfrc_equation(sk, lt, s, rtt, p, x)
#define trace_dvrc_report(sk, ...)	((void)(sk))
#define trace_ctfaf_decision(sk, ct, ...)	((void)(ct))

#endif /* _FUZZ_KERNEL_H */
