# SPDX-License-Identifier: GPL-2.0-only
"""Videos of experiments: made and encoded by ffmpeg, lost as in a run, decoded and compared.

The source is ffmpeg's own: a zoom into the Mandelbrot set behind its moving test pattern, 352x288,
25 frames/s. Encodes are H.264 by libx264, of one thread, so that they are the same each time. All
is made when it is needed for the first time, and kept in build/video.
"""

import functools
import os
import re
import subprocess
import tempfile
import threading

import numpy as np

from labkit import experiment
from labkit.runner import BUILD

LAYERS = experiment.program("layers")
FOLDER = os.path.join(BUILD, "video")
MAKING = threading.Lock()               # guests run side by side, and want the same files
FPS, HEADER = 25, 32                    # HEADER: of each packet of dccperf
SOURCE = "mandelbrot=size=352x288:rate=25:end_scale=0.05:end_pts=1500:maxiter=300," \
    "format=yuv420p[m];testsrc2=size=176x144:rate=25,format=yuv420p[t];[m][t]overlay=88:72"


def ffmpeg(*words):
    """Run it, or ffprobe if that is the first word. Returns what it prints."""
    command = list(map(str, words if words[0] == "ffprobe" else ("ffmpeg", "-nostdin", *words)))
    return subprocess.run([command[0], "-v", "error", *command[1:]], check=True,
                          stdout=subprocess.PIPE, text=True).stdout


def made(name, *words):
    """A file of build/video, which ffmpeg makes unless it is there; one at a time."""
    path = os.path.join(FOLDER, name)
    with MAKING:
        if not os.path.exists(path):
            os.makedirs(FOLDER, exist_ok=True)
            stem, ending = os.path.splitext(path)
            new = f"{stem}.{os.getpid()}{ending}"
            ffmpeg("-y", *words, new)
            os.rename(new, path)
    return path


def source(seconds):
    """What the encodes are compared with: without losses."""
    return made(f"source-{seconds}.mkv", "-filter_complex", SOURCE, "-t", seconds, "-c:v", "ffv1")


def encoded(seconds, kbits):
    """Groups of one second that refer to nothing before them, no B frames."""
    return made(f"{kbits}k-{seconds}.mkv", "-i", source(seconds), "-c:v", "libx264", "-threads", 1,
                "-preset", "veryfast", "-g", FPS, "-keyint_min", FPS, "-sc_threshold", 0, "-bf", 0,
                "-b:v", f"{kbits}k", "-maxrate", f"{kbits}k", "-bufsize", f"{kbits // 2}k")


@functools.cache
def sizes(path):
    """Bytes of each frame."""
    return np.array([int(n) for n in ffmpeg("ffprobe", "-select_streams", "v", "-show_entries",
                                            "packet=size", "-of", "csv=p=0", path).split()])


def compared(path, seconds, what="psnr"):
    """PSNR (dB, of all planes) or SSIM of each frame, by ffmpeg's filters.

    In the place of a frame that is missing stands the one before it.
    """
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log")
        ffmpeg("-i", path, "-i", source(seconds), "-lavfi",
               f"[0:v]fps={FPS}:start_time=0[a];[1:v]fps={FPS}[b];[a][b]{what}=stats_file={log}",
               "-f", "null", "-")
        with open(log, encoding="ascii") as file:
            text = file.read()
    found = re.findall({"psnr": r"psnr_avg:(\S+)", "ssim": r"All:(\S+)"}[what], text)
    return np.minimum(np.array([float(v) for v in found]), 100)


@functools.cache
def whole(seconds, kbits, what="psnr"):
    """PSNR or SSIM of each frame of an encode that lost nothing."""
    path, kept = encoded(seconds, kbits), os.path.join(FOLDER, f"{kbits}k-{seconds}.{what}.txt")
    if not os.path.exists(kept):
        np.savetxt(kept, compared(path, seconds, what))
    return np.loadtxt(kept)[:seconds * FPS]


def scalable(seconds, kbits, received, what="psnr"):
    """Of each second of a video that can be decoded at any rate: its mean PSNR or SSIM.

    received: bytes of each second that came. kbits: rates of the encodes; between two of them it is
    the line by the logarithm of the bytes. NaN: the least of them did not come.
    """
    def seconds_of(values, how):
        return how(values[:seconds * FPS].reshape(seconds, FPS), axis=1)
    rates = np.log([seconds_of(sizes(encoded(seconds, k)), np.sum) for k in kbits])
    values = np.array([seconds_of(whole(seconds, k, what), np.mean) for k in kbits])
    return np.array([np.interp(np.log(max(1, n)), rates[:, i], values[:, i], left=np.nan)
                     for i, n in enumerate(received)])


def expression(lost):
    """Of ffmpeg: 1 for these frames. Its parser limits the depth, so the sum is a balanced tree."""
    terms, lost = [], sorted(lost)
    for i, n in enumerate(lost):
        if i and n == lost[i - 1] + 1:
            terms[-1][1] = n
        else:
            terms.append([n, n])
    words = [f"between(n\\,{first}\\,{last})" for first, last in terms] or ["0"]
    while len(words) > 1:
        words = ["(" + "+".join(words[i:i + 2]) + ")" for i in range(0, len(words), 2)]
    return words[0]


@functools.cache
def black(seconds, what):
    """PSNR or SSIM of each frame, when none is seen."""
    return compared(made(f"black-{seconds}.mkv", "-f", "lavfi", "-i", "color=black:s=352x288:r=25",
                         "-t", seconds, "-c:v", "ffv1"), seconds, what)


def without(path, lost, seconds, what="psnr"):
    """PSNR or SSIM of each frame, when these frames did not come; the decoder conceals.

    If no frame can be decoded the picture is black.
    """
    if len(set(lost)) >= len(sizes(path)):
        return black(seconds, what)
    with tempfile.TemporaryDirectory() as folder:
        rest = os.path.join(folder, "rest.mkv")
        ffmpeg("-i", path, "-c", "copy", "-bsf:v", f"noise=drop={expression(lost)}:amount=0", "-y",
               rest)
        values = compared(rest, seconds, what)
    if not len(values):
        return black(seconds, what)
    return np.pad(values, (0, max(0, round(seconds * FPS) - len(values))), "edge")


def packets(path, payload):
    """For each packet of dccperf that carries a video: its frame."""
    counts = -(-sizes(path) // (payload - HEADER))
    return np.repeat(np.arange(len(counts)), counts)


@functools.cache
def layered(seconds, kbits):
    """An encode that lab/layers takes apart: its path, and (layer, bytes) of each frame."""
    path = made(f"layers-{kbits}k-{seconds}.mkv", "-i", source(seconds), *LAYERS.codec(f"{kbits}k"))
    stream = made(f"layers-{kbits}k-{seconds}.h264", "-i", path, "-c", "copy", "-bsf:v",
                  "h264_mp4toannexb")
    return path, list(LAYERS.layers(stream))


def frames_name(seconds, kbits, kind=""):
    """What dccperf's --frames reads, as seen from where a guest runs."""
    return f"../../../video/{kind}{kbits}k-{seconds}.frames"


def write_frames(seconds, kbits, kind, frames):
    """Make that file, of (layer, bytes), at once: guests that run may read it."""
    path = os.path.join(FOLDER, os.path.basename(frames_name(seconds, kbits, kind)))
    with MAKING:
        with open(path + ".new", "w", encoding="ascii") as file:
            file.writelines(f"{i / FPS:.3f} {k} {n}\n" for i, (k, n) in enumerate(frames))
        os.replace(path + ".new", path)


def make_frames(seconds, kbits):
    """Of the encode without layers."""
    write_frames(seconds, kbits, "", [(1, n) for n in sizes(encoded(seconds, kbits))])


def make_layers(seconds, kbits):
    """Of the one with layers, and the same as a video that has none ("flat-")."""
    frames = layered(seconds, kbits)[1]
    write_frames(seconds, kbits, "layers-", frames)
    write_frames(seconds, kbits, "flat-", [(1, n) for _, n in frames])


def in_time(rows, sizes_of, wait):
    """Whether each frame of a flow of dccperf is whole at its receiver so many s after it was due.

    rows: the flow's packets. They are due by the sender's clock, and the least that a packet took
    counts as no time.
    """
    rows = rows[rows["tag"] >= 0]
    due = (rows["tag"] - rows["tag"].min()).to_numpy() / 1e9
    after = rows["arrived"].to_numpy() - due
    there = after <= np.nanmin(after) + wait
    came = np.bincount(np.rint(due[there] * FPS).astype(int),
                       rows["payload"].to_numpy()[there] - HEADER, len(sizes_of))
    return came >= np.array(sizes_of)
