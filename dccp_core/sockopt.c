// SPDX-License-Identifier: GPL-2.0-only
/*
 * Options of the socket layer and of IP that would be accepted and have no effect
 *
 * A program that asks for something is told if it cannot have it. What DCCP does anyway may
 * be asked for: that an option be off, or a low-water mark of one packet.
 */
#include <linux/in.h>
#include <linux/net_tstamp.h>
#include <net/inet_common.h>

#include "dccp.h"
#include "sockopt.h"
#include "udp.h"

/**
 * dccp_accept - accept() for DCCP
 * @sock: listening socket
 * @newsock: the socket of the application for the connection
 * @arg: as inet_accept() has it
 *
 * Return: as inet_accept()
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 10, 0)
int dccp_accept(struct socket *sock, struct socket *newsock, struct proto_accept_arg *arg)
{
	int rc = inet_accept(sock, newsock, arg);
#else
int dccp_accept(struct socket *sock, struct socket *newsock, int flags, bool kern)
{
	int rc = inet_accept(sock, newsock, flags, kern);
#endif

	if (!rc) {
		dccp_own_received(newsock->sk);
		dccp_sockopt_init(newsock);
	}
	return rc;
}
EXPORT_SYMBOL_GPL(dccp_accept);

/**
 * dccp_set_rcvlowat - Set SO_RCVLOWAT
 * @sk: socket
 * @val: bytes; 0 is the same as 1
 *
 * Packets are read one at a time, so there is nothing to wait for once one is there.
 *
 * Return: 0, or %-EOPNOTSUPP if it is more than a byte
 */
int dccp_set_rcvlowat(struct sock *sk, int val)
{
	return val > 1 ? -EOPNOTSUPP : 0;
}
EXPORT_SYMBOL_GPL(dccp_set_rcvlowat);

/**
 * dccp_sockopt_refused - Whether an option would have no effect
 * @sk: socket
 * @level: level of the option, not %SOL_DCCP
 * @optname: the option
 * @optval: its value, which is checked where the option is set
 * @optlen: length of the value
 *
 * Return: whether it must be refused by %-EOPNOTSUPP
 */
bool dccp_sockopt_refused(struct sock *sk, int level, int optname, sockptr_t optval,
			  unsigned int optlen)
{
	int val;

	/* packets over UDP have none (udp.c) */
	if (level == SOL_IP && optname == IP_OPTIONS)
		return optlen && dccp_udp(sk);
	if (level != SOL_SOCKET)
		return false;
	if (optname == SO_TXTIME)
		return true;
	if (optlen < sizeof(val) || copy_from_sockptr(&val, optval, sizeof(val)))
		return false;
	switch (optname) {
	case SO_BROADCAST:
	case SO_NO_CHECK:
	case SO_OOBINLINE:
	/* nothing asks a device for packets while a program waits */
	case SO_BUSY_POLL:
	case SO_PREFER_BUSY_POLL:
	case SO_BUSY_POLL_BUDGET:
		return val;
	case SO_TIMESTAMPING_OLD:
	case SO_TIMESTAMPING_NEW:
		/* no report that the peer has data: only CCIDs know what arrived */
		return val & SOF_TIMESTAMPING_TX_ACK;
	}
	return false;
}
