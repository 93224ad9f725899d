// SPDX-License-Identifier: GPL-2.0-only
/*
 * What "ss --dccp" is told.  The kernel's inet_diag knows TCP's tables only, and its
 * inet_sk_diag_fill() reads the kernel's struct inet_connection_sock.
 */
#include <linux/inet_diag.h>
#include <linux/sock_diag.h>
#include <net/inet_connection_sock.h>
#include <net/inet6_hashtables.h>
#include <net/inet_hashtables.h>
#include <net/inet_timewait_sock.h>
#include <net/netlink.h>

#include "dccp.h"

static void put_timer(struct inet_diag_msg *r, int timer, int retrans,
		      const struct timer_list *t)
{
	r->idiag_timer = timer;
	r->idiag_retrans = retrans;
	r->idiag_expires = jiffies_delta_to_msecs(READ_ONCE(t->expires) - jiffies);
}

/* Timers and information of a socket that is neither a request nor in TIME-WAIT */
static int fill_full(struct sock *sk, struct sk_buff *skb, struct inet_diag_msg *r,
		     struct netlink_callback *cb, const struct inet_diag_req_v2 *req,
		     bool net_admin)
{
	const struct inet_connection_sock *icsk = inet_csk(sk);
	int ext = req->idiag_ext;
	struct nlattr *info;

	r->idiag_state = READ_ONCE(sk->sk_state);
	if (inet_diag_msg_attrs_fill(sk, skb, r, ext,
				     sk_user_ns(NETLINK_CB(cb->skb).sk), net_admin))
		return -EMSGSIZE;

	if (ext & 1 << (INET_DIAG_MEMINFO - 1)) {
		struct inet_diag_meminfo mem = {
			.idiag_rmem = sk_rmem_alloc_get(sk),
			.idiag_wmem = READ_ONCE(sk->sk_wmem_queued),
			.idiag_fmem = READ_ONCE(sk->sk_forward_alloc),
			.idiag_tmem = sk_wmem_alloc_get(sk),
		};

		if (nla_put(skb, INET_DIAG_MEMINFO, sizeof(mem), &mem))
			return -EMSGSIZE;
	}
	if (ext & 1 << (INET_DIAG_SKMEMINFO - 1) &&
	    sock_diag_put_meminfo(sk, skb, INET_DIAG_SKMEMINFO))
		return -EMSGSIZE;

	if (READ_ONCE(icsk->icsk_pending) == ICSK_TIME_RETRANS)
		put_timer(r, 1, icsk->icsk_retransmits, &icsk->icsk_retransmit_timer);
	else if (timer_pending(&icsk->icsk_keepalive_timer))
		put_timer(r, 2, icsk->icsk_probes_out, &icsk->icsk_keepalive_timer);

	if (!(ext & 1 << (INET_DIAG_INFO - 1))) {
		dccp_diag_get_info(sk, r, NULL);
		return 0;
	}
	info = nla_reserve_64bit(skb, INET_DIAG_INFO, sizeof(struct tcp_info),
				 INET_DIAG_PAD);
	if (!info)
		return -EMSGSIZE;
	dccp_diag_get_info(sk, r, nla_data(info));
	return dccp_diag_get_aux(sk, net_admin, skb);
}

static int fill(struct sock *sk, struct sk_buff *skb, struct netlink_callback *cb,
		const struct inet_diag_req_v2 *req, int flags, bool net_admin)
{
	struct inet_diag_msg *r;
	struct nlmsghdr *nlh;
	u32 mark;
	int err;

	nlh = nlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			cb->nlh->nlmsg_type, sizeof(*r), flags);
	if (!nlh)
		return -EMSGSIZE;
	r = nlmsg_data(nlh);
	memset(r, 0, sizeof(*r));
	inet_diag_msg_common_fill(r, sk);

	switch (READ_ONCE(sk->sk_state)) {
	case TCP_TIME_WAIT:
		r->idiag_state = READ_ONCE(inet_twsk(sk)->tw_substate);
		put_timer(r, 3, 0, &inet_twsk(sk)->tw_timer);
		mark = inet_twsk(sk)->tw_mark;
		break;
	case TCP_NEW_SYN_RECV:
		r->idiag_state = TCP_SYN_RECV;
		put_timer(r, 1, inet_reqsk(sk)->num_retrans,
			  &inet_reqsk(sk)->rsk_timer);
		mark = inet_rsk(inet_reqsk(sk))->ir_mark;
		break;
	default:
		err = fill_full(sk, skb, r, cb, req, net_admin);
		goto out;
	}
	err = net_admin ? nla_put_u32(skb, INET_DIAG_MARK, mark) : 0;
out:
	if (!err)
		nlmsg_end(skb, nlh);
	else
		nlmsg_cancel(skb, nlh);
	return err;
}

static bool wanted(struct sock *sk, const struct inet_diag_req_v2 *r)
{
	int state = sk->sk_state;

	if (state == TCP_TIME_WAIT)
		state = READ_ONCE(inet_twsk(sk)->tw_substate);
	else if (state == TCP_NEW_SYN_RECV)
		state = TCP_SYN_RECV;
	else if (state == TCP_CLOSE)
		state = TCP_BOUND_INACTIVE;
	return r->idiag_states & 1 << state &&
	       (r->sdiag_family == AF_UNSPEC || r->sdiag_family == sk->sk_family) &&
	       (!r->id.idiag_sport || r->id.idiag_sport == htons(sk->sk_num)) &&
	       (!r->id.idiag_dport || r->id.idiag_dport == sk->sk_dport);
}

/*
 * A dump goes through three tables, and is interrupted when a message is full:
 * cb->args[] are the table, the bucket in it and the position in the bucket.
 */
enum { LISTENING, BOUND, OTHERS, TABLES };

static unsigned int buckets(const struct inet_hashinfo *h, int table)
{
	switch (table) {
	case LISTENING:
		return h->lhash2_mask + 1;
	case BOUND:
		return h->bhash_size;
	default:
		return h->ehash_mask + 1;
	}
}

/* Some sockets of a bucket, with a reference to each: they are asked without its lock */
struct some {
	const struct inet_diag_req_v2 *req;
	const struct inet_diag_dump_data *data;
	const struct net *net;
	int from;		/* skip so many, which have been asked */
	int pos;		/* of the next one */
	int n;
	int at[16];
	struct sock *sk[16];
};

/* Return true if there is no room for another one. */
static bool take(struct some *some, struct sock *sk)
{
	int at = some->pos++;

	if (at < some->from || !net_eq(sock_net(sk), some->net) ||
	    !wanted(sk, some->req) || !inet_diag_bc_sk(some->data, sk) ||
	    !refcount_inc_not_zero(&sk->sk_refcnt))
		return false;
	some->at[some->n] = at;
	some->sk[some->n++] = sk;
	return some->n == ARRAY_SIZE(some->sk);
}

static void take_bucket(struct some *some, struct inet_hashinfo *h, int table, int i)
{
	struct hlist_nulls_node *node;
	struct inet_bind2_bucket *tb;
	struct sock *sk;

	some->pos = 0;
	some->n = 0;
	switch (table) {
	case LISTENING:
		spin_lock(&h->lhash2[i].lock);
		sk_nulls_for_each(sk, node, &h->lhash2[i].nulls_head)
			if (take(some, sk))
				break;
		spin_unlock(&h->lhash2[i].lock);
		break;
	case BOUND:
		spin_lock_bh(&h->bhash2[i].lock);
		inet_bind_bucket_for_each(tb, &h->bhash2[i].chain)
			sk_for_each_bound(sk, &tb->owners)
				if (sk->sk_state == TCP_CLOSE && take(some, sk))
					goto full;
full:
		spin_unlock_bh(&h->bhash2[i].lock);
		break;
	default:
		spin_lock_bh(inet_ehash_lockp(h, i));
		sk_nulls_for_each(sk, node, &h->ehash[i].chain)
			if (take(some, sk))
				break;
		spin_unlock_bh(inet_ehash_lockp(h, i));
	}
}

/* Return the position of the first one that found no room, or -1. */
static int fill_some(struct some *some, struct sk_buff *skb, struct netlink_callback *cb,
		     bool net_admin)
{
	int i, stopped = -1;

	for (i = 0; i < some->n; i++) {
		if (stopped < 0 && fill(some->sk[i], skb, cb, some->req, NLM_F_MULTI,
					net_admin))
			stopped = some->at[i];
		sock_gen_put(some->sk[i]);
	}
	return stopped;
}

void inet_diag_dump_icsk(struct inet_hashinfo *h, struct sk_buff *skb,
			 struct netlink_callback *cb, const struct inet_diag_req_v2 *r)
{
	bool net_admin = netlink_net_capable(cb->skb, CAP_NET_ADMIN);
	struct some some = { .req = r, .data = cb->data, .net = sock_net(skb->sk) };
	static const u32 states[TABLES] = {
		[LISTENING] = TCPF_LISTEN,
		[BOUND] = TCPF_BOUND_INACTIVE,
		[OTHERS] = ~(u32)(TCPF_LISTEN | TCPF_BOUND_INACTIVE),
	};
	int stopped;

	for (; cb->args[0] < TABLES; cb->args[0]++, cb->args[1] = 0) {
		if (!(r->idiag_states & states[cb->args[0]]))
			continue;
		for (; cb->args[1] < buckets(h, cb->args[0]); cb->args[1]++) {
			do {
				some.from = cb->args[2];
				take_bucket(&some, h, cb->args[0], cb->args[1]);
				stopped = fill_some(&some, skb, cb, net_admin);
				if (stopped >= 0) {
					cb->args[2] = stopped;
					return;
				}
				cb->args[2] = some.pos;
			} while (some.n == ARRAY_SIZE(some.sk));
			cb->args[2] = 0;
			cond_resched();
		}
	}
}

static struct sock *find(struct net *net, struct inet_hashinfo *h,
			 const struct inet_diag_req_v2 *req)
{
	const struct in6_addr *src6 = (const struct in6_addr *)req->id.idiag_src;
	const struct in6_addr *dst6 = (const struct in6_addr *)req->id.idiag_dst;
	const __be32 *src = req->id.idiag_src, *dst = req->id.idiag_dst;

	if (req->sdiag_family == AF_INET6 && ipv6_addr_v4mapped(src6) &&
	    ipv6_addr_v4mapped(dst6)) {
		src += 3;
		dst += 3;
	} else if (req->sdiag_family == AF_INET6) {
		return inet6_lookup(net, h, NULL, 0, dst6, req->id.idiag_dport,
				    src6, req->id.idiag_sport, req->id.idiag_if);
	} else if (req->sdiag_family != AF_INET) {
		return ERR_PTR(-EINVAL);
	}
	return inet_lookup(net, h, NULL, 0, *dst, req->id.idiag_dport, *src,
			   req->id.idiag_sport, req->id.idiag_if);
}

struct sock *inet_diag_find_one_icsk(struct net *net, struct inet_hashinfo *h,
				     const struct inet_diag_req_v2 *req)
{
	struct sock *sk;

	scoped_guard(rcu)
		sk = find(net, h, req);
	if (IS_ERR(sk) || (sk && !sock_diag_check_cookie(sk, req->id.idiag_cookie)))
		return sk;
	if (sk)
		sock_gen_put(sk);	/* its number is that of another one */
	return ERR_PTR(-ENOENT);
}

int inet_diag_dump_one_icsk(struct inet_hashinfo *h, struct netlink_callback *cb,
			    const struct inet_diag_req_v2 *req)
{
	bool net_admin = netlink_net_capable(cb->skb, CAP_NET_ADMIN);
	struct net *net = sock_net(cb->skb->sk);
	struct sock *sk = inet_diag_find_one_icsk(net, h, req);
	struct sk_buff *reply;
	int err = -ENOMEM;

	if (IS_ERR(sk))
		return PTR_ERR(sk);

	reply = nlmsg_new(NLMSG_GOODSIZE, GFP_KERNEL);
	if (!reply)
		goto out;
	err = fill(sk, reply, cb, req, 0, net_admin);
	if (err)
		nlmsg_free(reply);
	else
		err = nlmsg_unicast(net->diag_nlsk, reply, NETLINK_CB(cb->skb).portid);
out:
	sock_gen_put(sk);
	return err;
}
