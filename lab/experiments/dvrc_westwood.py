# SPDX-License-Identifier: GPL-2.0-only
"""DVRC's figure 17: TCP Westwood+ with a video beside TCP Reno, 10 Mbit/s, 70 ms.

As dvrc_friends. A video is 500 kbit/s, which TCP Westwood+ sends as a whole and late if need be. It
is the kernel's tcp_westwood. "Reno in its place" are flows with the same video and the congestion
control of the others. Shares are of IP packets that leave the bottleneck, over an equal share of
the link.
"""

from labkit import Experiment, Scenario, layered, matrix, metrics


def scenario(rng, seed, flow, count, tcp):
    """One run."""
    return Scenario({"rate": layered.LINK, "rtt": layered.RTT}, [],
                    [*layered.videos(rng, seed, flow, count)[1], layered.tcp(rng, tcp)],
                    layered.END, layered.network())


EXPERIMENT = Experiment(
    title="Shares of TCP Westwood+ beside TCP Reno on 10 Mbit/s, 70 ms",
    source="DVRC, figure 17",
    cases=matrix(tcp=(20,), count=(10, 30, 50), flow=("westwood", "reno")) +
    matrix(tcp=(40,), count=(30,), flow=("westwood", "reno")),
    full=matrix(tcp=(20, 40), count=(1, 10, 30, 50), flow=("westwood", "reno")),
    seeds=(1, 2, 3), scenario=scenario, window=(layered.START, layered.END), group="by hand",
    metrics={"media": lambda run: metrics.rate("media")(run) / layered.equal(run),
             "TCP": lambda run: metrics.rate("tcp")(run) / layered.equal(run),
             "lost, %": metrics.loss("media"), "lost of TCP, %": metrics.loss("tcp")})
