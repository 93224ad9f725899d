#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Kernels: uml (6.1) (6.12) (7.3)
# Timeout: 900
"""VLC and socat, which do not ask for a CCID, use each of the CCIDs by the two sysctls.

The commands are those of Documentation/howto/programs.rst and of README.md.
"""
import filecmp
import functools
import os
import re
import shutil
import subprocess
import tempfile
import time

from lib import (BUILT_IN, TOP, Network, Skip, check, check_equal, duration, folder, ip, listens,
                 load, main, need, note, parameter, read, references, run, shell, sysctl, test,
                 wait_for)
from schemes import SCHEMES

PAGE = os.path.join(TOP, "Documentation/howto/programs.rst")
README = os.path.join(TOP, "README.md")
ADDRESS = "10.0.2.1"            # of who listens, on the page
SECONDS = 20
# VLC refuses to run as root.
NOBODY = "setpriv --reuid 65534 --regid 65534 --clear-groups env HOME={} "


def command(start, page=PAGE):
    """The command of the page that begins so, without its comment."""
    need(page)
    with open(page, encoding="utf-8") as file:
        found = re.findall(rf"^    ?({re.escape(start)}.*?)(?:  +#.*)?$", file.read(), re.M)
    check_equal(len(found), 1, f"commands that begin with {start!r}")
    return found[0]


def network(ccid, line):
    """The command that chooses the CCID, and a link between two machines that inherit it."""
    subprocess.run(["sh", "-e"], text=True, check=True, stdout=subprocess.DEVNULL,
                   input=line, env={**os.environ, "PATH": f"{TOP}/tools:{os.environ['PATH']}"})
    check_equal((sysctl("default.tx_ccid"), sysctl("default.rx_ccid")), (str(ccid),) * 2, "CCIDs")
    net = Network()
    ip(f"address add {ADDRESS}/32 dev lo", "server")
    ip(f"route add {ADDRESS}/32 via 10.9.2.1", "router")
    for end in "client", "server":
        net.shape(end, "netem delay 20ms rate 2mbit limit 300")


def used(scheme):
    return references(scheme.module) if scheme else 0


def numbers():
    """CCIDs with their schemes; those of the kernel have none."""
    return [(n, None) for n in BUILT_IN] + [(s.ccid, s) for s in SCHEMES]


def choose(ccid):
    """The command of the page, for this CCID."""
    return command("sysctl net").replace("248", str(ccid))


@functools.cache
def made():
    """A folder with the video, and with what VLC keeps in its home."""
    work = tempfile.TemporaryDirectory()
    os.chmod(work.name, 0o777)
    run("ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i",
        "testsrc2=size=320x180:rate=25", "-t", str(SECONDS), "-c:v", "libx264", "-tune",
        "zerolatency", "-b:v", "300k", "-maxrate", "300k", "-bufsize", "150k", "-g", "25",
        "-f", "mpegts", f"{work.name}/video.ts")
    # Nobody answers, but VLC's files are read. Later this would take time of the video.
    shell("client", f"cd {work.name} && " + NOBODY.format(work.name) +
          f"c{command('vlc dccp')} vlc://quit --sout '#std{{access=file,mux=ts,dst=out.ts}}'",
          subprocess.DEVNULL, subprocess.DEVNULL).wait()
    return work


def connected():
    return run("ip", "netns", "exec", "server", "ss", "-nH", "--dccp", "state",
               "established").stdout


def stream(ccid, scheme, page=PAGE):
    network(ccid, command("modprobe -a", page) if page == README else choose(ccid))
    work = folder()
    os.chmod(work, 0o777)
    shutil.copy(f"{made().name}/video.ts", work)
    nobody = f"cd {work} && exec " + NOBODY.format(work)
    if scheme and scheme.name == "ctfaf":
        parameter(scheme, "r_start", parameter(scheme, "r_start"))      # to be put back
        run("sh", "-c", command("modprobe ccid_ctfaf"))
    before = used(scheme)
    with open(f"{work}/log", "w", encoding="utf-8") as log:
        sender = shell("server", f"{nobody}{command('cvlc video.ts', page)} vlc://quit", log, log)
        check(wait_for(lambda: listens("dccp", 5004), 300), "VLC does not listen")
        began = time.monotonic()
        viewer = shell("client", f"{nobody}c{command('vlc dccp', page)} --sout "
                       f"'#std{{access=file,mux=ts,dst={work}/out.ts}}'", log, log)
        wait_for(lambda: connected() or sender.poll() is not None, SECONDS)
        left = SECONDS - (time.monotonic() - began)
        time.sleep(1)
        # Both ends of the connection
        count = used(scheme) - before
        sender.wait()
        time.sleep(2)
        viewer.terminate()
        viewer.wait()
    said = read(f"{work}/log")[-2000:]
    check(not scheme or count >= 2, f"{count} references: VLC uses another CCID; it says {said}")
    check(os.path.exists(f"{work}/out.ts"), f"nothing arrived; VLC says {said}")
    seconds = duration(f"{work}/out.ts")
    note(f"{seconds:.1f} s of {left:.1f} can be decoded")
    check(left > SECONDS / 4, f"the viewer came when {left:.1f} s of {SECONDS} were left")
    # The viewer waits for a picture that can be decoded alone, and keeps some of the last.
    check(seconds > left - SECONDS / 4, f"{seconds} s of {left} can be decoded: {said}")


def transfer(ccid, scheme, listen="socat -u TCP4-LISTEN", send="socat -u -b 1300 FILE:sent TCP4",
             chosen=None):
    """A file, by two commands of the page; chosen: the CCID that the sysctls have."""
    network(chosen or ccid, choose(chosen or ccid))
    if scheme:
        load(scheme.module)
    work = folder()
    with open(f"{work}/sent", "wb") as file:
        file.write(os.urandom(300000))
    receiver = shell("server", f"cd {work} && {command(listen).replace('248', str(ccid))}")
    check(wait_for(lambda: listens("dccp", 5004), 300), "socat does not listen")
    before = used(scheme)
    sender = shell("client", f"cd {work} && {command(send).replace('248', str(ccid))}")
    wait_for(lambda: sender.poll() is not None or used(scheme) > before, 100)
    count = used(scheme) - before
    said = sender.communicate()[1]
    check_equal(sender.returncode, 0, f"status of socat, which says {said}")
    receiver.communicate()
    check(not scheme or count >= 1, f"{count} references: socat uses another CCID")
    check(filecmp.cmp(f"{work}/sent", f"{work}/received", shallow=False),
          f"{os.path.getsize(f'{work}/received')} bytes arrived, or others")


def need_dccp_of_socat():
    need("socat")
    version = re.search(r"socat version 1\.(\d+)", run("socat", "-V").stdout)
    if not version or int(version[1]) < 8:
        raise Skip("this socat has no DCCP addresses: Debian 13 has 1.8")


for number, owner in numbers():
    @test(f"VLC: a video arrives and can be decoded, {owner or f'CCID {number}'}", timeout=600)
    def vlc(number=number, owner=owner):
        need("cvlc", "ffmpeg", "setpriv")
        stream(number, owner)

    @test(f"socat: a file arrives as it was, {owner or f'CCID {number}'}")
    def socat(number=number, owner=owner):
        need("socat")
        transfer(number, owner)

    @test(f"socat 1.8: a file arrives, {owner or f'CCID {number}'}")
    def socat_dccp(number=number, owner=owner):
        need_dccp_of_socat()
        transfer(number, owner, "socat -u DCCP4-LISTEN:5004 CREATE",
                 "socat -u -b 1300 FILE:sent DCCP4-CONNECT:10.0.2.1:5004,shut")

    @test(f"socat 1.8: its option ccid, {owner or f'CCID {number}'}")
    def socat_ccid(number=number, owner=owner):
        need_dccp_of_socat()
        transfer(number, owner, "socat -u DCCP4-LISTEN:5004,ccid",
                 "socat -u -b 1300 FILE:sent DCCP4-CONNECT:10.0.2.1:5004,ccid",
                 chosen=3 if number == 2 else 2)


@test("README: DCCP is loaded, MARC chosen, and a video arrives in VLC", timeout=600)
def readme():
    need("cvlc", "ffmpeg", "setpriv", os.path.join(TOP, "tools/dccp-ccids-check"))
    stream(*next((s.ccid, s) for s in SCHEMES if s.name == "marc"), README)


main()
