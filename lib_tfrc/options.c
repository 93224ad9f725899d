// SPDX-License-Identifier: GPL-2.0-only
/*
 * Options of a feedback packet: the only place that reads them off the wire.
 *
 * They are taken in as the core parses a packet, and used only once the packet
 * has been accepted: nothing of a packet that turns out to be stale, or that
 * has half of the options, changes anything.
 */
#include <asm/byteorder.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/string.h>
#include <net/tfrc_ccid.h>

#define TFRC_SEEN_P		0x1
#define TFRC_SEEN_X_RECV	0x2
#define TFRC_SEEN_SIGNALS	0x4
#define TFRC_SEEN_ALL		0x7
#define TFRC_SEEN_LOSS		0x8
#define TFRC_SEEN_X_PAIR	0x10
#define TFRC_SEEN_INTERVAL	(TFRC_SEEN_ALL | TFRC_SEEN_LOSS | TFRC_SEEN_X_PAIR)

/* Inverse of p that stands for "no loss event yet" (RFC 4342, 8.5). */
#define TFRC_PINV_NO_LOSS	U32_MAX

static u32 tfrc_get_be32(const u8 *val)
{
	__be32 v;

	memcpy(&v, val, sizeof(v));
	return be32_to_cpu(v);
}

/**
 * tfrc_stash_option - take in an option of a feedback packet
 * @st: where it is kept
 * @opt: type of the option
 * @val: its value
 * @len: length of @val
 *
 * Unknown options are passed over, as RFC 4340, 5.8 asks for.
 *
 * Context: socket locked.
 * Return: 0, or -EINVAL if the option is malformed: the core then resets the
 * connection with Option Error
 */
int tfrc_stash_option(struct tfrc_stash *st, u8 opt, const u8 *val, u8 len)
{
	switch (opt) {
	case TFRC_OPT_LOSS_EVENT_RATE:
		if (len != 4 || !tfrc_get_be32(val))
			return -EINVAL;
		st->pinv = tfrc_get_be32(val);
		st->seen |= TFRC_SEEN_P;
		break;
	case TFRC_OPT_RECEIVE_RATE:
		if (len != 4)
			return -EINVAL;
		st->x_recv = tfrc_get_be32(val);
		st->seen |= TFRC_SEEN_X_RECV;
		break;
	case TFRC_OPT_SIGNALS:
		if (len != 4)
			return -EINVAL;
		st->lost = tfrc_get_be32(val) >> 16;
		st->marked = tfrc_get_be32(val) & U16_MAX;
		st->seen |= TFRC_SEEN_SIGNALS;
		break;
	case TFRC_OPT_LOSS_SHARE:
	case TFRC_OPT_BOTTLENECK:
		if (!st->on_interval)
			break;
		if (len != 4)
			return -EINVAL;
		if (opt == TFRC_OPT_LOSS_SHARE) {
			st->loss = tfrc_get_be32(val);
			st->seen |= TFRC_SEEN_LOSS;
		} else {
			st->x_pair = tfrc_get_be32(val);
			st->seen |= TFRC_SEEN_X_PAIR;
		}
		break;
	}
	return 0;
}
EXPORT_SYMBOL_GPL(tfrc_stash_option);

/**
 * tfrc_stash_take - use the options of a packet that was accepted
 * @st: options of the packet, empty afterwards
 * @fb: set to what they say
 *
 * Context: socket locked.
 * Return: true if the packet carried a whole report
 */
bool tfrc_stash_take(struct tfrc_stash *st, struct tfrc_feedback *fb)
{
	u8 need = st->on_interval ? TFRC_SEEN_INTERVAL : TFRC_SEEN_ALL;
	bool whole = (st->seen & need) == need;

	if (whole) {
		fb->loss = st->loss;
		fb->x_pair = TFRC_RATE(st->x_pair);
		fb->p = st->pinv == TFRC_PINV_NO_LOSS ? 0 :
			div_u64(TFRC_P_ONE, st->pinv);
		fb->x_recv = TFRC_RATE(st->x_recv);
		fb->lost = st->lost;
		fb->marked = st->marked;
	}
	st->seen = 0;
	return whole;
}
EXPORT_SYMBOL_GPL(tfrc_stash_take);

/**
 * tfrc_insert_feedback - put a report on an acknowledgment
 * @skb: the packet
 * @fb: the report
 *
 * Context: socket locked.
 * Return: 0, or -1 if there is no room for the options
 */
int tfrc_insert_feedback(struct sk_buff *skb, const struct tfrc_feedback *fb)
{
	/*
	 * Round 1/p up. p itself was rounded down: without the 1, a p of 1/3
	 * would become 1/4.
	 */
	u64 pinv = div64_u64(TFRC_P_ONE + fb->p, fb->p + 1);
	__be32 p = cpu_to_be32(fb->p ? min_t(u64, pinv, U32_MAX - 1) :
				       TFRC_PINV_NO_LOSS);
	__be32 x_recv = cpu_to_be32(min_t(u64, fb->x_recv >> TFRC_RATE_SHIFT,
					  U32_MAX));
	__be16 signals[2] = { cpu_to_be16(fb->lost), cpu_to_be16(fb->marked) };
	__be32 elapsed = cpu_to_be32(fb->elapsed_us / 10);

	if (elapsed && dccp_insert_option(skb, DCCPO_ELAPSED_TIME, &elapsed,
					  sizeof(elapsed)))
		return -1;
	if (dccp_insert_option(skb, TFRC_OPT_SIGNALS, signals,
			       sizeof(signals)) ||
	    dccp_insert_option(skb, TFRC_OPT_RECEIVE_RATE, &x_recv,
			       sizeof(x_recv)) ||
	    dccp_insert_option(skb, TFRC_OPT_LOSS_EVENT_RATE, &p, sizeof(p)))
		return -1;
	return 0;
}
EXPORT_SYMBOL_GPL(tfrc_insert_feedback);

static int tfrc_insert_be32(struct sk_buff *skb, u8 opt, u64 value)
{
	__be32 v = cpu_to_be32(min_t(u64, value, U32_MAX));

	return dccp_insert_option(skb, opt, &v, sizeof(v));
}

/**
 * tfrc_insert_shares - what a report on an interval has besides
 * @skb: the packet, an acknowledgment with a report
 * @fb: the report
 *
 * Context: socket locked.
 * Return: 0, or -1 if there is no room for the options
 */
int tfrc_insert_shares(struct sk_buff *skb, const struct tfrc_feedback *fb)
{
	return tfrc_insert_be32(skb, TFRC_OPT_LOSS_SHARE, fb->loss) ||
	       tfrc_insert_be32(skb, TFRC_OPT_BOTTLENECK,
				fb->x_pair >> TFRC_RATE_SHIFT) ? -1 : 0;
}
EXPORT_SYMBOL_GPL(tfrc_insert_shares);

/**
 * tfrc_stash_interval - take in the option INTERVAL of a data packet
 * @iv: where it is kept
 * @opt: type of the option; others are passed over
 * @val: its value
 * @len: length of @val
 *
 * Context: socket locked.
 * Return: 0, or -EINVAL if the option is malformed
 */
int tfrc_stash_interval(struct tfrc_interval *iv, u8 opt, const u8 *val, u8 len)
{
	if (opt != TFRC_OPT_INTERVAL)
		return 0;
	if (len != 8)
		return -EINVAL;
	iv->interval = clamp(tfrc_get_be32(val) * TFRC_NSEC_PER_USEC,
			     TFRC_INTERVAL_MIN, TFRC_INTERVAL_MAX);
	iv->rtt = clamp(tfrc_get_be32(val + 4) * TFRC_NSEC_PER_USEC,
			TFRC_RTT_MIN, TFRC_RTT_MAX);
	iv->seen = true;
	return 0;
}
EXPORT_SYMBOL_GPL(tfrc_stash_interval);

/**
 * tfrc_insert_interval - say how often to report
 * @skb: the packet, Data or DataAck
 * @interval: time between two reports, ns
 * @rtt: smoothed round-trip time, ns
 *
 * Context: socket locked.
 * Return: 0, or -1 if there is no room for the option
 */
int tfrc_insert_interval(struct sk_buff *skb, u64 interval, u64 rtt)
{
	__be32 val[2] = {
		cpu_to_be32(div_u64(interval, TFRC_NSEC_PER_USEC)),
		cpu_to_be32(div_u64(rtt, TFRC_NSEC_PER_USEC)),
	};

	return dccp_insert_option(skb, TFRC_OPT_INTERVAL, val, sizeof(val));
}
EXPORT_SYMBOL_GPL(tfrc_insert_interval);
