// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sender of RAAR. It follows the requested rate (lib_tfrc, driven_sender.c). A report
 * that it takes begins a round. The first packet of a round states the rate that the
 * sender keeps to. So does the first packet after a timeout, because X has changed.
 */
#include <linux/container_of.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include "raar.h"

static struct raar_sender *raar_sender_of(struct tfrc_sender *snd)
{
	return container_of(snd, struct raar_sender, driven.base);
}

static void raar_sender_start(struct tfrc_sender *snd, u64 now)
{
	snd->options = RAAR_HAS_ROUND;
	driven_sender_start(&raar_sender_of(snd)->driven,
			    tfrc_sender_first_rate(snd));
}

static void raar_sender_feedback(struct tfrc_sender *snd,
				 const struct tfrc_report *rep, u64 now)
{
	struct raar_sender *rs = raar_sender_of(snd);

	rs->t_round = now;
	snd->options = RAAR_HAS_ROUND;
	driven_sender_feedback(&rs->driven, rep, now);
}

static void raar_sender_timeout(struct tfrc_sender *snd, bool idle, u64 now)
{
	struct raar_sender *rs = raar_sender_of(snd);

	snd->options = RAAR_HAS_ROUND;
	driven_sender_timeout(&rs->driven, rs->par.beta, idle, now);
}

static const struct tfrc_sender_ops raar_sender_ops = {
	.start = raar_sender_start,
	.feedback = raar_sender_feedback,
	.timeout = raar_sender_timeout,
	.limited = tfrc_sender_limited,
	.timeout_after = driven_sender_timeout_after,
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
