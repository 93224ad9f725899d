// SPDX-License-Identifier: GPL-2.0-only
/*
 * All system calls of DCCP sockets, in random order, by several threads on the
 * same sockets.
 *
 * Usage: calls [-s SEED] [-t THREADS] [-n CALLS] [-d SECONDS] [-f NTH]
 *              [-N FILE]
 *
 * Each thread makes CALLS calls, or as many as it can in SECONDS. With -f, before every
 * second call, one of the next NTH allocations is chosen to fail
 * (/proc/thread-self/fail-nth, Documentation/fault-injection of the kernel).
 *
 * At the end it prints a line for each call, "# name tried succeeded". It fails if a
 * thread does not return. The kernel itself reports other faults. With -N everything
 * takes place in the network namespace of FILE.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/dccp.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <linux/dccp_ccid.h>

#ifndef SOL_DCCP
#define SOL_DCCP	269
#endif

/* The first PORTS slots have the listener of each port, if it could be made. */
enum { PORTS = 4, SLOTS = PORTS + 20, FIRST_PORT = 5001, MAX_THREADS = 64 };

enum call {
	SOCKET, BIND, LISTEN, CONNECT, DISCONNECT, ACCEPT, SEND, SENDMSG, SENDFILE, RECV,
	SHUTDOWN, CLOSE, POLL, SETSOCKOPT, GETSOCKOPT, IOCTL, NAMES, DIAG, SYSCTL, CALLS
};

static const char * const names[CALLS] = {
	"socket", "bind", "listen", "connect", "disconnect", "accept", "send", "sendmsg",
	"sendfile", "recv", "shutdown", "close", "poll", "setsockopt", "getsockopt", "ioctl",
	"names", "diag", "sysctl"
};

/* Relative frequencies of the calls; those that end connections are rare. */
static const unsigned char weights[CALLS] = {
	24, 2, 2, 4, 2, 24, 24, 8, 1, 20, 2, 5, 6, 14, 10, 4, 2, 1, 1
};

/* All schemes, and the CCIDs of the kernel */
static const uint8_t ccids[] = { 248, 249, 250, 251, 252, 3, 2 };

static const int options[] = {
	DCCP_SOCKOPT_MARC_TX, DCCP_SOCKOPT_MARC_RX, DCCP_SOCKOPT_RAAR_TX, DCCP_SOCKOPT_RAAR_RX,
	DCCP_SOCKOPT_LTFRC_TX, DCCP_SOCKOPT_LTFRC_RX, DCCP_SOCKOPT_DVRC_TX_LAYERS,
	DCCP_SOCKOPT_DVRC_RX_LAYERS, DCCP_SOCKOPT_DVRC_RX, DCCP_SOCKOPT_DVRC_K,
	DCCP_SOCKOPT_CTFAF_TX, DCCP_SOCKOPT_CTFAF_RX, DCCP_SOCKOPT_CTFAF_TX_RUNGS,
	DCCP_SOCKOPT_CCID_TX_INFO, DCCP_SOCKOPT_CCID_RX_INFO,
	DCCP_SOCKOPT_SERVICE, DCCP_SOCKOPT_GET_CUR_MPS, DCCP_SOCKOPT_SERVER_TIMEWAIT,
	DCCP_SOCKOPT_SEND_CSCOV, DCCP_SOCKOPT_RECV_CSCOV, DCCP_SOCKOPT_AVAILABLE_CCIDS,
	DCCP_SOCKOPT_CCID, DCCP_SOCKOPT_TX_CCID, DCCP_SOCKOPT_RX_CCID,
	DCCP_SOCKOPT_QPOLICY_ID, DCCP_SOCKOPT_QPOLICY_TXQLEN,
};

static const int socket_options[] = {
	SO_REUSEADDR, SO_REUSEPORT, SO_KEEPALIVE, SO_OOBINLINE, SO_SNDBUF, SO_RCVBUF,
	SO_PRIORITY, SO_MARK, SO_TIMESTAMP, SO_RCVLOWAT, SO_DONTROUTE, SO_NO_CHECK,
	SO_INCOMING_CPU, SO_ERROR, SO_TYPE, SO_ACCEPTCONN, SO_PEEK_OFF, SO_MAX_PACING_RATE,
	SO_BUSY_POLL, SO_ZEROCOPY, SO_LOCK_FILTER, SO_DETACH_FILTER,
};

static const int ip_options[] = {
	IP_TOS, IP_TTL, IP_OPTIONS, IP_RECVERR, IP_PKTINFO, IP_MTU_DISCOVER, IP_RECVTOS,
	IP_TRANSPARENT, IP_BIND_ADDRESS_NO_PORT, IP_FREEBIND, IP_MINTTL,
};

static const int ipv6_options[] = {
	IPV6_V6ONLY, IPV6_RECVPKTINFO, IPV6_ADDRFORM, IPV6_TCLASS, IPV6_RECVERR,
	IPV6_RECVHOPLIMIT, IPV6_RTHDR, IPV6_HOPOPTS, IPV6_DSTOPTS, IPV6_2292PKTOPTIONS,
	IPV6_RECVTCLASS, IPV6_UNICAST_HOPS, IPV6_MTU_DISCOVER, IPV6_DONTFRAG,
};

static const char * const sysctls[] = {
	"default/tx_ccid", "default/rx_ccid", "default/seq_window", "default/tx_qlen",
	"default/request_retries", "default/retries1", "default/retries2", "allowed_ccids",
};

struct thread {
	pthread_t id;
	volatile pid_t tid;		/* 0: not running */
	uint64_t dice;
	volatile enum call now;
	unsigned long tried[CALLS], succeeded[CALLS];
	unsigned long faults, with_ccid[256];
	int fail_nth;			/* /proc/thread-self/fail-nth, or -1 */
	bool armed;			/* with a fault for this call */
	unsigned char data[70000];
};

static volatile int slots[SLOTS];	/* file descriptors, -1: none */
static volatile bool stop;
static unsigned long calls = 2000;
static unsigned int seconds = 600, nth;
static int files[sizeof(sysctls) / sizeof(*sysctls)];
static unsigned char *edge;		/* the page that follows cannot be read or written */

static uint32_t dice(struct thread *t)
{
	t->dice ^= t->dice << 13;
	t->dice ^= t->dice >> 7;
	t->dice ^= t->dice << 17;
	return t->dice >> 16;
}

static uint32_t below(struct thread *t, uint32_t limit)
{
	return dice(t) % limit;
}

static bool one_in(struct thread *t, uint32_t n)
{
	return below(t, n) == 0;
}

#define ONE_OF(t, array)	((array)[below(t, sizeof(array) / sizeof(*(array)))])

/* Count the call, and find out whether the fault was injected. */
static long done(struct thread *t, enum call call, long result)
{
	int error = errno;
	char left[16] = "";

	t->tried[call]++;
	t->succeeded[call] += result >= 0;
	if (t->armed) {
		t->armed = false;
		if (pread(t->fail_nth, left, sizeof(left) - 1, 0) > 0 && left[0] == '0')
			t->faults++;
		if (pwrite(t->fail_nth, "0", 1, 0) < 0)
			perror("fail-nth");
	}
	errno = error;
	return result;
}

/* Before a call: decide whether one of its allocations will fail. */
static void begin(struct thread *t, enum call call)
{
	char text[16];

	t->now = call;
	if (t->fail_nth >= 0 && one_in(t, 2)) {
		int size = snprintf(text, sizeof(text), "%u", 1 + below(t, nth));

		if (pwrite(t->fail_nth, text, size, 0) < 0)
			perror("fail-nth");
		t->armed = true;
	}
}

#define CALL(t, call, expression) (begin(t, call), done(t, call, expression))

/* Any socket, but mostly one that does not listen. */
static int slot(struct thread *t)
{
	return slots[one_in(t, 16) ? below(t, SLOTS) : PORTS + below(t, SLOTS - PORTS)];
}

static socklen_t address(struct thread *t, struct sockaddr_storage *to, int family,
			 unsigned int which)
{
	static const char * const v6[] = { "::1", "::ffff:127.0.0.1", "::", "::1" };
	uint16_t port = htons(FIRST_PORT + which);

	memset(to, 0, sizeof(*to));
	if (one_in(t, 32))
		family = family == AF_INET ? AF_INET6 : AF_INET;
	to->ss_family = family;
	if (family == AF_INET) {
		struct sockaddr_in *sin = (void *)to;

		sin->sin_port = port;
		sin->sin_addr.s_addr = htonl(one_in(t, 4) ? INADDR_ANY : INADDR_LOOPBACK);
		if (one_in(t, 32))
			sin->sin_addr.s_addr = dice(t);
		return sizeof(*sin);
	}
	struct sockaddr_in6 *sin6 = (void *)to;

	sin6->sin6_port = port;
	inet_pton(AF_INET6, one_in(t, 2) ? "::1" : ONE_OF(t, v6), &sin6->sin6_addr);
	if (one_in(t, 32))
		sin6->sin6_flowinfo = dice(t);
	return sizeof(*sin6);
}

/* The value of an option: random bytes, or a small or large number */
static socklen_t value(struct thread *t, unsigned char *to)
{
	static const socklen_t sizes[] = { 0, 1, 2, 3, 4, 4, 4, 4, 8, 12, 16, 24, 28, 44, 64, 65,
					   200 };
	socklen_t size = ONE_OF(t, sizes);

	switch (below(t, 4)) {
	case 0:
		for (socklen_t i = 0; i < size; i++)
			to[i] = dice(t);
		break;
	case 1:
		memset(to, one_in(t, 2) ? 0xff : 0, size);
		break;
	default:
		for (socklen_t i = 0; i < size; i++)
			to[i] = i % 4 ? 0 : below(t, 20);
	}
	return size;
}

static void wait_a_little(struct thread *t)
{
	struct timespec ts = { .tv_nsec = below(t, 3000) * 1000 };

	nanosleep(&ts, NULL);
}

/* No call on it may block for long. */
static void limit_waiting(struct thread *t, int fd)
{
	struct timeval tv = { .tv_usec = 1000 * (1 + below(t, 30)) };

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &tv, sizeof(tv));
}

static void put(struct thread *t, unsigned int which, int fd)
{
	int old = __sync_lock_test_and_set(&slots[which], fd);

	if (old >= 0)
		CALL(t, CLOSE, close(old));
}

static void set_ccid(struct thread *t, int fd)
{
	uint8_t list[4] = { ONE_OF(t, ccids), ONE_OF(t, ccids), 3, 2 };
	static const int which[] = { DCCP_SOCKOPT_CCID, DCCP_SOCKOPT_CCID,
				     DCCP_SOCKOPT_TX_CCID, DCCP_SOCKOPT_RX_CCID };

	CALL(t, SETSOCKOPT, setsockopt(fd, SOL_DCCP, ONE_OF(t, which), list, 1 + below(t, 4)));
}

/* Make a socket with options, some of which may be refused. */
static int make(struct thread *t, int family)
{
	uint32_t service = htonl(1885957735), priority = 1;
	struct linger linger = { .l_onoff = 1, .l_linger = one_in(t, 8) };
	int one = 1;
	int fd = CALL(t, SOCKET, socket(family, SOCK_DCCP | (one_in(t, 4) ? SOCK_NONBLOCK : 0),
					IPPROTO_DCCP));

	if (fd < 0)
		return fd;
	limit_waiting(t, fd);
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	CALL(t, SETSOCKOPT, setsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_SERVICE, &service,
				       sizeof(service)));
	set_ccid(t, fd);
	if (one_in(t, 4))
		setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
	if (one_in(t, 8))
		setsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_QPOLICY_ID, &priority, sizeof(priority));
	return fd;
}

static void listener(struct thread *t, int fd, int family, unsigned int port)
{
	uint8_t list[sizeof(ccids)];
	unsigned int first = below(t, sizeof(list));
	struct sockaddr_storage to;
	socklen_t size = address(t, &to, family, port);

	/* all of them, one or the other first */
	for (size_t i = 0; i < sizeof(list); i++)
		list[i] = ccids[(first + i) % sizeof(list)];
	if (!one_in(t, 8))
		CALL(t, SETSOCKOPT, setsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_CCID, list,
					       sizeof(list)));

	CALL(t, BIND, bind(fd, (void *)&to, size));
	CALL(t, LISTEN, listen(fd, below(t, 6)));
}

static void client(struct thread *t, int fd, int family)
{
	struct sockaddr_storage to;
	socklen_t size = address(t, &to, family, below(t, PORTS));

	if (one_in(t, 16))
		size = below(t, sizeof(to) + 2);
	CALL(t, CONNECT, connect(fd, (void *)&to, size));
}

static void disconnect(struct thread *t, int fd)
{
	struct sockaddr sa = { .sa_family = AF_UNSPEC };

	CALL(t, DISCONNECT, connect(fd, &sa, sizeof(sa)));
}

static void send_some(struct thread *t, int fd)
{
	size_t size = one_in(t, 16) ? below(t, sizeof(t->data)) : below(t, 1500);
	int flags = one_in(t, 2) ? MSG_DONTWAIT : 0;

	flags |= MSG_NOSIGNAL;
	if (one_in(t, 16))
		flags |= dice(t) & ~(MSG_OOB);
	for (int n = below(t, 12); n >= 0 && !stop; n--)
		if (CALL(t, SEND, send(fd, t->data, size, flags)) < 0)
			break;
}

static void send_message(struct thread *t, int fd)
{
	union {
		struct cmsghdr align;
		char room[CMSG_SPACE(64)];
	} control;
	struct iovec iov[3] = {
		{ .iov_base = t->data, .iov_len = below(t, 800) },
		{ .iov_base = one_in(t, 16) ? edge + 4000 : t->data, .iov_len = below(t, 200) },
		{ .iov_base = one_in(t, 16) ? NULL : t->data, .iov_len = below(t, 200) },
	};
	struct sockaddr_storage to;
	struct msghdr message = {
		.msg_iov = iov, .msg_iovlen = below(t, 4),
		.msg_control = &control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&message);
	uint32_t priority = 1 + below(t, 20);

	memset(&control, 0, sizeof(control));
	if (one_in(t, 2))
		message.msg_control = NULL;
	cmsg->cmsg_level = one_in(t, 16) ? (int)dice(t) : SOL_DCCP;
	cmsg->cmsg_type = one_in(t, 16) ? (int)dice(t) : DCCP_SCM_PRIORITY;
	cmsg->cmsg_len = one_in(t, 16) ? below(t, 100) : CMSG_LEN(sizeof(priority));
	memcpy(CMSG_DATA(cmsg), &priority, sizeof(priority));
	message.msg_controllen = !message.msg_control ? 0 :
				 one_in(t, 16) ? below(t, sizeof(control)) :
				 CMSG_SPACE(sizeof(priority));
	if (one_in(t, 8)) {
		message.msg_namelen = address(t, &to, AF_INET, 0);
		message.msg_name = &to;
	}
	CALL(t, SENDMSG, sendmsg(fd, &message,
				 MSG_NOSIGNAL | (one_in(t, 2) ? MSG_DONTWAIT : 0)));
}

static void receive(struct thread *t, int fd)
{
	static const int kinds[] = { 0, 0, MSG_DONTWAIT, MSG_DONTWAIT, MSG_PEEK, MSG_TRUNC,
				     MSG_PEEK | MSG_TRUNC, MSG_OOB, MSG_ERRQUEUE, MSG_WAITALL };
	struct sockaddr_storage from;
	char control[256];
	struct iovec iov = { .iov_base = t->data, .iov_len = below(t, 2000) };
	struct msghdr message = { .msg_iov = &iov, .msg_iovlen = 1, .msg_name = &from,
				  .msg_namelen = sizeof(from), .msg_control = control,
				  .msg_controllen = sizeof(control) };
	int kind = ONE_OF(t, kinds);

	if (one_in(t, 16))
		iov.iov_base = edge + 4000;
	for (int n = below(t, 12); n >= 0 && !stop; n--)
		if (CALL(t, RECV, recvmsg(fd, &message, kind)) <= 0)
			break;
}

static void set_option(struct thread *t, int fd)
{
	struct linger linger = { .l_onoff = below(t, 2), .l_linger = one_in(t, 8) };
	socklen_t size = value(t, t->data);
	void *data = t->data;
	int level = SOL_DCCP, option = ONE_OF(t, options);

	switch (below(t, 12)) {
	case 0:
	case 1:
		set_ccid(t, fd);
		return;
	case 2:
		level = SOL_SOCKET;
		option = ONE_OF(t, socket_options);
		break;
	case 3:
		level = IPPROTO_IP;
		option = ONE_OF(t, ip_options);
		break;
	case 4:
		level = IPPROTO_IPV6;
		option = ONE_OF(t, ipv6_options);
		break;
	case 5:
		limit_waiting(t, fd);
		return;
	case 6:
		level = SOL_SOCKET;
		option = SO_LINGER;
		data = &linger;
		size = sizeof(linger);
		break;
	case 7:
		option = below(t, 256);
		break;
	}
	if (one_in(t, 16))
		data = edge + 4096 - below(t, 8);
	if (one_in(t, 32))
		size = dice(t);
	CALL(t, SETSOCKOPT, setsockopt(fd, level, option, data, size));
}

static void get_option(struct thread *t, int fd)
{
	socklen_t size = below(t, 300);
	void *data = t->data;
	int level = SOL_DCCP, option = ONE_OF(t, options);

	switch (below(t, 8)) {
	case 0:
		level = SOL_SOCKET;
		option = ONE_OF(t, socket_options);
		break;
	case 1:
		level = one_in(t, 2) ? IPPROTO_IP : IPPROTO_IPV6;
		option = below(t, 80);
		break;
	case 2:
		option = below(t, 256);
		break;
	}
	if (one_in(t, 16))
		data = edge + 4096 - below(t, 300);
	if (one_in(t, 32))
		size = dice(t);
	CALL(t, GETSOCKOPT, getsockopt(fd, level, option, data, &size));
}

/* Accept a connection, if other threads have made one. */
static void accept_one(struct thread *t, int fd)
{
	int ccid;
	socklen_t size = sizeof(ccid);

	fd = CALL(t, ACCEPT, accept4(fd, NULL, NULL, one_in(t, 2) ? SOCK_NONBLOCK : 0));
	if (fd < 0)
		return;
	if (!getsockopt(fd, SOL_DCCP, one_in(t, 2) ? DCCP_SOCKOPT_TX_CCID : DCCP_SOCKOPT_RX_CCID,
			&ccid, &size))
		t->with_ccid[ccid & 255]++;
	put(t, PORTS + below(t, SLOTS - PORTS), fd);
}

static void control(struct thread *t, int fd)
{
	static const unsigned long requests[] = { SIOCINQ, SIOCOUTQ, FIONREAD, SIOCATMARK,
						  SIOCGSTAMP, FIONBIO, FIOASYNC };
	int argument = one_in(t, 4);

	CALL(t, IOCTL, ioctl(fd, ONE_OF(t, requests), &argument));
}

static void get_names(struct thread *t, int fd)
{
	struct sockaddr_storage ss;
	socklen_t size = below(t, sizeof(ss));

	if (one_in(t, 2))
		CALL(t, NAMES, getsockname(fd, (void *)&ss, &size));
	else
		CALL(t, NAMES, getpeername(fd, (void *)&ss, &size));
}

static void wait_for(struct thread *t, int fd)
{
	struct pollfd fds[2] = {
		{ .fd = fd, .events = dice(t) }, { .fd = slot(t), .events = POLLIN | POLLOUT },
	};

	CALL(t, POLL, poll(fds, 2, below(t, 10)));
}

static void send_file(struct thread *t, int fd)
{
	int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	CALL(t, SENDFILE, sendfile(fd, file, NULL, below(t, 9000)));
	close(file);
}

/* The calls of ss, and of ss -K */
static void diag(struct thread *t)
{
	struct {
		struct nlmsghdr nl;
		struct inet_diag_req_v2 req;
	} request = {
		.nl = { .nlmsg_len = sizeof(request),
			.nlmsg_type = one_in(t, 8) ? SOCK_DESTROY : SOCK_DIAG_BY_FAMILY,
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP },
		.req = { .sdiag_family = one_in(t, 2) ? AF_INET : AF_INET6,
			 .sdiag_protocol = IPPROTO_DCCP, .idiag_ext = dice(t),
			 .idiag_states = ~0u },
	};
	struct timeval tv = { .tv_usec = 20000 };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
	int n = 20;

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv));
	if (CALL(t, DIAG, send(fd, &request, sizeof(request), 0)) > 0)
		while (n-- && recv(fd, t->data, sizeof(t->data), 0) > 0)
			if (((struct nlmsghdr *)t->data)->nlmsg_type <= NLMSG_DONE)
				break;
	close(fd);
}

/* Change the defaults of new sockets, or what users may ask for. */
static void set_sysctl(struct thread *t)
{
	unsigned int which = below(t, sizeof(sysctls) / sizeof(*sysctls));
	const char *name = sysctls[which];
	unsigned int number = strstr(name, "ccid") ? ONE_OF(t, ccids) :
			      strstr(name, "seq_window") ? 32 + below(t, 1000) : 1 + below(t, 8);
	char text[16];
	int size = snprintf(text, sizeof(text), "%u", number);

	CALL(t, SYSCTL, pwrite(files[which], text, size, 0));
}

/* Those of the namespace that this process has entered */
static void open_sysctls(void)
{
	char path[80];

	for (size_t i = 0; i < sizeof(sysctls) / sizeof(*sysctls); i++) {
		snprintf(path, sizeof(path), "/proc/sys/net/dccp/%s", sysctls[i]);
		files[i] = open(path, O_RDWR | O_CLOEXEC);
	}
}

static void enter(const char *namespace)
{
	int fd = open(namespace, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || setns(fd, CLONE_NEWNET)) {
		perror(namespace);
		exit(2);
	}
	close(fd);
}

static void any(struct thread *t)
{
	int family = one_in(t, 2) ? AF_INET : AF_INET6;
	int fd = slot(t), total = 0, pick;
	unsigned int port;
	enum call call;
	bool listens;

	for (call = 0; call < CALLS; call++)
		total += weights[call];
	pick = below(t, total);
	for (call = 0; pick >= weights[call]; call++)
		pick -= weights[call];

	switch (call) {
	case SOCKET:
		port = below(t, PORTS);
		listens = one_in(t, 4);
		if (listens)
			put(t, port, -1);
		fd = make(t, family);
		if (fd < 0)
			break;
		if (listens) {
			listener(t, fd, family, port);
			put(t, port, fd);
		} else {
			put(t, PORTS + below(t, SLOTS - PORTS), fd);
			client(t, fd, family);
		}
		break;
	case BIND:
	case LISTEN:
		listener(t, fd, family, below(t, PORTS));
		break;
	case CONNECT:
		client(t, fd, family);
		break;
	case DISCONNECT:
		disconnect(t, fd);
		break;
	case ACCEPT:
		accept_one(t, one_in(t, 16) ? fd : slots[below(t, PORTS)]);
		break;
	case SEND:
		send_some(t, fd);
		break;
	case SENDMSG:
		send_message(t, fd);
		break;
	case SENDFILE:
		send_file(t, fd);
		break;
	case RECV:
		receive(t, fd);
		break;
	case SHUTDOWN:
		CALL(t, SHUTDOWN, shutdown(fd, below(t, 4)));
		break;
	case CLOSE:
		put(t, one_in(t, 16) ? below(t, PORTS) : PORTS + below(t, SLOTS - PORTS), -1);
		break;
	case POLL:
		wait_for(t, fd);
		break;
	case SETSOCKOPT:
		set_option(t, fd);
		break;
	case GETSOCKOPT:
		get_option(t, fd);
		break;
	case IOCTL:
		control(t, fd);
		break;
	case NAMES:
		get_names(t, fd);
		break;
	case DIAG:
		diag(t);
		break;
	case SYSCTL:
		set_sysctl(t);
		break;
	case CALLS:
		break;
	}
}

static void *run(void *argument)
{
	struct thread *t = argument;

	t->tid = gettid();
	if (nth) {
		t->fail_nth = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
		if (t->fail_nth < 0) {
			perror("/proc/thread-self/fail-nth");
			exit(2);
		}
	}
	for (unsigned long n = 0; n < calls && !stop; n++) {
		any(t);
		/* With virtual time computing takes no time, see Documentation/howto/lab.rst. */
		if (one_in(t, 4))
			wait_a_little(t);
	}
	if (t->fail_nth >= 0)
		close(t->fail_nth);
	t->tid = 0;
	return NULL;
}

static void nothing(int signal)
{
	(void)signal;
}

/* Interrupt calls that wait, at random times, until the threads have ended. */
static void *interrupt(void *argument)
{
	struct thread *threads = argument;
	struct thread t = { .dice = 1 };

	while (!stop) {
		struct timespec ts = { .tv_nsec = 1000000 * (1 + below(&t, 20)) };
		pid_t tid = threads[below(&t, MAX_THREADS)].tid;

		nanosleep(&ts, NULL);
		if (tid)
			syscall(SYS_tgkill, getpid(), tid, SIGUSR1);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	static struct thread threads[MAX_THREADS];
	struct sigaction action = { .sa_handler = nothing };
	unsigned long seed = 1, count = 8, n;
	struct timespec end;
	pthread_t interrupter;
	int c;

	while ((c = getopt(argc, argv, "s:t:n:d:f:N:")) != -1) {
		switch (c) {
		case 's':
			seed = strtoul(optarg, NULL, 0);
			break;
		case 't':
			count = strtoul(optarg, NULL, 0);
			break;
		case 'n':
			calls = strtoul(optarg, NULL, 0);
			break;
		case 'd':
			seconds = strtoul(optarg, NULL, 0);
			break;
		case 'f':
			nth = strtoul(optarg, NULL, 0);
			break;
		case 'N':
			enter(optarg);
			break;
		default:
			return 2;
		}
	}
	if (count < 1 || count > MAX_THREADS)
		return 2;
	open_sysctls();

	edge = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (edge == MAP_FAILED || mprotect(edge + 4096, 4096, PROT_NONE)) {
		perror("mmap");
		return 2;
	}
	for (n = 0; n < SLOTS; n++)
		slots[n] = -1;
	sigaction(SIGUSR1, &action, NULL);	/* without SA_RESTART */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGIO, SIG_IGN);

	for (n = 0; n < count; n++) {
		/* any but 0 */
		threads[n].dice = (seed << 8 | (n + 1)) * 0x9e3779b97f4a7c15ull;
		threads[n].fail_nth = -1;
		if (pthread_create(&threads[n].id, NULL, run, &threads[n])) {
			perror("pthread_create");
			return 2;
		}
	}
	pthread_create(&interrupter, NULL, interrupt, threads);

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += seconds;
	for (n = 0; n < count; n++) {
		if (!pthread_timedjoin_np(threads[n].id, NULL, &end))
			continue;
		/* Time is over: give each thread half a minute to end its call. */
		stop = true;
		clock_gettime(CLOCK_REALTIME, &end);
		end.tv_sec += 30;
		if (pthread_timedjoin_np(threads[n].id, NULL, &end)) {
			printf("# thread %lu does not come back from %s\n", n,
			       names[threads[n].now]);
			return 1;
		}
	}
	stop = true;
	pthread_join(interrupter, NULL);
	for (n = 0; n < SLOTS; n++)
		if (slots[n] >= 0)
			close(slots[n]);

	for (c = 0; c < CALLS; c++) {
		unsigned long tried = 0, succeeded = 0;

		for (n = 0; n < count; n++) {
			tried += threads[n].tried[c];
			succeeded += threads[n].succeeded[c];
		}
		printf("# %s %lu %lu\n", names[c], tried, succeeded);
	}
	for (c = 0; c < 256; c++) {
		unsigned long with = 0;

		for (n = 0; n < count; n++)
			with += threads[n].with_ccid[c];
		if (with)
			printf("# ccid%d %lu %lu\n", c, with, with);
	}
	for (c = 0, n = 0; n < count; n++)
		c += threads[n].faults;
	printf("# faults %d %d\n", c, c);
	return 0;
}
