#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write fixp_kunit_table.h: exact logarithms, exponentials and square roots.

Arguments are the integers that the kernel works with. The logarithms and roots
have more fractional bits than the kernel's, so that its rounding can be seen:
2^40 where it has 2^32, and 2^55 where it has 2^48.

usage: fixp_kunit_gen.py > fixp_kunit_table.h
"""

from mpmath import exp, log, mp, mpf, nint, sqrt

mp.dps = 40

ONE = 1 << 48
U64_MAX = (1 << 64) - 1


def arguments():
    """1 to 2^64 - 1: both sides of each power of two, and between"""
    found = set()
    for bit in range(64):
        for x in ((1 << bit) - 1, 1 << bit,
                  int(mpf(2)**bit * sqrt(2))):
            found.add(x)
    found |= {ONE * 9 // 10, ONE * 11 // 10, ONE // 10**9, U64_MAX}
    return sorted(x for x in found if 0 < x <= U64_MAX)


def table(name, comment, rows, form):
    print("\nstatic const struct %s_row %s_table[] = {" % (name, name))
    print("\t/* %s */" % comment)
    for row in rows:
        print("\t{ " + form % row + " },")
    print("};")


def main():
    print("/* SPDX-License-Identifier: GPL-2.0-only */")
    print("/* Written by fixp_kunit_gen.py. */")

    table("root", "x * 2^48, ln(x) * 2^40, sqrt(x) * 2^55",
          [(x, int(nint(log(mpf(x) / ONE) * 2**40)),
            int(nint(sqrt(mpf(x) / ONE) * 2**55))) for x in arguments()],
          "%dULL, %dLL, %dULL")

    # fifths from where the result is 0 to where it is too great
    y = [int(nint(mpf(i) / 5 * 2**32)) for i in range(-172, 56)]
    y += [int(log(2) * i * 2**32) + d for i in range(-49, 16) for d in (0, 1)]
    table("exp", "y * 2^32, exp(y) * 2^48",
          [(i, int(nint(exp(mpf(i) / 2**32) * ONE))) for i in sorted(y)],
          "%dLL, %dULL")


if __name__ == "__main__":
    main()
