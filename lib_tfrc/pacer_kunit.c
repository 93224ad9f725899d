// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the pacer's timer: it is armed and stopped while its handler runs, when it
 * cannot be cancelled. With two processors anybody who has the lock of the socket does
 * this; here the CCID does, which the handler calls.
 */
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/skbuff.h>
#include <net/tfrc_ccid.h>
#include "kunit.h"

#define MS	TFRC_NSEC_PER_MSEC

struct pacer_case {
	struct dccp_sock	dp;
	struct ccid_operations	ops;
	struct tfrc_pacer	pacer;
	unsigned int		handled;
	u64			again;		/* time of the next packet, from now on */
	bool			stop;
	struct ccid		ccid;
};

static struct sock *pacer_sk(struct pacer_case *c)
{
	return &c->dp.dccps_inet_connection.icsk_inet.sk;
}

static int pacer_send_packet(struct sock *sk, struct sk_buff *skb)
{
	struct pacer_case *c = container_of(dccp_sk(sk), struct pacer_case, dp);

	if (!c->handled++) {
		tfrc_pacer_wait(&c->pacer, ktime_get_ns() + 2 * c->again);
		tfrc_pacer_wait(&c->pacer, ktime_get_ns() + c->again);
		if (c->stop)
			tfrc_pacer_stop(&c->pacer);
	}
	return CCID_PACKET_WILL_DEQUEUE_LATER;
}

/* The handler has run once, and has called pacer_send_packet(). */
static struct pacer_case *pacer_run(struct kunit *test, u64 again, bool stop)
{
	struct pacer_case *c = kunit_kzalloc(test, sizeof(*c), GFP_KERNEL);
	struct sock *sk;
	struct sk_buff *skb;

	KUNIT_ASSERT_NOT_NULL(test, c);
	sk = pacer_sk(c);
	skb = alloc_skb(1, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, skb);
	spin_lock_init(&sk->sk_lock.slock);
	refcount_set(&sk->sk_refcnt, 1);
	sk->sk_state = DCCP_OPEN;
	skb_queue_head_init(&sk->sk_write_queue);
	__skb_queue_tail(&sk->sk_write_queue, skb);
	c->ops.ccid_hc_tx_send_packet = pacer_send_packet;
	c->ccid.ccid_ops = &c->ops;
	c->dp.dccps_hc_tx_ccid = &c->ccid;
	c->again = again;
	c->stop = stop;

	tfrc_pacer_init(&c->pacer, sk);
	tfrc_pacer_wait(&c->pacer, ktime_get_ns() + MS);
	for (int i = 0; i < 100 && !READ_ONCE(c->handled); i++)
		msleep(20);
	KUNIT_EXPECT_EQ(test, c->handled, 1);
	return c;
}

static void pacer_end(struct kunit *test, struct pacer_case *c)
{
	if (!c->stop)
		tfrc_pacer_stop(&c->pacer);
	tfrc_pacer_free(&c->pacer);
	KUNIT_EXPECT_FALSE(test, hrtimer_active(&c->pacer.timer));
	KUNIT_EXPECT_EQ(test, refcount_read(&pacer_sk(c)->sk_refcnt), 1);
	__skb_queue_purge(&pacer_sk(c)->sk_write_queue);
}

/* The last time that was set counts, and no reference to the socket is left. */
static void pacer_test_armed_twice(struct kunit *test)
{
	struct pacer_case *c = pacer_run(test, TFRC_NSEC_PER_SEC, false);

	msleep(1500);
	KUNIT_EXPECT_EQ(test, c->handled, 2);
	pacer_end(test, c);
}

/* Nothing is released after that, though the timer could not be cancelled. */
static void pacer_test_stopped(struct kunit *test)
{
	struct pacer_case *c = pacer_run(test, TFRC_NSEC_PER_SEC, true);

	msleep(1500);
	KUNIT_EXPECT_EQ(test, c->handled, 1);
	pacer_end(test, c);
}

/* Memory that is freed before the time has come has no armed timer. */
static void pacer_test_freed(struct kunit *test)
{
	pacer_end(test, pacer_run(test, 3600 * TFRC_NSEC_PER_SEC, true));
}

static struct kunit_case pacer_cases[] = {
	KUNIT_CASE(pacer_test_armed_twice),
	KUNIT_CASE(pacer_test_stopped),
	KUNIT_CASE(pacer_test_freed),
	{ }
};

struct kunit_suite tfrc_pacer_suite = {
	.name = "tfrc_pacer",
	.test_cases = pacer_cases,
};
