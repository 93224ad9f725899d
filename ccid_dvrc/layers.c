// SPDX-License-Identifier: GPL-2.0-only
/*
 * The layers of a stream: the vector of cumulative rates c_1 to c_k, and how many of them
 * fit in a rate (section 3.3). Both ends have them. When a receiver adds a layer is in
 * dvrc.c.
 */
#include <linux/minmax.h>
#include <linux/string.h>
#include "dvrc.h"

/**
 * dvrc_layers_valid - whether a rate vector is valid
 * @rate: cumulative rates, in any alignment of 4, from a user or a peer
 * @size: in bytes
 *
 * Return: true for 1 to 16 rates that are not 0 and grow
 */
bool dvrc_layers_valid(const u32 *rate, size_t size)
{
	size_t i, k = size / sizeof(*rate);

	if (!k || k > DCCP_DVRC_LAYERS_MAX || size % sizeof(*rate))
		return false;
	for (i = 0; i < k; i++)
		if (rate[i] <= (i ? rate[i - 1] : 0))
			return false;
	return true;
}

/**
 * dvrc_layers_set - set a rate vector
 * @l: layers
 * @rate: a valid vector
 * @size: in bytes
 */
void dvrc_layers_set(struct dvrc_layers *l, const u32 *rate, size_t size)
{
	memcpy(l->rate, rate, size);
	l->k = size / sizeof(*rate);
}

/**
 * dvrc_layers_get - read a rate vector
 * @l: layers
 * @rate: filled in
 *
 * Return: number of layers
 */
u32 dvrc_layers_get(const struct dvrc_layers *l, u32 *rate)
{
	memcpy(rate, l->rate, l->k * sizeof(*rate));
	return l->k;
}

/**
 * dvrc_layers_in - section 3.3: the number of layers that fit in a rate
 * @l: layers
 * @r: rate R
 *
 * Return: K = max { j : c_j <= R }, at least 1; 0 if there are no layers
 */
u32 dvrc_layers_in(const struct dvrc_layers *l, u64 r)
{
	u32 j = l->k;

	while (j > 1 && TFRC_RATE(l->rate[j - 1]) > r)
		j--;
	return j;
}

/**
 * dvrc_start_rate - the first rate of a sender
 * @l: its layers
 * @initial: the initial rate
 * @most: limit by its Sequence Window
 * @slow_start: limit the rate to @initial
 *
 * By section 3.3 it is c_1, however great that is. Without layers it is @initial.
 *
 * Return: X of the first packet
 */
u64 dvrc_start_rate(const struct dvrc_layers *l, u64 initial, u64 most,
		    bool slow_start)
{
	if (!l->k)
		return initial;
	return min3(TFRC_RATE(l->rate[0]), most, slow_start ? initial : most);
}

/**
 * dvrc_layers_sent - K of a sender
 * @l: its layers, if it has any
 * @k: K of the receiver, of any value
 * @x: allowed rate
 * @slow_start: layers are joined no faster than @x grows
 *
 * At the start, and after a pause, the receiver may request more than the sender's own
 * rules allow. Then one layer above @x is enough for @x to grow.
 *
 * Return: K, at most the number of layers; without layers @k
 */
u32 dvrc_layers_sent(const struct dvrc_layers *l, u32 k, u64 x,
		     bool slow_start)
{
	if (!l->k)
		return min_t(u32, k, DCCP_DVRC_LAYERS_MAX);
	k = clamp(k, 1U, l->k);
	return slow_start ? min(k, dvrc_layers_in(l, x) + 1) : k;
}
