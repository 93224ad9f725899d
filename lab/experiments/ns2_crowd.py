# SPDX-License-Identifier: GPL-2.0-only
"""MARC's tables 1, 3, 5 and 7, the part that is plain TFRC, in ns-2.

The scenarios are those of marc_greedy.py and crowd.py, with n = 128; labkit/ns2.py runs them in
the paper's simulator. "MARC's self-clocking" is ns-2's conservative mode, as in the paper. "RED
that waits" is the RED of ns-2's defaults, which keeps a distance between two drops (wait_); without
it drops are as Linux has them. In brackets are the paper's values, of 100 runs.
"""

from labkit import Experiment, Table, experiment

CROWD, GREEDY = experiment.load("crowd"), experiment.load("marc_greedy")
N, CLASSES = 128, ("stream", "TCP", "UDP", "crowd")
# Sending rate, throughput (KB/s), loss (%) of the four: tables 1 and 3
PAPER = {"crowd": ((16.17, 13.02, 22.01), (11.74, 10.55, 17.65), (104.21, 75.82, 26.39),
                   (117.41, 86.11, 25.48)),
         "run": ((29.66, 28.11, 5.33), (36.27, 35.11, 3.27), (107.06, 94.94, 10.18),
                 (11.18, 9.08, 18.62))}
WHAT = "sending", "throughput", "lost, %"
SHOWN = [f"{what} {name}" for name in CLASSES for what in WHAT]
FLOWS = "ns2-marc", "ns2-marc-linux-red", "ns2-marc-linux-tcp", "ns2-marc-rto1", "ns2-marc-linux"
SOURCES = {"greedy": GREEDY, "20 KB/s": CROWD}


def scenario(rng, seed, source, flow):
    """One run."""
    return SOURCES[source].scenario(rng, seed, flow, N)


PUBLISHED = [({"source": "20 KB/s"}, values) for where, values in CROWD.published
             if where["flow"] == "tfrc-marc"] + \
    [({"source": "greedy"}, {f"{window}: {what} {name}": value for window, rows in PAPER.items()
                             for name, row in zip(CLASSES, rows)
                             for what, value in zip(WHAT, row)})]

EXPERIMENT = Experiment(
    title="Plain TFRC in a flash crowd, in ns-2",
    source="MARC, tables 1, 3, 5 and 7",
    cases=[{"source": s, "flow": f} for s in SOURCES for f in FLOWS],
    full=[{"source": s, "flow": "ns2"} for s in SOURCES],
    seeds=range(1, 41), scenario=scenario, window=CROWD.window, metrics=CROWD.metrics,
    group="by hand", published=PUBLISHED,
    tables=[Table(f"{when}; KB/s and %", [f"{window}: {m}" for m in SHOWN])
            for window, when in (("crowd", "From 50 s to 55 s"), ("run", "Over the whole run"))])
