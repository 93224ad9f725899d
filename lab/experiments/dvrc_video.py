# SPDX-License-Identifier: GPL-2.0-only
"""What DVRC's delivery is worth: figures 8 to 10 with a real video, decoded and compared.

Network, errors and TCP are those of dvrc_many. The source of labkit/video.py is encoded by H.264 at
500 kbit/s with a pyramid of B frames, which makes five layers (lab/layers). DVRC has them as
layers; TFRC, and DVRC with "layers 1", have the same video as one. All flows send it from the same
frame on, one after the other within a second, and drop what has waited for 0.9 s. A frame counts if
it is whole a second after it was due, by the clock of the packet that was fastest; what does not
count is dropped, the rest is decoded and compared by ffmpeg, where a frame that is missing is
replaced by the one before it. PSNR and SSIM are those of SOME flows, from the second group of
frames on; rates and losses are from 2 s to 49 s.
"""

import numpy as np

from labkit import Experiment, Flow, Scenario, layered, matrix, metrics, networks, video

SECONDS, KBITS, WAIT, TCP, SOME, PAYLOAD = 49.92, 500, 1, 10, 5, 1000
RATES = "53.4K", "266.3K", "383.2K", "451.9K", "521.0K"     # of the layers, by Debian 12's x264


def scenario(rng, flow, count, layers=5, **more):
    """One run."""
    flat = layers == 1 or not flow.startswith("dvrc")
    kind, rates = ("flat-", RATES[-1:]) if flat else ("layers-", RATES)
    options = ["-l", PAYLOAD, "--layers", ",".join(rates), "--deadline", 900 * WAIT,
               "--frames", video.frames_name(SECONDS, KBITS, kind)]
    return Scenario({"rate": layered.LINK, "rtt": layered.RTT},
                    [Flow(flow, s, parameters=layered.own(more), options=options)
                     for s in layered.begin(rng, count)],
                    [layered.tcp(rng, TCP)], layered.END,
                    layered.network() + networks.own_way(layered.RTT), layered.errors(),
                    trace_interval=1, at_right=True)


def prepare(**_):
    """The video, before a guest boots."""
    video.make_layers(SECONDS, KBITS)
    return []


def frames(run):
    """Of each flow, whether each frame counts."""
    if "frames" not in run.derived:
        sizes = [n for _, n in video.layered(SECONDS, KBITS)[1]]
        rows = run.packets.query("name == 'media' and payload > 0")
        run.derived["frames"] = [video.in_time(rows[rows["flow"] == f], sizes, WAIT)
                                 for f in run.flows("media")]
    return run.derived["frames"]


def quality(what):
    """Mean PSNR (dB) or SSIM of some flows."""
    def metric(run):
        return float(np.mean([video.without(
            video.layered(SECONDS, KBITS)[0], np.flatnonzero(~came).tolist(), SECONDS, what)[
                video.LAYERS.GROUP:].mean() for came in frames(run)[:SOME]]))
    return metric


EXPERIMENT = Experiment(
    title="A real video in layers and ten TCP on 10 Mbit/s, 70 ms, link errors",
    source="DVRC, figures 8 to 10",
    cases=matrix(count=(10,), flow=("dvrc-paper", "dvrc", "tfrc")) +
    [{"count": 10, "flow": "dvrc-paper", "layers": 1}] +
    [{"count": 10, "flow": "dvrc", "with": w} for w in ("weight_layers=0", "validation=0",
                                                      "preset=layered")],
    full=matrix(count=(50,), flow=("dvrc-paper", "dvrc", "tfrc")), guest=prepare,
    seeds=(1, 2, 3), scenario=scenario, window=(layered.START, int(SECONDS)), group="by hand",
    metrics={"frames in time, %": lambda run: 100 * float(
                 np.mean([f[video.LAYERS.GROUP:].mean() for f in frames(run)])),
             "PSNR, dB": quality("psnr"), "SSIM": quality("ssim"),
             "all media, Mbit/s": lambda run: metrics.total("media", "arrived")(run) / 1e3,
             "lost, %": metrics.loss("media", "arrived")})
