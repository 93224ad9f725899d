// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unit tests, in TAP: statistics, the clock of a transport stream, messages,
 * parameters, sources. No network, no waiting.
 */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "log.h"
#include "packet.h"
#include "schemes.h"
#include "source.h"
#include "stats.h"
#include "test.h"
#include "ts.h"

#define MS	NSEC_PER_MSEC
#define LEN	1000

static int n_tests, n_failed;

static void ok(bool pass, const char *what)
{
	n_tests++;
	n_failed += !pass;
	printf("%sok %d - %s\n", pass ? "" : "not ", n_tests, what);
}

static void near(double got, double want, double tolerance, const char *what)
{
	bool pass = fabs(got - want) <= tolerance;

	if (!pass)
		printf("# expected %.9g, found %.9g\n", want, got);
	ok(pass, what);
}

/* source.c and others report errors with it; here an error ends the test. */
void die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	printf("Bail out! ");
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	exit(1);
}

static void check_series(void)
{
	static const double v[] = { 2, 4, 4, 4, 5, 5, 7, 9 };
	struct series s = { 0 };
	struct rate_bins b;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(v); i++)
		series_add(&s, v[i]);
	near(s.mean, 5, 1e-12, "series: mean");
	near(series_sd(&s), sqrt(32.0 / 7), 1e-12, "series: standard deviation");
	near(series_cov(&s), sqrt(32.0 / 7) / 5, 1e-12, "series: CoV");

	/* 8000, 0, 0, 0, 8000 bit/s, and a bin that is not complete */
	rate_bins_init(&b, NSEC_PER_SEC, 0);
	rate_bins_add(&b, 0, 1000);
	rate_bins_add(&b, 4 * NSEC_PER_SEC, 1000);
	rate_bins_add(&b, 5 * NSEC_PER_SEC, 500);
	near(b.rates.n, 5, 0, "bins: empty ones count, the last does not");
	near(b.rates.mean, 3200, 1e-9, "bins: mean rate");
	near(series_sd(&b.rates), sqrt(19200000.0), 1e-6, "bins: deviation");

	ok(multiple_after(7, 10, 7) == 17 && multiple_after(7, 10, 16) == 17 &&
	   multiple_after(7, 10, 17) == 27, "reports: the next one");
	ok(multiple_after(7, 10, 60) == 67, "reports: those that were missed are left out");

	rate_bins_add(&b, UINT64_MAX / 2, 0);
	ok(b.rates.n > 1000000, "bins: a clock that jumps costs no time");
}

/* One packet each 10 ms, 20 ms on its way. */
static void send_some(struct rx_stats *s, u64 from, u64 to)
{
	for (; from < to; from++)
		rx_stats_packet(s, from, LEN, from * 10 * MS, from * 10 * MS,
				from * 10 * MS + 20 * MS);
}

static void at(struct rx_stats *s, u64 seq, u64 sched, u64 now)
{
	rx_stats_packet(s, seq, LEN, sched, sched, now);
}

static struct receiver_result end(struct rx_stats *s, u64 sent, double seconds)
{
	struct receiver_result r;

	fields_init(receiver_fields, &r);
	rx_stats_result(s, sent, seconds, 100, &r);
	rx_stats_free(s);
	return r;
}

static void check_receiver(void)
{
	static struct rx_stats s;
	struct receiver_result r;
	u64 i;

	rx_stats_init(&s, 1, 0, 75);
	send_some(&s, 0, 501);
	r = end(&s, 501, 0);
	near(r.bits_per_second, 501 * LEN * 8 / 5.0, 1e-6, "CBR: goodput");
	near(r.cov, 0, 1e-9, "CBR: CoV is 0");
	near(r.jitter_ms, 0, 1e-9, "CBR: no jitter");
	near(r.interarrival_ms, 10, 1e-9, "CBR: time between packets");
	near(r.interarrival_sd_ms, 0, 1e-9, "CBR: its deviation");
	ok(!r.lost && !r.reordered && !r.duplicates, "CBR: nothing lost");

	/* 0 is lost before the first arrival, 5 in between, 9 at the end */
	rx_stats_init(&s, 1, 0, 75);
	send_some(&s, 1, 5);
	send_some(&s, 6, 9);
	r = end(&s, 10, 0);
	ok(r.lost == 3, "loss: first, middle and last packet");
	near(r.lost_percent, 30, 1e-9, "loss: share");

	rx_stats_init(&s, 1, 0, 75);
	send_some(&s, 0, 5);
	send_some(&s, 7, 8);
	send_some(&s, 5, 7);
	send_some(&s, 7, 10);
	send_some(&s, 3, 4);
	r = end(&s, 10, 0);
	ok(r.reordered == 2, "reordering: late arrivals are counted");
	ok(r.duplicates == 2, "duplicates: counted");
	ok(r.packets == 10 && !r.lost, "duplicates: not received twice");

	rx_stats_init(&s, 1, 0, 75);
	at(&s, 0, 0, 0);
	at(&s, 70000, 0, MS);
	at(&s, 70000, 0, MS);
	at(&s, 70000 - 65536 + 1, 0, MS);
	at(&s, 70000 - 65536 + 1, 0, MS);
	at(&s, UINT64_MAX - 1, 0, MS);
	r = end(&s, 0, 0);
	ok(r.duplicates == 2, "duplicates: the window ends where it says");

	/* Transit times 20 ms and 36 ms in turn: J tends to 16 ms. */
	rx_stats_init(&s, 1, 0, 75);
	for (i = 0; i < 1000; i++)
		at(&s, i, i * 50 * MS, i * 50 * MS + (i & 1 ? 36 : 20) * MS);
	r = end(&s, 1000, 0);
	near(r.jitter_ms, 16, 1e-6, "jitter of RFC 3550");
	near(r.interarrival_sd_ms, 16, 0.05, "deviation of interarrival times");

	near(r.variation_p95_ms, 16, 1e-9, "variation: 95 % of equal ones");
	near(r.variation_max_ms, 16, 1e-9, "variation: the largest");

	/* J after one step of 16 ms is 1 ms. */
	rx_stats_init(&s, 1, 0, 75);
	at(&s, 0, 0, 20 * MS);
	at(&s, 1, 50 * MS, 86 * MS);
	r = end(&s, 2, 0);
	near(r.jitter_ms, 1, 1e-9, "jitter: gain of 1/16");

	/* Of 20 variations 19 are 0, and one is 40 ms; then of 21 two. */
	for (i = 21; i < 23; i++) {
		rx_stats_init(&s, 1, 0, 75);
		send_some(&s, 0, 20);
		at(&s, 20, 200 * MS, 260 * MS);
		if (i == 22)
			at(&s, 21, 210 * MS, 310 * MS);
		r = end(&s, i, 0);
		near(r.variation_p95_ms, i == 22 ? 40 : 0, 1e-9, "variation: 95 %");
		near(r.variation_max_ms, 40, 1e-9, "variation: the largest of some");
	}

	rx_stats_init(&s, 1, 0, 75);
	send_some(&s, 0, 1);
	r = end(&s, 1, 0);
	ok(isnan(r.variation_p95_ms) && isnan(r.variation_max_ms),
	   "variation: one packet has none");
	ok(isnan(r.interarrival_ms) && isnan(r.interarrival_sd_ms),
	   "time between packets: one packet has none");

	/*
	 * The smallest delay comes last and defines the playback time: delays
	 * 60, 140 (late by 100), 139.8 and 40.
	 */
	rx_stats_init(&s, 1, 0, 75);
	at(&s, 0, 0, 60 * MS);
	at(&s, 1, 100 * MS, 240 * MS);
	at(&s, 2, 200 * MS, 200 * MS + 1398 * MS / 10);
	at(&s, 3, 400 * MS, 440 * MS);
	r = end(&s, 5, 0);
	near(r.late_percent, 25, 1e-9, "late: 100 ms is, 99.8 ms is not");
	near(r.late_or_lost_percent, 40, 1e-9, "late or lost: of those sent");
	near(r.delay_max_ms, 100, 1e-9, "largest delay above the smallest");
	near(r.delay_p50_ms, 20, 0.11, "median delay above the smallest");

	/* The clock of another host: 1000 s behind. */
	rx_stats_init(&s, 1, 0, 75);
	for (i = 0; i < 100; i++)
		at(&s, i, 1000 * NSEC_PER_SEC + i * 10 * MS, i * 10 * MS);
	r = end(&s, 100, 0);
	near(r.late_percent, 0, 0, "clocks need not agree");

	rx_stats_init(&s, 0.1, 1, 75);
	send_some(&s, 0, 50);
	send_some(&s, 60, 301);
	r = end(&s, 302, 0);
	ok(r.lost == 1, "omit: earlier losses do not count");
	near(r.seconds, 2, 1e-9, "omit: time starts after it");

	rx_stats_init(&s, 1, 0, 75);
	send_some(&s, 0, 101);
	r = end(&s, 101, 10);
	near(r.bits_per_second, 101 * LEN * 8 / 10.0, 1e-6,
	     "a stream that dries up: time goes on until the sender ends");
	ok(r.cov > 1, "a stream that dries up: empty bins count");

	rx_stats_init(&s, 1, 0, 75);
	at(&s, 0, 0, 5 * MS);
	at(&s, 1, UINT64_MAX / 2 + 12345, 6 * MS);
	at(&s, 2, UINT64_MAX, 7 * MS);
	r = end(&s, 0, NAN);
	ok(r.packets == 3, "absurd time stamps do no harm");

	rx_stats_init(&s, 1, 0, 75);
	r = end(&s, 7, 3);
	ok(r.lost == 7 && r.lost_percent == 100, "nothing arrived");
}

static void make_ts(u8 *buf, int n)
{
	memset(buf, 0xff, n * TS_PACKET);
	for (; n--; buf += TS_PACKET) {
		buf[0] = 0x47;
		buf[1] = 1;
		buf[2] = 0;
		buf[3] = 0x10;
	}
}

static void put_pcr(u8 *p, u64 pcr, bool discontinuity)
{
	u64 base = pcr / 300, ext = pcr % 300;

	p[3] = 0x30;
	p[4] = 7;
	p[5] = 0x10 | (discontinuity ? 0x80 : 0);
	p[6] = base >> 25;
	p[7] = base >> 17;
	p[8] = base >> 9;
	p[9] = base >> 1;
	p[10] = (base & 1) << 7 | 0x7e | ext >> 8;
	p[11] = ext;
}

static void check_ts(void)
{
	static u8 buf[100 * TS_PACKET];
	const u64 wrap = (1ULL << 33) * 300, start = wrap - 2700000;
	struct ts_clock c;
	double t = -1;

	/* References at packets 2, 12, 22 (after a wrap), 32 (a new base) */
	make_ts(buf, 100);
	put_pcr(buf + 2 * TS_PACKET, start, false);
	put_pcr(buf + 12 * TS_PACKET, start + 2699999, false);
	put_pcr(buf + 22 * TS_PACKET, 2699998, false);
	put_pcr(buf + 32 * TS_PACKET, 2699998 + 27000000, true);
	ts_init(&c);
	ok(ts_time(&c, buf, 0, 2 * TS_PACKET, false, &t) == TS_MORE,
	   "PCR: waits for the first");
	ts_time(&c, buf, 0, sizeof(buf), false, &t);
	near(t, 0, 1e-9, "PCR: what precedes the first leaves with it");
	ts_time(&c, buf + 7 * TS_PACKET, 7 * TS_PACKET, 93 * TS_PACKET, false,
		&t);
	near(t, 0.05, 1e-6, "PCR: between two, in proportion");
	ts_time(&c, buf + 14 * TS_PACKET, 14 * TS_PACKET, 86 * TS_PACKET,
		false, &t);
	near(t, 0.12, 1e-6, "PCR: across the wrap");
	ts_time(&c, buf + 27 * TS_PACKET, 27 * TS_PACKET, 73 * TS_PACKET,
		false, &t);
	near(t, 0.25, 1e-6, "PCR: a discontinuity goes on at the last rate");
	ok(ts_time(&c, buf + 40 * TS_PACKET, 40 * TS_PACKET, 60 * TS_PACKET,
		   false, &t) == TS_MORE, "PCR: waits for the next");
	ts_time(&c, buf + 42 * TS_PACKET, 42 * TS_PACKET, 58 * TS_PACKET, true,
		&t);
	near(t, 0.4, 1e-6, "PCR: after the last, at the last rate");

	ts_init(&c);
	buf[3 * TS_PACKET] = 0;
	put_pcr(buf + 2 * TS_PACKET, start, false);
	ok(ts_time(&c, buf + 3 * TS_PACKET, 3 * TS_PACKET, 90 * TS_PACKET,
		   false, &t) == TS_BAD, "PCR: a lost sync byte is noticed");
}

static bool parse(struct test *t, const char *text)
{
	char copy[300];

	snprintf(copy, sizeof(copy), "%s", text);
	return !fields_parse(test_fields, t, copy);
}

static void check_messages(void)
{
	struct packet_header a = { 1ULL << 40, 5, UINT64_MAX, 77, 16 }, b = { 0 };
	u8 raw[HEADER_LEN];
	struct sender_result r;
	char text[200];
	struct test t;

	packet_pack(raw, &a);
	ok(packet_unpack(raw, HEADER_LEN, &b) && a.seq == b.seq &&
	   a.sent == b.sent && a.sched == b.sched && a.stream == b.stream &&
	   a.layer == b.layer,
	   "header: comes back");
	ok(!packet_unpack(raw, HEADER_LEN - 1, &b), "header: too short");
	raw[0]++;
	ok(!packet_unpack(raw, HEADER_LEN, &b), "header: wrong magic");

	ok(parse(&t, "len 1348\ntime 2.5\nnovelty 5\ntitle a\033b c\n") &&
	   t.len == 1348 && t.time == 2.5 && !strcmp(t.title, "a?b c"),
	   "message: parsed");
	ok(!parse(&t, "len 65536\n"), "message: out of range");
	ok(!parse(&t, "len -1\n"), "message: negative");
	ok(!parse(&t, "time nan\n"), "message: NAN");
	ok(!parse(&t, "len 5x\n"), "message: rubbish at the end");
	ok(!parse(&t, "len\n"), "message: no value");
	memset(text, 'x', sizeof(text));
	memcpy(text, "title ", 6);
	text[199] = '\0';
	ok(parse(&t, text) && strlen(t.title) == 63,
	   "message: long text is cut");

	fields_init(sender_fields, &r);
	r.rtt_ms = 1.5;
	ok(!field_format(&sender_fields[10], &r, text, sizeof(text)) && !*text,
	   "message: what is not known is not sent");

	snprintf(text, sizeof(text), "packets_total 4\nkept_back 4\n");
	ok(!sender_parse(&r, text) && r.kept_back == 4, "message: all packets were kept back");
	snprintf(text, sizeof(text), "packets_total 4\nkept_back 5\n");
	ok(sender_parse(&r, text), "message: more packets kept back than there were");
}

static void check_schemes(void)
{
	static const struct {
		const char	*scheme, *given;
		u64		value;		/* UNSET: refused */
	} cases[] = {
		{ "raar", "rate_max=3", UNSET }, { "raar", "rate_max=4", 1 },
		{ "raar", "rate_max=0", 0 }, { "raar", "growth=0.0004", UNSET },
		{ "marc", "target_delay=-0.0004", UNSET }, { "marc", "warning=0.0004", UNSET },
		{ "marc", "warning=0.001", 1 }, { "ctfaf", "delta=3", UNSET },
		{ "ltfrc", "a0=0.000001", LTFRC_A_ZERO }, { "ltfrc", "a0=-32768", 0 },
		{ "ltfrc", "a0=-32768.001", UNSET },
	};
	struct test t;
	const char *err;
	size_t i;
	u64 got;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		scheme_unset(&t);
		err = scheme_parse(cases[i].scheme, cases[i].given, &t);
		got = t.raar_rate_max & t.raar_growth & t.marc_target_delay & t.marc_warning &
		      t.ctfaf_delta & t.ltfrc_a0;	/* all but one are UNSET */
		ok(got == cases[i].value && !err == (got != UNSET), cases[i].given);
	}
	err = scheme_parse("raar", "growth=0.0004", &t);
	ok(err && strstr(err, ", in steps of 0.001;"),
	   "parameters: the step is named");
}

static void check_source(void)
{
	char path[] = "/tmp/dccperf-check-XXXXXX";
	static u8 buf[20 * TS_PACKET];
	struct test t = { .source = SOURCE_CBR, .rate = 800000 };
	struct source s;
	struct chunk c;
	u64 sum = 0;
	int fd, n;

	source_open(&s, &t, NULL, LEN);
	source_start(&s, 5);
	for (n = 0; n < 1000; n++) {
		source_next(&s, 5, &c);
		source_take(&s, &c);
	}
	source_next(&s, 5, &c);
	ok(c.when == 5 + 10 * NSEC_PER_SEC, "CBR: no drift");
	/* taken * 8 * 10^9 / rate, rounded down, by Python's integers */
	t.rate = 1000000000000;
	s.taken = 1543225000000033;
	source_next(&s, 5, &c);
	ok(c.when == 5 + 12345800000000, "CBR: at the greatest rate");
	t.rate = 700000000001;
	s.taken = 1ULL << 55;
	source_next(&s, 5, &c);
	ok(c.when == 5 + 411757680216142, "CBR: after many bytes");

	make_ts(buf, 20);
	put_pcr(buf, 0, false);
	put_pcr(buf + 10 * TS_PACKET, 2700000, false);
	fd = mkstemp(path);
	if (fd < 0 || write(fd, buf, sizeof(buf)) != sizeof(buf))
		die("cannot write %s", path);
	close(fd);
	t = (struct test){ .source = SOURCE_FILE, .file_rate = 1 };
	source_open(&s, &t, path, TS_CHUNK + HEADER_LEN);
	unlink(path);
	source_start(&s, 0);
	for (n = 0; source_next(&s, 0, &c) == SRC_READY; n++) {
		ok(!memcmp(c.data, buf + sum, c.len), "file: bytes");
		near(c.when, n * 7 * 1e7, 10, "file: due by its clock");
		sum += c.len;
		source_take(&s, &c);
	}
	ok(n == 3 && sum == sizeof(buf), "file: all of it");
	source_close(&s);
}

static void check_frames(const struct test *t)
{
	char path[] = "/tmp/dccperf-check-XXXXXX";
	struct source s;
	struct chunk c;
	int fd = mkstemp(path);

	if (fd < 0 || dprintf(fd, "#%*s\n0.5 2 100\n", 1000, "long") < 0)
		die("cannot write %s", path);
	close(fd);
	source_open(&s, t, path, LEN);
	unlink(path);
	source_start(&s, 0);
	ok(source_next(&s, 0, &c) == SRC_READY && c.layer == 2 && c.len == 100 &&
	   c.when == NSEC_PER_SEC / 2, "frames: after a long comment");
	source_take(&s, &c);
	ok(source_next(&s, 0, &c) == SRC_END, "frames: end");
	source_close(&s);
}

/* Bytes of the first 1000 packets of a video, each times its place. */
static u64 video_sum(struct test *t, u64 seed, u64 flow)
{
	struct source s;
	struct chunk c;
	u64 sum = 0, i;

	t->seed = seed;
	t->flow = flow;
	source_open(&s, t, NULL, LEN);
	source_start(&s, 0);
	for (i = 1; i <= 1000 && source_next(&s, 0, &c) == SRC_READY; i++) {
		sum += i * c.len;
		source_take(&s, &c);
	}
	source_close(&s);
	return sum;
}

static void check_seeds(struct test *t)
{
	u64 first = video_sum(t, 0, 1);

	ok(video_sum(t, 0, 1) == first, "video: the same with the same seed");
	ok(video_sum(t, 1, 1) != first && video_sum(t, 0, 2) != first,
	   "video: another one with another seed, and in another flow");
}

static void check_video(void)
{
	u64 bytes[4] = { 0 }, when = 0, packets = 0;
	struct test t = { .source = SOURCE_VIDEO, .flow = 1 };
	u32 rate[MAX_LAYERS], largest = 0;
	bool in_order = true;
	struct source s;
	struct chunk c;

	ok(layers_parse("100K,200k,0.4M", rate) == 3 && rate[0] == 12500 &&
	   rate[1] == 25000 && rate[2] == 50000, "layers: rates");
	ok(layers_parse("8", rate) == 1 && rate[0] == 1, "layers: one");
	ok(layers_parse("", rate) < 0 && layers_parse("7", rate) < 0 &&
	   layers_parse("100,100", rate) < 0 && layers_parse("200,100", rate) < 0 &&
	   layers_parse("100X", rate) < 0 && layers_parse("x", rate) < 0 &&
	   layers_parse("8,16,24,32,40,48,56,64,72,80,88,96,104,112,120,128,136",
			rate) < 0, "layers: nonsense");

	snprintf(t.layers, sizeof(t.layers), "100K,200K,400K");
	source_open(&s, &t, NULL, LEN);
	source_start(&s, 0);
	while (source_next(&s, 0, &c) == SRC_READY && c.when < 1000 * NSEC_PER_SEC) {
		in_order &= c.when >= when && c.layer >= 1 && c.layer <= 3;
		when = c.when;
		if (c.len > largest)
			largest = c.len;
		bytes[c.layer & 3] += c.len + HEADER_LEN;
		packets++;
		source_take(&s, &c);
	}
	ok(in_order && largest == LEN - HEADER_LEN, "video: packets");
	near(bytes[1] / 1000.0, 12500, 125, "video: rate of layer 1, with headers");
	near(bytes[2] / 1000.0, 12500, 125, "video: rate of layer 2, with headers");
	near(bytes[3] / 1000.0, 25000, 250, "video: rate of layer 3, with headers");
	source_close(&s);
	check_frames(&t);
	check_seeds(&t);
}

int main(void)
{
	puts("TAP version 13");
	check_series();
	check_receiver();
	check_ts();
	check_messages();
	check_schemes();
	check_source();
	check_video();
	printf("1..%d\n# %d passed, %d failed\n", n_tests, n_tests - n_failed,
	       n_failed);
	return !!n_failed;
}
