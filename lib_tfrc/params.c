// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parameters as socket options: structs of any version, and presets by name.
 *
 * A value that comes from a user is first made a whole struct: on top of what is
 * in force (or what new connections get, as long as there is no instance) goes
 * what the user gave. A shorter struct is that of an older program, and leaves
 * the end of it alone; a longer one is that of a newer program, and is taken if
 * it says nothing that this kernel would not know. Only the whole is checked, and
 * only a whole that is in range is applied.
 */
#include <linux/build_bug.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <net/tfrc_ccid.h>

/* The values of new connections are copied as a whole. */
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

/* The option that names a preset for the half that @optname is an option of. */
static int tfrc_preset_optname(int optname)
{
	return tfrc_is_rx(optname) ? DCCP_SOCKOPT_CCID_RX_PRESET :
				     DCCP_SOCKOPT_CCID_TX_PRESET;
}

static const struct tfrc_params *
tfrc_params_find(const struct tfrc_params *const *all, int optname)
{
	for (; *all; all++)
		if (optname == (*all)->optname ||
		    optname == tfrc_preset_optname((*all)->optname))
			return *all;
	return NULL;
}

/**
 * tfrc_params_load - read the parameters of new connections
 * @params: description
 * @values: where to
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
 * @values: what they are to be
 *
 * Context: any but hard interrupts; the caller keeps other writers away.
 */
void tfrc_params_store(const struct tfrc_params *params, const void *values)
{
	spin_lock_bh(&tfrc_params_lock);
	memcpy(params->values, values, params->size);
	spin_unlock_bh(&tfrc_params_lock);
}
EXPORT_SYMBOL_GPL(tfrc_params_store);

/**
 * tfrc_params_preset - find a preset
 * @params: description
 * @name: from the user: may have a NUL or a new line at its end, or neither
 * @len: bytes in @name
 *
 * Context: any.
 * Return: the preset, or NULL
 */
const struct tfrc_preset *tfrc_params_preset(const struct tfrc_params *params,
					     const char *name, size_t len)
{
	const struct tfrc_preset *preset;

	len = strnlen(name, len);
	if (len && name[len - 1] == '\n')
		len--;
	for (preset = params->presets; preset->name; preset++)
		if (strlen(preset->name) == len &&
		    !memcmp(preset->name, name, len))
			return preset;
	return NULL;
}
EXPORT_SYMBOL_GPL(tfrc_params_preset);

/**
 * tfrc_params_preset_name - which preset are these values?
 * @params: description
 * @values: a whole struct
 *
 * Context: any.
 * Return: its name, or "custom"
 */
const char *tfrc_params_preset_name(const struct tfrc_params *params,
				    const void *values)
{
	const struct tfrc_preset *preset;

	for (preset = params->presets; preset->name; preset++)
		if (!memcmp(preset->values, values, params->size))
			return preset->name;
	return "custom";
}
EXPORT_SYMBOL_GPL(tfrc_params_preset_name);

/* What @val makes of @values, which stays as it is unless that is in range. */
static int tfrc_params_merge(const struct tfrc_params *params, void *values,
			     int optname, const void *val, unsigned int len)
{
	const struct tfrc_preset *preset;
	union tfrc_values whole;

	if (optname != params->optname) {
		preset = tfrc_params_preset(params, val, len);
		if (!preset)
			return -EINVAL;
		memcpy(values, preset->values, params->size);
		return 0;
	}

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

/**
 * tfrc_params_check - would a new connection take this option?
 * @all: the CCID's parameters
 * @optname: option
 * @val: its value
 * @len: length of @val, bytes
 *
 * Context: any but hard interrupts. For the hook ccid_check_sockopt.
 * Return: 0; -ENOPROTOOPT if it is no option of the CCID's; -EINVAL if the value
 * is out of range; -E2BIG if it says something that this kernel does not know
 */
int tfrc_params_check(const struct tfrc_params *const *all, int optname,
		      const void *val, unsigned int len)
{
	const struct tfrc_params *params = tfrc_params_find(all, optname);
	union tfrc_values values;

	if (!params)
		return -ENOPROTOOPT;
	tfrc_params_load(params, &values);
	return tfrc_params_merge(params, &values, optname, val, len);
}
EXPORT_SYMBOL_GPL(tfrc_params_check);

/**
 * tfrc_params_preview - what would an option be for a new connection?
 * @all: the CCID's parameters
 * @kept: options that were set so far, some of which may be for other CCIDs
 * @optname: option
 * @val: CCID_SOCKOPT_MAXLEN bytes for the answer
 *
 * Context: RCU, socket locked. For the hook ccid_preview_sockopt.
 * Return: length of the answer, bytes; -ENOPROTOOPT if it is no option of the
 * CCID's
 */
int tfrc_params_preview(const struct tfrc_params *const *all,
			const struct list_head *kept, int optname, void *val)
{
	const struct tfrc_params *params = tfrc_params_find(all, optname);
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
EXPORT_SYMBOL_GPL(tfrc_params_preview);

static void *tfrc_params_priv(const struct sock *sk, int optname)
{
	return ccid_priv(tfrc_is_rx(optname) ? dccp_sk(sk)->dccps_hc_rx_ccid :
					       dccp_sk(sk)->dccps_hc_tx_ccid);
}

/**
 * tfrc_params_set - set an option of a connection
 * @all: the CCID's parameters
 * @sk: the socket
 * @optname: option
 * @val: its value
 * @len: length of @val, bytes
 *
 * Context: socket locked. For the hooks ccid_hc_{r,t}x_setsockopt.
 * Return: 0, or as tfrc_params_check(), and then nothing has changed
 */
int tfrc_params_set(const struct tfrc_params *const *all, struct sock *sk,
		    int optname, const void *val, unsigned int len)
{
	const struct tfrc_params *params = tfrc_params_find(all, optname);
	union tfrc_values values;
	void *priv;
	int err;

	if (!params)
		return -ENOPROTOOPT;
	priv = tfrc_params_priv(sk, optname);
	params->read(priv, &values);
	err = tfrc_params_merge(params, &values, optname, val, len);
	if (!err)
		params->apply(priv, &values);
	return err;
}
EXPORT_SYMBOL_GPL(tfrc_params_set);

/**
 * tfrc_params_get - read an option of a connection
 * @all: the CCID's parameters
 * @sk: the socket
 * @optname: option
 * @len: room that the user has
 * @optval: the user's buffer
 * @optlen: where to say how much was copied
 *
 * Context: socket locked, may sleep. For the hooks ccid_hc_{r,t}x_getsockopt.
 * Return: 0; -ENOPROTOOPT if it is no option of the CCID's; -EINVAL if there is
 * too little room; -EFAULT
 */
int tfrc_params_get(const struct tfrc_params *const *all, struct sock *sk,
		    int optname, int len, u32 __user *optval,
		    int __user *optlen)
{
	const struct tfrc_params *params = tfrc_params_find(all, optname);
	union tfrc_values values;
	const char *name;

	if (!params)
		return -ENOPROTOOPT;
	params->read(tfrc_params_priv(sk, optname), &values);
	if (optname == params->optname)
		return tfrc_put_info(&values, params->size, params->least, len,
				     optval, optlen);
	name = tfrc_params_preset_name(params, &values);
	return tfrc_put_info(name, strlen(name) + 1, strlen(name) + 1, len,
			     optval, optlen);
}
EXPORT_SYMBOL_GPL(tfrc_params_get);

/**
 * tfrc_params_init - give a new half-connection its parameters
 * @params: description
 * @priv: the CCID's private state
 *
 * Context: the hooks ccid_hc_{r,t}x_init.
 */
void tfrc_params_init(const struct tfrc_params *params, void *priv)
{
	union tfrc_values values;

	tfrc_params_load(params, &values);
	params->apply(priv, &values);
}
EXPORT_SYMBOL_GPL(tfrc_params_init);
