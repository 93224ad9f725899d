// SPDX-License-Identifier: GPL-2.0-only
/* The client: control connection, handshake, test. */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>
#include <linux/dccp.h>
#include <linux/dccp_ccid.h>

#include "client.h"
#include "log.h"
#include "part.h"
#include "run.h"
#include "wait.h"

static struct addrinfo *lookup(const char *host, const char *port, int family, int flags)
{
	struct addrinfo hints = {
		.ai_family = family, .ai_socktype = SOCK_STREAM,
		.ai_flags = flags,
	};
	struct addrinfo *res;
	int err;

	block_signals(false);		/* a name server may be slow */
	err = getaddrinfo(host, port, &hints, &res);
	block_signals(true);
	if (err)
		die("cannot resolve %s: %s", host, gai_strerror(err));
	return res;
}

/* Wait for a connect() under way; 0 or a negative errno. */
static int connected(int fd, double seconds)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	u64 until = now_ns() + (u64)(seconds * NSEC_PER_SEC);
	struct sockaddr_storage peer;
	socklen_t len = sizeof(int), peer_len = sizeof(peer);
	int ret, err = 0;

	do {
		if (stopping)
			return -EINTR;
		ret = wait_fds(&p, 1, until);
	} while (ret < 0);
	if (!ret)
		return -ETIMEDOUT;
	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &len))
		return -errno;
	/* Some codes of a Reset have no errno, but then there is no peer. */
	if (!err && getpeername(fd, (struct sockaddr *)&peer, &peer_len))
		err = errno == ENOTCONN ? ECONNABORTED : errno;
	return -err;
}

/* To the address of this family that @list has; false if it has none. */
static bool bind_to(int fd, const char *name, const struct addrinfo *list, int family)
{
	for (; list && list->ai_family != family; list = list->ai_next)
		;
	if (list && bind(fd, list->ai_addr, list->ai_addrlen))
		die("cannot bind to %s: %s", name, strerror(errno));
	return list;
}

static int control_connect(const struct options *o,
			   struct sockaddr_storage *server, socklen_t *len)
{
	struct addrinfo *own = NULL, *list, *ai;
	int fd = -1, err = EAFNOSUPPORT;

	if (o->bind)
		own = lookup(o->bind, NULL, o->family, AI_PASSIVE);
	list = lookup(o->host, o->port, o->family, 0);
	for (ai = list; ai; ai = ai->ai_next) {
		fd = socket(ai->ai_family, SOCK_STREAM | SOCK_CLOEXEC |
					   SOCK_NONBLOCK, 0);
		if (fd < 0) {
			err = errno;
			continue;
		}
		if (own && !bind_to(fd, o->bind, own, ai->ai_family)) {
			close(fd);
			continue;
		}
		err = connect(fd, ai->ai_addr, ai->ai_addrlen) ? errno : 0;
		if (err == EINPROGRESS)
			err = -connected(fd, o->connect_timeout);
		if (!err)
			break;
		close(fd);
	}
	if (err == ECONNREFUSED)
		die("%s does not listen on port %s (TCP, the control connection): start dccperf -s there",
		    o->host, o->port);
	if (err)
		die("cannot reach %s port %s (TCP, the control connection): %s",
		    o->host, o->port, strerror(err));
	memcpy(server, ai->ai_addr, ai->ai_addrlen);
	*len = ai->ai_addrlen;
	freeaddrinfo(list);
	if (own)
		freeaddrinfo(own);
	return fd;
}

/* Bind to the address of the TCP connection, by which the server knows the client. */
static void dccp_bind(struct flow *s, const struct sockaddr_storage *server)
{
	struct sockaddr_storage ss;
	socklen_t len = sizeof(ss);

	s->fd = dccp_open(server->ss_family, s->o->family == AF_INET6,
			  &s->o->tx, &s->o->rx);
	if (s->fd < 0)
		die("DCCP is not available over IPv6: as root, modprobe dccp_ipv6");
	if (s->o->udp) {
		int port = dccp_udp_port(UDP_OF_SYSCTL);

		dccp_set_udp(s->fd, s->o->udp == UDP_OF_SYSCTL ? port : s->o->udp);
	}
	dccp_set_test(s->fd, &s->test, s->sending);
	getsockname(s->ctrl.fd, (struct sockaddr *)&ss, &len);
	if (ss.ss_family == AF_INET6)
		((struct sockaddr_in6 *)&ss)->sin6_port = 0;
	else
		((struct sockaddr_in *)&ss)->sin_port = 0;
	if (bind(s->fd, (struct sockaddr *)&ss, len))
		die("cannot bind the DCCP socket: %s", strerror(errno));
	len = sizeof(ss);
	getsockname(s->fd, (struct sockaddr *)&ss, &len);
	s->test.port = addr_port(&ss);
}

/* What carries the packets of a socket: it knows what --udp or net.dccp.encap_port said. */
static const char *carrier(int fd, char *buf, size_t n)
{
	int port = dccp_get_int(fd, DCCP_SOCKOPT_ENCAP_PORT);

	if (port <= 0)
		return "DCCP (protocol 33)";
	snprintf(buf, n, "UDP to port %d", port);
	return buf;
}

static void dccp_connect(struct flow *s, const struct sockaddr_storage *ss,
			 socklen_t len)
{
	const struct options *o = s->o;
	int err = connect(s->fd, (const struct sockaddr *)ss, len) ? errno : 0;
	char buf[32];

	if (err == EINPROGRESS)
		err = -connected(s->fd, o->connect_timeout);
	switch (err) {
	case 0:
		return;
	case ETIMEDOUT:
		die("no answer to the DCCP handshake within %g s: a firewall drops %s, or there is no CCID that both ends offer (some kernels then stay silent); try without -C, or set -C on the server too",
		    o->connect_timeout, carrier(s->fd, buf, sizeof(buf)));
	case ECONNREFUSED:
		die("%s refuses DCCP on port %s, although dccperf answers there on TCP: no DCCP listener, or a firewall between",
		    o->host, o->port);
	case ECONNABORTED:
		die("the server ended the DCCP handshake, and did not say why");
	case ECONNRESET:
	case EPROTO:
	case EILSEQ:		/* what the kernel makes of Option Error */
	case EOPNOTSUPP:	/* and of Mandatory Error */
		die("the DCCP handshake was reset (%s): there is no CCID that both ends offer; in DCCP the server's preference wins: run dccperf -s with a -C list that names one of the client's",
		    strerror(err));
	default:
		die("cannot connect over DCCP: %s", strerror(err));
	}
}

/* Wait for the message @want from the server. Any other message ends the test. */
static char *expect(struct flow *s, const char *want)
{
	struct peer_error e = { "" };
	char *verb, *body;
	int ret = ctrl_wait(&s->ctrl, s->o->connect_timeout, &verb, &body);

	if (ret == 0 && stopping)
		die("stopped by a signal");
	if (ret == 0)
		die("no \"%s\" from the server within %g s", want,
		    s->o->connect_timeout);
	if (ret < 0)
		die("the server closed the control connection (%s); is it dccperf that listens on this port?",
		    strerror(errno));
	if (!strcmp(verb, want))
		return body;
	fields_parse(error_fields, &e, body);
	die("the server says: %s", *e.error ? e.error : verb);
}

int client_run(const struct options *o)
{
	struct flow s = { .o = o, .test = o->test };
	struct sockaddr_storage server = { 0 };
	struct ccids peer = { 0 };
	const char *err;
	socklen_t len;
	int ret;

	s.sending = !o->test.reverse;
	s.test.flow = part_number() ?: 1;
	s.ctrl.fd = control_connect(o, &server, &len);
	ctrl_setup(s.ctrl.fd);
	ctrl_on_die(&s.ctrl);
	dccp_bind(&s, &server);
	s.test.stream = (u32)(now_ns() ^ (u64)getpid() << 16);

	err = ctrl_send(&s.ctrl, "test", test_fields, &s.test);
	if (err)
		die("cannot send the parameters: %s", err);
	expect(&s, "ready");
	dccp_connect(&s, &server, len);
	err = fields_parse(ccids_fields, &peer, expect(&s, "start"));
	if (err)
		die("the server's CCIDs: %s", err);
	s.peer_tx_ccid = peer.tx_ccid;
	s.peer_rx_ccid = peer.rx_ccid;
	flow_negotiated(&s);
	dccp_check_ccid("data to the server", "rx_ccid", &o->tx, s.tx_ccid);
	dccp_check_ccid("data to the client", "tx_ccid", &o->rx, s.rx_ccid);
	ret = flow_run(&s);
	close(s.ctrl.fd);
	return ret;
}
