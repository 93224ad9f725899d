#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Kernels: uml (7.3)
"""Kernel code that must not treat DCCP sockets as its own: IP options, BPF, TLS, MPTCP, io_uring.

A kernel after 6.15 has no DCCP, and the modules bring what it has lost. Code that casts a socket
to the kernel's own structures would then read and write others.
"""
import contextlib
import ctypes
import errno
import mmap
import os
import select
import socket
import struct
import time

from bpf import (END, LINK_CREATE, MAP_CREATE, MAP_UPDATE_ELEM, bpf, call, copy, instruction, load,
                 put, skip_if_equal)
from lib import (GET_CUR_MPS, SOL_DCCP, Failure, Network, Skip, check, check_equal, check_error,
                 inside, libc, main, test)
from rawpeer import REQUEST, RESET, RESPONSE, Peer

BOTH = [socket.AF_INET, socket.AF_INET6]
IP_OPTIONS = 4
IPV6_DSTOPTS, IPV6_HOPOPTS = 59, 54
SOL_TCP, TCP_ULP, SOL_MPTCP, IPPROTO_MPTCP = 6, 31, 284, 262


def move(c, s, packets=5):
    """Data in both directions."""
    for source, target in (c, s), (s, c):
        for number in range(packets):
            source.send(b"%d" % number)
            check_equal(target.recv(100), b"%d" % number, "data over DCCP")


def mps(s):
    return s.getsockopt(SOL_DCCP, GET_CUR_MPS)


def first_number(net, family):
    """The first sequence number of a server, minus its time in ns."""
    peer = Peer(net, family)
    peer.send(REQUEST)
    now, response = time.time_ns(), peer.receive(RESPONSE)
    peer.send(RESET, ack=response.seq)
    peer.socket.close()
    return (response.seq - now) % (1 << 48)


@test("the first IPv6 handshake does not change the sequence numbers of IPv4")
def sequence_numbers():
    """For the same addresses and ports the first numbers follow the time (RFC 4340, 7.2).

    It must come before any other test over IPv6.
    """
    net = Network()
    for family in BOTH:
        net.listen(family)
    before = first_number(net, socket.AF_INET)
    first_number(net, socket.AF_INET6)
    moved = (first_number(net, socket.AF_INET) - before) % (1 << 48)
    moved = min(moved, (1 << 48) - moved)
    check(moved < 60e9, f"they have moved by {moved / 1e9:.3f} s")


@test("IP options take room from the maximum packet size")
def ip_options():
    net = Network()
    c, s = net.pair()
    before = mps(c)
    c.setsockopt(socket.SOL_IP, IP_OPTIONS, bytes([1] * 7 + [0]))
    check_equal(mps(c), before - 8, "MPS with 8 bytes of options")
    move(c, s)
    c.send(bytes(mps(c)))
    check_equal(len(s.recv(10000)), before - 8, "length of a packet of the MPS")
    check_error(errno.EMSGSIZE, c.send, bytes(mps(c) + 1))
    c.setsockopt(socket.SOL_IP, IP_OPTIONS, b"")
    check_equal(mps(c), before, "MPS without them")
    move(c, s)


@test("extension headers of IPv6 take room from the maximum packet size")
def ipv6_options():
    net = Network()
    c, s = net.pair(socket.AF_INET6)
    before = mps(c)
    for name in IPV6_DSTOPTS, IPV6_HOPOPTS:
        # one PadN of four bytes
        c.setsockopt(socket.IPPROTO_IPV6, name, bytes([0, 0, 1, 4, 0, 0, 0, 0]))
        check_equal(mps(c), before - 8, "MPS with an extension header of 8 bytes")
        move(c, s)
        c.send(bytes(mps(c)))
        check_equal(len(s.recv(10000)), before - 8, "length of a packet of the MPS")
        # Kernels with DCCP do not give the room back until the next connection.
        c.setsockopt(socket.IPPROTO_IPV6, name, b"")
    move(c, s)


@test("options that are set before connect()")
def options_before():
    net = Network()
    listener = net.listen()
    before = mps(net.connect())
    c = net.open("client")
    c.setsockopt(socket.SOL_IP, IP_OPTIONS, bytes([1] * 3 + [0]))
    c.connect((net.address("server", socket.AF_INET), 5001))
    check_equal(mps(c), before - 4, "MPS with 4 bytes of options")
    listener.close()


@test("a connection has no multicast group")
def multicast():
    net = Network()
    four = net.open("client")
    check_error(errno.EPROTO, four.setsockopt, socket.SOL_IP, socket.IP_ADD_MEMBERSHIP,
                socket.inet_aton("224.1.1.1") + bytes(4))
    six = net.open("client", socket.AF_INET6)
    check_error(errno.EPROTO, six.setsockopt, socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP,
                socket.inet_pton(socket.AF_INET6, "ff02::1:3") + struct.pack("I", 1))


SCHED_CLS, TCX_INGRESS = 3, 46
SK_LOOKUP_TCP, SK_RELEASE, SK_ASSIGN = 84, 86, 124      # functions for programs
SOCKMAP, REUSEPORT_SOCKARRAY, SOCKHASH = 15, 20, 18
ENOTSUPP = 524      # of the kernel, and in no header


@test("no DCCP socket in a map of BPF's", BOTH)
def sock_map(family):
    net = Network()
    c, s = net.pair(family)
    for kind, value in (SOCKMAP, 4), (SOCKHASH, 4), (REUSEPORT_SOCKARRAY, 8):
        try:
            there = bpf(MAP_CREATE, struct.pack("IIII", kind, 4, value, 4))
        except OSError as e:
            raise Skip(f"no map of BPF's can be made here: {e.strerror}") from e
        key = ctypes.c_uint32(0)
        fd = (ctypes.c_uint64 if value == 8 else ctypes.c_uint32)(c.fileno())
        try:
            bpf(MAP_UPDATE_ELEM, struct.pack("IIQQQ", there, 0, ctypes.addressof(key),
                                             ctypes.addressof(fd), 0))
            raise Failure(f"a map of type {kind} took the socket")
        except OSError as e:
            check(e.errno in (errno.EOPNOTSUPP, errno.EINVAL, ENOTSUPP), f"refused by {e}")
        finally:
            os.close(there)
    move(c, s)


def assigning(family, address, port):
    """A BPF program that gives each packet the TCP socket that listens at this address."""
    # struct bpf_sock_tuple: any sender, and the receiver
    there = socket.inet_pton(family, address)
    sockets = there + there + struct.pack("!HH", 1, port)
    size = len(sockets)
    words = struct.unpack(f"={size // 4}i", sockets)
    assign = [copy(7, 0), copy(1, 6), copy(2, 7), put(3, 0), call(SK_ASSIGN),
              copy(1, 7), call(SK_RELEASE)]
    return [
        copy(6, 1),
        *(instruction(0x62, 10, value=word, offset=4 * i - size) for i, word in enumerate(words)),
        copy(2, 10), instruction(0x07, 2, value=-size), put(3, size),
        put(4, -1),         # in the network namespace of the device
        put(5, 0), call(SK_LOOKUP_TCP),
        skip_if_equal(0, 0, len(assign)), *assign,      # if there is none
        put(0, 0), END]


@test("a packet for DCCP is not taken by a socket of TCP's that BPF gives it", BOTH)
def sk_assign(family):
    net = Network()
    address = net.address("server", family)
    with inside("server"):
        listener = socket.create_server((address, 5001), family=family)
        try:
            there = load(SCHED_CLS, assigning(family, address, 5001))
            link = bpf(LINK_CREATE, struct.pack("IIII", there, socket.if_nametoindex("eth0"),
                                                TCX_INGRESS, 0))
        except OSError as e:
            raise Skip(f"no program of BPF's can be attached here: {e.strerror}") from e
    with inside("client"):
        # The program works: who connects to another port is not refused. The listener answers,
        # and resets the connection, as it gets the rest of the handshake, too.
        with contextlib.suppress(ConnectionResetError):
            socket.create_connection((address, 5002), timeout=10).close()
    c, s = net.pair(family)
    move(c, s)
    os.close(link)
    listener.close()


@test("no TLS, no MPTCP", BOTH)
def upper_layers(family):
    net = Network()
    c, s = net.pair(family)
    for level, name, value in ((SOL_TCP, TCP_ULP, b"tls"), (SOL_TCP, TCP_ULP, b"mptcp"),
                               (SOL_MPTCP, 1, bytes(4))):
        check_error((errno.ENOPROTOOPT, errno.EOPNOTSUPP), c.setsockopt, level, name, value)
    check_error((errno.EPROTONOSUPPORT, errno.ESOCKTNOSUPPORT), socket.socket, family, 6,
                IPPROTO_MPTCP)
    move(c, s)


class Ring:
    """As much of io_uring as it takes to send and to receive."""
    SETUP, ENTER = 425, 426
    SEND, RECV = 26, 27

    def __init__(self):
        self.params = ctypes.create_string_buffer(120)
        self.fd = libc.syscall(self.SETUP, 8, self.params)
        if self.fd < 0:
            raise Skip(f"no io_uring here: {os.strerror(ctypes.get_errno())}")
        words = struct.unpack("10I10I10I", self.params.raw)
        self.sq, self.cq = words[10:20], words[20:30]
        size = max(self.sq[6] + 4 * words[0], self.cq[5] + 16 * words[1])
        self.ring = mmap.mmap(self.fd, size, offset=0)
        self.entries = mmap.mmap(self.fd, 64 * words[0], offset=0x10000000)

    def word(self, at):
        return struct.unpack_from("I", self.ring, at)[0]

    def do(self, opcode, s, buffer):
        """One request; its result."""
        tail = self.word(self.sq[1])
        index = tail & self.word(self.sq[2])
        struct.pack_into("BBHiQQII", self.entries, 64 * index, opcode, 0, 0, s.fileno(), 0,
                         ctypes.addressof(buffer), len(buffer), 0)
        struct.pack_into("I", self.ring, self.sq[6] + 4 * index, index)
        struct.pack_into("I", self.ring, self.sq[1], tail + 1)
        if libc.syscall(self.ENTER, self.fd, 1, 1, 1, None, 0) != 1:
            raise OSError(ctypes.get_errno(), "io_uring_enter()")
        head = self.word(self.cq[0])
        result = struct.unpack_from("QiI", self.ring,
                                    self.cq[5] + 16 * (head & self.word(self.cq[2])))[1]
        struct.pack_into("I", self.ring, self.cq[0], head + 1)
        return result

    def close(self):
        self.entries.close()
        self.ring.close()
        os.close(self.fd)


@test("io_uring sends and receives", BOTH)
def io_uring(family):
    ring = Ring()
    net = Network()
    c, s = net.pair(family)
    for text in b"first", b"second":
        out = ctypes.create_string_buffer(text, len(text))
        check_equal(ring.do(ring.SEND, c, out), len(text), "result of the request to send")
        check(select.select([s], [], [], 5)[0], "nothing arrived")
        into = ctypes.create_string_buffer(100)
        check_equal(ring.do(ring.RECV, s, into), len(text), "result of the request to receive")
        check_equal(into.raw[:len(text)], text, "data")
    ring.close()


if __name__ == "__main__":
    main()
