// SPDX-License-Identifier: GPL-2.0-only
/* One test, once it is connected: the same at client and server. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <linux/dccp.h>

#include "limits.h"
#include "log.h"
#include "packet.h"
#include "receiver.h"
#include "report.h"
#include "run.h"
#include "sender.h"
#include "wait.h"

/* Read from this end's kernel what was negotiated. */
void flow_negotiated(struct flow *s)
{
	socklen_t len = sizeof(s->local);

	getsockname(s->fd, (struct sockaddr *)&s->local, &len);
	len = sizeof(s->peer);
	getpeername(s->fd, (struct sockaddr *)&s->peer, &len);
	s->tx_ccid = dccp_get_int(s->fd, DCCP_SOCKOPT_TX_CCID);
	s->rx_ccid = dccp_get_int(s->fd, DCCP_SOCKOPT_RX_CCID);
	s->mps = dccp_get_int(s->fd, DCCP_SOCKOPT_GET_CUR_MPS);
	if (s->tx_ccid < 0 || s->rx_ccid < 0)
		die("the connection has no CCID: %s", strerror(errno));
	if (s->mps < HEADER_LEN + 1)
		die("the maximum packet size of this path is %d bytes: expected at least %d",
		    s->mps, HEADER_LEN + 1);
}

/* Until the peer's results come, or nothing for too long. */
static void get_results(struct flow *s)
{
	struct peer_error e = { "" };
	char *verb, *body;
	const char *err;
	int ret = ctrl_wait(&s->ctrl, RESULTS_TIME / 1e9, &verb, &body);

	if (ret < 0)
		die("the peer closed the control connection before its results came");
	if (ret == 0 && stopping)
		die("stopped by a signal, before the peer's results came");
	if (ret == 0)
		die("no results from the peer");
	if (strcmp(verb, s->sending ? "results" : "end")) {
		fields_parse(error_fields, &e, body);
		die("the peer says: %s", *e.error ? e.error : verb);
	}
	err = s->sending ? fields_parse(receiver_fields, &s->rcv, body) :
			   sender_parse(&s->snd, body);
	if (err)
		die("results of the peer: %s", err);
}

/* Send or receive the data, then exchange the results. Returns the exit code. */
int flow_run(struct flow *s)
{
	const char *err;

	fields_init(sender_fields, &s->snd);
	fields_init(receiver_fields, &s->rcv);
	report_open(s);
	if (s->sending) {
		sender_run(s);
		if (stopping)
			snprintf(s->snd.error, sizeof(s->snd.error),
				 "stopped by a signal");
		err = ctrl_send(&s->ctrl, "end", sender_fields, &s->snd);
		stopping = 0;
		if (!err && !s->peer_done)
			get_results(s);
	} else {
		receiver_run(s);
		if (stopping)
			snprintf(s->rcv.error, sizeof(s->rcv.error),
				 "stopped by a signal");
		err = ctrl_send(&s->ctrl, "results", receiver_fields, &s->rcv);
		stopping = 0;
		if (!err && !s->peer_done)
			get_results(s);
	}
	if (err)
		die("cannot send the results: %s", err);
	report_end(s);
	close(s->fd);
	return *s->snd.error || *s->rcv.error;
}
