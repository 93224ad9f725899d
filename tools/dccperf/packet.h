/* SPDX-License-Identifier: GPL-2.0-only */
/* The header in front of each payload. */
#ifndef DCCPERF_PACKET_H
#define DCCPERF_PACKET_H

#include "base.h"

#define MAX_PAYLOAD	65535
#define HEADER_LEN	32		/* of each payload, see packet.c */

struct packet_header {
	u64	seq, sent, sched;
	u32	stream;
	u8	layer;			/* 0: none */
};

void packet_pack(u8 *buf, const struct packet_header *h);
bool packet_unpack(const u8 *buf, size_t len, struct packet_header *h);

#endif /* DCCPERF_PACKET_H */
