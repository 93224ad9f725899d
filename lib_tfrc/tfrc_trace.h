/* SPDX-License-Identifier: GPL-2.0-only */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM tfrc

#if !defined(_TFRC_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TFRC_TRACE_H

#include <net/tfrc_tracepoint.h>

/* A sender has set a new rate: a report came, or the nofeedback timer expired. */
TRACE_EVENT(tfrc_tx_rate,

	TP_PROTO(const struct sock *sk, const struct tfrc_sender *snd,
		 u8 ccid, u64 before, u64 sample, bool silence),

	TP_ARGS(sk, snd, ccid, before, sample, silence),

	TP_STRUCT__entry(
		TFRC_TRACE_ENDS
		__field(__u8, ccid)
		__field(__u8, silence)
		__field(__u32, s)
		__field(__u64, before)
		__field(__u64, x)
		__field(__u64, x_calc)
		__field(__u64, x_recv)
		__field(__u64, x_send)
		__field(__u64, x_limit)
		__field(__u64, p_ppb)
		__field(__u64, rtt_ns)
		__field(__u64, sample_ns)
		__field(__u64, lost)
		__field(__u64, marked)
	),

	TP_fast_assign(
		TFRC_TRACE_SET_ENDS(sk);
		__entry->ccid = ccid;
		__entry->silence = silence;
		__entry->s = tfrc_sender_size(snd);
		__entry->before = tfrc_trace_rate(before);
		__entry->x = tfrc_trace_rate(snd->x);
		__entry->x_calc = tfrc_trace_rate(snd->x_calc);
		__entry->x_recv = tfrc_trace_rate(snd->x_recv);
		__entry->x_send = tfrc_trace_rate(snd->x_send);
		__entry->x_limit = tfrc_trace_rate(snd->x_limit);
		__entry->p_ppb = tfrc_trace_p(snd->p);
		__entry->rtt_ns = snd->rtt;
		__entry->sample_ns = sample;
		__entry->lost = snd->lost;
		__entry->marked = snd->marked;
	),

	TP_printk(TFRC_TRACE_ENDS_FORMAT
		  "ccid=%u reason=%s before=%llu x=%llu x_calc=%llu x_recv=%llu x_send=%llu x_limit=%llu p_ppb=%llu rtt_ns=%llu sample_ns=%llu s=%u lost=%llu marked=%llu",
		  TFRC_TRACE_ENDS_ARGS, __entry->ccid,
		  __entry->silence ? "silence" : "report",
		  __entry->before, __entry->x, __entry->x_calc,
		  __entry->x_recv, __entry->x_send, __entry->x_limit,
		  __entry->p_ppb, __entry->rtt_ns, __entry->sample_ns,
		  __entry->s, __entry->lost, __entry->marked)
);

/* A receiver sends a report. */
TRACE_EVENT(tfrc_rx_report,

	TP_PROTO(const struct sock *sk, const struct tfrc_receiver *r,
		 const struct tfrc_feedback *fb, u8 ccid),

	TP_ARGS(sk, r, fb, ccid),

	TP_STRUCT__entry(
		TFRC_TRACE_ENDS
		__field(__u8, ccid)
		__field(__u8, number)
		__field(__u32, elapsed_us)
		__field(__u64, p_ppb)
		__field(__u64, x_recv)
		__field(__u64, told)
		__field(__u64, rtt_ns)
		__field(__u64, packets)
		__field(__u64, lost)
		__field(__u64, marked)
		__field(__u64, events)
	),

	TP_fast_assign(
		TFRC_TRACE_SET_ENDS(sk);
		__entry->ccid = ccid;
		__entry->number = fb->number;
		__entry->elapsed_us = fb->elapsed_us;
		__entry->p_ppb = tfrc_trace_p(fb->p);
		__entry->x_recv = tfrc_trace_rate(fb->x_recv);
		__entry->told = tfrc_trace_rate(fb->rate);
		__entry->rtt_ns = tfrc_receiver_rtt(r);
		__entry->packets = r->packets;
		__entry->lost = r->history.lost;
		__entry->marked = r->history.marked;
		__entry->events = r->history.events;
	),

	TP_printk(TFRC_TRACE_ENDS_FORMAT
		  "ccid=%u p_ppb=%llu x_recv=%llu told=%llu number=%u rtt_ns=%llu elapsed_us=%u packets=%llu lost=%llu marked=%llu events=%llu",
		  TFRC_TRACE_ENDS_ARGS, __entry->ccid, __entry->p_ppb,
		  __entry->x_recv, __entry->told, __entry->number,
		  __entry->rtt_ns, __entry->elapsed_us, __entry->packets,
		  __entry->lost, __entry->marked, __entry->events)
);

#endif /* _TFRC_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE tfrc_trace
#include <trace/define_trace.h>
