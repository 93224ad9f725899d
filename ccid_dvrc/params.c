// SPDX-License-Identifier: GPL-2.0-only
/*
 * DVRC's parameters: presets, module parameters, lists of layers, and state for
 * applications. What is in range is in dvrc.c.
 */
#include <linux/module.h>
#include "glue.h"

tfrc_param_values(dvrc_tx, dccp_dvrc_tx_params, {
	.gamma = 900,
	.epsilon = 250,
	.slow_start = 1,
	.target_delay = TFRC_DELAY_DEFAULT,
});

tfrc_param_values(dvrc_rx, dccp_dvrc_rx_params, {
	.alpha_i = 1000,
	.alpha_d = 1000,
	.beta_d = 500,
	.n = 1500,
	.weight = 1000,
	.ack_ratio = 16,
	.loss_history = TFRC_LI_DEFAULT,
	.weight_layers = 1000,
	.delta = 4000,
	.gain_mean = 125,
	.gain_deviation = 250,
	.hold = 1000,
	.validation = 1,
});

/* "layered" is for layers that change seldom: they are joined late. */
static const struct tfrc_preset dvrc_presets[] = {
	{ "default", "" },
	{ "paper", "slow_start=0 weight_layers=0 ack_ratio=1 hold=0 validation=0 target_delay=0" },
	{ "layered", "hold=2000 target_delay=0" },
	{ }
};

static int dvrc_tx_changed(void *priv)
{
	struct dvrc_hc_tx *dtx = priv;
	const struct dccp_dvrc_tx_params *par = &dtx->snd.par;

	tfrc_hc_tx_configure(&dtx->hc, par->target_delay, par->frame_rate,
			     par->l4s);
	return 0;
}

static int dvrc_rx_changed(void *priv)
{
	struct dvrc_hc_rx *drx = priv;

	if (tfrc_loss_intervals_resize(&drx->rcv.intervals,
				       drx->rcv.dvrc.par.loss_history))
		return -ENOMEM;
	tfrc_nominal_set(&drx->rcv.dvrc.nominal,
			 drx->rcv.dvrc.par.nominal_size);
	return 0;
}

tfrc_half_params(dvrc, tx, DCCP_SOCKOPT_DVRC_TX, l4s, snd.par);
tfrc_half_params(dvrc, rx, DCCP_SOCKOPT_DVRC_RX, reserved, rcv.dvrc.par);

tfrc_param(dvrc_tx, gamma,
	   "sender: weight of the old value in the smoothed round-trip time (10^-3, 0 to 999)");
tfrc_param(dvrc_tx, epsilon, "sender: weight of the old value in its deviation (10^-3, 0 to 999)");
tfrc_param(dvrc_tx, slow_start,
	   "sender: bound of the first rate, which is that of layer 1. 1: the initial rate; 0: none, as in the paper");
tfrc_param(dvrc_tx, target_delay, TFRC_TEXT_TARGET_DELAY);
tfrc_param(dvrc_tx, frame_rate, TFRC_TEXT_FRAME_RATE);
tfrc_param(dvrc_tx, l4s, TFRC_TEXT_L4S);
tfrc_param(dvrc_rx, alpha_i,
	   "increase of the rate after a round trip without loss, packets in a round trip (10^-3, 1 to 65535)");
tfrc_param(dvrc_rx, alpha_d,
	   "decrease of the rate at a random loss, packets in a round trip (10^-3, 1 to 65535)");
tfrc_param(dvrc_rx, beta_d,
	   "factor by which the rate is multiplied in congestion (10^-3, 1 to 999)");
tfrc_param(dvrc_rx, n,
	   "a loss counts as congestion if the receiving rate is below its mean at earlier loss events by more than this many deviations (10^-3, 0 to 65535)");
tfrc_param(dvrc_rx, weight,
	   "bound of the rate without layers, times the rate of TFRC's equation (10^-3, 1 to 65535)");
tfrc_param(dvrc_rx, ack_ratio, "data packets for each acknowledgment (packets, 1 to 255)");
tfrc_param(dvrc_rx, loss_history, TFRC_TEXT_LOSS_HISTORY);
tfrc_param(dvrc_rx, weight_layers,
	   "bound of the rate with layers, likewise; 0: only the rate of the last layer is a bound, as in the paper (10^-3, 0 to 65535)");
tfrc_param(dvrc_rx, delta,
	   "weight of the round-trip time's deviation in DTO: if no packet arrives for DTO, this counts as congestion (10^-3, 0 to 65535)");
tfrc_param(dvrc_rx, gain_mean, "gain of the mean of the receiving rates (10^-3, 1 to 1000)");
tfrc_param(dvrc_rx, gain_deviation,
	   "gain of the deviation of the receiving rates (10^-3, 1 to 1000)");
tfrc_param(dvrc_rx, hold,
	   "time for which a layer must have fit in the rate before it is joined; 0: none, as in the paper (ms, 0 to 60000)");
tfrc_param(dvrc_rx, validation,
	   "1: with layers, too, a rate that is not used does not grow, and with and without them it falls in a pause; 0: neither, as in the paper");
tfrc_param(dvrc_rx, nominal_size,
	   "receiver: packet size in increase, decrease and equation (RFC 4828); 0: the mean size of the packets (bytes, 0 to 1460)");

static void dvrc_tx_set_layers(struct sock *sk, const u32 *list, size_t size)
{
	dvrc_sender_set_layers(&dvrc_hc_tx(sk)->snd, list, size);
}

static u32 dvrc_tx_get_layers(const struct sock *sk, u32 *list)
{
	return dvrc_layers_get(&dvrc_hc_tx(sk)->snd.layers, list);
}

static void dvrc_rx_set_layers(struct sock *sk, const u32 *list, size_t size)
{
	struct dvrc_receiver *dr = &dvrc_hc_rx(sk)->rcv;

	dvrc_vector(&dr->dvrc, list, size);
	dr->own_layers = true;
}

static u32 dvrc_rx_get_layers(const struct sock *sk, u32 *list)
{
	return dvrc_layers_get(&dvrc_hc_rx(sk)->rcv.dvrc.layers, list);
}

static u32 dvrc_get_k(const struct sock *sk, u32 *list)
{
	*list = dvrc_hc_tx(sk)->snd.k;
	return 1;
}

static const struct tfrc_list dvrc_lists[] = {
	{ DCCP_SOCKOPT_DVRC_TX_LAYERS, dvrc_layers_valid, dvrc_tx_set_layers,
	  dvrc_tx_get_layers },
	{ DCCP_SOCKOPT_DVRC_RX_LAYERS, dvrc_layers_valid, dvrc_rx_set_layers,
	  dvrc_rx_get_layers },
	{ .optname = DCCP_SOCKOPT_DVRC_K, .get = dvrc_get_k, .event = true },
	{ }
};

static void dvrc_fill_tx(struct sock *sk, struct dccp_ccid_tx_info *info)
{
	const struct dvrc_sender *ds = &dvrc_hc_tx(sk)->snd;

	info->dvrc.requested = ds->driven.rate >> TFRC_RATE_SHIFT;
	info->dvrc.kept_back = ds->kept_back;
	info->dvrc.k = ds->k;
	info->dvrc.layers = ds->layers.k;
	info->dvrc.deviation = tfrc_us(ds->rtt.deviation);
	info->dvrc.dto = tfrc_us(ds->driven.timeout);
}

static void dvrc_fill_rx(struct sock *sk, struct dccp_ccid_rx_info *info)
{
	const struct dvrc_receiver *dr = &dvrc_hc_rx(sk)->rcv;
	const struct dvrc *d = &dr->dvrc;

	info->loss_history = dr->intervals.n;
	info->dvrc.rate = d->r >> TFRC_RATE_SHIFT;
	info->dvrc.receiving = d->receiving >> TFRC_RATE_SHIFT;
	info->dvrc.mean = d->history.mean >> TFRC_RATE_SHIFT;
	info->dvrc.deviation = d->history.deviation >> TFRC_RATE_SHIFT;
	info->dvrc.k = d->k;
	info->dvrc.layers = d->layers.k;
	info->dvrc.random = d->random;
	info->dvrc.congestion = d->congestion;
	info->dvrc.timeouts = d->timeouts;
	info->dvrc.decision = d->decision;
	info->dvrc.dto = d->packets ? tfrc_us(dvrc_dto_now(d)) : 0;
}

const struct tfrc_sockopts dvrc_sockopts = {
	.params = { &dvrc_tx_params, &dvrc_rx_params },
	.lists = dvrc_lists,
	.fill_tx = dvrc_fill_tx,
	.fill_rx = dvrc_fill_rx,
};
