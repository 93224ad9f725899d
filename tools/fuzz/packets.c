// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz-packets: sends malformed packets to DCCP sockets of this machine.
 *
 *	sockets of this program -- DCCP -- fuzz0 (TUN) -- the peer: this program
 *
 * The peer implements enough of DCCP to set up connections with any CCID, as client and
 * as server, over IPv4 and IPv6, and to keep them going: it follows sequence numbers,
 * confirms features, and reports as the CCID requires. It brings each of its connections
 * to a state and then sends packets that are right except for one fault, two, or up to
 * ten. A packet that is written to the TUN device is processed before write() returns,
 * so the program does not wait.
 *
 * Packets are numbered. With the same seed a number gives the same packet, as long as the
 * kernel has answered in the same way. After each EPISODE of packets the state begins
 * anew, so a run can begin in the middle (-f). The program sleeps for hours, so it is for
 * a guest with virtual time. See lab/fuzz.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "attack.h"
#include "peer.h"

#define EPISODE		8192

#define SOL_DCCP	269

enum { SERVICE = 2, CCID = 13, ENCAP_PORT = 36, RX_INFO = 128, TX_INFO = 192 };

static const char *const type_name[16] = {
	"Request", "Response", "Data", "Ack", "DataAck", "CloseReq", "Close", "Reset",
	"Sync", "SyncAck", "10", "11", "12", "13", "14", "15",
};

static const char *const state_name[STATES] = {
	"none", "half-open", "partopen", "open", "closing", "passive close", "time wait",
};
/* Most of the code is for open connections. */
static const u8 state_weight[STATES] = { 4, 8, 6, 66, 6, 6, 4 };

u8 ccids[8] = { 2, 3, 248, 249, 250, 251, 252 };
int n_ccids = 7;
u64 number;

static int listener[2][8];
static u64 seed;
static struct {
	u64 sent[STATES], opened[2][256], feedbacks[256], received[256];
} stats;

/* Connections */

static socklen_t address(struct sockaddr_storage *a, bool v6, int which, u16 port)
{
	struct sockaddr_in *a4 = (void *)a;
	struct sockaddr_in6 *a6 = (void *)a;

	memset(a, 0, sizeof(*a));
	if (v6) {
		a6->sin6_family = AF_INET6;
		a6->sin6_port = htons(port);
		memcpy(&a6->sin6_addr, addr6[which], 16);
		return sizeof(*a6);
	}
	a4->sin_family = AF_INET;
	a4->sin_port = htons(port);
	memcpy(&a4->sin_addr, addr4[which], 4);
	return sizeof(*a4);
}

static int open_socket(bool v6, u8 ccid)
{
	const u32 service = htonl(0x64636370);
	int fd = socket(v6 ? AF_INET6 : AF_INET, SOCK_DCCP | SOCK_NONBLOCK, PROTO_DCCP);

	if (fd < 0)
		die("socket");
	if (setsockopt(fd, SOL_DCCP, SERVICE, &service, sizeof(service)) ||
	    setsockopt(fd, SOL_DCCP, CCID, &ccid, 1))
		die("setsockopt");
	return fd;
}

static void open_listeners(void)
{
	struct sockaddr_storage a;
	int v6, i;

	for (v6 = 0; v6 < 2; v6++) {
		for (i = 0; i < n_ccids; i++) {
			socklen_t len = address(&a, v6, 0, LISTEN_PORT + i);

			listener[v6][i] = open_socket(v6, ccids[i]);
			if (bind(listener[v6][i], (void *)&a, len) ||
			    listen(listener[v6][i], 200))
				die("listen");
		}
	}
}

static void accept_all(bool v6, int i)
{
	struct sockaddr_storage a;
	socklen_t len = sizeof(a);
	int fd, n;

	while ((fd = accept4(listener[v6][i], (void *)&a, &len, SOCK_NONBLOCK)) >= 0) {
		n = ntohs(((struct sockaddr_in *)&a)->sin_port) - OUR_PORT;
		len = sizeof(a);
		if (n >= 0 && conns[n % CONNS].used && conns[n % CONNS].server &&
		    conns[n % CONNS].ours == n + OUR_PORT && conns[n % CONNS].fd < 0) {
			conns[n % CONNS].fd = fd;
			stats.opened[1][conns[n % CONNS].ccid]++;
		} else {
			close(fd);
		}
	}
}

static void open_conn(int slot)
{
	static u16 generation;
	struct conn *c = &conns[slot];
	struct sockaddr_storage a;
	int i = below(n_ccids);
	u32 w = below(100);

	memset(c, 0, sizeof(*c));
	c->used = true;
	c->v6 = chance(40);
	c->server = chance(60);
	c->udp = chance(40) ? OUR_UDP_PORT + below(CONNS) : 0;
	c->ccid = ccids[i];
	c->fd = -1;
	c->ours = OUR_PORT + slot + CONNS * (generation++ % 1000);
	c->theirs = LISTEN_PORT + i;
	c->seq = chance(25) ? (SEQ_MASK - below(60)) : random64() & SEQ_MASK;
	c->window = 100;
	for (c->goal = 0; w >= state_weight[c->goal]; c->goal++)
		w -= state_weight[c->goal];
	c->budget = 1 + below(c->goal == OPEN ? 400 : 40);
	if (c->server)
		return;
	c->theirs = 0;
	c->fd = open_socket(c->v6, c->ccid);
	i = c->udp;
	if (setsockopt(c->fd, SOL_DCCP, ENCAP_PORT, &i, sizeof(i)))
		die("setsockopt");
	if (connect(c->fd, (void *)&a, address(&a, c->v6, 1, c->ours)) && errno != EINPROGRESS)
		die("connect");
	input();
}

static void count(const struct conn *c)
{
	u8 info[512];
	u32 feedbacks;
	u64 received;
	socklen_t len = sizeof(info);

	if (c->ccid < 248)
		return;
	/* tx: feedbacks, rx: packets_received of <linux/dccp_ccid.h> */
	if (!getsockopt(c->fd, SOL_DCCP, TX_INFO, info, &len)) {
		memcpy(&feedbacks, info + 112, sizeof(feedbacks));
		stats.feedbacks[c->ccid] += feedbacks;
	}
	len = sizeof(info);
	if (!getsockopt(c->fd, SOL_DCCP, RX_INFO, info, &len)) {
		memcpy(&received, info + 32, sizeof(received));
		stats.received[c->ccid] += received;
	}
}

static void close_conn(struct conn *c)
{
	struct packet p;

	if (!c->used)
		return;
	if (c->fd >= 0) {
		count(c);
		if (chance(70)) {
			start_packet(c, &p, RESET);
			p.reset[0] = below(12);
			send_packet(c, &p);
		}
		close(c->fd);
		input();
	}
	c->used = false;
}

/* One step towards the state that was chosen, as the RFC has it; true: it was one. */
static bool advance(struct conn *c)
{
	struct packet p;

	if (c->state >= c->goal || c->state == TIMEWAIT)
		return false;
	switch (c->state) {
	case LISTENING:
		if (!c->server)
			return false;	/* the kernel begins */
		start_packet(c, &p, REQUEST);
		wish(c, &p);
		break;
	case HALF:
		start_packet(c, &p, c->server ? ACK : RESPONSE);
		memcpy(p.opt, c->confirm, c->confirm_len);
		p.opt_len = c->confirm_len;
		if (c->echo)
			option_be(&p, ECHO, c->timestamp, 4);
		c->state = c->server ? OPEN : PARTOPEN;
		break;
	case PARTOPEN:
		start_packet(c, &p, DATAACK);
		memcpy(p.opt, c->confirm, c->confirm_len);
		p.opt_len = c->confirm_len;
		some_data(&p, 20);
		c->state = OPEN;
		break;
	case OPEN:
		if (c->goal == CLOSING) {
			c->state = CLOSING;
			if (c->fd >= 0)
				shutdown(c->fd, chance(50) ? SHUT_RDWR : SHUT_WR);
			if (c->fd >= 0 && chance(50)) {
				count(c);
				close(c->fd);
				c->fd = -1;
			}
			input();
			return true;
		}
		start_packet(c, &p, c->goal == TIMEWAIT ? RESET :
			     c->server || chance(50) ? CLOSE : CLOSEREQ);
		p.reset[0] = 1;
		c->state = c->goal;
		break;
	default:
		c->state = c->goal;
		return true;
	}
	send_packet(c, &p);
	if (c->server && c->state == OPEN)
		accept_all(c->v6, c->theirs - LISTEN_PORT);
	return true;
}

/* What the programs with the sockets do in the meantime */

static void use_socket(struct conn *c)
{
	static const int names[] = { 128, 136, 144, 152, 160, 168, 192, 200, 208, 216, 224, 225,
				     232 };
	u8 data[1500];
	socklen_t len = sizeof(data);
	int i;

	if (c->fd < 0)
		return;
	switch (below(16)) {
	case 0 ... 8:
		memset(data, 'd', sizeof(data));
		for (i = 1 + below(4); i; i--)
			if (send(c->fd, data, chance(90) ? 100 : 1 + below(1300),
				 MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
				break;
		break;
	case 9 ... 12:
		for (i = 0; i < 64; i++)
			if (recv(c->fd, data, sizeof(data), MSG_DONTWAIT) <= 0)
				break;
		break;
	case 13:
		i = names[below(sizeof(names) / sizeof(*names))];
		if (!getsockopt(c->fd, SOL_DCCP, i, data, &len) && len && i != 128 && i != 192) {
			if (chance(50))
				data[below(len)] = random64();
			setsockopt(c->fd, SOL_DCCP, i, data, len);
		}
		break;
	case 14:
		if (chance(10))
			shutdown(c->fd, below(3));
		break;
	case 15:
		if (chance(10)) {
			count(c);
			close(c->fd);
			c->fd = -1;
		}
		break;
	}
	input();
}

static void sleep_ns(u64 ns)
{
	struct timespec t = { ns / 1000000000, ns % 1000000000 };

	nanosleep(&t, NULL);
	input();
}

/*
 * Random numbers depend only on the seed and on the packet's number. The kernel's clock and
 * its first sequence numbers differ from run to run. If it answers differently for that
 * reason, this connection changes, and no other.
 */
static void step(void)
{
	struct conn *c;
	int slot;

	rng = seed;
	rng = random64() + number * 0xd1342543de82ef95;
	slot = below(CONNS);
	c = &conns[slot];
	if (!c->used)
		open_conn(slot);
	/* If a handshake cannot go on, attack nevertheless. */
	if (!advance(c) || chance(5)) {
		attack(c);
		if (c->budget-- <= 0 || (c->state == TIMEWAIT && c->goal != TIMEWAIT))
			close_conn(c);
	}
	stats.sent[c->state]++;
	if (chance(12))
		use_socket(c);
	if (chance(8))
		sleep_ns(1ULL << below(chance(95) ? 25 : 36));
}

static void say_kernel(void)
{
	static int fd = -2;
	char line[80];

	if (fd == -2)
		fd = open("/dev/kmsg", O_WRONLY);
	snprintf(line, sizeof(line), "fuzz: seed %llu, packet %llu\n",
		 (unsigned long long)seed, (unsigned long long)number);
	if (fd >= 0 && write(fd, line, strlen(line)) < 0)
		fd = -1;
}

static void new_episode(void)
{
	int i, v6;

	for (i = 0; i < CONNS; i++)
		close_conn(&conns[i]);
	for (v6 = 0; v6 < 2; v6++)
		for (i = 0; i < n_ccids; i++)
			accept_all(v6, i);
	/* Wait until all connections of the last episode have ended. */
	sleep_ns(600ULL * 1000000000);
	last_len = 0;
	say_kernel();
}

static void open_tun(void)
{
	struct ifreq ifr = { .ifr_name = "fuzz0", .ifr_flags = IFF_TUN | IFF_NO_PI };

	tun = open("/dev/net/tun", O_RDWR | O_NONBLOCK);
	if (tun < 0 || ioctl(tun, TUNSETIFF, &ifr))
		die("/dev/net/tun");
	if (system("ip address add 10.9.9.1/24 dev fuzz0 && "
		   "ip address add fd09:9::1/64 dev fuzz0 nodad && "
		   "ip link set fuzz0 up && echo 6511 >/proc/sys/net/dccp/udp_port"))
		die("ip");
}

static void show(void)
{
	int i;

	for (i = 0; i < STATES; i++)
		printf("  %-14s %llu packets\n", state_name[i], (unsigned long long)stats.sent[i]);
	for (i = 0; i < n_ccids; i++)
		printf("  CCID %-3d       %llu accepted; %llu data packets and %llu reports used\n",
		       ccids[i], (unsigned long long)stats.opened[1][ccids[i]],
		       (unsigned long long)stats.received[ccids[i]],
		       (unsigned long long)stats.feedbacks[ccids[i]]);
	printf("  answers       ");
	for (i = 0; i < 10; i++)
		printf(" %s %llu", type_name[i], (unsigned long long)answers[i]);
	printf("\n  ICMP           %llu\n", (unsigned long long)icmps);
}

int main(int argc, char **argv)
{
	u64 packets = 100000, first = 0, shown = 0;
	bool given = false;
	int option;

	while ((option = getopt(argc, argv, "s:n:f:c:")) != -1) {
		switch (option) {
		case 's':
			seed = strtoull(optarg, NULL, 0);
			break;
		case 'n':
			packets = strtoull(optarg, NULL, 0);
			break;
		case 'f':
			first = strtoull(optarg, NULL, 0);
			break;
		case 'c':
			if (!given)
				n_ccids = 0;
			given = true;
			if (n_ccids < 8)
				ccids[n_ccids++] = atoi(optarg);
			break;
		default:
			fputs("usage: fuzz-packets [-s SEED] [-n PACKETS] [-f FIRST] [-c CCID]...\n",
			      stderr);
			return 2;
		}
	}
	/* Sleep exactly: the default slack of 50 us differs from run to run. */
	prctl(PR_SET_TIMERSLACK, 1);
	open_tun();
	open_listeners();
	number = first - first % EPISODE;
	for (packets += number; number < packets; number++) {
		if (number % EPISODE == 0)
			new_episode();
		step();
		if (number / 500000 != shown) {
			shown = number / 500000;
			printf("packet %llu\n", (unsigned long long)number);
			fflush(stdout);
		}
	}
	new_episode();
	show();
	return 0;
}
