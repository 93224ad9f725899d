# SPDX-License-Identifier: GPL-2.0-only
"""Videos: which packet carries which frame, quality by what came. ffmpeg is not run."""

import concurrent.futures
import time

import numpy as np
import pandas as pd
import pytest
from labkit import video


@pytest.fixture(name="encodes")
def fixture_encodes(monkeypatch):
    """Two seconds in two encodes: 25 frames of 40 and of 160 bytes; 30 and 36 dB, 20 and 28."""
    monkeypatch.setattr(video, "encoded", lambda seconds, kbits: kbits)
    monkeypatch.setattr(video, "sizes", lambda kbits: np.full(50, {1: 40, 2: 160}[kbits]))
    monkeypatch.setattr(video, "whole", lambda seconds, kbits, what: np.repeat(
        {1: (30.0, 20.0), 2: (36.0, 28.0)}[kbits], 25))


def test_scalable(encodes):
    """At a rate of an encode its own PSNR, half-way in the logarithm that between them."""
    assert video.scalable(2, (1, 2), [1000, 4000]).tolist() == pytest.approx([30, 28])
    assert video.scalable(2, (1, 2), [2000, 2000]).tolist() == pytest.approx([33, 24])
    assert video.scalable(2, (1, 2), [9000, 9000]).tolist() == pytest.approx([36, 28])


def test_no_base(encodes):
    """Below the least encode there is no value, of nothing either."""
    assert np.isnan(video.scalable(2, (1, 2), [999, 0])).all()


def test_packets(monkeypatch):
    """68 bytes of video are in a packet of 100."""
    monkeypatch.setattr(video, "sizes", lambda path: np.array([1, 68, 69, 137]))
    assert video.packets("some", 100).tolist() == [0, 1, 2, 2, 3, 3, 3]


@pytest.mark.parametrize("lost", [[], [0], [3, 4, 5], [9, 1, 2], [*range(0, 600, 2), 700, 701]])
def test_expression(lost):
    """It is 1 for what is lost, and not deep."""
    text = video.expression(lost)
    values = [eval(text.replace("\\", ""), {}, {        # pylint: disable=eval-used
        "n": n, "between": lambda x, low, high: low <= x <= high}) for n in range(800)]
    assert [n for n, value in enumerate(values) if value] == sorted(lost)
    assert max(text[:i].count("(") - text[:i].count(")") for i in range(len(text))) < 12


def test_made_at_once(tmp_path, monkeypatch):
    """Two guests that want the same file have it made once."""
    calls = []

    def slow(*words):
        calls.append(words)
        time.sleep(0.05)
        with open(words[-1], "wb"):
            pass

    monkeypatch.setattr(video, "FOLDER", str(tmp_path))
    monkeypatch.setattr(video, "ffmpeg", slow)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        paths = list(pool.map(video.made, ["a.mkv", "a.mkv"], ["-t", "-t"]))
    assert len(calls) == 1
    assert list(tmp_path.iterdir()) == [tmp_path / "a.mkv"] and set(paths) == {
        str(tmp_path / "a.mkv")}


def test_in_time():
    """Three frames of 100, 200 and 300 bytes: the second is half lost, the third half late."""
    packets = [(0, 100, 5.1), (1, 100, 5.14), (1, 100, np.nan), (2, 150, 5.18), (2, 150, 5.7)]
    rows = pd.DataFrame({"tag": [10**15 + n * 4 * 10**7 for n, _, _ in packets],
                         "payload": [video.HEADER + size for _, size, _ in packets],
                         "arrived": [t for _, _, t in packets]})
    assert video.in_time(rows, [100, 200, 300], 0.4).tolist() == [True, False, False]
    assert video.in_time(rows, [100, 200, 300], 0.6).tolist() == [True, False, True]
    assert video.in_time(rows, [100, 200, 300, 1], 0.6).tolist() == [True, False, True, False]
