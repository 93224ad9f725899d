/* SPDX-License-Identifier: GPL-2.0-only */
/* The control connection: messages of a verb and fields. */
#ifndef DCCPERF_CONTROL_H
#define DCCPERF_CONTROL_H

#include "fields.h"

#define CTRL_MAX		4096

struct ctrl {
	int		fd;
	size_t		len, used;
	char		buf[CTRL_MAX + 1];
};

const char *ctrl_send(struct ctrl *c, const char *verb,
		      const struct field *f, const void *obj);
int ctrl_read(struct ctrl *c, char **verb, char **body);
int ctrl_wait(struct ctrl *c, double seconds, char **verb, char **body);
void ctrl_setup(int fd);
void ctrl_on_die(struct ctrl *c);

#endif /* DCCPERF_CONTROL_H */
