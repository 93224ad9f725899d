// SPDX-License-Identifier: GPL-2.0-only
/*
 * A layered video over DVRC (CCID 251): 25 frames a second in four layers. DVRC's
 * receiver decides how many of them are sent. receiver.c receives it.
 *
 *	cc -o layers layers.c
 *	./layers [--udp[=PORT]] HOST PORT SECONDS
 *
 * --udp is explained in udp.h.
 */
#include <errno.h>
#include <netdb.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <linux/dccp.h>
#include <linux/dccp_ccid.h>
#include "udp.h"

#ifndef SOL_DCCP
#define SOL_DCCP	269
#endif

#define FRAMES		25
#define LAYERS		4
#define PACKET		1000
#define CONNECT_SECONDS	10

/* Cumulative rates of layer 1, layers 1 and 2, and so on, in bytes/s */
static const uint32_t rates[LAYERS] = { 15000, 30000, 60000, 120000 };

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

/* A socket that is connected to this address, or -1 */
static int try_address(const struct addrinfo *ai, int udp)
{
	struct timeval limit = { .tv_sec = CONNECT_SECONDS };
	uint32_t service = htonl(1885957735);
	int policy = DCCPQ_POLICY_PRIO, qlen = 50, fd;
	uint8_t ccid = DCCPC_DVRC;

	fd = socket(ai->ai_family, SOCK_DCCP, IPPROTO_DCCP);
	if (fd < 0)
		return -1;
	set(fd, DCCP_SOCKOPT_SERVICE, &service, sizeof(service), "service code");
	set(fd, DCCP_SOCKOPT_TX_CCID, &ccid, 1,
	    "CCID (is its module loaded? only root can load it)");
	/* All of this is set before connect(), so the receiver knows the layers from the start. */
	set(fd, DCCP_SOCKOPT_QPOLICY_ID, &policy, sizeof(policy), "priorities");
	set(fd, DCCP_SOCKOPT_QPOLICY_TXQLEN, &qlen, sizeof(qlen), "queue");
	set(fd, DCCP_SOCKOPT_DVRC_TX_LAYERS, rates, sizeof(rates), "layers");
	if (udp)
		set(fd, DCCP_SOCKOPT_ENCAP_PORT, &udp, sizeof(udp), "UDP port");
	/* connect() alone would wait for minutes where a firewall drops what it sends. */
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
	if (!connect(fd, ai->ai_addr, ai->ai_addrlen))
		return fd;
	close(fd);
	return -1;
}

static int connect_to(const char *host, const char *port, int udp)
{
	struct addrinfo hints = { .ai_socktype = SOCK_DGRAM }, *list, *ai;
	int err, fd = -1, ip = 4;

	err = getaddrinfo(host, port, &hints, &list);
	if (err) {
		fprintf(stderr, "%s: %s\n", host, gai_strerror(err));
		exit(1);
	}
	for (ai = list; ai && fd < 0; ai = ai->ai_next) {
		ip = ai->ai_family == AF_INET6 ? 6 : 4;
		fd = try_address(ai, udp);
		err = errno;
	}
	freeaddrinfo(list);
	if (fd >= 0)
		return fd;
	if (err == EINPROGRESS)
		fprintf(stderr, "%s: no answer in %d s: does a firewall or a NAT drop %s?\n", host,
			CONNECT_SECONDS, udp ? "UDP" : "DCCP (IP protocol 33)");
	else if (err == ESOCKTNOSUPPORT || err == EPROTONOSUPPORT)
		fprintf(stderr, "socket: %s (is dccp_ipv%d loaded?)\n", strerror(err), ip);
	else
		fprintf(stderr, "%s (IPv%d): %s\n", host, ip, strerror(err));
	exit(1);
}

/*
 * Whoever receives may leave at any time. A connection that broke has no DVRC any more,
 * either: SO_ERROR tells the one from the other.
 */
static void fail_to_send(int fd, const char *what)
{
	socklen_t len = sizeof(int);
	int broken = 0;

	if (errno != EPIPE && errno != ENOPROTOOPT)
		fail(what);
	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &broken, &len))
		fail(what);
	if (broken) {
		errno = broken;
		fail("the connection is broken");
	}
	printf("the receiver has closed the connection\n");
	exit(0);
}

/* How many layers may be sent; at least one is. */
static uint32_t layers_allowed(int fd)
{
	socklen_t len = sizeof(uint32_t);
	uint32_t k = 1;

	if (getsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_DVRC_K, &k, &len))
		fail_to_send(fd, "number of layers");
	return k ? k : 1;
}

/* Each packet has its layer as a tag. A full queue drops the highest layer first. */
static int send_packet(int fd, size_t size, uint32_t layer)
{
	union {
		struct cmsghdr	header;
		char		buf[CMSG_SPACE(sizeof(uint32_t))];
	} control = { };
	static char packet[PACKET];
	struct iovec iov = { .iov_base = packet, .iov_len = size };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};
	uint32_t priority = DCCP_DVRC_PRIORITY(layer);

	control.header.cmsg_level = SOL_DCCP;
	control.header.cmsg_type = DCCP_SCM_PRIORITY;
	control.header.cmsg_len = CMSG_LEN(sizeof(priority));
	memcpy(CMSG_DATA(&control.header), &priority, sizeof(priority));
	return sendmsg(fd, &msg, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static void send_frame(int fd, uint32_t k)
{
	uint32_t layer, size, n;

	for (layer = 1; layer <= k; layer++) {
		size = rates[layer - 1] - (layer > 1 ? rates[layer - 2] : 0);
		/* A little less than the rate: headers count, too. */
		for (size = size * 9 / 10 / FRAMES; size; size -= n) {
			n = size < PACKET ? size : PACKET;
			if (send_packet(fd, n, layer) < 0 && errno != EAGAIN)
				fail_to_send(fd, "send");
		}
	}
}

int main(int argc, char **argv)
{
	struct timespec next;
	int udp = take_udp(&argc, argv, 0), fd, i, frames;
	uint32_t k, sum = 0;

	if (argc != 4) {
		fprintf(stderr, "usage: layers [--udp[=PORT]] HOST PORT SECONDS\n");
		return 2;
	}
	fd = connect_to(argv[1], argv[2], udp);
	frames = atoi(argv[3]) * FRAMES;
	clock_gettime(CLOCK_MONOTONIC, &next);
	for (i = 1; i <= frames; i++) {
		k = layers_allowed(fd);	/* poll() says POLLPRI when it changes */
		send_frame(fd, k);
		sum += k;
		if (i % FRAMES == 0) {
			printf("%3d s: %.1f layers\n", i / FRAMES,
			       (double)sum / FRAMES);
			sum = 0;
		}
		next.tv_nsec += 1000000000 / FRAMES;
		if (next.tv_nsec >= 1000000000) {
			next.tv_nsec -= 1000000000;
			next.tv_sec++;
		}
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
	}
	close(fd);
	return 0;
}
