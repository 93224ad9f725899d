# SPDX-License-Identifier: GPL-2.0-only
"""RFC 8867, 5.8, with a limit of the rate by the queueing delay, and without.

target is as in rtc_target; the rest is as in rtc_pause.
"""

from labkit import Experiment, Table, matrix, media, metrics

LINK, END, PAUSE = ((0, 3.5e6),), 119, (40, 60)


def scenario(_rng, seed, setting, flow, target):
    """One run."""
    parameters = {"target_delay": target} if target else {}
    calls = [media.call(flow, 0, END, pause=f"{PAUSE[0]}:{PAUSE[1]}" if i == 1 else "",
                        parameters=parameters) for i in range(3)]
    return media.scenario(setting, calls, END + 1, LINK, seed=seed)


EXPERIMENT = Experiment(
    title="Three calls with a target for the delay of the queue, one of which pauses",
    source="RFC 8867, 5.8",
    cases=matrix(setting=("rfc",), flow=("marc", "ltfrc", "raar", "dvrc", "ctfaf"),
                 target=(0, 50)),
    seeds=range(1, 6), scenario=scenario, window=(0, END),
    metrics={**media.of_all(LINK),
             "Jain": lambda run: metrics.fairness("media", "arrived")(run.within((70, END))),
             "resumed, s": media.reaches(0.7 * 3500 / 3, PAUSE[1], 1)},
    tables=[Table("As the RFC has it", where={"setting": "rfc"})])
