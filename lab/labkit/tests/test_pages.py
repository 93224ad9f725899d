# SPDX-License-Identifier: GPL-2.0-only
"""The pages name functions that there are, and show what sources and tests have."""

import glob
import os
import re

from labkit.experiment import TOP

OURS = r"``((?:marc|raar|ltfrc|dvrc|ctfaf|lda|pair|tfrc|rfc5348|driven|interval)_\w+)\(\)"


def read(pattern):
    """All files of a pattern, below the top of the repository."""
    text = ""
    for path in glob.glob(os.path.join(TOP, pattern), recursive=True):
        with open(path, encoding="utf-8") as file:
            text += file.read()
    return text


def test_functions_are_there():
    """Those of the library and of the schemes."""
    sources = "".join(map(read, ("ccid_*/*.[ch]", "lib_tfrc/*.[ch]", "include/net/*.h",
                                 "samples/*/*.c")))
    named = set(re.findall(OURS, read("Documentation/**/*.rst") + read("dccp_core/README.rst")))
    assert len(named) > 50
    assert not {name for name in named if not re.search(rf"\b{name}\(", sources)}


def test_rules_of_the_router():
    """The page about NAT shows what the router of selftests/nat.py is given."""
    rules = re.search(r'^MASQUERADE = """\n(.*?)"""', read("selftests/nat.py"), re.M | re.S)[1]
    assert " ".join(rules.split()) in " ".join(read("Documentation/howto/nat.rst").split())


def test_parameters_are_generated():
    """The page of each scheme that has parameters includes its table of them."""
    for path in glob.glob(os.path.join(TOP, "ccid_*/params.c")):
        module = os.path.basename(os.path.dirname(path))
        page = read(f"Documentation/explanation/{module.removeprefix('ccid_')}.rst")
        assert f":start-after: .. begin {module}\n" in page


def test_a_release_runs_all_tests():
    """The page about releases has each target of the Makefile that runs tests."""
    targets = re.findall(r"^(test[\w-]*):", read("Makefile"), re.M)
    page = read("Documentation/howto/releasing.rst")
    assert len(targets) > 5
    assert sorted(targets) == sorted(re.findall(r"^   make (test[\w-]*)$", page, re.M))
