# SPDX-License-Identifier: GPL-2.0-only
"""L-TFRC at a known loss rate, beside Padhye's equation; and what no loss at all gives.

Each so many-th packet is lost behind the bottleneck, on a path of 100 Mbit/s and 100 ms that
has room for all. From 100 s to 200 s. X is in packets of 1000 bytes in a round trip;
"equation" is what the paper says for the measured p: eq. 5, or RFC 5348 for CCID 3 and TFRC.
"""

import math

from labkit import Experiment, Flow, Scenario, Table, matrix, metrics

K = {"ltfrc8": 8, "ltfrc11": 11, "ltfrc15": 15}
LOSSES, SIZE = (312, 100, 20, 5), 1000


def scenario(_rng, flow, every, **_):
    """One run; the handshake comes first."""
    return Scenario({"rate": "100mbit", "rtt": 100, "queue": 1000}, [Flow(flow)], seconds=200,
                    events=[(1, "", f"topology loss {every}")], at_right=True)


def padhye(p):
    """RFC 5348, 3.1: packets in a round trip."""
    return 1 / (math.sqrt(2 * p / 3) + 12 * math.sqrt(3 * p / 8) * p * (1 + 32 * p * p))


def said(run):
    """p of the sender."""
    return metrics.trace("p")(run)


def exact(run):
    """Of the flow's equation."""
    p = said(run)
    words = ",".join(run.scenario.data()["media"][0]["options"])
    k = next((k for k in K.values() if f"k={k}" in words), None)
    value = k * (-0.25 - 0.5 * math.log(p)) if k else padhye(p)
    return min(value, 2 * padhye(p)) if k == 11 else value


def x(run):
    """Packets in a round trip."""
    return metrics.trace("x")(run) * metrics.trace("rtt_ms")(run) / 1e3 / SIZE / 8


EXPERIMENT = Experiment(
    title="Each so many-th packet lost, 100 ms",
    source="L-TFRC, eq. 5",
    cases=matrix(every=LOSSES, flow=("ccid3", "tfrc", *K)),
    scenario=scenario, window=(100, 200),
    metrics={"p, %": lambda run: 100 * said(run),
             "p on the wire, %": lambda run: 100 * metrics.loss_event_rate(
                 0.1, "media", "arrived")(run),
             "X": x, "equation": exact, "X / Padhye's": lambda run: x(run) / padhye(said(run)),
             "kbit/s": metrics.rate("media", "arrived", "payload")},
    tables=[Table(f"One of {n} lost", where={"every": n}) for n in LOSSES])
