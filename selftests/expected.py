#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Kernels: uml
# Timeout: 900
"""What users of TCP and UDP expect of a socket (Documentation/reference/expected.rst)."""
import contextlib
import errno
import re
import select
import socket
import struct
import subprocess
import threading
import time

from lib import (BUILT_IN, CCID, ENCAP_PORT, FAMILIES, GET_CUR_MPS, QPOLICY_TXQLEN, RX_CCID,
                 SCHEMES, SOL_DCCP, TX_CCID, Network, Skip, accept, ccids, check, check_equal,
                 check_error, drain, inside, ip, load, loaded, main, need, note, read, run, sysctl,
                 test, tx_info, unload, wait_for, write)
from rawpeer import ABORTED, ACK, DATA, DATAACK, REQUEST, RESET, SYNC, SYNCACK, Peer

SO_NO_CHECK, SO_RCVLOWAT = 11, 18
SO_BUSY_POLL, SO_PREFER_BUSY_POLL, SO_BUSY_POLL_BUDGET = 46, 69, 70
IP_MINTTL, IPV6_MINHOPCOUNT = 21, 73
SO_TIMESTAMP, SO_TIMESTAMPNS, SO_TIMESTAMPING, SO_RXQ_OVFL, SO_MAX_PACING_RATE = 29, 35, 37, 40, 47
SO_MEMINFO, SO_TXTIME, SO_EE_ORIGIN_TIMESTAMPING, IP_RECVERR, IPV6_RECVERR = 55, 61, 4, 11, 25
IP_TOS, IP_TTL, IP_OPTIONS, IP_PKTINFO, IP_RECVTTL, IP_RECVTOS = 1, 2, 4, 8, 12, 13
IPV6_UNICAST_HOPS, IPV6_RECVPKTINFO, IPV6_PKTINFO = 16, 49, 50
IPV6_RECVHOPLIMIT, IPV6_HOPLIMIT, IPV6_RECVTCLASS, IPV6_TCLASS = 51, 52, 66, 67
UDP_SEGMENT = 103
UDP = 6511                      # the registered port of DCCP over UDP (RFC 6773, 7.1)


def ss(end, *arguments):
    return run("ip", "netns", "exec", end, "ss", "--dccp", "-nH", *arguments).stdout


def opened(c, s):
    """Until the server's first packet the client is in PARTOPEN, a state that ss does not list."""
    s.send(b"hello")
    check_equal(receive(c)[0], b"hello", "data")
    return c, s


def receive(s, flags=0):
    check(select.select([s], [], [], 5)[0], "no data came")
    data, messages, _, _ = s.recvmsg(2000, 500, flags)
    return data, {(level, option): content for level, option, content in messages}


def number(content):
    """An int, or the one byte that IPv4 has for TOS."""
    return int.from_bytes(content, "little")


# ---------------------------------------------------------------- ss

@test("ss -i names the CCID", FAMILIES, SCHEMES)
def names(scheme, family):
    net = Network()
    load(scheme.module)
    ask = [(CCID, ccids(scheme.ccid))]
    sockets = opened(*net.pair(family, ask, ask))
    for end in "client", "server":
        words = ss(end, "-i").split()
        check(scheme.name in words, f"'{scheme.name}' is not in: {' '.join(words)}")
    check_equal(len(sockets), 2, "ends")


@test("ss -i names both CCIDs if they differ, that for sending first")
def two_names():
    net = Network()
    load(SCHEMES[0].module)
    name = SCHEMES[0].name
    sockets = opened(*net.pair(
        client=[(TX_CCID, ccids(SCHEMES[0].ccid)), (RX_CCID, ccids(3))],
        server=[(RX_CCID, ccids(SCHEMES[0].ccid)), (TX_CCID, ccids(3))]))
    for end, text in ("client", f"{name}/TFRC"), ("server", f"TFRC/{name}"):
        words = ss(end, "-i").split()
        check(text in words, f"'{text}' is not in: {' '.join(words)}")
    check_equal(len(sockets), 2, "ends")


@test("ss -i lists a listening socket without a CCID", FAMILIES)
def listening(family):
    listener = Network().listen(family)
    check("LISTEN" in ss("server", "-il"), "it is not listed")
    listener.close()


@test("ss looks at a socket that is being closed", FAMILIES)
def look_at_closing(family):
    c, s = opened(*Network().pair(family))
    # The lab's mutation test makes close() and ss so slow that they meet.
    look = subprocess.Popen(("ip", "netns", "exec", "client", "ss", "--dccp", "-nia"),
                            stdout=subprocess.PIPE)
    c.close()
    check_equal((look.wait(), s.recv(1)), (0, b""), "ss, and the end of data")
    look.communicate()


@test("ss -K ends a connection, and both ends hear of it", FAMILIES)
def kill_connection(family):
    c, s = opened(*Network().pair(family))
    check("ESTAB" in ss("client", "-K"), "nothing was killed")
    check_error(errno.ECONNABORTED, c.recv, 1)
    check_error(errno.EPIPE, c.send, b"data")
    check(select.select([s], [], [], 5)[0], "the peer does not hear of it")
    check_equal(s.recv(1), b"", "the peer's end of data")
    check_equal(s.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR), errno.ECONNRESET,
                "the peer's error")
    check_equal(ss("client", "-a"), "", "sockets of the client")


@test("ss -K ends connect()", FAMILIES)
def kill_connect(family):
    net = Network()
    net.shape("server", "netem loss 100%")
    c = net.open("client", family)
    c.setblocking(False)
    check_equal(c.connect_ex((net.address("server", family), 5001)), errno.EINPROGRESS, "connect")
    check("SYN-SENT" in ss("client", "-a", "-K"), "nothing was killed")
    check_equal(c.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR), errno.ECONNABORTED, "SO_ERROR")


@test("ss -K ends a listening socket, which can listen again", FAMILIES)
def kill_listener(family):
    net = Network()
    listener = net.listen(family)
    c = net.connect(family)
    check("LISTEN" in ss("server", "-l", "-K"), "nothing was killed")
    check_equal(listener.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR), errno.ECONNABORTED,
                "SO_ERROR")
    check_error(errno.EINVAL, listener.accept)
    check(select.select([c], [], [], 5)[0], "who waits for accept() does not hear of it")
    c.close()
    listener.listen()
    c = net.connect(family)
    s = accept(listener)
    c.send(b"data")
    check(select.select([s], [], [], 5)[0], "no data came")
    check_equal(s.recv(10), b"data", "data")


@test("ss -K ends a connection that waits for accept()", FAMILIES)
def kill_waiting(family):
    for accepted in True, False:
        net = Network()
        listener = net.listen(family)
        c = net.connect(family)
        c.send(b"data")     # what opens the connection at the server
        check(select.select([listener], [], [], 5)[0], "nothing waits")
        check("ESTAB" in ss("server", "-K"), "nothing was killed")
        check(select.select([c], [], [], 5)[0], "the peer does not hear of it")
        check_equal(c.recv(1), b"", "the peer's end of data")
        if accepted:
            s = accept(listener)
            check_equal(s.recv(10), b"data", "data")
            check_error(errno.ECONNABORTED, s.recv, 1)
            s.close()
        listener.close()
        check_equal(ss("server", "-a"), "", "sockets of the server")


@test("ss -K ends TIME-WAIT", FAMILIES)
def kill_time_wait(family):
    net = Network()
    c, s = net.pair(family)
    c.close()
    check(select.select([s], [], [], 5)[0], "no end came")
    check_equal(s.recv(10), b"", "end")
    check(wait_for(lambda: "TIME-WAIT" in ss("client", "-a"), 5), "no TIME-WAIT")
    ss("client", "-a", "-K")
    check_equal(ss("client", "-a"), "", "sockets of the client")


@test("ss tells the mark of a connection, also in TIME-WAIT", FAMILIES)
def marked(family):
    net = Network()
    for mark in 0x12345678, 0:
        c, s = net.pair(family)
        c.setsockopt(socket.SOL_SOCKET, socket.SO_MARK, mark)
        c.close()
        check_equal(s.recv(10), b"", "end")
        check(wait_for(lambda: "TIME-WAIT" in ss("client", "-a"), 5), "no TIME-WAIT")
        check_equal(re.findall("fwmark:(0x[0-9a-f]+)", ss("client", "-a", "-e")),
                    [f"{mark:#x}"] * bool(mark), "mark")
        ss("client", "-a", "-K")
        s.close()


@test("the mark of a socket chooses the routes of its handshake", FAMILIES)
def routed_by_mark(family):
    net = Network()
    version = "-4" if family == socket.AF_INET else "-6"
    for end, number in ("client", 1), ("server", 2):
        gate = f"10.9.{number}.254" if family == socket.AF_INET else f"fd09:{number}::fe"
        for command in ("route delete default", f"route add default via {gate} table 100",
                        "rule add fwmark 7 table 100"):
            done = run("ip", "-n", end, version, *command.split(), may_fail=True)
            if "not supported" in done.stderr:
                raise Skip("this kernel has one table of routes")
            check_equal(done.stderr, "", command)
    listener = net.listen(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_MARK, 7)
    c = net.open("client", family)
    check_error(errno.ENETUNREACH, c.connect, (net.address("server", family), 5001))
    c.setsockopt(socket.SOL_SOCKET, socket.SO_MARK, 7)
    c.settimeout(5)
    c.connect((net.address("server", family), 5001))
    c.send(b"data")
    check_equal(accept(listener).recv(10), b"data", "data")


@test("the longest packet opens a connection, also where the path takes 150 bytes")
def narrow():
    net = Network()
    load("ccid_marc")
    ip("link set eth0 mtu 150", "client")
    listener = net.listen(options=[(CCID, ccids(248))])
    c = net.connect(options=[(CCID, ccids(248))])
    size = c.getsockopt(SOL_DCCP, GET_CUR_MPS)
    note(f"{size} bytes")
    c.send(bytes(size))
    s = accept(listener)
    s.settimeout(5)
    check_equal(len(s.recv(1500)), size, "bytes")


@test("ss -K takes a privilege")
def kill_unprivileged():
    need("setpriv")
    c, s = opened(*Network().pair())
    done = run("ip", "netns", "exec", "client", "setpriv", "--reuid", "65534", "--regid", "65534",
               "--clear-groups", "ss", "--dccp", "-nHK", may_fail=True)
    note(done.stderr.strip())
    c.send(b"data")
    check(select.select([s], [], [], 5)[0], "no data came")
    check_equal(s.recv(10), b"data", "data")


# ---------------------------------------------------------------- sysctls

@test("the sysctls of CCIDs take names", None, SCHEMES)
def sysctl_names(scheme):
    for name in "default.tx_ccid", "default.rx_ccid":
        unload(scheme.module)
        sysctl(name, scheme.name)
        check(loaded(scheme.module), "it was not loaded")
        check_equal(int(sysctl(name)), scheme.ccid, "value read")
        for value, number in ("TFRC", 3), (f"  {scheme.name} ", scheme.ccid), ("TCP-like", 2):
            sysctl(name, value)
            check_equal(int(sysctl(name)), number, f"value read after '{value}'")


@test("the sysctls of CCIDs refuse what is neither name nor number")
def sysctl_refuse():
    for name in "default.tx_ccid", "default.rx_ccid":
        before = sysctl(name)
        for value in "mark", "MARC", "x" * 100, "marc/raar":
            check_error(errno.EOPNOTSUPP, sysctl, name, value)
        for value in " ", "256", "-1", "2 3", "2x", ":", "4294967298":
            check_error(errno.EINVAL, sysctl, name, value)
        check_equal(sysctl(name), before, name)


# ---------------------------------------------------------------- counters

def counters(end):
    with inside(end):
        text = read("/proc/thread-self/net/dccp_stat")
    return {name: int(value) for name, value in map(str.split, text.splitlines())}


def counted(end, before):
    """The counters that have changed, except that of packets that were sent."""
    now = counters(end)
    return {name: now[name] - before[name] for name in now
            if now[name] != before[name] and name != "DccpOutPkts"}


def check_counted(end, before, expected, what):
    """Another processor may still be at it, so wait for what is expected."""
    wait_for(lambda: counted(end, before) == expected, 5)
    check_equal(counted(end, before), expected, what)


@test("counters of connections, for each network namespace", FAMILIES)
def count_connections(family):
    net = Network()
    before = {end: counters(end) for end in ("client", "router", "server")}
    check_equal(set(before["client"].values()), {0}, "counters of a new namespace")
    c, s = opened(*net.pair(family))
    check_counted("client", before["client"],
                {"DccpActiveOpens": 1, "DccpCurrEstab": 1}, "client, open")
    check_counted("server", before["server"],
                {"DccpPassiveOpens": 1, "DccpCurrEstab": 1}, "server, open")
    c.close()
    check(select.select([s], [], [], 5)[0], "no end came")
    check_equal(s.recv(10), b"", "end of data")
    s.close()
    check(wait_for(lambda: "TIME-WAIT" in ss("client", "-a"), 5), "no TIME-WAIT")
    check_counted("client", before["client"],
                {"DccpActiveOpens": 1, "DccpInResets": 1}, "client, closed")
    check_counted("server", before["server"], {"DccpPassiveOpens": 1}, "server, closed")

    # Time 0: the client resets the connection.
    before = {end: counters(end) for end in ("client", "router", "server")}
    c, s = opened(*net.pair(family))
    c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    c.close()
    check(select.select([s], [], [], 5)[0], "no Reset came")
    check_counted("client", before["client"],
                {"DccpActiveOpens": 1, "DccpEstabResets": 1}, "client, reset")
    check_counted("server", before["server"],
                {"DccpPassiveOpens": 1, "DccpEstabResets": 1, "DccpInResets": 1}, "server, reset")
    check_equal(counters("router"), before["router"], "router")


@test("counters of a connection that is refused", FAMILIES)
def count_refused(family):
    net = Network()
    before = {end: counters(end) for end in ("client", "server")}
    check_error(errno.ECONNREFUSED, net.connect, family)
    check_counted("client", before["client"],
                {"DccpActiveOpens": 1, "DccpAttemptFails": 1, "DccpInResets": 1}, "client")
    check_counted("server", before["server"],
                {"DccpInNoSocket": 1, "DccpOutNoSocketResets": 1}, "server")
    for end in "client", "server":
        # a Request, a Reset
        check_equal(counters(end)["DccpOutPkts"] - before[end]["DccpOutPkts"], 1, f"packets, {end}")


@test("counters of packets that are dropped, by the cause", FAMILIES)
def count_drops(family):
    net = Network()
    listener = net.listen(family)
    peer = Peer(net, family)

    def send(what, kind, causes, **values):
        before = counters("server")
        peer.send(kind, **values)
        check_counted("server", before, dict.fromkeys(causes, 1), what)

    send("wrong checksum", ACK, ["DccpInCsumErrors"], ack=0, checksum=0)
    send("wrong Data Offset", ACK, ["DccpInHdrErrors"], ack=0, offset=1)
    send("another service", REQUEST, ["DccpAttemptFails", "DccpOutNoSocketResets"], service=b"none")
    check(peer.receive(RESET), "no Reset came")
    peer.connect()
    s = accept(listener)
    send("far number", DATA, ["DccpInOutOfWindow"], seq=peer.seq + (1 << 40))
    send("far Sync", SYNC, ["DccpInOutOfWindow"], seq=peer.seq + 1, ack=1)
    send("a Request", REQUEST, ["DccpInBadType"], seq=peer.seq + 1)
    s.close()


# ---------------------------------------------------------------- rate

def fq():
    run("tc", "-n", "client", "qdisc", "replace", "dev", "eth0", "root", "fq")


def sent_in(c, seconds):
    """Bytes/s that were sent by a program that sends as fast as it can."""
    def sent():
        info = tx_info(c)
        return time.monotonic(), info.packets_sent, info.x

    start, before, _ = sent()
    now = start
    while now < start + seconds:
        c.send(bytes(200))
        now, after, x = sent()
        yield x
    yield (after - before) * 200 / (now - start)


@test("SO_MAX_PACING_RATE limits the rate", None, SCHEMES)
def max_pacing_rate(scheme):
    net = Network()
    load(scheme.module)
    net.shape("server", "netem delay 20ms limit 1000")
    fq()
    ask = [(CCID, ccids(scheme.ccid))]
    c, s = net.pair(socket.AF_INET, ask, ask)
    drain(s)
    most = 0
    for limit in 4000, 8000:
        c.setsockopt(socket.SOL_SOCKET, SO_MAX_PACING_RATE, limit)
        # a new limit applies from the next report on, and some schemes take small steps
        list(sent_in(c, 10))
        *values, rate = sent_in(c, 10)
        note(f"{rate:.0f} bytes/s at a limit of {limit}")
        # In 10 s: a packet at an end, one for the 10 ms that the pacer makes up for, and the
        # two that CTFAF sends ahead of their time in a train of probes
        check(rate <= limit + 4 * 200 / 10, f"{rate} bytes/s at a limit of {limit}")
        check(rate > limit / 2, f"only {rate} bytes/s at a limit of {limit}")
        check(max(values) <= limit, f"X is {max(values)} at a limit of {limit}")
        # fq, which counts headers, would queue more and more packets at 20 % above its rate
        check(tx_info(c).rtt_ns < 40e6, f"R is {tx_info(c).rtt_ns} ns at a limit of {limit}")
        check(rate > most, "a higher limit has no effect")
        most = rate


@test("fq limits CCID 2 to SO_MAX_PACING_RATE")
def max_pacing_rate_fq():
    net = Network()
    fq()
    c, s = net.pair()
    c.setsockopt(socket.SOL_SOCKET, SO_MAX_PACING_RATE, 8000)
    start, got = time.monotonic(), 0
    while time.monotonic() < start + 15:
        with contextlib.suppress(BlockingIOError):
            c.send(bytes(200), socket.MSG_DONTWAIT)
        if select.select([s], [], [], 0.005)[0]:
            got += len(s.recv(200)) * (time.monotonic() >= start + 5)
    note(f"{got} bytes in 10 s")
    # one packet at an end, and one for the timer's delay
    check(0 < got <= 8000 * 10 + 2 * 200, "not the rate of the option")


@test("who waits for room in the transmit queue goes on when it becomes longer")
def longer_queue():
    net = Network()
    load("ccid_marc")
    listener = net.listen(options=[(CCID, ccids(248))])
    c = net.open("client", options=[(CCID, ccids(248)), (QPOLICY_TXQLEN, 5)])
    c.setsockopt(socket.SOL_SOCKET, SO_MAX_PACING_RATE, 1000)
    c.connect((net.address("server", socket.AF_INET), 5001))
    accept(listener)
    with contextlib.suppress(BlockingIOError):
        while True:
            c.send(bytes(1000), socket.MSG_DONTWAIT)
    # One packet leaves in a second, and four before send() is woken up without the option.
    writer = threading.Thread(target=c.send, args=[bytes(1000)])
    began = time.monotonic()
    writer.start()
    time.sleep(0.1)
    check(writer.is_alive(), "send() did not wait")
    c.setsockopt(SOL_DCCP, QPOLICY_TXQLEN, 10)      # half full, so not nearly empty
    writer.join()
    check(time.monotonic() - began < 0.5, f"send() took {time.monotonic() - began:.1f} s")


# ---------------------------------------------------------------- messages

@test("recvmsg() says when a packet came, and what its IP header had", FAMILIES)
def metadata(family):
    net = Network()
    c, s = net.pair(family)
    s.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
    if family == socket.AF_INET:
        level, asked = socket.IPPROTO_IP, (IP_PKTINFO, IP_RECVTTL, IP_RECVTOS)
        here, hops, tos = IP_PKTINFO, IP_TTL, IP_TOS
        c.setsockopt(level, IP_TTL, 33)
    else:
        level, asked = socket.IPPROTO_IPV6, (IPV6_RECVPKTINFO, IPV6_RECVHOPLIMIT, IPV6_RECVTCLASS)
        here, hops, tos = IPV6_PKTINFO, IPV6_HOPLIMIT, IPV6_TCLASS
        c.setsockopt(level, IPV6_UNICAST_HOPS, 33)
    for option in asked:
        s.setsockopt(level, option, 1)
    c.setsockopt(level, tos, 0x88)
    time.sleep(1)   # the kernel starts to take timestamps in a work queue
    c.send(b"one")
    time.sleep(2)
    for flags in socket.MSG_PEEK, 0:
        data, got = receive(s, flags)
        check_equal(data, b"one", "data")
        check_equal(number(got[level, hops]), 32, "hops that are left")
        check_equal(number(got[level, tos]), 0x88, "TOS")
        check(socket.inet_pton(family, net.address("server", family)) in got[level, here],
              "our address")
        seconds, nanoseconds = struct.unpack("=qq", got[socket.SOL_SOCKET, SO_TIMESTAMPNS])
        age = time.time() - seconds - nanoseconds / 1e9
        check(1.9 < age < 60, f"it came {age} s ago")
    for option in asked:
        s.setsockopt(level, option, 0)
    s.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 0)
    c.send(b"two")
    check_equal(receive(s), (b"two", {}), "data and messages that nobody asked for")


@test("SO_TIMESTAMP and SO_TIMESTAMPING say when a packet came, too", FAMILIES)
def came_when(family):
    c, s = Network().pair(family)
    s.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMP, 1)
    # <linux/net_tstamp.h>: RX_SOFTWARE and SOFTWARE
    s.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPING, 1 << 3 | 1 << 4)
    time.sleep(1)   # the kernel starts to take timestamps in a work queue
    c.send(b"one")
    time.sleep(2)
    data, got = receive(s)
    check_equal(data, b"one", "data")
    for option, unit in (SO_TIMESTAMP, 1e6), (SO_TIMESTAMPING, 1e9):
        seconds, rest = struct.unpack_from("=qq", got[socket.SOL_SOCKET, option])
        age = time.time() - seconds - rest / unit
        check(1.9 < age < 60, f"by option {option} it came {age} s ago")


@test("a packet of IPv4 that an IPv6 socket receives has what the options of IPv4 ask for")
def metadata_of_both():
    net = Network()
    listener = net.open("server", socket.AF_INET6)
    listener.bind(("::", 5001))
    listener.listen()
    c = net.connect(socket.AF_INET)
    s = accept(listener)
    for option in IPV6_RECVPKTINFO, IPV6_RECVHOPLIMIT, IPV6_RECVTCLASS:
        s.setsockopt(socket.IPPROTO_IPV6, option, 1)
    c.send(b"one")
    check_equal(receive(s), (b"one", {}), "data and messages by the options of IPv6")
    s.setsockopt(socket.IPPROTO_IP, IP_RECVTTL, 1)
    c.setsockopt(socket.IPPROTO_IP, IP_TTL, 33)
    c.send(b"two")
    data, got = receive(s)
    check_equal((data, number(got[socket.IPPROTO_IP, IP_TTL])), (b"two", 32), "data, hops left")


@test("SO_RXQ_OVFL counts what found no room", FAMILIES)
def overflow(family):
    c, s = Network().pair(family)
    s.setsockopt(socket.SOL_SOCKET, SO_RXQ_OVFL, 1)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 20000)
    for _ in range(60):
        c.send(bytes(1000))
    time.sleep(5)
    drops = struct.unpack_from("=9I", s.getsockopt(socket.SOL_SOCKET, SO_MEMINFO, 36))[8]
    check(drops, "nothing was dropped")
    check_equal(counters("server")["DccpRcvbufErrors"], drops, "counter of drops")
    while select.select([s], [], [], 0)[0]:
        s.recv(2000)
    c.send(b"last")
    data, got = receive(s)
    check_equal(data, b"last", "data")
    check_equal(number(got[socket.SOL_SOCKET, SO_RXQ_OVFL]), drops, "drops")


@test("SO_TIMESTAMPING says when a packet was sent", FAMILIES)
def sent_when(family):
    c, s = Network().pair(family)
    # <linux/net_tstamp.h>: SOFTWARE; TX_SOFTWARE and TX_SCHED; OPT_ID, OPT_TSONLY
    c.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPING, 1 << 4 | 1 << 1 | 1 << 8 | 1 << 7 | 1 << 11)
    before = time.time()
    for _ in range(3):
        c.send(b"data")
        check_equal(receive(s)[0], b"data", "data")
    after = time.time()
    poll = select.poll()
    poll.register(c, select.POLLIN)
    check_equal(poll.poll(5000), [(c.fileno(), select.POLLERR)], "poll()")
    level, option = ((socket.IPPROTO_IP, IP_RECVERR) if family == socket.AF_INET else
                     (socket.IPPROTO_IPV6, IPV6_RECVERR))
    got = []
    for _ in range(6):
        data, messages, _, _ = c.recvmsg(100, 500, socket.MSG_ERRQUEUE)
        check_equal(data, b"", "data in the queue of errors")
        messages = {(at, kind): content for at, kind, content in messages}
        seconds, nanoseconds = struct.unpack_from("@ll", messages[socket.SOL_SOCKET,
                                                                  SO_TIMESTAMPING])
        check(before <= seconds + nanoseconds / 1e9 <= after, "it is not the time of sending")
        error, origin, _, _, _, info, key = struct.unpack_from("=IBBBBII", messages[level, option])
        check_equal((error, origin), (errno.ENOMSG, SO_EE_ORIGIN_TIMESTAMPING), "kind")
        got.append((key, info))
    # for each packet, numbered from 0: 1 when it is queued at the device, 0 when it leaves
    check_equal(sorted(got), [(key, info) for key in range(3) for info in (0, 1)], "timestamps")
    check_error(errno.EAGAIN, c.recvmsg, 100, 500, socket.MSG_ERRQUEUE)
    c.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPING, 0)
    c.send(b"data")
    check_error(errno.EAGAIN, c.recvmsg, 100, 500, socket.MSG_ERRQUEUE)


@test("control messages and flags without effect are refused", FAMILIES)
def refused(family):
    c, s = Network().pair(family)
    value = struct.pack("=i", 8)
    for level, option in ((socket.IPPROTO_IP, IP_TOS), (socket.IPPROTO_IP, IP_TTL),
                          (socket.IPPROTO_IPV6, IPV6_TCLASS), (socket.SOL_SOCKET, SO_TXTIME),
                          (socket.IPPROTO_UDP, UDP_SEGMENT)):
        check_error(errno.EOPNOTSUPP, c.sendmsg, [b"data"], [(level, option, value)])
    for flag in socket.MSG_OOB, socket.MSG_DONTROUTE:
        check_error(errno.EOPNOTSUPP, c.send, b"data", flag)
    check_error(errno.EOPNOTSUPP, s.recv, 10, socket.MSG_OOB)
    c.send(b"more", socket.MSG_MORE)
    check_equal(receive(s)[0], b"more", "a packet that was sent with MSG_MORE")
    c.send(b"last")
    check_equal(receive(s)[0], b"last", "the next packet that came")


@test("options of the socket without effect are refused", FAMILIES)
def options_refused(family):
    net = network()
    c, s = net.pair(family)
    socket_options = (socket.SO_BROADCAST, SO_NO_CHECK, socket.SO_OOBINLINE)
    # <linux/net_tstamp.h>: SOFTWARE, TX_SOFTWARE, TX_ACK
    times, with_ack = 1 << 4 | 1 << 1, 1 << 4 | 1 << 1 | 1 << 9
    for end in net.open("client", family), net.listen(family, port=5002), c, s:
        def option(name, value, end=end):
            end.setsockopt(socket.SOL_SOCKET, name, value)

        def value(name, end=end):
            return end.getsockopt(socket.SOL_SOCKET, name)

        for name in socket_options:
            check_error(errno.EOPNOTSUPP, option, name, 1)
            option(name, 0)
            check_equal(value(name), 0, f"option {name}")
        for name in SO_BUSY_POLL, SO_PREFER_BUSY_POLL, SO_BUSY_POLL_BUDGET:
            check_error(errno.EOPNOTSUPP, option, name, 1)
        for low in 2, 1000, -1:
            check_error(errno.EOPNOTSUPP, option, SO_RCVLOWAT, low)
        for low in 0, 1:
            option(SO_RCVLOWAT, low)
        check_equal(value(SO_RCVLOWAT), 1, "SO_RCVLOWAT")
        check_error(errno.EOPNOTSUPP, option, SO_TXTIME, struct.pack("=iI", 1, 0))
        for ack in with_ack, struct.pack("=Ii", with_ack, 0):
            check_error(errno.EOPNOTSUPP, option, SO_TIMESTAMPING, ack)
        check_equal(value(SO_TIMESTAMPING), 0, "SO_TIMESTAMPING")
        option(SO_TIMESTAMPING, times)
        check_equal(value(SO_TIMESTAMPING), times, "SO_TIMESTAMPING")
        # what is not refused is checked and set as before
        check_error(errno.EINVAL, option, socket.SO_BROADCAST, b"1")
        option(socket.SO_SNDBUF, 10000)
        check_equal(value(socket.SO_SNDBUF), 20000, "SO_SNDBUF")
        check_error(errno.ENOPROTOOPT, option, 12345, 1)


def ttl_options(family):
    """The options for the TTL of packets that are sent, and the least one of those that come."""
    if family == socket.AF_INET:
        return [(socket.IPPROTO_IP, name) for name in (IP_TTL, IP_MINTTL)]
    return [(socket.IPPROTO_IPV6, name) for name in (IPV6_UNICAST_HOPS, IPV6_MINHOPCOUNT)]


@test("a packet with a TTL less than IP_MINTTL or IPV6_MINHOPCOUNT is dropped", FAMILIES)
def min_ttl(family):
    ttl, least = ttl_options(family)
    for udp in False, True:
        net = network(udp)
        listener = net.listen(family)
        listener.setsockopt(*least, 254)    # the router takes one
        c = net.open("client", family, [(ENCAP_PORT, UDP)] if udp else [])
        c.setsockopt(*ttl, 254)
        c.setblocking(False)
        c.connect_ex((net.address("server", family), 5001))
        check(not select.select([], [c], [], 10)[1], "a Request with a TTL of 254 was taken")
        c.setsockopt(*ttl, 255)
        s = accept(listener)    # when the Request has been sent again
        for hops, data in (255, b"near"), (254, b"far"), (255, b"near again"):
            c.setsockopt(*ttl, hops)
            c.send(data)
            time.sleep(1)
        check_equal([s.recv(100) for _ in range(2)], [b"near", b"near again"], "data")


@test("so is an ICMP error about a packet with a lesser TTL", FAMILIES)
def min_ttl_error(family):
    _, least = ttl_options(family)
    net = network()
    peer, s = raw_peer(net, family, False)
    s.setsockopt(least[0], IP_RECVERR if family == socket.AF_INET else IPV6_RECVERR, 1)
    s.send(b"data")
    seq = peer.receive(DATA, DATAACK).seq
    for hops, error in (65, 0), (64, errno.ECONNREFUSED):
        s.setsockopt(*least, hops)
        peer.unreachable(seq)
        time.sleep(0.1)
        check_equal(s.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR), error, "error")


@test("IPv4 options over UDP are refused, and sent without it", FAMILIES)
def ip_options(family):
    """As a socket of IPv6 has them, too, if it connects over IPv4."""
    net = network(udp=True)
    listener = net.open("server", socket.AF_INET)
    listener.bind((net.address("server", socket.AF_INET), 5001))
    listener.listen()
    nops = bytes([1, 1, 1, 0])
    address = net.address("server", socket.AF_INET)
    address = address if family == socket.AF_INET else "::ffff:" + address

    def ask(c, options):
        c.setsockopt(socket.IPPROTO_IP, IP_OPTIONS, options)

    c = net.open("client", family, [(ENCAP_PORT, UDP)])
    ask(c, nops)
    check_error(errno.EOPNOTSUPP, c.connect, (address, 5001))
    ask(c, b"")
    c.connect((address, 5001))
    s = accept(listener)
    for end in c, s:
        check_error(errno.EOPNOTSUPP, ask, end, nops)
        ask(end, b"")
    opened(c, s)
    plain = net.open("client", family)
    ask(plain, nops)
    plain.connect((address, 5001))
    s = accept(listener)
    ask(s, nops)
    opened(plain, s)


@test("shutdown(SHUT_WR) ends sending here, and the peer does not hear of it", FAMILIES)
def half_close(family):
    c, s = Network().pair(family)
    c.shutdown(socket.SHUT_WR)
    check_error(errno.EPIPE, c.send, b"data")
    check(not select.select([s], [], [], 2)[0], "the peer has heard of it")
    s.send(b"data")
    check_equal(receive(c)[0], b"data", "data")


# ---------------------------------------------------------------- a peer that vanished

def latest(due):
    """When a timer of the kernel fires at the latest: up to an eighth late, never early.

    This is the granularity of its wheel (kernel/time/timer.c).
    """
    return due * 9 / 8


def network(udp=False):
    net = Network()
    for end in ("client", "server") if udp else ():
        with inside(end):
            write("/proc/sys/net/dccp/udp_port", UDP)
    return net


def keepalive_times(idle, interval, probes):
    for end in "client", "server":
        with inside(end):
            for name, value in ("time", idle), ("intvl", interval), ("probes", probes):
                write(f"/proc/sys/net/ipv4/tcp_keepalive_{name}", value)


def keep_alive(s, on=1):
    s.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, on)


def cut(net):
    for end in "server", "client":
        net.shape(end, "netem loss 100%")


def raw_peer(net, family, udp, inherit=False):
    """A raw peer that is connected to a socket of the server."""
    listener = net.listen(family)
    keep_alive(listener, inherit)
    peer = Peer(net, family, udp=(7001, UDP) if udp else None)
    peer.connect()
    s = accept(listener)
    listener.close()
    return peer, s


def check_probes(peer, start, due):
    """The peer gets a Sync at each of these times, at the last one a Reset."""
    packets = []
    for _ in due:
        packets.append((peer.receive(timeout=due[-1]), time.monotonic() - start))
    check(None not in (p for p, _ in packets), f"only these packets: {packets}")
    check_equal([p.type for p, _ in packets], [SYNC] * (len(due) - 1) + [RESET], "packets")
    check_equal(packets[-1][0].code, ABORTED, "code of the Reset")
    for (packet, when), at in zip(packets, due):
        check_equal(packet.ack, peer.seq, "number that is acknowledged")
        check(at <= when < latest(at) + 0.5, f"a packet due at {at} s came at {when} s")


def check_timed_out(s):
    check_error(errno.ETIMEDOUT, s.recv, 1)
    check_equal(s.recv(1), b"", "what recv() returns after the error")
    check_error(errno.EPIPE, s.send, b"data")


def till_error(s, each_second=lambda: None):
    """Wait for an error. Returns the seconds that it took."""
    start = time.monotonic()
    while not select.select([s], [], [], 1)[0]:
        each_second()
    took = time.monotonic() - start
    check_timed_out(s)
    return took


def ccid_of(scheme):
    if scheme in BUILT_IN:
        return scheme
    load(scheme.module)
    return scheme.ccid


@test("SO_KEEPALIVE: Syncs to a peer that says nothing, then ETIMEDOUT and a Reset", FAMILIES,
      timeout=1000)
def keepalive_probes(family):
    for udp in False, True:
        for inherit in False, True:
            net = network(udp)
            keepalive_times(10, 5, 3)
            start = time.monotonic()
            peer, s = raw_peer(net, family, udp, inherit)
            check_equal(s.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE), inherit, "option")
            if not inherit:
                keep_alive(s)
            before = counters("server")
            check_probes(peer, start, (10, 15, 20, 25))
            check_timed_out(s)
            check_counted("server", before, {"DccpCurrEstab": -1, "DccpEstabResets": 1,
                                             "DccpAbortOnTimeout": 1}, "counters")


@test("SO_KEEPALIVE: any packet is an answer", FAMILIES, timeout=1000)
def keepalive_answers(family):
    for udp in False, True:
        net = network(udp)
        keepalive_times(10, 5, 3)
        peer, s = raw_peer(net, family, udp)
        keep_alive(s)
        for kind in SYNCACK, ACK, DATA, SYNC:
            # the last probe, which the others must not count for
            for due in 10, 5, 5:
                start = time.monotonic()
                check_equal(peer.receive(timeout=30).type, SYNC, "packet")
                took = time.monotonic() - start
                check(due - 0.5 < took < latest(due) + 0.5, f"{took} s, expected {due} s")
            peer.send(kind)
            if kind == SYNC:
                check_equal(peer.receive().type, SYNCACK, "answer")
        for _ in range(10):
            time.sleep(6)
            peer.send(DATA)
        check_equal(peer.receive(SYNC, RESET), None, "a probe although data came")
        check_equal(s.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR), 0, "error")


@test("SO_KEEPALIVE: nothing is sent without it, nor when it is taken back", FAMILIES, timeout=1000)
def keepalive_off(family):
    for taken_back in False, True:
        net = network()
        keepalive_times(10, 5, 3)
        peer, s = raw_peer(net, family, udp=False)
        if taken_back:
            keep_alive(s)
            check(peer.receive(SYNC, timeout=20), "no Sync")
            keep_alive(s, 0)
        check_equal(peer.receive(timeout=100), None, "packet")
        check_error(errno.EAGAIN, s.recv, 1, socket.MSG_DONTWAIT)


@test("SO_KEEPALIVE: a silent connection goes on", FAMILIES, timeout=2000)
def keepalive_silent(family):
    for udp in False, True:
        net = network(udp)
        keepalive_times(10, 5, 3)
        listener = net.listen(family)
        c = net.open("client", family, [(ENCAP_PORT, UDP)] if udp else [])
        keep_alive(c)
        c.connect((net.address("server", family), 5001))
        s = accept(listener)
        before = counters("client")["DccpOutPkts"]
        time.sleep(600)
        # at least one in 10 s and the granularity of the timer, the answer takes no time
        sent = counters("client")["DccpOutPkts"] - before
        check(600 / latest(10) - 1 <= sent <= 60, f"{sent} Syncs")
        opened(c, s)


@test("SO_KEEPALIVE over UDP: the Syncs for a NAT do not count as probes", timeout=1000)
def keepalive_nat():
    net = network(udp=True)
    # UDP's are sent after 15 s
    keepalive_times(20, 20, 2)
    c, s = opened(*net.pair(client=[(ENCAP_PORT, UDP)]))
    keep_alive(c)
    time.sleep(300)
    check_error(errno.EAGAIN, c.recv, 1, socket.MSG_DONTWAIT)
    cut(net)
    took = till_error(c)
    # the last Sync that was answered is at most 15 s old
    check(60 - latest(15) < took < latest(60) + 1, f"it gave up after {took} s")
    check_error(errno.EAGAIN, s.recv, 1, socket.MSG_DONTWAIT)


@test("a peer that vanished: SO_KEEPALIVE tells who sends and who receives", None,
      [*BUILT_IN, *SCHEMES])
def vanished_keepalive(scheme):
    net = network()
    keepalive_times(10, 5, 3)
    ask = [(CCID, ccids(ccid_of(scheme)))]
    c, s = net.pair(socket.AF_INET, ask, ask)
    c.send(b"data")
    check_equal(receive(s)[0], b"data", "data")
    for end in c, s:
        keep_alive(end)
    time.sleep(100)
    cut(net)

    def send():
        with contextlib.suppress(BlockingIOError):
            c.send(b"more", socket.MSG_DONTWAIT)

    start = time.monotonic()
    took = till_error(c, send)
    check(15 - 1 < took < latest(25) + 1, f"the sender gave up after {took} s")
    till_error(s)
    took = time.monotonic() - start
    check(15 - 1 < took < latest(25) + 1, f"the receiver gave up after {took} s")


@test("a peer that vanished: who sends gives up, who receives does not hear of it", None,
      [*BUILT_IN, *SCHEMES])
def vanished(scheme):
    sysctl("default.retries2", 3)
    net = network()
    ask = [(CCID, ccids(ccid_of(scheme)))]
    c, s = net.pair(socket.AF_INET, ask, ask)
    c.send(b"data")
    check_equal(receive(s)[0], b"data", "data")
    time.sleep(20)      # CCID 2 acknowledges two packets, so one is answered by a SyncAck
    cut(net)
    c.send(b"more")

    def send():
        with contextlib.suppress(BlockingIOError):
            c.send(b"more", socket.MSG_DONTWAIT)

    took = till_error(c, send)
    check(45 - 1 < took < latest(45) + 1, f"it gave up after {took} s, expected 3 + 6 + 12 + 24")
    time.sleep(200)
    check_error(errno.EAGAIN, s.recv, 1, socket.MSG_DONTWAIT)


@test("a peer that vanished: one packet is enough, and the default is 797 s", timeout=2000)
def vanished_default():
    net = network()
    c, s = opened(*net.pair())
    cut(net)
    c.send(b"data")
    took = till_error(c)
    # 3 + 6 + 12 + 24 + 48 s, and 11 times 64 s
    check(797 - 1 < took < latest(797) + 1, f"it gave up after {took} s")
    s.close()


@test("data that is not answered: Syncs, then ETIMEDOUT and a Reset", FAMILIES, timeout=1000)
def data_probes(family):
    sysctl("default.retries2", 3)
    for udp in False, True:
        net = network(udp)
        peer, s = raw_peer(net, family, udp)
        start = time.monotonic()
        s.send(b"data")
        check(peer.receive(DATA, DATAACK), "no data")
        check_probes(peer, start, (11.25, 22.5, 33.75, 45))
        check_timed_out(s)


@test("data that is lost: a peer that answers a Sync has not vanished", FAMILIES,
      timeout=2000)
def data_lost(family):
    sysctl("default.retries2", 3)
    for udp in False, True:
        net = network(udp)
        peer, s = raw_peer(net, family, udp)
        for _ in range(5):
            s.send(b"data")
            check(peer.receive(DATA, DATAACK, timeout=200), "no data")
            for _ in range(3):
                check_equal(peer.receive(timeout=30).type, SYNC, "packet")
            peer.send(SYNCACK)
        check_equal(peer.receive(timeout=200), None, "packet")
        check_equal(s.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR), 0, "error")


@test("a peer that has forgotten the connection resets it", FAMILIES)
def forgotten(family):
    net = Network()
    c, s = opened(*net.pair(family))
    net.shape("client", "netem loss 100%")
    ss("server", "-K")      # its Reset is lost
    net.shape("client", "netem")
    check(not select.select([c], [], [], 2)[0], "the client has heard of it")
    c.send(b"data")
    check(select.select([c], [], [], 5)[0], "the client does not hear of it")
    check_equal(c.recv(1), b"", "end of data")
    # as with UDP when nobody has the port
    check_equal(c.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR), errno.ECONNREFUSED, "error")
    check_equal(s.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR), errno.ECONNABORTED, "error")


@test("connect() to nobody fails by ETIMEDOUT after the Requests of request_retries", FAMILIES)
def nobody(family):
    sysctl("default.request_retries", 2)
    net = Network()
    before = counters("server")
    c, peer = net.open("server", family), Peer(net, family)
    c.setblocking(False)
    start, packets = time.monotonic(), []
    check_error(errno.EINPROGRESS, c.connect, (net.address("nobody", family), peer.port))
    while packet := peer.receive(timeout=30):
        packets.append((packet.type, time.monotonic() - start))
    # RFC 1122, 4.2.3.1: 3 s, doubled each time
    check_equal([kind for kind, _ in packets], [REQUEST, REQUEST, REQUEST, RESET], "packets")
    for (_, when), due in zip(packets, (0, 3, 9, 21)):
        check(due <= when < latest(due) + 0.5, f"a packet due at {due} s came at {when} s")
    check_equal(c.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR), errno.ETIMEDOUT, "error")
    check_counted("server", before,
                {"DccpActiveOpens": 1, "DccpAttemptFails": 1, "DccpTimeouts": 1,
                 "DccpAbortOnTimeout": 1}, "counters")


@test("close() does not wait for a peer that vanished, and the kernel gives up", FAMILIES)
def close_alone(family):
    sysctl("default.retries2", 3)
    for linger in None, 7:
        net = Network()
        c, s = opened(*net.pair(family))
        c.send(b"data")     # an answer, so that the server has no reason to give up
        check_equal(receive(s)[0], b"data", "data")
        cut(net)
        if linger:
            c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, linger))
        before, start = counters("client"), time.monotonic()
        c.close()
        took = time.monotonic() - start
        check((linger or 0) <= took < (linger or 0) + 1, f"close() took {took} s")
        check("CLOSING" in ss("client", "-a"), "the socket is not closing")
        check(wait_for(lambda: not ss("client", "-a"), 100, 0.2), "it does not give up")
        took = time.monotonic() - start
        check(45 <= took < latest(45) + 1, f"it gave up after {took} s, expected 3 + 6 + 12 + 24")
        # a Close, three repetitions, and a Reset
        check_equal(counters("client")["DccpOutPkts"] - before["DccpOutPkts"], 5, "packets")
        check_counted("client", before,
                    {"DccpCurrEstab": -1, "DccpTimeouts": 1, "DccpAbortOnTimeout": 1}, "counters")
        check_error(errno.EAGAIN, s.recv, 1, socket.MSG_DONTWAIT)
        s.close()


if __name__ == "__main__":
    main()
