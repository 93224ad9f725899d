/* SPDX-License-Identifier: GPL-2.0-only */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM raar

#if !defined(_RAAR_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _RAAR_TRACE_H

#include <net/tfrc_tracepoint.h>
#include "raar.h"

/* A receiver reports what rate it wants. */
TRACE_EVENT(raar_report,

	TP_PROTO(const struct sock *sk, const struct raar *r, u64 received,
		 u64 timeout, u64 events),

	TP_ARGS(sk, r, received, timeout, events),

	TP_STRUCT__entry(
		TFRC_TRACE_ENDS
		__field(__u64, rate)
		__field(__u64, told)
		__field(__u64, stated)
		__field(__u64, received)
		__field(__u64, rtt_ns)
		__field(__u64, rttvar_ns)
		__field(__u64, timeout_ns)
		__field(__u64, events)
		__field(__u32, number)
		__field(__u32, round)
		__field(__u32, wnd)
		__field(__u32, slow_start)
	),

	TP_fast_assign(
		TFRC_TRACE_SET_ENDS(sk);
		__entry->rate = tfrc_trace_rate(r->rate);
		__entry->told = tfrc_trace_rate(r->reported);
		__entry->stated = tfrc_trace_rate(r->stated);
		__entry->received = tfrc_trace_rate(received);
		__entry->rtt_ns = r->srtt;
		__entry->rttvar_ns = r->rttvar;
		__entry->timeout_ns = timeout;
		__entry->events = events;
		__entry->number = r->number;
		__entry->round = r->round;
		__entry->wnd = r->wnd;
		__entry->slow_start = r->slow_start;
	),

	TP_printk(TFRC_TRACE_ENDS_FORMAT
		  "number=%u round=%u rate=%llu told=%llu stated=%llu received=%llu rtt_ns=%llu rttvar_ns=%llu timeout_ns=%llu wnd=%u events=%llu slow_start=%u",
		  TFRC_TRACE_ENDS_ARGS, __entry->number, __entry->round,
		  __entry->rate, __entry->told, __entry->stated,
		  __entry->received, __entry->rtt_ns, __entry->rttvar_ns,
		  __entry->timeout_ns, __entry->wnd, __entry->events,
		  __entry->slow_start)
);

#endif /* _RAAR_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE raar_trace
#include <trace/define_trace.h>
