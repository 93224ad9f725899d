/* SPDX-License-Identifier: GPL-2.0-only */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM ctfaf

#if !defined(_CTFAF_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _CTFAF_TRACE_H

#include <net/tfrc_tracepoint.h>
#include "ctfaf.h"

/* perf and trace-cmd know numbers only. */
TRACE_DEFINE_ENUM(DCCP_CTFAF_START);
TRACE_DEFINE_ENUM(DCCP_CTFAF_TOLERATED);
TRACE_DEFINE_ENUM(DCCP_CTFAF_AT_MIN);
TRACE_DEFINE_ENUM(DCCP_CTFAF_CREDIT);
TRACE_DEFINE_ENUM(DCCP_CTFAF_DECREASE_DELTA);
TRACE_DEFINE_ENUM(DCCP_CTFAF_REPAY);
TRACE_DEFINE_ENUM(DCCP_CTFAF_DECREASE);
TRACE_DEFINE_ENUM(DCCP_CTFAF_AT_MAX);
TRACE_DEFINE_ENUM(DCCP_CTFAF_RESTRAINT);
TRACE_DEFINE_ENUM(DCCP_CTFAF_INCREASE_DELTA);
TRACE_DEFINE_ENUM(DCCP_CTFAF_INCREASE);
TRACE_DEFINE_ENUM(DCCP_CTFAF_UNUSED);
TRACE_DEFINE_ENUM(DCCP_CTFAF_NOFEEDBACK);

/* The framework has decided, on a report or because no report came. */
#define CTFAF_DECISION(NUMBER, NAME)					\
	NAME(decision, c->decision, { DCCP_CTFAF_START, "start" },	\
	     { DCCP_CTFAF_TOLERATED, "tolerated" },			\
	     { DCCP_CTFAF_AT_MIN, "at_min" },				\
	     { DCCP_CTFAF_CREDIT, "credit" },				\
	     { DCCP_CTFAF_DECREASE_DELTA, "decrease_delta" },		\
	     { DCCP_CTFAF_REPAY, "repay" },				\
	     { DCCP_CTFAF_DECREASE, "decrease" },			\
	     { DCCP_CTFAF_AT_MAX, "at_max" },				\
	     { DCCP_CTFAF_RESTRAINT, "restraint" },			\
	     { DCCP_CTFAF_INCREASE_DELTA, "increase_delta" },		\
	     { DCCP_CTFAF_INCREASE, "increase" },			\
	     { DCCP_CTFAF_UNUSED, "unused" },				\
	     { DCCP_CTFAF_NOFEEDBACK, "nofeedback" })				\
	NUMBER(s64, asked, tfrc_trace_rate(c->asked))			\
	NUMBER(u64, r, tfrc_trace_rate(c->r))				\
	NUMBER(u64, x, tfrc_trace_rate(ctfaf_rate(c)))			\
	NUMBER(s64, b, tfrc_trace_rate(c->b))				\
	NUMBER(u64, a, tfrc_trace_rate(lda->a))				\
	NUMBER(u64, loss_ppb, (u64)loss * 1000000000 >> 32)		\
	NUMBER(u64, bottleneck, tfrc_trace_rate(bottleneck))		\
	NUMBER(u64, interval_ns, interval)				\
	NUMBER(u32, resets, c->resets)

TFRC_TRACE_EVENT(ctfaf_decision,
		 TP_PROTO(const struct sock *sk, const struct ctfaf *c,
			  const struct lda *lda, u32 loss, u64 bottleneck, u64 interval),
		 TP_ARGS(sk, c, lda, loss, bottleneck, interval), CTFAF_DECISION);

#endif /* _CTFAF_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE ctfaf_trace
#include <trace/define_trace.h>
