/* SPDX-License-Identifier: GPL-2.0-only */
/* The suites of lib_tfrc_kunit.ko, one for each file that they test. */
#ifndef _LIB_TFRC_KUNIT_H
#define _LIB_TFRC_KUNIT_H

#include <kunit/test.h>
#include <net/tfrc.h>

/* Within one part in a million, and 2, for what is rounded on the way. */
static inline void expect_rate(struct kunit *test, u64 got, u64 bytes_per_s,
			       int line)
{
	u64 want = TFRC_RATE(bytes_per_s);
	u64 slack = want / 1000000 + 2;

	KUNIT_EXPECT_GE_MSG(test, got + slack, want, "line %d: %llu B/s", line,
			    got >> TFRC_RATE_SHIFT);
	KUNIT_EXPECT_LE_MSG(test, got, want + slack, "line %d: %llu B/s", line,
			    got >> TFRC_RATE_SHIFT);
}

#define EXPECT_RATE(test, got, bytes_per_s)				\
	expect_rate(test, got, bytes_per_s, __LINE__)

/* A report came, about the last packet sent. */
static inline void give_feedback(struct tfrc_sender *snd,
				 const struct tfrc_feedback *fb, u64 sample,
				 bool data_limited, u64 now)
{
	struct tfrc_report rep = {
		.fb = fb, .sample = sample, .data_limited = data_limited,
	};

	tfrc_sender_feedback(snd, &rep, now);
}

extern struct kunit_suite driven_suite;
extern struct kunit_suite interval_suite;
extern struct kunit_suite rfc5348_receiver_suite;
extern struct kunit_suite rfc5348_sender_suite;
extern struct kunit_suite tfrc_delay_suite;
extern struct kunit_suite tfrc_equation_suite;
extern struct kunit_suite tfrc_fixp_suite;
extern struct kunit_suite tfrc_l4s_suite;
extern struct kunit_suite tfrc_loss_intervals_suite;
extern struct kunit_suite tfrc_nominal_suite;
extern struct kunit_suite tfrc_options_suite;
extern struct kunit_suite tfrc_module_param_suite;
extern struct kunit_suite tfrc_pacer_suite;
extern struct kunit_suite tfrc_pacing_suite;
extern struct kunit_suite tfrc_rate_meter_suite;
extern struct kunit_suite tfrc_receiver_suite;
extern struct kunit_suite tfrc_rx_history_suite;
extern struct kunit_suite tfrc_sender_suite;
extern struct kunit_suite tfrc_srtt_suite;
extern struct kunit_suite tfrc_tx_history_suite;
extern struct kunit_suite tfrc_window_counter_suite;
extern struct kunit_suite tfrc_window_rtt_suite;

#endif /* _LIB_TFRC_KUNIT_H */
