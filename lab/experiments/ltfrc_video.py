# SPDX-License-Identifier: GPL-2.0-only
"""L-TFRC's figures 5 and 6: throughput of a video on 1 Mbit/s, and its quality.

As in the paper: 1 Mbit/s, a video that can be decoded at any rate, k = 8. The paper's PFGS has no
free encoder. Here each second of a video is encoded by H.264 at six rates, 100 to 1000 kbit/s,
and decoded and compared by ffmpeg (PSNR as in the paper, SSIM besides); the quality of a second is
that of the bytes that came in it, between the two nearest encodes. So a lost packet costs its bytes
and no more. What the paper leaves open: the path and the video. Here 100 ms, a queue of two
products of bandwidth and delay or of less than a half, nothing beside the flow; the source of
labkit/video.py. From 40 s to 100 s.
"""

import numpy as np

from labkit import Experiment, Flow, Scenario, Table, matrix, metrics, report, video

START, SECONDS, RATES = 40, 60, (100, 200, 350, 500, 700, 1000)
END = START + SECONDS


def scenario(rng, flow, queue, **_):
    """One run."""
    return Scenario({"rate": "1mbit", "rtt": 100, "queue": queue}, [Flow(flow, rng.random())],
                    seconds=END)


def quality(run, what="psnr"):
    """Of each second: PSNR (dB) or SSIM."""
    if what not in run.derived:
        rows = run.rows("media", "passed")
        data = rows[rows["payload"] > 0]
        received = np.bincount((data["passed"] - START).astype(int),
                               data["payload"] - video.HEADER, SECONDS)
        run.derived[what] = video.scalable(SECONDS, RATES, received, what)
    return run.derived[what]


def shown(run, what):
    """The same; a second without the least of the encodes is black."""
    values, black = quality(run, what), video.black(SECONDS, what)
    return np.where(np.isnan(values), black.reshape(SECONDS, video.FPS).mean(axis=1), values)


def plot(figure, results):
    """Of the first seed, with the short queue."""
    axes = figure.subplots()
    for case in results.cases(queue=5):
        values = results.runs(**case)[0]["series"]["PSNR"]
        axes.plot(range(len(values)), values, linewidth=1.2, label=report.flows.label(case["flow"]),
                  color=report.flows.color(case["flow"]))
    axes.set(xlabel="second of the video", ylabel="PSNR, dB")
    axes.legend()


EXPERIMENT = Experiment(
    title="A video that can be decoded at any rate, alone on 1 Mbit/s, 100 ms",
    source="L-TFRC, figures 5 and 6",
    cases=matrix(queue=(25, 5), flow=("tfrc-norecovery", "ltfrc-paper", "tfrc", "ltfrc",
                                        "ccid3")),
    full=matrix(queue=(25, 5), flow=("ltfrc11",)),
    seeds=range(1, 6), scenario=scenario, window=(START, END), group="by hand",
    metrics={"kbit/s": metrics.rate("media", column="payload"),
             "CoV, 1 s": metrics.cov("media", 1, "passed"),
             "CoV sent, 0.2 s": metrics.cov("media", 0.2), "CoV of X": metrics.trace("x", "cov"),
             "lost, %": metrics.loss("media"),
             "PSNR, dB": lambda run: float(shown(run, "psnr").mean()),
             "SSIM": lambda run: float(shown(run, "ssim").mean()),
             "seconds without base": lambda run: int(np.isnan(quality(run)).sum())},
    series={"PSNR": lambda run: quality(run).tolist(),
            "received": metrics.rates("media", 1, "passed")},
    tables=[Table(f"A queue of {queue} packets", where={"queue": queue}) for queue in (25, 5)],
    plot=plot)
