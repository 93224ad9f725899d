// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sending. Every wait ends at a time or with a descriptor. In a kernel whose DCCP has
 * no working poll(), a socket may be writable for poll() while send() returns EAGAIN.
 * Then the sender sleeps, at first for 100 us and then up to 5 ms.
 */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <linux/dccp.h>
#include <linux/dccp_ccid.h>
#include <linux/sockios.h>

#include "dccp.h"
#include "limits.h"
#include "log.h"
#include "packet.h"
#include "report.h"
#include "sender.h"
#include "source.h"
#include "stats.h"
#include "wait.h"

#define BACKOFF_MIN	(100 * 1000ULL)
#define BACKOFF_MAX	(5 * NSEC_PER_MSEC)

struct sender {
	struct flow	*s;
	struct source	source;
	u64	start, stop, omit;	/* from the first packet on; a time; how long */
	bool	closed;		/* the connection is over, as poll() says */
	u64	seq, total, skipped;	/* packets; bytes of payload */
	u64	omit_seq, omit_total, omit_time;
	u64	backoff;
	u64	above_k, k_changes;
	double	omit_kept_back;
	u32	k;			/* layers that may be sent */
	u64	next_report, next_trace;
	struct interval	report, trace;
	struct rate_bins bins;
	u8		packet[MAX_PAYLOAD];
};

/* Packets that the CCID accepted and did not send, because their layer is above K */
static double kept_back(const struct sender *t)
{
	struct tx_info info;

	dccp_tx_info(t->s->fd, &info);
	return isfinite(info.kept_back) ? info.kept_back : 0;
}

/* Close an interval that is due at @now, and open the next. */
static void interval_close(struct sender *t, struct interval *iv, u64 now)
{
	iv->end = (now - t->start) / 1e9;
	iv->seconds = iv->end - iv->start;
	iv->bits_per_second = iv->seconds > 0 ? iv->bytes * 8 / iv->seconds : 0;
	iv->percent = t->source.length ?
		      (int)(t->source.taken * 100 / t->source.length) : -1;
	dccp_tx_info(t->s->fd, &iv->info);
}

static void interval_next(struct interval *iv)
{
	*iv = (struct interval){ .start = iv->end };
}

/* What was sent before does not count. */
static void measure(struct sender *t, u64 now)
{
	t->omit_time = now;
	t->omit_seq = t->seq;
	t->omit_total = t->total;
	t->omit_kept_back = kept_back(t);
	rate_bins_init(&t->bins, t->s->test.cov * NSEC_PER_SEC, now);
}

/* The socket has taken the first packet, for which its source may have let it wait. */
static void begin(struct sender *t, u64 now)
{
	const struct options *o = t->s->o;

	t->start = now;
	if (o->interval > 0)
		t->next_report = now + (u64)(o->interval * NSEC_PER_SEC);
	if (o->trace)
		t->next_trace = now + (u64)(o->trace_interval * NSEC_PER_SEC);
	if (!t->omit)
		measure(t, now);
}

/* Returns the time: what is written may take a while. */
static u64 reports(struct sender *t, u64 now)
{
	const struct options *o = t->s->o;
	bool due = now >= t->next_report || now >= t->next_trace;
	u64 step = o->interval * NSEC_PER_SEC;

	if (now >= t->next_report) {
		interval_close(t, &t->report, now);
		t->report.number = (now - t->start) / step;
		report_interval(t->s, &t->report);
		interval_next(&t->report);
		t->next_report = multiple_after(t->start, step, now);
	}
	if (now >= t->next_trace) {
		interval_close(t, &t->trace, now);
		report_trace(t->s, now, &t->trace);
		interval_next(&t->trace);
		t->next_trace = multiple_after(t->start, o->trace_interval * NSEC_PER_SEC, now);
	}
	if (t->seq && !t->omit_time && now - t->start >= t->omit)
		measure(t, now);
	return due ? now_ns() : now;
}

/* What is left of the last interval */
static void last_report(struct sender *t, u64 now)
{
	double interval = t->s->o->interval;

	now = reports(t, now);
	if (interval <= 0 || !t->report.packets)
		return;
	interval_close(t, &t->report, now);
	t->report.number = (now - t->start) / (u64)(interval * NSEC_PER_SEC) + 1;
	report_interval(t->s, &t->report);
}

/* Read K. With a CCID that has no layers, all of them may be sent. */
static void read_k(struct sender *t)
{
	u32 k = MAX_LAYERS;
	socklen_t len = sizeof(k);

	if (!getsockopt(t->s->fd, SOL_DCCP, DCCP_SOCKOPT_DVRC_K, &k, &len) &&
	    k != t->k)
		t->k_changes++;
	t->k = k;
}

/*
 * Wait from @now until @until, or until @fd (if it is not -1) can be read or written.
 * The peer may end the test at any time. Returns true if @fd is ready.
 */
static bool sender_wait(struct sender *t, int fd, short events, u64 now, u64 until)
{
	struct pollfd p[3] = {
		{ .fd = t->s->ctrl.fd, .events = POLLIN },
		{ .fd = fd, .events = events },
		{ .fd = t->source.kind == SOURCE_VIDEO && !t->closed &&
			t->s->tx_ccid == DCCPC_DVRC ? t->s->fd : -1,
		  .events = POLLPRI },
	};
	char *verb, *body;
	int ret;

	if (t->next_report < until)
		until = t->next_report;
	if (t->next_trace < until)
		until = t->next_trace;
	if (t->stop < until)
		until = t->stop;
	if (wait_fds_now(p, 3, now, until) <= 0)
		return false;
	if (p[0].revents) {
		ret = ctrl_read(&t->s->ctrl, &verb, &body);
		if (ret < 0)
			die("the peer closed the control connection during the test");
		if (ret > 0 && !strcmp(verb, "results")) {
			const char *err = fields_parse(receiver_fields,
						       &t->s->rcv, body);

			if (err)
				die("results of the peer: %s", err);
			t->s->peer_done = true;
		} else if (ret > 0) {
			struct peer_error e = { "" };

			fields_parse(error_fields, &e, body);
			die("the peer says: %s", *e.error ? e.error : verb);
		}
	}
	if (p[2].revents & POLLPRI)
		read_k(t);
	/* poll() would always return at once; send() will return the error. */
	if (p[2].revents & (POLLERR | POLLHUP))
		t->closed = true;
	return p[1].revents;
}

/* The socket did not accept a packet: wait until it may. */
static void wait_writable(struct sender *t, u64 now)
{
	if (t->backoff) {
		/* poll() was wrong: sleep. */
		sender_wait(t, -1, 0, now, now + t->backoff);
		t->backoff *= 2;
		if (t->backoff > BACKOFF_MAX)
			t->backoff = BACKOFF_MAX;
		return;
	}
	/* A report, or a message, may have ended it: then there is nothing wrong with poll(). */
	if (sender_wait(t, t->s->fd, POLLOUT, now, UINT64_MAX))
		t->backoff = BACKOFF_MIN;
}

static void shrink(struct sender *t, u32 len)
{
	int mps = dccp_get_int(t->s->fd, DCCP_SOCKOPT_GET_CUR_MPS);

	if (mps <= HEADER_LEN || (u32)mps >= len)
		die("the kernel takes no packet of %u bytes although it states a maximum of %d: use a smaller -l",
		    len, mps);
	warn("the path's maximum packet size fell to %d bytes", mps);
	t->source.len = mps;
}

/*
 * send(), with the layer as the priority. With priorities send() never blocks, since
 * the packet of the lowest priority is dropped. So poll() must say whether there is
 * room.
 */
static ssize_t send_packet(struct sender *t, u8 layer, u32 len)
{
	union {
		struct cmsghdr	h;
		char		buf[CMSG_SPACE(sizeof(u32))];
	} c = { 0 };
	struct iovec iov = { .iov_base = t->packet, .iov_len = len };
	struct msghdr m = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = &c, .msg_controllen = sizeof(c),
	};
	struct pollfd p = { .fd = t->s->fd, .events = POLLOUT };
	u32 priority = DCCP_DVRC_PRIORITY(layer);

	if (!*t->s->test.layers)
		return send(t->s->fd, t->packet, len,
			    MSG_DONTWAIT | MSG_NOSIGNAL);
	if (poll(&p, 1, 0) == 0) {
		errno = EAGAIN;
		return -1;
	}
	c.h.cmsg_level = SOL_DCCP;
	c.h.cmsg_type = DCCP_SCM_PRIORITY;
	c.h.cmsg_len = CMSG_LEN(sizeof(u32));
	memcpy(CMSG_DATA(&c.h), &priority, sizeof(priority));
	return sendmsg(t->s->fd, &m, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* Returns false when the connection is over. */
static bool send_chunk(struct sender *t, const struct chunk *c, u64 now)
{
	struct packet_header h = {
		.stream = t->s->test.stream, .seq = t->seq,
		.sent = now, .sched = c->when, .layer = c->layer,
	};
	u32 len = c->len + HEADER_LEN;

	packet_pack(t->packet, &h);
	if (c->data)
		memcpy(t->packet + HEADER_LEN, c->data, c->len);
	if (send_packet(t, c->layer ?: 1, len) < 0) {
		switch (errno) {
		case EAGAIN:
		case ENOBUFS:
			wait_writable(t, now);
			return true;
		case EINTR:
			return true;
		case EMSGSIZE:
			shrink(t, len);
			return true;
		}
		snprintf(t->s->snd.error, sizeof(t->s->snd.error),
			 "the connection ended: %s", strerror(errno));
		return false;
	}
	t->backoff = 0;
	if (t->s->busy)
		*t->s->busy = now;
	if (!t->seq)
		begin(t, now);
	t->seq++;
	t->total += len;
	t->report.bytes += len;
	t->report.packets++;
	t->trace.bytes += len;
	t->trace.packets++;
	if (t->omit_time)
		rate_bins_add(&t->bins, now, len);
	source_take(&t->source, c);
	return true;
}

/*
 * Wait until the transmit queue is empty: what is sent after the results does not count. A
 * signal may have ended the test before, and another one ends this. Returns false then.
 */
static bool drain(struct sender *t)
{
	u64 until = now_ns() + DRAIN_TIME;
	int stopped = stopping, left = 0;
	bool emptied;

	stopping = 0;
	t->stop = UINT64_MAX;
	while (!stopping && !t->s->peer_done && !ioctl(t->s->fd, SIOCOUTQ, &left) && left) {
		u64 now = now_ns();

		if (now >= until) {
			warn("%d bytes of buffers were still queued %d s after the last packet",
				    left, (int)(DRAIN_TIME / NSEC_PER_SEC));
			break;
		}
		now = reports(t, now);
		sender_wait(t, -1, 0, now, now + 5 * NSEC_PER_MSEC);
	}
	emptied = !stopping;
	stopping |= stopped;
	return emptied;
}

/* Discard what is queued. The peer, which waits for it, hears that no more will come. */
static void discard(int fd)
{
	const struct sockaddr none = { .sa_family = AF_UNSPEC };

	connect(fd, &none, sizeof(none));
}

static void results(struct sender *t)
{
	struct sender_result *r = &t->s->snd;
	struct tx_info info;
	u64 now = now_ns();

	dccp_tx_info(t->s->fd, &info);
	r->tx_ccid = t->s->tx_ccid;
	r->rx_ccid = t->s->rx_ccid;
	r->mps = t->s->mps;
	r->len = t->source.len;
	r->packets_total = t->seq;
	r->skipped = t->skipped;
	r->above_k = t->above_k;
	r->k_changes = t->k_changes;
	/* A connection that was reset has no CCID that knows it. */
	r->kept_back = fmax(0, kept_back(t) - t->omit_kept_back);
	r->cov_seconds = t->s->test.cov;
	if (t->omit_time) {
		r->packets = t->seq - t->omit_seq;
		r->bytes = t->total - t->omit_total;
		r->seconds = (now - t->omit_time) / 1e9;
		if (r->seconds > 0)
			r->bits_per_second = r->bytes * 8 / r->seconds;
		rate_bins_add(&t->bins, now, 0);
		r->cov = series_cov(&t->bins.rates);
	}
	r->x = info.x;
	r->x_calc = info.x_calc;
	r->x_recv = info.x_recv;
	r->p = info.p;
	r->rtt_ms = info.rtt_ms;
	r->tokens = info.tokens;
}

static u32 payload_len(const struct flow *s)
{
	const struct test *t = &s->test;
	u32 len = t->len;

	if (len > (u32)s->mps)
		die("-l %u is more than the maximum packet size of this path, %d bytes: use -l %d or less",
		    len, s->mps, s->mps);
	if (!len)
		len = t->source == SOURCE_FILE ? TS_CHUNK + HEADER_LEN :
						 DEFAULT_LEN;
	return len < (u32)s->mps ? len : (u32)s->mps;
}

void sender_run(struct flow *s)
{
	static struct sender sender;
	struct sender *t = &sender;
	const struct test *test = &s->test;
	unsigned int busy = 0;
	struct chunk c;
	bool emptied;
	u64 start;

	t->s = s;
	source_open(&t->source, test, test->source == SOURCE_VIDEO ? s->o->frames :
		    s->o->server ? s->o->serve : s->o->file, payload_len(s));
	read_k(t);
	t->k_changes = 0;
	start = now_ns();
	t->omit = test->omit * NSEC_PER_SEC;
	t->stop = test->time ? start + (u64)(test->time * NSEC_PER_SEC) : UINT64_MAX;
	t->next_report = UINT64_MAX;
	t->next_trace = UINT64_MAX;
	source_start(&t->source, start);

	while (!stopping && !s->peer_done) {
		u64 now = now_ns();
		enum source_status st;

		/* A sender that never waits must check for messages and signals, too. */
		if (++busy % 256 == 0)
			sender_wait(t, -1, 0, now, now);
		now = reports(t, now);
		if (now >= t->stop || (test->bytes && t->total >= test->bytes))
			break;
		st = source_next(&t->source, now, &c);
		if (st == SRC_END)
			break;
		if (t->source.kind == SOURCE_FILE)	/* reading it may take a while */
			now = now_ns();
		if (st == SRC_INPUT) {
			sender_wait(t, t->source.fd, POLLIN, now, UINT64_MAX);
			continue;
		}
		if (c.when > now) {
			sender_wait(t, -1, 0, now, c.when);
			continue;
		}
		if (c.layer > t->k) {
			t->above_k++;
			source_take(&t->source, &c);
			continue;
		}
		if (test->deadline &&
		    now - c.when > test->deadline * NSEC_PER_MSEC) {
			t->skipped++;
			source_take(&t->source, &c);
			continue;
		}
		if (!send_chunk(t, &c, now))
			break;
	}
	emptied = drain(t);
	last_report(t, now_ns());
	results(t);
	if (!emptied)
		discard(s->fd);
	source_close(&t->source);
}
