# SPDX-License-Identifier: GPL-2.0-only
"""RFC 8867, 5.1, with a limit of the rate by the queueing delay, and without.

target_delay is the delay of the queue to aim at, ms; 0: no limit. The network is that of
rtc_capacity, with 50 ms forward. CTFAF's report interval T is 1 s, or 200 ms, its default. It
begins at 350 kbit/s, its default, or at 40 kbit/s, as in the preset "paper".
"""

from labkit import Experiment, Table, matrix, media

LINK, END = ((0, 1e6), (40, 2.5e6), (60, 0.6e6), (80, 1e6)), 99


def scenario(_rng, seed, setting, flow, target, interval=None, start=None):
    """One run."""
    parameters = {"target_delay": target}
    parameters |= {"interval": interval} if interval else {}
    parameters |= {"r_start": start} if start else {}
    return media.scenario(setting, [media.call(flow, 0, END, parameters=parameters)],
                          END + 1, LINK, seed=seed)


EXPERIMENT = Experiment(
    title="One call with a target for the delay of the queue",
    source="RFC 8867, 5.1",
    cases=matrix(setting=("rfc", "even"), flow=("marc", "ltfrc", "raar", "dvrc"),
                 target=(0, 50)) +
    matrix(setting=("rfc", "even"), flow=("ctfaf",), target=(0, 50), interval=(1000, 200)) +
    matrix(setting=("rfc", "even"), flow=("ctfaf",), target=(0, 50), interval=(1000,),
           start=(5000,)),
    seeds=range(1, 6), scenario=scenario, window=(0, END),
    metrics={**media.of_all(LINK), "down, s": media.drains(LINK[2][0])},
    tables=[Table("As the RFC has it", where={"setting": "rfc"}),
            Table("Even frames, no jitter, no audio", where={"setting": "even"})])
