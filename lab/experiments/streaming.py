# SPDX-License-Identifier: GPL-2.0-only
"""Rates of an encoder that follows the rate which the socket allows, beside a TCP flow.

One run of lab/streaming has all phases. examples/adaptive.py sends a video over MARC, on 800 kbit/s
and 60 ms. X and the encoder's rate are means over the seconds of a phase; the first phase begins
with the fifth second. A seed is another run, since the queue's losses differ from run to run.
"""

import functools
import os
import re
import subprocess
import threading

from labkit import Experiment, matrix, runner
from labkit.experiment import LAB

PHASES = {"alone": "alone, from the 5th second", "beside TCP": "beside TCP",
          "alone again": "after it"}
LOCK = threading.Lock()


@functools.cache
def phases(seed):               # pylint: disable=unused-argument
    """X and what ffmpeg made, kbit/s, by the name that lab/streaming gives the phase."""
    done = subprocess.run([os.path.join(LAB, "streaming")], stdout=subprocess.PIPE, text=True,
                          check=False)
    if done.returncode:
        raise runner.Failed(f"lab/streaming failed, status {done.returncode}")
    return {name: (float(allowed), float(made)) for name, allowed, made in re.findall(
        r"^(.*): on average allowed (\d+) kbit/s, made (\d+) kbit/s$", done.stdout, re.M)}


def measure(phase, seed):
    """One phase."""
    with LOCK:
        allowed, made = phases(seed)[PHASES[phase]]
    return {"X, kbit/s": allowed, "encoder, kbit/s": made, "encoder over X": made / allowed}


EXPERIMENT = Experiment(
    title="An encoder that follows the rate, over MARC",
    source="no paper",
    cases=matrix(phase=PHASES),
    measure=measure, where="host", seeds=(1, 2, 3))
