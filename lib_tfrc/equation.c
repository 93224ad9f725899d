// SPDX-License-Identifier: GPL-2.0-only
/*
 * The throughput equation of TFRC and its inverse.
 *
 * A TCP that sends packets of s bytes over a round-trip time R, and loses a
 * share p of them in separate loss events, has the average rate (RFC 5348,
 * section 3.1, after Padhye et al.)
 *
 *	X = s / (R * f(p)),
 *	f(p) = sqrt(2*b*p/3) + t_RTO/R * 3 * sqrt(3*b*p/8) * p * (1 + 32*p^2)
 *
 * with b = 1 packet for each acknowledgment and t_RTO = 4 * R, the values of
 * RFC 5348. Both roots are multiples of q = sqrt(p). As 12 * sqrt(3/8) =
 * 9 * sqrt(2/3), this is
 *
 *	f(p) = sqrt(2/3) * h(q),
 *	h(q) = q * (1 + 9*p + 288*p^3).
 *
 * So the rate takes one square root and a polynomial, and no table. h(q) rises
 * with q, so the inverse finds q bit by bit; p is its square.
 *
 * The domain is p from 10^-9 to 1 and R from 100 us to 10 s. Values outside are
 * clamped. s is any 32-bit number. Any context.
 */
#include <linux/export.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/types.h>
#include <net/tfrc.h>

#define P_MIN		(TFRC_P_ONE / 1000000000)

/* 10^9 ns / sqrt(2/3), doubled: 10^9 * sqrt(6) */
#define NSEC_SQRT6	2449489743ULL

/*
 * R * h(q) has up to 90 bits and R * X up to 84. The low bits are dropped so that
 * they fit in 64. The error is below 10^-6 and 4 * 10^-6 of their least values.
 */
#define RH_DROP		26
#define RX_DROP		20

/* h(q), like q scaled by 2^48, for q up to 1: at most 298 */
static u64 shape(u64 q)
{
	u64 p = mul_u64_u64_shr(q, q, TFRC_P_SHIFT);
	u64 p2 = mul_u64_u64_shr(p, p, TFRC_P_SHIFT);
	u64 p3 = mul_u64_u64_shr(p2, p, TFRC_P_SHIFT);

	return mul_u64_u64_shr(q, TFRC_P_ONE + 9 * p + 288 * p3, TFRC_P_SHIFT);
}

/**
 * tfrc_calc_x - rate that the throughput equation allows
 * @s: packet size, bytes
 * @rtt: round-trip time R, ns
 * @p: loss event rate, scaled by 2^TFRC_P_SHIFT; 0 is taken as 10^-9
 *
 * Context: any
 * Return: X, bytes/s scaled by 2^TFRC_RATE_SHIFT, off by at most 10^-6 of
 * itself and half a unit; at most TFRC_RATE_MAX. Never rises with @p or @rtt,
 * never falls with @s.
 * Source: RFC 5348, section 3.1
 */
u64 tfrc_calc_x(u32 s, u64 rtt, u64 p)
{
	u64 rh, x;

	rtt = clamp(rtt, TFRC_RTT_MIN, TFRC_RTT_MAX);
	p = clamp(p, P_MIN, TFRC_P_ONE);

	/* The constant, and so x, is doubled: the last bit is for rounding. */
	rh = mul_u64_u64_shr(rtt, shape(tfrc_sqrt(p)), RH_DROP);
	x = tfrc_mul_div(s * NSEC_SQRT6,
			 1ULL << (TFRC_RATE_SHIFT + TFRC_P_SHIFT - RH_DROP), rh);

	return (min(x, 2 * TFRC_RATE_MAX) + 1) / 2;
}
EXPORT_SYMBOL_GPL(tfrc_calc_x);

/**
 * tfrc_calc_p - loss event rate at which the throughput equation gives a rate
 * @s: packet size, bytes
 * @rtt: round-trip time R, ns
 * @x: rate X, bytes/s scaled by 2^TFRC_RATE_SHIFT, taken as at most
 *	TFRC_RATE_MAX
 *
 * Context: any
 * Return: p, scaled by 2^TFRC_P_SHIFT, off by at most 4 * 10^-6 of itself, from
 * 10^-9 (also for any greater rate) to 1 (also for any smaller rate). Never
 * rises with @x or @rtt, never falls with @s.
 * Source: RFC 5348, sections 3.1 and 6.3.1
 */
u64 tfrc_calc_p(u32 s, u64 rtt, u64 x)
{
	u64 rx, h, bit, q = 0;

	rtt = clamp(rtt, TFRC_RTT_MIN, TFRC_RTT_MAX);
	x = min(x, TFRC_RATE_MAX);

	rx = mul_u64_u64_shr(rtt, x, RX_DROP);
	h = tfrc_mul_div(s * NSEC_SQRT6,
			 1ULL << (TFRC_RATE_SHIFT + TFRC_P_SHIFT - 1 - RX_DROP),
			 rx);
	if (h >= shape(TFRC_P_ONE))
		return TFRC_P_ONE;

	/* The greatest q for which h(q) is at most h */
	for (bit = TFRC_P_ONE >> 1; bit; bit >>= 1) {
		if (shape(q | bit) <= h)
			q |= bit;
	}

	return max(mul_u64_u64_shr(q, q, TFRC_P_SHIFT), P_MIN);
}
EXPORT_SYMBOL_GPL(tfrc_calc_p);
