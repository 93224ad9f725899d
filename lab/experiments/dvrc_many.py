# SPDX-License-Identifier: GPL-2.0-only
"""DVRC's figures 8 to 10: 1 to 50 videos and ten TCP flows, 10 Mbit/s, 70 ms, link errors.

All videos have the same model of frames, and each its own random numbers: DVRC's have five layers,
100K to 500K, the others 500 kbit/s. TCP is NewReno without SACK, with windows of 64 KB; the queue
is one product of bandwidth and delay, in bytes. The errors of the paper's access links are those of
one link here, which all media flows share, in both directions: a packet is lost with probability
0.01, after a lost one with 0.15. What counts is what arrives, and once, from 2 s to 60 s; late is
what comes more than 75 ms after the packet before it; a flow's delivery index is what is neither,
of its packets at the bottleneck. The CoV is in bins of 150 ms; that of the source is of the video
as it is made, whose frames have different sizes. Other than in the paper, access links have no rate
and one round-trip time, there is one bottleneck, and DVRC's packets are less than half as long,
because its layers make them.
"""

from labkit import Experiment, Scenario, Table, layered, matrix, metrics, networks, report

TCP, RTT = 10, layered.RTT


def scenario(rng, seed, flow, count, **more):
    """One run."""
    flows, videos = layered.videos(rng, seed, flow, count, **more)
    return Scenario({"rate": layered.LINK, "rtt": RTT}, flows,
                    [layered.tcp(rng, TCP), *videos], layered.END,
                    layered.network() + networks.own_way(RTT), layered.errors(),
                    trace_interval=1, at_right=True)


def index(run):
    """Delivery index, mean of the flows."""
    sent = run.rows("media", "sent").query("payload > 0")
    there = run.rows("media", "arrived").query("payload > 0").sort_values("arrived")
    late = there.groupby("flow")["arrived"].agg(lambda t: (t.diff() > 0.075).mean())
    each = (1 - late) * sent.groupby("flow")["arrived"].agg("count") / sent.groupby("flow").size()
    return float(each.reindex(run.flows("media")).fillna(0).mean())     # 0: nothing arrived


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
    cases=matrix(count=(10, 50), flow=MEDIA) +
    [{"count": 50, "flow": "dvrc-paper", "with": "weight_layers=1"}],
    full=matrix(count=(1, 30), flow=MEDIA),
    seeds=range(1, 5), scenario=scenario, window=(layered.START, layered.END),
    metrics={"all media, Mbit/s": lambda run:
             metrics.goodput("media", "arrived")(run) * len(run.flows("media")) / 1e3,
             "CoV": metrics.cov("media", 0.15, "arrived"),
             "CoV of the source": layered.source_cov(0.15), "delivery index": index,
             "lost, %": metrics.loss("media", "arrived"), "late, %": metrics.gaps("media", 0.075),
             "fairness": metrics.fairness("media", "arrived"),
             "worst case": metrics.worst_fairness("media", "arrived"),
             "TCP, Mbit/s": lambda run: metrics.goodput("tcp", "arrived")(run) * TCP / 1e3},
    tables=[Table(f"{n} media flows", where={"count": n}) for n in (1, 10, 30, 50)],
    plot=plot, figure_size=(5.4, 3.4))
