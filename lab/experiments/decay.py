# SPDX-License-Identifier: GPL-2.0-only
"""MARC's figure 9: how many reports the tokens last when the loss rate rises, beside eq. 10.

One packet of 1000 is lost until the tokens have settled, and the source uses 0.15 of what the
equation allows then; after 100 s one of 10. The tokens are used up when less is left than
the source sends in the time between two reports. n = 2, the least that there is (the
paper: 1); 100 Mbit/s, 100 ms. Reports are counted on the wire, tokens are what the socket says. The
seed says when the flow starts, and so where between two losses the change comes.
"""

import math

from labkit import Experiment, Flow, Scenario, matrix, metrics, report

BETAS = 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95
KINDS = "marc-paper", "marc"
STEP, END, SIZE, RTT, P = 100, 160, 1000, 0.1, 1e-3
X = SIZE / RTT / (math.sqrt(2 * P / 3) + 12 * math.sqrt(3 * P / 8) * P * (1 + 32 * P * P))


def scenario(rng, beta, flow, **_):
    """One run."""
    flow = Flow(flow, round(rng.random() * SIZE / P / (0.15 * X), 3),
                options=["-b", int(0.15 * X * 8)], parameters={"beta": beta, "loss_history": 2})
    return Scenario({"rate": "100mbit", "rtt": 1000 * RTT, "queue": 1000}, [flow], seconds=END,
                    setup=[("", "topology loss 1000")], events=[(STEP, "", "topology loss 10")],
                    trace_interval=0.01)


def before(run):
    """Bytes/s sent, bytes/s that the equation allows, s between two reports."""
    window = run.within((STEP - 20, STEP))
    reports = len(window.back[(window.back["sent"] >= STEP - 20) & (window.back["sent"] < STEP)])
    return (metrics.rate("media", "sent", "payload")(window) * 125,
            metrics.trace("x_calc", "last", 1 / 8)(window), 20 / reports)


def reports(run):
    """Until the tokens are used up; NaN if they never are."""
    sent, _, interval = before(run)
    trace = run.traces[0]
    used = trace[(trace["time"] > STEP) & (trace["tokens"] < sent * interval)]["time"].min()
    count = int(((run.back["sent"] > STEP) & (run.back["sent"] <= used)).sum())
    return math.nan if math.isnan(used) else count


def eq_10(beta, a):
    """As a real number: (1/a - 1) beta^M / (1 - beta) = 1."""
    return max(0.0, math.log((1 - beta) / (1 / a - 1)) / math.log(beta))


def plot(figure, results):
    """Eq. 10 and what was counted."""
    axes, betas = figure.subplots(), [b / 1000 for b in range(400, 966, 5)]
    axes.plot(betas, [eq_10(b, 0.15) for b in betas], color="#333333", label="the paper's eq. 10")
    report.against(axes, results, "reports", "beta", [{"flow": f} for f in KINDS], paper=False)
    axes.set(xlabel="beta", ylabel="reports until the tokens are used up", ylim=(0, None))
    axes.legend()


EXPERIMENT = Experiment(
    title="How long MARC's tokens last",
    source="MARC, figure 9",
    cases=matrix(beta=BETAS, flow=KINDS), seeds=(1, 2, 3),
    scenario=scenario,
    window=(STEP, END),
    metrics={"reports": reports, "a": lambda run: before(run)[0] / before(run)[1],
             "report interval, ms": lambda run: 1000 * before(run)[2],
             "tokens at the step, KB": lambda run: metrics.trace("tokens", "last", 1e-3)(
                 run.within((STEP - 1, STEP)))},
    published=[({"beta": b, "flow": "marc-paper"}, {"reports": math.ceil(eq_10(b, 0.15))})
               for b in BETAS],
    plot=plot, figure_size=(5.4, 3.4))
