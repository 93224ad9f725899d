// SPDX-License-Identifier: GPL-2.0-only
/*
 * A live encoder over DCCP: it sends 25 frames a second, each as large as the
 * congestion control allows at that moment.
 *
 * In the repository "make -C examples" builds it as build/examples/sender. This takes the
 * header of the package dccp-ccids:
 *
 *	cc -o sender sender.c
 *	./sender [--udp[=PORT]] HOST PORT CCID SECONDS
 *
 * CCID is a number: 248 (MARC) to 252 (CTFAF), or 3. --udp is explained in udp.h.
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

/* Range of this encoder's rate, bytes/s */
#define RATE_MIN	8000
#define RATE_MAX	250000
#define FRAMES		25

/*
 * Share of the allowed rate that it uses, in percent. While a queue builds up on the
 * path, packets leave at less than the allowed rate, and wait in the transmit queue. The
 * rest of the allowed rate empties this queue again. An encoder that used all of it
 * would stay late.
 */
#define SHARE		90

/* Packets that may wait: two frames, whatever the host's default is. */
#define TXQLEN		50

/* What is asked for; the server may prefer another one. */
static int ccid;

/* Steps of 1000 bytes/s, no change above 20000 at once, 2 % of loss tolerated */
static void set_constraints(int fd)
{
	struct dccp_ctfaf_constraints c;
	socklen_t len = sizeof(c);

	/* Keep all other parameters. Modules that are older may have fewer. */
	if (getsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_CTFAF_TX, &c, &len))
		fail("CTFAF's constraints");
	c.r_min = RATE_MIN;
	c.r_max = RATE_MAX;
	c.step = 1000;
	c.delta = 20000;
	c.r_start = RATE_MIN;
	c.l_allowed = 20000;
	set(fd, DCCP_SOCKOPT_CTFAF_TX, &c, len, "CTFAF's constraints");
}

static void prepare(int fd)
{
	uint32_t service = htonl(1885957735);	/* "ping": any will do, at both ends */
	uint8_t ccids[] = { ccid, 3, 2 };	/* by preference */
	int qlen = TXQLEN;

	set(fd, DCCP_SOCKOPT_SERVICE, &service, sizeof(service), "service code");
	set(fd, DCCP_SOCKOPT_QPOLICY_TXQLEN, &qlen, sizeof(qlen), "queue");
	set(fd, DCCP_SOCKOPT_TX_CCID, ccids, sizeof(ccids),
	    "CCID (is its module loaded? only root can load it)");
	if (ccid == DCCPC_CTFAF)
		set_constraints(fd);
}

/*
 * The allowed rate, bytes/s, limited to the encoder's range. Packets are sent at
 * x_inst, which is less than x while a queue builds up in the network.
 */
static uint64_t allowed_rate(int fd)
{
	struct dccp_ccid_tx_info info = { };
	socklen_t len = sizeof(info);
	uint64_t x;

	if (getsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_CCID_TX_INFO, &info, &len))
		return RATE_MIN;	/* CCID 2 has no rate */
	/* The kernel's CCID 3 fills in only the first members. */
	x = info.tfrctx_x / 64;
	if (info.ccid)
		x = info.x < info.x_inst ? info.x : info.x_inst;
	if (x < RATE_MIN)
		return RATE_MIN;
	return x < RATE_MAX ? x : RATE_MAX;
}

/* A live stream does not wait: a frame that does not fit in the queue is dropped. */
static int send_frame(int fd, size_t size, size_t mps)
{
	static char packet[65536];
	size_t n;

	for (; size; size -= n) {
		n = size < mps ? size : mps;
		if (send(fd, packet, n, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) {
			if (errno == EAGAIN)
				return -1;
			fail_to_send("send");
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct timespec next;
	int udp = take_udp(&argc, argv, 0), fd, mps, chosen, i, frames, dropped = 0;
	socklen_t len = sizeof(int);
	uint64_t sum = 0, x;

	if (argc != 5) {
		fprintf(stderr, "usage: sender [--udp[=PORT]] HOST PORT CCID SECONDS\n");
		return 2;
	}
	ccid = atoi(argv[3]);
	fd = connect_to(argv[1], argv[2], udp, prepare);
	if (getsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_GET_CUR_MPS, &mps, &len) ||
	    getsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_TX_CCID, &chosen, &len))
		fail("getsockopt");
	printf("CCID %d, packets of up to %d bytes\n", chosen, mps);

	frames = atoi(argv[4]) * FRAMES;
	clock_gettime(CLOCK_MONOTONIC, &next);
	for (i = 1; i <= frames; i++) {
		x = allowed_rate(fd);
		sum += x;
		if (send_frame(fd, x * SHARE / 100 / FRAMES, mps))
			dropped++;
		if (i % FRAMES == 0) {
			printf("%3d s: %7.1f kbit/s, %d of %d frames cut short\n",
			       i / FRAMES, sum * 8e-3 / FRAMES, dropped, FRAMES);
			sum = dropped = 0;
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
