#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Kernels: uml 6.12 6.1 smp-debug
"""Timers and system calls while a process owns the socket."""
import ctypes
import socket
import subprocess
import threading
import time

from lib import (CCID, FAMILIES, RX_CCID, RX_INFO, RX_INFO_LEAST, SCHEMES, TX_CCID, TX_INFO,
                 TX_INFO_LEAST, Network, accept, at_end, ccids, check, check_equal, disconnect,
                 ip, main, note, rx_info, send_one, test, tx_info, wait_for)
from rawpeer import ACK, NO_CONNECTION, RESET, Peer
from userfault import getsockopt, locked

SIZE = 1000


def pair(scheme):
    """A connection on which packets came: the round-trip time is known, 200 ms."""
    net = Network()
    net.shape("client", "netem delay 200ms limit 1000")
    ask = [(CCID, ccids(scheme.ccid))]
    c, s = net.pair(client=ask, server=ask)
    for _ in range(20):
        c.send(bytes(100))
        check_equal(len(s.recv(SIZE)), 100, "bytes received")
        time.sleep(0.05)
    return net, c, s


@test("a sender's timer comes again", None, SCHEMES)
def nofeedback(scheme):
    """No report comes and nothing is sent, since both would set the timer again."""
    net, c, _ = pair(scheme)
    net.shape("server", "netem loss 100%")
    c.send(bytes(100))
    time.sleep(0.4)     # what was on its way has come
    before = tx_info(c).nofeedbacks
    with locked(c):
        time.sleep(5)
    check(wait_for(lambda: tx_info(c).nofeedbacks > before, 200),
          "the nofeedback timer does not expire any more")


@test("a receiver's timer comes again", None, [s for s in SCHEMES if s.name != "dvrc"])
def report(scheme):
    """Data is not reported yet, and no other packet comes that would make a report due.

    There is not always data left to report; with DVRC, at such a rate, never.
    """
    _, c, s = pair(scheme)
    came = 0
    for _ in range(5):
        for _ in range(3):
            c.send(bytes(100))
            s.recv(SIZE)
            time.sleep(0.001)
        before = rx_info(s).feedbacks
        with locked(s):
            time.sleep(3)
        came += bool(wait_for(lambda before=before: rx_info(s).feedbacks > before, 20))
    note(f"a report after {came} of 5 times")
    check(came >= 2, "no report comes when nobody owns the socket any more")


@test("packets that become due are sent after that", None, SCHEMES)
def queue(scheme):
    _, c, s = pair(scheme)
    sent = 0
    while send_one(c, SIZE):
        sent += 1
    with locked(c):
        time.sleep(1)
    s.settimeout(200)
    for number in range(sent):
        check_equal(len(s.recv(SIZE)), SIZE, f"bytes of packet {number + 1} of {sent}")


@test("a socket that is closed meanwhile sends its queue after that", None, SCHEMES)
def closed(scheme):
    """close() leaves the end of the socket to the owner, which finds what was put off."""
    _, c, s = pair(scheme)
    sent = 0
    while send_one(c, SIZE):
        sent += 1
    with locked(c):
        c.close()
        time.sleep(1)
    s.settimeout(200)
    for number in range(sent):
        check_equal(len(s.recv(SIZE)), SIZE, f"bytes of packet {number + 1} of {sent}")
    check_equal(s.recv(SIZE), b"", "end of data")


@test("getsockopt() waits", None, SCHEMES)
def options(scheme):
    """getsockopt() reads a half-connection, which the owner may be about to end."""
    _, c, s = pair(scheme)
    for end, name, size in ((c, TX_CCID, 4), (c, TX_INFO, TX_INFO_LEAST),
                            (s, RX_CCID, 4), (s, RX_INFO, RX_INFO_LEAST)):
        calling, answers = threading.Event(), []

        def call(end=end, name=name, value=ctypes.create_string_buffer(size),
                 calling=calling, answers=answers):
            calling.set()
            answers.append(getsockopt(end, name, ctypes.addressof(value), len(value)))
        caller = threading.Thread(target=call)
        with locked(end):
            caller.start()
            calling.wait()
            time.sleep(0.1)
            check_equal(answers, [], f"what option {name} gives meanwhile")
        caller.join(60)
        check_equal(answers, [0], f"what option {name} gives after that")


@test("ss waits", None, SCHEMES)
def diag(scheme):
    _, c, _ = pair(scheme)
    with locked(c):
        ss = subprocess.Popen(("ip", "netns", "exec", "client", "ss", "--dccp", "-niH"),
                              stdout=subprocess.PIPE, text=True)
        at_end.append(ss.kill)
        time.sleep(0.3)
        check_equal(ss.poll(), None, "status of ss, which is not to be done yet")
    # Without a limit: virtual time goes on while the host reads the files of ss.
    said, _ = ss.communicate()
    check_equal(ss.returncode, 0, "status of ss")
    check("rtt:" in said, f"ss says nothing of the round-trip time: {said}")


@test("disconnect() waits, with the timers", None, SCHEMES)
def end(scheme):
    """A timer and the end of its connection both wait for the socket."""
    net, c, s = pair(scheme)
    s.close()
    for cycle in range(5):
        time.sleep(0.5)
        disconnect(c)
        # The client forgets the last connection, and may get its port again; the server has it
        # in TIMEWAIT for a minute, and would refuse it: each connection has another port there.
        listener = net.listen(options=[(CCID, ccids(scheme.ccid))], port=6100 + cycle)
        c.connect(listener.getsockname())
        s = accept(listener)
        c.send(bytes(100))
        s.recv(SIZE)
        time.sleep(0.3)
        net.shape("server", "netem loss 100%")
        c.send(bytes(100))
        caller = threading.Thread(target=disconnect, args=[c])
        with locked(c):
            time.sleep(2)
            caller.start()
            time.sleep(0.1)
            check(caller.is_alive(), "disconnect() does not wait")
        caller.join(60)
        check(not caller.is_alive(), "disconnect() does not return")
        net.shape("server", "pfifo limit 1000")
        s.close()


@test("a packet is answered when the route by which it came has ended", FAMILIES)
def lost_route(family):
    """The Reset comes from the namespace of the socket.

    The route of a packet in the backlog ends with the address. Its device then is one of the
    initial namespace.
    """
    net = Network()
    listener = net.listen(family)
    peer = Peer(net, family)
    address = net.address("server", family)
    again = f"""address delete {address}/{{length}} dev eth0
                address add {address}/{{length}} dev eth0 {{more}}"""
    if family == socket.AF_INET:
        commands = again.format(length=24, more="\nroute add default via 10.9.2.254")
    else:
        commands = again.format(length=64, more="nodad")
    with locked(listener):
        peer.send(ACK)
        time.sleep(0.2)
        ip(commands, "server")
        time.sleep(1)       # it has ended for all
    reset = peer.receive(RESET)
    check(reset, "no Reset comes")
    check_equal(reset.code, NO_CONNECTION, "code of the Reset")


if __name__ == "__main__":
    main()
