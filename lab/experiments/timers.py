# SPDX-License-Identifier: GPL-2.0-only
"""Share of X that is really sent where time is real: our pacer beside CCID 3.

Greedy flows for 15 s, 20 ms, from 5 s to 14 s. CTFAF has its constraints for a rate; of the
others every so many-th packet is lost, so that the equation gives about this rate, or that
of one in 3657, which is the least that tc knows. Bytes and X are those of dccperf's trace: no
packet is captured, as that takes time. It needs a host that does nothing else.
"""

from labkit import Experiment, Flow, Scenario, Table, matrix, metrics

GUESTS = {"uml": ["--real-time"], "6.12": ["--kernel", "6.12"]}
# Mbit/s and bytes of a packet
RATES = {f"{mbit} Mbit/s, {size} bytes": (mbit, size) for mbit, size in (
    (1, 1400), (10, 1400), (50, 9000), (200, 20000), (200, 9000), (50, 1400), (200, 1400))}
RTT = 0.02


def equation(size, p):
    """RFC 5348, 3.1, in bytes/s."""
    return size / (RTT * ((2 * p / 3) ** 0.5 + 12 * (3 * p / 8) ** 0.5 * p * (1 + 32 * p * p)))


def scenario(_rng, flow, rate, **_):
    """One run."""
    mbit, size = RATES[rate]
    every = min((int(1.2 ** n) for n in range(10, 46)),
                key=lambda n: abs(equation(size, 1 / n) - mbit * 125e3))
    bits = int(mbit * 1e6)
    own = {"r_min": bits, "r_start": bits, "r_max": bits + 8} if flow == "ctfaf" else {}
    return Scenario({"rate": "1gbit", "rtt": int(RTT * 1000), "queue": 10000, "mtu": size + 100},
                    [Flow(flow, parameters=own, options=["-l", size, "--qlen", 100])], seconds=15,
                    setup=[("", f"topology loss {0 if flow == 'ctfaf' else every}")],
                    capture=False)


def asked(run):
    """The trace from 5 s to 14 s, and the integral of X over it, in bytes."""
    t = run.traces[0]
    t = t[(t["time"] >= 5) & (t["time"] <= 14)]
    x = t["x"].to_numpy(float)
    return t, float(((x[1:] + x[:-1]) / 16 * t["time"].diff().to_numpy()[1:]).sum())


def share(run):
    """Of X that was sent; a line's bytes are those since the line before."""
    t, bytes_asked = asked(run)
    return float(t["bytes"].iloc[1:].sum()) / bytes_asked


EXPERIMENT = Experiment(
    title="Share of X that is sent where time is real",
    source="no paper",
    cases=matrix(guest=GUESTS, rate=RATES, flow=("ctfaf", "tfrc", "ccid3")),
    scenario=scenario, window=(5, 14),
    metrics={"share of X": share, "X, Mbit/s": metrics.trace("x", "mean", 1e-6)},
    tables=[Table(f"{g}: {rate}", where={"guest": g, "rate": rate})
            for g in GUESTS for rate in RATES],
    guest=lambda guest, **_: GUESTS[guest], kernels=tuple(GUESTS), group="by hand")
