// SPDX-License-Identifier: GPL-2.0-only
/* The plugin: elements dccpsink, dccpsrc and dccplayer */
#include "elements.h"

static gboolean init(GstPlugin *plugin)
{
	static const gchar *no_tags[] = { NULL };

	gst_meta_register_custom(GST_DCCP_LAYER_META, no_tags, NULL, NULL, NULL);
	return GST_ELEMENT_REGISTER(dccpsink, plugin) | GST_ELEMENT_REGISTER(dccpsrc, plugin) |
	       GST_ELEMENT_REGISTER(dccplayer, plugin);
}

#define PACKAGE	"dccp-ccids"
GST_PLUGIN_DEFINE(GST_VERSION_MAJOR, GST_VERSION_MINOR, dccp,
		  "Datagrams over DCCP, with the congestion controls MARC, RAAR, L-TFRC, DVRC and CTFAF",
		  init, DCCP_VERSION, "GPL", PACKAGE, GST_PACKAGE_ORIGIN)
