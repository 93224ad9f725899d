/* SPDX-License-Identifier: GPL-2.0-only */
/* One test, at either end: the same at client and server. */
#ifndef DCCPERF_FLOW_H
#define DCCPERF_FLOW_H

#include "control.h"
#include "options.h"
#include "test.h"

struct flow {
	const struct options *o;
	struct test	test;
	struct ctrl	ctrl;
	int		fd;
	bool		sending, peer_done;
	int		tx_ccid, rx_ccid, mps;
	int		peer_tx_ccid, peer_rx_ccid;
	struct sockaddr_storage local, peer;
	u64	start;
	u64	*busy;		/* of a server: when it sent or received a packet last, or began */
	struct sender_result snd;
	struct receiver_result rcv;
	u64	layer_packets[MAX_LAYERS + 1], layer_bytes[MAX_LAYERS + 1];
};

#endif /* DCCPERF_FLOW_H */
