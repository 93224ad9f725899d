// SPDX-License-Identifier: GPL-2.0-only
/*
 * The framework: each row of its table, in their order and at their borders, and a
 * thousand random sequences against a model that constraint_kunit_gen.py keeps.
 */
#include <kunit/test.h>
#include <linux/math.h>
#include <linux/module.h>
#include "constraint.c"

#define MS	TFRC_NSEC_PER_MSEC

struct sequence_row {
	u64	r;
	s64	b;
	u32	decisions;
	u32	resets;
};

#include "constraint_kunit_table.h"

/* r_min 40000, r_max 100000, S 250, delta 500, l_allowed 1 %, T 5 s */
static const struct dccp_ctfaf_constraints ctfaf_test_par = {
	.r_min = 40000,
	.r_max = 100000,
	.step = 250,
	.delta = 500,
	.increase = 1250,
	.l_allowed = 10000,
	.interval = 5000,
	.t_reset = 60000,
	.t_init = 60000,
};

static struct ctfaf ctfaf_test_new(u32 r, s64 b)
{
	return (struct ctfaf) {
		.par = ctfaf_test_par,
		.r = TFRC_RATE(r),
		.b = b * (1 << TFRC_RATE_SHIFT),
	};
}

/* 2 % of losses: more than are allowed */
#define LOSS	85899345

/* The table: what is asked for, with which r and B, and what comes of it. */
static const struct {
	const char *what;
	s32 ask;
	u32 loss;
	u32 r;
	s32 b;
	u32 r_after;
	s32 b_after;
	enum dccp_ctfaf_decision decision;
} ctfaf_rows[] = {
	/* decrease, row 1: eq. 3 */
	{ "few losses", -300, 1, 60000, 0, 60000, -300,
	  DCCP_CTFAF_TOLERATED },
	{ "just below l_allowed", -300, 42949672, 60000, 0, 60000, -300,
	  DCCP_CTFAF_TOLERATED },
	{ "l_allowed, and 2^-32", -300, 42949673, 60000, 0, 59700, 0,
	  DCCP_CTFAF_DECREASE },
	{ "few losses come first", -600, 1, 40000, 9000, 40000, 8400,
	  DCCP_CTFAF_TOLERATED },
	{ "below r_min", -301, LOSS, 40300, 0, 40300, -301,
	  DCCP_CTFAF_AT_MIN },
	{ "to r_min", -300, LOSS, 40300, 0, 40000, 0, DCCP_CTFAF_DECREASE },
	{ "at r_min", -1, LOSS, 40000, 0, 40000, -1, DCCP_CTFAF_AT_MIN },
	{ "below r_min before credit", -500, LOSS, 40300, 900, 40300, 400,
	  DCCP_CTFAF_AT_MIN },
	{ "below r_min before delta", -5000, LOSS, 41000, 0, 41000, -5000,
	  DCCP_CTFAF_AT_MIN },
	{ "below r_min before debt", -400, LOSS, 40300, -900, 40300, -1300,
	  DCCP_CTFAF_AT_MIN },
	/* row 2: eq. 4 */
	{ "credit", -300, LOSS, 60000, 1, 60000, -299, DCCP_CTFAF_CREDIT },
	{ "credit before delta", -5000, LOSS, 60000, 9000, 60000, 4000,
	  DCCP_CTFAF_CREDIT },
	/* row 3: eq. 2 */
	{ "above delta", -501, LOSS, 60000, 0, 59500, -1,
	  DCCP_CTFAF_DECREASE_DELTA },
	{ "above delta, debt", -700, LOSS, 60000, -100, 59500, -300,
	  DCCP_CTFAF_DECREASE_DELTA },
	{ "delta", -500, LOSS, 60000, 0, 59500, 0, DCCP_CTFAF_DECREASE },
	/* row 4: eq. 5 */
	{ "debt", -300, LOSS, 60000, -1000, 59500, -800, DCCP_CTFAF_REPAY },
	{ "debt, delta", -500, LOSS, 60000, -1000, 59500, -1000,
	  DCCP_CTFAF_REPAY },
	{ "small debt", -300, LOSS, 60000, -1, 59500, 199, DCCP_CTFAF_REPAY },
	{ "debt, near r_min", -100, LOSS, 40300, -1000, 40000, -800,
	  DCCP_CTFAF_REPAY },
	/* row 5 */
	{ "decrease", -300, LOSS, 60000, 0, 59700, 0, DCCP_CTFAF_DECREASE },
	/* increase, row 1 */
	{ "beyond r_max", 400, 0, 99700, 0, 100000, 100, DCCP_CTFAF_AT_MAX },
	{ "to r_max", 300, 0, 99700, 0, 100000, 0, DCCP_CTFAF_INCREASE },
	{ "at r_max", 300, 0, 100000, 0, 100000, 300, DCCP_CTFAF_AT_MAX },
	{ "beyond r_max, debt", 400, 0, 99700, -1000, 100000, -900,
	  DCCP_CTFAF_AT_MAX },
	{ "beyond r_max, above delta", 5000, 0, 99700, 0, 100000, 4700,
	  DCCP_CTFAF_AT_MAX },
	{ "beyond r_max, further than delta", 50000, 0, 99000, 0, 99500,
	  49500, DCCP_CTFAF_AT_MAX },
	/* row 2: eq. 6, with plus */
	{ "restraint", 300, 0, 60000, -1000, 60000, -700,
	  DCCP_CTFAF_RESTRAINT },
	{ "restraint before delta", 5000, 0, 60000, -1, 60000, 4999,
	  DCCP_CTFAF_RESTRAINT },
	/* row 3: eq. 1 */
	{ "above delta", 501, 0, 60000, 0, 60500, 1,
	  DCCP_CTFAF_INCREASE_DELTA },
	{ "above delta, credit", 700, 0, 60000, 100, 60500, 300,
	  DCCP_CTFAF_INCREASE_DELTA },
	{ "delta", 500, 0, 60000, 0, 60500, 0, DCCP_CTFAF_INCREASE },
	/* row 4 */
	{ "increase", 300, 0, 60000, 0, 60300, 0, DCCP_CTFAF_INCREASE },
	{ "increase, credit", 300, 0, 60000, 70, 60300, 70,
	  DCCP_CTFAF_INCREASE },
	{ "increase in spite of losses", 300, LOSS, 60000, 0, 60300, 0,
	  DCCP_CTFAF_INCREASE },
	{ "nothing", 0, 0, 60000, 0, 60000, 0, DCCP_CTFAF_INCREASE },
};

static void ctfaf_test_table(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(ctfaf_rows); i++) {
		struct ctfaf c = ctfaf_test_new(ctfaf_rows[i].r,
						ctfaf_rows[i].b);

		ctfaf_decide(&c, (s64)ctfaf_rows[i].ask *
			     (1 << TFRC_RATE_SHIFT), ctfaf_rows[i].loss, false);
		KUNIT_EXPECT_EQ_MSG(test, c.r, TFRC_RATE(ctfaf_rows[i].r_after),
				    "row %d, %s", i, ctfaf_rows[i].what);
		KUNIT_EXPECT_EQ_MSG(test, c.b / (1 << TFRC_RATE_SHIFT),
				    ctfaf_rows[i].b_after, "row %d, %s", i,
				    ctfaf_rows[i].what);
		KUNIT_EXPECT_EQ_MSG(test, c.decision, ctfaf_rows[i].decision,
				    "row %d, %s", i, ctfaf_rows[i].what);
	}
}

/* l_allowed is not tolerated, 2^-32 less is. */
static void ctfaf_test_tolerated(struct kunit *test)
{
	struct ctfaf c = ctfaf_test_new(60000, 0);

	c.par.l_allowed = 500000;
	ctfaf_decide(&c, -(s64)TFRC_RATE(300), (1U << 31) - 1, false);
	KUNIT_EXPECT_EQ(test, c.decision, DCCP_CTFAF_TOLERATED);
	ctfaf_decide(&c, TFRC_RATE(300), 0, false);
	ctfaf_decide(&c, -(s64)TFRC_RATE(300), 1U << 31, false);
	KUNIT_EXPECT_EQ(test, c.decision, DCCP_CTFAF_DECREASE);
	c.par.l_allowed = 1000000;
	ctfaf_decide(&c, -(s64)TFRC_RATE(300), U32_MAX, false);
	KUNIT_EXPECT_EQ(test, c.decision, DCCP_CTFAF_TOLERATED);
}

/* A delta of 599 is two steps of 250: what is sent moves by no more than 599. */
static void ctfaf_test_delta(struct kunit *test)
{
	struct ctfaf c = ctfaf_test_new(60249, 0);

	c.par.delta = 599;
	ctfaf_decide(&c, TFRC_RATE(599), 0, false);
	KUNIT_EXPECT_EQ(test, c.decision, DCCP_CTFAF_INCREASE_DELTA);
	KUNIT_EXPECT_EQ(test, c.r, TFRC_RATE(60749));
	KUNIT_EXPECT_EQ(test, c.b, TFRC_RATE(99));
	KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), TFRC_RATE(60500));
}

/* During T_init there is no delta and no B, but there are limits. */
static void ctfaf_test_init(struct kunit *test)
{
	static const struct {
		s32 ask;
		u32 r, r_after;
	} cases[] = {
		{ 30000, 60000, 90000 },
		{ 50000, 60000, 100000 },
		{ -10000, 60000, 50000 },
		{ -20000, 60000, 40000 },
		{ -20001, 60000, 60000 },
	};

	for (int i = 0; i < ARRAY_SIZE(cases); i++) {
		struct ctfaf c = ctfaf_test_new(cases[i].r, 0);

		ctfaf_decide(&c, (s64)cases[i].ask * (1 << TFRC_RATE_SHIFT),
			     LOSS, true);
		KUNIT_EXPECT_EQ(test, c.r, TFRC_RATE(cases[i].r_after));
		KUNIT_EXPECT_EQ(test, c.b, 0);
	}
}

/* T_init ends after 60 s, and B is reset each 60 s from there on. */
static void ctfaf_test_times(struct kunit *test)
{
	struct ctfaf c = { .par = ctfaf_test_par };
	const u64 start = 12345, used = TFRC_RATE(1000000);

	ctfaf_start(&c, start);
	KUNIT_EXPECT_EQ(test, c.r, TFRC_RATE(40000));
	for (u64 s = 5; s <= 300; s += 5) {
		ctfaf_step(&c, TFRC_RATE(1000), 0, used, 5000 * MS,
			   start + s * 1000 * MS);
		if (s < 60) {
			KUNIT_EXPECT_EQ(test, c.r, TFRC_RATE(40000 + 200 * s));
			KUNIT_EXPECT_EQ(test, c.resets, 0);
		} else if (s < 115) {
			/* 500 of 1000 taken */
			KUNIT_EXPECT_EQ(test, c.r,
					TFRC_RATE(51500 + 100 * (s - 60)));
			KUNIT_EXPECT_EQ(test, c.b, TFRC_RATE(100 * (s - 55)));
		} else if (s == 115) {
			/* 6000 to B in 60 s, of which a twelfth */
			KUNIT_EXPECT_EQ(test, c.r, TFRC_RATE(57500));
			KUNIT_EXPECT_EQ(test, c.b, 0);
			KUNIT_EXPECT_EQ(test, c.resets, 1);
		}
	}
	KUNIT_EXPECT_EQ(test, c.resets, 5 - 1);
}

/* Eq. 7: B T/T_reset, within the limits, delta or not. */
static void ctfaf_test_reset(struct kunit *test)
{
	static const struct {
		u32 r;
		s32 b;
		u32 interval, r_after;
	} cases[] = {
		{ 60000, 12000, 5000, 61000 },
		{ 60000, -12000, 5000, 59000 },
		{ 60000, 120000, 5000, 70000 },
		{ 60000, -600000, 5000, 40000 },
		{ 60000, 600000, 5000, 100000 },
		{ 60000, 12000, 60000, 72000 },
		{ 60000, 12000, 120000, 72000 },
		{ 60000, 0, 5000, 60000 },
	};

	for (int i = 0; i < ARRAY_SIZE(cases); i++) {
		struct ctfaf c = ctfaf_test_new(cases[i].r, cases[i].b);

		ctfaf_reset(&c, cases[i].interval * MS);
		KUNIT_EXPECT_EQ(test, c.r, TFRC_RATE(cases[i].r_after));
		KUNIT_EXPECT_EQ(test, c.b, 0);
	}
}

/* r is rounded down to the grid; what is left over stays in r. */
static void ctfaf_test_grid(struct kunit *test)
{
	static const struct {
		u32 r, rate;
	} cases[] = {
		{ 40000, 40000 }, { 40249, 40000 }, { 40250, 40250 },
		{ 99999, 99750 }, { 100000, 100000 }, { 39999, 39999 },
		{ 0, 0 },
	};
	struct ctfaf c;

	for (int i = 0; i < ARRAY_SIZE(cases); i++) {
		c = ctfaf_test_new(cases[i].r, 0);
		KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), TFRC_RATE(cases[i].rate));
	}
	c = ctfaf_test_new(40250, 0);
	c.r--;
	KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), TFRC_RATE(40000));
	c.par.step = 60000;
	c.r = TFRC_RATE(100000);
	KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), TFRC_RATE(100000));

	/* three times 100 make one step of 250 */
	c = ctfaf_test_new(40000, 0);
	for (int i = 1; i <= 3; i++) {
		ctfaf_decide(&c, TFRC_RATE(100), 0, false);
		KUNIT_EXPECT_EQ(test, ctfaf_rate(&c),
				TFRC_RATE(i < 3 ? 40000 : 40250));
	}
}

/* What is ours: half of the rate must be used, and it at most doubles. */
static void ctfaf_test_growth(struct kunit *test)
{
	struct ctfaf c = ctfaf_test_new(60000, -5);

	c.par.delta = 0;
	ctfaf_step(&c, TFRC_RATE(1000), 0, TFRC_RATE(30000) - 1, 5000 * MS, 0);
	KUNIT_EXPECT_EQ(test, c.decision, DCCP_CTFAF_UNUSED);
	KUNIT_EXPECT_EQ(test, c.r, TFRC_RATE(60000));
	c.b = 0;
	ctfaf_step(&c, TFRC_RATE(1000), 0, TFRC_RATE(30000), 5000 * MS, 0);
	KUNIT_EXPECT_EQ(test, c.r, TFRC_RATE(61000));
	/* a decrease always counts */
	ctfaf_step(&c, -(s64)TFRC_RATE(1000), LOSS, 0, 5000 * MS, 0);
	KUNIT_EXPECT_EQ(test, c.r, TFRC_RATE(60000));

	c.par.r_max = U32_MAX;
	ctfaf_step(&c, TFRC_RATE(1000000), 0, TFRC_RATE(60000), 5000 * MS, 0);
	KUNIT_EXPECT_EQ(test, c.r, TFRC_RATE(120000));
}

/* Silence halves r below r_min, and a report brings it back. */
static void ctfaf_test_silence(struct kunit *test)
{
	struct ctfaf c = ctfaf_test_new(60000, 0);

	c.par.r_start = 50000;
	ctfaf_silence(&c, false);
	KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), TFRC_RATE(30000));
	/* an idle one goes no lower than to where it would start */
	ctfaf_silence(&c, true);
	KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), TFRC_RATE(30000));
	c.r = TFRC_RATE(90000);
	ctfaf_silence(&c, true);
	KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), TFRC_RATE(50000));
	for (int i = 0; i < 100; i++)
		ctfaf_silence(&c, false);
	KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), 0);
	KUNIT_EXPECT_EQ(test, c.decision, DCCP_CTFAF_SILENCE);
	ctfaf_step(&c, -1, LOSS, 0, 5000 * MS, 0);
	KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), TFRC_RATE(40000));
}

/* New constraints: a lower r_max at once, a higher r_min with the next report. */
static void ctfaf_test_constrain(struct kunit *test)
{
	struct dccp_ctfaf_constraints par = ctfaf_test_par;
	struct ctfaf c = ctfaf_test_new(60000, 77);

	par.r_max = 50000;
	ctfaf_constrain(&c, &par);
	KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), TFRC_RATE(50000));
	par.r_max = 90000;
	par.r_min = 80000;
	ctfaf_constrain(&c, &par);
	KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), TFRC_RATE(50000));
	ctfaf_step(&c, 0, 0, 0, 5000 * MS, 0);
	KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), TFRC_RATE(80000));
}

/* B stops where it is far beyond any rate, instead of running over. */
static void ctfaf_test_overflow(struct kunit *test)
{
	struct ctfaf c = ctfaf_test_new(40000, 0);

	c.par.l_allowed = 1000000;
	for (int i = 0; i < 5000; i++)
		ctfaf_decide(&c, -(s64)TFRC_RATE_MAX, 1, false);
	KUNIT_EXPECT_EQ(test, c.b, -CTFAF_B_MAX);
	ctfaf_reset(&c, 5000 * MS);
	KUNIT_EXPECT_EQ(test, c.r, TFRC_RATE(40000));
	for (int i = 0; i < 5000; i++)
		ctfaf_decide(&c, TFRC_RATE_MAX, 0, false);
	KUNIT_EXPECT_EQ(test, c.b, CTFAF_B_MAX);
	KUNIT_EXPECT_EQ(test, c.r, TFRC_RATE(100000));
}

/* The same numbers as constraint_kunit_gen.py draws. */
static u32 ctfaf_random(u64 *state, u32 n)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (u32)(*state >> 33) % n;
}

static void ctfaf_test_draw(struct ctfaf *c, u64 *rnd)
{
	struct dccp_ctfaf_constraints *par = &c->par;

	par->r_min = 1000 + ctfaf_random(rnd, 50000);
	par->step = 1 + ctfaf_random(rnd, 5000);
	par->r_max = par->r_min + par->step + ctfaf_random(rnd, 500000);
	par->delta = par->step + ctfaf_random(rnd, 20000);
	if (!ctfaf_random(rnd, 4))
		par->delta = 0;
	par->r_start = par->r_min +
		       ctfaf_random(rnd, par->r_max - par->r_min + 1);
	par->l_allowed = ctfaf_random(rnd, 50000);
	if (ctfaf_random(rnd, 3))
		par->l_allowed = 0;
	par->interval = 100 + ctfaf_random(rnd, 5000);
	par->t_reset = par->interval * (1 + ctfaf_random(rnd, 10));
	par->t_init = par->interval * ctfaf_random(rnd, 8);
	par->increase = 1;
}

static void ctfaf_test_sequence(struct kunit *test, int seed,
				const struct sequence_row *row)
{
	u64 rnd = seed + 1, now = 0, r, rate;
	struct ctfaf c = { };
	u32 decisions = 0;

	ctfaf_test_draw(&c, &rnd);
	KUNIT_ASSERT_TRUE(test, ctfaf_constraints_valid(&c.par));
	ctfaf_start(&c, now);
	for (int i = 0; i < SEQUENCE_STEPS; i++) {
		u32 x = 1 + ctfaf_random(&rnd, 30000), loss, used, resets;
		s64 delta = TFRC_RATE(c.par.delta), ask;

		if (!ctfaf_random(&rnd, 10))
			x *= 10;
		if (!ctfaf_random(&rnd, 16) && c.par.delta)
			x = c.par.delta / c.par.step * c.par.step;
		loss = ctfaf_random(&rnd, 100000) * 42949;
		if (ctfaf_random(&rnd, 2))
			loss = 0;
		used = ctfaf_random(&rnd, 8) ? 1000000 : 0;

		ask = loss ? -(s64)TFRC_RATE(x) : (s64)TFRC_RATE(x);
		now += c.par.interval * MS;
		r = c.r;
		rate = ctfaf_rate(&c);
		resets = c.resets;
		ctfaf_step(&c, ask, loss, TFRC_RATE(used),
			   c.par.interval * MS, now);
		decisions = decisions * 31 + c.decision;

		/* on the grid, within the limits, no further than delta */
		KUNIT_EXPECT_EQ(test, (ctfaf_rate(&c) - TFRC_RATE(c.par.r_min)) %
				TFRC_RATE(c.par.step), 0);
		KUNIT_EXPECT_GE(test, ctfaf_rate(&c), TFRC_RATE(c.par.r_min));
		KUNIT_EXPECT_LE(test, c.r, TFRC_RATE(c.par.r_max));
		if (delta && now >= c.par.t_init * MS && c.resets == resets) {
			KUNIT_EXPECT_LE(test, abs((s64)(c.r - r)), delta);
			KUNIT_EXPECT_LE(test, abs((s64)(ctfaf_rate(&c) - rate)),
					delta);
		}
	}
	/* the model does not round when B is reset */
	KUNIT_EXPECT_LE_MSG(test, abs((s64)(c.r - row->r)), 64,
			    "sequence %d: r %llu, not %llu", seed, c.r, row->r);
	KUNIT_EXPECT_LE_MSG(test, abs(c.b - row->b), 64,
			    "sequence %d: B %lld, not %lld", seed, c.b, row->b);
	KUNIT_EXPECT_EQ_MSG(test, decisions, row->decisions, "sequence %d",
			    seed);
	KUNIT_EXPECT_EQ_MSG(test, c.resets, row->resets, "sequence %d", seed);
}

static void ctfaf_test_sequences(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(sequence_table); i++)
		ctfaf_test_sequence(test, i, &sequence_table[i]);
}

static void ctfaf_test_valid(struct kunit *test)
{
#define CASE(v, member, value)						\
	{ #member " = " #value, offsetof(struct dccp_ctfaf_constraints,	\
					 member), value, v }
	static const struct {
		const char *what;
		size_t offset;
		u32 value;
		bool valid;
	} cases[] = {
		CASE(true, r_min, 1), CASE(false, r_min, 0),
		CASE(true, r_min, 99750), CASE(false, r_min, 99751),
		CASE(false, r_min, 100001), CASE(false, r_min, U32_MAX),
		CASE(true, r_max, U32_MAX), CASE(true, r_max, 40250),
		CASE(false, r_max, 40249), CASE(false, r_max, 40000),
		CASE(false, r_max, 39999), CASE(false, r_max, 0),
		CASE(false, step, 0), CASE(true, step, 1),
		CASE(true, step, 500), CASE(false, step, 501),
		CASE(false, step, U32_MAX),
		CASE(true, delta, 0), CASE(false, delta, 249),
		CASE(true, delta, 250), CASE(true, delta, U32_MAX),
		CASE(true, r_start, 40000), CASE(true, r_start, 100000),
		CASE(false, r_start, 39999), CASE(false, r_start, 100001),
		CASE(false, increase, 0), CASE(true, increase, U32_MAX),
		CASE(true, l_allowed, 1000000), CASE(false, l_allowed, 1000001),
		CASE(false, interval, 0), CASE(false, interval, 99),
		CASE(true, interval, 100), CASE(true, interval, 60000),
		CASE(false, interval, 60001),
		CASE(true, t_reset, 5000), CASE(false, t_reset, 4999),
		CASE(true, t_reset, 3600000), CASE(false, t_reset, 3600001),
		CASE(true, t_init, 0), CASE(true, t_init, 3600000),
		CASE(false, t_init, 3600001),
	};
	struct dccp_ctfaf_constraints par;

	for (int i = 0; i < ARRAY_SIZE(cases); i++) {
		par = ctfaf_test_par;
		memcpy((char *)&par + cases[i].offset, &cases[i].value,
		       sizeof(u32));
		KUNIT_EXPECT_EQ_MSG(test, ctfaf_constraints_valid(&par),
				    cases[i].valid, "%s", cases[i].what);
	}
	for (u32 i = 0; i < 256; i++) {
		par = ctfaf_test_par;
		par.probes = i;
		KUNIT_EXPECT_EQ(test, ctfaf_constraints_valid(&par),
				i != 1 && i <= 15);
		par = ctfaf_test_par;
		par.algorithm = i;
		KUNIT_EXPECT_EQ(test, ctfaf_constraints_valid(&par), i < 2);
		par = ctfaf_test_par;
		par.reserved[i % 2] = i;
		KUNIT_EXPECT_EQ(test, ctfaf_constraints_valid(&par), !i);
	}
}

static struct kunit_case ctfaf_cases[] = {
	KUNIT_CASE(ctfaf_test_table),
	KUNIT_CASE(ctfaf_test_tolerated),
	KUNIT_CASE(ctfaf_test_delta),
	KUNIT_CASE(ctfaf_test_init),
	KUNIT_CASE(ctfaf_test_times),
	KUNIT_CASE(ctfaf_test_reset),
	KUNIT_CASE(ctfaf_test_grid),
	KUNIT_CASE(ctfaf_test_growth),
	KUNIT_CASE(ctfaf_test_silence),
	KUNIT_CASE(ctfaf_test_constrain),
	KUNIT_CASE(ctfaf_test_overflow),
	KUNIT_CASE(ctfaf_test_sequences),
	KUNIT_CASE(ctfaf_test_valid),
	{ }
};

static struct kunit_suite ctfaf_suite = {
	.name = "ctfaf",
	.test_cases = ctfaf_cases,
};

kunit_test_suite(ctfaf_suite);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Tests of CTFAF and LDA+");
