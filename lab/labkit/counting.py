# SPDX-License-Identifier: GPL-2.0-only
"""Count instructions: a guest with Debian's 6.12, emulated, one processor, --virtual-time.

There each instruction takes a nanosecond, and an idle processor executes none. So the busy time
of a window (its length less idle_sleeptime of /proc/timer_list) is the number of instructions.

An experiment is also the program that its guest runs. Needs "lab/build 6.12".
"""

import json
import os
import re
import subprocess
import time

from labkit import runner
from labkit.experiment import LAB

QUIET = 5, 2                    # windows without traffic, seconds of each


def clock():
    """In the guest: time and busy time since it booted, ns."""
    with open("/proc/timer_list", encoding="ascii") as file:
        text = file.read()
    now = int(re.search(r"^now at (\d+)", text, re.M)[1])
    return now, now - int(re.search(r"\.idle_sleeptime *: (\d+)", text)[1])


def quiet():
    """In the guest: how busy it is in each of several windows."""
    shares = []
    for _ in range(QUIET[0]):
        before = clock()
        time.sleep(QUIET[1])
        passed, busy = (b - a for a, b in zip(before, clock()))
        shares.append(busy / passed)
    return shares


def guest(program, *args, memory="1G"):
    """On the host: what a program printed as JSON in a guest; None: it failed."""
    done = subprocess.run(
        [os.path.join(LAB, "run"), "--kernel", "6.12", "--virtual-time", "--cpus", "1",
         "--memory", memory, "--timeout", "3600", "--", "env", f"PYTHONPATH={LAB}",
         os.path.join(runner.CACHE, "venv/bin/python"), program, *map(str, args)],
        stdout=subprocess.PIPE, cwd=runner.OUT, check=False)
    return None if done.returncode else json.loads(done.stdout)
