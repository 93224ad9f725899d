# SPDX-License-Identifier: GPL-2.0-only
"""MARC's figures 18 to 20: round trips until X is half, after a step of the loss rate.

As in the paper (section 5.3): 10 Mbit/s, 80 ms, one stream alone. One of so many packets is
lost, from the step on every second one; the bottleneck has RED. n is 8, or 128 for figure 19.
Figure 18 has streams of 20 to 80 KB/s and 1 % before the step; figure 20 has 20 KB/s and 1 to 25
%; figure 19 has 0.1 % and streams of 2 % to 2000 % of the fair share: 480 KB/s by eq. 1, where the
paper has 547 (10 Mbit/s end at 260 %). The tokens last until there are none for the first time; 250
round trips are the end of the run.

What the paper leaves open: the loss after the step in figures 19 and 20 (here 50 %, too), n in
figure 20 (here 8). Losses are periodic, and the step comes after 20 of them, at 50 s or later; the
seed says where between two losses. X before it is the median of a second.
"""

from labkit import Experiment, Flow, Scenario, Table, matrix, metrics, report
from labkit.experiment import HEADERS

PACKET, RTT, SHARE, FLOWS = 1000, 0.08, 480, ("tfrc-marc", "marc-paper", "marc")    # SHARE: KB/s
RATES = [round(SHARE * use) for use in (0.02, 0.1, 0.3, 0.5, 0.8, 1, 2, 10, 20)]


def scenario(rng, before, rate, n, flow, **_):
    """One run; the handshake comes first."""
    payload, period = PACKET - HEADERS, before / min(rate, SHARE)
    step = max(50, round(20 * period)) + round(rng.random() * period, 3)
    return Scenario({"rate": "10mbit", "rtt": 1000 * RTT, "queue": 182, "red": True,
                     "mtu": PACKET + 100},
                    [Flow(flow, parameters={"loss_history": n}, options=[
                        "-b", rate * payload * 8, "-l", payload, "--qlen", 20])], seconds=step + 20,
                    events=[(1, "", f"topology loss {before}"), (step, "", "topology loss 2")],
                    trace_interval=0.02)


def around(run):
    """The step, X before it, and the trace after it."""
    step, rows = run.scenario.events[-1][0], run.traces[0].dropna(subset=["x"])
    return step, rows.query("@step - 1 <= time < @step")["x"].median(), rows.query("time >= @step")


def until(run, column, value):
    """Round trips from the step until a column is no more than a value, at most to the end."""
    step, _, after = around(run)
    return (min([*after[after[column] <= value]["time"], run.scenario.seconds]) - step) / RTT


def plot(figure, results):
    """X after the step (figure 18), and round trips until it is half (figures 19 and 20)."""
    panels = figure.subplots(1, 3)
    report.over_time(panels[0], results, "X", results.cases(before=100, rate=20, n=8),
                     step=5 * 0.02 / RTT)
    panels[0].set(title="1 %, 20 KB/s", xlabel="round trips", ylabel="X, KB/s", ylim=(0, None),
                  xlim=(0, 60))
    for axes, what, where, x, one in (
            (panels[1], "use of the share; 0.1 %, n = 128", {"before": 1000}, "rate", SHARE),
            (panels[2], "one of so many lost; 20 KB/s", {"rate": 20, "n": 8}, "before", 1)):
        for flow in dict.fromkeys(c["flow"] for c in results.cases(**where)):
            points = sorted((c[x] / one, results.estimate("round trips", **c).mean)
                            for c in results.cases(**where, flow=flow))
            axes.semilogx(*zip(*points), "o-", markersize=3, color=report.flows.color(flow),
                          label=report.flows.label(flow))
        axes.set(xlabel=what, ylabel="round trips to half of X", ylim=(0, None))
    panels[1].legend()


EXPERIMENT = Experiment(
    title="Round trips until X is half, after a step of the loss rate, 80 ms",
    source="MARC, figures 18 to 20",
    cases=matrix(before=(100,), rate=(20, 40, 60, 80), n=(8,), flow=FLOWS) +
    matrix(before=(50, 25, 20, 10, 5, 4), rate=(20,), n=(8,), flow=FLOWS[:2]) +
    matrix(before=(25, 4), rate=(20,), n=(8,), flow=("marc",)) +
    matrix(before=(1000,), rate=RATES, n=(128,), flow=(*FLOWS[:2], "tfrc-norecovery")) +
    matrix(before=(1000,), rate=(48, 240, 960), n=(128,), flow=("marc",)),
    seeds=(1, 2, 3), scenario=scenario, window=(0, 10000), group="by hand",
    metrics={"round trips": lambda run: until(run, "x", around(run)[1] / 2),
             "tokens last": lambda run: until(run, "tokens", 0),
             "X before, KB/s": lambda run: around(run)[1] / 8e3 * PACKET / (PACKET - HEADERS),
             "share of X used": lambda run: metrics.rate("media", "sent", "payload")(
                 run.within((around(run)[0] - 20, around(run)[0]))) * 1e3 / around(run)[1]},
    series={"X": lambda run: [v / 8e3 * PACKET / (PACKET - HEADERS) for v in
                              around(run)[2]["x"].to_numpy(float)[:500:5]]},
    tables=[Table("One of 100 lost before the step", where={"before": 100, "n": 8}),
            Table("A stream of 20 KB/s", where={"rate": 20, "n": 8}),
            Table("One of 1000 lost before the step, n = 128", where={"before": 1000})],
    plot=plot, figure_size=(10, 3.2))
