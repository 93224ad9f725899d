// SPDX-License-Identifier: GPL-2.0-only
/* One of several flows of a client, in a process of its own: its reports to the first process. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "part.h"

static int part_fd = -1;
static unsigned int part_no;

/* From now on this process is flow @number, and reports to @fd. */
void part_open(int fd, unsigned int number)
{
	part_fd = fd;
	part_no = number;
}

/* 0: the client has one flow. */
unsigned int part_number(void)
{
	return part_no;
}

static void write_all(const char *from, size_t n)
{
	while (n) {
		ssize_t done = write(part_fd, from, n);

		if (done < 0 && errno != EINTR)
			return;		/* the first process is gone, and nobody is interested */
		if (done > 0) {
			from += done;
			n -= done;
		}
	}
}

void part_send(const struct part *p, const char *text)
{
	if (part_fd < 0)
		return;
	write_all((const char *)p, sizeof(*p));
	write_all(text, p->length);
}

static bool read_all(int fd, char *to, size_t n)
{
	while (n) {
		ssize_t got = read(fd, to, n);

		if (!got || (got < 0 && errno != EINTR))
			return false;
		if (got > 0) {
			to += got;
			n -= got;
		}
	}
	return true;
}

/* False at the end of the flow. The caller frees @text, NULL if there is none. */
bool part_receive(int fd, struct part *p, char **text)
{
	*text = NULL;
	if (!read_all(fd, (char *)p, sizeof(*p)))
		return false;
	if (!p->length)
		return true;
	*text = calloc(1, p->length + 1);
	return *text && read_all(fd, *text, p->length);
}
