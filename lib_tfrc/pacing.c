// SPDX-License-Identifier: GPL-2.0-only
/*
 * Nominal send times of packets.
 *
 * A packet's nominal time is that of the previous packet plus the interval at the
 * present rate:
 *
 *	t_(i+1) = t_i + t_ipi
 *
 * A packet may be sent later than that for one of two reasons. If there was nothing
 * to send before, the packet is sent at once, and this time becomes its nominal time.
 * If the packet waited, for its time or behind another one, the timer was late. Then the
 * nominal times stay as they are, and all packets that are due are sent at once, so the
 * rate is right on average. At most min(10 ms, R) is made up for in this way, which
 * limits the burst.
 *
 * The time in which there was nothing to send is saved, up to min(100 ms, R). Packets that
 * wait then leave at twice the rate until what was saved is used up. An encoder needs
 * this: its key frames are several times as large as the others, between which the sender
 * is idle. At X such a frame takes the time of several frames. RFC 5348, 4.6 calls what
 * was saved credit, and would let it leave at once. But then the frames of several senders
 * meet in the queue of the bottleneck. Some senders save nothing: tfrc_hc_tx_limit() says
 * which.
 *
 * At high rates the timer itself is late on purpose, by at most 750 us and R / 16, and up
 * to four packets are sent at once (tfrc_pacing_late()). Each leaves at its nominal time
 * if the next one is due later than that: below 1333 packets in a second, or more if R
 * is below 12 ms.
 *
 * The interval is an argument of each call, so a change of the rate applies at once,
 * also to the packet that waits.
 *
 * Frames: an encoder hands over all packets of a frame at once, and most of them are
 * then sent at X_inst, which may be far above the rate of the encoder. So each frame is
 * a burst. If the application has stated the time T from frame to frame, the packets
 * are spread over it:
 *
 *	t_ipi = max(s / X_inst, T / (1.2 m))
 *
 * m is the number of packets that have come since the queue was last empty. The packet
 * that was sent before them counts, as its interval is not over:
 *
 *	queue	   543210 -----> m = 6
 *		   |
 *	sent	   0   1   2   3   4   5       |6   7   8 ...
 *		   |<- T/1.2 ------------->|   |
 *		   |<- T --------------------->|
 *
 * There is no other memory, and no need to know which packets belong to one frame:
 *
 *  - As long as X_inst allows it, a packet leaves within T/1.2 of its arrival. When it
 *    comes, no more than m packets are to be sent, with the one before them. From then
 *    on m does not become less until the queue is empty, and m packets take T/1.2.
 *  - An application may keep the queue short and hand over a packet when there is room.
 *    Then m grows from packet to packet, and so does the rate, until the frame is sent.
 *  - For frames that come at once, and the next one after the queue is empty, the rate is
 *    1.2 times that of the encoder. Frames of different lengths have different rates.
 *  - A frame that comes early, before the queue is empty or the last interval is over,
 *    adds its packets to m.
 *  - While the queue does not become empty, m grows until X_inst alone decides. So the
 *    packets of a source that is faster than 1.2 times its stated rate do not wait for it.
 *
 * m begins anew with a packet that did not have to wait. It is a number of packets, not
 * of bytes, since packets of a frame have about the same length, and a queue knows its
 * length. If T / (1.2 m) is the longer time, X was not what held a packet back, so the
 * interval of feedback is data-limited.
 */
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <net/tfrc.h>

/* A packet may be sent this much early, which is less than a timer takes to expire. */
#define TFRC_PACING_EARLY	(5 * TFRC_NSEC_PER_USEC)

/**
 * tfrc_pacing_set_saves - whether time in which there is nothing to send is saved
 * @p: nominal send times
 * @saves: it is; if not, what was saved is lost
 *
 * Context: any, @p locked by the caller.
 * Source: RFC 5348, 4.6
 */
void tfrc_pacing_set_saves(struct tfrc_pacing *p, bool saves)
{
	p->saves = saves;
	if (!saves)
		p->saved = 0;
}
EXPORT_SYMBOL_GPL(tfrc_pacing_set_saves);

/**
 * tfrc_pacing_rest - no report has come for so long that the nofeedback timer expired
 * @p: nominal send times
 *
 * What was saved was that of another rate. The pause that goes on saves nothing, either.
 *
 * Context: any, @p locked by the caller.
 */
void tfrc_pacing_rest(struct tfrc_pacing *p)
{
	p->saved = 0;
	p->rests = true;
}
EXPORT_SYMBOL_GPL(tfrc_pacing_rest);

/**
 * tfrc_pacing_set_frames - set how many frames are sent in a second
 * @p: nominal send times
 * @rate: frames/s, as tfrc_frame_rate_valid() has it; 0: packets are not spread
 *
 * Context: any, @p locked by the caller.
 */
void tfrc_pacing_set_frames(struct tfrc_pacing *p, u32 rate)
{
	u64 time = rate ? div_u64(10 * TFRC_NSEC_PER_SEC, 12 * rate) : 0;

	if (p->frame == time)
		return;
	p->frame = time;
	p->sent = 0;
	p->most = 0;
	p->slot = 0;
}
EXPORT_SYMBOL_GPL(tfrc_pacing_set_frames);

static void tfrc_pacing_slot(struct tfrc_pacing *p, u32 most)
{
	p->most = most;
	p->slot = div_u64(p->frame, most);
}

/* Half of the interval, or as much more as is not saved */
static u64 tfrc_pacing_half(const struct tfrc_pacing *p, u64 interval)
{
	return interval - min_t(u64, interval / 2, p->saved);
}

/* From the nominal time of the last packet to that of the next one */
static u64 tfrc_pacing_step(const struct tfrc_pacing *p, u64 interval)
{
	return max(tfrc_pacing_half(p, interval), p->slot);
}

/* The next packet's time is @early before the one at the rate, or @idle after it. */
static void tfrc_pacing_account(struct tfrc_pacing *p, u64 early, u64 idle, u64 rtt)
{
	p->saved -= min_t(u64, p->saved, early);
	if (p->saves && !p->rests)
		p->saved = min3(p->saved + idle, rtt, TFRC_PACING_SAVED);
	p->rests = false;
}

/**
 * tfrc_pacing_ready - whether the next packet may be sent now
 * @p: nominal send times, zeroed before their first use
 * @interval: time that the last packet takes at the present rate, ns
 * @now: time
 *
 * If not, it waits until @p->due, which this sets.
 *
 * Context: any, @p locked by the caller.
 * Source: RFC 5348, 4.6 and 8.3
 * Return: true if the packet may be sent now
 */
bool tfrc_pacing_ready(struct tfrc_pacing *p, u64 interval, u64 now)
{
	u64 due;

	interval = tfrc_pacing_step(p, interval);
	due = p->t_last + interval;
	if (!p->t_last || now + min(interval / 2, TFRC_PACING_EARLY) >= due)
		return true;
	p->due = due;
	p->waits = true;
	return false;
}
EXPORT_SYMBOL_GPL(tfrc_pacing_ready);

/**
 * tfrc_pacing_release - a packet is sent now
 * @p: nominal send times
 * @interval: time that the last packet takes at the present rate, ns
 * @rtt: round-trip time R, ns
 * @more: there is another packet in the queue
 * @now: time, not 0
 *
 * Context: any, @p locked by the caller.
 * Source: RFC 5348, 4.6
 * Return: true if the packet was ready earlier, but the rate held it back
 */
bool tfrc_pacing_release(struct tfrc_pacing *p, u64 interval, u64 rtt,
			 bool more, u64 now)
{
	u64 due = p->t_last + tfrc_pacing_step(p, interval);
	u64 at_rate = p->t_last + interval;
	u64 credit = min(rtt, TFRC_PACING_CREDIT);
	bool waited = p->waits, limited = waited && interval >= p->slot;

	if (!p->t_last) {
		p->t_last = now;
	} else if (!waited && due < now) {
		tfrc_pacing_account(p, now < at_rate ? at_rate - now : 0,
				    now > at_rate ? now - at_rate : 0, rtt);
		p->t_last = now;
	} else {
		tfrc_pacing_account(p, due < at_rate ? at_rate - due : 0, 0, rtt);
		p->t_last = max(due, now - min(credit, now - 1));
	}
	p->waits = more;
	if (!waited)
		p->late = 0;
	if (p->frame && waited) {
		p->sent++;
	} else if (p->frame) {
		p->sent = 0;
		tfrc_pacing_slot(p, 1);
	}
	return limited;
}
EXPORT_SYMBOL_GPL(tfrc_pacing_release);

/**
 * tfrc_pacing_late - how much later than its nominal time a packet may leave
 * @p: nominal send times
 * @interval: time that the last packet takes at the present rate, ns
 * @most: the most that it may be late, ns
 * @queued: packets in the queue
 *
 * Above some thousand packets in a second a timer for each of them costs as much as to
 * send it. So up to four packets are released at once, at the nominal time of the last
 * one. Those before it are late, which is made up for as if the timer had been late.
 *
 * Context: any, @p locked by the caller, who sets the timer by it.
 * Source: RFC 5348, 4.6: a timer's granularity
 * Return: ns, a multiple of the time that a packet takes; 0 if packets leave one by one
 */
u64 tfrc_pacing_late(struct tfrc_pacing *p, u64 interval, u64 most, u32 queued)
{
	u64 late = 0;
	u32 n;

	interval = tfrc_pacing_half(p, interval);

	for (n = 1; n < min(queued, TFRC_PACING_BATCH); n++) {
		if (late + interval > most)
			break;
		late += interval;
	}
	p->late = late;
	return late;
}
EXPORT_SYMBOL_GPL(tfrc_pacing_late);

/**
 * tfrc_pacing_nominal - the send time for the history of send times
 * @p: nominal send times
 * @last: this time of the packet before, or 0
 * @now: time at which the packet was released
 *
 * Packets that leave together have one real time, but nominal times at even distances, as
 * the history needs them (tx_history.c). By their real times each of them would seem to have
 * been sent with the first packet of its run, and R would be a sixteenth too long. A packet
 * that leaves alone has its real time, as late as the timer made it.
 *
 * Context: any, @p locked by the caller.
 * Return: the nominal time of the packet, but no earlier before @now than it is late on
 *	purpose, and not before @last
 */
u64 tfrc_pacing_nominal(const struct tfrc_pacing *p, u64 last, u64 now)
{
	return min(now, max3(p->t_last, now - p->late, last));
}
EXPORT_SYMBOL_GPL(tfrc_pacing_nominal);

/**
 * tfrc_pacing_changed - the rate has changed while a packet waits
 * @p: nominal send times
 * @interval: time that the last packet takes at the new rate, ns
 * @now: time
 *
 * At a higher rate the nominal time may have passed already. This does not count as
 * late: the packet is due now.
 *
 * Context: any, @p locked by the caller.
 * Return: the new time at which it is due
 */
u64 tfrc_pacing_changed(struct tfrc_pacing *p, u64 interval, u64 now)
{
	u64 due;

	p->late = 0;
	interval = tfrc_pacing_step(p, interval);
	due = p->t_last + interval;
	if (due < now && now < p->due) {
		p->t_last = now - interval;
		due = now;
	}
	p->due = due;
	return due;
}
EXPORT_SYMBOL_GPL(tfrc_pacing_changed);

/**
 * tfrc_pacing_queued - there are packets in the queue
 * @p: nominal send times, with frames
 * @n: how many, and the one that was sent before them; at least 1
 * @interval: time that the last packet takes at the present rate, ns
 * @now: time
 *
 * If the rate of frames becomes higher by that, the packet that waits does not count as
 * late.
 *
 * Context: any, @p locked by the caller. Called before a packet asks to be sent, and
 * after one was released.
 */
void tfrc_pacing_queued(struct tfrc_pacing *p, u32 n, u64 interval, u64 now)
{
	n += p->sent;
	if (n <= p->most)
		return;
	tfrc_pacing_slot(p, n);
	tfrc_pacing_changed(p, interval, now);
}
EXPORT_SYMBOL_GPL(tfrc_pacing_queued);
