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


@pytest.mark.parametrize("status, absent, made, result", [
    (0, False, ["setup", "build"], 0), (3, True, ["setup"], 0), (1, False, ["setup"], 2)])
def test_kernel_that_debian_does_not_have(tmp_path, status, absent, made, result):
    """make goes on if there is no such kernel, and stops if it could not be got."""
    (tmp_path / "lab").mkdir()
    (tmp_path / "Makefile").symlink_to(os.path.join(TOP, "Makefile"))
    for name, more in ("setup", f"exit {status}"), ("build", ""):
        (tmp_path / "lab" / name).write_text(f"#!/bin/sh\necho {name} $1\n{more}\n")
        (tmp_path / "lab" / name).chmod(0o755)
    if absent:
        (tmp_path / "linux/6.1").mkdir(parents=True)
        (tmp_path / "linux/6.1/.absent").touch()
    done = subprocess.run(["make", "-s", "guest-6.1", "MAKE=true"], cwd=tmp_path, text=True,
                          env={**os.environ, "LAB_CACHE": str(tmp_path)}, capture_output=True,
                          check=False)
    assert done.stdout.splitlines() == [f"{name} 6.1" for name in made]
    assert done.returncode == result


@pytest.mark.parametrize("sudo, status, said", [
    ("echo 'sudo: a password is required' >&2; exit 1", 1, "root is needed, and sudo refuses it"),
    ("[ $2 = true ]", 4, "1..0 # SKIP no mounts of one's own")])
def test_chroot_without_sudo(tmp_path, sudo, status, said):
    """That sudo fails is not that there can be no mounts."""
    for name, text in ("id", "[ $1 = -un ] && echo user || echo 1000"), ("sudo", sudo):
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    done = subprocess.run([os.path.join(TOP, "lab/chroot"), "true"], text=True, cwd=tmp_path,
                          env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
                          capture_output=True, check=False)
    assert done.returncode == status
    assert said in done.stdout + done.stderr
