// SPDX-License-Identifier: GPL-2.0-only
/*
 * A proportional response to ECN marks, for queues of the L4S architecture (RFC 9331).
 *
 * A classic sender takes a mark for a loss (RFC 3168, 5), so marks must be rare. A queue
 * for L4S marks each packet that waits longer than about a millisecond, as long as the
 * queue lasts. Packets with the codepoint ECT(1) are sent by those who expect that, and
 * respond to how many of the packets are marked. With the parameter l4s any scheme
 * whose CCID uses ECN sends at no more than X_l4s, which follows the share of marked
 * packets. The scheme and its X are as without it, but learn nothing of the marks:
 *
 *	X_inst <= X_l4s
 *
 * Both ends take part, since the receiver must not make loss events of the marks:
 *
 *	sender					receiver
 *	ECT(0), option "L4S" = 0	--->	knows the option, or ignores it
 *					<---	report with the option "L4S"
 *	ECT(1), option "L4S" = 1	--->	a mark of this packet is counted, but is
 *						no loss event
 *
 * With a receiver that does not answer, the packets stay ECT(0) and marks are losses, as
 * without the parameter. What a mark means is said by the packet that has it, so nothing
 * goes wrong when the parameter changes.
 *
 * The response is that of DCTCP (RFC 8257, 3.3), with a rate in the place of the window. A
 * round is R, but at least 25 ms. At its end, with the first report after it, M is the share
 * of the packets received in it that were marked; n is how many rounds have passed, 4 at
 * most:
 *
 *	alpha = alpha + n (M - alpha) / 16,	at first 1
 *
 *	no mark in it:		X_l4s = X_l4s + n s / round, at most up to X
 *
 * A report with marks has effect at once. In a queue X_recv is the flow's share of the
 * link, so after a fall of the link's rate this leads there, although alpha is small then:
 *
 *	each:			X_l4s = min(X_l4s, X, X_recv)
 *	once in a round:	X_l4s = X_l4s (1 - alpha / 2)
 *
 * where a round lasts for as long as the last sample if that is more than R. At first
 * X_l4s is X. A round with a loss and no mark changes nothing. An X that falls for another
 * reason, such as a pause of the source, leaves X_l4s as it is. A source that sends less
 * than it may makes X_recv irregular, and a report that Acks have caused has none; there
 * the greatest rate of the last three round trips counts instead. When reports fail to
 * come, X_l4s is halved like X.
 *
 * With both rules together there are about two marks in a round, whatever the rate: it
 * is scalable. The requirements of RFC 9331, 4.3, by their numbers:
 *
 *	1 can be replaced by a classic control: kept, l4s = 0, also during a connection
 *	2 losses as in a classic control: kept, they are the scheme's, and no more
 *	  than X is sent
 *	3 detection of a classic queue that marks and is shared: NOT kept. Marks of
 *	  such a queue (RFC 3168) get the proportional response, too, and the flow takes
 *	  more than its share from classic flows in it. Applications can see the number
 *	  of marks and R, and turn l4s off. Queues per flow are no problem.
 *	4 independence of R: kept below 25 ms, where all flows behave as with 25 ms. Above
 *	  it the rate falls with R, as in the schemes
 *	5 less than a packet in R: kept, the least rate is the scheme's, a packet in 64 s
 *	6 detection of losses by time: NOT kept, it counts three packets (RFC 5348, 5.1)
 *	7 bursts: kept as far as the pacer's timer is precise (pacing.c); up to 10 ms
 *	  that a late timer has lost are made up for
 *
 * What a peer can do: a receiver that claims marks makes the sender slower. One that hides
 * them could as well hide losses. X_l4s never raises a rate.
 */
#include <linux/export.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <net/tfrc.h>

/* The least round (RFC 9331, A.1.6) */
#define ROUND_MIN		(25 * TFRC_NSEC_PER_MSEC)
/* Rounds for which a step counts at most */
#define ROUNDS_MAX		4
/* Weight of a round in alpha: 2^-4 */
#define GAIN_SHIFT		4

/**
 * tfrc_l4s_set - turn the proportional response on or off
 * @snd: the sender
 * @on: offer it to the receiver
 *
 * What was learned is kept if nothing changes.
 *
 * Context: any, @snd locked by the caller.
 */
void tfrc_l4s_set(struct tfrc_sender *snd, bool on)
{
	bool ends = snd->l4s.agreed && !on;

	if (snd->l4s.on == on)
		return;
	memset(&snd->l4s, 0, sizeof(snd->l4s));
	snd->l4s.on = on;
	snd->l4s.ends = ends;
}
EXPORT_SYMBOL_GPL(tfrc_l4s_set);

/**
 * tfrc_l4s_limit - limit a rate by X_l4s
 * @snd: the sender
 * @x: the rate
 *
 * Context: any
 * Return: the lesser of the two
 */
u64 tfrc_l4s_limit(const struct tfrc_sender *snd, u64 x)
{
	return snd->l4s.x ? min(x, snd->l4s.x) : x;
}
EXPORT_SYMBOL_GPL(tfrc_l4s_limit);

/* Packets acknowledged. Those in flight all count as data, as in interval_sender.c. */
static u64 tfrc_l4s_acked(const struct tfrc_sender *snd,
			  const struct tfrc_report *rep)
{
	return snd->packets - min(rep->flight, snd->packets);
}

/**
 * tfrc_l4s_report - take the marks out of a report, before the scheme sees it
 * @snd: the sender
 * @rep: the report with what is new in its totals. If the receiver keeps marks out of its
 *	loss events, there are none in it afterwards.
 * @now: time
 *
 * The report that first says so is still about packets with ECT(0).
 *
 * Context: any, @snd locked by the caller.
 */
void tfrc_l4s_report(struct tfrc_sender *snd, struct tfrc_report *rep, u64 now)
{
	struct tfrc_l4s *l = &snd->l4s;

	if (!l->on) {
		/* Marks of before it was turned off are in no loss event. */
		if (l->ends)
			rep->marked = 0;
		l->ends &= rep->fb->l4s;
		return;
	}
	if (!rep->fb->l4s) {
		*l = (struct tfrc_l4s) { .on = true };
	} else if (!l->agreed) {
		l->agreed = true;
		l->alpha = TFRC_L4S_ONE;
		l->acked = tfrc_l4s_acked(snd, rep);
		l->t_round = now;
	} else {
		l->fresh = rep->marked;
		l->marked += rep->marked;
		l->lost += rep->lost;
		rep->marked = 0;
	}
}
EXPORT_SYMBOL_GPL(tfrc_l4s_report);

/* alpha after @rounds with so many packets */
static u32 tfrc_l4s_alpha(const struct tfrc_l4s *l, u64 packets, u32 rounds)
{
	u64 received = max(packets - min(packets, l->lost), 1ULL);
	u32 share = div64_u64(min(l->marked, received) * TFRC_L4S_ONE, received);

	/* Both are at most 2^20. */
	return (((1 << GAIN_SHIFT) - rounds) * l->alpha + rounds * share) >>
	       GAIN_SHIFT;
}

/* The end of a round, in which @acked packets were acknowledged in all */
static void tfrc_l4s_round(struct tfrc_sender *snd, u64 acked, u64 round, u64 now)
{
	struct tfrc_l4s *l = &snd->l4s;
	u32 rounds = clamp_t(u64, div64_u64(now - l->t_round, round), 1,
			     ROUNDS_MAX);
	u64 more = tfrc_mul_div(TFRC_RATE(tfrc_sender_size(snd)),
				rounds * TFRC_NSEC_PER_SEC, round);

	l->alpha = tfrc_l4s_alpha(l, acked - l->acked, rounds);
	if (l->x && !l->marked && !l->lost)
		l->x = max(l->x, min(l->x + more, snd->x));
	l->acked = acked;
	l->marked = 0;
	l->lost = 0;
	l->t_round = now;
}

/* A report with marks came. */
static void tfrc_l4s_cut(struct tfrc_sender *snd, u64 span, bool data_limited,
			 u64 now)
{
	struct tfrc_l4s *l = &snd->l4s;
	u64 x = min(l->x ? min(l->x, snd->x) : snd->x,
		    data_limited || !snd->x_recv ?
		    tfrc_sender_sending(snd) : snd->x_recv);

	if (tfrc_round_over(l->t_cut, span, now)) {
		x -= tfrc_mul_div(x, l->alpha, 2 * TFRC_L4S_ONE);
		l->t_cut = now;
	}
	l->x = max(x, 1ULL);
}

/**
 * tfrc_l4s_feedback - the scheme has set its rate after a report: follow the marks
 * @snd: the sender
 * @rep: the report
 * @now: time
 *
 * Context: any, @snd locked by the caller.
 */
void tfrc_l4s_feedback(struct tfrc_sender *snd, const struct tfrc_report *rep,
		       u64 now)
{
	struct tfrc_l4s *l = &snd->l4s;
	u64 round = max(snd->rtt, ROUND_MIN);
	u64 span = max(round, min(rep->sample, TFRC_RTT_MAX));
	u64 acked = tfrc_l4s_acked(snd, rep);
	bool marks = l->fresh;

	l->fresh = false;
	if (l->agreed && acked > l->acked && tfrc_round_over(l->t_round, round, now))
		tfrc_l4s_round(snd, acked, round, now);
	if (marks)
		tfrc_l4s_cut(snd, span, rep->data_limited, now);
}
EXPORT_SYMBOL_GPL(tfrc_l4s_feedback);

/**
 * tfrc_l4s_timeout - the nofeedback timer has expired
 * @snd: the sender
 * @idle: nothing was sent in that time
 *
 * Context: any, @snd locked by the caller.
 */
void tfrc_l4s_timeout(struct tfrc_sender *snd, bool idle)
{
	if (snd->l4s.x && !idle)
		snd->l4s.x = max(snd->l4s.x / 2, 1ULL);
}
EXPORT_SYMBOL_GPL(tfrc_l4s_timeout);
