// SPDX-License-Identifier: GPL-2.0-only
/* Unit tests of the elements that need no DCCP: "meson test -C build/gstreamer" anywhere */
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>

#define TYPE_DCCP	6
#ifndef SOL_DCCP
#define SOL_DCCP	269
#endif

/* The name TWO has these addresses. */
#define TWO	"two.invalid"

static const char *addresses[2];

/*
 * The elements' getaddrinfo(), socket() and setsockopt() come here, since the program exports
 * them (meson.build): their sockets are of TCP, and there is no IPv6.
 */
int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
		struct addrinfo **found)
{
	int (*real)(const char *name, const char *service, const struct addrinfo *hints,
		    struct addrinfo **found) = dlsym(RTLD_NEXT, "getaddrinfo");
	int err;

	if (!name || strcmp(name, TWO))
		return real(name, service, hints, found);
	err = real(addresses[0], service, hints, found);
	return err ?: real(addresses[1], service, hints, &(*found)->ai_next);
}

int socket(int family, int type, int protocol)
{
	int (*real)(int family, int type, int protocol) = dlsym(RTLD_NEXT, "socket");

	if ((type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC)) != TYPE_DCCP)
		return real(family, type, protocol);
	if (family == AF_INET6) {
		errno = EAFNOSUPPORT;
		return -1;
	}
	return real(family, type - TYPE_DCCP + SOCK_STREAM, 0);
}

int setsockopt(int fd, int level, int option, const void *value, socklen_t len)
{
	int (*real)(int fd, int level, int option, const void *value, socklen_t len) =
		dlsym(RTLD_NEXT, "setsockopt");

	return level == SOL_DCCP ? 0 : real(fd, level, option, value, len);
}

static const char *const names[] = { "dccpsink", "dccpsrc", "dccplayer" };

/* Properties of the elements themselves, not of their base classes */
static gboolean own(GParamSpec *spec)
{
	return g_str_has_prefix(g_type_name(spec->owner_type), "GstDccp");
}

/* A number has a unit, or counts something, or is one of a scale. */
static gboolean has_unit(const char *blurb)
{
	static const char *const units[] = {
		", ns", ", s.", "bit/s", "bytes/s", "port", "packets", "layer", "ratio",
	};
	gsize i;

	for (i = 0; i < G_N_ELEMENTS(units); i++)
		if (strstr(blurb, units[i]) || strstr(blurb, "Port"))
			return TRUE;
	return FALSE;
}

GST_START_TEST(test_properties_are_described)
{
	GstElement *element = gst_element_factory_make(names[__i__], NULL);
	GParamSpec **specs;
	guint n, i, found = 0;
	const char *blurb;

	fail_unless(element != NULL);
	specs = g_object_class_list_properties(G_OBJECT_GET_CLASS(element), &n);
	for (i = 0; i < n; i++) {
		if (!own(specs[i]))
			continue;
		found++;
		blurb = g_param_spec_get_blurb(specs[i]);
		fail_unless(blurb && strlen(blurb) > 15 && strcmp(blurb, specs[i]->name),
			    "%s has no description", specs[i]->name);
		fail_unless(strlen(g_param_spec_get_nick(specs[i])) > 2);
		if (G_IS_PARAM_SPEC_UINT(specs[i]) || G_IS_PARAM_SPEC_UINT64(specs[i]) ||
		    G_IS_PARAM_SPEC_INT(specs[i]) || G_IS_PARAM_SPEC_DOUBLE(specs[i]))
			fail_unless(has_unit(blurb), "%s has no unit: %s", specs[i]->name, blurb);
		/* When it may be set is known: gst-inspect-1.0 says it. */
		if (specs[i]->flags & G_PARAM_WRITABLE)
			fail_unless(specs[i]->flags & (GST_PARAM_MUTABLE_READY |
						       GST_PARAM_MUTABLE_PLAYING),
				    "%s: when may it be set?", specs[i]->name);
	}
	fail_unless(found >= (__i__ == 2 ? 1 : 15));
	g_free(specs);
	gst_object_unref(element);
}
GST_END_TEST;

/* The value of a property that can be written is what was written. */
GST_START_TEST(test_properties_keep_their_values)
{
	static const struct {
		const char *element, *name, *value;
	} set[] = {
		{ "dccpsink", "address", "2001:db8::1" },
		{ "dccpsink", "port", "6000" },
		{ "dccpsink", "mode", "server" },
		{ "dccpsink", "ccid", "marc,ccid3" },
		{ "dccpsink", "service-code", "1000" },
		{ "dccpsink", "preset", "interactive" },
		{ "dccpsink", "target-delay", "20000000" },
		{ "dccpsink", "udp-port", "6511" },
		{ "dccpsink", "connect-timeout", "2000000000" },
		{ "dccpsink", "stats-interval", "100000000" },
		{ "dccpsink", "leaky", "false" },
		{ "dccpsink", "queue-packets", "30" },
		{ "dccpsink", "queue-time", "100000000" },
		{ "dccpsink", "tx-queue", "10" },
		{ "dccpsink", "linger", "0" },
		{ "dccpsink", "layers", "<1000,2000>" },
		{ "dccpsrc", "layers", "<1000,2000>" },
		{ "dccpsrc", "timeout", "100000000" },
		{ "dccpsrc", "do-timestamp", "false" },
		{ "dccplayer", "layer", "3" },
	};
	GValue value = G_VALUE_INIT;
	GstElement *element;
	GParamSpec *spec;
	gchar *back, *blanks;
	gsize i;

	for (i = 0; i < G_N_ELEMENTS(set); i++) {
		element = gst_element_factory_make(set[i].element, NULL);
		spec = g_object_class_find_property(G_OBJECT_GET_CLASS(element), set[i].name);
		fail_unless(spec != NULL, "%s has no %s", set[i].element, set[i].name);
		gst_util_set_object_arg(G_OBJECT(element), set[i].name, set[i].value);
		g_value_init(&value, spec->value_type);
		g_object_get_property(G_OBJECT(element), set[i].name, &value);
		back = G_VALUE_HOLDS_STRING(&value) ? g_value_dup_string(&value) :
						      gst_value_serialize(&value);
		/* How a list is written is up to GStreamer. */
		for (blanks = back; *blanks; blanks++)
			while (*blanks == ' ')
				memmove(blanks, blanks + 1, strlen(blanks));
		for (; (blanks = strstr(back, "(int)")) || (blanks = strstr(back, "(string)"));)
			memmove(blanks, strchr(blanks, ')') + 1, strlen(strchr(blanks, ')')));
		fail_unless_equals_string(back, set[i].value);
		g_free(back);
		g_value_unset(&value);
		gst_object_unref(element);
	}
}
GST_END_TEST;

/* What nobody has connected knows nothing, and says so. */
GST_START_TEST(test_state_without_a_connection)
{
	GstElement *element = gst_element_factory_make(names[__i__], NULL);
	guint64 rtt = 1, allowed = 0;
	GstStructure *stats = NULL;
	gdouble p = 1;
	guint k = 1;

	g_object_get(element, "rtt", &rtt, "loss-event-rate", &p, "layers-allowed", &k,
		     "stats", &stats, NULL);
	fail_unless(rtt == 0 && p == 0 && k == 0);
	fail_unless(gst_structure_has_name(stats, "GstDccpStats"));
	fail_unless(gst_structure_has_field(stats, "packets-lost"));
	if (__i__ == 0) {
		g_object_get(element, "allowed-bitrate", &allowed, NULL);
		fail_unless_equals_uint64(allowed, 0);
	}
	gst_structure_free(stats);
	gst_object_unref(element);
}
GST_END_TEST;

/* ------------------------------------------------------------ dccplayer */

static GstBuffer *through(GstHarness *h, GstBuffer *buffer)
{
	fail_unless_equals_int(gst_harness_push(h, buffer), GST_FLOW_OK);
	return gst_harness_pull(h);
}

static guint layer_of(GstBuffer *buffer)
{
	GstCustomMeta *meta = gst_buffer_get_custom_meta(buffer, "GstDccpLayer");
	guint layer = 0;

	fail_unless(meta != NULL);
	fail_unless(gst_structure_get_uint(gst_custom_meta_get_structure(meta), "layer", &layer));
	gst_buffer_unref(buffer);
	return layer;
}

static GstBuffer *vp8_frame(guint id, gboolean temporal)
{
	GstBuffer *buffer = gst_buffer_new_allocate(NULL, 100, NULL);
	GstCustomMeta *meta = gst_buffer_add_custom_meta(buffer, "GstVP8Meta");

	gst_structure_set(gst_custom_meta_get_structure(meta),
			  "use-temporal-scaling", G_TYPE_BOOLEAN, temporal,
			  "layer-sync", G_TYPE_BOOLEAN, FALSE,
			  "layer-id", G_TYPE_UINT, id, NULL);
	return buffer;
}

GST_START_TEST(test_layer_of_a_branch)
{
	GstHarness *h = gst_harness_new_parse("dccplayer layer=3");
	GstBuffer *buffer;

	gst_harness_set_src_caps_str(h, "video/x-h264");
	fail_unless_equals_int(layer_of(through(h, gst_buffer_new())), 3);
	gst_harness_set(h, "dccplayer", "layer", 2, NULL);
	fail_unless_equals_int(layer_of(through(h, gst_buffer_new())), 2);
	/* The element that comes last knows best. */
	buffer = gst_buffer_new();
	gst_structure_set(gst_custom_meta_get_structure(
		gst_buffer_add_custom_meta(buffer, "GstDccpLayer")),
		"layer", G_TYPE_UINT, 5, NULL);
	fail_unless_equals_int(layer_of(through(h, buffer)), 2);
	gst_harness_teardown(h);
}
GST_END_TEST;

GST_START_TEST(test_layer_of_an_encoder)
{
	static const gchar *no_tags[] = { NULL };
	GstHarness *h = gst_harness_new_parse("dccplayer");
	GstBuffer *buffer;

	/* vp8enc registers it, if it is there. */
	if (!gst_meta_get_info("GstVP8Meta"))
		gst_meta_register_custom("GstVP8Meta", no_tags, NULL, NULL, NULL);
	gst_harness_set_src_caps_str(h, "video/x-vp8");
	fail_unless_equals_int(layer_of(through(h, gst_buffer_new())), 1);
	fail_unless_equals_int(layer_of(through(h, vp8_frame(0, TRUE))), 1);
	fail_unless_equals_int(layer_of(through(h, vp8_frame(2, TRUE))), 3);
	fail_unless_equals_int(layer_of(through(h, vp8_frame(2, FALSE))), 1);
	fail_unless_equals_int(layer_of(through(h, vp8_frame(G_MAXUINT, TRUE))), 16);
	buffer = gst_buffer_new();
	GST_BUFFER_FLAG_SET(buffer, GST_BUFFER_FLAG_DROPPABLE);
	fail_unless_equals_int(layer_of(through(h, buffer)), 2);
	gst_harness_teardown(h);
}
GST_END_TEST;

/* Addresses of a name, and the error: at 127.0.0.1 the port is in use, at 127.0.0.2 it is free. */
static const struct {
	const char	*addresses[2], *error;
} servers[] = {
	{ { "192.0.2.1", "127.0.0.2" }, NULL },
	{ { "::1", "127.0.0.2" }, NULL },
	{ { "127.0.0.1", "127.0.0.2" }, "the port is in use" },
	{ { "192.0.2.1", "127.0.0.1" }, "the port is in use" },
	{ { "192.0.2.1", "::1" }, "it is no address of this host" },
	{ { "::1", "192.0.2.1" }, "it is no address of this host" },
	{ { "::1", "::1" }, "no DCCP here" },
};

GST_START_TEST(test_server_at_a_name)
{
	struct sockaddr_in used = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	GstElement *element = gst_element_factory_make("dccpsrc", NULL);
	GstBus *bus = gst_bus_new();
	socklen_t len = sizeof(used);
	int other = socket(AF_INET, SOCK_STREAM, 0);
	GstStateChangeReturn ret;
	GError *error;
	GstMessage *m;

	fail_unless(!bind(other, (struct sockaddr *)&used, len) && !listen(other, 1) &&
		    !getsockname(other, (struct sockaddr *)&used, &len));
	memcpy(addresses, servers[__i__].addresses, sizeof(addresses));
	g_object_set(element, "address", TWO, "port", ntohs(used.sin_port), NULL);
	gst_element_set_bus(element, bus);
	ret = gst_element_set_state(element, GST_STATE_PAUSED);
	m = gst_bus_pop_filtered(bus, GST_MESSAGE_ERROR);
	if (servers[__i__].error) {
		fail_unless_equals_int(ret, GST_STATE_CHANGE_FAILURE);
		fail_unless(m != NULL);
		gst_message_parse_error(m, &error, NULL);
		fail_unless(strstr(error->message, servers[__i__].error) != NULL, "'%s'",
			    error->message);
		g_error_free(error);
		gst_message_unref(m);
	} else {
		fail_unless(ret != GST_STATE_CHANGE_FAILURE && !m);
	}
	gst_element_set_state(element, GST_STATE_NULL);
	gst_element_set_bus(element, NULL);
	gst_object_unref(bus);
	gst_object_unref(element);
	close(other);
}
GST_END_TEST;

int main(int argc, char **argv)
{
	Suite *suite = suite_create("elements");
	TCase *all = tcase_create("all");

	gst_check_init(&argc, &argv);
	suite_add_tcase(suite, all);
	tcase_add_loop_test(all, test_properties_are_described, 0, G_N_ELEMENTS(names));
	tcase_add_test(all, test_properties_keep_their_values);
	tcase_add_loop_test(all, test_state_without_a_connection, 0, 2);
	tcase_add_test(all, test_layer_of_a_branch);
	tcase_add_test(all, test_layer_of_an_encoder);
	tcase_add_loop_test(all, test_server_at_a_name, 0, G_N_ELEMENTS(servers));
	return gst_check_run_suite(suite, "elements", __FILE__);
}
