// SPDX-License-Identifier: GPL-2.0-only
/* JSON, written as the values come. */
#include <math.h>

#include "json.h"

void json_init(struct json *j, FILE *f)
{
	j->f = f;
	j->depth = 0;
	j->first = true;
	j->line = false;
}

static void quote(FILE *f, const char *s)
{
	putc('"', f);
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			fprintf(f, "\\%c", *s);
		else if ((unsigned char)*s < 0x20 || (unsigned char)*s > 0x7e)
			fprintf(f, "\\u%04x", (unsigned char)*s);
		else
			putc(*s, f);
	}
	putc('"', f);
}

static void line_break(const struct json *j)
{
	if (!j->line)
		fprintf(j->f, "\n%*s", 2 * j->depth, "");
}

static void item(struct json *j, const char *key)
{
	if (!j->first)
		putc(',', j->f);
	if (j->depth)
		line_break(j);
	if (key) {
		quote(j->f, key);
		fputs(": ", j->f);
	}
	j->first = false;
}

void json_open(struct json *j, const char *key, char bracket)
{
	item(j, key);
	putc(bracket, j->f);
	if (j->depth < (int)sizeof(j->stack))
		j->stack[j->depth++] = bracket;
	j->first = true;
}

void json_close(struct json *j)
{
	char bracket = j->stack[--j->depth];

	if (!j->first)
		line_break(j);
	putc(bracket == '{' ? '}' : ']', j->f);
	if (!j->depth)
		putc('\n', j->f);
	j->first = false;
}

void json_close_to(struct json *j, int depth)
{
	while (j->depth > depth)
		json_close(j);
}

void json_str(struct json *j, const char *key, const char *v)
{
	item(j, key);
	quote(j->f, v);
}

void json_f64(struct json *j, const char *key, double v)
{
	item(j, key);
	if (isfinite(v))
		fprintf(j->f, "%.9g", v);
	else
		fputs("null", j->f);
}

void json_s64(struct json *j, const char *key, s64 v)
{
	item(j, key);
	fprintf(j->f, "%lld", v);
}

/* @text is JSON already. */
void json_raw(struct json *j, const char *key, const char *text)
{
	item(j, key);
	fputs(text, j->f);
}

void json_fields(struct json *j, const struct field *f, const void *obj)
{
	char buf[300];

	for (; f->name; f++) {
		bool known = field_format(f, obj, buf, sizeof(buf));

		if (f->type == F_STR) {
			if (known)
				json_str(j, f->name, buf);
			continue;
		}
		item(j, f->name);
		fputs(known ? buf : "null", j->f);
	}
}
