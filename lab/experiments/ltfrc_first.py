# SPDX-License-Identifier: GPL-2.0-only
"""L-TFRC's inverse: the first rate after a slow start that ended at a known window.

Slow start ends by the loss of one packet, while the source sends so many packets of 1000
bytes in a round trip of 100 ms. What slow start cannot send in time is dropped at the
source, and not made up for. All values are in packets in a round trip.
"""

from labkit import Experiment, Flow, Scenario, Table, matrix, metrics

RTT, SIZE, END = 0.1, 1000, 8


def scenario(_rng, flow, window, **_):
    """One run; tc counts to 10000, and CCID 3 does not get further than 5000 in 8 s."""
    return Scenario({"rate": "1gbit", "rtt": 1000 * RTT, "queue": 10000},
                    [Flow(flow, options=["-b", window / RTT * SIZE * 8, "--qlen", 2,
                                         "--deadline", 1])], seconds=END, trace_interval=0.01,
                    setup=[("", f"topology loss {min(5000, round(window * 5 / RTT))}")])


def first(column, before=0):
    """Of the first line with a rate of the equation, or of one before it."""
    def metric(run):
        trace = run.traces[0].reset_index(drop=True)
        i = int((trace["x_calc"] > 0).idxmax())
        return float(trace[column][i - before] * trace["rtt_ms"][i]) / 1000 / SIZE / 8
    return metric


EXPERIMENT = Experiment(
    title="The first rate after slow start, by the window at which one packet was lost",
    source="L-TFRC, eq. 5",
    cases=matrix(window=(4, 10, 100, 1000),
                 flow=("ccid3", "tfrc", "ltfrc8", "ltfrc11", "ltfrc15")),
    scenario=scenario, window=(0, END),
    metrics={"X before": first("x", 1), "X_recv": first("x_recv"), "first X": first("x"),
             "X_calc": first("x_calc"), "lost, %": metrics.loss("media", "passed")},
    tables=[Table(f"{w} packets in a round trip", ["X before", "X_recv", "X_calc", "first X"],
                  {"window": w})
            for w in (4, 10, 100, 1000)])
