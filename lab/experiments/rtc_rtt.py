# SPDX-License-Identifier: GPL-2.0-only
"""RFC 8867, 5.5: five calls with 10, 25, 50, 100 and 150 ms each way join on 4 Mbit/s.

They start at 0, 10, 20, 30 and 40 s. Settings are those of rtc_capacity. Jain: of the mean
rates from 60 s on; "150 ms over 10": the rate of the last over that of the first.
"""

from labkit import Experiment, Table, matrix, media, metrics

LINK, END, WAYS = ((0, 4e6),), 299, (10, 25, 50, 100, 150)


def scenario(_rng, seed, setting, flow):
    """One run."""
    calls = [media.call(flow, 10 * i, END, one_way=way) for i, way in enumerate(WAYS)]
    return media.scenario(setting, calls, END + 1, LINK, seed=seed)


def ratio(run):
    """The farthest over the nearest."""
    rates = run.bins("media", run.seconds, "arrived")[:, 0]
    return float(rates[-1] / rates[0]) if rates[0] else float("nan")


EXPERIMENT = Experiment(
    title="Five calls with different round-trip times on 4 Mbit/s",
    source="RFC 8867, 5.5",
    cases=matrix(setting=("rfc", "even"), flow=media.FLOWS),
    seeds=range(1, 6), scenario=scenario, window=(60, END),
    metrics={**media.of_all(LINK), "Jain": metrics.fairness("media", "arrived"),
             "150 ms over 10": ratio},
    tables=[Table("As the RFC has it", where={"setting": "rfc"}),
            Table("Even frames, no jitter, no audio", where={"setting": "even"})])
