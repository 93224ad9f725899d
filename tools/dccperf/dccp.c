// SPDX-License-Identifier: GPL-2.0-only
/* DCCP sockets: their options and their state. */
#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <linux/dccp.h>
#include <linux/dccp_ccid.h>

#include "dccp.h"
#include "log.h"
#include "schemes.h"

#define DCCPERF_SERVICE	0x50455246	/* "PERF", RFC 5595 */

#ifndef IPPROTO_DCCP
#define IPPROTO_DCCP	33
#endif
#define TYPE_DCCP	6		/* SOCK_DCCP, not in every libc */

/* Bytes of struct dccp_ccid_tx_info that CCID 3 fills in, too */
#define TX_INFO_CCID3	offsetof(struct dccp_ccid_tx_info, ccid)

static const struct {
	const char	*name;
	int		ccid;
	const char	*module;
} ccids[] = {
	{ "ccid2",	DCCPC_CCID2,	"dccp" },
	{ "ccid3",	DCCPC_CCID3,	"dccp" },
	{ "marc",	DCCPC_MARC,	"ccid_marc" },
	{ "raar",	DCCPC_RAAR,	"ccid_raar" },
	{ "ltfrc",	DCCPC_LTFRC,	"ccid_ltfrc" },
	{ "dvrc",	DCCPC_DVRC,	"ccid_dvrc" },
	{ "ctfaf",	DCCPC_CTFAF,	"ccid_ctfaf" },
};

const char *ccid_name(int ccid, char *buf, size_t n)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ccids); i++) {
		if (ccids[i].ccid == ccid) {
			snprintf(buf, n, "%s (%d)", ccids[i].name, ccid);
			return buf;
		}
	}
	snprintf(buf, n, "CCID %d", ccid);
	return buf;
}

static int parse_ccid(const char *s)
{
	char *end;
	long v;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ccids); i++)
		if (!strcasecmp(ccids[i].name, s))
			return ccids[i].ccid;
	v = strtol(s, &end, 10);
	return end != s && !*end && v >= 0 && v <= 255 ? v : -1;
}

/* Parse a list by preference, such as "marc,ccid3,2". */
int ccid_parse_list(const char *arg, struct ccid_list *l)
{
	char copy[128], *s, *save = NULL;

	if ((size_t)snprintf(copy, sizeof(copy), "%s", arg) >= sizeof(copy))
		return -1;
	l->n = 0;
	for (s = strtok_r(copy, ",", &save); s; s = strtok_r(NULL, ",", &save)) {
		int ccid = parse_ccid(s);

		if (ccid < 0 || l->n == MAX_CCIDS)
			return -1;
		l->ccid[l->n++] = ccid;
	}
	return l->n ? 0 : -1;
}

int dccp_get_int(int fd, int opt)
{
	int v = -1;
	socklen_t len = sizeof(v);

	if (getsockopt(fd, SOL_DCCP, opt, &v, &len))
		return -1;
	return v;
}

static void available(char *buf, size_t n)
{
	FILE *f = fopen("/proc/sys/net/dccp/available_ccids", "r");
	u8 list[255];
	socklen_t len = sizeof(list);
	size_t used = 0, i;
	int fd;

	*buf = '\0';
	if (f) {
		if (fgets(buf, n, f))
			buf[strcspn(buf, "\n")] = '\0';
		fclose(f);
		return;
	}
	/* A kernel with a fixed set of CCIDs. */
	fd = socket(AF_INET, TYPE_DCCP | SOCK_CLOEXEC, IPPROTO_DCCP);
	if (fd >= 0 && !getsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_AVAILABLE_CCIDS,
				   list, &len))
		for (i = 0; i < len && used < n; i++)
			used += snprintf(buf + used, n - used, "%s%d",
					 i ? " " : "", list[i]);
	if (fd >= 0)
		close(fd);
}

static void set_ccids(int fd, int opt, const struct ccid_list *l)
{
	const char *module = NULL;
	char name[32], have[200];
	int i;
	size_t k;

	if (!l->n || !setsockopt(fd, SOL_DCCP, opt, l->ccid, l->n))
		return;
	/* Find out which CCID it is: try each one alone, on a socket of its own. */
	for (i = 0; i < l->n; i++) {
		int probe = socket(AF_INET, TYPE_DCCP | SOCK_CLOEXEC,
				   IPPROTO_DCCP);
		int bad = probe >= 0 && setsockopt(probe, SOL_DCCP, opt,
						   &l->ccid[i], 1);

		if (probe >= 0)
			close(probe);
		if (bad)
			break;
	}
	if (i == l->n)
		die("cannot set the list of CCIDs: %s", strerror(errno));
	if (errno == EPERM)
		die("%s is not allowed to users: net.dccp.allowed_ccids says which CCIDs are",
		    ccid_name(l->ccid[i], name, sizeof(name)));
	for (k = 0; k < ARRAY_SIZE(ccids); k++)
		if (ccids[k].ccid == l->ccid[i])
			module = ccids[k].module;
	available(have, sizeof(have));
	die("%s is not available on this host (%s); available: %s%s%s",
	    ccid_name(l->ccid[i], name, sizeof(name)), strerror(errno),
	    *have ? have : "unknown", module ? "; as root, modprobe " : "",
	    module ? module : "");
}

/*
 * A socket with all options that must be set before connect() or listen(). On a host
 * without IPv6 returns -1 for an IPv6 socket, or ends the program if the user wants
 * @only IPv6.
 */
int dccp_open(int family, bool only, const struct ccid_list *tx,
	      const struct ccid_list *rx)
{
	u32 service = htonl(DCCPERF_SERVICE);
	int fd = socket(family, TYPE_DCCP | SOCK_NONBLOCK | SOCK_CLOEXEC,
			IPPROTO_DCCP);
	int on = 1;

	if (fd < 0) {
		if (errno == EAFNOSUPPORT && family == AF_INET6)
			return -1;
		if (errno == ESOCKTNOSUPPORT || errno == EPROTONOSUPPORT) {
			if (family == AF_INET6 && !only)
				return -1;
			die("DCCP is not available over IPv%d (%s): as root, modprobe dccp_ipv%d",
			    family == AF_INET6 ? 6 : 4, strerror(errno),
			    family == AF_INET6 ? 6 : 4);
		}
		die("cannot open a DCCP socket: %s", strerror(errno));
	}
	/* For a receiver whose peer is gone. Connections of a listener inherit it. */
	setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
	if (setsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_SERVICE, &service,
		       sizeof(service)))
		die("cannot set the service code: %s", strerror(errno));
	set_ccids(fd, DCCP_SOCKOPT_TX_CCID, tx);
	set_ccids(fd, DCCP_SOCKOPT_RX_CCID, rx);
	return fd;
}

/* Have a client's connection go over UDP, to this port of the server. */
void dccp_set_udp(int fd, int port)
{
	if (setsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_ENCAP_PORT, &port, sizeof(port)))
		die("this host has no DCCP over UDP: %s", strerror(errno));
}

/* The UDP port at which this host receives. The program ends if it is not @want, or if it is 0. */
int dccp_udp_port(int want)
{
	FILE *f = fopen("/proc/sys/net/dccp/udp_port", "re");
	int now = 0;

	if (!f)
		die("this host has no DCCP over UDP: %s", strerror(errno));
	if (fscanf(f, "%d", &now) != 1)
		now = 0;
	fclose(f);
	if (!now || (want != UDP_OF_SYSCTL && now != want))
		die("net.dccp.udp_port is %d here: as root, sysctl net.dccp.udp_port=%d",
		    now, want == UDP_OF_SYSCTL ? REGISTERED_UDP : want);
	return now;
}

/* Set the parameters of the test at this end; the kernel checks them. */
void dccp_set_test(int fd, const struct test *t, bool sending)
{
	if (sending && t->qlen != UNSET) {
		int qlen = t->qlen;

		if (setsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_QPOLICY_TXQLEN, &qlen,
			       sizeof(qlen)))
			die("cannot set the transmit queue to %d packets: %s",
			    qlen, strerror(errno));
	}
	if (sending && *t->layers) {
		int policy = DCCPQ_POLICY_PRIO;

		if (setsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_QPOLICY_ID, &policy,
			       sizeof(policy)))
			die("cannot send layers in the order of their priority: %s",
			    strerror(errno));
	}
	scheme_set(fd, t, sending);
}

/*
 * The members of CCID 3 have 32 bits and saturate. The 64-bit ones follow them. A kernel
 * that is older than dccperf may return less, and the rest stays 0.
 */
void dccp_tx_info(int fd, struct tx_info *info)
{
	struct dccp_ccid_tx_info k = { 0 };
	socklen_t len = sizeof(k);
	const struct field *f;

	for (f = sender_interval_fields; f->name; f++)
		if (f->offset >= offsetof(struct interval, info))
			*(double *)((char *)info + f->offset -
				    offsetof(struct interval, info)) = NAN;
	if (getsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_CCID_TX_INFO, &k, &len) ||
	    len < TX_INFO_CCID3)
		return;
	info->x = k.tfrctx_x * 8.0 / 64;
	info->x_recv = k.tfrctx_x_recv * 8.0 / 64;
	info->x_calc = k.tfrctx_x_calc * 8.0;
	info->p = k.tfrctx_p / 1e6;
	info->rtt_ms = k.tfrctx_rtt / 1e3;
	if (!k.ccid)
		return;
	info->x = k.x * 8.0;
	info->x_inst = k.x_inst * 8.0;
	info->x_recv = k.x_recv * 8.0;
	info->x_calc = k.x_calc * 8.0;
	info->x_send = k.x_send * 8.0;
	info->p = k.p_ppb / 1e9;
	info->rtt_ms = k.rtt_ns / 1e6;
	scheme_info(&k, info);
}

void dccp_rx_info(int fd, struct rx_info *info)
{
	struct dccp_ccid_rx_info k = { 0 };
	socklen_t len = sizeof(k);

	*info = (struct rx_info){
		NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN,
	};
	if (getsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_CCID_RX_INFO, &k, &len) ||
	    !k.ccid)
		return;
	info->loss_events = k.loss_events;
	info->feedbacks = k.feedbacks;
	info->lost = k.packets_lost;
	if (k.ccid != DCCPC_DVRC)
		return;
	info->r = k.dvrc.rate * 8.0;
	info->k = k.dvrc.k;
	info->mean = k.dvrc.mean * 8.0;
	info->deviation = k.dvrc.deviation * 8.0;
	info->receiving = k.dvrc.receiving * 8.0;
	info->random = k.dvrc.random;
	info->congestion = k.dvrc.congestion;
	info->timeouts = k.dvrc.timeouts;
}

/*
 * Check that the negotiated CCID is one that this end asked for. A kernel that supports
 * lists never negotiates another one. With an older kernel the test would measure the
 * wrong CCID.
 */
void dccp_check_ccid(const char *whose, const char *server_knob,
		     const struct ccid_list *want, int got)
{
	char a[32], b[32];
	int i;

	if (!want->n || want->ccid[0] == got)
		return;
	for (i = 1; i < want->n && want->ccid[i] != got; i++)
		;
	ccid_name(want->ccid[0], a, sizeof(a));
	ccid_name(got, b, sizeof(b));
	if (i == want->n)
		die("%s: asked for %s, got %s: in DCCP the server's preference wins; set net.dccp.default.%s=%d on the server or run dccperf -s -C %d there",
		    whose, a, b, server_knob, want->ccid[0], want->ccid[0]);
	warn("%s: prefers %s, the server chose %s: in DCCP the server's preference wins; set net.dccp.default.%s=%d on the server or run dccperf -s -C %d there",
		    whose, a, b, server_knob, want->ccid[0], want->ccid[0]);
}

const char *addr_text(const struct sockaddr_storage *ss, char *buf, size_t n)
{
	char host[64], port[16];
	socklen_t len = ss->ss_family == AF_INET6 ?
			sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);

	if (getnameinfo((const struct sockaddr *)ss, len, host, sizeof(host),
			port, sizeof(port), NI_NUMERICHOST | NI_NUMERICSERV))
		snprintf(buf, n, "?");
	else
		snprintf(buf, n, "%s port %s", host, port);
	return buf;
}

u16 addr_port(const struct sockaddr_storage *ss)
{
	if (ss->ss_family == AF_INET6)
		return ntohs(((const struct sockaddr_in6 *)ss)->sin6_port);
	return ntohs(((const struct sockaddr_in *)ss)->sin_port);
}

bool addr_same_host(const struct sockaddr_storage *a,
		    const struct sockaddr_storage *b)
{
	if (a->ss_family != b->ss_family)
		return false;
	if (a->ss_family == AF_INET6)
		return !memcmp(&((const struct sockaddr_in6 *)a)->sin6_addr,
			       &((const struct sockaddr_in6 *)b)->sin6_addr,
			       sizeof(struct in6_addr));
	return ((const struct sockaddr_in *)a)->sin_addr.s_addr ==
	       ((const struct sockaddr_in *)b)->sin_addr.s_addr;
}
