/* SPDX-License-Identifier: GPL-2.0-only */
/* JSON, pretty-printed or on one line, written as it comes. */
#ifndef DCCPERF_JSON_H
#define DCCPERF_JSON_H

#include <stdio.h>
#include "fields.h"

struct json {
	FILE		*f;
	int		depth;
	bool		first;
	bool		line;		/* without line breaks inside */
	char		stack[16];
};

void json_init(struct json *j, FILE *f);
void json_open(struct json *j, const char *key, char bracket);
void json_close(struct json *j);
void json_close_to(struct json *j, int depth);
void json_str(struct json *j, const char *key, const char *v);
void json_f64(struct json *j, const char *key, double v);
void json_s64(struct json *j, const char *key, s64 v);
void json_raw(struct json *j, const char *key, const char *text);
void json_fields(struct json *j, const struct field *f, const void *obj);

#endif /* DCCPERF_JSON_H */
