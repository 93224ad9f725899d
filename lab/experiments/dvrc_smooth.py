# SPDX-License-Identifier: GPL-2.0-only
"""DVRC's figures 6 and 7: one flow and two TCP flows on 1 Mbit/s, 70 ms, a queue of 9 packets.

As in the paper TCP is Reno without SACK and with windows of 64 KB; samples are of 150 ms. A
video has five layers (80K to 400K), its packets up to 1000 bytes; "c_k 400 kbit/s" are
packets of 1000 bytes at the rate of the fifth layer or below, without frames; "no
layers" is a greedy flow. TFRC sends all it can. From 5 s to 65 s, when all have started. qlen is
the length of the transmit queue, by default 5: packets wait there, too.
"""

from labkit import Experiment, Flow, Scenario, metrics, networks, report

LAYERS, MSS, BIN, END = "80K,160K,240K,320K,400K", 988, 0.15, 65
SOURCES = {"c_k 400 kbit/s": ["--layers", LAYERS, "-b", 0], "video": ["--layers", LAYERS],
           "no layers": []}


def scenario(rng, flow, source="no layers", qlen=None, **_):
    """One run."""
    queue = ["--qlen", qlen] if qlen else []
    tcp = [1 + rng.random(), 1 + rng.random()]
    return Scenario({"rate": "1mbit", "rtt": 70, "queue": 9},
                    [Flow(flow, options=[*SOURCES[source], *queue, "-O", 5, "--gap", 75])],
                    [f"--mss {MSS} " + " ".join(f"--tcp {t:.3f}:{END}" for t in tcp)], END,
                    networks.tcp_of_ns2(), trace_interval=BIN)


def plot(figure, results):
    """What is sent, of the first seed."""
    axes = figure.subplots()
    for case in results.cases(flow="dvrc", source="c_k 400 kbit/s") + results.cases(flow="tfrc"):
        values = results.runs(**case)[0]["series"]["sent"]
        axes.plot([5 + BIN * i for i in range(len(values))], values, linewidth=0.8,
                  color=report.flows.color(case["flow"]), label=report.experiment.case_label(case))
    axes.set(xlabel="time (s), samples of 150 ms", ylabel="sent, kbit/s", ylim=(0, None))
    axes.legend()


EXPERIMENT = Experiment(
    title="One flow and two TCP on 1 Mbit/s, 70 ms",
    source="DVRC, figures 6 and 7",
    cases=[{"flow": flow, "source": source} for source in ("c_k 400 kbit/s", "video")
           for flow in ("dvrc-paper", "dvrc")] + [{"flow": "tfrc"}],
    full=[{"flow": flow, "source": "no layers"} for flow in ("dvrc-paper", "dvrc")] +
    [{"flow": "ccid3"}] +
    [{"flow": "dvrc-paper", "source": "c_k 400 kbit/s", "qlen": n} for n in (1, 2, 5, 20)],
    seeds=range(1, 11),
    scenario=scenario, window=(5, END),
    metrics={"CoV sent": metrics.cov("media", BIN),
             "CoV passed": metrics.cov("media", BIN, "passed"),
             "CoV of TCP": metrics.cov("tcp", BIN),
             "kbit/s": metrics.rate("media", column="payload"), "each TCP": metrics.goodput("tcp"),
             "jitter 95 %, ms": metrics.said("receiver", "variation_p95_ms"),
             "lost, %": metrics.loss("media"),
             "K changes": metrics.said("sender", "k_changes")},
    published=[({"flow": "dvrc-paper", "source": "c_k 400 kbit/s"}, {"CoV passed": 0.1854}),
               ({"flow": "tfrc"}, {"CoV passed": 0.2229})],
    series={"sent": metrics.rates("media", BIN)}, plot=plot)
