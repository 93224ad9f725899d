// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parameters of the schemes: from a GstStructure to the socket.
 *
 * The structure has the name of a scheme. Its fields have the names and the units of the
 * members of the structs in <linux/dccp_ccid.h>. The kernel checks the values.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <linux/dccp_ccid.h>

#include "../tools/scheme_words.h"
#include "params.h"

#define RUNGS_MAX	16

struct member {
	const char	*name;
	gsize		offset, width;
	guint		count;		/* of an array */
};

#define NAMED(n, t, m)	{ n, offsetof(struct t, m), sizeof(((struct t *)0)->m), 1 }
#define MEMBER(t, m)	NAMED(#m, t, m)
#define COEFFICIENTS(t, m) { "a", offsetof(struct t, m), sizeof(gint32), 4 }

static const struct member marc_tx[] = {
	MEMBER(dccp_marc_tx_params, beta),
	MEMBER(dccp_marc_tx_params, delta_loss),
	MEMBER(dccp_marc_tx_params, delta_mark),
	MEMBER(dccp_marc_tx_params, tokens),
	MEMBER(dccp_marc_tx_params, clock),
	MEMBER(dccp_marc_tx_params, decay),
	MEMBER(dccp_marc_tx_params, lag),
	MEMBER(dccp_marc_tx_params, target_delay),
	MEMBER(dccp_marc_tx_params, landing),
	MEMBER(dccp_marc_tx_params, warning),
	MEMBER(dccp_marc_tx_params, nominal_size),
	MEMBER(dccp_marc_tx_params, frame_rate),
	MEMBER(dccp_marc_tx_params, l4s),
	{ }
};

static const struct member marc_rx[] = {
	MEMBER(dccp_marc_rx_params, loss_history),
	MEMBER(dccp_marc_rx_params, recovery),
	{ }
};

static const struct member raar_tx[] = {
	MEMBER(dccp_raar_tx_params, beta),
	MEMBER(dccp_raar_tx_params, target_delay),
	MEMBER(dccp_raar_tx_params, frame_rate),
	MEMBER(dccp_raar_tx_params, l4s),
	{ }
};

static const struct member raar_rx[] = {
	MEMBER(dccp_raar_rx_params, beta),
	MEMBER(dccp_raar_rx_params, delta),
	MEMBER(dccp_raar_rx_params, smoothing),
	MEMBER(dccp_raar_rx_params, growth),
	MEMBER(dccp_raar_rx_params, rate_max),
	MEMBER(dccp_raar_rx_params, early_once),
	MEMBER(dccp_raar_rx_params, wnd_max),
	MEMBER(dccp_raar_rx_params, hole_events),
	MEMBER(dccp_raar_rx_params, exit_guard),
	MEMBER(dccp_raar_rx_params, per_rtt),
	MEMBER(dccp_raar_rx_params, fast_down),
	MEMBER(dccp_raar_rx_params, nominal_size),
	{ }
};

static const struct member ltfrc_tx[] = {
	NAMED("k", dccp_ltfrc_tx_params, equation.k),
	NAMED("weight", dccp_ltfrc_tx_params, equation.weight),
	NAMED("bounded", dccp_ltfrc_tx_params, equation.bounded),
	NAMED("target_delay", dccp_ltfrc_tx_params, equation.target_delay),
	NAMED("l4s", dccp_ltfrc_tx_params, equation.l4s),
	COEFFICIENTS(dccp_ltfrc_tx_params, equation.a),
	MEMBER(dccp_ltfrc_tx_params, nominal_size),
	MEMBER(dccp_ltfrc_tx_params, frame_rate),
	{ }
};

static const struct member ltfrc_rx[] = {
	MEMBER(dccp_ltfrc_rx_params, loss_history),
	MEMBER(dccp_ltfrc_rx_params, recovery),
	NAMED("k", dccp_ltfrc_rx_params, equation.k),
	NAMED("weight", dccp_ltfrc_rx_params, equation.weight),
	NAMED("bounded", dccp_ltfrc_rx_params, equation.bounded),
	COEFFICIENTS(dccp_ltfrc_rx_params, equation.a),
	{ }
};

static const struct member dvrc_tx[] = {
	MEMBER(dccp_dvrc_tx_params, gamma),
	MEMBER(dccp_dvrc_tx_params, epsilon),
	MEMBER(dccp_dvrc_tx_params, slow_start),
	MEMBER(dccp_dvrc_tx_params, target_delay),
	MEMBER(dccp_dvrc_tx_params, frame_rate),
	MEMBER(dccp_dvrc_tx_params, l4s),
	{ }
};

static const struct member dvrc_rx[] = {
	MEMBER(dccp_dvrc_rx_params, alpha_i),
	MEMBER(dccp_dvrc_rx_params, alpha_d),
	MEMBER(dccp_dvrc_rx_params, beta_d),
	MEMBER(dccp_dvrc_rx_params, n),
	MEMBER(dccp_dvrc_rx_params, weight),
	MEMBER(dccp_dvrc_rx_params, ack_ratio),
	MEMBER(dccp_dvrc_rx_params, loss_history),
	MEMBER(dccp_dvrc_rx_params, weight_layers),
	MEMBER(dccp_dvrc_rx_params, delta),
	MEMBER(dccp_dvrc_rx_params, gain_mean),
	MEMBER(dccp_dvrc_rx_params, gain_deviation),
	MEMBER(dccp_dvrc_rx_params, hold),
	MEMBER(dccp_dvrc_rx_params, validation),
	MEMBER(dccp_dvrc_rx_params, nominal_size),
	{ }
};

static const struct member ctfaf_tx[] = {
	MEMBER(dccp_ctfaf_constraints, r_min),
	MEMBER(dccp_ctfaf_constraints, r_max),
	MEMBER(dccp_ctfaf_constraints, step),
	MEMBER(dccp_ctfaf_constraints, delta),
	MEMBER(dccp_ctfaf_constraints, r_start),
	MEMBER(dccp_ctfaf_constraints, increase),
	MEMBER(dccp_ctfaf_constraints, l_allowed),
	MEMBER(dccp_ctfaf_constraints, interval),
	MEMBER(dccp_ctfaf_constraints, t_reset),
	MEMBER(dccp_ctfaf_constraints, t_init),
	MEMBER(dccp_ctfaf_constraints, l_severe),
	MEMBER(dccp_ctfaf_constraints, algorithm),
	MEMBER(dccp_ctfaf_constraints, probes),
	MEMBER(dccp_ctfaf_constraints, probe_every),
	MEMBER(dccp_ctfaf_constraints, hold),
	MEMBER(dccp_ctfaf_constraints, decay),
	MEMBER(dccp_ctfaf_constraints, refuse),
	MEMBER(dccp_ctfaf_constraints, gentle),
	MEMBER(dccp_ctfaf_constraints, climb),
	MEMBER(dccp_ctfaf_constraints, steady),
	MEMBER(dccp_ctfaf_constraints, target_delay),
	MEMBER(dccp_ctfaf_constraints, nominal_size),
	MEMBER(dccp_ctfaf_constraints, frame_rate),
	{ }
};

static const struct member ctfaf_rx[] = {
	MEMBER(dccp_ctfaf_rx_params, loss_history),
	{ }
};

static const struct half {
	const char		*scheme;
	gboolean		sending;
	int			option;
	gsize			size;
	const struct member	*members;
} halves[] = {
	{ "marc", TRUE, DCCP_SOCKOPT_MARC_TX, sizeof(struct dccp_marc_tx_params), marc_tx },
	{ "marc", FALSE, DCCP_SOCKOPT_MARC_RX, sizeof(struct dccp_marc_rx_params), marc_rx },
	{ "raar", TRUE, DCCP_SOCKOPT_RAAR_TX, sizeof(struct dccp_raar_tx_params), raar_tx },
	{ "raar", FALSE, DCCP_SOCKOPT_RAAR_RX, sizeof(struct dccp_raar_rx_params), raar_rx },
	{ "ltfrc", TRUE, DCCP_SOCKOPT_LTFRC_TX, sizeof(struct dccp_ltfrc_tx_params), ltfrc_tx },
	{ "ltfrc", FALSE, DCCP_SOCKOPT_LTFRC_RX, sizeof(struct dccp_ltfrc_rx_params), ltfrc_rx },
	{ "dvrc", TRUE, DCCP_SOCKOPT_DVRC_TX, sizeof(struct dccp_dvrc_tx_params), dvrc_tx },
	{ "dvrc", FALSE, DCCP_SOCKOPT_DVRC_RX, sizeof(struct dccp_dvrc_rx_params), dvrc_rx },
	{ "ctfaf", TRUE, DCCP_SOCKOPT_CTFAF_TX, sizeof(struct dccp_ctfaf_constraints), ctfaf_tx },
	{ "ctfaf", FALSE, DCCP_SOCKOPT_CTFAF_RX, sizeof(struct dccp_ctfaf_rx_params), ctfaf_rx },
};

/* What is written without a type in a pipeline is an int, or a string. */
static gboolean number(const struct half *half, const char *name, const GValue *v,
		       gint64 *to)
{
	GValue wide = G_VALUE_INIT;
	const char *word;
	gsize i;

	if (G_VALUE_HOLDS_STRING(v)) {
		word = g_value_get_string(v);
		for (i = 0; word && i < G_N_ELEMENTS(scheme_words); i++) {
			if (!strcmp(scheme_words[i].scheme, half->scheme) &&
			    !strcmp(scheme_words[i].member, name) &&
			    !strcmp(scheme_words[i].word, word)) {
				*to = scheme_words[i].value;
				return TRUE;
			}
		}
		return FALSE;
	}
	if (!G_VALUE_HOLDS_INT(v) && !G_VALUE_HOLDS_UINT(v) && !G_VALUE_HOLDS_INT64(v) &&
	    !G_VALUE_HOLDS_BOOLEAN(v))
		return FALSE;
	g_value_init(&wide, G_TYPE_INT64);
	g_value_transform(v, &wide);
	*to = g_value_get_int64(&wide);
	return TRUE;
}

static gboolean store(guint8 *to, gsize width, gboolean is_signed, gint64 value)
{
	gint64 max = G_GINT64_CONSTANT(1) << (8 * width - is_signed);
	guint8 u8 = value;
	guint16 u16 = value;
	guint32 u32 = value;

	if (value < (is_signed ? -max : 0) || value >= max)
		return FALSE;
	memcpy(to, width == 1 ? (void *)&u8 : width == 2 ? (void *)&u16 : (void *)&u32,
	       width);
	return TRUE;
}

static gboolean set_member(const struct half *half, const struct member *m,
			   const GValue *v, guint8 *params)
{
	gint64 value;
	guint i;

	if (m->count == 1)
		return number(half, m->name, v, &value) &&
		       store(params + m->offset, m->width, FALSE, value);

	if (!GST_VALUE_HOLDS_ARRAY(v) || gst_value_array_get_size(v) != m->count)
		return FALSE;
	for (i = 0; i < m->count; i++)
		if (!number(half, m->name, gst_value_array_get_value(v, i), &value) ||
		    !store(params + m->offset + i * m->width, m->width, TRUE, value))
			return FALSE;
	return TRUE;
}

static gboolean set_rungs(int fd, const struct half *half, const GValue *v)
{
	guint32 rungs[RUNGS_MAX];
	gint64 value;
	guint i, n;

	n = GST_VALUE_HOLDS_ARRAY(v) ? gst_value_array_get_size(v) : 0;
	if (n < 2 || n > RUNGS_MAX)
		return FALSE;
	for (i = 0; i < n; i++)
		if (!number(half, "rungs", gst_value_array_get_value(v, i), &value) ||
		    !store((guint8 *)&rungs[i], sizeof(rungs[i]), FALSE, value))
			return FALSE;
	return !setsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_CTFAF_TX_RUNGS, rungs,
			   n * sizeof(*rungs));
}

/* Set the members that the structure names; the others keep their values. */
static gboolean set_half(int fd, const struct half *half, const GstStructure *s,
			 gchar **why)
{
	guint8 params[128] = { 0 };
	socklen_t len = half->size;
	const GValue *rungs = NULL;
	const struct member *m;
	const char *name;
	int i;

	if (getsockopt(fd, SOL_DCCP, half->option, params, &len)) {
		*why = g_strdup_printf("this kernel has no parameters of %s (%s): load the module ccid_%s",
				       half->scheme, g_strerror(errno), half->scheme);
		return FALSE;
	}
	for (i = 0; i < gst_structure_n_fields(s); i++) {
		name = gst_structure_nth_field_name(s, i);
		if (half->option == DCCP_SOCKOPT_CTFAF_TX && !strcmp(name, "rungs")) {
			rungs = gst_structure_get_value(s, name);
			continue;
		}
		for (m = half->members; m->name && strcmp(m->name, name); m++)
			;
		if (!m->name) {
			*why = g_strdup_printf("%s has no parameter '%s' at the %s", half->scheme,
					       name, half->sending ? "sender" : "receiver");
			return FALSE;
		}
		if (!set_member(half, m, gst_structure_get_value(s, name), params)) {
			*why = g_strdup_printf("%s: '%s' cannot have this value", half->scheme, name);
			return FALSE;
		}
	}
	if (setsockopt(fd, SOL_DCCP, half->option, params, len)) {
		*why = g_strdup_printf("the kernel refuses these parameters of %s: %s (ranges: parameters.rst)",
				       half->scheme, g_strerror(errno));
		return FALSE;
	}
	if (rungs && !set_rungs(fd, half, rungs)) {
		*why = g_strdup("rungs are 2 to 16 rates in bytes/s, each greater than the one before and at most three times as great");
		return FALSE;
	}
	return TRUE;
}

gboolean gst_dccp_params_set(int fd, gboolean sending, const GstStructure *s,
			     gchar **why)
{
	gsize i;

	for (i = 0; i < G_N_ELEMENTS(halves); i++)
		if (halves[i].sending == sending &&
		    gst_structure_has_name(s, halves[i].scheme))
			return set_half(fd, &halves[i], s, why);
	*why = g_strdup_printf("parameters of '%s': the name must be marc, raar, ltfrc, dvrc or ctfaf",
			       gst_structure_get_name(s));
	return FALSE;
}
