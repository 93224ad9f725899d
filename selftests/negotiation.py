#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Negotiation of CCIDs: the sockets and the packets, as tshark reads them, show the result."""
import errno
import itertools
import os
import socket
import struct
import time

from capture import Capture
from lib import (AVAILABLE_CCIDS, BUILT_IN, CCID, FAMILIES, GET_CUR_MPS, RX_CCID, SCHEMES,
                 SOL_DCCP, TX_CCID, Network, accept, ccids, check, check_equal, check_error,
                 clean_up, disconnect, get_ccids, load, loaded, main, note, parameter, remove, run,
                 rx_info, spawn, sysctl, test, tx_info, unload)
from rawpeer import (ACK, CHANGE_L, CHANGE_R, CLOSED, CONFIRM_L, CONFIRM_R, DATA, DATAACK,
                     F_CCID, F_ECN_INCAPABLE, OPTION_ERROR, REFUSED, REQUEST, RESET, RESPONSE,
                     Peer, confirm, feature, option, wish)
from schemes import DRIVEN, UNREGISTERED

# The schemes that respond to marks; CTFAF responds to losses only.
ECN = "marc", "raar", "ltfrc", "dvrc"
FEATURE_CCID, FEATURE_ACK_VECTOR, FEATURE_LOSS_EVENT_RATE = 1, 6, 192
ACK_VECTOR = 38                 # an option
LOSS_EVENT_RATE, RECEIVE_RATE, SIGNALS, RATE_REQUEST, L4S_READ = 192, 194, 200, 203, 205
L4S, TX_SLOW_START, TX_ECN, TX_L4S = 140, 1, 4, 8   # an option of data packets; flags


def exchange(client, server, packets=20):
    """Send packets in both directions, and check that they arrive in order."""
    for source, target in (client, server), (server, client):
        for number in range(packets):
            source.send(b"%d" % number)
            check_equal(target.recv(100), b"%d" % number, "data received")


def one(packets, kind):
    """The only packet of a type."""
    found = [p for p in packets if p.type == kind]
    check_equal(len(found), 1, f"number of {kind} packets")
    return found[0]


def negotiate(family, client, server, c_to_s, s_to_c):
    """Connect, transfer data, and compare sockets and packets with the CCIDs expected.

    client and server are the options of the two sockets. c_to_s and s_to_c are the CCIDs
    expected for data from client to server and back. Returns Request and Response.
    """
    net = Network()
    capture = Capture()
    c, s = net.pair(family, client, server)
    exchange(c, s)
    check_equal(get_ccids(c), (c_to_s, s_to_c), "the client's (tx, rx)")
    check_equal(get_ccids(s), (s_to_c, c_to_s), "the server's (tx, rx)")
    packets = capture.tshark()
    check(not any(p.malformed for p in packets), "tshark finds malformed packets")
    request, response = one(packets, "Request"), one(packets, "Response")
    for change, answer, ccid in (("Change L", "Confirm R", c_to_s),
                                 ("Change R", "Confirm L", s_to_c)):
        asked = request.option(change, FEATURE_CCID) or b"\2"
        got = response.option(answer, FEATURE_CCID) or b"\2"
        check(ccid in asked, f"{change}: {list(asked)} does not ask for {ccid}")
        check_equal(got[0], ccid, f"first value of {answer}")
    check_reports(packets, c.getpeername()[1], c_to_s, s_to_c)
    return request, response


def check_reports(packets, server_port, c_to_s, s_to_c):
    """Check that acknowledgments have the options of the CCID of the data, and no others."""
    for ccid, from_server in (c_to_s, True), (s_to_c, False):
        acks = [p for p in packets if p.type in ("Ack", "DataAck") and
                (p.source == server_port) == from_server]
        names = {name for p in acks for name, _, _ in p.options}
        vectors = any(name.startswith("Ack Vector") for name in names)
        check_equal(vectors, ccid == 2, f"CCID {ccid}: Ack Vectors")
        check_equal("CCID3 Loss Event Rate" in names, ccid != 2 and ccid not in DRIVEN,
                    f"CCID {ccid}: reports of the loss event rate")


# ---------------------------------------------------------------- agreement

@test("both ends ask for it and get it, in both directions", FAMILIES, SCHEMES)
def both(scheme, family):
    ask = [(CCID, ccids(scheme.ccid))]
    request, _ = negotiate(family, ask, ask, scheme.ccid, scheme.ccid)
    check_equal(request.option("Change L", FEATURE_CCID), ccids(scheme.ccid), "Change L")
    check_equal(request.option("Change R", FEATURE_CCID), ccids(scheme.ccid), "Change R")


@test("from client to server only", FAMILIES, SCHEMES)
def client_to_server(scheme, family):
    negotiate(family,
              [(TX_CCID, ccids(scheme.ccid)), (RX_CCID, ccids(2))],
              [(RX_CCID, ccids(scheme.ccid)), (TX_CCID, ccids(2))],
              scheme.ccid, 2)


@test("from server to client only", FAMILIES, SCHEMES)
def server_to_client(scheme, family):
    negotiate(family,
              [(RX_CCID, ccids(scheme.ccid)), (TX_CCID, ccids(3))],
              [(TX_CCID, ccids(scheme.ccid)), (RX_CCID, ccids(3))],
              3, scheme.ccid)


@test("the server's order of preference wins", FAMILIES, SCHEMES)
def server_preference(scheme, family):
    n = scheme.ccid
    for client, server, result in (([3, 2, n], [n, 3, 2], n),
                                   ([n, 3, 2], [2, 3, n], 2),
                                   ([n, 2, 3], [3, n, 2], 3),
                                   ([2, 3, n], [n], n),
                                   ([n], [2, 3, n], n)):
        request, response = negotiate(family, [(CCID, ccids(*client))],
                                      [(CCID, ccids(*server))], result, result)
        check_equal(list(request.option("Change L", FEATURE_CCID)), client, "Change L")
        check_equal(list(request.option("Change R", FEATURE_CCID)), client, "Change R")
        confirm = response.option("Confirm R", FEATURE_CCID)
        if len(confirm) > 1:    # with the server's own list
            check_equal(sorted(confirm[1:]), sorted(server), "the server's list")


@test("one preferred CCID keeps the order of the others", FAMILIES, SCHEMES)
def order_of_the_rest(scheme, family):
    load(scheme.module)
    for preferred, expected in ((2, [2, 3]), (3, [3, 2]),
                                (scheme.ccid, [scheme.ccid, 2, 3])):
        clean_up()      # or namespaces without a name would prefer this, too
        sysctl("default.tx_ccid", preferred)
        sysctl("default.rx_ccid", preferred)
        request, _ = negotiate(family, [], [], preferred, preferred)
        for name in "Change L", "Change R":
            check_equal(list(request.option(name, FEATURE_CCID)), expected,
                        f"{name}, {preferred} preferred")


@test("a server that has not got it makes the client fall back", FAMILIES, SCHEMES)
def fall_back(scheme, family):
    negotiate(family, [(CCID, ccids(scheme.ccid, 3))], [], 3, 3)
    negotiate(family, [(CCID, ccids(scheme.ccid, 2))], [], 2, 2)
    negotiate(family, [(CCID, ccids(scheme.ccid, 3, 2))],
              [(CCID, ccids(3, 2))], 3, 3)


@test("removed after it was listed, the next one is used", FAMILIES, SCHEMES)
def removed_meanwhile(scheme, family):
    net = Network()
    listener = net.listen(family, [(CCID, ccids(scheme.ccid, 3))])
    c = net.open("client", family, [(CCID, ccids(scheme.ccid, 3))])
    unload(scheme.module)       # the lists do not hold it
    c.connect(listener.getsockname()[:2])
    s = accept(listener)
    check_equal(get_ccids(c), (3, 3), "the client's (tx, rx)")
    check_equal(get_ccids(s), (3, 3), "the server's (tx, rx)")
    exchange(c, s)


# ---------------------------------------------------------------- disagreement

def refused(family, client, server, wait=1.0):
    """Check that connect() fails within a second, with a Reset after one Request."""
    net = Network()
    capture = Capture()
    listener = net.listen(family, server)
    c = net.open("client", family, client)
    start = time.monotonic()
    error = check_error((errno.EPROTONOSUPPORT, errno.EOPNOTSUPP, errno.ECONNREFUSED,
                         errno.EPROTO, errno.ECONNRESET),
                        c.connect, listener.getsockname()[:2])
    took = time.monotonic() - start
    note(f"{errno.errorcode[error]} after {took * 1000:.1f} ms")
    check(took < wait, f"it took {took:.1f} s")
    listener.setblocking(False)
    check_error(errno.EAGAIN, listener.accept)
    packets = capture.tshark()
    reset = one(packets, "Reset")
    check_equal(reset.reset_code, 5, "Reset code (Option Error)")
    check_equal([p.type for p in packets].count("Request"), 1, "Requests")
    check_error((errno.ENOTCONN, errno.EPIPE, errno.ECONNRESET), c.send, b"x")
    return error


@test("no common CCID: both sides give up within a second", FAMILIES, SCHEMES)
def nothing_in_common(scheme, family):
    n = scheme.ccid
    errors = {refused(family, [(CCID, ccids(n))], [(CCID, ccids(3))]),
              refused(family, [(CCID, ccids(n))], []),
              refused(family, [(CCID, ccids(n))], [(CCID, ccids(2))]),
              refused(family, [(CCID, ccids(3))], [(CCID, ccids(n))]),
              refused(family, [(TX_CCID, ccids(n))], [(RX_CCID, ccids(3, 2))])}
    check_equal(len(errors), 1, f"different errors for the same failure: {errors}; number")


@test("no common CCID, a path of 200 ms: one round trip", FAMILIES, SCHEMES)
def nothing_in_common_far(scheme, family):
    net = Network()
    net.shape("client", "netem delay 100ms limit 1000")
    net.shape("server", "netem delay 100ms limit 1000")
    listener = net.listen(family, [(CCID, ccids(3))])
    c = net.open("client", family, [(CCID, ccids(scheme.ccid))])
    c.setblocking(False)
    start = time.monotonic()
    check_error(errno.EINPROGRESS, c.connect, listener.getsockname()[:2])
    while not c.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
        check(time.monotonic() - start < 0.5, "no error after 500 ms")
        time.sleep(0.01)


@test("an empty Confirm of the CCID fails the client at once", FAMILIES, SCHEMES)
def empty_confirm(scheme, family):
    """A server that does not know the value answers with it (RFC 4340, 6.6.7)."""
    net = Network()
    peer = Peer(net, family)
    c = net.open("server", family, [(CCID, ccids(scheme.ccid))])
    c.setblocking(False)
    check_error(errno.EINPROGRESS, c.connect, (net.address("nobody", family), 6001))
    peer.wait_for_request()
    peer.send(RESPONSE, feature(CONFIRM_R, F_CCID))
    reset = peer.receive(RESET)
    check(reset is not None, "no Reset")
    check_equal(reset.code, 5, "Reset code (Option Error)")
    time.sleep(0.01)
    check(c.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR), "the socket has no error")
    check(peer.receive(REQUEST, timeout=10) is None, "Requests go on")


@test("a server that never heard of it picks the next one", FAMILIES, SCHEMES)
def foreign_server(scheme, family):
    """A kernel without our modules does this: CCID 3 for our data, its default for its own."""
    net = Network()
    peer = Peer(net, family)
    c = net.open("server", family, [(CCID, ccids(scheme.ccid, 3, 2))])
    c.setblocking(False)
    check_error(errno.EINPROGRESS, c.connect, (net.address("nobody", family), 6001))
    request = peer.wait_for_request()
    wish = bytes([F_CCID, scheme.ccid, 3, 2])
    check((CHANGE_L, wish) in request.options, f"Change L: {request}")
    check((CHANGE_R, wish) in request.options, f"Change R: {request}")
    peer.send(RESPONSE, confirm(request, feature1=[3, 3, 2]))
    check(peer.receive(ACK) is not None, "the handshake was not completed")
    check_equal(get_ccids(c), (3, 3), "the client's (tx, rx)")


@test("a Change to nothing gives neither end a CCID that it did not ask for", FAMILIES, SCHEMES)
def change_to_nothing(scheme, family):
    """It is invalid: both ends continue to ask for their CCIDs (RFC 4340, 6.6.2, 6.6.8)."""
    n = scheme.ccid
    net = Network()
    listener = net.listen(family, [(CCID, ccids(n))])
    listener.setblocking(False)
    nothing = feature(CHANGE_L, F_CCID) + feature(CHANGE_R, F_CCID)
    port = 6001
    empty = [(CONFIRM_R, bytes([F_CCID])), (CONFIRM_L, bytes([F_CCID]))]
    for options in nothing, wish(n) + nothing, nothing + wish(n):
        for agrees in True, False:
            port += 1
            peer = Peer(net, family, port=port)
            peer.send(REQUEST, options)
            answer = peer.receive(RESPONSE, RESET)
            check_equal(answer.type, RESPONSE, "answer to the Request")
            for option_ in empty:
                check(option_ in answer.options, f"no empty Confirm: {answer}")
            peer.send(ACK, confirm(answer) if agrees else b"")
            if agrees:
                s = accept(listener)
                check_equal(get_ccids(s), (n, n), "the server's (tx, rx), after both asked")
                s.close()
            else:
                check(peer.receive(RESET), "no Reset")
                check_error(errno.EAGAIN, listener.accept)
    for asked in wish(n), b"":      # the server asks in its Response
        port += 1
        peer = Peer(net, family, port=port)
        peer.connect(asked, answer=nothing)
        s = accept(listener)
        check_equal(get_ccids(s), (n, n), "the server's (tx, rx), after an Ack")
        peer.send(ACK, nothing)
        time.sleep(0.01)
        check_equal(get_ccids(s), (n, n), "the server's (tx, rx), when open")
        s.send(b"still open")
        check(peer.receive(DATA, DATAACK), "no data comes any more")
    for change, agrees in itertools.product((CHANGE_L, CHANGE_R), (True, False)):
        port += 1
        peer = Peer(net, family, port=port)
        c = net.open("server", family, [(CCID, ccids(n))])
        c.setblocking(False)
        check_error(errno.EINPROGRESS, c.connect, (net.address("nobody", family), port))
        request = peer.wait_for_request()
        peer.send(RESPONSE, (confirm(request) if agrees else b"") + feature(change, F_CCID))
        answer = peer.receive(RESET, ACK)
        time.sleep(0.01)
        error = c.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if agrees:
            check_equal((answer.type, error), (ACK, 0), "answer to the Response, error")
            check(empty[change == CHANGE_R] in answer.options, f"no empty Confirm: {answer}")
            check_equal(get_ccids(c), (n, n), "the client's (tx, rx)")
        else:
            check_equal(answer.type, RESET, "answer to the Response without a Confirm")
            check(error, "no error")
        c.close()


# ---------------------------------------------------------------- sockets connected again

TIMESTAMP = 41


def request_of(s, net, family):
    """Connect to a raw peer. Returns the peer, the Request, and its MPS and options."""
    request_of.port += 1
    peer = Peer(net, family, port=request_of.port)
    s.setblocking(False)
    check_error(errno.EINPROGRESS, s.connect, (net.address("nobody", family), peer.port))
    request = peer.wait_for_request()
    mps = s.getsockopt(SOL_DCCP, GET_CUR_MPS)
    # The value of a timestamp differs each time.
    return peer, request, (mps, [(kind, b"" if kind == TIMESTAMP else value)
                                 for kind, value in request.options])


request_of.port = 6100


def like_new(s, net, family, options):
    """Check that a socket connected again asks for the same as a new one."""
    new = net.open("server", family, options)
    peer, request, asked = request_of(s, net, family)
    check_equal(asked, request_of(new, net, family)[2], "MPS and options of the Request")
    new.close()
    return peer, request


@test("a socket that connects again asks for the same as a new one", FAMILIES, SCHEMES)
def again(scheme, family):
    net = Network()
    for n in scheme.ccid, 3, 2:
        options = [(CCID, ccids(n))]
        # after a connection with data, whose peer sent a Timestamp to be echoed
        s = net.open("server", family, options)
        peer, request, _ = request_of(s, net, family)
        peer.send(RESPONSE, confirm(request))
        check(peer.receive(ACK), "the handshake was not completed")
        for _ in range(5):
            peer.send(DATAACK, option(ACK_VECTOR, b"\x3f"), data=b"x")
            s.send(b"x")
        peer.send(RESET, option(TIMESTAMP, b"then"), code=CLOSED)
        time.sleep(0.01)
        disconnect(s)
        like_new(s, net, family, options)
        # after a connection that was refused
        peer.send(RESET, code=REFUSED, ack=0)
        disconnect(s)
        like_new(s, net, family, options)
        # with another CCID after it has listened
        disconnect(s)
        s.listen(1)
        disconnect(s)
        for name, value in (other := [(CCID, ccids(5 - n if n < 4 else 2))]):
            s.setsockopt(SOL_DCCP, name, value)
        like_new(s, net, family, other)
        s.close()


@test("what is set after the end of a connection is for the next one", FAMILIES, SCHEMES)
def set_between(scheme, family):
    net = Network()
    new = [(CCID, ccids(scheme.ccid))]
    s = net.open("server", family, [(CCID, ccids(3))])
    peer, request, _ = request_of(s, net, family)
    peer.send(RESPONSE, confirm(request))
    check(peer.receive(ACK), "the handshake was not completed")
    listener = net.listen(family, [(CCID, ccids(3))])
    other = Peer(net, family)
    other.connect(wish(3))
    for socket_, its_peer in (s, peer), (accept(listener), other):
        its_peer.send(RESET, code=CLOSED)
        time.sleep(0.01)
        for name, value in new:
            socket_.setsockopt(SOL_DCCP, name, value)
        disconnect(socket_)
        like_new(socket_, net, family, new)


@test("a socket of IPv6 that was connected over IPv4 is connected over IPv6")
def mapped():
    net = Network()
    listener = net.listen()
    c = net.open("client", socket.AF_INET6)
    c.connect(("::ffff:" + listener.getsockname()[0], 5001))
    exchange(c, accept(listener))
    disconnect(c)
    listener = net.listen(socket.AF_INET6, port=5002)
    c.settimeout(5)
    c.connect(listener.getsockname()[:2])
    exchange(c, accept(listener))


@test("a socket of IPv6 that was connected over IPv4 listens for both")
def mapped_listens():
    net = Network()
    listener = net.listen()
    s = net.open("client", socket.AF_INET6)
    s.connect(("::ffff:" + listener.getsockname()[0], 5001))
    exchange(s, accept(listener))
    disconnect(s)
    s.bind(("::", 5003))
    s.listen(5)
    for family in FAMILIES:
        c = net.open("server", family)
        c.settimeout(5)
        c.connect((net.address("client", family), 5003))
        exchange(c, accept(s))


@test("what a listener has accepted connects again as a new socket", FAMILIES, SCHEMES)
def accepted_again(scheme, family):
    net = Network()
    listener = net.listen(family, [(CCID, ccids(scheme.ccid, 2))])
    peer = Peer(net, family)
    peer.connect(wish(scheme.ccid))
    s = accept(listener)
    disconnect(s)
    like_new(s, net, family, [])
    disconnect(s)
    s.setsockopt(SOL_DCCP, CCID, ccids(scheme.ccid))
    disconnect(s)       # it was not connected, and so keeps the option
    like_new(s, net, family, [(CCID, ccids(scheme.ccid))])


@test("a CCID that was gone is asked for again when it is back", FAMILIES, SCHEMES)
def gone_and_back(scheme, family):
    net = Network()
    options = [(CCID, ccids(scheme.ccid))]
    s = net.open("server", family, options)
    unload(scheme.module)
    check_error(errno.EOPNOTSUPP, s.connect, (net.address("nobody", family), 6001))
    load(scheme.module)
    like_new(s, net, family, options)


@test("after a connect() that nobody answered the next one begins at the beginning", FAMILIES)
def after_silence(family):
    sysctl("default.request_retries", 2)
    net = Network()
    s = net.open("server", family)
    waits, last = [], None
    for _ in range(2):
        peer, request, _ = request_of(s, net, family)
        check(last is None or request.seq not in (1, last + 1),
              "the first Request has a number of the connection before, or 1")
        first = time.monotonic()
        last = peer.receive(REQUEST, timeout=100).seq
        waits.append(time.monotonic() - first)
        while again := peer.receive(REQUEST, timeout=100):
            last = again.seq
        check_equal(s.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR), errno.ETIMEDOUT, "error")
        disconnect(s)
    note(f"second Request after {waits[0]:.2f} s, {waits[1]:.2f} s")
    check(abs(waits[1] - waits[0]) < 0.1, "it waits longer the second time")


@test("a receiver that is connected again acknowledges this connection alone", FAMILIES)
def fresh_ack_vector(family):
    """RFC 4340, 11.4: an Ack Vector covers packets of its connection."""
    net = Network()
    ask = [(CCID, ccids(2))]
    s = net.open("server", family, ask)
    for packets in 100, 4:
        peer, request, _ = request_of(s, net, family)
        peer.send(RESPONSE, confirm(request))
        check(peer.receive(ACK), "the handshake was not completed")
        for _ in range(packets):
            peer.seq += 1       # every second packet is lost, so run lengths are 1
            peer.send(DATA, data=b"x")      # Data does not acknowledge Ack Vectors
        time.sleep(0.5)
        longest = 0
        while packet := peer.receive(ACK, DATA, DATAACK, timeout=0.1):
            longest = max(longest, sum(len(value) for kind, value in packet.options
                                       if kind in (ACK_VECTOR, ACK_VECTOR + 1)))
        note(f"{packets} packets: an Ack Vector of {longest} bytes")
        check(0 < longest <= 2 * packets + 3, "it is longer than this connection")
        disconnect(s)


# ---------------------------------------------------------------- selection and loading

@test("sysctl on both ends selects it for a program that knows nothing", FAMILIES, SCHEMES)
def by_sysctl(scheme, family):
    sysctl("default.tx_ccid", scheme.ccid)
    sysctl("default.rx_ccid", scheme.ccid)
    negotiate(family, [], [], scheme.ccid, scheme.ccid)


@test("the client's sysctl alone leaves a server at CCID 2", FAMILIES, SCHEMES)
def by_client_alone(scheme, family):
    load(scheme.module)
    net = Network()
    listener = net.listen(family)
    sysctl("default.tx_ccid", scheme.ccid, "client")
    c = net.connect(family)
    s = accept(listener)
    check_equal(get_ccids(c), (2, 2), "the client's (tx, rx)")
    exchange(c, s)


@test("an unregistered number is refused")
def unregistered():
    net = Network()
    s = net.open("client")
    for number in *UNREGISTERED[:1], 0, 1, 4, 247, 255:
        # A reader of the tutorial has given one to a module of his own.
        if not run("modprobe", "-R", f"net-dccp-ccid-{number}", may_fail=True).returncode:
            continue
        for name in "tx_ccid", "rx_ccid":
            before = sysctl("default." + name)
            error = check_error((errno.ENOENT, errno.EOPNOTSUPP, errno.EINVAL,
                                 errno.EPROTONOSUPPORT),
                                sysctl, "default." + name, number)
            check_equal(sysctl("default." + name), before, name)
        for name in CCID, TX_CCID, RX_CCID:
            error = check_error((errno.ENOENT, errno.EOPNOTSUPP, errno.EINVAL,
                                 errno.EPROTONOSUPPORT),
                                s.setsockopt, SOL_DCCP, name, ccids(number))
            check_error(error, s.setsockopt, SOL_DCCP, name, ccids(2, number))
    for value in 256, -1, "2x":
        check_error(errno.EINVAL, sysctl, "default.tx_ccid", value)
    check_error(errno.EINVAL, s.setsockopt, SOL_DCCP, CCID, b"")


@test("it loads itself when asked for by sysctl", None, SCHEMES)
def load_by_sysctl(scheme):
    for name in "tx_ccid", "rx_ccid":
        unload(scheme.module)
        sysctl("default." + name, scheme.ccid)
        check(loaded(scheme.module), "it was not loaded")
        check(not remove(scheme.module), "the default does not hold it")
        sysctl("default." + name, 2)


@test("it loads itself when asked for by setsockopt", FAMILIES, SCHEMES)
def load_by_setsockopt(scheme, family):
    net = Network()
    for name in CCID, TX_CCID, RX_CCID:
        unload(scheme.module)
        s = net.open("client", family)
        s.setsockopt(SOL_DCCP, name, ccids(3, scheme.ccid))
        check(loaded(scheme.module), "it was not loaded")
        s.close()


@test("a user without privilege selects what is loaded, and loads nothing", None, SCHEMES)
def unprivileged(scheme):
    net = Network()
    s = net.open("client")

    def ask():
        os.setgroups([])
        os.setresgid(65534, 65534, 65534)
        os.setresuid(65534, 65534, 65534)
        try:
            s.setsockopt(SOL_DCCP, CCID, ccids(scheme.ccid))
        except OSError as e:
            os._exit(e.errno)
        os._exit(0)

    def asked():
        return os.waitstatus_to_exitcode(os.waitpid(spawn(ask), 0)[1])

    unload(scheme.module)
    error = asked()
    check(error in (errno.EPERM, errno.ENOENT, errno.EOPNOTSUPP, errno.EPROTONOSUPPORT),
          f"errno {error}")
    check(not loaded(scheme.module), "an unprivileged user has loaded a module")
    load(scheme.module)
    check_equal(asked(), 0, "errno with the module loaded")


@test("available_ccids lists numbers and names", None, SCHEMES)
def available(scheme):
    def listed():
        return sysctl("available_ccids")

    unload(scheme.module)
    check(str(scheme.ccid) not in listed(), f"not loaded, but listed: {listed()}")
    load(scheme.module)
    text = listed()
    note(text)
    entries = dict(entry.split(":") for entry in text.split())
    check_equal(entries.get("2"), "TCP-like", "name of CCID 2")
    check_equal(entries.get("3"), "TFRC", "name of CCID 3")
    check_equal(entries.get(str(scheme.ccid), "").lower(), scheme.name,
                f"name of CCID {scheme.ccid}")
    check_error((errno.EACCES, errno.EPERM), sysctl, "available_ccids", "2")
    with Network().open("client") as s:
        check(scheme.ccid in s.getsockopt(SOL_DCCP, AVAILABLE_CCIDS, 16),
              "DCCP_SOCKOPT_AVAILABLE_CCIDS")


# ---------------------------------------------------------------- ECN

@test("ECT goes to peers that can do ECN, and to no others", FAMILIES, SCHEMES)
def ecn(scheme, family):
    ect = 2 if scheme.name in ECN else 0
    net = Network()
    listener = net.listen(family, [(CCID, ccids(scheme.ccid))])
    tos = ((socket.IPPROTO_IP, socket.IP_TOS) if family == socket.AF_INET else
           (socket.IPPROTO_IPV6, socket.IPV6_TCLASS))
    for incapable, expected in (0, ect), (1, 0):
        peer = Peer(net, family, port=6001 + incapable)
        peer.connect(wish(scheme.ccid) + feature(CHANGE_L, F_ECN_INCAPABLE, incapable))
        s = accept(listener)
        for value in 0, 0xb8:       # the other bits are the application's
            s.setsockopt(*tos, value)
            s.send(b"x")
            packet = peer.receive(DATA, DATAACK)
            check(packet, "no data came")
            check_equal(packet.ecn, expected, f"ECN bits, peer's ECN Incapable {incapable}")
        check_equal(listener.getsockopt(*tos) & 3, 0, "ECN bits of the listener")


@test("what a peer asks of ECN is answered, whatever the CCID prefers", None, SCHEMES)
def ecn_asked(scheme):
    """A host that does not read marks resets the connection if the peer asks for it.

    Each host agrees to a peer that does without marks.
    """
    net = Network()
    net.listen(options=[(CCID, ccids(scheme.ccid))])
    for incapable in 0, 1:
        peer = Peer(net, port=6001 + incapable)
        peer.send(REQUEST, wish(scheme.ccid) + feature(CHANGE_R, F_ECN_INCAPABLE, incapable))
        answer = peer.receive(RESPONSE, RESET)
        if incapable or scheme.name in ECN:
            check(answer.has(CONFIRM_L, bytes([F_ECN_INCAPABLE, incapable])),
                  f"ECN Incapable {incapable} is not confirmed: {answer}")
            check(not answer.has(CHANGE_L, bytes([F_ECN_INCAPABLE])),
                  f"a wish of its own for ECN Incapable: {answer}")
        else:
            check_equal(answer.code, OPTION_ERROR, "code of the Reset")


def report(scheme, marked=0, l4s=False):
    """Options of a report without losses: p = 0, 1 MB/s."""
    options = option(RECEIVE_RATE, struct.pack("!I", 1000000)) + \
        option(SIGNALS, struct.pack("!HH", 0, marked))
    options += (option(RATE_REQUEST, struct.pack("!IIB", 1000000, 200000, 1))
                if scheme.ccid in DRIVEN else option(LOSS_EVENT_RATE, b"\xff" * 4))
    return options + option(L4S_READ) * l4s


@test("l4s: data is ECT(1) as long as the receiver says that such marks are no losses", FAMILIES,
      [s for s in SCHEMES if s.name in ECN])
def l4s_sender(scheme, family):
    net = Network()
    for on in 1, 0:
        parameter(scheme, "l4s", str(on))
        listener = net.listen(family, [(CCID, ccids(scheme.ccid))])
        peer = Peer(net, family, port=6001 + on)
        peer.connect(wish(scheme.ccid) + feature(CHANGE_L, F_ECN_INCAPABLE, 0))
        s = accept(listener)
        agreed, marked, starts = False, 0, True
        # the receiver does not know of it, does, says so again, does no more; marks from then on
        for first, l4s in enumerate((False, True, True, False, False)):
            s.send(b"x")
            packet = peer.receive(DATA, DATAACK)
            check(packet, "no data came")
            check_equal((packet.ecn, [v for k, v in packet.options if k == L4S]),
                        (1 if agreed else 2, [bytes([agreed])] if on else []),
                        f"l4s {on}, agreed {agreed}: ECN bits, option L4S")
            agreed, marked = bool(on and l4s), marked + (first > 1)
            starts = starts and (not marked or agreed)
            peer.send(ACK, report(scheme, marked, l4s))
            time.sleep(0.05)
            info = tx_info(s)
            check_equal((info.packets_marked, info.flags & (TX_ECN | TX_L4S)),
                        (marked, TX_ECN | TX_L4S * agreed), f"after {marked} marks")
            # Their reports have no p.
            if scheme.driven:
                check_equal(info.flags & TX_SLOW_START, TX_SLOW_START * starts,
                            f"slow start after {marked} marks")
        listener.close()
        s.close()


@test("l4s: a mark of an ECT(1) packet is counted, and no loss event", FAMILIES,
      [s for s in SCHEMES if s.name in ECN])
def l4s_receiver(scheme, family):
    """A CE mark of any other packet begins one, also if the sender offers l4s."""
    offers = option(L4S, b"\0")
    net = Network()
    listener = net.listen(family, [(CCID, ccids(scheme.ccid))])
    for number, (options, events, read) in enumerate((
            (option(L4S, b"\1"), 0, True), (offers, 1, True), (b"", 1, False),
            (option(L4S, b"\2"), 1, False), (option(L4S), 1, False),
            (option(L4S, b"\1\1"), 1, False))):
        peer = Peer(net, family, port=6001 + number)
        peer.connect(wish(scheme.ccid) + feature(CHANGE_L, F_ECN_INCAPABLE, 0))
        s = accept(listener)
        peer.send(DATA, options, data=b"first")
        first = peer.receive(ACK)
        check_equal(first.has(L4S_READ), read, f"{options}: the report says L4S Read")
        peer.tos = 3
        for _ in range(3):
            peer.send(DATA, options, data=b"marked")
        peer.tos = 0
        for _ in range(4):
            s.recv(100)
        rx = rx_info(s)
        check_equal((rx.packets_marked, rx.loss_events), (3, events), f"{options}: marks, events")
        s.close()


# ---------------------------------------------------------------- losses

@test("the Ack that ends the handshake is lost, and the server speaks first", FAMILIES, SCHEMES)
def lost_ack(scheme, family):
    net = Network()
    ask = [(CCID, ccids(scheme.ccid))]
    listener = net.listen(family, ask)
    listener.settimeout(10)
    net.lose(2)         # every second packet to the server
    c = net.connect(family, ask)
    c.settimeout(10)
    s = accept(listener)
    s.send(b"first")
    check_equal(c.recv(10), b"first", "what the server said")
    check_equal(get_ccids(s), (scheme.ccid, scheme.ccid), "the server's (tx, rx)")
    check_equal(get_ccids(c), (scheme.ccid, scheme.ccid), "the client's (tx, rx)")


@test("data that ends the handshake counts", FAMILIES, SCHEMES)
def data_ends_handshake(scheme, family):
    """The Ack is lost. The receiver's CCID has to count the DataAck that arrives instead."""
    net = Network()
    listener = net.listen(family, [(CCID, ccids(scheme.ccid))])
    peer = Peer(net, family)
    peer.send(REQUEST, wish(scheme.ccid))
    response = peer.receive(RESPONSE)
    check(response, "no Response came")
    peer.send(DATAACK, confirm(response), b"first")
    s = accept(listener)
    check_equal(s.recv(10), b"first", "data received")
    check_equal(rx_info(s).packets_received, 1, "packets that the CCID knows of")


# ---------------------------------------------------------------- CCID 2 and 3

@test("by default both ends use CCID 2, and offer 2 and 3", FAMILIES)
def built_in_default(family):
    for scheme in SCHEMES:      # a loaded module does not change the default
        load(scheme.module)
    request, _ = negotiate(family, [], [], 2, 2)
    for name in "Change L", "Change R":
        check_equal(list(request.option(name, FEATURE_CCID)), BUILT_IN, name)


@test("CCID 2 and 3 as before, each direction by itself", FAMILIES)
def built_in(family):
    for there in BUILT_IN:
        for back in BUILT_IN:
            negotiate(family, [(TX_CCID, ccids(there)), (RX_CCID, ccids(back))],
                      [(TX_CCID, ccids(back)), (RX_CCID, ccids(there))], there, back)


if __name__ == "__main__":
    main()
