// SPDX-License-Identifier: GPL-2.0-only
/*
 * CCID 252: CTFAF over the half-connections of lib_tfrc. An algorithm (LDA+ in
 * lda.c, or TFRC's throughput equation) asks, the framework (constraint.c)
 * decides; here is what connects them with DCCP.
 *
 * Reports come each T, and the sender says in an option what T is. After a report
 * it sends a few packets back to back, marked in CCVal, for the receiver to measure
 * the bottleneck by (pair.c).
 */
#include <linux/module.h>
#include <linux/tfrc.h>
#include <net/tfrc_ccid.h>
#include "ctfaf.h"

#define CREATE_TRACE_POINTS
#include "ctfaf_trace.h"

/* A report is about no fewer packets than this, or about this time. */
#define CTFAF_PACKETS_MIN	20
#define CTFAF_PACKETS_TIME	(5 * TFRC_NSEC_PER_SEC)

/* Without a report for so many T there is none on its way. */
#define CTFAF_PATIENCE		3

/* For a first estimate of R_b a packet may wait this much longer. */
#define CTFAF_HOLD_UNKNOWN	4

/*
 * The library's state comes first: its hooks find it there.
 *
 * @t_step: when the rate was last adapted
 * @bytes: payload sent until then
 * @lost: packets reported lost until then
 * @acked: packets sent up to the one that was acknowledged then
 * @announce: the next packet says what @interval is
 */
struct ctfaf_hc_tx {
	struct tfrc_hc_tx	hc;
	struct ctfaf		ct;
	struct lda		lda;
	struct pair_train	train;
	u64			interval;
	u64			t_step;
	u64			bytes;
	u64			lost;
	u64			acked;
	u64			bottleneck;
	u32			loss;
	bool			announce;
};

struct ctfaf_hc_rx {
	struct tfrc_hc_rx	hc;
	struct tfrc_interval	iv;
	struct pair_filter	pair;
};

static struct ctfaf_hc_tx *ctfaf_hc_tx(const struct sock *sk)
{
	return container_of(tfrc_hc_tx(sk), struct ctfaf_hc_tx, hc);
}

static struct ctfaf_hc_rx *ctfaf_hc_rx(const struct sock *sk)
{
	return container_of(tfrc_hc_rx(sk), struct ctfaf_hc_rx, hc);
}

/*
 * Parameters. Rates in bytes/s: A is 10 kbit/s.
 *
 * The paper's T is the least that RTCP allows; trains of ten after each report are
 * what its authors took for LDA+. All else is as it says, to the letter.
 */
#define CTFAF_TX_PAPER {						\
	.r_min = 1000,							\
	.r_max = U32_MAX,						\
	.step = 1,							\
	.r_start = 5000,						\
	.increase = 1250,						\
	.interval = 5000,						\
	.t_reset = 60000,						\
	.t_init = 60000,						\
	.l_severe = 1000000,						\
	.probes = 10,							\
	.probe_every = 1,						\
	.refuse = 1,							\
}

#define CTFAF_TX_DEFAULT {						\
	.r_min = 1000,							\
	.r_max = U32_MAX,						\
	.step = 1,							\
	.r_start = 5000,						\
	.increase = 1250,						\
	.interval = 1000,						\
	.t_reset = 60000,						\
	.t_init = 20000,						\
	.l_severe = 250000,						\
	.probes = 3,							\
	.probe_every = 2,						\
	.hold = 20,							\
}

#define CTFAF_RX_DEFAULT {						\
	.loss_history = TFRC_LI_DEFAULT,				\
}

static struct dccp_ctfaf_constraints ctfaf_tx_values = CTFAF_TX_DEFAULT;
static struct dccp_ctfaf_rx_params ctfaf_rx_values = CTFAF_RX_DEFAULT;

static const struct tfrc_preset ctfaf_tx_presets[] = {
	{ "default", &(const struct dccp_ctfaf_constraints)CTFAF_TX_DEFAULT },
	{ "paper", &(const struct dccp_ctfaf_constraints)CTFAF_TX_PAPER },
	{ }
};

static const struct tfrc_preset ctfaf_rx_presets[] = {
	{ "default", &(const struct dccp_ctfaf_rx_params)CTFAF_RX_DEFAULT },
	{ "paper", &(const struct dccp_ctfaf_rx_params)CTFAF_RX_DEFAULT },
	{ }
};

static bool ctfaf_rx_params_valid(const void *values)
{
	const struct dccp_ctfaf_rx_params *par = values;

	return par->loss_history >= TFRC_LI_MIN &&
	       par->loss_history <= TFRC_LI_MAX;
}

/* Constraints or rungs were set: none of them makes the rate grow. */
static void ctfaf_tx_constrained(struct ctfaf_hc_tx *ctx)
{
	struct tfrc_hc_tx *hc = &ctx->hc;

	if (!hc->started)
		return;
	/* In a long silence r falls to nothing: X does not, or nothing would go. */
	tfrc_sender_hold(&hc->snd, ctfaf_rate(&ctx->ct));
	tfrc_pacer_rate_changed(&hc->pacer,
				tfrc_sender_ipi(&hc->snd, hc->last_len),
				ktime_get_ns());
}

static void ctfaf_tx_apply(void *priv, const void *values)
{
	const struct dccp_ctfaf_constraints *par = values;
	struct ctfaf_hc_tx *ctx = priv;

	if (ctx->ct.par.increase != par->increase) {
		ctx->lda.a_init = TFRC_RATE(par->increase);
		ctx->lda.a = ctx->lda.a_init;
	}
	ctx->lda.climb = par->climb;
	ctfaf_constrain(&ctx->ct, par);
	ctfaf_tx_constrained(ctx);
}

static void ctfaf_tx_read(const void *priv, void *values)
{
	const struct ctfaf_hc_tx *ctx = priv;

	*(struct dccp_ctfaf_constraints *)values = ctx->ct.par;
}

static void ctfaf_rx_apply(void *priv, const void *values)
{
	const struct dccp_ctfaf_rx_params *par = values;
	struct ctfaf_hc_rx *crx = priv;

	tfrc_loss_intervals_resize(&crx->hc.rcv.intervals, par->loss_history);
}

static void ctfaf_rx_read(const void *priv, void *values)
{
	const struct ctfaf_hc_rx *crx = priv;

	*(struct dccp_ctfaf_rx_params *)values = (struct dccp_ctfaf_rx_params) {
		.loss_history = crx->hc.rcv.intervals.n,
	};
}

static const struct tfrc_params ctfaf_tx_params = {
	.optname = DCCP_SOCKOPT_CTFAF_TX,
	.size = sizeof(struct dccp_ctfaf_constraints),
	.least = offsetofend(struct dccp_ctfaf_constraints, reserved),
	.values = &ctfaf_tx_values,
	.presets = ctfaf_tx_presets,
	.valid = ctfaf_constraints_valid,
	.apply = ctfaf_tx_apply,
	.read = ctfaf_tx_read,
};

static const struct tfrc_params ctfaf_rx_params = {
	.optname = DCCP_SOCKOPT_CTFAF_RX,
	.size = sizeof(struct dccp_ctfaf_rx_params),
	.least = offsetofend(struct dccp_ctfaf_rx_params, loss_history),
	.values = &ctfaf_rx_values,
	.presets = ctfaf_rx_presets,
	.valid = ctfaf_rx_params_valid,
	.apply = ctfaf_rx_apply,
	.read = ctfaf_rx_read,
};

static const struct tfrc_params *const ctfaf_params[] = {
	&ctfaf_tx_params, &ctfaf_rx_params, NULL
};

static const struct tfrc_param_name ctfaf_algorithms[] = {
	{ "lda", DCCP_CTFAF_LDA },
	{ "tfrc", DCCP_CTFAF_TFRC },
	{ }
};

#define CTFAF_PARAM_NAMED(member, table, text)				\
	tfrc_module_param(member, ctfaf_tx_params,			\
			  struct dccp_ctfaf_constraints, member, table, text)
#define CTFAF_PARAM(member, text)	CTFAF_PARAM_NAMED(member, NULL, text)

tfrc_module_presets(ctfaf_params);
CTFAF_PARAM(r_min, "least rate, bytes/s (1 to r_max)");
CTFAF_PARAM(r_max, "greatest rate, bytes/s");
CTFAF_PARAM(step, "S, rates are r_min + m S, bytes/s (1 to r_max - r_min, and to 2 r_min)");
CTFAF_PARAM(delta, "greatest change for each report, bytes/s (S or more), 0: no limit");
CTFAF_PARAM(r_start, "first rate, bytes/s (r_min to r_max), 0: r_min");
CTFAF_PARAM(increase, "first additive increase rate of LDA+, bytes/s");
CTFAF_PARAM(l_allowed, "share of lost packets to tolerate, in 10^-6 (0 to 10^6)");
CTFAF_PARAM(interval, "report interval T, ms (100 to 60000)");
CTFAF_PARAM(t_reset, "time from reset to reset of the virtual bandwidth, ms (T to 3600000)");
CTFAF_PARAM(t_init, "time without delta at first, ms (0 to 3600000)");
CTFAF_PARAM(l_severe, "share of lost packets that overrules delta and B, in 10^-6 (1 to 10^6)");
CTFAF_PARAM(probes, "packets sent back to back after a report (0, or 2 to 15)");
CTFAF_PARAM(probe_every, "after how many reports, once the bottleneck is known (1 to 255)");
CTFAF_PARAM(hold, "how long a packet may wait for the next to make a pair, ms (0 to 100)");
CTFAF_PARAM(decay, "share of the virtual bandwidth forgotten at each report, in 10^-3 (0 to 1000)");
CTFAF_PARAM(refuse, "1: a change that would pass r_min or r_max is not made at all");
CTFAF_PARAM(gentle, "1: a reset moves the rate by delta at each report, 0: at once");
CTFAF_PARAM(climb, "1: up to the rate of a TCP by increase at each report, 0: at once");
CTFAF_PARAM_NAMED(algorithm, ctfaf_algorithms, "0 or lda: LDA+, 1 or tfrc: TFRC's equation");
tfrc_module_param(loss_history, ctfaf_rx_params, struct dccp_ctfaf_rx_params,
		  loss_history, NULL,
		  "receiver: loss intervals to average (2 to 128)");

static int ctfaf_check_sockopt(int optname, const void *val, unsigned int len)
{
	if (optname == DCCP_SOCKOPT_CTFAF_TX_RUNGS)
		return len % sizeof(u32) == 0 &&
		       ctfaf_rungs_valid(val, len / sizeof(u32)) ? 0 : -EINVAL;
	return tfrc_params_check(ctfaf_params, optname, val, len);
}

static int ctfaf_preview_sockopt(const struct list_head *kept, int optname,
				 void *val)
{
	return tfrc_params_preview(ctfaf_params, kept, optname, val);
}

static int ctfaf_setsockopt(struct sock *sk, int optname, const void *val,
			    unsigned int len)
{
	struct ctfaf_hc_tx *ctx;

	if (optname == DCCP_SOCKOPT_CTFAF_TX_RUNGS) {
		ctx = ctfaf_hc_tx(sk);
		ctfaf_set_rungs(&ctx->ct, val, len / sizeof(u32));
		ctfaf_tx_constrained(ctx);
		return 0;
	}
	return tfrc_params_set(ctfaf_params, sk, optname, val, len);
}

/* The algorithm */

/* T as it was set, but at least a round trip, and the time of 20 packets or 5 s. */
static u64 ctfaf_interval(const struct ctfaf_hc_tx *ctx,
			  const struct tfrc_sender *snd)
{
	u64 packets = CTFAF_PACKETS_MIN * tfrc_sender_size(snd);
	u64 time = tfrc_mul_div(TFRC_RATE(packets), TFRC_NSEC_PER_SEC,
				ctfaf_rate(&ctx->ct));

	time = max3(min(time, CTFAF_PACKETS_TIME), snd->rtt,
		    ctx->ct.par.interval * TFRC_NSEC_PER_MSEC);
	return clamp(time, TFRC_INTERVAL_MIN, TFRC_INTERVAL_MAX);
}

static u64 ctfaf_initial_rate(const struct tfrc_sender *snd)
{
	return tfrc_initial_rate(tfrc_sender_size(snd), snd->rtt);
}

static u64 ctfaf_scheme_start(void *priv, const struct tfrc_sender *snd,
			      u64 now)
{
	struct ctfaf_hc_tx *ctx = priv;

	/* What TFRC would begin with is the initial rate, if R is known. */
	ctfaf_start(&ctx->ct, snd->x, now);
	ctx->interval = ctfaf_interval(ctx, snd);
	ctx->ct.t_due = now + ctx->interval;
	ctx->t_step = now;
	ctx->announce = true;
	return ctfaf_rate(&ctx->ct);
}

static void ctfaf_trace(const struct ctfaf_hc_tx *ctx)
{
	trace_ctfaf_decision(ctx->hc.sk, &ctx->ct, &ctx->lda, ctx->loss,
			     ctx->bottleneck, ctx->interval);
}

/* What TFRC would want: its equation, or twice the rate in slow start. */
static s64 ctfaf_ask_tfrc(const struct tfrc_sender *snd, u64 r)
{
	return snd->p ? (s64)(snd->x_calc - r) : (s64)r;
}

/*
 * Data packets sent up to the one that this report acknowledges. All that are under
 * way count as data: an error of those few that are not, and it does not add up.
 */
static u64 ctfaf_acked(const struct ctfaf_hc_tx *ctx)
{
	u64 gss = dccp_sk(ctx->hc.sk)->dccps_gss;
	u64 flight = (gss - ctx->hc.hist.acked) & ((1ULL << 48) - 1);

	return ctx->hc.snd.packets - min(flight, ctx->hc.snd.packets);
}

/*
 * What was sent since the last step, in no less than T: a burst is no rate. Other
 * reports may have come in between.
 */
static u64 ctfaf_x_send(const struct ctfaf_hc_tx *ctx, u64 now)
{
	u64 bytes = ctx->hc.snd.bytes - ctx->bytes;

	return tfrc_mul_div(TFRC_RATE(bytes), TFRC_NSEC_PER_SEC,
			    max(now - ctx->t_step, ctx->interval));
}

/* X as the encoder has it; if it is another one than before, tell the application. */
static u64 ctfaf_tx_rate(struct ctfaf_hc_tx *ctx)
{
	u64 x = ctfaf_rate(&ctx->ct);

	if (x != ctx->hc.snd.x)
		ccid_set_event(ctx->hc.sk, true);
	return x;
}

static u64 ctfaf_scheme_adapt(void *priv, const struct tfrc_sender *snd,
			      const struct tfrc_feedback *fb, u64 sample,
			      u64 now)
{
	struct ctfaf_hc_tx *ctx = priv;
	struct lda_report rep = {
		.s = tfrc_sender_size(snd),
		.bottleneck = fb->x_pair,
		.interval = ctx->interval,
	};
	u64 acked = max(ctfaf_acked(ctx), ctx->acked), x_send, r;
	s64 ask;

	if (sample)
		lda_rtt_sample(&ctx->lda, sample);
	ctx->bottleneck = fb->x_pair;
	/* Where there is nothing to gain, do not ask how much. */
	if (ctx->ct.par.probes && !ctfaf_at_greatest(&ctx->ct))
		pair_report(&ctx->train, ctx->ct.par.probe_every, fb->x_pair);
	/* The first report is about the first packet, and good for an RTT. */
	r = ctfaf_start_rate(&ctx->ct, ctfaf_initial_rate(snd));
	if (snd->feedbacks == 1 && r > snd->x) {
		ctx->ct.r = r;
		return ctfaf_tx_rate(ctx);
	}
	if (!ctfaf_due(&ctx->ct, ctx->interval, now))
		return snd->x;

	rep.rtt = ctx->lda.srtt ?: snd->rtt;
	rep.loss = lda_loss(snd->lost - ctx->lost, acked - ctx->acked,
			    fb->loss);
	x_send = ctfaf_x_send(ctx, now);
	ctfaf_sent(&ctx->ct, x_send, ctfaf_initial_rate(snd));
	r = ctfaf_begin(&ctx->ct, min(snd->x_recv, x_send),
			TFRC_RATE(rep.s) / TFRC_T_MBI);
	if (ctx->ct.par.algorithm == DCCP_CTFAF_TFRC)
		ask = ctfaf_ask_tfrc(snd, r);
	else
		ask = lda_ask(&ctx->lda, r, &rep);
	ctfaf_step(&ctx->ct, ask, rep.loss, ctx->interval, now);

	ctx->t_step = now;
	ctx->bytes = snd->bytes;
	ctx->lost = snd->lost;
	ctx->acked = acked;
	ctx->loss = rep.loss;
	ctx->interval = ctfaf_interval(ctx, snd);
	ctfaf_stepped(&ctx->ct, ctx->interval, now);
	ctx->announce = true;
	ctfaf_trace(ctx);
	return ctfaf_tx_rate(ctx);
}

static u64 ctfaf_scheme_patience(void *priv)
{
	const struct ctfaf_hc_tx *ctx = priv;
	const struct tfrc_sender *snd = &ctx->hc.snd;

	/* Nor without data: where X is very low two packets take longer. */
	return max(CTFAF_PATIENCE * ctx->interval,
		   2 * tfrc_sender_ipi(snd, tfrc_sender_size(snd)));
}

static u64 ctfaf_scheme_silence(void *priv, bool idle)
{
	struct ctfaf_hc_tx *ctx = priv;

	ctfaf_silence(&ctx->ct, idle, ctfaf_initial_rate(&ctx->hc.snd));
	ctfaf_trace(ctx);
	return ctfaf_tx_rate(ctx);
}

static const struct tfrc_scheme ctfaf_scheme = {
	.adapt = ctfaf_scheme_adapt,
	.start = ctfaf_scheme_start,
	.patience = ctfaf_scheme_patience,
	.silence = ctfaf_scheme_silence,
};

static int ctfaf_tx_init(struct ccid *ccid, struct sock *sk)
{
	struct ctfaf_hc_tx *ctx = ccid_priv(ccid);

	tfrc_hc_tx_init(&ctx->hc, sk, &ctfaf_scheme, ctx);
	ctx->hc.stash.need = TFRC_REPORT_INTERVAL;
	lda_init(&ctx->lda, 0);
	tfrc_params_init(&ctfaf_tx_params, ctx);
	return 0;
}

static int ctfaf_rx_init(struct ccid *ccid, struct sock *sk)
{
	struct ctfaf_hc_rx *crx = ccid_priv(ccid);

	tfrc_hc_rx_init(&crx->hc, sk, TFRC_LI_DEFAULT, &ctfaf_scheme, NULL);
	tfrc_params_init(&ctfaf_rx_params, crx);
	crx->hc.interval = ctfaf_tx_values.interval * TFRC_NSEC_PER_MSEC;
	return 0;
}

/*
 * For how long a packet may wait for another to make a pair with: no longer than two
 * take at X, as an application that sends less than half of X does not make it grow.
 */
static u64 ctfaf_tx_hold_time(const struct ctfaf_hc_tx *ctx)
{
	u64 hold = ctx->ct.par.hold * TFRC_NSEC_PER_MSEC;

	if (!ctx->bottleneck)
		hold *= CTFAF_HOLD_UNKNOWN;
	return min(hold, 2 * tfrc_sender_ipi(&ctx->hc.snd, ctx->hc.last_len));
}

static bool ctfaf_tx_held(struct ctfaf_hc_tx *ctx, bool more, u64 now)
{
	struct tfrc_hc_tx *hc = &ctx->hc;
	u64 until;

	if (!hc->started || !ctx->train.wanted ||
	    !tfrc_pacer_ready(&hc->pacer,
			      tfrc_sender_ipi(&hc->snd, hc->last_len), now))
		return false;
	until = pair_hold(&ctx->train, more, ctfaf_tx_hold_time(ctx), now);
	if (until)
		tfrc_pacer_wait(&hc->pacer, until);
	return until;
}

static int ctfaf_tx_send_packet(struct sock *sk, struct sk_buff *skb)
{
	struct ctfaf_hc_tx *ctx = ctfaf_hc_tx(sk);
	bool more = skb_queue_len(&sk->sk_write_queue) > 1;
	u64 now = ktime_get_ns();
	int err;

	if (skb->len && ctfaf_tx_held(ctx, more, now))
		return CCID_PACKET_WILL_DEQUEUE_LATER;
	err = tfrc_hc_tx_send_packet(sk, skb);
	if (err)
		return err;
	ctx->hc.at_once = pair_place(&ctx->train, more, ctx->ct.par.probes, now);
	DCCP_SKB_CB(skb)->dccpd_ccval = ctx->train.position;
	if (!ctx->hc.at_once)
		ctx->train.position = 0;

	/* Until the first report shows that it arrived, then once for each. */
	if (ctx->announce) {
		dccp_sk(sk)->dccps_hc_tx_insert_options = 1;
		ctx->announce = !ctx->hc.snd.feedbacks;
	}
	return CCID_PACKET_SEND_AT_ONCE;
}

static int ctfaf_tx_insert_options(struct sock *sk, struct sk_buff *skb)
{
	const struct ctfaf_hc_tx *ctx = ctfaf_hc_tx(sk);

	return tfrc_insert_interval(skb, ctx->interval, ctx->hc.snd.rtt);
}

static int ctfaf_rx_parse_options(struct sock *sk, u8 pkt, u8 opt, u8 *val,
				  u8 len)
{
	/* It belongs on data packets, and is passed over on others. */
	if (pkt != DCCP_PKT_DATA && pkt != DCCP_PKT_DATAACK)
		return 0;
	return tfrc_stash_interval(&ctfaf_hc_rx(sk)->iv, opt, val, len);
}

static void ctfaf_rx_packet_recv(struct sock *sk, struct sk_buff *skb)
{
	struct ctfaf_hc_rx *crx = ctfaf_hc_rx(sk);
	const struct dccp_hdr *dh = dccp_hdr(skb);

	if (crx->iv.seen && tfrc_hc_rx_newest(sk, skb)) {
		crx->hc.interval = crx->iv.interval;
		tfrc_window_rtt_init(&crx->hc.rcv.window, crx->iv.rtt);
	}
	crx->iv.seen = false;
	if (DCCP_SKB_CB(skb)->dccpd_type == DCCP_PKT_DATA ||
	    DCCP_SKB_CB(skb)->dccpd_type == DCCP_PKT_DATAACK)
		pair_packet(&crx->pair, DCCP_SKB_CB(skb)->dccpd_seq,
			    dh->dccph_ccval, max(skb->len - dh->dccph_doff * 4, 1U),
			    ktime_get_ns());
	tfrc_hc_rx_packet_recv(sk, skb);
}

static int ctfaf_rx_insert_options(struct sock *sk, struct sk_buff *skb)
{
	struct ctfaf_hc_rx *crx = ctfaf_hc_rx(sk);

	if (dccp_packet_without_ack(skb))
		return 0;
	crx->hc.fb.x_pair = pair_median(&crx->pair);
	return tfrc_insert_feedback(skb, &crx->hc.fb) ?:
	       tfrc_insert_shares(skb, &crx->hc.fb);
}

static void ctfaf_fill_info(struct sock *sk, struct dccp_ccid_tx_info *info)
{
	const struct ctfaf_hc_tx *ctx = ctfaf_hc_tx(sk);

	tfrc_hc_tx_fill_info(sk, info);
	info->ctfaf.rate = ctx->ct.r >> TFRC_RATE_SHIFT;
	info->ctfaf.virtual_bandwidth = ctx->ct.b >> TFRC_RATE_SHIFT;
	info->ctfaf.asked = ctx->ct.asked >> TFRC_RATE_SHIFT;
	info->ctfaf.increase = ctx->lda.a >> TFRC_RATE_SHIFT;
	info->ctfaf.bottleneck = ctx->bottleneck >> TFRC_RATE_SHIFT;
	info->ctfaf.loss = ctx->loss;
	info->ctfaf.interval = div_u64(ctx->interval, TFRC_NSEC_PER_MSEC);
	info->ctfaf.decision = ctx->ct.decision;
	info->ctfaf.resets = ctx->ct.resets;
	info->ctfaf.steps = ctx->ct.steps;
}

static int ctfaf_tx_getsockopt(struct sock *sk, const int optname, int len,
			       u32 __user *optval, int __user *optlen)
{
	const struct ctfaf *ct = &ctfaf_hc_tx(sk)->ct;
	u32 rung[CTFAF_RUNGS_MAX] = { }, size;
	struct dccp_ccid_tx_info info;
	int err;

	switch (optname) {
	case DCCP_SOCKOPT_CCID_TX_INFO:
		ctfaf_fill_info(sk, &info);
		err = tfrc_put_info(&info, sizeof(info), TFRC_TX_INFO_LEAST,
				    len, optval, optlen);
		if (!err)
			ccid_set_event(sk, false);
		return err;
	case DCCP_SOCKOPT_CTFAF_TX_RUNGS:
		/* as it is set: a single 0 for none */
		size = max(ct->n_rungs, 1U) * sizeof(u32);
		memcpy(rung, ct->rung, ct->n_rungs * sizeof(u32));
		return tfrc_put_info(rung, size, size, len, optval, optlen);
	}
	return tfrc_params_get(ctfaf_params, sk, optname, len, optval, optlen);
}

static int ctfaf_rx_getsockopt(struct sock *sk, const int optname, int len,
			       u32 __user *optval, int __user *optlen)
{
	if (optname != DCCP_SOCKOPT_CCID_RX_INFO)
		return tfrc_params_get(ctfaf_params, sk, optname, len, optval,
				       optlen);
	return tfrc_hc_rx_getsockopt(sk, optname, len, optval, optlen);
}

static struct ccid_operations ccid_ctfaf_ops = {
	.ccid_id		   = DCCPC_CTFAF,
	.ccid_name		   = "ctfaf",
	.ccid_owner		   = THIS_MODULE,
	.ccid_check_sockopt	   = ctfaf_check_sockopt,
	.ccid_preview_sockopt	   = ctfaf_preview_sockopt,

	TFRC_HC_TX_HOOKS,
	.ccid_hc_tx_obj_size	   = sizeof(struct ctfaf_hc_tx),
	.ccid_hc_tx_opt_len	   = TFRC_OPT_INTERVAL_LEN,
	.ccid_hc_tx_init	   = ctfaf_tx_init,
	.ccid_hc_tx_send_packet	   = ctfaf_tx_send_packet,
	.ccid_hc_tx_insert_options = ctfaf_tx_insert_options,
	.ccid_hc_tx_getsockopt	   = ctfaf_tx_getsockopt,
	.ccid_hc_tx_setsockopt	   = ctfaf_setsockopt,

	TFRC_HC_RX_HOOKS,
	.ccid_hc_rx_obj_size	   = sizeof(struct ctfaf_hc_rx),
	.ccid_hc_rx_init	   = ctfaf_rx_init,
	.ccid_hc_rx_packet_recv	   = ctfaf_rx_packet_recv,
	.ccid_hc_rx_parse_options  = ctfaf_rx_parse_options,
	.ccid_hc_rx_insert_options = ctfaf_rx_insert_options,
	.ccid_hc_rx_getsockopt	   = ctfaf_rx_getsockopt,
	.ccid_hc_rx_setsockopt	   = ctfaf_setsockopt,
};
module_ccid_params(ccid_ctfaf_ops, ctfaf_params);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The dccp-ccids developers");
MODULE_VERSION(DCCP_CCIDS_VERSION);
MODULE_DESCRIPTION("DCCP CCID 252: CTFAF, constrained TCP-friendly adaptation, with LDA+");
MODULE_ALIAS("net-dccp-ccid-252");
