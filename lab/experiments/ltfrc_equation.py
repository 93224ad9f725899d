# SPDX-License-Identifier: GPL-2.0-only
"""L-TFRC's figure 1: its equation beside Padhye's, without any network.

Both are compiled for the host, from the files that the modules are made of. X is in packets
in a round trip; of the classes, which are not bounded here, over that of Padhye's equation. So are
the slopes dX/dp, from the values a hundredth below p and above it.
"""

import ctypes
import functools
import os

from labkit import Experiment, Table, host, matrix
from labkit.experiment import TOP

FILES = "lib_tfrc/fixp.c", "lib_tfrc/equation.c", "ccid_ltfrc/ltfrc.c"
CLASSES, SIZE, RTT_NS, RATE_SHIFT, P_SHIFT = (8, 11, 15), 1000, 10**8, 16, 48


class Ltfrc(ctypes.Structure):
    """struct ltfrc"""
    _fields_ = [("a", ctypes.c_int32 * 4), ("k", ctypes.c_uint16), ("weight", ctypes.c_uint16),
                ("bounded", ctypes.c_bool)]


@functools.cache
def library():
    """Both equations, as C has them."""
    lib = host.library([os.path.join(TOP, f) for f in FILES], prelude="tools/fuzz/kernel.h")
    u32, u64 = ctypes.c_uint32, ctypes.c_uint64
    lib.ltfrc_calc_x.restype = lib.tfrc_calc_x.restype = u64
    lib.tfrc_calc_x.argtypes = u32, u64, u64
    lib.ltfrc_calc_x.argtypes = ctypes.POINTER(Ltfrc), u32, u64, u64
    return lib


def padhye(p):
    """X, packets in a round trip."""
    x = library().tfrc_calc_x(SIZE, RTT_NS, round(p * 2**P_SHIFT))
    return x / 2**RATE_SHIFT * RTT_NS / 1e9 / SIZE


def logarithm(k, p):
    """X of a class, packets in a round trip."""
    one = Ltfrc((-k << 14, -k << 15, 0, 0), k, 1000, False)
    x = library().ltfrc_calc_x(one, SIZE, RTT_NS, round(p * 2**P_SHIFT))
    return x / 2**RATE_SHIFT * RTT_NS / 1e9 / SIZE


def measure(p, seed):       # pylint: disable=unused-argument
    """X of each, and its slope."""
    values, low, high = {"Padhye's": padhye(p)}, 0.99 * p, 1.01 * p
    for k in CLASSES:
        values[f"k = {k}"] = logarithm(k, p)
        values[f"k = {k}, ratio"] = logarithm(k, p) / padhye(p)
        values[f"k = {k}, slope"] = (logarithm(k, high) - logarithm(k, low)) / (
            padhye(high) - padhye(low))
    return values


def plot(figure, results):
    """X by p."""
    axes = figure.subplots()
    cases = results.cases()
    for name in ("Padhye's", *(f"k = {k}" for k in CLASSES)):
        axes.loglog([c["p"] for c in cases],
                    [results.estimate(name, **c).mean for c in cases], "o-",
                    markersize=3, label=name)
    axes.set(xlabel="p", ylabel="X, packets in a round trip", ylim=(0.1, 1e3))
    axes.legend()


EXPERIMENT = Experiment(
    title="L-TFRC's equation beside Padhye's",
    source="L-TFRC, eq. 5 and figure 1",
    cases=matrix(p=(1e-9, 1e-5, 1e-4, 1e-3, 0.0032, 0.01, 0.015, 0.02, 0.05, 0.1, 0.2, 0.5)),
    measure=measure, where="host", plot=plot,
    tables=[Table("X in packets in a round trip", [
        "Padhye's", *(f"k = {k}" for k in CLASSES)]),
            Table("X over that of Padhye's equation", [f"k = {k}, ratio" for k in CLASSES]),
            Table("Slope over that of Padhye's equation", [f"k = {k}, slope" for k in CLASSES])])
