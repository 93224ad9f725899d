#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Many connections at once: all of them work, and all of their memory is freed.

lab/bench many has memory and time for each, up to 10,000 connections.
"""
import os
import resource
import time

from lib import (CCID, SCHEMES, Network, Skip, accept, at_end, ccids, check,
                 check_equal, load, main, note, read, references, rx_info, slab, test,
                 tx_info, unload)

COUNT = 500
PACKETS = 8
TIMEWAIT = 70


def sockets():
    """DCCP's, those of the kernel included."""
    return {line.split()[0]: int(line.split()[2])
            for line in read("/proc/net/protocols").splitlines() if line.startswith("DCCP")}


def crowd(net, scheme):
    """Open, send, check, close. Returns the memory that the open connections took."""
    ask = [(CCID, ccids(scheme.ccid))]
    before, listener = slab(), net.listen(options=ask)
    pairs = [(net.connect(options=ask), accept(listener)) for _ in range(COUNT)]
    for _ in range(PACKETS):
        for c, _ in pairs:
            c.send(bytes(100))
        time.sleep(0.5)
        for _, s in pairs:
            check_equal(len(s.recv(1000)), 100, "bytes received")
    took = slab() - before
    time.sleep(10)
    for c, s in pairs:
        sent, got = tx_info(c), rx_info(s)
        check_equal((sent.ccid, got.ccid), (scheme.ccid, scheme.ccid), "CCIDs")
        check_equal(got.packets_received, PACKETS, "packets received")
        check(sent.feedbacks, "no report")
    pairs.append((listener, listener))
    for c, s in pairs:
        c.close()
        s.close()
    at_end[:] = [f for f in at_end if getattr(f, "__self__", None) is net]
    pairs.clear()
    time.sleep(TIMEWAIT)
    return took


PAGE = os.path.join(os.path.dirname(__file__), "../Documentation/explanation/attacks.rst")
LABELS = {"ltfrc": "L-TFRC"}


@test("the objects of the half-connections are as large as attacks.rst says", None, SCHEMES)
def sizes(scheme):
    if os.environ.get("LAB_KERNEL") not in ("uml", "6.12"):
        raise Skip("timers and slabs of other kernels have other sizes")
    load(scheme.module)
    with open(PAGE, encoding="utf-8") as page:
        rows = [line.split()[1:3] for line in page
                if line.startswith(LABELS.get(scheme.name, scheme.name.upper()) + " ")
                and len(line.split()) == 3]
    got = [read(f"/sys/kernel/slab/ccid{scheme.ccid}_hc_{half}_sock/slab_size")
           for half in ("tx", "rx")]
    check_equal(rows, [got], "bytes of the sending half, of the receiving half")


@test(f"{COUNT} connections at once, three times: all is given back", None, SCHEMES)
def many(scheme):
    resource.setrlimit(resource.RLIMIT_NOFILE, (5 * COUNT, 5 * COUNT))
    load(scheme.module)
    net = Network()
    net.shape("client", "netem delay 20ms limit 100000")
    had, held = sockets(), references(scheme.module)
    left = []
    for _ in range(3):
        took = crowd(net, scheme)
        left.append(slab())
        check_equal(sockets(), had, "sockets of DCCP after all are closed")
        check_equal(references(scheme.module), held, "references of the module")
    note(f"{took / COUNT:.0f} bytes for a connection, both ends; "
         f"{left[2] - left[0]} bytes more after the third time than after the first")
    # One object of a half-connection for each of two rounds would be more.
    check(left[2] - left[0] < COUNT * 256, "memory is not given back")
    unload(scheme.module)       # its caches must be empty, or the kernel complains


if __name__ == "__main__":
    main()
