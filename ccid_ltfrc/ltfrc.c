// SPDX-License-Identifier: GPL-2.0-only
/*
 * L-TFRC: Logarithm-based TCP-Friendly Rate Control
 *
 * TFRC's rate is proportional to 1/sqrt(p), so where losses are rare, a single loss
 * event changes the rate much. Here the rate is a polynomial in ln p (eq. 3):
 *
 *	X = s/R (a_0 + a_1 ln p + a_2 ln^2 p + a_3 ln^3 p)
 *
 * The paper uses the first order, in which the rate is 0 from p = e^-0.5 = 0.607 on
 * (eq. 5):
 *
 *	X = k s/R (-0.25 - 0.5 ln p)
 *
 * k is a class of fairness: 8 is TCP-friendly, and 15 is streaming-oriented, which
 * takes more than its share. 11 is bounded-friendly: it takes at most a multiple
 * (weight) of the rate of TFRC's equation. All else is TFRC.
 */
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include "ltfrc.h"

#define LTFRC_MILLI	1000	/* the weight is in 10^-3 */

/* A lower p counts as this, as in TFRC's equation. */
#define LTFRC_P_MIN	(TFRC_P_ONE / 1000000000)
/* Greatest -ln p: -ln(10^-9) = 20.7, rounded up */
#define LTFRC_L_END	21

/* l has 36 bits: 32 of them behind the point. */
#define LTFRC_L_BITS	37

/*
 * Whether the rate never grows with p. With l = -ln p the rate is proportional to
 * w(l) = a_0 - a_1 l + a_2 l^2 - a_3 l^3, which must not fall anywhere on
 * [0, L_END]. Its derivative is a parabola. It must not be negative at both ends, nor
 * at its lowest point if that lies in between.
 */
static bool ltfrc_monotonic(const s32 a[4])
{
	const s64 end = LTFRC_L_END;
	const s64 a1 = a[1], a2 = a[2], a3 = a[3];

	if (a1 > 0 || -a1 + 2 * end * a2 - 3 * end * end * a3 < 0)
		return false;
	if (a3 < 0 && a2 < 0 && -a2 < 3 * end * -a3)
		return 3 * (u64)-a1 * (u64)-a3 >= (u64)(a2 * a2);
	return true;
}

/**
 * ltfrc_equation_valid - whether an equation is in range
 * @values: struct dccp_ltfrc_equation
 *
 * Return: true if it may be set
 */
bool ltfrc_equation_valid(const void *values)
{
	const struct dccp_ltfrc_equation *eq = values;

	if (!eq->weight || eq->bounded > 1 || eq->l4s > 1 ||
	    !tfrc_delay_valid(eq->target_delay))
		return false;

	switch (eq->k) {
	case DCCP_LTFRC_TCP_FRIENDLY:
	case DCCP_LTFRC_BOUNDED_FRIENDLY:
	case DCCP_LTFRC_STREAMING_ORIENTED:
		return true;
	case DCCP_LTFRC_POLYNOMIAL:
		return ltfrc_monotonic(eq->a) &&
		       ltfrc_window(eq->a, (u64)(LTFRC_L_END - 1) << 32);
	default:
		return false;
	}
}

/**
 * ltfrc_tx_params_valid - whether parameters of a sender are in range
 * @values: struct dccp_ltfrc_tx_params
 *
 * Return: true if all of them may be set
 */
bool ltfrc_tx_params_valid(const void *values)
{
	const struct dccp_ltfrc_tx_params *par = values;

	return ltfrc_equation_valid(&par->equation) &&
	       tfrc_nominal_valid(par->nominal_size) &&
	       tfrc_frame_rate_valid(par->frame_rate);
}

/**
 * ltfrc_rx_params_valid - whether parameters of a receiver are in range
 * @values: struct dccp_ltfrc_rx_params
 *
 * Return: true if all of them may be set
 */
bool ltfrc_rx_params_valid(const void *values)
{
	const struct dccp_ltfrc_rx_params *par = values;

	return par->loss_history >= TFRC_LI_MIN &&
	       par->loss_history <= TFRC_LI_MAX && par->recovery <= 1 &&
	       !par->reserved[0] && !par->reserved[1] && !par->reserved[2] &&
	       ltfrc_equation_valid(&par->equation);
}

/**
 * ltfrc_configure - set the equation
 * @lt: state of either end
 * @eq: a valid equation
 */
void ltfrc_configure(struct ltfrc *lt, const struct dccp_ltfrc_equation *eq)
{
	lt->k = eq->k;
	lt->weight = eq->weight;
	lt->bounded = eq->bounded || eq->k == DCCP_LTFRC_BOUNDED_FRIENDLY;
	memcpy(lt->a, eq->a, sizeof(lt->a));
	if (eq->k != DCCP_LTFRC_POLYNOMIAL) {
		lt->a[0] = -eq->k * DCCP_LTFRC_ONE / 4;
		lt->a[1] = -eq->k * DCCP_LTFRC_ONE / 2;
		lt->a[2] = 0;
		lt->a[3] = 0;
	}
}

/* a * l; l is scaled by 2^32. */
static s64 ltfrc_mul(s64 a, u64 l)
{
	return a < 0 ? -(s64)mul_u64_u64_shr(-a, l, 32) :
		       (s64)mul_u64_u64_shr(a, l, 32);
}

/**
 * ltfrc_window - eq. 3 without s/R: packets in a round trip
 * @a: coefficients, scaled by DCCP_LTFRC_ONE
 * @l: -ln p, from 0 to LTFRC_L_END, scaled by 2^32
 *
 * With any coefficients the sum is below 2^29 packets.
 *
 * Return: the window, scaled by 2^32; 0 where the polynomial is below 0
 */
u64 ltfrc_window(const s32 a[4], u64 l)
{
	const s64 one = (1LL << 32) / DCCP_LTFRC_ONE;
	s64 w = -one * a[3];

	w = ltfrc_mul(w, l) + one * a[2];
	w = ltfrc_mul(w, l) - one * a[1];
	w = ltfrc_mul(w, l) + one * a[0];
	return max(w, 0LL);
}

/**
 * ltfrc_calc_x - eq. 3 and 5: the rate that a loss event rate allows
 * @lt: the equation
 * @s: packet size, bytes
 * @rtt: round-trip time R, ns
 * @p: loss event rate; 0 is taken as 10^-9
 *
 * Return: X, bytes/s scaled by 2^TFRC_RATE_SHIFT, at least one packet in 64 s
 */
u64 ltfrc_calc_x(const struct ltfrc *lt, u32 s, u64 rtt, u64 p)
{
	u64 l, x;

	rtt = clamp(rtt, TFRC_RTT_MIN, TFRC_RTT_MAX);
	p = clamp(p, LTFRC_P_MIN, TFRC_P_ONE);

	l = -tfrc_ln(p);
	x = tfrc_mul_div(ltfrc_window(lt->a, l), s * TFRC_NSEC_PER_SEC,
			 rtt << (32 - TFRC_RATE_SHIFT));
	if (lt->bounded)
		x = min(x, tfrc_mul_div(tfrc_calc_x(s, rtt, p), lt->weight,
					LTFRC_MILLI));
	return clamp(x, TFRC_RATE(s) / TFRC_T_MBI, TFRC_RATE_MAX);
}

/**
 * ltfrc_calc_p - the inverse: the loss event rate for a rate
 * @lt: the equation
 * @s: packet size, bytes
 * @rtt: round-trip time R, ns
 * @x: rate, bytes/s scaled by 2^TFRC_RATE_SHIFT
 *
 * With k = 8 the rate is at most 81 packets in a round trip, at p = 10^-9. All higher
 * rates give this p.
 *
 * Return: p, from 10^-9 to 1; if several have this rate, the least of them
 */
u64 ltfrc_calc_p(const struct ltfrc *lt, u32 s, u64 rtt, u64 x)
{
	u64 l_max = -tfrc_ln(LTFRC_P_MIN), l = 0, w, p;
	int bit;

	rtt = clamp(rtt, TFRC_RTT_MIN, TFRC_RTT_MAX);
	x = min(x, TFRC_RATE_MAX);

	/* The greatest l for which the window is at most w */
	w = tfrc_mul_div(x, rtt << (32 - TFRC_RATE_SHIFT),
			 s * TFRC_NSEC_PER_SEC);
	for (bit = LTFRC_L_BITS - 1; bit >= 0; bit--) {
		u64 more = l | 1ULL << bit;

		if (more <= l_max && ltfrc_window(lt->a, more) <= w)
			l = more;
	}
	p = tfrc_exp(-(s64)l);

	/* The rate is the lesser of two falling functions, so p is the lesser inverse. */
	if (lt->bounded)
		p = min(p, tfrc_calc_p(s, rtt, tfrc_mul_div(x, LTFRC_MILLI,
							    lt->weight)));
	return clamp(p, LTFRC_P_MIN, TFRC_P_ONE);
}
