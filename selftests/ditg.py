#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Kernels: 6.12
"""D-ITG, a traffic generator that does not know these CCIDs, uses each of them by sysctl.

It spins until a packet is due, so it cannot run with UML's virtual time.
"""
import re
import time
from socket import AF_INET

from lib import (Network, check, check_equal, listens, main, need, references, run, start,
                 sysctl, test, wait_for)
from schemes import SCHEMES

SECONDS = 8


@test("D-ITG, by sysctl alone", schemes=SCHEMES)
def ditg(scheme):
    need("ITGSend", "ITGRecv")
    net = Network()
    net.shape("server", "netem delay 20ms")
    sysctl("default.tx_ccid", scheme.ccid)
    sysctl("default.rx_ccid", scheme.ccid)
    unused = references(scheme.module)
    log = f"/tmp/itg-{scheme}.log"
    start("server", "ITGRecv", "-l", log)
    check(wait_for(lambda: listens("tcp", 9000), 10), "ITGRecv does not listen")
    sender = start("client", "ITGSend", "-a", net.address("server", AF_INET), "-T", "DCCP",
                   "-C", "40", "-c", "1000", "-t", str(SECONDS * 1000))
    time.sleep(SECONDS / 2)
    # A listener, and both ends of the connection
    used = references(scheme.module) - unused
    output = sender.communicate()[0]
    check_equal(sender.returncode, 0, f"status of ITGSend, which says {output}")
    check(used >= 2, f"{used} references: D-ITG uses another CCID")
    time.sleep(1)
    result = run("ITGDec", log).stdout
    packets = int(re.search(r"Total packets *= *(\d+)", result)[1])
    check(packets >= 40 * SECONDS / 10, f"{packets} packets arrived: {result}")


main()
