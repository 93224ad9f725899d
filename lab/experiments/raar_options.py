# SPDX-License-Identifier: GPL-2.0-only
"""RAAR with per_rtt and fast_down, in the place of raar_mix.

One run for each, with the delta of the default; raar_mix has the default itself. per_rtt makes
RAAR take more of the link, and so lose more. There is no target for the delay of the queue.
"""

from labkit import Experiment, Table, experiment

MIX = experiment.load("raar_mix")
SHOWN = ("kbit/s", "TCP", "ratio", "CoV, 0.2 s", "CoV, 1 s", "CoV, 4 s",
         "equivalence with TCP, 1 s", "dropped, %", "acks")


def scenario(rng, flow, **more):
    """One run."""
    return MIX.scenario(rng, flow, dict(p.split("=") for p in ("target_delay=0", more["with"])))


EXPERIMENT = Experiment(
    title="RAAR's options beside TCP",
    source="RAAR, no figure",
    cases=[{"flow": "raar", "with": values} for values in ("per_rtt=1", "fast_down=1")],
    scenario=scenario, window=MIX.window,
    metrics={name: MIX.metrics[name] for name in SHOWN},
    tables=[Table("16 media flows and 16 TCP, as in raar_mix")])
