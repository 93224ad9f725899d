// SPDX-License-Identifier: GPL-2.0-only
/*
 * Module parameters that are checked.
 *
 * A scheme keeps the parameters of new connections in the same structs that a
 * socket takes, so that one function says what is in range. Writing one of them
 * asks it about the whole, and keeps the old value if the answer is no.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include <net/tfrc_ccid.h>

static u64 tfrc_param_read(const struct tfrc_param *par)
{
	switch (par->size) {
	case 1:
		return *(u8 *)par->value;
	case 2:
		return *(u16 *)par->value;
	default:
		return *(u32 *)par->value;
	}
}

static void tfrc_param_write(const struct tfrc_param *par, u64 value)
{
	switch (par->size) {
	case 1:
		WRITE_ONCE(*(u8 *)par->value, value);
		break;
	case 2:
		WRITE_ONCE(*(u16 *)par->value, value);
		break;
	default:
		WRITE_ONCE(*(u32 *)par->value, value);
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

static int tfrc_param_set(const char *val, const struct kernel_param *kp)
{
	const struct tfrc_param *par = kp->arg;
	u64 old = tfrc_param_read(par), value;
	int err = tfrc_param_parse(par, val, &value);

	if (err)
		return err;
	if (value >> (8 * par->size))
		return -EINVAL;
	tfrc_param_write(par, value);
	if (par->valid())
		return 0;
	tfrc_param_write(par, old);
	return -EINVAL;
}

static int tfrc_param_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%llu\n", tfrc_param_read(kp->arg));
}

const struct kernel_param_ops tfrc_param_ops = {
	.set = tfrc_param_set,
	.get = tfrc_param_get,
};
EXPORT_SYMBOL_GPL(tfrc_param_ops);
