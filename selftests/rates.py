#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Send times and rates: pacer, fast long paths, pauses."""
import contextlib
import socket
import statistics
import time

from capture import Capture, data_packets
from lib import (CCID, SCHEMES, Network, ccids, check, check_equal, drain, main, note,
                 parameter, rx_info, sysctl, test, tx_info)

SO_MAX_PACING_RATE = 47

# These tests check RFC 5348, so they are for schemes with an equation.
TFRC_LIKE = [s for s in SCHEMES if s.equation]


def flow(net, scheme, queue=100):
    sysctl("default.tx_qlen", queue)
    ask = [(CCID, ccids(scheme.ccid))]
    return net.pair(client=ask, server=ask)


def send_for(c, seconds, size):
    """Send as many packets as send() accepts. Returns how many."""
    end, count, data = time.monotonic() + seconds, 0, bytes(size)
    while time.monotonic() < end:
        c.send(data)
        count += 1
    return count


# ---------------------------------------------------------------- pacer

def steady(scheme, rate):
    """Every n-th packet is lost, so p and with it the rate do not change."""
    size, rtt = 1000, 0.02
    every = min(range(30, 5000),
                key=lambda n: abs(scheme.equation(size, rtt, 1 / n) - size * rate))
    net = Network()
    net.shape("client", f"netem delay {rtt * 1000:.0f}ms limit 1000")
    net.lose(every)
    if scheme.name == "marc":
        parameter(scheme, "tokens", 0)
        parameter(scheme, "clock", 1)
    c, s = flow(net, scheme, queue=50)
    drain(s)
    send_for(c, 12, size)
    capture = Capture()
    first = tx_info(c)
    send_for(c, 6, size)
    last = tx_info(c)
    times = [t for t, _, out, _ in data_packets(capture.packets()) if out]
    spacing = [b - a for a, b in zip(times, times[1:])]
    check(abs(last.x / first.x - 1) < 0.001, "the rate is not steady")
    check(0.9 < last.x / size / rate < 1.1, f"the rate is not {rate} packets/s")
    # It may differ a little between reports: nominal is what it was on average.
    nominal = 1e9 * size / ((first.x + last.x) / 2)
    error = sorted(abs(t - nominal) for t in spacing)
    mean = (times[-1] - times[0]) / len(spacing)
    note(f"{len(times)} packets every {nominal / 1000:.2f} us; error of the spacing: median "
         f"{error[len(error) // 2] / 1000:.2f} us, 99 % {error[len(error) * 99 // 100] / 1000:.2f} "
         f"us, largest {error[-1] / 1000:.2f} us; mean spacing {mean / 1000:.2f} us")
    check(error[len(error) * 99 // 100] <= 20000, "not within 20 us")
    check(abs(mean / nominal - 1) < 0.001, f"on average {mean:.0f} ns instead of {nominal:.0f}")


@test("1000 packets/s: 99 % leave within 20 us of their nominal time", None, TFRC_LIKE)
def pacer(scheme):
    steady(scheme, 1000)


@test("the same at 700 packets/s, which is no whole number of ms", None, TFRC_LIKE)
def pacer_odd(scheme):
    steady(scheme, 700)


def frames(net, scheme, limit=None, longer=None):
    """Frames of six packets of 100 bytes, 30 times a second: ns from packet to packet, mean X.

    longer: the way of the data becomes longer after 18 s, and is then taken for a queue.
    """
    c, s = flow(net, scheme, queue=100)
    drain(s)
    if limit:
        c.setsockopt(socket.SOL_SOCKET, SO_MAX_PACING_RATE, limit)
    capture, start, rates = None, time.monotonic(), []
    for i in range(900):
        time.sleep(max(0, start + i / 30 - time.monotonic()))
        rates.append(tx_info(c).x_inst)
        for _ in range(6):
            c.send(bytes(100))
        if i == 540 and longer:
            net.shape("server", longer)
        if i == 800:
            capture = Capture()
    times = departures(capture, 0)
    spacing = [b - a for a, b in zip(times, times[1:])]
    # The longest are those from frame to frame.
    return sorted(spacing)[:len(spacing) * 5 // 6 - 5], statistics.mean(rates[801:])


@test("the packets of a frame are spread over its interval", None, SCHEMES)
def spread(scheme):
    net = Network()
    net.shape("client", "netem delay 20ms limit 1000")
    if scheme.name == "ctfaf":
        parameter(scheme, "probes", 0)
    burst, x = frames(net, scheme)
    check(x > 1.8 * 6 * 30 * 100, f"X is {x:.0f} bytes/s, too low to tell")
    parameter(scheme, "frame_rate", 30)
    even, _ = frames(net, scheme)
    slot = 1e9 / 30 / 1.2 / 6
    note(f"{len(burst)} packets {burst[0] / 1e6:.3f} to {burst[-1] / 1e6:.3f} ms apart, "
         f"{len(even)} with frame_rate {even[0] / 1e6:.3f} to {even[-1] / 1e6:.3f} ms")
    # X is about 2 X_recv, and three packets or more arrive in each R, a little over 20 ms. So
    # s / X is at most about R / 6.
    check(burst[-1] < 3.4e6, "it is no burst without frame_rate")
    check(slot * 0.99 < even[0] and even[-1] < slot * 1.01, f"not {slot / 1e6:.3f} ms apart")


@test("time that was not used is used at twice X, unless that is not wanted", None, SCHEMES)
def saved(scheme):
    net = Network()
    net.shape("client", "netem delay 20ms limit 1000")
    parameter(scheme, "target_delay", 0)
    if scheme.name == "ctfaf":
        parameter(scheme, "probes", 0)

    def share(**limit):
        spacing, x = frames(net, scheme, **limit)
        return statistics.mean(spacing) * x / (100 * 1e9)

    at_twice = share()
    limited = share(limit=1000000)
    parameter(scheme, "target_delay", 99)
    target = share()
    parameter(scheme, "target_delay", 100)
    lax = share()
    parameter(scheme, "target_delay", 50)
    pause = share(longer="netem delay 100ms limit 1000")
    note(f"spacing {at_twice:.3f} of s / X, {limited:.3f} with SO_MAX_PACING_RATE, "
         f"{target:.3f} with a target of 99 ms for the delay, {lax:.3f} with 100, "
         f"{pause:.3f} when one of 50 is given up for 25 s")
    check(0.45 < at_twice < 0.6, "a frame does not leave at twice X")
    check(0.9 < limited < 1.1, "SO_MAX_PACING_RATE: not at X")
    check(0.9 < target < 1.1, "target_delay: not at X")
    check(0.45 < lax < 0.6, "a target of what may be saved: not at twice X")
    check(0.45 < pause < 0.6, "a target that is given up: not at twice X")


# ---------------------------------------------------------------- fast long paths

def fast_path(scheme, mbit, ms, queue, seconds):
    size = 1400
    net = Network()
    net.shape("client", f"netem delay {ms / 2}ms limit 100000")
    net.shape("server", f"netem delay {ms / 2}ms rate {mbit}mbit limit {queue}")
    c, s = flow(net, scheme, queue=1000)
    syncs = Capture(only=("Sync", "SyncAck"))
    drain(s)
    rates, start, half = [], time.monotonic(), None
    while (now := time.monotonic() - start) < seconds:
        send_for(c, ms / 1000, size)
        info = tx_info(c)
        if half:
            rates.append((info.x, info.x_calc))
        elif now > seconds / 2:
            half, half_time = info, time.monotonic()
    last, end = tx_info(c), time.monotonic()
    goodput = (last.packets_sent - half.packets_sent) * size / (end - half_time)
    x, x_calc = (sum(r[i] for r in rates) / len(rates) for i in (0, 1))
    note(f"{goodput / 125000:.1f} Mbit/s sent, X {x / 125000:.1f}, X_calc {x_calc / 125000:.1f}, "
         f"p {last.p_ppb / 1e9:.2e}, window {last.seq_window}, "
         f"{last.packets_lost} lost of {last.packets_sent}")
    check_equal(len(list(syncs.packets())), 0, "Sync and SyncAck packets")
    check(last.seq_window >= 5 * x * ms / 1000 / size, "the window is below five flights")
    check(last.x_calc, "no loss: the equation had no say")
    check(abs(goodput / x_calc - 1) < 0.05, "the rate is not that of the equation")
    # What was sent has arrived, or the queue has dropped it.
    time.sleep(2)
    dropped = int(net.tc("-s", "qdisc", "show", "dev", "to-server", "root")
                  .split("dropped ")[1].split(",")[0])
    check_equal(rx_info(s).packets_received + dropped, tx_info(c).packets_sent,
                "packets received and dropped by the queue, of those sent")


@test("100 Mbit/s, 100 ms: no packet is thrown away", None, TFRC_LIKE)
def fast_100(scheme):
    fast_path(scheme, 100, 100, 800, 12)


@test("1 Gbit/s, 50 ms: no packet is thrown away", None, TFRC_LIKE)
def fast_1000(scheme):
    fast_path(scheme, 1000, 50, 4000, 3)


# ---------------------------------------------------------------- pauses

def initial_window(size):
    """Packets in the first round trip (RFC 3390)."""
    return min(4 * size, max(2 * size, 4380)) / size


def departures(capture, since):
    return [t for t, _, out, _ in data_packets(capture.packets()) if out and t >= since]


def worst_burst(times, span):
    """Most packets in any interval of this length, in ns."""
    worst, first = 0, 0
    for last, t in enumerate(times):
        while times[first] <= t - span:
            first += 1
        worst = max(worst, last - first + 1)
    return worst


@test("after a pause it starts again at the initial rate", None, TFRC_LIKE)
def pause(scheme):
    size, rtt = 1000, 0.1
    net = Network()
    net.shape("client", f"netem delay {rtt * 1000:.0f}ms limit 1000")
    net.lose(500)
    c, s = flow(net, scheme, queue=200)
    drain(s)
    send_for(c, 10, size)
    busy = tx_info(c)
    check(busy.x > 5 * initial_window(size) * size / rtt, "the rate before is too low to tell")
    time.sleep(3)           # the queue and the last reports
    time.sleep(30)
    capture = Capture()
    idle = tx_info(c)
    now = time.time_ns()
    check(idle.packets_sent > 0 and c.send(bytes(size)), "send() failed")
    c.setblocking(False)
    count = 0
    while time.time_ns() - now < rtt * 1e9:
        try:
            c.send(bytes(size))
            count += 1
        except BlockingIOError:
            pass
        time.sleep(0.001)
    times = departures(capture, now)
    first = [t for t in times if t - times[0] < rtt * 1e9 * 0.99]
    note(f"X {busy.x} bytes/s before the pause, {idle.x} after, "
         f"{len(first)} packets in the first round trip")
    check(len(first) <= initial_window(size) + 1, "a burst")
    check(len(first) >= 2, "it hardly starts again")


@test("what is saved while there is little to send leaves at twice the rate", None, TFRC_LIKE)
def trickle(scheme):
    """A stream far below its rate, then a burst of the application."""
    size, rtt = 1000, 0.1
    net = Network()
    net.shape("client", f"netem delay {rtt * 1000:.0f}ms limit 1000")
    net.lose(500)
    c, s = flow(net, scheme, queue=200)
    drain(s)
    send_for(c, 5, size)
    for _ in range(250):        # 20 packets/s
        c.send(bytes(size))
        time.sleep(0.05)
    capture, info = Capture(), tx_info(c)
    now = time.time_ns()
    for _ in range(50):
        c.send(bytes(size))
    time.sleep(rtt / 2)
    times = departures(capture, now)
    # Half of the round-trip time that is saved is used. Two packets may be closer, no more.
    allowed = 2 * info.x / size * rtt / 2 + 2
    note(f"X {info.x} bytes/s: {len(times)} packets in half a round trip, {allowed:.1f} allowed")
    check(len(times) <= allowed, "a burst")
    check(len(times) >= allowed - 3, "less than what was saved")
    check(worst_burst(times, 1_000_000) <= 2 + 2 * info.x / size / 1000, "packets back to back")


# ---------------------------------------------------------------- target_delay

def slowest(c, seconds):
    """Send as much as send() accepts. Returns the least X_inst."""
    end, least = time.monotonic() + seconds, float("inf")
    while time.monotonic() < end:
        send_for(c, 0.05, 1000)
        least = min(least, tx_info(c).x_inst)
    return least


@test("target_delay: a queue counts on the way of the data, and not on the way back", None,
      [s for s in SCHEMES if s.name in ("marc", "raar", "ltfrc")])
def one_way(scheme):
    """80 ms more look like a queue. They come without a loss: netem keeps what is in it.

    DVRC takes a way that becomes longer for a timeout, and CTFAF has one report a second.
    """
    link = 250000                       # bytes/s
    net = Network()
    net.shape("server", f"netem delay 10ms rate {8 * link // 1000}kbit limit 1000")
    net.shape("client", "netem delay 10ms limit 1000")
    parameter(scheme, "target_delay", 20)
    c, s = flow(net, scheme, queue=10)
    drain(s)
    send_for(c, 5, 1000)
    before = slowest(c, 1.5)
    net.shape("client", "netem delay 90ms limit 1000")
    back = slowest(c, 1.5)
    net.shape("server", f"netem delay 90ms rate {8 * link // 1000}kbit limit 1000")
    forward = slowest(c, 1.5)
    note(f"X_inst at least {before}, {back}, {forward} bytes/s")
    check(back > 0.6 * link, "a queue on the way back makes it slower")
    check(forward < 0.5 * link, "a queue on the way of the data does not")


def source(c, seconds, rate):
    """Packets of 1000 bytes at this rate; what the transmit queue does not take is not made."""
    end, due = time.monotonic() + seconds, time.monotonic()
    while due < end:
        c.send(bytes(1000))
        due = max(due, time.monotonic() - 0.01) + 1000 / rate
        time.sleep(max(0, due - time.monotonic()))


@test("target_delay: a link that becomes five times slower, and a deep queue", None,
      [s for s in SCHEMES if s.name in ("marc", "ltfrc")])
def fallen(scheme):
    """More than a second of its own data must leave the queue. No other flow fills it."""
    net = Network()
    net.shape("server", "netem delay 50ms rate 5mbit limit 3000")
    net.shape("client", "netem delay 50ms limit 3000")
    c, s = flow(net, scheme, queue=10)
    drain(s)
    source(c, 30, 500000)
    before = tx_info(c)
    net.shape("server", "netem delay 50ms rate 1mbit limit 3000")
    greatest = 0
    for _ in range(100):
        source(c, 0.1, 500000)
        greatest = max(greatest, tx_info(c).rtt_ns)
    source(c, 20, 500000)
    after = tx_info(c)
    note(f"R {before.rtt_ns / 1e6:.0f}, then up to {greatest / 1e6:.0f}, "
         f"then {after.rtt_ns / 1e6:.0f} ms")
    check(greatest > 600e6, "the queue is not deep")
    check_equal(after.packets_lost, 0, "packets lost")
    check(after.rtt_ns < 400e6, "it does not empty the queue, which is its own")


@test("packets that wait when the delay lowers X_inst leave as before", None,
      [s for s in SCHEMES if s.name == "ltfrc"])
def waiting(scheme):
    """A longer way is taken for a queue. The transmit queue is full then.

    MARC's own X may fall in the report after that, since little came in its interval.
    """
    net = Network()
    net.shape("server", "netem delay 20ms rate 5mbit limit 3000")
    parameter(scheme, "target_delay", 20)
    c, s = flow(net, scheme, queue=200)
    c.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
    drain(s)
    # Slow start fills the queue, so the limit may be in a pause at first.
    steady = 0
    for _ in range(60):
        send_for(c, 1, 1000)
        steady = steady + 1 if 4.5e6 < tx_info(c).x_inst * 8 < 5e6 else 0
        if steady == 3:
            break
    check_equal(steady, 3, "seconds in a row with X_inst near the link's 5 Mbit/s")
    net.shape("server", "netem delay 90ms rate 5mbit limit 3000")
    capture, rates, end = Capture(), [], time.monotonic() + 1
    c.setblocking(False)
    while time.monotonic() < end:
        time.sleep(0.001)
        with contextlib.suppress(BlockingIOError):
            while True:
                c.send(bytes(1000))
        rates.append((time.time_ns(), tx_info(c).x_inst))
    cuts = [(a, t, b) for (_, a), (t, b) in zip(rates, rates[1:]) if b < a * 9 / 10]
    check(cuts, "the delay has not lowered X_inst")
    before, cut, x = cuts[0]
    left = departures(capture, cut)

    def sent(start, stop):
        return 1000 * sum(start <= (t - left[0]) / 1e6 < stop for t in left) * 1000 / (stop - start)

    first, later = sent(0, 20), sent(50, 90)
    note(f"X_inst {before / 125:.0f}, then {x / 125:.0f}, sent {first / 125:.0f}, "
         f"then {later / 125:.0f} kbit/s")
    check(0.85 < first / before < 1.1, "not as before")
    check(0.9 < later / x < 1.1, "not at X_inst after R")


@test("after an outage of 10 s a stream is back at a first rate within as much time", None, SCHEMES)
def outage(scheme):
    net = Network()
    net.shape("server", "netem delay 20ms rate 4mbit limit 100")
    net.shape("client", "netem delay 20ms limit 1000")
    c, s = flow(net, scheme, queue=20)
    drain(s)
    send_for(c, 40, 1000)
    before = tx_info(c).x
    c.setblocking(False)

    def send_until(done, seconds):
        begin = time.monotonic()
        while not done() and time.monotonic() < begin + seconds:
            with contextlib.suppress(BlockingIOError):
                c.send(bytes(1000))
            time.sleep(0.005)
        return time.monotonic() - begin

    net.shape("client", "netem loss 100%")
    send_until(lambda: False, 10)
    low = tx_info(c).x
    net.shape("client", "netem delay 20ms limit 1000")
    took = send_until(lambda: tx_info(c).x >= 43750, 20)
    note(f"X was {before}, then {low}, and 43,750 after {took:.1f} s")
    check(before > 200000 and low < 43750, "it was not an outage")
    check(took < 10, "X stays low")


@test("R is that of the path where packets leave together", None,
      [s for s in SCHEMES if s.name in ("marc", "ltfrc", "raar")])
def together(scheme):
    """Above 1333 packets in a second the pacer sends up to four at once."""
    net = Network()
    net.shape("server", "netem delay 10ms limit 3000")
    net.shape("client", "netem delay 10ms limit 3000")
    net.lose(3000)
    c, s = flow(net, scheme, queue=50)
    drain(s)
    send_for(c, 8, 1000)
    first, rtt = tx_info(c).packets_sent, []
    for _ in range(20):
        send_for(c, 0.2, 1000)
        rtt.append(tx_info(c).rtt_ns / 1e6)
    rate = (tx_info(c).packets_sent - first) / 4
    note(f"{rate:.0f} packets/s, R {statistics.mean(rtt):.2f} ms of 20")
    check(rate > 1400, "the rate is too low for this test")
    check(20 <= statistics.mean(rtt) < 20.6, "R is not that of the path")


@test("reports count behind a queue of many seconds", None,
      [s for s in SCHEMES if s.name != "ctfaf"], timeout=600)
def deep(scheme):
    """R follows the queue only after many reports. The Sequence Window must not wait for it.

    CTFAF does not let the queue become so deep.
    """
    net = Network()
    net.shape("server", "netem delay 50ms rate 600kbit limit 240")
    net.shape("client", "netem delay 50ms limit 1000")
    parameter(scheme, "target_delay", 0)
    c, s = flow(net, scheme, queue=10)
    drain(s)
    send_for(c, 60, 1000)
    net.shape("server", "netem delay 50ms rate 100kbit limit 240")
    last, count, longest, greatest = time.monotonic(), tx_info(c).feedbacks, 0, 0
    for _ in range(500):
        send_for(c, 0.5, 1000)
        now, info = time.monotonic(), tx_info(c)
        if info.feedbacks != count:
            last, count = now, info.feedbacks
        longest, greatest = max(longest, now - last), max(greatest, info.rtt_ns)
    note(f"at most {longest:.1f} s without a report, R up to {greatest / 1e9:.1f} s, "
         f"Sequence Window {info.seq_window}")
    check(greatest > 2e9, "the queue is not deep")
    check(longest < 10, "reports do not count")


if __name__ == "__main__":
    main()
