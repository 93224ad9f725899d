// SPDX-License-Identifier: GPL-2.0-only
/*
 * CTFAF: the constrained TCP-friendly adaptation framework
 *	D. Sisalem, A. Wolisz: Constrained TCP-Friendly Congestion Control for
 *	Multimedia Communication, March 2000, sections 2 and 3
 *
 * Once in a report interval an algorithm asks for an increase or a decrease of the
 * rate r. The encoder cannot always follow: it has a least and a greatest rate (r_min,
 * r_max) and steps (S), and its rate should change by at most delta at once, and not
 * at all for a few losses (l_allowed). So r follows within these constraints, and the
 * virtual bandwidth B has the difference: it is positive if r is less than the
 * algorithm allowed (credit), and negative if r is more (debt). B changes the next
 * decisions: credit is spent on decreases that are not made; debt is paid by larger
 * decreases and by increases that are not made. The first row that applies decides:
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
 * The paper prints eq. 6 with a minus, with which a debt could never be paid. By eq. 1
 * an increase that is not made adds to B.
 *
 * If r_min or r_max is nearer than the result, r goes to this limit, and B gets the
 * rest. By the letter of the paper (@refuse) a change that would pass a limit is not
 * made at all (3), and all of it goes to B.
 *
 * Once in T_reset, r moves by B T/T_reset (eq. 7), without regard to delta, and B
 * begins anew. With @gentle r moves by this amount in portions of delta. In the first
 * T_init, while the right rate is not known, there is no delta and no B.
 *
 * The rate that is sent is X: r rounded down to the grid r_min + m S, or to a list of
 * rungs. The remainder stays in r. delta counts in whole steps, n S <= delta, because
 * the rounding could add one step.
 *
 * The following safety rules, which the paper does not have, take precedence over the
 * constraints, r_min and the credit in B:
 *
 *	- the first rate is at most the initial rate;
 *	- r does not grow while less than half of X is used;
 *	- X at most doubles, or goes to the encoder's next rate if that is more, and is
 *	  at most four times what is used;
 *	- X falls to four times what was sent, or to the initial rate if that is more;
 *	- X is halved when no report comes, and the credit is gone then;
 *	- with losses of l_severe or more a decrease has no delta, no tolerance, no
 *	  credit.
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
#define CTFAF_PROBES_MAX	15		/* greatest CCVal */
#define CTFAF_HOLD_MAX		100		/* ms */
#define CTFAF_DECAY_ONE		1000
#define CTFAF_STEADY_MAX	100		/* reports */

/* Limit of B in both directions: some thousand times the greatest rate */
#define CTFAF_B_MAX		(S64_MAX / 8)

/* X is at most so many times what is used, as it is not known that the path has more. */
#define CTFAF_USED		4

/* So the next rate is at most so many times X, for a source that uses 3/4 of X. */
#define CTFAF_APART		3
/*
 * The first rate without r_start, bytes/s: RFC 3390's window in 100 ms. It is kept for T,
 * which is longer than the round trip of a near peer, so that peer's initial rate would
 * send many windows.
 */
#define CTFAF_START		43800

/**
 * ctfaf_tx_params_valid - whether constraints are in range as a whole
 * @values: struct dccp_ctfaf_constraints
 *
 * With a step above 2 r_min a sender would stay at r_min, see ctfaf_rungs_valid().
 *
 * Return: true if all of them may be set
 */
bool ctfaf_tx_params_valid(const void *values)
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
	       par->steady <= CTFAF_STEADY_MAX &&
	       tfrc_delay_valid(par->target_delay) &&
	       tfrc_nominal_valid(par->nominal_size) &&
	       tfrc_frame_rate_valid(par->frame_rate);
}

/**
 * ctfaf_rx_params_valid - whether parameters of a receiver are in range
 * @values: struct dccp_ctfaf_rx_params
 *
 * Return: true if all of them may be set
 */
bool ctfaf_rx_params_valid(const void *values)
{
	const struct dccp_ctfaf_rx_params *par = values;

	return par->loss_history >= TFRC_LI_MIN &&
	       par->loss_history <= TFRC_LI_MAX;
}

/**
 * ctfaf_rungs_valid - whether a list of rungs is valid
 * @rung: rates, bytes/s
 * @n: how many
 *
 * Each rate is greater than the one before, and at most three times as great: X is at
 * most four times what is used, and no source uses all of its rate. A single 0 stands
 * for no list.
 *
 * Return: true if the list may be set
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
 * ctfaf_at_greatest - whether X is the encoder's greatest rate
 * @c: state
 *
 * Return: true if the constraints allow no greater rate
 */
bool ctfaf_at_greatest(const struct ctfaf *c)
{
	return c->r >= ctfaf_greatest(c);
}

/* The next of the encoder's rates above X; X itself below the least of them. */
static u64 ctfaf_next(const struct ctfaf *c, u64 x)
{
	u32 i;

	if (x < ctfaf_least(c))
		return x;
	for (i = 0; i < c->n_rungs; i++)
		if (TFRC_RATE(c->rung[i]) > x)
			return TFRC_RATE(c->rung[i]);
	return c->n_rungs ? x : x + TFRC_RATE(c->par.step);
}

/**
 * ctfaf_start_rate - the first rate of a connection, and that of an idle one
 * @c: state
 * @initial: initial rate
 *
 * Return: r_start, or without one CTFAF_START, within the constraints, but at most @initial
 */
u64 ctfaf_start_rate(const struct ctfaf *c, u64 initial)
{
	u64 r = TFRC_RATE(c->par.r_start ?: CTFAF_START);

	return min(clamp(r, ctfaf_least(c), ctfaf_greatest(c)), initial);
}

/**
 * ctfaf_start - the first packet is about to be sent
 * @c: state, with its constraints
 * @initial: initial rate
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
 * A lower r_max applies at once, and a higher r_min from the next report on, because
 * only a report makes the rate grow.
 */
void ctfaf_constrain(struct ctfaf *c, const struct dccp_ctfaf_constraints *par)
{
	c->par = *par;
	c->r = min(c->r, ctfaf_greatest(c));
}

/**
 * ctfaf_set_rungs - set the encoder's rates instead of r_min, r_max and S
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

/* Whether the share @loss is at least @parts in 10^6 */
static bool ctfaf_reaches(u32 loss, u32 parts)
{
	return (u64)loss * CTFAF_PARTS >= (u64)parts << 32;
}

/* Add what was allowed and not taken to the virtual bandwidth B; if negative, the reverse. */
static void ctfaf_book(struct ctfaf *c, s64 owed)
{
	c->b = clamp(c->b + owed, -CTFAF_B_MAX, CTFAF_B_MAX);
}

/* x * a / b, for a <= b */
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

/* delta in whole steps, so that X, too, moves by delta at most */
static u64 ctfaf_delta(const struct ctfaf *c)
{
	if (!c->par.delta)
		return U64_MAX;
	return TFRC_RATE(c->n_rungs ? c->par.delta :
			 c->par.delta - c->par.delta % c->par.step);
}

/**
 * ctfaf_decide - eq. 1 to 6: apply the constraints to an increase or a decrease
 * @c: state, with r not above its limit
 * @ask: increase, or negative, decrease that the algorithm asks for
 * @loss: share l of packets lost, scaled by 2^32
 * @init: T_init is not yet over
 */
static void ctfaf_decide(struct ctfaf *c, s64 ask, u32 loss, bool init)
{
	bool severe = ctfaf_reaches(loss, c->par.l_severe);
	u64 delta = init ? U64_MAX : ctfaf_delta(c);

	if (severe)
		c->b = min(c->b, 0LL);
	if (ask < 0)
		c->decision = ctfaf_decrease(c, -ask, !severe &&
					     !ctfaf_reaches(loss, c->par.l_allowed),
					     severe ? U64_MAX : delta);
	else
		c->decision = ctfaf_increase(c, ask, delta);
	if (init)
		c->b = 0;
}

/* Move r, within its limits and within what this report allows. */
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
 * ctfaf_reset - eq. 7: begin B anew, and return by how much r moves
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
 * The next portion of a gentle reset: together with the change that this report made it
 * is delta at most. It is upwards only if the algorithm asks for an increase.
 */
static s64 ctfaf_portion(const struct ctfaf *c, s64 moved, bool up)
{
	s64 delta = min(ctfaf_delta(c), (u64)S64_MAX / 2);

	if (c->owed > 0)
		return up ? min(c->owed, max(delta - moved, 0LL)) : 0;
	return max(c->owed, min(-delta - moved, 0LL));
}

/**
 * ctfaf_due - whether a step may follow from a report that comes now
 * @c: state
 * @interval: present report interval T, ns
 * @now: time
 *
 * There is one step in T. A step may be early by T/2, because reports come with jitter.
 *
 * Context: any, @c locked by the caller
 * Return: true if it may
 */
bool ctfaf_due(const struct ctfaf *c, u64 interval, u64 now)
{
	return now + interval / 2 >= c->t_due;
}

/**
 * ctfaf_stepped - a step was taken: set the time of the next one
 * @c: state
 * @interval: report interval T from now on, ns
 * @now: time
 *
 * The next step is due as if this one had not been early. So a receiver cannot make the
 * steps faster than one in T; it can make them earlier by T/2 in total.
 *
 * Context: any, @c locked by the caller
 */
void ctfaf_stepped(struct ctfaf *c, u64 interval, u64 now)
{
	u64 early = c->t_due > now ? min(c->t_due - now, interval / 2) : 0;

	c->t_due = now + early + interval;
}

/**
 * ctfaf_sent - a report has come: limit X to four times what was sent
 * @c: state
 * @sent: rate that was sent since the previous step, or in T if that is longer
 * @initial: initial rate
 *
 * The greatest rate of the last three periods in which there was data counts, because a
 * source may pause for a moment.
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
 * ctfaf_begin - a report has come: set the limit of r for this step
 * @c: state
 * @used: rate that was sent since the previous step, and that arrived as the report has it
 * @floor: the least rate that is sent, whatever r is
 *
 * A rate below r_min, after a timeout or a low start, rises to r_min no faster than any
 * other rate.
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

	/*
	 * A share of B is forgotten at each report, also of a sender that uses little of X. Of
	 * less than a byte/s all is forgotten: only the sign of B decides, and what is left after
	 * its shares would never be 0.
	 */
	c->b -= ctfaf_part(c->b, c->par.decay, CTFAF_DECAY_ONE);
	if (c->par.decay && abs(c->b) < TFRC_RATE(1))
		c->b = 0;
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
 * @idle: no data was sent either
 * @initial: initial rate
 *
 * Halves X, also below r_min; reports bring it back. An idle sender comes to rest at
 * its first rate. The credit in B is gone, because the path may have changed.
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
 * ctfaf_rate - X: r rounded down to one of the encoder's rates
 * @c: state
 *
 * Return: the rate; r itself if it is below the least of them
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
