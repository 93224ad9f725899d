// SPDX-License-Identifier: GPL-2.0-only
/*
 * Smoothed round-trip time and its mean deviation: SRTT and RTTVAR of RFC 6298. RAAR and
 * LDA+ compute their timeouts from these.
 */
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/types.h>
#include <net/tfrc.h>

/**
 * tfrc_srtt_sample - a round-trip time was measured
 * @t: the estimate, zeroed before the first sample
 * @sample: ns, of any value
 *
 * Context: any
 * Source: RFC 6298, 2.2 and 2.3
 */
void tfrc_srtt_sample(struct tfrc_srtt *t, u64 sample)
{
	u64 diff;

	sample = clamp(sample, TFRC_RTT_MIN, TFRC_RTT_MAX);
	if (!t->srtt) {
		t->srtt = sample;
		t->rttvar = sample / 2;
		return;
	}
	diff = sample > t->srtt ? sample - t->srtt : t->srtt - sample;
	t->rttvar = (3 * t->rttvar + diff) / 4;
	t->srtt = (7 * t->srtt + sample) / 8;
}
EXPORT_SYMBOL_GPL(tfrc_srtt_sample);
