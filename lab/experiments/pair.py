# SPDX-License-Identifier: GPL-2.0-only
"""CTFAF's packet pairs: how well they find the bottleneck.

One flow for 20 s, round-trip time 40 ms, packets of 1000 bytes of payload. The sender's access
link is twice as fast as the bottleneck, and cross traffic enters behind it, so that it can
come between the two packets of a pair: UDP packets of 1000 bytes (from 100 Mbit/s on,
1500), Poisson, half of the bottleneck's rate. R_b is what the receiver reports (median
of its last 31 estimates), in payload. Error: of R_b after 20 s; largest: from the sixth
second with an estimate on. Up to 10 Mbit/s CCID 3 and TFRC are there in CTFAF's place.
"""

import math

from labkit import Experiment, Flow, Scenario, Table, matrix, metrics
from labkit.experiment import HEADERS

RATES = {"256kbit": 256e3, "1mbit": 1e6, "2mbit": 2e6, "10mbit": 10e6, "50mbit": 50e6,
         "100mbit": 100e6, "1gbit": 1e9}
SIZE = 1000


def scenario(_rng, rate, load, flow, **_):
    """One run."""
    link = RATES[rate]
    size = 1500 if link >= 1e8 else 1000
    return Scenario({"rate": rate, "rtt": 40, "queue": 100},
                    [Flow(flow, options=["--qlen", 20] if flow == "ctfaf" else [])],
                    [f"--poisson {link / 16} --packet {size}"] if load == "cross" else [],
                    seconds=20, traffic_from="r1", trace_interval=1,
                    setup=[("left", "tc qdisc add dev r1 root netem limit 1000 rate "
                            f"{2 * link:.0f}bit -14")])


def errors(run):
    """Of R_b, %, line by line of the trace."""
    right = RATES[run.scenario.topology["rate"]] * SIZE / (SIZE + HEADERS)
    found = run.traces[0]["bottleneck"].dropna()
    return [100 * (b / right - 1) for b in found if b] or [math.nan]


def plot(figure, results):
    """Error by the rate of the link."""
    axes = figure.subplots()
    for load, marker in ("quiet", "o"), ("cross", "s"):
        cases = results.cases(load=load, flow="ctfaf")
        axes.plot([c["rate"] for c in cases],
                  [results.estimate("error, %", **c).mean for c in cases], marker, label=load)
    axes.axhline(0, color="#333333", linewidth=0.7)
    axes.set_ylabel("error of R_b after 20 s, %")
    axes.legend()


EXPERIMENT = Experiment(
    title="What CTFAF's packet pairs find, 40 ms, beside cross traffic and without",
    source="CTFAF, eq. 8",
    cases=[c for c in matrix(rate=RATES, load=("quiet", "cross"), flow=("ctfaf", "ccid3", "tfrc"))
           if c["flow"] == "ctfaf" or RATES[c["rate"]] <= 10e6],
    scenario=scenario,
    window=(10, 20),
    metrics={"R_b, kbit/s": metrics.trace("bottleneck", "last", 1e-3),
             "error, %": lambda run: errors(run)[-1],
             "largest, %": lambda run: max(errors(run)[5:], key=abs, default=math.nan),
             "received, kbit/s": metrics.rate("media", column="payload")},
    tables=[Table("CTFAF", where={"flow": "ctfaf"}),
            *(Table(name, ["received, kbit/s"], {"flow": flow}) for flow, name in (
                ("ccid3", "CCID 3 in its place"), ("tfrc", "TFRC in its place")))],
    plot=plot, figure_size=(6, 3.2))
