/* SPDX-License-Identifier: GPL-2.0-only */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM ctfaf

#if !defined(_CTFAF_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _CTFAF_TRACE_H

#include <net/tfrc_tracepoint.h>
#include "ctfaf.h"

/* The framework decided, on what the algorithm asked for or on silence. */
TRACE_EVENT(ctfaf_decision,

	TP_PROTO(const struct sock *sk, const struct ctfaf *c,
		 const struct lda *lda, u32 loss, u64 bottleneck, u64 interval),

	TP_ARGS(sk, c, lda, loss, bottleneck, interval),

	TP_STRUCT__entry(
		TFRC_TRACE_ENDS
		__field(__u32, decision)
		__field(__u32, resets)
		__field(__s64, asked)
		__field(__s64, b)
		__field(__u64, r)
		__field(__u64, x)
		__field(__u64, a)
		__field(__u64, loss_ppb)
		__field(__u64, bottleneck)
		__field(__u64, interval_ns)
	),

	TP_fast_assign(
		TFRC_TRACE_SET_ENDS(sk);
		__entry->decision = c->decision;
		__entry->resets = c->resets;
		__entry->asked = tfrc_trace_rate(c->asked);
		__entry->b = tfrc_trace_rate(c->b);
		__entry->r = tfrc_trace_rate(c->r);
		__entry->x = tfrc_trace_rate(ctfaf_rate(c));
		__entry->a = tfrc_trace_rate(lda->a);
		__entry->loss_ppb = (u64)loss * 1000000000 >> 32;
		__entry->bottleneck = tfrc_trace_rate(bottleneck);
		__entry->interval_ns = interval;
	),

	TP_printk(TFRC_TRACE_ENDS_FORMAT
		  "decision=%s asked=%lld r=%llu x=%llu b=%lld a=%llu loss_ppb=%llu bottleneck=%llu interval_ns=%llu resets=%u",
		  TFRC_TRACE_ENDS_ARGS,
		  __print_symbolic(__entry->decision,
				   { DCCP_CTFAF_START, "start" },
				   { DCCP_CTFAF_TOLERATED, "tolerated" },
				   { DCCP_CTFAF_AT_MIN, "at_min" },
				   { DCCP_CTFAF_CREDIT, "credit" },
				   { DCCP_CTFAF_DECREASE_DELTA, "decrease_delta" },
				   { DCCP_CTFAF_REPAY, "repay" },
				   { DCCP_CTFAF_DECREASE, "decrease" },
				   { DCCP_CTFAF_AT_MAX, "at_max" },
				   { DCCP_CTFAF_RESTRAINT, "restraint" },
				   { DCCP_CTFAF_INCREASE_DELTA, "increase_delta" },
				   { DCCP_CTFAF_INCREASE, "increase" },
				   { DCCP_CTFAF_UNUSED, "unused" },
				   { DCCP_CTFAF_SILENCE, "silence" }),
		  __entry->asked, __entry->r, __entry->x, __entry->b,
		  __entry->a, __entry->loss_ppb, __entry->bottleneck,
		  __entry->interval_ns, __entry->resets)
);

#endif /* _CTFAF_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE ctfaf_trace
#include <trace/define_trace.h>
