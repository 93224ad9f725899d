/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _MARC_H
#define _MARC_H

#include <net/tfrc.h>
#include <uapi/linux/dccp_ccid.h>

/* Parameters of the paper. */
#define MARC_BETA		900
#define MARC_DELTA_LOSS		100
#define MARC_DELTA_MARK		50
#define MARC_LOSS_HISTORY	8

/**
 * struct marc - state of a MARC sender
 * @par: parameters
 * @tokens: token value T, in bytes, negative after sending more than the share
 * @x_tfrc: rate that TFRC asked for last
 * @decision: what became of it
 */
struct marc {
	struct dccp_marc_tx_params	par;
	s64				tokens;
	u64				x_tfrc;
	enum dccp_marc_decision		decision;
};

bool marc_tx_params_valid(const void *values);
bool marc_rx_params_valid(const void *values);

s64 marc_unused_share(u64 w, u64 w_snd, u64 interval);
s64 marc_token_value(s64 tokens, s64 unused, u16 beta);
u64 marc_limited_rate(u64 x, u16 delta);
u64 marc_move_to(void *priv, const struct tfrc_decision *d);

#endif /* _MARC_H */
