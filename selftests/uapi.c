// SPDX-License-Identifier: GPL-2.0-only
/*
 * <linux/dccp_ccid.h> is the same for programs of 32 and of 64 bits.
 *
 * This is so if no struct has a hole or ends in padding (-Wpadded), and if its size is
 * the sum of its members. The sizes below are these sums, computed by hand from the
 * header. The kernel tells versions of a struct apart by the size that a program passes
 * to getsockopt() and setsockopt(). When a struct grows at its end, change its line.
 *
 * The compiler checks all of this; lab/check compiles the file for both.
 */
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wpadded"
#include <linux/dccp_ccid.h>
#pragma GCC diagnostic pop

#define SIZE(type, size) \
	_Static_assert(sizeof(struct type) == (size), "size of struct " #type)
#define OFFSET(type, member, offset) \
	_Static_assert(__builtin_offsetof(struct type, member) == (offset), \
		       "place of " #member " in struct " #type)

/* The states of the schemes share 16 __u64. */
SIZE(dccp_ccid_tx_info,		144 + 16 * 8);
SIZE(dccp_ccid_rx_info,		72 + 16 * 8);
/* The members of CCID 3's structs (36 and 12 bytes) come first. */
OFFSET(dccp_ccid_tx_info, ccid,	36);
OFFSET(dccp_ccid_tx_info, marc,	144);
OFFSET(dccp_ccid_rx_info, ccid,	12);
OFFSET(dccp_ccid_rx_info, raar,	72);

SIZE(dccp_marc_tx_params,	3 * 2 + 4 + 5 * 2 + 2);
SIZE(dccp_marc_rx_params,	4 + 4);
SIZE(dccp_raar_tx_params,	3 * 2 + 2);
SIZE(dccp_raar_rx_params,	4 * 2 + 4 + 4 + 2 + 2);
SIZE(dccp_ltfrc_equation,	2 * 2 + 4 + 4 * 4);
SIZE(dccp_ltfrc_tx_params,	24 + 2 * 2);
SIZE(dccp_ltfrc_rx_params,	4 + 24 + 4);
SIZE(dccp_dvrc_tx_params,	2 * 2 + 2 + 2 * 2);
SIZE(dccp_dvrc_rx_params,	5 * 2 + 2 + 5 * 2 + 2 + 2);
SIZE(dccp_ctfaf_constraints,	11 * 4 + 4 + 2 + 6 + 2 * 2);
SIZE(dccp_ctfaf_rx_params,	4);

#if __STDC_HOSTED__
#include <stdio.h>

int main(void)
{
	puts("TAP version 13\n1..1\n"
	     "ok 1 the structs of <linux/dccp_ccid.h> have no holes, and the sizes that they should have");
	return 0;
}
#endif
