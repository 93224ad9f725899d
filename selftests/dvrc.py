#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""DVRC: acknowledgments, safety rules, layers end to end."""
import contextlib
import errno
import functools
import random
import select
import struct
import time

from capture import Capture
from lib import (CCID, QPOLICY_ID, QPOLICY_TXQLEN, SOL_DCCP, TX_PRESET, Network, accept, ccids,
                 check, check_equal, check_error, drain, main, note, rx_info, test, tx_info,
                 wait_for)
from rawpeer import ACK, DATA, DATAACK, Peer, option, wish
from schemes import BAD_LAYERS, BY_NAME, dvrc_layers, dvrc_rx

DVRC = BY_NAME["dvrc"]
ID, RX, RX_LAYERS, TX_LAYERS, K = 251, 160, 161, 224, 225
QPOLICY_PRIO, SCM_PRIORITY = 1, 1
RECEIVE_RATE, SIGNALS, RATE_REQUEST, PATH, LAYERS = 194, 200, 203, 137, 139
INCREASE, RANDOM, CONGESTION, TIMEOUT = 1, 2, 3, 4
SIZE, RTT = 500, 0.1
VECTOR = 10000, 20000, 40000, 60000, 80000
ASK = [(CCID, ccids(ID))]


def path(kbit=None, queue=100, delay=RTT):
    net = Network()
    narrow(net, kbit, queue)
    net.shape("client", f"netem delay {delay * 1000:.0f}ms limit 10000")
    return net


def narrow(net, kbit, queue=100):
    rate = f"rate {kbit}kbit" if kbit else ""
    net.shape("server", f"netem delay 1ms {rate} limit {queue}")


def flow(net, client=(), server=()):
    """A connection over which the client sends."""
    c, s = net.pair(client=ASK + list(client), server=ASK + list(server))
    c.setsockopt(SOL_DCCP, QPOLICY_TXQLEN, 10)
    c.setblocking(False)
    drain(s)
    return c, s


def send_for(c, seconds, rate=None, size=SIZE):
    """Send as fast as possible, or at a rate in bytes/s."""
    start, sent = time.monotonic(), 0
    while (now := time.monotonic() - start) < seconds:
        with contextlib.suppress(BlockingIOError):
            while rate is None or sent * size < now * rate:
                c.send(bytes(size))
                sent += 1
        time.sleep(0.005)


def send_layer(c, layer, more=b""):
    """Send a packet with its layer as the priority; False if the queue was full."""
    if not select.select([], [c], [], 0)[1]:
        return False
    c.sendmsg([layer.to_bytes(1, "big") + more + bytes(SIZE - 1 - len(more))],
              [(SOL_DCCP, SCM_PRIORITY, struct.pack("=I", 17 - layer))])
    return True


def k_of(c):
    return struct.unpack("=I", c.getsockopt(SOL_DCCP, K, 4))[0]


# ---------------------------------------------------------------- acknowledgments

def answers(ratio, kbit=1000):
    net = path(kbit=kbit, queue=20)
    c, s = flow(net, server=[(RX, dvrc_rx(ack_ratio=ratio))])
    send_for(c, 10)
    time.sleep(1)
    # Of the last packets, one that says that nothing follows may be lost: then the receiver
    # times out, and its sender hears of that with the next packet.
    c.send(bytes(SIZE))
    time.sleep(1)
    rx, tx = rx_info(s), tx_info(c)
    note(f"{rx.packets_received} packets, {rx.feedbacks} acknowledgments, "
         f"{rx.loss_events} loss events, R {rx.rate}; requested {tx.requested}")
    check(rx.packets_received > 500, "it does not fill the link")
    check_equal(tx.requested, rx.rate, "the requested rate at the sender")
    return rx


@test("each data packet is answered")
def each():
    rx = answers(1)
    check(rx.packets_received <= rx.feedbacks <= rx.packets_received + rx.timeouts,
          "not one for each packet")


@test("each fourth data packet is answered, and each loss event")
def each_fourth():
    # 16 packets and more come in a round trip, but for the first three round trips: up to four
    # acknowledgments in each of these
    rx = answers(4, kbit=4000)
    least = rx.packets_received / 4
    check(least <= rx.feedbacks <= least + rx.loss_events + rx.timeouts + 5 + 12,
          "not one for four packets")


@test("each data packet of a stream of few is answered")
def each_of_few():
    c, s = flow(path(), server=[(RX, dvrc_rx(ack_ratio=4))])
    send_for(c, 10, 20 * SIZE)
    time.sleep(1)
    rx = rx_info(s)
    note(f"{rx.packets_received} packets, {rx.feedbacks} acknowledgments")
    check(rx.packets_received > 150, "too few packets arrive")
    check(rx.packets_received - 8 <= rx.feedbacks <= rx.packets_received + rx.timeouts,
          "not one for each packet")


@test("the sender states its round-trip time once in each")
def states():
    peer, s = peer_flow(path())
    start, stated, packets = time.monotonic(), [], 0
    while time.monotonic() < start + 5:
        with contextlib.suppress(BlockingIOError):
            while True:
                s.send(bytes(SIZE))
        p = peer.receive(DATA, DATAACK, timeout=0.005)
        if p:
            packets += 1
            stated += [v for kind, v in p.options if kind == PATH]
            peer.send(ACK, report(20000, 0))
    rtt = [struct.unpack("!II", v)[0] for v in stated]
    note(f"{packets} packets, {len(stated)} statements, R {rtt[0]} to {rtt[-1]} us, deviation "
         f"{struct.unpack('!II', stated[-1])[1]}")
    # on the first packet of a round trip, and these are a quarter of it apart
    check(36 <= len(stated) <= 51, "statements in 50 round trips")
    check(all(0.99e5 < r < 1.2e5 for r in rtt), "they are not the path's")


# ---------------------------------------------------------------- a rate that is asked for

def rates(c, seconds, until, step=0.25, **how):
    """Send, and sample what was sent in each step, bytes/s."""
    samples = []
    while time.monotonic() < until + seconds:
        before, start = tx_info(c).packets_sent, time.monotonic()
        send_for(c, step, **how)
        samples.append((tx_info(c).packets_sent - before) * how.get("size", SIZE)
                       / (time.monotonic() - start))
    return samples


def holds(mbit, ms, server=()):
    rate = mbit * 125000
    net = path(delay=ms / 1000)
    syncs = Capture(only=("Sync", "SyncAck"))
    c, s = flow(net, [(TX_LAYERS, dvrc_layers(rate))], server)
    c.setsockopt(SOL_DCCP, QPOLICY_TXQLEN, 1000)
    start = time.monotonic()
    first = rates(c, 3, start, size=1000)
    then = rates(c, 5, time.monotonic(), size=1000)
    info, rx = tx_info(c), rx_info(s)
    note(f"{min(then) / 125000:.2f} Mbit/s at least after 3 s; X {info.x / 125000:.2f}, R "
         f"{rx.rate / 125000:.2f}; window {info.seq_window}, {rx.timeouts} timeouts, "
         f"{info.nofeedbacks} expiries")
    check(min(then) > 0.98 * rate, f"it does not hold: {[round(r / 125000, 2) for r in then]}")
    check(max(first + then) < 1.02 * rate, "it is faster than c_k")
    check_equal(len(list(syncs.packets())), 0, "Sync and SyncAck packets")
    check_equal((rx.timeouts, rx.packets_lost, info.nofeedbacks), (0, 0, 0),
                "timeouts, losses, expiries")
    check(info.seq_window >= 5 * rate * ms / 1e6, "the window is below five flights")


for MBIT in 5, 12, 50:
    for MS in 70, 200:
        test(f"a stream of {MBIT} Mbit/s holds its rate over {MS} ms, and no packet is out of "
             "window")(functools.partial(holds, MBIT, MS))


@test("the same with 50 Mbit/s over 200 ms, and an acknowledgment of each packet")
def each_acknowledged():
    """1250 acknowledgments are under way, and a Sequence Window is 100 at first."""
    holds(50, 200, [(RX, dvrc_rx(ack_ratio=1))])


@test("on a link of half its rate a stream in layers soon loses less than 5 %")
def half():
    for vector in (250000,), (50000, 100000, 150000, 200000, 250000):
        for size, queue in (1000, 13), (500, 25):       # one product of bandwidth and delay
            net = path(kbit=1000, queue=queue)
            c, s = flow(net, [(TX_LAYERS, dvrc_layers(*vector))])
            send_for(c, 10, size=size)
            before = rx_info(s)
            send_for(c, 20, size=size)
            rx = rx_info(s)
            lost = rx.packets_lost - before.packets_lost
            received = rx.packets_received - before.packets_received
            note(f"{len(vector)} layers, {size} bytes: "
                 f"{100 * lost / (lost + received):.2f} % lost, "
                 f"{received * size / 20 / 125000:.2f} Mbit/s, R {rx.rate / 125000:.2f}, "
                 f"{rx.random - before.random} random, {rx.congestion - before.congestion} "
                 "congestion")
            check(lost < 0.05 * (lost + received), "5 % or more are lost")
            check(received * size / 20 > 0.7 * 125000, "the link is hardly used")
            c.close()
            s.close()


@test("a round trip with any loss is none without: R comes down to the link, without a bound, too")
def down():
    # "layered" has no target for the delay of the queue. With one there are no losses, so R stays.
    net = path(kbit=1000, queue=13)
    c, s = flow(net, [(TX_PRESET, b"layered"), (TX_LAYERS, dvrc_layers(250000))],
                [(RX, dvrc_rx(weight_layers=0))])
    send_for(c, 15, size=1000)
    before = rx_info(s)
    send_for(c, 5, size=1000)
    rx = rx_info(s)
    lost = rx.packets_lost - before.packets_lost
    received = rx.packets_received - before.packets_received
    note(f"R {rx.rate / 125000:.2f} Mbit/s, {100 * lost / (lost + received):.1f} % lost")
    check(rx.rate < 1.4 * 125000 and lost < 0.2 * received, "it does not back off")


@test("R grows when a round trip has passed without any loss, not only without a loss event")
def second_loss():
    peer, s = peer_flow(path())
    drain(s)

    def packets(seconds):   # more than R, or the equation's rate for them would bound R
        for _ in range(round(seconds / 0.005)):
            peer.send(DATA, data=bytes(SIZE))
            time.sleep(0.005)

    packets(2)
    rtt = rx_info(s).tfrcrx_rtt / 1e6
    for lost in 1, 2:           # the second one 0.7 R later
        peer.seq += 1
        packets(0.015)
        before, start = rx_info(s), time.monotonic()
        check_equal((before.packets_lost, before.loss_events), (lost, 1),
                    "packets lost, loss events")
        if lost == 1:
            packets(0.7 * rtt)
    while rx_info(s).rate <= before.rate:
        packets(0.005)
        check(time.monotonic() < start + 3 * rtt, "R does not grow again")
    took = time.monotonic() - start
    note(f"R {before.rate} grows {took / rtt:.2f} round trips after the last loss")
    check(took > 0.99 * rtt, "R grows too early")


def stream(c, s, vector, seconds, most=99):
    """Send layers up to K, or to @most. Returns the delays of the packets since send()."""
    start, due, delays, ks = time.monotonic(), [0.0] * (len(vector) + 1), [], []
    while (now := time.monotonic() - start) < seconds:
        ks.append(k_of(c))
        for layer in range(1, min(ks[-1], most, len(vector)) + 1):
            share = vector[layer - 1] - (vector[layer - 2] if layer > 1 else 0)
            due[layer] = max(due[layer], now - 0.02)    # what was not allowed is not made up for
            while due[layer] < now:
                send_layer(c, layer, struct.pack("=d", time.monotonic()))
                due[layer] += SIZE / share
        time.sleep(0.002)
        with contextlib.suppress(BlockingIOError):
            while True:
                delays.append(time.monotonic() - struct.unpack_from("=d", s.recv(SIZE), 1)[0])
    return sorted(delays), ks


SEVEN, QUEUE = (12500, 25000, 50000, 100000, 150000, 200000, 312500), 25


def resume(net, before):
    """A layered stream, at first as @before describes, then on 1 Mbit/s with the layers of K."""
    c, s = net.pair(client=ASK + [(QPOLICY_ID, struct.pack("=I", QPOLICY_PRIO)),
                                  (TX_LAYERS, dvrc_layers(*SEVEN))], server=ASK)
    c.setsockopt(SOL_DCCP, QPOLICY_TXQLEN, 10)
    s.setblocking(False)
    before(c, s)
    most = 0.001 + 2 * QUEUE * (SIZE + 50) * 8 / 1e6    # the way, and twice the queue
    delays, ks = stream(c, s, SEVEN, 5)
    p95 = delays[len(delays) * 95 // 100]
    note(f"{len(delays)} packets, delay {delays[len(delays) // 2] * 1000:.0f} ms, 95 % "
         f"{p95 * 1000:.0f} ms (most {most * 1000:.0f}), K {ks[0]}, {min(ks)} to {max(ks)}")
    check(p95 < most, "the delay is more than twice the queue")


@test("R does not grow far beyond what a stream uses")
def unused():
    def before(c, s):
        stream(c, s, SEVEN, 20, most=1)
        rx = rx_info(s)
        note(f"20 s of layer 1 alone: R {rx.rate}, K {rx.k}")
        check(rx.rate < 3 * SEVEN[1], "R grew without regard to use")
    resume(path(kbit=1000, queue=QUEUE), before)


@test("after a pause a stream has to find out anew what the path bears")
def pause():
    net = path(kbit=10000)

    def before(c, s):
        _, ks = stream(c, s, SEVEN, 20)
        check_equal(ks[-1], len(SEVEN), "K on a wide link")
        time.sleep(5)
        narrow(net, 1000, QUEUE)
        note(f"after 5 s: K {k_of(c)}, X {tx_info(c).x}, R {rx_info(s).rate}")
        check(k_of(c) < len(SEVEN), "K after a pause")
    resume(net, before)


# ---------------------------------------------------------------- what a loss is

def decisions(c, s, seconds):
    """Send. Returns the decreases: kind, R before and after."""
    found, before, end = [], rx_info(s), time.monotonic() + seconds
    while time.monotonic() < end:
        send_for(c, 0.005)
        rx = rx_info(s)
        what = [k for k in ("random", "congestion", "timeouts")
                if getattr(rx, k) != getattr(before, k)]
        if what:
            found.append((what, before.rate, rx.rate))
        before = rx
    return found


@test("a loss at the usual receiving rate is random: one packet in a round trip less")
def random_loss():
    net = path()
    c, s = flow(net, [(TX_LAYERS, dvrc_layers(100000))], [(RX, dvrc_rx(n=4000, weight_layers=0))])
    send_for(c, 3)
    net.lose(200)
    found = decisions(c, s, 30)
    rtt = tx_info(c).rtt_ns / 1e9
    note(f"{len(found)} decreases, of {min(a - b for _, a, b in found)} to "
         f"{max(a - b for _, a, b in found)} bytes/s, packet in a round trip {SIZE / rtt:.0f}")
    check(len(found) > 10, "too few losses")
    check(all(what == ["random"] for what, _, _ in found), "taken for congestion")
    check(all(0.9 * SIZE / rtt < a - b < 1.1 * SIZE / rtt for _, a, b in found),
          "not by a packet in a round trip")
    check_equal(rx_info(s).decision in (RANDOM, INCREASE), True, "the last decision")


@test("a loss at a receiving rate far below the usual one is congestion: half of R")
def congestion():
    net = path()
    c, s = flow(net, [(TX_LAYERS, dvrc_layers(100000))],
                [(RX, dvrc_rx(n=4000, weight_layers=0))])
    send_for(c, 3)
    net.lose(200)
    usual = decisions(c, s, 15)
    check(usual and all(what == ["random"] for what, _, _ in usual), "not the usual")
    net.lose(0)
    narrow(net, 160, 10)        # 20 kbyte/s, a fifth
    found = decisions(c, s, 4)
    note(f"{found}")
    check(found, "no loss")
    # the queue has to fill first: then data arrives at the rate of the link
    cuts = [(a, b) for what, a, b in found if what == ["congestion"]]
    check(cuts, "not taken for congestion")
    check(all(abs(b - a / 2) < 0.01 * a for a, b in cuts), "R is not halved")


@test("ECN: a mark is congestion, whatever arrives")
def marks():
    net = path(kbit=1000)
    c, s = flow(net, [(TX_LAYERS, dvrc_layers(100000))], [(RX, dvrc_rx(n=65535))])
    send_for(c, 3)
    net.shape("server", "netem delay 1ms", "tbf rate 400kbit burst 2000 limit 200000",
              "red limit 200000 min 3000 max 30000 avpkt 500 burst 6 probability 0.3 "
              "bandwidth 0.4mbit ecn nodrop")
    send_for(c, 0.5)            # what was in the old queue is gone
    before = rx_info(s)
    found = decisions(c, s, 20)
    info, rx = tx_info(c), rx_info(s)
    note(f"{rx.packets_marked} marked, {rx.packets_lost} lost, {rx.random} random, "
         f"{rx.congestion} congestion, {rx.timeouts} timeouts; {info.packets_marked} marked")
    check(rx.packets_marked > 5, "too few marks")
    check_equal((rx.packets_lost, rx.random), (before.packets_lost, before.random),
                "packets lost, events taken for random")
    check(rx.congestion >= 5, "marks were not answered")
    check(info.packets_marked and info.flags & 4, "the sender knows of no marks, or of no ECN")
    # While more than R arrives, from the queue, half of what arrives (50 kbyte/s) is left.
    decreases = [(a, b) for what, a, b in found if "congestion" in what]
    check(all(b < max(0.6 * a, min(a + 1, 26000)) for a, b in decreases) and
          max(decreases)[0] > 45000, f"R is not halved: {decreases}")


@test("a mark above a hole is congestion at once, and stays one event")
def mark_above_hole():
    peer, s = peer_flow(path())
    drain(s)
    before = rx_info(s)
    for _ in range(200):        # usual: 100 packets/s
        peer.send(DATA, data=bytes(SIZE))
        time.sleep(0.01)
    check_equal(rx_info(s).decision, INCREASE, "the decision before")
    peer.seq += 1               # one is missing
    peer.tos = 3
    peer.send(DATA, data=bytes(SIZE))
    peer.tos = 0
    for i in range(4):          # with the second one the hole is one for good
        time.sleep(0.01)
        rx = rx_info(s)
        check_equal((rx.packets_lost, rx.random - before.random, rx.congestion - before.congestion),
                    (i >= 2, 0, 1), f"lost, random, congestion, {i} packets after the mark")
        peer.send(DATA, data=bytes(SIZE))


# ---------------------------------------------------------------- what a receiver can do

def report(rate, k, x_recv=0xffffffff, timeout=200000):
    return (option(RECEIVE_RATE, struct.pack("!I", x_recv)) + option(SIGNALS, bytes(4)) +
            option(RATE_REQUEST, struct.pack("!IIB", rate, timeout, k)))


def peer_flow(net, options=()):
    """A raw peer, and the socket that is connected to it."""
    listener = net.listen(options=ASK + list(options))
    peer = Peer(net)
    peer.connect(wish(ID))
    s = accept(listener)
    s.setblocking(False)
    return peer, s


def exchange(peer, s, seconds, *values, step=0.005, ratio=1):
    """Send, and report on each packet (without values: on none). Returns X over time."""
    end, samples, n = time.monotonic() + seconds, [], 0
    while time.monotonic() < end:
        with contextlib.suppress(BlockingIOError):
            while True:
                s.send(bytes(SIZE))
        while peer.receive(DATA, DATAACK, timeout=step):
            n += 1
            if values and n % ratio == 0:
                peer.send(ACK, report(*values))
            if time.monotonic() >= end:
                break
        samples.append((time.monotonic(), tx_info(s)))
    return samples


@test("a request of 2^32 - 1 and K = 255 gives no flood, and no layer that does not exist")
def false_reports():
    net = path()
    peer, s = peer_flow(net, [(TX_LAYERS, dvrc_layers(10000, 20000, 30000))])
    s.setsockopt(SOL_DCCP, QPOLICY_TXQLEN, 10)
    samples = exchange(peer, s, 1, 20000, 2)    # as it should be
    check_equal(samples[-1][1].k, 2, "K")
    check(abs(samples[-1][1].x - 20000) < 2, "X is not the requested rate")
    # An application that sends 100 packets/s, and once what has been queued: four times
    # what was really sent in one round trip is the most.
    most = 4 * (100 * SIZE + 10 * SIZE / RTT)
    end = time.monotonic() + 3
    while time.monotonic() < end:
        with contextlib.suppress(BlockingIOError):
            s.send(bytes(SIZE))
        while peer.receive(DATA, DATAACK, timeout=0.001):
            peer.send(ACK, report(0xffffffff, 255, timeout=0xffffffff))
        time.sleep(0.009)
    info = tx_info(s)
    note(f"requested {info.requested}, X {info.x}, K {info.k}, X_recv {info.x_recv}")
    check_equal(info.k, 3, "K")
    check(info.x <= most, "X follows the false reports")
    check(info.dto <= 16 * info.rtt_ns / 1000 + 1, "so does the timeout")


@test("a receiver that tells 0 gets a packet now and then")
def zero():
    net = path()
    peer, s = peer_flow(net, [(TX_LAYERS, dvrc_layers(10000, 20000))])
    exchange(peer, s, 1, 20000, 2)
    samples = exchange(peer, s, 1, 0, 0)
    note(f"X {samples[-1][1].x}, K {samples[-1][1].k}")
    check(samples[-1][1].x <= SIZE, "X is not the least")
    check_equal(samples[-1][1].k, 2, "K: nothing was said of layers")


@test("a silent receiver: half the rate for each 2 DTO, and layer 1 in the end")
def silent():
    net = path()
    peer, s = peer_flow(net, [(TX_LAYERS, dvrc_layers(*VECTOR))])
    samples = exchange(peer, s, 3, 80000, 5)
    full, k = samples[-1][1].x, samples[-1][1].k
    check_equal(k, 5, "K before")
    samples = exchange(peer, s, 10)
    cuts = [(t, b.x) for (_, a), (t, b) in zip(samples, samples[1:]) if b.x != a.x]
    note(", ".join(f"{t - samples[0][0]:.2f} s: {x}" for t, x in cuts))
    check(len(cuts) >= 4, "too few cuts")
    for i, (_, x) in enumerate(cuts, 1):
        check(abs(x - full / 2 ** i) <= 2, f"cut {i}: {x}")
    # 2 DTO, here 200 ms each, and two packets
    gaps = [b - a for (a, _), (b, _) in zip(cuts, cuts[1:])]
    check(all(g >= 0.4 for g in gaps), "cut too soon")
    check(gaps[0] < 0.8, "cut too late")
    check_equal(samples[-1][1].k, 1, "K after")
    # one report, and it goes on: but not at once as if nothing had been
    samples = exchange(peer, s, 20, 80000, 5)
    check(samples[-1][1].x > 0.9 * full, "it does not recover")


@test("single acknowledgments are lost: nothing happens")
def lost_acks():
    net = path()
    c, s = flow(net, [(TX_LAYERS, dvrc_layers(40000))])
    send_for(c, 3)
    before = tx_info(c)
    # Every fifth is lost, and never two in a row. With independent losses a row of them comes
    # now and then, lasts for 2 DTO, and is what the next test is about.
    net.lose(5, "client")
    rates = []
    for _ in range(40):
        send_for(c, 0.25)
        rates.append(tx_info(c).x)
    after = tx_info(c)
    lost = int(net.tc("-s", "qdisc", "show", "dev", "to-client", "clsact")
               .split("dropped ")[1].split(",")[0])
    note(f"X {before.x} before, {min(rates)} to {max(rates)}, {after.nofeedbacks} timeouts; "
         f"{lost} acknowledgments lost")
    check(lost >= 10, "too few acknowledgments are lost")
    check(min(rates) > 39900 and before.x > 39900, "the rate fell")
    check_equal(after.nofeedbacks, before.nofeedbacks, "expiries of the nofeedback timer")
    check_equal(rx_info(s).loss_events, 0, "loss events")


@test("a burst of acknowledgments is lost: the rate falls, and comes back with the next")
def burst_of_acks():
    net = path()
    c, s = flow(net, [(TX_LAYERS, dvrc_layers(40000))])
    send_for(c, 3)
    net.shape("client", "netem loss 100%")
    send_for(c, 2)
    low = tx_info(c)
    net.shape("client", f"netem delay {RTT * 1000:.0f}ms limit 10000")
    send_for(c, 4)
    after = tx_info(c)
    note(f"X {low.x} after 2 s without, then {after.x}; {after.nofeedbacks} timeouts; receiver: "
         f"{rx_info(s).timeouts} timeouts")
    check(low.nofeedbacks >= 2 and low.x <= 10000, "the rate did not fall")
    check(after.x > 39000, "it did not come back")


@test("a slow stream is not cut between its packets")
def slow():
    net = path()
    c, s = flow(net, [(TX_LAYERS, dvrc_layers(40000))])
    for i in range(40):
        c.send(bytes(SIZE))
        time.sleep(0.3 + 0.2 * (i % 7) / 7)
        if i == 5:
            before = tx_info(c)
    info, rx = tx_info(c), rx_info(s)
    note(f"X {info.x}, {info.nofeedbacks - before.nofeedbacks} expiries; receiver: R {rx.rate}, "
         f"{rx.timeouts} timeouts")
    check(rx.rate >= 39999, "R is not c_k")
    check_equal(rx.timeouts, 0, "timeouts of the receiver: the sender has said that it is idle")


@test("data stops without a word: the receiver halves R for each DTO, and ends that",
      timeout=9000)
def blackhole():
    net = path()
    c, s = flow(net, [(TX_LAYERS, dvrc_layers(40000))])
    send_for(c, 3)
    check(rx_info(s).rate >= 39999, "R is not c_k")
    net.shape("server", "netem loss 100%")
    send_for(c, 1)
    one = rx_info(s)
    time.sleep(3000)
    end = rx_info(s)
    time.sleep(3000)
    last = rx_info(s)
    note(f"R {one.rate} after 1 s and {one.timeouts} timeouts, in the end {end.rate} after "
         f"{end.timeouts}")
    check(3 <= one.timeouts <= 8 and one.rate < 10000, "R did not fall")
    check_equal(one.decision, TIMEOUT, "decision")
    check_equal(end.rate, SIZE // 64, "R in the end")
    check_equal(last.feedbacks, end.feedbacks, "reports of an hour")


@test("a sender that ignores the requested rate gets no more than c_k, and costs no more")
def ignorant():
    net = path()
    listener = net.listen(options=ASK)
    peer = Peer(net)
    peer.connect(wish(ID))
    s = accept(listener)
    drain(s)
    layers = option(LAYERS, struct.pack("!3I", 10000, 20000, 30000))
    for i in range(2000):       # 1 Mbyte/s
        peer.send(DATA, layers if i < 10 else b"", data=bytes(SIZE))
        time.sleep(SIZE / 1e6)
    rx = rx_info(s)
    note(f"R {rx.rate}, K {rx.k}, {rx.packets_received} packets, {rx.feedbacks} acknowledgments")
    check(rx.rate <= 30000, "R is above c_k")
    check(rx.feedbacks <= rx.packets_received + rx.timeouts, "it makes us send more than it sends")


# ---------------------------------------------------------------- layers

@test("bad rate vectors are refused and change nothing")
def bad_vectors():
    net = path()
    c, s = flow(net, [(TX_LAYERS, dvrc_layers(*VECTOR))], [(RX_LAYERS, dvrc_layers(7, 8))])
    fresh = net.open("client", options=ASK)
    for end, name, good in ((c, TX_LAYERS, VECTOR), (s, RX_LAYERS, (7, 8)),
                            (fresh, TX_LAYERS, None), (fresh, RX_LAYERS, None)):
        for bad in BAD_LAYERS + [b""]:
            check_error(errno.EINVAL, end.setsockopt, SOL_DCCP, name, bad)
        if good:
            check_equal(end.getsockopt(SOL_DCCP, name, 64), dvrc_layers(*good), "the vector")
    check_error(errno.EINVAL, c.getsockopt, SOL_DCCP, TX_LAYERS, 16)    # too little room
    check_error(errno.ENOPROTOOPT, c.setsockopt, SOL_DCCP, K, dvrc_layers(1))
    c.setsockopt(SOL_DCCP, TX_LAYERS, dvrc_layers(*range(1, 17)))
    check_equal(c.getsockopt(SOL_DCCP, TX_LAYERS, 64), dvrc_layers(*range(1, 17)), "16 layers")


@test("bad rate vectors from a peer are passed over, good ones are taken")
def vectors_of_a_peer():
    net = path()
    listener = net.listen(options=ASK)
    cases = [(b"".join(struct.pack("!I", v) for v in rates), good) for rates, good in (
        ((5, 9), True), ((1,), True), (tuple(range(1, 17)), True), ((0,), False), ((0, 1), False),
        ((2, 1), False), ((2, 2), False), ((1, 2, 0), False), (tuple(range(1, 18)), False))]
    cases += [(b"", False), (b"\0", False), (b"\0\0\0\1\0", False), (b"\xff" * 64, False)]
    for n, (value, good) in enumerate(cases):
        peer = Peer(net, port=6100 + n)
        peer.connect(wish(ID))
        s = accept(listener)
        before = s.getsockopt(SOL_DCCP, RX_LAYERS, 64)
        peer.send(DATAACK, option(LAYERS, value), data=b"data")
        s.settimeout(1)
        check_equal(s.recv(100), b"data", f"data with {value!r}")
        if good:
            check_equal(s.getsockopt(SOL_DCCP, RX_LAYERS, 64),
                        dvrc_layers(*struct.unpack(f"!{len(value) // 4}I", value)), "the vector")
            # on packets without data it is passed over, whatever it is
            peer.send(ACK, option(LAYERS, b"x") + option(PATH, b"x") + report(1000, 0))
            peer.send(DATAACK, report(1000, 0), data=b"more")
            check_equal(s.recv(100), b"more", "data")
        else:
            check_equal(s.getsockopt(SOL_DCCP, RX_LAYERS, 64), before, f"vector after {value!r}")
        s.close()


@test("a vector that comes late changes nothing")
def old_vector():
    peer, s = peer_flow(path())
    s.setblocking(True)
    first = peer.seq + 1
    for seq, rates in (first + 1, (7, 8)), (first, (5, 9)):
        peer.send(DATA, option(LAYERS, struct.pack("!2I", *rates)), b"data", seq=seq)
        check_equal(s.recv(100), b"data", "data")
        check_equal(s.getsockopt(SOL_DCCP, RX_LAYERS, 64), dvrc_layers(7, 8), "the vector")


@test("K follows the link, poll() tells, layers above K are not sent")
def end_to_end():
    net = path(kbit=1000, queue=10)
    c, s = net.pair(client=ASK + [(QPOLICY_ID, struct.pack("=I", QPOLICY_PRIO)),
                                  (TX_LAYERS, dvrc_layers(*VECTOR))], server=ASK)
    c.setsockopt(SOL_DCCP, QPOLICY_TXQLEN, 50)
    s.setblocking(False)
    check_equal(k_of(c), 1, "K at first")
    poller = select.poll()
    poller.register(c, select.POLLPRI)

    def phase(seconds, all_layers):
        """Send 80 kbyte/s in layers. Returns K, and the share of each layer that arrived."""
        start, due, woken, got, ks = time.monotonic(), 0, 0, [0] * 6, []
        k = k_of(c)
        while time.monotonic() < start + seconds:
            for layer in range(1, 6):
                share = VECTOR[layer - 1] - (VECTOR[layer - 2] if layer > 1 else 0)
                if random.random() * 20000 < share and (all_layers or layer <= k):
                    send_layer(c, layer)
            due += SIZE / 20000
            if poller.poll(max(0, (start + due - time.monotonic()) * 1000)):
                woken += 1
                check(poller.poll(0), "poll() tells only once")
                k = k_of(c)
                check(not poller.poll(0), "poll() tells after K was read")
                ks.append(k)
            with contextlib.suppress(BlockingIOError):
                while True:
                    got[s.recv(SIZE)[0]] += 1
        return k, woken, got, ks

    random.seed(1)
    k, woken, got, _ = phase(10, False)
    note(f"wide link: K {k}, woken {woken} times, layers {got[1:]}")
    check_equal(k, 5, "K on a wide link")
    check(woken >= 4, "poll() did not tell")
    check(min(got[1:]) > 100, "a layer is missing")
    check_equal(s.getsockopt(SOL_DCCP, RX_LAYERS, 64), dvrc_layers(*VECTOR),
                "the vector of layers at the receiver")
    check_equal((rx_info(s).layers, rx_info(s).k), (5, 5), "layers and K of the receiver")

    narrow(net, 250, 10)
    phase(5, True)
    before = tx_info(c)
    k, woken, got, ks = phase(20, True)
    info = tx_info(c)
    note(f"250 kbit/s: K {k}, woken {woken} times, K {sorted(set(ks))}, layers {got[1:]}, "
         f"{info.kept_back - before.kept_back} kept back")
    # R is 40 kbyte/s where the link begins to lose, and grows until that is seen
    check(max(ks + [k]) <= 4, "K is too great for the link")
    check(info.kept_back - before.kept_back > 100, "layers above K were not kept back")
    check(got[5] == 0 and got[4] <= sum(got) / 20, "layers above K were sent")
    check(got[1] > 250, "layer 1 did not arrive")
    check(sum(got) * SIZE / 20 > 15000, "the link is hardly used")

    narrow(net, 1000, 10)
    k, woken, got, _ = phase(10, False)
    note(f"wide again: K {k}, layers {got[1:]}")
    check_equal(k, 5, "K on a wide link")


@test("K falls while packets of other layers wait: the last of them says that none follows")
def announced():
    net = path(delay=0.01)
    peer, s = peer_flow(net, [(QPOLICY_ID, struct.pack("=I", QPOLICY_PRIO)),
                              (TX_LAYERS, dvrc_layers(300, 600, 900))])
    # two packets in a second
    for _ in range(3):
        send_layer(s, 1)
        check(peer.receive(DATA, DATAACK), "no packet before")
        peer.send(ACK, report(1000, 3))
    time.sleep(1)
    check_equal(k_of(s), 3, "K before")
    for layer in 1, 1, 3, 2, 2:
        send_layer(s, layer)
    first, second = (peer.receive(DATA, DATAACK) for _ in range(2))
    check_equal((first.ccval, second.ccval), (1, 0), "CCVal of the base layer")
    before = tx_info(s).kept_back
    peer.send(ACK, report(1000, 1))
    check(wait_for(lambda: k_of(s) == 1, 0.3), "K did not fall")
    last = peer.receive(DATA, DATAACK, timeout=3)
    check(last, "nothing ends what was announced")
    note(f"layer {last.data[0]}, CCVal {last.ccval}, "
         f"{tx_info(s).kept_back - before} kept back")
    check_equal((last.data[0], last.ccval), (3, 1), "layer and CCVal of the last one")
    check_equal(tx_info(s).kept_back - before, 2, "layers that were kept back")
    # nothing was announced now
    send_layer(s, 3)
    check(not peer.receive(DATA, DATAACK, timeout=2), "a layer above K was sent")


@test("a vector that is set at the receiver goes before the sender's")
def receivers_vector():
    net = path()
    c, s = flow(net, server=[(RX_LAYERS, dvrc_layers(3000, 6000, 12000))])
    send_for(c, 3)
    info, rx = tx_info(c), rx_info(s)
    note(f"X {info.x}, K {info.k}; R {rx.rate}")
    check_equal((info.k, rx.k, info.layers), (3, 3, 0), "K, K of the receiver, layers")
    check_equal(rx.rate, 12000, "R")
    c.setsockopt(SOL_DCCP, TX_LAYERS, dvrc_layers(1, 2))
    send_for(c, 1)
    check_equal(s.getsockopt(SOL_DCCP, RX_LAYERS, 64), dvrc_layers(3000, 6000, 12000),
                "the receiver's vector")
    check_equal(tx_info(c).k, 2, "K: no more than the sender's layers")


@test("a vector that changes during the connection is sent again")
def changes():
    net = path()
    c, s = flow(net, [(TX_LAYERS, dvrc_layers(*VECTOR))])
    send_for(c, 6)
    check_equal(tx_info(c).k, 5, "K")
    c.setsockopt(SOL_DCCP, TX_LAYERS, dvrc_layers(5000, 15000, 1000000))
    check(wait_for(lambda: (send_for(c, 0.1), s.getsockopt(SOL_DCCP, RX_LAYERS, 64))[1] ==
                   dvrc_layers(5000, 15000, 1000000), 2), "the receiver did not get it")
    send_for(c, 0.3)
    check_equal(tx_info(c).k, 2, "K")


if __name__ == "__main__":
    main()
