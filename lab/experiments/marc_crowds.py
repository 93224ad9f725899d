# SPDX-License-Identifier: GPL-2.0-only
"""MARC's figures 13 and 14: 20 streams and one TCP in a flash crowd, 10 Mbit/s.

As in the paper (section 5.1): a crowd of 400 to 1000 short TCP flows from 50 s to 55 s; sources
of 30 KB/s in figure 13. In figure 14 the crowd has 800, and the text names 10 KB/s of a fair share
of 60. Network and TCP are those of crowd.py at 10 Mbit/s, n = 128. The paper does not say how long
a run is: here 80 s.
"Kept" is the rate from 50 s to 60 s over that from 30 s to 50 s.
"""

from labkit import Experiment, Flow, Scenario, Table, matrix, metrics, networks
from labkit.experiment import HEADERS, spread

FLOWS, PACKET, END = 20, 1000, 80
KINDS = "tfrc-marc", "marc-paper"


def scenario(rng, seed, flow, crowd, rate):
    """One run."""
    payload = PACKET - HEADERS
    return Scenario({"red": True, "rate": "10mbit", "rtt": 140, "queue": 318, "mtu": 1100},
                    [Flow(flow, t, parameters={"loss_history": 128},
                          options=["-b", rate * payload * 8, "-l", payload])
                     for t in spread(rng, FLOWS, 0, 2)],
                    [f"--seed {seed} --tcp 0:{END} --crowd {crowd} --crowd-at 50 --crowd-for 5"],
                    END, networks.tcp(PACKET), trace_interval=1)


def kept(run):
    """Rate in the crowd over that before it."""
    return metrics.total("media", "sent")(run.within((50, 60))) / \
        metrics.total("media", "sent")(run.within((30, 50)))


EXPERIMENT = Experiment(
    title="20 streams and one TCP in a flash crowd, 10 Mbit/s, 140 ms",
    source="MARC, figures 13 and 14",
    cases=matrix(crowd=(400, 1000), rate=(30,), flow=KINDS) +
    matrix(crowd=(800,), rate=(10, 30), flow=KINDS),
    full=matrix(crowd=(400, 600, 800, 1000), rate=(30,), flow=(*KINDS, "marc")) +
    matrix(crowd=(800,), rate=(10, 20, 40), flow=(*KINDS, "marc")),
    seeds=range(1, 6), scenario=scenario, window=(50, 60), group="by hand",
    metrics={"kept": kept, "all streams, KB/s": lambda run: metrics.total("media", "sent")(run) / 8,
             "lost, %": metrics.loss("media"),
             "TCP, KB/s": lambda run: metrics.rate("tcp", "sent")(run) / 8},
    series={"all streams": lambda run: (run.within((0, END)).bins("media", 1, "sent").sum(
        axis=0) / 1e3).tolist()},
    tables=[Table("Sources of 30 KB/s", where={"rate": 30}, versus={"flow": "tfrc-marc"}),
            Table("A crowd of 800", where={"crowd": 800}, versus={"flow": "tfrc-marc"})])
