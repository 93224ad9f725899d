// SPDX-License-Identifier: GPL-2.0-only
/*
 * Module parameters: the parameters of new connections, by name.
 *
 * While a module is being loaded, its parameters are set one after the other, in the
 * order of the command line. In between, parameters that depend on each other may be
 * out of range. So they are checked together when the CCID is registered. From then on
 * each change is checked together with the other parameters before it is made. So a
 * new connection always gets valid values. The state of the module does not tell the
 * two cases apart: its parameters are in /sys before it is loaded completely, and its
 * CCID may be used as soon as it is registered.
 */
#include <linux/bug.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/xarray.h>
#include <net/tfrc_ccid.h>

/* Room for a value in the changes of a preset, a number or a name, bytes */
#define TFRC_PARAM_VALUE_LEN	32

/* Addresses of the struct tfrc_params that were found valid */
static DEFINE_XARRAY(tfrc_checked);

static u64 tfrc_param_read(const struct tfrc_param *par, const void *values)
{
	const void *member = values + par->offset;

	switch (par->width) {
	case 1:
		return *(const u8 *)member;
	case 2:
		return *(const u16 *)member;
	default:
		return *(const u32 *)member;
	}
}

static void tfrc_param_write(const struct tfrc_param *par, void *values,
			     u64 value)
{
	void *member = values + par->offset;

	switch (par->width) {
	case 1:
		*(u8 *)member = value;
		break;
	case 2:
		*(u16 *)member = value;
		break;
	default:
		*(u32 *)member = value;
	}
}

static int tfrc_param_parse(const struct tfrc_param *par, const char *val,
			    u64 *value)
{
	const struct tfrc_param_name *n;

	for (n = par->names; n && n->name; n++) {
		if (sysfs_streq(val, n->name)) {
			*value = n->value;
			return 0;
		}
	}
	return kstrtou64(val, 0, value);
}

/* @values: room for the parameters of a half */
static int tfrc_param_store(const struct tfrc_param *par, u64 value,
			    void *values)
{
	tfrc_params_load(par->params, values);
	tfrc_param_write(par, values, value);
	if (xa_load(&tfrc_checked, (unsigned long)par->params) &&
	    !par->params->valid(values))
		return -EINVAL;
	tfrc_params_store(par->params, values);
	return 0;
}

/*
 * The kernel sets only one parameter of a module at a time. What is in range in one half
 * is so in the other, so either both of them change or none.
 */
static int tfrc_param_set(const char *val, const struct kernel_param *kp)
{
	const struct tfrc_param *par = kp->arg;
	u64 value;
	int err = tfrc_param_parse(par, val, &value);
	void *values;

	if (err)
		return err;
	if (value >> (8 * par->width))
		return -EINVAL;
	values = kmalloc(TFRC_PARAMS_MAX, GFP_KERNEL);
	if (!values)
		return -ENOMEM;
	for (; par && !err; par = par->other)
		err = tfrc_param_store(par, value, values);
	kfree(values);
	return err;
}

static int tfrc_param_get(char *buffer, const struct kernel_param *kp)
{
	const struct tfrc_param *par = kp->arg;

	return sysfs_emit(buffer, "%llu\n",
			  tfrc_param_read(par, par->params->values));
}

const struct kernel_param_ops tfrc_param_ops = {
	.set = tfrc_param_set,
	.get = tfrc_param_get,
};
EXPORT_SYMBOL_GPL(tfrc_param_ops);

/* The parameter of a module with the first @len characters of @name, or NULL */
static const struct tfrc_param *tfrc_param_find(const struct module *mod,
						const char *name, size_t len)
{
	const struct kernel_param *kp;

	for (kp = mod->kp; kp < mod->kp + mod->num_kp; kp++)
		if (kp->ops == &tfrc_param_ops && strlen(kp->name) == len &&
		    !memcmp(kp->name, name, len))
			return kp->arg;
	return NULL;
}

/* One change of a preset: what follows it is returned, NULL if it is no change. */
static const char *tfrc_param_change(const struct tfrc_params *params,
				     const char *change, void *values)
{
	const size_t name = strcspn(change, "="), len = strcspn(change, " ");
	const struct tfrc_param *par = tfrc_param_find(params->owner, change,
						       name);
	char val[TFRC_PARAM_VALUE_LEN];
	u64 value;

	if (!par || name >= len || len - name > sizeof(val))
		return NULL;
	memcpy(val, change + name + 1, len - name - 1);
	val[len - name - 1] = '\0';
	if (tfrc_param_parse(par, val, &value))
		return NULL;
	for (; par; par = par->other)
		if (par->params == params)
			tfrc_param_write(par, values, value);
	change += len;
	return change + strspn(change, " ");
}

/**
 * tfrc_params_change - make the changes of a preset
 * @params: description; parameters of the other half-connection are left out
 * @changes: names and values of module parameters: "beta=900 lag=0"
 * @values: struct of parameters to change
 *
 * Context: any.
 */
void tfrc_params_change(const struct tfrc_params *params, const char *changes,
			void *values)
{
	while (changes && *changes)
		changes = tfrc_param_change(params, changes, values);
	WARN_ON_ONCE(!changes);
}

/* Sets the preset for both halves. */
static int tfrc_preset_set(const char *val, const struct kernel_param *kp)
{
	const struct tfrc_sockopts *opts = kp->arg;
	const struct tfrc_params *const *all;
	void *values;
	int err = 0;

	values = kmalloc(TFRC_PARAMS_MAX, GFP_KERNEL);
	if (!values)
		return -ENOMEM;
	for (all = opts->params; *all && !err; all++) {
		if (tfrc_params_preset(*all, val, strlen(val), values))
			tfrc_params_store(*all, values);
		else
			err = -EINVAL;
	}
	kfree(values);
	return err;
}

static int tfrc_preset_get(char *buffer, const struct kernel_param *kp)
{
	const struct tfrc_sockopts *opts = kp->arg;
	const struct tfrc_params *const *all = opts->params;
	const char *name = tfrc_params_preset_name(*all, (*all)->values);

	while (*++all)
		if (strcmp(name, tfrc_params_preset_name(*all, (*all)->values)))
			name = "custom";
	return sysfs_emit(buffer, "%s\n", name);
}

const struct kernel_param_ops tfrc_preset_ops = {
	.set = tfrc_preset_set,
	.get = tfrc_preset_get,
};
EXPORT_SYMBOL_GPL(tfrc_preset_ops);

/* Presets are data of the module, so this finds faults of the module only. */
static bool tfrc_presets_valid(const struct tfrc_params *params)
{
	const struct tfrc_preset *preset;
	bool valid = true;
	void *values;

	values = kmalloc(TFRC_PARAMS_MAX, GFP_KERNEL);
	if (!values)
		return false;
	for (preset = params->presets; preset && preset->name; preset++)
		valid = valid && tfrc_params_preset(params, preset->name,
						    strlen(preset->name), values) &&
			params->valid(values);
	kfree(values);
	return valid;
}

static void tfrc_params_unchecked(const struct tfrc_params *const *all)
{
	for (; *all; all++)
		xa_erase(&tfrc_checked, (unsigned long)*all);
}

/* Each change is checked from now on. The caller has locked the parameters. */
static int tfrc_params_checked(const struct ccid_operations *ops,
			       const struct tfrc_params *const *all)
{
	int err;

	for (; *all; all++) {
		if (!(*all)->valid((*all)->values)) {
			pr_err("ccid_%s: parameters of the %s are out of range, or do not go together; see 'modinfo ccid_%s'\n",
			       ops->ccid_name,
			       (*all)->optname < DCCP_SOCKOPT_CCID_TX_INFO ?
			       "receiver" : "sender", ops->ccid_name);
			return -EINVAL;
		}
		if (WARN_ON(!tfrc_presets_valid(*all)))
			return -EINVAL;
		err = xa_err(xa_store(&tfrc_checked, (unsigned long)*all,
				      (void *)*all, GFP_KERNEL));
		if (err)
			return err;
	}
	return 0;
}

/**
 * tfrc_ccid_register - register a CCID whose module parameters are in range
 * @ops: the CCID
 * @opts: its socket options, with its parameters
 *
 * Context: module initialisation.
 * Return: 0; -EINVAL if the module parameters do not go together; -ENOMEM; or what
 * ccid_register() returns
 */
int tfrc_ccid_register(struct ccid_operations *ops,
		       const struct tfrc_sockopts *opts)
{
	int err;

	kernel_param_lock(ops->ccid_owner);
	err = tfrc_params_checked(ops, opts->params);
	kernel_param_unlock(ops->ccid_owner);
	if (!err)
		err = ccid_register(ops);
	if (err)
		tfrc_params_unchecked(opts->params);
	return err;
}
EXPORT_SYMBOL_GPL(tfrc_ccid_register);

/**
 * tfrc_ccid_unregister - unregister a CCID with module parameters
 * @ops: the CCID
 * @opts: its socket options, with its parameters
 *
 * Context: module exit.
 */
void tfrc_ccid_unregister(struct ccid_operations *ops,
			  const struct tfrc_sockopts *opts)
{
	ccid_unregister(ops);
	tfrc_params_unchecked(opts->params);
}
EXPORT_SYMBOL_GPL(tfrc_ccid_unregister);
