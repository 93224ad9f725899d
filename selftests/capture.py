# SPDX-License-Identifier: GPL-2.0-only
"""Captures packets of an interface with exact times, and dissects them by tshark."""
import ctypes
import socket
import struct
import subprocess
import xml.etree.ElementTree

from lib import IPPROTO_DCCP, at_end, check, inside, need

ETH_P_ALL = 3
SO_ATTACH_FILTER = 26
SO_RCVBUFFORCE = 33
SO_TIMESTAMPNS = 35
PACKET_OUTGOING = 4

TYPES = ("Request Response Data Ack DataAck CloseReq Close Reset Sync "
         "SyncAck").split() + ["reserved"] * 6


class Capture:
    """Packets of both directions, with the kernel's time stamps."""

    def __init__(self, end="client", device="eth0", only=()):
        """With only: IPv4 packets of these types."""
        with inside(end):
            self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
            if only:
                self.filter(only)
            self.socket.bind((device, ETH_P_ALL))
        at_end.append(self.socket.close)
        self.socket.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 1 << 28)
        self.socket.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)

    def filter(self, types):
        """A classic BPF program, so that other packets take no time here."""
        types = [TYPES.index(t) << 1 for t in types]
        program = [(0x28, 0, 0, 12),                        # ldh Ethernet type
                   (0x15, 0, 4 + len(types), 0x0800),       # IPv4?
                   (0x30, 0, 0, 23),                        # ldb protocol
                   (0x15, 0, 2 + len(types), IPPROTO_DCCP),
                   (0x30, 0, 0, 42),                        # ldb type and X
                   (0x54, 0, 0, 0x1e)]                      # and
        program += [(0x15, len(types) - n, 0, t) for n, t in enumerate(types)]
        program += [(0x06, 0, 0, 0), (0x06, 0, 0, 0xffffffff)]
        code = ctypes.create_string_buffer(
            b"".join(struct.pack("=HBBI", *i) for i in program))
        self.socket.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, struct.pack(
            "HL", len(program), ctypes.addressof(code)))

    def packets(self):
        """Packets since the last call: (time in ns, frame, whether it went out)."""
        while True:
            try:
                frame, control, _, address = self.socket.recvmsg(
                    65536, 64, socket.MSG_DONTWAIT)
            except BlockingIOError:
                return
            seconds, ns = struct.unpack("=qq", control[0][2])
            yield seconds * 10**9 + ns, frame, address[2] == PACKET_OUTGOING

    def tshark(self):
        """DCCP packets since the last call, dissected by tshark."""
        return Tshark.running().read(list(self.packets()))


def pcap(packets=None):
    """Captured packets as a file in Wireshark's format; without any, its head."""
    return struct.pack("<IHHiIII", 0xa1b23c4d, 2, 4, 0, 0, 65535, 1) + b"".join(
        struct.pack("<IIII", *divmod(stamp, 10**9), len(frame), len(frame)) + frame
        for stamp, frame, _ in packets or ())


def data_packets(packets):
    """The captured packets over IPv4 that carry data, with their payload."""
    for stamp, frame, out in packets:
        if frame[12:14] == b"\x08\0" and frame[23] == IPPROTO_DCCP:
            dccp = frame[34:14 + int.from_bytes(frame[16:18], "big")]
            if TYPES[dccp[8] >> 1 & 15] in ("Data", "DataAck"):
                yield stamp, frame, out, dccp[dccp[4] * 4:]


class Tshark:
    """One tshark for all of a program's captures: it takes seconds to start."""

    instance = None

    @classmethod
    def running(cls):
        cls.instance = cls.instance or cls()
        return cls.instance

    def __init__(self):
        need("tshark")
        self.process = subprocess.Popen(
            ["tshark", "-i", "-", "-n", "-l", "-Q", "-T", "pdml"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.process.stdin.write(pcap())

    def read(self, packets):
        self.process.stdin.write(pcap(packets)[len(pcap()):])
        self.process.stdin.flush()
        result = []
        for _ in packets:
            dccp = self.next_packet().find("proto[@name='dccp']")
            if dccp is not None:
                result.append(Packet(dccp))
        return result

    def next_packet(self):
        text = b""
        for line in self.process.stdout:
            if line.strip() == b"<packet>":
                text = b""
            text += line
            if line.strip() == b"</packet>":
                return xml.etree.ElementTree.fromstring(text)
        raise RuntimeError("tshark has ended")


class Packet:
    """A DCCP packet as tshark dissected it."""

    def __init__(self, proto):
        def value(name):
            field = proto.find(f".//field[@name='dccp.{name}']")
            return None if field is None else int(field.get("show"), 0)

        self.type = proto.get("showname").split("[")[1].split("]")[0]
        self.source, self.target = value("srcport"), value("dstport")
        self.reset_code = value("reset_code")
        self.malformed = any(f.get("name") in ("dccp.bad_checksum",
                                               "dccp.option.len.bad",
                                               "dccp.advertised_header_length.bad")
                             for f in proto.iter("field"))
        self.options = []       # name, feature number or None, bytes after these
        for option in proto.iterfind(".//field[@name='dccp.option_type']"):
            name = option.get("showname").split(": ")[1].rsplit(" (", 1)[0]
            feature = option.find(".//field[@name='dccp.feature_number']")
            raw = bytes.fromhex(option.get("value"))
            if feature is None:
                self.options.append((name, None, raw[2:]))
            else:
                self.options.append((name, int(feature.get("show")), raw[3:]))

    def option(self, name, feature=None):
        """The value of the only such option, or None."""
        found = [v for n, f, v in self.options if (n, f) == (name, feature)]
        check(len(found) <= 1, f"{self.type} has {len(found)} {name} options")
        return found[0] if found else None

    def __repr__(self):
        return f"{self.type} {self.options}"
