# SPDX-License-Identifier: GPL-2.0-only
"""RFC 8867, 5.1: one call on a link of 1, 2.5, 0.6 and 1 Mbit/s.

Forward propagation is 50 or 100 ms, that of the way back is 50 ms. The capacity of the link
itself changes; the RFC's other way, a stream of UDP beside the call, is left out. What is
common to all cases is in labkit/media.py: 20 kbit/s of audio, jitter, a queue of 300 ms.
"even" is a simpler setting than the RFC's: no jitter, no audio, frames of equal size from an
encoder that reacts at once, 300 kbit/s to 4 Mbit/s.

up: s after 40 s until 1 s of video has 90 % of the link, or of the encoder's most; down: s after
60 s until the queue is below 100 ms again.
"""

from labkit import Experiment, Table, matrix, media, metrics, report
from labkit.encoder import CODECS

LINK, END = ((0, 1e6), (40, 2.5e6), (60, 0.6e6), (80, 1e6)), 99


def scenario(_rng, seed, setting, one_way, flow):
    """One run."""
    return media.scenario(setting, [media.call(flow, 0, END, one_way=one_way)], END + 1, LINK,
                          seed=seed, back_way=50)


def up(run):
    """Until the rise of the capacity is used."""
    most = min(LINK[1][1], CODECS[run.scenario.media[0].codec].most)
    return media.reaches(0.9 * most / 1e3, LINK[1][0])(run.within((LINK[1][0], LINK[2][0])))


def plot(figure, results):
    """Video as it leaves the bottleneck."""
    for axes, one_way in zip(figure.subplots(2, 1, sharex=True), (50, 100)):
        report.over_time(axes, results, "video", results.cases(setting="rfc", one_way=one_way))
        axes.step([when for when, _ in LINK] + [END], [r / 1e3 for _, r in LINK] + [1000],
                  where="post", color=report.INK, linewidth=0.8)
        axes.set_title(f"{one_way} ms forward, kbit/s")
    figure.axes[0].legend(ncol=2)


EXPERIMENT = Experiment(
    title="One call on a link whose capacity changes",
    source="RFC 8867, 5.1",
    cases=[c for c in matrix(setting=("rfc", "even"), one_way=(50, 100), flow=media.FLOWS)
           if (c["setting"], c["one_way"]) != ("even", 100)],
    seeds=range(1, 6), scenario=scenario, window=(0, END),
    metrics={**media.of_all(LINK), "up, s": up,
             "down, s": media.drains(LINK[2][0])},
    series={"video": metrics.rates("media", 1, "passed")},
    tables=[Table("As the RFC has it, 50 ms", where={"setting": "rfc", "one_way": 50}),
            Table("As the RFC has it, 100 ms", where={"setting": "rfc", "one_way": 100}),
            Table("Even frames, no jitter, no audio, 50 ms", where={"setting": "even"})],
    plot=plot, figure_size=(7.6, 6))
