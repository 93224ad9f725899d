# SPDX-License-Identifier: GPL-2.0-only
"""L-TFRC's figure 3: one flow on a constant link, its variance and periodic fluctuation.

What the paper leaves open: 2 Mbit/s, 50 ms, a queue of 30 packets; 1000 bytes of payload.
A run differs from the others in when its flow starts. X is that of the socket, each 0.1 s.
Swing: (greatest - least) / mean of X in 20 s. Period: of the strongest oscillation of X, if
its autocorrelation is above 0.3.
"""

import math

import numpy as np

from labkit import Experiment, Flow, Scenario, matrix, metrics, report

START, END = 50, 150


def scenario(rng, flow, **_):
    """One run."""
    return Scenario({"rate": "2mbit", "rtt": 50, "queue": 30}, [Flow(flow, rng.random())],
                    seconds=END)


def x(run):
    """Of the only flow."""
    trace = run.traces[0]
    return trace.loc[(trace["time"] >= START) & (trace["time"] < END), "x"].to_numpy(float)


def swing(run):
    """Mean over windows of 20 s."""
    values = x(run)
    parts = [values[i:i + 200] for i in range(0, len(values) - 199, 200)]
    return float(np.mean([(p.max() - p.min()) / p.mean() for p in parts]))


def period(run):
    """In s; NaN if there is none."""
    v = x(run) - x(run).mean()
    power = float((v * v).sum())
    if power < 1e-6 * len(v) * x(run).mean() ** 2:
        return math.nan
    r = np.array([(v[:len(v) - lag] * v[lag:]).sum() / power * len(v) / (len(v) - lag)
                  for lag in range(len(v) // 3)])
    low = int(np.argmax(r < 0))
    if r[low] >= 0:
        return math.nan
    peak = low + int(np.argmax(r[low:]))
    return peak * 0.1 if r[peak] > 0.3 else math.nan


def plot(figure, results):
    """X over time."""
    axes = figure.subplots()
    for case in results.cases():
        values = results.runs(**case)[0]["series"]["X"][:100]
        axes.plot([START + i * 0.4 for i in range(len(values))], values, linewidth=1.2,
                  color=report.flows.color(case["flow"]), label=report.experiment.case_label(case))
    axes.set(xlabel="time (s)", ylabel="X, kbit/s")
    axes.legend()


EXPERIMENT = Experiment(
    title="One flow alone on 2 Mbit/s, 50 ms, a queue of 30 packets",
    source="L-TFRC, figure 3",
    cases=matrix(flow=("ccid3", "tfrc-norecovery", "ltfrc-paper", "tfrc", "ltfrc", "ltfrc11",
                       "ltfrc15")),
    seeds=range(1, 4),
    scenario=scenario, window=(START, END),
    metrics={"CoV of X": metrics.trace("x", "cov"), "CoV, 1 s": metrics.cov("media", 1),
             "swing of X": swing, "period, s": period, "RTT, ms": metrics.trace("rtt_ms"),
             "its SD": metrics.trace("rtt_ms", "std"), "delay, ms": metrics.delay("media"),
             "kbit/s": metrics.rate("media", column="payload"), "lost, %": metrics.loss("media")},
    series={"X": metrics.traced("x", 1e-3, 4)}, plot=plot)
