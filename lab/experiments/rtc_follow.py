# SPDX-License-Identifier: GPL-2.0-only
"""RFC 8867, 5.1 again: an encoder that follows X, or X_inst; with a recovery point, or without.

MARC and L-TFRC send at X_inst (RFC 5348, 4.5) and not at X. While a queue grows X_inst is less
than X. follow=inst: the encoder takes 90 % of the lesser of the two, and not of X. recovery=0:
loss events last for R, as in RFC 5348. CCID 3 has neither. There is no target_delay. Settings are
those of rtc_capacity.
"""

from labkit import Experiment, Table, matrix, media

LINK, END = ((0, 1e6), (40, 2.5e6), (60, 0.6e6), (80, 1e6)), 99


def scenario(_rng, seed, setting, flow, follow, recovery):
    """One run."""
    parameters = {}
    if flow != "ccid3":
        parameters = {"target_delay": 0, **({} if recovery else {"recovery": 0})}
    return media.scenario(setting, [media.call(flow, 0, END, follow=follow,
                                               parameters=parameters)],
                          END + 1, LINK, seed=seed)


EXPERIMENT = Experiment(
    title="What an encoder follows: X or X_inst",
    source="RFC 8867, 5.1",
    cases=[c for c in matrix(setting=("rfc", "even"), flow=("marc", "ltfrc", "ccid3"),
                             follow=("x", "inst"), recovery=(1, 0))
           if c["flow"] != "ccid3" or (c["follow"], c["recovery"]) == ("x", 0)],
    seeds=range(1, 6), scenario=scenario, window=(0, END),
    metrics=media.of_all(LINK),
    tables=[Table("As the RFC has it", where={"setting": "rfc"}),
            Table("Even frames, no jitter, no audio", where={"setting": "even"})])
