#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Video of ffmpeg over DCCP: live and from a file by dccperf, with an encoder that follows
the rate, and in layers over DVRC."""
import json
import os
import re
import subprocess
import sys
from socket import AF_INET

from lib import (TOP, Network, check, check_equal, duration, folder, listens, load, main, need,
                 note, read, shell, test, wait_for)
from schemes import SCHEMES

DCCPERF = os.path.join(TOP, "build/tools/dccperf")
MEDIA = os.path.join(TOP, "build/media")
ADAPTIVE = os.path.join(TOP, "examples/adaptive.py")
HEADER = 32             # dccperf's, in each packet
SOURCE = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25"]
ENCODE = ["-c:v", "libx264", "-preset", "ultrafast", "-b:v", "300k", "-maxrate", "300k",
          "-bufsize", "300k", "-g", "25", "-f", "mpegts"]


def from_ffmpeg(scheme, link, out, options=""):
    """What dccperf says that sends ffmpeg's output, 10 s, as it comes."""
    need("ffmpeg", DCCPERF)
    net = Network()
    net.shape("server", f"netem delay 20ms {link}")
    server = shell("server", f"{DCCPERF} -s -1 -C {scheme} -F - | cat >{out}")
    check(wait_for(lambda: listens("tcp", 5201), 10), "dccperf does not listen")
    encoder = subprocess.list2cmdline(["ffmpeg", "-v", "error", "-nostdin", "-re", *SOURCE,
                                       "-t", "10", *ENCODE, "-"])
    client = shell("client", f"{encoder} | {DCCPERF} -c {net.address('server', AF_INET)} "
                   f"-C {scheme} -F - {options}")
    said = client.communicate()[1]
    check_equal(client.returncode, 0, f"status of {said}")
    server.communicate()
    return said


@test("ffmpeg | dccperf, to dccperf | player", schemes=[SCHEMES[0]])
def live(scheme):
    out = f"{folder()}/out.ts"
    said = from_ffmpeg(scheme, "rate 2mbit limit 50", out)
    check(len(re.findall(r"^ +\d+\.\d+-\d", said, re.M)) >= 9, f"a line each second: {said}")
    check_equal(duration(out), 10, "seconds of video")


@test("a live source faster than the link: what is late is dropped", schemes=[SCHEMES[0]])
def late(scheme):
    said = from_ffmpeg(scheme, "rate 150kbit limit 20", "/dev/null", "--file-rate --deadline 500")
    seconds, packets = re.search(r"^sender +([\d.]+) s .* (\d+) packets", said, re.M).groups()
    dropped = re.search(r"(\d+) packets dropped by the source past the deadline", said)
    # 300 kbit/s would take 20 s here. What comes within the deadline and the queue takes 1 s.
    check(9 < float(seconds) < 12, f"seconds: {said}")
    check(dropped and int(dropped[1]) > int(packets) / 2, f"packets dropped, and sent: {said}")


@test("a file, with a display of progress", schemes=[SCHEMES[0]])
def file(scheme):
    need("ffmpeg", DCCPERF)
    net = Network()
    net.shape("server", "netem delay 20ms rate 2mbit limit 50")
    work = folder()
    subprocess.run(["ffmpeg", "-v", "error", "-nostdin", *SOURCE, "-t", "10", *ENCODE,
                    f"{work}/in.ts"], check=True)
    server = shell("server", f"{DCCPERF} -s -1 -C {scheme} -F {work}/out.ts")
    check(wait_for(lambda: listens("tcp", 5201), 10), "dccperf does not listen")
    client = shell("client", f"{DCCPERF} -c {net.address('server', AF_INET)} "
                   f"-C {scheme} -F {work}/in.ts --file-rate")
    said = client.communicate()[0]
    check_equal(client.returncode, 0, f"status of {said}")
    server.communicate()
    check_equal(duration(f"{work}/out.ts"), 10, "seconds of video")
    percent = [int(p) for p in re.findall(r"^ +\d+\.\d+-.* (\d+) %$", said, re.M)]
    check(len(percent) >= 9 and percent == sorted(percent) and percent[0] <= 20
          and percent[-1] >= 90, f"progress: {percent} of {said}")


@test("an encoder that follows the rate", schemes=SCHEMES)
def adaptive(scheme):
    need("ffmpeg", ADAPTIVE)
    load(scheme.module)
    net = Network()
    net.shape("client", "netem delay 20ms")
    net.shape("server", "netem delay 20ms rate 400kbit limit 10")
    work = folder()
    server = shell("server", f"{ADAPTIVE} receive 5001 {scheme.ccid} >{work}/out.ts")
    check(wait_for(lambda: listens("dccp", 5001), 10), "nothing listens")
    client = shell("client", f"{sys.executable} {ADAPTIVE} send --size 320x180 --log "
                   f"{work}/log.csv --min 60 {net.address('server', AF_INET)} 5001 "
                   f"{scheme.ccid} -t 40 -re " + " ".join(SOURCE[:2]) + " " + SOURCE[3])
    said = client.communicate()[1]
    check_equal(client.returncode, 0, f"status of {said}")
    received = server.communicate()[1]
    made = [int(m) for m in re.findall(r"made +(\d+)", said)]
    check_equal(len(made), 40, "seconds that were made")
    sent = int(re.search(r"sent (\d+) bytes", said)[1])
    got = int(re.search(r"received (\d+) bytes", received)[1])
    check(got > 0.8 * sent, f"{got} of {sent} bytes arrived")
    # At a fixed rate, its maximum, the encoder would make 2 Mbit/s.
    mean = sum(made[10:]) / len(made[10:])
    check(50 <= mean <= 450, f"{mean:.0f} kbit/s were made for a link of 400: {said}")
    allowed = [int(a) for a in re.findall(r"allowed +(\d+)", said)]
    check(sum(made[10:]) <= sum(allowed[10:]), f"more was made than was allowed: {said}")
    check(sent > 0.85 * sum(made) * 125, f"{sent} bytes sent of {sum(made) * 125}")
    seconds = duration(f"{work}/out.ts")
    check(seconds > 32, f"{seconds} s of 40 can be decoded")


def bytes_in_layers(frames):
    size = [0] * 5
    with open(frames, encoding="ascii") as file:
        for line in file:
            _, layer, count = line.split()
            size[int(layer) - 1] += int(count)
    return size


@test("the layers of an encode over DVRC: what the link has no room for is not sent")
def layered():
    load("ccid_dvrc")
    work = folder()
    frames = os.path.join(MEDIA, "frames")
    need(DCCPERF, frames)
    rates = read(os.path.join(MEDIA, "rates"))
    bits = [float(rate.rstrip("K")) * 1000 for rate in rates.split(",")]
    made = bytes_in_layers(frames)
    check_equal(len(bits), 5, "layers")
    # A base layer and four enhancement layers, over a link for five and one for three of them
    for link, room in (3 * bits[4], 100), (1.05 * bits[2], 10):
        net = Network()
        net.shape("server", f"netem delay 20ms rate {link:.0f}bit limit {room}")
        server = shell("server", f"{DCCPERF} -s -1 -C dvrc -J >{work}/result")
        check(wait_for(lambda: listens("tcp", 5201), 10), "dccperf does not listen")
        client = shell("client", f"{DCCPERF} -c {net.address('server', AF_INET)} -C dvrc "
                       f"--layers {rates} --frames {frames} -J")
        said = client.communicate()
        check_equal(client.returncode, 0, f"status of {said}")
        server.communicate()
        sender = json.loads(said[0])["end"]["sender"]
        with open(f"{work}/result", encoding="utf-8") as file:
            receiver = json.load(file)["end"]["receiver"]
        came = [0] * 5
        for row in receiver["layers"]:
            came[row["layer"] - 1] = row["bytes"] - HEADER * row["packets"]
        share = [c / m for c, m in zip(came, made)]
        note(f"{link / 1000:.0f} kbit/s for {rates}: of the layers arrived "
             f"{', '.join(f'{100 * s:.1f} %' for s in share)}; {sender['above_k']} packets above K "
             f"dropped by the source, K changed {sender['k_changes']} times, "
             f"{receiver['lost']} packets lost")
        if link > bits[4]:
            check_equal((came[0], receiver["lost"]), (made[0], 0), "the base, and losses")
            check(min(share) > 0.9, "a layer is missing")
        else:
            check(share[0] > 0.9 and share[4] < 0.3, "the base layer has no precedence")
            # Of layers that the link has no room for only the first seconds arrive, before K is
            # known. That is about a percent of each, so only a greater difference counts.
            check(all(high < low + 0.01 for low, high in zip(share, share[1:])),
                  "a higher layer has a greater share")
            check(sender["above_k"] > 100, "the source dropped almost no packet above K")


main()
