/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _DCCP_SOCKOPT_H
#define _DCCP_SOCKOPT_H
/*
 * Options of the socket layer and of IP without effect: functions that the rest of the core
 * calls. See sockopt.c.
 */
#include <linux/net.h>
#include <linux/sockptr.h>
#include <linux/version.h>
#include <net/sock.h>

/* the arguments have changed in 6.10 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 10, 0)
int dccp_accept(struct socket *sock, struct socket *newsock, int flags, bool kern);
#else
int dccp_accept(struct socket *sock, struct socket *newsock,
		struct proto_accept_arg *arg);
#endif

int dccp_set_rcvlowat(struct sock *sk, int val);
bool dccp_sockopt_refused(struct sock *sk, int level, int optname, sockptr_t optval,
			  unsigned int optlen);

/* Let setsockopt() ask dccp_sockopt_refused() about SOL_SOCKET, too; possible since 6.2. */
static inline void dccp_sockopt_init(struct socket *sock)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
	set_bit(SOCK_CUSTOM_SOCKOPT, &sock->flags);
#endif
}

#endif /* _DCCP_SOCKOPT_H */
