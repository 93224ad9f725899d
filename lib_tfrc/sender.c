// SPDX-License-Identifier: GPL-2.0-only
/*
 * The TFRC sender as an algorithm (RFC 5348, section 4).
 *
 * The sender holds one number, the allowed rate X, and moves it for one of two
 * reasons:
 *
 *   - feedback came. It says how fast data arrived (X_recv) and how often
 *     losses happen (p). While p is 0 the sender is in slow start: X doubles
 *     once in a round trip. Afterwards X is what a TCP would get at this p and
 *     round-trip time R (the throughput equation, or that of a scheme). In
 *     either case X is held near what the receiver really gets, so that a
 *     sender does not run far ahead of a path that got slower:
 *
 *	RFC 5348:	X <= 2 max(X_recv_set)
 *	self-clocking:	X <= X_recv in the round trip after a loss event,
 *			X <= 1.5 X_recv otherwise
 *			(Bansal et al., "Dynamic behavior of slowly-responsive
 *			congestion control algorithms", SIGCOMM 2001)
 *
 *   - no feedback came for four round trips (nofeedback timer): X is halved.
 *
 * Packets are not sent at X itself but at X_inst, which is X less what the last RTT
 * sample says of a queue that builds up (4.5), unless the scheme has rules of its
 * own or says otherwise.
 *
 * X never falls below one packet in 64 s. A scheme may have its own equation
 * and the last word on the rate after feedback, see struct tfrc_scheme, but not
 * on what the nofeedback timer does.
 *
 * A receiver may lie, and a source may slow down. What was sent is the greatest
 * of the rates in the last three round trips in which anything was sent. X_recv
 * counts for twice that at most, and X is at most four times of it, or the initial
 * rate if that is more: whatever the equation, the memory of X_recv, or a scheme
 * would allow.
 */
#include <linux/bitops.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/string.h>
#include <net/tfrc.h>

/* First timeout, while there is no feedback (RFC 5348, 4.2). */
#define TFRC_INITIAL_TIMEOUT	(2 * TFRC_NSEC_PER_SEC)
/*
 * The timers of either end may be late by two ticks of the slowest clock, which
 * take 10 ms each (HZ = 100): leave some room for both.
 */
#define TFRC_MIN_TIMEOUT	(50 * TFRC_NSEC_PER_MSEC)

/* The mean packet size s is a mean over 2^3 packets at least, and 2^8 at most. */
#define TFRC_SIZE_SHIFT_MIN	3
#define TFRC_SIZE_SHIFT_MAX	8

static u64 tfrc_sender_min_rate(const struct tfrc_sender *snd)
{
	return TFRC_RATE(tfrc_sender_size(snd)) / TFRC_T_MBI;
}

/**
 * tfrc_initial_rate - the rate that any path is asked to bear at first
 * @s: packet size, bytes
 * @rtt: round-trip time R, ns, not 0
 *
 * Context: any
 * Return: W_init / R, the window of RFC 3390 in each round trip (RFC 5348, 4.2)
 */
u64 tfrc_initial_rate(u32 s, u64 rtt)
{
	u32 w_init = min(4 * s, max(2 * s, 4380U));

	return tfrc_mul_div(TFRC_RATE(w_init), TFRC_NSEC_PER_SEC, rtt);
}
EXPORT_SYMBOL_GPL(tfrc_initial_rate);

static u64 tfrc_sender_initial_rate(const struct tfrc_sender *snd)
{
	return tfrc_initial_rate(tfrc_sender_size(snd), snd->rtt);
}

static u64 tfrc_sender_bound(const struct tfrc_sender *snd, u64 x)
{
	return clamp(x, tfrc_sender_min_rate(snd), TFRC_RATE_MAX);
}

static u64 tfrc_rate_over(u64 bytes, u64 time)
{
	return min(tfrc_mul_div(bytes << TFRC_RATE_SHIFT, TFRC_NSEC_PER_SEC,
				max(time, 1ULL)), TFRC_RATE_MAX);
}

static u64 tfrc_time_at(u64 x, u32 len)
{
	/* 65535 B at 2^16 and 10^9 ns still fit in 64 bits. */
	return div64_u64(TFRC_RATE(clamp(len, 1U, 65535U)) * TFRC_NSEC_PER_SEC,
			 max(x, 1ULL));
}

/*
 * X_inst (RFC 5348, 4.5). A sample that is much below the mean may be a new route as
 * well as an empty queue: twice X is all that it is good for. The other way the mean,
 * of which the sample is a tenth, bounds it to a tenth of X.
 */
static void tfrc_sender_set_inst(struct tfrc_sender *snd)
{
	snd->x_inst = snd->x;
	if (snd->reduce_oscillations && snd->r_sqsample)
		snd->x_inst = min(tfrc_mul_div(snd->x, snd->r_sqmean,
					       snd->r_sqsample), 2 * snd->x);
	snd->x_inst = tfrc_sender_bound(snd, snd->x_inst);
}

static void tfrc_sender_sample(struct tfrc_sender *snd, u64 sample)
{
	sample = clamp(sample, TFRC_RTT_MIN, TFRC_RTT_MAX);
	snd->rtt = snd->has_rtt ? (9 * snd->rtt + sample) / 10 : sample;
	snd->has_rtt = true;
	snd->r_sqsample = tfrc_sqrt(sample);
	snd->r_sqmean = snd->r_sqmean ?
		(9 * snd->r_sqmean + snd->r_sqsample) / 10 : snd->r_sqsample;
}

static void tfrc_sender_set_timer(struct tfrc_sender *snd, u64 now)
{
	u64 rto = max(4 * snd->rtt,
		      2 * tfrc_time_at(snd->x, tfrc_sender_size(snd)));

	if (snd->scheme->patience)
		rto = snd->scheme->patience(snd->priv);
	snd->t_timer = now + max(rto, TFRC_MIN_TIMEOUT);
	snd->sent_since_timer = false;
	snd->resting = false;
}

/**
 * tfrc_sender_init - prepare a sender for its first packet
 * @snd: the sender
 * @scheme: what is done differently from TFRC; must outlive @snd
 * @priv: passed to the functions of @scheme
 *
 * Context: any, @snd not shared.
 */
void tfrc_sender_init(struct tfrc_sender *snd,
		      const struct tfrc_scheme *scheme, void *priv)
{
	memset(snd, 0, sizeof(*snd));
	snd->scheme = scheme;
	snd->priv = priv;
	snd->reduce_oscillations = !scheme->adapt;
}
EXPORT_SYMBOL_GPL(tfrc_sender_init);

/**
 * tfrc_sender_start - the first packet is about to be sent
 * @snd: the sender
 * @len: payload of the packet, bytes
 * @rtt: round-trip time of the handshake, 0 if unknown
 * @now: time
 *
 * With a round-trip time the sender starts with RFC 3390's window in each round
 * trip, otherwise with one packet a second (RFC 5348, 4.2).
 *
 * Context: any, @snd locked by the caller.
 */
void tfrc_sender_start(struct tfrc_sender *snd, u32 len, u64 rtt, u64 now)
{
	snd->s = clamp(len, 1U, 65535U) << TFRC_SIZE_SHIFT;
	snd->has_rtt = rtt != 0;
	snd->rtt = rtt ? clamp(rtt, TFRC_RTT_MIN, TFRC_RTT_MAX) :
			 TFRC_RTT_FALLBACK;
	snd->x = tfrc_sender_bound(snd, rtt ? tfrc_sender_initial_rate(snd) :
				   TFRC_RATE(tfrc_sender_size(snd)));
	snd->tld = now;
	snd->t_feedback = now;
	snd->t_meter = now;
	snd->t_timer = now + TFRC_INITIAL_TIMEOUT;

	if (snd->scheme->start) {
		snd->x = snd->scheme->start(snd->priv, snd, now);
		snd->x = tfrc_sender_bound(snd, snd->x);
	}
	snd->x_base = snd->x;
	/* for how long no report may come depends on the time of a packet */
	tfrc_sender_set_inst(snd);
	if (snd->scheme->start)
		tfrc_sender_set_timer(snd, now);
}
EXPORT_SYMBOL_GPL(tfrc_sender_start);

/*
 * The mean over the last four loss intervals (RFC 5348, 4.1), in powers of two, or over
 * the 256 last packets if that is less: the sequence window, too, goes by it. Until
 * there are as many, over all packets.
 */
static void tfrc_sender_mean_size(struct tfrc_sender *snd, u32 len)
{
	s64 off = ((s64)len << TFRC_SIZE_SHIFT) - snd->s;
	int shift = TFRC_SIZE_SHIFT_MAX;

	/* log2(4 / p) */
	if (snd->p)
		shift = clamp(TFRC_P_SHIFT + 3 - fls64(snd->p),
			      TFRC_SIZE_SHIFT_MIN, shift);
	if (snd->packets < 1U << TFRC_SIZE_SHIFT_MAX)
		shift = min(shift, fls64(snd->packets + 1) - 1);
	snd->s += off >> shift;
}

/**
 * tfrc_sender_sent - account for a data packet
 * @snd: the sender
 * @len: its payload, bytes; none counts as one byte, as it costs the network a packet
 * @now: time
 *
 * Context: any, @snd locked by the caller, tfrc_sender_start() was called.
 */
void tfrc_sender_sent(struct tfrc_sender *snd, u32 len, u64 now)
{
	/* After a pause the report on this packet may take as long as any other. */
	if (snd->resting || (snd->scheme->patience && snd->feedbacks &&
			     !snd->sent_since_timer))
		tfrc_sender_set_timer(snd, now);
	len = clamp(len, 1U, 65535U);
	tfrc_sender_mean_size(snd, len);
	snd->bytes += len;

	/* Periods begin with a packet: a pause belongs to none of them. */
	if (now - snd->t_meter >= snd->rtt) {
		snd->x_sent[1] = snd->x_sent[0];
		snd->x_sent[0] = tfrc_rate_over(snd->meter_bytes, snd->rtt);
		snd->meter_bytes = 0;
		snd->t_meter = now;
	}
	snd->meter_bytes += len;
	snd->packets++;
	snd->sent_since_timer = true;
}
EXPORT_SYMBOL_GPL(tfrc_sender_sent);

/* What was sent: in one of the last three round trips in which there was data. */
static u64 tfrc_sender_sending(const struct tfrc_sender *snd)
{
	u64 sending = tfrc_rate_over(snd->meter_bytes, snd->rtt);

	return max3(snd->x_sent[0], snd->x_sent[1], sending);
}

/* A receiver does not get data faster than it was sent, but for what queued. */
static u64 tfrc_sender_believable(const struct tfrc_sender *snd, u64 x_recv)
{
	return min(x_recv, 2 * tfrc_sender_sending(snd));
}

/*
 * A rate that is not used says nothing about the path any more: X is at most this.
 * RFC 5348 (4.3) lets a data-limited sender keep what the path once carried.
 */
static u64 tfrc_sender_most(const struct tfrc_sender *snd)
{
	return max(4 * tfrc_sender_sending(snd), tfrc_sender_initial_rate(snd));
}

static u64 tfrc_x_recv_set_max(const struct tfrc_sender *snd)
{
	u64 x = 0;
	int i;

	for (i = 0; i < TFRC_X_RECV_SET; i++)
		if (snd->x_recv_time[i])
			x = max(x, snd->x_recv_set[i]);
	return x;
}

static void tfrc_x_recv_set_one(struct tfrc_sender *snd, u64 x_recv, u64 now)
{
	memset(snd->x_recv_time, 0, sizeof(snd->x_recv_time));
	snd->x_recv_set[0] = x_recv;
	snd->x_recv_time[0] = max(now, 1ULL);
}

/* Add a value and drop those older than two round trips, or the oldest. */
static void tfrc_x_recv_set_update(struct tfrc_sender *snd, u64 now)
{
	int i, oldest = 0;

	for (i = 0; i < TFRC_X_RECV_SET; i++) {
		if (snd->x_recv_time[i] &&
		    now - snd->x_recv_time[i] > 2 * snd->rtt)
			snd->x_recv_time[i] = 0;
		if (snd->x_recv_time[i] < snd->x_recv_time[oldest])
			oldest = i;
	}
	snd->x_recv_set[oldest] = snd->x_recv;
	snd->x_recv_time[oldest] = max(now, 1ULL);
}

/* recv_limit of RFC 5348, 4.3, step 4; @worse: a loss event, or p has grown. */
static u64 tfrc_sender_limit_rfc5348(struct tfrc_sender *snd, bool data_limited,
				     bool worse, u64 now)
{
	int i;

	if (!data_limited) {
		tfrc_x_recv_set_update(snd, now);
		return 2 * tfrc_x_recv_set_max(snd);
	}

	/*
	 * The receiver got little because little was sent. Do not forget what
	 * the path carried before, unless there is congestion: then let the
	 * memory of it fade.
	 */
	if (worse) {
		for (i = 0; i < TFRC_X_RECV_SET; i++)
			snd->x_recv_set[i] /= 2;
		snd->x_recv = tfrc_mul_div(snd->x_recv, 85, 100);
	}
	tfrc_x_recv_set_one(snd, max(snd->x_recv, tfrc_x_recv_set_max(snd)),
			    now);
	return (worse ? 1 : 2) * tfrc_x_recv_set_max(snd);
}

/*
 * Self-clocking. A sender that had nothing to send may still start again at
 * the initial rate, or it would crawl after every pause.
 */
static u64 tfrc_sender_limit_paper(const struct tfrc_sender *snd,
				   bool data_limited, u64 now)
{
	u64 limit = snd->x_recv + snd->x_recv / 2;

	if (!snd->p)
		limit = 2 * snd->x_recv;
	else if (snd->t_signal && now - snd->t_signal < snd->rtt)
		return snd->x_recv;
	if (data_limited)
		limit = max(limit, tfrc_sender_initial_rate(snd));
	return limit;
}

/* Step 4 of RFC 5348, 4.3: the rate at this p, X and limit. */
static u64 tfrc_sender_next_rate(struct tfrc_sender *snd, u64 limit, u64 now)
{
	if (snd->p)
		return min(snd->x_calc, limit);
	if (now - snd->tld < snd->rtt)
		return snd->x;
	snd->tld = now;
	return max(min(2 * snd->x, limit), tfrc_sender_initial_rate(snd));
}

/*
 * Of a scheme with its own rules: no faster than in slow start, either. There may
 * be a report for each packet, and each of them may raise X.
 */
static u64 tfrc_sender_told_limit(struct tfrc_sender *snd, u64 limit, u64 now)
{
	if (now - snd->tld >= snd->rtt) {
		snd->tld = now;
		snd->x_base = snd->x;
	}
	return max(min(2 * snd->x_base, limit), tfrc_sender_initial_rate(snd));
}

static u64 tfrc_sender_equation(const struct tfrc_sender *snd)
{
	u32 s = tfrc_sender_size(snd);

	if (!snd->p)
		return 0;
	if (snd->scheme->calc_x)
		return snd->scheme->calc_x(snd->priv, s, snd->rtt, snd->p);
	return tfrc_calc_x(s, snd->rtt, snd->p);
}

/**
 * tfrc_sender_feedback - a feedback packet was accepted
 * @snd: the sender
 * @fb: its contents, from the network, so of any value; of the totals the low
 *	16 bits count
 * @sample: round-trip time measured with it, 0 if none was
 * @data_limited: the application, and not X, limited what it reports on
 * @now: time
 *
 * Sets the new allowed rate and the time at which the nofeedback timer is to
 * expire (RFC 5348, 4.3).
 *
 * Context: any, @snd locked by the caller, tfrc_sender_start() was called.
 */
void tfrc_sender_feedback(struct tfrc_sender *snd,
			  const struct tfrc_feedback *fb, u64 sample,
			  bool data_limited, u64 now)
{
	struct tfrc_decision d = {
		.interval = now - snd->t_feedback,
		.x = snd->x,
		.x_calc = snd->x_calc,
		.lost = (u16)(fb->lost - (u32)snd->lost),
		.marked = (u16)(fb->marked - (u32)snd->marked),
	};
	u64 p = min(fb->p, TFRC_P_ONE), limit;
	bool worse = p > snd->p;

	if (sample)
		tfrc_sender_sample(snd, sample);
	/* What is lost within a round trip of a loss event belongs to it. */
	if ((d.lost || d.marked) &&
	    (!snd->t_event || now - snd->t_event >= snd->rtt)) {
		snd->t_event = now;
		worse = true;
	}

	snd->x_send = tfrc_rate_over(snd->bytes - snd->bytes_told, d.interval);
	snd->bytes_told = snd->bytes;
	d.x_send = snd->x_send;
	d.rtt = snd->rtt;
	snd->t_feedback = now;
	snd->lost += d.lost;
	snd->marked += d.marked;
	snd->p = p;
	snd->x_recv = tfrc_sender_believable(snd, fb->x_recv);
	d.x_recv = snd->x_recv;
	d.s = tfrc_sender_size(snd);
	snd->x_calc = tfrc_sender_equation(snd);
	if (d.lost || d.marked)
		snd->t_signal = now;

	snd->feedbacks++;
	if (snd->scheme->adapt) {
		/* Losses are the scheme's affair: it has its own answer. */
		limit = tfrc_sender_limit_rfc5348(snd, data_limited, false,
						  now);
		limit = min(limit, tfrc_sender_most(snd));
		snd->x_limit = tfrc_sender_told_limit(snd, limit, now);
		snd->x = snd->scheme->adapt(snd->priv, snd, fb, sample, now);
		snd->x = tfrc_sender_bound(snd, snd->x);
		goto out;
	}

	/* The first report covers next to nothing: take the RTT from it. */
	if (snd->feedbacks == 1 && !p) {
		snd->x = tfrc_sender_bound(snd, tfrc_sender_initial_rate(snd));
		snd->tld = now;
		goto out;
	}

	limit = snd->paper_clock ?
		tfrc_sender_limit_paper(snd, data_limited, now) :
		tfrc_sender_limit_rfc5348(snd, data_limited, worse, now);
	d.x_tfrc = min(tfrc_sender_next_rate(snd, limit, now),
		       tfrc_sender_most(snd));
	d.x_tfrc = tfrc_sender_bound(snd, d.x_tfrc);
	snd->x = d.x_tfrc;
	if (snd->scheme->move_to) {
		snd->x = min(snd->scheme->move_to(snd->priv, &d),
			     tfrc_sender_most(snd));
		snd->x = tfrc_sender_bound(snd, snd->x);
	}
out:
	tfrc_sender_set_inst(snd);
	tfrc_sender_set_timer(snd, now);
}
EXPORT_SYMBOL_GPL(tfrc_sender_feedback);

/**
 * tfrc_sender_timeout - the nofeedback timer has expired
 * @snd: the sender
 * @now: time
 *
 * Halves the rate (RFC 5348, 4.4). There the smaller of X_calc and 2 X_recv is
 * halved, which is what X was; only a scheme may have set X higher, and that does
 * not count. A sender that sent nothing could get no feedback: its rate falls to
 * the initial one, and no further. Once it is there the timer rests until
 * something is sent.
 *
 * Context: any, @snd locked by the caller, tfrc_sender_start() was called.
 */
void tfrc_sender_timeout(struct tfrc_sender *snd, u64 now)
{
	u64 x = snd->p ? min(snd->x, snd->x_calc) : snd->x;
	bool idle = !snd->sent_since_timer;
	u64 before = snd->x, floor = 0;

	snd->nofeedbacks++;
	if (snd->scheme->silence) {
		snd->x = snd->scheme->silence(snd->priv, idle);
		snd->x = tfrc_sender_bound(snd, snd->x);
		tfrc_x_recv_set_one(snd, snd->x / 2, now);
		goto out;
	}
	if (snd->has_rtt && idle)
		floor = min(x, tfrc_sender_initial_rate(snd));
	snd->x = tfrc_sender_bound(snd, max(x / 2, floor));

	/* The next report does not lift X beyond twice this at once. */
	if (snd->p) {
		snd->x_recv = snd->x / 2;
		tfrc_x_recv_set_one(snd, snd->x_recv, now);
	}
out:
	/* The last sample is old: it does not raise X_inst any more. */
	snd->r_sqsample = max(snd->r_sqsample, snd->r_sqmean);
	tfrc_sender_set_inst(snd);
	tfrc_sender_set_timer(snd, now);
	snd->resting = idle && snd->x == before;
}
EXPORT_SYMBOL_GPL(tfrc_sender_timeout);

/**
 * tfrc_sender_hold - the application wants no more than this from now on
 * @snd: the sender
 * @x: rate
 *
 * Context: any, @snd locked by the caller, tfrc_sender_start() was called.
 */
void tfrc_sender_hold(struct tfrc_sender *snd, u64 x)
{
	snd->x = tfrc_sender_bound(snd, min(snd->x, x));
	tfrc_sender_set_inst(snd);
}
EXPORT_SYMBOL_GPL(tfrc_sender_hold);

/**
 * tfrc_sender_ipi - time between the starts of two packets at the present rate
 * @snd: the sender
 * @len: payload of the first of them, bytes
 *
 * Context: any, @snd locked by the caller, tfrc_sender_start() was called.
 * Return: t_ipi at X_inst in ns (RFC 5348, 4.6)
 */
u64 tfrc_sender_ipi(const struct tfrc_sender *snd, u32 len)
{
	return tfrc_time_at(snd->x_inst, len);
}
EXPORT_SYMBOL_GPL(tfrc_sender_ipi);
