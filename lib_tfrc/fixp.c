// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fixed-point arithmetic: a*b/c without overflow, ln, exp and square root.
 *
 * Numbers without a unit (a loss event rate, a ratio, an exponential) are
 * unsigned and scaled by 2^48, which leaves 16 bits before the point. Natural
 * logarithms are signed and scaled by 2^32, since all of them lie in [-34, 12].
 *
 * Each function reduces its argument exactly to a short range, by a shift or by
 * x = 2^k * m. There it sums a series with a fixed number of terms. The terms have
 * at least 57 fractional bits, so the error is that of rounding the result. Each step
 * is rounded down, and none decreases when its argument grows, so the results are
 * monotonic.
 *
 * All arguments are allowed. Results that do not fit saturate. Nothing divides by
 * zero. The time hardly depends on the arguments. Any context.
 */
#include <linux/bitops.h>
#include <linux/export.h>
#include <linux/limits.h>
#include <linux/math.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/types.h>
#include <net/tfrc.h>

/* ln(2), scaled by 2^57 */
#define LN2_57		0x162e42fefa39ef3LL
/* sqrt(2), scaled by 2^62 */
#define SQRT2_62	0x5a827999fcef3242ULL

/* Odd powers of z = 0.172 up to z^13: the next would add 2^-41. */
#define LN_LAST_POWER	13
/* Powers of r = ln(2) up to r^17: the next would add 2^-61. */
#define EXP_LAST_POWER	17

/*
 * One 32-bit digit of the quotient in long division by c, whose highest bit is
 * set. The divisor's high half gives an estimate that is at most 2 too great.
 */
static u32 div_digit(u64 *rem, u32 digit, u64 c)
{
	u32 c_high = c >> 32;
	u32 c_low = c;
	u64 q, r;
	int i;

	q = div64_u64_rem(*rem, c_high, &r);
	for (i = 0; i < 2; i++) {
		if (r > U32_MAX)
			break;
		if (q <= U32_MAX && q * c_low <= (r << 32 | digit))
			break;
		q--;
		r += c_high;
	}

	/* The remainder is below c, so the overflows cancel out. */
	*rem = (*rem << 32 | digit) - q * c;
	return q;
}

/**
 * tfrc_mul_div - a * b / c with an exact product
 * @a: first factor
 * @b: second factor
 * @c: divisor
 *
 * mul_u64_u64_div_u64() cannot be used: on x86 it traps if the result overflows,
 * and on some other machines it drops low bits of the factors.
 *
 * Context: any
 * Return: a * b / c, exact and rounded down; U64_MAX if that is more than
 * U64_MAX, or if @c is 0
 * Source: Knuth, The Art of Computer Programming, volume 2, 4.3.1, algorithm D
 */
u64 tfrc_mul_div(u64 a, u64 b, u64 c)
{
	u64 high = mul_u64_u64_shr(a, b, 64);
	u64 low = a * b;
	u64 quotient;
	int shift;

	if (high >= c)
		return U64_MAX;
	if (!high)
		return div64_u64(low, c);

	shift = 64 - fls64(c);
	if (shift) {
		c <<= shift;
		high = high << shift | low >> (64 - shift);
		low <<= shift;
	}
	quotient = (u64)div_digit(&high, low >> 32, c) << 32;
	return quotient | div_digit(&high, low, c);
}
EXPORT_SYMBOL_GPL(tfrc_mul_div);

/**
 * tfrc_ln - natural logarithm
 * @x: argument, scaled by 2^48; 0 is taken as the smallest positive one
 *
 * With x = 2^k * m, m in [sqrt(1/2), sqrt(2)) and z = (m - 1) / (m + 1):
 * ln(x) = k * ln(2) + 2 * (z + z^3/3 + z^5/5 + ...).
 *
 * Context: any
 * Return: ln(@x), scaled by 2^32, at most 0.51 * 2^-32 off; from -33.28 to 11.1
 */
s64 tfrc_ln(u64 x)
{
	u64 m, one, z, z2, sum = 0;
	s64 ln_m, ln_x;
	int k, i;

	if (!x)
		x = 1;

	/* x = 2^k * m/one, all of them below 2^63 and one at most 2^63 */
	k = fls64(x) - 1 - TFRC_P_SHIFT;
	m = x >> 63 ? x >> 1 : x << (63 - fls64(x));
	one = 1ULL << 62;
	if (m > SQRT2_62) {
		one <<= 1;
		k++;
	}

	/* scaled by 2^60 */
	z = tfrc_mul_div(m > one ? m - one : one - m, 1ULL << 60, m + one);
	z2 = mul_u64_u64_shr(z, z, 60);
	for (i = LN_LAST_POWER; i > 0; i -= 2)
		sum = div_u64(1ULL << 60, i) + mul_u64_u64_shr(sum, z2, 60);

	/* scaled by 2^57 */
	ln_m = mul_u64_u64_shr(z, sum, 60 + 60 - 1 - 57);
	ln_x = k * LN2_57 + (m > one ? ln_m : -ln_m);

	return (ln_x + (1LL << 24)) >> 25;
}
EXPORT_SYMBOL_GPL(tfrc_ln);

/**
 * tfrc_exp - natural exponential function
 * @y: argument, scaled by 2^32
 *
 * With y = k * ln(2) + r, k an integer and r in [0, ln(2)):
 * e^y = 2^k * (1 + r + r^2/2! + r^3/3! + ...).
 *
 * Context: any
 * Return: e^@y, scaled by 2^48, off by at most 2^-50 of itself and 0.51 * 2^-48;
 * 0 below -49 ln(2), U64_MAX from 16 ln(2)
 */
u64 tfrc_exp(s64 y)
{
	u64 k, r, sum = 1ULL << 62;
	s64 y57;
	int i;

	/* scaled by 2^57 and counted from the least result, half a unit */
	y57 = clamp_t(s64, y, -(64LL << 32), 12LL << 32) * (1 << 25);
	y57 += (TFRC_P_SHIFT + 1) * LN2_57;
	if (y57 < 0)
		return 0;

	k = div64_u64_rem(y57, LN2_57, &r);
	if (k > 64)
		return U64_MAX;

	/* scaled by 2^62 */
	r <<= 5;
	for (i = EXP_LAST_POWER; i > 0; i--)
		sum = (1ULL << 62) + div_u64(mul_u64_u64_shr(r, sum, 62), i);

	/* with k = 64 the result is 2^15 or more */
	if (k == 64)
		return sum << 1;
	return ((sum << 1 >> (63 - k)) + 1) >> 1;
}
EXPORT_SYMBOL_GPL(tfrc_exp);

/**
 * tfrc_sqrt - square root
 * @x: argument, scaled by 2^48
 *
 * The integer square root of the argument, shifted as far to the left as it
 * goes, gives 32 bits; one step of Newton's method gives the other 30.
 *
 * Context: any
 * Return: sqrt(@x), scaled by 2^48, at most 0.51 * 2^-48 off
 */
u64 tfrc_sqrt(u64 x)
{
	u64 m, rem, root;
	u32 r;
	int shift;

	if (!x)
		return 0;

	/* The shift is even, so that half of it can be undone in the root. */
	shift = (64 - fls64(x)) & ~1;
	m = x << shift;
	r = int_sqrt64(m);
	rem = m - (u64)r * r;

	/* sqrt(m), scaled by 2^30; the result is sqrt(x * 2^48) */
	root = ((u64)r << 30) + div_u64(rem << 29, r);
	return ((root >> (30 - TFRC_P_SHIFT / 2 + shift / 2 - 1)) + 1) >> 1;
}
EXPORT_SYMBOL_GPL(tfrc_sqrt);
