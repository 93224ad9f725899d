// SPDX-License-Identifier: GPL-2.0-only
/*
 * DVRC: Dynamic Video Rate Control
 *	P. Papadimitriou, V. Tsaoussidis, L. Mamatas: A Receiver-Centric Rate Control
 *	Scheme for Layered Video Streams in the Internet
 *
 * The receiver has a rate R, which it requests from the sender. In a round trip
 * without loss R grows by a packet in a round trip. At a loss event the receiver
 * compares the present receiving rate with the mean of the receiving rates at earlier
 * loss events (the ends of the epochs; section 3.2 and figure 2):
 *
 *	below the mean less n deviations: the loss is congestion, and R is halved
 *	(multiplicative decrease);
 *	otherwise: the loss is random, and R is reduced by a packet in a round trip
 *	(additive decrease).
 *
 * This is AIAMD: additive increase, additive or multiplicative decrease (eq. 11). If
 * nothing arrives for the time DTO (eq. 3), this is congestion, too, unless the sender
 * has stated that it has nothing more to send. A CE mark is congestion, as a router has
 * reported it.
 *
 * A layered stream has a vector of cumulative rates c_1 to c_k. R begins at c_1 and
 * grows to c_k at most. The report has K, the number of layers that fit in R.
 *
 * An increase of one packet and a decrease of one packet take more than a TCP gets. So
 * R is bounded by a weight times the rate of TFRC's equation, with layers and without.
 * R grows only while at least half of what the sender may use arrives. A pause of the
 * sender reduces R towards its first value. The paper has none of these three rules. The
 * preset paper has the first two without layers only, and not the third.
 *
 * With a nominal packet size, the packets of increase and decrease and the s of the
 * equation have that size, as long as R is no more than 100 packets in a second
 * (lib_tfrc/nominal.c).
 */
#include <linux/build_bug.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include "dvrc.h"

#define DVRC_MILLI		1000	/* parameters are in 10^-3 */
/* A shorter pause does not reduce R, and a round trip in which R is not used lasts as long. */
#define DVRC_PAUSE_MIN		(100 * TFRC_NSEC_PER_MSEC)
/* DTO is at least the time of so many packets at R. */
#define DVRC_DTO_PACKETS	4
#define DVRC_HOLD_MAX		60000	/* ms */

/* @share thousandths of @a, and the rest of @b. Both are less than 2^53. */
static u64 dvrc_mix(u64 a, u64 b, u32 share)
{
	return div_u64(share * a + (DVRC_MILLI - share) * b, DVRC_MILLI);
}

/**
 * dvrc_smoothed_rtt - eq. 2
 * @rtt: EstimatedRTT so far, 0 if there is none
 * @sample: SampleRTT
 * @gamma: in 10^-3, at most 1000
 *
 * Return: EstimatedRTT
 */
static u64 dvrc_smoothed_rtt(u64 rtt, u64 sample, u32 gamma)
{
	return rtt ? dvrc_mix(rtt, sample, gamma) : sample;
}

/**
 * dvrc_deviation - eq. 4
 * @deviation: Deviation of the last round
 * @rtt: EstimatedRTT
 * @before: EstimatedRTT of the last round
 * @epsilon: in 10^-3, at most 1000
 *
 * Return: Deviation
 */
static u64 dvrc_deviation(u64 deviation, u64 rtt, u64 before, u32 epsilon)
{
	u64 change = rtt > before ? rtt - before : before - rtt;

	return dvrc_mix(deviation, change, epsilon);
}

/**
 * dvrc_rtt_sample - a round-trip time was measured
 * @t: the estimate
 * @sample: of any value
 * @gamma: weight of the estimate so far, in 10^-3
 */
void dvrc_rtt_sample(struct dvrc_rtt *t, u64 sample, u32 gamma)
{
	sample = clamp(sample, TFRC_RTT_MIN, TFRC_RTT_MAX);
	t->rtt = dvrc_smoothed_rtt(t->rtt, sample, gamma);
}

/**
 * dvrc_rtt_round - a round trip of the sender is over
 * @t: the estimate, with a round-trip time
 * @epsilon: weight of the deviation so far, in 10^-3
 */
void dvrc_rtt_round(struct dvrc_rtt *t, u32 epsilon)
{
	if (t->last)
		t->deviation = dvrc_deviation(t->deviation, t->rtt, t->last,
					      epsilon);
	t->last = t->rtt;
}

static u64 dvrc_spacing(u32 s, u64 r)
{
	return tfrc_mul_div(TFRC_RATE(s), TFRC_NSEC_PER_SEC, max(r, 1ULL));
}

/**
 * dvrc_dto - eq. 3: the time after which a silent sender counts as congestion
 * @t: round-trip time and its deviation
 * @s: packet size, bytes
 * @r: rate at which packets are sent
 * @delta: weight of the deviation, in 10^-3
 *
 * DTO is at least the time of four packets. Otherwise a slow stream would time out
 * between any two packets.
 *
 * Return: DTO, ns
 */
static u64 dvrc_dto(const struct dvrc_rtt *t, u32 s, u64 r, u32 delta)
{
	return max(t->rtt + tfrc_mul_div(t->deviation, delta, DVRC_MILLI),
		   DVRC_DTO_PACKETS * min(dvrc_spacing(s, r),
					  TFRC_T_MBI * TFRC_NSEC_PER_SEC));
}

/**
 * dvrc_history_add - an epoch has ended
 * @h: history
 * @rate: receiving rate
 * @par: gains of mean and deviation
 */
static void dvrc_history_add(struct dvrc_history *h, u64 rate,
			     const struct dccp_dvrc_rx_params *par)
{
	u64 diff = rate > h->mean ? rate - h->mean : h->mean - rate;

	if (!h->epochs++) {
		h->mean = rate;
		h->deviation = rate / 2;
		return;
	}
	h->deviation = dvrc_mix(diff, h->deviation, par->gain_deviation);
	h->mean = dvrc_mix(rate, h->mean, par->gain_mean);
}

/**
 * dvrc_threshold - receiving rate below which a loss is congestion
 * @h: history
 * @n: weight of the deviation, in 10^-3
 *
 * Return: mean less n deviations, at least 0; 0 before the first epoch ended
 */
static u64 dvrc_threshold(const struct dvrc_history *h, u32 n)
{
	u64 less = tfrc_mul_div(h->deviation, n, DVRC_MILLI);

	return h->mean > less ? h->mean - less : 0;
}

/* alpha packets in a round trip */
static u64 dvrc_step(u32 s, u64 rtt, u32 alpha)
{
	return tfrc_mul_div((u64)s * alpha,
			    TFRC_RATE(TFRC_NSEC_PER_SEC / DVRC_MILLI), rtt);
}

/**
 * dvrc_increased - eq. 11, first branch: no loss
 * @r: R
 * @step: alpha_I packets in a round trip
 *
 * Return: R after the round trip
 */
static u64 dvrc_increased(u64 r, u64 step)
{
	return min(r + min(step, TFRC_RATE_MAX), TFRC_RATE_MAX);
}

/**
 * dvrc_backed_off - eq. 11, third branch: congestion
 * @r: R
 * @beta: beta_D, in 10^-3
 *
 * Return: R after the congestion
 */
static u64 dvrc_backed_off(u64 r, u32 beta)
{
	return tfrc_mul_div(r, beta, DVRC_MILLI);
}

/**
 * dvrc_decreased - eq. 11, second branch: random loss
 * @r: R
 * @step: -alpha_D packets in a round trip
 * @beta: beta_D, in 10^-3
 *
 * With less than two packets in a round trip, one packet is more than half of R. The
 * additive decrease is never greater than the multiplicative one.
 *
 * Return: R after the loss
 */
static u64 dvrc_decreased(u64 r, u64 step, u32 beta)
{
	return max(r > step ? r - step : 0, dvrc_backed_off(r, beta));
}

/* The rate of TFRC's equation, or of RFC 4828 with a nominal packet size */
static u64 dvrc_tfrc(const struct dvrc *d, u64 p)
{
	u64 x = tfrc_calc_x(d->s, d->path.rtt, p);

	if (!d->nominal.p)
		return x;
	return tfrc_nominal_more(d->s, 0, x,
				 tfrc_calc_x(d->nominal.size, d->path.rtt,
					     d->nominal.p));
}

/* alpha packets in a round trip. With a nominal size these are packets of that size. */
static u64 dvrc_packets(const struct dvrc *d, u32 alpha)
{
	u64 step = dvrc_step(d->s, d->path.rtt, alpha);

	if (!d->nominal.size)
		return step;
	return tfrc_nominal_more(d->s, d->r, step,
				 dvrc_step(d->nominal.size, d->path.rtt, alpha));
}

/* The bound of R: c_k, and a multiple of the rate of TFRC's equation */
static u64 dvrc_bound(const struct dvrc *d, u64 p)
{
	const struct dvrc_layers *l = &d->layers;
	u64 most = l->k ? TFRC_RATE(l->rate[l->k - 1]) : TFRC_RATE_MAX;
	u32 weight = l->k ? d->par.weight_layers : d->par.weight;

	if (!p || !weight)
		return most;
	return min(most, tfrc_mul_div(dvrc_tfrc(d, p), weight, DVRC_MILLI));
}

/* The least R: a packet in 64 s */
static u64 dvrc_least(const struct dvrc *d)
{
	return TFRC_RATE(d->s) / TFRC_T_MBI;
}

/*
 * R after a decrease to @r, while data arrives at @rate. After a decrease data arrives
 * faster than R until the sender has followed, and packets are lost with it. A queue that
 * fills makes R as the sender states it too short by far, so the losses of one overflow are
 * many loss events. Together they leave beta_D of @rate, with the preset paper, too: to the
 * paper the losses that follow from one decision are one event.
 *
 * The pacer lets a burst leave at up to 2 R without a decrease before it. So of @rate no
 * more counts than @top, the greatest R by which the sender may have sent this data.
 */
static u64 dvrc_once(const struct dvrc *d, u64 r, u64 rate, u64 top)
{
	rate = min(rate, top);
	return max(r, min(d->r, dvrc_backed_off(rate, d->par.beta_d)));
}

static void dvrc_set(struct dvrc *d, u64 r, u64 p)
{
	r = min(r, dvrc_bound(d, p));
	d->r = clamp(r, dvrc_least(d), TFRC_RATE_MAX);
}

/**
 * dvrc_dto_now - DTO at the present R
 * @d: receiver, with a packet
 *
 * Return: DTO, ns
 */
u64 dvrc_dto_now(const struct dvrc *d)
{
	return dvrc_dto(&d->path, d->s, d->r, d->par.delta);
}

/**
 * dvrc_receiving_rate - present receiving rate
 * @d: receiver
 * @now: time, of the last arrival or later
 *
 * Return: bytes/s, over a round trip, or over four packets if these took longer. The pause
 * of an idle sender counts for DTO at most.
 */
u64 dvrc_receiving_rate(const struct dvrc *d, u64 now)
{
	const struct dvrc_mark *first =
		&d->arrival[(d->packets - 1 - DVRC_PACKETS) % DVRC_MARKS];
	u64 rtt = d->path.rtt;

	/* In the pause of an idle sender Acks may show a loss. */
	if (d->idle)
		now = min(now, d->meter.last + dvrc_dto_now(d));
	if (d->packets > DVRC_PACKETS && now >= first->time + rtt)
		return min(tfrc_mul_div(d->meter.bytes - first->bytes,
					TFRC_RATE(TFRC_NSEC_PER_SEC),
					now - first->time), TFRC_RATE_MAX);
	return tfrc_rate_meter_rate(&d->meter, rtt, now);
}

static u64 dvrc_first_rate(const struct dvrc *d)
{
	return d->layers.k ? TFRC_RATE(d->layers.rate[0]) :
			     tfrc_initial_rate(d->s, d->path.rtt);
}

/* A round trip begins at @t, and with it the time over which the use of R is judged. */
static void dvrc_round(struct dvrc *d, u64 t)
{
	d->t_adjust = t;
	d->adjust_bytes = d->meter.bytes;
}

static void dvrc_begin(struct dvrc *d, u64 now)
{
	d->largest = d->s;
	dvrc_set(d, dvrc_first_rate(d), 0);
	tfrc_rate_meter_init(&d->meter, now);
	dvrc_round(d, now);
	d->t_begin = now;
}

/* Neither a loss event nor a timeout so far */
static bool dvrc_undisturbed(const struct dvrc *d)
{
	return !d->random && !d->congestion && !d->timeouts;
}

/*
 * The first packet may be small: parameters of a codec, a keepalive. Until there is congestion
 * or a loss, the initial rate of a greater packet is allowed, too.
 */
static void dvrc_size(struct dvrc *d, u32 len)
{
	if (len <= d->largest)
		return;
	d->largest = len;
	if (!d->layers.k && dvrc_undisturbed(d))
		dvrc_set(d, max(d->r, tfrc_initial_rate(len, d->path.rtt)), 0);
}

/*
 * The path may have changed while the sender paused. So R is halved for each 2 DTO of
 * the pause, about as the sender's own X is, down to its first value. A video pauses
 * after each frame, so a pause of less than 0.1 s does not count, even on a short path.
 */
static void dvrc_resume(struct dvrc *d, u64 pause)
{
	u64 halvings = div64_u64(pause, max(2 * dvrc_dto_now(d),
					    DVRC_PAUSE_MIN));
	u64 least = min(d->r, max(dvrc_first_rate(d),
				  tfrc_initial_rate(d->s, d->path.rtt)));

	/* What was sent before the pause has arrived, or never will. */
	if (d->idle && halvings)
		d->r_top = 0;
	if (d->par.validation && d->idle)
		d->r = max(halvings < 64 ? d->r >> halvings : 0, least);
}

/*
 * The pause of an idle sender is no timeout, and counts for DTO at most in the receiving
 * rate. The rate meter goes back to one of its last four marks.
 */
static void dvrc_measure(struct dvrc *d, u32 len, u64 now)
{
	u32 last = (d->meter.marks - 1) % TFRC_RATE_MARKS, i;
	u64 dto = dvrc_dto_now(d), pause = now - d->meter.last;

	for (i = 0; i < DVRC_MARKS && pause > dto; i++)
		d->arrival[i].time += pause - dto;
	dvrc_resume(d, pause);
	tfrc_rate_meter_add(&d->meter, len, d->path.rtt, now);
	if (now >= d->meter.mark_time[last] + d->path.rtt / TFRC_RATE_MARKS)
		tfrc_rate_meter_mark(&d->meter, 0, now);
}

/**
 * dvrc_arrival - a data packet came
 * @d: receiver; @d->path is known
 * @len: size of the packet, bytes
 * @s: mean size of the packets, bytes, not 0
 * @idle: the sender had nothing more to send after it
 * @now: time
 */
void dvrc_arrival(struct dvrc *d, u32 len, u32 s, bool idle, u64 now)
{
	struct dvrc_mark *this = &d->arrival[d->packets % DVRC_MARKS];

	d->s = s;
	if (d->packets)
		dvrc_measure(d, len, now);
	else
		dvrc_begin(d, now);
	dvrc_size(d, len);
	this->time = now;
	this->bytes = d->meter.bytes;
	d->packets++;
	d->idle = idle;
	d->t_signal = now;
}

/*
 * Twice what the sender uses. With @validation this is judged from the beginning of the round
 * trip on, so the gaps between frames count in full. From one frame to another there is up to
 * a frame too many: a frame of less than a round trip may count nearly twice. So R grows with
 * a use of more than a quarter in such frames, and of more than a half in even packets. A
 * longer frame uses the path for a round trip, and counts as fast as it comes.
 */
static u64 dvrc_use(const struct dvrc *d, u64 now)
{
	u64 bytes = d->meter.bytes - d->adjust_bytes;

	if (!d->par.validation)
		return 2 * dvrc_receiving_rate(d, now);
	return min(tfrc_mul_div(2 * bytes, TFRC_RATE(TFRC_NSEC_PER_SEC),
				max(now - d->t_adjust, d->path.rtt)), 2 * TFRC_RATE_MAX);
}

/* K as an index into the layers, of which there is one at least */
static u32 dvrc_joined(const struct dvrc *d)
{
	return clamp(d->k, 1U, d->layers.k);
}

/* Whether the sender uses more than half of what it may: R, and with layers K of them */
static bool dvrc_used(const struct dvrc *d, u64 use)
{
	const struct dvrc_layers *l = &d->layers;
	u64 most = l->k ? TFRC_RATE(l->rate[dvrc_joined(d) - 1]) : TFRC_RATE_MAX;

	return min(d->r, most) < use;
}

/**
 * dvrc_round_over - whether a round trip without loss is over
 * @d: receiver
 * @now: time of an arrival
 *
 * With @validation it lasts until R has been used, so that it does not end in a gap between
 * two frames. If R has not been used for 2 round trips (at least 0.1 s), the next one begins.
 *
 * Return: true if dvrc_increase() is due
 */
bool dvrc_round_over(const struct dvrc *d, u64 now)
{
	u64 rtt = d->path.rtt, age = now - d->t_adjust;

	if (age < rtt)
		return false;
	return !d->par.validation || age >= max(2 * rtt, DVRC_PAUSE_MIN) ||
	       dvrc_used(d, dvrc_use(d, now));
}

/*
 * Limit of R for one increase. A sender that uses less than half of what it may causes
 * no congestion, so R must not grow. With layers the sender may use only K of them, so R
 * may grow to the next layer, but not above it.
 */
static u64 dvrc_growth(const struct dvrc *d, u64 now)
{
	const struct dvrc_layers *l = &d->layers;
	u64 use;
	u32 k;

	if (l->k && !d->par.validation)
		return TFRC_RATE_MAX;
	use = dvrc_use(d, now);
	if (!dvrc_used(d, use))
		return 0;
	if (!l->k)
		return TFRC_RATE_MAX;
	k = dvrc_joined(d);
	return k < l->k ? max(use, TFRC_RATE(l->rate[k])) : use;
}

/*
 * The next round trip follows this one, unless nothing came for a round trip. What has come
 * since its beginning does not count for the use of R.
 */
static void dvrc_next_round(struct dvrc *d, u64 now)
{
	u64 next = d->t_adjust + d->path.rtt;

	dvrc_round(d, now - next < d->path.rtt ? next : now);
}

/**
 * dvrc_increase - eq. 11, y(t) = 0: a round trip without loss is over
 * @d: receiver
 * @p: loss event rate, 0 if there was no loss so far
 * @now: time of an arrival
 */
void dvrc_increase(struct dvrc *d, u64 p, u64 now)
{
	u64 r = d->r, most = dvrc_growth(d, now);

	dvrc_next_round(d, now);

	/* The sender has followed the last decrease. */
	if (dvrc_receiving_rate(d, now) <= r)
		d->r_top = 0;
	r = min(dvrc_increased(r, dvrc_packets(d, d->par.alpha_i)), max(r, most));
	dvrc_set(d, r, p);
	d->decision = DCCP_DVRC_INCREASE;
}

/**
 * dvrc_loss - a loss event: eq. 11, y(t) = 1
 * @d: receiver
 * @p: loss event rate
 * @marked: the event has a CE mark, which is congestion whatever arrives
 * @now: time of an arrival
 *
 * The comparison comes first. Then the rate of the epoch that has ended enters the
 * history. A loss event in the first round trip ends no epoch.
 */
void dvrc_loss(struct dvrc *d, u64 p, bool marked, u64 now)
{
	u64 rate = dvrc_receiving_rate(d, now), r;

	d->r_event = d->r;
	d->r_top = max(d->r_top, d->r);
	d->gentle = !marked &&
		    rate >= dvrc_threshold(&d->history, d->par.n);
	if (d->gentle) {
		r = dvrc_decreased(d->r, dvrc_packets(d, d->par.alpha_d),
				   d->par.beta_d);
		d->decision = DCCP_DVRC_RANDOM;
		d->random++;
	} else {
		r = dvrc_backed_off(d->r, d->par.beta_d);
		d->decision = DCCP_DVRC_CONGESTION;
		d->congestion++;
	}
	/* Before a round trip is over, it is the rate of a part of one. */
	if (now - d->t_begin >= d->path.rtt)
		dvrc_history_add(&d->history, rate, &d->par);
	dvrc_set(d, dvrc_once(d, r, rate, d->r_top), p);
	d->receiving = rate;
	dvrc_round(d, now);
}

/**
 * dvrc_more_loss - more packets of the same loss event were lost or marked
 * @d: receiver
 * @p: loss event rate
 * @marked: there is a mark among them
 * @now: time of an arrival
 *
 * R was already reduced for this event; the round trip without loss begins anew. If the
 * event counted as random, a mark shows that it was congestion. Then R becomes beta_D
 * times what it was before the event, as if this had been known at once.
 */
void dvrc_more_loss(struct dvrc *d, u64 p, bool marked, u64 now)
{
	dvrc_round(d, now);
	if (!marked || !d->gentle)
		return;
	d->gentle = false;
	d->random--;
	d->congestion++;
	d->decision = DCCP_DVRC_CONGESTION;
	/* r_top may have been forgotten since the event. */
	dvrc_set(d, dvrc_once(d, min(d->r, dvrc_backed_off(d->r_event, d->par.beta_d)),
			      d->receiving, max(d->r_top, d->r_event)), p);
}

/**
 * dvrc_layers_now - K, the number of layers that the sender may send
 * @d: receiver
 * @now: time
 *
 * Layers above R are left at once. The next layer is joined when it has fit in R for
 * the time of @hold. With a hold of 0, with a new rate vector, and before the first loss
 * event or timeout, all layers that fit are joined at once.
 *
 * Return: K, at least 1; 0 if there are no layers
 */
u32 dvrc_layers_now(struct dvrc *d, u64 now)
{
	u32 fit = dvrc_layers_in(&d->layers, d->r);
	bool hold = d->par.hold && !dvrc_undisturbed(d);

	if (fit <= d->k || !d->k || !hold) {
		d->k = fit;
		d->t_fit = now;
	} else if (now - d->t_fit >= d->par.hold * TFRC_NSEC_PER_MSEC) {
		d->k++;
		d->t_fit = now;
	}
	return d->k;
}

/**
 * dvrc_vector - a rate vector was stated, or set at this end
 * @d: receiver
 * @rate: a valid vector
 * @size: in bytes
 *
 * K is an index into the vector. With another one it has no meaning, so all layers that fit
 * are joined at once. What R allows is not less for it.
 */
void dvrc_vector(struct dvrc *d, const u32 *rate, size_t size)
{
	if (d->layers.k == size / sizeof(*rate) && !memcmp(d->layers.rate, rate, size))
		return;
	dvrc_layers_set(&d->layers, rate, size);
	d->k = 0;
}

/**
 * dvrc_timeout_at - time at which DTO expires
 * @d: receiver
 *
 * Return: time; U64_MAX if no packet is expected, or R is at its least value
 */
u64 dvrc_timeout_at(const struct dvrc *d)
{
	if (!d->packets || d->idle || d->r <= dvrc_least(d))
		return U64_MAX;
	return d->t_signal + dvrc_dto_now(d);
}

/**
 * dvrc_timeout - nothing arrived for DTO
 * @d: receiver
 * @now: time
 *
 * The receiving rate is 0, which is below any threshold: this is the third branch of
 * eq. 11. No epoch ends, because there is no rate that could enter the history.
 */
void dvrc_timeout(struct dvrc *d, u64 now)
{
	dvrc_set(d, dvrc_backed_off(d->r, d->par.beta_d), 0);
	d->decision = DCCP_DVRC_TIMEOUT;
	d->timeouts++;
	/* Nothing of what was sent before is still on its way. */
	d->r_top = 0;
	dvrc_round(d, now);
	d->t_signal = now;
}

/**
 * dvrc_rx_params_valid - whether parameters of a receiver are in range
 * @values: struct dccp_dvrc_rx_params
 *
 * Return: true if all of them may be set
 */
bool dvrc_rx_params_valid(const void *values)
{
	const struct dccp_dvrc_rx_params *par = values;

	/* so loss_history needs no upper bound */
	static_assert(TFRC_LI_MAX == U8_MAX);

	return par->alpha_i && par->alpha_d && par->weight &&
	       par->beta_d && par->beta_d < DVRC_MILLI && par->ack_ratio &&
	       par->loss_history >= TFRC_LI_MIN &&
	       par->gain_mean && par->gain_mean <= DVRC_MILLI &&
	       par->gain_deviation && par->gain_deviation <= DVRC_MILLI &&
	       par->hold <= DVRC_HOLD_MAX && par->validation <= 1 &&
	       !par->reserved && tfrc_nominal_valid(par->nominal_size);
}

/**
 * dvrc_tx_params_valid - whether parameters of a sender are in range
 * @values: struct dccp_dvrc_tx_params
 *
 * Return: true if all of them may be set
 */
bool dvrc_tx_params_valid(const void *values)
{
	const struct dccp_dvrc_tx_params *par = values;

	return par->gamma < DVRC_MILLI && par->epsilon < DVRC_MILLI &&
	       par->slow_start <= 1 && par->l4s <= 1 &&
	       tfrc_delay_valid(par->target_delay) &&
	       tfrc_frame_rate_valid(par->frame_rate);
}
