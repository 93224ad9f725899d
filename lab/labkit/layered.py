# SPDX-License-Identifier: GPL-2.0-only
"""The videos and the network of DVRC's paper, for its experiments.

Rates of videos have the headers that their programs know of: with dccperf its own 32 bytes, over
UDP all, over TCP none.
"""

import itertools
import re

import numpy as np

from labkit import experiment, metrics, networks
from labkit.experiment import Flow

TRAFFIC = experiment.program("traffic")
LAYERS, RATE, MSS, RTT, START, END = "100K,200K,300K,400K,500K", 500e3, 988, 70, 2, 60
LINK = "10mbit"
ROOM = 10e6 / 8 * RTT / 1e3         # bytes: one product of bandwidth and delay


def own(case):
    """Parameters that a case has "with": one KEY=VALUE."""
    return dict([case["with"].split("=")] if "with" in case else [])


def begin(rng, count):
    """When so many flows start: within a second, one by one."""
    return [(i + rng.random()) / count for i in range(count)]


def videos(rng, seed, flow, count, options="", **case):
    """(flows of dccperf, what lab/traffic sends)."""
    starts = begin(rng, count)
    if flow == "rtcp":
        return [], [f"--seed {seed} {options} " +
                    " ".join(f"--rtcp {s:.3f}:{END - s:.3f}" for s in starts)]
    if flow in ("westwood", "reno"):
        return [], [f"--seed {seed} --mss {MSS} --congestion {flow} --count-as media --tcp-rate "
                    f"{RATE / 8:.0f} " + " ".join(f"--tcp {s:.3f}:{END}" for s in starts)]
    layers = LAYERS if flow.startswith("dvrc") else "500K"
    return [Flow(flow, s, parameters=own(case),
                 options=["--layers", layers, "--seed", 100 * seed + i])
            for i, s in enumerate(starts)], []


def tcp(rng, count):
    """Arguments of lab/traffic: so many TCP flows, which start within a second."""
    return f"--mss {MSS} " + " ".join(f"--tcp {rng.random():.3f}:{END}" for _i in range(count))


def network(*, back=False):
    """Setup of 10 Mbit/s and 70 ms; back: the other direction has a rate, too."""
    return [("", "modprobe tcp_westwood"), *networks.tcp_of_ns2(),
            *networks.drop_tail(LINK, ROOM, 1000, back=RTT / 2 if back else None)]


def equal(run):
    """kbit/s of an equal share of the link."""
    return 10e3 / (len(run.flows("media")) + len(run.flows("tcp")))


def source_cov(scale):
    """CoV in bins of the videos as their sources make them, mean of the flows.

    The frames are lab/traffic's; those of dccperf are of the same model, with other random numbers.
    """
    def metric(run):
        videos = [(flow.start, flow.options[-1]) for flow in run.scenario.media]
        for text in run.scenario.traffic:
            if "--count-as media" in text or "--rtcp " in text:
                videos += [(float(start), f"{text.split()[1]}.{i}") for i, start in
                           enumerate(re.findall(r"--r?tcp ([\d.]+):", text))]
        edges = run.window[0] + scale * np.arange(int(run.seconds / scale + 1e-9) + 1)
        return metrics.mean(metrics.variation(np.histogram(
            start + np.arange(END * TRAFFIC.FPS) / TRAFFIC.FPS, edges,
            weights=list(itertools.islice(TRAFFIC.frames(seed), END * TRAFFIC.FPS)))[0])
            for start, seed in videos)
    return metric


def errors():
    """Events: media's packets are lost on the last link, in both directions."""
    return networks.lose(0, RTT, "loss gemodel 1% 85%", both=True)
