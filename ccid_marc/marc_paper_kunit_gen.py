#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Print test vectors for the sender rule of MARC (Media Aware Rate Control).

The vectors are computed from the text of the paper, section 4.1, with exact
fractions. For each report of the receiver, with I the time since the report
before, W the allowed rate and W_snd the rate sent during I, T' the token value
and X' the rate before, and X_tfrc the rate that TFRC would use now:

    D = (W - W_snd) * I                                 (equation 5)
    T = beta * T' + D                                   (equation 4)

with beta = 0.9 for each report, T' = 0 on a new connection, and D = 0 while
there is no estimate of the share (W = 0). D and T have a sign. Then, with the
new T (rule 2 of section 4.1):

    X = X_tfrc             unless X_tfrc < (1 - delta) * X' and T > 0;
    X = X'                 if so and the interval had no congestion signal;
    X = (1 - delta) * X'   if so and the interval had one.

delta is 0.05 if all signals of the interval are marks, otherwise 0.1.

T is carried exactly and is rounded only where it is printed. X' is the printed
rate of the report before, thus a whole number. No printed value is the result
of a tie. T is at least 50 bytes away from 0, or exactly 0 because each D so far
was 0. X_tfrc is at least 2 bytes/s away from (1 - delta) * X', or exactly on it
when X' is a multiple of 100.

The output is the same on each run: all choices come from Random(1).random().
"""

import sys
from fractions import Fraction as F
from random import Random

BETA = F(9, 10)
DELTA_LOSS = F(1, 10)
DELTA_MARK = F(1, 20)
TOOK, KEPT, LIMITED = 0, 1, 2
TOP = 4_000_000_000             # no rate is above this; it fits in 32 bits
MIN_TOKENS = 50                 # bytes between T and 0
MIN_GAP = 2                     # bytes/s between X_tfrc and the border


# ---- the model ----------------------------------------------------------

def delta_of(lost, marked):
    """delta of an interval; without a signal it is that of a loss."""
    return DELTA_MARK if marked and not lost else DELTA_LOSS


def tokens_after(tokens, interval_ms, w, w_snd):
    """Equations 4 and 5."""
    unused = (w - w_snd) * F(interval_ms, 1000) if w else F(0)
    return BETA * tokens + unused


def decide(x, x_tfrc, tokens, lost, marked):
    """Rule 2: the new rate, exactly, and the branch that gave it."""
    border = (1 - delta_of(lost, marked)) * x
    if not (x_tfrc < border and tokens > 0):
        return F(x_tfrc), TOOK
    if lost or marked:
        return border, LIMITED
    return F(x), KEPT


def is_tie(value):
    return (2 * value).denominator == 1 and value.denominator != 1


def nearest(value):
    """The nearest whole number; there are no ties."""
    assert not is_tie(value)
    return (2 * value + 1).__floor__() // 2


# ---- random choices -----------------------------------------------------

RNG = Random(1)


def whole(low, high):
    """A whole number from low to high, both included."""
    return low + int(RNG.random() * (high - low + 1))


def between(low, high):
    return low + (high - low) * RNG.random()


def pick(*items):
    return items[whole(0, len(items) - 1)]


def chance(probability):
    return RNG.random() < probability


def round_rate(rate):
    """A rate whose tenths and twentieths are whole numbers, if it is large."""
    step = 1000 if rate >= 20000 else 100 if rate >= 500 else 1
    return max(20, min(TOP, int(rate) // step * step))


def draw_interval():
    return pick(10, 3000, 1000, 100, whole(10, 100), whole(10, 100),
                whole(100, 600), whole(100, 600), whole(600, 3000))


def draw_signals(kind):
    if kind == "any":
        kind = pick("none", "none", "loss", "mark", "both")
    few = 1 if chance(0.5) else whole(2, 40)
    many = 1 if chance(0.5) else whole(2, 40)
    return {"none": (0, 0), "loss": (few, 0), "mark": (0, many),
            "both": (few, many)}[kind]


def draw_x_tfrc(x, base, kind, delta):
    """X_tfrc; the border is mostly that of the interval's delta."""
    if kind == "any":
        kind = pick("far", "far", "far", "below", "below", "on", "above",
                    "middle", "slight", "same", "more")
    if kind != "on" and 4 * x < base:
        kind = pick("more", "more", "more", kind)
    border = int((1 - pick(delta, delta, DELTA_LOSS, DELTA_MARK)) * x)
    if kind == "on" and x % 100:
        kind = pick("more", "more", "below", "above")
    if kind == "far":
        value = int(x * between(0.1, 0.85))
        return round_rate(value) if chance(0.5) else max(value, 1)
    if kind == "below":
        return max(border - whole(2, 12), 1)
    if kind == "on":
        return border
    if kind == "above":
        return border + whole(2, 12)
    if kind == "middle":
        return int(x * between(0.905, 0.945))
    if kind == "slight":
        return int(x * between(0.955, 1))
    if kind == "same":
        return x
    return round_rate(max(x, base / 2) * between(1.05, 2))


def draw_share(base):
    return max(100, min(TOP, int(base * between(0.5, 2))))


def sent(w, low, high):
    return min(TOP, int(w * between(low, high)))


# ---- what the application and the network do, report by report ----------
#
# Each function gives (W, W_snd, kind of signals, kind of X_tfrc). n is the
# number of the report, of how many; interval is in ms.

def saver(n, of, tokens, interval, base):
    w = draw_share(base)
    return w, sent(w, 0.05, 0.9), "any", "any"


def greedy(n, of, tokens, interval, base):
    w = draw_share(base)
    return w, sent(w, 0.9, 1.1), "any", "any"


def spender(n, of, tokens, interval, base):
    w = draw_share(base)
    if 3 * n < of:
        return w, sent(w, 0.1, 0.6), "any", "any"
    return w, sent(w, 1.1, 1.8), "any", pick("far", "below", "any")


def debtor(n, of, tokens, interval, base):
    w = draw_share(base)
    if 4 * n < of:
        return w, sent(w, 1.3, 3), "any", pick("far", "below", "any")
    return w, sent(w, 0.3, 0.95), "any", pick("far", "below", "any")


def no_estimate(n, of, tokens, interval, base):
    if 3 * n < of:
        return 0, whole(0, int(base)), "any", pick("far", "more", "any")
    return saver(n, of, tokens, interval, base)


def tightrope(n, of, tokens, interval, base):
    """T just above and just below 0."""
    w = draw_share(base)
    goal = pick(-1, 1) * (whole(50, 60) if chance(0.5) else whole(60, 400))
    w_snd = w - int((goal - BETA * tokens) * 1000 / interval)
    if not 0 <= w_snd <= TOP:
        w_snd = 0 if w_snd < 0 else TOP
    return w, w_snd, "any", pick("far", "below", "below", "any")


def borders(n, of, tokens, interval, base):
    w = draw_share(base)
    return (w, sent(w, 0.05, 0.9), "any",
            pick("far", "below", "below", "on", "on", "on", "above", "middle"))


def marks(n, of, tokens, interval, base):
    w = draw_share(base)
    return (w, sent(w, 0.2, 1.1), pick("mark", "mark", "mark", "none", "both"),
            pick("far", "below", "on", "above", "middle", "middle", "more"))


def no_tokens(n, of, tokens, interval, base):
    """T exactly 0 at first: the connection sends its share."""
    w = draw_share(base)
    if 2 * n < of:
        return w, w, "any", pick("far", "below", "any")
    return w, sent(w, 0.5, 1.4), "any", "any"


def gap(n, of, tokens, interval, base):
    """The estimate is lost later on: T only decays."""
    w = draw_share(base)
    if of // 3 <= n < 2 * of // 3:
        return 0, whole(0, int(base)), "any", "any"
    return w, sent(w, 0.2, 1.4), "any", "any"


# behaviour, number of sequences
PLAN = ((saver, 5), (greedy, 4), (spender, 6), (debtor, 6), (no_estimate, 4),
        (tightrope, 5), (borders, 4), (marks, 4), (no_tokens, 3), (gap, 1))


def draw_report(behaviour, n, of, x, tokens, untouched, base):
    """One report that obeys the distances given at the top."""
    for _ in range(10000):
        interval = draw_interval()
        w, w_snd, signals, kind = behaviour(n, of, tokens, interval, base)
        lost, marked = draw_signals(signals)
        x_tfrc = draw_x_tfrc(x, base, kind, delta_of(lost, marked))
        new = tokens_after(tokens, interval, w, w_snd)
        if abs(new) < MIN_TOKENS and not (
                untouched and (w == 0 or w == w_snd)):
            continue
        border = (1 - delta_of(lost, marked)) * x
        if abs(x_tfrc - border) < MIN_GAP and not (
                x_tfrc == border and x % 100 == 0):
            continue
        if not 0 < x_tfrc <= TOP:
            continue
        x_new, decision = decide(x, x_tfrc, new, lost, marked)
        if is_tie(new) or is_tie(x_new):
            continue
        return (interval, x, x_tfrc, w, w_snd, lost, marked, new,
                nearest(x_new), decision)
    sys.exit("no report found for " + behaviour.__name__)


def draw_sequence(behaviour, base):
    x = round_rate(base * between(0.5, 1.5))
    tokens = F(0)
    untouched = True            # each D so far was exactly 0
    of = whole(5, 30)
    for n in range(of):
        report = draw_report(behaviour, n, of, x, tokens, untouched, base)
        yield (n == 0,) + report
        untouched = untouched and (report[3] == 0 or report[3] == report[4])
        tokens, x = report[7], report[8]


def main():
    lines = []
    counts = [0, 0, 0]
    number = 0
    for behaviour, repeat in PLAN:
        for i in range(repeat):
            # From 2 kbyte/s to 100 Mbyte/s; some kinds have one sequence with
            # rates near the end of 32 bits, or one with very low rates.
            base = 10 ** between(3.3, 8)
            if i == repeat - 1 and behaviour in (saver, debtor, borders):
                base = 2.5e9
            if i == 0 and behaviour in (spender, no_tokens):
                base = 600
            number += 1
            lines.append("\t/* %d: %s */" %
                         (number, behaviour.__name__.replace("_", " ")))
            for (first, interval, x, x_tfrc, w, w_snd, lost, marked, tokens,
                 x_after, decision) in draw_sequence(behaviour, base):
                counts[decision] += 1
                lines.append("\t{ %s, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d }," % (
                    "true" if first else "false", interval, x, x_tfrc, w,
                    w_snd, lost, marked, nearest(tokens), x_after, decision))
    if min(counts) < 60:
        sys.exit("a decision is too rare: %s" % counts)
    print("""/* SPDX-License-Identifier: GPL-2.0-only */
/* Written by marc_paper_kunit_gen.py. */
static const struct {
	bool first;		/* a new connection begins: T = 0 */
	u32 interval_ms;
	u32 x, x_tfrc, w, w_snd;	/* bytes/s: X', X_tfrc, W (0: no estimate), W_snd */
	u32 lost, marked;
	s64 tokens;		/* T after this report, bytes, rounded to nearest */
	u32 x_after;		/* bytes/s, rounded to nearest */
	u8 decision;		/* 0: took X_tfrc, 1: kept X', 2: limited by delta */
} reader_steps[] = {""")
    print("\n".join(lines))
    print("};")


if __name__ == "__main__":
    main()
