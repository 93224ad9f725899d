// SPDX-License-Identifier: GPL-2.0-only
/*
 * LDA+: the enhanced loss-delay based adaptation algorithm
 *	D. Sisalem, A. Wolisz: Constrained TCP-Friendly Congestion Control for
 *	Multimedia Communication, March 2000, section 4
 *
 * Once in a report interval T the algorithm asks for a change of the rate r. While
 * nothing is lost, r grows by the least of three:
 *
 *	A_add = A (2 - r/R_b)		A of the last step, and more if little of the
 *					bottleneck's bandwidth R_b is used (eq. 9, 10)
 *	A_exp = (1 - e^-(1 - r/R_b)) r	0 when all of it is used (eq. 11)
 *	A_TCP = M (T/tau + 1) / (2 tau)	the increase of TCP's rate in T (eq. 12, 13)
 *
 * tau is the round-trip time and M the packet size. With a share l of lost packets r
 * falls to (eq. 17)
 *
 *	r = max(r (1 - sqrt l), r_TCP)
 *
 * where r_TCP is the rate of a TCP with these losses (eq. 16), and A begins anew. If r
 * is below r_TCP, it rises to r_TCP: by the first A at a step (climb), as the text beside
 * the equation has it, "allowed to further increase", or at once, as the equation says.
 *
 * With a nominal packet size, M is that size in A_TCP and in r_TCP, up to 100 packets
 * in a second (lib_tfrc/nominal.c). l is the share of all packets that were lost, so the
 * rule for short loss intervals has nothing to add.
 *
 * constraint.c decides how much of the change is made.
 */
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include "ctfaf.h"

#define LDA_LOSS_SHIFT	32

/* Bits dropped of R * sqrt(l), scaled by 2^48, so that sums fit in 64 bits */
#define LDA_DROP	26

/**
 * lda_init - start before the first report
 * @lda: state
 * @a_init: first additive increase rate
 */
void lda_init(struct lda *lda, u64 a_init)
{
	memset(lda, 0, sizeof(*lda));
	lda->a_init = a_init;
	lda->a = a_init;
}

/**
 * lda_timeout - TCP's retransmission timeout, t_out = SRTT + 4 RTTVAR
 * @lda: state
 * @rtt: the value of both before the first sample, ns
 *
 * Return: ns
 */
static u64 lda_timeout(const struct lda *lda, u64 rtt)
{
	return lda->rtt.srtt ? lda->rtt.srtt + 4 * lda->rtt.rttvar : 3 * rtt;
}

/**
 * lda_add - eq. 9 and 10: A + (1 - r/R_b) A
 * @a: additive increase rate A so far
 * @r: rate r
 * @bottleneck: R_b, not 0
 *
 * Return: A_add; 0 if r is 2 R_b or more
 */
static u64 lda_add(u64 a, u64 r, u64 bottleneck)
{
	u64 less = tfrc_mul_div(a, r, bottleneck);

	return less < 2 * a ? 2 * a - less : 0;
}

/**
 * lda_exp - eq. 11: (1 - e^-(1 - r/R_b)) r
 * @r: rate r
 * @bottleneck: R_b, not 0
 *
 * Return: A_exp; 0 if r is R_b or more, where the equation would be negative
 */
static u64 lda_exp(u64 r, u64 bottleneck)
{
	u64 unused;

	if (r >= bottleneck)
		return 0;
	unused = tfrc_mul_div(bottleneck - r, 1ULL << 32, bottleneck);
	return mul_u64_u64_shr(TFRC_P_ONE - tfrc_exp(-(s64)unused), r,
			       TFRC_P_SHIFT);
}

/**
 * lda_tcp_increase - eq. 12 and 13: M (T/tau + 1) / (2 tau)
 * @s: packet size M, bytes
 * @interval: report interval T, ns
 * @rtt: round-trip time tau, ns, not 0
 *
 * Return: A_TCP
 */
static u64 lda_tcp_increase(u32 s, u64 interval, u64 rtt)
{
	/* 2^16 * 65535 * 10^9 ns still fit in 64 bits. */
	u64 a = div64_u64(TFRC_RATE(s) * TFRC_NSEC_PER_SEC, 2 * rtt);

	return min(tfrc_mul_div(a, interval + rtt, rtt), TFRC_RATE_MAX);
}

/**
 * lda_tcp_rate - eq. 16 with D = 1: the rate of a TCP
 * @s: packet size M, bytes
 * @rtt: round-trip time, ns, not 0
 * @t_out: retransmission timeout, ns
 * @loss: share l of packets lost, scaled by 2^32, not 0
 *
 * This is Padhye's equation. It differs from tfrc_calc_x() in that it has the share of
 * lost packets instead of the loss event rate, a timeout of its own, and the minimum.
 *
 * Return: r_TCP
 */
static u64 lda_tcp_rate(u32 s, u64 rtt, u64 t_out, u32 loss)
{
	u64 l = (u64)loss << (TFRC_P_SHIFT - LDA_LOSS_SHIFT);
	u64 l2 = mul_u64_u64_shr(l, l, TFRC_P_SHIFT);
	u64 again = min(3 * tfrc_sqrt(3 * l / 8), TFRC_P_ONE);
	u64 time;

	again = mul_u64_u64_shr(again, l, TFRC_P_SHIFT);
	again = mul_u64_u64_shr(again, TFRC_P_ONE + 32 * l2, TFRC_P_SHIFT);
	time = mul_u64_u64_shr(rtt, tfrc_sqrt(2 * l / 3), LDA_DROP) +
	       mul_u64_u64_shr(t_out, again, LDA_DROP);
	return min(tfrc_mul_div(TFRC_RATE(s) * TFRC_NSEC_PER_SEC,
				1ULL << (TFRC_P_SHIFT - LDA_DROP), time),
		   TFRC_RATE_MAX);
}

/**
 * lda_decreased - eq. 17: max(r (1 - sqrt l), r_TCP)
 * @r: rate r
 * @loss: share l of packets lost, scaled by 2^32
 * @r_tcp: rate of a TCP
 *
 * Return: the new rate, which may be more than @r
 */
static u64 lda_decreased(u64 r, u32 loss, u64 r_tcp)
{
	u64 root = tfrc_sqrt((u64)loss << (TFRC_P_SHIFT - LDA_LOSS_SHIFT));

	return max(r - mul_u64_u64_shr(r, root, TFRC_P_SHIFT), r_tcp);
}

/* A_TCP of the real packets, or with the nominal size */
static u64 lda_tcp_more(u64 r, const struct lda_report *rep)
{
	u64 more = lda_tcp_increase(rep->s, rep->interval, rep->rtt);

	if (!rep->nominal)
		return more;
	return tfrc_nominal_more(rep->s, r, more,
				 lda_tcp_increase(rep->nominal, rep->interval,
						  rep->rtt));
}

/* r_TCP, likewise */
static u64 lda_tcp(const struct lda *lda, const struct lda_report *rep)
{
	u64 t_out = lda_timeout(lda, rep->rtt);
	u64 r_tcp = lda_tcp_rate(rep->s, rep->rtt, t_out, rep->loss);

	if (!rep->nominal)
		return r_tcp;
	return tfrc_nominal_more(rep->s, 0, r_tcp,
				 lda_tcp_rate(rep->nominal, rep->rtt, t_out,
					      rep->loss));
}

/* Eq. 14: the least of the three. Without R_b A keeps its first value. */
static u64 lda_increase(const struct lda *lda, u64 r,
			const struct lda_report *rep)
{
	u64 a = lda->a_init;

	if (rep->bottleneck)
		a = min(lda_add(lda->a, r, rep->bottleneck),
			lda_exp(r, rep->bottleneck));
	return min(a, lda_tcp_more(r, rep));
}

/**
 * lda_loss - share of packets lost since the last step
 * @lost: lost packets that the receiver counted in this time, modulo 2^16
 * @data: packets that were sent, up to the one that it acknowledges
 * @share: share that the receiver reports for its own last interval, scaled by 2^32
 *
 * The receiver's count is a total, so the losses in a report that was itself lost, or
 * came too early for a step, are not missed. If the total may have wrapped, or @data is
 * too small because packets without data were in flight, @share counts instead.
 *
 * Return: l, scaled by 2^32
 */
u32 lda_loss(u64 lost, u64 data, u32 share)
{
	u32 l = 0;

	if (lost)
		l = lost < data ? tfrc_mul_div(lost, 1ULL << 32, data) :
				  share ?: U32_MAX;
	return data > U16_MAX ? max(l, share) : l;
}

/**
 * lda_ask - eq. 15 and 17: the change that LDA+ asks for
 * @lda: state
 * @r: present rate
 * @rep: the report
 *
 * A is never less than its first value. Otherwise it would stay 0 for ever after r has
 * reached R_b.
 *
 * Return: the change asked for, an increase or, negative, a decrease
 */
s64 lda_ask(struct lda *lda, u64 r, const struct lda_report *rep)
{
	u64 a;

	if (rep->loss) {
		lda->a = lda->a_init;
		a = lda_decreased(r, rep->loss, lda_tcp(lda, rep));
		return a > r && lda->climb ? min(a - r, lda->a_init) : a - r;
	}
	a = lda_increase(lda, r, rep);
	lda->a = max(a, lda->a_init);
	return a;
}
