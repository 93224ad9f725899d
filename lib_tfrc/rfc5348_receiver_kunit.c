// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the TFRC receiver: when it reports, and the values in a report.
 */
#include <linux/container_of.h>
#include <linux/limits.h>
#include <linux/string.h>
#include <linux/types.h>
#include <net/tfrc_rfc5348.h>
#include "receiver_kunit.h"

struct asked;

struct flow {
	struct sender		snd;
	struct rfc5348_receiver	r;
	struct asked		*asked;
	struct tfrc_feedback	fb;
	u32			reports;
};

static const struct rfc5348_variant plain = {
	.calc_x = rfc5348_calc_x,
	.calc_p = rfc5348_calc_p,
	.limit = rfc5348_limit,
	.move_to = rfc5348_move_to,
};

static bool takes(struct flow *f, const struct tfrc_rx_packet *pkt)
{
	return f->r.base.ops->packet(&f->r.base, pkt, f->snd.now);
}

static void start_flow(struct flow *f, u64 rtt, u64 handshake)
{
	start_sender(&f->snd, rtt);
	rfc5348_receiver_init(&f->r, TFRC_LI_DEFAULT, &plain, handshake);
	memset(&f->fb, 0, sizeof(f->fb));
	f->reports = 0;
}

/* A packet arrives, and a report is made if it is due. Returns whether it was. */
static bool arrives(struct flow *f, const struct tfrc_rx_packet *pkt)
{
	if (!takes(f, pkt))
		return false;
	tfrc_receiver_report(&f->r.base, f->snd.now, &f->fb);
	f->reports++;
	return true;
}

static bool send(struct flow *f, u64 gap)
{
	struct tfrc_rx_packet pkt = next_packet(&f->snd, gap);

	return arrives(f, &pkt);
}

static void send_n(struct flow *f, u64 gap, u32 n)
{
	while (n--)
		send(f, gap);
}

static void lose_n(struct flow *f, u64 gap, u32 n)
{
	while (n--)
		next_packet(&f->snd, gap);
}

static u64 bytes_per_s(u64 rate)
{
	return rate >> TFRC_RATE_SHIFT;
}

/* 100 packets an RTT, nothing lost: a report each RTT, X_recv is the rate. */
static void test_steady(struct kunit *test)
{
	struct flow f;

	start_flow(&f, 100 * MS, 0);
	KUNIT_EXPECT_TRUE(test, send(&f, 0));
	KUNIT_EXPECT_EQ(test, f.fb.x_recv, 0);
	KUNIT_EXPECT_EQ(test, f.fb.p, 0);

	KUNIT_EXPECT_FALSE(test, send(&f, MS));
	send_n(&f, MS, 10000);
	KUNIT_EXPECT_EQ(test, f.reports, 101);
	KUNIT_EXPECT_EQ(test, f.r.base.feedbacks, 101);
	KUNIT_EXPECT_EQ(test, f.r.base.packets, 10002);
	KUNIT_EXPECT_EQ(test, f.r.base.bytes, 10002 * SIZE);
	KUNIT_EXPECT_EQ(test, bytes_per_s(f.fb.x_recv), 1000 * SIZE);
	KUNIT_EXPECT_EQ(test, f.r.base.x_max, f.fb.x_recv);
	KUNIT_EXPECT_EQ(test, f.fb.p, 0);
	KUNIT_EXPECT_EQ(test, f.fb.lost, 0);
	EXPECT_NEAR(test, f.r.window.rtt, 100 * MS, 3);
}

/* No report without data or for duplicates; a report that failed stays due. */
static void test_due(struct kunit *test)
{
	struct tfrc_rx_packet pkt, ack = { .is_ce = true };
	struct flow f;
	u32 i;

	start_flow(&f, 100 * MS, 100 * MS);
	for (i = 0; i < 100; i++) {
		ack.seq = f.snd.seq++ & SEQ_MASK;
		f.snd.now += 50 * MS;
		KUNIT_EXPECT_FALSE(test, arrives(&f, &ack));
	}
	pkt = next_packet(&f.snd, 0);
	KUNIT_EXPECT_TRUE(test, takes(&f, &pkt));
	KUNIT_EXPECT_FALSE(test, takes(&f, &pkt));
	KUNIT_EXPECT_TRUE(test, send(&f, MS));
	KUNIT_EXPECT_FALSE(test, send(&f, MS));
}

/* A report has the times of the moment at which it leaves, and of the newest packet then. */
static void test_stamp(struct kunit *test)
{
	struct tfrc_feedback fb;
	struct flow f;
	u32 arrived;

	start_flow(&f, 100 * MS, 100 * MS);
	KUNIT_EXPECT_TRUE(test, send(&f, MS));
	fb = f.fb;
	tfrc_receiver_stamp(&f.r.base, f.snd.now, &fb);
	KUNIT_EXPECT_EQ(test, fb.elapsed_us, 0);
	tfrc_receiver_stamp(&f.r.base, f.snd.now + 1234 * US, &fb);
	KUNIT_EXPECT_EQ(test, fb.elapsed_us, 1234);
	tfrc_receiver_stamp(&f.r.base, f.snd.now + 5000 * SEC, &fb);
	KUNIT_EXPECT_EQ(test, fb.elapsed_us, U32_MAX);

	KUNIT_EXPECT_FALSE(test, send(&f, 70 * MS));
	arrived = div_u64(f.snd.now, US);
	tfrc_receiver_stamp(&f.r.base, f.snd.now + 30 * MS, &fb);
	KUNIT_EXPECT_EQ(test, fb.elapsed_us, 30000);
	KUNIT_EXPECT_EQ(test, fb.arrival_us, arrived);
	KUNIT_EXPECT_EQ(test, fb.x_recv, f.fb.x_recv);
}

/* A report after four quarters of the counter; late packets do not count. */
static void test_report_counter(struct kunit *test)
{
	struct tfrc_rx_packet late;
	struct flow f;
	u32 i;

	start_flow(&f, 100 * MS, 100 * MS);
	/* so that a report lies right before the wrap */
	f.snd.counter = 3;
	send(&f, 0);
	/* 45 wraps, a report for each fourth count */
	for (i = 1; i < 4 * 180 + 4; i++)
		KUNIT_EXPECT_EQ(test, send(&f, 25 * MS), i % 4 == 0);

	/* right after a report one with the old counter comes late */
	late = next_packet(&f.snd, MS);
	KUNIT_EXPECT_FALSE(test, send(&f, 23 * MS));
	KUNIT_EXPECT_TRUE(test, send(&f, MS));
	KUNIT_EXPECT_FALSE(test, arrives(&f, &late));
}

/* A counter that does not move: a report after two RTTs by the own clock */
static void test_report_clock(struct kunit *test)
{
	struct flow f;

	start_flow(&f, 100 * MS, 100 * MS);
	f.snd.rtt = U64_MAX;
	send_n(&f, MS, 10001);
	KUNIT_EXPECT_EQ(test, f.reports, 51);
	KUNIT_EXPECT_EQ(test, bytes_per_s(f.fb.x_recv), 1000 * SIZE);
}

/* A new loss event is reported at once, more losses in the same one are not. */
static void test_report_event(struct kunit *test)
{
	struct flow f;
	u64 before;

	start_flow(&f, 100 * MS, 100 * MS);
	send(&f, 0);
	while (!send(&f, MS) || f.reports < 20)
		;
	send_n(&f, MS, 10);
	before = f.fb.x_recv;
	lose_n(&f, MS, 1);
	KUNIT_EXPECT_FALSE(test, send(&f, MS));
	KUNIT_EXPECT_FALSE(test, send(&f, MS));
	KUNIT_EXPECT_TRUE(test, send(&f, MS));
	KUNIT_EXPECT_EQ(test, f.fb.lost, 1);
	KUNIT_EXPECT_NE(test, f.fb.p, 0);
	/* 13 packets since the last report, but measured over an RTT */
	EXPECT_NEAR(test, f.fb.x_recv, before, 2);

	send_n(&f, MS, 10);
	lose_n(&f, MS, 1);
	KUNIT_EXPECT_FALSE(test, send(&f, MS));
	KUNIT_EXPECT_FALSE(test, send(&f, MS));
	KUNIT_EXPECT_FALSE(test, send(&f, MS));
	KUNIT_EXPECT_EQ(test, f.r.base.history.lost, 2);
	KUNIT_EXPECT_EQ(test, f.r.base.history.events, 1);
	KUNIT_EXPECT_EQ(test, f.fb.lost, 1);

	/* a loss in each RTT, a report for each, and none is out of line */
	while (f.reports < 100) {
		send_n(&f, MS, 103);
		lose_n(&f, MS, 1);
		EXPECT_NEAR(test, f.fb.x_recv, before, 3);
	}
}

/* A mark is reported with the packet that has it, and is no loss. */
static void test_report_mark(struct kunit *test)
{
	struct tfrc_rx_packet pkt;
	struct flow f;

	start_flow(&f, 100 * MS, 100 * MS);
	send_n(&f, MS, 531);
	pkt = next_packet(&f.snd, MS);
	pkt.is_ce = true;
	KUNIT_EXPECT_TRUE(test, arrives(&f, &pkt));
	KUNIT_EXPECT_EQ(test, f.fb.lost, 0);
	KUNIT_EXPECT_EQ(test, f.fb.marked, 1);
	KUNIT_EXPECT_NE(test, f.fb.p, 0);

	pkt = next_packet(&f.snd, MS);
	pkt.is_ce = true;
	KUNIT_EXPECT_FALSE(test, arrives(&f, &pkt));
	KUNIT_EXPECT_EQ(test, f.r.base.history.marked, 2);
	KUNIT_EXPECT_EQ(test, f.r.base.history.events, 1);

	/* above a hole, too */
	send_n(&f, MS, 300);
	lose_n(&f, MS, 1);
	pkt = next_packet(&f.snd, MS);
	pkt.is_ce = true;
	KUNIT_EXPECT_TRUE(test, arrives(&f, &pkt));
	KUNIT_EXPECT_EQ(test, f.fb.lost, 0);
	KUNIT_EXPECT_EQ(test, f.fb.marked, 3);
	KUNIT_EXPECT_EQ(test, f.r.base.history.events, 2);
}

/* The variant's inverse is called with the greatest rate, and gives I_1. */
struct asked {
	u32	calls;
	u32	s;
	u64	rtt;
	u64	x;
	u64	answer;
};

static u64 asked_calc_p(const struct rfc5348_receiver *t, u32 s, u64 rtt,
			u64 x)
{
	struct asked *a = container_of(t, struct flow, r)->asked;

	a->calls++;
	a->s = s;
	a->rtt = rtt;
	a->x = x;
	return a->answer;
}

static const struct rfc5348_variant asking = { .calc_p = asked_calc_p };

/* The same as start_flow(), with the answers of @a. */
static void start_asking(struct flow *f, struct asked *a)
{
	start_flow(f, 100 * MS, 100 * MS);
	rfc5348_receiver_init(&f->r, 8, &asking, 100 * MS);
	f->asked = a;
}

static void lose_first(struct flow *f, struct asked *a)
{
	start_asking(f, a);
	send_n(f, MS, 801);	/* 1000 packets/s, then 200 */
	send_n(f, 5 * MS, 100);
	lose_n(f, 5 * MS, 1);
	send_n(f, 5 * MS, 3);
}

static void test_first_interval(struct kunit *test)
{
	struct asked a = { .answer = TFRC_P_ONE / 4000 };
	struct flow f;
	u64 x;

	lose_first(&f, &a);
	KUNIT_EXPECT_EQ(test, a.calls, 1);
	EXPECT_NEAR(test, a.s, SIZE, 1);
	EXPECT_NEAR(test, a.rtt, 100 * MS, 2);
	EXPECT_NEAR(test, bytes_per_s(a.x), 1000 * SIZE, 2);
	KUNIT_EXPECT_EQ(test, f.r.intervals.k, 1);
	KUNIT_EXPECT_EQ(test, f.r.intervals.len[0], 4000);
	EXPECT_NEAR(test, f.fb.p, TFRC_P_ONE / 4000, 1);

	/* once only */
	send_n(&f, MS, 200);
	lose_n(&f, MS, 1);
	send_n(&f, MS, 3);
	KUNIT_EXPECT_EQ(test, f.r.base.history.events, 2);
	KUNIT_EXPECT_EQ(test, a.calls, 1);
	KUNIT_EXPECT_EQ(test, f.r.intervals.len[1], 4000);

	/* in the first RTT, there is no report of a rate yet */
	start_asking(&f, &a);
	send_n(&f, MS, 91);
	lose_n(&f, MS, 1);
	send_n(&f, MS, 3);
	KUNIT_EXPECT_EQ(test, f.r.base.x_max, f.fb.x_recv);
	EXPECT_NEAR(test, bytes_per_s(a.x), 1000 * SIZE, 2);

	/* whatever a variant answers */
	a.answer = 0;
	lose_first(&f, &a);
	KUNIT_EXPECT_EQ(test, f.r.intervals.len[0], U32_MAX);
	a.answer = U64_MAX;
	lose_first(&f, &a);
	KUNIT_EXPECT_EQ(test, f.r.intervals.len[0], 1);

	/* TFRC: with the p that is reported the equation gives the rate */
	start_flow(&f, 100 * MS, 100 * MS);
	send_n(&f, MS, 1001);
	lose_n(&f, MS, 1);
	send_n(&f, MS, 3);
	x = tfrc_calc_x(SIZE, 100 * MS, f.fb.p);
	EXPECT_NEAR(test, bytes_per_s(x), 1000 * SIZE, 2);
}

/* The size that the inverse is asked for is a mean, of sizes within bounds. */
static void test_packet_size(struct kunit *test)
{
	struct asked a = { .answer = TFRC_P_ONE / 4000 };
	struct tfrc_rx_packet pkt;
	struct flow f;
	u32 i, huge;

	for (huge = 0; huge < 2; huge++) {
		start_asking(&f, &a);
		for (i = 0; i < 200; i++) {
			pkt = next_packet(&f.snd, MS);
			pkt.len = huge ? U32_MAX : 500 + i % 2 * SIZE;
			pkt.is_ce = i == 199;
			arrives(&f, &pkt);
		}
		EXPECT_NEAR(test, a.s, huge ? U16_MAX : SIZE, 8);
	}
}

static void start_long(struct flow *f, struct asked *a)
{
	start_flow(f, 400 * MS, 400 * MS);
	rfc5348_receiver_init(&f->r, 8, &asking, 400 * MS);
	f->asked = a;
}

/*
 * A mark on the first packet: half a packet in R of 100 ms is 5 packets/s. On the second
 * one: one packet has come since, in R, as a part of R has passed. With R of 400 ms it is
 * half of the initial rate of 36500 bytes/s, for a mark and for a loss; but not for a mark
 * on the first packet, and not for a hole of several R.
 */
static void test_first_packets(struct kunit *test)
{
	struct asked a = { .answer = TFRC_P_ONE / 10 };
	struct tfrc_rx_packet pkt;
	struct flow f;
	u32 lost;

	start_asking(&f, &a);
	pkt = next_packet(&f.snd, 0);
	pkt.is_ce = true;
	KUNIT_EXPECT_TRUE(test, arrives(&f, &pkt));
	KUNIT_EXPECT_EQ(test, bytes_per_s(a.x), 5 * SIZE);
	KUNIT_EXPECT_EQ(test, f.r.intervals.len[0], 10);
	KUNIT_EXPECT_EQ(test, f.fb.x_recv, 0);

	start_asking(&f, &a);
	send_n(&f, 0, 1);
	pkt = next_packet(&f.snd, 25 * MS);
	pkt.is_ce = true;
	KUNIT_EXPECT_TRUE(test, arrives(&f, &pkt));
	KUNIT_EXPECT_EQ(test, bytes_per_s(a.x), 10 * SIZE);

	for (lost = 0; lost < 2; lost++) {
		start_long(&f, &a);
		send_n(&f, 0, 1);
		lose_n(&f, 25 * MS, lost);
		pkt = next_packet(&f.snd, 25 * MS);
		pkt.is_ce = !lost;
		arrives(&f, &pkt);
		send_n(&f, 25 * MS, 2);
		KUNIT_EXPECT_EQ(test, bytes_per_s(a.x), 18250);
	}

	start_long(&f, &a);
	pkt = next_packet(&f.snd, 0);
	pkt.is_ce = true;
	KUNIT_EXPECT_TRUE(test, arrives(&f, &pkt));
	KUNIT_EXPECT_EQ(test, bytes_per_s(a.x), 1250);

	start_long(&f, &a);
	send_n(&f, 0, 1);
	lose_n(&f, 100 * MS, 20);
	send_n(&f, 100 * MS, 3);
	KUNIT_EXPECT_GT(test, f.r.base.history.events, 1);
	KUNIT_EXPECT_LT(test, bytes_per_s(a.x), 18250);
}

/* An outage at the start that holds more loss events than n. */
static void test_first_outage(struct kunit *test)
{
	struct asked a = { .answer = TFRC_P_ONE / 4000 };
	struct flow f;
	u32 i;

	for (i = 5; i < 15; i += 9) {
		start_asking(&f, &a);
		send_n(&f, MS, 501);
		lose_n(&f, MS, i * 101);
		send_n(&f, MS, 3);
		KUNIT_EXPECT_EQ(test, f.r.base.history.events, i);
		/* the oldest interval is the first one, or long gone */
		KUNIT_EXPECT_EQ(test, f.r.intervals.k, min(i, 8U));
		EXPECT_NEAR(test, f.r.intervals.len[f.r.intervals.k - 1],
			    i < 8 ? 4000 : 101, 2);
		EXPECT_NEAR(test, f.r.intervals.len[0], 101, 2);
	}
}

/* A packet in 100 lost: p is 1 % in the end. */
static void test_loss_rate(struct kunit *test)
{
	static const u32 n[] = { 2, 8, 16, 255 };
	struct flow f;
	u32 i, j;

	for (j = 0; j < ARRAY_SIZE(n); j++) {
		start_flow(&f, 20 * MS, 20 * MS);
		rfc5348_receiver_init(&f.r, n[j], &plain, 20 * MS);
		KUNIT_ASSERT_EQ(test, tfrc_loss_intervals_resize(&f.r.intervals,
								 n[j]), 0);
		for (i = 0; i < 2 * n[j]; i++) {
			send_n(&f, MS, 99);
			lose_n(&f, MS, 1);
		}
		send_n(&f, MS, 10);
		EXPECT_NEAR(test, f.fb.p, TFRC_P_ONE / 100, 1);
		KUNIT_EXPECT_EQ(test, f.fb.lost, 2 * n[j]);
		EXPECT_NEAR(test, bytes_per_s(f.fb.x_recv), 990 * SIZE, 6);
		tfrc_loss_intervals_free(&f.r.intervals);
	}
}

/* A pause does not reduce X_recv. */
static void test_idle(struct kunit *test)
{
	struct flow f;
	u64 p;

	start_flow(&f, 100 * MS, 100 * MS);
	send_n(&f, MS, 1001);
	lose_n(&f, MS, 1);
	send_n(&f, MS, 950);
	p = f.fb.p;
	KUNIT_EXPECT_TRUE(test, send(&f, 60 * SEC));
	KUNIT_EXPECT_GE(test, bytes_per_s(f.fb.x_recv), 10 * SIZE);
	KUNIT_EXPECT_LE(test, f.fb.p, p);
	send_n(&f, MS, 200);
	EXPECT_NEAR(test, bytes_per_s(f.fb.x_recv), 1000 * SIZE, 2);

	/* a stream of less than a packet an RTT: a report for each */
	send(&f, SEC);
	KUNIT_EXPECT_TRUE(test, send(&f, SEC));
	KUNIT_EXPECT_TRUE(test, send(&f, SEC));
	EXPECT_NEAR(test, bytes_per_s(f.fb.x_recv), 10 * SIZE, 2);
	EXPECT_NEAR(test, f.r.window.rtt, 100 * MS, 2);
}

/* Ten seconds without a packet arriving, and then the path is back. */
static void test_outage(struct kunit *test)
{
	struct flow f;

	start_flow(&f, 100 * MS, 100 * MS);
	send_n(&f, MS, 5001);
	lose_n(&f, 10 * MS, 1000);
	send_n(&f, 10 * MS, 3);
	KUNIT_EXPECT_EQ(test, f.fb.lost, 1000);
	EXPECT_NEAR(test, f.r.base.history.events, 91, 2);
	/* an event for every 11 packets, and 13 since the last one */
	EXPECT_NEAR(test, f.fb.p, tfrc_mul_div(TFRC_P_ONE, 6, 13 + 5 * 11), 1);
	send_n(&f, MS, 400);
	EXPECT_NEAR(test, bytes_per_s(f.fb.x_recv), 1000 * SIZE, 2);
	EXPECT_NEAR(test, f.r.window.rtt, 100 * MS, 5);
	/* 400 packets without loss are soon seen */
	KUNIT_EXPECT_LT(test, f.fb.p, TFRC_P_ONE / 80);
}

/* Packets of a hostile sender */
static void test_hostile(struct kunit *test)
{
	struct tfrc_rx_packet pkt;
	struct flow f;
	u64 random = 1;
	u32 i;

	start_flow(&f, 100 * MS, 0);
	rfc5348_receiver_init(&f.r, U32_MAX, &plain, U64_MAX);
	KUNIT_ASSERT_EQ(test, tfrc_loss_intervals_resize(&f.r.intervals,
							 U32_MAX), 0);
	for (i = 0; i < 100000; i++) {
		/* Knuth's MMIX generator; its high bits are the good ones */
		random = random * 6364136223846793005ULL + 1442695040888963407ULL;
		pkt = next_packet(&f.snd, random >> 44);
		if (random >> 61 == 1)
			f.snd.seq += random & SEQ_MASK;
		if (random >> 60 == 4)
			pkt.ndp = random;
		if (random >> 60 == 6)
			pkt.len = random >> 20;
		if (random >> 60 == 8)
			pkt.ccval = random >> 16;
		pkt.is_data = random >> 60 != 10;
		pkt.is_ce = random >> 60 == 12;
		arrives(&f, &pkt);

		KUNIT_EXPECT_LE(test, f.fb.p, TFRC_P_ONE);
		KUNIT_EXPECT_LE(test, f.fb.x_recv, TFRC_RATE_MAX);
		KUNIT_EXPECT_GE(test, f.r.window.rtt, TFRC_RTT_MIN);
		KUNIT_EXPECT_LE(test, f.r.window.rtt, TFRC_RTT_MAX);
		KUNIT_EXPECT_LT(test, f.r.base.history.n_above, TFRC_NDUPACK);
		KUNIT_EXPECT_LE(test, f.r.base.history.lost, f.r.base.history.data);
	}
	KUNIT_EXPECT_NE(test, f.r.base.history.lost, 0);
	KUNIT_EXPECT_NE(test, f.r.base.history.marked, 0);
	tfrc_loss_intervals_free(&f.r.intervals);
}

static struct kunit_case receiver_cases[] = {
	KUNIT_CASE(test_steady),
	KUNIT_CASE(test_due),
	KUNIT_CASE(test_stamp),
	KUNIT_CASE(test_report_counter),
	KUNIT_CASE(test_report_clock),
	KUNIT_CASE(test_report_event),
	KUNIT_CASE(test_report_mark),
	KUNIT_CASE(test_first_interval),
	KUNIT_CASE(test_packet_size),
	KUNIT_CASE(test_first_packets),
	KUNIT_CASE(test_first_outage),
	KUNIT_CASE(test_loss_rate),
	KUNIT_CASE(test_idle),
	KUNIT_CASE(test_outage),
	KUNIT_CASE(test_hostile),
	{}
};

struct kunit_suite rfc5348_receiver_suite = {
	.name = "tfrc_rfc5348_receiver",
	.test_cases = receiver_cases,
};
