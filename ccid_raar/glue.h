/* SPDX-License-Identifier: GPL-2.0-only */
/* The half-connections of RAAR, which ccid.c, params.c and wire.c share */
#ifndef _RAAR_GLUE_H
#define _RAAR_GLUE_H

#include <net/tfrc_ccid.h>
#include "raar.h"

struct raar_hc_tx {
	struct tfrc_hc_tx	hc;
	struct raar_sender	snd;
};

struct raar_hc_rx {
	struct tfrc_hc_rx	hc;
	struct raar_receiver	rcv;
};

static inline struct raar_hc_tx *raar_hc_tx(const struct sock *sk)
{
	return container_of(tfrc_hc_tx(sk), struct raar_hc_tx, hc);
}

static inline struct raar_hc_rx *raar_hc_rx(const struct sock *sk)
{
	return container_of(tfrc_hc_rx(sk), struct raar_hc_rx, hc);
}

/* params.c */
extern const struct tfrc_params raar_tx_params, raar_rx_params;
extern const struct tfrc_sockopts raar_sockopts;

/* wire.c */
#define RAAR_OPT_ROUND		138

int raar_parse(struct raar_receiver *rr, u8 opt, const u8 *val, u8 len);
int raar_put_round(struct sk_buff *skb, u64 rate, u64 waited);

#endif /* _RAAR_GLUE_H */
