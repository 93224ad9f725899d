#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Time: a day of changing links, clock steps, the ends of all counters, extremes.

A day of virtual time for each CCID, which takes minutes, is

    lab/run --timeout 7200 -- env HOURS=24 selftests/clocks.py "hours of"

SEED=N makes another day. The default of HOURS is half an hour. The guest must have virtual
time.
"""
import contextlib
import ctypes
import os
import random
import socket
import time

from capture import Capture, data_packets
from lib import (CCID, QPOLICY_TXQLEN, SCHEMES, Network, accept, at_end, ccids, check,
                 check_equal, ip, libc, load, main, note, rx_info, sysctl, test, tx_info)
from schemes import ctfaf_tx, dvrc_rx

HOURS = float(os.environ.get("HOURS", "0.5"))
SEED = os.environ.get("SEED", "1")
SIZE = 500
WRAP = 1 << 48                          # of sequence numbers
TIMESTAMPS = (1 << 32) * 10e-6          # s until they wrap
ADJ_SETOFFSET, ADJ_NANO = 0x0100, 0x2000
ENDLESS = 1 << 30                       # tests last for days of their own time
PATIENT = 255                           # retries2: a silent peer is given up after 4.5 hours
T_MBI = 64                              # s: the least rate is a packet in this time


class Flow:
    """A connection from client to server. send() and recv() do not block."""

    def __init__(self, net, scheme, queue=100, dvrc=(), **ctfaf):
        load(scheme.module)
        ask = [(CCID, ccids(scheme.ccid)), (QPOLICY_TXQLEN, queue)]
        client, server = [], []
        if scheme.name == "ctfaf":      # its first rate is not one that it measures
            client = [(scheme.tx_option, ctfaf_tx(**{"r_start": 100 * SIZE} | ctfaf))]
        if scheme.name == "dvrc":
            server = [(scheme.rx_option, dvrc_rx(**dict(dvrc)))]
        self.c, self.s = net.pair(client=ask + client, server=ask + server)
        self.buffer = bytearray(65536)
        for end in self.c, self.s:
            end.setblocking(False)

    def close(self):
        self.c.close()
        self.s.close()

    def sender(self):
        return tx_info(self.c)

    def receiver(self):
        return rx_info(self.s)

    def offer(self, size=SIZE):
        """Send a packet, or drop it if the queue is full. True if it was queued."""
        try:
            while self.s.recv_into(self.buffer):
                pass
        except BlockingIOError:
            pass
        try:
            self.c.send(bytes(size))
            return True
        except BlockingIOError:
            return False

    def stream(self, seconds, rate, size=SIZE):
        """Send evenly, so many packets a second. Returns how many were queued."""
        start, count = time.monotonic(), 0
        for n in range(round(seconds * rate)):
            time.sleep(max(0, start + n / rate - time.monotonic()))
            count += self.offer(size)
        time.sleep(max(0, start + seconds - time.monotonic()))
        return count


def delay(seconds, end="client", rate=0, loss=0):
    """What goes to an end; without a rate there is no limit. All is said: tc keeps the rest."""
    Network.shape(end, f"netem limit 1000 delay {seconds * 1e6:.0f}us rate {rate:.0f}bit "
                       f"loss {loss:.4f}%")


# ---------------------------------------------------------------- a day

class Day:
    """One connection over links that change, with an application that changes."""

    def __init__(self, scheme):
        self.scheme, self.rng = scheme, random.Random(f"{SEED} {scheme}")
        self.net = Network()
        self.flow = Flow(self.net, scheme)
        self.flow.offer()
        self.phases = self.silent = self.least = self.reports = 0

    def log(self, low, high):
        """A random number between these two, with a uniform logarithm."""
        return low * (high / low) ** self.rng.random()

    def phase(self):
        """A random link and a random use of it. Returns the seconds that it takes."""
        rng = self.rng
        rtt, rate = self.log(10e-6, 10), self.log(64e3, 1e10)
        loss = rng.choice([0, 0, self.log(0.01, 30), 100])
        kind = rng.choice(["sleep", "trickle", "stream", "greedy"])
        seconds = self.log(10, 3600)
        delay(rtt / 2)
        delay(rtt / 2, "server", rate, loss)
        before, start = (self.flow.sender(), self.flow.receiver()), time.monotonic()
        if kind == "sleep":
            time.sleep(seconds)
        elif kind == "trickle":
            self.flow.stream(seconds, 1 / self.log(1, 64))
        elif kind == "stream":
            self.flow.stream(min(seconds, 600), self.log(1, 20))
        else:
            self.greedy(min(seconds, 300))
        took = time.monotonic() - start
        self.judge(before, took, f"{kind} for {took:.0f} s, RTT {rtt:.6f} s, "
                                 f"{rate / 1000:.0f} kbit/s, {loss:.2f} % lost")
        return took

    def greedy(self, seconds, packets=2000):
        """Send as many packets as the queue takes, up to a number."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and packets > 0:
            if self.flow.offer():
                packets -= 1
            else:
                time.sleep(0.01)

    def judge(self, before, took, what):
        """Rules that must hold after each phase."""
        (before, had), now, has = before, self.flow.sender(), self.flow.receiver()
        self.phases += 1
        self.silent += now.nofeedbacks - before.nofeedbacks
        self.reports += now.feedbacks - before.feedbacks
        least = now.mean_size // T_MBI
        self.least += now.x <= least + 1
        check(now.x >= least, f"X {now.x} is below a packet in 64 s: {what}")
        check(100_000 <= now.rtt_ns <= 10**10, f"R {now.rtt_ns} ns: {what}")
        check(now.p_ppb <= 10**9, f"p {now.p_ppb} / 10^9: {what}")
        check(now.packets_lost <= now.packets_sent, f"{now.packets_lost} lost: {what}")
        # No timer runs wild: a report for each packet, a timeout for each 50 ms at most.
        reports, arrived = (getattr(has, name) - getattr(had, name)
                            for name in ("feedbacks", "packets_received"))
        check(reports <= arrived + 200, f"{reports} reports on {arrived} packets: {what}")
        check(now.nofeedbacks - before.nofeedbacks <= took / 0.05 + 1, f"timeouts: {what}")

    def good_link(self):
        """A good link, after any phase: R must become right, and all packets must arrive."""
        rtt = 0.05
        delay(rtt)
        delay(0, "server", 1e9)     # without a rate packet pairs would tell CTFAF nothing
        # At the least rate a packet waits for 64 s, and from R = 10 s on a report comes in
        # 10 s and takes a tenth off.
        start = time.monotonic()
        while (now := self.flow.sender()).x < 40 * SIZE or abs(now.rtt_ns / 1e9 / rtt - 1) > 0.1:
            check(time.monotonic() < start + 30 * T_MBI,
                  f"after {30 * T_MBI} s R is {now.rtt_ns} ns, not 50 ms, X {now.x}")
            self.flow.stream(10, 20)
        time.sleep(10)
        before, arrived = self.flow.sender(), self.flow.receiver().packets_received
        taken = self.flow.stream(10, 20)
        time.sleep(10)
        now = self.flow.sender()
        check_equal(taken, 200, "packets taken on a good link")
        check_equal(now.packets_sent - before.packets_sent, 200, "packets sent")
        check_equal(self.flow.receiver().packets_received - arrived, 200, "packets received")
        check(abs(now.rtt_ns / 1e9 / rtt - 1) < 0.1, f"R {now.rtt_ns} ns, not 50 ms")


@test("hours of changing links, pauses and sleeps", None, SCHEMES, ENDLESS)
def day(scheme):
    it, start, shown = Day(scheme), time.monotonic(), 0
    while (hours := (time.monotonic() - start) / 3600) < HOURS:
        end = time.monotonic() + 3600 / 2
        while time.monotonic() < end:
            it.phase()
        it.good_link()
        if hours >= shown + 4:
            note(f"{scheme}: {hours:.1f} hours")
            shown = hours
    now = it.flow.sender()
    note(f"{hours:.1f} hours, {it.phases} phases, {now.packets_sent} packets sent, "
         f"{it.flow.receiver().packets_received} received, {it.reports} reports, "
         f"{it.silent} timeouts, {it.least} phases ended at the least rate")


# ---------------------------------------------------------------- clocks and counters

def align():
    """Continue shortly after a jiffy, so that no timer of the kernel is due at the same time."""
    time.sleep(2 - time.monotonic() % 1)
    time.sleep(1.0033 - time.monotonic() % 1)


RATES = 4           # the first values of a step, which are no counters


def lengthen(scheme):
    """The path of play(). A round of RAAR must not begin just when a packet comes."""
    delay(0.0440 if scheme.name == "raar" else 0.043)
    delay(0, "server", 1e6)


def play(net, scheme, meanwhile=lambda seconds: None):
    """The same sequence each time: packets, losses, a pause. Returns the state after each step.

    meanwhile is called with the seconds that have passed.
    """
    net.lose(17)
    # A microsecond must decide nothing: neither whether a packet is in CTFAF's report (they
    # come each 20 ms, it after 20 packets at X, which are 190 ms at first), nor what DVRC
    # takes a loss for.
    flow = Flow(net, scheme, interval=110, r_start=52600, dvrc={"n": 65535})
    seen, start = [], time.monotonic()
    for step in range(200):
        meanwhile(step / 10)
        if step == 100:
            time.sleep(7)
            start += 7
        for n in range(5):
            flow.offer()
            time.sleep(max(0, start + step / 10 + (n + 1) / 50 - time.monotonic()))
        # Nothing arrives or is sent just now, and nothing is under way.
        a, b = flow.sender(), flow.receiver()
        seen.append((a.x, a.x_calc, a.rtt_ns, a.p_ppb, a.packets_sent, a.packets_lost,
                     a.feedbacks, a.nofeedbacks, b.packets_received, b.packets_lost,
                     b.loss_events, b.feedbacks))
    flow.close()
    time.sleep(70)              # TIMEWAIT
    return seen


def same(seen, expected, what):
    """Two runs must be equal, except for the time that reading a clock takes in UML.

    A packet may leave at the moment when the counters are read; then one run has it a step
    later. If counters differ by one packet and its report, they must be equal again after
    the next step.
    """
    late, worst = [], 0
    for step, (a, b) in enumerate(zip(seen, expected)):
        if a[RATES:] != b[RATES:]:
            check(all(abs(x - y) <= 1 for x, y in zip(a[RATES:], b[RATES:])) and
                  step - 1 not in late and len(late) < 4,
                  f"{what}, step {step}, counters: {a[RATES:]}, expected {b[RATES:]}")
            late.append(step)
            continue
        for x, y in zip(a[:RATES], b[:RATES]):
            check(abs(x - y) <= max(x, y) / 1000, f"{what}, step {step}: {a}, expected {b}")
            worst = max(worst, abs(x - y) / max(x, y, 1))
    note(f"{what}: {len(late)} packets at another step, rates differ by at most {worst:.1e}")
    check(expected[-1][5] > 20 and expected[-1][6] > 4, f"nothing happened: {expected[-1]}")


class Timex(ctypes.Structure):
    """struct timex, as far as it is used here."""
    _fields_ = [("modes", ctypes.c_uint), ("pad", ctypes.c_int), ("offset", ctypes.c_long * 8),
                ("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long),
                ("rest", ctypes.c_long * 32)]


def adjust(seconds):
    timex = Timex(modes=ADJ_SETOFFSET | ADJ_NANO, seconds=seconds)
    check(libc.adjtimex(ctypes.byref(timex)) >= 0, "adjtimex failed")


def keep_clock():
    """Restore the time of day at the end of the test."""
    offset = time.time_ns() - time.monotonic_ns()
    at_end.append(lambda: time.clock_settime_ns(time.CLOCK_REALTIME,
                                                time.monotonic_ns() + offset))


@test("the time of day jumps while data flows: nothing changes", None, SCHEMES, ENDLESS)
def steps(scheme):
    net = Network()
    lengthen(scheme)
    keep_clock()
    align()
    expected = play(net, scheme)

    def jump(seconds):
        n = round(seconds * 10)
        if n % 7 == 0:
            time.clock_settime(time.CLOCK_REALTIME,
                               (86400, 2**31 - 1, 1e9, 4e9, 1.7e9)[n // 7 % 5])
        elif n % 7 == 3:
            adjust(3600 if n % 2 else -3600)
    align()
    same(play(net, scheme, jump), expected, "while the clock jumps")


@test("the time of day jumps during a handshake", None, SCHEMES)
def handshake_step(scheme):
    keep_clock()
    for jump in 3600, -3600:
        net = Network()
        delay(0.2)
        delay(0.2, "server")
        load(scheme.module)
        ask = [(CCID, ccids(scheme.ccid))]
        listener = net.listen(options=ask)
        c = net.open("client", options=ask)
        c.setblocking(False)
        c.connect_ex((net.address("server", socket.AF_INET), 5001))
        time.sleep(0.3)
        adjust(jump)
        time.sleep(0.3)
        handshake_rtt(c, accept(listener), 0.4)


def handshake_rtt(c, s, rtt):
    """The first packet uses the RTT of the handshake, in both directions."""
    for end in c, s:
        end.setblocking(False)
        end.send(bytes(SIZE))
        got = tx_info(end).rtt_ns / 1e9
        check(abs(got / rtt - 1) < 0.01, f"R {got} s, not {rtt} s: X {tx_info(end).x}")


def option(dccp, number):
    """Value of an option of a Request."""
    area = dccp[20:dccp[4] * 4]
    while area:
        size = 1 if area[0] < 32 else area[1]
        if area[0] == number:
            return area[2:size]
        area = area[size:]
    return None


def latest(capture):
    """The last captured packet, without its IP header."""
    return list(capture.packets())[-1][1][34:]


def ccid3(net, queue):
    """A connection with the kernel's own CCID 3."""
    ask = [(CCID, ccids(3)), (QPOLICY_TXQLEN, queue)]
    return net.pair(client=ask, server=ask)


def send_quickly(c, size, count):
    """Fails if the kernel calls CCID 3 again and again and does nothing else."""
    before = time.monotonic()
    for _ in range(count):
        with contextlib.suppress(BlockingIOError):
            c.send(bytes(size), socket.MSG_DONTWAIT)
    time.sleep(0.1)
    took = time.monotonic() - before
    check(took < 1, f"the kernel was busy for {took:.1f} s")


@test("CCID 3: the time of day is set back by more than its packets may wait", timeout=1000)
def ccid3_step():
    keep_clock()
    net = Network()
    delay(0.05)
    c, s = ccid3(net, 100)
    send_quickly(c, SIZE, 20)
    time.sleep(1)
    adjust(-100)
    send_quickly(c, SIZE, 20)
    # It goes by the time of day, and waits until that is where it was.
    s.settimeout(200)
    for _ in range(40):
        check_equal(len(s.recv(2000)), SIZE, "bytes of a packet")


@test("CCID 3: at the least rate packets grow, and the next is due after minutes", timeout=9000)
def ccid3_least():
    net = Network()
    sysctl("default.retries2", PATIENT)
    delay(0.05)
    c, s = ccid3(net, 1)
    for _ in range(20):                 # some reports, and so a long nofeedback timer
        send_quickly(c, 20, 1)
    delay(0.05, "server", loss=100)
    for second in range(1200):          # its nofeedback timer halves the rate
        send_quickly(c, 20 if second < 600 else 1400, 1)
        time.sleep(1)
    delay(0.05, "server")
    s.setblocking(False)
    for second in range(7200):
        send_quickly(c, 1400, 1)
        time.sleep(1)
        with contextlib.suppress(BlockingIOError):
            if len(s.recv(2000)) == 1400:
                note(f"the first one came after {second} s")
                return
    check(False, "none came")


@test("Timestamps wrap after 11.9 hours, during a handshake", None, SCHEMES[:1], ENDLESS)
def timestamps_wrap(scheme):
    net = Network()
    delay(0.2)
    delay(0.2, "server")
    capture = Capture(only=("Request",))
    flow = Flow(net, scheme)
    stamp = int.from_bytes(option(latest(capture), 41), "big")
    flow.close()
    # Until both ends had it 0.6 s have passed. The next one begins 0.2 s before they wrap.
    time.sleep(TIMESTAMPS - stamp * 10e-6 - 0.8)
    flow = Flow(net, scheme)
    stamp = int.from_bytes(option(latest(capture), 41), "big")
    check(2**32 - stamp < 40000, f"Timestamp {stamp}, which does not wrap soon")
    handshake_rtt(flow.c, flow.s, 0.4)


class Wrapping(Network):
    """Its client always has the same port."""

    def open(self, end, family=socket.AF_INET, options=()):
        s = super().open(end, family, options)
        if end == "client":
            s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            s.bind((self.address(end, family), 4000))
        return s


@test("sequence numbers wrap: nothing changes", None, SCHEMES, ENDLESS)
def sequence_wrap(scheme):
    """The first one is a hash of addresses and ports, plus the time of day in ns."""
    net = Wrapping()
    lengthen(scheme)
    keep_clock()
    captures = (Capture("client", only=("Request",)), Capture("server", only=("Response",)))
    syncs = Capture(only=("Sync", "SyncAck"))

    def at(start):
        """Play the sequence from this time of day on. Returns the states and the first numbers."""
        align()
        time.clock_settime_ns(time.CLOCK_REALTIME, start)
        return play(net, scheme), [int.from_bytes(latest(c)[10:16], "big") for c in captures]

    start = time.time_ns()
    expected, issued = at(start)
    for n, kind in enumerate(("client", "server")):
        # Looking at a clock takes 256 ns of virtual time, and the kernel looks at it once or
        # twice more in some runs. A run succeeds if it takes as long as the one before.
        for _ in range(60):
            start += (WRAP - 150 - issued[n]) % WRAP
            seen, issued = at(start)
            if 0 < WRAP - issued[n] < 200:
                break
        note(f"the {kind} begins with 2^48 - {WRAP - issued[n]}")
        check(0 < WRAP - issued[n] < 200, "it does not wrap in this run")
        same(seen, expected, f"when the {kind}'s wrap")
    check_equal(len(list(syncs.packets())), 0, "Sync and SyncAck packets")


# ---------------------------------------------------------------- extremes

@test("round-trip times from 100 us to 10 s", None, SCHEMES, ENDLESS)
def round_trips(scheme):
    """A stream below its rate: R must be right.

    The handshake is over a path that takes longer: what it measured, in ticks of 10 us,
    must not count 40 reports later.
    """
    result = []
    least = 20 if scheme.rounds else 40 * 5     # CTFAF reports each 5 s
    for rtt in 100e-6, 1e-3, 0.1, 10:
        net = Network()
        delay(rtt)
        delay(rtt, "server")
        flow = Flow(net, scheme)
        flow.offer()
        time.sleep(3 * rtt)
        delay(rtt / 2)
        delay(rtt / 2, "server")
        rate = 5 if rtt > 1 else 50
        flow.stream(max(60 * rtt, least), rate)
        x = flow.sender().x
        time.sleep(20 + 2 * rtt)
        info = flow.sender()
        result.append(f"{rtt * 1e6:.0f}: {info.rtt_ns / 1000:.1f}")
        check(abs(info.rtt_ns / 1e9 - rtt) < max(0.1 * rtt, 2e-6),
              f"R {info.rtt_ns / 1e9:.6f} s, not {rtt} s")
        check(x >= rate * SIZE, f"RTT {rtt}: the stream is held back, X {x}")
        check_equal(flow.receiver().packets_received, info.packets_sent, "packets received")
    note(f"R, us: {', '.join(result)}")


@test("the round-trip time jumps from 100 us to 10 s and back: R follows", None, SCHEMES, ENDLESS)
def jumps(scheme):
    """By up to a hundred thousand, both ways, at 50 packets/s or as many as there may be.

    How long it takes depends on how many reports there are, which may be one in 64 s: R is a
    mean of which a sample is a tenth. From 10 s to within 10 us takes 132 reports; up, while the
    history has no packet as old as R, each raises R by a fifth, which takes 64, and 22 more for
    the mean. There are up to 50 in a second, which is how often it is looked at, and some are of
    packets that were sent before.

    RAAR's receiver reports by a timer, and keeps a packet for up to 20 ms here, until the next
    one. Of that time the sender believes half.
    """
    net, took = Network(), []
    kept = 0.02 if scheme.name == "raar" else 0
    delay(5e-6)
    delay(5e-6, "server")
    flow = Flow(net, scheme, queue=10)
    flow.stream(5, 50)
    for rtt in 10, 100e-6, 0.05, 10, 0.05, 100e-6:
        delay(rtt / 2)
        delay(rtt / 2, "server")
        start, before = time.monotonic(), flow.sender().feedbacks
        while abs(flow.sender().rtt_ns / 1e9 - rtt) > max(0.1 * rtt, 2e-6, kept / 2):
            reports = flow.sender().feedbacks - before
            check(reports <= 132 + 2 * 50 and time.monotonic() < start + 7200,
                  f"after {reports} reports and {time.monotonic() - start:.0f} s R is "
                  f"{flow.sender().rtt_ns / 1e9:.6f} s, not {rtt} s")
            flow.stream(1, 50)
        took.append(f"{rtt * 1e6:.0f} us after {time.monotonic() - start:.0f} s and "
                    f"{flow.sender().feedbacks - before} reports")
    note(f"R is {', '.join(took)}")


def departures(capture):
    """When data left, in s."""
    return [t / 1e9 for t, _, out, _ in data_packets(capture.packets()) if out]


@test("nobody answers for hours: a packet in 64 s, then back", None, SCHEMES, ENDLESS)
def least_rate(scheme):
    net = Network()
    sysctl("default.retries2", PATIENT)
    delay(0.05)
    flow = Flow(net, scheme, r_min=1)       # CTFAF's is the user's
    flow.stream(20, 20)
    delay(0.05, loss=100)
    flow.stream(2 * 3600, 1 / 30)
    capture, before = Capture(), flow.sender()
    flow.stream(3600, 1 / 30)
    left, now = departures(capture), flow.sender()
    spacing = [b - a for a, b in zip(left, left[1:])]
    note(f"{len(left)} packets, {min(spacing):.3f} to {max(spacing):.3f} s apart; X {now.x} "
         f"bytes/s, {now.nofeedbacks - before.nofeedbacks} timeouts")
    check(T_MBI * 0.99 < min(spacing) and max(spacing) < T_MBI * 1.01, "not 64 s apart")
    delay(0.05)
    start = time.monotonic()
    while flow.sender().x < 20 * SIZE:
        check(time.monotonic() < start + 20 * T_MBI, "the rate does not come back")
        flow.stream(5, 20)
    note(f"20 packets/s again after {time.monotonic() - start:.0f} s")


@test("10 Gbit/s", None, SCHEMES)
def fast(scheme):
    """So many packets at most: each costs time of the host.

    CTFAF begins at the initial rate, an eighth of it here, and doubles once in T.
    """
    size, rtt, rate = 8000, 100e-6, 10e9 / 8
    packets = 8000 if scheme.rounds else 32000
    net = Network()
    for name, device in ("client", "eth0"), ("router", "to-client"), ("router", "to-server"), \
            ("server", "eth0"):
        ip(f"link set {device} mtu 9000", name)
    delay(rtt / 2)
    delay(rtt / 2, "server", rate * 8)
    flow = Flow(net, scheme, queue=1000, r_start=round(rate), algorithm=1, interval=100)
    best, sent = 0, 0
    while sent < packets:
        before, start = flow.receiver(), time.monotonic_ns()
        # send() takes some hundred nanoseconds even here: it may never find the queue full.
        while time.monotonic_ns() < start + 10 * rtt * 1e9:
            if not flow.offer(size):
                time.sleep(rtt / 20)
        sent, now = flow.sender().packets_sent, flow.receiver()
        best = max(best, (now.packets_received - before.packets_received) * size /
                   (time.monotonic_ns() - start) * 1e9)
    note(f"up to {best * 8 / 1e9:.2f} Gbit/s arrived in 10 round trips, {sent} packets sent, "
         f"{flow.receiver().packets_lost} lost")
    check(best > 0.9 * rate, "the path is not filled")


if __name__ == "__main__":
    main()
