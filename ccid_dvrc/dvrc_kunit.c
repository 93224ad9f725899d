// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of DVRC beside its paper: each equation against exact values, each branch
 * at its border, and random sequences against the model of dvrc_kunit_gen.py.
 */
#include <kunit/test.h>
#include <linux/math.h>
#include <linux/module.h>
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
};

/* Eq. 2, 3 and 4: to the ns. */
static void dvrc_test_rtt(struct kunit *test)
{
	const struct dvrc_rtt_row *row = dvrc_rtt_table;

	for (int i = 0; i < ARRAY_SIZE(dvrc_rtt_table); i++, row++) {
		struct dvrc_rtt t = { row->before, row->deviation };

		dvrc_rtt_sample(&t, row->sample);
		KUNIT_EXPECT_EQ_MSG(test, t.rtt, row->rtt, "row %d", i);
		KUNIT_EXPECT_EQ_MSG(test, t.deviation, row->new_deviation,
				    "row %d", i);
		/* as fast as that no floor is met */
		KUNIT_EXPECT_EQ_MSG(test, dvrc_dto(&t, 1, TFRC_RATE_MAX),
				    row->dto, "row %d", i);
	}
}

/* The first sample, and samples of any value. */
static void dvrc_test_rtt_bounds(struct kunit *test)
{
	struct dvrc_rtt t = {};

	dvrc_rtt_sample(&t, 100 * MS);
	KUNIT_EXPECT_EQ(test, t.rtt, 100 * MS);
	KUNIT_EXPECT_EQ(test, t.deviation, 0);
	/* 0.9 * 100 + 0.1 * 200 = 110: 0.75 * 10; then 0.25 * 7.5 */
	dvrc_rtt_sample(&t, 200 * MS);
	KUNIT_EXPECT_EQ(test, t.rtt, 110 * MS);
	KUNIT_EXPECT_EQ(test, t.deviation, 7500000);
	dvrc_rtt_sample(&t, 110 * MS);
	KUNIT_EXPECT_EQ(test, t.deviation, 1875000);
	dvrc_rtt_sample(&t, 0);
	KUNIT_EXPECT_EQ(test, t.rtt, 99001000);
	for (int i = 0; i < 1000; i++)
		dvrc_rtt_sample(&t, U64_MAX);
	KUNIT_EXPECT_LE(test, t.rtt, TFRC_RTT_MAX);
	KUNIT_EXPECT_LE(test, t.deviation, TFRC_RTT_MAX);
}

/* DTO is four packets at least: 4000 bytes at 20000 bytes/s take 200 ms. */
static void dvrc_test_dto(struct kunit *test)
{
	const struct dvrc_rtt t = { 100 * MS, 25 * MS };

	KUNIT_EXPECT_EQ(test, dvrc_dto(&t, 1000, TFRC_RATE(20000)), 200 * MS);
	KUNIT_EXPECT_EQ(test, dvrc_dto(&t, 1000, TFRC_RATE(20001)), 200 * MS);
	KUNIT_EXPECT_EQ(test, dvrc_dto(&t, 1000, TFRC_RATE(10000)), 400 * MS);
	KUNIT_EXPECT_EQ(test, dvrc_dto(&t, 1000, TFRC_RATE(1000000)), 200 * MS);
	KUNIT_EXPECT_EQ(test, dvrc_dto(&t, 65535, 0),
			4 * 64 * TFRC_NSEC_PER_SEC);
}

/* Eq. 11, the three branches: to a part of 2^16 bytes/s. */
static void dvrc_test_rate(struct kunit *test)
{
	const struct dvrc_rate_row *row = dvrc_rate_table;
	u64 r;

	for (int i = 0; i < ARRAY_SIZE(dvrc_rate_table); i++, row++) {
		r = dvrc_increased(row->r, row->s, row->rtt, row->alpha);
		KUNIT_EXPECT_LE_MSG(test, abs((s64)(r - row->increased)), 1,
				    "row %d: %llu", i, r);
		r = dvrc_decreased(row->r, row->s, row->rtt, row->alpha,
				   row->beta);
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
	struct dvrc_history h = {};

	KUNIT_EXPECT_EQ(test, dvrc_threshold(&h, 1500), 0);
	dvrc_history_add(&h, 100000);
	KUNIT_EXPECT_EQ(test, h.mean, 100000);
	KUNIT_EXPECT_EQ(test, h.deviation, 50000);
	KUNIT_EXPECT_EQ(test, dvrc_threshold(&h, 1500), 25000);
	KUNIT_EXPECT_EQ(test, dvrc_threshold(&h, 0), 100000);
	KUNIT_EXPECT_EQ(test, dvrc_threshold(&h, 2000), 0);
	KUNIT_EXPECT_EQ(test, dvrc_threshold(&h, 65535), 0);
	dvrc_history_add(&h, 180000);
	KUNIT_EXPECT_EQ(test, h.deviation, 57500);
	KUNIT_EXPECT_EQ(test, h.mean, 110000);
	dvrc_history_add(&h, 20000);
	KUNIT_EXPECT_EQ(test, h.deviation, 65625);
	KUNIT_EXPECT_EQ(test, h.mean, 98750);
	KUNIT_EXPECT_EQ(test, h.epochs, 3);
	/* no rate is too great */
	for (int i = 0; i < 100; i++)
		dvrc_history_add(&h, TFRC_RATE_MAX);
	KUNIT_EXPECT_LE(test, h.mean, TFRC_RATE_MAX);
	KUNIT_EXPECT_GT(test, dvrc_threshold(&h, 1000), TFRC_RATE_MAX / 2);
}

/* Section 3.3: K for R at, and next to, each of the rates. */
static void dvrc_test_layers_in(struct kunit *test)
{
	struct dvrc_layers l = {};
	u32 rate[DCCP_DVRC_LAYERS_MAX];

	KUNIT_EXPECT_EQ(test, dvrc_layers_in(&l, 0), 0);
	KUNIT_EXPECT_EQ(test, dvrc_layers_in(&l, U64_MAX), 0);
	for (u32 k = 1; k <= DCCP_DVRC_LAYERS_MAX; k++) {
		for (u32 j = 0; j < k; j++)
			rate[j] = j < 15 ? 1000 * (j + 1) * (j + 2) : U32_MAX;
		dvrc_layers_set(&l, rate, k * sizeof(u32));
		KUNIT_EXPECT_EQ(test, dvrc_layers_in(&l, 0), 1);
		KUNIT_EXPECT_EQ(test, dvrc_layers_in(&l, U64_MAX), k);
		for (u32 j = 1; j <= k; j++) {
			u64 c = TFRC_RATE(rate[j - 1]);

			KUNIT_EXPECT_EQ(test, dvrc_layers_in(&l, c), j);
			KUNIT_EXPECT_EQ(test, dvrc_layers_in(&l, c + 1), j);
			KUNIT_EXPECT_EQ(test, dvrc_layers_in(&l, c - 1),
					max(j - 1, 1U));
		}
	}
}

static void dvrc_test_layers_valid(struct kunit *test)
{
	static const u32 good[] = { 1, 2, 1000, U32_MAX };
	static const u32 equal[] = { 1, 2, 2 };
	static const u32 falling[] = { 3, 2 };
	static const u32 zero[] = { 0, 2 };
	u32 many[DCCP_DVRC_LAYERS_MAX + 1];

	for (u32 i = 0; i < ARRAY_SIZE(many); i++)
		many[i] = i + 1;
	for (size_t size = 0; size <= sizeof(many); size++)
		KUNIT_EXPECT_EQ(test, dvrc_layers_valid(many, size),
				size && size % 4 == 0 && size <= 64);
	KUNIT_EXPECT_TRUE(test, dvrc_layers_valid(good, sizeof(good)));
	KUNIT_EXPECT_FALSE(test, dvrc_layers_valid(equal, sizeof(equal)));
	KUNIT_EXPECT_FALSE(test, dvrc_layers_valid(falling, sizeof(falling)));
	KUNIT_EXPECT_FALSE(test, dvrc_layers_valid(zero, sizeof(zero)));
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

/* The first rate is c_1, or what TFRC begins with: 4 packets in an RTT. */
static void dvrc_test_start(struct kunit *test)
{
	static const u32 rate[] = { 5000, 9000 };
	struct dvrc d = { .par = dvrc_test_par, .path = { 100 * MS, 0 } };

	dvrc_arrival(&d, 1000, 1000, false, 0);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(40000));
	memset(&d, 0, sizeof(d));
	d.par = dvrc_test_par;
	d.path.rtt = 100 * MS;
	dvrc_layers_set(&d.layers, rate, sizeof(rate));
	dvrc_arrival(&d, 1000, 1000, false, 0);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(5000));
}

/* The second and the third branch, at the threshold and a part of 2^16 below. */
static void dvrc_test_loss(struct kunit *test)
{
	const u64 rate = TFRC_RATE(100000);
	struct dvrc d;
	u64 now;

	d = dvrc_test_new(&now);
	KUNIT_EXPECT_EQ(test, dvrc_receiving_rate(&d, now), rate);
	/* no epoch before it, and no congestion to be seen */
	dvrc_loss(&d, 0, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(990000));
	KUNIT_EXPECT_EQ(test, d.decision, DCCP_DVRC_RANDOM);
	KUNIT_EXPECT_EQ(test, d.history.mean, rate);
	KUNIT_EXPECT_EQ(test, d.history.deviation, rate / 2);

	/* threshold: mean - 1.5 * deviation */
	d = dvrc_test_new(&now);
	d.history = (struct dvrc_history) { rate + 3 * 1000, 2 * 1000, 1 };
	dvrc_loss(&d, 0, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(990000));
	KUNIT_EXPECT_EQ(test, d.random, 1);
	KUNIT_EXPECT_EQ(test, d.congestion, 0);

	d = dvrc_test_new(&now);
	d.history = (struct dvrc_history) { rate + 3 * 1000 + 1, 2 * 1000, 1 };
	dvrc_loss(&d, 0, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(500000));
	KUNIT_EXPECT_EQ(test, d.decision, DCCP_DVRC_CONGESTION);
	KUNIT_EXPECT_EQ(test, d.congestion, 1);
	/* the rate has entered the history after the comparison */
	KUNIT_EXPECT_EQ(test, d.history.mean, (7 * (rate + 3001) + rate) / 8);
	KUNIT_EXPECT_EQ(test, d.history.epochs, 2);

	/* a packet less than half: the gentle cut is no harder than the hard one */
	d = dvrc_test_new(&now);
	d.r = TFRC_RATE(15000);
	dvrc_loss(&d, 0, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(7500));
	KUNIT_EXPECT_EQ(test, d.decision, DCCP_DVRC_RANDOM);
}

/* The first branch: after each round trip without loss, and not before. */
static void dvrc_test_increase(struct kunit *test)
{
	struct dvrc d;
	u64 now;

	d = dvrc_test_new(&now);
	d.layers = (struct dvrc_layers) { .rate = { 1000000 }, .k = 1 };
	d.r = TFRC_RATE(150000);
	dvrc_loss(&d, 0, now);
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

/* What bounds R: c_k, the equation, or what arrives. */
static void dvrc_test_bounds(struct kunit *test)
{
	static const u32 rate[] = { 5000, 50000, 145000 };
	u64 p = TFRC_P_ONE / 100, x = tfrc_calc_x(1000, 100 * MS, p), now;
	struct dvrc d;

	/* 100000 arrives: from twice that on, R does not grow */
	d = dvrc_test_new(&now);
	d.r = TFRC_RATE(200000) - 1;
	dvrc_increase(&d, 0, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(210000) - 1);
	dvrc_increase(&d, 0, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(210000) - 1);

	/* 112 kbyte/s: once and one and a half times */
	d = dvrc_test_new(&now);
	d.r = TFRC_RATE(110000);
	dvrc_increase(&d, p, now);
	KUNIT_EXPECT_EQ(test, d.r, x);
	d.par.weight = 1500;
	d.r = TFRC_RATE(165000);
	dvrc_increase(&d, p, now);
	KUNIT_EXPECT_EQ(test, d.r, x * 3 / 2);
	/* a loss does not lift it there */
	d.r = TFRC_RATE(50000);
	dvrc_loss(&d, p, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(40000));

	/* c_k, whatever arrives and whatever p is */
	d = dvrc_test_new(&now);
	dvrc_layers_set(&d.layers, rate, sizeof(rate));
	d.r = TFRC_RATE(125000);
	dvrc_increase(&d, p, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(135000));
	dvrc_increase(&d, p, now);
	dvrc_increase(&d, p, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(145000));

	/* nor is there ever nothing left, or too much */
	d = dvrc_test_new(&now);
	for (int i = 0; i < 100; i++)
		dvrc_timeout(&d, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(1000) / 64);
	d.par.alpha_i = U16_MAX;
	d.path.rtt = TFRC_RTT_MIN;
	d.r = TFRC_RATE_MAX;
	d.layers.k = 1;
	d.layers.rate[0] = U32_MAX;
	dvrc_increase(&d, 0, now);
	KUNIT_EXPECT_EQ(test, d.r, TFRC_RATE(U32_MAX));
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

	/* nothing is left to reduce: no more reports */
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
	/* 2^16 of them are a byte/s, and the equation is right to 10^-6 */
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
	bool idle;

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
		if (!dvrc_random(&rnd, 12)) {
			dvrc_loss(&d, p, now);
			decisions = decisions * 31 + d.decision;
		} else if (dvrc_round_over(&d, now)) {
			dvrc_increase(&d, d.history.epochs ? p : 0, now);
			decisions = decisions * 31 + d.decision;
		}
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
		{ { 1000, 1000, 500, 1500, 1000, 1, 8 }, true },
		{ { 1, 1, 1, 0, 1, 1, 2 }, true },
		{ { 65535, 65535, 999, 65535, 65535, 255, 128 }, true },
		{ { 0, 1000, 500, 1500, 1000, 1, 8 }, false },
		{ { 1000, 0, 500, 1500, 1000, 1, 8 }, false },
		{ { 1000, 1000, 0, 1500, 1000, 1, 8 }, false },
		{ { 1000, 1000, 1000, 1500, 1000, 1, 8 }, false },
		{ { 1000, 1000, 500, 1500, 0, 1, 8 }, false },
		{ { 1000, 1000, 500, 1500, 1000, 0, 8 }, false },
		{ { 1000, 1000, 500, 1500, 1000, 1, 1 }, false },
		{ { 1000, 1000, 500, 1500, 1000, 1, 129 }, false },
	};

	for (int i = 0; i < ARRAY_SIZE(cases); i++)
		KUNIT_EXPECT_EQ_MSG(test, dvrc_rx_params_valid(&cases[i].par),
				    cases[i].valid, "case %d", i);
}

static struct kunit_case dvrc_cases[] = {
	KUNIT_CASE(dvrc_test_rtt),
	KUNIT_CASE(dvrc_test_rtt_bounds),
	KUNIT_CASE(dvrc_test_dto),
	KUNIT_CASE(dvrc_test_rate),
	KUNIT_CASE(dvrc_test_history),
	KUNIT_CASE(dvrc_test_layers_in),
	KUNIT_CASE(dvrc_test_layers_valid),
	KUNIT_CASE(dvrc_test_start),
	KUNIT_CASE(dvrc_test_loss),
	KUNIT_CASE(dvrc_test_increase),
	KUNIT_CASE(dvrc_test_bounds),
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
MODULE_DESCRIPTION("Tests of DVRC");
