# SPDX-License-Identifier: GPL-2.0-only
"""Which results are older than a rule of the schemes (lab/catalogue/rules.toml).

lab/papers --write makes Documentation/results/rules.rst of it, and --check compares. A rule has

    commit        that brought it
    text          what has changed
    flows         whose it is: "marc:paper" has the preset "paper", "marc:!paper" any other one,
                  "*:target" any scheme and a target_delay. Without: all of every scheme
    experiments   in which it can matter, as patterns of the shell. Without: all
"""

import fnmatch
import functools
import glob
import os
import re
import tomllib

from labkit import experiment, flows, report, results

RULES = os.path.join(experiment.LAB, "catalogue/rules.toml")
PAGE = os.path.join(report.PAGES, "rules.rst")
SCHEMES = "marc", "raar", "ltfrc", "dvrc", "ctfaf"
NO_TARGET = "paper", "tfrc", "streaming"        # presets


def load(path=RULES):
    """The rules."""
    with open(path, "rb") as file:
        return tomllib.load(file)["rule"]


def streams(run):
    """Scheme, preset, and whether it has a target, of each stream that a scheme carries."""
    kind = flows.KINDS.get(run["case"].get("flow"))
    for stream in run["parameters"].get("media") or ([{"ccid": kind.ccid}] if kind else []):
        if stream["ccid"] in SCHEMES:
            own = kind.parameters if kind and kind.ccid == stream["ccid"] else {}
            text = " ".join([*(f"{k}={v}" for k, v in own.items()),
                             *map(str, stream.get("options", ()))])
            preset = (re.findall(r"preset=([\w-]+)", text) or ["default"])[-1]
            yield (stream["ccid"], preset,
                   preset not in NO_TARGET and "target_delay=0" not in text)


def concerns(words, stream):
    """Whether a rule of these flows is one of a stream."""
    scheme, preset, target = stream
    for word in words:
        of, _, which = word.partition(":")
        if of in ("*", scheme) and (which in ("", preset) or which == "target" and target or
                                    which[:1] == "!" and which[1:] != preset):
            return True
    return False


@functools.cache
def history(commit):
    """All commits that a commit contains, itself too; none: it is not known here."""
    return frozenset(results.git("rev-list", commit).split())


@functools.cache
def measured(directory=results.COMMITTED):
    """Name, commit, and streams of each experiment that has results."""
    files = {os.path.basename(p)[:-5]: results.load(p)
             for p in sorted(glob.glob(os.path.join(directory, "*.json")))}
    return [(name, data["commit"], {s for run in data["runs"] for s in streams(run)})
            for name, data in files.items()]


def commit_of(rule):
    """Its full name; nothing: it is not in the history."""
    return results.git("rev-parse", "--verify", "--quiet", rule["commit"] + "^{commit}")


def problems():
    """What is wrong with the file, a line each."""
    return [f"{RULES}: no commit {rule['commit']} in the history"
            for rule in load() if not commit_of(rule)]


def older(rule, have):
    """Names of the experiments whose results do not have a rule that concerns them."""
    commit = commit_of(rule)
    return [name for name, of, those in have
            if any(fnmatch.fnmatch(name, p) for p in rule.get("experiments", ["*"])) and
            any(concerns(rule.get("flows", ["*"]), s) for s in those) and
            commit not in history(of)]


def page():
    """Its text: the rules that some results do not have, the newest first."""
    lines = [".. SPDX-License-Identifier: GPL-2.0-only", "",
             ".. Generated from lab/catalogue/rules.toml by lab/papers --write: do not edit.", ""]
    for rule in load():
        if names := older(rule, measured()):
            text = " ".join(rule["text"].split())
            lines += [f"- {rule['commit']}: {text} *Older:* "
                      f"{', '.join(f'``{name}``' for name in names)}."]
    return "\n".join([*lines, ""])
