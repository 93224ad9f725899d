# SPDX-License-Identifier: GPL-2.0-only
"""DVRC's figures 12 to 14: videos, TCP in both directions, bursts of UDP, 10 Mbit/s, 70 ms.

As in the paper: 5 TCP forward, 10 back, 10 UDP sources of Pareto distributed times, with peak rates
of 64 to 256 kbit/s and packets of 250 bytes; queues of one product of bandwidth and delay in both
directions, in bytes. Videos, TCP, link errors, what counts, and what is other than in the paper, as
in dvrc_many. RTCP over UDP has DVRC's layers. What the paper leaves open: UDP is 1 s on and 1 s
off; by RTCP's reports a source takes a layer less from 5 % of loss on, and one more below 1 % ("3
%": below that); they come each 5 s, and at a loss, but not within 1 s of the one before.
"""

from labkit import Experiment, Scenario, experiment, layered, matrix, metrics, networks

MANY, RTT, END = experiment.load("dvrc_many"), layered.RTT, layered.END


def scenario(rng, seed, flow, count, **more):
    """One run: the sources of the others are drawn first."""
    forward, back = layered.tcp(rng, 5), layered.tcp(rng, 10)
    limit = f"--rtcp-more {float(more['more'].split()[0]) / 100}" if "more" in more else ""
    flows, videos = layered.videos(rng, seed, flow, count, options=limit)
    udp = [f"--seed {seed}.{i} --udp 1 --packet 250 --rate {8000 + 24000 * i / 9:.0f} --on 1 "
           f"--off 1 --shape 1.5" for i in range(10)]
    return Scenario(
        {"rate": layered.LINK, "rtt": RTT}, flows, [forward, *udp, *videos], END,
        layered.network(back=True) + networks.own_way(RTT),
        [(0, "left", "sh -c 'traffic sink >/dev/null 2>&1 &'"),
         (0.1, "right", f"sh -c 'traffic send 10.0.1.1 --count-as nothing --duration {END} {back} "
          ">/dev/null 2>&1 &'"), *layered.errors()],
        trace_interval=1, at_right=True)


MEDIA = "dvrc-paper", "dvrc", "tfrc", "westwood", "rtcp"
EXPERIMENT = Experiment(
    title="Videos beside TCP in both directions and UDP bursts on 10 Mbit/s, 70 ms",
    source="DVRC, figures 12 to 14",
    cases=matrix(count=(10, 50), flow=("dvrc-paper", "tfrc", "westwood", "rtcp")) +
    matrix(count=(50,), flow=("dvrc",)) + matrix(count=(10, 50), flow=("rtcp",), more=("3 %",)),
    full=matrix(count=(1, 10, 30, 50), flow=MEDIA),
    seeds=(1, 2, 3), scenario=scenario, window=(layered.START, END), group="by hand",
    metrics={name: MANY.metrics[name] for name in (
        "all media, Mbit/s", "delivery index", "lost, %", "late, %", "fairness", "worst case")} |
    {"TCP, Mbit/s": lambda run: metrics.total("tcp")(run) / 1e3})
