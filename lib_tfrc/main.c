// SPDX-License-Identifier: GPL-2.0-only
/*
 * lib_tfrc.ko: the library of the rate-based congestion controls for DCCP.
 */
#include <linux/module.h>

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The dccp-ccids developers");
MODULE_VERSION(DCCP_CCIDS_VERSION);
MODULE_DESCRIPTION("TFRC library for DCCP congestion controls (RFC 5348)");
