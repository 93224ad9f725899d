#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""dccperf: what users of iperf3 expect of it, and what it says where it is used wrongly."""
import contextlib
import csv
import json
import os
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import time
from socket import AF_INET

import dccp_ccids
from lib import (TOP, TWO_ADDRESSES, Network, at_end, check, check_equal, drain, ends_with_test,
                 folder, inside, listens, load, main, need, note, parameter, preload, read, run,
                 start, sysctl, test, unload, wait_for, write)
from schemes import SCHEMES

DCCPERF = os.path.join(TOP, "build/tools/dccperf")


def network():
    need(DCCPERF)
    net = Network()
    # Both ways: in virtual time a greedy sender without a limit of the path never ends.
    for end in "client", "server":
        net.shape(end, "netem delay 20ms rate 4mbit limit 100")
    return net


def serve(*options):
    server = start("server", DCCPERF, "-s", *options)
    check(wait_for(lambda: listens("tcp", 5201), 10), "dccperf does not listen")
    return server


def client(net, *options, status=0):
    process = start("client", DCCPERF, "-c", net.address("server", AF_INET), *options)
    said = process.communicate()[0]
    check_equal(process.returncode, status, f"status of {options}, which says {said}")
    return said


def done(server):
    said = server.communicate()[0]
    check_equal(server.returncode, 0, f"status of the server, which says {said}")
    return said


@test("-P: several flows, lines of each, and their sum")
def parallel():
    net = network()
    server = serve("-1", "-C", "marc")
    lines = client(net, "-C", "marc", "-P", "3", "-t", "5", "-b", "200k").split("\n")
    heard = done(server)
    for number in "1", "2", "3":
        flow = [x for x in lines if x.startswith(f"[  {number}] ")]
        check(sum(" 0.00-1.0" in x for x in flow) == 1, f"flow {number}: {flow}")
        check(f"[  {number}] sender" in heard, f"the server about flow {number}: {heard}")
    sums = [x.split() for x in lines if x.startswith("[SUM]")]
    intervals = [x for x in sums if "-" in x[1]]
    check(len(intervals) >= 4, f"sums of intervals: {sums}")
    for row in intervals[:4]:
        check(60000 < int(row[2]) < 90000, f"bytes of 600 kbit/s in 1 s: {row}")
    received = {x[0]: int(x[4]) for x in ([w.replace("[", "").replace("]", "") for w in
                x.replace("[SUM]", "SUM").replace("[ ", "").split()] for x in lines)
                if len(x) > 4 and x[1] == "receiver" and x[3] == "s"}
    check_equal(received.pop("SUM"), sum(received.values()), f"the sum of {received}")
    check_equal(len(received), 3, "flows")


@test("-P -J: one document, with the sum and the fairness index; -R")
def parallel_json():
    net = network()
    for way in [], ["-R"]:
        server = serve("-1", "-C", "marc")
        report = json.loads(client(net, "-C", "marc", "-P", "4", "-t", "5", "-J", *way))
        done(server)
        check_equal([t["start"]["test"]["flow"] for t in report["tests"]], [1, 2, 3, 4], "flows")
        rates = [t["end"]["receiver"]["bits_per_second"] for t in report["tests"]]
        lost = sum(t["end"]["receiver"]["lost"] for t in report["tests"])
        total = report["sum"]
        check_equal((total["flows"], total["receiver"]["lost"]), (4, lost), "flows, losses")
        jain = sum(rates) ** 2 / (4 * sum(r * r for r in rates))
        check(abs(total["fairness"] - jain) < 1e-6, f"fairness {total['fairness']} of {rates}")
        check(abs(total["receiver"]["bits_per_second"] - sum(rates)) < 1, f"sum of {rates}")


def children(process):
    said = run("pgrep", "-P", str(process.pid), may_fail=True).stdout
    return [int(pid) for pid in said.split()]


@test("-P, and a server: Ctrl-C in a terminal, which all processes get, loses no results")
def interrupted():
    net = network()
    server = start("server", "setsid", DCCPERF, "-s", "-1", "-C", "marc")
    check(wait_for(lambda: listens("tcp", 5201), 10), "dccperf does not listen")
    process = start("client", "setsid", DCCPERF, "-c", net.address("server", AF_INET), "-C", "marc",
                    "-P", "3", "-t", "60", "-b", "200k", "-J")
    time.sleep(3)
    os.killpg(process.pid, signal.SIGINT)
    report = json.loads(process.communicate()[0])
    check_equal((len(report["tests"]), report["sum"]["flows"]), (3, 3), "flows")
    server.communicate()

    server = start("server", "setsid", DCCPERF, "-s", "-1", "-C", "marc", "-J")
    check(wait_for(lambda: listens("tcp", 5201), 10), "dccperf does not listen")
    process = start("client", DCCPERF, "-c", net.address("server", AF_INET), "-C", "marc", "-t",
                    "60", "-b", "200k")
    time.sleep(3)
    os.killpg(server.pid, signal.SIGINT)
    report = json.loads(server.communicate()[0])
    check("end" in report and "error" not in report, f"the server reports {list(report)}")
    process.communicate()


def held_up(pid, seconds):
    os.kill(pid, signal.SIGSTOP)
    time.sleep(seconds)
    os.kill(pid, signal.SIGCONT)


@test("an end that is held up: intervals and lines of the trace are not made up for")
def stall():
    need("pgrep")
    net = network()
    work = folder()
    for sends in True, False:
        server = serve("-1", "-C", "marc", "-J", "--trace", f"{work}/received")
        process = start("client", DCCPERF, "-c", net.address("server", AF_INET), "-C", "marc", "-t",
                        "12", "-b", "200k", "-J", "--trace", f"{work}/sent")
        time.sleep(2.5)
        held_up(process.pid if sends else children(server)[0], 5.8)
        report = json.loads(process.communicate()[0])
        heard = json.loads(done(server))
        ends = [x["end"] for x in (report if sends else heard)["intervals"]]
        note(f"ends of intervals {ends}")
        # 1, 2, when it went on at 8.3, 9 to 12, and what is left
        check(7 <= len(ends) <= 8 and 8 < ends[2] < 9, f"ends of intervals {ends}")
        check(all(abs(end - round(end)) < 0.1 for end in ends[:2] + ends[3:6]), f"ends {ends}")
        with open(f"{work}/sent" if sends else f"{work}/received", encoding="ascii") as file:
            times = [float(row["time"]) for row in csv.DictReader(file)]
        check(40 < len(times) < 80, f"{len(times)} lines of the trace for 6 s: {times}")


@test("a source that begins late: rates and times are those of the packets")
def begins_late():
    net = network()
    work = folder()
    with open(f"{work}/data", "wb") as file:
        file.write(os.urandom(100000))
    server = serve("-1", "-C", "marc", "-J", "--trace", f"{work}/received")
    process = start("client", "sh", "-c", f"(sleep 6; cat {work}/data) | exec {DCCPERF} -c "
                    f"{net.address('server', AF_INET)} -C marc -b 200k -F - --cov 0.5 -J --logfile "
                    f"{work}/log --trace {work}/sent")
    said = process.communicate()[0]
    check_equal(process.returncode, 0, f"status of a client that says {said}")
    heard = json.loads(done(server))
    report = json.loads(read(f"{work}/log"))
    for end_of in report, heard:
        for end in "sender", "receiver":
            seconds = end_of["end"][end]["seconds"]
            # 100 kB and headers at 200 kbit/s
            check(3.9 < seconds < 4.3, f"{end}: {seconds} s")
            check(190e3 < end_of["end"][end]["bits_per_second"] < 210e3, f"the rate of {end}")
            check(end_of["end"][end]["cov"] < 0.2, f"CoV of {end}: {end_of['end'][end]['cov']}")
        first = end_of["intervals"][0]
        check(first["end"] < 1.2 and first["bytes"] > 20000, f"the first interval: {first}")
    for name in "sent", "received":
        with open(f"{work}/{name}", encoding="ascii") as file:
            row = next(csv.DictReader(file))
        check(float(row["time"]) < 0.2 and int(row["packets"]), f"the first line of {name}: {row}")


@test("-P: a flow that is held up, and the sums of intervals")
def stall_of_one():
    need("pgrep")
    net = network()
    server = serve("-1", "-C", "marc")
    process = start("client", DCCPERF, "-c", net.address("server", AF_INET), "-C", "marc", "-P",
                    "2", "-t", "10", "-b", "100k")
    check(wait_for(lambda: len(children(process)) == 2, 10), "it starts no flows")
    time.sleep(2.5)
    held_up(children(process)[1], 3.8)
    lines = re.findall(r"^\[(...)\] +([0-9.]+)-([0-9.]+) +(\d+) ", process.communicate()[0], re.M)
    done(server)
    rows = {who: [(float(begin), float(end), int(size)) for which, begin, end, size in lines
                  if which == who] for who in ("SUM", "  1", "  2")}
    note(f"sums {rows['SUM']}")
    ends = [end for _, end, _ in rows["SUM"]]
    check(ends[2] > 5.9 and 6 <= len(ends) <= 8, f"there is none without the second flow: {rows}")
    for before, (begin, end, _) in zip([0, *ends], rows["SUM"]):
        check(abs(begin - before) < 0.1 and end > begin, f"a gap, or an overlap: {rows['SUM']}")
    flows = sum(size for who in ("  1", "  2") for _, end, size in rows[who]
                if end < ends[-1] + 0.1)
    check_equal(sum(size for *_, size in rows["SUM"]), flows, f"bytes of all sums: {rows}")


@test("-P: a flow ends early, and the sums of intervals go on with the others")
def one_ends():
    need("pgrep")
    net = network()
    serve("-C", "marc")
    process = start("client", DCCPERF, "-c", net.address("server", AF_INET), "-C", "marc", "-P",
                    "3", "-t", "8", "-b", "100k")
    check(wait_for(lambda: len(children(process)) == 3, 10), "it starts no flows")
    time.sleep(2.5)
    os.kill(children(process)[1], signal.SIGKILL)
    said = process.communicate()[0]
    check_equal(process.returncode, 1, f"status of a client that says {said}")
    ends = [float(end) for end in re.findall(r"^\[SUM\] +[0-9.]+-([0-9.]+) ", said, re.M)]
    check(len(ends) >= 7 and ends[-1] > 7, f"sums until {ends}: {said}")


def server_by_hand(net, ccid="marc"):
    """The address and the two sockets of a server that the test itself is."""
    address = net.address("server", AF_INET), 5201
    with inside("server"):
        return (address, socket.create_server(address),
                dccp_ccids.listen(5201, address[0], ccid=ccid, service="PERF"))


@test("-P: after a signal that comes while the first flow connects, no other one starts")
def interrupted_start():
    need("pgrep")
    net = network()
    load("ccid_marc")
    address, control, data = server_by_hand(net)
    with control, data:
        process = start("client", DCCPERF, "-c", address[0], "-C", "marc", "-P", "3", "-t", "0")
        with control.accept()[0] as c:
            c.settimeout(20)
            check(c.recv(4096).startswith(b"test\n"), "no test")
            c.sendall(b"ready\n\n")
            with data.accept()[0]:
                # The first flow finds the signal and the start of its test at the same time.
                first, = children(process)
                os.kill(first, signal.SIGSTOP)
                c.sendall(b"start\ntx_ccid 248\nrx_ccid 248\n\n")
                process.send_signal(signal.SIGTERM)
                time.sleep(1)
                os.kill(first, signal.SIGCONT)
                check(c.recv(4096).startswith(b"end\n"), "no end")
                c.sendall(b"results\npackets 0\n\n")
                said = process.communicate()[0]
        check_equal(process.returncode, 1, f"status of a client that says {said}")
        check("stopped by a signal" in said, f"it says {said}")
        control.settimeout(0.1)
        with contextlib.suppress(TimeoutError):
            control.accept()[0].close()
            check(False, "another flow has come")


@test("-R: an end that comes together with the start is not read when the test is over")
def short_test():
    net = network()
    load("ccid_marc")
    address, control, data = server_by_hand(net)
    with control, data:
        process = start("client", DCCPERF, "-c", address[0], "-C", "marc", "-R", "-n", "4")
        with control.accept()[0] as c:
            c.settimeout(20)
            stream = re.search(rb"^stream (\d+)$", c.recv(4096), re.M)
            c.sendall(b"ready\n\n")
            with data.accept()[0] as d:
                for number in range(4):
                    d.send(struct.pack("!4sIQQQ", b"DPRF", int(stream[1]), number, 0, 0))
                c.sendall(b"start\ntx_ccid 248\nrx_ccid 248\n\nend\npackets_total 4\nseconds 1\n\n")
                check(c.recv(4096).startswith(b"results\n"), "no results")
        process.communicate()


@test("a report or a trace that cannot be written: says so, and fails")
def full_disk():
    net = network()
    for options in ["-J", "--logfile", "/dev/full"], ["--trace", "/dev/full"]:
        server = serve("-1", "-C", "marc")
        said = client(net, "-C", "marc", "-t", "1", "-b", "200k", *options, status=1)
        check("cannot write /dev/full" in said, f"{options} says {said}")
        done(server)


@test("-P: as many flows as there may be")
def parallel_most():
    net = network()
    # No queue: all of them knock at the same moment.
    for end in "client", "server":
        net.shape(end, "netem delay 20ms limit 10000")
    # A pipe that is read at the end does not hold what the server says of so many.
    server = serve("-1", "-C", "marc", "--logfile", f"{folder()}/log")
    report = json.loads(client(net, "-C", "marc", "-P", "128", "-t", "2", "-b", "8k", "-l", "100",
                               "-J"))
    done(server)
    check_equal((len(report["tests"]), report["sum"]["flows"]), (128, 128), "flows")


@test("-P: what is wrong with all flows is said once")
def parallel_fails():
    net = network()
    said = client(net, "-P", "8", status=1)
    check_equal(said.count("start dccperf -s there"), 1, f"errors in {said}")


@test("--json-stream: a line for each event, when it happens")
def json_stream():
    net = network()
    server = serve("-1", "-C", "marc")
    process = start("client", DCCPERF, "-c", net.address("server", AF_INET), "-C", "marc", "-t",
                    "3", "-b", "200k", "--json-stream")
    first = [json.loads(process.stdout.readline()) for _ in range(2)]
    check(process.poll() is None, "nothing came before the end")
    events = first + [json.loads(line) for line in process.stdout]
    check_equal(process.wait(), 0, "status")
    done(server)
    names = [e["event"] for e in events]
    check_equal((names[0], names[-1], set(names[1:-1])), ("start", "end", {"interval"}), "events")
    check(len(names) >= 5, f"events {names}")
    check_equal(events[0]["data"]["ccids_here"]["tx_ccid"], 248, "CCID")
    check_equal(sum(e["data"]["bytes"] for e in events[1:-1]),
                events[-1]["data"]["sender"]["bytes"], "bytes of all intervals")
    said = client(net, "--json-stream", status=1)
    failed = [json.loads(line) for line in said.split("\n") if line.startswith("{")]
    check_equal([e["event"] for e in failed], ["error"], f"events of a test that failed: {said}")


def kill(pid, sig=signal.SIGTERM):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, sig)


@test("-D: a server in the background, and its process id")
def daemon():
    net = network()
    work = folder()
    begun = subprocess.run(["ip", "netns", "exec", "server", DCCPERF, "-s", "-D", "-I",
                            f"{work}/pid", "--logfile", f"{work}/log", "-C", "marc"],
                           timeout=20, check=False, capture_output=True, text=True)
    check_equal((begun.returncode, begun.stderr), (0, ""), "status and error of -D")
    check(wait_for(lambda: os.path.exists(f"{work}/pid"), 5), "no process id")
    pid = int(read(f"{work}/pid"))
    at_end.append(lambda: kill(pid))
    client(net, "-C", "marc", "-t", "1", "-b", "200k")
    # Several clients are served at the same time.
    both = [start("client", DCCPERF, "-c", net.address("server", AF_INET), "-C", "marc", "-t", "5",
                  "-b", "200k") for _ in range(2)]
    for process in both:
        said = process.communicate()[0]
        check_equal(process.returncode, 0, f"status of one of two clients, which says {said}")
        times = [line.split()[1] for line in said.split("\n") if line.startswith("sender ")]
        check(times and 4.9 < float(times[0]) < 6, f"it took {times} s")
    os.kill(pid, signal.SIGTERM)
    check(wait_for(lambda: not os.path.exists(f"{work}/pid"), 10), "the process id is left")
    log = read(f"{work}/log")
    check("3 tests done, 0 failed" in log, f"the log: {log}")
    refused = subprocess.run(["ip", "netns", "exec", "server", DCCPERF, "-s", "-D", "-C", "99"],
                             timeout=20, check=False, capture_output=True, text=True)
    check_equal(refused.returncode, 1, "status where it cannot listen")
    check("CCID 99 is not available" in refused.stderr, f"it says {refused.stderr}")


@test("-D: what goes wrong is said, or in the log")
def daemon_errors():
    net = network()
    work = folder()
    refused = subprocess.run(["ip", "netns", "exec", "server", DCCPERF, "-s", "-D", "-C", "marc",
                              "-I", f"{work}/nothing/pid"], timeout=20, check=False,
                             capture_output=True, text=True)
    check_equal(refused.returncode, 1, f"status of a server that says {refused.stderr}")
    check(f"process id to {work}/nothing/pid: No such" in refused.stderr, refused.stderr)
    subprocess.run(["ip", "netns", "exec", "server", DCCPERF, "-s", "-D", "-I", f"{work}/pid",
                    "--logfile", f"{work}/log", "-C", "marc"], timeout=20, check=True)
    check(wait_for(lambda: read(f"{work}/pid"), 5), "no process id")
    at_end.append(lambda pid=int(read(f"{work}/pid")): kill(pid))
    process = start("client", DCCPERF, "-c", net.address("server", AF_INET), "-C", "marc", "-b",
                    "200k")
    check(wait_for(lambda: "1.00-2.00" in read(f"{work}/log"), 20), "the test does not begin")
    process.kill()
    process.wait()
    check(wait_for(lambda: "closed the control connection" in read(f"{work}/log"), 20),
          f"the log has no reason: {read(work + '/log')}")


# What a client before the fields "flows" and "gap" sends
OLDER = {"port": 4000, "stream": 1, "time": 1, "omit": 0, "cov": 1, "late": 100, "deadline": 0}


def announce(net, **fields):
    """The control connection of a client that has sent its parameters."""
    with inside("client"):
        control = socket.create_connection((net.address("server", AF_INET), 5201))
    control.settimeout(20)
    lines = "".join(f"{key} {value}\n" for key, value in {**OLDER, **fields}.items())
    control.sendall(f"test\n{lines}\n".encode())
    check_equal(control.recv(100), b"ready\n\n", "the answer")
    return control


def packet_of(number):
    return struct.pack("!4sIQQQ", b"DPRF", 1, number, 0, 0)


@contextlib.contextmanager
def by_hand(net, **fields):
    """A client whose test has started: its control connection, and its DCCP connection."""
    with inside("client"):
        c = dccp_ccids.Connection(ccid="marc", service="PERF")
    with c:
        c.bind(("", 0))
        with announce(net, port=c.getsockname()[1], **fields) as control:
            c.connect((net.address("server", AF_INET), 5201))
            check(control.recv(100).startswith(b"start\n"), "no start")
            yield control, c


def four_packets(net, **fields):
    """A client by hand: its parameters, four packets, and what the server says of them."""
    with by_hand(net, **fields) as (control, c):
        for number, pause in enumerate((0.05, 0.1, 0.05, 0)):
            c.send(packet_of(number))
            time.sleep(pause)
        control.sendall(b"end\npackets_total 4\nseconds 1\n\n")
        return dict(line.split(" ", 1) for line in control.recv(4096).decode().split("\n")
                    if " " in line)


def give_way(net, many, seconds):
    """A client is served in spite of these connections. Returns what the last of them hears."""
    client(net, "-C", "marc", "-t", "1", "-b", "200k")
    for sock in many:
        sock.settimeout(seconds)
    said = [sock.recv(200).decode() for sock in many]
    note({text: said.count(text) for text in said})
    check("too many control connections" in said[0], f"the server says {said[0]}")
    return said[-1]


@test("connections that say nothing give way to a client, and end after 10 s")
def silent():
    net = network()
    serve("-C", "marc")
    with contextlib.ExitStack() as stack, inside("client"):
        address = net.address("server", AF_INET), 5201
        many = [stack.enter_context(socket.socket()) for _ in range(260)]
        for sock in many:       # all at once
            sock.setblocking(False)
            sock.connect_ex(address)
        said = give_way(net, many, 40)
    check("is this dccperf" in said, f"the server says {said}")


@test("clients that announce a test and do nothing give way to another, and end after 120 s")
def announced():
    net = network()
    serve("-C", "marc")
    with contextlib.ExitStack() as stack:
        said = give_way(net, [stack.enter_context(announce(net, port=4000 + n))
                              for n in range(260)], 150)
    check("handshake did not arrive: is DCCP (protocol 33) filtered or, with --udp," in said,
          f"the server says {said}")


@test("when there are as many tests as there may be, the longest silent one gives way to another")
def silent_tests():
    need("make", "cc", "pgrep")
    net = network()
    work = folder()
    run("make", "-s", "-C", os.path.join(TOP, "tools/dccperf"), f"O={work}",
        "CPPFLAGS=-DMAX_TESTS=3")
    server = start("server", f"{work}/dccperf", "-s", "-C", "marc")
    check(wait_for(lambda: listens("tcp", 5201), 10), "dccperf does not listen")
    with contextlib.ExitStack() as stack:
        tests = [stack.enter_context(by_hand(net, time=0)) for _ in range(3)]
        for number in range(11):
            for _, c in tests[1:]:
                c.send(packet_of(number))
            time.sleep(1)
        client(net, "-C", "marc", "-t", "1", "-b", "200k")
        said = tests[0][0].recv(4096).decode()
        check("stopped by a signal" in said, f"the silent one hears {said}")
        for control, _ in tests[1:]:
            check(not select.select([control], [], [], 0)[0], "another one has ended")
        check(wait_for(lambda: len(children(server)) <= 3, 10), "the client's test does not end")
        tests.append(stack.enter_context(by_hand(net, time=0)))
        for _, c in tests[1:]:
            c.send(packet_of(11))
        # These have no pause.
        said = client(net, "-C", "marc", "-t", "1", "-b", "200k", status=1)
        check("too many tests under way" in said, f"the next one says {said}")


@test("a sender that goes on after its end has 25 s")
def endless():
    net = network()
    serve("-C", "marc")
    with by_hand(net, time=0) as (control, c):
        c.send(packet_of(0))
        control.sendall(b"end\npackets_total 1000000\nseconds 1\n\n")
        begin = time.monotonic()
        for number in range(1, 100):
            c.send(packet_of(number))
            if select.select([control], [], [], 0.5)[0]:
                break
        took = time.monotonic() - begin
        check(24 < took < 27, f"the results come after {took} s")
        check(control.recv(4096).startswith(b"results\n"), "no results")


@test("a sender that has kept back more than it had is refused")
def kept_back_too_many():
    net = network()
    serve("-C", "marc")
    with by_hand(net) as (control, c):
        c.send(packet_of(0))
        control.sendall(b"end\npackets_total 1\nkept_back 6\nseconds 1\n\n")
        said = control.recv(4096).decode()
    check("kept_back: expected no more than packets_total" in said, f"the server says {said}")


@test("a client that hangs: its test ends 120 s after the time that it named")
def hangs():
    net = network()
    server = serve("-1", "-C", "marc")
    process = start("client", DCCPERF, "-c", net.address("server", AF_INET), "-C", "marc", "-b",
                    "200k", "-t", "5")
    time.sleep(3)
    process.send_signal(signal.SIGSTOP)
    begin = time.monotonic()
    check(wait_for(lambda: server.poll() is not None, 200), "the server does not end")
    took = time.monotonic() - begin
    said = server.communicate()[0]
    check(120 < took < 125, f"it took {took} s")
    check_equal(server.returncode, 1, f"status of a server that says {said}")
    check("test of 5 s has not ended" in said, f"the server says {said}")
    process.kill()


@test("a client that sends no packet: its test ends after 600 s", timeout=900)
def sends_nothing():
    net = network()
    server = serve("-1", "-C", "marc")
    with by_hand(net, time=0) as (control, _):
        control.settimeout(800)
        begin = time.monotonic()
        said = control.recv(4096).decode()
        took = time.monotonic() - begin
    check("has sent nothing for 600 s" in said, f"the server says {said}")
    check(599 < took < 605, f"it took {took} s")
    server.communicate()
    check_equal(server.returncode, 1, "status of the server")


def keepalive_times(idle, interval, probes):
    for end in "client", "server":
        with inside(end):
            for name, value in ("time", idle), ("intvl", interval), ("probes", probes):
                write(f"/proc/sys/net/ipv4/tcp_keepalive_{name}", value)


@test("a DCCP connection whose peer is gone ends, although the control connection is there")
def half_gone():
    net = network()
    keepalive_times(10, 5, 3)
    serve("-C", "marc")
    with by_hand(net, time=0) as (control, c):
        c.send(packet_of(0))
        for end in "client", "server":
            net.shape(end, "netem loss 100%")
        time.sleep(40)
        for end in "client", "server":
            net.shape(end, "netem delay 20ms")
        control.settimeout(100)
        said = control.recv(4096).decode()
    check(said.startswith("results\n") and "Connection timed out" in said, f"it says {said}")


@test("a source that pauses is waited for, before its first byte and after", timeout=1500)
def pauses():
    net = network()
    keepalive_times(10, 5, 3)       # what asks must not end what answers
    work = folder()
    data = os.urandom(20000)
    os.mkfifo(f"{work}/fifo")
    for seconds in "5", "0", "600":
        server = serve("-1", "-C", "marc", "-F", f"{work}/received")
        process = start("client", DCCPERF, "-c", net.address("server", AF_INET), "-C", "marc",
                        "-t", seconds, "-F", f"{work}/fifo")
        time.sleep(200)
        check(process.poll() is None, "the client does not wait for somebody who writes")
        with open(f"{work}/fifo", "wb", buffering=0) as fifo:
            fifo.write(data[:10000])
            time.sleep(0 if seconds == "5" else 300)
            fifo.write(data[10000:])
        said = process.communicate()[0]
        check_equal(process.returncode, 0, f"status of -t {seconds}, which says {said}")
        done(server)
        with open(f"{work}/received", "rb") as file:
            check(file.read() == data, f"-t {seconds}: what was received is not what was sent")


def through_pipe(net, pauses):
    """The server writes 280 packets to a pipe. Pauses: how long after how many of them."""
    work, data = folder(), os.urandom(280 * 768)
    with open(f"{work}/file", "wb") as file:
        file.write(data)
    # A pipe of 16 packets: the program that writes waits for each read().
    reader, writer = os.pipe2(os.O_DIRECT)
    server = ends_with_test(subprocess.Popen(
        ["ip", "netns", "exec", "server", DCCPERF, "-s", "-1", "-C", "marc", "-F", "-", "-i", "0"],
        stdout=writer, stderr=subprocess.PIPE, text=True))
    os.close(writer)
    got = []
    with open(reader, "rb", buffering=0) as pipe:
        check(wait_for(lambda: listens("tcp", 5201), 10), "dccperf does not listen")
        process = start("client", DCCPERF, "-c", net.address("server", AF_INET), "-C", "marc", "-F",
                        f"{work}/file", "-b", "800k", "-l", "800")
        time.sleep(5)           # it has sent all, and waits for the results for 30 s
        while more := pipe.read(4096):
            got.append(more)
            time.sleep(pauses.get(len(got), 0))
    said = process.communicate()[0], server.communicate()[1]
    check_equal(len(got), 280, f"packets from the pipe, the ends say {said}")
    check(b"".join(got) == data, "what was received is not what was sent")
    return (process.returncode, server.returncode), said


@test("a receiver that writes to a slow pipe does not end before it has read all")
def slow_pipe():
    need(DCCPERF)
    net = network()
    buffer = "/proc/sys/net/core/rmem_default"
    at_end.append(lambda before=read(buffer): write(buffer, before))
    write(buffer, 4 << 20)      # for all packets
    # The receiver looks whether it is over after each 64 packets. Here this is later, by more than
    # the second in which nothing may come, than the last one came.
    status, said = through_pipe(net, {number: 1.2 for number in range(184, 199)})
    check_equal(status, (0, 0), f"status, the ends say {said}")
    # The client has given up, and its packets are still there.
    through_pipe(net, {150: 40})


@test("-F at a server: it says that a client without -F sends no file")
def no_file():
    net = network()
    path = f"{folder()}/none"
    server = serve("-1", "-C", "marc", "-F", path)
    client(net, "-C", "marc", "-t", "1", "-b", "200k")
    said = done(server)
    check(f"{path} is not written: the client sends no file" in said, f"it says {said}")
    check(not os.path.exists(path), "it is there")


@test("layers with a CCID that has events of its own: waiting is no loop")
def no_layers():
    net = network()
    serve("-1", "-C", "ctfaf")
    with inside("client"):
        before = os.times()
        client(net, "-C", "ctfaf", "-t", "3", "--layers", "100K,200K", "-i", "0")
        after = os.times()
    took = sum(after[2:4]) - sum(before[2:4])
    check(took < 1, f"the client takes {took} s of the processor's time")


@test("-1: several flows that were announced, and never came, are not waited for")
def one_off_announced():
    net = network()
    server = serve("-1", "-C", "marc")
    announce(net, flows=4).close()
    client(net, "-C", "marc", "-t", "1", "-b", "200k")
    check(wait_for(lambda: server.poll() is not None, 20), "the server does not end")
    done(server)


@test("-1: a server that is stopped before a client has come has failed")
def one_off_stopped():
    network()
    server = serve("-1", "-C", "marc")
    server.send_signal(signal.SIGTERM)
    said = server.communicate()[0]
    check_equal(server.returncode, 1, f"status of a server that says {said}")
    check("0 tests done, 0 failed" in said, f"it says {said}")


@test("-1: flows that the client could not start are not waited for for ever")
def one_off_incomplete():
    net = network()
    server = serve("-1", "-C", "marc")
    four_packets(net, flows=4)
    check(wait_for(lambda: server.poll() is not None, 200), "the server does not end")
    check_equal(server.returncode, 1, "status of a server whose client has not had all flows")


@test("an older client, which sends no gap, has the default")
def older_client():
    net = network()
    server = serve("-1", "-C", "marc")
    results = four_packets(net)
    done(server)
    check_equal((results["gap_ms"], results["gap_percent"]), ("75", "25"), "gap, wider gaps")


@test("-O: the layers of the report are without what is omitted")
def omit_layers():
    net = network()
    server = serve("-1", "-C", "dvrc", "-J")
    client(net, "-C", "dvrc", "-t", "8", "-O", "4", "--layers", "100K,200K")
    end_of = json.loads(done(server))["end"]["receiver"]
    check_equal([x["layer"] for x in end_of["layers"]], [1, 2], "layers")
    check_equal(sum(x["bytes"] for x in end_of["layers"]), end_of["bytes"], "bytes of all layers")


@test("-O: of a test that was shorter, nothing is known")
def omit_all():
    net = network()
    server = serve("-1", "-C", "marc")
    said = client(net, "-C", "marc", "-t", "1", "-O", "2", "-b", "100k"), done(server)
    for text in said:
        check("nan" not in text, text)
        check(re.search(r"^sender +- s ", text, re.M), text)


@test("a peer's control characters do not reach the terminal")
def control_characters():
    net = network()
    for says in b"\x1b[2J\n\n", b"error\nerror \x1b[2J\n\n", b"x\ny \x1b[2J\n\n":
        with inside("server"):
            listener = socket.create_server((net.address("server", AF_INET), 5201))
        with listener:
            process = start("client", DCCPERF, "-c", net.address("server", AF_INET), "-C", "marc")
            control, _ = listener.accept()
            with control:
                check(control.recv(4096).startswith(b"test\n"), "no test")
                control.sendall(says)
                said = process.communicate()[0]
        check_equal(process.returncode, 1, f"status of a client that says {said!r}")
        check("the server says: " in said and "\x1b" not in said, f"it says {said!r}")


# Time goes on with each look at the clock, by far more than the packets of the schedule take. In
# the middle of this a signal comes, which must be noticed while the program still looks.
BEHIND = """
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *ts)
{
	static long calls;
	int ret = syscall(SYS_clock_gettime, clock, ts);
	long ns = ts->tv_nsec + ++calls * 1000;

	ts->tv_sec += ns / 1000000000;
	ts->tv_nsec = ns % 1000000000;
	if (calls == 100000)
		kill(getpid(), SIGTERM);
	if (calls == 200000)
		abort();
	return ret;
}
"""


@test("-B: a server listens at the first address of a name that its host has")
def bind_to_name():
    net = network()
    server = start("server", *preload(TWO_ADDRESSES), "FIRST=2001:db8::1", DCCPERF, "-s", "-1",
                   "-C", "marc", "-B", "two.invalid")
    check(wait_for(lambda: listens("dccp", 5201), 10), "dccperf does not listen")
    client(net, "-C", "marc", "-t", "1", "-b", "200k")
    done(server)


@test("-B: a server does not pass over an address of a name at which the port is in use")
def bind_to_name_in_use():
    network()
    preloaded = *preload(TWO_ADDRESSES), "FIRST=::1"
    with inside("server"), socket.create_server(("::1", 5201), family=socket.AF_INET6):
        server = start("server", *preloaded, DCCPERF, "-s", "-1", "-B", "two.invalid")
        said = server.communicate()[0]
    check_equal(server.returncode, 1, f"status of a server that says {said}")
    check("cannot bind the control socket (TCP) to port 5201: Address already in use" in said,
          f"it says {said}")
    with inside("server"), dccp_ccids.listen(5201, "::1"):
        server = start("server", *preloaded, DCCPERF, "-s", "-1", "-B", "two.invalid")
        said = server.communicate()[0]
    check_equal(server.returncode, 1, f"status of a server that says {said}")
    check("the DCCP socket" in said and "port 5201: Address already in use" in said,
          f"it says {said}")


# The handshake of a DCCP socket was ended by a Reset whose code has no errno.
NO_PEER = """
#define _GNU_SOURCE
#include <errno.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

int getpeername(int fd, struct sockaddr *address, socklen_t *len)
{
	int type = 0;
	socklen_t size = sizeof(type);

	if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) || type == 6) {
		errno = ENOTCONN;
		return -1;
	}
	return syscall(SYS_getpeername, fd, address, len);
}
"""


@test("a handshake that a Reset without an errno has ended is no connection")
def refused_without_errno():
    net = network()
    serve("-C", "marc")
    process = start("client", *preload(NO_PEER), DCCPERF, "-c", net.address("server", AF_INET),
                    "-C", "marc", "-t", "1")
    said = process.communicate()[0]
    check_equal(process.returncode, 1, f"status of a client that says {said}")
    check("ended the DCCP handshake, and did not say why" in said, f"it says {said}")


@test("no answer to the handshake: the client names what carries its packets")
def no_answer():
    net = network()
    load("ccid_marc")
    address = net.address("server", AF_INET), 5201
    udp_port, encap_port = "/proc/sys/net/dccp/udp_port", "/proc/sys/net/dccp/encap_port"
    with inside("client"):
        write(udp_port, 6511)
    for options, default, carrier in (([], 0, "DCCP (protocol 33)"),
                                      (["--udp=7000"], 0, "UDP to port 7000"),
                                      ([], 7001, "UDP to port 7001")):
        with inside("client"):
            write(encap_port, default)
        with inside("server"):
            listener = socket.create_server(address)
        with listener:
            process = start("client", DCCPERF, "-c", address[0], "-C", "marc",
                            "--connect-timeout", "3", *options)
            with listener.accept()[0] as control:
                check(control.recv(4096).startswith(b"test\n"), "no test")
                net.shape("server", "netem loss 100%")
                control.sendall(b"ready\n\n")
                said = process.communicate()[0]
                net.shape("server", "netem delay 20ms")
        check_equal(process.returncode, 1, f"status of a client that says {said}")
        check(f"within 3 s: a firewall drops {carrier}, or" in said, f"not {carrier}: {said}")


@test("--deadline: a sender that drops all packets, for it is behind, still notices signals")
def deadline_signal():
    net = network()
    serve("-C", "marc")
    process = start("client", *preload(BEHIND), DCCPERF, "-c", net.address("server", AF_INET), "-C",
                    "marc", "-b", "1000G", "-l", "33", "--deadline", "1", "-t", "0")
    said = process.communicate()[0]
    check_equal(process.returncode, 1, f"status of a client that says {said}")
    check("stopped by a signal" in said, f"it says {said}")


@test("a server that is told to stop does not wait for ever for a test that is stuck")
def stuck():
    need("pgrep")
    net = network()
    server = serve("-C", "marc")
    start("client", DCCPERF, "-c", net.address("server", AF_INET), "-C", "marc", "-b", "200k", "-t",
          "0")
    check(wait_for(lambda: children(server), 10), "the server starts no test")
    child, = children(server)
    os.kill(child, signal.SIGSTOP)
    at_end.append(lambda: kill(child, signal.SIGKILL))
    server.send_signal(signal.SIGTERM)
    check(wait_for(lambda: server.poll() is not None, 90), "the server does not end")
    check("0 tests done, 1 failed" in done(server), "it counts another number")


@test("a signal ends the wait for the transmit queue after the last packet")
def drain_signal():
    net = network()
    serve("-C", "ctfaf")
    # All packets fit into the buffer of the socket, and take 16 s.
    process = start("client", DCCPERF, "-c", net.address("server", AF_INET), "-C", "ctfaf",
                    "--ctfaf", "r_min=8K,r_max=16K,step=1K", "--qlen", "0", "-n", "32K", "-l",
                    "400")
    time.sleep(3)
    check(process.poll() is None, "the client has ended before")
    process.send_signal(signal.SIGTERM)
    begin = time.monotonic()
    said = process.communicate()[0]
    check(time.monotonic() - begin < 3, f"it took {time.monotonic() - begin} s")
    check_equal(process.returncode, 1, f"status of a client that says {said}")
    check("stopped by a signal" in said, f"it says {said}")


# A kernel whose structures of the state are shorter than those of dccperf
SHORTER = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/socket.h>

int getsockopt(int fd, int level, int name, void *to, socklen_t *len)
{
	int (*real)(int, int, int, void *, socklen_t *) = dlsym(RTLD_NEXT, "getsockopt");

	if (level == 269 && (name == 192 || name == 128))
		*len -= 8;
	return real(fd, level, name, to, len);
}
"""


@test("a kernel that is older than dccperf: what it knows of the state is reported")
def shorter_state():
    net = network()
    older = *preload(SHORTER), DCCPERF
    server = start("server", *older, "-s", "-1", "-C", "dvrc", "-J")
    check(wait_for(lambda: listens("tcp", 5201), 10), "dccperf does not listen")
    process = start("client", *older, "-c", net.address("server", AF_INET), "-C", "dvrc", "-t", "3",
                    "-b", "200k", "-J")
    sender = json.loads(process.communicate()[0])
    receiver = json.loads(done(server))
    for key in "x_inst", "x_send", "requested":
        check(sender["intervals"][-1][key], f"{key} of the sender: {sender['intervals'][-1]}")
    check(receiver["end"]["receiver"]["feedbacks"], "no feedbacks of the receiver")


# A kernel in which a connection that has ended has no CCID that knows what was kept back
FORGETS = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sys/socket.h>

static int over;

ssize_t sendmsg(int fd, const struct msghdr *m, int flags)
{
	ssize_t (*real)(int, const struct msghdr *, int) = dlsym(RTLD_NEXT, "sendmsg");
	ssize_t n = real(fd, m, flags);

	over |= n < 0 && errno == ECONNRESET;
	return n;
}

int getsockopt(int fd, int level, int name, void *to, socklen_t *len)
{
	int (*real)(int, int, int, void *, socklen_t *) = dlsym(RTLD_NEXT, "getsockopt");

	if (over && level == 269 && name == 192) {
		errno = ENOTCONN;
		return -1;
	}
	return real(fd, level, name, to, len);
}
"""


@test("-O: a connection that was reset makes no negative number of packets kept back")
def kept_back_reset():
    net = network()
    load("ccid_dvrc")
    trace = f"{folder()}/trace"
    address, control, data = server_by_hand(net, "dvrc")
    with control, data:
        start("client", *preload(FORGETS), DCCPERF, "-c", address[0], "-C", "dvrc", "-t", "0",
              "-O", "20", "--layers", "100K,200K,400K,800K", "--qlen", "100", "--trace", trace)
        with control.accept()[0] as c:
            c.settimeout(20)
            check(c.recv(4096).startswith(b"test\n"), "no test")
            c.sendall(b"ready\n\n")
            with data.accept()[0] as d:
                c.sendall(b"start\ntx_ccid 251\nrx_ccid 251\n\n")
                reader = drain(d)
                time.sleep(10)
                # K falls while packets of layers above it wait.
                net.shape("server", "netem delay 20ms rate 250kbit limit 10")
                time.sleep(15)
                with open(trace, encoding="ascii") as file:
                    kept = max(float(row["kept_back"] or 0) for row in csv.DictReader(file))
                note(f"{kept:.0f} packets were kept back before the reset")
                check(kept > 0, "no packets were kept back before the reset")
                # What is not read makes a Reset of the end.
                kill(reader, signal.SIGKILL)
                time.sleep(1)
            said = c.recv(4096).decode()
    check(said.startswith("end\n") and "reset by peer" in said, f"it says {said}")
    check_equal(re.findall("^kept_back (.*)$", said, re.M), ["0"], "packets kept back")


WRONG = [
    (["--qlen", "0.5"], "a number of packets, a whole number"),
    (["-P", "1.5"], "a number of flows, a whole number"),
    (["-p", "5201.5"], "a port, a whole number"),
    (["--marc", "beta=900"], "beta is 0 to 1"),
    (["--marc", "delta_los=0.1"], "delta_loss"),
    (["--marc", "n=8"], "loss_history"),
    (["--marc", "tokens=0.5"], "tokens is 0 or 1"),
    (["--raar", "smoothing=1.5"], "smoothing is 1 to 64 rates"),
    (["--marc", "warning=0.01K"], "warning is 0 (never) to 65.535 s"),
    (["--marc", "nominal_size=1K"], "or 1 to 1460 bytes"),
    (["-C", "dvcr"], "dvrc"),
    (["-p", "x"], "a port from 1 to 65535"),
    (["--udp=x"], "a port from 1 to 65535"),
    (["--marc", "clock=rfc"], "paper, rfc5348 or restart"),
    (["--ctfaf", "interval=x"], "0.1 to 60 s"),
    (["--dvrc", "n=100"], "0 to 65.535 deviations"),
    (["-t", "x"], "a number of seconds from 0 to"),
    (["-b", "1Q"], "a number of bits/s from 0 to 1e+12, with K, M or G (1000"),
    (["-n", "0"], "a number of bytes from 1 to"),
    (["-n", "5 "], "a number of bytes from 1 to"),
    (["-b", "0.9"], "a number of bits/s, a whole number"),
    (["-l", "10"], "a number of bytes from 33 to"),
    (["--qlen", "-1"], "a number of packets from 0"),
    (["--late", "x"], "a number of ms from 0"),
    (["-P", "129"], "a number of flows from 1 to 128"),
    (["-P", "2", "-F", "/dev/null"], "cannot share the file"),
    (["--seed", "1"], "--seed needs --layers"),
    (["-D"], "are the server's"),
    (["-u"], "give -b RATE"),
    (["--deadline", "500"], "needs a schedule"),
    (["-F", "-", "--deadline", "500"], "with -F, --file-rate"),
]


@test("wrong usage: the range and the unit of what is wrong")
def usage():
    need(DCCPERF)
    for arguments, words in WRONG:
        wrong = run(DCCPERF, "-c", "192.0.2.1", *arguments, may_fail=True)
        check_equal(wrong.returncode, 2, f"status of {arguments}, which says {wrong.stderr}")
        check(words in wrong.stderr, f"{arguments} says {wrong.stderr}")
    wrong = run(DCCPERF, "-s", "-C", "marc", "-t", "3", may_fail=True)
    check_equal(wrong.returncode, 2, "status of a client's option at a server")
    check("-t is for the client only" in wrong.stderr, f"it says {wrong.stderr}")


@test("what the kernel refuses: the range of what was given")
def refused():
    net = network()
    for scheme, arguments, words in (("marc", "beta=1.001", "beta is 0 to 1"),
                                     ("raar", "smoothing=65", "smoothing is 1 to 64 rates"),
                                     ("ctfaf", "r_min=100K,r_max=50K", "r_max is from r_min"),
                                     ("ltfrc", "a0=-1,a1=1,a2=1,a3=1", "a3 is -32768 to 32767")):
        load("ccid_" + scheme)
        server = serve("-C", scheme)
        said = client(net, "-C", scheme, f"--{scheme}", arguments, status=1)
        check(words in said, f"--{scheme} {arguments} says {said}")
        server.kill()
        server.wait()


@test("parameters and presets of another CCID than the connection's: which one it has")
def of_another():
    net = network()
    for module in "marc", "ltfrc", "dvrc":
        load("ccid_" + module)
    serve("-C", "marc")
    for arguments, words in ((["--ltfrc", "k=11"], "has CCID 248: give -C ltfrc at both ends"),
                             (["--dvrc", "preset=layered"], "has CCID 248, which has none")):
        said = client(net, "-C", "marc", *arguments, status=1)
        check(words in said and "modprobe" not in said, f"{arguments} says {said}")


def range_of(scheme, key):
    """What a message says of a parameter."""
    said = run(DCCPERF, "-s", f"--{scheme}", f"{key}=", may_fail=True).stderr
    words = re.search(rf"--{scheme}: {key} is (.*); found", said)
    check(words, f"no range of {key} in {said}")
    return words[1]


def limits(words):
    """Values that the words allow, and others."""
    number = r"(\d[\d.]*)"
    if re.fullmatch(r"(?:[\w-]+, )*[\w-]+ or [\w-]+", words):
        values = re.split(", | or ", words)
        return values, [str(len(values)), "x"]      # words stand for 0, 1, 2
    means = r"(?: \([^)]*\))?"
    found = re.fullmatch(rf"(?:(0){means}, or )?{number}{means} to {number}(?: [a-z].*)?", words)
    check(found, f"no range in {words!r}")
    zero, low, high = found.groups()
    decimals = max(len(low.partition(".")[2]), len(high.partition(".")[2]),
                   3 if words.endswith(" s") or high == "1" else 0)
    step = 10 ** -decimals
    good = [low, high] + ([zero] if zero else [])
    below, above = float(low) - step, float(high) + step
    return good, [f"{value:.{decimals}f}" for value in (below, above) if value or not zero]


# By the kernel's defaults r_min is 8K, r_max 34G, r_start 0, interval 0.2 s.
DEPENDENT = {
    ("raar", "rate_max"): (["0", "34G"], ["35G"]),
    ("ltfrc", "k"): (["8", "11", "15", "streaming-oriented"], ["9", "0"]),
    ("ctfaf", "r_min"): (["8", "40K,r_start=40K"], ["0", "41K,r_start=40K", "50K,r_max=48K"]),
    ("ctfaf", "r_max"): (["34G", "40K,r_start=40K"], ["35G", "39K,r_start=40K", "7K"]),
    ("ctfaf", "step"): (["8", "16K", "2K,r_max=10K"], ["0", "16008", "2008,r_max=10K"]),
    ("ctfaf", "delta"): (["0", "34G", "8K,step=8K"], ["35G", "7K,step=8K"]),
    ("ctfaf", "r_start"): (["0", "8K", "80K,r_max=80K"], ["7K", "81K,r_max=80K"]),
    ("ctfaf", "increase"): (["8", "34G"], ["0", "35G"]),
    ("ctfaf", "t_reset"): (["0.2", "3600"], ["0.199", "3600.001"]),
} | {("ltfrc", f"a{i}"): ([], ["32768", "-32769"]) for i in range(4)}


@test("the ranges that messages name are the kernel's")
def ranges():
    need(DCCPERF)
    network()
    # A server sets all its parameters, then finds this port in use.
    with inside("server"), socket.create_server(("10.9.2.1", 5201)):
        for scheme in SCHEMES:
            load(scheme.module)
            name = scheme.name
            said = run(DCCPERF, "-s", f"--{name}", "x=1", may_fail=True).stderr
            keys = re.search(r'"x", but (.*)', said)[1].split()
            check(len(keys) > 5, f"parameters of {name}: {keys}")
            for key in keys:
                words = range_of(name, key)
                good, bad = DEPENDENT.get((name, key)) or limits(words)
                for value, status in [(g, 0) for g in good] + [(b, 1) for b in bad]:
                    given = f"{key}={value}"
                    said = run(DCCPERF, "-s", "-B", "10.9.2.1", f"--{name}", given,
                               may_fail=True).stderr
                    check(("cannot bind the control socket" in said) == (not status),
                          f"{key} is {words}, but of {given} it says {said}")
                    check(not status or f"{key} is {words}" in said, f"{given} says {said}")


@test("an ordinary user hears which module root is to load, and which CCID is not for users")
def not_loaded():
    need(DCCPERF, "setpriv")
    network()
    # The user may not look into the folder of this repository, as below /root.
    place = folder()
    os.chmod(place, 0o755)

    def says(what):
        said = run("ip", "netns", "exec", "server", "setpriv", "--reuid", "65534", "--regid",
                   "65534", "--clear-groups", shutil.copy(DCCPERF, place), "-s", "-C", "ctfaf",
                   may_fail=True)
        check_equal(said.returncode, 1, "status of a server without its CCID")
        check(what in said.stderr, f"it says {said.stderr}")
    unload("ccid_ctfaf", 5)
    says("as root, modprobe ccid_ctfaf")
    load("ccid_ctfaf")
    sysctl("allowed_ccids", "marc", "server")
    says("ctfaf (252) is not allowed to users: net.dccp.allowed_ccids")


@test("--use: a CCID and its preset")
def use():
    net = network()
    for name, ccid in (("interactive", 250), ("streaming", 248), ("thin-uplink", 249),
                       ("layered", 251)):
        server = serve("-1", "--use", name)
        said = client(net, "--use", name, "-t", "2", "-b", "200k", "-J")
        done(server)
        check_equal(json.loads(said)["end"]["sender"]["tx_ccid"], ccid, f"CCID of {name}")
    said = subprocess.run([DCCPERF, "-s", "--use", "film"], capture_output=True, text=True,
                          check=False).stderr
    check("expected interactive, streaming, thin-uplink or layered" in said, said)


@test("--udp: the port is that of the sysctl")
def udp_port():
    net = network()
    for end in "client", "server":
        with inside(end):
            write("/proc/sys/net/dccp/udp_port", 7000)
    server = serve("-1", "--udp", "-C", "marc")
    client(net, "--udp", "-C", "marc", "-t", "1", "-b", "200k")
    done(server)
    wrong = run("ip", "netns", "exec", "server", DCCPERF, "-s", "--udp=6511", may_fail=True)
    check_equal(wrong.returncode, 1, f"status of another port, which says {wrong.stderr}")
    check("net.dccp.udp_port is 7000 here" in wrong.stderr, f"it says {wrong.stderr}")


@test("the kernel's defaults hold where nothing is given")
def defaults_of_kernel():
    net = network()
    work = folder()
    for tokens in 1, 0:
        sysctl("default.tx_ccid", 248)
        sysctl("default.rx_ccid", 248)
        parameter_of = type("Marc", (), {"module": "ccid_marc"})
        parameter(parameter_of, "tokens", tokens)
        net.lose(100)
        server = serve("-1")
        said = client(net, "-t", "10", "-b", "100k", "--trace", f"{work}/trace")
        done(server)
        check("this end: tx marc (248)" in said, f"another CCID: {said}")
        with open(f"{work}/trace", encoding="ascii") as file:
            has = any(float(row["tokens"] or 0) for row in csv.DictReader(file))
        check_equal(has, bool(tokens), f"tokens, of a module whose parameter is {tokens}")


main()
