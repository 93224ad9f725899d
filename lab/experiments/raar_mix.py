# SPDX-License-Identifier: GPL-2.0-only
"""RAAR's figures 6 and 7: 16 media flows and 16 TCP on 15 Mbit/s, by time scale.

As in the paper (section IV): RED drops from 10 packets on, and is gentle from 50 on; the queue has
room for 100 packets; packets have 1000 bytes, IP header included; TCP has SACK; all flows start in
the first ten seconds. CoV: of the rates at which flows send in bins of the time scale, mean of the
flows; equivalence: lesser rate of two flows over the greater one, mean over time and pairs.

Round-trip propagation delays are the paper's, 100 to 180 ms: 2 x 50 ms, and two access links of 0
to 20 ms, each passed twice. Flows have 120, 135, 145 and 160 ms in turn, the means of the quarters.
What the paper leaves open: RED drops 10 % at 50 packets. Other than in the paper, TCP and TFRC do
not wait for random times of up to 2 ms ("overhead"), TCP has no tick of 100 ms, and detects losses
by SACK alone; a run has 140 s (the paper: 600 s), of which the last 100 s count: five bins of 20 s.
TFRC runs in ns-2, too (labkit/ns2.py).
"""

from labkit import Experiment, Flow, Scenario, Table, metrics, networks, report
from labkit.experiment import HEADERS, spread

FLOWS, START, END, PACKET = 16, 40, 140, 1000
SCALES, SHOWN = (0.2, 0.4, 0.6, 0.8, 1, 2, 4, 6, 8, 10, 15, 20), (0.2, 1, 4, 20)
# What is shown by time scale, and what the paper's text says of RAAR
WHAT = {"CoV": (metrics.cov, ("media",)),
        "equivalence among them": (metrics.equivalence, ("media", "media")),
        "equivalence with TCP": (metrics.equivalence, ("media", "tcp")),
        "CoV of TCP": (metrics.cov, ("tcp",)),
        "equivalence among TCP": (metrics.equivalence, ("tcp", "tcp"))}
TEXT = {"CoV": "< 0.16", "equivalence among them": "> 0.76", "equivalence with TCP": "0.6 to 0.8"}


def scenario(rng, flow, parameters=None, **_):
    """One run."""
    tcp, media = spread(rng, FLOWS, 0, 10), spread(rng, FLOWS, 0, 10)
    return Scenario({"rate": "15mbit", "rtt": 140, "mtu": PACKET + 100},
                    [Flow(flow, start, parameters=parameters or {}, options=[
                        "-l", PACKET - HEADERS, "--qlen", 20, "-B", networks.address(i % 4)])
                     for i, start in enumerate(media)], networks.tcp_apart(tcp, END), END,
                    networks.red("15mbit", 100 * PACKET, 10 * PACKET, 50 * PACKET, PACKET,
                                 gentle=True) + networks.tcp(PACKET) + networks.apart())


def by_scale(metric, *names):
    """A series: a metric at each time scale."""
    return lambda run: [metric(*names, scale)(run) for scale in SCALES]


def plot(figure, results):
    """By time scale; TCP is that beside the paper's RAAR, dashed are the limits of its text."""
    panels = {"CoV": (0.16,), "equivalence among them": (0.76,), "equivalence with TCP": (0.6, 0.8)}
    of_tcp = {"CoV": "CoV of TCP", "equivalence among them": "equivalence among TCP"}
    for axes, (name, paper) in zip(figure.subplots(1, 3), panels.items()):
        lines = [(c["flow"], name, c) for c in results.cases()]
        if name in of_tcp:
            lines += [("tcp", of_tcp[name], c) for c in results.cases(flow="raar-paper")]
        for flow, series, case in lines:
            axes.semilogx(SCALES, results.series(series, **case), "o-", markersize=3,
                          color=report.flows.color(flow), label=report.flows.label(flow))
        for value in paper:
            axes.axhline(value, color="#333333", linestyle="--", linewidth=0.8)
        axes.set(title=name, xlabel="time scale (s)", ylim=(0, None))
    figure.axes[0].legend()


EXPERIMENT = Experiment(
    title="16 media flows and 16 TCP flows on 15 Mbit/s, 120 to 160 ms, RED",
    source="RAAR, figures 6 and 7",
    cases=[{"flow": f} for f in ("raar-paper", "raar", "tfrc", "ns2")], full=[{"flow": "ccid3"}],
    seeds=range(1, 6),
    scenario=scenario,
    window=(START, END),
    metrics={**{f"{what}, {s} s": metric(*names, s)
                for what, (metric, names) in WHAT.items() for s in SHOWN},
             "kbit/s": metrics.rate("media", "sent"), "TCP": metrics.rate("tcp", "sent"),
             "ratio": metrics.share("media", "tcp", "sent"), "used": metrics.used(15e6),
             "fairness": metrics.fairness("media", "sent"), "dropped, %": metrics.loss(),
             "acks": metrics.acks("media"), "acks, % of bytes": metrics.acks("media", "size"),
             "reports a second": lambda run: metrics.acks("media")(run) / FLOWS / run.seconds *
             len(run.rows("media", "sent"))},
    series={what: by_scale(metric, *names) for what, (metric, names) in WHAT.items()},
    published=[({"flow": f}, {f"{what}, {s} s": v for s in SHOWN for what, v in TEXT.items()})
               for f in ("raar", "raar-paper")],
    tables=[Table(f"{what}, by time scale", [f"{what}, {s} s" for s in SHOWN]) for what in WHAT] +
    [Table("Shares", ["kbit/s", "TCP", "ratio", "fairness", "dropped, %", "used", "acks",
                      "acks, % of bytes", "reports a second"])],
    plot=plot, figure_size=(9.6, 3.2))
