# SPDX-License-Identifier: GPL-2.0-only
"""Scenarios in ns-2 instead of a guest: an independent TFRC, with its own TCP and RED.

A scenario whose media flows are of ns-2 (flows.KINDS) runs there. Its network, its TCP and its UDP
traffic are those of lab/topology and lab/traffic, also their random numbers. lab/ns2.tcl
has what ns-2 needs. Its packets become the same table as those of a capture, so that the
same metrics measure both. What cannot be had is refused: other queues than those of
lab/topology, networks.red() and networks.drop_tail(), round-trip times other than those of
networks.apart(), and events other than "topology loss".
"""

import math
import os
import re
import subprocess

import numpy as np
import pandas as pd
from labkit import experiment, metrics, networks
from labkit.experiment import HEADERS, LAB

UNIT = {"kbit": 1e3, "mbit": 1e6, "gbit": 1e9}
NO_LIMIT = 1000000
PACKET = 1000               # bytes, of which RED's thresholds are
PAYLOAD = 1000              # of dccperf, if it is not told
AFTER = 2                   # s after the end: what was sent before has left all queues by then
ACK = 40                    # bytes of a TCP packet without payload


class Failed(Exception):
    """What ns-2 cannot do, or said."""


def simulated(scenario):
    """Whether a scenario is one for ns-2."""
    kinds = {"-C ns2" in " ".join(flow.data()["options"]) for flow in scenario.media}
    if len(kinds) > 1:
        raise ValueError("media flows of a guest and of ns-2 in one scenario")
    return kinds == {True}


def options_of(flow):
    """dccperf's options that ns-2's TFRC can follow: -l, -b, --qlen; and its variables."""
    words = flow.data()["options"]
    known = dict(zip(words[::2], words[1::2]))
    values = dict(v.split("=") for v in known.pop("--ns2", "").split(",") if v)
    samples = values.pop("loss_history", "8")
    for name in "-C", "-O", "-B", "--late", "--gap":
        known.pop(name, None)
    packet = int(known.pop("-l", PAYLOAD)) + HEADERS
    rate = float(known.pop("-b", 0)) / 8 / (packet - HEADERS) * packet
    queue = int(known.pop("--qlen", 0)) or NO_LIMIT
    if known:
        raise ValueError(f"ns-2 has no {' '.join(known)}")
    return packet, rate, queue, samples, values


def queues(setup):
    """Of networks.red(), drop_tail() and apart(): (bit/s, bytes of room), RED's stages, delays."""
    link, stages, delays = None, [], []
    for _, command in setup:
        if found := re.fullmatch(r"tc qdisc add dev r2 root .* tbf rate (\S+) burst \d+ "
                                 r"limit (\d+)", command):
            link = bits(found[1]), int(found[2])
        elif found := re.fullmatch(r"tc qdisc add dev r2 parent .*: red .* min (\d+) max (\d+) "
                                   r"burst \d+ probability ([\d.]+)", command):
            stages.append(tuple(map(float, found.groups())))
        elif found := re.fullmatch(r"tc qdisc add dev right parent 1:\d handle 1\d: netem limit "
                                   r"\d+ delay ([\d.]+)ms", command):
            delays.append(float(found[1]) / 1e3)
        elif command.startswith("topology") or "qdisc" in command and not re.fullmatch(
                r"tc qdisc del dev r2 root|tc qdisc replace dev right root .* prio bands .*",
                command):
            raise ValueError(f"ns-2 has no {command}")
    return link, stages, delays


def bits(rate):
    """bit/s of a rate of tc."""
    number, unit = re.fullmatch(r"([\d.]+)(\w+)", rate).groups()
    return float(number) * UNIT[unit]


def thresholds(stages):
    """Of networks.red(): low and high, in packets, what is dropped there, and whether gentle."""
    low, top, outer = min(stages)
    high = max(least for least, _, _ in stages) if len(stages) > 1 else top
    return low / PACKET, high / PACKET, outer * (high - low) / (top - low), len(stages) > 1


def network(scenario, wait):
    """The dumbbell.

    A packet that is being sent counts in the queues of Linux, and not in those of ns-2, which in
    return are full one packet before their limit; in bytes they are full at their limit.
    """
    t, (link, stages, delays) = scenario.topology, queues(scenario.setup)
    if "ecn" in t or delays and (scenario.at_right or scenario.events):
        raise ValueError("ns-2 has no marks, and no losses behind networks.apart()")
    rate, room = link or (bits(t["rate"]), t["queue"] * t["mtu"] if "red" in t else None)
    red = thresholds(stages) if stages else None
    if not link and "red" in t:
        product = rate / 8 * t["rtt"] / 1e3 / PACKET
        red = product / 4, product * 5 / 4, 0.1, True
    limit = f"{room // PACKET} RED" if red else f"{room + 1 if link else t['queue']} DropTail"
    yield f"dumbbell {rate:.0f} {t['rtt'] / 2e3} {limit}"
    if red:
        low, high, drops, gentle = red
        yield f"red {PACKET} {low:g} {high:g} {drops:g} {str(gentle).lower()} {wait}"
    elif link:
        yield "in_bytes"
    if delays:
        yield f"apart {{{' '.join(f'{d:g}' for d in delays)}}}"
    for when, _, command in scenario.events:
        words = re.fullmatch(r"topology loss (\d+)", command)
        if not words:
            raise ValueError(f"ns-2 has no {command}")
        yield f"periodic_loss {when} {words[1]}"


def way(flow, address):
    """With which round-trip time of networks.apart() a flow is."""
    if address:
        yield f"way {flow} {[networks.address(k) for k in range(8)].index(address)}"


def variables_of(values, prefix=""):
    """Of an agent, as Tcl takes them: those whose names begin so."""
    mine = {k.removeprefix(prefix): v for k, v in values.items()
            if k.startswith(prefix) and ":" not in k.removeprefix(prefix) and k.endswith("_")}
    return "{" + " ".join(f"{k} {v}" for k, v in mine.items()) + "}"


def competitors(scenario, names, agent, own):
    """lab/traffic's flows; their classes go to names."""
    lab, setup = experiment.program("traffic"), " ".join(command for _, command in scenario.setup)
    advertised = re.search(r"advmss (\d+)", setup)
    first = re.search(r"initcwnd (\d+)", setup)
    window = re.search(r"tcp_rmem='\d+ \d+ (\d+)'", setup)   # twice the window
    sack = "tcp_sack=0" not in setup
    kind = agent or ("Sack1" if sack else "Newreno")
    sink = "TCPSink" + "/Sack1" * sack + "/DelAck" * ("quickack" not in setup)
    for options in scenario.traffic:
        args = lab.parser().parse_args(["send", *options.split()])
        if args.web or args.fetch or args.poisson or args.rtcp or args.tcp_rate:
            raise ValueError(f"ns-2 has no {options}")
        segment = args.mss or (int(advertised[1]) if advertised else 1448)
        tcp = f"{segment} {first[1] if first else 10}"
        its = f"{{window_ {int(window[1]) // 2 // segment} {own[1:]}" if window else own
        for start, seconds in (map(float, t.split(":")) for t in args.tcp):
            names.append(("tcp", segment))
            yield from way(len(names), args.bind)
            yield f"tcp {len(names)} {kind} {sink} {args.begin + start} " \
                f"{args.begin + start + seconds} {tcp} 0 {its}"
        for i in range(args.crowd):
            names.append(("crowd", segment))
            yield f"tcp {len(names)} {kind} {sink} " \
                f"{args.begin + args.crowd_at + i * args.crowd_for / args.crowd} " \
                f"{scenario.seconds} {tcp} " \
                f"{args.crowd_bytes} {its}"
        for i in range(args.udp):
            names.append(("udp", args.packet))
            yield f"udp {len(names)} {args.packet} {{" + \
                " ".join(f"{args.begin + t:.6f}" for t in lab.on_off_times(args, i)) + "}"
        for start, seconds, rate in (map(float, c.split(":")) for c in args.cbr):
            names.append(("udp", args.packet))
            yield f"udp {len(names)} {args.packet} {{" + " ".join(
                f"{args.begin + start + n * args.packet / rate:.6f}"
                for n in range(int(seconds * rate / args.packet))) + "}"


def script(scenario, seed):
    """The file for lab/ns2.tcl, and (class, bytes of a segment) of each flow."""
    names, lines = [], [f"ns-random {seed}"]
    own = options_of(scenario.media[0])[4]
    lines += network(scenario, own.get("wait", "true"))
    for flow in scenario.media:
        packet, rate, queue, samples, variables = options_of(flow)
        names.append((flow.name, packet - HEADERS))
        end = scenario.seconds if flow.end is None else flow.end
        options = list(map(str, flow.options))
        lines += way(len(names), options[options.index("-B") + 1] if "-B" in options else "")
        lines.append(f"tfrc {len(names)} {flow.start} {end} {packet} {rate} {queue} {samples} "
                     f"{variables_of(variables)}")
    lines += competitors(scenario, names, own.get("tcp"), variables_of(own, "tcp:"))
    lines.append(f"run {scenario.seconds + AFTER} {scenario.trace_interval}")
    return "\n".join([*lines, ""]), names


def table(path, names):
    """Packets forward and packets back, as labkit/capture.py has them."""
    t = pd.read_csv(path, sep=" ", header=None, usecols=[0, 1, 2, 3, 5, 7, 10, 11],
                    names=["event", "time", "from", "to", "size", "flow", "seq", "id"],
                    dtype={"event": str})
    here = (t["from"] == 1) & (t["to"] == 2)
    first = t[here & (t["event"] == "+")].drop_duplicates("id").set_index("id")
    packets = first[["time", "flow", "size", "seq"]].rename(columns={"time": "sent"})
    for place, where in (("passed", here), ("arrived", (t["from"] == 2) & (t["to"] == 3))):
        came = t[where & (t["event"] == "r")].drop_duplicates("id").set_index("id")["time"]
        packets[place] = came.reindex(packets.index)
    kinds = {i: name for i, (name, _) in enumerate(names, 1)}
    segments = {i: size for i, (_, size) in enumerate(names, 1)}
    packets["name"] = packets["flow"].map(kinds)
    packets["payload"] = packets["flow"].map(segments).where(packets["size"] > ACK, 0)
    packets["seq"] = packets["seq"] * packets["flow"].map(segments)
    packets["ce"], packets["tag"] = False, -1
    back = t[(t["from"] == 2) & (t["to"] == 1) & (t["event"] == "+")]
    back = pd.DataFrame({"sent": back["time"], "name": back["flow"].map(kinds),
                         "flow": back["flow"], "size": back["size"]})
    return packets.reset_index(drop=True), back


def traces(directory, said, packets):
    """Of each TFRC flow, by its bytes of a packet: X, of payload; of the first one also p."""
    rates = np.loadtxt(os.path.join(directory, "rates.txt"), ndmin=2)
    losses = re.findall(r"^time: ([\d.]+) loss_rate: ([\d.]+) $", said, re.M)
    when, p = np.array(losses or [(math.inf, math.nan)], float).T
    last = np.searchsorted(when, rates[:, 0], "right") - 1
    found = []
    for i, size in enumerate(packets):
        x = rates[:, 1 + i] * 8 * (size - HEADERS) / size
        trace = pd.DataFrame({"time": rates[:, 0], "x": x})
        trace["p"] = np.where(last < 0, 0 if losses else math.nan, p[last]) if i == 0 else math.nan
        found.append(trace)
    return found


def run(directory, scenario, seed):
    """Simulate a scenario. Returns what metrics.read() does of a guest."""
    text, names = script(scenario, seed)
    with open(os.path.join(directory, "scenario.tcl"), "w", encoding="ascii") as file:
        file.write(text)
    try:
        done = subprocess.run(["ns", os.path.join(LAB, "ns2.tcl"), "scenario.tcl"], cwd=directory,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False)
    except FileNotFoundError as e:
        raise Failed("there is no ns-2: run lab/setup ns2") from e
    if done.returncode:
        raise Failed(f"ns-2 failed; what it left is in {directory}:\n{done.stdout[-3000:]}")
    packets, back = table(os.path.join(directory, "packets.tr"), names)
    sizes = [options_of(flow)[0] for flow in scenario.media]
    return metrics.Run(packets, back, (0, scenario.seconds), scenario=scenario,
                       traces=traces(directory, done.stdout, sizes), reports=[None] * len(sizes))
