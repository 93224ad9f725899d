# SPDX-License-Identifier: GPL-2.0-only
"""What a Connection computes from the kernel's answers. The answers are made up here."""

import asyncio
import errno
import os
import select
import socket
import struct

import pytest

from dccp_ccids import Ccid, Connection, aio, listen
from dccp_ccids.connection import SO_MEMINFO, SO_TIMESTAMPING, service_code
from dccp_ccids.uapi import CcidTxInfo, MarcTxParams


class Answered(Connection):
    """A connection with a CCID and a state."""

    def __init__(self, ccid, **state):      # pylint: disable=super-init-not-called
        self.state = CcidTxInfo(ccid=ccid, **state)

    def __del__(self):
        pass

    @property
    def tx_ccid(self):
        return self.state.ccid

    def tx_info(self):
        return self.state


@pytest.mark.parametrize(("x", "x_inst", "allowed"), [(1000, 600, 600), (1000, 2000, 1000)])
def test_the_allowed_rate_is_the_lesser_one(x, x_inst, allowed):
    assert Answered(Ccid.MARC, x=x, x_inst=x_inst).allowed_rate() == allowed


def test_ccid_2_has_no_rate():
    assert Answered(Ccid.CCID2, x=1000, x_inst=1000).allowed_rate() is None


def test_a_second_file_of_the_same_socket():
    first, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with other, Connection(fileno=first.detach()) as connection:
        connection.settimeout(7)
        with connection.dup() as second:
            assert isinstance(second, Connection)
            assert second.gettimeout() == 7
            assert second.fileno() != connection.fileno()
            second.send(b"data")
            assert other.recv(100) == b"data"


@pytest.mark.parametrize("limit", [None, 0, 3])
@pytest.mark.parametrize("send", [lambda c: c.offer(b"data"), lambda c: c.send_layer(b"data", 1)])
def test_what_never_waits_has_no_time_limit(send, limit):
    first, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with other, Connection(fileno=first.detach()) as connection:
        connection.settimeout(limit)
        sent = 0
        while send(connection):
            sent += 1
        assert connection.gettimeout() == limit
        assert all(other.recv(100) == b"data" for _ in range(sent))
        assert send(connection)
    with pytest.raises(OSError) as e:
        send(connection)
    assert e.value.errno == errno.EBADF


class Failing(Answered):
    """A connection of which each option fails."""

    def __init__(self, number):
        super().__init__(Ccid.MARC)
        self.number = number

    def setsockopt(self, *_):
        raise OSError(self.number, os.strerror(self.number))


@pytest.mark.parametrize(("number", "said"), [
    (errno.EINVAL, "expected|no preset"), (errno.EISCONN, "expected|no preset"),
    (errno.ENOPROTOOPT, r"this DCCP or its CCID does not have this option \(Protocol not"),
    (errno.EBADF, r"^\[Errno 9\] Bad file descriptor$"),
])
@pytest.mark.parametrize(("name", "value"), [
    ("queue_length", 7), ("udp_port", 6511), ("tx_coverage", 3), ("tx_preset", "paper"),
    ("layers", [1000]),
])
def test_an_error_says_what_is_wrong(name, value, number, said):
    with pytest.raises(OSError, match=said) as e:
        setattr(Failing(number), name, value)
    assert e.value.errno == number


class Older(Answered):
    """A connection of a kernel whose structures lack their last members."""

    def getsockopt(self, *_):
        return bytes(16)

    def setsockopt(self, *_):
        raise OSError(errno.E2BIG, "Argument list too long")


def test_a_member_that_the_kernel_does_not_know():
    with pytest.raises(OSError, match="modules are older than this package: MarcTxParams") as e:
        Older(Ccid.MARC).change(MarcTxParams, l4s=1)
    assert e.value.errno == errno.E2BIG


@pytest.mark.parametrize("layer", [-1, 0, 17, 18])
def test_a_layer_that_cannot_be(layer):
    with pytest.raises(ValueError, match=f"no layer {layer}: expected 1 to 16"):
        Answered(Ccid.DVRC).send_layer(b"data", layer)


class Ending(Answered):
    """A connection that ends between a look at its events and a look at its state."""

    def changes(self):
        self.looks = iter((False, True))
        return self

    def __exit__(self, *_):
        pass

    def ended(self):
        return next(self.looks)

    def layers_allowed(self):
        raise OSError(errno.ENOPROTOOPT, "Protocol not available")

    def allowed_rate(self):
        raise OSError(errno.ENOTCONN, "there is no connection, or it is over")


class Ended(Ending):
    """The same, with the CCID gone as well."""

    @property
    def tx_ccid(self):
        raise OSError(errno.ENOTCONN, "there is no connection, or it is over")


@pytest.mark.parametrize("kind", [Ending, Ended])
@pytest.mark.parametrize("follow", [aio.layers, aio.rates])
def test_the_end_of_the_connection_ends_the_loop(follow, kind):
    async def all_of():
        return [value async for value in follow(kind(Ccid.DVRC))]

    assert not asyncio.run(all_of())


class Without(Answered):
    """A connection whose CCID does not have the option."""

    def getsockopt(self, *_):
        raise OSError(errno.ENOPROTOOPT, "Protocol not available")


class WithoutConnection(Without):
    tx_ccid = Connection.tx_ccid


@pytest.mark.parametrize(("kind", "number", "said"), [
    (Without, errno.ENOPROTOOPT, "the connection has marc, which allows no layers: expected dvrc"),
    (WithoutConnection, errno.ENOTCONN, "there is no connection, or it is over"),
])
def test_why_there_is_no_number_of_layers(kind, number, said):
    with pytest.raises(OSError, match=said) as e:
        kind(Ccid.MARC).layers_allowed()
    assert e.value.errno == number


def test_what_is_unread_comes_before_the_end():
    unread = 1

    class Unread(Connection):
        def getsockopt(self, *option):
            assert option == (socket.SOL_SOCKET, SO_MEMINFO)
            return unread

    first, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with Unread(fileno=first.detach()) as connection:
        assert not connection.ended()
        other.close()
        assert not connection.ended()
        unread = 0
        assert connection.ended()


def tcp():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return Connection(fileno=socket.create_connection(listener.getsockname()).detach()), \
            listener.accept()[0]


def events_at_the_end(connection):
    poll = select.poll()
    poll.register(connection, select.POLLRDHUP)
    return poll.poll(10000)[0][1]


def test_what_is_unread_comes_before_an_error():
    connection, other = tcp()
    with connection:
        other.send(b"last")
        other.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        other.close()
        assert events_at_the_end(connection) & select.POLLERR
        assert not connection.ended()
        assert connection.recv(100) == b"last"
        with pytest.raises(ConnectionResetError):
            connection.ended()
        assert connection.ended()


def test_an_error_that_nobody_reads_does_not_hide_the_end():
    connection, other = tcp()
    with connection:
        connection.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPING, 1 << 1 | 1 << 4)
        connection.send(b"data")
        assert other.recv(100) == b"data"
        other.send(b"last")
        other.close()
        assert events_at_the_end(connection) & select.POLLERR
        assert not connection.ended()
        assert connection.recv(100) == b"last"
        assert connection.recv(100) == b""
        assert connection.ended()


class Tcp(Connection):
    """A socket of this host, on which DCCP may be not loaded."""
    families = socket.AF_INET, socket.AF_INET6

    def __init__(self, family, **_):        # pylint: disable=super-init-not-called
        if family not in self.families:
            raise OSError(errno.ESOCKTNOSUPPORT, f"DCCP is not loaded for {family}")
        socket.socket.__init__(self, family, socket.SOCK_STREAM)

    def bind(self, address):
        if address == IN_USE[1]:
            raise OSError(errno.EADDRINUSE, "Address already in use")
        super().bind(address)


ELSEWHERE = socket.AF_INET, ("192.0.2.1", 0)
IN_USE = socket.AF_INET, ("127.0.0.2", 0)
HERE, HERE_6 = (socket.AF_INET, ("127.0.0.1", 0)), (socket.AF_INET6, ("::1", 0))


@pytest.mark.parametrize(("found", "loaded", "number"), [
    ([ELSEWHERE, HERE], [socket.AF_INET], 0),
    ([HERE_6, HERE], [socket.AF_INET], 0),
    ([HERE_6, ELSEWHERE], [socket.AF_INET], errno.EADDRNOTAVAIL),
    ([ELSEWHERE, HERE_6], [socket.AF_INET], errno.EADDRNOTAVAIL),
    ([IN_USE, HERE], [socket.AF_INET], errno.EADDRINUSE),
    ([ELSEWHERE, IN_USE, HERE], [socket.AF_INET], errno.EADDRINUSE),
    ([HERE_6], [socket.AF_INET], errno.ESOCKTNOSUPPORT),
])
def test_a_name_with_several_addresses(monkeypatch, found, loaded, number):
    monkeypatch.setattr("dccp_ccids.connection.Connection", Tcp)
    monkeypatch.setattr(Tcp, "families", loaded)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: [
        (family, socket.SOCK_DGRAM, 0, "", address) for family, address in found])
    if number:
        with pytest.raises(OSError) as e:
            listen(0, "name")
        assert e.value.errno == number
    else:
        with listen(0, "name") as listener:
            assert listener.getsockname()[0] == "127.0.0.1"


class Erroneous(Connection):
    """A connection whose queue of errors nobody reads: there is always an event."""
    tx_ccid, rtt, looks = Ccid.MARC, 0.5, 0

    def allowed_rate(self):
        self.looks += 1
        return 1000

    layers_allowed = allowed_rate


@pytest.mark.parametrize("follow", [aio.layers, aio.rates])
def test_an_error_that_nobody_reads_causes_few_looks(follow):
    loopback = "127.0.0.1", 0
    with (socket.socket(type=socket.SOCK_DGRAM) as s, socket.socket(type=socket.SOCK_DGRAM) as to):
        to.bind(loopback)
        s.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPING, 1 << 1 | 1 << 4)  # when data was sent
        s.sendto(b"data", to.getsockname())
        connection = Erroneous(fileno=os.dup(s.fileno()))

        async def all_of():
            return [value async for value in follow(connection)]

        with connection, pytest.raises(TimeoutError):
            asyncio.run(asyncio.wait_for(all_of(), 0.5))
        assert connection.looks < 100


@pytest.mark.parametrize(("wrong", "expected"), [
    (lambda c: setattr(c, "layers", [-1]), "-1: expected up to 16 rates"),
    (lambda c: setattr(c, "rx_layers", [1000, 1.5]), "1000, 1.5: expected up to 16 rates"),
    (lambda c: setattr(c, "rungs", [1 << 32]), "4294967296: expected up to 16 rates"),
    (lambda c: c.drain(0.5), "0.5: expected a whole number of seconds"),
    (lambda c: c.drain(1 << 31), "2147483648: expected a whole number of seconds"),
    (lambda c: c.send_layer(b"data", 1.5), "no layer 1.5: expected 1 to 16"),
    (lambda _: service_code(-1), "-1: expected a number of 32 bits, or four characters"),
    (lambda _: service_code(1.5), "1.5: expected a number of 32 bits, or four characters"),
])
def test_a_number_that_does_not_fit(wrong, expected):
    with pytest.raises(ValueError, match=expected):
        wrong(Answered(Ccid.DVRC))


def test_numbers_that_fit():
    assert service_code("ping") == service_code(1885957735) == b"ping"
    with Connection(fileno=socket.socket().detach()) as connection:
        connection.drain(2)
        assert connection.getsockopt(socket.SOL_SOCKET, socket.SO_LINGER, 8) == struct.pack(
            "ii", 1, 2)
