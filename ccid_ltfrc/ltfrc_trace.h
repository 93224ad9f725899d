/* SPDX-License-Identifier: GPL-2.0-only */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM ltfrc

#if !defined(_LTFRC_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _LTFRC_TRACE_H

#include <net/tfrc_tracepoint.h>
#include "ltfrc.h"

/* L-TFRC's equation was computed; x_tcp is the rate of TFRC's equation. */
TRACE_EVENT(ltfrc_equation,

	TP_PROTO(const struct sock *sk, const struct ltfrc *lt, u32 s, u64 rtt,
		 u64 p, u64 x),

	TP_ARGS(sk, lt, s, rtt, p, x),

	TP_STRUCT__entry(
		TFRC_TRACE_ENDS
		__field(__u32, k)
		__field(__u32, bounded)
		__field(__u32, s)
		__field(__u64, rtt_ns)
		__field(__u64, p_ppb)
		__field(__u64, x)
		__field(__u64, x_tcp)
	),

	TP_fast_assign(
		TFRC_TRACE_SET_ENDS(sk);
		__entry->k = lt->k;
		__entry->bounded = lt->bounded;
		__entry->s = s;
		__entry->rtt_ns = rtt;
		__entry->p_ppb = tfrc_trace_p(p);
		__entry->x = tfrc_trace_rate(x);
		__entry->x_tcp = tfrc_trace_rate(tfrc_calc_x(s, rtt, p));
	),

	TP_printk(TFRC_TRACE_ENDS_FORMAT
		  "k=%u bounded=%u p_ppb=%llu rtt_ns=%llu s=%u x=%llu x_tcp=%llu",
		  TFRC_TRACE_ENDS_ARGS, __entry->k, __entry->bounded,
		  __entry->p_ppb, __entry->rtt_ns, __entry->s, __entry->x,
		  __entry->x_tcp)
);

#endif /* _LTFRC_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE ltfrc_trace
#include <trace/define_trace.h>
