# SPDX-License-Identifier: GPL-2.0-only
"""lab/traffic: what a receiver of videos over UDP reports, UDP flows, TCP flows that break off."""

import asyncio
import contextlib
import socket
import struct
import threading
import time
import types

import pytest
from labkit import experiment

TRAFFIC = experiment.program("traffic")


class Transport:
    """Keeps what would be sent."""

    def __init__(self):
        self.sent = []

    def sendto(self, data, addr):
        """As that of asyncio."""
        self.sent.append((addr, *struct.unpack("!d", data)))


def reports(*rounds):
    """Of one source, after each round of packets with these numbers."""
    async def run():
        rtcp, transport = TRAFFIC.Rtcp(), Transport()
        rtcp.connection_made(transport)
        for numbers in rounds:
            for number in numbers:
                rtcp.datagram_received(struct.pack("!II", 7, number), "source")
            rtcp.report("source")
        return transport.sent
    return asyncio.run(run())


@pytest.mark.parametrize("rounds, lost", [
    ([range(10)], [0]), ([range(0, 10, 2)], [4 / 9]), ([range(10), range(15, 20)], [0, 0.5]),
    ([[0, 1, 2], [2, 1]], [0]), ([[5, 6, 7]], [0]), ([[0, 3, 2, 1]], [0])])
def test_reports(rounds, lost):
    """Share of what is missing since the report before; none without a newer packet."""
    assert reports(*rounds) == [("source", pytest.approx(share)) for share in lost]


def test_sources():
    """Each source has its own count."""
    async def run():
        rtcp, transport = TRAFFIC.Rtcp(), Transport()
        rtcp.connection_made(transport)
        for addr, numbers in (("a", (0, 1)), ("b", (0, 3))):
            for number in numbers:
                rtcp.datagram_received(struct.pack("!II", 7, number), addr)
        for addr in "a", "b":
            rtcp.report(addr)
        return transport.sent
    assert asyncio.run(run()) == [("a", 0), ("b", 0.5)]


@pytest.mark.parametrize("numbers, first", [
    ((0, 1, 2), 5), ((0, 2), 1), ((0, 1, 3, 5), 1), ((0, 2, 1), 1), ((1, 0, 2), 5)])
def test_early_report(numbers, first):
    """It comes after a second if a packet is missing, and otherwise after five."""
    async def run():
        rtcp = TRAFFIC.Rtcp()
        rtcp.connection_made(Transport())
        now = asyncio.get_running_loop().time()
        for number in numbers:
            rtcp.datagram_received(struct.pack("!II", 7, number), "source")
        return rtcp.due["source"][1].when() - now
    assert asyncio.run(run()) == pytest.approx(first, abs=0.5)


def test_frames():
    """A mean of 1, I frames about five times B frames, and the same with the same seed only."""
    first, again, other = ([size for size, _ in zip(TRAFFIC.frames(seed), range(24000))]
                           for seed in ("1", "1", "2"))
    assert first == again != other
    assert sum(first) / len(first) == pytest.approx(1, rel=0.05)
    assert sum(first[::12]) / sum(first[1::12]) == pytest.approx(5, rel=0.1)


@pytest.mark.parametrize("text, rate", [("--rtcp 0:20", 62500), ("--rtcp 0:20 --layers 1e5", 1e5)])
def test_video_over_udp(monkeypatch, text, rate):
    """Packets of at most --packet bytes, at the rate of the layers when nothing is lost."""
    sent, now = [], [0.0]

    class Sock:
        """Takes packets, and has reports of no loss."""
        def __getattr__(self, _name):
            return lambda *_: None

        def send(self, data):
            """Of the payload."""
            sent.append((now[0], len(data) + 28))

    async def until(_args, when):
        now[0] = when
        await asyncio.sleep(0)

    async def run():
        loop = asyncio.get_running_loop()
        answers = iter([struct.pack("!d", 0)] * 4)

        async def recv(_sock, _size):
            data = next(answers, None)
            if data is None:
                await asyncio.Event().wait()
            return data
        monkeypatch.setattr(loop, "sock_recv", recv, raising=False)
        args = TRAFFIC.parser().parse_args(["send", *text.split()])
        await TRAFFIC.layered(args, 0, 0, 20)

    monkeypatch.setattr(TRAFFIC, "until", until)
    monkeypatch.setattr(TRAFFIC, "socket", types.SimpleNamespace(
        socket=lambda *_: Sock(), AF_INET=0, SOCK_DGRAM=0))
    asyncio.run(run())
    assert max(size for _, size in sent) == 1000 and {round(25 * t, 6) % 1 for t, _ in sent} == {0}
    assert sum(size for t, size in sent if t >= 1) == pytest.approx(19 * rate, rel=0.1)


@pytest.mark.parametrize("server, fails", [
    ("absent", ConnectionRefusedError), ("resets", ConnectionError), ("accepts", None)])
def test_greedy_flow_that_breaks_off(monkeypatch, server, fails):
    """It must not look like one that gets nothing. At its end it is none that broke off."""
    def reset(listener):
        flow, _ = listener.accept()
        flow.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        flow.close()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        monkeypatch.setitem(TRAFFIC.PORTS, "tcp", listener.getsockname()[1])
        if server == "absent":
            listener.close()
        if server == "resets":
            threading.Thread(target=reset, args=(listener,), daemon=True).start()
        args = TRAFFIC.parser().parse_args(["send", "127.0.0.1", "--duration", "0.4",
                                            "--tcp", "0.1:0.2"])
        args.epoch = time.monotonic()
        with pytest.raises(fails) if fails else contextlib.nullcontext():
            asyncio.run(TRAFFIC.send(args))


def test_on_off_times():
    """Packets at equal distances while on; pauses of at least mean * (shape - 1) / shape."""
    args = TRAFFIC.parser().parse_args(["send", "--seed", "3", "--duration", "50"])
    times = list(TRAFFIC.on_off_times(args, 0))
    gaps = [b - a for a, b in zip(times, times[1:])]
    pauses = [g for g in gaps if g > 0.0161]
    assert 0 <= times[0] < 3 and times[-1] < 50 and len(pauses) > 3
    assert min(gaps) > 0.0159 and min(pauses) > 2 * 0.05 / 1.05
    assert times == list(TRAFFIC.on_off_times(args, 0)) != list(TRAFFIC.on_off_times(args, 1))


def test_udp_flows():
    """Packets have the size that is asked for with headers, and no two of a flow are equal."""
    args = TRAFFIC.parser().parse_args(["send", "127.0.0.1", "--duration", "20", "--udp", "2",
                                        "--packet", "100", "--rate", "1000", "--cbr", "0:1:1000",
                                        "--poisson", "2000"])
    flows = [list(flow) for flow in TRAFFIC.udp_flows(args)]
    assert len(flows) == 4 and all(flows)
    for flow in flows:
        assert all(len(payload) == 100 - 28 for _, _, payload in flow)
        assert len({payload for _, _, payload in flow}) == len(flow)
        assert [when for when, *_ in flow] == sorted(when for when, *_ in flow)
        assert flow[-1][0] < 20
    assert [when for when, *_ in flows[2]] == pytest.approx([n / 10 for n in range(10)])


def test_send_udp(monkeypatch):
    """The packets of all flows in order, none before it is due, none at the end or later."""
    sent = []

    class Sock:
        def send(self, data):
            sent.append((data, time.monotonic()))

    args = types.SimpleNamespace(epoch=time.monotonic() + 0.01, duration=0.1)
    flows = [[(0, Sock(), "a"), (0.06, Sock(), "c")], [(0.03, Sock(), "b"), (0.1, Sock(), "no")]]
    monkeypatch.setattr(TRAFFIC, "udp_flows", lambda _: flows)
    TRAFFIC.send_udp(args)
    assert [data for data, _ in sent] == ["a", "b", "c"]
    assert all(when >= args.epoch + due for (_, when), due in zip(sent, (0, 0.03, 0.06)))


def test_in_thread():
    """What fails in the thread fails where it is awaited."""
    async def run(function):
        return await TRAFFIC.in_thread(function, 0)

    assert asyncio.run(run(lambda n: n + 1)) == 1
    with pytest.raises(ZeroDivisionError):
        asyncio.run(run(lambda n: 1 / n))
