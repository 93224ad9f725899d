// SPDX-License-Identifier: GPL-2.0-only
/* Parameters of the schemes: from the command line to the socket. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <linux/dccp.h>
#include <linux/dccp_ccid.h>

#include "../scheme_words.h"
#include "log.h"
#include "schemes.h"
#include "video.h"

#define KEY(s, k, f, o, m, is)	{ #s, #k, offsetof(struct test, s##_##k), f, o, m, is },

static const struct {
	const char	*scheme, *name;
	size_t		offset;
	double		factor, zero, max;
	const char	*is;		/* range and unit */
} keys[] = { SCHEME_PARAMS(KEY) };

/* The control connection carries the index of a preset in this table. */
static const char *const presets[] = {
	"default", "paper", "tfrc", "interactive", "streaming", "thin-uplink", "layered",
};

/* Which scheme is meant for a use. The preset has the name of the use. */
static const struct {
	const char	*use, *scheme;
} uses[] = {
	{ "interactive", "ltfrc" }, { "streaming", "marc" },
	{ "thin-uplink", "raar" }, { "layered", "dvrc" },
};

static u64 *place_of(struct test *t, size_t key)
{
	return (u64 *)((char *)t + keys[key].offset);
}

static u64 value_of(const struct test *t, size_t key)
{
	return *(const u64 *)((const char *)t + keys[key].offset);
}

/* No parameter is given: the kernel's defaults apply. */
void scheme_unset(struct test *t)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++)
		*place_of(t, i) = UNSET;
}

/* @factor: that of the key. What has 1 is a whole number. */
static int parse_value(const char *scheme, const char *key, double factor,
		       const char *s, double *d)
{
	static const char suffix[] = "KMG";
	char *end;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(scheme_words); i++) {
		if (!strcmp(scheme_words[i].scheme, scheme) &&
		    !strcmp(scheme_words[i].member, key) &&
		    !strcmp(scheme_words[i].word, s)) {
			*d = scheme_words[i].value;
			return 0;
		}
	}
	for (i = 0; !strcmp(key, "preset") && i < ARRAY_SIZE(presets); i++) {
		if (!strcmp(presets[i], s)) {
			*d = i;
			return 0;
		}
	}
	*d = strtod(s, &end);
	if (end == s || !strcmp(key, "preset"))
		return -1;
	/* rates, which the kernel has in bytes/s, may be in kbit/s and so on, as with -b */
	for (i = 0; factor == 0.125 && *end && suffix[i]; i++) {
		if ((*end & ~0x20) == suffix[i]) {
			*d *= pow(1000, i + 1);
			end++;
			break;
		}
	}
	return *end || (factor == 1 && *d != floor(*d)) ? -1 : 0;
}

/*
 * "beta=0.9,delta_loss=0.1,delta_mark=0.05,tokens=0,clock=rfc5348,loss_history=128". Returns what is
 * wrong, NULL if nothing is.
 */
const char *scheme_parse(const char *scheme, const char *arg, struct test *t)
{
	static char text[700];
	char copy[256], steps[64], *s, *v, *save = NULL;
	size_t i, len;
	double d;

	if ((size_t)snprintf(copy, sizeof(copy), "%s", arg) >= sizeof(copy))
		return "this is too long";
	for (s = strtok_r(copy, ",", &save); s; s = strtok_r(NULL, ",", &save)) {
		v = strchr(s, '=');
		if (v)
			*v++ = '\0';
		for (i = 0; i < ARRAY_SIZE(keys); i++)
			if (!strcmp(scheme, keys[i].scheme) &&
			    !strcmp(s, keys[i].name))
				break;
		if (i == ARRAY_SIZE(keys)) {
			len = snprintf(text, sizeof(text),
				       "there is no parameter \"%s\", but", s);
			for (i = 0; i < ARRAY_SIZE(keys); i++)
				if (!strcmp(scheme, keys[i].scheme) && len < sizeof(text))
					len += snprintf(text + len, sizeof(text) - len,
							" %s", keys[i].name);
			return text;
		}
		*steps = '\0';
		if (v && !parse_value(scheme, s, keys[i].factor, v, &d)) {
			d *= keys[i].factor;
			/* 0 may mean "no limit", say, and not the least. */
			if (d && !keys[i].zero && !llround(d)) {
				snprintf(steps, sizeof(steps), ", in steps of %g",
					 1 / keys[i].factor);
				d = NAN;
			}
			d += keys[i].zero;
			if (d >= 0 && d <= keys[i].max) {
				*place_of(t, i) = llround(d);
				continue;
			}
		}
		snprintf(text, sizeof(text), "%s is %s%s; found \"%s\"%s", s, keys[i].is,
			 steps, v ?: "", keys[i].factor != 1 ?
			 " (dccp-ccids(7) has another unit)" : "");
		return text;
	}
	return NULL;
}

/* The scheme for a use, whose preset is set; NULL if there is no such use */
const char *scheme_use(const char *use, struct test *t)
{
	char preset[32];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(uses); i++) {
		if (strcmp(uses[i].use, use))
			continue;
		snprintf(preset, sizeof(preset), "preset=%s", use);
		scheme_parse(uses[i].scheme, preset, t);
		return uses[i].scheme;
	}
	return NULL;
}

/*
 * The socket option of a parameter, and its offset in the struct. A parameter of both
 * ends has a line for each.
 */
#define PLACE(s, k, o, type, member) {					\
	offsetof(struct test, s##_##k), DCCP_SOCKOPT_##o,		\
	offsetof(struct type, member), sizeof(((struct type *)0)->member) },

#define MARC_TX(k)	PLACE(marc, k, MARC_TX, dccp_marc_tx_params, k)
#define RAAR_RX(k)	PLACE(raar, k, RAAR_RX, dccp_raar_rx_params, k)
#define LTFRC(k, m)	PLACE(ltfrc, k, LTFRC_TX, dccp_ltfrc_equation, m) \
			PLACE(ltfrc, k, LTFRC_RX, dccp_ltfrc_rx_params, equation.m)
#define DVRC_RX(k)	PLACE(dvrc, k, DVRC_RX, dccp_dvrc_rx_params, k)
#define DVRC_TX(k)	PLACE(dvrc, k, DVRC_TX, dccp_dvrc_tx_params, k)
#define CTFAF_TX(k)	PLACE(ctfaf, k, CTFAF_TX, dccp_ctfaf_constraints, k)

static const struct place {
	size_t	given;
	int	opt;
	size_t	offset, width;
} places[] = {
	MARC_TX(beta)
	MARC_TX(delta_loss)
	MARC_TX(delta_mark)
	MARC_TX(tokens)
	MARC_TX(clock)
	MARC_TX(decay)
	MARC_TX(lag)
	MARC_TX(target_delay)
	MARC_TX(landing)
	MARC_TX(warning)
	MARC_TX(nominal_size)
	MARC_TX(frame_rate)
	MARC_TX(l4s)
	PLACE(marc, loss_history, MARC_RX, dccp_marc_rx_params, loss_history)
	PLACE(marc, recovery, MARC_RX, dccp_marc_rx_params, recovery)
	PLACE(raar, beta, RAAR_TX, dccp_raar_tx_params, beta)
	PLACE(raar, target_delay, RAAR_TX, dccp_raar_tx_params, target_delay)
	PLACE(raar, frame_rate, RAAR_TX, dccp_raar_tx_params, frame_rate)
	PLACE(raar, l4s, RAAR_TX, dccp_raar_tx_params, l4s)
	RAAR_RX(beta)
	RAAR_RX(delta)
	RAAR_RX(smoothing)
	RAAR_RX(growth)
	RAAR_RX(rate_max)
	RAAR_RX(early_once)
	RAAR_RX(wnd_max)
	RAAR_RX(hole_events)
	RAAR_RX(exit_guard)
	RAAR_RX(per_rtt)
	RAAR_RX(fast_down)
	RAAR_RX(nominal_size)
	LTFRC(k, k)
	LTFRC(weight, weight)
	LTFRC(bounded, bounded)
	LTFRC(target_delay, target_delay)
	LTFRC(l4s, l4s)
	LTFRC(a0, a[0])
	LTFRC(a1, a[1])
	LTFRC(a2, a[2])
	LTFRC(a3, a[3])
	PLACE(ltfrc, nominal_size, LTFRC_TX, dccp_ltfrc_tx_params, nominal_size)
	PLACE(ltfrc, frame_rate, LTFRC_TX, dccp_ltfrc_tx_params, frame_rate)
	PLACE(ltfrc, loss_history, LTFRC_RX, dccp_ltfrc_rx_params, loss_history)
	PLACE(ltfrc, recovery, LTFRC_RX, dccp_ltfrc_rx_params, recovery)
	DVRC_RX(alpha_i)
	DVRC_RX(alpha_d)
	DVRC_RX(beta_d)
	DVRC_RX(n)
	DVRC_RX(weight)
	DVRC_RX(ack_ratio)
	DVRC_RX(loss_history)
	DVRC_RX(weight_layers)
	DVRC_RX(delta)
	DVRC_RX(gain_mean)
	DVRC_RX(gain_deviation)
	DVRC_RX(hold)
	DVRC_RX(validation)
	DVRC_RX(nominal_size)
	DVRC_TX(gamma)
	DVRC_TX(epsilon)
	DVRC_TX(slow_start)
	DVRC_TX(target_delay)
	DVRC_TX(frame_rate)
	DVRC_TX(l4s)
	CTFAF_TX(r_min)
	CTFAF_TX(r_max)
	CTFAF_TX(step)
	CTFAF_TX(delta)
	CTFAF_TX(r_start)
	CTFAF_TX(increase)
	CTFAF_TX(l_allowed)
	CTFAF_TX(interval)
	CTFAF_TX(t_reset)
	CTFAF_TX(t_init)
	CTFAF_TX(algorithm)
	CTFAF_TX(l_severe)
	CTFAF_TX(probes)
	CTFAF_TX(probe_every)
	CTFAF_TX(hold)
	CTFAF_TX(decay)
	CTFAF_TX(refuse)
	CTFAF_TX(gentle)
	CTFAF_TX(climb)
	CTFAF_TX(steady)
	CTFAF_TX(target_delay)
	CTFAF_TX(nominal_size)
	CTFAF_TX(frame_rate)
	PLACE(ctfaf, loss_history, CTFAF_RX, dccp_ctfaf_rx_params, loss_history)
};

/* Messages for options that cannot be set */
static const struct option_text {
	int		opt, ccid;
	const char	*what, *module;
} texts[] = {
	{ DCCP_SOCKOPT_MARC_TX, DCCPC_MARC, "MARC's parameters of the sender", "ccid_marc" },
	{ DCCP_SOCKOPT_MARC_RX, DCCPC_MARC, "MARC's parameters of the receiver", "ccid_marc" },
	{ DCCP_SOCKOPT_RAAR_TX, DCCPC_RAAR, "RAAR's parameters of the sender", "ccid_raar" },
	{ DCCP_SOCKOPT_RAAR_RX, DCCPC_RAAR, "RAAR's parameters of the receiver", "ccid_raar" },
	{ DCCP_SOCKOPT_LTFRC_TX, DCCPC_LTFRC, "L-TFRC's parameters of the sender", "ccid_ltfrc" },
	{ DCCP_SOCKOPT_LTFRC_RX, DCCPC_LTFRC, "L-TFRC's parameters of the receiver", "ccid_ltfrc" },
	{ DCCP_SOCKOPT_DVRC_RX, DCCPC_DVRC, "DVRC's parameters of the receiver", "ccid_dvrc" },
	{ DCCP_SOCKOPT_DVRC_TX, DCCPC_DVRC, "DVRC's parameters of the sender", "ccid_dvrc" },
	{ DCCP_SOCKOPT_CTFAF_TX, DCCPC_CTFAF, "CTFAF's constraints", "ccid_ctfaf" },
	{ DCCP_SOCKOPT_CTFAF_RX, DCCPC_CTFAF, "CTFAF's parameters of the receiver", "ccid_ctfaf" },
};

/* Whether an option belongs to the sender, by its number (<linux/dccp_ccid.h>) */
static bool of_sender(int opt)
{
	return opt >= DCCP_SOCKOPT_CCID_TX_INFO;
}

/* Of a connection: the CCID of what this end sends, or of what it receives. -1: there is none. */
static int connected_ccid(int fd, bool sending)
{
	socklen_t len = sizeof(int);
	int ccid;

	return getsockopt(fd, SOL_DCCP, sending ? DCCP_SOCKOPT_TX_CCID : DCCP_SOCKOPT_RX_CCID,
			  &ccid, &len) ? -1 : ccid;
}

/* The kernel does not say which value is wrong: it is one of those that were given. */
static void __noreturn failed(int fd, const struct option_text *text, const struct test *t)
{
	char ranges[900] = "";
	size_t len = 0, i, k;
	int err = errno, ccid = connected_ccid(fd, of_sender(text->opt));

	if (err == ENOPROTOOPT && ccid >= 0 && ccid != text->ccid)
		die("%s are given, but the connection has CCID %d: give -C %s at both ends (in DCCP the server's preference wins)",
		    text->what, ccid, text->module + strlen("ccid_"));
	if (err == ENOPROTOOPT)
		die("this kernel does not know %s (%s): as root, modprobe %s",
		    text->what, strerror(err), text->module);
	for (i = 0; err == EINVAL && i < ARRAY_SIZE(places); i++) {
		if (places[i].opt != text->opt)
			continue;
		for (k = 0; k < ARRAY_SIZE(keys); k++)
			if (keys[k].offset == places[i].given &&
			    value_of(t, k) != UNSET && len < sizeof(ranges))
				len += snprintf(ranges + len, sizeof(ranges) - len,
						"%s %s is %s", len ? "," : ":",
						keys[k].name, keys[k].is);
	}
	die("cannot set %s: %s%s", text->what, strerror(err), ranges);
}

static void put(void *to, u64 value, size_t width)
{
	u16 v16 = value;
	u32 v32 = value;
	u8 v8 = value;

	memcpy(to, width == 1 ? (void *)&v8 : width == 2 ? (void *)&v16 : &v32,
	       width);
}

/* A start outside of limits that are set here means the nearer limit. */
static void fit_start(struct dccp_ctfaf_constraints *c, const struct test *t)
{
	if (t->ctfaf_r_start != UNSET || !c->r_start)
		return;
	if (c->r_start < c->r_min)
		c->r_start = c->r_min;
	if (c->r_start > c->r_max)
		c->r_start = c->r_max;
}

/* If the user gives coefficients and no class, the equation is a polynomial. */
static void fit_class(struct dccp_ltfrc_equation *eq, const struct test *t)
{
	if (t->ltfrc_k == UNSET &&
	    (t->ltfrc_a0 != UNSET || t->ltfrc_a1 != UNSET ||
	     t->ltfrc_a2 != UNSET || t->ltfrc_a3 != UNSET))
		eq->k = DCCP_LTFRC_POLYNOMIAL;
}

/* Read the kernel's parameters, change those that were given, and set them. */
static void set_option(int fd, const struct test *t,
		       const struct option_text *text)
{
	_Alignas(8) u8 val[256];
	socklen_t len = sizeof(val);
	bool given = false;
	size_t i;
	u64 v;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		const struct place *p = &places[i];

		v = *(const u64 *)((const char *)t + p->given);
		if (p->opt != text->opt || v == UNSET)
			continue;
		if (!given && getsockopt(fd, SOL_DCCP, text->opt, val, &len))
			failed(fd, text, t);
		given = true;
		if (p->offset + p->width > len)
			die("cannot set %s: the kernel's modules are older than dccperf",
			    text->what);
		if (p->given >= offsetof(struct test, ltfrc_a0) &&
		    p->given <= offsetof(struct test, ltfrc_a3))
			v -= LTFRC_A_ZERO;
		put(val + p->offset, v, p->width);
	}
	if (!given)
		return;
	if (text->opt == DCCP_SOCKOPT_CTFAF_TX)
		fit_start((void *)val, t);
	if (text->opt == DCCP_SOCKOPT_LTFRC_TX)
		fit_class((void *)val, t);
	if (text->opt == DCCP_SOCKOPT_LTFRC_RX)
		fit_class((void *)(val + offsetof(struct dccp_ltfrc_rx_params,
						  equation)), t);
	if (setsockopt(fd, SOL_DCCP, text->opt, val, len))
		failed(fd, text, t);
}

static void set_preset(int fd, u64 preset, bool sending)
{
	const int opt = sending ? DCCP_SOCKOPT_CCID_TX_PRESET :
				  DCCP_SOCKOPT_CCID_RX_PRESET;
	int err, ccid;

	if (preset == UNSET || preset >= ARRAY_SIZE(presets) ||
	    !setsockopt(fd, SOL_DCCP, opt, presets[preset], strlen(presets[preset])))
		return;
	err = errno;
	ccid = connected_ccid(fd, sending);
	if ((err == EINVAL || err == ENOPROTOOPT) && ccid >= 0)
		die("the preset %s is given, but the connection has CCID %d, which has none of this name: give -C with the CCID that has it at both ends (in DCCP the server's preference wins)",
		    presets[preset], ccid);
	die("cannot set the preset %s: %s%s", presets[preset], strerror(err), err == EINVAL ?
	    ": no CCID that is loaded has one of this name" : "");
}

/*
 * Set the parameters of the test at this end. A parameter that is not given keeps the
 * value that getsockopt() returns: the default, or the present value.
 */
void scheme_set(int fd, const struct test *t, bool sending)
{
	u32 rate[MAX_LAYERS];
	size_t i;
	int k;

	for (i = 0; i < ARRAY_SIZE(keys); i++)
		if (!strcmp(keys[i].name, "preset"))
			set_preset(fd, value_of(t, i), sending);
	for (i = 0; i < ARRAY_SIZE(texts); i++)
		if (of_sender(texts[i].opt) == sending)
			set_option(fd, t, &texts[i]);
	if (!sending)
		return;
	/* Other CCIDs, and older kernels, do not know layers. */
	k = layers_parse(t->layers, rate);
	if (k > 0 && setsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_DVRC_TX_LAYERS, rate,
				k * sizeof(*rate)) && errno != ENOPROTOOPT)
		die("cannot set the layers: %s", strerror(errno));
}

/* The scheme's part of a sender's state */
void scheme_info(const struct dccp_ccid_tx_info *k, struct tx_info *info)
{
	switch (k->ccid) {
	case DCCPC_MARC:
		info->tokens = k->marc.tokens;
		info->decision = k->marc.decision;
		break;
	case DCCPC_RAAR:
		info->requested = k->raar.requested * 8.0;
		break;
	case DCCPC_LTFRC:
		info->x_tcp = k->ltfrc.x_tcp * 8.0;
		info->k = k->ltfrc.k;
		break;
	case DCCPC_DVRC:
		info->k = k->dvrc.k;
		info->requested = k->dvrc.requested * 8.0;
		info->dto_ms = k->dvrc.dto / 1e3;
		info->kept_back = k->dvrc.kept_back;
		break;
	case DCCPC_CTFAF:
		info->rate = k->ctfaf.rate * 8.0;
		info->virtual_bandwidth = k->ctfaf.virtual_bandwidth * 8.0;
		info->asked = k->ctfaf.asked * 8.0;
		info->increase = k->ctfaf.increase * 8.0;
		info->bottleneck = k->ctfaf.bottleneck * 8.0;
		info->loss = k->ctfaf.loss / 4294967296.0;
		info->decision = k->ctfaf.decision;
		break;
	}
}
