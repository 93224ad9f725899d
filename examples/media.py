#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""A live encoder over DCCP, and its receiver, with Python's standard library.

    media.py receive PORT CCID
    media.py send HOST PORT CCID SECONDS
    media.py layers HOST PORT SECONDS

The sender makes 25 frames a second, each as large as the congestion control allows
at that moment.  CCID is a number: 248 (MARC) to 252 (CTFAF), or 3.  In DCCP the
server's preference wins.  Here the receiver is the server.

With "layers" it sends a layered video over DVRC (251).  DVRC's receiver decides how
many layers are sent.
"""
import os
import socket
import struct
import sys
import time

# <linux/dccp.h>, <linux/dccp_ccid.h>; Python's socket module does not have them.
SOCK_DCCP, IPPROTO_DCCP, SOL_DCCP = 6, 33, 269
SERVICE, GET_CUR_MPS, TX_CCID, RX_CCID, TX_INFO = 2, 5, 14, 15, 192
CTFAF, CTFAF_TX = 252, 232
DVRC, DVRC_LAYERS, DVRC_K = 251, 224, 225
QPOLICY_ID, QPOLICY_TXQLEN, POLICY_PRIO, SCM_PRIORITY = 16, 17, 1, 1
SERVICE_CODE = struct.pack("!I", 1885957735)

# Range of this encoder's rate, bytes/s
RATE_MIN, RATE_MAX, FRAMES = 8000, 250000, 25

# Share of the allowed rate that it uses, in percent.  While a queue builds up on the
# path, packets leave at less than the allowed rate, and wait in the transmit queue.  The
# rest of the allowed rate empties this queue again.  An encoder that used all of it would
# stay late.
SHARE = 90

# Packets that may wait: two frames, whatever the host's default is.
TXQLEN = 50

CONNECT_SECONDS = 10

# struct dccp_ctfaf_constraints: r_min, r_max, step, delta, r_start, increase,
# l_allowed, interval, t_reset, t_init, l_severe, algorithm, probes, probe_every, hold,
# decay, refuse, gentle, climb, reserved
CONSTRAINTS = struct.pack("=11I4BH3B3x", RATE_MIN, RATE_MAX, 1000, 20000, RATE_MIN, 1250,
                          20000, 1000, 60000, 5000, 250000, 0, 3, 2, 20, 0, 0, 0, 0)

# Cumulative rates of layer 1, layers 1 and 2, and so on, in bytes/s
LAYERS = [15000, 30000, 60000, 120000]


def fail(text):
    sys.exit(f"{os.path.basename(sys.argv[0])}: {text}")


def dccp_socket(family, option, ccid):
    """A socket that prefers a CCID for sending (TX_CCID) or receiving (RX_CCID)."""
    try:
        s = socket.socket(family, SOCK_DCCP, IPPROTO_DCCP)
    except OSError as e:
        module = "dccp_ipv6" if family == socket.AF_INET6 else "dccp_ipv4"
        fail(f"{e.strerror}: is {module} loaded?")
    s.setsockopt(SOL_DCCP, SERVICE, SERVICE_CODE)
    s.setsockopt(SOL_DCCP, QPOLICY_TXQLEN, TXQLEN)
    try:
        s.setsockopt(SOL_DCCP, option, bytes([ccid, 3, 2]))
    except OSError as e:
        fail(f"CCID {ccid}: {e.strerror} (is its module loaded? only root can load it)")
    return s


def connect(s, address):
    """connect() alone would wait for minutes where a firewall drops what it sends."""
    s.settimeout(CONNECT_SECONDS)
    try:
        s.connect(address)
    except TimeoutError:
        fail(f"{address[0]}: no answer in {CONNECT_SECONDS} s: does a firewall or a NAT drop "
             "DCCP (IP protocol 33)?")
    s.settimeout(None)


def allowed_rate(s, low=RATE_MIN, high=RATE_MAX):
    """The allowed rate, bytes/s, limited to the encoder's range."""
    try:
        info = s.getsockopt(SOL_DCCP, TX_INFO, 264)
    except OSError:             # CCID 2 has no rate
        return low
    # The kernel's CCID 3 fills in the first 40 bytes only.
    x = struct.unpack_from("=Q", info, 40)[0] if len(info) > 40 else \
        struct.unpack_from("=Q", info)[0] // 64
    return min(max(x, low), high)


def send_frame(s, size, mps):
    """A live stream does not wait: a frame that does not fit in the queue is dropped."""
    while size > 0:
        n = min(size, mps)
        try:
            s.send(bytes(n), socket.MSG_DONTWAIT)
        except BlockingIOError:
            return False
        size -= n
    return True


def send(host, port, ccid, seconds):
    family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)[0]
    with dccp_socket(family, TX_CCID, ccid) as s:
        if ccid == CTFAF:
            s.setsockopt(SOL_DCCP, CTFAF_TX, CONSTRAINTS)
        connect(s, address)
        mps = s.getsockopt(SOL_DCCP, GET_CUR_MPS)
        print(f"CCID {s.getsockopt(SOL_DCCP, TX_CCID)}, packets of up to {mps} bytes")
        start = time.monotonic()
        for second in range(seconds):
            rates, cut = [], 0
            for frame in range(FRAMES):
                rates.append(allowed_rate(s))
                cut += not send_frame(s, rates[-1] * SHARE // 100 // FRAMES, mps)
                due = start + second + (frame + 1) / FRAMES
                time.sleep(max(0, due - time.monotonic()))
            print(f"{second + 1:3} s: {sum(rates) / FRAMES * 8e-3:7.1f} kbit/s, "
                  f"{cut} of {FRAMES} frames cut short")


def send_layer(s, layer, size):
    """Each packet has its layer as a tag. A full queue drops the highest layer first."""
    tag = (SOL_DCCP, SCM_PRIORITY, struct.pack("=I", 17 - layer))
    while size > 0:
        try:
            s.sendmsg([bytes(min(size, 1000))], [tag], socket.MSG_DONTWAIT)
        except BlockingIOError:
            pass
        size -= 1000


def send_layers(host, port, seconds):
    family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)[0]
    with dccp_socket(family, TX_CCID, DVRC) as s:
        # All of this is set before connect(), so the receiver knows the layers from the start.
        s.setsockopt(SOL_DCCP, QPOLICY_ID, POLICY_PRIO)
        s.setsockopt(SOL_DCCP, DVRC_LAYERS, struct.pack(f"={len(LAYERS)}I", *LAYERS))
        connect(s, address)
        start, sent = time.monotonic(), 0
        for frame in range(1, seconds * FRAMES + 1):
            k = max(1, s.getsockopt(SOL_DCCP, DVRC_K))
            sent += k
            for layer, (below, rate) in enumerate(zip([0] + LAYERS, LAYERS[:k]), 1):
                # A little less than the rate: headers count, too.
                send_layer(s, layer, (rate - below) * 9 // 10 // FRAMES)
            if frame % FRAMES == 0:
                print(f"{frame // FRAMES:3} s: {sent / FRAMES:.1f} layers")
                sent = 0
            time.sleep(max(0, start + frame / FRAMES - time.monotonic()))


def receive(port, ccid):
    with dccp_socket(socket.AF_INET6, RX_CCID, ccid) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("::", port))
        listener.listen(1)
        s, _ = listener.accept()
    total, received, start = 0, 0, time.monotonic()
    with s:
        while packet := s.recv(65536):
            received += len(packet)
            elapsed = time.monotonic() - start
            if elapsed >= 1:
                print(f"{received * 8e-3 / elapsed:7.1f} kbit/s")
                total, received, start = total + received, 0, time.monotonic()
    print(f"received {total + received} bytes")


def main():
    try:
        if sys.argv[1:2] == ["receive"]:
            port, ccid = map(int, sys.argv[2:])
            receive(port, ccid)
        elif sys.argv[1:2] == ["send"]:
            host, port, ccid, seconds = sys.argv[2:]
            send(host, int(port), int(ccid), int(seconds))
        elif sys.argv[1:2] == ["layers"]:
            host, port, seconds = sys.argv[2:]
            send_layers(host, int(port), int(seconds))
        else:
            raise ValueError
    except ValueError:
        sys.exit(__doc__)
    except OSError as e:
        fail(e.strerror)


if __name__ == "__main__":
    main()
