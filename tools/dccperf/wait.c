// SPDX-License-Identifier: GPL-2.0-only
/* Time, and waiting for it or for descriptors. */
#include <poll.h>
#include <signal.h>
#include <time.h>

#include "wait.h"

volatile int stopping;

u64 now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

void sleep_ns(u64 ns)
{
	struct timespec ts = { ns / NSEC_PER_SEC, ns % NSEC_PER_SEC };

	clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL);
}

/*
 * Signals are delivered only while waiting, see wait_fds(). A call that waits by itself is
 * made between block_signals(false) and block_signals(true): SIGINT, unless it is ignored,
 * and SIGTERM end the program there.
 */
void block_signals(bool block)
{
	static const int ends[] = { SIGINT, SIGTERM };
	static struct sigaction old[2];
	sigset_t set;
	int i;

	sigemptyset(&set);
	for (i = 0; i < 2; i++) {
		struct sigaction sa = { .sa_handler = SIG_DFL };

		sigaddset(&set, ends[i]);
		if (block) {
			sigaction(ends[i], &old[i], NULL);
			continue;
		}
		sigaction(ends[i], NULL, &old[i]);
		if (old[i].sa_handler != SIG_IGN)
			sigaction(ends[i], &sa, NULL);
	}
	sigprocmask(block ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

/*
 * poll() until a time; UINT64_MAX: for ever. The caller has just read the clock, which is
 * a system call where the kernel has no vDSO for it. Signals are delivered only here, so
 * that none comes between the check of "stopping" and the sleep.
 */
int wait_fds_now(void *fds, unsigned int n, u64 now, u64 until)
{
	u64 left = until > now ? until - now : 0;
	struct timespec ts = { left / NSEC_PER_SEC, left % NSEC_PER_SEC };
	sigset_t none;

	sigemptyset(&none);
	return ppoll(fds, n, until == UINT64_MAX ? NULL : &ts, &none);
}

int wait_fds(void *fds, unsigned int n, u64 until)
{
	return wait_fds_now(fds, n, now_ns(), until);
}
