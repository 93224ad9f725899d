// SPDX-License-Identifier: GPL-2.0-only
/*
 * Video in layers: the layer of each packet, and when it is due. The frames are either
 * those of a file, as lab/layers makes it from an encoding, with lines of
 *
 *	seconds layer bytes
 *
 * or synthetic: 25 frames a second in groups of twelve, I B B P B B P .... The mean
 * sizes of I, P and B frames are as 5 : 2.5 : 1. Sizes are log-normal around these, and
 * correlated with the previous frame of the same type. Each frame is split over the
 * layers by their rates, which count all bytes that are given to send(), headers of
 * packets included. The payload has no meaning.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "packet.h"
#include "video.h"

#define FPS		25
#define GOP		12
#define SIGMA		0.2		/* of the logarithm of a size */
#define CORRELATION	0.9

static const double weight[] = { 5, 2.5, 1 };	/* I, P, B */

/* Parse "100K,200K": cumulative rates in bits/s. Returns how many, or -1. */
int layers_parse(const char *arg, u32 *rate)
{
	char copy[LAYERS_TEXT], *s, *end, *save = NULL;
	double v, last = 0;
	int n = 0;

	if ((size_t)snprintf(copy, sizeof(copy), "%s", arg) >= sizeof(copy))
		return -1;
	for (s = strtok_r(copy, ",", &save); s; s = strtok_r(NULL, ",", &save)) {
		v = strtod(s, &end);
		if (end == s)
			return -1;
		if ((*end & ~0x20) == 'K' || (*end & ~0x20) == 'M') {
			v *= (*end & ~0x20) == 'K' ? 1e3 : 1e6;
			end++;
		}
		v = floor(v / 8);
		if (*end || n == MAX_LAYERS || !(v > last && v <= UINT32_MAX))
			return -1;
		rate[n++] = v;
		last = v;
	}
	return n ? n : -1;
}

/* Uniform in (0, 1), with the same sequence in each run with the same seed */
static double uniform(struct video *v)
{
	v->random = v->random * 6364136223846793005ULL + 1442695040888963407ULL;
	return ((v->random >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(struct video *v)
{
	return sqrt(-2 * log(uniform(v))) * cos(2 * M_PI * uniform(v));
}

static double frame_size(struct video *v)
{
	int i = v->frame % GOP, type = !i ? 0 : i % 3 ? 2 : 1;
	double mean = (weight[0] + 3 * weight[1] + 8 * weight[2]) / GOP;

	v->noise[type] = CORRELATION * v->noise[type] +
		sqrt(1 - CORRELATION * CORRELATION) * normal(v);
	return v->rate[v->k - 1] / (double)FPS * weight[type] / mean *
	       exp(SIGMA * v->noise[type] - SIGMA * SIGMA / 2);
}

/*
 * Bytes of a layer that are due, without the headers of its packets. If they are too
 * few for a packet, they are due with the next frame.
 */
static u32 take_due(double *due, u32 len)
{
	u32 full = *due / len, rest = *due - (double)full * len;
	u32 bytes = full * (len - HEADER_LEN);

	if (rest > HEADER_LEN) {
		full++;
		bytes += rest - HEADER_LEN;
	}
	*due -= bytes + full * HEADER_LEN;
	return bytes;
}

/* Returns false at the end of a file. @len: of a whole packet */
static bool next_frame(struct video *v, u32 len)
{
	double size, share;
	unsigned int layer;
	int i;

	memset(v->left, 0, sizeof(v->left));
	if (!v->file) {
		size = frame_size(v);
		for (i = 0; i < v->k; i++) {
			share = v->rate[i] - (i ? v->rate[i - 1] : 0);
			v->due[i] += size * share / v->rate[v->k - 1];
			v->left[i] = take_due(&v->due[i], len);
		}
		v->time = v->frame++ / (double)FPS;
		return true;
	}
	while (getline(&v->line, &v->line_size, v->file) >= 0) {
		if (*v->line == '#' || *v->line == '\n')
			continue;
		if (sscanf(v->line, "%lf %u %lf", &v->time, &layer, &size) != 3 ||
		    !layer || layer > MAX_LAYERS || !(size >= 0 && size < 1e9) ||
		    !(v->time >= 0 && v->time < 1e6))
			die("the file of frames has a line that is not \"seconds layer bytes\": %s",
			    v->line);
		v->left[layer - 1] = size;
		return true;
	}
	return false;
}

void video_open(struct video *v, const struct test *t, const char *frames)
{
	int n = layers_parse(t->layers, v->rate);

	v->k = n > 0 ? n : 0;
	/* Neighbours of a linear congruential generator would begin alike. */
	v->random = (t->seed * MAX_FLOWS + t->flow - 1) * 0x9e3779b97f4a7c15ULL;
	if (!frames)
		return;
	v->file = fopen(frames, "re");
	if (!v->file)
		die("cannot read %s: %s", frames, strerror(errno));
}

/*
 * Returns the next packet, of up to @len bytes with its header, of the lowest layer that
 * has data. The packet stays the next one until video_take().
 */
enum source_status video_next(struct video *v, u32 len, u64 start,
			      struct chunk *c)
{
	for (;;) {
		u32 i, more = len - HEADER_LEN;

		for (i = 0; i < MAX_LAYERS && !v->left[i]; i++)
			;
		if (i < MAX_LAYERS) {
			c->data = NULL;
			c->layer = i + 1;
			c->len = v->left[i] < more ? v->left[i] : more;
			c->when = start + (u64)(v->time * NSEC_PER_SEC);
			return SRC_READY;
		}
		if (!next_frame(v, len))
			return SRC_END;
	}
}

void video_take(struct video *v, const struct chunk *c)
{
	v->left[c->layer - 1] -= c->len;
}

void video_close(struct video *v)
{
	free(v->line);
	if (v->file)
		fclose(v->file);
}
