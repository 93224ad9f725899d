# SPDX-License-Identifier: GPL-2.0-only
"""L-TFRC's figure 4 as ltfrc_share, but TCP's receivers acknowledge each segment, as ns-2's do.

A round-trip time of 100 ms. The metrics are those of ltfrc_share. L-TFRC's preset "paper" has no
recovery point, so it is compared with a TFRC that has none. TFRC runs in ns-2, too (labkit/ns2.py).
"""

from labkit import Experiment, Table, experiment, matrix

SHARE = experiment.load("ltfrc_share")
PATHS = {"drop-tail": "Drop-tail, 63 packets", "RED": "RED, 125 packets"}


def scenario(rng, seed, flow, path):
    """One run."""
    return SHARE.scenario(rng, seed, flow, path, every=True)


EXPERIMENT = Experiment(
    title="One flow against 16 TCP on 5 Mbit/s whose receivers acknowledge each segment",
    source="L-TFRC, figure 4",
    cases=matrix(path=PATHS, flow=("tfrc-norecovery", "ns2", "ltfrc-paper", "ltfrc")),
    full=matrix(path=PATHS, flow=("tfrc", "ltfrc8", "ccid3")),
    seeds=range(1, 6), scenario=scenario, window=SHARE.window, metrics=SHARE.metrics,
    tables=[Table(title, where={"path": path}) for path, title in PATHS.items()])
