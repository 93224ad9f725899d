// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reports to the user: text while the test runs, or one JSON document for each test,
 * and the trace. The server's children write a JSON document in one piece, so that
 * documents of simultaneous tests do not mix. With --json-stream each event is a document
 * on a line of its own.
 */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "json.h"
#include "log.h"
#include "part.h"
#include "report.h"

static struct json json;
static bool stream;
static unsigned int number;		/* of the flow; 0: there is one */
static FILE *trace;
static char *json_text;
static size_t json_size;

static void json_flush(void)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	FILE *f = log_file();

	json_close_to(&json, 0);
	fclose(json.f);
	json.f = NULL;
	if (part_number() && !stream) {
		struct part p = { .kind = PART_JSON, .length = json_size };

		part_send(&p, json_text);
		free(json_text);
		return;
	}
	fcntl(fileno(f), F_SETLKW, &lock);
	fwrite(json_text, 1, json_size, f);
	fflush(f);			/* log_close() says if that failed */
	lock.l_type = F_UNLCK;
	fcntl(fileno(f), F_SETLK, &lock);
	free(json_text);
}

static void json_begin(void)
{
	json_init(&json, open_memstream(&json_text, &json_size));
	if (!json.f)
		exit(1);
	json.line = stream;
	json_open(&json, NULL, '{');
}

/* A part of the report: a member of the document, or an event. */
static void section(const char *name)
{
	if (!stream) {
		json_open(&json, name, '{');
		return;
	}
	json_begin();
	json_str(&json, "event", name);
	json_open(&json, "data", '{');
	if (number)
		json_s64(&json, "flow", number);
}

static void section_end(void)
{
	if (stream)
		json_flush();
	else
		json_close(&json);
}

/* End the document of a test that failed. */
static void json_die(const char *text)
{
	if (!json.f)
		json_begin();
	json_close_to(&json, 1);
	if (stream) {
		json_str(&json, "event", "error");
		json_str(&json, "data", text);
	} else {
		json_str(&json, "error", text);
	}
	json_flush();
}

void report_init(const struct options *o)
{
	stream = o->json_stream;
	if (o->json)
		on_die(json_die);
}

static void json_ccids(const char *key, int tx, int rx)
{
	char name[32];

	json_open(&json, key, '{');
	json_str(&json, "tx", ccid_name(tx, name, sizeof(name)));
	json_str(&json, "rx", ccid_name(rx, name, sizeof(name)));
	json_s64(&json, "tx_ccid", tx);
	json_s64(&json, "rx_ccid", rx);
	json_close(&json);
}

static void json_start(const struct flow *s)
{
	char buf[128];

	section("start");
	json_str(&json, "version", "dccperf " DCCPERF_VERSION);
	json_str(&json, "role", s->o->server ? "server" : "client");
	json_str(&json, "direction", s->sending ? "sends" : "receives");
	json_str(&json, "local", addr_text(&s->local, buf, sizeof(buf)));
	json_str(&json, "remote", addr_text(&s->peer, buf, sizeof(buf)));
	json_s64(&json, "mps", s->mps);
	json_ccids("ccids_here", s->tx_ccid, s->rx_ccid);
	json_ccids("ccids_peer", s->peer_tx_ccid, s->peer_rx_ccid);
	json_open(&json, "test", '{');
	json_fields(&json, test_fields, &s->test);
	json_close(&json);
	section_end();
	if (!stream)
		json_open(&json, "intervals", '[');
}

static void trace_header(const struct field *f)
{
	fputs("time,mono", trace);
	for (f += 3; f->name; f++)	/* after start, end, seconds */
		fprintf(trace, ",%s", f->name);
	putc('\n', trace);
}

static const struct field *interval_fields(const struct flow *s)
{
	return s->sending ? sender_interval_fields : receiver_interval_fields;
}

void report_open(struct flow *s)
{
	const struct part started = { .kind = PART_START };
	char a[128], b[128], name[64];
	const struct options *o = s->o;

	if (s->test.flows > 1) {
		number = s->test.flow;
		snprintf(name, sizeof(name), "[%3u] ", number);
		log_prefix(name);
	}
	part_send(&started, NULL);

	if (o->trace) {
		const char *path = o->trace;
		char numbered[4096];

		/* One file for each test, as a server may have several tests. */
		if (o->server && !o->one_off) {
			snprintf(numbered, sizeof(numbered), "%s.%u", path,
				 addr_port(&s->peer));
			path = numbered;
		} else if (number) {
			snprintf(numbered, sizeof(numbered), "%s.%u", path, number);
			path = numbered;
		}
		trace = fopen(path, "we");
		if (!trace)
			die("cannot write the trace %s", path);
		trace_header(interval_fields(s));
	}
	if (o->json) {
		if (!json.f && !stream)
			json_begin();
		json_start(s);
		return;
	}
	if (*s->test.title)
		note("%s", s->test.title);
	note("local %s connected to %s", addr_text(&s->local, a, sizeof(a)),
	     addr_text(&s->peer, b, sizeof(b)));
	note("this end: tx %s, rx %s", ccid_name(s->tx_ccid, a, sizeof(a)),
	     ccid_name(s->rx_ccid, name, sizeof(name)));
	note("peer:     tx %s, rx %s", ccid_name(s->peer_tx_ccid, a, sizeof(a)),
	     ccid_name(s->peer_rx_ccid, name, sizeof(name)));
	if (o->interval <= 0)
		return;
	if (s->sending)
		note("Interval (s)         Bytes     Bitrate     Packets  X (allowed)   RTT (ms)  p");
	else
		note("Interval (s)         Bytes     Bitrate     Packets  Lost");
}

/* A value that is not known is shown as a dash. The next four are kept. */
static const char *num(const char *fmt, double v)
{
	static char buf[4][32];
	static unsigned int i;
	char *b = buf[i++ % 4];

	if (!isfinite(v))
		return "-";
	snprintf(b, sizeof(buf[0]), fmt, v);
	return b;
}

static const char *rate_text(double bps, char *buf, size_t n)
{
	static const char unit[] = " KMGT";
	int i = 0;

	if (!isfinite(bps)) {
		snprintf(buf, n, "-");
		return buf;
	}
	while (bps >= 1000 && i < 4) {
		bps /= 1000;
		i++;
	}
	snprintf(buf, n, "%.4g %cbit/s", bps, unit[i]);
	return buf;
}

void report_interval(struct flow *s, const struct interval *iv)
{
	const struct part p = {
		.kind = PART_INTERVAL, .interval = *iv,
	};
	char rate[32], x[32], percent[16] = "";

	part_send(&p, NULL);
	if (s->o->json) {
		section(stream ? "interval" : NULL);
		json_fields(&json, interval_fields(s), iv);
		section_end();
		return;
	}
	rate_text(iv->bits_per_second, rate, sizeof(rate));
	if (!s->sending) {
		note("%7.2f-%-7.2f %11llu %14s %7llu %7llu", iv->start, iv->end,
		     iv->bytes, rate, iv->packets, iv->lost);
		return;
	}
	if (iv->percent >= 0)
		snprintf(percent, sizeof(percent), " %3d %%", iv->percent);
	note("%7.2f-%-7.2f %11llu %14s %7llu %14s %8s  %s%s", iv->start, iv->end,
	     iv->bytes, rate, iv->packets,
	     rate_text(iv->info.x, x, sizeof(x)),
	     num("%.2f", iv->info.rtt_ms), num("%.3g", iv->info.p), percent);
}

void report_trace(struct flow *s, u64 now, const struct interval *iv)
{
	const struct field *f = interval_fields(s) + 3;
	char buf[64];

	if (!trace)
		return;
	fprintf(trace, "%.6f,%.6f", iv->end, now / 1e9);
	for (; f->name; f++) {
		field_format(f, iv, buf, sizeof(buf));
		fprintf(trace, ",%s", buf);
	}
	putc('\n', trace);
}

static void text_end(const struct flow *s)
{
	const struct sender_result *t = &s->snd;
	const struct receiver_result *r = &s->rcv;
	char rate[32];

	note("- - - - - - - - - - - - - - - - - - - - - - - - -");
	note("sender    %8s s %12llu bytes %8llu packets %s", num("%.2f", t->seconds),
	     t->bytes, t->packets,
	     rate_text(t->bits_per_second, rate, sizeof(rate)));
	if (t->skipped)
		note("          %llu packets dropped by the source past the deadline",
		     t->skipped);
	if (t->above_k)
		note("          %llu packets of layers above K dropped by the source, K changed %llu times",
		     t->above_k, t->k_changes);
	note("receiver  %8s s %12llu bytes %8llu packets %s", num("%.2f", r->seconds),
	     r->bytes, r->packets,
	     rate_text(r->bits_per_second, rate, sizeof(rate)));
	note("          lost %llu (%s %%), reordered %llu, duplicates %llu",
	     r->lost, num("%.3g", r->lost_percent), r->reordered,
	     r->duplicates);
	note("          jitter %s ms (RFC 3550), interarrival %s ms, sd %s ms",
	     num("%.3f", r->jitter_ms), num("%.3f", r->interarrival_ms),
	     num("%.3f", r->interarrival_sd_ms));
	note("          CoV of the rate over %s s: %s (sender %s)",
	     num("%g", t->cov_seconds), num("%.3f", r->cov),
	     num("%.3f", t->cov));
	note("          %g ms late or more: %s %%; late or lost: %s %%",
	     s->test.late, num("%.3g", r->late_percent),
	     num("%.3g", r->late_or_lost_percent));
	note("          delay above the smallest: median %s, 95 %% %s, 99 %% %s, largest %s ms",
	     num("%.1f", r->delay_p50_ms), num("%.1f", r->delay_p95_ms),
	     num("%.1f", r->delay_p99_ms), num("%.1f", r->delay_max_ms));
	note("          more than %g ms after the one before: %s %%; video delivery index %s",
	     s->test.gap, num("%.3g", r->gap_percent),
	     num("%.4f", r->delivery_index));
	if (s->o->verbose && isfinite(t->x))
		note("          last X %s, RTT %s ms, p %s, tokens %s bytes",
		     rate_text(t->x, rate, sizeof(rate)),
		     num("%.2f", t->rtt_ms), num("%.3g", t->p),
		     num("%.0f", t->tokens));
	if (*t->error)
		note("sender:   %s", t->error);
	if (*r->error)
		note("receiver: %s", r->error);
}

/* The share of each layer that arrived, as the receiver counted */
static void layers_end(const struct flow *s)
{
	char rate[32];
	int i;

	if (s->o->json)
		json_open(&json, "layers", '[');
	for (i = 1; i <= MAX_LAYERS; i++) {
		double bps = s->layer_bytes[i] * 8 / s->rcv.seconds;

		if (!s->layer_packets[i])
			continue;
		if (!s->o->json) {
			note("layer %-2d  %21llu bytes %8llu packets %s", i,
			     s->layer_bytes[i], s->layer_packets[i],
			     rate_text(bps, rate, sizeof(rate)));
			continue;
		}
		json_open(&json, NULL, '{');
		json_s64(&json, "layer", i);
		json_s64(&json, "packets", s->layer_packets[i]);
		json_s64(&json, "bytes", s->layer_bytes[i]);
		json_f64(&json, "bits_per_second", bps);
		json_close(&json);
	}
	if (s->o->json)
		json_close(&json);
}

void report_end(struct flow *s)
{
	const struct part p = {
		.kind = PART_END, .end = { s->snd, s->rcv },
	};

	part_send(&p, NULL);
	if (trace) {
		bool failed = ferror(trace);

		if (fclose(trace) || failed)
			log_cannot_write(s->o->trace);
	}
	if (!s->o->json) {
		text_end(s);
		if (!s->sending)
			layers_end(s);
		return;
	}
	if (!stream)
		json_close_to(&json, 1);
	section("end");
	json_open(&json, "sender", '{');
	json_fields(&json, sender_fields, &s->snd);
	json_close(&json);
	json_open(&json, "receiver", '{');
	json_fields(&json, receiver_fields, &s->rcv);
	if (!s->sending)
		layers_end(s);
	json_close(&json);
	if (!stream)
		json_close(&json);
	if (*last_warning())
		json_str(&json, "warning", last_warning());
	json_flush();
}

/* The same interval of all flows. In JSON the reader has them. */
void report_sum_interval(const struct sum *s, bool sending)
{
	char rate[32];

	rate_text(s->bits_per_second, rate, sizeof(rate));
	if (sending)
		note("[SUM] %7.2f-%-7.2f %11llu %14s %7llu", s->start, s->end, s->bytes, rate,
		     s->packets);
	else
		note("[SUM] %7.2f-%-7.2f %11llu %14s %7llu %7llu", s->start, s->end, s->bytes,
		     rate, s->packets, s->lost);
}

static void json_sum(const char *key, const struct sum *s, bool lost)
{
	json_open(&json, key, '{');
	json_f64(&json, "seconds", s->end);
	json_s64(&json, "bytes", s->bytes);
	json_s64(&json, "packets", s->packets);
	if (lost)
		json_s64(&json, "lost", s->lost);
	json_f64(&json, "bits_per_second", s->bits_per_second);
	json_close(&json);
}

/* All flows, at the end. @json: what each has reported, NULL if it has not. */
void report_sum(const struct sum *snd, const struct sum *rcv, double fairness,
		char *const *documents, unsigned int n)
{
	char rate[32];
	unsigned int i;

	note("[SUM] sender    %8.2f s %12llu bytes %8llu packets %s", snd->end, snd->bytes,
	     snd->packets, rate_text(snd->bits_per_second, rate, sizeof(rate)));
	note("[SUM] receiver  %8.2f s %12llu bytes %8llu packets %s", rcv->end, rcv->bytes,
	     rcv->packets, rate_text(rcv->bits_per_second, rate, sizeof(rate)));
	note("[SUM]           lost %llu, fairness of %u flows %s (Jain)", rcv->lost, rcv->flows,
	     num("%.4f", fairness));
	if (log_is_quiet()) {
		if (!stream) {
			json_begin();
			json_open(&json, "tests", '[');
			for (i = 0; i < n; i++)
				if (documents[i])
					json_raw(&json, NULL, documents[i]);
			json_close(&json);
		}
		section("sum");
		json_s64(&json, "flows", rcv->flows);
		json_f64(&json, "fairness", fairness);
		json_sum("sender", snd, false);
		json_sum("receiver", rcv, true);
		json_flush();
	}
}
