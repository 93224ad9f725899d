# SPDX-License-Identifier: GPL-2.0-only
"""RFC 8867, 5.6: a call beside a long TCP flow on 2 Mbit/s, queues of 300 and 1000 ms.

TCP starts at 0 s, the call at 5 s. TCP is Reno, the RFC's default, or Cubic. Settings are those
of rtc_capacity. "link, %" is the video's share of the link, "TCP" the goodput of TCP in kbit/s.
"""

from labkit import Experiment, Table, matrix, media, metrics

LINK, START, END = ((0, 2e6),), 5, 119


def scenario(_rng, seed, setting, queue, tcp, flow):
    """One run."""
    return media.scenario(setting, [media.call(flow, START, END)], END + 1, LINK, seed=seed,
                          queue=queue, traffic=[f"--tcp 0:{END} --congestion {tcp}"])


EXPERIMENT = Experiment(
    title="A call beside one long TCP flow on 2 Mbit/s",
    source="RFC 8867, 5.6",
    cases=matrix(setting=("rfc",), queue=(300, 1000), tcp=("reno", "cubic"), flow=media.FLOWS) +
    matrix(setting=("even",), queue=(300,), tcp=("cubic",), flow=media.FLOWS),
    seeds=range(1, 6), scenario=scenario, window=(START, END),
    metrics={**media.of_all(LINK), "TCP": metrics.goodput("tcp"),
             "TCP lost, %": metrics.loss("tcp")},
    tables=[Table(f"As the RFC has it, {queue} ms, {name}",
                  where={"setting": "rfc", "queue": queue, "tcp": tcp})
            for queue in (300, 1000) for tcp, name in (("reno", "Reno"), ("cubic", "Cubic"))] +
    [Table("Even frames, no jitter, no audio, 300 ms, Cubic", where={"setting": "even"})])
