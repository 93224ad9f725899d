#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Kernels: uml smp-debug
# Timeout: 600
"""Cycles: modules under traffic, namespaces and connections are made and removed repeatedly.

CYCLES=N in the environment makes longer runs.
"""
import contextlib
import errno
import os
import random
import select
import signal
import socket
import struct
import time

from lib import (CCID, IPPROTO_DCCP, SERVICE, SERVICE_CODE, SOCK_DCCP, SOL_DCCP, UML,
                 Held, Network, at_end, ccids, check, check_equal, disconnect, get_ccids,
                 inside, ip, main, note, remove, spawn, sysctl, test, unload)
from schemes import SCHEMES as ALL

CYCLES = int(os.environ.get("CYCLES") or (60 if UML else 25))
LIMIT = 60 + CYCLES * 2 if UML else 7200    # in seconds, of what hangs if time is real
# An emulated machine with KASAN takes 20 s to set up a network.
NETWORKS = CYCLES if UML else CYCLES // 3
PAUSE = 0.01 if UML else 0.3                    # a module lives long enough to be used
NUMBERS = [s.ccid for s in ALL] + [3, 2]
PORT = 5001
# Errors of a connection whose CCID is unloaded during the handshake
REFUSED = (errno.EOPNOTSUPP, errno.ECONNREFUSED, errno.ECONNRESET, errno.EPIPE, errno.ENOTCONN,
           errno.ETIMEDOUT, errno.EPROTO)


def open_at(end, *numbers):
    with inside(end):
        s = socket.socket(socket.AF_INET, SOCK_DCCP, IPPROTO_DCCP)
    s.setsockopt(SOL_DCCP, SERVICE, SERVICE_CODE)
    if numbers:
        s.setsockopt(SOL_DCCP, CCID, ccids(*numbers))
    return s


def listen_at(end, *numbers, port=PORT):
    s = open_at(end, *numbers)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.bind((Network.address(end, socket.AF_INET), port))
    s.listen(20)
    return s


def linger(s, *seconds):
    s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, *seconds))


def fill(s):
    """Fill the transmit queue."""
    with contextlib.suppress(BlockingIOError):
        for _ in range(100):
            s.send(bytes(500), socket.MSG_DONTWAIT)


def end(s, dice):
    """End a connection in one of several ways."""
    with s, contextlib.suppress(OSError):
        way = dice.randrange(5)
        if way == 0:
            linger(s, 0)
        elif way == 1:
            linger(s, 1)
        elif way == 2:
            disconnect(s)
        elif way == 3:
            s.shutdown(socket.SHUT_RDWR)


def serve(listener, seed):
    """Accept a connection, send, and end it or its listener."""
    dice, children = random.Random(seed), []
    while True:
        ready, _, _ = select.select([listener, *children], [], [], 0.01)
        for s in ready:
            if s is listener:
                children.append(listener.accept()[0])
                continue
            try:
                alive = bool(s.recv(2000, socket.MSG_DONTWAIT))
                s.send(bytes(dice.randrange(500)), socket.MSG_DONTWAIT)
            except BlockingIOError:
                continue
            except OSError:
                alive = False
            if not alive or dice.random() < 0.1:
                children.remove(s)
                end(s, dice)
        while len(children) > 6:
            end(children.pop(dice.randrange(6)), dice)


def connect_often(pipe, seed):
    """Connections of all CCIDs; the pipe gets the CCID of each, or 0."""
    dice = random.Random(seed)
    # CTFAF begins slowly. Its connections take long, and would hold its module all the time.
    often = [s.ccid for s in ALL for _ in range(1 if s.name == "ctfaf" else 5)]
    while True:
        number = dice.choice(often)
        used = 0
        try:
            s = open_at("client", number, 2)
            s.settimeout(2 if UML else 60)
            s.connect((Network.address("server", socket.AF_INET), PORT))
            used = get_ccids(s)[0]
            for _ in range(dice.randrange(8)):
                fill(s)
                time.sleep(dice.random() * 0.004)
            end(s, dice)
        except TimeoutError:
            pass
        except OSError as e:
            if e.errno not in REFUSED:
                raise
        os.write(pipe, bytes([used]))


@test("modules come and go under traffic and during handshakes", timeout=2 * LIMIT)
def modules():
    held, net = Held(), Network()
    net.shape("client", "netem delay 1ms 500us limit 1000")
    net.shape("server", "netem delay 1ms 500us loss 1% limit 1000")
    listener = listen_at("server", *NUMBERS)
    results, pipe = os.pipe()
    os.set_blocking(results, False)
    at_end.append(lambda: (os.close(results), os.close(pipe)))
    children = [spawn(serve, listener, 0)]
    children += [spawn(connect_often, pipe, n) for n in range(1, 5)]
    listener.close()
    names = [s.module for s in ALL]
    removed, tries, dice = dict.fromkeys(names, 0), 0, random.Random(1)
    stop = time.monotonic() + LIMIT
    while sum(removed.values()) < CYCLES and time.monotonic() < stop:
        name = dice.choice(names)
        tries += 1
        removed[name] += remove(name)
        time.sleep(dice.random() * PAUSE)
    check_equal([os.waitpid(c, os.WNOHANG)[0] for c in children], [0] * 5, "ended by themselves")
    for child in children:
        os.kill(child, signal.SIGKILL)
    done = os.read(results, 1 << 20)
    used = {number: done.count(number) for number in sorted(set(done))}
    note(f"{tries} tries, removed {removed}; connections by CCID {used}")
    check(sum(removed.values()) >= CYCLES, f"not enough came and went in {LIMIT} s")
    check(all(used.get(s.ccid) for s in ALL), "not every CCID was used")
    check(used.get(0, 0) < len(done) / 2, "most connections failed")
    held.check()
    for name in names:
        unload(name, 60)


def pair(number, listener, other="client", port=0):
    c = open_at(other, number)
    c.bind((Network.address(other, socket.AF_INET), port))
    c.connect(listener.getsockname())
    s = listener.accept()[0]
    return c, s


@test("namespaces are destroyed with all that connections can be in", timeout=4 * LIMIT)
def namespaces():
    held, dice = Held(), random.Random(2)
    sysctl("default.retries2", 3)       # of sockets whose namespace is gone, too
    for cycle in range(NETWORKS):
        net = Network()
        net.shape("client", "netem delay 5ms limit 1000")
        number = NUMBERS[cycle % len(NUMBERS)]
        listener = listen_at("server", number)
        sockets = [listener, listen_at("client", number)]
        for _ in range(3):
            sockets += pair(number, listener)
        for s in sockets[2:]:
            fill(s)
        closing = pair(number, listener)        # one end only; the queue is full
        fill(closing[0])
        closing[dice.randrange(2)].close()
        pending = open_at("client", number)     # nobody accepts it
        pending.connect(listener.getsockname())
        asking = open_at("client", number)      # the answer is on its way
        asking.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            asking.connect(listener.getsockname())
        sockets += [*closing, pending, asking]
        dice.shuffle(sockets)
        first = dice.randrange(len(sockets))
        for s in sockets[:first]:
            s.close()
        if dice.random() < 0.5:
            ip("link delete to-client\nlink delete to-server", "router")
        net.delete()
        time.sleep(dice.random() * 0.02)
        for s in sockets[first:]:
            end(s, dice)
        at_end.clear()
    held.check()
    for scheme in ALL:
        unload(scheme.module, 60)


def flood(s, seed):
    """Use a socket that another process disconnects and connects again."""
    dice = random.Random(seed)
    while True:
        with contextlib.suppress(OSError):
            if dice.random() < 0.8:
                fill(s)
            else:
                s.recv(2000, socket.MSG_DONTWAIT)
        time.sleep(dice.random() * 0.002)


@test("a socket is connected again with another CCID while it is being used",
      timeout=2 * LIMIT)
def reconnect():
    held, net, dice = Held(), Network(), random.Random(3)
    net.shape("client", "netem delay 2ms limit 1000")
    again = open_at("client")
    users = [spawn(flood, again, n) for n in range(2)]
    other, seen = None, set()
    for cycle in range(CYCLES):
        number = NUMBERS[cycle % len(NUMBERS)]
        # Each connection has a port of its own: see close_full().
        there = listen_at("server", *NUMBERS, port=PORT + 1 + cycle)
        again.setsockopt(SOL_DCCP, CCID, ccids(number))
        # It has a local port and address from the last time.
        again.connect(there.getsockname())
        child = there.accept()[0]
        there.close()
        check_equal(get_ccids(child), (number, number), "CCIDs")
        seen.add(number)
        for _ in range(dice.randrange(5)):
            with contextlib.suppress(OSError):
                fill(child)
                child.recv(1000, socket.MSG_DONTWAIT)
            time.sleep(dice.random() * 0.004)
        if dice.random() < 0.5:
            end(child, dice)
        if other:
            other.close()
        other = child
        disconnect(again)
        if cycle % 10 == 9:
            # From now on it is what was accepted that is connected again.
            for pid in users:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            again.close()
            there = listen_at("client", *NUMBERS, port=PORT + 1 + cycle)
            mate = open_at("server", number)
            mate.connect(there.getsockname())
            again = there.accept()[0]
            there.close()
            users = [spawn(flood, again, cycle + n) for n in range(2)]
            mate.close()
            disconnect(again)
    check_equal(seen, set(NUMBERS[:min(CYCLES, len(NUMBERS))]), "CCIDs that were used")
    for pid in users:
        os.kill(pid, signal.SIGKILL)
    again.close()
    other.close()
    held.check()
    for scheme in ALL:
        unload(scheme.module, 60)


@test("a full queue is closed, with linger and without, at both ends", timeout=2 * LIMIT)
def close_full():
    held, net, dice = Held(), Network(), random.Random(4)
    net.shape("client", "netem delay 3ms limit 1000")
    net.shape("server", "netem delay 3ms loss 2% limit 1000")
    listener = listen_at("server", *NUMBERS)
    for cycle in range(CYCLES):
        number = NUMBERS[cycle % len(NUMBERS)]
        # An aborted connection leaves its port to the client at once, and in TIMEWAIT to the
        # server for a minute, who refuses it (RFC 4340, 8.5, Step 2): each has another one.
        ends = list(pair(number, listener, port=10000 + cycle))
        time.sleep(dice.random() * 0.01)
        for s in ends:
            fill(s)
        dice.shuffle(ends)
        for s in ends:
            way = dice.randrange(3)
            if way < 2:
                linger(s, way)
            start = time.monotonic()
            s.close()
            took = time.monotonic() - start
            # Real time is the host's, too.
            check(not UML or took < (way == 1) + 0.5, f"close() {way} took {took:.2f} s")
            time.sleep(dice.random() * 0.01)
    listener.close()
    held.check()
    for scheme in ALL:
        unload(scheme.module, 60)


@test("a closed connection whose route goes away comes to its end")
def route_gone():
    held, net = Held(), Network()
    sysctl("default.retries2", 3)
    c, s = net.pair()
    for side in "client", "server":
        net.shape(side, "netem loss 100%")
    c.close()
    time.sleep(5)       # the Close was sent again, after 3 s
    ip("link set eth0 down", "client")
    s.close()
    held.check()


if __name__ == "__main__":
    main()
