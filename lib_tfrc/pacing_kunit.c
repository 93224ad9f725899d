// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the nominal send times, with late timers, queues that become empty, and
 * changing rates.
 */
#include <kunit/test.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <net/tfrc.h>
#include "kunit.h"

#define US		TFRC_NSEC_PER_USEC
#define MS		TFRC_NSEC_PER_MSEC
#define SEC		TFRC_NSEC_PER_SEC
#define R		(100 * MS)
#define T0		(1000 * SEC)
#define EARLY		(5 * US)

/* Send all packets of @queued that may go at @now. Returns how many. */
static u32 pacing_run(struct tfrc_pacing *p, u64 interval, u64 rtt, u32 queued,
		      u64 now)
{
	u32 n = 0;

	while (n < queued && tfrc_pacing_ready(p, interval, now))
		tfrc_pacing_release(p, interval, rtt, ++n < queued, now);
	return n;
}

/* Packets sent in 10 s, in thousandths of the nominal number */
static u32 pacing_rate(u64 interval, u64 rtt, u64 late)
{
	struct tfrc_pacing p = { };
	u64 now = T0, n = 0;

	while (now < T0 + 10 * SEC) {
		n += pacing_run(&p, interval, rtt, 50000, now);
		now = p.due + late;
	}
	return div64_u64(n * interval, 10 * MS);
}

/* A full queue, and a timer that always fires late. */
static void pacing_test_late(struct kunit *test)
{
	static const struct {
		u64 interval, rtt, late;
	} cases[] = {
		{ 11200, R, 0 }, { 11200, R, 20 * US }, { 11200, R, 50 * US },
		{ 100 * US, R, MS }, { 8 * MS, R, MS }, { 8 * MS, R, 9 * MS },
		{ 40 * US, R, 10 * MS }, { 100 * US, MS, MS },
		{ 11200, 20 * US, 20 * US }, { 80 * MS, R, 9 * MS },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		u32 rate = pacing_rate(cases[i].interval, cases[i].rtt,
				       cases[i].late);

		KUNIT_EXPECT_GE_MSG(test, rate, 999, "case %d", i);
		KUNIT_EXPECT_LE_MSG(test, rate, 1009, "case %d", i);
	}

	/*
	 * Later than what is made up for. Interval 1 ms, 30 ms late: one packet, then
	 * 11 each 31 ms, which are 1 + 322 * 11 = 3543 of 10000. R = 1 ms, 3 ms late:
	 * 2 each 4 ms, which are 1 + 2499 * 2 = 4999.
	 */
	KUNIT_EXPECT_EQ(test, pacing_rate(MS, R, 30 * MS), 354);
	KUNIT_EXPECT_EQ(test, pacing_rate(MS, MS, 3 * MS), 499);
}

/* The number of packets that are sent at once after a timer that is @late */
static u32 pacing_burst(u64 interval, u64 rtt, u64 late)
{
	struct tfrc_pacing p = { };
	u64 now = T0;

	pacing_run(&p, interval, rtt, 1000, now);
	return pacing_run(&p, interval, rtt, 1000, p.due + late);
}

/* The packets that are due within min(10 ms, R), and the one that waited */
static void pacing_test_bound(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, pacing_burst(MS, R, 0), 1);
	KUNIT_EXPECT_EQ(test, pacing_burst(MS, R, 2 * MS + 1), 3);
	KUNIT_EXPECT_EQ(test, pacing_burst(MS, R, 10 * MS), 11);
	KUNIT_EXPECT_EQ(test, pacing_burst(MS, R, SEC), 11);
	KUNIT_EXPECT_EQ(test, pacing_burst(MS, 4 * MS, SEC), 5);
	KUNIT_EXPECT_EQ(test, pacing_burst(MS, 20 * US, SEC), 1);
	KUNIT_EXPECT_EQ(test, pacing_burst(20 * MS, R, SEC), 1);
}

/* At most four packets, as many as come in the time, and no more than there are. */
static void pacing_test_batch(struct kunit *test)
{
	static const struct {
		u64 interval, most;
		u32 queued;
		u64 late;
	} cases[] = {
		{ MS, 750 * US, 5, 0 }, { 751 * US, 750 * US, 5, 0 },
		{ 750 * US, 750 * US, 5, 750 * US },
		{ 500 * US, 750 * US, 5, 500 * US },
		{ 250 * US, 750 * US, 5, 750 * US },
		{ 250 * US, 750 * US, 3, 500 * US },
		{ 250 * US, 750 * US, 2, 250 * US },
		{ 250 * US, 750 * US, 1, 0 }, { 250 * US, 750 * US, 0, 0 },
		{ 100 * US, 750 * US, 100, 300 * US },
		{ 100 * US, 150 * US, 100, 100 * US }, { 100 * US, 0, 100, 0 },
	};
	struct tfrc_pacing p = { };
	int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		KUNIT_EXPECT_EQ_MSG(test, tfrc_pacing_late(&p, cases[i].interval,
							   cases[i].most,
							   cases[i].queued),
				    cases[i].late, "case %d", i);

	/*
	 * Four packets leave together: one at 0, then four each 400 us, which are
	 * 1 + 24999 * 4 = 99997 of 100000. A 16th of R = 4800 us is 300 us.
	 */
	KUNIT_EXPECT_EQ(test, pacing_burst(100 * US, R, 300 * US), 4);
	KUNIT_EXPECT_EQ(test, pacing_rate(100 * US, R, 300 * US), 999);
	KUNIT_EXPECT_EQ(test, pacing_rate(100 * US, 4800 * US, 300 * US), 999);
}

/*
 * Four packets at 100 us each, which leave together with the last: their times are 100 us
 * apart. None is in the future, before the one before it, or later than is meant.
 */
static void pacing_test_nominal(struct kunit *test)
{
	struct tfrc_pacing p = { };
	u64 last = 0, now = T0, want = T0;
	u32 i, n;

	for (i = 0; i < 100; i++) {
		for (n = i ? 4 : 1; n; n--) {
			KUNIT_EXPECT_TRUE(test, tfrc_pacing_ready(&p, 100 * US, now));
			tfrc_pacing_release(&p, 100 * US, R, true, now);
			last = tfrc_pacing_nominal(&p, last, now);
			KUNIT_EXPECT_EQ(test, last, want);
			want += 100 * US;
		}
		KUNIT_EXPECT_FALSE(test, tfrc_pacing_ready(&p, 100 * US, now));
		KUNIT_EXPECT_EQ(test, tfrc_pacing_late(&p, 100 * US, 750 * US, 4), 300 * US);
		now += 400 * US;
	}

	/* sent early by what a timer takes: now */
	now += 2 * MS;
	p.t_last = now + 3 * US;
	KUNIT_EXPECT_EQ(test, tfrc_pacing_nominal(&p, last, now), now);
	/* the timer itself was late by 5 ms */
	p.t_last = now - 5 * MS;
	KUNIT_EXPECT_EQ(test, tfrc_pacing_nominal(&p, last, now), now - 300 * US);
	/* not before the packet before */
	KUNIT_EXPECT_EQ(test, tfrc_pacing_nominal(&p, now - 200 * US, now), now - 200 * US);

	/* 1 ms each: they leave alone, so a late timer counts */
	KUNIT_EXPECT_EQ(test, tfrc_pacing_late(&p, MS, 750 * US, 4), 0);
	KUNIT_EXPECT_EQ(test, tfrc_pacing_nominal(&p, last, now), now);
	/* likewise if the rate has changed, or there was nothing to send before */
	KUNIT_EXPECT_EQ(test, tfrc_pacing_late(&p, 100 * US, 750 * US, 4), 300 * US);
	tfrc_pacing_changed(&p, 110 * US, now);
	KUNIT_EXPECT_EQ(test, tfrc_pacing_nominal(&p, last, now), now);
	KUNIT_EXPECT_EQ(test, tfrc_pacing_late(&p, 100 * US, 750 * US, 4), 300 * US);
	p.waits = false;
	now += 10 * MS;
	tfrc_pacing_release(&p, 100 * US, R, false, now);
	KUNIT_EXPECT_EQ(test, tfrc_pacing_nominal(&p, last, now + 50 * US), now + 50 * US);
}

/* No credit for a time in which there was nothing to send. */
static void pacing_test_idle(struct kunit *test)
{
	struct tfrc_pacing p = { };

	/* the first goes at once, and the others do not */
	KUNIT_EXPECT_EQ(test, pacing_run(&p, MS, R, 20, T0), 1);
	KUNIT_EXPECT_EQ(test, p.due, T0 + MS);
	/* 19 are left; the last of them goes, and nothing waits for 5 ms */
	KUNIT_EXPECT_EQ(test, pacing_run(&p, MS, R, 1, T0 + MS), 1);
	KUNIT_EXPECT_EQ(test, pacing_run(&p, MS, R, 20, T0 + 6 * MS), 1);
	KUNIT_EXPECT_EQ(test, p.due, T0 + 7 * MS);
	/* one that comes before its time waits for it, and is held back */
	KUNIT_EXPECT_EQ(test, pacing_run(&p, MS, R, 1, T0 + 7 * MS), 1);
	KUNIT_EXPECT_FALSE(test, tfrc_pacing_ready(&p, MS, T0 + 7 * MS + 1));
	KUNIT_EXPECT_TRUE(test, tfrc_pacing_ready(&p, MS, T0 + 8 * MS));
	KUNIT_EXPECT_TRUE(test, tfrc_pacing_release(&p, MS, R, false,
						    T0 + 8 * MS));
	/* one that comes after its time is not */
	KUNIT_EXPECT_TRUE(test, tfrc_pacing_ready(&p, MS, T0 + 20 * MS));
	KUNIT_EXPECT_FALSE(test, tfrc_pacing_release(&p, MS, R, false,
						     T0 + 20 * MS));
	KUNIT_EXPECT_EQ(test, p.t_last, T0 + 20 * MS);
}

/* @m packets come at @now, and an exact timer. When each leaves is written to @left. */
static void pacing_leave(struct tfrc_pacing *p, u64 interval, u64 rtt, u32 m,
			 u64 now, u64 *left)
{
	u32 n = 0;

	for (; n < m; now = p->due) {
		while (n < m && tfrc_pacing_ready(p, interval, now)) {
			tfrc_pacing_release(p, interval, rtt, n + 1 < m, now);
			left[n++] = now;
		}
	}
}

/* What was not used is sent at twice the rate, and no more than that. */
static void pacing_test_saved(struct kunit *test)
{
	const u64 at = T0 + 45 * MS;
	struct tfrc_pacing p = { };
	u64 left[60];
	int i;

	/* 10 ms a packet. After one at 0 there are 35 ms unused at 45 ms: seven times 5 ms. */
	tfrc_pacing_set_saves(&p, true);
	pacing_leave(&p, 10 * MS, R, 1, T0, left);
	pacing_leave(&p, 10 * MS, R, 10, at, left);
	for (i = 0; i < 10; i++)
		KUNIT_EXPECT_EQ_MSG(test, left[i], at + (i <= 7 ? i * 5 : 35 + (i - 7) * 10) *
				    MS, "packet %d", i);
	/*
	 * Of a second 100 ms with R = 300 ms, twenty times 5 ms. With R = 42 ms eight times
	 * 5 ms, and 2 ms that are left.
	 */
	pacing_leave(&p, 10 * MS, 300 * MS, 30, T0 + SEC, left);
	KUNIT_EXPECT_EQ(test, left[20], T0 + SEC + 100 * MS);
	KUNIT_EXPECT_EQ(test, left[29], T0 + SEC + 190 * MS);
	pacing_leave(&p, 10 * MS, 42 * MS, 12, T0 + 3 * SEC, left);
	KUNIT_EXPECT_EQ(test, left[8], T0 + 3 * SEC + 40 * MS);
	KUNIT_EXPECT_EQ(test, left[9], T0 + 3 * SEC + 48 * MS);
	KUNIT_EXPECT_EQ(test, left[11], T0 + 3 * SEC + 68 * MS);
	/* 5 ms are unused, and used; 5 more, of which a packet after 8 ms uses 2 */
	pacing_leave(&p, 10 * MS, R, 2, T0 + 3 * SEC + 83 * MS, left);
	KUNIT_EXPECT_EQ(test, left[1], T0 + 3 * SEC + 88 * MS);
	pacing_leave(&p, 10 * MS, R, 1, T0 + 3 * SEC + 103 * MS, left);
	pacing_leave(&p, 10 * MS, R, 2, T0 + 3 * SEC + 111 * MS, left);
	KUNIT_EXPECT_EQ(test, left[0], T0 + 3 * SEC + 111 * MS);
	KUNIT_EXPECT_EQ(test, left[1], T0 + 3 * SEC + 118 * MS);

	/* four packets together are due within three halves */
	pacing_leave(&p, 400 * US, R, 1, T0 + 4 * SEC, left);
	KUNIT_EXPECT_EQ(test, tfrc_pacing_late(&p, 400 * US, 750 * US, 5), 600 * US);

	/* a timeout ends what was saved, and the pause; the next one counts again */
	pacing_leave(&p, 10 * MS, R, 1, T0 + 4500 * MS, left);
	tfrc_pacing_rest(&p);
	pacing_leave(&p, 10 * MS, R, 2, T0 + 4600 * MS, left);
	KUNIT_EXPECT_EQ(test, left[1], T0 + 4610 * MS);
	pacing_leave(&p, 10 * MS, R, 2, T0 + 4630 * MS, left);
	KUNIT_EXPECT_EQ(test, left[1], T0 + 4635 * MS);

	/* what was saved is lost when nothing is to be saved */
	tfrc_pacing_set_saves(&p, false);
	pacing_leave(&p, 10 * MS, R, 2, T0 + 5 * SEC, left);
	KUNIT_EXPECT_EQ(test, left[1], T0 + 5 * SEC + 10 * MS);
	pacing_leave(&p, 10 * MS, R, 2, T0 + 6 * SEC, left);
	KUNIT_EXPECT_EQ(test, left[1], T0 + 6 * SEC + 10 * MS);

	/* a rate that is so low that half a packet takes longer than what can be saved */
	tfrc_pacing_set_saves(&p, true);
	pacing_leave(&p, 64 * SEC, R, 2, T0 + 1000 * SEC, left);
	KUNIT_EXPECT_EQ(test, left[1], T0 + 1064 * SEC - 100 * MS);
}

/* Ahead of time by 5 us, or by half an interval, but on average on time. */
static void pacing_test_early(struct kunit *test)
{
	struct tfrc_pacing p = { };

	pacing_run(&p, MS, R, 1, T0);
	KUNIT_EXPECT_FALSE(test, tfrc_pacing_ready(&p, MS,
						   T0 + MS - EARLY - 1));
	KUNIT_EXPECT_TRUE(test, tfrc_pacing_ready(&p, MS, T0 + MS - EARLY));
	KUNIT_EXPECT_FALSE(test, tfrc_pacing_ready(&p, 1000, T0 + 499));
	KUNIT_EXPECT_TRUE(test, tfrc_pacing_ready(&p, 1000, T0 + 500));
	tfrc_pacing_release(&p, MS, R, false, T0 + MS - EARLY);
	KUNIT_EXPECT_EQ(test, p.t_last, T0 + MS);
}

/* A change of rate moves the packet that waits; it is not late for that. */
static void pacing_test_change(struct kunit *test)
{
	struct tfrc_pacing p = { };

	pacing_run(&p, SEC, R, 10, T0);
	KUNIT_EXPECT_EQ(test, p.due, T0 + SEC);
	KUNIT_EXPECT_EQ(test, tfrc_pacing_changed(&p, 2 * SEC, T0 + 1), T0 + 2 * SEC);
	/* 500 ms are over: at 1 ms a packet, one goes now, and one a ms from then on */
	KUNIT_EXPECT_EQ(test, tfrc_pacing_changed(&p, MS, T0 + 500 * MS),
			T0 + 500 * MS);
	KUNIT_EXPECT_EQ(test, pacing_run(&p, MS, R, 9, T0 + 500 * MS), 1);
	KUNIT_EXPECT_EQ(test, p.due, T0 + 501 * MS);
	/* one that is late anyway stays so */
	KUNIT_EXPECT_EQ(test, tfrc_pacing_changed(&p, 2 * MS, T0 + 504 * MS),
			T0 + 502 * MS);
	KUNIT_EXPECT_EQ(test, pacing_run(&p, 2 * MS, R, 8, T0 + 504 * MS), 2);
}

/*
 * With random timers and applications: in any time at most so much is sent as the rate
 * allows, plus what is made up for, what was saved, what is sent early, and one packet;
 * and at most so much as twice the rate allows, plus what is made up for.
 */
static void pacing_test_random(struct kunit *test)
{
	u64 state = 1, i;

	for (i = 0; i < 600; i++) {
		const u64 interval = 1000ULL << i % 17, rtt = 10 * US << i / 17 % 20;
		u64 now = T0, n = 0, credit = min(rtt, 10 * MS);
		const u64 saved = i & 1 ? min(rtt, 100 * MS) : 0;
		s64 least = S64_MAX, least_twice = S64_MAX;
		struct tfrc_pacing p = { .saves = i & 1 };
		u32 step, sent;

		for (step = 0; step < 500; step++) {
			u64 random = (state = state * 6364136223846793005ULL + 1) >> 20;

			now += random % (4 * interval);
			if (random >> 32 & 1)
				now += random % (2 * credit);
			sent = pacing_run(&p, interval, rtt,
					  (random >> 34 & 3) + (random >> 36 & 1) * 1000,
					  now);
			if (!sent)
				continue;
			/* of those that go at once the first began the least */
			least = min(least, (s64)(n * interval) - (s64)(now - T0));
			n += sent;
			KUNIT_ASSERT_LE_MSG(test, (s64)((n - 1) * interval) -
					    (s64)(now - T0) - least,
					    (s64)(credit + saved + EARLY),
					    "interval %llu, R %llu", interval, rtt);
			least_twice = min(least_twice, (s64)((n - sent) * interval / 2) -
					  (s64)(now - T0));
			KUNIT_ASSERT_LE_MSG(test, (s64)((n - 1) * interval / 2) -
					    (s64)(now - T0) - least_twice,
					    (s64)(credit + EARLY),
					    "interval %llu, R %llu, twice", interval, rtt);
		}
	}
}

/*
 * A queue, an exact timer, and packets that come at @at[i]. The times at which they
 * leave are written to @left, and whether the rate held them back.
 */
static void pacing_frames(struct tfrc_pacing *p, u64 interval, const u64 *at,
			  u32 n, u64 *left, bool *limited)
{
	u32 in = 0, out = 0;
	u64 now;

	while (out < n) {
		now = out < in ? p->due : at[in];
		if (in < n && at[in] <= now)
			now = at[in++];
		while (out < in) {
			tfrc_pacing_queued(p, in - out + 1, interval, now);
			if (!tfrc_pacing_ready(p, interval, now))
				break;
			left[out] = now;
			limited[out] = tfrc_pacing_release(p, interval, R,
							   in - out > 1, now);
			tfrc_pacing_queued(p, in - out, interval, now);
			out++;
		}
	}
}

/* 30 frames/s, so T/1.2 = 27,777,777 ns, which is 6 times 4,629,629 */
#define FRAME	(SEC / 30)
#define SPREAD	27777777ULL
#define SLOT	4629629ULL

static void pacing_test_frames(struct kunit *test)
{
	struct tfrc_pacing p = { };
	u64 at[18], left[18];
	bool limited[18];
	u32 i;

	/* six packets at once: the first one at once, and 1.2 times their rate */
	tfrc_pacing_set_frames(&p, 30);
	for (i = 0; i < 18; i++)
		at[i] = T0 + i / 6 * FRAME;
	pacing_frames(&p, 100 * US, at, 18, left, limited);
	for (i = 0; i < 18; i++) {
		KUNIT_EXPECT_EQ_MSG(test, left[i], at[i] + i % 6 * SLOT, "%u", i);
		/* X was not what held them back */
		KUNIT_EXPECT_FALSE(test, limited[i]);
	}

	/* a packet for each frame goes at once, half a frame early, too */
	memset(&p, 0, sizeof(p));
	tfrc_pacing_set_frames(&p, 30);
	for (i = 0; i < 18; i++)
		at[i] = T0 + i * FRAME - i % 2 * FRAME / 2;
	pacing_frames(&p, 100 * US, at, 18, left, limited);
	for (i = 0; i < 18; i++)
		KUNIT_EXPECT_EQ(test, left[i], at[i]);

	/* X_inst is slower: 8 ms for each packet, and X holds them back */
	memset(&p, 0, sizeof(p));
	tfrc_pacing_set_frames(&p, 30);
	for (i = 0; i < 18; i++)
		at[i] = T0 + i / 6 * FRAME;
	pacing_frames(&p, 8 * MS, at, 18, left, limited);
	for (i = 0; i < 18; i++) {
		KUNIT_EXPECT_EQ(test, left[i], T0 + i * 8 * MS);
		KUNIT_EXPECT_EQ(test, limited[i], i > 0);
	}

	/* without frames: 100 us */
	tfrc_pacing_set_frames(&p, 0);
	pacing_frames(&p, 100 * US, at, 6, left, limited);
	KUNIT_EXPECT_EQ(test, left[5] - left[1], 400 * US);
	KUNIT_EXPECT_TRUE(test, limited[5]);
}

/* A frame of 30 packets, and one of 6: each has its own rate. */
static void pacing_test_lengths(struct kunit *test)
{
	struct tfrc_pacing p = { };
	u64 at[36], left[36];
	bool limited[36];
	u32 i;

	tfrc_pacing_set_frames(&p, 30);
	for (i = 0; i < 36; i++)
		at[i] = i < 30 ? T0 : T0 + FRAME;
	pacing_frames(&p, 10 * US, at, 36, left, limited);
	for (i = 0; i < 36; i++)
		KUNIT_EXPECT_EQ(test, left[i], i < 30 ? T0 + i * (SPREAD / 30) :
				T0 + FRAME + (i - 30) * SLOT);
}

/* A frame of 30 packets, and the next one, of 6, comes when half of it is sent. */
static void pacing_test_early_frame(struct kunit *test)
{
	struct tfrc_pacing p = { };
	u64 at[36], left[36];
	bool limited[36];
	u32 i;

	tfrc_pacing_set_frames(&p, 30);
	for (i = 0; i < 36; i++)
		at[i] = i < 30 ? T0 : T0 + SPREAD / 2;
	pacing_frames(&p, 10 * US, at, 36, left, limited);
	/* 16 have left by then. 36 have come, so from then on they are closer. */
	for (i = 0; i < 36; i++)
		KUNIT_EXPECT_EQ(test, left[i], T0 + min(i, 15U) * (SPREAD / 30) +
				(i - min(i, 15U)) * (SPREAD / 36));
}

/*
 * A frame of six packets, of which the queue takes two: the others come right after one
 * has left. Three have come when the first one leaves, then one more each time.
 */
static void pacing_test_short_queue(struct kunit *test)
{
	static const u32 come[] = { 3, 4, 5, 6, 6 };
	struct tfrc_pacing p = { };
	u64 at[6], left[6], leaves = T0;
	bool limited[6];
	u32 i;

	tfrc_pacing_set_frames(&p, 30);
	for (i = 0; i < 3; i++) {
		at[i] = T0;
		leaves += SPREAD / come[i];
		at[i + 3] = leaves + 1;
	}
	pacing_frames(&p, 10 * US, at, 6, left, limited);
	leaves = T0;
	for (i = 0; i < 6; i++) {
		KUNIT_EXPECT_EQ_MSG(test, left[i], leaves, "%u", i);
		leaves += i < 5 ? SPREAD / come[i] : 0;
	}
	KUNIT_EXPECT_LT(test, left[5], T0 + FRAME);
}

/*
 * Whatever comes and when: a packet leaves within T/1.2 if the rate allows it. And none
 * leaves earlier than the rate allows.
 */
static void pacing_test_frames_random(struct kunit *test)
{
	static u64 at[200], left[200];
	static bool limited[200];
	u64 state = 1;
	u32 i, run;

	for (run = 0; run < 200; run++) {
		const u64 interval = 100 * US << run % 6;
		struct tfrc_pacing p = { };
		u64 now = T0, backlog = 0;

		tfrc_pacing_set_frames(&p, 30);
		for (i = 0; i < 200; i++) {
			state = state * 6364136223846793005ULL + 1;
			if (!(state >> 40 & 3))
				now += (state >> 20) % (FRAME * (1 + run % 3));
			at[i] = now;
		}
		pacing_frames(&p, interval, at, 200, left, limited);
		for (i = 0; i < 200; i++) {
			/* when the rate alone would have sent it */
			backlog = max(at[i], i ? backlog + interval : 0);
			KUNIT_ASSERT_LE_MSG(test, left[i], backlog + SPREAD,
					    "run %u, packet %u", run, i);
			if (i)
				KUNIT_ASSERT_GE(test, left[i] + EARLY,
						left[i - 1] + interval);
		}
	}
}

static void pacing_test_frame_range(struct kunit *test)
{
	u32 i;

	for (i = 0; i < 0x10000; i++)
		KUNIT_EXPECT_EQ(test, tfrc_frame_rate_valid(i), i <= 1000);
}

static struct kunit_case pacing_cases[] = {
	KUNIT_CASE(pacing_test_late),
	KUNIT_CASE(pacing_test_bound),
	KUNIT_CASE(pacing_test_batch),
	KUNIT_CASE(pacing_test_nominal),
	KUNIT_CASE(pacing_test_idle),
	KUNIT_CASE(pacing_test_saved),
	KUNIT_CASE(pacing_test_early),
	KUNIT_CASE(pacing_test_change),
	KUNIT_CASE(pacing_test_random),
	KUNIT_CASE(pacing_test_frames),
	KUNIT_CASE(pacing_test_lengths),
	KUNIT_CASE(pacing_test_early_frame),
	KUNIT_CASE(pacing_test_short_queue),
	KUNIT_CASE(pacing_test_frames_random),
	KUNIT_CASE(pacing_test_frame_range),
	{ }
};

struct kunit_suite tfrc_pacing_suite = {
	.name = "tfrc_pacing",
	.test_cases = pacing_cases,
};
