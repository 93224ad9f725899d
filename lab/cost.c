// SPDX-License-Identifier: GPL-2.0-only
/*
 * The two ends of "lab/bench cost": they do as little as possible to send and receive.
 *
 *	cost receive PROTOCOL ADDRESS FILE
 *	cost send PROTOCOL ADDRESS RATE
 *
 * PROTOCOL is udp, tcp or the number of a CCID. RATE is in packets/s; 0: as many as
 * possible. The receiver keeps the number of bytes received in FILE, which begins with 1
 * when the receiver is ready. Both run until they are killed.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <linux/dccp.h>

#define PORT		5001
#define SIZE		1000
#define SECOND		1000000000LL
#define TCP_OPTIONS	12	/* a timestamp in each segment */

#ifndef SOL_DCCP
#define SOL_DCCP	269
#endif

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void set(int fd, int level, int option, const void *value, socklen_t len)
{
	if (setsockopt(fd, level, option, value, len))
		fail("setsockopt");
}

static int make_socket(const char *protocol)
{
	int type = SOCK_DCCP, fd, on = 1, mss = SIZE + TCP_OPTIONS;

	if (!strcmp(protocol, "udp"))
		type = SOCK_DGRAM;
	else if (!strcmp(protocol, "tcp"))
		type = SOCK_STREAM;
	fd = socket(AF_INET, type, 0);
	if (fd < 0)
		fail("socket");
	set(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (type == SOCK_STREAM) {
		set(fd, IPPROTO_TCP, TCP_MAXSEG, &mss, sizeof(mss));
		set(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	} else if (type == SOCK_DCCP) {
		uint32_t service = htonl(1);
		uint8_t ccid = atoi(protocol);

		set(fd, SOL_DCCP, DCCP_SOCKOPT_SERVICE, &service, sizeof(service));
		set(fd, SOL_DCCP, DCCP_SOCKOPT_CCID, &ccid, sizeof(ccid));
	}
	return fd;
}

static void receive(const char *protocol, const struct sockaddr_in *addr,
		    const char *path)
{
	int file = open(path, O_RDWR | O_CREAT, 0600), s = make_socket(protocol);
	static char packet[65536];
	volatile uint64_t *bytes;
	ssize_t n;

	if (file < 0 || ftruncate(file, sizeof(*bytes)))
		fail(path);
	bytes = mmap(NULL, sizeof(*bytes), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (bytes == MAP_FAILED)
		fail("mmap");
	if (bind(s, (const struct sockaddr *)addr, sizeof(*addr)))
		fail("bind");
	if (strcmp(protocol, "udp") && listen(s, 1))
		fail("listen");
	*bytes = 1;
	if (strcmp(protocol, "udp")) {
		s = accept(s, NULL, NULL);
		if (s < 0)
			fail("accept");
	}
	while ((n = recv(s, packet, sizeof(packet), 0)) > 0)
		*bytes += n;
}

static void send_on(const char *protocol, const struct sockaddr_in *addr, long rate)
{
	static const char packet[SIZE];
	int s = make_socket(protocol);
	struct timespec due;
	int64_t late;

	if (connect(s, (const struct sockaddr *)addr, sizeof(*addr)))
		fail("connect");
	clock_gettime(CLOCK_MONOTONIC, &due);
	while (send(s, packet, SIZE, MSG_NOSIGNAL) == SIZE || errno == ENOBUFS) {
		struct timespec now;

		if (!rate)
			continue;
		/* Time that the congestion control has taken is not made up for. */
		clock_gettime(CLOCK_MONOTONIC, &now);
		due.tv_nsec += SECOND / rate;
		if (due.tv_nsec >= SECOND) {
			due.tv_nsec -= SECOND;
			due.tv_sec++;
		}
		late = (now.tv_sec - due.tv_sec) * SECOND + now.tv_nsec - due.tv_nsec;
		if (late > 0)
			due = now;
		else
			clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
	}
	fail("send");
}

int main(int argc, char **argv)
{
	struct sockaddr_in addr = { .sin_family = AF_INET, .sin_port = htons(PORT) };

	if (argc != 5 || inet_pton(AF_INET, argv[3], &addr.sin_addr) != 1) {
		fprintf(stderr, "usage: cost receive|send PROTOCOL ADDRESS FILE|RATE\n");
		return 2;
	}
	if (!strcmp(argv[1], "receive"))
		receive(argv[2], &addr, argv[4]);
	else
		send_on(argv[2], &addr, atol(argv[4]));
	return 0;
}
