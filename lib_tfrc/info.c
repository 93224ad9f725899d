// SPDX-License-Identifier: GPL-2.0-only
/*
 * State of the half-connections for users: ss, and the answers to getsockopt().
 */
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/tfrc.h>
#include <net/tfrc_ccid.h>
#include <net/tfrc_rfc5348.h>

static u64 tfrc_hc_tx_rto(const struct tfrc_sender *snd)
{
	return snd->t_timer ? tfrc_sender_timeout_after(snd) : 0;
}

/**
 * tfrc_hc_tx_get_info - what ss shows
 * @sk: the socket
 * @info: to be filled in
 *
 * Only members that mean the same as for TCP: rates are bytes/s, times us.
 *
 * Context: hook ccid_hc_tx_get_info.
 */
void tfrc_hc_tx_get_info(struct sock *sk, struct tcp_info *info)
{
	const struct tfrc_hc_tx *hc = tfrc_hc_tx(sk);
	const struct tfrc_sender *snd = hc->snd;
	unsigned long most = READ_ONCE(sk->sk_max_pacing_rate);

	info->tcpi_rtt = div_u64(snd->rtt, TFRC_NSEC_PER_USEC);
	info->tcpi_rto = min_t(u64, U32_MAX, div_u64(tfrc_hc_tx_rto(snd),
						     TFRC_NSEC_PER_USEC));
	info->tcpi_lost = min_t(u64, snd->lost, U32_MAX);
	info->tcpi_data_segs_out = min_t(u64, snd->packets, U32_MAX);
	info->tcpi_delivered_ce = min_t(u64, snd->marked, U32_MAX);
	info->tcpi_pacing_rate = snd->x >> TFRC_RATE_SHIFT;
	info->tcpi_max_pacing_rate = most == ~0UL ? ~0ULL : most;
	info->tcpi_delivery_rate = snd->x_recv >> TFRC_RATE_SHIFT;
	info->tcpi_delivery_rate_app_limited = !hc->limited;
}
EXPORT_SYMBOL_GPL(tfrc_hc_tx_get_info);

static u32 tfrc_u32(u64 value)
{
	return min_t(u64, value, U32_MAX);
}

static u64 tfrc_p_in(u64 p, u32 parts)
{
	return tfrc_mul_div(p, parts, TFRC_P_ONE);
}

/**
 * tfrc_hc_tx_fill_info - answer to DCCP_SOCKOPT_CCID_TX_INFO
 * @sk: the socket
 * @info: filled in, except for the scheme's part
 *
 * Context: socket locked.
 */
void tfrc_hc_tx_fill_info(struct sock *sk, struct dccp_ccid_tx_info *info)
{
	struct tfrc_hc_tx *hc = tfrc_hc_tx(sk);
	const struct tfrc_sender *snd = hc->snd;
	const u32 us = TFRC_NSEC_PER_USEC;

	memset(info, 0, sizeof(*info));
	info->tfrctx_x = snd->x >> (TFRC_RATE_SHIFT - 6);
	info->tfrctx_x_recv = snd->x_recv >> (TFRC_RATE_SHIFT - 6);
	info->tfrctx_x_calc = tfrc_u32(snd->x_calc >> TFRC_RATE_SHIFT);
	info->tfrctx_rtt = tfrc_u32(div_u64(snd->rtt, us));
	info->tfrctx_p = tfrc_p_in(snd->p, 1000000);
	info->tfrctx_rto = tfrc_u32(div_u64(tfrc_hc_tx_rto(snd), us));
	info->tfrctx_ipi = tfrc_u32(div_u64(tfrc_hc_tx_ipi(hc), us));
	info->ccid = ccid_get_current_tx_ccid(dccp_sk(sk));
	/* Not all reports have p. A mark that l4s.c responds to is no signal. */
	info->flags = (snd->p || snd->signals ? 0 : DCCP_CCID_TX_SLOW_START) |
		      (hc->limited ? 0 : DCCP_CCID_TX_APP_LIMITED) |
		      (dccp_tx_ect(sk) ? DCCP_CCID_TX_ECN : 0) |
		      (dccp_tx_ect(sk) && snd->l4s.agreed ? DCCP_CCID_TX_L4S : 0);
	info->x = snd->x >> TFRC_RATE_SHIFT;
	info->x_inst = snd->x_inst >> TFRC_RATE_SHIFT;
	info->x_calc = snd->x_calc >> TFRC_RATE_SHIFT;
	info->x_recv = snd->x_recv >> TFRC_RATE_SHIFT;
	info->x_send = snd->x_send >> TFRC_RATE_SHIFT;
	info->p_ppb = tfrc_p_in(snd->p, 1000000000);
	info->rtt_ns = snd->rtt;
	info->packets_sent = snd->packets;
	info->packets_lost = snd->lost;
	info->packets_marked = snd->marked;
	info->feedbacks = snd->feedbacks;
	info->nofeedbacks = snd->nofeedbacks;
	info->mean_size = tfrc_sender_size(snd);
	info->seq_window = dccp_sk(sk)->dccps_l_seq_win;
}
EXPORT_SYMBOL_GPL(tfrc_hc_tx_fill_info);

/**
 * tfrc_hc_rx_get_info - what ss shows
 * @sk: the socket
 * @info: to be filled in
 *
 * Context: hook ccid_hc_rx_get_info.
 */
void tfrc_hc_rx_get_info(struct sock *sk, struct tcp_info *info)
{
	const struct tfrc_receiver *r = tfrc_hc_rx(sk)->rcv;

	info->tcpi_rcv_rtt = div_u64(tfrc_receiver_rtt(r), TFRC_NSEC_PER_USEC);
	info->tcpi_data_segs_in = min_t(u64, r->packets, U32_MAX);
}
EXPORT_SYMBOL_GPL(tfrc_hc_rx_get_info);

/**
 * tfrc_hc_rx_fill_info - answer to DCCP_SOCKOPT_CCID_RX_INFO
 * @sk: the socket
 * @info: filled in, except for the scheme's part
 *
 * Context: socket locked.
 */
void tfrc_hc_rx_fill_info(struct sock *sk, struct dccp_ccid_rx_info *info)
{
	const struct tfrc_receiver *r = tfrc_hc_rx(sk)->rcv;
	u64 rtt = tfrc_receiver_rtt(r);

	memset(info, 0, sizeof(*info));
	info->tfrcrx_x_recv = min_t(u64, r->x_recv >> TFRC_RATE_SHIFT, U32_MAX);
	info->tfrcrx_rtt = div_u64(rtt, TFRC_NSEC_PER_USEC);
	info->tfrcrx_p = tfrc_mul_div(r->p, 1000000, TFRC_P_ONE);
	info->ccid = ccid_get_current_rx_ccid(dccp_sk(sk));
	info->x_recv = r->x_recv >> TFRC_RATE_SHIFT;
	info->p_ppb = tfrc_mul_div(r->p, 1000000000, TFRC_P_ONE);
	info->packets_received = r->packets;
	info->packets_lost = r->history.lost;
	info->packets_marked = r->history.marked;
	info->loss_events = r->history.events;
	info->feedbacks = r->feedbacks;
}
EXPORT_SYMBOL_GPL(tfrc_hc_rx_fill_info);

/**
 * rfc5348_fill_rx - the part of DCCP_SOCKOPT_CCID_RX_INFO of a TFRC receiver
 * @sk: the socket, whose receiver is a struct rfc5348_receiver
 * @info: filled in by tfrc_hc_rx_fill_info()
 *
 * Context: socket locked. A fill_rx of struct tfrc_sockopts.
 */
void rfc5348_fill_rx(struct sock *sk, struct dccp_ccid_rx_info *info)
{
	info->loss_history = container_of(tfrc_hc_rx(sk)->rcv,
					  struct rfc5348_receiver,
					  base)->intervals.n;
}
EXPORT_SYMBOL_GPL(rfc5348_fill_rx);

/**
 * tfrc_put_info - copy an answer to getsockopt() to the user
 * @info: the answer. It must not be in a CCID's private state, because hardened
 *	usercopy does not allow copies from there.
 * @size: its size
 * @least: size of its oldest version
 * @len: size of the user's buffer
 * @optval: the user's buffer
 * @optlen: set to the size of the answer
 *
 * Context: socket locked, may sleep.
 * Return: 0, -EINVAL if there is too little room, -EFAULT
 */
int tfrc_put_info(const void *info, int size, int least, int len,
		  u32 __user *optval, int __user *optlen)
{
	if (len < least)
		return -EINVAL;
	len = min(len, size);
	if (put_user(len, optlen) || copy_to_user(optval, info, len))
		return -EFAULT;
	return 0;
}
EXPORT_SYMBOL_GPL(tfrc_put_info);
