// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of DVRC against its paper: each equation against exact values, each branch
 * at its border, and random sequences against the model of dvrc_kunit_gen.py.
 */
#include <kunit/test.h>
#include <linux/math.h>
#include <linux/module.h>
#include "../lib_tfrc/kunit.h"
#include "dvrc.c"

#define MS	TFRC_NSEC_PER_MSEC

struct dvrc_rtt_row {
	u64	before, deviation, sample;
	u64	rtt, new_deviation, dto;
};

struct dvrc_rate_row {
	u64	r;
	u32	s;
	u64	rtt;
	u32	alpha, beta;
	u64	increased, decreased, backed_off;
};

struct dvrc_sequence_row {
	u64	r, mean, deviation;
	u32	k, decisions, random, congestion, timeouts;
};

#include "dvrc_kunit_table.h"

static const struct dccp_dvrc_rx_params dvrc_test_par = {
	.alpha_i = 1000,
	.alpha_d = 1000,
	.beta_d = 500,
	.n = 1500,
	.weight = 1000,
	.ack_ratio = 1,
	.loss_history = 8,
	.weight_layers = 1000,
	.delta = 4000,
	.gain_mean = 125,
	.gain_deviation = 250,
	.validation = 1,
};

/* Eq. 2, 3 and 4, exact to the ns */
static void dvrc_test_rtt(struct kunit *test)
{
	const struct dvrc_rtt_row *row = dvrc_rtt_table;

	for (int i = 0; i < ARRAY_SIZE(dvrc_rtt_table); i++, row++) {
		struct dvrc_rtt t = { row->before, row->deviation, row->before };

		dvrc_rtt_sample(&t, row->sample, 900);
		dvrc_rtt_round(&t, 250);
		KUNIT_EXPECT_EQ_MSG(test, t.rtt, row->rtt, "row %d", i);
		KUNIT_EXPECT_EQ_MSG(test, t.deviation, row->new_deviation,
				    "row %d", i);
		/* at this rate the lower bound of DTO does not apply */
		KUNIT_EXPECT_EQ_MSG(test, dvrc_dto(&t, 1, TFRC_RATE_MAX, 4000),
				    row->dto, "row %d", i);
	}
}

/* The first sample, rounds of one and two samples, and samples of any value. */
static void dvrc_test_rtt_bounds(struct kunit *test)
{
	struct dvrc_rtt t = {};

	dvrc_rtt_sample(&t, 100 * MS, 900);
	dvrc_rtt_round(&t, 250);
	KUNIT_EXPECT_EQ(test, t.rtt, 100 * MS);
	KUNIT_EXPECT_EQ(test, t.deviation, 0);
	/* 0.9 * 100 + 0.1 * 200 = 110: 0.75 * 10; then 0.25 * 7.5 */
	dvrc_rtt_sample(&t, 200 * MS, 900);
	dvrc_rtt_round(&t, 250);
	KUNIT_EXPECT_EQ(test, t.rtt, 110 * MS);
	KUNIT_EXPECT_EQ(test, t.deviation, 7500000);
	dvrc_rtt_sample(&t, 110 * MS, 900);
	dvrc_rtt_round(&t, 250);
	KUNIT_EXPECT_EQ(test, t.deviation, 1875000);
	/* 119, 127.1 in one round: 0.25 * 1.875 + 0.75 * 17.1 */
	dvrc_rtt_sample(&t, 200 * MS, 900);
	dvrc_rtt_sample(&t, 200 * MS, 900);
	dvrc_rtt_round(&t, 250);
	KUNIT_EXPECT_EQ(test, t.rtt, 127100000);
	KUNIT_EXPECT_EQ(test, t.deviation, 13293750);
	/* 0.5 * 127.1 + 0.5 * 0.1 and 0.4 * 13.29375 + 0.6 * 63.5 */
	dvrc_rtt_sample(&t, 0, 500);
	dvrc_rtt_round(&t, 400);
	KUNIT_EXPECT_EQ(test, t.rtt, 63600000);
	KUNIT_EXPECT_EQ(test, t.deviation, 43417500);
	for (int i = 0; i < 1000; i++) {
		dvrc_rtt_sample(&t, U64_MAX, 900);
		dvrc_rtt_round(&t, 250);
	}
	KUNIT_EXPECT_LE(test, t.rtt, TFRC_RTT_MAX);
	KUNIT_EXPECT_LE(test, t.deviation, TFRC_RTT_MAX);
}

/* DTO is four packets at least: 4000 bytes at 20000 bytes/s take 200 ms. */
static void dvrc_test_dto(struct kunit *test)
{
	const struct dvrc_rtt t = { 100 * MS, 25 * MS };

	KUNIT_EXPECT_EQ(test, dvrc_dto(&t, 1000, TFRC_RATE(20000), 4000),
			200 * MS);
	KUNIT_EXPECT_EQ(test, dvrc_dto(&t, 1000, TFRC_RATE(20001), 4000),
			200 * MS);
	KUNIT_EXPECT_EQ(test, dvrc_dto(&t, 1000, TFRC_RATE(10000), 4000),
			400 * MS);
	KUNIT_EXPECT_EQ(test, dvrc_dto(&t, 1000, TFRC_RATE(1000000), 4000),
			200 * MS);
	KUNIT_EXPECT_EQ(test, dvrc_dto(&t, 1000, TFRC_RATE(1000000), 500),
			112500000);
	KUNIT_EXPECT_EQ(test, dvrc_dto(&t, 65535, 0, 4000),
			4 * 64 * TFRC_NSEC_PER_SEC);
}

/* Eq. 11, the three branches, exact to 2^-16 bytes/s */
static void dvrc_test_rate(struct kunit *test)
{
	const struct dvrc_rate_row *row = dvrc_rate_table;
	u64 r;

	for (int i = 0; i < ARRAY_SIZE(dvrc_rate_table); i++, row++) {
		r = dvrc_increased(row->r, dvrc_step(row->s, row->rtt,
						     row->alpha));
		KUNIT_EXPECT_LE_MSG(test, abs((s64)(r - row->increased)), 1,
				    "row %d: %llu", i, r);
		r = dvrc_decreased(row->r, dvrc_step(row->s, row->rtt,
						     row->alpha), row->beta);
		KUNIT_EXPECT_LE_MSG(test, abs((s64)(r - row->decreased)), 1,
				    "row %d: %llu", i, r);
		r = dvrc_backed_off(row->r, row->beta);
		KUNIT_EXPECT_LE_MSG(test, abs((s64)(r - row->backed_off)), 1,
				    "row %d: %llu", i, r);
	}
}

/* Mean and deviation by hand: 100, 50; 180: 57.5 and 110; 20: 65.625, 98.75 */
static void dvrc_test_history(struct kunit *test)
{
	struct dccp_dvrc_rx_params half = { .gain_mean = 500,
					    .gain_deviation = 1000 };
	struct dvrc_history h = {};

	KUNIT_EXPECT_EQ(test, dvrc_threshold(&h, 1500), 0);
	dvrc_history_add(&h, 100000, &dvrc_test_par);
	KUNIT_EXPECT_EQ(test, h.mean, 100000);
	KUNIT_EXPECT_EQ(test, h.deviation, 50000);
	KUNIT_EXPECT_EQ(test, dvrc_threshold(&h, 1500), 25000);
	KUNIT_EXPECT_EQ(test, dvrc_threshold(&h, 0), 100000);
	KUNIT_EXPECT_EQ(test, dvrc_threshold(&h, 2000), 0);
	KUNIT_EXPECT_EQ(test, dvrc_threshold(&h, 65535), 0);
	dvrc_history_add(&h, 180000, &dvrc_test_par);
	KUNIT_EXPECT_EQ(test, h.deviation, 57500);
	KUNIT_EXPECT_EQ(test, h.mean, 110000);
	dvrc_history_add(&h, 20000, &dvrc_test_par);
	KUNIT_EXPECT_EQ(test, h.deviation, 65625);
	KUNIT_EXPECT_EQ(test, h.mean, 98750);
	KUNIT_EXPECT_EQ(test, h.epochs, 3);
	/* gains of 1/2 and 1 */
	dvrc_history_add(&h, 18750, &half);
	KUNIT_EXPECT_EQ(test, h.deviation, 80000);
	KUNIT_EXPECT_EQ(test, h.mean, 58750);
	/* the greatest rate is accepted, too */
	for (int i = 0; i < 100; i++)
		dvrc_history_add(&h, TFRC_RATE_MAX, &dvrc_test_par);
	KUNIT_EXPECT_LE(test, h.mean, TFRC_RATE_MAX);
	KUNIT_EXPECT_GT(test, dvrc_threshold(&h, 1000), TFRC_RATE_MAX / 2);
}

/* RTT 100 ms, packets of 1000 bytes 10 ms apart: 100000 bytes/s arrive. R is more. */
static struct dvrc dvrc_test_new(u64 *now)
{
	struct dvrc d = {
		.par = dvrc_test_par,
		.path = { 100 * MS, 0 },
	};

	*now = TFRC_NSEC_PER_SEC;
	dvrc_arrival(&d, 1000, 1000, false, *now);
	for (int i = 0; i < 100; i++) {
		*now += 10 * MS;
		dvrc_arrival(&d, 1000, 1000, false, *now);
	}
	d.r = TFRC_RATE(1000000);
	return d;
}

/* A round trip in which these 100000 bytes/s arrived is over. */
static void dvrc_test_round(struct dvrc *d, u64 p, u64 now)
{
	d->t_adjust = now - 100 * MS;
	d->adjust_bytes = d->meter.bytes - 10000;
	dvrc_increase(d, p, now);
}

/* The first rate is c_1, or the initial rate: 4 packets in an RTT, or more on a long path. */
static void dvrc_test_start(struct kunit *test)
{
	static const u32 rate[] = { 5000, 9000 };
	struct dvrc d = { .par = dvrc_test_par, .path = { 100 * MS, 0 } };

	dvrc_arrival(&d, 1000, 1000, false, 0);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(40000));
	memset(&d, 0, sizeof(d));
	d.par = dvrc_test_par;
	d.path.rtt = 50 * MS;
	dvrc_arrival(&d, 1000, 1000, false, 0);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(80000));
	memset(&d, 0, sizeof(d));
	d.par = dvrc_test_par;
	d.path.rtt = 400 * MS;
	dvrc_arrival(&d, 1000, 1000, false, 0);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(36500));
	memset(&d, 0, sizeof(d));
	d.par = dvrc_test_par;
	d.path.rtt = 100 * MS;
	dvrc_layers_set(&d.layers, rate, sizeof(rate));
	dvrc_arrival(&d, 1000, 1000, false, 0);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(5000));
}

/*
 * A first packet of 20 bytes: four of these in R are 800 bytes/s. One of 1400 brings 4380 in
 * R, unless there are layers, or there was a loss or a timeout before.
 */
static void dvrc_test_small_first(struct kunit *test)
{
	for (int i = 0; i < 5; i++) {
		struct dvrc d = { .par = dvrc_test_par, .path = { 100 * MS, 0 } };

		if (i == 1)
			d.layers = (struct dvrc_layers) { .rate = { 800, 90000 }, .k = 2 };
		dvrc_arrival(&d, 20, 20, false, 0);
		KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(800));
		if (i == 2)
			dvrc_timeout(&d, 10 * MS);
		else if (i > 2)
			dvrc_loss(&d, 0, i == 3, 10 * MS);
		dvrc_arrival(&d, 1400, 710, false, 25 * MS);
		if (i)
			KUNIT_EXPECT_LE_MSG(test, d.r, TFRC_RATE(800), "case %d", i);
		else
			KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(43800));
		/* no greater than all before */
		d.r = TFRC_RATE(800);
		dvrc_arrival(&d, 1400, 940, false, 26 * MS);
		KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(800));
	}
}

/* A layer is left at once, and joined when it has fit for the time of hold. */
static void dvrc_test_hold(struct kunit *test)
{
	static const u32 rate[] = { 1000, 2000, 4000, 8000 };
	struct dvrc d = { .par = dvrc_test_par };

	KUNIT_EXPECT_EQ(test, dvrc_layers_now(&d, 0), 0);
	dvrc_layers_set(&d.layers, rate, sizeof(rate));
	d.par.hold = 1000;
	d.r = TFRC_RATE(1500);
	KUNIT_EXPECT_EQ(test, dvrc_layers_now(&d, 500 * MS), 1);
	/* nothing has happened so far */
	d.r = TFRC_RATE(8000);
	KUNIT_EXPECT_EQ(test, dvrc_layers_now(&d, 500 * MS), 4);
	d.timeouts = 1;
	d.r = TFRC_RATE(1500);
	KUNIT_EXPECT_EQ(test, dvrc_layers_now(&d, 500 * MS), 1);
	d.r = TFRC_RATE(8000);
	KUNIT_EXPECT_EQ(test, dvrc_layers_now(&d, 500 * MS), 1);
	d.timeouts = 0;
	d.random = 1;
	d.r = TFRC_RATE(4000);
	KUNIT_EXPECT_EQ(test, dvrc_layers_now(&d, 1499 * MS), 1);
	/* it fits no longer, and then again */
	d.r = TFRC_RATE(1999);
	KUNIT_EXPECT_EQ(test, dvrc_layers_now(&d, 1500 * MS), 1);
	d.r = TFRC_RATE(4000);
	KUNIT_EXPECT_EQ(test, dvrc_layers_now(&d, 2499 * MS), 1);
	KUNIT_EXPECT_EQ(test, dvrc_layers_now(&d, 2500 * MS), 2);
	KUNIT_EXPECT_EQ(test, dvrc_layers_now(&d, 3499 * MS), 2);
	KUNIT_EXPECT_EQ(test, dvrc_layers_now(&d, 3500 * MS), 3);
	d.r = TFRC_RATE(1000);
	KUNIT_EXPECT_EQ(test, dvrc_layers_now(&d, 3501 * MS), 1);
	/* fewer layers than there were */
	d.r = TFRC_RATE(9000);
	d.k = 4;
	dvrc_layers_set(&d.layers, rate, 2 * sizeof(*rate));
	KUNIT_EXPECT_EQ(test, dvrc_layers_now(&d, 3502 * MS), 2);
	/* without hold all that fit */
	dvrc_layers_set(&d.layers, rate, sizeof(rate));
	d.par.hold = 0;
	KUNIT_EXPECT_EQ(test, dvrc_layers_now(&d, 3503 * MS), 4);
}

/* The second and the third branch, at the threshold and a part of 2^16 below. */
static void dvrc_test_loss(struct kunit *test)
{
	const u64 rate = TFRC_RATE(100000);
	struct dvrc d;
	u64 now;

	d = dvrc_test_new(&now);
	KUNIT_EXPECT_EQ(test, dvrc_receiving_rate(&d, now), rate);
	/* before the first epoch has ended there is no threshold */
	dvrc_loss(&d, 0, false, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(990000));
	KUNIT_EXPECT_EQ(test, d.decision, DCCP_DVRC_RANDOM);
	KUNIT_EXPECT_EQ(test, d.history.mean, rate);
	KUNIT_EXPECT_EQ(test, d.history.deviation, rate / 2);

	/* threshold: mean - 1.5 * deviation */
	d = dvrc_test_new(&now);
	d.history = (struct dvrc_history) { rate + 3 * 1000, 2 * 1000, 1 };
	dvrc_loss(&d, 0, false, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(990000));
	KUNIT_EXPECT_EQ(test, d.random, 1);
	KUNIT_EXPECT_EQ(test, d.congestion, 0);

	d = dvrc_test_new(&now);
	d.history = (struct dvrc_history) { rate + 3 * 1000 + 1, 2 * 1000, 1 };
	dvrc_loss(&d, 0, false, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(500000));
	KUNIT_EXPECT_EQ(test, d.decision, DCCP_DVRC_CONGESTION);
	KUNIT_EXPECT_EQ(test, d.congestion, 1);
	/* the rate has entered the history after the comparison */
	KUNIT_EXPECT_EQ(test, d.history.mean, (7 * (rate + 3001) + rate) / 8);
	KUNIT_EXPECT_EQ(test, d.history.epochs, 2);

	/* half is less than a packet: the additive decrease is not the greater one */
	d = dvrc_test_new(&now);
	d.r = TFRC_RATE(15000);
	dvrc_loss(&d, 0, false, now + 1000 * MS);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(7500));
	KUNIT_EXPECT_EQ(test, d.decision, DCCP_DVRC_RANDOM);
}

/*
 * 20 packets of 1000 bytes in R = 100 ms. After 7 of them, 30 ms after the first, the rate is
 * that of 7 in R. It would be the mean for long, with half of it as deviation. It does not
 * enter the history, but counts as a loss event for the layers. The first epoch ends with
 * the next one, at 200000.
 */
static void dvrc_test_first_epoch(struct kunit *test)
{
	struct dvrc d = { .par = dvrc_test_par, .path = { 100 * MS, 0 } };
	u64 now = TFRC_NSEC_PER_SEC;

	d.layers = (struct dvrc_layers) { .rate = { 100000, 200000 }, .k = 2 };
	d.par.hold = 1000;
	for (int i = 0; i <= 40; i++, now += 5 * MS) {
		dvrc_arrival(&d, 1000, 1000, false, now);
		if (i == 6) {
			dvrc_loss(&d, 0, false, now);
			KUNIT_EXPECT_EQ(test, d.history.epochs, 0);
			KUNIT_EXPECT_EQ(test, d.random, 1);
			KUNIT_EXPECT_EQ(test, dvrc_layers_now(&d, now), 1);
			d.r = TFRC_RATE(200000);
			KUNIT_EXPECT_EQ(test, dvrc_layers_now(&d, now), 1);
		}
	}
	dvrc_loss(&d, 0, false, now - 5 * MS);
	KUNIT_EXPECT_EQ(test, d.history.epochs, 1);
	KUNIT_EXPECT_EQ(test, d.history.mean, TFRC_RATE(200000));
	KUNIT_EXPECT_EQ(test, dvrc_threshold(&d.history, 1500), TFRC_RATE(50000));
}

/*
 * A nominal size of 1460 bytes, real packets of 460, R = 100 ms: a packet is 14600 * 460 /
 * 500 = 13,432 bytes/s, up to 46,000. Beyond that it is 4,600.
 */
static void dvrc_test_nominal(struct kunit *test)
{
	static const u32 layers[] = { 10000, 45000, 90000 };
	struct dvrc d = { .par = dvrc_test_par, .path = { 100 * MS, 0 } };

	d.s = 460;
	tfrc_nominal_set(&d.nominal, 1460);
	EXPECT_RATE(test, dvrc_packets(&d, 1000), 13432);
	EXPECT_RATE(test, dvrc_packets(&d, 500), 6716);
	d.r = TFRC_RATE(40000);
	EXPECT_RATE(test, dvrc_packets(&d, 1000), 6000);
	d.r = TFRC_RATE(46000);
	EXPECT_RATE(test, dvrc_packets(&d, 1000), 4600);

	/*
	 * p = 2 %: 33,694.5 with 460 bytes, 106,943.5 * 460 / 500 = 98,388 with 1460, of
	 * which 46,000 are 100 packets. p_SP = 10 %: 25,843.5 * 460 / 500 = 23,776.
	 */
	d.nominal.p = TFRC_P_ONE / 50;
	EXPECT_RATE(test, dvrc_bound(&d, TFRC_P_ONE / 50), 46000);
	d.nominal.p = TFRC_P_ONE / 10;
	EXPECT_RATE(test, 10 * dvrc_bound(&d, TFRC_P_ONE / 10), 237760);
	EXPECT_RATE(test, 10 * dvrc_bound(&d, TFRC_P_ONE / 50), 336945);
	/* layers: two of three fit */
	d.par.weight_layers = 1000;
	dvrc_layers_set(&d.layers, layers, sizeof(layers));
	d.nominal.p = TFRC_P_ONE / 50;
	dvrc_set(&d, TFRC_RATE(90000), TFRC_P_ONE / 50);
	EXPECT_RATE(test, d.r, 46000);
	KUNIT_EXPECT_EQ(test, dvrc_layers_now(&d, 0), 2);

	tfrc_nominal_set(&d.nominal, 0);
	EXPECT_RATE(test, dvrc_packets(&d, 1000), 4600);
	EXPECT_RATE(test, 10 * dvrc_bound(&d, TFRC_P_ONE / 50), 336945);
}

/* A CE mark is congestion at any receiving rate; R is halved once in a loss event. */
static void dvrc_test_mark(struct kunit *test)
{
	const u64 rate = TFRC_RATE(100000);
	struct dvrc d;
	u64 now;

	d = dvrc_test_new(&now);
	d.history = (struct dvrc_history) { rate, 2 * 1000, 1 };
	dvrc_loss(&d, 0, true, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(500000));
	KUNIT_EXPECT_EQ(test, d.decision, DCCP_DVRC_CONGESTION);
	KUNIT_EXPECT_EQ(test, d.history.epochs, 2);
	dvrc_more_loss(&d, 0, true, now + 50 * MS);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(500000));
	KUNIT_EXPECT_EQ(test, d.congestion, 1);

	/* random before the mark came: 990000; then half of the million */
	d = dvrc_test_new(&now);
	dvrc_loss(&d, 0, false, now);
	dvrc_more_loss(&d, 0, false, now + 10 * MS);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(990000));
	KUNIT_EXPECT_EQ(test, d.random, 1);
	dvrc_more_loss(&d, 0, true, now + 20 * MS);
	dvrc_more_loss(&d, 0, true, now + 30 * MS);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(500000));
	KUNIT_EXPECT_EQ(test, d.random, 0);
	KUNIT_EXPECT_EQ(test, d.congestion, 1);
	KUNIT_EXPECT_EQ(test, d.decision, DCCP_DVRC_CONGESTION);
	KUNIT_EXPECT_EQ(test, d.history.epochs, 1);
}

/*
 * 100000 bytes/s still arrive: whatever R is, and however many loss events there are, half
 * of that is left. Once less arrives, a loss event has its effect.
 */
static void dvrc_test_once(struct kunit *test)
{
	struct dvrc d;
	u64 now;

	d = dvrc_test_new(&now);
	d.r = TFRC_RATE(120000);
	dvrc_loss(&d, 0, true, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(60000));
	for (int i = 0; i < 20; i++)
		dvrc_loss(&d, 0, i & 1, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(50000));
	d.r = TFRC_RATE(30000);
	dvrc_loss(&d, 0, true, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(30000));
	/* a mark after all: half of 120000, but no less than half of what arrived */
	d.r = TFRC_RATE(80000);
	dvrc_loss(&d, 0, false, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(70000));
	dvrc_more_loss(&d, 0, true, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(50000));
	dvrc_loss(&d, 0, true, now + 1000 * MS);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(25000));
}

/*
 * 100000 bytes/s arrive in a burst at 2 R: no decrease came before it, so a mark or a loss
 * reduces R as at any other rate. What arrives after it at up to the R of before does not.
 */
static void dvrc_test_burst(struct kunit *test)
{
	struct dvrc d;
	u64 now;

	d = dvrc_test_new(&now);
	d.r = TFRC_RATE(50000);
	dvrc_loss(&d, 0, true, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(25000));
	dvrc_loss(&d, 0, true, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(25000));

	/* random, and a mark of the same event, also after a round trip without loss */
	for (int i = 0; i < 2; i++) {
		d = dvrc_test_new(&now);
		d.r = TFRC_RATE(50000);
		dvrc_loss(&d, 0, false, now);
		KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(40000));
		if (i)
			d.r_top = 0;
		dvrc_more_loss(&d, 0, true, now);
		KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(25000));
	}

	/* The sender has not followed while data arrives faster than R. */
	d = dvrc_test_new(&now);
	d.r = TFRC_RATE(80000);
	dvrc_loss(&d, 0, true, now);
	dvrc_test_round(&d, 0, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(50000));
	dvrc_loss(&d, 0, true, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(40000));
	/* It has, and then comes a burst: 100000 is more than twice R. */
	d.r = TFRC_RATE(100000);
	dvrc_test_round(&d, 0, now);
	d.r = TFRC_RATE(40000);
	dvrc_loss(&d, 0, true, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(20000));

	/* A timeout, or a pause of an idle sender: nothing of before is on its way. */
	d = dvrc_test_new(&now);
	d.r = TFRC_RATE(80000);
	dvrc_loss(&d, 0, true, now);
	dvrc_timeout(&d, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(20000));
	dvrc_loss(&d, 0, true, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(10000));

	d = dvrc_test_new(&now);
	d.r = TFRC_RATE(80000);
	dvrc_loss(&d, 0, true, now);
	d.idle = true;
	dvrc_arrival(&d, 1000, 1000, false, now + 3600000 * MS);
	now += 3600000 * MS;
	for (int i = 0; i < 20; i++) {
		now += 10 * MS;
		dvrc_arrival(&d, 1000, 1000, false, now);
	}
	d.r = TFRC_RATE(50000);
	dvrc_loss(&d, 0, true, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(25000));
}

/* In the pause of an idle sender Acks may show a loss: the pause counts for DTO at most. */
static void dvrc_test_idle_loss(struct kunit *test)
{
	struct dvrc d;
	u64 now, rate;

	d = dvrc_test_new(&now);
	d.idle = true;
	rate = dvrc_receiving_rate(&d, now + dvrc_dto_now(&d));
	KUNIT_EXPECT_EQ(test, dvrc_receiving_rate(&d, now + 60000 * MS), rate);
	KUNIT_EXPECT_LT(test, rate, dvrc_receiving_rate(&d, now));
	d.idle = false;
	KUNIT_EXPECT_LT(test, dvrc_receiving_rate(&d, now + 60000 * MS), rate);
}

/* R does not grow in a round trip with any loss, of whichever event. */
static void dvrc_test_more_loss(struct kunit *test)
{
	struct dvrc d;
	u64 now;

	d = dvrc_test_new(&now);
	d.par.validation = 0;
	dvrc_loss(&d, 0, false, now);
	dvrc_more_loss(&d, 0, false, now + 99 * MS);
	KUNIT_EXPECT_FALSE(test, dvrc_round_over(&d, now + 199 * MS - 1));
	KUNIT_EXPECT_TRUE(test, dvrc_round_over(&d, now + 199 * MS));
}

/* The first branch: after each round trip without loss, and not before. */
static void dvrc_test_increase(struct kunit *test)
{
	struct dvrc d;
	u64 now;

	d = dvrc_test_new(&now);
	d.layers = (struct dvrc_layers) { .rate = { 1000000 }, .k = 1 };
	d.par.validation = 0;
	d.r = TFRC_RATE(150000);
	dvrc_loss(&d, 0, false, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(140000));
	KUNIT_EXPECT_FALSE(test, dvrc_round_over(&d, now + 100 * MS - 1));
	KUNIT_EXPECT_TRUE(test, dvrc_round_over(&d, now + 100 * MS));
	dvrc_increase(&d, 0, now + 104 * MS);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(150000));
	/* what was late does not add up, unless a round trip is missing */
	KUNIT_EXPECT_FALSE(test, dvrc_round_over(&d, now + 200 * MS - 1));
	KUNIT_EXPECT_TRUE(test, dvrc_round_over(&d, now + 200 * MS));
	dvrc_increase(&d, 0, now + 1000 * MS);
	KUNIT_EXPECT_FALSE(test, dvrc_round_over(&d, now + 1099 * MS));
}

/* R is bounded by c_k, by the equation, and by the receiving rate. */
static void dvrc_test_bounds(struct kunit *test)
{
	static const u32 rate[] = { 5000, 50000, 145000 };
	u64 p = TFRC_P_ONE / 100, x = tfrc_calc_x(1000, 100 * MS, p), now;
	struct dvrc d;

	/* 100000 arrives: from twice that on, R does not grow */
	d = dvrc_test_new(&now);
	d.r = TFRC_RATE(200000) - 1;
	dvrc_test_round(&d, 0, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(210000) - 1);
	dvrc_test_round(&d, 0, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(210000) - 1);

	/* 112 kbyte/s: once and one and a half times */
	d = dvrc_test_new(&now);
	d.r = TFRC_RATE(110000);
	dvrc_test_round(&d, p, now);
	KUNIT_EXPECT_EQ(test, d.r, x);
	d.par.weight = 1500;
	d.r = TFRC_RATE(165000);
	dvrc_test_round(&d, p, now);
	KUNIT_EXPECT_EQ(test, d.r, x * 3 / 2);
	/* a loss does not lift it there */
	d.r = TFRC_RATE(80000);
	dvrc_loss(&d, p, false, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(70000));

	/* with layers c_k, and the equation unless its weight is 0 */
	d = dvrc_test_new(&now);
	dvrc_layers_set(&d.layers, rate, sizeof(rate));
	d.r = TFRC_RATE(110000);
	dvrc_test_round(&d, p, now);
	KUNIT_EXPECT_EQ(test, d.r, x);
	d.par.weight_layers = 1200;
	d.r = TFRC_RATE(133000);
	dvrc_test_round(&d, p, now);
	KUNIT_EXPECT_EQ(test, d.r, tfrc_mul_div(x, 1200, 1000));
	d.par.weight_layers = 0;
	d.r = TFRC_RATE(125000);
	dvrc_test_round(&d, p, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(135000));
	dvrc_test_round(&d, p, now);
	dvrc_test_round(&d, p, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(145000));

	/* R stays between its least and its greatest value */
	d = dvrc_test_new(&now);
	for (int i = 0; i < 100; i++)
		dvrc_timeout(&d, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(1000) / 64);
	d.par.alpha_i = U16_MAX;
	d.path.rtt = TFRC_RTT_MIN;
	d.r = TFRC_RATE_MAX;
	d.layers.k = 1;
	d.layers.rate[0] = U32_MAX;
	dvrc_test_round(&d, 0, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(U32_MAX));
}

/*
 * 100000 arrives; layers have 50000, 200000 and 400000. The sender uses half of what it
 * may as long as this is less than 200000. It may use R, or c_K of the reported K.
 */
static void dvrc_test_validation(struct kunit *test)
{
	static const u32 rate[] = { 50000, 199999, 400000 };
	struct dvrc d;
	u64 now;

	d = dvrc_test_new(&now);
	dvrc_layers_set(&d.layers, rate, sizeof(rate));
	for (u32 k = 0; k <= 3; k++) {
		d.k = k;
		d.r = TFRC_RATE(300000);
		dvrc_test_round(&d, 0, now);
		KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(k == 2 ? 310000 : 300000));
	}
	/* no further than the third layer, or twice what arrives */
	d.k = 2;
	d.r = TFRC_RATE(395000);
	dvrc_test_round(&d, 0, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(400000));
	d.k = 1;
	d.r = TFRC_RATE(195000);
	dvrc_test_round(&d, 0, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(200000));
	d.k = 3;
	d.r = TFRC_RATE(200000) - 1;
	dvrc_test_round(&d, 0, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(200000));
	d.par.validation = 0;
	d.r = TFRC_RATE(300000);
	dvrc_test_round(&d, 0, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(310000));
	/* the reported K is more than the number of layers now */
	d.par.validation = 1;
	d.k = 16;
	d.layers.k = 1;
	d.r = TFRC_RATE(49000);
	dvrc_test_round(&d, 0, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(50000));
}

/*
 * What came before a round trip does not count, and it lasts until R is used: 5000 bytes in a
 * round trip of 100 ms are just half of 100000, and 10001 in 199 ms are more. It begins anew after
 * 200 ms, or after 100 ms if R is shorter. Before it came a loss, a timeout or an increase.
 */
static void dvrc_test_use(struct kunit *test)
{
	struct dvrc d;
	u64 now;

	for (int i = 0; i < 4; i++) {
		d = dvrc_test_new(&now);
		if (i == 0)
			dvrc_loss(&d, 0, false, now);
		else if (i == 1)
			dvrc_more_loss(&d, 0, false, now);
		else if (i == 2)
			dvrc_timeout(&d, now);
		else
			dvrc_test_round(&d, 0, now);
		d.r = TFRC_RATE(100000);
		KUNIT_EXPECT_FALSE(test, dvrc_round_over(&d, now + 200 * MS - 1));
		KUNIT_EXPECT_TRUE(test, dvrc_round_over(&d, now + 200 * MS));
		dvrc_arrival(&d, 5000, 1000, false, now + 50 * MS);
		KUNIT_EXPECT_FALSE(test, dvrc_round_over(&d, now + 100 * MS));
		dvrc_arrival(&d, 1, 1000, false, now + 60 * MS);
		KUNIT_EXPECT_FALSE(test, dvrc_round_over(&d, now + 100 * MS - 1));
		KUNIT_EXPECT_TRUE(test, dvrc_round_over(&d, now + 100 * MS));
		KUNIT_EXPECT_FALSE(test, dvrc_round_over(&d, now + 101 * MS));
		dvrc_arrival(&d, 5000, 1000, false, now + 199 * MS);
		KUNIT_EXPECT_TRUE(test, dvrc_round_over(&d, now + 199 * MS));
		d.par.validation = 0;
		d.r = TFRC_RATE(1000000);
		KUNIT_EXPECT_TRUE(test, dvrc_round_over(&d, now + 100 * MS));
	}

	d = dvrc_test_new(&now);
	d.path.rtt = 20 * MS;
	dvrc_loss(&d, 0, false, now);
	KUNIT_EXPECT_FALSE(test, dvrc_round_over(&d, now + 100 * MS - 1));
	KUNIT_EXPECT_TRUE(test, dvrc_round_over(&d, now + 100 * MS));
}

/* 500000 bytes/s, or about half of it, in even packets: R grows once in a round trip, or never. */
static void dvrc_test_even(struct kunit *test)
{
	static const u32 rate[] = { 500000, 3000000 };
	static const struct { u32 size, r; } cases[] = {
		{ 500, 5000 }, { 251, 2510 }, { 250, 0 }, { 100, 0 },
	};

	for (int i = 0; i < ARRAY_SIZE(cases); i++) {
		struct dvrc d = { .par = dvrc_test_par, .path = { 100 * MS, 0 } };
		u32 size = cases[i].size, r;

		dvrc_layers_set(&d.layers, rate, sizeof(rate));
		for (u64 ms = 0; ms < 1000; ms++) {
			dvrc_arrival(&d, size, size, false, ms * MS);
			if (dvrc_round_over(&d, ms * MS))
				dvrc_increase(&d, 0, ms * MS);
			r = 500000 + ms / 100 * cases[i].r;
			KUNIT_EXPECT_EQ_MSG(test, d.r, TFRC_RATE(r), "%u bytes, %llu ms",
					    size, ms);
		}
	}
}

struct dvrc_frames {
	u32	packets, size;
	u32	rtt;			/* ms */
	u32	layer;			/* c_1 */
	u32	r;			/* growth of R in a frame */
	u32	frames;
	bool	validation;
};

/* A frame: packets 0.5 ms apart, 40 ms after the frame before */
static void dvrc_test_frame(struct dvrc *d, const struct dvrc_frames *f, u64 *now)
{
	for (u32 i = 0; i < f->packets; i++) {
		u64 at = *now + i * MS / 2;

		dvrc_arrival(d, f->size, f->size, i == f->packets - 1, at);
		if (dvrc_round_over(d, at))
			dvrc_increase(d, 0, at);
		dvrc_layers_now(d, at);
	}
	*now += 40 * MS;
}

static void dvrc_test_video(struct kunit *test, const struct dvrc_frames *f)
{
	struct dvrc d = { .par = dvrc_test_par, .path = { f->rtt * MS, 0 } };
	const u32 rate[] = { f->layer, 3000000 };
	u64 now = TFRC_NSEC_PER_SEC, r;

	d.par.validation = f->validation;
	dvrc_layers_set(&d.layers, rate, sizeof(rate));
	dvrc_test_frame(&d, f, &now);
	r = f->layer + 100000;
	d.r = TFRC_RATE(r);
	for (u32 i = 1; i <= f->frames; i++) {
		dvrc_test_frame(&d, f, &now);
		r = min(r + f->r, 3000000ULL);
		KUNIT_EXPECT_EQ_MSG(test, d.r, TFRC_RATE(r),
				    "%u packets of %u bytes, RTT %u ms: frame %u",
				    f->packets, f->size, f->rtt, i);
	}
	KUNIT_EXPECT_EQ(test, d.k, r == 3000000 ? 2 : 1);
}

/*
 * 20 packets in 9.5 ms are all of layer 1. With R = 20 ms a round trip is over with the first
 * packet of each frame. 20 packets came in these 40 ms, so R grows by 1000 bytes in 20 ms.
 * 60 packets take 29.5 ms. Then a round trip is over 20 ms after the first one, too.
 * 40 packets have come, and 20 in the 20 ms from there to the next frame.
 *
 * 16 packets are four fifths of layer 1. With R = 32 ms a round trip follows another
 * until it takes 40, 48, 56 and 64 ms to the next frame. In 64 ms 16 packets are just half
 * of layer 1, but 17 in 64.5 ms are more. So R grows with the second packet of this frame.
 *
 * With a fifth of layer 1 the last packet of a frame has two frames but a packet in no less
 * than 40 ms. This is two fifths at most. It is less than half with a quarter of layer 1, too.
 */
static void dvrc_test_frames(struct kunit *test)
{
	static const struct dvrc_frames cases[] = {
		{ 20, 1000, 20, 500000, 50000, 60, true },
		{ 60, 1000, 20, 1500000, 100000, 20, true },
		{ 16, 1000, 32, 500000, 31250, 4, true },
		{ 5, 1000, 20, 500000, 0, 50, true },
		{ 20, 1000, 20, 500000, 50000, 60, false },
		{ 4, 1000, 20, 500000, 50000, 60, false },
	};
	static const u32 fifth[][2] = {
		{ 4, 1000 }, { 5, 800 }, { 6, 667 }, { 8, 500 }, { 10, 400 },
	};

	for (int i = 0; i < ARRAY_SIZE(cases); i++)
		dvrc_test_video(test, &cases[i]);
	for (int i = 0; i < ARRAY_SIZE(fifth); i++)
		for (u32 rtt = 10; rtt <= 30; rtt += 10)
			dvrc_test_video(test, &(struct dvrc_frames) {
				fifth[i][0], fifth[i][1], rtt, 500000, 0, 50, true
			});
}

/*
 * A pause of the sender. DTO is 100 ms: R is halved for each 200 ms of it, down to
 * 40000, which is four packets in a round trip, or to c_1.
 */
static void dvrc_test_pause(struct kunit *test)
{
	static const struct {
		u64 pause;
		u32 first, r;
		bool idle, validation;
	} cases[] = {
		{ 199, 0, 1000000, true, true },
		{ 200, 0, 500000, true, true },
		{ 401, 0, 250000, true, true },
		{ 801, 0, 62500, true, true },
		{ 1001, 0, 40000, true, true },
		{ 3600000, 0, 40000, true, true },
		{ 1001, 30000, 40000, true, true },
		{ 1001, 300000, 300000, true, true },
		{ 1001, 1200000, 1000000, true, true },
		{ 1001, 0, 1000000, true, false },
		{ 1001, 0, 1000000, false, true },
	};
	struct dvrc d;
	u64 now;

	for (int i = 0; i < ARRAY_SIZE(cases); i++) {
		d = dvrc_test_new(&now);
		d.layers = (struct dvrc_layers) {
			.rate = { cases[i].first }, .k = !!cases[i].first,
		};
		d.idle = cases[i].idle;
		d.par.validation = cases[i].validation;
		dvrc_arrival(&d, 1000, 1000, false, now + cases[i].pause * MS);
		KUNIT_EXPECT_EQ_MSG(test, d.r, TFRC_RATE(cases[i].r),
				    "case %d", i);
	}

	/* frames of a video, 15 a second, over a path of 10 ms */
	d = dvrc_test_new(&now);
	d.path.rtt = 10 * MS;
	for (int i = 0; i < 100; i++) {
		d.idle = true;
		now += 67 * MS;
		dvrc_arrival(&d, 1000, 1000, true, now);
	}
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(1000000));
}

static void dvrc_test_timeout(struct kunit *test)
{
	struct dvrc d = { .par = dvrc_test_par, .path = { 100 * MS, 0 } };
	u64 now;

	KUNIT_EXPECT_EQ(test, dvrc_timeout_at(&d), U64_MAX);
	d = dvrc_test_new(&now);
	d.path.deviation = 10 * MS;
	KUNIT_EXPECT_EQ(test, dvrc_timeout_at(&d), now + 140 * MS);
	d.history = (struct dvrc_history) { 1, 1, 1 };
	dvrc_timeout(&d, now + 140 * MS);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(500000));
	KUNIT_EXPECT_EQ(test, d.decision, DCCP_DVRC_TIMEOUT);
	KUNIT_EXPECT_EQ(test, d.history.epochs, 1);
	KUNIT_EXPECT_EQ(test, dvrc_timeout_at(&d), now + 280 * MS);
	KUNIT_EXPECT_FALSE(test, dvrc_round_over(&d, now + 239 * MS));

	/* four packets at 16 kbyte/s */
	d.r = TFRC_RATE(16000);
	KUNIT_EXPECT_EQ(test, dvrc_timeout_at(&d), now + 390 * MS);

	/* R is at its least value: there are no more reports */
	d.r = TFRC_RATE(1000) / 64;
	KUNIT_EXPECT_EQ(test, dvrc_timeout_at(&d), U64_MAX);
	d.r++;
	KUNIT_EXPECT_NE(test, dvrc_timeout_at(&d), U64_MAX);
	d.r = TFRC_RATE(16000);

	/* a sender with nothing to send */
	dvrc_arrival(&d, 1000, 1000, true, now + 300 * MS);
	KUNIT_EXPECT_EQ(test, dvrc_timeout_at(&d), U64_MAX);
	dvrc_arrival(&d, 1000, 1000, false, now + 400 * MS);
	KUNIT_EXPECT_EQ(test, dvrc_timeout_at(&d), now + 650 * MS);
}

/* Over a round trip; over four packets if these take longer; without pauses. */
static void dvrc_test_receiving(struct kunit *test)
{
	struct dvrc d;
	u64 now;

	d = dvrc_test_new(&now);
	KUNIT_EXPECT_EQ(test, dvrc_receiving_rate(&d, now), TFRC_RATE(100000));
	/* 20 ms apart: a round trip later nothing is left of the old rate */
	for (int i = 0; i < 7; i++) {
		now += 20 * MS;
		dvrc_arrival(&d, 1000, 1000, false, now);
	}
	KUNIT_EXPECT_EQ(test, dvrc_receiving_rate(&d, now), TFRC_RATE(50000));
	/* 50 ms apart: four of them take two round trips */
	d.r = TFRC_RATE(20000);
	for (int i = 0; i < 4; i++) {
		now += 50 * MS;
		dvrc_arrival(&d, 1000, 1000, true, now);
	}
	KUNIT_EXPECT_EQ(test, dvrc_receiving_rate(&d, now), TFRC_RATE(20000));
	/* an hour is as DTO: 200 ms with 150 ms before make four in 350 */
	now += 3600000 * MS;
	dvrc_arrival(&d, 1000, 1000, false, now);
	KUNIT_EXPECT_EQ(test, dvrc_receiving_rate(&d, now),
			tfrc_mul_div(TFRC_RATE(4000), 1000, 350));
}

struct dvrc_random {
	u64 state;
};

static u32 dvrc_random(struct dvrc_random *rnd, u32 n)
{
	rnd->state = rnd->state * 6364136223846793005ULL +
		     1442695040888963407ULL;
	return (u32)(rnd->state >> 33) % n;
}

/* In the order of class Model and sequence() of dvrc_kunit_gen.py. */
static void dvrc_test_draw(struct dvrc *d, struct dvrc_random *rnd)
{
	u32 rate[DCCP_DVRC_LAYERS_MAX], last = 0, k, i;

	d->par = dvrc_test_par;
	d->par.alpha_i = 500 + dvrc_random(rnd, 1500);
	d->par.alpha_d = 500 + dvrc_random(rnd, 1500);
	d->par.beta_d = 300 + dvrc_random(rnd, 600);
	d->par.n = dvrc_random(rnd, 3000);
	d->par.weight = 500 + dvrc_random(rnd, 2000);
	d->par.weight_layers = dvrc_random(rnd, 2) * d->par.weight;
	d->par.delta = dvrc_random(rnd, 6000);
	d->par.gain_mean = 1 + dvrc_random(rnd, 1000);
	d->par.gain_deviation = 1 + dvrc_random(rnd, 1000);
	k = dvrc_random(rnd, 2);
	d->par.hold = k * dvrc_random(rnd, 2000);
	d->par.validation = dvrc_random(rnd, 2);
	if (dvrc_random(rnd, 2)) {
		k = 1 + dvrc_random(rnd, 16);
		for (i = 0; i < k; i++) {
			last += 1000 + dvrc_random(rnd, 20000);
			rate[i] = last;
		}
		dvrc_layers_set(&d->layers, rate, k * sizeof(u32));
	}
	d->s = 100 + dvrc_random(rnd, 1400);
}

static void dvrc_test_path(struct dvrc *d, struct dvrc_random *rnd, u32 rtt)
{
	d->path.rtt = rtt * TFRC_NSEC_PER_USEC;
	d->path.deviation = dvrc_random(rnd, rtt / 4) * TFRC_NSEC_PER_USEC;
}

static void dvrc_test_near(struct kunit *test, int seed, const char *what,
			   u64 got, u64 want)
{
	/* in units of 2^-16 bytes/s; the equation is exact to 10^-6 */
	KUNIT_EXPECT_LE_MSG(test, abs((s64)(got - want)), 4096 + want / 100000,
			    "sequence %d: %s %llu, not %llu", seed, what, got,
			    want);
}

static void dvrc_test_sequence(struct kunit *test, int seed,
			       const struct dvrc_sequence_row *row)
{
	struct dvrc_random rnd = { seed + 1 };
	u64 now = TFRC_NSEC_PER_SEC, gap, p;
	u32 decisions = 0, rtt, spread, size;
	struct dvrc d = {};
	bool idle, marked;

	dvrc_test_draw(&d, &rnd);
	rtt = 1000 + dvrc_random(&rnd, 300000);
	dvrc_test_path(&d, &rnd, rtt);
	spread = 2 + dvrc_random(&rnd, rtt);

	for (int step = 0; step < SEQUENCE_STEPS; step++) {
		gap = 1 + dvrc_random(&rnd, spread);
		if (!dvrc_random(&rnd, 32))
			gap *= 20;
		now += gap * TFRC_NSEC_PER_USEC;
		for (int i = 0; i < 6 && dvrc_timeout_at(&d) <= now; i++) {
			dvrc_timeout(&d, dvrc_timeout_at(&d));
			decisions = decisions * 31 + d.decision;
		}
		size = 1 + dvrc_random(&rnd, 2 * d.s);
		idle = !dvrc_random(&rnd, 4);
		dvrc_arrival(&d, size, d.s, idle, now);

		p = tfrc_mul_div(1 + dvrc_random(&rnd, 100000), TFRC_P_ONE,
				 1000000);
		marked = !dvrc_random(&rnd, 4);
		if (!dvrc_random(&rnd, 12)) {
			dvrc_loss(&d, p, marked, now);
			decisions = decisions * 31 + d.decision;
		} else if (!dvrc_random(&rnd, 12)) {
			dvrc_more_loss(&d, p, marked, now);
			decisions = decisions * 31 + d.decision;
		} else if (dvrc_round_over(&d, now)) {
			dvrc_increase(&d, d.history.epochs ? p : 0, now);
			decisions = decisions * 31 + d.decision;
		}
		decisions = decisions * 31 + dvrc_layers_now(&d, now);
		if (!dvrc_random(&rnd, 20))
			dvrc_test_path(&d, &rnd,
				       1000 + dvrc_random(&rnd, 300000));
	}
	KUNIT_EXPECT_EQ_MSG(test, decisions, row->decisions, "sequence %d",
			    seed);
	dvrc_test_near(test, seed, "R", d.r, row->r);
	dvrc_test_near(test, seed, "mean", d.history.mean, row->mean);
	dvrc_test_near(test, seed, "deviation", d.history.deviation,
		       row->deviation);
	KUNIT_EXPECT_EQ_MSG(test, dvrc_layers_in(&d.layers, d.r), row->k,
			    "sequence %d", seed);
	KUNIT_EXPECT_EQ_MSG(test, d.random, row->random, "sequence %d", seed);
	KUNIT_EXPECT_EQ_MSG(test, d.congestion, row->congestion, "sequence %d",
			    seed);
	KUNIT_EXPECT_EQ_MSG(test, d.timeouts, row->timeouts, "sequence %d",
			    seed);
}

static void dvrc_test_sequences(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(dvrc_sequence_table); i++)
		dvrc_test_sequence(test, i, &dvrc_sequence_table[i]);
}

static void dvrc_test_params(struct kunit *test)
{
	static const struct {
		struct dccp_dvrc_rx_params par;
		bool valid;
	} cases[] = {
		{ { 1000, 1000, 500, 1500, 1000, 1, 8,
		    1000, 4000, 125, 250, 0, 1 }, true },
		{ { 1, 1, 1, 0, 1, 1, 2, 0, 0, 1, 1, 0, 0 }, true },
		{ { 65535, 65535, 999, 65535, 65535, 255, 255, 65535, 65535,
		    1000, 1000, 60000, 1 }, true },
		{ { 0, 1000, 500, 1500, 1000, 1, 8, 0, 0, 1, 1 }, false },
		{ { 1000, 0, 500, 1500, 1000, 1, 8, 0, 0, 1, 1 }, false },
		{ { 1000, 1000, 0, 1500, 1000, 1, 8, 0, 0, 1, 1 }, false },
		{ { 1000, 1000, 1000, 1500, 1000, 1, 8, 0, 0, 1, 1 }, false },
		{ { 1000, 1000, 500, 1500, 0, 1, 8, 0, 0, 1, 1 }, false },
		{ { 1000, 1000, 500, 1500, 1000, 0, 8, 0, 0, 1, 1 }, false },
		{ { 1000, 1000, 500, 1500, 1000, 1, 1, 0, 0, 1, 1 }, false },
		{ { 1000, 1000, 500, 1500, 1000, 1, 8,
		    0, 0, 0, 1, 0, 0 }, false },
		{ { 1000, 1000, 500, 1500, 1000, 1, 8,
		    0, 0, 1001, 1, 0, 0 }, false },
		{ { 1000, 1000, 500, 1500, 1000, 1, 8,
		    0, 0, 1, 0, 0, 0 }, false },
		{ { 1000, 1000, 500, 1500, 1000, 1, 8,
		    0, 0, 1, 1001, 0, 0 }, false },
		{ { 1000, 1000, 500, 1500, 1000, 1, 8,
		    0, 0, 1, 1, 60001, 0 }, false },
		{ { 1000, 1000, 500, 1500, 1000, 1, 8,
		    0, 0, 1, 1, 0, 2 }, false },
		{ { 1000, 1000, 500, 1500, 1000, 1, 8,
		    0, 0, 1, 1, 0, 0, 1 }, false },
	};
	static const struct {
		struct dccp_dvrc_tx_params par;
		bool valid;
	} sender[] = {
		{ { 900, 250, 1 }, true },
		{ { 0, 0, 0 }, true },
		{ { 999, 999, 1 }, true },
		{ { 1000, 250, 1 }, false },
		{ { 900, 1000, 1 }, false },
		{ { 900, 250, 2 }, false },
		{ { 900, 250, 1, 1 }, true },
		{ { 900, 250, 1, 2 }, false },
		{ { 900, 250, 1, 0, 1000 }, true },
		{ { 900, 250, 1, 0, 1001 }, false },
	};

	for (int i = 0; i < ARRAY_SIZE(cases); i++)
		KUNIT_EXPECT_EQ_MSG(test, dvrc_rx_params_valid(&cases[i].par),
				    cases[i].valid, "case %d", i);
	for (int i = 0; i < ARRAY_SIZE(sender); i++)
		KUNIT_EXPECT_EQ_MSG(test, dvrc_tx_params_valid(&sender[i].par),
				    sender[i].valid, "sender %d", i);
}

static struct kunit_case dvrc_cases[] = {
	KUNIT_CASE(dvrc_test_rtt),
	KUNIT_CASE(dvrc_test_rtt_bounds),
	KUNIT_CASE(dvrc_test_dto),
	KUNIT_CASE(dvrc_test_rate),
	KUNIT_CASE(dvrc_test_history),
	KUNIT_CASE(dvrc_test_start),
	KUNIT_CASE(dvrc_test_small_first),
	KUNIT_CASE(dvrc_test_hold),
	KUNIT_CASE(dvrc_test_loss),
	KUNIT_CASE(dvrc_test_first_epoch),
	KUNIT_CASE(dvrc_test_nominal),
	KUNIT_CASE(dvrc_test_mark),
	KUNIT_CASE(dvrc_test_once),
	KUNIT_CASE(dvrc_test_burst),
	KUNIT_CASE(dvrc_test_idle_loss),
	KUNIT_CASE(dvrc_test_more_loss),
	KUNIT_CASE(dvrc_test_increase),
	KUNIT_CASE(dvrc_test_bounds),
	KUNIT_CASE(dvrc_test_validation),
	KUNIT_CASE(dvrc_test_use),
	KUNIT_CASE(dvrc_test_even),
	KUNIT_CASE(dvrc_test_frames),
	KUNIT_CASE(dvrc_test_pause),
	KUNIT_CASE(dvrc_test_timeout),
	KUNIT_CASE(dvrc_test_receiving),
	KUNIT_CASE(dvrc_test_sequences),
	KUNIT_CASE(dvrc_test_params),
	{ }
};

static struct kunit_suite dvrc_suite = {
	.name = "dvrc",
	.test_cases = dvrc_cases,
};

kunit_test_suite(dvrc_suite);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The dccp-ccids developers");
MODULE_VERSION(DCCP_CCIDS_VERSION);
MODULE_DESCRIPTION("Tests of DVRC");
