# SPDX-License-Identifier: GPL-2.0-only
"""MARC's figure 17: the mean rate of ten streams beside ten TCP, by the rate of the source.

As in the paper: 10 Mbit/s, fair share 62.5 KB/s, sources of 10 to 110 KB/s, RED and drop-tail.
TFRC runs in ns-2, too (labkit/ns2.py), with drop-tail also without the phase effect.
140 ms as in the paper's other networks, queues of two products of bandwidth and delay, n = 128.
What the paper leaves open: lengths and starts. Here 90 s, from 30 s on.
"""

from labkit import Experiment, Flow, Scenario, Table, matrix, metrics, networks
from labkit.experiment import HEADERS, spread

FLOWS, PACKET, START, END = 10, 1000, 30, 90
RATES = 10, 30, 50, 70, 90, 110
KINDS = "tfrc-marc", "ns2-marc", "marc-paper", "marc"


def scenario(rng, flow, rate, queue, **_):
    """One run: TCP's random numbers are drawn first."""
    tcp, media, payload = spread(rng, FLOWS, 0, 5), spread(rng, FLOWS, 0, 5), PACKET - HEADERS
    topology = {"rate": "10mbit", "rtt": 140, "mtu": PACKET + 100,
                **({"red": True, "queue": 318} if queue == "RED" else {"queue": 350})}
    options = ["-b", rate * payload * 8, "-l", payload, "--qlen", 20]
    return Scenario(topology, [Flow(flow, t, parameters={"loss_history": 128}, options=options)
                               for t in media],
                    [f"--duration {END} " + " ".join(f"--tcp {t:.3f}:{END}" for t in tcp)], END,
                    networks.tcp(PACKET), trace_interval=1)


EXPERIMENT = Experiment(
    title="Ten streams and ten TCP on 10 Mbit/s, by the rate of the source",
    source="MARC, figure 17",
    cases=matrix(queue=("RED", "drop-tail"), rate=(30, 110), flow=KINDS) +
    matrix(queue=("drop-tail",), rate=(110,), flow=("ns2-random",)),
    full=matrix(queue=("RED", "drop-tail"), rate=RATES, flow=KINDS),
    seeds=range(1, 11), scenario=scenario, window=(START, END), group="by hand",
    metrics={"sent, KB/s": lambda run: metrics.rate("media", "sent")(run) / 8,
             "TCP, KB/s": lambda run: metrics.rate("tcp", "sent")(run) / 8,
             "lost, %": metrics.loss("media")},
    tables=[Table(queue, where={"queue": queue}, versus={"flow": "tfrc-marc"})
            for queue in ("RED", "drop-tail")])
