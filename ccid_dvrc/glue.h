/* SPDX-License-Identifier: GPL-2.0-only */
/* The half-connections of DVRC, which ccid.c, params.c and wire.c share */
#ifndef _DVRC_GLUE_H
#define _DVRC_GLUE_H

#include <net/tfrc_ccid.h>
#include "dvrc.h"

struct dvrc_hc_tx {
	struct tfrc_hc_tx	hc;
	struct dvrc_sender	snd;
};

struct dvrc_hc_rx {
	struct tfrc_hc_rx	hc;
	struct dvrc_receiver	rcv;
};

static inline struct dvrc_hc_tx *dvrc_hc_tx(const struct sock *sk)
{
	return container_of(tfrc_hc_tx(sk), struct dvrc_hc_tx, hc);
}

static inline struct dvrc_hc_rx *dvrc_hc_rx(const struct sock *sk)
{
	return container_of(tfrc_hc_rx(sk), struct dvrc_hc_rx, hc);
}

/* params.c */
extern const struct tfrc_params dvrc_tx_params, dvrc_rx_params;
extern const struct tfrc_sockopts dvrc_sockopts;

/* wire.c */
#define DVRC_OPT_PATH		137
#define DVRC_OPT_LAYERS		139
/* with the header */
#define DVRC_OPT_LAYERS_LEN(n)	(2 + 4 * (n))

int dvrc_parse(struct dvrc_receiver *dr, u8 opt, const u8 *val, u8 len);
int dvrc_put_path(struct sk_buff *skb, u64 rtt, u64 deviation);
int dvrc_put_layers(struct sk_buff *skb, const struct dvrc_layers *l);

#endif /* _DVRC_GLUE_H */
