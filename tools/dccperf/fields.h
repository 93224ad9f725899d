/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables of the values that go over the control connection, into JSON and into traces. */
#ifndef DCCPERF_FIELDS_H
#define DCCPERF_FIELDS_H

#include "base.h"

enum field_type { F_U64, F_S64, F_F64, F_STR };

struct field {
	const char	*name;
	enum field_type	type;
	size_t		offset;
	size_t		size;
	double		min, max;	/* what a peer may send */
};

#define FIELD(type, member, ftype, lo, hi) {				\
	#member, ftype, offsetof(type, member),				\
	sizeof(((type *)0)->member), lo, hi }

#define UNSET			((u64)-1)	/* value not given */

void fields_init(const struct field *f, void *obj);
bool field_format(const struct field *f, const void *obj, char *buf, size_t n);
const char *fields_parse(const struct field *f, void *obj, char *text);

#endif /* DCCPERF_FIELDS_H */
