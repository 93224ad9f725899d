/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tracepoints of lib_tfrc and of the schemes have in common: each names
 * the two ends of its connection, and has rates in bytes/s, times in ns, and
 * shares in 10^-9.
 */
#ifndef _NET_TFRC_TRACEPOINT_H
#define _NET_TFRC_TRACEPOINT_H

#include <linux/in6.h>
#include <linux/tracepoint.h>
#include <net/inet_sock.h>
#include <net/ipv6.h>
#include <net/tfrc.h>
#include <trace/events/net_probe_common.h>

#define TFRC_TRACE_ENDS							\
	__array(__u8, saddr, sizeof(struct sockaddr_in6))		\
	__array(__u8, daddr, sizeof(struct sockaddr_in6))

#define TFRC_TRACE_SET_ENDS(sk)						\
	do {								\
		const struct inet_sock *inet = inet_sk(sk);		\
									\
		memset(__entry->saddr, 0, sizeof(struct sockaddr_in6));	\
		memset(__entry->daddr, 0, sizeof(struct sockaddr_in6));	\
		TP_STORE_ADDR_PORTS(__entry, inet, sk);			\
	} while (0)

#define TFRC_TRACE_ENDS_FORMAT		"%pISpc > %pISpc "
#define TFRC_TRACE_ENDS_ARGS		__entry->saddr, __entry->daddr

/* A rate of lib_tfrc in bytes/s; a loss event rate or share in 10^-9 */
#define tfrc_trace_rate(x)	((x) >> TFRC_RATE_SHIFT)
#define tfrc_trace_p(p)		tfrc_mul_div(p, 1000000000, TFRC_P_ONE)

#endif /* _NET_TFRC_TRACEPOINT_H */
