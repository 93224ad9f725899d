#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
# Kernels: uml smp-debug
"""What one processor does while another is in the middle of something.

Where they meet takes microseconds: lab/remedies makes it milliseconds, to see that these
tests can fail. With one processor they show that the order does not matter.
"""
import os
import threading
import time

from lib import CCID, FAMILIES, SCHEMES, Network, accept, ccids, check_equal, main, send_one, test
from rawpeer import (ABORTED, ACK, CHANGE_L, CHANGE_R, DATAACK, F_CCID, REQUEST, RESET, RESPONSE,
                     Peer, confirm, feature)

CPUS = sorted(os.sched_getaffinity(0))
TRIES = 10


def on(number):
    """This thread, and what comes of the packets that it sends, stays on one processor."""
    os.sched_setaffinity(0, {CPUS[number % len(CPUS)]})


def wish(scheme):
    return feature(CHANGE_L, F_CCID, scheme.ccid) + feature(CHANGE_R, F_CCID, scheme.ccid)


@test("a handshake ends while its Response is sent again", FAMILIES, SCHEMES[:1])
def response_again(scheme, family):
    """Both change the list of features that the handshake has settled on."""
    net = Network()
    listener = net.listen(family, [(CCID, ccids(scheme.ccid))])
    for number in range(TRIES):
        peer = Peer(net, family, 7000 + number)
        peer.send(REQUEST, wish(scheme))
        response = peer.receive(RESPONSE)
        peer.seq += 1

        def again(peer=peer):
            on(0)
            peer.send(REQUEST, wish(scheme), seq=peer.seq)
        sender = threading.Thread(target=again)
        sender.start()
        on(1)
        time.sleep(number * 0.01)
        peer.send(ACK, confirm(response))
        sender.join()
        s = accept(listener)
        peer.send(DATAACK, data=b"it is open")
        check_equal(s.recv(100), b"it is open", "data received")
        s.close()
        peer.socket.close()


@test("a connection is reset when a packet becomes due", None, SCHEMES)
def reset(scheme):
    """The pacer's timer wants the socket, and whoever has that waits for the timer."""
    net = Network()
    listener = net.listen(options=[(CCID, ccids(scheme.ccid))])
    for number in range(TRIES):
        peer = Peer(net, port=7000 + number)
        peer.connect(wish(scheme))
        s = accept(listener)
        on(0)
        while send_one(s, 1000):
            pass
        on(1)
        time.sleep(0.02 + number * 0.007)
        peer.send(RESET, code=ABORTED)
        s.settimeout(5)
        try:
            check_equal(s.recv(100), b"", "data received")
        except ConnectionResetError:
            pass
        s.close()
        peer.socket.close()


if __name__ == "__main__":
    main()
