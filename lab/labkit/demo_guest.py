# SPDX-License-Identifier: GPL-2.0-only
"""Inside a guest: stream a video with one CCID after the other (lab/demo calls this).

    demo_guest.py scenario.json     leaves in the working directory CCID.ts, CCID.json,
                                    CCID.csv (dccperf's report and trace of the sender),
                                    sent.pcap, passed.pcap and guest.json, as guest.py does

In each stream time 0 is when its DCCP Request leaves the sender. The TCP flows begin
and end by that clock, so every CCID meets them at the same moment of the video.

The host's files are slow to reach in an emulated machine, and on a busy host virtual time
goes on by minutes meanwhile. So none is touched while something is measured: all is done in
memory, and the CCIDs' modules are loaded before. What has to be waited for has no time limit
here; lab/run has one.
"""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import time

from guest import DCCPERF, LAB, PORT, RIGHT, background, capture, in_ns, topology

RAM = "/dev/shm/demo"
TCP_PORT = 7001                 # of lab/traffic's sink
# lab/traffic is ready for the next stream soon after the last TCP flow has ended.
REST = 1


def wait_for_port(port, server):
    """Until the server listens on a TCP port; the program fails if the server has ended."""
    listens = re.compile(rf":{port:04X} [0-9A-F]*:0000 0A ")        # state 0A
    while server.poll() is None:
        for family in "tcp", "tcp6":
            # Of the namespace that "ip netns exec" has put the server in
            with contextlib.suppress(OSError), \
                    open(f"/proc/{server.pid}/net/{family}", encoding="ascii") as table:
                if listens.search(table.read()):
                    return
        time.sleep(0.1)
    sys.exit(f"demo: nothing listens on port {port}")


def stream(name, port, scenario):
    """The video with one CCID."""
    flow = scenario["flows"][name]
    print(f"demo: streaming {scenario['seconds']} s of video over {name}", file=sys.stderr,
          flush=True)
    with background(in_ns("right", "./dccperf", "-s", "-1", "-p", port, "-C", flow["ccid"],
                          "-i", 0, "-J", "-F", f"{name}.ts")) as [server]:
        wait_for_port(port, server)
        with open("ready", encoding="ascii") as ready:
            ready.read()        # until lab/traffic watches for the Request
        with open(f"{name}.json", "wb") as report:
            client = subprocess.run(
                in_ns("left", "./dccperf", "-c", RIGHT, "-p", port, *flow["options"], "-i", 0,
                      "-J", "-F", "video.ts", "--file-rate", "--trace", f"{name}.csv"),
                stdout=report, check=False)
        if client.returncode:
            sys.exit(f"demo: dccperf failed over {name}")
        server.wait()


def run(scenario, video):
    """All streams, one after the other. Returns what the host has to know of them."""
    os.mkdir(RAM)
    shutil.copy(DCCPERF, RAM)
    shutil.copy(video, f"{RAM}/video.ts")
    os.chdir(RAM)
    os.mkfifo("ready")
    subprocess.run(["modprobe", "-a", "dccp_ipv4", *scenario["modules"]], check=True)
    topology(scenario["topology"])
    if scenario["udp"]:
        for end in "left", "right":
            subprocess.run(in_ns(end, "sysctl", "-q", f"net.dccp.udp_port={scenario['udp']}",
                                 f"net.dccp.encap_port={scenario['udp']}"), check=True)
    ports = {name: PORT + i for i, name in enumerate(scenario["flows"])}
    tcp = [word for start, seconds in scenario["tcp"] for word in ("--tcp", f"{start}:{seconds}")]
    end = max(start + seconds for start, seconds in scenario["tcp"])
    monotonic, wall = time.monotonic(), time.time()
    with background(capture("r1", "left", "sent.pcap"),
                    capture("r2", "r1", "passed.pcap", "-Q", "in"),
                    in_ns("right", f"{LAB}/traffic", "sink"),
                    in_ns("left", f"{LAB}/traffic", "send", RIGHT, "--on-request", "ready",
                          "--repeat", len(ports), "--duration", end + REST, *tcp)) as programs:
        wait_for_port(TCP_PORT, programs[2])
        for name, port in ports.items():
            stream(name, port, scenario)
        time.sleep(1)
    return {"epoch": wall, "epoch_monotonic": monotonic,
            "ports": {port: name for name, port in ports.items()}}


def main():
    """Files with names of their own are left for the host."""
    results = os.getcwd()
    with open(sys.argv[1], encoding="utf-8") as file:
        scenario = json.load(file)
    said = run(scenario, os.path.join(results, scenario["video"]))
    with open("guest.json", "w", encoding="utf-8") as file:
        json.dump(said, file)
    for name in os.listdir("."):
        if name.endswith((".json", ".csv", ".pcap")) or name in [f"{f}.ts" for f in
                                                                 scenario["flows"]]:
            shutil.copy(name, results)


if __name__ == "__main__":
    main()
