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
 *	  l < l_allowed				r		B - X_r		(3)
 *	  B > 0					r		B - X_r		(4)
 *	  X_r > delta				r - delta	B - X_r + delta	(2)
 *	  B < 0					r - delta	B + delta - X_r	(5)
 *	  else					r - X_r		B
 *	increase X_i
 *	  B < 0					r		B + X_i		(6)
 *	  X_i > delta				r + delta	B + X_i - delta	(1)
 *	  else					r + X_i		B
 *
 * Eq. 6 is printed with a minus, with which a debt could never be paid; by eq. 1
 * an increase that is not made adds to B.
 *
 * Where r_min or r_max is nearer than that, r goes there, and B gets the rest. To
 * the letter of the paper (@refuse) a change of X_r or X_i that would pass them is
 * not made at all (3), and all of it goes to B.
 *
 * Each T_reset, r moves by B T/T_reset (eq. 7), delta or not, and B begins anew.
 * With @gentle it moves by as much in portions of delta. For the first T_init,
 * while the right rate is still unknown, there is no delta, and no B.
 *
 * What is sent is X: r rounded down to the grid r_min + m S, or to a list of rungs;
 * the remainder stays in r. delta counts in whole steps, n S <= delta: else the
 * rounding could add one.
 *
 * Safety rules of our own stand above the constraints, the user's wish for r_min
 * and the credit in B:
 *
 *	- it begins with the initial rate of RFC 3390 at most;
 *	- r does not grow while less than half of X is used;
 *	- X grows to twice what it was at most, or to the next rate of the encoder's
 *	  if that is further, and to no more than four times what is used;
 *	- it falls to four times what was sent, or to the initial rate if that is more;
 *	- it is halved when no report comes, and what was saved is gone then;
 *	- with losses of l_severe or more there is no delta, no tolerance, no credit.
 */
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include "ctfaf.h"

#define CTFAF_PARTS		1000000		/* l_allowed is in 10^-6 */
#define CTFAF_INTERVAL_MIN	100		/* ms, as are the next ones */
#define CTFAF_INTERVAL_MAX	60000
#define CTFAF_TIME_MAX		3600000
#define CTFAF_PROBES_MAX	15		/* as far as CCVal counts */
#define CTFAF_HOLD_MAX		100		/* ms */
#define CTFAF_DECAY_ONE		1000

/* As far as B goes either way: some thousand times the greatest rate. */
#define CTFAF_B_MAX		(S64_MAX / 8)

/* What was not used cannot be known to be there: X is at most so much of it. */
#define CTFAF_USED		4

/* So the next rate is at most so much, for who uses three quarters of the one below. */
#define CTFAF_APART		3

/**
 * ctfaf_constraints_valid - are these constraints in range, as a whole?
 * @values: struct dccp_ctfaf_constraints
 *
 * A step above 2 r_min would leave a sender at r_min, see ctfaf_rungs_valid().
 */
bool ctfaf_constraints_valid(const void *values)
{
	const struct dccp_ctfaf_constraints *par = values;

	return par->r_min && par->r_min <= par->r_max &&
	       par->step && par->step <= par->r_max - par->r_min &&
	       par->step <= (u64)(CTFAF_APART - 1) * par->r_min &&
	       (!par->delta || par->delta >= par->step) &&
	       (!par->r_start || (par->r_start >= par->r_min &&
				  par->r_start <= par->r_max)) &&
	       par->increase && par->l_allowed <= CTFAF_PARTS &&
	       par->l_severe && par->l_severe <= CTFAF_PARTS &&
	       par->interval >= CTFAF_INTERVAL_MIN &&
	       par->interval <= CTFAF_INTERVAL_MAX &&
	       par->t_reset >= par->interval &&
	       par->t_reset <= CTFAF_TIME_MAX &&
	       par->t_init <= CTFAF_TIME_MAX &&
	       par->algorithm <= DCCP_CTFAF_TFRC &&
	       par->probes <= CTFAF_PROBES_MAX && par->probes != 1 &&
	       par->probe_every && par->hold <= CTFAF_HOLD_MAX &&
	       par->decay <= CTFAF_DECAY_ONE && par->refuse <= 1 &&
	       par->gentle <= 1 && par->climb <= 1 &&
	       !par->reserved[0] && !par->reserved[1] && !par->reserved[2];
}

/**
 * ctfaf_rungs_valid - is this a list of rates that a sender can climb?
 * @rung: rates, bytes/s
 * @n: how many
 *
 * Each is greater than the one before, but no more than three times as great: X is
 * not above four times what is used, and no source fills its rate to the last byte.
 * A single 0 stands for no list.
 */
bool ctfaf_rungs_valid(const u32 *rung, u32 n)
{
	u32 i;

	if (n == 1)
		return !rung[0];
	if (!n || n > CTFAF_RUNGS_MAX || !rung[0])
		return false;
	for (i = 1; i < n; i++)
		if (rung[i] <= rung[i - 1] ||
		    rung[i] > (u64)CTFAF_APART * rung[i - 1])
			return false;
	return true;
}

static u64 ctfaf_least(const struct ctfaf *c)
{
	return TFRC_RATE(c->n_rungs ? c->rung[0] : c->par.r_min);
}

static u64 ctfaf_greatest(const struct ctfaf *c)
{
	return TFRC_RATE(c->n_rungs ? c->rung[c->n_rungs - 1] : c->par.r_max);
}

/**
 * ctfaf_at_greatest - is there no greater rate to go to?
 * @c: state
 */
bool ctfaf_at_greatest(const struct ctfaf *c)
{
	return c->r >= ctfaf_greatest(c);
}

/* The next of the encoder's rates above X. */
static u64 ctfaf_next(const struct ctfaf *c, u64 x)
{
	u32 i;

	for (i = 0; i < c->n_rungs; i++)
		if (TFRC_RATE(c->rung[i]) > x)
			return TFRC_RATE(c->rung[i]);
	if (c->n_rungs || x < ctfaf_least(c))
		return x;
	return x + TFRC_RATE(c->par.step);
}

/**
 * ctfaf_start_rate - what a connection begins with, and comes to rest at
 * @c: state
 * @initial: what any path is asked to bear at first
 */
u64 ctfaf_start_rate(const struct ctfaf *c, u64 initial)
{
	u64 r = TFRC_RATE(c->par.r_start ?: c->par.r_min);

	return min(clamp(r, ctfaf_least(c), ctfaf_greatest(c)), initial);
}

/**
 * ctfaf_start - the first packet is about to be sent
 * @c: state, with its constraints
 * @initial: what any path is asked to bear at first
 * @now: time
 */
void ctfaf_start(struct ctfaf *c, u64 initial, u64 now)
{
	c->r = ctfaf_start_rate(c, initial);
	c->b = 0;
	c->owed = 0;
	memset(c->sent, 0, sizeof(c->sent));
	c->t_start = now;
	c->t_reset = now;
	c->t_due = now;
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
	c->r = min(c->r, ctfaf_greatest(c));
}

/**
 * ctfaf_set_rungs - the encoder's rates, in the place of r_min, r_max and S
 * @c: state
 * @rung: a valid list
 * @n: its length
 */
void ctfaf_set_rungs(struct ctfaf *c, const u32 *rung, u32 n)
{
	if (!rung[0])
		n = 0;
	memcpy(c->rung, rung, n * sizeof(*rung));
	c->n_rungs = n;
	c->r = min(c->r, ctfaf_greatest(c));
}

/* Is the share @loss at least @parts in 10^6? */
static bool ctfaf_reaches(u32 loss, u32 parts)
{
	return (u64)loss * CTFAF_PARTS >= (u64)parts << 32;
}

static void ctfaf_book(struct ctfaf *c, s64 owed)
{
	c->b = clamp(c->b + owed, -CTFAF_B_MAX, CTFAF_B_MAX);
}

/* a/b of x, for a <= b */
static s64 ctfaf_part(s64 x, u64 a, u64 b)
{
	return x < 0 ? -(s64)tfrc_mul_div(-x, a, b) : (s64)tfrc_mul_div(x, a, b);
}

static enum dccp_ctfaf_decision
ctfaf_decrease(struct ctfaf *c, u64 x, bool tolerated, u64 delta)
{
	u64 room = c->r - min(c->r, ctfaf_least(c)), taken = 0;
	enum dccp_ctfaf_decision decision;

	if (tolerated) {
		decision = DCCP_CTFAF_TOLERATED;
	} else if (c->par.refuse && x > room) {
		decision = DCCP_CTFAF_AT_MIN;
	} else if (c->b > 0) {
		decision = DCCP_CTFAF_CREDIT;
	} else {
		decision = DCCP_CTFAF_DECREASE;
		taken = x;
		if (x > delta || (c->b < 0 && delta != U64_MAX)) {
			decision = x > delta ? DCCP_CTFAF_DECREASE_DELTA :
					       DCCP_CTFAF_REPAY;
			taken = delta;
		}
		if (room < min(x, taken))
			decision = DCCP_CTFAF_AT_MIN;
		taken = min(taken, room);
	}
	c->r -= taken;
	ctfaf_book(c, (s64)(taken - x));
	return decision;
}

static enum dccp_ctfaf_decision
ctfaf_increase(struct ctfaf *c, u64 x, u64 delta)
{
	u64 room = ctfaf_greatest(c) - c->r, taken = 0;
	enum dccp_ctfaf_decision decision;

	if (c->b < 0) {
		decision = DCCP_CTFAF_RESTRAINT;
	} else if (c->par.refuse && x > room) {
		decision = DCCP_CTFAF_AT_MAX;
	} else {
		decision = x > delta ? DCCP_CTFAF_INCREASE_DELTA :
				       DCCP_CTFAF_INCREASE;
		taken = min(x, delta);
		if (room < taken)
			decision = DCCP_CTFAF_AT_MAX;
		taken = min(taken, room);
	}
	c->r += taken;
	ctfaf_book(c, (s64)(x - taken));
	return decision;
}

/* In whole steps: what is sent, too, then moves by delta at most. */
static u64 ctfaf_delta(const struct ctfaf *c)
{
	if (!c->par.delta)
		return U64_MAX;
	return TFRC_RATE(c->n_rungs ? c->par.delta :
			 c->par.delta - c->par.delta % c->par.step);
}

/**
 * ctfaf_decide - eq. 1 to 6: what becomes of an increase or a decrease?
 * @c: state, with r not above its limit
 * @ask: increase, or negative, decrease that the algorithm asks for
 * @loss: share l of packets lost, scaled by 2^32
 * @init: T_init is not yet over
 */
static void ctfaf_decide(struct ctfaf *c, s64 ask, u32 loss, bool init)
{
	bool severe = ctfaf_reaches(loss, c->par.l_severe);
	u64 delta = init || severe ? U64_MAX : ctfaf_delta(c);

	if (severe)
		c->b = min(c->b, 0LL);
	if (ask < 0)
		c->decision = ctfaf_decrease(c, -ask, !severe &&
					     !ctfaf_reaches(loss, c->par.l_allowed),
					     delta);
	else
		c->decision = ctfaf_increase(c, ask, delta);
	if (init)
		c->b = 0;
	else
		c->b -= ctfaf_part(c->b, c->par.decay, CTFAF_DECAY_ONE);
}

/* Move r by this, within its limits and what is borne out. */
static void ctfaf_move(struct ctfaf *c, s64 change)
{
	u64 least = min(c->r, ctfaf_least(c)), room;

	if (change < 0) {
		c->r -= min_t(u64, -change, c->r - least);
	} else {
		room = max(min(c->most, ctfaf_greatest(c)), c->r) - c->r;
		c->r += min_t(u64, change, room);
	}
}

/**
 * ctfaf_reset - eq. 7: begin B anew, and say by how much r is to move
 * @c: state
 * @interval: report interval T, ns
 *
 * Return: B T/T_reset
 */
static s64 ctfaf_reset(struct ctfaf *c, u64 interval)
{
	u64 t_reset = c->par.t_reset * TFRC_NSEC_PER_MSEC;
	s64 mean = ctfaf_part(c->b, min(interval, t_reset), t_reset);

	c->b = 0;
	c->resets++;
	return mean;
}

/*
 * The part of what a gentle reset has left that fits in delta, together with what
 * this report made of r already. Upwards only as far as the algorithm goes there.
 */
static s64 ctfaf_portion(const struct ctfaf *c, s64 moved, bool up)
{
	s64 delta = min(ctfaf_delta(c), (u64)S64_MAX / 2);

	if (c->owed > 0)
		return up ? min(c->owed, max(delta - moved, 0LL)) : 0;
	return max(c->owed, min(-delta - moved, 0LL));
}

/**
 * ctfaf_due - has a report come that a step may follow from?
 * @c: state
 * @interval: report interval T that it was waited for, ns
 * @now: time
 *
 * A step is for T. One may be early by half of it, as reports are late or not.
 *
 * Context: any, @c locked by the caller
 */
bool ctfaf_due(const struct ctfaf *c, u64 interval, u64 now)
{
	return now + interval / 2 >= c->t_due;
}

/**
 * ctfaf_stepped - a step was taken: when is the next one due?
 * @c: state
 * @interval: report interval T from now on, ns
 * @now: time
 *
 * The next is due as if this one had not been early. So a receiver cannot hurry its
 * sender: a step takes place T after the one before, or later, but for one that is
 * early by T/2.
 *
 * Context: any, @c locked by the caller
 */
void ctfaf_stepped(struct ctfaf *c, u64 interval, u64 now)
{
	u64 early = c->t_due > now ? min(c->t_due - now, interval / 2) : 0;

	c->t_due = now + early + interval;
}

/**
 * ctfaf_sent - a report has come: hold X to four times what was sent
 * @c: state
 * @sent: rate that was sent since the report before, or in T if that is longer
 * @initial: what any path is asked to bear at first
 *
 * The greatest of the last three times in which there was data counts: a source may
 * pause for a moment.
 */
void ctfaf_sent(struct ctfaf *c, u64 sent, u64 initial)
{
	if (sent) {
		c->sent[2] = c->sent[1];
		c->sent[1] = c->sent[0];
		c->sent[0] = sent;
	}
	sent = max3(c->sent[0], c->sent[1], c->sent[2]);
	c->r = min(c->r, max(CTFAF_USED * sent, initial));
}

/**
 * ctfaf_begin - a report has come: how far may it take the rate, and from where?
 * @c: state
 * @used: rate that was sent, and arrived, since the report before
 * @floor: what is sent at least, whatever r is
 *
 * A rate below r_min, after a timeout or a start at less, goes up to it, no faster
 * than any other.
 *
 * Return: r, for the algorithm to ask from
 */
u64 ctfaf_begin(struct ctfaf *c, u64 used, u64 floor)
{
	u64 x, most;

	c->r = max(c->r, floor);
	x = ctfaf_rate(c);
	c->unused = used < x / 2;
	most = c->unused ? 0 : min(max(2 * x, ctfaf_next(c, x)),
				   CTFAF_USED * used);
	c->most = max(most, c->r);
	c->r = clamp(c->r, min(ctfaf_least(c), c->most), ctfaf_greatest(c));
	return c->r;
}

/**
 * ctfaf_step - eq. 1 to 7, after ctfaf_sent() and ctfaf_begin()
 * @c: state
 * @ask: increase, or negative, decrease that the algorithm asks for
 * @loss: share l of packets lost, scaled by 2^32
 * @interval: report interval T, ns
 * @now: time
 */
void ctfaf_step(struct ctfaf *c, s64 ask, u32 loss, u64 interval, u64 now)
{
	bool init = now - c->t_start < c->par.t_init * TFRC_NSEC_PER_MSEC;
	u64 before = c->r;
	s64 move;

	c->asked = ask;
	c->steps++;
	if (ask > 0 && c->unused)
		c->decision = DCCP_CTFAF_UNUSED;
	else
		ctfaf_decide(c, min(ask, (s64)(max(c->most, c->r) - c->r)),
			     loss, init);

	if (init) {
		c->t_reset = now;
	} else if (now - c->t_reset >= c->par.t_reset * TFRC_NSEC_PER_MSEC) {
		c->t_reset = now;
		c->owed = clamp(c->owed + ctfaf_reset(c, interval),
				-CTFAF_B_MAX, CTFAF_B_MAX);
	}
	move = c->owed;
	if (c->par.gentle)
		move = ctfaf_portion(c, c->r - before, ask > 0 && !c->unused);
	c->owed -= move;
	ctfaf_move(c, move);
}

/**
 * ctfaf_timeout - no report came for 3 T
 * @c: state
 * @idle: nor was any data sent
 * @initial: what any path is asked to bear at first
 *
 * Halves X, whatever r_min says: reports bring it back there. A sender that was
 * idle comes to rest at the rate that it would begin with. What was saved is
 * gone: it was for a path that may not be there any more.
 */
void ctfaf_timeout(struct ctfaf *c, bool idle, u64 initial)
{
	u64 x = ctfaf_rate(c);
	u64 least = idle ? min(x, ctfaf_start_rate(c, initial)) : 0;

	c->r = max(x / 2, least);
	c->b = min(c->b, 0LL);
	c->owed = min(c->owed, 0LL);
	c->decision = DCCP_CTFAF_NOFEEDBACK;
}

/**
 * ctfaf_rate - X, the rate to send: r rounded down to a rate of the encoder's
 * @c: state
 *
 * Return: the rate; r itself where it is below the least of them
 */
u64 ctfaf_rate(const struct ctfaf *c)
{
	u64 least = ctfaf_least(c), above;
	u32 i = c->n_rungs;

	if (c->r <= least)
		return c->r;
	if (i) {
		while (TFRC_RATE(c->rung[--i]) > c->r)
			;
		return TFRC_RATE(c->rung[i]);
	}
	div64_u64_rem(c->r - least, TFRC_RATE(c->par.step), &above);
	return c->r - above;
}
