# SPDX-License-Identifier: GPL-2.0-only
"""MARC's figures 2 to 5: how smooth TFRC is, by the length of its loss history.

As in the paper (sections 3.1 to 3.4): 1.5 Mbit/s, 140 ms, RED; in figure 2 TFRC with N = 8 and a
TCP flow, each alone, and one of 100 packets is lost; in figure 3 a greedy TFRC beside a TCP flow;
in figures 4 and 5 five ON/OFF sources besides (Pareto of 1.05). The paper's N is 8 to 10,000
there, ours ends at 255. TFRC has the paper's self-clocking; it runs in ns-2, too (labkit/ns2.py).
The paper does not say how long a run is: here 150 s, from 50 s on. X is that of the socket, each
0.1 s. The rate of a flow in figure 2 is what it sends in 0.28 s, two round trips: of a TCP flow
twice the window. The random numbers of a seed are those of the UDP sources, and say when TCP
starts.
"""

import math

from labkit import Experiment, Flow, Scenario, Table, experiment, matrix, metrics
from labkit.experiment import HEADERS

CROWD = experiment.load("crowd")
PACKET, START, END = 1000, 50, 150
BESIDE = {"periodic loss": "", "a TCP": "", "a TCP and ON/OFF": " --udp 5"}
KINDS = "tfrc-marc", "ns2-marc"
# Captions of figures 3 and 4
PAPER = {"a TCP": {8: 0.19, 16: 0.14, 128: 0.12},
         "a TCP and ON/OFF": {8: 0.42, 16: 0.35, 128: 0.34}}


def scenario(rng, seed, flow, n, beside):
    """One run. With periodic loss there is one flow, and RED never sees a queue."""
    spec, alone = CROWD.scenario(rng, seed, "tfrc-marc", 8), beside == "periodic loss"
    stream = [] if flow == "tcp" else [Flow(flow, parameters={"loss_history": n},
                                            options=["-l", PACKET - HEADERS, "--qlen", 20])]
    tcp = f" --tcp {rng.random():.3f}:{END}" * (flow == "tcp" or not alone)
    return Scenario(spec.topology, stream,
                    [f"--seed {seed} --duration {END}{tcp}{BESIDE[beside]}"], END, spec.setup,
                    events=[(1, "", "topology loss 100")] * alone)


def either(function):
    """Of the media flow, or of TCP if there is none."""
    return lambda run: function("media" if run.scenario.media else "tcp")(run)


EXPERIMENT = Experiment(
    title="A greedy TFRC by its loss history, 1.5 Mbit/s, 140 ms",
    source="MARC, figures 2 to 5",
    cases=matrix(beside=("periodic loss",), n=(8,), flow=(*KINDS, "tcp")) +
    matrix(beside=("a TCP", "a TCP and ON/OFF"), n=(8, 16, 128, 200), flow=KINDS),
    full=matrix(beside=("a TCP", "a TCP and ON/OFF"), n=(32, 64), flow=KINDS),
    seeds=range(1, 21), scenario=scenario, window=(START, END), group="by hand",
    metrics={"CoV of X": lambda run: metrics.trace("x", "cov")(run) if run.traces else math.nan,
             "CoV sent, 0.28 s": either(lambda name: metrics.cov(name, 0.28)),
             "sent, KB/s": lambda run: either(lambda name: metrics.rate(name, "sent"))(run) / 8},
    series={"sent": lambda run: either(lambda name: metrics.rates(name, 0.28))(run)[:100]},
    published=[({"beside": beside, "n": n}, {"CoV of X": value})
               for beside, values in PAPER.items() for n, value in values.items()],
    tables=[Table("One of 100 packets lost", where={"beside": "periodic loss"}),
            Table("Beside a TCP flow", where={"beside": "a TCP"}),
            Table("Beside a TCP flow and ON/OFF sources", where={"beside": "a TCP and ON/OFF"})])
