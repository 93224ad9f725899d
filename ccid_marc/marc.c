// SPDX-License-Identifier: GPL-2.0-only
/*
 * MARC: Media-Aware Rate Control
 *	Z. Wang, S. Banerjee, S. Jamin, December 2004
 *
 * A stream often sends less than its fair share of the path, because its
 * encoder needs no more. When others crowd the path for a few seconds, TFRC
 * makes it slow down all the same. MARC lets a stream that left some of its
 * share unused slow down less, for as long as what it saved lasts.
 *
 * The share is W, what the throughput equation (eq. 1) allows at the loss event
 * rate p. What was really sent is W_snd. For each report of the receiver, after
 * an interval I, the sender books what it left unused in a token value T, which
 * forgets a little each time so that nobody saves up for ever:
 *
 *	D = (W - W_snd) I				(eq. 5)
 *	T = beta T' + D					(eq. 4)
 *
 * TFRC then says which rate it would move to. If that is a step down by more
 * than delta, and T > 0, MARC
 *
 *	keeps its rate,		if the report tells of no congestion,
 *	takes (1 - delta) of it	if it does.
 *
 * In every other case it does what TFRC does. delta is 0.1, or 0.05 if routers
 * marked packets but dropped none. Without a loss so far nobody knows the share:
 * D is 0. With T held at 0 this is TFRC.
 *
 * A sender that uses A of a share A/a for a long time comes to (eq. 6, 7)
 *
 *	T_n = (A/a - A) I (1 - beta^n) / (1 - beta)
 *
 * and has less than one interval's worth, A I, left after M reports, where M is
 * the first with (1/a - 1) beta^M / (1 - beta) < 1 (eq. 10).
 */
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include "marc.h"

#define MARC_ONE	1000	/* parameters are in 10^-3 */

/*
 * Reports come once in a round trip, or two. After a pause the interval is the
 * pause: nobody knows whether the share was there all the time, and it is not
 * what the paper's D is about. Count no more than this many round trips of it.
 */
#define MARC_MAX_RTTS	4

/* Where T would overflow when multiplied: with beta = 1 nothing is forgotten. */
#define MARC_MAX_TOKENS	(S64_MAX / (2 * MARC_ONE))

/**
 * marc_tx_params_valid - are these parameters of a sender in range?
 * @values: struct dccp_marc_tx_params
 */
bool marc_tx_params_valid(const void *values)
{
	const struct dccp_marc_tx_params *par = values;

	return par->beta <= MARC_ONE &&
	       par->delta_loss && par->delta_loss < MARC_ONE &&
	       par->delta_mark && par->delta_mark < MARC_ONE &&
	       par->tokens <= 1 && par->clock <= DCCP_TFRC_CLOCK_RFC5348;
}

/**
 * marc_rx_params_valid - are these parameters of a receiver in range?
 * @values: struct dccp_marc_rx_params
 */
bool marc_rx_params_valid(const void *values)
{
	const struct dccp_marc_rx_params *par = values;

	return par->loss_history >= TFRC_LI_MIN &&
	       par->loss_history <= TFRC_LI_MAX && par->recovery <= 1 &&
	       !par->reserved[0] && !par->reserved[1] && !par->reserved[2];
}

/**
 * marc_unused_share - eq. 5: D = (W - W_snd) I
 * @w: rate that the equation allowed during the interval
 * @w_snd: rate that was really sent
 * @interval: length of the interval, ns
 *
 * Return: bytes; negative if more was sent than allowed
 */
s64 marc_unused_share(u64 w, u64 w_snd, u64 interval)
{
	u64 bytes = tfrc_mul_div(w > w_snd ? w - w_snd : w_snd - w, interval,
				 TFRC_NSEC_PER_SEC) >> TFRC_RATE_SHIFT;

	return w > w_snd ? (s64)bytes : -(s64)bytes;
}

/**
 * marc_token_value - eq. 4: T = beta T' + D
 * @tokens: token value T' before, bytes
 * @unused: unused share D of the last interval, bytes
 * @beta: decay, in 10^-3
 *
 * Return: T in bytes
 */
s64 marc_token_value(s64 tokens, s64 unused, u16 beta)
{
	tokens = div_s64(tokens * beta, MARC_ONE) + unused;
	return clamp(tokens, -MARC_MAX_TOKENS, MARC_MAX_TOKENS);
}

/**
 * marc_limited_rate - the furthest that MARC moves down at once, (1 - delta) X'
 * @x: present rate X'
 * @delta: in 10^-3
 *
 * Return: the rate
 */
u64 marc_limited_rate(u64 x, u16 delta)
{
	return tfrc_mul_div(x, MARC_ONE - delta, MARC_ONE);
}

/**
 * marc_move_to - the rule of section 4.1: what rate does MARC move to?
 * @priv: struct marc
 * @d: what TFRC would do, and why
 *
 * Return: the new rate
 */
u64 marc_move_to(void *priv, const struct tfrc_decision *d)
{
	struct marc *m = priv;
	bool only_marks = d->marked && !d->lost;
	u16 delta = only_marks ? m->par.delta_mark : m->par.delta_loss;
	u64 limit = marc_limited_rate(d->x, delta);
	s64 unused = 0;

	/* W is 0 as long as there is no estimate of the share. */
	if (d->x_calc)
		unused = marc_unused_share(d->x_calc, d->x_send,
					   min(d->interval,
					       MARC_MAX_RTTS * d->rtt));
	m->tokens = m->par.tokens ?
		    marc_token_value(m->tokens, unused, m->par.beta) : 0;
	m->x_tfrc = d->x_tfrc;

	if (m->tokens <= 0 || d->x_tfrc >= limit) {
		m->decision = DCCP_MARC_TFRC;
		return d->x_tfrc;
	}
	if (!d->lost && !d->marked) {
		m->decision = DCCP_MARC_KEEP;
		return d->x;
	}
	m->decision = DCCP_MARC_LIMIT;
	return limit;
}
