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
 * the streaming thread waits instead, at the end of the stream too: for a viewer, and until
 * all is sent.
 *
 * The end of the stream is the end of a client's connection. A server refuses viewers then,
 * until a flush begins a new stream.
 *
 * With layers, packets of layers above K are kept back when it is their turn. The highest
 * layer is dropped first, and the base layer only when the queue is full of it, because
 * without it nothing can be decoded.
 *
 * The lock protects everything below it, and the properties. It is not held while a thread
 * waits, posts a message, or closes a connection. What a connection was made with is a copy
 * of the settings.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <gst/base/gstbasesink.h>
#include <linux/dccp_ccid.h>
#include <linux/sockios.h>

#include "conn.h"
#include "elements.h"

#ifndef SOL_DCCP
#define SOL_DCCP	269
#endif

GST_DEBUG_CATEGORY_STATIC(debug);
#define GST_CAT_DEFAULT	debug

/* A layer that was left is joined again when it has fit for so long. */
#define HOLD	(1 * G_TIME_SPAN_SECOND)

/* At the end, how often to look whether the kernel has sent its queue: poll() does not say it. */
#define DRAIN_INTERVAL	(10 * G_TIME_SPAN_MILLISECOND)

/*
 * A viewer who answers nothing for so long is left. A host that was away for up to half of
 * this still comes back in time, because after an outage the next packet may wait for about
 * as long again. It is also how long a server of RTSP waits by default (RFC 7826).
 */
#define ANSWER_TIMEOUT	60	/* s */

/*
 * The kernel without dccp_core says POLLOUT whether or not there is room. Where send() says
 * that there is none, poll() is not asked for so long.
 */
#define RETRY_INTERVAL	(1 * G_TIME_SPAN_MILLISECOND)

/* How often to look for answers */
#define LOOK_INTERVAL	(1 * G_TIME_SPAN_SECOND)

/* How many of the peer's packets are read at a time */
#define READS	64

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
	GThread				*thread;
	int				wake;		/* eventfd, for the thread */
	GMutex				lock;
	GCond				changed;
	struct gst_dccp_settings	settings;	/* what the properties say */
	struct gst_dccp_settings	used;		/* by this connection */
	gboolean			leaky;
	guint				queue_packets;
	GstClockTime			queue_time;
	guint				linger;

	enum phase			phase;
	int				listener, fd;	/* or -1 */
	GQueue				queue;		/* of struct packet */
	gboolean			flushing, ending, ended, quit;
	gint64				end_until;	/* of what ends, once connected */
	gint64				retry_at;	/* when to ask for room; 0: now */
	guint64				sent, dropped, kept_back;
	gint64				said;		/* time of the last QoS message */
	guint64				dropped_said;
	gint64				look_at;	/* when to look for answers of the viewer */
	gint64				answered;	/* time of the last one */
	guint64				answers;
	guint32				overdue;	/* reports, at that time */
	guint				k, k_said;	/* layers that may be sent; 0: unknown */
	gboolean			left;		/* a layer has been left */
	gint64				fits_since;	/* the next layer; -1: it does not */
};

struct packet {
	GstBuffer	*buffer;
	GstClockTime	running;
	gint64		since;
	guint		layer;
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

/* Nothing is known of a new connection. */
static void reset_k(GstDccpSink *self)
{
	self->k = 0;
	self->left = FALSE;
	self->fits_since = -1;
}

/*
 * K, the number of layers that may be sent. A layer is left at once. Afterwards one layer
 * after the other is joined when it has fit for some time. Called with the lock.
 */
static void update_k(GstDccpSink *self, const struct gst_dccp_state *state)
{
	gint64 now = g_get_monotonic_time();
	guint fit = gst_dccp_layers_fit(&self->used, state);

	if (self->phase != CONNECTED || !self->k || fit <= self->k || !self->left) {
		self->left |= fit < self->k;
		self->k = self->phase == CONNECTED ? fit : 0;
		self->fits_since = -1;
	} else if (self->fits_since < 0) {
		self->fits_since = now;
	} else if (now - self->fits_since >= HOLD) {
		self->k++;
		self->fits_since = -1;
	}
}

/* Called with the lock. */
static GstStructure *stats(GstDccpSink *self, struct gst_dccp_state *state)
{
	GstStructure *s;

	gst_dccp_read_state(self->fd, TRUE, state);
	update_k(self, state);
	state->layers_allowed = self->k;
	s = gst_dccp_state_structure(state, TRUE);
	gst_structure_set(s, "packets-queued", G_TYPE_UINT, g_queue_get_length(&self->queue),
			  "packets-sent", G_TYPE_UINT64, self->sent,
			  "packets-dropped", G_TYPE_UINT64, self->dropped,
			  "packets-kept-back", G_TYPE_UINT64, self->kept_back, NULL);
	return s;
}

static void post_stats(GstDccpSink *self)
{
	struct gst_dccp_state state;
	GstStructure *s;

	g_mutex_lock(&self->lock);
	s = stats(self, &state);
	self->k_said = self->k;
	g_mutex_unlock(&self->lock);
	gst_element_post_message(GST_ELEMENT(self), gst_message_new_element(GST_OBJECT(self), s));
}

/* Called with the lock, which it gives up. */
static void post_qos(GstDccpSink *self, const struct packet *p)
{
	GstMessage *m = gst_message_new_qos(GST_OBJECT(self), TRUE, p->running,
					    GST_CLOCK_TIME_NONE, GST_BUFFER_PTS(p->buffer),
					    GST_BUFFER_DURATION(p->buffer));

	gst_message_set_qos_stats(m, GST_FORMAT_BUFFERS, self->sent, self->dropped);
	self->said = g_get_monotonic_time();
	self->dropped_said = self->dropped;
	g_mutex_unlock(&self->lock);
	gst_element_post_message(GST_ELEMENT(self), m);
	g_mutex_lock(&self->lock);
}

/* The oldest packet of the highest layer. Called with the lock. */
static GList *least_useful(GstDccpSink *self)
{
	GList *link, *least = self->queue.head;

	for (link = least; link; link = link->next)
		if (((struct packet *)link->data)->layer > ((struct packet *)least->data)->layer)
			least = link;
	return least;
}

/*
 * The oldest packet whose time in the queue is limited, or NULL. With layers that of the first
 * one is not, but for a viewer who has not come yet it is. Called with the lock.
 */
static GList *oldest(GstDccpSink *self)
{
	GList *link = self->queue.head;

	if (!self->leaky || !self->queue_time)
		return NULL;
	while (link && self->used.n_layers && self->phase != LISTENING &&
	       ((struct packet *)link->data)->layer == 1)
		link = link->next;
	return link;
}

/* Called with the lock, which it may give up. */
static void drop(GstDccpSink *self, GList *link)
{
	struct packet *p = link->data;

	g_queue_delete_link(&self->queue, link);
	self->dropped++;
	g_cond_broadcast(&self->changed);
	if (g_get_monotonic_time() - self->said >= QOS_INTERVAL)
		post_qos(self, p);
	free_packet(p);
}

/* ------------------------------------------------------------ the sending thread */

/*
 * The connection cannot go on. The error comes before the streaming thread hears of it, whose
 * elements post another one, which says less. Called with the lock, which it gives up.
 */
static void failed(GstDccpSink *self, gchar *text)
{
	g_mutex_unlock(&self->lock);
	if (text)
		gst_dccp_error(GST_ELEMENT(self), GST_RESOURCE_ERROR_WRITE, text);
	g_mutex_lock(&self->lock);
	self->phase = FAILED;
	g_queue_clear_full(&self->queue, (GDestroyNotify)free_packet);
	g_cond_broadcast(&self->changed);
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
	self->look_at = self->answered = g_get_monotonic_time();
	self->answers = self->overdue = 0;
	g_mutex_unlock(&self->lock);
	GST_INFO_OBJECT(self, "a viewer has connected");
	ask_for_key_frame(self);
	g_mutex_lock(&self->lock);
}

/*
 * The time of what is ending begins with the end of the stream, and again with the connection:
 * until then connect-timeout is the limit. Called with the lock.
 */
static void linger(GstDccpSink *self)
{
	self->end_until = g_get_monotonic_time() + self->linger * G_TIME_SPAN_SECOND;
}

/*
 * connect() has ended, or its time is over. Called with the lock, which it may give up to
 * post an error.
 */
static void connected(GstDccpSink *self, gboolean in_time)
{
	struct gst_dccp_settings used = gst_dccp_settings_copy(&self->used);
	gboolean ok = in_time;

	g_mutex_unlock(&self->lock);
	if (in_time)
		ok = !gst_dccp_connected(GST_ELEMENT(self), &used, self->fd);
	else
		gst_dccp_no_answer(GST_ELEMENT(self), &used, self->fd);
	gst_dccp_settings_clear(&used);
	g_mutex_lock(&self->lock);
	if (!ok) {
		failed(self, NULL);
		return;
	}
	self->phase = CONNECTED;
	linger(self);
}

/* The stream has ended, and the kernel has the last of it. Called with the lock. */
static gboolean draining(GstDccpSink *self)
{
	return self->ending && !self->ended && self->phase == CONNECTED &&
	       g_queue_is_empty(&self->queue);
}

/* Whether the kernel has sent it. Called with the lock. */
static gboolean drained(GstDccpSink *self)
{
	int bytes = 0;

	return ioctl(self->fd, SIOCOUTQ, &bytes) || !bytes;
}

/* Whether the wait for the rest of the stream has a limit. Called with the lock. */
static gboolean lingers(GstDccpSink *self)
{
	return self->ending && !self->ended && self->leaky && self->phase == CONNECTED;
}

/*
 * Whether the stream, which is ending, is over. Without leaky nothing is given up that may still
 * be sent, also to a viewer who has not come yet. Called with the lock.
 */
static gboolean over(GstDccpSink *self, gint64 now)
{
	switch (self->phase) {
	case LISTENING:
		return self->leaky || g_queue_is_empty(&self->queue);
	case CONNECTING:
		return FALSE;
	case CONNECTED:
		return (lingers(self) && now >= self->end_until) ||
		       (draining(self) && drained(self));
	default:
		return FALSE;
	}
}

/*
 * The end of the stream: close the connection, and refuse viewers, who would wait for ever. The
 * socket that listened keeps its port and its options. What is left in the kernel's queue is
 * sent in the background. Nobody waits for that in close(), where a change of state would not
 * end the wait. A flush may come meanwhile, so all else is done before. Called with the lock,
 * which it gives up.
 */
static void end(GstDccpSink *self)
{
	int fd = self->fd;

	self->fd = -1;
	self->phase = IDLE;
	self->ended = TRUE;
	if (self->listener >= 0)
		shutdown(self->listener, SHUT_RD);
	self->dropped += g_queue_get_length(&self->queue);
	g_queue_clear_full(&self->queue, (GDestroyNotify)free_packet);
	g_mutex_unlock(&self->lock);
	if (fd >= 0)
		close(fd);
	g_mutex_lock(&self->lock);
	g_cond_broadcast(&self->changed);
}

/*
 * Why there is no connection any more. Without an error the peer has closed it; with ECONNRESET
 * it did so before it had read all.
 */
static gchar *why_gone(int err)
{
	if (!err)
		return g_strdup("the receiver has closed the connection");
	if (err == ECONNRESET)
		return g_strdup_printf("the receiver has closed the connection (%s)",
				       g_strerror(err));
	return g_strdup_printf("the connection is broken (%s): the receiver's host does not answer, or knows nothing of it; start both ends anew",
			       g_strerror(err));
}

/*
 * The peer has gone, or the connection is broken (@err): a server waits for the next one. At
 * the end of the stream a receiver who closes may have what it wanted. Called with the lock,
 * which it may give up.
 */
static void peer_gone(GstDccpSink *self, int err)
{
	if (self->used.mode == GST_DCCP_CLIENT) {
		if (draining(self) && (!err || err == ECONNRESET))
			end(self);
		else
			failed(self, why_gone(err));
		return;
	}
	if (err)
		GST_WARNING_OBJECT(self, "the viewer is left: %s", g_strerror(err));
	else
		GST_INFO_OBJECT(self, "the viewer has gone");
	close(self->fd);
	self->fd = -1;
	self->phase = LISTENING;
	reset_k(self);
}

/*
 * The viewer's host has vanished, or its reports do not come. What the kernel still has is of
 * no use, so the connection is aborted: a viewer who can hear it learns the truth. Called with
 * the lock, which it may give up.
 */
static void give_up(GstDccpSink *self)
{
	struct linger at_once = { .l_onoff = 1 };

	setsockopt(self->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	peer_gone(self, ETIMEDOUT);
	g_mutex_unlock(&self->lock);
	gst_dccp_warning(GST_ELEMENT(self), GST_RESOURCE_ERROR_WRITE,
			 g_strdup_printf("the viewer has not answered for %d s, and is left: its host has vanished, or its packets are lost on the way",
					 ANSWER_TIMEOUT));
	g_mutex_lock(&self->lock);
}

/*
 * Does the viewer of a server still answer? Without reports the rate falls, until packets
 * always wait in the kernel. If none does, the stream may just be slow or paused, and
 * nothing is owed. A long silence alone proves nothing either: CTFAF's reports may come each
 * minute, so one must be overdue. CCID 2 and CCID 3 count neither, but let fewer and fewer
 * packets into the network, so there a packet that leaves is the answer. Called with the
 * lock, which it may give up.
 */
static void look_for_answers(GstDccpSink *self, gint64 now)
{
	guint32 feedbacks, overdue = self->overdue;
	gboolean counted = gst_dccp_read_answers(self->fd, &feedbacks, &overdue);
	guint64 answers = counted ? feedbacks : self->sent;

	self->look_at = now + LOOK_INTERVAL;
	if (answers != self->answers || drained(self)) {
		self->answers = answers;
		self->overdue = overdue;
		self->answered = now;
	} else if (now - self->answered >= ANSWER_TIMEOUT * G_TIME_SPAN_SECOND &&
		   (!counted || overdue != self->overdue)) {
		give_up(self);
	}
}

static ssize_t send_buffer(GstDccpSink *self, GstBuffer *buffer)
{
	GstMapInfo map;
	ssize_t n;

	if (!gst_buffer_map(buffer, &map, GST_MAP_READ)) {
		errno = EFAULT;
		return -1;
	}
	n = send(self->fd, map.data, map.size, MSG_DONTWAIT | MSG_NOSIGNAL);
	gst_buffer_unmap(buffer, &map);
	return n;
}

/* Whether a packet is of a layer above K. Called with the lock. */
static gboolean keep_back(GstDccpSink *self, const struct packet *p)
{
	struct gst_dccp_state state;

	if (!self->used.n_layers)
		return FALSE;
	gst_dccp_read_state(self->fd, TRUE, &state);
	update_k(self, &state);
	return p->layer > self->k;
}

static gchar *too_large(GstDccpSink *self, GstBuffer *buffer)
{
	int mps = 0;
	socklen_t len = sizeof(mps);

	getsockopt(self->fd, SOL_DCCP, DCCP_SOCKOPT_GET_CUR_MPS, &mps, &len);
	return g_strdup_printf("a buffer of %" G_GSIZE_FORMAT " bytes does not fit in a packet of this path: set mtu=%d at the RTP payloader (each buffer is a datagram)",
			       gst_buffer_get_size(buffer), mps);
}

/*
 * A path with a small MTU is one viewer's, so a server goes on with the next one. The packet
 * may be too large for all of them, so it is not kept. Called with the lock, which it may
 * give up.
 */
static void not_fitting(GstDccpSink *self)
{
	GList *head = self->queue.head;
	gchar *text = too_large(self, ((struct packet *)head->data)->buffer);

	if (self->used.mode == GST_DCCP_CLIENT) {
		failed(self, text);
		return;
	}
	peer_gone(self, EMSGSIZE);
	drop(self, head);
	g_mutex_unlock(&self->lock);
	gst_dccp_warning(GST_ELEMENT(self), GST_RESOURCE_ERROR_WRITE, text);
	g_mutex_lock(&self->lock);
}

/*
 * send() gives an error. Each but a buffer that cannot be read is one of this connection, and
 * says why the kernel has given it up: with a server, it is the viewer's. Called with the
 * lock, which it may give up.
 */
static void not_sent(GstDccpSink *self, int err)
{
	switch (err) {
	case EAGAIN:
	case EINTR:
		break;
	case EMSGSIZE:
		not_fitting(self);
		break;
	case EPIPE:
	case ENOTCONN:
		/* send() would have said why, if there was an error. */
		peer_gone(self, 0);
		break;
	case ECONNRESET:
		peer_gone(self, err);
		break;
	default:
		if (self->used.mode == GST_DCCP_SERVER && err != EFAULT) {
			peer_gone(self, err);
			break;
		}
		failed(self, g_strdup_printf("a packet cannot be sent: %s", g_strerror(err)));
	}
}

/*
 * Send what the kernel has room for. poll() was wrong if it said POLLOUT and there is none.
 * Called with the lock, which it may give up.
 */
static void send_queue(GstDccpSink *self, int events)
{
	guint64 sent = self->sent;
	struct packet *p;
	int err;

	while ((p = g_queue_peek_head(&self->queue))) {
		if (keep_back(self, p)) {
			g_queue_pop_head(&self->queue);
			free_packet(p);
			self->kept_back++;
			g_cond_broadcast(&self->changed);
			continue;
		}
		if (send_buffer(self, p->buffer) < 0) {
			err = errno;
			if (err == EAGAIN && events & POLLOUT && self->sent == sent)
				self->retry_at = g_get_monotonic_time() + RETRY_INTERVAL;
			not_sent(self, err);
			return;
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
	GList *link;

	while ((link = oldest(self)) &&
	       g_get_monotonic_time() - ((struct packet *)link->data)->since >= age)
		drop(self, link);
	/* Drops shortly after a message have none of their own. */
	p = g_queue_peek_head(&self->queue);
	if (p && self->dropped > self->dropped_said &&
	    g_get_monotonic_time() - self->said >= QOS_INTERVAL)
		post_qos(self, p);
}

/*
 * What the peer sends is not ours; at the end of the connection there is nothing. A peer that
 * sends all the time does not keep this thread from its own work: poll() tells of the rest.
 * Whoever asks first for the error of the connection (@err) gets it, recv() too.
 */
static gboolean peer_closes(GstDccpSink *self, int events, int *err)
{
	char ignored[64];
	ssize_t n;
	int i;

	/* Without POLLERR it would be an old report of the network, which ended nothing. */
	*err = events & POLLERR ? gst_dccp_failure(self->fd) : 0;
	for (i = 0; events & POLLIN && !*err && i < READS; i++) {
		n = recv(self->fd, ignored, sizeof(ignored), MSG_DONTWAIT);
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			*err = errno;
		if (n <= 0)
			break;
	}
	return *err || events & (POLLRDHUP | POLLHUP | POLLERR);
}

static void handle(GstDccpSink *self, int events)
{
	int err;

	if (self->phase == LISTENING && events & POLLIN)
		accept_viewer(self);
	else if (self->phase == CONNECTING && events & (POLLOUT | POLLERR | POLLHUP))
		connected(self, TRUE);
	else if (self->phase == CONNECTED && peer_closes(self, events, &err))
		peer_gone(self, err);
}

static gint64 sooner(gint64 a, gint64 b)
{
	return a < 0 ? b : b < 0 ? a : MIN(a, b);
}

/* When the thread has something to do, whatever happens; -1: never */
static gint64 deadline(GstDccpSink *self, gint64 connect_until, gint64 next_stats)
{
	gint64 until = self->phase == CONNECTED ? next_stats : -1;
	GList *link = oldest(self);

	if (self->phase == CONNECTING)
		until = connect_until;
	if (self->phase == CONNECTED && self->used.mode == GST_DCCP_SERVER)
		until = sooner(until, self->look_at);
	if (lingers(self))
		until = sooner(until, self->end_until);
	if (self->retry_at)
		until = sooner(until, self->retry_at);
	if (draining(self))
		until = sooner(until, g_get_monotonic_time() + DRAIN_INTERVAL);
	if (link)
		until = sooner(until, ((struct packet *)link->data)->since +
				      (gint64)GST_TIME_AS_USECONDS(self->queue_time));
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
		       (g_queue_is_empty(&self->queue) || self->retry_at ? 0 : POLLOUT);
	default:
		return 0;
	}
}

static gpointer work(gpointer data)
{
	GstDccpSink *self = data;
	gint64 connect_until, next_stats = 0, interval, now;
	eventfd_t count;
	int events, fd;

	g_mutex_lock(&self->lock);
	connect_until = g_get_monotonic_time() +
			GST_TIME_AS_USECONDS(self->used.connect_timeout);
	while (!self->quit) {
		fd = self->phase == LISTENING ? self->listener :
		     self->phase == FAILED ? -1 : self->fd;
		events = wanted(self);
		interval = GST_TIME_AS_USECONDS(self->used.stats_interval);
		/* It may have become shorter. */
		next_stats = MIN(next_stats, g_get_monotonic_time() + interval);
		now = deadline(self, connect_until, interval ? next_stats : -1);
		g_mutex_unlock(&self->lock);
		events = gst_dccp_wait(fd, events, self->wake, now);
		now = g_get_monotonic_time();
		g_mutex_lock(&self->lock);
		/* K or the rate has moved to another rung, or it is time. */
		if (self->phase == CONNECTED &&
		    (events & POLLPRI || self->k != self->k_said ||
		     (interval && now >= next_stats))) {
			next_stats = now + interval;
			g_mutex_unlock(&self->lock);
			post_stats(self);
			g_mutex_lock(&self->lock);
		}
		eventfd_read(self->wake, &count);
		handle(self, events);
		if (self->retry_at && now >= self->retry_at) {
			/* As if poll() had said that there may be room. */
			self->retry_at = 0;
			events |= POLLOUT;
		}
		if (self->phase == CONNECTING && now >= connect_until)
			connected(self, FALSE);
		if (self->phase == CONNECTED && self->used.mode == GST_DCCP_SERVER &&
		    now >= self->look_at)
			look_for_answers(self, now);
		if (self->phase == CONNECTED)
			send_queue(self, events);
		expire(self);
		if (self->ending && !self->ended && over(self, now))
			end(self);
	}
	g_mutex_unlock(&self->lock);
	return NULL;
}

/* ------------------------------------------------------------ the base class */

static gboolean start(GstDccpSink *self)
{
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
	g_mutex_lock(&self->lock);
	gst_dccp_settings_clear(&self->used);
	self->used = used;
	self->fd = server ? -1 : fd;
	self->listener = server ? fd : -1;
	self->phase = server ? LISTENING : CONNECTING;
	self->flushing = self->ending = self->ended = self->quit = FALSE;
	self->sent = self->dropped = self->dropped_said = self->kept_back = 0;
	self->said = self->retry_at = 0;
	self->k_said = 0;
	reset_k(self);
	self->thread = g_thread_new("dccpsink", work, self);
	g_mutex_unlock(&self->lock);
	return TRUE;
}

static void stop(GstDccpSink *self)
{
	g_mutex_lock(&self->lock);
	self->quit = TRUE;
	g_mutex_unlock(&self->lock);
	wake(self);
	g_thread_join(self->thread);
	g_mutex_lock(&self->lock);
	if (self->fd >= 0)
		close(self->fd);
	if (self->listener >= 0)
		close(self->listener);
	self->fd = self->listener = -1;
	self->phase = IDLE;
	self->k = 0;
	g_queue_clear_full(&self->queue, (GDestroyNotify)free_packet);
	g_mutex_unlock(&self->lock);
}

/*
 * There is a connection in PAUSED and PLAYING. The base class would begin with READY, in
 * which an application may still set properties, and would keep a stream that has ended.
 */
static GstStateChangeReturn change_state(GstElement *element, GstStateChange change)
{
	GstDccpSink *self = GST_DCCP_SINK(element);
	GstStateChangeReturn ret;

	if (change == GST_STATE_CHANGE_READY_TO_PAUSED && !start(self))
		return GST_STATE_CHANGE_FAILURE;
	ret = GST_ELEMENT_CLASS(gst_dccp_sink_parent_class)->change_state(element, change);
	if (change == GST_STATE_CHANGE_PAUSED_TO_READY ||
	    (change == GST_STATE_CHANGE_READY_TO_PAUSED && ret == GST_STATE_CHANGE_FAILURE))
		stop(self);
	return ret;
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

/*
 * Wait for what another thread changes. If the pipeline is paused meanwhile, the wait goes
 * on when it plays again. Called with the lock, which it gives up.
 */
static GstFlowReturn wait_for_change(GstDccpSink *self)
{
	GstFlowReturn ret;

	if (!self->flushing) {
		g_cond_wait(&self->changed, &self->lock);
		return GST_FLOW_OK;
	}
	g_mutex_unlock(&self->lock);
	ret = gst_base_sink_wait_preroll(GST_BASE_SINK(self));
	g_mutex_lock(&self->lock);
	return ret;
}

static gboolean full(GstDccpSink *self)
{
	return g_queue_get_length(&self->queue) >= self->queue_packets;
}

/*
 * A client's connection has ended with its stream, and what comes after a flush cannot be sent.
 * An EOS would look like another end. Called with the lock, which it gives up.
 */
static void comes_after_the_end(GstDccpSink *self)
{
	failed(self, g_strdup("the stream has ended: set the element to READY first (a buffer came after EOS and a flush, but a client closes its connection at EOS; expected a change of state before, which makes a new one)"));
}

/* Called with the lock, which it may give up. */
static GstFlowReturn wait_for_room(GstDccpSink *self)
{
	GstFlowReturn ret = GST_FLOW_OK;

	while (ret == GST_FLOW_OK && self->phase != FAILED && !self->ended && !self->leaky &&
	       full(self))
		ret = wait_for_change(self);
	if (ret != GST_FLOW_OK)
		return ret;
	if (self->phase != FAILED && self->ended)
		comes_after_the_end(self);
	return self->phase == FAILED ? GST_FLOW_ERROR : GST_FLOW_OK;
}

static struct packet *new_packet(GstDccpSink *self, GstBuffer *buffer)
{
	GstSegment *segment = &GST_BASE_SINK(self)->segment;
	struct packet *p = g_new0(struct packet, 1);

	p->buffer = gst_buffer_ref(buffer);
	p->since = g_get_monotonic_time();
	p->layer = CLAMP(gst_dccp_layer_of(buffer), 1, MAX(self->used.n_layers, 1));
	p->running = GST_CLOCK_TIME_NONE;
	if (GST_BUFFER_PTS_IS_VALID(buffer) && segment->format == GST_FORMAT_TIME)
		p->running = gst_segment_to_running_time(segment, GST_FORMAT_TIME,
							 GST_BUFFER_PTS(buffer));
	return p;
}

static GstFlowReturn render(GstBaseSink *sink, GstBuffer *buffer)
{
	GstDccpSink *self = GST_DCCP_SINK(sink);
	GstFlowReturn ret;

	g_mutex_lock(&self->lock);
	ret = wait_for_room(self);
	if (ret == GST_FLOW_OK) {
		g_queue_push_tail(&self->queue, new_packet(self, buffer));
		/* Without layers the first is the least useful, and the new one stays. */
		while (g_queue_get_length(&self->queue) > self->queue_packets)
			drop(self, least_useful(self));
	}
	g_mutex_unlock(&self->lock);
	wake(self);
	return ret;
}

/* Before the EOS message is posted, everything must be sent, or its time be over. */
static GstFlowReturn wait_event(GstBaseSink *sink, GstEvent *e)
{
	GstBaseSinkClass *parent = GST_BASE_SINK_CLASS(gst_dccp_sink_parent_class);
	GstFlowReturn ret = parent->wait_event(sink, e);
	GstDccpSink *self = GST_DCCP_SINK(sink);

	if (ret != GST_FLOW_OK || GST_EVENT_TYPE(e) != GST_EVENT_EOS)
		return ret;
	g_mutex_lock(&self->lock);
	self->ending = TRUE;
	linger(self);
	wake(self);
	while (ret == GST_FLOW_OK && !self->ended && self->phase != FAILED)
		ret = wait_for_change(self);
	/* After a flush the stream goes on. */
	if (ret != GST_FLOW_OK)
		self->ending = self->ended;
	/* What could not be sent is no end: the error stays the last word. */
	else if (self->phase == FAILED)
		ret = GST_FLOW_ERROR;
	g_mutex_unlock(&self->lock);
	return ret;
}

/*
 * A stream comes after the end of another one. A server is again as it was before the first
 * viewer, at the same port. Called with the lock, which it may give up.
 */
static void listen_again(GstDccpSink *self)
{
	if (listen(self->listener, GST_DCCP_BACKLOG)) {
		failed(self, g_strdup_printf("port %u: the element cannot listen again after the end of a stream (%s): does another program listen there?",
					     self->used.port, g_strerror(errno)));
		return;
	}
	self->phase = LISTENING;
	self->ending = self->ended = FALSE;
	reset_k(self);
}

/* What is flushed is not sent. */
static gboolean event(GstBaseSink *sink, GstEvent *e)
{
	GstDccpSink *self = GST_DCCP_SINK(sink);

	if (GST_EVENT_TYPE(e) == GST_EVENT_FLUSH_STOP) {
		g_mutex_lock(&self->lock);
		g_queue_clear_full(&self->queue, (GDestroyNotify)free_packet);
		if (self->phase == IDLE && self->listener >= 0)
			listen_again(self);
		g_mutex_unlock(&self->lock);
		wake(self);
	}
	return GST_BASE_SINK_CLASS(gst_dccp_sink_parent_class)->event(sink, e);
}

/* ------------------------------------------------------------ properties, class */

static void set_property(GObject *object, guint id, const GValue *v, GParamSpec *spec)
{
	GstDccpSink *self = GST_DCCP_SINK(object);
	gchar *why = NULL;

	g_mutex_lock(&self->lock);
	if (gst_dccp_is_live(id) && (self->fd >= 0 || self->listener >= 0))
		why = gst_dccp_change(&self->used, id, v, self->fd, self->listener);
	if (why) {
		g_mutex_unlock(&self->lock);
		gst_dccp_warning(GST_ELEMENT(self), GST_RESOURCE_ERROR_SETTINGS, why);
		return;
	}
	if (id == PROP_STATS_INTERVAL)
		self->used.stats_interval = g_value_get_uint64(v);
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
	g_cond_broadcast(&self->changed);
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
	gst_dccp_settings_clear(&self->used);
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
	GParamFlags live = rw | GST_PARAM_MUTABLE_PLAYING;

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
			"When the queue is full, drop the oldest packet, of the highest layer first, and post a QoS message; if false, wait, at EOS until all is sent",
			TRUE, live));
	g_object_class_install_property(object, PROP_QUEUE_PACKETS,
		g_param_spec_uint("queue-packets", "Packets in the queue",
			"How many packets may wait in the element", 1, G_MAXUINT, 200, live));
	g_object_class_install_property(object, PROP_QUEUE_TIME,
		g_param_spec_uint64("queue-time", "Time in the queue",
			"If leaky, how long a packet may wait in the element, ns (0: no limit); with layers, that of layer 1 may wait longer",
			0, G_MAXINT64, 400 * GST_MSECOND, live));
	g_object_class_install_property(object, PROP_TX_QUEUE,
		g_param_spec_uint("tx-queue", "Packets in the kernel's queue",
			"How many packets the kernel's transmit queue takes; they are not dropped", 1,
			10000, GST_DCCP_TX_QUEUE, rw | GST_PARAM_MUTABLE_READY));
	g_object_class_install_property(object, PROP_LINGER,
		g_param_spec_uint("linger", "Linger",
			"If leaky, how long a connected sink waits at EOS until what is queued is sent, s. Then the rest of the element's queue is dropped, and the kernel sends its own in the background, for 60 s at most (0: do not wait)",
			0, 3600, 2, live));

	element->change_state = change_state;
	base->unlock = unlock;
	base->unlock_stop = unlock_stop;
	base->render = render;
	base->event = event;
	base->wait_event = wait_event;
	gst_element_class_add_static_pad_template(element, &sink_template);
	gst_element_class_set_static_metadata(element, "DCCP sink", "Sink/Network",
		"Send each buffer as a datagram over DCCP, at the rate that the congestion control allows",
		"The dccp-ccids developers");
}
