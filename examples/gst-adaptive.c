// SPDX-License-Identifier: GPL-2.0-only
/*
 * GStreamer: a live video whose encoder follows the rate that the congestion control allows.
 *
 *	cc -o gst-adaptive gst-adaptive.c $(pkg-config --cflags --libs gstreamer-1.0)
 *	./gst-adaptive [--encoder vp8|x264|layers] [--udp[=PORT]] HOST PORT CCID SECONDS
 *		[PROPERTY=VALUE]...
 *
 * With "layers" it is a stream of VP8 in three temporal layers, for DVRC or CTFAF: its
 * rate follows by the number of layers that are sent, and the encoder stays as it is.
 *
 * --udp is explained in udp.h. The properties are those of dccpsink: preset=paper.
 * In the repository make gstreamer builds it as build/gstreamer/gst-adaptive.
 * Documentation/howto/gstreamer.rst has the receiver's command.
 */
#include <gst/gst.h>
#include <stdlib.h>
#include <string.h>
#include "udp.h"

/*
 * Share of the allowed rate for the video, in percent. RTP's headers need some of the rest,
 * and with all of the rate the queue could not become empty again.
 */
#define SHARE		80

/* Range of the encoder's rate, bit/s, and where it begins */
#define RATE_MIN	50000
#define RATE_MAX	2000000
#define RATE_START	150000

/* Time between messages of the sink, ms, and the greatest increase from one to the next */
#define INTERVAL	200
#define GROWTH		1.03

#define SOURCE	"videotestsrc is-live=true pattern=zone-plate kx2=20 ky2=20 kt=1 " \
		"num-buffers=%d ! " \
		"video/x-raw,width=320,height=240,framerate=25/1 ! videoconvert ! "
#define VP8	"vp8enc name=enc deadline=1 cpu-used=8 end-usage=cbr buffer-size=500 " \
		"buffer-initial-size=250 buffer-optimal-size=300 keyframe-max-dist=50 ! " \
		"rtpvp8pay mtu=1300 ! "
#define X264	"x264enc name=enc tune=zerolatency speed-preset=veryfast key-int-max=50 ! " \
		"rtph264pay mtu=1300 config-interval=-1 ! "
/* A frame of each four is of layer 1, another of layer 2, and two are of layer 3. */
#define LAYERS	3
#define PATTERN	4
#define LAYERED	"vp8enc name=enc deadline=1 cpu-used=8 end-usage=cbr keyframe-max-dist=100 " \
		"temporal-scalability-number-layers=3 temporal-scalability-periodicity=4 ! " \
		"dccplayer ! rtpvp8pay mtu=1300 picture-id-mode=15-bit ! "
#define FOR_LAYERS_ABOVE ",no-upd-last+no-upd-golden+no-upd-alt+no-upd-entropy"
#define SINK	"dccpsink name=sink address=%s port=%s ccid=%s sync=false " \
		"stats-interval=%d000000 %s %s %s"

/* Cumulative rates of the encoder, bit/s, and of the packets that carry it, bytes/s */
static const gint layer_rates[LAYERS] = { 96000, 176000, 320000 };
#define LAYER_PACKETS	"layers=<15000,27500,50000>"

struct follower {
	GMainLoop	*loop;
	GstElement	*encoder;
	gdouble		rate;		/* of the encoder, bit/s */
	gboolean	layered;
	guint64		allowed, dropped, rtt;
	guint		k;
	gdouble		p;
	int		status;
};

/* x264enc counts in kbit/s, vp8enc in bit/s. */
static void set_rate(struct follower *f)
{
	if (g_object_class_find_property(G_OBJECT_GET_CLASS(f->encoder), "target-bitrate"))
		g_object_set(f->encoder, "target-bitrate", (gint)f->rate, NULL);
	else
		g_object_set(f->encoder, "bitrate", (guint)(f->rate / 1000), NULL);
}

/* vp8enc has properties of the type that GLib has replaced. */
G_GNUC_BEGIN_IGNORE_DEPRECATIONS
static void set_array(GstElement *e, const char *name, const gint *values, gint n)
{
	GValueArray *list = g_value_array_new(n);
	GValue value = G_VALUE_INIT;

	g_value_init(&value, G_TYPE_INT);
	while (n--) {
		g_value_set_int(&value, *values++);
		g_value_array_append(list, &value);
	}
	g_object_set(e, name, list, NULL);
	g_value_unset(&value);
	g_value_array_free(list);
}
G_GNUC_END_IGNORE_DEPRECATIONS

/*
 * Frames above layer 1 change nothing that a later frame needs, so any number of layers can
 * be decoded, from any frame on. gst-launch-1.0 cannot set these properties.
 */
static void set_layers(GstElement *encoder)
{
	static const gint ids[PATTERN] = { 0, 2, 1, 2 }, divisors[LAYERS] = { 4, 2, 1 };

	set_array(encoder, "temporal-scalability-layer-id", ids, PATTERN);
	set_array(encoder, "temporal-scalability-rate-decimator", divisors, LAYERS);
	set_array(encoder, "temporal-scalability-target-bitrate", layer_rates, LAYERS);
	gst_util_set_object_arg(G_OBJECT(encoder), "temporal-scalability-layer-flags",
				"<0" FOR_LAYERS_ABOVE FOR_LAYERS_ABOVE FOR_LAYERS_ABOVE ">");
	gst_util_set_object_arg(G_OBJECT(encoder), "temporal-scalability-layer-sync-flags",
				"<false,true,true,true>");
	g_object_set(encoder, "target-bitrate", layer_rates[LAYERS - 1], NULL);
}

static void follow(struct follower *f, const GstStructure *s)
{
	gst_structure_get(s, "allowed-bitrate", G_TYPE_UINT64, &f->allowed,
			  "rtt", G_TYPE_UINT64, &f->rtt, "loss-event-rate", G_TYPE_DOUBLE, &f->p,
			  "packets-dropped", G_TYPE_UINT64, &f->dropped,
			  "layers-allowed", G_TYPE_UINT, &f->k, NULL);
	if (!f->allowed)		/* before the first packet, or CCID 2 */
		return;
	if (f->layered) {
		f->rate = layer_rates[CLAMP(f->k, 1, LAYERS) - 1];
		return;
	}
	/* While less is sent than X, X rises above what the path carries. */
	f->rate = MIN(f->allowed * SHARE / 100.0, f->rate * GROWTH);
	f->rate = CLAMP(f->rate, RATE_MIN, RATE_MAX);
	set_rate(f);
}

static gboolean on_message(GstBus *bus, GstMessage *m, gpointer data)
{
	struct follower *f = data;
	const GstStructure *s = gst_message_get_structure(m);
	GError *error;

	(void)bus;
	switch (GST_MESSAGE_TYPE(m)) {
	case GST_MESSAGE_ELEMENT:
		if (gst_structure_has_name(s, "GstDccpStats"))
			follow(f, s);
		break;
	case GST_MESSAGE_ERROR:
		gst_message_parse_error(m, &error, NULL);
		g_printerr("gst-adaptive: %s: %s\n", GST_MESSAGE_SRC_NAME(m), error->message);
		g_error_free(error);
		f->status = 1;
		g_main_loop_quit(f->loop);
		break;
	case GST_MESSAGE_EOS:
		g_main_loop_quit(f->loop);
		break;
	default:
		break;
	}
	return TRUE;
}

static gboolean on_second(gpointer data)
{
	static int second;
	struct follower *f = data;

	g_print("%3d s: allowed %5.0f kbit/s, encoder %5.0f, R %3.0f ms, p %.4f, K %u, %"
		G_GUINT64_FORMAT " packets dropped\n", ++second, f->allowed / 1e3, f->rate / 1e3,
		f->rtt / 1e6, f->p, f->k, f->dropped);
	return TRUE;
}

/* The part of the pipeline with this encoder; NULL: there is none of this name. */
static const char *encoder_of(const char *name)
{
	if (!strcmp(name, "vp8"))
		return VP8;
	if (!strcmp(name, "x264"))
		return X264;
	return strcmp(name, "layers") ? NULL : LAYERED;
}

int main(int argc, char **argv)
{
	struct follower f = { .rate = RATE_START };
	const char *encoder = VP8;
	GstElement *pipeline;
	GError *error = NULL;
	gchar *format, *more, *over, *text;
	GstBus *bus;
	int udp;

	gst_init(&argc, &argv);
	udp = take_udp(&argc, argv, 0);
	if (argc > 2 && !strcmp(argv[1], "--encoder")) {
		f.layered = !strcmp(argv[2], "layers");
		encoder = encoder_of(argv[2]);
		argc -= 2;
		argv += 2;
	}
	if (!encoder || argc < 5) {
		g_printerr("usage: gst-adaptive [--encoder vp8|x264|layers] [--udp[=PORT]] HOST PORT CCID SECONDS [PROPERTY=VALUE]...\n");
		return 2;
	}
	format = g_strconcat(SOURCE, encoder, SINK, NULL);
	/* Without the flag it is as the sysctl net.dccp.encap_port says. */
	over = udp ? g_strdup_printf("udp-port=%d", udp) : g_strdup("");
	more = g_strjoinv(" ", argv + 5);
	text = g_strdup_printf(format, 25 * atoi(argv[4]), argv[1], argv[2], argv[3], INTERVAL,
			       over, f.layered ? LAYER_PACKETS : "", more);
	g_print("gst-launch-1.0 %s\n", text);
	pipeline = gst_parse_launch(text, &error);
	g_free(format);
	g_free(over);
	g_free(more);
	g_free(text);
	if (error) {
		g_printerr("gst-adaptive: %s\n", error->message);
		return 1;
	}

	f.loop = g_main_loop_new(NULL, FALSE);
	f.encoder = gst_bin_get_by_name(GST_BIN(pipeline), "enc");
	if (f.layered)
		set_layers(f.encoder);
	else
		set_rate(&f);
	bus = gst_element_get_bus(pipeline);
	gst_bus_add_watch(bus, on_message, &f);
	g_timeout_add_seconds(1, on_second, &f);
	gst_element_set_state(pipeline, GST_STATE_PLAYING);
	g_main_loop_run(f.loop);

	gst_element_set_state(pipeline, GST_STATE_NULL);
	gst_object_unref(bus);
	gst_object_unref(f.encoder);
	gst_object_unref(pipeline);
	g_main_loop_unref(f.loop);
	return f.status;
}
