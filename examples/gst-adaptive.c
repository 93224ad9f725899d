// SPDX-License-Identifier: GPL-2.0-only
/*
 * GStreamer: a live video whose encoder follows the rate that the congestion control allows.
 *
 *	gst-adaptive [--encoder vp8|x264] [--udp[=PORT]] HOST PORT CCID SECONDS
 *		[PROPERTY=VALUE]...
 *
 * --udp is explained in udp.h. The properties are those of dccpsink: preset=paper.
 * make gstreamer builds it as build/gstreamer/gst-adaptive. Documentation/howto/gstreamer.rst
 * has the receiver's command.
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
#define SINK	"dccpsink name=sink address=%s port=%s ccid=%s sync=false " \
		"stats-interval=%d000000 %s %s"

struct follower {
	GMainLoop	*loop;
	GstElement	*encoder;
	gdouble		rate;		/* of the encoder, bit/s */
	guint64		allowed, dropped, rtt;
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

static void follow(struct follower *f, const GstStructure *s)
{
	gst_structure_get(s, "allowed-bitrate", G_TYPE_UINT64, &f->allowed,
			  "rtt", G_TYPE_UINT64, &f->rtt, "loss-event-rate", G_TYPE_DOUBLE, &f->p,
			  "packets-dropped", G_TYPE_UINT64, &f->dropped, NULL);
	if (!f->allowed)		/* before the first packet, or CCID 2 */
		return;
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

	g_print("%3d s: allowed %5.0f kbit/s, encoder %5.0f, R %3.0f ms, p %.4f, %"
		G_GUINT64_FORMAT " packets dropped\n", ++second, f->allowed / 1e3, f->rate / 1e3, f->rtt / 1e6, f->p,
		f->dropped);
	return TRUE;
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
		encoder = strcmp(argv[2], "x264") ? VP8 : X264;
		argc -= 2;
		argv += 2;
	}
	if (argc < 5) {
		g_printerr("usage: gst-adaptive [--encoder vp8|x264] [--udp[=PORT]] HOST PORT CCID SECONDS [PROPERTY=VALUE]...\n");
		return 2;
	}
	format = g_strconcat(SOURCE, encoder, SINK, NULL);
	/* Without the flag it is as the sysctl net.dccp.encap_port says. */
	over = udp ? g_strdup_printf("udp-port=%d", udp) : g_strdup("");
	more = g_strjoinv(" ", argv + 5);
	text = g_strdup_printf(format, 25 * atoi(argv[4]), argv[1], argv[2], argv[3], INTERVAL,
			       over, more);
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
