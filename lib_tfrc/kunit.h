/* SPDX-License-Identifier: GPL-2.0-only */
/* The suites of lib_tfrc_kunit.ko, one for each file that they test. */
#ifndef _LIB_TFRC_KUNIT_H
#define _LIB_TFRC_KUNIT_H

#include <kunit/test.h>

extern struct kunit_suite tfrc_equation_suite;
extern struct kunit_suite tfrc_fixp_suite;
extern struct kunit_suite tfrc_loss_intervals_suite;
extern struct kunit_suite tfrc_options_suite;
extern struct kunit_suite tfrc_rate_meter_suite;
extern struct kunit_suite tfrc_receiver_suite;
extern struct kunit_suite tfrc_rx_history_suite;
extern struct kunit_suite tfrc_sender_suite;
extern struct kunit_suite tfrc_told_suite;
extern struct kunit_suite tfrc_window_rtt_suite;

#endif /* _LIB_TFRC_KUNIT_H */
