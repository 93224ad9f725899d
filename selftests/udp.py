#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Timeout: 900
"""DCCP over UDP (RFC 6773): packets, NATs, ICMP, ECN, and packets from other ports."""
import contextlib
import errno
import os
import re
import select
import socket
import struct
import subprocess
import time

from capture import ETH_P_ALL, PACKET_OUTGOING, Capture, pcap
from lib import (BUILT_IN, CCID, ENCAP_PORT, FAMILIES, GET_CUR_MPS, MAC, SCHEMES, SOL_DCCP, TOP,
                 Network, accept, at_end, ccids, check, check_equal, check_error, inside, ip,
                 listens, load, main, need, read, run, rx_info,
                 shell, spawn, start, test, wait_for, write)
from rawpeer import (ACK, CLOSE, DATA, DATAACK, ENCAP_PORT_REUSE, NO_CONNECTION, REQUEST, RESET,
                     RESPONSE, SYNC, SYNCACK, TYPES, Peer, confirm, wish)

UDP = 6511                      # the registered port (RFC 6773, 7.1)
EVERY = BUILT_IN + [s.ccid for s in SCHEMES]
OVER_UDP = [(ENCAP_PORT, UDP)]
MARC = 248
LUA = os.path.join(TOP, "tools/wireshark/dccp-ccid.lua")


def set_port(end, port, name="udp_port"):
    with inside(end):
        write(f"/proc/sys/net/dccp/{name}", port)


def get_port(end, name="udp_port"):
    with inside(end):
        return int(read(f"/proc/sys/net/dccp/{name}"))


def network(client=UDP, server=UDP):
    net = Network()
    set_port("client", client)
    set_port("server", server)
    return net


def ask(ccid):
    return [(CCID, ccids(ccid))]


def mps(s):
    return s.getsockopt(SOL_DCCP, GET_CUR_MPS)


def remote(s):
    return s.getsockopt(SOL_DCCP, ENCAP_PORT)


def talk(c, s, sizes=(0, 1, 255, 1000)):
    for end, other in (c, s), (s, c):
        other.settimeout(100)
        for size in sizes:
            end.send(bytes(size))
            check_equal(len(other.recv(2000)), size, "data received")


def udp_frames(capture):
    """IPv4 or IPv6 packets with UDP: (frame, went out, type of service, UDP and DCCP)."""
    for _, frame, out in capture.packets():
        if frame[12:14] == b"\x08\0" and frame[23] == socket.IPPROTO_UDP:
            yield frame, out, frame[15], frame[34:14 + int.from_bytes(frame[16:18], "big")]
        elif frame[12:14] == b"\x86\xdd" and frame[20] == socket.IPPROTO_UDP:
            yield (frame, out, int.from_bytes(frame[14:16], "big") >> 4 & 0xff,
                   frame[54:54 + int.from_bytes(frame[18:20], "big")])


# ---------------------------------------------------------------- connections

@test("a connection with every CCID, and all of it in UDP", FAMILIES)
def every_ccid(family):
    net = network()
    capture = Capture()
    for ccid in EVERY:
        c, s = net.pair(family, ask(ccid) + OVER_UDP, ask(ccid))
        check_equal((remote(c), remote(s)), (UDP, UDP), "ports of the peers")
        talk(c, s)
        c.close()
        s.close()
    frames = list(udp_frames(capture))
    check(len(frames) > 10 * len(EVERY), f"only {len(frames)} packets in UDP")
    for _, _, _, packet in frames:
        check_equal(struct.unpack("!HHH", packet[:6]), (UDP, UDP, len(packet)), "UDP header")
        check_equal(packet[14:16], b"\0\0", "DCCP's checksum")


@test("packets are eight bytes smaller", FAMILIES)
def packet_size(family):
    net = network()
    plain = net.pair(family)
    over_udp = net.pair(family, OVER_UDP)
    for a, b in zip(plain, over_udp):
        check_equal(mps(a) - mps(b), 8, "difference of the maximum packet sizes")
    c, s = over_udp
    s.settimeout(100)
    c.send(bytes(mps(c)))
    check_equal(len(s.recv(2000)), mps(c), "the largest packet")


@test("one listener serves both, and IPv4 for IPv6")
def both():
    net = network()
    listener = net.listen(socket.AF_INET6)
    listener.close()
    listener = net.open("server", socket.AF_INET6)
    listener.bind(("::", 5001))
    listener.listen(10)
    for family in FAMILIES:
        for options in (), OVER_UDP:
            c = net.connect(family, options)
            s = accept(listener)
            check_equal(remote(s), UDP if options else 0, "port of the peer")
            talk(c, s)
    c = net.open("client", socket.AF_INET6, OVER_UDP)
    c.connect(("::ffff:10.9.2.1", 5001))
    talk(c, accept(listener))


@test("each end at a port of its own; the sysctls")
def ports():
    net = network(client=7000, server=8000)
    listener = net.listen()
    set_port("client", 8000, "encap_port")
    c = net.connect()
    s = accept(listener)
    check_equal((remote(c), remote(s)), (8000, 7000), "ports of the peers")
    talk(c, s)
    check_error(errno.EISCONN, c.setsockopt, SOL_DCCP, ENCAP_PORT, 1)
    c.close()
    set_port("client", 0, "encap_port")
    c = net.open("client")
    check_equal(remote(c), 0, "default without the sysctl")
    for bad in -1, 65536:
        check_error(errno.EINVAL, c.setsockopt, SOL_DCCP, ENCAP_PORT, bad)
        for name in "udp_port", "encap_port":
            check_error(errno.EINVAL, set_port, "client", bad, name)
    check_equal((get_port("client"), get_port("router")), (7000, 0), "udp_port")
    # another socket has the port, for IPv6 only: the sysctl fails and changes nothing
    with inside("client"), socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as taken:
        taken.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        taken.bind(("::", 9000))
        check_error(errno.EADDRINUSE, set_port, "client", 9000)
    check_equal(get_port("client"), 7000, "udp_port")
    c.setsockopt(SOL_DCCP, ENCAP_PORT, 8000)
    c.connect(("10.9.2.1", 5001))
    talk(c, accept(listener))
    set_port("client", 0)
    with inside("client"), socket.socket(type=socket.SOCK_DGRAM) as free:
        free.bind(("0.0.0.0", 7000))


@test("without a port there is no connection over UDP", FAMILIES)
def off(family):
    net = network(client=0)
    listener = net.listen(family)
    c = net.open("client", family, OVER_UDP)
    to = (net.address("server", family), 5001)
    check_error(errno.EADDRNOTAVAIL, c.connect, to)
    set_port("client", UDP)
    set_port("server", 0)
    check_error(errno.ECONNREFUSED, c.connect, to)      # by ICMP
    c.setsockopt(SOL_DCCP, ENCAP_PORT, 0)
    c.connect(to)
    s = accept(listener)
    check_equal((remote(c), remote(s)), (0, 0), "ports of the peers")
    talk(c, s)
    set_port("server", UDP)
    c = net.connect(family, OVER_UDP)
    talk(c, accept(listener))


@test("no packet leaves from a port that the namespace has given up", FAMILIES)
def given_up(family):
    net = network()
    c, s = net.pair(family, OVER_UDP)
    talk(c, s)
    for port in 0, 7000:
        set_port("client", port)
        with inside("client"), socket.socket(family, socket.SOCK_DGRAM) as other:
            other.bind(("", UDP))
            other.settimeout(20)
            capture = Capture()
            c.send(b"from a port that is another's")
            s.send(b"to it")
            check(other.recv(100).endswith(b"to it"), "the peer does not know it")
            time.sleep(20)                  # a Sync for a NAT would be due
        out = [p for _, out, _, p in udp_frames(capture) if out and p[:2] == struct.pack("!H", UDP)]
        check_equal(out, [], "packets from the port")
    # if it comes back in time the connection goes on
    set_port("client", UDP)
    talk(c, s)


@test("no Response leaves from a port that the namespace has given up", FAMILIES)
def response_given_up(family):
    net = network()
    listener = net.listen(family)
    peer = Peer(net, family, udp=(7001, UDP))
    peer.send(REQUEST)
    check(peer.receive(RESPONSE), "no Response came")
    for port in 0, 7000:
        set_port("server", port)
        check(not peer.receive(timeout=10), "a Response came")     # the first is due after 3 s
    # if it comes back in time the handshake goes on
    set_port("server", UDP)
    response = peer.receive(RESPONSE, timeout=60)
    check(response, "no Response came again")
    peer.send(ACK, confirm(response))
    s = accept(listener)
    s.settimeout(1)
    alive(peer, s)


@test("a Request to nobody is refused", FAMILIES)
def nobody_listens(family):
    net = network()
    check_error(errno.ECONNREFUSED, net.connect, family, OVER_UDP)


@test("dccperf --udp at both ends", FAMILIES)
def dccperf(family):
    program = os.path.join(TOP, "build/tools/dccperf")
    need(program)
    net = network(server=0)
    address = net.address("server", family)
    refused = run("ip", "netns", "exec", "server", program, "-s", "-1", "--udp", may_fail=True)
    check(refused.returncode == 1 and "sysctl net.dccp.udp_port=6511" in refused.stderr,
          f"a server without the sysctl: {refused.stderr}")
    set_port("server", UDP)
    capture = Capture()
    server = start("server", program, "-s", "-1", "--udp", "-C", "marc")
    check(wait_for(lambda: listens("tcp", 5201) and listens("dccp", 5201), 10), "no server")
    done = run("ip", "netns", "exec", "client", program, "-c", address, "--udp", "-C", "marc",
               "-t", "5", "-b", "400K", may_fail=True)
    check(done.returncode == 0, done.stdout + done.stderr)
    check_equal(server.wait(), 0, "status of the server")
    check(len(list(udp_frames(capture))) > 200, "it was not over UDP")


# ---------------------------------------------------------------- NAT

class Nat:
    """A NAT for UDP over IPv4 in place of the router's kernel: 10.9.2.254 for the client.

    It removes a mapping that the client has not used for @forget seconds. restart() removes
    all mappings. nat.py tests the kernel's NAT.
    """

    def __init__(self, forget=30):
        self.forget = forget
        with inside("router"):
            write("/proc/sys/net/ipv4/ip_forward", 0)
            ip("address delete 10.9.2.254/24 dev to-server")
            self.inner, self.outer = [socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
                                      for _ in range(2)]
            self.inner.bind(("to-client", ETH_P_ALL))
            self.outer.bind(("to-server", ETH_P_ALL))
        at_end.extend((self.inner.close, self.outer.close))
        signals, self.restarts = os.pipe()
        spawn(self.loop, signals)

    def restart(self):
        os.write(self.restarts, b"x")

    def loop(self, signals):
        there, back, port = {}, {}, 20000
        address = socket.inet_aton("10.9.2.254")
        while True:
            ready = select.select([self.inner, self.outer, signals], [], [])[0]
            if signals in ready:
                os.read(signals, 1)
                there, back = {}, {}
                continue
            for s in ready:
                frame, info = s.recvfrom(65536)
                if (info[2] == PACKET_OUTGOING or frame[12:14] != b"\x08\0" or
                        frame[23] != socket.IPPROTO_UDP):
                    continue
                now = time.monotonic()
                if s is self.inner:
                    key = frame[26:36]          # addresses, source port
                    mapped, last = there.get(key, (None, 0))
                    if mapped is None or now - last > self.forget:
                        port += 1
                        mapped = port
                        back[mapped] = key
                    there[key] = mapped, now
                    self.send(self.outer, "server", frame, address, frame[30:34], mapped, None)
                elif frame[30:34] == address:
                    key = back.get(int.from_bytes(frame[36:38], "big"))
                    if key and now - there[key][1] <= self.forget:
                        self.send(self.inner, "client", frame, frame[26:30], key[:4], None,
                                  int.from_bytes(key[8:], "big"))

    @staticmethod
    def send(s, end, frame, source, to, from_port, to_port):
        size = int.from_bytes(frame[16:18], "big") - 20
        header = frame[14:24] + b"\0\0" + source + to
        header = header[:10] + struct.pack("!H", Peer.sum(header)) + header[12:]
        old = struct.unpack("!HH", frame[34:38])
        start = struct.pack("!HHH", from_port or old[0], to_port or old[1], size)
        data = frame[42:34 + size]
        pseudo = source + to + struct.pack("!II", size, socket.IPPROTO_UDP)
        checksum = Peer.sum(pseudo + start + b"\0\0" + data) or 0xffff
        s.send(bytes.fromhex((MAC[end] + MAC["to-" + end]).replace(":", "")) + b"\x08\0" +
               header + start + struct.pack("!H", checksum) + data)


def behind(net, ccid=2):
    """A connection through the NAT: the client's socket and the server's."""
    listener = net.listen(options=ask(ccid))
    c = net.connect(options=ask(ccid) + OVER_UDP)
    s = accept(listener)
    listener.close()
    check_equal(s.getpeername()[0], "10.9.2.254", "address that the server sees")
    return c, s


@test("every CCID through a NAT")
def through_nat():
    net = network()
    Nat()
    for ccid in EVERY:
        c, s = behind(net, ccid)
        check(remote(s) > 20000, f"port of the client: {remote(s)}")
        talk(c, s)


@test("two clients behind one address with equal ports")
def equal_ports():
    """The second is refused, because only the UDP port differs from the first connection."""
    net = network()
    Nat()
    ip("address add 10.9.3.1/32 dev lo", "client")
    listener = net.listen()
    listener.settimeout(1)

    def connect(address, port):
        c = net.open("client", options=OVER_UDP)
        c.bind((address, port))
        c.connect(("10.9.2.1", 5001))
        return c

    first = connect("10.9.1.1", 6001)
    s = accept(listener)
    check_error(errno.EADDRINUSE, connect, "10.9.3.1", 6001)
    check_error(errno.EAGAIN, listener.accept)
    talk(first, s)
    second = connect("10.9.3.1", 6002)
    t = accept(listener)
    check(remote(s) != remote(t), "both have the same UDP port")
    talk(second, t)
    talk(first, s)


@test("a NAT that forgets after 30 s: a silent connection survives", timeout=1000)
def keepalive():
    net = network()
    Nat(30)
    c, s = behind(net)
    port = remote(s)
    capture = Capture()
    time.sleep(600)
    s.settimeout(1)
    c.settimeout(10)
    s.send(b"still there?")
    check_equal(c.recv(100), b"still there?", "data received")
    check_equal(remote(s), port, "port of the client")
    sent = [p[16] >> 1 & 15 for _, out, _, p in udp_frames(capture) if out]
    check(39 <= sent.count(SYNC) <= 40, f"{sent.count(SYNC)} Syncs in 600 s")


@test("a silent client whose server is gone gives up", FAMILIES, timeout=1000)
def server_gone(family):
    net = network()
    c, _ = net.pair(family, OVER_UDP)
    time.sleep(100)
    net.shape("client", "netem loss 100%")
    c.settimeout(900)
    began = time.monotonic()
    check_error(errno.ETIMEDOUT, c.recv, 1)
    # 797 s (retries2, sysctls.rst) after the first Sync without an answer, 15 s at most
    check(790 < time.monotonic() - began < 830, f"after {time.monotonic() - began:.0f} s")


@test("the examples with --udp at both ends, through a NAT")
def examples():
    built, there = os.path.join(TOP, "build/examples"), os.path.join(TOP, "examples")
    need("ffmpeg", f"{built}/sender", f"{there}/media.py")
    load("ccid_marc")
    load("ccid_dvrc")
    net = network(server=0)
    Nat()
    for program in f"{built}/receiver", f"{there}/media.py receive", f"{there}/adaptive.py receive":
        refused = shell("server", f"{program} --udp 5001 248")
        said = "".join(refused.communicate())
        check(refused.returncode == 1 and "sysctl net.dccp.udp_port=6511" in said,
              f"{program} without the sysctl: {said}")
    set_port("server", UDP)
    to = f"{net.address('server', socket.AF_INET)} 5001"
    video = "-t 2 -re -f lavfi testsrc2=size=160x90:rate=25"
    for receiver, sender in (
            (f"{built}/receiver --udp 5001 248", f"{built}/sender --udp {to} 248 2"),
            (f"{built}/receiver 5001 251 --udp=6511", f"{built}/layers {to} 2 --udp=6511"),
            (f"{there}/media.py receive 5001 248 --udp", f"{there}/media.py --udp send {to} 248 2"),
            (f"{there}/media.py --udp=6511 receive 5001 251",
             f"{there}/media.py layers --udp=6511 {to} 2"),
            (f"{there}/adaptive.py --udp receive 5001 248 >/dev/null",
             f"{there}/adaptive.py send --size 160x90 --udp {to} 248 {video}")):
        capture = Capture()
        server = shell("server", receiver)
        check(wait_for(lambda: listens("dccp", 5001), 100), f"{receiver} does not listen")
        client = shell("client", sender)
        said = client.communicate() + server.communicate()
        check_equal((client.returncode, server.returncode), (0, 0), f"{sender} says {said}")
        sizes = [len(packet) for _, out, _, packet in udp_frames(capture) if out]
        got = int(re.search(r"received (\d+) bytes", "".join(said))[1])
        check(0 < got < sum(sizes), f"{sender}: {got} bytes, of {sum(sizes)} in UDP")


@test("the mapping changes: the connection follows")
def rebinding():
    net = network()
    nat = Nat()
    c, s = behind(net)
    talk(c, s)
    for _ in range(3):
        old = remote(s)
        nat.restart()
        time.sleep(1)
        c.send(b"from a new port")
        s.settimeout(10)
        check_equal(s.recv(100), b"from a new port", "data received")
        check(remote(s) != old, "the server still sends to the old port")
        talk(c, s)


@test("the mapping changes while more packets are lost than the window has: an upload goes on")
def rebinding_after_losses():
    net = network()
    nat = Nat()
    net.shape("client", "netem delay 100ms")
    c, s = behind(net, 3)

    def upload(seconds):
        for _ in range(seconds * 200):
            with contextlib.suppress(BlockingIOError):
                c.send(bytes(100), socket.MSG_DONTWAIT)
            time.sleep(0.005)

    upload(3)
    old = remote(s)
    capture = Capture()
    net.shape("server", "netem loss 100%")
    upload(3)
    lost = sum(out for _, out, _, _ in udp_frames(capture))
    check(lost > 75, f"only {lost} packets were lost")  # 3/4 of the window (RFC 4340, 7.5.1)
    nat.restart()
    net.shape("server", "netem loss 0%")
    s.settimeout(0)
    with contextlib.suppress(BlockingIOError):
        while s.recv(1000):
            pass
    upload(3)
    check(s.recv(1000), "nothing arrives after the outage")
    check(remote(s) != old, "the server still sends to the old port")
    s.send(b"reply")
    c.settimeout(10)
    check_equal(c.recv(100), b"reply", "data received")


@test("a stream of ten minutes through a NAT that forgets after 30 s", timeout=1000)
def stream():
    net = network()
    Nat(30)
    c, s = behind(net, MARC)
    s.settimeout(10)
    for number in range(3000):
        c.send(number.to_bytes(4, "big") + bytes(496))
        check_equal(int.from_bytes(s.recv(1000)[:4], "big"), number, "data received")
        time.sleep(0.2)


# ---------------------------------------------------------------- packets from other ports

def open_peer(net, family=socket.AF_INET, ccid=2, udp=(7001, UDP)):
    listener = net.listen(family, ask(ccid))
    peer = Peer(net, family, udp=udp)
    peer.connect(wish(ccid))
    s = accept(listener)
    s.settimeout(1)
    return peer, s, listener


def alive(peer, s):
    for data in b"one", b"two":
        peer.send(DATA, data=data)
        check_equal(s.recv(100), data, "data received")


@test("from other ports: only the peer's next packet moves a connection", FAMILIES)
def strangers(family):
    net = network()
    peer, s, _ = open_peer(net, family)
    alive(peer, s)
    seq = peer.seq
    stranger = Peer(net, family, udp=(7002, UDP))
    far = seq + (1 << 40) & (1 << 48) - 1
    for kind, number, ack, answer in (
            (REQUEST, seq + 1, 0, ENCAP_PORT_REUSE),
            (RESPONSE, seq + 1, peer.ack, ENCAP_PORT_REUSE),
            (DATA, far, 0, ENCAP_PORT_REUSE), (DATA, seq + 1000, 0, ENCAP_PORT_REUSE),
            (DATAACK, far, peer.ack + 1000, ENCAP_PORT_REUSE),
            (DATAACK, seq - 1000, peer.ack, ENCAP_PORT_REUSE),
            (ACK, seq + 1, peer.ack + 1000, ENCAP_PORT_REUSE),
            (SYNC, far, peer.ack + 1000, ENCAP_PORT_REUSE),
            (SYNC, seq - 1000, peer.ack, ENCAP_PORT_REUSE),
            (SYNCACK, far, peer.ack + 1000, ENCAP_PORT_REUSE),
            (CLOSE, seq + 1, peer.ack + 1000, ENCAP_PORT_REUSE),
            (RESET, seq + 1, peer.ack + 1000, None), (RESET, seq - 1000, peer.ack, None),
            (DATA, seq, 0, None), (DATAACK, seq - 1, peer.ack, None)):
        stranger.send(kind, seq=number, ack=ack)
        reply = stranger.receive(timeout=0.3)
        check_equal(reply and reply.code, answer, f"answer to {TYPES[kind]} {number - seq:+}")
        if reply:
            check_equal(reply.code_data, bytes([kind]) + struct.pack("!H", 7002),
                        f"data of the Reset for {TYPES[kind]}")
            check_equal(reply.seq, 0 if kind in (REQUEST, DATA) else ack + 1,
                        f"number of the Reset for {TYPES[kind]}")
        check_equal(remote(s), 7001, f"port after {TYPES[kind]} {number - seq:+}")
    # without UDP
    plain = Peer(net, family)
    plain.send(DATA, seq=seq + 1)
    check_equal(plain.receive().code, NO_CONNECTION, "answer without UDP")
    alive(peer, s)
    peer.udp = (7003, UDP)
    alive(peer, s)
    check_equal(remote(s), 7003, "port of the peer that has moved")
    s.send(b"reply")
    check(peer.receive(DATA, DATAACK), "nothing comes to the new port")


@test("from another port, beyond the window: what acknowledges moves a connection", FAMILIES)
def beyond_the_window(family):
    net = network()
    peer, s, _ = open_peer(net, family)
    alive(peer, s)
    for port, kind, answer in ((7002, DATA, RESET), (7003, ACK, SYNC), (7004, DATAACK, SYNC),
                               (7005, SYNC, SYNCACK), (7006, SYNCACK, None)):
        before = remote(s)
        time.sleep(1)                       # Syncs are rate-limited
        peer.seq += 1000
        peer.udp = (port, UDP)
        peer.send(kind)
        reply = peer.receive(timeout=0.3)
        check_equal(reply and reply.type, answer, f"answer to {TYPES[kind]}")
        check_equal(remote(s), before if kind == DATA else port, f"port after {TYPES[kind]}")
        if kind == DATA:
            check_equal((reply.code, reply.seq), (ENCAP_PORT_REUSE, 0), "the Reset")
            peer.send(SYNC)                 # the Reset has an invalid number (RFC 4340, 8.5)
            check(peer.receive(SYNCACK), "no SyncAck came")
        elif answer == SYNC:
            check_equal(reply.ack, peer.seq, "what the Sync acknowledges")
            peer.send(SYNCACK)
        alive(peer, s)
        check_equal(remote(s), port, "port of the peer")


@test("from other ports in a handshake: a Reset, and it goes on", FAMILIES)
def handshake_strangers(family):
    net = network()
    listener = net.listen(family)
    peer = Peer(net, family, udp=(7001, UDP))
    peer.send(REQUEST)
    response = peer.receive(RESPONSE)
    stranger = Peer(net, family, udp=(7002, UDP))
    for kind in REQUEST, ACK, DATAACK, CLOSE, SYNC:
        stranger.send(kind, seq=peer.seq + 1, ack=response.seq)
        check_equal(stranger.receive().code, ENCAP_PORT_REUSE, f"answer to {TYPES[kind]}")
    stranger.send(RESET, seq=peer.seq + 1, ack=response.seq)
    plain = Peer(net, family)
    plain.send(ACK, seq=peer.seq + 1, ack=response.seq)
    check_equal(plain.receive().code, NO_CONNECTION, "answer without UDP")
    peer.send(ACK, confirm(response))
    s = accept(listener)
    s.settimeout(1)
    alive(peer, s)


@test("a forged Request: how often it is answered, and how long it holds its ports", FAMILIES)
def forged(family):
    """attacks.rst has these numbers."""
    net = network()
    for retries, answers, seconds in (6, 7, 129), (1, 2, 5):
        set_port("server", retries, "default/request_retries")
        listener = net.listen(family)
        forger, client = [Peer(net, family, port=6000 + retries, udp=(port, UDP))
                          for port in (7001, 7002)]
        forger.send(REQUEST)
        began = time.monotonic()
        responses = 0
        while True:
            client.send(REQUEST)
            answer = client.receive(RESPONSE, RESET)
            check(answer, "no answer for the client")
            if answer.type == RESPONSE:
                break
            check_equal(answer.code, ENCAP_PORT_REUSE, "code of the Reset for the client")
            if forger.receive(RESPONSE, timeout=1):
                responses += 1
        lasted = time.monotonic() - began
        # The kernel's timers are up to an eighth late.
        check(seconds - 1 <= lasted <= 1.125 * seconds + 2,
              f"the client was refused for {lasted:.0f} s")
        client.send(ACK, confirm(answer))
        accept(listener)
        check_equal(responses, answers, "Responses to the forged Request")
        listener.close()


@test("a forged Request: an ICMP error of the host that has the address ends it", FAMILIES)
def forged_and_denied(family):
    net = network()
    listener = net.listen(family)
    forger, client = [Peer(net, family, udp=(port, UDP)) for port in (7001, 7002)]
    forger.send(REQUEST)
    response = forger.receive(RESPONSE)
    client.send(REQUEST)
    check_equal(client.receive().code, ENCAP_PORT_REUSE, "code of the Reset for the client")
    forger.unreachable(response.seq, (UDP, 7001))
    client.connect()
    accept(listener)


@test("a packet in UDP for a connection without it", FAMILIES)
def other_encapsulation(family):
    net = network()
    peer, s, _ = open_peer(net, family, udp=None)
    alive(peer, s)
    stranger = Peer(net, family, udp=(7001, UDP))
    stranger.send(DATA, seq=peer.seq + 1)
    check_equal(stranger.receive().code, ENCAP_PORT_REUSE, "answer")
    check_equal(remote(s), 0, "port of the peer")
    alive(peer, s)


@test("no answer to a packet in UDP without a source port", FAMILIES)
def no_port(family):
    net = network()
    net.listen(family)
    plain, peer = Peer(net, family), Peer(net, family, udp=(0, UDP))
    peer.send(REQUEST)
    for receiver, where in (peer, "in UDP"), (plain, "without UDP"):
        check(not receiver.receive(timeout=0.3), f"there is an answer {where}")


@test("checksums: UDP's must be there and right, DCCP's is ignored", FAMILIES)
def checksums(family):
    net = network()
    peer, s, _ = open_peer(net, family)
    right = peer.udp_packet
    for checksum in 0, 1, 0xfffe:
        peer.udp_packet = lambda payload, n=checksum: right(payload, checksum=n)
        peer.send(DATA, data=b"bad")
        peer.seq -= 1
    peer.udp_packet = right
    for checksum in 0, 1, 0xffff:
        peer.send(DATA, data=b"good", checksum=checksum)
        check_equal(s.recv(100), b"good", "data received")


@test("false lengths", FAMILIES)
def lengths(family):
    net = network()
    peer, s, _ = open_peer(net, family)
    seq = peer.seq
    right = peer.udp_packet
    # 27 is right; with 24 to 26 the packet is valid but has less data
    for size in *range(24), *range(28, 32), 100, 65535:
        peer.udp_packet = lambda payload, n=size: right(payload, size=n)
        peer.send(DATA, data=b"bad")
    peer.udp_packet = right
    for size in range(16):
        peer.send_ip(struct.pack("!HHB11x", peer.port, peer.to_port, 4)[:size])
    for kind in DATA, ACK, RESET:
        for offset in 0, 1, 3, 5, 255:
            peer.send(kind, offset=offset)
        peer.send(kind, x=0)
    for kind in range(10, 16):
        peer.send(kind)
    check(not peer.receive(RESET, timeout=0.3), "a Reset came")
    peer.seq = seq
    alive(peer, s)


# ---------------------------------------------------------------- ICMP, ECN

@test("an ICMP message that a packet is too big", FAMILIES)
def too_big(family):
    net = network()
    net.shape("client", "netem delay 10ms")     # ICMP does not arrive during send()
    c, s = net.pair(family, OVER_UDP)
    talk(c, s)
    ip("link set dev to-server mtu 1300", "router")
    before = mps(c)
    c.send(bytes(before))
    check(wait_for(lambda: mps(c) < before, 5), "the packet size stays")
    check_equal(before - mps(c), 200, "decrease")
    talk(c, s, (mps(c),))


@test("ICMP messages about others do not matter", FAMILIES)
def icmp_strangers(family):
    net = network()
    with inside("server"):
        write("/proc/sys/net/ipv4/icmp_ratelimit", 0)
    c = net.open("server", family, OVER_UDP)
    c.setblocking(False)
    peer = Peer(net, family, udp=(UDP, UDP))
    check_error(errno.EINPROGRESS, c.connect, (net.address("nobody", family), 6001))
    request = peer.wait_for_request()
    for seq, udp in (request.seq + 5, (UDP, UDP)), (request.seq, (UDP, 7001)), \
                    (request.seq, (7001, UDP)), (request.seq, None):
        peer.unreachable(seq, udp)
        check_equal(c.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR), 0, "error")
    peer.unreachable(request.seq, (UDP, UDP))
    check_equal(c.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR), errno.ECONNREFUSED, "error")


@test("ECN: data is ECT(0), marks are seen", FAMILIES)
def ecn(family):
    net = network()
    capture = Capture()
    c, s = net.pair(family, ask(MARC) + OVER_UDP, ask(MARC))
    talk(c, s, (100,) * 5)
    for _, _, tos, packet in udp_frames(capture):
        kind = packet[16] >> 1 & 15
        check_equal(tos & 3, 2 if kind in (DATA, DATAACK) else 0, f"ECN of {TYPES[kind]}")
    peer, s, _ = open_peer(net, family, MARC)
    peer.tos = 3
    peer.send(DATA, data=b"marked")
    check_equal(s.recv(100), b"marked", "data received")
    check_equal(rx_info(s).packets_marked, 1, "packets with marks")


@test("Wireshark knows it, at the registered port", FAMILIES)
def dissected(family):
    need("tshark", LUA)
    net = network()
    capture = Capture()
    c, s = net.pair(family, OVER_UDP)
    talk(c, s, (100,))
    c.close()
    s.close()
    done = subprocess.run(
        ["tshark", "-X", f"lua_script:{LUA}", "-r", "-", "-n", "-T", "fields", "-e", "dccp.type",
         "-e", "dccp.srcport", "-e", "dccp.dstport"],
        input=pcap(list(capture.packets())), capture_output=True, check=True)
    seen = [line.split() for line in done.stdout.decode().splitlines() if line.strip()]
    kinds = {int(line[0], 0) for line in seen}
    check(kinds >= {REQUEST, RESPONSE, CLOSE, RESET}, f"types: {kinds}")
    check(kinds & {DATA, DATAACK}, f"no data in {kinds}")
    for _, *ports_of in seen:
        check("5001" in ports_of, f"ports: {ports_of}")


if __name__ == "__main__":
    main()
