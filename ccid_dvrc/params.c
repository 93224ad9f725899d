// SPDX-License-Identifier: GPL-2.0-only
/*
 * DVRC's parameters: presets, module parameters, lists of layers, and state for
 * applications. What is in range is in dvrc.c.
 */
#include <linux/module.h>
#include "glue.h"

#define DVRC_TX_DEFAULT {						\
	.gamma = 900,							\
	.epsilon = 250,							\
	.slow_start = 1,						\
}

#define DVRC_TX_PAPER {							\
	.gamma = 900,							\
	.epsilon = 250,							\
}

/* All but ack_ratio */
#define DVRC_RX_COMMON							\
	.alpha_i = 1000,						\
	.alpha_d = 1000,						\
	.beta_d = 500,							\
	.n = 1500,							\
	.weight = 1000,							\
	.loss_history = TFRC_LI_DEFAULT,				\
	.delta = 4000,							\
	.gain_mean = 125,						\
	.gain_deviation = 250

#define DVRC_RX_PAPER	DVRC_RX_COMMON, .ack_ratio = 1

/* All but ack_ratio and hold */
#define DVRC_RX_NETWORK							\
	DVRC_RX_COMMON,							\
	.weight_layers = 1000,						\
	.validation = 1

#define DVRC_RX_DEFAULT {						\
	DVRC_RX_NETWORK,						\
	.ack_ratio = 4,							\
	.hold = 1000,							\
}

/* Layers that change seldom: join late */
static const struct dccp_dvrc_rx_params dvrc_rx_layered = {
	DVRC_RX_NETWORK,
	.ack_ratio = 4,
	.hold = 2000,
};

static struct dccp_dvrc_tx_params dvrc_tx_values = DVRC_TX_DEFAULT;
static struct dccp_dvrc_rx_params dvrc_rx_values = DVRC_RX_DEFAULT;

static const struct tfrc_preset dvrc_tx_presets[] = {
	{ "default", &(const struct dccp_dvrc_tx_params)DVRC_TX_DEFAULT },
	{ "paper", &(const struct dccp_dvrc_tx_params)DVRC_TX_PAPER },
	{ "layered", &(const struct dccp_dvrc_tx_params)DVRC_TX_DEFAULT },
	{ }
};

static const struct tfrc_preset dvrc_rx_presets[] = {
	{ "default", &(const struct dccp_dvrc_rx_params)DVRC_RX_DEFAULT },
	{ "paper", &(const struct dccp_dvrc_rx_params){ DVRC_RX_PAPER } },
	{ "layered", &dvrc_rx_layered },
	{ }
};

static int dvrc_tx_changed(void *priv)
{
	struct dvrc_hc_tx *dtx = priv;

	tfrc_delay_set(&dtx->snd.driven.base, dtx->snd.par.target_delay);
	tfrc_pacing_set_frames(&dtx->hc.pacer.pacing, dtx->snd.par.frame_rate);
	tfrc_l4s_set(&dtx->snd.driven.base, dtx->snd.par.l4s);
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

const struct tfrc_params dvrc_tx_params = {
	.optname = DCCP_SOCKOPT_DVRC_TX,
	TFRC_PARAMS(dvrc_tx, struct dccp_dvrc_tx_params, l4s,
		    struct dvrc_hc_tx, snd.par),
	.valid = dvrc_tx_params_valid,
	.changed = dvrc_tx_changed,
};

const struct tfrc_params dvrc_rx_params = {
	.optname = DCCP_SOCKOPT_DVRC_RX,
	TFRC_PARAMS(dvrc_rx, struct dccp_dvrc_rx_params, reserved,
		    struct dvrc_hc_rx, rcv.dvrc.par),
	.valid = dvrc_rx_params_valid,
	.changed = dvrc_rx_changed,
};

#define DVRC_PARAM(member, text)					\
	tfrc_module_param(member, dvrc_rx_params,			\
			  struct dccp_dvrc_rx_params, member, NULL, text)

#define DVRC_TX_PARAM(member, text)					\
	tfrc_module_param(member, dvrc_tx_params,			\
			  struct dccp_dvrc_tx_params, member, NULL, text)

tfrc_module_presets(dvrc_sockopts);
DVRC_TX_PARAM(gamma, "sender: weight of the round-trip time so far, in 10^-3 (0 to 999)");
DVRC_TX_PARAM(epsilon, "sender: weight of its deviation so far, in 10^-3 (0 to 999)");
DVRC_TX_PARAM(slow_start, "sender: 1: begin with RFC 3390's window at most, 0: with c_1");
DVRC_TX_PARAM(target_delay,
	      "sender: delay of the queue to aim at, ms (5 to 1000; 0: no such limit)");
DVRC_TX_PARAM(frame_rate,
	      "sender: frames whose packets are spread, 1/s (1 to 1000; 0: they are not)");
DVRC_TX_PARAM(l4s, "sender: 1: respond to ECN marks in proportion (ECT(1)), 0: a mark is a loss");
DVRC_PARAM(alpha_i, "increase in a round trip without loss, in 10^-3 packets (1 to 65535)");
DVRC_PARAM(alpha_d, "decrease at a random loss, in 10^-3 packets in a round trip (1 to 65535)");
DVRC_PARAM(beta_d, "factor of the rate in congestion, in 10^-3 (1 to 999)");
DVRC_PARAM(n,
	   "deviations below the mean from which on a loss is congestion, in 10^-3 (0 to 65535)");
DVRC_PARAM(weight, "bound without layers, in 10^-3 of the rate of TFRC's equation (1 to 65535)");
DVRC_PARAM(ack_ratio, "data packets for each acknowledgment (1 to 255)");
DVRC_PARAM(loss_history, "loss intervals to average (2 to 128)");
DVRC_PARAM(weight_layers,
	   "bound with layers, in 10^-3 of the same rate (0 to 65535; 0: c_k alone)");
DVRC_PARAM(delta, "weight of the round-trip time's deviation in DTO, in 10^-3 (0 to 65535)");
DVRC_PARAM(gain_mean, "gain of the mean receiving rate, in 10^-3 (1 to 1000)");
DVRC_PARAM(gain_deviation, "gain of its deviation, in 10^-3 (1 to 1000)");
DVRC_PARAM(hold, "how long a layer must have fit before it is joined, ms (0 to 60000)");
DVRC_PARAM(validation,
	   "1: with layers, too, a rate that is not used does not grow, and falls in a pause");

DVRC_PARAM(nominal_size,
	   "packet size of increase, decrease and the equation, bytes (1 to 1460; 0: the real one)");

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

	dvrc_layers_set(&dr->dvrc.layers, list, size);
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
	info->dvrc.dto = d->packets ?
		tfrc_us(dvrc_dto(&d->path, d->s, d->r, d->par.delta)) : 0;
}

const struct tfrc_sockopts dvrc_sockopts = {
	.params = { &dvrc_tx_params, &dvrc_rx_params },
	.lists = dvrc_lists,
	.fill_tx = dvrc_fill_tx,
	.fill_rx = dvrc_fill_rx,
};
