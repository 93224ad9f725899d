# SPDX-License-Identifier: GPL-2.0-only
"""MARC's tables 1 to 4: a greedy flow in a flash crowd, MARC beside TFRC.

crowd.py, whose head says what is from the paper, with a source that always has something to send.
"""

import dataclasses

from labkit import Experiment, Flow, Table, experiment, matrix
from labkit.experiment import HEADERS

CROWD = experiment.load("crowd")


def scenario(rng, seed, flow, n):
    """One run."""
    greedy = Flow(flow, parameters={"loss_history": n},
                  options=["-l", 1000 - HEADERS, "--qlen", 20])
    return dataclasses.replace(CROWD.scenario(rng, seed, flow, n), media=[greedy])


EXPERIMENT = Experiment(
    title="A greedy flow in a flash crowd",
    source="MARC, tables 1 to 4",
    cases=matrix(n=(128,), flow=("tfrc-marc", "marc-paper", "marc")),
    seeds=range(1, 101), scenario=scenario, window=CROWD.window, metrics=CROWD.metrics,
    group="by hand",
    tables=[Table(f"{when}; KB/s and %", [f"{window}: {m}" for m in (
                "sending stream", "throughput stream", "lost, % stream", "sending TCP")],
                  versus={"flow": "tfrc-marc"}, sd=True)
            for window, when in (("crowd", "From 50 s to 55 s"), ("run", "Over the whole run"))])
