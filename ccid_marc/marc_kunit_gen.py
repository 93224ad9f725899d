#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write marc_kunit_table.h: values of MARC's equations, computed from the paper.

Token values and their decay by eq. 4 to 7 and section 4.1 ("tokens should decay with
time"), and M by eq. 10, in exact fractions or by mpmath with 40 digits. Only what is
printed is rounded.

usage: marc_kunit_gen.py > marc_kunit_table.h
"""

from fractions import Fraction
from math import floor

from mpmath import mp, mpf, nint

mp.dps = 40

MS = 10**6


def decay():
    """beta^(I / R), scaled by 2^48, of beta in 10^-3 and times in ns"""
    for beta in 1, 500, 800, 900, 950, 999, 1000:
        for interval, rtt in ((100 * MS, 100 * MS), (50 * MS, 100 * MS), (1, 10000),
                              (250 * MS, 100 * MS), (4400 * MS, 100 * MS),
                              (3600000 * MS, 100 * MS), (10000 * MS, 10000 * MS),
                              (86400000 * MS, 10000)):
            power = (mpf(beta) / 1000) ** (mpf(interval) / rtt)
            yield f"{{ {beta}, {interval}ULL, {rtt}ULL, {int(nint(power * 2**48))}ULL }}"


def accumulation():
    """Eq. 6: T_n of A = 15 KB/s with a = 0.15, I = 100 ms, beta = 0.9"""
    rate, use, interval, beta = 15000, Fraction(15, 100), Fraction(1, 10), Fraction(9, 10)
    for n in 1, 2, 3, 10, 44, 200:
        tokens = (rate / use - rate) * interval * (1 - beta**n) / (1 - beta)
        yield f"{{ {n}, {floor(tokens)} }}"


def exhaustion():
    """Eq. 10: the first M, for beta and a in 10^-3"""
    for beta in 500, 600, 700, 800, 850, 900, 950:
        for use in 100, 150, 300, 450, 750:
            b, a, m = Fraction(beta, 1000), Fraction(use, 1000), 0
            while (1 / a - 1) * b**m / (1 - b) >= 1:
                m += 1
            yield f"{{ {beta}, {use}, {m} }}"


def table(what, name, rows):
    print("\nstatic const struct {")
    for member in what:
        print(f"\t{member};")
    print(f"}} {name}[] = {{")
    for row in rows:
        print(f"\t{row},")
    print("};")


print("/* SPDX-License-Identifier: GPL-2.0-only */")
print("/* Written by marc_kunit_gen.py. */")
table(("u16 beta", "u64 interval, rtt, left"), "marc_decays", decay())
table(("u32 n, tokens",), "marc_accumulations", accumulation())
table(("u16 beta, a", "u32 m"), "marc_exhaustions", exhaustion())
