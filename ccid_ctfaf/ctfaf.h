/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _CTFAF_H
#define _CTFAF_H

#include <net/tfrc_interval.h>
#include <uapi/linux/dccp_ccid.h>

/* lda.c: LDA+, section 4 of the paper */

/**
 * struct lda - state of LDA+
 * @a_init: first value of A, and the least that it has afterwards
 * @a: additive increase rate A of the last step
 * @rtt: smoothed round-trip time and its mean deviation
 * @climb: a rate below r_TCP rises to it by @a_init at each report
 */
struct lda {
	u64	a_init;
	u64	a;
	struct tfrc_srtt rtt;
	bool	climb;
};

/**
 * struct lda_report - input of LDA+
 * @loss: share l of the packets that were lost, scaled by 2^32
 * @s: packet size M, bytes
 * @nominal: nominal packet size, bytes; 0: none
 * @bottleneck: bandwidth R_b, 0 if unknown
 * @rtt: round-trip time tau
 * @interval: report interval T
 */
struct lda_report {
	u32	loss;
	u32	s;
	u32	nominal;
	u64	bottleneck;
	u64	rtt;
	u64	interval;
};

void lda_init(struct lda *lda, u64 a_init);
u32 lda_loss(u64 lost, u64 data, u32 share);
s64 lda_ask(struct lda *lda, u64 r, const struct lda_report *rep);

/* constraint.c: the framework, sections 2 and 3 */

#define CTFAF_RUNGS_MAX	16

/**
 * struct ctfaf - state of the framework
 * @par: constraints as the application gave them
 * @rung: the encoder's rates, bytes/s, if they are not evenly spaced
 * @n_rungs: how many there are
 * @r: constrained, unquantised rate
 * @b: virtual bandwidth B, in the unit of a rate, with a sign
 * @owed: by how much a gentle reset still has to move r, likewise
 * @asked: last change that the algorithm asked for, likewise
 * @most: limit of r for this report
 * @sent: rates that were sent between the last steps
 * @t_start: when the connection began to send
 * @t_reset: when B was last reset
 * @t_due: when the next step is due
 * @resets: how often B was reset
 * @steps: number of reports that led to a decision
 * @unused: less than half of X was used
 * @decision: the last one
 */
struct ctfaf {
	struct dccp_ctfaf_constraints	par;
	u32				rung[CTFAF_RUNGS_MAX];
	u32				n_rungs;
	u64				r;
	s64				b;
	s64				owed;
	s64				asked;
	u64				most;
	u64				sent[3];
	u64				t_start;
	u64				t_reset;
	u64				t_due;
	u32				resets;
	u32				steps;
	bool				unused;
	enum dccp_ctfaf_decision	decision;
};

bool ctfaf_tx_params_valid(const void *values);
bool ctfaf_rx_params_valid(const void *values);
bool ctfaf_rungs_valid(const u32 *rung, u32 n);
u64 ctfaf_start_rate(const struct ctfaf *c, u64 initial);
void ctfaf_start(struct ctfaf *c, u64 initial, u64 now);
void ctfaf_constrain(struct ctfaf *c, const struct dccp_ctfaf_constraints *par);
void ctfaf_set_rungs(struct ctfaf *c, const u32 *rung, u32 n);
bool ctfaf_at_greatest(const struct ctfaf *c);
bool ctfaf_due(const struct ctfaf *c, u64 interval, u64 now);
void ctfaf_stepped(struct ctfaf *c, u64 interval, u64 now);
void ctfaf_sent(struct ctfaf *c, u64 sent, u64 initial);
u64 ctfaf_begin(struct ctfaf *c, u64 used, u64 floor);
void ctfaf_step(struct ctfaf *c, s64 ask, u32 loss, u64 interval, u64 now);
void ctfaf_timeout(struct ctfaf *c, bool idle, u64 initial);
u64 ctfaf_rate(const struct ctfaf *c);

/* pair.c: packet pairs, section 4.1.1 */

#define PAIR_WINDOW	31

/**
 * struct pair_filter - estimates of the bottleneck's bandwidth
 * @estimate: the last ones, a ring
 * @n: number of estimates so far
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

void pair_packet(struct pair_filter *f, u64 seq, u8 position, u32 len, u64 now);
u64 pair_median(const struct pair_filter *f);

/**
 * struct pair_train - the sender's trains of probe packets
 * @wanted: a report has come, the next packets may be a train
 * @position: place of the last packet in a train, 0 if it was in none
 * @reports: reports since the last train was wanted
 * @sent: a train was sent since the last report
 * @same: reports after a train in a row that had about @bandwidth
 * @bandwidth: the one that the others are compared with, 0 before the first
 * @last: when the last packet was sent
 * @until: until when the next packet is held back, 0: it is not
 */
struct pair_train {
	bool	wanted;
	u8	position;
	u8	reports;
	bool	sent;
	u8	same;
	u64	bandwidth;
	u64	last;
	u64	until;
};

void pair_report(struct pair_train *t, u8 every, u8 steady, u64 bandwidth);
u64 pair_hold(struct pair_train *t, bool more, u64 longest, u64 now);
bool pair_place(struct pair_train *t, bool more, u8 n, u64 now);

/* sender.c */

/* @options of struct tfrc_sender and of struct tfrc_receiver */
#define CTFAF_HAS_INTERVAL	0x1

/**
 * struct ctfaf_sender - a CTFAF sender
 * @is: a sender that takes a step each T
 * @ct: the framework
 * @lda: the algorithm
 * @train: packets that measure the bottleneck
 * @bottleneck: R_b, as reported last, 0 if unknown
 * @loss: share of packets lost until the last step, scaled by 2^32
 * @fallen: packets that had been sent when X last fell because of losses
 * @resume: half of X before the nofeedback timer expired, while @timed_out
 * @stated: how often T and R had changed when a packet stated them last
 * @timed_out: number of the next steps whose losses the nofeedback timer has reacted to
 */
struct ctfaf_sender {
	struct interval_sender	is;
	struct ctfaf		ct;
	struct lda		lda;
	struct pair_train	train;
	u64			bottleneck;
	u64			fallen;
	u64			resume;
	u32			loss;
	u32			stated;
	u8			timed_out;
};

void ctfaf_sender_constrain(struct ctfaf_sender *cs);
void ctfaf_sender_start(struct tfrc_sender *snd, u64 now);
bool ctfaf_sender_feedback(struct ctfaf_sender *cs,
			   const struct tfrc_report *rep, u64 now);
void ctfaf_sender_timeout(struct ctfaf_sender *cs, bool idle);
u8 ctfaf_sender_options(struct ctfaf_sender *cs);
u64 ctfaf_sender_hold(struct ctfaf_sender *cs, u32 len, bool more, u64 ipi,
		      u64 now);
bool ctfaf_sender_place(struct ctfaf_sender *cs, bool more, u8 *ccval,
			u64 now);

/* receiver.c */

/**
 * struct ctfaf_receiver - a CTFAF receiver
 * @ir: a receiver that reports each T
 * @pair: bandwidth of the bottleneck
 * @interval: T in the option INTERVAL of the packet being received, if it has it, ns
 * @rtt: R in it, ns
 */
struct ctfaf_receiver {
	struct interval_receiver	ir;
	struct pair_filter		pair;
	u64				interval;
	u64				rtt;
};

bool ctfaf_receiver_packet(struct tfrc_receiver *r,
			   const struct tfrc_rx_packet *pkt, u64 now);
void ctfaf_receiver_report(struct tfrc_receiver *r, struct tfrc_feedback *fb,
			   u64 now);

#endif /* _CTFAF_H */
