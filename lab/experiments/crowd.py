# SPDX-License-Identifier: GPL-2.0-only
"""MARC's tables 5 to 8: a stream of 20 KB/s in a flash crowd, MARC beside TFRC.

As in the paper (sections 3.2 and 5.4): 100 s in a dumbbell of 1.5 Mbit/s and 140 ms; five
UDP flows that are on (62.5 KB/s, 1 s) and off (2 s) for Pareto distributed times; a long
TCP flow; a crowd of 100 short TCP flows from 50 s to 55 s. All packets have 1000 bytes,
IP header included. n, the loss history, is 128 as in the paper, or 8, our default. TFRC
has the paper's self-clocking. For each seed all see the same UDP flows and the same crowd.
The paper says a shape of 1.05 for the Pareto distribution, but the deviations of its tables
are those of 1.5, which is ns-2's default: both are run.

What the paper leaves open, or to its reference [6]: RED with thresholds at 0.25 and 1.25
times the product of bandwidth and delay, gentle as in ns-2, a queue of 2 times that
product; TCP begins with two segments, acknowledges each segment, detects losses by SACK
alone and carries nothing from one connection to the next; a short flow is 9 segments.
KB is 1000 bytes; rates are of IP packets. The paper: 100 repetitions, n = 128.
"""

from labkit import Experiment, Flow, Scenario, Table, matrix, metrics, networks, report
from labkit.experiment import HEADERS

PACKET = 1000
# The MTU leaves room for DCCP's options, and 47 of it are 52 packets.
TOPOLOGY = {"red": True, "rate": "1.5mbit", "rtt": 140, "queue": 47, "mtu": 1100}
CLASSES = {"stream": "media", "TCP": "tcp", "UDP": "udp", "crowd": "crowd"}
# Sending rate, throughput (KB/s), loss (%) of the four: tables 5 to 8
PAPER = {("crowd", "tfrc-marc"): ((10.21, 8.01, 24.69), (15.57, 14.54, 13.36),
                                  (102.44, 74.95, 25.94), (118.4, 87.83, 24.83)),
         ("crowd", "marc-paper"): ((18.67, 14, 25.07), (15.2, 14.07, 12.79),
                                   (104.54, 74.28, 27.6), (115.35, 83.22, 26.84)),
         ("run", "tfrc-marc"): ((19.53, 18.58, 4.85), (46.33, 45.04, 2.9),
                                (103.21, 93.59, 9.08), (11.12, 9.08, 18.1)),
         ("run", "marc-paper"): ((19.81, 18.64, 5.91), (45.5, 44.26, 2.82),
                                 (105.05, 93.95, 9.33), (11.29, 9.08, 19.33))}


def scenario(_rng, seed, flow, n, shape=1.05):
    """One run."""
    payload = PACKET - HEADERS
    stream = Flow(flow, parameters={"loss_history": n},
                  options=["-b", 20 * payload * 8, "-l", payload])
    return Scenario(TOPOLOGY, [stream], [f"--seed {seed} --udp 5 --tcp 0:100 --crowd 100 "
                                         "--crowd-at 50 --crowd-for 5" +
                                         f" --shape {shape}" * (shape != 1.05)], 100,
                    networks.tcp(PACKET))


def kbytes(metric):
    """KB/s of all flows of a class."""
    return lambda run: metric(run) / 8


def plot(figure, results):
    """The stream and the long TCP flow, mean over the seeds."""
    for axes, name in zip(figure.subplots(2, 1, sharex=True), ("stream", "TCP")):
        axes.axvspan(50, 55, color="#e9eef2")
        report.over_time(axes, results, name,
                         [c for c in results.cases(n=128) if "shape" not in c])
        axes.set_title(f"{name}: sending rate")
        axes.set_ylabel("kbit/s")
    axes.legend(ncol=3)


EXPERIMENT = Experiment(
    title="A stream of 20 KB/s in a flash crowd",
    source="MARC, tables 5 to 8",
    cases=matrix(n=(128, 8), flow=("tfrc-marc", "marc-paper", "marc")) +
    matrix(n=(128,), flow=("tfrc-marc", "marc-paper"), shape=(1.5,)),
    seeds=range(1, 61),
    scenario=scenario,
    window={"crowd": (50, 55), "run": (0, 100)},
    metrics={f"{what} {name}": function
             for name, c in CLASSES.items() for what, function in (
                 ("sending", kbytes(metrics.total(c, "sent"))),
                 ("throughput", kbytes(metrics.total(c, "passed"))), ("lost, %", metrics.loss(c)))},
    series={name: metrics.rates(CLASSES[name]) for name in ("stream", "TCP")},
    published=[({"n": 128, "flow": flow},
                {f"{window}: {what} {name}": value for name, row in zip(CLASSES, rows)
                 for what, value in zip(("sending", "throughput", "lost, %"), row)})
               for (window, flow), rows in PAPER.items()],
    tables=[Table(f"n = {n}, {when}; KB/s and %", [f"{window}: {m}" for m in (
                "sending stream", "throughput stream", "lost, % stream", "sending TCP")],
                  {"n": n}, {"flow": "tfrc-marc"}, sd=True)
            for n in (128, 8) for window, when in (("crowd", "from 50 s to 55 s"),
                                                   ("run", "over the whole run"))],
    plot=plot, figure_size=(7, 5.4))
