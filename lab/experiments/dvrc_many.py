# SPDX-License-Identifier: GPL-2.0-only
"""DVRC's figures 8 to 10: 1 to 50 videos and ten TCP flows, 10 Mbit/s, 70 ms, link errors.

Videos of DVRC have five layers, 100K to 500K; those of TFRC and TCP Westwood+ (the kernel's) have
500 kbit/s. TCP is Reno without SACK, with windows of 64 KB; the queue is one product of bandwidth
and delay. The errors of the paper's access links are those of one link here, which all media flows
share, in both directions from 15 s on: a packet is lost with probability 0.01, after a lost one
with 0.15. What counts is what arrives, from 20 s to 50 s, and once; late is what comes more than
75 ms after the packet before it; the delivery index is what is neither, of what was sent. Other
than in the paper, all flows have the same round-trip time, and DVRC's packets are less than half as
long, because its layers make them.
"""

from labkit import Experiment, Flow, Scenario, Table, matrix, metrics, networks, report

LAYERS, RATE, MSS, RTT, TCP, START, END = "100K,200K,300K,400K,500K", 500e3, 988, 70, 10, 20, 50


def scenario(rng, flow, count, **_):
    """One run."""
    starts, now = [], 0
    for _i in range(count):
        starts.append(now)
        now += rng.random() / count
    tcp = " ".join(f"--tcp {1 + rng.random():.3f}:{END}" for _i in range(TCP))
    options = ["-b", RATE] if flow == "tfrc" else ["--layers", LAYERS]
    videos = f"--mss {MSS} --congestion westwood --count-as media --tcp-rate {RATE / 8:.0f} " + \
        " ".join(f"--tcp {s:.3f}:{END}" for s in starts)
    return Scenario({"rate": "10mbit", "rtt": RTT, "queue": 84},
                    [Flow(flow, s, options=options) for s in starts] * (flow != "westwood"),
                    [f"--mss {MSS} {tcp}"] + [videos] * (flow == "westwood"), END,
                    [("", "modprobe tcp_westwood"), *networks.tcp_of_ns2(),
                     *networks.own_way(RTT)],
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


MEDIA = "dvrc-paper", "dvrc", "tfrc", "westwood"
EXPERIMENT = Experiment(
    title="Videos and ten TCP on 10 Mbit/s, 70 ms, link errors",
    source="DVRC, figures 8 to 10",
    cases=matrix(count=(10, 50), flow=MEDIA),
    full=matrix(count=(1, 10, 30, 50), flow=MEDIA),
    seeds=(1, 2, 3), scenario=scenario, window=(START, END),
    metrics={"all media, Mbit/s": lambda run:
             metrics.goodput("media", "arrived")(run) * len(run.flows("media")) / 1e3,
             "CoV": metrics.cov("media", 0.15, "arrived"), "delivery index": index,
             "lost, %": lost, "late, %": metrics.gaps("media", 0.075),
             "fairness": metrics.fairness("media", "arrived"),
             "worst case": metrics.worst_fairness("media", "arrived"),
             "TCP, Mbit/s": lambda run: metrics.goodput("tcp", "arrived")(run) * TCP / 1e3},
    tables=[Table(f"{n} media flows", where={"count": n}) for n in (1, 10, 30, 50)],
    plot=plot, figure_size=(5.4, 3.4))
