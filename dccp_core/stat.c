// SPDX-License-Identifier: GPL-2.0-only
/*
 * The counters of DCCP, for each network namespace: /proc/net/dccp_stat
 *
 * The file has one counter a line, as /proc/net/xfrm_stat has.
 */
#include <linux/percpu.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>

#include "dccp.h"

/* The first member is what dccp_stat() reads. */
struct dccp_stat_net {
	struct dccp_mib __percpu	*mib;
};

unsigned int dccp_stat_net_id __read_mostly;
EXPORT_SYMBOL_GPL(dccp_stat_net_id);

static const char *const dccp_stat_names[DCCP_MIB_MAX] = {
	[DCCP_MIB_ACTIVEOPENS]		= "DccpActiveOpens",
	[DCCP_MIB_PASSIVEOPENS]		= "DccpPassiveOpens",
	[DCCP_MIB_ATTEMPTFAILS]		= "DccpAttemptFails",
	[DCCP_MIB_ESTABRESETS]		= "DccpEstabResets",
	[DCCP_MIB_CURRESTAB]		= "DccpCurrEstab",
	[DCCP_MIB_OUTSEGS]		= "DccpOutPkts",
	[DCCP_MIB_OUTRSTS]		= "DccpOutNoSocketResets",
	[DCCP_MIB_INRSTS]		= "DccpInResets",
	[DCCP_MIB_TIMEOUTS]		= "DccpTimeouts",
	[DCCP_MIB_ABORTONTIMEOUT]	= "DccpAbortOnTimeout",
	[DCCP_MIB_INHDRERRORS]		= "DccpInHdrErrors",
	[DCCP_MIB_INCSUMERRORS]		= "DccpInCsumErrors",
	[DCCP_MIB_INNOSOCKET]		= "DccpInNoSocket",
	[DCCP_MIB_INOUTOFWINDOW]	= "DccpInOutOfWindow",
	[DCCP_MIB_INERRS]		= "DccpInBadType",
	[DCCP_MIB_INVALIDOPT]		= "DccpInInvalidOptions",
	[DCCP_MIB_RCVBUFERRORS]		= "DccpRcvbufErrors",
};

static int dccp_stat_show(struct seq_file *seq, void *v)
{
	const struct net *net = seq->private;
	unsigned long sum;
	int i, cpu;

	for (i = 0; i < DCCP_MIB_MAX; i++) {
		sum = 0;
		for_each_possible_cpu(cpu)
			sum += READ_ONCE(per_cpu_ptr(dccp_stat(net), cpu)->mibs[i]);
		seq_printf(seq, "%-24s\t%lu\n", dccp_stat_names[i], sum);
	}
	return 0;
}

static int __net_init dccp_stat_init_net(struct net *net)
{
	struct dccp_stat_net *ns = net_generic(net, dccp_stat_net_id);

	ns->mib = alloc_percpu(struct dccp_mib);
	if (!ns->mib)
		return -ENOMEM;
	if (IS_ENABLED(CONFIG_PROC_FS) &&
	    !proc_create_net_single("dccp_stat", 0444, net->proc_net,
				    dccp_stat_show, NULL)) {
		free_percpu(ns->mib);
		return -ENOMEM;
	}
	return 0;
}

static void __net_exit dccp_stat_exit_net(struct net *net)
{
	struct dccp_stat_net *ns = net_generic(net, dccp_stat_net_id);

	remove_proc_entry("dccp_stat", net->proc_net);
	free_percpu(ns->mib);
}

static struct pernet_operations dccp_stat_net_ops = {
	.init	= dccp_stat_init_net,
	.exit	= dccp_stat_exit_net,
	.id	= &dccp_stat_net_id,
	.size	= sizeof(struct dccp_stat_net),
};

int __init dccp_stat_init(void)
{
	return register_pernet_subsys(&dccp_stat_net_ops);
}

void dccp_stat_exit(void)
{
	unregister_pernet_subsys(&dccp_stat_net_ops);
}
