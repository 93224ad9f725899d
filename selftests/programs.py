#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""The examples: programs that use the CCIDs.

A bottleneck of 800 kbit/s and 40 ms is between the two ends.
"""
import os
import re
import select
import shutil
import signal
import struct
import sys
import tempfile
import time
from socket import AF_INET, SO_LINGER, SOL_SOCKET

import dccp_ccids
from lib import (TOP, TWO_ADDRESSES, Network, check, check_equal, inside, listens, load, main, need,
                 preload, run, start, test, unload, wait_for)
from schemes import BY_NAME, SCHEMES

EXAMPLES = os.path.join(TOP, "build/examples")
MEDIA = [sys.executable, os.path.join(TOP, "examples/media.py")]
SENDERS = {"C": [os.path.join(EXAMPLES, "sender")], "Python": MEDIA + ["send"]}
RECEIVERS = {"C": [os.path.join(EXAMPLES, "receiver")], "Python": MEDIA + ["receive"]}
SECONDS, LINK = 20, 800e3


def bottleneck():
    net = Network()
    net.shape("server", f"netem delay 20ms rate {int(LINK)} limit 20")
    net.shape("client", "netem delay 20ms")
    return net


def stream(sender, receiver, scheme):
    """Run both programs. Returns their output."""
    need(MEDIA[1])
    net = bottleneck()
    load(scheme.module)
    receiver = start("server", *receiver, "5001", str(scheme.ccid))
    check(wait_for(lambda: listens("dccp", 5001), 10), "nothing listens")
    sender = start("client", *sender, net.address("server", AF_INET), "5001",
                   str(scheme.ccid), str(SECONDS))
    said = sender.communicate()[0], receiver.communicate()[0]
    check_equal((sender.returncode, receiver.returncode), (0, 0), f"status, with {said}")
    return said


def check_stream(sent, received, scheme):
    check(f"CCID {scheme.ccid}," in sent, f"another CCID: {sent}")
    seconds = [(float(rate), int(cut)) for rate, cut in
               re.findall(r"s: +([\d.]+) kbit/s, (\d+) of 25 frames cut", sent)]
    check_equal(len(seconds), SECONDS, "lines of the sender")
    total = int(re.search(r"received (\d+) bytes", received)[1])
    mean = total * 8 / SECONDS
    check(64e3 / 2 <= mean <= LINK, f"{mean / 1e3:.0f} kbit/s arrived: {received}")
    # The encoder follows: what it makes it can send.
    check(sum(cut for _, cut in seconds[5:]) < 25 * SECONDS / 20, f"cut short: {sent}")


@test("an encoder that follows the rate, in C", schemes=SCHEMES)
def c_example(scheme):
    check_stream(*stream(SENDERS["C"], RECEIVERS["C"], scheme), scheme)


@test("an encoder that follows the rate, in Python", schemes=SCHEMES)
def python_example(scheme):
    check_stream(*stream(SENDERS["Python"], RECEIVERS["Python"], scheme), scheme)


@test("C sends to Python", schemes=SCHEMES[:1])
def mixed(scheme):
    check_stream(*stream(SENDERS["C"], RECEIVERS["Python"], scheme), scheme)


def receivers():
    """Each example that receives, its process, and a connection to it."""
    need(MEDIA[1])
    for words in RECEIVERS.values():
        net = Network()
        load("ccid_marc")
        receiver = start("server", *words, "5001", "248")
        check(wait_for(lambda: listens("dccp", 5001), 10), "nothing listens")
        with inside("client"):
            c = dccp_ccids.connect(net.address("server", AF_INET), 5001, tx_ccid="marc")
        with c:
            yield words, receiver, c


def check_end(words, receiver, status, expected):
    said = receiver.communicate()[0]
    check_equal(receiver.returncode, status, f"status of {words}, which says {said}")
    check(expected in said, f"{words} says {said}")


@test("a datagram of length 0 does not end a receiver")
def length_0():
    for words, receiver, c in receivers():
        for packet in b"first", b"", b"last":
            c.send(packet)
            time.sleep(0.5)
        c.close()
        check_end(words, receiver, 0, "received 9 bytes")


@test("what the sender sent before it closed is read, behind a datagram of length 0 too")
def length_0_at_the_end():
    for words, receiver, c in receivers():
        c.send(b"first")
        time.sleep(0.5)
        receiver.send_signal(signal.SIGSTOP)
        for packet in b"", b"last":
            c.send(packet)
            time.sleep(0.5)
        c.close()
        time.sleep(1)
        receiver.send_signal(signal.SIGCONT)
        check_end(words, receiver, 0, "received 9 bytes")


def end_of_receivers(break_off, expected):
    """Each example that receives, and what it says when its connection has broken."""
    for words, receiver, c in receivers():
        c.send(b"first")
        time.sleep(0.5)
        break_off(c)
        check_end(words, receiver, 1, expected)


@test("a receiver fails when its connection breaks")
def broken():
    def break_off(_c):
        run("ip", "netns", "exec", "server", "ss", "--dccp", "-nH", "-K")
    end_of_receivers(break_off, "oftware caused connection abort")


@test("a receiver fails when the sender breaks the connection off")
def broken_off():
    def break_off(c):
        c.setsockopt(SOL_SOCKET, SO_LINGER, struct.pack("ii", 1, 0))
        c.close()
    end_of_receivers(break_off, "onnection reset by peer")


def end_of_senders(leave, status, expected):
    """Each example that sends, and what it says when the other end has left."""
    need(MEDIA[1])
    for program, ccid, arguments in (
            (SENDERS["C"], "marc", ["248", "30"]), (SENDERS["Python"], "marc", ["248", "30"]),
            ([os.path.join(EXAMPLES, "layers")], "dvrc", ["30"]),
            (MEDIA + ["layers"], "dvrc", ["30"])):
        net = Network()
        load(f"ccid_{ccid}")
        with inside("server"):
            listener = dccp_ccids.listen(5001, rx_ccid=ccid)
        with listener:
            sender = start("client", *program, net.address("server", AF_INET), "5001", *arguments)
            with listener.accept()[0] as s:
                leave(s)
        said = sender.communicate()[0]
        check_equal(sender.returncode, status, f"status of {program}, which says {said}")
        check(expected in said, f"{program} says {said}")
        check(not status or "has closed" not in said, f"{program} says {said}")


@test("a sender whose receiver leaves says so, and ends")
def receiver_leaves():
    def leave(s):
        s.settimeout(10)
        end = time.monotonic() + 2
        while time.monotonic() < end:
            s.recv(65536)
        while select.select([s], [], [], 0)[0]:     # unread data would make it a Reset
            s.recv(65536)
    end_of_senders(leave, 0, "the receiver has closed the connection")


@test("a sender whose connection breaks fails")
def receiver_breaks_off():
    def leave(s):       # what is unread makes it a Reset with the code Aborted
        check(wait_for(lambda: select.select([s], [], [], 0)[0], 10), "nothing comes")
    end_of_senders(leave, 1, "onnection reset by peer")


@test("a sender in C connects to the address of a name that answers")
def several_addresses():
    # The first address is not one of any host, and nothing leads there.
    preloaded = *preload(TWO_ADDRESSES), "FIRST=ff0e::1"
    for name, ccid, arguments in ("sender", "marc", ["248", "2"]), ("layers", "dvrc", ["2"]):
        Network()
        load(f"ccid_{ccid}")
        receiver = start("server", *RECEIVERS["C"], "5001", str(BY_NAME[ccid].ccid))
        check(wait_for(lambda: listens("dccp", 5001), 10), "nothing listens")
        sender = start("client", *preloaded, os.path.join(EXAMPLES, name), "two.invalid", "5001",
                       *arguments)
        said = sender.communicate()[0]
        check_equal(sender.returncode, 0, f"status of {name}, which says {said}")
        receiver.communicate()


@test("dccperf: each end says which CCID it sends with, and which it receives with")
def dccperf_ccids():
    net = Network()
    dccperf = os.path.join(TOP, "build/tools/dccperf")
    server = start("server", dccperf, "-s", "-1", "--tx-ccid", "ccid3", "--rx-ccid", "ccid2")
    check(wait_for(lambda: listens("tcp", 5201), 10), "it does not listen")
    client = start("client", dccperf, "-c", net.address("server", AF_INET), "-n", "10K",
                   "--tx-ccid", "ccid2", "--rx-ccid", "ccid3")
    said = client.communicate()[0], server.communicate()[0]
    check_equal((client.returncode, server.returncode), (0, 0), f"status, with {said}")


@test("a sender whom nobody answers says what it may be, and does not wait for minutes")
def no_answer():
    need(MEDIA[1])
    layers = [os.path.join(EXAMPLES, "layers")]
    for program, arguments in ((SENDERS["C"], ["248", "1"]), (SENDERS["Python"], ["248", "1"]),
                               (layers, ["1"]), (MEDIA + ["layers"], ["1"])):
        net = Network()
        load("ccid_marc")
        load("ccid_dvrc")
        net.shape("server", "netem loss 100%")
        began = time.monotonic()
        sender = start("client", *program, net.address("server", AF_INET), "5001", *arguments)
        said = sender.communicate()[0]
        check_equal(sender.returncode, 1, f"status of {program}, which says {said}")
        check("no answer in 10 s" in said and "firewall" in said, f"{program} says {said}")
        check(time.monotonic() - began < 20, "it waited longer")


@test("an ordinary user hears that a CCID is not loaded")
def not_loaded():
    need(MEDIA[1], "setpriv")
    user = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
    ctfaf = BY_NAME["ctfaf"]
    # The user may not look into the folder of this repository, as below /root.
    place = tempfile.mkdtemp()
    os.chmod(place, 0o755)
    shutil.copytree(os.path.join(TOP, "python/dccp_ccids"), os.path.join(place, "dccp_ccids"))
    for words in SENDERS.values():
        program = [shutil.copy(word, place) if word.startswith(TOP) else word for word in words]
        net = Network()
        unload(ctfaf.module, 5)
        sender = start("client", *user, *program, net.address("server", AF_INET), "5001",
                       str(ctfaf.ccid), "1")
        said = sender.communicate()[0]
        check_equal(sender.returncode, 1, f"status of {program}, which says {said}")
        check("only root can load it" in said, f"{program} says {said}")


def stream_layers(sender, rate):
    """The mean number of layers that were sent after the start, through such a link."""
    need(MEDIA[1])
    dvrc = BY_NAME["dvrc"]
    net = Network()
    net.shape("server", f"netem delay 20ms rate {int(rate)} limit 20")
    net.shape("client", "netem delay 20ms")
    load(dvrc.module)
    receiver = start("server", *RECEIVERS["C"], "5001", str(dvrc.ccid))
    check(wait_for(lambda: listens("dccp", 5001), 10), "nothing listens")
    sender = start("client", *sender, net.address("server", AF_INET), "5001", "30")
    said = sender.communicate()[0]
    check_equal(sender.returncode, 0, f"status, with {said}")
    receiver.communicate()
    layers = [float(k) for k in re.findall(r"s: ([\d.]+) layers", said)]
    check_equal(len(layers), 30, f"lines of {said}")
    return sum(layers[15:]) / 15


@test("as many layers as the path takes")
def layers():
    for sender in [os.path.join(EXAMPLES, "layers")], MEDIA + ["layers"]:
        wide = stream_layers(sender, 5e6)
        narrow = stream_layers(sender, 300e3)
        check(wide > 3.5, f"{wide:.1f} layers of 4 on a wide path")
        # A third is tried again and again, the fourth is not.
        check(1 <= narrow <= 3, f"{narrow:.1f} layers of 4 where 2 fit")


main()
