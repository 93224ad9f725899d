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
    packets = [(0, 100, 5.1), (1, 100, 5.14), (1, 100, np.nan), (2, 150, 5.18), (2, 150, 5.7),
               (None, 50, 5.1)]         # one whose capture does not say when it was due
    rows = pd.DataFrame({"tag": [-1 if n is None else 10**15 + n * 4 * 10**7
                                 for n, _, _ in packets],
                         "payload": [video.HEADER + size for _, size, _ in packets],
                         "arrived": [t for _, _, t in packets]})
    assert video.in_time(rows, [100, 200, 300], 0.4).tolist() == [True, False, False]
    assert video.in_time(rows, [100, 200, 300], 0.6).tolist() == [True, False, True]
    assert video.in_time(rows, [100, 200, 300, 1], 0.6).tolist() == [True, False, True, False]


def test_layers(tmp_path):
    """I, P, B that others refer to, two B that none does: layers 1 to 5, and their rates."""
    def unit(slice_type, refers, size):
        ue = {"P": "1", "B": "010", "I": "011"}[slice_type]         # golomb of 0, 1 and 2
        bits = ("1" + ue).ljust(8, "0")                              # first_mb_in_slice 0
        head = bytes([refers << 5 | (5 if slice_type == "I" else 1), int(bits, 2)])
        return b"\0\0\1" + head + bytes([255]) * (size - 5)
    path = tmp_path / "video.h264"
    path.write_bytes(b"".join(unit(*u) for u in (
        ("I", 3, 968), ("P", 2, 500), ("B", 1, 300), ("B", 0, 200), ("B", 0, 100))))
    found = list(video.LAYERS.layers(path))
    assert found == [(1, 968), (2, 500), (3, 300), (4, 200), (5, 100)]
    # Five frames are 0.2 s: 1000 bytes are 40 kbit/s, and each packet has a header of 32
    assert video.LAYERS.rates(found) == "40.0K,61.3K,74.6K,83.8K,89.1K"


def test_nothing_to_decode(monkeypatch):
    """If no frame is left or can be decoded the picture is black, else the last one stays."""
    monkeypatch.setattr(video, "black", lambda seconds, what: [what] * int(seconds * video.FPS))
    monkeypatch.setattr(video, "sizes", lambda path: [10, 20])
    monkeypatch.setattr(video, "ffmpeg", lambda *words: "")
    for decoded, lost, expected in ([30, 20], [0], [30, 20]), ([30], [1], [30, 30]), \
            ([], [0], ["psnr"] * 2), ([30, 20], [0, 1], ["psnr"] * 2):
        monkeypatch.setattr(video, "compared", lambda *_, values=decoded: np.array(values))
        assert list(video.without("some", lost, 2 / video.FPS)) == expected
