#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write raar_kunit_table.h: equations of RAAR, and random connections.

The equations are evaluated as printed, by mpmath with 40 digits. The connections
are played through by a second model of the receiver, in floating point, which
keeps all that ever happened where the kernel's keeps sums and rings: reports are
looked up in a list of all of them, receive rates are counted from a list of all
packets.

usage: raar_kunit_gen.py > raar_kunit_table.h
"""
import random

from mpmath import mp, mpf, nint

mp.dps = 40
RATE = 1 << 16
MS = 10**6
SEC = 10**9


# ---------------------------------------------------------------- equations

def alpha(beta):
    """eq. 1"""
    return mpf(4) * (1 - beta**2) / 3


def increase(beta, delta, wnd, s, rtt):
    """eq. 2"""
    return alpha(beta) * delta / wnd * s / rtt


def weight(i, n):
    """section III, B.4"""
    return mpf(1) if i <= mpf(n) / 2 else 1 - (i - mpf(n) / 2) / (mpf(n) / 2 + 1)


def smoothed(rates, n):
    """the newest first"""
    rates = rates[:n]
    weights = [weight(i, n) for i in range(1, len(rates) + 1)]
    return sum(w * r for w, r in zip(weights, rates)) / sum(weights)


def table(head, rows):
    print(f"\nstatic const struct {head} = {{")
    for row in rows:
        line = "\t{ " + ", ".join(row) + " },"
        print(line)
    print("};")


def u64(value):
    return f"{int(nint(value))}ULL"


def equations():
    table("{\n\tu32 beta;\n\tu64 alpha;\n} raar_alphas[]",
          [(str(b), u64(alpha(mpf(b) / 1000) * 2**32))
           for b in (0, 1, 125, 500, 750, 800, 875, 900, 999, 1000)])
    table("{\n\tu32 beta, delta, wnd, s;\n\tu64 rtt, rate;\n} raar_increases[]",
          [(str(b), str(d), str(w), str(s), f"{rtt}ULL",
            u64(increase(mpf(b) / 1000, mpf(d) / 1000, w, s, mpf(rtt) / SEC) * RATE))
           for b, d, w, s, rtt in ((875, 167, 10, 1000, 100 * MS), (875, 1000, 1, 1000, 100 * MS),
                                   (500, 1000, 7, 1460, 33 * MS), (999, 1, 1, 100, 10 * SEC),
                                   (1, 1000, 1, 65535, 10**4), (875, 100, 333, 1000, 71 * MS),
                                   (875, 167, 20000, 1400, 100 * MS))])
    rng = random.Random(1)
    rows = []
    for n in (1, 2, 3, 4, 7, 8, 15, 64):
        for known in {1, (n + 1) // 2, n}:
            rates = [rng.randrange(1, 10**9) for _ in range(known)]
            # the oldest first, as they are put in
            rows.append((str(n), str(known), u64(smoothed(rates, n) * RATE),
                         "{ " + ", ".join(str(r) for r in reversed(rates)) + " }"))
    table("{\n\tu32 n, known;\n\tu64 mean;\n\tu32 rates[64];\n} raar_means[]", rows)


# ---------------------------------------------------------------- connections

class Receiver:
    """RAAR's receiver as the paper and the documentation have it."""

    def __init__(self, par, s, rtt, now):
        self.par = par
        self.beta, self.delta, self.n, self.growth = par[0] / 1000, par[1] / 1000, par[2], \
            par[3] / 1000
        self.rtt, self.var = float(rtt), rtt / 2
        self.rate = self.stated = self.told = min(4 * s, max(2 * s, 4380)) / rtt * SEC
        self.slow = True
        self.rounds = [(0, now)]        # number of the report, when it began
        self.counts = [0]               # packets in each of them
        self.reports = {}               # number: (when, told, early)
        self.number = 0
        self.values = []                # of rate at the reports, the newest first
        self.arrivals = []              # [when, bytes], with pauses taken out
        self.begin = [now]              # of rounds, likewise
        self.last, self.removed = now, 0.0
        self.fresh = False

    def clock(self, now):
        return now - self.removed

    def received(self, now):
        """Over this round, or with those before it until it is (nearly) an RTT."""
        for back in range(1, min(len(self.begin), 4) + 1):
            start = self.begin[-back]
            span = self.clock(now) - start
            if span >= 0.75 * self.rtt:
                break
        if span < 0.75 * self.rtt:
            span = self.rtt
        return sum(b for t, b, mark in self.arrivals if mark >= len(self.begin) - back) \
            / span * SEC

    def loss(self, events, now):
        if self.slow:
            # nothing received yet: less than half
            received = self.received(now) if self.arrivals else 0
            self.rate = min(self.rate, self.stated, max(self.stated / 2, received))
        self.rate = max(self.rate * self.beta**events, 1 / 64)
        if self.slow:
            self.values = [self.rate] * self.n
        self.slow = False

    def candidates(self, ccval):
        return [n for n in range(self.rounds[-1][0] + 1, self.number + 1) if n % 16 == ccval]

    def packet(self, size, ccval, newest, option, grow, now):
        self.removed += max(now - self.last - self.rtt, 0)
        self.last = now
        self.arrivals.append((self.clock(now), size, len(self.begin) - 1))
        if newest:
            fit = self.candidates(ccval)
            if fit and (ccval - self.rounds[-1][0]) % 16:
                when, told, _ = self.reports[fit[-1]]
                self.rounds.append((fit[-1], now))
                self.counts.append(0)
                self.stated = told
                self.begin.append(self.clock(now))
                if option and len(fit) == 1 and now - when > option[1]:
                    sample = now - when - option[1]
                    self.var = 0.75 * self.var + 0.25 * abs(self.rtt - sample)
                    self.rtt = 0.875 * self.rtt + 0.125 * sample
            if option:
                self.stated = option[0]
        self.counts[-1] += 1
        self.fresh = True
        if grow:
            self.grow(size, now)

    def grow(self, size, now):
        limit = float("inf")
        if self.slow:
            grown = self.rate + size / self.rtt * SEC
        else:
            limit = self.growth * self.received(now)
            wnd = max(self.counts[-2:])
            grown = self.rate + float(alpha(self.beta)) * self.delta / wnd * size / self.rtt * SEC
        self.rate = max(min(grown, max(limit, self.rate)), size / 64)

    def wake(self):
        if self.rounds[-1][0] == self.number:
            return self.rounds[-1][1] + self.rtt
        return self.reports[self.number][0] + self.rtt + max(4 * self.var, 10 * MS)

    def due(self, now):
        if not self.fresh:
            return False
        if not self.reports or now >= self.wake():
            return True
        waiting = any(n > self.rounds[-1][0] for n, (_, _, early) in self.reports.items() if early)
        return self.rate < self.stated and not waiting

    def report(self, now):
        if self.slow:
            limit = self.growth * self.received(self.last)
            self.rate = min(self.rate, max(self.told * self.beta, limit))
        self.values.insert(0, self.rate)
        told = self.rate if self.slow else float(smoothed(self.values, self.n))
        self.told = told
        self.number += 1
        self.reports[self.number] = (now, told, self.rate < self.stated)
        self.fresh = False
        return told


PACKET, NEWEST, OPTION, LOSS, REPORT = 1, 2, 4, 8, 16


def connection(seed, par, length):
    """Packets and reports of a connection, and what the model makes of them."""
    rng = random.Random(seed)
    size, rtt, now = rng.randrange(200, 1500), rng.randrange(20, 80) * MS, 1000 * SEC
    r = Receiver(par, size, rtt, now)
    rows, back, taken, shown = [], [], 0, 0
    outage = 0
    previous = now

    def row(op, told=0, events=0, size=0, ccval=0, option=(0, 0)):
        nonlocal previous
        rows.append([str(now - previous), str(op), str(events), str(size), str(ccval),
                     u64(option[0] * RATE), f"{option[1]}ULL", u64(r.rate * RATE),
                     u64(told * RATE), u64(r.rtt), u64(r.var), str(r.rounds[-1][0]),
                     str(r.counts[-2] if len(r.counts) > 1 else 0),
                     str(int(r.due(now)))])
        previous = now

    while len(rows) < length:
        gap = rng.choice((1, 3, 3, 10, 10, 30)) * MS + rng.randrange(MS)
        if rng.random() < 0.01:
            gap += rng.randrange(SEC)
        # the timer may come first
        if r.fresh and r.wake() + 2 * MS < now + gap:
            now = max(int(r.wake()) + MS, now + 1)
            told = r.report(now)
            back.append((now + rng.randrange(rtt // 4, rtt), r.number))
            row(REPORT, told)
            continue
        now += gap
        if not outage and rng.random() < 0.004:
            outage = 60
        outage = max(outage - 1, 0)
        for when, number in [b for b in back if b[0] <= now - rtt // 4]:
            back.remove((when, number))
            # lost now and then; what was overtaken is ignored
            if number > taken and not outage and rng.random() < 0.85:
                taken, arrived = number, when
        op, option, ccval, events = PACKET | NEWEST, (0, 0), taken % 16, 0
        if taken != shown:
            waited = now - rtt // 4 - arrived
            told = r.reports[taken][1]
            if rng.random() < 0.85:
                # whole bytes/s, as on the wire
                option = (int(told * rng.choice((1, 1, 0.5))), waited)
                op |= OPTION
            shown = taken
        elif rng.random() < 0.02:
            # a cut of the sender's own
            option = (int(r.stated * 0.875), rng.randrange(SEC))
            op |= OPTION
        if rng.random() < 0.04:
            op, ccval = PACKET, (taken - 1) % 16
            option = (0, 0)
        if rng.random() < 0.03:
            op |= LOSS
            events = rng.choice((1, 1, 1, 3, 100))
            r.loss(min(events, 64), now)
        bytes_ = rng.choice((size, size, size // 2))
        r.packet(bytes_, ccval, bool(op & NEWEST), option if op & OPTION else None,
                 not events, now)
        row(op, 0, events, bytes_, ccval, option)
        if r.due(now):
            told = r.report(now)
            back.append((now + rng.randrange(rtt // 4, rtt), r.number))
            row(REPORT, told)
    return size, rtt, rows


def connections():
    flows, rows = [], []
    for seed, par, length in ((1, (875, 167, 8, 2000), 400), (2, (500, 1000, 7, 1500), 400),
                              (3, (950, 100, 1, 65535), 250), (4, (875, 500, 64, 1000), 250)):
        size, rtt, steps = connection(seed, par, length)
        flows.append((*map(str, par), str(size), f"{rtt}ULL", str(len(steps))))
        rows += steps
    table("{\n\tu16 beta, delta, smoothing, growth;\n\tu32 s;\n\tu64 rtt;\n\tu32 steps;\n"
          "} raar_flows[]", flows)
    table("{\n\tu32 gap;\n\tu8 op, events;\n\tu16 len;\n\tu8 ccval;\n\tu64 stated, waited;\n"
          "\tu64 rate, told, srtt, rttvar;\n\tu32 round, wnd;\n\tbool due;\n} raar_steps[]", rows)


if __name__ == "__main__":
    print("/* SPDX-License-Identifier: GPL-2.0-only */")
    print("/* Written by raar_kunit_gen.py */")
    equations()
    for name in ("PACKET", "NEWEST", "OPTION", "LOSS", "REPORT"):
        print(f"{'' if name != 'PACKET' else chr(10)}#define STEP_{name}\t{globals()[name]}")
    connections()
