// SPDX-License-Identifier: GPL-2.0-only
/*
 * RAAR's option. lib_tfrc/options.c has the options of its reports.
 *
 *	138 Round	rate that the sender keeps to, bytes/s: be32
 *			time from the report to this packet, us: be32
 */
#include "glue.h"

/**
 * raar_parse - parse an option of a data packet
 * @rr: receiver
 * @opt: type of the option; others are ignored
 * @val: its value
 * @len: length of @val
 *
 * Context: socket locked.
 * Return: 0, or -EINVAL if the option is malformed
 */
int raar_parse(struct raar_receiver *rr, u8 opt, const u8 *val, u8 len)
{
	if (opt != RAAR_OPT_ROUND)
		return 0;
	if (len != 8)
		return -EINVAL;
	rr->round.rate = TFRC_RATE(tfrc_get_be32(val));
	rr->round.waited = tfrc_get_us(val + 4);
	rr->base.options |= RAAR_HAS_ROUND;
	return 0;
}

/**
 * raar_put_round - write the option Round
 * @skb: the packet, Data or DataAck
 * @rate: the rate that the sender keeps to
 * @waited: time from the report that began the round to this packet, ns
 *
 * Context: socket locked.
 * Return: 0, or -1 if there is no room for the option
 */
int raar_put_round(struct sk_buff *skb, u64 rate, u64 waited)
{
	return tfrc_put_2be32(skb, RAAR_OPT_ROUND, rate >> TFRC_RATE_SHIFT,
			      tfrc_us(waited));
}
