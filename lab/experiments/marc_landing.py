# SPDX-License-Identifier: GPL-2.0-only
"""MARC with landing and without: the fall of X when the tokens are used up.

A stream of 40 KB/s, 100 ms, n = 8; one packet of 100 is lost, so that MARC has tokens. At 30 s
either one of 8 is lost (loss), or the link falls to 25 KB/s with a queue that loses nothing
(link). step: the largest fall of X between two lines of the trace, 50 ms. The seed says when the
flow starts, and so where between two losses the change comes.
"""

import numpy as np

from labkit import Experiment, Flow, Scenario, Table, matrix, metrics

CHANGE, END, RATE, SIZE, LOST = 30, 60, 40e3, 964, 100
AFTER = 1, 2, 5, 10, 20


def scenario(rng, change, flow, landing, **_):
    """One run."""
    what = {"loss": [(CHANGE, "", "topology loss 8")],
            "link": [(CHANGE, "r1", "tc qdisc change dev r2 root netem limit 2000 "
                      "rate 200kbit -14"), (CHANGE, "", f"topology loss {LOST}")]}[change]
    return Scenario({"rate": "600kbit", "rtt": 100, "queue": 2000},
                    [Flow(flow, round(rng.random() * LOST * SIZE / RATE, 3),
                          parameters={"target_delay": 0, "landing": landing},
                          options=["-b", round(8 * RATE), "-l", SIZE])], seconds=END,
                    setup=[("", f"topology loss {LOST}")], events=what, trace_interval=0.05)


def fall(run):
    """The largest fall of X at once, % of X before."""
    trace = run.traces[0].dropna(subset=["x"])
    x = trace[trace["time"] >= CHANGE]["x"].to_numpy(float)
    return float(np.max(1 - x[1:] / x[:-1])) * 100


EXPERIMENT = Experiment(
    title="When MARC's tokens are used up, with landing and without",
    source="MARC, no figure",
    cases=matrix(change=("loss", "link"), flow=("marc", "marc-paper"), landing=(0, 10)),
    seeds=(1, 2, 3), scenario=scenario, window=(CHANGE, END),
    metrics={"step, %": fall,
             **{f"X at {t} s, KB/s": metrics.trace("x", "last", 1 / 8e3, after=t) for t in AFTER},
             "longest delay, s": lambda run: metrics.delay("media", 1)(run) / 1e3},
    tables=[Table("One of 8 lost", where={"change": "loss"}),
            Table("A link of 25 KB/s", where={"change": "link"})])
