# SPDX-License-Identifier: GPL-2.0-only
"""DVRC's figure 11: the queue with 40 videos of DVRC, and with 40 of plain UDP, and ten TCP.

As dvrc_many, with its link errors; and with videos over TCP Reno, an AIMD. A video over UDP is 500
kbit/s of packets of 1000 bytes, whatever is lost, and without link errors. Other than in the paper,
whose figure is of the second of two routers, there is one bottleneck. The queue is what has come to
the bottleneck and not left it, each 0.1 s, in KB; full is at least 95 % of its room.
"""

import numpy as np

from labkit import Experiment, Scenario, experiment, layered, matrix, metrics, report

MANY, COUNT, STEP = experiment.load("dvrc_many"), 40, 0.1
START, END = layered.START, layered.END


def scenario(rng, seed, flow, **_):
    """One run."""
    spec = MANY.scenario(rng, seed, flow, COUNT)
    if flow != "udp":
        return spec
    udp = " ".join(f"--cbr {rng.random():.3f}:{END}:62500" for _i in range(COUNT))
    return Scenario(spec.topology, [], [spec.traffic[0], udp], END,
                    spec.setup, trace_interval=1)


def queue(run):
    """KB in it."""
    if "queue" not in run.derived:
        p, times = run.packets.dropna(subset=["passed"]), np.arange(START, END, STEP)

        def until(at):
            rows = p.sort_values(at)
            return np.append(0, rows["size"].cumsum())[np.searchsorted(rows[at], times)] / 1e3
        run.derived["queue"] = until("sent") - until("passed")
    return run.derived["queue"]


def plot(figure, results):
    """Over time."""
    axes = figure.subplots()
    for case in results.cases():
        axes.plot(np.arange(START, END, STEP), results.runs(**case)[0]["series"]["queue"],
                  linewidth=0.8, color=report.flows.color(case["flow"]),
                  label=report.flows.label(case["flow"]))
    axes.set(xlabel="time (s)", ylabel="KB in the queue", ylim=(0, None))
    axes.legend()


EXPERIMENT = Experiment(
    title="The queue with 40 videos and ten TCP on 10 Mbit/s, 70 ms",
    source="DVRC, figure 11",
    cases=matrix(flow=("dvrc-paper", "dvrc", "udp", "reno")), full=matrix(flow=("tfrc",)),
    seeds=(1, 2, 3), scenario=scenario, window=(START, END), group="by hand",
    metrics={"KB": lambda run: float(queue(run).mean()),
             "SD": lambda run: float(queue(run).std()),
             "least": lambda run: float(queue(run).min()),
             "full, %": lambda run: 100 * float((queue(run) >= 0.95 * layered.ROOM / 1e3).mean()),
             "dropped, %": metrics.loss(),
             "TCP, Mbit/s": lambda run: metrics.total("tcp")(run) / 1e3},
    series={"queue": lambda run: queue(run).tolist()}, plot=plot)
