# SPDX-License-Identifier: GPL-2.0-only
"""CTFAF's figures 6a and 6b: LDA+ beside as many TCP, packets of 100 bytes, 40 ms, FIFO.

As in the paper (appendix A): a queue of four products of bandwidth and delay; a link of 80 kbit/s
for each pair of flows (a), or of 1.5 Mbit/s (b). LDA+ is CTFAF without constraints, and states
its losses in 32 bits; a field of 8 bits, the other curve of (b), does not exist here. F is the
mean goodput of LDA+ over that of TCP, in bytes; as headers differ, "F in packets" counts packets of
new data. What the paper leaves open: the numbers of flows but one (six in b), the first rate (here
10 kbit/s), the TCP, the length of a run (here 240 s, from 120 s on).

With four pairs one thing at a time is changed, which is about when packets come to the full queue:
the receivers of TCP acknowledge each other segment, or their acknowledgments take up to 10 ms
longer, at random; RED with the thresholds of ctfaf.py; no trains of probes.
"""

import numpy as np

from labkit import Experiment, Flow, Scenario, Table, matrix, metrics, networks
from labkit.experiment import HEADERS, spread

PACKET, RTT, START, END = 100, 40, 120, 240
CHANGES = "each other acknowledged", "acks at random times", "RED", "no probes"


def scenario(rng, flow, link, count, change="", **_):
    """One run: TCP's random numbers are drawn first."""
    tcp, media = spread(rng, count, 5, 15), spread(rng, count, 0, 5)
    rate = 1.5e6 if link == "1.5 Mbit/s" else 2 * count * 40e3
    room = max(4, round(4 * rate * RTT / 8e3 / PACKET))
    setup = networks.tcp(PACKET, every=change != "each other acknowledged", small=True)
    if change == "RED":
        setup = networks.red(f"{rate / 1e3:.0f}kbit", room * PACKET, .3 * room * PACKET,
                             .8 * room * PACKET, PACKET) + setup
    if change == "acks at random times":
        setup += [("right", "tc qdisc replace dev r2 root netem limit 100000 delay 5ms 5ms")]
    own = {"r_start": "10K", **({"probes": 0} if change == "no probes" else {})}
    return Scenario({"rate": f"{rate / 1e3:.0f}kbit", "rtt": RTT, "mtu": PACKET + 100,
                     "queue": room},
                    [Flow(flow, t, parameters=own,
                          options=["-l", PACKET - HEADERS, "--qlen", 20]) for t in media],
                    [" ".join(f"--tcp {t:.3f}:{END}" for t in tcp)], END, setup, trace_interval=1)


def in_packets(run):
    """F of packets with new data: what a packet carries differs."""
    data = run.rows("tcp", "passed")["payload"]
    return metrics.rate("media", column="payload")(run) / (PACKET - HEADERS) / (
        metrics.goodput()(run) / float(np.median(data[data > 0])))


EXPERIMENT = Experiment(
    title="LDA+ beside as many TCP, packets of 100 bytes, 40 ms",
    source="CTFAF, figure 6",
    cases=matrix(link=("grows",), count=(4, 8), flow=("ctfaf-paper",)) +
    matrix(link=("1.5 Mbit/s",), count=(6,), flow=("ctfaf-paper",)) +
    matrix(link=("grows",), count=(4,), change=CHANGES, flow=("ctfaf-paper",)),
    full=matrix(link=("grows", "1.5 Mbit/s"), count=(2, 4, 6, 8, 16, 32), flow=("ctfaf-paper",)),
    seeds=(1, 2, 3), scenario=scenario, window=(START, END), group="by hand", limit=9000,
    metrics={"F": lambda run: metrics.rate("media", column="payload")(run) / metrics.goodput()(run),
             "r, kbit/s": metrics.rate("media"), "TCP, kbit/s": metrics.rate("tcp"),
             "l, %": metrics.trace("loss", "mean", 100), "dropped, %": metrics.loss(),
             "F in packets": in_packets, "dropped of LDA+, %": metrics.loss("media"),
             "dropped of TCP, %": metrics.loss("tcp")},
    tables=[Table("A link of 80 kbit/s for each pair of flows", where={"link": "grows"}),
            Table("1.5 Mbit/s", where={"link": "1.5 Mbit/s"})])
