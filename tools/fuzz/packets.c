// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz-packets: what should not exist, sent to DCCP sockets of this machine.
 *
 *	sockets of this program -- DCCP -- fuzz0 (TUN) -- the peer: this program
 *
 * The peer speaks DCCP well enough to set up connections with any CCID, as client and
 * as server, over IPv4 and IPv6, and to keep them going: it follows sequence numbers,
 * confirms features, reports as the CCID asks for. Each of its connections is brought
 * to a state and then gets packets that are right but for one thing, or two, or ten.
 * What a TUN device is given is processed before write() returns, so there is no
 * waiting, and the same seed makes the same packets.
 *
 * Packets are numbered. Each EPISODE of them begins anew, with the seed and its number,
 * so that a run can begin in the middle (-f). Meant for a guest in which time is
 * virtual: it sleeps for hours. See lab/fuzz.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

#define EPISODE		8192
#define CONNS		24
#define LISTEN_PORT	5000
#define OUR_PORT	10000
#define SEQ_MASK	((1ULL << 48) - 1)

#define SOL_DCCP	269
#define PROTO_DCCP	33

enum { SERVICE = 2, CCID = 13, RX_INFO = 128, TX_INFO = 192 };

enum { REQUEST, RESPONSE, DATA, ACK, DATAACK, CLOSEREQ, CLOSE, RESET, SYNC, SYNCACK };

static const char *const type_name[16] = {
	"Request", "Response", "Data", "Ack", "DataAck", "CloseReq", "Close", "Reset",
	"Sync", "SyncAck", "10", "11", "12", "13", "14", "15",
};

/* What a connection is brought to before it is attacked. */
enum state { LISTENING, HALF, PARTOPEN, OPEN, CLOSING, PASSIVE, TIMEWAIT, STATES };
static const char *const state_name[STATES] = {
	"none", "half-open", "partopen", "open", "closing", "passive close", "time wait",
};
/* Where most of the code is. */
static const u8 state_weight[STATES] = { 4, 8, 6, 66, 6, 6, 4 };

static u8 ccids[8] = { 2, 3, 248, 249, 250, 251, 252 };
static int n_ccids = 7;

struct conn {
	bool used, v6, server;	/* the kernel's end is the server */
	bool echo, sync;
	u8 ccid;
	enum state goal, state;
	int fd;
	u16 ours, theirs;
	int budget;
	u64 seq;		/* last one sent */
	u64 got;		/* greatest received */
	u64 last_ack;		/* of ours that was acknowledged */
	u32 timestamp, window;
	u8 confirm[256];	/* what the next packet has to confirm */
	int confirm_len;
};

struct packet {
	u8 type, x, ccval, coverage, tos;
	bool seq_ok, with_ack;
	u16 from, to;
	u64 seq, ack;
	u32 service;
	u8 reset[4];
	int offset;		/* in words, or -1: as it is */
	int cut;		/* bytes to cut off */
	u16 wrong;		/* added to the checksum */
	u8 opt[1200];
	int opt_len;
	u8 data[1600];
	int data_len;
};

static struct conn conns[CONNS];
static int listener[2][8];
static int tun;
static u64 number, seed;
static u8 last_frame[4096];
static int last_len;
static struct {
	u64 sent[STATES], opened[2][256], feedbacks[256], received[256];
	u64 answers[16], icmp;
} stats;

/* Random numbers: splitmix64 */

static u64 rng;

static u64 random64(void)
{
	u64 z = rng += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static u32 below(u32 n)
{
	return (random64() >> 32) * n >> 32;
}

static bool chance(u32 percent)
{
	return below(100) < percent;
}

/* Any number, with a liking for those that hurt. */
static u64 any(void)
{
	static const u64 edges[] = {
		0, 1, 2, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000,
		0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, 0x100000000,
		0x7fffffffffff, 0x800000000000, 0xfffffffffffe, 0xffffffffffff,
	};

	switch (below(4)) {
	case 0:
		return edges[below(sizeof(edges) / sizeof(*edges))];
	case 1:
		return below(1000);
	case 2:
		return 1ULL << below(48);
	default:
		return random64() >> below(64);
	}
}

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static u8 *put(u8 *to, u64 value, int n)
{
	while (n--)
		*to++ = value >> 8 * n;
	return to;
}

static u64 get(const u8 *from, int n)
{
	u64 v = 0;

	while (n--)
		v = v << 8 | *from++;
	return v;
}

/* Options */

static void option(struct packet *p, u8 kind, const void *value, int len)
{
	if (p->opt_len + len + 2 > 1000)
		return;
	p->opt[p->opt_len++] = kind;
	p->opt[p->opt_len++] = len + 2;
	memcpy(p->opt + p->opt_len, value, len);
	p->opt_len += len;
}

static void option_be(struct packet *p, u8 kind, u64 value, int len)
{
	u8 v[8];

	put(v, value, len);
	option(p, kind, v, len);
}

static void option_two(struct packet *p, u8 kind, u32 a, u32 b)
{
	option_be(p, kind, (u64)a << 32 | b, 8);
}

static void feature(struct packet *p, u8 kind, u8 number, u64 value, int len)
{
	u8 v[9] = { number };

	put(v + 1, value, len);
	option(p, kind, v, len + 1);
}

enum {
	MANDATORY = 1, CHANGE_L = 32, CONFIRM_L, CHANGE_R, CONFIRM_R, NDP = 37, VECTOR,
	TIMESTAMP = 41, ECHO, ELAPSED,
};

/* A number such as a peer would say, or now and then not. */
static u32 rate(void)
{
	return chance(10) ? any() : 1000 << below(14);
}

static void told(struct packet *p)
{
	u8 v[9];

	put(put(put(v, rate(), 4), chance(10) ? any() : 1000 << below(12), 4), below(256), 1);
	option(p, 203, v, sizeof(v));
}

/* What a receiver of data says. */
static void report(struct conn *c, struct packet *p)
{
	if (c->ccid == 2) {
		u8 v[20];
		int n = 1 + below(sizeof(v)), i;

		for (i = 0; i < n; i++)
			v[i] = chance(80) ? below(64) : random64();
		option(p, VECTOR + below(2), v, n);
		return;
	}
	if (chance(30))
		option_be(p, ELAPSED, chance(10) ? any() : below(10000), chance(50) ? 4 : 2);
	if (c->ccid == 3 && chance(20)) {
		u8 v[28];
		int i;

		for (i = 0; i < (int)sizeof(v); i++)
			v[i] = random64();
		option(p, 193, v, 1 + 9 * below(4));
	}
	option_be(p, 192, chance(50) ? 0xffffffff : chance(10) ? any() : 1 + below(10000), 4);
	option_be(p, 194, rate(), 4);
	if (c->ccid == 3)
		return;
	option_be(p, 200, chance(90) ? below(4) << 16 : any(), 4);
	if (c->ccid == 252) {
		option_be(p, 201, chance(80) ? 0 : any(), 4);
		option_be(p, 202, rate(), 4);
	} else if (c->ccid == 249 || c->ccid == 251) {
		told(p);
	}
}

/* What a sender of data says. */
static void state_of_sender(struct conn *c, struct packet *p)
{
	u8 v[64];
	int n, i;

	switch (c->ccid) {
	case 249:
		option_two(p, 138, rate(), chance(20) ? any() : below(100000));
		break;
	case 251:
		if (chance(50))
			option_two(p, 137, chance(20) ? any() : 1000 << below(10),
				   chance(20) ? any() : below(10000));
		if (chance(70))
			break;
		n = 1 + below(16);
		for (i = 0; i < n; i++)
			put(v + 4 * i, chance(95) ? 1000 * (i + 1) : any(), 4);
		option(p, 139, v, 4 * n);
		break;
	case 252:
		option_two(p, 136, chance(20) ? any() : 100000 << below(6),
			   chance(20) ? any() : 1000 << below(10));
		break;
	}
}

/* Packets */

static u64 next_seq(const struct conn *c)
{
	return (c->seq + 1) & SEQ_MASK;
}

static void start_packet(struct conn *c, struct packet *p, u8 type)
{
	memset(p, 0, offsetof(struct packet, opt));
	p->opt_len = 0;
	p->data_len = 0;
	p->type = type;
	p->x = 1;
	p->from = c->ours;
	p->to = c->theirs;
	p->seq = next_seq(c);
	p->ack = c->got;
	p->seq_ok = true;
	p->service = 0x64636370;
	p->offset = -1;
	p->with_ack = type != REQUEST && type != DATA;
	if (type == SYNCACK || type == SYNC)
		p->ack = c->got;
}

static void some_data(struct packet *p, int len)
{
	int i;

	p->data_len = len;
	for (i = 0; i < len; i += 8)
		put(p->data + i, random64(), 8);
}

/* Ask for a CCID in both directions. */
static void wish(struct conn *c, struct packet *p)
{
	feature(p, CHANGE_L, 1, c->ccid, 1);
	feature(p, CHANGE_R, 1, c->ccid, 1);
}

static u32 sum(u32 s, const u8 *data, int len)
{
	for (; len > 1; len -= 2, data += 2)
		s += data[0] << 8 | data[1];
	return len ? s + (data[0] << 8) : s;
}

static u16 fold(u32 s)
{
	while (s >> 16)
		s = (s & 0xffff) + (s >> 16);
	return ~s;
}

static const u8 addr4[2][4] = { { 10, 9, 9, 1 }, { 10, 9, 9, 2 } };
static const u8 addr6[2][16] = {
	{ 0xfd, 9, 0, 9, [15] = 1 }, { 0xfd, 9, 0, 9, [15] = 2 },
};

/* An IP header; returns the sum of the pseudo header. @from 1: the peer */
static u32 ip_header(u8 *f, bool v6, int from, u8 proto, u8 tos, int len)
{
	u8 pseudo[8];

	if (v6) {
		put(f, 6 << 28 | tos << 20, 4);
		put(f + 4, len, 2);
		f[6] = proto;
		f[7] = 64;
		memcpy(f + 8, addr6[from], 16);
		memcpy(f + 24, addr6[!from], 16);
		put(put(pseudo, len, 4), proto, 4);
		return sum(sum(0, pseudo, 8), f + 8, 32);
	}
	put(f, 0x4500 | tos, 2);
	put(f + 2, len + 20, 2);
	memset(f + 4, 0, 8);
	f[8] = 64;
	f[9] = proto;
	memcpy(f + 12, addr4[from], 4);
	memcpy(f + 16, addr4[!from], 4);
	put(f + 10, fold(sum(0, f, 20)), 2);
	put(put(pseudo, proto, 4), len, 4);
	return sum(sum(0, pseudo, 8), f + 12, 8);
}

static void input(void);

static void inject(const u8 *frame, int len)
{
	if (write(tun, frame, len) < 0 && errno != EINVAL)
		die("write to fuzz0");
	if (frame != last_frame) {
		memcpy(last_frame, frame, len);
		last_len = len;
	}
	input();
}

static void send_packet(struct conn *c, struct packet *p)
{
	const int ip = c->v6 ? 40 : 20;
	u8 frame[4096], *d = frame + ip, *at;
	int len, covered, words;
	u32 s;

	at = d + 9;
	if (p->x) {
		at = put(d + 9, 0, 1);
		at = put(at, p->seq, 6);
	} else {
		at = put(d + 9, p->seq, 3);
	}
	if (p->with_ack)
		at = p->x ? put(at, p->ack & SEQ_MASK, 8) : put(at, p->ack & 0xffffff, 4);
	if (p->type == REQUEST || p->type == RESPONSE)
		at = put(at, p->service, 4);
	if (p->type == RESET) {
		memcpy(at, p->reset, 4);
		at += 4;
	}
	memcpy(at, p->opt, p->opt_len);
	at += p->opt_len;
	while ((at - d) % 4)
		*at++ = 0;
	words = (at - d) / 4;
	memcpy(at, p->data, p->data_len);
	len = at - d + p->data_len;
	if (p->cut)
		len = p->cut < len ? len - p->cut : 0;

	put(d, p->from, 2);
	put(d + 2, p->to, 2);
	d[4] = p->offset >= 0 ? p->offset : words;
	d[5] = p->ccval << 4 | (p->coverage & 15);
	put(d + 6, 0, 2);
	d[8] = p->type << 1 | p->x;
	s = ip_header(frame, c->v6, 1, PROTO_DCCP, p->tos, len);
	covered = len;
	if (p->coverage && d[4] * 4 + (p->coverage - 1) * 4 < len)
		covered = d[4] * 4 + (p->coverage - 1) * 4;
	if (len >= 8)
		put(d + 6, fold(sum(s, d, covered)) + p->wrong, 2);
	if (p->seq_ok)
		c->seq = p->seq;
	c->confirm_len = 0;
	inject(frame, ip + len);
}

/* What a router would say of a packet of the kernel's. */
static void send_icmp(struct conn *c)
{
	static const u8 types[2][6] = { { 3, 3, 3, 11, 12, 4 }, { 1, 2, 3, 4, 1, 2 } };
	const int ip = c->v6 ? 40 : 20;
	u8 frame[256], *icmp = frame + ip, *inner = icmp + 8, *d = inner + ip;
	int inside = chance(80) ? 28 : below(29), len = 8 + ip + inside;
	u32 s;

	memset(frame, 0, sizeof(frame));
	icmp[0] = types[c->v6][below(6)];
	icmp[1] = chance(90) ? below(16) : below(256);
	put(icmp + 4, chance(50) ? 0 : any(), 4);
	if (chance(50))
		put(icmp + 4, 68 + below(1500), 4);
	ip_header(inner, c->v6, 0, PROTO_DCCP, 0, 28);
	put(d, c->theirs, 2);
	put(d + 2, c->ours, 2);
	d[4] = 7;
	d[8] = below(10) << 1 | !chance(10);
	put(d + 10, chance(70) ? c->got : any(), 6);
	s = ip_header(frame, c->v6, 1, c->v6 ? 58 : 1, 0, len);
	put(icmp + 2, fold(sum(c->v6 ? s : 0, icmp, len)), 2);
	stats.icmp++;
	inject(frame, ip + len);
}

/* What the kernel says. */

static void take_options(struct conn *c, const u8 *opt, const u8 *end)
{
	int len;

	for (; opt < end; opt += len) {
		len = *opt < 32 ? 1 : opt + 1 < end ? opt[1] : 0;
		if (!len || opt + len > end)
			return;
		if ((*opt == CHANGE_L || *opt == CHANGE_R) && len > 3 &&
		    c->confirm_len + len < (int)sizeof(c->confirm)) {
			/* not a list for a number; of a list the first */
			bool nn = opt[2] == 3 || opt[2] == 5;
			u8 *to = c->confirm + c->confirm_len;

			to[0] = *opt == CHANGE_L ? CONFIRM_R : CONFIRM_L;
			to[1] = nn ? len : 4;
			memcpy(to + 2, opt + 2, to[1] - 2);
			c->confirm_len += to[1];
			if (opt[2] == 3)
				c->window = get(opt + 3, len - 3);
		} else if (*opt == TIMESTAMP && len == 6) {
			c->timestamp = get(opt + 2, 4);
			c->echo = true;
		}
	}
}

static void input(void)
{
	u8 f[4096];
	int len, ip, head;

	while ((len = read(tun, f, sizeof(f))) > 0) {
		const u8 *d;
		struct conn *c;
		u64 seq;
		u8 type;

		ip = f[0] >> 4 == 6 ? 40 : 20;
		if (len < ip + 16 || f[ip == 40 ? 6 : 9] != PROTO_DCCP)
			continue;
		d = f + ip;
		type = d[8] >> 1 & 15;
		stats.answers[type]++;
		head = get(d + 2, 2) - OUR_PORT;
		if (head < 0 || !conns[head % CONNS].used ||
		    conns[head % CONNS].ours != head + OUR_PORT)
			continue;
		c = &conns[head % CONNS];
		c->theirs = get(d, 2);
		seq = get(d + 10, 6);
		if (!c->got || (int64_t)((seq - c->got) << 16) > 0)
			c->got = seq;
		head = 16;
		if (type != REQUEST && type != DATA) {
			c->last_ack = get(d + 18, 6);
			head = 24;
			/* Further than we are: what was out of order was accepted. */
			if ((int64_t)((c->last_ack - c->seq) << 16) > 0 && type != RESET &&
			    type != SYNC)
				c->seq = c->last_ack;
		}
		if (type == REQUEST || type == RESPONSE || type == RESET)
			head += 4;
		if (d[4] * 4 > head && ip + d[4] * 4 <= len)
			take_options(c, d + head, d + d[4] * 4);
		if (type == RESET)
			c->state = TIMEWAIT;
		else if (type == SYNC)
			c->sync = true;
		else if (type == RESPONSE && c->state == LISTENING)
			c->state = HALF;
		else if (type == REQUEST && !c->server && c->state == LISTENING)
			c->state = HALF;
	}
}

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

/* The attack */

/* As the state would have it. */
static void likely_packet(struct conn *c, struct packet *p)
{
	static const u8 weight[10] = { 2, 2, 26, 32, 26, 1, 1, 1, 5, 4 };
	u32 w = below(100);
	u8 type = 0;

	while (w >= weight[type])
		w -= weight[type++];
	if (c->state <= HALF && chance(60))
		type = c->server ? (c->state == LISTENING ? REQUEST : ACK) : RESPONSE;
	start_packet(c, p, type);
	if (c->confirm_len && type != DATA && chance(80)) {
		memcpy(p->opt, c->confirm, c->confirm_len);
		p->opt_len = c->confirm_len;
	}
	if (type == REQUEST || type == RESPONSE)
		wish(c, p);
	if ((type == ACK || type == DATAACK) && chance(85))
		report(c, p);
	if (type == DATA || type == DATAACK) {
		if (chance(40))
			state_of_sender(c, p);
		some_data(p, chance(90) ? 100 : below(1400));
		p->ccval = c->ccid == 251 ? below(2) : (number >> 3) & 15;
	}
	if (type != DATA && chance(5))
		option_be(p, TIMESTAMP, any(), 4);
	if (c->echo && chance(20))
		option_be(p, ECHO, chance(80) ? c->timestamp : any(), 4 + 2 * below(3));
	if (chance(30))
		option_be(p, NDP, below(4), 1);
	if (type != DATA && chance(3))
		feature(p, CHANGE_L, 3, chance(80) ? 32 << below(12) : any(), 6);
	p->reset[0] = below(12);
}

static void any_option(struct packet *p)
{
	static const u8 kinds[] = {
		0, 1, 2, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 127,
		128, 136, 137, 138, 139, 140, 191, 192, 193, 194, 195, 196, 199, 200, 201,
		202, 203, 204, 255,
	};
	u8 v[253], kind = chance(80) ? kinds[below(sizeof(kinds))] : random64();
	int len = chance(60) ? below(12) : below(254), how = below(4), i;

	for (i = 0; i < len; i++)
		v[i] = how == 0 ? 0 : how == 1 ? 0xff : how == 2 ? i : random64();
	option(p, kind, v, len);
}

static void any_feature(struct packet *p)
{
	u8 v[40] = { chance(90) ? below(12) : random64() };
	int len = 1 + (chance(80) ? below(8) : below(39)), i;

	for (i = 1; i < len; i++)
		v[i] = chance(50) ? ccids[below(n_ccids)] : any();
	option(p, CHANGE_L + below(4), v, len);
}

static u64 near(const struct conn *c, u64 n)
{
	const u64 w = c->window, at[] = {
		0, 1, 2, 3, 10, w / 4, w / 4 + 1, w * 3 / 4, w * 3 / 4 + 1, w - 1, w, w + 1,
		1ULL << 23, 1ULL << 24, 1ULL << 46, 1ULL << 47, (1ULL << 47) - 1,
	};
	u64 off = at[below(sizeof(at) / sizeof(*at))];

	if (chance(10))
		return any() & SEQ_MASK;
	return (chance(50) ? n + off : n - off) & SEQ_MASK;
}

static void insert(struct packet *p, int at, u8 byte)
{
	if (p->opt_len >= 1000)
		return;
	memmove(p->opt + at + 1, p->opt + at, p->opt_len - at);
	p->opt[at] = byte;
	p->opt_len++;
}

static void mutate(struct conn *c, struct packet *p)
{
	const int at = p->opt_len ? below(p->opt_len) : 0;
	int n;

	switch (below(28)) {
	case 0:
		p->seq = near(c, next_seq(c));
		p->seq_ok = false;
		break;
	case 1:		/* a few are missing: a loss */
		p->seq = (p->seq + 1 + below(4)) & SEQ_MASK;
		break;
	case 2:
		p->ack = near(c, c->got);
		break;
	case 3:		/* what was sent long ago */
		p->ack = (c->got - below(c->window)) & SEQ_MASK;
		break;
	case 4:
		p->type = chance(80) ? below(10) : below(16);
		if (chance(80))
			p->with_ack = p->type != REQUEST && p->type != DATA;
		break;
	case 5:
		p->ccval = below(16);
		break;
	case 6:
		p->coverage = below(16);
		break;
	case 7:
		p->wrong = chance(50) ? 1 : random64();
		break;
	case 8 ... 10:
		any_option(p);
		break;
	case 11 ... 13:
		if (p->opt_len)
			p->opt[at] = chance(50) ? any() : p->opt[at] + below(3) - 1;
		break;
	case 14:
		n = p->opt_len;
		if (2 * n <= 1000) {
			memcpy(p->opt + n, p->opt, n);
			p->opt_len = 2 * n;
		}
		break;
	case 15:	/* an option that ends behind the end */
		any_option(p);
		if (p->opt_len)
			p->opt_len -= below(p->opt_len < 8 ? p->opt_len : 8);
		break;
	case 16:
		p->offset = chance(50) ? below(16) : below(256);
		break;
	case 17:
		p->cut = 1 + below(chance(50) ? 8 : 64);
		break;
	case 18:
		some_data(p, chance(50) ? below(4) : below(1500));
		break;
	case 19:
		p->x = 0;
		break;
	case 20:
		p->service = any();
		put(p->reset, any(), 4);
		break;
	case 21:
		insert(p, at, MANDATORY);
		break;
	case 22:
		insert(p, at, any());
		break;
	case 23:
	case 24:
		any_feature(p);
		break;
	case 25:
		p->tos = below(4);
		break;
	case 26:
		if (chance(50))
			report(c, p);
		else
			state_of_sender(c, p);
		break;
	case 27:	/* all the room that there is */
		if (chance(20))
			while (p->opt_len < 990)
				any_option(p);
		else if (chance(50))
			p->to = LISTEN_PORT + below(10);
		else
			p->from = OUR_PORT + below(CONNS);
		break;
	}
}

static void attack(struct conn *c)
{
	struct packet p;
	int n;

	if (c->sync && chance(85)) {	/* or nothing would be accepted any more */
		c->sync = false;
		start_packet(c, &p, SYNCACK);
		send_packet(c, &p);
		return;
	}
	if (chance(2)) {
		send_icmp(c);
		return;
	}
	if (last_len && chance(1)) {
		inject(last_frame, last_len);
		return;
	}
	likely_packet(c, &p);
	n = below(100);
	n = n < 30 ? 0 : n < 75 ? 1 : n < 92 ? 2 : 3 + below(8);
	while (n--)
		mutate(c, &p);
	send_packet(c, &p);
}

/* What a program does meanwhile */

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

static void step(void)
{
	const int slot = below(CONNS);
	struct conn *c = &conns[slot];

	if (!c->used)
		open_conn(slot);
	/* Where a handshake fails, an attack is due anyway. */
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
	/* Let what has to do with the last episode end. */
	sleep_ns(600ULL * 1000000000);
	rng = seed * 0x9e3779b97f4a7c15 + number / EPISODE;
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
		   "ip link set fuzz0 up"))
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
		printf(" %s %llu", type_name[i], (unsigned long long)stats.answers[i]);
	printf("\n  ICMP           %llu\n", (unsigned long long)stats.icmp);
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
