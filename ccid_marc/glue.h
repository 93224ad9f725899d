/* SPDX-License-Identifier: GPL-2.0-only */
/* The half-connections and parameters of MARC, which ccid.c and params.c share */
#ifndef _MARC_GLUE_H
#define _MARC_GLUE_H

#include <net/tfrc_ccid.h>
#include "marc.h"

struct marc_hc_tx {
	struct tfrc_hc_tx	hc;
	struct marc_sender	snd;
};

struct marc_hc_rx {
	struct tfrc_hc_rx		hc;
	struct rfc5348_receiver		rcv;
	struct dccp_marc_rx_params	par;
};

extern const struct tfrc_params marc_tx_params, marc_rx_params;
extern const struct tfrc_sockopts marc_sockopts;

#endif /* _MARC_GLUE_H */
