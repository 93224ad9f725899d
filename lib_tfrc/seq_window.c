// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Sequence Window: the packets in flight must fit in it (RFC 4340, 7.5.2).
 */
#include <linux/export.h>
#include <linux/minmax.h>
#include <net/tfrc_ccid.h>

/*
 * A Sequence Window should be about five times the packets of a round trip (RFC 4340,
 * 7.5.2). A larger window makes it easier to guess a number in it (7.5.5). So a new
 * window is requested when the window is less than five times, and is ten times. A
 * change takes a round trip to be confirmed, in which the rate may double, and one
 * more if it is lost. Then the window is again five times the packets, or 2.5 times at
 * worst. Three quarters of a window are ahead of what has arrived.
 */
#define TFRC_SEQ_WIN_LEAST	5
#define TFRC_SEQ_WIN_MORE	10

/**
 * tfrc_seq_window - enlarge the Sequence Window if it is small for the packets in flight
 * @sk: the socket
 * @packets: packets of any type that it sends in a round trip
 * @flight: packets sent after the last one that was acknowledged; 0: not known
 *
 * A receiver may acknowledge an old packet although newer ones have arrived, so for @flight
 * the window is at most doubled.
 *
 * Only one change is under way at a time. It is repeated in each round trip until it is
 * confirmed. A change needs a packet with an acknowledgment number, which a one-way
 * sender would not send otherwise.
 *
 * Context: socket locked, connection open; once in a round trip or more often.
 * Source: RFC 4340, 7.5.2
 */
void tfrc_seq_window(struct sock *sk, u64 packets, u64 flight)
{
	u64 window = dccp_sk(sk)->dccps_l_seq_win;

	if (dccp_feat_nn_get(sk, DCCPF_SEQUENCE_WINDOW) != window) {
		inet_csk_schedule_ack(sk);
		return;
	}

	flight = min_t(u64, flight, div_u64(window, TFRC_SEQ_WIN_LEAST) + 1);
	packets = min_t(u64, max(packets, flight), DCCPF_SEQ_WMAX / TFRC_SEQ_WIN_MORE);
	if (TFRC_SEQ_WIN_LEAST * packets <= window)
		return;
	window = min_t(u64, TFRC_SEQ_WIN_MORE * packets, DCCPF_SEQ_WMAX);
	dccp_feat_signal_nn_change(sk, DCCPF_SEQUENCE_WINDOW, window);
}
