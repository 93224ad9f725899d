/* SPDX-License-Identifier: GPL-2.0-only */
/* A test: its parameters and its results. */
#ifndef DCCPERF_TEST_H
#define DCCPERF_TEST_H

#include "fields.h"

/* Parameters of a test, which the client sets and sends to the server */
enum source_kind { SOURCE_GREEDY, SOURCE_CBR, SOURCE_FILE, SOURCE_VIDEO };

#define MAX_LAYERS	16
#define MAX_FLOWS	128
#define LAYERS_TEXT	200

/*
 * Parameters of the schemes: X(scheme, key, factor, zero, max, is). Each becomes a
 * member scheme_key of struct test, which holds value * factor + zero.
 */
#define LTFRC_A_ZERO		(1LL << 31)
#define SCHEME_PARAMS(X)						\
	X(marc, preset, 1, 0, 255, "default, paper, tfrc, interactive or streaming")	\
	X(marc, beta, 1000, 0, 65535, "0 to 1")	\
	X(marc, delta_loss, 1000, 0, 65535, "0.001 to 0.999")	\
	X(marc, delta_mark, 1000, 0, 65535, "0.001 to 0.999")	\
	X(marc, tokens, 1, 0, 255, "0 or 1")	\
	X(marc, clock, 1, 0, 255, "paper, rfc5348 or restart")	\
	X(marc, decay, 1, 0, 255, "report or time")	\
	X(marc, lag, 1, 0, 255, "0 or 1")	\
	X(marc, target_delay, 1000, 0, 65535, "0 (no limit), or 0.005 to 1 s")	\
	X(marc, landing, 1, 0, 65535, "0 (no limit), or 1 to 1000 round trips")	\
	X(marc, warning, 1000, 0, 65535, "0 (never) to 65.535 s")	\
	X(marc, nominal_size, 1, 0, 65535, "0 (the real size), or 1 to 1460 bytes")	\
	X(marc, frame_rate, 1, 0, 65535, "0 (not spread), or 1 to 1000 frames/s")	\
	X(marc, l4s, 1, 0, 255, "0 or 1")	\
	X(marc, loss_history, 1, 0, UINT32_MAX, "2 to 255 loss intervals")	\
	X(marc, recovery, 1, 0, 255, "0 or 1")	\
	X(raar, preset, 1, 0, 255, "default, paper or thin-uplink")	\
	X(raar, beta, 1000, 0, 65535, "0.001 to 0.999")	\
	X(raar, target_delay, 1000, 0, 65535, "0 (no limit), or 0.005 to 1 s")	\
	X(raar, frame_rate, 1, 0, 65535, "0 (not spread), or 1 to 1000 frames/s")	\
	X(raar, nominal_size, 1, 0, 65535, "0 (the real size), or 1 to 1460 bytes")	\
	X(raar, l4s, 1, 0, 255, "0 or 1")	\
	X(raar, delta, 1000, 0, 65535, "0.001 to 1")	\
	X(raar, smoothing, 1, 0, 65535, "1 to 64 rates")	\
	X(raar, growth, 1000, 0, 65535, "0 (no limit), or 1 to 65.535")	\
	X(raar, rate_max, 0.125, 0, UINT32_MAX, "0 (no limit), or up to 34G bits/s")	\
	X(raar, early_once, 1, 0, 255, "0 or 1")	\
	X(raar, wnd_max, 1, 0, 255, "0 or 1")	\
	X(raar, hole_events, 1, 0, 255, "0 or 1")	\
	X(raar, exit_guard, 1, 0, 255, "0 or 1")	\
	X(raar, per_rtt, 1, 0, 255, "0 or 1")	\
	X(raar, fast_down, 1, 0, 255, "0 or 1")	\
	X(ltfrc, preset, 1, 0, 255, "default, paper or interactive")	\
	X(ltfrc, k, 1, 0, 65535, "8 (tcp-friendly), 11 (bounded-friendly) or 15 (streaming-oriented)")	\
	X(ltfrc, weight, 1000, 0, 65535, "0.001 to 65.535")	\
	X(ltfrc, bounded, 1, 0, 255, "0 or 1")	\
	X(ltfrc, target_delay, 1000, 0, 65535, "0 (no limit), or 0.005 to 1 s")	\
	X(ltfrc, nominal_size, 1, 0, 65535, "0 (the real size), or 1 to 1460 bytes")	\
	X(ltfrc, frame_rate, 1, 0, 65535, "0 (not spread), or 1 to 1000 frames/s")	\
	X(ltfrc, l4s, 1, 0, 255, "0 or 1")	\
	X(ltfrc, loss_history, 1, 0, UINT32_MAX, "2 to 255 loss intervals")	\
	X(ltfrc, recovery, 1, 0, 255, "0 or 1")	\
	X(ltfrc, a0, 65536, LTFRC_A_ZERO, UINT32_MAX, "-32768 to 32767, such that more loss does not give a greater rate")	\
	X(ltfrc, a1, 65536, LTFRC_A_ZERO, UINT32_MAX, "-32768 to 32767, such that more loss does not give a greater rate")	\
	X(ltfrc, a2, 65536, LTFRC_A_ZERO, UINT32_MAX, "-32768 to 32767, such that more loss does not give a greater rate")	\
	X(ltfrc, a3, 65536, LTFRC_A_ZERO, UINT32_MAX, "-32768 to 32767, such that more loss does not give a greater rate")	\
	X(dvrc, preset, 1, 0, 255, "default, paper or layered")	\
	X(dvrc, alpha_i, 1000, 0, 65535, "0.001 to 65.535 packets")	\
	X(dvrc, alpha_d, 1000, 0, 65535, "0.001 to 65.535 packets")	\
	X(dvrc, beta_d, 1000, 0, 65535, "0.001 to 0.999")	\
	X(dvrc, n, 1000, 0, 65535, "0 to 65.535 deviations")	\
	X(dvrc, weight, 1000, 0, 65535, "0.001 to 65.535")	\
	X(dvrc, ack_ratio, 1, 0, 255, "1 to 255 packets")	\
	X(dvrc, loss_history, 1, 0, 255, "2 to 255 loss intervals")	\
	X(dvrc, weight_layers, 1000, 0, 65535, "0 to 65.535")	\
	X(dvrc, delta, 1000, 0, 65535, "0 to 65.535")	\
	X(dvrc, gain_mean, 1000, 0, 65535, "0.001 to 1")	\
	X(dvrc, gain_deviation, 1000, 0, 65535, "0.001 to 1")	\
	X(dvrc, hold, 1000, 0, 65535, "0 to 60 s")	\
	X(dvrc, validation, 1, 0, 255, "0 or 1")	\
	X(dvrc, gamma, 1000, 0, 65535, "0 to 0.999")	\
	X(dvrc, epsilon, 1000, 0, 65535, "0 to 0.999")	\
	X(dvrc, slow_start, 1, 0, 255, "0 or 1")	\
	X(dvrc, target_delay, 1000, 0, 65535, "0 (no limit), or 0.005 to 1 s")	\
	X(dvrc, frame_rate, 1, 0, 65535, "0 (not spread), or 1 to 1000 frames/s")	\
	X(dvrc, nominal_size, 1, 0, 65535, "0 (the real size), or 1 to 1460 bytes")	\
	X(dvrc, l4s, 1, 0, 255, "0 or 1")	\
	X(ctfaf, preset, 1, 0, 255, "default or paper")	\
	X(ctfaf, r_min, 0.125, 0, UINT32_MAX, "8 bits/s to r_start and r_max")	\
	X(ctfaf, r_max, 0.125, 0, UINT32_MAX, "from r_min and r_start to 34G bits/s")	\
	X(ctfaf, step, 0.125, 0, UINT32_MAX, "8 bits/s to r_max - r_min, and to 2 r_min")	\
	X(ctfaf, delta, 0.125, 0, UINT32_MAX, "0 (no limit), or from step to 34G bits/s")	\
	X(ctfaf, r_start, 0.125, 0, UINT32_MAX, "0 (350K or a limit), or r_min to r_max, bits/s")	\
	X(ctfaf, increase, 0.125, 0, UINT32_MAX, "8 bits/s to 34G")	\
	X(ctfaf, l_allowed, 1000000, 0, UINT32_MAX, "0 to 1")	\
	X(ctfaf, interval, 1000, 0, UINT32_MAX, "0.1 to 60 s")	\
	X(ctfaf, t_reset, 1000, 0, UINT32_MAX, "interval to 3600 s")	\
	X(ctfaf, t_init, 1000, 0, UINT32_MAX, "0 to 3600 s")	\
	X(ctfaf, algorithm, 1, 0, 255, "lda or tfrc")	\
	X(ctfaf, l_severe, 1000000, 0, UINT32_MAX, "0.000001 to 1")	\
	X(ctfaf, probes, 1, 0, 255, "0, or 2 to 15 packets")	\
	X(ctfaf, probe_every, 1, 0, 255, "1 to 255 reports")	\
	X(ctfaf, hold, 1000, 0, 255, "0 to 0.1 s")	\
	X(ctfaf, decay, 1000, 0, UINT16_MAX, "0 to 1")	\
	X(ctfaf, refuse, 1, 0, 255, "0 or 1")	\
	X(ctfaf, gentle, 1, 0, 255, "0 or 1")	\
	X(ctfaf, climb, 1, 0, 255, "0 or 1")	\
	X(ctfaf, steady, 1, 0, 255, "0 (when it is known), or 1 to 100 reports")	\
	X(ctfaf, target_delay, 1000, 0, 65535, "0 (no limit), or 0.005 to 1 s")	\
	X(ctfaf, nominal_size, 1, 0, 65535, "0 (the real size), or 1 to 1460 bytes")	\
	X(ctfaf, frame_rate, 1, 0, 65535, "0 (not spread), or 1 to 1000 frames/s")	\
	X(ctfaf, loss_history, 1, 0, UINT32_MAX, "2 to 255 loss intervals")
#define SCHEME_MEMBER(scheme, key, factor, zero, max, is)	u64 scheme##_##key;

struct test {
	u64	port;		/* the client's DCCP port */
	u64	stream;		/* in the header of each packet */
	u64	reverse;	/* server sends */
	u64	source;		/* enum source_kind */
	u64	file_rate;	/* pace by the PCRs of a transport stream */
	u64	len;		/* payload, bytes; 0: default */
	u64	rate;		/* bits/s */
	u64	bytes;		/* stop after so many; 0: no limit */
	u64	flows, flow;	/* in parallel, and which of them this one is, from 1 */
	u64	seed;		/* of a synthetic video; only the client sends one */
	u64	qlen;		/* of the sender's transmit queue */
	double		time;		/* s; 0: no limit */
	double		omit;		/* s */
	double		cov;		/* s */
	double		late;		/* ms */
	double		deadline;	/* ms; 0: none */
	double		gap;		/* ms */
	SCHEME_PARAMS(SCHEME_MEMBER)
	char		layers[LAYERS_TEXT];	/* as on the command line */
	char		title[64];
};

/* State of the sender in the kernel; NAN: not known */
struct tx_info {
	double		x, x_inst, x_calc, x_recv, x_send;	/* bits/s */
	double		p, rtt_ms, tokens;
	double		requested;		/* RAAR: bits/s */
	double		x_tcp, k;		/* L-TFRC */
	/* CTFAF: bits/s, but the last two */
	double		rate, virtual_bandwidth, asked, increase, bottleneck;
	double		loss, decision;
	double		dto_ms;			/* DVRC, which has requested and k */
	double		kept_back;		/* packets, by DVRC */
};

/* State of DVRC's receiver; NAN: another CCID */
struct rx_info {
	double		r, k, mean, deviation, receiving;	/* bits/s, but k */
	double		random, congestion, timeouts, loss_events, feedbacks;
	double		lost;			/* packets, of all five schemes */
};

struct sender_result {
	u64	tx_ccid, rx_ccid;
	u64	mps, len;
	u64	packets, packets_total, bytes, skipped, above_k, k_changes;
	u64	kept_back;	/* accepted by send(), but never sent */
	double		seconds, bits_per_second;
	double		cov, cov_seconds;
	double		x, x_calc, x_recv, p, rtt_ms, tokens;
	char		error[160];
};

struct receiver_result {
	u64	tx_ccid, rx_ccid;
	u64	packets, bytes, lost, reordered, duplicates, foreign;
	double		seconds, bits_per_second, lost_percent;
	double		jitter_ms, interarrival_ms, interarrival_sd_ms;
	double		cov, cov_seconds;
	double		late_ms, late_percent, late_or_lost_percent;
	double		delay_p50_ms, delay_p95_ms, delay_p99_ms, delay_max_ms;
	double		gap_ms, gap_percent, delivery_index;
	double		variation_p95_ms, variation_max_ms;
	double		random, congestion, timeouts, loss_events, feedbacks;
	char		error[160];
};

struct interval {
	double		start, end, seconds;
	u64	number;			/* from 1, of its end; those of a stall are left out */
	u64	bytes, packets, lost;
	double		bits_per_second;
	int		percent;	/* of the file, once it ends; -1: none */
	struct tx_info	info;
	struct rx_info	rx;
};

struct ccids {			/* CCIDs that each end reads from its socket, to compare */
	u64	tx_ccid, rx_ccid;
};

struct peer_error {
	char		error[256];
};

/* A table ends with a field without a name. */
extern const struct field test_fields[], sender_fields[], receiver_fields[];
extern const struct field sender_interval_fields[], receiver_interval_fields[];
extern const struct field ccids_fields[], error_fields[];

const char *sender_parse(struct sender_result *r, char *text);

#endif /* DCCPERF_TEST_H */
