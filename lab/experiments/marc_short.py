# SPDX-License-Identifier: GPL-2.0-only
"""MARC's figure 12: a stream while a short TCP flow comes and goes.

As in the paper (section 5.1): 1.5 Mbit/s, 140 ms, RED, n = 128; a TCP flow from 200 s to 205 s.
What the paper leaves open: the rate of the source (here 50 KB/s, as in figures 10 and 11), and
whether another TCP flow is there (here none, and one). Network and TCP are those of crowd.py.
"Least X" is from 200 s to 215 s. "Delayed" is the share of this time in which X is below the rate
of the source. With "loss" beside nothing else one of 1000 packets is lost from 1 s on, so that
there is a p when the TCP flow comes.
"""

from labkit import Experiment, Flow, Scenario, Table, experiment, matrix
from labkit.experiment import HEADERS

CROWD = experiment.load("crowd")
PACKET, RATE, SHORT, AFTER, END = 1000, 50, 200, 215, 220


def scenario(rng, seed, flow, beside, **own):
    """One run."""
    spec, payload = CROWD.scenario(rng, seed, flow, 128), PACKET - HEADERS
    stream = Flow(flow, parameters={"loss_history": 128, **own},
                  options=["-b", RATE * payload * 8, "-l", payload])
    short = SHORT + rng.random()
    long = f" --tcp {rng.random():.3f}:{END}" * (beside == "a TCP")
    return Scenario(spec.topology, [stream],
                    [f"--seed {seed} --duration {END} --tcp {short:.3f}:5{long}"],
                    END, spec.setup, events=[(1, "", "topology loss 1000")] * (beside == "loss"))


def x(run, start, end):
    """KB/s, with IP headers, each 0.1 s; the kernel's X is of payload."""
    return seen(run, "x", start, end) / 8e3 * PACKET / (PACKET - HEADERS)


def seen(run, name, start, end):
    """A column of the trace."""
    t = run.traces[0]
    return t.loc[(t["time"] >= start) & (t["time"] < end), name].to_numpy(float)


EXPERIMENT = Experiment(
    title="A stream of 50 KB/s while a TCP flow is there for 5 s, 1.5 Mbit/s, 140 ms",
    source="MARC, figure 12",
    cases=matrix(beside=("nothing", "a TCP", "loss"), flow=("tfrc-marc", "marc-paper", "marc")) +
    [{"beside": "loss", "flow": "marc", "lag": 0}],
    seeds=range(1, 16), scenario=scenario, window=(SHORT - 50, END), group="by hand",
    metrics={"tokens before, bytes": lambda run:
             float(seen(run, "tokens", SHORT - 1, SHORT).mean()),
             "p before, %": lambda run: 100 * float(seen(run, "p", SHORT - 1, SHORT).mean()),
             "X before, KB/s": lambda run: float(x(run, SHORT - 50, SHORT).mean()),
             "least X, KB/s": lambda run: float(x(run, SHORT, AFTER).min()),
             "delayed, %": lambda run: 100 * float((x(run, SHORT, AFTER) < RATE * 0.999).mean())},
    series={"X": lambda run: x(run, SHORT - 5, END)[::5].tolist()},
    tables=[Table("Beside nothing else", where={"beside": "nothing"}),
            Table("The same with one of 1000 packets lost", where={"beside": "loss"}),
            Table("Beside a long TCP flow", where={"beside": "a TCP"})])
