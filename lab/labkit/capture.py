# SPDX-License-Identifier: GPL-2.0-only
"""Captures of the bottleneck, as a table with one row for each packet that came to it."""

import collections
import json
import math
import os

import dpkt
import pandas as pd

# lab/traffic's ports
TCP_CLASSES = {7000: "crowd", 7001: "tcp", 7002: "web", 7003: "media"}
UDP_CLASSES = {7000: "udp", 7001: "media"}
TCP, UDP, DCCP_PROTO = 6, 17, 33
DCCP_IN_UDP = 6511          # RFC 6773
TOS = 1                     # where it is in an IP header
PLACES = "sent", "passed", "arrived"
COLUMNS = (*PLACES, "name", "flow", "size", "payload", "seq", "ce", "tag")


class DCCP(dpkt.Packet):
    """The generic header of RFC 4340, 5.1, with a sequence number of 48 bits."""
    __hdr__ = (("sport", "H", 0), ("dport", "H", 0), ("offset", "B", 0), ("ccval", "B", 0),
               ("sum", "H", 0), ("kind", "B", 0), ("reserved", "B", 0), ("number", "6s", b""))
    DATA_TYPES = 2, 4           # Data, DataAck
    in_udp = 0                  # bytes of UDP before it

    @property
    def seq(self):
        """Sequence number."""
        return int.from_bytes(self.number, "big")

    def payload(self, size):
        """Bytes of application data in so many bytes of DCCP."""
        return size - self.in_udp - 4 * self.offset if self.kind >> 1 & 15 in self.DATA_TYPES else 0


dpkt.ip.IP.set_proto(DCCP_PROTO, DCCP)


def decapsulate(ip):
    """Make a DCCP packet of one in UDP; the IP packet keeps its size."""
    udp = ip.data
    if ip.p == UDP and not isinstance(udp, bytes) and DCCP_IN_UDP in (udp.sport, udp.dport):
        ip.p, ip.data = DCCP_PROTO, DCCP(bytes(udp.data))
        ip.data.in_udp = 8


def packets(path, epoch):
    """Time, identity and bytes of each IP packet in a capture."""
    with open(path, "rb") as file:
        for when, frame in dpkt.pcap.Reader(file):
            # All but TTL, checksum and TOS, which routers change.
            yield float(when) - epoch, hash(frame[16:22] + frame[26:]), frame[14:]


def parse(packet):
    """The IP packet, or None if it is malformed."""
    try:
        ip = dpkt.ip.IP(packet)
        decapsulate(ip)
        return ip
    except dpkt.UnpackError:
        return None


def number(address, port):
    """Of a flow. It is the port at the first address, as flows from two may have the same."""
    return (address[3] - 1 << 16) + port


def classify(ip, classes):
    """Class, flow, and whether it is on the way forward; None for what nobody measures."""
    if ip is None or ip.p not in classes or isinstance(ip.data, bytes):
        return None
    classes = classes[ip.p]
    sport, dport = ip.data.sport, ip.data.dport
    if dport in classes:
        return classes[dport], number(ip.src, sport), True
    if sport in classes:
        return classes[sport], number(ip.dst, dport), False
    return None


def header(ip):
    """Bytes of IP and of payload, TCP's sequence number, whether it is marked CE, and the tag.

    There is -1 for what a packet does not have. The tag says what a datagram belongs to: of
    lab/media the number of a frame, which is in the first four bytes; of dccperf the time at which
    the packet was due, in ns, where tools/dccperf/packet.c has it.
    """
    inner, length = ip.data, ip.len - 4 * ip.hl
    payload = {TCP: lambda: length - 4 * inner.off, UDP: lambda: length - 8,
               DCCP_PROTO: lambda: inner.payload(length)}[ip.p]()
    start = {UDP: lambda: bytes(inner.data), TCP: lambda: b"",
             DCCP_PROTO: lambda: bytes(inner.data)[max(0, 4 * inner.offset - 16):]}[ip.p]()
    first, end = (24, 32) if start[:4] == b"DPRF" else (0, 4)
    tag = int.from_bytes(start[first:end], "big") if min(payload, len(start)) >= end else -1
    return ip.len, payload, inner.seq if ip.p == TCP else -1, ip.tos & 3 == 3, tag


class Rows:
    """Columns of the table, and where in it a packet is."""

    def __init__(self, epoch, classes):
        self.epoch, self.classes = epoch, classes
        self.columns = {name: [] for name in COLUMNS}
        self.identities = []

    def add(self, identity, what, ip, place, when):
        """A packet on its way forward, seen for the first time."""
        size, payload, seq, ce, tag = header(ip)
        values = dict.fromkeys(PLACES, math.nan) | {
            place: when, "name": what[0], "flow": what[1], "size": size, "payload": payload,
            "seq": seq, "ce": ce, "tag": tag}
        for name, value in values.items():
            self.columns[name].append(value)
        self.identities.append(identity)

    def first(self, path):
        """Packets that came to the bottleneck; those that went back."""
        back = []
        for when, identity, packet in packets(path, self.epoch):
            ip = parse(packet)
            what = classify(ip, self.classes)
            if what and what[2]:
                self.add(identity, what, ip, "sent", when)
            elif what:
                back.append((when, what[0], what[1], ip.len))
        return back

    def match(self, path, place):
        """Note when packets were seen at another place; some may begin their way there."""
        waiting = collections.defaultdict(list)
        for i in range(len(self.identities) - 1, -1, -1):
            waiting[self.identities[i]].append(i)
        for when, identity, packet in packets(path, self.epoch):
            if same := waiting.get(identity):
                i = same.pop()
                self.columns[place][i] = when
                self.columns["ce"][i] |= packet[TOS] & 3 == 3
            elif (what := classify(ip := parse(packet), self.classes)) and what[2]:
                self.add(identity, what, ip, place, when)


def table(directory, epoch, classes, prefix=""):
    """Packets forward and packets back, of captures whose names begin so."""
    rows = Rows(epoch, classes)
    first = os.path.join(directory, prefix + "sent.pcap")
    back = rows.first(first) if os.path.exists(first) else []
    for place in PLACES[1:]:
        path = os.path.join(directory, prefix + place + ".pcap")
        if os.path.exists(path):
            rows.match(path, place)
    return (pd.DataFrame(rows.columns),
            pd.DataFrame(back, columns=["sent", "name", "flow", "size"]))


def read(directory):
    """Packets forward and packets back, of a run in this directory; times in s.

    For flows from the right, forward is from right to left.
    """
    with open(os.path.join(directory, "guest.json"), encoding="utf-8") as file:
        guest = json.load(file)
    def of(key):
        return {int(port): name for port, name in guest.get(key, {}).items()}

    # dccperf has a TCP connection beside that of DCCP; lab/media has one connection, of any kind.
    calls = of("calls")
    packets, back = table(directory, guest["epoch"], {
        TCP: calls | TCP_CLASSES, UDP: calls | UDP_CLASSES, DCCP_PROTO: calls | of("ports")})
    if calls := of("calls_of_right"):
        other = table(directory, guest["epoch"], dict.fromkeys((TCP, UDP, DCCP_PROTO), calls),
                      "right_")
        packets, back = (pd.concat(pair, ignore_index=True) for pair in
                         zip((packets, back), other))
    return packets, back
