#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Kernels: uml 6.12 6.1 7.3
"""The first minute in a kernel: does DCCP work there, and does TCP still?

In a kernel without DCCP the modules bring the tables and hash functions that TCP has, too. So TCP
connections are opened before DCCP is loaded. They must live on.
"""
import errno
import socket

from lib import (BUILT_IN, CCID, IPPROTO_DCCP, SOCK_DCCP, Network, accept, ccids, check,
                 check_equal, check_error, get_ccids, inside, load, main, run, test, unload)
from schemes import SCHEMES

FAMILIES = [socket.AF_INET, socket.AF_INET6]
LOOPBACK = {socket.AF_INET: "127.0.0.1", socket.AF_INET6: "::1"}
LISTENERS, TCP = [], []


def listen_tcp():
    """A listener of each family on this machine."""
    LISTENERS.extend(socket.create_server((LOOPBACK[family], 0), family=family)
                     for family in FAMILIES)


def connect_tcp(number):
    """TCP connections of this machine with itself."""
    for listener in LISTENERS:
        for _ in range(number):
            client = socket.create_connection(listener.getsockname()[:2])
            server, _ = listener.accept()
            TCP.append((client, server))


def alive():
    """Each TCP connection carries data both ways, and its listener takes another."""
    connect_tcp(1)
    for ends in TCP:
        for source, target in ends, ends[::-1]:
            target.settimeout(30)
            source.sendall(b"alive")
            check_equal(target.recv(100), b"alive", "data of TCP")


def talk(net, family, ccid):
    """A connection with this CCID in both directions, and data both ways."""
    offer = [(CCID, ccids(ccid))]
    c, s = net.pair(family, offer, offer)
    for end, other in (c, s), (s, c):
        other.settimeout(60)
        check_equal(get_ccids(end), (ccid, ccid), "CCIDs")
        for size in 0, 1, 1000:
            end.send(bytes(size))
            check_equal(len(other.recv(2000)), size, "length of a packet")
    c.close()
    check_equal(s.recv(100), b"", "end of the connection")
    s.close()


@test("TCP connections survive that DCCP is loaded")
def before():
    alive()


@test("each CCID is negotiated and carries data, and TCP connections survive", FAMILIES)
def negotiated(family):
    net = Network()
    for ccid in (*BUILT_IN, *(scheme.ccid for scheme in SCHEMES)):
        talk(net, family, ccid)
        alive()


@test("DCCP finds its own sockets, and TCP only its own", FAMILIES)
def tables(family):
    net = Network()
    address = net.address("server", family), 5001
    listener = net.listen(family)
    with inside("server"):
        tcp = socket.create_server(address, family=family)  # the same port, which is another one
        second = socket.socket(family, SOCK_DCCP, IPPROTO_DCCP)
    with tcp, second:
        c = net.connect(family)
        s = accept(listener)
        check_error(errno.EADDRINUSE, second.bind, address)
    found = run("ip", "netns", "exec", "server", "ss", "-dnaH").stdout
    check("LISTEN" in found and "ESTAB" in found, f"ss shows '{found}'")
    c.close()
    s.close()
    listener.close()


@test("TCP connections survive that modules are unloaded, and used again")
def again():
    load("dccp_diag")
    unload("dccp_diag", 300)
    for scheme in SCHEMES:
        unload(scheme.module, 300)
    alive()
    net = Network()
    for scheme in SCHEMES:
        load(scheme.module)
        talk(net, socket.AF_INET, scheme.ccid)
    alive()


if __name__ == "__main__":
    listen_tcp()
    connect_tcp(20)
    main()
