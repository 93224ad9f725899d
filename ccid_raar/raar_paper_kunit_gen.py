#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Print test tables for the RAAR receiver, computed from the paper alone.

Written from the paper "RAAR: A TCP-friendly Congestion Control Mechanism of
Transporting Multimedia Traffic in Internet" (Hu, Zhang, Tu) and not from the kernel
code, so that the two do not share a misreading.

Increase (section III.B.1, equations 1 and 2): after the end of slow start,
each data packet without a loss event does

    rate += (alpha * delta / wnd) * s / R,   alpha = 4 (1 - beta^2) / 3

The increase comes from the exact alpha, not from the rounded column.

Smoothing (section III.B.4, two equations without a number): the weighted
mean of the last n raw rates, r(1) the latest, with the weights

    w(i) = 1                               for i <= n/2
    w(i) = 1 - (i - n/2) / (n/2 + 1)       for n/2 < i <= n

n/2 is not rounded.  If fewer than n rates are known, the sums run over
those only; n in the weights stays the same.

All arithmetic is exact (fractions).  A row whose exact result lies half way
between two integers is drawn again, so that the rule for ties has no effect.
The output is the same in each run: random.Random(1).
"""

import random
from fractions import Fraction

INCREASES = 100
SMOOTHED = 60
RAW_MAX = 20
U32_MAX = 2**32 - 1


class Tie(Exception):
    """The exact value lies half way between two integers."""


def nearest(x):
    """Round a fraction >= 0 to the nearest integer; refuse a tie."""
    low, rest = divmod(x.numerator, x.denominator)
    if 2 * rest == x.denominator:
        raise Tie
    return low + (2 * rest > x.denominator)


def alpha(beta):
    """Equation 1."""
    return Fraction(4, 3) * (1 - beta * beta)


def increase(beta, delta, wnd, s, rtt):
    """Equation 2: what one packet adds, in bytes/s (rtt in seconds)."""
    return alpha(beta) * delta / wnd * s / rtt


def weight(i, n):
    """Weight of the i-th latest rate, i from 1."""
    half = Fraction(n, 2)
    if i <= half:
        return Fraction(1)
    return 1 - (i - half) / (half + 1)


def smoothed(n, raw):
    """Weighted mean of the last n of raw, the oldest first in raw."""
    latest = raw[::-1][:n]
    w = [weight(i, n) for i in range(1, len(latest) + 1)]
    return sum(a * b for a, b in zip(w, latest)) / sum(w)


def log_uniform(rng, low, high):
    """An integer from low to high, each magnitude about as frequent."""
    bits = rng.randint(low.bit_length(), high.bit_length())
    return rng.randint(max(low, 1 << (bits - 1)), min(high, (1 << bits) - 1))


def increase_row(beta, delta, wnd, s, rtt_us):
    b = Fraction(beta, 1000)
    inc = increase(b, Fraction(delta, 1000), wnd, s,
                   Fraction(rtt_us, 1000000))
    return (beta, delta, wnd, s, rtt_us,
            nearest(alpha(b) * 10**9), nearest(inc * 1000))


def increase_rows(rng):
    fixed = [
        # the paper's beta and delta, its packets of 1000 bytes
        (875, 167, 1, 1000, 100000),
        (875, 167, 9, 1000, 100000),
        (875, 167, 37, 1000, 120000),
        (875, 167, 5000, 1460, 1000),
        (875, 200, 20, 1000, 90000),
        (875, 100, 20, 1000, 90001),
        # TCP's beta: alpha is 1
        (500, 1000, 7, 1000, 50000),
        # the ends of the ranges: the largest, then the smallest increase
        (1, 1000, 1, 1500, 10),
        (999, 1, 5000, 1, 10000000),
        (999, 1000, 1, 1500, 10),
        (1, 1, 5000, 1, 10000000),
        (1, 1000, 5000, 1500, 10),
        (1, 1000, 1, 1500, 10000000),
        (999, 1, 1, 1500, 10000000),
    ]
    rows = [increase_row(*f) for f in fixed]
    while len(rows) < INCREASES:
        k = len(rows) % 4
        if k == 0:      # all parts, each magnitude
            f = (rng.randint(1, 999), rng.randint(1, 1000),
                 log_uniform(rng, 1, 5000), log_uniform(rng, 1, 1500),
                 log_uniform(rng, 10, 10000000))
        elif k == 1:    # evenly over the ranges
            f = (rng.randint(1, 999), rng.randint(1, 1000),
                 rng.randint(1, 5000), rng.randint(1, 1500),
                 rng.randint(10, 10000000))
        elif k == 2:    # the paper's parameters on various paths
            f = (875, 167, log_uniform(rng, 1, 5000),
                 rng.randint(1, 1500), log_uniform(rng, 10, 10000000))
        else:           # mild cuts and usual paths
            f = (rng.randint(500, 999), rng.randint(100, 200),
                 rng.randint(1, 200), rng.randint(100, 1500),
                 rng.randint(1000, 500000))
        try:
            rows.append(increase_row(*f))
        except Tie:
            pass
    return rows


def smoothed_row(n, raw):
    return (n, len(raw), raw, nearest(smoothed(n, raw)))


def smoothed_rows(rng):
    fixed = [
        (1, [12345]),
        (1, [U32_MAX, 1]),
        (2, [1, U32_MAX]),
        (8, [U32_MAX]),
        (8, [U32_MAX] * 8),
        (16, [U32_MAX] * RAW_MAX),
        (8, [0] * 8),
        # one rate differs: its weight is seen alone
        (8, [1000000] + [0] * 7),
        (8, [0] * 7 + [1000000]),
        (8, [0] * 3 + [1000000] + [0] * 4),
        (7, [0] * 3 + [1000000] + [0] * 3),
        (5, [0] * 2 + [1000000] + [0] * 2),
        # the rates before the last n have no weight
        (8, [U32_MAX] * 12 + [1000] * 8),
        (7, [U32_MAX] * 13 + [1000] * 7),
    ]
    rows = [smoothed_row(*f) for f in fixed]
    # each n, with fewer than n rates, just n, and more
    turn = 0
    while len(rows) < SMOOTHED:
        n = turn % 16 + 1
        kind = turn // 16
        if kind == 0:
            known = n
        elif kind == 1:
            known = rng.randint(1, max(1, n - 1))
        else:
            known = rng.randint(min(n + 1, RAW_MAX), RAW_MAX)
        if rng.randrange(2):
            raw = [log_uniform(rng, 1, U32_MAX) for _ in range(known)]
        else:
            middle = rng.randint(1000, 100000000)
            raw = [rng.randint(middle // 2, middle * 2) for _ in range(known)]
        try:
            rows.append(smoothed_row(n, raw))
            turn += 1
        except Tie:
            pass
    return rows


def raw_list(raw):
    """The rates as C text, four in a line."""
    lines = [", ".join("%dU" % r for r in raw[i:i + 4])
             for i in range(0, len(raw), 4)]
    return ",\n\t    ".join(lines)


def main():
    rng = random.Random(1)
    print("/* SPDX-License-Identifier: GPL-2.0-only */")
    print("/* Written by raar_paper_kunit_gen.py. */")
    print("static const struct {")
    print("\tu16 beta, delta;\t/* in 10^-3 */")
    print("\tu32 wnd, s, rtt_us;\t/* packets in the last round, bytes, R */")
    print("\tu64 alpha_ppb;\t\t/* alpha in 10^-9, rounded to nearest */")
    print("\tu64 increase_milli;\t/* what ONE packet adds, in 10^-3 bytes/s,"
          " rounded to nearest */")
    print("} reader_increases[] = {")
    for row in increase_rows(rng):
        print("\t{ %d, %d, %d, %d, %d, %dULL, %dULL }," % row)
    print("};")
    print()
    print("static const struct {")
    print("\tu8 n;\t\t\t/* values averaged, 1 to 16 */")
    print("\tu8 known;\t\t/* raw rates that there are, 1 to 20;"
          " the last n of them count */")
    print("\tu32 raw[20];\t\t/* bytes/s, the oldest first */")
    print("\tu32 smoothed;\t\t/* bytes/s, rounded to nearest */")
    print("} reader_smoothed[] = {")
    for n, known, raw, mean in smoothed_rows(rng):
        print("\t{ %d, %d,\n\t  { %s },\n\t  %dU },"
              % (n, known, raw_list(raw), mean))
    print("};")


if __name__ == "__main__":
    main()
