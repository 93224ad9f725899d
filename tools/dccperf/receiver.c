// SPDX-License-Identifier: GPL-2.0-only
/* Receiving: measure, write the file, and find the end of the test. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dccp.h"
#include "limits.h"
#include "log.h"
#include "packet.h"
#include "receiver.h"
#include "report.h"
#include "stats.h"
#include "wait.h"

#define BATCH		64

struct receiver {
	struct flow	*s;
	struct rx_stats	stats;
	u64	start;		/* when the first packet came */
	u64	foreign, received, next_seq;
	u64	now;		/* when the clock was read last */
	u64	next_report, next_trace, quiet_until;
	u64	limit;		/* until "end" must have come; then, until it is over */
	struct interval	report, trace;
	u64	report_seq, trace_seq;	/* next_seq when they began */
	double	report_lost, trace_lost;	/* by the CCID, likewise */
	bool		over, ended;
	int		file;
	u8		packet[MAX_PAYLOAD];
};

static void file_open(struct receiver *t, const char *path)
{
	struct stat st;

	t->file = -1;
	if (!path)
		return;
	/* A client chooses the source, and need not know of the server's -F. */
	if (t->s->test.source != SOURCE_FILE) {
		note("%s is not written: the client sends no file", path);
		return;
	}
	if (!strcmp(path, "-")) {
		t->file = STDOUT_FILENO;
		return;
	}
	block_signals(false);		/* nobody may read a FIFO */
	t->file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	block_signals(true);
	if (t->file < 0)
		die("cannot write %s: %s", path, strerror(errno));
	if (flock(t->file, LOCK_EX | LOCK_NB))
		die("%s is being written by another test: one file takes one stream at a time",
		    path);
	if (!fstat(t->file, &st) && S_ISREG(st.st_mode) &&
	    ftruncate(t->file, 0))
		die("cannot truncate %s: %s", path, strerror(errno));
}

static void file_write(struct receiver *t, const u8 *p, size_t len)
{
	struct pollfd out = { .fd = t->file, .events = POLLOUT };
	ssize_t n;

	while (t->file >= 0 && len) {
		/* Who reads a pipe may have stopped. What fits is written at once. */
		if (wait_fds(&out, 1, stopping ? 0 : UINT64_MAX) <= 0) {
			if (stopping)
				return;
			continue;
		}
		n = write(t->file, p, len < PIPE_BUF ? len : PIPE_BUF);
		if (n > 0) {
			p += n;
			len -= n;
		} else if (n < 0 && errno != EINTR) {
			die("cannot write the file received: %s",
			    strerror(errno));
		}
		t->now = now_ns();
	}
}

/*
 * The losses that the CCID counts were on the wire. A CCID that does not count losses
 * sends all packets, so sequence numbers tell them.
 */
static void interval_close(struct receiver *t, struct interval *iv,
			   u64 *seq, double *lost, u64 now)
{
	u64 span = t->next_seq - *seq;

	iv->end = (now - t->start) / 1e9;
	iv->seconds = iv->end - iv->start;
	iv->bits_per_second = iv->seconds > 0 ? iv->bytes * 8 / iv->seconds : 0;
	/* Packets that are reordered across the end of an interval may hide a loss. */
	iv->lost = span > iv->packets ? span - iv->packets : 0;
	*seq = t->next_seq;
	dccp_rx_info(t->s->fd, &iv->rx);
	if (isfinite(iv->rx.lost)) {
		iv->lost = iv->rx.lost - *lost;
		*lost = iv->rx.lost;
	}
}

static void interval_next(struct interval *iv)
{
	*iv = (struct interval){ .start = iv->end };
}

static void reports(struct receiver *t, u64 now)
{
	const struct options *o = t->s->o;
	u64 step = o->interval * NSEC_PER_SEC;

	if (now >= t->next_report) {
		interval_close(t, &t->report, &t->report_seq,
			       &t->report_lost, now);
		t->report.number = (now - t->start) / step;
		report_interval(t->s, &t->report);
		interval_next(&t->report);
		t->next_report = multiple_after(t->start, step, now);
	}
	if (now >= t->next_trace) {
		interval_close(t, &t->trace, &t->trace_seq, &t->trace_lost,
			       now);
		report_trace(t->s, now, &t->trace);
		interval_next(&t->trace);
		t->next_trace = multiple_after(t->start, o->trace_interval * NSEC_PER_SEC, now);
	}
}

/* What is left of the last interval */
static void last_report(struct receiver *t, u64 now)
{
	double interval = t->s->o->interval;

	reports(t, now);
	if (interval <= 0 || !t->report.packets)
		return;
	interval_close(t, &t->report, &t->report_seq, &t->report_lost, now);
	t->report.number = (now - t->start) / (u64)(interval * NSEC_PER_SEC) + 1;
	report_interval(t->s, &t->report);
}

/* The first packet has come, for which the sender may have waited. */
static void begin(struct receiver *t)
{
	const struct options *o = t->s->o;

	t->start = t->now;
	if (o->interval > 0)
		t->next_report = t->start + (u64)(o->interval * NSEC_PER_SEC);
	if (o->trace)
		t->next_trace = t->start + (u64)(o->trace_interval * NSEC_PER_SEC);
	if (!t->ended)
		t->limit = t->s->test.time > 0 ? t->now + OVERDUE_TIME +
			   (u64)(t->s->test.time * NSEC_PER_SEC) : UINT64_MAX;
}

static void packet(struct receiver *t, size_t len)
{
	u64 counted = t->stats.packets, came;
	struct packet_header h;

	t->now = now_ns();
	if (!packet_unpack(t->packet, len, &h) ||
	    h.stream != t->s->test.stream) {
		t->foreign++;
		return;
	}
	if (t->s->busy)
		*t->s->busy = t->now;
	if (!rx_stats_packet(&t->stats, h.seq, len, h.sent, h.sched, t->now))
		return;
	if (!t->received++)
		begin(t);
	if (h.seq >= t->next_seq)
		t->next_seq = h.seq + 1;
	t->report.bytes += len;
	t->report.packets++;
	t->trace.bytes += len;
	t->trace.packets++;
	/* As in the results, without what is omitted. */
	if (h.layer <= MAX_LAYERS && t->stats.packets != counted) {
		t->s->layer_packets[h.layer]++;
		t->s->layer_bytes[h.layer] += len;
	}
	came = t->now;
	file_write(t, t->packet + HEADER_LEN, len - HEADER_LEN);
	if (t->limit != UINT64_MAX)
		t->limit += t->now - came;
	if (t->ended)
		t->quiet_until = t->now + QUIET_TIME;
}

/* Read all packets that are there. Returns false if there were none. */
static bool receive(struct receiver *t)
{
	int i;

	for (i = 0; i < BATCH && !stopping; i++) {
		ssize_t n = recv(t->s->fd, t->packet, sizeof(t->packet),
				 MSG_DONTWAIT);

		if (n > 0) {
			packet(t, n);
			continue;
		}
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return i;
		/* The sender closes only after it has the receiver's results. */
		snprintf(t->s->rcv.error, sizeof(t->s->rcv.error),
			 "the connection ended: %s",
			 n ? strerror(errno) : "closed by the peer");
		t->over = true;
		break;
	}
	return true;
}

static void read_control(struct receiver *t)
{
	struct flow *s = t->s;
	struct peer_error e = { "" };
	char *verb, *body;
	const char *err;
	int ret = ctrl_read(&s->ctrl, &verb, &body);

	if (ret == 0)
		return;
	if (ret < 0)
		die("the peer closed the control connection during the test");
	if (strcmp(verb, "end")) {
		fields_parse(error_fields, &e, body);
		die("the peer says: %s", *e.error ? e.error : verb);
	}
	err = sender_parse(&s->snd, body);
	if (err)
		die("results of the peer: %s", err);
	s->peer_done = true;
	t->ended = true;
	t->quiet_until = t->now + QUIET_TIME;
	t->limit = t->now + TAIL_TIME;
}

static u64 wakeup(const struct receiver *t)
{
	u64 until = t->ended && t->quiet_until < t->limit ? t->quiet_until : t->limit;

	if (t->next_report < until)
		until = t->next_report;
	return t->next_trace < until ? t->next_trace : until;
}

static void results(struct receiver *t)
{
	struct flow *s = t->s;
	struct receiver_result *r = &s->rcv;
	struct rx_info info;

	dccp_rx_info(s->fd, &info);
	r->random = info.random;
	r->congestion = info.congestion;
	r->timeouts = info.timeouts;
	r->loss_events = info.loss_events;
	r->feedbacks = info.feedbacks;
	r->tx_ccid = s->tx_ccid;
	r->rx_ccid = s->rx_ccid;
	r->foreign = t->foreign;
	rx_stats_result(&t->stats, s->peer_done ?
			s->snd.packets_total - s->snd.kept_back : 0,
			s->peer_done ? s->snd.seconds : 0, s->test.late, r);
	rx_stats_free(&t->stats);
}

static void __noreturn overdue(const struct receiver *t)
{
	if (!t->received)
		die("the peer has sent nothing for %d s", (int)(FIRST_TIME / NSEC_PER_SEC));
	die("the peer's test of %g s has not ended %d s after that", t->s->test.time,
	    (int)(OVERDUE_TIME / NSEC_PER_SEC));
}

void receiver_run(struct flow *s)
{
	static struct receiver receiver;
	struct receiver *t = &receiver;
	const struct options *o = s->o;

	t->s = s;
	if (rx_stats_init(&t->stats, s->test.cov, s->test.omit, s->test.gap))
		die("no memory for the statistics");
	file_open(t, o->file);
	t->now = now_ns();
	t->limit = o->server ? t->now + FIRST_TIME : UINT64_MAX;
	t->next_report = UINT64_MAX;
	t->next_trace = UINT64_MAX;

	read_control(t);	/* what came with the message before */
	while (!stopping && !t->over) {
		struct pollfd p[2] = {
			{ .fd = s->fd, .events = POLLIN },
			{ .fd = t->ended ? -1 : s->ctrl.fd, .events = POLLIN },
		};
		int ready;

		reports(t, t->now);
		if (t->ended && (t->now >= t->quiet_until || t->now >= t->limit ||
				 t->received + s->snd.kept_back >=
				 s->snd.packets_total))
			break;
		ready = wait_fds_now(p, 2, t->now, wakeup(t));
		/* What has come is read, however late this end is. */
		if (ready >= 0 && !p[1].revents && !t->ended && t->now >= t->limit)
			overdue(t);
		if (ready <= 0) {
			t->now = now_ns();
			continue;
		}
		if (p[0].revents && !receive(t)) {
			sleep_ns(NSEC_PER_MSEC);	/* poll() was wrong */
			t->now = now_ns();
		}
		if (p[1].revents) {
			t->now = now_ns();
			read_control(t);
		}
	}
	last_report(t, now_ns());
	if (t->file > STDERR_FILENO && close(t->file))
		die("cannot write the file received: %s", strerror(errno));
	results(t);
}
