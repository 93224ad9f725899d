# SPDX-License-Identifier: GPL-2.0-only
"""Each command and each piece of code of README.md and of the manuals is run by a test, as it
stands there, or has a reason why none can."""

import glob
import os
import re

from labkit.experiment import TOP

# The first line of each block, and the test that runs it
README = {
    "apt install build-essential": "readme.sh",
    "modprobe -a dccp_ipv4 dccp_ipv6 && dccp-ccids-check": "unmodified.py",
    "cvlc video.ts": "unmodified.py",
    "dccperf -s -C marc ": "pages.py",
    "dccperf -s -1 -C marc -F -": "streaming.py",
    "make demo ": "manual.py",
}
MANUALS = {
    "modprobe -a dccp_ipv4 dccp_ipv6": "pages.py",
    "# /etc/modules-load.d/dccp-ccids.conf": "modules.py",
    "#include <arpa/inet.h>": "pages.py",
    "table inet dccp_peers": "nat.py",
    "apt install mokutil": "no test: it takes Secure Boot, and somebody at the screen",
    "sysctl net.dccp.udp_port=": "pages.py",
    "sysctl net.netfilter.nf_conntrack_checksum=0": "nat.py",
    "dccperf -s -C marc,ccid3,ccid2": "pages.py",
    "trace-cmd record": "no test: the lab has no trace-cmd; observe.py tests the rest",
}


def read(name):
    """A file of the repository."""
    with open(os.path.join(TOP, name), encoding="utf-8") as file:
        return file.read()


def first_lines_of_readme():
    """Of indented blocks."""
    lines = read("README.md").split("\n")
    return [line.strip() for before, line in zip([""] + lines, lines)
            if line.startswith("    ") and not before.strip()]


def first_lines_of_manuals():
    """Of what is between .nf and .fi."""
    for path in glob.glob(os.path.join(TOP, "Documentation/*.[1-8]")):
        for block in re.findall(r"^\.nf\n(.*?)^\.fi", read(path), re.M | re.S):
            yield re.sub(r"^\.R[SE]\n", "", block, flags=re.M).replace("\\-", "-").split("\n")[0]


def check(lines, table):
    """Each line is in the table once, nothing else is, and the test has its words."""
    lines = list(lines)
    for line in lines:
        starts = [start for start in table if line.startswith(start)]
        assert len(starts) == 1, f"which test runs {line!r}?"
        where = table[starts[0]]
        if not where.startswith("no test: "):
            assert os.access(os.path.join(TOP, "selftests", where), os.X_OK)
    for start in table:
        assert any(line.startswith(start) for line in lines), f"nothing begins with {start!r}"


def test_readme():
    """Its indented blocks."""
    check(first_lines_of_readme(), README)


def test_manuals():
    """All of them."""
    check(first_lines_of_manuals(), MANUALS)
