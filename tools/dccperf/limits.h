/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long a peer may leave a connection in a state that only the peer can end
 *
 * the control connection, its parameters have not come
 *	SILENT_TIME
 * "ready" was sent, the DCCP connection has not come
 *	PENDING_TIME. While the server has all connections that it can hold, the one that
 *	has done nothing for the longest time gives way to the next.
 * data comes from the peer
 *	Until its first packet, FIRST_TIME at a server, which holds so many tests at the same
 *	time and no more. It is long: the source may be a person who speaks, or a FIFO that
 *	somebody is to open. A client waits for as long as its user does.
 *	From its first packet, the time of the test and OVERDUE_TIME. There is no limit in a
 *	test without a time. The peer's host must be there, see ctrl_setup(); so must its end
 *	of the DCCP connection, which SO_KEEPALIVE asks after net.ipv4.tcp_keepalive_time.
 *	When a server has all tests that it can hold, the one in which the peer has sent
 *	nothing for the longest time gives way to the next, after PAUSE_TIME.
 * data goes to the peer
 *	The time of the test, which this end knows, and DRAIN_TIME. Without a time, and when
 *	this end could send nothing for so long, as above.
 * the peer's "end" has come, packets still come
 *	QUIET_TIME after each packet, TAIL_TIME in all
 * "end" or "results" was sent, the answer has not come
 *	RESULTS_TIME
 *
 * The time that this end takes to write a stream to a pipe does not count.
 */
#ifndef DCCPERF_LIMITS_H
#define DCCPERF_LIMITS_H

#include "base.h"

/* The client sends them at once. */
#define SILENT_TIME	(10 * NSEC_PER_SEC)
/* Usually the client gives up earlier, after --connect-timeout, and closes its TCP connection. */
#define PENDING_TIME	(120 * NSEC_PER_SEC)
#define FIRST_TIME	(600 * NSEC_PER_SEC)
#define PAUSE_TIME	(10 * NSEC_PER_SEC)
/* TCP may send "end" again for as long as ctrl_setup() waits for a host. */
#define OVERDUE_TIME	(120 * NSEC_PER_SEC)
#define DRAIN_TIME	(10 * NSEC_PER_SEC)
#define QUIET_TIME	(1 * NSEC_PER_SEC)
#define RESULTS_TIME	(30 * NSEC_PER_SEC)
/* The results must reach the peer while it waits for them. */
#define TAIL_TIME	(RESULTS_TIME - 5 * NSEC_PER_SEC)
/* A test that was told to stop: DRAIN_TIME, then RESULTS_TIME, and what the host takes */
#define STOP_TIME	(60 * NSEC_PER_SEC)

#endif /* DCCPERF_LIMITS_H */
