# SPDX-License-Identifier: GPL-2.0-only
"""L-TFRC's figure 4: one flow against 16 TCP Reno on 5 Mbit/s.

The round-trip time is the paper's example, 100 ms, and the queue one product of rate and
round-trip time, or twice that for RED; a longer and a shorter path show how much depends on
this. TCP has SACK, and its receivers acknowledge each other segment (each one: ltfrc_acks). All
packets have 1000 bytes, IP header included. Shares are of rates in 1 s as they leave the
bottleneck; 1 is a 17th of the link. The media flow comes first.
"""

from labkit import Experiment, Flow, Scenario, Table, matrix, metrics, networks, report
from labkit.experiment import HEADERS, spread

LINK, TCP, START, END, PACKET = 5e6, 16, 40, 120, 1000
FAIR = LINK / (TCP + 1)
FLOWS = "ccid3", "tfrc", "ltfrc", "ltfrc-paper", "ltfrc8", "ltfrc11", "ltfrc15"
# RTT in ms, queue in packets
PATHS = {"drop-tail": (100, 63), "RED": (100, 125), "short": (50, 50), "long": (200, 125)}


def scenario(rng, seed, flow, path, every=False):
    """One run."""
    rtt, queue = PATHS[path]
    tcp = spread(rng, TCP, 3, 12)
    return Scenario({"rate": "5mbit", "rtt": rtt, "queue": queue, "mtu": PACKET + 100,
                     **({"red": True} if path == "RED" else {})},
                    [Flow(flow, options=["-l", PACKET - HEADERS])],
                    [f"--seed {seed} " + " ".join(f"--tcp {t:.3f}:{END}" for t in tcp)], END,
                    networks.tcp(PACKET, old=False, window=0, every=every))


def shares(run):
    """In each second."""
    return run.bins("media", 1, "passed")[0] * 8 / FAIR


def plot(figure, results):
    """Shares over time, of the first seed."""
    axes = figure.subplots()
    axes.axhspan(0, 2, color="#e9eef2")
    for case in results.cases(path="drop-tail"):
        values = results.runs(**case)[0]["series"]["share"]
        axes.plot(range(START, END), values, linewidth=1.2, label=report.flows.label(case["flow"]),
                  color=report.flows.color(case["flow"]))
    axes.set(xlabel="time (s)", ylabel="fair shares", ylim=(0, 6.5))
    axes.legend(ncol=3)


EXPERIMENT = Experiment(
    title="One flow against 16 TCP on 5 Mbit/s",
    source="L-TFRC, figure 4",
    cases=matrix(path=("drop-tail", "long"), flow=FLOWS[1:]),
    full=matrix(path=PATHS, flow=FLOWS),
    seeds=(1, 2, 3),
    scenario=scenario, window=(START, END),
    metrics={"share": lambda run: float(shares(run).mean()),
             "least": lambda run: float(shares(run).min()),
             "greatest": lambda run: float(shares(run).max()),
             "s at 0": lambda run: int((shares(run) == 0).sum()),
             "% above 2": lambda run: 100 * float((shares(run) > 2).mean()),
             "a TCP": lambda run: metrics.rate("tcp")(run) * 1e3 / FAIR,
             "lost, %": metrics.loss("media")},
    series={"share": lambda run: shares(run).tolist()},
    tables=[Table(f"{path}: {rtt} ms, {queue} packets", where={"path": path})
            for path, (rtt, queue) in PATHS.items()], plot=plot)
