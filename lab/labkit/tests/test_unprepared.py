# SPDX-License-Identifier: GPL-2.0-only
"""On a machine without what they need, the selftests say so, and do not fail."""

import glob
import os
import re
import subprocess
import sys

import pytest
from labkit.experiment import TOP

TESTS = [path for path in glob.glob(os.path.join(TOP, "selftests/*.py"))
         if os.access(path, os.X_OK)]


@pytest.mark.parametrize("path", TESTS, ids=os.path.basename)
def test_skips(path):
    """There is no modprobe, so nothing is loaded, whoever runs this."""
    done = subprocess.run([sys.executable, "-B", path], env={"PATH": "/nonexistent"}, cwd=TOP,
                          capture_output=True, text=True, check=False)
    assert done.returncode == 4, done.stdout + done.stderr
    assert re.search(r"^1\.\.0 # SKIP \w", done.stdout, re.M)


def test_no_curl():
    """A test on a bare Debian names the program that is missing, and not the network."""
    done = subprocess.run(["bash", "-c", """
        . "$1"/selftests/fresh.sh; top=/nonexistent
        id() { echo 0; }; unshare() { :; }; command() { [ "$2" != curl ]; }
        own_mounts""", "-", TOP], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (4, "1..0 # SKIP no curl: make setup\n")
