# SPDX-License-Identifier: GPL-2.0-only
"""Inside a guest: carry out a scenario, or call what an experiment measures itself.

    guest.py scenario.json      leaves in the working directory sent.pcap (at r1, from and to
                                the senders), passed.pcap (at r2, what left the bottleneck),
                                arrived.pcap (at the receivers, if asked for), the same as
                                right_*.pcap if flows come from the right, tcpdump.log,
                                N.csv (dccperf's traces, lab/media's frames) and guest.json
    guest.py call.json          calls measure() of an experiment; guest.json has its values

This file needs nothing but Python's own library: guests find no other packages but in
the virtual environment, from which the second form is run.
"""

import contextlib
import json
import math
import os
import re
import shlex
import subprocess
import sys
import threading
import time

LAB = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DCCPERF = os.path.join(os.path.dirname(LAB), "build/tools/dccperf")
RIGHT, LEFT, PORT = "10.0.2.1", "10.0.1.1", 5300
SOURCE_PORT = 6000  # of the first flow of lab/media, which has one of its own
SNAP = 256          # bytes of a packet that tell it from others, and what it belongs to


def lab(*command):
    """Run one of the lab's scripts."""
    subprocess.run([os.path.join(LAB, command[0]), *map(str, command[1:])], check=True)


def in_ns(ns, *command):
    """The command, as seen from a namespace of the dumbbell."""
    return ["ip", "netns", "exec", ns, *map(str, command)] if ns else [*map(str, command)]


def topology(options):
    """Build the dumbbell of a scenario."""
    words = []
    for key, value in options.items():
        words += [f"--{key}"] if value is True else [f"--{key}", str(value)]
    lab("topology", "up", *words)


@contextlib.contextmanager
def background(*commands, stderr=None):
    """Programs in the background, which are ended with the block. None may have failed before."""
    processes = [subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=stderr)
                 for command in commands]
    try:
        yield processes
        for process in processes:
            if process.poll():
                sys.exit(f"guest.py: a program in the background failed with status "
                         f"{process.returncode}: {shlex.join(map(str, process.args))}")
    finally:
        for process in processes:
            process.terminate()
            process.wait()


def capture(ns, dev, path, *options):
    """tcpdump's command line."""
    return in_ns(ns, "tcpdump", "-Z", "root", "-s", SNAP, "-B", 65536, "-i", dev, "-w", path,
                 "--time-stamp-precision=nano", *options,
                 "ip proto 6 or ip proto 17 or ip proto 33")


@contextlib.contextmanager
def recorded(commands):
    """tcpdump in the background, which must not miss a packet."""
    with open("tcpdump.log", "w+", encoding="utf-8") as log:
        with background(*commands, stderr=log):
            yield
        log.seek(0)
        said = log.read()
    if re.findall(r"(\d+) packets? dropped by kernel", said) != ["0"] * len(commands):
        sys.exit(f"guest.py: the captures are not complete:\n{said}")


class Client(subprocess.Popen):
    """A program that notes when it ended, by CLOCK_MONOTONIC."""
    ended = math.inf

    def watch(self):
        """Until then."""
        self.wait()
        self.ended = time.monotonic()


def end_of(flow, scenario):
    """Of a media flow."""
    return scenario["seconds"] if flow["end"] is None else flow["end"]


def client(number, flow, port, scenario):
    """Start dccperf or lab/media for a media flow."""
    end = end_of(flow, scenario)
    if "codec" in flow:
        side, to = ("right", LEFT) if flow["right"] else ("left", RIGHT)
        command = in_ns(side, f"{LAB}/media", "send", to, port, flow["ccid"], "--bind",
                        SOURCE_PORT + number, "--time", end - flow["start"],
                        "--log", f"{number}.csv", *flow["options"])
    else:
        command = in_ns(
            "left", DCCPERF, "-c", RIGHT, "-p", port, "-i", 0, "-J", "-t", end - flow["start"],
            "--connect-timeout", 60, "--trace", f"{number}.csv",
            "--trace-interval", scenario["trace_interval"], *flow["options"])
    with open(f"{number}.json", "wb") as report:
        process = Client(command, stdout=report)
    threading.Thread(target=process.watch, daemon=True).start()
    return process


def server(flow, port):
    """The command that receives flows of a class and a CCID."""
    if "codec" not in flow:
        return in_ns("right", DCCPERF, "-s", "-i", "0", "-C", flow["ccid"], "-p", port)
    return in_ns("left" if flow["right"] else "right", f"{LAB}/media", "receive", port,
                 flow["ccid"], *flow["receiver"])


def captures(scenario):
    """tcpdump's command lines, at the places that labkit/capture.py knows."""
    commands = [capture("r1", "left", "sent.pcap"),
                capture("r2", "r1", "passed.pcap", "-Q", "in")] * scenario["capture"]
    if scenario["at_right"]:
        commands.append(capture("right", "r2", "arrived.pcap", "-Q", "in"))
    if any(flow.get("right") for flow in scenario["media"]):
        commands += [capture("r2", "right", "right_sent.pcap"),
                     capture("r1", "r2", "right_passed.pcap", "-Q", "in"),
                     capture("left", "r1", "right_arrived.pcap", "-Q", "in")]
    return commands


def report(number):
    """The report of dccperf; None if it did not end in order."""
    with open(f"{number}.json", "rb") as file:
        text = file.read()
    return json.loads(text) if text.strip() else None


def began(number):
    """Whether a flow has left more than the head of its trace."""
    try:
        with open(f"{number}.csv", encoding="utf-8") as file:
            return len(file.readlines()) > 1
    except FileNotFoundError:
        return False


def check(clients, scenario, epoch):
    """Fail if a flow did not begin, or broke off: silence would look like a steady rate.

    A flow that is stuck keeps its connection, and its client is killed after the end.
    """
    for i, process in clients.items():
        end = end_of(scenario["media"][i], scenario)
        if process.returncode and process.ended < epoch + end - 1:
            what = f"ended at {process.ended - epoch:.1f} s of {end} s, status {process.returncode}"
        elif process.returncode > 0 and not began(i):
            what = "did not begin"
        else:
            continue
        sys.exit(f"guest.py: flow {i} {what}: {shlex.join(process.args)}")


def set_up(commands):
    """Run commands, each in its namespace."""
    for ns, command in commands:
        subprocess.run(in_ns(ns, "env", f"PATH={LAB}:{os.environ['PATH']}", *shlex.split(command)),
                       check=True)


def run(scenario):
    """Carry out a scenario. Returns what the host has to know of it."""
    subprocess.run(["modprobe", "-a", "dccp_ipv4", *scenario["modules"]], check=True)
    # The namespaces of the topology begin with the guest's own sysctls of DCCP.
    first = [(ns, c) for ns, c in scenario["setup"] if not ns and c.startswith("sysctl ")]
    set_up(first)
    topology(scenario["topology"])
    set_up(each for each in scenario["setup"] if each not in first)
    # One server for each class of flows and CCID: the port tells the class on the wire.
    ports, flows = {}, {}
    for flow in scenario["media"]:
        port = ports.setdefault((flow["name"], flow["ccid"]), PORT + len(ports))
        flows.setdefault(port, flow)
    commands = [in_ns("right", f"{LAB}/traffic", "sink"),
                *(server(flow, port) for port, flow in flows.items())]
    with recorded(captures(scenario)), background(*commands):
        time.sleep(2)
        epoch = time.monotonic() + 1
        wall = time.time() - time.monotonic() + epoch
        senders = [in_ns(scenario["traffic_from"], f"{LAB}/traffic", "send", "--epoch", epoch,
                         "--duration", scenario["seconds"], *shlex.split(options))
                   for options in scenario["traffic"]]
        with background(*senders):
            clients = timeline(scenario, epoch, ports)
            end = time.monotonic() + 10
            for process in clients.values():
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(max(0.1, end - time.monotonic()))
                process.kill()
                process.wait()
            check(clients, scenario, epoch)
        time.sleep(1)
    return {"epoch": wall, "epoch_monotonic": epoch,
            **{key: {port: f["name"] for port, f in flows.items() if f.get("right") == right}
               for key, right in (("ports", None), ("calls", False), ("calls_of_right", True))},
            "reports": [report(i) for i in range(len(scenario["media"]))],
            "statuses": [clients[i].returncode for i in range(len(scenario["media"]))]}


def timeline(scenario, epoch, ports):
    """Start media flows and make the changes that the scenario asks for, each at its time."""
    steps = [(flow["start"], 0, i, flow) for i, flow in enumerate(scenario["media"])]
    steps += [(when, 1, i, (ns, command))
              for i, (when, ns, command) in enumerate(scenario["events"])]
    clients = {}
    for when, kind, i, what in sorted(steps, key=lambda step: step[:3]):
        time.sleep(max(0, epoch + when - time.monotonic()))
        if kind == 0:
            clients[i] = client(i, what, ports[what["name"], what["ccid"]], scenario)
        else:
            subprocess.run(in_ns(what[0], "env", f"PATH={LAB}:{os.environ['PATH']}",
                                 *shlex.split(what[1])), check=True)
    time.sleep(max(0, epoch + scenario["seconds"] - time.monotonic()))
    return clients


def call(what):
    """measure() of an experiment."""
    sys.path.insert(0, LAB)
    from labkit import experiment           # the only import from beside this file
    subprocess.run(["modprobe", "-a", "dccp_ipv4", "ccid_marc"], check=True)
    return experiment.load(what["call"]).measure(seed=what["seed"], **what["case"])


def main():
    """Do what the file says."""
    with open(sys.argv[1], encoding="utf-8") as file:
        what = json.load(file)
    result = call(what) if "call" in what else run(what)
    with open("guest.json", "w", encoding="utf-8") as file:
        json.dump(result, file)


if __name__ == "__main__":
    main()
