// SPDX-License-Identifier: GPL-2.0-only
/* DCCP sockets: what both elements set, do and read. */
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <linux/dccp_ccid.h>

#include "conn.h"
#include "params.h"

#ifndef SOL_DCCP
#define SOL_DCCP	269
#endif
#ifndef IPPROTO_DCCP
#define IPPROTO_DCCP	33
#endif
#define TYPE_DCCP	6		/* SOCK_DCCP, not in every libc */

/* Those of the modules; gstreamer.py compares */
#define PRESETS		"default, paper, tfrc (MARC), interactive (MARC, L-TFRC), streaming (MARC), thin-uplink (RAAR), layered (DVRC)"

#define CCID2		2
#define CCIDS_MAX	8

/* Bytes of struct dccp_ccid_tx_info and rx_info that CCID 3 fills in, too */
#define TX_INFO_CCID3	offsetof(struct dccp_ccid_tx_info, ccid)
#define RX_INFO_CCID3	offsetof(struct dccp_ccid_rx_info, ccid)

static const struct {
	const char	*name;
	guint8		ccid;
} ccids[] = {
	{ "ccid2", CCID2 },
	{ "ccid3", 3 },
	{ "marc", DCCPC_MARC },
	{ "raar", DCCPC_RAAR },
	{ "ltfrc", DCCPC_LTFRC },
	{ "dvrc", DCCPC_DVRC },
	{ "ctfaf", DCCPC_CTFAF },
};

static GType mode_type(void)
{
	static const GEnumValue values[] = {
		{ GST_DCCP_CLIENT, "Connect to address and port", "client" },
		{ GST_DCCP_SERVER, "Listen at address and port", "server" },
		{ 0, NULL, NULL }
	};
	static gsize type;

	if (g_once_init_enter(&type))
		g_once_init_leave(&type, g_enum_register_static("GstDccpMode", values));
	return type;
}

/* ------------------------------------------------------------ properties */

#define RW	(G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS)
#define RO	(G_PARAM_READABLE | G_PARAM_STATIC_STRINGS)
#define READY	(RW | GST_PARAM_MUTABLE_READY)
#define LIVE	(RW | GST_PARAM_MUTABLE_PLAYING)

/* Properties that change a connection at once; others are for the next one. */
gboolean gst_dccp_is_live(guint id)
{
	return id == PROP_PRESET || id == PROP_PARAMETERS || id == PROP_TARGET_DELAY;
}

static void install_parameters(GObjectClass *klass, gboolean sending)
{
	gchar *names = gst_dccp_params_names(sending), *blurb;

	blurb = g_strdup_printf(sending ?
		"Parameters and constraints of one scheme, such as \"ctfaf,r_min=8000,r_max=250000\", or of several, \"all,first=[marc,beta=800],second=[ctfaf,interval=1000]\". Names, units and ranges are those of <linux/dccp_ccid.h>, for the sender: %s" :
		"Parameters of one scheme, such as \"marc,loss_history=16\", or of several, \"all,first=[marc,recovery=1],second=[raar,beta=800]\". Names, units and ranges are those of <linux/dccp_ccid.h>, for the receiver: %s",
		names);
	/* The class keeps a copy of the text, since it is not static. */
	g_object_class_install_property(klass, PROP_PARAMETERS,
		g_param_spec_boxed("parameters", "Parameters", blurb, GST_TYPE_STRUCTURE,
				   (LIVE & ~G_PARAM_STATIC_STRINGS)));
	g_free(blurb);
	g_free(names);
}

void gst_dccp_install_properties(GObjectClass *klass, gboolean sending)
{
	g_object_class_install_property(klass, PROP_ADDRESS,
		g_param_spec_string("address", "Address",
			"Name or address of the peer, IPv4 or IPv6; of a server, its own (empty: all). Of the addresses of a name the first is taken that can be used here, whether or not anybody answers there",
			sending ? "127.0.0.1" : "", READY));
	g_object_class_install_property(klass, PROP_PORT,
		g_param_spec_uint("port", "Port", "DCCP port of the server", 1, 65535, 5004,
				  READY));
	g_object_class_install_property(klass, PROP_MODE,
		g_param_spec_enum("mode", "Mode", "Whether to connect or to listen",
				  mode_type(), sending ? GST_DCCP_CLIENT : GST_DCCP_SERVER,
				  READY));
	g_object_class_install_property(klass, PROP_CCID,
		g_param_spec_string("ccid", "CCID",
			"Congestion controls, the preferred one first: 1 to 8 of marc, raar, ltfrc, dvrc, ctfaf, ccid2, ccid3 or numbers from 0 to 255, with commas (empty: the sysctl's). The server's preference wins",
			"", READY));
	g_object_class_install_property(klass, PROP_SERVICE_CODE,
		g_param_spec_string("service-code", "Service code",
			"Four characters or a number from 0 to 4294967294, the same at both ends (RFC 5595)",
			"RTPV", READY));
	g_object_class_install_property(klass, PROP_PRESET,
		g_param_spec_string("preset", "Preset",
			"Set all parameters of this end at once: " PRESETS "; empty: the module's",
			"", LIVE));
	install_parameters(klass, sending);
	g_object_class_install_property(klass, PROP_LAYERS,
		gst_param_spec_array("layers", "Layers", sending ?
			"1 to 16 cumulative rates of the layers in bytes/s, each greater than the one before: <15000,30000,60000>. Packets of layers above layers-allowed are not sent; dccplayer says which layer a buffer belongs to. For DVRC, and for CTFAF, whose rungs they are" :
			"1 to 16 cumulative rates of the layers in bytes/s, each greater than the one before: <15000,30000,60000>, for DVRC. They take precedence over the sender's",
			g_param_spec_int("rate", "Rate", "Rate of a layer and those below, bytes/s",
					 1, G_MAXINT, 1, RW),
			READY));
	g_object_class_install_property(klass, PROP_UDP_PORT,
		g_param_spec_int("udp-port", "UDP port",
			"DCCP over UDP (RFC 6773): UDP port of the server; 0: plain DCCP; -1: as the sysctl net.dccp.encap_port says",
			-1, 65535, -1, READY));
	g_object_class_install_property(klass, PROP_CONNECT_TIMEOUT,
		g_param_spec_uint64("connect-timeout", "Connect timeout",
			"How long a client waits for the server, ns", GST_MSECOND,
			G_MAXINT64, 10 * GST_SECOND, READY));
	g_object_class_install_property(klass, PROP_STATS_INTERVAL,
		g_param_spec_uint64("stats-interval", "Interval of messages",
			"Time between element messages GstDccpStats on the bus, ns (0: none)", 0,
			G_MAXINT64, 0, RW | GST_PARAM_MUTABLE_PLAYING));
	g_object_class_install_property(klass, PROP_STATS,
		g_param_spec_boxed("stats", "Statistics",
			"State of the connection, as in the message GstDccpStats: rates in bit/s, times in ns",
			GST_TYPE_STRUCTURE, RO));
	g_object_class_install_property(klass, PROP_RTT,
		g_param_spec_uint64("rtt", "Round-trip time",
			"Smoothed round-trip time R, ns (0: unknown)", 0, G_MAXUINT64, 0, RO));
	g_object_class_install_property(klass, PROP_LOSS_EVENT_RATE,
		g_param_spec_double("loss-event-rate", "Loss event rate",
			"p, loss events for each packet, a ratio from 0 to 1", 0, 1, 0, RO));
	g_object_class_install_property(klass, PROP_LAYERS_ALLOWED,
		g_param_spec_uint("layers-allowed", "Layers that may be sent",
			"Number K of layers that fit in the allowed rate (0: there are no layers)",
			0, GST_DCCP_LAYERS_MAX, 0, RO));
	if (sending)
		g_object_class_install_property(klass, PROP_TARGET_DELAY,
			g_param_spec_uint64("target-delay", "Target delay",
				"Delay of the queue in the network to aim at, ns, 5 ms to 1 s in whole ms: the rate falls before packets are lost (0: no such limit; -1, which is the greatest number: as the preset has it)",
				0, G_MAXUINT64, GST_CLOCK_TIME_NONE, LIVE));
}

void gst_dccp_settings_init(struct gst_dccp_settings *s, gboolean sending)
{
	s->sending = sending;
	s->address = g_strdup(sending ? "127.0.0.1" : "");
	s->port = 5004;
	s->mode = sending ? GST_DCCP_CLIENT : GST_DCCP_SERVER;
	s->ccid = g_strdup("");
	s->service_code = g_strdup("RTPV");
	s->preset = g_strdup("");
	s->udp_port = -1;
	s->target_delay = GST_CLOCK_TIME_NONE;
	s->tx_queue = GST_DCCP_TX_QUEUE;
	s->connect_timeout = 10 * GST_SECOND;
}

void gst_dccp_settings_clear(struct gst_dccp_settings *s)
{
	g_free(s->address);
	g_free(s->ccid);
	g_free(s->service_code);
	g_free(s->preset);
	if (s->parameters)
		gst_structure_free(s->parameters);
	if (s->base)
		g_array_unref(s->base);
}

struct gst_dccp_settings gst_dccp_settings_copy(const struct gst_dccp_settings *s)
{
	struct gst_dccp_settings copy = *s;

	copy.address = g_strdup(s->address);
	copy.ccid = g_strdup(s->ccid);
	copy.service_code = g_strdup(s->service_code);
	copy.preset = g_strdup(s->preset);
	copy.parameters = s->parameters ? gst_structure_copy(s->parameters) : NULL;
	if (s->base)
		g_array_ref(s->base);
	return copy;
}

static void take_string(gchar **to, const GValue *v)
{
	g_free(*to);
	*to = g_strdup(g_value_get_string(v) ?: "");
}

gboolean gst_dccp_settings_set(struct gst_dccp_settings *s, guint id, const GValue *v)
{
	guint i;

	switch (id) {
	case PROP_ADDRESS:
		take_string(&s->address, v);
		break;
	case PROP_PORT:
		s->port = g_value_get_uint(v);
		break;
	case PROP_MODE:
		s->mode = g_value_get_enum(v);
		break;
	case PROP_CCID:
		take_string(&s->ccid, v);
		break;
	case PROP_SERVICE_CODE:
		take_string(&s->service_code, v);
		break;
	case PROP_PRESET:
		take_string(&s->preset, v);
		break;
	case PROP_PARAMETERS:
		if (s->parameters)
			gst_structure_free(s->parameters);
		s->parameters = g_value_dup_boxed(v);
		break;
	case PROP_LAYERS:
		s->n_layers = gst_value_array_get_size(v);
		for (i = 0; i < MIN(s->n_layers, GST_DCCP_LAYERS_MAX); i++)
			s->layers[i] = g_value_get_int(gst_value_array_get_value(v, i));
		break;
	case PROP_TARGET_DELAY:
		s->target_delay = g_value_get_uint64(v);
		break;
	case PROP_UDP_PORT:
		s->udp_port = g_value_get_int(v);
		break;
	case PROP_CONNECT_TIMEOUT:
		s->connect_timeout = g_value_get_uint64(v);
		break;
	case PROP_STATS_INTERVAL:
		s->stats_interval = g_value_get_uint64(v);
		break;
	default:
		return FALSE;
	}
	return TRUE;
}

static void give_layers(const struct gst_dccp_settings *s, GValue *v)
{
	GValue rate = G_VALUE_INIT;
	guint i;

	g_value_init(&rate, G_TYPE_INT);
	for (i = 0; i < MIN(s->n_layers, GST_DCCP_LAYERS_MAX); i++) {
		g_value_set_int(&rate, s->layers[i]);
		gst_value_array_append_value(v, &rate);
	}
	g_value_unset(&rate);
}

gboolean gst_dccp_settings_get(const struct gst_dccp_settings *s, guint id, GValue *v)
{
	switch (id) {
	case PROP_ADDRESS:
		g_value_set_string(v, s->address);
		break;
	case PROP_PORT:
		g_value_set_uint(v, s->port);
		break;
	case PROP_MODE:
		g_value_set_enum(v, s->mode);
		break;
	case PROP_CCID:
		g_value_set_string(v, s->ccid);
		break;
	case PROP_SERVICE_CODE:
		g_value_set_string(v, s->service_code);
		break;
	case PROP_PRESET:
		g_value_set_string(v, s->preset);
		break;
	case PROP_PARAMETERS:
		g_value_set_boxed(v, s->parameters);
		break;
	case PROP_LAYERS:
		give_layers(s, v);
		break;
	case PROP_TARGET_DELAY:
		g_value_set_uint64(v, s->target_delay);
		break;
	case PROP_UDP_PORT:
		g_value_set_int(v, s->udp_port);
		break;
	case PROP_CONNECT_TIMEOUT:
		g_value_set_uint64(v, s->connect_timeout);
		break;
	case PROP_STATS_INTERVAL:
		g_value_set_uint64(v, s->stats_interval);
		break;
	default:
		return FALSE;
	}
	return TRUE;
}

/* ------------------------------------------------------------ errors */

/* Post an error; the text is freed. */
void gst_dccp_error(GstElement *e, GstResourceError code, gchar *text)
{
	gst_element_message_full(e, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, code, text, NULL,
				 __FILE__, GST_FUNCTION, __LINE__);
}

/* The same for what does not end the stream */
void gst_dccp_warning(GstElement *e, GstResourceError code, gchar *text)
{
	gst_element_message_full(e, GST_MESSAGE_WARNING, GST_RESOURCE_ERROR, code, text, NULL,
				 __FILE__, GST_FUNCTION, __LINE__);
}

static int fail(GstElement *e, GstResourceError code, gchar *text)
{
	gst_dccp_error(e, code, text);
	return -1;
}

static gchar *ccid_name(int ccid)
{
	gsize i;

	for (i = 0; i < G_N_ELEMENTS(ccids); i++)
		if (ccids[i].ccid == ccid)
			return g_strdup(ccids[i].name);
	return g_strdup_printf("%d", ccid);
}

/* ------------------------------------------------------------ sockets */

/* The number of CCIDs in the list, or 0 if it is not understood */
static guint parse_ccids(const char *text, guint8 list[CCIDS_MAX])
{
	gchar **words = g_strsplit(text, ",", -1), *word;
	guint64 value;
	guint n = 0, i;
	gsize k;

	for (i = 0; words[i]; i++) {
		word = g_strstrip(words[i]);
		for (k = 0; k < G_N_ELEMENTS(ccids); k++)
			if (!g_ascii_strcasecmp(word, ccids[k].name))
				break;
		if (k < G_N_ELEMENTS(ccids))
			value = ccids[k].ccid;
		else if (!g_ascii_string_to_unsigned(word, 10, 0, 255, &value, NULL))
			break;
		if (n == CCIDS_MAX)
			break;
		list[n++] = value;
	}
	n = words[i] ? 0 : n;
	g_strfreev(words);
	return n;
}

static int set_ccids(GstElement *e, const struct gst_dccp_settings *s, int fd)
{
	int option = s->sending ? DCCP_SOCKOPT_TX_CCID : DCCP_SOCKOPT_RX_CCID;
	guint8 list[CCIDS_MAX];
	guint n;

	if (!*s->ccid)
		return 0;
	n = parse_ccids(s->ccid, list);
	if (!n)
		return fail(e, GST_RESOURCE_ERROR_SETTINGS,
			    g_strdup_printf("ccid=\"%s\" is not a list of CCIDs, such as \"marc,ccid3,2\"",
					    s->ccid));
	if (!setsockopt(fd, SOL_DCCP, option, list, n))
		return 0;
	if (errno == EPERM)
		return fail(e, GST_RESOURCE_ERROR_SETTINGS,
			    g_strdup_printf("a CCID of \"%s\" is not allowed to users: net.dccp.allowed_ccids says which are",
					    s->ccid));
	return fail(e, GST_RESOURCE_ERROR_SETTINGS,
		    g_strdup_printf("a CCID of \"%s\" is not available (%s): as root, load its module (modprobe ccid_marc for marc)",
				    s->ccid, g_strerror(errno)));
}

static int set_service(GstElement *e, const struct gst_dccp_settings *s, int fd)
{
	guint64 value;
	guint32 code;

	if (strlen(s->service_code) == sizeof(code) &&
	    !g_ascii_isdigit(*s->service_code))
		memcpy(&code, s->service_code, sizeof(code));
	else if (g_ascii_string_to_unsigned(s->service_code, 10, 0, G_MAXUINT32 - 1, &value,
					    NULL))
		code = g_htonl(value);
	else
		return fail(e, GST_RESOURCE_ERROR_SETTINGS,
			    g_strdup_printf("service-code=\"%s\" is neither four characters nor a number",
					    s->service_code));
	if (setsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_SERVICE, &code, sizeof(code)))
		return fail(e, GST_RESOURCE_ERROR_SETTINGS,
			    g_strdup_printf("service-code: %s", g_strerror(errno)));
	return 0;
}

/* The CCIDs that may be used: those of the property, or the one that the sysctl prefers */
static guint usable_ccids(const struct gst_dccp_settings *s, guint8 list[CCIDS_MAX])
{
	gchar *number = NULL;
	guint n;

	if (*s->ccid)
		return parse_ccids(s->ccid, list);
	if (!g_file_get_contents(s->sending ? "/proc/sys/net/dccp/default/tx_ccid" :
				 "/proc/sys/net/dccp/default/rx_ccid", &number, NULL, NULL))
		return 0;
	n = parse_ccids(number, list);
	g_free(number);
	return n;
}

/*
 * Set preset, parameters and target delay of a socket, in this order, before the connection
 * or during it.
 */
static gboolean apply(const struct gst_dccp_settings *s, int fd, gchar **why)
{
	int preset = s->sending ? DCCP_SOCKOPT_CCID_TX_PRESET : DCCP_SOCKOPT_CCID_RX_PRESET;
	guint8 list[CCIDS_MAX];
	guint64 ms;
	guint n = 1;
	int ccid;
	socklen_t len = sizeof(ccid);

	if (*s->preset && setsockopt(fd, SOL_DCCP, preset, s->preset, strlen(s->preset))) {
		*why = g_strdup_printf("preset=%s: %s; expected " PRESETS,
				       s->preset, g_strerror(errno));
		return FALSE;
	}
	if (s->parameters && !gst_dccp_params_set(fd, s->sending, s->parameters, why))
		return FALSE;
	if (!s->sending || !GST_CLOCK_TIME_IS_VALID(s->target_delay))
		return TRUE;
	ms = s->target_delay / GST_MSECOND;
	if (s->target_delay % GST_MSECOND || ms > 1000) {
		*why = g_strdup_printf("target-delay=%" G_GUINT64_FORMAT " ns: expected 0, or whole milliseconds from 5 ms to 1 s, such as 20000000",
				       s->target_delay);
		return FALSE;
	}
	/* A connection has one CCID, whatever else might have been. */
	if (getsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_TX_CCID, &ccid, &len))
		n = usable_ccids(s, list);
	else
		list[0] = ccid;
	return gst_dccp_params_set_delay(fd, list, n, ms, why);
}

/* Whether one of the three was set, and is not any more */
static gboolean taken_away(const struct gst_dccp_settings *was,
			   const struct gst_dccp_settings *now)
{
	return (*was->preset && !*now->preset) || (was->parameters && !now->parameters) ||
	       (GST_CLOCK_TIME_IS_VALID(was->target_delay) &&
		!GST_CLOCK_TIME_IS_VALID(now->target_delay));
}

/*
 * Change a socket (-1: there is none) from what was set to what is now. What it had before
 * that is saved (NULL: nothing), since part of it may have been set when the rest is refused,
 * such as the preset.
 */
static gboolean change(const struct gst_dccp_settings *was, const struct gst_dccp_settings *now,
		       int fd, GArray **saved, gchar **why)
{
	*saved = NULL;
	if (fd < 0)
		return TRUE;
	*saved = gst_dccp_params_save(fd, was->sending, TRUE);
	if (taken_away(was, now))
		gst_dccp_params_restore(fd, was->base);
	return apply(now, fd, why);
}

static void change_back(int fd, GArray *saved)
{
	if (saved)
		gst_dccp_params_restore(fd, saved);
}

/*
 * A live property has another value: change the sockets (-1: there is none), and what
 * is used. If that is impossible, the text says why, and all is as it was.
 */
gchar *gst_dccp_change(struct gst_dccp_settings *used, guint id, const GValue *v, int fd,
		       int listener)
{
	struct gst_dccp_settings now = gst_dccp_settings_copy(used), unused;
	GArray *had = NULL, *listener_had = NULL;
	gchar *why = NULL;

	gst_dccp_settings_set(&now, id, v);
	if (change(used, &now, fd, &had, &why) &&
	    change(used, &now, listener, &listener_had, &why)) {
		unused = *used;
		*used = now;
	} else {
		change_back(fd, had);
		change_back(listener, listener_had);
		unused = now;
	}
	gst_dccp_settings_clear(&unused);
	g_clear_pointer(&had, g_array_unref);
	g_clear_pointer(&listener_had, g_array_unref);
	return why;
}

static const char layers_are[] = "expected 1 to 16 cumulative rates in bytes/s, each greater than the one before, such as <15000,30000,60000>";

/*
 * A sender's layers. The element knows K and keeps back what is above it, so the kernel
 * has its simple queue.
 */
static int set_layers(GstElement *e, const struct gst_dccp_settings *s, int fd)
{
	gsize size = s->n_layers * sizeof(*s->layers);
	guint8 list[CCIDS_MAX];
	guint n = usable_ccids(s, list), i, known = 0;

	for (i = 0; i < n; i++) {
		if (list[i] == DCCPC_DVRC) {
			known++;
			if (setsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_DVRC_TX_LAYERS, s->layers, size))
				return fail(e, GST_RESOURCE_ERROR_SETTINGS,
					    g_strdup_printf("layers: %s; %s", g_strerror(errno),
							    layers_are));
		} else if (list[i] == DCCPC_CTFAF) {
			known++;
			if (setsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_CTFAF_TX_RUNGS, s->layers, size))
				return fail(e, GST_RESOURCE_ERROR_SETTINGS,
					    g_strdup_printf("layers: %s; %s; with CTFAF at least two, and each at most three times as great as the one before",
							    g_strerror(errno), layers_are));
		}
	}
	return known ? 0 : fail(e, GST_RESOURCE_ERROR_SETTINGS,
				g_strdup("layers: no CCID that may be used has layers; expected dvrc or ctfaf in ccid"));
}

static int set_parameters(GstElement *e, struct gst_dccp_settings *s, int fd)
{
	int qlen = s->tx_queue;
	gchar *why;

	if (s->sending && setsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_QPOLICY_TXQLEN, &qlen,
				     sizeof(qlen)))
		return fail(e, GST_RESOURCE_ERROR_SETTINGS,
			    g_strdup_printf("tx-queue=%d: %s", qlen, g_strerror(errno)));
	s->base = gst_dccp_params_save(fd, s->sending, !s->n_layers);
	if (!apply(s, fd, &why))
		return fail(e, GST_RESOURCE_ERROR_SETTINGS, why);
	if (!s->n_layers)
		return 0;
	if (s->n_layers > GST_DCCP_LAYERS_MAX)
		return fail(e, GST_RESOURCE_ERROR_SETTINGS,
			    g_strdup_printf("layers: there are %u; %s", s->n_layers, layers_are));
	if (s->sending)
		return set_layers(e, s, fd);
	if (setsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_DVRC_RX_LAYERS, s->layers,
		       s->n_layers * sizeof(*s->layers)))
		return fail(e, GST_RESOURCE_ERROR_SETTINGS,
			    g_strdup_printf("layers: %s; %s; is ccid_dvrc loaded?",
					    g_strerror(errno), layers_are));
	return 0;
}

static int set_udp(GstElement *e, const struct gst_dccp_settings *s, int fd)
{
	if (s->udp_port < 0 ||
	    !setsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_ENCAP_PORT, &s->udp_port,
			sizeof(s->udp_port)))
		return 0;
	return fail(e, GST_RESOURCE_ERROR_SETTINGS,
		    g_strdup_printf("udp-port: this kernel has no DCCP over UDP: %s",
				    g_strerror(errno)));
}

/* What carries the packets of a socket: it knows what udp-port or the sysctl said. */
static gchar *carrier(int fd)
{
	socklen_t len = sizeof(int);
	int port = 0;

	if (getsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_ENCAP_PORT, &port, &len) || !port)
		return g_strdup("DCCP (IP protocol 33)");
	return g_strdup_printf("UDP to port %d", port);
}

/* What went wrong with bind(), listen() or connect(), and what to do about it */
static int address_error(GstElement *e, const struct gst_dccp_settings *s, int fd, int err)
{
	gchar *carried = carrier(fd), *no_answer;
	const char *hint;

	no_answer = g_strdup_printf("no answer: does a firewall or a NAT drop %s?", carried);

	switch (err) {
	case ECONNREFUSED:
		hint = "nothing listens there: start the receiver first, or is DCCP not loaded at the server?";
		break;
	case ECONNABORTED:
		hint = "the peer ended the handshake, and did not say why";
		break;
	case EBADRQC:
		hint = "the server wants another service-code";
		break;
	case EOPNOTSUPP:
		hint = "the two ends have no CCID in common: set ccid at both";
		break;
	case EADDRINUSE:
		hint = "the port is in use";
		break;
	case EADDRNOTAVAIL:
		hint = "it is no address of this host, or, for udp-port, the sysctl net.dccp.udp_port is 0";
		break;
	case ENETUNREACH:
	case EHOSTUNREACH:
		hint = "there is no route";
		break;
	case ETIMEDOUT:
		hint = no_answer;
		break;
	default:
		hint = "the connection failed";
	}
	fail(e, s->mode == GST_DCCP_CLIENT ? GST_RESOURCE_ERROR_OPEN_WRITE :
					     GST_RESOURCE_ERROR_OPEN_READ,
	     g_strdup_printf("%s port %u: %s (%s)", *s->address ? s->address : "*", s->port,
			     hint, g_strerror(err)));
	g_free(no_answer);
	g_free(carried);
	return -1;
}

/* The time of a socket that connects is over. */
void gst_dccp_no_answer(GstElement *e, const struct gst_dccp_settings *s, int fd)
{
	address_error(e, s, fd, ETIMEDOUT);
}

/* The result of what fails at once, where another address of the name may do */
#define TRY_NEXT	(-2)

/* Does this host not have the family? */
static gboolean is_about_family(int err)
{
	return err == EAFNOSUPPORT || err == ESOCKTNOSUPPORT || err == EPROTONOSUPPORT;
}

/*
 * A server that passed over an address at which the port is in use would leave to another one
 * those who connect to it. So it passes over what this host does not have, and no more.
 */
static int begin(GstElement *e, const struct gst_dccp_settings *s, int fd,
		 const struct addrinfo *ai, int *error)
{
	int one = 1, zero = 0, err;

	/*
	 * An end that has nothing to send would never hear that the other host has vanished.
	 * What is accepted has this of the listener. The kernel without dccp_core takes the
	 * option and does nothing.
	 */
	setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof(one));
	if (s->mode == GST_DCCP_CLIENT) {
		err = connect(fd, ai->ai_addr, ai->ai_addrlen) && errno != EINPROGRESS;
	} else {
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
		/* "::" is for IPv4, too. */
		if (ai->ai_family == AF_INET6)
			setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &zero, sizeof(zero));
		err = bind(fd, ai->ai_addr, ai->ai_addrlen) || listen(fd, GST_DCCP_BACKLOG);
	}
	if (!err)
		return 0;
	*error = errno;
	return s->mode == GST_DCCP_CLIENT || *error == EADDRNOTAVAIL ? TRY_NEXT :
	       address_error(e, s, fd, *error);
}

static int open_socket(GstElement *e, struct gst_dccp_settings *s,
		       const struct addrinfo *ai, int *error)
{
	int fd = socket(ai->ai_family, TYPE_DCCP | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_DCCP);
	int err;

	if (fd < 0) {
		*error = errno;
		return is_about_family(*error) ? TRY_NEXT : address_error(e, s, fd, *error);
	}
	err = set_service(e, s, fd) ?: set_ccids(e, s, fd) ?: set_parameters(e, s, fd) ?:
	      set_udp(e, s, fd) ?: begin(e, s, fd, ai, error);
	if (!err)
		return fd;
	close(fd);
	return err;
}

/* Is there DCCP over IPv6? */
static gboolean has_ipv6(void)
{
	int fd = socket(AF_INET6, TYPE_DCCP | SOCK_CLOEXEC, IPPROTO_DCCP);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/*
 * A socket that listens, or that has begun to connect. On failure an error is posted,
 * and the result is -1.
 */
int gst_dccp_open(GstElement *e, struct gst_dccp_settings *s)
{
	struct addrinfo hints = {
		/* Without an address it is IPv6, which for a server includes IPv4. */
		.ai_family = *s->address ? AF_UNSPEC : has_ipv6() ? AF_INET6 : AF_INET,
		.ai_socktype = SOCK_DGRAM,
		.ai_flags = s->mode == GST_DCCP_SERVER ? AI_PASSIVE : 0,
	}, *list, *ai;
	int err, fd = TRY_NEXT, first = 0;
	char port[8];

	g_snprintf(port, sizeof(port), "%u", s->port);
	err = getaddrinfo(*s->address ? s->address : NULL, port, &hints, &list);
	if (err)
		return fail(e, GST_RESOURCE_ERROR_NOT_FOUND,
			    g_strdup_printf("address=%s: %s", s->address, gai_strerror(err)));
	for (ai = list; ai && fd == TRY_NEXT; ai = ai->ai_next) {
		g_clear_pointer(&s->base, g_array_unref);
		fd = open_socket(e, s, ai, &err);
		if (fd == TRY_NEXT && (!first || (is_about_family(first) && !is_about_family(err))))
			first = err;
	}
	freeaddrinfo(list);
	if (fd != TRY_NEXT)
		return fd;
	if (!is_about_family(first))
		return address_error(e, s, -1, first);
	return fail(e, GST_RESOURCE_ERROR_OPEN_READ_WRITE,
		    g_strdup_printf("no DCCP here (%s): as root, modprobe -a dccp_ipv4 dccp_ipv6",
				    g_strerror(first)));
}

/* What the connection of a socket has failed with; 0: it has not, or with what has no errno */
int gst_dccp_failure(int fd)
{
	socklen_t len = sizeof(int);
	int err = 0;

	return getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &len) ? errno : err;
}

/* Of a socket that poll() reports after connect(): 0, or -1 after an error is posted */
int gst_dccp_connected(GstElement *e, const struct gst_dccp_settings *s, int fd)
{
	struct sockaddr_storage peer;
	socklen_t peer_len = sizeof(peer);
	int err = gst_dccp_failure(fd);

	/* Some codes of a Reset have no errno, but then there is no peer. */
	if (!err && getpeername(fd, (struct sockaddr *)&peer, &peer_len))
		err = errno == ENOTCONN ? ECONNABORTED : errno;
	return err ? address_error(e, s, fd, err) : 0;
}

/* ------------------------------------------------------------ state */

static void read_tx(int fd, struct gst_dccp_state *state)
{
	struct dccp_ccid_tx_info info = { };
	socklen_t len = sizeof(info);
	guint32 k = 0;

	/* CCID 2 has none. */
	if (getsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_CCID_TX_INFO, &info, &len) ||
	    len < TX_INFO_CCID3)
		return;
	if (!info.ccid) {
		state->allowed = info.tfrctx_x / 64 * 8;
		state->received = info.tfrctx_x_recv / 64 * 8;
		state->rtt = info.tfrctx_rtt * GST_USECOND;
		state->loss_event_rate = info.tfrctx_p * 1e-6;
		return;
	}
	state->allowed = MIN(info.x, info.x_inst) * 8;
	state->sent = info.x_send * 8;
	state->received = info.x_recv * 8;
	state->rtt = info.rtt_ns;
	state->loss_event_rate = info.p_ppb * 1e-9;
	state->packets = info.packets_sent;
	state->lost = info.packets_lost;
	state->marked = info.packets_marked;
	if (info.ccid != DCCPC_DVRC)
		return;
	/* This ends the event of poll(). */
	len = sizeof(k);
	if (!getsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_DVRC_K, &k, &len))
		state->layers_allowed = k;
}

static void read_rx(int fd, struct gst_dccp_state *state)
{
	struct dccp_ccid_rx_info info = { };
	socklen_t len = sizeof(info);

	if (getsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_CCID_RX_INFO, &info, &len) ||
	    len < RX_INFO_CCID3)
		return;
	state->received = 8 * (guint64)info.tfrcrx_x_recv;
	state->rtt = info.tfrcrx_rtt * GST_USECOND;
	state->loss_event_rate = info.tfrcrx_p * 1e-6;
	if (!info.ccid)
		return;
	state->received = info.x_recv * 8;
	state->loss_event_rate = info.p_ppb * 1e-9;
	state->packets = info.packets_received;
	state->lost = info.packets_lost;
	state->marked = info.packets_marked;
	if (info.ccid == DCCPC_DVRC)
		state->layers_allowed = info.dvrc.k;
}

/*
 * How many reports a sender got, and how often they were overdue. FALSE: its CCID counts
 * neither, as CCID 2 and CCID 3.
 */
gboolean gst_dccp_read_answers(int fd, guint32 *feedbacks, guint32 *nofeedbacks)
{
	struct dccp_ccid_tx_info info = { };
	socklen_t len = sizeof(info);

	if (getsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_CCID_TX_INFO, &info, &len) || !info.ccid)
		return FALSE;
	*feedbacks = info.feedbacks;
	*nofeedbacks = info.nofeedbacks;
	return TRUE;
}

void gst_dccp_read_state(int fd, gboolean sending, struct gst_dccp_state *state)
{
	int ccid = 0;
	socklen_t len = sizeof(ccid);

	memset(state, 0, sizeof(*state));
	if (fd < 0 || getsockopt(fd, SOL_DCCP, sending ? DCCP_SOCKOPT_TX_CCID :
				 DCCP_SOCKOPT_RX_CCID, &ccid, &len))
		return;
	state->ccid = ccid;
	if (sending)
		read_tx(fd, state);
	else
		read_rx(fd, state);
}

/* Layers whose cumulative rate is at most a rate in bit/s, at least the first */
static guint layers_in(const struct gst_dccp_settings *s, guint64 rate)
{
	guint k = s->n_layers;

	while (k > 1 && s->layers[k - 1] * (guint64)8 > rate)
		k--;
	return k;
}

/*
 * How many layers the congestion control permits now. DVRC has K for that. CTFAF's rungs are
 * the layers, so X is the cumulative rate of one. CCID 2 has no rate.
 */
guint gst_dccp_layers_fit(const struct gst_dccp_settings *s,
			  const struct gst_dccp_state *state)
{
	if (!s->n_layers)
		return 0;
	if (state->ccid == CCID2)
		return s->n_layers;
	if (state->ccid != DCCPC_DVRC)
		return layers_in(s, state->allowed);
	return CLAMP(state->layers_allowed, 1, s->n_layers);
}

GstStructure *gst_dccp_state_structure(const struct gst_dccp_state *state,
				       gboolean sending)
{
	gchar *name = state->ccid ? ccid_name(state->ccid) : g_strdup("");
	GstStructure *s;

	s = gst_structure_new("GstDccpStats",
			      "ccid", G_TYPE_STRING, name,
			      "rtt", G_TYPE_UINT64, state->rtt,
			      "loss-event-rate", G_TYPE_DOUBLE, state->loss_event_rate,
			      "layers-allowed", G_TYPE_UINT, state->layers_allowed,
			      "receive-bitrate", G_TYPE_UINT64, state->received,
			      "packets", G_TYPE_UINT64, state->packets,
			      "packets-lost", G_TYPE_UINT64, state->lost,
			      "packets-marked", G_TYPE_UINT64, state->marked, NULL);
	if (sending)
		gst_structure_set(s, "allowed-bitrate", G_TYPE_UINT64, state->allowed,
				  "send-bitrate", G_TYPE_UINT64, state->sent, NULL);
	g_free(name);
	return s;
}

/*
 * Wait for events of a socket (-1: none), until @wake can be read, or until a time of
 * g_get_monotonic_time() (-1: no limit). Returns the events of the socket.
 */
int gst_dccp_wait(int fd, int events, int wake, gint64 until)
{
	struct pollfd fds[] = { { fd, events, 0 }, { wake, POLLIN, 0 } };
	struct timespec left, *limit = NULL;
	gint64 us;

	if (until >= 0) {
		us = MAX(0, until - g_get_monotonic_time());
		left.tv_sec = us / G_USEC_PER_SEC;
		left.tv_nsec = us % G_USEC_PER_SEC * 1000;
		limit = &left;
	}
	return ppoll(fds, G_N_ELEMENTS(fds), limit, NULL) > 0 ? fds[0].revents : 0;
}
