# SPDX-License-Identifier: GPL-2.0-only
"""RAAR's share beside TCP: how it depends on delta, and on the guards of the default.

In the place of raar_mix, one run for each value. The paper: delta "can be set as a value
between 1/5 and 1/10".
"""

from labkit import Experiment, Table, experiment

MIX = experiment.load("raar_mix")
SHOWN = "kbit/s", "TCP", "ratio", "equivalence with TCP, 1 s", "dropped, %", "acks"


def scenario(rng, flow, **more):
    """One run, with one parameter that is not that of the preset."""
    return MIX.scenario(rng, flow, dict([more["with"].split("=")]))


def cases(flow, *values):
    """Of a preset."""
    return [{"flow": flow, "with": value} for value in values]


EXPERIMENT = Experiment(
    title="RAAR's share beside TCP, by delta and guards",
    source="RAAR, section 4",
    cases=cases("raar-paper", "delta=0.1", "delta=0.2", "early_once=1") +
    cases("raar", "delta=0.5", "delta=1"),
    full=cases("raar", "delta=0.1", "delta=0.2", "delta=0.333", "delta=0.7") +
    cases("raar-paper", "wnd_max=1", "growth=2", "hole_events=1"),
    scenario=scenario, window=MIX.window,
    metrics={name: MIX.metrics[name] for name in SHOWN},
    tables=[Table("16 media flows and 16 TCP, as in raar_mix")])
