# SPDX-License-Identifier: GPL-2.0-only
"""MARC on a link that falls from 75 KB/s to 25 with a queue that loses nothing, beside TFRC.

A stream of 57.6 KB/s, 100 ms. One packet of 300 is lost elsewhere, so that MARC has tokens;
after the fall, at 30 s, one of so many (0: none). Rates are of payload; the delay is that
of packets from the bottleneck's queue to its other end, so it has the time on the link, too. The
seed says when the flow starts, and so where between two losses the fall comes; what is received is
counted from 10 s on, when all flows are there.
"""

import numpy as np

from labkit import Experiment, Flow, Scenario, Table, matrix, metrics, report

FIRST, FALL, END, RATE, SIZE, LOST = 10, 30, 60, 57600, 964, 300
AFTER = 0, 2, 5, 10, 20


def scenario(rng, flow, lost, **_):
    """One run."""
    return Scenario({"rate": "600kbit", "rtt": 100, "queue": 2000},
                    [Flow(flow, round(rng.random() * LOST * SIZE / RATE, 3),
                          options=["-b", 8 * RATE, "-l", SIZE])], seconds=END,
                    setup=[("", f"topology loss {LOST}")],
                    # As lab/topology has it: the Ethernet header does not count.
                    events=[(FALL, "r1", "tc qdisc change dev r2 root netem limit 2000 "
                             "rate 200kbit -14"), (FALL, "", f"topology loss {lost}")])


def longest(run):
    """When the packet with the longest delay came, s after the fall."""
    rows = run.rows("media", "sent")
    delays = (rows["passed"] - rows["sent"]).to_numpy()
    return float(rows["sent"].to_numpy()[np.nanargmax(delays)]) - FALL


def plot(figure, results):
    """X over time."""
    for axes, lost in zip(figure.subplots(1, 2, sharey=True), (0, 300)):
        report.over_time(axes, results, "X", results.cases(lost=lost), step=0.5)
        axes.set_title(f"One of {lost} lost after the fall" if lost else "Nothing lost")
        axes.set_xlabel("s after the fall")
        axes.set_ylabel("X, KB/s")
    axes.legend()


EXPERIMENT = Experiment(
    title="A stream whose link falls to a third, with a deep queue",
    source="MARC, no figure",
    cases=matrix(lost=(0, 300), flow=("tfrc", "marc", "marc-paper")),
    seeds=(1, 2, 3), scenario=scenario,
    window=(FALL, END),
    metrics={"longest delay, s": lambda run: metrics.delay("media", 1)(run) / 1e3,
             "at, s": longest,
             **{f"X at {t} s, KB/s": metrics.trace("x", "last", 1 / 8e3, after=t) for t in AFTER},
             "received, MB": lambda run: metrics.total("media", column="payload")(
                 run.within((FIRST, END))) * (END - FIRST) / 8e3},
    series={"X": metrics.traced("x", 1 / 8e3, 5)},
    tables=[Table("Nothing lost after the fall", where={"lost": 0}),
            Table("One packet of 300 lost after the fall", where={"lost": 300})],
    plot=plot)
