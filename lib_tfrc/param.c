// SPDX-License-Identifier: GPL-2.0-only
/*
 * Module parameters that are checked.
 *
 * A scheme keeps the parameters of new connections in the same structs that a
 * socket takes, so that one function says what is in range. Writing one of them
 * asks it about a copy of the whole: what a new connection sees has always been
 * found valid.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <net/tfrc_ccid.h>

/* A struct of defaults is copied as a whole, by those who read and who write. */
static DEFINE_SPINLOCK(tfrc_param_lock);

static u64 tfrc_param_read(const struct tfrc_param *par, const void *all)
{
	const void *member = all + par->offset;

	switch (par->width) {
	case 1:
		return *(const u8 *)member;
	case 2:
		return *(const u16 *)member;
	default:
		return *(const u32 *)member;
	}
}

static void tfrc_param_write(const struct tfrc_param *par, void *all, u64 value)
{
	void *member = all + par->offset;

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

/* The core lets only one at a time set parameters of a module. */
static int tfrc_param_set(const char *val, const struct kernel_param *kp)
{
	const struct tfrc_param *par = kp->arg;
	void *copy;
	u64 value;
	int err = tfrc_param_parse(par, val, &value);

	if (err)
		return err;
	if (value >> (8 * par->width))
		return -EINVAL;

	copy = kmemdup(par->defaults, par->size, GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	tfrc_param_write(par, copy, value);
	err = par->check(par->optname, copy, par->size);
	if (!err) {
		spin_lock_bh(&tfrc_param_lock);
		memcpy(par->defaults, copy, par->size);
		spin_unlock_bh(&tfrc_param_lock);
	}
	kfree(copy);
	return err;
}

static int tfrc_param_get(char *buffer, const struct kernel_param *kp)
{
	const struct tfrc_param *par = kp->arg;

	return sysfs_emit(buffer, "%llu\n", tfrc_param_read(par, par->defaults));
}

const struct kernel_param_ops tfrc_param_ops = {
	.set = tfrc_param_set,
	.get = tfrc_param_get,
};
EXPORT_SYMBOL_GPL(tfrc_param_ops);

/**
 * tfrc_param_copy - parameters for a new connection
 * @copy: where to
 * @defaults: what module parameters are kept in
 * @size: of both
 *
 * Context: any but hard interrupts.
 */
void tfrc_param_copy(void *copy, const void *defaults, size_t size)
{
	spin_lock_bh(&tfrc_param_lock);
	memcpy(copy, defaults, size);
	spin_unlock_bh(&tfrc_param_lock);
}
EXPORT_SYMBOL_GPL(tfrc_param_copy);
