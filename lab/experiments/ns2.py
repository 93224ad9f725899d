# SPDX-License-Identifier: GPL-2.0-only
"""Plain TFRC here and in ns-2, which shares no line with it: ten settings of one dumbbell.

ns-2 is Debian's package ns2 (lab/setup ns2). It has a TFRC, a TCP with SACK and a RED of
its own. A setting is declared once, and both run it (labkit/ns2.py); the same metrics measure the
packets of both. "TFRC of ns-2" has ns-2's defaults; its "conservative" mode is MARC's
self-clocking. TCP begins with two segments, acknowledges each segment, and has windows without a
limit. All packets have 1000 bytes, IP header included. Ratios are those of the same seed, which
determines when flows start and what ON/OFF sources do.

Loss events are those of the wire: losses within a round-trip propagation time are one. p is
that of the protocol, and of the first flow only. "Delay" is that of the bottleneck's queue.
"""

from labkit import Experiment, Flow, Scenario, Table, flows, metrics, networks
from labkit.experiment import HEADERS, spread

PACKET, START, END = 1000, 40, 120
# Mbit/s, ms, packets of the queue, RED; media flows, TCP, ON/OFF sources; one of so many lost
SETTINGS = {
    "1.5 Mbit/s, 1 and 1": (1.5, 140, 52, False, 1, 1, 0, 0),
    "1.5 Mbit/s RED, 1 and 1": (1.5, 140, 47, True, 1, 1, 0, 0),
    "1.5 Mbit/s RED, 1 and 1, ON/OFF": (1.5, 140, 47, True, 1, 1, 5, 0),
    "2 Mbit/s, 1 alone": (2, 50, 30, False, 1, 0, 0, 0),
    "5 Mbit/s, 1 and 16": (5, 100, 63, False, 1, 16, 0, 0),
    "5 Mbit/s RED, 8 and 8": (5, 60, 70, True, 8, 8, 0, 0),
    "8 Mbit/s, 4 and 4": (8, 40, 40, False, 4, 4, 0, 0),
    "8 Mbit/s RED, 4 and 4": (8, 100, 182, True, 4, 4, 0, 0),
    "1 of 100 lost": (100, 100, 1000, False, 1, 0, 0, 100),
    "1 of 20 lost": (100, 100, 1000, False, 1, 0, 0, 20)}
# What may make the difference, one thing at a time: here and in ns-2
SWITCHES = {"ns2-random": ("5 Mbit/s, 1 and 16", "8 Mbit/s, 4 and 4"),
            "ns2-linux-red": tuple(s for s in SETTINGS if "RED" in s),
            "ns2-timeout": ("1 of 100 lost", "1 of 20 lost"),
            "ns2-smooth": ("1.5 Mbit/s, 1 and 1", "2 Mbit/s, 1 alone"),
            "tfrc-norecovery": ("1.5 Mbit/s, 1 and 1", "5 Mbit/s, 1 and 16")}
PAIRS = {"tfrc": "ns2", "ccid3": "ns2", "tfrc-marc": "ns2-marc"}


def scenario(rng, seed, setting, flow):
    """One run."""
    rate, rtt, queue, red, media, tcp, udp, every = SETTINGS[setting]
    return Scenario({"rate": f"{rate}mbit", "rtt": rtt, "queue": queue, "mtu": PACKET + 100,
                     **({"red": True} if red else {})},
                    [Flow(flow, t, options=["-l", PACKET - HEADERS, "--qlen", 20])
                     for t in spread(rng, media, 0, 3)],
                    [f"--seed {seed} --duration {END} --udp {udp} " + " ".join(
                        f"--tcp {t:.3f}:{END}" for t in spread(rng, tcp, 3, 10))],
                    END, networks.tcp(PACKET),
                    events=[(1, "", f"topology loss {every}")] * bool(every), at_right=bool(every))


def place(run):
    """Behind all losses."""
    return "arrived" if run.scenario.at_right else "passed"


def events(run):
    """Loss events of a packet."""
    return metrics.loss_event_rate(run.scenario.topology["rtt"] / 1e3, "media", place(run))(run)


METRICS = {
    "kbit/s": metrics.rate("media", "sent"), "a TCP": metrics.rate("tcp", "sent"),
    "share": metrics.share("media", "tcp", "sent"),
    "p, %": lambda run: 100 * metrics.trace("p")(run.first()),
    "loss events, %": lambda run: 100 * events(run),
    "loss events/min": lambda run: 60 / run.seconds * events(run) * len(
        run.rows("media", "sent")) / len(run.flows("media")),
    "lost, %": lambda run: metrics.loss("media", place(run))(run),
    "CoV, 1 s": metrics.cov("media", 1), "CoV of X": metrics.trace("x", "cov"),
    "delay, ms": metrics.delay("media")}

EXPERIMENT = Experiment(
    title="Plain TFRC here and in ns-2",
    source="no paper",
    cases=[{"setting": s, "flow": f} for s in SETTINGS
           for f in ("ns2", "tfrc", "ccid3", "ns2-marc", "tfrc-marc")],
    full=[{"setting": s, "flow": f} for f, some in SWITCHES.items() for s in some],
    seeds=(1, 2, 3), scenario=scenario, window=(START, END), metrics=METRICS, group="by hand",
    tables=[Table(f"{s}: {v[1]} ms, a queue of {v[2]} packets", where={"setting": s})
            for s, v in SETTINGS.items()] +
    [Table(f"Ratios to ns-2, with 95 % intervals: {flows.label(ours)}",
           [m for m in METRICS if m not in ("CoV of X", "loss events/min")], {"flow": ours},
           {"flow": theirs}, ratio=True) for ours, theirs in PAIRS.items()])
