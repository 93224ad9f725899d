# SPDX-License-Identifier: GPL-2.0-only
"""One flow alone on a path, from its start: CCID 2, CCID 3, TFRC, MARC, TCP Reno.

Packets have 1000 bytes of payload (TCP's are of its MSS). What counts is payload that leaves
the bottleneck in 20 s, TCP's retransmissions not counted.
"""

from labkit import Experiment, Flow, Scenario, Table, matrix, metrics, report

# rate, RTT in ms, queue in packets
PATHS = {"10 Mbit/s, 100 ms": ("10mbit", 100, 100), "100 Mbit/s, 100 ms": ("100mbit", 100, 800),
         "1 Gbit/s, 50 ms": ("1gbit", 50, 4000)}
BUFFERS = "net.ipv4.tcp_rmem='4096 131072 67108864' net.ipv4.tcp_wmem='4096 131072 67108864'"


def scenario(_rng, path, flow, **_):
    """One run."""
    rate, rtt, queue = PATHS[path]
    return Scenario({"rate": rate, "rtt": rtt, "queue": queue},
                    media=[] if flow == "tcp" else [Flow(flow)],
                    traffic=["--mss 1000 --tcp 0:20"] if flow == "tcp" else [], seconds=20,
                    setup=[("", "sysctl -qw net.dccp.default.tx_qlen=1000"),
                           ("left", f"sysctl -qw {BUFFERS}"), ("right", f"sysctl -qw {BUFFERS}")])


def payload(run):
    """Mbit/s."""
    return (metrics.goodput("tcp")(run) + metrics.rate("media", column="payload")(run)) / 1e3


def plot(figure, results):
    """Bars, by path."""
    paths = [p for p in PATHS if results.cases(path=p)]
    for axes, path in zip(figure.subplots(1, len(paths), squeeze=False).flat, paths):
        cases = results.cases(path=path)
        report.bars(axes, results, "Mbit/s", cases)
        axes.set_yticks(range(len(cases)), [report.flows.label(c["flow"]) for c in cases])
        axes.set_title(path)


EXPERIMENT = Experiment(
    title="One flow alone, 20 s from its start",
    source="no paper",
    cases=matrix(path=list(PATHS)[:2], flow=("ccid2", "ccid3", "tfrc-norecovery",
                                                   "tfrc", "marc", "tcp")),
    full=matrix(path=PATHS, flow=("ccid2", "ccid3", "tfrc", "marc", "tcp")),
    scenario=scenario,
    window=(0, 20),
    metrics={"Mbit/s": payload, "lost, %": metrics.loss(), "delay, ms": lambda run: metrics.mean(
        [metrics.delay("media")(run), metrics.delay("tcp")(run)])},
    tables=[Table(path, where={"path": path}) for path in PATHS],
    plot=plot, figure_size=(9, 2.6), limit=3000)
