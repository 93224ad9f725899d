#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Video whose encoder follows the rate that the congestion control allows.

    adaptive.py [--udp[=PORT]] receive PORT CCID |
            ffplay -fflags nobuffer -flags low_delay -analyzeduration 500000 -
    adaptive.py [--udp[=PORT]] send [OPTIONS] HOST PORT CCID INPUT...

INPUT is a file, or any input that ffmpeg takes (with its options: -f v4l2
/dev/video0).  One ffmpeg process decodes the input.  Each second another one encodes the
last second of it, at the mean rate that the socket allowed in this second.  It is sent
during the next second.  So the encoder follows the network within a second, and the
viewer is two seconds behind the camera.  --udp is explained in media.py.
"""
import argparse
import re
import select
import subprocess
import sys
import threading
import time

import dccp_ccids as dccp
from media import TXQLEN, allowed_rate, check_end, number, reason, take_udp, until_closed

TS_PACKET = 188
# Share of the allowed rate for the video: with all of it a queue could not become empty
# again.
SHARE = 0.85
# Greatest increase in a second: while less is sent than X, X rises above what the path
# carries.
GROWTH = 1.1


def size_of(text):
    """The size of a picture, as ffmpeg has it."""
    found = re.fullmatch(r"(\d+)x(\d+)", text)
    if not found or any(int(n) % 2 or not int(n) for n in found.groups()):
        raise argparse.ArgumentTypeError(
            f"expected WIDTHxHEIGHT, two even numbers such as 640x360, found {text!r}")
    return text


def frames(text):
    """A number of frames per second."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(
            f"expected frames per second, a whole number from 1 on, found {text!r}")
    return int(text)


def arguments():
    p = argparse.ArgumentParser(prog="adaptive.py send", description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--size", type=size_of, default="640x360",
                   help="of the picture (640x360)")
    p.add_argument("--fps", type=frames, default=25, help="frames per second (25)")
    p.add_argument("--min", type=float, default=80, help="least rate, kbit/s (80)")
    p.add_argument("--max", type=float, default=2000, help="greatest rate, kbit/s (2000)")
    p.add_argument("--log", help="CSV of each second: when it was, the mean rate that was allowed "
                   "(bit/s), and what was made (bits)")
    p.add_argument("host")
    p.add_argument("port", type=int)
    p.add_argument("ccid")
    p.add_argument("input", nargs=argparse.REMAINDER)
    args = p.parse_args(sys.argv[2:])
    if not args.input:
        p.error("no INPUT")
    return args


def decoder(args):
    """A process that writes raw pictures as they come."""
    live = ["-i"] if len(args.input) > 1 else ["-re", "-i"]
    before, source = args.input[:-1], args.input[-1]
    return subprocess.Popen(
        ["ffmpeg", "-v", "error", "-nostdin", *before, *live, source, "-an",
         "-vf", f"scale={args.size.replace('x', ':')},fps={args.fps}",
         "-pix_fmt", "yuv420p", "-f", "rawvideo", "-"], stdout=subprocess.PIPE)


def pictures(source, size, count):
    """The next pictures of a source, as they come; fewer at its end."""
    for _ in range(count):
        picture = source.stdout.read(size)
        if len(picture) < size:
            return
        yield picture


def encode(args, second, start, rate):
    """A second of pictures as a piece of a transport stream, at a rate in bit/s."""
    done = subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", "yuv420p",
         "-s", args.size, "-r", str(args.fps), "-i", "-",
         "-c:v", "libx264", "-preset", "veryfast", "-tune", "zerolatency",
         "-b:v", f"{rate:.0f}", "-maxrate", f"{rate:.0f}", "-bufsize", f"{rate / 2:.0f}",
         "-x264-params", "scenecut=0", "-g", str(args.fps),
         "-output_ts_offset", str(start), "-muxdelay", "0", "-f", "mpegts", "-"],
        input=second, stdout=subprocess.PIPE, check=False)
    if done.returncode:
        sys.exit(f"adaptive.py: ffmpeg failed with {rate:.0f} bit/s")
    return done.stdout


class Pacer(threading.Thread):
    """Sends one piece after the other, each spread over a second."""

    def __init__(self, connection):
        super().__init__(daemon=True)
        self.connection, self.pieces, self.sent, self.error = connection, [], 0, None
        self.there = threading.Condition()

    def put(self, piece):
        """Have a piece sent. Raises the error of one before."""
        if self.error:
            raise self.error
        with self.there:
            self.pieces.append(piece)
            self.there.notify()

    def finish(self):
        """Wait until all is sent. Returns the bytes sent, or raises an error as put() does."""
        self.put(None)
        self.join()
        if self.error:
            raise self.error
        return self.sent

    def run(self):
        try:
            self.send_all()
        except OSError as e:
            self.error = e

    def send_all(self):
        due = None
        while True:
            with self.there:
                while not self.pieces:
                    self.there.wait()
                piece = self.pieces.pop(0)
            if piece is None:
                return
            due = max(due or 0, time.monotonic())
            self.send(piece, due)
            due += 1

    def send(self, piece, start):
        """Send; packets that are a second late are dropped."""
        at = 0
        while at < len(piece):
            due = start + at / len(piece)
            time.sleep(max(0, due - time.monotonic()))
            wait = max(0, due + 1 - time.monotonic())
            room = select.select([], [self.connection], [], wait)[1]
            # Whole packets of the transport stream; the path may take shorter ones by now.
            whole = max(1, self.connection.max_packet_size // TS_PACKET)
            packet = piece[at:at + whole * TS_PACKET]
            if room and self.connection.offer(packet):
                self.sent += len(packet)
            at += len(packet)


def send(udp):
    args = arguments()
    connection = dccp.connect(args.host, args.port, tx_ccid=[args.ccid, 3, 2],
                              queue_length=TXQLEN, udp_port=udp)
    pacer = Pacer(connection)
    pacer.start()
    with until_closed(connection):
        try:
            source = follow(args, connection, pacer)
        except OSError:
            pacer.finish()      # its thread may have been told why
            raise
        sent = pacer.finish()
        connection.close()
        print(f"sent {sent} bytes", file=sys.stderr)
        if source.returncode:
            raise ValueError(f"ffmpeg cannot read {args.input[-1]}, or not all of it: see its "
                             "message")


def follow(args, connection, pacer):
    """Encode the input at the allowed rate. Returns the process that has decoded it."""
    width, height = map(int, args.size.split("x"))
    log = open(args.log, "w", encoding="ascii") if args.log else None
    if log:
        print("time,allowed,made", file=log)
    number, rate, over = 0, 0, 0
    with decoder(args) as source:
        while second := [(picture, allowed_rate(connection, args.min * 125, args.max * 125) * 8)
                         for picture in pictures(source, width * height * 3 // 2, args.fps)]:
            # A rate that is told with each packet swings about what the path carries:
            # the mean of a second is steadier than a glance.  An encoder at a low rate
            # makes more than it was asked for: it gets that much less the next time. It
            # owes no more than a second's, for what is a second late has been dropped.
            allowed = sum(rate for _, rate in second) / len(second)
            rate = min(SHARE * allowed, max(allowed / 4, GROWTH * rate))
            piece = encode(args, b"".join(picture for picture, _ in second), number,
                           max(rate - over, args.min * 1000))
            over = min(rate, max(0, over + len(piece) * 8 - rate))
            pacer.put(piece)
            number += 1
            print(f"{number:4} s: allowed {allowed / 1e3:6.0f} kbit/s, "
                  f"made {len(piece) * 8e-3:6.0f}", file=sys.stderr)
            if log:
                print(f"{time.monotonic():.3f},{allowed:.0f},{len(piece) * 8}", file=log,
                      flush=True)
    return source


def receive():
    port, ccid = sys.argv[2:]
    with dccp.listen(number(port, "a port"), rx_ccid=[ccid, 3, 2]) as listener:
        s, _ = listener.accept()
    total, shown, start = 0, 0, time.monotonic()
    with s:
        while (packet := s.recv(65536)) or not s.ended():
            sys.stdout.buffer.write(packet)
            sys.stdout.buffer.flush()
            total += len(packet)
            elapsed = time.monotonic() - start
            if elapsed >= 1:
                print(f"{(total - shown) * 8e-3 / elapsed:6.0f} kbit/s", file=sys.stderr)
                shown, start = total, time.monotonic()
        print(f"received {total} bytes", file=sys.stderr)
        check_end(s)


if __name__ == "__main__":
    try:
        port_of_udp = take_udp(sys.argv)
        if sys.argv[1:2] == ["receive"] and len(sys.argv) == 4:
            receive()
        elif sys.argv[1:2] == ["send"]:
            send(port_of_udp)
        else:
            sys.exit(__doc__)
    except (OSError, ValueError) as e:
        sys.exit(f"adaptive.py: {reason(e)}")
