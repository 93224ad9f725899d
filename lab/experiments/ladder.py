# SPDX-License-Identifier: GPL-2.0-only
"""One CTFAF flow over time, with the constraints of an encoder, beside CCID 3 and TFRC.

An encoder has steps of 300 kbit/s from 300 kbit/s to 2.7 Mbit/s and should change by no
more than one of them at a time: r_min, r_max, S and delta. T is 2 s, T_init and T_reset
are 30 s. The link has 3 Mbit/s, 80 ms and a queue of 40 packets; from 80 s to 140 s two
TCP flows share it. The paper preset of CTFAF is here with the same constraints.
"""

from labkit import Experiment, Flow, Scenario, matrix, metrics, report

LADDER = {"r_min": "300K", "r_max": "2.7M", "step": "300K", "delta": "300K", "r_start": "300K",
          "interval": 2, "t_init": 30, "t_reset": 30}
TRACED = {"X": "x", "r": "rate", "R_b": "bottleneck", "B": "virtual_bandwidth"}


def scenario(_rng, flow, **_):
    """One run."""
    return Scenario({"rate": "3mbit", "rtt": 80, "queue": 40},
                    [Flow(flow, parameters=LADDER if "ctfaf" in flow else {},
                          options=["--qlen", 20])],
                    ["--tcp 80:60 --tcp 80:60"], 200, trace_interval=0.5)


def plot(figure, results):
    """What CTFAF decides, X of the others, B."""
    axes = figure.subplots(3, 1, sharex=True, height_ratios=(2, 2, 1))
    for name in "X", "r", "R_b":
        values = results.series(name, flow="ctfaf")
        axes[0].plot([40 + i for i in range(len(values))], values, label=name)
    axes[0].set_title("CTFAF with an encoder's ladder, Mbit/s")
    report.over_time(axes[1], results, "X", results.cases(), start=40)
    axes[1].set_title("X, Mbit/s")
    report.over_time(axes[2], results, "B", results.cases(flow="ctfaf"), start=40)
    axes[2].set_title("Virtual bandwidth, Mbit/s")
    for each in axes:
        each.axvspan(80, 140, color="#e9eef2")
        each.legend(loc="upper right")


EXPERIMENT = Experiment(
    title="One flow with the constraints of an encoder, 3 Mbit/s, two TCP flows from 80 s to 140 s",
    source="CTFAF, no figure",
    cases=matrix(flow=("ccid3", "tfrc", "ctfaf", "ctfaf-paper")),
    scenario=scenario,
    window=(40, 200),
    metrics={"received, kbit/s": metrics.rate("media", column="payload"),
             "lost, %": metrics.loss("media"), "delay, ms": metrics.delay("media"),
             "CoV of X": metrics.trace("x", "cov"),
             "largest change of X, kbit/s": metrics.trace("x", "step", 1e-3),
             "changes of X": metrics.trace("x", "changes")},
    series={name: metrics.traced(column, 1e-6, 2) for name, column in TRACED.items()},
    plot=plot, figure_size=(7.6, 7))
