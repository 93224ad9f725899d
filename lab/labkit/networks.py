# SPDX-License-Identifier: GPL-2.0-only
"""Networks of the papers that lab/topology does not make: commands for Scenario.setup."""

# RAAR's round-trip times, ms: 2 x 50, and two access links of 0 to 20, each passed twice. These are
# the means of the quarters of what comes of it, to 5 ms.
RAAR = 120, 135, 145, 160
WEIGHT = 9              # RED's average queue moves by 2^-9 of the difference with each packet


def burst(packets):
    """The burst from which tc computes that weight (tc_red_eval_ewma() of iproute2)."""
    def log_of(value):
        return next(n for n in range(1, 32)
                    if value + 1 - packets <= (1 - (1 - 2.0**-n) ** value) * 2**n)
    return next(b for b in range(int(packets), 100000) if log_of(b) == WEIGHT)


def bucket(dev, rate, room, packet):
    """Of a link of this rate, a queue of so many bytes."""
    return f"tc qdisc add dev {dev} root handle 1: stab overhead -14 tbf rate {rate} " \
           f"burst {packet + 114} limit {int(room)}"


def drop_tail(rate, room, packet, *, back=None):
    """A queue of so many bytes at the bottleneck instead of its queue of packets.

    back: the link has the same in the other direction, whose delay, so many ms, comes after it.
    """
    forward = [("r1", "tc qdisc del dev r2 root"), ("r1", bucket("r2", rate, room, packet))]
    return forward if back is None else forward + [
        ("r2", "tc qdisc del dev r1 root"), ("r2", bucket("r1", rate, room, packet)),
        ("r1", f"tc qdisc replace dev left root netem limit 1000000 delay {back}ms")]


def red(rate, room, low, high, packet, probability=0.1, gentle=False):
    """RED at the bottleneck instead of its queue: drops from low on, up to "probability" at
    high, and everything above; room, low and high are bytes, packet those of one.

    Linux's RED is not gentle. With gentle=True there are two: one continues with its slope up
    to twice the upper threshold, and one around it adds what is missing there to drop all.
    """
    common = f"limit {int(room)} avpkt {packet} bandwidth {rate}"
    top = 2 * high if gentle else high
    # On a line through "probability" at high
    outer = probability * (top - low) / (high - low)
    stages = [(high, 0.9999)] * gentle + [(low, outer)]
    return [("r1", "tc qdisc del dev r2 root"), ("r1", bucket("r2", rate, room, packet))] + [
        ("r1", f"tc qdisc add dev r2 parent {i}:1 handle {i + 1}: red {common} min {int(least)} "
         f"max {int(top)} burst {burst(least / packet)} probability {p:.5g}")
        for i, (least, p) in enumerate(stages, 1)]


def tcp(packet, *, old=True, window=2, every=True, small=False):
    """TCP with segments of so many bytes, IP header included, that remembers no connection.

    old: it detects losses by SACK alone; window: it begins with so many segments; every: it
    acknowledges each one; small: they may have less than 128 bytes.
    """
    values = "net.ipv4.tcp_no_metrics_save=1" + \
        " net.ipv4.tcp_early_retrans=0 net.ipv4.tcp_recovery=0" * old
    route = f"ip route change default via 10.0.%s.2 advmss {packet - 40}"
    first = f" initcwnd {window}" * bool(window)
    # No MSS below 88 is announced (TCP_MIN_MSS), but the MTU of a route may be less. It is that
    # of TCP's route only, as DCCP has options.
    own = [("left", f"ip route add default via 10.0.1.2 table 1 mtu {packet}{first}"),
           ("left", "ip rule add ipproto tcp table 1")]
    return [("left", f"sysctl -qw {values}"), ("right", f"sysctl -qw {values}"),
            ("left", route % 1 + first), ("right", route % 2 + " quickack 1" * every),
            *own * small]


def tcp_of_ns2(*, every=True):
    """NewReno, which Linux has without SACK, with windows of 64 KB, and two segments at first.

    every: it acknowledges each segment.
    """
    values = "net.ipv4.tcp_sack=0 net.ipv4.tcp_no_metrics_save=1 " \
             "net.ipv4.tcp_rmem='4096 131072 131072'"
    return [(ns, command) for ns, net in (("left", 1), ("right", 2)) for command in
            [f"sysctl -qw {values}"] +
            [f"ip route change default via 10.0.{net}.2 initcwnd 2" + " quickack 1" * every]]


def own_way(rtt):
    """On the last link media have a queue of their own, in which they alone can be lost.

    Media are DCCP, and what lab/traffic counts as media: TCP's port 7003, UDP's 7001.
    """
    setup = []
    for ns, dev, port, delay in ways(rtt):
        setup += [(ns, f"tc qdisc replace dev {dev} root handle 1: prio bands 2 priomap" +
                   " 0" * 16)]
        setup += [(ns, f"tc qdisc add dev {dev} parent 1:{band} handle 1{band}: {delay}")
                  for band in (1, 2)]
        setup += [(ns, f"tc filter add dev {dev} parent 1: protocol ip u32 match ip protocol "
                   f"{what} flowid 1:2")
                  for what in ("33 0xff", f"6 0xff match ip {port} 7003 0xffff",
                               f"17 0xff match ip {port} 7001 0xffff")]
    return setup


def address(k):
    """From which flows with the kth round-trip time of apart() are sent."""
    return f"10.0.1.{11 + k}"


def apart(rtts=RAAR, rtt=140):
    """Round-trip times by the sender's address, on the last link.

    rtts: ms, none below half of rtt; rtt: that of lab/topology, of which half is on the way back.
    """
    if not 2 <= len(rtts) <= 8 or min(rtts) < rtt / 2:
        raise ValueError(f"two to eight round-trip times of at least {rtt / 2} ms, not {rtts}")
    return [("left", f"ip addr add {address(k)}/24 dev r1") for k in range(len(rtts))] + [
        ("r2", "tc qdisc replace dev right root handle 1: prio bands "
         f"{len(rtts)} priomap" + " 0" * 16)] + [
        ("r2", f"tc qdisc add dev right parent 1:{k} handle 1{k}: netem limit 1000000 "
         f"delay {each - rtt / 2}ms") for k, each in enumerate(rtts, 1)] + [
        ("r2", f"tc filter add dev right parent 1: protocol ip u32 match ip src "
         f"{address(k)}/32 flowid 1:{k + 1}") for k in range(len(rtts))]


def tcp_apart(starts, end):
    """Arguments of lab/traffic: TCP flows that have the addresses of apart() in turn."""
    return [f"--bind {address(k)} " + " ".join(f"--tcp {t:.3f}:{end}" for t in some)
            for k in range(len(RAAR)) if (some := starts[k::len(RAAR)])]


def ways(rtt):
    """Forward and back: namespace, device, whose port tells media, netem without losses."""
    return [("r2", "right", "dport", f"netem limit 1000000 delay {rtt / 2}ms"),
            ("right", "r2", "sport", "netem limit 1000000")]


def lose(when, rtt, loss, *, both=False):
    """Events after own_way(): from then on media's packets are lost as netem has it."""
    return [(when, ns, f"tc qdisc change dev {dev} parent 1:2 handle 12: {delay} {loss}")
            for ns, dev, _, delay in ways(rtt)[:1 + both]]
