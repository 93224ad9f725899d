#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Print a C table of 400 single decisions of the constrained adaptation.

This is an independent reading of the paper "Constrained TCP-Friendly
Congestion Control for Multimedia Communication" (Sisalem, Wolisz, 2000),
sections 2 and 3, with the three changes that Documentation/explanation/ctfaf.rst names: a
decrease that would pass r_min goes to r_min, RESTRAINT comes before AT_MAX, and
eq. 6 has a plus.  It is written from the paper alone, not from the code that the
table tests.

The adaptation scheme asks for a change of the rate r: a decrease X_r (with the
share of lost packets l) or an increase X_i.  The framework answers with a new
rate and a new virtual bandwidth B.  In all rows

    B after = B before + (change asked) - (change done)

with decreases counted as negative.  B > 0 is bandwidth that the flow could
have used and did not (credit); B < 0 is bandwidth that it used in excess
(debt).  "Room" is r - r_min for a decrease and r_max - r for an increase.
"Limit" is min(room, delta), or the room alone where there is no delta.

The first row that applies decides.

Decrease X_r:

1. TOLERATED, eq. 3.  l < l_allowed: the rate does not change, B - X_r.  It
   comes first: a tolerated loss never makes the flow repay a debt.
2. CREDIT, eq. 4.  B > 0: the rate does not change, B - X_r.  All of X_r is
   ignored, even if it is more than B; B is then negative.
3. AT_MIN, eq. 3 as overridden.  X_r > room, and the room is not more than
   delta: the rate goes to r_min, B - X_r + room.  (The paper does not reduce
   at all here; with r = r_min already, the two are the same.)
4. DELTA_DOWN, eq. 2.  X_r > delta (and delta < room): the rate falls by delta,
   B - X_r + delta.
5. REPAY, eq. 5.  B < 0, there is a delta, and X_r < limit: the rate falls by the limit, which is
   more than was asked, B + limit - X_r.  B can become positive by this.
6. DOWN, no equation.  The rate falls by X_r, B does not change.

Increase X_i:

7. RESTRAINT, eq. 6 with its sign corrected.  B < 0: the rate does not change,
   B + X_i.  It comes before AT_MAX.  All of X_i is held back, even if it is
   more than the debt; B is then positive.
8. AT_MAX, no equation in the paper.  X_i > room, and the room is not more than
   delta: the rate goes to r_max, B + X_i - room.
9. DELTA_UP, eq. 1.  X_i > delta (and delta < room): the rate rises by delta,
   B + X_i - delta.
10. UP, no equation.  The rate rises by X_i, B does not change.

Eq. 7 (the periodic reset), T_init and a step other than 1 are not in the
table, nor is a B near the ends of s32.
"""

# What the texts leave open, and what is decided here.  A case whose result
# depends on such a decision carries its label in the table.
#
# O1  A decrease that would pass r_min, with B > 0.  The table has the r_min
#     row first; as the paper has it (rate unchanged, B - X_r) the order made no
#     difference, with the override ("goes to r_min") it does.  Decided: CREDIT
#     first.  A decrease that is ignored does not pass r_min.
# O2  A decrease that would pass r_min, with delta less than the room.  In the
#     order of the table it goes to r_min at once, against delta.  Decided:
#     min(X_r, room, delta), thus by delta.
# O3  REPAY without a delta.  Eq. 5 reduces by delta, and there is none.
#     Decided: by X_r only.  Section 3 has "reduce its rate by the maximum
#     allowed value by the multimedia model", which without a delta would be
#     all the way to r_min, for a debt of 1 byte/s.
# O4  REPAY with delta more than the room, X_r not more than the room.  Eq. 5
#     would pass r_min, though X_r does not.  Decided: the nearer limit, thus to
#     r_min, B + room - X_r.  Other reading: by X_r only.
# O5  An increase that would pass r_max, with delta less than the room.  In the
#     order of the table it goes to r_max at once, against delta.  Decided:
#     min(X_i, room, delta), thus by delta.
# O6  An increase with B > 0.  Section 3 says that such a flow may use more than
#     calculated in the future, but no equation gives it more.  Decided: credit
#     is spent in CREDIT only; the increase is as without credit.  Other
#     reading: by min(X_i + B, room, delta).
# O7  l_allowed is in 10^-6 and l in 2^-32; l_allowed is a whole number of 2^-32
#     only if it is a multiple of 15625.  Decided: an exact comparison,
#     l * 10^6 < l_allowed * 2^32.  A labelled case is one where l_allowed
#     rounded down to 2^-32 gives the other answer.
# O8  r < r_min in eq. 3 and X > delta in eqs. 1 and 2 are strict, so that X equal
#     to the room or to delta is done in full (DOWN, UP).  X_r = limit with B < 0
#     is not in eq. 5 ("X_r < delta").  No result depends on it.
#
# Not open, but easy to take otherwise; the equations decide: CREDIT, REPAY and
# RESTRAINT do not split an ask at B = 0, B passes through 0 instead.

import random
from collections import Counter, namedtuple

ROWS = ("TOLERATED", "CREDIT", "AT_MIN", "DELTA_DOWN", "REPAY", "DOWN",
    "RESTRAINT", "AT_MAX", "DELTA_UP", "UP")
NOTES = ("eq. 3, l < l_allowed", "eq. 4", "eq. 3, overridden: to r_min",
     "eq. 2", "eq. 5", "as asked", "eq. 6, sign corrected",
     "to r_max", "eq. 1", "as asked")
CASES = 400
INF = float("inf")

Case = namedtuple("Case", "r_min r_max delta l_allowed r b ask loss")


def tolerated(c, floor=False):
    """Eq. 3, first half: l < l_allowed."""
    if floor:
        return c.loss < (c.l_allowed << 32) // 1000000
    return c.loss * 1000000 < c.l_allowed << 32


def decide(c):
    """One decision.  Return row, rate after, B after."""
    delta = c.delta if c.delta else INF
    if c.ask < 0:
        x, room = -c.ask, c.r - c.r_min
        limit = min(room, delta)
        if tolerated(c):
            row, done = "TOLERATED", 0
        elif c.b > 0:
            row, done = "CREDIT", 0
        elif x > limit:
            row = "AT_MIN" if room <= delta else "DELTA_DOWN"
            done = limit
        elif c.b < 0 and c.delta and x < limit:
            row, done = "REPAY", limit
        else:
            row, done = "DOWN", x
        done = -done
    else:
        x, room = c.ask, c.r_max - c.r
        limit = min(room, delta)
        if c.b < 0:
            row, done = "RESTRAINT", 0
        elif x > limit:
            row = "AT_MAX" if room <= delta else "DELTA_UP"
            done = limit
        else:
            row, done = "UP", x
    return row, c.r + done, c.b + c.ask - done


def labels(c):
    """The open points on which the result of this case depends."""
    row, r_after, _ = decide(c)
    x, down, up = abs(c.ask), c.r - c.r_min, c.r_max - c.r
    out = []
    if row == "CREDIT" and x > down > 0:
        out.append("O1")
    if row == "DELTA_DOWN" and x > down:
        out.append("O2")
    if row == "DOWN" and c.b < 0 and not c.delta and x < down:
        out.append("O3")
    if row == "REPAY" and c.delta > down:
        out.append("O4")
    if row == "DELTA_UP" and x > up:
        out.append("O5")
    if row == "UP" and c.b > 0:
        limit = min(up, c.delta if c.delta else INF)
        if min(x + c.b, limit) != r_after - c.r:
            out.append("O6")
    if c.ask < 0 and tolerated(c) != tolerated(c, floor=True):
        strict = c._replace(l_allowed=0)
        if decide(strict)[1:] != decide(c)[1:]:
            out.append("O7")
    return out


def order(a, b):
    return -2 if a < b - 1 else -1 if a < b else 0 if a == b else \
        1 if a == b + 1 else 2


def features(c):
    """What a selection should cover: borders and relations, one tuple each."""
    x = abs(c.ask)
    room = c.r - c.r_min if c.ask < 0 else c.r_max - c.r
    after = decide(c)[2]
    f = {
        "room": min(room, 2),
        "x:room": order(x, room),
        "x:delta": order(x, c.delta) if c.delta else None,
        "delta:room": order(c.delta, room) if c.delta else None,
        "b": order(c.b, 0),
        "after": order(after, 0),
    }
    if c.ask < 0:
        scale = (c.l_allowed << 32) / 1000000
        f["l"] = (order(c.loss, -(-(c.l_allowed << 32) // 1000000)),
              scale.is_integer(), c.l_allowed == 0)
    f["labels"] = tuple(labels(c))
    return f


def pool(rng, n):
    """Many candidates, most of them on a border."""
    allowed = (0, 0, 1, 100, 5000, 10000, 15625, 20000, 31250, 50000,
           250000, 333333, 500000, 999999, 1000000)
    near = (-1, 0, 1)
    seen = set()
    while len(seen) < n:
        r_min = rng.choice((1000, 1250, 4000, rng.randint(500, 100000)))
        down = rng.choice((0, 1, 2, rng.randint(3, 300),
                   rng.randint(301, 50000),
                   rng.randint(50001, 5000000)))
        up = rng.choice((0, 1, 2, rng.randint(3, 300),
                 rng.randint(301, 50000),
                 rng.randint(50001, 5000000)))
        r = r_min + down
        sign = rng.choice((-1, -1, 1))
        room = down if sign < 0 else up
        delta = rng.choice((0, 1, 500, room // 2, room // 10,
                    room + rng.choice(near),
                    room + rng.choice(near),
                    2 * room + 1, rng.randint(1, 200000)))
        delta = max(delta, 0)
        x = rng.choice((1, room // 2, 2 * room, delta // 2, 2 * delta,
                room + rng.choice(near),
                room + rng.choice(near),
                delta + rng.choice(near),
                delta + rng.choice(near),
                rng.randint(1, 2 * (room + delta) + 10)))
        # A decrease is a part of the rate.
        if x < 1 or (sign < 0 and x >= r):
            continue
        step = min(room, delta) if delta else room
        b = rng.choice((-1, 0, 0, 1, x, -x, x - 1, -x - 1, 1 - x, x + 1,
                x - step, step - x, x - step - 1, x - step + 1,
                rng.randint(-1000000, 1000000)))
        l_allowed = rng.choice(allowed)
        loss = 0
        if sign < 0:
            edge = -(-(l_allowed << 32) // 1000000)
            loss = rng.choice((edge - 2, edge - 1, edge, edge + 1,
                       edge // 2,
                       rng.randrange(1, 1 << 32),
                       int(2.0 ** rng.uniform(8, 32))))
            if not 0 < loss < 1 << 32:
                continue
        seen.add(Case(r_min, r + up, delta, l_allowed, r, b, sign * x,
                  loss))
    return sorted(seen)


def select(rng, cases, quota):
    """Take quota cases that cover pairs of features evenly."""
    pairs = []
    for c in cases:
        f = sorted(features(c).items())
        pairs.append([(f[i], f[j]) for i in range(len(f))
                  for j in range(i + 1)])
    left = list(range(len(cases)))
    rng.shuffle(left)
    count = Counter()
    taken = []
    while len(taken) < quota:
        best = max(left, key=lambda i: sum(0.25 ** count[p]
                            for p in pairs[i]))
        left.remove(best)
        taken.append(cases[best])
        count.update(pairs[best])
    return sorted(taken)


def main():
    rng = random.Random(1)
    rows = {row: [] for row in ROWS}
    for c in pool(rng, 12000):
        rows[decide(c)[0]].append(c)

    print("/* SPDX-License-Identifier: GPL-2.0-only */")
    print("/* Written by constraint_paper_kunit_gen.py. */")
    print("static const struct {")
    print("\tu32 r_min, r_max, delta, l_allowed;\t"
          "/* bytes/s; delta 0: none; l_allowed in 10^-6 */")
    print("\tu32 r;\t\t/* bytes/s, within r_min..r_max */")
    print("\ts32 b;\t\t/* virtual bandwidth before, bytes/s */")
    print("\ts32 ask;\t/* bytes/s: increase, or negative, decrease */")
    print("\tu32 loss;\t/* share of packets lost, scaled by 2^32 "
          "(0 where ask > 0) */")
    print("\tu32 r_after;")
    print("\ts32 b_after;")
    print("} reader_cases[] = {")
    for number, (row, note) in enumerate(zip(ROWS, NOTES), 1):
        print("\t/* Row %d, %s: %s */" % (number, row, note))
        for c in select(rng, rows[row], CASES // len(ROWS)):
            _, r_after, b_after = decide(c)
            assert c.r_min <= r_after <= c.r_max
            assert b_after - c.b == c.ask - (r_after - c.r)
            tag = " ".join(labels(c))
            print("\t{ %d, %d, %d, %d, %d, %d, %d, %du, %d, %d },%s"
                  % (*c, r_after, b_after,
                 "\t/* %s */" % tag if tag else ""))
    print("};")


if __name__ == "__main__":
    main()
