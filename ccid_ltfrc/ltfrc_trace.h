/* SPDX-License-Identifier: GPL-2.0-only */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM ltfrc

#if !defined(_LTFRC_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _LTFRC_TRACE_H

#include <net/tfrc_tracepoint.h>
#include "ltfrc.h"

/* L-TFRC's equation was computed; x_tcp is the rate of TFRC's equation. */
#define LTFRC_EQUATION(NUMBER, NAME)					\
	NUMBER(u32, k, lt->k)						\
	NUMBER(u32, bounded, lt->bounded)				\
	NUMBER(u64, p_ppb, tfrc_trace_p(p))				\
	NUMBER(u64, rtt_ns, rtt)					\
	NUMBER(u32, s, s)						\
	NUMBER(u64, x, tfrc_trace_rate(x))				\
	NUMBER(u64, x_tcp, tfrc_trace_rate(tfrc_calc_x(s, rtt, p)))

TFRC_TRACE_EVENT(ltfrc_equation,
		 TP_PROTO(const struct sock *sk, const struct ltfrc *lt, u32 s,
			  u64 rtt, u64 p, u64 x),
		 TP_ARGS(sk, lt, s, rtt, p, x), LTFRC_EQUATION);

#endif /* _LTFRC_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE ltfrc_trace
#include <trace/define_trace.h>
