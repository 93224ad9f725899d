# SPDX-License-Identifier: GPL-2.0-only
"""DVRC's figures 12 to 14: videos, TCP in both directions, bursts of UDP, 10 Mbit/s, 70 ms.

As in the paper: 5 TCP forward, 10 back, 10 UDP sources of Pareto distributed times with packets
of 250 bytes; TCP is Reno without SACK, with windows of 64 KB; queues of one product of bandwidth
and delay in both directions. DVRC and RTCP over UDP have five layers; TFRC and TCP Westwood+ (the
kernel's) send 500 kbit/s. What the paper leaves open: UDP sources send 64 kbit/s (five) and 256
kbit/s (five), 1 s on and 1 s off; by RTCP's reports a source takes a layer less from 5 % of loss
on, and one more below 1 %; they come each 5 s, and at a loss, but not within 1 s of the one before.
Errors of the last link, what counts, and the delivery index as in dvrc_many. Other than in the
paper, there is one bottleneck, and DVRC's packets are less than half as long.
"""

from labkit import Experiment, Flow, Scenario, experiment, matrix, metrics, networks

LAYERS, MSS, RTT, ROOM, RATE = "100K,200K,300K,400K,500K", 988, 70, 84, 500e3
START, END = 20, 50


def scenario(rng, seed, flow, count):
    """One run: the sources of the others are drawn first."""
    tcp = [1 + rng.random() for _i in range(5 + 10)]
    starts = [rng.random() for _i in range(count)]
    videos = {"westwood": f"--mss {MSS} --congestion westwood --count-as media --tcp-rate "
              f"{RATE / 8:.0f} " + " ".join(f"--tcp {s:.3f}:{END}" for s in starts),
              "rtcp": " ".join(f"--rtcp {s:.3f}:{END - s:.3f}" for s in starts)}
    options = ["-b", RATE] if flow == "tfrc" else ["--layers", LAYERS]
    back = " ".join(f"--tcp {t:.3f}:{END}" for t in tcp[5:])
    return Scenario(
        {"rate": "10mbit", "rtt": RTT, "queue": ROOM},
        [Flow(flow, s, options=options) for s in starts] * (flow not in videos),
        [f"--mss {MSS} " + " ".join(f"--tcp {t:.3f}:{END}" for t in tcp[:5])] +
        [f"--seed {seed}.{rate} --udp 5 --packet 250 --rate {rate} --on 1 --off 1 --shape 1.5 "
         f"--duration {END}" for rate in (8000, 32000)] +
        [text for name, text in videos.items() if name == flow], END,
        # What goes back has a rate, too; netem counts what is on its way as waiting.
        [("", "modprobe tcp_westwood"), *networks.tcp_of_ns2(), *networks.own_way(RTT),
         ("r2", f"tc qdisc change dev r1 root netem limit {ROOM + 44} delay {RTT / 2}ms "
          "rate 10mbit -14")],
        [(0, "left", "sh -c 'traffic sink >/dev/null 2>&1 &'"),
         (0.5, "right", f"sh -c 'traffic send 10.0.1.1 --mss {MSS} --count-as nothing --duration "
          f"{END} {back} >/dev/null 2>&1 &'"),
         *networks.lose(15, RTT, "loss gemodel 1% 85%", both=True)],
        trace_interval=1, at_right=True)


MANY = experiment.load("dvrc_many")
EXPERIMENT = Experiment(
    title="Videos beside TCP in both directions and UDP bursts on 10 Mbit/s, 70 ms",
    source="DVRC, figures 12 to 14",
    cases=matrix(count=(10,), flow=("dvrc-paper", "tfrc", "westwood", "rtcp")),
    full=matrix(count=(1, 10, 30, 50), flow=("dvrc-paper", "dvrc", "tfrc", "westwood", "rtcp")),
    seeds=(1, 2, 3), scenario=scenario, window=(START, END), group="by hand",
    metrics={name: MANY.metrics[name] for name in (
        "all media, Mbit/s", "delivery index", "lost, %", "late, %", "fairness", "worst case")} |
    {"TCP, Mbit/s": lambda run: metrics.total("tcp")(run) / 1e3})
