// SPDX-License-Identifier: GPL-2.0-only
/* The command line. */
#include <ctype.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "options.h"
#include "packet.h"
#include "schemes.h"
#include "video.h"

#define STR1(x)	#x
#define STR(x)	STR1(x)

static const char help[] =
"Usage: dccperf -s [OPTIONS]\n"
"       dccperf -c HOST [OPTIONS]\n"
"\n"
"Sends data over DCCP from the client to the server, or back with -R, and\n"
"reports what both ends measured.\n"
"\n"
"Both ends:\n"
"  -p, --port PORT         DCCP port, and TCP port of the control connection\n"
"                          (default " STR(DEFAULT_PORT) ")\n"
"  -C, --ccid LIST         CCIDs for both directions, by preference: names\n"
"                          (ccid2, ccid3, marc, raar, ltfrc, dvrc, ctfaf) or numbers,\n"
"                          with commas; default: net.dccp.default.{tx,rx}_ccid. In DCCP the\n"
"                          server's preference wins, among what the client offers.\n"
"      --tx-ccid LIST      the same, for data that this end sends\n"
"      --rx-ccid LIST      the same, for data that this end receives\n"
"      --use USE           CCID and preset for a use: interactive (ltfrc), streaming (marc),\n"
"                          thin-uplink (raar) or layered (dvrc); give it at both ends\n"
"      --marc KEY=VALUE,.. parameters of MARC, here and below those of dccp-ccids(7):\n"
"                          preset (default, paper, ...; sets all others); of the\n"
"                          sender: beta, delta_loss, delta_mark, tokens (0 or 1),\n"
"                          clock (paper, rfc5348, restart), decay (report, time), lag\n"
"                          (0 or 1), landing (round trips), warning (s); of the\n"
"                          receiver: loss_history, recovery (0 or 1).\n"
"                          Shares are fractions, as in delta_loss=0.1. The\n"
"                          client's parameters apply at both ends. What is not given is\n"
"                          the kernel's default. All schemes have target_delay, of\n"
"                          the sender: the delay of the queue to aim at (s; 0: none);\n"
"                          frame_rate, of the sender: spread the packets of so many\n"
"                          frames/s (0: do not); nominal_size: the packet size of the\n"
"                          equation, or of the increase, bytes (0: the real one).\n"
"                          All but CTFAF have l4s, of the sender: a response in\n"
"                          proportion to ECN marks (0 or 1).\n"
"      --raar KEY=VALUE,.. of RAAR: preset; of both ends: beta; of the receiver:\n"
"                          delta, smoothing, growth (0: no limit), rate_max\n"
"                          (bits/s), early_once, wnd_max, hole_events, exit_guard,\n"
"                          per_rtt, fast_down (0 or 1)\n"
"      --ltfrc KEY=VALUE,..  of L-TFRC: preset; k (8 or tcp-friendly, 11 or\n"
"                          bounded-friendly, 15 or streaming-oriented), weight,\n"
"                          bounded (0 or 1), or a polynomial's a0, a1, a2, a3; of\n"
"                          the receiver: loss_history, recovery (0 or 1)\n"
"      --dvrc KEY=VALUE,..  of DVRC: preset; of the receiver: alpha_i, alpha_d, beta_d,\n"
"                          n (deviations), weight, ack_ratio, loss_history,\n"
"                          weight_layers, delta, gain_mean, gain_deviation, hold (s),\n"
"                          validation; of the sender: gamma, epsilon, slow_start\n"
"      --ctfaf KEY=VALUE,..  of CTFAF: preset; of the sender: r_min, r_max, step,\n"
"                          delta, r_start, increase (bits/s, with K, M or G),\n"
"                          l_allowed, l_severe, decay (0 to 1), interval, t_reset,\n"
"                          t_init, hold (s), algorithm (lda or tfrc), probes,\n"
"                          probe_every, steady (reports), refuse, gentle, climb\n"
"                          (0 or 1); of the receiver: loss_history\n"
"      --udp[=PORT]        DCCP over UDP (RFC 6773), for NATs: server, receive at this\n"
"                          UDP port; client, send to it. Default: net.dccp.udp_port of\n"
"                          this end, which must be set at both ends.\n"
"      --qlen PACKETS      transmit queue; 0: no limit (default\n"
"                          net.dccp.default.tx_qlen). The client's applies to the\n"
"                          sender, whichever end that is.\n"
"  -F, --file FILE         receiver: write what is received to FILE (one test at a\n"
"                          time), at a server that of a client with -F; client that\n"
"                          sends: send FILE. -: standard input or output; reports\n"
"                          then go to standard error.\n"
"  -i, --interval SECS     time between reports, 0: none (default " STR(DEFAULT_INTERVAL) ")\n"
"      --trace FILE        CSV of rates over time; a server that is not -1 appends\n"
"                          the client's DCCP port to the name\n"
"      --trace-interval S  time between its lines (default " STR(DEFAULT_TRACE_INTERVAL) ")\n"
"  -J, --json              report in JSON, one document for each test\n"
"      --json-stream       report in JSON as it happens: a line with \"event\" and\n"
"                          \"data\" for the start, each interval and the end\n"
"      --logfile FILE      append the report to FILE\n"
"  -B, --bind ADDRESS      bind to this address\n"
"  -4, -6                  only IPv4, only IPv6\n"
"  -V, --verbose           say more\n"
"  -v, --version           version\n"
"  -h, --help              this text\n"
"\n"
"Server:\n"
"  -s, --server            run as server\n"
"  -1, --one-off           serve one test, or all flows of one client, then exit with\n"
"                          its status\n"
"  -D, --daemon            run in the background, once it listens; see --logfile\n"
"  -I, --pidfile FILE      write the process id to FILE, and remove it at the end\n"
"      --serve FILE        file for clients with -R and -F\n"
"\n"
"Client:\n"
"  -c, --client HOST       run as client\n"
"  -t, --time SECS         stop sending after SECS (default " STR(DEFAULT_TIME) ", or at the end of\n"
"                          the file, or of -n; 0: never)\n"
"  -n, --bytes N[KMG]      stop after N bytes of payload\n"
"  -b, --bitrate N[KMG]    payload per second, in bits; 0: as fast as the CCID\n"
"                          allows (default). With -F: of the file.\n"
"  -l, --length BYTES      payload of a packet, dccperf's header of 32 bytes\n"
"                          included (default " STR(DEFAULT_LEN) ", with -F 1348, which is 7\n"
"                          packets of a transport stream; less if the path's\n"
"                          maximum packet size is less)\n"
"      --layers LIST       a video in layers, of these cumulative rates in bits/s with\n"
"                          commas (100K,200K,...): synthetic, with I, P and B frames.\n"
"                          With -b all packets are of layer 1, and come at that rate, 0\n"
"                          as fast as the CCID allows.\n"
"      --seed N            of a synthetic video: sequences with different N have\n"
"                          different sizes of frames (default 0). So have flows of -P.\n"
"      --frames FILE       with --layers: frames of FILE instead, to its end, lines of\n"
"                          \"seconds layer bytes\"\n"
"      --file-rate         send the file at its own bit rate: that of -b, or by the\n"
"                          clock references (PCR) of an MPEG transport stream\n"
"      --deadline MS       drop at the source what could not be sent within MS of\n"
"                          its scheduled time (default: keep all); needs -b,\n"
"                          --file-rate or --layers\n"
"  -P, --parallel N        N flows at the same time (1 to " STR(MAX_FLOWS) "), with a sum of each\n"
"                          interval and of all, and the fairness index of Jain. A trace\n"
"                          has the number of the flow after its name.\n"
"  -R, --reverse           the server sends, the client receives\n"
"  -O, --omit SECS         leave the first SECS out of the results\n"
"      --cov SECS          time scale of the coefficient of variation (default " STR(DEFAULT_COV) ")\n"
"      --late MS           count packets that arrive MS or more after their playback\n"
"                          time, which is the scheduled time plus the smallest\n"
"                          delay of the test (default " STR(DEFAULT_LATE) ")\n"
"      --gap MS            count packets that come more than MS after the one before\n"
"                          (default " STR(DEFAULT_GAP) "); of the others is the video delivery index\n"
"      --connect-timeout S how long to wait for an answer (default " STR(DEFAULT_CONNECT_TIMEOUT) ")\n"
"  -T, --title TEXT        shown by both ends\n"
"\n"
"Suffixes K, M, G are 1000, 1000^2, 1000^3 for rates, powers of 1024 for bytes.\n"
"Results: seconds run from the first packet on; rates count payload, header\n"
"included, duplicates not. Jitter is that of RFC 3550; \"interarrival sd\" is the\n"
"standard deviation of the time between packets. Lost: sent and not received.\n"
"Exit status: 0 done, 1 the test failed, 2 wrong usage.\n";

/* How the argument of an option is parsed */
enum kind {
	SWITCH,		/* bool: no argument */
	SWITCH_TEST,	/* u64, no argument: the peer is told */
	TEXT,		/* const char *: any text */
	NUMBER,		/* double */
	COUNT,		/* u64 */
	SCHEME,		/* parameters of the CCID of that name */
	CCIDS,		/* struct ccid_list */
	UDP,		/* int: a port, which may be left out */
	OTHER,		/* see other() */
};

/* For an option without a letter getopt_long() returns this + its index in opts. */
#define LONG_ONLY	256

struct opt {
	int		key;		/* letter; 0: it has none */
	const char	*name;
	bool		client;		/* is not for servers */
	enum kind	kind;
	size_t		offset;		/* in struct options */
	double		min, max;	/* of a number */
	const char	*of;		/* what the number is, for messages */
	int		unit;		/* of a number's K, M, G; 0: it has none */
};

#define OPT(k, n, t, ...)	{ .key = (k), .name = (n), .kind = (t), ##__VA_ARGS__ }
#define CLIENT			.client = true
#define AT(member)		.offset = offsetof(struct options, member)
#define RANGE(lo, hi)		.min = (lo), .max = (hi)
#define OF(what)		.of = "a number of " what
#define UNIT(u)			.unit = (u)

static const struct opt opts[] = {
	OPT('s', "server", SWITCH, AT(server)),
	OPT('c', "client", TEXT, AT(host)),
	OPT('p', "port", OTHER),
	OPT('t', "time", NUMBER, CLIENT, AT(test.time), RANGE(0, 1e6), OF("seconds")),
	OPT('n', "bytes", COUNT, CLIENT, AT(test.bytes), RANGE(1, 9e15), OF("bytes"), UNIT(1024)),
	OPT('b', "bitrate", COUNT, CLIENT, AT(test.rate), RANGE(0, 1e12), OF("bits/s"), UNIT(1000)),
	OPT('l', "length", COUNT, CLIENT, AT(test.len), RANGE(HEADER_LEN + 1, MAX_PAYLOAD), OF("bytes")),
	OPT('i', "interval", OTHER),
	OPT('C', "ccid", OTHER),
	OPT('F', "file", TEXT, AT(file)),
	OPT('J', "json", SWITCH, AT(json)),
	OPT(0, "json-stream", SWITCH, AT(json_stream)),
	OPT('D', "daemon", SWITCH, AT(daemon)),
	OPT('I', "pidfile", TEXT, AT(pidfile)),
	OPT('P', "parallel", COUNT, CLIENT, AT(test.flows), RANGE(1, MAX_FLOWS), OF("flows")),
	OPT('u', NULL, OTHER),
	OPT('B', "bind", TEXT, AT(bind)),
	OPT('4', NULL, OTHER),
	OPT('6', NULL, OTHER),
	OPT('1', "one-off", SWITCH, AT(one_off)),
	OPT('R', "reverse", SWITCH_TEST, CLIENT, AT(test.reverse)),
	OPT('O', "omit", NUMBER, CLIENT, AT(test.omit), RANGE(0, 1e6), OF("seconds")),
	OPT('T', "title", OTHER, CLIENT),
	OPT('V', "verbose", SWITCH, AT(verbose)),
	OPT('v', "version", OTHER),
	OPT('h', "help", OTHER),
	OPT(0, "use", OTHER),
	OPT(0, "tx-ccid", CCIDS, AT(tx)),
	OPT(0, "rx-ccid", CCIDS, AT(rx)),
	OPT(0, "marc", SCHEME),
	OPT(0, "raar", SCHEME),
	OPT(0, "ltfrc", SCHEME),
	OPT(0, "dvrc", SCHEME),
	OPT(0, "ctfaf", SCHEME),
	OPT(0, "udp", UDP, AT(udp), RANGE(1, 65535), .of = "a port"),
	OPT(0, "qlen", COUNT, AT(test.qlen), RANGE(0, INT32_MAX), OF("packets")),
	OPT(0, "trace", TEXT, AT(trace)),
	OPT(0, "trace-interval", NUMBER, AT(trace_interval), RANGE(0.001, 1e6), OF("seconds")),
	OPT(0, "logfile", TEXT, AT(logfile)),
	OPT(0, "serve", TEXT, AT(serve)),
	OPT(0, "file-rate", SWITCH_TEST, CLIENT, AT(test.file_rate)),
	OPT(0, "deadline", NUMBER, CLIENT, AT(test.deadline), RANGE(0, 1e9), OF("ms")),
	OPT(0, "cov", NUMBER, CLIENT, AT(test.cov), RANGE(0.001, 1e6), OF("seconds")),
	OPT(0, "gap", NUMBER, CLIENT, AT(test.gap), RANGE(0, 1e5), OF("ms")),
	OPT(0, "layers", OTHER, CLIENT),
	OPT(0, "seed", COUNT, CLIENT, AT(test.seed), RANGE(0, INT32_MAX), OF("a number")),
	OPT(0, "frames", TEXT, CLIENT, AT(frames)),
	OPT(0, "late", NUMBER, CLIENT, AT(test.late), RANGE(0, 1e5), OF("ms")),
	OPT(0, "connect-timeout", NUMBER, CLIENT, AT(connect_timeout), RANGE(0.01, 1e6), OF("seconds")),
};

static const struct options defaults = {
	.port = STR(DEFAULT_PORT),
	.interval = DEFAULT_INTERVAL,
	.trace_interval = DEFAULT_TRACE_INTERVAL,
	.connect_timeout = DEFAULT_CONNECT_TIMEOUT,
	.test = {
		.time = -1,	/* DEFAULT_TIME, or none: see options_parse() */
		.cov = DEFAULT_COV,
		.late = DEFAULT_LATE,
		.gap = DEFAULT_GAP,
		.rate = UNSET,
		.qlen = UNSET,
		.flows = 1,
	},
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

/* Parse a number from @min to @max. With @unit, the suffixes K, M, G are its powers. */
static double parse_number(const char *opt, const char *arg, const char *of,
			   int unit, double min, double max)
{
	static const char suffix[] = "KMG";
	const char *s;
	char *end;
	double v = strtod(arg, &end);

	if (unit && end != arg && *end) {
		s = strchr(suffix, toupper((unsigned char)*end));
		if (s) {
			v *= pow(unit, s - suffix + 1);
			end++;
		}
	}
	if (end == arg || *end || !(v >= min && v <= max))
		usage("%s: expected %s from %.10g to %.10g%s, found \"%s\"",
		      opt, of, min, max, unit == 1000 ? ", with K, M or G (1000, ...)" :
		      unit ? ", with K, M or G (1024, ...)" : "", arg);
	return v;
}

/* The same for what has no fractions. Bytes and bits may have them before a suffix. */
static u64 parse_whole(const char *opt, const char *arg, const char *of,
		       int unit, double min, double max)
{
	double v = parse_number(opt, arg, of, unit, min, max);

	/* 0 may mean something else than the least. */
	if (v != floor(v) && (!unit || v < 1))
		usage("%s: expected %s, a whole number, found \"%s\"", opt, of, arg);
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

/* The name of an option for messages: "-p", "--gap" */
static const char *opt_text(const struct opt *opt)
{
	static char text[32];

	if (opt->key)
		snprintf(text, sizeof(text), "-%c", opt->key);
	else
		snprintf(text, sizeof(text), "--%s", opt->name);
	return text;
}

/* Options that no kind describes */
static void other(struct options *o, const struct opt *opt, const char *arg)
{
	static char port[8];
	struct test *t = &o->test;
	u32 rate[MAX_LAYERS];

	switch (opt->key) {
	case 'p':
		snprintf(port, sizeof(port), "%llu",
			 parse_whole("-p", arg, "a port", 0, 1, 65535));
		o->port = port;
		break;
	case 'i':
		o->interval = parse_number("-i", arg, "a number of seconds", 0, 0, 1e6);
		if (o->interval && o->interval < 0.001)
			usage("-i: expected 0 (no reports), or 0.001 seconds and more");
		break;
	case 'C':
		ccids("-C", arg, &o->tx);
		o->rx = o->tx;
		break;
	case '4':
		o->family = AF_INET;
		break;
	case '6':
		o->family = AF_INET6;
		break;
	case 'T':
		if (!is_ascii(arg))
			usage("-T: expected printable ASCII, up to 63 characters");
		snprintf(t->title, sizeof(t->title), "%s", arg);
		break;
	case 'u':
		usage("-u: dccperf sends DCCP (over UDP with --udp); for a constant rate, as of iperf3 -u, give -b RATE");
	case 'v':
		puts("dccperf " DCCPERF_VERSION);
		exit(0);
	case 'h':
		fputs(help, stdout);
		exit(0);
	default:		/* --use and --layers */
		if (!strcmp(opt->name, "use")) {
			arg = scheme_use(arg, t);
			if (!arg)
				usage("--use: expected interactive, streaming, thin-uplink or layered");
			ccids("--use", arg, &o->tx);
			o->rx = o->tx;
			break;
		}
		if (layers_parse(arg, rate) < 0)
			usage("--layers: expected up to %d growing rates in bits/s with commas between, found \"%s\"",
			      MAX_LAYERS, arg);
		snprintf(t->layers, sizeof(t->layers), "%s", arg);
		break;
	}
}

static void apply(struct options *o, const struct opt *opt, const char *arg)
{
	void *value = (char *)o + opt->offset;
	const char *err;

	switch (opt->kind) {
	case SWITCH:
		*(bool *)value = true;
		break;
	case SWITCH_TEST:
		*(u64 *)value = 1;
		break;
	case TEXT:
		*(const char **)value = arg;
		break;
	case NUMBER:
		*(double *)value = parse_number(opt_text(opt), arg, opt->of, opt->unit,
						opt->min, opt->max);
		break;
	case COUNT:
		*(u64 *)value = parse_whole(opt_text(opt), arg, opt->of, opt->unit,
					    opt->min, opt->max);
		break;
	case SCHEME:
		err = scheme_parse(opt->name, arg, &o->test);
		if (err)
			usage("--%s: %s", opt->name, err);
		break;
	case CCIDS:
		ccids(opt_text(opt), arg, value);
		break;
	case UDP:
		*(int *)value = !arg ? UDP_OF_SYSCTL :
				(int)parse_whole(opt_text(opt), arg, opt->of, 0, opt->min,
						 opt->max);
		break;
	case OTHER:
		other(o, opt, arg);
		break;
	}
}

static int has_argument(const struct opt *opt)
{
	if (opt->kind == UDP)
		return optional_argument;
	if (opt->kind == OTHER)
		return !opt->key || !strchr("46uvh", opt->key);
	return opt->kind != SWITCH && opt->kind != SWITCH_TEST;
}

/* Fill in the tables of getopt_long(): letters, and long names. */
static void getopt_tables(char *letters, struct option *names)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(opts); i++) {
		const struct opt *opt = &opts[i];

		if (opt->key) {
			*letters++ = opt->key;
			if (has_argument(opt))
				*letters++ = ':';
		}
		if (opt->name)
			*names++ = (struct option){
				opt->name, has_argument(opt), NULL,
				opt->key ?: LONG_ONLY + (int)i,
			};
	}
	*letters = '\0';
	*names = (struct option){ 0 };
}

static const struct opt *find(int key)
{
	size_t i;

	if (key >= LONG_ONLY)
		return &opts[key - LONG_ONLY];
	for (i = 0; i < ARRAY_SIZE(opts); i++)
		if (opts[i].key == key)
			return &opts[i];
	/* getopt_long() has printed the error. */
	fputs("Try dccperf --help.\n", stderr);
	exit(2);
}

void options_parse(struct options *o, int argc, char **argv)
{
	struct test *t = &o->test;
	struct option names[ARRAY_SIZE(opts) + 1];
	char letters[2 * ARRAY_SIZE(opts) + 1];
	const struct opt *client = NULL;
	int c;

	getopt_tables(letters, names);
	*o = defaults;
	scheme_unset(t);
	while ((c = getopt_long(argc, argv, letters, names, NULL)) != -1) {
		const struct opt *opt = find(c);

		apply(o, opt, optarg);
		if (opt->client)
			client = opt;
	}

	if (optind < argc)
		usage("unexpected argument \"%s\"", argv[optind]);
	if (o->server == !!o->host)
		usage("give either -s or -c HOST");
	if (o->server && client)
		usage("%s is for the client only", opt_text(client));
	if (!o->server && (o->serve || o->one_off || o->daemon || o->pidfile))
		usage("--serve, -1, -D and -I are the server's");
	if (o->daemon && o->file && !strcmp(o->file, "-"))
		usage("-D: a daemon has no standard output for -F -");
	if (t->flows > 1 && o->file)
		usage("-P: several flows cannot share the file of -F");
	o->json |= o->json_stream;
	if (t->file_rate && !o->file)
		usage("--file-rate needs -F FILE");

	if (*t->layers && (t->reverse || o->file))
		usage("--layers is for a client that sends, without -F");
	if (o->frames && (!*t->layers || t->rate != UNSET))
		usage("--frames needs --layers, without -b");
	if (t->seed && (!*t->layers || t->rate != UNSET || o->frames))
		usage("--seed needs --layers, without -b and --frames");

	if (*t->layers && t->rate == UNSET)
		t->source = SOURCE_VIDEO;
	t->rate = t->rate == UNSET ? 0 : t->rate;
	if (o->file)
		t->source = SOURCE_FILE;
	else if (t->source != SOURCE_VIDEO)
		t->source = t->rate ? SOURCE_CBR : SOURCE_GREEDY;
	if (t->deadline > 0 && !t->rate && !t->file_rate && t->source != SOURCE_VIDEO)
		usage("--deadline needs a schedule: give -b RATE or, with -F, --file-rate");
	if (t->time < 0)
		t->time = t->bytes || o->file || o->frames ? 0 : DEFAULT_TIME;
}
