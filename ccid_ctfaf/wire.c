// SPDX-License-Identifier: GPL-2.0-only
/*
 * CTFAF's options. lib_tfrc/options.c has the other options of its reports.
 *
 *	136 Interval	report interval T, R, us: 2 be32
 *	201 Loss Share	since the last report, 2^-32: be32
 *	202 Bottleneck	bandwidth, bytes/s, 0: unknown: be32
 */
#include <linux/minmax.h>
#include <net/tfrc_rfc5348.h>
#include "glue.h"

/**
 * ctfaf_parse - parse an option of a data packet
 * @cr: receiver
 * @opt: type of the option; others are ignored
 * @val: its value
 * @len: length of @val
 *
 * Context: socket locked.
 * Return: 0, or -EINVAL if the option is malformed
 */
int ctfaf_parse(struct ctfaf_receiver *cr, u8 opt, const u8 *val, u8 len)
{
	if (opt != CTFAF_OPT_INTERVAL)
		return 0;
	if (len != 8)
		return -EINVAL;
	cr->interval = clamp(tfrc_get_us(val), TFRC_INTERVAL_MIN,
			     TFRC_INTERVAL_MAX);
	cr->rtt = clamp(tfrc_get_us(val + 4), TFRC_RTT_MIN, TFRC_RTT_MAX);
	cr->ir.base.options |= CTFAF_HAS_INTERVAL;
	return 0;
}

/**
 * ctfaf_parse_report - parse an option of a report
 * @pd: pending report
 * @opt: type of the option; others are ignored
 * @val: its value
 * @len: length of @val
 *
 * Context: socket locked.
 * Return: 0, or -EINVAL if the option is malformed
 */
int ctfaf_parse_report(struct tfrc_pending *pd, u8 opt, const u8 *val, u8 len)
{
	if (opt != CTFAF_OPT_LOSS_SHARE && opt != CTFAF_OPT_BOTTLENECK)
		return tfrc_pending_option(pd, opt, val, len);
	if (len != 4)
		return -EINVAL;
	if (opt == CTFAF_OPT_LOSS_SHARE) {
		pd->loss = tfrc_get_be32(val);
		pd->seen |= CTFAF_HAS_LOSS;
	} else {
		pd->x_pair = tfrc_get_be32(val);
		pd->seen |= CTFAF_HAS_X_PAIR;
	}
	return 0;
}

/**
 * ctfaf_put_interval - write the option Interval
 * @skb: the packet, Data or DataAck
 * @interval: time between two reports, ns
 * @rtt: smoothed round-trip time, ns
 *
 * Context: socket locked.
 * Return: 0, or -1 if there is no room for the option
 */
int ctfaf_put_interval(struct sk_buff *skb, u64 interval, u64 rtt)
{
	return tfrc_put_2be32(skb, CTFAF_OPT_INTERVAL, tfrc_us(interval),
			      tfrc_us(rtt));
}

/**
 * ctfaf_put_report - write a report on an acknowledgment
 * @skb: the packet
 * @fb: the report
 *
 * Context: socket locked.
 * Return: 0, or -1 if there is no room for the options
 */
int ctfaf_put_report(struct sk_buff *skb, const struct tfrc_feedback *fb)
{
	return tfrc_put_report(skb, fb) ?:
	       tfrc_put_be32(skb, CTFAF_OPT_LOSS_SHARE, fb->loss) ?:
	       tfrc_put_be32(skb, CTFAF_OPT_BOTTLENECK,
			     fb->x_pair >> TFRC_RATE_SHIFT);
}
