/* SPDX-License-Identifier: GPL-2.0-only */
/* Parameters of the schemes: from a GstStructure to the socket. */
#ifndef GST_DCCP_PARAMS_H
#define GST_DCCP_PARAMS_H

#include <gst/gst.h>

gboolean gst_dccp_params_set(int fd, gboolean sending, const GstStructure *s,
			     gchar **why);
gboolean gst_dccp_params_set_delay(int fd, const guint8 *ccids, guint n, guint ms,
				   gchar **why);
GArray *gst_dccp_params_save(int fd, gboolean sending, gboolean rungs);
void gst_dccp_params_restore(int fd, const GArray *saved);
gchar *gst_dccp_params_names(gboolean sending);

#endif
