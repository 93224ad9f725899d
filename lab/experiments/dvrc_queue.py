# SPDX-License-Identifier: GPL-2.0-only
"""DVRC's figure 11: the queue with 40 videos of DVRC, and with 40 of plain UDP, and ten TCP.

As in the paper, and as dvrc_many: 10 Mbit/s, 70 ms, a queue of one product of both, five layers.
A video over UDP is 500 kbit/s of packets of 1000 bytes, whatever is lost. Other than in the
paper, whose figure is of the second of two routers, there is one bottleneck, and no link errors.
The queue is what has come to the bottleneck and not left it, each 0.1 s; full is at least 95 % of
its room.
"""

import numpy as np

from labkit import Experiment, Flow, Scenario, matrix, metrics, networks, report

LAYERS, MSS, RTT, ROOM, TCP, COUNT = "100K,200K,300K,400K,500K", 988, 70, 84, 10, 40
START, END, STEP = 20, 50, 0.1


def scenario(rng, flow, **_):
    """One run."""
    starts = [rng.random() for _i in range(COUNT)]
    tcp = " ".join(f"--tcp {1 + rng.random():.3f}:{END}" for _i in range(TCP))
    udp = " ".join(f"--cbr {s:.3f}:{END}:62500" for s in starts)
    return Scenario({"rate": "10mbit", "rtt": RTT, "queue": ROOM},
                    [Flow(flow, s, options=["--layers", LAYERS]) for s in starts] *
                    (flow != "udp"),
                    [f"--mss {MSS} {tcp}"] + [f"--duration {END} {udp}"] * (flow == "udp"), END,
                    networks.tcp_of_ns2(), trace_interval=1)


def queue(run):
    """Packets in it."""
    if "queue" not in run.derived:
        p = run.packets.dropna(subset=["passed"])
        times = np.arange(START, END, STEP)
        run.derived["queue"] = np.searchsorted(np.sort(p["sent"].to_numpy()), times) - \
            np.searchsorted(np.sort(p["passed"].to_numpy()), times)
    return run.derived["queue"]


def plot(figure, results):
    """Over time."""
    axes = figure.subplots()
    for case in results.cases():
        axes.plot(np.arange(START, END, STEP), results.runs(**case)[0]["series"]["queue"],
                  linewidth=0.8, color=report.flows.color(case["flow"]),
                  label=report.flows.label(case["flow"]))
    axes.set(xlabel="time (s)", ylabel="packets in the queue", ylim=(0, None))
    axes.legend()


EXPERIMENT = Experiment(
    title="The queue with 40 videos and ten TCP on 10 Mbit/s, 70 ms",
    source="DVRC, figure 11",
    cases=matrix(flow=("dvrc-paper", "udp")), full=matrix(flow=("dvrc", "tfrc")),
    seeds=range(1, 9), scenario=scenario, window=(START, END), group="by hand",
    metrics={"packets": lambda run: float(queue(run).mean()),
             "SD": lambda run: float(queue(run).std()), "least": lambda run: int(queue(run).min()),
             "full, %": lambda run: 100 * float((queue(run) >= 0.95 * ROOM).mean()),
             "dropped, %": metrics.loss(),
             "TCP, Mbit/s": lambda run: metrics.total("tcp")(run) / 1e3},
    series={"queue": lambda run: queue(run).tolist()}, plot=plot)
