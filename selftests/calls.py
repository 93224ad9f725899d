#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Kernels: uml smp-debug
# Timeout: 600
"""System calls in random order, by several threads on the same sockets (calls.c).

CALLS=N and SEEDS=FIRST:LAST in the environment make longer runs. Faults are injected if the
kernel supports it, as in the debug guests.
"""
import errno
import os
import socket
import subprocess
import time

from lib import (BUILT_IN, HERE, TOP, UML, Held, Network, Skip, accept, at_end, check,
                 check_equal, ip, load, main, need, note, run, sysctl, test, unload, write)
from rawpeer import (ACK, CHANGE_L, CONFIRM_R, DATA, DATAACK, F_SEQ_WINDOW, REFUSED, REQUEST,
                     RESET, RESPONSE, Peer, confirm, feature)
from schemes import SCHEMES as ALL

# Beside this file if the kernel's kselftest has built it.
PROGRAM = os.path.join(HERE, "calls")
if not os.path.exists(PROGRAM):
    PROGRAM = os.path.join(TOP, "build/selftests/calls")
CALLS = int(os.environ.get("CALLS") or (4000 if UML else 1500))
FIRST, LAST = (int(s) for s in os.environ.get("SEEDS", "1:2").split(":"))
DEBUG = "/sys/kernel/debug"
ALLOCATIONS = 60    # connect() makes fewer, those of kmemleak included
OURS = ["dccp", "dccp_ipv4", "dccp_ipv6", "dccp_diag", "lib_tfrc"]
# Most calls fail with random sockets. Each of these must succeed at least once.
MUST = "socket bind listen connect disconnect accept send sendmsg recv shutdown close poll " \
       "setsockopt getsockopt ioctl names diag sysctl".split()


def modules():
    """(address, size) of each module of this project."""
    with open("/proc/modules", encoding="ascii") as file:
        lines = [line.split() for line in file]
    return [(int(f[5], 16), int(f[1])) for f in lines if f[0] in OURS or f[0].startswith("ccid_")]


def lo():
    """A network namespace whose loopback device delays packets, and loses some."""
    at_end.append(lambda: os.path.exists("/run/netns/calls") and ip("netns delete calls"))
    ip("netns add calls")
    ip("link set lo up", "calls")
    run("tc", "-n", "calls", "qdisc", "replace", "dev", "lo", "root", "netem", "delay", "2ms",
        "1ms", "loss", "1%", "duplicate", "1%", "limit", "1000")


def load_all():
    for module in [s.module for s in ALL] + ["dccp_diag"]:
        load(module)


def calls(seed, *options):
    """Run the program: {name: (tried, succeeded)}."""
    need(PROGRAM)
    start = time.monotonic()
    done = subprocess.run([PROGRAM, "-N", "/run/netns/calls", "-s", str(seed),
                           "-n", str(CALLS), *options],
                          stdout=subprocess.PIPE, text=True, check=False)
    took = time.monotonic() - start
    said = {words[1]: (int(words[2]), int(words[3])) for words in
            (line.split() for line in done.stdout.splitlines()) if len(words) == 4}
    note(f"seed {seed}, {took:.1f} s: " +
         " ".join(f"{name} {ok}/{tried}" for name, (tried, ok) in said.items()))
    check_equal(done.returncode, 0, f"status, with {done.stdout}")
    for name in MUST:
        check(said[name][1], f"no {name} succeeded")
    return said


def all_returned(held):
    """All processes have ended, so no socket and no module may be in use."""
    for name in "tx_ccid", "rx_ccid":
        sysctl("default." + name, 2)
    held.check()
    for scheme in ALL:
        unload(scheme.module, 60)


@test("random calls on shared sockets", timeout=800)
def plain():
    used = set()
    for seed in range(FIRST, LAST):
        held = Held()
        lo()
        load_all()
        said = calls(seed)
        used |= {name for name in said if name.startswith("ccid")}
        all_returned(held)
    for number in [s.ccid for s in ALL] + BUILT_IN:
        check(f"ccid{number}" in used, f"CCID {number} was never used")


class Faults:
    """Let allocations of these modules fail, and no others."""

    def __init__(self, percent=0):
        if not os.path.exists(f"{DEBUG}/failslab/require-start"):
            raise Skip("this kernel injects no faults")
        places = modules()
        for where in "failslab", "fail_page_alloc":
            at_end.append(lambda w=where: write(f"{DEBUG}/{w}/probability", 0))
            for name, value in (("verbose", 0), ("ignore-gfp-wait", "N"), ("times", -1),
                                ("require-start", min(start for start, _ in places)),
                                ("require-end", max(sum(place) for place in places)),
                                ("probability", percent)):
                write(f"{DEBUG}/{where}/{name}", value)
        write(f"{DEBUG}/fail_page_alloc/min-order", 0)


@test("the same, and one allocation of each second call fails", timeout=800)
def nth():
    for seed in range(FIRST, LAST):
        held = Held()
        lo()
        load_all()
        Faults()
        said = calls(seed, "-f", "12")
        check(said["faults"][1] > CALLS / 20, "hardly a fault was injected")
        all_returned(held)


@test("the same, and one allocation in a hundred fails, in softirqs, too", timeout=800)
def hundredth():
    for seed in range(FIRST, LAST):
        held = Held()
        lo()
        load_all()
        Faults(1)
        calls(seed)
        all_returned(held)


@test("a connection comes to its end also if there is no memory for its Close")
def close_without_memory():
    load_all()
    Faults()
    net = Network()
    fault = os.open("/proc/thread-self/fail-nth", os.O_RDWR)
    at_end.append(lambda: os.close(fault))
    met = 0
    for ends in range(2):
        for number in range(1, 7):
            pair = net.pair()
            closing, other = pair[ends], pair[1 - ends].dup()
            other.settimeout(200)
            fd = closing.detach()
            os.pwrite(fault, b"%d" % number, 0)
            os.close(fd)
            met += os.pread(fault, 16, 0).startswith(b"0")
            os.pwrite(fault, b"0", 0)
            check_equal(other.recv(10), b"", f"what the peer sees, allocation {number} failed")
            other.close()
            pair[1 - ends].close()
    note(f"{met} of 12 faults were met")
    check(met, "no allocation failed")


@test("a Request that there was no memory for has a number of its own when it is sent")
def request_without_memory():
    """Until then nothing answers it: least of all what acknowledges 0 (RFC 4340, 8.5, step 4)."""
    load_all()
    Faults()
    net = Network()
    fault = os.open("/proc/thread-self/fail-nth", os.O_RDWR)
    at_end.append(lambda: os.close(fault))
    late = failed = 0
    # Each allocation of connect(), three times: its number is not the same in all calls, since
    # entries of tables may still be there.
    for attempt in range(3 * ALLOCATIONS):
        number = attempt // 3 + 1
        peer = Peer(net, port=6001 + attempt)
        c = net.open("server")
        c.setblocking(False)
        os.pwrite(fault, b"%d" % number, 0)
        error = c.connect_ex((net.address("nobody", socket.AF_INET), peer.port))
        failed += os.pread(fault, 16, 0).startswith(b"0")
        os.pwrite(fault, b"0", 0)
        if error == errno.EINPROGRESS and not peer.receive(REQUEST, timeout=0.2):
            late += 1
            peer.to_port = c.getsockname()[1]
            peer.unreachable(0)
            for kind in RESPONSE, RESET:
                peer.send(kind, ack=0, code=REFUSED)
            time.sleep(0.01)
            check_equal(c.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR), 0, "error")
            request = peer.receive(REQUEST, timeout=200)
            check(request, "no Request is sent later")
            check(request.seq > 1, f"the first Request has the number {request.seq}")
            peer.send(RESPONSE, confirm(request))
            check_equal(peer.receive(ACK, RESET).type, ACK, "answer to the Response")
        c.close()
    note(f"{failed} allocations failed, {late} first Requests were late")
    check(late, "no Request met a fault")


@test("a Change that there is no memory to confirm ends nothing")
def change_without_memory():
    load_all()
    net = Network()
    listener = net.listen()
    peer = Peer(net)
    peer.connect()
    s = accept(listener)
    window = (5000).to_bytes(6, "big")
    change = feature(CHANGE_L, F_SEQ_WINDOW, *window)
    Faults(100)
    peer.send(ACK, change)
    time.sleep(0.1)     # another processor may work on it
    Faults(0)
    check_equal(s.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR), 0, "error")
    check(peer.receive(RESET, timeout=0.2) is None, "a Reset came")
    peer.send(ACK, change)
    s.send(b"x")
    check(peer.receive(DATA, DATAACK, ACK).has(CONFIRM_R, bytes([F_SEQ_WINDOW]) + window),
          "it is not confirmed when it comes again")


if __name__ == "__main__":
    main()
