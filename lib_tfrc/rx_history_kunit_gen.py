#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write rx_history_kunit_table.h: loss events of random flows, by brute force.

Follows the letter of RFC 5348, sections 5.1 to 5.3, and the rule of the recovery
point: it keeps each packet, and looks at all of them again with each arrival.

 5.1  A packet is lost as soon as three with higher numbers have arrived. A marked
      packet counts when it arrives, and what is missing below it comes first.
 5.2  A lost packet has the time that lies between S_before and S_after. It belongs
      to the loss event that began at T_old if T_old + R >= T_new.
      Recovery point: it also belongs to it if T_new is less than the time at which
      the first packet came that acknowledges a report on the event, but not if
      T_old + 4 R < T_new; all of this only once the sender has acknowledged the
      newest report that had something new to tell, and until a loss event begins
      when it has not acknowledged the report of the one before, which waited for that.
      And only if four packets or more had arrived within R when the event was detected.
 5.3  A loss interval is the distance of the first packets of two loss events.

A pause next to lost packets: 5.2 is for packets at equal distances, but a source of
video sends a frame and pauses. So the lost packets of a hole and the packet after them
are taken to be no more than 2 G apart, G being the longest gap seen lately.

 Gap  The time between the arrivals of two packets with consecutive numbers, if that is
      no more than R. Each one counts when the later packet is decided, in order of
      numbers: G = max(gap, G - floor(G / 32)), in ns, from 0 on. If two times in a
      row are longer than R, G is 0 again. When three packets
      above a hole decide it, the two gaps between these count as well, just before,
      once for the hole, and whatever numbers are missing between them.
 Hole All that is missing between S_before and S_after, which are D numbers and span
      apart. If G > 0 and floor(span / 2 G) >= D, then span' = 2 G D, else span' = span.
      Packet i of it has the early time T_before + span' i / D, and a late time, which
      is the pause, span - span', after that.
      The late times decide what belongs to the loss event before the hole; an event
      that begins in the hole is compared with the rest of it like with like. For what
      comes after the hole, the last event began at the early time of its first packet.
 Mark Without this rule: a mark has its time of arrival, and what is missing below one
      that comes while a hole is open has the time of 5.2. If it has begun an event above
      S_before, span' = span.

A flow is a string, with one packet each ms and R = 10 ms:

	.  received	x  lost		!  received with a mark
	A  received, acknowledges the newest report
	B  received, acknowledges the report before that
	r  no packet: the receiver sends a report
	_  no packet: a pause of one ms

usage: rx_history_kunit_gen.py > rx_history_kunit_table.h
"""

import random
from fractions import Fraction as F

R, LIMIT, MS = 10_000_000, 4 * 10_000_000, 1_000_000


class Model:
    def __init__(self):
        self.now = 0
        self.arrived = {}           # number: time
        self.marks = set()
        self.next = 0               # number of the next packet
        self.decided = -1
        self.starts, self.times = [], []    # of loss events
        self.reported = {}          # number of a report: loss events in it
        self.newest_news = None
        self.reports = 0
        self.dense = False
        self.answers, self.heard = False, {}    # number of events: time of that
        self.lost = self.marked = 0
        self.longest = 0            # G
        self.paused = False         # the last time was longer than R

    def gap(self, a, b):
        """The gap from packet a to b counts, if it does."""
        if a in self.arrived and b in self.arrived and \
                (gap := self.arrived[b] - self.arrived[a]) >= 0:
            if gap <= R:
                self.longest = max(gap, self.longest - self.longest // 32)
            elif self.paused:
                self.longest = 0
            self.paused = gap > R

    def time_of(self, n):
        """When n arrived or would have."""
        if n in self.arrived:
            return F(self.arrived[n])
        before = max(m for m in self.arrived if m < n)
        above = [m for m in self.arrived if m > n]
        after = min(above, key=lambda m: self.arrived[m])
        t0, t1 = self.arrived[before], self.arrived[after]
        return t0 + F((t1 - t0) * (n - before), after - before)

    def belongs(self, t):
        """Is a packet of this time of the loss event that there is?"""
        if not self.times:
            return False
        old = self.times[-1]
        if old + R >= t:
            return True
        if not self.answers or not self.dense or old + LIMIT < t:
            return False
        return t < self.heard.get(len(self.times), t + 1)

    def congestion(self, n, t=None):
        """n is lost or marked, at time t if the rule of the pause gives one."""
        if t is None:
            t = self.time_of(n)
        if not self.belongs(t):
            if self.dense and self.newest_news is not None and not self.heard_of_news and \
                    self.reported[self.newest_news] == len(self.times):
                self.answers = False
            self.dense = sum(self.now - R <= t for t in self.arrived.values()) >= 4
            self.starts.append(n)
            self.times.append(int(t))
            return True
        return False

    def hole(self, before):
        """What is missing above this one is lost."""
        above = sorted(m for m in self.arrived if m > before)[:3]
        for a, b in zip(above, above[1:]):
            self.gap(a, b)
        after, t0 = above[0], self.arrived[before]
        d, span = after - before, self.arrived[after] - t0
        g2 = 2 * self.longest
        marked = self.times and self.times[-1] > t0
        short = g2 * d if g2 and span // g2 >= d and not marked else span
        pause = span - short
        began = False
        for i in range(1, d):
            self.lost += 1
            began |= self.congestion(before + i, t0 + F(short * i, d) + pause)
        if began:
            self.times[-1] -= pause     # from late to early
        return after - 1

    def arrival(self, mark=False, ack=None):
        n = self.next
        self.next += 1
        self.now += MS
        self.arrived[n] = self.now
        self.marked += mark
        if ack is not None and self.newest_news is not None and \
                not self.heard_of_news and ack >= self.newest_news:
            self.heard_of_news = self.answers = True
            self.heard[self.reported[self.newest_news]] = self.now
        # What three above it have not brought back is lost, in order.
        while self.decided < n:
            m = self.decided + 1
            if m in self.arrived:
                self.gap(m - 1, m)
                if m in self.marks or (m == n and mark):
                    self.marks.discard(m)
                    self.congestion(m)
            elif sum(k > m for k in self.arrived) >= 3:
                m = self.hole(self.decided)
            else:
                break
            self.decided = m
        if mark and self.decided < n:
            self.marks.add(n)
            for m in range(self.decided + 1, n + 1):
                if (m not in self.arrived or m == n) and self.congestion(m):
                    break

    def report(self):
        if self.newest_news is None or len(self.times) > self.reported[self.newest_news]:
            self.newest_news, self.heard_of_news = self.reports, False
            self.reported[self.reports] = len(self.times)
        self.reports += 1

    def play(self, script):
        for c in script:
            if c == "x":
                self.next += 1
                self.now += MS
            elif c == "_":
                self.now += MS
            elif c == "r":
                self.report()
            else:
                self.arrival(c == "!", {"A": self.reports - 1,
                                        "B": self.reports - 2}.get(c))
        return self


def flow(rng, kind):
    """Three packets at the end decide all."""
    loss, mark, pause = {
        "losses": (.05, 0, 0), "bursts": (.3, 0, 0), "marks": (.03, .05, 0),
        "pauses": (.05, .02, .05), "outages": (.03, .02, .01)}[kind]
    out = [".r"]
    while len(out) < 300:
        x = rng.random()
        if kind == "outages" and rng.random() < .01:
            out.append("x" * rng.randrange(100))
        elif x < loss:
            out.append("x")
        elif x < loss + mark:
            out.append("!")
        elif x < loss + mark + pause:
            out.append("_" * rng.randrange(1, 20))
        elif rng.random() < .08:
            out.append("r")
        else:
            out.append(rng.choices(".AB", (12, 1, .3))[0])
    return "".join(out) + "..."


def frames(rng):
    """Frames and pauses: often the first or the last packets of a frame are lost."""
    out = ".r"
    while len(out) < 600:
        size = rng.randrange(4, 13)
        first = rng.randrange(1, 7) if rng.random() < .3 else 0
        last = rng.randrange(1, 7) if rng.random() < .3 else 0
        for i in range(size):
            if rng.random() < .08:
                out += "r"
            if i < first or i >= size - last or rng.random() < .02:
                out += "x"
            else:
                out += rng.choices(".AB!", (12, 1, .3, .6))[0]
        out += "_" * rng.randrange(15, 61)
    return out + "..."


def main():
    rng = random.Random(5348)
    print("/* SPDX-License-Identifier: GPL-2.0-only */")
    print("/* Generated by rx_history_kunit_gen.py: do not edit. */\n")
    print("static const struct row rows[] = {")
    for kind in "losses", "bursts", "marks", "pauses", "outages", "frames":
        for _ in range(12):
            script = frames(rng) if kind == "frames" else flow(rng, kind)
            m = Model().play(script)
            lens = [b - a for a, b in zip([0] + m.starts, m.starts)][::-1][:8]
            print(f"\t{{ /* {kind} */")
            for i in range(0, len(script), 60):
                print(f'\t\t"{script[i:i + 60]}"' + ("," if i + 60 >= len(script) else ""))
            print(f"\t\t{m.lost}, {m.marked}, {len(m.starts)}, {m.next - m.starts[-1]},")
            print(f"\t\t{{ {', '.join(map(str, lens))} }},")
            print("\t},")
    print("};")


if __name__ == "__main__":
    main()
