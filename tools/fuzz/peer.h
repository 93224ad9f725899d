/* SPDX-License-Identifier: GPL-2.0-only */
/* The peer: its state of a connection, and the packets that it sends. */
#ifndef FUZZ_PEER_H
#define FUZZ_PEER_H

#include "random.h"

#define CONNS		24
#define LISTEN_PORT	5000
#define OUR_PORT	10000
#define SEQ_MASK	((1ULL << 48) - 1)
#define PROTO_DCCP	33
#define PROTO_UDP	17
#define UDP_PORT	6511	/* the kernel's, for DCCP over UDP */
#define OUR_UDP_PORT	20000

enum { REQUEST, RESPONSE, DATA, ACK, DATAACK, CLOSEREQ, CLOSE, RESET, SYNC, SYNCACK };

enum {
	MANDATORY = 1, CHANGE_L = 32, CONFIRM_L, CHANGE_R, CONFIRM_R, NDP = 37, VECTOR,
	TIMESTAMP = 41, ECHO, ELAPSED,
};

/* The state to which a connection is brought before the attack */
enum state { LISTENING, HALF, PARTOPEN, OPEN, CLOSING, PASSIVE, TIMEWAIT, STATES };

struct conn {
	bool used, v6, server;	/* the kernel's end is the server */
	bool echo, sync;
	u8 ccid;
	enum state goal, state;
	int fd;
	u16 ours, theirs;
	u16 udp;		/* our UDP port; 0: plain DCCP */
	int budget;
	u64 seq;		/* last one sent */
	u64 first, got;		/* first and greatest received */
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
	u16 udp;		/* from this UDP port; 0: without UDP */
	u16 udp_wrong, udp_len;	/* added to checksum and length there */
	bool udp_unchecked;	/* no checksum there */
	u8 opt[1200];
	int opt_len;
	u8 data[1600];
	int data_len;
};

extern struct conn conns[CONNS];
extern int tun;			/* where the peer's packets go, and the kernel's come from */
extern u8 last_frame[4096];	/* the last packet, to be sent again */
extern int last_len;
extern u64 answers[16], icmps;	/* packets by type from the kernel, ICMP to it */

extern const u8 addr4[2][4], addr6[2][16];	/* the kernel's, the peer's */

void die(const char *what);
u8 *put(u8 *to, u64 value, int n);
void option_be(struct packet *p, u8 kind, u64 value, int len);
void feature(struct packet *p, u8 kind, u8 number, u64 value, int len);
void option(struct packet *p, u8 kind, const void *value, int len);
void report(struct conn *c, struct packet *p);
void state_of_sender(struct conn *c, struct packet *p);
u64 next_seq(const struct conn *c);
void start_packet(struct conn *c, struct packet *p, u8 type);
void some_data(struct packet *p, int len);
void wish(struct conn *c, struct packet *p);
void input(void);
void inject(const u8 *frame, int len);
void send_packet(struct conn *c, struct packet *p);
void send_icmp(struct conn *c);

#endif
