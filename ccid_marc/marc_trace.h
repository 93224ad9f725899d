/* SPDX-License-Identifier: GPL-2.0-only */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM marc

#if !defined(_MARC_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _MARC_TRACE_H

#include <net/tfrc_tracepoint.h>
#include "marc.h"

/* MARC has decided on a report. */
TRACE_EVENT(marc_decision,

	TP_PROTO(const struct sock *sk, const struct marc *m,
		 const struct tfrc_decision *d, s64 tokens, u64 x),

	TP_ARGS(sk, m, d, tokens, x),

	TP_STRUCT__entry(
		TFRC_TRACE_ENDS
		__field(__s64, tokens_before)
		__field(__s64, tokens)
		__field(__u64, interval_ns)
		__field(__u64, rtt_ns)
		__field(__u64, before)
		__field(__u64, x_tfrc)
		__field(__u64, x_calc)
		__field(__u64, x_send)
		__field(__u64, x_recv)
		__field(__u64, x)
		__field(__u32, lost)
		__field(__u32, marked)
		__field(__u32, decision)
	),

	TP_fast_assign(
		TFRC_TRACE_SET_ENDS(sk);
		__entry->tokens_before = tokens;
		__entry->tokens = m->tokens;
		__entry->interval_ns = d->interval;
		__entry->rtt_ns = d->rtt;
		__entry->before = tfrc_trace_rate(d->x);
		__entry->x_tfrc = tfrc_trace_rate(d->x_tfrc);
		__entry->x_calc = tfrc_trace_rate(d->x_calc);
		__entry->x_send = tfrc_trace_rate(d->x_send);
		__entry->x_recv = tfrc_trace_rate(d->x_recv);
		__entry->x = tfrc_trace_rate(x);
		__entry->lost = d->lost;
		__entry->marked = d->marked;
		__entry->decision = m->decision;
	),

	TP_printk(TFRC_TRACE_ENDS_FORMAT
		  "decision=%s before=%llu x_tfrc=%llu x=%llu tokens_before=%lld tokens=%lld interval_ns=%llu rtt_ns=%llu x_calc=%llu x_send=%llu x_recv=%llu lost=%u marked=%u",
		  TFRC_TRACE_ENDS_ARGS,
		  __print_symbolic(__entry->decision,
				   { DCCP_MARC_TFRC, "tfrc" },
				   { DCCP_MARC_KEEP, "keep" },
				   { DCCP_MARC_LIMIT, "limit" }),
		  __entry->before, __entry->x_tfrc, __entry->x,
		  __entry->tokens_before, __entry->tokens,
		  __entry->interval_ns, __entry->rtt_ns, __entry->x_calc,
		  __entry->x_send, __entry->x_recv, __entry->lost,
		  __entry->marked)
);

#endif /* _MARC_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE marc_trace
#include <trace/define_trace.h>
