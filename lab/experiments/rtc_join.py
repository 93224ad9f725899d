# SPDX-License-Identifier: GPL-2.0-only
"""RFC 8867, 5.4: calls of one kind join each other on 3.5 Mbit/s at 0, 20 and 40 s.

Settings are those of rtc_capacity. Jain: index of the three flows' mean rates from 60 s on;
joined: s after its start until the third video has 70 % of a third of the link.
"""

from labkit import Experiment, Table, matrix, media, metrics, report

LINK, END, STARTS = ((0, 3.5e6),), 119, (0, 20, 40)
TOGETHER = 60, END


def scenario(_rng, seed, setting, flow):
    """One run."""
    return media.scenario(setting, [media.call(flow, s, END) for s in STARTS], END + 1, LINK,
                          seed=seed)


def plot(figure, results):
    """The third video as it leaves the bottleneck."""
    axes = figure.subplots()
    report.over_time(axes, results, "third", results.cases(setting="rfc"))
    axes.set_title("The third call, kbit/s")
    axes.legend(ncol=2)


EXPERIMENT = Experiment(
    title="Three calls that start one after the other on 3.5 Mbit/s",
    source="RFC 8867, 5.4",
    cases=matrix(setting=("rfc", "even"), flow=media.FLOWS),
    seeds=range(1, 6), scenario=scenario, window=(0, END),
    metrics={**media.of_all(LINK, together=TOGETHER),
             "Jain": lambda run: metrics.fairness("media", "arrived")(run.within(TOGETHER)),
             "joined, s": media.reaches(0.7 * 3500 / 3, STARTS[2], 2)},
    series={"third": metrics.rates("media", 1, "passed", 2)},
    tables=[Table("As the RFC has it", where={"setting": "rfc"}),
            Table("Even frames, no jitter, no audio", where={"setting": "even"})],
    plot=plot)
