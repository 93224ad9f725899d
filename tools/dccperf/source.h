/* SPDX-License-Identifier: GPL-2.0-only */
/* What is sent: filler, a file, a transport stream, a video. */
#ifndef DCCPERF_SOURCE_H
#define DCCPERF_SOURCE_H

#include "test.h"
#include "ts.h"
#include "video.h"

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

void source_open(struct source *s, const struct test *t, const char *path,
		 u32 len);
void source_start(struct source *s, u64 now);
enum source_status source_next(struct source *s, u64 now,
			       struct chunk *c);
void source_take(struct source *s, const struct chunk *c);
void source_close(struct source *s);

#endif /* DCCPERF_SOURCE_H */
