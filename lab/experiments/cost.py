# SPDX-License-Identifier: GPL-2.0-only
"""Instructions for each packet, of UDP, TCP, CCID 2, CCID 3 and the schemes.

The guest is Debian's 6.12, emulated, with one processor and --virtual-time. There each
instruction takes a nanosecond, and an idle processor executes none. So the busy time of a
window (its length less idle_sleeptime of /proc/timer_list) is the number of instructions.
The instructions without traffic are measured first, and subtracted: those of the least
busy of five windows, because something else may run in the guest in any of them. The
column "spread" has the difference between the busiest and the least busy of the five, in
instructions per packet: one quiet window alone could have changed the result by so much.
There is one window with traffic, and what else runs in it is counted.

Both ends and a router between them are in one guest (three namespaces on veth, without
offloads). The instructions for a packet that arrives are those of send() and recv(), of
both stacks, of forwarding, and of reports. They cannot be separated, because on one
processor the receiver's work is done in the sender's interrupts. lab/cost.c is the program
at both ends. Packets have 1000 bytes of payload (TCP: segments).

    paced     1000 packets/s from a source with a clock, R 20 ms: the source is the limit
    greedy    a link of 2000 packets/s, R 20 ms and a queue of 50: X is the limit. UDP has
              no X, so its source has a clock at the rate of the link
    flat      no link but veth, as many packets as possible: the processor is the limit;
              also packets/s

ccid2-udp and marc-udp are DCCP over UDP (RFC 6773). There the devices do not compute UDP's
checksum, so that it is counted as DCCP's own checksum is.

Instructions are not cycles. The time before a window is for X to reach its value; CTFAF,
which takes one step in T, has more of it and a greater first A. In "flat" it would take
too long, and is left out. Two runs of the same modules differ by up to 4 % (paced) and
1 % (otherwise).
Needs "lab/build 6.12".
"""

import json
import os
import re
import subprocess
import sys
import time

from labkit import Experiment, Table, matrix, runner
from labkit.experiment import LAB, TOP

CCIDS = {"ccid2": 2, "ccid3": 3, "marc": 248, "raar": 249, "ltfrc": 250, "dvrc": 251, "ctfaf": 252}
COST, BYTES, SIZE = os.path.join(runner.OUT, "cost"), "/tmp/cost-bytes", 1000
QUIET = 5, 2                    # windows without traffic, seconds of each
DELAY = "netem delay 10ms limit 100000"
# Each packet is a cell of 2000 bytes, so the link has 2000 packets/s of any size.
LINK = "netem delay 10ms rate 32mbit 0 2000 limit 50"
# packets/s of the source (0: greedy), of UDP's; to the server, to the client; seconds
# before the window, CTFAF's, of the window
SETTINGS = {"paced": (1000, 1000, DELAY, DELAY, 3, 20, 1),
            "greedy": (0, 2000, LINK, DELAY, 6, 20, 1),
            "flat": (0, 0, None, None, 0.5, 12, 0.1)}


# ------------------------------------------------------------ inside the guest

def clock():
    """Time and idle time, ns."""
    with open("/proc/timer_list", encoding="ascii") as file:
        text = file.read()
    return (int(re.search(r"^now at (\d+)", text, re.M)[1]),
            int(re.search(r"\.idle_sleeptime *: (\d+)", text)[1]))


def arrivals():
    """What the receiver has counted."""
    with open(BYTES, "rb") as file:
        return int.from_bytes(file.read(8), "little")


def window(seconds):
    """Time and busy time, ns, and bytes that arrived, meanwhile."""
    def now():
        return (*clock(), arrivals())
    before = now()
    time.sleep(seconds)
    passed, idle, arrived = (b - a for a, b in zip(before, now()))
    return passed, passed - idle, arrived


def per_packet(quiet, loaded):
    """What one run gives, of the windows without traffic and the one with it."""
    rates = [busy / passed for passed, busy, _ in quiet]
    passed, busy, arrived = loaded
    packets = arrived / SIZE
    return {"instructions": (busy - min(rates) * passed) / packets,
            "spread": (max(rates) - min(rates)) * passed / packets,
            "packets/s": packets / passed * 1e9, "busy": busy / passed}


def network(lib, setting, over_udp):
    """Both ends and a router."""
    net = lib.Network()
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


def in_guest(flow, setting):
    """The values of per_packet()."""
    sys.path.insert(0, os.path.join(TOP, "selftests"))
    import lib                  # of a machine that has DCCP
    rate, udp, _, _, wait, wait_ctfaf, seconds = SETTINGS[setting]
    over_udp = flow.endswith("-udp")
    flow = flow.removesuffix("-udp")
    if flow in CCIDS:
        lib.run("modprobe", "-a", "dccp_ipv4", "dccp_ipv6",
                *(["ccid_" + flow] if CCIDS[flow] > 3 else []))
    if flow == "ctfaf":
        lib.write("/sys/module/ccid_ctfaf/parameters/increase", 125000)
    with open(BYTES, "wb") as file:
        file.write(bytes(8))
    time.sleep(1)
    number, length = QUIET
    quiet, protocol = [window(length) for _ in range(number)], str(CCIDS.get(flow, flow))
    address = network(lib, setting, over_udp)
    receiver = lib.start("server", COST, "receive", protocol, address, BYTES)
    lib.check(lib.wait_for(arrivals, 600), f"{flow}: the receiver is not ready")
    sender = lib.start("client", COST, "send", protocol, address,
                       str(udp if flow == "udp" else rate))
    # To start a program may take the guest minutes: the host looks for the file.
    lib.check(lib.wait_for(lambda: arrivals() > 1, 600), f"{flow}: nothing arrives")
    time.sleep(wait_ctfaf if flow == "ctfaf" else wait)
    loaded = window(seconds)
    lib.check(sender.poll() is None and loaded[2], f"{flow}: nothing arrives any more")
    for process in sender, receiver:
        process.kill()
        process.wait()
    return per_packet(quiet, loaded)


# ---------------------------------------------------------------- outside

def measure(flow, setting, seed):       # pylint: disable=unused-argument
    """One protocol, one setting."""
    if not os.path.exists(COST):
        subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-o", COST,
                        os.path.join(LAB, "cost.c")], check=True)
    done = subprocess.run(
        [os.path.join(LAB, "run"), "--kernel", "6.12", "--virtual-time", "--cpus", "1",
         "--timeout", "1800", "--", "env", f"PYTHONPATH={LAB}",
         os.path.join(runner.CACHE, "venv/bin/python"), __file__, flow, setting],
        stdout=subprocess.PIPE, cwd=runner.OUT, check=False)
    if done.returncode:
        raise runner.Failed(f"guest failed: {flow} {setting}")
    return json.loads(done.stdout)


EXPERIMENT = Experiment(
    title="Instructions for each packet, both ends and a router, in Debian's 6.12",
    source="no paper",
    cases=matrix(setting=("paced", "greedy"), flow=("udp", "tcp", *CCIDS)) +
    matrix(setting=("paced",), flow=("ccid2-udp", "marc-udp")),
    full=matrix(setting=("flat",), flow=[f for f in ("udp", "tcp", *CCIDS) if f != "ctfaf"]),
    measure=measure, where="host",
    tables=[Table(f"{name}", where={"setting": name}) for name in SETTINGS])

if __name__ == "__main__":
    print(json.dumps(in_guest(*sys.argv[1:])))
