// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loss detection and loss events. A packet is a letter of a script:
 *
 *	.  data		received
 *	!  data		received with a CE mark
 *	4  data		the same, sent with ECT(1) (L4S)
 *	,  no data	received
 *	x  data		lost
 *	o  no data	lost
 *	A  data		received, acknowledges the newest report
 *	B  data		received, acknowledges the report before that
 *
 * in order of sequence, one each ms, with the sender's NDP Count. Other letters are not
 * packets:
 *
 *	r  the receiver sends a report
 *	_  a pause of one ms
 */
#include <linux/limits.h>
#include <linux/string.h>
#include <linux/types.h>
#include <net/tfrc.h>
#include "kunit.h"

#define MS		TFRC_NSEC_PER_MSEC
#define SEQ_MASK	((1ULL << 48) - 1)
#define SEQ_START	1000000
#define T_START		(1000 * TFRC_NSEC_PER_SEC)
#define RTT		(10 * MS)

struct flow {
	struct tfrc_rx_history		h;
	struct tfrc_loss_intervals	li;
	u64				seq;
	u64				ndp;
	u64				now;
	u64				report;
};

static void start_at(struct flow *f, u64 seq)
{
	tfrc_rx_history_init(&f->h);
	tfrc_loss_intervals_init(&f->li, TFRC_LI_DEFAULT);
	f->seq = seq;
	f->ndp = 0;
	f->now = T_START;
	/* the numbers of the reports wrap, too */
	f->report = SEQ_MASK - 5;
}

/* one data packet at any place of the sequence, at the present time */
static bool arrives(struct flow *f, u64 seq)
{
	const struct tfrc_rx_packet pkt = {
		.seq = seq & SEQ_MASK,
		.is_data = true,
	};

	return tfrc_rx_history_add(&f->h, &f->li, &pkt, RTT, f->now);
}

static void play(struct flow *f, const char *script)
{
	for (; *script; script++) {
		struct tfrc_rx_packet pkt = {
			.seq = f->seq & SEQ_MASK,
			.ndp = f->ndp,
			.ack = (f->report - (*script == 'B')) & SEQ_MASK,
			.is_data = strchr(".!4xAB", *script),
			.is_ce = strchr("!4", *script),
			.is_l4s = *script == '4',
			.has_ack = strchr("AB", *script),
		};

		if (*script == 'r') {
			f->report = (f->report + 1) & SEQ_MASK;
			tfrc_rx_history_reported(&f->h, f->report);
			continue;
		}
		if (*script == '_') {
			f->now += MS;
			continue;
		}
		f->ndp = pkt.is_data ? 0 : f->ndp + 1;
		f->seq++;
		f->now += MS;
		if (strchr(".!4,AB", *script))
			tfrc_rx_history_add(&f->h, &f->li, &pkt, RTT, f->now);
	}
}

static void play_n(struct flow *f, const char *script, u32 n)
{
	while (n--)
		play(f, script);
}

static void expect_counts(struct kunit *test, const struct flow *f, u64 lost,
			  u64 marked, u64 events, int line)
{
	KUNIT_EXPECT_EQ_MSG(test, f->h.lost, lost, "line %d", line);
	KUNIT_EXPECT_EQ_MSG(test, f->h.marked, marked, "line %d", line);
	KUNIT_EXPECT_EQ_MSG(test, f->h.events, events, "line %d", line);
}

#define EXPECT_COUNTS(test, f, lost, marked, events)			\
	expect_counts(test, f, lost, marked, events, __LINE__)

static void arrives_marked(struct flow *f, u64 seq)
{
	const struct tfrc_rx_packet pkt = {
		.seq = seq, .is_data = true, .is_ce = true,
	};

	tfrc_rx_history_add(&f->h, &f->li, &pkt, RTT, f->now);
}

/*
 * A mark above a hole of two begins an event at what may be lost; then the first of the
 * two comes, marked, and begins another one, before that place. No interval is longer
 * than what has been sent.
 */
static void test_late_below_mark(struct kunit *test)
{
	struct flow f;
	u32 i;

	start_at(&f, 100);
	arrives(&f, 100);
	arrives_marked(&f, 101);
	f.now += 3 * RTT / 2;
	arrives_marked(&f, 104);
	f.now += 11 * RTT / 10;
	arrives_marked(&f, 102);
	f.now += 10 * MS;
	for (i = 105; i < 110; i++)
		arrives(&f, i);
	KUNIT_EXPECT_GE(test, f.h.events, 2);
	for (i = 0; i < f.li.k; i++)
		KUNIT_EXPECT_LE(test, f.li.len[i], 10);
	KUNIT_EXPECT_LE(test, tfrc_rx_history_open(&f.h), 10);
}

static void test_in_order(struct kunit *test)
{
	struct flow f;

	start_at(&f, SEQ_START);
	play_n(&f, ".", 1000);
	EXPECT_COUNTS(test, &f, 0, 0, 0);
	KUNIT_EXPECT_EQ(test, f.h.data, 1000);
	KUNIT_EXPECT_EQ(test, f.h.newest, SEQ_START + 999);
	KUNIT_EXPECT_EQ(test, f.h.newest_time, f.now);
	KUNIT_EXPECT_EQ(test, tfrc_rx_history_open(&f.h), 1000);
}

/* Lost with the third packet above it, not before (RFC 5348, 5.1). */
static void test_ndupack(struct kunit *test)
{
	struct flow f;

	start_at(&f, SEQ_START);
	play(&f, "....x..");
	EXPECT_COUNTS(test, &f, 0, 0, 0);
	KUNIT_EXPECT_EQ(test, f.h.data, 4);
	play(&f, ".");
	EXPECT_COUNTS(test, &f, 1, 0, 1);
	KUNIT_EXPECT_EQ(test, f.h.data, 8);
	/* the packet that began the event, and three after it */
	KUNIT_EXPECT_EQ(test, tfrc_rx_history_open(&f.h), 4);
	KUNIT_EXPECT_EQ(test, f.li.len[0], 4);

	/* each hole has its own three packets */
	start_at(&f, SEQ_START);
	play(&f, ".x.x.");
	EXPECT_COUNTS(test, &f, 0, 0, 0);
	play(&f, ".");
	EXPECT_COUNTS(test, &f, 1, 0, 1);
	play(&f, ".");
	EXPECT_COUNTS(test, &f, 2, 0, 1);
	KUNIT_EXPECT_EQ(test, f.h.n_above, 0);
}

/* A packet that comes one or two places late was not lost. */
static void test_reordering(struct kunit *test)
{
	struct flow f;
	u64 s = SEQ_START;

	start_at(&f, s);
	KUNIT_EXPECT_TRUE(test, arrives(&f, s));
	KUNIT_EXPECT_TRUE(test, arrives(&f, s + 2));
	KUNIT_EXPECT_TRUE(test, arrives(&f, s + 1));
	KUNIT_EXPECT_EQ(test, f.h.base, s + 2);

	KUNIT_EXPECT_TRUE(test, arrives(&f, s + 5));
	KUNIT_EXPECT_TRUE(test, arrives(&f, s + 4));
	KUNIT_EXPECT_EQ(test, f.h.newest, s + 5);
	KUNIT_EXPECT_TRUE(test, arrives(&f, s + 3));
	KUNIT_EXPECT_EQ(test, f.h.base, s + 5);

	KUNIT_EXPECT_TRUE(test, arrives(&f, s + 8));
	KUNIT_EXPECT_TRUE(test, arrives(&f, s + 6));
	KUNIT_EXPECT_TRUE(test, arrives(&f, s + 7));
	EXPECT_COUNTS(test, &f, 0, 0, 0);
	KUNIT_EXPECT_EQ(test, f.h.data, 9);

	/* three places late: lost, and it does not come back */
	KUNIT_EXPECT_TRUE(test, arrives(&f, s + 10));
	KUNIT_EXPECT_TRUE(test, arrives(&f, s + 11));
	KUNIT_EXPECT_TRUE(test, arrives(&f, s + 12));
	EXPECT_COUNTS(test, &f, 1, 0, 1);
	KUNIT_EXPECT_FALSE(test, arrives(&f, s + 9));
	EXPECT_COUNTS(test, &f, 1, 0, 1);
	KUNIT_EXPECT_EQ(test, f.h.data, 13);
}

/* A copy of a packet is no second packet above a hole. */
static void test_duplicates(struct kunit *test)
{
	struct flow f;
	u64 s = SEQ_START;
	int i;

	start_at(&f, s);
	KUNIT_EXPECT_TRUE(test, arrives(&f, s));
	KUNIT_EXPECT_FALSE(test, arrives(&f, s));
	KUNIT_EXPECT_TRUE(test, arrives(&f, s + 2));
	KUNIT_EXPECT_TRUE(test, arrives(&f, s + 3));
	for (i = 0; i < 5; i++) {
		KUNIT_EXPECT_FALSE(test, arrives(&f, s + 2));
		KUNIT_EXPECT_FALSE(test, arrives(&f, s + 3));
	}
	EXPECT_COUNTS(test, &f, 0, 0, 0);
	KUNIT_EXPECT_TRUE(test, arrives(&f, s + 1));
	EXPECT_COUNTS(test, &f, 0, 0, 0);
	KUNIT_EXPECT_EQ(test, f.h.data, 4);
}

/* Lost acknowledgments are no loss of data (RFC 4340, 7.7). */
static void test_ndp(struct kunit *test)
{
	struct flow f;

	/* nothing to wait for where nothing but acknowledgments is missing */
	start_at(&f, SEQ_START);
	play(&f, "..oo.");
	KUNIT_EXPECT_EQ(test, f.h.n_above, 0);
	play(&f, ".o,.,.,,o.....");
	EXPECT_COUNTS(test, &f, 0, 0, 0);
	KUNIT_EXPECT_EQ(test, f.h.data, 11);

	/* of a mixed hole only what is known to be no data is left out */
	start_at(&f, SEQ_START);
	play(&f, "..xxoo...");
	EXPECT_COUNTS(test, &f, 2, 0, 1);
	KUNIT_EXPECT_EQ(test, f.h.data, 7);

	/* packets without data have NDP Counts too, and count for NDUPACK */
	start_at(&f, SEQ_START);
	play(&f, "..o,,,");
	EXPECT_COUNTS(test, &f, 0, 0, 0);
	play(&f, ".x,,,");
	EXPECT_COUNTS(test, &f, 1, 0, 1);
	KUNIT_EXPECT_EQ(test, f.h.data, 4);
}

/* Loss intervals are counted in data packets. */
static void test_interval_length(struct kunit *test)
{
	struct flow f;

	start_at(&f, SEQ_START);
	play(&f, "...x");		/* at 3 */
	play_n(&f, ".,", 20);		/* 4 to 23 */
	play(&f, "xxo...");		/* at 24 */
	EXPECT_COUNTS(test, &f, 3, 0, 2);
	KUNIT_EXPECT_EQ(test, f.li.k, 2);
	KUNIT_EXPECT_EQ(test, f.li.len[1], 3);
	KUNIT_EXPECT_EQ(test, f.li.len[0], 21);
	KUNIT_EXPECT_EQ(test, tfrc_rx_history_open(&f.h), 5);

	/*
	 * NDP Count speaks of what comes right before the packet that has it:
	 * what was no data at the head of a hole has to be taken for data.
	 */
	start_at(&f, SEQ_START);
	play(&f, "...oxx...");
	EXPECT_COUNTS(test, &f, 3, 0, 1);
}

/* The first event needs none before it, and the clock may have just started. */
static void test_first_event(struct kunit *test)
{
	struct flow f;

	start_at(&f, SEQ_START);
	f.now = 0;
	play(&f, ".x...");
	EXPECT_COUNTS(test, &f, 1, 0, 1);

	start_at(&f, SEQ_START);
	f.now = 0;
	play(&f, "!");
	EXPECT_COUNTS(test, &f, 0, 1, 1);
}

/* What is lost within an RTT of the event's first packet belongs to it. */
static void test_grouping(struct kunit *test)
{
	struct flow f;

	/* 10 ms later: the same event */
	start_at(&f, SEQ_START);
	play(&f, "..x.........x...");
	EXPECT_COUNTS(test, &f, 2, 0, 1);

	/* 11 ms later: the next one */
	start_at(&f, SEQ_START);
	play(&f, "..x..........x...");
	EXPECT_COUNTS(test, &f, 2, 0, 2);
	KUNIT_EXPECT_EQ(test, f.li.len[0], 11);

	/* an RTT counts from the event's start, not from its last loss */
	start_at(&f, SEQ_START);
	play(&f, "..x.....x.....x...");
	EXPECT_COUNTS(test, &f, 3, 0, 2);
	KUNIT_EXPECT_EQ(test, f.li.len[0], 12);
}

/* A packet that is lost between 0 and 40 ms, with an RTT of 10 ms. */
static void test_interpolation(struct kunit *test)
{
	struct flow f;

	/* third of four equal steps */
	start_at(&f, SEQ_START);
	arrives(&f, SEQ_START);
	f.now += 40 * MS;
	arrives(&f, SEQ_START + 2);
	arrives(&f, SEQ_START + 3);
	arrives(&f, SEQ_START + 4);
	EXPECT_COUNTS(test, &f, 1, 0, 1);
	KUNIT_EXPECT_EQ(test, f.h.event_time, T_START + 20 * MS);

	/* losses at 50, 60 and 70 ms: 20 + 10 is not past the RTT */
	f.now = T_START + 40 * MS;
	f.h.event_time = T_START + 40 * MS;
	f.now += 40 * MS;
	arrives(&f, SEQ_START + 8);
	arrives(&f, SEQ_START + 9);
	arrives(&f, SEQ_START + 10);
	EXPECT_COUNTS(test, &f, 4, 0, 2);
	KUNIT_EXPECT_EQ(test, f.h.event_time, T_START + 60 * MS);
	KUNIT_EXPECT_EQ(test, f.h.event_data, 6);

	/* a packet above the hole that arrived first gives the time */
	start_at(&f, SEQ_START);
	arrives(&f, SEQ_START);
	f.now += 30 * MS;
	arrives(&f, SEQ_START + 3);
	f.now += 30 * MS;
	arrives(&f, SEQ_START + 2);
	arrives(&f, SEQ_START + 4);
	EXPECT_COUNTS(test, &f, 1, 0, 1);
	KUNIT_EXPECT_EQ(test, f.h.event_time, T_START + 10 * MS);
}

/* An outage of 100 ms holds a loss event for each RTT and a bit more. */
static void test_outage(struct kunit *test)
{
	struct flow f;
	u32 i;

	start_at(&f, SEQ_START);
	play_n(&f, ".", 50);
	play_n(&f, "x", 100);
	play(&f, "...");
	/* packets 1, 12, 23, ... 100 of the hole: more than 10 ms apart */
	EXPECT_COUNTS(test, &f, 100, 0, 10);
	for (i = 0; i < f.li.n; i++)
		KUNIT_EXPECT_EQ(test, f.li.len[i], 11);
	KUNIT_EXPECT_EQ(test, tfrc_rx_history_open(&f.h), 4);
	KUNIT_EXPECT_EQ(test, f.h.event_time, T_START + 150 * MS);

	/* without intervals to keep, events are counted all the same */
	start_at(&f, SEQ_START);
	for (i = 0; i < 60; i++) {
		const struct tfrc_rx_packet pkt = {
			.seq = SEQ_START + i + (i >= 50 ? 100 : 0),
			.is_data = true,
		};

		f.now = T_START + (pkt.seq - SEQ_START) * MS;
		tfrc_rx_history_add(&f.h, NULL, &pkt, RTT, f.now);
	}
	EXPECT_COUNTS(test, &f, 100, 0, 10);
	KUNIT_EXPECT_EQ(test, f.h.event_data, 149);
	KUNIT_EXPECT_EQ(test, f.li.k, 0);
}

/*
 * Frames of 12 packets, 1 ms apart, and a pause of 188 ms, with R = 10 ms. Five packets that are
 * lost together, at the beginning or the end of a frame, are lost within 5 ms, and with twice the
 * gap within 10 ms: one event. By interpolation over the pause each would be one.
 */
static void test_frames(struct kunit *test)
{
	static const char * const frames[] = { "xxxxx.......", ".......xxxxx" };
	struct flow f;
	u32 i, n;

	for (i = 0; i < ARRAY_SIZE(frames); i++) {
		start_at(&f, SEQ_START);
		for (n = 1; n <= 3; n++) {
			play(&f, "............");
			f.now += 188 * MS;
			play(&f, frames[i]);
			f.now += 188 * MS;
			play(&f, "............");
			f.now += 188 * MS;
			EXPECT_COUNTS(test, &f, 5 * n, 0, n);
		}
	}

	/* an event that began before the pause does not include what is lost after it */
	start_at(&f, SEQ_START);
	play(&f, "..........x.....");
	f.now += 188 * MS;
	play(&f, "xxxx....");
	EXPECT_COUNTS(test, &f, 5, 0, 2);

	/* an event before a pause does not include what is lost after it, either */
	start_at(&f, SEQ_START);
	play(&f, "..............xx");
	f.now += 188 * MS;
	play(&f, "..x...");
	EXPECT_COUNTS(test, &f, 3, 0, 2);

	/* marks above a hole begin events by 5.2: at 21 and 35 ms; that at 48 ms is one, too */
	start_at(&f, SEQ_START);
	play(&f, "........xx");
	f.now += 37 * MS;
	play(&f, "!!...");
	EXPECT_COUNTS(test, &f, 2, 2, 3);

	/* where each packet comes after a pause, the ten packets before it are forgotten */
	start_at(&f, SEQ_START);
	play(&f, "..........");
	for (n = 0; n < 10; n++) {
		f.now += 19 * MS;
		play(&f, ".");
	}
	f.now += 100 * MS;
	play(&f, "xxxxx");
	for (n = 0; n < 3; n++) {
		f.now += 19 * MS;
		play(&f, ".");
	}
	EXPECT_COUNTS(test, &f, 5, 0, 5);

	/* with gaps of up to 8 ms, four packets may be 56 ms apart: no pause */
	start_at(&f, SEQ_START);
	for (n = 0; n < 8; n++) {
		play(&f, "...");
		f.now += 7 * MS;
	}
	play(&f, "xxx");
	f.now += 45 * MS;
	play(&f, "...");
	EXPECT_COUNTS(test, &f, 3, 0, 3);
}

/* A mark begins a loss event like a loss, but is not lost. */
static void test_marks(struct kunit *test)
{
	struct flow f;

	start_at(&f, SEQ_START);
	play(&f, "..!");
	/* at once, and its own packet is the first of the interval */
	EXPECT_COUNTS(test, &f, 0, 1, 1);
	KUNIT_EXPECT_EQ(test, f.h.event_time, f.now);
	KUNIT_EXPECT_EQ(test, tfrc_rx_history_open(&f.h), 1);

	/* marks and losses within an RTT are one event: 10 ms yes, 11 no */
	play(&f, "....x....!");
	EXPECT_COUNTS(test, &f, 1, 2, 1);
	play(&f, "!");
	EXPECT_COUNTS(test, &f, 1, 3, 2);
	KUNIT_EXPECT_EQ(test, f.li.len[0], 11);
	play(&f, "..........x...");
	EXPECT_COUNTS(test, &f, 2, 3, 3);

	/* above a hole: counted and an event at once, that begins with what may be lost */
	start_at(&f, SEQ_START);
	play(&f, "..x!");
	EXPECT_COUNTS(test, &f, 0, 1, 1);
	KUNIT_EXPECT_EQ(test, f.h.event_data, 2);
	KUNIT_EXPECT_EQ(test, f.h.event_time, T_START + 3 * MS);
	play(&f, "..");
	EXPECT_COUNTS(test, &f, 1, 1, 1);
	KUNIT_EXPECT_EQ(test, tfrc_rx_history_open(&f.h), 4);

	/* what is missing at 12 ms belongs to the event of 2 ms, the mark does not */
	start_at(&f, SEQ_START);
	play(&f, ".!.........x!");
	EXPECT_COUNTS(test, &f, 0, 2, 2);
	KUNIT_EXPECT_EQ(test, f.h.event_data, 12);
	KUNIT_EXPECT_EQ(test, f.li.len[0], 11);
	play(&f, "...");
	EXPECT_COUNTS(test, &f, 1, 2, 2);

	/* the second hole, at 13 ms, is the first that does not */
	start_at(&f, SEQ_START);
	play(&f, ".!.........x.");
	f.now -= MS;
	play(&f, "x!");
	EXPECT_COUNTS(test, &f, 0, 2, 2);
	KUNIT_EXPECT_EQ(test, f.h.event_data, 13);

	/* it was only late: the event stands, nothing is lost */
	start_at(&f, SEQ_START);
	play(&f, "..x!");
	KUNIT_EXPECT_TRUE(test, arrives(&f, SEQ_START + 2));
	EXPECT_COUNTS(test, &f, 0, 1, 1);
	KUNIT_EXPECT_EQ(test, tfrc_rx_history_open(&f.h), 2);
}

/*
 * Losses from 2 ms on, with R = 10 ms: the event lasts until 12 ms, and longer while
 * the sender cannot have reacted.
 */
static void test_recovery_point(struct kunit *test)
{
	struct flow f;

	/* the report of 5 ms is acknowledged at 19 ms: a loss of 17 ms is old */
	start_at(&f, SEQ_START);
	play(&f, "rAx...r...x......xx.Ax...");
	EXPECT_COUNTS(test, &f, 5, 0, 2);
	KUNIT_EXPECT_EQ(test, f.h.event_data, 19);
	KUNIT_EXPECT_EQ(test, f.li.len[0], 18);

	/* sooner than R it says nothing */
	start_at(&f, SEQ_START);
	play(&f, "rAx...r.A...x...");
	EXPECT_COUNTS(test, &f, 2, 0, 1);

	/* from a sender that never acknowledged a report no acknowledgment is expected */
	start_at(&f, SEQ_START);
	play(&f, "r.x...r...x......xx..x...");
	EXPECT_COUNTS(test, &f, 5, 0, 2);
	KUNIT_EXPECT_EQ(test, f.h.event_data, 15);

	/* an acknowledgment of the report before does not do */
	start_at(&f, SEQ_START);
	play(&f, "rAx...r..B.......x...");
	EXPECT_COUNTS(test, &f, 2, 0, 1);

	/* from 2 ms to 42 ms, 4 R: then its nofeedback timer has had its say */
	start_at(&f, SEQ_START);
	play(&f, "rAx...r");
	play_n(&f, ".", 36);
	play(&f, "xx...");
	EXPECT_COUNTS(test, &f, 3, 0, 2);
	KUNIT_EXPECT_EQ(test, f.h.event_time, T_START + 43 * MS);

	/* an outage from 3 ms on, after two packets: an event for 11 packets */
	start_at(&f, SEQ_START);
	play(&f, "rA.");
	play_n(&f, "x", 100);
	play(&f, "...");
	EXPECT_COUNTS(test, &f, 100, 0, 10);
	KUNIT_EXPECT_EQ(test, f.li.len[0], 11);
	KUNIT_EXPECT_EQ(test, f.li.len[1], 11);
	KUNIT_EXPECT_EQ(test, f.h.event_data, 2 + 99);

	/* a packet each 4 ms, three in R: what is lost 16 ms later is another event */
	start_at(&f, SEQ_START);
	play(&f, "rA___x___.___.___.r___x___.___.___.");
	EXPECT_COUNTS(test, &f, 2, 0, 2);
	/* one each 2 ms, of which four come in R: what is lost 14 ms later is not */
	start_at(&f, SEQ_START);
	play(&f, "rA_x_._._.r_._._._x_._._.");
	EXPECT_COUNTS(test, &f, 2, 0, 1);

	/* a mark, too, belongs to what the sender could not react to */
	start_at(&f, SEQ_START);
	play(&f, "rA..!r.............!A!");
	EXPECT_COUNTS(test, &f, 0, 3, 2);
}

struct row {
	const char	*script;
	u64		lost;
	u64		marked;
	u64		events;
	u64		open;
	u32		len[TFRC_LI_DEFAULT];
};

#include "rx_history_kunit_table.h"

/*
 * A sender that has acknowledged a report, and then no more: the event of 2 ms lasts
 * until 42 ms, and the next ones for R = 10 ms, until it acknowledges again.
 */
static void test_silent_sender(struct kunit *test)
{
	struct flow f;

	start_at(&f, SEQ_START);
	play(&f, "rAx...r");
	EXPECT_COUNTS(test, &f, 1, 0, 1);
	/* 42 ms, 43 ms */
	play_n(&f, ".", 36);
	play(&f, "x...r");
	EXPECT_COUNTS(test, &f, 2, 0, 1);
	KUNIT_EXPECT_TRUE(test, f.h.answers);
	play(&f, "x...r");
	EXPECT_COUNTS(test, &f, 3, 0, 2);
	KUNIT_EXPECT_FALSE(test, f.h.answers);
	/* the event of 46 ms: 56 ms is in it, 57 ms is not */
	play(&f, "......xx...r");
	EXPECT_COUNTS(test, &f, 5, 0, 3);
	/* an acknowledgment at 61 ms: the event of 68 ms lasts until 108 ms */
	play(&f, "A......x...r");
	EXPECT_COUNTS(test, &f, 6, 0, 4);
	play_n(&f, ".", 36);
	play(&f, "xx...");
	EXPECT_COUNTS(test, &f, 8, 0, 5);
}

/* Random flows, against a model that keeps each packet */
static void test_model(struct kunit *test)
{
	const struct row *row;
	struct flow f;
	u32 i;

	for (row = rows; row < rows + ARRAY_SIZE(rows); row++) {
		start_at(&f, SEQ_START);
		play(&f, row->script);
		KUNIT_EXPECT_EQ_MSG(test, f.h.lost, row->lost, "%s", row->script);
		KUNIT_EXPECT_EQ_MSG(test, f.h.marked, row->marked, "%s",
				    row->script);
		KUNIT_EXPECT_EQ_MSG(test, f.h.events, row->events, "%s",
				    row->script);
		KUNIT_EXPECT_EQ_MSG(test, tfrc_rx_history_open(&f.h), row->open,
				    "%s", row->script);
		for (i = 0; i < min_t(u64, row->events, TFRC_LI_DEFAULT); i++)
			KUNIT_EXPECT_EQ_MSG(test, f.li.len[i], row->len[i],
					    "%s: %u", row->script, i);
	}
}

/* Acknowledgments carry no congestion signal for the data. */
static void test_mark_without_data(struct kunit *test)
{
	const struct tfrc_rx_packet pkt = {
		.seq = SEQ_START + 1,
		.is_ce = true,
	};
	struct flow f;

	start_at(&f, SEQ_START);
	arrives(&f, SEQ_START);
	KUNIT_EXPECT_TRUE(test,
			  tfrc_rx_history_add(&f.h, &f.li, &pkt, RTT, f.now));
	EXPECT_COUNTS(test, &f, 0, 0, 0);
	KUNIT_EXPECT_EQ(test, f.h.data, 1);
}

/* Marks of packets with ECT(1) are counted, and nothing else follows from them. */
static void test_mark_l4s(struct kunit *test)
{
	struct flow f;

	start_at(&f, SEQ_START);
	play(&f, "..4.4");
	EXPECT_COUNTS(test, &f, 0, 2, 0);
	KUNIT_EXPECT_EQ(test, f.h.signals, 0);
	/* above a hole, which is filled by nothing */
	play(&f, "x4");
	EXPECT_COUNTS(test, &f, 0, 3, 0);
	play(&f, "44");
	EXPECT_COUNTS(test, &f, 1, 5, 1);
	KUNIT_EXPECT_EQ(test, f.h.signals, 0);
	/* a mark of the other kind, more than an RTT later */
	play(&f, ".....4.....!");
	EXPECT_COUNTS(test, &f, 1, 7, 2);
	KUNIT_EXPECT_EQ(test, f.h.signals, 1);
	/* The last loss interval is from the lost packet, the 6th, to the 21st. */
	KUNIT_EXPECT_EQ(test, f.li.len[0], 15);
	/* A mark above a hole counts once: when it arrives. */
	play(&f, "x!");
	KUNIT_EXPECT_EQ(test, f.h.signals, 2);
	EXPECT_COUNTS(test, &f, 1, 8, 2);
	play(&f, "..");
	KUNIT_EXPECT_EQ(test, f.h.signals, 2);
	EXPECT_COUNTS(test, &f, 2, 8, 2);
}

/* The sequence numbers wrap at each place of a pattern. */
static void test_wrap(struct kunit *test)
{
	struct flow f;
	u64 i;

	for (i = 0; i < 24; i++) {
		start_at(&f, (1ULL << 48) - i);
		play(&f, "..xx.......o....!.....");
		EXPECT_COUNTS(test, &f, 2, 1, 2);
		KUNIT_EXPECT_EQ(test, f.h.data, 21);
		KUNIT_EXPECT_EQ(test, f.h.base, (f.seq - 1) & SEQ_MASK);
		KUNIT_EXPECT_FALSE(test, arrives(&f, f.seq - 20));
		KUNIT_EXPECT_FALSE(test, arrives(&f, f.seq - 1));
	}
}

/* A hostile sender may skip numbers, and state any NDP Count. */
static void test_hostile(struct kunit *test)
{
	const u64 jump = 1ULL << 40;
	const u64 rtts = 1ULL << 36;
	struct tfrc_rx_packet pkt = { .is_data = true };
	struct flow f;
	u64 i;

	start_at(&f, SEQ_START);
	play(&f, "..");
	f.seq += jump;
	f.now += rtts * RTT;
	play(&f, "...");
	KUNIT_EXPECT_EQ(test, f.h.lost, jump);
	KUNIT_EXPECT_EQ(test, f.h.data, jump + 5);
	/* an event each RTT that the jump lasted: to add each takes an hour */
	KUNIT_EXPECT_EQ(test, f.h.events, rtts);
	KUNIT_EXPECT_EQ(test, f.li.len[0], jump / rtts);
	KUNIT_EXPECT_EQ(test, f.li.len[f.li.n - 1], jump / rtts);

	/* half the space ahead is ahead, a packet more is behind */
	start_at(&f, SEQ_START);
	KUNIT_EXPECT_TRUE(test, arrives(&f, SEQ_START));
	KUNIT_EXPECT_FALSE(test, arrives(&f, SEQ_START + (1ULL << 47)));
	KUNIT_EXPECT_TRUE(test, arrives(&f, SEQ_START + (1ULL << 47) - 1));

	/* more packets without data than there are packets */
	start_at(&f, SEQ_START);
	play(&f, "..");
	for (i = 0; i < 3; i++) {
		pkt.seq = f.seq + 10 + i;
		pkt.ndp = i ? 0 : U64_MAX;
		tfrc_rx_history_add(&f.h, &f.li, &pkt, RTT, f.now);
	}
	EXPECT_COUNTS(test, &f, 0, 0, 0);
	KUNIT_EXPECT_EQ(test, f.h.data, 5);

	/* all at the same time: one event, however long the hole */
	start_at(&f, SEQ_START);
	arrives(&f, SEQ_START);
	for (i = 0; i < 3; i++)
		arrives(&f, SEQ_START + jump + i);
	EXPECT_COUNTS(test, &f, jump - 1, 0, 1);
}

static struct kunit_case rx_history_cases[] = {
	KUNIT_CASE(test_in_order),
	KUNIT_CASE(test_late_below_mark),
	KUNIT_CASE(test_ndupack),
	KUNIT_CASE(test_reordering),
	KUNIT_CASE(test_duplicates),
	KUNIT_CASE(test_ndp),
	KUNIT_CASE(test_interval_length),
	KUNIT_CASE(test_first_event),
	KUNIT_CASE(test_grouping),
	KUNIT_CASE(test_interpolation),
	KUNIT_CASE(test_outage),
	KUNIT_CASE(test_frames),
	KUNIT_CASE(test_marks),
	KUNIT_CASE(test_recovery_point),
	KUNIT_CASE(test_silent_sender),
	KUNIT_CASE(test_model),
	KUNIT_CASE(test_mark_without_data),
	KUNIT_CASE(test_mark_l4s),
	KUNIT_CASE(test_wrap),
	KUNIT_CASE(test_hostile),
	{}
};

struct kunit_suite tfrc_rx_history_suite = {
	.name = "tfrc_rx_history",
	.test_cases = rx_history_cases,
};
