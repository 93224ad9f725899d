/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LTFRC_H
#define _LTFRC_H

#include <net/tfrc_rfc5348.h>
#include <uapi/linux/dccp_ccid.h>

/**
 * struct ltfrc - the equation of one end
 * @a: coefficients, scaled by DCCP_LTFRC_ONE
 * @k: enum dccp_ltfrc_class
 * @weight: the multiple, in 10^-3
 * @bounded: limit the rate to a multiple of that of TFRC's equation
 */
struct ltfrc {
	s32	a[4];
	u16	k;
	u16	weight;
	bool	bounded;
};

/**
 * struct ltfrc_sender - TFRC's sender with an equation
 * @tfrc: the sender
 * @lt: the equation
 */
struct ltfrc_sender {
	struct rfc5348_sender	tfrc;
	struct ltfrc		lt;
};

/**
 * struct ltfrc_receiver - TFRC's receiver with an equation
 * @tfrc: the receiver
 * @lt: the equation
 */
struct ltfrc_receiver {
	struct rfc5348_receiver	tfrc;
	struct ltfrc		lt;
};

bool ltfrc_equation_valid(const void *values);
bool ltfrc_tx_params_valid(const void *values);
bool ltfrc_rx_params_valid(const void *values);
void ltfrc_configure(struct ltfrc *lt, const struct dccp_ltfrc_equation *eq);

u64 ltfrc_window(const s32 a[4], u64 l);
u64 ltfrc_calc_x(const struct ltfrc *lt, u32 s, u64 rtt, u64 p);
u64 ltfrc_calc_p(const struct ltfrc *lt, u32 s, u64 rtt, u64 x);

#endif /* _LTFRC_H */
