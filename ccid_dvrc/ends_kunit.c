// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of DVRC's sender.c and receiver.c, with single packets and reports.
 */
#include <kunit/test.h>
#include "../lib_tfrc/kunit.h"
#include "receiver.c"
#include "sender.c"

#define MS	TFRC_NSEC_PER_MSEC
#define SEC	TFRC_NSEC_PER_SEC
#define T0	(1000 * SEC)
#define S	1000
#define R	(100 * MS)

/* A report comes that acknowledges the packet @ack. */
static void ends_test_report_at(struct tfrc_sender *snd,
				const struct tfrc_feedback *fb, u64 ack, u64 now)
{
	struct tfrc_report rep = { .fb = fb, .ack = ack, .sample = R };

	tfrc_sender_feedback(snd, &rep, now);
}

static void ends_test_report(struct tfrc_sender *snd,
			     const struct tfrc_feedback *fb, u64 ack)
{
	ends_test_report_at(snd, fb, ack, T0 + R);
}

static const u32 ends_layers[] = { 30000, 60000, 90000 };

/* Layers: advertised until a report shows them, K as reported, halved by a timeout. */
static void ends_test_sender(struct kunit *test)
{
	struct tfrc_feedback fb = {
		.x_recv = TFRC_RATE(40000), .rate = TFRC_RATE(70000),
		.timeout = 2 * R,
	};
	struct dvrc_sender ds;
	struct tfrc_sender *snd = &ds.driven.base;

	dvrc_sender_init(&ds);
	dvrc_sender_set_layers(&ds, ends_layers, sizeof(ends_layers));
	ds.par.gamma = 900;
	/* a Sequence Window of 10 bears two packets in R */
	snd->window = 10;
	tfrc_sender_start(snd, S, R, T0);
	EXPECT_RATE(test, snd->x, 20000);

	/* no round-trip time yet: the rate vector alone */
	KUNIT_EXPECT_EQ(test, dvrc_sender_options(&ds, T0), DVRC_HAS_LAYERS);
	ds.vector_seq = 100;
	tfrc_sender_sent(snd, S, T0);

	/* K = 0: the receiver does not have the rate vector */
	ends_test_report(snd, &fb, 100);
	KUNIT_EXPECT_TRUE(test, ds.advertise);
	KUNIT_EXPECT_EQ(test, ds.k, 1);
	KUNIT_EXPECT_FALSE(test, snd->event);
	/* a report on an earlier packet has K of another vector: 70000 is enough for two */
	fb.number = 3;
	ends_test_report(snd, &fb, 99);
	KUNIT_EXPECT_TRUE(test, ds.advertise);
	KUNIT_EXPECT_EQ(test, ds.k, 2);
	KUNIT_EXPECT_TRUE(test, snd->event);
	snd->event = false;
	fb.number = 2;
	ends_test_report(snd, &fb, 100);
	KUNIT_EXPECT_FALSE(test, ds.advertise);
	KUNIT_EXPECT_EQ(test, ds.k, 2);

	/* once in a round trip R is stated, and the layers with it */
	KUNIT_EXPECT_EQ(test, dvrc_sender_options(&ds, T0 + R),
			DVRC_HAS_PATH | DVRC_HAS_LAYERS);
	KUNIT_EXPECT_EQ(test, dvrc_sender_options(&ds, T0 + R + 99 * MS), 0);
	KUNIT_EXPECT_EQ(test, dvrc_sender_options(&ds, T0 + 2 * R),
			DVRC_HAS_PATH | DVRC_HAS_LAYERS);

	/* half of 40000: one layer */
	EXPECT_RATE(test, snd->x, 40000);
	tfrc_sender_sent(snd, S, T0 + 2 * R);
	tfrc_sender_timeout(snd, T0 + 10 * R);
	EXPECT_RATE(test, snd->x, 20000);
	KUNIT_EXPECT_EQ(test, ds.k, 1);
	KUNIT_EXPECT_TRUE(test, snd->event);
}

/*
 * Without a round-trip time of the handshake: a packet a second, with and without layers and
 * slow start. The first report brings the initial rate.
 */
static void ends_test_first(struct kunit *test)
{
	struct tfrc_feedback fb = {
		.x_recv = TFRC_RATE(1000), .rate = TFRC_RATE(90000),
		.timeout = 2 * R, .number = 1,
	};

	for (int i = 0; i < 4; i++) {
		struct dvrc_sender ds;
		struct tfrc_sender *snd = &ds.driven.base;

		dvrc_sender_init(&ds);
		if (i & 1)
			dvrc_sender_set_layers(&ds, ends_layers,
					       sizeof(ends_layers));
		ds.par.slow_start = i >> 1;
		ds.par.gamma = 900;
		snd->window = 100;
		tfrc_sender_start(snd, S, 0, T0);
		EXPECT_RATE(test, snd->x, 1000);
		tfrc_sender_sent(snd, S, T0);
		ends_test_report(snd, &fb, 100);
		EXPECT_RATE(test, snd->x, 40000);
	}
}

/*
 * The application replaces a vector of three small layers, all of which are sent. Until the
 * new one is acknowledged, the rate decides K. Sequence numbers wrap.
 */
static void ends_test_vector(struct kunit *test)
{
	static const u32 small[] = { 5000, 10000, 20000 };
	static const u64 last = (1ULL << 48) - 1;
	struct tfrc_feedback fb = {
		.x_recv = TFRC_RATE(70000), .rate = TFRC_RATE(70000),
		.timeout = 2 * R, .number = 3,
	};
	struct dvrc_sender ds;
	struct tfrc_sender *snd = &ds.driven.base;

	dvrc_sender_init(&ds);
	dvrc_sender_set_layers(&ds, small, sizeof(small));
	ds.par.gamma = 900;
	snd->window = 100;
	tfrc_sender_start(snd, S, R, T0);
	ds.vector_seq = last - 10;
	tfrc_sender_sent(snd, S, T0);
	ends_test_report(snd, &fb, last - 10);
	KUNIT_EXPECT_EQ(test, ds.k, 3);
	EXPECT_RATE(test, snd->x, 40000);

	/* R is 70000, enough for two layers, and X 40000; slow start allows one above X */
	ds.par.slow_start = 1;
	dvrc_sender_set_layers(&ds, ends_layers, sizeof(ends_layers));
	KUNIT_EXPECT_EQ(test, ds.k, 2);
	snd->x = TFRC_RATE(1000);
	snd->x_inst = snd->x;
	ds.driven.rate = TFRC_RATE(90000);
	dvrc_sender_set_layers(&ds, ends_layers, sizeof(ends_layers));
	KUNIT_EXPECT_EQ(test, ds.k, 2);
	ds.par.slow_start = 0;

	/* no packet has had it, then one, of which no report comes yet */
	ends_test_report(snd, &fb, last - 5);
	KUNIT_EXPECT_EQ(test, ds.k, 2);
	ds.vector_seq = 2;
	ends_test_report(snd, &fb, last);
	KUNIT_EXPECT_EQ(test, ds.k, 2);
	fb.rate = TFRC_RATE(59000);
	ends_test_report(snd, &fb, 1);
	KUNIT_EXPECT_EQ(test, ds.k, 1);
	KUNIT_EXPECT_TRUE(test, ds.advertise);
	fb.number = 2;
	ends_test_report(snd, &fb, 2);
	KUNIT_EXPECT_EQ(test, ds.k, 2);
	KUNIT_EXPECT_FALSE(test, ds.advertise);
}

/*
 * X_inst is below X by the limit of the delay. K goes with it at once: 1000 bytes and no
 * queue for 100 ms lift X_delay by 10,000 bytes/s.
 */
static void ends_test_inst(struct kunit *test)
{
	struct tfrc_feedback fb = {
		.x_recv = TFRC_RATE(90000), .rate = TFRC_RATE(90000),
		.timeout = 2 * R, .number = 3,
	};
	struct dvrc_sender ds;
	struct tfrc_sender *snd = &ds.driven.base;
	int i;

	dvrc_sender_init(&ds);
	dvrc_sender_set_layers(&ds, ends_layers, sizeof(ends_layers));
	ds.par.gamma = 900;
	snd->window = 100;
	tfrc_sender_start(snd, S, R, T0);
	tfrc_delay_set(snd, 50);
	ds.vector_seq = 100;
	for (i = 0; i < 10; i++)
		tfrc_sender_sent(snd, S, T0);
	ends_test_report(snd, &fb, 100);
	KUNIT_EXPECT_EQ(test, ds.k, 3);
	snd->event = false;

	snd->delay.x = TFRC_RATE(45000);
	snd->delay.t_step = T0 + R;
	ends_test_report(snd, &fb, 100);
	EXPECT_RATE(test, snd->x_inst, 45000);
	KUNIT_EXPECT_EQ(test, ds.k, 1);
	KUNIT_EXPECT_TRUE(test, snd->event);
	/* another 15,000 with R and a half */
	ends_test_report_at(snd, &fb, 100, T0 + R + R * 3 / 2);
	EXPECT_RATE(test, snd->x_inst, 60000);
	KUNIT_EXPECT_EQ(test, ds.k, 2);
}

/* Layers above K are not sent, except to end what the last packet announced. */
static void ends_test_announced(struct kunit *test)
{
	struct dvrc_sender ds;

	dvrc_sender_init(&ds);
	KUNIT_EXPECT_TRUE(test, dvrc_sender_wants(&ds, 16));
	KUNIT_EXPECT_FALSE(test, dvrc_sender_ends(&ds, 1));
	KUNIT_EXPECT_EQ(test, dvrc_sender_ccval(&ds, false), 0);
	KUNIT_EXPECT_TRUE(test, dvrc_sender_ends(&ds, 16));
	ds.k = 3;
	KUNIT_EXPECT_TRUE(test, dvrc_sender_wants(&ds, 3));
	KUNIT_EXPECT_FALSE(test, dvrc_sender_wants(&ds, 4));
	KUNIT_EXPECT_EQ(test, dvrc_sender_ccval(&ds, false), 0);
	ds.k = 1;
	KUNIT_EXPECT_FALSE(test, dvrc_sender_wants(&ds, 2));
	KUNIT_EXPECT_TRUE(test, dvrc_sender_ends(&ds, 3));
	KUNIT_EXPECT_FALSE(test, dvrc_sender_ends(&ds, 4));
	KUNIT_EXPECT_EQ(test, dvrc_sender_ccval(&ds, true), DVRC_CCVAL_IDLE);
	KUNIT_EXPECT_FALSE(test, dvrc_sender_ends(&ds, 1));
}

static const struct tfrc_receiver_ops ends_receiver_ops = {
	.packet = dvrc_receiver_packet,
	.report = dvrc_receiver_report,
};

static struct dvrc_receiver *ends_test_receiver_new(struct kunit *test)
{
	struct dvrc_receiver *dr = kunit_kzalloc(test, sizeof(*dr), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, dr);
	dvrc_receiver_init(dr, &ends_receiver_ops);
	tfrc_receiver_set_rtt(&dr->base, R);
	dr->dvrc.par = (struct dccp_dvrc_rx_params) {
		.alpha_i = 1000, .alpha_d = 1000, .beta_d = 500, .n = 1500,
		.weight = 1000, .ack_ratio = 2, .loss_history = 8,
		.delta = 4000, .gain_mean = 125, .gain_deviation = 250,
	};
	return dr;
}

static bool ends_test_arrives(struct dvrc_receiver *dr, u64 seq, u64 now,
			      bool ce)
{
	const struct tfrc_rx_packet pkt = {
		.seq = seq, .len = S, .is_data = true, .is_ce = ce,
		.newest = true,
	};

	return dr->base.ops->packet(&dr->base, &pkt, now);
}

/* The first packet is reported, then each second, and any decrease at once. */
static void ends_test_due(struct kunit *test)
{
	struct dvrc_receiver *dr = ends_test_receiver_new(test);
	struct tfrc_feedback fb = { };
	u64 r;

	KUNIT_EXPECT_EQ(test, dr->base.deadline, 0);
	KUNIT_EXPECT_TRUE(test, ends_test_arrives(dr, 1, T0, false));
	tfrc_receiver_report(&dr->base, T0, &fb);
	/* RFC 3390: 4 packets in 100 ms */
	EXPECT_RATE(test, fb.rate, 40000);
	KUNIT_EXPECT_FALSE(test, ends_test_arrives(dr, 2, T0 + 10 * MS, false));
	/* a report is due a round trip later at the latest */
	KUNIT_EXPECT_EQ(test, dr->base.deadline, T0 + R);
	KUNIT_EXPECT_TRUE(test, ends_test_arrives(dr, 3, T0 + 20 * MS, false));
	tfrc_receiver_report(&dr->base, T0 + 20 * MS, &fb);

	/* a mark is a decrease: half */
	r = dr->dvrc.r;
	KUNIT_EXPECT_TRUE(test, ends_test_arrives(dr, 4, T0 + 30 * MS, true));
	KUNIT_EXPECT_EQ(test, dr->dvrc.congestion, 1);
	EXPECT_RATE(test, dr->dvrc.r, (r / 2) >> TFRC_RATE_SHIFT);
	KUNIT_EXPECT_EQ(test, dr->events, 1);
	tfrc_receiver_report(&dr->base, T0 + 30 * MS, &fb);
	KUNIT_EXPECT_EQ(test, fb.marked, 1);
	/* nothing arrives for DTO, that of four packets at R: 200 ms */
	EXPECT_RATE(test, dr->dvrc.r, 20000);
	KUNIT_EXPECT_EQ(test, dr->base.deadline,
			T0 + 230 * MS);
	tfrc_receiver_report(&dr->base, T0 + 230 * MS, &fb);
	EXPECT_RATE(test, fb.rate, 10000);
	KUNIT_EXPECT_EQ(test, dr->dvrc.timeouts, 1);
}

/* A packet is reported at once if the last report is a quarter of R old, and 100 us. */
static void ends_test_thin(struct kunit *test)
{
	struct dvrc_receiver *dr = ends_test_receiver_new(test);
	struct tfrc_feedback fb = { };

	dr->dvrc.par.ack_ratio = 4;
	KUNIT_EXPECT_TRUE(test, ends_test_arrives(dr, 1, T0, false));
	tfrc_receiver_report(&dr->base, T0, &fb);
	KUNIT_EXPECT_FALSE(test, ends_test_arrives(dr, 2, T0 + R / 4 - 1, false));
	KUNIT_EXPECT_TRUE(test, ends_test_arrives(dr, 3, T0 + R / 4, false));
	tfrc_receiver_report(&dr->base, T0 + R / 4, &fb);
	KUNIT_EXPECT_TRUE(test, ends_test_arrives(dr, 4, T0 + R / 2, false));
	tfrc_receiver_report(&dr->base, T0 + R / 2, &fb);

	/* R = 100 us: not before 100 us have passed */
	dr->dvrc.path.rtt = TFRC_RTT_MIN;
	KUNIT_EXPECT_FALSE(test, ends_test_arrives(dr, 5, T0 + R / 2 + TFRC_RTT_MIN - 1,
						   false));
	KUNIT_EXPECT_TRUE(test, ends_test_arrives(dr, 6, T0 + R / 2 + TFRC_RTT_MIN, false));
}

/* p_SP at the receiver: a short interval of 3 packets, 2 of them marked, counts as 1.5. */
static void ends_test_nominal(struct kunit *test)
{
	struct dvrc_receiver *dr = ends_test_receiver_new(test);
	struct tfrc_nominal *nom = &dr->dvrc.nominal;
	u64 i;

	tfrc_nominal_set(nom, 1460);
	for (i = 1; i <= 20; i++)
		ends_test_arrives(dr, i, T0 + i * 40 * MS, false);
	KUNIT_EXPECT_EQ(test, nom->p, 0);
	ends_test_arrives(dr, 21, T0 + 840 * MS, true);
	KUNIT_EXPECT_EQ(test, nom->k, 1);
	KUNIT_EXPECT_GE(test, nom->p, dr->base.p);
	/* of the same event */
	ends_test_arrives(dr, 22, T0 + 880 * MS, true);
	KUNIT_EXPECT_EQ(test, nom->k, 1);
	ends_test_arrives(dr, 23, T0 + 920 * MS, false);
	ends_test_arrives(dr, 24, T0 + 960 * MS, true);
	KUNIT_EXPECT_EQ(test, nom->k, 2);
	/* scaled by 2^16 */
	KUNIT_EXPECT_EQ(test, nom->len[0], 3 << 15);
}

/* A mark of a packet with ECT(1) is no decrease, also if it is above a hole. */
static void ends_test_l4s(struct kunit *test)
{
	struct dvrc_receiver *dr = ends_test_receiver_new(test);
	struct tfrc_rx_packet pkt = {
		.seq = 1, .len = S, .is_data = true, .newest = true,
		.is_ce = true, .is_l4s = true,
	};
	u64 i;

	for (i = 1; i <= 6; i++) {
		pkt.seq = i == 6 ? 7 : i;
		dr->base.ops->packet(&dr->base, &pkt, T0 + 10 * i * MS);
	}
	KUNIT_EXPECT_EQ(test, dr->base.history.marked, 6);
	KUNIT_EXPECT_EQ(test, dr->dvrc.congestion + dr->dvrc.random, 0);
	KUNIT_EXPECT_EQ(test, dr->events, 0);
	/* but the loss is, and one mark of the other kind */
	for (i = 8; i <= 9; i++) {
		pkt.seq = i;
		dr->base.ops->packet(&dr->base, &pkt, T0 + 10 * i * MS);
	}
	KUNIT_EXPECT_EQ(test, dr->events, 1);
	pkt.seq = 10;
	pkt.is_l4s = false;
	dr->base.ops->packet(&dr->base, &pkt, T0 + 3 * R);
	KUNIT_EXPECT_EQ(test, dr->events, 2);
	KUNIT_EXPECT_GE(test, dr->dvrc.congestion, 1);
}

/* Options of a late packet are ignored; layers that were set here stay. */
static void ends_test_options(struct kunit *test)
{
	struct dvrc_receiver *dr = ends_test_receiver_new(test);
	struct tfrc_rx_packet pkt = {
		.seq = 1, .len = S, .is_data = true, .newest = true,
	};

	dr->path.rtt = 70 * MS;
	dr->vector.k = 1;
	dr->vector.rate[0] = 5000;
	dr->base.options = DVRC_HAS_PATH | DVRC_HAS_LAYERS;
	dvrc_receiver_packet(&dr->base, &pkt, T0);
	KUNIT_EXPECT_EQ(test, tfrc_receiver_rtt(&dr->base), 70 * MS);
	KUNIT_EXPECT_EQ(test, dr->dvrc.path.rtt, 70 * MS);
	KUNIT_EXPECT_EQ(test, dr->dvrc.layers.k, 1);

	pkt.seq = 2;
	pkt.newest = false;
	dr->path.rtt = 90 * MS;
	dvrc_receiver_packet(&dr->base, &pkt, T0 + MS);
	KUNIT_EXPECT_EQ(test, tfrc_receiver_rtt(&dr->base), 70 * MS);

	pkt.seq = 3;
	pkt.newest = true;
	dr->own_layers = true;
	dr->vector.rate[0] = 6000;
	dvrc_receiver_packet(&dr->base, &pkt, T0 + 2 * MS);
	KUNIT_EXPECT_EQ(test, tfrc_receiver_rtt(&dr->base), 90 * MS);
	KUNIT_EXPECT_EQ(test, dr->dvrc.layers.rate[0], 5000);
}

/*
 * An Ack overtakes the last packet before a pause, of which CCVal says that none follows: there
 * is no timeout. A late packet says nothing about that. Sequence numbers wrap.
 */
static void ends_test_overtaken(struct kunit *test)
{
	static const struct {
		u64 seq;
		bool is_data, idle, want;
	} cases[] = {
		{ -3, true, false, false }, { -1, false, false, false },
		{ -2, true, true, true }, { 1, true, false, false },
		{ 3, true, true, true }, { 2, true, false, true },
		{ 5, true, false, false }, { 4, true, true, false },
	};
	struct dvrc_receiver *dr = ends_test_receiver_new(test);

	for (int i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct tfrc_rx_packet pkt = {
			.seq = cases[i].seq & ((1ULL << 48) - 1), .len = S,
			.is_data = cases[i].is_data, .ccval = cases[i].idle,
		};

		dvrc_receiver_packet(&dr->base, &pkt, T0 + i * MS);
		KUNIT_EXPECT_EQ_MSG(test, dr->dvrc.idle, cases[i].want, "case %d", i);
		KUNIT_EXPECT_EQ_MSG(test, dvrc_timeout_at(&dr->dvrc) == U64_MAX,
				    cases[i].want, "case %d", i);
	}
}

/*
 * R = 500000 has room for both of two layers, and for all of five: a new vector makes K 5 at
 * once, after a loss event, too. One that is stated again changes nothing: a third layer
 * waits for the hold. One that begins with the rates of another is another one.
 */
static void ends_test_new_vector(struct kunit *test)
{
	static const u32 three[] = { 100000, 400000, 600000 };
	static const u32 five[] = { 50000, 100000, 200000, 300000, 500000 };
	struct dvrc_receiver *dr = ends_test_receiver_new(test);
	struct dvrc *d = &dr->dvrc;
	struct tfrc_feedback fb = { };

	d->par.hold = 1000;
	d->random = 1;
	d->history.epochs = 1;
	dvrc_layers_set(&dr->vector, three, sizeof(three));
	dr->base.options = DVRC_HAS_LAYERS;
	ends_test_arrives(dr, 1, T0, false);
	d->r = TFRC_RATE(500000);
	tfrc_receiver_report(&dr->base, T0, &fb);
	KUNIT_EXPECT_EQ(test, fb.number, 2);
	d->r = TFRC_RATE(600000);
	ends_test_arrives(dr, 2, T0 + 10 * MS, false);
	tfrc_receiver_report(&dr->base, T0 + 10 * MS, &fb);
	KUNIT_EXPECT_EQ(test, fb.number, 2);

	dvrc_layers_set(&dr->vector, five, sizeof(five));
	ends_test_arrives(dr, 3, T0 + 20 * MS, false);
	d->r = TFRC_RATE(500000);
	tfrc_receiver_report(&dr->base, T0 + 20 * MS, &fb);
	KUNIT_EXPECT_EQ(test, fb.number, 5);
	d->r = TFRC_RATE(250000);
	tfrc_receiver_report(&dr->base, T0 + 20 * MS, &fb);
	KUNIT_EXPECT_EQ(test, fb.number, 3);
	d->r = TFRC_RATE(300000);
	dvrc_layers_set(&dr->vector, five, 4 * sizeof(*five));
	ends_test_arrives(dr, 4, T0 + 30 * MS, false);
	KUNIT_EXPECT_EQ(test, d->layers.k, 4);
	tfrc_receiver_report(&dr->base, T0 + 30 * MS, &fb);
	KUNIT_EXPECT_EQ(test, fb.number, 4);
}

static struct kunit_case ends_cases[] = {
	KUNIT_CASE(ends_test_sender),
	KUNIT_CASE(ends_test_first),
	KUNIT_CASE(ends_test_vector),
	KUNIT_CASE(ends_test_inst),
	KUNIT_CASE(ends_test_announced),
	KUNIT_CASE(ends_test_due),
	KUNIT_CASE(ends_test_thin),
	KUNIT_CASE(ends_test_nominal),
	KUNIT_CASE(ends_test_l4s),
	KUNIT_CASE(ends_test_options),
	KUNIT_CASE(ends_test_overtaken),
	KUNIT_CASE(ends_test_new_vector),
	{ }
};

static struct kunit_suite dvrc_ends_suite = {
	.name = "dvrc_ends",
	.test_cases = ends_cases,
};

kunit_test_suite(dvrc_ends_suite);
