#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write lda_kunit_table.h: eq. 9 to 13, 16 and 17 of LDA+, exact.

The equations are evaluated as the paper prints them, by mpmath with 40 digits.
Rates are in bytes/s times 2^16, as in the kernel, and rounded down.

usage: lda_kunit_gen.py > lda_kunit_table.h
"""

from mpmath import exp, floor, mp, mpf, sqrt

mp.dps = 40

RATE = 1 << 16
RATE_MAX = 200 * 10**9 // 8 * RATE
SECOND = 10**9


def rate(x):
    return min(int(floor(max(x, 0) * RATE)), RATE_MAX)


def a_add(a, r, bottleneck):
    return a + (1 - r / bottleneck) * a


def a_exp(r, bottleneck):
    return (1 - exp(-(1 - r / bottleneck))) * r


def a_tcp(m, t, tau):
    p = (t / tau + 1) * (t / tau) / 2       # eq. 12
    return m * p / t


def r_tcp(m, rtt, t_out, loss):
    d = 1
    return m / (rtt * sqrt(2 * d * loss / 3) +
                t_out * min(1, 3 * sqrt(3 * d * loss / 8)) * loss *
                (1 + 32 * loss**2))


def main():
    print("/* SPDX-License-Identifier: GPL-2.0-only */")
    print("/* Written by lda_kunit_gen.py. */")
    print("static const struct lda_rate_row lda_rate_table[] = {")
    print("\t/* A, r, R_b, A_add, A_exp; bytes/s, and times 2^16 */")
    for a in 1250, 100000, 10**8:
        for bottleneck in 4000, 1250000, 12500000000:
            for part in ("1e-6", "0.1", "0.5", "0.9", "0.999999", "1", "1.5", "2", "3"):
                r = int(mpf(part) * bottleneck)
                print("\t{ %d, %d, %d, %dULL, %dULL }," %
                      (a, r, bottleneck, rate(a_add(mpf(a), r, bottleneck)),
                       rate(a_exp(mpf(r), bottleneck))))
    print("};\n")

    print("static const struct lda_tcp_row lda_tcp_table[] = {")
    print("\t/* M, T and tau in ns, A_TCP */")
    for m in 1, 100, 1250, 65535:
        for t in SECOND // 10, 5 * SECOND, 60 * SECOND:
            for tau in 10**4, 4 * 10**7, 4 * 10**8, 10**10:
                print("\t{ %d, %dULL, %dULL, %dULL }," %
                      (m, t, tau, rate(a_tcp(mpf(m), mpf(t) / SECOND,
                                             mpf(tau) / SECOND))))
    print("};\n")

    print("static const struct lda_loss_row lda_loss_table[] = {")
    print("\t/* M, RTT and t_out in ns, l times 2^32, r_TCP; r (1 - sqrt l) of 10^6 */")
    losses = [1, 43, 4295, 429497]
    losses += [int(mpf(c) * 2**32) for c in ("0.001", "0.01", "0.05", "0.1", "0.25",
                                             "0.2962", "0.2963", "0.5", "0.9")]
    losses.append(2**32 - 1)
    for m, rtt in ((1, 10**10), (100, 4 * 10**7), (1000, 4 * 10**8), (65535, 10**4)):
        for t_out in rtt, 5 * rtt:
            for loss in losses:
                share = mpf(loss) / 2**32
                x = r_tcp(mpf(m), mpf(rtt) / SECOND, mpf(t_out) / SECOND, share)
                print("\t{ %d, %dULL, %dULL, %dU, %dULL, %dULL }," %
                      (m, rtt, t_out, loss, rate(x), rate(10**6 * (1 - sqrt(share)))))
    print("};")


if __name__ == "__main__":
    main()
