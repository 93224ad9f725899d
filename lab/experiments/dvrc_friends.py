# SPDX-License-Identifier: GPL-2.0-only
"""DVRC's figures 15 and 16: 1 to 50 media flows, 20 and 40 TCP flows, 10 Mbit/s, 70 ms.

As dvrc_many, without link errors. Shares are of IP packets that leave the bottleneck, over an equal
share of the link. "1000 bytes" are packets of this size, without frames, at the rate of the fifth
layer or below; with TFRC at 500 kbit/s. "video" has frames in five layers, with TFRC in one of 500
kbit/s. The paper does not give the layers: the fifth is 500 kbit/s, or 1.25 equal shares ("250
kbit/s").
"""

from labkit import Experiment, Flow, Scenario, Table, layered, matrix, metrics

LAYERS = {"": layered.LAYERS, "250 kbit/s": "50K,100K,150K,200K,250K"}


def scenario(rng, seed, flow, count, tcp, packets, fifth="", **more):
    """One run."""
    options = ["--layers", "500K" if flow == "tfrc" else LAYERS[fifth]]
    if packets == "1000 bytes":
        options = ["-b", "500K"] if flow == "tfrc" else [*options, "-b", 0]
    return Scenario({"rate": layered.LINK, "rtt": layered.RTT},
                    [Flow(flow, s, parameters=layered.own(more), options=options +
                          ["--seed", 100 * seed + i] * (packets == "video"))
                     for i, s in enumerate(layered.begin(rng, count))],
                    [layered.tcp(rng, tcp)], layered.END, layered.network(), trace_interval=1)


MEDIA = "dvrc-paper", "dvrc", "tfrc"
EXPERIMENT = Experiment(
    title="Shares of media flows beside TCP on 10 Mbit/s, 70 ms",
    source="DVRC, figures 15 and 16",
    cases=matrix(tcp=(20,), packets=("video", "1000 bytes"), count=(30,), flow=MEDIA) +
    matrix(tcp=(20,), packets=("video",), count=(10, 50), flow=("dvrc-paper", "tfrc")) +
    matrix(tcp=(40,), packets=("video",), count=(50,), flow=("dvrc-paper", "tfrc")) +
    matrix(tcp=(20,), packets=("video", "1000 bytes"), count=(30,), fifth=("250 kbit/s",),
           flow=("dvrc-paper",)) +
    [{"tcp": 20, "packets": "video", "count": 30, "with": "nominal_size=1000", "flow": "dvrc"}],
    full=matrix(tcp=(20, 40), packets=("video",), count=(1, 10, 30, 50), flow=MEDIA),
    seeds=(1, 2, 3), scenario=scenario, window=(layered.START, layered.END),
    metrics={"media": lambda run: metrics.rate("media")(run) / layered.equal(run),
             "TCP": lambda run: metrics.rate("tcp")(run) / layered.equal(run),
             "TCP's distance from 1": lambda run:
             abs(metrics.rate("tcp")(run) / layered.equal(run) - 1),
             "lost, %": metrics.loss("media"),
             "packet, bytes": lambda run: float(run.rows("media", "passed")["payload"].mean())},
    tables=[Table(f"{tcp} TCP, {packets}", where={"tcp": tcp, "packets": packets})
            for packets in ("video", "1000 bytes") for tcp in (20, 40)])
