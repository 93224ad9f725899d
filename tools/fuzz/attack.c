// SPDX-License-Identifier: GPL-2.0-only
/*
 * The attack of fuzz-packets: a packet that is right in its state, except for one fault,
 * two, or up to ten.
 */
#include <string.h>

#include "attack.h"
#include "peer.h"

/* A packet that is right in the present state */
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
		202, 203, 204, 205, 255,
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

/*
 * A wrong sequence number in the place of @n.  The kernel begins with a random number
 * (@first).  Numbers far away are relative to it, so that runs are alike.
 */
static u64 near(const struct conn *c, u64 n, u64 first)
{
	const u64 w = c->window, at[] = {
		0, 1, 2, 3, 10, w / 4, w / 4 + 1, w * 3 / 4, w * 3 / 4 + 1, w - 1, w, w + 1,
		1ULL << 23, 1ULL << 24, 1ULL << 46, 1ULL << 47, (1ULL << 47) - 1,
	};
	u64 off = at[below(sizeof(at) / sizeof(*at))];

	if (chance(10))
		return (first + any()) & SEQ_MASK;
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

	switch (below(30)) {
	case 0:
		p->seq = near(c, next_seq(c), 0);
		p->seq_ok = false;
		break;
	case 1:		/* a few are missing: a loss */
		p->seq = (p->seq + 1 + below(4)) & SEQ_MASK;
		break;
	case 2:
		p->ack = near(c, c->got, c->first);
		break;
	case 3:		/* a packet that was sent long ago */
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
	case 15:	/* an option that ends after the end of the header */
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
	case 27:	/* options that fill the header */
		if (chance(20))
			while (p->opt_len < 990)
				any_option(p);
		else if (chance(50))
			p->to = LISTEN_PORT + below(10);
		else
			p->from = OUR_PORT + below(CONNS);
		break;
	case 28:	/* from another UDP port, or none, or out of the blue */
		p->udp = p->udp && chance(30) ? 0 : OUR_UDP_PORT + below(CONNS);
		break;
	case 29:
		if (chance(30))
			p->udp_unchecked = true;
		else if (chance(50))
			p->udp_len = chance(50) ? below(40) - 20 : any();
		else
			p->udp_wrong = 1 + below(3);
		break;
	}
}

void attack(struct conn *c)
{
	struct packet p;
	int n;

	if (c->sync && chance(85)) {	/* otherwise no further packet would be accepted */
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
