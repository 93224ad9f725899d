#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Kernels: 6.12
"""D-ITG, a traffic generator that does not know these CCIDs, uses each of them by sysctl.

It spins until a packet is due, so it cannot run with UML's virtual time.
"""
import re
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
    # To start a program takes any time where virtual time goes on while the host reads it.
    check(wait_for(lambda: listens("tcp", 9000), 600), "ITGRecv does not listen")
    sender = start("client", "ITGSend", "-a", net.address("server", AF_INET), "-T", "DCCP",
                   "-C", "40", "-c", "1000", "-t", str(SECONDS * 1000))
    # A listener, and both ends of the connection
    used = wait_for(lambda: references(scheme.module) >= unused + 2, 600, 0.1)
    output = sender.communicate()[0]
    check_equal(sender.returncode, 0, f"status of ITGSend, which says {output}")
    check(used, "D-ITG uses another CCID")

    def arrived():
        found = re.search(r"Total packets *= *(\d+)", run("ITGDec", log).stdout)
        return int(found[1]) if found else 0
    check(wait_for(lambda: arrived() >= 40 * SECONDS / 10, 60, 1), f"{arrived()} packets arrived")


main()
