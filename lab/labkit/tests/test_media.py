# SPDX-License-Identifier: GPL-2.0-only
"""The encoder, and the metrics of media, of frames and packets that are written down by hand."""

import math
import statistics
import types

import numpy as np
import pandas as pd
import pytest
from labkit import encoder, experiment, media, metrics

NEVER = math.nan
PORT = media.SOURCE_PORT


def rates(codec, allowed, seconds=20, seed=1):
    """Bytes in each frame of an encoder whose carrier allows what a function of time says."""
    made = encoder.Encoder(codec, seed)
    sizes = []
    for i in range(seconds * codec.fps):
        made.ask(i / codec.fps, allowed(i / codec.fps))
        sizes.append(made.frame(i / codec.fps))
    return sizes


@pytest.mark.parametrize("seed", range(20))
def test_rate_over_a_second(seed):
    """RFC 8867, 4.3: within 5 % of the rate, over any second."""
    sizes = np.array([s for s, _ in rates(encoder.Codec(), lambda t: 1e6, seed=seed)])[3:]
    seconds = np.convolve(sizes, np.ones(30), "valid") * 8
    assert seconds.min() > 0.95 * 900e3 and seconds.max() < 1.05 * 900e3


def test_key_frames():
    """One each second after the first group, of four times the size of the others."""
    sizes = rates(encoder.Codec(noise=0), lambda t: 1e6)
    keys = [i for i, (_, key) in enumerate(sizes) if key]
    assert keys[0] == 0 and set(np.diff(keys[1:])) == {30}
    whole = sizes[keys[2]:keys[2] + 30]
    assert whole[0][0] == pytest.approx(4 * whole[1][0], abs=4)
    # 4 p + 29 p = 900 kbit/s / 8
    assert whole[1][0] == pytest.approx(112500 / 33, abs=1)


def test_reaction():
    """It starts at 150 kbit/s, and a new rate takes 100 ms: three frames."""
    codec = encoder.Codec(noise=0, group=1, key=1)
    sizes = [s for s, _ in rates(codec, lambda t: 1e6 if t < 1 - 1e-9 else 500e3, 2)]
    assert sizes[:3] == [625] * 3 and sizes[3] == 3750          # 150, 900 kbit/s / 8 / 30
    assert sizes[32] == 3750 and sizes[33] == 1875


def test_limits():
    """From 150 kbit/s to 1.5 Mbit/s, and the start rate while X is not known."""
    codec = encoder.Codec(noise=0, group=1, key=1)
    assert rates(codec, lambda t: 10e6)[-1][0] == 6250
    assert rates(codec, lambda t: 1e3)[-1][0] == 625
    assert rates(encoder.CODECS["even"], lambda t: None)[-1][0] == 1250


def test_guess():
    """Without X: 10 % more in a second; 85 % of what was taken when something waited."""
    guess = encoder.Guess(900e3, 0.9)
    for i in range(31):
        x = guess.allowed(i / 30, 0)
    assert x == pytest.approx(1e6 * (1 + 0.1 / 30) ** 30)
    guess.take(0.9, 100000)
    assert guess.allowed(1.1, 0.2) == pytest.approx(0.85 * 800e3)
    assert guess.allowed(1.2, 0.3) == pytest.approx(0.85 * 800e3)       # not twice in a second


def run(streams, traces, rows, window=(0, 10)):
    """Streams, their traces, and packets: sent, arrived, flow, payload, seq, tag."""
    frame = pd.DataFrame([{"sent": a, "passed": b, "arrived": b, "name": "media", "flow": c,
                           "size": d + 36, "payload": d, "seq": e, "ce": False, "tag": f}
                          for a, b, c, d, e, f in rows])
    back = pd.DataFrame([], columns=["sent", "name", "flow", "size"])
    scenario = types.SimpleNamespace(media=streams)
    made = [pd.DataFrame([{"time": t, "frame": i, "bytes": 1000, "packets": n, "end": end}
                          for i, (t, n, end) in enumerate(trace)]) for trace in traces]
    return metrics.Run(frame, back, window, traces=made, scenario=scenario)


def stream(kind="marc", **more):
    """With 50 ms."""
    return media.Stream(kind, "rfc", 0, 10, 50, **more)


def test_frames():
    """Whole, one packet lost, never sent, too late."""
    r = run([stream()], [[(1, 2, NEVER), (2, 2, NEVER), (3, 1, NEVER), (4, 1, NEVER)]],
            [(1, 1.1, PORT, 500, 1, 0), (1.05, 1.25, PORT, 500, 2, 0),
             (2, 2.1, PORT, 500, 3, 1), (2, NEVER, PORT, 500, 4, 1),
             (4.1, 4.5, PORT, 500, 5, 3), (4.1, 4.2, PORT, 0, 6, -1)])
    assert list(media.frames(r)["done"].fillna(0)) == [1.25, 0, 0, 4.5]
    assert media.good()(r) == pytest.approx(25)
    assert media.frame_delay(1)(r) == pytest.approx(450)        # 500 ms less 50
    assert media.good()(r.within((0, 2))) == pytest.approx(100)
    assert media.one_way_delay(1)(r) == pytest.approx(400)


def test_while_all_send():
    """A call of 1000 bytes a second that begins at 5 s is steady, at 8 kbit/s."""
    r = run([stream()], [[]], [(t + 0.5, t + 0.6, PORT, 1000, t, t) for t in range(5, 10)])
    found = media.of_all(((0, 1e6),)), media.of_all(((0, 1e6),), together=(5, 10))
    assert found[0]["CoV"](r) == pytest.approx(1) and found[0]["kbit/s"](r) == pytest.approx(4)
    assert found[1]["CoV, from 5 s"](r) == 0
    assert found[1]["kbit/s, from 5 s"](r) == pytest.approx(8)
    assert found[0].keys() - found[1].keys() == {"CoV", "kbit/s"}


def test_frames_of_flows():
    """Each is counted with the packets of its own port; audio has no frames."""
    r = run([stream(), stream(right=True), stream("audio")],
            [[(1, 1, NEVER)], [(1, 1, NEVER)], []],
            [(1, 1.1, PORT, 500, 1, 0), (1, 1.2, PORT + 2, 500, 1, 0)])
    assert media.good()(r) == 100 and media.good("media back")(r) == 0
    assert len(media.frames(r)) == 2


def test_frames_in_a_byte_stream():
    """TCP: complete when nothing before its end is missing; a frame that was dropped never is.

    Sequence numbers wrap. 1000 bytes are lost, and come again after the 1000 behind them.
    """
    isn = 2**32 - 1500
    def packet(sent, arrived, offset):
        return (sent, arrived, PORT, 1000, (isn + 1 + offset) % 2**32, -1)
    r = run([stream("cubic")], [[(1, 1, 1000), (1.1, 1, 2000), (1.15, 1, NEVER), (1.2, 1, 3000)]],
            [(0, 0.1, PORT, 0, isn, -1), packet(1, 1.1, 0), packet(1.1, NEVER, 1000),
             packet(1.2, 1.3, 2000), packet(1.4, 1.5, 1000)])
    assert list(media.frames(r)["done"].fillna(0)) == [1.1, 1.5, 0, 1.5]


def test_capacity():
    """10 s of 1 Mbit/s, then 2."""
    link = (0, 1e6), (10, 2e6)
    assert media.mean_capacity(link, (0, 20)) == pytest.approx(1.5e6)
    assert media.mean_capacity(link, (5, 15)) == pytest.approx(1.5e6)
    assert media.mean_capacity(link, (15, 20)) == pytest.approx(2e6)
    r = run([stream()], [[]], [(i / 10, i / 10, PORT, 964, i, 0) for i in range(100)])
    assert media.use(((0, 800e3),))(r) == pytest.approx(10)     # 80 kbit/s of 800


def test_reaches():
    """1000 bytes each 0.1 s from 3 s on: 80 kbit/s between 3 and 4 s, 40 half a second before."""
    r = run([stream()], [[]], [(3 + i / 10, 3 + i / 10, PORT, 964, i, 0) for i in range(60)])
    assert media.reaches(79, 1)(r) == pytest.approx(3)
    assert media.reaches(39, 1, flow=0)(r) == pytest.approx(2.5)
    assert math.isnan(media.reaches(90, 1)(r)) and math.isnan(media.reaches(39, 1, flow=1)(r))


def test_drains():
    """A queue of 200 ms from 1 to 2.5 s after the fall."""
    rows = [(t - (0.2 if 1 <= t - 4 < 2.5 else 0.01), t, PORT, 500, i, 0)
            for i, t in enumerate(np.arange(4.05, 9, 0.1))]
    r = run([stream()], [[]], rows)
    for f in r.packets, :
        f["passed"] = f["arrived"]
    assert media.drains(4)(r) == pytest.approx(2.5)
    assert media.drains(7)(r) == 0
    assert math.isnan(media.drains(9.6)(r))


def test_jitter(tmp_path):
    """RFC 8868, 4.5.3: |N(0, 5 ms)|, at most 15 ms. The mean of |N(0, 1)| is sqrt(2 / pi)."""
    experiment.program("media").jitter(types.SimpleNamespace(directory=str(tmp_path)))
    values = [int(line) / 8192 for line in (tmp_path / "media.dist").read_text().split()]
    assert statistics.mean(values) == pytest.approx(math.sqrt(2 / math.pi), rel=0.01)
    assert min(values) >= 0 and max(values) == 3


class Carrier:
    """Takes so many packets."""

    def __init__(self, room):
        self.room, self.sent = room, []

    def send(self, data, _now):
        """Whole packets."""
        if len(self.sent) >= self.room:
            return 0
        self.sent.append(data)
        return len(data)

    def allowed(self, _now, _waited):
        """X."""
        return 1e6


class Log(list):
    """A file."""
    write = list.append

    def flush(self):
        """Nothing."""


def sender(room):
    """Frames of 3750 bytes: four packets, after the first three of 625."""
    module, log = experiment.program("media"), Log()
    coded = encoder.Encoder(encoder.Codec(noise=0, group=1, key=1, reaction=0), 1)
    return module.Sender(Carrier(room), coded, types.SimpleNamespace(deadline=0.4), log), log


def test_packets():
    """A frame is split evenly; each packet begins with its number; none has more than 1200."""
    s, log = sender(9)
    s.make(0)
    assert not s.push(0)
    assert [len(p) for p in s.carrier.sent] == [937, 938, 937, 938]
    assert all(p[:4] == b"\0\0\0\0" for p in s.carrier.sent)
    assert log == ["0.000000,0,3750,4,1,900000,1000000,\n"]


def test_deadline():
    """What is left of a frame is dropped 400 ms after it was made; the next one is sent."""
    s, log = sender(2)
    s.make(0)
    s.make(0.3)
    assert s.push(0.3) and len(s.queue) == 2
    s.carrier.room = 9
    assert not s.push(0.5)
    assert [p[3] for p in s.carrier.sent] == [0, 0, 1, 1, 1, 1] and len(log) == 2


@pytest.mark.parametrize("setting, way, jitter", [("rfc", 100, True), ("even", 50, False)])
def test_network(setting, way, jitter):
    """Queue of 300 ms in bytes, propagation of each direction, changes of capacity."""
    s = media.scenario(setting, [media.call("marc", 0, 9, one_way=way)], 10,
                       ((0, 1e6), (5, 0.6e6)), seed=1, back_way=50)
    commands = [f"{ns}: {c}" for ns, c in s.setup]
    assert any(c.startswith("r1: tc qdisc replace dev r2 root") and "rate 1000000bit" in c and
               c.endswith("limit 37500") for c in commands)
    forward = next(c for c in commands if c.startswith("r2:") and "dev right" in c)
    back = next(c for c in commands if c.startswith("r1:") and "dev left" in c)
    assert f"delay {way}ms" in forward and "delay 50ms" in back
    assert ("5ms distribution media" in forward) == ("5ms distribution media" in back) == jitter
    assert [(when, command.split("rate ")[1].split()[0], command.split()[-1])
            for when, _, command in s.events] == [(5, "600000bit", "22500")]
    assert [m.kind for m in s.media] == ["marc", "audio"][:1 + jitter]


def test_ways():
    """Flows with different propagation have a band each, and their source ports tell them."""
    s = media.scenario("even", [media.call("marc", 0, 9, one_way=w) for w in (10, 150)], 10,
                       ((0, 4e6),), seed=1)
    text = "\n".join(f"{ns}: {c}" for ns, c in s.setup)
    for dev, end in ("right", "sport"), ("left", "dport"):
        assert f"dev {dev} parent 1:2 handle 12: netem limit 1000000 delay 150ms" in text
        assert f"filter add dev {dev} parent 1: protocol ip u32 match ip {end} {PORT + 1} 0xffff " \
            "flowid 1:2" in text
