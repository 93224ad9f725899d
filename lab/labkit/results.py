# SPDX-License-Identifier: GPL-2.0-only
"""Result files: what was measured, and of what.

A file is JSON: {"schema": 1, "experiment", "commit", "sources", "kernel", "python",
"runs": [...]}, and a run {"case", "seed", "command", "parameters", "values", "series",
"took_s"}. "sources" identifies what runs in a guest: the modules, dccperf, and what makes the
network and its traffic. Runs of different sources or kernels are never in one file.
"""

import hashlib
import json
import math
import os
import random
import re
import subprocess

import pandas as pd

from labkit import experiment, stats

SCHEMA = 1
COMMITTED = os.path.join(experiment.LAB, "results")
PRODUCT = "lib_tfrc", "ccid_*", "dccp_core", "include", "tools/dccperf", "Kbuild"
SENDERS = ["python/dccp_ccids", *(f"lab/{name}" for name in (
    "guest", "topology", "traffic", "media", "labkit/guest.py", "labkit/networks.py",
    "labkit/flows.py", "labkit/encoder.py", "labkit/media.py"))]
HEAD = "schema", "experiment", "commit", "sources", "kernel"
RUN = {"case": dict, "seed": int, "command": str, "parameters": dict, "values": dict,
       "series": dict, "took_s": (int, float)}


# Options of lab/traffic that draw numbers from its --seed
DRAWN = re.compile("--(udp|poisson|web|fetch|rtcp|tcp-rate) ")


class Broken(Exception):
    """A result file that is not what it should be."""


def git(*args):
    """Its output, or nothing outside of a repository."""
    done = subprocess.run(["git", "-C", experiment.TOP, *args], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def whole():
    """Whether all of the history is here."""
    return git("rev-parse", "--is-shallow-repository") == "false"


def listed(*names):
    """Files that git does not ignore; those that it does not know yet, too."""
    lines = git("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *names)
    paths = [os.path.join(experiment.TOP, p) for p in sorted(filter(None, lines.split("\0")))]
    return [p for p in paths if os.path.isfile(p)]


def files():
    """What makes the modules and dccperf."""
    return [p for p in listed(*PRODUCT) if not p.endswith((".rst", ".py"))]


def sources():
    """The last commit to what runs in a guest, and a digest of these files."""
    commit = git("log", "-1", "--abbrev=12", "--format=%h", "--", *PRODUCT, *SENDERS) or "unknown"
    if git("status", "--porcelain", "--", *PRODUCT, *SENDERS):
        commit += "-dirty"
    digest = hashlib.sha256()
    for path in files() + listed(*SENDERS):
        with open(path, "rb") as file:
            name = os.path.relpath(path, experiment.TOP)
            digest.update(name.encode() + b"\0" + hashlib.sha256(file.read()).digest())
    return commit, digest.hexdigest()[:16]


def head(name, kernel):
    """Of a new file."""
    commit, digest = sources()
    return {"schema": SCHEMA, "experiment": name, "commit": commit, "sources": digest,
            "kernel": kernel, "runs": []}


def rounded(value, digits=5):
    """For files that are small: significant digits; NaN is null."""
    if isinstance(value, dict):
        return {k: rounded(v, digits) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(v, digits) for v in value]
    if isinstance(value, float) or hasattr(value, "dtype"):
        value = float(value)
        return float(f"{value:.{digits}g}") if math.isfinite(value) else None
    return value


def declared(spec, case, seed):
    """The parameters of a run as the declaration has them now, in the form of a file."""
    scenario = spec.scenario(random.Random(seed), seed=seed, **case)
    return json.loads(json.dumps(rounded(scenario.data(), 8)))


def without_seed(parameters):
    """Of a run: without a --seed of lab/traffic that nothing uses."""
    return {**parameters, "traffic": [
        text if DRAWN.search(text) else re.sub(r"--seed \S+", "", text)
        for text in parameters.get("traffic", ())]}


def check(data, path):
    """Fail unless it is a result file."""
    for key in HEAD:
        if key not in data:
            raise Broken(f"{path}: no '{key}'")
    if data["schema"] != SCHEMA:
        raise Broken(f"{path}: schema {data['schema']}, not {SCHEMA}")
    seen = set()
    for run in data["runs"]:
        for key, kind in RUN.items():
            if not isinstance(run.get(key), kind):
                raise Broken(f"{path}: a run without '{key}'")
        if key_of(run["case"], run["seed"]) in seen:
            raise Broken(f"{path}: twice {run['case']}, seed {run['seed']}")
        seen.add(key_of(run["case"], run["seed"]))
    return data


def key_of(case, seed):
    """What a run is known by."""
    return json.dumps([case, seed], sort_keys=True)


def load(path):
    """A result file, checked; None if there is none."""
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        try:
            return check(json.load(file), path)
        except json.JSONDecodeError as e:
            raise Broken(f"{path}: {e}") from e


def save(path, data):
    """Write it at once, one line for each run, so that differences can be read."""
    runs = ",\n".join("  " + json.dumps(run, ensure_ascii=False) for run in data["runs"])
    rest = {k: v for k, v in data.items() if k != "runs"}
    text = json.dumps(rest, indent=1, ensure_ascii=False)[:-2]
    text += ',\n "runs": [\n' + runs + "\n ]\n}\n"
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.rename(path + ".new", path)


class Results:
    """What tables and figures ask of a result file."""

    def __init__(self, data, spec):
        self.data, self.spec = data, spec
        rows = [{**run["case"], "seed": run["seed"], **run["values"]} for run in data["runs"]]
        self.frame = pd.DataFrame(rows)

    def cases(self, **where):
        """Cases that were measured, in the order of the declaration."""
        measured = {key_of(run["case"], 0) for run in self.data["runs"]}
        return [c for c in self.spec.all_cases() if key_of(c, 0) in measured
                and all(c.get(k) == v for k, v in where.items())]

    def runs(self, **case):
        """Runs of the case with these values alone; if there is none, of all with these."""
        runs = [r for r in self.data["runs"] if all(r["case"].get(k) == v for k, v in case.items())]
        return [r for r in runs if r["case"].keys() == case.keys()] or runs

    def repeated(self):
        """Cases whose runs were the same whatever the seed.

        ns-2 gets the seed, and may draw no number with it: the values tell.
        """
        same = []
        for case in self.cases():
            runs = [r for r in self.data["runs"] if r["case"] == case]
            media = runs[0]["parameters"].get("media")
            if any(flow["ccid"] == "ns2" for flow in media or ()):
                drawn = [r["values"] for r in runs]
            else:
                drawn = [without_seed(r["parameters"]) for r in runs]
            if media is not None and len(runs) > 1 and all(d == drawn[0] for d in drawn):
                same.append(case)
        return same

    def values(self, metric, **case):
        """By seed."""
        return {r["seed"]: r["values"].get(metric) for r in self.runs(**case)}

    def estimate(self, metric, **case):
        """Mean and confidence interval over the seeds."""
        return stats.estimate(self.values(metric, **case).values())

    def difference(self, metric, case, versus):
        """Mean and interval of the differences between two cases, seed by seed."""
        return stats.paired(self.values(metric, **case), self.values(metric, **versus))

    def series(self, name, **case):
        """Mean over the seeds."""
        some = [r["series"][name] for r in self.runs(**case) if name in r["series"]]
        return [stats.estimate(v).mean for v in zip(*some)]

    def published(self, metric, **case):
        """The paper's value, or None."""
        for where, values in self.spec.published:
            if all(case.get(k) == v for k, v in where.items()) and metric in values:
                return values[metric]
        return None
