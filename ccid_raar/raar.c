// SPDX-License-Identifier: GPL-2.0-only
/*
 * RAAR: rate adaptation at receivers
 *	Y. Hu, G. Zhang, W. Tu: RAAR: A TCP-friendly Congestion Control Mechanism
 *	of Transporting Multimedia Traffic in Internet
 *
 * The receiver runs GAIMD (general additive increase, multiplicative decrease) on
 * a rate of its own, for each data packet that arrives:
 *
 *	slow start, until the first loss event	rate += s/R
 *	afterwards (eq. 2)			rate += alpha delta / wnd * s/R
 *	for each loss event			rate *= beta
 *
 * where alpha follows from beta (eq. 1), delta is the share of alpha that is used, and
 * wnd is the number of packets in the last round. Each report puts the present
 * value of rate into an array, and reports the weighted mean of the last n values. So
 * the sending rate is smooth, while GAIMD continues with the raw value.
 *
 *	receiver   report k          report k+1
 *		     \  ^---R---^      /  ^
 *		      \/         \    /   first packet of round k+1
 *	sender	     round k	round k+1
 *
 * A report that the sender takes begins a round. From then on the sender's packets
 * have the low four bits of the report's number. The first of them also states the
 * rate that the sender keeps to, and the time that it waited since the report. So the
 * receiver knows which of its reports arrived, and has a sample of R without the time
 * in which the sender had nothing to send.
 *
 * The receiver reports when R has passed since the round began. It reports at once
 * when rate is below the rate that the sender keeps to (an early report).
 *
 * While rate grows, a round lasts for 2 R: R until the report is made and R until it
 * takes effect. So rate grows by alpha * delta packets in two round trips, and slow
 * start doubles rate in about two round trips, not in one.
 *
 * The paper leaves these points open:
 *
 *  - A report that shows no effect is repeated after RTO, if new data has come.
 *  - No report and no repetition waits for more than 2 s, as long as fewer than 15 reports
 *    are under way. Behind a queue of many seconds the sender would learn too late that
 *    the rate must fall. Rounds are shorter than 2 R then, so rate grows by time.
 *  - SRTT and RTTVAR begin with the first sample, as in RFC 6298. Until then the round-trip
 *    time of the handshake takes their place, which may have waited for a host lookup.
 *  - The round of a stream of less than one packet in R is over with its first packet,
 *    which is reported at once. A report that waited for R would give the sender no
 *    sample of R, because only the receiver knows how long it waited.
 *  - In slow start the raw rate is reported. The weighted mean of a rate that doubles
 *    each round is a third of its last value.
 *  - At most 15 early reports may be under way, because four bits tell them apart.
 *
 * In the paper's simulations senders always have data. Five guards, each of them a
 * parameter, change its rules for networks:
 *
 *  - growth: an application that sends less than it may causes no congestion, so rate
 *    would grow for ever. With the guard rate does not grow above @growth times the
 *    receive rate, and in slow start it falls to that. Slow start needs a limit of twice
 *    the receive rate; with 1000 the rate does not grow.
 *  - early_once: by the paper each packet is reported until the sender has slowed
 *    down. Each of these reports begins a round of one or two packets. With the guard
 *    there is only one early report until it has taken effect.
 *  - wnd_max: after such a round wnd is one or two, and each packet of the next round
 *    would add as much as a whole round should. With the guard wnd is the number of
 *    packets in the present round as soon as these are more.
 *  - hole_events: by the paper a packet shows at most one loss event, however long
 *    nothing arrived before it. The guard counts one for each round trip, up to five.
 *  - exit_guard: when slow start ends, rate is up to 2.4 times what the sender kept to
 *    when the packet was lost. With the guard the decrease starts from the least of
 *    rate, what the sender kept to, and what was received (but at least half of what
 *    the sender kept to). The result fills the array. If R is more than 200 ms, a loss
 *    among the first packets leaves less than the initial rate, and eq. 2 needs minutes
 *    to make up for it. There a rate below the initial rate, at any time, grows by alpha
 *    * s/R in each R. Eq. 1 has alpha such that this is friendly to TCP, and delta
 *    makes it slower.
 *
 * Two options change how fast rate moves. Of the presets only thin-uplink has them.
 *
 *  - per_rtt: a round is one or two round trips, so eq. 2 makes rate grow by alpha
 *    delta packets in one or two of them. The paper wants to emulate "about alpha
 *    pktSize/RTT each RTT" (III, B.1). With this option a packet that comes dt after
 *    the one before it adds
 *
 *	alpha delta * s/R * dt/R
 *
 *    where dt counts up to R. That does not depend on rounds or on wnd.
 *  - fast_down: the reported mean takes n reports to follow rate. If there is another
 *    loss event fewer than n reports after the last one, the path is slower than the
 *    mean says. Then the decreased rate fills the array, at each event of such a series.
 *
 * With a nominal packet size S, s of eq. 2 is S, up to 100 packets in a second, and the
 * losses of a short loss interval count one by one when the next loss event begins
 * (lib_tfrc/nominal.c). Slow start has the real size. The rate then goes with sqrt(S s):
 * of a stream of smaller packets more are lost in a round trip, at the same p.
 */
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include "raar.h"

#define RAAR_PARTS		1000
/* Most loss events for one packet: after so many decreases nothing is left. */
#define RAAR_EVENTS_MAX		64
/*
 * Most of them for a time in which nothing came: with beta of 0.875 they halve the rate,
 * as a timeout does TCP's. The sender, which had no report, has reduced X in this time, too.
 */
#define RAAR_HOLE_EVENTS_MAX	5
/* Greatest wait that the option can state, ns */
#define RAAR_WAITED_MAX		(U32_MAX * TFRC_NSEC_PER_USEC)
/* Clock granularity G of RFC 6298, 2.3: HZ is 100 or more. */
#define RAAR_CLOCK		(10 * TFRC_NSEC_PER_MSEC)
/* Longest wait for a report, ns */
#define RAAR_WAIT_MAX		(2 * TFRC_NSEC_PER_SEC)
/* Above this R a rate below the initial rate does not wait for eq. 2. */
#define RAAR_LOW_RTT		(200 * TFRC_NSEC_PER_MSEC)

/**
 * raar_tx_params_valid - whether parameters of a sender are in range
 * @values: struct dccp_raar_tx_params
 *
 * Return: true if all of them may be set
 */
bool raar_tx_params_valid(const void *values)
{
	const struct dccp_raar_tx_params *par = values;

	return par->beta >= 1 && par->beta < RAAR_PARTS &&
	       tfrc_delay_valid(par->target_delay) &&
	       tfrc_frame_rate_valid(par->frame_rate) &&
	       par->l4s <= 1 && !par->reserved;
}

/**
 * raar_rx_params_valid - whether parameters of a receiver are in range
 * @values: struct dccp_raar_rx_params
 *
 * Return: true if all of them may be set
 */
bool raar_rx_params_valid(const void *values)
{
	const struct dccp_raar_rx_params *par = values;

	return par->beta >= 1 && par->beta < RAAR_PARTS &&
	       par->delta >= 1 && par->delta <= RAAR_PARTS &&
	       par->smoothing >= 1 && par->smoothing <= RAAR_SMOOTHING_MAX &&
	       (!par->growth || par->growth >= RAAR_PARTS) &&
	       par->early_once <= 1 && par->wnd_max <= 1 &&
	       par->hole_events <= 1 && par->exit_guard <= 1 &&
	       par->per_rtt <= 1 && par->fast_down <= 1 &&
	       tfrc_nominal_valid(par->nominal_size);
}

/**
 * raar_alpha - eq. 1: alpha = 4 (1 - beta^2) / 3
 * @beta: in 10^-3, at most 1000
 *
 * Return: alpha, scaled by 2^32
 */
static u64 raar_alpha(u32 beta)
{
	u64 rest = RAAR_PARTS * RAAR_PARTS - (u64)beta * beta;

	return div_u64(4 * rest << RAAR_ALPHA_SHIFT,
		       3 * RAAR_PARTS * RAAR_PARTS);
}

/* s/R */
static u64 raar_packet_rate(u32 s, u64 rtt)
{
	return tfrc_mul_div(TFRC_RATE(s), TFRC_NSEC_PER_SEC, rtt);
}

/* alpha delta * s/R */
static u64 raar_step(u64 alpha, u32 delta, u32 s, u64 rtt)
{
	return mul_u64_u64_shr(raar_packet_rate(s, rtt),
			       div_u64(alpha * delta, RAAR_PARTS),
			       RAAR_ALPHA_SHIFT);
}

/**
 * raar_increase - eq. 2: alpha delta / wnd * s/R
 * @alpha: scaled by 2^32
 * @delta: in 10^-3
 * @wnd: packets in a round, not 0
 * @s: packet size, bytes
 * @rtt: round-trip time R, ns, not 0
 *
 * Return: what one packet adds to the rate
 */
static u64 raar_increase(u64 alpha, u32 delta, u32 wnd, u32 s, u64 rtt)
{
	return div_u64(raar_step(alpha, delta, s, rtt), wnd);
}

/**
 * raar_increase_in - the part of alpha delta * s/R each R that falls to some time
 * @alpha: scaled by 2^32
 * @delta: in 10^-3
 * @time: since the last packet, ns; counts for @rtt at most
 * @s: packet size, bytes
 * @rtt: round-trip time R, ns, not 0
 *
 * Context: any
 * Return: what one packet adds to the rate
 * Source: section III, B.1: what TCP does, and RAAR emulates
 */
static u64 raar_increase_in(u64 alpha, u32 delta, u64 time, u32 s, u64 rtt)
{
	return tfrc_mul_div(raar_step(alpha, delta, s, rtt), min(time, rtt), rtt);
}

/**
 * raar_weight - weight w(i) of the i-th latest of n rates
 * @i: 1 to @n
 * @n: number of rates
 *
 * 1 up to i = n/2, else 1 - (i - n/2) / (n/2 + 1), here times n + 2; n/2 is not
 * rounded.
 *
 * Return: w(i), times n + 2
 */
static u32 raar_weight(u32 i, u32 n)
{
	return 2 * i <= n ? n + 2 : 2 * (n + 1 - i);
}

/**
 * raar_smoothed - weighted mean of the last n values of rate
 * @r: receiver
 *
 * While there are fewer than n values, the mean is over these.
 *
 * Return: Rate; 0 without any
 */
static u64 raar_smoothed(const struct raar *r)
{
	u64 sum = 0, weights = 0;
	u32 i;

	/* 2^51 for a rate, and less than 2^12 for all weights */
	for (i = 1; i <= r->known; i++) {
		u32 w = raar_weight(i, r->par.smoothing);

		sum += w * r->past[(r->reports - i) % RAAR_SMOOTHING_MAX];
		weights += w;
	}
	return weights ? div64_u64(sum, weights) : 0;
}

/* Rounded to nearest, because rounding down would add up over many loss events. */
static u64 raar_decreased(u64 rate, u32 beta)
{
	return div_u64(rate * beta + RAAR_PARTS / 2, RAAR_PARTS);
}

static void raar_remember(struct raar *r, u64 rate)
{
	r->past[r->reports++ % RAAR_SMOOTHING_MAX] = rate;
	r->known = min_t(u32, r->known + 1, r->par.smoothing);
}

/**
 * raar_rto - RTO = SRTT + 4 RTTVAR
 * @r: receiver, started
 *
 * Return: ns
 * Source: RFC 6298, 2.3
 */
u64 raar_rto(const struct raar *r)
{
	return r->rtt.srtt + max(4 * r->rtt.rttvar, RAAR_CLOCK);
}

/**
 * raar_received - receive rate in this round
 * @r: receiver, started
 * @now: ns
 *
 * Return: the rate over this round, but over R at least
 */
u64 raar_received(const struct raar *r, u64 now)
{
	return tfrc_rate_meter_rate(&r->meter, r->rtt.srtt, now);
}

static u64 raar_cap(const struct raar *r)
{
	return r->par.rate_max ? min(TFRC_RATE(r->par.rate_max), TFRC_RATE_MAX) :
				 TFRC_RATE_MAX;
}

/* The least rate is one packet in 64 s, as for a sender. */
static u64 raar_bound(const struct raar *r, u64 rate, u32 s)
{
	return max(min(rate, raar_cap(r)), TFRC_RATE(max(s, 1U)) / TFRC_T_MBI);
}

/**
 * raar_init - prepare for the first packet
 * @r: receiver
 */
void raar_init(struct raar *r)
{
	memset(r, 0, sizeof(*r));
	r->slow_start = true;
}

/**
 * raar_configure - set parameters, at any time
 * @r: receiver
 * @par: parameters in range
 */
void raar_configure(struct raar *r, const struct dccp_raar_rx_params *par)
{
	r->par = *par;
	r->alpha = raar_alpha(par->beta);
	tfrc_nominal_set(&r->nominal, par->nominal_size);
	r->known = min_t(u32, r->known, par->smoothing);
}

/**
 * raar_start - the first packet has arrived
 * @r: receiver
 * @s: packet size, bytes
 * @rtt: round-trip time of the handshake, or a default, ns
 * @now: ns
 */
void raar_start(struct raar *r, u32 s, u64 rtt, u64 now)
{
	r->started = true;
	r->largest = s;
	tfrc_srtt_sample(&r->rtt, rtt);
	r->rate = raar_bound(r, tfrc_initial_rate(s, r->rtt.srtt), s);
	r->reported = r->rate;
	r->stated = r->rate;
	r->t_round = now;
	r->t_grown = now;
	tfrc_rate_meter_init(&r->meter, now);
}

/*
 * A loss event begins: for how many the one before counts. There is no loss event rate, so
 * the first interval and its length do not matter.
 */
static u32 raar_short(struct raar *r, u64 now)
{
	return tfrc_nominal_event(&r->nominal, &(struct tfrc_nominal_at) {
		.s = 1,
		.data = r->data,
		.signals = r->signals,
		.rtt = r->rtt.srtt,
		.now = now,
	});
}

/**
 * raar_loss - losses or marks were detected
 * @r: receiver, started
 * @events: loss events among them, one for each RTT that they last for; 0 if they all
 *	belong to the last one
 * @now: ns
 *
 * With @hole_events these are the loss events. Without it the paper's timer T decides:
 * the first loss is an event, and losses that are detected within R after it belong to
 * it.
 *
 * Context: called before raar_packet() for the packet that showed the losses.
 * Return: whether there was a new loss event
 * Source: section III, B.1 and B.2
 */
bool raar_loss(struct raar *r, u64 events, u64 now)
{
	bool again;
	u32 i;

	if (!r->par.hole_events)
		events = r->slow_start || now - r->t_event >= r->rtt.srtt;
	if (!events)
		return false;
	events = min_t(u64, events, RAAR_HOLE_EVENTS_MAX);
	if (r->par.nominal_size)
		events += raar_short(r, now) - 1;
	events = min_t(u64, events, RAAR_EVENTS_MAX);
	r->t_event = now;
	/* A series, whether or not the last event has filled the array */
	again = r->par.fast_down && !r->slow_start &&
		(events > 1 || r->reports - r->event_reports < r->par.smoothing);

	if (r->slow_start && r->par.exit_guard)
		r->rate = min3(r->rate, r->stated,
			       max(r->stated / 2, raar_received(r, now)));
	while (events--)
		r->rate = raar_decreased(r->rate, r->par.beta);
	r->rate = raar_bound(r, r->rate, 1);

	if (again || (r->slow_start && r->par.exit_guard))
		for (i = 0; i < r->par.smoothing; i++)
			raar_remember(r, r->rate);
	r->event_reports = r->reports;
	r->slow_start = false;
	return true;
}

/*
 * Find out whether this packet begins a round. Its low bits stand for the newest report
 * that they match. If they match more than one report, it is not known when that report
 * was sent, so there is no RTT sample. If they match none, they are an error of the
 * sender.
 */
static void raar_find_round(struct raar *r, const struct raar_packet *pkt,
			    u64 now)
{
	u32 pending = r->number - r->round;
	u32 ahead = (pkt->ccval - r->round) % RAAR_ROUNDS;
	const struct raar_sent *sent;
	u64 elapsed;

	if (!ahead || ahead > pending)
		return;

	r->round = r->number - (pending - ahead) % RAAR_ROUNDS;
	sent = &r->sent[r->round % RAAR_ROUNDS];
	r->stated = sent->reported;
	r->wnd = r->dyn_wnd;
	r->dyn_wnd = 0;
	r->t_round = now;
	r->timer_done = false;
	r->low = r->rtt.srtt > RAAR_LOW_RTT ?
		 tfrc_initial_rate(r->largest, r->rtt.srtt) : 0;
	r->alone = r->wnd <= 1 && pkt->has_round && pkt->waited >= r->rtt.srtt;
	r->rounds++;
	/* Rounds may be short, so marks are R / TFRC_RATE_MARKS apart at least. */
	tfrc_rate_meter_mark(&r->meter, r->rtt.srtt / TFRC_RATE_MARKS, now);

	elapsed = now - sent->time;
	/* A wait that fills the option may be longer than stated. */
	if (pkt->has_round && pkt->waited < RAAR_WAITED_MAX &&
	    pkt->waited < elapsed &&
	    pending - ahead < RAAR_ROUNDS) {
		if (!r->samples)
			r->rtt = (struct tfrc_srtt) { };
		tfrc_srtt_sample(&r->rtt, elapsed - pkt->waited);
		r->samples++;
	}
}

/* The limit of growth by the receive rate */
static u64 raar_limit(const struct raar *r, u64 received)
{
	return r->par.growth ?
	       tfrc_mul_div(received, r->par.growth, RAAR_PARTS) : U64_MAX;
}

/* wnd of eq. 2. In the first round only its own packets are known. */
static u32 raar_wnd(const struct raar *r)
{
	if (r->par.wnd_max || !r->wnd)
		return max3(r->wnd, r->dyn_wnd, 1U);
	return r->wnd;
}

/* What a packet adds in congestion avoidance */
static u64 raar_added(const struct raar *r, u32 s, u64 now)
{
	bool low = r->par.exit_guard && r->rate < r->low;
	u64 time = now - r->t_grown;

	if (low || r->par.per_rtt)
		return raar_increase_in(r->alpha, low ? RAAR_PARTS : r->par.delta,
					time, s, r->rtt.srtt);
	/* What a round of 2 R would add */
	if (r->rtt.srtt > RAAR_WAIT_MAX)
		return raar_increase_in(r->alpha, r->par.delta, time / 2, s,
					r->rtt.srtt);
	return raar_increase(r->alpha, r->par.delta, raar_wnd(r), s,
			     r->rtt.srtt);
}

/* The same, with a nominal packet size, too */
static u64 raar_more(const struct raar *r, u32 s, u64 now)
{
	u64 more = raar_added(r, s, now);

	if (!r->par.nominal_size)
		return more;
	return tfrc_nominal_more(s, r->rate, more,
				 raar_added(r, r->par.nominal_size, now));
}

static void raar_grow(struct raar *r, u32 s, u64 now)
{
	u64 grown;

	if (r->slow_start) {
		grown = r->rate + raar_packet_rate(s, r->rtt.srtt);
	} else {
		grown = r->rate + raar_more(r, s, now);
		if (r->par.growth)
			grown = min(grown,
				    max(r->rate, raar_limit(r, raar_received(r, now))));
	}
	r->rate = raar_bound(r, grown, s);
}

/*
 * In slow start rate grows faster than the receive rate can be measured. So the limit
 * applies at the end of a round, and leaves room to double. After a burst of the
 * application rate falls to the limit again, in each round by no more than a loss
 * event would decrease it.
 *
 * The first report is made on the first packet, which does not measure a rate. Neither does
 * the packet that has raised the rate to its initial rate.
 */
static void raar_hold(struct raar *r)
{
	u64 limit = raar_limit(r, raar_received(r, r->meter.last));
	u64 least = raar_decreased(r->reported, r->par.beta);

	if (r->number && !r->raised)
		r->rate = min(r->rate, max(least, limit));
}

/*
 * The first packet may be small: parameters of a codec, a keepalive. The initial rate of a
 * greater one is allowed, too, until there is a loss event. It is reported at once. The
 * sender may not send another packet for long, at the rate that the first report has.
 */
static void raar_size(struct raar *r, u32 s)
{
	u64 initial;

	if (s <= r->largest)
		return;
	r->largest = s;
	initial = raar_bound(r, tfrc_initial_rate(s, r->rtt.srtt), s);
	if (!r->slow_start || r->rate >= initial)
		return;
	r->rate = initial;
	r->raised = true;
}

/**
 * raar_packet - a data packet has arrived
 * @r: receiver, started
 * @pkt: the packet
 * @grow: it showed no loss event
 * @now: ns
 *
 * The options of a late packet do not count, but its data does.
 */
void raar_packet(struct raar *r, const struct raar_packet *pkt, bool grow,
		 u64 now)
{
	/* The receive rate of a round does not include its first packet. */
	tfrc_rate_meter_add(&r->meter, pkt->len, r->rtt.srtt, now);
	raar_size(r, pkt->len);
	if (pkt->newest) {
		raar_find_round(r, pkt, now);
		if (pkt->has_round)
			r->stated = min(pkt->stated, TFRC_RATE_MAX);
	}
	if (r->dyn_wnd < U32_MAX)
		r->dyn_wnd++;
	r->fresh |= pkt->newest;
	if (grow)
		raar_grow(r, pkt->len, now);
	r->t_grown = now;
}

/*
 * Whether the timer of this round runs. When it has expired, or an early report has
 * taken its place, the timeout of that report runs. Without @early_once the timer runs
 * beside early reports, as in the paper.
 */
static bool raar_timer_runs(const struct raar *r)
{
	return r->number == r->round ||
	       (!r->par.early_once && r->round && !r->timer_done);
}

/* When the timer of this round expires */
static u64 raar_timer(const struct raar *r)
{
	return r->t_round + (r->alone ? 0 : min(r->rtt.srtt, RAAR_WAIT_MAX));
}

/* When a report that has shown no effect is repeated */
static u64 raar_repeat(const struct raar *r)
{
	bool more = r->number - r->round < RAAR_ROUNDS - 1;

	return r->t_report + min(raar_rto(r), more ? RAAR_WAIT_MAX : U64_MAX);
}

/**
 * raar_wake - time at which a report is due if no packet comes
 * @r: receiver
 *
 * Return: ns; 0: there is none
 */
u64 raar_wake(const struct raar *r)
{
	if (!r->fresh)
		return 0;
	return raar_timer_runs(r) ? raar_timer(r) : raar_repeat(r);
}

/**
 * raar_due - whether a report is due
 * @r: receiver
 * @now: ns
 *
 * There is no report without a new data packet. The first packet is reported at once,
 * because the sender may not have a round-trip time. So is one that raises the rate to its
 * initial rate, as long as the low bits tell its report from the others.
 *
 * Return: true if raar_report() is to be called now
 */
bool raar_due(const struct raar *r, u64 now)
{
	if (!r->fresh)
		return false;
	if (!r->number || now >= raar_wake(r))
		return true;
	if (r->raised)
		return r->number - r->round < RAAR_ROUNDS - 1;
	if (r->rate >= r->stated)
		return false;
	if (r->par.early_once)
		return (s32)(r->early - r->round) <= 0;
	return r->number - r->round < RAAR_ROUNDS - 1;
}

/**
 * raar_report - make a report
 * @r: receiver, started
 * @now: ns
 *
 * The number of the report is @r->number, and its timeout raar_rto().
 *
 * Return: the rate to report
 */
u64 raar_report(struct raar *r, u64 now)
{
	if (r->slow_start)
		raar_hold(r);
	r->timer_done |= now >= raar_timer(r);
	raar_remember(r, r->rate);
	r->reported = min(r->slow_start ? r->rate : raar_smoothed(r), raar_cap(r));
	r->number++;
	if (r->rate < r->stated)
		r->early = r->number;
	r->sent[r->number % RAAR_ROUNDS] = (struct raar_sent) {
		.time = now, .reported = r->reported,
	};
	r->t_report = now;
	r->fresh = false;
	r->raised = false;
	return r->reported;
}
