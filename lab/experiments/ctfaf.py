# SPDX-License-Identifier: GPL-2.0-only
"""CTFAF's tables 1 and 2: rate, deviation and fairness beside TCP and the web.

As in the paper (section 5): 27 CTFAF, 27 TCP and 27 web sources share 10 Mbit/s with a
round-trip propagation delay of 0.4 s and a queue of 0.1 s. RED drops from 0.3 of the queue
on, and everything from 0.8 of it on. Packets have 10 kbit, IP header included. CTFAF: the
paper preset (T 5 s, T_init 60 s), r_min 40 kbit/s; S is 2 kbit/s for delta 4 kbit/s and 20
kbit/s otherwise; "no limits" has no S, and r_min of 8 kbit/s. A web source sends flows of Pareto
distributed size (1.1, mean 20 packets), each on a connection of its own, and pauses (1.8, mean
0.5 s).

r, sigma: mean rate of a flow, and the deviation from it of its rates over 1 s as they leave
the bottleneck. F: r over the mean rate of a TCP. u: share of the link that these 54 flows
use. What the paper leaves open: RED's probability goes up to 0.1 and its weight is 1/512;
TCP is Reno with SACK, begins with two segments and acknowledges each one (D is 1 in LDA+,
too); media flows start within five seconds, TCP in the next ten, the web after that.
"""

from labkit import Experiment, Flow, Scenario, Table, metrics, networks
from labkit.experiment import HEADERS, spread

FLOWS, LINK, ROOM, PACKET, END = 27, 10e6, 125000, 1250, 600
NONE, FINE = {"step": "20K"}, {"step": "2K", "delta": "4K"}
RUNS = {"delta none": NONE, "delta 40": {"step": "20K", "delta": "40K"},
        "delta 20": {"step": "20K", "delta": "20K"}, "delta 4": FINE,
        **{f"delta 4, T_reset {t} s": {**FINE, "t_reset": t} for t in (30, 120, 300)},
        "no trains, delta 4": {**FINE, "probes": 0},
        "to r_TCP at once": {"r_min": "8K", "climb": 0},
        "default preset": {"preset": "default"},
        "default preset, delta 4": {**FINE, "preset": "default"}, "no limits": {"r_min": "8K"}}
DEFAULT = [run for run in RUNS if run not in ("to r_TCP at once", "default preset")]
PAPER = dict(zip(("no limits", *list(RUNS)[1:]), (
    (134, 44, 0.8, 0.81), (137, 45, 0.84, 0.80), (132, 37, 0.80, 0.79), (140, 29, 0.85, 0.81),
    (137, 30, 0.81, 0.82), (134, 26, 0.83, 0.81), (142, 25, 0.86, 0.83))))


def scenario(rng, seed, flow, run):
    """One run: TCP's random numbers are drawn first, then those of the media."""
    tcp, media = spread(rng, FLOWS, 5, 15), spread(rng, FLOWS, 0, 5)
    own = {"r_min": "40K", "r_start": "40K", **RUNS[run]} if run else {}
    return Scenario({"rate": "10mbit", "rtt": 400, "mtu": PACKET + 100},
                    [Flow(flow, start, parameters=own, options=["-l", PACKET - HEADERS,
                                                                "--qlen", 20]) for start in media],
                    [" ".join(f"--tcp {t:.3f}:{END}" for t in tcp) + f" --seed {seed} --web "
                     f"{FLOWS} --web-at 15 --web-bytes {PACKET - 40}"], END,
                    networks.red("10mbit", ROOM, .3 * ROOM, .8 * ROOM, PACKET)
                    + networks.tcp(PACKET), trace_interval=1)


def plot(figure, results):
    """These two flows, for some runs."""
    cases = [c for c in results.cases() if c["run"] in ("delta none", "delta 4")] + \
        results.cases(flow="tfrc")
    for axes, case in zip(figure.subplots(len(cases), sharex=True, sharey=True, squeeze=False).flat,
                          cases):
        for name in "roughest", "smoothest":
            values = results.runs(**case)[0]["series"][name]
            axes.plot(range(200, 200 + len(values)), values, linewidth=0.8, label=name)
        axes.set(title=case["run"] or case["flow"].upper(), ylabel="kbit/s")
    axes.legend(ncol=2)


EXPERIMENT = Experiment(
    title="27 CTFAF, 27 TCP and 27 web sources on 10 Mbit/s, 400 ms, RED",
    source="CTFAF, tables 1 and 2, figures 3 and 4",
    cases=[{"flow": "ctfaf-paper", "run": r} for r in DEFAULT] + [{"flow": "tfrc", "run": ""}],
    full=[{"flow": "ctfaf-paper", "run": r} for r in RUNS] + [{"flow": "ccid3", "run": ""}],
    seeds=(1, 2, 3), scenario=scenario, window=(200, END),
    metrics={"r": metrics.rate("media"), "sigma": metrics.deviation("media", 1),
             "F": metrics.share("media", "tcp"), "u": metrics.used(LINK, "media", "tcp"),
             "least sigma": lambda run: metrics.steadiest("media", 1)(run)[0].std(),
             "greatest sigma": lambda run: metrics.steadiest("media", 1)(run)[-1].std(),
             "all": metrics.used(LINK), "spread of r": metrics.spread("media"),
             "sigma of X": metrics.trace("x", "std", 1e-3),
             "l, %": metrics.trace("loss", "mean", 100), "dropped, %": metrics.loss(),
             "RTT, ms": metrics.trace("rtt_ms")},
    series={"smoothest": lambda run: metrics.steadiest("media", 1)(run)[0].tolist(),
            "roughest": lambda run: metrics.steadiest("media", 1)(run)[-1].tolist()},
    published=[({"run": run}, dict(zip(("r", "sigma", "F", "u"), row)))
               for run, row in PAPER.items()],
    tables=[Table("Rates in kbit/s of IP packets")], plot=plot, figure_size=(7, 5), limit=3000)
