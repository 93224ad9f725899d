#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write equation_kunit_table.h: the throughput equation and its inverse, exact.

The equation is evaluated as RFC 5348, section 3.1, prints it, with b = 1 and
t_RTO = 4 R, by mpmath with 40 digits. Integers only are rounded: p is the
integer that the kernel works with, and the inverse is that of the rounded X.

usage: equation_kunit_gen.py > equation_kunit_table.h
"""

from mpmath import findroot, mp, mpf, nint, sqrt

mp.dps = 40

P_ONE = 1 << 48
RATE = 1 << 16
X_TOP = 100 * 10**9 // 8 * RATE     # 100 Gbit/s
P_MIN = P_ONE // 10**9


def f(p):
    """s / (R * X)"""
    t_rto = 4
    return sqrt(2 * p / 3) + t_rto * 3 * sqrt(3 * p / 8) * p * (1 + 32 * p**2)


def calc_x(s, rtt, p):
    return int(nint(s * RATE / (mpf(rtt) / 10**9 * f(mpf(p) / P_ONE))))


def calc_p(s, rtt, x, near):
    """p in [10^-9, 1] for which the equation gives x"""
    target = s * RATE / (mpf(rtt) / 10**9 * x)
    if target >= f(mpf(1)):
        return P_ONE
    root = findroot(lambda q: f(q * q) - target, sqrt(mpf(near) / P_ONE))
    return max(int(nint(root * root * P_ONE)), P_MIN)


def main():
    rows = []
    for decade in range(-9, 1):
        for step in ("1", "1.7", "3", "5.5") if decade else ("1",):
            p = max(int(nint(mpf(step) * mpf(10)**decade * P_ONE)), P_MIN)
            for rtt in 10**5, 10**6, 10**8, 10**10:
                for s in 1, 1000, 65535:
                    x = calc_x(s, rtt, p)
                    if x <= X_TOP:
                        rows.append((decade, s, rtt, p, x,
                                     calc_p(s, rtt, x, p)))

    print("/* SPDX-License-Identifier: GPL-2.0-only */")
    print("/* Written by equation_kunit_gen.py. */")
    print("static const struct equation_row equation_table[] = {")
    print("\t/* decade of p, s, R in ns, p, X(p), p(X) */")
    for row in rows:
        print("\t{ %d, %d, %dULL, %dULL, %dULL, %dULL }," % row)
    print("};")


if __name__ == "__main__":
    main()
