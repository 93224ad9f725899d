# SPDX-License-Identifier: GPL-2.0-only
"""A long fast path, which L-TFRC's equation cannot fill: 100 Mbit/s, 100 ms, 800 packets.

One flow alone, from 15 s to 30 s. k = 8 allows 81 packets in a round trip at p = 1e-9.
"""

from labkit import Experiment, Flow, Scenario, matrix, metrics


def scenario(_rng, flow, **_):
    """One run."""
    return Scenario({"rate": "100mbit", "rtt": 100, "queue": 800}, [Flow(flow)], seconds=30,
                    setup=[("", "sysctl -qw net.dccp.default.tx_qlen=1000")])


EXPERIMENT = Experiment(
    title="One flow alone on 100 Mbit/s, 100 ms",
    source="L-TFRC, eq. 5",
    cases=matrix(flow=("ltfrc8", "ltfrc11", "ltfrc15")), full=matrix(flow=("ccid3", "tfrc")),
    scenario=scenario, window=(15, 30),
    metrics={"Mbit/s": lambda run: metrics.rate("media", column="payload")(run) / 1e3,
             "X, packets in R": lambda run: metrics.trace("x", "last")(run) *
             metrics.trace("rtt_ms", "last")(run) / 8e6,
             "p": metrics.trace("p", "last"), "lost, %": metrics.loss("media")})
