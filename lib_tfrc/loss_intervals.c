// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loss intervals, and the loss event rate p that follows from them.
 *
 * A loss interval is the number of data packets from the first packet of one
 * loss event up to the first packet of the next. The loss event rate p is the
 * inverse of their weighted mean (RFC 5348, 5.4):
 *
 *	newest <---------------------------------------> oldest
 *	  I_0     I_1     I_2   ...   I_(n-1)   I_n
 *	(open)  (closed ...)
 *
 * The newer half of n intervals has the full weight. The weight of the older half
 * falls in equal steps. I_0 has not ended. It counts only if it makes the mean
 * greater. So a short I_0 right after a loss event does not raise p, and a long time
 * without loss reduces p before it ends:
 *
 *	p = 1 / max(mean of I_0 to I_(n-1), mean of I_1 to I_n)
 *
 * While fewer than n intervals have ended, the sums have k of them; the weights
 * stay those of n.
 *
 * History discounting (5.5): when I_0 is more than twice the mean of the older
 * intervals, their weights are multiplied by DF = 2 * mean / I_0, but by 1/4 at
 * least. When I_0 ends, DF stays with the intervals that it discounted.
 *
 * The work is proportional to n. It is done for each loss event and each report, not
 * for each packet.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/types.h>
#include <net/tfrc.h>

/*
 * Weights and discount factors. 2^23 leaves room for the sum of 255 intervals
 * of 32 bits, doubled, in 64.
 */
#define ONE		BIT(23)
#define DF_MIN		(ONE / 4)

/* Weight of the i-th of n intervals; i counts from 0 */
static u32 weight(u32 n, u32 i)
{
	return 2 * i < n ? ONE : 2 * (n - i) * ONE / (n + 2);
}

/* Rounded: what rounding down takes from each of many products adds up. */
static u32 scale(u32 a, u32 b)
{
	return ((u64)a * b + ONE / 2) / ONE;
}

/* A weighted mean before the division */
struct mean {
	u64	tot;
	u64	w;
};

static struct mean closed_mean(const struct tfrc_loss_intervals *li)
{
	struct mean m = {};
	u32 i;

	for (i = 0; i < li->k; i++) {
		u32 w = scale(weight(li->n, i), li->df[i]);

		m.tot += (u64)li->len[i] * w;
		m.w += w;
	}
	return m;
}

/* I_0 and all closed intervals except the oldest */
static struct mean open_mean(const struct tfrc_loss_intervals *li, u32 open,
			     u32 df)
{
	struct mean m = { (u64)open * ONE, ONE };
	u32 i;

	for (i = 1; i < li->k; i++) {
		u32 w = scale(scale(weight(li->n, i), li->df[i - 1]), df);

		m.tot += (u64)li->len[i - 1] * w;
		m.w += w;
	}
	return m;
}

static u32 discount(const struct mean *closed, u32 open)
{
	/* The newest closed interval is not discounted, so closed->w is not 0. */
	u64 now = open * closed->w;

	if (now <= 2 * closed->tot)
		return ONE;
	return max_t(u32, tfrc_mul_div(2 * closed->tot, ONE, now), DF_MIN);
}

static u32 bounded(u64 len)
{
	return clamp_t(u64, len, 1, U32_MAX);
}

static void use_own(struct tfrc_loss_intervals *li)
{
	li->len = li->own;
	li->df = li->own + TFRC_LI_DEFAULT;
}

/**
 * tfrc_loss_intervals_init - start without any loss
 * @li: loss intervals
 * @n: how many to average, taken as the nearest of 2 to TFRC_LI_DEFAULT
 *
 * Context: any
 */
void tfrc_loss_intervals_init(struct tfrc_loss_intervals *li, u32 n)
{
	memset(li, 0, sizeof(*li));
	li->n = clamp_t(u32, n, TFRC_LI_MIN, TFRC_LI_DEFAULT);
	use_own(li);
}
EXPORT_SYMBOL_GPL(tfrc_loss_intervals_init);

/**
 * tfrc_loss_intervals_resize - average another number of intervals from now on
 * @li: loss intervals
 * @n: how many, taken as the nearest of 2 to TFRC_LI_MAX
 *
 * The newest intervals are kept. For more than TFRC_LI_DEFAULT it allocates memory.
 *
 * Context: any
 * Return: 0, or -ENOMEM; then nothing has changed
 */
int tfrc_loss_intervals_resize(struct tfrc_loss_intervals *li, u32 n)
{
	u32 k, *old = li->len, *old_df = li->df;

	n = clamp_t(u32, n, TFRC_LI_MIN, TFRC_LI_MAX);
	k = min(li->k, n);
	if (n == li->n)
		return 0;
	if (n > TFRC_LI_DEFAULT) {
		u32 *room = kcalloc(2 * n, sizeof(*room),
				    GFP_ATOMIC | __GFP_NOWARN);

		if (!room)
			return -ENOMEM;
		li->len = room;
		li->df = room + n;
	} else {
		use_own(li);
	}
	memmove(li->len, old, k * sizeof(*old));
	memmove(li->df, old_df, k * sizeof(*old));
	li->n = n;
	li->k = k;
	if (old != li->own)
		kfree(old);
	return 0;
}
EXPORT_SYMBOL_GPL(tfrc_loss_intervals_resize);

/**
 * tfrc_loss_intervals_free - give back the memory
 * @li: loss intervals, initialised; they are not used again
 *
 * Context: any
 */
void tfrc_loss_intervals_free(struct tfrc_loss_intervals *li)
{
	if (li->len != li->own)
		kfree(li->len);
	use_own(li);
}
EXPORT_SYMBOL_GPL(tfrc_loss_intervals_free);

/**
 * tfrc_loss_intervals_add - the open interval has ended with a loss event
 * @li: loss intervals
 * @len: its length I_0, data packets; bounded to 1 and U32_MAX
 *
 * Context: any
 * Source: RFC 5348, 5.5, end
 */
void tfrc_loss_intervals_add(struct tfrc_loss_intervals *li, u64 len)
{
	u32 open = bounded(len);
	u32 i, df;

	if (li->k) {
		struct mean closed = closed_mean(li);

		df = discount(&closed, open);
		for (i = 0; i < li->k; i++)
			li->df[i] = scale(li->df[i], df);
	}

	if (li->k < li->n)
		li->k++;
	memmove(li->len + 1, li->len, (li->k - 1) * sizeof(li->len[0]));
	memmove(li->df + 1, li->df, (li->k - 1) * sizeof(li->df[0]));
	li->len[0] = open;
	li->df[0] = ONE;
}
EXPORT_SYMBOL_GPL(tfrc_loss_intervals_add);

/**
 * tfrc_loss_intervals_seed - set the length of the oldest interval
 * @li: loss intervals, not empty
 * @len: length, data packets; bounded to 1 and U32_MAX
 *
 * The number of packets before the first loss is not a loss interval, because slow
 * start doubles the rate until there is a loss. The caller replaces it by the interval
 * whose p allows the rate that was reached.
 *
 * Context: any
 * Source: RFC 5348, 6.3.1
 */
void tfrc_loss_intervals_seed(struct tfrc_loss_intervals *li, u64 len)
{
	if (!li->k)
		return;
	li->len[li->k - 1] = bounded(len);
	/* A discount was for the length that this one replaces. */
	li->df[li->k - 1] = ONE;
}
EXPORT_SYMBOL_GPL(tfrc_loss_intervals_seed);

/**
 * tfrc_loss_intervals_p - loss event rate
 * @li: loss intervals
 * @open: length of the open interval I_0, data packets
 *
 * Context: any
 * Return: p scaled by 2^TFRC_P_SHIFT, from 2^16 to 2^48; 0 without any loss
 * Source: RFC 5348, 5.4 and 5.5
 */
u64 tfrc_loss_intervals_p(const struct tfrc_loss_intervals *li, u64 open)
{
	struct mean closed, with_open;
	u32 i_0 = bounded(open);

	if (!li->k)
		return 0;

	closed = closed_mean(li);
	with_open = open_mean(li, i_0, discount(&closed, i_0));

	return min(tfrc_mul_div(closed.w, TFRC_P_ONE, closed.tot),
		   tfrc_mul_div(with_open.w, TFRC_P_ONE, with_open.tot));
}
EXPORT_SYMBOL_GPL(tfrc_loss_intervals_p);
