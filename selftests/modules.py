#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Kernels: uml 6.12 6.1
# Timeout: 900
"""Which objects hold the module of a CCID, and for how long."""
import errno
import os
import re
import socket
import struct
import time

from lib import (CCID, FAMILIES, SCHEMES, SOL_DCCP, TOP, Network, accept, ccids, check, check_equal,
                 check_error, disconnect, drain, get_ccids, load, loaded, main, need, note,
                 read, references, remove, run, sysctl, test, unload, wait_for, write)
from rawpeer import CHANGE_L, F_CCID, REQUEST, RESPONSE, Peer, feature, wish
from schemes import SCHEMES as EVERY_SCHEME



def ask(scheme):
    return [(CCID, ccids(scheme.ccid))]


def held(scheme):
    check(references(scheme.module), "the module has no reference")
    check(not remove(scheme.module), "the module could be removed while in use")


@test("a connection holds it, and lets go within a second of the last close",
      FAMILIES, SCHEMES)
def connection(scheme, family):
    net = Network()
    net.shape("client", "netem delay 20ms limit 1000")
    for first_to_close in 0, 1:
        ends = net.pair(family, ask(scheme), ask(scheme))
        held(scheme)
        for _ in range(5):
            ends[0].send(b"x" * 500)
            ends[1].send(b"x" * 500)
        time.sleep(0.1)
        held(scheme)
        ends[first_to_close].close()
        time.sleep(0.1)
        ends[1 - first_to_close].close()
        unload(scheme.module)


def blocks(name):
    """The indented blocks of a page, or what is between .nf and .fi in a manual, as lines."""
    path = os.path.join(TOP, name)
    need(path)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    parts = (re.findall(r"^\.nf\n(.*?)^\.fi", text, re.M | re.S) if name.endswith(".7") else
             re.findall(r"^(?:   .*\n|\n)+", text, re.M))
    return [[line.strip().replace("\\-", "-") for line in part.split("\n")] for part in parts]


def configuration(where):
    """Lines for modules-load.d, sysctl.d and modprobe.d: the package's examples, or a page's."""
    names = [f"{kind}/dccp-ccids.conf" for kind in ("modules-load.d", "sysctl.d", "modprobe.d")]
    if where == "packaging/etc":
        need(*(os.path.join(TOP, where, name) for name in names))
        files = [read(os.path.join(TOP, where, name)).split("\n") for name in names]
    else:
        block, = (b for b in blocks(where) if f"# /etc/{names[0]}" in b)
        starts = [block.index(f"# /etc/{name}") for name in names] + [len(block)]
        files = [block[a:b] for a, b in zip(starts, starts[1:])]
    files = [[line for line in lines if line and line[0] not in "#."] for lines in files]
    check(all(files), f"nothing to configure in {where}")
    return files


@test("the examples of configuration", schemes=["packaging/etc", "Documentation/howto/install.rst",
                                                "Documentation/dccp-ccids.7"])
def example(where):
    """They configure DCCP when the machine starts: then ordinary users have the CCID."""
    modules, sysctls, parameters = configuration(where)
    for scheme in EVERY_SCHEME:
        unload(scheme.module)
    for _, module, *options in (line.split() for line in parameters):
        run("modprobe", module, *options)
        for name, value in (option.split("=") for option in options):
            check_equal(read(f"/sys/module/{module}/parameters/{name}"), value,
                        f"{module}: {name}")
        unload(module)
    run("modprobe", "-a", *modules)
    schemes = [scheme for scheme in SCHEMES if scheme.module in modules]
    check(schemes, f"no CCID is loaded by {modules}")
    run("sysctl", "-qp", "-", text="\n".join(sysctls) + "\n")
    check_equal(sysctl("default.tx_ccid"), str(schemes[0].ccid), "preferred")
    c = Network().open("client")
    os.seteuid(65534)
    try:
        for scheme in SCHEMES:
            if scheme in schemes:
                c.setsockopt(SOL_DCCP, CCID, ccids(scheme.ccid))
            else:
                check_error(errno.EOPNOTSUPP, c.setsockopt, SOL_DCCP, CCID, ccids(scheme.ccid))
    finally:
        os.seteuid(0)


@test("parameters that depend on each other may come in any order, and must go together")
def order():
    good = ["r_min=8000", "r_start=9000", "r_max=12000", "step=4000", "delta=4000"]
    for options in good, good[::-1], good[2:] + good[:2]:
        unload("ccid_ctfaf")
        run("modprobe", "ccid_ctfaf", *options)
        check_equal(read("/sys/module/ccid_ctfaf/parameters/step"), "4000", "step")
        unload("ccid_ctfaf")
    for bad in ["r_min=11000"], ["r_start=7999"], ["step=4001", "delta=4001"]:
        done = run("modprobe", "ccid_ctfaf", *good, *bad, may_fail=True)
        check(done.returncode, f"{good + bad} were accepted")
        check(not loaded("ccid_ctfaf"), "loaded after all")


@test("one connection of many holds it", None, SCHEMES)
def one_of_many(scheme):
    net = Network()
    ends = [net.pair(client=ask(scheme), server=ask(scheme)) for _ in range(20)]
    for c, s in ends[:-1]:
        c.close()
        s.close()
    time.sleep(2)
    held(scheme)
    c, s = ends[-1]
    c.send(b"still there")
    check_equal(s.recv(100), b"still there", "data received")
    c.close()
    s.close()
    unload(scheme.module)


@test("a queue that will never be sent does not hold it", None, SCHEMES)
def full_queue(scheme):
    net = Network()
    net.shape("client", "netem delay 50ms limit 1000")
    c, s = net.pair(client=ask(scheme), server=ask(scheme))
    check_error(errno.EAGAIN,
                lambda: [c.send(b"x" * 1000, socket.MSG_DONTWAIT) for _ in range(100)])
    c.close()
    s.close()
    unload(scheme.module)


@test("a peer that is gone does not hold it", None, SCHEMES)
def dead_peer(scheme):
    net = Network()
    c, s = net.pair(client=ask(scheme), server=ask(scheme))
    for _ in range(4):
        c.send(b"x" * 500)
    net.shape("client", "netem loss 100%")
    net.shape("server", "netem loss 100%")
    c.close()
    s.close()
    unload(scheme.module)


@test("an aborted connection does not hold it", None, SCHEMES)
def aborted(scheme):
    net = Network()
    c, s = net.pair(client=ask(scheme), server=ask(scheme))
    c.send(b"x" * 500)
    s.send(b"x" * 500)
    for end in c, s:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        end.close()
    unload(scheme.module)


@test("a socket that was disconnected does not hold it", None, SCHEMES)
def disconnected(scheme):
    """connect() to AF_UNSPEC, and a new connection with the same socket.

    The socket sets its list again; otherwise the server's preference would win.
    """
    net = Network()
    listener = net.listen(options=[(CCID, ccids(2, scheme.ccid))])
    c = net.open("client", options=ask(scheme))
    for _ in range(3):
        c.connect(listener.getsockname())
        s = accept(listener)
        c.send(b"x" * 500)
        check_equal(get_ccids(c), (scheme.ccid, scheme.ccid), "the client's (tx, rx)")
        held(scheme)
        disconnect(c)
        s.close()
    time.sleep(1)
    note(f"references: {references(scheme.module)}")
    unload(scheme.module)


@test("a child that nobody has accepted holds it", FAMILIES, SCHEMES)
def unaccepted_child(scheme, family):
    net = Network()
    listener = net.listen(family, ask(scheme))
    peer = Peer(net, family)
    peer.connect(wish(scheme.ccid))
    time.sleep(0.1)
    held(scheme)
    listener.close()
    unload(scheme.module)


@test("a handshake that has settled on it holds it", FAMILIES, SCHEMES)
def handshake(scheme, family):
    net = Network()
    listener = net.listen(family, ask(scheme))
    peer = Peer(net, family)
    peer.send(REQUEST, wish(scheme.ccid))
    check(peer.receive(RESPONSE) is not None, "no Response")
    held(scheme)
    listener.close()
    # As in TCP its own timer has to find out: that of the first Response, 3 s.
    unload(scheme.module, 4)


@test("a handshake that is never completed lets go in the end", None, SCHEMES)
def abandoned_handshake(scheme):
    net = Network()
    sysctl("default.request_retries", 1)
    net.listen(options=ask(scheme))
    peer = Peer(net)
    for _ in range(3):
        peer.port += 1
        peer.send(REQUEST, feature(CHANGE_L, F_CCID, scheme.ccid))
        check(peer.receive(RESPONSE) is not None, "no Response")
    held(scheme)
    check(wait_for(lambda: not references(scheme.module), 40, step=1),
          "it is still held after 40 s")
    unload(scheme.module)


@test("a list of CCIDs that have gone makes no listener", schemes=SCHEMES[:1])
def gone(scheme):
    net = Network()
    load(scheme.module)
    s = net.open("server", options=ask(scheme))
    s.bind((net.address("server", socket.AF_INET), 6001))
    unload(scheme.module)
    program = read("/proc/sys/kernel/modprobe")
    write("/proc/sys/kernel/modprobe", "/bin/false")     # nothing loads it again
    try:
        check_error(errno.EOPNOTSUPP, s.listen, 1)
    finally:
        write("/proc/sys/kernel/modprobe", program.strip())


@test("listeners, lists of preferences and the core's own sockets do not hold it",
      FAMILIES, SCHEMES)
def lists(scheme, family):
    net = Network()
    load(scheme.module)
    for port in 6001, 6002, 6003:
        net.listen(family, ask(scheme), port)
        net.open("client", family, ask(scheme))
        net.open("client", family, [(CCID, ccids(2, scheme.ccid, 3))])
    check_equal(references(scheme.module), 0, "references")
    unload(scheme.module)


@test("a listener finds it again after it was removed and loaded", FAMILIES, SCHEMES)
def comes_back(scheme, family):
    net = Network()
    listener = net.listen(family, ask(scheme))
    for _ in range(2):
        unload(scheme.module)
        c = net.connect(family, ask(scheme))        # loads it
        s = accept(listener)
        check_equal(get_ccids(s), (scheme.ccid, scheme.ccid), "the server's (tx, rx)")
        c.close()
        s.close()


@test("the default of the sysctl holds it, as long as it is that", None, SCHEMES)
def default(scheme):
    for name in "tx_ccid", "rx_ccid":
        load(scheme.module)
        sysctl("default." + name, scheme.ccid)
        held(scheme)
        sysctl("default." + name, 3)
        unload(scheme.module)


@test("sockets made while it was the default outlive it", None, SCHEMES)
def default_is_gone(scheme):
    net = Network()
    for name in "tx_ccid", "rx_ccid":
        sysctl("default." + name, scheme.ccid)
    listener = net.listen()
    c = net.open("client")
    for name in "tx_ccid", "rx_ccid":
        sysctl("default." + name, 2)
    unload(scheme.module)
    c.connect(listener.getsockname())
    s = accept(listener)
    check_equal(get_ccids(c), (2, 2), "the client's (tx, rx)")
    c.send(b"x")
    check_equal(s.recv(100), b"x", "data received")


@test("it comes and goes while connections come and go", None, SCHEMES)
def churn(scheme):
    net = Network()
    net.shape("client", "netem delay 5ms limit 1000")
    for _ in range(15):
        load(scheme.module)
        c, s = net.pair(client=ask(scheme), server=ask(scheme))
        reader = drain(s)
        for _ in range(5):
            c.send(b"x" * 500)
        remove(scheme.module)
        c.close()
        s.close()
        run("kill", str(reader), may_fail=True)
        wait_for(lambda: remove(scheme.module), 1)
    unload(scheme.module)


if __name__ == "__main__":
    main()
