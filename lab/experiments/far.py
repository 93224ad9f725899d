# SPDX-License-Identifier: GPL-2.0-only
"""A call on a link of 6 Mbit/s, which it never fills, by the propagation delay each way.

There is no queue, so nothing but the congestion control keeps the encoder, of the setting "rfc" of
rtc_capacity, from its most: 1500 kbit/s. Jitter and audio are as there.
"""

from labkit import Experiment, Table, matrix, media

LINK, END = ((0, 6e6),), 60
ONE_WAY = (10, 50, 150, 300)


def scenario(_rng, seed, one_way, flow):
    """One run."""
    return media.scenario("rfc", [media.call(flow, 0, END, one_way=one_way)], END + 1, LINK,
                          seed=seed)


EXPERIMENT = Experiment(
    title="A call that has a link for itself, near and far",
    source="no paper",
    cases=matrix(one_way=ONE_WAY, flow=("marc-interactive", "ltfrc-interactive", "marc", "ltfrc",
                                        "raar", "dvrc", "ctfaf", "ccid3")),
    seeds=range(1, 4), scenario=scenario, window=(20, END), metrics=media.of_all(LINK),
    tables=[Table(f"{one_way} ms", where={"one_way": one_way}) for one_way in ONE_WAY])
