// SPDX-License-Identifier: GPL-2.0-only
/*
 * A layered video over DVRC (CCID 251): 25 frames a second in four layers. DVRC's
 * receiver decides how many of them are sent. receiver.c receives it, if it is given this
 * CCID, the only one that is offered here: ./receiver PORT 251
 *
 * In the repository "make -C examples" builds it as build/examples/layers. This takes the
 * header of the package dccp-ccids:
 *
 *	cc -o layers layers.c
 *	./layers [--udp[=PORT]] HOST PORT SECONDS
 *
 * --udp is explained in udp.h.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include "client.h"
#include "udp.h"

#define FRAMES		25
#define LAYERS		4
#define PACKET		1000

/* Cumulative rates of layer 1, layers 1 and 2, and so on, in bytes/s */
static const uint32_t rates[LAYERS] = { 15000, 30000, 60000, 120000 };

static void prepare(int fd)
{
	uint32_t service = htonl(1885957735);
	int policy = DCCPQ_POLICY_PRIO, qlen = 50;
	uint8_t ccid = DCCPC_DVRC;

	set(fd, DCCP_SOCKOPT_SERVICE, &service, sizeof(service), "service code");
	set(fd, DCCP_SOCKOPT_TX_CCID, &ccid, 1,
	    "CCID (is its module loaded? only root can load it)");
	/* All of this is set before connect(), so the receiver knows the layers from the start. */
	set(fd, DCCP_SOCKOPT_QPOLICY_ID, &policy, sizeof(policy), "priorities");
	set(fd, DCCP_SOCKOPT_QPOLICY_TXQLEN, &qlen, sizeof(qlen), "queue");
	set(fd, DCCP_SOCKOPT_DVRC_TX_LAYERS, rates, sizeof(rates), "layers");
}

/* How many layers may be sent; at least one is. */
static uint32_t layers_allowed(int fd)
{
	socklen_t len = sizeof(uint32_t);
	uint32_t k = 1;

	if (getsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_DVRC_K, &k, &len))
		fail("number of layers");
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
				fail_to_send("send");
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
	fd = connect_to(argv[1], argv[2], udp, prepare);
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
