// SPDX-License-Identifier: GPL-2.0-only
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>

#include "client.h"
#include "log.h"
#include "options.h"
#include "parallel.h"
#include "report.h"
#include "server.h"
#include "wait.h"

static void on_signal(int sig)
{
	if (sig != SIGCHLD)
		stopping = 1;
}

int main(int argc, char **argv)
{
	static struct options o;
	struct sigaction sa = { .sa_handler = on_signal };
	sigset_t set;
	int status;

	options_parse(&o, argc, argv);
	log_open(o.logfile, o.file && !strcmp(o.file, "-"), o.json);
	report_init(&o);

	/* Signals are delivered only while waiting, see wait_fds(). */
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGCHLD, &sa, NULL);
	signal(SIGPIPE, SIG_IGN);

	/* By default a timer may be 50 us late, which would be measured as jitter. */
	prctl(PR_SET_TIMERSLACK, 1UL, 0, 0, 0);

	if (o.server)
		status = server_run(&o);
	else
		status = o.test.flows > 1 ? parallel_run(&o) : client_run(&o);
	return status | log_close();
}
