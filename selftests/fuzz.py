#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Random inputs to the algorithms and, in a guest, random packets of lab/fuzz."""
import os
import subprocess
import sys

from lib import (BUILT_IN, CCID, FAMILIES, SCHEMES, TOP, Failure, Network, Skip, ccids,
                 check, check_equal, defaults, load, main, need, note, prepare, run, run_test,
                 test, unload, wait_for, write)

TOOLS = os.path.join(TOP, "build/tools")
EVENTS, PACKETS, SEED = 20000000, 300000, 1
ENDLESS = 1 << 30       # these tests may take any amount of virtual time
EVERY = BUILT_IN + [s.ccid for s in SCHEMES]


def sockets():
    """The number of DCCP sockets over IPv4 and IPv6, without control sockets."""
    with open("/proc/net/protocols", encoding="ascii") as file:
        return sum(int(line.split()[2]) for line in file if line.startswith("DCCP"))


def attack(seed, packets, first, *only):
    """Send the packets, then make an ordinary connection with each CCID; nothing may be left."""
    need(f"{TOOLS}/fuzz-packets")
    for scheme in SCHEMES:
        load(scheme.module)
    # the first fault ends it, with the packet's number in the log
    write("/proc/sys/kernel/panic_on_warn", 1)
    before = sockets()
    command = [f"{TOOLS}/fuzz-packets", "-s", str(seed), "-n", str(packets), "-f", str(first)]
    for ccid in only:
        command += ["-c", str(ccid)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            note(line.rstrip())
    check_equal(process.returncode, 0, "status")
    check(wait_for(lambda: sockets() <= before, 600, step=1), f"{sockets()} sockets are left")


def still_works():
    """A connection with each CCID, over each family; afterwards the modules go."""
    net = Network()
    for family in FAMILIES:
        for ccid in EVERY:
            ask = [(CCID, ccids(ccid))]
            c, s = net.pair(family, client=ask, server=ask)
            c.send(b"to the server")
            check_equal(s.recv(100), b"to the server", f"data with CCID {ccid}")
            s.send(b"to the client")
            check_equal(c.recv(100), b"to the client", f"data with CCID {ccid}")
            c.close()
            s.close()
    net.delete()
    for scheme in SCHEMES:
        unload(scheme.module, 300)
    unload("lib_tfrc")


@test("inputs of the algorithms", schemes=SCHEMES)
def algorithms(scheme):
    done = run(f"{TOOLS}/fuzz-{scheme}", str(SEED), str(EVENTS), may_fail=True)
    note(done.stdout.strip())
    check(done.returncode == 0, done.stderr)


@test("packets of every kind, in every state", timeout=ENDLESS)
def packets():
    attack(SEED, PACKETS, 0)
    still_works()


def campaign(*arguments):
    reason = prepare()
    if reason:
        sys.exit(reason)
    try:
        defaults()
        run_test(lambda: (attack(*arguments), still_works()), [], 0)
    except (Failure, Skip) as e:
        sys.exit(f"lab/fuzz: {e}")
    print("Connections work, modules are gone.")


if __name__ == "__main__":
    if sys.argv[1:2] == ["campaign"]:
        campaign(*sys.argv[2:])
    else:
        main()
