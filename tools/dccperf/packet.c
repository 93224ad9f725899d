// SPDX-License-Identifier: GPL-2.0-only
/*
 * The header in front of each payload, in network byte order:
 *
 *	 0	magic "DPRF"
 *	 4	stream: which test this packet belongs to
 *	 8	layer, 0 for none
 *	 9	sequence number, from 0, 7 bytes
 *	16	CLOCK_MONOTONIC of the sender when the packet was given to the socket, ns
 *	24	the same clock at the scheduled time of the packet, ns
 */
#include <endian.h>
#include <string.h>

#include "packet.h"

#define MAGIC	0x44505246

void packet_pack(u8 *buf, const struct packet_header *h)
{
	u32 w[2] = { htobe32(MAGIC), htobe32(h->stream) };
	u64 q[3] = { htobe64((u64)h->layer << 56 | h->seq), htobe64(h->sent),
			  htobe64(h->sched) };

	memcpy(buf, w, sizeof(w));
	memcpy(buf + sizeof(w), q, sizeof(q));
}

bool packet_unpack(const u8 *buf, size_t len, struct packet_header *h)
{
	u32 w[2];
	u64 q[3];

	if (len < HEADER_LEN)
		return false;
	memcpy(w, buf, sizeof(w));
	memcpy(q, buf + sizeof(w), sizeof(q));
	h->stream = be32toh(w[1]);
	h->seq = be64toh(q[0]) & ((1ULL << 56) - 1);
	h->layer = be64toh(q[0]) >> 56;
	h->sent = be64toh(q[1]);
	h->sched = be64toh(q[2]);
	return be32toh(w[0]) == MAGIC;
}
