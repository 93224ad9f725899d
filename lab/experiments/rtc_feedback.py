# SPDX-License-Identifier: GPL-2.0-only
"""RFC 8867, 5.3: a call in each direction, with capacities that change in both.

Feedback shares the way with the other direction's video. "reference" is the same with no limit
on the way back and no call there, with which the RFC compares. Settings are those of
rtc_capacity.
"""

from labkit import Experiment, Table, matrix, media

FORWARD = (0, 2e6), (20, 1e6), (40, 0.5e6), (60, 2e6)
BACK, END = ((0, 2e6), (35, 0.8e6), (70, 2e6)), 99


def scenario(_rng, seed, setting, way_back, flow):
    """One run."""
    both = way_back == "congested"
    calls = [media.call(flow, 0, END)] + [media.call(flow, 0, END, right=True)] * both
    return media.scenario(setting, calls, END + 1, FORWARD, seed=seed,
                          back_capacity=BACK if both else ())


EXPERIMENT = Experiment(
    title="Calls in both directions, feedback behind the other's queue",
    source="RFC 8867, 5.3",
    cases=matrix(setting=("rfc", "even"), way_back=("congested", "reference"), flow=media.FLOWS),
    seeds=range(1, 6), scenario=scenario, window=(0, END),
    metrics={**media.of_all(FORWARD), "use back, %": media.use(BACK, "media back"),
             "good back, %": media.good("media back")},
    tables=[Table("As the RFC has it", where={"setting": "rfc"}),
            Table("Even frames, no jitter, no audio", where={"setting": "even"})])
