# SPDX-License-Identifier: GPL-2.0-only
"""L-TFRC's figure 4, the part that is TFRC, here and in ns-2: one flow against 16 TCP on 5 Mbit/s.

The scenario is that of ltfrc_share.py. The paper leaves open whether TCP's receivers acknowledge
each segment, as those of ns-2 do unless one asks for TCPSink/DelAck, or each other one, as those
of Linux do. So both are tried. In the paper TFRC is starved, and at times at zero.
"""

from labkit import Experiment, Table, experiment, matrix

SHARE = experiment.load("ltfrc_share")
ACKS = "each", "each other"


def scenario(rng, seed, path, acks, flow):
    """One run."""
    return SHARE.scenario(rng, seed, flow, path, every=acks == "each")


EXPERIMENT = Experiment(
    title="TFRC against 16 TCP on 5 Mbit/s, here and in ns-2",
    source="L-TFRC, figure 4",
    cases=matrix(path=("drop-tail", "RED", "short", "long"), acks=ACKS, flow=("ns2",)) +
    matrix(path=("drop-tail", "long"), acks=ACKS, flow=("tfrc",)),
    seeds=range(1, 6), scenario=scenario, window=SHARE.window, metrics=SHARE.metrics,
    group="by hand", series=SHARE.series,
    tables=[Table(f"TCP acknowledges {acks} segment", where={"acks": acks}) for acks in ACKS] +
    [Table("Ratio to a TCP that acknowledges each other segment", ["share", "a TCP", "lost, %"],
           {"acks": "each"}, {"acks": "each other"}, ratio=True)])
