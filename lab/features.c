// SPDX-License-Identifier: GPL-2.0-only
/*
 * One connection over the loopback device, for "lab/bench features": instructions for a
 * packet, from send() to the end of recv(), with what the core does in between.
 *
 *	features CCID
 *
 * It is for an emulated machine that counts an instruction as one cycle of the time stamp
 * counter. The packets are in blocks, and the median of the blocks is printed: an interrupt
 * in one block changes nothing.
 */
#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <x86intrin.h>
#include <linux/dccp.h>

#define SIZE	1000
#define BLOCK	20
#define BLOCKS	201

#ifndef SOL_DCCP
#define SOL_DCCP	269
#endif

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static int make_socket(uint8_t ccid)
{
	int fd = socket(AF_INET, SOCK_DCCP, IPPROTO_DCCP);
	uint32_t service = htonl(1);

	if (fd < 0)
		fail("socket");
	if (setsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_SERVICE, &service,
		       sizeof(service)) ||
	    setsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_CCID, &ccid, sizeof(ccid)))
		fail("setsockopt");
	return fd;
}

static void one_packet(int from, int to)
{
	static char packet[SIZE];

	if (send(from, packet, SIZE, 0) != SIZE)
		fail("send");
	if (recv(to, packet, SIZE, 0) != SIZE)
		fail("recv");
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	struct sockaddr_in addr = { .sin_family = AF_INET,
				    .sin_port = htons(5001) };
	static uint64_t took[BLOCKS];
	int listener, from, to, i, j;

	if (argc != 2) {
		fprintf(stderr, "Usage: features CCID\n");
		return 2;
	}
	addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	listener = make_socket(atoi(argv[1]));
	if (bind(listener, (struct sockaddr *)&addr, sizeof(addr)) ||
	    listen(listener, 1))
		fail("listen");
	from = make_socket(atoi(argv[1]));
	if (connect(from, (struct sockaddr *)&addr, sizeof(addr)))
		fail("connect");
	to = accept(listener, NULL, NULL);
	if (to < 0)
		fail("accept");

	for (i = 0; i < 10 * BLOCK; i++)
		one_packet(from, to);
	for (i = 0; i < BLOCKS; i++) {
		uint64_t begin = __rdtsc();

		for (j = 0; j < BLOCK; j++)
			one_packet(from, to);
		took[i] = __rdtsc() - begin;
	}
	qsort(took, BLOCKS, sizeof(*took), compare);
	printf("%.1f %.1f %.1f\n", (double)took[BLOCKS / 2] / BLOCK,
	       (double)took[BLOCKS / 4] / BLOCK,
	       (double)took[3 * BLOCKS / 4] / BLOCK);
	return 0;
}
