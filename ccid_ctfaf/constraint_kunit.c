// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the framework: each row of the table, in their order and at their borders, and
 * a thousand random sequences against the model of constraint_kunit_gen.py.
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
#include "constraint_paper_kunit_table.h"

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
	.l_severe = 1000000,
	.probe_every = 1,
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

/* The table: the change that is asked for, r and B before and after, the decision */
struct ctfaf_row {
	const char *what;
	s32 ask;
	u32 loss;
	u32 r;
	s32 b;
	u32 r_after;
	s32 b_after;
	enum dccp_ctfaf_decision decision;
};

static const struct ctfaf_row ctfaf_rows[] = {
	/* decrease, row 1: eq. 3 */
	{ "few losses", -300, 1, 60000, 0, 60000, -300,
	  DCCP_CTFAF_TOLERATED },
	{ "just below l_allowed", -300, 42949672, 60000, 0, 60000, -300,
	  DCCP_CTFAF_TOLERATED },
	{ "l_allowed, and 2^-32", -300, 42949673, 60000, 0, 59700, 0,
	  DCCP_CTFAF_DECREASE },
	{ "few losses come first", -600, 1, 40000, 9000, 40000, 8400,
	  DCCP_CTFAF_TOLERATED },
	/* row 2: eq. 4 */
	{ "credit", -300, LOSS, 60000, 1, 60000, -299, DCCP_CTFAF_CREDIT },
	{ "credit before delta", -5000, LOSS, 60000, 9000, 60000, 4000,
	  DCCP_CTFAF_CREDIT },
	{ "credit near r_min", -500, LOSS, 40300, 900, 40300, 400,
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
	/* row 5 */
	{ "decrease", -300, LOSS, 60000, 0, 59700, 0, DCCP_CTFAF_DECREASE },
	/* no further than r_min */
	{ "to r_min", -300, LOSS, 40300, 0, 40000, 0, DCCP_CTFAF_DECREASE },
	{ "as far as r_min", -301, LOSS, 40300, 0, 40000, -1,
	  DCCP_CTFAF_AT_MIN },
	{ "at r_min", -1, LOSS, 40000, 0, 40000, -1, DCCP_CTFAF_AT_MIN },
	{ "delta before r_min", -20001, LOSS, 60000, 0, 59500, -19501,
	  DCCP_CTFAF_DECREASE_DELTA },
	{ "r_min before delta", -5000, LOSS, 40300, 0, 40000, -4700,
	  DCCP_CTFAF_AT_MIN },
	{ "debt, as far as r_min", -400, LOSS, 40300, -900, 40000, -1000,
	  DCCP_CTFAF_AT_MIN },
	{ "debt, near r_min", -100, LOSS, 40300, -1000, 40000, -800,
	  DCCP_CTFAF_REPAY },
	{ "below r_min after a timeout", -1, LOSS, 30000, 0, 30000, -1,
	  DCCP_CTFAF_AT_MIN },
	/* increase, row 1: eq. 6, with plus */
	{ "restraint", 300, 0, 60000, -1000, 60000, -700,
	  DCCP_CTFAF_RESTRAINT },
	{ "restraint before delta", 5000, 0, 60000, -1, 60000, 4999,
	  DCCP_CTFAF_RESTRAINT },
	{ "restraint before r_max", 400, 0, 99700, -1000, 99700, -600,
	  DCCP_CTFAF_RESTRAINT },
	{ "restraint far beyond r_max", 40001, 0, 60000, -1000000, 60000,
	  -959999, DCCP_CTFAF_RESTRAINT },
	/* row 2: eq. 1 */
	{ "above delta", 501, 0, 60000, 0, 60500, 1,
	  DCCP_CTFAF_INCREASE_DELTA },
	{ "above delta, credit", 700, 0, 60000, 100, 60500, 300,
	  DCCP_CTFAF_INCREASE_DELTA },
	{ "delta", 500, 0, 60000, 0, 60500, 0, DCCP_CTFAF_INCREASE },
	/* row 3 */
	{ "increase", 300, 0, 60000, 0, 60300, 0, DCCP_CTFAF_INCREASE },
	{ "increase, credit", 300, 0, 60000, 70, 60300, 70,
	  DCCP_CTFAF_INCREASE },
	{ "increase in spite of losses", 300, LOSS, 60000, 0, 60300, 0,
	  DCCP_CTFAF_INCREASE },
	{ "nothing", 0, 0, 60000, 0, 60000, 0, DCCP_CTFAF_INCREASE },
	/* no further than r_max */
	{ "as far as r_max", 400, 0, 99700, 0, 100000, 100, DCCP_CTFAF_AT_MAX },
	{ "to r_max", 300, 0, 99700, 0, 100000, 0, DCCP_CTFAF_INCREASE },
	{ "at r_max", 300, 0, 100000, 0, 100000, 300, DCCP_CTFAF_AT_MAX },
	{ "r_max before delta", 5000, 0, 99700, 0, 100000, 4700,
	  DCCP_CTFAF_AT_MAX },
	{ "delta before r_max", 50000, 0, 99000, 0, 99500, 49500,
	  DCCP_CTFAF_INCREASE_DELTA },
};

/* The letter of the paper: a change that would pass a limit is not made at all. */
static const struct ctfaf_row ctfaf_letter_rows[] = {
	{ "to r_min", -300, LOSS, 40300, 0, 40000, 0, DCCP_CTFAF_DECREASE },
	{ "below r_min", -301, LOSS, 40300, 0, 40300, -301,
	  DCCP_CTFAF_AT_MIN },
	{ "at r_min", -1, LOSS, 40000, 0, 40000, -1, DCCP_CTFAF_AT_MIN },
	{ "below r_min before credit", -500, LOSS, 40300, 900, 40300, 400,
	  DCCP_CTFAF_AT_MIN },
	{ "below r_min before delta", -5000, LOSS, 41000, 0, 41000, -5000,
	  DCCP_CTFAF_AT_MIN },
	{ "below r_min before debt", -400, LOSS, 40300, -900, 40300, -1300,
	  DCCP_CTFAF_AT_MIN },
	{ "debt, near r_min", -100, LOSS, 40300, -1000, 40000, -800,
	  DCCP_CTFAF_REPAY },
	{ "to r_max", 300, 0, 99700, 0, 100000, 0, DCCP_CTFAF_INCREASE },
	{ "beyond r_max", 400, 0, 99700, 0, 99700, 400, DCCP_CTFAF_AT_MAX },
	{ "beyond r_max before delta", 5000, 0, 99000, 0, 99000, 5000,
	  DCCP_CTFAF_AT_MAX },
	{ "restraint before r_max", 400, 0, 99700, -1000, 99700, -600,
	  DCCP_CTFAF_RESTRAINT },
};

static void ctfaf_test_rows(struct kunit *test, const struct ctfaf_row *row,
			    int n, bool refuse)
{
	for (; n--; row++) {
		struct ctfaf c = ctfaf_test_new(row->r, row->b);

		c.par.refuse = refuse;
		ctfaf_decide(&c, (s64)row->ask * (1 << TFRC_RATE_SHIFT),
			     row->loss, false);
		KUNIT_EXPECT_EQ_MSG(test, c.r, TFRC_RATE(row->r_after), "%s",
				    row->what);
		KUNIT_EXPECT_EQ_MSG(test, c.b / (1 << TFRC_RATE_SHIFT),
				    row->b_after, "%s", row->what);
		KUNIT_EXPECT_EQ_MSG(test, c.decision, row->decision, "%s",
				    row->what);
	}
}

static void ctfaf_test_table(struct kunit *test)
{
	ctfaf_test_rows(test, ctfaf_rows, ARRAY_SIZE(ctfaf_rows), false);
	ctfaf_test_rows(test, ctfaf_letter_rows,
			ARRAY_SIZE(ctfaf_letter_rows), true);
}

/* Single decisions, which are computed from the paper alone */
static void ctfaf_test_reader(struct kunit *test)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(reader_cases); i++) {
		struct ctfaf c = ctfaf_test_new(reader_cases[i].r,
						reader_cases[i].b);

		c.par.r_min = reader_cases[i].r_min;
		c.par.r_max = reader_cases[i].r_max;
		c.par.step = 1;
		c.par.delta = reader_cases[i].delta;
		c.par.l_allowed = reader_cases[i].l_allowed;
		/* from there on it would not be the paper's decision */
		c.par.l_severe = 1000000;
		ctfaf_decide(&c, (s64)reader_cases[i].ask *
			     (1 << TFRC_RATE_SHIFT), reader_cases[i].loss,
			     false);
		KUNIT_EXPECT_EQ_MSG(test, c.r,
				    TFRC_RATE(reader_cases[i].r_after),
				    "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, c.b, (s64)reader_cases[i].b_after *
				    (1 << TFRC_RATE_SHIFT), "row %u", i);
	}
}

/*
 * From l_severe on a decrease has no tolerance, no delta and no credit. An increase, which
 * LDA+ may ask for below r_TCP, keeps its delta.
 */
static void ctfaf_test_severe(struct kunit *test)
{
	static const struct ctfaf_row rows[] = {
		{ "not yet", -15000, (1U << 31) - 1, 60000, 0, 59500, -14500,
		  DCCP_CTFAF_DECREASE_DELTA },
		{ "no delta", -15000, 1U << 31, 60000, 0, 45000, 0,
		  DCCP_CTFAF_DECREASE },
		{ "no credit", -15000, 1U << 31, 60000, 70000, 45000, 0,
		  DCCP_CTFAF_DECREASE },
		{ "debt", -15000, U32_MAX, 60000, -100, 45000, -100,
		  DCCP_CTFAF_DECREASE },
		{ "but r_min", -25000, 1U << 31, 60000, 0, 40000, -5000,
		  DCCP_CTFAF_AT_MIN },
		{ "an increase", 15000, 1U << 31, 60000, 0, 60500, 14500,
		  DCCP_CTFAF_INCREASE_DELTA },
	};

	for (int i = 0; i < ARRAY_SIZE(rows); i++) {
		struct ctfaf c = ctfaf_test_new(rows[i].r, rows[i].b);

		c.par.l_severe = 500000;
		/* all of it is tolerated otherwise */
		c.par.l_allowed = i ? 1000000 : 0;
		ctfaf_decide(&c, (s64)rows[i].ask * (1 << TFRC_RATE_SHIFT),
			     rows[i].loss, false);
		KUNIT_EXPECT_EQ_MSG(test, c.r, TFRC_RATE(rows[i].r_after), "%s",
				    rows[i].what);
		KUNIT_EXPECT_EQ_MSG(test, c.b / (1 << TFRC_RATE_SHIFT),
				    rows[i].b_after, "%s", rows[i].what);
		KUNIT_EXPECT_EQ_MSG(test, c.decision, rows[i].decision, "%s",
				    rows[i].what);
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

/* A delta of 599 is two steps of 250, so X moves by 599 at most. */
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
		{ -20001, 60000, 40000 },
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

	c.par.r_start = 40000;
	ctfaf_start(&c, TFRC_RATE(1000000), start);
	KUNIT_EXPECT_EQ(test, c.r, TFRC_RATE(40000));
	for (u64 s = 5; s <= 300; s += 5) {
		ctfaf_begin(&c, used, 0);
		ctfaf_step(&c, TFRC_RATE(1000), 0, 5000 * MS,
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

/* A report after T_reset for which the algorithm asks for no change */
static void ctfaf_test_reset_now(struct ctfaf *c, u32 used, u32 interval)
{
	ctfaf_begin(c, TFRC_RATE(used), 0);
	ctfaf_step(c, 0, 0, interval * MS,
		   c->t_reset + c->par.t_reset * MS + 60000 * MS);
}

/* Eq. 7: B T/T_reset, within the limits, delta or not. */
static void ctfaf_test_reset(struct kunit *test)
{
	static const struct {
		u32 r;
		s32 b;
		u32 interval, used, r_after;
	} cases[] = {
		{ 60000, 12000, 5000, 60000, 61000 },
		{ 60000, -12000, 5000, 60000, 59000 },
		{ 60000, 120000, 5000, 60000, 70000 },
		{ 60000, -600000, 5000, 60000, 40000 },
		{ 60000, 600000, 5000, 60000, 100000 },
		{ 60000, 12000, 60000, 60000, 72000 },
		{ 60000, 12000, 120000, 60000, 72000 },
		{ 60000, 0, 5000, 60000, 60000 },
		/* half of it is not used: r does not grow, but B is reset */
		{ 60000, 12000, 5000, 29999, 60000 },
		{ 60000, -12000, 5000, 0, 59000 },
		/* after a timeout: twice of it, whatever r_min, or less */
		{ 10000, 600000, 5000, 10000, 20000 },
		{ 10000, -600000, 5000, 10000, 20000 },
		{ 10000, -600000, 5000, 0, 10000 },
	};

	for (int i = 0; i < ARRAY_SIZE(cases); i++) {
		struct ctfaf c = ctfaf_test_new(cases[i].r, cases[i].b);

		ctfaf_test_reset_now(&c, cases[i].used, cases[i].interval);
		KUNIT_EXPECT_EQ_MSG(test, c.r, TFRC_RATE(cases[i].r_after),
				    "%d", i);
		KUNIT_EXPECT_EQ_MSG(test, c.b, 0, "%d", i);
		KUNIT_EXPECT_EQ_MSG(test, c.resets, 1, "%d", i);
	}
}

/*
 * The paper's other way: delta at each report, until all of it is done. B of 18000
 * is 1500 by eq. 7, three times delta. Nothing upwards where LDA+ goes down.
 */
static void ctfaf_test_gentle(struct kunit *test)
{
	static const u32 up[] = { 60500, 61000, 61500, 61500 };
	static const u32 down[] = { 59500, 59000, 58500, 58500 };
	struct ctfaf c = ctfaf_test_new(60000, 18000);
	const u64 now = 120000 * MS;

	c.par.gentle = 1;
	for (int i = 0; i < 4; i++) {
		ctfaf_begin(&c, c.r, 0);
		/* the least that can be asked for, which is in r */
		ctfaf_step(&c, 1, 0, 5000 * MS, now + i * 5000 * MS);
		KUNIT_EXPECT_EQ(test, c.r >> TFRC_RATE_SHIFT, up[i]);
	}
	KUNIT_EXPECT_EQ(test, c.resets, 1);

	c = ctfaf_test_new(60000, -18000);
	c.par.gentle = 1;
	for (int i = 0; i < 4; i++) {
		ctfaf_begin(&c, c.r, 0);
		ctfaf_step(&c, 0, 0, 5000 * MS, now + i * 5000 * MS);
		KUNIT_EXPECT_EQ(test, c.r, TFRC_RATE(down[i]));
	}

	/* with what was asked for it is delta, and no more */
	c = ctfaf_test_new(60000, -18000);
	c.par.gentle = 1;
	c.t_reset = now - 60000 * MS;
	ctfaf_begin(&c, c.r, 0);
	ctfaf_step(&c, -(s64)TFRC_RATE(300), LOSS, 5000 * MS, now);
	KUNIT_EXPECT_EQ(test, c.decision, DCCP_CTFAF_REPAY);
	KUNIT_EXPECT_EQ(test, c.r, TFRC_RATE(59500));

	/* what is left of a credit waits while there are losses, and is lost */
	c = ctfaf_test_new(60000, 0);
	c.par.gentle = 1;
	c.owed = TFRC_RATE(1500);
	c.t_reset = now;
	ctfaf_begin(&c, c.r, 0);
	ctfaf_step(&c, -(s64)TFRC_RATE(300), LOSS, 5000 * MS, now);
	KUNIT_EXPECT_EQ(test, c.r, TFRC_RATE(59700));
	KUNIT_EXPECT_EQ(test, c.owed, TFRC_RATE(1500));
	ctfaf_timeout(&c, false, 0);
	KUNIT_EXPECT_EQ(test, c.owed, 0);
}

/* A tenth of B is forgotten with each report, whether X is used or not. */
static void ctfaf_test_decay(struct kunit *test)
{
	struct ctfaf c = ctfaf_test_new(60000, -1000);

	c.par.t_init = 0;
	c.par.decay = 100;
	ctfaf_begin(&c, TFRC_RATE(60000), 0);
	ctfaf_step(&c, 0, 0, 5000 * MS, 0);
	KUNIT_EXPECT_EQ(test, c.b, -(s64)TFRC_RATE(900));
	ctfaf_begin(&c, TFRC_RATE(60000), 0);
	ctfaf_step(&c, TFRC_RATE(100), 0, 5000 * MS, 0);
	KUNIT_EXPECT_EQ(test, c.b, -(s64)TFRC_RATE(720));
	ctfaf_begin(&c, 0, 0);
	ctfaf_step(&c, TFRC_RATE(100), 0, 5000 * MS, 0);
	KUNIT_EXPECT_EQ(test, c.decision, DCCP_CTFAF_UNUSED);
	KUNIT_EXPECT_EQ(test, c.b, -(s64)TFRC_RATE(648));
	c.par.decay = 1000;
	ctfaf_begin(&c, TFRC_RATE(60000), 0);
	ctfaf_step(&c, TFRC_RATE(100), 0, 5000 * MS, 0);
	KUNIT_EXPECT_EQ(test, c.b, 0);
}

/* A credit or a debt is over at some time: a remainder would decide like a whole one. */
static void ctfaf_test_decay_ends(struct kunit *test)
{
	struct ctfaf c = ctfaf_test_new(60000, 0);
	int sign, i;

	c.par.t_init = 0;
	for (sign = -1; sign <= 1; sign += 2) {
		c.par.decay = 50;
		c.b = sign * (s64)TFRC_RATE(20000);
		/* 20000 * 0.95^193 is 1.004, and after one report more it is 0.954. */
		for (i = 1; i <= 194; i++) {
			ctfaf_begin(&c, TFRC_RATE(60000), 0);
			ctfaf_step(&c, 0, 0, 5000 * MS, 0);
			KUNIT_EXPECT_EQ(test, !c.b, i == 194);
		}
		c.par.decay = 0;
		c.b = sign;
		ctfaf_begin(&c, TFRC_RATE(60000), 0);
		ctfaf_step(&c, 0, 0, 5000 * MS, 0);
		KUNIT_EXPECT_EQ(test, c.b, sign);
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

/* A list of rungs is a grid of its own; r_min and r_max are its ends. */
static void ctfaf_test_rungs(struct kunit *test)
{
	static const u32 rung[] = { 62500, 150000, 375000 };
	static const struct {
		u32 r, rate;
	} cases[] = {
		{ 62500, 62500 }, { 149999, 62500 }, { 150000, 150000 },
		{ 374999, 150000 }, { 375000, 375000 }, { 62499, 62499 },
		{ 0, 0 },
	};
	struct ctfaf c = ctfaf_test_new(0, 0);
	u64 x = 0;

	ctfaf_set_rungs(&c, rung, ARRAY_SIZE(rung));
	for (int i = 0; i < ARRAY_SIZE(cases); i++) {
		c.r = TFRC_RATE(cases[i].r);
		KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), TFRC_RATE(cases[i].rate));
	}
	KUNIT_EXPECT_EQ(test, ctfaf_start_rate(&c, TFRC_RATE_MAX),
			TFRC_RATE(62500));
	KUNIT_EXPECT_EQ(test, ctfaf_start_rate(&c, TFRC_RATE(1000)),
			TFRC_RATE(1000));

	/* A source that uses no more than its rung reaches the next one. */
	c.par.delta = 0;
	c.r = TFRC_RATE(62500);
	for (int i = 0; i < 100; i++) {
		u64 before = ctfaf_rate(&c);

		ctfaf_begin(&c, before, 0);
		ctfaf_step(&c, TFRC_RATE(10000), 0, 1000 * MS, i * 1000 * MS);
		x = ctfaf_rate(&c);
		KUNIT_EXPECT_TRUE(test, x == before ||
				  (before == TFRC_RATE(62500) &&
				   x == TFRC_RATE(150000)) ||
				  (before == TFRC_RATE(150000) &&
				   x == TFRC_RATE(375000)));
	}
	KUNIT_EXPECT_EQ(test, x, TFRC_RATE(375000));
	KUNIT_EXPECT_TRUE(test, ctfaf_at_greatest(&c));

	/* If the rate is not used, X is at most four times what is used. */
	c.r = TFRC_RATE(62500);
	for (int i = 0; i < 100; i++) {
		ctfaf_begin(&c, TFRC_RATE(32000), 0);
		ctfaf_step(&c, TFRC_RATE(10000), 0, 1000 * MS, i * 1000 * MS);
	}
	KUNIT_EXPECT_EQ(test, c.r, TFRC_RATE(128000));
	KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), TFRC_RATE(62500));

	/* A timeout halves X, without the remainder in r. */
	c.r = TFRC_RATE(149999);
	ctfaf_timeout(&c, false, 0);
	KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), TFRC_RATE(31250));

	/* Below the first rung X doubles at most, as with steps. */
	c.r = TFRC_RATE(1000);
	for (u32 x = 2000; x < 62500; x *= 2) {
		ctfaf_begin(&c, ctfaf_rate(&c), 0);
		ctfaf_step(&c, TFRC_RATE(100000), 0, 1000 * MS, 200 * 1000 * MS);
		KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), TFRC_RATE(x));
	}

	/* delta is not rounded to steps; it is of r. */
	c.r = TFRC_RATE(149000);
	c.par.delta = 599;
	ctfaf_decide(&c, TFRC_RATE(10000), 0, false);
	KUNIT_EXPECT_EQ(test, c.r, TFRC_RATE(149599));
	c.b = 0;
	ctfaf_decide(&c, -(s64)TFRC_RATE(100000), LOSS, true);
	KUNIT_EXPECT_EQ(test, c.r, TFRC_RATE(62500));
	KUNIT_EXPECT_EQ(test, c.decision, DCCP_CTFAF_AT_MIN);

	ctfaf_set_rungs(&c, (u32[]){ 0 }, 1);
	KUNIT_EXPECT_EQ(test, c.n_rungs, 0);
	KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), TFRC_RATE(62500));
}

/* In all valid steps and rungs a source that uses 3/4 of X reaches the next rate. */
static void ctfaf_test_apart(struct kunit *test)
{
	static const u32 steps[] = { 2000, 2001 }, rungs[] = { 3000, 3001 };
	struct ctfaf c;

	for (int i = 0; i < 4; i++) {
		u64 next = TFRC_RATE(i & 1 ? 3001 : 3000);
		bool valid;

		c = ctfaf_test_new(1000, 0);
		c.par.delta = 0;
		c.par.r_min = 1000;
		c.par.step = steps[i & 1];
		c.par.r_start = 0;
		valid = ctfaf_tx_params_valid(&c.par);
		if (i & 2) {
			const u32 rung[] = { 1000, rungs[i & 1] };

			valid = ctfaf_rungs_valid(rung, 2);
			ctfaf_set_rungs(&c, rung, 2);
		}
		KUNIT_EXPECT_EQ(test, valid, !(i & 1));
		ctfaf_begin(&c, TFRC_RATE(750), 0);
		ctfaf_step(&c, TFRC_RATE(5000), 0, 1000 * MS, 0);
		KUNIT_EXPECT_EQ(test, ctfaf_rate(&c) >= next, valid);
	}
}

static void ctfaf_test_rungs_valid(struct kunit *test)
{
	u32 rung[CTFAF_RUNGS_MAX + 1];

	KUNIT_EXPECT_TRUE(test, ctfaf_rungs_valid((u32[]){ 0 }, 1));
	KUNIT_EXPECT_FALSE(test, ctfaf_rungs_valid((u32[]){ 1 }, 1));
	KUNIT_EXPECT_TRUE(test, ctfaf_rungs_valid((u32[]){ 1, 3 }, 2));
	KUNIT_EXPECT_FALSE(test, ctfaf_rungs_valid((u32[]){ 1, 4 }, 2));
	KUNIT_EXPECT_FALSE(test, ctfaf_rungs_valid((u32[]){ 0, 4 }, 2));
	KUNIT_EXPECT_FALSE(test, ctfaf_rungs_valid((u32[]){ 4, 4 }, 2));
	KUNIT_EXPECT_FALSE(test, ctfaf_rungs_valid((u32[]){ 4, 3 }, 2));
	KUNIT_EXPECT_TRUE(test, ctfaf_rungs_valid((u32[]){ U32_MAX / 3, U32_MAX },
						  2));
	for (int i = 0; i < ARRAY_SIZE(rung); i++)
		rung[i] = 1000 + i;
	KUNIT_EXPECT_FALSE(test, ctfaf_rungs_valid(rung, 0));
	KUNIT_EXPECT_TRUE(test, ctfaf_rungs_valid(rung, CTFAF_RUNGS_MAX));
	KUNIT_EXPECT_FALSE(test, ctfaf_rungs_valid(rung, CTFAF_RUNGS_MAX + 1));
}

/* Safety rules: X grows only if half of it is used, and at most doubles. */
static void ctfaf_test_growth(struct kunit *test)
{
	struct ctfaf c = ctfaf_test_new(60000, -5);

	c.par.delta = 0;
	ctfaf_begin(&c, TFRC_RATE(30000) - 1, 0);
	ctfaf_step(&c, TFRC_RATE(1000), 0, 5000 * MS, 0);
	KUNIT_EXPECT_EQ(test, c.decision, DCCP_CTFAF_UNUSED);
	KUNIT_EXPECT_EQ(test, c.r, TFRC_RATE(60000));
	c.b = 0;
	ctfaf_begin(&c, TFRC_RATE(30000), 0);
	ctfaf_step(&c, TFRC_RATE(1000), 0, 5000 * MS, 0);
	KUNIT_EXPECT_EQ(test, c.r, TFRC_RATE(61000));
	/* a decrease always counts */
	ctfaf_begin(&c, 0, 0);
	ctfaf_step(&c, -(s64)TFRC_RATE(1000), LOSS, 5000 * MS, 0);
	KUNIT_EXPECT_EQ(test, c.r, TFRC_RATE(60000));

	c.par.r_max = U32_MAX;
	ctfaf_begin(&c, TFRC_RATE(60000), 0);
	ctfaf_step(&c, TFRC_RATE(1000000), 0, 5000 * MS, 0);
	KUNIT_EXPECT_EQ(test, c.r, TFRC_RATE(120000));
	/* the part of an increase that this rule prevents is not added to B */
	KUNIT_EXPECT_EQ(test, c.b, 0);

	/* a coarse grid: the next step may be more than twice */
	c = ctfaf_test_new(40000, 0);
	c.par.r_max = 1000000;
	c.par.step = 60000;
	c.par.delta = 0;
	ctfaf_begin(&c, TFRC_RATE(40000), 0);
	ctfaf_step(&c, TFRC_RATE(1000000), 0, 5000 * MS, 0);
	KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), TFRC_RATE(100000));
	c.r = TFRC_RATE(40000);
	ctfaf_begin(&c, TFRC_RATE(20000), 0);
	ctfaf_step(&c, TFRC_RATE(1000000), 0, 5000 * MS, 0);
	KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), TFRC_RATE(40000));
	KUNIT_EXPECT_EQ(test, c.r, TFRC_RATE(80000));
}

/* A source that slows down: X is four times what it sent in one of three intervals. */
static void ctfaf_test_sent(struct kunit *test)
{
	struct ctfaf c = ctfaf_test_new(90000, 0);
	const u64 initial = TFRC_RATE(3000);

	c.sent[0] = TFRC_RATE(60000);
	for (int i = 0; i < 2; i++) {
		ctfaf_sent(&c, TFRC_RATE(20000), initial);
		KUNIT_EXPECT_EQ(test, c.r, TFRC_RATE(90000));
		/* an interval without data is none */
		ctfaf_sent(&c, 0, initial);
		KUNIT_EXPECT_EQ(test, c.r, TFRC_RATE(90000));
	}
	ctfaf_sent(&c, TFRC_RATE(20000), initial);
	KUNIT_EXPECT_EQ(test, c.r, TFRC_RATE(80000));
	/* the safety rule takes precedence over an r_min above the initial rate */
	for (int i = 0; i < 3; i++)
		ctfaf_sent(&c, TFRC_RATE(100), initial);
	KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), TFRC_RATE(3000));
	ctfaf_begin(&c, TFRC_RATE(100), 0);
	KUNIT_EXPECT_EQ(test, c.r, TFRC_RATE(3000));
}

/* The first rate is r_start or 43800, or the initial rate if that is less. */
static void ctfaf_test_start(struct kunit *test)
{
	struct ctfaf c = { .par = ctfaf_test_par };

	/* 43800 is 15 steps of 250 above r_min, and 50 more that are rounded off */
	ctfaf_start(&c, TFRC_RATE(100000), 0);
	KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), TFRC_RATE(43750));
	c.par.r_min = 50000;
	ctfaf_start(&c, TFRC_RATE(100000), 0);
	KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), TFRC_RATE(50000));
	c.par.r_min = 1000;
	c.par.r_max = 30000;
	ctfaf_start(&c, TFRC_RATE(100000), 0);
	KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), TFRC_RATE(30000));
	c.par = ctfaf_test_par;
	c.par.r_start = 40000;
	ctfaf_start(&c, TFRC_RATE(100000), 0);
	KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), TFRC_RATE(40000));
	c.par.r_start = 90000;
	ctfaf_start(&c, TFRC_RATE(100000), 0);
	KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), TFRC_RATE(90000));
	ctfaf_start(&c, TFRC_RATE(10000), 0);
	KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), TFRC_RATE(10000));
	/* r_min is reached after two reports, with data */
	ctfaf_begin(&c, TFRC_RATE(10000), 0);
	ctfaf_step(&c, 0, 0, 5000 * MS, 0);
	KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), TFRC_RATE(20000));
	ctfaf_begin(&c, TFRC_RATE(9999), 0);
	ctfaf_step(&c, 0, 0, 5000 * MS, 0);
	KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), TFRC_RATE(20000));
	ctfaf_begin(&c, TFRC_RATE(20000), 0);
	ctfaf_step(&c, 0, 0, 5000 * MS, 0);
	KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), TFRC_RATE(40000));
}

static bool ctfaf_test_report(struct ctfaf *c, u64 now)
{
	bool due = ctfaf_due(c, 5000 * MS, now);

	if (due)
		ctfaf_stepped(c, 5000 * MS, now);
	return due;
}

/* One step in T: early by half of it once, and then no more. */
static void ctfaf_test_due(struct kunit *test)
{
	struct ctfaf c = { .t_due = 5000 * MS };
	int steps = 0;

	KUNIT_EXPECT_FALSE(test, ctfaf_test_report(&c, 2500 * MS - 1));
	KUNIT_EXPECT_TRUE(test, ctfaf_test_report(&c, 2500 * MS));
	/* reports that come all the time */
	for (u64 t = 2500; t < 1002500; t += 10)
		steps += ctfaf_test_report(&c, t * MS);
	KUNIT_EXPECT_EQ(test, steps, 199);
	/* late ones and those in time take turns: each counts */
	c.t_due = 5000 * MS;
	for (u64 t = 5000; t < 1000000; t += 5000)
		KUNIT_EXPECT_TRUE(test, ctfaf_test_report(&c, (t + t % 3 * 1000) * MS));
	/* T becomes shorter: the next step is due after the new T, not the old one */
	c.t_due = 5000 * MS;
	KUNIT_EXPECT_TRUE(test, ctfaf_due(&c, 5000 * MS, 3000 * MS));
	ctfaf_stepped(&c, 500 * MS, 3000 * MS);
	KUNIT_EXPECT_FALSE(test, ctfaf_due(&c, 500 * MS, 3500 * MS - 1));
	KUNIT_EXPECT_TRUE(test, ctfaf_due(&c, 500 * MS, 3500 * MS));
}

/* Timeouts halve X below r_min, and reports double it until it is back. */
static void ctfaf_test_timeout(struct kunit *test)
{
	struct ctfaf c = ctfaf_test_new(60000, 77);
	const u64 initial = TFRC_RATE(100000);
	u64 before;

	c.par.r_start = 50000;
	ctfaf_timeout(&c, false, initial);
	KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), TFRC_RATE(30000));
	/* a credit is gone, a debt stays */
	KUNIT_EXPECT_EQ(test, c.b, 0);
	c.b = -77;
	/* X of an idle sender does not fall below its first rate */
	ctfaf_timeout(&c, true, initial);
	KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), TFRC_RATE(30000));
	KUNIT_EXPECT_EQ(test, c.b, -77);
	c.r = TFRC_RATE(90000);
	ctfaf_timeout(&c, true, initial);
	KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), TFRC_RATE(50000));
	ctfaf_timeout(&c, true, TFRC_RATE(20000));
	KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), TFRC_RATE(25000));
	for (int i = 0; i < 100; i++)
		ctfaf_timeout(&c, false, initial);
	KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), 0);
	KUNIT_EXPECT_EQ(test, c.decision, DCCP_CTFAF_NOFEEDBACK);

	/* from one packet of 1000 bytes in 64 s; losses do not keep it below r_min */
	before = TFRC_RATE(1000) / 64;
	for (int i = 0; i < 12; i++) {
		ctfaf_begin(&c, before, TFRC_RATE(1000) / 64);
		ctfaf_step(&c, -1, LOSS, 5000 * MS, 0);
		KUNIT_EXPECT_EQ(test, ctfaf_rate(&c),
				min(2 * before, TFRC_RATE(40000)));
		before = ctfaf_rate(&c);
	}
	KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), TFRC_RATE(40000));
}

/* The algorithm starts from r within the limits; otherwise it would ask for an increase. */
static void ctfaf_test_from(struct kunit *test)
{
	struct ctfaf c = ctfaf_test_new(20000, 0);

	/* 1 % of losses, r_TCP 31001: from 40000 that is a decrease */
	KUNIT_EXPECT_EQ(test, ctfaf_begin(&c, TFRC_RATE(20000), 0),
			TFRC_RATE(40000));
	c.par.l_allowed = 0;
	ctfaf_step(&c, (s64)TFRC_RATE(31001) - (s64)TFRC_RATE(40000), LOSS / 2,
		   5000 * MS, 0);
	KUNIT_EXPECT_EQ(test, c.r, TFRC_RATE(40000));
	KUNIT_EXPECT_EQ(test, c.decision, DCCP_CTFAF_AT_MIN);
	/* r_max was lowered */
	c = ctfaf_test_new(100000, 0);
	c.par.r_max = 90000;
	KUNIT_EXPECT_EQ(test, ctfaf_begin(&c, 0, 0), TFRC_RATE(90000));
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
	ctfaf_begin(&c, TFRC_RATE(50000), 0);
	ctfaf_step(&c, 0, 0, 5000 * MS, 0);
	KUNIT_EXPECT_EQ(test, ctfaf_rate(&c), TFRC_RATE(80000));
}

/* B is limited, so it does not overflow. */
static void ctfaf_test_overflow(struct kunit *test)
{
	struct ctfaf c = ctfaf_test_new(40000, 0);

	c.par.l_allowed = 1000000;
	for (int i = 0; i < 5000; i++)
		ctfaf_decide(&c, -(s64)TFRC_RATE_MAX, 1, false);
	KUNIT_EXPECT_EQ(test, c.b, -CTFAF_B_MAX);
	KUNIT_EXPECT_LT(test, ctfaf_reset(&c, 60000 * MS), 1 - CTFAF_B_MAX);
	KUNIT_EXPECT_EQ(test, c.b, 0);
	KUNIT_EXPECT_EQ(test, c.r, TFRC_RATE(40000));
	for (int i = 0; i < 5000; i++)
		ctfaf_decide(&c, TFRC_RATE_MAX, 0, false);
	KUNIT_EXPECT_EQ(test, c.b, CTFAF_B_MAX);
	KUNIT_EXPECT_EQ(test, c.r, TFRC_RATE(100000));
	c.par.decay = 1000;
	c.par.t_init = 0;
	ctfaf_begin(&c, TFRC_RATE(100000), 0);
	ctfaf_step(&c, TFRC_RATE_MAX, 0, 5000 * MS, 0);
	KUNIT_EXPECT_EQ(test, c.b, 0);
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
	par->step = min(1 + ctfaf_random(rnd, 5000), 2 * par->r_min);
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
	par->refuse = !ctfaf_random(rnd, 3);
	par->gentle = !ctfaf_random(rnd, 3) && par->delta;
	if (!ctfaf_random(rnd, 3))
		par->decay = ctfaf_random(rnd, 1001);
	par->l_severe = 1 + ctfaf_random(rnd, 1000000);
	if (ctfaf_random(rnd, 2))
		par->l_severe = 1000000;
	par->increase = 1;
	par->probe_every = 1;
}

static void ctfaf_test_sequence(struct kunit *test, int seed,
				const struct sequence_row *row)
{
	u64 rnd = seed + 1, now = 0, r, rate;
	struct ctfaf c = { };
	u32 decisions = 0;

	ctfaf_test_draw(&c, &rnd);
	KUNIT_ASSERT_TRUE(test, ctfaf_tx_params_valid(&c.par));
	ctfaf_start(&c, TFRC_RATE_MAX, now);
	for (int i = 0; i < SEQUENCE_STEPS; i++) {
		u32 x = 1 + ctfaf_random(&rnd, 30000), loss, used, resets;
		s64 delta = TFRC_RATE(c.par.delta), ask;
		bool severe;

		if (!ctfaf_random(&rnd, 10))
			x *= 10;
		if (!ctfaf_random(&rnd, 16) && c.par.delta)
			x = c.par.delta / c.par.step * c.par.step;
		loss = ctfaf_random(&rnd, 100000) * 42949;
		if (ctfaf_random(&rnd, 2))
			loss = 0;
		used = ctfaf_random(&rnd, 40);

		ask = loss ? -(s64)TFRC_RATE(x) : (s64)TFRC_RATE(x);
		now += c.par.interval * MS;
		r = c.r;
		rate = ctfaf_rate(&c);
		resets = c.resets;
		ctfaf_begin(&c, rate * used / 16, 0);
		ctfaf_step(&c, ask, loss, c.par.interval * MS, now);
		decisions = decisions * 31 + c.decision;

		/* on the grid, within the limits, no further than delta */
		KUNIT_EXPECT_EQ(test, (ctfaf_rate(&c) - TFRC_RATE(c.par.r_min)) %
				TFRC_RATE(c.par.step), 0);
		KUNIT_EXPECT_GE(test, ctfaf_rate(&c), TFRC_RATE(c.par.r_min));
		KUNIT_EXPECT_LE(test, c.r, TFRC_RATE(c.par.r_max));
		severe = ctfaf_reaches(loss, c.par.l_severe) && ask < 0;
		if (delta && now >= c.par.t_init * MS && !severe &&
		    (c.resets == resets || c.par.gentle)) {
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
		CASE(true, r_min, 125), CASE(false, r_min, 124),
		CASE(false, r_min, 0),
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
		CASE(false, l_severe, 0), CASE(true, l_severe, 1),
		CASE(true, l_severe, 1000000), CASE(false, l_severe, 1000001),
	};
	struct dccp_ctfaf_constraints par;

	for (int i = 0; i < ARRAY_SIZE(cases); i++) {
		par = ctfaf_test_par;
		memcpy((char *)&par + cases[i].offset, &cases[i].value,
		       sizeof(u32));
		KUNIT_EXPECT_EQ_MSG(test, ctfaf_tx_params_valid(&par),
				    cases[i].valid, "%s", cases[i].what);
	}
	/* a step of more than 2 r_min could not be taken */
	par = ctfaf_test_par;
	par.delta = 0;
	par.r_max = U32_MAX;
	par.step = 80000;
	KUNIT_EXPECT_TRUE(test, ctfaf_tx_params_valid(&par));
	par.step = 80001;
	KUNIT_EXPECT_FALSE(test, ctfaf_tx_params_valid(&par));
	for (u32 i = 0; i < 256; i++) {
		par = ctfaf_test_par;
		par.probes = i;
		KUNIT_EXPECT_EQ(test, ctfaf_tx_params_valid(&par),
				i != 1 && i <= 15);
		par = ctfaf_test_par;
		par.algorithm = i;
		KUNIT_EXPECT_EQ(test, ctfaf_tx_params_valid(&par), i < 2);
		par = ctfaf_test_par;
		par.probe_every = i;
		KUNIT_EXPECT_EQ(test, ctfaf_tx_params_valid(&par), i != 0);
		par = ctfaf_test_par;
		par.hold = i;
		KUNIT_EXPECT_EQ(test, ctfaf_tx_params_valid(&par), i <= 100);
		par = ctfaf_test_par;
		par.decay = 5 * i;
		KUNIT_EXPECT_EQ(test, ctfaf_tx_params_valid(&par),
				5 * i <= 1000);
		par = ctfaf_test_par;
		par.refuse = i;
		KUNIT_EXPECT_EQ(test, ctfaf_tx_params_valid(&par), i < 2);
		par = ctfaf_test_par;
		par.gentle = i;
		KUNIT_EXPECT_EQ(test, ctfaf_tx_params_valid(&par), i < 2);
		par = ctfaf_test_par;
		par.climb = i;
		KUNIT_EXPECT_EQ(test, ctfaf_tx_params_valid(&par), i < 2);
		par = ctfaf_test_par;
		par.steady = i;
		KUNIT_EXPECT_EQ(test, ctfaf_tx_params_valid(&par), i <= 100);
		par = ctfaf_test_par;
		par.target_delay = i;
		KUNIT_EXPECT_EQ(test, ctfaf_tx_params_valid(&par),
				!i || i >= 5);
	}
}

/* The receiver: 2 to 255 loss intervals */
static void ctfaf_test_rx_valid(struct kunit *test)
{
	struct dccp_ctfaf_rx_params par = { };

	for (u32 i = 0; i < 300; i++) {
		par.loss_history = i;
		KUNIT_EXPECT_EQ(test, ctfaf_rx_params_valid(&par),
				i >= 2 && i <= 255);
	}
}

static struct kunit_case ctfaf_cases[] = {
	KUNIT_CASE(ctfaf_test_table),
	KUNIT_CASE(ctfaf_test_reader),
	KUNIT_CASE(ctfaf_test_severe),
	KUNIT_CASE(ctfaf_test_tolerated),
	KUNIT_CASE(ctfaf_test_delta),
	KUNIT_CASE(ctfaf_test_init),
	KUNIT_CASE(ctfaf_test_times),
	KUNIT_CASE(ctfaf_test_reset),
	KUNIT_CASE(ctfaf_test_gentle),
	KUNIT_CASE(ctfaf_test_decay),
	KUNIT_CASE(ctfaf_test_decay_ends),
	KUNIT_CASE(ctfaf_test_grid),
	KUNIT_CASE(ctfaf_test_rungs),
	KUNIT_CASE(ctfaf_test_rungs_valid),
	KUNIT_CASE(ctfaf_test_apart),
	KUNIT_CASE(ctfaf_test_growth),
	KUNIT_CASE(ctfaf_test_sent),
	KUNIT_CASE(ctfaf_test_start),
	KUNIT_CASE(ctfaf_test_due),
	KUNIT_CASE(ctfaf_test_timeout),
	KUNIT_CASE(ctfaf_test_from),
	KUNIT_CASE(ctfaf_test_constrain),
	KUNIT_CASE(ctfaf_test_overflow),
	KUNIT_CASE(ctfaf_test_sequences),
	KUNIT_CASE(ctfaf_test_valid),
	KUNIT_CASE(ctfaf_test_rx_valid),
	{ }
};

static struct kunit_suite ctfaf_suite = {
	.name = "ctfaf",
	.test_cases = ctfaf_cases,
};

kunit_test_suite(ctfaf_suite);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The dccp-ccids developers");
MODULE_VERSION(DCCP_CCIDS_VERSION);
MODULE_DESCRIPTION("Tests of CTFAF and LDA+");
