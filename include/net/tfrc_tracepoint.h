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

/* A rate of lib_tfrc in bytes/s; a loss event rate or share in 10^-9 */
#define tfrc_trace_rate(x)	((x) >> TFRC_RATE_SHIFT)
#define tfrc_trace_p(p)		tfrc_mul_div(p, 1000000000, TFRC_P_ONE)

/**
 * TFRC_TRACE_EVENT - a tracepoint, each of whose fields is described once
 * @event: its name
 * @proto: TP_PROTO() of its arguments, of which the first is the socket, sk
 * @args: TP_ARGS() of them
 * @fields: macro of two arguments, NUMBER and NAME, that lists the fields in the order
 *	in which they are printed: NUMBER(type, field, value), where the type is u32, u64
 *	or s64, or NAME(field, value, names), with names as __print_symbolic() takes them
 */
#define TFRC_TRACE_EVENT(event, proto, args, fields)			\
	TRACE_EVENT(event, PARAMS(proto), PARAMS(args),			\
		TP_STRUCT__entry(					\
			TFRC_TRACE_ENDS					\
			fields(TFRC_TRACE_FIELD, TFRC_TRACE_FIELD_NAME)	\
		),							\
		TP_fast_assign(						\
			TFRC_TRACE_SET_ENDS(sk);			\
			fields(TFRC_TRACE_SET, TFRC_TRACE_SET_NAME)	\
		),							\
		TP_printk("%pISpc > %pISpc"				\
			  fields(TFRC_TRACE_FORMAT, TFRC_TRACE_FORMAT_NAME), \
			  __entry->saddr, __entry->daddr		\
			  fields(TFRC_TRACE_ARG, TFRC_TRACE_ARG_NAME))	\
	)

/* What becomes of a field in the four places. */
#define TFRC_TRACE_FIELD(type, field, value)	__field(__##type, field)
#define TFRC_TRACE_SET(type, field, value)	__entry->field = (value);
#define TFRC_TRACE_FORMAT(type, field, value)	" " #field "=%" TFRC_TRACE_##type
#define TFRC_TRACE_ARG(type, field, value)	, __entry->field
#define TFRC_TRACE_u32				"u"
#define TFRC_TRACE_u64				"llu"
#define TFRC_TRACE_s64				"lld"

#define TFRC_TRACE_FIELD_NAME(field, value, ...)	__field(__u32, field)
#define TFRC_TRACE_SET_NAME(field, value, ...)		__entry->field = (value);
#define TFRC_TRACE_FORMAT_NAME(field, value, ...)	" " #field "=%s"
#define TFRC_TRACE_ARG_NAME(field, value, ...)		\
	, __print_symbolic(__entry->field, __VA_ARGS__)

#endif /* _NET_TFRC_TRACEPOINT_H */
