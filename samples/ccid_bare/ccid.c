// SPDX-License-Identifier: GPL-2.0-only
/*
 * CCID 255: none of the hooks, no dependent features, no state. Nothing controls
 * congestion here; it shows what the core does without. No network may see it: it has
 * a number that RFC 4340 gives to nobody, and no alias by which that would load it.
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
