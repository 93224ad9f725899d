# SPDX-License-Identifier: GPL-2.0-only
"""Packages for tests are not where the commands of README.md find packages."""

import glob
import os
import re
import subprocess

import pytest
from labkit.experiment import TOP

# In place of the build: it makes the packages in the parent folder, as that does.
BUILD = """#!/bin/sh
version=$(sed -n '1s/.*(\\(.*\\)).*/\\1/p' debian/changelog)
touch "../dccp-ccids-dkms_${version}_all.deb" "../dccp-ccids_${version}_amd64.deb" \\
	"../python3-dccp-ccids_${version}_all.deb"
"""


def read(name):
    """A file of the repository."""
    with open(os.path.join(TOP, name), encoding="utf-8") as file:
        return file.read()


@pytest.mark.parametrize("page", ["README.md", "Documentation/howto/install.rst"])
def test_patterns(page, tmp_path):
    """After make apt the patterns of the page match this version alone."""
    program = tmp_path / "bin/dpkg-buildpackage"
    program.parent.mkdir()
    program.write_text(BUILD)
    program.chmod(0o755)
    env = {**os.environ, "LAB_BUILD": str(tmp_path / "build"),
           "PATH": f"{program.parent}:{os.environ['PATH']}"}
    version = read("VERSION").strip()
    for wanted in [], ["9.9~test"]:
        done = subprocess.run([os.path.join(TOP, "packaging/make-deb"), *wanted], env=env,
                              capture_output=True, text=True, check=False)
        if "is missing: apt install" in done.stderr:
            pytest.skip(done.stderr)
        assert done.returncode == 0, done.stderr
    patterns = re.findall(r"\./(build/deb/\S+\.deb)", read(page).replace("\n", " "))
    assert len(patterns) >= 2
    for pattern in patterns:
        found = glob.glob(os.path.join(tmp_path, pattern))
        assert len(found) == 1
        assert re.search(rf"_{re.escape(version)}([~+]git[0-9]{{14}}\.[0-9a-f]+)?_", found[0])
    assert glob.glob(os.path.join(tmp_path, "build/deb/test/*9.9~test*"))


def test_the_lab_stays(tmp_path):
    """The package cleans its own build folder, and not the one that LAB_BUILD names."""
    program = tmp_path / "bin/dpkg-buildpackage"
    program.parent.mkdir()
    program.write_text(BUILD + f"""
        echo "'$LAB_BUILD$LAB_CACHE'" >{tmp_path}/names
        mkdir -p build && touch build/object
        LAB_BUILD={tmp_path}/build debian/rules clean && ! [ -e build ]
        """)
    program.chmod(0o755)
    kept = tmp_path / "build/uml/modules"
    kept.mkdir(parents=True)
    env = {**os.environ, "LAB_BUILD": str(tmp_path / "build"), "LAB_CACHE": str(tmp_path),
           "PATH": f"{program.parent}:{os.environ['PATH']}"}
    done = subprocess.run([os.path.join(TOP, "packaging/make-deb")], env=env,
                          capture_output=True, text=True, check=False)
    if "is missing: apt install" in done.stderr:
        pytest.skip(done.stderr)
    assert done.returncode == 0, done.stderr
    assert kept.exists()
    assert (tmp_path / "names").read_text() == "''\n"


@pytest.mark.parametrize("tag,heading,pattern", [
    ("", "(not released yet)", r"1\.0~git20300102030405\.[0-9a-f]+"),
    ("", "(1 January 2030)", r"1\.0\+git20300102030405\.[0-9a-f]+"),
    ("v1.0", "(1 January 2030)", r"1\.0")])
def test_version_of_a_commit(tag, heading, pattern, tmp_path):
    """apt upgrades from one commit to a later one, and to the release; a release has its own."""
    program = tmp_path / "bin/dpkg-buildpackage"
    program.parent.mkdir()
    program.write_text(BUILD)
    program.chmod(0o755)
    tree = tmp_path / "tree"
    for name, text in {"packaging/make-deb": read("packaging/make-deb"), "VERSION": "1.0\n",
                       "CHANGELOG.md": f"## 1.0 {heading}\n",
                       "packaging/debian/changelog": "dccp-ccids (1.0) UNRELEASED\n"}.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text)
    env = {**os.environ, "LAB_BUILD": str(tmp_path / "build"), "GIT_CONFIG_GLOBAL": "/dev/null",
           "PATH": f"{program.parent}:{os.environ['PATH']}"}
    for variable in "AUTHOR", "COMMITTER":
        env |= {f"GIT_{variable}_NAME": "nobody", f"GIT_{variable}_EMAIL": "nobody@invalid",
                f"GIT_{variable}_DATE": "2030-01-02T05:04:05+0200"}
    for words in ["init", "-q"], ["add", "."], ["commit", "-qm", "all"], ["tag", tag or "-l"]:
        subprocess.run(["git", *words], cwd=tree, env=env, check=True)
    done = subprocess.run(["bash", tree / "packaging/make-deb"], env=env,
                          capture_output=True, text=True, check=False)
    if "is missing: apt install" in done.stderr:
        pytest.skip(done.stderr)
    assert done.returncode == 0, done.stderr
    found, = glob.glob(os.path.join(tmp_path, "build/deb/dccp-ccids-dkms_*.deb"))
    assert re.search(rf"_{pattern}_all", found)


def test_the_reason_why_the_modules_cannot_be_removed(tmp_path):
    """dpkg says only that the script has failed."""
    dkms = tmp_path / "dkms"
    dkms.write_text("#!/bin/sh\n[ $1 = remove ] || exec echo dccp-ccids/1.0: installed\n"
                    "echo 'Error! There is no /var/lib/dkms/dccp-ccids/1.0/source'\nexit 4\n")
    dkms.chmod(0o755)
    script = read("packaging/debian/dccp-ccids-dkms.prerm").replace("#VERSION#", "1.0")
    done = subprocess.run(["sh", "-s", "remove"], input=script, capture_output=True, text=True,
                          env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
                          check=False)
    assert done.returncode == 1
    assert "Error! There is no" in done.stderr


USAGE = [(script, words, status, said) for script in ("make-deb", "build-modules", "dkms-conf")
         for words, status, said in ((["--help"], 0, "Usage: "), (["-h"], 0, "Usage: "),
                                     (["--hlep"], 2, "unknown option --hlep: expected "))]


@pytest.mark.parametrize("script,words,status,said", USAGE + [
    ("make-deb", ["1.0", "1.1"], 2, "expected one VERSION"),
    ("build-modules", ["--undo", "--hlep"], 2, "unknown option --hlep: expected "),
    # dkms.conf would have an empty version.
    ("dkms-conf", [], 2, "expected one VERSION"),
    ("dkms-conf", ["1.0", "1.1"], 2, "expected one VERSION")])
def test_usage(script, words, status, said, tmp_path):
    """Whoever asks what a script does, or is wrong about it, gets no package and no module."""
    for name, text in {"dpkg-buildpackage": "echo it builds >&2\nexit 1\n",
                       "id": "echo 1000\n"}.items():    # so build-modules would end at once
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}")
        (tmp_path / name).chmod(0o755)
    env = {**os.environ, "LAB_BUILD": str(tmp_path / "build"),
           "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run([os.path.join(TOP, "packaging", script), *words], env=env,
                          capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stdout + done.stderr
    assert said in (done.stderr if status else done.stdout)
    assert not (done.stdout if status else done.stderr)
    assert not os.path.exists(tmp_path / "build")
