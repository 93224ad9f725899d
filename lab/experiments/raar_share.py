# SPDX-License-Identifier: GPL-2.0-only
"""RAAR's figures 3 to 5: shares of RAAR and TFRC beside as many TCP, and fairness among them.

As in the paper (section IV.B): n flows and n TCP, drop-tail (150 packets) and RED, TCP with SACK
and Reno without; round-trip times and starts as in raar_mix. What the paper leaves open: RED has
the thresholds of raar_mix; link rates and numbers of flows are on the paper's axes only. Other than
in the paper: as in raar_mix, and 100 s (the paper: 600 s), from 40 s on. TFRC runs in ns-2, too
(labkit/ns2.py).
"""

from labkit import Experiment, Flow, Scenario, Table, matrix, metrics, networks
from labkit.experiment import HEADERS, spread

START, END, PACKET = 40, 100, 1000
FLOWS = "raar-paper", "raar", "tfrc", "ns2"


def scenario(rng, flow, rate, count, queue, tcp, **_):
    """One run."""
    starts, media = spread(rng, count, 0, 10), spread(rng, count, 0, 10)
    red = networks.red(f"{rate}mbit", 150 * PACKET, 10 * PACKET, 50 * PACKET, PACKET, gentle=True)
    sack = [("left", "sysctl -qw net.ipv4.tcp_sack=0")] * (tcp == "Reno")
    return Scenario({"rate": f"{rate}mbit", "rtt": 140, "mtu": PACKET + 100, "queue": 150},
                    [Flow(flow, t, options=["-l", PACKET - HEADERS, "--qlen", 20,
                                            "-B", networks.address(i % 4)])
                     for i, t in enumerate(media)], networks.tcp_apart(starts, END), END,
                    red * (queue == "RED") + networks.tcp(PACKET) + networks.apart() + sack,
                    trace_interval=1)


def share(run):
    """Of the link, 1 if both classes have the same."""
    media, tcp = metrics.rate("media")(run), metrics.rate("tcp")(run)
    return 2 * media / (media + tcp)


EXPERIMENT = Experiment(
    title="Shares of media flows beside as many TCP, 120 to 160 ms, by rate and number",
    source="RAAR, figures 3 to 5",
    cases=matrix(rate=(15,), queue=("RED",), tcp=("SACK",), count=(16, 64),
                 flow=FLOWS) +
    matrix(rate=(15,), queue=("RED",), tcp=("Reno",), count=(16,), flow=FLOWS[:2]) +
    matrix(rate=(15,), queue=("drop-tail",), tcp=("SACK",), count=(16, 64), flow=FLOWS[:2]) +
    matrix(rate=(2,), queue=("RED", "drop-tail"), tcp=("SACK",), count=(4,), flow=FLOWS[:2]),
    full=matrix(rate=(15,), queue=("RED", "drop-tail"), tcp=("SACK",), count=(4, 16, 64),
                flow=FLOWS) +
    matrix(rate=(15,), queue=("RED",), tcp=("Reno",), count=(4, 16, 64), flow=FLOWS) +
    matrix(rate=(2, 60), queue=("RED", "drop-tail"), tcp=("SACK",), count=(4, 16),
           flow=("raar-paper", "raar")),
    seeds=(1, 2, 3), scenario=scenario, window=(START, END), group="by hand",
    metrics={"share": share, "distance from 1": lambda run: abs(share(run) - 1),
             "fairness": metrics.fairness("media"), "TCP's fairness": metrics.fairness("tcp"),
             "CoV 1 s": metrics.cov("media", 1), "dropped, %": metrics.loss()},
    tables=[Table(f"{rate} Mbit/s, {queue}, {tcp}", None,
                  {"rate": rate, "queue": queue, "tcp": tcp})
            for rate in (15, 2, 60) for queue in ("RED", "drop-tail") for tcp in ("SACK", "Reno")],
    limit=6000)
