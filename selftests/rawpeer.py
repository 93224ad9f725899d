# SPDX-License-Identifier: GPL-2.0-only
"""A peer that implements DCCP itself and can send any packet (see lib.py)."""
import socket
import struct
import time

from capture import ETH_P_ALL, PACKET_OUTGOING, TYPES
from lib import IPPROTO_DCCP, MAC, SERVICE_CODE, UML, Failure, at_end, inside

REQUEST, RESPONSE, DATA, ACK, DATAACK, CLOSEREQ, CLOSE, RESET, SYNC, SYNCACK = range(10)
# Options (RFC 4340, 5.8)
MANDATORY, CHANGE_L, CONFIRM_L, CHANGE_R, CONFIRM_R = 1, 32, 33, 34, 35
# Features (6.4)
F_CCID, F_SHORT_SEQNOS, F_SEQ_WINDOW, F_ECN_INCAPABLE, F_ACK_RATIO = 1, 2, 3, 4, 5
F_NDP_COUNT, F_MIN_COVERAGE, F_DATA_CHECKSUM = 7, 8, 9
# Reset codes (5.6)
CLOSED, ABORTED, NO_CONNECTION, OPTION_ERROR, MANDATORY_ERROR, REFUSED = 1, 2, 3, 5, 6, 7
ENCAP_PORT_REUSE = 12       # RFC 6773, 7.2
# How long to wait for a packet that must come: where time is real the host may be slow.
LIMIT = 1.0 if UML else 60.0


def option(kind, value=b"", length=None):
    """An option, with a wrong length if one is given."""
    return bytes([kind, len(value) + 2 if length is None else length]) + value


def feature(kind, number, *values):
    return option(kind, bytes([number, *values]))


def wish(ccid):
    """Change options for a CCID, in both directions."""
    return feature(CHANGE_L, F_CCID, ccid) + feature(CHANGE_R, F_CCID, ccid)


def confirm(packet, **instead):
    """Confirm all that a packet asks for, except features for which a value is given."""
    answer = {CHANGE_L: CONFIRM_R, CHANGE_R: CONFIRM_L}
    result = b""
    for kind, value in packet.options:
        if kind in answer:
            number, values = value[0], value[1:]
            if number not in (F_SEQ_WINDOW, F_ACK_RATIO):
                values = values[:1]     # of a list of preferences the first
            values = instead.get(f"feature{number}", values)
            result += feature(answer[kind], number, *values)
    return result


class Received:
    def __init__(self, dccp, ecn):
        self.ecn = ecn                  # the two bits of the IP header
        self.source, _, offset, ccval, _, kind = struct.unpack_from("!HHBBHB", dccp)
        self.type, self.ccval, self.coverage = kind >> 1 & 15, ccval >> 4, ccval & 15
        self.seq = int.from_bytes(dccp[10:16], "big")
        self.ack, header = None, 16
        if self.type not in (REQUEST, DATA):
            self.ack = int.from_bytes(dccp[18:24], "big")
            header = 24
        if self.type in (REQUEST, RESPONSE, RESET):
            header += 4
        self.code = dccp[24] if self.type == RESET else None
        self.code_data = dccp[25:28] if self.type == RESET else None
        self.checksum = dccp[6:8]
        self.options, area = [], dccp[header:offset * 4]
        while area:
            size = 1 if area[0] < 32 else area[1]
            self.options.append((area[0], area[2:size]))
            area = area[size:]
        self.data = dccp[offset * 4:]

    def has(self, kind, start=b""):
        return any(k == kind and v.startswith(start) for k, v in self.options)

    def __repr__(self):
        return f"{TYPES[self.type]} code {self.code} {self.options}"


class Peer:
    """A host behind the client, at an address that no kernel owns.

    With udp its packets are in UDP (RFC 6773): its port and the other one.
    """

    def __init__(self, net, family=socket.AF_INET, port=6001, to_port=5001, udp=None):
        self.family, self.port, self.to_port, self.udp = family, port, to_port, udp
        self.address = socket.inet_pton(family, net.address("nobody", family))
        self.to = socket.inet_pton(family, net.address("server", family))
        with inside("client"):
            self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW,
                                        socket.htons(ETH_P_ALL))
            self.socket.bind(("eth0", ETH_P_ALL))
        at_end.append(self.socket.close)
        self.seq = 0x123456789abc       # last one sent
        self.ack = 0                    # last one received
        self.tos = 0                    # what its packets have; 3 is a CE mark

    def send(self, kind, options=b"", data=b"", seq=None, ack=None, code=0,
             ccval=0, offset=None, service=SERVICE_CODE, checksum=None, x=1):
        """Send a packet; values that are not given are right."""
        if seq is None:
            self.seq = seq = self.seq + 1 & (1 << 48) - 1
        body = seq.to_bytes(6, "big")
        if kind not in (REQUEST, DATA):
            body += b"\0\0" + (self.ack if ack is None else ack).to_bytes(6, "big")
        if kind in (REQUEST, RESPONSE):
            body += service
        if kind == RESET:
            body += bytes([code, 0, 0, 0])
        body += options + bytes(-len(options) % 4)
        length = 10 + len(body)
        start = struct.pack("!HHBB", self.port, self.to_port,
                            length // 4 if offset is None else offset, ccval << 4)
        end = bytes([kind << 1 | x, 0]) + body + data
        size = len(start) + 2 + len(end)
        if checksum is None:
            pseudo = (self.address + self.to + struct.pack("!II", size, IPPROTO_DCCP))
            checksum = self.sum(pseudo + start + b"\0\0" + end)
        self.send_ip(start + struct.pack("!H", checksum) + end)

    def ip_header(self, size, protocol, source, to):
        """The header of an IP packet with a payload of this size."""
        if self.family == socket.AF_INET:
            def header(checksum):
                return struct.pack("!BBHHHBBH", 0x45, self.tos, 20 + size, 0, 0,
                                   64, protocol, checksum) + source + to
            return header(self.sum(header(0)))
        return struct.pack("!IHBB", 6 << 28 | self.tos << 20, size, protocol, 64) + source + to

    def udp_packet(self, payload, size=None, checksum=None):
        """The payload in UDP; what is not given is as it should be."""
        size = len(payload) + 8 if size is None else size
        start = struct.pack("!HHH", *self.udp, size)
        if checksum is None:
            pseudo = self.address + self.to + struct.pack("!II", size, socket.IPPROTO_UDP)
            covered = payload[:max(size - 8, 0)]
            checksum = self.sum(pseudo + start + b"\0\0" + covered) or 0xffff
        return start + struct.pack("!H", checksum) + payload

    def send_ip(self, payload, protocol=IPPROTO_DCCP):
        """Send anything as the payload of an IP packet, DCCP in UDP if that is asked for."""
        if self.udp and protocol == IPPROTO_DCCP:
            payload, protocol = self.udp_packet(payload), socket.IPPROTO_UDP
        kind = b"\x08\0" if self.family == socket.AF_INET else b"\x86\xdd"
        self.socket.send(bytes.fromhex((MAC["to-client"] + MAC["client"]).replace(":", "")) + kind +
                         self.ip_header(len(payload), protocol, self.address, self.to) + payload)

    def icmp(self, seq, kind, code, rest=0, udp=None):
        """Send an ICMP message about a packet to us with this number.

        The rest is the number behind the checksum. With udp the packet was sent in UDP: from
        which port, to which.
        """
        dccp = struct.pack("!HHBBHBB", self.to_port, self.port, 5, 0, 0, REQUEST << 1 | 1, 0)
        dccp += seq.to_bytes(6, "big") + SERVICE_CODE
        protocol = IPPROTO_DCCP
        if udp:
            dccp = struct.pack("!HHHH", *udp, 8 + len(dccp), 1) + dccp
            protocol = socket.IPPROTO_UDP
        quoted = self.ip_header(len(dccp), protocol, self.to, self.address) + dccp
        if self.family == socket.AF_INET:
            protocol, pseudo = socket.IPPROTO_ICMP, b""
        else:
            protocol = socket.IPPROTO_ICMPV6
            pseudo = self.address + self.to + struct.pack("!II", 8 + len(quoted), protocol)
        checksum = self.sum(pseudo + struct.pack("!BBHI", kind, code, 0, rest) + quoted)
        self.send_ip(struct.pack("!BBHI", kind, code, checksum, rest) + quoted, protocol)

    def unreachable(self, seq, udp=None, mtu=0):
        """Say by ICMP that our port does not take a Request with this number.

        With an MTU: that a router of IPv4 did not send it on, as it was longer than that.
        """
        if self.family == socket.AF_INET:
            self.icmp(seq, 3, 4 if mtu else 3, mtu, udp)
        else:
            self.icmp(seq, 1, 4, mtu, udp)

    @staticmethod
    def sum(data):
        data += bytes(len(data) % 2)
        total = sum(struct.unpack(f"!{len(data) // 2}H", data))
        while total >> 16:
            total = (total & 0xffff) + (total >> 16)
        return ~total & 0xffff

    def receive(self, *kinds, timeout=LIMIT):
        """The next packet for this peer, of one of these types; None if none comes."""
        end = time.monotonic() + timeout
        while True:
            left = end - time.monotonic()
            if left <= 0:
                return None
            self.socket.settimeout(left)
            try:
                frame, address = self.socket.recvfrom(65536)
            except TimeoutError:
                return None
            if address[2] == PACKET_OUTGOING:
                continue
            protocol = socket.IPPROTO_UDP if self.udp else IPPROTO_DCCP
            if self.family == socket.AF_INET:
                ok = frame[12:14] == b"\x08\0" and frame[23] == protocol
                to, dccp, ecn = frame[30:34], frame[34:], frame[15] & 3
            else:
                ok = frame[12:14] == b"\x86\xdd" and frame[20] == protocol
                to, dccp, ecn = frame[38:54], frame[54:], frame[15] >> 4 & 3
            if not ok or to != self.address:
                continue
            if self.udp:
                if struct.unpack_from("!HH", dccp) != self.udp[::-1]:
                    continue
                dccp = dccp[8:]
            packet = Received(dccp, ecn)
            if int.from_bytes(dccp[2:4], "big") != self.port:
                continue
            self.ack = max(self.ack, packet.seq)
            if not kinds or packet.type in kinds:
                return packet

    def connect(self, options=b"", answer=b""):
        """Be a client: Request, Response, Ack. Returns the Response."""
        self.send(REQUEST, options)
        response = self.receive(RESPONSE, RESET)
        if response is None or response.type != RESPONSE:
            raise Failure(f"no Response but {response}")
        self.send(ACK, confirm(response) + answer)
        return response

    def wait_for_request(self):
        """Be a server: wait for a Request, and use the address of its sender."""
        request = self.receive(REQUEST)
        if request is None:
            raise Failure("no Request came")
        self.to_port, self.ack = request.source, request.seq
        return request
