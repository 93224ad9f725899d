# SPDX-License-Identifier: GPL-2.0-only
"""DVRC's figures 8 to 10: 1 to 50 videos and ten TCP flows, 10 Mbit/s, 70 ms, link errors.

Videos have five layers, 100K to 500K; TFRC sends the whole video. TCP is Reno without SACK,
with windows of 64 KB; the queue is one product of bandwidth and delay. The errors of the
paper's access links are those of one link here, which all media flows share, in both
directions from 15 s on: a packet is lost with probability 0.01, after a lost one with 0.15.
What counts is what arrives, from 20 s to 50 s; late is what comes more than 75 ms after the
packet before it; the delivery index is what is neither, of what was sent. Other than in the
paper, all flows have the same round-trip time, TFRC's packets are as small as the layers make them,
and TCP's receivers acknowledge each other segment.
"""

from labkit import Experiment, Flow, Scenario, Table, matrix, metrics, networks, report

LAYERS, MSS, RTT, TCP, START, END = "100K,200K,300K,400K,500K", 988, 70, 10, 20, 50


def scenario(rng, flow, count, **_):
    """One run."""
    starts, now = [], 0
    for _i in range(count):
        starts.append(now)
        now += rng.random() / count
    tcp = " ".join(f"--tcp {1 + rng.random():.3f}:{END}" for _i in range(TCP))
    return Scenario({"rate": "10mbit", "rtt": RTT, "queue": 84},
                    [Flow(flow, s, options=["--layers", LAYERS]) for s in starts],
                    [f"--mss {MSS} {tcp}"], END,
                    networks.tcp_of_ns2(every=False) + networks.own_way(RTT),
                    networks.lose(15, RTT, "loss gemodel 1% 85%", both=True),
                    trace_interval=1, at_right=True)


def lost(run):
    """% of what was sent."""
    return metrics.loss("media", "arrived")(run)


def index(run):
    """Delivery index."""
    return (1 - metrics.gaps("media", 0.075)(run) / 100) * (1 - lost(run) / 100)


def plot(figure, results):
    """Delivery index by the number of flows."""
    axes = figure.subplots()
    report.against(axes, results, "delivery index", "count",
                   [{"flow": f} for f in dict.fromkeys(c["flow"] for c in results.cases())])
    axes.set_xlabel("media flows")
    axes.legend()


EXPERIMENT = Experiment(
    title="Videos and ten TCP on 10 Mbit/s, 70 ms, link errors",
    source="DVRC, figures 8 to 10",
    cases=matrix(count=(10, 50), flow=("dvrc-paper", "dvrc", "tfrc")),
    full=matrix(count=(1, 10, 30, 50), flow=("dvrc-paper", "dvrc", "tfrc")),
    seeds=(1, 2, 3), scenario=scenario, window=(START, END),
    metrics={"all media, Mbit/s": lambda run:
             metrics.total("media", "arrived", "payload")(run) / 1e3,
             "CoV": metrics.cov("media", 0.15, "arrived"), "delivery index": index,
             "lost, %": lost, "late, %": metrics.gaps("media", 0.075),
             "fairness": metrics.fairness("media", "arrived"),
             "worst case": metrics.worst_fairness("media", "arrived"),
             "TCP, Mbit/s": lambda run: metrics.goodput("tcp", "arrived")(run) * TCP / 1e3},
    tables=[Table(f"{n} media flows", where={"count": n}) for n in (1, 10, 30, 50)],
    plot=plot, figure_size=(5.4, 3.4))
