# SPDX-License-Identifier: GPL-2.0-only
"""Error of the throughput equation by decade of p: lib_tfrc beside CCID 3.

Both are compiled for the host, from the files that the kernel modules are made of. They get
the same s, R and p, in their own units; p is a multiple of 10^-6 where that is not below the
10^-4 from which CCID 3 knows it. Exact values are those of RFC 5348, 3.1 (b = 1, t_RTO =
4 R), which in double precision has an error below 10^-14. A value is the greatest relative
error in the decade. The run fails if lib_tfrc is more than 0.1 % off.
"""

import ctypes
import functools
import math
import os

from labkit import Experiment, host, matrix, runner
from labkit.experiment import TOP

SOURCE = os.path.join(runner.CACHE, "linux/6.12/source")
OURS = [os.path.join(TOP, "lib_tfrc", name) for name in ("fixp.c", "equation.c")]
CCID3 = os.path.join(SOURCE, "net/dccp/ccids/lib/tfrc_equation.c")
# Of its headers CCID 3 needs tfrc.h only: the others are kept out.
CCID3_FLAGS = ["-D_DCCP_H", "-D_DCCP_LI_HIST_", "-D_DCCP_PKT_HIST_", "-DBUG_ON(...)=",
               "-DDCCP_WARN(...)=", "-DDCCP_CRIT(...)="]
RATE_SHIFT, P_SHIFT, PPM, CCID3_LEAST_P, BOUND = 16, 48, 10**6, 100, 1e-3
STEPS, SIZES, RTTS_US = 300, (100, 1000, 1460), (100, 10_000, 100_000, 1_000_000)


def f(p):
    """s / (R * X)"""
    return math.sqrt(2 * p / 3) + 4 * 3 * math.sqrt(3 * p / 8) * p * (1 + 32 * p * p)


@functools.cache
def functions():
    """X(p) and p(X) of both, as C has them."""
    u16, u32, u64 = ctypes.c_uint16, ctypes.c_uint32, ctypes.c_uint64
    ours, ccid3 = host.library(OURS), host.library([CCID3], *CCID3_FLAGS)
    result = (ours.tfrc_calc_x, ours.tfrc_calc_p, ccid3.tfrc_calc_x,
              ccid3.tfrc_calc_x_reverse_lookup)
    for function, (kind, *arguments) in zip(result, (
            (u64, u32, u64, u64), (u64, u32, u64, u64), (u32, u16, u32, u32), (u32, u32))):
        function.restype, function.argtypes = kind, arguments
    return result


def values_of_p(exponent):
    """In a decade, each in both scales: 2^-48 and 10^-6."""
    for step in range(STEPS):
        p = 10**(exponent + step / STEPS)
        ppm = max(round(p * PPM), 1)
        if ppm >= CCID3_LEAST_P:
            p = ppm / PPM
        scaled = round(p * 2**P_SHIFT)
        yield scaled / 2**P_SHIFT, scaled, ppm


def measure(p_from, seed):      # pylint: disable=unused-argument
    """The greatest relative errors of X(p) and p(X), in a decade."""
    calc_x, calc_p, ccid3_x, ccid3_p = functions()
    worst = dict.fromkeys(("CCID 3: X, %", "lib_tfrc: X, %", "CCID 3: p, %", "lib_tfrc: p, %"), 0.0)

    def note(key, got, want):
        worst[key] = max(worst[key], 100 * abs(got / want - 1))

    for p, scaled, ppm in values_of_p(round(math.log10(p_from))):
        note("CCID 3: p, %", ccid3_p(round(f(p) * PPM)) / PPM, p)
        for size in SIZES:
            for rtt in RTTS_US:
                x = size / (rtt * 1e-6 * f(p))
                # CCID 3 counts in whole bytes/s, and in 32 bits.
                if 2000 < x < 2**32:
                    note("CCID 3: X, %", ccid3_x(size, rtt, ppm), x)
                    note("lib_tfrc: X, %", calc_x(size, rtt * 1000, scaled) / 2**RATE_SHIFT, x)
                    note("lib_tfrc: p, %", calc_p(size, rtt * 1000, round(x * 2**RATE_SHIFT)) /
                         2**P_SHIFT, p)
    if max(worst["lib_tfrc: X, %"], worst["lib_tfrc: p, %"]) > 100 * BOUND:
        raise runner.Failed(f"lib_tfrc is more than {100 * BOUND:g} % off: {worst}")
    return worst


EXPERIMENT = Experiment(
    title="Greatest error of the throughput equation by decade of p",
    source="no paper",
    cases=matrix(p_from=[float(f"1e{n}") for n in range(-9, 0)]),
    measure=measure, where="host")
