# SPDX-License-Identifier: GPL-2.0-only
"""The table of kernels in README.md says what the selftests and the Makefile do."""

import glob
import os
import re

import pytest

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
SERIES = re.compile(r"\d+\.\d+")


def read(name):
    """A file of the repository."""
    with open(os.path.join(TOP, name), encoding="utf-8") as file:
        return file.read()


def rows():
    """Of the table: series, whether it is built, whether it is loaded, how it is tested."""
    for line in read("README.md").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and SERIES.match(cells[0]):
            yield cells[0], cells[2], cells[3], cells[4]


def named(more=""):
    """Of each series, the selftests that name it in their head: what make test runs there.

    more: also those with the series in parentheses, which only make test-kernels runs
    """
    tests = {}
    for path in glob.glob(os.path.join(TOP, "selftests/*.py")):
        head = "".join(read(path).splitlines(keepends=True)[:20])
        words = re.search(r"^#.*\bKernels: *(.*)", head, re.M)
        for word in words[1].split() if words else []:
            if SERIES.match(word.strip(more)):
                name = os.path.basename(path).removesuffix(".py")
                tests.setdefault(word.strip(more), set()).add(name)
    return tests


def at_length():
    """Of each series, the selftests that make test-kernels runs there."""
    recipe = re.search(r"^test-kernels:.*\n((?:\t.*\n)*)", read("Makefile"), re.M)
    tests = {}
    for series, words in re.findall(r"--kernel (\d\S+)(.*)", recipe[1]) if recipe else []:
        only = set(re.findall(r"(\w+)\.py", words))
        tests[series] = only or named()["6.12"] | named("()").get("7.3", set())
    return tests


def said(how, target):
    """The tests that a cell says make TARGET runs."""
    names = re.search(rf"`make {target}`: ([^;]*)", how)
    words = re.sub(r"\bas 6\.12, and\b", " ".join(named()["6.12"]), names[1]) if names else ""
    return set(re.findall(r"\w+", words))


@pytest.mark.parametrize("series, builds, loads, how", rows())
def test_row(series, builds, loads, how):
    """A kernel with "yes" is one that these tests run in, and no other kernel is."""
    assert said(how, "test") == named().get(series, set())
    assert said(how, "test-kernels") == at_length().get(series, set())
    tested = bool(said(how, "test") or said(how, "test-kernels"))
    assert (builds == "yes") == (loads == "yes") == tested
    if not tested:
        assert how == "none"


def test_all_kernels_are_there():
    """No kernel that something is tested in is missing."""
    assert set(named()) | set(at_length()) <= {row[0] for row in rows()}
