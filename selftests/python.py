#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Kernels: uml (6.12)
# Timeout: 900
"""The Python package dccp_ccids: connections over a path of 40 ms."""
import asyncio
import contextlib
import errno
import os
import select
import selectors
import socket
import time
from socket import AF_INET, AF_INET6

import dccp_ccids as dccp
from dccp_ccids import aio
from dccp_ccids.connection import IP_OPTIONS, SO_NO_CHECK, SO_TIMESTAMPING, SO_TXTIME
from lib import (FAMILIES, UML, Network, at_end, check, check_equal, inside, load, loaded, main,
                 note, preset_names, spawn, sysctl, test, unload, wait_for, write)
from rawpeer import CLOSED, RESET, Peer
from schemes import SCHEMES

NAMES = ["ccid2", "ccid3"] + [str(scheme) for scheme in SCHEMES]
PARAMETERS = {name: [s for s in vars(dccp).values() if isinstance(s, type) and
                     s.__name__.lower().startswith(name) and hasattr(s, "OPTION")]
              for name in NAMES}
LAYERS = (15000, 30000, 60000, 120000)
RTT = 0.04
# What ends only what hangs. Where virtual time goes on while the host looks for a file, nothing
# is said of how long anything took.
LIMIT = 60 if UML else 1000


def path(rate="2mbit"):
    net = Network()
    net.shape("server", f"netem delay {RTT * 500:.0f}ms rate {rate} limit 50")
    net.shape("client", f"netem delay {RTT * 500:.0f}ms")
    for scheme in SCHEMES:
        if not loaded(scheme.module):
            load(scheme.module)
    return net


def listen(family=AF_INET, port=5001, **options):
    with inside("server"):
        listener = dccp.listen(port, family=family, **options)
    at_end.append(listener.close)
    return listener


def connect(net, family=AF_INET, port=5001, **options):
    with inside("client"):
        c = dccp.connect(net.address("server", family), port, timeout=LIMIT, **options)
    at_end.append(c.close)
    return c


def pair(net, family=AF_INET, server=None, **options):
    """A connection: the client and the server of it."""
    with listen(family, **(options if server is None else server)) as listener:
        c = connect(net, family, **options)
        listener.settimeout(LIMIT)
        s, _ = listener.accept()
    at_end.append(s.close)
    return c, s


def receive(s):
    """Read what comes, in another process."""
    def loop():
        while s.recv(65536):
            pass
    spawn(loop)


def stream(c, seconds, rate=100000, size=1000):
    """Send as an encoder does that does not wait."""
    start = time.monotonic()
    for number in range(int(seconds * rate / size)):
        c.offer(bytes(size))
        time.sleep(max(0, start + (number + 1) * size / rate - time.monotonic()))


def changing(values):
    """Whether each value differs from the one before."""
    return all(a != b for a, b in zip(values, values[1:]))


def stream_layers(c):
    """Send 50 frames a second in layers."""
    while True:
        for layer, rate in enumerate(LAYERS, 1):
            c.send_layer(bytes(rate // (layer > 1 and 2 or 1) // 50), layer)
        time.sleep(0.02)


def refused(kind, *words):
    """The block must fail with this error, whose text has these words."""
    class Refused:
        def __enter__(self):
            return self

        def __exit__(self, found, error, _):
            check(found and issubclass(found, kind), f"{error!r}, expected {kind.__name__}")
            for word in words:
                check(word in str(error), f"{word!r} is not in {error}")
            return True
    return Refused()


@test("a connection with each CCID, by name", FAMILIES, NAMES)
def each_ccid(name, family):
    c, s = pair(path(), family, ccid=name)
    number, = dccp.ccid_numbers(name)
    check_equal((c.tx_ccid, c.rx_ccid, s.tx_ccid, s.rx_ccid), (number,) * 4, "CCIDs")
    check_equal(dccp.ccid_name(c.tx_ccid), name, "name")
    check_equal(type(s), dccp.Connection, "what accept() returns")
    s.settimeout(LIMIT)
    c.send(b"first")
    check_equal(s.recv(100), b"first", "data")
    s.settimeout(None)
    receive(s)
    stream(c, 2, rate=20000, size=400)
    if number == 2:
        check_equal(c.allowed_rate(), None, "rate of CCID 2")
        with refused(OSError):
            c.tx_info()
        return
    tx, rx = c.tx_info(), s.rx_info()
    note(f"X {c.allowed_rate()} bytes/s, R {c.rtt:.4f} s, p {c.loss_event_rate}")
    check_equal((tx.ccid, rx.ccid), (number, number), "CCID in the state")
    check(c.rtt > RTT / 2, f"R is {c.rtt} s")
    check(c.allowed_rate() > 0, "X is 0")
    if UML:
        check(c.rtt < RTT * 1.5, f"R is {c.rtt} s")
        check(c.allowed_rate() > 1000, f"X is {c.allowed_rate()} bytes/s")
        check_equal(c.loss_event_rate, 0, "loss event rate")
        check(5000 < rx.x_recv < 40000, f"the receiver has {rx.x_recv} bytes/s")
    if number > 3:
        check_equal(c.ecn, name != "ctfaf", "ECN")
        for what in (lambda: c.tx_info().packets_sent, lambda: s.rx_info().packets_received):
            check(wait_for(lambda what=what: what() > 20, LIMIT), f"{what()} packets")


@test("lists of CCIDs, by number and name: the server's preference wins")
def preference():
    net = path()
    c, s = pair(net, ccid=["marc", 3, "ccid2"], server={"ccid": [3, "marc"]})
    check_equal((c.tx_ccid, s.rx_ccid), (3, 3), "CCID")
    c, s = pair(net, tx_ccid="dvrc", rx_ccid=2, server={"rx_ccid": "dvrc", "tx_ccid": 2})
    check_equal((c.tx_ccid, c.rx_ccid, s.tx_ccid, s.rx_ccid), (251, 2, 2, 251), "CCIDs")
    with refused(ValueError, "'best'", "ccid2, ccid3, marc"):
        dccp.ccid_numbers("best")
    for wrong in 256, -1, [], "":
        with refused(ValueError):
            dccp.ccid_numbers(wrong)


@test("parameters: read, changed, refused with what was expected", schemes=SCHEMES)
def parameters(scheme):
    net = path()
    kinds = PARAMETERS[scheme.name]
    # A sender of L-TFRC takes an equation alone, too.
    check_equal(len(kinds), 3 if scheme.name == "ltfrc" else 2, f"structures of {scheme}")
    c, _ = pair(net, ccid=scheme.name)
    values = {"loss_history": 16, "beta": 800, "r_max": 100000, "weight": 1500, "gamma": 800,
              "frame_rate": 30}
    wrong = {"loss_history": 1, "beta": 60000, "r_max": 0, "weight": 0, "gamma": 1000,
             "frame_rate": 1001}
    for kind in kinds:
        name = next(name for name in values if name in kind.MEANINGS)
        before = dict(c.get(kind))
        if name == "r_max":     # no rate of the encoder may be outside of its range
            c.change(kind, r_start=0)
        c.change(kind, **{name: values[name]})
        check_equal(getattr(c.get(kind), name), values[name], f"{kind.__name__}.{name}")
        with refused(OSError, "out of range", f"{kind.__name__}.{name}={wrong[name]}",
                     kind.MEANINGS[name]):
            c.change(kind, **{name: wrong[name]})
        now = dict(c.get(kind))
        check_equal({k for k in now if now[k] != before[k]} - {"r_start"}, {name},
                    "what has changed")
        with refused(ValueError, "does not fit"):
            c.change(kind, **{name: 1 << 40})
        with refused(TypeError, "expected one of"):
            c.change(kind, nothing=1)
    other = PARAMETERS["marc" if scheme.name != "marc" else "raar"][0]
    with refused(OSError) as _:
        c.change(other)
    with refused(OSError, "another CCID"):
        c.set(other())


@test("presets by name")
def presets():
    net = path()
    c, s = pair(net, ccid="marc", preset="paper")
    check_equal((c.tx_preset, s.rx_preset), ("paper", "paper"), "presets")
    c.tx_preset = "default"
    check_equal(c.tx_preset, "default", "preset")
    c.change(dccp.MarcTxParams, beta=800)
    check_equal(c.tx_preset, "custom", "preset")
    with refused(OSError, "no preset 'best'", *preset_names(SCHEMES)):
        c.tx_preset = "best"


@test("presets: the target of each, and what those for a use are for")
def uses():
    net = path()
    for ccid, preset, target in (
            ("marc", "default", 100), ("marc", "paper", 0), ("marc", "tfrc", 0),
            ("marc", "interactive", 20), ("marc", "streaming", 0),
            ("ltfrc", "default", 100), ("ltfrc", "paper", 0), ("ltfrc", "interactive", 20),
            ("raar", "default", 100), ("raar", "paper", 0), ("raar", "thin-uplink", 50),
            ("dvrc", "default", 100), ("dvrc", "paper", 0), ("dvrc", "layered", 0),
            ("ctfaf", "default", 100), ("ctfaf", "paper", 0)):
        c, _ = pair(net, ccid=ccid, preset=preset)
        check_equal(c.tx_preset, preset, "preset")
        tx = c.get(PARAMETERS[ccid][0])
        check_equal(tx.target_delay, target, f"target_delay of {ccid}, {preset}")
        if ccid == "ctfaf":
            check_equal(tx.climb, preset == "paper", f"climb of {preset}")
        if preset == "interactive":
            sizes = tx if ccid == "marc" else c.get(dccp.LtfrcTxParams)
            check_equal(sizes.nominal_size, 1460, f"nominal_size of {ccid}")
        if preset == "streaming":
            check_equal(tx.warning, 2000, "warning")
    _, s = pair(net, ccid="raar", preset="thin-uplink")
    rx = s.get(dccp.RaarRxParams)
    check_equal((rx.per_rtt, rx.fast_down, rx.nominal_size, rx.delta), (1, 1, 1460, 167), "RAAR")
    _, s = pair(net, ccid="dvrc", preset="layered")
    rx = s.get(dccp.DvrcRxParams)
    check_equal((rx.ack_ratio, rx.hold, rx.validation), (16, 2000, 1), "DVRC")


@test("the transmit queue: 50 packets, not the kernel's 5")
def queue():
    net = path()
    for options, room in (({}, 50), ({"queue_length": None}, 5), ({"queue_length": 7}, 7)):
        c, _ = pair(net, ccid="marc", **options)
        check_equal(c.queue_length, room, "length")
        # Of the usual buffer 49 packets of 1000 bytes take all.
        c.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 200000)
        taken = 0
        while taken < 500 and c.offer(bytes(1000)):
            taken += 1
        # some are sent meanwhile
        check(taken >= room, f"{taken} packets taken, {room} fit")
        check(taken < room + 10 or not UML, f"{taken} packets taken, {room} fit")
    c.queue_length = 9
    check_equal(c.queue_length, 9, "length")
    with refused(OSError, "number of packets"):
        c.queue_length = -1
    with refused(OSError, "without a connection"):
        c.priorities = True


@test("the rates of an encoder over CTFAF; an event for asyncio when the rate has changed")
def constraints():
    net = path()
    listener = listen(ccid="ctfaf")
    c = connect(net, ccid="ctfaf", parameters={dccp.CtfafConstraints: {
        "r_min": 8000, "r_max": 64000, "r_start": 8000, "step": 8000, "t_init": 0,
        "interval": 200}})
    listener.settimeout(LIMIT)
    s, _ = listener.accept()
    at_end.append(s.close)
    s.settimeout(None)
    receive(s)
    spawn(stream, c, LIMIT, 64000, 500)
    looks, rates = 0, []

    class Counted(dccp.Connection):
        def allowed_rate(self):
            nonlocal looks
            looks += 1
            return super().allowed_rate()

    async def follow():
        async for rate in aio.rates(counted):
            rates.append(rate)
            if len(rates) == 5:
                return

    counted = Counted(fileno=os.dup(c.fileno()))
    at_end.append(counted.close)
    asyncio.run(asyncio.wait_for(follow(), LIMIT))
    note(f"{rates}, {looks} looks")
    check(set(rates) <= {0, *range(8000, 64001, 8000)}, f"rates {rates}")
    check(looks <= len(rates) + 30 or not UML, f"{looks} looks for {len(rates)} rates")
    check(changing(rates), f"a rate came twice: {rates}")
    c.rungs = (8000, 16000, 48000)
    check_equal(c.rungs, (8000, 16000, 48000), "rungs")
    with refused(OSError, "each greater"):
        c.rungs = (8000, 4000)


@test("rates without an event: one look in a round trip, until the peer ends the connection")
def looks():
    net = path()
    c, s = pair(net, ccid="marc")
    spawn(stream, c, 3)
    s.settimeout(None)
    times = []

    class Counted(dccp.Connection):
        def allowed_rate(self):
            times.append(time.monotonic())
            return super().allowed_rate()

    async def follow():
        asyncio.get_running_loop().call_later(2, s.close)
        return [rate async for rate in aio.rates(counted)]

    counted = Counted(fileno=os.dup(c.fileno()))
    at_end.append(counted.close)
    check(wait_for(lambda: c.rtt > 0, LIMIT), "R is not known")
    rates = asyncio.run(asyncio.wait_for(follow(), LIMIT))
    note(f"{len(times)} looks, {len(rates)} rates")
    check(len(rates) > UML, f"rates {rates}")
    check(changing(rates), f"a rate came twice: {rates}")
    gaps = [b - a for a, b in zip(times, times[1:])]
    check(min(gaps) > RTT / 2, f"a look {min(gaps)} s after another")


@test("rates over DVRC: its event, which is that of layers, causes no more looks")
def looks_at_layers():
    net = path()
    c, s = pair(net, ccid="dvrc", layers=LAYERS)
    spawn(stream_layers, c)
    s.settimeout(None)
    receive(s)
    times, rates = [], []

    class Counted(dccp.Connection):
        def allowed_rate(self):
            times.append(time.monotonic())
            return super().allowed_rate()

    async def follow():
        async for rate in aio.rates(counted):
            rates.append(rate)

    counted = Counted(fileno=os.dup(c.fileno()))
    at_end.append(counted.close)
    check(wait_for(lambda: c.rtt > 0, LIMIT), "R is not known")
    with contextlib.suppress(TimeoutError):
        asyncio.run(asyncio.wait_for(follow(), 4))
    k = c.layers_allowed()
    note(f"{len(times)} looks, {len(rates)} rates, K {k}")
    check(k > 1, f"K is {k}: there was no event")
    gaps = [b - a for a, b in zip(times, times[1:])]
    check(min(gaps) > RTT / 2, f"a look {min(gaps)} s after another")


@test("layers and rates over DVRC: another task closes the connection, and that is their end")
def layers_closed():
    net = path()
    c, _ = pair(net, ccid="dvrc", layers=LAYERS)

    async def all_of(news):
        return [value async for value in news(c)]

    async def follow():
        asyncio.get_running_loop().call_later(1, c.close)
        return await asyncio.gather(all_of(aio.layers), all_of(aio.rates))

    layers_seen, rates = asyncio.run(asyncio.wait_for(follow(), LIMIT))
    check(layers_seen and rates, f"layers {layers_seen}, rates {rates}")


@test("layers over DVRC, with an event for selectors")
def layers():
    net = path()
    c, s = pair(net, ccid="dvrc", layers=LAYERS)
    check_equal((c.layers, c.priorities), (LAYERS, True), "layers, priorities")
    s.settimeout(None)
    receive(s)
    end, seen, most = time.monotonic() + LIMIT, [], 4 if UML else 2
    with selectors.DefaultSelector() as selector, c.changes() as changes:
        selector.register(changes, selectors.EVENT_READ)
        while time.monotonic() < end and most not in seen:
            for layer, rate in enumerate(LAYERS, 1):
                c.send_layer(bytes(rate // (layer > 1 and 2 or 1) // 50), layer)
            if selector.select(0.02):
                k = c.layers_allowed()
                check(not selector.select(0) or not UML, "the event is not over")
                seen.append(k)
    note(f"K {seen}")
    check(most in seen, f"{seen} layers on a wide path")
    s.rx_layers = LAYERS[:2]
    check_equal(s.rx_layers, LAYERS[:2], "the receiver's layers")
    with refused(OSError, "each greater"):
        c.layers = (2, 1)


@test("layers over DVRC, with asyncio")
def layers_asyncio():
    c, s = pair(path(), ccid="dvrc", layers=LAYERS)
    s.settimeout(None)
    receive(s)
    spawn(stream_layers, c)
    seen, most = [], 4 if UML else 2

    async def follow():
        async for k in aio.layers(c):
            seen.append(k)
            if k >= most:
                return

    asyncio.run(asyncio.wait_for(follow(), LIMIT))
    note(f"K {seen}")
    check(changing(seen), f"a number of layers came twice: {seen}")


@test("asyncio: a server that echoes, and its client", schemes=["marc", "ccid2"])
def echo(name):
    net = path()
    listener = listen(ccid=name)
    listener.setblocking(False)

    async def serve():
        loop = asyncio.get_running_loop()
        s, _ = await loop.sock_accept(listener)
        check_equal(type(s), dccp.Connection, "what sock_accept() returns")
        with s:
            while data := await loop.sock_recv(s, 2000):
                await loop.sock_sendall(s, data)

    async def both():
        loop = asyncio.get_running_loop()
        server = asyncio.create_task(serve())
        with await aio.connect(net.address("server", AF_INET), 5001, timeout=LIMIT,
                               ccid=name) as c:
            for number in range(20):
                await loop.sock_sendall(c, b"%d" % number)
                check_equal(await loop.sock_recv(c, 100), b"%d" % number, "echo")
        await server

    with inside("client"):
        asyncio.run(asyncio.wait_for(both(), LIMIT))


@test("a datagram of length 0 is not the end of the connection")
def length_0():
    c, s = pair(path(), ccid="marc")
    s.settimeout(LIMIT)
    for packet in b"first", b"", b"last":
        c.send(packet)
        check_equal((s.recv(100), s.ended()), (packet, False), "a packet, and whether it is over")
    c.close()
    check_equal((s.recv(100), s.ended()), (b"", True), "the end")


@test("packets behind a datagram of length 0 are read, although the peer has closed")
def length_0_at_the_end():
    c, s = pair(path(), ccid="marc")
    sent = [b"first", b"", b"second", b"", b"last"]
    for packet in sent:
        c.send(packet)
    c.close()
    poll = select.poll()
    poll.register(s, select.POLLRDHUP)
    check(poll.poll(LIMIT * 1000), "no end")
    came = []
    s.settimeout(LIMIT)
    while (packet := s.recv(100)) or not s.ended():
        came.append(packet)
    check_equal([packet for packet in came if packet], [b"first", b"second", b"last"], "packets")


@test("packets behind a datagram of length 0 are read, although the peer has broken off")
def length_0_before_a_reset():
    c, s = pair(path(), ccid="marc")
    s.settimeout(LIMIT)
    s.send(b"unread")       # so that the end is a Reset with the code Aborted
    poll = select.poll()
    poll.register(c, select.POLLIN)
    check(poll.poll(LIMIT * 1000), "nothing came")
    for packet in b"", b"last":
        c.send(packet)
        time.sleep(0.5)
    c.close()
    poll = select.poll()
    poll.register(s, select.POLLRDHUP)
    events = poll.poll(LIMIT * 1000)
    check(events and events[0][1] & select.POLLERR, f"no error: {events}")
    for packet, ended in (b"", False), (b"last", True), (b"", True):
        check_equal((s.recv(100), s.ended()), (packet, ended), "a packet, and whether it is over")


@test("why there is no number of layers: another CCID, or no connection")
def no_layers():
    c, _ = pair(path(), ccid="marc")
    with refused(OSError, "the connection has marc", "expected dvrc"):
        c.layers_allowed()
    with dccp.Connection() as none, refused(OSError, "there is no connection"):
        none.layers_allowed()


@test("coverage, packet size, the service code")
def other_options():
    net = path()
    c, _ = pair(net, ccid="marc", service=7)
    check(1200 < c.max_packet_size < 1500, f"{c.max_packet_size} bytes")
    c = dccp.Connection(service="abcd")
    at_end.append(c.close)
    c.tx_coverage, c.rx_coverage = 3, 2
    check_equal((c.tx_coverage, c.rx_coverage), (3, 2), "coverage")
    with refused(OSError, "0 to 15"):
        c.tx_coverage = 16
    with refused(ValueError, "four characters"):
        dccp.Connection(service="abc")
    with refused(OSError, "no connection"):
        print(c.tx_ccid)
    with refused(OSError, "no connection"):
        c.allowed_rate()


@test("DCCP over UDP")
def over_udp():
    net = path()
    with refused(OSError, "net.dccp.udp_port is 0 here", "sysctl"):
        connect(net, udp_port=6511)
    for end in "client", "server":
        with inside(end):
            sysctl("udp_port", 6511)
    c, s = pair(net, ccid="marc", udp_port=6511, server={"ccid": "marc"})
    check_equal((c.udp_port, s.udp_port), (6511, 6511), "UDP ports of the peers")
    c.send(b"data")
    s.settimeout(LIMIT)
    check_equal(s.recv(100), b"data", "data")
    with refused(OSError, "0 to 65535"):
        dccp.Connection(udp_port=65536)


@test("what DCCP cannot do is refused with what to do instead")
def refusals():
    net = path()
    nops = bytes([1, 1, 1, 0])
    for end in "client", "server":
        with inside(end):
            sysctl("udp_port", 6511)
    c, s = pair(net, ccid="marc", udp_port=6511, server={"ccid": "marc"})
    for end in c, s:
        with refused(OSError, "IP_OPTIONS", "no IPv4 options are sent over UDP", "udp_port=0"):
            end.setsockopt(socket.IPPROTO_IP, IP_OPTIONS, nops)
    with listen(port=5002, ccid="marc"), inside("client"):
        early = dccp.Connection(ccid="marc", udp_port=6511)
        at_end.append(early.close)
        early.settimeout(LIMIT)
        early.setsockopt(socket.IPPROTO_IP, IP_OPTIONS, nops)
        with refused(OSError, "10.9.2.1 port 5002", "IP_OPTIONS", "set none, or use udp_port=0"):
            early.connect(("10.9.2.1", 5002))
        early.setsockopt(socket.IPPROTO_IP, IP_OPTIONS, b"")
        early.connect(("10.9.2.1", 5002))
    for option, value, *words in (
            (socket.SO_RCVLOWAT, 2, "SO_RCVLOWAT", "expected 0 or 1"),
            (socket.SO_OOBINLINE, 1, "SO_OOBINLINE", "leave it off"),
            (socket.SO_BROADCAST, 1, "SO_BROADCAST", "leave it off"),
            (SO_NO_CHECK, 1, "SO_NO_CHECK", "tx_coverage"),
            (SO_TIMESTAMPING, 1 << 9, "SO_TIMESTAMPING", "leave out SOF_TIMESTAMPING_TX_ACK"),
            (SO_TXTIME, bytes(8), "SO_TXTIME", "do without it")):
        with refused(OSError, *words):
            c.setsockopt(socket.SOL_SOCKET, option, value)
    c.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 10000)     # others are as ever


@test("errors of connect() say what it is")
def errors():
    net = path()
    with refused(ConnectionRefusedError, "10.9.2.1 port 5001", "nobody listens"):
        connect(net)
    listen(ccid="marc", service="abcd")
    with refused(OSError, "another service code"):
        connect(net, ccid="marc")
    with refused(OSError, "no CCID in common"):
        connect(net, ccid="raar", service="abcd")
    with refused(OSError, "no CCID in common"), inside("client"):
        asyncio.run(aio.connect("10.9.2.1", 5001, ccid="raar", service="abcd", timeout=LIMIT))
    net.shape("server", "netem loss 100%")
    for function in (dccp.connect, lambda *a, **k: asyncio.run(aio.connect(*a, **k))):
        began = time.monotonic()
        with refused(TimeoutError, "firewall"), inside("client"):
            function("10.9.2.1", 5001, ccid="marc", timeout=2)
        check(time.monotonic() - began < 10 or not UML, "it waited longer")


@test("a Reset without an errno ends the handshake: the next address is tried")
def refused_without_errno():
    net = Network()
    load("ccid_marc")
    peer = Peer(net)
    with inside("client"):
        listener = dccp.listen(5001, ccid="marc")
    at_end.append(listener.close)

    def refuse(code):
        peer.send(RESET, code=code, ack=peer.wait_for_request().seq)

    def addresses(*_args, **_options):
        return [(AF_INET, socket.SOCK_DGRAM, 0, "", address)
                for address in (("10.9.3.1", 6001), ("10.9.1.1", 5001))[:count]]

    at_end.append(lambda found=socket.getaddrinfo: setattr(socket, "getaddrinfo", found))
    socket.getaddrinfo = addresses
    for function in (dccp.connect, lambda *a, **k: asyncio.run(aio.connect(*a, **k))):
        for code, timeout in (0, LIMIT), (CLOSED, LIMIT), (200, LIMIT), (CLOSED, None):
            for count in 1, 2:
                spawn(refuse, code)
                with (refused(ConnectionAbortedError, "10.9.3.1 port 6001", "did not say why")
                      if count == 1 else contextlib.nullcontext()), inside("server"):
                    with function("any", 5001, ccid="marc", timeout=timeout) as c:
                        check_equal(c.getpeername(), ("10.9.1.1", 5001), "the peer")


@test("a CCID that is not loaded, for root and for others; one that is not for users")
def not_loaded():
    path()
    with refused(OSError, "CCID 247 (247): not loaded", "no such module"):
        dccp.Connection(ccid=["marc", 247])
    unload("ccid_ctfaf", LIMIT)
    os.seteuid(65534)
    try:
        with refused(OSError, "CCID 252 (ctfaf): not loaded, and only root can load it",
                     "modprobe -a ccid_ctfaf") as _:
            dccp.Connection(ccid=["ctfaf", "marc"])
    finally:
        os.seteuid(0)
    with dccp.Connection(ccid="ctfaf") as c:
        check(252 in c.available_ccids(), "root's socket has not loaded it")
    sysctl("allowed_ccids", "3", "client")
    with inside("client"):
        os.seteuid(65534)
        try:
            with refused(OSError, "a CCID is not allowed to users: net.dccp.allowed_ccids"):
                dccp.Connection(ccid="ctfaf")
        finally:
            os.seteuid(0)


@test("listen() without an address is for IPv4, too, whatever the sysctl of IPv6 says")
def both_families():
    net = path()
    with inside("server"):
        write("/proc/sys/net/ipv6/bindv6only", 1)
        listener = dccp.listen(5001, ccid="marc")
    at_end.append(listener.close)
    connect(net, AF_INET, ccid="marc")


@test("without DCCP for IPv6, listen() is for IPv4; for neither, the text says what to load")
def without_dccp():
    families = dccp.connection.socket.socket.__init__

    def only(*there):
        def init(self, family=-1, *args, **kwargs):
            if family not in (-1, *there):
                raise OSError(errno.ESOCKTNOSUPPORT, "Socket type not supported")
            families(self, family, *args, **kwargs)
        return init
    try:
        socket.socket.__init__ = only(AF_INET)
        with dccp.listen(5005) as listener:
            check_equal(listener.family, AF_INET, "family")
        for where in {"host": "::1"}, {"family": AF_INET6}:
            with refused(OSError, "not loaded for IPv6", "modprobe dccp_ipv6"):
                dccp.listen(5005, **where)
        socket.socket.__init__ = only()
        with refused(OSError, "not loaded for IPv4", "modprobe dccp_ipv4"):
            dccp.connect("127.0.0.1", 5005)
    finally:
        socket.socket.__init__ = families


main()
