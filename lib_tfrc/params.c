// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parameters as socket options: structs of any version, and presets by name.
 *
 * The struct of a user is merged with the values in force, or with those of new
 * connections while there is no connection. An older program has a shorter struct:
 * the members at the end keep their values. A newer program has a longer one: it is
 * accepted if the members that this kernel does not know are 0. The merged struct is
 * checked as a whole, and applied only if it is in range.
 */
#include <linux/build_bug.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/tfrc.h>
#include <net/tfrc_ccid.h>

/* Protects the values of new connections, which are copied as a whole. */
static DEFINE_SPINLOCK(tfrc_params_lock);

/* A struct of parameters, aligned for any of its members. */
union tfrc_values {
	u8	bytes[TFRC_PARAMS_MAX];
	u64	align;
};

static bool tfrc_is_rx(int optname)
{
	return optname < DCCP_SOCKOPT_CCID_TX_INFO;
}

/* The option for presets of the half-connection to which @optname belongs */
static int tfrc_preset_optname(int optname)
{
	return tfrc_is_rx(optname) ? DCCP_SOCKOPT_CCID_RX_PRESET :
				     DCCP_SOCKOPT_CCID_TX_PRESET;
}

static const struct tfrc_params *
tfrc_params_find(const struct tfrc_sockopts *opts, int optname)
{
	const struct tfrc_params *const *p;

	for (p = opts->params; *p; p++)
		if (optname == (*p)->optname ||
		    optname == tfrc_preset_optname((*p)->optname))
			return *p;
	return NULL;
}

static const struct tfrc_list *tfrc_list_find(const struct tfrc_sockopts *opts,
					      int optname)
{
	const struct tfrc_list *list;

	for (list = opts->lists; list && list->optname; list++)
		if (optname == list->optname)
			return list;
	return NULL;
}

/**
 * tfrc_params_load - read the parameters of new connections
 * @params: description
 * @values: filled in
 *
 * Context: any but hard interrupts.
 */
void tfrc_params_load(const struct tfrc_params *params, void *values)
{
	spin_lock_bh(&tfrc_params_lock);
	memcpy(values, params->values, params->size);
	spin_unlock_bh(&tfrc_params_lock);
}
EXPORT_SYMBOL_GPL(tfrc_params_load);

/**
 * tfrc_params_store - change the parameters of new connections
 * @params: description
 * @values: the new values
 *
 * Context: any but hard interrupts; the caller excludes other writers.
 */
void tfrc_params_store(const struct tfrc_params *params, const void *values)
{
	spin_lock_bh(&tfrc_params_lock);
	memcpy(params->values, values, params->size);
	spin_unlock_bh(&tfrc_params_lock);
}
EXPORT_SYMBOL_GPL(tfrc_params_store);

static void tfrc_preset_values(const struct tfrc_params *params,
			       const struct tfrc_preset *preset, void *values)
{
	memcpy(values, params->defaults, params->size);
	tfrc_params_change(params, preset->changes, values);
}

/**
 * tfrc_params_preset - the values of a preset
 * @params: description
 * @name: from the user: may have a NUL or a new line at its end, or neither
 * @len: bytes in @name
 * @values: filled in, if there is such a preset
 *
 * Context: any.
 * Return: whether there is
 */
bool tfrc_params_preset(const struct tfrc_params *params, const char *name,
			size_t len, void *values)
{
	const struct tfrc_preset *preset;

	len = strnlen(name, len);
	if (len && name[len - 1] == '\n')
		len--;
	for (preset = params->presets; preset->name; preset++) {
		if (strlen(preset->name) == len &&
		    !memcmp(preset->name, name, len)) {
			tfrc_preset_values(params, preset, values);
			return true;
		}
	}
	return false;
}
EXPORT_SYMBOL_GPL(tfrc_params_preset);

/**
 * tfrc_params_preset_name - the preset that has these values
 * @params: description
 * @values: a complete struct
 *
 * Context: any.
 * Return: its name, or "custom"
 */
const char *tfrc_params_preset_name(const struct tfrc_params *params,
				    const void *values)
{
	const struct tfrc_preset *preset;
	union tfrc_values its;

	for (preset = params->presets; preset->name; preset++) {
		tfrc_preset_values(params, preset, &its);
		if (!memcmp(&its, values, params->size))
			return preset->name;
	}
	return "custom";
}
EXPORT_SYMBOL_GPL(tfrc_params_preset_name);

/* Merge @val into @values. If the result is not in range, @values does not change. */
static int tfrc_params_merge(const struct tfrc_params *params, void *values,
			     int optname, const void *val, unsigned int len)
{
	union tfrc_values whole;

	if (optname != params->optname)
		return tfrc_params_preset(params, val, len, values) ? 0 :
								      -EINVAL;

	if (len < params->least)
		return -EINVAL;
	if (len > params->size &&
	    memchr_inv(val + params->size, 0, len - params->size))
		return -E2BIG;
	memcpy(&whole, values, params->size);
	memcpy(&whole, val, min(len, params->size));
	if (!params->valid(&whole))
		return -EINVAL;
	memcpy(values, &whole, params->size);
	return 0;
}

static int tfrc_list_check(const struct tfrc_list *list, const void *val,
			   unsigned int len)
{
	if (!list->valid)
		return -ENOPROTOOPT;
	return len % sizeof(u32) == 0 && len / sizeof(u32) <= TFRC_LIST_MAX &&
	       list->valid(val, len) ? 0 : -EINVAL;
}

/**
 * tfrc_sockopt_check - whether a new connection would accept an option
 * @opts: the CCID's socket options
 * @optname: option
 * @val: its value
 * @len: length of @val, bytes
 *
 * Context: any but hard interrupts. Called by the hook ccid_check_sockopt.
 * Return: 0; -ENOPROTOOPT if the CCID has no such option; -EINVAL if the value is out
 * of range; -E2BIG if members that this kernel does not know are not 0
 */
int tfrc_sockopt_check(const struct tfrc_sockopts *opts, int optname,
		       const void *val, unsigned int len)
{
	const struct tfrc_params *params = tfrc_params_find(opts, optname);
	const struct tfrc_list *list = tfrc_list_find(opts, optname);
	union tfrc_values values;

	if (list)
		return tfrc_list_check(list, val, len);
	if (!params)
		return -ENOPROTOOPT;
	tfrc_params_load(params, &values);
	return tfrc_params_merge(params, &values, optname, val, len);
}
EXPORT_SYMBOL_GPL(tfrc_sockopt_check);

/**
 * tfrc_sockopt_preview - value that an option of a new connection would have
 * @opts: the CCID's socket options
 * @kept: options that were set so far, some of which may be for other CCIDs
 * @optname: option
 * @val: CCID_SOCKOPT_MAXLEN bytes for the answer
 *
 * Context: RCU, socket locked. Called by the hook ccid_preview_sockopt.
 * Return: length of the answer, bytes; -ENOPROTOOPT if the CCID has no such option
 */
int tfrc_sockopt_preview(const struct tfrc_sockopts *opts,
			 const struct list_head *kept, int optname, void *val)
{
	const struct tfrc_params *params = tfrc_params_find(opts, optname);
	const struct ccid_sockopt *opt;
	union tfrc_values values;
	const char *name;

	if (!params)
		return -ENOPROTOOPT;
	tfrc_params_load(params, &values);
	list_for_each_entry_rcu(opt, kept, node)
		if (opt->optname == params->optname ||
		    opt->optname == tfrc_preset_optname(params->optname))
			tfrc_params_merge(params, &values, opt->optname,
					  opt->val, opt->len);
	if (optname == params->optname) {
		memcpy(val, &values, params->size);
		return params->size;
	}
	name = tfrc_params_preset_name(params, &values);
	memcpy(val, name, strlen(name) + 1);
	return strlen(name) + 1;
}
EXPORT_SYMBOL_GPL(tfrc_sockopt_preview);

static void *tfrc_params_priv(const struct sock *sk, int optname)
{
	return ccid_priv(tfrc_is_rx(optname) ? dccp_sk(sk)->dccps_hc_rx_ccid :
					       dccp_sk(sk)->dccps_hc_tx_ccid);
}

static int tfrc_params_apply(const struct tfrc_params *params, void *priv,
			     const void *values)
{
	union tfrc_values before;
	int err;

	memcpy(&before, priv + params->offset, params->size);
	memcpy(priv + params->offset, values, params->size);
	err = params->changed ? params->changed(priv) : 0;
	if (err)
		memcpy(priv + params->offset, &before, params->size);
	return err;
}

/**
 * tfrc_sockopt_set - set an option of a connection
 * @opts: the CCID's socket options
 * @sk: the socket
 * @optname: option
 * @val: its value
 * @len: length of @val, bytes
 *
 * Context: socket locked. Called by the hooks ccid_hc_{r,t}x_setsockopt.
 * Return: 0, an error of tfrc_sockopt_check(), or -ENOMEM; then nothing has changed
 */
int tfrc_sockopt_set(const struct tfrc_sockopts *opts, struct sock *sk,
		     int optname, const void *val, unsigned int len)
{
	const struct tfrc_params *params = tfrc_params_find(opts, optname);
	const struct tfrc_list *list = tfrc_list_find(opts, optname);
	void *priv = tfrc_params_priv(sk, optname);
	union tfrc_values values;
	int err;

	if (list) {
		err = tfrc_list_check(list, val, len);
		if (!err)
			list->set(sk, val, len);
		return err;
	}
	if (!params)
		return -ENOPROTOOPT;
	memcpy(&values, priv + params->offset, params->size);
	err = tfrc_params_merge(params, &values, optname, val, len);
	return err ?: tfrc_params_apply(params, priv, &values);
}
EXPORT_SYMBOL_GPL(tfrc_sockopt_set);

static int tfrc_list_get(const struct tfrc_list *list, struct sock *sk, int len,
			 u32 __user *optval, int __user *optlen)
{
	u32 values[TFRC_LIST_MAX];
	int size = list->get(sk, values) * sizeof(u32);
	int err = tfrc_put_info(values, size, size, len, optval, optlen);

	if (!err && list->event)
		ccid_set_event(sk, false);
	return err;
}

static int tfrc_get_tx_info(const struct tfrc_sockopts *opts, struct sock *sk,
			    int len, u32 __user *optval, int __user *optlen)
{
	struct dccp_ccid_tx_info info;
	int err;

	tfrc_hc_tx_fill_info(sk, &info);
	if (opts->fill_tx)
		opts->fill_tx(sk, &info);
	err = tfrc_put_info(&info, sizeof(info), TFRC_TX_INFO_LEAST, len,
			    optval, optlen);
	if (!err && opts->tx_info_event)
		ccid_set_event(sk, false);
	return err;
}

static int tfrc_get_rx_info(const struct tfrc_sockopts *opts, struct sock *sk,
			    int len, u32 __user *optval, int __user *optlen)
{
	struct dccp_ccid_rx_info info;

	tfrc_hc_rx_fill_info(sk, &info);
	if (opts->fill_rx)
		opts->fill_rx(sk, &info);
	return tfrc_put_info(&info, sizeof(info), sizeof(struct tfrc_rx_info),
			     len, optval, optlen);
}

static int tfrc_get_params(const struct tfrc_params *params, struct sock *sk,
			   int optname, int len, u32 __user *optval,
			   int __user *optlen)
{
	union tfrc_values values;
	const char *name;

	/* Not from the private state, see tfrc_put_info(). */
	memcpy(&values, tfrc_params_priv(sk, optname) + params->offset,
	       params->size);
	if (optname == params->optname)
		return tfrc_put_info(&values, params->size, params->least, len,
				     optval, optlen);
	name = tfrc_params_preset_name(params, &values);
	return tfrc_put_info(name, strlen(name) + 1, strlen(name) + 1, len,
			     optval, optlen);
}

/**
 * tfrc_sockopt_get - read an option of a connection
 * @opts: the CCID's socket options
 * @sk: the socket
 * @optname: option
 * @len: size of the user's buffer
 * @optval: the user's buffer
 * @optlen: set to the size of the answer
 *
 * Context: socket locked, may sleep. Called by the hooks ccid_hc_{r,t}x_getsockopt.
 * Return: 0; -ENOPROTOOPT if the CCID has no such option; -EINVAL if the buffer is too
 * small; -EFAULT
 */
int tfrc_sockopt_get(const struct tfrc_sockopts *opts, struct sock *sk,
		     int optname, int len, u32 __user *optval,
		     int __user *optlen)
{
	const struct tfrc_params *params = tfrc_params_find(opts, optname);
	const struct tfrc_list *list = tfrc_list_find(opts, optname);

	if (optname == DCCP_SOCKOPT_CCID_TX_INFO)
		return tfrc_get_tx_info(opts, sk, len, optval, optlen);
	if (optname == DCCP_SOCKOPT_CCID_RX_INFO)
		return tfrc_get_rx_info(opts, sk, len, optval, optlen);
	if (list)
		return tfrc_list_get(list, sk, len, optval, optlen);
	return params ? tfrc_get_params(params, sk, optname, len, optval,
					optlen) : -ENOPROTOOPT;
}
EXPORT_SYMBOL_GPL(tfrc_sockopt_get);

/**
 * tfrc_params_init - give a new half-connection its parameters
 * @params: description
 * @priv: the CCID's private state
 *
 * Context: the hooks ccid_hc_{r,t}x_init.
 * Return: 0 or -ENOMEM
 */
int tfrc_params_init(const struct tfrc_params *params, void *priv)
{
	union tfrc_values values;

	tfrc_params_load(params, &values);
	return tfrc_params_apply(params, priv, &values);
}
EXPORT_SYMBOL_GPL(tfrc_params_init);
