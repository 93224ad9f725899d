# SPDX-License-Identifier: GPL-2.0-only
"""DVRC's figures 15 and 16: 1 to 50 media flows, 20 and 40 TCP flows, 10 Mbit/s, 70 ms.

As dvrc_many, without link errors. Shares are of IP packets that leave the bottleneck, over an equal
share of the link. "1000 bytes" are packets of this size, without frames, at the rate of the fifth
layer or below; with TFRC at 500 kbit/s. "video" has frames in layers, of TFRC, too.
"""

from labkit import Experiment, Flow, Scenario, Table, matrix, metrics, networks

LAYERS, MSS, RTT, LINK, START, END = "100K,200K,300K,400K,500K", 988, 70, 10e6, 20, 50


def scenario(rng, flow, count, tcp, packets, **_):
    """One run."""
    options = ["--layers", LAYERS, *(["-b", 0] if packets == "1000 bytes" else [])]
    if flow == "tfrc" and packets == "1000 bytes":
        options = ["-b", "500K"]
    starts, now = [], 0
    for _i in range(count):
        starts.append(now)
        now += rng.random() / count
    times = " ".join(f"--tcp {1 + rng.random():.3f}:{END}" for _i in range(tcp))
    return Scenario({"rate": "10mbit", "rtt": RTT, "queue": 84},
                    [Flow(flow, s, options=options) for s in starts],
                    [f"--mss {MSS} {times}"], END, networks.tcp_of_ns2(),
                    trace_interval=1)


def equal(run):
    """kbit/s of an equal share."""
    return LINK / 1e3 / (len(run.flows("media")) + len(run.flows("tcp")))


MEDIA = "dvrc-paper", "dvrc", "tfrc"
EXPERIMENT = Experiment(
    title="Shares of media flows beside TCP on 10 Mbit/s, 70 ms",
    source="DVRC, figures 15 and 16",
    cases=matrix(tcp=(20,), packets=("video", "1000 bytes"), count=(30,), flow=MEDIA),
    full=matrix(tcp=(20, 40), packets=("video",), count=(1, 10, 30, 50), flow=MEDIA) +
    matrix(tcp=(40,), packets=("1000 bytes",), count=(30,), flow=MEDIA),
    seeds=(1, 2, 3), scenario=scenario, window=(START, END),
    metrics={"media": lambda run: metrics.rate("media")(run) / equal(run),
             "TCP": lambda run: metrics.rate("tcp")(run) / equal(run),
             "lost, %": metrics.loss("media"),
             "packet, bytes": lambda run: float(run.rows("media", "passed")["payload"].mean())},
    tables=[Table(f"{tcp} TCP, {packets}", where={"tcp": tcp, "packets": packets})
            for packets in ("video", "1000 bytes") for tcp in (20, 40)])
