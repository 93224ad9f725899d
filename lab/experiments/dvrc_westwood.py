# SPDX-License-Identifier: GPL-2.0-only
"""DVRC's figure 17: TCP Westwood+ with a video beside TCP Reno, 10 Mbit/s, 70 ms.

As in the paper, and as dvrc_friends: 20 TCP flows, Reno without SACK, windows of 64 KB, a queue
of one product of bandwidth and delay. A video is 500 kbit/s, which TCP Westwood+ sends as a whole
and late if need be. It is the kernel's tcp_westwood. "Reno in its place" are flows with the same
video and the congestion control of the others. Shares are of IP packets that leave the bottleneck,
over an equal share of the link.
"""

from labkit import Experiment, Scenario, matrix, metrics, networks

MSS, RTT, LINK, RATE, START, END = 988, 70, 10e6, 500e3, 20, 50


def scenario(rng, flow, count, tcp, **_):
    """One run."""
    videos = " ".join(f"--tcp {rng.random():.3f}:{END}" for _i in range(count))
    others = " ".join(f"--tcp {1 + rng.random():.3f}:{END}" for _i in range(tcp))
    return Scenario({"rate": "10mbit", "rtt": RTT, "queue": 84}, [],
                    [f"--mss {MSS} --congestion {flow} --count-as media --tcp-rate "
                     f"{RATE / 8:.0f} {videos}",
                     f"--mss {MSS} {others}"], END,
                    [("", "modprobe tcp_westwood"), *networks.tcp_of_ns2()])


def equal(run):
    """kbit/s of an equal share."""
    return LINK / 1e3 / (len(run.flows("media")) + len(run.flows("tcp")))


EXPERIMENT = Experiment(
    title="Shares of TCP Westwood+ beside TCP Reno on 10 Mbit/s, 70 ms",
    source="DVRC, figure 17",
    cases=matrix(tcp=(20,), count=(30,), flow=("westwood", "reno")),
    full=matrix(tcp=(20, 40), count=(1, 10, 30, 50), flow=("westwood", "reno")),
    seeds=range(1, 9), scenario=scenario, window=(START, END), group="by hand",
    metrics={"media": lambda run: metrics.rate("media")(run) / equal(run),
             "TCP": lambda run: metrics.rate("tcp")(run) / equal(run),
             "lost, %": metrics.loss("media"), "lost of TCP, %": metrics.loss("tcp")})
