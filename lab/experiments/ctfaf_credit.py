# SPDX-License-Identifier: GPL-2.0-only
"""CTFAF at r_max for a minute, and what its credit then pays for.

r_max is 1.5 Mbit/s, the link has 4 Mbit/s, 25 ms each way and a queue of 30 ms, which is too short
for a limit by the delay. After 60 s the link has 1.2 Mbit/s; or 0.5 % of the packets are lost at
random from the beginning. decay is the share of B, in 10^-3, that is forgotten at each report.
"""

import dataclasses

from labkit import Experiment, Table, matrix, media

FALL, END = 60, 119
LINKS = {"falls": ((0, 4e6), (FALL, 1.2e6)), "lossy": ((0, 4e6),)}


def scenario(_rng, seed, link, flow, decay=None):
    """One run."""
    parameters = {"r_max": 187500, "decay": decay} if flow == "ctfaf" else {}
    made = media.scenario("even", [media.call(flow, 0, END, one_way=25, parameters=parameters)],
                          END + 1, LINKS[link], seed=seed, queue=30)
    if link == "falls":
        return made
    setup = [(ns, command.replace("delay 25ms", "delay 25ms loss 0.5%") if ns == "r2" else command)
             for ns, command in made.setup]
    return dataclasses.replace(made, setup=setup)


def per_second(run, at):
    """Bytes in each second."""
    return run.bins("media", 1, at)[0]


def lost(begin, end):
    """% of the bytes that the queue drops, in a part of the time."""
    return lambda run: float(100 - 100 * per_second(run, "passed")[begin:end].sum() /
                             per_second(run, "sent")[begin:end].sum())


def rate(begin, end):
    """Mbit/s that are sent, in a part of the time."""
    return lambda run: float(per_second(run, "sent")[begin:end].mean() * 8e-6)


EXPERIMENT = Experiment(
    title="A sender at its greatest rate, whose link falls below it or loses packets",
    source="CTFAF, no figure",
    cases=matrix(link=LINKS, flow=("ctfaf",), decay=(0, 20, 50, 100)) +
    matrix(link=LINKS, flow=("ccid3",)),
    seeds=range(1, 6), scenario=scenario, window=(0, END),
    group="by hand",
    metrics={"lost in 5 s, %": lost(FALL + 1, FALL + 6),
             "in the next 5 s": lost(FALL + 6, FALL + 11),
             "in the next 10 s": lost(FALL + 11, FALL + 21), "after that": lost(FALL + 21, END),
             "Mbit/s before": rate(30, FALL), "after": rate(FALL + 21, END)},
    tables=[Table("The link falls to 1.2 Mbit/s", where={"link": "falls"}),
            Table("0.5 % are lost at random", where={"link": "lossy"})])
