// SPDX-License-Identifier: GPL-2.0-only
/*
 * Options of feedback packets and of data packets: the only place that reads them
 * off the wire.
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

#define TFRC_TOLD_LEN		9

/* Inverse of p that stands for "no loss event yet" (RFC 4342, 8.5). */
#define TFRC_PINV_NO_LOSS	U32_MAX

static u32 tfrc_get_be32(const u8 *val)
{
	__be32 v;

	memcpy(&v, val, sizeof(v));
	return be32_to_cpu(v);
}

/* The bit of an option, and how long its value must be. */
static u8 tfrc_option_bit(u8 opt, u8 *len)
{
	*len = opt == TFRC_OPT_TOLD ? TFRC_TOLD_LEN : 4;
	switch (opt) {
	case TFRC_OPT_LOSS_EVENT_RATE:
		return TFRC_HAS_P;
	case TFRC_OPT_RECEIVE_RATE:
		return TFRC_HAS_X_RECV;
	case TFRC_OPT_SIGNALS:
		return TFRC_HAS_SIGNALS;
	case TFRC_OPT_LOSS_SHARE:
		return TFRC_HAS_LOSS;
	case TFRC_OPT_BOTTLENECK:
		return TFRC_HAS_X_PAIR;
	case TFRC_OPT_TOLD:
		return TFRC_HAS_TOLD;
	}
	return 0;
}

/**
 * tfrc_stash_option - take in an option of a feedback packet
 * @st: where it is kept
 * @opt: type of the option
 * @val: its value
 * @len: length of @val
 *
 * Unknown options are passed over, as RFC 4340, 5.8 asks for, and so are those
 * that reports of this scheme do not have.
 *
 * Context: socket locked.
 * Return: 0, or -EINVAL if the option is malformed: the core then resets the
 * connection with Option Error
 */
int tfrc_stash_option(struct tfrc_stash *st, u8 opt, const u8 *val, u8 len)
{
	u8 want, bit = tfrc_option_bit(opt, &want) & st->need;

	if (!bit)
		return 0;
	if (len != want)
		return -EINVAL;

	switch (opt) {
	case TFRC_OPT_LOSS_EVENT_RATE:
		if (!tfrc_get_be32(val))
			return -EINVAL;
		st->pinv = tfrc_get_be32(val);
		break;
	case TFRC_OPT_RECEIVE_RATE:
		st->x_recv = tfrc_get_be32(val);
		break;
	case TFRC_OPT_SIGNALS:
		st->lost = tfrc_get_be32(val) >> 16;
		st->marked = tfrc_get_be32(val) & U16_MAX;
		break;
	case TFRC_OPT_LOSS_SHARE:
		st->loss = tfrc_get_be32(val);
		break;
	case TFRC_OPT_BOTTLENECK:
		st->x_pair = tfrc_get_be32(val);
		break;
	case TFRC_OPT_TOLD:
		st->told = tfrc_get_be32(val);
		st->timeout = tfrc_get_be32(val + 4);
		st->number = val[8];
		break;
	}
	st->seen |= bit;
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
	bool whole = st->seen == st->need;

	if (whole) {
		memset(fb, 0, sizeof(*fb));
		if (st->need & TFRC_HAS_P && st->pinv != TFRC_PINV_NO_LOSS)
			fb->p = div_u64(TFRC_P_ONE, st->pinv);
		fb->x_recv = TFRC_RATE(st->x_recv);
		fb->lost = st->lost;
		fb->marked = st->marked;
		fb->loss = st->loss;
		fb->x_pair = TFRC_RATE(st->x_pair);
		fb->told = TFRC_RATE(st->told);
		fb->timeout = st->timeout * TFRC_NSEC_PER_USEC;
		fb->number = st->number;
	}
	st->seen = 0;
	return whole;
}
EXPORT_SYMBOL_GPL(tfrc_stash_take);

static int tfrc_insert_be32(struct sk_buff *skb, u8 opt, u64 value)
{
	__be32 v = cpu_to_be32(min_t(u64, value, U32_MAX));

	return dccp_insert_option(skb, opt, &v, sizeof(v));
}

/*
 * What every report has. Elapsed Time is in units of 10 us, and rounded to the nearest:
 * what is cut off makes R longer, which counts where R is no longer than that.
 */
static int tfrc_insert_common(struct sk_buff *skb,
			      const struct tfrc_feedback *fb)
{
	__be16 signals[2] = { cpu_to_be16(fb->lost), cpu_to_be16(fb->marked) };
	__be32 elapsed = cpu_to_be32(div_u64(fb->elapsed_us + 5ULL, 10));

	if (elapsed && dccp_insert_option(skb, DCCPO_ELAPSED_TIME, &elapsed,
					  sizeof(elapsed)))
		return -1;
	if (dccp_insert_option(skb, TFRC_OPT_SIGNALS, signals,
			       sizeof(signals)))
		return -1;
	return tfrc_insert_be32(skb, TFRC_OPT_RECEIVE_RATE,
				fb->x_recv >> TFRC_RATE_SHIFT);
}

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

	return tfrc_insert_common(skb, fb) ?:
	       tfrc_insert_be32(skb, TFRC_OPT_LOSS_EVENT_RATE,
				fb->p ? min_t(u64, pinv, U32_MAX - 1) :
					TFRC_PINV_NO_LOSS);
}
EXPORT_SYMBOL_GPL(tfrc_insert_feedback);

/**
 * tfrc_insert_told - put a report with a rate on an acknowledgment
 * @skb: the packet
 * @fb: the report
 *
 * Context: socket locked.
 * Return: 0, or -1 if there is no room for the options
 */
int tfrc_insert_told(struct sk_buff *skb, const struct tfrc_feedback *fb)
{
	__be32 val[2] = {
		cpu_to_be32(min_t(u64, fb->told >> TFRC_RATE_SHIFT, U32_MAX)),
		cpu_to_be32(min_t(u64, U32_MAX,
				  div_u64(fb->timeout, TFRC_NSEC_PER_USEC))),
	};
	u8 told[TFRC_TOLD_LEN];

	memcpy(told, val, sizeof(val));
	told[sizeof(val)] = fb->number;
	return tfrc_insert_common(skb, fb) ?:
	       dccp_insert_option(skb, TFRC_OPT_TOLD, told, sizeof(told));
}
EXPORT_SYMBOL_GPL(tfrc_insert_told);

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

/**
 * tfrc_stash_round - take in the option ROUND of a data packet
 * @rd: where it is kept
 * @opt: type of the option; others are passed over
 * @val: its value
 * @len: length of @val
 *
 * Context: socket locked.
 * Return: 0, or -EINVAL if the option is malformed
 */
int tfrc_stash_round(struct tfrc_round *rd, u8 opt, const u8 *val, u8 len)
{
	if (opt != TFRC_OPT_ROUND)
		return 0;
	if (len != 8)
		return -EINVAL;
	rd->rate = TFRC_RATE(tfrc_get_be32(val));
	rd->waited = tfrc_get_be32(val + 4) * TFRC_NSEC_PER_USEC;
	rd->seen = true;
	return 0;
}
EXPORT_SYMBOL_GPL(tfrc_stash_round);

/**
 * tfrc_insert_round - say what rate is kept to, and how long a packet waited
 * @skb: the packet, Data or DataAck
 * @rate: the rate
 * @waited: time from the report that began the round to this packet, ns
 *
 * Context: socket locked.
 * Return: 0, or -1 if there is no room for the option
 */
int tfrc_insert_round(struct sk_buff *skb, u64 rate, u64 waited)
{
	__be32 val[2] = {
		cpu_to_be32(min_t(u64, rate >> TFRC_RATE_SHIFT, U32_MAX)),
		cpu_to_be32(min_t(u64, U32_MAX,
				  div_u64(waited, TFRC_NSEC_PER_USEC))),
	};

	return dccp_insert_option(skb, TFRC_OPT_ROUND, val, sizeof(val));
}
EXPORT_SYMBOL_GPL(tfrc_insert_round);

/**
 * tfrc_stash_path - take in the option PATH of a data packet
 * @path: where it is kept
 * @opt: type of the option; others are passed over
 * @val: its value
 * @len: length of @val
 *
 * Context: socket locked.
 * Return: 0, or -EINVAL if the option is malformed
 */
int tfrc_stash_path(struct tfrc_path *path, u8 opt, const u8 *val, u8 len)
{
	if (opt != TFRC_OPT_PATH)
		return 0;
	if (len != 8)
		return -EINVAL;
	path->rtt = clamp(tfrc_get_be32(val) * TFRC_NSEC_PER_USEC,
			  TFRC_RTT_MIN, TFRC_RTT_MAX);
	path->deviation = min(tfrc_get_be32(val + 4) * TFRC_NSEC_PER_USEC,
			      TFRC_RTT_MAX);
	path->seen = true;
	return 0;
}
EXPORT_SYMBOL_GPL(tfrc_stash_path);

/**
 * tfrc_insert_path - say what the round-trip time is, and how much it varies
 * @skb: the packet, Data or DataAck
 * @rtt: smoothed round-trip time, ns
 * @deviation: of it, ns
 *
 * Context: socket locked.
 * Return: 0, or -1 if there is no room for the option
 */
int tfrc_insert_path(struct sk_buff *skb, u64 rtt, u64 deviation)
{
	__be32 val[2] = {
		cpu_to_be32(div_u64(rtt, TFRC_NSEC_PER_USEC)),
		cpu_to_be32(div_u64(deviation, TFRC_NSEC_PER_USEC)),
	};

	return dccp_insert_option(skb, TFRC_OPT_PATH, val, sizeof(val));
}
EXPORT_SYMBOL_GPL(tfrc_insert_path);

/**
 * tfrc_stash_layers - take in the option LAYERS of a data packet
 * @l: where it is kept
 * @opt: type of the option; others are passed over
 * @val: its value
 * @len: length of @val
 *
 * Context: socket locked.
 * Return: 0, or -EINVAL if the option is malformed; whether the rates make sense
 * is for the caller to say
 */
int tfrc_stash_layers(struct tfrc_layers *l, u8 opt, const u8 *val, u8 len)
{
	u32 i, n = len / 4;

	if (opt != TFRC_OPT_LAYERS)
		return 0;
	if (!n || n > TFRC_LAYERS_MAX || len % 4)
		return -EINVAL;
	for (i = 0; i < n; i++)
		l->rate[i] = tfrc_get_be32(val + 4 * i);
	l->n = n;
	return 0;
}
EXPORT_SYMBOL_GPL(tfrc_stash_layers);

/**
 * tfrc_insert_layers - advertise a rate vector
 * @skb: the packet, Data or DataAck
 * @rate: cumulative rates, bytes/s
 * @n: how many, 1 to TFRC_LAYERS_MAX
 *
 * Context: socket locked.
 * Return: 0, or -1 if there is no room for the option
 */
int tfrc_insert_layers(struct sk_buff *skb, const u32 *rate, u32 n)
{
	__be32 val[TFRC_LAYERS_MAX];
	u32 i;

	for (i = 0; i < n; i++)
		val[i] = cpu_to_be32(rate[i]);
	return dccp_insert_option(skb, TFRC_OPT_LAYERS, val, 4 * n);
}
EXPORT_SYMBOL_GPL(tfrc_insert_layers);
