/* SPDX-License-Identifier: GPL-2.0-only */
/* One of several flows of a client, in a process of its own: its reports to the first process. */
#ifndef DCCPERF_PART_H
#define DCCPERF_PART_H

#include "test.h"

enum part_kind { PART_START, PART_INTERVAL, PART_END, PART_JSON };

struct part {
	enum part_kind	kind;
	size_t		length;		/* of the text that follows, PART_JSON */
	union {
		struct interval	interval;
		struct {
			struct sender_result	snd;
			struct receiver_result	rcv;
		} end;
	};
};

void part_open(int fd, unsigned int number);
unsigned int part_number(void);
void part_send(const struct part *p, const char *text);
bool part_receive(int fd, struct part *p, char **text);

#endif /* DCCPERF_PART_H */
