# SPDX-License-Identifier: GPL-2.0-only
"""lab/setup when apt fails half-way: what is left must not look complete. Nothing is installed."""

import os
import re
import subprocess

import pytest
from labkit.experiment import LAB

STUBS = """
set -euo pipefail
cache={cache} uml_series=6.12 updated=
say() {{ echo "$*" >&2; }}
die() {{ say "$*"; exit 1; }}
may_be_root() {{ :; }}
can_be_root() {{ :; }}
as_root() {{ "$@"; }}
dpkg() {{ echo amd64; }}
candidate() {{ :; }}
meta() {{ :; }}
apt-get() {{ {apt}; }}
"""


def run(directory, apt, command, names, more=""):
    """Run a command with these functions of lab/setup, and with another apt-get."""
    with open(os.path.join(LAB, "setup"), encoding="utf-8") as file:
        text = file.read()
    functions = [re.search(rf"^{name}\(\) {{\n.*?^}}\n", text, re.M | re.S)[0] for name in names]
    return subprocess.run(["bash", "-c", STUBS.format(cache=directory, apt=apt) +
                           more + "".join(functions) + command], capture_output=True, text=True,
                          check=False)


# A Debian whose source, images and headers are of these versions
DEBIAN = """
candidate() { newest=($(versions "$1")); echo "${newest-}"; }
meta() { echo "linux-$1-amd64"; }
apt-cache() { for v in $(versions "$2"); do echo "$2 | $v | somewhere"; done; }
real() { echo "linux-$2-6.1.0-1-amd64"; }
needs() { echo "linux-${2:6:6}-6.1"; }
unpack_source() { :; }
unpack() { :; }
download() { echo "$1=$2"; }
"""


@pytest.mark.parametrize("source, image, headers, taken", [
    ("5 4 3", "5 4", "5 4", "5"), ("6 5 4", "5 4", "5 4", "5"), ("4", "5 4", "5 4", ""),
    ("5", "5", "4", "")])
def test_versions(tmp_path, source, image, headers, taken):
    """All are of the version of the image, which its source and headers may not lack; the programs
    that build modules are the newest."""
    versions = f"""versions() {{ case $1 in
        linux-source*) echo {source} ;; linux-image*) echo {image} ;; linux-kbuild-6.1) echo 7 ;;
        *) echo {headers} ;; esac; }}
        """
    (tmp_path / "linux/6.1").mkdir(parents=True)
    done = run(tmp_path, "return 0", "get_kernel 6.1",
               ("apt_update", "no_list_is_missing", "has_version", "get_kernel"),
               DEBIAN + versions)
    assert (done.returncode == 0) == bool(taken), done.stderr
    assert set(done.stdout.split()) == {f"{name}={taken}" for name in (
        "linux-source-6.1", "linux-image-6.1.0-1-amd64", "linux-headers-6.1.0-1-amd64",
        "linux-header-6.1") if taken} | {"linux-kbuild-6.1=7" for _ in taken}
    assert taken or "mirror" in done.stderr


def download(directory, apt):
    """The files that a download has left."""
    done = run(directory, apt, "download some 1", ("download", "deb_file"))
    return done.returncode, sorted(n for n in os.listdir(directory / "debs") if n != "partial")


def test_interrupted_download(tmp_path):
    """The next run downloads the package again, and keeps it then."""
    assert download(tmp_path, "echo half >some_1_all.deb; exit 130") == (1, [])
    assert download(tmp_path, "echo whole >some_1_all.deb") == (0, ["some_1_all.deb"])
    assert download(tmp_path, "exit 1") == (0, ["some_1_all.deb"])      # nothing to do
    assert (tmp_path / "debs/some_1_all.deb").read_text() == "whole\n"


@pytest.mark.parametrize("apt, status, absent", [("return 0", 3, True), ("return 100", 1, False)])
def test_no_such_kernel(tmp_path, apt, status, absent):
    """That Debian has none is known only with all package lists."""
    (tmp_path / "linux").mkdir()
    done = run(tmp_path, apt, "get_kernel 6.1", ("apt_update", "no_list_is_missing", "get_kernel"))
    assert done.returncode == status, done.stderr
    assert (tmp_path / "linux/6.1/.absent").exists() == absent
    assert ("network" in done.stderr) != absent


@pytest.mark.parametrize("failures, waits, updated", [(0, 0, "y"), (3, 3, "y"), (99, 60, "partly")])
def test_another_apt(tmp_path, failures, waits, updated):
    """The lists are updated when another apt has done so, unless it takes ten minutes."""
    apt = f"""echo >>{tmp_path}/calls; [ $(wc -l <{tmp_path}/calls) -gt {failures} ] || {{
        echo "E: Could not get lock /var/lib/apt/lists/lock."; return 100; }}"""
    done = run(tmp_path, apt, 'apt_update; echo "$updated"', ("apt_update",),
               "sleep() { echo wait; }\n")
    assert done.stdout.split() == ["wait"] * waits + [updated]
    assert ("Could not get lock" in done.stderr) == (updated == "partly")


@pytest.fixture(name="lab")
def cached_kernel(tmp_path):
    """What lab/setup 6.12 has left, and a repository of the time before"""
    for name in ("linux/6.12/root/usr/src/linux-headers-6.12.5-amd64/x", "linux/6.12/.complete",
                 "debs/linux-source-6.12_5_all.deb", "debs/linux-source-6.12_4_all.deb",
                 "debs/linux-image-6.12.5-amd64_5_amd64.deb",
                 "debs/linux-image-6.12.4-amd64_4_amd64.deb",
                 "debs/linux-kbuild-6.12_6_amd64.deb", "debs/linux-kbuild-6.12_10_amd64.deb",
                 "apt/.complete"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("5\n")
    return tmp_path


def repository(lab, apt, newest=""):
    """lab/setup apt, where apt knows only the newest version of the source"""
    return run(lab, apt, "get_repository",
               ("get_repository", "apt_update", "no_list_is_missing"), f"newest={newest}" """
        candidate() { [ "$1" != linux-source-6.12 ] || echo $newest; }
        get_kernel() { :; }; reduce_image() { :; }; dpkg-scanpackages() { :; }
        """)


@pytest.mark.parametrize("newest", ["", "6"])
def test_repository_of_one_version(lab, newest):
    """Source and headers are of the lab's version, though apt and the downloads have others, or
    none. apt is given their files, as it may not find this version any more."""
    done = repository(lab, f'[ "${{@: -1}}" = update ] || echo "${{@:$#-3}}" >{lab}/install',
                      newest)
    assert done.returncode == 0, done.stderr
    assert (lab / "apt/.complete").read_text() == \
        "dkms linux-source-6.12=5 linux-headers-6.12.5-amd64=5\n"
    packages = ["linux-image-6.12.5-amd64_5_amd64.deb", "linux-kbuild-6.12_10_amd64.deb",
                "linux-source-6.12_5_all.deb"]
    assert sorted(file.name for file in (lab / "apt").glob("*.deb")) == packages
    assert (lab / "install").read_text().split() == \
        ["dkms"] + [f"{lab}/apt.new/{name}" for name in packages]


def test_repository_stays(lab):
    """Without the network, or without package lists, the one of before is not removed."""
    assert repository(lab, "return 100").returncode == 1
    assert (lab / "apt/.complete").exists()


@pytest.mark.parametrize("lists, status", [("", 1), ("Packages", 3)])
def test_no_root(tmp_path, lists, status):
    """Without root and sudo the lists stay as they are, and are taken as they are if there are
    any; packages that are missing are named."""
    (tmp_path / "linux").mkdir()
    functions = "can_be_root", "may_be_root", "as_root", "apt_update", "no_list_is_missing"
    user = "id() { echo 1000; }; sudo() { return 1; }; dpkg-query() { echo $there; }\n"
    apt = f'[ "$1" = indextargets ] && echo {lists}'
    done = run(tmp_path, apt, "there=installed; install_packages make; get_kernel 6.1",
               (*functions, "install_packages", "get_kernel"), user)
    assert done.returncode == status, done.stderr
    assert "without sudo: the package lists stay as they are" in done.stderr
    assert ("run 'apt-get update' as root" in done.stderr) == (not lists)
    done = run(tmp_path, apt, "there=; install_packages make", (*functions, "install_packages"),
               user)
    assert "run 'apt-get install make' as root" in done.stderr


def test_sudo_without_password(tmp_path):
    """A user who needs no password for commands, and has none, can be root: sudo -v fails."""
    user = "id() { echo 1000; }; sudo() { [ $1 != -v ] && shift && \"$@\"; }\n"
    functions = "can_be_root", "may_be_root", "as_root"
    done = run(tmp_path, ":", "as_root echo done", functions, user)
    assert done.stdout == "done\n", done.stderr
