/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parameters of a congestion control, described once.
 *
 * Each half-connection of a scheme has its parameters in one struct of
 * <linux/dccp_ccid.h>. A struct tfrc_params says which socket option takes that
 * struct, what is in range, what new connections get, and which presets there
 * are. Everything that a user does with parameters follows from it: socket
 * options before and during a connection, structs of older and newer programs,
 * presets, module parameters.
 */
#ifndef _NET_TFRC_PARAMS_H
#define _NET_TFRC_PARAMS_H

#include <linux/moduleparam.h>
#include <linux/stddef.h>
#include <linux/types.h>

struct ccid_operations;
struct sock;

/* Largest struct of parameters, bytes. */
#define TFRC_PARAMS_MAX		256

/**
 * struct tfrc_preset - a name for the values of all parameters of a half
 * @name: less than DCCP_CCID_PRESET_LEN characters; NULL at the end of a table
 * @values: struct of parameters, in range
 */
struct tfrc_preset {
	const char	*name;
	const void	*values;
};

/**
 * struct tfrc_params - the parameters of a half-connection
 * @optname: socket option that sets and reads them
 * @size: of the struct, bytes, at most TFRC_PARAMS_MAX
 * @least: size of the oldest version of the struct. Programs may be built with
 *	any version between; what theirs lacks at the end stays as it is.
 * @values: parameters of new connections, in range; module parameters set them
 * @presets: table of presets
 * @valid: is this struct of @size bytes in range as a whole?
 * @apply: take a valid struct; @priv is the CCID's private state
 * @read: what is in force
 */
struct tfrc_params {
	int				optname;
	unsigned int			size;
	unsigned int			least;
	void				*values;
	const struct tfrc_preset	*presets;
	bool	(*valid)(const void *values);
	void	(*apply)(void *priv, const void *values);
	void	(*read)(const void *priv, void *values);
};

/*
 * The hooks of a CCID for socket options. @all is its table of parameters, with
 * NULL at the end.
 */
int tfrc_params_check(const struct tfrc_params *const *all, int optname,
		      const void *val, unsigned int len);
int tfrc_params_set(const struct tfrc_params *const *all, struct sock *sk,
		    int optname, const void *val, unsigned int len);
int tfrc_params_get(const struct tfrc_params *const *all, struct sock *sk,
		    int optname, int len, u32 __user *optval,
		    int __user *optlen);
int tfrc_params_preview(const struct tfrc_params *const *all,
			const struct list_head *kept, int optname, void *val);
void tfrc_params_init(const struct tfrc_params *params, void *priv);

/* What module parameters need of it. */
void tfrc_params_load(const struct tfrc_params *params, void *values);
void tfrc_params_store(const struct tfrc_params *params, const void *values);
const struct tfrc_preset *tfrc_params_preset(const struct tfrc_params *params,
					     const char *name, size_t len);
const char *tfrc_params_preset_name(const struct tfrc_params *params,
				    const void *values);

/* module_param.c */

/**
 * struct tfrc_param_name - name of a value
 * @name: accepted in the place of the number; NULL at the end of a table
 * @value: the number
 */
struct tfrc_param_name {
	const char	*name;
	u32		value;
};

/**
 * struct tfrc_param - module parameter of up to 32 bits without sign
 * @params: the struct that it is a member of
 * @offset: in it
 * @width: of the member, in bytes
 * @names: of values, or NULL
 */
struct tfrc_param {
	const struct tfrc_params	*params;
	unsigned int			offset;
	unsigned int			width;
	const struct tfrc_param_name	*names;
};

extern const struct kernel_param_ops tfrc_param_ops;
extern const struct kernel_param_ops tfrc_preset_ops;

/**
 * tfrc_module_param - a module parameter for a member of a struct of parameters
 * @param: its name
 * @all: struct tfrc_params
 * @type: of the struct
 * @member: of it
 * @table: names of values, or NULL
 * @text: description
 */
#define tfrc_module_param(param, all, type, member, table, text)	\
	module_param_cb(param, &tfrc_param_ops, (&(struct tfrc_param) {	\
		.params = &(all),					\
		.offset = offsetof(type, member),			\
		.width = sizeof_field(type, member),			\
		.names = (table),					\
	}), 0644);							\
	MODULE_PARM_DESC(param, text)

/**
 * tfrc_module_presets - the module parameter "preset"
 * @all: the CCID's table of parameters
 */
#define tfrc_module_presets(all)					\
	module_param_cb(preset, &tfrc_preset_ops, (void *)(all), 0644);	\
	MODULE_PARM_DESC(preset, "sets all parameters: default, paper, ...")

int tfrc_ccid_register(struct ccid_operations *ops,
		       const struct tfrc_params *const *all);
void tfrc_ccid_unregister(struct ccid_operations *ops,
			  const struct tfrc_params *const *all);

#endif /* _NET_TFRC_PARAMS_H */
