// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tables of fields, by which the control connection, JSON and traces work.
 *
 * A floating-point value that is not known is NAN: it is not sent, not shown,
 * and null in JSON.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fields.h"

/* Set all values to "unknown": 0, NAN or the empty string. */
void fields_init(const struct field *f, void *obj)
{
	for (; f->name; f++) {
		void *p = (char *)obj + f->offset;

		memset(p, 0, f->size);
		if (f->type == F_F64)
			*(double *)p = NAN;
	}
}

/* Returns false if the value is unknown. */
bool field_format(const struct field *f, const void *obj, char *buf, size_t n)
{
	const void *p = (const char *)obj + f->offset;

	*buf = '\0';
	switch (f->type) {
	case F_U64:
		if (*(const u64 *)p == UNSET)
			return false;
		snprintf(buf, n, "%llu", *(const u64 *)p);
		return true;
	case F_S64:
		snprintf(buf, n, "%lld", *(const s64 *)p);
		return true;
	case F_F64:
		if (!isfinite(*(const double *)p))
			return false;
		snprintf(buf, n, "%.9g", *(const double *)p);
		return true;
	case F_STR:
		snprintf(buf, n, "%.*s", (int)f->size, (const char *)p);
		return *buf;
	}
	return false;
}

static const char *parse_one(const struct field *f, void *obj, const char *v)
{
	static char err[200];
	void *p = (char *)obj + f->offset;
	char *end = NULL;
	double d;
	size_t i;

	if (f->type == F_STR) {
		for (i = 0; i + 1 < f->size && v[i]; i++)
			((char *)p)[i] = isprint((unsigned char)v[i]) ? v[i] : '?';
		((char *)p)[i] = '\0';
		return NULL;
	}
	errno = 0;
	d = strtod(v, &end);
	if (end == v || *end || !isfinite(d) || d < f->min || d > f->max) {
		snprintf(err, sizeof(err),
			 "%s: expected a number from %g to %g, found \"%.60s\"",
			 f->name, f->min, f->max, v);
		return err;
	}
	if (f->type == F_F64)
		*(double *)p = d;
	else if (f->type == F_U64)
		*(u64 *)p = d;
	else
		*(s64 *)p = d;
	return NULL;
}

/*
 * Parse lines of "name value" from the peer. Names that are not in the table are
 * skipped, because the peer may be newer. Returns an error message, or NULL.
 */
const char *fields_parse(const struct field *table, void *obj, char *text)
{
	char *line, *save = NULL;

	for (line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		const struct field *f;
		const char *err;
		char *value = strchr(line, ' ');

		if (!value)
			return "line without value on the control connection";
		*value++ = '\0';
		for (f = table; f->name && strcmp(f->name, line); f++)
			;
		err = f->name ? parse_one(f, obj, value) : NULL;
		if (err)
			return err;
	}
	return NULL;
}
