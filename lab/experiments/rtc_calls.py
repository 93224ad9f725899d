# SPDX-License-Identifier: GPL-2.0-only
"""RFC 8867, 5.2: two calls on a link of 4, 2, 3.5, 1 and 2 Mbit/s.

Settings and metrics are those of rtc_capacity; propagation is 50 or 100 ms forward, 50 ms back.
"""

from labkit import Experiment, Table, matrix, media, metrics

LINK, END = ((0, 4e6), (25, 2e6), (50, 3.5e6), (75, 1e6), (100, 2e6)), 124


def scenario(_rng, seed, setting, one_way, flow):
    """One run."""
    return media.scenario(setting, [media.call(flow, 0, END, one_way=one_way)] * 2, END + 1, LINK,
                          seed=seed, back_way=50)


EXPERIMENT = Experiment(
    title="Two calls on a link whose capacity changes",
    source="RFC 8867, 5.2",
    cases=[c for c in matrix(setting=("rfc", "even"), one_way=(50, 100), flow=media.FLOWS)
           if (c["setting"], c["one_way"]) != ("even", 100)],
    seeds=range(1, 6), scenario=scenario, window=(0, END),
    metrics={**media.of_all(LINK), "Jain": metrics.fairness("media", "arrived"),
             "down, s": media.drains(LINK[3][0])},
    tables=[Table("As the RFC has it, 50 ms", where={"setting": "rfc", "one_way": 50}),
            Table("As the RFC has it, 100 ms", where={"setting": "rfc", "one_way": 100}),
            Table("Even frames, no jitter, no audio, 50 ms", where={"setting": "even"})])
