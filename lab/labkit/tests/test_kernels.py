# SPDX-License-Identifier: GPL-2.0-only
"""The tables of kernels and of tests in them say what the selftests and the Makefile do."""

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
    """Of README's table: series, and whether it is built, loaded and tested."""
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
        tests[series] = only or named()["6.12"].union(
            *(named("()").get(k, set()) for k in ("6.12", "7.3")))
    return tests


def runs():
    """Of each series, all selftests that run there."""
    return {series: named().get(series, set()) | at_length().get(series, set())
            for series in set(named()) | set(at_length())}


def said():
    """Of new-kernel.rst's table: of each series, the tests of make test and of test-kernels."""
    page = read("Documentation/howto/new-kernel.rst")
    return {series: [set(re.findall(r"\w+", re.sub(r"\bas 6\.12, and\b",
                                                    " ".join(named()["6.12"]), cell)))
                     for cell in cells]
            for series, *cells in re.findall(r"^   \* - (\d\S+)\n     -(.*)\n     -(.*)\n", page,
                                             re.M)}


@pytest.mark.parametrize("series, builds, loads, tested", rows())
def test_row(series, builds, loads, tested):
    """A kernel with "yes" is one that all tests of 6.12 run in."""
    tests = runs().get(series, set())
    assert (builds == "yes") == (loads == "yes") == bool(tests)
    assert tested == ("yes" if tests >= runs()["6.12"] else "in part" if tests else "no")


def test_names():
    """The page names the tests of each kernel, and no other kernel."""
    assert said() == {series: [named().get(series, set()), at_length().get(series, set())]
                      for series in runs()}


def test_all_kernels_are_there():
    """No kernel that something is tested in is missing."""
    assert set(runs()) <= {row[0] for row in rows()}
