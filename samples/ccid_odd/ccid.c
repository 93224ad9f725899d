// SPDX-License-Identifier: GPL-2.0-only
/*
 * CCID 247: for tests of the core. It does what a CCID may do, and none of the five
 * schemes does:
 *
 *  - The receiver has something to report for each data packet, but does not send an
 *    acknowledgment. It waits for one that the core sends for other reasons.
 *  - The sender requests an option on each data packet. On packets that begin with
 *    '!' there is no room for it. Such a packet is not sent, and does not count.
 *  - The sender starts the core's timer for packets in its initialization.
 *
 * It does not control congestion. Like ccid_bare it has no alias. Its number is not
 * one of those for experiments, because these are for new CCIDs.
 */
#include <linux/module.h>
#include <net/tfrc_ccid.h>

#define ODD_OPT_SENDER		191
#define ODD_OPT_RECEIVER	253

struct odd_hc_tx {
	u32	sent;
	bool	no_room;
};

static struct odd_hc_tx *odd_hc_tx(const struct sock *sk)
{
	return ccid_priv(dccp_sk(sk)->dccps_hc_tx_ccid);
}

static int odd_tx_init(struct ccid *ccid, struct sock *sk)
{
	sk_reset_timer(sk, &dccp_sk(sk)->dccps_xmit_timer, jiffies + 1);
	return 0;
}

static int odd_tx_send_packet(struct sock *sk, struct sk_buff *skb)
{
	odd_hc_tx(sk)->no_room = skb->len && *skb->data == '!';
	dccp_sk(sk)->dccps_hc_tx_insert_options = 1;
	return 0;
}

static int odd_tx_insert_options(struct sock *sk, struct sk_buff *skb)
{
	if (odd_hc_tx(sk)->no_room)
		return -1;
	return dccp_insert_option(skb, ODD_OPT_SENDER, "odd", 3);
}

static void odd_tx_packet_sent(struct sock *sk, unsigned int len)
{
	odd_hc_tx(sk)->sent++;
}

/* The number of packets sent */
static int odd_tx_getsockopt(struct sock *sk, const int optname, int len,
			     u32 __user *optval, int __user *optlen)
{
	u32 sent = odd_hc_tx(sk)->sent;

	if (optname != DCCP_SOCKOPT_CCID_TX_INFO)
		return -ENOPROTOOPT;
	return tfrc_put_info(&sent, sizeof(sent), sizeof(sent), len, optval,
			     optlen);
}

static void odd_rx_packet_recv(struct sock *sk, struct sk_buff *skb)
{
	if (dccp_data_packet(skb))
		dccp_sk(sk)->dccps_hc_rx_insert_options = 1;
}

static int odd_rx_insert_options(struct sock *sk, struct sk_buff *skb)
{
	return dccp_insert_option(skb, ODD_OPT_RECEIVER, "odd", 3);
}

static struct ccid_operations ccid_odd_ops = {
	.ccid_id		   = 247,
	.ccid_name		   = "odd",
	.ccid_owner		   = THIS_MODULE,

	.ccid_hc_tx_obj_size	   = sizeof(struct odd_hc_tx),
	.ccid_hc_tx_opt_len	   = 2 + 3,
	.ccid_hc_tx_init	   = odd_tx_init,
	.ccid_hc_tx_send_packet	   = odd_tx_send_packet,
	.ccid_hc_tx_insert_options = odd_tx_insert_options,
	.ccid_hc_tx_packet_sent	   = odd_tx_packet_sent,
	.ccid_hc_tx_getsockopt	   = odd_tx_getsockopt,

	.ccid_hc_rx_packet_recv	   = odd_rx_packet_recv,
	.ccid_hc_rx_insert_options = odd_rx_insert_options,
};
module_ccid(ccid_odd_ops);

MODULE_DESCRIPTION("A DCCP CCID that does what others do not, for tests");
MODULE_LICENSE("GPL");
MODULE_AUTHOR("The dccp-ccids developers");
MODULE_VERSION(DCCP_CCIDS_VERSION);
