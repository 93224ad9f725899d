# SPDX-License-Identifier: GPL-2.0-only
"""DVRC with layers up to twice the rate of the link, 1 Mbit/s, and far more.

From 10 s to 40 s after the flow began; packets of 1000 bytes without frames.
"""

from labkit import Experiment, Flow, Scenario, Table, matrix, metrics

QUEUES = {70: 9, 200: 25}           # packets, by RTT in ms


def scenario(_rng, flow, layers, rtt, **_):
    """One run."""
    return Scenario({"rate": "1mbit", "rtt": rtt, "queue": QUEUES[rtt]},
                    [Flow(flow, options=["--layers", layers, "-b", 0])], seconds=40)


EXPERIMENT = Experiment(
    title="Layers of more than the link of 1 Mbit/s has",
    source="DVRC, no figure",
    cases=matrix(rtt=QUEUES, layers=("2M", "400K,800K,1200K,1600K,2M", "100M"),
                 flow=("dvrc-paper", "dvrc")),
    scenario=scenario, window=(10, 40),
    metrics={"Mbit/s": lambda run: metrics.rate("media", column="payload")(run) / 1e3,
             "lost, %": metrics.loss("media"), "delay, ms": metrics.delay("media"),
             "loss events": lambda run: metrics.said("receiver", "congestion")(run) +
             metrics.said("receiver", "random")(run),
             "as congestion": metrics.said("receiver", "congestion")},
    tables=[Table(f"{rtt} ms, {queue} packets", where={"rtt": rtt})
            for rtt, queue in QUEUES.items()])
