# SPDX-License-Identifier: GPL-2.0-only
"""CTFAF's tables 3 and 4, figures 5 and 7: by delay and number of flows; LDA+ alone.

As in the paper: the network of ctfaf.py with other propagation delays, numbers of flows and queues.
CTFAF has S of 2 kbit/s and delta of 4 kbit/s; LDA+ is CTFAF without constraints, with packets of
1000 bytes. In table 3 the queue is 0.1 s. T_reset, which the paper leaves open there, is 60 s.

What the paper leaves open is changed in some rows: whether a rate that is below r_TCP goes to it
at once, not by steps of A; how much RED drops at most at its upper threshold; TCP's least timeout;
its window.
"""

from labkit import Experiment, Flow, Scenario, Table, experiment, matrix, networks
from labkit.experiment import HEADERS, spread

CTFAF = experiment.load("ctfaf")
END, TAUS = 600, (0.1, 0.2, 0.4, 0.6, 1.0)
SCHEMES = {"CTFAF": (1250, {"step": "2K", "delta": "4K", "r_min": "40K", "r_start": "40K"}),
           "LDA+": (1000, {"r_start": "40K"})}
AT_ONCE, RED, TIMER = "to r_TCP at once", "RED up to 0.02", "least timeout 1 s"
WINDOW = "windows of 16 KB"
SETUP = {TIMER: [("left", "ip route change default via 10.0.1.2 advmss 960 initcwnd 2 rto_min 1s")],
         WINDOW: [("right", "sysctl -qw net.ipv4.tcp_rmem='4096 32768 32768'")]}


def scenario(rng, seed, flow, scheme, count, tau, queue, change=""):
    """One run: TCP's random numbers are drawn first."""
    tcp, media = spread(rng, count, 5, 15), spread(rng, count, 0, 5)
    packet, own = SCHEMES[scheme]
    if change == AT_ONCE:
        own = {**own, "climb": 0}
    room = queue * 10e6 / 8
    return Scenario({"rate": "10mbit", "rtt": 1000 * tau, "mtu": packet + 100},
                    [Flow(flow, t, parameters=own, options=["-l", packet - HEADERS, "--qlen", 20])
                     for t in media],
                    [" ".join(f"--tcp {t:.3f}:{END}" for t in tcp) + f" --seed {seed} --web 27 "
                     f"--web-at 15 --web-bytes {packet - 40}"], END,
                    networks.red("10mbit", room, .3 * room, .8 * room, packet,
                                 0.02 if change == RED else 0.1) +
                    networks.tcp(packet) + SETUP.get(change, []), trace_interval=1)


def plot(figure, results):
    """The smoothest and the roughest flow, of CTFAF and of LDA+, at the same delay."""
    for axes, scheme in zip(figure.subplots(2, sharex=True, sharey=True), SCHEMES):
        for name in "roughest", "smoothest":
            if cases := results.cases(scheme=scheme, tau=0.4, queue=0.1, count=27):
                values = results.runs(**cases[0])[0]["series"][name]
                axes.plot(range(200, 200 + len(values)), values, linewidth=0.8, label=name)
        axes.set(title=scheme, ylabel="kbit/s")
    axes.set_xlabel("time (s)")
    axes.legend(ncol=2)


EXPERIMENT = Experiment(
    title="CTFAF and LDA+ beside TCP and the web on 10 Mbit/s, by delay and number of flows",
    source="CTFAF, tables 3 and 4, figures 5 and 7",
    cases=matrix(scheme=("CTFAF",), count=(27,), tau=TAUS, queue=(0.1,),
                 flow=("ctfaf-paper", "ctfaf")) +
    matrix(scheme=("LDA+",), count=(27,), tau=TAUS[:3], queue=(0.1, 0.5), flow=("ctfaf-paper",)) +
    [{"scheme": "LDA+", "count": 27, "tau": t, "queue": q, "flow": "ctfaf-paper", "change": c}
     for t, q in ((0.1, 0.1), (0.4, 0.1), (0.1, 0.5)) for c in (AT_ONCE, RED)] +
    [{"scheme": "LDA+", "count": 27, "tau": 0.1, "queue": 0.1, "flow": "ctfaf-paper",
      "change": TIMER}] +
    matrix(scheme=("CTFAF",), count=(27,), tau=TAUS[3:], queue=(0.1,), flow=("ctfaf-paper",),
           change=(WINDOW,)),
    full=matrix(scheme=("CTFAF",), count=(54, 81), tau=TAUS, queue=(0.1,), flow=("ctfaf-paper",)),
    seeds=(1, 2, 3), scenario=scenario, window=(200, END), metrics=CTFAF.metrics,
    series=CTFAF.series,
    group="by hand", limit=9000,
    tables=[Table("CTFAF", where={"scheme": "CTFAF"}), Table("LDA+", where={"scheme": "LDA+"})],
    plot=plot, figure_size=(7, 4))
