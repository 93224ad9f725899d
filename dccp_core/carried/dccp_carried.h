/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _DCCP_CARRIED_H
#define _DCCP_CARRIED_H

/*
 * What the donor's DCCP expects of a kernel, for kernels that have lost it.  It is
 * included ahead of every file of ours, and only where the kernel has no DCCP.
 *
 * Three things are in here: the names under which the donor's functions are linked;
 * interfaces of the kernel that have got another name or another argument since the
 * donor; and declarations of what carried.c writes anew.  An interface of which the
 * donor's code is a caller in one or two places is changed there, in patches/.
 */

#include "dccp_carried_names.h"

/* The donor's Kconfig is not read; Makefile has the same. */
#define CONFIG_IP_DCCP_MODULE		1
#define CONFIG_IP_DCCP_CCID3		1
#define CONFIG_IP_DCCP_TFRC_LIB		1
#define CONFIG_INET_DCCP_DIAG_MODULE	1

#ifndef __ASSEMBLY__

#include <linux/net.h>
#include <linux/timer.h>
#include <linux/types.h>
#include <linux/percpu-defs.h>
#include <net/hotdata.h>
#include <net/request_sock.h>

/*
 * The secrets of the hash tables.  To the kernel's headers these are fields of
 * net_hotdata, which TCP's tables are hashed with: the donor's functions set them
 * once, and if that came after TCP's own, no packet would find its TCP socket any
 * more.  Nor can the kernel's inet_ehashfn() be used: TCP sets the secret when its
 * first socket connects or listens, and DCCP's connections would be lost then.
 */
#undef inet_ehash_secret
#undef inet6_ehash_secret
#undef tcp_ipv6_hash_secret
extern u32 inet_ehash_secret;
extern u32 inet6_ehash_secret;
extern u32 tcp_ipv6_hash_secret;

/* 6.16 */
#define from_timer	timer_container_of

/* 6.16: struct proto has lost orphan_count, struct request_sock_ops rtx_syn_ack. */
DECLARE_PER_CPU(unsigned int, dccp_orphan_count);

struct dccp_rsk_ops {
	struct request_sock_ops ops;
	int (*rtx_syn_ack)(const struct sock *sk, struct request_sock *req);
};

static inline const struct dccp_rsk_ops *dccp_rsk_ops(const struct request_sock *req)
{
	return container_of_const(req->rsk_ops, struct dccp_rsk_ops, ops);
}

int inet_rtx_syn_ack(const struct sock *parent, struct request_sock *req);

struct inet6_skb_parm;
struct inet_diag_msg;
struct inet_diag_req_v2;
struct inet_hashinfo;
struct ip_options_rcu;
struct netlink_callback;
struct sk_buff;
struct sock;

u64 secure_dccp_sequence_number(__be32 saddr, __be32 daddr,
				__be16 sport, __be16 dport);
u64 secure_dccpv6_sequence_number(__be32 *saddr, __be32 *daddr,
				  __be16 sport, __be16 dport);
int ip_build_and_send_pkt(struct sk_buff *skb, const struct sock *sk,
			  __be32 saddr, __be32 daddr, struct ip_options_rcu *opt,
			  u8 tos);
int inet_sk_rebuild_header(struct sock *sk);
int inet6_sk_rebuild_header(struct sock *sk);
bool ipv6_opt_accepted(const struct sock *sk, const struct sk_buff *skb,
		       const struct inet6_skb_parm *opt);
void reqsk_queue_alloc(struct request_sock_queue *queue);
void sk_free_unlock_clone(struct sock *sk);
void sk_stream_wait_close(struct sock *sk, long timeout);

void inet_diag_dump_icsk(struct inet_hashinfo *h, struct sk_buff *skb,
			 struct netlink_callback *cb, const struct inet_diag_req_v2 *r);
int inet_diag_dump_one_icsk(struct inet_hashinfo *h, struct netlink_callback *cb,
			    const struct inet_diag_req_v2 *req);
struct sock *inet_diag_find_one_icsk(struct net *net, struct inet_hashinfo *h,
				     const struct inet_diag_req_v2 *req);
int dccp_diag_get_aux(struct sock *sk, bool net_admin, struct sk_buff *skb);
void dccp_diag_get_info(struct sock *sk, struct inet_diag_msg *r, void *info);

int dccp_carried_ip_setsockopt(struct sock *sk, int level, int optname,
			       sockptr_t optval, unsigned int optlen);
int dccp_carried_ipv6_setsockopt(struct sock *sk, int level, int optname,
				 sockptr_t optval, unsigned int optlen);
int dccp_carried_ext_hdr_len(struct sock *sk);

#endif /* __ASSEMBLY__ */
#endif /* _DCCP_CARRIED_H */
