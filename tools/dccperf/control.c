// SPDX-License-Identifier: GPL-2.0-only
/*
 * The control connection. A message is a verb on a line of its own, then lines
 * of "name value", then an empty line; at most CTRL_MAX bytes.
 *
 *	client			server
 *	test PARAMETERS    ->
 *			   <-	ready
 *	(DCCP handshake, from the source port named in the parameters)
 *			   <-	start TX_CCID RX_CCID
 *	(data)
 *	end RESULTS             by the side that sends data, once it has sent
 *	results RESULTS         by the side that receives data, last of all
 *	error TEXT              by either side, at any time
 */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "control.h"
#include "log.h"
#include "test.h"
#include "wait.h"

static struct ctrl *peer;

/*
 * The peer's host may vanish: then reads and writes fail within two minutes. A smooth flow
 * that fills a queue has its packets arrive just after one has left, and all others find it
 * full: of this connection's probes some in a row are lost.
 */
void ctrl_setup(int fd)
{
	int on = 1, idle = 20, count = 16, interval = 5;

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof(idle));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof(interval));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof(count));
}

/* Returns what went wrong, NULL if nothing did. */
const char *ctrl_send(struct ctrl *c, const char *verb,
		      const struct field *f, const void *obj)
{
	char msg[CTRL_MAX], value[300];
	size_t len, done = 0;

	len = snprintf(msg, sizeof(msg), "%s\n", verb);
	for (; f && f->name; f++)
		if (field_format(f, obj, value, sizeof(value)) &&
		    len < sizeof(msg))
			len += snprintf(msg + len, sizeof(msg) - len, "%s %s\n",
					f->name, value);
	if (len + 2 > sizeof(msg))
		return "message too long";
	msg[len++] = '\n';

	while (done < len) {
		ssize_t n = send(c->fd, msg + done, len - done,
				 MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n > 0) {
			done += n;
		} else if (n < 0 && errno == EAGAIN) {
			struct pollfd p = { .fd = c->fd, .events = POLLOUT };

			if (poll(&p, 1, 10000) == 0)
				return "the peer does not read";
		} else if (n < 0 && errno != EINTR) {
			return strerror(errno);
		}
	}
	return NULL;
}

/*
 * Without waiting: 1 with a message, which stays valid until the next call; 0
 * if it is not complete; -1 if the connection is over or what came is no
 * message (errno then is EPROTO).
 */
int ctrl_read(struct ctrl *c, char **verb, char **body)
{
	char *end;

	/* Drop the message that the last call returned. */
	memmove(c->buf, c->buf + c->used, c->len - c->used);
	c->len -= c->used;
	c->used = 0;

	for (;;) {
		ssize_t n;

		c->buf[c->len] = '\0';
		end = strstr(c->buf, "\n\n");
		if (end)
			break;
		if (c->len == CTRL_MAX || strlen(c->buf) != c->len) {
			errno = EPROTO;
			return -1;
		}
		n = recv(c->fd, c->buf + c->len, CTRL_MAX - c->len,
			 MSG_DONTWAIT);
		if (n == 0) {
			errno = ECONNRESET;
			return -1;
		}
		if (n < 0 && errno == EAGAIN)
			return 0;
		if (n < 0 && errno != EINTR)
			return -1;
		if (n > 0)
			c->len += n;
	}
	end[1] = '\0';
	c->used = end + 2 - c->buf;
	*verb = c->buf;
	*body = strchr(c->buf, '\n');
	*(*body)++ = '\0';
	return 1;
}

/* As ctrl_read(), but waits; 0 if there was nothing in time, or a signal. */
int ctrl_wait(struct ctrl *c, double seconds, char **verb, char **body)
{
	u64 until = now_ns() + seconds * NSEC_PER_SEC;

	for (;;) {
		struct pollfd p = { .fd = c->fd, .events = POLLIN };
		int ret = ctrl_read(c, verb, body);

		if (ret || stopping || now_ns() >= until)
			return ret;
		wait_fds(&p, 1, until);
	}
}

static void tell_peer(const char *text)
{
	struct peer_error e;

	snprintf(e.error, sizeof(e.error), "%s", text);
	ctrl_send(peer, "error", error_fields, &e);
}

/* From now on the peer hears of the end as well. */
void ctrl_on_die(struct ctrl *c)
{
	if (!peer)
		on_die(tell_peer);
	peer = c;
}
