/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _DCCP_KEEPALIVE_H
#define _DCCP_KEEPALIVE_H
/*
 * Peers that say nothing: functions that the rest of the core calls. See keepalive.c.
 */
#include <linux/jiffies.h>

#include "dccp.h"

void dccp_keepalive_timer(struct timer_list *t);
void dccp_keepalive_start(struct sock *sk);
void dccp_set_keepalive(struct sock *sk, int on);
void __dccp_keepalive_asked(struct sock *sk);

/* A packet with valid sequence numbers came. */
static inline void dccp_keepalive_heard(struct dccp_sock *dp)
{
	dp->dccps_heard.since = jiffies;
	dp->dccps_asked = false;
}

/* Data was sent: the peer should say something. */
static inline void dccp_keepalive_asked(struct sock *sk)
{
	if (!dccp_sk(sk)->dccps_asked)
		__dccp_keepalive_asked(sk);
}

#endif /* _DCCP_KEEPALIVE_H */
