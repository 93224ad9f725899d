#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""The manual pages have a row for each CCID, and dccperf's options.  The targets of make
help exist.  lab/reference makes the tables of the parameters."""
import os
import re

from lib import TOP, check, check_equal, main, need, run, test
from schemes import SCHEMES


def manual(page):
    path = os.path.join(TOP, "Documentation", page)
    need(path)
    with open(path, encoding="utf-8") as f:
        return f.read()


@test("dccp-ccids(7): a row for each CCID")
def numbers():
    rows = re.findall(r"^(\d+)\t(ccid_\w+)\t", manual("dccp-ccids.7"), re.M)
    for scheme in SCHEMES:
        check((str(scheme.ccid), scheme.module) in rows, f"none for {scheme}")


@test("dccp-ccids(7): what a parameter does can be read in a terminal of 80 columns")
def columns():
    need("groff")
    page = run("groff", "-t", "-man", "-Tascii", "-P-c", "-rLL=78n",
               os.path.join(TOP, "Documentation/dccp-ccids.7")).stdout
    starts = [line.index("what") for line in page.split("\n")
              if re.fullmatch(r" +name +default +range +unit +what", line)]
    check_equal(len(starts), len(SCHEMES), "tables")
    check(max(starts) <= 60, f"the last column begins at {starts}")


@test("dccperf(1): the options of dccperf --help")
def options():
    text = run(os.path.join(TOP, "build/tools/dccperf"), "--help").stdout
    there = set(re.findall(r"(?<![\w-])--([a-z][a-z-]*)", text))
    said = set(re.findall(r"(?<![\w-])--([a-z][a-z-]*)", manual("dccperf.1").replace("\\-", "-")))
    check_equal(sorted(said - there), [], "options that do not exist")
    check_equal(sorted(there - said), [], "options that are missing")


@test("dccperf(1) and dccperf --help: a name for each CCID")
def names():
    wanted = sorted(["ccid2", "ccid3"] + [scheme.name for scheme in SCHEMES])
    for text in (run(os.path.join(TOP, "build/tools/dccperf"), "--help").stdout,
                 re.sub(r"^\.[BIR]+ ", "", manual("dccperf.1"), flags=re.M)):
        found = re.search(r"names\s+\(\s*(ccid2[\w\s,]*?)\s*\)", text)
        check(found, "no list of names")
        check_equal(sorted(re.split(r"[,\s]+", found[1])), wanted, "names of CCIDs")


@test("make help: its targets")
def targets():
    need(os.path.join(TOP, "Makefile"))
    said = run("make", "-s", "-C", TOP, "help").stdout
    named = re.findall(r"^  make ([a-z-]+)", said, re.M)
    check(len(named) > 10, f"few targets in: {said}")
    for target in named:
        run("make", "-n", "-C", TOP, target)


main()
