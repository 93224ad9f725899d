// SPDX-License-Identifier: GPL-2.0-only
/*
 * Options that two or more schemes have, of reports and of data packets, and helpers
 * for a scheme's own.
 *
 * The core parses the options of a packet before it accepts the packet. So they are
 * pending first, and are used when the packet has been accepted. A stale packet, or
 * one that lacks an option, changes nothing. A sender's report is pending in struct
 * tfrc_pending. A receiver's wire.c decodes an option into a struct of the scheme and
 * sets a bit in @options of struct tfrc_receiver. The library clears these bits when
 * the packet has been handled.
 */
#include <asm/byteorder.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/string.h>
#include <net/tfrc_ccid.h>
#include <net/tfrc_driven.h>
#include <net/tfrc_rfc5348.h>

#define TFRC_REQUEST_LEN		9

/* The 1/p that means "no loss event yet" (RFC 4342, 8.5) */
#define TFRC_PINV_NO_LOSS	U32_MAX

/**
 * tfrc_get_be32 - read a number from an option
 * @val: four bytes, in any alignment
 *
 * Context: any
 * Return: the number in host byte order
 */
u32 tfrc_get_be32(const u8 *val)
{
	__be32 v;

	memcpy(&v, val, sizeof(v));
	return be32_to_cpu(v);
}
EXPORT_SYMBOL_GPL(tfrc_get_be32);

/**
 * tfrc_get_us - read a time from an option
 * @val: be32 of us, in any alignment
 *
 * Context: any
 * Return: ns
 */
u64 tfrc_get_us(const u8 *val)
{
	return tfrc_get_be32(val) * TFRC_NSEC_PER_USEC;
}
EXPORT_SYMBOL_GPL(tfrc_get_us);

/* The bit of an option, and the length that its value must have */
static u8 tfrc_option_bit(u8 opt, u8 *len)
{
	*len = opt == TFRC_OPT_REQUEST ? TFRC_REQUEST_LEN : 4;
	switch (opt) {
	case TFRC_OPT_LOSS_EVENT_RATE:
		return TFRC_HAS_P;
	case TFRC_OPT_RECEIVE_RATE:
		return TFRC_HAS_X_RECV;
	case TFRC_OPT_SIGNALS:
		return TFRC_HAS_SIGNALS;
	case TFRC_OPT_REQUEST:
		return TFRC_HAS_RATE;
	case TFRC_OPT_ARRIVAL:
		return TFRC_HAS_ARRIVAL;
	}
	return 0;
}

/**
 * tfrc_pending_option - parse an option of a feedback packet
 * @pd: pending report
 * @opt: type of the option
 * @val: its value
 * @len: length of @val
 *
 * Unknown options are ignored (RFC 4340, 5.8), and so are options that reports of this
 * scheme do not have.
 *
 * Context: socket locked.
 * Return: 0, or -EINVAL if the option is malformed. The core then ignores the option,
 * unless it is Mandatory.
 */
int tfrc_pending_option(struct tfrc_pending *pd, u8 opt, const u8 *val, u8 len)
{
	u8 want, bit = tfrc_option_bit(opt, &want) &
		       (pd->need | TFRC_HAS_ARRIVAL);

	if (opt == TFRC_OPT_L4S_READ && !len)
		pd->seen |= TFRC_HAS_L4S;
	if (!bit)
		return 0;
	if (len != want)
		return -EINVAL;

	switch (opt) {
	case TFRC_OPT_LOSS_EVENT_RATE:
		if (!tfrc_get_be32(val))
			return -EINVAL;
		pd->pinv = tfrc_get_be32(val);
		break;
	case TFRC_OPT_RECEIVE_RATE:
		pd->x_recv = tfrc_get_be32(val);
		break;
	case TFRC_OPT_SIGNALS:
		pd->lost = tfrc_get_be32(val) >> 16;
		pd->marked = tfrc_get_be32(val) & U16_MAX;
		break;
	case TFRC_OPT_REQUEST:
		pd->rate = tfrc_get_be32(val);
		pd->timeout = tfrc_get_be32(val + 4);
		pd->number = val[8];
		break;
	case TFRC_OPT_ARRIVAL:
		pd->arrival = tfrc_get_be32(val);
		break;
	}
	pd->seen |= bit;
	return 0;
}
EXPORT_SYMBOL_GPL(tfrc_pending_option);

/**
 * tfrc_pending_take - use the options of a packet that was accepted
 * @pd: options of the packet, empty afterwards
 * @fb: set to what they say
 *
 * Context: socket locked.
 * Return: true if the packet carried a complete report
 */
bool tfrc_pending_take(struct tfrc_pending *pd, struct tfrc_feedback *fb)
{
	bool whole = (pd->seen & pd->need) == pd->need;

	if (whole) {
		memset(fb, 0, sizeof(*fb));
		if (pd->need & TFRC_HAS_P && pd->pinv != TFRC_PINV_NO_LOSS)
			fb->p = div_u64(TFRC_P_ONE, pd->pinv);
		fb->x_recv = TFRC_RATE(pd->x_recv);
		fb->lost = pd->lost;
		fb->marked = pd->marked;
		fb->loss = pd->loss;
		fb->x_pair = TFRC_RATE(pd->x_pair);
		fb->rate = TFRC_RATE(pd->rate);
		fb->timeout = pd->timeout * TFRC_NSEC_PER_USEC;
		fb->number = pd->number;
		fb->has_arrival = pd->seen & TFRC_HAS_ARRIVAL;
		if (fb->has_arrival)
			fb->arrival_us = pd->arrival;
		fb->l4s = pd->seen & TFRC_HAS_L4S;
	}
	pd->seen = 0;
	return whole;
}
EXPORT_SYMBOL_GPL(tfrc_pending_take);

/**
 * tfrc_us - a time in us, as options have it
 * @ns: the time
 *
 * Context: any
 * Return: us, at most U32_MAX
 */
u32 tfrc_us(u64 ns)
{
	return min_t(u64, div_u64(ns, TFRC_NSEC_PER_USEC), U32_MAX);
}
EXPORT_SYMBOL_GPL(tfrc_us);

/**
 * tfrc_put_be32 - write an option with one number
 * @skb: the packet
 * @opt: type of the option
 * @value: the number; what does not fit in 32 bits saturates
 *
 * Context: socket locked.
 * Return: 0, or -1 if there is no room for the option
 */
int tfrc_put_be32(struct sk_buff *skb, u8 opt, u64 value)
{
	__be32 v = cpu_to_be32(min_t(u64, value, U32_MAX));

	return dccp_insert_option(skb, opt, &v, sizeof(v));
}
EXPORT_SYMBOL_GPL(tfrc_put_be32);

/**
 * tfrc_data_option - parse an option of a data packet
 * @r: receiver
 * @opt: type of the option; others are ignored
 * @val: its value
 * @len: length of @val
 *
 * Context: socket locked.
 * Return: 0, or -EINVAL if the option is malformed
 */
int tfrc_data_option(struct tfrc_receiver *r, u8 opt, const u8 *val, u8 len)
{
	if (opt != TFRC_OPT_L4S)
		return 0;
	if (len != 1 || *val > 1)
		return -EINVAL;
	r->options |= TFRC_RX_HAS_L4S | (*val ? TFRC_RX_HAS_ECT1 : 0);
	return 0;
}
EXPORT_SYMBOL_GPL(tfrc_data_option);

/**
 * tfrc_put_l4s - write the option L4S on a data packet
 * @skb: the packet
 * @ect1: it is sent with ECT(1); otherwise the option is an offer
 *
 * Context: socket locked.
 * Return: 0, or -1 if there is no room for the option
 */
int tfrc_put_l4s(struct sk_buff *skb, bool ect1)
{
	u8 val = ect1;

	return dccp_insert_option(skb, TFRC_OPT_L4S, &val, sizeof(val));
}
EXPORT_SYMBOL_GPL(tfrc_put_l4s);

/**
 * tfrc_put_2be32 - write an option with two numbers
 * @skb: the packet
 * @opt: type of the option
 * @a: the first number; what does not fit in 32 bits saturates
 * @b: the second, likewise
 *
 * Context: socket locked.
 * Return: 0, or -1 if there is no room for the option
 */
int tfrc_put_2be32(struct sk_buff *skb, u8 opt, u64 a, u64 b)
{
	__be32 v[2] = {
		cpu_to_be32(min_t(u64, a, U32_MAX)),
		cpu_to_be32(min_t(u64, b, U32_MAX)),
	};

	return dccp_insert_option(skb, opt, v, sizeof(v));
}
EXPORT_SYMBOL_GPL(tfrc_put_2be32);

/*
 * The options of every report. Elapsed Time is in units of 10 us, and is rounded to the
 * nearest: rounding it down would make R longer, which matters where R is some 100 us.
 */
static int tfrc_put_common(struct sk_buff *skb,
			   const struct tfrc_feedback *fb)
{
	__be16 signals[2] = { cpu_to_be16(fb->lost), cpu_to_be16(fb->marked) };
	__be32 elapsed = cpu_to_be32(div_u64(fb->elapsed_us + 5ULL, 10));

	if (elapsed && dccp_insert_option(skb, DCCPO_ELAPSED_TIME, &elapsed,
					  sizeof(elapsed)))
		return -1;
	if (dccp_insert_option(skb, TFRC_OPT_SIGNALS, signals,
			       sizeof(signals)) ||
	    tfrc_put_be32(skb, TFRC_OPT_ARRIVAL, fb->arrival_us))
		return -1;
	return tfrc_put_be32(skb, TFRC_OPT_RECEIVE_RATE,
				fb->x_recv >> TFRC_RATE_SHIFT);
}

/**
 * tfrc_put_report - write a report of TFRC on an acknowledgment
 * @skb: the packet
 * @fb: the report
 *
 * Context: socket locked.
 * Return: 0, or -1 if there is no room for the options
 */
int tfrc_put_report(struct sk_buff *skb, const struct tfrc_feedback *fb)
{
	/*
	 * Round 1/p up. The 1 is there because p itself was rounded down:
	 * without it, a p of 1/3 would become 1/4.
	 */
	u64 pinv = div64_u64(TFRC_P_ONE + fb->p, fb->p + 1);

	return tfrc_put_common(skb, fb) ?:
	       tfrc_put_be32(skb, TFRC_OPT_LOSS_EVENT_RATE,
			     fb->p ? min_t(u64, pinv, U32_MAX - 1) :
					TFRC_PINV_NO_LOSS);
}
EXPORT_SYMBOL_GPL(tfrc_put_report);

/**
 * driven_put_report - write a report that requests a rate on an acknowledgment
 * @skb: the packet
 * @fb: the report
 *
 * Context: socket locked.
 * Return: 0, or -1 if there is no room for the options
 */
int driven_put_report(struct sk_buff *skb, const struct tfrc_feedback *fb)
{
	__be32 val[2] = {
		cpu_to_be32(min_t(u64, fb->rate >> TFRC_RATE_SHIFT, U32_MAX)),
		cpu_to_be32(tfrc_us(fb->timeout)),
	};
	u8 request[TFRC_REQUEST_LEN];

	memcpy(request, val, sizeof(val));
	request[sizeof(val)] = fb->number;
	return tfrc_put_common(skb, fb) ?:
	       dccp_insert_option(skb, TFRC_OPT_REQUEST, request,
				  sizeof(request));
}
EXPORT_SYMBOL_GPL(driven_put_report);
