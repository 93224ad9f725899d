# SPDX-License-Identifier: GPL-2.0-only
"""lab/check does not call a check ok that did not run."""

import os
import re
import shutil
import subprocess

from labkit.experiment import TOP


def test_nothing_is_there(tmp_path):
    """In a tree of few files, without checkpatch, shellcheck and sparse, and with a compiler that
    cannot be called"""
    tree, bin_folder = tmp_path / "tree", tmp_path / "bin"
    for name in ("lab/check", "lab/build", "lab/common.sh", "VERSION", "CHANGELOG.md",
                 "include/uapi/linux/dccp_ccid.h", "python/dccp_ccids/version.py",
                 "packaging/debian/changelog", "Documentation/dccp-ccids.7"):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(os.path.join(TOP, name), tree / name)
    for name in ("include/net_trace.h", "lib_tfrc/some.c", "dccp_core/patches/1.patch",
                 "netfilter/1.patch"):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text("EXPORT_SYMBOL(some)\n")
    (tmp_path / "cache/linux/6.12/source/net/dccp").mkdir(parents=True)
    bin_folder.mkdir()
    for name in "shellcheck", "make", "gcc":
        (bin_folder / name).write_text(f"#!/bin/sh\necho {name}: not found >&2\nexit 127\n")
        (bin_folder / name).chmod(0o755)
    env = {**os.environ, "PATH": f"{bin_folder}:{os.environ['PATH']}",
           "LAB_CACHE": str(tmp_path / "cache"), "LAB_BUILD": str(tmp_path / "build")}
    for words in ["init", "-q"], ["add", "."]:
        subprocess.run(["git", *words], cwd=tree, check=True)
    done = subprocess.run(["bash", tree / "lab/check"], env=env, capture_output=True, text=True,
                          check=False)
    assert done.returncode
    said = re.findall("^ok - .*", done.stdout, re.M)
    assert said == ["ok - versions"], done.stdout + done.stderr
    assert "== sparse and W=1\n" in done.stdout
    assert "shellcheck: not found" in done.stdout
    assert "lab/build failed:\nlab/build: no kernel in" in done.stdout
