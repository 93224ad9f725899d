// SPDX-License-Identifier: GPL-2.0-only
/*
 * Peers that say nothing
 *
 * A connection is open as long as both ends think so. An end that hears nothing asks by
 * a Sync, which DCCP allows at any time, and which a peer must answer by a SyncAck
 * (RFC 4340, 7.5.4 and 8.5). If no answer comes it asks again, and in the end gives up:
 * it sends a Reset with Code 2, "Aborted", which is the code for a lack of progress (5.6),
 * and the application finds ETIMEDOUT. Any valid packet is an answer.
 *
 * There are two reasons to ask:
 *
 * SO_KEEPALIVE
 *	Nothing was heard for net.ipv4.tcp_keepalive_time. The times and the number of
 *	probes are those that TCP has in the network namespace: who has set them has said
 *	after which time a host counts as gone, which is no matter of the protocol.
 * data
 *	Data was sent and nothing was heard since. Data is not sent again, so it may be
 *	lost, and that no answer comes proves nothing. The end gives up when it would give
 *	up a Close that is not answered, which is a matter of net.dccp.default.retries2.
 *	A Sync that keeps the mapping of a NAT counts as data.
 *
 * One timer serves these, and the mapping of a NAT, which a client over UDP keeps by
 * Syncs, too (udp.c). A packet does not start the timer if it runs: when the timer
 * expires, it looks at what has happened in the meantime.
 */
#include <linux/log2.h>
#include <linux/math.h>
#include <linux/timer.h>

#include "dccp.h"
#include "keepalive.h"
#include "udp.h"

/* Nothing is due. */
#define DCCP_NEVER	MAX_JIFFY_OFFSET

/* The owner of a socket releases it soon. */
#define DCCP_RETRY	(HZ / 20)

/**
 * struct dccp_probe_limits - When to ask, and when to give up
 * @idle: from the last packet to the first probe, in jiffies, not 0
 * @interval: from a probe to the next, and to the end, in jiffies, not 0
 * @probes: how many
 */
struct dccp_probe_limits {
	unsigned long	idle;
	unsigned long	interval;
	unsigned int	probes;
};

/* The sysctls take any number: not more than a probe in a second, and not never */
static unsigned long dccp_keepalive_time(int time)
{
	return clamp_t(long, time, HZ, DCCP_NEVER / 2);
}

static struct dccp_probe_limits dccp_keepalive_limits(const struct sock *sk)
{
	const struct netns_ipv4 *ipv4 = &sock_net(sk)->ipv4;

	return (struct dccp_probe_limits) {
		.idle	  = dccp_keepalive_time(READ_ONCE(ipv4->sysctl_tcp_keepalive_time)),
		.interval = dccp_keepalive_time(READ_ONCE(ipv4->sysctl_tcp_keepalive_intvl)),
		.probes	  = READ_ONCE(ipv4->sysctl_tcp_keepalive_probes),
	};
}

/*
 * The time for which a Close is repeated: intervals that are doubled up to DCCP_RTO_MAX.
 * Divided into equal parts, none longer than that: RFC 5348 sends a packet in 64 s to a
 * path that may come back, and so does this.
 */
static struct dccp_probe_limits dccp_data_limits(const struct sock *sk)
{
	const unsigned int doubled = ilog2(DCCP_RTO_MAX / DCCP_TIMEOUT_INIT),
			   retries = READ_ONCE(dccp_sysctl(sk)->retries2),
			   first = min(retries, doubled);
	const unsigned long total = DCCP_TIMEOUT_INIT * ((2UL << first) - 1) +
				    (unsigned long)DCCP_RTO_MAX * (retries - first);
	const unsigned int parts = max(4UL, DIV_ROUND_UP(total, DCCP_RTO_MAX));

	return (struct dccp_probe_limits) {
		.idle	  = total / parts,
		.interval = total / parts,
		.probes	  = parts - 1,
	};
}

/*
 * Returns how many jiffies to wait, 0 to ask now, or a negative number to give up. The
 * interval begins when the probe was sent, not when it was due: this host may have been
 * busy.
 */
static long dccp_probe_due(struct dccp_idle_time *idle, struct dccp_probe_limits limits)
{
	const unsigned long now = jiffies;
	long left;

	if (!time_after(idle->probed, idle->since))
		idle->probes = 0;
	left = idle->probes ? idle->probed + limits.interval - now
			    : idle->since + limits.idle - now;
	if (left > 0)
		return left;
	if (idle->probes >= limits.probes)
		return -1;
	idle->probes++;
	idle->probed = now;
	return 0;
}

/* inet_csk_reset_keepalive_timer(), which is TCP's own since 6.15 */
static void dccp_keepalive_reset(struct sock *sk, unsigned long delay)
{
	sk_reset_timer(sk, &inet_csk(sk)->icsk_keepalive_timer, jiffies + delay);
}

/* Look at what is due now, and when to look again. The socket is locked. */
static void dccp_keepalive(struct sock *sk)
{
	struct dccp_sock *dp = dccp_sk(sk);
	long next = DCCP_NEVER, left;
	bool probe = false;

	if (sock_flag(sk, SOCK_KEEPOPEN)) {
		const struct dccp_probe_limits limits = dccp_keepalive_limits(sk);

		left = dccp_probe_due(&dp->dccps_heard, limits);
		if (left < 0)
			goto gone;
		probe = !left;
		next = left ? : limits.interval;
	}
	if (dp->dccps_asked) {
		const struct dccp_probe_limits limits = dccp_data_limits(sk);

		left = dccp_probe_due(&dp->dccps_unheard, limits);
		if (left < 0)
			goto gone;
		probe |= !left;
		next = min(next, left ? : (long)limits.interval);
	}
	if (dccp_udp_due(sk) <= 0) {
		dccp_keepalive_asked(sk);
		probe = true;
	}
	if (probe)
		dccp_send_sync(sk, dp->dccps_gsr, DCCP_PKT_SYNC);
	next = min(next, dccp_udp_due(sk));
	if (next < DCCP_NEVER)
		dccp_keepalive_reset(sk, max_t(long, next, DCCP_RETRY));
	return;

gone:
	dccp_write_err(sk);
}

/**
 * dccp_keepalive_timer - Ask a peer that says nothing, or give up
 * @t: icsk_keepalive_timer of a socket
 *
 * Context: softirq, with a reference on the socket
 */
void dccp_keepalive_timer(struct timer_list *t)
{
	struct inet_connection_sock *icsk =
		container_of(t, struct inet_connection_sock, icsk_keepalive_timer);
	struct sock *sk = &icsk->icsk_inet.sk;

	bh_lock_sock(sk);
	if (sock_owned_by_user(sk))
		dccp_keepalive_reset(sk, DCCP_RETRY);
	else if (dccp_can_send(sk))
		dccp_keepalive(sk);
	bh_unlock_sock(sk);
	sock_put(sk);
}

/* Let the timer expire after @delay at the latest. */
static void dccp_keepalive_arm(struct sock *sk, long delay)
{
	const struct timer_list *t = &inet_csk(sk)->icsk_keepalive_timer;

	delay = max_t(long, delay, DCCP_RETRY);
	if (!timer_pending(t) || time_after(t->expires, jiffies + delay))
		dccp_keepalive_reset(sk, delay);
}

/**
 * dccp_keepalive_start - A connection begins
 * @sk: socket that becomes PARTOPEN or OPEN, owned or locked
 */
void dccp_keepalive_start(struct sock *sk)
{
	struct dccp_sock *dp = dccp_sk(sk);
	const long due = dccp_udp_due(sk);

	dccp_keepalive_heard(dp);
	/* no probe of an earlier connection is later than this */
	dp->dccps_heard.probed = jiffies;
	dp->dccps_unheard.probed = jiffies;
	if (due < DCCP_NEVER)
		dccp_keepalive_arm(sk, due);
	if (sock_flag(sk, SOCK_KEEPOPEN))
		dccp_keepalive_arm(sk, dccp_keepalive_limits(sk).idle);
}

/**
 * dccp_set_keepalive - Set SO_KEEPALIVE
 * @sk: socket, owned
 * @on: what SOCK_KEEPOPEN becomes after this
 *
 * The timer looks at the flag. So there is nothing to do if the option is set before the
 * connection, or taken back.
 */
void dccp_set_keepalive(struct sock *sk, int on)
{
	if (on && dccp_can_send(sk))
		dccp_keepalive_arm(sk, dccp_keepalive_limits(sk).idle);
}
EXPORT_SYMBOL_GPL(dccp_set_keepalive);

/**
 * __dccp_keepalive_asked - dccp_keepalive_asked() for the first packet
 * @sk: socket, owned or locked
 */
void __dccp_keepalive_asked(struct sock *sk)
{
	struct dccp_sock *dp = dccp_sk(sk);

	dp->dccps_asked = true;
	dp->dccps_unheard.since = jiffies;
	dccp_keepalive_arm(sk, dccp_data_limits(sk).idle);
}
