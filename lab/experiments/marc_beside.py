# SPDX-License-Identifier: GPL-2.0-only
"""MARC's figures 7, 8, 10, 11, 15, 16, 22 and 23: a stream beside one TCP, and ON/OFF sources.

As in the paper (section 3.2): 1.5 Mbit/s, 140 ms, RED, one greedy TCP with SACK; in figures 8,
15, 16, 22 and 23 also five UDP sources that are on and off (Pareto of 1.05). TFRC has the
paper's self-clocking; TFRC without recovery point is that of RFC 5348, whose X is at most twice
what is received, and stands for TFRC without self-clocking (figure 8). Network and TCP are
those of crowd.py; TFRC runs in ns-2, too (labkit/ns2.py). Rates, and X, are of IP packets. The
paper does not say how long a run is: here 150 s, from 50 s on.
"""

import math

from labkit import Experiment, Flow, Scenario, Table, experiment, matrix, metrics
from labkit.experiment import HEADERS

CROWD = experiment.load("crowd")
PACKET, START, END = 1000, 50, 150
FLOWS = "tfrc-marc", "marc-paper", "ns2-marc"


def scenario(rng, seed, flow, n, background, rate):
    """One run; for each seed all flows see the same UDP."""
    spec, payload = CROWD.scenario(rng, seed, flow, n), PACKET - HEADERS
    stream = Flow(flow, parameters={"loss_history": n},
                  options=["-b", rate * payload * 8, "-l", payload])
    udp = " --udp 5" * (background != "TCP")
    return Scenario(spec.topology, [stream],
                    [f"--seed {seed} --duration {END} --tcp {rng.random():.3f}:{END}{udp}"], END,
                    spec.setup)


def below(run):
    """% of the time in which X is below the rate of the source, both of payload."""
    words = run.scenario.media[0].options
    rate = words[words.index("-b") + 1]
    trace = run.traces[0]
    x = trace.loc[(trace["time"] >= START) & (trace["time"] < END), "x"]
    return 100 * float((x < rate * 0.999).mean()) if len(x) else math.nan


EXPERIMENT = Experiment(
    title="A stream beside one TCP, and beside ON/OFF sources, 1.5 Mbit/s, 140 ms",
    source="MARC, figures 7, 8, 10, 11, 15, 16, 22 and 23",
    cases=matrix(background=("TCP",), n=(8, 128), rate=(50,), flow=FLOWS) +
    matrix(background=("TCP and ON/OFF",), n=(128,), rate=(10, 20, 30, 40), flow=FLOWS) +
    matrix(background=("TCP",), n=(128,), rate=(50,), flow=("tfrc-norecovery",)) +
    matrix(background=("TCP and ON/OFF",), n=(128,), rate=(20,), flow=("tfrc-norecovery",)) +
    matrix(background=("TCP",), n=(8, 128), rate=(50,), flow=("marc",)) +
    matrix(background=("TCP and ON/OFF",), n=(128,), rate=(20, 40), flow=("marc",)),
    full=matrix(background=("TCP and ON/OFF",), n=(128,), rate=(10, 30), flow=("marc",)),
    seeds=range(1, 17), scenario=scenario, window=(START, END), group="by hand",
    metrics={"X below the source, %": below, "CoV of X": metrics.trace("x", "cov"),
             "mean X, KB/s": metrics.trace("x", "mean", PACKET / (PACKET - HEADERS) / 8e3),
             "CoV sent, 0.28 s": metrics.cov("media", 0.28),
             "CoV sent, 1 s": metrics.cov("media", 1),
             "CoV received, 1 s": metrics.cov("media", 1, "passed"),
             "sent, KB/s": lambda run: metrics.rate("media", "sent")(run) / 8,
             "TCP, KB/s": lambda run: metrics.rate("tcp", "sent")(run) / 8},
    tables=[Table("Beside one TCP", where={"background": "TCP"}, versus={"flow": "tfrc-marc"}),
            Table("Beside TCP and ON/OFF", where={"background": "TCP and ON/OFF"},
                  versus={"flow": "tfrc-marc"})])
