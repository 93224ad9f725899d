// SPDX-License-Identifier: GPL-2.0-only
/*
 * DCCP over UDP (RFC 6773)
 *
 * In a network namespace whose sysctl net.dccp.udp_port is not 0 the kernel has a UDP
 * socket for each address family at this port. There the UDP header of received packets
 * is removed, and they are processed like others; DCCP_SKB_CB(skb)->dccpd_udp says that
 * they had one. All connections of the namespace send from this port.
 *
 * A connection is identified by six values: two addresses, two UDP ports and two DCCP
 * ports (3.8). The kernel's tables have only addresses and DCCP ports. So of
 * connections that differ only in their UDP ports, one can exist at a time. The others
 * are refused with "Encapsulated Port Reuse", as the RFC says for a host that cannot
 * tell them apart.
 *
 * The UDP checksum replaces DCCP's (3.3). IP options are not sent.
 */
#include <linux/icmp.h>
#include <linux/icmpv6.h>
#include <linux/module.h>
#include <linux/sysctl.h>
#include <linux/version.h>
#include <net/inet_ecn.h>
#include <net/ip.h>
#include <net/ip_tunnels.h>
#include <net/ip6_checksum.h>
#include <net/ipv6.h>
#include <net/netns/generic.h>
#include <net/route.h>
#include <net/udp.h>
#include <net/udp_tunnel.h>

#include "dccp.h"
#include "udp.h"

/*
 * Many NATs forget a mapping of UDP when the host behind it has sent nothing for 30 s,
 * although it must last for 2 minutes (RFC 4787, 4.3).
 */
#define DCCP_UDP_KEEPALIVE	(15 * HZ)

/* since 6.17: flags for the control block of the packet */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 17, 0)
#define dccp_iptunnel_xmit(...)	iptunnel_xmit(__VA_ARGS__)
#else
#define dccp_iptunnel_xmit(...)	iptunnel_xmit(__VA_ARGS__, 0)
#endif

/**
 * struct dccp_udp_net - DCCP over UDP in a network namespace
 * @net: the namespace
 * @lock: protects @udp_port, @family and @sock
 * @udp_port: UDP port of this namespace; 0 if DCCP over UDP is off
 * @encap_port: the port of the peers of new sockets, 0 for plain DCCP
 * @family: address families whose module is loaded
 * @sock: their sockets, while @udp_port is not 0; NULL if the port was taken when the module
 *	was loaded
 * @table: sysctls
 * @header: header of @table
 */
struct dccp_udp_net {
	struct net			*net;
	struct mutex			lock;	/* of udp_port, family, sock */
	int				udp_port;
	int				encap_port;
	const struct dccp_udp_family	*family[2];
	struct socket			*sock[2];
	struct ctl_table		table[2 + DCCP_CTL_END];
	struct ctl_table_header		*header;
};

static unsigned int dccp_udp_net_id __read_mostly;

static struct dccp_udp_net *dccp_udp_net(const struct net *net)
{
	return net_generic(net, dccp_udp_net_id);
}

/* ---- Receive ------------------------------------------------------------- */

/*
 * Called with packets whose UDP length and checksum are right. dccp_invalid_packet()
 * checks the rest.
 */
static int dccp_udp_rcv(struct sock *usk, struct sk_buff *skb)
{
	const struct dccp_udp_family *family = rcu_dereference_sk_user_data(usk);

	/*
	 * No checksum (RFC 6773, 3.3): over IPv6 UDP has dropped the packet already. No
	 * source port: nothing could be sent back, and 0 stands for a peer without UDP.
	 */
	if (!family || !udp_hdr(skb)->check || !udp_hdr(skb)->source) {
		kfree_skb(skb);
		return 0;
	}
	__skb_pull(skb, sizeof(struct udphdr));
	skb_reset_transport_header(skb);
	/* it has been verified, and neither holds from here on */
	skb->ip_summed = CHECKSUM_NONE;
	DCCP_SKB_CB(skb)->dccpd_udp = 1;
	family->rcv(skb);
	return 0;
}

/*
 * An ICMP error about a packet that was sent from this port (3.6). Many errors quote the
 * packet up to the UDP header only, which does not identify the connection.
 * Returns 0 for redirects, for which UDP updates the route. Otherwise 1, although the error
 * is counted as one that is for nobody: UDP would lower the route's MTU for each message
 * that quotes the ports.
 */
static int dccp_udp_err(struct sock *usk, struct sk_buff *skb)
{
	const struct dccp_udp_family *family = rcu_dereference_sk_user_data(usk);
	const int transport = skb_transport_offset(skb);
	u32 mtu = 0;

	if (!family)
		return 1;
	if (family->family == AF_INET) {
		/* it is followed by the header that is the network header now */
		skb_set_transport_header(skb, -(int)sizeof(struct icmphdr));
		if (icmp_hdr(skb)->type == ICMP_REDIRECT)
			return 0;
		if (icmp_hdr(skb)->type == ICMP_DEST_UNREACH &&
		    icmp_hdr(skb)->code == ICMP_FRAG_NEEDED)
			mtu = ntohs(icmp_hdr(skb)->un.frag.mtu);
	} else {
		skb_set_transport_header(skb, -(int)sizeof(struct icmp6hdr));
		switch (icmp6_hdr(skb)->icmp6_type) {
		case ICMPV6_PKT_TOOBIG:
			mtu = ntohl(icmp6_hdr(skb)->icmp6_mtu);
			break;
		case ICMPV6_DEST_UNREACH:
		case ICMPV6_TIME_EXCEED:
			break;
		default:
			/* of a redirect this is the option with the packet */
			return 0;
		}
	}
	family->err(skb, transport + sizeof(struct udphdr), mtu);
	skb_set_transport_header(skb, transport);
	return 1;
}

/**
 * __dccp_udp_check - dccp_udp_check() for a packet or a connection over UDP
 * @sk: socket, locked, neither listening nor closed
 * @skb: packet for its addresses and DCCP ports
 *
 * The peer's NAT may have been restarted, or have forgotten the mapping. Then it gives
 * the peer another UDP port. The connection follows to this port if the packet is newer
 * than all others and has a number that only the peer can know: its acknowledgment
 * number, or the sequence number of a Data packet, which must be in the window. An
 * attacker who is not on the path has to guess one. A packet that was recorded and is sent
 * again is not newer. The address must be the same.
 *
 * The peer may have sent more than a window of packets before one arrives. With an
 * acknowledgment they move the connection; its Sync goes to the new port then (RFC 4340,
 * 8.5, step 6). A Data packet is answered by a Reset, not by that Sync: the Sync has a
 * number that an acknowledgment may have, and a stranger with the same address would read
 * it. The Reset has the sequence number 0 (8.3.1), so the peer does not take it and sends a
 * Sync (step 6), which moves the connection.
 *
 * Return: as dccp_udp_check()
 */
int __dccp_udp_check(struct sock *sk, struct sk_buff *skb)
{
	const u64 seqno = DCCP_SKB_CB(skb)->dccpd_seq,
		  ackno = DCCP_SKB_CB(skb)->dccpd_ack_seq;
	const struct dccp_udp_ports from = dccp_udp_ports(skb);
	struct dccp_sock *dp = dccp_sk(sk);
	bool known;

	if (dccp_udp_same(from, dp->dccps_udp))
		return 0;
	dccp_udp_refuse(skb);
	if (!from.remote || from.local != dp->dccps_udp.local ||
	    sk->sk_state == DCCP_REQUESTING ||
	    DCCP_SKB_CB(skb)->dccpd_type == DCCP_PKT_REQUEST ||
	    DCCP_SKB_CB(skb)->dccpd_type == DCCP_PKT_RESPONSE)
		return 1;
	/* one that was late when the connection had moved */
	if (between48(seqno, dp->dccps_swl, dp->dccps_gsr))
		return -1;
	known = ackno == DCCP_PKT_WITHOUT_ACK_SEQ ?
		between48(seqno, dp->dccps_gsr, dp->dccps_swh) :
		between48(ackno, dp->dccps_gar, dp->dccps_awh);
	if (!known || !after48(seqno, dp->dccps_gsr))
		return 1;
	dp->dccps_udp.remote = from.remote;
	return 0;
}
EXPORT_SYMBOL_GPL(__dccp_udp_check);

/**
 * dccp_udp_reset_data - The data of a Reset "Encapsulated Port Reuse" (RFC 6773, 7.2)
 * @rxskb: packet that it answers
 * @data: 3 bytes, to be filled in
 */
void dccp_udp_reset_data(const struct sk_buff *rxskb, u8 *data)
{
	const struct dccp_udp_ports from = dccp_udp_ports(rxskb);

	data[0] = dccp_hdr(rxskb)->dccph_type;
	memcpy(data + 1, &from.remote, sizeof(from.remote));
}

/* ---- Send ---------------------------------------------------------------- */

static void dccp_udp_push(struct sk_buff *skb, struct dccp_udp_ports udp)
{
	struct dccp_hdr *dh = dccp_hdr(skb);
	struct udphdr *uh;

	if (dccp_csum_coverage(skb) >= skb->len)
		dh->dccph_cscov = 0;
	dh->dccph_checksum = 0;

	uh = skb_push(skb, sizeof(*uh));
	skb_reset_transport_header(skb);
	uh->source = udp.local;
	uh->dest = udp.remote;
	uh->len = htons(skb->len);
}

/**
 * dccp_udp_v4_send - Send a packet in UDP over IPv4
 * @sk: its socket, which determines the IP header
 * @skb: packet with its DCCP header, and its route
 * @saddr: source address
 * @daddr: destination address
 * @udp: UDP ports
 *
 * Return: 0: the network may drop it, as any packet
 */
int dccp_udp_v4_send(const struct sock *sk, struct sk_buff *skb, __be32 saddr,
		     __be32 daddr, struct dccp_udp_ports udp)
{
	struct dst_entry *dst = dst_clone(skb_dst(skb));
	const struct inet_sock *inet = inet_sk(sk);
	int ttl = READ_ONCE(inet->uc_ttl);

	dccp_udp_push(skb, udp);
	udp_set_csum(false, skb, saddr, daddr, skb->len);

	skb->priority = READ_ONCE(sk->sk_priority);
	if (!skb->mark)
		skb->mark = READ_ONCE(sk->sk_mark);
	if (ttl < 0)
		ttl = ip4_dst_hoplimit(dst);

	local_bh_disable();
	dccp_iptunnel_xmit((struct sock *)sk, (struct rtable *)dst, skb, saddr, daddr,
			   IPPROTO_UDP, READ_ONCE(inet->tos), ttl,
			   ip_dont_fragment(sk, dst) ? htons(IP_DF) : 0, false);
	local_bh_enable();
	return 0;
}
EXPORT_SYMBOL_GPL(dccp_udp_v4_send);

/**
 * dccp_udp_v6_header - Add the UDP header to a packet over IPv6
 * @skb: packet with its DCCP header
 * @fl6: with addresses; becomes a flow of UDP, for ip6_xmit()
 * @udp: UDP ports; nothing is done if there are none
 */
void dccp_udp_v6_header(struct sk_buff *skb, struct flowi6 *fl6,
			struct dccp_udp_ports udp)
{
	if (!udp.remote)
		return;
	dccp_udp_push(skb, udp);
	udp6_set_csum(false, skb, &fl6->saddr, &fl6->daddr, skb->len);
	fl6->flowi6_proto = IPPROTO_UDP;
	fl6->fl6_sport = udp.local;
	fl6->fl6_dport = udp.remote;
}
EXPORT_SYMBOL_GPL(dccp_udp_v6_header);

/* Whether the connection is over IPv4, which a socket of IPv6 may have, too */
static bool dccp_udp_is_v4(const struct sock *sk)
{
	return sk->sk_family == AF_INET || ipv6_addr_v4mapped(&sk->sk_v6_daddr);
}

/* under RCU */
static int dccp_udp_v6_send(struct sock *sk, struct sk_buff *skb)
{
	struct ipv6_pinfo *np = inet6_sk(sk);
	struct flowi6 fl6 = {
		.flowi6_oif	= sk->sk_bound_dev_if,
		.flowi6_mark	= READ_ONCE(sk->sk_mark),
		.flowi6_uid	= sk->sk_uid,
		.flowlabel	= np->flow_label,
		.daddr		= sk->sk_v6_daddr,
		.saddr		= np->saddr,
	};

	IP6_ECN_flow_xmit(sk, fl6.flowlabel);
	dccp_udp_v6_header(skb, &fl6, dccp_sk(sk)->dccps_udp);
	return ip6_xmit(sk, skb, &fl6, READ_ONCE(sk->sk_mark),
			rcu_dereference(np->opt), np->tclass,
			READ_ONCE(sk->sk_priority));
}

/**
 * dccp_udp_port_ours - Check that the namespace still has the UDP port of a connection
 * @net: namespace
 * @udp: UDP ports of the connection or handshake; none without UDP
 *
 * If it has given up the port, the port may be another program's by now, which the peer's
 * answers would reach.
 *
 * Return: true if packets may be sent
 */
bool dccp_udp_port_ours(const struct net *net, struct dccp_udp_ports udp)
{
	return !udp.remote ||
	       udp.local == htons(READ_ONCE(dccp_udp_net(net)->udp_port));
}
EXPORT_SYMBOL_GPL(dccp_udp_port_ours);

/**
 * dccp_udp_xmit - Send a packet of a connection over UDP
 * @sk: socket, owned or locked
 * @skb: packet with its DCCP header
 *
 * It replaces send_check() and queue_xmit() of the address family. The route is that of
 * the DCCP flow.
 *
 * Return: 0, %-EHOSTUNREACH without a route or without the port, or an error of ip6_xmit()
 */
int dccp_udp_xmit(struct sock *sk, struct sk_buff *skb)
{
	struct dccp_sock *dp = dccp_sk(sk);
	struct inet_sock *inet = inet_sk(sk);
	int rc;

	dp->dccps_udp_sent = jiffies;
	if (!dccp_udp_port_ours(sock_net(sk), dp->dccps_udp) ||
	    inet_csk(sk)->icsk_af_ops->rebuild_header(sk)) {
		kfree_skb(skb);
		return -EHOSTUNREACH;
	}
	rcu_read_lock();
	skb_dst_set_noref(skb, __sk_dst_get(sk));
	if (dccp_udp_is_v4(sk))
		rc = dccp_udp_v4_send(sk, skb, inet->inet_saddr,
				      inet->inet_daddr, dp->dccps_udp);
	else
		rc = dccp_udp_v6_send(sk, skb);
	rcu_read_unlock();
	return rc;
}

/**
 * dccp_udp_due - When a client must send, to keep the mapping of its NAT
 * @sk: socket, owned or locked
 *
 * It sends a Sync then (keepalive.c). The server answers, so a NAT of the server keeps its
 * mapping, too.
 *
 * Return: in how many jiffies, at most 0 if it is late; %MAX_JIFFY_OFFSET for a server or
 * without UDP
 */
long dccp_udp_due(const struct sock *sk)
{
	const struct dccp_sock *dp = dccp_sk(sk);

	if (!dccp_udp(sk) || dp->dccps_role != DCCP_ROLE_CLIENT)
		return MAX_JIFFY_OFFSET;
	return dp->dccps_udp_sent + DCCP_UDP_KEEPALIVE - jiffies;
}

/* ---- Sockets ------------------------------------------------------------- */

/**
 * dccp_udp_init_sock - Give a new socket the default of its namespace
 * @sk: socket
 */
void dccp_udp_init_sock(struct sock *sk)
{
	dccp_sk(sk)->dccps_encap_port =
		READ_ONCE(dccp_udp_net(sock_net(sk))->encap_port);
}

/**
 * dccp_udp_connect - Decide whether a client's connection is over UDP
 * @sk: socket, owned
 *
 * Return: 0, %-EADDRNOTAVAIL if it should go over UDP and there is no port to send from, or
 * %-EOPNOTSUPP if it has IPv4 options, which are not sent over UDP.
 */
int dccp_udp_connect(struct sock *sk)
{
	const struct dccp_udp_net *dn = dccp_udp_net(sock_net(sk));
	struct dccp_sock *dp = dccp_sk(sk);
	const struct ip_options_rcu *opt;
	int port = READ_ONCE(dn->udp_port);

	/* the last attempt may have been another */
	memset(&dp->dccps_udp, 0, sizeof(dp->dccps_udp));
	if (!dp->dccps_encap_port)
		return 0;
	/* where the answers would come to */
	if (!port || !READ_ONCE(dn->sock[!dccp_udp_is_v4(sk)]))
		return -EADDRNOTAVAIL;
	if (dccp_udp_is_v4(sk)) {
		opt = rcu_dereference_protected(inet_sk(sk)->inet_opt,
						lockdep_sock_is_held(sk));
		if (opt && opt->opt.optlen)
			return -EOPNOTSUPP;
	}
	dp->dccps_udp.local = htons(port);
	dp->dccps_udp.remote = htons(dp->dccps_encap_port);
	dp->dccps_udp_sent = jiffies;
	return 0;
}

/**
 * dccp_udp_setsockopt - Set DCCP_SOCKOPT_ENCAP_PORT
 * @sk: socket, owned
 * @port: UDP port of the peer, 0 for plain DCCP
 *
 * Return: 0, %-EISCONN if the socket is not closed, or %-EINVAL
 */
int dccp_udp_setsockopt(struct sock *sk, int port)
{
	if (sk->sk_state != DCCP_CLOSED)
		return -EISCONN;
	if (port < 0 || port > U16_MAX)
		return -EINVAL;
	dccp_sk(sk)->dccps_encap_port = port;
	return 0;
}

/**
 * dccp_udp_getsockopt - Get DCCP_SOCKOPT_ENCAP_PORT
 * @sk: socket, need not be locked
 *
 * Return: the UDP port of the peer, 0 without UDP. Before the connection it is the port
 * that was set.
 */
int dccp_udp_getsockopt(struct sock *sk)
{
	struct dccp_sock *dp = dccp_sk(sk);

	if ((1 << inet_sk_state_load(sk)) & (DCCPF_CLOSED | DCCPF_LISTEN))
		return dp->dccps_encap_port;
	return ntohs(READ_ONCE(dp->dccps_udp.remote));
}

/* ---- Namespaces ---------------------------------------------------------- */

static struct socket *dccp_udp_socket(struct net *net,
				      const struct dccp_udp_family *family, int port)
{
	struct sockaddr_in in = {
		.sin_family	= AF_INET,
		.sin_port	= htons(port),
	};
	struct sockaddr_in6 in6 = {
		.sin6_family	= AF_INET6,
		.sin6_port	= htons(port),
	};
	struct udp_sock *up;
	struct socket *sock;
	int rc;

	rc = sock_create_kern(net, family->family, SOCK_DGRAM, IPPROTO_UDP, &sock);
	if (rc)
		return ERR_PTR(rc);

	/* before there is a packet */
	up = udp_sk(sock->sk);
	rcu_assign_sk_user_data(sock->sk, (void *)family);
	up->encap_rcv = dccp_udp_rcv;
	up->encap_err_lookup = dccp_udp_err;
	up->encap_type = 1;
	udp_tunnel_encap_enable(sock->sk);

	if (family->family == AF_INET) {
		rc = kernel_bind(sock, (void *)&in, sizeof(in));
	} else {
		rc = ip6_sock_set_v6only(sock->sk);
		if (!rc)
			rc = kernel_bind(sock, (void *)&in6, sizeof(in6));
	}
	if (rc) {
		sock_release(sock);
		return ERR_PTR(rc);
	}
	return sock;
}

static void dccp_udp_release(struct socket *sock)
{
	if (!sock)
		return;
	rcu_assign_sk_user_data(sock->sk, NULL);
	kernel_sock_shutdown(sock, SHUT_RDWR);
	sock_release(sock);
	/* packets that found it */
	synchronize_rcu();
}

static int dccp_udp_place(const struct dccp_udp_family *family)
{
	return family->family == AF_INET6;
}

/* If one of the sockets cannot be made, nothing changes. */
static int dccp_udp_set_port(struct dccp_udp_net *dn, int port)
{
	struct socket *sock[2] = { NULL };
	int i;

	for (i = 0; port && i < ARRAY_SIZE(sock); i++) {
		if (!dn->family[i])
			continue;
		sock[i] = dccp_udp_socket(dn->net, dn->family[i], port);
		if (IS_ERR(sock[i])) {
			int rc = PTR_ERR(sock[i]);

			while (i--)
				dccp_udp_release(sock[i]);
			return rc;
		}
	}
	WRITE_ONCE(dn->udp_port, port);
	for (i = 0; i < ARRAY_SIZE(sock); i++) {
		struct socket *old = dn->sock[i];

		WRITE_ONCE(dn->sock[i], sock[i]);
		dccp_udp_release(old);
	}
	return 0;
}

/**
 * dccp_udp_open - Start an address family in a namespace
 * @net: namespace
 * @family: address family
 *
 * If the namespace has a UDP port already, somebody may have taken it for this family. Then
 * the family is without UDP there. It is no error: the owner of a single namespace could
 * keep the module of the family from being loaded.
 */
void dccp_udp_open(struct net *net, const struct dccp_udp_family *family)
{
	struct dccp_udp_net *dn = dccp_udp_net(net);
	int i = dccp_udp_place(family);
	struct socket *sock;

	mutex_lock(&dn->lock);
	dn->family[i] = family;
	if (dn->udp_port) {
		sock = dccp_udp_socket(net, family, dn->udp_port);
		if (IS_ERR(sock))
			net_warn_ratelimited("DCCP: no UDP port %d for IPv%c: %pe\n",
					     dn->udp_port, i ? '6' : '4', sock);
		else
			WRITE_ONCE(dn->sock[i], sock);
	}
	mutex_unlock(&dn->lock);
}
EXPORT_SYMBOL_GPL(dccp_udp_open);

/**
 * dccp_udp_close - Stop an address family in a namespace
 * @net: namespace
 * @family: address family
 */
void dccp_udp_close(struct net *net, const struct dccp_udp_family *family)
{
	struct dccp_udp_net *dn = dccp_udp_net(net);
	int i = dccp_udp_place(family);

	mutex_lock(&dn->lock);
	dccp_udp_release(dn->sock[i]);
	WRITE_ONCE(dn->sock[i], NULL);
	dn->family[i] = NULL;
	mutex_unlock(&dn->lock);
}
EXPORT_SYMBOL_GPL(dccp_udp_close);

static int dccp_udp_port_max = U16_MAX;

static int dccp_udp_proc_port(DCCP_CTL_CONST struct ctl_table *table, int write,
			      void *buffer, size_t *lenp, loff_t *ppos)
{
	struct dccp_udp_net *dn = container_of(table->data, struct dccp_udp_net,
					       udp_port);
	int port, rc;
	struct ctl_table tmp = {
		.data	= &port,
		.maxlen	= sizeof(port),
		.extra1	= table->extra1,
		.extra2	= table->extra2,
	};

	mutex_lock(&dn->lock);
	port = dn->udp_port;
	rc = proc_dointvec_minmax(&tmp, write, buffer, lenp, ppos);
	if (write && !rc && port != dn->udp_port)
		rc = dccp_udp_set_port(dn, port);
	mutex_unlock(&dn->lock);
	return rc;
}

static int __net_init dccp_udp_init_net(struct net *net)
{
	struct dccp_udp_net *dn = dccp_udp_net(net);

	dn->net = net;
	mutex_init(&dn->lock);
	dn->table[0] = (struct ctl_table) {
		.procname	= "udp_port",
		.data		= &dn->udp_port,
		.maxlen		= sizeof(dn->udp_port),
		.mode		= 0644,
		.proc_handler	= dccp_udp_proc_port,
		.extra1		= SYSCTL_ZERO,
		.extra2		= &dccp_udp_port_max,
	};
	dn->table[1] = (struct ctl_table) {
		.procname	= "encap_port",
		.data		= &dn->encap_port,
		.maxlen		= sizeof(dn->encap_port),
		.mode		= 0644,
		.proc_handler	= proc_dointvec_minmax,
		.extra1		= SYSCTL_ZERO,
		.extra2		= &dccp_udp_port_max,
	};
	if (!IS_ENABLED(CONFIG_SYSCTL))
		return 0;
	dn->header = register_net_sysctl(net, "net/dccp", dn->table);
	return dn->header ? 0 : -ENOMEM;
}

static void __net_exit dccp_udp_exit_net(struct net *net)
{
	struct dccp_udp_net *dn = dccp_udp_net(net);

	if (dn->header)
		unregister_net_sysctl_table(dn->header);
}

static struct pernet_operations dccp_udp_net_ops = {
	.init	= dccp_udp_init_net,
	.exit	= dccp_udp_exit_net,
	.id	= &dccp_udp_net_id,
	.size	= sizeof(struct dccp_udp_net),
};

int __init dccp_udp_init(void)
{
	return register_pernet_subsys(&dccp_udp_net_ops);
}

void dccp_udp_exit(void)
{
	unregister_pernet_subsys(&dccp_udp_net_ops);
}
