#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write ltfrc_kunit_table.h: the equations of L-TFRC, exact.

Eq. 3 and Padhye's equation are evaluated as printed, by mpmath with 40 digits.
Integers only are rounded: p is the integer that the kernel works with.

usage: ltfrc_kunit_gen.py > ltfrc_kunit_table.h
"""

from mpmath import e, ln, mp, mpf, nint, sqrt

mp.dps = 40

P_ONE = 1 << 48
P_MIN = P_ONE // 10**9
RATE = 1 << 16
RATE_MAX = 200 * 10**9 // 8 * RATE

# k, bounded, weight, coefficients of eq. 3
EQUATIONS = [(k, b, w, (mpf(-k) / 4, mpf(-k) / 2, 0, 0))
             for k, b, w in ((8, 0, 2000), (11, 0, 2000), (15, 0, 2000),
                             (8, 1, 1000), (11, 1, 1500), (15, 1, 500))]
# A polynomial of third order; with l = -ln p: 1 + l/2 - l^2/16 + l^3/256.
EQUATIONS.append((0, 0, 2000, (mpf(1), mpf(-1) / 2, mpf(-1) / 16, mpf(-1) / 256)))

PERCENT = (60, 55, 50, 40, 30, 20, 15, 10, 7, 5, 3, 2, 1)


def padhye(s, rtt, p):
    """RFC 5348, 3.1, b = 1, t_RTO = 4 R; no rate is above RATE_MAX"""
    x = s / (rtt * (sqrt(2 * p / 3) +
                    4 * 3 * sqrt(3 * p / 8) * p * (1 + 32 * p**2)))
    return min(x, mpf(RATE_MAX) / RATE)


def calc_x(k, bounded, weight, a, s, rtt, p):
    x = s / rtt * sum(c * ln(p)**i for i, c in enumerate(a))
    if bounded or k == 11:
        x = min(x, mpf(weight) / 1000 * padhye(s, rtt, p))
    x = max(x, mpf(s) / 64)
    return min(int(nint(x * RATE)), RATE_MAX)


def main():
    parts = [P_MIN]
    for decade in range(-9, -2):
        for step in ("1.3", "2", "4", "7"):
            parts.append(int(nint(mpf(step) * mpf(10)**decade * P_ONE)))
    parts += [int(nint(mpf(c) / 100 * P_ONE)) for c in reversed(PERCENT)]
    zero = int(nint(P_ONE / sqrt(e)))
    parts += [zero, zero + P_ONE // 1000, P_ONE]

    print("/* SPDX-License-Identifier: GPL-2.0-only */")
    print("/* Written by ltfrc_kunit_gen.py. */")
    print("static const struct dccp_ltfrc_equation ltfrc_equations[] = {")
    for k, bounded, weight, a in EQUATIONS:
        given = [int(nint(c * 65536)) if not k else 0 for c in a]
        print("\t{ .k = %d, .bounded = %d, .weight = %d, .a = { %s } }," %
              (k, bounded, weight, ", ".join(map(str, given))))
    print("};")
    print()
    print("static const struct ltfrc_row ltfrc_table[] = {")
    print("\t/* equation, s, R in ns, p, X(p) */")
    for i, eq in enumerate(EQUATIONS):
        for p in parts:
            for s, rtt in ((1000, 10**8), (65535, 10**5), (1, 10**9)):
                x = calc_x(*eq, s, mpf(rtt) / 10**9, mpf(p) / P_ONE)
                print("\t{ %d, %d, %dULL, %dULL, %dULL }," % (i, s, rtt, p, x))
    print("};")


if __name__ == "__main__":
    main()
