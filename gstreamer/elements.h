/* SPDX-License-Identifier: GPL-2.0-only */
/* The elements of the plugin */
#ifndef GST_DCCP_ELEMENTS_H
#define GST_DCCP_ELEMENTS_H

#include <gst/gst.h>
#include <gst/base/gstbasesink.h>
#include <gst/base/gstbasetransform.h>
#include <gst/base/gstpushsrc.h>

/* A custom meta with a uint "layer", from 1 on: the layer that a buffer belongs to */
#define GST_DCCP_LAYER_META	"GstDccpLayer"

#define GST_TYPE_DCCP_SINK	(gst_dccp_sink_get_type())
G_DECLARE_FINAL_TYPE(GstDccpSink, gst_dccp_sink, GST, DCCP_SINK, GstBaseSink)
GST_ELEMENT_REGISTER_DECLARE(dccpsink)

#define GST_TYPE_DCCP_SRC	(gst_dccp_src_get_type())
G_DECLARE_FINAL_TYPE(GstDccpSrc, gst_dccp_src, GST, DCCP_SRC, GstPushSrc)
GST_ELEMENT_REGISTER_DECLARE(dccpsrc)

/* The meta has the name GstDccpLayer, and names of types are unique. */
#define GST_TYPE_DCCP_LAYER_TAG	(gst_dccp_layer_tag_get_type())
G_DECLARE_FINAL_TYPE(GstDccpLayerTag, gst_dccp_layer_tag, GST, DCCP_LAYER_TAG, GstBaseTransform)
GST_ELEMENT_REGISTER_DECLARE(dccplayer)

guint gst_dccp_layer_of(GstBuffer *buffer);

#endif
