# SPDX-License-Identifier: GPL-2.0-only
"""MARC's figure 12: a stream while a short TCP flow comes and goes.

As in the paper (section 5.1): 1.5 Mbit/s, 140 ms, RED, n = 128; a TCP flow from 200 s to 205 s.
What the paper leaves open: the rate of the source (here 50 KB/s, as in figures 10 and 11), and
whether another TCP flow is there (here none, and one). Network and TCP are those of crowd.py.
"Least X" is from 200 s to 215 s, over the mean of the 50 s before. "Delayed" is the share of this
time in which X is below the rate of the source.
"""

from labkit import Experiment, Flow, Scenario, Table, experiment, matrix
from labkit.experiment import HEADERS

CROWD = experiment.load("crowd")
PACKET, RATE, SHORT, AFTER, END = 1000, 50, 200, 215, 220


def scenario(_rng, seed, flow, beside):
    """One run."""
    spec, payload = CROWD.scenario(_rng, seed, flow, 128), PACKET - HEADERS
    stream = Flow(flow, parameters={"loss_history": 128},
                  options=["-b", RATE * payload * 8, "-l", payload])
    long = f" --tcp {seed % 7 / 7:.3f}:{END}" * (beside == "a TCP")
    return Scenario(spec.topology, [stream],
                    [f"--seed {seed} --duration {END} --tcp {SHORT + seed % 5 / 5:.3f}:5{long}"],
                    END, spec.setup)


def x(run, start, end):
    """KB/s, IP header included, each 0.1 s."""
    t = run.traces[0]
    return t.loc[(t["time"] >= start) & (t["time"] < end), "x"].to_numpy(float) / 8e3


EXPERIMENT = Experiment(
    title="A stream of 50 KB/s while a TCP flow is there for 5 s, 1.5 Mbit/s, 140 ms",
    source="MARC, figure 12",
    cases=matrix(beside=("nothing", "a TCP"), flow=("tfrc-marc", "marc-paper")),
    full=matrix(beside=("nothing", "a TCP"), flow=("marc",)),
    seeds=range(1, 6), scenario=scenario, window=(SHORT - 50, END), group="by hand",
    metrics={"X before, KB/s": lambda run: float(x(run, SHORT - 50, SHORT).mean()),
             "least X, KB/s": lambda run: float(x(run, SHORT, AFTER).min()),
             "delayed, %": lambda run: 100 * float((x(run, SHORT, AFTER) < RATE * 0.999).mean())},
    series={"X": lambda run: x(run, SHORT - 5, END)[::5].tolist()},
    tables=[Table("Beside nothing else", where={"beside": "nothing"}),
            Table("Beside a long TCP flow", where={"beside": "a TCP"})])
