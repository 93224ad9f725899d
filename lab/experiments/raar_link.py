# SPDX-License-Identifier: GPL-2.0-only
"""RAAR on a link that falls and rises again, with per_rtt and fast_down and without.

One greedy flow on 2.5 Mbit/s, 100 ms, with a drop-tail queue of 300 ms. At 40 s the link falls to
0.65 Mbit/s, and at 80 s it is 2.5 Mbit/s again. down: seconds until X stays below the link's rate
of 0.65 Mbit/s for 1 s; up: seconds until X is 90 % of 2.5 Mbit/s. There is no target for the
delay of the queue, which would be in the place of the options.
"""

import numpy as np

from labkit import Experiment, Flow, Scenario, Table, metrics

FALL, RISE, END, FAST, SLOW = 40, 80, 180, 2.5e6, 0.65e6
SETS = ("", "per_rtt=1", "fast_down=1", "per_rtt=1,fast_down=1", "delta=0.7")


def shaped(rate):
    """The command that changes the link; a queue of 300 ms."""
    return (f"tc qdisc change dev r2 root netem limit {max(10, round(0.3 * rate / 8 / 1000))} "
            f"rate {rate:.0f} -14")


def scenario(_rng, flow, **more):
    """One run."""
    parameters = dict(p.split("=") for p in f"target_delay=0,{more['with']}".split(",") if p)
    return Scenario({"rate": "2500kbit", "rtt": 100, "queue": 94},
                    [Flow(flow, parameters=parameters, options=["-l", 950, "--qlen", 20])],
                    seconds=END, events=[(FALL, "r1", shaped(SLOW)), (RISE, "r1", shaped(FAST))],
                    trace_interval=0.05)


def when(run, start, end, is_true):
    """Seconds until a condition on X holds for a second, NaN if it never does."""
    trace = run.traces[0].dropna(subset=["x"])
    trace = trace[(trace["time"] >= start) & (trace["time"] < end)]
    for time in trace.loc[trace["time"] + 1 <= end, "time"]:
        x = trace[(trace["time"] >= time) & (trace["time"] < time + 1)]["x"].to_numpy(float)
        if np.all(is_true(x)):
            return float(time - start)
    return float("nan")


EXPERIMENT = Experiment(
    title="RAAR on a link that falls to a quarter and rises again",
    source="RAAR, no figure",
    cases=[{"flow": "raar", "with": values} for values in SETS],
    scenario=scenario, window=(FALL, RISE),
    metrics={"down, s": lambda run: when(run, FALL, RISE, lambda x: x < SLOW),
             "up, s": lambda run: when(run, RISE, END, lambda x: x > 0.9 * FAST),
             "lost, %": metrics.loss("media"),
             "delay, ms": metrics.delay("media"), "95 %": metrics.delay("media", 0.95),
             "used": metrics.used(SLOW)},
    tables=[Table("Down at 40 s, up at 80 s; loss, delay and use from 40 to 80 s")])
