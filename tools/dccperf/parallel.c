// SPDX-License-Identifier: GPL-2.0-only
/*
 * Several flows of a client at the same time. Each is a test of its own, in a process of its own.
 * The others start when the first is connected, so what is wrong with all of them is said once.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client.h"
#include "log.h"
#include "parallel.h"
#include "part.h"
#include "report.h"
#include "wait.h"

struct child {
	pid_t		pid;
	int		fd;		/* its reports; -1: it has ended */
	char		*json;
	struct part	end;
	bool		has_end;
	unsigned int	last;		/* number of the last interval that it has reported */
};

static const struct options *opts;
static struct child children[MAX_FLOWS];
static struct sum *sums;		/* of each interval */
static unsigned int n_children, n_sums;
static unsigned int n_reported;		/* intervals whose sum was reported, or is in a later one */
static bool stopped;			/* a signal came: no more flows */

static void start(void)
{
	struct child *c = &children[n_children++];
	unsigned int i;
	int fds[2], status;

	fflush(NULL);
	if (pipe2(fds, O_CLOEXEC))
		die("cannot start flow %u: %s", n_children, strerror(errno));
	c->pid = fork();
	if (c->pid < 0)
		die("cannot start flow %u: %s", n_children, strerror(errno));
	if (!c->pid) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		signal(SIGINT, SIG_IGN);	/* the parent sends SIGTERM */
		close(fds[0]);
		for (i = 0; i + 1 < n_children; i++)
			if (children[i].fd >= 0)
				close(children[i].fd);
		part_open(fds[1], n_children);
		status = client_run(opts);
		exit(status | log_close());
	}
	close(fds[1]);
	c->fd = fds[0];
}

/*
 * The sum up to interval @last, which all flows have that had not ended before. A flow that was
 * held up has none of some intervals before it, so those are part of this sum.
 */
static void report_intervals(unsigned int last)
{
	struct sum *s = &sums[last], *t;

	for (t = sums + n_reported; t < s; t++) {
		s->start = t->flows ? fmin(s->start, t->start) : s->start;
		s->bytes += t->bytes;
		s->packets += t->packets;
		s->lost += t->lost;
	}
	if (n_reported < last && s->end > s->start)
		s->bits_per_second = s->bytes * 8 / (s->end - s->start);
	n_reported = last + 1;
	report_sum_interval(s, !opts->test.reverse);
}

/* Report what has become complete: by an interval of a flow, or by the end of one. */
static void report_complete(void)
{
	unsigned int i, k, flows;

	for (i = n_reported; i < n_sums; i++) {
		flows = n_children;
		for (k = 0; k < n_children; k++)
			flows -= children[k].fd < 0 && children[k].last <= i;
		if (sums[i].flows && sums[i].flows == flows)
			report_intervals(i);
	}
}

static void add_interval(struct child *c, const struct part *p)
{
	const struct interval *iv = &p->interval;
	unsigned int i = iv->number - 1;
	struct sum *s;

	if (i >= n_sums) {
		s = realloc(sums, (i + 1) * sizeof(*sums));
		if (!s)
			return;
		sums = s;
		memset(sums + n_sums, 0, (i + 1 - n_sums) * sizeof(*sums));
		n_sums = i + 1;
	}
	s = &sums[i];
	if (!s->flows++) {
		s->start = iv->start;
		s->end = iv->end;
	}
	s->bytes += iv->bytes;
	s->packets += iv->packets;
	s->lost += iv->lost;
	s->bits_per_second += iv->bits_per_second;
	c->last = iv->number;
	report_complete();
}

static void hear(struct child *c)
{
	struct part p;
	char *text;

	if (!part_receive(c->fd, &p, &text)) {
		free(text);
		close(c->fd);
		c->fd = -1;
		report_complete();
		return;
	}
	switch (p.kind) {
	case PART_START:
		while (!stopped && n_children < opts->test.flows)
			start();
		break;
	case PART_INTERVAL:
		add_interval(c, &p);
		break;
	case PART_END:
		c->end = p;
		c->has_end = true;
		break;
	case PART_JSON:
		free(c->json);
		c->json = text;
		return;
	}
	free(text);
}

static void report(void)
{
	struct sum snd = { 0 }, rcv = { 0 };
	double squares = 0;
	char *json[MAX_FLOWS];
	unsigned int i;

	for (i = 0; i < n_children; i++) {
		const struct sender_result *t = &children[i].end.end.snd;
		const struct receiver_result *r = &children[i].end.end.rcv;

		json[i] = children[i].json;
		if (!children[i].has_end)
			continue;
		rcv.flows++;
		snd.flows++;
		snd.end = fmax(snd.end, t->seconds);
		snd.bytes += t->bytes;
		snd.packets += t->packets;
		snd.bits_per_second += isfinite(t->bits_per_second) ? t->bits_per_second : 0;
		rcv.end = fmax(rcv.end, r->seconds);
		rcv.bytes += r->bytes;
		rcv.packets += r->packets;
		rcv.lost += r->lost;
		if (isfinite(r->bits_per_second)) {
			rcv.bits_per_second += r->bits_per_second;
			squares += r->bits_per_second * r->bits_per_second;
		}
	}
	report_sum(&snd, &rcv, squares > 0 ? rcv.bits_per_second * rcv.bits_per_second /
		   (rcv.flows * squares) : NAN, json, n_children);
}

int parallel_run(const struct options *o)
{
	struct pollfd p[MAX_FLOWS];
	unsigned int i, n, open = 1;
	int status, failed = 0;

	opts = o;
	start();
	while (open) {
		for (i = 0, n = n_children; i < n; i++)
			p[i] = (struct pollfd){ .fd = children[i].fd, .events = POLLIN };
		if (wait_fds(p, n, UINT64_MAX) < 0 && stopping) {
			/* Each of them reports what it has. */
			for (i = 0; i < n; i++)
				kill(children[i].pid, SIGTERM);
			stopping = 0;
			stopped = true;
			continue;
		}
		for (i = 0; i < n; i++)
			if (children[i].fd >= 0 && p[i].revents)
				hear(&children[i]);
		for (i = 0, open = 0; i < n_children; i++)
			open += children[i].fd >= 0;
	}
	for (i = 0; i < n_children; i++)
		if (waitpid(children[i].pid, &status, 0) < 0 || !WIFEXITED(status) ||
		    WEXITSTATUS(status))
			failed = 1;
	report();
	return failed;
}
