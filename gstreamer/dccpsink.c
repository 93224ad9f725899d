// SPDX-License-Identifier: GPL-2.0-only
/*
 * dccpsink: each buffer is sent as a datagram over DCCP.
 *
 * The congestion control paces the packets, so they wait: a few in the kernel's transmit
 * queue, the others in a queue of the element. A thread sends them when the kernel has
 * room. It also connects (or listens), reports the state, and closes the connection. The
 * streaming thread only appends to the queue.
 *
 * When the queue is full, or a packet has waited for too long, the oldest packet is dropped
 * and a QoS message says so; what is new is worth more to a live stream. With leaky=false
 * the streaming thread waits instead.
 *
 * The lock protects everything below it. It is not held while a thread waits, posts a
 * message, or closes a connection.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>
#include <gst/base/gstbasesink.h>
#include <linux/dccp_ccid.h>

#include "conn.h"
#include "elements.h"

#ifndef SOL_DCCP
#define SOL_DCCP	269
#endif

GST_DEBUG_CATEGORY_STATIC(debug);
#define GST_CAT_DEFAULT	debug

/* Least time between QoS messages */
#define QOS_INTERVAL	(100 * G_TIME_SPAN_MILLISECOND)

enum {
	PROP_ALLOWED_BITRATE = PROP_OWN,
	PROP_LEAKY,
	PROP_QUEUE_PACKETS,
	PROP_QUEUE_TIME,
	PROP_TX_QUEUE,
	PROP_LINGER,
};

enum phase { IDLE, LISTENING, CONNECTING, CONNECTED, FAILED };

struct _GstDccpSink {
	GstBaseSink			parent;
	struct gst_dccp_settings	settings;
	gboolean			leaky;
	guint				queue_packets;
	GstClockTime			queue_time;
	guint				linger;

	GThread				*thread;
	int				wake;		/* eventfd, for the thread */
	GMutex				lock;
	GCond				changed;
	enum phase			phase;
	int				listener, fd;	/* or -1 */
	GQueue				queue;		/* of struct packet */
	gboolean			flushing, ending, ended, quit;
	guint64				sent, dropped;
	gint64				said;		/* time of the last QoS message */
	guint64				dropped_said;
};

struct packet {
	GstBuffer	*buffer;
	gint64		since;
};

static GstStaticPadTemplate sink_template =
	GST_STATIC_PAD_TEMPLATE("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

G_DEFINE_TYPE_WITH_CODE(GstDccpSink, gst_dccp_sink, GST_TYPE_BASE_SINK,
	GST_DEBUG_CATEGORY_INIT(debug, "dccpsink", 0, "DCCP sink"))
GST_ELEMENT_REGISTER_DEFINE(dccpsink, "dccpsink", GST_RANK_NONE, GST_TYPE_DCCP_SINK)

static void wake(GstDccpSink *self)
{
	eventfd_write(self->wake, 1);
}

static void free_packet(struct packet *p)
{
	gst_buffer_unref(p->buffer);
	g_free(p);
}

/* ------------------------------------------------------------ state and messages */

/* Called with the lock. */
static GstStructure *stats(GstDccpSink *self, struct gst_dccp_state *state)
{
	GstStructure *s;

	gst_dccp_read_state(self->fd, TRUE, state);
	s = gst_dccp_state_structure(state, TRUE);
	gst_structure_set(s, "packets-queued", G_TYPE_UINT, g_queue_get_length(&self->queue),
			  "packets-sent", G_TYPE_UINT64, self->sent,
			  "packets-dropped", G_TYPE_UINT64, self->dropped, NULL);
	return s;
}

static void post_stats(GstDccpSink *self)
{
	struct gst_dccp_state state;
	GstStructure *s;

	g_mutex_lock(&self->lock);
	s = stats(self, &state);
	g_mutex_unlock(&self->lock);
	gst_element_post_message(GST_ELEMENT(self), gst_message_new_element(GST_OBJECT(self), s));
}

/* Called with the lock, which it gives up. */
static void post_qos(GstDccpSink *self, GstBuffer *buffer)
{
	GstClockTime pts = GST_BUFFER_PTS(buffer), running = GST_CLOCK_TIME_NONE;
	GstSegment *segment = &GST_BASE_SINK(self)->segment;
	GstMessage *m;

	if (GST_CLOCK_TIME_IS_VALID(pts) && segment->format == GST_FORMAT_TIME)
		running = gst_segment_to_running_time(segment, GST_FORMAT_TIME, pts);
	m = gst_message_new_qos(GST_OBJECT(self), TRUE, running, GST_CLOCK_TIME_NONE, pts,
				GST_BUFFER_DURATION(buffer));
	gst_message_set_qos_stats(m, GST_FORMAT_BUFFERS, self->sent, self->dropped);
	self->said = g_get_monotonic_time();
	self->dropped_said = self->dropped;
	g_mutex_unlock(&self->lock);
	gst_element_post_message(GST_ELEMENT(self), m);
	g_mutex_lock(&self->lock);
}

/* Called with the lock, which it may give up. */
static void drop_oldest(GstDccpSink *self)
{
	struct packet *p = g_queue_pop_head(&self->queue);

	self->dropped++;
	g_cond_broadcast(&self->changed);
	if (g_get_monotonic_time() - self->said >= QOS_INTERVAL)
		post_qos(self, p->buffer);
	free_packet(p);
}

/* ------------------------------------------------------------ the sending thread */

/* The connection cannot go on. Called with the lock, which it gives up. */
static void failed(GstDccpSink *self, gchar *text)
{
	self->phase = FAILED;
	g_queue_clear_full(&self->queue, (GDestroyNotify)free_packet);
	g_cond_broadcast(&self->changed);
	g_mutex_unlock(&self->lock);
	if (text)
		gst_dccp_error(GST_ELEMENT(self), GST_RESOURCE_ERROR_WRITE, text);
	g_mutex_lock(&self->lock);
}

/* A viewer who has just come can decode nothing before the next key frame. */
static void ask_for_key_frame(GstDccpSink *self)
{
	GstStructure *s = gst_structure_new("GstForceKeyUnit", "running-time", GST_TYPE_CLOCK_TIME,
					    GST_CLOCK_TIME_NONE, "all-headers", G_TYPE_BOOLEAN,
					    TRUE, "count", G_TYPE_UINT, 0, NULL);

	gst_pad_push_event(GST_BASE_SINK_PAD(self),
			   gst_event_new_custom(GST_EVENT_CUSTOM_UPSTREAM, s));
}

/* Called with the lock, which it may give up. */
static void accept_viewer(GstDccpSink *self)
{
	int fd = accept4(self->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

	if (fd < 0) {
		if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED)
			failed(self, g_strdup_printf("a viewer cannot be accepted: %s",
						     g_strerror(errno)));
		return;
	}
	self->fd = fd;
	self->phase = CONNECTED;
	g_mutex_unlock(&self->lock);
	GST_INFO_OBJECT(self, "a viewer has connected");
	ask_for_key_frame(self);
	g_mutex_lock(&self->lock);
}

/* Called with the lock, which it may give up. */
static void connected(GstDccpSink *self)
{
	g_mutex_unlock(&self->lock);
	if (gst_dccp_connected(GST_ELEMENT(self), &self->settings, self->fd)) {
		g_mutex_lock(&self->lock);
		failed(self, NULL);
		return;
	}
	GST_INFO_OBJECT(self, "connected");
	g_mutex_lock(&self->lock);
	self->phase = CONNECTED;
}

/* The peer has gone: a server waits for the next one. Called with the lock. */
static void peer_gone(GstDccpSink *self)
{
	if (self->settings.mode == GST_DCCP_CLIENT) {
		failed(self, g_strdup("the receiver has closed the connection"));
		return;
	}
	GST_INFO_OBJECT(self, "the viewer has gone");
	close(self->fd);
	self->fd = -1;
	self->phase = LISTENING;
}

static void set_layer(GstDccpSink *self, GstBuffer *buffer, struct msghdr *msg)
{
	GstCustomMeta *meta = gst_buffer_get_custom_meta(buffer, GST_DCCP_LAYER_META);
	struct cmsghdr *c = CMSG_FIRSTHDR(msg);
	guint layer = 1;
	guint32 priority;

	if (meta)
		gst_structure_get_uint(gst_custom_meta_get_structure(meta), "layer", &layer);
	priority = DCCP_DVRC_PRIORITY(CLAMP(layer, 1, self->settings.n_layers));
	c->cmsg_level = SOL_DCCP;
	c->cmsg_type = DCCP_SCM_PRIORITY;
	c->cmsg_len = CMSG_LEN(sizeof(priority));
	memcpy(CMSG_DATA(c), &priority, sizeof(priority));
}

static ssize_t send_buffer(GstDccpSink *self, GstBuffer *buffer)
{
	union {
		struct cmsghdr	header;
		char		space[CMSG_SPACE(sizeof(guint32))];
	} control = { };
	struct iovec iov;
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	GstMapInfo map;
	ssize_t n;

	if (!gst_buffer_map(buffer, &map, GST_MAP_READ)) {
		errno = EFAULT;
		return -1;
	}
	iov.iov_base = map.data;
	iov.iov_len = map.size;
	if (self->settings.n_layers) {
		msg.msg_control = control.space;
		msg.msg_controllen = sizeof(control.space);
		set_layer(self, buffer, &msg);
	}
	n = sendmsg(self->fd, &msg, MSG_DONTWAIT | MSG_NOSIGNAL);
	gst_buffer_unmap(buffer, &map);
	return n;
}

static gchar *too_large(GstDccpSink *self, GstBuffer *buffer)
{
	int mps = 0;
	socklen_t len = sizeof(mps);

	getsockopt(self->fd, SOL_DCCP, DCCP_SOCKOPT_GET_CUR_MPS, &mps, &len);
	return g_strdup_printf("a buffer of %" G_GSIZE_FORMAT " bytes does not fit in a packet of this path: set mtu=%d at the RTP payloader (each buffer is a datagram)",
			       gst_buffer_get_size(buffer), mps);
}

/* Send what the kernel has room for. Called with the lock, which it may give up. */
static void send_queue(GstDccpSink *self)
{
	struct packet *p;

	while ((p = g_queue_peek_head(&self->queue))) {
		if (send_buffer(self, p->buffer) < 0) {
			switch (errno) {
			case EAGAIN:
			case EINTR:
				return;
			case EMSGSIZE:
				failed(self, too_large(self, p->buffer));
				return;
			case EPIPE:
			case ENOTCONN:
			case ECONNRESET:
				peer_gone(self);
				return;
			default:
				failed(self, g_strdup_printf("a packet cannot be sent: %s",
							     g_strerror(errno)));
				return;
			}
		}
		g_queue_pop_head(&self->queue);
		free_packet(p);
		self->sent++;
		g_cond_broadcast(&self->changed);
	}
}

/* Drop what has waited for too long. Called with the lock, which it may give up. */
static void expire(GstDccpSink *self)
{
	gint64 age = GST_TIME_AS_USECONDS(self->queue_time);
	struct packet *p;

	while ((p = g_queue_peek_head(&self->queue)) && self->leaky && age &&
	       g_get_monotonic_time() - p->since >= age)
		drop_oldest(self);
	/* Drops shortly after a message have none of their own. */
	if (p && self->dropped > self->dropped_said &&
	    g_get_monotonic_time() - self->said >= QOS_INTERVAL)
		post_qos(self, p->buffer);
}

/*
 * The end of the stream: send what is in the kernel's queue, and close. Called with the
 * lock, which it gives up, since close() waits.
 */
static void end(GstDccpSink *self)
{
	struct linger linger = { .l_onoff = 1, .l_linger = self->linger };
	int fd = self->fd;

	self->fd = -1;
	self->phase = IDLE;
	g_queue_clear_full(&self->queue, (GDestroyNotify)free_packet);
	g_mutex_unlock(&self->lock);
	if (fd >= 0) {
		setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
		close(fd);
	}
	g_mutex_lock(&self->lock);
	self->ended = TRUE;
	g_cond_broadcast(&self->changed);
}

/* What the peer sends is not ours; at the end of the connection there is nothing. */
static gboolean peer_closes(GstDccpSink *self, int events)
{
	char ignored[64];

	if (events & POLLIN)
		while (recv(self->fd, ignored, sizeof(ignored), MSG_DONTWAIT) > 0)
			;
	return events & (POLLRDHUP | POLLHUP | POLLERR);
}

static void handle(GstDccpSink *self, int events)
{
	if (self->phase == LISTENING && events & POLLIN)
		accept_viewer(self);
	else if (self->phase == CONNECTING && events & (POLLOUT | POLLERR | POLLHUP))
		connected(self);
	else if (self->phase == CONNECTED && peer_closes(self, events))
		peer_gone(self);
}

static gint64 sooner(gint64 a, gint64 b)
{
	return a < 0 ? b : b < 0 ? a : MIN(a, b);
}

/* When the thread has something to do, whatever happens; -1: never */
static gint64 deadline(GstDccpSink *self, gint64 connect_until, gint64 next_stats,
		       gint64 end_until)
{
	gint64 until = self->phase == CONNECTED ? next_stats : -1;
	struct packet *p = g_queue_peek_head(&self->queue);

	if (self->phase == CONNECTING)
		until = connect_until;
	if (self->ending && !self->ended)
		until = sooner(until, end_until);
	if (self->leaky && self->queue_time && p)
		until = sooner(until, p->since + (gint64)GST_TIME_AS_USECONDS(self->queue_time));
	return until;
}

static int wanted(GstDccpSink *self)
{
	switch (self->phase) {
	case LISTENING:
		return POLLIN;
	case CONNECTING:
		return POLLOUT;
	case CONNECTED:
		return POLLIN | POLLRDHUP | POLLPRI |
		       (g_queue_is_empty(&self->queue) ? 0 : POLLOUT);
	default:
		return 0;
	}
}

static gpointer work(gpointer data)
{
	GstDccpSink *self = data;
	gint64 connect_until, next_stats = 0, end_until = 0, now;
	GstClockTime interval;
	eventfd_t count;
	int events, fd;

	connect_until = g_get_monotonic_time() +
			GST_TIME_AS_USECONDS(self->settings.connect_timeout);
	g_mutex_lock(&self->lock);
	while (!self->quit) {
		fd = self->phase == LISTENING ? self->listener :
		     self->phase == FAILED ? -1 : self->fd;
		events = wanted(self);
		interval = GST_TIME_AS_USECONDS(self->settings.stats_interval);
		now = deadline(self, connect_until, interval ? next_stats : -1, end_until);
		g_mutex_unlock(&self->lock);
		events = gst_dccp_wait(fd, events, self->wake, now);
		now = g_get_monotonic_time();
		/* K or the rate has moved to another rung, or it is time. */
		if (self->phase == CONNECTED &&
		    (events & POLLPRI || (interval && now >= next_stats))) {
			next_stats = now + interval;
			post_stats(self);
		}
		g_mutex_lock(&self->lock);
		eventfd_read(self->wake, &count);
		handle(self, events);
		if (self->phase == CONNECTING && now >= connect_until) {
			g_mutex_unlock(&self->lock);
			gst_dccp_no_answer(GST_ELEMENT(self), &self->settings, fd);
			g_mutex_lock(&self->lock);
			failed(self, NULL);
		}
		if (self->phase == CONNECTED)
			send_queue(self);
		expire(self);
		if (!self->ending || self->ended)
			continue;
		end_until = end_until ?: now + self->linger * G_TIME_SPAN_SECOND;
		if (self->phase == LISTENING || self->phase == FAILED || now >= end_until ||
		    (self->phase == CONNECTED && g_queue_is_empty(&self->queue)))
			end(self);
	}
	g_mutex_unlock(&self->lock);
	return NULL;
}

/* ------------------------------------------------------------ the base class */

static gboolean start(GstBaseSink *sink)
{
	GstDccpSink *self = GST_DCCP_SINK(sink);
	gboolean server = self->settings.mode == GST_DCCP_SERVER;
	int fd = gst_dccp_open(GST_ELEMENT(self), &self->settings);

	if (fd < 0)
		return FALSE;
	self->fd = server ? -1 : fd;
	self->listener = server ? fd : -1;
	self->phase = server ? LISTENING : CONNECTING;
	self->flushing = self->ending = self->ended = self->quit = FALSE;
	self->sent = self->dropped = self->dropped_said = 0;
	self->said = 0;
	self->thread = g_thread_new("dccpsink", work, self);
	return TRUE;
}

static gboolean stop(GstBaseSink *sink)
{
	GstDccpSink *self = GST_DCCP_SINK(sink);

	g_mutex_lock(&self->lock);
	self->quit = TRUE;
	g_mutex_unlock(&self->lock);
	wake(self);
	g_thread_join(self->thread);
	if (self->fd >= 0)
		close(self->fd);
	if (self->listener >= 0)
		close(self->listener);
	self->fd = self->listener = -1;
	self->phase = IDLE;
	g_queue_clear_full(&self->queue, (GDestroyNotify)free_packet);
	return TRUE;
}

static gboolean unlock(GstBaseSink *sink)
{
	GstDccpSink *self = GST_DCCP_SINK(sink);

	g_mutex_lock(&self->lock);
	self->flushing = TRUE;
	g_cond_broadcast(&self->changed);
	g_mutex_unlock(&self->lock);
	return TRUE;
}

static gboolean unlock_stop(GstBaseSink *sink)
{
	GstDccpSink *self = GST_DCCP_SINK(sink);

	g_mutex_lock(&self->lock);
	self->flushing = FALSE;
	g_mutex_unlock(&self->lock);
	return TRUE;
}

/* Called with the lock. */
static GstFlowReturn make_room(GstDccpSink *self)
{
	while (self->phase != FAILED && !self->ended &&
	       g_queue_get_length(&self->queue) >= self->queue_packets) {
		if (self->leaky) {
			drop_oldest(self);
			continue;
		}
		if (self->flushing)
			return GST_FLOW_FLUSHING;
		g_cond_wait(&self->changed, &self->lock);
	}
	return self->phase == FAILED ? GST_FLOW_ERROR : self->ended ? GST_FLOW_EOS : GST_FLOW_OK;
}

static GstFlowReturn render(GstBaseSink *sink, GstBuffer *buffer)
{
	GstDccpSink *self = GST_DCCP_SINK(sink);
	struct packet *p;
	GstFlowReturn ret;

	g_mutex_lock(&self->lock);
	ret = make_room(self);
	if (ret == GST_FLOW_OK) {
		p = g_new(struct packet, 1);
		p->buffer = gst_buffer_ref(buffer);
		p->since = g_get_monotonic_time();
		g_queue_push_tail(&self->queue, p);
	}
	g_mutex_unlock(&self->lock);
	wake(self);
	return ret;
}

/* Before the EOS message is posted, everything must be sent, or its time be over. */
static gboolean wait_for_end(GstDccpSink *self)
{
	gboolean ok;

	g_mutex_lock(&self->lock);
	self->ending = TRUE;
	wake(self);
	while (!self->ended && !self->flushing)
		g_cond_wait(&self->changed, &self->lock);
	ok = self->ended;
	g_mutex_unlock(&self->lock);
	return ok;
}

static gboolean event(GstBaseSink *sink, GstEvent *e)
{
	if (GST_EVENT_TYPE(e) == GST_EVENT_EOS && !wait_for_end(GST_DCCP_SINK(sink))) {
		gst_event_unref(e);
		return FALSE;
	}
	return GST_BASE_SINK_CLASS(gst_dccp_sink_parent_class)->event(sink, e);
}

/* ------------------------------------------------------------ properties, class */

static void set_property(GObject *object, guint id, const GValue *v, GParamSpec *spec)
{
	GstDccpSink *self = GST_DCCP_SINK(object);

	g_mutex_lock(&self->lock);
	if (!gst_dccp_settings_set(&self->settings, id, v)) {
		switch (id) {
		case PROP_LEAKY:
			self->leaky = g_value_get_boolean(v);
			break;
		case PROP_QUEUE_PACKETS:
			self->queue_packets = g_value_get_uint(v);
			break;
		case PROP_QUEUE_TIME:
			self->queue_time = g_value_get_uint64(v);
			break;
		case PROP_TX_QUEUE:
			self->settings.tx_queue = g_value_get_uint(v);
			break;
		case PROP_LINGER:
			self->linger = g_value_get_uint(v);
			break;
		default:
			G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
		}
	}
	g_mutex_unlock(&self->lock);
	wake(self);
}

/* Called with the lock. */
static void get_state(GstDccpSink *self, guint id, GValue *v)
{
	struct gst_dccp_state state;
	GstStructure *s = stats(self, &state);

	if (id == PROP_STATS)
		g_value_set_boxed(v, s);
	else if (id == PROP_RTT)
		g_value_set_uint64(v, state.rtt);
	else if (id == PROP_LOSS_EVENT_RATE)
		g_value_set_double(v, state.loss_event_rate);
	else if (id == PROP_LAYERS_ALLOWED)
		g_value_set_uint(v, state.layers_allowed);
	else
		g_value_set_uint64(v, state.allowed);
	gst_structure_free(s);
}

static void get_property(GObject *object, guint id, GValue *v, GParamSpec *spec)
{
	GstDccpSink *self = GST_DCCP_SINK(object);

	g_mutex_lock(&self->lock);
	if (!gst_dccp_settings_get(&self->settings, id, v)) {
		switch (id) {
		case PROP_STATS:
		case PROP_RTT:
		case PROP_LOSS_EVENT_RATE:
		case PROP_LAYERS_ALLOWED:
		case PROP_ALLOWED_BITRATE:
			get_state(self, id, v);
			break;
		case PROP_LEAKY:
			g_value_set_boolean(v, self->leaky);
			break;
		case PROP_QUEUE_PACKETS:
			g_value_set_uint(v, self->queue_packets);
			break;
		case PROP_QUEUE_TIME:
			g_value_set_uint64(v, self->queue_time);
			break;
		case PROP_TX_QUEUE:
			g_value_set_uint(v, self->settings.tx_queue);
			break;
		case PROP_LINGER:
			g_value_set_uint(v, self->linger);
			break;
		default:
			G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
		}
	}
	g_mutex_unlock(&self->lock);
}

static void finalize(GObject *object)
{
	GstDccpSink *self = GST_DCCP_SINK(object);

	gst_dccp_settings_clear(&self->settings);
	g_queue_clear_full(&self->queue, (GDestroyNotify)free_packet);
	close(self->wake);
	g_mutex_clear(&self->lock);
	g_cond_clear(&self->changed);
	G_OBJECT_CLASS(gst_dccp_sink_parent_class)->finalize(object);
}

static void gst_dccp_sink_init(GstDccpSink *self)
{
	gst_dccp_settings_init(&self->settings, TRUE);
	self->leaky = TRUE;
	self->queue_packets = 200;
	self->queue_time = 400 * GST_MSECOND;
	self->linger = 2;
	self->fd = self->listener = -1;
	self->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	g_mutex_init(&self->lock);
	g_cond_init(&self->changed);
	g_queue_init(&self->queue);
}

static void gst_dccp_sink_class_init(GstDccpSinkClass *klass)
{
	GstBaseSinkClass *base = GST_BASE_SINK_CLASS(klass);
	GstElementClass *element = GST_ELEMENT_CLASS(klass);
	GObjectClass *object = G_OBJECT_CLASS(klass);
	GParamFlags rw = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;

	object->set_property = set_property;
	object->get_property = get_property;
	object->finalize = finalize;
	gst_dccp_install_properties(object, TRUE);
	g_object_class_install_property(object, PROP_ALLOWED_BITRATE,
		g_param_spec_uint64("allowed-bitrate", "Allowed bitrate",
			"Rate that the congestion control allows, the lesser of X and X_inst, bit/s (0: unknown, before the first packet or with CCID 2)",
			0, G_MAXUINT64, 0, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
	g_object_class_install_property(object, PROP_LEAKY,
		g_param_spec_boolean("leaky", "Leaky",
			"When the queue is full, drop the oldest packet and post a QoS message; if false, wait",
			TRUE, rw));
	g_object_class_install_property(object, PROP_QUEUE_PACKETS,
		g_param_spec_uint("queue-packets", "Packets in the queue",
			"Packets that may wait", 1, G_MAXUINT, 200, rw));
	g_object_class_install_property(object, PROP_QUEUE_TIME,
		g_param_spec_uint64("queue-time", "Time in the queue",
			"If leaky, how long a packet may wait, ns (0: no limit)", 0,
			G_MAXINT64, 400 * GST_MSECOND, rw));
	g_object_class_install_property(object, PROP_TX_QUEUE,
		g_param_spec_uint("tx-queue", "Packets in the kernel's queue",
			"Packets in the kernel's transmit queue, which are not dropped", 1,
			10000, GST_DCCP_TX_QUEUE, rw | GST_PARAM_MUTABLE_READY));
	g_object_class_install_property(object, PROP_LINGER,
		g_param_spec_uint("linger", "Linger",
			"At EOS, how long to send what is still queued, s", 0, 3600, 2, rw));

	base->start = start;
	base->stop = stop;
	base->unlock = unlock;
	base->unlock_stop = unlock_stop;
	base->render = render;
	base->event = event;
	gst_element_class_add_static_pad_template(element, &sink_template);
	gst_element_class_set_static_metadata(element, "DCCP sink", "Sink/Network",
		"Send each buffer as a datagram over DCCP, at the rate that the congestion control allows",
		"The dccp-ccids developers");
}
