#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""MARC's decision and X after each report, compared with the paper's rule (section 4.1)."""
import contextlib
import select
import socket
import time

from capture import Capture
from lib import (CCID, FAMILIES, IPPROTO_DCCP, QPOLICY_TXQLEN, SOL_DCCP,
                 Network, at_end, ccids, check, check_equal, drain, inside, main,
                 note, rx_info, spawn, test, tx_info)
from schemes import BY_NAME, marc_tx

MARC = BY_NAME["marc"]
TFRC, KEEP, LIMIT, LAND = 0, 1, 2, 3    # decisions
SLOW_START, APP_LIMITED, ECN = 1, 2, 4  # flags
SIZE = 500
RTT = 0.1
CLOCK_PAPER, CLOCK_RFC5348, CLOCK_RESTART = 0, 1, 2
BY_REPORT, BY_TIME = 0, 1
PRESETS = {     # but for the default
    "default": {},
    "paper": {"clock": CLOCK_PAPER, "decay": BY_REPORT, "lag": 0},
    "tfrc": {"tokens": 0, "clock": CLOCK_RFC5348},
}


def flow(net, family=socket.AF_INET, **parameters):
    """A connection with MARC from the client to the server, which reads."""
    ask = [(CCID, ccids(MARC.ccid))]
    c, s = net.pair(family, ask + [(MARC.tx_option, marc_tx(**parameters))], ask)
    c.setsockopt(SOL_DCCP, QPOLICY_TXQLEN, 20)
    c.setblocking(False)
    drain(s)
    return c, s


def path(delay=RTT):
    net = Network()
    net.shape("client", f"netem delay {delay * 1000:.0f}ms limit 10000")
    return net


def drive(c, seconds, rate=None, size=SIZE, step=0.002):
    """Send at a rate in bytes/s, or as fast as possible.

    Returns TX_INFO as it was after each report and each timeout.
    """
    start, sent, samples, before = time.monotonic(), 0, [], tx_info(c)
    while (now := time.monotonic() - start) < seconds:
        while rate is None or sent * size <= now * rate:
            try:
                c.send(bytes(size))
            except BlockingIOError:
                if rate:        # an encoder does not wait, it skips
                    sent += 1
                break
            sent += 1
        info = tx_info(c)
        if (info.feedbacks, info.nofeedbacks) != (before.feedbacks, before.nofeedbacks):
            info.time = time.monotonic()
            samples.append(info)
            before = info
        time.sleep(step)
    check(samples, "there was no report")
    return samples


def near(value, expected, part, least=2):
    return abs(value - expected) <= max(part * abs(expected), least)


def lags(now, interval):
    """Whether less arrives than was sent; None: within the precision of the interval."""
    answers = {now.x_recv < now.x_send * 7 / 8 and
               (now.x_send - now.x_recv) * (interval + error) > now.mean_size + slack
               for error in (-0.006, 0.006) for slack in (-2, 2)}
    return answers.pop() if len(answers) == 1 else None


def follow_rule(samples, beta=900, delta_loss=100, delta_mark=50, tokens=1, decay=BY_TIME, lag=1,
                landing=0, **_):
    """Each decision must be that of section 4.1.

    Returns how often each was taken.
    """
    counts = {TFRC: 0, KEEP: 0, LIMIT: 0, LAND: 0}
    lagging = None          # not known
    for last, now in zip(samples, samples[1:]):
        if now.feedbacks != last.feedbacks + 1 or now.nofeedbacks != last.nofeedbacks:
            lagging = None
            continue
        lost = now.packets_lost - last.packets_lost
        marked = now.packets_marked - last.packets_marked
        delta = (delta_mark if marked and not lost else delta_loss) / 1000
        what = (f"report {now.feedbacks}: decision {now.decision}, X {last.x} -> {now.x}, "
                f"X_tfrc {now.x_tfrc}, T {last.tokens} -> {now.tokens}, "
                f"{lost} lost, {marked} marked")
        counts[now.decision] += 1

        # eq. 4 and 5; the times of the reports are known to a step
        interval, rtt = now.time - last.time, now.rtt_ns / 1e9
        left = (beta / 1000) ** (interval / rtt if decay == BY_TIME else 1)
        excess = last.x_calc - now.x_send if last.x_calc else 0
        counted = min(interval, 4 * rtt) if decay == BY_TIME and excess > 0 else interval
        expected = last.tokens * left + excess * counted
        if tokens:
            check(near(now.tokens, expected, 0, abs(excess) * 0.006 + 3 + (
                abs(last.tokens) * 0.2 * 0.006 / rtt if decay == BY_TIME else 0)),
                  f"{what}: T should be {expected:.0f}")
        else:
            check_equal(now.tokens, 0, f"{what}: tokens")

        big_step = now.x_tfrc < (1 - delta) * last.x - 2
        small_step = now.x_tfrc > (1 - delta) * last.x + 2
        if now.tokens <= 0 or small_step:
            check_equal(now.decision, TFRC, what)
        elif now.decision == LAND:
            check(landing and big_step, what)
        elif big_step and (lost or marked):
            check_equal(now.decision, LIMIT, what)
        elif big_step:
            seen = lags(now, interval) if lag else False
            if seen or lagging:
                check_equal(now.decision, LIMIT, what)
            elif seen is False and lagging is False:
                check_equal(now.decision, KEEP, what)
            else:
                check(now.decision in (KEEP, LIMIT), what)
        if now.decision == TFRC:
            lagging = False
        elif not lost and not marked:
            lagging = now.decision == LIMIT
        elif lag and lagging is False and lags(now, interval) is not False:
            lagging = lags(now, interval)
        result = {TFRC: now.x_tfrc, KEEP: last.x, LIMIT: (1 - delta) * last.x}
        if landing:
            result[LAND] = now.x_tfrc + now.tokens / (landing * rtt)
        check(near(now.x, result[now.decision], 0), f"{what}: X")
    note(f"decisions: TFRC {counts[TFRC]}, keep {counts[KEEP]}, limit {counts[LIMIT]}")
    return counts


def table(samples, every=1):
    for s in samples[::every]:
        note(f"{s.time - samples[0].time:7.3f} s  X {s.x:7}  X_tfrc {s.x_tfrc:7} "
             f"X_calc {s.x_calc:7}  W_snd {s.x_send:7}  X_recv {s.x_recv:7}  "
             f"T {s.tokens:7}  p {s.p_ppb / 1e9:.5f}  lost {s.packets_lost}  "
             f"marked {s.packets_marked}  decision {s.decision}")


# ---------------------------------------------------------------- tokens

@test("a stream below its fair share builds up tokens",
      schemes=["default", "paper"])
def builds_tokens(preset):
    net = path()
    net.lose(100)
    c, _ = flow(net, **PRESETS[preset])
    samples = drive(c, 30, rate=20000)
    follow_rule(samples, **PRESETS[preset])
    last = samples[-1]
    share = sum(s.x_calc for s in samples[-50:]) / 50
    check(share > 30000, f"the fair share is only {share:.0f} bytes/s")
    interval = (last.time - samples[-51].time) / 50
    left = 0.9 ** (interval / (last.rtt_ns / 1e9) if preset == "default" else 1)
    expected = (share - 20000) * interval / (1 - left)      # eq. 7
    note(f"fair share {share:.0f} bytes/s, T {last.tokens}, eq. 7 gives {expected:.0f}")
    check(near(last.tokens, expected, 0.15), "T is not what eq. 7 gives")
    check(all(s.tokens == 0 for s in samples if not s.p_ppb), "tokens without a loss")


@test("after a step in loss it slows down by delta a report, then joins TFRC",
      schemes=["default", "paper"])
def step_in_loss(preset):
    net = path()
    net.lose(100)
    c, _ = flow(net, **PRESETS[preset])
    samples = drive(c, 25, rate=20000)
    saved = samples[-1].tokens
    check(saved > 5000, f"only {saved} bytes of tokens")
    net.lose(8)
    after = drive(c, 20, rate=20000)
    counts = follow_rule([samples[-1]] + after, **PRESETS[preset])
    with_tokens = [s for s in after if s.tokens > 0]
    check(counts[LIMIT] >= 2, "it did not limit the decrease")
    check(after[-1].limited >= counts[LIMIT], "the counter of limited decisions")
    check(after[-1].kept >= counts[KEEP], "the counter of kept rates")
    check_equal(after[-1].landed, 0, "landing, which is off")
    for last, now in zip(after, after[1:]):
        if now.tokens > 0 and now.nofeedbacks == last.nofeedbacks:
            check(now.x >= 0.9 * last.x - 2, f"X fell from {last.x} to {now.x} with tokens left")
    spent = next((s for s in after if s.tokens <= 0), None)
    check(spent, "the tokens were never spent")
    note(f"{saved} bytes of tokens lasted {spent.time - samples[-1].time:.1f} s, "
         f"{len(with_tokens)} reports")
    end = after[len(after) // 2:]
    joined = [s for s in end if s.tokens <= 0]
    check(joined and all(s.x == s.x_tfrc for s in joined), "it did not join TFRC")
    check(end[-1].x < 0.8 * 20000, f"it still has {end[-1].x} bytes/s")


@test("with landing, X is down at TFRC's rate when the tokens are used up")
def lands():
    """X <= X_tfrc + T/(10 R), at each report."""
    net = path()
    net.lose(100)
    c, _ = flow(net, landing=10)
    samples = drive(c, 25, rate=40000)
    net.lose(8)
    after = drive(c, 20, rate=40000)
    follow_rule([samples[-1]] + after, landing=10)
    info = after[-1]
    note(f"{info.kept} kept, {info.limited} limited, {info.landed} landed")
    check(info.landed >= 2, "it did not land")
    for last, now in zip(after, after[1:]):
        if now.tokens > 0 and now.feedbacks == last.feedbacks + 1:
            check(now.x <= now.x_tfrc + now.tokens / (10 * now.rtt_ns / 1e9) + 2,
                  f"X {now.x}, X_tfrc {now.x_tfrc}, T {now.tokens}")


@test("poll() tells when the tokens run short, until TX_INFO is read")
def runs_short():
    net = path()
    net.lose(100)
    c, _ = flow(net, warning=1000)
    poller = select.poll()
    poller.register(c, select.POLLPRI)
    samples = drive(c, 25, rate=20000)
    check(samples[-1].tokens > 5000, f"only {samples[-1].tokens} bytes of tokens")
    net.lose(8)
    told, sent, start = None, 0, time.monotonic()
    while not told and time.monotonic() < start + 20:
        with contextlib.suppress(BlockingIOError):
            c.send(bytes(SIZE))
        sent += 1
        if poller.poll(SIZE / 20):      # ms: 20 bytes in each
            check(poller.poll(0), "it tells only once")
            told = tx_info(c)
            check(not poller.poll(0), "it tells after TX_INFO was read")
    check(told, "it does not tell")
    note(f"{told.left} ms left, T {told.tokens}, X {told.x}, W {told.x_calc}")
    check(told.left < 1000, f"{told.left} ms are left")


@test("without saved tokens the same step takes it to TFRC's rate at once")
def step_in_loss_tfrc():
    net = path()
    net.lose(100)
    c, _ = flow(net, tokens=0)
    samples = drive(c, 25, rate=20000)
    net.lose(8)
    after = drive(c, 5, rate=20000)
    follow_rule([samples[-1]] + after, tokens=0)
    steps = [now.x / last.x for last, now in zip(after, after[1:])]
    check(min(steps) < 0.85, f"the largest step was by {min(steps):.2f}: the test is too easy")


@test("a link that falls to a third, with a deep queue: no more delay than TFRC's")
def link_falls():
    """Nothing is lost by the queue: delay is the only sign. 57.6 KB/s, 75 and then 25 KB/s."""
    peaks = {}
    for preset in PRESETS:
        net = path()
        net.shape("server", "netem rate 600kbit limit 2000")
        net.lose(300)
        c, _ = flow(net, **PRESETS[preset])
        before = drive(c, 30, rate=57600, size=964)[-1]
        net.shape("server", "netem rate 200kbit limit 2000")
        net.lose(0)
        after = drive(c, 20, rate=57600, size=964)
        check_equal(after[-1].packets_lost, before.packets_lost, "packets lost")
        if preset != "tfrc":
            check(before.tokens > 20000, f"only {before.tokens} bytes of tokens")
        peaks[preset] = max(s.rtt_ns for s in after) / 1e9
        note(f"{preset}: X {before.x} before, R at most {peaks[preset]:.2f} s")
        net.delete()
    check(peaks["tfrc"] > 1, "no queue builds up: the test is too easy")
    check(peaks["default"] <= peaks["tfrc"], "tokens hold X above what arrives")
    check(peaks["paper"] > peaks["default"], "it makes no difference")


# ---------------------------------------------------------------- like TFRC

@test("with tokens off it is TFRC, with either self-clocking")
def tokens_off():
    for clock in CLOCK_PAPER, CLOCK_RFC5348, CLOCK_RESTART:
        net = path()
        net.lose(60)
        c, _ = flow(net, tokens=0, clock=clock)
        samples = drive(c, 25)
        counts = follow_rule(samples, tokens=0)
        # now and then two reports come between two samples, of which none is counted
        check(counts[TFRC] > 0.98 * len(samples), f"few decisions were seen: {counts}")
        check_equal((counts[KEEP], counts[LIMIT]), (0, 0), "decisions that are not TFRC's")
        check(all(s.x == s.x_tfrc for s in samples if s.feedbacks > 1), "X is not X_tfrc")
        steady = [s for s in samples if s.p_ppb]
        check(len(steady) > 50, "too few reports with a loss event rate")
        for s in steady:
            limits = ([s.x_calc] if clock == CLOCK_RFC5348 else
                      [s.x_recv, s.x_recv * 1.5])
            allowed = [min(s.x_calc, limit) for limit in limits]
            ok = (s.x <= s.x_calc if clock == CLOCK_RFC5348 else
                  any(near(s.x, a, 0.001) for a in allowed))
            check(ok, f"X {s.x} is none of {allowed} (X_calc {s.x_calc}, X_recv {s.x_recv})")
        held = sum(s.x < 0.99 * s.x_calc for s in steady)
        note(f"clock {clock}: {len(steady)} reports, {held} held by what arrived")
        net.delete()


@test("a greedy stream follows the rule, too, and gets at most 1.15 times TFRC's rate",
      timeout=1800)
def greedy():
    # A run of eight minutes, with a competitor in each minute at another moment: a single
    # minute depends much on which packets meet a full queue. The rule needs the time of each
    # report, so two of them have short steps; the others have only the rate.
    rates = {}
    for tokens in 0, 1:
        net = path(0.07)
        net.shape("server", "netem delay 70ms rate 1500kbit limit 52")
        c, _ = flow(net, tokens=tokens)
        competitor(net, [60 * minute + 7 + minute for minute in range(8)])
        follow_rule(drive(c, 120, size=1000), tokens=tokens)
        samples = drive(c, 360, size=1000, step=0.02)
        rates[tokens] = samples[-1].packets_sent * 1000 / 480
        net.delete()
    note(f"TFRC {rates[0]:.0f} bytes/s, MARC {rates[1]:.0f}, ratio {rates[1] / rates[0]:.3f}")
    check(rates[1] <= 1.15 * rates[0], "MARC takes more than it may")


def competitor(net, starts):
    """TCP Reno flows over the same path, for 30 s each."""
    with inside("server"):
        listener = socket.create_server((net.address("server", socket.AF_INET), 6000))
    at_end.append(listener.close)

    def connection():
        with inside("client"):
            sender = socket.socket()
        at_end.append(sender.close)
        sender.setsockopt(socket.IPPROTO_TCP, 13, b"reno")      # TCP_CONGESTION
        sender.connect(listener.getsockname())
        receiver, _ = listener.accept()
        at_end.append(receiver.close)
        drain(receiver)
        return sender

    def send(sender, start):
        time.sleep(start)
        end = time.monotonic() + 30
        while time.monotonic() < end:
            sender.send(bytes(10000))
    for start in starts:
        spawn(lambda sender=connection(), start=start: send(sender, start))


# ---------------------------------------------------------------- marks

def ecn_field(frame):
    """Of a DCCP packet, or None."""
    if frame[12:14] == b"\x08\0" and frame[23] == IPPROTO_DCCP:
        return frame[15] & 3
    if frame[12:14] == b"\x86\xdd" and frame[20] == IPPROTO_DCCP:
        return frame[15] >> 4 & 3
    return None


@test("ECN: marks are no losses, and delta is 0.05", FAMILIES)
def marks(family):
    net = path()
    c, s = flow(net, family)
    capture = Capture()
    red = ("red limit 200000 min 3000 max 30000 avpkt 500 burst 6 probability 0.3 "
           "bandwidth 1mbit ecn nodrop")

    def bottleneck(rate):       # changing RED would empty its queue
        net.tc("qdisc", "replace", "dev", "to-server", "root", "handle", "1:",
               *f"tbf rate {rate}bit burst 2000 limit 200000".split())

    samples = []
    bottleneck(120_000)                 # congestion, so that there is a p
    net.tc("qdisc", "add", "dev", "to-server", "parent", "1:1", "handle", "2:", *red.split())
    samples += drive(c, 8, rate=20000)
    bottleneck(2_000_000)               # none: tokens are saved
    samples += drive(c, 25, rate=20000)
    saved = samples[-1].tokens
    bottleneck(120_000)
    after = drive(c, 15, rate=20000)
    last = after[-1]
    note(f"{last.packets_marked} marked, {last.packets_lost} lost, {saved} bytes of tokens")
    check(last.flags & ECN, "data packets carry no ECT")
    check(last.packets_marked > 10, "too few marks")
    check_equal(last.packets_lost, 0, "packets lost")
    rx = rx_info(s)
    check_equal(rx.packets_lost, 0, "packets lost, says the receiver")
    check(rx.packets_marked >= last.packets_marked, "the receiver counts fewer marks")
    check(saved > 2000, f"only {saved} bytes of tokens")
    counts = follow_rule([samples[-1]] + after)
    check(counts[LIMIT] > 0, "it never limited the decrease")
    ecn = {True: set(), False: set()}   # by whether there is data in the packet
    for _, frame, out in capture.packets():
        if out and ecn_field(frame) is not None:
            ecn[len(frame) > SIZE].add(ecn_field(frame))
    check_equal(ecn[True], {2}, "ECN field of data packets (ECT(0) is 2)")
    check(ecn[False] <= {0}, f"ECN field of other packets: {ecn[False]}")


# ---------------------------------------------------------------- silence

@test("the nofeedback timer overrides tokens")
def silence():
    net = path()
    net.lose(100)
    c, _ = flow(net)
    samples = drive(c, 25, rate=20000)
    before = samples[-1]
    check(before.tokens > 5000, f"only {before.tokens} bytes of tokens")
    net.shape("client", "netem loss 100%")
    time.sleep(0.15)
    x = tx_info(c).x    # of the last report, which may have been on its way
    after = [s for s in drive(c, 30, rate=20000) if s.nofeedbacks > before.nofeedbacks]
    check(len(after) >= 4, f"the timer expired only {len(after)} times")
    check(after[0].time - before.time < 1, "it took more than a second")
    for number, s in enumerate(after):
        note(f"{s.time - before.time:6.2f} s: X {s.x}, T {s.tokens}")
        if s.nofeedbacks == before.nofeedbacks + number + 1:
            check(s.x <= x / 2 + 1, f"X was {x} and is {s.x}")
        x = s.x
    check(after[-1].tokens > 0, "no tokens are left: the test is too easy")


if __name__ == "__main__":
    main()
