# SPDX-License-Identifier: GPL-2.0-only
"""MARC's figures 29 to 31: a video of 60.47 KB/s in a flash crowd of 50, 100 and 200.

As in the paper (appendix B): 1.5 Mbit/s, n = 128, a crowd from 50 s to 55 s, a player that
buffers 1 s. The paper's clip cannot be had, and its viewers judged by eye. Here the source of
labkit/video.py is encoded by H.264 at 60.47 KB/s of packets, and sent frame by frame from 20 s to
80 s. What has not arrived 1 s after its time is lost; ffmpeg decodes the rest, and compares it. A
frame counts if all of it is there. One TCP is beside the video, as in section 5.1. Network and
TCP are those of crowd.py. From 50 s to 65 s; "sent" is over that from 40 s to 50 s. X is of IP
packets.
"""

import numpy as np

from labkit import Experiment, Flow, Scenario, experiment, matrix, metrics, video
from labkit.experiment import HEADERS

CROWD = experiment.load("crowd")
PACKET, FROM, SECONDS, BUFFER, START, END = 1000, 20, 60, 1, 50, 65
PAYLOAD = PACKET - HEADERS
KBITS = round(60.47 * (PAYLOAD - video.HEADER) / PACKET * 8)


def scenario(rng, seed, flow, crowd):
    """One run."""
    spec, end = CROWD.scenario(rng, seed, flow, 128), FROM + SECONDS + 5
    stream = Flow(flow, FROM, parameters={"loss_history": 128}, options=[
        "-l", PAYLOAD, "--layers", "480K", "--frames", video.frames_name(SECONDS, KBITS)])
    return Scenario(spec.topology, [stream],
                    [f"--seed {seed} --duration {end} --tcp {rng.random():.3f}:{end} "
                     f"--crowd {crowd} --crowd-at 50 --crowd-for 5"], end, spec.setup)


def prepare(**_):
    """The video, before a guest boots."""
    video.make_frames(SECONDS, KBITS)
    return []


def lost(run):
    """Frames that are not whole in time."""
    path = video.encoded(SECONDS, KBITS)
    frames, p = video.packets(path, PAYLOAD), run.packets
    p = p[(p["name"] == "media") & (p["payload"] > 0)].sort_values("sent")
    passed, first = np.full(len(frames), np.inf), p.iloc[0]
    passed[:len(p)] = p["passed"].fillna(np.inf)[:len(frames)]
    due = first["passed"] + frames / video.FPS + BUFFER
    return sorted(set(frames[passed > due].tolist()))


def gone(run):
    """% of the frames of the window that are lost."""
    first, end = ((t - FROM) * video.FPS for t in (START, END))
    return 100 * sum(first <= i < end for i in lost(run)) / (end - first)


def cost(run, what):
    """What the losses cost of each frame's PSNR (dB) or SSIM in the window."""
    if what not in run.derived:
        span = slice((START - FROM) * video.FPS, (END - FROM) * video.FPS)
        before = video.whole(SECONDS, KBITS, what)
        came = video.without(video.encoded(SECONDS, KBITS),
                             [i for i in lost(run) if i < span.stop], SECONDS, what)
        run.derived[what] = (before - came[:len(before)])[span]
    return run.derived[what]


EXPERIMENT = Experiment(
    title="A video of 60 KB/s in a flash crowd, 1.5 Mbit/s, 140 ms",
    source="MARC, figures 29 to 31",
    cases=matrix(crowd=(50, 100, 200), flow=("tfrc-marc", "marc-paper", "marc")),
    full=matrix(crowd=(50, 100, 200), flow=("tfrc",)), guest=prepare,
    seeds=range(1, 11), scenario=scenario, window=(START, END), group="by hand",
    metrics={"least X, KB/s": metrics.trace("x", "min", PACKET / PAYLOAD / 8e3),
             "sent": lambda run: metrics.rate("media", "sent")(run) /
             metrics.rate("media", "sent")(run.within((40, 50))),
             "lost, %": metrics.loss("media"), "frames lost, %": gone,
             "PSNR lost, dB": lambda run: float(cost(run, "psnr").mean()),
             "SSIM lost": lambda run: float(cost(run, "ssim").mean())},
    series={"X": metrics.traced("x", PACKET / PAYLOAD / 8e3, 5), "sent": metrics.rates("media", 1),
            "PSNR lost": lambda run: cost(run, "psnr")[::5].tolist()})
