#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""CTFAF's rate after each report, compared with its constraints; R_b with the link's rate."""
import contextlib
import errno
import select
import struct
import time

from lib import (CCID, QPOLICY_TXQLEN, SOL_DCCP, TX_PRESET, Network, accept, ccids, check,
                 check_equal, drain, main, note, rx_info, test, tx_info)
from rawpeer import DATA, Peer, option, wish
from schemes import BY_NAME, ctfaf_tx

CTFAF = BY_NAME["ctfaf"]
(START, TOLERATED, AT_MIN, CREDIT, DECREASE_DELTA, REPAY, DECREASE, AT_MAX, RESTRAINT,
 INCREASE_DELTA, INCREASE, UNUSED, SILENCE) = range(13)
SIZE = 1000
INTERVAL = 136
RUNGS = 233


def flow(net, preset=None, rungs=(), **constraints):
    ask = [(CCID, ccids(CTFAF.ccid))]
    own = ((TX_PRESET, preset) if preset else (CTFAF.tx_option, ctfaf_tx(**constraints)))
    c, s = net.pair(client=[*ask, own, *([(RUNGS, struct.pack(f"={len(rungs)}I", *rungs))]
                                         if rungs else [])], server=ask)
    c.setsockopt(SOL_DCCP, QPOLICY_TXQLEN, 20)
    c.setblocking(False)
    drain(s)
    return c


def drive(c, seconds, step=0.01):
    """Send as fast as possible. Returns TX_INFO after each report or timeout."""
    end, samples, before = time.monotonic() + seconds, [], tx_info(c)
    while time.monotonic() < end:
        try:
            while True:
                c.send(bytes(SIZE))
        except BlockingIOError:
            pass
        info = tx_info(c)
        if (info.feedbacks, info.nofeedbacks) != (before.feedbacks, before.nofeedbacks):
            info.time = time.monotonic()
            samples.append(info)
            before = info
        time.sleep(step)
    return samples


def even(c, seconds, share=0.85, rung=False):
    """Send evenly, as an encoder below X: no packet waits in the queue."""
    end, samples, before = time.monotonic() + seconds, [], tx_info(c)
    due = info = None
    while (now := time.monotonic()) < end:
        info = tx_info(c)
        if info.feedbacks != before.feedbacks:
            info.time = now
            samples.append(info)
            before = info
        due = max(now - 0.001, due or now) + SIZE / ((info.x or 5000) * (1 if rung else share))
        try:
            c.send(bytes(SIZE))
        except BlockingIOError:
            pass
        time.sleep(max(0, due - time.monotonic()))
    return samples


def grows(samples, factor=2.01):
    """X never more than doubles from one report to the next."""
    for last, now in zip(samples, samples[1:]):
        check(now.x <= factor * last.x, f"X went from {last.x} to {now.x}, decision {now.decision}")


def path(kbit=2000, delay=20):
    net = Network()
    net.shape("server", f"netem delay {delay}ms rate {kbit}kbit limit 100")
    net.shape("client", f"netem delay {delay}ms limit 1000")
    return net


@test("packet pairs find the bottleneck, LDA+ fills it and loses nothing")
def fills():
    for kbit in 256, 2000, 50000:
        net = path(kbit)
        c = flow(net, interval=1000, r_start=8000)
        samples = drive(c, 60)
        last = samples[-1]
        # netem counts the headers: Ethernet, IP, DCCP
        link = kbit * 125 * SIZE / (SIZE + 14 + 20 + 16)
        note(f"{kbit} kbit/s: R_b {last.bottleneck}, expected {link:.0f}, X {last.x}, "
             f"{last.packets_lost} lost of {last.packets_sent}")
        check(abs(last.bottleneck / link - 1) < 0.01, "R_b is wrong")
        check(last.x < 1.001 * link, "X is above R_b")
        check(last.x > 0.9 * link or kbit > 10000, "it does not fill the link")
        check_equal(last.packets_lost, 0, "packets lost")
        net.delete()


@test("the rate keeps to its grid, its limits and delta; B takes the rest")
def keeps_to_constraints():
    net = path(delay=100)
    net.lose(30)
    par = {"r_min": 5000, "r_max": 60000, "step": 250, "delta": 1100, "r_start": 20000,
           "interval": 500, "t_reset": 10000, "t_init": 5000}
    c = flow(net, **par)
    samples = drive(c, 120)
    seen = set()
    for last, now in zip(samples, samples[1:]):
        what = (f"report {now.feedbacks}: decision {now.decision}, asked {now.asked}, r {last.rate}"
                f" -> {now.rate}, B {last.virtual_bandwidth} -> {now.virtual_bandwidth}")
        seen.add(now.decision)
        check_equal((now.x - par["r_min"]) % par["step"], 0, f"{what}: {now.x} on the grid")
        check(par["r_min"] <= now.x <= par["r_max"], f"{what}: {now.x} is outside of its limits")
        init = now.time - samples[0].time < 6
        if init or now.resets != last.resets:
            continue
        moved = now.rate - last.rate
        check(abs(moved) <= par["delta"] + 1, what)
        check(abs(now.x - last.x) <= par["delta"], f"{what}: what is sent moves by more")
        if now.decision not in (UNUSED, SILENCE):
            check(abs(now.asked - moved - (now.virtual_bandwidth - last.virtual_bandwidth)) <= 3 or
                  now.asked > 2 * last.x - last.rate, f"{what}: B and r do not add up")
    note(f"{len(samples)} reports, decisions {sorted(seen)}, {samples[-1].resets} resets")
    check(len(seen - {START, UNUSED, SILENCE}) >= 5, "too few kinds of decisions")
    check(8 <= samples[-1].resets <= 12, "resets")


@test("constraints change during the connection")
def changes():
    net = path()
    par = {"r_min": 5000, "interval": 500, "r_start": 100000, "t_init": 0}
    c = flow(net, **par)
    drive(c, 5)
    before = tx_info(c)
    c.setsockopt(SOL_DCCP, CTFAF.tx_option, ctfaf_tx(r_max=50000, **{**par, "r_start": 0}))
    check(before.x >= 100000, "the rate before is too low to tell")
    check(tx_info(c).x <= 50000, "a lower r_max does not hold at once")
    c.setsockopt(SOL_DCCP, CTFAF.tx_option, ctfaf_tx(r_max=90000, **{**par, "r_min": 80000,
                                                                    "r_start": 0}))
    check(tx_info(c).x <= 50000, "a higher r_min needs no report")
    drive(c, 2)
    check(80000 <= tx_info(c).x <= 90000, "a higher r_min does not hold")


@test("no report for 3 T halves the rate, again and again, r_min or not")
def silence():
    net = path()
    c = flow(net, interval=1000, r_min=50000, r_start=80000, t_init=0)
    drive(c, 5)
    before = tx_info(c)
    net.shape("client", "netem loss 100%")
    samples = drive(c, 13)
    net.shape("client", "netem delay 20ms limit 1000")
    silent = [s for s in samples if s.nofeedbacks > before.nofeedbacks]
    note("X " + ", ".join(str(s.x) for s in [before] + silent))
    check(len(silent) >= 3, f"the timer expired only {len(silent)} times")
    for last, now in zip([before] + silent, silent):
        check(now.x <= last.x / 2 + 1, f"X was {last.x} and is {now.x}")
        check_equal(now.decision, SILENCE, "decision")
    check(2.9 < silent[1].time - silent[0].time < 3.5, "not after 3 T")
    check(silent[-1].x < 50000, "it did not go below r_min")
    samples = drive(c, 10)
    check(samples and samples[-1].x >= 50000, "it does not come back")
    check(samples[0].x <= before.x / 2 + 1, "it begins with more than one timeout leaves")
    grows(samples)


@test("after an outage the stream begins anew, within seconds, with any encoder's rates")
def outage():
    for rungs in (), (62500, 150000, 375000):
        net = path(4000)
        c = flow(net, b"default", rungs)
        check(drive(c, 40)[-1].x >= 150000, "X is too low to tell")
        net.shape("client", "netem loss 100%")
        drive(c, 10)
        net.shape("client", "netem delay 20ms limit 1000")
        before = tx_info(c)
        samples = drive(c, 8)
        note(f"rungs {rungs}: X {before.x}, then {', '.join(str(i.x) for i in samples[:12])}")
        check(before.x < 5000, "X is not low after the outage")
        back = next((i for i in samples if i.x >= 43750), None)
        check(back, "X is below the first rate of a connection for 8 s")
        check(back.feedbacks <= before.feedbacks + 2, "it takes more than one report")
        check(all(i.x >= 43750 for i in samples[samples.index(back):]), "it does not stay")
        net.delete()


@test("after a pause, and after a blackout, X begins low, and at most doubles in T")
def after_silence():
    for how in "pause", "blackout":
        net = path(4000)
        # the credit for what is above r_max is large
        c = flow(net, interval=1000, r_min=5000, r_max=100000, r_start=10000, t_init=0,
                 increase=10 ** 8, t_reset=60000)
        saved = drive(c, 40, 0.05)[-1]
        if how == "pause":
            time.sleep(70)
        else:
            net.shape("server", "netem loss 100%")
            drive(c, 20, 0.05)
            net.shape("server", "netem delay 20ms rate 4000kbit limit 100")
        before = tx_info(c)
        samples = drive(c, 40, 0.05)
        note(f"{how}: B was {saved.virtual_bandwidth} with X {saved.x}, X {before.x}, then "
             f"{', '.join(str(i.x) for i in samples[:8])}")
        check(saved.virtual_bandwidth > 10 ** 6, "nothing was saved")
        check(before.virtual_bandwidth <= 0, "what was saved is still there")
        check(samples[0].x <= max(2 * before.x, 10000), "it begins above r_start")
        grows(samples)
        check(samples[-1].x > 50000, "it does not come back")
        net.delete()


@test("80 % of losses are answered within 3 T, however high r_min, delta or not")
def heavy_loss():
    for what, par in (("at the start", {"t_init": 60000}),
                      ("with delta", {"t_init": 0, "delta": 5000, "l_severe": 250000})):
        net = Network()
        net.shape("server", "netem delay 2ms rate 500kbit limit 20")
        net.shape("client", "netem delay 2ms limit 1000")
        c = flow(net, interval=1000, r_min=37500, r_start=312500, **par)
        samples = drive(c, 10)
        start = next(i for i in samples if i.loss > 0.7 * 2 ** 32)
        later = [i for i in samples if i.time - start.time <= 3.1]
        note(f"{what}: l {start.loss / 2 ** 32:.2f}, "
             f"X {', '.join(f'{i.x} ({i.decision})' for i in samples[:8])}")
        check(later[-1].x <= 62500, "X is above the link after 3 T")
        net.delete()


@test("losses are not forgotten with the report that says so, nor is T cut by it")
def lost_report():
    net = path(4000)
    c = flow(net, interval=1000, r_min=5000, r_start=100000, r_max=100000, t_init=0)
    drive(c, 10)
    while not drive(c, 0.1):
        pass
    before = tx_info(c)
    net.shape("server", "netem delay 20ms rate 4000kbit limit 100 loss 50%")
    drive(c, 0.3)
    net.shape("server", "netem delay 20ms rate 4000kbit limit 100")
    net.shape("client", "netem loss 100%")
    check_equal(len(drive(c, 1.2)), 0, "reports")
    net.shape("client", "netem delay 20ms limit 1000")
    first = drive(c, 3)[0]
    lost = first.packets_lost - before.packets_lost
    note(f"{lost} lost, l {first.loss / 2 ** 32:.4f}, decision {first.decision}, X {first.x}")
    check(lost >= 3, "too few losses")
    # 2 T at 100 packets/s
    check(lost / 230 < first.loss / 2 ** 32 < lost / 180, "l is wrong")
    check_equal(first.nofeedbacks, before.nofeedbacks, "timeouts")


@test("an even sender at 85 % of X finds the bottleneck, and fills 10 Mbit/s in two minutes")
def even_sender():
    net = path(10000)
    c = flow(net, preset=b"default")
    samples = even(c, 120)
    last, link = samples[-1], 10000 * 125 * SIZE / (SIZE + 50)
    filled = next((i.time - samples[0].time for i in samples if i.x > 0.9 * link), None)
    known = next((i.time - samples[0].time for i in samples if i.bottleneck), None)
    note(f"R_b {last.bottleneck} known after {known} s, X {last.x} of {link:.0f}, 90 % after "
         f"{filled} s, {last.packets_lost} of {last.packets_sent} lost")
    check(abs(last.bottleneck / link - 1) < 0.01, "R_b is wrong")
    check(filled is not None and last.x > 0.9 * link, "it does not fill the link")
    check_equal(last.packets_lost, 0, "packets lost")
    grows(samples)


@test("a ladder of 500, 1200 and 3000 kbit/s is climbed, by who fills his rung and no more")
def climbs():
    net = path(100000)
    ladder = [62500, 150000, 375000]
    c = flow(net, preset=b"default", rungs=ladder)
    check_equal(struct.unpack("=3I", c.getsockopt(SOL_DCCP, RUNGS, 64)), tuple(ladder), "rungs")
    samples = even(c, 60, rung=True)
    seen = [x for n, x in enumerate(i.x for i in samples) if not n or x != samples[n - 1].x]
    note(f"X {seen}, {samples[-1].packets_lost} lost")
    check_equal(seen[-3:], ladder, "rungs")
    for bad in [[0, 1], [5], [1, 4], [2, 1], list(range(1, 18))]:
        try:
            c.setsockopt(SOL_DCCP, RUNGS, struct.pack(f"={len(bad)}I", *bad))
            check(False, f"{bad} was taken")
        except OSError as error:
            check_equal(error.errno, errno.EINVAL, str(bad))
    c.setsockopt(SOL_DCCP, RUNGS, struct.pack("=I", 0))
    check_equal(c.getsockopt(SOL_DCCP, RUNGS, 64), bytes(4), "rungs")


@test("poll() tells of each new rung, until X is read")
def poll_tells():
    c = flow(path(100000), preset=b"default", rungs=[62500, 150000, 375000])
    poller = select.poll()
    poller.register(c, select.POLLPRI)
    x, values, end = tx_info(c).x, [], time.monotonic() + 60
    while time.monotonic() < end:
        with contextlib.suppress(BlockingIOError):
            while True:
                c.send(bytes(SIZE))
        if poller.poll(10):
            check(poller.poll(0), "it tells only once")
            before, x = x, tx_info(c).x
            check(not poller.poll(0), "it tells after X was read")
            check(x != before, f"X is still {x}")
            values.append(x)
    note(f"X at each event: {values}")
    check_equal(values[-2:], [150000, 375000], "X at the last events")
    check_equal(tx_info(c).x, 375000, "X")


@test("TFRC's equation under the framework")
def equation():
    net = path(delay=50)
    net.lose(100)
    c = flow(net, interval=500, algorithm=1, r_start=20000)
    samples = drive(c, 60)[-20:]
    for s in samples:
        check(s.p_ppb, "no loss event rate")
    note(f"X {s.x}, X_calc {s.x_calc}, p {s.p_ppb / 1e9:.5f}")
    check(all(abs(s.x / s.x_calc - 1) < 0.02 for s in samples[5:]), "X is not the equation's")


@test("an idle sender comes to rest at its first rate")
def idle():
    net = path()
    c = flow(net, interval=500, r_start=10000)
    drive(c, 30)
    busy = tx_info(c)
    time.sleep(30)
    rest = tx_info(c)
    note(f"X {busy.x} and {rest.x}")
    check(busy.x > 40000 and rest.x == 10000, "it does not")


@test("a report interval that comes late changes nothing")
def old_interval():
    net = Network()
    listener = net.listen(options=[(CCID, ccids(CTFAF.ccid))])
    peer = Peer(net)
    peer.connect(wish(CTFAF.ccid))
    s = accept(listener)
    drain(s)
    first = peer.seq + 1
    for seq, ms in (first + 1, 100), (first, 2000):
        peer.send(DATA, option(INTERVAL, struct.pack("!II", ms * 1000, 20000)), bytes(SIZE),
                  seq=seq)
    peer.seq = first + 1
    before = rx_info(s).feedbacks
    for _ in range(200):
        peer.send(DATA, data=bytes(SIZE))
        time.sleep(0.01)
    reports = rx_info(s).feedbacks - before
    note(f"{reports} reports in 2 s")
    check(15 <= reports <= 20, "not one in 100 ms")


if __name__ == "__main__":
    main()
