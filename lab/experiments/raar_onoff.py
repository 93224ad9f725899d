# SPDX-License-Identifier: GPL-2.0-only
"""RAAR's figures 8 to 10: one media flow and one TCP beside UDP sources that are on and off.

As in the paper: sources send 500 kbit/s while on, for Pareto distributed times (on 1 s, off
2 s, shape 1.5); RED as in raar_mix, but with room for 200 packets; round-trip times as in
raar_mix, each flow's by chance. Media and TCP start in the first ten seconds. Other than in the
paper: the sources start at 15 s; 140 s, from 40 s on (the paper: 5000 s and 2000 s); TCP detects
losses by SACK alone. TFRC runs in ns-2, too (labkit/ns2.py).
"""

from labkit import Experiment, Flow, Scenario, Table, matrix, metrics, networks, report
from labkit.experiment import HEADERS, spread

START, END, PACKET = 40, 140, 1000
PAPER = 0.3, 0.6            # CoV beside 95 sources


def scenario(rng, seed, flow, sources, **_):
    """One run."""
    tcp, media = spread(rng, 1, 0, 10), spread(rng, 1, 0, 10)
    ways = [networks.address(rng.randrange(4)) for _ in range(2)]
    return Scenario({"rate": "15mbit", "rtt": 140, "mtu": PACKET + 100},
                    [Flow(flow, media[0], options=["-l", PACKET - HEADERS, "--qlen", 20,
                                                   "-B", ways[0]])],
                    [f"--bind {ways[1]} --tcp {tcp[0]:.3f}:{END}",
                     f"--seed {seed} --begin 15 --udp {sources} --shape 1.5 "
                     f"--duration {END - 15}"], END,
                    networks.red("15mbit", 200 * PACKET, 10 * PACKET, 50 * PACKET, PACKET,
                                 gentle=True) + networks.tcp(PACKET) + networks.apart())


def plot(figure, results):
    """CoV by what is dropped (figure 10), and the range of the paper's text for 95 sources."""
    axes = figure.subplots()
    dropped = results.estimate("dropped, %", flow="raar-paper", sources=95).mean
    axes.vlines(dropped, *PAPER, "#333333", linestyles="--", linewidth=0.8,
                label="the paper's RAAR, 95 sources")
    for flow in dict.fromkeys(c["flow"] for c in results.cases()):
        points = [(results.estimate("dropped, %", **c).mean,
                   results.estimate("CoV 1 s", **c).mean) for c in results.cases(flow=flow)]
        axes.plot(*zip(*sorted(points)), "o-", markersize=4, color=report.flows.color(flow),
                  label=report.flows.label(flow))
    axes.set(xlabel="dropped (%)", ylabel="CoV at 1 s", ylim=(0, None))
    axes.legend()


EXPERIMENT = Experiment(
    title="One media flow and one TCP beside ON/OFF sources, 15 Mbit/s, 120 to 160 ms, RED",
    source="RAAR, figures 8 to 10",
    cases=matrix(sources=(95, 140), flow=("raar-paper", "raar", "tfrc", "ns2")),
    full=matrix(sources=(60, 95, 140), flow=("raar-paper", "raar", "tfrc", "ns2", "ccid3")),
    seeds=range(1, 6), scenario=scenario, window=(START, END),
    metrics={"dropped, %": metrics.loss(),
             **{f"CoV {s} s": metrics.cov("media", s) for s in (0.2, 1, 4, 20)},
             **{f"TCP's, {s} s": metrics.cov("tcp", s) for s in (0.2, 1, 4, 20)},
             **{f"equivalence {s} s": metrics.equivalence("media", "tcp", s) for s in (1, 20)},
             "kbit/s": metrics.rate("media", "sent"), "TCP": metrics.rate("tcp", "sent"),
             "acks": metrics.acks("media")},
    published=[({"sources": 95, "flow": "raar-paper"},
                {**{f"CoV {s} s": f"{PAPER[0]} to {PAPER[1]}" for s in (0.2, 1, 4, 20)},
                 **{f"equivalence {s} s": "0.4 to 0.6" for s in (1, 20)}}),
               ({"sources": 140}, {"dropped, %": 38.25})],
    tables=[Table(f"{n} sources", where={"sources": n}) for n in (60, 95, 140)],
    plot=plot, figure_size=(5.4, 3.4))
