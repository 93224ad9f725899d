#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Timeout: 900
"""Sockets that are closed with a full transmit queue go on sending.

In User Mode Linux only: in QEMU virtual time goes on while the host reads the files of ss and
tc, and a queue is empty before they have been started.
"""
import contextlib
import errno
import os
import random
import signal
import socket
import struct
import time

from lib import (BUILT_IN, CCID, FAMILIES, QPOLICY_TXQLEN, SCHEMES, Held, Network, accept,
                 ccids, check, check_equal, check_error, clean_up, fill, inside, ip, main, note,
                 remove, run, send_one, spawn, sysctl, test, tx_info, unload, wait_for, write)
from rawpeer import (ABORTED, ACK, CLOSE, CLOSED, CLOSEREQ, DATA, DATAACK, REQUEST, RESET, RESPONSE,
                     Peer, confirm, wish)

EVERY = [s.ccid for s in SCHEMES] + BUILT_IN
SIZE = 1000
QUEUE = 40          # packets
DRAIN_TIME = 60     # seconds for which an orphan may send
SO_MAX_PACING_RATE = 47


def ss(end, *arguments):
    return run("ip", "netns", "exec", end, "ss", "--dccp", "-naH", *arguments).stdout


def is_open(end="client"):
    return "ESTAB" in ss(end)


def numbers(s, limit=200):
    """The numbers of all packets until the end of the connection."""
    s.settimeout(limit)
    result = []
    while data := s.recv(2 * SIZE):
        result.append(int.from_bytes(data[:4], "big"))
    return result


def latest(seconds):
    """When a timer of the kernel may expire that is due after this time: it has 64 steps."""
    return seconds * 1.125 + 0.1


def connected(ccid, family=socket.AF_INET, end="client", delay="50ms", rate=None, queue=QUEUE,
              partopen=False):
    """A connection. Returns the network, the socket at this end, and the other one.

    Until the server's first packet the client is in PARTOPEN, a state that ss does not list.
    """
    net = Network()
    net.shape("client", f"netem delay {delay} limit 1000")
    ask = [(CCID, ccids(ccid)), (QPOLICY_TXQLEN, queue)]
    listener = net.listen(family, ask)
    c = net.open("client", family, ask)
    for s in c, listener:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4000 * queue)
        if rate:
            s.setsockopt(socket.SOL_SOCKET, SO_MAX_PACING_RATE, rate)
    c.connect(listener.getsockname())
    s = accept(listener)
    listener.close()
    if not partopen:
        s.send(b"open")
        check_equal(c.recv(SIZE), b"open", "data")
    return (net, c, s) if end == "client" else (net, s, c)


def stuck(ccid, family=socket.AF_INET, end="client"):
    """A connection whose sender hears nothing any more and has a queue for minutes."""
    # The CCIDs of this project may send a packet in 4 s. The others need reports: CCID 3 halves
    # its rate each 4 round trips, and begins with 4 packets in one, so that is 32 packets.
    net, sender, receiver = connected(ccid, family, end, "1000ms", 250, 2 * QUEUE)
    check(fill(sender) >= 2 * QUEUE, "the queue is not full")
    net.shape(end, "netem loss 100%")
    return net, sender, receiver


def linger(s, seconds):
    s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, seconds))


# ---------------------------------------------------------------- sending

@test("orphans, peers, namespaces and modules end in any order", FAMILIES, SCHEMES[:2],
      timeout=3000)
def any_order(scheme, family):
    """Nothing of it may outlive what it needs, which the debug kernel sees.

    This comes first: orphans of other tests last for minutes.
    """
    chance = random.Random(1)
    held = Held()
    sysctl("default.retries2", 3)
    for _ in range(15):
        net, sender, receiver = connected(
            scheme.ccid, family, delay=f"{chance.choice((1, 50, 500))}ms",
            rate=chance.choice((1000, 20000)))
        probe(sender, 1)
        fill(sender)

        steps = [sender.close, receiver.close, net.delete,
                 lambda: there() and ss("client", "-K"),
                 lambda: there() and Network.shape("client", "netem loss 100%"),
                 lambda: remove(scheme.module)]
        chance.shuffle(steps)
        for step in steps:
            step()
            time.sleep(chance.choice((0, 0.1, 1, 6)))
        clean_up()
    held.check()
    unload_soon(scheme)


@test("a socket with SO_KEEPALIVE ends with its connection", FAMILIES, SCHEMES[:1])
def keepalive_ends(scheme, family):
    """Not when the next Sync would be due, two hours later."""
    held = Held()
    for closes_first in 0, 1:
        _, *ends = connected(scheme.ccid, family)
        for s in ends:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        ends[closes_first].close()
        check_equal(ends[1 - closes_first].recv(SIZE), b"", "data")
        ends[1 - closes_first].close()
        held.check()


@test("a namespace lives on with its orphans, and ends after them", FAMILIES, SCHEMES[:1])
def namespace(scheme, family):
    """Tests that count references come first: others leave sockets that are closing."""
    held = Held()
    sysctl("default.retries2", 3)       # of namespaces that will have no name
    net, sender, receiver = stuck(scheme.ccid, family)
    sender.close()
    receiver.close()
    net.delete()
    time.sleep(0.5)
    check(Held.now() != held.at_first, "the orphan is gone with the name of its namespace")
    held.check()
    unload_soon(scheme)


@test("with too many orphans the queue is dropped", FAMILIES, SCHEMES[:1])
def too_many(scheme, family):
    """As above. The limit holds for all orphans of the machine, also for those that are closing."""
    held = Held()
    sysctl("max_orphans", 0)
    _, sender, receiver = connected(scheme.ccid, family)
    sent = fill(sender)
    sender.close()
    check(not is_open(), "it goes on with a limit of 0")
    check(len(numbers(receiver)) < sent - QUEUE + 10, "the queue was sent")
    receiver.close()
    check(wait_for(lambda: "CLOSING" not in ss("client"), 5), "it does not end")

    sysctl("max_orphans", 1)
    net, first, _ = stuck(scheme.ccid, family)
    first.close()
    check(is_open(), "it does not go on with a limit of 1")
    net.shape("client", "netem delay 5ms limit 1000")
    c, s = net.pair(family, *[[(CCID, ccids(scheme.ccid)), (QPOLICY_TXQLEN, QUEUE)]] * 2)
    sent = fill(c)
    c.close()
    check(len(numbers(s)) < sent - QUEUE + 10, "a second one goes on with a limit of 1")
    held.check()
    check_error(errno.EINVAL, sysctl, "max_orphans", -1)


def drains(ccid, family, end, partopen=False):
    _, sender, receiver = connected(ccid, family, end, partopen=partopen)
    sent = fill(sender)
    check(sent >= QUEUE, f"only {sent} packets were queued")
    start = time.monotonic()
    sender.close()
    took = time.monotonic() - start
    check(took < 0.1, f"close() took {took} s")
    check(partopen and not ss(end) or is_open(end), f"it is closed at once: {ss(end)}")
    received = numbers(receiver)
    note(f"{sent} packets in {time.monotonic() - start:.2f} s")
    check_equal(received, list(range(sent)), "packets received")
    receiver.close()
    check(wait_for(lambda: "CLOSING" not in ss(end) and "FIN-WAIT" not in ss(end), 5),
          f"it does not come to its end: {ss(end)}")


for number in EVERY:
    test(f"close() in PARTOPEN leaves the queue to be sent, CCID {number}")(
        lambda n=number: drains(n, socket.AF_INET, "client", True))
    for at in "client", "server":
        for fam in FAMILIES:
            test(f"close() leaves the queue to be sent, {at}, CCID {number}, "
                 f"IPv{4 if fam == socket.AF_INET else 6}")(
                     lambda n=number, f=fam, e=at: drains(n, f, e))


@test("data for an orphan in PARTOPEN is dropped, and opens the connection", FAMILIES, SCHEMES[:1])
def partopen_data(scheme, family):
    """The debug kernel sees whether the packet is looked at after it was freed."""
    _, sender, receiver = connected(scheme.ccid, family, partopen=True)
    receiver.send(b"data")      # it takes 50 ms, and comes before what acknowledges the queue
    sent = fill(sender)
    sender.close()
    check(not is_open(), "it has left PARTOPEN before: the test is too easy")
    check(wait_for(is_open, 5), "it does not leave PARTOPEN")
    check_equal(numbers(receiver), list(range(sent)), "packets received")


@test("the queue of a process that is killed is sent", FAMILIES, SCHEMES[:1])
def killed(scheme, family):
    _, sender, receiver = connected(scheme.ccid, family)
    begun, begin = os.pipe()

    def victim():
        receiver.close()
        linger(sender, 100)     # for who exits it does not count
        os.write(begin, bytes([fill(sender)]))
        signal.pause()
    pid = spawn(victim)
    sent = os.read(begun, 1)[0]
    os.close(begun)
    os.close(begin)
    sender.close()
    os.kill(pid, signal.SIGKILL)
    start = time.monotonic()
    os.waitpid(pid, 0)
    check(time.monotonic() - start < 0.1, "it lingers")
    check_equal(numbers(receiver), list(range(sent)), "packets received")


@test("the receiver's rate is reported while the queue is sent, and its data dropped", FAMILIES,
      SCHEMES)
def both_ways(scheme, family):
    """The peer does not know that nobody reads. Without reports it would slow down."""
    _, sender, receiver = connected(scheme.ccid, family, rate=4000)
    receiver.send(bytes(SIZE))
    sender.recv(SIZE)
    sent = fill(sender)
    sender.close()
    before = tx_info(receiver).nofeedbacks
    for i in range(40):
        send_one(receiver, SIZE)
        time.sleep(0.1)
        check(i % 10 or "skmem:(r0," in ss("client", "-m"), "data of the peer is kept")
    check(is_open(), "the queue is empty: the test is too easy")
    check_equal(tx_info(receiver).nofeedbacks, before, "times without a report")
    check_equal(numbers(receiver), list(range(sent)), "packets received")


# ---------------------------------------------------------------- not sending

@test("unread data and a linger time of 0 still drop the queue", FAMILIES, SCHEMES[:1])
def aborts(scheme, family):
    for unread in True, False:
        _, sender, receiver = connected(scheme.ccid, family, delay="5ms")
        if unread:
            receiver.send(bytes(SIZE))
            time.sleep(0.1)
        else:
            linger(sender, 0)
        sent = fill(sender)
        sender.close()
        check_equal(ss("client"), "", "sockets of the client")
        received = 0
        receiver.settimeout(60)
        with contextlib.suppress(ConnectionResetError):
            while receiver.recv(SIZE):
                received += 1
        check(received < sent - QUEUE + 10, f"{received} of {sent} packets were received")


# ---------------------------------------------------------------- bounds

def bounded(ccid, family, end):
    """No report comes, so that the queue would take minutes or for ever."""
    _, sender, _ = stuck(ccid, family, end)
    start = time.monotonic()
    sender.close()
    time.sleep(DRAIN_TIME - 0.5)
    check(is_open(end), "it is closed early")
    check(wait_for(lambda: not is_open(end), DRAIN_TIME, 0.25), "it goes on")
    took = time.monotonic() - start
    note(f"{took:.2f} s")
    check(DRAIN_TIME <= took < latest(DRAIN_TIME) + 0.5, f"it went on for {took} s")
    closing = "CLOSING" if end == "client" else "FIN-WAIT"
    check(closing in ss(end), f"it is not closing: {ss(end)}")


for number in EVERY:
    test(f"an orphan ends after {DRAIN_TIME} s, CCID {number}", timeout=600)(
        lambda n=number: bounded(n, socket.AF_INET, "client"))
for fam in FAMILIES:
    test(f"an orphan of a server ends after {DRAIN_TIME} s, "
         f"IPv{4 if fam == socket.AF_INET else 6}", timeout=600)(
             lambda f=fam: bounded(SCHEMES[0].ccid, f, "server"))


@test("the bound counts from when nobody waits any more", timeout=600)
def bound_after_linger():
    _, sender, _ = stuck(SCHEMES[0].ccid)
    linger(sender, 70)
    start = time.monotonic()
    sender.close()
    took = time.monotonic() - start
    check(70 <= took < latest(70), f"close() took {took} s")
    start = time.monotonic()
    check(wait_for(lambda: not is_open(), 2 * DRAIN_TIME, 0.25), "it goes on")
    took = time.monotonic() - start
    check(DRAIN_TIME <= took < latest(DRAIN_TIME) + 0.5, f"it went on for {took} s")


@test("an orphan ends when the peer closes", FAMILIES, SCHEMES)
def peer_closes(scheme, family):
    """A client gets a CloseReq, a server a Close."""
    for end, other in ("client", "server"), ("server", "client"):
        _, sender, receiver = connected(scheme.ccid, family, end, rate=250)
        fill(sender)
        sender.close()
        time.sleep(1)
        check(is_open(end), "the queue is empty: the test is too easy")
        with contextlib.suppress(BlockingIOError):
            while receiver.recv(SIZE, socket.MSG_DONTWAIT):
                pass
        receiver.close()
        check(wait_for(lambda end=end: not is_open(end), 2), "it goes on")
        check(wait_for(lambda end=end: "TIME-WAIT" in ss(end) or not ss(end), 5),
              f"it does not end: {ss(end)}")
        check(wait_for(lambda other=other: "TIME-WAIT" in ss(other) or not ss(other), 5),
              f"the peer does not end: {ss(other)}")


@test("an orphan ends when the peer resets the connection", FAMILIES, SCHEMES)
def peer_resets(scheme, family):
    for end in "client", "server":
        _, sender, receiver = connected(scheme.ccid, family, end, rate=250)
        fill(sender)
        sender.close()
        check(is_open(end), "it is closed")
        linger(receiver, 0)
        receiver.close()
        check(wait_for(lambda end=end: "TIME-WAIT" in ss(end) or not ss(end), 2),
              f"it goes on: {ss(end)}")
        unload_soon(scheme)


def unload_soon(scheme):
    unload(scheme.module, 2)


def raw_orphan(family, scheme):
    """A server whose socket is closed with a queue, and a client that we are."""
    net = Network()
    listener = net.listen(family, [(CCID, ccids(scheme.ccid)), (QPOLICY_TXQLEN, QUEUE)])
    listener.setsockopt(socket.SOL_SOCKET, SO_MAX_PACING_RATE, 250)
    peer = Peer(net, family)
    peer.send(REQUEST, wish(scheme.ccid))
    peer.send(ACK, confirm(peer.receive(RESPONSE)))
    s = accept(listener)
    listener.close()
    fill(s)
    s.close()
    data = peer.receive(DATA, DATAACK)
    check(data and is_open("server"), "it does not go on")
    return net, peer, data


@test("an orphan answers Close by Reset, and Reset by nothing", FAMILIES, SCHEMES[:1])
def answers(scheme, family):
    _, peer, _ = raw_orphan(family, scheme)
    peer.send(CLOSE)
    reset = peer.receive(RESET, CLOSEREQ)
    check_equal((reset.type, reset.code), (RESET, CLOSED), "answer")
    check_equal(ss("server"), "", "sockets of the server")
    check_equal(peer.receive(timeout=10), None, "what follows")
    _, peer, _ = raw_orphan(family, scheme)
    peer.send(RESET, code=ABORTED)
    check_equal(peer.receive(RESET, CLOSEREQ, timeout=10), None, "answer to a Reset")


@test("an orphan whose data is not taken ends, and an ICMP error of the past does not end it",
      FAMILIES, SCHEMES[:1])
def icmp(scheme, family):
    """unreachable() says what tells that nobody is there: the port does not exist."""
    _, peer, data = raw_orphan(family, scheme)
    peer.unreachable(data.seq - 1000)
    time.sleep(0.5)
    check(is_open("server"), "an error about another connection has ended it")
    peer.unreachable(data.seq)
    check(peer.receive(CLOSEREQ), "no CloseReq comes")
    check("FIN-WAIT" in ss("server"), f"it goes on: {ss('server')}")
    _, peer, data = raw_orphan(family, scheme)
    peer.send(CLOSEREQ)     # a server answers by a Sync, and goes on
    time.sleep(0.5)
    check(is_open("server"), "a CloseReq of a client has ended it")


@test("only an ICMP error that says that nobody is there ends an orphan", FAMILIES, SCHEMES[:1])
def icmp_kinds(scheme, family):
    """A router without a route: that may pass. A router that forbids it: that is final."""
    for kind, ends in ("unreachable", False), ("prohibit", True):
        net, sender, _ = connected(scheme.ccid, family, rate=1000)
        fill(sender)
        to = net.address("server", family)
        ip(f"route add {kind} {to}", "router")
        sender.close()
        check_equal(wait_for(lambda: not is_open(), 10, 0.1), ends, f"ends by '{kind}'")


@test("an orphan without a route ends", FAMILIES, SCHEMES[:1])
def no_route(scheme, family):
    _, sender, _ = connected(scheme.ccid, family, rate=1000)
    fill(sender)
    sender.close()
    check(is_open(), "it does not go on")
    ip("route delete " + ("default" if family == socket.AF_INET else "::/0"), "client")
    # the next packet is sent within a second
    check(wait_for(lambda: not is_open(), 3, 0.1), "it goes on")
    sysctl("default.retries2", 3)
    check(wait_for(lambda: not ss("client"), 200, 2), "it does not give up")


@test("ss -K ends an orphan", FAMILIES, SCHEMES)
def kill(scheme, family):
    _, sender, receiver = connected(scheme.ccid, family, rate=250)
    fill(sender)
    sender.close()
    time.sleep(0.5)
    check(is_open(), "it does not go on")
    check(ss("client", "-K"), "nothing was killed")
    check_equal(ss("client"), "", "sockets of the client")
    receiver.settimeout(60)
    with contextlib.suppress(ConnectionResetError):
        while receiver.recv(SIZE):
            pass
    receiver.close()
    unload_soon(scheme)


@test("an orphan holds its CCID, and lets go of it with the queue", None, SCHEMES)
def holds(scheme):
    _, sender, receiver = connected(scheme.ccid)
    sent = fill(sender)
    sender.close()
    received = []
    while len(received) < sent - 5:
        check(not remove(scheme.module), "the module could be removed while in use")
        received.append(receiver.recv(SIZE))
    numbers(receiver)
    receiver.close()
    unload_soon(scheme)


def there():
    return os.path.exists("/run/netns/client")


def probe(sender, probes):
    """SO_KEEPALIVE of a client."""
    with inside("client"):
        for name, value in ("time", 5), ("intvl", 5), ("probes", probes):
            write(f"/proc/sys/net/ipv4/tcp_keepalive_{name}", value)
    sender.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)


@test("an orphan with SO_KEEPALIVE ends when its peer does not answer", FAMILIES, SCHEMES[:1])
def not_answered(scheme, family):
    """Two probes with 5 s between them, 5 s after the last packet that came, and 5 s more."""
    _, sender, _ = stuck(scheme.ccid, family)
    probe(sender, 2)
    start = time.monotonic()
    sender.close()
    check(is_open(), "it does not go on")
    check(wait_for(lambda: not ss("client"), DRAIN_TIME, 0.25), "it goes on")
    took = time.monotonic() - start
    # A packet may have been on its way for a second.
    check(15 <= took < latest(15) + 1.5, f"it went on for {took} s")


@test("an orphan over UDP goes on", FAMILIES, SCHEMES[:1])
def over_udp(scheme, family):
    net = Network()
    for name in "client", "server":
        with inside(name):
            sysctl("udp_port", 6511)
            sysctl("encap_port", 6511)
    net.shape("client", "netem delay 50ms limit 1000")
    ask = [(CCID, ccids(scheme.ccid)), (QPOLICY_TXQLEN, QUEUE)]
    c, s = net.pair(family, ask, ask)
    s.send(b"open")
    check_equal(c.recv(SIZE), b"open", "data")
    sent = fill(c)
    c.close()
    check(is_open(), "it is closed at once")
    check_equal(numbers(s), list(range(sent)), "packets received")


if __name__ == "__main__":
    main()
