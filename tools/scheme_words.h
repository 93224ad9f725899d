/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SCHEME_WORDS_H
#define SCHEME_WORDS_H
/*
 * Words that programs take for values of parameters: scheme, member of the scheme's
 * structure in <linux/dccp_ccid.h>, word, value.
 */
#include <linux/dccp_ccid.h>

static const struct {
	const char	*scheme, *member, *word;
	int		value;
} scheme_words[] = {
	{ "marc", "clock", "paper", DCCP_TFRC_CLOCK_PAPER },
	{ "marc", "clock", "rfc5348", DCCP_TFRC_CLOCK_RFC5348 },
	{ "marc", "clock", "restart", DCCP_TFRC_CLOCK_RESTART },
	{ "marc", "decay", "report", DCCP_MARC_DECAY_REPORT },
	{ "marc", "decay", "time", DCCP_MARC_DECAY_TIME },
	{ "ltfrc", "k", "tcp-friendly", DCCP_LTFRC_TCP_FRIENDLY },
	{ "ltfrc", "k", "bounded-friendly", DCCP_LTFRC_BOUNDED_FRIENDLY },
	{ "ltfrc", "k", "streaming-oriented", DCCP_LTFRC_STREAMING_ORIENTED },
	{ "ctfaf", "algorithm", "lda", DCCP_CTFAF_LDA },
	{ "ctfaf", "algorithm", "tfrc", DCCP_CTFAF_TFRC },
};

#endif
