# SPDX-License-Identifier: GPL-2.0-only
"""MARC's figure 6: what TFRC loses to a transient CBR flow.

As in the paper (section 3.5): TFRC alone on 1.5 Mbit/s, 140 ms, RED, n = 128; a UDP flow of a
constant rate, up to 1.5 Mbit/s, comes at 400 s of 600 s, for 1 to 30 s. What TFRC loses is what it
sends less from then on than in as long before. TFRC has the paper's self-clocking; it runs in
ns-2, too (labkit/ns2.py), there with RED's waiting time and without. Network as in crowd.py.
"""

from labkit import Experiment, Flow, Scenario, experiment, matrix, report
from labkit.experiment import HEADERS

CROWD = experiment.load("crowd")
PACKET, WHEN, END = 1000, 400, 600
KINDS = "tfrc-marc", "ns2-marc", "ns2-marc-linux-red"


def scenario(rng, seed, flow, mbit, length):
    """One run."""
    spec = CROWD.scenario(rng, seed, flow, 128)
    stream = Flow(flow, parameters={"loss_history": 128},
                  options=["-l", PACKET - HEADERS, "--qlen", 20])
    return Scenario(spec.topology, [stream], [f"--seed {seed} --duration {END} --cbr "
                    f"{WHEN + rng.random():.3f}:{length}:{mbit * 125e3:.0f}"], END, spec.setup,
                    trace_interval=1)


def sent(name):
    """KB of a class from when the flow comes to the end."""
    return lambda run: float(run.rows(name, "sent")["size"].sum()) / 1e3


def lost(run):
    """KB less than in as long before the flow comes."""
    return sent("media")(run.within((2 * WHEN - END, WHEN))) - sent("media")(run)


def plot(figure, results):
    """What TFRC loses, by what a flow of 1 Mbit/s sends."""
    axes = figure.subplots()
    for flow in dict.fromkeys(c["flow"] for c in results.cases(mbit=1.0)):
        points = [[results.estimate(m, **c).mean for m in ("CBR sent, KB", "TFRC lost, KB")]
                  for c in results.cases(mbit=1.0, flow=flow)]
        axes.plot(*zip((0, 0), *points), "o-", color=report.flows.color(flow),
                  label=report.flows.label(flow))
    axes.plot([0, points[-1][0]], [0, points[-1][0]], "--", color=report.INK, linewidth=0.8,
              label="as much as the CBR flow sends")
    axes.set(xlabel="sent by the CBR flow (KB)", ylabel="lost by TFRC (KB)", ylim=(0, None))
    axes.legend()


EXPERIMENT = Experiment(
    title="TFRC while a CBR flow is there, from 400 s to 600 s, 1.5 Mbit/s, 140 ms",
    source="MARC, figure 6",
    cases=matrix(mbit=(1.0,), length=(5, 20, 30), flow=KINDS),
    full=matrix(mbit=(0.25, 0.5, 1.0, 1.5), length=(1, 5, 10, 20, 30), flow=KINDS),
    seeds=range(1, 11), scenario=scenario, window=(WHEN, END), group="by hand",
    metrics={"CBR sent, KB": sent("udp"), "TFRC lost, KB": lost,
             "lost over sent": lambda run: lost(run) / sent("udp")(run)}, plot=plot)
