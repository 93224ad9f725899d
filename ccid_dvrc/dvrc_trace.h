/* SPDX-License-Identifier: GPL-2.0-only */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM dvrc

#if !defined(_DVRC_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _DVRC_TRACE_H

#include <net/tfrc_tracepoint.h>
#include "dvrc.h"

/* perf and trace-cmd know numbers only. */
TRACE_DEFINE_ENUM(DCCP_DVRC_START);
TRACE_DEFINE_ENUM(DCCP_DVRC_INCREASE);
TRACE_DEFINE_ENUM(DCCP_DVRC_RANDOM);
TRACE_DEFINE_ENUM(DCCP_DVRC_CONGESTION);
TRACE_DEFINE_ENUM(DCCP_DVRC_TIMEOUT);

/* A receiver sends a report. */
#define DVRC_REPORT(NUMBER, NAME)					\
	NAME(decision, d->decision, { DCCP_DVRC_START, "start" },	\
	     { DCCP_DVRC_INCREASE, "increase" },			\
	     { DCCP_DVRC_RANDOM, "random" },				\
	     { DCCP_DVRC_CONGESTION, "congestion" },			\
	     { DCCP_DVRC_TIMEOUT, "timeout" })				\
	NUMBER(u64, rate, tfrc_trace_rate(d->r))			\
	NUMBER(u32, layers, dvrc_layers_in(&d->layers, d->r))		\
	NUMBER(u64, received, tfrc_trace_rate(received))		\
	NUMBER(u64, at_loss, tfrc_trace_rate(d->receiving))		\
	NUMBER(u64, mean, tfrc_trace_rate(d->history.mean))		\
	NUMBER(u64, deviation, tfrc_trace_rate(d->history.deviation))	\
	NUMBER(u64, rtt_ns, d->path.rtt)				\
	NUMBER(u64, rtt_deviation_ns, d->path.deviation)		\
	NUMBER(u64, dto_ns, dto)					\
	NUMBER(u32, random, d->random)					\
	NUMBER(u32, congestion, d->congestion)				\
	NUMBER(u32, timeouts, d->timeouts)

TFRC_TRACE_EVENT(dvrc_report,
		 TP_PROTO(const struct sock *sk, const struct dvrc *d,
			  u64 received, u64 dto),
		 TP_ARGS(sk, d, received, dto), DVRC_REPORT);

#endif /* _DVRC_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE dvrc_trace
#include <trace/define_trace.h>
