// SPDX-License-Identifier: GPL-2.0-only
/*
 * What all senders have.
 *
 * A sender has an allowed rate X. An implementation, struct tfrc_sender_ops, chooses X:
 *
 *	tfrc_sender_start()	---> start	X of the first packet
 *	tfrc_sender_feedback()	---> feedback	a report came
 *	tfrc_sender_timeout()	---> timeout	the nofeedback timer expired
 *	after each of these	---> limited	X_inst, too, is known
 *
 * The functions here call it. Before the call they take from a report all but the
 * rate: round-trip time R, totals of losses and marks, the rate that was sent, and
 * X_recv. They keep X within its bounds: the least rate is one packet in 64 s, and the
 * user may have set the greatest one. After the call they set the nofeedback timer.
 *
 * A receiver may report a false X_recv, and a source may slow down. So X_recv counts
 * for at most twice what was sent, which is the greatest of the rates in the last three
 * round trips in which there was data.
 *
 * Packets are sent at X_inst. It is X, or what the implementation makes of X (TFRC: X
 * corrected by the last RTT sample, at most 2 X), but no more than the limits by the
 * queueing delay (delay.c) and by ECN marks (l4s.c). If the former lowers it, the packets
 * that wait are sent as before for up to 100 ms.
 */
#include <linux/bitops.h>
#include <linux/export.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <net/tfrc.h>

/*
 * The timers of both ends may be late by two jiffies, which are 10 ms each at HZ = 100.
 * This leaves room for both.
 */
#define TFRC_MIN_TIMEOUT	(50 * TFRC_NSEC_PER_MSEC)

/* The mean packet size s is a mean over 2^3 packets at least, and 2^8 at most. */
#define TFRC_SIZE_SHIFT_MIN	3
#define TFRC_SIZE_SHIFT_MAX	8

/* Length of a packet, bytes. An empty packet counts as one byte. */
static u32 tfrc_sender_len(u32 len)
{
	return clamp(len, 1U, 65535U);
}

/**
 * tfrc_time_at - time that a packet takes at a rate
 * @x: rate
 * @len: payload, bytes
 *
 * Context: any
 * Return: ns
 */
u64 tfrc_time_at(u64 x, u32 len)
{
	/* 65535 B at 2^16 and 10^9 ns still fit in 64 bits. */
	return div64_u64(TFRC_RATE(tfrc_sender_len(len)) * TFRC_NSEC_PER_SEC,
			 max(x, 1ULL));
}
EXPORT_SYMBOL_GPL(tfrc_time_at);

static u64 tfrc_rate_over(u64 bytes, u64 time)
{
	return min(tfrc_mul_div(bytes << TFRC_RATE_SHIFT, TFRC_NSEC_PER_SEC,
				max(time, 1ULL)), TFRC_RATE_MAX);
}

/*
 * Bytes of the windows of RFC 3390 and RFC 6928. Of small packets the latter is at most 40,
 * since the first Sequence Window has room for 100.
 */
#define TFRC_W_INIT		4380U
#define TFRC_W_LONG		14600U
#define TFRC_W_LONG_PACKETS	40

/* An encoder reacts after this time (RFC 8867, 4.3). */
#define TFRC_ENCODER_TIME	(100 * TFRC_NSEC_PER_MSEC)

/* The path of which a longer one has the initial rate */
#define TFRC_RTT_NEAR		(100 * TFRC_NSEC_PER_MSEC)

/* @packets packets, but no more than two packets or @bytes, in each @rtt */
static u64 tfrc_window_rate(u32 packets, u32 bytes, u32 s, u64 rtt)
{
	u32 window = min(packets * s, max(2 * s, bytes));

	return tfrc_mul_div(TFRC_RATE(window), TFRC_NSEC_PER_SEC, rtt);
}

/**
 * tfrc_w_init_rate - W_init / R, the window of RFC 3390 in each round trip (RFC 5348, 4.2)
 * @s: packet size, bytes
 * @rtt: round-trip time R, ns, not 0
 *
 * Context: any
 * Return: the rate
 */
u64 tfrc_w_init_rate(u32 s, u64 rtt)
{
	return tfrc_window_rate(4, TFRC_W_INIT, s, rtt);
}

/**
 * tfrc_initial_rate - the initial rate, which is allowed on any path
 * @s: packet size, bytes
 * @rtt: round-trip time R, ns, not 0
 *
 * Up to R = 125 ms it is W_init / R. A longer R is often a queue that other flows have
 * filled, and W_init / R is less there than the least rate of most videos. Then it is the
 * rate of a path of 100 ms, where W_init is up to eight small packets (RFC 4342, A), but in
 * R no more bytes than in the window of RFC 6928. With small packets these are more than
 * the RFCs' ten and eight in R. They are not sent at once, as in TCP, but spread over R.
 *
 * Context: any
 * Return: the rate
 */
u64 tfrc_initial_rate(u32 s, u64 rtt)
{
	u64 x = tfrc_w_init_rate(s, rtt), most;

	if (rtt <= TFRC_RTT_LONG)
		return x;
	most = tfrc_window_rate(TFRC_W_LONG_PACKETS, TFRC_W_LONG, s, rtt);
	return min(most, max(x, tfrc_window_rate(8, TFRC_W_INIT, s, TFRC_RTT_NEAR)));
}
EXPORT_SYMBOL_GPL(tfrc_initial_rate);

/**
 * tfrc_sender_initial_rate - the initial rate for a sender's mean packet size and R
 * @snd: the sender
 *
 * Context: any, tfrc_sender_start() was called.
 * Return: the rate, as tfrc_initial_rate() has it
 */
u64 tfrc_sender_initial_rate(const struct tfrc_sender *snd)
{
	return tfrc_initial_rate(tfrc_sender_size(snd), snd->rtt);
}
EXPORT_SYMBOL_GPL(tfrc_sender_initial_rate);

/**
 * tfrc_sender_first_rate - X of the first packet
 * @snd: the sender, which is about to start
 *
 * Context: any
 * Return: the initial rate, or one packet a second if R is not known
 */
u64 tfrc_sender_first_rate(const struct tfrc_sender *snd)
{
	return snd->has_rtt ? tfrc_sender_initial_rate(snd) :
			      TFRC_RATE(tfrc_sender_size(snd));
}
EXPORT_SYMBOL_GPL(tfrc_sender_first_rate);

/**
 * tfrc_sender_bound - limit a rate to the bounds of X
 * @snd: the sender
 * @x: any rate
 *
 * Context: any, tfrc_sender_start() was called.
 * Return: at least one packet in 64 s (RFC 5348, 4.3), else at most @snd->x_max
 */
u64 tfrc_sender_bound(const struct tfrc_sender *snd, u64 x)
{
	return max(min(x, snd->x_max),
		   TFRC_RATE(tfrc_sender_size(snd)) / TFRC_T_MBI);
}
EXPORT_SYMBOL_GPL(tfrc_sender_bound);

/*
 * X has been set, which ends what tfrc_sender_keep_rate() began.
 *
 * X_inst is at most X_delay and X_l4s, and within the bounds of X. It does not rise, although
 * the least of these grows with the packets: X may be of a time when they were smaller.
 */
static void tfrc_sender_limit_inst(struct tfrc_sender *snd)
{
	u64 x = tfrc_l4s_limit(snd, tfrc_delay_limit(snd, snd->x_inst));

	snd->waits = 0;
	if (snd->delay.x || snd->l4s.x)
		snd->x_inst = min(snd->x_inst, tfrc_sender_bound(snd, x));
	snd->ops->limited(snd);
}

/**
 * tfrc_sender_move - set X
 * @snd: the sender
 * @x: rate, of any value
 *
 * X_inst is the same, until X_delay and X_l4s limit it after the operation.
 *
 * Context: any, @snd locked by the caller. Called by the operations start, feedback
 * and timeout.
 */
void tfrc_sender_move(struct tfrc_sender *snd, u64 x)
{
	snd->x = tfrc_sender_bound(snd, x);
	snd->x_inst = snd->x;
}
EXPORT_SYMBOL_GPL(tfrc_sender_move);

/**
 * tfrc_sender_limited - the operation limited of a scheme in which nothing follows from X_inst
 * @snd: the sender
 *
 * Context: any
 */
void tfrc_sender_limited(struct tfrc_sender *snd)
{
}
EXPORT_SYMBOL_GPL(tfrc_sender_limited);

/*
 * RFC 5348, 4.3, step 2. The first sample takes the place of the handshake's, which may
 * include the time in which a host is looked up, or in which a radio wakes up.
 */
static void tfrc_sender_sample(struct tfrc_sender *snd, u64 sample)
{
	sample = clamp(sample, TFRC_RTT_MIN, TFRC_RTT_MAX);
	snd->rtt = snd->sampled ? div_u64(9 * snd->rtt + sample, 10) : sample;
	snd->has_rtt = true;
	snd->sampled = true;
}

/**
 * tfrc_sender_timeout_after - the time after which the nofeedback timer expires
 * @snd: the sender
 *
 * Context: any, tfrc_sender_start() was called.
 * Return: ns
 */
u64 tfrc_sender_timeout_after(const struct tfrc_sender *snd)
{
	return max(snd->ops->timeout_after(snd), TFRC_MIN_TIMEOUT);
}

static void tfrc_sender_set_timer(struct tfrc_sender *snd, u64 now)
{
	snd->t_timer = now + tfrc_sender_timeout_after(snd);
	snd->sent_since_timer = false;
	snd->resting = false;
}

/**
 * tfrc_sender_init - prepare a sender for its first packet
 * @snd: the sender
 * @ops: how it chooses its rate; must outlive @snd
 *
 * Context: any, @snd not shared.
 */
void tfrc_sender_init(struct tfrc_sender *snd,
		      const struct tfrc_sender_ops *ops)
{
	memset(snd, 0, sizeof(*snd));
	snd->ops = ops;
	snd->x_max = TFRC_RATE_MAX;
}
EXPORT_SYMBOL_GPL(tfrc_sender_init);

/**
 * tfrc_sender_start - the first packet is about to be sent
 * @snd: the sender
 * @len: payload of the packet, bytes
 * @rtt: round-trip time of the handshake, 0 if unknown
 * @now: time
 *
 * Context: any, @snd locked by the caller.
 */
void tfrc_sender_start(struct tfrc_sender *snd, u32 len, u64 rtt, u64 now)
{
	snd->s = tfrc_sender_len(len) << TFRC_SIZE_SHIFT;
	snd->has_rtt = rtt != 0;
	snd->rtt = rtt ? clamp(rtt, TFRC_RTT_MIN, TFRC_RTT_MAX) :
			 TFRC_RTT_FALLBACK;
	snd->tld = now;
	snd->t_feedback = now;
	snd->t_meter = now;
	snd->ops->start(snd, now);
	tfrc_sender_limit_inst(snd);
	tfrc_sender_set_timer(snd, now);
}
EXPORT_SYMBOL_GPL(tfrc_sender_start);

/*
 * s is the mean over the last four loss intervals (RFC 5348, 4.1), rounded to a power
 * of two, but over at most 256 packets, because the Sequence Window depends on s. While
 * there are fewer packets, it is the mean of all.
 */
static void tfrc_sender_mean_size(struct tfrc_sender *snd, u32 len)
{
	s64 off = ((s64)len << TFRC_SIZE_SHIFT) - snd->s;
	int shift = TFRC_SIZE_SHIFT_MAX;

	/* log2(4 / p) */
	if (snd->p)
		shift = clamp(TFRC_P_SHIFT + 3 - fls64(snd->p),
			      TFRC_SIZE_SHIFT_MIN, shift);
	if (snd->packets < 1U << TFRC_SIZE_SHIFT_MAX)
		shift = min(shift, fls64(snd->packets + 1) - 1);
	snd->s += off >> shift;
}

/*
 * Nothing was sent since the last report, for more than R. The report on the next packet comes
 * R after it, and the timer that the last report set may expire before that. Then each packet
 * of a source that sends one every four to five round trips would halve X.
 */
static bool tfrc_sender_paused(const struct tfrc_sender *snd, u64 now)
{
	return snd->bytes == snd->bytes_reported && now - snd->t_feedback > snd->rtt;
}

/* The rate of this period so far. It may have begun when R was longer. */
static u64 tfrc_sender_metered(const struct tfrc_sender *snd)
{
	return tfrc_rate_over(snd->meter_bytes,
			      max(snd->rtt, snd->meter_time));
}

/**
 * tfrc_sender_sent - account for a data packet
 * @snd: the sender
 * @len: its payload, bytes
 * @now: time
 *
 * Context: any, @snd locked by the caller, tfrc_sender_start() was called.
 */
void tfrc_sender_sent(struct tfrc_sender *snd, u32 len, u64 now)
{
	/* This packet ends a pause: the time for its report begins now. */
	if (snd->restart || tfrc_sender_paused(snd, now)) {
		snd->restart = false;
		tfrc_sender_set_timer(snd, now);
	}
	len = tfrc_sender_len(len);
	tfrc_sender_mean_size(snd, len);
	snd->bytes += len;

	/* A period begins with a packet, so no period contains a pause. */
	if (now - snd->t_meter >= snd->rtt) {
		snd->x_sent[1] = snd->x_sent[0];
		snd->x_sent[0] = tfrc_sender_metered(snd);
		snd->meter_bytes = 0;
		snd->t_meter = now;
	}
	snd->meter_bytes += len;
	snd->meter_time = now - snd->t_meter;
	snd->packets++;
	snd->waits -= min_t(u64, snd->waits, len);
	snd->sent_since_timer = true;
}
EXPORT_SYMBOL_GPL(tfrc_sender_sent);

/* The greatest rate in the last three round trips in which there was data */
u64 tfrc_sender_sending(const struct tfrc_sender *snd)
{
	return max3(snd->x_sent[0], snd->x_sent[1], tfrc_sender_metered(snd));
}

/* A queue may release data faster than it was sent, so twice what was sent counts. */
static u64 tfrc_sender_received(const struct tfrc_sender *snd, u64 x_recv)
{
	return min(x_recv, 2 * tfrc_sender_sending(snd));
}

/**
 * tfrc_sender_most - upper bound of X in all schemes
 * @snd: the sender
 *
 * RFC 5348 (4.3) lets a data-limited sender keep a rate that the path carried earlier.
 * But while the rate is not used, it is not known whether the path still carries it.
 *
 * Context: any, tfrc_sender_start() was called.
 * Return: four times what was sent, or the initial rate if that is more
 */
u64 tfrc_sender_most(const struct tfrc_sender *snd)
{
	return max(4 * tfrc_sender_sending(snd), tfrc_sender_initial_rate(snd));
}
EXPORT_SYMBOL_GPL(tfrc_sender_most);

static u64 tfrc_x_recv_set_max(const struct tfrc_sender *snd)
{
	u64 x = 0;
	int i;

	for (i = 0; i < TFRC_X_RECV_SET; i++)
		if (snd->x_recv_time[i])
			x = max(x, snd->x_recv_set[i]);
	return x;
}

/**
 * tfrc_sender_recv_set - replace X_recv_set by one value
 * @snd: the sender
 * @x_recv: receive rate
 * @now: time
 *
 * Context: any, @snd locked by the caller.
 */
void tfrc_sender_recv_set(struct tfrc_sender *snd, u64 x_recv, u64 now)
{
	memset(snd->x_recv_time, 0, sizeof(snd->x_recv_time));
	snd->x_recv_set[0] = x_recv;
	snd->x_recv_time[0] = max(now, 1ULL);
}
EXPORT_SYMBOL_GPL(tfrc_sender_recv_set);

/*
 * Add X_recv, and drop values older than two round trips, or else the oldest one. The RFC has
 * one report in R. Where there are more, what is reported within two thirds of R after a value
 * shares its place, so that the set spans two round trips, as with one report in R. The place
 * keeps the greater one of the two, with its time.
 */
static void tfrc_x_recv_set_update(struct tfrc_sender *snd, u64 now)
{
	int i, oldest = 0, newest = 0, place;

	for (i = 0; i < TFRC_X_RECV_SET; i++) {
		if (snd->x_recv_time[i] &&
		    now - snd->x_recv_time[i] > 2 * snd->rtt)
			snd->x_recv_time[i] = 0;
		if (snd->x_recv_time[i] < snd->x_recv_time[oldest])
			oldest = i;
		if (snd->x_recv_time[i] > snd->x_recv_time[newest])
			newest = i;
	}
	place = oldest;
	if (snd->x_recv_time[newest] &&
	    TFRC_X_RECV_SET * (now - snd->x_recv_time[newest]) < 2 * snd->rtt) {
		if (snd->x_recv <= snd->x_recv_set[newest])
			return;
		place = newest;
	}
	snd->x_recv_set[place] = snd->x_recv;
	snd->x_recv_time[place] = max(now, 1ULL);
}

/**
 * tfrc_sender_recv_limit - bound of X by the receive rates
 * @snd: the sender
 * @data_limited: the application limited the rate in the interval of the report
 * @worse: there is a new loss event, or p has grown
 * @now: time
 *
 * Context: any, @snd locked by the caller. Once for each report.
 * Return: recv_limit
 * Source: RFC 5348, 4.3, step 4
 */
u64 tfrc_sender_recv_limit(struct tfrc_sender *snd, bool data_limited,
			   bool worse, u64 now)
{
	int i;

	if (!data_limited) {
		tfrc_x_recv_set_update(snd, now);
		return 2 * tfrc_x_recv_set_max(snd);
	}

	/*
	 * The receiver got little because little was sent. So keep the receive
	 * rates of earlier reports. With congestion, reduce them.
	 */
	if (worse) {
		for (i = 0; i < TFRC_X_RECV_SET; i++)
			snd->x_recv_set[i] /= 2;
		snd->x_recv = tfrc_mul_div(snd->x_recv, 85, 100);
	}
	tfrc_sender_recv_set(snd, max(snd->x_recv, tfrc_x_recv_set_max(snd)),
			     now);
	return (worse ? 1 : 2) * tfrc_x_recv_set_max(snd);
}
EXPORT_SYMBOL_GPL(tfrc_sender_recv_limit);

/*
 * The limit by the delay has lowered X_inst from what it was, @from, and from what the scheme
 * has now. The packets that wait were made for the rate that the application was told, which
 * is never more than X. They are sent at that rate until the next report, but no more of them
 * than in R, and in the time that an encoder takes to follow a rate.
 */
static void tfrc_sender_keep_rate(struct tfrc_sender *snd, u64 from, u32 waits)
{
	u64 time = min(snd->rtt, TFRC_ENCODER_TIME);

	from = min3(from, snd->x, snd->x_max);
	if (snd->l4s.on || from <= snd->x_inst)
		return;
	snd->x_waits = from;
	snd->waits = min((u64)waits * tfrc_sender_size(snd),
			 tfrc_mul_div(from, time, TFRC_NSEC_PER_SEC) >>
			 TFRC_RATE_SHIFT);
}

/**
 * tfrc_sender_feedback - a feedback packet was accepted
 * @snd: the sender
 * @rep: the report, of which the first eight members are filled in; the low 16 bits of
 *	its totals count
 * @now: time
 *
 * Sets the new allowed rate and the time at which the nofeedback timer expires (RFC
 * 5348, 4.3).
 *
 * Context: any, @snd locked by the caller, tfrc_sender_start() was called.
 */
void tfrc_sender_feedback(struct tfrc_sender *snd, struct tfrc_report *rep,
			  u64 now)
{
	const struct tfrc_feedback *fb = rep->fb;
	u64 from = snd->x_inst, before = snd->x;

	rep->p = min(fb->p, TFRC_P_ONE);
	rep->interval = now - snd->t_feedback;
	rep->lost = (u16)(fb->lost - (u32)snd->lost);
	rep->marked = (u16)(fb->marked - (u32)snd->marked);
	snd->lost += rep->lost;
	snd->marked += rep->marked;
	tfrc_l4s_report(snd, rep, now);
	snd->signals += rep->lost + rep->marked;

	if (rep->sample)
		tfrc_sender_sample(snd, rep->sample);
	/* Losses within a round trip after the start of a loss event belong to it. */
	rep->event = (rep->lost || rep->marked) &&
		     (!snd->t_event || now - snd->t_event >= snd->rtt);
	if (rep->event)
		snd->t_event = now;
	snd->x_send = tfrc_rate_over(snd->bytes - snd->bytes_reported,
				     rep->interval);
	snd->bytes_reported = snd->bytes;
	snd->t_feedback = now;
	snd->x_recv = tfrc_sender_received(snd, fb->x_recv);
	/* After 2^32 reports none of them is the first one. */
	snd->feedbacks += snd->feedbacks < U32_MAX;

	snd->restart = false;
	if (snd->nominal.asked)
		tfrc_nominal_feedback(snd, rep, now);
	snd->ops->feedback(snd, rep, now);
	/* A peer can have packets without data to acknowledge whenever it likes. */
	if (rep->no_data) {
		snd->x = min(snd->x, before);
		snd->x_inst = min(snd->x_inst, from);
	}
	/* What the scheme itself lowers counts for all packets. */
	from = min(from, snd->x_inst);
	tfrc_delay_feedback(snd, rep, now);
	tfrc_l4s_feedback(snd, rep, now);
	tfrc_sender_limit_inst(snd);
	tfrc_sender_keep_rate(snd, from, rep->waits);
	if (rep->no_data)
		snd->t_timer = min(snd->t_timer,
				   now + tfrc_sender_timeout_after(snd));
	else
		tfrc_sender_set_timer(snd, now);
}
EXPORT_SYMBOL_GPL(tfrc_sender_feedback);

/**
 * tfrc_sender_timeout - the nofeedback timer has expired
 * @snd: the sender
 * @now: time
 *
 * A sender that sent nothing could not get feedback. When its rate has stopped
 * falling, the timer is not armed before the next packet.
 *
 * Context: any, @snd locked by the caller, tfrc_sender_start() was called.
 */
void tfrc_sender_timeout(struct tfrc_sender *snd, u64 now)
{
	bool idle = !snd->sent_since_timer;
	u64 before = snd->x;

	snd->nofeedbacks++;
	snd->restart = false;
	snd->ops->timeout(snd, idle, now);
	tfrc_delay_timeout(snd, idle ? snd->x : before);
	tfrc_l4s_timeout(snd, idle);
	tfrc_sender_limit_inst(snd);
	tfrc_sender_set_timer(snd, now);
	snd->resting = idle && snd->x == before;
	snd->restart |= snd->resting;
}
EXPORT_SYMBOL_GPL(tfrc_sender_timeout);

/**
 * tfrc_sender_hold - limit X, because the application wants no more
 * @snd: the sender
 * @x: the limit
 *
 * Context: any, @snd locked by the caller, tfrc_sender_start() was called.
 */
void tfrc_sender_hold(struct tfrc_sender *snd, u64 x)
{
	tfrc_sender_move(snd, min(snd->x, x));
	tfrc_sender_limit_inst(snd);
}
EXPORT_SYMBOL_GPL(tfrc_sender_hold);

/**
 * tfrc_ipi - time between the starts of two packets at a rate
 * @x: the rate
 * @len: payload of the first of them, bytes
 *
 * The least X is one packet of the mean size s in t_mbi. @len may be many times s.
 *
 * Context: any
 * Return: t_ipi in ns (RFC 5348, 4.6), at most t_mbi
 */
u64 tfrc_ipi(u64 x, u32 len)
{
	return min(tfrc_time_at(x, len), TFRC_T_MBI * TFRC_NSEC_PER_SEC);
}
EXPORT_SYMBOL_GPL(tfrc_ipi);
