# SPDX-License-Identifier: GPL-2.0-only
"""Many connections at once: instructions and memory of each, and what is left afterwards.

Both ends of all connections are in one guest, with a router between them and a round trip of
20 ms. labkit/counting.py counts the instructions; those without connections are subtracted. Of
the connections ten send, spread evenly among all: a packet of 100 bytes each at the same moment,
a hundred times. The others are open, and do nothing.

    packet        instructions for one that arrives: send(), recv(), both stacks, the router,
                  reports, timers of the connections that send
    open          those of an open connection that does nothing, in a second
    connect       to open a connection, at both ends, this program's included
    close         to close both ends, and to forget the connection (70 s)
    spread        between five windows without connections, per packet: one alone could have
                  changed "packet" by so much
    memory        of the objects of the half-connections, from /sys/kernel/slab; and what the
                  kernel's slabs (SUnreclaim) grew by for each connection, both ends, sockets
                  and files included
    left          after all connections are closed: memory, sockets, references of the module
"""

import json
import os
import resource
import sys
import time

from labkit import Experiment, Table, counting, matrix, runner
from labkit.experiment import TOP
from labkit.flows import KINDS

CCIDS = {"ccid2": 2, "ccid3": 3, "marc": 248, "raar": 249, "ltfrc": 250, "dvrc": 251, "ctfaf": 252}
SENDERS, ROUNDS, ROUND, SIZE, TIMEWAIT = 10, 100, 0.03, 100, 70


# ------------------------------------------------------------ inside the guest

def slab():
    """Bytes in the kernel's object caches that it cannot give back at any time."""
    with open("/proc/meminfo", encoding="ascii") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("SUnreclaim:"))


def counted(work, idle):
    """Instructions of a function beyond those of a guest that is so busy without it."""
    before = counting.clock()
    work()
    passed, busy = (b - a for a, b in zip(before, counting.clock()))
    return busy - idle * passed


def in_guest(ccid, count):
    """The values of one case."""
    sys.path.insert(0, os.path.join(TOP, "selftests"))
    import lib                  # of a machine that has DCCP
    resource.setrlimit(resource.RLIMIT_NOFILE, (50000, 50000))
    for module in "dccp_ipv4", "dccp_ipv6", "net-dccp-ccid-" + str(ccid):
        lib.run("modprobe", module, may_fail=ccid in lib.BUILT_IN)

    def held():
        """Sockets, and references of the module."""
        with open("/proc/net/protocols", encoding="ascii") as file:
            return ([int(line.split()[2]) for line in file if line.startswith("DCCP ")] +
                    [lib.references(s.module) for s in lib.SCHEMES if s.ccid == ccid])

    net = lib.Network()
    net.shape("client", "netem delay 20ms limit 100000")
    with lib.inside("client"):
        lib.write("/proc/sys/net/ipv4/ip_local_port_range", "10000 60000")
    ask, pairs, packet = [(lib.CCID, lib.ccids(ccid))], [], bytes(SIZE)
    had, listener = held(), net.listen(options=ask)

    def connect():
        for _ in range(count):
            pairs.append((net.connect(options=ask), lib.accept(listener)))

    def send():
        for _ in range(ROUNDS):
            for c, _ in pairs[::count // SENDERS]:
                c.send(packet)
            time.sleep(ROUND)
            for _, s in pairs[::count // SENDERS]:
                lib.check_equal(len(s.recv(1000)), SIZE, "bytes received")

    def close():
        listener.close()
        for c, s in pairs:
            c.close()
            s.close()
        pairs.clear()
        lib.at_end.clear()
        time.sleep(TIMEWAIT)

    time.sleep(TIMEWAIT)        # what the guest still does after it has booted
    alone, start = counting.quiet(), slab()
    connected = counted(connect, min(alone))
    took = slab() - start
    among = counting.quiet()
    sent = counted(send, min(among))
    sizes = [int(lib.read(f"/sys/kernel/slab/ccid{ccid}_hc_{half}_sock/slab_size"))
             for half in ("tx", "rx")]
    closed = counted(close, min(alone))
    return {
        "packet": sent / ROUNDS / SENDERS,
        "spread": (max(alone) - min(alone)) * ROUND * 1e9 / SENDERS,
        "open, 1/s": 1e9 * (min(among) - min(alone)) / count,
        "connect": connected / count, "close": closed / count,
        "sender, bytes": sizes[0], "receiver, bytes": sizes[1],
        "both ends, bytes": took // count, "left, bytes": (slab() - start) // count,
        "held": sum(abs(a - b) for a, b in zip(held(), had))}


# ---------------------------------------------------------------- outside

def measure(flow, connections, seed):       # pylint: disable=unused-argument
    """One CCID, so many connections."""
    values = counting.guest(__file__, CCIDS[flow], connections, memory="2G")
    if values is None:
        raise runner.Failed(f"{flow}: guest failed with {connections} connections")
    if connections < 1000:                  # of few there is too little to see
        for name in "open, 1/s", "connect", "close", "both ends, bytes", "left, bytes":
            del values[name]
    return values


EXPERIMENT = Experiment(
    title="Many connections at once: instructions and memory, in Debian's 6.12",
    source="no paper",
    cases=matrix(connections=(10, 1000, 10000), flow=[k for k in CCIDS if k in KINDS]),
    measure=measure, where="host", kernels=("6.12",),
    tables=[Table(f"{n} connections", where={"connections": n}) for n in (10, 1000, 10000)])

if __name__ == "__main__":
    print(json.dumps(in_guest(*map(int, sys.argv[1:]))))
