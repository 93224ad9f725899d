# SPDX-License-Identifier: GPL-2.0-only
"""RFC 8867, 5.7, with RFC 8868's bursts: two calls beside groups of 30 TCP flows on 2 Mbit/s.

As in RFC 8868, 5.1, 30 connections start together and fetch 30 to 50 KB each, evenly distributed.
When all have ended, there is an idle time with an exponential distribution of 10 s on average. All
else is as in rtc_web, which has ten flows instead.
"""

import dataclasses

from labkit import experiment

WEB = experiment.load("rtc_web")


def scenario(rng, seed, **case):
    """One run."""
    return dataclasses.replace(WEB.scenario(rng, seed, **case), traffic=[
        f"--seed {seed} --fetch 1 --fetch-first 1 --fetch-files 30"])


EXPERIMENT = dataclasses.replace(
    WEB, title="Two calls beside bursts of 30 TCP flows on 2 Mbit/s", scenario=scenario,
    metrics={name: metric for name, metric in WEB.metrics.items() if name != "CoV of TCP"})
