#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Kernels: uml smp-debug
"""Races between two processors.

The time in which a race can happen is microseconds. lab/mutations makes it milliseconds, to
show that these tests can fail. With one processor they test both orders.
"""
import os
import time

from lib import (CCID, FAMILIES, SCHEMES, Network, accept, ccids, check, check_equal, main, remove,
                 run, send_one, spawn, test, unload, wait_for)
from rawpeer import (ABORTED, ACK, CLOSE, DATAACK, REQUEST, RESET, RESPONSE, Peer, confirm, option,
                     wish)

CPUS = sorted(os.sched_getaffinity(0))
TRIES = 10
TIMESTAMP, TIMESTAMP_ECHO = 41, 42


def on(number):
    """Keep this process, and the processing of its packets, on one processor."""
    os.sched_setaffinity(0, {CPUS[number % len(CPUS)]})


def own_network():
    """A network in which the sender's processor processes a packet to its end."""
    net = Network()
    if len(CPUS) > 1:
        net.keep_order(False)
    return net


def meanwhile(function, *args):
    """Call a function on one processor, and continue on the other as soon as it begins.

    It is a process, because a thread that holds Python's lock would stop all threads.
    """
    begun, begin = os.pipe()

    def run():
        on(0)
        os.write(begin, b".")
        function(*args)
    pid = spawn(run)
    on(1)
    os.read(begun, 1)
    os.close(begun)
    os.close(begin)
    return pid


@test("a handshake ends while its Response is sent again", FAMILIES, SCHEMES[:1])
def response_again(scheme, family):
    """Both change the list of features of the handshake."""
    net = own_network()
    listener = net.listen(family, [(CCID, ccids(scheme.ccid))])
    for number in range(TRIES):
        peer = Peer(net, family, 7000 + number)
        peer.send(REQUEST, wish(scheme.ccid))
        response = peer.receive(RESPONSE)
        again = meanwhile(peer.send, REQUEST, wish(scheme.ccid))
        peer.seq += 1
        time.sleep(number * 0.01)
        peer.send(ACK, confirm(response))
        os.waitpid(again, 0)
        s = accept(listener)
        peer.send(DATAACK, data=b"it is open")
        check_equal(s.recv(100), b"it is open", "data received")
        s.close()
        peer.socket.close()


@test("a connection is reset when a packet becomes due", None, SCHEMES)
def reset(scheme):
    """The pacer's timer must not wait for the socket, as its owner waits for the timer."""
    net = own_network()
    listener = net.listen(options=[(CCID, ccids(scheme.ccid))])
    for number in range(TRIES):
        peer = Peer(net, port=7000 + number)
        peer.send(REQUEST, wish(scheme.ccid))
        response = peer.receive(RESPONSE)
        time.sleep(0.1)     # that is R: a packet in 23 ms
        peer.send(ACK, confirm(response) + option(TIMESTAMP_ECHO,
                                                  dict(response.options)[TIMESTAMP]))
        s = accept(listener)
        on(0)
        while send_one(s, 1000):
            pass
        on(1)
        time.sleep(0.02 + number * 0.007)
        peer.send(RESET, code=ABORTED)
        s.settimeout(60)
        try:
            check_equal(s.recv(100), b"", "data received")
        except ConnectionResetError:
            pass
        s.close()
        peer.socket.close()


@test("an orphan ends when a packet becomes due", None, SCHEMES)
def orphan(scheme):
    """By a Reset, by a Close, or by ss -K; meanwhile somebody wants to remove its CCID."""
    net = own_network()
    listener = net.listen(options=[(CCID, ccids(scheme.ccid))])
    ss = "ip", "netns", "exec", "server", "ss", "--dccp", "-nH"
    for number in range(TRIES):
        for way in range(3):
            peer = Peer(net, port=7000 + 3 * number + way)
            peer.send(REQUEST, wish(scheme.ccid))
            response = peer.receive(RESPONSE)
            time.sleep(0.1)
            peer.send(ACK, confirm(response) + option(TIMESTAMP_ECHO,
                                                      dict(response.options)[TIMESTAMP]))
            s = accept(listener)
            on(0)
            while send_one(s, 1000):
                pass
            s.close()
            removal = meanwhile(remove, scheme.module)
            time.sleep(0.01 + number * 0.007)
            if way == 2:
                run(*ss, "-K", f"dport = :{peer.port}")
            else:
                peer.send(RESET if way else CLOSE, code=ABORTED)
            check(wait_for(lambda: not run(*ss).stdout, 60), f"it goes on: {run(*ss).stdout}")
            os.waitpid(removal, 0)
            peer.socket.close()
    listener.close()
    unload(scheme.module, 60)


if __name__ == "__main__":
    main()
