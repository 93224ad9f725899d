// SPDX-License-Identifier: GPL-2.0-only
/*
 * CCID 255: for tests of the core. It has no hooks, no dependent features and no
 * state, and does not control congestion. It must not be used on networks. So its
 * number is one that RFC 4340 does not assign, and it has no alias by which the core
 * would load it.
 */
#include <linux/module.h>
#include <net/tfrc_ccid.h>

static struct ccid_operations ccid_bare_ops = {
	.ccid_id	= 255,
	.ccid_name	= "bare",
	.ccid_owner	= THIS_MODULE,
};
module_ccid(ccid_bare_ops);

MODULE_DESCRIPTION("A DCCP CCID without any hook, for tests");
MODULE_LICENSE("GPL");
MODULE_AUTHOR("The dccp-ccids developers");
MODULE_VERSION(DCCP_CCIDS_VERSION);
