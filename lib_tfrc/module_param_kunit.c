// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of presets, and of when a change of a module parameter is checked. The CCID here
 * has two parameters that must be in order.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <net/tfrc_ccid.h>
#include "kunit.h"

struct pair {
	u32	low;
	u32	high;
};

static bool pair_valid(const void *values)
{
	const struct pair *p = values;

	return p->low <= p->high;
}

static struct pair pair_values;

static const struct tfrc_params pair_params = {
	.size = sizeof(struct pair),
	.least = sizeof(struct pair),
	.values = &pair_values,
	.valid = pair_valid,
};

static const struct tfrc_sockopts pair_opts = { .params = { &pair_params } };

/* A CCID with a number that is not used */
static struct ccid_operations pair_ops = {
	.ccid_id	= 255,
	.ccid_name	= "pair",
	.ccid_owner	= THIS_MODULE,
};

/* A module that is being loaded. */
static struct module loading = { .state = MODULE_STATE_COMING };

static int set(size_t offset, const char *val)
{
	const struct tfrc_param par = {
		.params = &pair_params,
		.offset = offset,
		.width = sizeof(u32),
	};
	const struct kernel_param kp = {
		.mod = &loading,
		.ops = &tfrc_param_ops,
		.arg = (void *)&par,
	};

	return tfrc_param_ops.set(val, &kp);
}

static int set_low(const char *val)
{
	return set(offsetof(struct pair, low), val);
}

static int set_high(const char *val)
{
	return set(offsetof(struct pair, high), val);
}

/* On a command line parameters are set one after the other, and checked at the end. */
static void test_command_line(struct kunit *test)
{
	pair_values = (struct pair) { 1, 2 };
	KUNIT_EXPECT_EQ(test, set_low("10"), 0);
	KUNIT_EXPECT_EQ(test, pair_values.low, 10);
	KUNIT_EXPECT_EQ(test, tfrc_ccid_register(&pair_ops, &pair_opts),
			-EINVAL);
	/* that it was refused is no reason to check anything */
	KUNIT_EXPECT_EQ(test, set_low("11"), 0);
	KUNIT_EXPECT_EQ(test, set_high("20"), 0);
	KUNIT_ASSERT_EQ(test, tfrc_ccid_register(&pair_ops, &pair_opts), 0);
	tfrc_ccid_unregister(&pair_ops, &pair_opts);
}

/* The CCID is registered, the module not yet loaded. */
static void test_registered(struct kunit *test)
{
	pair_values = (struct pair) { 1, 2 };
	KUNIT_ASSERT_EQ(test, tfrc_ccid_register(&pair_ops, &pair_opts), 0);
	KUNIT_EXPECT_EQ(test, set_low("3"), -EINVAL);
	KUNIT_EXPECT_EQ(test, set_high("0"), -EINVAL);
	KUNIT_EXPECT_EQ(test, pair_values.low, 1);
	KUNIT_EXPECT_EQ(test, pair_values.high, 2);
	KUNIT_EXPECT_EQ(test, set_high("3"), 0);
	KUNIT_EXPECT_EQ(test, set_low("3"), 0);
	tfrc_ccid_unregister(&pair_ops, &pair_opts);

	/* loaded again, with other parameters */
	KUNIT_EXPECT_EQ(test, set_low("4"), 0);
}

static struct pair other_values;

static const struct tfrc_params other_params = {
	.size = sizeof(struct pair),
	.least = sizeof(struct pair),
	.values = &other_values,
	.valid = pair_valid,
};

/* A parameter of both halves is set in both, or in none. */
static void test_both(struct kunit *test)
{
	const struct tfrc_param other = {
		.params = &other_params,
		.offset = offsetof(struct pair, high),
		.width = sizeof(u32),
	};
	const struct tfrc_param par = {
		.params = &pair_params,
		.offset = offsetof(struct pair, high),
		.width = sizeof(u32),
		.other = &other,
	};
	const struct kernel_param kp = {
		.mod = &loading,
		.ops = &tfrc_param_ops,
		.arg = (void *)&par,
	};

	pair_values = (struct pair) { 1, 2 };
	other_values = (struct pair) { 1, 2 };
	KUNIT_ASSERT_EQ(test, tfrc_ccid_register(&pair_ops, &pair_opts), 0);
	KUNIT_EXPECT_EQ(test, tfrc_param_ops.set("5", &kp), 0);
	KUNIT_EXPECT_EQ(test, pair_values.high, 5);
	KUNIT_EXPECT_EQ(test, other_values.high, 5);
	KUNIT_EXPECT_EQ(test, tfrc_param_ops.set("0", &kp), -EINVAL);
	KUNIT_EXPECT_EQ(test, pair_values.high, 5);
	KUNIT_EXPECT_EQ(test, other_values.high, 5);
	tfrc_ccid_unregister(&pair_ops, &pair_opts);
}

/* A preset is the default with some changes, also by name, of this half alone. */
static void test_preset(struct kunit *test)
{
	static const struct pair defaults = { 1, 2 };
	static const struct tfrc_preset presets[] = {
		{ "default", "" },
		{ "wide", "high=0x10  other=7 low=none" },
		{ }
	};
	static const struct tfrc_param_name names[] = { { "none", 0 }, { } };
	static struct module mod;
	const struct tfrc_params half = {
		.size = sizeof(struct pair),
		.defaults = &defaults,
		.presets = presets,
		.owner = &mod,
	};
	const struct tfrc_param low = {
		.params = &half,
		.offset = offsetof(struct pair, low),
		.width = sizeof(u32),
		.names = names,
	};
	const struct tfrc_param high = {
		.params = &half,
		.offset = offsetof(struct pair, high),
		.width = sizeof(u32),
	};
	const struct tfrc_param other = {
		.params = &other_params,
		.width = sizeof(u32),
	};
	struct kernel_param kp[] = {
		{ .name = "lo", .ops = &tfrc_preset_ops },
		{ .name = "low", .ops = &tfrc_param_ops, .arg = (void *)&low },
		{ .name = "high", .ops = &tfrc_param_ops, .arg = (void *)&high },
		{ .name = "other", .ops = &tfrc_param_ops, .arg = (void *)&other },
	};
	struct pair values = { 8, 9 };

	mod.kp = kp;
	mod.num_kp = ARRAY_SIZE(kp);
	KUNIT_EXPECT_FALSE(test, tfrc_params_preset(&half, "wid", 3, &values));
	KUNIT_EXPECT_EQ(test, values.low, 8);
	KUNIT_EXPECT_TRUE(test, tfrc_params_preset(&half, "wide\n", 5, &values));
	KUNIT_EXPECT_EQ(test, values.low, 0);
	KUNIT_EXPECT_EQ(test, values.high, 16);
	KUNIT_EXPECT_STREQ(test, tfrc_params_preset_name(&half, &values), "wide");
	KUNIT_EXPECT_STREQ(test, tfrc_params_preset_name(&half, &defaults),
			   "default");
	values.high = 17;
	KUNIT_EXPECT_STREQ(test, tfrc_params_preset_name(&half, &values),
			   "custom");
}

static struct kunit_case module_param_cases[] = {
	KUNIT_CASE(test_command_line),
	KUNIT_CASE(test_registered),
	KUNIT_CASE(test_both),
	KUNIT_CASE(test_preset),
	{}
};

struct kunit_suite tfrc_module_param_suite = {
	.name = "tfrc_module_param",
	.test_cases = module_param_cases,
};
