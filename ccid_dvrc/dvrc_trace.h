/* SPDX-License-Identifier: GPL-2.0-only */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM dvrc

#if !defined(_DVRC_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _DVRC_TRACE_H

#include <net/tfrc_tracepoint.h>
#include "dvrc.h"

/* A receiver reports what rate and how many layers it wants. */
TRACE_EVENT(dvrc_report,

	TP_PROTO(const struct sock *sk, const struct dvrc *d, u64 received,
		 u64 dto),

	TP_ARGS(sk, d, received, dto),

	TP_STRUCT__entry(
		TFRC_TRACE_ENDS
		__field(__u64, rate)
		__field(__u64, received)
		__field(__u64, at_loss)
		__field(__u64, mean)
		__field(__u64, deviation)
		__field(__u64, rtt_ns)
		__field(__u64, rtt_deviation_ns)
		__field(__u64, dto_ns)
		__field(__u32, layers)
		__field(__u32, random)
		__field(__u32, congestion)
		__field(__u32, timeouts)
		__field(__u32, decision)
	),

	TP_fast_assign(
		TFRC_TRACE_SET_ENDS(sk);
		__entry->rate = tfrc_trace_rate(d->r);
		__entry->received = tfrc_trace_rate(received);
		__entry->at_loss = tfrc_trace_rate(d->receiving);
		__entry->mean = tfrc_trace_rate(d->history.mean);
		__entry->deviation = tfrc_trace_rate(d->history.deviation);
		__entry->rtt_ns = d->path.rtt;
		__entry->rtt_deviation_ns = d->path.deviation;
		__entry->dto_ns = dto;
		__entry->layers = dvrc_layers_in(&d->layers, d->r);
		__entry->random = d->random;
		__entry->congestion = d->congestion;
		__entry->timeouts = d->timeouts;
		__entry->decision = d->decision;
	),

	TP_printk(TFRC_TRACE_ENDS_FORMAT
		  "decision=%s rate=%llu layers=%u received=%llu at_loss=%llu mean=%llu deviation=%llu rtt_ns=%llu rtt_deviation_ns=%llu dto_ns=%llu random=%u congestion=%u timeouts=%u",
		  TFRC_TRACE_ENDS_ARGS,
		  __print_symbolic(__entry->decision,
				   { DCCP_DVRC_START, "start" },
				   { DCCP_DVRC_INCREASE, "increase" },
				   { DCCP_DVRC_RANDOM, "random" },
				   { DCCP_DVRC_CONGESTION, "congestion" },
				   { DCCP_DVRC_TIMEOUT, "timeout" }),
		  __entry->rate, __entry->layers, __entry->received,
		  __entry->at_loss, __entry->mean, __entry->deviation,
		  __entry->rtt_ns, __entry->rtt_deviation_ns, __entry->dto_ns,
		  __entry->random, __entry->congestion, __entry->timeouts)
);

#endif /* _DVRC_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE dvrc_trace
#include <trace/define_trace.h>
