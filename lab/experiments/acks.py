# SPDX-License-Identifier: GPL-2.0-only
"""The way back: acknowledgments for each data packet, and their bytes, of all schemes.

400 kbit/s in packets of 1000 bytes of payload on 1 Mbit/s, 70 ms, without other flows.
"""

from labkit import Experiment, Flow, Scenario, metrics

CASES = [("dvrc", ""), ("raar", ""), ("marc", ""), ("ltfrc", ""),
         ("ctfaf", ""), ("ctfaf", "interval=0.1"), ("tfrc", ""), ("ccid3", "")]


def scenario(_rng, flow, **more):
    """One run."""
    parameters = dict([more["with"].split("=")]) if more["with"] else {}
    if flow == "ctfaf":
        parameters["r_start"] = "400K"
    return Scenario({"rate": "1mbit", "rtt": 70, "queue": 9},
                    [Flow(flow, parameters=parameters, options=["-b", "400K"])], seconds=65)


EXPERIMENT = Experiment(
    title="Packets that go back for 400 kbit/s of data, 70 ms",
    source="no paper",
    cases=[{"flow": flow, "with": option} for flow, option in CASES],
    scenario=scenario, window=(5, 65),
    metrics={"data packets a second": lambda run: len(run.rows("media", "sent")) / run.seconds,
             "back for each": metrics.acks("media"),
             "bytes of each": lambda run: float(run.back["size"].mean()),
             "% of the data's bytes": metrics.acks("media", "size")})
