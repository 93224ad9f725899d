# SPDX-License-Identifier: GPL-2.0-only
"""CTFAF's figures 4 and 7: the steadiest and the roughest flow, with enough seeds to compare.

The flows are those of table 2 with T_reset of 30 and 300 s (ctfaf.py), and those of tables 3 and 4
with a delay of 0.4 s and a queue of 0.1 s (ctfaf_delays.py). Three seeds, which suffice for the
tables, leave it open here which flow is steadier; ten take an hour on two processors.
"""

from labkit import Experiment, Table, experiment, report

TABLE_2, DELAYS = experiment.load("ctfaf"), experiment.load("ctfaf_delays")
RESETS = "T_reset 30 s", "T_reset 300 s"
SCHEMES = "CTFAF", "LDA+"
SHOWN = "least sigma", "greatest sigma", "sigma", "sigma of X", "r", "F"


def scenario(rng, seed, flow, run):
    """One run."""
    if run in RESETS:
        return TABLE_2.scenario(rng, seed, flow, f"delta 4, {run}")
    return DELAYS.scenario(rng, seed, flow, run, 27, 0.4, 0.1)


def plot(figure, results):
    """Bars with intervals."""
    for axes, metric in zip(figure.subplots(1, 2, sharey=True), SHOWN):
        report.bars(axes, results, metric, results.cases())


EXPERIMENT = Experiment(
    title="The steadiest and the roughest flow, by T_reset, and of CTFAF and LDA+",
    source="CTFAF, figures 4 and 7",
    cases=[{"flow": "ctfaf-paper", "run": run} for run in RESETS + SCHEMES],
    seeds=range(1, 11), scenario=scenario, window=TABLE_2.window,
    metrics={name: TABLE_2.metrics[name] for name in SHOWN}, group="by hand", limit=9000,
    tables=[Table("Rates in kbit/s", SHOWN)], plot=plot, figure_size=(7, 3.4))
