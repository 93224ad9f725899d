# SPDX-License-Identifier: GPL-2.0-only
"""Many connections at once: memory of each, time for each packet, memory left afterwards.

Both ends of all connections are in one guest (UML), with a router between them and a round
trip of 20 ms. In a round each connection sends a packet of 100 bytes, all at the same moment,
and has 0.1 s for the report.

    memory    of the objects of the half-connections, from /sys/kernel/slab; and what the
              kernel's slabs (SUnreclaim) grew by for each connection, both ends, sockets and
              files included
    time      of the host's processor in the guest's kernel, as time in the guest is virtual.
              Two guests with different numbers of rounds give the time for a packet, from
              send() to recv(), with reports and timers. The rest of the first one's time, less
              that of a guest without connections, is the time to connect and close
    left      after all connections are closed: memory, sockets, references of the module

Times of a busy host differ by a tenth and more from run to run.
"""

import functools
import json
import os
import resource
import subprocess
import sys
import time

from labkit import Experiment, Table, matrix, runner
from labkit.experiment import LAB, TOP
from labkit.flows import KINDS

CCIDS = {"ccid2": 2, "ccid3": 3, "marc": 248, "raar": 249, "ltfrc": 250, "dvrc": 251, "ctfaf": 252}
# connections: rounds of a guest, and of another
ROUNDS = {10: (100, 3100), 1000: (2, 32), 10000: (2, 9)}
ROUND, SIZE, TIMEWAIT = 0.1, 100, 70


# ------------------------------------------------------------ inside the guest

def slab():
    """Bytes in the kernel's object caches that it cannot give back at any time."""
    with open("/proc/meminfo", encoding="ascii") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("SUnreclaim:"))


def in_guest(ccid, count, rounds):
    """Open, send, close; bytes of memory."""
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
    ask = [(lib.CCID, lib.ccids(ccid))]
    had, listener = held(), net.listen(options=ask)
    start, packet = slab(), bytes(SIZE)
    pairs = [(net.connect(options=ask), lib.accept(listener)) for _ in range(count)]
    for _ in range(rounds):
        for c, _ in pairs:
            c.send(packet)
        time.sleep(ROUND)
        for _, s in pairs:
            lib.check_equal(len(s.recv(1000)), SIZE, "bytes received")
    took = slab() - start
    sizes = [int(lib.read(f"/sys/kernel/slab/ccid{ccid}_hc_{half}_sock/slab_size"))
             for half in ("tx", "rx")]
    listener.close()
    for c, s in pairs:
        c.close()
        s.close()
    pairs.clear()
    lib.at_end.clear()
    time.sleep(TIMEWAIT)
    return {"halves": sizes, "bytes": took, "bytes_left": slab() - start,
            "held": [a - b for a, b in zip(held(), had)]}


# ---------------------------------------------------------------- outside

def guest(*args):
    """What a guest measured, and the time of the processor that its kernel took, in s.

    Programs in it are processes of the host that nobody waits for: not counted.
    """
    command = [os.path.join(LAB, "run"), "--memory", "2G", "--timeout", "900", "--", "env",
               f"PYTHONPATH={LAB}", os.path.join(runner.CACHE, "venv/bin/python"), __file__,
               *map(str, args)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=runner.OUT) as process:
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise runner.Failed(f"guest failed: {args}")
    return json.loads(output), usage.ru_utime + usage.ru_stime


empty = functools.cache(lambda ccid: guest(ccid, 0, 0)[1])


def measure(flow, connections, seed):       # pylint: disable=unused-argument
    """One CCID, so many connections."""
    ccid, rounds = CCIDS[flow], ROUNDS[connections]
    (got, first), (_, second) = (guest(ccid, connections, n) for n in rounds)
    packet = (second - first) / (rounds[1] - rounds[0]) / connections
    values = {"sender, bytes": got["halves"][0], "receiver, bytes": got["halves"][1],
              "packet, us": 1e6 * packet, "held": sum(map(abs, got["held"]))}
    if connections == max(ROUNDS):          # of few there is too little to see
        values |= {"both ends, bytes": got["bytes"] // connections,
                   "connection, us": 1e6 * ((first - empty(ccid)) / connections -
                                            rounds[0] * packet),
                   "left, bytes": got["bytes_left"] // connections}
    return values


EXPERIMENT = Experiment(
    title="Many connections at once: memory and time",
    source="no paper",
    cases=matrix(connections=(10, 10000), flow=[k for k in CCIDS if k in KINDS]),
    full=matrix(connections=ROUNDS, flow=[k for k in CCIDS if k in KINDS]),
    measure=measure, where="host",
    tables=[Table(f"{n} connections", where={"connections": n}) for n in ROUNDS])

if __name__ == "__main__":
    print(json.dumps(in_guest(*map(int, sys.argv[1:]))))
