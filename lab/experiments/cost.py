# SPDX-License-Identifier: GPL-2.0-only
"""Instructions for each packet, of UDP, TCP, CCID 2, CCID 3 and the schemes.

The guest counts them by its busy time (labkit/counting.py). The instructions without
traffic are measured first, and subtracted: those of the least busy of five windows, because
something else may run in the guest in any of them. The column "spread" has the difference
between the busiest and the least busy of the five, in instructions per packet: one quiet
window alone could have changed the result by so much. There is one window with traffic, and
what else runs in it is counted.

Both ends and a router between them are in one guest (three
namespaces on veth, without offloads). The instructions for a packet that arrives are those
of send() and recv(), of both stacks, of forwarding, and of reports. lab/cost.c is the
program at both ends. Packets have 1000 bytes of payload (TCP: segments).

The column "receiver" has those of the receiving end. On one processor its work is done in
the interrupts of others. So there is a second window, in which each device hands over its
packets to a thread of its own (NAPI, threaded). The receiver's are what its process and the
thread of its device took, by the scheduler's clock. The rest of "instructions" is the
sender's and the router's. To wake a thread takes instructions, too; these are in the column
"receiver", and not in "instructions".

    paced     1000 packets/s from a source with a clock, R 20 ms: the source is the limit
    greedy    a link of 2000 packets/s, R 20 ms and a queue of 50: X is the limit. UDP has
              no X, so its source has a clock at the rate of the link
    flat      no link but veth, as many packets as possible: the processor is the limit;
              also packets/s

In ccid3-queue and marc-queue the transmit queue takes 20 packets, and not 5 as by default: the
process that waits for room in it is woken up less often.

ccid2-udp and marc-udp are DCCP over UDP (RFC 6773). There the devices do not compute UDP's
checksum, so that it is counted as DCCP's own checksum is.

Instructions are not cycles. The time before a window is for X to reach its value; CTFAF,
which takes one step in T, has more of it and a greater first A. In "flat" it would take
too long, and is left out. Two guests with the same modules differ by up to 5 % (paced),
2 % (greedy) and 10 % (flat).

One guest measures all flows of a setting, one after the other. Each has a network of its
own and its own windows without traffic. Another seed is another guest. Needs "lab/build 6.12".
"""

import functools
import glob
import json
import os
import subprocess
import sys
import threading
import time

from labkit import Experiment, Table, counting, matrix, runner
from labkit.experiment import LAB, TOP

CCIDS = {"ccid2": 2, "ccid3": 3, "marc": 248, "raar": 249, "ltfrc": 250, "dvrc": 251, "ctfaf": 252}
COST, BYTES, SIZE = os.path.join(runner.OUT, "cost"), "/tmp/cost-bytes", 1000
QUEUE = 20                      # packets
DELAY = "netem delay 10ms limit 100000"
# Each packet is a cell of 2000 bytes, so the link has 2000 packets/s of any size.
LINK = "netem delay 10ms rate 32mbit 0 2000 limit 50"
# packets/s of the source (0: greedy), of UDP's; to the server, to the client; seconds
# before the window, CTFAF's, of the window
SETTINGS = {"paced": (1000, 1000, DELAY, DELAY, 3, 20, 1),
            "greedy": (0, 2000, LINK, DELAY, 6, 20, 1),
            "flat": (0, 0, None, None, 0.5, 12, 0.1)}


# ------------------------------------------------------------ inside the guest

def arrivals():
    """What the receiver has counted."""
    with open(BYTES, "rb") as file:
        return int.from_bytes(file.read(8), "little")


def window(seconds):
    """Time and busy time, ns, and bytes that arrived, meanwhile."""
    def now():
        return (*counting.clock(), arrivals())
    before = now()
    time.sleep(seconds)
    return [b - a for a, b in zip(before, now())]


def per_packet(rates, loaded, threaded, receiver):
    """What one run gives: how busy it is without traffic, and the two windows with it.

    The last one is that with threads, in which the receiver took so many instructions.
    """
    passed, busy, arrived = loaded
    packets = arrived / SIZE
    return {"instructions": (busy - min(rates) * passed) / packets,
            "receiver": receiver / (threaded[2] / SIZE),
            "spread": (max(rates) - min(rates)) * passed / packets,
            "packets/s": packets / passed * 1e9, "busy": busy / passed}


def threads():
    """Those of devices."""
    found = set()
    for path in glob.glob("/proc/[0-9]*/comm"):
        try:
            with open(path, encoding="ascii", errors="replace") as file:
                if file.read().startswith("napi/"):
                    found.add(int(path.split("/")[2]))
        except OSError:         # it has ended
            pass
    return found


def use_threads(lib):
    """Let all devices of the network have threads; returns those of the server."""
    own = set()
    for name, device in (("client", "eth0"), ("router", "to-client"), ("router", "to-server"),
                         ("server", "eth0")):
        before = threads()
        lib.run("ip", "netns", "exec", name, "ethtool", "-K", device, "gro", "on")
        lib.run("ip", "netns", "exec", name, "sh", "-c",
                f"echo 1 >/sys/class/net/{device}/threaded")
        own = threads() - before
    lib.check(own, "the server's device has no thread")
    return own


def took(pids):
    """Instructions of these processes and threads so far."""
    total = 0
    for pid in pids:
        with open(f"/proc/{pid}/schedstat", encoding="ascii") as file:
            total += int(file.read().split()[0])
    return total


def network(lib, setting, over_udp, queue):
    """Both ends and a router."""
    net = lib.Network()
    if queue:
        with lib.inside("client"):
            lib.write("/proc/sys/net/dccp/default/tx_qlen", queue)
    for end in "client", "server":
        for name, device in (end, "eth0"), ("router", "to-" + end):
            lib.run("ip", "netns", "exec", name, "ethtool", "-K", device, "tso", "off", "gso",
                    "off", "gro", "off", *(["tx", "off"] if over_udp else []))
        if over_udp:
            with lib.inside(end):
                lib.write("/proc/sys/net/dccp/udp_port", 6511)
                lib.write("/proc/sys/net/dccp/encap_port", 6511)
    if SETTINGS[setting][2]:
        net.shape("server", SETTINGS[setting][2])
        net.shape("client", SETTINGS[setting][3])
    return net.address("server", lib.socket.AF_INET)


def in_guest(lib, flow, setting):
    """The values of per_packet()."""
    rate, udp, _, _, wait, wait_ctfaf, seconds = SETTINGS[setting]
    flow, _, variant = flow.partition("-")
    if flow in CCIDS:
        lib.run("modprobe", "-a", "dccp_ipv4", "dccp_ipv6",
                *(["ccid_" + flow] if CCIDS[flow] > 3 else []))
    if flow == "ctfaf":
        lib.write("/sys/module/ccid_ctfaf/parameters/increase", 125000)
    with open(BYTES, "wb") as file:
        file.write(bytes(8))
    time.sleep(1)
    quiet, protocol = counting.quiet(), str(CCIDS.get(flow, flow))
    address = network(lib, setting, variant == "udp", QUEUE if variant == "queue" else None)
    receiver = lib.start("server", COST, "receive", protocol, address, BYTES)
    lib.check(lib.wait_for(arrivals, 600), f"{flow}: the receiver is not ready")
    sender = lib.start("client", COST, "send", protocol, address,
                       str(udp if flow == "udp" else rate))
    # To start a program may take the guest minutes: the host looks for the file.
    lib.check(lib.wait_for(lambda: arrivals() > 1, 600), f"{flow}: nothing arrives")
    time.sleep(wait_ctfaf if flow == "ctfaf" else wait)
    loaded = window(seconds)
    pids = use_threads(lib) | {receiver.pid}
    time.sleep(wait)
    before = took(pids)
    threaded = window(seconds)
    own = took(pids) - before
    lib.check(sender.poll() is None and loaded[2] and threaded[2],
              f"{flow}: nothing arrives any more")
    return per_packet(quiet, loaded, threaded, own)


def all_in_guest(setting, flows):
    """The values of each flow."""
    sys.path.insert(0, os.path.join(TOP, "selftests"))
    import lib                  # of a machine that has DCCP
    values = {}
    for flow in flows:
        try:
            values[flow] = in_guest(lib, flow, setting)
        except lib.Failure as error:
            values[flow] = str(error)
        lib.clean_up()
    return values


# ---------------------------------------------------------------- outside

LOCK = threading.Lock()


@functools.cache
def guest(setting, _seed):
    """The values of all flows of a setting, from one guest: another one for each seed."""
    if not os.path.exists(COST):
        subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-o", COST,
                        os.path.join(LAB, "cost.c")], check=True)
    flows = [c["flow"] for c in EXPERIMENT.all_cases() if c["setting"] == setting]
    return counting.guest(__file__, setting, *flows) or {}


def measure(flow, setting, seed):
    """One protocol, one setting."""
    with LOCK:
        values = guest(setting, seed).get(flow, "guest failed")
    if isinstance(values, str):
        raise runner.Failed(f"{setting}: {values}")
    return values


EXPERIMENT = Experiment(
    title="Instructions for each packet, both ends and a router, in Debian's 6.12",
    source="no paper",
    cases=matrix(setting=("paced", "greedy"), flow=("udp", "tcp", *CCIDS)) +
    matrix(setting=("paced",), flow=("ccid2-udp", "marc-udp")) +
    matrix(setting=("greedy",), flow=("ccid3-queue", "marc-queue")),
    full=matrix(setting=("flat",), flow=[f for f in ("udp", "tcp", *CCIDS) if f != "ctfaf"]),
    seeds=(1, 2, 3), measure=measure, where="host", kernels=("6.12",),
    tables=[Table(f"{name}", where={"setting": name}) for name in SETTINGS])

if __name__ == "__main__":
    print(json.dumps(all_in_guest(sys.argv[1], sys.argv[2:])))
