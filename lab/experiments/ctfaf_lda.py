# SPDX-License-Identifier: GPL-2.0-only
"""CTFAF's figures 6a and 6b: LDA+ beside as many TCP, packets of 100 bytes, 40 ms, FIFO.

As in the paper (appendix A): a queue of four products of bandwidth and delay; a link of 80 kbit/s
for each pair of flows (a), or of 1.5 Mbit/s (b). LDA+ is CTFAF without constraints, and states
its losses in 32 bits; a field of 8 bits, the other curve of (b), does not exist here. F is the
mean goodput of LDA+ over that of TCP. What the paper leaves open: the numbers of flows but one
(six in b), the first rate (here 10 kbit/s), the TCP, the length of a run (here 240 s, from 120 s
on).
"""

from labkit import Experiment, Flow, Scenario, Table, matrix, metrics, networks
from labkit.experiment import HEADERS, spread

PACKET, RTT, START, END = 100, 40, 120, 240


def scenario(rng, flow, link, count, **_):
    """One run: TCP's random numbers are drawn first."""
    tcp, media = spread(rng, count, 5, 15), spread(rng, count, 0, 5)
    rate = 2 * count * 40e3 if link == "grows" else 1.5e6
    return Scenario({"rate": f"{rate / 1e3:.0f}kbit", "rtt": RTT, "mtu": PACKET + 100,
                     "queue": max(4, round(4 * rate * RTT / 8e3 / PACKET))},
                    [Flow(flow, t, parameters={"r_start": "10K"},
                          options=["-l", PACKET - HEADERS, "--qlen", 20]) for t in media],
                    [" ".join(f"--tcp {t:.3f}:{END}" for t in tcp)], END, networks.tcp(PACKET),
                    trace_interval=1)


EXPERIMENT = Experiment(
    title="LDA+ beside as many TCP, packets of 100 bytes, 40 ms",
    source="CTFAF, figure 6",
    cases=matrix(link=("grows",), count=(4, 8), flow=("ctfaf-paper",)) +
    matrix(link=("1.5 Mbit/s",), count=(6,), flow=("ctfaf-paper",)),
    full=matrix(link=("grows", "1.5 Mbit/s"), count=(2, 4, 6, 8, 16, 32), flow=("ctfaf-paper",)),
    seeds=(1, 2, 3), scenario=scenario, window=(START, END), group="by hand", limit=9000,
    metrics={"F": lambda run: metrics.rate("media", column="payload")(run) / metrics.goodput()(run),
             "r, kbit/s": metrics.rate("media"), "TCP, kbit/s": metrics.rate("tcp"),
             "l, %": metrics.trace("loss", "mean", 100), "dropped, %": metrics.loss()},
    tables=[Table("A link of 80 kbit/s for each pair of flows", where={"link": "grows"}),
            Table("1.5 Mbit/s", where={"link": "1.5 Mbit/s"})])
