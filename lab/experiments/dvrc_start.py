# SPDX-License-Identifier: GPL-2.0-only
"""DVRC on a free link: one layer of 5 or 50 Mbit/s on 200 Mbit/s, 70 and 200 ms.

From 3 s to 23 s after the flow began.
"""

from labkit import Experiment, Flow, Scenario, Table, matrix, metrics


def scenario(_rng, flow, c_1, rtt, **_):
    """One run."""
    return Scenario({"rate": "200mbit", "rtt": rtt, "queue": 2000},
                    [Flow(flow, options=["--layers", c_1, "-b", 0])], seconds=23)


EXPERIMENT = Experiment(
    title="One layer on a free link of 200 Mbit/s",
    source="DVRC, no figure",
    cases=matrix(rtt=(70, 200), c_1=("5M", "50M"), flow=("dvrc-paper", "dvrc")),
    full=matrix(rtt=(70, 200), c_1=("5M", "12M", "50M"), flow=("dvrc-paper", "dvrc")),
    scenario=scenario, window=(3, 23),
    metrics={"Mbit/s": lambda run: metrics.rate("media", column="payload")(run) / 1e3,
             "least in 150 ms": lambda run: float(
                 run.bins("media", 0.15, "passed", "payload").min()) * 8e-6 / 0.15,
             "lost, %": metrics.loss("media")},
    tables=[Table(f"{rtt} ms", where={"rtt": rtt}) for rtt in (70, 200)])
