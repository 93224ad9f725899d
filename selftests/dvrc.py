#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""DVRC seen from outside: acknowledgments, safety, layers end to end."""
import contextlib
import errno
import random
import select
import struct
import time

from lib import (CCID, QPOLICY_TXQLEN, SCHEMES, SOL_DCCP, TX_INFO, RX_INFO, Info, Network, accept,
                 ccids, check, check_equal, check_error, drain, main, note, test, tx_info,
                 wait_for)
from rawpeer import ACK, DATA, DATAACK, Peer, option, wish
from schemes import BAD_LAYERS, dvrc_layers, dvrc_rx

DVRC = next((s for s in SCHEMES if s.name == "dvrc"), None)
ID, RX, RX_LAYERS, TX_LAYERS, K = 251, 160, 161, 224, 225
QPOLICY_ID, QPOLICY_PRIO, SCM_PRIORITY = 16, 1, 1
RECEIVE_RATE, SIGNALS, TOLD, PATH, LAYERS = 194, 200, 203, 137, 139
INCREASE, RANDOM, CONGESTION, TIMEOUT = 1, 2, 3, 4
SIZE, RTT = 500, 0.1
VECTOR = 10000, 20000, 40000, 60000, 80000
ASK = [(CCID, ccids(ID))]


def sender(s):
    """TX_INFO with what is DVRC's own."""
    info = tx_info(s)
    data = s.getsockopt(SOL_DCCP, TX_INFO, 264)
    info.__dict__.update(Info(data[136:], "=QQIIII",
                              "told kept_back k layers deviation dto").__dict__)
    return info


def receiver(s):
    """RX_INFO likewise."""
    data = s.getsockopt(SOL_DCCP, RX_INFO, 200)
    return Info(data, "=IIIHHQQQQQQQQQQQIIIIIII",
                "tfrcrx_x_recv tfrcrx_rtt tfrcrx_p ccid loss_history x_recv p_ppb received lost "
                "marked events feedbacks rate receiving mean deviation k layers random congestion "
                "timeouts decision dto")


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


def send_for(c, seconds, rate=None):
    """As fast as it goes, or at a rate in bytes/s."""
    start, sent = time.monotonic(), 0
    while (now := time.monotonic() - start) < seconds:
        with contextlib.suppress(BlockingIOError):
            while rate is None or sent * SIZE < now * rate:
                c.send(bytes(SIZE))
                sent += 1
        time.sleep(0.005)


def send_layer(c, layer):
    """A packet with its layer; False if there was no room."""
    if not select.select([], [c], [], 0)[1]:
        return False
    c.sendmsg([layer.to_bytes(1, "big") + bytes(SIZE - 1)],
              [(SOL_DCCP, SCM_PRIORITY, struct.pack("=I", 17 - layer))])
    return True


def k_of(c):
    return struct.unpack("=I", c.getsockopt(SOL_DCCP, K, 4))[0]


# ---------------------------------------------------------------- acknowledgments

def answers(ratio):
    net = path(kbit=1000, queue=20)
    c, s = flow(net, server=[(RX, dvrc_rx(ack_ratio=ratio))])
    send_for(c, 10)
    time.sleep(1)
    rx, tx = receiver(s), sender(c)
    note(f"{rx.received} packets, {rx.feedbacks} acknowledgments, {rx.events} loss events, R "
         f"{rx.rate}, told {tx.told}")
    check(rx.received > 500, "it does not fill the link")
    check_equal(tx.told, rx.rate, "the rate that the sender was told")
    return rx


@test("each data packet is answered")
def each():
    rx = answers(1)
    check(rx.received <= rx.feedbacks <= rx.received + rx.timeouts, "not one for each packet")


@test("each fourth data packet is answered, and each loss event")
def each_fourth():
    rx = answers(4)
    check(rx.received / 4 <= rx.feedbacks <= rx.received / 4 + rx.events + rx.timeouts + 5,
          "not one for four packets")


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


# ---------------------------------------------------------------- what a receiver can do

def report(rate, k, x_recv=0xffffffff, timeout=200000):
    return (option(RECEIVE_RATE, struct.pack("!I", x_recv)) + option(SIGNALS, bytes(4)) +
            option(TOLD, struct.pack("!IIB", rate, timeout, k)))


def peer_flow(net, options=()):
    """A raw peer, and the socket that is connected to it."""
    listener = net.listen(options=ASK + list(options))
    peer = Peer(net)
    peer.connect(wish(ID))
    s = accept(listener)
    s.setblocking(False)
    return peer, s


def exchange(peer, s, seconds, *told, step=0.005, ratio=1):
    """Send what goes, report on each packet (none without told); X in time."""
    end, samples, n = time.monotonic() + seconds, [], 0
    while time.monotonic() < end:
        with contextlib.suppress(BlockingIOError):
            while True:
                s.send(bytes(SIZE))
        while peer.receive(DATA, DATAACK, timeout=step):
            n += 1
            if told and n % ratio == 0:
                peer.send(ACK, report(*told))
            if time.monotonic() >= end:
                break
        samples.append((time.monotonic(), sender(s)))
    return samples


@test("a receiver that tells 2^32 - 1 and K = 255 gets no flood, and no layer that is not there")
def liar():
    net = path()
    peer, s = peer_flow(net, [(TX_LAYERS, dvrc_layers(10000, 20000, 30000))])
    s.setsockopt(SOL_DCCP, QPOLICY_TXQLEN, 10)
    samples = exchange(peer, s, 1, 20000, 2)    # as it should be
    check_equal(samples[-1][1].k, 2, "K")
    check(abs(samples[-1][1].x - 20000) < 2, "X is not what was told")
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
    info = sender(s)
    note(f"told {info.told}, X {info.x}, K {info.k}, X_recv {info.x_recv}")
    check_equal(info.k, 3, "K")
    check(info.x <= most, "X follows the lie")
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
    before = sender(c)
    net.shape("client", f"netem delay {RTT * 1000:.0f}ms loss 20% limit 10000")
    rates = []
    for _ in range(40):
        send_for(c, 0.25)
        rates.append(sender(c).x)
    after = sender(c)
    note(f"X {before.x} before, {min(rates)} to {max(rates)}, {after.nofeedbacks} timeouts")
    check(min(rates) > 39900 and before.x > 39900, "the rate fell")
    check_equal(after.nofeedbacks, before.nofeedbacks, "expiries of the nofeedback timer")
    check_equal(receiver(s).events, 0, "loss events")


@test("a burst of acknowledgments is lost: the rate falls, and comes back with the next")
def burst_of_acks():
    net = path()
    c, s = flow(net, [(TX_LAYERS, dvrc_layers(40000))])
    send_for(c, 3)
    net.shape("client", "netem loss 100%")
    send_for(c, 2)
    low = sender(c)
    net.shape("client", f"netem delay {RTT * 1000:.0f}ms limit 10000")
    send_for(c, 4)
    after = sender(c)
    note(f"X {low.x} after 2 s without, then {after.x}; {after.nofeedbacks} timeouts; receiver: "
         f"{receiver(s).timeouts} timeouts")
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
            before = sender(c)
    info, rx = sender(c), receiver(s)
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
    check(receiver(s).rate >= 39999, "R is not c_k")
    net.shape("server", "netem loss 100%")
    send_for(c, 1)
    one = receiver(s)
    time.sleep(3000)
    end = receiver(s)
    time.sleep(3000)
    last = receiver(s)
    note(f"R {one.rate} after 1 s and {one.timeouts} timeouts, in the end {end.rate} after "
         f"{end.timeouts}")
    check(3 <= one.timeouts <= 8 and one.rate < 10000, "R did not fall")
    check_equal(one.decision, TIMEOUT, "decision")
    check_equal(end.rate, SIZE // 64, "R in the end")
    check_equal(last.feedbacks, end.feedbacks, "reports of an hour")


@test("a sender that ignores what it is told gets no more than c_k, and costs no more")
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
    rx = receiver(s)
    note(f"R {rx.rate}, K {rx.k}, {rx.received} packets, {rx.feedbacks} acknowledgments")
    check(rx.rate <= 30000, "R is above c_k")
    check(rx.feedbacks <= rx.received + rx.timeouts, "it makes us send more than it sends")


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
        """Send 80 kbyte/s in layers; what K came to be, and what of each arrived."""
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
    note(f"wide link: K {k}, {woken} times told, layers {got[1:]}")
    check_equal(k, 5, "K on a wide link")
    check(woken >= 4, "poll() did not tell")
    check(min(got[1:]) > 100, "a layer is missing")
    check_equal(s.getsockopt(SOL_DCCP, RX_LAYERS, 64), dvrc_layers(*VECTOR),
                "the vector that the receiver was told")
    check_equal((receiver(s).layers, receiver(s).k), (5, 5), "layers and K of the receiver")

    narrow(net, 250, 10)
    phase(5, True)
    before = sender(c)
    k, woken, got, ks = phase(20, True)
    info = sender(c)
    note(f"250 kbit/s: K {k}, {woken} times told, K {sorted(set(ks))}, layers {got[1:]}, "
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


@test("a vector that is set at the receiver goes before the sender's")
def receivers_vector():
    net = path()
    c, s = flow(net, server=[(RX_LAYERS, dvrc_layers(3000, 6000, 12000))])
    send_for(c, 3)
    info, rx = sender(c), receiver(s)
    note(f"X {info.x}, K {info.k}; R {rx.rate}")
    check_equal((info.k, rx.k, info.layers), (3, 3, 0), "K, K of the receiver, layers")
    check_equal(rx.rate, 12000, "R")
    c.setsockopt(SOL_DCCP, TX_LAYERS, dvrc_layers(1, 2))
    send_for(c, 1)
    check_equal(s.getsockopt(SOL_DCCP, RX_LAYERS, 64), dvrc_layers(3000, 6000, 12000),
                "the receiver's vector")
    check_equal(sender(c).k, 2, "K: no more than the sender's layers")


@test("a vector that changes during the connection is told anew")
def changes():
    net = path()
    c, s = flow(net, [(TX_LAYERS, dvrc_layers(*VECTOR))])
    send_for(c, 4)
    check_equal(sender(c).k, 5, "K")
    c.setsockopt(SOL_DCCP, TX_LAYERS, dvrc_layers(5000, 15000, 1000000))
    check(wait_for(lambda: (send_for(c, 0.1), s.getsockopt(SOL_DCCP, RX_LAYERS, 64))[1] ==
                   dvrc_layers(5000, 15000, 1000000), 2), "the receiver was not told")
    send_for(c, 0.3)
    check_equal(sender(c).k, 2, "K")


if __name__ == "__main__":
    main()
