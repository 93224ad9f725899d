# SPDX-License-Identifier: GPL-2.0-only
"""All experiments: each case has a scenario."""

import math
import os
import random
import re

import numpy as np
import pandas as pd
import pytest
from labkit import experiment, metrics, networks, video


def known_parameters():
    """Of dccperf, by scheme."""
    with open(os.path.join(experiment.TOP, "tools/dccperf/test.h"), encoding="utf-8") as file:
        found = re.findall(r"\bX\((\w+), (\w+),", file.read())
    return {scheme: {key for s, key in found if s == scheme} for scheme, _ in found}


@pytest.mark.parametrize("name", experiment.names())
def test_scenarios(name):
    """With the arguments that the runner gives; dccperf knows the parameters of all flows."""
    spec, known = experiment.load(name), known_parameters()
    for case in spec.all_cases() if spec.scenario else ():
        data = spec.scenario(random.Random(1), seed=1, **case).data()
        assert data["seconds"] > 0
        for flow in data["media"]:
            for option, text in zip(flow["options"], flow["options"][1:]):
                if option[2:] in known:
                    assert {p.split("=")[0] for p in text.split(",")} <= known[option[2:]], text


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


def of_flows(rows, **columns):
    """A run of media packets: (flow, sent, passed or arrived)."""
    packets = pd.DataFrame([{"name": "media", "flow": flow, "sent": a, "passed": b, "arrived": b,
                             "payload": 500, "size": 1000, **columns} for flow, a, b in rows])
    return metrics.Run(packets, None, (0, 600))


def test_delivery_index():
    """Of the first flow a quarter is lost, and a third of what arrives is late; of the other
    nothing. Each flow counts as much."""
    spec = experiment.load("dvrc_many")
    run = of_flows([(1, 3, 3.1), (1, 3.01, 3.11), (1, 3.02, math.nan), (1, 3.1, 3.2)] +
                   [(2, 4 + i / 100, 4.1 + i / 100) for i in range(20)])
    assert spec.metrics["delivery index"](run) == pytest.approx((0.75 * 2 / 3 + 1) / 2)


def test_queue_in_bytes():
    """Two packets wait from 3 s to 4 s, one of them until 5 s; what is dropped never waits."""
    spec = experiment.load("dvrc_queue")
    run = of_flows([(1, 2.95, 3.95), (1, 2.96, 4.95), (1, 2.97, math.nan)])
    waiting = spec.series["queue"](run)
    assert [waiting[i] for i in (9, 15, 25, 35)] == pytest.approx([0, 2, 1, 0])
    assert spec.metrics["KB"](run) == pytest.approx((10 * 2 + 10) / 580)


def test_lost_to_a_transient_flow():
    """100 packets from 200 s to 400 s and 40 after that: 60 KB less."""
    spec = experiment.load("marc_transient")
    run = of_flows([(1, 200 + 2 * i, 201 + 2 * i) for i in range(100)] +
                   [(1, 400 + 5 * i, 401 + 5 * i) for i in range(40)]).within((400, 600))
    assert spec.metrics["TFRC lost, KB"](run) == pytest.approx(60)


def test_apart():
    """TCP flows have four addresses in turn; a round-trip time is at least the way back."""
    assert networks.tcp_apart([0, 1, 2, 3, 4], 9) == [
        "--bind 10.0.1.11 --tcp 0.000:9 --tcp 4.000:9", "--bind 10.0.1.12 --tcp 1.000:9",
        "--bind 10.0.1.13 --tcp 2.000:9", "--bind 10.0.1.14 --tcp 3.000:9"]
    assert len(networks.tcp_apart([0], 9)) == 1
    commands = [command for _, command in networks.apart((100, 180), 140)]
    assert any("handle 12: " in c and c.endswith("delay 110.0ms") for c in commands)
    assert any("src 10.0.1.12/32 flowid 1:2" in c for c in commands)
    for wrong in (100,), (60, 100):
        with pytest.raises(ValueError, match="at least 70"):
            networks.apart(wrong, 140)


@pytest.mark.parametrize("name, words", [
    ("marc_halve", {"before": 100, "rate": 20}), ("decay", {}), ("falls", {}), ("marc_landing", {}),
    ("marc_beside", {}), ("marc_history", {"beside": "a TCP"}), ("marc_short", {"beside": "loss"}),
    ("marc_transient", {}), ("marc_video", {})])
def test_seeds_differ(name, words):
    """No seed repeats another; 8 not 1 either."""
    spec = experiment.load(name)
    case = next(c for c in spec.all_cases() if words.items() <= c.items())
    seen = [str(spec.scenario(random.Random(s), seed=s, **case).data()).replace(
        f"--seed {s} ", "") for s in range(1, 20)]
    assert len(set(seen)) == len(seen)


def with_trace(scenario, xs, first, step, **columns):
    """A run with a trace of X (bit/s) from a moment on, a line each so many s."""
    trace = pd.DataFrame({"time": [first + step * i for i in range(len(xs))], "x": xs, **columns})
    return metrics.Run(None, None, (0, 10000), traces=[trace], scenario=scenario)


def test_x_before_the_step():
    """One odd line just before the step is not what is halved. X is 80, then 40 after 0.4 s."""
    spec = experiment.load("marc_halve")
    scenario = spec.scenario(random.Random(1), seed=1, before=100, rate=20, n=8, flow="marc")
    step = scenario.events[-1][0]
    run = with_trace(scenario, [80] * 99 + [30] + [80] * 20 + [40] * 20, step - 1.99, 0.02)
    assert spec.metrics["round trips"](run) == pytest.approx(0.41 / 0.08)


def test_tokens_that_last():
    """They are not used up in 0 reports."""
    spec = experiment.load("decay")
    times = [80 + i / 10 for i in range(800)]
    run = metrics.Run(
        pd.DataFrame({"name": "media", "flow": 1, "sent": times, "payload": 1000}),
        pd.DataFrame({"sent": times}), (100, 160),
        traces=[pd.DataFrame({"time": times, "tokens": 1e9, "x_calc": 1e6})])
    assert math.isnan(spec.metrics["reports"](run))
    run.traces[0].loc[250:, "tokens"] = 0           # from 105 s on
    assert spec.metrics["reports"](run) == 50


def test_a_second_below():
    """X is below the link's rate in the last line before the link rises: that is no second."""
    spec = experiment.load("raar_link")
    run = with_trace(None, [1e6] * 799 + [1e5] + [1e6] * 100, 40, 0.05)
    assert math.isnan(spec.metrics["down, s"](run))
    run = with_trace(None, [1e6] * 100 + [1e5] * 700, 40, 0.05)
    assert spec.metrics["down, s"](run) == pytest.approx(5)


def test_crossing():
    """100 packets/s, from 44.013 s on 250: at 44.128 s there are the 38 in 0.2 s of 1.5 Mbit/s."""
    spec = experiment.load("ltfrc_onoff")
    until = spec.metrics["up, s"].__globals__["until"]
    run = of_flows([(1, t, t) for t in [40 + i / 100 for i in range(401)] +
                    [44.013 + i / 250 for i in range(2000)]])
    assert until(run, 40, lambda v: v >= 1500) == pytest.approx(4.128, abs=0.003)
    assert until(run, 40, lambda v: v <= 0) == 10


def test_index_of_nothing():
    """A flow of which nothing arrives counts, and so does one that sends nothing."""
    spec = experiment.load("dvrc_many")
    run = of_flows([(1, 4 + i / 100, 4.1 + i / 100) for i in range(20)] + [(2, 3, math.nan)] +
                   [(3, 1, 1.1)]).within((2, 60))
    assert spec.metrics["delivery index"](run) == pytest.approx(1 / 3)


@pytest.mark.parametrize("flow", ["dvrc", "tfrc", "westwood"])
def test_cov_of_the_source(flow):
    """Frames of 5, 2.5 and 1 alone make 0.2 in bins of 150 ms, their random sizes the rest."""
    spec = experiment.load("dvrc_many")
    scenario = spec.scenario(random.Random(1), seed=1, flow=flow, count=10)
    run = metrics.Run(None, None, (2, 60), scenario=scenario)
    assert spec.metrics["CoV of the source"](run) == pytest.approx(0.28, abs=0.03)


def test_black_seconds(monkeypatch):
    """A second of which nothing can be decoded is black, not left out."""
    spec = experiment.load("ltfrc_video")
    monkeypatch.setattr(video, "black", lambda seconds, what: np.full(seconds * 25, 10.0))
    run = metrics.Run(None, None, (40, 100), derived={"psnr": np.array([30.0] * 59 + [math.nan])})
    assert spec.metrics["PSNR, dB"](run) == pytest.approx((59 * 30 + 10) / 60)
    assert spec.metrics["seconds without base"](run) == 1
