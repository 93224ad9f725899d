#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Kernels: uml 6.12 6.1 smp-debug
# Timeout: 900
"""The sysctls of each network namespace: net.dccp.default, available_ccids, allowed_ccids."""
import contextlib
import ctypes
import errno
import glob
import os
import random
import signal
import socket
import time

from lib import (CCID, ENCAP_PORT, IPPROTO_DCCP, QPOLICY_TXQLEN, RX_CCID, SCHEMES, SERVICE,
                 SERVICE_CODE, SOCK_DCCP, SOL_DCCP, TX_CCID, Failure, Network, Skip, accept, at_end,
                 ccids, check, check_equal, check_error, clean_up, get_ccids, inside, ip, libc,
                 load, loaded, main, note, references, remove, run, spawn, sysctl, test, unload,
                 wait_for)
from rawpeer import CHANGE_L, DATA, REQUEST, SYNC, Peer

CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
PR_SET_DUMPABLE = 4
NOBODY = 65534
F_SEQ_WINDOW = 3
DEFAULTS = {"tx_ccid": "3", "rx_ccid": "3", "tx_qlen": "17", "seq_window": "321",
            "request_retries": "4", "retries1": "2", "retries2": "9", "sync_ratelimit": "2000"}
OTHERS = {"tx_ccid": "2", "rx_ccid": "2", "tx_qlen": "18", "seq_window": "322",
          "request_retries": "7", "retries1": "1", "retries2": "8", "sync_ratelimit": "1000"}
CYCLES = 200


# ---------------------------------------------------------------- dccp.ko alone

def caches():
    """DCCP's caches of objects. What is merged with others is a link, which stays."""
    return [os.path.basename(path) for path in glob.glob("/sys/kernel/slab/*dccp*")
            if not os.path.islink(path)]


def core_alone():
    """Unload dccp.ko with namespaces that were there before it, and with later ones.

    This must come before dccp_ipv4 is loaded, which cannot be unloaded: its control sockets
    hold it. Returns what was wrong.
    """
    first, second = "/run/netns/early", "/run/netns/late"
    try:
        ip("netns add early")
        load("dccp")
        ip("netns add late")
        for name in "early", "late":
            sysctl("default.rx_ccid", 3, name)
            if sysctl("default.rx_ccid", end=name) != "3":
                return f"the value does not stay in {name}"
        ip("netns delete early")
        if not wait_for(lambda: remove("dccp"), 10):
            return "dccp cannot be removed while a namespace has its sysctls"
        if not wait_for(lambda: not caches(), 10):
            return f"dccp leaves behind {caches()}"
        load("dccp")
        if sysctl("default.rx_ccid", end="late") != "2":
            return "a namespace that was there does not begin with CCID 2"
    finally:
        for path in first, second:
            if os.path.exists(path):
                ip(f"netns delete {os.path.basename(path)}")
    return None


def port_taken():
    """Load dccp_ipv6 while the UDP port of a namespace is somebody else's for IPv6.

    This must come before dccp_ipv6 is loaded, which cannot be unloaded. Returns what was wrong.
    """
    def refused():
        with socket.socket(socket.AF_INET6, SOCK_DCCP, IPPROTO_DCCP) as s:
            s.setsockopt(SOL_DCCP, SERVICE, SERVICE_CODE)
            s.setsockopt(SOL_DCCP, ENCAP_PORT, 6511)
            s.setblocking(False)
            return s.connect_ex(("::1", 5001))

    load("dccp_ipv4")
    ip("netns add taken")
    try:
        ip("link set lo up", "taken")
        with inside("taken"), socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as other:
            other.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            other.bind(("::", 6511))
            sysctl("udp_port", 6511)
            load("dccp_ipv6")
            if (rc := refused()) != errno.EADDRNOTAVAIL:
                return f"connect() over UDP without a port: {errno.errorcode.get(rc, rc)}"
            sysctl("udp_port", 0)
        with inside("taken"):
            sysctl("udp_port", 6511)
            if (rc := refused()) != errno.EINPROGRESS:
                return f"connect() over UDP later: {errno.errorcode.get(rc, rc)}"
    finally:
        ip("netns delete taken")
    return None


ALONE = TAKEN = "was loaded before"


@test("dccp.ko is unloaded with namespaces that came before it and after it")
def alone():
    if ALONE == "was loaded before":
        raise Skip("DCCP was loaded before the test")
    check(not ALONE, ALONE)


@test("who has the UDP port of his namespace does not keep dccp_ipv6 from being loaded")
def taken():
    if TAKEN == "was loaded before":
        raise Skip("DCCP was loaded before the test")
    check(not TAKEN, TAKEN)


# ---------------------------------------------------------------- values of its own

def everything(end=None):
    return {name: sysctl("default." + name, end=end) for name in DEFAULTS}


@test("a new namespace begins with the values of the first, and they part then")
def inherit():
    restore = everything()
    at_end.append(lambda: [sysctl("default." + n, v) for n, v in restore.items()])
    at_end.append(lambda: sysctl("allowed_ccids", ""))
    for name, value in DEFAULTS.items():
        sysctl("default." + name, value)
    sysctl("allowed_ccids", "3 2")
    Network()
    check_equal(everything("client"), DEFAULTS, "values of a new namespace")
    check_equal(sysctl("allowed_ccids", end="client"), "2 3", "allowed_ccids there")
    for name, value in OTHERS.items():
        sysctl("default." + name, value, "client")
    sysctl("allowed_ccids", "3", "client")
    check_equal(everything("client"), OTHERS, "values of the client")
    for end in None, "server":
        check_equal(everything(end), DEFAULTS, f"values of {end or 'the first namespace'}")
        check_equal(sysctl("allowed_ccids", end=end), "2 3", "allowed_ccids")


@test("each of two namespaces negotiates by its own defaults", None, SCHEMES)
def negotiate(scheme):
    load(scheme.module)
    net = Network()
    n = scheme.ccid
    # What is preferred for data to the server, and to the client. Each offers that, then 2, then
    # 3. The first of the server's list counts that the client offers, too (select.rst).
    for client, server, expected in (((n, 3), (n, 3), (n, 3)), ((n, n), (2, 2), (2, 2)),
                                     ((2, 2), (n, n), (2, 2)), ((n, 2), (3, n), (3, 2))):
        for end, to_server, to_client in ("client", "tx", "rx"), ("server", "rx", "tx"):
            preferred = client if end == "client" else server
            sysctl(f"default.{to_server}_ccid", preferred[0], end)
            sysctl(f"default.{to_client}_ccid", preferred[1], end)
        c, s = net.pair()
        check_equal(get_ccids(c), expected, f"client {client}, server {server}: (tx, rx)")
        c.close()
        s.close()


@test("the transmit queue, the window, Requests and Syncs are those of the socket's namespace")
def values():
    net = Network()
    for end, tx_qlen, window, retries in ("client", 7, 400, 1), ("server", 9, 500, 2):
        for name, value in ("tx_qlen", tx_qlen), ("seq_window", window), \
                           ("request_retries", retries):
            sysctl("default." + name, value, end)
        with net.open(end) as s:
            check_equal(s.getsockopt(SOL_DCCP, QPOLICY_TXQLEN), tx_qlen, f"{end}: queue")
    # Nobody answers the server's socket, whose peer is a raw one.
    s, peer = net.open("server"), Peer(net)
    s.setblocking(False)
    check_error(errno.EINPROGRESS, s.connect, (net.address("nobody", socket.AF_INET), peer.port))
    requests = []
    while packet := peer.receive(REQUEST, timeout=30):
        requests.append(packet)
    check_equal(len(requests), 3, "Requests with request_retries = 2")
    check((CHANGE_L, bytes([F_SEQ_WINDOW, 0, 0, 0, 0, 0x01, 0xf4])) in requests[0].options,
          f"the Request does not ask for the window: {requests[0].options}")
    sysctl("default.request_retries", 32)
    check_error(errno.EINVAL, sysctl, "default.request_retries", 33)
    check_error(errno.EINVAL, sysctl, "default.request_retries", 0)


@test("sync_ratelimit is that of the socket's namespace")
def syncs():
    """RFC 4340, 7.5.4: Syncs that answer packets out of the window have a limit."""
    for limit, expected in (60000, 1), (0, 10):
        net = Network()
        sysctl("default.sync_ratelimit", limit, "server")
        listener = net.listen()
        peer = Peer(net)
        peer.connect()
        s = accept(listener)
        time.sleep(1)
        sysctl("default.sync_ratelimit", 0, "server")
        peer.send(DATA, seq=peer.seq + (1 << 40))
        check(peer.receive(SYNC), "no Sync at first")
        sysctl("default.sync_ratelimit", limit, "server")
        count = 1
        for _ in range(9):
            peer.send(DATA, seq=peer.seq + (1 << 40))
            count += bool(peer.receive(SYNC, timeout=0.2))
        check_equal(count, expected, f"Syncs with sync_ratelimit = {limit}")
        s.close()


# ---------------------------------------------------------------- users and containers

def errno_of(prepare, function, *args):
    """Call a function in another process. Returns the errno, or 0."""
    def call():
        prepare()
        try:
            function(*args)
        except OSError as e:
            os._exit(e.errno)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(spawn(call), 0)[1])


def become_nobody():
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)


def as_user(function, *args):
    return errno_of(become_nobody, function, *args)


class Container:
    """A user namespace and a network namespace that an unprivileged user has made."""

    def __init__(self):
        ready, told = os.pipe()

        def live():
            become_nobody()
            libc.prctl(PR_SET_DUMPABLE, 1)      # else these files are root's
            if libc.unshare(CLONE_NEWUSER | CLONE_NEWNET):
                os.write(told, b"n")
                return
            with open("/proc/self/uid_map", "w", encoding="ascii") as file:
                file.write(f"0 {NOBODY} 1")
            with open("/proc/self/setgroups", "w", encoding="ascii") as file:
                file.write("deny")
            with open("/proc/self/gid_map", "w", encoding="ascii") as file:
                file.write(f"0 {NOBODY} 1")
            os.write(told, b"y")
            signal.pause()
        self.pid = spawn(live)
        os.close(told)
        answer = os.read(ready, 1)
        os.close(ready)
        if answer != b"y":
            raise Skip("an unprivileged user can make no user namespace here")

    def enter(self):
        spaces = [os.open(f"/proc/{self.pid}/ns/{kind}", os.O_RDONLY) for kind in ("user", "net")]
        for space in spaces:
            if libc.setns(space, 0):
                os._exit(255)
        os.setresgid(0, 0, 0)
        os.setresuid(0, 0, 0)

    def as_root(self, function, *args):
        """As its root: the errno, or 0."""
        return errno_of(self.enter, function, *args)

    def end(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


def set_checked(name, value, read_as):
    sysctl(name, value)
    check_equal(sysctl(name), str(read_as), name)


def connection(expected):
    """A connection on the loopback device, of a program that asks for no CCID."""
    run("ip", "link", "set", "lo", "up")
    listener = socket.socket(socket.AF_INET, SOCK_DCCP, IPPROTO_DCCP)
    c = socket.socket(socket.AF_INET, SOCK_DCCP, IPPROTO_DCCP)
    for s in listener, c:
        s.setsockopt(SOL_DCCP, SERVICE, SERVICE_CODE)
    listener.bind(("127.0.0.1", 5001))
    listener.listen(1)
    c.connect(listener.getsockname())
    s, _ = listener.accept()
    check_equal(get_ccids(c), expected, "CCIDs")
    c.close()
    s.close()


@test("root of a container chooses what is loaded, and loads nothing", None, SCHEMES)
def container(scheme):
    box = Container()
    for name in "default.tx_ccid", "default.rx_ccid":
        for value in scheme.ccid, scheme.name:
            unload(scheme.module)
            for where, text in (name, value), ("allowed_ccids", value), \
                               ("allowed_ccids", f"2 {value}"):
                check_equal(box.as_root(sysctl, where, text), errno.EOPNOTSUPP, f"{where} = {text}")
                check(not loaded(scheme.module), "a container has loaded a module")
            check_equal(box.as_root(set_checked, "allowed_ccids", "", ""), 0, "allowed_ccids")
            check_equal(box.as_root(set_checked, name, 2, 2), 0, f"{name} is what it was")
            load(scheme.module)
            check_equal(box.as_root(set_checked, name, value, scheme.ccid), 0, f"{name} = {value}")
            check(references(scheme.module), "the default does not hold the module")
            check_equal(box.as_root(set_checked, name, 2, 2), 0, name)
    check_equal(sysctl("default.tx_ccid"), "2", "tx_ccid of the first namespace")
    load(scheme.module)
    for name in "default.tx_ccid", "default.rx_ccid":
        check_equal(box.as_root(sysctl, name, scheme.ccid), 0, name)
    check_equal(box.as_root(connection, (scheme.ccid, scheme.ccid)), 0, "a connection there")
    check(not remove(scheme.module), "the container does not hold the module")
    box.end()
    unload(scheme.module, 60)


@test("a user without privilege in a namespace reads its sysctls, and writes none")
def read_only():
    Network()

    def read_and_write():
        check(sysctl("available_ccids"), "available_ccids is empty")
        for name in *(f"default.{name}" for name in DEFAULTS), "allowed_ccids":
            before = sysctl(name)
            check_error(errno.EACCES, sysctl, name, before or "2")
    for end in "client", None:
        with inside(end) if end else contextlib.nullcontext():
            check_equal(as_user(read_and_write), 0, f"status of the user in {end}")


@test("a sysctl that is open when its namespace ends cannot be read or set any more")
def outlived():
    net = Network()
    with inside("client"):
        files = [os.open("/proc/sys/net/dccp/" + name, os.O_RDWR) for name in (
            *(f"default/{name}" for name in DEFAULTS), "allowed_ccids", "udp_port", "encap_port")]
    at_end.append(lambda: [os.close(file) for file in files])
    for file in files:
        os.pread(file, 100, 0)
    net.delete()

    def ended():
        with contextlib.suppress(FileNotFoundError):
            os.pread(files[-1], 100, 0)
            return False
        return True
    check(wait_for(ended, 300, 0.1), "the namespace does not end")
    for file in files:
        check_error(errno.ENOENT, os.pread, file, 100, 0)
        check_error(errno.ENOENT, os.write, file, b"2")


# ---------------------------------------------------------------- modules

@test("a namespace that ends lets the modules of its defaults go", None, SCHEMES)
def ends(scheme):
    def live(pipe, *writes):
        if libc.unshare(CLONE_NEWNET):
            raise Failure("unshare")
        for name, value in writes:
            sysctl(name, value)
        os.write(pipe, b"y")
        signal.pause()

    ready, told = os.pipe()
    at_end.append(lambda: (os.close(ready), os.close(told)))
    for writes in ([("default.tx_ccid", scheme.ccid)], [("default.rx_ccid", scheme.ccid)],
                   [("default.tx_ccid", scheme.ccid), ("default.rx_ccid", scheme.ccid)]):
        unload(scheme.module, 60)
        pid = spawn(live, told, *writes)
        check_equal(os.read(ready, 1), b"y", "what it says")
        check_equal(references(scheme.module), len(writes), "references")
        check(not remove(scheme.module), "the namespace does not hold the module")
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    unload(scheme.module, 60)


@test("namespaces that inherit a default hold the module, too", None, SCHEMES)
def inherited(scheme):
    sysctl("default.tx_ccid", scheme.ccid)
    net = Network()
    check_equal(references(scheme.module), 4, "references of four namespaces")
    for path in "/proc/sys/net/dccp/default/tx_ccid", :
        with open(path, "w", encoding="ascii") as file:
            file.write("2")
    check_equal(references(scheme.module), 3, "references of three namespaces")
    c, s = net.pair()
    check_equal(get_ccids(c)[0], 2, "a server whose rx_ccid is 2 has its way")
    c.close()
    s.close()
    net.delete()
    unload(scheme.module, 60)


@test("namespaces come and go, defaults change, modules are removed", timeout=600)
def churn():
    """Whoever is late: at the end nothing holds a module."""
    names = [s.module for s in SCHEMES]
    numbers = [2, 3] + [s.ccid for s in SCHEMES]

    def live(seed):
        dice = random.Random(seed)
        while True:
            if libc.unshare(CLONE_NEWNET):
                error = ctypes.get_errno()
                check_equal(errno.errorcode[error], "ENOSPC", "unshare")
                time.sleep(0.1)     # too many have not ended yet
            for _ in range(dice.randrange(4)):
                with contextlib.suppress(OSError):
                    sysctl(dice.choice(("default.tx_ccid", "default.rx_ccid", "allowed_ccids")),
                           dice.choice(numbers))
            with contextlib.suppress(OSError), \
                    socket.socket(socket.AF_INET, SOCK_DCCP, IPPROTO_DCCP) as s:
                s.setsockopt(SOL_DCCP, CCID, ccids(dice.choice(numbers)))
            time.sleep(dice.random() * 0.02)
    children = [spawn(live, seed) for seed in range(3)]
    dice, removed = random.Random(9), 0
    for _ in range(CYCLES):
        with contextlib.suppress(OSError):
            sysctl(dice.choice(("default.tx_ccid", "default.rx_ccid")), dice.choice(numbers))
        removed += remove(dice.choice(names))
        time.sleep(dice.random() * 0.02)
    check_equal([os.waitpid(c, os.WNOHANG)[0] for c in children], [0] * 3, "ended by themselves")
    note(f"a module was removed {removed} times")
    clean_up()      # ends the children
    for name in "tx_ccid", "rx_ccid":
        sysctl("default." + name, 2)
    for name in names:
        unload(name, 100)


# ---------------------------------------------------------------- allowed_ccids

def ask(s, *numbers, option=CCID):
    s.setsockopt(SOL_DCCP, option, ccids(*numbers))


@test("allowed_ccids restricts what users ask for, in its namespace", None, SCHEMES)
def allowed(scheme):
    load(scheme.module)
    net = Network()
    c, elsewhere = net.open("client"), net.open("server")
    n = scheme.ccid
    check_equal(sysctl("allowed_ccids", end="client"), "", "allowed_ccids at first")
    check_equal(as_user(ask, c, n), 0, "without a list")
    sysctl("allowed_ccids", "3", "client")
    for option in CCID, TX_CCID, RX_CCID:
        for numbers in (n,), (3, n), (n, 3):
            check_equal(as_user(lambda o=option, n=numbers: ask(c, *n, option=o)), errno.EPERM,
                        f"a user who asks for {numbers}")
        for numbers in (3,), (2,), (2, 3):      # 2 is what the defaults name
            check_equal(as_user(lambda o=option, n=numbers: ask(c, *n, option=o)), 0,
                        f"a user who asks for {numbers}")
        ask(c, n, 2, option=option)     # root
        check_equal(as_user(lambda o=option: ask(elsewhere, n, option=o)), 0,
                    "a user in another namespace")
    # What was refused has changed nothing: this is what root has asked for.
    listener = net.listen(options=[(CCID, ccids(3, n))])
    check_equal(as_user(ask, c, n), errno.EPERM, "a user")
    check_equal(as_user(ask, c, 2, n), errno.EPERM, "a user")
    c.connect(listener.getsockname())
    check_equal(get_ccids(c), (n, n), "the client's (tx, rx)")
    # The defaults are allowed, of either direction.
    for name in "tx_ccid", "rx_ccid":
        with net.open("client") as s:
            check_equal(as_user(ask, s, n), errno.EPERM, "a user")
            sysctl("default." + name, n, "client")
            check_equal(as_user(ask, s, n), 0, f"a user who asks for the default {name}")
            sysctl("default." + name, 2, "client")
    for text in "", f"{scheme.name} 3", f" 3\t{n} ":
        sysctl("allowed_ccids", "3", "client")
        sysctl("allowed_ccids", text, "client")
        with net.open("client") as s:
            check_equal(as_user(ask, s, n, 2), 0, f"a user with allowed_ccids = {text!r}")


@test("allowed_ccids takes numbers and names of what there is, and otherwise stays as it is",
      None, SCHEMES)
def lists(scheme):
    Network()
    sysctl("allowed_ccids", "2 3", "client")
    for text, error in (("2 247", errno.EOPNOTSUPP), ("2 mark", errno.EOPNOTSUPP),
                        ("2 256", errno.EINVAL), ("-1", errno.EINVAL), ("2,3", errno.EINVAL),
                        ("3 :", errno.EINVAL), ("3 " * 600, errno.EINVAL),
                        ("2\n3", errno.EINVAL), ("\n3\n", errno.EINVAL),
                        ("2\0 3", errno.EINVAL),
                        ("2x", errno.EINVAL), ("3 TFRC x", errno.EOPNOTSUPP)):
        check_error(error, sysctl, "allowed_ccids", text, "client")
        check_equal(sysctl("allowed_ccids", end="client"), "2 3", f"after {text[:20]!r}")
    for text in scheme.ccid, f"3  {scheme.name}":
        unload(scheme.module)
        sysctl("allowed_ccids", text, "client")
        check(loaded(scheme.module), "it was not loaded")
        check(str(scheme.ccid) in sysctl("allowed_ccids", end="client").split(), "not in the list")
        check_equal(references(scheme.module), 0, "references: a list holds nothing")
    sysctl("allowed_ccids", "3 3 2 3", "client")
    check_equal(sysctl("allowed_ccids", end="client"), "2 3", "a list with repetitions")
    sysctl("allowed_ccids", "", "client")
    check_equal(sysctl("allowed_ccids", end="client"), "", "an empty list")


@test("allowed_ccids does not restrict root of a container in his own namespace")
def own_root():
    box = Container()
    check_equal(box.as_root(sysctl, "allowed_ccids", "3"), 0, "allowed_ccids")

    def choose(s=None):
        with s or socket.socket(socket.AF_INET, SOCK_DCCP, IPPROTO_DCCP) as mine:
            ask(mine, 2)
    check_equal(box.as_root(sysctl, "default.tx_ccid", "3"), 0, "tx_ccid")
    check_equal(box.as_root(sysctl, "default.rx_ccid", "3"), 0, "rx_ccid")
    check_equal(box.as_root(choose), 0, "root of the container")
    # A socket of the first namespace, which a container was given, is not his.
    sysctl("allowed_ccids", "3")
    at_end.append(lambda: sysctl("allowed_ccids", ""))
    sysctl("default.tx_ccid", 3)
    sysctl("default.rx_ccid", 3)
    with socket.socket(socket.AF_INET, SOCK_DCCP, IPPROTO_DCCP) as given:
        check_equal(box.as_root(choose, given), errno.EPERM, "a socket of the first namespace")


if __name__ == "__main__":
    if not loaded("dccp") and not os.geteuid():
        # On a machine that is not prepared main() says so.
        try:
            ALONE = core_alone()
        except (Failure, Skip) as e:
            ALONE = str(e)
        try:
            TAKEN = port_taken()
        except (Failure, Skip) as e:
            TAKEN = str(e)
    main()
