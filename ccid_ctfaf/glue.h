/* SPDX-License-Identifier: GPL-2.0-only */
/* The half-connections of CTFAF, which ccid.c, params.c and wire.c share */
#ifndef _CTFAF_GLUE_H
#define _CTFAF_GLUE_H

#include <net/tfrc_ccid.h>
#include "ctfaf.h"

struct ctfaf_hc_tx {
	struct tfrc_hc_tx	hc;
	struct ctfaf_sender	snd;
};

struct ctfaf_hc_rx {
	struct tfrc_hc_rx		hc;
	struct ctfaf_receiver		rcv;
	struct dccp_ctfaf_rx_params	par;
};

static inline struct ctfaf_hc_tx *ctfaf_hc_tx(const struct sock *sk)
{
	return container_of(tfrc_hc_tx(sk), struct ctfaf_hc_tx, hc);
}

static inline struct ctfaf_hc_rx *ctfaf_hc_rx(const struct sock *sk)
{
	return container_of(tfrc_hc_rx(sk), struct ctfaf_hc_rx, hc);
}

/* params.c */
extern const struct tfrc_params ctfaf_tx_params, ctfaf_rx_params;
extern const struct tfrc_sockopts ctfaf_sockopts;

/* wire.c */
#define CTFAF_OPT_INTERVAL	136
#define CTFAF_OPT_LOSS_SHARE	201
#define CTFAF_OPT_BOTTLENECK	202

/* Options of a report in addition to those of TFRC */
#define CTFAF_HAS_LOSS		TFRC_HAS_OWN
#define CTFAF_HAS_X_PAIR	(TFRC_HAS_OWN << 1)
#define CTFAF_REPORT		(TFRC_REPORT | CTFAF_HAS_LOSS | CTFAF_HAS_X_PAIR)

int ctfaf_parse(struct ctfaf_receiver *cr, u8 opt, const u8 *val, u8 len);
int ctfaf_parse_report(struct tfrc_pending *pd, u8 opt, const u8 *val, u8 len);
int ctfaf_put_interval(struct sk_buff *skb, u64 interval, u64 rtt);
int ctfaf_put_report(struct sk_buff *skb, const struct tfrc_feedback *fb);

#endif /* _CTFAF_GLUE_H */
