#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""A live encoder over DCCP, and its receiver, with the package dccp_ccids.

    media.py [--udp[=PORT]] receive PORT CCID
    media.py [--udp[=PORT]] send HOST PORT CCID SECONDS
    media.py [--udp[=PORT]] layers HOST PORT SECONDS

The sender makes 25 frames a second, each as large as the congestion control allows
at that moment.  CCID is a name or a number: marc (248) to ctfaf (252), or ccid3.  In
DCCP the server's preference wins.  Here the receiver is the server.

With "layers" it sends a layered video over DVRC (251).  DVRC's receiver decides how
many layers are sent.

With --udp it is DCCP over UDP (RFC 6773), for NATs.  A receiver receives at this UDP port,
a sender sends to it.  Without PORT it is net.dccp.udp_port of this host.

The Debian package python3-dccp-ccids has dccp_ccids.
"""
import contextlib
import errno
import os
import socket
import sys
import time

import dccp_ccids as dccp

# Range of this encoder's rate, bytes/s
RATE_MIN, RATE_MAX, FRAMES = 8000, 250000, 25

# Share of the allowed rate that it uses, in percent.  While a queue builds up on the
# path, packets leave at less than the allowed rate, and wait in the transmit queue.  The
# rest of the allowed rate empties this queue again.  An encoder that used all of it would
# stay late.
SHARE = 90

# Packets that may wait: two frames, whatever the host's default is.
TXQLEN = 50

# Steps of 1000 bytes/s, no change above 20000 at once, 2 % of loss tolerated
ENCODER = {dccp.CtfafConstraints: {
    "r_min": RATE_MIN, "r_max": RATE_MAX, "step": 1000, "delta": 20000, "r_start": RATE_MIN,
    "l_allowed": 20000}}

# Cumulative rates of layer 1, layers 1 and 2, and so on, in bytes/s
LAYERS = [15000, 30000, 60000, 120000]


def take_udp(words):
    """Take --udp[=PORT] out of the arguments: the UDP port, None for plain DCCP."""
    flags = [word for word in words if word.partition("=")[0] == "--udp"]
    if not flags:
        return None
    words.remove(flags[0])
    _, given, port = flags[0].partition("=")
    if given and not (port.isdecimal() and int(port) in range(1, 65536)):
        raise ValueError(f"{flags[0]}: the port must be 1 to 65535")
    try:
        with open("/proc/sys/net/dccp/udp_port", encoding="ascii") as sysctl:
            here = int(sysctl.read())
    except FileNotFoundError:
        raise ValueError("there is no net.dccp.udp_port here: as root, modprobe dccp_ipv4 (the "
                         "kernel's own DCCP does not have it)") from None
    if not here or given and "receive" in words and here != int(port):
        raise ValueError(f"net.dccp.udp_port is {here} here: as root, "
                         f"sysctl net.dccp.udp_port={port or 6511}")
    return int(port) if given else here


def number(text, what):
    """A number of the command line."""
    if not text.isdecimal():
        raise ValueError(f"expected {what}, found {text!r}")
    return int(text)


def reason(error):
    """What went wrong, without the number of the error, but with the file."""
    text = getattr(error, "strerror", None) or str(error)
    name = getattr(error, "filename", None)
    return f"{name}: {text}" if name else text


def check_end(connection):
    """At the end SO_ERROR tells a connection that the peer has closed from one that broke."""
    if number := connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
        raise OSError(number, f"the connection is broken: {os.strerror(number)}")


@contextlib.contextmanager
def until_closed(connection):
    """Sending ends when the receiver leaves, which it may at any time.

    A connection that broke has no CCID any more, either.
    """
    try:
        yield
    except OSError as e:
        if e.errno not in (errno.EPIPE, errno.ENOTCONN):
            raise
        check_end(connection)
        print("the receiver has closed the connection", file=sys.stderr)


def allowed_rate(connection, low=RATE_MIN, high=RATE_MAX):
    """The allowed rate, bytes/s, limited to the encoder's range. CCID 2 has none."""
    return min(max(connection.allowed_rate() or 0, low), high)


def send_frame(connection, size):
    """A live stream does not wait: a frame that does not fit in the queue is dropped."""
    while size > 0:
        n = min(size, connection.max_packet_size)
        if not connection.offer(bytes(n)):
            return False
        size -= n
    return True


def send(host, port, ccid, seconds, udp):
    parameters = ENCODER if dccp.ccid_numbers(ccid) == [dccp.Ccid.CTFAF] else None
    with (dccp.connect(host, port, tx_ccid=[ccid, 3, 2], queue_length=TXQLEN,
                       parameters=parameters, udp_port=udp) as connection,
          until_closed(connection)):
        print(f"CCID {connection.tx_ccid}, packets of up to {connection.max_packet_size} bytes")
        start = time.monotonic()
        for second in range(seconds):
            rates, cut = [], 0
            for frame in range(FRAMES):
                rates.append(allowed_rate(connection))
                cut += not send_frame(connection, rates[-1] * SHARE // 100 // FRAMES)
                due = start + second + (frame + 1) / FRAMES
                time.sleep(max(0, due - time.monotonic()))
            print(f"{second + 1:3} s: {sum(rates) / FRAMES * 8e-3:7.1f} kbit/s, "
                  f"{cut} of {FRAMES} frames cut short")


def send_layers(host, port, seconds, udp):
    # The layers are set before the connection, so the receiver knows them from the start.
    with (dccp.connect(host, port, tx_ccid="dvrc", queue_length=TXQLEN,
                       layers=LAYERS, udp_port=udp) as connection,
          until_closed(connection)):
        start, sent = time.monotonic(), 0
        for frame in range(1, seconds * FRAMES + 1):
            k = max(1, connection.layers_allowed())
            sent += k
            for layer, (below, rate) in enumerate(zip([0] + LAYERS, LAYERS[:k]), 1):
                # A little less than the rate: headers count, too.
                size = (rate - below) * 9 // 10 // FRAMES
                for at in range(0, size, 1000):
                    connection.send_layer(bytes(min(size - at, 1000)), layer)
            if frame % FRAMES == 0:
                print(f"{frame // FRAMES:3} s: {sent / FRAMES:.1f} layers")
                sent = 0
            time.sleep(max(0, start + frame / FRAMES - time.monotonic()))


def receive(port, ccid):
    with dccp.listen(port, rx_ccid=[ccid, 3, 2]) as listener:
        s, _ = listener.accept()
    total, received, start = 0, 0, time.monotonic()
    with s:
        while (packet := s.recv(65536)) or not s.ended():
            received += len(packet)
            elapsed = time.monotonic() - start
            if elapsed >= 1:
                print(f"{received * 8e-3 / elapsed:7.1f} kbit/s")
                total, received, start = total + received, 0, time.monotonic()
        print(f"received {total + received} bytes")
        check_end(s)


def main():
    words = sys.argv[1:]
    udp = take_udp(words)
    match words:
        case ["receive", port, ccid]:
            receive(number(port, "a port"), ccid)
        case ["send", host, port, ccid, seconds]:
            send(host, number(port, "a port"), ccid, number(seconds, "seconds"), udp)
        case ["layers", host, port, seconds]:
            send_layers(host, number(port, "a port"), number(seconds, "seconds"), udp)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    try:
        main()
    except (OSError, ValueError) as e:
        sys.exit(f"{os.path.basename(sys.argv[0])}: {reason(e)}")
