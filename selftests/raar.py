#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""RAAR: lost reports, adversarial peers, applications that pause."""
import random
import socket
import struct
import time

from lib import (CCID, QPOLICY_TXQLEN, RX_PRESET, SOL_DCCP, Network, accept, ccids, check,
                 check_equal, drain, main, note, rx_info, test, tx_info)
from rawpeer import ACK, DATA, DATAACK, Peer, option, wish
from schemes import BY_NAME, raar_paper, raar_rx, raar_tx

RAAR = BY_NAME["raar"]
ASK = [(CCID, ccids(RAAR.ccid))]
ROUND, RECEIVE_RATE, SIGNALS, RATE_REQUEST = 138, 194, 200, 203
SIZE = 1000


def path(kbit=2000, delay=50, limit=30):
    net = Network()
    net.shape("server", f"netem delay {delay}ms rate {kbit}kbit limit {limit}")
    net.shape("client", f"netem delay {delay}ms limit 1000")
    return net


def flow(net, tx=None, rx=None):
    client = ASK + ([(RAAR.tx_option, tx)] if tx else [])
    server = ASK + ([(RAAR.rx_option, rx)] if rx else [])
    c, s = net.pair(client=client, server=server)
    c.setsockopt(SOL_DCCP, QPOLICY_TXQLEN, 20)
    c.setblocking(False)
    drain(s)
    return c, s


def drive(c, seconds, rate=None, step=0.005):
    """Send as fast as it goes, or so many bytes/s as a live encoder does, which drops what
    cannot be sent in time. TX_INFO at each step."""
    start, sent, samples = time.monotonic(), 0, []
    while (now := time.monotonic()) < start + seconds:
        try:
            while rate is None or sent < (now - start) * rate:
                c.send(bytes(SIZE))
                sent += SIZE
        except BlockingIOError:
            sent = (now - start) * (rate or 0)
        info = tx_info(c)
        info.time = now
        samples.append(info)
        time.sleep(step)
    return samples


# ---------------------------------------------------------------- what it does

def mean(values):
    values = list(values)
    return sum(values) / len(values)


def gaimd(got, before, seconds, every, beta=0.875, delta=0.167):
    """Mean number of packets in a round trip, if each n-th packet is lost.

    In equilibrium a decrease equals the increases of the rounds since the last decrease:

        (1 - beta) w_max = alpha delta (rounds in a round trip) (round trips between cuts)

    The latter are every / w, the mean w is (1 + beta) w_max / 2, and alpha is that of eq. 1.
    The receiver has counted the rounds.
    """
    alpha = 4 * (1 - beta ** 2) / 3
    rounds = (got.rounds - before.rounds) * got.tfrcrx_rtt / 1e6 / seconds
    return rounds, (alpha * delta * rounds * every * (1 + beta) / 2 / (1 - beta)) ** 0.5


def lossy(**parameters):
    """A greedy flow for 60 s, with room for all and each 50th packet lost: its only signals.

    Returns RX_INFO before that, the samples, and RX_INFO after it.
    """
    net = path()
    c, s = flow(net, **parameters)
    drive(c, 5)
    net.shape("server", "netem delay 50ms limit 1000")
    net.lose(50)
    drive(c, 20)
    before = rx_info(s)
    return before, drive(c, 60), rx_info(s)


@test("GAIMD at the receiver, and the sender follows")
def follows():
    before, samples, got = lossy()
    info = samples[-1]
    reports = got.feedbacks - before.feedbacks
    rounds, expected = gaimd(got, before, 60, 50)
    w = mean(i.x for i in samples) * got.tfrcrx_rtt / 1e6 / SIZE
    note(f"X {info.x}, requested {got.requested}, rate {got.rate}, {reports} reports; "
         f"{rounds:.2f} rounds "
         f"and {w:.2f} packets in a round trip, by the equation {expected:.2f}")
    check(not got.slow_start, "still in slow start")
    check_equal(got.alpha, 312500, "alpha, in 10^-6")
    follow = [i for i in samples if i.x != i.requested]
    check(not follow, "X is not the requested rate")
    check(abs(got.tfrcrx_rtt - 100000) < 5000, f"R is {got.tfrcrx_rtt} us")
    check(abs(info.rtt_ns / 1e6 - 100) < 5, f"R of the sender is {info.rtt_ns} ns")
    # a round lasts for one R after an early report, for two and the wait for a packet else
    check(1 / 2.5 < rounds < 1, "rounds")
    check(got.rounds - before.rounds > 0.9 * reports, "a report that begins no round")
    check(got.samples - before.samples > 0.9 * (got.rounds - before.rounds), "samples")
    check(abs(w / expected - 1) < 0.1, "the rate is not what GAIMD gives")


@test("per_rtt: GAIMD with one increase in a round trip")
def per_rtt():
    before, samples, got = lossy(rx=raar_rx(per_rtt=1))
    rounds, by_round = gaimd(got, before, 60, 50)
    expected = by_round / rounds ** 0.5
    w = mean(i.x for i in samples) * got.tfrcrx_rtt / 1e6 / SIZE
    note(f"{rounds:.2f} rounds and {w:.2f} packets in a round trip, by the equation "
         f"{expected:.2f}; with growth by rounds {by_round:.2f}")
    check(abs(by_round / expected - 1) > 0.1, "the test is too easy")
    check(abs(w / expected - 1) < 0.1, "the rate is not what GAIMD gives")


@test("the first report does not cut, and slow start doubles in two round trips")
def slow_start():
    for name, rx in ("default", None), ("paper", raar_paper()):
        net = path(kbit=10 ** 6, limit=10000)
        c, s = flow(net, rx=rx)
        samples = drive(c, 2, step=0.002)
        first = samples[0].x
        requested = min(i.requested for i in samples if i.feedbacks)
        high = next((i.time - samples[0].time for i in samples if i.x >= 15 * first), 99) / 0.1
        note(f"{name}: X {first} at first, requested {requested} at least, 15 times after "
             f"{high:.1f} R, {samples[-1].feedbacks} reports")
        check(requested >= first, "the first report cuts")
        check(all(i.x > 0.98 * first for i in samples), "X was cut")
        # the first report after R, four times two round trips, and waits for a packet
        check(8 < high < 10.5, "it does not double in 2 R")
        check(rx_info(s).slow_start, "something was lost")
        net.delete()


@test("parameters: beta and delta make it faster or slower, as the equation says")
def parameters():
    for beta, delta in (875, 100), (875, 1000), (500, 1000):
        net = path()
        net.lose(100)
        c, s = flow(net, rx=raar_rx(beta=beta, delta=delta))
        drive(c, 20)
        before = rx_info(s)
        samples = drive(c, 70)
        got = rx_info(s)
        rounds, expected = gaimd(got, before, 70, 100, beta / 1000, delta / 1000)
        w = mean(i.x for i in samples) * got.tfrcrx_rtt / 1e6 / SIZE
        note(f"beta {beta}, delta {delta}: {rounds:.2f} rounds and {w:.2f} packets in a round "
             f"trip, by the equation {expected:.2f}")
        check_equal(got.alpha, 1000000 if beta == 500 else 312500, "alpha, in 10^-6")
        check(abs(w / expected - 1) < 0.1, "the rate is not what GAIMD gives")
        net.delete()


@test("the paper's rules: a report with each packet after a cut, no more reports than packets")
def paper():
    rounds, rates = [], []
    for rx in None, raar_paper():
        net = path(kbit=100000)
        net.lose(50)
        c, s = flow(net, rx=rx)
        drive(c, 10)
        before = rx_info(s)
        samples = drive(c, 60)
        got = rx_info(s)
        packets = got.packets_received - before.packets_received
        reports = got.feedbacks - before.feedbacks
        check_equal(s.getsockopt(SOL_DCCP, RX_PRESET, 16).rstrip(b"\0"),
                    b"paper" if rx else b"default", "preset")
        rounds.append(gaimd(got, before, 60, 50)[0])
        rates.append(mean(i.x for i in samples) * got.tfrcrx_rtt / 1e6 / SIZE)
        note(f"{rounds[-1]:.2f} rounds and {rates[-1]:.2f} packets in a round trip, "
             f"{reports / packets:.2f} reports a packet, R {got.tfrcrx_rtt} us")
        check(got.feedbacks <= got.packets_received, "more reports than packets")
        check(abs(got.tfrcrx_rtt - 100000) < 5000, "R")
        net.delete()
    # There is room for 15 early reports in a round trip. Two and a half rounds make up for a cut:
    # 0.875 (1 + 0.052)^2.6 = 1.
    check(rounds[1] > 1.5 > rounds[0], "there are no early reports, or always")
    check(rates[1] > 2 * rates[0], "early reports begin no rounds of their own")


@test("a receiver that says how much it wants at most")
def rate_max():
    net = path(kbit=100000)
    c, s = flow(net, rx=raar_rx(rate_max=150000))
    samples = drive(c, 10)
    note(f"X {samples[-1].x}")
    check_equal(samples[-1].x, 150000, "X")
    check(all(i.x <= 150000 for i in samples), "X")
    s.setsockopt(SOL_DCCP, RAAR.rx_option, raar_rx(rate_max=30000))
    check_equal(drive(c, 1)[-1].x, 30000, "X")


@test("an application that sends less than it may: about twice that, and no more")
def limited():
    for loss in 0, 2000:
        net = path(kbit=100000)
        net.lose(loss)
        c, s = flow(net)
        samples = drive(c, 60, rate=100000)
        got = rx_info(s)
        note(f"X {samples[-1].x}, requested {got.requested}, rate {got.rate}, "
             f"received {got.x_recv}")
        check(all(i.x < 250000 for i in samples[2000:]), "X grows without need")
        check(150000 < got.requested < 250000, "the requested rate is not near twice X_recv")
        # In slow start rate grows until the report, by what arrives until then.
        check(150000 < got.rate < (300000 if loss else 400000),
              "rate of the receiver is not near twice what comes")
        # a loss ends slow start at what was received: X has to grow again
        late = samples[-1:] if loss else samples[2000:]
        check(all(i.x > 150000 for i in late), "X is not near twice the rate")
        net.delete()


@test("by the paper's rules rate has no limit; X is bounded by what is sent all the same")
def limited_paper():
    net = path(kbit=100000)
    c, s = flow(net, rx=raar_paper())
    samples = drive(c, 30, rate=100000)
    got = rx_info(s)
    note(f"X {samples[-1].x}, requested {got.requested}, rate {got.rate}, received {got.x_recv}")
    check(got.requested > 500000, "rate is limited")
    check(all(i.x < 400000 for i in samples), "X is more than four times what is sent")


@test("a pause of the application is in no sample of the round-trip time")
def pauses():
    net = path()
    c, s = flow(net)
    drive(c, 10, rate=50000)
    before = rx_info(s)
    for seconds in 0.15, 0.33, 1, 4, 10:
        time.sleep(seconds)
        drive(c, 1, rate=50000)
    after = rx_info(s)
    note(f"R {before.tfrcrx_rtt} and {after.tfrcrx_rtt} us, RTO {before.rto} and {after.rto}, "
         f"{after.samples - before.samples} samples")
    check(after.samples > before.samples + 10, "too few samples")
    check(abs(after.tfrcrx_rtt - before.tfrcrx_rtt) < 5000, "R")
    check(after.rto < 150000, "RTO")


# ---------------------------------------------------------------- reports get lost

def silence(net, c, seconds, delay=50):
    """All reports are lost for some time."""
    net.shape("client", f"netem delay {delay}ms limit 1000 loss 100%")
    samples = drive(c, seconds)
    net.shape("client", f"netem delay {delay}ms limit 1000")
    return samples


@test("a lost report: the sender cuts once, and follows the next report")
def lost_report():
    net = path()
    c, s = flow(net)
    drive(c, 30)
    cuts = []
    for _ in range(10):
        before, got = tx_info(c), rx_info(s)
        # Longer than the timer takes, and with the time between two reports less than twice that.
        samples = silence(net, c, 1.2 * before.tfrctx_rto / 1e6) + drive(c, 2)
        first = next((i for i in samples if i.nofeedbacks > before.nofeedbacks), None)
        cuts.append(samples[-1].nofeedbacks - before.nofeedbacks)
        if first:
            check(abs(first.x / (0.875 * before.x) - 1) < 0.1, f"{before.x} was cut to {first.x}")
        check_equal(samples[-1].x, samples[-1].requested, "X afterwards")
        now = rx_info(s)
        check(now.tfrcrx_rtt < got.tfrcrx_rtt + 20000,
              f"R was {got.tfrcrx_rtt} and is {now.tfrcrx_rtt}")
    note(f"cuts {cuts}")
    check(min(cuts) >= 1 and max(cuts) <= 2, "number of cuts")


@test("a burst of lost reports: more than CCVal can count")
def lost_reports():
    net = path(delay=20)
    c, s = flow(net, tx=raar_tx(beta=900))
    before = drive(c, 30)[-1]
    rounds = rx_info(s)
    samples = silence(net, c, 12, 20)
    down, got = samples[-1], rx_info(s)
    note(f"X {before.x} and {down.x}, {got.feedbacks - rounds.feedbacks} reports unanswered, "
         f"timer expired {down.nofeedbacks - before.nofeedbacks} times")
    check(got.feedbacks - rounds.feedbacks > 16, "too few reports to tell")
    cuts = down.nofeedbacks - before.nofeedbacks
    check(8 <= cuts <= 12 / 0.08, "number of cuts")
    check(abs(down.x / (before.x * 0.9 ** cuts) - 1) < 0.02, "X is not cut by 0.9 each time")
    up = drive(c, 5)[-1]
    after = rx_info(s)
    note(f"X {up.x}, R {after.tfrcrx_rtt} us, RTO {after.rto}")
    check_equal(up.x, up.requested, "X afterwards")
    check(up.x > 0.8 * before.x, "it does not come back")
    check(after.rounds - got.rounds > 20, "no rounds")
    check(after.tfrcrx_rtt < got.tfrcrx_rtt + 20000, "R is spoiled")


# ---------------------------------------------------------------- peers

def sender(net, peer):
    """A kernel that sends to the raw peer."""
    listener = net.listen(options=ASK)
    peer.connect(wish(RAAR.ccid))
    s = accept(listener)
    s.setblocking(False)
    listener.close()
    return s


def report(peer, x_recv, requested, timeout, number):
    peer.send(ACK, option(RECEIVE_RATE, struct.pack("!I", x_recv)) +
              option(SIGNALS, bytes(4)) +
              option(RATE_REQUEST, struct.pack("!IIB", requested, timeout, number)))


def feed(s, peer, seconds, answer=lambda: None, rate=None):
    """Send, and let the peer answer each packet. Returns X at the end, and the packets."""
    end, came = time.monotonic() + seconds, []
    while time.monotonic() < end:
        try:
            s.send(bytes(SIZE))
            while rate is None:
                s.send(bytes(SIZE))
        except BlockingIOError:
            pass
        packet = peer.receive(DATA, DATAACK, timeout=1 / rate if rate else 0.01)
        if packet:
            came.append(packet)
            answer()
    return came


@test("a receiver that never reports: the rate falls, by beta each time")
def silent_receiver():
    net = Network()
    net.shape("client", "netem delay 20ms limit 1000")
    peer = Peer(net)
    s = sender(net, peer)
    s.send(bytes(SIZE))
    start = tx_info(s).x
    feed(s, peer, 120)
    info = tx_info(s)
    note(f"X {info.x}, timer expired {info.nofeedbacks} times, {info.packets_sent} packets")
    check(info.nofeedbacks >= 10, "the timer does not expire")
    check(abs(info.x / (start * 0.875 ** info.nofeedbacks) - 1) < 0.02,
          "X is not cut by 0.875 each time")


@test("a receiver that reports too much, or nothing, or an endless timeout")
def false_reports():
    net = Network()
    net.shape("client", "netem delay 20ms limit 1000")
    for requested, x_recv, most in ((0xffffffff, 0xffffffff, 4), (0xffffffff, 5000, 4),
                                    (0, 0xffffffff, 0)):
        peer = Peer(net, port=6001 + requested % 7 + x_recv % 7)
        s = sender(net, peer)
        number = iter(range(100000))
        feed(s, peer, 5, lambda p=peer, t=requested, x=x_recv, n=number:
             report(p, x, t, 0xffffffff, next(n) & 255), rate=20)
        info = tx_info(s)
        bound = max(most * 20 * SIZE, 4380 / 0.02) if requested else SIZE / 64 + 1
        note(f"requested {requested}, receives {x_recv}: X {info.x}, at most {bound:.0f}")
        # requested 0, there is a packet in 64 s to report on
        check(info.feedbacks > (2 if requested else 0), "its reports were not used")
        check(info.x <= bound, "X follows the false reports")
        # its timeout is an hour: 16 R of ours count, 2 of them and two packets
        if requested:
            before = info
            feed(s, peer, 4, rate=20)
            info = tx_info(s)
            check(info.nofeedbacks > before.nofeedbacks, "it waits for ever")
        s.close()


@test("a sender that ignores reports, or states false rates and rounds")
def misbehaving_sender():
    net = Network()
    net.shape("client", "netem delay 20ms limit 1000")
    listener = net.listen(options=ASK)
    rng = random.Random(1)
    for number, (case, rx) in enumerate((("ignores", raar_rx()), ("false", raar_rx()),
                                         ("ignores", raar_paper()), ("false", raar_paper()))):
        peer = Peer(net, port=6100 + number)
        peer.connect(wish(RAAR.ccid))
        s = accept(listener)
        s.setsockopt(SOL_DCCP, RAAR.rx_option, rx)
        drain(s)
        for n in range(4000):
            options, ccval = b"", 0
            if case == "false":
                ccval = rng.randrange(16)
                options = option(ROUND, struct.pack("!II", rng.choice((0, 1, 1 << 31, 0xffffffff)),
                                                    rng.choice((0, 1, 20000, 0xffffffff))))
                if rng.random() < 0.05:
                    peer.seq += rng.choice((1, 5, 60))
            peer.send(DATA, options, bytes(SIZE), ccval=ccval)
            time.sleep(0.001)
            if n % 500 == 0:
                # so that its acknowledgments stay in the window
                while peer.receive(timeout=0.001):
                    pass
        time.sleep(0.3)
        got = rx_info(s)
        note(f"{case}: {got.packets_received} packets, {got.feedbacks} reports, "
             f"{got.rounds} rounds, {got.samples} samples, rate {got.rate}, R {got.tfrcrx_rtt} us")
        check(got.packets_received > 2000, "it was not heard")
        # at most one for each of its packets, and one for each RTT if it does not play along
        check(got.feedbacks <= got.packets_received, "too many reports")
        if case == "ignores":
            check(got.feedbacks < 4.5 / 0.02, "too many reports")
            check_equal(got.rounds, 0, "rounds")
        check(10 <= got.tfrcrx_rtt <= 10 ** 7, "R is out of range")
        check(0 < got.rate <= 25 * 10 ** 9, "rate is out of range")
        check(0 < got.requested <= 25 * 10 ** 9, "requested rate is out of range")
    c = net.connect(options=ASK)
    s = accept(listener)
    c.send(b"still here")
    check_equal(s.recv(100), b"still here", "data received")


@test("losses more than R apart are loss events, whatever the sender acknowledges")
def no_recovery_point():
    """A sender that acknowledges the first report, and none of those that tell of losses."""
    net = Network()
    net.shape("client", "netem delay 40ms limit 1000")
    listener = net.listen(options=ASK)
    peer = Peer(net)
    peer.connect(wish(RAAR.ccid))
    s = accept(listener)
    drain(s)
    peer.send(DATA, data=bytes(SIZE))
    check(peer.receive(ACK), "no report on the first packet")
    peer.send(DATAACK, data=bytes(SIZE))
    rtt, events = rx_info(s).tfrcrx_rtt / 1e6, 10
    for _ in range(events):
        peer.seq += 1
        for _ in range(15):     # 1.5 R
            peer.send(DATA, data=bytes(SIZE))
            time.sleep(rtt / 10)
    got = rx_info(s)
    note(f"R {got.tfrcrx_rtt} us, {got.packets_lost} lost, {got.loss_events} loss events, "
         f"{got.feedbacks} reports")
    check(got.tfrcrx_rtt < 1.1e6 * rtt, "R has grown")
    check_equal((got.packets_lost, got.loss_events), (events, events), "packets lost, loss events")


@test("data in both directions", [socket.AF_INET, socket.AF_INET6])
def both_ways(family):
    net = path()
    c, s = net.pair(family, client=ASK, server=ASK)
    for end in c, s:
        end.setsockopt(SOL_DCCP, QPOLICY_TXQLEN, 20)
        end.setblocking(False)
    end = time.monotonic() + 20
    while time.monotonic() < end:
        for source, target in (c, s), (s, c):
            try:
                source.send(bytes(SIZE))
            except BlockingIOError:
                pass
            try:
                while target.recv(2000):
                    pass
            except BlockingIOError:
                pass
        time.sleep(0.002)
    for name, end in ("client", c), ("server", s):
        sent, got = tx_info(end), rx_info(end)
        note(f"{name}: X {sent.x}, {sent.feedbacks} reports used, {got.feedbacks} made, "
             f"{got.samples} samples, R {got.tfrcrx_rtt} us")
        check(got.samples > 30 and sent.feedbacks > 30, "no rounds")
        check(abs(got.tfrcrx_rtt - 100000) < 60000, "R")


if __name__ == "__main__":
    main()
