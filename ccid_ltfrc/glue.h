/* SPDX-License-Identifier: GPL-2.0-only */
/* The half-connections and parameters of L-TFRC, which ccid.c and params.c share */
#ifndef _LTFRC_GLUE_H
#define _LTFRC_GLUE_H

#include <net/tfrc_ccid.h>
#include "ltfrc.h"

struct ltfrc_hc_tx {
	struct tfrc_hc_tx		hc;
	struct ltfrc_sender		snd;
	struct dccp_ltfrc_tx_params	par;
};

struct ltfrc_hc_rx {
	struct tfrc_hc_rx		hc;
	struct ltfrc_receiver		rcv;
	struct dccp_ltfrc_rx_params	par;
};

extern const struct tfrc_params ltfrc_tx_params, ltfrc_rx_params;
extern const struct tfrc_sockopts ltfrc_sockopts;

#endif /* _LTFRC_GLUE_H */
