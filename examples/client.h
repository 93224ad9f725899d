/* SPDX-License-Identifier: GPL-2.0-only */
/* What the examples that send have in common: to connect, and to hear of the end. */
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <linux/dccp.h>
#include <linux/dccp_ccid.h>

#ifndef SOL_DCCP
#define SOL_DCCP	269
#endif

#define CONNECT_SECONDS	10

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void set(int fd, int option, const void *value, socklen_t len,
		const char *what)
{
	if (setsockopt(fd, SOL_DCCP, option, value, len))
		fail(what);
}

/* Whether @fd has been connected to this address; otherwise errno says why not. */
static int connect_in_time(int fd, const struct addrinfo *ai)
{
	struct timeval limit = { .tv_sec = CONNECT_SECONDS };

	/* connect() alone would wait for minutes where a firewall drops what it sends. */
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
	return !connect(fd, ai->ai_addr, ai->ai_addrlen);
}

/*
 * A socket that is connected to an address of the host. prepare() sets what is to be set
 * before that.
 */
static int connect_to(const char *host, const char *port, int udp, void (*prepare)(int fd))
{
	struct addrinfo hints = { .ai_socktype = SOCK_DGRAM }, *list, *ai;
	int err, fd, ip = 4;

	err = getaddrinfo(host, port, &hints, &list);
	if (err) {
		fprintf(stderr, "%s: %s\n", host, gai_strerror(err));
		exit(1);
	}
	for (ai = list; ai; ai = ai->ai_next) {
		ip = ai->ai_family == AF_INET6 ? 6 : 4;
		fd = socket(ai->ai_family, SOCK_DCCP, IPPROTO_DCCP);
		if (fd >= 0) {
			prepare(fd);
			if (udp)
				set(fd, DCCP_SOCKOPT_ENCAP_PORT, &udp, sizeof(udp), "UDP port");
			if (connect_in_time(fd, ai)) {
				freeaddrinfo(list);
				return fd;
			}
		}
		err = errno;
		if (fd >= 0)
			close(fd);
	}
	freeaddrinfo(list);
	if (err == EINPROGRESS)
		fprintf(stderr, "%s: no answer in %d s: does a firewall or a NAT drop %s?\n", host,
			CONNECT_SECONDS, udp ? "UDP" : "DCCP (IP protocol 33)");
	else if (err == ESOCKTNOSUPPORT || err == EPROTONOSUPPORT)
		fprintf(stderr, "socket: %s (is dccp_ipv%d loaded?)\n", strerror(err), ip);
	else
		fprintf(stderr, "%s (IPv%d): %s\n", host, ip, strerror(err));
	exit(1);
}

/* Whoever receives may leave at any time. A connection that broke has another errno. */
static void fail_to_send(const char *what)
{
	if (errno != EPIPE)
		fail(what);
	printf("the receiver has closed the connection\n");
	exit(0);
}
