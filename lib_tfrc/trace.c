// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tracepoints of tfrc_trace.h.
 */
#include <net/tfrc_ccid.h>

#define CREATE_TRACE_POINTS
#include "tfrc_trace.h"
