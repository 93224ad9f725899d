/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parameters of a congestion control, described once.
 *
 * Each half-connection of a scheme has its parameters in one struct of
 * <linux/dccp_ccid.h>. A struct tfrc_params says which socket option takes that
 * struct, which values are in range, what new connections get, and which presets
 * there are. From this the library implements socket options before and during a
 * connection, structs of older and newer programs, presets, and module parameters.
 */
#ifndef _NET_TFRC_PARAMS_H
#define _NET_TFRC_PARAMS_H

#include <linux/moduleparam.h>
#include <linux/stddef.h>
#include <linux/stringify.h>
#include <linux/types.h>

struct ccid_operations;
struct dccp_ccid_rx_info;
struct dccp_ccid_tx_info;
struct list_head;
struct sock;

/* Size of the largest struct of parameters, bytes */
#define TFRC_PARAMS_MAX		256

/**
 * struct tfrc_preset - a name for the values of all parameters of a CCID
 * @name: less than DCCP_CCID_PRESET_LEN characters; NULL at the end of a table
 * @changes: what differs from the default, as module parameters: "beta=900 lag=0"
 */
struct tfrc_preset {
	const char	*name;
	const char	*changes;
};

/*
 * For a call: a short queue instead of the last percents of the link. At the rates of a
 * slow link a frame is one or two small packets, so beside TCP the call needs a nominal
 * size for its share.
 */
#define TFRC_PRESET_INTERACTIVE						\
	"target_delay=" __stringify(TFRC_DELAY_INTERACTIVE)		\
	" nominal_size=" __stringify(TFRC_NOMINAL_MAX)

/**
 * struct tfrc_params - the parameters of a half-connection
 * @optname: socket option that sets and reads them
 * @size: of the struct, bytes, at most TFRC_PARAMS_MAX
 * @least: size of the oldest version of the struct. Programs may be built with
 *	any version from that one on; members that a program's struct lacks at the
 *	end keep their values.
 * @values: parameters of new connections, in range; module parameters set them
 * @defaults: what @values are when the module is loaded
 * @presets: table of presets, the same for both half-connections
 * @owner: the module, whose parameters the presets change
 * @offset: of the struct in the CCID's private state
 * @valid: whether a struct of @size bytes is in range as a whole
 * @changed: called when the struct in @priv, the CCID's private state, has new
 *	values; NULL if nothing else depends on them. Returns 0, or -ENOMEM if it has
 *	changed nothing.
 */
struct tfrc_params {
	int				optname;
	unsigned int			size;
	unsigned int			least;
	void				*values;
	const void			*defaults;
	const struct tfrc_preset	*presets;
	const struct module		*owner;
	unsigned int			offset;
	bool	(*valid)(const void *values);
	int	(*changed)(void *priv);
};

/**
 * tfrc_param_values - define the parameters of new connections and their defaults
 * @half: prefix: @half_values and @half_defaults are defined
 * @type: struct of parameters
 *
 * An initializer follows, in braces.
 */
#define tfrc_param_values(half, type, ...)				\
static const struct type half##_defaults = __VA_ARGS__;			\
static struct type half##_values = __VA_ARGS__

/**
 * tfrc_half_params - define @scheme_@half_params, a struct tfrc_params
 * @scheme: prefix of @scheme_presets
 * @half: tx or rx. tfrc_param_values(@scheme_@half, ...), @scheme_@half_params_valid(),
 *	@scheme_@half_changed() and struct @scheme_hc_@half, the CCID's private state, must
 *	exist.
 * @option: socket option
 * @last: last member in the oldest version of the struct of parameters
 * @member: the member of the private state that is the struct of parameters
 */
#define tfrc_half_params(scheme, half, option, last, member)		\
const struct tfrc_params scheme##_##half##_params = {			\
	.optname = (option),						\
	.size = sizeof(scheme##_##half##_values),			\
	.least = offsetofend(typeof(scheme##_##half##_values), last),	\
	.values = &scheme##_##half##_values,				\
	.defaults = &scheme##_##half##_defaults,			\
	.presets = scheme##_presets,					\
	.owner = THIS_MODULE,						\
	.offset = offsetof(struct scheme##_hc_##half, member),		\
	.valid = scheme##_##half##_params_valid,			\
	.changed = scheme##_##half##_changed,				\
}

/* Most numbers in a list */
#define TFRC_LIST_MAX		16

/**
 * struct tfrc_list - a socket option that is a list of __u32
 * @optname: socket option; 0 at the end of a table
 * @valid: whether this list may be set; @size is in bytes, a multiple of 4. NULL if
 *	the option is read-only.
 * @set: take a valid list
 * @get: fill in the list, of up to TFRC_LIST_MAX numbers. Return: how many
 * @event: poll() reports a new value of it, until it is read
 */
struct tfrc_list {
	int	optname;
	bool	(*valid)(const u32 *list, size_t size);
	void	(*set)(struct sock *sk, const u32 *list, size_t size);
	u32	(*get)(const struct sock *sk, u32 *list);
	bool	event;
};

/**
 * struct tfrc_sockopts - all socket options of a CCID
 * @params: parameters of its half-connections; NULL behind them
 * @lists: lists, or NULL
 * @fill_tx: the scheme's part of DCCP_SOCKOPT_CCID_TX_INFO, or NULL
 * @fill_rx: the scheme's part of DCCP_SOCKOPT_CCID_RX_INFO, or NULL
 * @tx_info_event: poll() reports what the sender has news of (its member event), until
 *	DCCP_SOCKOPT_CCID_TX_INFO is read
 */
struct tfrc_sockopts {
	const struct tfrc_params	*params[3];
	const struct tfrc_list		*lists;
	void	(*fill_tx)(struct sock *sk, struct dccp_ccid_tx_info *info);
	void	(*fill_rx)(struct sock *sk, struct dccp_ccid_rx_info *info);
	bool	tx_info_event;
};

int tfrc_sockopt_check(const struct tfrc_sockopts *opts, int optname,
		       const void *val, unsigned int len);
int tfrc_sockopt_preview(const struct tfrc_sockopts *opts,
			 const struct list_head *kept, int optname, void *val);
int tfrc_sockopt_set(const struct tfrc_sockopts *opts, struct sock *sk,
		     int optname, const void *val, unsigned int len);
int tfrc_sockopt_get(const struct tfrc_sockopts *opts, struct sock *sk,
		     int optname, int len, u32 __user *optval,
		     int __user *optlen);

/**
 * TFRC_SOCKOPTS - define the functions for the hooks of socket options
 * @scheme: prefix of their names
 * @opts: the CCID's struct tfrc_sockopts
 */
#define TFRC_SOCKOPTS(scheme, opts)					\
static int scheme##_check_sockopt(int optname, const void *val,		\
				  unsigned int len)			\
{									\
	return tfrc_sockopt_check(&(opts), optname, val, len);		\
}									\
									\
static int scheme##_preview_sockopt(const struct list_head *kept,	\
				    int optname, void *val)		\
{									\
	return tfrc_sockopt_preview(&(opts), kept, optname, val);	\
}									\
									\
static int scheme##_setsockopt(struct sock *sk, int optname,		\
			       const void *val, unsigned int len)	\
{									\
	return tfrc_sockopt_set(&(opts), sk, optname, val, len);	\
}									\
									\
static int scheme##_getsockopt(struct sock *sk, const int optname,	\
			       int len, u32 __user *optval,		\
			       int __user *optlen)			\
{									\
	return tfrc_sockopt_get(&(opts), sk, optname, len, optval,	\
				optlen);				\
}

int tfrc_params_init(const struct tfrc_params *params, void *priv);

/* Called by module_param.c */
void tfrc_params_load(const struct tfrc_params *params, void *values);
void tfrc_params_store(const struct tfrc_params *params, const void *values);
bool tfrc_params_preset(const struct tfrc_params *params, const char *name,
			size_t len, void *values);
const char *tfrc_params_preset_name(const struct tfrc_params *params,
				    const void *values);

/* module_param.c */

/**
 * struct tfrc_param_name - name of a value
 * @name: accepted instead of the number; NULL at the end of a table
 * @value: the number
 */
struct tfrc_param_name {
	const char	*name;
	u32		value;
};

/**
 * struct tfrc_param - module parameter, an unsigned number of up to 32 bits
 * @params: the struct of which it is a member
 * @offset: of the member in the struct
 * @width: of the member, in bytes
 * @names: of values, or NULL
 * @other: the same parameter of the other half-connection, with the same range, which
 *	is set with this one; or NULL
 */
struct tfrc_param {
	const struct tfrc_params	*params;
	unsigned int			offset;
	unsigned int			width;
	const struct tfrc_param_name	*names;
	const struct tfrc_param		*other;
};

extern const struct kernel_param_ops tfrc_param_ops;
extern const struct kernel_param_ops tfrc_preset_ops;

void tfrc_params_change(const struct tfrc_params *params, const char *changes,
			void *values);

/* What a struct tfrc_param says of the member of @half_values, as of tfrc_half_params() */
#define TFRC_PARAM_MEMBER(half, member)					\
	.params = &half##_params,					\
	.offset = offsetof(typeof(half##_values), member),		\
	.width = sizeof_field(typeof(half##_values), member)

/**
 * tfrc_module_param - a module parameter for a member of a struct of parameters
 * @param: its name
 * @half: prefix of @half_params and @half_values
 * @member: the member of the struct
 * @table: names of values, or NULL
 * @text: description
 */
#define tfrc_module_param(param, half, member, table, text)		\
	module_param_cb(param, &tfrc_param_ops, (&(struct tfrc_param) {	\
		TFRC_PARAM_MEMBER(half, member),			\
		.names = (table),					\
	}), 0644);							\
	MODULE_PARM_DESC(param, text)

/* The same with the name of the member, and without names of values */
#define tfrc_param(half, member, text)					\
	tfrc_module_param(member, half, member, NULL, text)

/**
 * tfrc_module_param_both - a module parameter for a member of two structs of parameters
 * @param: its name
 * @half: prefix of @half_params and @half_values
 * @half2: likewise for the other half
 * @member: the member of both structs
 * @table: names of values, or NULL
 * @text: description
 */
#define tfrc_module_param_both(param, half, half2, member, table, text)	\
	module_param_cb(param, &tfrc_param_ops, (&(struct tfrc_param) {	\
		TFRC_PARAM_MEMBER(half, member),			\
		.names = (table),					\
		.other = &(struct tfrc_param) {				\
			TFRC_PARAM_MEMBER(half2, member),		\
		},							\
	}), 0644);							\
	MODULE_PARM_DESC(param, text)

/* Descriptions of parameters that several schemes have */
#define TFRC_TEXT_TARGET_DELAY						\
	"sender: queueing delay of the path to aim at; 0: the delay does not limit the rate (ms, 0 or 5 to 1000)"
#define TFRC_TEXT_NOMINAL_SIZE						\
	"sender: packet size in the throughput equation (RFC 4828); 0: the mean size of the packets (bytes, 0 to 1460)"
#define TFRC_TEXT_FRAME_RATE						\
	"sender: frames of the source in a second. The packets of a frame are spread over the time to the next frame; 0: they are not spread (1/s, 0 to 1000)"
#define TFRC_TEXT_L4S							\
	"sender: 1: send ECT(1), and reduce the rate in proportion to the ECN marks (RFC 9331), if the receiver takes part; 0: a mark counts as a loss"
#define TFRC_TEXT_LOSS_HISTORY						\
	"receiver: number of loss intervals from whose mean p follows (2 to 255)"
#define TFRC_TEXT_RECOVERY						\
	"receiver: 1: all packets that are lost before the sender can react to a loss event belong to this event; 0: those that are lost within R"

int tfrc_ccid_register(struct ccid_operations *ops,
		       const struct tfrc_sockopts *opts);
void tfrc_ccid_unregister(struct ccid_operations *ops,
			  const struct tfrc_sockopts *opts);

#endif /* _NET_TFRC_PARAMS_H */
