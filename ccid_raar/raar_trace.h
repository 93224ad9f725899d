/* SPDX-License-Identifier: GPL-2.0-only */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM raar

#if !defined(_RAAR_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _RAAR_TRACE_H

#include <net/tfrc_tracepoint.h>
#include "raar.h"

/* A receiver sends a report. */
#define RAAR_REPORT(NUMBER, NAME)					\
	NUMBER(u32, number, r->number)					\
	NUMBER(u32, round, r->round)					\
	NUMBER(u64, rate, tfrc_trace_rate(r->rate))			\
	NUMBER(u64, requested, tfrc_trace_rate(r->reported))		\
	NUMBER(u64, stated, tfrc_trace_rate(r->stated))			\
	NUMBER(u64, received, tfrc_trace_rate(received))		\
	NUMBER(u64, rtt_ns, r->rtt.srtt)					\
	NUMBER(u64, rttvar_ns, r->rtt.rttvar)				\
	NUMBER(u64, timeout_ns, timeout)				\
	NUMBER(u32, wnd, r->wnd)					\
	NUMBER(u64, events, events)					\
	NUMBER(u32, slow_start, r->slow_start)

TFRC_TRACE_EVENT(raar_report,
		 TP_PROTO(const struct sock *sk, const struct raar *r,
			  u64 received, u64 timeout, u64 events),
		 TP_ARGS(sk, r, received, timeout, events), RAAR_REPORT);

#endif /* _RAAR_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE raar_trace
#include <trace/define_trace.h>
