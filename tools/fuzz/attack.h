/* SPDX-License-Identifier: GPL-2.0-only */
/* The attack on one connection. */
#ifndef FUZZ_ATTACK_H
#define FUZZ_ATTACK_H

#include "peer.h"

extern u8 ccids[8];
extern int n_ccids;
extern u64 number;	/* of the packet */

void attack(struct conn *c);

#endif
