#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write constraint_kunit_table.h: the results of a thousand random sequences.

A second model of the framework, in floating point and in bytes/s, written from the
paper and not from constraint.c. Both draw the same constraints and reports from the
same random numbers, so that only the outcome is in the table.

usage: constraint_kunit_gen.py > constraint_kunit_table.h
"""

SEQUENCES = 1000
STEPS = 40
RATE = 1 << 16
(TOLERATED, AT_MIN, CREDIT, DECREASE_DELTA, REPAY, DECREASE, AT_MAX, RESTRAINT,
 INCREASE_DELTA, INCREASE, UNUSED) = range(1, 12)


class Random:
    def __init__(self, seed):
        self.state = seed + 1

    def __call__(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % n


class Model:
    """CTFAF: rate r and virtual bandwidth B."""

    def __init__(self, rnd):
        self.r_min = 1000 + rnd(50000)
        self.step = min(1 + rnd(5000), 2 * self.r_min)
        self.r_max = self.r_min + self.step + rnd(500000)
        self.delta = self.step + rnd(20000)
        if rnd(4) == 0:
            self.delta = None
        else:
            self.delta = self.delta // self.step * self.step    # n S <= delta
        self.r = float(self.r_min + rnd(self.r_max - self.r_min + 1))
        self.allowed = rnd(50000) / 1e6
        if rnd(3):
            self.allowed = 0
        self.t = (100 + rnd(5000)) / 1000
        self.t_reset = self.t * (1 + rnd(10))
        # compare numbers of reports, which are exact, and not times
        self.reports_reset = round(self.t_reset / self.t)
        self.reports_init = rnd(8)
        self.letter = rnd(3) == 0           # nothing that would pass a limit is done
        self.gentle = rnd(3) == 0 and self.delta is not None
        self.forget = 0 if rnd(3) else rnd(1001) / 1000
        self.severe = (1 + rnd(1000000)) / 1e6
        if rnd(2):
            self.severe = 1
        self.b = 0.0
        self.left = 0.0                     # of a gentle reset
        self.resets = 0
        self.since_reset = 0
        self.report = 0

    def sent(self):
        return self.r_min + (self.r - self.r_min) // self.step * self.step

    def smaller(self, x, loss, delta):
        """The rate shall be reduced by x: by how much is it, and why?"""
        room = self.r - self.r_min
        if loss < self.allowed and loss < self.severe:
            return 0, TOLERATED
        if self.letter and x > room:
            return 0, AT_MIN
        if self.b > 0:
            return 0, CREDIT
        if x > delta:
            wish, why = delta, DECREASE_DELTA
        elif self.b < 0 and delta < float("inf"):
            wish, why = delta, REPAY
        else:
            wish, why = x, DECREASE
        # less was done than x, and it is not delta's fault
        if wish > room and x > room:
            why = AT_MIN
        return min(wish, room), why

    def greater(self, x, delta):
        """The same, for what it may grow by."""
        room = self.r_max - self.r
        if self.b < 0:
            return 0, RESTRAINT
        if self.letter and x > room:
            return 0, AT_MAX
        wish, why = (delta, INCREASE_DELTA) if x > delta else (x, INCREASE)
        return (room, AT_MAX) if wish > room else (wish, why)

    def step_on(self, x, loss, used):
        self.report += 1
        init = self.report < self.reports_init
        severe = loss >= self.severe
        before, sent = self.r, self.sent()
        unused = used < sent / 2
        # twice what was sent, or a step further; not four times what was used
        most = before if unused else max(before, min(max(2 * sent, sent + self.step), 4 * used))
        delta = float("inf") if init or self.delta is None else self.delta
        up = x > 0 and not unused
        if x > 0 and unused:
            why = UNUSED
        else:
            if severe:
                self.b = min(self.b, 0.0)
            x = min(x, most - before)
            if x < 0:
                taken, why = self.smaller(-x, loss, float("inf") if severe else delta)
                taken = -taken
            else:
                taken, why = self.greater(x, delta)
            # what was allowed and not taken is saved, what was taken too much is owed
            self.b += x - taken
            self.r += taken
        if init:
            self.b = 0.0
            self.since_reset = 0
            return why
        # at each report, whether the rate was used or not
        self.b *= 1 - self.forget
        if self.forget and abs(self.b) < 1:         # byte/s
            self.b = 0
        self.since_reset += 1
        if self.since_reset >= self.reports_reset:
            self.since_reset = 0
            self.left += self.b * self.t / self.t_reset
            self.b = 0.0
            self.resets += 1
        # all at once; or as much of it as, with what was done already, is delta
        part = self.left
        if self.gentle:
            moved = self.r - before
            if part > 0:
                part = min(part, max(self.delta - moved, 0)) if up else 0
            else:
                part = max(part, min(-self.delta - moved, 0))
        self.left -= part
        if part > 0:
            self.r = min(self.r + part, max(min(most, self.r_max), self.r))
        else:
            self.r = max(self.r + part, self.r_min)
        return why


def main():
    print("/* SPDX-License-Identifier: GPL-2.0-only */")
    print("/* Written by constraint_kunit_gen.py. */")
    print("#define SEQUENCE_STEPS %d" % STEPS)
    print()
    print("static const struct sequence_row sequence_table[] = {")
    print("\t/* r, B times 2^16; decisions; resets */")
    count = [0] * 12
    for seed in range(SEQUENCES):
        rnd = Random(seed)
        m = Model(rnd)
        decisions = 0
        for _ in range(STEPS):
            x = 1 + rnd(30000)
            if rnd(10) == 0:
                x *= 10
            if rnd(16) == 0 and m.delta is not None:
                x = m.delta
            loss = rnd(100000) * 42949
            if rnd(2):
                loss = 0
            used = m.sent() * rnd(40) / 16
            why = m.step_on(-x if loss else x, loss / 2**32, used)
            count[why] += 1
            decisions = (decisions * 31 + why) % 2**32
        print("\t{ %dULL, %dLL, %dU, %d }," %
              (round(m.r * RATE), round(m.b * RATE), decisions, m.resets))
    print("};")
    print("/* decisions from 1 on: %s */" % ", ".join(map(str, count[1:])))


if __name__ == "__main__":
    main()
