/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line. */
#ifndef DCCPERF_OPTIONS_H
#define DCCPERF_OPTIONS_H

#include "dccp.h"
#include "test.h"

#define DEFAULT_PORT			5201
#define DEFAULT_TIME			10	/* s */
#define DEFAULT_LEN			1000	/* bytes of payload, header included */
#define DEFAULT_INTERVAL		1	/* s */
#define DEFAULT_TRACE_INTERVAL		0.1	/* s */
#define DEFAULT_CONNECT_TIMEOUT		10	/* s */
#define DEFAULT_COV			1	/* s */
#define DEFAULT_LATE			100	/* ms */
#define DEFAULT_GAP			75	/* ms */

struct options {
	bool		server, json, json_stream, verbose, one_off, daemon;
	const char	*host, *port, *bind, *file, *serve, *trace, *logfile;
	const char	*frames, *pidfile;
	int		family;
	int		udp;		/* UDP port of the server, or UDP_OF_SYSCTL; 0: plain DCCP */
	double		interval, trace_interval, connect_timeout;
	struct ccid_list tx, rx;
	struct test	test;
};

void options_parse(struct options *o, int argc, char **argv);

#endif /* DCCPERF_OPTIONS_H */
