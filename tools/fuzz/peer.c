// SPDX-License-Identifier: GPL-2.0-only
/*
 * The peer of fuzz-packets: DCCP over IPv4 and IPv6, by a TUN device. Its packets are
 * right unless the caller adds a fault. It keeps its state by the packets that it
 * receives.
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "peer.h"

u64 rng;
struct conn conns[CONNS];
int tun, last_len;
u8 last_frame[4096];
u64 answers[16], icmps;

void die(const char *what)
{
	perror(what);
	exit(1);
}

u8 *put(u8 *to, u64 value, int n)
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

void option(struct packet *p, u8 kind, const void *value, int len)
{
	if (p->opt_len + len + 2 > 1000)
		return;
	p->opt[p->opt_len++] = kind;
	p->opt[p->opt_len++] = len + 2;
	memcpy(p->opt + p->opt_len, value, len);
	p->opt_len += len;
}

void option_be(struct packet *p, u8 kind, u64 value, int len)
{
	u8 v[8];

	put(v, value, len);
	option(p, kind, v, len);
}

static void option_two(struct packet *p, u8 kind, u32 a, u32 b)
{
	option_be(p, kind, (u64)a << 32 | b, 8);
}

void feature(struct packet *p, u8 kind, u8 number, u64 value, int len)
{
	u8 v[9] = { number };

	put(v + 1, value, len);
	option(p, kind, v, len + 1);
}

/* A rate that a peer could report, or sometimes any number */
static u32 rate(void)
{
	return chance(10) ? any() : 1000 << below(14);
}

static void request(struct packet *p)
{
	u8 v[9];

	put(put(put(v, rate(), 4), chance(10) ? any() : 1000 << below(12), 4), below(256), 1);
	option(p, 203, v, sizeof(v));
}

/* Options of a receiver of data */
void report(struct conn *c, struct packet *p)
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
		request(p);
	}
}

/* Options of a sender of data */
void state_of_sender(struct conn *c, struct packet *p)
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

u64 next_seq(const struct conn *c)
{
	return (c->seq + 1) & SEQ_MASK;
}

void start_packet(struct conn *c, struct packet *p, u8 type)
{
	memset(p, 0, offsetof(struct packet, opt));
	p->opt_len = 0;
	p->data_len = 0;
	p->type = type;
	p->x = 1;
	p->from = c->ours;
	p->to = c->theirs;
	p->udp = c->udp;
	p->seq = next_seq(c);
	p->ack = c->got;
	p->seq_ok = true;
	p->service = 0x64636370;
	p->offset = -1;
	p->with_ack = type != REQUEST && type != DATA;
	if (type == SYNCACK || type == SYNC)
		p->ack = c->got;
}

void some_data(struct packet *p, int len)
{
	int i;

	p->data_len = len;
	for (i = 0; i < len; i += 8)
		put(p->data + i, random64(), 8);
}

/* Ask for a CCID in both directions. */
void wish(struct conn *c, struct packet *p)
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

const u8 addr4[2][4] = { { 10, 9, 9, 1 }, { 10, 9, 9, 2 } };
const u8 addr6[2][16] = {
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

void inject(const u8 *frame, int len)
{
	if (write(tun, frame, len) < 0 && errno != EINVAL)
		die("write to fuzz0");
	if (frame != last_frame) {
		memcpy(last_frame, frame, len);
		last_len = len;
	}
	input();
}

void send_packet(struct conn *c, struct packet *p)
{
	const int ip = c->v6 ? 40 : 20, udp = p->udp ? 8 : 0;
	u8 frame[4096], *u = frame + ip, *d = u + udp, *at;
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
	s = ip_header(frame, c->v6, 1, udp ? PROTO_UDP : PROTO_DCCP, p->tos, len + udp);
	covered = len;
	if (p->coverage && d[4] * 4 + (p->coverage - 1) * 4 < len)
		covered = d[4] * 4 + (p->coverage - 1) * 4;
	if (udp) {	/* the checksum in d is nobody's concern */
		const u16 says = len + udp + p->udp_len;

		put(d + 6, p->wrong, 2);
		put(u, p->udp, 2);
		put(u + 2, UDP_PORT, 2);
		put(u + 4, says, 2);
		put(u + 6, 0, 2);
		/* of the length that it says, so that only that is wrong */
		s = sum(s + says + (u16)~(len + udp), u, says < len + udp ? says : len + udp);
		if (!p->udp_unchecked)
			put(u + 6, (fold(s) ?: 0xffff) + p->udp_wrong, 2);
	} else if (len >= 8) {
		put(d + 6, fold(sum(s, d, covered)) + p->wrong, 2);
	}
	if (p->seq_ok)
		c->seq = p->seq;
	c->confirm_len = 0;
	inject(frame, ip + udp + len);
}

/* An ICMP error that a router could send for a packet of the kernel */
void send_icmp(struct conn *c)
{
	static const u8 types[2][6] = { { 3, 3, 3, 11, 12, 4 }, { 1, 2, 3, 4, 1, 2 } };
	const int ip = c->v6 ? 40 : 20, udp = c->udp ? 8 : 0;
	u8 frame[256], *icmp = frame + ip, *inner = icmp + 8, *d = inner + ip + udp;
	int inside = chance(80) ? 28 + udp : below(29 + udp), len = 8 + ip + inside;
	u32 s;

	memset(frame, 0, sizeof(frame));
	icmp[0] = types[c->v6][below(6)];
	icmp[1] = chance(90) ? below(16) : below(256);
	put(icmp + 4, chance(50) ? 0 : any(), 4);
	if (chance(50))
		put(icmp + 4, 68 + below(1500), 4);
	ip_header(inner, c->v6, 0, udp ? PROTO_UDP : PROTO_DCCP, 0, 28 + udp);
	if (udp) {
		put(inner + ip, UDP_PORT, 2);
		put(inner + ip + 2, c->udp + (chance(90) ? 0 : below(3)), 2);
		put(inner + ip + 4, 28 + udp, 2);
	}
	put(d, c->theirs, 2);
	put(d + 2, c->ours, 2);
	d[4] = 7;
	d[8] = below(10) << 1 | !chance(10);
	put(d + 10, chance(70) ? c->got : c->first + any(), 6);
	s = ip_header(frame, c->v6, 1, c->v6 ? 58 : 1, 0, len);
	put(icmp + 2, fold(sum(c->v6 ? s : 0, icmp, len)), 2);
	icmps++;
	inject(frame, ip + len);
}

/* Packets of the kernel */

static void take_options(struct conn *c, const u8 *opt, const u8 *end)
{
	int len;

	for (; opt < end; opt += len) {
		len = *opt < 32 ? 1 : opt + 1 < end ? opt[1] : 0;
		if (!len || opt + len > end)
			return;
		if ((*opt == CHANGE_L || *opt == CHANGE_R) && len > 3 &&
		    c->confirm_len + len < (int)sizeof(c->confirm)) {
			/* a number; or a list, of which the first value counts */
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

void input(void)
{
	u8 f[4096];
	int len, ip, head;

	while ((len = read(tun, f, sizeof(f))) > 0) {
		const u8 *d;
		struct conn *c;
		u64 seq;
		u8 type, proto;

		ip = f[0] >> 4 == 6 ? 40 : 20;
		proto = f[ip == 40 ? 6 : 9];
		if (proto == PROTO_UDP && len >= ip + 8 && get(f + ip, 2) == UDP_PORT)
			ip += 8;
		else if (proto != PROTO_DCCP)
			continue;
		if (len < ip + 16)
			continue;
		d = f + ip;
		type = d[8] >> 1 & 15;
		answers[type]++;
		head = get(d + 2, 2) - OUR_PORT;
		if (head < 0 || !conns[head % CONNS].used ||
		    conns[head % CONNS].ours != head + OUR_PORT)
			continue;
		c = &conns[head % CONNS];
		c->theirs = get(d, 2);
		seq = get(d + 10, 6);
		if (!c->got)
			c->first = seq;
		/* A Reset without a connection has a number of its own. */
		if (!c->got || (type != RESET && (int64_t)((seq - c->got) << 16) > 0))
			c->got = seq;
		head = 16;
		if (type != REQUEST && type != DATA) {
			c->last_ack = get(d + 18, 6);
			head = 24;
			/* Ahead of this peer's number: a packet out of order was accepted. */
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
