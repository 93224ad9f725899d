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
 *	results RESULTS         by the side that receives data, the last message
 *	error TEXT              by either side, at any time
 */
#include <ctype.h>
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
 * If the peer's host disappears, reads and writes fail within two minutes. It is not
 * less, because several probes in a row may be lost on a working path: while a smooth
 * flow fills a queue, its packets arrive just after one has left the queue, and all
 * other packets find the queue full.
 *
 * While the peer has not acknowledged a message there are no probes. Then it takes a
 * quarter of an hour, until TCP gives up sending the message.
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

/* Returns an error message, or NULL. */
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

/* What the peer says may be shown on a terminal. */
static void clean(char *text, const char *end)
{
	for (; text < end; text++)
		if (*text != '\n' && !isprint((unsigned char)*text))
			*text = '?';
}

/*
 * Read a message without waiting. Returns 1 if there is one, which is valid until the
 * next call; 0 if it is not complete; -1 if the connection has ended, or if the data is
 * no message (then errno is EPROTO).
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
	clean(c->buf, end);
	c->used = end + 2 - c->buf;
	*verb = c->buf;
	*body = strchr(c->buf, '\n');
	*(*body)++ = '\0';
	return 1;
}

/* Like ctrl_read(), but waits; 0 if no message came in time, or after a signal. */
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

/* From now on die() tells the peer, too. */
void ctrl_on_die(struct ctrl *c)
{
	if (!peer)
		on_die(tell_peer);
	peer = c;
}
