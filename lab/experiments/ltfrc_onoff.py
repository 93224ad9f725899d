# SPDX-License-Identifier: GPL-2.0-only
"""L-TFRC's figure 2: one flow beside traffic that is on and off, how fast it follows.

What the paper leaves open, all but the ON/OFF traffic: 2 Mbit/s, 50 ms, a queue of 30 packets as
in ltfrc_alone; the traffic is a UDP flow of 1 Mbit/s, on for 10 s and off for 10 s, from 40 s to
120 s. "Up" is the time from when it is off until the flow sends 1.5 Mbit/s in 0.2 s, "down" from
when it is on until the flow sends no more than 1.1 Mbit/s; 10 s if it does not. "Start" is the
time until 1.5 Mbit/s at the beginning. k = 8 is the paper's.
"""

import numpy as np

from labkit import Experiment, Flow, Scenario, matrix, metrics, report

PERIOD, FIRST, END, STEP, PACKET = 10, 40, 120, 0.001, 1000
SPAN = 0.2                              # s in which a rate is measured
HIGH, LOW = 1.5e3, 1.1e3                # kbit/s


def scenario(rng, flow, **_):
    """One run."""
    first, traffic = FIRST + rng.random(), ""
    while first < END:
        traffic += f" --cbr {first:.3f}:{PERIOD}:125000"
        first += 2 * PERIOD
    return Scenario({"rate": "2mbit", "rtt": 50, "queue": 30},
                    [Flow(flow, rng.random())], [f"--duration {END}{traffic}"], END)


def until(run, start, reached):
    """s from a time until the rate of the SPAN before is as wanted; PERIOD if it never is."""
    rows = run.packets[run.packets["name"] == "media"].sort_values("sent")
    times, sizes = rows["sent"].to_numpy(), np.append(0, np.cumsum(rows["size"].to_numpy()))
    ends = np.arange(SPAN, PERIOD, STEP)
    first, last = (sizes[np.searchsorted(times, start + t)] for t in (ends - SPAN, ends))
    return float(next(iter(ends[reached((last - first) * 8e-3 / SPAN)]), PERIOD))


def mean(offset, reached):
    """Over the periods; the traffic's own first packet says when it came."""
    def metric(run):
        first = float(run.packets.loc[run.packets["name"] == "udp", "sent"].min())
        starts = np.arange(first + offset, END - PERIOD - 1, 2 * PERIOD)
        return float(np.mean([until(run, s, reached) for s in starts]))
    return metric


def between(run):
    """CoV of the rate in bins of SPAN, in the second half of the time between two switches."""
    rows, first = run.packets[run.packets["name"] == "media"], run.packets.loc[
        run.packets["name"] == "udp", "sent"].min()
    starts = np.arange(first + PERIOD / 2, END - PERIOD / 2, PERIOD)
    rates = [np.histogram(rows["sent"], np.arange(s, s + PERIOD / 2 + SPAN / 2, SPAN),
                          weights=rows["size"])[0] for s in starts]
    return float(np.mean([metrics.variation(r) for r in rates]))


def plot(figure, results):
    """Rates over time."""
    axes = figure.subplots()
    report.over_time(axes, results, "sent", results.cases(), start=FIRST)
    axes.set_ylabel("sent, kbit/s")
    axes.legend()


EXPERIMENT = Experiment(
    title="One flow beside ON/OFF traffic, 2 Mbit/s, 50 ms",
    source="L-TFRC, figure 2",
    cases=matrix(flow=("tfrc-norecovery", "ltfrc-paper", "tfrc", "ltfrc")),
    full=matrix(flow=("ccid3", "ltfrc11", "ltfrc15")),
    seeds=range(1, 6), scenario=scenario, window=(FIRST, END), group="by hand",
    metrics={"start, s": lambda run: until(run, run.packets.loc[
                 run.packets["name"] == "media", "sent"].min(), lambda v: v >= HIGH),
             "up, s": mean(PERIOD, lambda v: v >= HIGH),
             "down, s": mean(0, lambda v: v <= LOW),
             "CoV between": between, "kbit/s": metrics.rate("media"),
             "lost, %": metrics.loss("media")},
    series={"sent": metrics.rates("media", 1)}, plot=plot)
