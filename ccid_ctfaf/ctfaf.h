/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _CTFAF_H
#define _CTFAF_H

#include <net/tfrc.h>
#include <uapi/linux/dccp_ccid.h>

/* lda.c: LDA+, section 4 of the paper */

/**
 * struct lda - state of LDA+
 * @a_init: first value of A, and the least that is carried on
 * @a: additive increase rate A of the last step
 * @srtt: smoothed round-trip time, 0 before the first sample
 * @rttvar: its mean deviation
 */
struct lda {
	u64	a_init;
	u64	a;
	u64	srtt;
	u64	rttvar;
};

/**
 * struct lda_report - what LDA+ works from
 * @loss: share l of the packets that were lost, scaled by 2^32
 * @s: packet size M, bytes
 * @bottleneck: bandwidth R_b, 0 if unknown
 * @rtt: round-trip time tau
 * @interval: report interval T
 */
struct lda_report {
	u32	loss;
	u32	s;
	u64	bottleneck;
	u64	rtt;
	u64	interval;
};

void lda_init(struct lda *lda, u64 a_init);
void lda_rtt_sample(struct lda *lda, u64 sample);
u64 lda_timeout(const struct lda *lda, u64 rtt);
u64 lda_add(u64 a, u64 r, u64 bottleneck);
u64 lda_exp(u64 r, u64 bottleneck);
u64 lda_tcp_increase(u32 s, u64 interval, u64 rtt);
u64 lda_tcp_rate(u32 s, u64 rtt, u64 t_out, u32 loss);
u64 lda_decreased(u64 r, u32 loss, u64 r_tcp);
s64 lda_ask(struct lda *lda, u64 r, const struct lda_report *rep);

/* constraint.c: the framework, sections 2 and 3 */

/**
 * struct ctfaf - state of the framework
 * @par: constraints as the application gave them
 * @r: constrained, unquantised rate
 * @b: virtual bandwidth B, in the unit of a rate, with a sign
 * @asked: what the algorithm asked for last, likewise
 * @t_start: when the connection began to send
 * @t_reset: when B was last reset
 * @resets: how often it was
 * @decision: the last one
 */
struct ctfaf {
	struct dccp_ctfaf_constraints	par;
	u64				r;
	s64				b;
	s64				asked;
	u64				t_start;
	u64				t_reset;
	u32				resets;
	enum dccp_ctfaf_decision	decision;
};

bool ctfaf_constraints_valid(const void *values);
void ctfaf_start(struct ctfaf *c, u64 now);
void ctfaf_constrain(struct ctfaf *c, const struct dccp_ctfaf_constraints *par);
void ctfaf_decide(struct ctfaf *c, s64 ask, u32 loss, bool init);
void ctfaf_reset(struct ctfaf *c, u64 interval);
void ctfaf_step(struct ctfaf *c, s64 ask, u32 loss, u64 used, u64 interval,
		u64 now);
void ctfaf_silence(struct ctfaf *c, bool idle);
u64 ctfaf_rate(const struct ctfaf *c);

/* pair.c: packet pairs, section 4.1.1 */

#define PAIR_WINDOW	31

/**
 * struct pair_filter - estimates of the bottleneck's bandwidth
 * @estimate: the last ones, a ring
 * @n: how many there ever were
 * @seq: last packet
 * @time: when it arrived
 * @position: its place in a train of probe packets, 0 if in none
 */
struct pair_filter {
	u64	estimate[PAIR_WINDOW];
	u32	n;
	u64	seq;
	u64	time;
	u8	position;
};

u64 pair_bandwidth(u32 len, u64 gap);
void pair_packet(struct pair_filter *f, u64 seq, u8 position, u32 len, u64 now);
u64 pair_median(const struct pair_filter *f);

#endif /* _CTFAF_H */
