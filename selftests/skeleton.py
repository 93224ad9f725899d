#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""samples/ccid_skeleton, where Documentation/new-ccid.rst starts from, works as it is."""
import os
import signal
import time

from lib import (CCID, Network, ccids, check, check_equal, drain, get_ccids, main, sysctl,
                 test, tx_info, unload)
from schemes import SAMPLE, tfrc_equation


@test("it is loaded, negotiated, and takes half of TFRC's rate")
def skeleton():
    sysctl("default.tx_ccid", SAMPLE)
    net = Network()
    net.shape("server", "netem delay 20ms rate 8mbit limit 100")
    net.shape("client", "netem delay 20ms")
    net.lose(50)
    offer = [(CCID, ccids(SAMPLE, 2))]
    c, s = net.pair(client=offer, server=offer)
    check_equal(get_ccids(c), (SAMPLE, SAMPLE), "CCIDs")
    reader = drain(s)
    c.settimeout(1)
    end = time.monotonic() + 20
    ratios = []
    while time.monotonic() < end:
        c.send(bytes(1000))
        info = tx_info(c)
        check_equal(info.ccid, SAMPLE, "CCID that fills in TX_INFO")
        if info.tfrctx_p and time.monotonic() > end - 15:
            ratios.append(info.x_calc / tfrc_equation(info.mean_size, info.rtt_ns * 1e-9,
                                                      info.p_ppb * 1e-9))
    check(ratios, "no loss event")
    mean = sum(ratios) / len(ratios)
    check(0.45 <= mean <= 0.55, f"{mean:.3f} of what TFRC's equation allows")
    os.kill(reader, signal.SIGKILL)
    os.waitpid(reader, 0)
    s.close()
    c.close()
    sysctl("default.tx_ccid", 2)
    unload("ccid_skeleton", 5)


main()
