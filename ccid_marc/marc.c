// SPDX-License-Identifier: GPL-2.0-only
/*
 * MARC: Media-Aware Rate Control
 *	Z. Wang, S. Banerjee, S. Jamin, December 2004
 *
 * A stream often sends less than its fair share of the path, because its
 * encoder needs no more. If other flows crowd the path for a few seconds, TFRC
 * reduces its rate nevertheless. MARC reduces the rate of a stream more slowly if
 * the stream has left some of its share unused, until this saving is used up.
 *
 * The share is W, the rate of the throughput equation (eq. 1) at the loss event
 * rate p. The rate that was sent is W_snd. For each report of the receiver, after
 * an interval I, the sender adds the unused share to a token value T. T decays, so
 * that savings do not last for ever:
 *
 *	D = (W - W_snd) I				(eq. 5)
 *	T = beta T' + D					(eq. 4)
 *
 * Then TFRC computes the rate to which it would move. If this is a decrease by more
 * than delta, and T > 0, MARC
 *
 *	keeps its rate		if the report has no congestion signal,
 *	takes (1 - delta) of it	if it has one.
 *
 * In all other cases it takes TFRC's rate. delta is 0.1, or 0.05 if routers marked
 * packets but dropped none. Before the first loss the share is unknown, so D is 0.
 * With T held at 0 this is TFRC. In any case the library limits X to four times what
 * was sent recently.
 *
 * The receive rate limits TFRC's rate. By the parameter clock, this is the
 * self-clocking of the paper (X_recv in the round trip after a loss event, 1.5 X_recv
 * otherwise), the same with a floor for sources that send less than they may, or the
 * rule of RFC 5348.
 *
 * Two options help an application that lives on its tokens. Both are off by default:
 *
 *   - landing. When the tokens are used up, X falls to TFRC's rate at once. With
 *     landing = n, X is at most X_tfrc + T/(n R), so the excess over TFRC's rate falls
 *     with T, and is gone when T is. The paper: "delta can be computed as a function
 *     of available tokens" (section 4.1).
 *   - warning. At each report it is computed how long T lasts. When this is less than
 *     the warning, the application learns it, and may reduce its rate in time (section
 *     7: "asked to reduce its data rate when MARC is running short of tokens").
 *
 * Two rules have a parameter, which selects the paper's rule or one for networks:
 *
 *   - decay. T decays by beta for each report, as eq. 4 is written; or by
 *     beta^(I/R), with time, as the paper's section 4.1 says. In the latter case a
 *     pause saves at most MARC_MAX_RTTS round trips. What is spent counts in full
 *     in both cases.
 *   - lag. While a deep queue fills, nothing is lost for seconds. The only sign is
 *     that less arrives than is sent. By the paper's rule the rate stays the same.
 *     With lag = 1 this is a congestion signal, and limits the rate. It stays one
 *     until X has come down to TFRC's rate, because the queue stays full as long
 *     as X is not below the rate of the link.
 *
 * A sender that uses A of a share A/a for a long time has (eq. 6, 7)
 *
 *	T_n = (A/a - A) I (1 - beta^n) / (1 - beta)
 *
 * Then its tokens fall below those of one interval, A I, after M reports, where M is
 * the first with (1/a - 1) beta^M / (1 - beta) < 1 (eq. 10).
 */
#include <linux/container_of.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include "marc.h"

#define MARC_ONE	1000	/* parameters are in 10^-3 */

/*
 * Reports come once in one or two round trips. After a pause the interval is the
 * whole pause, and it is not known whether the share was there all the time. So an
 * interval saves at most this many round trips. A longer one is a pause.
 */
#define MARC_MAX_RTTS	4

/* Limit of T, far from an overflow: with beta = 1 T does not decay. */
#define MARC_MAX_TOKENS	(S64_MAX / 2000)

#define MARC_MAX_LANDING	1000	/* round trips */

/* Parts of a byte in the time that tokens last */
#define MARC_PART_SHIFT		10

/**
 * marc_tx_params_valid - whether parameters of a sender are in range
 * @values: struct dccp_marc_tx_params
 *
 * Return: true if all of them may be set
 */
bool marc_tx_params_valid(const void *values)
{
	const struct dccp_marc_tx_params *par = values;

	return par->beta <= MARC_ONE &&
	       par->delta_loss && par->delta_loss < MARC_ONE &&
	       par->delta_mark && par->delta_mark < MARC_ONE &&
	       par->tokens <= 1 && par->clock <= DCCP_TFRC_CLOCK_RESTART &&
	       par->decay <= DCCP_MARC_DECAY_TIME && par->lag <= 1 &&
	       par->landing <= MARC_MAX_LANDING &&
	       tfrc_delay_valid(par->target_delay) &&
	       tfrc_nominal_valid(par->nominal_size) &&
	       tfrc_frame_rate_valid(par->frame_rate) &&
	       par->l4s <= 1 && !par->reserved;
}

/**
 * marc_rx_params_valid - whether parameters of a receiver are in range
 * @values: struct dccp_marc_rx_params
 *
 * Return: true if all of them may be set
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
static s64 marc_unused_share(u64 w, u64 w_snd, u64 interval)
{
	u64 bytes = tfrc_mul_div(w > w_snd ? w - w_snd : w_snd - w, interval,
				 TFRC_NSEC_PER_SEC) >> TFRC_RATE_SHIFT;

	return w > w_snd ? (s64)bytes : -(s64)bytes;
}

/**
 * marc_decay - factor by which tokens decay in some time
 * @par: parameters
 * @interval: time since the last report, ns
 * @rtt: round-trip time R, ns
 *
 * Context: any
 * Return: beta, or beta^(@interval / @rtt), scaled by 2^MARC_DECAY_SHIFT. The
 * power is off by at most 5e-8 of 1: ln by 2^-33, times n = @interval / @rtt, and
 * n beta^n is at most 368, for 0.999.
 * Source: eq. 4, and section 4.1: "tokens should decay with time"
 */
static u64 marc_decay(const struct dccp_marc_tx_params *par, u64 interval,
		      u64 rtt)
{
	/* Rounded up, so that 0.9 of 1000 is not 899 */
	u64 beta = div_u64(((u64)par->beta << MARC_DECAY_SHIFT) + MARC_ONE - 1,
			   MARC_ONE);
	u64 exponent;

	if (par->decay == DCCP_MARC_DECAY_REPORT || !beta)
		return beta;
	exponent = tfrc_mul_div(-tfrc_ln(beta), interval, max(rtt, 1ULL));
	return min(tfrc_exp(-(s64)min(exponent, (u64)S64_MAX)),
		   BIT_ULL(MARC_DECAY_SHIFT));
}

/**
 * marc_token_value - eq. 4: T = beta T' + D
 * @tokens: token value T' before, bytes
 * @unused: unused share D of the last interval, bytes
 * @decay: result of marc_decay()
 *
 * Context: any
 * Return: T in bytes
 */
static s64 marc_token_value(s64 tokens, s64 unused, u64 decay)
{
	s64 left = tfrc_mul_div(tokens < 0 ? -tokens : tokens, decay,
				BIT_ULL(MARC_DECAY_SHIFT));

	return clamp((tokens < 0 ? -left : left) + unused, -MARC_MAX_TOKENS,
		     MARC_MAX_TOKENS);
}

/**
 * marc_left - how long tokens last
 * @tokens: token value T, bytes
 * @unused: unused share D of the last interval, bytes
 * @decay: result of marc_decay() for it
 * @interval: its length I, ns
 *
 * If all further intervals are as the last one, with b the decay, then after k of them
 *
 *	T_k = b^k T + D (1 - b^k) / (1 - b)
 *
 * This is 0 for k = ln(1 + (1 - b) T / -D) / -ln b, or for k = T / -D with b = 1.
 *
 * Context: any
 * Return: k I in ns; 0 without tokens; U64_MAX if D is not negative
 * Source: eq. 4, solved for the time as in eq. 8 to 10
 */
static u64 marc_left(s64 tokens, s64 unused, u64 decay, u64 interval)
{
	u64 spent = min(-unused, MARC_MAX_TOKENS), forgotten, rest;
	u64 fall = -tfrc_ln(decay);

	if (tokens <= 0)
		return 0;
	if (unused >= 0)
		return U64_MAX;
	if (!fall)
		return tfrc_mul_div(tokens, interval, spent);
	/* Both are less than 2^52.1, so the sum is less than 2^63.1. */
	spent <<= MARC_PART_SHIFT;
	forgotten = tfrc_mul_div(tokens, BIT_ULL(MARC_DECAY_SHIFT) - decay,
				 BIT_ULL(MARC_DECAY_SHIFT - MARC_PART_SHIFT));
	rest = tfrc_mul_div(spent, BIT_ULL(MARC_DECAY_SHIFT), spent + forgotten);
	return tfrc_mul_div(-tfrc_ln(rest), interval, fall);
}

/*
 * Count the interval of a report. The warning comes once, when the time that is left
 * falls below it, or when it is raised from below this time to above it.
 */
static void marc_count(struct marc *m, const struct tfrc_decision *d, s64 unused)
{
	u64 decay = marc_decay(&m->par, d->interval, d->rtt);
	u64 warning = m->par.warning * TFRC_NSEC_PER_MSEC;

	m->tokens = marc_token_value(m->tokens, unused, decay);
	m->left = marc_left(m->tokens, unused, decay, d->interval);
	m->warned = m->above && m->left < warning;
	m->above = m->left >= warning;
}

/**
 * marc_landing - bound of the rate by the tokens: X_tfrc + T/(n R)
 * @m: state, with tokens
 * @d: the rate that TFRC would take, and R
 *
 * Context: any
 * Return: the bound; U64_MAX if there is none
 * Source: section 4.1: delta "as a function of available tokens"
 */
static u64 marc_landing(const struct marc *m, const struct tfrc_decision *d)
{
	u64 excess;

	if (!m->par.landing)
		return U64_MAX;
	excess = tfrc_mul_div(m->tokens, TFRC_RATE(TFRC_NSEC_PER_SEC),
			      m->par.landing * d->rtt);
	return d->x_tfrc + min(excess, TFRC_RATE_MAX);
}

/**
 * marc_limited_rate - the result of MARC's largest decrease, (1 - delta) X'
 * @x: present rate X'
 * @delta: in 10^-3
 *
 * Return: the rate
 */
static u64 marc_limited_rate(u64 x, u16 delta)
{
	return tfrc_mul_div(x, MARC_ONE - delta, MARC_ONE);
}

/**
 * marc_lags - whether less arrived than was sent
 * @d: what the sender knows
 *
 * The number of packets in an interval varies by one even with CBR, and jitter moves
 * packets from one interval to the next. So a difference of less than an eighth, or of
 * at most one packet, does not show a queue.
 *
 * Context: any
 * Return: true if a queue builds up, as far as one interval shows
 */
static bool marc_lags(const struct tfrc_decision *d)
{
	u64 missing;

	if (d->x_recv >= d->x_send - d->x_send / 8)
		return false;
	missing = tfrc_mul_div(d->x_send - d->x_recv, d->interval,
			       TFRC_NSEC_PER_SEC) >> TFRC_RATE_SHIFT;
	return missing > d->s;
}

static s64 marc_unused(const struct marc *m, const struct tfrc_decision *d)
{
	u64 interval = d->interval;

	/* W is 0 before the first loss event, when the share is unknown. */
	if (!d->x_calc)
		return 0;
	if (m->par.decay == DCCP_MARC_DECAY_TIME && d->x_calc > d->x_send)
		interval = min(interval, MARC_MAX_RTTS * d->rtt);
	return marc_unused_share(d->x_calc, d->x_send, interval);
}

/*
 * Self-clocking (Bansal et al., "Dynamic behavior of slowly-responsive congestion
 * control algorithms", SIGCOMM 2001). In the paper X of a source that sends all the
 * time is in proportion to what it sends, however little that is (section 5.3). The
 * paper says nothing about pauses. After one, X_recv is a few packets over a long
 * time, so X may be the initial rate.
 *
 * Frames of a video differ more than 1.5 allows. So with clock=restart X may be the
 * initial rate whenever the source sends less than X.
 */
static u64 marc_self_clocking(const struct rfc5348_sender *t,
			      const struct tfrc_report *rep, bool restart, u64 now)
{
	const struct tfrc_sender *snd = &t->base;
	u64 limit = snd->x_recv + snd->x_recv / 2;

	if (!snd->p)
		limit = 2 * snd->x_recv;
	else if (t->t_signal && now - t->t_signal < snd->rtt)
		return snd->x_recv;
	if (rep->data_limited && (restart || rep->interval > MARC_MAX_RTTS * snd->rtt))
		limit = max(limit, tfrc_sender_initial_rate(snd));
	return limit;
}

/**
 * marc_limit - bound of TFRC's rate by the receive rate
 * @t: the sender, of a struct marc_sender
 * @rep: the report
 * @worse: there is a new loss event, or p has grown
 * @now: time
 *
 * Context: any, @t locked by the caller. A limit of struct rfc5348_variant.
 * Return: by the parameter clock, X_recv in the round trip after a loss and 1.5 X_recv
 *	otherwise, or the limit of RFC 5348
 */
u64 marc_limit(struct rfc5348_sender *t, const struct tfrc_report *rep,
	       bool worse, u64 now)
{
	const struct marc_sender *ms = container_of(t, struct marc_sender, tfrc);
	u8 clock = ms->marc.par.clock;

	return clock == DCCP_TFRC_CLOCK_RFC5348 ?
	       rfc5348_limit(t, rep, worse, now) :
	       marc_self_clocking(t, rep, clock == DCCP_TFRC_CLOCK_RESTART, now);
}

/**
 * marc_move_to - the rule of section 4.1: the rate to which MARC moves
 * @m: state
 * @d: the rate that TFRC would take, and its reasons
 *
 * Context: any, @m locked by the caller
 * Return: the new rate
 */
u64 marc_move_to(struct marc *m, const struct tfrc_decision *d)
{
	bool only_marks = d->marked && !d->lost;
	u16 delta = only_marks ? m->par.delta_mark : m->par.delta_loss;
	u64 limit = marc_limited_rate(d->x, delta), land;

	if (!m->par.tokens)
		m->tokens = 0;
	marc_count(m, d, m->par.tokens ? marc_unused(m, d) : 0);
	m->x_tfrc = d->x_tfrc;

	if (m->tokens <= 0 || d->x_tfrc >= limit) {
		m->lagging = false;
		m->decision = DCCP_MARC_TFRC;
		return d->x_tfrc;
	}
	/* The queue remains until X has reached TFRC's rate. */
	if (m->par.lag && marc_lags(d))
		m->lagging = true;
	if (d->lost || d->marked || (m->par.lag && m->lagging))
		m->decision = DCCP_MARC_LIMIT;
	else
		m->decision = DCCP_MARC_KEEP;
	limit = m->decision == DCCP_MARC_LIMIT ? limit : d->x;
	land = marc_landing(m, d);
	if (land < limit)
		m->decision = DCCP_MARC_LAND;
	m->kept += m->decision == DCCP_MARC_KEEP;
	m->limited += m->decision == DCCP_MARC_LIMIT;
	m->landed += m->decision == DCCP_MARC_LAND;
	return min(limit, land);
}
