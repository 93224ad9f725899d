// SPDX-License-Identifier: GPL-2.0-only
/*
 * dccplayer: says which layer of the stream its buffers belong to, for dccpsink.
 *
 * It stands before the payloader, which copies what it adds, or behind it. Layer 1 is the
 * base layer. By itself it knows the temporal layers of vp8enc, and frames that no other
 * refers to. Streams that come from several encoders have one dccplayer each.
 */
#include <gst/base/gstbasetransform.h>

#include "conn.h"
#include "elements.h"

/* What vp8enc says of a frame */
#define VP8_META	"GstVP8Meta"

enum {
	LAYER_PROP_0,
	LAYER_PROP_LAYER,
};

struct _GstDccpLayerTag {
	GstBaseTransform	parent;
	guint			layer;		/* 0: by the buffer; under the object lock */
};

static GstStaticPadTemplate sink_template =
	GST_STATIC_PAD_TEMPLATE("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate src_template =
	GST_STATIC_PAD_TEMPLATE("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

G_DEFINE_TYPE(GstDccpLayerTag, gst_dccp_layer_tag, GST_TYPE_BASE_TRANSFORM)
GST_ELEMENT_REGISTER_DEFINE(dccplayer, "dccplayer", GST_RANK_NONE, GST_TYPE_DCCP_LAYER_TAG)

static GstStructure *custom(GstBuffer *buffer, const char *name)
{
	GstCustomMeta *meta = NULL;

	if (gst_meta_get_info(name))		/* else it is an error to ask */
		meta = gst_buffer_get_custom_meta(buffer, name);
	return meta ? gst_custom_meta_get_structure(meta) : NULL;
}

/* Buffers without a layer are of the base layer. */
guint gst_dccp_layer_of(GstBuffer *buffer)
{
	GstStructure *s = custom(buffer, GST_DCCP_LAYER_META);
	guint layer = 1;

	if (s)
		gst_structure_get_uint(s, "layer", &layer);
	return MAX(layer, 1);
}

/* The layer that the encoder says, or that a frame which no other needs has */
static guint guess(GstBuffer *buffer)
{
	GstStructure *vp8 = custom(buffer, VP8_META);
	gboolean temporal = FALSE;
	guint id;

	if (vp8 && gst_structure_get_boolean(vp8, "use-temporal-scaling", &temporal) &&
	    temporal && gst_structure_get_uint(vp8, "layer-id", &id))
		return MIN(id, GST_DCCP_LAYERS_MAX - 1) + 1;
	return GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_DROPPABLE) ? 2 : 1;
}

static GstFlowReturn transform_ip(GstBaseTransform *transform, GstBuffer *buffer)
{
	GstDccpLayerTag *self = GST_DCCP_LAYER_TAG(transform);
	GstCustomMeta *meta = gst_buffer_get_custom_meta(buffer, GST_DCCP_LAYER_META);
	guint layer;

	GST_OBJECT_LOCK(self);
	layer = self->layer;
	GST_OBJECT_UNLOCK(self);
	if (!meta)
		meta = gst_buffer_add_custom_meta(buffer, GST_DCCP_LAYER_META);
	gst_structure_set(gst_custom_meta_get_structure(meta), "layer", G_TYPE_UINT,
			  layer ?: guess(buffer), NULL);
	return GST_FLOW_OK;
}

static void set_property(GObject *object, guint id, const GValue *v, GParamSpec *spec)
{
	if (id != LAYER_PROP_LAYER) {
		G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
		return;
	}
	GST_OBJECT_LOCK(object);
	GST_DCCP_LAYER_TAG(object)->layer = g_value_get_uint(v);
	GST_OBJECT_UNLOCK(object);
}

static void get_property(GObject *object, guint id, GValue *v, GParamSpec *spec)
{
	if (id != LAYER_PROP_LAYER) {
		G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
		return;
	}
	GST_OBJECT_LOCK(object);
	g_value_set_uint(v, GST_DCCP_LAYER_TAG(object)->layer);
	GST_OBJECT_UNLOCK(object);
}

static void gst_dccp_layer_tag_init(GstDccpLayerTag *self)
{
	gst_base_transform_set_in_place(GST_BASE_TRANSFORM(self), TRUE);
}

static void gst_dccp_layer_tag_class_init(GstDccpLayerTagClass *klass)
{
	GstElementClass *element = GST_ELEMENT_CLASS(klass);
	GObjectClass *object = G_OBJECT_CLASS(klass);

	object->set_property = set_property;
	object->get_property = get_property;
	g_object_class_install_property(object, LAYER_PROP_LAYER,
		g_param_spec_uint("layer", "Layer",
			"Number of the layer that all buffers belong to, 1 is the base layer; 0: the temporal layer that vp8enc says, or 2 for a frame that no other needs (flag droppable), else 1",
			0, GST_DCCP_LAYERS_MAX, 0,
			G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING));
	GST_BASE_TRANSFORM_CLASS(klass)->transform_ip = transform_ip;
	gst_element_class_add_static_pad_template(element, &sink_template);
	gst_element_class_add_static_pad_template(element, &src_template);
	gst_element_class_set_static_metadata(element, "DCCP layer", "Filter/Network",
		"Say which layer of the stream buffers belong to, for dccpsink with layers",
		"The dccp-ccids developers");
}
