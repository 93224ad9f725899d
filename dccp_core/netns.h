/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _DCCP_NETNS_H
#define _DCCP_NETNS_H
/*
 * The sysctls of DCCP in a network namespace: what the rest of the core reads. See netns.c.
 */
#include <linux/sysctl.h>
#include <linux/types.h>
#include <linux/version.h>
#include <net/netns/generic.h>
#include <net/sock.h>

/* const, and without an empty entry at the end of tables, since 6.11 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 11, 0)
#define DCCP_CTL_CONST
#define DCCP_CTL_END	1
#else
#define DCCP_CTL_CONST	const
#define DCCP_CTL_END	0
#endif

struct ccid_operations;

/**
 * struct dccp_default_ccid - The CCID that new sockets prefer
 * @id: its number
 * @ops: the CCID, whose module is held; NULL if nothing has to be held
 */
struct dccp_default_ccid {
	u8			id;
	struct ccid_operations	*ops;
};

/**
 * struct dccp_net - The sysctls of a network namespace
 * @tx_ccid: preferred CCID for sending data
 * @rx_ccid: preferred CCID for receiving data
 * @allowed_ccids: the CCIDs that users without privilege may ask for; if empty, all
 * @seq_window: initial Sequence Window, in packets
 * @tx_qlen: length of the transmit queue in packets, 0: without limit
 * @request_retries: how often a Request is repeated
 * @retries1: after how many repetitions another route is looked for
 * @retries2: how often another packet is repeated
 * @sync_ratelimit: least time between two Syncs of a connection, in jiffies
 */
struct dccp_net {
	struct dccp_default_ccid	tx_ccid, rx_ccid;
	DECLARE_BITMAP(allowed_ccids, 256);
	unsigned long			seq_window;
	int				tx_qlen;
	int				request_retries;
	int				retries1;
	int				retries2;
	int				sync_ratelimit;
};

extern unsigned int dccp_net_id;
extern int dccp_max_orphans;

static inline struct dccp_net *dccp_net(const struct net *net)
{
	return net_generic(net, dccp_net_id);
}

/* The sysctls for a socket, which may change at any time: use READ_ONCE(). */
static inline const struct dccp_net *dccp_sysctl(const struct sock *sk)
{
	return dccp_net(sock_net(sk));
}

bool dccp_may_ask(const struct sock *sk, const u8 *ccids, u8 len);

int dccp_netns_init(void);
void dccp_netns_exit(void);

#endif /* _DCCP_NETNS_H */
