#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write loss_intervals_kunit_table.h: loss event rates in exact fractions.

Follows the letter of RFC 5348, sections 5.4 and 5.5: arrays I, DF and w that
are indexed from 0, and a general discount factor DF. While fewer than n
intervals have ended, their number takes the place of n in the sums.

usage: loss_intervals_kunit_gen.py > loss_intervals_kunit_table.h
"""

from fractions import Fraction as F

P_ONE = 1 << 48
THRESHOLD = F(1, 4)
U32_MAX = (1 << 32) - 1


def weights(n):
    return [F(1) if i < F(n, 2) else F(2 * (n - i), n + 2) for i in range(n)]


class Intervals:
    def __init__(self, n):
        self.n, self.w = n, weights(n)
        self.closed, self.df = [], []       # I_1 ..., DF_1 ...

    def k(self):
        return len(self.closed)

    def sums(self):
        pairs = list(zip(self.w, self.df, self.closed))
        return sum(w * d * i for w, d, i in pairs), sum(w * d for w, d, _ in pairs)

    def general_df(self, i_0):
        tot, w = self.sums()
        mean = tot / w
        return max(2 * mean / i_0, THRESHOLD) if i_0 > 2 * mean else F(1)

    def end(self, i_0):
        if self.closed:
            df = self.general_df(i_0)
            self.df = [d * df for d in self.df]
        self.closed = ([i_0] + self.closed)[:self.n]
        self.df = ([F(1)] + self.df)[:self.n]

    def p(self, i_0):
        tot1, w1 = self.sums()
        df = self.general_df(i_0)
        tot0, w0 = F(i_0), F(1)
        for i in range(1, self.k()):
            weight = self.w[i] * self.df[i - 1] * df
            tot0 += self.closed[i - 1] * weight
            w0 += weight
        return min(w0 / tot0, w1 / tot1)


def cases():
    """what it is about, n, intervals in order of time, I_0 values"""
    for n in (2, 3, 8, 16, 128, 255):
        yield "equal intervals", n, [100] * n, [1, 99, 100, 101]
        yield "weights", n, [10 + 7 * i % 13 for i in range(n)], [1, 25]
        yield "more than n", n, [500] + [20 + i % 5 for i in range(n + 3)], [1, 30]
        yield "shrinking", n, [2000 - 7 * i for i in range(n)], [1, 100]
    yield "one interval", 8, [50], [1, 50, 51, 100, 101, 1000]
    yield "fewer than n", 8, [50, 70, 30], [1, 60, 90]
    yield "fewer than n", 255, [50, 70, 30], [1, 60, 90]
    # I_0 from twice the mean, where discounting begins, to where it ends
    yield "discount", 8, [100] * 8, [200, 201, 300, 400, 799, 800, 801, 5000]
    yield "discount", 2, [100] * 2, [200, 201, 400, 5000]
    yield "discount", 255, [100] * 255, [201, 400, 5000]
    # the discount of a long interval outlives it
    yield "kept discount", 8, [100] * 8 + [350], [1, 100, 600]
    yield "kept discount", 8, [100] * 8 + [350, 90], [1, 100, 600]
    yield "kept discount", 8, [100] * 8 + [350, 90, 900], [1, 100, 2000]
    yield "kept discount", 8, [10, 100, 1000, 10000, 100000], [1, 10**6]
    yield "kept discount", 255, [3] * 255 + [500] + [4] * 5 + [700], [1, 2000]
    # nothing overflows
    yield "longest", 8, [U32_MAX] * 8, [1, U32_MAX]
    yield "longest", 255, [U32_MAX] * 255, [1, U32_MAX]
    # a mean near the greatest: I_0 is less than twice that, so nothing is discounted
    yield "longest, then short", 255, [1] * 60 + [U32_MAX] * 195, [U32_MAX]
    yield "shortest", 255, [1] * 255, [1]
    yield "shortest", 8, [1] * 8, [U32_MAX]


def main():
    rows, lengths = [], []
    for about, n, intervals, opens in cases():
        li = Intervals(n)
        for length in intervals:
            li.end(length)
        first = len(lengths)
        lengths += intervals
        for i_0 in opens:
            rows.append((about, n, first, len(intervals), i_0,
                         round(li.p(i_0) * P_ONE)))

    print("/* SPDX-License-Identifier: GPL-2.0-only */")
    print("/* Written by loss_intervals_kunit_gen.py. */")
    print("static const u32 interval_lengths[] = {")
    for i in range(0, len(lengths), 8):
        line = ", ".join("%dU" % n for n in lengths[i:i + 8])
        print("\t" + line + ",")
    print("};")
    print()
    print("static const struct interval_row interval_table[] = {")
    print("\t/* about, n, first length, number of lengths, I_0, p */")
    for row in rows:
        print('\t{ "%s", %d, %d, %d, %dU, %dULL },' % row)
    print("};")


if __name__ == "__main__":
    main()
