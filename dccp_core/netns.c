// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sysctls of DCCP, of which each network namespace has its own: net.dccp.default.*,
 * net.dccp.available_ccids and net.dccp.allowed_ccids
 *
 * A new namespace begins with the present values of the first one, and from then on its
 * owner decides. A preferred CCID holds its module, for each namespace that prefers it,
 * until the namespace prefers another one or ends. What is registered may be chosen in
 * all of them, but only the administrator of the host has modules loaded.
 */
#include <linux/bitmap.h>
#include <linux/capability.h>
#include <linux/ctype.h>
#include <linux/kmod.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "ccid.h"
#include "dccp.h"
#include "feat.h"

#define DCCP_DEFAULTS	8
#define DCCP_LISTS	2

/* Text of a list: all numbers with a blank after each take 914 bytes. */
#define DCCP_LIST_LEN	1024

/**
 * struct dccp_netns - What belongs to a network namespace
 * @sysctl: values, the first member because dccp_net() reads it
 * @defaults: the table of net.dccp.default
 * @lists: the table of the lists of CCIDs
 * @headers: of both tables, and of dccp_host
 */
struct dccp_netns {
	struct dccp_net		sysctl;
	struct ctl_table	defaults[DCCP_DEFAULTS + DCCP_CTL_END];
	struct ctl_table	lists[DCCP_LISTS + DCCP_CTL_END];
	struct ctl_table_header	*headers[3];
};

unsigned int dccp_net_id __read_mostly;

/* With more closed sockets than this, close() does not leave one to be drained. */
int dccp_max_orphans __read_mostly = 4096;

/* Protects preferred CCIDs with their references, and lists. */
static DEFINE_MUTEX(dccp_net_mutex);

/* ---- Names and numbers ----------------------------------------------------- */

static int dccp_ccid_find(const char *name)
{
	struct ccid_operations *ops;
	int id, found = -EOPNOTSUPP;

	for (id = 0; id <= CCID_MAX && found < 0; id++) {
		ops = ccid_get(id);
		if (ops && !strcmp(ops->ccid_name, name))
			found = id;
		ccid_put(ops);
	}
	return found;
}

/* The number of a CCID that is there, or is loaded now, from its name or number */
static int dccp_ccid_parse(const char *text)
{
	int id, rc;
	u8 number;

	if (isalpha(*text)) {
		id = dccp_ccid_find(text);
		if (id < 0 && capable(CAP_NET_ADMIN)) {
			request_module("net-dccp-ccid-%s", text);
			id = dccp_ccid_find(text);
		}
		return id;
	}
	if (kstrtou8(text, 0, &number))
		return -EINVAL;
	rc = ccid_request(&number, 1);
	return rc ? rc : number;
}

/* ---- Sysctls --------------------------------------------------------------- */

/*
 * Read or write text. What is longer than the buffer, does not come in one piece, or has more
 * than one line is not a value: proc_dostring() would take the first line for all of it.
 */
static int dccp_proc_text(char *text, size_t size, int write, void *buffer, size_t *lenp,
			  loff_t *ppos)
{
	struct ctl_table tmp = { .data = text, .maxlen = size };

	if (write && (*ppos || *lenp >= size))
		return -EINVAL;
	if (write && *lenp && (memchr(buffer, '\n', *lenp - 1) || memchr(buffer, 0, *lenp - 1)))
		return -EINVAL;
	return proc_dostring(&tmp, write, buffer, lenp, ppos);
}

static int dccp_proc_ccid(DCCP_CTL_CONST struct ctl_table *table, int write,
			  void *buffer, size_t *lenp, loff_t *ppos)
{
	struct dccp_default_ccid *preferred = table->data;
	struct ccid_operations *ops;
	char text[128];
	int rc, id;

	snprintf(text, sizeof(text), "%u", READ_ONCE(preferred->id));
	rc = dccp_proc_text(text, sizeof(text), write, buffer, lenp, ppos);
	if (!write || rc)
		return rc;

	id = dccp_ccid_parse(strim(text));
	if (id < 0)
		return id;
	ops = ccid_get(id);
	if (!ops)
		return -EOPNOTSUPP;

	mutex_lock(&dccp_net_mutex);
	WRITE_ONCE(preferred->id, id);
	swap(preferred->ops, ops);
	mutex_unlock(&dccp_net_mutex);

	ccid_put(ops);
	return 0;
}

static int dccp_proc_available(DCCP_CTL_CONST struct ctl_table *table, int write,
			       void *buffer, size_t *lenp, loff_t *ppos)
{
	const size_t size = 8 * 1024;
	struct ccid_operations *ops;
	int rc, id, len = 0;
	char *text;

	text = kzalloc(size, GFP_KERNEL);
	if (!text)
		return -ENOMEM;
	for (id = 0; id <= CCID_MAX; id++) {
		ops = ccid_get(id);
		if (ops)
			len += scnprintf(text + len, size - len, "%s%d:%s",
					 len ? " " : "", id, ops->ccid_name);
		ccid_put(ops);
	}
	rc = dccp_proc_text(text, size, write, buffer, lenp, ppos);
	kfree(text);
	return rc;
}

static int dccp_parse_list(char *text, unsigned long *ccids)
{
	const char *word;
	int id;

	bitmap_zero(ccids, CCID_MAX + 1);
	while ((word = strsep(&text, " \t"))) {
		if (!*word)
			continue;
		id = dccp_ccid_parse(word);
		if (id < 0)
			return id;
		__set_bit(id, ccids);
	}
	return 0;
}

/* The list holds no module: it says what may be asked for, not what there is. */
static int dccp_proc_allowed(DCCP_CTL_CONST struct ctl_table *table, int write,
			     void *buffer, size_t *lenp, loff_t *ppos)
{
	unsigned long *allowed = table->data;
	DECLARE_BITMAP(ccids, CCID_MAX + 1);
	int rc, id, len = 0;
	char *text;

	text = kzalloc(DCCP_LIST_LEN, GFP_KERNEL);
	if (!text)
		return -ENOMEM;

	mutex_lock(&dccp_net_mutex);
	bitmap_copy(ccids, allowed, CCID_MAX + 1);
	mutex_unlock(&dccp_net_mutex);
	for_each_set_bit(id, ccids, CCID_MAX + 1)
		len += scnprintf(text + len, DCCP_LIST_LEN - len, "%s%d", len ? " " : "", id);

	rc = dccp_proc_text(text, DCCP_LIST_LEN, write, buffer, lenp, ppos);
	if (write && !rc)
		rc = dccp_parse_list(text, ccids);
	kfree(text);
	if (!write || rc)
		return rc;

	mutex_lock(&dccp_net_mutex);
	bitmap_copy(allowed, ccids, CCID_MAX + 1);
	mutex_unlock(&dccp_net_mutex);
	return 0;
}

/**
 * dccp_may_ask - Whether the calling process may ask for these CCIDs
 * @sk: socket, need not be locked
 * @ccids: numbers of CCIDs
 * @len: length of @ccids
 *
 * As with the congestion controls of TCP, all are free to whom the namespace of the socket
 * obeys (%CAP_NET_ADMIN). Others may ask for what net.dccp.allowed_ccids lists, and for what
 * they would get anyway, the preferred CCIDs. Without a list nothing is forbidden.
 *
 * Context: may sleep
 * Return: true if it may
 */
bool dccp_may_ask(const struct sock *sk, const u8 *ccids, u8 len)
{
	struct net *net = sock_net(sk);
	struct dccp_net *dn = dccp_net(net);
	bool allowed;
	u8 i;

	mutex_lock(&dccp_net_mutex);
	allowed = bitmap_empty(dn->allowed_ccids, CCID_MAX + 1);
	for (i = 0; !allowed && i < len; i++)
		if (!test_bit(ccids[i], dn->allowed_ccids) &&
		    ccids[i] != dn->tx_ccid.id && ccids[i] != dn->rx_ccid.id)
			break;
	allowed = allowed || i == len;
	mutex_unlock(&dccp_net_mutex);

	return allowed || ns_capable(net->user_ns, CAP_NET_ADMIN);
}

/* ---- Namespaces ------------------------------------------------------------ */

static int dccp_byte_max = U8_MAX;
/* The kernel's timer of a handshake doubles its time with each, and counts in seven bits. */
static int dccp_requests_max = 32;
static unsigned long dccp_window_min = DCCPF_SEQ_WMIN;	/* RFC 4340, 7.5.2 */
static unsigned long dccp_window_max = U32_MAX;		/* what a long has everywhere */

/* In these two tables the data is the place in struct dccp_net. */
#define DCCP_SYSCTL(name, field, type, handler, min, max) {		\
	.procname	= name,						\
	.data		= (void *)offsetof(struct dccp_net, field),	\
	.maxlen		= sizeof(type),					\
	.mode		= 0644,						\
	.proc_handler	= handler,					\
	.extra1		= min,						\
	.extra2		= max,						\
}

#define DCCP_INT(name, field, min, max)					\
	DCCP_SYSCTL(name, field, int, proc_dointvec_minmax, min, max)

#define DCCP_CCID(name, field)						\
	DCCP_SYSCTL(name, field, struct dccp_default_ccid, dccp_proc_ccid, NULL, NULL)

static const struct ctl_table dccp_defaults[DCCP_DEFAULTS] = {
	DCCP_CCID("tx_ccid", tx_ccid),
	DCCP_CCID("rx_ccid", rx_ccid),
	DCCP_INT("tx_qlen", tx_qlen, SYSCTL_ZERO, NULL),
	DCCP_INT("request_retries", request_retries, SYSCTL_ONE, &dccp_requests_max),
	DCCP_INT("retries1", retries1, SYSCTL_ZERO, &dccp_byte_max),
	DCCP_INT("retries2", retries2, SYSCTL_ZERO, &dccp_byte_max),
	DCCP_SYSCTL("seq_window", seq_window, unsigned long, proc_doulongvec_minmax,
		    &dccp_window_min, &dccp_window_max),
	DCCP_SYSCTL("sync_ratelimit", sync_ratelimit, int, proc_dointvec_ms_jiffies, NULL, NULL),
};

static const struct ctl_table dccp_lists[DCCP_LISTS] = {
	{
		.procname	= "available_ccids",
		.mode		= 0444,
		.proc_handler	= dccp_proc_available,
	},
	{
		.procname	= "allowed_ccids",
		.data		= (void *)offsetof(struct dccp_net, allowed_ccids),
		.mode		= 0644,
		.proc_handler	= dccp_proc_allowed,
	},
};

/* What protects the host is for the first namespace alone. */
static struct ctl_table dccp_host[1 + DCCP_CTL_END] = {
	{
		.procname	= "max_orphans",
		.data		= &dccp_max_orphans,
		.maxlen		= sizeof(dccp_max_orphans),
		.extra1		= SYSCTL_ZERO,
		.proc_handler	= proc_dointvec_minmax,
		.mode		= 0644,
	},
};

static void dccp_copy_table(struct ctl_table *to, const struct ctl_table *from, int n,
			    struct dccp_net *dn)
{
	for (; n--; to++, from++) {
		*to = *from;
		to->data = (u8 *)dn + (uintptr_t)from->data;
	}
}

/* The first namespace is the first one to begin. */
static void dccp_first_values(struct dccp_net *dn)
{
	/* built in, and not registered yet */
	dn->tx_ccid.id		= DCCPC_CCID2;
	dn->rx_ccid.id		= DCCPC_CCID2;
	dn->tx_qlen		= 5;
	dn->seq_window		= 100;			/* RFC 4340, 7.5.2 */
	dn->request_retries	= TCP_SYN_RETRIES;
	dn->retries1		= TCP_RETR1;
	dn->retries2		= TCP_RETR2;
	dn->sync_ratelimit	= HZ / 8;		/* 8 a second: RFC 4340, 7.5.4 */
}

static void dccp_inherit(struct dccp_net *dn, const struct dccp_net *from)
{
	dn->tx_qlen		= READ_ONCE(from->tx_qlen);
	dn->seq_window		= READ_ONCE(from->seq_window);
	dn->request_retries	= READ_ONCE(from->request_retries);
	dn->retries1		= READ_ONCE(from->retries1);
	dn->retries2		= READ_ONCE(from->retries2);
	dn->sync_ratelimit	= READ_ONCE(from->sync_ratelimit);

	mutex_lock(&dccp_net_mutex);
	bitmap_copy(dn->allowed_ccids, from->allowed_ccids, CCID_MAX + 1);
	dn->tx_ccid.id = from->tx_ccid.id;
	dn->rx_ccid.id = from->rx_ccid.id;
	/* There is no module only for what is built in: the others are held meanwhile. */
	dn->tx_ccid.ops = ccid_get(dn->tx_ccid.id);
	dn->rx_ccid.ops = ccid_get(dn->rx_ccid.id);
	mutex_unlock(&dccp_net_mutex);
}

static void dccp_netns_end(struct dccp_netns *ns)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(ns->headers); i++)
		if (ns->headers[i])
			unregister_net_sysctl_table(ns->headers[i]);
	ccid_put(ns->sysctl.tx_ccid.ops);
	ccid_put(ns->sysctl.rx_ccid.ops);
}

static int __net_init dccp_netns_init_net(struct net *net)
{
	struct dccp_netns *ns = net_generic(net, dccp_net_id);

	if (net_eq(net, &init_net))
		dccp_first_values(&ns->sysctl);
	else
		dccp_inherit(&ns->sysctl, dccp_net(&init_net));
	if (!IS_ENABLED(CONFIG_SYSCTL))
		return 0;

	dccp_copy_table(ns->defaults, dccp_defaults, DCCP_DEFAULTS, &ns->sysctl);
	dccp_copy_table(ns->lists, dccp_lists, DCCP_LISTS, &ns->sysctl);
	ns->headers[0] = register_net_sysctl(net, "net/dccp/default", ns->defaults);
	ns->headers[1] = register_net_sysctl(net, "net/dccp", ns->lists);
	if (net_eq(net, &init_net))
		ns->headers[2] = register_net_sysctl(net, "net/dccp", dccp_host);
	if (ns->headers[0] && ns->headers[1] && (ns->headers[2] || !net_eq(net, &init_net)))
		return 0;
	dccp_netns_end(ns);
	return -ENOMEM;
}

static void __net_exit dccp_netns_exit_net(struct net *net)
{
	dccp_netns_end(net_generic(net, dccp_net_id));
}

static struct pernet_operations dccp_netns_ops = {
	.init	= dccp_netns_init_net,
	.exit	= dccp_netns_exit_net,
	.id	= &dccp_net_id,
	.size	= sizeof(struct dccp_netns),
};

int __init dccp_netns_init(void)
{
	return register_pernet_subsys(&dccp_netns_ops);
}

void dccp_netns_exit(void)
{
	unregister_pernet_subsys(&dccp_netns_ops);
}

/* Of dccp.ko, which this file is part of. With it /sys/module has the sum of its sources. */
MODULE_VERSION(DCCP_CCIDS_VERSION);
