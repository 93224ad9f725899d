# SPDX-License-Identifier: GPL-2.0-only
"""MARC's figures 21, 24 and 25: CoV, late packets and jitter beside 40 ON/OFF sources and four TCP.

As in the paper (section 5.5): 10 Mbit/s, fair share 83.3 KB/s (the 40 sources send 833 KB/s in
the mean, and five flows share the rest), sources of 10 to 120 KB/s; Pareto of 1.05. The
paper's 20 runs leave it open which scheme is better, so 30 seeds are declared. Its gain is the
largest where little of the share is used, so 10 KB/s (12 %) is among the cases.
Jitter is the standard deviation of the times between packets at the receiver's side of the
bottleneck. Late is 100 ms after the playback time of a client that knows the longest delay in the
queue of all packets of the flow. It counts from when the source made the packet, and the source
has no limit for what waits, so the wait at the sender counts, too. TFRC's start, in which packets
wait for seconds, is only in "late from 0 s". What the paper leaves open: the
round-trip time (here 140 ms), the time scale of the CoV (here 1 s), the length of a run (here
110 s, from 30 s on), the thresholds of RED. TFRC runs in ns-2, too (labkit/ns2.py).
"""

import numpy as np

from labkit import Experiment, Flow, Scenario, Table, matrix, metrics, networks, report
from labkit.experiment import HEADERS

PACKET, START, END, FAIR = 1000, 30, 110, 83.3
ROOM = 318                  # packets of the queue
RATES = 10, 20, 40, 60, 80, 120
KINDS = "tfrc-marc", "ns2-marc", "marc-paper", "marc"


def scenario(rng, seed, flow, rate):
    """One run."""
    payload = PACKET - HEADERS
    return Scenario({"rate": "10mbit", "rtt": 140, "queue": ROOM, "red": True, "mtu": PACKET + 100},
                    [Flow(flow, parameters={"loss_history": 128}, options=[
                        "-b", rate * payload * 8, "-l", payload, "--qlen", 0, "-O", START])],
                    [f"--seed {seed} --duration {END} --udp 40 " + " ".join(
                        f"--tcp {rng.random():.3f}:{END}" for _ in range(4))], END,
                    networks.tcp(PACKET))


def jitter(run):
    """ms."""
    times = np.sort(run.rows("media", "passed")["passed"].to_numpy())
    return 1e3 * float(np.diff(times).std())


def delays(run):
    """Seconds in the queue, seconds since the source made it, when it came, of each packet."""
    words = run.scenario.media[0].options
    gap = (PACKET - HEADERS) * 8 / words[words.index("-b") + 1]
    rows = run.rows("media", "sent").query("payload > 0").sort_values("sent")
    made = gap * np.arange(len(rows))
    made += (rows["sent"].to_numpy() - made).min()
    return ((rows["passed"] - rows["sent"]).to_numpy(), rows["passed"].to_numpy() - made,
            rows["sent"].to_numpy())


def late(start):
    """% of the packets of the source from then on that pass the bottleneck."""
    def metric(run):
        queued, whole, sent = delays(run.within((0, END)))
        count = ~np.isnan(whole) & (sent >= start)
        return 100 * float((whole[count] > np.nanmax(queued[count]) + 0.1).mean())
    return metric


def longest(run):
    """In the queue, and since the source made the packet, ms."""
    return [1e3 * float(np.nanmax(d)) for d in delays(run.within((0, END)))[:2]]


def plot(figure, results):
    """By the use of the share."""
    for axes, metric in zip(figure.subplots(1, 2), ("CoV sent, 1 s", "jitter, ms")):
        report.against(axes, results, metric, "rate",
                       [{"flow": f} for f in dict.fromkeys(c["flow"] for c in results.cases())])
        axes.set(xlabel="rate of the source (KB/s); fair share 83.3", ylim=(0, None))
    axes.legend()


EXPERIMENT = Experiment(
    title="A stream beside 40 ON/OFF sources and four TCP, 10 Mbit/s, 140 ms",
    source="MARC, figures 21, 24 and 25",
    cases=matrix(rate=(10, 20, 40), flow=KINDS), full=matrix(rate=RATES, flow=KINDS),
    seeds=range(1, 31), scenario=scenario, window=(START, END), group="by hand",
    metrics={"CoV sent, 1 s": metrics.cov("media", 1), "jitter, ms": jitter,
             "late, %": late(START), "late from 0 s, %": late(0),
             "longest in the queue, ms": lambda run: longest(run)[0],
             "longest wait, ms": lambda run: longest(run)[1],
             "use of the share": lambda run: metrics.rate("media", "sent")(run) / 8 / FAIR,
             "lost, %": metrics.loss("media"), "dropped, %": metrics.loss()},
    tables=[Table("", versus={"flow": "tfrc-marc"})], plot=plot, figure_size=(8, 3.4))
