# SPDX-License-Identifier: GPL-2.0-only
"""The congestion controls that the tests are run with: one row for each."""
import math
import struct

from dccp_ccids import (CtfafConstraints, CtfafRxParams, DvrcRxParams, LtfrcEquation,
                        LtfrcRxParams, LtfrcTxParams, MarcRxParams, MarcTxParams, RaarRxParams,
                        RaarTxParams)


class Scheme:
    """A congestion control that the tests are run with: one row for each.

    tx_option, rx_option: numbers of its socket options
    tx_good, rx_good: values of these that differ from the default
    tx_bad, rx_bad: values that are out of range or too short
    parameter_good: a module parameter, a value that it may have (as written, as read)
    parameters_bad: (module parameter, value that it may not have)
    driven: the receiver decides the rate; its reports have a rate instead of the loss
        event rate
    equation: the rate for packets of a size, a round-trip time and a loss event
        rate, if that alone decides
    wire: fields that its options have in Wireshark, besides those of all schemes
    rounds: the first rate is a number of packets in a round trip, and the time that it
        waits for reports is a number of round trips
    halves: after that time X is half or less
    """

    def __init__(self, name, ccid, tx_option, tx_good, tx_bad,
                 rx_option, rx_good, rx_bad, parameter_good, parameters_bad,
                 wire, equation=None, rounds=True, halves=True, driven=False):
        self.name, self.ccid, self.module = name, ccid, "ccid_" + name
        self.wire, self.equation, self.rounds = wire, equation, rounds
        self.halves, self.driven = halves, driven
        self.tx_option, self.tx_good, self.tx_bad = tx_option, tx_good, tx_bad
        self.rx_option, self.rx_good, self.rx_bad = rx_option, rx_good, rx_bad
        self.parameter_good, self.parameters_bad = parameter_good, parameters_bad

    def __str__(self):
        return self.name


def tfrc_equation(size, rtt, p):
    """RFC 5348, 3.1"""
    f = (2 * p / 3) ** 0.5 + 12 * (3 * p / 8) ** 0.5 * p * (1 + 32 * p * p)
    return size / (rtt * f)


def value(structure, **defaults):
    """A function that makes a value of a structure; its arguments are what differs."""
    def make(**changes):
        return bytes(structure(**{**defaults, **changes}))
    return make


marc_tx = value(MarcTxParams, beta=900, delta_loss=100, delta_mark=50, tokens=1, clock=2, decay=1,
                lag=1)
raar_tx = value(RaarTxParams, beta=875)
raar_rx = value(RaarRxParams, beta=875, delta=167, smoothing=8, growth=2000, rate_max=0,
                early_once=1, wnd_max=1, hole_events=1, exit_guard=1)
ctfaf_tx = value(CtfafConstraints, r_min=1000, r_max=0xffffffff, step=1, delta=0, r_start=5000,
                 increase=1250, l_allowed=0, interval=5000, t_reset=60000, t_init=60000,
                 l_severe=1000000, algorithm=0, probes=10, probe_every=1, hold=0, decay=0,
                 refuse=0, gentle=0, climb=0)
dvrc_rx = value(DvrcRxParams, alpha_i=1000, alpha_d=1000, beta_d=500, n=1500, weight=1000,
                ack_ratio=1, loss_history=8, weight_layers=1000, delta=4000, gain_mean=125,
                gain_deviation=250, hold=0, validation=1)


def marc_rx(loss_history, recovery=1):
    return bytes(MarcRxParams(loss_history=loss_history, recovery=recovery))


def ctfaf_rx(loss_history):
    return bytes(CtfafRxParams(loss_history=loss_history))


def raar_paper(**changes):
    """No guards."""
    return raar_rx(**{"growth": 0, "early_once": 0, "wnd_max": 0, "hole_events": 0,
                      "exit_guard": 0, **changes})


def ltfrc_equation(k=8, weight=2000, bounded=0, **others):
    return LtfrcEquation(k=k, weight=weight, bounded=bounded, **others)


def ltfrc_tx(nominal_size=0, frame_rate=0, **equation):
    return bytes(LtfrcTxParams(equation=ltfrc_equation(**equation), nominal_size=nominal_size,
                               frame_rate=frame_rate))


def ltfrc_rx(loss_history, recovery=1, **equation):
    return bytes(LtfrcRxParams(loss_history=loss_history, recovery=recovery,
                               equation=ltfrc_equation(**equation)))


def dvrc_layers(*rates):
    return struct.pack(f"={len(rates)}I", *rates)


BAD_LAYERS = [dvrc_layers(0), dvrc_layers(0, 1), dvrc_layers(1, 0), dvrc_layers(2, 2),
              dvrc_layers(3, 2), dvrc_layers(1, 3, 2), dvrc_layers(0xffffffff, 1),
              dvrc_layers(*range(1, 18)), dvrc_layers(*range(16)), b"\1", b"\1\0\0",
              dvrc_layers(1, 2) + b"\0", dvrc_layers(1, 2)[:-1], b"\xff" * 64, b"\xff" * 1024]


SCHEMES = [
    Scheme("marc", 248,
           200, marc_tx(beta=800, delta_loss=200, nominal_size=1460, frame_rate=30),
           [marc_tx(beta=1001), marc_tx(delta_loss=0), marc_tx(delta_loss=1000),
            marc_tx(delta_mark=0), marc_tx(delta_mark=1000), marc_tx(tokens=2),
            marc_tx(clock=3), marc_tx(decay=2), marc_tx(lag=2), marc_tx(target_delay=4),
            marc_tx(target_delay=1001), marc_tx(landing=1001), marc_tx(nominal_size=1461),
            marc_tx(frame_rate=1001), marc_tx(l4s=2), marc_tx(reserved=1), marc_tx()[:7],
            b"\0" * 4, b"\xff" * 8],
           136, marc_rx(255),
           [marc_rx(0), marc_rx(1), marc_rx(256), marc_rx(0xffffffff),
            marc_rx(8, recovery=2), b"\0" * 3],
           ("beta", "0x3e8", "1000"),
           [("beta", 1001), ("beta", 65536 + 900), ("tokens", 256), ("clock", 3),
            ("decay", 2), ("lag", 2), ("target_delay", 4), ("landing", 1001), ("warning", 65536),
            ("l4s", 2), ("delta_loss", 0), ("loss_history", 1), ("loss_history", 256),
            ("recovery", 2)],
           {"loss_event_rate"},
           tfrc_equation),
    Scheme("raar", 249,
           208, raar_tx(beta=500, frame_rate=1000),
           [raar_tx(beta=0), raar_tx(beta=1000), raar_tx(target_delay=4),
            raar_tx(target_delay=1001), raar_tx(frame_rate=1001), raar_tx(l4s=2),
            raar_tx(reserved=1), raar_tx()[:3],
            b"", b"\xff" * 4],
           144, raar_rx(beta=500, delta=1000, smoothing=1, growth=1000),
           [raar_rx(beta=0), raar_rx(beta=1000), raar_rx(delta=0), raar_rx(delta=1001),
            raar_rx(smoothing=0), raar_rx(smoothing=65), raar_rx(growth=999),
            raar_rx(early_once=2), raar_rx(wnd_max=2), raar_rx(hole_events=2),
            raar_rx(exit_guard=2), raar_rx(per_rtt=2), raar_rx(fast_down=2),
            raar_rx(nominal_size=1461), raar_rx()[:15], b"\0" * 16, b"\xff" * 16],
           ("beta", "0x384", "900"), [("beta", 0), ("beta", 1000), ("delta", 0), ("delta", 1001),
                           ("smoothing", 0), ("smoothing", 65), ("growth", 999),
                           ("growth", 65536), ("early_once", 2), ("wnd_max", 2),
                           ("hole_events", 2), ("exit_guard", 2), ("rate_max", 1 << 32),
                           ("per_rtt", 2), ("fast_down", 2),
                           ("tx_beta", 0), ("tx_beta", 1000)],
           {"request_rate", "request_timeout", "request_number", "round_rate", "round_waited"},
           halves=False, driven=True),
    Scheme("ltfrc", 250,
           216, ltfrc_tx(nominal_size=1, frame_rate=1, k=0, weight=1500, bounded=1,
                         a=(65536, -32768, 0, -1)),
           [ltfrc_tx(k=9), ltfrc_tx(weight=0), ltfrc_tx(bounded=2),
            ltfrc_tx(l4s=2), ltfrc_tx(target_delay=4),
            ltfrc_tx(k=0), ltfrc_tx(k=0, a=(65536, 1, 0, 0)),
            ltfrc_tx(k=0, a=(0, -1, 0, 1)), ltfrc_tx(k=0, a=(-65536, 0, 0, 0)),
            ltfrc_tx(nominal_size=1461), ltfrc_tx(frame_rate=1001),
            ltfrc_tx()[:23], b"\0" * 8, b"\xff" * 24],
           152, ltfrc_rx(255, k=15),
           [ltfrc_rx(1), ltfrc_rx(256), ltfrc_rx(8, k=1), ltfrc_rx(8, weight=0),
            ltfrc_rx(8, recovery=2), ltfrc_rx(8)[:-6], ltfrc_tx(), b"\0" * 4],
           ("k", "bounded-friendly", "11"),
           [("k", 0), ("k", "friendly"), ("weight", 0), ("weight", 65536), ("bounded", 2),
            ("loss_history", 1), ("recovery", 2)],
           {"loss_event_rate"},
           lambda size, rtt, p: min(8 * size / rtt * (-0.25 - 0.5 * math.log(p)),
                                    tfrc_equation(size, rtt, p))),
    Scheme("dvrc", 251,
           224, dvrc_layers(10000, 20000, 40000),
           BAD_LAYERS,
           160, dvrc_rx(alpha_i=500, n=1000, weight=1500, ack_ratio=2, loss_history=255),
           [dvrc_rx(alpha_i=0), dvrc_rx(alpha_d=0), dvrc_rx(beta_d=0), dvrc_rx(beta_d=1000),
            dvrc_rx(weight=0), dvrc_rx(ack_ratio=0), dvrc_rx(loss_history=1),
            dvrc_rx(nominal_size=1461), dvrc_rx()[:23], b"\0" * 4,
            b"\xff" * 12],
           ("beta_d", "0x300", "768"),
           [("alpha_i", 0), ("alpha_d", 65536), ("beta_d", 0), ("beta_d", 1000), ("n", -1),
            ("weight", 0), ("ack_ratio", 0), ("ack_ratio", 256), ("loss_history", 256)],
           {"request_rate", "request_timeout", "request_number", "rtt", "deviation"}, driven=True),
    Scheme("ctfaf", 252,
           232, ctfaf_tx(r_min=5000, r_max=100000, step=250, delta=500,
                         l_allowed=10000, interval=200, t_reset=10000, t_init=0),
           [ctfaf_tx(r_min=0), ctfaf_tx(r_min=9000, r_max=8999, r_start=0),
            ctfaf_tx(r_min=9000, r_max=9000, r_start=0), ctfaf_tx(step=0),
            ctfaf_tx(r_min=5000, r_max=9000, step=4001), ctfaf_tx(step=2001),
            ctfaf_tx(step=10, delta=9),
            ctfaf_tx(r_start=999), ctfaf_tx(r_max=4999), ctfaf_tx(increase=0),
            ctfaf_tx(l_allowed=1000001), ctfaf_tx(interval=0),
            ctfaf_tx(interval=99), ctfaf_tx(interval=60001, t_reset=70000),
            ctfaf_tx(t_reset=4999), ctfaf_tx(t_reset=3600001),
            ctfaf_tx(t_init=3600001), ctfaf_tx(algorithm=2), ctfaf_tx(probes=1),
            ctfaf_tx(probes=16), ctfaf_tx(steady=101),
            ctfaf_tx(target_delay=1001), ctfaf_tx(nominal_size=1461),
            ctfaf_tx(frame_rate=1001), ctfaf_tx(l_severe=0),
            ctfaf_tx(l_severe=1000001), ctfaf_tx(probe_every=0), ctfaf_tx(hold=101),
            ctfaf_tx(decay=1001), ctfaf_tx(refuse=2), ctfaf_tx(gentle=2), ctfaf_tx(climb=2),
            ctfaf_tx()[:55], b"", b"\0" * 56, b"\xff" * 56],
           168, ctfaf_rx(255),
           [ctfaf_rx(0), ctfaf_rx(1), ctfaf_rx(256), ctfaf_rx(0xffffffff),
            b"\0" * 3],
           ("algorithm", "tfrc", "1"),
           [("r_min", 0), ("r_max", 1000), ("r_start", 999), ("step", 0), ("delta", 1 << 32),
            ("interval", 99), ("probes", 1), ("steady", 101), ("algorithm", "none"),
            ("loss_history", 0)],
           {"loss_event_rate", "interval", "interval_rtt", "loss_share", "bottleneck"},
           rounds=False),
]

BY_NAME = {s.name: s for s in SCHEMES}

# The schemes whose receivers decide the rate
DRIVEN = [s.ccid for s in SCHEMES if s.driven]

# Experimental CCIDs (RFC 4340, 10) that no module has; samples/ has the first of them.
SAMPLE = 253
UNREGISTERED = [c for c in range(248, 255) if c not in [SAMPLE, *(s.ccid for s in SCHEMES)]]
