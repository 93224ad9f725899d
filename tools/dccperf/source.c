// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sources of data. A source says what the next packet is and when it is due. It is
 * greedy (due at once), or has a constant bit rate, or is a file, or the frames of a
 * video in layers. A file is sent as fast as possible, at a given rate, or by the clock
 * references of a transport stream.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log.h"
#include "packet.h"
#include "source.h"
#include "wait.h"

#define FILE_BUFFER	(16384 * TS_PACKET)	/* look-ahead for a PCR: 3 MB */

void source_open(struct source *s, const struct test *t, const char *path,
		 u32 len)
{
	struct stat st;

	memset(s, 0, sizeof(*s));
	s->test = t;
	s->kind = t->source;
	s->len = len;
	s->fd = -1;
	ts_init(&s->ts);
	if (s->kind == SOURCE_VIDEO)
		video_open(&s->video, t, path);
	if (s->kind != SOURCE_FILE)
		return;
	s->size = FILE_BUFFER;
	s->buf = malloc(s->size);
	if (!s->buf)
		die("no memory for the file's buffer");
	block_signals(false);		/* nobody may write to a FIFO */
	s->fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : 0;
	block_signals(true);
	if (s->fd < 0)
		die("cannot read %s: %s", path, strerror(errno));
	if (!fstat(s->fd, &st) && S_ISREG(st.st_mode))
		s->length = st.st_size;
}

void source_start(struct source *s, u64 now)
{
	s->start = now;
}

void source_close(struct source *s)
{
	free(s->buf);
	video_close(&s->video);
	if (s->fd > 0)
		close(s->fd);
}

/* Read once. Returns false if read() would block. */
static bool source_input(struct source *s)
{
	struct pollfd p = { .fd = s->fd, .events = POLLIN };
	ssize_t n;

	if (poll(&p, 1, 0) <= 0)
		return false;
	if (s->rd && s->size - s->wr < s->size / 4) {
		memmove(s->buf, s->buf + s->rd, s->wr - s->rd);
		s->wr -= s->rd;
		s->rd = 0;
	}
	n = read(s->fd, s->buf + s->wr, s->size - s->wr);
	if (n < 0 && errno != EINTR && errno != EAGAIN)
		die("cannot read the file to be sent: %s", strerror(errno));
	if (n == 0)
		s->eof = true;
	if (n > 0)
		s->wr += n;
	return true;
}

/* In three steps, since 64 bits do not hold bits * 10^9; a rate is at most 10^12 bits/s. */
static u64 due_at_rate(const struct source *s)
{
	u64 rate = s->test->rate, bits = s->taken * 8;
	u64 us = bits % rate * 1000000;

	return s->start + bits / rate * NSEC_PER_SEC + us / rate * 1000 +
	       us % rate * 1000 / rate;
}

static enum source_status file_next(struct source *s, u64 now,
				    struct chunk *c)
{
	size_t want = s->len - HEADER_LEN, have = s->wr - s->rd;
	bool full = have == s->size;
	double time;

	/* Complete packets of a transport stream, if one fits */
	if (want >= TS_PACKET && s->test->file_rate)
		want -= want % TS_PACKET;
	if (have < want && !s->eof)
		return SRC_INPUT;
	if (!have)
		return SRC_END;
	c->data = s->buf + s->rd;
	c->len = have < want ? have : want;
	if (s->test->file_rate && !s->test->rate) {
		switch (ts_time(&s->ts, c->data, s->taken, have, s->eof || full,
				&time)) {
		case TS_MORE:
			return SRC_INPUT;
		case TS_BAD:
			die("this file is no MPEG transport stream at byte %llu (expected 0x47 every %d bytes): its own rate is not known; give -b RATE",
			    s->ts.scan, TS_PACKET);
		case TS_TIME:
			break;
		}
		if (!s->ts.have_next)
			die("no clock reference (PCR) in the first %zu bytes of the file: its own rate is not known; give -b RATE",
			    have);
		c->when = s->start + (u64)(time * NSEC_PER_SEC);
	} else {
		c->when = s->test->rate ? due_at_rate(s) : now;
	}
	return SRC_READY;
}

/*
 * Returns the next packet and when it is due, without taking it. SRC_INPUT: there is
 * more when the descriptor is readable.
 */
enum source_status source_next(struct source *s, u64 now,
			       struct chunk *c)
{
	enum source_status st;
	u64 late, waited;

	c->layer = 0;
	if (s->kind == SOURCE_VIDEO)
		return video_next(&s->video, s->len, s->start, c);
	if (s->kind != SOURCE_FILE) {
		c->data = NULL;
		c->len = s->len - HEADER_LEN;
		c->when = s->kind == SOURCE_CBR ? due_at_rate(s) : now;
		return SRC_READY;
	}
	do
		st = file_next(s, now, c);
	while (st == SRC_INPUT && source_input(s));

	if (st == SRC_INPUT && !s->starved)
		s->starved = now;
	if (st != SRC_READY || !s->starved)
		return st;
	/* If a live input was late, all later packets are due later. */
	waited = now - s->starved;
	late = now > c->when ? now - c->when : 0;
	if (late > waited)
		late = waited;
	s->start += late;
	c->when += late;
	s->starved = 0;
	return st;
}

void source_take(struct source *s, const struct chunk *c)
{
	if (s->kind == SOURCE_VIDEO) {
		video_take(&s->video, c);
	} else if (s->kind == SOURCE_FILE) {
		s->rd += c->len;
		s->taken += c->len;
	} else {
		s->taken += c->len + HEADER_LEN;
	}
}
