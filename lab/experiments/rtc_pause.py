# SPDX-License-Identifier: GPL-2.0-only
"""RFC 8867, 5.8: three calls on 3.5 Mbit/s; the second one pauses from 40 to 60 s.

Settings are those of rtc_capacity; audio does not pause. resumed: s after 60 s until the second
video has 70 % of a third of the link again; Jain: of the mean rates from 70 s on.
"""

from labkit import Experiment, Table, matrix, media, metrics, report

LINK, END, PAUSE = ((0, 3.5e6),), 119, (40, 60)
TOGETHER = 70, END


def scenario(_rng, seed, setting, flow):
    """One run."""
    calls = [media.call(flow, 0, END, pause=f"{PAUSE[0]}:{PAUSE[1]}" if i == 1 else "")
             for i in range(3)]
    return media.scenario(setting, calls, END + 1, LINK, seed=seed)


def plot(figure, results):
    """The second video as it leaves the bottleneck."""
    axes = figure.subplots()
    axes.axvspan(*PAUSE, color="#e9eef2")
    report.over_time(axes, results, "second", results.cases(setting="rfc"))
    axes.set_title("The call that pauses, kbit/s")
    axes.legend(ncol=2)


EXPERIMENT = Experiment(
    title="Three calls on 3.5 Mbit/s, one of which pauses",
    source="RFC 8867, 5.8",
    cases=matrix(setting=("rfc", "even"), flow=media.FLOWS),
    seeds=range(1, 6), scenario=scenario, window=(0, END),
    metrics={**media.of_all(LINK, together=TOGETHER),
             "Jain": lambda run: metrics.fairness("media", "arrived")(run.within(TOGETHER)),
             "resumed, s": media.reaches(0.7 * 3500 / 3, PAUSE[1], 1)},
    series={"second": metrics.rates("media", 1, "passed", 1)},
    tables=[Table("As the RFC has it", where={"setting": "rfc"}),
            Table("Even frames, no jitter, no audio", where={"setting": "even"})],
    plot=plot)
