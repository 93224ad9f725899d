#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Kernels: 6.12 6.1
"""A Linux router that translates addresses and ports between client and server."""
import contextlib
import errno
import os
import re
import time
from socket import AF_INET, AF_INET6

from lib import (BUILT_IN, CCID, ENCAP_PORT, GET_CUR_MPS, SCHEMES, SOL_DCCP, TOP, Network, Skip,
                 accept, ccids, check, check_equal, check_error, folder, inside, ip, listens, main,
                 need, note, read, run, start, sysctl, test, wait_for, write)
from schemes import SCHEMES as EVERY_SCHEME

CHECKSUM = "/proc/sys/net/netfilter/nf_conntrack_checksum"
KNOWS_DCCP = "/proc/sys/net/netfilter/nf_conntrack_dccp_loose"
SEND_CSCOV, RECV_CSCOV = 10, 11
UDP = 6511                      # RFC 6773, 7.1
OVER_UDP = [(ENCAP_PORT, UDP)]
PAGE = os.path.join(TOP, "Documentation/howto/nat.rst")
# The page shows it.
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


def dccp_router(verify):
    """It translates plain DCCP."""
    net = router(verify)
    with inside("router"):
        if not os.path.exists(KNOWS_DCCP):
            raise Skip("the NAT of this kernel does not know DCCP")
    return net


def behind(net, ccid, options=(), of_server=()):
    """A connection from the client, which the server sees as one from the router."""
    ask = [(CCID, ccids(ccid))]
    listener = net.listen(options=[*ask, *of_server])
    c = net.connect(options=[*ask, *options])
    s = accept(listener)
    listener.close()
    check_equal(s.getpeername()[0], "10.9.2.254", "address that the server sees")
    return c, s


PAGES = ("README.md", "Documentation/howto/install.rst", "Documentation/howto/nat.rst",
         "Documentation/dccp-ccids.7")


def written(pattern):
    """A command as README, the pages and the manual have it, which must agree."""
    found = []
    for page in PAGES:
        path = os.path.join(TOP, page)
        need(path)
        with open(path, encoding="utf-8") as file:
            found += re.findall(pattern, file.read())
    check(len(found) >= 2, f"{pattern} is in {len(found)} places")
    found = {"\n".join(line.strip() for line in text.split("\n")) for text in found}
    check_equal(len(found), 1, f"versions of {pattern}: {found}")
    return found.pop()


@test("a firewall with the rules of the manual lets DCCP in from the peers that it names only")
def firewall():
    need("nft")
    net = Network()
    run("ip", "netns", "exec", "server", "nft", "-f", "-",
        text=written(r"table inet dccp_peers \{(?:.*\n)+?\s*\}\s*\}"))
    sysctl("default.request_retries", 1)
    ip("address add 192.0.2.1/32 dev eth0\naddress add 2001:db8::1/128 dev eth0 nodad", "client")
    ip("route add 192.0.2.1 via 10.9.1.1\nroute add 2001:db8::1 via fd09:1::1", "router")
    for family, peer in (AF_INET, "192.0.2.1"), (AF_INET6, "2001:db8::1"):
        net.listen(family)
        # Not the address that was added last, which the kernel would prefer.
        c = net.open("client", family)
        c.bind(("10.9.1.1" if family == AF_INET else "fd09:1::1", 0))
        check_error(errno.ETIMEDOUT, c.connect, (net.address("server", family), 5001))
        c = net.open("client", family)
        c.bind((peer, 0))
        c.connect((net.address("server", family), 5001))


@test("the sysctl for routers, as README, the page and the manual have it")
def for_routers():
    router(verify=True)
    run("ip", "netns", "exec", "router",
        *written(r"sysctl net\.netfilter\.nf_conntrack_checksum=\d").split())
    with inside("router"):
        check_equal(read(CHECKSUM), "0", "it verifies checksums")


@test("data of every size goes through if the router verifies no checksums", None, SCHEMES)
def translated(scheme):
    c, s = behind(dccp_router(verify=False), scheme.ccid)
    talk(c, s)


def talk(c, s):
    for end, other in (c, s), (s, c):
        other.settimeout(5)
        for size in 0, 1, 100, 400, 1000:
            end.send(bytes(size))
            check_equal(len(other.recv(2000)), size, "data received")


@test("if it verifies them, packets of more than 255 bytes are lost, and shorter ones are not")
def verified():
    """A fault of the router's kernel, which the first patch in netfilter/ corrects.

    The long packets leave the router with the client's address, to which servers outside have
    no route. (If this one had a route, its Reset would end the connection.)
    """
    c, s = behind(dccp_router(verify=True), 2)
    ip("route add blackhole 10.9.1.0/24", "server")
    s.settimeout(5)
    arrived = []
    for size in 100, 400, 101:
        c.send(bytes(size))
        with contextlib.suppress(TimeoutError):
            arrived.append(len(s.recv(2000)))
    check_equal(arrived, [100, 101], "sizes of the data that arrived, of 100, 400 and 101")


@test("if it verifies them, data that the checksum covers in part is lost")
def partial():
    """Another fault of the router's kernel, which the second patch corrects."""
    c, s = behind(dccp_router(verify=True), 2, [(SEND_CSCOV, 1)], [(RECV_CSCOV, 1)])
    check_equal(c.getsockopt(SOL_DCCP, SEND_CSCOV), 1, "coverage that was agreed")
    ip("route add blackhole 10.9.1.0/24", "server")
    s.settimeout(5)
    c.send(bytes(100))
    with contextlib.suppress(TimeoutError):
        check(not s.recv(2000), "data arrived")
    with inside("router"):
        write(CHECKSUM, 0)
    c.send(bytes(101))
    check_equal(len(s.recv(2000)), 101, "data that arrived when it verified no checksum")


@test("a router that does not know DCCP: connect() fails, the checksums that arrive are wrong")
def not_translated():
    """The NAT of kernels without DCCP changes the address, but not the checksum with it."""
    sysctl("default.request_retries", 1)
    net = router(verify=True)
    with inside("router"):
        if os.path.exists(KNOWS_DCCP):
            raise Skip("the NAT of this kernel knows DCCP")
    before = wrong_checksums()
    net.listen()
    check_error(errno.ETIMEDOUT, net.connect)
    # Two Requests, and the Reset of a client that gives up (RFC 4340, 8.1.1)
    wait_for(lambda: wrong_checksums() - before >= 3, 60)
    check_equal(wrong_checksums() - before, 3, "packets with a wrong checksum")


def wrong_checksums():
    with inside("server"):
        text = read("/proc/thread-self/net/dccp_stat")
    return int(dict(map(str.split, text.splitlines()))["DccpInCsumErrors"])


def on_page(word):
    """The commands of nat.rst, of the one block that has this word."""
    need(PAGE)
    blocks = re.findall(r"::\n\n((?: .*\n|\n)+)", read(PAGE))
    found = [block for block in blocks if word in block]
    check_equal(len(found), 1, f"blocks of {PAGE} with '{word}'")
    return found[0]


@test("plain DCCP in WireGuard, by the commands of nat.rst")
def wireguard():
    need("wg")
    net = router(verify=True)
    work = folder()
    keys = {}
    if run("ip", "-n", "router", "link", "add", "wg0", "type", "wireguard",
           may_fail=True).returncode:
        raise Skip("this kernel has no WireGuard")
    for end in "client", "server":
        private = run("wg", "genkey").stdout
        write(f"{work}/{end}.key", private)
        keys[f"{end.upper()}_PUBLIC_KEY"] = run("wg", "pubkey", text=private).stdout.strip()
    for end, word in ("server", "listen-port"), ("client", "persistent-keepalive"):
        commands = on_page(word).replace("dccperf", ": dccperf")    # talk() does that here
        for name, value in (*keys.items(), ("SERVER:", "10.9.2.1:")):
            commands = commands.replace(name, value)
        run("ip", "netns", "exec", end, "sh", "-e", "-c", f"cd {work}\n{commands}")
    listener = net.open("server")
    listener.bind(("10.9.8.2", 5001))
    listener.listen(1)
    c = net.open("client")
    c.connect(("10.9.8.2", 5001))
    s = accept(listener)
    check_equal(s.getpeername()[0], "10.9.8.1", "address that the server sees")
    note(f"maximum packet size {c.getsockopt(SOL_DCCP, GET_CUR_MPS)}")
    talk(c, s)


def udp_router():
    """It verifies checksums, as it does by default."""
    net = router(verify=True)
    for end in "client", "server":
        with inside(end):
            write("/proc/sys/net/dccp/udp_port", UDP)
    return net


@test("over UDP: data of every size, every CCID")
def over_udp():
    net = udp_router()
    for ccid in BUILT_IN + [s.ccid for s in EVERY_SCHEME]:
        c, s = behind(net, ccid, OVER_UDP)
        talk(c, s)
        c.close()
        s.close()


@test("over UDP: dccperf, both directions")
def dccperf():
    program = os.path.join(TOP, "build/tools/dccperf")
    need(program)
    udp_router()
    for direction in [], ["-R"]:
        server = start("server", program, "-s", "-1", "--udp", "-C", "ccid3")
        check(wait_for(lambda: listens("tcp", 5201) and listens("dccp", 5201), 600), "no server")
        done = run("ip", "netns", "exec", "client", program, "-c", "10.9.2.1", "--udp", "-C",
                   "ccid3", "-t", "3", "-b", "400K", "--connect-timeout", "600", *direction,
                   may_fail=True)
        check(done.returncode == 0, done.stdout + done.stderr)
        check_equal(server.wait(), 0, "status of the server")


@test("over UDP: two clients behind one address with equal ports")
def equal_ports():
    net = udp_router()
    ip("address add 10.9.3.1/32 dev lo", "client")
    listener = net.listen()

    def connect(address, port):
        c = net.open("client", options=OVER_UDP)
        c.bind((address, port))
        c.connect(("10.9.2.1", 5001))
        return c

    first = connect("10.9.1.1", 6001)
    s = accept(listener)
    check_error(errno.EADDRINUSE, connect, "10.9.3.1", 6001)
    second = connect("10.9.3.1", 6002)
    t = accept(listener)
    check_equal({x.getpeername()[0] for x in (s, t)}, {"10.9.2.254"}, "addresses of the clients")
    check(s.getsockopt(SOL_DCCP, ENCAP_PORT) != t.getsockopt(SOL_DCCP, ENCAP_PORT),
          "both have the same UDP port")
    talk(second, t)
    talk(first, s)


def forget_after(seconds):
    """The router's time for UDP that nobody uses."""
    with inside("router"):
        for name in "udp_timeout", "udp_timeout_stream":
            write(f"/proc/sys/net/netfilter/nf_conntrack_{name}", seconds)


@test("over UDP: the router forgets after 20 s, a silent connection survives")
def forgets():
    net = udp_router()
    forget_after(20)
    c, s = behind(net, 2, OVER_UDP)
    time.sleep(70)
    s.send(b"still there?")
    c.settimeout(5)
    check_equal(c.recv(100), b"still there?", "data received")


@test("over UDP: the router gives the client another port, the connection follows")
def another_port():
    net = udp_router()
    forget_after(2)
    c, s = behind(net, 2, OVER_UDP)
    talk(c, s)
    run("ip", "netns", "exec", "router", "nft", "-f", "-", text="flush ruleset\n" +
        MASQUERADE.replace("masquerade", "meta l4proto udp masquerade to :30000-40000"))
    time.sleep(5)       # after nft: to start it takes time, and a packet may come meanwhile
    c.send(b"from a new port")
    s.settimeout(5)
    check_equal(s.recv(100), b"from a new port", "data received")
    check(30000 <= s.getsockopt(SOL_DCCP, ENCAP_PORT) <= 40000, "the port is the old one")
    talk(c, s)


if __name__ == "__main__":
    main()
