// SPDX-License-Identifier: GPL-2.0-only
/*
 * CCID 251: DVRC over the half-connections of lib_tfrc. The receiver decides
 * (dvrc.c) and answers each data packet with the rate R and the number of layers K;
 * here is what connects it with DCCP, and the sender, which does as it is told
 * within the rules of lib_tfrc/told.c, and keeps back layers above K.
 *
 * The sender says in options on data packets what the receiver cannot know: the
 * round-trip time and its deviation, once in a round trip, and the rate vector,
 * until a report shows that it arrived. CCVal is 1 on a packet behind which nothing
 * waits to be sent.
 */
#include <linux/build_bug.h>
#include <linux/module.h>
#include <linux/tfrc.h>
#include <net/tfrc_ccid.h>
#include "dvrc.h"

#define CREATE_TRACE_POINTS
#include "dvrc_trace.h"

#define DVRC_CCVAL_IDLE		1

/* What is left of the rate after 2 DTO without a report, in 10^-3. */
#define DVRC_SILENCE		500

/*
 * The library's state comes first: its hooks find it there.
 *
 * @par: parameters
 * @layers: rate vector that the application has set
 * @advertise: the receiver does not have it yet
 * @vector_seq: first packet that carried it, if @advertise
 * @t_stated: when the round-trip time was last stated
 * @state: the packet in hand is to state it
 * @k: number of layers that may be sent, 0 if there are no layers
 * @kept_back: packets of layers above K
 */
struct dvrc_hc_tx {
	struct tfrc_hc_tx	hc;
	struct tfrc_told	told;
	struct dccp_dvrc_tx_params par;
	struct dvrc_rtt		rtt;
	struct dvrc_layers	layers;
	u64			vector_seq;
	u64			t_stated;
	u64			kept_back;
	u32			k;
	bool			advertise;
	bool			state;
};

/*
 * @events: loss events that the algorithm knows of
 * @lost: packets lost, likewise
 * @marked: packets with a CE mark, likewise
 * @own_layers: the rate vector was set here
 */
struct dvrc_hc_rx {
	struct tfrc_hc_rx	hc;
	struct tfrc_path	path;
	struct tfrc_layers	vector;
	struct dvrc		dvrc;
	u64			events;
	u64			lost;
	u64			marked;
	bool			own_layers;
};

static struct dvrc_hc_tx *dvrc_hc_tx(const struct sock *sk)
{
	return container_of(tfrc_hc_tx(sk), struct dvrc_hc_tx, hc);
}

static struct dvrc_hc_rx *dvrc_hc_rx(const struct sock *sk)
{
	return container_of(tfrc_hc_rx(sk), struct dvrc_hc_rx, hc);
}

/* Parameters */

#define DVRC_TX_DEFAULT {						\
	.gamma = 900,							\
	.epsilon = 250,							\
	.slow_start = 1,						\
}

#define DVRC_TX_PAPER {							\
	.gamma = 900,							\
	.epsilon = 250,							\
}

#define DVRC_RX_PAPER							\
	.alpha_i = 1000,						\
	.alpha_d = 1000,						\
	.beta_d = 500,							\
	.n = 1500,							\
	.weight = 1000,							\
	.ack_ratio = 1,							\
	.loss_history = TFRC_LI_DEFAULT,				\
	.delta = 4000,							\
	.gain_mean = 125,						\
	.gain_deviation = 250

#define DVRC_RX_DEFAULT {						\
	DVRC_RX_PAPER,							\
	.weight_layers = 1000,						\
	.hold = 1000,							\
	.validation = 1,						\
}

static struct dccp_dvrc_tx_params dvrc_tx_values = DVRC_TX_DEFAULT;
static struct dccp_dvrc_rx_params dvrc_rx_values = DVRC_RX_DEFAULT;

static const struct tfrc_preset dvrc_tx_presets[] = {
	{ "default", &(const struct dccp_dvrc_tx_params)DVRC_TX_DEFAULT },
	{ "paper", &(const struct dccp_dvrc_tx_params)DVRC_TX_PAPER },
	{ }
};

static const struct tfrc_preset dvrc_rx_presets[] = {
	{ "default", &(const struct dccp_dvrc_rx_params)DVRC_RX_DEFAULT },
	{ "paper", &(const struct dccp_dvrc_rx_params){ DVRC_RX_PAPER } },
	{ }
};

static void dvrc_tx_apply(void *priv, const void *values)
{
	struct dvrc_hc_tx *ctx = priv;

	ctx->par = *(const struct dccp_dvrc_tx_params *)values;
}

static void dvrc_tx_read(const void *priv, void *values)
{
	const struct dvrc_hc_tx *ctx = priv;

	*(struct dccp_dvrc_tx_params *)values = ctx->par;
}

static void dvrc_rx_apply(void *priv, const void *values)
{
	struct dvrc_hc_rx *crx = priv;

	crx->dvrc.par = *(const struct dccp_dvrc_rx_params *)values;
	tfrc_loss_intervals_resize(&crx->hc.rcv.intervals,
				   crx->dvrc.par.loss_history);
}

static void dvrc_rx_read(const void *priv, void *values)
{
	const struct dvrc_hc_rx *crx = priv;

	*(struct dccp_dvrc_rx_params *)values = crx->dvrc.par;
}

static const struct tfrc_params dvrc_tx_params = {
	.optname = DCCP_SOCKOPT_DVRC_TX,
	.size = sizeof(struct dccp_dvrc_tx_params),
	.least = offsetofend(struct dccp_dvrc_tx_params, reserved),
	.values = &dvrc_tx_values,
	.presets = dvrc_tx_presets,
	.valid = dvrc_tx_params_valid,
	.apply = dvrc_tx_apply,
	.read = dvrc_tx_read,
};

static const struct tfrc_params dvrc_rx_params = {
	.optname = DCCP_SOCKOPT_DVRC_RX,
	.size = sizeof(struct dccp_dvrc_rx_params),
	.least = offsetofend(struct dccp_dvrc_rx_params, reserved),
	.values = &dvrc_rx_values,
	.presets = dvrc_rx_presets,
	.valid = dvrc_rx_params_valid,
	.apply = dvrc_rx_apply,
	.read = dvrc_rx_read,
};

static const struct tfrc_params *const dvrc_params[] = {
	&dvrc_tx_params, &dvrc_rx_params, NULL
};

#define DVRC_PARAM(member, text)					\
	tfrc_module_param(member, dvrc_rx_params,			\
			  struct dccp_dvrc_rx_params, member, NULL, text)

#define DVRC_TX_PARAM(member, text)					\
	tfrc_module_param(member, dvrc_tx_params,			\
			  struct dccp_dvrc_tx_params, member, NULL, text)

tfrc_module_presets(dvrc_params);
DVRC_TX_PARAM(gamma, "sender: weight of the round-trip time so far, in 10^-3 (0 to 999)");
DVRC_TX_PARAM(epsilon, "sender: weight of its deviation so far, in 10^-3 (0 to 999)");
DVRC_TX_PARAM(slow_start, "sender: 1: begin with RFC 3390's window at most, 0: with c_1");
DVRC_PARAM(alpha_i, "packets more in a round trip without loss, in 10^-3 (1 to 65535)");
DVRC_PARAM(alpha_d, "packets less in a round trip after random loss, in 10^-3 (1 to 65535)");
DVRC_PARAM(beta_d, "what congestion leaves of the rate, in 10^-3 (1 to 999)");
DVRC_PARAM(n, "deviations below the mean that are congestion, in 10^-3 (0 to 65535)");
DVRC_PARAM(weight, "bound without layers, in 10^-3 of the rate of TFRC's equation (1 to 65535)");
DVRC_PARAM(ack_ratio, "data packets for each acknowledgment (1 to 255)");
DVRC_PARAM(loss_history, "loss intervals to average (2 to 128)");
DVRC_PARAM(weight_layers, "bound with layers, likewise (0 to 65535; 0: c_k alone)");
DVRC_PARAM(delta, "weight of the round-trip time's deviation in DTO, in 10^-3 (0 to 65535)");
DVRC_PARAM(gain_mean, "gain of the mean receiving rate, in 10^-3 (1 to 1000)");
DVRC_PARAM(gain_deviation, "gain of its deviation, in 10^-3 (1 to 1000)");
DVRC_PARAM(hold, "for so long a layer has fit before it is joined, in ms (0 to 60000)");
DVRC_PARAM(validation, "with layers, too, 1: no growth of what is not used, less after a pause");

static int dvrc_check_sockopt(int optname, const void *val, unsigned int len)
{
	switch (optname) {
	case DCCP_SOCKOPT_DVRC_TX_LAYERS:
	case DCCP_SOCKOPT_DVRC_RX_LAYERS:
		return dvrc_layers_valid(val, len) ? 0 : -EINVAL;
	}
	return tfrc_params_check(dvrc_params, optname, val, len);
}

static int dvrc_preview_sockopt(const struct list_head *kept, int optname,
				void *val)
{
	return tfrc_params_preview(dvrc_params, kept, optname, val);
}

/* The sender */

static struct sock *dvrc_tx_sock(const struct dvrc_hc_tx *ctx)
{
	return ctx->hc.sk;
}

static void dvrc_tx_set_k(struct dvrc_hc_tx *ctx, u32 k)
{
	if (k == ctx->k)
		return;
	ctx->k = k;
	ccid_set_event(dvrc_tx_sock(ctx), true);
}

/*
 * A Sequence Window is to be five times the packets in a round trip (RFC 4340,
 * 7.5.2), and what is in force at the start is what both ends know.
 */
static u64 dvrc_scheme_start(void *priv, const struct tfrc_sender *snd, u64 now)
{
	const struct dvrc_hc_tx *ctx = priv;
	u32 s = tfrc_sender_size(snd);
	u64 window = dccp_sk(dvrc_tx_sock(ctx))->dccps_l_seq_win / 5;
	u64 most = tfrc_mul_div(min_t(u64, window, U32_MAX >> 1) * TFRC_RATE(s),
				TFRC_NSEC_PER_SEC, snd->rtt);

	return dvrc_start_rate(&ctx->layers, tfrc_initial_rate(s, snd->rtt),
			       most, ctx->par.slow_start);
}

static u64 dvrc_scheme_adapt(void *priv, const struct tfrc_sender *snd,
			     const struct tfrc_feedback *fb, u64 sample,
			     u64 now)
{
	struct dvrc_hc_tx *ctx = priv;
	u64 x = tfrc_told_follow(&ctx->told, snd, fb);

	if (sample)
		dvrc_rtt_sample(&ctx->rtt, sample, ctx->par.gamma);

	/* A receiver without layers counts none: it does not have ours yet. */
	if (fb->number || !ctx->layers.k)
		dvrc_tx_set_k(ctx, dvrc_layers_sent(&ctx->layers, fb->number, x,
						    ctx->par.slow_start));
	if (ctx->advertise && fb->number && ctx->vector_seq &&
	    !before48(ctx->hc.hist.acked, ctx->vector_seq))
		ctx->advertise = false;
	return x;
}

static u64 dvrc_scheme_patience(void *priv)
{
	struct dvrc_hc_tx *ctx = priv;

	return tfrc_told_patience(&ctx->told, &ctx->hc.snd);
}

static u64 dvrc_scheme_silence(void *priv, bool idle)
{
	struct dvrc_hc_tx *ctx = priv;
	u64 x = tfrc_told_silence(&ctx->hc.snd, DVRC_SILENCE, idle);

	if (ctx->layers.k && !idle)
		dvrc_tx_set_k(ctx, min(ctx->k,
				       dvrc_layers_in(&ctx->layers, x)));
	else if (ctx->layers.k)
		dvrc_tx_set_k(ctx, dvrc_layers_sent(&ctx->layers, ctx->k, x,
						    ctx->par.slow_start));
	return x;
}

/* The receiver */

/* What the algorithm is to know of the packet that came. */
static void dvrc_rx_decide(struct dvrc_hc_rx *crx, struct tfrc_receiver *rcv,
			   const struct tfrc_rx_packet *pkt, u64 now)
{
	const struct tfrc_rx_history *h = &rcv->history;
	struct dvrc *d = &crx->dvrc;
	bool event = h->events != crx->events;
	/* A mark above a hole begins an event at once, and is counted with the hole. */
	bool marked = h->marked != crx->marked ||
		      (event && pkt->is_data && pkt->is_ce);
	bool loss = event || marked || h->lost != crx->lost;
	bool idle = d->idle;
	u64 p;

	/* One that comes late says nothing of what was sent after it. */
	if (h->newest == pkt->seq)
		idle = pkt->ccval == DVRC_CCVAL_IDLE;
	if (!d->path.rtt)
		d->path.rtt = tfrc_window_rtt_get(&rcv->window);
	if (pkt->is_data)
		dvrc_arrival(d, pkt->len, max(rcv->s >> 8, 1U), idle, now);
	if (!d->packets || (!loss && !(pkt->is_data && dvrc_round_over(d, now))))
		return;

	p = tfrc_loss_intervals_p(&rcv->intervals, tfrc_rx_history_open(h));
	if (event)
		dvrc_loss(d, p, marked, now);
	else if (loss)
		dvrc_more_loss(d, p, marked, now);
	else
		dvrc_increase(d, p, now);
	crx->events = h->events;
	crx->lost = h->lost;
	crx->marked = h->marked;
}

static bool dvrc_scheme_packet(void *priv, struct tfrc_receiver *rcv,
			       const struct tfrc_rx_packet *pkt, u64 now)
{
	struct dvrc_hc_rx *crx = priv;
	struct dvrc *d = &crx->dvrc;
	u32 random = d->random, congestion = d->congestion;

	dvrc_rx_decide(crx, rcv, pkt, now);
	/* at once the first packet and a decrease, else each ack_ratio-th */
	return !rcv->feedbacks ? pkt->is_data :
	       d->random != random || d->congestion != congestion ||
	       rcv->packets - crx->hc.reported >= d->par.ack_ratio;
}

/* Packets not yet acknowledged wait for others no longer than a round trip. */
static u64 dvrc_scheme_wake(void *priv, const struct tfrc_receiver *rcv)
{
	const struct dvrc_hc_rx *crx = priv;
	u64 when = dvrc_timeout_at(&crx->dvrc);

	if (rcv->packets != crx->hc.reported)
		when = min(when, rcv->t_report + crx->dvrc.path.rtt);
	return when == U64_MAX ? 0 : when;
}

static void dvrc_scheme_report(void *priv, struct tfrc_receiver *rcv,
			       struct tfrc_feedback *fb, u64 now)
{
	struct dvrc_hc_rx *crx = priv;
	struct dvrc *d = &crx->dvrc;

	if (now >= dvrc_timeout_at(d))
		dvrc_timeout(d, now);
	fb->x_recv = dvrc_receiving_rate(d, now);
	fb->told = d->r;
	fb->timeout = dvrc_dto(&d->path, d->s, d->r, d->par.delta);
	fb->number = dvrc_layers_now(d, now);
	trace_dvrc_report(crx->hc.sk, d, fb->x_recv, fb->timeout);
}

static const struct tfrc_scheme dvrc_scheme = {
	.adapt = dvrc_scheme_adapt,
	.start = dvrc_scheme_start,
	.patience = dvrc_scheme_patience,
	.silence = dvrc_scheme_silence,
	.packet = dvrc_scheme_packet,
	.report = dvrc_scheme_report,
	.wake = dvrc_scheme_wake,
};

/* Hooks */

static int dvrc_tx_init(struct ccid *ccid, struct sock *sk)
{
	struct dvrc_hc_tx *ctx = ccid_priv(ccid);

	tfrc_hc_tx_init(&ctx->hc, sk, &dvrc_scheme, ctx);
	tfrc_params_init(&dvrc_tx_params, ctx);
	ctx->hc.stash.need = TFRC_REPORT_TOLD;
	return 0;
}

static int dvrc_rx_init(struct ccid *ccid, struct sock *sk)
{
	struct dvrc_hc_rx *crx = ccid_priv(ccid);

	tfrc_hc_rx_init(&crx->hc, sk, TFRC_LI_DEFAULT, &dvrc_scheme, crx);
	tfrc_params_init(&dvrc_rx_params, crx);
	return 0;
}

/* The inverse of DCCP_DVRC_PRIORITY(); what is not tagged is the base. */
static u32 dvrc_layer(const struct sk_buff *skb)
{
	if (!skb->priority || skb->priority > DCCP_DVRC_LAYERS_MAX)
		return 1;
	return DCCP_DVRC_PRIORITY(skb->priority);
}

static bool dvrc_tx_wanted(const struct dvrc_hc_tx *ctx,
			   const struct sk_buff *skb)
{
	return !ctx->k || dvrc_layer(skb) <= ctx->k;
}

/*
 * Does anything wait behind this packet? What is above K will not be sent. The walk
 * is as long as the queue may be, as is that of qpolicy prio for each packet.
 */
static bool dvrc_tx_idle(const struct dvrc_hc_tx *ctx, struct sock *sk,
			 const struct sk_buff *this)
{
	const struct sk_buff *skb;

	skb_queue_walk(&sk->sk_write_queue, skb)
		if (skb != this && dvrc_tx_wanted(ctx, skb))
			return false;
	return true;
}

static int dvrc_tx_send_packet(struct sock *sk, struct sk_buff *skb)
{
	struct dvrc_hc_tx *ctx = dvrc_hc_tx(sk);
	u64 now = ktime_get_ns();
	int err;

	if (!dvrc_tx_wanted(ctx, skb)) {
		ctx->kept_back++;
		/* It was not held back by the rate: what follows has no credit. */
		ctx->hc.pacer.pacing.waits = false;
		return -EBADMSG;
	}
	err = tfrc_hc_tx_send_packet(sk, skb);
	if (err)
		return err;
	DCCP_SKB_CB(skb)->dccpd_ccval = dvrc_tx_idle(ctx, sk, skb) ?
					DVRC_CCVAL_IDLE : 0;

	ctx->state = ctx->rtt.rtt && now - ctx->t_stated >= ctx->rtt.rtt;
	if (ctx->state) {
		ctx->t_stated = now;
		dvrc_rtt_round(&ctx->rtt, ctx->par.epsilon);
	}
	if (ctx->state || ctx->advertise)
		dccp_sk(sk)->dccps_hc_tx_insert_options = 1;
	return CCID_PACKET_SEND_AT_ONCE;
}

static int dvrc_tx_insert_options(struct sock *sk, struct sk_buff *skb)
{
	struct dvrc_hc_tx *ctx = dvrc_hc_tx(sk);
	int err = 0;

	if (ctx->state)
		err = tfrc_insert_path(skb, ctx->rtt.rtt, ctx->rtt.deviation);
	if (!err && ctx->layers.k && (ctx->advertise || ctx->state)) {
		err = tfrc_insert_layers(skb, ctx->layers.rate, ctx->layers.k);
		ctx->vector_seq = ctx->vector_seq ?: DCCP_SKB_CB(skb)->dccpd_seq;
	}
	return err;
}

/* What a peer says is a rate vector if a user could have set it. */
static int dvrc_rx_parse_options(struct sock *sk, u8 pkt, u8 opt, u8 *val,
				 u8 len)
{
	struct dvrc_hc_rx *crx = dvrc_hc_rx(sk);
	struct tfrc_layers *l = &crx->vector;
	int err;

	/* They belong on data packets, and are passed over on others. */
	if (pkt != DCCP_PKT_DATA && pkt != DCCP_PKT_DATAACK)
		return 0;
	err = tfrc_stash_path(&crx->path, opt, val, len) ?:
	      tfrc_stash_layers(l, opt, val, len);
	if (!err && l->n && !dvrc_layers_valid(l->rate, l->n * sizeof(u32))) {
		l->n = 0;
		err = -EINVAL;
	}
	return err;
}

static void dvrc_rx_packet_recv(struct sock *sk, struct sk_buff *skb)
{
	struct dvrc_hc_rx *crx = dvrc_hc_rx(sk);
	bool newest = tfrc_hc_rx_newest(sk, skb);

	if (crx->path.seen && newest) {
		crx->dvrc.path.rtt = crx->path.rtt;
		crx->dvrc.path.deviation = crx->path.deviation;
		tfrc_window_rtt_init(&crx->hc.rcv.window, crx->path.rtt);
	}
	crx->path.seen = false;
	if (crx->vector.n && newest && !crx->own_layers)
		dvrc_layers_set(&crx->dvrc.layers, crx->vector.rate,
				crx->vector.n * sizeof(u32));
	crx->vector.n = 0;
	tfrc_hc_rx_packet_recv(sk, skb);
}

/* Socket options */

static int dvrc_tx_setsockopt(struct sock *sk, int optname, const void *val,
			      unsigned int len)
{
	struct dvrc_hc_tx *ctx = dvrc_hc_tx(sk);

	if (optname != DCCP_SOCKOPT_DVRC_TX_LAYERS)
		return tfrc_params_set(dvrc_params, sk, optname, val, len);
	dvrc_layers_set(&ctx->layers, val, len);
	ctx->advertise = true;
	ctx->vector_seq = 0;
	ctx->k = dvrc_layers_in(&ctx->layers, ctx->told.rate);
	return 0;
}

static int dvrc_rx_setsockopt(struct sock *sk, int optname, const void *val,
			      unsigned int len)
{
	struct dvrc_hc_rx *crx = dvrc_hc_rx(sk);

	if (optname == DCCP_SOCKOPT_DVRC_RX_LAYERS) {
		dvrc_layers_set(&crx->dvrc.layers, val, len);
		crx->own_layers = true;
		return 0;
	}
	return tfrc_params_set(dvrc_params, sk, optname, val, len);
}

static u32 dvrc_us(u64 ns)
{
	return min_t(u64, div_u64(ns, TFRC_NSEC_PER_USEC), U32_MAX);
}

static int dvrc_tx_getsockopt(struct sock *sk, const int optname, int len,
			      u32 __user *optval, int __user *optlen)
{
	const struct dvrc_hc_tx *ctx = dvrc_hc_tx(sk);
	struct dvrc_layers layers = ctx->layers;
	u32 k = ctx->k, size = layers.k * sizeof(u32);
	struct dccp_ccid_tx_info info;
	int err;

	switch (optname) {
	case DCCP_SOCKOPT_CCID_TX_INFO:
		tfrc_hc_tx_fill_info(sk, &info);
		info.dvrc.told = ctx->told.rate >> TFRC_RATE_SHIFT;
		info.dvrc.kept_back = ctx->kept_back;
		info.dvrc.k = k;
		info.dvrc.layers = layers.k;
		info.dvrc.deviation = dvrc_us(ctx->rtt.deviation);
		info.dvrc.dto = dvrc_us(ctx->told.timeout);
		return tfrc_put_info(&info, sizeof(info),
				     TFRC_TX_INFO_LEAST, len, optval,
				     optlen);
	case DCCP_SOCKOPT_DVRC_TX_LAYERS:
		return tfrc_put_info(layers.rate, size, size, len, optval,
				     optlen);
	case DCCP_SOCKOPT_DVRC_K:
		err = tfrc_put_info(&k, sizeof(k), sizeof(k), len, optval,
				    optlen);
		if (!err)
			ccid_set_event(sk, false);
		return err;
	}
	return tfrc_params_get(dvrc_params, sk, optname, len, optval, optlen);
}

static int dvrc_rx_info(struct sock *sk, int len, u32 __user *optval,
			int __user *optlen)
{
	const struct dvrc *d = &dvrc_hc_rx(sk)->dvrc;
	struct dccp_ccid_rx_info info;

	tfrc_hc_rx_fill_info(sk, &info);
	info.dvrc.rate = d->r >> TFRC_RATE_SHIFT;
	info.dvrc.receiving = d->receiving >> TFRC_RATE_SHIFT;
	info.dvrc.mean = d->history.mean >> TFRC_RATE_SHIFT;
	info.dvrc.deviation = d->history.deviation >> TFRC_RATE_SHIFT;
	info.dvrc.k = d->k;
	info.dvrc.layers = d->layers.k;
	info.dvrc.random = d->random;
	info.dvrc.congestion = d->congestion;
	info.dvrc.timeouts = d->timeouts;
	info.dvrc.decision = d->decision;
	info.dvrc.dto = d->packets ?
		dvrc_us(dvrc_dto(&d->path, d->s, d->r, d->par.delta)) : 0;
	return tfrc_put_info(&info, sizeof(info), sizeof(struct tfrc_rx_info),
			     len, optval, optlen);
}

static int dvrc_rx_getsockopt(struct sock *sk, const int optname, int len,
			      u32 __user *optval, int __user *optlen)
{
	struct dvrc_layers layers = dvrc_hc_rx(sk)->dvrc.layers;
	u32 size = layers.k * sizeof(u32);

	switch (optname) {
	case DCCP_SOCKOPT_CCID_RX_INFO:
		return dvrc_rx_info(sk, len, optval, optlen);
	case DCCP_SOCKOPT_DVRC_RX_LAYERS:
		return tfrc_put_info(layers.rate, size, size, len, optval,
				     optlen);
	}
	return tfrc_params_get(dvrc_params, sk, optname, len, optval, optlen);
}

static_assert(TFRC_LAYERS_MAX == DCCP_DVRC_LAYERS_MAX);

static struct ccid_operations ccid_dvrc_ops = {
	.ccid_id		   = DCCPC_DVRC,
	.ccid_name		   = "dvrc",
	.ccid_owner		   = THIS_MODULE,
	.ccid_ecn		   = true,
	.ccid_check_sockopt	   = dvrc_check_sockopt,
	.ccid_preview_sockopt	   = dvrc_preview_sockopt,

	TFRC_HC_TX_HOOKS,
	.ccid_hc_tx_obj_size	   = sizeof(struct dvrc_hc_tx),
	.ccid_hc_tx_opt_len	   = TFRC_OPT_PATH_LEN +
				     TFRC_OPT_LAYERS_LEN(TFRC_LAYERS_MAX),
	.ccid_hc_tx_init	   = dvrc_tx_init,
	.ccid_hc_tx_send_packet	   = dvrc_tx_send_packet,
	.ccid_hc_tx_insert_options = dvrc_tx_insert_options,
	.ccid_hc_tx_getsockopt	   = dvrc_tx_getsockopt,
	.ccid_hc_tx_setsockopt	   = dvrc_tx_setsockopt,

	TFRC_HC_RX_HOOKS,
	.ccid_hc_rx_obj_size	   = sizeof(struct dvrc_hc_rx),
	.ccid_hc_rx_init	   = dvrc_rx_init,
	.ccid_hc_rx_packet_recv	   = dvrc_rx_packet_recv,
	.ccid_hc_rx_parse_options  = dvrc_rx_parse_options,
	.ccid_hc_rx_insert_options = tfrc_hc_rx_insert_options,
	.ccid_hc_rx_getsockopt	   = dvrc_rx_getsockopt,
	.ccid_hc_rx_setsockopt	   = dvrc_rx_setsockopt,
};
module_ccid_params(ccid_dvrc_ops, dvrc_params);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The dccp-ccids developers");
MODULE_VERSION(DCCP_CCIDS_VERSION);
MODULE_DESCRIPTION("DCCP CCID 251: DVRC, dynamic video rate control with layers");
MODULE_ALIAS("net-dccp-ccid-251");
