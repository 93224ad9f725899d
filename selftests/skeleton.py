#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""The CCIDs in samples/: the one of Documentation/tutorial/new-ccid.rst, and those for tests."""
import errno
import os
import signal
import struct
import time

from lib import (CCID, RX_INFO, SOL_DCCP, TX_INFO, Network, accept, ccids, check, check_equal,
                 check_error, disconnect, drain, get_ccids, load, main, sysctl, test, tx_info,
                 unload)
from rawpeer import CLOSED, DATA, RESET, SYNC, SYNCACK, Peer, wish
from schemes import SAMPLE, tfrc_equation

BARE, ODD = 255, 247
ODD_RECEIVER = 253      # the option of its reports


@test("it is loaded, negotiated, and takes half of TFRC's rate")
def skeleton():
    sysctl("default.tx_ccid", SAMPLE)
    net = Network()
    net.shape("server", "netem delay 20ms rate 8mbit limit 100")
    net.shape("client", "netem delay 20ms")
    net.lose(50)
    offer = [(CCID, ccids(SAMPLE, 2))]
    c, s = net.pair(client=offer, server=offer)
    check_equal(get_ccids(c), (SAMPLE, SAMPLE), "CCIDs")
    reader = drain(s)
    c.settimeout(1)
    end = time.monotonic() + 20
    ratios = []
    while time.monotonic() < end:
        c.send(bytes(1000))
        info = tx_info(c)
        check_equal(info.ccid, SAMPLE, "CCID that fills in TX_INFO")
        if info.tfrctx_p and time.monotonic() > end - 15:
            ratios.append(info.x_calc / tfrc_equation(info.mean_size, info.rtt_ns * 1e-9,
                                                      info.p_ppb * 1e-9))
    check(ratios, "no loss event")
    mean = sum(ratios) / len(ratios)
    check(0.45 <= mean <= 0.55, f"{mean:.3f} of what TFRC's equation allows")
    os.kill(reader, signal.SIGKILL)
    os.waitpid(reader, 0)
    s.close()
    c.close()
    sysctl("default.tx_ccid", 2)
    unload("ccid_skeleton", 5)


@test("a CCID without hooks and dependent features: data flows, both ways")
def bare():
    load("ccid_bare")
    net = Network()
    offer = [(CCID, ccids(BARE))]
    c, s = net.pair(client=offer, server=offer)
    check_equal(get_ccids(c), (BARE, BARE), "CCIDs")
    for source, target in (c, s), (s, c):
        for number in range(100):
            source.send(number.to_bytes(4, "big"))
            check_equal(target.recv(100), number.to_bytes(4, "big"), "data received")
    for end in c, s:
        for option in TX_INFO, RX_INFO, TX_INFO + 1, RX_INFO + 1:
            check_error(errno.ENOPROTOOPT, end.getsockopt, SOL_DCCP, option, 256)
            check_error(errno.ENOPROTOOPT, end.setsockopt, SOL_DCCP, option, bytes(4))
    disconnect(c)
    s.close()
    unload("ccid_bare", 5)


@test("a report waits for a packet that can take it")
def report_waits():
    """A report is for an acknowledgment. A Data packet must not make the core forget it."""
    load("ccid_odd")
    net = Network()
    listener = net.listen(options=[(CCID, ccids(ODD))])
    peer = Peer(net)
    peer.connect(wish(ODD))
    s = accept(listener)
    peer.send(DATA, data=b"there is something to report now")
    check_equal(s.recv(100)[:5], b"there", "data received")
    s.send(b"x")
    packet = peer.receive()
    check_equal((packet.type, packet.data), (DATA, b"x"), "packet sent")
    check(not packet.has(ODD_RECEIVER), "a report on a Data packet")
    peer.send(SYNC)
    check(peer.receive(SYNCACK).has(ODD_RECEIVER), "no report on a packet that acknowledges")
    peer.send(SYNC)
    check(not peer.receive(SYNCACK).has(ODD_RECEIVER), "the report came twice")
    peer.send(RESET, code=CLOSED)
    s.close()
    listener.close()
    unload("ccid_odd", 5)


@test("a packet whose options find no room is not sent, and does not count")
def no_room():
    load("ccid_odd")
    net = Network()
    offer = [(CCID, ccids(ODD))]
    c, s = net.pair(client=offer, server=offer)
    for data in b"one", b"!", b"two", b"!", b"!", b"three":
        c.send(data)
    for data in b"one", b"two", b"three":
        check_equal(s.recv(100), data, "data received")
    sent, = struct.unpack("I", c.getsockopt(SOL_DCCP, TX_INFO, 4))
    check_equal(sent, 3, "packets that the CCID counts as sent")
    c.close()
    s.close()
    unload("ccid_odd", 5)


main()
