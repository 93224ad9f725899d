# SPDX-License-Identifier: GPL-2.0-only
"""Captures, which are written here packet by packet."""

import json
import math
import struct

import dpkt
import pytest
from labkit import capture, guest

EPOCH = 1000


def dccp(seq, *, back=False, kind=2, payload=100, ttl=64, tos=0):
    """A DCCP packet, as RFC 4340, 5.1 has it: four words, a sequence number of 48 bits."""
    ports = (5300, 40000) if back else (40000, 5300)
    words = struct.pack("!HHBBHBB", *ports, 4, 0, 0, kind << 1 | 1, 0) + seq.to_bytes(6, "big")
    return ip(33, words + bytes(payload), seq, ttl, tos)


def in_udp(seq, payload=100):
    """The same in UDP, as RFC 6773 has it: a UDP header before DCCP's."""
    inner = dccp(seq, payload=payload)[14 + 20:]
    return ip(17, struct.pack("!HHHH", 40001, 6511, 8 + len(inner), 1) + inner, seq, 64, 0)


def tcp(seq, payload):
    """A TCP segment without options."""
    return ip(6, struct.pack("!HHIIBBHHH", 50000, 7001, seq, 0, 5 << 4, 16, 0, 0, 0) +
              bytes(payload), seq, 64, 0)


def ip(proto, body, identity, ttl, tos):
    """In an Ethernet frame."""
    return bytes(12) + b"\x08\x00" + struct.pack(
        "!BBHHHBBH4s4s", 0x45, tos, 20 + len(body), identity & 0xffff, 0, ttl, proto, 0,
        b"\x0a\0\1\1", b"\x0a\0\2\1") + body


@pytest.fixture
def read(tmp_path):
    """Write captures, read them."""
    def function(**places):
        for place in "sent", "passed", "arrived":
            if place in places:
                with open(tmp_path / f"{place}.pcap", "wb") as file:
                    writer = dpkt.pcap.Writer(file, snaplen=guest.SNAP, nano=True)
                    for when, frame in places[place]:
                        writer.writepkt(frame[:guest.SNAP], EPOCH + when)
        (tmp_path / "guest.json").write_text(json.dumps(
            {"epoch": EPOCH, "ports": {"5300": "media"}, "reports": []}))
        return capture.read(tmp_path)
    return function


def test_rows(read):
    """A packet is one row, wherever it was seen; one that was lost has no time there."""
    rows, _ = read(sent=[(1, dccp(1)), (2, dccp(2)), (3, tcp(7, 500))],
                   passed=[(1.5, dccp(1, ttl=63)), (3.5, tcp(7, 500))])
    assert list(rows["name"]) == ["media", "media", "tcp"]
    assert list(rows["sent"]) == pytest.approx([1, 2, 3])
    assert rows["passed"][0] == pytest.approx(1.5) and math.isnan(rows["passed"][1])
    assert list(rows["size"]) == [136, 136, 540] and list(rows["payload"]) == [100, 100, 500]
    assert list(rows["seq"]) == [-1, -1, 7]


def test_in_udp(read):
    """DCCP over UDP is DCCP; its header of 8 bytes is on the wire, but not in the payload."""
    rows, _ = read(sent=[(1, in_udp(5))], passed=[(1.5, in_udp(5))])
    assert list(rows["name"]) == ["media"] and list(rows["flow"]) == [40000]
    assert list(rows["size"]) == [144] and list(rows["payload"]) == [100]
    assert rows["passed"][0] == pytest.approx(1.5)


def test_back(read):
    """What receivers send is kept apart."""
    rows, back = read(sent=[(1, dccp(1)), (2, dccp(9, back=True, kind=3, payload=0))], passed=[])
    assert len(rows) == 1 and len(back) == 1
    assert (back["flow"][0], back["size"][0]) == (40000, 36)


def test_acknowledgments_have_no_payload(read):
    """Only Data and DataAck carry data."""
    rows, _ = read(sent=[(1, dccp(1, kind=4)), (2, dccp(2, kind=3))], passed=[])
    assert list(rows["payload"]) == [100, 0]


def test_marks(read):
    """A router changes TOS: the packet is the same one, and marked."""
    rows, _ = read(sent=[(1, dccp(1, tos=2)), (2, dccp(2, tos=2))],
                   passed=[(1.1, dccp(1, tos=3)), (2.1, dccp(2, tos=2))])
    assert list(rows["ce"]) == [True, False] and rows["passed"].notna().all()


def test_equal_packets(read):
    """Of two that are equal, the first to come is the first to leave."""
    rows, _ = read(sent=[(1, tcp(7, 10)), (2, tcp(7, 10))], passed=[(1.2, tcp(7, 10))])
    assert rows["passed"][0] == pytest.approx(1.2) and math.isnan(rows["passed"][1])


def test_what_begins_behind_the_senders(read):
    """A packet that was not seen at first has a row, too."""
    rows, _ = read(sent=[], passed=[(1, dccp(1))], arrived=[(2, dccp(1))])
    assert math.isnan(rows["sent"][0]) and rows["arrived"][0] == pytest.approx(2)


def write(path, frames):
    """A capture."""
    with open(path, "wb") as file:
        writer = dpkt.pcap.Writer(file, snaplen=128, nano=True)
        for when, frame in frames:
            writer.writepkt(frame[:128], EPOCH + when)


def segment(sport, dport, seq):
    """TCP with ten bytes."""
    return ip(6, struct.pack("!HHIIBBHHH", sport, dport, seq, 0, 5 << 4, 16, 0, 0, 0) + bytes(10),
              seq, 64, 0)


def test_tag(read):
    """The first four bytes of a datagram; acknowledgments have none."""
    data = dccp(1)[:-100] + b"\0\0\1\2" + bytes(96)
    rows, _ = read(sent=[(1, data), (2, dccp(2, kind=3))], passed=[])
    assert list(rows["tag"]) == [258, -1]


def test_when_due(read):
    """Of dccperf's packets the time at byte 24; none if the capture ends before."""
    head = b"DPRF" + struct.pack("!IQQQ", 7, 2 << 56 | 9, 5 * 10**9, 4 * 10**9)
    whole, short = (dccp(n)[:-100] + head + bytes(68) for n in (1, 2))
    rows, _ = read(sent=[(1, whole)], passed=[])
    assert list(rows["tag"]) == [4 * 10**9]
    rows, _ = read(sent=[(1, short[:50 + 30])], passed=[])
    assert list(rows["tag"]) == [-1]


def test_calls(tmp_path):
    """lab/media's ports are those of TCP, too; dccperf's TCP connection is not measured."""
    write(tmp_path / "sent.pcap", [(1, segment(6000, 5301, 7)), (2, segment(40000, 5300, 7)),
                                   (3, segment(5301, 6000, 1)), (4, dccp(3))])
    (tmp_path / "guest.json").write_text(json.dumps(
        {"epoch": EPOCH, "ports": {"5300": "perf"}, "calls": {"5301": "media"}}))
    rows, back = capture.read(tmp_path)
    assert list(rows["name"]) == ["media", "perf"] and list(rows["flow"]) == [6000, 40000]
    assert list(back["flow"]) == [6000]


def test_from_the_right(tmp_path):
    """Flows from the right have captures of their own; in the others they do not count."""
    there = segment(6001, 5302, 9)
    write(tmp_path / "sent.pcap", [(1, segment(6000, 5301, 7)), (2, there)])
    write(tmp_path / "right_sent.pcap", [(1.8, there), (1.9, segment(6000, 5301, 7))])
    write(tmp_path / "right_passed.pcap", [(1.95, there)])
    (tmp_path / "guest.json").write_text(json.dumps(
        {"epoch": EPOCH, "calls": {"5301": "media"}, "calls_of_right": {"5302": "media back"}}))
    rows, _ = capture.read(tmp_path)
    assert list(rows["name"]) == ["media", "media back"]
    assert list(rows["sent"]) == pytest.approx([1, 1.8])
    assert rows["passed"][1] == pytest.approx(1.95)


def test_two_addresses(read):
    """Flows from two addresses are two, though they have one port; so are their acknowledgments."""
    def of(packet, second, back=False):
        at = 14 + (16 if back else 12)
        return packet[:at] + bytes([10, 0, 1, second]) + packet[at + 4:]
    rows, back = read(sent=[(1, of(dccp(1), 11)), (2, of(dccp(2), 12)),
                            (3, of(dccp(1, back=True), 12, True))], passed=[])
    assert list(rows["flow"]) == [(10 << 16) + 40000, (11 << 16) + 40000]
    assert list(back["flow"]) == [(11 << 16) + 40000]
