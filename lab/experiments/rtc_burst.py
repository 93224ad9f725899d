# SPDX-License-Identifier: GPL-2.0-only
"""RFC 8867, 5.7, with RFC 8868's bursts: two calls beside groups of 30 TCP flows on 2 Mbit/s.

As in RFC 8868, 5.1, 30 connections start together and fetch 30 to 50 KB each, evenly distributed.
When all have ended, there is an idle time with an exponential distribution of 10 s on average. RFC
8867 has ten flows instead: rtc_web. TCP is Reno. The calls start at 5 s. Settings are those of
rtc_capacity.
"""

from labkit import Experiment, Table, matrix, media, metrics

LINK, START, END = ((0, 2e6),), 5, 299


def scenario(_rng, seed, setting, flow):
    """One run."""
    return media.scenario(setting, [media.call(flow, START, END)] * 2, END + 1, LINK, seed=seed,
                          traffic=[f"--seed {seed} --fetch 1 --fetch-first 1 --fetch-files 30"])


EXPERIMENT = Experiment(
    title="Two calls beside bursts of 30 TCP flows on 2 Mbit/s",
    source="RFC 8867, 5.7",
    cases=matrix(setting=("rfc", "even"), flow=media.FLOWS),
    seeds=range(1, 6), scenario=scenario, window=(START, END),
    metrics={**media.of_all(LINK), "Jain": metrics.fairness("media", "arrived"),
             "TCP, all": metrics.total("web", "arrived", "payload")},
    tables=[Table("As the RFC has it", where={"setting": "rfc"}),
            Table("Even frames, no jitter, no audio", where={"setting": "even"})])
