# SPDX-License-Identifier: GPL-2.0-only
"""MARC's figures 13 and 14: 20 streams and one TCP in a flash crowd, 10 Mbit/s.

As in the paper (section 5.1): a crowd of 400 to 1000 short TCP flows from 50 s to 55 s; sources
of 30 KB/s in figure 13. In figure 14 the crowd has 800, and the text names 10 KB/s of a fair share
of 60. Network and TCP are those of crowd.py at 10 Mbit/s, n = 128. The paper does not say how long
a run is: here 80 s. TFRC runs in ns-2, too (labkit/ns2.py).

"Kept" is the rate of all streams from 50 s to 60 s over that from 30 s to 50 s, "least" the same of
the worst second. "CoV before" is that of the seconds from 30 s to 50 s.
"""

import numpy as np

from labkit import Experiment, Flow, Scenario, Table, matrix, metrics, networks, report
from labkit.experiment import HEADERS, spread

FLOWS, PACKET, END = 20, 1000, 80
KINDS = "tfrc-marc", "ns2-marc", "marc-paper", "marc"


def scenario(rng, seed, flow, crowd, rate):
    """One run."""
    payload = PACKET - HEADERS
    return Scenario({"red": True, "rate": "10mbit", "rtt": 140, "queue": 318, "mtu": 1100},
                    [Flow(flow, t, parameters={"loss_history": 128},
                          options=["-b", rate * payload * 8, "-l", payload])
                     for t in spread(rng, FLOWS, 0, 2)],
                    [f"--seed {seed} --tcp 0:{END} --crowd {crowd} --crowd-at 50 --crowd-for 5"],
                    END, networks.tcp(PACKET), trace_interval=1)


def rates(run, start, end):
    """Of all streams, KB/s in each second."""
    return run.within((start, end)).bins("media", 1, "sent").sum(axis=0) / 1e3


def kept(run, how=np.mean):
    """Rate in the crowd over that before it."""
    return float(how(rates(run, 50, 60)) / np.mean(rates(run, 30, 50)))


def plot(figure, results):
    """Over time: the two sizes of figure 13's first and last panel, and figure 14's first."""
    panels = {"400 at 30 KB/s": (400, 30), "1000 at 30 KB/s": (1000, 30),
              "800 at 10 KB/s": (800, 10)}
    for axes, (title, (crowd, rate)) in zip(figure.subplots(1, 3), panels.items()):
        axes.axvspan(50, 55, color="#e9eef2")
        for flow in KINDS:
            if cases := results.cases(crowd=crowd, rate=rate, flow=flow):
                values = results.series("all streams", **cases[0])
                axes.plot(range(30, END), values[30:], linewidth=1.2,
                          color=report.flows.color(flow), label=report.flows.label(flow))
        axes.set(title=title, xlabel="time (s)", ylim=(0, None))
    figure.axes[0].set_ylabel("all 20 streams, KB/s")
    figure.axes[0].legend()


EXPERIMENT = Experiment(
    title="20 streams and one TCP in a flash crowd, 10 Mbit/s, 140 ms",
    source="MARC, figures 13 and 14",
    cases=matrix(crowd=(400, 1000), rate=(30,), flow=KINDS) +
    matrix(crowd=(800,), rate=(10, 30), flow=KINDS),
    full=matrix(crowd=(400, 600, 800, 1000), rate=(30,), flow=KINDS) +
    matrix(crowd=(800,), rate=(10, 20, 40), flow=KINDS),
    seeds=range(1, 6), scenario=scenario, window=(50, 60), group="by hand",
    metrics={"kept": kept, "least": lambda run: kept(run, np.min),
             "CoV before": lambda run: metrics.variation(rates(run, 30, 50)),
             "all streams, KB/s": lambda run: metrics.total("media", "sent")(run) / 8,
             "lost, %": metrics.loss("media"),
             "TCP, KB/s": lambda run: metrics.rate("tcp", "sent")(run) / 8},
    series={"all streams": lambda run: rates(run, 0, END).tolist()},
    tables=[Table("Sources of 30 KB/s", where={"rate": 30}, versus={"flow": "tfrc-marc"}),
            Table("A crowd of 800", where={"crowd": 800}, versus={"flow": "tfrc-marc"})],
    plot=plot, figure_size=(8, 3.4))
