// SPDX-License-Identifier: GPL-2.0-only
/* The command line. */
#include <ctype.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "dccperf.h"

static const char help[] =
"Usage: dccperf -s [OPTIONS]\n"
"       dccperf -c HOST [OPTIONS]\n"
"\n"
"Sends data over DCCP from the client to the server, or back with -R, and\n"
"reports what both ends measured.\n"
"\n"
"Both ends:\n"
"  -p, --port PORT         DCCP port, and TCP port of the control connection\n"
"                          (default " DCCPERF_PORT ")\n"
"  -C, --ccid LIST         CCIDs for both directions, by preference: names\n"
"                          (ccid2, ccid3, marc, raar, ltfrc, dvrc, ctfaf) or numbers,\n"
"                          with commas; default: net.dccp.default.{tx,rx}_ccid. In DCCP the\n"
"                          server's preference wins, among what the client offers.\n"
"      --tx-ccid LIST      the same, for data that this end sends\n"
"      --rx-ccid LIST      the same, for data that this end receives\n"
"      --marc KEY=VALUE,.. parameters of MARC, here and below those of dccp-ccids(7):\n"
"                          preset (default, paper or tfrc; sets all others); of the\n"
"                          sender: beta, delta_loss, delta_mark, tokens (0 or 1),\n"
"                          clock (paper or rfc5348), decay (report or time), lag\n"
"                          (0 or 1); of the receiver: n (loss history), recovery\n"
"                          (0 or 1). Shares are fractions, as in delta_loss=0.1. The\n"
"                          client's parameters apply at both ends.\n"
"      --raar KEY=VALUE,.. of RAAR: preset; of both ends: beta; of the receiver:\n"
"                          delta, smoothing, growth (0: no limit), rate_max\n"
"                          (bits/s), early_once, wnd_max, hole_events, exit_guard\n"
"                          (0 or 1)\n"
"      --ltfrc KEY=VALUE,..  of L-TFRC: preset; k (8 or tcp-friendly, 11 or\n"
"                          bounded-friendly, 15 or streaming-oriented), weight,\n"
"                          bounded (0 or 1), or a polynomial's a0, a1, a2, a3; of\n"
"                          the receiver: n (loss history), recovery (0 or 1)\n"
"      --dvrc KEY=VALUE,..  of DVRC: preset; of the receiver: alpha_i, alpha_d, beta_d,\n"
"                          n (deviations), weight, ack_ratio, loss_history,\n"
"                          weight_layers, delta, gain_mean, gain_deviation, hold (s),\n"
"                          validation; of the sender: gamma, epsilon, slow_start\n"
"      --ctfaf KEY=VALUE,..  of CTFAF: preset; of the sender: r_min, r_max, step,\n"
"                          delta, r_start, increase (bits/s, with K, M or G),\n"
"                          l_allowed, l_severe, decay (0 to 1), interval, t_reset,\n"
"                          t_init, hold (s), algorithm (lda or tfrc), probes,\n"
"                          probe_every, refuse, gentle, climb (0 or 1); of the\n"
"                          receiver: n (loss history)\n"
"      --qlen PACKETS      transmit queue; 0: no limit (default\n"
"                          net.dccp.default.tx_qlen). The client's applies to the\n"
"                          sender, whichever end that is.\n"
"  -F, --file FILE         receiver: write what is received to FILE (one test at a\n"
"                          time); client that sends: send FILE. -: standard\n"
"                          input or output; reports then go to standard error.\n"
"  -i, --interval SECS     time between reports, 0: none (default 1)\n"
"      --trace FILE        CSV of rates over time; a server that is not -1 appends\n"
"                          the client's DCCP port to the name\n"
"      --trace-interval S  time between its lines (default 0.1)\n"
"  -J, --json              report in JSON, one document for each test\n"
"      --logfile FILE      append the report to FILE\n"
"  -B, --bind ADDRESS      bind to this address\n"
"  -4, -6                  only IPv4, only IPv6\n"
"  -V, --verbose           say more\n"
"  -v, --version           version\n"
"  -h, --help              this text\n"
"\n"
"Server:\n"
"  -s, --server            run as server\n"
"  -1, --one-off           serve one test, then exit with its status\n"
"      --serve FILE        file for clients with -R and -F\n"
"\n"
"Client:\n"
"  -c, --client HOST       run as client\n"
"  -t, --time SECS         stop sending after SECS (default 10, or at the end of\n"
"                          the file, or of -n; 0: never)\n"
"  -n, --bytes N[KMG]      stop after N bytes of payload\n"
"  -b, --bitrate N[KMG]    payload per second, in bits; 0: as fast as the CCID\n"
"                          allows (default). With -F: of the file.\n"
"  -l, --length BYTES      payload of a packet, dccperf's header of 32 bytes\n"
"                          included (default 1000, with -F 1348, which is 7\n"
"                          packets of a transport stream; less if the path's\n"
"                          maximum packet size is less)\n"
"      --layers LIST       a video in layers, of these cumulative rates in bits/s with\n"
"                          commas (100K,200K,...): synthetic, with I, P and B frames.\n"
"                          With -b its packets are not tagged and come at that rate, 0\n"
"                          as fast as the CCID allows.\n"
"      --frames FILE       with --layers: frames of FILE instead, to its end, lines of\n"
"                          \"seconds layer bytes\"\n"
"      --file-rate         send the file at its own bit rate: that of -b, or by the\n"
"                          clock references (PCR) of an MPEG transport stream\n"
"      --deadline MS       drop at the source what could not be sent within MS of\n"
"                          its scheduled time (default: keep all)\n"
"  -R, --reverse           the server sends, the client receives\n"
"  -O, --omit SECS         leave the first SECS out of the results\n"
"      --cov SECS          time scale of the coefficient of variation (default 1)\n"
"      --late MS           count packets that arrive MS or more after their playback\n"
"                          time, which is the scheduled time plus the smallest\n"
"                          delay of the test (default 100)\n"
"      --gap MS            count packets that come more than MS after the one before\n"
"                          (default 75); of the others is the video delivery index\n"
"      --connect-timeout S how long to wait for an answer (default 10)\n"
"  -T, --title TEXT        shown by both ends\n"
"\n"
"Suffixes K, M, G are 1000, 1000^2, 1000^3 for rates, powers of 1024 for bytes.\n"
"Results: seconds run from the first packet on; rates count payload, header\n"
"included, duplicates not. Jitter is that of RFC 3550; \"interarrival sd\" is the\n"
"standard deviation of the time between packets. Lost: sent and not received.\n"
"Exit status: 0 done, 1 the test failed, 2 wrong usage.\n";

enum {
	OPT_TX_CCID = 256, OPT_RX_CCID, OPT_MARC, OPT_RAAR, OPT_LTFRC, OPT_DVRC, OPT_CTFAF,
	OPT_QLEN, OPT_TRACE,
	OPT_TRACE_INTERVAL, OPT_LOGFILE, OPT_SERVE,
	/* from here on: the client's only */
	OPT_FILE_RATE, OPT_DEADLINE, OPT_COV, OPT_LATE, OPT_GAP, OPT_LAYERS, OPT_FRAMES,
	OPT_CONNECT_TIMEOUT,
};

static const struct option longopts[] = {
	{ "server",		no_argument,		NULL, 's' },
	{ "client",		required_argument,	NULL, 'c' },
	{ "port",		required_argument,	NULL, 'p' },
	{ "time",		required_argument,	NULL, 't' },
	{ "bytes",		required_argument,	NULL, 'n' },
	{ "bitrate",		required_argument,	NULL, 'b' },
	{ "length",		required_argument,	NULL, 'l' },
	{ "interval",		required_argument,	NULL, 'i' },
	{ "ccid",		required_argument,	NULL, 'C' },
	{ "file",		required_argument,	NULL, 'F' },
	{ "json",		no_argument,		NULL, 'J' },
	{ "bind",		required_argument,	NULL, 'B' },
	{ "one-off",		no_argument,		NULL, '1' },
	{ "reverse",		no_argument,		NULL, 'R' },
	{ "omit",		required_argument,	NULL, 'O' },
	{ "title",		required_argument,	NULL, 'T' },
	{ "verbose",		no_argument,		NULL, 'V' },
	{ "version",		no_argument,		NULL, 'v' },
	{ "help",		no_argument,		NULL, 'h' },
	{ "tx-ccid",		required_argument,	NULL, OPT_TX_CCID },
	{ "rx-ccid",		required_argument,	NULL, OPT_RX_CCID },
	{ "marc",		required_argument,	NULL, OPT_MARC },
	{ "raar",		required_argument,	NULL, OPT_RAAR },
	{ "ltfrc",		required_argument,	NULL, OPT_LTFRC },
	{ "dvrc",		required_argument,	NULL, OPT_DVRC },
	{ "ctfaf",		required_argument,	NULL, OPT_CTFAF },
	{ "qlen",		required_argument,	NULL, OPT_QLEN },
	{ "trace",		required_argument,	NULL, OPT_TRACE },
	{ "trace-interval",	required_argument,	NULL, OPT_TRACE_INTERVAL },
	{ "logfile",		required_argument,	NULL, OPT_LOGFILE },
	{ "serve",		required_argument,	NULL, OPT_SERVE },
	{ "file-rate",		no_argument,		NULL, OPT_FILE_RATE },
	{ "deadline",		required_argument,	NULL, OPT_DEADLINE },
	{ "cov",		required_argument,	NULL, OPT_COV },
	{ "gap",		required_argument,	NULL, OPT_GAP },
	{ "layers",		required_argument,	NULL, OPT_LAYERS },
	{ "frames",		required_argument,	NULL, OPT_FRAMES },
	{ "late",		required_argument,	NULL, OPT_LATE },
	{ "connect-timeout",	required_argument,	NULL, OPT_CONNECT_TIMEOUT },
	{ }
};

static void __printf(1, 2) __noreturn usage(const char *fmt, ...)
{
	va_list ap;

	fputs("dccperf: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputs("\nTry dccperf --help.\n", stderr);
	exit(2);
}

/* A number from @min to @max; with @unit, K, M and G are its powers. */
static double parse_number(const char *opt, const char *arg, int unit,
			   double min, double max)
{
	static const char suffix[] = "KMG";
	const char *s;
	char *end;
	double v = strtod(arg, &end);

	if (unit && end != arg && *end) {
		s = strchr(suffix, *end & ~0x20);
		if (s) {
			v *= pow(unit, s - suffix + 1);
			end++;
		}
	}
	if (end == arg || *end || !(v >= min && v <= max))
		usage("%s: expected a number from %g to %g, found \"%s\"", opt,
		      min, max, arg);
	return v;
}

static bool is_ascii(const char *s)
{
	while (isprint((unsigned char)*s))
		s++;
	return !*s;
}

static void ccids(const char *opt, const char *arg, struct ccid_list *l)
{
	if (ccid_parse_list(arg, l))
		usage("%s: expected up to %d CCIDs with commas between, each ccid2, ccid3, marc, raar, ltfrc, dvrc, ctfaf or a number to 255, found \"%s\"",
		      opt, MAX_CCIDS, arg);
}

static void defaults(struct options *o)
{
	struct test *t = &o->test;

	o->port = DCCPERF_PORT;
	o->interval = 1;
	o->trace_interval = 0.1;
	o->connect_timeout = 10;
	t->time = -1;
	t->cov = 1;
	t->late = 100;
	t->gap = 75;
	t->rate = UNSET;
	t->qlen = UNSET;
	scheme_unset(t);
}

static void option(struct options *o, int c, const char *arg)
{
	struct test *t = &o->test;
	u32 rate[MAX_LAYERS];

	switch (c) {
	case 's':
		o->server = true;
		break;
	case 'c':
		o->host = arg;
		break;
	case 'p':
		parse_number("-p", arg, 0, 1, 65535);
		o->port = arg;
		break;
	case 't':
		t->time = parse_number("-t", arg, 0, 0, 1e6);
		break;
	case 'n':
		t->bytes = parse_number("-n", arg, 1024, 1, 9e15);
		break;
	case 'b':
		t->rate = parse_number("-b", arg, 1000, 0, 1e12);
		break;
	case 'l':
		t->len = parse_number("-l", arg, 0, HEADER_LEN + 1, MAX_PAYLOAD);
		break;
	case 'i':
		o->interval = parse_number("-i", arg, 0, 0, 1e6);
		if (o->interval && o->interval < 0.001)
			usage("-i: expected 0, or 0.001 and more");
		break;
	case 'C':
		ccids("-C", arg, &o->tx);
		o->rx = o->tx;
		break;
	case OPT_TX_CCID:
		ccids("--tx-ccid", arg, &o->tx);
		break;
	case OPT_RX_CCID:
		ccids("--rx-ccid", arg, &o->rx);
		break;
	case OPT_MARC:
		if (scheme_parse("marc", arg, t))
			usage("--marc: expected preset=default, paper or tfrc, beta=, delta_loss=, delta_mark=, tokens=, clock=paper or clock=rfc5348, decay=report or decay=time, lag=, n=, recovery=, with commas between, found \"%s\"",
			      arg);
		break;
	case OPT_RAAR:
		if (scheme_parse("raar", arg, t))
			usage("--raar: expected preset=default or paper, beta=, delta=, smoothing=, growth=, rate_max=, early_once=, wnd_max=, hole_events=, exit_guard=, with commas between, found \"%s\"",
			      arg);
		break;
	case OPT_LTFRC:
		if (scheme_parse("ltfrc", arg, t))
			usage("--ltfrc: expected preset=default or paper, k=8, 11, 15 or a class, weight=, bounded=, a0= to a3=, n=, recovery=, with commas between, found \"%s\"",
			      arg);
		break;
	case OPT_DVRC:
		if (scheme_parse("dvrc", arg, t))
			usage("--dvrc: expected preset=default or paper, alpha_i=, alpha_d=, beta_d=, n=, weight=, ack_ratio=, loss_history=, weight_layers=, delta=, gain_mean=, gain_deviation=, hold=, validation=, gamma=, epsilon=, slow_start=, with commas between, found \"%s\"",
			      arg);
		break;
	case OPT_LAYERS:
		if (layers_parse(arg, rate) < 0)
			usage("--layers: expected up to %d growing rates with commas between, found \"%s\"",
			      MAX_LAYERS, arg);
		snprintf(t->layers, sizeof(t->layers), "%s", arg);
		break;
	case OPT_FRAMES:
		o->frames = arg;
		break;
	case OPT_GAP:
		t->gap = parse_number("--gap", arg, 0, 0, 1e5);
		break;
	case OPT_CTFAF:
		if (scheme_parse("ctfaf", arg, t))
			usage("--ctfaf: expected keys of --help and their values, with commas between, found \"%s\"",
			      arg);
		break;
	case OPT_QLEN:
		t->qlen = parse_number("--qlen", arg, 0, 0, INT32_MAX);
		break;
	case 'F':
		o->file = arg;
		break;
	case OPT_SERVE:
		o->serve = arg;
		break;
	case OPT_FILE_RATE:
		t->file_rate = 1;
		break;
	case OPT_DEADLINE:
		t->deadline = parse_number("--deadline", arg, 0, 0, 1e9);
		break;
	case OPT_COV:
		t->cov = parse_number("--cov", arg, 0, 0.001, 1e6);
		break;
	case OPT_LATE:
		t->late = parse_number("--late", arg, 0, 0, 1e5);
		break;
	case OPT_CONNECT_TIMEOUT:
		o->connect_timeout = parse_number("--connect-timeout", arg, 0,
						  0.01, 1e6);
		break;
	case OPT_TRACE:
		o->trace = arg;
		break;
	case OPT_TRACE_INTERVAL:
		o->trace_interval = parse_number("--trace-interval", arg, 0,
						 0.001, 1e6);
		break;
	case OPT_LOGFILE:
		o->logfile = arg;
		break;
	case 'J':
		o->json = true;
		break;
	case 'B':
		o->bind = arg;
		break;
	case '4':
		o->family = AF_INET;
		break;
	case '6':
		o->family = AF_INET6;
		break;
	case '1':
		o->one_off = true;
		break;
	case 'R':
		t->reverse = 1;
		break;
	case 'O':
		t->omit = parse_number("-O", arg, 0, 0, 1e6);
		break;
	case 'T':
		if (!is_ascii(arg))
			usage("-T: expected printable ASCII");
		snprintf(t->title, sizeof(t->title), "%s", arg);
		break;
	case 'V':
		o->verbose = true;
		break;
	case 'v':
		puts("dccperf " DCCPERF_VERSION);
		exit(0);
	case 'h':
		fputs(help, stdout);
		exit(0);
	default:		/* getopt_long() said what is wrong */
		fputs("Try dccperf --help.\n", stderr);
		exit(2);
	}
}

void options_parse(struct options *o, int argc, char **argv)
{
	struct test *t = &o->test;
	bool client = false;
	int c;

	defaults(o);
	while ((c = getopt_long(argc, argv, "sc:p:t:n:b:l:i:C:F:JB:461RO:T:Vvh",
				longopts, NULL)) != -1) {
		option(o, c, optarg);
		/* strchr() finds '\0', to which OPT_TX_CCID is converted */
		client |= c >= OPT_FILE_RATE ||
			  (c < OPT_TX_CCID && strchr("tnblROT", c));
	}

	if (optind < argc)
		usage("unexpected argument \"%s\"", argv[optind]);
	if (o->server == !!o->host)
		usage("give either -s or -c HOST");
	if (o->server && client)
		usage("one of these options is for the client only");
	if (!o->server && (o->serve || o->one_off))
		usage("--serve and -1 are the server's");
	if (t->file_rate && !o->file)
		usage("--file-rate needs -F FILE");

	if (*t->layers && (t->reverse || o->file))
		usage("--layers is for a client that sends, without -F");
	if (o->frames && (!*t->layers || t->rate != UNSET))
		usage("--frames needs --layers, without -b");

	if (*t->layers && t->rate == UNSET)
		t->source = SOURCE_VIDEO;
	t->rate = t->rate == UNSET ? 0 : t->rate;
	if (o->file)
		t->source = SOURCE_FILE;
	else if (t->source != SOURCE_VIDEO)
		t->source = t->rate ? SOURCE_CBR : SOURCE_GREEDY;
	if (t->time < 0)
		t->time = t->bytes || o->file || o->frames ? 0 : 10;
}
