# SPDX-License-Identifier: GPL-2.0-only
"""Metrics, of packets that are written down by hand."""

import math

import pandas as pd
import pytest
from labkit import metrics

NEVER = math.nan


def run(rows, window=(0, 10), **more):
    """Rows: sent, passed, class, flow, size."""
    frame = pd.DataFrame([{"sent": a, "passed": b, "arrived": b, "name": c, "flow": d, "size": e,
                           "payload": e - 36, "seq": i, "ce": False}
                          for i, (a, b, c, d, e) in enumerate(rows)])
    back = pd.DataFrame(more.pop("back", []), columns=["sent", "name", "flow", "size"])
    return metrics.Run(frame, back, window, **more)


def test_window_is_common():
    """A packet counts where it is seen in the window: 1000 bytes in 10 s are 0.8 kbit/s."""
    r = run([(-1, 1, "media", 1, 1000), (9, 11, "media", 1, 1000), (9.5, 9.9, "tcp", 2, 500)])
    assert metrics.total("media", "sent")(r) == pytest.approx(0.8)
    assert metrics.total("media", "passed")(r) == pytest.approx(0.8)
    assert metrics.total("tcp")(r) == pytest.approx(0.4)
    assert metrics.used(1e3)(r) == pytest.approx(1.2)


def test_rate_is_that_of_a_flow():
    """Also of one that is silent in the window."""
    r = run([(1, 1, "media", 1, 1000), (11, 11, "media", 2, 1000)])
    assert metrics.rate("media")(r) == pytest.approx(0.4)


def test_loss():
    """What came in the window and never left."""
    r = run([(1, 2, "media", 1, 100), (2, NEVER, "media", 1, 100), (3, 20, "media", 1, 100),
             (4, 5, "tcp", 2, 100), (12, NEVER, "media", 1, 100)])
    assert metrics.loss("media")(r) == pytest.approx(100 / 3)
    assert metrics.loss()(r) == pytest.approx(25)


def test_delay():
    """Lost packets have none."""
    r = run([(1, 1.1, "media", 1, 100), (2, 2.3, "media", 1, 100), (3, NEVER, "media", 1, 100)])
    assert metrics.delay("media")(r) == pytest.approx(200)
    assert metrics.delay("media", 1)(r) == pytest.approx(300)


def test_cov():
    """Bins of 1 and 3 packets: mean 2, deviation 1. A flow without packets does not count."""
    r = run([(0.1, 0.1, "media", 1, 100), (1.1, 1, "media", 1, 100), (1.2, 1, "media", 1, 100),
             (1.3, 1, "media", 1, 100), (5, 5, "media", 2, 100)], window=(0, 2))
    assert metrics.cov("media", 1)(r) == pytest.approx(0.5)


def test_bins_are_whole():
    """What is left of the window at its end is not a bin."""
    r = run([(2.4, 2, "media", 1, 100)], window=(0, 2.5))
    assert r.bins("media", 1, "sent").shape == (1, 2)


def test_fairness():
    """Rates 1 and 3: 16 / (2 * 10)."""
    r = run([(1, 1, "media", 1, 100)] + [(i, i, "media", 2, 100) for i in (1, 2, 3)])
    assert metrics.fairness("media")(r) == pytest.approx(0.8)
    assert metrics.worst_fairness("media")(r) == pytest.approx(1 / 3)
    assert metrics.spread("media")(r) == pytest.approx(0.08)


def test_equivalence():
    """First bin 1 to 2, second one equal."""
    r = run([(0.5, 0, "media", 1, 100), (1.5, 0, "media", 1, 100),
             (0.5, 0, "tcp", 2, 200), (1.5, 0, "tcp", 2, 100)], window=(0, 2))
    assert metrics.equivalence("media", "tcp", 1)(r) == pytest.approx(0.75)


def test_loss_event_rate():
    """Losses within a round-trip time of the first are one event."""
    r = run([(t, NEVER if t in (1, 1.05, 1.2) else t, "media", 1, 100)
             for t in (0.5, 1, 1.05, 1.2, 1.5)])
    assert metrics.loss_event_rate(0.1)(r) == pytest.approx(2 / 5)


def test_goodput():
    """A retransmission is nothing new; nor does the wrap of the sequence number make it so."""
    start = 2**32 - 1000
    frame = pd.DataFrame([{"sent": t, "passed": t, "name": "tcp", "flow": 1, "size": 1040,
                           "payload": 1000, "seq": s % 2**32}
                          for t, s in ((1, start), (2, start + 1000), (3, start),
                                       (4, start + 2000))])
    r = metrics.Run(frame, None, (0, 10))
    assert metrics.goodput("tcp")(r) == pytest.approx(3 * 0.8)
    assert metrics.goodput("tcp")(r.within((2.5, 4.5))) == pytest.approx(1 * 4)
    assert metrics.goodput("tcp")(r.within((2.5, 3.5))) == 0
    frame["seq"] = -1                   # UDP, DCCP
    assert metrics.goodput("tcp")(r) == pytest.approx(4 * 0.8)


def test_steadiest():
    """Of two flows the one with equal bins comes first."""
    r = run([(0.5, 0.5, "media", 1, 100), (0.5, 0.5, "media", 2, 100), (1.5, 1.5, "media", 2, 100)],
            window=(0, 2))
    assert metrics.steadiest("media", 1)(r).tolist() == [[0.8, 0.8], [0.8, 0]]


def test_gaps():
    """One of three packets comes later than the gap allows."""
    r = run([(t, t, "media", 1, 100) for t in (1, 1.05, 1.2)])
    assert metrics.gaps("media", 0.075)(r) == pytest.approx(100 / 3)


def test_acks():
    """Two packets back for four of data."""
    r = run([(t, t, "media", 1, 100) for t in (1, 2, 3, 4)],
            back=[(1, "media", 1, 40), (2, "media", 1, 40), (20, "media", 1, 40)])
    assert metrics.acks("media")(r) == pytest.approx(0.5)
    assert metrics.acks("media", "size")(r) == pytest.approx(20)


def test_lines(tmp_path):
    """dccperf is killed at the end of a run, in the middle of a line."""
    (tmp_path / "0.csv").write_text("mono,x\n1,20\n2,-")
    assert metrics.lines(tmp_path / "0.csv").to_dict("list") == {"mono": [1], "x": [20]}
    for text in "", "mono,x":
        (tmp_path / "0.csv").write_text(text)
        assert list(metrics.lines(tmp_path / "0.csv")) == ["mono"]
    assert metrics.lines(tmp_path / "none.csv").empty


def test_trace():
    """What the socket says, in the window only."""
    t = pd.DataFrame({"time": [1, 2, 3, 11], "x": [10, 10, 40, 1000]})
    r = run([(1, 1, "media", 1, 100)], traces=[t])
    assert metrics.trace("x")(r) == pytest.approx(20)
    assert metrics.trace("x", "step")(r) == pytest.approx(30)
    assert metrics.trace("x", "changes")(r) == 1
    assert metrics.trace("x", "last", after=1.5)(r) == pytest.approx(10)
    assert math.isnan(metrics.trace("nothing")(r))
