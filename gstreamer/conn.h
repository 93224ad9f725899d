/* SPDX-License-Identifier: GPL-2.0-only */
/* DCCP sockets: what both elements set, do and read. */
#ifndef GST_DCCP_CONN_H
#define GST_DCCP_CONN_H

#include <gst/gst.h>

#define GST_DCCP_LAYERS_MAX	16
#define GST_DCCP_PACKET_MAX	65536

/* Packets in the kernel's queue: what is there can no longer be dropped. */
#define GST_DCCP_TX_QUEUE	5

/* Those whom a server has not accepted yet */
#define GST_DCCP_BACKLOG	1

typedef enum {
	GST_DCCP_CLIENT,
	GST_DCCP_SERVER,
} GstDccpMode;

/* Properties that both elements have; their numbers begin with 1. */
enum {
	PROP_0,
	PROP_ADDRESS,
	PROP_PORT,
	PROP_MODE,
	PROP_CCID,
	PROP_SERVICE_CODE,
	PROP_PRESET,
	PROP_PARAMETERS,
	PROP_LAYERS,
	PROP_UDP_PORT,
	PROP_CONNECT_TIMEOUT,
	PROP_STATS_INTERVAL,
	PROP_STATS,
	PROP_RTT,
	PROP_LOSS_EVENT_RATE,
	PROP_LAYERS_ALLOWED,
	PROP_TARGET_DELAY,	/* of the sink only */
	PROP_OWN,		/* first number of those that one element has */
};

struct gst_dccp_settings {
	gboolean	sending;
	gchar		*address;
	guint		port;
	GstDccpMode	mode;
	gchar		*ccid;
	gchar		*service_code;
	gchar		*preset;
	GstStructure	*parameters;
	guint32		layers[GST_DCCP_LAYERS_MAX];
	guint		n_layers;
	GstClockTime	target_delay;	/* GST_CLOCK_TIME_NONE: as the preset has it */
	gint		udp_port;
	guint		tx_queue;
	GstClockTime	connect_timeout;
	GstClockTime	stats_interval;
	GArray		*base;		/* what a socket had before preset and parameters */
};

/*
 * What a socket knows; 0 is unknown. Rates are in bit/s. @layers_allowed is K as the kernel
 * has it (DVRC).
 */
struct gst_dccp_state {
	gint		ccid;
	guint64		allowed;
	guint64		sent;
	guint64		received;
	GstClockTime	rtt;
	gdouble		loss_event_rate;
	guint		layers_allowed;
	guint64		packets;
	guint64		lost;
	guint64		marked;
};

void gst_dccp_install_properties(GObjectClass *klass, gboolean sending);
void gst_dccp_settings_init(struct gst_dccp_settings *s, gboolean sending);
void gst_dccp_settings_clear(struct gst_dccp_settings *s);
struct gst_dccp_settings gst_dccp_settings_copy(const struct gst_dccp_settings *s);
gboolean gst_dccp_settings_set(struct gst_dccp_settings *s, guint id, const GValue *v);
gboolean gst_dccp_settings_get(const struct gst_dccp_settings *s, guint id, GValue *v);

gboolean gst_dccp_is_live(guint id);
gchar *gst_dccp_change(struct gst_dccp_settings *used, guint id, const GValue *v, int fd,
		       int listener);
int gst_dccp_open(GstElement *e, struct gst_dccp_settings *s);
int gst_dccp_failure(int fd);
int gst_dccp_connected(GstElement *e, const struct gst_dccp_settings *s, int fd);
void gst_dccp_no_answer(GstElement *e, const struct gst_dccp_settings *s, int fd);
void gst_dccp_error(GstElement *e, GstResourceError code, gchar *text);
void gst_dccp_warning(GstElement *e, GstResourceError code, gchar *text);

gboolean gst_dccp_read_answers(int fd, guint32 *feedbacks, guint32 *nofeedbacks);
void gst_dccp_read_state(int fd, gboolean sending, struct gst_dccp_state *state);
guint gst_dccp_layers_fit(const struct gst_dccp_settings *s,
			  const struct gst_dccp_state *state);
GstStructure *gst_dccp_state_structure(const struct gst_dccp_state *state,
				       gboolean sending);
int gst_dccp_wait(int fd, int events, int wake, gint64 until);

#endif
