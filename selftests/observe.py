#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Kernels: uml
"""Tracepoints, ss, and what ccid-trace and Wireshark make of a connection."""
import glob
import importlib.machinery
import os
import re
import socket
import subprocess
import sys
import time
import types
import xml.etree.ElementTree

from capture import Capture, pcap
from dccp_ccids.uapi import DCCP_CCID_TX_APP_LIMITED
from lib import (CCID, FAMILIES, SCHEMES, TOP, Network, Skip, at_end, ccids, check, check_equal,
                 drain, folder, load, main, need, note, read, run, rx_info, test, tx_info, write)
from schemes import BY_NAME

SO_MAX_PACING_RATE = 47
TRACEFS = "/sys/kernel/tracing"
LUA = os.path.join(TOP, "tools/wireshark/dccp-ccid.lua")
CCID_TRACE = os.path.join(TOP, "tools/ccid-trace")
EVENT = re.compile(r" ([0-9]+\.[0-9]+): (\w+): (\S+) > (\S+) (.*)")
ENDS = {socket.AF_INET: ("10.9.1.1:", "10.9.2.1:"),
        socket.AF_INET6: ("[fd09:1::1]:", "[fd09:2::1]:")}


class Trace:
    """Records events of lib_tfrc and a scheme until they are read."""

    def __init__(self, scheme):
        load(scheme.module)
        if not os.path.isdir(f"{TRACEFS}/events"):
            subprocess.run(["mount", "-t", "tracefs", "none", TRACEFS], check=True)
        write(f"{TRACEFS}/buffer_size_kb", 4096)
        self.switches = [f"{TRACEFS}/events/{group}/enable"
                         for group in ("tfrc", scheme.name)]
        for switch in self.switches:
            write(switch, 1)
            at_end.append(lambda switch=switch: write(switch, 0))
        write(f"{TRACEFS}/trace", "")

    def text(self):
        for switch in self.switches:
            write(switch, 0)
        text = read(f"{TRACEFS}/trace")
        write(f"{TRACEFS}/trace", "")
        return text

    def read(self):
        return parse(self.text())


def parse(text):
    events = []
    for _, name, here, there, rest in EVENT.findall(text):
        fields = dict(word.split("=", 1) for word in rest.split())
        events.append((name, here, there, {
            k: int(v) if v.lstrip("-").isdigit() else v for k, v in fields.items()}))
    return events


def named(events, name):
    return [fields for n, _, _, fields in events if n == name]


def trace_flow(scheme, family=socket.AF_INET, seconds=8, every=30):
    """The text of the trace of a flow with losses, and its TX_INFO at the end of it."""
    net = Network()
    net.shape("client", "netem delay 20ms limit 1000")
    net.lose(every)
    ask = [(CCID, ccids(scheme.ccid))]
    trace = Trace(scheme)
    c, s = net.pair(family, ask, ask)
    drain(s)
    c.setblocking(False)
    for _ in range(seconds * 100):
        try:
            c.send(bytes(500))
        except BlockingIOError:
            pass
        time.sleep(0.01)
    time.sleep(0.1)
    info = tx_info(c)
    return trace.text(), info


def run_flow(scheme, *arguments, **options):
    """The same flow: its events, and its TX_INFO."""
    text, info = trace_flow(scheme, *arguments, **options)
    return parse(text), info


@test("programs that format events themselves, such as perf, know the values of names", None,
      SCHEMES)
def formats(scheme):
    Trace(scheme)
    for group in "tfrc", scheme.name:
        for path in glob.glob(f"{TRACEFS}/events/{group}/*/format"):
            check("DCCP_" not in read(path), f"{path} has names of the kernel's source")


@test("a sender's rate after each report, as TX_INFO has it", FAMILIES, SCHEMES)
def sender(scheme, family):
    events, info = run_flow(scheme, family)
    rates = named(events, "tfrc_tx_rate")
    reports = [e for e in rates if e["reason"] == "report"]
    check_equal(len(reports), info.feedbacks, "events for reports")
    check_equal(len(rates) - len(reports), info.nofeedbacks,
                "events for expiries of the nofeedback timer")
    check(reports, "there was no report")
    for before, now in zip(rates, rates[1:]):
        check_equal(now["before"], before["x"], "rate before the decision")
    last = rates[-1]
    for field in "x", "x_calc", "x_recv", "rtt_ns", "p_ppb":
        check_equal(last[field], getattr(info, field), field)
    check_equal(last["lost"], info.packets_lost, "lost")
    check_equal({e["ccid"] for e in rates}, {scheme.ccid}, "ccid")
    for name, here, there, _ in events:
        if name == "tfrc_tx_rate":
            check(here.startswith(ENDS[family][0]) and there.startswith(ENDS[family][1]),
                  f"ends {here} > {there}")
    note(f"{len(reports)} reports, {info.packets_lost} packets lost")


@test("a receiver's reports arrive as they were made", None, SCHEMES)
def receiver(scheme):
    events, _ = run_flow(scheme)
    made = named(events, "tfrc_rx_report")
    used = [e for e in named(events, "tfrc_tx_rate") if e["reason"] == "report"]
    check(len(used) <= len(made) <= len(used) + 2, f"{len(made)} made, {len(used)} used")
    check_equal(used[-1]["lost"] in [e["lost"] for e in made[-3:]], True, "lost")
    check(made[-1]["packets"] > 20, "hardly any packets")


def decisions(name, least=2):
    scheme = BY_NAME[name.split("_", maxsplit=1)[0]]
    # CTFAF decides once in its interval, 1 s
    events, info = run_flow(scheme, seconds=30 if least > 2 else 12)
    found = named(events, name)
    check(len(found) >= least, f"only {len(found)} events {name}")
    return found, named(events, "tfrc_tx_rate"), info


@test("MARC's decisions follow from what is in them")
def marc():
    found, rates, info = decisions("marc_decision", 20)
    for e in found:
        interval, rtt = e["interval_ns"] / 1e9, e["rtt_ns"] / 1e9
        excess = e["x_calc"] - e["x_send"] if e["x_calc"] else 0
        expected = 0.9 ** (interval / rtt) * e["tokens_before"] + excess * (
            min(interval, 4 * rtt) if excess > 0 else interval)
        check(abs(e["tokens"] - expected) <= 2, f"tokens {e['tokens']}, not {expected:.0f}")
        result = {"tfrc": e["x_tfrc"], "keep": e["before"], "limit": 0.9 * e["before"]}
        check(abs(e["x"] - result[e["decision"]]) <= 2, f"{e}")
        check(e["x"] in [r["x"] for r in rates], f"no rate of {e['x']} was used")
    check_equal(found[-1]["tokens"], info.tokens, "tokens")


@test("L-TFRC's equation follows from what is in it")
def ltfrc():
    found, rates, _ = decisions("ltfrc_equation", 20)
    scheme = BY_NAME["ltfrc"]
    for e in found:
        expected = scheme.equation(e["s"], e["rtt_ns"] / 1e9, e["p_ppb"] / 1e9)
        check(abs(e["x"] - expected) <= 1 + 0.001 * expected, f"{e}, not {expected:.0f}")
    check_equal(found[-1]["x"], rates[-1]["x_calc"], "x_calc")


@test("CTFAF's decisions come once in an interval")
def ctfaf():
    found, rates, _ = decisions("ctfaf_decision")
    for e in found:
        check(e["x"] in [r["x"] for r in rates], f"no rate of {e['x']} was used")
        check_equal(2e8 <= e["interval_ns"] <= 5e9, True, "interval")
        check(e["decision"] != "start", "no decision")
    note(f"decisions: {' '.join(e['decision'] for e in found)}")


@test("RAAR's sender knows the rate that its receiver requests")
def raar():
    found, rates, _ = decisions("raar_report", 20)
    alpha = 4 * (1 - 0.875 ** 2) / 3 / 6        # eq. 1, times delta
    for last, now in zip(found, found[1:]):
        check_equal(now["number"], last["number"] + 1, "number")
        cuts = 0.875 ** (now["events"] - last["events"])
        if not last["slow_start"]:
            low, high = last["rate"] * cuts, last["rate"] * cuts + 4 * alpha * 500 / 0.02
            check(low * 0.999 - 2 <= now["rate"] <= high + 2, f"{last} {now}")
    check(not found[-1]["slow_start"], "still in slow start")
    requested = [e["requested"] for e in found]
    check(sum(r["x"] in requested for r in rates) > len(rates) / 2,
          "nothing requested was followed")


@test("DVRC's decisions follow from what is in them")
def dvrc():
    found, rates, _ = decisions("dvrc_report", 20)
    counts = {"random": 0, "congestion": 0}
    for last, now in zip(found, found[1:]):
        if now["decision"] in counts and now[now["decision"]] > last[now["decision"]]:
            counts[now["decision"]] += 1
    check(sum(counts.values()) > 5, "hardly any loss events")
    check_equal((found[-1]["random"], found[-1]["congestion"]),
                (counts["random"], counts["congestion"]), "loss events of each kind")
    requested = {e["rate"] for e in found}
    check(sum(r["x"] in requested for r in rates) > len(rates) / 2,
          "nothing requested was followed")
    note(f"{counts['random']} random, {counts['congestion']} congestion")


# ---------------------------------------------------------------- ss

def idle_flow(scheme, family, packets=100):
    """The ends of a connection whose last packet was sent a tenth of a second ago."""
    net = Network()
    net.shape("client", "netem delay 20ms limit 1000")
    net.lose(20)
    ask = [(CCID, ccids(scheme.ccid))]
    capture = Capture()
    c, s = net.pair(family, ask, ask)
    drain(s)
    for _ in range(packets):
        c.send(bytes(500))
        time.sleep(0.01)
    time.sleep(0.1)
    return c, s, capture


def shown(end):
    """What ss -i says of the only connection."""
    text = run("ip", "netns", "exec", end, "ss", "-dinH", "state", "established").stdout
    note(" ".join(text.split()))
    fields = dict(re.findall(r"\b(rto|rtt|lost|pacing_rate|delivery_rate|data_segs_out|data_segs_in"
                             r"|delivered_ce)[: ]([0-9.]+)", text))
    if limit := re.search(r"pacing_rate \d+bps/(\d+)bps", text):
        fields["limit"] = limit[1]
    return fields, text.split()


@test("ss shows rate, round-trip time, timeout and losses", FAMILIES, SCHEMES)
def ss(scheme, family):
    c, s, _ = idle_flow(scheme, family)
    seen, words = shown("client")
    info = tx_info(c)
    # ss leaves out what TCP begins with, 3 s: CTFAF waits for 3 T, and T is 1 s.
    if scheme.name == "ctfaf" and info.tfrctx_rto == 3000000:
        seen.setdefault("rto", "3000")
    check_equal(seen.keys(), {"rto", "rtt", "lost", "pacing_rate", "delivery_rate",
                              "data_segs_out"}, "fields")
    check(abs(float(seen["rtt"]) - info.rtt_ns / 1e6) < 0.01, "rtt")
    check(float(seen["rto"]) >= float(seen["rtt"]), "rto")
    check_equal(int(seen["lost"]), info.packets_lost, "lost")
    check_equal(int(seen["data_segs_out"]), info.packets_sent, "packets sent")
    check(abs(float(seen["pacing_rate"]) - 8 * info.x) <= 16, f"pacing rate, X is {info.x}")
    check_equal("app_limited" in words, bool(info.flags & DCCP_CCID_TX_APP_LIMITED), "app_limited")
    seen, _ = shown("server")
    check_equal(int(seen["data_segs_in"]), rx_info(s).packets_received, "packets received")
    # A pause is no part of the timeout.
    time.sleep(100)
    c.send(b"x")
    check(tx_info(c).tfrctx_rto < 20e6, f"after a pause the timeout is {tx_info(c).tfrctx_rto} us")


@test("ss shows the limit of SO_MAX_PACING_RATE beside the rate", None, SCHEMES)
def ss_limit(scheme):
    c, _, _ = idle_flow(scheme, socket.AF_INET)
    c.setsockopt(socket.SOL_SOCKET, SO_MAX_PACING_RATE, 5000)
    seen, _ = shown("client")
    check_equal(seen.get("limit"), "40000", "limit, bits/s")


@test("ss shows whether the program or the CCID is the limit, and marks")
def ss_marks():
    scheme = BY_NAME["marc"]
    net = Network()
    net.shape("server", "netem delay 20ms loss 2% ecn rate 400kbit limit 1000")
    ask = [(CCID, ccids(scheme.ccid))]
    load(scheme.module)
    c, s = net.pair(socket.AF_INET, ask, ask)
    drain(s)
    c.setblocking(False)
    # Far more than any X here: with few marks X_inst may be twice what the link carries.
    for _ in range(5000):
        try:
            c.send(bytes(500))
        except BlockingIOError:
            pass
        time.sleep(0.002)
    seen, words = shown("client")
    info = tx_info(c)
    check("app_limited" not in words, "a source that always has packets is not the limit")
    check(info.packets_marked, "no packet was marked")
    check_equal(int(seen["delivered_ce"]), info.packets_marked, "packets marked")


# ---------------------------------------------------------------- programs

@test("ccid-trace draws all events of a connection", FAMILIES, SCHEMES)
def draw(scheme, family):
    need(CCID_TRACE)
    if run(sys.executable, "-c", "import matplotlib", may_fail=True).returncode:
        raise Skip("python3-matplotlib is not installed")
    text, _ = trace_flow(scheme, family)
    figure = f"{folder()}/trace.png"
    said = run(sys.executable, CCID_TRACE, "-", "-o", figure, text=text).stdout
    check_equal(said, f"{figure}: 1 flow, {len(parse(text))} events\n", "what it says")
    with open(figure, "rb") as file:
        check(file.read(8) == b"\x89PNG\r\n\x1a\n", "no figure")
    empty = run(sys.executable, CCID_TRACE, "-", "-o", figure, text="no event\n", may_fail=True)
    check_equal(empty.returncode, 1, "status without events")
    check("were they enabled" in empty.stderr, f"without events it says {empty.stderr}")


@test("ccid-trace says what to do without matplotlib, or where it cannot write")
def no_figure():
    need(CCID_TRACE)
    work = folder()
    write(f"{work}/matplotlib.py", "raise ImportError")
    without = {**os.environ, "PYTHONPATH": work}
    trace = "x-1 [000] 1.5: tfrc_tx_rate: 1.2.3.4:5 > 2.3.4.5:6 x=100 x_recv=5 p_ppb=0\n"
    for environment, option, status, words in (
            (without, "-", 1, "apt install python3-matplotlib"),
            (without, "--help", 0, "usage: ccid-trace"),
            (os.environ, "-", 1, "No such file or directory")):
        if environment is os.environ and run(sys.executable, "-c", "import matplotlib",
                                             may_fail=True).returncode:
            raise Skip("python3-matplotlib is not installed")
        done = subprocess.run([sys.executable, CCID_TRACE, option, "-o", f"{work}/no/figure.png"],
                              env=environment, input=trace, capture_output=True, text=True,
                              check=False)
        said = done.stdout + done.stderr
        check_equal(done.returncode, status, f"status of {option}, which says {said}")
        check(words in said and "Traceback" not in said, f"it says {said}")


NUMBERS = "1.2.3.4:5 > 2.3.4.5:6 ccid=248 reason=report x=100 x_recv=5"


def load_ccid_trace():
    need(CCID_TRACE)
    loader = importlib.machinery.SourceFileLoader("ccid_trace", CCID_TRACE)
    ccid_trace = types.ModuleType(loader.name)
    loader.exec_module(ccid_trace)
    return ccid_trace


@test("ccid-trace reads what ftrace, trace-cmd and perf write, with the unit of their time")
def read_trace():
    ccid_trace = load_ccid_trace()
    for begin, end in (("  dccperf-70  [000] ..s1.  20.250000: tfrc_tx_rate: ", "\n"),
                       ("dccperf  70 [000]  20.250000: tfrc:tfrc_tx_rate: ", "\n"),
                       # perf script pads the names of events to the same width
                       ("dccperf  70 [000]  20.250000:        tfrc:tfrc_tx_rate: ", "\n"),
                       (" 20250.000 dccperf/70 tfrc:tfrc_tx_rate(", ")\n")):
        for line in begin + NUMBERS + end, begin + NUMBERS + " p_ppb=":     # the last one is cut
            (flow, events), = ccid_trace.read([line]).items()
            check_equal((flow, list(events)), (("1.2.3.4:5", "2.3.4.5:6"), ["tfrc_tx_rate"]),
                        f"flow and event of {line}")
            (when, fields), = events["tfrc_tx_rate"]
            check(abs(when - 20.25) < 1e-9, f"{line} was at {when} s")
            check_equal(fields, {"ccid": 248, "x": 100, "x_recv": 5}, f"numbers of {line}")


@test("ccid-trace takes a mapped address of IPv4 for the address")
def mapped():
    begin = "x-1 [000] 1.5: "
    flows = load_ccid_trace().read([
        begin + "tfrc_tx_rate: 1.2.3.4:5 > 2.3.4.5:6 x=100\n",
        begin + "tfrc_rx_report: [::ffff:2.3.4.5]:6 > [::ffff:1.2.3.4]:5 x_recv=90\n",
        begin + "tfrc_tx_rate: [fd09:1::1]:5 > [fd09:2::1]:6 x=100\n"])
    check_equal({flow: sorted(events) for flow, events in flows.items()}, {
        ("1.2.3.4:5", "2.3.4.5:6"): ["tfrc_rx_report", "tfrc_tx_rate"],
        ("[fd09:1::1]:5", "[fd09:2::1]:6"): ["tfrc_tx_rate"]}, "flows and events")


@test("ccid-trace draws what a trace without an end has had so far, after Ctrl-C")
def interrupted():
    def pipe():
        yield "x-1 [000] 1.5: tfrc_tx_rate: " + NUMBERS + "\n"
        raise KeyboardInterrupt

    (_, events), = load_ccid_trace().read(pipe()).items()
    check_equal(len(events["tfrc_tx_rate"]), 1, "events")


@test("ccid-trace draws what a receiver reports where the sender's events are missing")
def draw_receiver():
    ccid_trace = load_ccid_trace()
    if not ccid_trace.plt:
        raise Skip("python3-matplotlib is not installed")
    report = "x-1 [000] {}.5: tfrc_rx_report: 2.3.4.5:6 > 1.2.3.4:5 {}\n"
    for p_ppb, losses in ((20000000, [0, 2]), (0, [1, 3])):     # in percent, or in packets
        ccid_trace.draw(ccid_trace.read([
            report.format(1, "p_ppb=0 x_recv=1000 lost=1"),
            report.format(2, f"p_ppb={p_ppb} x_recv=2000 lost=3")]), f"{folder()}/trace.png")
        top, middle, _ = ccid_trace.plt.gcf().axes
        for axis, values in (top, [8, 16]), (middle, losses):
            check_equal([[round(y, 6) for y in line.get_ydata()] for line in axis.lines],
                        [values], f"lines of {axis.get_ylabel()}")


@test("ccid-trace draws a trace with lines that are damaged or cut")
def damaged():
    need(CCID_TRACE)
    if run(sys.executable, "-c", "import matplotlib", may_fail=True).returncode:
        raise Skip("python3-matplotlib is not installed")
    figure = f"{folder()}/trace.png"
    event = b"x-1 [000] 1.5: tfrc_tx_rate: " + NUMBERS.encode()
    done = subprocess.run([sys.executable, CCID_TRACE, "-", "-o", figure],
                          input=event + b"\n\xff\n" + event + b" p_ppb=",
                          env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
                          capture_output=True, check=False)
    check_equal((done.returncode, done.stdout), (0, f"{figure}: 1 flow, 2 events\n".encode()),
                f"the end of a program that says {done.stderr}")


@test("Wireshark names our options", FAMILIES, SCHEMES)
def wireshark(scheme, family):
    need("tshark", LUA)
    c, s, capture = idle_flow(scheme, family)
    done = subprocess.run(
        ["tshark", "-X", f"lua_script:{LUA}", "-r", "-", "-n", "-T", "pdml"],
        input=pcap(list(capture.packets())), capture_output=True, check=True)
    packets = [{f.get("name").removeprefix("dccp_ccid."): f.get("show")
                for f in packet.iter("field") if "dccp_ccid." in f.get("name")}
               for packet in xml.etree.ElementTree.fromstring(done.stdout)]
    names = {name for packet in packets for name in packet}
    note(" ".join(sorted(names)))
    check("malformed" not in names, "an option is malformed")
    check(names >= {"receive_rate", "lost", "marked"} | scheme.wire, "fields are missing")
    last = [packet for packet in packets if "lost" in packet][-1]
    check_equal(int(last["lost"]), tx_info(c).packets_lost, "lost")


main()
