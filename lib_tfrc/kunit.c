// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit tests of lib_tfrc. The suite of a file is beside it, in *_kunit.c. Programs
 * *_kunit_gen.py write tables of expected values.
 */
#include <linux/module.h>
#include "kunit.h"

kunit_test_suites(&tfrc_fixp_suite,
		  &tfrc_equation_suite,
		  &tfrc_srtt_suite,
		  &tfrc_loss_intervals_suite,
		  &tfrc_rx_history_suite,
		  &tfrc_rate_meter_suite,
		  &tfrc_window_rtt_suite,
		  &tfrc_receiver_suite,
		  &tfrc_tx_history_suite,
		  &tfrc_window_counter_suite,
		  &tfrc_pacer_suite,
		  &tfrc_pacing_suite,
		  &tfrc_sender_suite,
		  &tfrc_delay_suite,
		  &tfrc_nominal_suite,
		  &tfrc_l4s_suite,
		  &rfc5348_receiver_suite,
		  &rfc5348_sender_suite,
		  &driven_suite,
		  &interval_suite,
		  &tfrc_options_suite,
		  &tfrc_module_param_suite);

MODULE_DESCRIPTION("KUnit tests of lib_tfrc");
MODULE_LICENSE("GPL");
MODULE_AUTHOR("The dccp-ccids developers");
MODULE_VERSION(DCCP_CCIDS_VERSION);
