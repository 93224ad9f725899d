# SPDX-License-Identifier: GPL-2.0-only
"""All experiments: each case has a scenario."""

import math
import random

import pandas as pd
import pytest
from labkit import experiment, metrics, networks


@pytest.mark.parametrize("name", experiment.names())
def test_scenarios(name):
    """With the arguments that the runner gives."""
    spec = experiment.load(name)
    for case in spec.all_cases() if spec.scenario else ():
        assert spec.scenario(random.Random(1), seed=1, **case).data()["seconds"] > 0


def test_late_packets():
    """MARC's figure 24: of three that pass one waits 0.2 s at the sender, and 0.1 s is the longest
    delay in the queue; that is 0.05 s too much."""
    spec = experiment.load("marc_onoff")
    scenario = spec.scenario(random.Random(1), seed=1, flow="tfrc-marc", rate=20)
    rows = [(3, 3.1), (3.05, 3.15), (3.3, 3.35), (3.35, math.nan)]
    packets = pd.DataFrame([{"name": "media", "flow": 1, "sent": a, "passed": b, "payload": 964}
                            for a, b in rows])
    run = metrics.Run(packets, None, (0, 110), scenario=scenario)
    assert spec.metrics["late from 0 s, %"](run) == pytest.approx(100 / 3)
    assert spec.metrics["longest wait, ms"](run) == pytest.approx(250)
    assert spec.metrics["longest in the queue, ms"](run) == pytest.approx(100)


def test_small_segments():
    """No MSS below TCP_MIN_MSS, 88, is announced; the MTU of a route can be as small."""
    more = networks.tcp(100, small=True)[len(networks.tcp(100)):]
    assert [command for _, command in more] == [
        "ip route add default via 10.0.1.2 table 1 mtu 100 initcwnd 2",
        "ip rule add ipproto tcp table 1"]
