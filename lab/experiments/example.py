# SPDX-License-Identifier: GPL-2.0-only
"""An example: MARC and TFRC beside one TCP flow, which comes after 5 s and stays.

Documentation/tutorial/new-experiment.rst explains this file.
"""

from labkit import Experiment, Flow, Scenario, Table, matrix, metrics, report


def scenario(rng, seed, flow):
    """One run: 1.5 Mbit/s, 140 ms, a queue of one product of both."""
    return Scenario(topology={"rate": "1.5mbit", "rtt": 140, "queue": 18},
                    media=[Flow(flow)],
                    traffic=[f"--seed {seed} --tcp {5 + rng.random():.3f}:100"],
                    seconds=30)


def plot(figure, results):
    """Rates over time."""
    axes = figure.subplots()
    report.over_time(axes, results, "sent", results.cases(), start=10)
    axes.set_ylabel("kbit/s")
    axes.legend()


EXPERIMENT = Experiment(
    title="A media flow beside one TCP flow",
    source="an example",
    cases=matrix(flow=("tfrc", "marc")),
    seeds=range(1, 4),
    scenario=scenario,
    window=(10, 30),
    metrics={"kbit/s": metrics.rate("media"),
             "TCP": metrics.rate("tcp"),
             "lost, %": metrics.loss("media"),
             "delay, ms": metrics.delay("media"),
             "CoV": metrics.cov("media", 1)},
    series={"sent": metrics.rates("media", 1)},
    tables=[Table("", versus={"flow": "tfrc"})],
    plot=plot)
