/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LTFRC_H
#define _LTFRC_H

#include <net/tfrc.h>
#include <uapi/linux/dccp_ccid.h>

/**
 * struct ltfrc - the equation of one end
 * @eq: as it was set
 * @a: coefficients that follow from it, scaled by DCCP_LTFRC_ONE
 * @bounded: hold the rate to a multiple of that of TFRC's equation
 */
struct ltfrc {
	struct dccp_ltfrc_equation	eq;
	s32				a[4];
	bool				bounded;
};

bool ltfrc_equation_valid(const void *values);
void ltfrc_configure(struct ltfrc *lt, const struct dccp_ltfrc_equation *eq);

u64 ltfrc_window(const s32 a[4], u64 l);
u64 ltfrc_calc_x(void *priv, u32 s, u64 rtt, u64 p);
u64 ltfrc_calc_p(void *priv, u32 s, u64 rtt, u64 x);

#endif /* _LTFRC_H */
