/* SPDX-License-Identifier: GPL-2.0-only */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM tfrc

#if !defined(_TFRC_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TFRC_TRACE_H

#include <net/tfrc_tracepoint.h>

/* A sender has set a new rate: a report came, or the nofeedback timer expired. */
#define TFRC_TX_RATE(NUMBER, NAME)					\
	NUMBER(u32, ccid, ccid)						\
	NAME(reason, timeout, { 0, "report" }, { 1, "nofeedback" })	\
	NUMBER(u64, before, tfrc_trace_rate(before))			\
	NUMBER(u64, x, tfrc_trace_rate(snd->x))				\
	NUMBER(u64, x_calc, tfrc_trace_rate(snd->x_calc))		\
	NUMBER(u64, x_recv, tfrc_trace_rate(snd->x_recv))		\
	NUMBER(u64, x_send, tfrc_trace_rate(snd->x_send))		\
	NUMBER(u64, x_limit, tfrc_trace_rate(snd->x_limit))		\
	NUMBER(u64, p_ppb, tfrc_trace_p(snd->p))			\
	NUMBER(u64, rtt_ns, snd->rtt)					\
	NUMBER(u64, sample_ns, sample)					\
	NUMBER(u32, s, tfrc_sender_size(snd))				\
	NUMBER(u64, lost, snd->lost)					\
	NUMBER(u64, marked, snd->marked)

TFRC_TRACE_EVENT(tfrc_tx_rate,
		 TP_PROTO(const struct sock *sk, const struct tfrc_sender *snd,
			  u8 ccid, u64 before, u64 sample, bool timeout),
		 TP_ARGS(sk, snd, ccid, before, sample, timeout), TFRC_TX_RATE);

/* A receiver sends a report. */
#define TFRC_RX_REPORT(NUMBER, NAME)					\
	NUMBER(u32, ccid, ccid)						\
	NUMBER(u64, p_ppb, tfrc_trace_p(fb->p))				\
	NUMBER(u64, x_recv, tfrc_trace_rate(fb->x_recv))		\
	NUMBER(u64, requested, tfrc_trace_rate(fb->rate))		\
	NUMBER(u32, number, fb->number)					\
	NUMBER(u64, rtt_ns, tfrc_receiver_rtt(r))			\
	NUMBER(u32, elapsed_us, fb->elapsed_us)				\
	NUMBER(u64, packets, r->packets)				\
	NUMBER(u64, lost, r->history.lost)				\
	NUMBER(u64, marked, r->history.marked)				\
	NUMBER(u64, events, r->history.events)

TFRC_TRACE_EVENT(tfrc_rx_report,
		 TP_PROTO(const struct sock *sk, const struct tfrc_receiver *r,
			  const struct tfrc_feedback *fb, u8 ccid),
		 TP_ARGS(sk, r, fb, ccid), TFRC_RX_REPORT);

#endif /* _TFRC_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE tfrc_trace
#include <trace/define_trace.h>
