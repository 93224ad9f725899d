# SPDX-License-Identifier: GPL-2.0-only
"""What the examples make of a path that changes, and of what they cannot use.

The connections are pairs of local sockets.
"""
import argparse
import builtins
import contextlib
import errno
import os
import select
import shutil
import socket
import struct
import sys

import pytest

from dccp_ccids import Connection

sys.path.append(os.path.join(os.path.dirname(__file__), "../../examples"))
import adaptive
import media


class Local(Connection):
    """A connection whose path takes shorter packets after the first one."""
    max_packet_size = 1400

    def offer(self, data):
        if len(data) > self.max_packet_size:
            raise OSError(errno.EMSGSIZE, "Message too long")
        self.max_packet_size = 600
        return super().offer(data)


@pytest.fixture
def ends():
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    there.settimeout(10)
    with Local(fileno=here.detach()) as connection, there:
        pacer = adaptive.Pacer(connection)
        pacer.start()
        yield pacer, there


def test_a_path_takes_shorter_packets(ends):
    pacer, there = ends
    pacer.put(bytes(14 * 188))
    assert [len(there.recv(2000)) // 188 for _ in range(4)] == [7, 3, 3, 1]
    assert pacer.finish() == 14 * 188


@pytest.mark.parametrize("end", [
    lambda pacer: pacer.finish(),
    lambda pacer: [pacer.join(), pacer.put(b"more")],
])
def test_an_error_of_the_thread_ends_the_program(ends, end):
    pacer, there = ends
    there.close()
    pacer.put(bytes(188))
    with pytest.raises(BrokenPipeError):
        end(pacer)


class Leaving(Local):
    """A connection whose receiver has left: what is asked or sent fails."""
    tx_ccid = 248

    def __init__(self, number, asked):
        there, here = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        there.close()
        super().__init__(fileno=here.detach())
        self.number, self.asked = number, asked

    def answer(self, asked=True):
        if asked in (self.asked, None):
            raise OSError(self.number, os.strerror(self.number))
        return 1000

    allowed_rate = layers_allowed = answer

    def send_layer(self, *_):
        self.answer(None)


@pytest.mark.parametrize("send", [lambda: media.send("h", 5001, "marc", 1, None),
                                  lambda: media.send_layers("h", 5001, 1, None)])
@pytest.mark.parametrize(("number", "asked"), [(errno.EPIPE, False), (errno.ENOTCONN, True)])
def test_the_receiver_leaves(monkeypatch, capsys, send, number, asked):
    monkeypatch.setattr(media.dccp, "connect", lambda *_, **__: Leaving(number, asked))
    send()
    assert "the receiver has closed the connection" in capsys.readouterr().err


class Broken(Local):
    """A connection that has been reset: an error waits to be read, and there is no CCID."""

    def __init__(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            here = socket.create_connection(listener.getsockname())
            with listener.accept()[0] as there:
                there.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        select.select([here], [], [])
        super().__init__(fileno=here.detach())

    tx_ccid = 248

    def gone(self):
        raise OSError(errno.ENOTCONN, "there is no connection, or it is over")

    allowed_rate = layers_allowed = gone


BROKEN = f"the connection is broken: {os.strerror(errno.ECONNRESET)}"


@pytest.mark.parametrize("send", [lambda: media.send("h", 5001, "marc", 1, None),
                                  lambda: media.send_layers("h", 5001, 1, None)])
def test_a_broken_connection_is_an_error(monkeypatch, capsys, send):
    monkeypatch.setattr(media.dccp, "connect", lambda *_, **__: Broken())
    with pytest.raises(OSError, match=BROKEN) as e:
        send()
    assert e.value.errno == errno.ECONNRESET
    assert "has closed" not in capsys.readouterr().err


def test_the_receiver_of_the_video_leaves(monkeypatch, capsys):
    monkeypatch.setattr(adaptive.dccp, "connect", lambda *_, **__: Leaving(errno.ENOTCONN, True))
    monkeypatch.setattr(adaptive, "follow", lambda _, connection, __: connection.allowed_rate())
    monkeypatch.setattr(sys, "argv", ["adaptive.py", "send", "h", "5001", "marc", "file"])
    adaptive.send(None)
    assert "the receiver has closed the connection" in capsys.readouterr().err


@pytest.mark.parametrize(("told", "said"), [(True, os.strerror(errno.ECONNRESET)),
                                            (False, BROKEN)])
def test_a_broken_connection_is_an_error_of_the_video_too(monkeypatch, capsys, told, said):
    def follow(_, connection, pacer):
        if told:            # the thread sends first, and so it has the error
            pacer.put(bytes(188))
            pacer.join()
        return connection.allowed_rate()

    monkeypatch.setattr(adaptive.dccp, "connect", lambda *_, **__: Broken())
    monkeypatch.setattr(adaptive, "follow", follow)
    monkeypatch.setattr(sys, "argv", ["adaptive.py", "send", "h", "5001", "marc", "file"])
    with pytest.raises(OSError, match=said) as e:
        adaptive.send(None)
    assert e.value.errno == errno.ECONNRESET
    assert "has closed" not in capsys.readouterr().err


class Reset(Broken):
    """Its error has not been raised: recv() has returned what is at an end."""

    def recv(self, _):
        return b""

    def ended(self):
        return True


class Listener(contextlib.nullcontext):
    def accept(self):
        return Reset(), None


@pytest.mark.parametrize("receive", [lambda: media.receive(5001, "marc"), adaptive.receive])
def test_a_broken_connection_is_an_error_of_a_receiver(monkeypatch, receive):
    listener = Listener()
    listener.enter_result = listener
    monkeypatch.setattr(media.dccp, "listen", lambda *_, **__: listener)
    monkeypatch.setattr(sys, "argv", ["adaptive.py", "receive", "5001", "marc"])
    with pytest.raises(OSError, match=BROKEN):
        receive()


@pytest.mark.parametrize(("flag", "said"), [("--udp=x", "must be 1 to 65535"),
                                            ("--udp=0", "must be 1 to 65535"),
                                            ("--udp", "as root, modprobe dccp_ipv4")])
def test_udp_that_cannot_be(monkeypatch, flag, said):
    def no_file(name, *_, **__):
        raise FileNotFoundError(errno.ENOENT, "No such file or directory", name)

    monkeypatch.setattr(builtins, "open", no_file)
    with pytest.raises(ValueError, match=said):
        media.take_udp(["receive", flag])


def test_an_error_names_the_file():
    with pytest.raises(OSError) as e, open("/nowhere/file", encoding="ascii"):
        pass
    assert media.reason(e.value) == "/nowhere/file: No such file or directory"
    assert media.reason(OSError(errno.EPERM, "text")) == media.reason(ValueError("text")) == "text"


def test_the_size_of_a_picture():
    assert adaptive.size_of("640x360") == "640x360"
    for size in "640", "640x", "0x360", "640x361", "640x360x2":
        with pytest.raises(argparse.ArgumentTypeError, match="two even numbers"):
            adaptive.size_of(size)


def test_frames_per_second(monkeypatch, capsys):
    assert adaptive.frames("25") == 25
    for fps in "0", "-1", "x", "1.5":
        monkeypatch.setattr(sys, "argv", ["adaptive.py", "send", "--fps=" + fps, "h", "5001",
                                          "marc", "file"])
        with pytest.raises(SystemExit) as e:
            adaptive.send(None)
        assert e.value.code == 2
        assert f"a whole number from 1 on, found '{fps}'" in capsys.readouterr().err


@pytest.mark.skipif(not shutil.which("ffmpeg"), reason="there is no ffmpeg")
def test_an_input_that_cannot_be_read(monkeypatch):
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    monkeypatch.setattr(adaptive.dccp, "connect", lambda *_, **__: Local(fileno=here.detach()))
    monkeypatch.setattr(sys, "argv", ["adaptive.py", "send", "h", "5001", "marc", "/nowhere/file"])
    with there, pytest.raises(ValueError, match="ffmpeg cannot read /nowhere/file"):
        adaptive.send(None)
