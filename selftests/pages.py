#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Timeout: 900
"""Runs the commands of README, of the pages and of the manuals as they are written there."""
import os
import re
import subprocess
import sys
import textwrap
from socket import AF_INET

from lib import (TOP, Network, Skip, at_end, check, check_equal, duration, folder, ip, listens,
                 main, need, read, run, shell, start, sysctl, test, wait_for)

TOOLS = os.path.join(TOP, "build/tools")
MEDIA = os.path.join(TOP, "examples/media.py")
SOURCE = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25"]
ENCODE = ["-c:v", "libx264", "-tune", "zerolatency", "-b:v", "300k", "-maxrate", "300k",
          "-bufsize", "150k", "-g", "25"]
# What "apt install dccp-ccids" would have put where programs and compilers look.
INSTALLED = {**os.environ, "PATH": f"{TOOLS}:{TOP}/tools:{os.environ['PATH']}",
             "C_INCLUDE_PATH": os.path.join(TOP, "include/uapi")}


def page(name):
    path = os.path.join(TOP, name)
    need(path)
    with open(path, encoding="utf-8") as file:
        return file.read()


def indented(name):
    """The indented blocks of README or of a page, in their order."""
    blocks, before = [[]], ""
    for line in page(name).split("\n"):
        if line.startswith("   ") and (blocks[-1] or not before):
            blocks[-1].append(line)
        elif not line and blocks[-1]:
            blocks[-1].append(line)
        elif blocks[-1]:
            blocks.append([])
        before = line
    return [textwrap.dedent("\n".join(block)).strip() + "\n" for block in blocks]


def literal(name):
    """The blocks of a manual between .nf and .fi, as man shows them."""
    blocks = re.findall(r"^\.nf\n(.*?)^\.fi", page(name), re.M | re.S)
    return [re.sub(r"^\.R[SE]\n", "", block, flags=re.M).replace("\\-", "-").replace("\\e", "\\")
            for block in blocks]


def one(blocks, *words):
    """The only block that has these words."""
    found = [b for b in blocks if all(w in b for w in words)]
    check_equal(len(found), 1, f"blocks with {words}")
    return found[0]


def compile_and_run(end, snippets, last, *options):
    """The snippets, one after the other, as a function; then what shows that they worked."""
    need("cc")
    work = folder()
    text = "".join(snippets)
    includes = re.findall(r"^#include.*\n", text, re.M)
    body = re.sub(r"^#include.*\n", "", text, flags=re.M)
    with open(f"{work}/snippet.c", "w", encoding="utf-8") as file:
        file.write("".join(includes) + f"#include <stdio.h>\nint main(void)\n{{\n{body}\n{last}\n"
                   "return 0;\n}\n")
    done = subprocess.run(["cc", "-Wall", "-Werror", *options, "-o", f"{work}/snippet",
                           f"{work}/snippet.c"], env=INSTALLED, capture_output=True, text=True,
                          check=False)
    check_equal(done.returncode, 0, f"status of cc, which says {done.stderr}")
    program = start(end, f"{work}/snippet")
    said = program.communicate()[0]
    check_equal(program.returncode, 0, f"status of the program, which says {said}")
    return said


def receiver(*command):
    """A receiver in Python, in a network of its own, at the address that the page has."""
    Network()
    ip("address add 192.0.2.1/32 dev lo", "server")
    ip("route add 192.0.2.1/32 via 10.9.2.1", "router")
    server = start("server", sys.executable, *command)
    check(wait_for(lambda: listens("dccp", 5001), 60), "nothing listens")
    return server


@test("program.rst: its C connects to the receiver of the examples, and reads its state")
def program():
    blocks = indented("Documentation/howto/program.rst")
    receiver(MEDIA, "receive", "5001", "248")
    run("modprobe", "ccid_marc")
    said = compile_and_run("client", [one(blocks, "#include", "connect("),
                                      one(blocks, "DCCP_SOCKOPT_CCID_TX_INFO"),
                                      one(blocks, "DCCP_SOCKOPT_GET_CUR_MPS"),
                                      one(blocks, "DCCP_SOCKOPT_CCID_TX_PRESET"),
                                      one(blocks, "DCCP_SOCKOPT_MARC_TX")],
                           'par.delta_loss = par.target_delay = 0;\n'
                           'getsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_MARC_TX, &par, &par_len);\n'
                           'printf("%d %d %d %d", info.ccid, mps > 1000, par.target_delay, '
                           'par.delta_loss);')
    check_equal(said, "248 1 20 80", "CCID, the packet size, the preset, the parameter")


def later_header():
    """Options of cc for a header whose structures have grown, and for what nobody has set."""
    work = folder()
    os.makedirs(f"{work}/linux")
    text = page("include/uapi/linux/dccp_ccid.h")
    for name in "dccp_marc_tx_params", "dccp_ctfaf_constraints":
        text, found = re.subn(rf"^(struct {name} {{\n(?:\t.*\n)*)", r"\1\t__u32 later;\n", text,
                              flags=re.M)
        check_equal(found, 1, f"structs {name}")
    with open(f"{work}/linux/dccp_ccid.h", "w", encoding="utf-8") as file:
        file.write(text)
    return f"-I{work}", "-ftrivial-auto-var-init=pattern"


@test("program.rst, tune.rst: modules that are older than the header",
      schemes=["program", "tune"])
def older_modules(name):
    Network()
    run("modprobe", "-a", "dccp_ipv4", "ccid_marc")
    said = compile_and_run(
        "client", ["#include <arpa/inet.h>\n#include <linux/dccp_ccid.h>\n"
                   "uint8_t marc = DCCPC_MARC;\n"
                   "int fd = socket(AF_INET, SOCK_DCCP, IPPROTO_DCCP);\n"
                   "setsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_CCID, &marc, 1);\n",
                   one(indented(f"Documentation/howto/{name}.rst"), "DCCP_SOCKOPT_MARC_TX")],
        "struct dccp_marc_tx_params now;\nsocklen_t size = sizeof(now);\n"
        "getsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_MARC_TX, &now, &size);\n"
        'printf("%d", now.delta_loss);', *later_header())
    check_equal(said, "80", "the parameter")


@test("sender.c: modules that are older than the header")
def older_modules_sender():
    need("cc")
    work = folder()
    receiver(MEDIA, "receive", "5001", "252")
    run("modprobe", "ccid_ctfaf")
    subprocess.run(["cc", *later_header(), "-o", f"{work}/sender",
                    os.path.join(TOP, "examples/sender.c")], env=INSTALLED, check=True)
    program = start("client", f"{work}/sender", "192.0.2.1", "5001", "252", "1")
    said = program.communicate()[0]
    check_equal(program.returncode, 0, f"status of the sender, which says {said}")


def run_python(*snippets):
    """The snippets, one after the other, as a program of the client. What it says."""
    program = start("client", sys.executable, "-c", "\n".join(snippets))
    said = program.communicate()[0]
    check_equal(program.returncode, 0, f"status of the program, which says {said}")
    return said


@test("python.rst: its server and its client")
def python_connects():
    os.environ["PYTHONPATH"] = os.path.join(TOP, "python")
    blocks = indented("Documentation/howto/python.rst")
    run("modprobe", "ccid_marc")
    server = receiver("-c", one(blocks, "dccp.listen("))
    check_equal(run_python(one(blocks, "connection.drain(")), "marc\n", "what the client says")
    check_equal(server.communicate()[0], "5 bytes\n", "what the server says")


# Beside a loop without an end: ten seconds of the page's layers
STREAM_LAYERS = """
import os, sys, threading, time

def stream():
    for _ in range(500):
        for layer, rate in enumerate((15000, 15000, 30000), 1):
            connection.send_layer(bytes(rate // 50), layer)
        time.sleep(0.02)
    sys.stdout.flush()
    os._exit(0)

threading.Thread(target=stream).start()
"""


@test("python.rst: rate, parameters, encoder, layers, selectors, asyncio",
      schemes=["marc", "ctfaf", "dvrc"])
def python_uses(name):
    os.environ["PYTHONPATH"] = os.path.join(TOP, "python")
    blocks = indented("Documentation/howto/python.rst")
    run("modprobe", f"ccid_{name}")
    # As the page's server, with this CCID for both directions
    server = "-c", one(blocks, "dccp.listen(").replace('["marc", 3]', repr(name))
    receiver(*server)
    start_up = "import dccp_ccids as dccp"
    if name == "marc":
        said = run_python(start_up, 'connection = dccp.connect("192.0.2.1", 5001, ccid="marc")',
                          one(blocks, "allowed_rate()"), one(blocks, "dccp.MarcTxParams"),
                          'print("X is", "known" if connection.allowed_rate() else "0")')
        check("delta_loss=80" in said, f"it says {said}")
        check("X is known" in said, f"no packet was sent: {said}")
    elif name == "dvrc":
        connection = one(blocks, "send_layer(")
        run_python(start_up, connection)
        receiver(*server)
        Network.shape("server", "netem delay 20ms rate 2mbit limit 50")
        said = run_python(start_up, connection, STREAM_LAYERS, one(blocks, "selectors"))
        check("3 layers" in said, f"it says {said}")
    else:
        run_python(start_up, one(blocks, "dccp.CtfafConstraints"))
        receiver(*server)
        # The page's own end of it, but for five seconds
        follow, end = "asyncio.run(follow())", "asyncio.run(asyncio.wait_for(follow(), 5))"
        example = one(blocks, "async def follow", follow)
        said = run_python(example.replace(follow, f"try:\n    {end}\n"
                                          "except TimeoutError:\n    pass"))
        check("bytes/s" in said, f"it says {said}")


@test("dccp-ccids(7): its C connects to the receiver of the examples")
def manual_program():
    receiver(MEDIA, "receive", "5001", "248")
    run("modprobe", "ccid_marc")
    said = compile_and_run(
        "client", [one(literal("Documentation/dccp-ccids.7"), "#include")],
        'struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(5001) };\n'
        'int ccid = 0;\nsocklen_t len = sizeof(ccid);\n'
        'inet_pton(AF_INET, "192.0.2.1", &to.sin_addr);\n'
        'if (connect(fd, (struct sockaddr *)&to, sizeof(to))) perror("connect");\n'
        'getsockopt(fd, SOL_DCCP, DCCP_SOCKOPT_TX_CCID, &ccid, &len);\nprintf("%d", ccid);')
    check_equal(said, "248", "CCID")


@test("the C examples compile as their first lines say")
def examples():
    work = folder()
    for name in "client.h", "udp.h":
        os.symlink(os.path.join(TOP, "examples", name), f"{work}/{name}")
    for name in "sender", "receiver", "layers":
        path = os.path.join(TOP, f"examples/{name}.c")
        need("cc", path)
        command = re.search(r"^ \*\t(cc .*)$", page(f"examples/{name}.c"), re.M)[1]
        os.symlink(path, f"{work}/{name}.c")
        subprocess.run(command.split(), cwd=work, env=INSTALLED, check=True)


@test("the example of GStreamer compiles as its first lines say")
def gstreamer_example():
    need("cc", "pkg-config")
    if run("pkg-config", "--exists", "gstreamer-1.0", may_fail=True).returncode:
        raise Skip("no headers of GStreamer: libgstreamer1.0-dev")
    work = folder()
    for name in "gst-adaptive.c", "udp.h":
        os.symlink(os.path.join(TOP, "examples", name), f"{work}/{name}")
    command = re.search(r"^ \*\t(cc .*)$", page("examples/gst-adaptive.c"), re.M)[1]
    subprocess.run(["sh", "-ec", command], cwd=work, env=INSTALLED, check=True)
    check(os.path.exists(f"{work}/gst-adaptive"), "no program")


@test("for all programs: the two sysctls of README, select.rst and dccp-ccids(7)")
def sysctls():
    for blocks in (indented("README.md"), indented("Documentation/howto/select.rst"),
                   literal("Documentation/dccp-ccids.7")):
        sysctl("default.tx_ccid", 2)
        sysctl("default.rx_ccid", 2)
        subprocess.run(["sh", "-e"], input=one(blocks, "modprobe", "sysctl net"), text=True,
                       stdout=subprocess.DEVNULL, check=True, env=INSTALLED)
        check_equal((sysctl("default.tx_ccid"), sysctl("default.rx_ccid")), ("248", "248"),
                    "CCIDs preferred")


@test("DCCP over UDP: the sysctl of dccp-ccids(7)")
def sysctl_of_udp():
    at_end.append(lambda: sysctl("udp_port", 0))
    run(*one(literal("Documentation/dccp-ccids.7"), "udp_port").split())
    check_equal(sysctl("udp_port"), "6511", "port")


def ends(server, client, work, status=0):
    """A command at each end, in a folder of its own; what the client says."""
    # With exec it is the server that is killed, and its port is free for the next one.
    there = shell("server", f"cd {work} && export PATH={TOOLS}:$PATH && exec {server}")
    check(wait_for(lambda: listens("tcp", 5201), 10), "dccperf does not listen")
    here = shell("client", f"cd {work} && export PATH={TOOLS}:$PATH && {client}")
    said = here.communicate()
    check_equal(here.returncode, status, f"status of {client!r}, which says {said[1]}")
    there.kill()
    there.wait()
    return "".join(said)


def video(work):
    subprocess.run(["ffmpeg", "-v", "error", "-nostdin", *SOURCE, "-t", "10", *ENCODE,
                    "-f", "mpegts", f"{work}/video.ts"], check=True)


@test("README: the commands of dccperf")
def readme():
    need("ffmpeg", f"{TOOLS}/dccperf")
    net = Network()
    net.shape("server", "netem delay 20ms rate 2mbit limit 50")
    host = net.address("server", AF_INET)
    work = folder()
    server, client, viewer, live = filter(None, one(
        indented("README.md"), "dccperf -s", "ffmpeg").strip().split("\n"))
    encoder = subprocess.list2cmdline([*SOURCE, "-t", "5", *ENCODE])
    for receiver, sender in (
            (server, client.replace("HOST", host)),
            (re.sub(r"\| ffplay .*", ">received.ts", viewer),
             live.replace("...", f"-v error -nostdin -re {encoder}").replace("VIEWER", host))):
        said = ends(receiver, sender, work)
        check("this end: tx marc (248), rx marc (248)" in said, f"another CCID: {said}")
    size = os.path.getsize(f"{work}/received.ts")
    check(size > 50_000, f"the viewer has {size} bytes of video")


@test("streaming.rst: a file, with a display of progress")
def file():
    need("ffmpeg", f"{TOOLS}/dccperf")
    net = Network()
    net.shape("server", "netem delay 20ms rate 2mbit limit 50")
    work = folder()
    video(work)
    server, client = one(indented("Documentation/howto/streaming.rst"),
                         "-F video.ts").strip().split("\n")
    ends(server, client.replace("VIEWER", net.address("server", AF_INET)), work)
    check_equal(duration(f"{work}/received.ts"), 10, "seconds of video")


@test("dccperf(1): its examples")
def manual_examples():
    need("ffmpeg", f"{TOOLS}/dccperf")
    net = Network()
    net.shape("server", "netem delay 20ms rate 2mbit limit 50")
    ip("""address add 10.0.2.1/32 dev lo
          address add fd00:2::1/128 dev lo nodad""", "server")
    ip("""route add 10.0.2.1/32 via 10.9.2.1
          route add fd00:2::1/128 via fd09:2::1""", "router")
    work = folder()
    video(work)
    server, *clients = literal("Documentation/dccperf.1")[-1].strip().split("\n")
    check(len(clients) >= 2, "few examples")
    for client in clients:
        ends(server, client, work)
    check_equal(duration(f"{work}/received.ts"), 10, "seconds of video")
    check(read(f"{work}/marc.csv").startswith("time,mono,"), "no trace")


def end_topology():
    """A guest of lab/run ends with its command; here what is left in the background ends."""
    for name in "left", "right":
        pids = run("ip", "netns", "pids", name, may_fail=True).stdout.split()
        if pids:
            run("kill", *pids, may_fail=True)
    run(f"{TOP}/lab/topology", "down", may_fail=True)


@test("tutorial: a first stream")
def first_stream():
    """In a folder that has the repository's files and a build/ of its own."""
    need("ffmpeg", f"{TOOLS}/dccperf")
    work = folder()
    for name in os.listdir(TOP):
        if name not in ("build", ".git"):
            os.symlink(os.path.join(TOP, name), f"{work}/{name}")
    os.makedirs(f"{work}/build")
    os.symlink(TOOLS, f"{work}/build/tools")
    blocks = indented("Documentation/tutorial/first-stream.rst")
    subprocess.run(["bash", "-e"], input=one(blocks, "ffmpeg -f lavfi").replace(
        "ffmpeg ", "ffmpeg -v error -nostdin "), text=True, cwd=work, check=True)
    with open(f"{work}/build/tutorial/stream.sh", "w", encoding="utf-8") as script:
        script.write(one(blocks, "lab/topology up"))
    at_end.append(end_topology)
    confirms = one(blocks, "this end:").strip()
    commands = [b.strip() for b in blocks if b.startswith("lab/run -- bash")]
    for command in commands:
        with open(f"{work}/said", "w", encoding="utf-8") as output:
            status = subprocess.run(command.removeprefix("lab/run -- ").split(), cwd=work,
                                    stdout=output, stderr=output, check=False).returncode
        said = read(f"{work}/said")
        check_equal(status, 0, f"status of {command}, which says {said}")
        check(confirms in said, f"{confirms!r} is not in {said}")
        end_topology()
    for preset in [command.split()[-1] for command in commands]:
        head = read(f"{work}/build/tutorial/{preset}.csv").split("\n")[0].split(",")
        check("tokens" in head and "decision" in head, f"columns {head}")
        seconds = duration(f"{work}/build/tutorial/received-{preset}.ts")
        check(seconds > 20, f"{seconds} s of 30 can be decoded")


main()
