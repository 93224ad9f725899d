#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write dvrc_kunit_table.h: eq. 2, 3, 4 and 11 of DVRC, and random sequences.

The equations are evaluated as the paper prints them, in rational numbers. The
sequences are run by a second model of the receiver, in floating point, bytes/s and
seconds, written from the paper and not from dvrc.c. Both draw the same parameters
and packets from the same random numbers, so that only the outcome is in the table.

usage: dvrc_kunit_gen.py > dvrc_kunit_table.h
"""

from fractions import Fraction

SEQUENCES = 500
STEPS = 150
RATE = 1 << 16
RATE_MAX = 200 * 10**9 // 8 * RATE
SECOND = 10**9
P_ONE = 1 << 48
INCREASE, RANDOM, CONGESTION, TIMEOUT = range(1, 5)
GAMMA, EPSILON, DELTA = Fraction(9, 10), Fraction(1, 4), 4


class Random:
    """The same generator as in dvrc_kunit.c."""

    def __init__(self, seed):
        self.state = seed + 1

    def __call__(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % n


def padhye(s, rtt, p):
    """RFC 5348, 3.1"""
    return s / (rtt * ((2 * p / 3) ** 0.5 + 12 * (3 * p / 8) ** 0.5 * p * (1 + 32 * p * p)))


class Model:
    """DVRC's receiver."""

    def __init__(self, rnd):
        self.alpha_i = (500 + rnd(1500)) / 1000
        self.alpha_d = (500 + rnd(1500)) / 1000
        self.beta = (300 + rnd(600)) / 1000
        self.n = rnd(3000) / 1000
        self.weight = (500 + rnd(2000)) / 1000
        self.weight_layers = rnd(2) * self.weight
        self.delta = rnd(6000) / 1000
        self.gain_mean, self.gain_deviation = (1 + rnd(1000)) / 1000, (1 + rnd(1000)) / 1000
        on, hold = rnd(2), rnd(2000)
        self.hold = on * hold / 1000
        self.validation = rnd(2)
        self.layers = []
        if rnd(2):
            for _ in range(1 + rnd(16)):
                last = self.layers[-1] if self.layers else 0
                self.layers.append(last + 1000 + rnd(20000))
        self.s = 100 + rnd(1400)
        self.rtt, self.dev = 0.0, 0.0
        self.r, self.mean, self.deviation = 0.0, None, 0.0
        self.arrivals, self.marks = [], []  # (time, bytes so far)
        self.bytes = 0
        self.last_round, self.bytes_then = 0.0, 0   # the round trip, and what had come before
        self.quiet_since = 0.0
        self.idle = False
        self.largest = self.s
        self.joined, self.since = 0, 0.0    # K last reported to the sender, and since when
        self.event = None                   # what the last loss event was taken for
        self.sent_by = 0.0                  # greatest R that data of before a decrease had
        self.counts = {RANDOM: 0, CONGESTION: 0, TIMEOUT: 0}
        self.decisions = self.last = 0

    def note(self, what):
        self.decisions = (self.decisions * 31 + what) % 2**32

    def decided(self, what):
        self.last = what
        self.note(what)
        if what in self.counts:
            self.counts[what] += 1

    def limit(self, p):
        most = [self.layers[-1] if self.layers else RATE_MAX / RATE]
        weight = self.weight_layers if self.layers else self.weight
        if p and weight:
            most.append(weight * padhye(self.s, self.rtt, p))
        self.r = max(min(self.r, *most), self.s / 64)

    def initial(self, size):
        """The initial rate of packets of a size

        It is RFC 3390's window in a round trip. If this is longer than 0.125 s, it is that of
        0.1 s with 8 small packets, but no more than RFC 6928's 14600 bytes in a round trip, or
        40 packets of these.
        """
        initial = min(4 * size, max(2 * size, 4380)) / self.rtt
        if self.rtt > 0.125:
            near = min(8 * size, max(2 * size, 4380)) / 0.1
            most = min(40 * size, max(2 * size, 14600)) / self.rtt
            initial = min(most, max(initial, near))
        return initial

    def first(self):
        """c_1, or the initial rate; and the initial rate"""
        initial = self.initial(self.s)
        return float(self.layers[0]) if self.layers else initial, initial

    def dto(self):
        return max(self.rtt + self.delta * self.dev, 4 * self.s / self.r)

    def receiving(self, now):
        """over the last four packets, or over an RTT if they took less"""
        if len(self.arrivals) > 4:
            then, before = self.arrivals[-5]
            if now - then >= self.rtt - 1e-12:
                return (self.bytes - before) / (now - then)
        span = 0
        for then, before in reversed(self.marks[-4:]):      # noqa: B007, used below
            span = now - then
            if span >= 0.75 * self.rtt - 1e-12:
                break
        if span < 0.75 * self.rtt - 1e-12:
            # nothing came before the first mark; what came before four others is not known
            span = self.rtt if len(self.marks) <= 4 else max(span, self.rtt / 4)
        return (self.bytes - before) / span

    def arrival(self, size, idle, now):
        if not self.arrivals:
            self.r = self.first()[0]
            self.limit(0)
            self.marks.append((now, 0))
            self.began = now
            self.begin_round(now)
        else:
            pause = now - self.arrivals[-1][0]
            if pause > self.dto():
                more = pause - self.dto()
                self.arrivals = [(t + more, b) for t, b in self.arrivals]
            if pause > self.rtt:
                more = pause - self.rtt
                self.marks = [(t + more, b) for t, b in self.marks]
            periods = int(pause / max(2 * self.dto(), 0.1) + 1e-12)
            if self.idle and periods:
                self.sent_by = 0.0
            if self.idle and self.validation:
                # a half for each 2 DTO, 0.1 s at least; no further than the first rate
                # or the window
                halved = self.r * 0.5 ** periods
                self.r = max(halved, min(self.r, max(self.first())))
            self.bytes += size
            if now - self.marks[-1][0] >= self.rtt / 4 - 1e-12:
                self.marks.append((now, self.bytes))
        # the first packet was small: a greater one has the initial rate of its own size
        quiet = not any(self.counts.values())
        if size > self.largest and quiet and not self.layers:
            self.r = max(self.r, self.initial(size))
        self.largest = max(size, self.largest)
        self.arrivals = self.arrivals[-5:] + [(now, self.bytes)]
        self.idle = idle
        self.quiet_since = now

    def begin_round(self, at):
        self.last_round, self.bytes_then = at, self.bytes

    def is_used(self, now):
        """More than half of what may be used; and twice what is used

        With validation all that came in this round trip counts, over as long as it lasts.
        """
        twice = 2 * self.receiving(now)
        if self.validation:
            twice = 2 * (self.bytes - self.bytes_then) / max(self.rtt, now - self.last_round)
        may = min([self.r, *self.layers[max(self.joined, 1) - 1:][:1]])
        return may < twice, twice

    def over(self, now):
        """A round trip lasts until R is used, but no longer than 2 RTT or 0.1 s."""
        age = now - self.last_round + 1e-12
        if self.validation and age < max(2 * self.rtt, 0.1) and not self.is_used(now)[0]:
            return False
        return age >= self.rtt

    def increase(self, p, now):
        grown = self.r + self.alpha_i * self.s / self.rtt
        used, twice = self.is_used(now)
        if self.layers and self.validation:
            joined = max(self.joined, 1)
            most = max([twice, *self.layers[joined:joined + 1]]) if used else 0.0
        else:
            most = grown if self.layers or used else 0.0
        late = now - self.last_round >= 2 * self.rtt - 1e-12
        self.begin_round(now if late else self.last_round + self.rtt)
        # nothing arrives that was sent faster than R: the last decrease has its effect
        if self.receiving(now) <= self.r:
            self.sent_by = 0.0
        self.r = max(self.r, min(grown, most))
        self.limit(p)
        self.decided(INCREASE)

    def reduce(self, to, rate, top):
        """But data of before the last decrease has had its answer: what is faster than R.

        It was sent by an R of top at most. What is faster than this is a burst of the pacer.
        """
        already = min(self.r, self.beta * min(rate, top))
        self.r = to if to > already else already

    def loss(self, p, marked, now):
        rate = self.rate_at_loss = self.receiving(now)
        self.before = self.r
        self.sent_by = max(self.sent_by, self.r)
        threshold = 0 if self.mean is None else self.mean - self.n * self.deviation
        if rate >= threshold and not marked:
            less = max(self.r - self.alpha_d * self.s / self.rtt, self.beta * self.r)
            self.event = RANDOM
        else:
            less = self.beta * self.r
            self.event = CONGESTION
        self.reduce(less, rate, self.sent_by)
        self.decided(self.event)
        if now - self.began < self.rtt - 1e-12:
            pass                                # a part of the first round trip: no epoch
        elif self.mean is None:
            self.mean, self.deviation = rate, rate / 2
        else:
            self.deviation += (abs(rate - self.mean) - self.deviation) * self.gain_deviation
            self.mean += (rate - self.mean) * self.gain_mean
        self.limit(p)
        self.begin_round(now)
        self.last = self.event

    def more_loss(self, p, marked, now):
        """of an event that was answered: a mark makes congestion of it"""
        self.begin_round(now)
        if marked and self.event == RANDOM:
            self.event = self.last = CONGESTION
            self.counts[RANDOM] -= 1
            self.counts[CONGESTION] += 1
            self.reduce(min(self.r, self.beta * self.before), self.rate_at_loss,
                        max(self.sent_by, self.before))
            self.limit(p)
        self.note(self.last)

    def timeout(self, now):
        self.r *= self.beta
        self.limit(0)
        self.sent_by = 0.0
        self.decided(TIMEOUT)
        self.quiet_since = now
        self.begin_round(now)

    def k(self):
        fit = [j for j, c in enumerate(self.layers, 1) if c <= self.r]
        return max(fit, default=min(1, len(self.layers)))

    def reported(self, now):
        """Leave at once; once there was a loss, join what has fit for the time of hold."""
        quiet = not any(self.counts.values())
        if self.k() <= self.joined or not self.joined or not self.hold or quiet:
            self.joined, self.since = self.k(), now
        elif now - self.since >= self.hold - 1e-12:
            self.joined, self.since = self.joined + 1, now
        return self.joined


def sequence(seed):
    """The model after a random sequence; see dvrc_test_sequence()."""
    rnd = Random(seed)
    m = Model(rnd)
    now = SECOND
    rtt = 1000 + rnd(300000)
    m.rtt, m.dev = rtt / 1e6, rnd(rtt // 4) / 1e6
    spread = 2 + rnd(rtt)
    for _ in range(STEPS):
        gap = 1 + rnd(spread)
        if rnd(32) == 0:
            gap *= 20
        if m.arrivals and not m.idle:
            for _ in range(6):
                at = m.quiet_since + m.dto()
                if m.r <= m.s / 64 or at > (now + gap * 1000) / SECOND:
                    break
                m.timeout(at)
        now += gap * 1000
        size = 1 + rnd(2 * m.s)
        m.arrival(size, rnd(4) == 0, now / SECOND)
        p = (1 + rnd(100000)) * P_ONE // 1000000
        marked = rnd(4) == 0
        if rnd(12) == 0:
            m.loss(p / P_ONE, marked, now / SECOND)
        elif rnd(12) == 0:
            m.more_loss(p / P_ONE, marked, now / SECOND)
        elif m.over(now / SECOND):
            m.increase(p / P_ONE if m.mean is not None else 0, now / SECOND)
        m.note(m.reported(now / SECOND))
        if rnd(20) == 0:
            rtt = 1000 + rnd(300000)
            m.rtt, m.dev = rtt / 1e6, rnd(rtt // 4) / 1e6
    return m


def rate(x):
    return min(max(int(x * RATE), 0), RATE_MAX)


def equations():
    times = [10**5, 1234567, 7 * 10**7, 10**8, 999999999, 10**10]
    print("static const struct dvrc_rtt_row dvrc_rtt_table[] = {")
    print("\t/* EstimatedRTT and Deviation before, SampleRTT; eq. 2, 4, 3; ns */")
    for before in times:
        for sample in times:
            for dev in 0, 3, 5 * 10**6, 10**9:
                rtt = int(GAMMA * before + (1 - GAMMA) * sample)
                new = int(EPSILON * dev + (1 - EPSILON) * abs(rtt - before))
                print("\t{ %dULL, %dULL, %dULL, %dULL, %dULL, %dULL }," %
                      (before, dev, sample, rtt, new, rtt + DELTA * new))
    print("};\n")
    print("static const struct dvrc_rate_row dvrc_rate_table[] = {")
    print("\t/* R times 2^16, s, RTT in ns, alpha, beta in 10^-3; the branches of eq. 11 */")
    for r in 16, 1000, 43210, 10**6, 24999999999:
        for s, rtt in (1, 10**10), (1000, 7 * 10**7), (1460, 2 * 10**8), (65535, 10**5):
            for alpha, beta in (1, 1), (1000, 500), (65535, 999):
                r_ = Fraction(r)
                step = Fraction(alpha, 1000) * s / Fraction(rtt, SECOND)
                hard = Fraction(beta, 1000) * r_
                print("\t{ %dULL, %d, %dULL, %d, %d, %dULL, %dULL, %dULL }," %
                      (r * RATE, s, rtt, alpha, beta, rate(r_ + step),
                       rate(max(r_ - step, hard)), rate(hard)))
    print("};\n")


def main():
    print("/* SPDX-License-Identifier: GPL-2.0-only */")
    print("/* Written by dvrc_kunit_gen.py. */")
    print("#define SEQUENCE_STEPS %d\n" % STEPS)
    equations()
    print("static const struct dvrc_sequence_row dvrc_sequence_table[] = {")
    print("\t/* R, mean, deviation times 2^16; K; decisions; random, congestion, timeouts */")
    total = {}
    for seed in range(SEQUENCES):
        m = sequence(seed)
        print("\t{ %dULL, %dULL, %dULL, %d, %dU, %d, %d, %d }," %
              (m.r * RATE, (m.mean or 0) * RATE, m.deviation * RATE, m.k(), m.decisions,
               m.counts[RANDOM], m.counts[CONGESTION], m.counts[TIMEOUT]))
        for key, count in m.counts.items():
            total[key] = total.get(key, 0) + count
    print("};")
    print("/* in all: %d random, %d congestion, %d timeouts */" %
          (total[RANDOM], total[CONGESTION], total[TIMEOUT]))


if __name__ == "__main__":
    main()
