// SPDX-License-Identifier: GPL-2.0-only
/*
 * A connection of one CCID in user space, driven by an input of random bytes.
 *
 * One end sends, the other receives. Both are the unmodified half-connections of the
 * kernel (lib_tfrc and the scheme's folder), over kernel.h. The input is a list of
 * events: data is queued; time passes, stands still or jumps; packets and reports
 * arrive in order, late, twice, marked, or never; the peer of either end changes its
 * options; parameters are set. One kind of event is a stretch of an ordinary
 * connection, so that a short input can reach states that take thousands of packets.
 *
 * After each event the rules of CHECK() must hold:
 *
 *	sender		X from one packet in 64 s to TFRC_RATE_MAX, and no more than
 *			four times what was sent in one of the last three round
 *			trips (CTFAF: report intervals) with data, or than the
 *			initial rate; X doubles at most once in a round trip (CTFAF:
 *			report interval, or takes one step of the encoder); without
 *			reports X falls, and in time; R, p in range; a timer is armed
 *			as long as anything waits for it
 *	receiver	p, X_recv, R in range; no more reports than data packets, loss
 *			events and expiries of its timer
 *	either		options are no longer than announced to the core; no timer
 *			expires for ever while time stands still
 *
 * In addition the compiler's sanitizers check for divisions by zero, shifts, overflows
 * of signed numbers, and memory errors.
 */
#include <net/tfrc_ccid.h>
#include <net/tfrc_interval.h>
#include <net/tfrc_rfc5348.h>
#include <unistd.h>

#define LINK		256
#define SPIN		64	/* expiries of timers at one time */
#define FIRED_MAX	1000	/* from then on timers are late */
#define SEQ_MASK	((1ULL << 48) - 1)
#define MARC		248
#define RAAR		249
#define LTFRC		250
#define DVRC		251
#define CTFAF		252
#define MIN_TIMEOUT	(TFRC_NSEC_PER_SEC / 20)

/* Options of single schemes, which the headers of the library do not have */
#define OPT_INTERVAL	136
#define OPT_PATH	137
#define OPT_ROUND	138
#define OPT_LAYERS	139
#define OPT_LOSS_SHARE	201
#define OPT_BOTTLENECK	202

extern struct ccid_operations *const fuzz_ccid;

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

u64 fuzz_now;
u64 fuzz_events;

static struct sock tx, rx;
static u64 rx_gss, rx_fired;

/*
 * CTFAF: its last decision, the one before that if T has not changed since, and the
 * rates that were sent between decisions
 */
static struct {
	u64	time, previous, bytes, sent[3];
	u32	interval, nofeedbacks;
} step;

/* The others: the start of a round trip in which X may double, and X at that time */
static struct {
	u64	time, x;
} base;

/*
 * What was sent: all of it, and in a round trip or more that began with a packet, with the
 * rates of the last two of these before. The sender meters this, too. Here are the packets
 * that left, so that a fault of its meter is a fault of X.
 */
static struct {
	u64	total, first, last, bytes, rate[2];
} sent;

/* Packets sent when the nofeedback timer was set */
static u64 answered;

/* A packet in flight */
struct link {
	struct sk_buff	skb[LINK];
	u32		head, n;
};

static struct link data_link, ack_link;

void fuzz_arm(struct fuzz_timer *t, u64 at)
{
	t->at = at;
	t->armed = true;
}

/* The input */

static const u8 *in, *in_end;

static u8 byte(void)
{
	return in < in_end ? *in++ : 0;
}

static u64 bytes(u32 n)
{
	u64 v = 0;

	while (n--)
		v = v << 8 | byte();
	return v;
}

/* Any number; limits and powers of two are more likely. */
static u64 number(void)
{
	u8 kind = byte();

	switch (kind & 7) {
	case 0:
		return kind >> 3;
	case 1:
		return U32_MAX - (kind >> 3);
	case 2:
		return 1ULL << (byte() & 63);
	case 3:
		return byte();
	case 4:
		return bytes(2);
	case 5:
		return bytes(3);
	case 6:
		return bytes(4);
	default:
		return bytes(8);
	}
}

/* A time from 0 to a day, with four bits of precision */
static u64 span(void)
{
	u8 kind = byte();

	if (kind >= 0xf8)
		return number() % (86400ULL * TFRC_NSEC_PER_SEC);
	return (u64)(kind & 7) << (kind >> 3);
}

static u32 length(void)
{
	u8 kind = byte();

	return kind < 192 ? 1000 : kind < 224 ? kind - 192 :
	       kind < 240 ? bytes(2) : kind < 250 ? 65535 : 1;
}

/* The two ends */

static struct sk_buff *link_add(struct link *l, const struct sk_buff *skb)
{
	struct sk_buff *to = &l->skb[(l->head + l->n) % LINK];

	if (l->n == LINK)
		l->head++;
	else
		l->n++;
	*to = *skb;
	return to;
}

static bool link_take(struct link *l, struct sk_buff *skb)
{
	if (!l->n)
		return false;
	*skb = l->skb[l->head++ % LINK];
	l->n--;
	return true;
}

int dccp_insert_option(struct sk_buff *skb, u8 option, const void *value,
		       u8 len)
{
	CHECK(len <= 253);
	if (skb->opt_len + len + 2 > sizeof(skb->opt))
		return -1;
	skb->opt[skb->opt_len++] = option;
	skb->opt[skb->opt_len++] = len + 2;
	memcpy(skb->opt + skb->opt_len, value, len);
	skb->opt_len += len;
	return 0;
}

void dccp_send_ack(struct sock *sk)
{
	struct sk_buff skb = {
		.dccpd_type = DCCP_PKT_ACK,
		.dccpd_seq = rx_gss = (rx_gss + 1) & SEQ_MASK,
		.dccpd_ack_seq = sk->dccps_gsr,
	};

	CHECK(sk == &rx);
	sk->dccps_gss = rx_gss;
	if (sk->dccps_hc_rx_insert_options) {
		sk->dccps_hc_rx_insert_options = 0;
		CHECK(!fuzz_ccid->ccid_hc_rx_insert_options(sk, &skb));
	}
	link_add(&ack_link, &skb);
}

/* Rate of the present round trip, in which R may have become less */
static u64 sent_now(void)
{
	return tfrc_mul_div(TFRC_RATE(sent.bytes), TFRC_NSEC_PER_SEC,
			    max(sent.last - sent.first,
				tfrc_hc_tx(&tx)->snd->rtt));
}

/* A packet leaves. An empty one counts as a byte. */
static void sent_add(u32 len)
{
	if (!sent.total)
		sent.first = fuzz_now;
	if (fuzz_now - sent.first >= tfrc_hc_tx(&tx)->snd->rtt) {
		sent.rate[1] = sent.rate[0];
		sent.rate[0] = sent_now();
		sent.first = fuzz_now;
		sent.bytes = 0;
	}
	sent.last = fuzz_now;
	sent.bytes += max(len, 1U);
	sent.total += max(len, 1U);
}

static void transmit(struct sk_buff *skb)
{
	const struct tfrc_sender *snd = tfrc_hc_tx(&tx)->snd;
	u32 before;

	if (!snd->packets) {
		CHECK(fuzz_ccid->ccid_id != CTFAF ||
		      snd->x <= tfrc_initial_rate(tfrc_sender_size(snd), snd->rtt));
		step.time = fuzz_now;
		base.time = fuzz_now;
		base.x = snd->x;
	}

	tx.dccps_gss = (tx.dccps_gss + 1) & SEQ_MASK;
	skb->dccpd_seq = tx.dccps_gss;
	if (tx.ack_pending)
		skb->dccpd_type = DCCP_PKT_DATAACK;
	tx.ack_pending = false;
	skb->dccpd_ack_seq = tx.dccps_gsr;
	skb->hdr.dccph_ccval = skb->dccpd_ccval;
	CHECK(skb->dccpd_ccval < 16);
	before = skb->opt_len;
	if (tx.dccps_hc_tx_insert_options) {
		tx.dccps_hc_tx_insert_options = 0;
		CHECK(!fuzz_ccid->ccid_hc_tx_insert_options(&tx, skb));
	}
	CHECK(skb->opt_len - before <= fuzz_ccid->ccid_hc_tx_opt_len +
	      TFRC_OPT_L4S_LEN);
	sent_add(skb->len);
	fuzz_ccid->ccid_hc_tx_packet_sent(&tx, skb->len);
	link_add(&data_link, skb);
	fuzz_events++;
}

static void write_queue(void)
{
	struct fuzz_queue *q = &tx.sk_write_queue;
	struct sk_buff skb;
	int what;

	tx.xmit_ready = false;
	while (q->n) {
		what = fuzz_ccid->ccid_hc_tx_send_packet(&tx, q->skb);
		if (what == CCID_PACKET_WILL_DEQUEUE_LATER)
			break;
		CHECK(what <= 0);
		skb = q->skb[0];
		memmove(q->skb, q->skb + 1, --q->n * sizeof(skb));
		if (!what)
			transmit(&skb);
	}
}

static void send_data(u32 len, u32 priority)
{
	struct fuzz_queue *q = &tx.sk_write_queue;

	if (q->n == FUZZ_QUEUE)
		return;
	q->skb[q->n] = (struct sk_buff) {
		.dccpd_type = DCCP_PKT_DATA + (priority & 1) * 2,
		.len = len,
		.priority = priority,
	};
	q->n++;
	if (!fuzz_ccid->ccid_hc_tx_waits(&tx))
		write_queue();
}

/* Give a packet's options to the half-connection. An option that it refuses is ignored. */
static void parse(struct sock *sk, struct sk_buff *skb)
{
	const bool to_tx = sk == &tx;
	u32 at = 0, elapsed;

	memset(&sk->dccps_options_received, 0,
	       sizeof(sk->dccps_options_received));
	sk->dccps_options_received.dccpor_ndp = skb->ndp;
	sk->dccps_options_received.dccpor_elapsed_time = skb->elapsed;
	while (at + 2 <= skb->opt_len) {
		u8 opt = skb->opt[at], len = skb->opt[at + 1];
		u8 *val = malloc(len);	/* so that the sanitizer sees reads beyond the end */
		int err = 0;

		CHECK(len >= 2 && at + len <= skb->opt_len && val);
		len -= 2;
		memcpy(val, skb->opt + at + 2, len);
		if (opt == DCCPO_ELAPSED_TIME && len == sizeof(elapsed)) {
			memcpy(&elapsed, val, sizeof(elapsed));
			sk->dccps_options_received.dccpor_elapsed_time =
				ntohl(elapsed);
		} else if (to_tx && opt >= 192) {
			err = fuzz_ccid->ccid_hc_tx_parse_options(sk,
				skb->dccpd_type, opt, val, len);
		} else if (!to_tx && opt >= 128 && opt < 192 &&
			   fuzz_ccid->ccid_hc_rx_parse_options) {
			err = fuzz_ccid->ccid_hc_rx_parse_options(sk,
				skb->dccpd_type, opt, val, len);
		}
		free(val);
		CHECK(!err || err == -EINVAL);
		at += len + 2;
	}
}

static void to_receiver(struct sk_buff *skb)
{
	fuzz_events++;
	if (before48(rx.dccps_gsr, skb->dccpd_seq))
		rx.dccps_gsr = skb->dccpd_seq;
	parse(&rx, skb);
	skb->hdr.dccph_doff = 4;
	skb->len += 16;
	fuzz_ccid->ccid_hc_rx_packet_recv(&rx, skb);
}

static struct dccp_ccid_tx_info tx_info(void)
{
	struct dccp_ccid_tx_info info;
	int len;

	CHECK(!fuzz_ccid->ccid_hc_tx_getsockopt(&tx, DCCP_SOCKOPT_CCID_TX_INFO,
						sizeof(info), (u32 *)&info, &len));
	return info;
}

/* The least X: one packet in 64 s */
static u64 least(const struct tfrc_sender *snd)
{
	return TFRC_RATE(tfrc_sender_size(snd)) / TFRC_T_MBI;
}

/*
 * The nofeedback timer was set. MARC and L-TFRC wait for four round trips, RAAR and
 * DVRC for twice the timeout that the receiver states, of which at most 16 R count, and
 * of a long R 2 s or 2 R, and before the first report for 6 R, CTFAF for 3 T; and each of
 * them for the time of two packets, and for 50 ms.
 */
static void check_nofeedback(const struct tfrc_sender *snd)
{
	const struct timer_list *timer = &tfrc_hc_tx(&tx)->nofeedback;
	u64 packets = 2 * tfrc_time_at(min(snd->x, snd->x_inst), tfrc_sender_size(snd));
	u64 wait;

	answered = snd->packets;
	switch (fuzz_ccid->ccid_id) {
	case RAAR:
	case DVRC:
		wait = min(16 * snd->rtt, max(2 * TFRC_NSEC_PER_SEC, 2 * snd->rtt));
		wait = 2 * (snd->feedbacks ? wait : 3 * snd->rtt) + packets;
		break;
	case CTFAF:
		/* T is told in whole ms */
		wait = max(3 * tx_info().ctfaf.interval * TFRC_NSEC_PER_MSEC +
			   3 * TFRC_NSEC_PER_MSEC, packets);
		break;
	default:
		wait = max(4 * snd->rtt, packets);
	}
	wait = max(wait, MIN_TIMEOUT) + 2 * TICK;
	CHECK(snd->resting || timer->t.at <= fuzz_now + wait);
}

/* No report came. If packets were sent, X is less; by how much, RAAR's beta says. */
static void check_timeout(const struct tfrc_sender *snd, u64 x)
{
	u64 most = fuzz_ccid->ccid_id == RAAR ? x - x / 1024 : x / 2;

	CHECK(snd->x <= max(x, least(snd)));
	CHECK(snd->packets == answered || snd->x <= max(most, least(snd)));
	check_nofeedback(snd);
}

/* CTFAF: the encoder's next rate above @x: a rung, or X one step higher */
static u64 next_rate(u64 x)
{
	struct dccp_ctfaf_constraints par;
	u32 rung[16];
	int len, i;

	CHECK(!fuzz_ccid->ccid_hc_tx_getsockopt(&tx, DCCP_SOCKOPT_CTFAF_TX,
						sizeof(par), (u32 *)&par, &len));
	CHECK(!fuzz_ccid->ccid_hc_tx_getsockopt(&tx, DCCP_SOCKOPT_CTFAF_TX_RUNGS,
						sizeof(rung), rung, &len));
	if (!rung[0])
		return x + TFRC_RATE(par.step);
	for (i = 0; i < len / (int)sizeof(*rung); i++)
		if (TFRC_RATE(rung[i]) > x)
			return TFRC_RATE(rung[i]);
	return x;
}

/*
 * CTFAF decides once in a report interval T. One decision may be early by T/2, so there
 * are 3 T/2 from a decision to the next but one. "What was sent" is the greatest of the
 * rates between two decisions, in the last three of these periods in which there was
 * data; each counts as T at least. Between decisions X must not rise, except to the initial
 * rate.
 */
static void check_interval(const struct dccp_ccid_tx_info *before, u64 x,
			   const struct tfrc_sender *snd)
{
	u64 initial = tfrc_initial_rate(tfrc_sender_size(snd), snd->rtt);
	u64 time = max(fuzz_now - step.time,
		       before->ctfaf.interval * TFRC_NSEC_PER_MSEC);
	u64 rate = tfrc_mul_div(TFRC_RATE(sent.total - step.bytes),
				TFRC_NSEC_PER_SEC, time);

	if (tx_info().ctfaf.steps == before->ctfaf.steps) {
		CHECK(snd->x <= max(x, initial));
		/*
		 * It begins anew, and so does the time of the next step. After a timeout X may be
		 * what it was.
		 */
		if (tx_info().ctfaf.rate > before->ctfaf.rate ||
		    (snd->nofeedbacks != step.nofeedbacks &&
		     container_of(snd, struct interval_sender, base)->t_step == fuzz_now)) {
			step.time = fuzz_now;
			step.bytes = sent.total;
			step.nofeedbacks = snd->nofeedbacks;
		}
		return;
	}
	x = max(x, least(snd));
	CHECK(snd->x <= max(2 * x, next_rate(x)));
	if (before->ctfaf.interval != step.interval) {
		step.interval = before->ctfaf.interval;
		step.previous = 0;
	} else if (step.previous) {
		CHECK(fuzz_now - step.previous >= 3 * step.interval * TFRC_NSEC_PER_MSEC / 2);
	}
	step.previous = step.time;
	step.time = fuzz_now;
	step.bytes = sent.total;
	step.nofeedbacks = snd->nofeedbacks;
	if (rate) {
		step.sent[2] = step.sent[1];
		step.sent[1] = step.sent[0];
		step.sent[0] = rate;
	}
	rate = max3(step.sent[0], step.sent[1], step.sent[2]);
	CHECK(snd->x <= max(4 * rate, initial));
}

static void to_sender(struct sk_buff *skb)
{
	struct tfrc_sender *snd = tfrc_hc_tx(&tx)->snd;
	struct dccp_ccid_tx_info before = tx_info();
	u32 feedbacks = snd->feedbacks;
	u64 most, initial, x = snd->x;

	fuzz_events++;
	if (before48(tx.dccps_gsr, skb->dccpd_seq))
		tx.dccps_gsr = skb->dccpd_seq;
	parse(&tx, skb);
	fuzz_ccid->ccid_hc_tx_packet_recv(&tx, skb);
	if (snd->feedbacks == feedbacks)
		return;

	check_nofeedback(snd);
	most = max3(sent_now(), sent.rate[0], sent.rate[1]);
	/* Only recent rates count, because a source may slow down. */
	initial = tfrc_initial_rate(tfrc_sender_size(snd), snd->rtt);
	most = max(4 * min(most, TFRC_RATE_MAX), initial);
	if (fuzz_now - base.time >= snd->rtt) {
		base.time = fuzz_now;
		base.x = x;
	}
	most = min(most, max(2 * base.x, initial));
	if (fuzz_ccid->ccid_id == CTFAF)
		check_interval(&before, x, snd);
	else
		CHECK(snd->x <= most);
}

/* Time */

static struct fuzz_timer *next_timer(void)
{
	struct fuzz_timer *timer[] = {
		&tfrc_hc_tx(&tx)->pacer.timer.t, &tfrc_hc_tx(&tx)->nofeedback.t,
		&tfrc_hc_rx(&rx)->timer.t,
	}, *next = NULL;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(timer); i++)
		if (timer[i]->armed && (!next || timer[i]->at < next->at))
			next = timer[i];
	return next;
}

static void fire(struct fuzz_timer *t)
{
	struct tfrc_hc_tx *htx = tfrc_hc_tx(&tx);
	struct tfrc_hc_rx *hrx = tfrc_hc_rx(&rx);
	u32 n = htx->snd->nofeedbacks;
	u64 x = htx->snd->x;

	fuzz_events++;
	t->armed = false;
	if (t == &htx->pacer.timer.t) {
		htx->pacer.timer.function(&htx->pacer.timer);
		CHECK(tx.xmit_ready);
		write_queue();
	} else if (t == &htx->nofeedback.t) {
		htx->nofeedback.function(&htx->nofeedback);
		if (htx->snd->nofeedbacks != n)
			check_timeout(htx->snd, x);
	} else {
		rx_fired++;
		hrx->timer.function(&hrx->timer);
	}
}

static void pass(u64 time)
{
	u64 end = fuzz_now + time;
	u32 fired = 0, still = 0;
	struct fuzz_timer *t;

	fuzz_events++;
	while ((t = next_timer()) && t->at <= end) {
		u64 at = fired++ < FIRED_MAX ? t->at : end;

		if (at > fuzz_now) {
			fuzz_now = at;
			still = 0;
		}
		CHECK(still++ < SPIN);
		fire(t);
	}
	fuzz_now = end;
}

/* Options of a peer */

static void say(struct sk_buff *skb, u8 opt, u64 a, u64 b, u8 c, u32 len)
{
	u8 val[9] = { a >> 24, a >> 16, a >> 8, a, b >> 24, b >> 16, b >> 8, b, c };

	dccp_insert_option(skb, opt, val, len);
}

static void say_anything(struct sk_buff *skb)
{
	static const u8 kinds[] = { 136, 137, 138, 139, 140, 192, 194, 200, 201, 202,
				    203, 204, 205 };
	u8 kind = byte(), len = byte() % 80, val[80];
	u32 i;

	for (i = 0; i < len; i++)
		val[i] = byte();
	dccp_insert_option(skb, kind < 128 ? kinds[kind % ARRAY_SIZE(kinds)] : kind,
			   val, len);
}

static void hostile_report(void)
{
	struct sk_buff skb = { .dccpd_type = DCCP_PKT_ACK };
	u8 kind = byte();

	skb.dccpd_ack_seq = (tx.dccps_gss - (kind & 1 ? number() % 128 : 0)) & SEQ_MASK;
	if (kind & 2)
		skb.elapsed = number();
	say(&skb, TFRC_OPT_RECEIVE_RATE, number(), 0, 0, 4);
	say(&skb, TFRC_OPT_SIGNALS, kind & 4 ? number() : 0, 0, 0, 4);
	say(&skb, TFRC_OPT_LOSS_EVENT_RATE, max(number() & U32_MAX, 1ULL), 0, 0, 4);
	say(&skb, OPT_LOSS_SHARE, kind & 8 ? number() : 0, 0, 0, 4);
	say(&skb, OPT_BOTTLENECK, kind & 16 ? number() : 0, 0, 0, 4);
	say(&skb, TFRC_OPT_REQUEST, kind & 32 ? number() : U32_MAX, number(), byte(), 9);
	say(&skb, TFRC_OPT_ARRIVAL, number(), 0, 0, 4);
	if (kind & 64)
		say_anything(&skb);
	else
		say(&skb, TFRC_OPT_L4S_READ, 0, 0, 0, 0);
	if (kind & 128)
		skb.dccpd_type = DCCP_PKT_DATAACK;
	to_sender(&skb);
}

static void hostile_data(void)
{
	u8 kind = byte();
	struct sk_buff skb = {
		.dccpd_type = kind & 1 ? DCCP_PKT_DATAACK : DCCP_PKT_DATA,
		.hdr.dccph_ccval = kind >> 4,
		.dccpd_ack_seq = rx_gss - kind % 8,
		.len = length(),
		.ce = kind & 2,
	};

	skb.dccpd_seq = (rx.dccps_gsr + 1 + (kind & 4 ? number() : 0)) & SEQ_MASK;
	if (kind & 8) {
		u32 n = byte() % 18, i;

		skb.ndp = number() & SEQ_MASK;
		switch (n & 3) {
		case 0:
			say(&skb, OPT_INTERVAL, number(), number(), 0, 8);
			break;
		case 1:
			say(&skb, OPT_PATH, number(), number(), 0, 8);
			break;
		case 2:
			say(&skb, OPT_ROUND, number(), number(), 0, 8);
			break;
		default:
			skb.opt[0] = OPT_LAYERS;
			skb.opt[1] = 2 + 4 * n;
			for (i = 0; i < n; i++) {
				u32 rate = htonl((u32)number());

				memcpy(skb.opt + 2 + 4 * i, &rate, sizeof(rate));
			}
			skb.opt_len = skb.opt[1];
		}
		if (kind & 1)
			say(&skb, TFRC_OPT_L4S, 1U << 24, 0, 0, 1);
		if (kind & 2)
			say_anything(&skb);
	}
	to_receiver(&skb);
}

/* A stretch of an ordinary connection in which each n-th packet is lost, or marked */
static void ordinary(void)
{
	u64 step = span() % TFRC_NSEC_PER_SEC;
	u32 n = byte(), every = byte(), len = length(), delay = byte() % 8, i;
	struct sk_buff skb;

	for (i = 0; i < n; i++) {
		send_data(len, 0);
		pass(step);
		while (data_link.n > delay && link_take(&data_link, &skb))
			if (every >= 128) {
				skb.ce = !(i % (every - 127));
				to_receiver(&skb);
			} else if (!every || i % every) {
				to_receiver(&skb);
			} else {
				fuzz_events++;
			}
		while (link_take(&ack_link, &skb))
			to_sender(&skb);
	}
}

static void set_option(int name, const void *val, u32 len)
{
	if (fuzz_ccid->ccid_check_sockopt(name, val, len))
		return;
	if (name < 192)
		fuzz_ccid->ccid_hc_rx_setsockopt(&rx, name, val, len);
	else
		fuzz_ccid->ccid_hc_tx_setsockopt(&tx, name, val, len);
}

static void socket_option(void)
{
	static const int names[] = {
		136, 144, 152, 160, 161, 168, 200, 208, 216, 224, 232, 225, 192, 128,
		129, 193, 233,
	};
	const int name = names[byte() % ARRAY_SIZE(names)];
	_Alignas(8) u8 val[64];
	u32 len = byte() % 65, i;

	fuzz_events++;
	for (i = 0; i < len; i++)
		val[i] = byte();
	set_option(name, val, len);
}

/* Module parameters. What they are made of is gone after fuzz_param(). */
const struct kernel_param_ops tfrc_param_ops, tfrc_preset_ops;
static struct {
	const char		*name;
	struct tfrc_param	halves[2];
} params[64];
static unsigned int n_params;

void fuzz_param(const char *name, const struct kernel_param_ops *ops,
		const void *arg)
{
	const struct tfrc_param *par = arg;

	if (ops != &tfrc_param_ops)
		return;
	CHECK(n_params < ARRAY_SIZE(params));
	params[n_params].name = name;
	params[n_params].halves[0] = *par;
	if (par->other)
		params[n_params].halves[1] = *par->other;
	n_params++;
}

static void set_param(const struct tfrc_params *half, const char *name,
		      const char *text, void *values)
{
	u32 value = strtoul(text, NULL, 0);
	const struct tfrc_param_name *n;
	unsigned int i, j;

	for (i = 0; i < n_params && strcmp(params[i].name, name); i++)
		;
	CHECK(i < n_params);
	for (n = params[i].halves[0].names; n && n->name; n++)
		if (!strcmp(n->name, text))
			value = n->value;
	for (j = 0; j < 2; j++)
		if (params[i].halves[j].params == half)
			memcpy(values + params[i].halves[j].offset, &value,
			       params[i].halves[j].width);
}

void tfrc_params_change(const struct tfrc_params *half, const char *changes,
			void *values)
{
	char name[32], text[32];
	int len;

	for (; sscanf(changes, "%31[^=]=%31s %n", name, text, &len) == 2;
	     changes += len)
		set_param(half, name, text, values);
	CHECK(!*changes);
}

/* A preset: random bytes are seldom the name of one. */
static void preset(void)
{
	static const char *const names[] = { "default", "paper" };
	const char *name = names[byte() & 1];

	fuzz_events++;
	set_option(129 + 64 * (byte() & 1), name, strlen(name));
}

/* CTFAF's rungs, each up to four times the one before */
static void rungs(void)
{
	u32 rung[16], n = 2 + byte() % 15, i;

	fuzz_events++;
	rung[0] = bytes(2);
	for (i = 1; i < n; i++)
		rung[i] = rung[i - 1] + rung[i - 1] * (u64)byte() / 85;
	set_option(233, rung, n * sizeof(*rung));
}

/*
 * The present parameters with a few random bytes: random structs are seldom valid. Half
 * of the bytes are 0 or 1, because many parameters are switches.
 */
static void tweak(void)
{
	const u8 own = 8 * (fuzz_ccid->ccid_id - 248);
	const int name = (byte() & 1 ? 200 : 136) + own;
	_Alignas(8) u8 val[256];
	u32 ask[64];
	int len = 0, i;

	fuzz_events++;
	if (name < 192)
		i = fuzz_ccid->ccid_hc_rx_getsockopt(&rx, name, sizeof(ask), ask, &len);
	else
		i = fuzz_ccid->ccid_hc_tx_getsockopt(&tx, name, sizeof(ask), ask, &len);
	if (i || !len)
		return;
	memcpy(val, ask, len);
	for (i = byte() % 4; i >= 0; i--) {
		u8 what = byte();

		val[byte() % len] = what & 1 ? what >> 1 & 1 : byte();
	}
	set_option(name, val, len);
}

/* Turn the response to marks on or off. */
static void l4s(bool on)
{
	const int name = 200 + 8 * (fuzz_ccid->ccid_id - 248);
	u32 ask[64];
	u8 *val = (u8 *)ask;
	int len = 0;

	fuzz_events++;
	/* DVRC's struct is not the first one of its options. */
	if (fuzz_ccid->ccid_id == CTFAF ||
	    fuzz_ccid->ccid_hc_tx_getsockopt(&tx, name + 2 * (fuzz_ccid->ccid_id == DVRC),
					     sizeof(ask), ask, &len))
		return;
	val[fuzz_ccid->ccid_id == MARC ?
	    offsetof(struct dccp_marc_tx_params, l4s) :
	    fuzz_ccid->ccid_id == RAAR ?
	    offsetof(struct dccp_raar_tx_params, l4s) :
	    fuzz_ccid->ccid_id == LTFRC ?
	    offsetof(struct dccp_ltfrc_equation, l4s) :
	    offsetof(struct dccp_dvrc_tx_params, l4s)] = on;
	set_option(name + 2 * (fuzz_ccid->ccid_id == DVRC), val, len);
}

static void ask(void)
{
	struct dccp_ccid_tx_info state;
	struct tcp_info info;
	u32 answer[128];
	int len;

	fuzz_events++;
	fuzz_ccid->ccid_hc_tx_get_info(&tx, &info);
	fuzz_ccid->ccid_hc_rx_get_info(&rx, &info);
	CHECK(!fuzz_ccid->ccid_hc_tx_getsockopt(&tx, DCCP_SOCKOPT_CCID_TX_INFO,
						sizeof(answer), answer, &len));
	memcpy(&state, answer, sizeof(state));
	/* Without tokens there is no time left. */
	if (state.ccid == MARC)
		CHECK(state.marc.tokens > 0 || !state.marc.left);
	CHECK(!fuzz_ccid->ccid_hc_rx_getsockopt(&rx, DCCP_SOCKOPT_CCID_RX_INFO,
						sizeof(answer), answer, &len));
}

/* What always holds */

static void check_sender(void)
{
	const struct tfrc_hc_tx *hc = tfrc_hc_tx(&tx);
	const struct tfrc_sender *snd = hc->snd;

	if (!hc->started)
		return;
	CHECK(snd->x >= TFRC_RATE(1) / TFRC_T_MBI && snd->x <= TFRC_RATE_MAX);
	CHECK(snd->rtt >= TFRC_RTT_MIN && snd->rtt <= TFRC_RTT_MAX);
	CHECK(snd->p <= TFRC_P_ONE && snd->x_calc <= TFRC_RATE_MAX);
	CHECK(snd->x_recv <= 2 * TFRC_RATE_MAX && snd->x_send <= TFRC_RATE_MAX);
	CHECK(snd->s >= 1 << TFRC_SIZE_SHIFT && snd->s <= 65535U << TFRC_SIZE_SHIFT);
	CHECK(snd->x_inst >= TFRC_RATE(1) / TFRC_T_MBI &&
	      snd->x_inst <= min(2 * snd->x, TFRC_RATE_MAX));
	/* If the sender waits for the timer, it is armed. */
	CHECK(snd->resting || timer_pending(&hc->nofeedback));
	CHECK(!tx.sk_write_queue.n || hrtimer_is_queued(&hc->pacer.timer));
	CHECK(tx.seq_win_asked && tx.seq_win_asked <= DCCPF_SEQ_WMAX);
}

static void check_receiver(void)
{
	const struct tfrc_hc_rx *hc = tfrc_hc_rx(&rx);
	const struct tfrc_receiver *rcv = hc->rcv;
	const struct tfrc_rx_history *h = &rcv->history;
	u64 rtt = tfrc_receiver_rtt(rcv);

	CHECK(rcv->p <= TFRC_P_ONE);
	CHECK(rcv->x_recv <= TFRC_RATE_MAX && rcv->x_max <= TFRC_RATE_MAX);
	CHECK(rtt >= TFRC_RTT_MIN && rtt <= TFRC_RTT_MAX);
	CHECK(h->n_above < TFRC_NDUPACK);
	CHECK(h->acked <= h->reported && h->reported <= h->events);
	CHECK(h->event_data <= h->data + BIT_ULL(48));
	if (fuzz_ccid->ccid_id == MARC || fuzz_ccid->ccid_id == LTFRC) {
		const struct tfrc_loss_intervals *li =
			&container_of(rcv, struct rfc5348_receiver, base)->intervals;

		CHECK(li->k <= li->n && li->n <= TFRC_LI_MAX);
	}
	CHECK(rcv->feedbacks <= rcv->packets + h->events + rx_fired);
	/* RAAR never reports twice on one packet, with the preset paper, too. */
	if (fuzz_ccid->ccid_id == RAAR)
		CHECK(rcv->feedbacks <= rcv->packets);
}

static void event(void)
{
	struct sk_buff skb;
	u32 i, n;

	switch (byte() % 16) {
	case 0:
		for (n = byte() % 8 + 1, i = 0; i < n; i++)
			send_data(length(), 0);
		break;
	case 1:
		send_data(length() % 2000, byte() % 20);
		break;
	case 2:
		pass(span());
		break;
	case 3:
		for (n = byte(); n-- && link_take(&data_link, &skb);)
			to_receiver(&skb);
		break;
	case 4:
		for (n = byte(); n-- && link_take(&data_link, &skb);)
			fuzz_events++;
		break;
	case 5:
		if (link_take(&data_link, &skb)) {
			skb.ce = true;
			to_receiver(&skb);
		}
		break;
	case 6:		/* after later packets, or twice */
		if (link_take(&data_link, &skb)) {
			link_add(&data_link, &skb);
			if (byte() & 1)
				to_receiver(&skb);
		}
		break;
	case 7:
		for (n = byte(); n-- && link_take(&ack_link, &skb);)
			to_sender(&skb);
		break;
	case 8:
		for (n = byte(); n-- && link_take(&ack_link, &skb);)
			fuzz_events++;
		break;
	case 9:
		if (link_take(&ack_link, &skb)) {
			link_add(&ack_link, &skb);
			if (byte() & 1)
				to_sender(&skb);
		}
		break;
	case 10:
		hostile_report();
		break;
	case 11:
		hostile_data();
		break;
	case 12:
	case 13:
		ordinary();
		break;
	case 14:
		n = byte();
		if (n & 1)
			tweak();
		else if (n & 2)
			socket_option();
		else if (n & 4)
			preset();
		else if (n & 8)
			l4s(n & 16);
		else
			rungs();
		break;
	case 15:
		/* The receiver confirms the Sequence Window. */
		tx.dccps_l_seq_win = tx.seq_win_asked;
		ask();
		break;
	}
}

static struct ccid *new_ccid(u32 size)
{
	struct ccid *ccid = calloc(1, sizeof(*ccid) + size);

	CHECK(ccid);
	ccid->ccid_ops = fuzz_ccid;
	return ccid;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static const u64 starts[] = {
		TFRC_NSEC_PER_SEC, 1ULL << 32, 1ULL << 50, 1ULL << 61,
	};
	static u64 enough;
	u8 how;

	if (!enough)
		enough = strtoull(getenv("FUZZ_EVENTS") ?: "-1", NULL, 0);
	in = data;
	in_end = data + size;
	memset(&tx, 0, sizeof(tx));
	memset(&rx, 0, sizeof(rx));
	memset(&data_link, 0, sizeof(data_link));
	memset(&ack_link, 0, sizeof(ack_link));
	memset(&step, 0, sizeof(step));
	memset(&base, 0, sizeof(base));
	memset(&sent, 0, sizeof(sent));
	answered = 0;
	rx_gss = 0;
	rx_fired = 0;

	how = byte();
	fuzz_now = starts[how & 3] + 1;
	tx.sk_state = DCCP_OPEN;
	rx.sk_state = DCCP_OPEN;
	tx.sk_max_pacing_rate = ~0UL;
	tx.dccps_l_seq_win = 100;
	tx.dccps_mss_cache = how & 32 ? 1424 : 8 * byte();
	tx.seq_win_asked = 100;
	tx.dccps_gss = how & 4 ? SEQ_MASK - byte() : 1000;
	rx.dccps_gsr = tx.dccps_gss;
	if (how & 8)
		tx.dccps_syn_rtt = number() % 3000001;
	if (how & 16)
		rx.dccps_syn_rtt = number() % 3000001;
	tx.dccps_hc_tx_ccid = new_ccid(fuzz_ccid->ccid_hc_tx_obj_size);
	rx.dccps_hc_rx_ccid = new_ccid(fuzz_ccid->ccid_hc_rx_obj_size);
	CHECK(!fuzz_ccid->ccid_hc_tx_init(tx.dccps_hc_tx_ccid, &tx));
	CHECK(!fuzz_ccid->ccid_hc_rx_init(rx.dccps_hc_rx_ccid, &rx));

	while (in < in_end) {
		event();
		check_sender();
		check_receiver();
	}

	fuzz_ccid->ccid_hc_tx_stop(&tx);
	fuzz_ccid->ccid_hc_rx_stop(&rx);
	fuzz_ccid->ccid_hc_rx_exit(&rx);
	fuzz_ccid->ccid_hc_tx_free(tx.dccps_hc_tx_ccid);
	free(tx.dccps_hc_tx_ccid);
	free(rx.dccps_hc_rx_ccid);
	if (fuzz_events >= enough) {
		fprintf(stderr, "%llu events, no rule broken\n", fuzz_events);
		_exit(0);
	}
	return 0;
}
