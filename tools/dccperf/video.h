/* SPDX-License-Identifier: GPL-2.0-only */
/* A video in layers. */
#ifndef DCCPERF_VIDEO_H
#define DCCPERF_VIDEO_H

#include <stdio.h>
#include "test.h"

enum source_status { SRC_READY, SRC_INPUT, SRC_END };

struct chunk {
	u8	layer;		/* 0: none */
	const u8	*data;		/* NULL: filler */
	u32	len;		/* without header */
	u64	when;
};

struct video {			/* in layers */
	u32	rate[MAX_LAYERS];	/* cumulative, bytes/s */
	int		k;
	u64	random, frame;
	double		time;		/* of the frame */
	double		noise[3];	/* of I, P, B */
	double		due[MAX_LAYERS];	/* bytes with headers, not yet in @left */
	u32	left[MAX_LAYERS];	/* of the frame, bytes */
	FILE		*file;
	char		*line;
	size_t		line_size;
};

int layers_parse(const char *arg, u32 *rate);
void video_open(struct video *v, const struct test *t, const char *frames);
enum source_status video_next(struct video *v, u32 len, u64 start,
			      struct chunk *c);
void video_take(struct video *v, const struct chunk *c);
void video_close(struct video *v);

#endif /* DCCPERF_VIDEO_H */
