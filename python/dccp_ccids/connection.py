# SPDX-License-Identifier: GPL-2.0-only
"""DCCP connections."""
import ctypes
import errno
import os
import select
import socket
import struct
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self, TypedDict, TypeVar, Unpack

from .structure import Structure
from .uapi import (
    DCCP_CCID_PRESET_LEN,
    DCCP_CCID_TX_ECN,
    DCCP_DVRC_LAYERS_MAX,
    DCCP_SCM_PRIORITY,
    DCCP_SOCKOPT_AVAILABLE_CCIDS,
    DCCP_SOCKOPT_CCID_RX_PRESET,
    DCCP_SOCKOPT_CCID_TX_PRESET,
    DCCP_SOCKOPT_CTFAF_TX_RUNGS,
    DCCP_SOCKOPT_DVRC_K,
    DCCP_SOCKOPT_DVRC_RX_LAYERS,
    DCCP_SOCKOPT_DVRC_TX_LAYERS,
    DCCP_SOCKOPT_ENCAP_PORT,
    DCCP_SOCKOPT_GET_CUR_MPS,
    DCCP_SOCKOPT_QPOLICY_ID,
    DCCP_SOCKOPT_QPOLICY_TXQLEN,
    DCCP_SOCKOPT_RECV_CSCOV,
    DCCP_SOCKOPT_RX_CCID,
    DCCP_SOCKOPT_SEND_CSCOV,
    DCCP_SOCKOPT_SERVICE,
    DCCP_SOCKOPT_TX_CCID,
    DCCPQ_POLICY_PRIO,
    DCCPQ_POLICY_SIMPLE,
    Ccid,
    CcidRxInfo,
    CcidTxInfo,
)

# What Python's socket module does not have
SOCK_DCCP, IPPROTO_DCCP, SOL_DCCP = 6, 33, 269

# Numbers that Python's socket module has only in later versions, or not at all
SO_NO_CHECK, SO_TIMESTAMPING, SO_MEMINFO, SO_TXTIME, IP_OPTIONS = 11, 37, 55, 61, 4

# Options of sockets that DCCP refuses (EOPNOTSUPP), by level and number: why, and what to do
REFUSED = {
    (socket.SOL_SOCKET, socket.SO_RCVLOWAT):
        "SO_RCVLOWAT: packets are read one at a time: expected 0 or 1",
    (socket.SOL_SOCKET, socket.SO_OOBINLINE):
        "SO_OOBINLINE: there is no urgent data: leave it off",
    (socket.SOL_SOCKET, socket.SO_BROADCAST):
        "SO_BROADCAST: a connection has one peer: leave it off",
    (socket.SOL_SOCKET, SO_NO_CHECK):
        "SO_NO_CHECK: every packet has a checksum: leave it off, and see tx_coverage",
    (socket.SOL_SOCKET, SO_TIMESTAMPING):
        "SO_TIMESTAMPING: no single packet is acknowledged: leave out SOF_TIMESTAMPING_TX_ACK",
    (socket.SOL_SOCKET, SO_TXTIME):
        "SO_TXTIME: the congestion control decides when a packet leaves: do without it",
    (socket.IPPROTO_IP, IP_OPTIONS):
        "IP_OPTIONS: no IPv4 options are sent over UDP: set none, or use udp_port=0",
}

# What a host says that does not have a family
NO_FAMILY = errno.EAFNOSUPPORT, errno.ESOCKTNOSUPPORT, errno.EPROTONOSUPPORT

# Those of the modules; selftests/python.py compares
PRESETS = ("default, paper, tfrc (MARC), interactive (MARC, L-TFRC), streaming (MARC), "
           "thin-uplink (RAAR) or layered (DVRC)")

#: One CCID by number or by name ("marc", "ccid3"), or several, the preferred one first
CcidList = int | str | Iterable[int | str]
#: Structures of parameters, with the members to change
Parameters = Mapping[type[Structure], Mapping[str, Any]]
S = TypeVar("S", bound=Structure)


def ccid_numbers(ccids: CcidList) -> list[int]:
    """CCIDs as numbers, in their order: ``ccid_numbers(["marc", 3])`` is ``[248, 3]``."""
    if isinstance(ccids, int | str):
        ccids = [ccids]
    numbers = []
    for ccid in ccids:
        name = str(ccid).upper()
        if name.isdecimal():
            number = int(name)
        else:
            number = Ccid.__members__.get(name.replace("L-TFRC", "LTFRC"), -1)
        if not 0 <= number <= 255:
            names = ", ".join(c.name.lower() for c in Ccid)
            raise ValueError(f"no CCID {ccid!r}: expected one of {names}, or a number up to 255")
        numbers.append(int(number))
    if not numbers:
        raise ValueError("a list of CCIDs may not be empty")
    return numbers


def ccid_name(number: int) -> str:
    """The name of a CCID, such as ``"marc"``; its number if it has none."""
    return Ccid(number).name.lower() if number in list(Ccid) else str(number)


def explain(error: OSError, text: str) -> OSError:
    """The same error, with a text that says what to do."""
    return OSError(error.errno, f"{text} ({error.strerror})")


def packed(layout: str, values: Iterable[Any], expected: str) -> bytes:
    """Numbers as they are in memory, or a ValueError that says what was expected."""
    values = tuple(values)
    try:
        return struct.pack(layout, *values)
    except struct.error as e:
        raise ValueError(f"{', '.join(map(repr, values))}: expected {expected}") from e


class Options(TypedDict, total=False):
    """The options of :class:`Connection`, as connect() and listen() take them."""
    ccid: CcidList | None
    tx_ccid: CcidList | None
    rx_ccid: CcidList | None
    service: int | str
    queue_length: int | None
    priorities: bool
    preset: str | None
    parameters: Parameters | None
    layers: Sequence[int] | None
    udp_port: int | None


class Connection(socket.socket):
    """A DCCP socket: a connection, or what listens for connections.

    It is a socket of Python's standard library; ``send()``, ``recv()``, ``settimeout()``,
    ``fileno()`` and so on work as usual. :func:`connect` and :func:`listen` make one and
    connect it or let it listen.

    *ccid*
        the CCIDs for both directions, the preferred one first, by number or name
        (``"marc"``, ``["marc", 3, 2]``). *tx_ccid* and *rx_ccid* set those of the data that this
        end sends or receives. In DCCP the server's preference wins, so name the CCID at both
        ends.  Without them the host's defaults hold.
    *service*
        service code, a number or four characters; it must be the same at both ends
    *queue_length*
        packets that may wait for the congestion control in the transmit queue. The kernel's
        own default is 5, less than many video frames have: the rest of each frame would
        be refused. None leaves the host's default, 0 is no limit.
    *priorities*
        send the packet with the highest priority first (:meth:`send_layer`)
    *preset*
        name of a preset, such as ``"paper"``, for both halves of the connection
    *parameters*
        single parameters: ``{MarcTxParams: {"delta_loss": 80}}``; after the preset
    *layers*
        cumulative rates of a stream in layers, for DVRC (:attr:`layers`); sets
        *priorities*
    *udp_port*
        UDP port of the server, if DCCP is to be sent over UDP (RFC 6773); None leaves
        the host's default, 0 is plain DCCP

    An error of the kernel is an OSError with its errno; its text says what to do.
    """

    def __init__(self, family: int = socket.AF_INET, *, ccid: CcidList | None = None,
                 tx_ccid: CcidList | None = None, rx_ccid: CcidList | None = None,
                 service: int | str = "ping", queue_length: int | None = 50,
                 priorities: bool = False, preset: str | None = None,
                 parameters: Parameters | None = None, layers: Sequence[int] | None = None,
                 udp_port: int | None = None, fileno: int | None = None) -> None:
        if fileno is not None:
            super().__init__(fileno=fileno)
            return
        try:
            super().__init__(family, SOCK_DCCP, IPPROTO_DCCP)
        except OSError as e:
            if e.errno not in (errno.ESOCKTNOSUPPORT, errno.EPROTONOSUPPORT):
                raise
            ip = 6 if family == socket.AF_INET6 else 4
            raise explain(e, f"DCCP is not loaded for IPv{ip}: as root, modprobe dccp_ipv{ip}"
                          ) from e
        try:
            self.setsockopt(SOL_DCCP, DCCP_SOCKOPT_SERVICE, service_code(service))
            for option, ccids in ((DCCP_SOCKOPT_TX_CCID, tx_ccid if tx_ccid is not None else ccid),
                                  (DCCP_SOCKOPT_RX_CCID, rx_ccid if rx_ccid is not None else ccid)):
                if ccids is not None:
                    self._set_ccids(option, ccid_numbers(ccids))
            if queue_length is not None:
                self.queue_length = queue_length
            if priorities or layers is not None:
                self.priorities = True
            if preset is not None:
                self.tx_preset = self.rx_preset = preset
            for structure, values in (parameters or {}).items():
                self.change(structure, **values)
            if layers is not None:
                self.layers = layers
            if udp_port is not None:
                self.udp_port = udp_port
        except BaseException:
            self.close()
            raise

    # ------------------------------------------------------------ setting up

    def _set_ccids(self, option: int, ccids: list[int]) -> None:
        try:
            self.setsockopt(SOL_DCCP, option, bytes(ccids))
        except OSError as e:
            missing = [c for c in ccids if c not in self.available_ccids()]
            if e.errno == errno.EINVAL and missing:     # the kernel's own DCCP
                raise explain(e, "this DCCP has no loadable CCIDs: the modules of dccp-ccids are "
                              "not installed, or not loaded yet; dccp-ccids-check says why") from e
            if e.errno == errno.EPERM:
                raise explain(e, "a CCID is not allowed to users: net.dccp.allowed_ccids says "
                                 "which ones are") from e
            if e.errno != errno.EOPNOTSUPP:
                raise
            names = " and ".join(f"CCID {c} ({ccid_name(c)})" for c in missing)
            modules = " ".join(f"ccid_{ccid_name(c)}" for c in missing)
            raise explain(e, f"{names}: not loaded, and " + (
                "there is no such module for this kernel: dccp-ccids-check says why"
                if os.geteuid() == 0 else f"only root can load it: modprobe -a {modules}")) from e

    def setsockopt(self, level: int, optname: int, value: Any, optlen: int | None = None,
                   /) -> None:
        """As of other sockets. If DCCP cannot do what is asked, the error says what to do."""
        try:
            if optlen is None:
                super().setsockopt(level, optname, value)
            else:
                super().setsockopt(level, optname, value, optlen)
        except OSError as e:
            if e.errno != errno.EOPNOTSUPP or (level, optname) not in REFUSED:
                raise
            raise explain(e, REFUSED[level, optname]) from e

    def connect(self, address: Any) -> None:
        """Connect to an address; the time limit is that of ``settimeout()``.

        Without a limit the kernel tries for some minutes if nobody answers.
        """
        try:
            super().connect(address)
            if self.gettimeout():       # Python has asked for SO_ERROR, and no more
                check_handshake(self)
        except OSError as e:
            told = self.connect_error(e, address)
            if told is e:
                raise
            raise told from e

    def _has_ip_options(self) -> bool:
        try:
            return any(self.getsockopt(socket.IPPROTO_IP, IP_OPTIONS, 40))
        except OSError:
            return False

    def connect_error(self, error: OSError, address: Any) -> OSError:
        """An error of connect(), with what it means in DCCP."""
        where = f"{address[0]} port {address[1]}"
        limit = f"in {self.gettimeout():g} s" if self.gettimeout() else "in time"
        dropped = f"UDP to port {self.udp_port}" if self.udp_port else "DCCP (IP protocol 33)"
        meanings = {
            None: f"no answer {limit}. Does a firewall or a NAT drop {dropped}?",
            errno.ETIMEDOUT: f"no answer. Does a firewall or a NAT drop {dropped}?",
            errno.ECONNREFUSED: "nobody listens there for DCCP",
            errno.ECONNABORTED: "the peer ended the handshake, and did not say why",
            errno.EBADRQC: "the server has another service code",
            errno.EOPNOTSUPP: "the two ends have no CCID in common: name one at both ends",
            errno.ENOPROTOOPT: "DCCP is not loaded there",
            errno.EADDRNOTAVAIL: "the sysctl net.dccp.udp_port is 0 here, so there is no DCCP over "
                                 "UDP: as root, sysctl net.dccp.udp_port=6511",
            errno.EADDRINUSE: "the server has a connection that differs only in the UDP ports: try "
                              "again",
        }
        if error.errno == errno.EOPNOTSUPP and self.udp_port and self._has_ip_options():
            meanings[errno.EOPNOTSUPP] = REFUSED[socket.IPPROTO_IP, IP_OPTIONS]
        if error.errno not in meanings or error.errno == errno.EADDRNOTAVAIL and not self.udp_port:
            return error
        return OSError(error.errno or errno.ETIMEDOUT, f"{where}: {meanings[error.errno]}")

    def accept(self) -> "tuple[Connection, Any]":
        """A connection, with what was set for this listening socket, and the peer's address."""
        s, address = super().accept()
        connection = Connection(fileno=s.detach())
        connection.settimeout(socket.getdefaulttimeout() if self.gettimeout() != 0 else 0)
        return connection, address

    def dup(self) -> "Connection":
        """Another file of the same connection, as of other sockets."""
        connection = Connection(fileno=os.dup(self.fileno()))
        connection.settimeout(self.gettimeout())
        return connection

    # ------------------------------------------------------------ options

    def _get(self, option: int) -> int:
        return self.getsockopt(SOL_DCCP, option)

    def _put(self, option: int, value: int | bytes, refusal: str) -> None:
        # Other errors, such as that of a closed file, have nothing to do with the value.
        try:
            self.setsockopt(SOL_DCCP, option, value)
        except OSError as e:
            if e.errno == errno.ENOPROTOOPT:
                refusal = "this DCCP or its CCID does not have this option"
            elif e.errno not in (errno.EINVAL, errno.EISCONN):
                raise
            raise explain(e, refusal) from e

    def _set(self, option: int, value: int, expected: str) -> None:
        self._put(option, value, f"{value} was refused: expected {expected}")

    def available_ccids(self) -> list[int]:
        """The CCIDs that are loaded. Root's sockets load others when they are named."""
        return list(self.getsockopt(SOL_DCCP, DCCP_SOCKOPT_AVAILABLE_CCIDS, 256))

    def _ccid(self, option: int) -> int:
        try:
            return self._get(option)
        except OSError as e:
            if e.errno != errno.ENOPROTOOPT:
                raise
            raise OSError(errno.ENOTCONN, "there is no connection, or it is over") from e

    @property
    def tx_ccid(self) -> int:
        """The CCID of the data that this end sends. It is known once there is a connection."""
        return self._ccid(DCCP_SOCKOPT_TX_CCID)

    @property
    def rx_ccid(self) -> int:
        """The CCID of the data that this end receives."""
        return self._ccid(DCCP_SOCKOPT_RX_CCID)

    @property
    def queue_length(self) -> int:
        """Packets that the transmit queue holds, 0: no limit. May be set at any time."""
        return self._get(DCCP_SOCKOPT_QPOLICY_TXQLEN)

    @queue_length.setter
    def queue_length(self, packets: int) -> None:
        self._set(DCCP_SOCKOPT_QPOLICY_TXQLEN, packets, "0 (no limit) or a number of packets")

    @property
    def priorities(self) -> bool:
        """The queueing policy: the packet with the highest priority is sent first.

        A full queue drops the one with the lowest. It is set before the connection.
        """
        return self._get(DCCP_SOCKOPT_QPOLICY_ID) == DCCPQ_POLICY_PRIO

    @priorities.setter
    def priorities(self, on: bool) -> None:
        self._set(DCCP_SOCKOPT_QPOLICY_ID, DCCPQ_POLICY_PRIO if on else DCCPQ_POLICY_SIMPLE,
                  "a socket without a connection")

    @property
    def udp_port(self) -> int:
        """UDP port of the peer, 0 for plain DCCP. It is set before the connection."""
        try:
            return self._get(DCCP_SOCKOPT_ENCAP_PORT)
        except OSError:         # the kernel's own DCCP
            return 0

    @udp_port.setter
    def udp_port(self, port: int) -> None:
        self._set(DCCP_SOCKOPT_ENCAP_PORT, port, "0 to 65535, before the connection")

    @property
    def tx_coverage(self) -> int:
        """Checksum coverage of the packets that this end sends (RFC 4340, 9.2).

        0: all of the packet; 1 to 15: the header and (n - 1) * 4 bytes of the data. It is set
        before the connection.
        """
        return self._get(DCCP_SOCKOPT_SEND_CSCOV)

    @tx_coverage.setter
    def tx_coverage(self, coverage: int) -> None:
        self._set(DCCP_SOCKOPT_SEND_CSCOV, coverage, "0 to 15, before the connection")

    @property
    def rx_coverage(self) -> int:
        """Least checksum coverage of the packets that this end accepts."""
        return self._get(DCCP_SOCKOPT_RECV_CSCOV)

    @rx_coverage.setter
    def rx_coverage(self, coverage: int) -> None:
        self._set(DCCP_SOCKOPT_RECV_CSCOV, coverage, "0 to 15, before the connection")

    @property
    def max_packet_size(self) -> int:
        """The bytes that a packet can carry on this path; a longer one is an error."""
        return self._get(DCCP_SOCKOPT_GET_CUR_MPS)

    def _preset(self, option: int, name: str | None = None) -> str:
        if name is None:
            return self.getsockopt(SOL_DCCP, option, DCCP_CCID_PRESET_LEN).rstrip(b"\0").decode()
        self._put(option, name.encode(),
                  f"no preset {name!r} of a CCID that is loaded: expected {PRESETS}")
        return name

    @property
    def tx_preset(self) -> str:
        """The preset of the sending half; ``"custom"`` if parameters were changed."""
        return self._preset(DCCP_SOCKOPT_CCID_TX_PRESET)

    @tx_preset.setter
    def tx_preset(self, name: str) -> None:
        self._preset(DCCP_SOCKOPT_CCID_TX_PRESET, name)

    @property
    def rx_preset(self) -> str:
        """The preset of the receiving half."""
        return self._preset(DCCP_SOCKOPT_CCID_RX_PRESET)

    @rx_preset.setter
    def rx_preset(self, name: str) -> None:
        self._preset(DCCP_SOCKOPT_CCID_RX_PRESET, name)

    # ------------------------------------------------------------ parameters

    def get(self, structure: type[S]) -> S:
        """The parameters or the state of a scheme: ``get(MarcTxParams)``.

        During a connection ENOPROTOOPT means that it has another CCID.
        """
        size = ctypes.sizeof(structure)
        data = self.getsockopt(SOL_DCCP, structure.OPTION, size)
        return structure.from_buffer_copy(data.ljust(size, b"\0"))

    def set(self, parameters: Structure) -> None:
        """Set all parameters. If one is out of range, the kernel changes nothing."""
        self._set_structure(parameters, dict(parameters))

    def change(self, structure: type[S], **values: Any) -> S:
        """Change single parameters, and return all: ``change(MarcTxParams, delta_loss=80)``."""
        parameters = self.get(structure)
        for name, value in values.items():
            if name not in structure.MEANINGS:
                raise TypeError(f"{structure.__name__} has no {name}: expected one of "
                                f"{', '.join(structure.MEANINGS)}")
            setattr(parameters, name, value)
        self._set_structure(parameters, values)
        return parameters

    def _set_structure(self, parameters: Structure, values: dict[str, Any]) -> None:
        try:
            self.setsockopt(SOL_DCCP, parameters.OPTION, bytes(parameters))
        except OSError as e:
            if e.errno == errno.ENOPROTOOPT:
                raise explain(e, f"{type(parameters).__name__} is for another CCID than this "
                              "connection has") from e
            if e.errno == errno.E2BIG:
                raise explain(e, "the kernel's modules are older than this package: "
                              f"{type(parameters).__name__} has members that they do not know, of "
                              "which one is not 0") from e
            if e.errno != errno.EINVAL:
                raise
            what = "; ".join(parameters.explain(*item) for item in values.items())
            raise explain(e, f"out of range, and nothing was changed: {what}") from e

    def _rates(self, option: int, rates: Sequence[int] | None = None) -> tuple[int, ...]:
        if rates is None:
            data = self.getsockopt(SOL_DCCP, option, 4 * DCCP_DVRC_LAYERS_MAX)
            return struct.unpack(f"={len(data) // 4}I", data)
        expected = (f"up to {DCCP_DVRC_LAYERS_MAX} rates in bytes/s, each greater than the one "
                    "before")
        self._put(option, packed(f"={len(rates)}I", rates, expected),
                  f"{list(rates)} was refused: expected {expected}")
        return tuple(rates)

    @property
    def layers(self) -> tuple[int, ...]:
        """Cumulative rates of the layers that this end sends, bytes/s, for DVRC.

        They are the rate of layer 1, of layers 1 and 2, and so on. Set them before the connection,
        so that the receiver knows them from the start.
        """
        return self._rates(DCCP_SOCKOPT_DVRC_TX_LAYERS)

    @layers.setter
    def layers(self, rates: Sequence[int]) -> None:
        self._rates(DCCP_SOCKOPT_DVRC_TX_LAYERS, rates)

    @property
    def rx_layers(self) -> tuple[int, ...]:
        """The same at the receiver. They take precedence over the sender's."""
        return self._rates(DCCP_SOCKOPT_DVRC_RX_LAYERS)

    @rx_layers.setter
    def rx_layers(self, rates: Sequence[int]) -> None:
        self._rates(DCCP_SOCKOPT_DVRC_RX_LAYERS, rates)

    @property
    def rungs(self) -> tuple[int, ...]:
        """Rates of an encoder that are not evenly spaced, bytes/s, for CTFAF; [0] removes them."""
        return self._rates(DCCP_SOCKOPT_CTFAF_TX_RUNGS)

    @rungs.setter
    def rungs(self, rates: Sequence[int]) -> None:
        self._rates(DCCP_SOCKOPT_CTFAF_TX_RUNGS, rates)

    # ------------------------------------------------------------ state

    def tx_info(self) -> CcidTxInfo:
        """The state of the half of the connection that sends.

        The kernel's CCID 3 fills in the first members; here the others follow from them. CCID 2
        has no such state: OSError with ENOPROTOOPT.
        """
        ccid = self.tx_ccid             # ENOTCONN without a connection
        info = self.get(CcidTxInfo)
        if not info.ccid:
            info.ccid = ccid
            info.x = info.x_inst = info.tfrctx_x // 64
            info.x_recv = info.tfrctx_x_recv // 64
            info.x_calc, info.p_ppb = info.tfrctx_x_calc, info.tfrctx_p * 1000
            info.rtt_ns = info.tfrctx_rtt * 1000
        return info

    def rx_info(self) -> CcidRxInfo:
        """The state of the half that receives. The same holds for CCID 3 and CCID 2."""
        ccid = self.rx_ccid
        info = self.get(CcidRxInfo)
        if not info.ccid:
            info.ccid = ccid
            info.x_recv, info.p_ppb = info.tfrcrx_x_recv, info.tfrcrx_p * 1000
        return info

    def allowed_rate(self) -> int | None:
        """The rate that the congestion control allows now, bytes/s: the lesser of X and X_inst.

        Packets are sent at X_inst, which is less than X while a queue builds up in the network. So
        a source that follows X alone would fill its transmit queue then. None: CCID 2 has a window,
        and no rate. It is 0 until the first packet is sent. A source should use somewhat less,
        90 % say, so that a transmit queue can become empty again.
        """
        if self.tx_ccid == Ccid.CCID2:
            return None
        info = self.tx_info()
        return min(info.x, info.x_inst)

    @property
    def rtt(self) -> float:
        """Smoothed round-trip time R of the sender, seconds; 0 if it is not known yet."""
        return self.tx_info().rtt_ns / 1e9

    @property
    def loss_event_rate(self) -> float:
        """Loss event rate p of the data that this end sends, 0 to 1."""
        return self.tx_info().p_ppb / 1e9

    @property
    def ecn(self) -> bool:
        """Whether packets are sent with ECT(0) or ECT(1), so that routers can mark them, not drop.

        The two ends negotiate it; there is nothing to set.
        """
        return bool(self.tx_info().flags & DCCP_CCID_TX_ECN)

    def layers_allowed(self) -> int:
        """The number K of layers that DVRC allows now; 0 if there are no layers."""
        try:
            return self._get(DCCP_SOCKOPT_DVRC_K)
        except OSError as e:
            if e.errno != errno.ENOPROTOOPT:
                raise
            name = ccid_name(self.tx_ccid)      # ENOTCONN without a connection
            raise explain(e, f"the connection has {name}, which allows no layers: expected dvrc"
                          ) from e

    # ------------------------------------------------------------ sending

    def _send_now(self, data: bytes | bytearray | memoryview,
                  ancillary: Iterable[tuple[int, int, bytes]] = ()) -> bool:
        # With a time limit Python waits for room before it calls the kernel, in spite of
        # MSG_DONTWAIT. Another object of the same file has no limit.
        sender: socket.socket = self
        if self.gettimeout() and self.fileno() >= 0:
            sender = socket.socket(self.family, self.type | socket.SOCK_NONBLOCK, self.proto,
                                   self.fileno())
        try:
            sender.sendmsg([data], ancillary, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return False
        finally:
            if sender is not self:
                sender.detach()
        return True

    def offer(self, data: bytes | bytearray | memoryview) -> bool:
        """Send a packet if there is room for it in the transmit queue; it never waits.

        A live source drops what is refused: it would arrive late.
        """
        return self._send_now(data)

    def send_layer(self, data: bytes | bytearray | memoryview, layer: int) -> bool:
        """Send a packet of a layer (1 is the base layer); it never waits.

        It needs *priorities*. If the queue is full, the packet of the highest layer is dropped.
        """
        if layer not in range(1, DCCP_DVRC_LAYERS_MAX + 1):
            raise ValueError(f"no layer {layer}: expected 1 to {DCCP_DVRC_LAYERS_MAX}")
        tag = struct.pack("=I", DCCP_DVRC_LAYERS_MAX + 1 - int(layer))
        return self._send_now(data, [(SOL_DCCP, DCCP_SCM_PRIORITY, tag)])

    def drain(self, seconds: int) -> None:
        """Let close() wait so long for the transmit queue; the rest is sent after it.

        With 0 close() discards the queue.
        """
        self.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("i", 1) +
                        packed("i", [seconds], "a whole number of seconds"))

    # ------------------------------------------------------------ events

    def ended(self) -> bool:
        """Whether the connection is over: at its end ``recv()`` returns ``b""``.

        It does so for a datagram of length 0, too::

            while (packet := connection.recv(65536)) or not connection.ended():

        It is not over while something that the peer sent before the end waits to be read. While
        there is an error, it looks no further than a datagram of length 0. An error that
        ``recv()`` would raise is raised here.
        """
        poll = select.poll()
        poll.register(self, select.POLLRDHUP)
        events = sum(events for _, events in poll.poll(0))
        if not events & select.POLLRDHUP:
            return False
        # The first number is the memory of what is unread: packets, the end, and errors. The last
        # are not for recv(), and nobody may ever read them.
        if events & select.POLLERR:
            return not self.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        return not self.getsockopt(socket.SOL_SOCKET, SO_MEMINFO)

    def changes(self) -> "Changes":
        """A file for selectors and asyncio that is readable while there is news of the rate."""
        return Changes(self)

class Changes:
    """Is readable when DVRC's number of layers has changed, or CTFAF's rate.

    The kernel has an event, POLLPRI, for these two, and for MARC's warning that its tokens run
    short, if one is set: it is over when layers_allowed() or allowed_rate() have been called. The
    rate of other CCIDs changes with each report, about once in a round trip, and has no event:
    look at it once in a round trip, or for each frame (:func:`dccp_ccids.aio.rates` does so).
    It is readable, too, while there is an error, or while nobody reads the queue of errors.

    Selectors know only files that can be read and written, so this is an epoll that waits for
    POLLPRI::

        selector.register(connection.changes(), selectors.EVENT_READ)
    """

    def __init__(self, connection: Connection) -> None:
        self._epoll = select.epoll()
        self._epoll.register(connection, select.EPOLLPRI)

    def fileno(self) -> int:
        """The file, for selectors."""
        return self._epoll.fileno()

    def ended(self) -> bool:
        """Whether the peer has ended the connection; then this file stays readable, too."""
        return any(events & select.EPOLLHUP for _, events in self._epoll.poll(0))

    def close(self) -> None:
        """Wait no more; the connection stays open."""
        self._epoll.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def service_code(service: int | str) -> bytes:
    """A service code as it is on the wire (RFC 4340, 8.1.2)."""
    expected = "a number of 32 bits, or four characters, as the service code"
    if not isinstance(service, str):
        return packed("!I", [service], expected)
    code = service.encode("ascii")
    if len(code) != 4:
        raise ValueError(f"{service!r}: expected {expected}")
    return code


def check_handshake(s: socket.socket) -> None:
    """After a handshake without an error: is there a connection?

    Some codes of a Reset have no errno. The kernel's own connect() fails with ECONNABORTED then.
    """
    try:
        s.getpeername()
    except OSError as e:
        if e.errno != errno.ENOTCONN:
            raise
        raise OSError(errno.ECONNABORTED, os.strerror(errno.ECONNABORTED)) from e


def connect(host: str, port: int, *, timeout: float | None = 10, family: int = 0,
            **options: Unpack[Options]) -> Connection:
    """Connect to a server, as ``socket.create_connection()`` does.

    *options* are those of :class:`Connection`. *timeout* limits the handshake only, in
    seconds; with None the kernel tries for some minutes.
    """
    error: OSError | None = None
    for found, *_, address in socket.getaddrinfo(host, port, family, socket.SOCK_DGRAM):
        try:
            connection = Connection(found, **options)
        except OSError as e:            # this host may have DCCP for the other family only
            error = error or e
            continue
        try:
            connection.settimeout(timeout)
            connection.connect(address)
            connection.settimeout(socket.getdefaulttimeout())
            return connection
        except OSError as e:
            error = e
            connection.close()
        except BaseException:
            connection.close()
            raise
    assert error
    raise error


def listen(port: int, host: str = "", *, family: int = 0, backlog: int = 128,
           **options: Unpack[Options]) -> Connection:
    """Listen on a port, as ``socket.create_server()`` does.

    Without *host* and *family* it listens for IPv6 and IPv4, or for IPv4 only if DCCP is not
    loaded for IPv6. Of the addresses of a *host* it takes the first that this host has, and fails
    if the port is in use there. *options* are those of :class:`Connection`; the connections that
    ``accept()`` returns inherit them.
    """
    addresses: list[tuple[int, Any]] = [(family or socket.AF_INET6, ("", port))]
    if host:
        addresses = [(found, address) for found, *_, address in
                     socket.getaddrinfo(host, port, family, socket.SOCK_DGRAM)]
    elif not family:
        addresses.append((socket.AF_INET, ("", port)))
    errors: list[OSError] = []
    for found, address in addresses:
        try:
            listener = Connection(found, **options)
        except OSError as e:
            if e.errno not in NO_FAMILY:
                raise
            errors.append(e)
            continue
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if not family and not host and found == socket.AF_INET6:
                listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
            listener.bind(address)
            listener.listen(backlog)
            return listener
        except BaseException as e:
            listener.close()
            # Another address of the name may be one of this host. Where the port is in use,
            # clients would reach who uses it.
            if not host or not isinstance(e, OSError) or e.errno != errno.EADDRNOTAVAIL:
                raise
            errors.append(e)
    raise next((e for e in errors if e.errno not in NO_FAMILY), errors[0])
