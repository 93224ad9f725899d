# SPDX-License-Identifier: GPL-2.0-only
"""MARC's figure 26: TFRC whose decrease is in proportion to the share of ECN marks, alone.

The scheme (appendix A.2) is a rejected alternative to MARC and no CCID. So this is a model of
packets and not a kernel: TFRC as the paper has it in section 3 (a report each round trip, history
discounting, self-clocking: X is at most X_recv in the round trip after a loss event, and at most
1.5 X_recv after that, or 2 X_recv before the first; a report acts a round trip after the packets
it is about; R is smoothed as in RFC 5348) on 1.5 Mbit/s, 140 ms, gentle RED that marks up to its
upper threshold, as crowd.py has it. By the scheme X falls to X - c (X - X') in place of X', where c
is the share of marked packets, 1 after a loss, 0 without either. "fixed" has a c of its own for
marks, as the appendix tried fixed values; which, it does not say. The loss history has N = 128, as
in the paper's section 5, or 8. X is in KB/s, from 200 s to 300 s; "early" is from 20 to 100 s. "At
once": reports act when they are made.
"""

import math
import random

from labkit import Experiment, matrix, metrics

RTT, LINK = 0.14, 187.5                # LINK: packets/s
BDP, EARLY, START, END = LINK * RTT, (20, 100), 200, 300


def equation(p, rtt):
    """Padhye's, packets/s."""
    return 1 / (rtt * (math.sqrt(2 * p / 3) + 12 * math.sqrt(3 * p / 8) * p * (1 + 32 * p * p)))


def red(average):
    """Probability of a mark or of a loss."""
    low, high = BDP / 4, BDP * 5 / 4
    return max(0, (average - low) / (high - low) * 0.1) if average < high else \
        min(1, 0.1 + 0.9 * (average - high) / high)


def mean(open_interval, closed, n):
    """Of loss intervals, and the discount that the open one makes (RFC 5348, 5.4 and 5.5).

    closed: intervals and their discounts, the newest first
    """
    weights = [min(1, 2 * (n - i) / (n + 2)) for i in range(n)]

    def of(values):
        used = [(w * d, i) for w, (i, d) in zip(weights, values)]
        return sum(w * i for w, i in used) / sum(w for w, _ in used)
    before = of(closed)
    discount = min(1, max(0.25, 2 * before / max(1, open_interval)))
    return max(before, of([(open_interval, 1), *((i, d * discount) for i, d in closed)])), discount


def limit(received, congested, first):
    """Self-clocking: the most that X may be, by what has been received."""
    if congested:
        return received
    return (2 if first else 1.5) * received


def measure(seed, kind, n, reports=""):
    """One run: packets, a report in each round trip, and X every 0.1 s."""
    rng, x, queue, average, last = random.Random(seed), 2 / RTT, 0.0, 0.0, -1.0
    now, discount, smoothed = rng.random() * RTT, 1, RTT
    sampled = report = now
    closed, current, got, marked, lost, under_way, trace = [], 0, 0, 0, 0, [], []
    while now < END:
        queue = max(0, queue - LINK / x)
        average += (queue - average) / 512
        hit = rng.random() < red(average)
        dropped = queue > 2 * BDP or (hit and average > BDP * 5 / 4)
        rtt = RTT + queue / LINK
        current, got, marked = current + 1, got + (not dropped), marked + (hit and not dropped)
        lost, queue = lost + dropped, queue + (not dropped)
        if (hit or dropped) and now > last + rtt:
            closed = [(current, 1), *((i, d * discount) for i, d in closed)][:n]
            current, discount, last = 0, 1, now
        if now >= report + rtt:
            interval, discount = mean(current, closed, n) if closed else (0, 1)
            under_way.append((now + rtt * (not reports), rtt, min(LINK, got / (now - report)),
                              interval, marked / max(1, got), marked or lost, lost))
            report, got, marked, lost = now, 0, 0, 0
        while under_way and now >= under_way[0][0]:
            _, sample, received, interval, share, congested, losses = under_way.pop(0)
            smoothed += (sample - smoothed) / 10
            want = limit(received, congested, not interval)
            if interval:
                want = min(want, equation(1 / interval, smoothed))
            if kind.startswith("fixed") and congested:
                share = float(kind.split()[1])
            share = 1 if losses else share
            x = max(want if kind == "TFRC" or want >= x else x - share * (x - want), 1 / 64)
        while sampled <= now:
            trace.append((sampled, x))
            sampled += 0.1
        now += 1 / x
    early = [v for when, v in trace if EARLY[0] <= when < EARLY[1]]
    late = [v for when, v in trace if when >= START]
    return {"X": sum(late) / len(late), "CoV of X": metrics.variation(late), "least X": min(late),
            "greatest X": max(late), "early CoV": metrics.variation(early)}


EXPERIMENT = Experiment(
    title="A model of TFRC with a constrained decrease, alone on 1.5 Mbit/s, 140 ms",
    source="MARC, figure 26", where="host", measure=measure,
    cases=matrix(n=(128, 8), kind=("TFRC", "constrained", "fixed 0.02", "fixed 0.1", "fixed 0.3")) +
    matrix(n=(128,), kind=("TFRC", "constrained"), reports=("at once",)),
    seeds=range(1, 11), group="by hand")
