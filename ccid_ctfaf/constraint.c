// SPDX-License-Identifier: GPL-2.0-only
/*
 * CTFAF: the constrained TCP-friendly adaptation framework
 *	D. Sisalem, A. Wolisz: Constrained TCP-Friendly Congestion Control for
 *	Multimedia Communication, March 2000, sections 2 and 3
 *
 * An algorithm says once in a report interval by how much the rate r should grow
 * or shrink. The encoder cannot always follow: it has a least and a greatest rate
 * (r_min, r_max), steps (S), and viewers who do not want it to change by more than
 * delta at once, or at all for a few losses (l_allowed). So r does what it can, and
 * what it owes goes into the virtual bandwidth B: positive for restraint, negative
 * for having taken more than was allowed. B in turn bends the next decisions:
 * credit is spent on decreases that are not made, debt is paid by decreases that
 * are larger, and by increases that are not made. The first row that applies:
 *
 *	decrease X_r
 *	  l < l_allowed, or r would pass r_min	r		B - X_r		(3)
 *	  B > 0					r		B - X_r		(4)
 *	  X_r > delta				r - delta	B - X_r + delta	(2)
 *	  B < 0					r - delta	B + delta - X_r	(5)
 *	  else					r - X_r		B
 *	increase X_i
 *	  r would pass r_max			r_max		B + the rest
 *	  B < 0					r		B + X_i		(6)
 *	  X_i > delta				r + delta	B + X_i - delta	(1)
 *	  else					r + X_i		B
 *
 * Eq. 6 is printed with a minus, with which a debt could never be paid; by eq. 1
 * an increase that is not made adds to B. Where r_min or r_max is nearer than
 * delta, or the other way round, the nearer one counts, and B gets the rest.
 *
 * Each T_reset, r moves by B T/T_reset (eq. 7), delta or not, and B begins anew.
 * For the first T_init, while the right rate is still unknown, there is no delta,
 * and no B.
 *
 * What is sent is r rounded down to the grid r_min + m S; the remainder stays in r.
 * delta counts in whole steps, n S <= delta: else the rounding could add one.
 *
 * Two rules are ours, and stand above the constraints: r does not grow while less
 * than half of it is used, nor to more than twice of it at once; and it is halved
 * when no report comes.
 */
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include "ctfaf.h"

#define CTFAF_PARTS		1000000		/* l_allowed is in 10^-6 */
#define CTFAF_INTERVAL_MIN	100		/* ms, as are the next ones */
#define CTFAF_INTERVAL_MAX	60000
#define CTFAF_TIME_MAX		3600000
#define CTFAF_PROBES_MAX	15		/* as far as CCVal counts */

/* As far as B goes either way: some thousand times the greatest rate. */
#define CTFAF_B_MAX		(S64_MAX / 8)

/**
 * ctfaf_constraints_valid - are these constraints in range, as a whole?
 * @values: struct dccp_ctfaf_constraints
 */
bool ctfaf_constraints_valid(const void *values)
{
	const struct dccp_ctfaf_constraints *par = values;

	return par->r_min && par->r_min <= par->r_max &&
	       par->step && par->step <= par->r_max - par->r_min &&
	       (!par->delta || par->delta >= par->step) &&
	       (!par->r_start || (par->r_start >= par->r_min &&
				  par->r_start <= par->r_max)) &&
	       par->increase && par->l_allowed <= CTFAF_PARTS &&
	       par->interval >= CTFAF_INTERVAL_MIN &&
	       par->interval <= CTFAF_INTERVAL_MAX &&
	       par->t_reset >= par->interval &&
	       par->t_reset <= CTFAF_TIME_MAX &&
	       par->t_init <= CTFAF_TIME_MAX &&
	       par->algorithm <= DCCP_CTFAF_TFRC &&
	       par->probes <= CTFAF_PROBES_MAX && par->probes != 1 &&
	       !par->reserved[0] && !par->reserved[1];
}

/* r, within limits that may have changed, or after a silence */
static u64 ctfaf_limited(const struct ctfaf *c)
{
	return clamp(c->r, TFRC_RATE(c->par.r_min), TFRC_RATE(c->par.r_max));
}

static u64 ctfaf_start_rate(const struct ctfaf *c)
{
	return TFRC_RATE(c->par.r_start ?: c->par.r_min);
}

/**
 * ctfaf_start - the first packet is about to be sent
 * @c: state, with its constraints
 * @now: time
 */
void ctfaf_start(struct ctfaf *c, u64 now)
{
	c->r = ctfaf_start_rate(c);
	c->b = 0;
	c->t_start = now;
	c->t_reset = now;
	c->decision = DCCP_CTFAF_START;
}

/**
 * ctfaf_constrain - change the constraints
 * @c: state
 * @par: valid constraints
 *
 * A lower r_max holds at once, a higher r_min from the next report on: nothing
 * but a report makes the rate grow.
 */
void ctfaf_constrain(struct ctfaf *c, const struct dccp_ctfaf_constraints *par)
{
	c->par = *par;
	c->r = min(c->r, TFRC_RATE(par->r_max));
}

static bool ctfaf_tolerated(const struct ctfaf *c, u32 loss)
{
	return (u64)loss * CTFAF_PARTS < (u64)c->par.l_allowed << 32;
}

static void ctfaf_book(struct ctfaf *c, s64 owed)
{
	c->b = clamp(c->b + owed, -CTFAF_B_MAX, CTFAF_B_MAX);
}

static enum dccp_ctfaf_decision
ctfaf_decrease(struct ctfaf *c, u64 x, u32 loss, u64 delta)
{
	u64 room = c->r - TFRC_RATE(c->par.r_min), taken = 0;
	enum dccp_ctfaf_decision decision;

	if (ctfaf_tolerated(c, loss)) {
		decision = DCCP_CTFAF_TOLERATED;
	} else if (x > room) {
		decision = DCCP_CTFAF_AT_MIN;
	} else if (c->b > 0) {
		decision = DCCP_CTFAF_CREDIT;
	} else if (x > delta) {
		decision = DCCP_CTFAF_DECREASE_DELTA;
		taken = delta;
	} else if (c->b < 0 && delta != U64_MAX) {
		decision = DCCP_CTFAF_REPAY;
		taken = min(delta, room);
	} else {
		decision = DCCP_CTFAF_DECREASE;
		taken = x;
	}
	c->r -= taken;
	ctfaf_book(c, (s64)(taken - x));
	return decision;
}

static enum dccp_ctfaf_decision
ctfaf_increase(struct ctfaf *c, u64 x, u64 delta)
{
	u64 room = TFRC_RATE(c->par.r_max) - c->r, taken;
	enum dccp_ctfaf_decision decision;

	if (x > room) {
		decision = DCCP_CTFAF_AT_MAX;
		taken = min(room, delta);
	} else if (c->b < 0) {
		decision = DCCP_CTFAF_RESTRAINT;
		taken = 0;
	} else if (x > delta) {
		decision = DCCP_CTFAF_INCREASE_DELTA;
		taken = delta;
	} else {
		decision = DCCP_CTFAF_INCREASE;
		taken = x;
	}
	c->r += taken;
	ctfaf_book(c, (s64)(x - taken));
	return decision;
}

/**
 * ctfaf_decide - eq. 1 to 6: what becomes of an increase or a decrease?
 * @c: state, with r within its limits
 * @ask: increase, or negative, decrease that the algorithm asks for
 * @loss: share l of packets lost, scaled by 2^32
 * @init: T_init is not yet over
 */
void ctfaf_decide(struct ctfaf *c, s64 ask, u32 loss, bool init)
{
	u64 delta = U64_MAX;

	/* In whole steps: what is sent, too, then moves by delta at most. */
	if (c->par.delta && !init)
		delta = TFRC_RATE(c->par.delta - c->par.delta % c->par.step);
	c->decision = ask < 0 ? ctfaf_decrease(c, -ask, loss, delta) :
				ctfaf_increase(c, ask, delta);
	if (init)
		c->b = 0;
}

/**
 * ctfaf_reset - eq. 7: move r by B T/T_reset, and begin B anew
 * @c: state
 * @interval: report interval T, ns
 */
void ctfaf_reset(struct ctfaf *c, u64 interval)
{
	u64 t_reset = c->par.t_reset * TFRC_NSEC_PER_MSEC;
	u64 owed = c->b < 0 ? -c->b : c->b;
	u64 mean = tfrc_mul_div(owed, min(interval, t_reset), t_reset);

	if (c->b < 0)
		c->r -= min(mean, c->r);
	else
		c->r += mean;
	c->r = ctfaf_limited(c);
	c->b = 0;
	c->resets++;
}

/**
 * ctfaf_step - a report has come
 * @c: state
 * @ask: increase, or negative, decrease that the algorithm asks for
 * @loss: share l of packets lost, scaled by 2^32
 * @used: rate that was sent, and arrived, since the report before
 * @interval: report interval T, ns
 * @now: time
 */
void ctfaf_step(struct ctfaf *c, s64 ask, u32 loss, u64 used, u64 interval,
		u64 now)
{
	bool init = now - c->t_start < c->par.t_init * TFRC_NSEC_PER_MSEC;

	c->asked = ask;
	c->r = ctfaf_limited(c);
	if (ask > 0 && used < ctfaf_rate(c) / 2)
		c->decision = DCCP_CTFAF_UNUSED;
	else
		ctfaf_decide(c, min(ask, (s64)c->r), loss, init);

	if (init) {
		c->t_reset = now;
	} else if (now - c->t_reset >= c->par.t_reset * TFRC_NSEC_PER_MSEC) {
		c->t_reset = now;
		ctfaf_reset(c, interval);
	}
}

/**
 * ctfaf_silence - no report came for 2 T
 * @c: state
 * @idle: nor was any data sent
 *
 * Halves r, whatever r_min says: the next report brings it back there. A sender
 * that was idle comes to rest at the rate that it would begin with.
 */
void ctfaf_silence(struct ctfaf *c, bool idle)
{
	u64 least = idle ? min(c->r, ctfaf_start_rate(c)) : 0;

	c->r = max(c->r / 2, least);
	c->decision = DCCP_CTFAF_SILENCE;
}

/**
 * ctfaf_rate - the rate to send: r rounded down to the grid r_min + m S
 * @c: state
 *
 * Return: the rate; r itself where it is below r_min after a silence
 */
u64 ctfaf_rate(const struct ctfaf *c)
{
	u64 r_min = TFRC_RATE(c->par.r_min), above;

	if (c->r <= r_min)
		return c->r;
	div64_u64_rem(c->r - r_min, TFRC_RATE(c->par.step), &above);
	return c->r - above;
}
