# SPDX-License-Identifier: GPL-2.0-only
"""Streams of 15 and of 30 small packets a second beside TCP, with a nominal size, and without.

A packet for each frame, of up to 1200 bytes of payload, from 16 kbit/s on; its size follows 90 % of
X. So the greatest rates are 144 and 288 kbit/s. Two streams and eight flows of TCP Reno are on 2
Mbit/s, 100 ms, a queue of 100 ms. A fair share of the link is 200 kbit/s. nominal: the parameter
nominal_size, bytes; 0: the equation and the increase have the size of the packets.
"""

from labkit import Experiment, Table, matrix, media, metrics

LINK, START, END, STREAMS, TCP = ((0, 2e6),), 5, 79, 2, 8


def scenario(_rng, seed, setting, flow, nominal):
    """One run."""
    parameters = {"nominal_size": nominal} if nominal else {}
    calls = [media.call(flow, START, END, parameters=parameters)] * STREAMS
    return media.scenario(setting, calls, END + 1, LINK, seed=seed, queue=100,
                          traffic=[f"--seed {seed}" + f" --tcp 0:{END}" * TCP])


EXPERIMENT = Experiment(
    title="Two thin streams beside eight TCP flows on 2 Mbit/s",
    source="RFC 4828",
    cases=matrix(setting=("thin15", "thin30"), flow=("marc", "ltfrc", "raar", "dvrc", "ctfaf"),
                 nominal=(0, 1460)),
    seeds=range(1, 6), scenario=scenario, window=(20, END),
    metrics={"kbit/s": metrics.rate("media", "arrived", "payload"),
             "bytes": lambda run: float(run.rows("media", "sent").query("payload > 0")["payload"]
                                        .mean()),
             "lost, %": metrics.loss("media", "arrived"), "p95": media.frame_delay(0.95),
             "good, %": media.good(), "Jain": metrics.fairness("media", "arrived"),
             "CoV": metrics.cov("media", 1), "TCP": metrics.goodput("tcp"),
             "TCP lost, %": metrics.loss("tcp")},
    tables=[Table("15 packets a second", where={"setting": "thin15"}),
            Table("30 packets a second", where={"setting": "thin30"})])
