# SPDX-License-Identifier: GPL-2.0-only
"""What the features of the core cost a packet that does not use them.

The core is built for Debian's 6.12 from beginnings of the series of patches: the patches that
correct faults, all, and with --full the former and the loadable CCIDs. "own" is Debian's own
DCCP. The guest is emulated, with one processor and --virtual-time, where the time stamp counter
counts instructions. lab/features.c sends packets of 1000 bytes over the loopback device. The
instructions are those from send() to the end of recv(): both ends, the stacks, and the
acknowledgments. They are the median of 201 blocks of 20 packets; "spread" is the distance
of the quartiles. CCID 2 changes how often it acknowledges, so its blocks differ more.

CCID 2 and CCID 3 are the kernel's, so that the same CCIDs run in each of the cores.
Needs "lab/setup 6.12".
"""

import os
import shutil
import subprocess

from labkit import Experiment, Table, matrix, runner
from labkit.experiment import LAB, TOP

WORK = os.path.join(runner.OUT, "features")
PATCHES = "dccp_core/patches"
# The first patch that a core does not have
CORES = {"own": None, "faults corrected": "-let-modules-register-CCIDs",
         "loadable CCIDs": "-sysctls-of-each-network-namespace", "all": ""}
CCIDS = {"CCID 2": 2, "CCID 3": 3}


def series(end):
    """The series of patches before the one with this in its name."""
    with open(os.path.join(TOP, PATCHES, "series"), encoding="ascii") as file:
        lines = file.readlines()
    found = [i for i, line in enumerate(lines) if end and end in line]
    if len(found) != bool(end):
        raise runner.Failed(f"{len(found)} patches with {end!r} in their name")
    return lines[:found[0]] if end else lines


def build(core):
    """The core's modules in a folder of its own, which is LAB_BUILD of its guest."""
    place = os.path.join(WORK, core.replace(" ", "-"))
    tree, modules = os.path.join(place, "tree"), os.path.join(place, "6.12/modules")
    env = {**os.environ, "LAB_BUILD": place, "LAB_CACHE": runner.CACHE}
    shutil.rmtree(place, ignore_errors=True)
    if CORES[core] is None:
        root = os.path.join(runner.CACHE, "linux/6.12/root")
        os.makedirs(modules)
        for folder in "lib", "boot":
            subprocess.run(["cp", "-al", os.path.join(root, folder), modules], check=True)
        release, = os.listdir(os.path.join(modules, "lib/modules"))
        subprocess.run(["depmod", "-b", modules, release], check=True)
        with open(os.path.join(modules, ".complete"), "w", encoding="ascii"):
            return env
    files = subprocess.run(["git", "ls-files", "-z"], cwd=TOP, check=True, capture_output=True)
    os.makedirs(tree)
    subprocess.run(["rsync", "-a", "--from0", "--files-from=-", "./", tree + "/"], cwd=TOP,
                   input=files.stdout, check=True)
    with open(os.path.join(tree, PATCHES, "series"), "w", encoding="ascii") as file:
        file.writelines(series(CORES[core]))
    subprocess.run([f"{tree}/lab/build", "6.12", "dccp_core"], env=env, check=True)
    return env


def measure(core, seed):       # pylint: disable=unused-argument
    """One core."""
    env, program = build(core), os.path.join(WORK, core.replace(" ", "-"), "features")
    subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-o", program,
                    os.path.join(LAB, "features.c")], check=True)
    done = subprocess.run(
        [os.path.join(LAB, "run"), "--kernel", "6.12", "--virtual-time", "--cpus", "1",
         "--timeout", "1800", "--", "sh", "-ec",
         "modprobe dccp_ipv4; for ccid in $1; do $0 $ccid; done", program,
         " ".join(map(str, CCIDS.values()))],
        env=env, stdout=subprocess.PIPE, text=True, cwd=WORK, check=False)
    if done.returncode:
        raise runner.Failed(f"guest failed: {core}")
    result = {}
    for name, line in zip(CCIDS, done.stdout.splitlines()):
        median, low, high = map(float, line.split())
        result |= {name: median, f"{name}: spread": high - low}
    return result


EXPERIMENT = Experiment(
    title="Instructions for a packet, by what the core has",
    source="no paper",
    cases=matrix(core=("own", "faults corrected", "all")), full=matrix(core=tuple(CORES)),
    measure=measure, where="host", kernels=("6.12",), group="by hand",
    tables=[Table("Instructions for a packet of 1000 bytes, both ends")])
