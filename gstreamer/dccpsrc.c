// SPDX-License-Identifier: GPL-2.0-only
/*
 * dccpsrc: each datagram that comes over DCCP is a buffer.
 *
 * It listens and takes one connection, or connects to a server. All of it is done by the
 * streaming thread. Buffers have the time at which they came. When the peer closes the
 * connection, the stream ends with EOS.
 *
 * The lock protects the properties, what a connection was made with, the sockets, and whether
 * the element is unlocked. Only the streaming thread, and start() and stop() while there is
 * none, change the sockets.
 */
#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>
#include <gst/base/gstpushsrc.h>
#include <linux/sock_diag.h>

#include "conn.h"
#include "elements.h"

GST_DEBUG_CATEGORY_STATIC(debug);
#define GST_CAT_DEFAULT	debug

enum {
	PROP_CAPS = PROP_OWN,
	PROP_TIMEOUT,
};

struct _GstDccpSrc {
	GstPushSrc			parent;
	GMutex				lock;
	struct gst_dccp_settings	settings;	/* what the properties say */
	struct gst_dccp_settings	used;		/* by this connection */
	GstCaps				*caps;
	GstClockTime			timeout;

	gboolean			flushing;
	int				wake;		/* eventfd: this, or a property */
	gint64				connect_until, next_stats, idle_since;
	guint8				*packet;
	int				listener, fd;	/* or -1 */
	gboolean			connected;
};

static GstStaticPadTemplate src_template =
	GST_STATIC_PAD_TEMPLATE("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

G_DEFINE_TYPE_WITH_CODE(GstDccpSrc, gst_dccp_src, GST_TYPE_PUSH_SRC,
	GST_DEBUG_CATEGORY_INIT(debug, "dccpsrc", 0, "DCCP source"))
GST_ELEMENT_REGISTER_DEFINE(dccpsrc, "dccpsrc", GST_RANK_NONE, GST_TYPE_DCCP_SRC)

/* ------------------------------------------------------------ the streaming thread */

static void post(GstDccpSrc *self, GstStructure *s)
{
	gst_element_post_message(GST_ELEMENT(self), gst_message_new_element(GST_OBJECT(self), s));
}

static GstStructure *stats(GstDccpSrc *self, struct gst_dccp_state *state)
{
	g_mutex_lock(&self->lock);
	gst_dccp_read_state(self->fd, FALSE, state);
	g_mutex_unlock(&self->lock);
	return gst_dccp_state_structure(state, FALSE);
}

/* Post the messages that are due, and say when the next one is; -1: never. */
static gint64 post_due(GstDccpSrc *self)
{
	gint64 now = g_get_monotonic_time(), until = -1, interval, timeout;
	struct gst_dccp_state state;

	g_mutex_lock(&self->lock);
	interval = GST_TIME_AS_USECONDS(self->settings.stats_interval);
	timeout = GST_TIME_AS_USECONDS(self->timeout);
	g_mutex_unlock(&self->lock);
	if (interval && self->connected) {
		/* The interval may have become shorter. */
		self->next_stats = MIN(self->next_stats, now + interval);
		if (now >= self->next_stats) {
			post(self, stats(self, &state));
			self->next_stats = now + interval;
		}
		until = self->next_stats;
	}
	if (timeout) {
		if (now >= self->idle_since + timeout) {
			post(self, gst_structure_new("GstDccpSrcTimeout", "timeout", G_TYPE_UINT64,
						     timeout * GST_USECOND, NULL));
			self->idle_since = now;
		}
		until = until < 0 ? self->idle_since + timeout :
				    MIN(until, self->idle_since + timeout);
	}
	return until;
}

static gboolean unlocked(GstDccpSrc *self)
{
	gboolean flushing;

	g_mutex_lock(&self->lock);
	flushing = self->flushing;
	g_mutex_unlock(&self->lock);
	return flushing;
}

/*
 * Wait for events of a socket; 0: unlocked, or @until (-1: never) is over. A property that is
 * set meanwhile may change when the next message is due.
 */
static int wait_for(GstDccpSrc *self, int fd, int wanted, gint64 until)
{
	eventfd_t count;
	gint64 next;
	int events;

	while (!unlocked(self)) {
		next = post_due(self);
		if (until >= 0)
			next = next < 0 ? until : MIN(next, until);
		events = gst_dccp_wait(fd, wanted, self->wake, next);
		eventfd_read(self->wake, &count);
		if (unlocked(self))
			break;
		if (events || (until >= 0 && g_get_monotonic_time() >= until))
			return events;
	}
	return 0;
}

static GstFlowReturn accept_one(GstDccpSrc *self)
{
	int fd;

	do {
		if (!wait_for(self, self->listener, POLLIN, -1))
			return GST_FLOW_FLUSHING;
		fd = accept4(self->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	} while (fd < 0 && (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED));
	if (fd < 0) {
		gst_dccp_error(GST_ELEMENT(self), GST_RESOURCE_ERROR_OPEN_READ,
			       g_strdup_printf("a sender cannot be accepted: %s", g_strerror(errno)));
		return GST_FLOW_ERROR;
	}
	g_mutex_lock(&self->lock);
	self->fd = fd;
	/* Others are refused. */
	close(self->listener);
	self->listener = -1;
	g_mutex_unlock(&self->lock);
	GST_INFO_OBJECT(self, "a sender has connected");
	return GST_FLOW_OK;
}

static GstFlowReturn finish_connecting(GstDccpSrc *self)
{
	int events = wait_for(self, self->fd, POLLOUT, self->connect_until), err = -1;
	struct gst_dccp_settings used;

	if (!events && unlocked(self))
		return GST_FLOW_FLUSHING;
	g_mutex_lock(&self->lock);
	used = gst_dccp_settings_copy(&self->used);
	g_mutex_unlock(&self->lock);
	if (events)
		err = gst_dccp_connected(GST_ELEMENT(self), &used, self->fd);
	else
		gst_dccp_no_answer(GST_ELEMENT(self), &used, self->fd);
	gst_dccp_settings_clear(&used);
	return err ? GST_FLOW_ERROR : GST_FLOW_OK;
}

/* Whether packets wait in the socket. */
static gboolean unread(int fd)
{
	guint32 memory[SK_MEMINFO_VARS] = { 0 };
	socklen_t len = sizeof(memory);

	return !getsockopt(fd, SOL_SOCKET, SO_MEMINFO, memory, &len) &&
	       memory[SK_MEMINFO_RMEM_ALLOC];
}

/* At the end of a connection that was broken off recv() returns 0, too. */
static GstFlowReturn ended(GstDccpSrc *self, int err)
{
	if (!err)
		return GST_FLOW_EOS;
	gst_dccp_error(GST_ELEMENT(self), GST_RESOURCE_ERROR_READ,
		       g_strdup_printf("the connection is broken (%s): the sender has aborted it, or its host does not answer; start both ends anew",
				       g_strerror(err)));
	return GST_FLOW_ERROR;
}

static GstFlowReturn receive(GstDccpSrc *self, GstBuffer **buffer)
{
	ssize_t n;
	int events;

	/* Where there is always data, nothing waits. */
	post_due(self);
	for (;;) {
		n = recv(self->fd, self->packet, GST_DCCP_PACKET_MAX, MSG_DONTWAIT);
		if (n > 0)
			break;
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return ended(self, errno);
		events = wait_for(self, self->fd, POLLIN | POLLRDHUP, -1);
		if (!events)
			return GST_FLOW_FLUSHING;
		/* 0 bytes are the end, or an empty datagram with others behind it. */
		if (!n && events & (POLLRDHUP | POLLHUP) && !unread(self->fd))
			return ended(self, gst_dccp_failure(self->fd));
	}
	self->idle_since = g_get_monotonic_time();
	*buffer = gst_buffer_new_memdup(self->packet, n);
	return GST_FLOW_OK;
}

static GstFlowReturn create(GstPushSrc *src, GstBuffer **buffer)
{
	GstDccpSrc *self = GST_DCCP_SRC(src);
	GstFlowReturn ret;

	if (!self->connected) {
		ret = self->fd < 0 ? accept_one(self) : finish_connecting(self);
		if (ret != GST_FLOW_OK)
			return ret;
		self->connected = TRUE;
		self->idle_since = g_get_monotonic_time();
	}
	return receive(self, buffer);
}

/* ------------------------------------------------------------ the base class */

static gboolean start(GstBaseSrc *src)
{
	GstDccpSrc *self = GST_DCCP_SRC(src);
	struct gst_dccp_settings used;
	gboolean server;
	int fd;

	g_mutex_lock(&self->lock);
	used = gst_dccp_settings_copy(&self->settings);
	g_mutex_unlock(&self->lock);
	fd = gst_dccp_open(GST_ELEMENT(self), &used);
	if (fd < 0) {
		gst_dccp_settings_clear(&used);
		return FALSE;
	}
	server = used.mode == GST_DCCP_SERVER;
	self->packet = g_malloc(GST_DCCP_PACKET_MAX);
	self->connected = FALSE;
	self->next_stats = 0;
	self->idle_since = g_get_monotonic_time();
	self->connect_until = self->idle_since +
			      GST_TIME_AS_USECONDS(used.connect_timeout);
	g_mutex_lock(&self->lock);
	gst_dccp_settings_clear(&self->used);
	self->used = used;
	self->fd = server ? -1 : fd;
	self->listener = server ? fd : -1;
	g_mutex_unlock(&self->lock);
	return TRUE;
}

static gboolean stop(GstBaseSrc *src)
{
	GstDccpSrc *self = GST_DCCP_SRC(src);

	g_mutex_lock(&self->lock);
	if (self->fd >= 0)
		close(self->fd);
	if (self->listener >= 0)
		close(self->listener);
	self->fd = self->listener = -1;
	g_mutex_unlock(&self->lock);
	g_free(self->packet);
	self->packet = NULL;
	return TRUE;
}

static void set_flushing(GstDccpSrc *self, gboolean flushing)
{
	g_mutex_lock(&self->lock);
	self->flushing = flushing;
	g_mutex_unlock(&self->lock);
	eventfd_write(self->wake, 1);
}

static gboolean unlock(GstBaseSrc *src)
{
	set_flushing(GST_DCCP_SRC(src), TRUE);
	return TRUE;
}

static gboolean unlock_stop(GstBaseSrc *src)
{
	set_flushing(GST_DCCP_SRC(src), FALSE);
	return TRUE;
}

static GstCaps *get_caps(GstBaseSrc *src, GstCaps *filter)
{
	GstDccpSrc *self = GST_DCCP_SRC(src);
	GstCaps *caps, *both;

	g_mutex_lock(&self->lock);
	caps = self->caps ? gst_caps_ref(self->caps) : gst_caps_new_any();
	g_mutex_unlock(&self->lock);
	if (!filter)
		return caps;
	both = gst_caps_intersect_full(filter, caps, GST_CAPS_INTERSECT_FIRST);
	gst_caps_unref(caps);
	return both;
}

/* ------------------------------------------------------------ properties, class */

static void set_property(GObject *object, guint id, const GValue *v, GParamSpec *spec)
{
	GstDccpSrc *self = GST_DCCP_SRC(object);
	gboolean new_caps = FALSE;
	const GstCaps *caps;
	gchar *why = NULL;

	g_mutex_lock(&self->lock);
	if (gst_dccp_is_live(id) && (self->fd >= 0 || self->listener >= 0))
		why = gst_dccp_change(&self->used, id, v, self->fd, self->listener);
	if (!why && !gst_dccp_settings_set(&self->settings, id, v)) {
		switch (id) {
		case PROP_CAPS:
			caps = gst_value_get_caps(v);
			gst_caps_replace(&self->caps, NULL);
			self->caps = caps ? gst_caps_copy(caps) : NULL;
			new_caps = TRUE;
			break;
		case PROP_TIMEOUT:
			self->timeout = g_value_get_uint64(v);
			break;
		default:
			G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
		}
	}
	g_mutex_unlock(&self->lock);
	eventfd_write(self->wake, 1);
	if (new_caps)
		gst_pad_mark_reconfigure(GST_BASE_SRC_PAD(self));
	if (why)
		gst_dccp_warning(GST_ELEMENT(self), GST_RESOURCE_ERROR_SETTINGS, why);
}

static void get_property(GObject *object, guint id, GValue *v, GParamSpec *spec)
{
	GstDccpSrc *self = GST_DCCP_SRC(object);
	struct gst_dccp_state state;
	GstStructure *s = stats(self, &state);

	g_mutex_lock(&self->lock);
	if (!gst_dccp_settings_get(&self->settings, id, v)) {
		switch (id) {
		case PROP_STATS:
			g_value_set_boxed(v, s);
			break;
		case PROP_RTT:
			g_value_set_uint64(v, state.rtt);
			break;
		case PROP_LOSS_EVENT_RATE:
			g_value_set_double(v, state.loss_event_rate);
			break;
		case PROP_LAYERS_ALLOWED:
			g_value_set_uint(v, state.layers_allowed);
			break;
		case PROP_CAPS:
			gst_value_set_caps(v, self->caps);
			break;
		case PROP_TIMEOUT:
			g_value_set_uint64(v, self->timeout);
			break;
		default:
			G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
		}
	}
	g_mutex_unlock(&self->lock);
	gst_structure_free(s);
}

static void finalize(GObject *object)
{
	GstDccpSrc *self = GST_DCCP_SRC(object);

	gst_dccp_settings_clear(&self->settings);
	gst_dccp_settings_clear(&self->used);
	gst_caps_replace(&self->caps, NULL);
	close(self->wake);
	g_mutex_clear(&self->lock);
	G_OBJECT_CLASS(gst_dccp_src_parent_class)->finalize(object);
}

static void gst_dccp_src_init(GstDccpSrc *self)
{
	gst_dccp_settings_init(&self->settings, FALSE);
	self->fd = self->listener = -1;
	self->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	g_mutex_init(&self->lock);
	gst_base_src_set_live(GST_BASE_SRC(self), TRUE);
	gst_base_src_set_format(GST_BASE_SRC(self), GST_FORMAT_TIME);
	gst_base_src_set_do_timestamp(GST_BASE_SRC(self), TRUE);
}

static void gst_dccp_src_class_init(GstDccpSrcClass *klass)
{
	GstBaseSrcClass *base = GST_BASE_SRC_CLASS(klass);
	GstElementClass *element = GST_ELEMENT_CLASS(klass);
	GObjectClass *object = G_OBJECT_CLASS(klass);
	GParamFlags rw = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING;

	object->set_property = set_property;
	object->get_property = get_property;
	object->finalize = finalize;
	gst_dccp_install_properties(object, FALSE);
	g_object_class_install_property(object, PROP_CAPS,
		g_param_spec_boxed("caps", "Caps", "Caps of the stream, which DCCP does not carry, such as application/x-rtp,media=video,clock-rate=90000,encoding-name=VP8 (none: any)",
				   GST_TYPE_CAPS, rw));
	g_object_class_install_property(object, PROP_TIMEOUT,
		g_param_spec_uint64("timeout", "Timeout",
			"Post an element message GstDccpSrcTimeout when nothing has come for so long, ns (0: none)",
			0, G_MAXINT64, 0, rw));

	base->start = start;
	base->stop = stop;
	base->unlock = unlock;
	base->unlock_stop = unlock_stop;
	base->get_caps = get_caps;
	GST_PUSH_SRC_CLASS(klass)->create = create;
	gst_element_class_add_static_pad_template(element, &src_template);
	gst_element_class_set_static_metadata(element, "DCCP source", "Source/Network",
		"Receive datagrams over DCCP, each as a buffer", "The dccp-ccids developers");
}
