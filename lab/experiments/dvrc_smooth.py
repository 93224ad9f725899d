# SPDX-License-Identifier: GPL-2.0-only
"""DVRC's figures 6 and 7: one flow and two TCP flows on 1 Mbit/s, 70 ms.

The queue has room for one product of bandwidth and delay, in bytes. TCP is NewReno without SACK,
with windows of 64 KB; samples are of 150 ms. A video has five layers (80K to 400K), its packets up
to 1000 bytes, with TFRC one of 400K; "c_k 400 kbit/s" are packets of 1000 bytes at the rate of the
fifth layer or below, without frames; "no layers" is a greedy flow. From 2 s to 60 s. qlen is the
length of the transmit queue, by default 5: packets wait there, too. TFRC without frames runs in
ns-2, too (labkit/ns2.py).
"""

from labkit import Experiment, Flow, Scenario, layered, metrics, networks, report

LAYERS, BIN, START, END = "80K,160K,240K,320K,400K", 0.15, layered.START, layered.END
SOURCES = {"c_k 400 kbit/s": ["--layers", LAYERS, "-b", 0], "video": ["--layers", LAYERS],
           "no layers": []}
OF_TFRC = {"c_k 400 kbit/s": ["-b", 400000], "video": ["--layers", "400K"], "no layers": []}


def scenario(rng, seed, flow, source="no layers", qlen=None, **more):
    """One run."""
    options = [*(SOURCES if flow.startswith("dvrc") else OF_TFRC)[source], "-O", START, "--gap", 75]
    options += ["--qlen", qlen] * bool(qlen) + ["--seed", seed] * (source == "video")
    return Scenario({"rate": "1mbit", "rtt": 70},
                    [Flow(flow, parameters=layered.own(more), options=options)],
                    [layered.tcp(rng, 2)], END, networks.tcp_of_ns2() +
                    networks.drop_tail("1mbit", 70 * 125, 1000), trace_interval=BIN)


def plot(figure, results):
    """What is sent, of the first seed."""
    axes = figure.subplots()
    for case in results.cases(flow="dvrc", source="c_k 400 kbit/s") + results.cases(flow="tfrc"):
        values = results.runs(**case)[0]["series"]["sent"]
        axes.plot([START + BIN * i for i in range(len(values))], values, linewidth=0.8,
                  color=report.flows.color(case["flow"]), label=report.experiment.case_label(case))
    axes.set(xlabel="time (s), samples of 150 ms", ylabel="sent, kbit/s", ylim=(0, None))
    axes.legend()


EXPERIMENT = Experiment(
    title="One flow and two TCP on 1 Mbit/s, 70 ms",
    source="DVRC, figures 6 and 7",
    cases=[{"flow": flow, "source": source} for source in ("c_k 400 kbit/s", "video")
           for flow in ("dvrc-paper", "dvrc", "tfrc")] + [{"flow": "tfrc"}, {"flow": "ns2"}] +
    [{"flow": "ns2", "source": "c_k 400 kbit/s"}] +
    [{"flow": "dvrc", "source": source, "with": what} for source in ("c_k 400 kbit/s", "video")
     for what in ("weight_layers=0", "hold=0")],
    full=[{"flow": flow, "source": "no layers"} for flow in ("dvrc-paper", "dvrc")] +
    [{"flow": "ccid3"}] +
    [{"flow": "dvrc-paper", "source": "c_k 400 kbit/s", "qlen": n} for n in (1, 2, 5, 20)],
    seeds=range(1, 7),
    scenario=scenario, window=(START, END),
    metrics={"CoV sent": metrics.cov("media", BIN),
             "CoV passed": metrics.cov("media", BIN, "passed"),
             "CoV of TCP": metrics.cov("tcp", BIN),
             "kbit/s": metrics.rate("media", column="payload"), "each TCP": metrics.goodput("tcp"),
             "jitter 95 %, ms": metrics.said("receiver", "variation_p95_ms"),
             "greatest jitter, ms": metrics.said("receiver", "variation_max_ms"),
             "gaps above 50 ms, %": metrics.gaps("media", 0.05, "passed"),
             "lost, %": metrics.loss("media"),
             "K changes": metrics.said("sender", "k_changes")},
    published=[({"flow": "dvrc-paper", "source": "c_k 400 kbit/s"}, {"CoV passed": 0.1854}),
               ({"flow": "tfrc", "source": "video"}, {"CoV passed": 0.2229})],
    series={"sent": metrics.rates("media", BIN)}, plot=plot)
