#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Kernels: 6.12 6.1
"""A Linux router that translates addresses and ports between client and server."""
import contextlib
import os

from lib import (CCID, SCHEMES, Network, Skip, accept, ccids, check, check_equal, inside, main,
                 need, note, run, test, write)

CHECKSUM = "/proc/sys/net/netfilter/nf_conntrack_checksum"
MASQUERADE = """
table ip nat {
	chain postrouting {
		type nat hook postrouting priority 100;
		oifname "to-server" masquerade
	}
}
"""


def router(verify):
    need("nft")
    net = Network()
    run("ip", "netns", "exec", "router", "nft", "-f", "-", text=MASQUERADE)
    with inside("router"):
        if not os.path.exists(CHECKSUM):
            raise Skip("it tracks no connections")
        write(CHECKSUM, int(verify))
    return net


def behind(net, ccid):
    """A connection from the client, which the server sees as one from the router."""
    ask = [(CCID, ccids(ccid))]
    listener = net.listen(options=ask)
    c = net.connect(options=ask)
    s = accept(listener)
    check_equal(s.getpeername()[0], "10.9.2.254", "address that the server sees")
    return c, s


@test("data of every size goes through if the router verifies no checksums", None, SCHEMES)
def translated(scheme):
    c, s = behind(router(verify=False), scheme.ccid)
    for end, other in (c, s), (s, c):
        other.settimeout(5)
        for size in 0, 1, 100, 400, 1000:
            end.send(bytes(size))
            check_equal(len(other.recv(2000)), size, "data received")


@test("short packets go through in any case")
def verified():
    """Whether long packets pass depends on the kernel (nf_ip_checksum_partial())."""
    c, s = behind(router(verify=True), 2)
    s.settimeout(2)
    arrived = []
    for size in 100, 400:
        c.send(bytes(size))
        with contextlib.suppress(TimeoutError):
            arrived.append(len(s.recv(2000)))
    note(f"of packets with 100 and 400 bytes of data these arrived: {arrived}")
    check(100 in arrived, "not even a short one")


if __name__ == "__main__":
    main()
