#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Misbehaving peers, for every scheme (Documentation/explanation/attacks.rst).

A raw peer is the receiver of a kernel's data and makes false reports, or it is a sender that
ignores reports. R is 20 ms, packets have 1000 bytes.
"""
import contextlib
import itertools
import random
import struct
import time

from lib import (CCID, QPOLICY_TXQLEN, SCHEMES, SOL_DCCP, Network, accept, ccids, check,
                 check_equal, main, note, rx_info, test, tx_info)
from rawpeer import (ACK, DATA, DATAACK, REQUEST, RESPONSE, SYNC, SYNCACK, Peer, confirm, option,
                     wish)
from schemes import BY_NAME, ctfaf_tx

SIZE, R, MOST = 1000, 0.02, 0xffffffff
CTFAF = BY_NAME["ctfaf"]
INITIAL = 4 * SIZE / R          # RFC 3390's window in a round trip
TIMESTAMP, ECHO, ELAPSED = 41, 42, 43


def ask(ccid):
    return [(CCID, ccids(ccid))]


def report(inverse=MOST, x_recv=MOST, lost=0, marked=0, share=0, bottleneck=MOST, request=MOST,
           timeout=200000, number=0, elapsed=None):
    """A report with the options of all schemes; each scheme uses its own."""
    return (b"".join(option(kind, struct.pack("!I", value)) for kind, value in (
        (192, inverse), (194, x_recv), (201, share), (202, bottleneck))) +
        option(200, struct.pack("!HH", lost & 65535, marked & 65535)) +
        option(203, struct.pack("!IIB", request, timeout, number & 255)) +
        (b"" if elapsed is None else option(ELAPSED, struct.pack("!I", elapsed))))


def sender(ccid):
    """A kernel that sends to the raw peer, over a path of R."""
    net = Network()
    net.shape("client", f"netem delay {R * 1000:g}ms limit 10000")
    listener = net.listen(options=ask(ccid))
    peer = Peer(net)
    peer.connect(wish(ccid))
    s = accept(listener)
    s.setblocking(False)
    s.setsockopt(SOL_DCCP, QPOLICY_TXQLEN, 10)
    return peer, s


def feed(s, peer, seconds, reports, rate=None):
    """Send (packets/s, or as fast as possible), and answer each packet with the next report.

    Returns a list of TX_INFO with its time, one for each turn.
    """
    start, sent, samples = time.monotonic(), 0, []
    turn = 0.002 if rate is None else 0.5 / rate
    while (now := time.monotonic() - start) < seconds:
        with contextlib.suppress(BlockingIOError):
            while rate is None or sent <= now * rate:
                s.send(bytes(SIZE))
                sent += 1
        packet = peer.receive(DATA, DATAACK, SYNC, timeout=turn)
        if packet and reports:
            # If more than a Sequence Window is in flight, reports are sequence-invalid.
            if packet.type == SYNC:
                peer.send(SYNCACK, ack=packet.seq)
            else:
                peer.send(ACK, next(reports))
        info = tx_info(s)
        info.time = now
        samples.append(info)
    return samples


def steady(**what):
    """Reports that differ in their numbers only, without end."""
    return (report(number=n, **what) for n in itertools.count())


def quick(s, scheme):
    """CTFAF with the shortest T and TFRC's equation: as fast as the others."""
    if scheme is CTFAF:
        s.setsockopt(SOL_DCCP, scheme.tx_option, ctfaf_tx(
            algorithm=1, interval=100, t_init=0, r_min=5000, r_max=10 ** 7, r_start=20000))


@test("all that is sent arrives, and much more: X is bounded by what is sent", schemes=SCHEMES)
def generous(scheme):
    peer, s = sender(scheme.ccid)
    quick(s, scheme)
    samples = feed(s, peer, 20, steady(), rate=20)
    worst = max(i.x for i in samples)
    note(f"{scheme}: sends {20 * SIZE}, X at most {worst}, {samples[-1].feedbacks} reports")
    check(samples[-1].feedbacks > 100, "the reports were not used")
    # one packet in a round trip is the least, and two may be at its ends
    check(worst <= max(INITIAL, 4 * 2 * SIZE / R) * 1.05, "X follows the false reports")


@test("a source that slows to a fiftieth: X is bounded by what is sent now", schemes=SCHEMES)
def slows(scheme):
    """The reported p allows 6 MB/s all the time, so tokens are saved."""
    for honest in True, False:
        peer, s = sender(scheme.ccid)
        quick(s, scheme)
        xs = []
        for rate, seconds in (100, 1), (300, 1), (1000, 4), (20, 10):
            what = dict(x_recv=rate * SIZE, request=6 * 10 ** 6) if honest else {}
            xs.append([i.x for i in feed(s, peer, seconds, steady(inverse=10000, **what), rate)
                       if i.time > 0.5])
        now = 20 * SIZE
        note(f"{scheme}, {'honest' if honest else 'false reports'}: "
             f"X {xs[-2][-1]} at {1000 * SIZE} bytes/s, then at most {max(xs[-1])} at {now}")
        check(xs[-2][-1] >= 10 ** 6, "X is no more than what was sent: the test is too easy")
        # as above: two packets in a round trip
        check(max(xs[-1]) <= max(INITIAL, 4 * 2 * SIZE / R) * 1.05, "X stays where it was")


@test("reports around bursts make them no rate: r is bounded by what is sent", schemes=[CTFAF])
def bursts(scheme):
    """This receiver reports more than once in T, so that bursts fall between reports."""
    peer, s = sender(scheme.ccid)
    # TFRC doubles r, if there is no loss
    s.setsockopt(SOL_DCCP, scheme.tx_option, ctfaf_tx(
        algorithm=1, interval=100, t_init=0, r_min=5000, r_max=10 ** 7, r_start=20000,
        delta=10 ** 7))
    rng, number, period, worst = random.Random(scheme.ccid), 5, 0.25, 0
    for _ in range(400):
        # reports arrive R later: one shortly before the burst, one after it
        burst = period / 2
        events = [(burst, True)] + [(when, False) for when in (
            burst - R - 0.001, burst - R + 0.001, *(rng.uniform(0, period) for _ in range(3)))]
        now = 0
        for when, send in sorted(events):
            if when > now:
                time.sleep(when - now)
                now = when
            worst = max(worst, tx_info(s).x)
            if send:
                with contextlib.suppress(BlockingIOError):
                    for _ in range(number):
                        s.send(bytes(SIZE))
            elif peer.receive(DATA, DATAACK, timeout=0.0001):
                peer.send(ACK, report())
        time.sleep(period - now)
    info = tx_info(s)
    note(f"{scheme}: sends {number * SIZE / period:.0f}, X at most {worst}, "
         f"{info.feedbacks} reports")
    check(info.feedbacks > 1000, "the reports were not used")
    # T is 20 packets: above 80 KB/s there is one burst in it at most, 5 of the 10 that r grows by
    check(40000 < worst, "it does not grow")
    check(worst <= 2 * 20 * SIZE / period, "X follows the false reports")


@test("no loss, whatever happens: X grows no faster than what is sent bears out",
      schemes=[s for s in SCHEMES if s.rounds])
def no_loss(scheme):
    """X doubles once in a round trip, so twice in a little more than one: if p is 0 or little."""
    for inverse in MOST, 10 ** 8:
        peer, s = sender(scheme.ccid)
        samples = feed(s, peer, 10 * R, steady(inverse=inverse))
        first, last = samples[0], samples[-1]
        factors = []
        for i in samples:
            # the report that is on its way, and RTT samples that differ by a tick
            later = [j.x for j in samples if R <= j.time - i.time < 1.2 * R]
            factors += [x / max(i.x, INITIAL) for x in later]
        note(f"{scheme}, 1/p {inverse}: X from {first.x} to {last.x} in {last.time / R:.0f} R, "
             f"at most {max(factors):.2f} times in one")
        # X is a whole number
        check(max(factors) < 4.01, "it grows faster than what was delivered bears out")
        check(last.x <= INITIAL * 2 ** 11, "it more than doubles in each round trip")


@test("a false Elapsed Time makes R half of what it is, and no less", schemes=SCHEMES)
def elapsed(scheme):
    peer, s = sender(scheme.ccid)
    for share in 0.4, 0.49, 0.6, 0.99, 10, 1e6:
        value = min(int(share * R * 1e5), MOST)
        samples = feed(s, peer, 3, steady(x_recv=50000, request=50000, elapsed=value), rate=50)
    rtt = samples[-1].rtt_ns / 1e9
    note(f"{scheme}: R {rtt * 1000:.1f} ms")
    check(rtt > R / 2 * 0.98, "R follows the false values")


@test("acknowledgments of what is still to be sent: R is too short, until they end",
      schemes=SCHEMES)
def optimistic(scheme):
    """A receiver that acknowledges packets before they arrive, by guessing their numbers."""
    peer, s = sender(scheme.ccid)
    if scheme is CTFAF:     # or it takes a report in 5 s
        s.setsockopt(SOL_DCCP, scheme.tx_option, ctfaf_tx(
            interval=100, t_init=0, r_min=5000, r_max=10 ** 6, r_start=200000, delta=10 ** 6))
    reports, came, least, most = steady(x_recv=10 ** 6, request=10 ** 6), [], R, 0
    start = time.monotonic()
    while (now := time.monotonic()) < start + 10:
        with contextlib.suppress(BlockingIOError):
            while True:
                s.send(bytes(SIZE))
        while packet := peer.receive(DATA, DATAACK, timeout=0.001):
            newest = packet.seq
            came.append(now)
        came = [when for when in came if now - when < R]
        if came:
            peer.send(ACK, next(reports), ack=newest + len(came) - 1)
        info = tx_info(s)
        least, most = min(least, info.rtt_ns / 1e9), max(most, info.x)
    feed(s, peer, 10, steady(x_recv=50000, request=50000), rate=50)
    rtt = tx_info(s).rtt_ns / 1e9
    note(f"{scheme}: R {least * 1000:.2f} ms at least, X {most} at most, {info.feedbacks} reports; "
         f"R then {rtt * 1000:.2f} ms")
    check(info.feedbacks > 50 and least < 0.75 * R, "the guesses are bad: the test is too easy")
    check(abs(rtt - R) < R / 10, "R stays wrong")


@test("nothing arrives, all is lost: X is small, and not nothing", schemes=SCHEMES)
def nothing(scheme):
    peer, s = sender(scheme.ccid)
    feed(s, peer, 2, steady(x_recv=20000, request=20000, inverse=100, bottleneck=20000), rate=20)
    feed(s, peer, 60, (report(inverse=1, x_recv=0, lost=n, marked=3 * n, share=MOST, bottleneck=1,
                              request=0, timeout=MOST, number=n)
                       for n in itertools.count()), rate=20)
    info = tx_info(s)
    note(f"{scheme}: X {info.x}")
    check(SIZE // 64 <= info.x <= 2 * SIZE, "X")
    check(peer.receive(DATA, DATAACK, timeout=200), "nothing is sent any more")


@test("a requested timeout of more than an hour has no effect", schemes=SCHEMES)
def long_timeout(scheme):
    peer, s = sender(scheme.ccid)
    feed(s, peer, 5, steady(x_recv=100000, request=100000, timeout=MOST, elapsed=MOST), rate=20)
    before = tx_info(s)
    samples = feed(s, peer, 60, None, rate=20)
    after = samples[-1]
    note(f"{scheme}: X {before.x}, after a minute without a report {after.x}")
    check(after.nofeedbacks > before.nofeedbacks, "the timer does not expire")
    check(after.x <= before.x / 2, "the rate does not fall")


@test("a timestamp echo of the future: the first rate is not a made-up one", schemes=SCHEMES)
def echo(scheme):
    rates = []
    for false in False, True:
        net = Network()
        net.shape("client", "netem delay 100ms limit 10000")
        listener = net.listen(options=ask(scheme.ccid))
        peer = Peer(net)
        peer.send(REQUEST, wish(scheme.ccid))
        response = peer.receive(RESPONSE)
        stamp = next(v for kind, v in response.options if kind == TIMESTAMP)
        if false:   # 100 ms later, but for 100 us
            stamp = struct.pack("!I", struct.unpack("!I", stamp)[0] + 9990 & MOST)
        peer.send(ACK, confirm(response) + option(ECHO, stamp))
        s = accept(listener)
        s.send(bytes(SIZE))
        rates.append(tx_info(s).x)
        s.close()
        net.delete()
    note(f"{scheme}: X {rates[0]}, with the false echo {rates[1]}")
    check(rates[1] <= rates[0] * 2.1, "the first rate follows the false echo")


@test("a loss event rate that rises is acknowledged by three packets, without a loss, too",
      schemes=[s for s in SCHEMES if s.rounds and not s.driven])
def rises(scheme):
    """Both ends would count a loss event for longer if the sender were silent."""
    peer, s = sender(scheme.ccid)

    def answers(packets, **what):
        """Which of the packets after such a report have an acknowledgment number."""
        types = []
        for n in range(packets):
            s.send(bytes(SIZE))
            packet = peer.receive(DATA, DATAACK, timeout=1)
            if packet is None:
                break
            types.append(packet.type == DATAACK)
            if not n:
                peer.send(ACK, report(x_recv=50000, **what))
                time.sleep(2 * R)
        return types[1:]

    answers(10, inverse=1000)
    same, risen, fallen = (answers(10, inverse=i) for i in (1000, 500, 900))
    note(f"{scheme}: the same p {same}, a greater one {risen}, a smaller one {fallen}")
    check_equal(len(risen), 9, "packets")
    check_equal((same, fallen), ([False] * 9, [False] * 9), "acknowledgments of no news")
    check_equal(risen, [True] * 3 + [False] * 6, "acknowledgments of more losses")


# ---------------------------------------------------------------- senders

@test("a sender that ignores the requested rate costs one report for a packet", schemes=SCHEMES)
def ignorant(scheme):
    rng = random.Random(scheme.ccid)
    net = Network()
    listener = net.listen(options=ask(scheme.ccid))
    peer = Peer(net)
    peer.connect(wish(scheme.ccid))
    s = accept(listener)
    s.setblocking(False)
    values = 0, 1, 1000, 1 << 31, MOST
    for n in range(5000):
        two = struct.pack("!II", rng.choice(values), rng.choice(values))
        kind = rng.choice((136, 137, 138, None))
        peer.send(DATA, option(kind, two) if kind else b"", bytes(SIZE), ccval=rng.randrange(16))
        if rng.random() < 0.05:
            peer.seq += rng.choice((1, 3, 20))
        if n % 10 == 0:
            time.sleep(0.001)
        with contextlib.suppress(BlockingIOError):
            while s.recv(2 * SIZE):
                pass
        while n % 500 == 0 and peer.receive(timeout=0.001):
            pass        # so that what it acknowledges stays in the window
    info = rx_info(s)
    note(f"{scheme}: {info.packets_received} packets, {info.feedbacks} reports, R "
         f"{info.tfrcrx_rtt} us")
    check(info.packets_received > 1000, "it was not heard")
    check(info.feedbacks <= info.packets_received + info.loss_events + 50, "too many reports")
    check(10 <= info.tfrcrx_rtt <= 10 ** 7, "R is out of range")


if __name__ == "__main__":
    main()
