#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Kernels: uml (6.12) (6.1)
# Timeout: 900
"""The interface for applications: blocking, poll, linger, socket options."""
import contextlib
import ctypes
import errno
import fcntl
import os
import resource
import select
import socket
import struct
import tempfile
import threading
import time

import bpf
from capture import SO_ATTACH_FILTER, Capture
from lib import (BUILT_IN, CCID, FAMILIES, GET_CUR_MPS, IPPROTO_DCCP, QPOLICY_TXQLEN, RX_INFO,
                 RX_INFO_LEAST, RX_INFO_SIZE, RX_PRESET, SCHEMES, SOL_DCCP, TX_INFO, TX_INFO_LEAST,
                 TX_INFO_SIZE, TX_PRESET, Network, Skip, accept, at_end, ccids, check, check_equal,
                 check_error, disconnect, drain, fill, inside, libc, load, main, note, parameter,
                 read, run, rx_info, send_one, spawn, test, tx_info, unload, wait_for, write)
from rawpeer import (ACK, CHANGE_L, CHANGE_R, DATA, DATAACK, F_MIN_COVERAGE, F_SEQ_WINDOW, REQUEST,
                     RESET, RESPONSE, Peer, Received, confirm, feature)

DVRC_TX_LAYERS = 224
QPOLICY_ID, QPOLICY_PRIO, SCM_PRIORITY = 16, 1, 1
SEND_CSCOV, RECV_CSCOV = 10, 11
SIOCOUTQ, SIOCSIFMTU = 0x5411, 0x8922
SIOCADDRT, SIOCDELRT, RTF_UP, RTF_REJECT = 0x890b, 0x890c, 0x1, 0x200
SO_NO_CHECK, SO_RCVLOWAT, SO_DETACH_FILTER, SO_TIMESTAMPING = 11, 18, 27, 37
SO_MEMINFO, SO_TXTIME, IP_TOS = 55, 61, 1
SKF_IFINDEX = 0xfffff000 + 8        # where a filter finds the index of the device
IPV6_RECVERR, IPV6_DSTOPTS = 25, 59
IP_XFRM_POLICY, IPV6_XFRM_POLICY = 17, 35
XFRM_POLICY_IN, XFRM_POLICY_BLOCK = 0, 1
EVERY = [s.ccid for s in SCHEMES] + BUILT_IN
ROUNDS = [s.ccid for s in SCHEMES if s.rounds] + BUILT_IN
# Those that fall silent within a second when no reports come.
FALL_SILENT = [s.ccid for s in SCHEMES if s.rounds and s.halves] + BUILT_IN
SIZE = 1000


def ask(ccid):
    return [(CCID, ccids(ccid))]


def slow_pair(ccid, delay="50ms", more=()):
    """A connection with a round-trip time; it starts at about 4 packets in a round trip."""
    net = Network()
    net.shape("client", f"netem delay {delay} limit 1000")
    c, s = net.pair(client=ask(ccid) + list(more), server=ask(ccid))
    reader = Reader(s, c)
    s.close()
    return net, c, reader


class Reader:
    """Another process that reads the numbers of the packets."""

    def __init__(self, s, other):
        self.pipe, end = os.pipe()
        at_end.append(lambda: os.close(self.pipe))
        spawn(self.read, s, end, other)
        os.close(end)
        os.read(self.pipe, 1)

    @staticmethod
    def read(s, end, other):
        other.close()   # what close() does is for the test to see
        os.write(end, b".")
        while data := s.recv(2 * SIZE):
            os.write(end, data[:4])
        s.close()       # or the other end would wait for it

    def numbers(self):
        """All numbers until the end of the connection."""
        with open(self.pipe, "rb", closefd=False) as file:
            data = file.read()
        return [int.from_bytes(data[i:i + 4], "big") for i in range(0, len(data), 4)]


# ---------------------------------------------------------------- sending

def blocking_send(ccid):
    """It is woken up when a quarter of the queue is left, not for each packet."""
    packets, queue = 120, 8
    _, c, reader = slow_pair(ccid, more=[(QPOLICY_TXQLEN, queue)])
    start, switches = time.monotonic(), resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw
    for number in range(packets):
        c.send(number.to_bytes(4, "big") + bytes(SIZE - 4))
    took = time.monotonic() - start
    switches = resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw - switches
    note(f"{packets} packets in {took:.2f} s, {switches} times asleep")
    check(took > 0.1, "send() never blocked")
    # 19 times, and for each event of a CCID; with half of the queue it would be 28 times
    check(switches <= packets / 5, "it woke up too often")
    c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 20))
    c.close()
    # two processors may change their order on the way
    check_equal(sorted(reader.numbers()), list(range(packets)), "packets received")


def dont_wait(ccid):
    _, c, _ = slow_pair(ccid)
    start = time.monotonic()
    taken = fill(c)
    note(f"{taken} packets taken")
    check(5 <= taken < 100, f"{taken} packets were taken")
    c.setblocking(False)
    # on a slow machine some have left meanwhile
    check_error(errno.EAGAIN, lambda: [c.send(b"x") for _ in range(50)])
    check(time.monotonic() - start < 0.2, "it waited")


def send_timeout(ccid):
    net, c, _ = slow_pair(ccid)
    c.send(bytes(SIZE))
    time.sleep(0.3)
    net.shape("client", "netem loss 100%")
    net.shape("server", "netem loss 100%")
    fill(c)
    for ms in 500, 80:
        c.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("qq", 0, ms * 1000))
        fill(c)         # the nofeedback timer may have let one go
        start = time.monotonic()
        check_error(errno.EAGAIN, lambda: [c.send(bytes(SIZE)) for _ in range(50)])
        took = (time.monotonic() - start) * 1000
        note(f"{took:.0f} ms of {ms}")
        check(took >= ms, "send() gave up too early")


def poll_writable(ccid):
    """Each POLLOUT must be followed by a send() that succeeds."""
    _, c, _ = slow_pair(ccid)
    c.setblocking(False)
    poller = select.poll()
    poller.register(c, select.POLLOUT)
    rounds, sent, start = 0, 0, time.monotonic()
    while sent < 100:
        rounds += 1
        check(poller.poll(5000), "not writable for 5 s")
        c.send(bytes(SIZE))     # EAGAIN would end the test
        sent += 1
    check(time.monotonic() - start > 0.1, "it never blocked")
    answers, full = set(), (False, False, False)
    for _ in range(100):
        fill(c)     # a slow machine may send a packet before the next question
        for _ in range(30):
            by_poll, by_select = bool(poller.poll(0)), bool(select.select([], [c], [], 0)[1])
            answers.add((by_poll, by_select, bool(send_one(c))))
        if full in answers:
            break
    # Meanwhile a packet may leave, where time is real, but none may come.
    check(all(answer == tuple(sorted(answer)) for answer in answers),
          f"poll(), select() and send() say {answers}")
    check(full in answers, "the queue was never full")
    check_equal(select.select([], [c], [], 5)[1], [c], "select() after a while")
    c.send(bytes(SIZE))


def poll_priorities(ccid):
    """With the priority policy send() makes room in a full queue; poll() must not."""
    _, c, reader = slow_pair(ccid, more=[(QPOLICY_ID, QPOLICY_PRIO), (QPOLICY_TXQLEN, 20)])
    time.sleep(0.2)
    sent, before = 0, None
    while sent < 10 or fcntl.ioctl(c, SIOCOUTQ, bytes(4)) != before:
        before = fcntl.ioctl(c, SIOCOUTQ, bytes(4))
        c.sendmsg([sent.to_bytes(4, "big") + bytes(SIZE - 4)],
                  [(SOL_DCCP, SCM_PRIORITY, struct.pack("=I", 1))], socket.MSG_DONTWAIT)
        sent += 1
    poller = select.poll()
    poller.register(c, select.POLLOUT)
    for _ in range(50):
        poller.poll(0)
    c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 20))
    c.close()
    received = reader.numbers()
    note(f"{sent} packets sent, {len(received)} received")
    # The last one may have pushed another one out: so the queue's end is seen.
    check(len(received) >= sent - 1, "poll() has dropped packets")


def longer_queue(ccid):
    _, c, _ = slow_pair(ccid)
    before = fill(c)
    c.setsockopt(SOL_DCCP, QPOLICY_TXQLEN, 30)
    more = fill(c)
    note(f"{before} packets, and {more} more with 30 instead of 5 in the queue")
    check(25 <= more <= 32, "that is not what fits")


def wake_on_end(ccid):
    """A send() that waits must learn that the connection is over."""
    net = Network()
    net.shape("client", "netem delay 50ms limit 1000")
    c, s = net.pair(client=ask(ccid), server=ask(ccid))
    fill(c)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    s.close()
    start = time.monotonic()
    check_error((errno.EPIPE, errno.ECONNRESET, errno.ENOTCONN),
                lambda: [c.send(bytes(SIZE)) for _ in range(50)])
    check(time.monotonic() - start < 1, "it took more than a second")


for number in EVERY:
    for text, function in (
            ("a blocking send() blocks, and sleeps meanwhile", blocking_send),
            ("MSG_DONTWAIT and O_NONBLOCK give EAGAIN at once", dont_wait),
            ("SO_SNDTIMEO limits a blocking send()", send_timeout),
            ("poll() and select() say writable if and only if send() succeeds",
             poll_writable),
            ("poll() drops nothing from a queue with priorities", poll_priorities),
            ("a longer queue takes more at once", longer_queue),
            ("a waiting send() ends with the connection", wake_on_end)):
        if function is send_timeout and number not in FALL_SILENT:
            continue
        test(f"{text}, CCID {number}")(lambda f=function, n=number: f(n))


# ---------------------------------------------------------------- receiving

def full_buffer(ccid):
    """No process reads: packets beyond SO_RCVBUF are lost, and nothing else."""
    net = Network()
    net.shape("client", "netem delay 10ms limit 1000")
    c, s = net.pair(client=ask(ccid), server=ask(ccid))
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 20000)
    limit, sent = s.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF), 100
    for number in range(sent):
        c.send(number.to_bytes(4, "big") + bytes(SIZE - 4))
    time.sleep(5)
    used, *_, drops = struct.unpack("=9I", s.getsockopt(socket.SOL_SOCKET, SO_MEMINFO, 36))
    s.settimeout(1)
    received = []
    with contextlib.suppress(TimeoutError):
        while True:
            received.append(int.from_bytes(s.recv(2 * SIZE)[:4], "big"))
    note(f"{len(received)} packets took {used} bytes of {limit}, {drops} were dropped")
    check(used <= limit < used + used / len(received), "that is not what fits")
    check_equal(received, list(range(len(received))), "packets received")
    check_equal(drops, sent - len(received), "packets dropped")
    if ccid not in BUILT_IN:    # it is not the network that lost them
        check_equal(rx_info(s).packets_received, sent, "packets that the CCID knows of")
    c.send(b"later")
    s.settimeout(10)
    check_equal(s.recv(SIZE), b"later", "data received later")


for number in EVERY:
    test(f"nobody reads: the receive buffer is a limit, CCID {number}")(
        lambda n=number: full_buffer(n))


@test("a receive buffer that is smaller than a packet holds one, also with IPv6's options",
      [socket.AF_INET6])
def small_buffer(family):
    net = Network()
    listener = net.listen(family)
    listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_RECVHOPLIMIT, 1)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    c = net.connect(family)
    s = accept(listener)
    s.settimeout(5)
    for number in range(5):
        c.send(number.to_bytes(4, "big") + bytes(1296))
        check_equal(int.from_bytes(s.recv(2000)[:4], "big"), number, "packet")


# ---------------------------------------------------------------- the largest packet

MTU = 1500
DATAACK_HEADER = 12 + 4 + 8     # with long sequence numbers (RFC 4340, 5.1 and 5.3)
# Mandatory, NDP Count, Timestamp, Timestamp Echo, Data Checksum: what may be on any data
# packet; and with CCID 2 the shortest Ack Vector.
OPTIONS_OF_DATA = 1 + 8 + 6 + 10 + 6
ACK_VECTOR_LEAST = 3


def ccid_options(frame, family):
    """The bytes of the CCID's own options, if this is a Data or DataAck packet."""
    protocol, payload = (23, 34) if family == socket.AF_INET else (20, 54)
    if frame[protocol] != IPPROTO_DCCP:
        return 0
    packet = Received(frame[payload:], 0)
    return sum(2 + len(value) for kind, value in packet.options
               if kind >= 128 and packet.type in (DATA, DATAACK))


def largest(ccid, family):
    """The largest packet fits into an IP packet with any options."""
    net = Network()
    for end in "client", "server":
        net.shape(end, "netem delay 5ms limit 1000")
    capture = Capture()
    ends = net.pair(family, client=ask(ccid), server=ask(ccid))
    sizes = {s: s.getsockopt(SOL_DCCP, GET_CUR_MPS) for s in ends}
    for s in ends:
        check_error(errno.EMSGSIZE, s.send, bytes(sizes[s] + 1))
        s.settimeout(20)
    for number in range(50):
        for s in ends:
            s.send(bytes(sizes[s]))
        for s, other in (ends, ends[::-1]):
            check_equal(len(s.recv(2 * MTU)), sizes[other], f"size of packet {number}")
    frames = [frame for _, frame, _ in capture.packets()]
    longest = max(len(f) - 14 for f in frames)
    options = max(ccid_options(f, family) for f in frames)
    note(f"largest packets {list(sizes.values())}, {longest} bytes with headers and options, "
         f"the CCID's are {options}")
    check(longest <= MTU, f"a packet of {longest} bytes was sent")
    headers = (20 if family == socket.AF_INET else 40) + DATAACK_HEADER
    options += OPTIONS_OF_DATA + (ACK_VECTOR_LEAST if ccid == 2 else 0)
    for name, s in zip(("client", "server"), ends):
        room = MTU - headers - sizes[s]
        check(room >= options, f"{name}: room for {room} bytes of options, {options} may come")


for number in EVERY:
    for family in FAMILIES:
        test(f"the largest packet is no larger than the path's, CCID {number}, "
             f"IPv{4 if family == socket.AF_INET else 6}")(
                 lambda n=number, f=family: largest(n, f))


# ---------------------------------------------------------------- closing

def linger(ccid, seconds, delay):
    _, c, reader = slow_pair(ccid, delay, [(QPOLICY_TXQLEN, 40)])
    sent = fill(c)
    c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, seconds))
    start = time.monotonic()
    c.close()
    took = time.monotonic() - start
    received = reader.numbers()
    note(f"{sent} packets sent, {len(received)} received, close() took {took:.2f} s")
    return sent, received, took


def linger_drains(ccid):
    sent, received, took = linger(ccid, 20, "50ms")
    check(sent >= 40, f"only {sent} packets were queued")
    check_equal(sorted(received), list(range(sent)), "packets received")
    check(took > 0.1, "close() did not wait")
    check(took < 5, "close() waited for more than the queue")


def linger_ends(ccid):
    """A queue that takes longer than the linger time. The rest is sent after close()."""
    sent, received, took = linger(ccid, 1, "1000ms")
    check_equal(sorted(received), list(range(sent)), "packets received")
    check(0.9 < took < 1.5, f"close() took {took:.2f} s")


for number in EVERY:
    for text, function in (
            ("close() with SO_LINGER drains a paced queue", linger_drains),
            ("close() with SO_LINGER waits no longer than that", linger_ends)):
        if function is linger_drains and number not in ROUNDS:
            continue
        test(f"{text}, CCID {number}")(lambda f=function, n=number: f(n))


# ---------------------------------------------------------------- options

def nothing_to_say(ccid, family):
    """RFC 4340, 5.4: a datagram of zero length is one, and reported."""
    net = Network()
    net.shape("client", "netem delay 5ms limit 1000")
    net.shape("server", "netem delay 5ms limit 1000")
    c, s = net.pair(family, ask(ccid), ask(ccid))
    s.settimeout(10)
    said = [b"", b"first", b"", b"", b"last", b""]
    for data in said:
        check_equal(c.send(data), len(data), "what send() returns")
    check_equal([s.recv(100) for _ in said], said, "datagrams")
    # alone, and then with others: what follows is not slower for it
    c.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("qq", 20, 0))
    for data in [b""] * 30 + [bytes(SIZE)] * 30:
        c.send(data)
        check_equal(len(s.recv(2 * SIZE)), len(data), "data received")
        time.sleep(0.1)
    if ccid not in BUILT_IN:
        count = len(said) + 60
        check_equal((tx_info(c).packets_sent, rx_info(s).packets_received), (count, count),
                    "packets that the CCID has counted")
    c.close()
    check_equal(s.recv(100), b"", "at the end of the connection")
    poller = select.poll()
    poller.register(s, select.POLLIN | select.POLLRDHUP)
    check(poller.poll(0)[0][1] & select.POLLRDHUP, "poll() does not tell the end")


for number in EVERY:
    test(f"a datagram of zero length arrives, CCID {number}", FAMILIES)(
        lambda family, n=number: nothing_to_say(n, family))


@test("recv(MSG_ERRQUEUE) takes no data", FAMILIES)
def error_queue(family):
    net = Network()
    c, s = net.pair(family)
    c.send(b"data")
    check(select.select([s], [], [], 60)[0], "no data came")
    for flags in socket.MSG_ERRQUEUE, socket.MSG_ERRQUEUE | socket.MSG_PEEK:
        check_error(errno.EAGAIN, s.recvmsg, 100, 100, flags)
    check_equal(s.recv(100), b"data", "data received")
    check_error(errno.EAGAIN, c.recvmsg, 100, 100, socket.MSG_ERRQUEUE)


@test("a packet that has become too big is reported to who asked for errors")
def too_big():
    net = Network()
    net.shape("client", "netem delay 1s limit 1000")
    c, _ = net.pair(socket.AF_INET6)
    c.setsockopt(socket.IPPROTO_IPV6, IPV6_RECVERR, 1)
    with contextlib.suppress(BlockingIOError):
        for _ in range(20):     # the path gets narrow while they are in the queue
            c.send(bytes(c.getsockopt(SOL_DCCP, GET_CUR_MPS)), socket.MSG_DONTWAIT)
    # Not by a program: while the host reads it, virtual time goes on, and the queue is sent.
    with inside("client"), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, SIOCSIFMTU, struct.pack("16si20x", b"eth0", 1300))
    time.sleep(5)
    poller = select.poll()
    poller.register(c, 0)
    check(poller.poll(0)[0][1] & select.POLLERR, "poll() does not tell")
    _, messages, flags, _ = c.recvmsg(100, 200, socket.MSG_ERRQUEUE)
    check(flags & socket.MSG_ERRQUEUE, "not from the queue of errors")
    level, kind, data = messages[0]
    check_equal((level, kind, struct.unpack_from("=I", data)[0]),
                (socket.IPPROTO_IPV6, IPV6_RECVERR, errno.EMSGSIZE), "error")


def half_open(net, family=socket.AF_INET, port=6001):
    """A peer that has had the answer to its Request, and this."""
    peer = Peer(net, family, port=port)
    peer.send(REQUEST)
    response = peer.receive(RESPONSE)
    check(response, "no Response came")
    return peer, response


def ends_when_let(listener, peer, response, let):
    """A packet that would end the handshake is dropped until this function is called."""
    listener.setblocking(False)
    peer.send(DATAACK, confirm(response), b"dropped")
    time.sleep(0.1)                         # another processor may work on it
    check_error(errno.EAGAIN, listener.accept)
    let()
    peer.send(DATAACK, confirm(response), b"data")
    check_equal(accept(listener).recv(10), b"data", "data received")


@test("send() waits for a connect() that is in progress", FAMILIES)
def send_while_connecting(family):
    net = Network()
    net.shape("client", "netem delay 200ms")
    listener = net.listen(family)
    c = net.open("client", family)
    c.setblocking(False)
    begin = time.monotonic()
    check_error(errno.EINPROGRESS, lambda: c.connect((net.address("server", family), 5001)))
    check_error(errno.EAGAIN, lambda: c.send(b"early"))
    c.setblocking(True)
    check_equal(c.send(b"data"), 4, "bytes that were sent")
    check_equal(accept(listener).recv(10), b"data", "data received")
    took = time.monotonic() - begin
    # A Response that is not acknowledged is sent again after 3 s.
    check(took < 2, f"it took {took:.1f} s")


def attach(s, *program):
    """Have a socket filter what it receives: a program of classic BPF."""
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *i) for i in program))
    s.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER,
                 struct.pack("HL", len(program), ctypes.addressof(code)))


@test("the filter of a listener sees the packet that ends a handshake", FAMILIES)
def filtered(family):
    net = Network()
    listener = net.listen(family)
    peer, response = half_open(net, family)
    attach(listener, (0x06, 0, 0, 0))       # ret 0: nothing passes
    ends_when_let(listener, peer, response,
                  lambda: listener.setsockopt(socket.SOL_SOCKET, SO_DETACH_FILTER, 0))


@test("a filter sees each packet once, with its device and its header", FAMILIES)
def filtered_once(family):
    c, s = Network().pair(family)
    # ld #ifindex, which drops a packet without a device; jeq #0; ret; ret
    attach(s, (0x20, 0, 0, SKF_IFINDEX), (0x15, 1, 0, 0), (0x06, 0, 0, 0xffff), (0x06, 0, 0, 0))
    c.send(b"data")
    s.settimeout(5)
    check_equal(s.recv(10), b"data", "data that a filter by device lets through")
    attach(s, (0x06, 0, 0, 1))              # ret 1: all but the header is cut off
    c.send(b"data")
    check_equal(s.recv(10), b"", "what is left of a packet of which a filter keeps one byte")
    s.setsockopt(socket.SOL_SOCKET, SO_DETACH_FILTER, 0)
    c.send(b"more")
    check_equal(s.recv(10), b"more", "data after that")


def policy_of_socket(family):
    """struct xfrm_userpolicy_info: what comes to this socket is dropped."""
    selector = struct.pack("=32xHHHHHBBBxxxii", 0, 0, 0, 0, family, 0, 0, 0, 0, 0)
    lifetimes = struct.pack("=4Q4Q4Q", *[2**64 - 1] * 4, *[0] * 8)
    return selector + lifetimes + struct.pack("=IIBBBBxxxx", 0, 0, XFRM_POLICY_IN,
                                              XFRM_POLICY_BLOCK, 0, 0)


@test("an IPsec policy holds for the packet that ends a handshake", FAMILIES)
def policy(family):
    """Of the socket: to run ip takes time, and a handshake may end meanwhile."""
    net = Network()
    listener = net.listen(family)
    if run("ip", "-n", "server", "xfrm", "policy", may_fail=True).returncode:
        raise Skip("this kernel has no XFRM_USER")
    which = {socket.AF_INET: (socket.IPPROTO_IP, IP_XFRM_POLICY),
             socket.AF_INET6: (socket.IPPROTO_IPV6, IPV6_XFRM_POLICY)}[family]
    peer, response = half_open(net, family)
    listener.setsockopt(*which, policy_of_socket(family))
    ends_when_let(listener, peer, response, lambda: listener.setsockopt(*which, None, 0))


@test("a listener that is closed hands nothing to others of its group", FAMILIES)
def no_migration(family):
    """net.ipv4.tcp_migrate_req is for TCP: a copy of a handshake would share its features."""
    net = Network()
    with inside("server"):
        write("/proc/sys/net/ipv4/tcp_migrate_req", 1)
    listeners = []
    for _ in range(3):
        listener = net.open("server", family)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        listener.bind((net.address("server", family), 5001))
        listener.listen(100)
        listeners.append(listener)
    halves = [half_open(net, family, port) for port in range(6001, 6021)]
    for peer, response in halves[:10]:      # in the queues
        peer.send(ACK, confirm(response))
    while len(listeners) > 1:
        listeners.pop().close()
        time.sleep(5)                       # Responses would be sent again meanwhile
    gone = [peer for peer, _ in halves[:10] if peer.receive(RESET, timeout=0.01)]
    check(gone, "no connection was of a listener that was closed: the test is too easy")
    for peer, _ in halves[10:]:
        while peer.receive(timeout=0.01):   # Responses of before
            pass
        peer.send(REQUEST)
        peer.send(ACK, confirm(peer.receive(RESPONSE)))
    listeners[0].setblocking(False)
    for _ in range(20 - len(gone)):
        accept(listeners[0]).send(b"x")
    check_error(errno.EAGAIN, listeners[0].accept)
    for peer, _ in halves:
        check(peer in gone or peer.receive(DATA, DATAACK), "a connection sends nothing")


def unreachable(change):
    """10.9.3.0/24 at the server. Not by ip: to run it takes time, and a handshake may end."""
    names = [struct.pack("=H2x4s8x", socket.AF_INET, socket.inet_aton(name))
             for name in ("10.9.3.0", "0.0.0.0", "255.255.255.0")]
    with inside("server"), socket.socket(type=socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, change, struct.pack("=8x16s16s16sH62x", *names, RTF_UP | RTF_REJECT))


def without_route():
    """What the server could not send as there is no route: OutNoRoutes."""
    with inside("server"):
        names, values = (line.split() for line in read("/proc/net/snmp").splitlines()
                         if line.startswith("Ip:"))
    return int(values[names.index("OutNoRoutes")])


@test("an IPv6 listener keeps its options when a child over IPv4 fails")
def mapped_child():
    net = Network()
    listener = net.open("server", socket.AF_INET6)
    listener.bind(("::", 5001))
    listener.listen(5)
    listener.setsockopt(socket.IPPROTO_IPV6, IPV6_DSTOPTS, bytes([0, 0, 1, 4, 0, 0, 0, 0]))  # PadN

    def options():
        return listener.getsockopt(socket.IPPROTO_IPV6, IPV6_DSTOPTS, 100)

    before = options()
    check(before, "it has no options")
    peer, response = half_open(net)
    unreachable(SIOCADDRT)
    failed = without_route()
    peer.send(ACK, confirm(response))
    check(wait_for(lambda: without_route() > failed, 60), "the child has a route")
    check_equal(options(), before, "options, after a child without a route")
    unreachable(SIOCDELRT)
    for family in FAMILIES:
        c = net.connect(family)
        accept(listener).send(b"x")
        check_equal(c.recv(10), b"x", "data received")


@test("checksum coverage: what is set, and what both agree to", FAMILIES)
def coverage(family):
    net = Network()
    s = net.open("server", family, [(SEND_CSCOV, 3), (RECV_CSCOV, 4)])
    check_equal((s.getsockopt(SOL_DCCP, SEND_CSCOV), s.getsockopt(SOL_DCCP, RECV_CSCOV)), (3, 4),
                "what was set")
    for port, (agreed, used) in enumerate((((3, 3), 3), ((5, 5, 6), 5), ((), 0)), 6001):
        peer = Peer(net, family, port=port)
        c = net.open("server", family, [(SEND_CSCOV, 3)])
        c.setblocking(False)
        check_error(errno.EINPROGRESS, c.connect, (net.address("nobody", family), port))
        request = peer.wait_for_request()
        check(request.has(CHANGE_R, bytes([F_MIN_COVERAGE, *range(3, 16)])), f"asks: {request}")
        check_equal(request.coverage, 0, "coverage of the Request")
        peer.send(RESPONSE, confirm(request, feature8=agreed))
        check(peer.receive(ACK), f"no Ack for {agreed}")
        check_equal(c.getsockopt(SOL_DCCP, SEND_CSCOV), used, f"set when {agreed} is agreed")
        c.send(bytes(100))
        check_equal(peer.receive(DATA, DATAACK).coverage, used, f"used when {agreed} is agreed")
        c.close()
    c, s = net.pair(family, [(SEND_CSCOV, 3)], [(RECV_CSCOV, 2)])
    c.send(bytes(100))
    check_equal(s.recv(200), bytes(100), "data received")
    check_equal((c.getsockopt(SOL_DCCP, SEND_CSCOV), s.getsockopt(SOL_DCCP, RECV_CSCOV)), (3, 3),
                "coverage of the two")


@test("who sleeps in accept() is woken although the packet that ends the handshake is not valid",
      FAMILIES)
def woken(family):
    net = Network()
    listener = net.listen(family)
    peer = Peer(net, family)
    peer.send(REQUEST, feature(CHANGE_L, F_SEQ_WINDOW, 0, 0, 0, 0, 0, 32))
    agreed = confirm(peer.receive(RESPONSE))
    accepted = []
    thread = threading.Thread(target=lambda: accepted.append(listener.accept()[0]), daemon=True)
    thread.start()
    time.sleep(0.5)
    peer.send(ACK, agreed, seq=peer.seq + 50)   # the handshake takes it, and the window ends at 24
    thread.join(10)
    check(accepted, "nobody was woken")
    s, = accepted
    at_end.append(s.close)
    s.settimeout(10)
    sender = threading.Thread(target=s.send, args=[b"first"], daemon=True)
    sender.start()
    time.sleep(0.5)
    peer.send(ACK, agreed)
    check_equal(peer.receive(DATA, DATAACK, timeout=10).data, b"first", "data of who was accepted")
    sender.join(10)


def get(s, option, size=256):
    return s.getsockopt(SOL_DCCP, option, size)


def options_of(scheme):
    return ((scheme.tx_option, scheme.tx_good, scheme.tx_bad),
            (scheme.rx_option, scheme.rx_good, scheme.rx_bad))


def set_good(s, scheme):
    for option, good, _ in options_of(scheme):
        s.setsockopt(SOL_DCCP, option, good)


def check_good(s, scheme):
    for option, good, _ in options_of(scheme):
        check_equal(get(s, option), good, f"option {option}")


# The kernel's socket layer asks a protocol about options of SOL_SOCKET first from Linux 6.2 on.
ASKED = tuple(map(int, os.uname().release.split(".")[:2])) >= (6, 2)


@test("options of the socket without effect are refused where the kernel asks DCCP", FAMILIES)
def without_effect(family):
    c, s = Network().pair(family)
    # <linux/net_tstamp.h>: SOFTWARE, TX_SOFTWARE, TX_ACK
    with_ack = 1 << 4 | 1 << 1 | 1 << 9
    for name, value in ((socket.SO_BROADCAST, 1), (SO_NO_CHECK, 1), (socket.SO_OOBINLINE, 1),
                        (SO_TXTIME, struct.pack("=iI", 1, 0)), (SO_TIMESTAMPING, with_ack)):
        if ASKED:
            check_error(errno.EOPNOTSUPP, c.setsockopt, socket.SOL_SOCKET, name, value)
        else:
            c.setsockopt(socket.SOL_SOCKET, name, value)
    check_error(errno.EOPNOTSUPP, c.setsockopt, socket.SOL_SOCKET, SO_RCVLOWAT, 2)
    for level, name in ((socket.SOL_SOCKET, SO_TXTIME), (socket.IPPROTO_IP, IP_TOS)):
        check_error(errno.EOPNOTSUPP, c.sendmsg, [b"data"], [(level, name, bytes(8))])
    for flag in socket.MSG_OOB, socket.MSG_DONTROUTE:
        check_error(errno.EOPNOTSUPP, c.send, b"data", flag)
    c.send(b"data")
    s.settimeout(1000)
    check_equal(s.recv(100), b"data", "the only packet that came")


@test("options set before the connection", FAMILIES, SCHEMES)
def options_before(scheme, family):
    net = Network()
    listener = net.listen(family, ask(scheme.ccid))
    c = net.open("client", family)
    set_good(c, scheme)         # also before the CCID is asked for
    c.setsockopt(SOL_DCCP, CCID, ccids(scheme.ccid))
    c.connect(listener.getsockname()[:2])
    check_good(c, scheme)
    s = accept(listener)
    for option, good, _ in options_of(scheme):
        check(get(s, option) != good, "they crossed over to the peer")


@test("options of a listener are inherited by its children", FAMILIES, SCHEMES)
def options_inherited(scheme, family):
    net = Network()
    listener = net.listen(family, ask(scheme.ccid))
    set_good(listener, scheme)
    children = []
    for _ in range(3):
        net.connect(family, ask(scheme.ccid))
        children.append(accept(listener))
    listener.close()
    for child in children:      # none of them uses what was the listener's
        check_good(child, scheme)
        child.close()
        children = [c for c in children if c is not child]


@test("options set after the end of a connection are for the next one", FAMILIES, SCHEMES)
def options_between(scheme, family):
    net = Network()
    listener = net.listen(family, ask(scheme.ccid))
    c = net.connect(family, ask(scheme.ccid))
    accept(listener).close()
    time.sleep(0.1)
    check_equal(c.recv(10), b"", "what recv() returns at the end")
    time.sleep(0.1)
    set_good(c, scheme)
    disconnect(c)
    c.connect(listener.getsockname()[:2])
    check_good(c, scheme)


@test("options set while it is open", FAMILIES, SCHEMES)
def options_during(scheme, family):
    c, s = Network().pair(family, ask(scheme.ccid), ask(scheme.ccid))
    for end in c, s:
        set_good(end, scheme)
        check_good(end, scheme)
    for number in range(20):
        c.send(b"%d" % number)
        check_equal(s.recv(100), b"%d" % number, "data received")


@test("bad values give EINVAL and change nothing", FAMILIES, SCHEMES)
def bad_options(scheme, family):
    net = Network()
    listener = net.listen(family, ask(scheme.ccid))
    fresh = net.open("client", family, ask(scheme.ccid))
    c = net.connect(family, ask(scheme.ccid))
    s = accept(listener)
    for end in listener, fresh, c, s:
        set_good(end, scheme)
        for option, _, bad in options_of(scheme):
            for value in bad + [b"", b"\0"]:
                check_error(errno.EINVAL, end.setsockopt, SOL_DCCP, option, value)
    fresh.connect(listener.getsockname()[:2])
    for end in c, s, fresh, accept(listener):
        check_good(end, scheme)


def params_of(scheme):
    """Options that take a struct of parameters: (option, the one for presets, a good value)."""
    for option, good, _ in options_of(scheme):
        if option != DVRC_TX_LAYERS:
            yield option, TX_PRESET if option >= TX_INFO else RX_PRESET, good


@test("what will be in force can be read before the connection", FAMILIES, SCHEMES)
def options_preview(scheme, family):
    net = Network()
    listener = net.listen(family, ask(scheme.ccid))
    fresh = net.open("client", family, ask(scheme.ccid))
    before = {option: get(fresh, option) for option, _, _ in params_of(scheme)}
    c = net.connect(family, ask(scheme.ccid))
    for s in c, accept(listener):
        for option, half, _ in params_of(scheme):
            if (half == TX_PRESET) == (s is c):
                check_equal(get(s, option), before[option], f"default of option {option}")
    set_good(fresh, scheme)
    check_good(fresh, scheme)
    fresh.connect(listener.getsockname()[:2])
    check_good(fresh, scheme)


@test("structs of older and newer programs", None, SCHEMES)
def versions(scheme):
    net = Network()
    c, s = net.pair(client=ask(scheme.ccid), server=ask(scheme.ccid))
    for end in net.open("client", socket.AF_INET, ask(scheme.ccid)), c, s:
        for option, _, good in params_of(scheme):
            default = get(end, option)
            end.setsockopt(SOL_DCCP, option, good + bytes(100))     # newer, nothing new said
            check_equal(get(end, option), good, f"option {option}")
            check_error(errno.E2BIG, end.setsockopt, SOL_DCCP, option, default + b"\1")
            check_error(errno.E2BIG, end.setsockopt, SOL_DCCP, option,
                        default + bytes(500) + b"\1")
            check_error(errno.EINVAL, end.setsockopt, SOL_DCCP, option, good + bytes(1025))
            check_equal(get(end, option), good, f"option {option} after what was refused")
            # older: what its struct lacks stays as it was
            for size in range(1, len(good)):
                end.setsockopt(SOL_DCCP, option, default)
                try:
                    end.setsockopt(SOL_DCCP, option, good[:size])
                except OSError as e:
                    check_equal(e.errno, errno.EINVAL, "a struct shorter than there ever was one")
                    continue
                check_equal(get(end, option), good[:size] + default[size:],
                            f"option {option}, {size} of {len(good)} bytes")


@test("presets: by name, in the order of setting", None, SCHEMES)
def presets(scheme):
    net = Network()
    c, s = net.pair(client=ask(scheme.ccid), server=ask(scheme.ccid))
    for end in net.open("client", socket.AF_INET, ask(scheme.ccid)), c, s:
        for option, preset, good in params_of(scheme):
            default = get(end, option)
            check_equal(get(end, preset), b"default\0", "preset at first")
            end.setsockopt(SOL_DCCP, option, good)
            check_equal(get(end, preset), b"custom\0", "preset after a value of its own")
            for name in b"paper", b"paper\0", b"default\0":
                end.setsockopt(SOL_DCCP, preset, name)
            check_equal(get(end, option), default, "what the preset set")
            for name in b"none", b"", b"\0", b"defaul", b"defaults", b"x" * 1024:
                check_error(errno.EINVAL, end.setsockopt, SOL_DCCP, preset, name)
            end.setsockopt(SOL_DCCP, option, good)
            check_equal(get(end, option), good, "a value after the preset")
    # by the name alone, whichever CCID it will be
    one = net.open("client", socket.AF_INET, ask(scheme.ccid))
    for option, preset, good in params_of(scheme):
        one.setsockopt(SOL_DCCP, option, good)
        one.setsockopt(SOL_DCCP, preset, b"default")
        check(get(one, option) != good, "the preset came last")


@test("preset as a module parameter", None, SCHEMES)
def module_preset(scheme):
    there = f"/sys/module/{scheme.module}/parameters"

    def values():
        return {name: read(os.path.join(there, name)) for name in os.listdir(there)}

    load(scheme.module)
    default = values()
    check_equal(default["preset"], "default", "preset at first")
    name, written, _ = scheme.parameter_good
    write(os.path.join(there, name), written)
    check_equal(values()["preset"], "custom", f"preset with {name}={written}")
    write(os.path.join(there, "preset"), "paper")
    paper = values()
    check_error(errno.EINVAL, write, os.path.join(there, "preset"), "papers")
    check_equal(values(), paper, "after preset=papers")
    write(os.path.join(there, "preset"), "default")
    check_equal(values(), default, "after preset=default")
    unload(scheme.module)
    run("modprobe", scheme.module, "preset=paper")
    check_equal(values(), paper, "modprobe with preset=paper")
    unload(scheme.module)


@test("options that are not there give ENOPROTOOPT", None, SCHEMES)
def unknown_options(scheme):
    net = Network()
    fresh = net.open("client")
    c, s = net.pair(client=ask(scheme.ccid), server=ask(scheme.ccid))
    for end in fresh, c, s:
        for option in 130, 191, 194, 255:
            check_error(errno.ENOPROTOOPT, end.setsockopt, SOL_DCCP, option, bytes(8))
            check_error(errno.ENOPROTOOPT, get, end, option)
        for option in TX_INFO, RX_INFO:     # to be read only
            check_error((errno.ENOPROTOOPT, errno.EINVAL),
                        end.setsockopt, SOL_DCCP, option, bytes(8))


@test("a CCID that is not in use answers to nobody", None, SCHEMES)
def other_ccid(scheme):
    c, s = Network().pair(client=ask(3), server=ask(3))
    for end in c, s:
        for option, good, _ in options_of(scheme):
            check_error(errno.ENOPROTOOPT, get, end, option)
            check_error(errno.ENOPROTOOPT, end.setsockopt, SOL_DCCP, option, good)
        check_error(errno.EINVAL, get, end, TX_INFO, TX_INFO_LEAST - 1)


@test("a module parameter that is out of range is refused, and stays as it was", None, SCHEMES)
def module_parameters(scheme):
    name, written, expected = scheme.parameter_good
    parameter(scheme, name, written)
    check_equal(parameter(scheme, name), expected, name)
    for name, bad in [(scheme.parameter_good[0], v) for v in ("", "x", "-1", 1 << 64)] + \
            scheme.parameters_bad:
        before = parameter(scheme, name)
        try:
            parameter(scheme, name, bad)
        except OSError as e:
            check(e.errno in (errno.EINVAL, errno.ERANGE), f"{name} = {bad}: {e}")
        else:
            check(False, f"{name} = {bad} was accepted")
        check_equal(parameter(scheme, name), before, f"{name} after {bad} was refused")


def measured(net, family, scheme):
    """Both ends of a connection that has carried 20 packets."""
    c, s = net.pair(family, ask(scheme.ccid), ask(scheme.ccid))
    for _ in range(20):
        c.send(bytes(SIZE))
    time.sleep(5)
    return c, s


@test("TX_INFO and RX_INFO in the sizes of CCID 3 and in full", FAMILIES, SCHEMES)
def info(scheme, family):
    net = Network()
    net.shape("client", "netem delay 20ms limit 1000")
    # Now and then an emulated machine is late and R has that in it: not each time.
    for _ in range(50):
        c, s = measured(net, family, scheme)
        if tx_info(c).rtt_ns < 25e6:
            break
        note(f"R {tx_info(c).rtt_ns} ns: once more")
    for end, option, least, full in ((c, TX_INFO, TX_INFO_LEAST, TX_INFO_SIZE),
                                     (s, RX_INFO, RX_INFO_LEAST, RX_INFO_SIZE)):
        for room, size in ((full + 100, full), (full, full), (full - 1, full - 1),
                           (least, least), (least + 5, least + 5)):
            before, answer, after = None, b"", b""
            while before != after:      # until nothing changed meanwhile
                before, answer, after = (get(end, option, r) for r in (full, room, full))
            check_equal(len(answer), size, f"size of the answer with room for {room}")
            check_equal(answer, after[:size], "a shorter answer")
        for room in least - 1, 4, 1:
            check_error(errno.EINVAL, get, end, option, room)
    tx, rx = tx_info(c), rx_info(s)
    check_equal((tx.ccid, rx.ccid), (scheme.ccid, scheme.ccid), "ccid")
    check_equal((tx.packets_sent, rx.packets_received), (20, 20), "packets")
    check(19e6 < tx.rtt_ns < 25e6, f"round-trip time {tx.rtt_ns} ns")
    check(abs(tx.tfrctx_rtt - tx.rtt_ns / 1000) <= 1, "tfrctx_rtt")
    check(abs(tx.tfrctx_x / 64 - tx.x) <= 1, "tfrctx_x")
    check_equal(tx.mean_size, SIZE, "mean size")
    # t_ipi = s / X_inst (RFC 5348, 4.6)
    check(abs(tx.tfrctx_ipi - SIZE * 1e6 / tx.x_inst) <= 1 + tx.tfrctx_ipi / tx.x_inst,
          f"x_inst {tx.x_inst} bytes/s, t_ipi {tx.tfrctx_ipi} us")
    check(tx.feedbacks and rx.feedbacks >= tx.feedbacks, "feedbacks")


@test("an idle sender's timer rests, and runs again with the next packet", None, SCHEMES)
def idle_timer(scheme):
    net = Network()
    net.shape("client", "netem delay 20ms limit 1000")
    c, s = net.pair(client=ask(scheme.ccid), server=ask(scheme.ccid))
    drain(s)
    for _ in range(50):
        c.send(bytes(SIZE))
    time.sleep(60)
    before = tx_info(c)
    time.sleep(60)
    idle = tx_info(c)
    check_equal(idle.nofeedbacks, before.nofeedbacks, "timeouts after a minute")
    check_equal(idle.x, before.x, "rate after a minute")
    net.shape("client", "netem loss 100%")
    for _ in range(3):
        c.send(bytes(SIZE))
    time.sleep(60)
    check(tx_info(c).nofeedbacks > idle.nofeedbacks, "no timeout although nothing arrives")


@test("built-in CCID 3 answers TX_INFO and RX_INFO as before", FAMILIES)
def info_ccid3(family):
    c, s = Network().pair(family, ask(3), ask(3))
    c.send(b"x")
    time.sleep(0.1)
    for room, size in (100, 40), (40, 40), (36, 36):    # 36: a 32-bit program
        check_equal(len(get(c, TX_INFO, room)), size, "size of TX_INFO")
    check_equal(get(c, TX_INFO, 36), get(c, TX_INFO, 40)[:36], "TX_INFO of 32-bit programs")
    check_equal(len(get(s, RX_INFO, 12)), 12, "size of RX_INFO")
    check_error(errno.EINVAL, get, c, TX_INFO, 35)


@test("sockets without a connection have no TX_INFO and no RX_INFO", FAMILIES, SCHEMES)
def info_unconnected(scheme, family):
    """CVE-2013-1827: there is no CCID to ask."""
    net = Network()
    c = net.open("client", family, ask(scheme.ccid))
    listener = net.listen(family, ask(scheme.ccid))
    for end in c, listener:
        for option in TX_INFO, RX_INFO:
            check_error((errno.ENOPROTOOPT, errno.EINVAL, errno.ENOTCONN), get, end, option)


# ---------------------------------------------------------------- BPF

CGROUP_SOCK_ADDR, INET4_CONNECT, INET6_CONNECT = 18, 10, 11
USER_PORT = 24                  # in struct bpf_sock_addr


def cgroup():
    """The root of cgroups, and a new one in it."""
    top = tempfile.mkdtemp()
    at_end.append(lambda: os.rmdir(top))
    if run("mount", "-t", "cgroup2", "none", top, may_fail=True).returncode:
        raise Skip("this kernel has no cgroups")
    at_end.append(lambda: run("umount", top))
    inner = os.path.join(top, "dccp-test")
    os.mkdir(inner)
    at_end.append(lambda: os.rmdir(inner))
    return top, inner


def enter(top, inner):
    """This process is in the inner one until the test ends."""
    write(os.path.join(inner, "cgroup.procs"), os.getpid())
    at_end.append(lambda: write(os.path.join(top, "cgroup.procs"), os.getpid()))


def gate(family):
    """In a cgroup of its own this process cannot connect to port 5001, and 5002 leads to 5003."""
    top, inner = cgroup()
    attach = INET4_CONNECT if family == socket.AF_INET else INET6_CONNECT
    port = [socket.htons(5000 + n) for n in range(4)]
    there = os.open(inner, os.O_RDONLY)
    at_end.append(lambda: os.close(there))
    try:
        program = bpf.load(CGROUP_SOCK_ADDR, [
            bpf.load_word(2, 1, USER_PORT),
            bpf.skip_unless_equal(2, port[1], 2),
            bpf.put(0, 0), bpf.END,
            bpf.skip_unless_equal(2, port[2], 2),
            bpf.put(2, port[3]), bpf.store_word(1, USER_PORT, 2),
            bpf.put(0, 1), bpf.END], attach)
        bpf.bpf(bpf.PROG_ATTACH, struct.pack("IIII", there, program, attach, 0))
    except OSError as e:
        raise Skip(f"no program of BPF's can be attached to a cgroup here: {e.strerror}") from e
    enter(top, inner)


@test("the BPF programs of a cgroup run at connect()",
      [socket.AF_INET, socket.AF_INET6])
def bpf_connect(family):
    net = Network()
    listeners = {port: net.listen(family, port=port) for port in (5001, 5003, 5004)}
    net.connect(family, port=5001).close()
    accept(listeners[5001]).close()
    gate(family)
    s = net.open("client", family)
    address = net.address("server", family)
    check_error(errno.EPERM, s.connect, (address, 5001))
    check_error(errno.EINVAL, connect_short, s, family)
    for port, there in (5002, 5003), (5004, 5004):
        s = net.open("client", family)
        s.connect((address, port))
        check_equal(s.getpeername()[1], there, f"port of the peer for {port}")
        accept(listeners[there]).close()


@test("what comes before accept() is not charged to the memory cgroup for good",
      [socket.AF_INET, socket.AF_INET6])
def memory_cgroup(family):
    top, inner = cgroup()
    try:
        write(os.path.join(top, "cgroup.subtree_control"), "+memory")
    except OSError as e:
        raise Skip("this kernel has no memory controller of cgroups") from e
    at_end.append(lambda: write(os.path.join(top, "cgroup.subtree_control"), "-memory"))
    enter(top, inner)
    net = Network()
    listener = net.listen(family)
    for _ in range(50):
        c = net.connect(family)
        for _ in range(4):
            c.send(bytes(1000))
        time.sleep(0.1)
        s = accept(listener)
        for _ in range(4):
            check_equal(len(s.recv(2000)), 1000, "bytes of a packet")
        c.close()
        s.close()
    time.sleep(5)       # the kernel adds up its counters each 2 s
    with open(os.path.join(inner, "memory.stat"), encoding="ascii") as file:
        charged = dict(line.split() for line in file)["sock"]
    check_equal(int(charged), 0, "bytes that are still charged for sockets")


def connect_short(s, family):
    """connect() with an address that is too short for what a program may read"""
    name = struct.pack("=H", family) + bytes(10)
    if libc.connect(s.fileno(), name, len(name)):
        raise OSError(ctypes.get_errno(), "connect()")


if __name__ == "__main__":
    main()
