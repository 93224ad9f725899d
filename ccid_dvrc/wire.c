// SPDX-License-Identifier: GPL-2.0-only
/*
 * DVRC's options. lib_tfrc/options.c has the options of its reports.
 *
 *	137 Path	round-trip time, its deviation, us: 2 be32
 *	139 Layers	cumulative rates, bytes/s: 1 to 16 be32
 *
 * A rate vector from a peer must be one that a user could have set.
 */
#include <linux/minmax.h>
#include "glue.h"

static int dvrc_parse_path(struct dvrc_receiver *dr, const u8 *val, u8 len)
{
	if (len != 8)
		return -EINVAL;
	dr->path.rtt = clamp(tfrc_get_us(val), TFRC_RTT_MIN, TFRC_RTT_MAX);
	dr->path.deviation = min(tfrc_get_us(val + 4), TFRC_RTT_MAX);
	dr->base.options |= DVRC_HAS_PATH;
	return 0;
}

static int dvrc_parse_layers(struct dvrc_receiver *dr, const u8 *val, u8 len)
{
	struct dvrc_layers l = { .k = len / 4 };
	u32 i;

	if (!l.k || l.k > DCCP_DVRC_LAYERS_MAX || len % 4)
		return -EINVAL;
	for (i = 0; i < l.k; i++)
		l.rate[i] = tfrc_get_be32(val + 4 * i);
	if (!dvrc_layers_valid(l.rate, len))
		return -EINVAL;
	dr->vector = l;
	dr->base.options |= DVRC_HAS_LAYERS;
	return 0;
}

/**
 * dvrc_parse - parse an option of a data packet
 * @dr: receiver
 * @opt: type of the option; others are ignored
 * @val: its value
 * @len: length of @val
 *
 * Context: socket locked.
 * Return: 0, or -EINVAL if the option is malformed
 */
int dvrc_parse(struct dvrc_receiver *dr, u8 opt, const u8 *val, u8 len)
{
	switch (opt) {
	case DVRC_OPT_PATH:
		return dvrc_parse_path(dr, val, len);
	case DVRC_OPT_LAYERS:
		return dvrc_parse_layers(dr, val, len);
	}
	return 0;
}

/**
 * dvrc_put_path - write the option Path
 * @skb: the packet, Data or DataAck
 * @rtt: smoothed round-trip time, ns
 * @deviation: its deviation, ns
 *
 * Context: socket locked.
 * Return: 0, or -1 if there is no room for the option
 */
int dvrc_put_path(struct sk_buff *skb, u64 rtt, u64 deviation)
{
	return tfrc_put_2be32(skb, DVRC_OPT_PATH, tfrc_us(rtt),
			      tfrc_us(deviation));
}

/**
 * dvrc_put_layers - write the option Layers
 * @skb: the packet, Data or DataAck
 * @l: layers, at least one
 *
 * Context: socket locked.
 * Return: 0, or -1 if there is no room for the option
 */
int dvrc_put_layers(struct sk_buff *skb, const struct dvrc_layers *l)
{
	__be32 val[DCCP_DVRC_LAYERS_MAX];
	u32 i;

	for (i = 0; i < l->k; i++)
		val[i] = cpu_to_be32(l->rate[i]);
	return dccp_insert_option(skb, DVRC_OPT_LAYERS, val, 4 * l->k);
}
