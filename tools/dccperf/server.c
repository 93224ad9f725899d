// SPDX-License-Identifier: GPL-2.0-only
/*
 * The server: one process that listens, and one for each test. A DCCP
 * connection belongs to the control connection that comes from the same
 * address and has announced its source port.
 */
#include <errno.h>
#include <math.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <linux/dccp.h>

#include "limits.h"
#include "log.h"
#include "packet.h"
#include "run.h"
#include "schemes.h"
#include "server.h"
#include "video.h"
#include "wait.h"

#define MAX_PENDING	(2 * MAX_FLOWS)
#ifndef MAX_TESTS
#define MAX_TESTS	1024			/* at the same time */
#endif

struct pending {
	struct flow	*s;
	u64	since;			/* in this state */
	bool		ready;		/* the parameters have come, the DCCP connection may come */
};

struct child {
	pid_t	pid;			/* 0: this place is free */
	bool	told;			/* to end: it gives way */
};

static const struct options *opts;
static struct pending pending[MAX_PENDING];
static struct child children[2 * MAX_TESTS];	/* those that were told end within STOP_TIME */
static u64 *busy;			/* of each, shared with it: see struct flow */
static unsigned int n_pending, n_children, n_done, n_failed;
static unsigned int n_flows = 1;	/* of the client, for -1 */
static u64 t_last;			/* when the last test ended */
static int last_status;
static char absent[160];	/* the error of the first address that is not of this host */

/*
 * False: the address is not of this host, but another one of the name may be. With any other
 * error, such as a port that is in use, clients would reach somebody else at this address.
 */
static bool bind_listen(int fd, const struct addrinfo *ai, const char *what)
{
	int on = 1, off = 0, err;
	char text[sizeof(absent)];

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (ai->ai_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY,
			   opts->family == AF_INET6 ? &on : &off, sizeof(on));
	if (bind(fd, ai->ai_addr, ai->ai_addrlen)) {
		err = errno;
		snprintf(text, sizeof(text), "cannot bind %s to port %s: %s", what, opts->port,
			 strerror(err));
		if (err != EADDRNOTAVAIL)
			die("%s", text);
		if (!*absent)
			memcpy(absent, text, sizeof(absent));
		return false;
	}
	if (listen(fd, MAX_PENDING)) {
		if (errno == EPROTO)
			die("%s: the features asked for contradict each other: check -C, and net.dccp.default",
			    what);
		die("%s: cannot listen on port %s: %s", what, opts->port,
		    strerror(errno));
	}
	return true;
}

/* Open both listeners at an address. False: as above, or there is no such family here. */
static bool listen_at(const struct options *o, const struct addrinfo *ai, int *tcp, int *dccp)
{
	*tcp = socket(ai->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (*tcp < 0) {
		if (errno != EAFNOSUPPORT && errno != ESOCKTNOSUPPORT && errno != EPROTONOSUPPORT)
			die("cannot open a TCP socket: %s", strerror(errno));
		return false;
	}
	*dccp = dccp_open(ai->ai_family, o->family == AF_INET6, &o->tx, &o->rx);
	if (*dccp >= 0) {
		if (o->udp)
			dccp_udp_port(o->udp);
		dccp_set_test(*dccp, &o->test, true);
		dccp_set_test(*dccp, &o->test, false);
		if (bind_listen(*tcp, ai, "the control socket (TCP)") &&
		    bind_listen(*dccp, ai, "the DCCP socket"))
			return true;
		close(*dccp);
	}
	close(*tcp);
	return false;
}

/* Open both listeners. IPv6 sockets accept IPv4, too, unless -4 or -6 is given. */
static void server_listen(const struct options *o, int *tcp, int *dccp)
{
	struct addrinfo hints = {
		.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE,
	};
	struct addrinfo *list, *ai;
	int err, family;

	hints.ai_family = o->family ? o->family : o->bind ? AF_UNSPEC : AF_INET6;
	for (;;) {
		err = getaddrinfo(o->bind, o->port, &hints, &list);
		if (err)
			die("cannot bind to %s port %s: %s",
			    o->bind ? o->bind : "any address", o->port,
			    gai_strerror(err));
		for (ai = list; ai && !listen_at(o, ai, tcp, dccp); ai = ai->ai_next)
			;
		family = list->ai_family;
		freeaddrinfo(list);
		if (ai)
			return;
		if (*absent)
			die("%s", absent);
		if (o->family || o->bind || hints.ai_family == AF_INET)
			die("IPv%d is not available on this host%s", family == AF_INET ? 4 : 6,
			    family == AF_INET6 ? ", or DCCP is not: as root, modprobe dccp_ipv6" :
			    "");
		hints.ai_family = AF_INET;
	}
}

static void pending_drop(unsigned int i)
{
	close(pending[i].s->ctrl.fd);
	free(pending[i].s);
	pending[i] = pending[--n_pending];
}

static void pending_error(unsigned int i, const char *text)
{
	struct peer_error e;

	snprintf(e.error, sizeof(e.error), "%s", text);
	ctrl_send(&pending[i].s->ctrl, "error", error_fields, &e);
	pending_drop(i);
}

/*
 * Who has done nothing for the longest time gives way to the next, whatever it has announced:
 * to announce a test costs a client nothing, and one that means it connects at once.
 */
static void make_room(void)
{
	unsigned int i, oldest = 0;

	if (n_pending < MAX_PENDING)
		return;
	for (i = 1; i < n_pending; i++)
		if (pending[i].since < pending[oldest].since)
			oldest = i;
	pending_error(oldest, "the server has too many control connections");
}

static void accept_control(int tcp)
{
	struct sockaddr_storage ss;
	socklen_t len = sizeof(ss);
	struct flow *s;
	int fd = accept4(tcp, (struct sockaddr *)&ss, &len, SOCK_CLOEXEC);

	if (fd < 0) {
		/* No more descriptors: other tests will end and free some. */
		if (errno != EAGAIN && errno != ECONNABORTED && errno != EINTR)
			sleep_ns(100 * NSEC_PER_MSEC);
		return;
	}
	make_room();
	s = calloc(1, sizeof(*s));
	if (!s) {
		close(fd);
		return;
	}
	s->o = opts;
	s->ctrl.fd = fd;
	s->peer = ss;
	ctrl_setup(fd);
	pending[n_pending++] = (struct pending){
		.s = s, .since = now_ns(),
	};
}

/* Parse and check the parameters of the client. Returns an error message, or NULL. */
static const char *read_test(struct flow *s, char *body)
{
	struct test *t = &s->test;
	u32 rate[MAX_LAYERS];
	const char *err;

	fields_init(test_fields, t);
	scheme_unset(t);
	t->qlen = UNSET;
	err = fields_parse(test_fields, t, body);
	if (err)
		return err;
	/* These comparisons are false for NAN, which stands for a missing value. */
	if (!(t->time >= 0 && t->omit >= 0 && t->cov > 0 && t->late >= 0 &&
	      t->deadline >= 0))
		return "incomplete parameters: is the client of another version?";
	if (t->len && t->len <= HEADER_LEN)
		return "packets must be longer than the header of 32 bytes";
	if (t->source == SOURCE_CBR && !t->rate)
		return "a constant bit rate needs a rate";
	/* The client is older. */
	if (!t->flows)
		t->flows = 1;
	if (isnan(t->gap))
		t->gap = DEFAULT_GAP;
	s->sending = t->reverse;
	if (t->source == SOURCE_VIDEO &&
	    (s->sending || layers_parse(t->layers, rate) < 1))
		return "a video in layers goes from the client, and needs their rates";
	if (s->sending && t->source == SOURCE_FILE && !opts->serve)
		return "this server has no file to send: run dccperf -s --serve FILE";
	return NULL;
}

static void pending_input(unsigned int i)
{
	struct flow *s = pending[i].s;
	struct peer_error e = { "" };
	char *verb, *body, text[64];
	const char *err;
	int ret = ctrl_read(&s->ctrl, &verb, &body);

	if (ret == 0)
		return;
	if (ret < 0) {
		pending_drop(i);
		return;
	}
	if (pending[i].ready || strcmp(verb, "test")) {
		/* The client gave up, and states the reason. */
		fields_parse(error_fields, &e, body);
		if (*e.error)
			complain("the client at %s says: %s",
				 addr_text(&s->peer, text, sizeof(text)), e.error);
		n_failed += pending[i].ready;
		last_status = 1;
		pending_drop(i);
		return;
	}
	err = read_test(s, body);
	if (err) {
		pending_error(i, err);
		return;
	}
	pending[i].ready = true;
	pending[i].since = now_ns();
	if (ctrl_send(&s->ctrl, "ready", NULL, NULL))
		pending_drop(i);
}

/* One test, in a process of its own */
static int child(struct flow *s)
{
	struct ccids mine;
	const char *err;
	unsigned int i;

	signal(SIGINT, SIG_IGN);	/* the listening process sends SIGTERM */
	for (i = 0; i < n_pending; i++)
		if (pending[i].s != s)
			close(pending[i].s->ctrl.fd);
	ctrl_on_die(&s->ctrl);
	flow_negotiated(s);
	dccp_set_test(s->fd, &s->test, s->sending);
	mine.tx_ccid = s->tx_ccid;
	mine.rx_ccid = s->rx_ccid;
	s->peer_tx_ccid = s->rx_ccid;
	s->peer_rx_ccid = s->tx_ccid;
	err = ctrl_send(&s->ctrl, "start", ccids_fields, &mine);
	if (err)
		die("cannot start the test: %s", err);
	return flow_run(s);
}

/*
 * A place for a test. When MAX_TESTS are under way, the one whose client has been silent for the
 * longest time gives way, if that was PAUSE_TIME at least. NULL: there is none.
 */
static struct child *place(void)
{
	struct child *c, *unused = NULL, *oldest = NULL;
	unsigned int n = 0;

	for (c = children; c < children + ARRAY_SIZE(children); c++) {
		if (!c->pid)
			unused = c;
		if (!c->pid || c->told)
			continue;
		n++;
		if (!oldest || busy[c - children] < busy[oldest - children])
			oldest = c;
	}
	if (n < MAX_TESTS || !unused)
		return unused;
	if (busy[oldest - children] + PAUSE_TIME > now_ns())
		return NULL;
	note("a test gives way to the next one: its client has been silent for the longest time");
	oldest->told = true;
	kill(oldest->pid, SIGTERM);
	return unused;
}

static void accept_dccp(int tcp, int dccp)
{
	struct sockaddr_storage ss;
	socklen_t len = sizeof(ss);
	int fd = accept4(dccp, (struct sockaddr *)&ss, &len, SOCK_CLOEXEC);
	struct child *c;
	struct flow *s;
	unsigned int i;
	int status;
	pid_t pid;

	if (fd < 0) {
		if (errno != EAGAIN && errno != ECONNABORTED && errno != EINTR)
			sleep_ns(100 * NSEC_PER_MSEC);
		return;
	}
	for (i = 0; i < n_pending; i++) {
		s = pending[i].s;
		if (pending[i].ready && s->test.port == addr_port(&ss) &&
		    addr_same_host(&s->peer, &ss))
			break;
	}
	if (i == n_pending) {
		close(fd);		/* no client has announced this port */
		return;
	}
	if (s->test.flows > n_flows)
		n_flows = s->test.flows;
	c = place();
	if (c) {
		s->busy = &busy[c - children];
		*s->busy = now_ns();
	}
	pid = c ? fork() : -1;
	if (pid == 0) {
		close(tcp);
		close(dccp);
		s->fd = fd;
		status = child(s);
		exit(status | log_close());
	}
	close(fd);
	if (pid < 0) {
		pending_error(i, "the server has too many tests under way");
		return;
	}
	*c = (struct child){ .pid = pid };
	n_children++;
	pending_drop(i);
}

static void reap(void)
{
	unsigned int i;
	int status;
	pid_t pid;

	while (n_children && (pid = waitpid(-1, &status, WNOHANG)) > 0) {
		for (i = 0; i < ARRAY_SIZE(children) && children[i].pid != pid; i++)
			;
		if (i == ARRAY_SIZE(children))
			continue;
		children[i].pid = 0;
		n_children--;
		last_status = !WIFEXITED(status) || WEXITSTATUS(status);
		t_last = now_ns();
		n_done += !last_status;
		n_failed += last_status;
	}
}

static void kill_children(int sig)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(children); i++)
		if (children[i].pid)
			kill(children[i].pid, sig);
}

/* The processes of tests get the signal, too, and report what they have. */
static void stop_children(void)
{
	u64 until = now_ns() + STOP_TIME;

	kill_children(SIGTERM);
	while (n_children) {
		wait_fds(NULL, 0, now_ns() + NSEC_PER_SEC);
		reap();
		if (now_ns() >= until)
			kill_children(SIGKILL);
	}
}

static void expire(u64 now, u64 *until)
{
	unsigned int i;

	for (i = n_pending; i-- > 0;) {
		u64 end = pending[i].since +
			  (pending[i].ready ? PENDING_TIME : SILENT_TIME);

		if (end <= now)
			pending_error(i, pending[i].ready ?
				"the DCCP handshake did not arrive: is DCCP (protocol 33) filtered or, with --udp, the server's UDP port?" :
				"no parameters came: is this dccperf?");
		else if (end < *until)
			*until = end;
	}
}

/*
 * One test, or all flows of a client, or what came of them. A client says how many flows
 * it has, but need not start them: then it is over at @until.
 */
static bool one_off_over(u64 *until)
{
	if (n_children)
		return false;
	if (n_done + n_failed >= n_flows || (n_failed && !n_pending))
		return true;
	if (!n_done || n_pending)
		return false;
	*until = t_last + PENDING_TIME;
	return *until <= now_ns();
}

/* From the terminal, and from its process group. Standard input and output are gone. */
static void become_daemon(void)
{
	log_file();
	if (daemon(1, 0))
		die("cannot run in the background: %s", strerror(errno));
}

static FILE *open_pid(const char *path)
{
	FILE *f = path ? fopen(path, "we") : NULL;

	if (path && !f)
		die("cannot write the process id to %s: %s", path, strerror(errno));
	return f;
}

static void write_pid(FILE *f, const char *path)
{
	if (f && (fprintf(f, "%d\n", (int)getpid()) < 0 || fclose(f)))
		die("cannot write the process id to %s: %s", path, strerror(errno));
}

int server_run(const struct options *o)
{
	struct pollfd p[2 + MAX_PENDING];
	unsigned int i, n;
	int tcp, dccp;
	FILE *pid;

	opts = o;
	busy = mmap(NULL, ARRAY_SIZE(children) * sizeof(*busy), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (busy == MAP_FAILED)
		die("no memory for the tests: %s", strerror(errno));
	server_listen(o, &tcp, &dccp);
	note("dccperf %s: listening on port %s", DCCPERF_VERSION, o->port);
	pid = open_pid(o->pidfile);	/* while there is somebody to hear of an error */
	if (o->daemon)
		become_daemon();
	write_pid(pid, o->pidfile);

	while (!stopping) {
		u64 until = UINT64_MAX;
		bool full = o->one_off && n_children + n_done + n_failed >= n_flows;

		reap();
		if (o->one_off && one_off_over(&until))
			break;
		expire(now_ns(), &until);
		n = n_pending;
		p[0] = (struct pollfd){ .fd = full ? -1 : tcp,
					.events = POLLIN };
		p[1] = (struct pollfd){ .fd = dccp, .events = POLLIN };
		for (i = 0; i < n; i++)
			p[2 + i] = (struct pollfd){
				.fd = pending[i].s->ctrl.fd, .events = POLLIN,
			};
		if (wait_fds(p, 2 + n, until) <= 0)
			continue;
		/* From the end, because a dropped entry is replaced by the last one. */
		for (i = n; i-- > 0;)
			if (p[2 + i].revents)
				pending_input(i);
		if (p[0].revents)
			accept_control(tcp);
		if (p[1].revents)
			accept_dccp(tcp, dccp);
	}
	close(tcp);
	close(dccp);
	stop_children();
	note("%u tests done, %u failed", n_done, n_failed);
	if (o->pidfile)
		unlink(o->pidfile);
	return o->one_off && (last_status || n_done < n_flows);
}
