/* SPDX-License-Identifier: GPL-2.0-only */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM marc

#if !defined(_MARC_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _MARC_TRACE_H

#include <net/tfrc_tracepoint.h>
#include "marc.h"

/* perf and trace-cmd know numbers only. */
TRACE_DEFINE_ENUM(DCCP_MARC_TFRC);
TRACE_DEFINE_ENUM(DCCP_MARC_KEEP);
TRACE_DEFINE_ENUM(DCCP_MARC_LIMIT);
TRACE_DEFINE_ENUM(DCCP_MARC_LAND);

/* MARC has decided on a report. */
#define MARC_DECISION(NUMBER, NAME)					\
	NAME(decision, m->decision, { DCCP_MARC_TFRC, "tfrc" },		\
	     { DCCP_MARC_KEEP, "keep" }, { DCCP_MARC_LIMIT, "limit" },	\
	     { DCCP_MARC_LAND, "land" })				\
	NUMBER(u64, before, tfrc_trace_rate(d->x))			\
	NUMBER(u64, x_tfrc, tfrc_trace_rate(d->x_tfrc))			\
	NUMBER(u64, x, tfrc_trace_rate(x))				\
	NUMBER(s64, tokens_before, tokens)				\
	NUMBER(s64, tokens, m->tokens)					\
	NUMBER(u64, interval_ns, d->interval)				\
	NUMBER(u64, rtt_ns, d->rtt)					\
	NUMBER(u64, x_calc, tfrc_trace_rate(d->x_calc))			\
	NUMBER(u64, x_send, tfrc_trace_rate(d->x_send))			\
	NUMBER(u64, x_recv, tfrc_trace_rate(d->x_recv))			\
	NUMBER(u32, lost, d->lost)					\
	NUMBER(u32, marked, d->marked)

TFRC_TRACE_EVENT(marc_decision,
		 TP_PROTO(const struct sock *sk, const struct marc *m,
			  const struct tfrc_decision *d, s64 tokens, u64 x),
		 TP_ARGS(sk, m, d, tokens, x), MARC_DECISION);

#endif /* _MARC_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE marc_trace
#include <trace/define_trace.h>
