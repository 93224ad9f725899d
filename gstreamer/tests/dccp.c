// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unit tests of dccpsink and dccpsrc. They need DCCP and the modules of the five schemes;
 * selftests/gstreamer.py runs them in a guest. SILENT is an address where nobody answers.
 */
#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <linux/dccp_ccid.h>

#ifndef SOL_DCCP
#define SOL_DCCP	269
#endif

#define SIZE	1000
#define NAMES	{ "marc", "raar", "ltfrc", "dvrc", "ctfaf" }

/* 1 to 2 packets of 1000 bytes in a second: the queue is full at once. */
#define SLOW	"ctfaf,r_min=1000,r_max=2000,step=500,r_start=1000,probes=0"

/* What meson takes for "skipped" */
#define SKIP	77

/*
 * dccpsink's send() comes here, since the program exports it (meson.build). So a test knows
 * the socket, and says what the kernel says seldom: @send_error once, if it is not 0, and that
 * there is no room, @no_room times.
 */
static int send_error, no_room, sending_fd = -1;

ssize_t send(int fd, const void *data, size_t size, int flags)
{
	int error = __atomic_exchange_n(&send_error, 0, __ATOMIC_SEQ_CST);

	__atomic_store_n(&sending_fd, fd, __ATOMIC_SEQ_CST);
	if (!error && __atomic_load_n(&no_room, __ATOMIC_SEQ_CST)) {
		__atomic_sub_fetch(&no_room, 1, __ATOMIC_SEQ_CST);
		error = EAGAIN;
	}
	if (error) {
		errno = error;
		return -1;
	}
	return sendto(fd, data, size, flags, NULL, 0);
}

/*
 * Its recv(), getsockopt() and ppoll(), too: the connection is broken. ppoll() says
 * @broken_events once, and whoever asks first gets @broken_by, as in the kernel. Of a Reset
 * recv() returns 0, and leaves the error.
 */
static int broken_events, broken_by;
static gboolean by_reset;

int getsockopt(int fd, int level, int name, void *value, socklen_t *len)
{
	static int (*real)(int fd, int level, int name, void *value, socklen_t *len);

	if (!real)
		real = dlsym(RTLD_NEXT, "getsockopt");
	if (fd != __atomic_load_n(&sending_fd, __ATOMIC_SEQ_CST) || level != SOL_SOCKET ||
	    name != SO_ERROR || !__atomic_load_n(&broken_by, __ATOMIC_SEQ_CST))
		return real(fd, level, name, value, len);
	*(int *)value = __atomic_exchange_n(&broken_by, 0, __ATOMIC_SEQ_CST);
	return 0;
}

/*
 * There are @flood packets of the peer. @most_in_a_row is how many are read between two calls
 * of poll().
 */
static int flood, in_a_row, most_in_a_row;

ssize_t recv(int fd, void *data, size_t size, int flags)
{
	gboolean ours = fd == __atomic_load_n(&sending_fd, __ATOMIC_SEQ_CST);
	int error;

	if (ours && by_reset)
		return 0;
	error = ours ? __atomic_exchange_n(&broken_by, 0, __ATOMIC_SEQ_CST) : 0;
	if (error) {
		errno = error;
		return -1;
	}
	if (!ours || !__atomic_load_n(&flood, __ATOMIC_SEQ_CST))
		return recvfrom(fd, data, size, flags, NULL, NULL);
	in_a_row++;
	most_in_a_row = MAX(most_in_a_row, in_a_row);
	__atomic_sub_fetch(&flood, 1, __ATOMIC_SEQ_CST);
	return 1;
}

int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *limit, const sigset_t *mask)
{
	static int (*real)(struct pollfd *fds, nfds_t n, const struct timespec *limit,
			   const sigset_t *mask);
	gboolean ours;

	if (!real)
		real = dlsym(RTLD_NEXT, "ppoll");
	ours = fds[0].fd == __atomic_load_n(&sending_fd, __ATOMIC_SEQ_CST);
	fds[0].revents = ours ? __atomic_exchange_n(&broken_events, 0, __ATOMIC_SEQ_CST) : 0;
	if (fds[0].revents)
		return 1;
	if (!ours || !__atomic_load_n(&flood, __ATOMIC_SEQ_CST))
		return real(fds, n, limit, mask);
	in_a_row = 0;
	fds[0].revents = POLLIN;
	return 1;
}

/* The elements' socket(), too: a kernel without DCCP over IPv6 */
static gboolean no_ipv6;

int socket(int family, int type, int protocol)
{
	static int (*real)(int family, int type, int protocol);

	if (family == AF_INET6 && no_ipv6) {
		errno = EAFNOSUPPORT;
		return -1;
	}
	if (!real)
		real = dlsym(RTLD_NEXT, "socket");
	return real(family, type, protocol);
}

/* Their getpeername(), too: a Reset whose code has no errno has ended the handshake. */
static gboolean no_peer;

int getpeername(int fd, struct sockaddr *peer, socklen_t *len)
{
	static int (*real)(int fd, struct sockaddr *peer, socklen_t *len);

	if (no_peer) {
		errno = ENOTCONN;
		return -1;
	}
	if (!real)
		real = dlsym(RTLD_NEXT, "getpeername");
	return real(fd, peer, len);
}

/* Their getaddrinfo(), too: each of these names has an address of IPv6, and then 127.0.0.1. */
#define BOTH	"both.invalid"
#define ABSENT	"absent.invalid"	/* that of another host */
#define GROUP	"group.invalid"		/* multicast */

static const struct {
	const char	*name, *first;
} two[] = { { BOTH, "::1" }, { ABSENT, "2001:db8::1" }, { GROUP, "ff0e::1" } };

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
		struct addrinfo **found)
{
	static int (*real)(const char *name, const char *service, const struct addrinfo *hints,
			   struct addrinfo **found);
	gsize i;
	int err;

	if (!real)
		real = dlsym(RTLD_NEXT, "getaddrinfo");
	for (i = 0; name && i < G_N_ELEMENTS(two); i++) {
		if (strcmp(name, two[i].name))
			continue;
		err = real(two[i].first, service, hints, found);
		return err ?: real("127.0.0.1", service, hints, &(*found)->ai_next);
	}
	return real(name, service, hints, found);
}

/* An element in a harness, and its bus */
struct end {
	GstHarness	*h;
	GstBus		*bus;
};

/* The bus comes first: an element that cannot start says so at once. */
static struct end prepare(const char *description, GstElement **element)
{
	struct end e = { NULL, gst_bus_new() };
	GError *error = NULL;

	*element = gst_parse_launch(description, &error);
	fail_unless(error == NULL, "%s", description);
	gst_element_set_bus(*element, e.bus);
	return e;
}

static struct end source(const char *description)
{
	GstElement *element;
	struct end e = prepare(description, &element);

	e.h = gst_harness_new_with_element(element, NULL, "src");
	gst_object_unref(element);
	gst_harness_use_systemclock(e.h);
	gst_harness_play(e.h);
	return e;
}

static struct end sink(const char *description)
{
	GstElement *element;
	struct end e = prepare(description, &element);

	g_object_set(element, "sync", FALSE, NULL);
	e.h = gst_harness_new_with_element(element, "sink", NULL);
	gst_object_unref(element);
	gst_harness_use_systemclock(e.h);
	gst_harness_set_src_caps_str(e.h, "application/x-rtp");
	return e;
}

static void release(struct end *e, GstElement *element)
{
	gst_element_set_state(element, GST_STATE_NULL);
	gst_element_set_bus(element, NULL);
	gst_object_unref(e->bus);
	gst_object_unref(element);
}

static void done(struct end *e)
{
	release(e, gst_object_ref(e->h->element));
	gst_harness_teardown(e->h);
}

static GstBuffer *packet(guint8 number, gsize size)
{
	GstBuffer *buffer = gst_buffer_new_allocate(NULL, size, NULL);

	gst_buffer_memset(buffer, 0, number, size);
	return buffer;
}

static void push(struct end *e, guint8 number)
{
	fail_unless_equals_int(gst_harness_push(e->h, packet(number, SIZE)), GST_FLOW_OK);
}

/* The connection may have failed already. */
static void push_in_vain(struct end *e)
{
	GstFlowReturn ret = gst_harness_push(e->h, packet(1, SIZE));

	fail_unless(ret == GST_FLOW_OK || ret == GST_FLOW_ERROR);
}

static guint8 pull(struct end *e, GstClockTime *pts)
{
	GstBuffer *buffer = gst_harness_pull(e->h);
	guint8 number;

	fail_unless(buffer != NULL);
	fail_unless_equals_int(gst_buffer_get_size(buffer), SIZE);
	gst_buffer_extract(buffer, 0, &number, 1);
	if (pts)
		*pts = GST_BUFFER_PTS(buffer);
	gst_buffer_unref(buffer);
	return number;
}

/* The next message of a type (and, of element messages, a name) within 60 s */
static GstMessage *message(struct end *e, GstMessageType type, const char *name)
{
	GstMessage *m;

	do {
		m = gst_bus_timed_pop_filtered(e->bus, 60 * GST_SECOND, type);
		fail_unless(m != NULL);
		if (!name || gst_message_has_name(m, name))
			return m;
		gst_message_unref(m);
	} while (1);
}

static void expect_error(struct end *e, gint code, const char *part)
{
	GstMessage *m = message(e, GST_MESSAGE_ERROR, NULL);
	GError *error;

	gst_message_parse_error(m, &error, NULL);
	fail_unless(error->domain == GST_RESOURCE_ERROR);
	fail_unless(strstr(error->message, part) != NULL, "'%s' is not in '%s'", part,
		    error->message);
	fail_unless_equals_int(error->code, code);
	g_error_free(error);
	gst_message_unref(m);
}

static void expect_warning(struct end *e, const char *part)
{
	GstMessage *m = message(e, GST_MESSAGE_WARNING, NULL);
	GError *error;

	gst_message_parse_warning(m, &error, NULL);
	fail_unless(strstr(error->message, part) != NULL, "'%s' is not in '%s'", part,
		    error->message);
	g_error_free(error);
	gst_message_unref(m);
}

static void expect_no_complaint(struct end *e)
{
	fail_unless(gst_bus_pop_filtered(e->bus, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING) == NULL);
}

/* Each viewer of a server begins with a key frame. */
static void expect_viewer(struct end *from)
{
	gboolean key = FALSE;
	GstEvent *event;

	while (!key) {
		event = gst_harness_pull_upstream_event(from->h);
		fail_unless(event != NULL);
		key = gst_event_has_name(event, "GstForceKeyUnit");
		gst_event_unref(event);
	}
}

static void expect_eos(struct end *e)
{
	GstEvent *event;
	gboolean eos;

	do {
		event = gst_harness_pull_event(e->h);
		fail_unless(event != NULL);
		eos = GST_EVENT_TYPE(event) == GST_EVENT_EOS;
		gst_event_unref(event);
	} while (!eos);
}

static guint64 counter(struct end *e, const char *name)
{
	GstStructure *stats;
	guint64 value = 0;

	g_object_get(e->h->element, "stats", &stats, NULL);
	fail_unless(gst_structure_get_uint64(stats, name, &value), "no %s", name);
	gst_structure_free(stats);
	return value;
}

/* ------------------------------------------------------------ a stream */

GST_START_TEST(test_stream)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6000 ccid=marc");
	struct end from = sink("dccpsink port=6000 ccid=marc");
	GstClockTime pts = 0, last = 0;
	int i;

	for (i = 0; i < 50; i++) {
		push(&from, i);
		g_usleep(20000);
	}
	fail_unless(gst_harness_push_event(from.h, gst_event_new_eos()));
	for (i = 0; i < 50; i++) {
		fail_unless_equals_int(pull(&to, &pts), i);
		fail_unless(GST_CLOCK_TIME_IS_VALID(pts) && pts >= last);
		last = pts;
	}
	/* 49 pauses of 20 ms; only virtual time is exact. */
	fail_unless(last >= 49 * 20 * GST_MSECOND, "the last at %" GST_TIME_FORMAT,
		    GST_TIME_ARGS(last));
	expect_eos(&to);
	fail_unless_equals_uint64(counter(&from, "packets-sent"), 50);
	fail_unless_equals_uint64(counter(&from, "packets-dropped"), 0);
	done(&from);
	done(&to);
}
GST_END_TEST;

/* An empty datagram before the end is not the end. */
GST_START_TEST(test_empty)
{
	GstElement *element;
	struct end to = prepare("dccpsrc port=6028 ccid=marc", &element), from;

	to.h = gst_harness_new_with_element(element, NULL, "src");
	gst_object_unref(element);
	gst_element_set_state(to.h->element, GST_STATE_PAUSED);
	/* All of it, and the end, is there when the source begins to read. */
	from = sink("dccpsink port=6028 ccid=marc");
	push(&from, 0);
	fail_unless_equals_int(gst_harness_push(from.h, packet(0, 0)), GST_FLOW_OK);
	push(&from, 1);
	fail_unless(gst_harness_push_event(from.h, gst_event_new_eos()));
	done(&from);
	g_usleep(1000000);
	gst_harness_play(to.h);
	fail_unless_equals_int(pull(&to, NULL), 0);
	fail_unless_equals_int(pull(&to, NULL), 1);
	expect_eos(&to);
	done(&to);
}
GST_END_TEST;

/* NULL and PLAYING again: a new connection with counters of its own */
GST_START_TEST(test_again)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6040 ccid=marc");
	struct end from = sink("dccpsink port=6040 ccid=marc");
	int round;

	for (round = 0; round < 3; round++) {
		gst_harness_set_src_caps_str(from.h, "application/x-rtp");
		push(&from, round);
		fail_unless_equals_int(pull(&to, NULL), round);
		fail_unless_equals_uint64(counter(&from, "packets-sent"), 1);
		fail_unless(gst_harness_push_event(from.h, gst_event_new_eos()));
		expect_eos(&to);
		gst_element_set_state(from.h->element, round == 1 ? GST_STATE_READY :
				      GST_STATE_NULL);
		done(&to);
		to = source("dccpsrc address=127.0.0.1 port=6040 ccid=marc");
		gst_element_set_state(from.h->element, GST_STATE_PLAYING);
		/* The harness's pad, which had EOS, takes nothing more before it is flushed. */
		fail_unless(gst_harness_push_event(from.h, gst_event_new_flush_start()));
		fail_unless(gst_harness_push_event(from.h, gst_event_new_flush_stop(TRUE)));
	}
	done(&from);
	done(&to);
}
GST_END_TEST;

/* The same of the source, in one element: the port is free again, each stream ends. */
GST_START_TEST(test_source_again)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6041"), from;
	int round;

	for (round = 0; round < 3; round++) {
		from = sink("dccpsink port=6041");
		push(&from, round);
		fail_unless_equals_int(pull(&to, NULL), round);
		fail_unless_equals_uint64(counter(&to, "packets"), 0);
		done(&from);
		expect_eos(&to);
		gst_element_set_state(to.h->element, round == 1 ? GST_STATE_READY :
				      GST_STATE_NULL);
		gst_element_set_state(to.h->element, GST_STATE_PLAYING);
	}
	done(&to);
}
GST_END_TEST;

GST_START_TEST(test_caps_time_and_latency)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6042 do-timestamp=false "
			       "caps=application/x-rtp,media=video");
	struct end from = sink("dccpsink port=6042");
	GstQuery *query = gst_query_new_latency();
	GstClockTime min, max, pts;
	GstCaps *caps, *wanted = gst_caps_from_string("application/x-rtp,media=video");
	gboolean live;

	/* Without other times the base class lets a stream begin at 0. */
	push(&from, 1);
	push(&from, 2);
	fail_unless_equals_int(pull(&to, &pts), 1);
	fail_unless(pts == 0);
	fail_unless_equals_int(pull(&to, &pts), 2);
	fail_if(GST_CLOCK_TIME_IS_VALID(pts));
	caps = gst_pad_get_current_caps(to.h->sinkpad);
	fail_unless(caps && gst_caps_is_equal(caps, wanted));
	gst_caps_unref(caps);
	gst_caps_unref(wanted);
	/* A live source without a latency of its own; a jitter buffer adds one. */
	fail_unless(gst_element_query(to.h->element, query));
	gst_query_parse_latency(query, &live, &min, &max);
	fail_unless(live && min == 0);
	gst_query_unref(query);
	done(&from);
	done(&to);
}
GST_END_TEST;

/* Without caps the stream has none, whatever the next element would take. */
GST_START_TEST(test_no_caps)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6063");
	struct end from = sink("dccpsink port=6063");

	gst_harness_set_sink_caps_str(to.h, "application/x-rtp,media=video");
	push(&from, 1);
	fail_unless_equals_int(pull(&to, NULL), 1);
	fail_if(gst_pad_has_current_caps(to.h->sinkpad));
	done(&from);
	done(&to);
}
GST_END_TEST;

/* Each datagram is a buffer of its size, from a byte to the largest. */
GST_START_TEST(test_sizes)
{
	static const gsize sizes[] = { 1, 2, 1399, 1, 60000 };
	struct end to = source("dccpsrc address=127.0.0.1 port=6043");
	struct end from = sink("dccpsink port=6043");
	GstBuffer *buffer;
	gsize i;

	for (i = 0; i < G_N_ELEMENTS(sizes); i++)
		fail_unless_equals_int(gst_harness_push(from.h, packet(i, sizes[i])), GST_FLOW_OK);
	for (i = 0; i < G_N_ELEMENTS(sizes); i++) {
		buffer = gst_harness_pull(to.h);
		fail_unless_equals_uint64(gst_buffer_get_size(buffer), sizes[i]);
		gst_buffer_unref(buffer);
	}
	done(&from);
	done(&to);
}
GST_END_TEST;

static guint64 allowed_soon(struct end *from, guint64 least, guint64 most)
{
	guint64 allowed = 0;
	int i;

	for (i = 0; i < 400; i++) {
		push(from, i);
		g_usleep(50000);
		g_object_get(from->h->element, "allowed-bitrate", &allowed, NULL);
		if (allowed >= least && allowed <= most)
			break;
	}
	return allowed;
}

/* An encoder's constraints change while the pipeline plays. */
GST_START_TEST(test_live_constraints)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6044 ccid=ctfaf");
	struct end from = sink("dccpsink port=6044 ccid=ctfaf parameters="
			       "\"ctfaf,r_min=50000,r_max=60000,step=1000,r_start=50000\"");
	GstElement *element = from.h->element;
	guint64 allowed;

	allowed = allowed_soon(&from, 400000, 480000);
	fail_unless(allowed >= 400000 && allowed <= 480000, "%lu", (unsigned long)allowed);
	gst_util_set_object_arg(G_OBJECT(element), "parameters",
				"ctfaf,r_min=20000,r_max=25000,step=1000,r_start=0");
	allowed = allowed_soon(&from, 160000, 200000);
	fail_unless(allowed >= 160000 && allowed <= 200000, "%lu", (unsigned long)allowed);

	/* What the kernel refuses is a warning, and changes nothing. */
	gst_util_set_object_arg(G_OBJECT(element), "parameters", "ctfaf,r_min=0");
	expect_warning(&from, "'r_min' = 0, expected: least rate");
	g_object_set(element, "preset", "no such preset", NULL);
	gst_message_unref(message(&from, GST_MESSAGE_WARNING, NULL));
	allowed = allowed_soon(&from, 160000, 200000);
	fail_unless(allowed >= 160000 && allowed <= 200000, "%lu", (unsigned long)allowed);
	g_object_set(element, "target-delay", (guint64)4000000, NULL);
	gst_message_unref(message(&from, GST_MESSAGE_WARNING, NULL));
	g_object_set(element, "target-delay", (guint64)40000000, NULL);
	push(&from, 1);
	expect_no_complaint(&from);
	done(&from);
	done(&to);
}
GST_END_TEST;

/* Of a list of parameters those of the connection's CCID change while the pipeline plays. */
GST_START_TEST(test_live_list)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6045 ccid=marc,raar");
	struct end from = sink("dccpsink port=6045 ccid=marc,raar parameters="
			       "\"all,first=[marc,beta=800],second=[raar,beta=500]\"");
	GstElement *element = from.h->element;

	push(&from, 1);
	fail_unless_equals_int(pull(&to, NULL), 1);
	g_object_set(element, "target-delay", (guint64)40000000, NULL);
	g_object_set(element, "preset", "interactive", NULL);
	push(&from, 2);
	fail_unless_equals_int(pull(&to, NULL), 2);
	expect_no_complaint(&from);

	gst_util_set_object_arg(G_OBJECT(element), "parameters", "raar,beta=500");
	expect_warning(&from, "parameters of raar, but the connection has another CCID");
	done(&from);
	done(&to);
}
GST_END_TEST;

/* What the sink's socket has; -1: what a new one would have, which is the module's */
static void read_option(int fd, int name, void *value, socklen_t len)
{
	socklen_t got = len;
	int new = fd < 0 ? socket(AF_INET, 6 /* SOCK_DCCP */, 33 /* IPPROTO_DCCP */) : fd;

	fail_unless(!getsockopt(new, SOL_DCCP, name, value, &got), "%d: %s", name,
		    g_strerror(errno));
	fail_unless_equals_int(got, len);
	if (fd < 0)
		close(new);
}

static struct end first_viewer(struct end *from, const char *description)
{
	struct end to = source(description);

	expect_viewer(from);
	push(from, 1);
	fail_unless_equals_int(pull(&to, NULL), 1);
	return to;
}

static void take_away(GstElement *element)
{
	g_object_set(element, "preset", "", "target-delay", GST_CLOCK_TIME_NONE, "parameters",
		     NULL, NULL);
}

/* What is not set any more is as if it had not been: for who comes, and who is there. */
GST_START_TEST(test_taken_away)
{
	struct end from = sink("dccpsink mode=server address=127.0.0.1 port=6046 ccid=marc "
			       "preset=paper target-delay=40000000 parameters=marc,beta=777");
	GstElement *element = from.h->element;
	struct dccp_marc_tx_params module, now;
	struct end to;

	read_option(-1, DCCP_SOCKOPT_MARC_TX, &module, sizeof(module));
	fail_unless(module.lag && module.target_delay && module.target_delay != 40);
	gst_element_set_state(element, GST_STATE_PLAYING);
	take_away(element);
	to = first_viewer(&from, "dccpsrc mode=client address=127.0.0.1 port=6046 ccid=marc");
	read_option(sending_fd, DCCP_SOCKOPT_MARC_TX, &now, sizeof(now));
	fail_unless(!memcmp(&now, &module, sizeof(now)));

	g_object_set(element, "preset", "paper", "target-delay", (guint64)40000000, NULL);
	gst_util_set_object_arg(G_OBJECT(element), "parameters", "marc,beta=777");
	read_option(sending_fd, DCCP_SOCKOPT_MARC_TX, &now, sizeof(now));
	fail_unless(now.beta == 777 && now.target_delay == 40 && !now.lag);
	g_object_set(element, "target-delay", GST_CLOCK_TIME_NONE, NULL);
	read_option(sending_fd, DCCP_SOCKOPT_MARC_TX, &now, sizeof(now));
	fail_unless(now.beta == 777 && now.target_delay == 0 && !now.lag);
	g_object_set(element, "preset", "", NULL);
	read_option(sending_fd, DCCP_SOCKOPT_MARC_TX, &now, sizeof(now));
	fail_unless(now.beta == 777 && now.target_delay == module.target_delay && now.lag);
	g_object_set(element, "parameters", NULL, NULL);
	read_option(sending_fd, DCCP_SOCKOPT_MARC_TX, &now, sizeof(now));
	fail_unless(!memcmp(&now, &module, sizeof(now)));
	expect_no_complaint(&from);
	done(&from);
	done(&to);
}
GST_END_TEST;

/* Layers are the rungs, whatever else is taken away; without them there are none then. */
GST_START_TEST(test_rungs_taken_away)
{
	gchar *text = g_strdup_printf("dccpsink mode=server address=127.0.0.1 port=6047 ccid=ctfaf %s",
				      __i__ ? "layers=<8000,16000,40000>" :
					      "parameters=ctfaf,rungs=<8000,16000,40000>");
	struct end from = sink(text), to;
	guint32 rungs[3] = { 0 };

	g_free(text);
	gst_element_set_state(from.h->element, GST_STATE_PLAYING);
	to = first_viewer(&from, "dccpsrc mode=client address=127.0.0.1 port=6047 ccid=ctfaf");
	read_option(sending_fd, DCCP_SOCKOPT_CTFAF_TX_RUNGS, rungs, sizeof(rungs));
	fail_unless(rungs[0] == 8000 && rungs[2] == 40000);
	g_object_set(from.h->element, "preset", "paper", NULL);
	take_away(from.h->element);
	read_option(sending_fd, DCCP_SOCKOPT_CTFAF_TX_RUNGS, rungs,
		    __i__ ? sizeof(rungs) : sizeof(*rungs));
	fail_unless(rungs[0] == (__i__ ? 8000 : 0));
	expect_no_complaint(&from);
	done(&from);
	done(&to);
}
GST_END_TEST;

/* The first part of each is in order, and the second is not. */
static void refuse_in_part(struct end *from)
{
	static const char *const bad[] = {
		"ctfaf,r_min=2000,rungs=<8000,4000>",
		"all,a=[ctfaf,r_min=2000],b=[ctfaf,r_min=0]",
		"all,a=[ctfaf,rungs=<8000,16000>],b=[ctfaf,r_min=0]",
	};
	gsize i;

	for (i = 0; i < G_N_ELEMENTS(bad); i++) {
		gst_util_set_object_arg(G_OBJECT(from->h->element), "parameters", bad[i]);
		gst_message_unref(message(from, GST_MESSAGE_WARNING, NULL));
	}
}

/* A warning means that nothing is changed: for who comes, and who is there. */
GST_START_TEST(test_refused_in_part)
{
	struct end from = sink("dccpsink mode=server address=127.0.0.1 port=6048 ccid=ctfaf");
	struct dccp_ctfaf_constraints module, now;
	guint32 rungs = 1;
	struct end to;
	int round;

	read_option(-1, DCCP_SOCKOPT_CTFAF_TX, &module, sizeof(module));
	gst_element_set_state(from.h->element, GST_STATE_PLAYING);
	refuse_in_part(&from);
	to = first_viewer(&from, "dccpsrc mode=client address=127.0.0.1 port=6048 ccid=ctfaf");
	for (round = 0; round < 2; round++) {
		read_option(sending_fd, DCCP_SOCKOPT_CTFAF_TX, &now, sizeof(now));
		fail_unless(!memcmp(&now, &module, sizeof(now)), "r_min is %u", now.r_min);
		read_option(sending_fd, DCCP_SOCKOPT_CTFAF_TX_RUNGS, &rungs, sizeof(rungs));
		fail_unless_equals_int(rungs, 0);
		refuse_in_part(&from);
	}
	done(&from);
	done(&to);
}
GST_END_TEST;

GST_START_TEST(test_each_scheme)
{
	static const char *const names[] = NAMES;
	gchar *text, *used = NULL;
	GstStructure *stats;
	struct end to, from;

	text = g_strdup_printf("dccpsrc address=127.0.0.1 port=6001 ccid=%s", names[__i__]);
	to = source(text);
	g_free(text);
	text = g_strdup_printf("dccpsink port=6001 ccid=%s,2 stats-interval=100000000", names[__i__]);
	from = sink(text);
	g_free(text);
	push(&from, 1);
	fail_unless_equals_int(pull(&to, NULL), 1);
	g_object_get(from.h->element, "stats", &stats, NULL);
	gst_structure_get(stats, "ccid", G_TYPE_STRING, &used, NULL);
	fail_unless_equals_string(used, names[__i__]);
	g_free(used);
	gst_structure_free(stats);
	done(&from);
	expect_eos(&to);
	done(&to);
}
GST_END_TEST;

GST_START_TEST(test_server_sends)
{
	struct end from = sink("dccpsink mode=server address=127.0.0.1 port=6002 ccid=marc");
	struct end to;
	int viewer;

	gst_element_set_state(from.h->element, GST_STATE_PLAYING);
	for (viewer = 0; viewer < 2; viewer++) {
		to = source("dccpsrc mode=client address=127.0.0.1 port=6002 ccid=marc");
		expect_viewer(&from);
		push(&from, 7);
		fail_unless_equals_int(pull(&to, NULL), 7);
		done(&to);
		g_usleep(100000);
	}
	fail_unless(gst_harness_push_event(from.h, gst_event_new_eos()));
	done(&from);
}
GST_END_TEST;

/* A name with addresses of both families leads to one that this kernel has DCCP for. */
GST_START_TEST(test_families)
{
	static const char *const addresses[] = { "::1", "127.0.0.1" };
	gchar *text = g_strdup_printf("dccpsrc address=%s port=6054", addresses[__i__]);
	struct end to = source(text), from;

	g_free(text);
	no_ipv6 = __i__;
	from = sink("dccpsink address=" BOTH " port=6054");
	push(&from, 1);
	fail_unless_equals_int(pull(&to, NULL), 1);
	expect_no_complaint(&from);
	done(&from);
	done(&to);
}
GST_END_TEST;

/* Where a server has no such address, or a client cannot connect at once, the next is taken. */
GST_START_TEST(test_next_address)
{
	struct end to = source("dccpsrc address=" ABSENT " port=6066");
	struct end from = sink("dccpsink address=" GROUP " port=6066");

	push(&from, 1);
	fail_unless_equals_int(pull(&to, NULL), 1);
	expect_no_complaint(&from);
	expect_no_complaint(&to);
	done(&from);
	done(&to);
}
GST_END_TEST;

/* An address is taken, whether or not anybody answers there, as the property says. */
GST_START_TEST(test_one_address)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6064");
	struct end from = sink("dccpsink address=" BOTH " port=6064");

	push_in_vain(&from);
	expect_error(&from, GST_RESOURCE_ERROR_OPEN_WRITE, "start the receiver first");
	done(&from);
	done(&to);
}
GST_END_TEST;

/* A server without an address takes IPv4 then. */
GST_START_TEST(test_server_without_ipv6)
{
	struct end to, from;

	no_ipv6 = TRUE;
	to = source("dccpsrc port=6055");
	from = sink("dccpsink address=127.0.0.1 port=6055");
	push(&from, 1);
	fail_unless_equals_int(pull(&to, NULL), 1);
	done(&from);
	done(&to);
}
GST_END_TEST;

/* A peer that sends very much does not keep the sink from its own work. */
GST_START_TEST(test_peer_sends)
{
	struct end from = sink("dccpsink mode=server address=127.0.0.1 port=6060 ccid=marc");
	struct end to;

	gst_element_set_state(from.h->element, GST_STATE_PLAYING);
	to = first_viewer(&from, "dccpsrc mode=client address=127.0.0.1 port=6060 ccid=marc");
	__atomic_store_n(&flood, 1000, __ATOMIC_SEQ_CST);
	push(&from, 2);
	fail_unless_equals_int(pull(&to, NULL), 2);
	while (__atomic_load_n(&flood, __ATOMIC_SEQ_CST))
		g_usleep(10000);
	fail_unless(most_in_a_row > 1 && most_in_a_row <= 64, "%d in a row", most_in_a_row);
	done(&from);
	done(&to);
}
GST_END_TEST;

/*
 * The kernel's own poll() says that there is room although there is none. The sink asks again
 * and again, but not at once.
 */
GST_START_TEST(test_poll_is_wrong)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6068 ccid=marc");
	struct end from = sink("dccpsink port=6068 ccid=marc queue-time=0");
	gint64 begin;

	push(&from, 1);
	fail_unless_equals_int(pull(&to, NULL), 1);
	begin = g_get_monotonic_time();
	__atomic_store_n(&no_room, 200, __ATOMIC_SEQ_CST);
	push(&from, 2);
	fail_unless_equals_int(pull(&to, NULL), 2);
	begin = g_get_monotonic_time() - begin;
	/* The first answer may be to the push itself, which no POLLOUT came before. */
	fail_unless(begin >= 198 * G_TIME_SPAN_MILLISECOND, "%ld us", (long)begin);
	done(&from);
	done(&to);
}
GST_END_TEST;

static const int viewer_errors[] = {
	EMSGSIZE, ECONNREFUSED, EUSERS, EDQUOT, EILSEQ, ETIMEDOUT, EHOSTUNREACH,
};

/* What one viewer's connection fails with is not the end for the next one. */
GST_START_TEST(test_viewer_fails)
{
	static const char viewer[] = "dccpsrc mode=client address=127.0.0.1 port=6049 ccid=marc";
	struct end from = sink("dccpsink mode=server address=127.0.0.1 port=6049 ccid=marc "
			       "leaky=false");
	gboolean too_large = viewer_errors[__i__] == EMSGSIZE;
	struct end to;

	gst_element_set_state(from.h->element, GST_STATE_PLAYING);
	to = first_viewer(&from, viewer);
	if (!too_large)
		__atomic_store_n(&send_error, viewer_errors[__i__], __ATOMIC_SEQ_CST);
	fail_unless_equals_int(gst_harness_push(from.h, packet(2, too_large ? 100000 : SIZE)),
			       GST_FLOW_OK);
	expect_eos(&to);
	done(&to);
	if (too_large)
		expect_warning(&from, "set mtu=");
	to = source(viewer);
	expect_viewer(&from);
	/* The packet was kept, if it fits. */
	if (!too_large)
		fail_unless_equals_int(pull(&to, NULL), 2);
	push(&from, 3);
	fail_unless_equals_int(pull(&to, NULL), 3);
	fail_unless_equals_uint64(counter(&from, "packets-dropped"), too_large);
	expect_no_complaint(&from);
	done(&from);
	done(&to);
}
GST_END_TEST;

/* A connection that the sender breaks off is no end of the stream. */
GST_START_TEST(test_sender_aborts)
{
	struct end from = sink("dccpsink mode=server address=127.0.0.1 port=6067 ccid=marc");
	struct linger at_once = { .l_onoff = 1 };
	struct end to;

	gst_element_set_state(from.h->element, GST_STATE_PLAYING);
	to = first_viewer(&from, "dccpsrc mode=client address=127.0.0.1 port=6067 ccid=marc");
	fail_unless(!setsockopt(sending_fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once)));
	done(&from);
	expect_error(&to, GST_RESOURCE_ERROR_READ, "the connection is broken");
	done(&to);
}
GST_END_TEST;

GST_START_TEST(test_stats)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6003 ccid=marc stats-interval=100000000");
	struct end from = sink("dccpsink port=6003 ccid=marc stats-interval=100000000");
	guint64 allowed = 0, rtt = 0, packets = 0;
	GstMessage *m;
	int i;

	for (i = 0; i < 20; i++) {
		push(&from, i);
		g_usleep(50000);
	}
	for (i = 0; i < 5; i++) {
		m = message(&from, GST_MESSAGE_ELEMENT, "GstDccpStats");
		gst_structure_get(gst_message_get_structure(m), "allowed-bitrate", G_TYPE_UINT64,
				  &allowed, "rtt", G_TYPE_UINT64, &rtt, NULL);
		gst_message_unref(m);
	}
	fail_unless(allowed > 0);
	g_object_get(from.h->element, "allowed-bitrate", &allowed, "rtt", &rtt, NULL);
	fail_unless(allowed > 0 && rtt < GST_SECOND);
	fail_unless_equals_uint64(counter(&from, "packets"), 20);
	for (i = 0; i < 8; i++) {
		m = message(&to, GST_MESSAGE_ELEMENT, "GstDccpStats");
		gst_structure_get(gst_message_get_structure(m), "packets", G_TYPE_UINT64, &packets,
				  NULL);
		gst_message_unref(m);
	}
	fail_unless(packets > 5 && packets <= 20);
	done(&from);
	done(&to);
}
GST_END_TEST;

static GstBuffer *packet_of_layer(guint8 number, guint layer)
{
	GstBuffer *buffer = packet(number, SIZE);
	GstCustomMeta *meta = gst_buffer_add_custom_meta(buffer, "GstDccpLayer");

	fail_unless(meta != NULL);
	gst_structure_set(gst_custom_meta_get_structure(meta), "layer", G_TYPE_UINT, layer, NULL);
	return buffer;
}

static const char *const layered[] = {
	"ccid=dvrc", "ccid=ctfaf parameters=ctfaf,increase=1",
};

/*
 * Of the three layers only the first and the third have packets, 10 in a second each. The
 * first is not half of the second rate, so CTFAF's rate does not grow to the third. On a
 * path without delay DVRC has reached it with the first packets, so there K is any.
 */
GST_START_TEST(test_layers)
{
	gchar *text = g_strdup_printf("dccpsrc address=127.0.0.1 port=6004 %.10s", layered[__i__]);
	struct end to = source(text), from;
	guint8 number, bases = 1;
	guint allowed = 0;
	GstBuffer *buffer;
	GstMessage *m;
	guint64 sent;
	int i;

	g_free(text);
	text = g_strdup_printf("dccpsink port=6004 layers=<10000,25000,75000> %s",
			       layered[__i__]);
	from = sink(text);
	g_free(text);
	/* What waits for the connection would come as a burst, at a high rate. */
	push(&from, 0);
	fail_unless_equals_int(pull(&to, NULL), 0);
	for (i = 1; i < 60; i++) {
		fail_unless_equals_int(gst_harness_push(from.h,
							packet_of_layer(i, i % 2 ? 3 : 1)),
				       GST_FLOW_OK);
		g_usleep(50000);
	}
	g_object_get(from.h->element, "layers-allowed", &allowed, NULL);
	fail_unless(allowed >= 1 && allowed <= (__i__ ? 2 : 3), "K is %u", allowed);
	fail_unless_equals_uint64(counter(&from, "packets-dropped"), 0);
	/* K is said without stats-interval, and when it has become known. */
	m = message(&from, GST_MESSAGE_ELEMENT, "GstDccpStats");
	fail_unless(gst_structure_get_uint(gst_message_get_structure(m), "layers-allowed",
					   &allowed) && allowed);
	gst_message_unref(m);
	fail_unless(gst_harness_push_event(from.h, gst_event_new_eos()));
	sent = counter(&from, "packets-sent");
	fail_unless_equals_uint64(counter(&from, "packets-kept-back"), 60 - sent);
	fail_unless(__i__ == 0 || sent == 30, "%lu were sent", (unsigned long)sent);
	while (--sent) {
		buffer = gst_harness_pull(to.h);
		gst_buffer_extract(buffer, 0, &number, 1);
		gst_buffer_unref(buffer);
		/* Each packet of layer 1, and in order */
		fail_unless(number % 2 || number == 2 * bases++);
	}
	fail_unless_equals_int(bases, 30);
	expect_eos(&to);
	done(&from);
	done(&to);
}
GST_END_TEST;

/* The queue drops what can be done without, and the base layer last. */
GST_START_TEST(test_highest_layer_is_dropped)
{
	struct end from = sink("dccpsink mode=server address=127.0.0.1 port=6005 ccid=ctfaf "
			       "layers=<1000,2000> queue-packets=12 queue-time=1000000000 "
			       "linger=60");
	struct end to;
	guint8 number;
	GstBuffer *buffer;
	int i;

	/* Nothing is sent before a viewer comes; 20 packets come for 12 places. */
	gst_element_set_state(from.h->element, GST_STATE_PLAYING);
	for (i = 0; i < 20; i++)
		fail_unless_equals_int(gst_harness_push(from.h, packet_of_layer(i, 1 + i % 2)),
				       GST_FLOW_OK);
	fail_unless(counter(&from, "packets-dropped") >= 8);
	to = source("dccpsrc mode=client address=127.0.0.1 port=6005 ccid=ctfaf");
	for (i = 0; i < 20; i += 2) {
		do {
			buffer = gst_harness_pull(to.h);
			fail_unless(buffer != NULL);
			gst_buffer_extract(buffer, 0, &number, 1);
			gst_buffer_unref(buffer);
		} while (number % 2);
		fail_unless_equals_int(number, i);
	}
	fail_unless(counter(&from, "packets-dropped") + counter(&from, "packets-kept-back") +
		    counter(&from, "packets-sent") == 20);
	fail_unless(gst_harness_push_event(from.h, gst_event_new_eos()));
	expect_eos(&to);
	done(&from);
	done(&to);
}
GST_END_TEST;

/* While there is no viewer, layer 1 grows old as all others: who comes sees what is new. */
GST_START_TEST(test_base_layer_without_viewer)
{
	struct end from = sink("dccpsink mode=server address=127.0.0.1 port=6056 ccid=ctfaf "
			       "layers=<1000,2000> queue-time=500000000");
	struct end to;
	int i;

	gst_element_set_state(from.h->element, GST_STATE_PLAYING);
	for (i = 0; i < 5; i++)
		fail_unless_equals_int(gst_harness_push(from.h, packet_of_layer(i, 1)),
				       GST_FLOW_OK);
	g_usleep(1000000);
	fail_unless_equals_uint64(counter(&from, "packets-dropped"), 5);
	to = source("dccpsrc mode=client address=127.0.0.1 port=6056 ccid=ctfaf");
	expect_viewer(&from);
	/* The same for a viewer: all of it is kept, and the last waits for 2 s or more. */
	for (i = 10; i < 20; i++)
		fail_unless_equals_int(gst_harness_push(from.h, packet_of_layer(i, 1)),
				       GST_FLOW_OK);
	for (i = 10; i < 20; i++)
		fail_unless_equals_int(pull(&to, NULL), i);
	fail_unless_equals_uint64(counter(&from, "packets-dropped"), 5);
	done(&from);
	done(&to);
}
GST_END_TEST;

GST_START_TEST(test_untagged)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6006 ccid=dvrc");
	struct end from = sink("dccpsink port=6006 ccid=dvrc layers=<10000,20000>");
	int i;

	/* What has no layer is of layer 1, which is always sent. */
	for (i = 0; i < 5; i++)
		push(&from, i);
	for (i = 0; i < 5; i++)
		fail_unless_equals_int(pull(&to, NULL), i);
	done(&from);
	done(&to);
}
GST_END_TEST;

/* ------------------------------------------------------------ the queue */

GST_START_TEST(test_oldest_are_dropped)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6010 ccid=ctfaf");
	struct end from = sink("dccpsink port=6010 ccid=ctfaf parameters=\"" SLOW "\" "
			       "queue-packets=3 queue-time=0 linger=60");
	guint64 processed, dropped, in_all;
	guint8 came[20];
	GstMessage *m;
	guint i, n;

	push(&from, 0);
	fail_unless_equals_int(pull(&to, NULL), 0);
	for (i = 1; i < 20; i++)
		push(&from, i);
	m = message(&from, GST_MESSAGE_QOS, NULL);
	gst_message_parse_qos_stats(m, NULL, &processed, &dropped);
	fail_unless(dropped >= 1);
	gst_message_unref(m);
	fail_unless(gst_harness_push_event(from.h, gst_event_new_eos()));

	in_all = counter(&from, "packets-dropped");
	fail_unless(in_all > 5 && in_all < 19);
	n = 19 - in_all;
	for (i = 0; i < n; i++)
		came[i] = pull(&to, NULL);
	/* The kernel's queue had the first; of the rest the last three are there. */
	for (i = 0; i < 3; i++)
		fail_unless_equals_int(came[n - 3 + i], 17 + i);
	expect_eos(&to);
	done(&from);
	done(&to);
}
GST_END_TEST;

GST_START_TEST(test_old_ones_are_dropped)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6011 ccid=ctfaf");
	struct end from = sink("dccpsink port=6011 ccid=ctfaf parameters=\"" SLOW "\" "
			       "queue-time=500000000");
	guint64 sent;
	guint i;

	for (i = 0; i < 20; i++)
		push(&from, i);
	g_usleep(700000);
	sent = counter(&from, "packets-sent");
	fail_unless(sent >= 1 && sent <= 8);
	/* Without a message, without a push: the thread drops them. */
	fail_unless_equals_uint64(counter(&from, "packets-dropped"), 20 - sent);
	done(&from);
	done(&to);
}
GST_END_TEST;

static gpointer push_many(gpointer data)
{
	struct end *from = data;
	GstFlowReturn ret = GST_FLOW_OK;
	int i;

	for (i = 0; i < 100 && ret == GST_FLOW_OK; i++)
		ret = gst_harness_push(from->h, packet(i, SIZE));
	return GINT_TO_POINTER(ret);
}

GST_START_TEST(test_wait_and_unlock)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6012 ccid=ctfaf");
	struct end from = sink("dccpsink port=6012 ccid=ctfaf parameters=\"" SLOW "\" "
			       "leaky=false queue-packets=3");
	gint64 begin = g_get_monotonic_time();
	GThread *thread = g_thread_new("push", push_many, &from);

	g_usleep(3000000);
	fail_unless_equals_uint64(counter(&from, "packets-dropped"), 0);
	fail_unless(counter(&from, "packets-sent") < 20);
	/* The thread waits in the sink; this ends it. */
	gst_element_set_state(from.h->element, GST_STATE_NULL);
	fail_unless_equals_int(GPOINTER_TO_INT(g_thread_join(thread)), GST_FLOW_FLUSHING);
	fail_unless(g_get_monotonic_time() - begin < 10 * G_USEC_PER_SEC);
	done(&from);
	done(&to);
}
GST_END_TEST;

/* A pause of the pipeline while the sink waits is no error, and the wait goes on. */
GST_START_TEST(test_pause_while_waiting)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6015 ccid=ctfaf");
	struct end from = sink("dccpsink port=6015 ccid=ctfaf parameters=\"" SLOW "\" "
			       "leaky=false queue-packets=3 linger=60");
	GThread *thread;

	push(&from, 0);
	fail_unless_equals_int(pull(&to, NULL), 0);
	thread = g_thread_new("push", push_many, &from);
	g_usleep(1000000);
	gst_element_set_state(from.h->element, GST_STATE_PAUSED);
	g_usleep(1000000);
	gst_element_set_state(from.h->element, GST_STATE_PLAYING);
	/* From now on it is fast: all 100 are sent, none dropped. */
	gst_util_set_object_arg(G_OBJECT(from.h->element), "parameters",
				"ctfaf,r_min=100000,r_max=200000,step=1000,r_start=0");
	fail_unless_equals_int(GPOINTER_TO_INT(g_thread_join(thread)), GST_FLOW_OK);
	fail_unless(gst_harness_push_event(from.h, gst_event_new_eos()));
	fail_unless_equals_uint64(counter(&from, "packets-sent"), 101);
	done(&from);
	done(&to);
}
GST_END_TEST;

static gpointer push_eos(gpointer data)
{
	struct end *from = data;

	gst_harness_push_event(from->h, gst_event_new_eos());
	return NULL;
}

/* So many packets, and the end behind them, which the thread waits for. */
static GThread *push_to_the_end(struct end *from, int packets)
{
	GThread *thread;
	int i;

	for (i = 0; i < packets; i++)
		push(from, i);
	thread = g_thread_new("eos", push_eos, from);
	g_usleep(1000000);
	return thread;
}

/* The same while it waits for the end: the end comes once, and after it what was queued. */
GST_START_TEST(test_pause_at_the_end)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6016 ccid=ctfaf");
	struct end from = sink("dccpsink port=6016 ccid=ctfaf parameters=\"" SLOW "\" "
			       "queue-time=0 linger=3600");
	GThread *thread = push_to_the_end(&from, 12);
	int i;

	gst_element_set_state(from.h->element, GST_STATE_PAUSED);
	g_usleep(500000);
	fail_unless(gst_bus_pop_filtered(from.bus, GST_MESSAGE_EOS) == NULL);
	gst_element_set_state(from.h->element, GST_STATE_PLAYING);
	for (i = 0; i < 12; i++)
		fail_unless_equals_int(pull(&to, NULL), i);
	expect_eos(&to);
	g_thread_join(thread);
	gst_message_unref(message(&from, GST_MESSAGE_EOS, NULL));
	done(&from);
	done(&to);
}
GST_END_TEST;

/* Between a flush's start and its end what waits is dropped. */
GST_START_TEST(test_flush)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6017 ccid=ctfaf");
	struct end from = sink("dccpsink port=6017 ccid=ctfaf parameters=\"" SLOW "\" "
			       "queue-time=0 linger=60");
	GstStructure *stats;
	guint queued = 1;
	guint8 last = 0;
	int i, n;

	for (i = 0; i < 40; i++)
		push(&from, i);
	fail_unless_equals_int(pull(&to, NULL), 0);
	fail_unless(gst_harness_push_event(from.h, gst_event_new_flush_start()));
	fail_unless(gst_harness_push_event(from.h, gst_event_new_flush_stop(TRUE)));
	g_object_get(from.h->element, "stats", &stats, NULL);
	gst_structure_get_uint(stats, "packets-queued", &queued);
	gst_structure_free(stats);
	fail_unless_equals_int(queued, 0);
	n = counter(&from, "packets-sent");
	fail_unless(n < 20);
	gst_harness_set_src_caps_str(from.h, "application/x-rtp");
	push(&from, 99);
	for (i = 1; i <= n; i++)
		last = pull(&to, NULL);
	fail_unless_equals_int(last, 99);
	done(&from);
	done(&to);
}
GST_END_TEST;

/* A flush while it waits for the end, as of a seek: the stream goes on. */
GST_START_TEST(test_flush_at_the_end)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6027 ccid=ctfaf");
	struct end from = sink("dccpsink port=6027 ccid=ctfaf parameters=\"" SLOW "\" "
			       "queue-time=0 linger=20");
	GThread *thread = push_to_the_end(&from, 40);
	guint8 last;
	int i;

	fail_unless(gst_harness_push_event(from.h, gst_event_new_flush_start()));
	g_thread_join(thread);
	fail_unless(gst_harness_push_event(from.h, gst_event_new_flush_stop(TRUE)));
	fail_unless(gst_bus_pop_filtered(from.bus, GST_MESSAGE_EOS) == NULL);
	gst_harness_set_src_caps_str(from.h, "application/x-rtp");
	push(&from, 99);
	/* What is in the kernel's queue has been sent by then, and the time of linger is over. */
	g_usleep(30000000);
	push(&from, 100);
	do
		last = pull(&to, NULL);
	while (last != 100);
	/* The next end has all of its time. */
	for (i = 0; i < 8; i++)
		push(&from, 101 + i);
	fail_unless(gst_harness_push_event(from.h, gst_event_new_eos()));
	for (i = 0; i < 8; i++)
		fail_unless_equals_int(pull(&to, NULL), 101 + i);
	expect_eos(&to);
	done(&from);
	done(&to);
}
GST_END_TEST;

static void flush(struct end *e)
{
	fail_unless(gst_harness_push_event(e->h, gst_event_new_flush_start()));
	fail_unless(gst_harness_push_event(e->h, gst_event_new_flush_stop(TRUE)));
	gst_harness_set_src_caps_str(e->h, "application/x-rtp");
}

/*
 * A loop by a flush at the end. Between the end and the flush viewers are refused, and one that
 * has waited for its turn is told. Afterwards the server listens as before, with its settings.
 */
GST_START_TEST(test_loop)
{
	static const char viewer[] = "dccpsrc mode=client address=127.0.0.1 port=6069 ccid=ctfaf";
	struct end from = sink("dccpsink mode=server address=127.0.0.1 port=6069 ccid=ctfaf "
			       "parameters=\"" SLOW "\" linger=60");
	struct end to, waits;
	guint64 rate;
	int round;

	gst_element_set_state(from.h->element, GST_STATE_PLAYING);
	for (round = 0; round < 3; round++) {
		to = source(viewer);
		expect_viewer(&from);
		push(&from, round);
		fail_unless_equals_int(pull(&to, NULL), round);
		/* CTFAF, and its constraints */
		g_object_get(from.h->element, "allowed-bitrate", &rate, NULL);
		fail_unless(rate >= 8000 && rate <= 16000, "%lu bit/s", (unsigned long)rate);
		waits = source(viewer);
		g_usleep(100000);
		fail_unless(gst_harness_push_event(from.h, gst_event_new_eos()));
		gst_message_unref(message(&from, GST_MESSAGE_EOS, NULL));
		expect_eos(&to);
		expect_error(&waits, GST_RESOURCE_ERROR_READ, "the connection is broken");
		done(&waits);
		done(&to);
		to = source(viewer);
		expect_error(&to, GST_RESOURCE_ERROR_OPEN_WRITE, "nothing listens there");
		done(&to);
		flush(&from);
	}
	fail_unless_equals_uint64(counter(&from, "packets-sent"), 3);
	expect_no_complaint(&from);
	done(&from);
}
GST_END_TEST;

static void seek(GstElement *pipeline, GstSeekFlags flags)
{
	fail_unless(gst_element_seek(pipeline, 1, GST_FORMAT_TIME, flags, GST_SEEK_TYPE_SET, 0,
				     GST_SEEK_TYPE_SET, 2 * GST_SECOND));
}

static void pull_some(struct end *to, int n)
{
	GstBuffer *buffer;

	while (n--) {
		buffer = gst_harness_pull(to->h);
		fail_unless(buffer != NULL);
		gst_buffer_unref(buffer);
	}
}

/* A pipeline that repeats its stream in the two ways of howto/gstreamer.rst */
GST_START_TEST(test_repeat)
{
	GstSeekFlags segment = __i__ ? GST_SEEK_FLAG_SEGMENT : 0;
	struct end e, to = { NULL, NULL };
	GstElement *pipeline;
	int round;

	e = prepare("videotestsrc ! video/x-raw,format=GRAY8,width=32,height=32,framerate=10/1 ! "
		    "dccpsink mode=server address=127.0.0.1 port=6072 ccid=marc", &pipeline);
	gst_element_set_state(pipeline, GST_STATE_PAUSED);
	fail_unless_equals_int(gst_element_get_state(pipeline, NULL, NULL, 60 * GST_SECOND),
			       GST_STATE_CHANGE_SUCCESS);
	seek(pipeline, GST_SEEK_FLAG_FLUSH | segment);
	gst_element_set_state(pipeline, GST_STATE_PLAYING);
	for (round = 0; round < 4; round++) {
		if (!to.h)
			to = source("dccpsrc mode=client address=127.0.0.1 port=6072 ccid=marc");
		pull_some(&to, 10);
		if (segment) {
			gst_message_unref(message(&e, GST_MESSAGE_SEGMENT_DONE, NULL));
			seek(pipeline, segment);
			continue;
		}
		gst_message_unref(message(&e, GST_MESSAGE_EOS, NULL));
		expect_eos(&to);
		done(&to);
		to.h = NULL;
		seek(pipeline, GST_SEEK_FLAG_FLUSH);
	}
	fail_unless(gst_bus_pop_filtered(e.bus, GST_MESSAGE_EOS | GST_MESSAGE_ERROR) == NULL);
	release(&e, pipeline);
	if (to.h)
		done(&to);
}
GST_END_TEST;

/* A client's connection has ended with its stream: it says so, and does not end once more. */
GST_START_TEST(test_client_after_the_end)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6070");
	struct end from = sink("dccpsink port=6070");

	push(&from, 1);
	fail_unless(gst_harness_push_event(from.h, gst_event_new_eos()));
	gst_message_unref(message(&from, GST_MESSAGE_EOS, NULL));
	flush(&from);
	expect_no_complaint(&from);
	fail_unless_equals_int(gst_harness_push(from.h, packet(2, SIZE)), GST_FLOW_ERROR);
	expect_error(&from, GST_RESOURCE_ERROR_WRITE,
		     "the stream has ended: set the element to READY first");
	fail_unless(gst_bus_pop_filtered(from.bus, GST_MESSAGE_EOS) == NULL);
	done(&from);
	done(&to);
}
GST_END_TEST;

/* linger=0 does not wait; the kernel sends what it has already taken, and then the end. */
GST_START_TEST(test_no_linger)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6018 ccid=ctfaf");
	struct end from = sink("dccpsink port=6018 ccid=ctfaf parameters=\"" SLOW "\" "
			       "queue-time=0 linger=0");
	gint64 begin;
	guint64 sent;
	int i;

	push(&from, 0);
	fail_unless_equals_int(pull(&to, NULL), 0);
	for (i = 1; i < 30; i++)
		push(&from, i);
	while (counter(&from, "packets-sent") < 5)
		g_usleep(100000);
	begin = g_get_monotonic_time();
	fail_unless(gst_harness_push_event(from.h, gst_event_new_eos()));
	fail_unless(g_get_monotonic_time() - begin < 500000);
	sent = counter(&from, "packets-sent");
	fail_unless(sent < 20);
	fail_unless_equals_uint64(counter(&from, "packets-dropped"), 30 - sent);
	done(&from);
	for (i = 1; i < (int)sent; i++)
		fail_unless_equals_int(pull(&to, NULL), i);
	expect_eos(&to);
	done(&to);
}
GST_END_TEST;

/* The time of linger is over: the same, and it took this time. */
GST_START_TEST(test_linger_ends)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6019 ccid=ctfaf");
	struct end from = sink("dccpsink port=6019 ccid=ctfaf parameters=\"" SLOW "\" "
			       "queue-time=0 linger=2");
	gint64 begin;
	guint64 sent;
	int i;

	for (i = 0; i < 30; i++)
		push(&from, i);
	begin = g_get_monotonic_time();
	fail_unless(gst_harness_push_event(from.h, gst_event_new_eos()));
	begin = g_get_monotonic_time() - begin;
	fail_unless(begin >= 2 * G_TIME_SPAN_SECOND);
	sent = counter(&from, "packets-sent");
	fail_unless_equals_uint64(counter(&from, "packets-dropped"), 30 - sent);
	done(&from);
	for (i = 0; i < (int)sent; i++)
		fail_unless_equals_int(pull(&to, NULL), i);
	expect_eos(&to);
	done(&to);
}
GST_END_TEST;

/* Without leaky there is no such time: all is sent, however slowly. */
GST_START_TEST(test_end_not_leaky)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6057 ccid=ctfaf");
	struct end from = sink("dccpsink port=6057 ccid=ctfaf parameters=\"" SLOW "\" "
			       "leaky=false linger=0");
	int i;

	for (i = 0; i < 12; i++)
		push(&from, i);
	fail_unless(gst_harness_push_event(from.h, gst_event_new_eos()));
	fail_unless_equals_uint64(counter(&from, "packets-dropped"), 0);
	fail_unless_equals_uint64(counter(&from, "packets-sent"), 12);
	for (i = 0; i < 12; i++)
		fail_unless_equals_int(pull(&to, NULL), i);
	expect_eos(&to);
	done(&from);
	done(&to);
}
GST_END_TEST;

/* The same for a viewer who comes after the end. Without a packet to send there is no wait. */
GST_START_TEST(test_end_before_viewer)
{
	struct end from = sink("dccpsink mode=server address=127.0.0.1 port=6058 ccid=marc "
			       "leaky=false linger=0");
	GThread *thread;
	struct end to;
	int i;

	gst_element_set_state(from.h->element, GST_STATE_PLAYING);
	thread = push_to_the_end(&from, 3);
	fail_unless(gst_bus_pop_filtered(from.bus, GST_MESSAGE_EOS) == NULL);
	to = source("dccpsrc mode=client address=127.0.0.1 port=6058 ccid=marc");
	for (i = 0; i < 3; i++)
		fail_unless_equals_int(pull(&to, NULL), i);
	expect_eos(&to);
	g_thread_join(thread);
	gst_message_unref(message(&from, GST_MESSAGE_EOS, NULL));
	fail_unless_equals_uint64(counter(&from, "packets-dropped"), 0);
	done(&from);
	done(&to);

	from = sink("dccpsink mode=server address=127.0.0.1 port=6058 ccid=marc leaky=false");
	gst_element_set_state(from.h->element, GST_STATE_PLAYING);
	fail_unless(gst_harness_push_event(from.h, gst_event_new_eos()));
	done(&from);
}
GST_END_TEST;

/* Nobody answers: connect-timeout decides, and the end is not taken for a success. */
GST_START_TEST(test_end_while_connecting)
{
	const char *silent = g_getenv("SILENT");
	GstMessage *m;
	struct end e;
	gchar *text;

	if (!silent)
		return;
	text = g_strdup_printf("dccpsink address=%s port=6059 leaky=%s linger=1 "
			       "connect-timeout=4000000000", silent, __i__ ? "true" : "false");
	e = sink(text);
	g_free(text);
	push(&e, 1);
	gst_harness_push_event(e.h, gst_event_new_eos());
	m = gst_bus_timed_pop_filtered(e.bus, 0, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
	fail_unless(m && GST_MESSAGE_TYPE(m) == GST_MESSAGE_ERROR);
	gst_bus_post(e.bus, m);
	expect_error(&e, GST_RESOURCE_ERROR_OPEN_WRITE, "no answer");
	done(&e);
}
GST_END_TEST;

/* What the kernel has is waited for, too: at the end the receiver has all of it. */
GST_START_TEST(test_linger_for_the_kernel)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6050 ccid=ctfaf");
	struct end from = sink("dccpsink port=6050 ccid=ctfaf parameters=\"" SLOW "\" "
			       "tx-queue=20 queue-time=0 linger=3600");
	gint64 begin = g_get_monotonic_time();
	int i;

	for (i = 0; i < 5; i++)
		push(&from, i);
	fail_unless(gst_harness_push_event(from.h, gst_event_new_eos()));
	/* Four intervals of 500 ms or more */
	begin = g_get_monotonic_time() - begin;
	fail_unless(begin >= 1500 * G_TIME_SPAN_MILLISECOND, "%ld us", (long)begin);
	fail_unless_equals_uint64(counter(&from, "packets-sent"), 5);
	for (i = 0; i < 5; i++)
		fail_unless_equals_int(pull(&to, NULL), i);
	expect_eos(&to);
	done(&from);
	done(&to);
}
GST_END_TEST;

/* A change of state ends this wait at once, and the kernel sends the rest. */
GST_START_TEST(test_ready_at_the_end)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6051 ccid=ctfaf");
	struct end from = sink("dccpsink port=6051 ccid=ctfaf parameters=\"" SLOW "\" "
			       "tx-queue=20 queue-time=0 linger=3600");
	GThread *thread = push_to_the_end(&from, 15);
	gint64 begin = g_get_monotonic_time();
	int i;

	gst_element_set_state(from.h->element, GST_STATE_READY);
	begin = g_get_monotonic_time() - begin;
	fail_unless(begin < 2 * G_TIME_SPAN_SECOND, "%ld us", (long)begin);
	g_thread_join(thread);
	fail_unless(gst_bus_pop_filtered(from.bus, GST_MESSAGE_EOS) == NULL);
	for (i = 0; i < 15; i++)
		fail_unless_equals_int(pull(&to, NULL), i);
	expect_eos(&to);
	done(&from);
	done(&to);
}
GST_END_TEST;

/* A receiver that goes then is the end, and no error: the sink has nothing more for it. */
GST_START_TEST(test_receiver_goes_at_the_end)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6052 ccid=ctfaf");
	struct end from = sink("dccpsink port=6052 ccid=ctfaf parameters=\"" SLOW "\" "
			       "tx-queue=20 queue-time=0 linger=3600");
	GThread *thread = push_to_the_end(&from, 15);
	GstMessage *m;

	fail_unless_equals_int(pull(&to, NULL), 0);
	done(&to);
	g_thread_join(thread);
	m = message(&from, GST_MESSAGE_EOS | GST_MESSAGE_ERROR, NULL);
	fail_unless_equals_int(GST_MESSAGE_TYPE(m), GST_MESSAGE_EOS);
	gst_message_unref(m);
	done(&from);
}
GST_END_TEST;

/* Blocked in recv() with a connection that is silent */
GST_START_TEST(test_unlock_connected_source)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6037");
	struct end from = sink("dccpsink port=6037");
	gint64 begin;

	push(&from, 1);
	fail_unless_equals_int(pull(&to, NULL), 1);
	begin = g_get_monotonic_time();
	done(&to);
	fail_unless(g_get_monotonic_time() - begin < 2 * G_USEC_PER_SEC);
	done(&from);
}
GST_END_TEST;

/* Blocked in connect() */
GST_START_TEST(test_unlock_while_connecting)
{
	const char *silent = g_getenv("SILENT");
	gchar *text;
	struct end e;
	gint64 begin = g_get_monotonic_time();

	if (!silent)
		return;
	text = g_strdup_printf("dccpsrc mode=client address=%s port=6038 connect-timeout=60000000000",
			       silent);
	e = source(text);
	g_free(text);
	g_usleep(300000);
	done(&e);
	text = g_strdup_printf("dccpsink address=%s port=6038 leaky=false queue-packets=1 "
			       "connect-timeout=60000000000", silent);
	e = sink(text);
	g_free(text);
	push(&e, 1);
	g_usleep(300000);
	done(&e);
	fail_unless(g_get_monotonic_time() - begin < 5 * G_USEC_PER_SEC);
}
GST_END_TEST;

GST_START_TEST(test_unlock_source)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6013");
	gint64 begin = g_get_monotonic_time();

	g_usleep(100000);
	done(&to);
	fail_unless(g_get_monotonic_time() - begin < 2 * G_USEC_PER_SEC);
}
GST_END_TEST;

GST_START_TEST(test_timeout)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6014 timeout=500000000");
	gint64 begin = g_get_monotonic_time();

	gst_message_unref(message(&to, GST_MESSAGE_ELEMENT, "GstDccpSrcTimeout"));
	fail_unless(g_get_monotonic_time() - begin >= 400000);
	done(&to);
}
GST_END_TEST;

/* The first message is due at once, the next in an hour, and then sooner. */
static void expect_stats_sooner(struct end *e)
{
	g_object_set(e->h->element, "stats-interval", 3600 * GST_SECOND, NULL);
	gst_message_unref(message(e, GST_MESSAGE_ELEMENT, "GstDccpStats"));
	g_object_set(e->h->element, "stats-interval", (guint64)300000000, NULL);
	gst_message_unref(message(e, GST_MESSAGE_ELEMENT, "GstDccpStats"));
}

/* What is set while an element waits holds at once. */
GST_START_TEST(test_set_while_waiting)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6062"), from;

	g_usleep(500000);
	g_object_set(to.h->element, "timeout", (guint64)300000000, NULL);
	gst_message_unref(message(&to, GST_MESSAGE_ELEMENT, "GstDccpSrcTimeout"));
	g_object_set(to.h->element, "timeout", (guint64)0, NULL);

	from = sink("dccpsink port=6062");
	push(&from, 1);
	fail_unless_equals_int(pull(&to, NULL), 1);
	g_usleep(500000);
	expect_stats_sooner(&to);
	expect_stats_sooner(&from);
	done(&from);
	done(&to);
}
GST_END_TEST;

/* ------------------------------------------------------------ errors */

GST_START_TEST(test_refused)
{
	struct end from = sink("dccpsink port=6020");

	push_in_vain(&from);
	expect_error(&from, GST_RESOURCE_ERROR_OPEN_WRITE, "start the receiver first");
	fail_unless_equals_int(gst_harness_push(from.h, packet(2, SIZE)), GST_FLOW_ERROR);
	done(&from);
}
GST_END_TEST;

/* A Reset whose code has no errno; selftests/gstreamer.py has real ones. */
GST_START_TEST(test_refused_without_errno)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6065"), from;

	no_peer = TRUE;
	from = sink("dccpsink port=6065");
	push_in_vain(&from);
	expect_error(&from, GST_RESOURCE_ERROR_OPEN_WRITE, "did not say why");
	done(&from);
	done(&to);
}
GST_END_TEST;

GST_START_TEST(test_no_common_ccid)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6021 ccid=ccid3");
	struct end from = sink("dccpsink port=6021 ccid=marc");

	push_in_vain(&from);
	expect_error(&from, GST_RESOURCE_ERROR_OPEN_WRITE, "no CCID in common");
	done(&from);
	done(&to);
}
GST_END_TEST;

GST_START_TEST(test_service_code)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6022 service-code=1000");
	struct end from = sink("dccpsink port=6022");

	push_in_vain(&from);
	expect_error(&from, GST_RESOURCE_ERROR_OPEN_WRITE, "another service-code");
	done(&from);
	done(&to);
}
GST_END_TEST;

GST_START_TEST(test_too_large)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6023");
	struct end from = sink("dccpsink port=6023");

	fail_unless_equals_int(gst_harness_push(from.h, packet(1, 100000)), GST_FLOW_OK);
	expect_error(&from, GST_RESOURCE_ERROR_WRITE, "set mtu=");
	fail_unless_equals_int(gst_harness_push(from.h, packet(2, SIZE)), GST_FLOW_ERROR);
	done(&from);
	done(&to);
}
GST_END_TEST;

/* A client has but one receiver. */
GST_START_TEST(test_send_fails)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6053");
	struct end from = sink("dccpsink port=6053");

	push(&from, 1);
	fail_unless_equals_int(pull(&to, NULL), 1);
	__atomic_store_n(&send_error, ETIMEDOUT, __ATOMIC_SEQ_CST);
	push(&from, 2);
	expect_error(&from, GST_RESOURCE_ERROR_WRITE, "a packet cannot be sent");
	done(&from);
	done(&to);
}
GST_END_TEST;

static int error_posted;

/* The application may take its time. */
static GstBusSyncReply slow_to_hear(GstBus *bus, GstMessage *m, gpointer data)
{
	(void)bus;
	(void)data;
	if (GST_MESSAGE_TYPE(m) == GST_MESSAGE_ERROR) {
		g_usleep(500000);
		__atomic_store_n(&error_posted, 1, __ATOMIC_SEQ_CST);
	}
	return GST_BUS_PASS;
}

/* The elements before the sink hear of an error after the application. */
GST_START_TEST(test_error_first)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6061");
	struct end from = sink("dccpsink port=6061");
	GstFlowReturn ret;

	gst_bus_set_sync_handler(from.bus, slow_to_hear, NULL, NULL);
	push(&from, 1);
	fail_unless_equals_int(pull(&to, NULL), 1);
	__atomic_store_n(&send_error, ETIMEDOUT, __ATOMIC_SEQ_CST);
	do {
		ret = gst_harness_push(from.h, packet(2, SIZE));
		fail_unless(ret == GST_FLOW_OK || __atomic_load_n(&error_posted, __ATOMIC_SEQ_CST));
		g_usleep(10000);
	} while (ret == GST_FLOW_OK);
	fail_unless_equals_int(ret, GST_FLOW_ERROR);
	done(&from);
	done(&to);
}
GST_END_TEST;

GST_START_TEST(test_receiver_goes)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6024");
	struct end from = sink("dccpsink port=6024");

	push(&from, 1);
	fail_unless_equals_int(pull(&to, NULL), 1);
	done(&to);
	expect_error(&from, GST_RESOURCE_ERROR_WRITE, "the receiver has closed");
	done(&from);
}
GST_END_TEST;

#define ALL_EVENTS	(POLLIN | POLLRDHUP | POLLHUP | POLLERR)

static const struct {
	int events, error;
	gboolean by_reset, at_the_end, is_eos;
} breaks[] = {
	{ ALL_EVENTS, ETIMEDOUT, FALSE, FALSE, FALSE },
	{ ALL_EVENTS, ECONNRESET, TRUE, FALSE, FALSE },
	{ ALL_EVENTS, ETIMEDOUT, FALSE, TRUE, FALSE },
	{ ALL_EVENTS, ECONNREFUSED, TRUE, TRUE, FALSE },
	/* A packet came, and then it broke: recv() is the first to know. */
	{ POLLIN, ETIMEDOUT, FALSE, TRUE, FALSE },
	/* The receiver had not read all when it closed. */
	{ ALL_EVENTS, ECONNRESET, TRUE, TRUE, TRUE },
	/* It closed. What a router said before that is no reason. */
	{ ALL_EVENTS & ~POLLERR, EHOSTUNREACH, TRUE, TRUE, TRUE },
};

/* The error says why the connection ended. It is no end of the stream, unless the peer closed. */
GST_START_TEST(test_connection_breaks)
{
	struct end to = source("dccpsrc address=127.0.0.1 port=6071 ccid=ctfaf");
	struct end from = sink("dccpsink port=6071 ccid=ctfaf parameters=\"" SLOW "\" "
			       "tx-queue=20 queue-time=0 linger=3600");
	GThread *thread = NULL;
	GstMessage *m;

	push(&from, 0);
	fail_unless_equals_int(pull(&to, NULL), 0);
	if (breaks[__i__].at_the_end)
		thread = push_to_the_end(&from, 15);
	by_reset = breaks[__i__].by_reset;
	__atomic_store_n(&broken_by, breaks[__i__].error, __ATOMIC_SEQ_CST);
	__atomic_store_n(&broken_events, breaks[__i__].events, __ATOMIC_SEQ_CST);
	if (!thread)
		push(&from, 1);
	if (breaks[__i__].is_eos) {
		m = message(&from, GST_MESSAGE_EOS | GST_MESSAGE_ERROR, NULL);
		fail_unless_equals_int(GST_MESSAGE_TYPE(m), GST_MESSAGE_EOS);
		gst_message_unref(m);
	} else {
		expect_error(&from, GST_RESOURCE_ERROR_WRITE, g_strerror(breaks[__i__].error));
	}
	if (thread)
		g_thread_join(thread);
	fail_unless(gst_bus_pop_filtered(from.bus, GST_MESSAGE_EOS) == NULL);
	done(&from);
	done(&to);
}
GST_END_TEST;

static const struct {
	const char *description, *part;
} refused[] = {
	{ "dccpsink ccid=marc,none", "not a list of CCIDs" },
	{ "dccpsink ccid=256", "not a list of CCIDs" },
	{ "dccpsink ccid=254", "not available" },
	{ "dccpsink service-code=long-one", "service-code" },
	{ "dccpsink address=no.such.host.invalid", "no.such.host.invalid" },
	{ "dccpsink preset=none", "preset=none" },
	{ "dccpsink ccid=marc target-delay=4000000", "'target_delay' = 4, expected: delay" },
	{ "dccpsink target-delay=1500000000", "whole milliseconds" },
	{ "dccpsink target-delay=20000001", "whole milliseconds" },
	{ "dccpsink ccid=ccid3,2 target-delay=20000000", "expected marc, raar" },
	{ "dccpsink parameters=\"tcp,a=1\"", "must be marc" },
	{ "dccpsink parameters=\"all,a=[marc,beta=800],b=[raar,beta=0]\"", "(1 to 999)" },
	{ "dccpsink parameters=\"all,a=[all,b=[marc,beta=800]]\"", "a list in a list" },
	{ "dccpsink parameters=\"ltfrc,k=friendly\"", "tcp-friendly (8), bounded" },
	{ "dccpsink parameters=\"marc,loss_history=8\"", "'loss_history' at the sender" },
	{ "dccpsrc parameters=\"marc,beta=8\"", "'beta' at the receiver" },
	{ "dccpsink parameters=\"marc,beta=much\"", "in 10^-3 (0 to 1000)" },
	{ "dccpsink parameters=\"marc,beta=-1\"", "'beta' = -1, expected: decay" },
	{ "dccpsink parameters=\"marc,beta=70000\"", "'beta' = 70000, expected: decay" },
	{ "dccpsink parameters=\"marc,beta=2000\"", "'beta' = 2000, expected: decay" },
	{ "dccpsink parameters=\"ctfaf,rungs=<8000>\"", "rungs are" },
	{ "dccpsink parameters=\"ctfaf,rungs=<8000,4000>\"", "rungs are" },
	{ "dccpsink parameters=\"ltfrc,k=0,a=<1,2>\"", "expected an array" },
	{ "dccpsink ccid=dvrc layers=<2000,1000>", "1 to 16 cumulative rates" },
	{ "dccpsink ccid=ctfaf layers=<1000,9000>", "at most three times" },
	{ "dccpsink ccid=marc layers=<1000,2000>", "expected dvrc or ctfaf" },
	{ "dccpsink ccid=dvrc layers=<1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17>",
	  "there are 17" },
	{ "dccpsrc layers=<2000,1000>", "1 to 16 cumulative rates" },
};

/* Nothing that is refused is forgotten. */
GST_START_TEST(test_refused_settings)
{
	GstElement *element;
	struct end e = prepare(refused[__i__].description, &element);

	fail_unless_equals_int(gst_element_set_state(element, GST_STATE_PAUSED),
			       GST_STATE_CHANGE_FAILURE);
	expect_error(&e, strstr(refused[__i__].part, "no.such") ? GST_RESOURCE_ERROR_NOT_FOUND :
								 GST_RESOURCE_ERROR_SETTINGS,
		     refused[__i__].part);
	release(&e, element);
}
GST_END_TEST;

static const char *const accepted[] = {
	"preset=paper",
	"parameters=\"marc,beta=800,clock=rfc5348,decay=time,lag=true\"",
	"parameters=\"raar,beta=500\"",
	"parameters=\"ltfrc,k=bounded-friendly,bounded=1\"",
	"parameters=\"ltfrc,k=0,a=<65536,-32768,0,-1>\"",
	"parameters=\"dvrc,gamma=800,slow_start=false\"",
	"parameters=\"ctfaf,algorithm=tfrc,rungs=<8000,16000,40000>\"",
	"parameters=\"all,a=[marc,beta=800],b=[ctfaf,interval=1000]\"",
	"ccid=dvrc layers=<10000,20000,40000>",
	"ccid=dvrc,ctfaf,ccid3 layers=<10000,20000,40000>",
	"ccid=marc,raar,ltfrc,dvrc,ctfaf,2 target-delay=20000000",
	"ccid=raar target-delay=0",
	"ccid=\"marc, 249,ccid3\"",
};

GST_START_TEST(test_accepted_settings)
{
	gchar *text = g_strdup_printf("dccpsink mode=server address=127.0.0.1 port=6030 %s",
				      accepted[__i__]);
	GstElement *element;
	struct end e = prepare(text, &element);

	g_free(text);
	fail_unless(gst_element_set_state(element, GST_STATE_PAUSED) != GST_STATE_CHANGE_FAILURE,
		    "%s", accepted[__i__]);
	release(&e, element);
}
GST_END_TEST;

static gboolean has_dccp(void)
{
	int fd = socket(AF_INET, 6 /* SOCK_DCCP */, 33 /* IPPROTO_DCCP */);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

int main(int argc, char **argv)
{
	Suite *suite = suite_create("dccp");
	TCase *stream = tcase_create("stream"), *queue = tcase_create("queue");
	TCase *errors = tcase_create("errors");

	gst_check_init(&argc, &argv);
	if (!has_dccp()) {
		g_print("There is no DCCP here: lab/run -- selftests/gstreamer.py\n");
		return SKIP;
	}
	suite_add_tcase(suite, stream);
	tcase_add_test(stream, test_stream);
	tcase_add_test(stream, test_empty);
	tcase_add_test(stream, test_again);
	tcase_add_test(stream, test_source_again);
	tcase_add_test(stream, test_caps_time_and_latency);
	tcase_add_test(stream, test_no_caps);
	tcase_add_test(stream, test_sizes);
	tcase_add_test(stream, test_live_constraints);
	tcase_add_test(stream, test_live_list);
	tcase_add_test(stream, test_taken_away);
	tcase_add_loop_test(stream, test_rungs_taken_away, 0, 2);
	tcase_add_test(stream, test_refused_in_part);
	tcase_add_loop_test(stream, test_each_scheme, 0, 5);
	tcase_add_test(stream, test_server_sends);
	tcase_add_loop_test(stream, test_families, 0, 2);
	tcase_add_test(stream, test_next_address);
	tcase_add_test(stream, test_one_address);
	tcase_add_test(stream, test_server_without_ipv6);
	tcase_add_test(stream, test_peer_sends);
	tcase_add_test(stream, test_poll_is_wrong);
	tcase_add_loop_test(stream, test_viewer_fails, 0, G_N_ELEMENTS(viewer_errors));
	tcase_add_test(stream, test_sender_aborts);
	tcase_add_test(stream, test_stats);
	tcase_add_loop_test(stream, test_layers, 0, G_N_ELEMENTS(layered));
	tcase_add_test(stream, test_highest_layer_is_dropped);
	tcase_add_test(stream, test_base_layer_without_viewer);
	tcase_add_test(stream, test_untagged);
	suite_add_tcase(suite, queue);
	tcase_add_test(queue, test_oldest_are_dropped);
	tcase_add_test(queue, test_old_ones_are_dropped);
	tcase_add_test(queue, test_wait_and_unlock);
	tcase_add_test(queue, test_pause_while_waiting);
	tcase_add_test(queue, test_pause_at_the_end);
	tcase_add_test(queue, test_flush);
	tcase_add_test(queue, test_flush_at_the_end);
	tcase_add_test(queue, test_loop);
	tcase_add_loop_test(queue, test_repeat, 0, 2);
	tcase_add_test(queue, test_client_after_the_end);
	tcase_add_test(queue, test_no_linger);
	tcase_add_test(queue, test_linger_ends);
	tcase_add_test(queue, test_end_not_leaky);
	tcase_add_test(queue, test_end_before_viewer);
	tcase_add_loop_test(queue, test_end_while_connecting, 0, 2);
	tcase_add_test(queue, test_linger_for_the_kernel);
	tcase_add_test(queue, test_ready_at_the_end);
	tcase_add_test(queue, test_receiver_goes_at_the_end);
	tcase_add_test(queue, test_unlock_source);
	tcase_add_test(queue, test_unlock_connected_source);
	tcase_add_test(queue, test_unlock_while_connecting);
	tcase_add_test(queue, test_timeout);
	tcase_add_test(queue, test_set_while_waiting);
	suite_add_tcase(suite, errors);
	tcase_add_test(errors, test_refused);
	tcase_add_test(errors, test_refused_without_errno);
	tcase_add_test(errors, test_no_common_ccid);
	tcase_add_test(errors, test_service_code);
	tcase_add_test(errors, test_too_large);
	tcase_add_test(errors, test_send_fails);
	tcase_add_test(errors, test_error_first);
	tcase_add_test(errors, test_receiver_goes);
	tcase_add_loop_test(errors, test_connection_breaks, 0, G_N_ELEMENTS(breaks));
	tcase_add_loop_test(errors, test_refused_settings, 0, G_N_ELEMENTS(refused));
	tcase_add_loop_test(errors, test_accepted_settings, 0, G_N_ELEMENTS(accepted));
	return gst_check_run_suite(suite, "dccp", __FILE__);
}
