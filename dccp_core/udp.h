/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _DCCP_UDP_H
#define _DCCP_UDP_H
/*
 * DCCP over UDP (RFC 6773): functions that the rest of the core calls. See udp.c.
 */
#include <linux/udp.h>
#include <uapi/linux/dccp_ccid.h>

#include "dccp.h"

struct dst_entry;
struct flowi6;

/* "Encapsulated Port Reuse" (RFC 6773, 7.2), not in <linux/dccp.h> */
#define DCCP_RESET_CODE_ENCAP_PORT_REUSE	12

/**
 * struct dccp_udp_family - Functions of an address family for packets from UDP
 * @family: AF_INET or AF_INET6
 * @rcv: process a packet, whose data begins with the DCCP header
 * @err: process an ICMP error, whose header is the transport header. The arguments are the
 *	 offset of the DCCP header in the quoted packet, and the MTU in the error, or 0.
 *
 * A UDP socket has its address in sk_user_data, whose three lowest bits are flags.
 */
struct dccp_udp_family {
	sa_family_t	family;
	int		(*rcv)(struct sk_buff *skb);
	int		(*err)(struct sk_buff *skb, unsigned int offset, u32 mtu);
} __aligned(8);

int dccp_udp_init(void);
void dccp_udp_exit(void);
void dccp_udp_open(struct net *net, const struct dccp_udp_family *family);
void dccp_udp_close(struct net *net, const struct dccp_udp_family *family);

void dccp_udp_init_sock(struct sock *sk);
int dccp_udp_connect(struct sock *sk);
int dccp_udp_setsockopt(struct sock *sk, int port);
int dccp_udp_getsockopt(struct sock *sk);
long dccp_udp_due(const struct sock *sk);

bool dccp_udp_port_ours(const struct net *net, struct dccp_udp_ports udp);
int dccp_udp_xmit(struct sock *sk, struct sk_buff *skb);
int dccp_udp_v4_send(const struct sock *sk, struct sk_buff *skb, __be32 saddr,
		     __be32 daddr, struct dccp_udp_ports udp);
void dccp_udp_v6_header(struct sk_buff *skb, struct flowi6 *fl6,
			struct dccp_udp_ports udp);

int __dccp_udp_check(struct sock *sk, struct sk_buff *skb);
void dccp_udp_reset_data(const struct sk_buff *rxskb, u8 *data);

/* The ports of a received packet as the answer has them; 0 if it came without UDP */
static inline struct dccp_udp_ports dccp_udp_ports(const struct sk_buff *skb)
{
	struct dccp_udp_ports udp = { 0 };

	if (DCCP_SKB_CB(skb)->dccpd_udp) {
		/* it is left where it was, in front of the DCCP header */
		const struct udphdr *uh = (const void *)(skb_transport_header(skb) -
							 sizeof(*uh));

		udp.local = uh->dest;
		udp.remote = uh->source;
	}
	return udp;
}

static inline bool dccp_udp_same(struct dccp_udp_ports a, struct dccp_udp_ports b)
{
	return a.remote == b.remote && a.local == b.local;
}

/* Answer a received packet by a Reset, because it is not of this connection. */
static inline void dccp_udp_refuse(struct sk_buff *skb)
{
	struct dccp_skb_cb *dcb = DCCP_SKB_CB(skb);

	dcb->dccpd_reset_code = dcb->dccpd_udp ? DCCP_RESET_CODE_ENCAP_PORT_REUSE
					       : DCCP_RESET_CODE_NO_CONNECTION;
}

/* Whether the packet of an ICMP error was sent with these ports, or without UDP */
static inline bool dccp_udp_quoted(const struct dccp_hdr *dh, bool is_udp,
				   struct dccp_udp_ports udp)
{
	const struct udphdr *uh = (const void *)((const u8 *)dh - sizeof(*uh));

	if (!is_udp)
		return !udp.remote;
	return uh->source == udp.local && uh->dest == udp.remote;
}

/* Whether this connection is over UDP */
static inline bool dccp_udp(const struct sock *sk)
{
	return dccp_sk(sk)->dccps_udp.remote;
}

/**
 * dccp_udp_check - Check that a packet comes from the UDP port of the peer
 * @sk: socket, locked, neither listening nor closed
 * @skb: packet for its addresses and DCCP ports
 *
 * Return: 0 if it does, or if neither the packet nor the connection is over UDP; a positive
 * number if it must be answered by a Reset, whose code this sets; a negative number if it
 * must be dropped.
 */
static inline int dccp_udp_check(struct sock *sk, struct sk_buff *skb)
{
	if (likely(!dccp_udp(sk) && !DCCP_SKB_CB(skb)->dccpd_udp))
		return 0;
	return __dccp_udp_check(sk, skb);
}

#endif /* _DCCP_UDP_H */
