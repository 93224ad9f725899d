// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Sequence Window: what is in flight must fit in it (RFC 4340, 7.5.2).
 */
#include <linux/export.h>
#include <linux/minmax.h>
#include <net/tfrc_ccid.h>

/*
 * A Sequence Window is to be about five times the packets of a round trip (RFC
 * 4340, 7.5.2). With each doubling it takes half as many packets to guess a
 * number in it (7.5.5): ask when it is less, and for twice that. A change takes
 * a round trip to be confirmed, in which the rate may double, and one more if it
 * is lost. It is five times the packets again then, or at the worst 2.5 times.
 * Three quarters of it are ahead of what has arrived.
 */
#define TFRC_SEQ_WIN_LEAST	5
#define TFRC_SEQ_WIN_MORE	10

/**
 * tfrc_seq_window - keep the Sequence Window ahead of what is in flight
 * @sk: the socket
 * @flight: packets of any type that it sends in a round trip
 *
 * One change at a time, repeated in each round trip until it is confirmed: it
 * travels on the next packet with an acknowledgment number, and nothing else makes
 * a one-way sender send one.
 *
 * Context: socket locked, connection open; once in a round trip or more often.
 * Source: RFC 4340, 7.5.2
 */
void tfrc_seq_window(struct sock *sk, u64 flight)
{
	u64 window = dccp_sk(sk)->dccps_l_seq_win;

	if (dccp_feat_nn_get(sk, DCCPF_SEQUENCE_WINDOW) != window) {
		inet_csk_schedule_ack(sk);
		return;
	}

	flight = min_t(u64, flight, DCCPF_SEQ_WMAX / TFRC_SEQ_WIN_MORE);
	if (TFRC_SEQ_WIN_LEAST * flight <= window)
		return;
	window = min_t(u64, TFRC_SEQ_WIN_MORE * flight, DCCPF_SEQ_WMAX);
	dccp_feat_signal_nn_change(sk, DCCPF_SEQUENCE_WINDOW, window);
}
