// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions that the donor's DCCP calls and the kernel does not have any more, or does
 * not export.  They do what the kernel's functions of these names do for DCCP, and are
 * linked under names of their own (dccp_carried_names.h).
 */
#include <linux/dccp.h>
#include <linux/in6.h>
#include <linux/ipv6.h>
#include <linux/module.h>
#include <linux/once.h>
#include <linux/siphash.h>
#include <linux/wait.h>

#include <net/inet_connection_sock.h>
#include <net/inet_sock.h>
#include <net/ip.h>
#include <net/ip6_route.h>
#include <net/ipv6.h>
#include <net/request_sock.h>
#include <net/route.h>
#include <net/sock.h>

#include "dccp.h"

u32 inet_ehash_secret;
u32 inet6_ehash_secret;
u32 tcp_ipv6_hash_secret;

/*
 * One for all, made when it is first asked for. net_get_random_once() has a flag for each
 * place that calls it, so a second place would make another one.
 */
static const siphash_aligned_key_t *secret(void)
{
	static siphash_aligned_key_t key;

	net_get_random_once(&key, sizeof(key));
	return &key;
}

/*
 * RFC 4340, 7.2: initial sequence numbers that nobody can guess, and that do not
 * repeat for the same addresses and ports: a hash of these plus the time.
 */
static u64 isn(u64 hash)
{
	return (hash + ktime_get_real_ns()) & UINT48_MAX;
}

u64 secure_dccp_sequence_number(__be32 saddr, __be32 daddr,
				__be16 sport, __be16 dport)
{
	return isn(siphash_3u32((__force u32)saddr, (__force u32)daddr,
				(__force u32)sport << 16 | (__force u32)dport,
				secret()));
}
EXPORT_SYMBOL_GPL(secure_dccp_sequence_number);

u64 secure_dccpv6_sequence_number(__be32 *saddr, __be32 *daddr,
				  __be16 sport, __be16 dport)
{
	struct {
		struct in6_addr saddr, daddr;
		__be16 sport, dport;
	} __aligned(SIPHASH_ALIGNMENT) id = { .sport = sport, .dport = dport };

	memcpy(&id.saddr, saddr, sizeof(id.saddr));
	memcpy(&id.daddr, daddr, sizeof(id.daddr));
	return isn(siphash(&id, offsetofend(typeof(id), dport), secret()));
}
EXPORT_SYMBOL_GPL(secure_dccpv6_sequence_number);

/* A Response has no socket of its own, and so no cached header. */
int ip_build_and_send_pkt(struct sk_buff *skb, const struct sock *sk, __be32 from,
			  __be32 to, struct ip_options_rcu *opt, u8 tos)
{
	struct rtable *rt = skb_rtable(skb);
	struct net *net = sock_net(sk);
	int ttl = READ_ONCE(inet_sk(sk)->uc_ttl);
	struct iphdr *iph;
	bool fragments;

	/*
	 * ip_options_build() is not exported. Only NetLabel (CIPSO) gives options to a
	 * Response: its hosts get none, rather than one without their label.
	 */
	if (opt && opt->opt.optlen) {
		kfree_skb(skb);
		return -EOPNOTSUPP;
	}

	skb_push(skb, sizeof(*iph));
	skb_reset_network_header(skb);
	iph = ip_hdr(skb);
	iph->version = 4;
	iph->ihl = sizeof(*iph) / 4;
	iph->tos = tos;
	iph->ttl = ttl < 0 ? ip4_dst_hoplimit(&rt->dst) : ttl;
	iph->saddr = from;
	iph->daddr = to;
	iph->protocol = sk->sk_protocol;
	/* Only a packet that a router may fragment needs a number. */
	fragments = skb->len > IPV4_MIN_MTU && !ip_dont_fragment(sk, &rt->dst);
	iph->id = 0;
	iph->frag_off = fragments ? 0 : htons(IP_DF);
	if (fragments)
		__ip_select_ident(net, iph, 1);
	skb->mark = skb->mark ?: READ_ONCE(sk->sk_mark);
	skb->priority = READ_ONCE(sk->sk_priority);
	return ip_local_out(net, skb->sk, skb);
}
EXPORT_SYMBOL_GPL(ip_build_and_send_pkt);

static int no_route(struct sock *sk, int error)
{
	WRITE_ONCE(sk->sk_err_soft, -error);
	sk->sk_route_caps = 0;
	return error;
}

/* Where packets go first: to the peer, or to the first router of a source route. */
static __be32 first_hop(const struct inet_sock *inet)
{
	const struct ip_options_rcu *opt;
	__be32 hop = inet->inet_daddr;

	rcu_read_lock();
	opt = rcu_dereference(inet->inet_opt);
	if (opt && opt->opt.srr)
		hop = opt->opt.faddr;
	rcu_read_unlock();
	return hop;
}

/* Without sysctl ip_dynaddr: the address of a socket does not change. */
int inet_sk_rebuild_header(struct sock *sk)
{
	struct inet_sock *inet = inet_sk(sk);
	const __be16 from = inet->inet_sport, to = inet->inet_dport;
	struct rtable *rt;

	if (__sk_dst_check(sk, 0))
		return 0;

	rt = ip_route_output_ports(sock_net(sk), &inet->cork.fl.u.ip4, sk,
				   first_hop(inet), inet->inet_saddr, to, from,
				   sk->sk_protocol, ip_sock_rt_tos(sk),
				   sk->sk_bound_dev_if);
	if (IS_ERR(rt))
		return no_route(sk, PTR_ERR(rt));
	sk_setup_caps(sk, &rt->dst);
	return 0;
}
EXPORT_SYMBOL_GPL(inet_sk_rebuild_header);

int inet6_sk_rebuild_header(struct sock *sk)
{
	struct ipv6_pinfo *np = inet6_sk(sk);
	struct inet_sock *inet = inet_sk(sk);
	struct in6_addr *to, last;
	struct dst_entry *dst;
	struct flowi6 fl6 = {
		.flowi6_proto = sk->sk_protocol,
		.daddr = sk->sk_v6_daddr,
		.saddr = np->saddr,
		.flowlabel = np->flow_label,
		.flowi6_oif = sk->sk_bound_dev_if,
		.flowi6_mark = sk->sk_mark,
		.fl6_dport = inet->inet_dport,
		.fl6_sport = inet->inet_sport,
		.flowi6_uid = sk_uid(sk),
	};

	if (__sk_dst_check(sk, np->dst_cookie))
		return 0;

	security_sk_classify_flow(sk, flowi6_to_flowi_common(&fl6));
	scoped_guard(rcu)
		to = fl6_update_dst(&fl6, rcu_dereference(np->opt), &last);
	dst = ip6_dst_lookup_flow(sock_net(sk), sk, &fl6, to);
	if (IS_ERR(dst))
		return no_route(sk, PTR_ERR(dst));
	ip6_dst_store(sk, dst, false, false);
	return 0;
}
EXPORT_SYMBOL_GPL(inet6_sk_rebuild_header);

/* Does the socket want to be told of something that is in this packet's header? */
bool ipv6_opt_accepted(const struct sock *sk, const struct sk_buff *skb,
		       const struct inet6_skb_parm *got)
{
	const struct ipv6_pinfo *np = inet6_sk(sk);

	if (!np->rxopt.all)
		return false;
	if ((got->flags & IP6SKB_HOPBYHOP) &&
	    (np->rxopt.bits.hopopts || np->rxopt.bits.ohopopts))
		return true;
	if (np->rxopt.bits.rxflow &&
	    ip6_flowinfo((struct ipv6hdr *)skb_network_header(skb)))
		return true;
	if (got->srcrt && (np->rxopt.bits.srcrt || np->rxopt.bits.osrcrt))
		return true;
	return (got->dst1 || got->dst0) &&
	       (np->rxopt.bits.dstopts || np->rxopt.bits.odstopts);
}
EXPORT_SYMBOL_GPL(ipv6_opt_accepted);

void __reqsk_free(struct request_sock *req)
{
	req->rsk_ops->destructor(req);
	if (req->rsk_listener)
		sock_put(req->rsk_listener);
	kfree(req->saved_syn);
	kmem_cache_free(req->rsk_ops->slab, req);
}
EXPORT_SYMBOL_GPL(__reqsk_free);

void reqsk_queue_alloc(struct request_sock_queue *queue)
{
	struct fastopen_queue *unused = &queue->fastopenq;

	queue->rskq_accept_head = NULL;
	unused->qlen = 0;
	unused->rskq_rst_tail = NULL;
	unused->rskq_rst_head = NULL;
}

void inet_sk_state_store(struct sock *sk, int state)
{
	/* who looks a packet up without the lock must see what was stored before */
	smp_mb();
	inet_sk_set_state(sk, state);
}

/* @sk is a raw copy of its listener, and owns nothing that could be destroyed. */
void sk_free_unlock_clone(struct sock *sk)
{
	bh_unlock_sock(sk);
	sk->sk_destruct = NULL;
	sk_free(sk);
}

static bool closing(struct sock *sk)
{
	return (1 << sk->sk_state) & (TCPF_FIN_WAIT1 | TCPF_CLOSING | TCPF_LAST_ACK);
}

void sk_stream_wait_close(struct sock *sk, long timeout)
{
	DEFINE_WAIT_FUNC(wait, woken_wake_function);

	if (!timeout)
		return;
	add_wait_queue(sk_sleep(sk), &wait);
	while (!sk_wait_event(sk, &timeout, !closing(sk), &wait))
		if (signal_pending(current) || !timeout)
			break;
	remove_wait_queue(sk_sleep(sk), &wait);
}

/**
 * dccp_carried_ext_hdr_len - bytes of IP options or IPv6 extension headers
 * @sk: socket, locked
 *
 * The kernel keeps icsk_ext_hdr_len of sockets with IS_ICSK, which ours are not.
 *
 * Return: what each packet of @sk needs of the path MTU beside the fixed header
 */
int dccp_carried_ext_hdr_len(struct sock *sk)
{
	const struct ipv6_txoptions *opt6;
	const struct ip_options_rcu *opt;
	int len;

	rcu_read_lock();
	if (inet_csk(sk)->icsk_af_ops->net_header_len == sizeof(struct iphdr)) {
		opt = rcu_dereference(inet_sk(sk)->inet_opt);
		len = opt ? opt->opt.optlen : 0;
	} else {
		opt6 = rcu_dereference(inet6_sk(sk)->opt);
		len = opt6 ? opt6->opt_flen + opt6->opt_nflen : 0;
	}
	rcu_read_unlock();
	return len;
}

/* An option may have changed the room that is left for data. */
static void update_mps(struct sock *sk)
{
	lock_sock(sk);
	if (!((1 << sk->sk_state) & (TCPF_CLOSE | TCPF_LISTEN | TCPF_TIME_WAIT)))
		dccp_sync_mss(sk, inet_csk(sk)->icsk_pmtu_cookie);
	release_sock(sk);
}

/**
 * dccp_carried_ip_setsockopt - ip_setsockopt() for sockets without IS_ICSK
 * @sk: socket, not locked
 * @level: SOL_IP, or the error of ip_setsockopt()
 * @optname: as of setsockopt()
 * @optval: as of setsockopt()
 * @optlen: as of setsockopt()
 *
 * ip_setsockopt() would change the kernel's struct inet_connection_sock, had the
 * socket IS_ICSK. What it does or refuses for such sockets is done here.
 *
 * Return: 0, or a negative error
 */
int dccp_carried_ip_setsockopt(struct sock *sk, int level, int optname,
			       sockptr_t optval, unsigned int optlen)
{
	int err;

	if (level == SOL_IP &&
	    (optname == IP_ADD_MEMBERSHIP || optname == IP_DROP_MEMBERSHIP))
		return -EPROTO;
	err = ip_setsockopt(sk, level, optname, optval, optlen);
	if (!err)
		update_mps(sk);
	return err;
}
EXPORT_SYMBOL_GPL(dccp_carried_ip_setsockopt);

/**
 * dccp_carried_ipv6_setsockopt - ipv6_setsockopt() for sockets without IS_ICSK
 * @sk: socket, not locked
 * @level: SOL_IPV6 or SOL_IP, or the error of ipv6_setsockopt()
 * @optname: as of setsockopt()
 * @optval: as of setsockopt()
 * @optlen: as of setsockopt()
 *
 * Return: 0, or a negative error
 */
int dccp_carried_ipv6_setsockopt(struct sock *sk, int level, int optname,
				 sockptr_t optval, unsigned int optlen)
{
	int err;

	if (level == SOL_IP)
		return dccp_carried_ip_setsockopt(sk, level, optname, optval, optlen);
	if (level == SOL_IPV6 &&
	    (optname == IPV6_ADD_MEMBERSHIP || optname == IPV6_DROP_MEMBERSHIP))
		return -EPROTO;
	err = ipv6_setsockopt(sk, level, optname, optval, optlen);
	if (!err)
		update_mps(sk);
	return err;
}
EXPORT_SYMBOL_GPL(dccp_carried_ipv6_setsockopt);
