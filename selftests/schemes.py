# SPDX-License-Identifier: GPL-2.0
"""The congestion controls that the tests are run with: one row for each."""
import math
import struct


class Scheme:
    """A congestion control that the tests are run with: one row for each.

    tx_option, rx_option: numbers of its socket options
    tx_good, rx_good: values of these that differ from the default
    tx_bad, rx_bad: values that are out of range or of the wrong size
    equation: the rate for packets of a size, a round-trip time and a loss event
        rate, if that alone decides
    rounds: the first rate is one of packets in a round trip, and so is the time
        that it waits for reports
    """

    def __init__(self, name, ccid, tx_option, tx_good, tx_bad,
                 rx_option, rx_good, rx_bad, equation=None, rounds=True):
        self.name, self.ccid, self.module = name, ccid, "ccid_" + name
        self.equation, self.rounds = equation, rounds
        self.tx_option, self.tx_good, self.tx_bad = tx_option, tx_good, tx_bad
        self.rx_option, self.rx_good, self.rx_bad = rx_option, rx_good, rx_bad

    def __str__(self):
        return self.name


def tfrc_equation(size, rtt, p):
    """RFC 5348, 3.1"""
    f = (2 * p / 3) ** 0.5 + 12 * (3 * p / 8) ** 0.5 * p * (1 + 32 * p * p)
    return size / (rtt * f)


def marc_tx(beta=900, delta_loss=100, delta_mark=50, tokens=1, clock=0):
    return struct.pack("=HHHBB", beta, delta_loss, delta_mark, tokens, clock)


def marc_rx(loss_history):
    return struct.pack("=I", loss_history)


def ltfrc_tx(k=8, weight=2000, bounded=0, reserved=0, a=(0, 0, 0, 0)):
    return struct.pack("=HHBBHiiii", k, weight, bounded, 0, reserved, *a)


def ltfrc_rx(loss_history, **equation):
    return struct.pack("=I", loss_history) + ltfrc_tx(**equation)


def ctfaf_tx(r_min=1000, r_max=0xffffffff, step=1, delta=0, r_start=5000,
             increase=1250, l_allowed=0, interval=5000, t_reset=60000, t_init=60000,
             algorithm=0, probes=10, reserved=0):
    return struct.pack("=10IBBH", r_min, r_max, step, delta, r_start, increase,
                       l_allowed, interval, t_reset, t_init, algorithm, probes, reserved)


SCHEMES = [
    Scheme("marc", 248,
           200, marc_tx(beta=800, delta_loss=200),
           [marc_tx(beta=1001), marc_tx(delta_loss=0), marc_tx(delta_loss=1000),
            marc_tx(delta_mark=0), marc_tx(delta_mark=1000), marc_tx(tokens=2),
            marc_tx(clock=2), marc_tx()[:-1], marc_tx() + b"\0", b"\0" * 4,
            b"\xff" * 8],
           136, marc_rx(64),
           [marc_rx(0), marc_rx(1), marc_rx(129), marc_rx(0xffffffff),
            marc_rx(8) + b"\0", b"\0" * 3],
           tfrc_equation),
    Scheme("ltfrc", 250,
           216, ltfrc_tx(k=0, weight=1500, bounded=1, a=(65536, -32768, 0, -1)),
           [ltfrc_tx(k=9), ltfrc_tx(weight=0), ltfrc_tx(bounded=2),
            ltfrc_tx(reserved=1), ltfrc_tx(k=0), ltfrc_tx(k=0, a=(65536, 1, 0, 0)),
            ltfrc_tx(k=0, a=(0, -1, 0, 1)), ltfrc_tx(k=0, a=(-65536, 0, 0, 0)),
            ltfrc_tx()[:-1], ltfrc_tx() + b"\0", b"\0" * 8, b"\xff" * 24],
           152, ltfrc_rx(64, k=15),
           [ltfrc_rx(1), ltfrc_rx(129), ltfrc_rx(8, k=1), ltfrc_rx(8, weight=0),
            ltfrc_rx(8) + b"\0", ltfrc_rx(8)[:-1], ltfrc_tx(), b"\0" * 4],
           lambda size, rtt, p: 8 * size / rtt * (-0.25 - 0.5 * math.log(p))),
    Scheme("ctfaf", 252,
           232, ctfaf_tx(r_min=5000, r_max=100000, step=250, delta=500,
                         l_allowed=10000, interval=200, t_reset=10000, t_init=0),
           [ctfaf_tx(r_min=0), ctfaf_tx(r_min=9000, r_max=8999, r_start=0),
            ctfaf_tx(r_min=9000, r_max=9000, r_start=0), ctfaf_tx(step=0),
            ctfaf_tx(r_max=9000, step=8001), ctfaf_tx(step=10, delta=9),
            ctfaf_tx(r_start=999), ctfaf_tx(r_max=4999), ctfaf_tx(increase=0),
            ctfaf_tx(l_allowed=1000001), ctfaf_tx(interval=0),
            ctfaf_tx(interval=99), ctfaf_tx(interval=60001, t_reset=70000),
            ctfaf_tx(t_reset=4999), ctfaf_tx(t_reset=3600001),
            ctfaf_tx(t_init=3600001), ctfaf_tx(algorithm=2), ctfaf_tx(probes=1),
            ctfaf_tx(probes=16), ctfaf_tx(reserved=1), ctfaf_tx()[:-1],
            ctfaf_tx() + b"\0", b"", b"\0" * 44, b"\xff" * 44],
           168, marc_rx(64),
           [marc_rx(0), marc_rx(1), marc_rx(129), marc_rx(0xffffffff),
            marc_rx(8) + b"\0", b"\0" * 3], rounds=False),
]

# Experimental CCIDs (RFC 4340, 10) that no module has.
UNREGISTERED = [c for c in range(248, 255) if c not in [s.ccid for s in SCHEMES]]
