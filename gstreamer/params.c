// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parameters of the schemes: from a GstStructure to the socket.
 *
 * The structure has the name of a scheme. Its fields have the names and the units of the
 * members of the structs in <linux/dccp_ccid.h>, from which members.py makes tables. The
 * kernel checks the values. For several schemes, the fields are such structures.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <linux/dccp_ccid.h>

#include "../tools/scheme_words.h"
#include "params.h"

#define RUNGS_MAX	16
#define PARAMS_MAX	256		/* bytes of a struct, in this and later kernels */

struct member {
	const char	*name;
	gsize		offset, width;
	guint		count;		/* of an array */
	gboolean	is_signed;
	const char	*meaning;	/* with unit and range */
};

struct half {
	const char		*scheme;
	guint8			ccid;
	gboolean		sending;
	int			option;
	const struct member	*members;
};

#include "members.h"

/* An option of a socket, as the kernel gives it */
struct option {
	int		name;
	socklen_t	len;
	guint8		value[PARAMS_MAX];
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
		       store(params + m->offset, m->width, m->is_signed, value);

	if (!GST_VALUE_HOLDS_ARRAY(v) || gst_value_array_get_size(v) != m->count)
		return FALSE;
	for (i = 0; i < m->count; i++)
		if (!number(half, m->name, gst_value_array_get_value(v, i), &value) ||
		    !store(params + m->offset + i * m->width, m->width, m->is_signed, value))
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

static const struct member *find_member(const struct half *half, const char *name)
{
	const struct member *m;

	for (m = half->members; m->name; m++)
		if (!strcmp(m->name, name))
			return m;
	return NULL;
}

/* What a value would be, and what it is: "'beta' = 2000, expected ..." */
static gchar *explain(const struct half *half, const struct member *m, const GValue *v)
{
	gchar *value = gst_value_serialize(v), *text;
	GString *words = g_string_new(NULL);
	gsize i;

	for (i = 0; i < G_N_ELEMENTS(scheme_words); i++)
		if (!strcmp(scheme_words[i].scheme, half->scheme) &&
		    !strcmp(scheme_words[i].member, m->name))
			g_string_append_printf(words, "%s%s (%d)", words->len ? ", " : ": ",
					       scheme_words[i].word, scheme_words[i].value);
	text = g_strdup_printf("'%s' = %s, expected%s: %s%s", m->name, value ?: "?",
			       m->count > 1 ? " an array <...> of integers" : "", m->meaning,
			       words->str);
	g_string_free(words, TRUE);
	g_free(value);
	return text;
}

static gchar *names_of(const struct half *half)
{
	GString *names = g_string_new(NULL);
	const struct member *m;

	for (m = half->members; m->name; m++)
		g_string_append_printf(names, "%s%s", names->len ? " " : "", m->name);
	if (half->option == DCCP_SOCKOPT_CTFAF_TX)
		g_string_append(names, " rungs");
	return g_string_free(names, FALSE);
}

/* The parameters that each scheme has, for a description of the property */
gchar *gst_dccp_params_names(gboolean sending)
{
	GString *all = g_string_new(NULL);
	gchar *names;
	gsize i;

	for (i = 0; i < G_N_ELEMENTS(halves); i++) {
		if (halves[i].sending != sending)
			continue;
		names = names_of(&halves[i]);
		g_string_append_printf(all, "%s%s: %s", all->len ? "; " : "", halves[i].scheme,
				       names);
		g_free(names);
	}
	return g_string_free(all, FALSE);
}

/* The kernel does not say which value it refused: name all that were given. */
static gchar *refused(const struct half *half, const GstStructure *s, int err)
{
	GString *text = g_string_new(NULL);
	const struct member *m;
	gchar *one;
	int i;

	g_string_printf(text, "the kernel refuses these parameters of %s (%s):", half->scheme,
			g_strerror(err));
	for (i = 0; i < gst_structure_n_fields(s); i++) {
		m = find_member(half, gst_structure_nth_field_name(s, i));
		if (!m)
			continue;
		one = explain(half, m, gst_structure_get_value(s, m->name));
		g_string_append_printf(text, "%s %s", i ? ";" : "", one);
		g_free(one);
	}
	return g_string_free(text, FALSE);
}

/* Whether there is a connection, which has one CCID, and this is not it */
static gboolean has_other_ccid(int fd, const struct half *half)
{
	int ccid;
	socklen_t len = sizeof(ccid);

	return !getsockopt(fd, SOL_DCCP, half->sending ? DCCP_SOCKOPT_TX_CCID :
			   DCCP_SOCKOPT_RX_CCID, &ccid, &len) && ccid != half->ccid;
}

static gboolean read_half(int fd, const struct half *half, guint8 *params, socklen_t *len,
			  gchar **why)
{
	int err;

	*len = PARAMS_MAX;
	if (!getsockopt(fd, SOL_DCCP, half->option, params, len))
		return TRUE;
	err = errno;
	if (has_other_ccid(fd, half)) {
		*why = g_strdup_printf("parameters of %s, but the connection has another CCID",
				       half->scheme);
		return FALSE;
	}
	*why = g_strdup_printf("parameters of %s: %s; expected the module ccid_%s of these packages: as root, modprobe ccid_%s",
			       half->scheme, g_strerror(err), half->scheme, half->scheme);
	return FALSE;
}

/* Set the members that the structure names; the others keep their values. */
static gboolean set_half(int fd, const struct half *half, const GstStructure *s,
			 gchar **why)
{
	guint8 params[PARAMS_MAX] = { 0 };
	const GValue *rungs = NULL, *v;
	const struct member *m;
	const char *name;
	socklen_t len;
	gchar *one;
	int i;

	if (!read_half(fd, half, params, &len, why))
		return FALSE;
	for (i = 0; i < gst_structure_n_fields(s); i++) {
		name = gst_structure_nth_field_name(s, i);
		v = gst_structure_get_value(s, name);
		if (half->option == DCCP_SOCKOPT_CTFAF_TX && !strcmp(name, "rungs")) {
			rungs = v;
			continue;
		}
		m = find_member(half, name);
		if (!m || m->offset + m->width * m->count > len) {
			one = names_of(half);
			*why = g_strdup_printf("%s has no parameter '%s' at the %s (in this kernel), expected: %s",
					       half->scheme, name,
					       half->sending ? "sender" : "receiver", one);
			g_free(one);
			return FALSE;
		}
		if (!set_member(half, m, v, params)) {
			one = explain(half, m, v);
			*why = g_strdup_printf("%s: %s", half->scheme, one);
			g_free(one);
			return FALSE;
		}
	}
	if (setsockopt(fd, SOL_DCCP, half->option, params, len)) {
		*why = refused(half, s, errno);
		return FALSE;
	}
	if (rungs && !set_rungs(fd, half, rungs)) {
		*why = g_strdup("rungs are 2 to 16 rates in bytes/s, each greater than the one before and at most three times as great");
		return FALSE;
	}
	return TRUE;
}

/* Whether all fields are structures, of which there is at least one */
static gboolean is_list(const GstStructure *s)
{
	int i, n = gst_structure_n_fields(s);

	for (i = 0; i < n; i++)
		if (!GST_VALUE_HOLDS_STRUCTURE(gst_structure_get_value(
				s, gst_structure_nth_field_name(s, i))))
			return FALSE;
	return n > 0;
}

static const struct half *find_half(gboolean sending, const GstStructure *s)
{
	gsize i;

	for (i = 0; i < G_N_ELEMENTS(halves); i++)
		if (halves[i].sending == sending &&
		    gst_structure_has_name(s, halves[i].scheme))
			return &halves[i];
	return NULL;
}

/* Of a list those count that belong to the CCID of the connection. */
gboolean gst_dccp_params_set(int fd, gboolean sending, const GstStructure *s,
			     gchar **why)
{
	const struct half *half = find_half(sending, s);
	const GstStructure *one;
	int n;

	if (half)
		return set_half(fd, half, s, why);
	if (!is_list(s)) {
		*why = g_strdup_printf("parameters of '%s': the name must be marc, raar, ltfrc, dvrc or ctfaf, as in \"marc,beta=800\"; of several schemes: \"all,first=[marc,beta=800],second=[raar,beta=500]\"",
				       gst_structure_get_name(s));
		return FALSE;
	}
	for (n = 0; n < gst_structure_n_fields(s); n++) {
		one = gst_value_get_structure(gst_structure_get_value(
				s, gst_structure_nth_field_name(s, n)));
		if (is_list(one)) {
			*why = g_strdup("parameters: a list in a list of schemes");
			return FALSE;
		}
		half = find_half(sending, one);
		if (half && has_other_ccid(fd, half))
			continue;
		if (!gst_dccp_params_set(fd, sending, one, why))
			return FALSE;
	}
	return TRUE;
}

/*
 * Set target_delay of all schemes of a list. It may also have CCIDs without this
 * parameter, but not only these.
 */
gboolean gst_dccp_params_set_delay(int fd, const guint8 *ccids, guint n, guint ms,
				   gchar **why)
{
	gboolean any = FALSE;
	GstStructure *s;
	gsize i;
	guint k;

	for (k = 0; k < n; k++) {
		for (i = 0; i < G_N_ELEMENTS(halves); i++) {
			if (!halves[i].sending || halves[i].ccid != ccids[k])
				continue;
			s = gst_structure_new(halves[i].scheme, "target_delay", G_TYPE_INT, ms,
					      NULL);
			any = set_half(fd, &halves[i], s, why);
			gst_structure_free(s);
			if (!any)
				return FALSE;
		}
	}
	if (!any)
		*why = g_strdup("target-delay: no CCID that may be used has it; expected marc, raar, ltfrc, dvrc or ctfaf in ccid");
	return any;
}

static gboolean read_option(int fd, struct option *o)
{
	o->len = sizeof(o->value);
	return !getsockopt(fd, SOL_DCCP, o->name, o->value, &o->len);
}

/*
 * What a socket has of one direction: all parameters of the schemes that it may use, and
 * CTFAF's rungs, if they are not those of the layers. To be freed with g_array_unref().
 */
GArray *gst_dccp_params_save(int fd, gboolean sending, gboolean rungs)
{
	GArray *saved = g_array_new(FALSE, FALSE, sizeof(struct option));
	struct option o;
	gsize i;

	for (i = 0; i < G_N_ELEMENTS(halves); i++) {
		o.name = halves[i].option;
		if (halves[i].sending != sending || !read_option(fd, &o))
			continue;
		g_array_append_val(saved, o);
		if (!rungs || o.name != DCCP_SOCKOPT_CTFAF_TX)
			continue;
		o.name = DCCP_SOCKOPT_CTFAF_TX_RUNGS;
		if (!read_option(fd, &o)) {
			/* Before the connection none can be read: a single 0 is none. */
			o.len = sizeof(guint32);
			memset(o.value, 0, o.len);
		}
		g_array_append_val(saved, o);
	}
	return saved;
}

/*
 * Put it back. What the socket cannot have is left out, and what it has already, too: the
 * kernel would take it for a change.
 */
void gst_dccp_params_restore(int fd, const GArray *saved)
{
	const struct option *o;
	struct option now;
	guint i;

	for (i = 0; i < saved->len; i++) {
		o = &g_array_index(saved, struct option, i);
		now.name = o->name;
		if (read_option(fd, &now) &&
		    (now.len != o->len || memcmp(now.value, o->value, o->len)))
			setsockopt(fd, SOL_DCCP, o->name, o->value, o->len);
	}
}
