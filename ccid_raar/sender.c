// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sender of RAAR. It follows the requested rate (lib_tfrc, driven_sender.c). A report
 * that it takes begins a round. The first packets of a round state the rate that the
 * sender keeps to, and how long they waited, so that one that arrives is an RTT sample. So
 * do the first packets after a timeout, because X has changed.
 */
#include <linux/container_of.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include "raar.h"

/* Nofeedback timer before the first report (RFC 5348, 4.2) */
#define INITIAL_TIMEOUT		(2 * TFRC_NSEC_PER_SEC)

/*
 * So many packets of a round. If one alone had the option, there would be no RTT sample when
 * it is lost, and R would stay too short just when the queue overflows.
 */
#define STATING			3

static struct raar_sender *raar_sender_of(struct tfrc_sender *snd)
{
	return container_of(snd, struct raar_sender, driven.base);
}

static void raar_sender_start(struct tfrc_sender *snd, u64 now)
{
	struct raar_sender *rs = raar_sender_of(snd);

	rs->stating = STATING;
	driven_sender_start(&rs->driven, tfrc_sender_first_rate(snd));
}

static void raar_sender_feedback(struct tfrc_sender *snd,
				 const struct tfrc_report *rep, u64 now)
{
	struct raar_sender *rs = raar_sender_of(snd);

	rs->t_round = now;
	rs->stating = STATING;
	driven_sender_feedback(&rs->driven, rep, now);
}

static void raar_sender_timeout(struct tfrc_sender *snd, bool idle, u64 now)
{
	struct raar_sender *rs = raar_sender_of(snd);

	rs->stating = STATING;
	driven_sender_timeout(&rs->driven, rs->par.beta, idle, now);
}

static u64 raar_sender_timeout_after(const struct tfrc_sender *snd)
{
	if (!snd->feedbacks && !snd->nofeedbacks)
		return INITIAL_TIMEOUT;
	return driven_sender_timeout_after(snd);
}

static const struct tfrc_sender_ops raar_sender_ops = {
	.start = raar_sender_start,
	.feedback = raar_sender_feedback,
	.timeout = raar_sender_timeout,
	.timeout_after = raar_sender_timeout_after,
};

/**
 * raar_sender_init - prepare for the first packet
 * @rs: the sender
 */
void raar_sender_init(struct raar_sender *rs)
{
	memset(rs, 0, sizeof(*rs));
	tfrc_sender_init(&rs->driven.base, &raar_sender_ops);
}

/**
 * raar_sender_options - which options the data packet that is being sent has
 * @rs: the sender
 *
 * Return: RAAR_HAS_ROUND or 0
 */
u8 raar_sender_options(struct raar_sender *rs)
{
	if (!rs->stating)
		return 0;
	rs->stating--;
	return RAAR_HAS_ROUND;
}

/**
 * raar_sender_waited - time that a packet waited since its round began
 * @rs: the sender
 * @now: time
 *
 * Return: ns since the report that began the round; 0 before the first report
 */
u64 raar_sender_waited(const struct raar_sender *rs, u64 now)
{
	return rs->t_round ? now - min(now, rs->t_round) : 0;
}
