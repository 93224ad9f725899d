/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _MARC_H
#define _MARC_H

#include <net/tfrc_rfc5348.h>
#include <uapi/linux/dccp_ccid.h>

/* Parameters of the paper */
#define MARC_BETA		900
#define MARC_DELTA_LOSS		100
#define MARC_DELTA_MARK		50
#define MARC_LOSS_HISTORY	8	/* figures 10 and 18 */
#define MARC_LOSS_HISTORY_PAPER	128	/* section 3.4: all other figures */

/* Scale of the decay of tokens, that of tfrc_exp() */
#define MARC_DECAY_SHIFT	48

/**
 * struct marc - state of a MARC sender
 * @par: parameters
 * @tokens: token value T, in bytes, negative after sending more than the share
 * @x_tfrc: TFRC's rate at the last report
 * @decision: last decision
 * @lagging: less arrived than was sent, and X has not come down to TFRC's rate since
 * @left: how long the tokens last, ns; U64_MAX: they are not being used up
 * @warned: at the last report @left was less than @par.warning for the first time
 * @above: at the last report it was not
 * @kept: number of decisions to keep the rate
 * @limited: number of decisions to reduce it by delta
 * @landed: number of decisions by @par.landing
 */
struct marc {
	struct dccp_marc_tx_params	par;
	s64				tokens;
	u64				x_tfrc;
	enum dccp_marc_decision		decision;
	bool				lagging;
	u64				left;
	bool				warned;
	bool				above;
	u32				kept;
	u32				limited;
	u32				landed;
};

/**
 * struct marc_sender - TFRC's sender with MARC's state
 * @tfrc: the sender
 * @marc: the state
 */
struct marc_sender {
	struct rfc5348_sender	tfrc;
	struct marc		marc;
};

bool marc_tx_params_valid(const void *values);
bool marc_rx_params_valid(const void *values);

u64 marc_limit(struct rfc5348_sender *t, const struct tfrc_report *rep,
	       bool worse, u64 now);
u64 marc_move_to(struct marc *m, const struct tfrc_decision *d);

#endif /* _MARC_H */
