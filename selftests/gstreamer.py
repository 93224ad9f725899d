#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""GStreamer's elements dccpsink and dccpsrc: unit tests, and live video whose encoder follows.

The commands are those of Documentation/howto/gstreamer.rst.	Timeout: 900
"""
import os
import re
import signal
import struct
import subprocess
import time
from socket import AF_INET

from lib import (TOP, Network, Skip, check, check_equal, duration, folder, inside, listens, load,
                 main, need, note, preset_names, read, run, shell, test, wait_for, write)
from rawpeer import CLOSED, REQUEST, RESET, Peer
from schemes import SCHEMES

PAGE = os.path.join(TOP, "Documentation/howto/gstreamer.rst")
BUILD = os.path.join(TOP, "build/gstreamer")
CHECKS = [os.path.join(BUILD, name) for name in ("check-elements", "check-dccp")]
ADAPTIVE = os.path.join(BUILD, "gst-adaptive")
# The elements are made of these; all are looked for before the first test begins.
ELEMENTS = "videotestsrc", "videoconvert", "vp8enc", "rtpvp8pay", "rtpvp8depay", "webmmux"
ELEMENTS_TS = "rtpmp2tdepay",
ELEMENTS_X264 = "x264enc", "rtph264pay", "rtph264depay"
# What the page calls the encoder, the payload and the file
VP8 = "gst-adaptive 10.9.2.1 5004 marc", "VP8", "received.webm"
X264 = "--encoder x264", "H264", "received.h264"
INTERACTIVE = "preset=interactive", "VP8", "received.webm"
OVER_UDP = "gst-adaptive --udp", "VP8", "received.webm"
REGISTRY = "/tmp/gstreamer-registry"
# A warning of GLib or GStreamer ends the program that it is about.
ENVIRONMENT = (f"export GST_PLUGIN_PATH={BUILD} GST_REGISTRY={REGISTRY} GST_REGISTRY_FORK=no "
               "G_DEBUG=fatal-warnings NO_COLOR=1; ")


def command(start, *words):
    """The command of the page that begins so and has these words, as one line."""
    need(PAGE)
    with open(PAGE, encoding="utf-8") as file:
        lines = re.findall(r"^   (\S.*)$", re.sub(r"\\\n +", "", file.read()), re.M)
    found = [line for line in lines if line.startswith(start) and all(w in line for w in words)]
    check_equal(len(found), 1, f"commands that begin with {start!r} and have {words}")
    return found[0]


def gstreamer(end, text):
    return shell(end, ENVIRONMENT + text)


def elements(names=ELEMENTS):
    """What these tests cannot do without; the registry of elements is made here."""
    need("gst-launch-1.0", "gst-inspect-1.0", "ffmpeg", ADAPTIVE)
    Network()
    for element in names:
        there = gstreamer("client", f"gst-inspect-1.0 --exists {element}")
        said = "".join(there.communicate())
        check(there.returncode in (0, 1), f"status {there.returncode}: {said}")
        if there.returncode:
            raise Skip(f"GStreamer has no {element}: gstreamer1.0-plugins-base, -good, -ugly")


@test("unit tests")
def unit():
    need(*CHECKS)
    net = Network()
    for scheme in SCHEMES:
        load(scheme.module)
    silent = net.address("nobody", AF_INET)
    for program in CHECKS:
        # It has no limits of its own: a test that hangs is ended by the limit of this one.
        done = gstreamer("server", f"SILENT={silent} CK_DEFAULT_TIMEOUT=0 exec {program}")
        said = "".join(done.communicate())
        check(not done.returncode, said[-3000:])
        note(re.search(r"^\d+%: .*", said, re.M)[0])


@test("a Reset without an errno ends the handshake, and the pipeline fails")
def refused_without_errno():
    need("gst-launch-1.0", ADAPTIVE)
    peer = Peer(Network())
    load("ccid_marc")
    for pipeline in ("dccpsrc mode=client address=10.9.3.1 port=6001 ! fakesink",
                     "videotestsrc ! dccpsink address=10.9.3.1 port=6001"):
        for code in 0, CLOSED, 200:
            program = gstreamer("server", f"exec gst-launch-1.0 {pipeline}")
            request = peer.receive(REQUEST, timeout=60)
            check(request, "no Request came")
            peer.to_port, peer.ack = request.source, request.seq
            peer.send(RESET, code=code, ack=request.seq)
            said = "".join(program.communicate())
            check(program.returncode, f"{pipeline} does not fail, and says {said}")
            check("the peer ended the handshake, and did not say why" in said, said)


@test("gst-inspect-1.0 describes each property")
def inspect():
    need("gst-inspect-1.0", ADAPTIVE)
    Network()
    for element in "dccpsink", "dccpsrc":
        done = gstreamer("client", f"gst-inspect-1.0 {element}")
        said, errors = done.communicate()
        check_equal(done.returncode, 0, f"status of {errors}")
        for name in ("address", "port", "mode", "ccid", "service-code", "preset", "parameters",
                     "layers", "udp-port", "connect-timeout", "stats-interval", "stats", "rtt",
                     "loss-event-rate", "layers-allowed"):
            check(re.search(rf"^  {name} +: \S", said, re.M), f"{element} has no '{name}'")
        described = re.search(r"^  preset +: .*", said, re.M)[0]
        presets = re.findall(r"([a-z-]+)(?: \(|,)", described)
        check_equal(sorted(presets), sorted(preset_names(SCHEMES)), f"presets in {described!r}")


def stream(scheme, seconds, *properties, halve=None, encoder=VP8):
    """The page's receiver, and its encoder that follows the rate: what each said."""
    work = folder()
    sends, payload, received_file = encoder
    receiver = gstreamer("server", f"cd {work} && exec " + command(
        "gst-launch-1.0 -e dccpsrc", payload, received_file).replace("marc", str(scheme)))
    check(wait_for(lambda: listens("dccp", 5004), 60, 0.1), "nothing listens")
    line = command("build/gstreamer/gst-adaptive", sends).replace("build/gstreamer", BUILD)
    line = re.sub(r" \w+ 40\b", f" {scheme} {seconds}", line)
    sender = gstreamer("client", " ".join(["exec", line, *properties]))
    if halve:
        time.sleep(seconds / 2)
        halve()
    said, errors = sender.communicate()
    check_equal(sender.returncode, 0, f"status of the sender, which says {said}{errors}")
    received = "".join(receiver.communicate())
    check_equal(receiver.returncode, 0, f"status of the receiver, which says {received}")
    check("Got EOS" in received, f"the receiver has no EOS: {received}")
    lines = re.findall(r"^ *\d+ s: allowed +(\d+) kbit/s, encoder +(\d+), R +(\d+) ms", said, re.M)
    check(len(lines) >= seconds - 1, f"a line each second: {said}")
    dropped = int(re.findall(r"(\d+) packets dropped", said)[-1])
    video = duration(f"{work}/{received_file}")
    rows = [tuple(map(int, row)) for row in lines]
    # The program's 80 %, and its least rate of 50 kbit/s
    check(all(encoder <= max(50, 0.8 * allowed + 1) for allowed, encoder, _ in rows),
          f"the encoder does more than its share: {rows}")
    note(f"encoder {[encoder for _, encoder, _ in rows]} kbit/s, {dropped} packets dropped by "
         f"the sink, {video:.1f} s of {seconds} can be decoded")
    return rows, video, os.path.getsize(f"{work}/{received_file}")


def shape(net, rate):
    net.shape("server", f"netem delay 20ms rate {rate} limit 20")


@test("a video whose encoder follows the rate, and what arrives is decoded", schemes=SCHEMES)
def follows(scheme):
    elements()
    load(scheme.module)
    net = Network()
    net.shape("client", "netem delay 20ms")
    shape(net, "400kbit")
    properties = []
    if scheme.name == "ctfaf":          # an encoder's rates, and a start near the least
        properties = ["""'parameters="ctfaf,r_min=6250,r_max=250000,step=250,r_start=15000"'"""]
    rows, video, size = stream(scheme, 20, *properties)
    check(video > 15, f"{video} s of 20 can be decoded")
    # Without an answer of the network its rate grows to 2 Mbit/s: 1.5 in these ten seconds.
    mean = sum(encoder for _, encoder, _ in rows[10:]) / len(rows[10:])
    check(100 <= mean <= 700, f"{mean:.0f} kbit/s for a link of 400: {rows}")
    check(size * 8 / 20 <= 400e3, f"{size} bytes came through a link of 400 kbit/s")
    check(all(rtt >= 40 for *_, rtt in rows[3:]), f"R is less than the path's delay: {rows}")


@test("the same with x264enc", schemes=SCHEMES[:1])
def x264(scheme):
    elements(ELEMENTS_X264)
    load(scheme.module)
    net = Network()
    net.shape("client", "netem delay 20ms")
    shape(net, "400kbit")
    rows, video, size = stream(scheme, 20, encoder=X264)
    check(video > 15, f"{video} s of 20 can be decoded")
    mean = sum(encoder for _, encoder, _ in rows[10:]) / len(rows[10:])
    check(100 <= mean <= 700, f"{mean:.0f} kbit/s for a link of 400: {rows}")
    check(size * 8 / 20 <= 400e3, f"{size} bytes came through a link of 400 kbit/s")


@test("a deep queue stays short with preset=interactive, and by default, and the encoder follows",
      schemes=[s for s in SCHEMES if s.name in ("marc", "ltfrc")])
def interactive(scheme):
    elements()
    load(scheme.module)
    net = Network()
    net.shape("client", "netem delay 20ms")
    net.shape("server", "netem delay 20ms rate 400kbit limit 100")      # 2.5 s of packets
    rtts = {}
    for preset, end, encoder in (("paper", ["preset=paper"], VP8),
                                 ("default", ["preset=default"], VP8),
                                 ("interactive", [], INTERACTIVE)):
        rows, video, _ = stream(scheme, 30, *end, encoder=encoder)
        rtts[preset] = sorted(rtt for *_, rtt in rows[10:])[len(rows[10:]) // 2]
        check(video > 20, f"{video} s of 30 can be decoded")
    note(f"median of R, ms: {rtts}")
    check(rtts["interactive"] < 120, "80 ms are in the queue of a link with 40 ms")
    check(rtts["default"] < 160, "100 ms are in the queue by default")
    check(rtts["paper"] > 2 * rtts["interactive"], "there is no queue without a target")


@test("the link is halved, and the encoder follows", schemes=SCHEMES[:1])
def halves(scheme):
    elements()
    load(scheme.module)
    net = Network()
    net.shape("client", "netem delay 20ms")
    shape(net, "800kbit")
    rows, video, _ = stream(scheme, 80, halve=lambda: shape(net, "400kbit"))
    before, after = ([encoder for _, encoder, _ in part] for part in (rows[10:40], rows[50:]))
    before, after = sum(before) / len(before), sum(after) / len(after)
    note(f"mean {before:.0f} kbit/s, then {after:.0f}")
    check(before >= 400, f"{before:.0f} kbit/s for a link of 800: {rows}")
    # Nearer to the half than to the whole
    check(after <= 0.75 * before, f"{after:.0f} kbit/s after {before:.0f}: {rows}")
    check(video > 60, f"{video} s of 80 can be decoded")
    follows_within = next(n for n, (_, encoder, _) in enumerate(rows[40:]) if encoder < 400)
    note(f"the encoder was below the new rate of the link in second {follows_within}")
    check(follows_within <= 5, f"the encoder did not follow within 5 s: {rows}")


def rtp_packets(path):
    """Packets of VP8 in a file of rtpstreampay: number, time, layer, begins and ends a frame."""
    with open(path, "rb") as file:
        data = file.read()
    at = 0
    while at < len(data):
        size = int.from_bytes(data[at:at + 2], "big")
        packet = data[at + 2:at + 2 + size]
        at += 2 + size
        number, stamp = struct.unpack_from("!HI", packet, 2)
        first, has = packet[12:14]          # the payload descriptor (RFC 7741, 4.2)
        check(first & 0x80 and has & 0x20, "a packet without the number of its layer")
        there = 14 + (has & 0x80 and (2 if packet[14] & 0x80 else 1)) + (has & 0x40 and 1)
        yield number, stamp, 1 + (packet[there] >> 6), first & 0x17 == 0x10, packet[1] & 0x80


def whole_frames(packets, layer):
    """Times of the frames of a layer, all of whose packets are there."""
    frames = {}
    for packet in packets:
        if packet[2] == layer:
            frames.setdefault(packet[1], []).append(packet)
    for stamp, those in frames.items():
        numbers = [(p[0] - those[0][0]) & 0xffff for p in those]
        if those[0][3] and those[-1][4] and numbers == list(range(len(those))):
            yield stamp


LAYERED = {"dvrc": [], "ctfaf": ["""'parameters="ctfaf,interval=1000,t_init=0"'"""]}


@test("layers: the link is halved, K falls, and the base layer arrives whole",
      schemes=[s for s in SCHEMES if s.name in LAYERED])
def layers(scheme):
    elements()
    load(scheme.module)
    net = Network()
    net.shape("client", "netem delay 20ms")
    # Three layers are about 310 kbit/s, two are 175; no queue is so long as to lose packets.
    net.shape("server", "netem delay 20ms rate 500kbit limit 1000")
    work = folder()
    receiver = gstreamer("server", f"cd {work} && exec gst-launch-1.0 -e dccpsrc port=5004 "
                         f"ccid={scheme} caps=application/x-rtp,media=video,clock-rate=90000,"
                         "encoding-name=VP8 ! tee name=t ! queue ! rtpvp8depay ! webmmux ! "
                         "filesink location=received.webm "
                         "t. ! queue ! rtpstreampay ! filesink location=received.rtp")
    check(wait_for(lambda: listens("dccp", 5004), 60, 0.1), "nothing listens")
    seconds = 80
    line = command("build/gstreamer/gst-adaptive --encoder layers").replace(
        "build/gstreamer", BUILD).replace(" dvrc 40", f" {scheme} {seconds}")
    sender = gstreamer("client", " ".join(["exec", line, *LAYERED[scheme.name]]))
    time.sleep(seconds / 2)
    net.shape("server", "netem delay 20ms rate 250kbit limit 1000")
    said = "".join(sender.communicate())
    check_equal(sender.returncode, 0, f"status of the sender, which says {said}")
    received = "".join(receiver.communicate())
    check("Got EOS" in received, f"the receiver has no EOS: {received}")
    rows = [int(k) for k in re.findall(r", K (\d+),", said)]
    packets = list(rtp_packets(f"{work}/received.rtp"))
    base, *above = (list(whole_frames(packets, layer)) for layer in (1, 2, 3))
    frames = len(base) + sum(map(len, above))
    note(f"K in each second {rows}, whole frames of each layer {[len(base), *map(len, above)]}")
    half = seconds // 2
    check(set(rows[half - 10:half - 1]) == {3}, f"not all layers fit in 500 kbit/s: {rows}")
    check(min(rows[half:half + 5]) < 3, f"K has not fallen within 5 s: {rows}")
    check(sum(rows[half + 5:]) / len(rows[half + 5:]) <= 2, f"three do not fit in 250: {rows}")
    # 25 frames in a second, of which each fourth is of layer 1
    check_equal([(stamp - base[0]) & 0xffffffff for stamp in base],
                [4 * 3600 * n for n in range(25 * seconds // 4)], "times of frames of layer 1")
    # Each frame that arrived whole can be decoded, whatever is missing between them.
    check_equal(round(25 * duration(f"{work}/received.webm")), frames, "frames that are decoded")


SINK, SOURCE = "gst-launch-1.0 videotestsrc", "gst-launch-1.0 -e dccpsrc"


@test("gst-launch-1.0 without an encoder that follows, as the page has it")
def launch():
    elements()
    load("ccid_marc")
    net = Network()
    shape(net, "2mbit")
    work = folder()
    for start, words in (("gst-launch-1.0 dccpsrc", ["autovideosink"]),
                         (SOURCE, ["VP8", "received.webm"])):
        receiver = gstreamer("server", f"cd {work} && exec " + command(start, *words))
        check(wait_for(lambda: listens("dccp", 5004), 60, 0.1), "nothing listens")
        sender = gstreamer("client", command(SINK, "address=10.9.2.1"))
        said = "".join(sender.communicate())
        check_equal(sender.returncode, 0, f"status of {said}")
        said = "".join(receiver.communicate())
        check_equal(receiver.returncode, 0, f"status of the receiver, which says {said}")
        check("Got EOS" in said, f"the receiver has no EOS: {said}")
    # 250 frames, the first of which is a key frame; nothing is lost on this link.
    check_equal(duration(f"{work}/received.webm"), 10, "seconds of video")


@test("a viewer connects to the sender, as the page has it")
def viewer():
    elements()
    load("ccid_marc")
    net = Network()
    shape(net, "2mbit")
    work = folder()
    sender = gstreamer("client", "exec " + command(SINK, "mode=server"))
    check(wait_for(lambda: listens("dccp", 5004, "client"), 60, 0.1), "nothing listens")
    time.sleep(4)
    receiver = gstreamer("server", f"cd {work} && exec " +
                         command(SOURCE, "mode=client", "viewed.webm"))
    said = "".join(sender.communicate())
    check_equal(sender.returncode, 0, f"status of {said}")
    receiver.communicate()
    # 1000 frames take 40 s. A decoder can begin with what the viewer gets first.
    video = duration(f"{work}/viewed.webm")
    note(f"{video} s of video, the viewer came after 4 s")
    check(30 <= video <= 36.1, f"{video} s of 36 are decoded")


@test("VLC sends, as the pages have it")
def vlc():
    need("cvlc", "setpriv")
    elements([*ELEMENTS_TS, *ELEMENTS])
    load("ccid_marc")
    net = Network()
    shape(net, "2mbit")
    for end in "client", "server":
        with inside(end):
            write("/proc/sys/net/dccp/default/tx_ccid", 248)
            write("/proc/sys/net/dccp/default/rx_ccid", 248)
    work = folder()
    os.chmod(work, 0o777)
    run("ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25",
        "-t", "20", "-c:v", "libx264", "-tune", "zerolatency", "-b:v", "300k", "-g", "25",
        "-f", "mpegts", f"{work}/video.ts")
    # VLC does not run as root.
    sender = shell("server", f"cd {work} && HOME={work} exec setpriv --reuid=65534 --clear-groups "
                   "cvlc video.ts --sout '#rtp{proto=dccp,dst=10.9.2.1,port=5004,mux=ts}' "
                   "vlc://quit", subprocess.DEVNULL, subprocess.DEVNULL)
    check(wait_for(lambda: listens("dccp", 5004), 300), "VLC does not listen")
    receiver = gstreamer("client", f"cd {work} && exec " + command(SOURCE, "MP2T"))
    sender.wait()
    said = "".join(receiver.communicate())
    check_equal(receiver.returncode, 0, f"status of the receiver, which says {said}")
    check("Got EOS" in said, f"the receiver has no EOS: {said}")
    video = duration(f"{work}/vlc.ts")
    note(f"{video} s of 20 can be decoded")
    # The receiver came a little later, and the first second may have no key frame.
    check(video >= 15, f"{video} s of 20 can be decoded")


def fragments():
    """The lines of the page that begin with dccpsink ... or dccpsrc ..."""
    with open(PAGE, encoding="utf-8") as file:
        return re.findall(r"^   (dccp(?:sink|src)) \.\.\. (.*)$", file.read(), re.M)


@test("what the page says of properties is accepted")
def properties():
    need(PAGE)
    elements(["videotestsrc"])
    for scheme in SCHEMES:
        load(scheme.module)
    lines = fragments()
    check_equal(len(lines), 9, f"properties in {lines}")
    for element, rest in lines:
        pipeline = f"{element} mode=server address=127.0.0.1 {rest}"
        pipeline = (f"videotestsrc num-buffers=1 ! {pipeline}" if element == "dccpsink" else
                    f"{pipeline} num-buffers=1 ! fakesink")
        done = gstreamer("server", "exec gst-launch-1.0 " + pipeline)
        if element == "dccpsrc":        # it waits for a sender
            check(wait_for(lambda: listens("dccp", 5004), 60, 0.1), f"not accepted: {rest}")
            done.send_signal(signal.SIGINT)
        said = "".join(done.communicate())
        check("ERROR" not in said and "WARNING" not in said, f"{pipeline}: {said}")


@test("DCCP over UDP", schemes=SCHEMES[:1])
def encapsulated(scheme):
    elements()
    load(scheme.module)
    net = Network()
    shape(net, "2mbit")
    refused = gstreamer("client", f"exec {ADAPTIVE} --udp 10.9.2.1 5004 {scheme} 1")
    said = "".join(refused.communicate())
    check(refused.returncode == 1 and "sysctl net.dccp.udp_port=6511" in said,
          f"the sysctl is 0, and it says: {said}")
    for end in "client", "server":
        with inside(end):
            write("/proc/sys/net/dccp/udp_port", 6511)
    came = 0
    for encoder, properties in (VP8, ["udp-port=6511"]), (OVER_UDP, []):
        _, video, size = stream(scheme, 5, *properties, encoder=encoder)
        check_equal(video, 5, "seconds of video")
        with inside("server"):
            snmp = read("/proc/thread-self/net/snmp")
        packets = int(re.findall(r"^Udp: (\d+)", snmp, re.M)[0]) - came
        came += packets
        check(packets > size / 1300, f"{packets} UDP packets came, but {size} bytes")


def raw_sink(ccid, properties=""):
    """A sink of small pictures without an encoder, 10 in a second, that viewers connect to."""
    sender = gstreamer("client", "exec gst-launch-1.0 videotestsrc is-live=true ! "
                       "video/x-raw,format=GRAY8,width=32,height=32,framerate=10/1 ! "
                       f"dccpsink mode=server address=10.9.1.1 port=5004 sync=false ccid={ccid} "
                       + properties)
    check(wait_for(lambda: listens("dccp", 5004, "client"), 60, 0.1), "nothing listens")
    return sender


def raw_viewer(end, ccid, path):
    return gstreamer(end, "exec gst-launch-1.0 dccpsrc mode=client address=10.9.1.1 port=5004 "
                     f"ccid={ccid} ! filesink buffer-mode=unbuffered location={path}")


def comes(path, seconds):
    """Seconds until more data is in a file, or None."""
    start = time.monotonic()

    def size():
        return os.path.getsize(path) if os.path.exists(path) else 0
    before = size()
    return time.monotonic() - start if wait_for(lambda: size() > before, seconds, 0.1) else None


def ends(process):
    process.send_signal(signal.SIGINT)
    return "".join(process.communicate())


# CCID 2 and CCID 3 do not count reports, and a packet leaves now and then.
GIVEN_UP = {"ccid2": 200, "ccid3": 390}


@test("a viewer whose host has vanished is left, and the next one is served", timeout=3000,
      schemes=[*SCHEMES, *GIVEN_UP])
def vanished_viewer(scheme):
    elements(["videotestsrc"])
    if str(scheme) not in GIVEN_UP:
        load(scheme.module)
    net = Network()
    work = folder()
    sender = raw_sink(scheme)
    vanishes = raw_viewer("server", scheme, f"{work}/first")
    check(comes(f"{work}/first", 60), "the first viewer sees nothing")
    net.shape("server", "netem loss 100%")
    start = time.monotonic()
    waits = raw_viewer("router", scheme, f"{work}/second")
    check(comes(f"{work}/second", 400), "the viewer that waits sees nothing for 400 s")
    took = time.monotonic() - start
    note(f"{took:.1f} s after the first has vanished")
    left = run("ip", "netns", "exec", "client", "ss", "-anH", "--dccp").stdout
    check("10.9.2.1:" not in left, f"the kernel still has a connection to the first: {left}")
    check(55 <= took <= GIVEN_UP.get(str(scheme), 80), f"it was served after {took} s")
    check(comes(f"{work}/second", 60), "the stream does not go on")
    said = ends(sender)
    check_equal(said.count("WARNING"), 1, f"warnings in {said}")
    check("the viewer has not answered for 60 s" in said, f"the sink says {said}")
    for viewer in vanishes, waits:
        viewer.kill()


@test("a viewer who is away for 25 s, or a stream that pauses, is kept", timeout=3000,
      schemes=SCHEMES)
def away(scheme):
    elements(["videotestsrc"])
    load(scheme.module)
    net = Network()
    work = folder()
    sender = raw_sink(scheme)
    raw_viewer("server", scheme, f"{work}/first")
    check(comes(f"{work}/first", 60), "the viewer sees nothing")
    net.shape("server", "netem loss 100%")
    time.sleep(25)
    net.shape("server", "netem limit 1000")
    took = comes(f"{work}/first", 60)
    check(took is not None, "the viewer that came back sees nothing")
    note(f"the stream went on {took:.1f} s after the viewer came back")
    # The last packet before a pause is lost, so nobody answers it.
    check(comes(f"{work}/first", 60), "the stream does not go on")
    net.shape("server", "netem loss 100%")
    time.sleep(0.5)
    sender.send_signal(signal.SIGSTOP)
    time.sleep(0.5)
    net.shape("server", "netem limit 1000")
    time.sleep(120)
    sender.send_signal(signal.SIGCONT)
    check(comes(f"{work}/first", 60), "the stream does not go on after the pause")
    time.sleep(5)
    check(comes(f"{work}/first", 60), "the viewer is left after the pause")
    said = ends(sender)
    check("WARNING" not in said, f"the sink says {said}")


@test("a viewer whose reports come each minute is kept", timeout=3000,
      schemes=[s for s in SCHEMES if s.name == "ctfaf"])
def seldom(scheme):
    elements(["videotestsrc"])
    load(scheme.module)
    Network()
    work = folder()
    # A packet in a second, so nine of ten are dropped, and one always waits in the kernel.
    sender = raw_sink(scheme, """'parameters="ctfaf,interval=60000,t_reset=60000,r_min=1000,"""
                      """r_max=2000,step=500,r_start=1000,probes=0"'""")
    raw_viewer("server", scheme, f"{work}/first")
    check(comes(f"{work}/first", 60), "the viewer sees nothing")
    time.sleep(400)
    check(comes(f"{work}/first", 60), "the stream does not go on")
    said = ends(sender)
    check("WARNING" not in said, f"the sink says {said}")


def keepalive(end):
    """A connection of this end is given up 25 s after the last packet has come."""
    with inside(end):
        for name, value in ("time", 10), ("intvl", 5), ("probes", 3):
            write(f"/proc/sys/net/ipv4/tcp_keepalive_{name}", value)


def alone(net, scheme, end, source="videotestsrc is-live=true", properties=""):
    """What the element at an end says when the other one's host has vanished: an error."""
    work = folder()
    both = {"server": gstreamer(
        "server", f"exec gst-launch-1.0 dccpsrc port=5004 ccid={scheme} ! "
        f"filesink buffer-mode=unbuffered location={work}/received")}
    check(wait_for(lambda: listens("dccp", 5004), 60, 0.1), "nothing listens")
    both["client"] = gstreamer(
        "client", f"exec gst-launch-1.0 {source} ! "
        "video/x-raw,format=GRAY8,width=32,height=32,framerate=10/1 ! dccpsink "
        f"address=10.9.2.1 port=5004 sync=false ccid={scheme} {properties}")
    check(comes(f"{work}/received", 60), "nothing comes")
    for place in "server", "client":
        net.shape(place, "netem loss 100%")
    start = time.monotonic()
    left = both.pop(end)
    check(wait_for(lambda: left.poll() is not None, 120, 0.1), "it has not ended")
    took = time.monotonic() - start
    said = "".join(left.communicate())
    note(f"{took:.1f} s after the other one has vanished")
    check(24 <= took <= 40, f"it ended after {took} s")
    check(left.returncode, f"no error: {said}")
    for other in both.values():
        other.kill()
    for place in "server", "client":
        net.shape(place, "netem limit 1000")
    return said


@test("a source whose sender has vanished ends with an error, as net.ipv4.tcp_keepalive_* say",
      schemes=SCHEMES[:1])
def vanished_sender(scheme):
    elements(["videotestsrc"])
    load(scheme.module)
    net = Network()
    keepalive("server")
    said = alone(net, scheme, "server", "videotestsrc is-live=true num-buffers=50")
    check("its host does not answer" in said, f"the source says {said}")


@test("a sink whose receiver has vanished ends with an error, also after the last packet",
      schemes=SCHEMES[:1])
def vanished_receiver(scheme):
    elements(["videotestsrc"])
    load(scheme.module)
    net = Network()
    keepalive("client")
    # All that the second one has left is in the kernel, since the rate falls without reports.
    for said in (alone(net, scheme, "client"),
                 alone(net, scheme, "client", "videotestsrc is-live=true num-buffers=70",
                       "tx-queue=100 leaky=false")):
        check("the connection is broken (Connection timed out)" in said, f"the sink says {said}")
        check("Got EOS" not in said, f"the sink says {said}")


def gives_up(pipeline):
    """What a pipeline says that ends with an error."""
    sender = gstreamer("server", f"gst-launch-1.0 {pipeline}")
    said = "".join(sender.communicate())
    check(sender.returncode, f"no error: {said}")
    return said


@test("nobody answers: an error that names the reason, and what carries the packets")
def silence():
    elements()
    net = Network()
    address = net.address("nobody", AF_INET)
    with inside("server"):
        write("/proc/sys/net/dccp/udp_port", 6511)
    peer = f"address={address} connect-timeout=2000000000"
    sink = f"videotestsrc num-buffers=10 ! dccpsink {peer}"
    source = f"dccpsrc mode=client {peer}"
    plain, udp = "drop DCCP (IP protocol 33)?", "drop UDP to port {}?"
    for pipeline, carrier in ((f"{sink} udp-port=0", plain), (sink, plain),
                              (f"{sink} udp-port=6511", udp.format(6511)),
                              (f"{source} udp-port=7000 ! fakesink", udp.format(7000)),
                              (f"{source} ! fakesink", plain)):
        said = gives_up(pipeline)
        check(carrier in said, f"not {carrier!r} for {pipeline}: {said}")
    with inside("server"):
        write("/proc/sys/net/dccp/encap_port", 6511)
    said = gives_up(sink)
    check(udp.format(6511) in said, f"the sysctl is not what counts: {said}")


main()
