# SPDX-License-Identifier: GPL-2.0-only
"""How far packets leave from their nominal times: TFRC on our pacer, beside CCID 3.

A greedy flow on 100 Mbit/s, 20 ms, of which each 228th packet is lost, so that the equation
allows about 1000 packets/s. The time between two packets on the wire is compared with
s / X, X being the mean of what the socket says in the window.
"""

import numpy as np

from labkit import Experiment, Flow, Scenario, matrix, metrics

SIZE = 1000


def scenario(_rng, flow, **_):
    """One run; X varies less with a short history."""
    parameters = {} if flow == "ccid3" else {"loss_history": 2}
    return Scenario({"rate": "100mbit", "rtt": 20, "queue": 1000},
                    [Flow(flow, parameters=parameters, options=["--qlen", 50])], seconds=32,
                    setup=[("", "topology loss 228")])


def nominal(run):
    """s / X, us."""
    return SIZE * 8e6 / metrics.trace("x")(run)


def spacing(run):
    """Between data packets, us."""
    rows = run.rows("media", "sent")
    return np.diff(np.sort(rows.loc[rows["payload"] > 0, "sent"].to_numpy())) * 1e6


def error(quantile):
    """Of the distance from the nominal spacing."""
    return lambda run: float(np.quantile(np.abs(spacing(run) - nominal(run)), quantile))


EXPERIMENT = Experiment(
    title="Spacing of a greedy flow's packets, us",
    source="no paper",
    cases=matrix(flow=("ccid3", "tfrc")),
    scenario=scenario,
    window=(21, 31),
    metrics={"s / X": nominal, "mean": lambda run: float(spacing(run).mean()),
             "error: median": error(.5), "99 %": error(.99), "largest": error(1),
             "within 20 us, %": lambda run: 100 * float(
                 (np.abs(spacing(run) - nominal(run)) <= 20).mean())})
