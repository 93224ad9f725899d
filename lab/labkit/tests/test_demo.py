# SPDX-License-Identifier: GPL-2.0-only
"""What lab/demo computes from captures, with packets that are made here."""

import math

import pandas as pd
import pytest
from labkit import demo


def rows(name, flow, sent, *, lost=(), size=1000):
    """Packets of a flow, which take 10 ms to pass."""
    return pd.DataFrame([{"sent": t, "passed": math.nan if t in lost else t + 0.01,
                          "arrived": math.nan, "name": name, "flow": flow, "size": size,
                          "payload": size, "seq": i, "ce": False}
                         for i, t in enumerate(sent)])


def test_time_begins_with_the_request():
    """Each stream has a time of its own; the next one's packets are not in it."""
    packets = pd.concat([rows("marc", 1, [100, 101.5]), rows("tcp", 9, [103, 104]),
                         rows("raar", 2, [130, 131]), rows("tcp", 10, [133])])
    marc, zero = demo.of_one(packets, "marc")
    assert zero == 100
    assert sorted(marc["sent"]) == [0, 1.5, 3, 4]
    raar, zero = demo.of_one(packets, "raar")
    assert zero == 130
    assert sorted(raar["sent"]) == [0, 1, 3] and set(raar["name"]) == {"raar", "tcp"}


def test_rates_of_phases():
    """100 packets/s of 1000 bytes alone are 800 kbit/s; half of it beside three TCP flows."""
    steady = [t / 100 + 0.005 for t in range(1200)] + [12 + t / 50 for t in range(250)] + \
        [t / 100 + 0.005 for t in range(1700, 2000)]
    packets = pd.concat([rows("marc", 1, steady),
                         *(rows("tcp", 7 + i, [12 + i / 1e3, 13, 14]) for i in range(3))])
    found = demo.on_the_wire(packets, "marc", demo.SCENARIO)
    assert found["alone"] == pytest.approx(800, rel=0.01)
    assert found["one"] == pytest.approx(800, rel=0.01)
    assert found["three"] == pytest.approx(400, rel=0.01)
    assert found["tcp_one"] == 0
    assert found["tcp_three"] == pytest.approx(9 * 1000 * 8e-3 / 5)
    assert found["tcp_begins"] == pytest.approx([12, 12.001, 12.002])


def test_losses():
    """Of the packets of the stream, not of TCP's."""
    packets = pd.concat([rows("marc", 1, [1, 2, 3, 4], lost=[2]),
                         rows("tcp", 7, [3, 5], lost=[5])])
    assert demo.on_the_wire(packets, "marc", demo.SCENARIO)["lost_percent"] == 25


def test_the_mean_goes_by_length():
    """A span of 4 s weighs more than one of 1 s."""
    packets = rows("marc", 1, [8.5 + i / 4 for i in range(8)])
    seen = demo.metrics.Run(packets, None, (0, 25))
    total = demo.metrics.total("marc")
    assert demo.over([(8, 12), (17, 18)], total)(seen) == pytest.approx(8 * 8 / 5)


def test_unpunctual():
    """A TCP flow that is missing, or comes 60 ms late, is one too many."""
    found = {name: {"tcp_begins": begins} for name, begins in (
        ("marc", [3.01, 12, 12]), ("raar", [3, 12]), ("dvrc", [3, 12, 12.06]))}
    assert set(demo.unpunctual(found, [[3, 5], [12, 5], [12, 5]])) == {"raar", "dvrc"}


def test_shifted():
    """All that goes with TCP moves with it."""
    moved = demo.shifted({"seconds": 20, "tcp": [[3, 5]], "alone": [[8, 12], [17, 19]],
                          "one": [[3, 8]], "three": [[12, 17]]}, 0.5)
    assert moved == {"seconds": 20, "tcp": [[3.5, 5]], "alone": [[8.5, 12.5], [17.5, 19.5]],
                     "one": [[3.5, 8.5]], "three": [[12.5, 17.5]]}


def test_means():
    """Of the numbers, over the runs; the rest is the first run's."""
    data = {"runs": [{"results": {"marc": {"alone": rate, "late_or_lost_percent": late,
                                           "tcp_begins": [rate]}}}
                     for rate, late in ((500, 3), (520, 10), (600, 2))]}
    assert demo.means(data)["marc"] == {"alone": 540, "late_or_lost_percent": 5,
                                        "tcp_begins": [500]}
    assert demo.extremes(data, "marc", " to ") == "2.0 to 10.0"


def test_readme():
    """Only what is between the two comments is replaced."""
    text = "before\n" + demo.BEGIN + "old\n" + demo.END + "after\n"
    result = {"alone": 500, "one": 490.4, "three": 401.2, "lost_percent": 1.26, "late_ms": 100,
              "late_or_lost_percent": 5.55, "delay_p95_ms": 90}
    data = {"scenario": demo.SCENARIO, "video": 488.1, "kernel": "6.12", "commit": "c0ffee",
            "runs": [{"results": dict.fromkeys(demo.CCIDS, result)}] * 2}
    new = demo.in_readme(text, data)
    assert new.startswith("before\n" + demo.BEGIN) and new.endswith(demo.END + "after\n")
    assert "old" not in new and "MARC carried 401 kbit/s," in new
    assert demo.in_readme(new, data) == new
    with pytest.raises(demo.Failed):
        demo.in_readme("no comments", data)
