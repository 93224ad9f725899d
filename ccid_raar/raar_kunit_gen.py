#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write raar_kunit_table.h: equations of RAAR, and random connections.

The equations are evaluated as printed, by mpmath with 40 digits. The connections
are simulated, sender, path and receiver, by a model that was written from the text
of the paper's section III, in floating point. It has round numbers of any size, the
rate of the sender in each packet, and a list of all reports, where the kernel has
four bits, an option in some packets, and rings.

usage: raar_kunit_gen.py > raar_kunit_table.h
"""
import collections
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
#
# Section III of the paper, a connection as it describes it: each packet carries the
# number of its round and the sender's rate. What it leaves open is marked "open", and
# decided as in Documentation/explanation/raar.rst. The guards (par.guards) replace single rules.

class Receiver:
    """III, B"""

    def __init__(self, par, size, rtt, now):
        self.par = par
        self.rtt, self.var = float(rtt), rtt / 2            # open: until the first sample
        self.sampled = False
        self.rate = min(4 * size, max(2 * size, 4380)) / rtt * SEC      # open: RFC 3390
        self.slow_start = True
        self.wnd = self.dy_wnd = 0
        self.round = 0
        self.history = []               # r(i), the latest first
        self.sent = {}                  # t_0 of each report
        self.early = set()              # reports that were early ones
        self.number = 0
        self.round_timer = now          # when it was started
        self.expired = False            # it has expired, and a report was made
        self.event_timer = None         # T of B.2
        self.carried = self.rate        # rate in the latest packet
        self.news = False

    def arrival(self, now, size, number, first, rate, lost, events):
        """A data packet; lost: some are missing before it."""
        event = lost and self.loss_event(now, events)
        if number != self.round:
            self.wnd, self.dy_wnd = self.dy_wnd, 1
            self.round, self.round_timer, self.expired = number, now, False
            if first:
                self.sample(now - self.sent[number])
        else:
            self.dy_wnd += 1
        self.carried = rate
        self.news = True
        if event:
            return
        if self.slow_start:
            self.rate += size / self.rtt * SEC
        else:
            wnd = self.wnd or self.dy_wnd           # open: the first round
            if self.par.guards:
                wnd = max(self.wnd, self.dy_wnd)
            self.rate += float(increase(self.par.beta, self.par.delta, wnd, size,
                                        self.rtt / SEC))

    def loss_event(self, now, events):
        """B.2, B.1: T is started by the first loss; what follows in it belongs to that."""
        if not self.par.guards:
            events = self.event_timer is None or now >= self.event_timer + self.rtt
        if events:
            self.event_timer = now
            self.slow_start = False
            self.rate *= self.par.beta ** min(events, 64)
        return bool(events)

    def sample(self, rtt):
        """B.3; open: the first sample and the gains, of RFC 6298"""
        if not self.sampled:
            self.rtt, self.var, self.sampled = rtt, rtt / 2, True
            return
        self.var += (abs(rtt - self.rtt) - self.var) / 4
        self.rtt += (rtt - self.rtt) / 8

    def rto(self):
        """B.3; open: the clock's granularity"""
        return self.rtt + max(4 * self.var, 10 * MS)

    def is_early(self):
        """III, condition 1; open: how many reports may be under way"""
        if self.par.guards:
            return self.rate < self.carried and not any(n > self.round for n in self.early)
        return self.rate < self.carried and self.number - self.round < 15

    def deadline(self):
        """III, condition 2, the timer of the round; open: when a report is repeated"""
        waiting = self.number != self.round
        if self.par.guards:
            by_round = not waiting
        else:
            by_round = self.round and not self.expired or not waiting
        # open: no wait is longer than 2 s, while fewer than 15 reports are under way
        most = 2 * SEC if self.number - self.round < 15 else float("inf")
        return (self.round_timer + min(self.rtt, 2 * SEC) if by_round else
                self.sent[self.number] + min(self.rto(), most))

    def due(self, now):
        """Nothing new, nothing to report. The first packet is reported (open)."""
        return self.news and (not self.number or self.is_early() or now >= self.deadline())

    def report(self, now):
        """B.4"""
        if now >= self.round_timer + self.rtt:
            self.expired = True
        self.history.insert(0, self.rate)
        self.number += 1
        self.sent[self.number] = now
        if self.rate < self.carried:
            self.early.add(self.number)
        self.news = False
        # B.1: in slow start rate_ itself
        return self.rate if self.slow_start else float(smoothed(self.history, self.par.n))


class Sender:
    """III, A"""

    def __init__(self, rate, now):
        self.rate, self.round = rate, 0
        self.last, self.heard = now, now
        self.first = self.changed = True
        self.rto = None

    def take(self, number, rate, rto, now):
        """An ACK begins a round."""
        if number > self.round:
            self.round, self.rate, self.rto = number, rate, rto
            self.heard = now
            self.first = True

    def silence(self, now, beta):
        """A.2"""
        if self.rto and now > self.heard + 2 * self.rto:
            self.rate *= beta
            self.heard = now
            self.changed = True


Par = collections.namedtuple("Par", "beta delta n guards loss")
PACKET, OPTION, LOSS, REPORT = 1, 2, 4, 8


def connection(seed, par, length):
    """A connection over a path that delays and loses both ways."""
    rng = random.Random(seed)
    size, rtt, now = rng.randrange(200, 1500), rng.randrange(20, 80) * MS, 1000 * SEC
    start = now
    r = Receiver(par, size, rtt, now)
    s = Sender(r.rate, now)
    rows, acks = [], []
    previous, lost, silent, last_arrival = now, False, False, now
    bound = 0

    def row(op, requested=0, events=0, len_=0, stated=0, number=0):
        nonlocal previous
        wake = r.deadline() - start if r.news and r.number else 0
        rows.append([str(now - previous), str(op), str(events), str(len_), str(number % 16),
                     u64(stated * RATE), u64(r.rate * RATE), u64(requested * RATE), u64(r.rtt),
                     u64(r.var), u64(max(wake, 0)), str(r.round), str(r.wnd),
                     str(int(bool(r.due(now))))])
        previous = now

    def report():
        nonlocal bound
        early = r.rate < r.carried
        requested = r.report(now)
        if rng.random() < 0.95 and not silent:
            acks.append((now + rng.randrange(rtt // 3, rtt // 2), r.number, requested, r.rto()))
        row(REPORT, requested)
        bound += early and r.number - r.round == 15

    while len(rows) < length:
        # the sender's next packet leaves; reports may come in before
        while True:
            leaves = s.last + size / s.rate * SEC
            coming = [a for a in acks if a[0] <= max(leaves, s.last)]
            if not coming:
                break
            when, number, requested, rto = coming[0]
            acks.remove(coming[0])
            s.take(number, requested, rto, when)
            s.last = max(s.last, when - size / s.rate * SEC)
        leaves = int(leaves) + 1
        s.silence(leaves, par.beta)
        s.last = leaves
        # reports are lost for a while; open: beyond 15 of them CCVal can fit two
        if r.number - r.round >= 12 or silent and rng.random() < 0.1:
            silent = False
        elif rng.random() < 0.01:
            silent = True
        carries, number, first, changed = s.rate, s.round, s.first, s.first or s.changed
        s.first = s.changed = False
        if rng.random() < par.loss:
            lost = True
            continue
        arrives = max(leaves + rng.randrange(rtt // 2, rtt // 2 + 2 * MS), now + 1)
        while r.news and r.number and r.deadline() + 2000 < arrives:
            now = max(int(r.deadline()) + 2000, now + 1)
            report()
        now = arrives
        events = 0
        if lost:
            events = int((now - last_arrival) // r.rtt)
            if r.event_timer is None or now > r.event_timer + r.rtt:
                events += 1
        last_arrival = now
        r.arrival(now, size, number, first, carries, lost, events)
        row(PACKET | OPTION * changed | LOSS * lost, 0, events, size, carries * changed, number)
        lost = False
        if r.due(now):
            report()
    return size, rtt, rows, bound


def connections():
    """The flows, and their steps one after the other."""
    flows, rows, bound = [], [], 0
    for seed, par, length in ((1, Par(0.875, 0.167, 8, False, 0.01), 450),
                              (2, Par(0.5, 1, 7, False, 0.02), 250),
                              (3, Par(0.95, 0.1, 1, False, 0.1), 250),
                              (7, Par(0.875, 0.167, 8, True, 0.06), 400),
                              (5, Par(0.875, 0.5, 64, True, 0.15), 200)):
        size, rtt, steps, reached = connection(seed, par, length)
        flows.append((str(round(par.beta * 1000)), str(round(par.delta * 1000)), str(par.n),
                      str(int(par.guards)), str(size), f"{rtt}ULL", str(len(steps))))
        rows += steps
        bound += reached
    assert bound, "no flow had 15 reports under way"
    table("{\n\tu16 beta, delta, smoothing;\n\tbool guards;\n\tu32 s;\n\tu64 rtt;\n"
          "\tu32 steps;\n} raar_flows[]", flows)
    table("{\n\tu32 gap;\n\tu8 op, events;\n\tu16 len;\n\tu8 ccval;\n\tu64 stated;\n"
          "\tu64 rate, requested, srtt, rttvar, wake;\n\tu32 round, wnd;\n\tbool due;\n"
          "} raar_steps[]", rows)


if __name__ == "__main__":
    print("/* SPDX-License-Identifier: GPL-2.0-only */")
    print("/* Written by raar_kunit_gen.py */")
    equations()
    for name in ("PACKET", "OPTION", "LOSS", "REPORT"):
        print(f"{'' if name != 'PACKET' else chr(10)}#define STEP_{name}\t{globals()[name]}")
    connections()
