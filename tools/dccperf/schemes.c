// SPDX-License-Identifier: GPL-2.0-only
/* Parameters of the schemes: from the command line to the socket. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <linux/dccp_ccid.h>

#include "dccperf.h"

#define KEY(s, k, f, o, m)	{ #s, #k, offsetof(struct test, s##_##k), f, o, m },

static const struct {
	const char	*scheme, *name;
	size_t		offset;
	double		factor, zero, max;
} keys[] = { SCHEME_PARAMS(KEY) };

static const struct {
	const char	*scheme, *key, *word;
	double		value;
} words[] = {
	{ "marc", "clock", "paper", DCCP_TFRC_CLOCK_PAPER },
	{ "marc", "clock", "rfc5348", DCCP_TFRC_CLOCK_RFC5348 },
	{ "ltfrc", "k", "tcp-friendly", DCCP_LTFRC_TCP_FRIENDLY },
	{ "ltfrc", "k", "bounded-friendly", DCCP_LTFRC_BOUNDED_FRIENDLY },
	{ "ltfrc", "k", "streaming-oriented", DCCP_LTFRC_STREAMING_ORIENTED },
	{ "ctfaf", "algorithm", "lda", DCCP_CTFAF_LDA },
	{ "ctfaf", "algorithm", "tfrc", DCCP_CTFAF_TFRC },
};

static u64 *value_of(struct test *t, size_t key)
{
	return (u64 *)((char *)t + keys[key].offset);
}

/* Nothing is given: the kernel's defaults hold. */
void scheme_unset(struct test *t)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++)
		*value_of(t, i) = UNSET;
}

static int parse_value(const char *scheme, const char *key, const char *s,
		       double *d)
{
	static const char suffix[] = "KMG";
	char *end;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		if (!strcmp(words[i].scheme, scheme) &&
		    !strcmp(words[i].key, key) && !strcmp(words[i].word, s)) {
			*d = words[i].value;
			return 0;
		}
	}
	*d = strtod(s, &end);
	if (end == s)
		return -1;
	/* rates may be in kbit/s and so on, as with -b */
	for (i = 0; *end && suffix[i]; i++) {
		if ((*end & ~0x20) == suffix[i]) {
			*d *= pow(1000, i + 1);
			end++;
			break;
		}
	}
	return *end ? -1 : 0;
}

/* "beta=0.9,delta_loss=0.1,delta_mark=0.05,tokens=0,clock=rfc5348,n=128" */
int scheme_parse(const char *scheme, const char *arg, struct test *t)
{
	char copy[256], *s, *v, *save = NULL;
	size_t i;
	double d;

	if ((size_t)snprintf(copy, sizeof(copy), "%s", arg) >= sizeof(copy))
		return -1;
	for (s = strtok_r(copy, ",", &save); s; s = strtok_r(NULL, ",", &save)) {
		v = strchr(s, '=');
		if (!v)
			return -1;
		*v++ = '\0';
		for (i = 0; i < ARRAY_SIZE(keys); i++)
			if (!strcmp(scheme, keys[i].scheme) &&
			    !strcmp(s, keys[i].name))
				break;
		if (i == ARRAY_SIZE(keys) || parse_value(scheme, s, v, &d))
			return -1;
		d = d * keys[i].factor + keys[i].zero;
		if (!(d >= 0 && d <= keys[i].max))
			return -1;
		*value_of(t, i) = llround(d);
	}
	return 0;
}

static void set_param(int fd, int opt, const void *val, size_t len,
		      const char *what, const char *module, const char *ranges)
{
	if (!setsockopt(fd, SOL_DCCP, opt, val, len))
		return;
	if (errno == ENOPROTOOPT)
		die("this kernel does not know %s (%s): as root, modprobe %s",
		    what, strerror(errno), module);
	die("cannot set %s: %s%s", what, strerror(errno),
	    errno == EINVAL ? ranges : "");
}

/* Take over what was given. */
#define GIVEN(to, value)	do {					\
	if ((value) != UNSET) {						\
		(to) = (value);						\
		given = true;						\
	}								\
} while (0)

static void set_marc(int fd, const struct test *t, bool sending)
{
	struct dccp_marc_tx_params tx = {
		.beta = 900, .delta_loss = 100, .delta_mark = 50, .tokens = 1,
	};
	struct dccp_marc_rx_params rx = { .loss_history = t->marc_n };
	socklen_t len = sizeof(tx);
	bool given = false;

	if (!sending) {
		if (t->marc_n != UNSET)
			set_param(fd, DCCP_SOCKOPT_MARC_RX, &rx, sizeof(rx),
				  "MARC's parameters of the receiver",
				  "ccid_marc", ": n is 2 to 128");
		return;
	}
	getsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_MARC_TX, &tx, &len);
	GIVEN(tx.beta, t->marc_beta);
	GIVEN(tx.delta_loss, t->marc_delta_loss);
	GIVEN(tx.delta_mark, t->marc_delta_mark);
	GIVEN(tx.tokens, t->marc_tokens);
	GIVEN(tx.clock, t->marc_clock);
	if (given)
		set_param(fd, DCCP_SOCKOPT_MARC_TX, &tx, sizeof(tx),
			  "MARC's parameters of the sender", "ccid_marc",
			  ": beta is 0 to 1, delta_loss and delta_mark 0.001 to 0.999, tokens 0 or 1");
}

static void set_raar(int fd, const struct test *t, bool sending)
{
	static const char ranges[] =
		": beta is 0.001 to 0.999, delta 0.001 to 1, smoothing 1 to 64, growth 1 to 65.535";
	struct dccp_raar_tx_params tx = { };
	struct dccp_raar_rx_params rx = {
		.beta = 875, .delta = 167, .smoothing = 8, .growth = 2000,
	};
	socklen_t len = sizeof(rx);
	bool given = false;

	if (sending) {
		GIVEN(tx.beta, t->raar_beta);
		if (given)
			set_param(fd, DCCP_SOCKOPT_RAAR_TX, &tx, sizeof(tx),
				  "RAAR's parameter of the sender", "ccid_raar",
				  ranges);
		return;
	}
	getsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_RAAR_RX, &rx, &len);
	GIVEN(rx.beta, t->raar_beta);
	GIVEN(rx.delta, t->raar_delta);
	GIVEN(rx.smoothing, t->raar_smoothing);
	GIVEN(rx.growth, t->raar_growth);
	if (given)
		set_param(fd, DCCP_SOCKOPT_RAAR_RX, &rx, sizeof(rx),
			  "RAAR's parameters of the receiver", "ccid_raar",
			  ranges);
}

/* Coefficients alone say that it is a polynomial. */
static bool ltfrc_equation(struct dccp_ltfrc_equation *eq, const struct test *t)
{
	const u64 a[] = { t->ltfrc_a0, t->ltfrc_a1, t->ltfrc_a2, t->ltfrc_a3 };
	bool given = false;
	int i;

	for (i = 0; i < 4; i++) {
		if (a[i] == UNSET)
			continue;
		eq->k = DCCP_LTFRC_POLYNOMIAL;
		eq->a[i] = (s64)a[i] - LTFRC_A_ZERO;
		given = true;
	}
	GIVEN(eq->k, t->ltfrc_k);
	GIVEN(eq->weight, t->ltfrc_weight);
	GIVEN(eq->bounded, t->ltfrc_bounded);
	return given;
}

static void set_ltfrc(int fd, const struct test *t, bool sending)
{
	static const char ranges[] =
		": k is 8, 11 or 15, weight up to 65.535, bounded 0 or 1, n is 2 to 128, and with a0 to a3 more loss must not give a greater rate";
	struct dccp_ltfrc_rx_params rx = {
		.loss_history = 8,
		.equation = {
			.k = DCCP_LTFRC_TCP_FRIENDLY, .weight = 2000,
		},
	};
	socklen_t len = sizeof(rx);
	bool given;

	if (sending) {
		len = sizeof(rx.equation);
		getsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_LTFRC_TX, &rx.equation,
			   &len);
		if (ltfrc_equation(&rx.equation, t))
			set_param(fd, DCCP_SOCKOPT_LTFRC_TX, &rx.equation,
				  sizeof(rx.equation),
				  "L-TFRC's equation", "ccid_ltfrc", ranges);
		return;
	}
	getsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_LTFRC_RX, &rx, &len);
	given = ltfrc_equation(&rx.equation, t);
	GIVEN(rx.loss_history, t->ltfrc_n);
	if (given)
		set_param(fd, DCCP_SOCKOPT_LTFRC_RX, &rx, sizeof(rx),
			  "L-TFRC's parameters of the receiver", "ccid_ltfrc",
			  ranges);
}

static void set_ctfaf(int fd, const struct test *t, bool sending)
{
	struct dccp_ctfaf_rx_params rx = { .loss_history = t->ctfaf_n };
	struct dccp_ctfaf_constraints tx = {
		.r_min = 1000, .r_max = UINT32_MAX, .step = 1, .r_start = 5000,
		.increase = 1250, .interval = 5000, .t_reset = 60000,
		.t_init = 60000, .probes = 10,
	};
	socklen_t len = sizeof(tx);
	bool given = false;

	if (!sending) {
		if (t->ctfaf_n != UNSET)
			set_param(fd, DCCP_SOCKOPT_CTFAF_RX, &rx, sizeof(rx),
				  "CTFAF's parameters of the receiver",
				  "ccid_ctfaf", ": n is 2 to 128");
		return;
	}
	getsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_CTFAF_TX, &tx, &len);
	/* A start outside of limits that are set here means the nearer limit. */
	GIVEN(tx.r_min, t->ctfaf_r_min);
	GIVEN(tx.r_max, t->ctfaf_r_max);
	if (tx.r_start && tx.r_start < tx.r_min)
		tx.r_start = tx.r_min;
	if (tx.r_start > tx.r_max)
		tx.r_start = tx.r_max;
	GIVEN(tx.r_start, t->ctfaf_r_start);
	GIVEN(tx.step, t->ctfaf_step);
	GIVEN(tx.delta, t->ctfaf_delta);
	GIVEN(tx.increase, t->ctfaf_increase);
	GIVEN(tx.l_allowed, t->ctfaf_l_allowed);
	GIVEN(tx.interval, t->ctfaf_interval);
	GIVEN(tx.t_reset, t->ctfaf_t_reset);
	GIVEN(tx.t_init, t->ctfaf_t_init);
	GIVEN(tx.algorithm, t->ctfaf_algorithm);
	GIVEN(tx.probes, t->ctfaf_probes);
	if (given)
		set_param(fd, DCCP_SOCKOPT_CTFAF_TX, &tx, sizeof(tx),
			  "CTFAF's constraints", "ccid_ctfaf",
			  ": r_min <= r_start <= r_max, step from 8 bit/s to r_max - r_min, delta 0 or from step on, l_allowed 0 to 1, interval 0.1 to 60 s, t_reset from interval to 3600 s, t_init to 3600 s, probes 0 or 2 to 15");
}

static void set_dvrc(int fd, const struct test *t, bool sending)
{
	struct dccp_dvrc_rx_params rx = {
		.alpha_i = 1000, .alpha_d = 1000, .beta_d = 500, .n = 1500,
		.weight = 1000, .ack_ratio = 1, .loss_history = 8,
	};
	socklen_t len = sizeof(rx);
	u32 rate[MAX_LAYERS];
	bool given = false;
	int k;

	if (sending) {
		k = layers_parse(t->layers, rate);
		/* Another CCID has no use for them; nor has an older kernel. */
		if (k > 0 && setsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_DVRC_TX_LAYERS,
					rate, k * sizeof(*rate)) &&
		    errno != ENOPROTOOPT)
			die("cannot set the layers: %s", strerror(errno));
		return;
	}
	getsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_DVRC_RX, &rx, &len);
	GIVEN(rx.alpha_i, t->dvrc_alpha_i);
	GIVEN(rx.alpha_d, t->dvrc_alpha_d);
	GIVEN(rx.beta_d, t->dvrc_beta_d);
	GIVEN(rx.n, t->dvrc_n);
	GIVEN(rx.weight, t->dvrc_weight);
	GIVEN(rx.ack_ratio, t->dvrc_ack_ratio);
	GIVEN(rx.loss_history, t->dvrc_loss_history);
	if (given)
		set_param(fd, DCCP_SOCKOPT_DVRC_RX, &rx, sizeof(rx),
			  "DVRC's parameters of the receiver", "ccid_dvrc",
			  ": alpha_i, alpha_d and weight from 0.001 to 65.535, beta_d 0.001 to 0.999, n to 65.535, ack_ratio 1 to 255, loss_history 2 to 128");
}

/*
 * What the test asks of this end. The kernel's defaults fill what is not given:
 * a socket that has the scheme already is asked for its own.
 */
void scheme_set(int fd, const struct test *t, bool sending)
{
	set_marc(fd, t, sending);
	set_raar(fd, t, sending);
	set_ltfrc(fd, t, sending);
	set_ctfaf(fd, t, sending);
	set_dvrc(fd, t, sending);
}

/* What is a scheme's own in the state of a sender. */
void scheme_info(const struct dccp_ccid_tx_info *k, struct tx_info *info)
{
	switch (k->ccid) {
	case DCCPC_MARC:
		info->tokens = k->marc.tokens;
		info->decision = k->marc.decision;
		break;
	case DCCPC_RAAR:
		info->told = k->raar.told * 8.0;
		break;
	case DCCPC_LTFRC:
		info->x_tcp = k->ltfrc.x_tcp * 8.0;
		info->k = k->ltfrc.k;
		break;
	case DCCPC_DVRC:
		info->k = k->dvrc.k;
		info->told = k->dvrc.told * 8.0;
		info->dto_ms = k->dvrc.dto / 1e3;
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
