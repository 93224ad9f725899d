// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sender of CTFAF: the path of a report.
 *
 *	report --> totals since the last step (lib_tfrc, interval_sender.c)
 *	       --> the algorithm asks: lda_ask(), or TFRC's throughput equation
 *	       --> the framework decides: ctfaf_step() --> X
 *
 * After a report the sender sends a few packets back to back, by which the receiver
 * measures the bottleneck (pair.c).
 */
#include <linux/container_of.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include "ctfaf.h"

/* T is at least the time of so many packets at X, or this time. */
#define PACKETS_MIN		20
#define PACKETS_TIME		(5 * TFRC_NSEC_PER_SEC)

/* After the nofeedback timer the losses of before it are in so many steps. */
#define TIMEOUT_STEPS		2

/* While R_b is unknown a packet may wait so many times longer. */
#define HOLD_UNKNOWN		4

/* The parameter T, but at least a round trip, and the time of 20 packets or 5 s */
static u64 ctfaf_interval(const struct ctfaf_sender *cs)
{
	const struct tfrc_sender *snd = &cs->is.base;
	u64 packets = PACKETS_MIN * tfrc_sender_size(snd);
	u64 time = tfrc_mul_div(TFRC_RATE(packets), TFRC_NSEC_PER_SEC,
				ctfaf_rate(&cs->ct));

	time = max3(min(time, PACKETS_TIME), snd->rtt,
		    cs->ct.par.interval * TFRC_NSEC_PER_MSEC);
	return clamp(time, TFRC_INTERVAL_MIN, TFRC_INTERVAL_MAX);
}

/**
 * ctfaf_sender_constrain - the constraints in @ct have changed
 * @cs: the sender
 */
void ctfaf_sender_constrain(struct ctfaf_sender *cs)
{
	const struct dccp_ctfaf_constraints *par = &cs->ct.par;

	if (cs->lda.a_init != TFRC_RATE(par->increase)) {
		cs->lda.a_init = TFRC_RATE(par->increase);
		cs->lda.a = cs->lda.a_init;
	}
	cs->lda.climb = par->climb;
	ctfaf_constrain(&cs->ct, par);
}

/**
 * ctfaf_sender_start - the first packet is about to be sent
 * @snd: the sender, of a struct ctfaf_sender
 * @now: time
 */
void ctfaf_sender_start(struct tfrc_sender *snd, u64 now)
{
	struct ctfaf_sender *cs = container_of(snd, struct ctfaf_sender,
					       is.base);
	u64 interval;

	ctfaf_start(&cs->ct, min(tfrc_sender_first_rate(snd), snd->x_max), now);
	interval = ctfaf_interval(cs);
	cs->ct.t_due = now + interval;
	interval_sender_start(&cs->is, ctfaf_rate(&cs->ct), interval, now);
}

/*
 * poll() tells the application that X has changed. Within SO_MAX_PACING_RATE, too, X is one of
 * the encoder's rates.
 */
static void ctfaf_move(struct ctfaf_sender *cs)
{
	struct tfrc_sender *snd = &cs->is.base;
	u64 before = snd->x;

	cs->ct.r = min(cs->ct.r, snd->x_max);
	tfrc_sender_move(snd, ctfaf_rate(&cs->ct));
	snd->event |= snd->x != before;
}

/*
 * The first rate of a connection, as the initial rate is known now. After an outage it is at
 * most half of X before it, which the first of the timeouts has left.
 */
static u64 ctfaf_first_rate(const struct ctfaf_sender *cs)
{
	u64 r = ctfaf_start_rate(&cs->ct,
				 tfrc_sender_initial_rate(&cs->is.base));

	return cs->timed_out ? min(r, cs->resume) : r;
}

/*
 * Whether X and T are too far from those of a start to find the way back by steps. If the
 * handshake had no round-trip time, X was a packet a second until the first report, and T the
 * 5 s that count of the time of 20 of them. In an outage X is halved each 3 T, until 20 packets
 * take as long. Then X would double each 5 s from a packet a second on.
 */
static bool ctfaf_begins_anew(const struct ctfaf_sender *cs)
{
	const struct tfrc_sender *snd = &cs->is.base;
	bool first = snd->feedbacks == 1 && !snd->nofeedbacks;

	return (first || cs->timed_out == TIMEOUT_STEPS) &&
	       ctfaf_first_rate(cs) > cs->ct.r;
}

/* After an outage its losses are in the next report, which is a step. */
static void ctfaf_begin_anew(struct ctfaf_sender *cs,
			     const struct tfrc_report *rep, u64 now)
{
	cs->ct.r = ctfaf_first_rate(cs);
	if (cs->timed_out)
		cs->timed_out--;
	/* What was sent until now says nothing about the next step. */
	interval_sender_step(&cs->is, rep, now);
	cs->is.interval = ctfaf_interval(cs);
	cs->ct.t_due = now + cs->is.interval;
	ctfaf_move(cs);
}

/*
 * Other limits have lowered X: constraints that have changed since, or the socket's
 * SO_MAX_PACING_RATE. Then r follows, so that X does not jump when they are lifted.
 */
static void ctfaf_lower(struct ctfaf_sender *cs)
{
	if (ctfaf_rate(&cs->ct) > cs->is.base.x)
		cs->ct.r = cs->is.base.x;
}

/*
 * Whether the sender has reacted already to losses among these packets, which follow the
 * first @acked ones. The paper's T is longer than a round trip. With a shorter one the
 * packets that are lost until a decrease has an effect are in several reports, and each
 * would multiply r again. So losses do not count if most of the packets were sent before
 * the last decrease. The nofeedback timer is a decrease, too. After it the first report
 * is made on the first packet that comes, when the hole before this packet is not yet
 * known as lost, so the losses are in the second one.
 */
static bool ctfaf_reacted(const struct ctfaf_sender *cs, u64 acked, u64 data)
{
	return cs->timed_out ||
	       (cs->fallen > acked && 2 * (cs->fallen - acked) > data);
}

/* The change that LDA+ asks for. A grows with r, and so only where r may grow. */
static s64 ctfaf_ask_lda(struct ctfaf_sender *cs, u64 r, bool reacted)
{
	const struct tfrc_sender *snd = &cs->is.base;
	const struct lda_report rep = {
		.loss = cs->loss,
		.s = tfrc_sender_size(snd),
		.nominal = snd->nominal.size,
		.bottleneck = cs->bottleneck,
		.rtt = cs->lda.rtt.srtt ?: snd->rtt,
		.interval = cs->is.interval,
	};
	u64 a = cs->lda.a;
	s64 ask;

	if (cs->loss && reacted)
		return 0;
	ask = lda_ask(&cs->lda, r, &rep);
	if (ask > 0 && cs->ct.unused)
		cs->lda.a = a;
	return ask;
}

/* The change of r that TFRC's equation asks for, or twice the rate in slow start */
static s64 ctfaf_ask_tfrc(const struct tfrc_sender *snd, u64 r)
{
	return snd->p ? (s64)(snd->x_calc - r) : (s64)r;
}

static void ctfaf_take_step(struct ctfaf_sender *cs,
			    const struct tfrc_report *rep, u64 now)
{
	struct tfrc_sender *snd = &cs->is.base;
	u64 acked = cs->is.acked;
	struct interval_step step = interval_sender_step(&cs->is, rep, now);
	bool reacted = ctfaf_reacted(cs, acked, step.data);
	u64 floor = TFRC_RATE(tfrc_sender_size(snd)) / TFRC_T_MBI, r, x;
	s64 ask;

	cs->loss = lda_loss(step.lost, step.data, rep->fb->loss);
	ctfaf_lower(cs);
	ctfaf_sent(&cs->ct, step.x_send, tfrc_sender_initial_rate(snd));
	r = ctfaf_begin(&cs->ct, min(snd->x_recv, step.x_send), floor);
	x = ctfaf_rate(&cs->ct);
	if (cs->ct.par.algorithm == DCCP_CTFAF_LDA)
		ask = ctfaf_ask_lda(cs, r, reacted);
	else
		ask = ctfaf_ask_tfrc(snd, r);
	ctfaf_step(&cs->ct, ask, cs->loss, cs->is.interval, now);
	/*
	 * A decrease may have been tolerated, or paid for by B, and X may stay on its rung although
	 * r falls. What B takes back is no reaction to a loss.
	 */
	if (ask < 0 && ctfaf_rate(&cs->ct) < x)
		cs->fallen = snd->packets;
	if (cs->timed_out)
		cs->timed_out--;
	cs->is.interval = ctfaf_interval(cs);
	ctfaf_stepped(&cs->ct, cs->is.interval, now);
	ctfaf_move(cs);
}

/**
 * ctfaf_sender_feedback - a report came
 * @cs: the sender
 * @rep: the report
 * @now: time
 *
 * Return: true if a step followed
 */
bool ctfaf_sender_feedback(struct ctfaf_sender *cs,
			   const struct tfrc_report *rep, u64 now)
{
	struct tfrc_sender *snd = &cs->is.base;

	interval_sender_feedback(&cs->is, rep);
	if (rep->sample)
		tfrc_srtt_sample(&cs->lda.rtt, rep->sample);
	cs->bottleneck = rep->fb->x_pair;
	/* At the greatest rate R_b does not matter. */
	if (cs->ct.par.probes && !ctfaf_at_greatest(&cs->ct))
		pair_report(&cs->train, cs->ct.par.probe_every,
			    cs->ct.par.steady, cs->bottleneck);

	if (ctfaf_begins_anew(cs)) {
		ctfaf_begin_anew(cs, rep, now);
		return false;
	}
	/* A report with which T is over leads to a step. */
	if (!ctfaf_due(&cs->ct, cs->is.interval, now)) {
		/* X stays. X_inst may rise, because its other limits change with each report. */
		tfrc_sender_move(snd, snd->x);
		return false;
	}
	ctfaf_take_step(cs, rep, now);
	return true;
}

/**
 * ctfaf_sender_timeout - no report came for 3 T
 * @cs: the sender
 * @idle: nothing was sent either
 */
void ctfaf_sender_timeout(struct ctfaf_sender *cs, bool idle)
{
	ctfaf_lower(cs);
	if (!idle && cs->timed_out != TIMEOUT_STEPS) {
		cs->timed_out = TIMEOUT_STEPS;
		/* Without R, X was a packet in a second, and no rate of the path. */
		cs->resume = cs->is.base.has_rtt ? cs->is.base.x / 2 : U64_MAX;
	}
	/* All that was sent was lost, or nothing is known of the path any more. */
	cs->lda.a = cs->lda.a_init;
	ctfaf_timeout(&cs->ct, idle, tfrc_sender_initial_rate(&cs->is.base));
	ctfaf_move(cs);
	cs->stated--;
	interval_sender_timeout(&cs->is);
}

/**
 * ctfaf_sender_options - which options the data packet that is being sent has
 * @cs: the sender
 *
 * Each packet states T and R until the first report shows that one has arrived. After
 * the first report and after each step one packet states them, as they may have changed.
 * If it was lost, and the receiver waits for a longer T, the nofeedback timer expires. So
 * one packet states them after that, too.
 *
 * Return: CTFAF_HAS_INTERVAL or 0
 */
u8 ctfaf_sender_options(struct ctfaf_sender *cs)
{
	const struct tfrc_sender *snd = &cs->is.base;
	u32 changes = cs->ct.steps + !!snd->feedbacks;
	bool due = !snd->feedbacks || changes != cs->stated;

	cs->stated = changes;
	return due ? CTFAF_HAS_INTERVAL : 0;
}

/**
 * ctfaf_sender_hold - whether a packet that the rate allows waits for another one
 * @cs: the sender
 * @len: payload of the packet, bytes
 * @more: another packet is in the queue
 * @ipi: time that a packet takes at X_inst
 * @now: time
 *
 * It waits to be the first of a train, if one is wanted, and no longer than two packets
 * take at X_inst. An application that sends less than half of X does not make X grow, so
 * R_b does not matter. A packet without data measures nothing.
 *
 * Return: until when it waits, or 0 if it is sent
 */
u64 ctfaf_sender_hold(struct ctfaf_sender *cs, u32 len, bool more, u64 ipi,
		      u64 now)
{
	u64 hold = cs->ct.par.hold * TFRC_NSEC_PER_MSEC;

	if (!len)
		return 0;
	if (!cs->bottleneck)
		hold *= HOLD_UNKNOWN;
	return pair_hold(&cs->train, more, min(hold, 2 * ipi), now);
}

/**
 * ctfaf_sender_place - a packet is sent: find its place in a train
 * @cs: the sender
 * @more: another packet waits behind it
 * @ccval: set to the place, 0 if it is in none
 * @now: time
 *
 * Return: true if the next packet follows at once
 */
bool ctfaf_sender_place(struct ctfaf_sender *cs, bool more, u8 *ccval,
			u64 now)
{
	bool at_once = pair_place(&cs->train, more, cs->ct.par.probes, now);

	*ccval = cs->train.position;
	if (!at_once)
		cs->train.position = 0;
	return at_once;
}
