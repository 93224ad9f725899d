#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""RAAR, seen from outside: reports that get lost, peers that lie, applications that pause."""
import random
import socket
import struct
import time

from lib import (CCID, QPOLICY_TXQLEN, RX_INFO, SCHEMES, SOL_DCCP, TX_INFO, Info, Network, accept,
                 ccids, check, check_equal, drain, main, note, test, tx_info)
from rawpeer import ACK, DATA, DATAACK, Peer, option, wish
from schemes import raar_rx, raar_tx

RAAR = next(s for s in SCHEMES if s.name == "raar")
ASK = [(CCID, ccids(RAAR.ccid))]
TX_COMMON = struct.calcsize("=QQIIIIIHHQQQQQQQQQIIIIQ")
RX_COMMON = struct.calcsize("=IIIHHQQQQQQQ")
ROUND, RECEIVE_RATE, SIGNALS, TOLD = 138, 194, 200, 203
SIZE = 1000


def tx_state(s):
    """TX_INFO: what every scheme has, and what is RAAR's."""
    info = tx_info(s)
    own = Info(s.getsockopt(SOL_DCCP, TX_INFO, 500)[TX_COMMON:], "=QII", "told rto round")
    info.__dict__.update(own.__dict__)
    return info


def rx_state(s):
    """RX_INFO, likewise."""
    data = s.getsockopt(SOL_DCCP, RX_INFO, 500)
    info = Info(data, "=IIIHHQQQQQQQ", "x_recv_32 rtt p ccid loss_history x_recv p_ppb received "
                "lost marked loss_events feedbacks")
    own = Info(data[RX_COMMON:], "=QQQIIIIIIII", "rate told stated alpha rttvar rto wnd round "
               "rounds samples slow_start")
    info.__dict__.update(own.__dict__)
    return info


def path(kbit=2000, delay=50):
    net = Network()
    net.shape("server", f"netem delay {delay}ms rate {kbit}kbit limit 30")
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
        info = tx_state(c)
        info.time = now
        samples.append(info)
        time.sleep(step)
    return samples


# ---------------------------------------------------------------- what it does

@test("GAIMD at the receiver, and the sender follows")
def follows():
    net = path()
    c, s = flow(net)
    drive(c, 5)
    # room for all, and each 50th packet lost: only these are signals
    net.shape("server", "netem delay 50ms limit 1000")
    net.lose(50)
    samples = drive(c, 60)
    info, got = samples[-1], rx_state(s)
    note(f"X {info.x}, told {got.told}, rate {got.rate}, {got.rounds} rounds, {got.samples} "
         f"samples, {got.feedbacks} reports for {got.received} packets")
    check(not got.slow_start, "still in slow start")
    check_equal(got.alpha, 312500, "alpha, in 10^-6")
    follow = [i for i in samples if i.x != i.told]
    check(not follow, "the sender does other than it is told")
    check(abs(got.rtt - 100000) < 5000, f"R is {got.rtt} us")
    check(abs(info.rtt_ns / 1e6 - 100) < 5, f"R of the sender is {info.rtt_ns} ns")
    # one report a round, a round of one to two RTT, each with a sample but where
    # the packet that begins it is lost
    check(60 / 0.25 < got.feedbacks < 65 / 0.1, "number of reports")
    check(got.rounds > 0.9 * got.feedbacks, "rounds")
    check(got.samples > 0.9 * got.rounds, "samples")
    # increases between cuts balance them: alpha delta / 2 in an RTT of 1.5 to 2
    w = info.x * 0.1 / SIZE
    check(0.8 < w < 8, f"{w:.1f} packets in a round trip at 2 % loss")


@test("parameters: beta and delta make it faster or slower")
def parameters():
    rates = []
    for rx in raar_rx(delta=100), raar_rx(delta=1000), raar_rx(beta=500, delta=1000):
        net = path()
        net.lose(100)
        c, s = flow(net, rx=rx)
        samples = drive(c, 90)[4000:]
        rates.append(sum(i.x for i in samples) / len(samples))
        got = rx_state(s)
        if got.alpha > 999000:
            check_equal(got.alpha, 1000000, "alpha for beta 1/2")
        net.delete()
    note("X " + ", ".join(f"{r:.0f}" for r in rates))
    check(rates[1] > 2 * rates[0], "delta has no effect")


@test("an application that sends less than it may: about twice that, and no more")
def limited():
    for loss in 0, 2000:
        net = path(kbit=100000)
        net.lose(loss)
        c, s = flow(net)
        samples = drive(c, 60, rate=100000)
        got = rx_state(s)
        note(f"X {samples[-1].x}, told {got.told}, rate {got.rate}, received {got.x_recv}")
        check(all(i.x < 250000 for i in samples[2000:]), "X grows without need")
        check(150000 < got.told < 250000, "what is told is not near twice what comes")
        # In slow start it grows until it is told, by what comes in that time.
        check(150000 < got.rate < (300000 if loss else 400000),
              "rate of the receiver is not near twice what comes")
        # a loss ends slow start at what was received: X has to grow again
        late = samples[-1:] if loss else samples[2000:]
        check(all(i.x > 150000 for i in late), "X is not near twice the rate")
        net.delete()


@test("a pause of the application is in no sample of the round-trip time")
def pauses():
    net = path()
    c, s = flow(net)
    drive(c, 10, rate=50000)
    before = rx_state(s)
    for seconds in 0.15, 0.33, 1, 4, 10:
        time.sleep(seconds)
        drive(c, 1, rate=50000)
    after = rx_state(s)
    note(f"R {before.rtt} and {after.rtt} us, RTO {before.rto} and {after.rto}, "
         f"{after.samples - before.samples} samples")
    check(after.samples > before.samples + 10, "too few samples")
    check(abs(after.rtt - before.rtt) < 5000, "R")
    check(after.rto < 150000, "RTO")


# ---------------------------------------------------------------- reports get lost

def silence(net, c, seconds, delay=50):
    """No report gets through for a time."""
    net.shape("client", f"netem delay {delay}ms limit 1000 loss 100%")
    samples = drive(c, seconds)
    net.shape("client", f"netem delay {delay}ms limit 1000")
    return samples


@test("a lost report: the sender cuts once, and does again what it is told")
def lost_report():
    net = path()
    c, s = flow(net)
    drive(c, 30)
    cuts = []
    for _ in range(10):
        before, got = tx_state(c), rx_state(s)
        samples = silence(net, c, 0.2) + drive(c, 2)
        first = next((i for i in samples if i.nofeedbacks > before.nofeedbacks), None)
        cuts.append(samples[-1].nofeedbacks - before.nofeedbacks)
        if first:
            check(abs(first.x / (0.875 * before.x) - 1) < 0.1, f"{before.x} was cut to {first.x}")
        check_equal(samples[-1].x, samples[-1].told, "X afterwards")
        now = rx_state(s)
        check(now.rtt < got.rtt + 20000, f"R was {got.rtt} and is {now.rtt}")
    note(f"cuts {cuts}")
    check(max(cuts) <= 2 and sum(cuts) >= 5, "number of cuts")


@test("a burst of lost reports: more than CCVal can count")
def lost_reports():
    net = path(delay=20)
    c, s = flow(net, tx=raar_tx(beta=900))
    before = drive(c, 30)[-1]
    rounds = rx_state(s)
    samples = silence(net, c, 12, 20)
    down, got = samples[-1], rx_state(s)
    note(f"X {before.x} and {down.x}, {got.feedbacks - rounds.feedbacks} reports unanswered, "
         f"timer expired {down.nofeedbacks - before.nofeedbacks} times")
    check(got.feedbacks - rounds.feedbacks > 16, "too few reports to tell")
    cuts = down.nofeedbacks - before.nofeedbacks
    check(8 <= cuts <= 12 / 0.08, "number of cuts")
    check(abs(down.x / (before.x * 0.9 ** cuts) - 1) < 0.02, "X is not cut by 0.9 each time")
    up = drive(c, 5)[-1]
    after = rx_state(s)
    note(f"X {up.x}, R {after.rtt} us, RTO {after.rto}")
    check_equal(up.x, up.told, "X afterwards")
    check(up.x > 0.8 * before.x, "it does not come back")
    check(after.rounds - got.rounds > 20, "no rounds")
    check(after.rtt < got.rtt + 20000, "R is spoiled")


# ---------------------------------------------------------------- peers

def sender(net, peer):
    """A kernel that sends to a peer of ours."""
    listener = net.listen(options=ASK)
    peer.connect(wish(RAAR.ccid))
    s = accept(listener)
    s.setblocking(False)
    listener.close()
    return s


def report(peer, x_recv, told, timeout, number):
    peer.send(ACK, option(RECEIVE_RATE, struct.pack("!I", x_recv)) +
              option(SIGNALS, bytes(4)) +
              option(TOLD, struct.pack("!IIB", told, timeout, number)))


def feed(s, peer, seconds, answer=lambda: None, rate=None):
    """Send, and let the peer answer each packet; X at the end, and what came."""
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
    start = tx_state(s).x
    feed(s, peer, 120)
    info = tx_state(s)
    note(f"X {info.x}, timer expired {info.nofeedbacks} times, {info.packets_sent} packets")
    check(info.nofeedbacks >= 10, "the timer does not expire")
    check(abs(info.x / (start * 0.875 ** info.nofeedbacks) - 1) < 0.02,
          "X is not cut by 0.875 each time")


@test("a receiver that tells more than there is, or nothing, or to wait for ever")
def liars():
    net = Network()
    net.shape("client", "netem delay 20ms limit 1000")
    for told, x_recv, least, most in ((0xffffffff, 0xffffffff, 0, 4),
                                      (0xffffffff, 5000, 0, 4), (0, 0xffffffff, 0, 0)):
        peer = Peer(net, port=6001 + told % 7 + x_recv % 7)
        s = sender(net, peer)
        number = iter(range(100000))
        feed(s, peer, 5, lambda p=peer, t=told, x=x_recv, n=number:
             report(p, x, t, 0xffffffff, next(n) & 255), rate=20)
        info = tx_state(s)
        bound = max(most * 20 * SIZE, 4380 / 0.02) if told else SIZE / 64 + 1
        note(f"told {told}, receives {x_recv}: X {info.x}, at most {bound:.0f}")
        # told 0, there is a packet in 64 s to report on
        check(info.feedbacks > (2 if told else 0), "its reports were not used")
        check(info.x <= bound, "X follows the lie")
        # its timeout is an hour: 16 R of ours count, 2 of them and two packets
        if told:
            before = info
            feed(s, peer, 4, rate=20)
            info = tx_state(s)
            check(info.nofeedbacks > before.nofeedbacks, "it waits for ever")
        s.close()


@test("a sender that does what it likes")
def unruly_sender():
    net = Network()
    net.shape("client", "netem delay 20ms limit 1000")
    listener = net.listen(options=ASK)
    rng = random.Random(1)
    for case in "ignores", "lies":
        peer = Peer(net, port=6100 + len(case))
        peer.connect(wish(RAAR.ccid))
        s = accept(listener)
        drain(s)
        for n in range(4000):
            options, ccval = b"", 0
            if case == "lies":
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
        got = rx_state(s)
        note(f"{case}: {got.received} packets, {got.feedbacks} reports, {got.rounds} rounds, "
             f"{got.samples} samples, rate {got.rate}, R {got.rtt} us")
        check(got.received > 2000, "it was not heard")
        # at most one for each of its packets, and one for each RTT if it does not play along
        check(got.feedbacks <= got.received, "too many reports")
        if case == "ignores":
            check(got.feedbacks < 4.5 / 0.02, "too many reports")
            check_equal(got.rounds, 0, "rounds")
        check(10 <= got.rtt <= 10 ** 7, "R is out of range")
        check(0 < got.rate <= 25 * 10 ** 9, "rate is out of range")
        check(0 < got.told <= 25 * 10 ** 9, "told rate is out of range")
    c = net.connect(options=ASK)
    s = accept(listener)
    c.send(b"still here")
    check_equal(s.recv(100), b"still here", "data received")


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
        sent, got = tx_state(end), rx_state(end)
        note(f"{name}: X {sent.x}, {sent.feedbacks} reports used, {got.feedbacks} made, "
             f"{got.samples} samples, R {got.rtt} us")
        check(got.samples > 30 and sent.feedbacks > 30, "no rounds")
        check(abs(got.rtt - 100000) < 60000, "R")


if __name__ == "__main__":
    main()
