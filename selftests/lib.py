# SPDX-License-Identifier: GPL-2.0-only
"""What the tests share: the network, sockets, TAP.

Every test runs in a network of its own, made of three namespaces:

    ┌──────────────┐            ┌────────────────────────────┐            ┌──────────────┐
    │ client       │            │ router                     │            │ server       │
    │              │            │                            │            │              │
    │         eth0 ├────────────┤ to-client        to-server ├────────────┤ eth0         │
    │     10.9.1.1 │            │ 10.9.1.254      10.9.2.254 │            │ 10.9.2.1     │
    │    fd09:1::1 │            │ fd09:1::fe      fd09:2::fe │            │ fd09:2::1    │
    └──────────────┘            └────────────────────────────┘            └──────────────┘

Only the router shapes the links, so a capture at an end (capture.py) shows when that end
sent and received. 10.9.3.1 and fd09:3::1 are routed to the client, but they are addresses
of no interface. A raw peer uses them (rawpeer.py).
"""
import contextlib
import ctypes
import errno
import fcntl
import functools
import glob
import mmap
import os
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import traceback
import types

import dccp_ccids
from dccp_ccids import IPPROTO_DCCP, SOCK_DCCP, SOL_DCCP, CcidRxInfo, CcidTxInfo, ccid_name
from schemes import SCHEMES

# HERE is the folder of the test. TOP is the repository, also if the test is a link
# (README.rst).
HERE = os.path.dirname(os.path.abspath(sys.argv[0]))
TOP = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))

(SERVICE, GET_CUR_MPS, AVAILABLE_CCIDS, CCID, TX_CCID, RX_CCID, QPOLICY_ID, QPOLICY_TXQLEN,
 ENCAP_PORT, RX_INFO, TX_INFO, RX_PRESET, TX_PRESET) = (
    getattr(dccp_ccids, f"DCCP_SOCKOPT_{name}") for name in (
        "SERVICE GET_CUR_MPS AVAILABLE_CCIDS CCID TX_CCID RX_CCID QPOLICY_ID QPOLICY_TXQLEN "
        "ENCAP_PORT CCID_RX_INFO CCID_TX_INFO CCID_RX_PRESET CCID_TX_PRESET").split())
SERVICE_CODE = struct.pack("!I", 1885957735)
BUILT_IN = [2, 3]
FAMILIES = [socket.AF_INET, socket.AF_INET6]

# Without virtual time the tests take long. So they run with one scheme and one family
# there. User Mode Linux tests all of them.
with open("/proc/cpuinfo", encoding="ascii", errors="replace") as cpuinfo:
    UML = "User Mode Linux" in cpuinfo.read()
if not UML:
    SCHEMES, FAMILIES = SCHEMES[:1], FAMILIES[:1]


# ---------------------------------------------------------------- TAP

class Failure(Exception):
    pass


class Skip(Exception):
    pass


def check(condition, message):
    if not condition:
        raise Failure(message)


def check_equal(value, expected, what):
    check(value == expected, f"{what}: {value!r}, expected {expected!r}")


def check_error(number, function, *args):
    """Check that the call fails with this errno, or with one of a tuple. Returns it."""
    numbers = number if isinstance(number, tuple) else (number,)
    names = " or ".join(errno.errorcode[n] for n in numbers)
    try:
        function(*args)
    except OSError as e:
        got = e.errno or errno.EAGAIN   # Python's own timeouts have none
        check(got in numbers, f"{errno.errorcode.get(got, got)}, expected {names}")
        return got
    raise Failure(f"succeeded, expected {names}")


def need(*things):
    """Skip the test unless these are there: programs (a name or a path) or files."""
    for thing in things:
        if not shutil.which(thing) and not os.path.exists(thing):
            raise Skip(f"{os.path.relpath(thing, TOP)} is not there (make tools media)"
                       if os.path.isabs(thing) else f"{thing} is not installed")


def presets_of(module):
    """Names of the presets of a module in their order, from its sources."""
    source = os.path.join(TOP, module, "params.c")
    need(source)
    with open(source, encoding="utf-8") as file:
        table = re.search(r"_presets\[\] = (.*?)^\};", file.read(), re.M | re.S)[1]
    return re.findall(r'\{\s+"([a-z-]+)"', table)


def preset_names(schemes):
    """Names of all presets of the schemes."""
    return {name for scheme in schemes for name in presets_of(scheme.module)}


def note(text):
    for line in str(text).splitlines():
        print("#", line, flush=True)


tests = []


def test(description, families=None, schemes=None, timeout=300):
    """Make a function a test. It runs once for each of the families and schemes given."""
    def mark(function):
        for scheme in schemes or [None]:
            for family in families or [None]:
                args, name = [], description
                if scheme:
                    args.append(scheme)
                    name += f", {scheme}"
                if family:
                    args.append(family)
                    name += ", IPv6" if family == socket.AF_INET6 else ", IPv4"
                tests.append((name, function, args, timeout))
        return function
    return mark


def overdue(_signal, _frame):
    raise Failure("took too long")


def run_test(function, args, timeout):
    signal.signal(signal.SIGALRM, overdue)
    # In QEMU time is real, and the host may be slow; or it is virtual, and passes at any
    # speed while the guest waits for a file of the host. So there is no limit here. lab/run
    # ends a test that hangs.
    in_qemu = "LAB_KERNEL" in os.environ and not UML
    signal.alarm(0 if in_qemu else timeout)
    try:
        defaults()
        function(*args)
    finally:
        signal.alarm(0)
        defaults()      # namespaces hold the CCIDs that they prefer, also while they end
        clean_up()


def main():
    """Run the tests, or those whose description contains one of the arguments."""
    wanted = [t for t in tests
              if len(sys.argv) < 2 or any(a in t[0] for a in sys.argv[1:])]
    print("TAP version 13", flush=True)
    reason = prepare()
    if reason:
        print(f"1..0 # SKIP {reason}")
        sys.exit(4)
    print(f"1..{len(wanted)}", flush=True)
    failed = 0
    for number, (name, function, args, timeout) in enumerate(wanted, 1):
        result, suffix = "ok", ""
        try:
            run_test(function, args, timeout)
        except Skip as e:
            suffix = f" # SKIP {e}"
        except Failure as e:
            note(e)
            where = traceback.extract_tb(e.__traceback__)
            note("at " + ", ".join(f"line {f.lineno} ({f.name})" for f in where
                                   if f.filename == os.path.abspath(sys.argv[0])))
            result = "not ok"
        except Exception:       # a bug of the test, or of what it tests
            note(traceback.format_exc())
            result = "not ok"
        failed += result != "ok"
        print(f"{result} {number} {name}{suffix}", flush=True)
    sys.exit(1 if failed else 0)


def header(path, key, default):
    """The words after 'Key:' in one of the comments at the head of a test."""
    with open(path, encoding="utf-8") as f:
        head = "".join(f.readlines()[:20])
    m = re.search(rf"^#.*\b{key}: *(.*)", head, re.M)
    return m[1].split() if m else default


def may_unshare():
    """Whether this process may make a network namespace."""
    pid = os.fork()
    if not pid:
        os._exit(1 if libc.unshare(CLONE_NEWNET) else 0)
    return os.waitpid(pid, 0)[1] == 0


def read_own_files():
    """Read all files that this program has mapped, so that the guest has them in memory.

    A later read would make the guest wait for the host, while QEMU's virtual time passes.
    """
    for path in re.findall(r" (/\S+)$", read("/proc/self/maps"), re.M):
        with open(path, "rb") as file:
            while file.read(1 << 20):
                pass


def prepare():
    """Load what every test needs. Returns None, or why that is impossible."""
    if os.geteuid():
        return "must be run as root"
    elsewhere = not UML and "LAB_KERNEL" not in os.environ
    if elsewhere and set(header(sys.argv[0], "Kernels", ["uml"])) <= {"uml"}:
        return "it needs the virtual time of User Mode Linux: lab/run"
    if not shutil.which("ip") or not shutil.which("modprobe"):
        return "needs the packages iproute2 and kmod"
    if read("/proc/self/uid_map").split() != ["0", "0", "4294967295"]:
        return "it needs the first user namespace, whose root may load modules"
    if not may_unshare():
        return "no network namespace can be made here: is this a container?"
    for module in "dccp_ipv4", "dccp_ipv6":
        # A container may have no file of a module that is loaded.
        if run("modprobe", module, may_fail=True).returncode and not loaded(module):
            return f"cannot load {module}"
    if not os.path.exists("/proc/sys/net/dccp/available_ccids"):
        return "this DCCP has no loadable CCIDs"
    if not os.access("/proc/sys/net/dccp/default/tx_ccid", os.W_OK):
        return "the sysctls of DCCP cannot be written here: is this a container?"
    if os.environ.get("LAB_TIME") == "skips":
        read_own_files()
    return None


# ---------------------------------------------------------------- the machine

at_end = []                     # functions to call after a test, the last one first


def clean_up():
    while at_end:
        at_end.pop()()


def run(*command, may_fail=False, text=None):
    need(command[4] if command[:3] == ("ip", "netns", "exec") else command[0])
    done = subprocess.run(command, input=text, text=True, check=False, capture_output=True)
    if done.returncode and not may_fail:
        raise Failure(f"{' '.join(command)}: {done.stderr.strip()}")
    return done


def read(path):
    with open(path, encoding="ascii") as file:
        return file.read().strip()


def write(path, value):
    with open(path, "w", encoding="ascii") as file:
        file.write(f"{value}\n")


def sysctl(name, value=None, end=None):
    """Read a sysctl of DCCP, or set it.

    Each namespace has its own, and begins with those of the first one. A default is set in
    all that there are, unless an end is named.
    """
    path = "/proc/sys/net/dccp/" + name.replace(".", "/")
    with inside(end) if end else contextlib.nullcontext():
        if value is None:
            return read(path)
        write(path, value)
    if not end and name.startswith("default."):
        for other in glob.glob("/run/netns/*"):
            with inside(os.path.basename(other)):
                write(path, value)
    return None


def defaults():
    for name, value in (("tx_ccid", 2), ("rx_ccid", 2), ("tx_qlen", 5),
                        ("seq_window", 100), ("request_retries", 6), ("retries2", 15)):
        sysctl("default." + name, value)
    sysctl("max_orphans", 4096)


def parameter(scheme, name, value=None):
    """Read a module parameter, or set it for the rest of the test."""
    load(scheme.module)
    path = f"/sys/module/{scheme.module}/parameters/{name}"
    if value is None:
        return read(path)
    at_end.append(lambda before=read(path): write(path, before))
    write(path, value)
    return None


def loaded(module):
    return os.path.isdir(f"/sys/module/{module}")


def references(module):
    return int(read(f"/sys/module/{module}/refcnt"))


def load(module):
    run("modprobe", module)


def remove(module):
    """Remove a module by a system call, since rmmod takes time to start.

    Returns whether that was possible.
    """
    return libc.syscall(DELETE_MODULE, module.encode(), os.O_NONBLOCK) == 0


def unload(module, seconds=1):
    """Remove a module, which must become unused within some seconds."""
    check(wait_for(lambda: not loaded(module) or remove(module), seconds),
          f"{module} cannot be removed after {seconds} s, it has "
          f"{references(module) if loaded(module) else 0} references")


class Held:
    """Counts sockets and namespaces, by the references to dccp_ipv4 and dccp_ipv6.

    Each socket has a reference to one of these modules, and each namespace has a socket of
    both. Make this object before the first socket and the first namespace of a test.
    """
    at_first = None
    limit = 200 if UML else 1000        # timers, and what a slow host adds if time is real

    def __init__(self):
        Held.at_first = Held.at_first or self.now()
        check(wait_for(lambda: self.now() == Held.at_first, self.limit, 0.1),
              f"references {self.now()} before the test, {Held.at_first} before the first test")

    @staticmethod
    def now():
        return references("dccp_ipv4"), references("dccp_ipv6")

    def check(self):
        """End the test's sockets and namespaces, and check that they are gone."""
        sysctl("default.retries2", 3)   # for sockets whose peer will be gone
        clean_up()
        check(wait_for(lambda: self.now() == Held.at_first, self.limit, 0.1),
              f"references {self.now()} after {self.limit} s, at first {Held.at_first}")


def wait_for(condition, seconds, step=0.01):
    """Wait until the condition holds; False if it does not at the end of that time.

    A condition may take long to ask for: what counts is the state at the end.
    """
    end = time.monotonic() + seconds
    while True:
        over = time.monotonic() >= end
        if condition():
            return True
        if over:
            return False
        time.sleep(step)


def slab():
    """Bytes in the kernel's object caches, without empty slabs."""
    # This frees empty slabs, and the freed objects that KASAN keeps.
    for cache in glob.glob("/sys/kernel/slab/*/shrink"):
        write(cache, 1)
    return next(int(line.split()[1]) * 1024 for line in read("/proc/meminfo").splitlines()
                if line.startswith("SUnreclaim:"))


def settle():
    """Wait until what ended before, such as a namespace, has given its memory back."""
    def changes():
        before = slab()
        time.sleep(0.5)
        return before != slab()
    wait_for(lambda: not changes(), 10, 0.5)


@functools.cache
def _rdtsc():
    code = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(bytes.fromhex("0f31 48c1e220 4809d0 c3"))     # rdtsc; rdx:rax to rax; ret
    function = ctypes.CFUNCTYPE(ctypes.c_uint64)(
        ctypes.addressof(ctypes.c_char.from_buffer(code)))
    function.code = code
    return function


def processor_cycles():
    """The time stamp counter of the host's processor. Virtual time does not affect it."""
    return _rdtsc()()


def spawn(function, *args):
    """Run a function in another process, which is killed at the end of the test."""
    pid = os.fork()
    if not pid:
        try:
            signal.alarm(0)
            function(*args)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)

    def end():
        with contextlib.suppress(ProcessLookupError, ChildProcessError):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
    at_end.append(end)
    return pid


# ---------------------------------------------------------------- the network

libc = ctypes.CDLL(None, use_errno=True)
CLONE_NEWNET = 0x40000000
DELETE_MODULE = 176
SIOCGIFFLAGS, IFF_RUNNING = 0x8913, 0x40
home = os.open("/proc/self/ns/net", os.O_RDONLY)


@contextlib.contextmanager
def inside(namespace):
    there = os.open(f"/run/netns/{namespace}", os.O_RDONLY)
    try:
        if libc.setns(there, CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), f"setns {namespace}")
        yield
    finally:
        libc.setns(home, CLONE_NEWNET)
        os.close(there)


def is_running(s, device):
    """Whether an interface is in the state RUNNING. Until then it drops packets."""
    request = struct.pack("16sH14x", device.encode(), 0)
    flags = struct.unpack_from("16xH", fcntl.ioctl(s, SIOCGIFFLAGS, request))[0]
    return flags & IFF_RUNNING


def ip(commands, namespace=None):
    """Run several commands of ip by one program, because starting programs takes long."""
    where = ["-n", namespace] if namespace else []
    run("ip", *where, "-batch", "-", text=commands)


MAC = {"client": "02:00:00:00:01:01", "to-client": "02:00:00:00:01:fe",
       "server": "02:00:00:00:02:01", "to-server": "02:00:00:00:02:fe"}
DEVICES = (("client", "eth0"), ("router", "to-client"),
           ("router", "to-server"), ("server", "eth0"))


class Network:
    """The three namespaces, for the duration of one test."""

    def __init__(self):
        at_end.append(self.delete)
        self.delete()
        ip("""netns add client
              netns add router
              netns add server""")
        for name in "client", "router", "server":
            with inside(name):
                write("/proc/sys/net/ipv6/conf/default/accept_dad", 0)
                write("/proc/sys/net/ipv6/conf/default/router_solicitations", 0)
                if name == "router":
                    write("/proc/sys/net/ipv4/ip_forward", 1)
                    write("/proc/sys/net/ipv6/conf/all/forwarding", 1)
        ends = {1: "client", 2: "server"}
        ip("".join(f"""
            link add to-{end} netns router address {MAC["to-" + end]} txqueuelen 10000 \
                type veth peer name eth0 netns {end} address {MAC[end]}"""
                   for end in ends.values()))
        ip("".join(f"""
            address add 10.9.{number}.254/24 dev to-{end}
            address add fd09:{number}::fe/64 dev to-{end} nodad
            link set to-{end} up
            neigh add 10.9.{number}.1 lladdr {MAC[end]} dev to-{end}
            neigh add fd09:{number}::1 lladdr {MAC[end]} dev to-{end}"""
                   for number, end in ends.items()) + """
            route add 10.9.3.0/24 via 10.9.1.1
            route add fd09:3::/64 via fd09:1::1""", "router")
        for number, end in ends.items():
            gate = MAC["to-" + end]
            ip(f"""
                link set lo up
                address add 10.9.{number}.1/24 dev eth0
                address add fd09:{number}::1/64 dev eth0 nodad
                link set eth0 up
                neigh add 10.9.{number}.254 lladdr {gate} dev eth0
                neigh add fd09:{number}::fe lladdr {gate} dev eth0
                route add default via 10.9.{number}.254
                route add ::/0 via fd09:{number}::fe""", end)
        if os.cpu_count() > 1:
            self.keep_order()
        for name, device in DEVICES:
            with inside(name), socket.socket(type=socket.SOCK_DGRAM) as s:
                check(wait_for(lambda s=s, device=device: is_running(s, device), 60, step=0.001),
                      f"{device} of {name} is not up")

    @staticmethod
    def keep_order(keep=True):
        """Let one processor receive all packets of a device.

        Otherwise veth receives a packet on the processor that sent it, and packets from two
        processors may overtake each other. If a Close overtakes the last data, this data is
        lost. A test that wants packets out of order uses netem.
        """
        for number, (name, device) in enumerate(DEVICES):
            run("ip", "netns", "exec", name, "sh", "-c", f"echo {keep << number % 2} "
                f">/sys/class/net/{device}/queues/rx-0/rps_cpus")

    @staticmethod
    def delete():
        there = [n for n in ("client", "router", "server") if os.path.exists(f"/run/netns/{n}")]
        if there:
            ip("".join(f"netns delete {name}\n" for name in there))

    @staticmethod
    def shape(end, *qdiscs):
        """Shape what goes to an end: the root qdisc first, then its children.

        A root without children is changed in place, and keeps its packets.
        """
        device = ["dev", "to-" + end]
        if len(qdiscs) == 1:
            Network.tc("qdisc", "replace", *device, "root", *qdiscs[0].split())
            return
        Network.tc("qdisc", "delete", *device, "root", may_fail=True)
        for number, qdisc in enumerate(qdiscs):
            place = ["parent", f"{number}:1"] if number else ["root"]
            Network.tc("qdisc", "add", *device, *place, "handle", f"{number + 1}:",
                       *qdisc.split())

    @staticmethod
    def lose(every, end="server"):
        """Drop every n-th packet to an end; none with 0."""
        Network.tc("qdisc", "replace", "dev", "to-" + end, "clsact")
        Network.tc("filter", "delete", "dev", "to-" + end, "egress", may_fail=True)
        if every:
            Network.tc("filter", "add", "dev", "to-" + end, "egress", "matchall",
                       "action", "gact", "pass", "random", "determ", "drop", str(every))

    @staticmethod
    def tc(*arguments, may_fail=False):
        done = run("tc", "-n", "router", *arguments, may_fail=True)
        if re.search(r"qdisc.* (unknown|not found)|classifier not found|TC action", done.stderr):
            raise Skip(f"this kernel does not have all of 'tc {' '.join(arguments)}'")
        check(may_fail or not done.returncode, f"tc {' '.join(arguments)}: {done.stderr.strip()}")
        return done.stdout

    @staticmethod
    def address(end, family):
        number = {"client": 1, "server": 2, "nobody": 3}[end]
        return (f"10.9.{number}.1" if family == socket.AF_INET
                else f"fd09:{number}::1")

    @staticmethod
    def open(end, family=socket.AF_INET, options=()):
        """A DCCP socket at an end, with (name, value) options set."""
        with inside(end):
            s = socket.socket(family, SOCK_DCCP, IPPROTO_DCCP)
        at_end.append(s.close)
        s.setsockopt(SOL_DCCP, SERVICE, SERVICE_CODE)
        for name, value in options:
            s.setsockopt(SOL_DCCP, name, value)
        return s

    def listen(self, family=socket.AF_INET, options=(), port=5001):
        s = self.open("server", family, options)
        s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        s.bind((self.address("server", family), port))
        s.listen(200)
        return s

    def connect(self, family=socket.AF_INET, options=(), port=5001):
        s = self.open("client", family, options)
        s.connect((self.address("server", family), port))
        return s

    def pair(self, family=socket.AF_INET, client=(), server=()):
        """A connection: the client's socket and the server's."""
        listener = self.listen(family, server)
        c = self.connect(family, client)
        s = accept(listener)
        listener.close()
        return c, s


def ends_with_test(process):
    """Kill the process at the end of the test if it still runs. Returns the process."""
    def stop():
        if process.poll() is None:
            process.kill()
        process.wait()
    at_end.append(stop)
    return process


def start(end, *command):
    """Start a program at an end of the network."""
    need(command[0])
    process = subprocess.Popen(["ip", "netns", "exec", end, *command], text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return ends_with_test(process)


def shell(end, command, stdout=subprocess.PIPE, stderr=subprocess.PIPE):
    """Start a pipeline at an end of the network."""
    process = subprocess.Popen(["ip", "netns", "exec", end, "bash", "-c",
                                f"set -o pipefail; {command}"], text=True,
                               stdout=stdout, stderr=stderr)
    return ends_with_test(process)


def folder():
    work = tempfile.TemporaryDirectory()
    at_end.append(work.cleanup)
    return work.name


def preload(source):
    """The start of a command that runs with these functions in place of the C library's."""
    need("cc")
    work = folder()
    write(f"{work}/preload.c", source)
    run("cc", "-shared", "-fPIC", "-o", f"{work}/preload.so", f"{work}/preload.c")
    return "env", f"LD_PRELOAD={work}/preload.so"


# For preload(): a name with two addresses, that of FIRST and the server's
TWO_ADDRESSES = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>

typedef int look_up(const char *, const char *, const struct addrinfo *, struct addrinfo **);

int getaddrinfo(const char *name, const char *port, const struct addrinfo *hints,
		struct addrinfo **found)
{
	look_up *real = (look_up *)dlsym(RTLD_NEXT, "getaddrinfo");
	int err;

	if (strcmp(name, "two.invalid"))
		return real(name, port, hints, found);
	err = real(getenv("FIRST"), port, hints, found);
	return err ? err : real("10.9.2.1", port, hints, &(*found)->ai_next);
}
"""


def duration(path):
    """Seconds of video that ffmpeg can decode, of a damaged stream too."""
    done = subprocess.run(["ffmpeg", "-nostdin", "-v", "info", "-i", path, "-f", "null", "-"],
                          stderr=subprocess.PIPE, text=True, check=False)
    times = re.findall(r"frame= *(\d+)", done.stderr)
    check(times, f"nothing to decode: {done.stderr[-500:]}")
    return int(times[-1]) / 25


def listens(protocol, port, end="server"):
    """Whether a socket at this end listens on this port."""
    return f":{port} " in run("ip", "netns", "exec", end, "ss", "-lnH", f"--{protocol}").stdout


def accept(listener):
    """Wait for a connection, because another processor may still handle its first packet."""
    check(select.select([listener], [], [], 60)[0], "no connection to accept in 60 s")
    s, _ = listener.accept()
    at_end.append(s.close)
    return s


# ---------------------------------------------------------------- sockets

def ccids(*numbers):
    return bytes(numbers)


def get_ccids(s):
    """The CCIDs in use, as the socket says: for sending, for receiving."""
    return (s.getsockopt(SOL_DCCP, TX_CCID), s.getsockopt(SOL_DCCP, RX_CCID))


def disconnect(s):
    """connect() to AF_UNSPEC, which socket.connect() does not support."""
    if libc.connect(s.fileno(), bytes(16), 16):
        raise OSError(ctypes.get_errno(), "connect() to AF_UNSPEC")


TX_INFO_SIZE, RX_INFO_SIZE = ctypes.sizeof(CcidTxInfo), ctypes.sizeof(CcidRxInfo)
# What CCID 3 returns: struct tfrc_tx_info (40 bytes with padding, 36 without, as 32-bit
# programs have it) and struct tfrc_rx_info
TX_INFO_LEAST, RX_INFO_LEAST = 36, 12


def state(s, structure):
    """A structure that getsockopt() fills in, as attributes: those of all schemes, and its own."""
    data = s.getsockopt(SOL_DCCP, structure.OPTION, ctypes.sizeof(structure))
    info = structure.from_buffer_copy(data.ljust(ctypes.sizeof(structure), b"\0"))
    own = getattr(info, ccid_name(info.ccid), ())
    return types.SimpleNamespace(**dict(info), **dict(own))


def tx_info(s):
    return state(s, CcidTxInfo)


def rx_info(s):
    return state(s, CcidRxInfo)


def send_one(s, size=1000):
    """Send a packet if that is possible at once. Returns the number of bytes sent."""
    try:
        return s.send(bytes(size), socket.MSG_DONTWAIT)
    except BlockingIOError:
        return 0


def fill(s, size=1000):
    """Send numbered packets until send() would block. Returns how many."""
    for number in range(1000):
        try:
            s.send(number.to_bytes(4, "big") + bytes(size - 4), socket.MSG_DONTWAIT)
        except BlockingIOError:
            return number
    return 1000


def drain(s):
    """Read and discard data, in another process."""
    buffer = bytearray(65536)

    def loop():
        with contextlib.suppress(OSError):
            while s.recv_into(buffer):
                pass
    return spawn(loop)
