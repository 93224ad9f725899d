# SPDX-License-Identifier: GPL-2.0-only
"""The Wireshark script on packets that are not whole, or not where it would look for them."""
import os
import shutil
import struct
import subprocess

import pytest

SCRIPT = os.path.join(os.path.dirname(__file__), "../../tools/wireshark/dccp-ccid.lua")
# An Ack with a Receive Rate of 4096 bytes/s, and with Signals: 3 packets lost, one marked
ACK = struct.pack("!HHBBHBB14x", 5001, 6001, 9, 0, 0, 3 << 1 | 1, 0) + bytes(
    [194, 6, 0, 0, 16, 0, 200, 6, 0, 3, 0, 1])
BOTH, RATE, NOTHING = "4096\t3", "4096\t", "\t"


def ip(protocol, payload, more=0, offset=0):
    return struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(payload), 1, more << 13 | offset // 8, 64,
                       protocol, 0, bytes([10, 0, 0, 1]), bytes([10, 0, 0, 2])) + payload


def unreachable(quoted):
    return ip(1, struct.pack("!BBHI", 3, 3, 0, 0) + quoted)


def fields(frames):
    """What the script finds in frames, of which so many bytes are captured; and Lua's errors."""
    data = struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1)
    for packet, captured in frames:
        frame = bytes(12) + b"\x08\0" + packet
        data += struct.pack("<IIII", 0, 0, captured or len(frame), len(frame)) + frame[:captured]
    done = subprocess.run(
        ["tshark", "-X", f"lua_script:{SCRIPT}", "-r", "-", "-n", "-T", "fields",
         *(word for field in ("dccp_ccid.receive_rate", "dccp_ccid.lost", "_ws.lua.text",
                              "_ws.expert.message") for word in ("-e", field))],
        input=data, capture_output=True, check=True)
    lines = done.stdout.decode().split("\n")[:-1]
    return ["\t".join(line.split("\t")[:2]) for line in lines], [x for x in lines if "Lua" in x]


@pytest.mark.skipif(not shutil.which("tshark"), reason="there is no tshark")
@pytest.mark.parametrize(("frames", "expected"), [
    ([(ip(33, ACK), None)], [BOTH]),
    ([(unreachable(ip(33, ACK)[:28]), None)], [NOTHING]),
    ([(unreachable(ip(33, ACK)), None)], [BOTH]),
    ([(ip(33, ACK), 14 + 20 + size) for size in range(2, 25)], [NOTHING] * 23),
    ([(ip(33, ACK), 14 + 20 + 24 + 6)], [RATE]),
    ([(ip(33, ACK[:24], more=1), None), (ip(33, ACK[24:], offset=24), None)], [NOTHING, BOTH]),
], ids=["whole", "ICMP, 8 bytes", "ICMP", "cut", "cut behind an option", "fragments"])
def test_packets(frames, expected):
    assert fields(frames) == (expected, [])
