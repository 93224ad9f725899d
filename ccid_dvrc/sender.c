// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sender of DVRC. It follows the requested rate (lib_tfrc, driven_sender.c), and does
 * not send layers above K.
 *
 * Options on data packets state what the receiver cannot measure: the round-trip time
 * and its deviation, once in a round trip; and the rate vector, until a report shows
 * that it has arrived, and then with each round-trip time.
 */
#include <linux/container_of.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include "dvrc.h"

/* Factor of X at a timeout, in 10^-3 */
#define KEEP		500

/* A round trip may fill one of so many parts of a Sequence Window (RFC 4340, 7.5.2). */
#define WINDOW_PARTS	5

static struct dvrc_sender *dvrc_sender_of(struct tfrc_sender *snd)
{
	return container_of(snd, struct dvrc_sender, driven.base);
}

/* Without a round-trip time it is one packet a second (RFC 5348, 4.2), whatever c_1 is. */
static void dvrc_sender_start(struct tfrc_sender *snd, u64 now)
{
	struct dvrc_sender *ds = dvrc_sender_of(snd);
	u64 packets = min_t(u64, div_u64(snd->window, WINDOW_PARTS),
			    U32_MAX >> 1);
	u64 first = tfrc_sender_first_rate(snd), most = first;

	if (snd->has_rtt)
		most = tfrc_mul_div(packets * TFRC_RATE(tfrc_sender_size(snd)),
				    TFRC_NSEC_PER_SEC, snd->rtt);
	driven_sender_start(&ds->driven,
			    dvrc_start_rate(&ds->layers, first, most,
					    ds->par.slow_start));
}

/*
 * The K asked for within the sender's own rules. X_inst is below X if there is a target
 * for the queueing delay, or l4s. R, from which the receiver has K, is not lower for it.
 */
static u32 dvrc_sender_layers(const struct dvrc_sender *ds)
{
	const struct tfrc_sender *snd = &ds->driven.base;
	u32 k = dvrc_layers_sent(&ds->layers, ds->asked, snd->x,
				 ds->par.slow_start);

	if (ds->layers.k && snd->x_inst < snd->x)
		k = min(k, dvrc_layers_in(&ds->layers, snd->x_inst));
	return k;
}

/* Whether the receiver that acknowledges the packet @ack has the rate vector */
static bool dvrc_sender_has_vector(const struct dvrc_sender *ds, u64 ack)
{
	return !ds->advertise ||
	       (ds->vector_seq && tfrc_seq_distance(ds->vector_seq, ack) >= 0);
}

static void dvrc_sender_feedback(struct tfrc_sender *snd,
				 const struct tfrc_report *rep, u64 now)
{
	struct dvrc_sender *ds = dvrc_sender_of(snd);
	u8 k = rep->fb->number;

	driven_sender_feedback(&ds->driven, rep, now);
	if (rep->sample)
		dvrc_rtt_sample(&ds->rtt, rep->sample, ds->par.gamma);

	/* A report that was on its way when the vector changed has K of the one before. */
	if (k && !dvrc_sender_has_vector(ds, rep->ack))
		k = dvrc_layers_in(&ds->layers, ds->driven.rate);
	else if (k)
		ds->advertise = false;
	/* K is 0 while the receiver has no rate vector. */
	if (k || !ds->layers.k)
		ds->asked = k;
}

static void dvrc_sender_timeout(struct tfrc_sender *snd, bool idle, u64 now)
{
	struct dvrc_sender *ds = dvrc_sender_of(snd);

	driven_sender_timeout(&ds->driven, KEEP, idle, now);
	if (!ds->layers.k)
		return;
	ds->asked = ds->k;
	if (!idle)
		ds->asked = min(ds->k, dvrc_layers_in(&ds->layers, snd->x));
}

/* poll() tells the application that K has changed. */
static void dvrc_sender_limited(struct tfrc_sender *snd)
{
	struct dvrc_sender *ds = dvrc_sender_of(snd);
	u32 k = dvrc_sender_layers(ds);

	snd->event |= ds->k != k;
	ds->k = k;
}

static const struct tfrc_sender_ops dvrc_sender_ops = {
	.start = dvrc_sender_start,
	.feedback = dvrc_sender_feedback,
	.timeout = dvrc_sender_timeout,
	.limited = dvrc_sender_limited,
	.timeout_after = driven_sender_timeout_after,
};

/**
 * dvrc_sender_init - prepare for the first packet
 * @ds: the sender
 */
void dvrc_sender_init(struct dvrc_sender *ds)
{
	memset(ds, 0, sizeof(*ds));
	tfrc_sender_init(&ds->driven.base, &dvrc_sender_ops);
}

/**
 * dvrc_sender_set_layers - the application has set a rate vector
 * @ds: the sender
 * @rate: a valid vector
 * @size: in bytes
 */
void dvrc_sender_set_layers(struct dvrc_sender *ds, const u32 *rate,
			    size_t size)
{
	dvrc_layers_set(&ds->layers, rate, size);
	ds->advertise = true;
	ds->vector_seq = 0;
	ds->asked = dvrc_layers_in(&ds->layers, ds->driven.rate);
	ds->k = dvrc_sender_layers(ds);
}

/**
 * dvrc_sender_wants - whether a layer may be sent
 * @ds: the sender
 * @layer: 1 for the base layer
 *
 * Return: true if it is not above K
 */
bool dvrc_sender_wants(const struct dvrc_sender *ds, u32 layer)
{
	return !ds->k || layer <= ds->k;
}

/**
 * dvrc_sender_ends - whether a packet above K is sent if it is the last one that waits
 * @ds: the sender
 * @layer: its layer
 *
 * K may have fallen after a packet that said that another one follows. If all those that
 * it meant were discarded, the receiver would wait in vain, and halve R after each DTO. So
 * the last of them is sent, and says that none follows.
 *
 * Return: true if it is one of those
 */
bool dvrc_sender_ends(const struct dvrc_sender *ds, u32 layer)
{
	return layer <= ds->announced;
}

/**
 * dvrc_sender_ccval - CCVal of the packet being sent
 * @ds: the sender
 * @idle: nothing waits behind it that may be sent
 *
 * Return: CCVal
 */
u8 dvrc_sender_ccval(struct dvrc_sender *ds, bool idle)
{
	ds->announced = idle ? 0 : ds->k ?: DCCP_DVRC_LAYERS_MAX;
	return idle ? DVRC_CCVAL_IDLE : 0;
}

/**
 * dvrc_sender_options - options that the packet being sent will have
 * @ds: the sender
 * @now: time
 *
 * Return: DVRC_HAS_*
 */
u8 dvrc_sender_options(struct dvrc_sender *ds, u64 now)
{
	u8 layers = ds->layers.k ? DVRC_HAS_LAYERS : 0;

	if (ds->rtt.rtt && now - ds->t_stated >= ds->rtt.rtt) {
		ds->t_stated = now;
		dvrc_rtt_round(&ds->rtt, ds->par.epsilon);
		return DVRC_HAS_PATH | layers;
	}
	return ds->advertise ? layers : 0;
}
