# SPDX-License-Identifier: GPL-2.0-only
"""Run experiments, in guests with virtual time unless they say otherwise.

    lab/bench                           all but those that must be named (hours)
    lab/bench NAME...                   some; results that exist are kept
    lab/bench NAME flow=marc seed=1     only runs with these values
    lab/bench NAME --full               also cases that take long and that no page shows
    lab/bench --paper RAAR --figure 6   the experiment that repeats this figure
    lab/bench --paper RAAR              all experiments of a paper
    lab/bench --list [NAME...]          experiments; with names, their runs
    lab/bench --publish NAME...         write lab/results and Documentation/results
    lab/bench --check                   check that the pages agree with lab/results

Results are written to build/bench/NAME.json as they come, tables and figures beside
them. An experiment is a file in lab/experiments, or any other file that is named by
its path (with .py).
"""

import argparse
import os
import re
import shutil
import sys

from labkit import calls, experiment, report, results, runner


def arguments():
    """The command line."""
    p = argparse.ArgumentParser(prog="lab/bench", description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("words", nargs="*", metavar="NAME|KEY=VALUE")
    p.add_argument("--list", action="store_true", help="say what there is, and stop")
    p.add_argument("--paper",
                   help="experiments of this paper: MARC, RAAR, L-TFRC, DVRC, CTFAF, or RFC 8867")
    p.add_argument("--figure", help="that repeat this figure")
    p.add_argument("--table", help="that repeat this table")
    p.add_argument("--full", action="store_true", help="the whole matrix, not a part of it")
    p.add_argument("--seeds", help="only these: 1,3 or 1-5")
    p.add_argument("--jobs", type=int, default=min(2, os.cpu_count()), help="guests at a time (2)")
    p.add_argument("--again", action="store_true", help="measure anew what is measured already")
    p.add_argument("--keep", action="store_true", help="keep captures and traces")
    p.add_argument("--out", metavar="DIR", default=runner.OUT, help="results (build/bench)")
    p.add_argument("--publish", action="store_true",
                   help="copy results to lab/results, and write Documentation/results")
    p.add_argument("--check", action="store_true",
                   help="fail if Documentation/results is not what lab/results says")
    return p.parse_intermixed_args()


def seeds_of(text):
    """1,3 or 1-5."""
    result = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        result |= set(range(int(first), int(last or first) + 1))
    return result


def repeats(spec, args):
    """Whether --paper, --figure and --table select an experiment."""
    numbers = {}
    for kind, text in re.findall(r"(figure|table)s? ((?:\d+(?:, | and | to )?)+)", spec.source):
        for first, last in re.findall(r"(\d+)(?: to (\d+))?", text):
            numbers.setdefault(kind, set()).update(range(int(first), int(last or first) + 1))
    return (not args.paper or spec.source.lower().startswith(args.paper.lower())) and \
        (not args.figure or int(args.figure) in numbers.get("figure", ())) and \
        (not args.table or int(args.table) in numbers.get("table", ()))


def split(words):
    """Names of experiments, and values that their runs must have."""
    known = set(experiment.names())
    names = [w for w in words if w in known or w.endswith(".py")]
    return names, [w for w in words if w not in names]


def listing(specs, words, full):
    """Experiments, or the runs of some."""
    for spec in specs:
        old = results.load(os.path.join(results.COMMITTED, spec.name + ".json"))
        took = f", {sum(r['took_s'] for r in old['runs']) / 60:.0f} min for {len(old['runs'])}" \
            if old and old["runs"] else ""
        count = len(spec.runs(full))
        more = f" (--full: {len(spec.runs())})" if len(spec.runs()) > count else ""
        print(f"{spec.name:12} {spec.title} ({spec.source}); {count} runs{more}{took}")
        if words is not None:
            for case, seed in runner.wanted(spec, words, full=full):
                print("    " + " ".join(f"{k}={v}" for k, v in {**case, "seed": seed}.items()))


def publish(specs, source):
    """Copy complete results, write the pages."""
    for spec in specs:
        path = os.path.join(source, spec.name + ".json")
        target = os.path.join(results.COMMITTED, spec.name + ".json")
        if os.path.exists(path) and os.path.abspath(source) != results.COMMITTED:
            if "dirty" in results.load(path)["commit"]:
                raise runner.Failed(f"{path} was measured with changes that are in no commit")
            os.makedirs(results.COMMITTED, exist_ok=True)
            shutil.copy(path, target)
        if not os.path.exists(target):
            raise runner.Failed(f"no results of {spec.name}: run lab/bench {spec.name}")
        report.write(spec, target, report.PAGES)
        runner.say(f"Documentation/results/{spec.name}.rst")
    if any(spec.name in calls.NAMES for spec in specs):
        calls.write()


def main():
    """Do what is asked for."""
    args = arguments()
    if args.check:
        problems = report.stale() + calls.stale()
        print("\n".join(problems), end="\n" * bool(problems))
        return 1 if problems else 0
    names, words = split(args.words)
    specs = [experiment.load(name) for name in names or experiment.names()]
    if not names:
        specs = [s for s in specs if repeats(s, args) and
                 (s.group != "by hand" or args.list or args.paper)]
    unknown = [w for w in words if not any(runner.wanted(s, [w], full=args.full) for s in specs)]
    if unknown or not specs:
        raise ValueError(f"no experiment and no value '{', '.join(unknown)}': see lab/bench --list "
                         "(--full has more)")
    if args.list:
        listing(specs, words if args.words else None, args.full)
        return 0
    if args.publish:
        publish(specs, args.out)
        return 0
    stores, failed = runner.run(specs, words=words, jobs=args.jobs, again=args.again,
                                full=args.full, seeds=seeds_of(args.seeds) if args.seeds else None,
                                keep=args.keep, directory=args.out)
    for store in stores:
        if store.data["runs"]:
            print(report.text(store.spec, store.data))
            report.write(store.spec, store.path, args.out)
    for what in failed:
        print(f"failed: {what}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    runner.program("lab/bench", main)
