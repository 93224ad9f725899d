# SPDX-License-Identifier: GPL-2.0-only
"""What DVRC takes loss for: random losses alone, beside a TCP alone, and both (figure 3).

The receiver decides for each loss event whether it was congestion. Here it is known: without
another flow on 10 Mbit/s all losses are random (3 %, behind the bottleneck); beside a TCP on
1 Mbit/s and without random loss all are congestion. 70 ms; 100 s. n are the mean deviations of the
threshold, 1.5 in the presets.
"""

from labkit import Experiment, Flow, Scenario, Table, matrix, metrics, networks

RTT, END = 70, 105
LAYERS = ["--layers", "80K,160K,240K,320K,400K", "-b", 0]
# rate, queue in packets, random loss, TCP flows, options
PLACES = {"random, c_k 400 kbit/s": ("10mbit", 84, "loss 3%", 0, LAYERS),
          "random, no layers": ("10mbit", 84, "loss 3%", 0, []),
          "TCP, c_k 400 kbit/s": ("1mbit", 9, "", 1, LAYERS),
          "TCP, no layers": ("1mbit", 9, "", 1, []),
          "both, c_k 400 kbit/s": ("1mbit", 9, "loss 3%", 1, LAYERS),
          "both, no layers": ("1mbit", 9, "loss 3%", 1, [])}


def scenario(rng, seed, flow, place, **own):
    """One run; the seed is that of rng."""
    del seed
    rate, queue, loss, tcp, options = PLACES[place]
    return Scenario({"rate": rate, "rtt": RTT, "queue": queue},
                    [Flow(flow, parameters=own, options=options)],
                    [f"--mss 988 --tcp {rng.random():.3f}:{END}"] if tcp else [], END,
                    networks.tcp_of_ns2() + networks.own_way(RTT),
                    networks.lose(5, RTT, loss) if loss else [], at_right=True)


def congestion(run):
    """% of the loss events."""
    taken, other = (metrics.said("receiver", k)(run) for k in ("congestion", "random"))
    return 100 * taken / (taken + other) if taken + other else 0.0


EXPERIMENT = Experiment(
    title="What DVRC takes loss events for, in 100 s",
    source="DVRC, figure 3",
    cases=matrix(place=PLACES, flow=("dvrc-paper", "dvrc")) +
    matrix(place=("random, c_k 400 kbit/s",), n=(0.5, 1, 3), flow=("dvrc-paper",)),
    seeds=(1, 2, 3), scenario=scenario, window=(5, END),
    metrics={"random": metrics.said("receiver", "random"),
             "congestion": metrics.said("receiver", "congestion"), "of them, %": congestion,
             "timeouts": metrics.said("receiver", "timeouts"),
             "dropped by the queue, %": metrics.loss("media"),
             "lost in all, %": metrics.loss("media", "arrived"),
             "kbit/s": metrics.rate("media", "arrived", "payload")},
    tables=[Table(place, where={"place": place}) for place in PLACES])
