# SPDX-License-Identifier: GPL-2.0-only
"""RFC 8867, 5.7: two calls beside ten sources of short TCP flows on 2 Mbit/s.

As in RFC 8868, 5.1, a source fetches 30 to 50 KB at a time, evenly distributed, and then is idle
for a time with an exponential distribution of 10 s on average. Two sources begin with a flow,
eight with idle time; TCP is Reno. RFC 8868 also speaks of groups of 30 connections that
start together: rtc_burst. The calls start at 5 s. Settings are those of rtc_capacity.
"""

from labkit import Experiment, Table, matrix, media, metrics

LINK, START, END = ((0, 2e6),), 5, 299


def scenario(_rng, seed, setting, flow):
    """One run."""
    return media.scenario(setting, [media.call(flow, START, END)] * 2, END + 1, LINK, seed=seed,
                          traffic=[f"--seed {seed} --fetch 10 --fetch-first 2"])


EXPERIMENT = Experiment(
    title="Two calls beside ten sources of short TCP flows on 2 Mbit/s",
    source="RFC 8867, 5.7",
    cases=matrix(setting=("rfc", "even"), flow=media.FLOWS),
    seeds=range(1, 6), scenario=scenario, window=(START, END),
    metrics={**media.of_all(LINK), "Jain": metrics.fairness("media", "arrived"),
             "TCP, all": metrics.total("web", "arrived", "payload"),
             "CoV of TCP": lambda run: metrics.variation(
                 run.bins("web", 1, "sent").sum(axis=0))},
    tables=[Table("As the RFC has it", where={"setting": "rfc"}),
            Table("Even frames, no jitter, no audio", where={"setting": "even"})])
