# SPDX-License-Identifier: GPL-2.0-only
"""Which results are older than a rule: whose it is, and which commits have it."""

import pytest
from labkit import experiment, results, rules


def run(flow, *media):
    """A run with streams: scheme and options."""
    return {"case": {"flow": flow}, "parameters": {
        "media": [{"ccid": ccid, "options": options} for ccid, options in media]}}


@pytest.mark.parametrize("one, expected", [
    (run("marc", ("marc", ["-C", "marc", "-b", 5])), [("marc", "default", True)]),
    (run("marc-interactive", ("marc", ["--seed", "1.0"]), ("udp", [])),
     [("marc", "interactive", True)]),
    (run("tfrc-marc", ("marc", ["--marc", "preset=paper,tokens=0"])), [("marc", "paper", False)]),
    (run("ltfrc8", ("ltfrc", ["--ltfrc", "k=8,bounded=0,target_delay=0"])),
     [("ltfrc", "default", False)]),
    (run("raar", ("raar", ["--raar", "preset=interactive"])), [("raar", "interactive", True)]),
    (run("raar-paper", ("raar", ["--raar", "preset=interactive"])),
     [("raar", "interactive", True)]),
    (run("marc", ("ctfaf", [])), [("ctfaf", "default", True)]),
    (run("ccid3", ("ccid3", [])), []),
    ({"case": {"flow": "dvrc-paper"}, "parameters": {}}, [("dvrc", "paper", False)]),
    ({"case": {"flow": "udp"}, "parameters": {}}, []),
    ({"case": {}, "parameters": {}}, [])])
def test_streams(one, expected):
    """Preset and target are those of the options, or of the flow if these say nothing."""
    assert list(rules.streams(one)) == expected


@pytest.mark.parametrize("words, stream, expected", [
    (["*"], ("raar", "paper", False), True),
    (["marc"], ("raar", "paper", False), False),
    (["marc", "raar"], ("raar", "paper", False), True),
    (["raar:paper"], ("raar", "paper", False), True),
    (["raar:paper"], ("raar", "default", True), False),
    (["raar:!paper"], ("raar", "paper", False), False),
    (["raar:!paper"], ("raar", "interactive", True), True),
    (["*:target"], ("raar", "interactive", True), True),
    (["*:target"], ("raar", "default", False), False)])
def test_concerns(words, stream, expected):
    """A scheme, one preset of it, any other, or a target."""
    assert rules.concerns(words, stream) is expected


def test_older(monkeypatch):
    """b has what a brought; c is before a."""
    commits = {"a": "a\nc", "b": "b\na\nc", "c": "c"}
    monkeypatch.setattr(results, "git", lambda word, *args: commits.get(args[0], "")
                        if word == "rev-list" else args[-1][0] if args[-1][0] in commits else "")
    rules.history.cache_clear()
    marc, paper = ("marc", "default", True), ("marc", "paper", False)
    have = [("new", "b", {marc}), ("same", "a", {marc}), ("old", "c", {marc, paper}),
            ("old_paper", "c", {paper}), ("none", "c", set())]
    assert rules.older({"commit": "a", "flows": ["*:target"]}, have) == ["old"]
    assert rules.older({"commit": "a"}, have) == ["old", "old_paper"]
    assert rules.older({"commit": "a", "experiments": ["old_*", "n*"]}, have) == ["old_paper"]
    assert rules.older({"commit": "b"}, have) == ["same", "old", "old_paper"]
    monkeypatch.setattr(rules, "load", lambda: [{"commit": "a"}, {"commit": "x"}])
    assert [line.split(": ")[1] for line in rules.problems()] == ["no commit x in the history"]
    rules.history.cache_clear()


def test_rules_name_what_there_is():
    """Schemes and experiments of the file."""
    for rule in rules.load():
        assert set(rule) <= {"commit", "text", "flows", "experiments"}
        assert {w.partition(":")[0] for w in rule.get("flows", ["*"])} <= {"*", *rules.SCHEMES}
        for pattern in rule.get("experiments", ()):
            assert rules.fnmatch.filter(experiment.names(), pattern), pattern
