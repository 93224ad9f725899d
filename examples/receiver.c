// SPDX-License-Identifier: GPL-2.0-only
/*
 * Receives from sender.c or media.py: accepts one connection, and prints each second what
 * came.
 *
 * In the repository "make -C examples" builds it as build/examples/receiver. This takes the
 * header of the package dccp-ccids:
 *
 *	cc -o receiver receiver.c
 *	./receiver [--udp[=PORT]] PORT CCID
 *
 * In DCCP the server's preference wins, so this program decides which CCID is used. It
 * accepts connections with and without UDP: --udp checks that it can (see udp.h).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <linux/dccp.h>
#include <linux/dccp_ccid.h>
#include "udp.h"

#ifndef SOL_DCCP
#define SOL_DCCP	269
#endif

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static int listen_on(int port, uint8_t ccid)
{
	struct sockaddr_in6 any = {
		.sin6_family = AF_INET6, .sin6_port = htons(port),
	};
	uint32_t service = htonl(1885957735);
	uint8_t ccids[] = { ccid, 3, 2 };
	int one = 1, fd;

	fd = socket(AF_INET6, SOCK_DCCP, IPPROTO_DCCP);	/* accepts IPv4, too */
	if (fd < 0)
		fail("socket (is dccp_ipv6 loaded?)");
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (setsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_SERVICE, &service, sizeof(service)))
		fail("service code");
	if (setsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_RX_CCID, ccids, sizeof(ccids)))
		fail("CCID (is its module loaded? only root can load it)");
	if (bind(fd, (struct sockaddr *)&any, sizeof(any)) || listen(fd, 1))
		fail("listen");
	return fd;
}

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000ULL + t.tv_nsec / 1000000;
}

/* p is the loss event rate: the share of packets that begin a loss event, from 0 to 1. */
static void report(int fd, uint64_t bytes, uint64_t ms)
{
	struct dccp_ccid_rx_info info = { };
	socklen_t len = sizeof(info);

	getsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_CCID_RX_INFO, &info, &len);
	printf("%7.1f kbit/s, %llu packets lost, p %.4f\n", bytes * 8.0 / ms,
	       (unsigned long long)info.packets_lost, info.tfrcrx_p * 1e-6);
}

/*
 * At the end recv() returns 0, and so it does for a datagram of length 0. Others may be behind
 * it: the first number of SO_MEMINFO is the memory of what is unread.
 */
static int ended(int fd)
{
	struct pollfd end = { .fd = fd, .events = POLLRDHUP };
	socklen_t len = sizeof(uint32_t);
	uint32_t unread = 0;

	poll(&end, 1, 0);
	getsockopt(fd, SOL_SOCKET, SO_MEMINFO, &unread, &len);
	return end.revents & POLLRDHUP && !unread;
}

/* recv() returns 0 also where the sender has broken the connection off. */
static int broken(int fd)
{
	int err = 0;
	socklen_t len = sizeof(err);

	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &len))
		return 1;
	errno = err;
	return err;
}

int main(int argc, char **argv)
{
	uint64_t sum = 0, total = 0, start, now;
	char packet[65536];
	int listener, fd;
	ssize_t n;

	take_udp(&argc, argv, 1);
	if (argc != 3) {
		fprintf(stderr, "usage: receiver [--udp[=PORT]] PORT CCID\n");
		return 2;
	}
	listener = listen_on(atoi(argv[1]), atoi(argv[2]));
	fd = accept(listener, NULL, NULL);
	if (fd < 0)
		fail("accept");
	close(listener);
	start = now_ms();
	while ((n = recv(fd, packet, sizeof(packet), 0)) > 0 ||
	       (n == 0 && !ended(fd))) {
		sum += n;
		total += n;
		now = now_ms();
		if (now - start >= 1000) {
			report(fd, sum, now - start);
			sum = 0;
			start = now;
		}
	}
	printf("received %llu bytes\n", (unsigned long long)total);
	if (n < 0 || broken(fd))
		fail("the connection is broken");
	close(fd);
	return 0;
}
