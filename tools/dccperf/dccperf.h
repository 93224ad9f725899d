/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dccperf: traffic and streaming over DCCP.
 *
 * A test is one DCCP connection with data in one direction, and one TCP
 * connection (the control connection, same port number) that carries the
 * parameters before it and the results after it. Times are CLOCK_MONOTONIC in
 * ns, rates are bits of payload per second.
 */
#ifndef DCCPERF_H
#define DCCPERF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <linux/types.h>

typedef __u64 u64;
typedef __s64 s64;
typedef __u32 u32;
typedef __u16 u16;
typedef __u8 u8;

#define __printf(a, b)		__attribute__((format(printf, a, b)))
#define __noreturn		__attribute__((noreturn))

#define DCCPERF_PORT		"5201"
#define DCCPERF_SERVICE		0x50455246	/* "PERF", RFC 5595 */

#define NSEC_PER_SEC		1000000000ULL
#define NSEC_PER_MSEC		1000000ULL
#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))

#define MAX_CCIDS		8
#define MAX_PAYLOAD		65535
#define HEADER_LEN		32		/* of each payload, see packet.c */
#define DEFAULT_LEN		1000
#define TS_PACKET		188
#define TS_CHUNK		(7 * TS_PACKET)

struct dccp_ccid_tx_info;

/* fields.c: one table describes a struct for the wire, for JSON and for CSV */
enum field_type { F_U64, F_S64, F_F64, F_STR };

struct field {
	const char	*name;
	enum field_type	type;
	size_t		offset;
	size_t		size;
	double		min, max;	/* what a peer may send */
};

#define FIELD(type, member, ftype, lo, hi) {				\
	#member, ftype, offsetof(type, member),				\
	sizeof(((type *)0)->member), lo, hi }

/* What a test consists of: set by the client, told to the server. */
enum source_kind { SOURCE_GREEDY, SOURCE_CBR, SOURCE_FILE, SOURCE_VIDEO };

#define MAX_LAYERS	16
#define LAYERS_TEXT	200

#ifndef SOL_DCCP
#define SOL_DCCP	269
#endif

#define UNSET			((u64)-1)	/* value not given */

/*
 * Parameters of the schemes: X(scheme, key, factor, zero, max). Each becomes a
 * member scheme_key of struct test, which holds value * factor + zero.
 */
#define LTFRC_A_ZERO		(1LL << 31)
#define SCHEME_PARAMS(X)						\
	X(marc, preset, 1, 0, 255)					\
	X(marc, beta, 1000, 0, 65535)					\
	X(marc, delta_loss, 1000, 0, 65535)				\
	X(marc, delta_mark, 1000, 0, 65535)				\
	X(marc, tokens, 1, 0, 255)					\
	X(marc, clock, 1, 0, 255)					\
	X(marc, decay, 1, 0, 255)					\
	X(marc, lag, 1, 0, 255)						\
	X(marc, n, 1, 0, UINT32_MAX)					\
	X(marc, recovery, 1, 0, 255)					\
	X(raar, preset, 1, 0, 255)					\
	X(raar, beta, 1000, 0, 65535)					\
	X(raar, delta, 1000, 0, 65535)					\
	X(raar, smoothing, 1, 0, 65535)					\
	X(raar, growth, 1000, 0, 65535)					\
	X(raar, rate_max, 0.125, 0, UINT32_MAX)				\
	X(raar, early_once, 1, 0, 255)					\
	X(raar, wnd_max, 1, 0, 255)					\
	X(raar, hole_events, 1, 0, 255)					\
	X(raar, exit_guard, 1, 0, 255)					\
	X(ltfrc, preset, 1, 0, 255)					\
	X(ltfrc, k, 1, 0, 65535)					\
	X(ltfrc, weight, 1000, 0, 65535)				\
	X(ltfrc, bounded, 1, 0, 255)					\
	X(ltfrc, n, 1, 0, UINT32_MAX)					\
	X(ltfrc, recovery, 1, 0, 255)					\
	X(ltfrc, a0, 65536, LTFRC_A_ZERO, UINT32_MAX)			\
	X(ltfrc, a1, 65536, LTFRC_A_ZERO, UINT32_MAX)			\
	X(ltfrc, a2, 65536, LTFRC_A_ZERO, UINT32_MAX)			\
	X(ltfrc, a3, 65536, LTFRC_A_ZERO, UINT32_MAX)			\
	X(dvrc, preset, 1, 0, 255)					\
	X(dvrc, alpha_i, 1000, 0, 65535)				\
	X(dvrc, alpha_d, 1000, 0, 65535)				\
	X(dvrc, beta_d, 1000, 0, 65535)					\
	X(dvrc, n, 1000, 0, 65535)					\
	X(dvrc, weight, 1000, 0, 65535)					\
	X(dvrc, ack_ratio, 1, 0, 255)					\
	X(dvrc, loss_history, 1, 0, 255)				\
	X(dvrc, weight_layers, 1000, 0, 65535)				\
	X(dvrc, delta, 1000, 0, 65535)					\
	X(dvrc, gain_mean, 1000, 0, 65535)				\
	X(dvrc, gain_deviation, 1000, 0, 65535)				\
	X(dvrc, hold, 1000, 0, 65535)					\
	X(dvrc, validation, 1, 0, 255)					\
	X(dvrc, gamma, 1000, 0, 65535)					\
	X(dvrc, epsilon, 1000, 0, 65535)				\
	X(dvrc, slow_start, 1, 0, 255)					\
	X(ctfaf, preset, 1, 0, 255)					\
	X(ctfaf, r_min, 0.125, 0, UINT32_MAX)				\
	X(ctfaf, r_max, 0.125, 0, UINT32_MAX)				\
	X(ctfaf, step, 0.125, 0, UINT32_MAX)				\
	X(ctfaf, delta, 0.125, 0, UINT32_MAX)				\
	X(ctfaf, r_start, 0.125, 0, UINT32_MAX)				\
	X(ctfaf, increase, 0.125, 0, UINT32_MAX)			\
	X(ctfaf, l_allowed, 1000000, 0, UINT32_MAX)			\
	X(ctfaf, interval, 1000, 0, UINT32_MAX)				\
	X(ctfaf, t_reset, 1000, 0, UINT32_MAX)				\
	X(ctfaf, t_init, 1000, 0, UINT32_MAX)				\
	X(ctfaf, algorithm, 1, 0, 255)					\
	X(ctfaf, l_severe, 1000000, 0, UINT32_MAX)			\
	X(ctfaf, probes, 1, 0, 255)					\
	X(ctfaf, probe_every, 1, 0, 255)				\
	X(ctfaf, hold, 1000, 0, 255)					\
	X(ctfaf, decay, 1000, 0, UINT16_MAX)				\
	X(ctfaf, refuse, 1, 0, 255)					\
	X(ctfaf, gentle, 1, 0, 255)					\
	X(ctfaf, climb, 1, 0, 255)					\
	X(ctfaf, n, 1, 0, UINT32_MAX)
#define SCHEME_MEMBER(scheme, key, factor, zero, max)	u64 scheme##_##key;

struct test {
	u64	port;		/* the client's DCCP port */
	u64	stream;		/* in the header of each packet */
	u64	reverse;	/* server sends */
	u64	source;		/* enum source_kind */
	u64	file_rate;	/* pace by the PCRs of a transport stream */
	u64	len;		/* payload, bytes; 0: default */
	u64	rate;		/* bits/s */
	u64	bytes;		/* stop after so many; 0: no limit */
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

struct ccid_list {
	u8		ccid[MAX_CCIDS];
	int		n;
};

struct options {
	bool		server, json, verbose, one_off;
	const char	*host, *port, *bind, *file, *serve, *trace, *logfile;
	const char	*frames;
	int		family;
	double		interval, trace_interval, connect_timeout;
	struct ccid_list tx, rx;
	struct test	test;
};

/* What the sender's kernel says about its rate; NAN: it does not say. */
struct tx_info {
	double		x, x_calc, x_recv, x_send;	/* bits/s */
	double		p, rtt_ms, tokens;
	double		told;			/* RAAR: bits/s */
	double		x_tcp, k;		/* L-TFRC */
	/* CTFAF: bits/s, but the last two */
	double		rate, virtual_bandwidth, asked, increase, bottleneck;
	double		loss, decision;
	double		dto_ms;			/* DVRC, which has told and k */
	double		kept_back;		/* packets, by DVRC */
};

/* What DVRC's receiver says; NAN: it is another one. */
struct rx_info {
	double		r, k, mean, deviation, receiving;	/* bits/s, but k */
	double		random, congestion, timeouts, loss_events, feedbacks;
	double		lost;			/* packets, of any of ours */
};

struct sender_result {
	u64	tx_ccid, rx_ccid;
	u64	mps, len;
	u64	packets, packets_total, bytes, skipped, above_k, k_changes;
	u64	kept_back;	/* taken by send(), and never on the wire */
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
	u64	bytes, packets, lost;
	double		bits_per_second;
	int		percent;	/* of the file, once it ends; -1: none */
	struct tx_info	info;
	struct rx_info	rx;
};

/* A table ends with a field without name. */
extern const struct field test_fields[], sender_fields[], receiver_fields[];
extern const struct field sender_interval_fields[], receiver_interval_fields[];

void fields_init(const struct field *f, void *obj);
bool field_format(const struct field *f, const void *obj, char *buf, size_t n);
const char *fields_parse(const struct field *f, void *obj, char *text);

/* stats.c: no system calls */
struct series {			/* mean and standard deviation, Welford */
	u64	n;
	double		mean, m2;
};

struct rate_bins {		/* rate in consecutive bins of equal width */
	u64	width, end, bytes;
	struct series	rates;
};

#define DUP_WINDOW		65536
#define DELAY_STEP		100000LL	/* 0.1 ms */
#define DELAY_BELOW		100000LL	/* steps below the first: 10 s */
#define DELAY_STEPS		1300000		/* 130 s in all */

struct rx_stats {
	u64	omit, first, last, last_any;
	u64	base, next, prev_transit_valid;
	u64	packets, bytes, reordered, duplicates;
	s64		prev_transit, delay_first, delay_min, delay_max;
	double		jitter;
	struct series	gaps;
	struct rate_bins bins;
	bool		started, omitting;
	u32	*delays;
	u64	gap, wide_gaps;	/* ns; packets after a wider gap */
	u32	*variations;	/* of the delay from packet to packet, DELAY_STEP */
	s64	variation_max;
	u64	seen[DUP_WINDOW / 64];
};

void series_add(struct series *s, double v);
double series_sd(const struct series *s);
double series_cov(const struct series *s);
void rate_bins_init(struct rate_bins *b, u64 width, u64 start);
void rate_bins_add(struct rate_bins *b, u64 now, u64 bytes);
int rx_stats_init(struct rx_stats *s, double cov, double omit, double gap);
void rx_stats_free(struct rx_stats *s);
bool rx_stats_packet(struct rx_stats *s, u64 seq, u32 bytes,
		     u64 sent, u64 sched, u64 now);
void rx_stats_result(struct rx_stats *s, u64 packets_sent,
		     double seconds_sent, double late_ms,
		     struct receiver_result *r);

/* packet.c: the header in front of each payload */
struct packet_header {
	u64	seq, sent, sched;
	u32	stream;
	u8	layer;			/* 0: none */
};

void packet_pack(u8 *buf, const struct packet_header *h);
bool packet_unpack(const u8 *buf, size_t len, struct packet_header *h);

/* control.c */
#define CTRL_MAX		4096

struct ctrl {
	int		fd;
	size_t		len, used;
	char		buf[CTRL_MAX + 1];
};

const char *ctrl_send(struct ctrl *c, const char *verb,
		      const struct field *f, const void *obj);
int ctrl_read(struct ctrl *c, char **verb, char **body);
int ctrl_wait(struct ctrl *c, double seconds, char **verb, char **body);
void ctrl_setup(int fd);

/* dccp.c */
const char *ccid_name(int ccid, char *buf, size_t n);
int ccid_parse_list(const char *arg, struct ccid_list *l);
int dccp_open(int family, const struct options *o);
void dccp_set_test(int fd, const struct test *t, bool sending);
int dccp_get_int(int fd, int opt);
void dccp_tx_info(int fd, struct tx_info *info);
void dccp_rx_info(int fd, struct rx_info *info);
void dccp_check_ccid(const char *whose, const char *server_knob,
		     const struct ccid_list *want, int got);
const char *addr_text(const struct sockaddr_storage *ss, char *buf, size_t n);
u16 addr_port(const struct sockaddr_storage *ss);
bool addr_same_host(const struct sockaddr_storage *a,
		    const struct sockaddr_storage *b);

/* schemes.c */
void scheme_unset(struct test *t);
int scheme_parse(const char *scheme, const char *arg, struct test *t);
void scheme_set(int fd, const struct test *t, bool sending);
void scheme_info(const struct dccp_ccid_tx_info *k, struct tx_info *info);

/* source.c, ts.c */
struct ts_clock {		/* when each byte of a transport stream is due */
	int		pid;
	bool		have_prev, have_next;
	u64	prev_pos, next_pos, scan;	/* bytes from the start */
	u64	prev_pcr, next_pcr;		/* 27 MHz */
	double		prev_time, next_time;		/* s */
	double		rate;				/* bytes/s */
};

enum ts_status { TS_TIME, TS_MORE, TS_BAD };

void ts_init(struct ts_clock *c);
enum ts_status ts_time(struct ts_clock *c, const u8 *buf, u64 pos,
		       size_t have, bool end, double *time);

struct video {			/* in layers */
	u32	rate[MAX_LAYERS];	/* cumulative, bytes/s */
	int		k;
	u64	random, frame;
	double		time;		/* of the frame */
	double		noise[3];	/* of I, P, B */
	double		due[MAX_LAYERS];	/* bytes with headers, not yet in @left */
	u32	left[MAX_LAYERS];	/* of the frame, bytes */
	FILE		*file;
};

struct source {
	struct video	video;
	const struct test *test;
	enum source_kind kind;
	u64	start, taken;	/* epoch; bytes handed out */
	u64	length;		/* of the file; 0: not known */
	u32	len;		/* of a payload, header included */
	int		fd;
	bool		eof;
	u64	starved;	/* since when; 0: is not */
	u8		*buf;
	size_t		size, rd, wr;
	struct ts_clock	ts;
};

enum source_status { SRC_READY, SRC_INPUT, SRC_END };

struct chunk {
	u8	layer;		/* 0: none */
	const u8	*data;		/* NULL: filler */
	u32	len;		/* without header */
	u64	when;
};

int layers_parse(const char *arg, u32 *rate);
void video_open(struct video *v, const struct test *t, const char *frames);
enum source_status video_next(struct video *v, u32 len, u64 start,
			      struct chunk *c);
void video_take(struct video *v, const struct chunk *c);
void video_close(struct video *v);

void source_open(struct source *s, const struct test *t, const char *path,
		 u32 len);
void source_start(struct source *s, u64 now);
enum source_status source_next(struct source *s, u64 now,
			       struct chunk *c);
void source_take(struct source *s, const struct chunk *c);
void source_close(struct source *s);

/* report.c */
struct flow;

void report_open(struct flow *s);
void report_interval(struct flow *s, const struct interval *iv);
void report_trace(struct flow *s, u64 now, const struct interval *iv);
void report_end(struct flow *s);
void __printf(1, 2) report_warn(const char *fmt, ...);
void __printf(1, 2) note(const char *fmt, ...);
void __printf(1, 2) __noreturn die(const char *fmt, ...);
void die_notify(struct ctrl *c);

/* json.c: pretty-printed, written as it comes */
struct json {
	FILE		*f;
	int		depth;
	bool		first;
	char		stack[16];
};

void json_init(struct json *j, FILE *f);
void json_open(struct json *j, const char *key, char bracket);
void json_close(struct json *j);
void json_close_to(struct json *j, int depth);
void json_str(struct json *j, const char *key, const char *v);
void json_f64(struct json *j, const char *key, double v);
void json_s64(struct json *j, const char *key, s64 v);
void json_fields(struct json *j, const struct field *f, const void *obj);

/* flow.c: one test, at either end */
struct flow {
	const struct options *o;
	struct test	test;
	struct ctrl	ctrl;
	int		fd;
	bool		sending, peer_done;
	int		tx_ccid, rx_ccid, mps;
	int		peer_tx_ccid, peer_rx_ccid;
	struct sockaddr_storage local, peer;
	u64	start;
	struct sender_result snd;
	struct receiver_result rcv;
	u64	layer_packets[MAX_LAYERS + 1], layer_bytes[MAX_LAYERS + 1];
};

struct ccids {			/* what each end reads back, to compare */
	u64	tx_ccid, rx_ccid;
};

struct peer_error {
	char		error[256];
};

extern const struct field ccids_fields[], error_fields[];
extern const struct options *opts;
extern volatile int stopping;	/* SIGINT or SIGTERM came */

u64 now_ns(void);
void sleep_ns(u64 ns);
int wait_fds(void *fds, unsigned int n, u64 until);
void flow_negotiated(struct flow *s);
int flow_run(struct flow *s);
void sender_run(struct flow *s);
void receiver_run(struct flow *s);
int client_run(const struct options *o);
int server_run(const struct options *o);
void options_parse(struct options *o, int argc, char **argv);

#endif /* DCCPERF_H */
