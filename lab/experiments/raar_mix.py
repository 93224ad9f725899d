# SPDX-License-Identifier: GPL-2.0-only
"""RAAR's figures 6 and 7: 16 media flows and 16 TCP on 15 Mbit/s, by time scale.

As in the paper (section IV): RED drops from 10 packets on, up to 10 % at 50 and, gentle,
up to all of them at 100; the queue has room for 100 packets; packets have 1000 bytes, IP
header included; TCP has SACK. CoV: of the rates at which flows send in bins of the time
scale, mean of the flows; equivalence: lesser rate of two flows over the greater one, mean
over time and pairs.

Other than in the paper: one round-trip propagation delay for all, 140 ms, the mean of the
paper's 100 to 180 ms; media flows start within the first five seconds, TCP in the next
ten; 200 s (the paper: 600 s), so that there are seven bins of 20 s.
"""

from labkit import Experiment, Flow, Scenario, Table, metrics, networks, report
from labkit.experiment import HEADERS, spread

FLOWS, END, PACKET, SCALES = 16, 200, 1000, (0.2, 0.4, 0.6, 0.8, 1, 2, 4, 6, 8, 10, 15, 20)
SHOWN = 0.2, 1, 4, 20


def scenario(rng, flow, **more):
    """One run; more: "with" has one parameter that is not that of the preset."""
    tcp, media = spread(rng, FLOWS, 5, 15), spread(rng, FLOWS, 0, 5)
    parameters = dict([more["with"].split("=")]) if more.get("with") else {}
    return Scenario({"rate": "15mbit", "rtt": 140, "mtu": PACKET + 100},
                    [Flow(flow, start, parameters=parameters, options=[
                        "-l", PACKET - HEADERS, "--qlen", 20]) for start in media],
                    [" ".join(f"--tcp {t:.3f}:{END}" for t in tcp)], END,
                    networks.red("15mbit", 100 * PACKET, 10 * PACKET, 50 * PACKET, PACKET,
                                 gentle=True) + networks.tcp(PACKET, old=False))


def by_scale(metric, *names):
    """A series: a metric at each time scale."""
    return lambda run: [metric(*names, scale)(run) for scale in SCALES]


def plot(figure, results):
    """CoV and equivalence by time scale; what the paper says of RAAR as lines."""
    main = [c for c in results.cases() if not c["with"]]
    for axes, name, paper in zip(figure.subplots(1, 2), ("CoV", "equivalence with TCP"),
                                 ((0.16,), (0.6, 0.8))):
        for case in main:
            axes.semilogx(SCALES, results.series(name, **case), "o-", markersize=3,
                          color=report.flows.color(case["flow"]),
                          label=report.flows.label(case["flow"]))
        for value in paper:
            axes.axhline(value, color="#333333", linestyle="--", linewidth=0.8)
        axes.set(title=name, xlabel="time scale (s)", ylim=(0, None))
    axes.legend(title="dashed: the paper's RAAR")


CASES = [(f, "") for f in ("raar", "raar-paper", "tfrc", "ccid3")] + \
    [("raar", f"delta={d}") for d in (0.1, 0.2, 0.333, 0.5, 0.7, 1)] + \
    [("raar-paper", w) for w in ("delta=0.1", "delta=0.2", "early_once=1", "wnd_max=1", "growth=2",
                                 "hole_events=1")]

EXPERIMENT = Experiment(
    title="16 media flows and 16 TCP flows on 15 Mbit/s, 140 ms, RED",
    source="RAAR, figures 6 and 7",
    cases=[{"flow": f, "with": w} for f, w in CASES],
    seeds=(1, 2, 3),
    scenario=scenario,
    window=(60, END),
    metrics={**{f"CoV {s} s": metrics.cov("media", s) for s in SHOWN},
             "of TCP, 1 s": metrics.cov("tcp", 1),
             "equivalence 1 s": metrics.equivalence("media", "media", 1),
             "with TCP": metrics.equivalence("media", "tcp", 1),
             "kbit/s": metrics.rate("media", "sent"), "TCP": metrics.rate("tcp", "sent"),
             "ratio": metrics.share("media", "tcp", "sent"), "used": metrics.used(15e6),
             "fairness": metrics.fairness("media", "sent"), "dropped, %": metrics.loss(),
             "acks": metrics.acks("media"), "acks, % of bytes": metrics.acks("media", "size")},
    series={"CoV": by_scale(metrics.cov, "media"), "CoV of TCP": by_scale(metrics.cov, "tcp"),
            "equivalence": by_scale(metrics.equivalence, "media", "media"),
            "equivalence with TCP": by_scale(metrics.equivalence, "media", "tcp")},
    published=[({"flow": f, "with": ""}, {**{f"CoV {s} s": "< 0.16" for s in SHOWN},
                                          "equivalence 1 s": "> 0.76", "with TCP": "0.6 to 0.8"})
               for f in ("raar", "raar-paper")],
    tables=[Table("Smoothness", [*(f"CoV {s} s" for s in SHOWN), "of TCP, 1 s", "equivalence 1 s",
                                 "with TCP"]),
            Table("Shares", ["kbit/s", "TCP", "ratio", "fairness", "dropped, %", "used", "acks"])],
    plot=plot, figure_size=(8.4, 3.4))
