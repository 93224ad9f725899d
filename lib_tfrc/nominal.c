// SPDX-License-Identifier: GPL-2.0-only
/*
 * A nominal packet size, for streams of small packets (TFRC-SP, RFC 4828; CCID 4,
 * RFC 5622).
 *
 * The rate of a TCP goes with the size s of its packets, and so does a rate by the
 * throughput equation, or by an increase of s in a round trip. A source whose packets
 * are small because it has a packet for each frame of sound, or a few for each frame of
 * video, gets a small rate, which keeps its packets small. With a nominal size S it gets
 * the rate of a TCP with packets of S:
 *
 *	X_SP = min(X(S, p_SP) s / (s + H), 100 packets/s)
 *	X    = max(X(s, p), X_SP)
 *
 * s is the mean of the real packets. H is 40 bytes for headers (4.2), so packets that
 * are smaller than they need to be cost the application a part of X. A flow of more than
 * 100 packets in a second must use X(s, p) instead of X_SP (4.3). So the rate is the
 * greater of the two, and is never less than without a nominal size.
 *
 * p_SP: all losses of a round trip are one loss event. A flow of large packets that
 * loses one in each round trip hardly sends more than one. The same bytes are many
 * small packets, of which several may be lost in each round trip at the same p. So the
 * losses of short loss intervals, at most two round trips, count one by one (4.4):
 *
 *	loss event	   e1	     e2	  e3			now
 *	packets		---x---------x-x--x---------------------->
 *	loss interval	   |   N/1   | N/3|    I_0
 *			   > 2 R      < 2 R
 *
 * An interval of N packets, K of them lost or marked, is N/K long if it is short,
 * else N. p_SP is the inverse of the weighted mean of the last eight. I_0, which has
 * not ended, counts only if it is not short and makes the mean greater. The packets
 * before the first loss event are no interval. The first one is that whose p_SP allows
 * the greatest receive rate so far, with S as the size (1). p_SP is at least the p that
 * the receiver reports. History discounting (RFC 5348, 5.5) does not apply.
 *
 * The half that decides the rate has all this. A sender sees loss events in reports: the
 * losses of a round trip or more after those of the last event begin a new one. So its
 * receiver need not know of the nominal size, and cannot fail to apply the rule.
 *
 * All limits of X by what is sent and received are as without a nominal size, and so
 * are the initial rate and slow start.
 */
#include <linux/bits.h>
#include <linux/export.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <net/tfrc.h>

/* Bytes of headers of a packet (RFC 4828, 3) */
#define HEADERS			40
/* Packets in a second (RFC 4828, 4.3: 10 ms from one to the next) */
#define PACKETS_MAX		100
/* A loss interval is short up to so many R (RFC 4828, 4.4). */
#define SHORT_RTTS		2

/* Lengths of loss intervals are scaled, because N/K is not a whole number. */
#define LEN_SHIFT		16
#define LEN_MAX			BIT_ULL(44)

/* RFC 5348, 5.4: 1, 1, 1, 1, 0.8, 0.6, 0.4, 0.2 */
static const u8 weight[TFRC_NOMINAL_INTERVALS] = { 5, 5, 5, 5, 4, 3, 2, 1 };

/**
 * tfrc_nominal_set - set the nominal size, or turn it off
 * @nom: state
 * @size: bytes, as tfrc_nominal_valid() has it; 0: packets have the size that they have
 *
 * Another size keeps the loss intervals, which count packets. Without them X would be that
 * of the real size until the next loss.
 *
 * Context: any, @nom locked by the caller.
 */
void tfrc_nominal_set(struct tfrc_nominal *nom, u32 size)
{
	if (nom->asked == size)
		return;
	if (!nom->asked || !size)
		memset(nom, 0, sizeof(*nom));
	nom->asked = size;
	nom->size = size;
}
EXPORT_SYMBOL_GPL(tfrc_nominal_set);

/**
 * tfrc_nominal_mss - a sender's path carries no more payload in a packet
 * @nom: state
 * @mss: bytes
 *
 * Context: any, @nom locked by the caller.
 * Source: RFC 4828, 3 and 4.5.3
 */
void tfrc_nominal_mss(struct tfrc_nominal *nom, u32 mss)
{
	nom->size = clamp_t(u32, mss, 1, max_t(u32, nom->asked, 1));
}
EXPORT_SYMBOL_GPL(tfrc_nominal_mss);

/**
 * tfrc_nominal_more - a rate that grows by real packets, or by nominal ones
 * @s: mean size of the real packets, bytes
 * @x: present rate; 0 if the next two are rates themselves
 * @real: what is added to it, with @s
 * @nominal: what is added to it, with the nominal size and without headers
 *
 * Context: any
 * Return: what is added to @x; of @nominal so much that the packets are no more than 100
 *	in a second, but no less than @real
 * Source: RFC 4828, 4.2 and 4.3
 */
u64 tfrc_nominal_more(u32 s, u64 x, u64 real, u64 nominal)
{
	u64 most = TFRC_RATE((u64)PACKETS_MAX * s);
	u64 payload = tfrc_mul_div(nominal, s, s + HEADERS);

	return max(real, min(payload, most - min(x, most)));
}
EXPORT_SYMBOL_GPL(tfrc_nominal_more);

static bool is_short(const struct tfrc_nominal *nom, u64 rtt, u64 now)
{
	return now - nom->t_event <= SHORT_RTTS * rtt;
}

/* The interval whose p allows the payload @x in packets of @s */
static u64 first_interval(const struct tfrc_nominal *nom, u32 s, u64 rtt, u64 x)
{
	u64 p = tfrc_calc_p(nom->size, rtt,
			    tfrc_mul_div(x, s + HEADERS, max(s, 1U)));

	return min(tfrc_mul_div(TFRC_P_ONE, BIT_ULL(LEN_SHIFT), max(p, 1ULL)),
		   LEN_MAX);
}

/**
 * tfrc_nominal_event - a loss event has begun
 * @nom: state, with a nominal size
 * @ev: what is known at its beginning
 *
 * Context: any, @nom locked by the caller.
 * Return: for how many loss events the one before counts: K if its interval was short,
 *	else 1
 * Source: RFC 4828, 4.4; RFC 5348, 6.3.1
 */
u32 tfrc_nominal_event(struct tfrc_nominal *nom,
		       const struct tfrc_nominal_at *ev)
{
	/* A sender counts what is in flight as data, so its number may fall. */
	u64 n = max(ev->data - min(ev->data, nom->data), 1ULL), k = 1, len;

	if (!nom->k) {
		len = first_interval(nom, ev->s, ev->rtt, ev->x);
	} else {
		if (is_short(nom, ev->rtt, ev->now))
			k = clamp_t(u64, ev->signals - nom->signals, 1, n);
		len = min(n, LEN_MAX >> LEN_SHIFT) << LEN_SHIFT;
		len = div_u64(len, k);
	}
	memmove(nom->len + 1, nom->len, sizeof(nom->len) - sizeof(nom->len[0]));
	nom->len[0] = len;
	nom->k = min_t(u32, nom->k + 1, TFRC_NOMINAL_INTERVALS);
	nom->data = ev->data;
	nom->signals = ev->signals;
	nom->t_event = ev->now;
	return k;
}
EXPORT_SYMBOL_GPL(tfrc_nominal_event);

/**
 * tfrc_nominal_p - the loss event rate p_SP
 * @nom: state, with a nominal size
 * @data: data packets so far, as in struct tfrc_nominal_at
 * @p: loss event rate as without a nominal size
 * @rtt: round-trip time R, ns
 * @now: time
 *
 * Context: any
 * Return: at least @p; 0 as long as this saw no loss event
 * Source: RFC 4828, 3, the pseudocode
 */
u64 tfrc_nominal_p(const struct tfrc_nominal *nom, u64 data, u64 p, u64 rtt,
		   u64 now)
{
	u64 closed = 0, open, w = 0;
	u32 i;

	if (!nom->k)
		return 0;
	open = min(data - min(data, nom->data), LEN_MAX >> LEN_SHIFT) << LEN_SHIFT;
	open *= weight[0];
	for (i = 0; i < nom->k; i++) {
		closed += nom->len[i] * weight[i];
		w += weight[i];
		if (i + 1 < nom->k)
			open += nom->len[i] * weight[i + 1];
	}
	if (!is_short(nom, rtt, now))
		closed = max(closed, open);
	return max(p, min(tfrc_mul_div(w << LEN_SHIFT, TFRC_P_ONE,
				       max(closed, 1ULL)), TFRC_P_ONE));
}
EXPORT_SYMBOL_GPL(tfrc_nominal_p);

/**
 * tfrc_nominal_feedback - a report came: keep a sender's own loss intervals
 * @snd: the sender, with a nominal size, updated from the report
 * @rep: the report, complete
 * @now: time
 *
 * Sets @p of the sender's struct tfrc_nominal.
 *
 * Context: any, @snd locked by the caller.
 */
void tfrc_nominal_feedback(struct tfrc_sender *snd,
			   const struct tfrc_report *rep, u64 now)
{
	struct tfrc_nominal *nom = &snd->nominal;
	/* Packets without data, of which there are few, count as data. */
	u64 data = snd->packets - min(rep->flight, snd->packets);

	nom->x_max = max(nom->x_max, snd->x_recv);
	if (rep->event)
		tfrc_nominal_event(nom, &(struct tfrc_nominal_at) {
			.s = tfrc_sender_size(snd),
			.data = data,
			.signals = snd->signals - rep->lost - rep->marked,
			.x = nom->x_max,
			.rtt = snd->rtt,
			.now = now,
		});
	nom->p = tfrc_nominal_p(nom, data, rep->p, snd->rtt, now);
}
EXPORT_SYMBOL_GPL(tfrc_nominal_feedback);
