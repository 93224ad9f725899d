# SPDX-License-Identifier: GPL-2.0-only
"""MARC's figure 26: TFRC whose decrease is in proportion to the share of ECN marks, alone.

The scheme (appendix A.2) is a rejected alternative to MARC and no CCID. So this is a model of
packets and not a kernel: TFRC (a report each round trip, X at most twice X_recv) on 1.5
Mbit/s, 140 ms, gentle RED that marks up to its upper threshold, as crowd.py has it. By the scheme
X falls to X - c (X - X') in place of X', where c is the share of marked packets, 1 after a loss,
0 without either. "fixed" has c = 0.02 for marks, as the appendix tried a fixed value. The loss
history has N = 128, as in the paper's section 5, or 8. X is in KB/s; from 200 s to 300 s.
"""

import math
import random

from labkit import Experiment, matrix, metrics

RTT, LINK = 0.14, 187.5                # LINK: packets/s
BDP, START, END = LINK * RTT, 200, 300


def equation(p, rtt):
    """Padhye's, packets/s."""
    return 1 / (rtt * (math.sqrt(2 * p / 3) + 12 * math.sqrt(3 * p / 8) * p * (1 + 32 * p * p)))


def red(average):
    """Probability of a mark or of a loss."""
    low, high = BDP / 4, BDP * 5 / 4
    return max(0, (average - low) / (high - low) * 0.1) if average < high else \
        min(1, 0.1 + 0.9 * (average - high) / high)


def mean(open_interval, closed, n):
    """Of the loss intervals, with the open one if that makes it longer (RFC 5348, 5.4)."""
    weights = [min(1, 2 * (n - i) / (n + 2)) for i in range(n)]

    def of(values):
        return sum(w * v for w, v in zip(weights, values)) / sum(weights[:len(values)])
    return max(of(closed), of([open_interval, *closed][:n]))


def measure(seed, kind, n):
    """One run: packets, and a report in each round trip."""
    rng, x, queue, average, last = random.Random(seed), 2 / RTT, 0.0, 0.0, -1.0
    now = rng.random() * RTT
    report, closed, current, got, marked, lost, trace = now, [], 0, 0, 0, 0, []
    while now < END:
        queue = max(0, queue - LINK / x)
        average += (queue - average) / 512
        hit = rng.random() < red(average)
        dropped = queue > 2 * BDP or (hit and average > BDP * 5 / 4)
        rtt = RTT + queue / LINK
        current, got, marked = current + 1, got + (not dropped), marked + (hit and not dropped)
        lost, queue = lost + dropped, queue + (not dropped)
        if (hit or dropped) and now > last + rtt:
            closed, current, last = [current, *closed][:n], 0, now
        if now >= report + rtt:
            received = min(LINK, got / (now - report))
            want = min(2 * received, equation(1 / mean(current, closed, n), rtt) if closed else 1e9)
            share = 1 if lost else marked / max(1, got)
            if kind == "fixed" and marked and not lost:
                share = 0.02
            x = want if kind == "TFRC" or want >= x else x - share * (x - want)
            x, report, got, marked, lost = max(x, 1 / 64), now, 0, 0, 0
        trace.append((now, x))
        now += 1 / x
    late = [v for when, v in trace if when >= START]
    return {"X": sum(late) / len(late), "CoV of X": metrics.variation(late), "least X": min(late),
            "greatest X": max(late)}


EXPERIMENT = Experiment(
    title="A model of TFRC with a constrained decrease, alone on 1.5 Mbit/s, 140 ms",
    source="MARC, figure 26", where="host", measure=measure,
    cases=matrix(n=(128, 8), kind=("TFRC", "constrained", "fixed")), seeds=range(1, 11),
    group="by hand")
