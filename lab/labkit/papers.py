# SPDX-License-Identifier: GPL-2.0-only
"""The results of the five papers: what each shows, and whether it holds here.

    lab/papers --list                a line for each: paper, number, verdict, command
    lab/papers marc                  run the experiments of a paper: marc, raar, ltfrc, dvrc, ctfaf
    lab/papers marc 9 table 5 6      only those of figure 9 and of tables 5 and 6
    lab/papers all --headline        only those on which the papers' main claims rest
    lab/papers --write               write Documentation/results/papers.rst
    lab/papers --check               check the catalogue and this page

Results go to build/bench, as those of lab/bench do, and what is measured already is kept.
Verdicts are those of lab/results, or of another directory (--results build/bench).

A paper is a file of lab/catalogue. A result in it has an id, a title, what it shows, its setting,
what the paper leaves open, against whom it compares, and its metrics. "experiment" and "select"
are what lab/bench runs for it; "needs" is what the lab lacks. "points" are the paper's values,
and "read" says where they are from. Each of "claims" is a metric of a case, or its difference
from that of another case ("than", "than_metric"; of "SD" the ratio), and must be "above" or
"below" a value, or "within" a share of the "paper"'s value. A claim holds if its 95 % interval
lies within these bounds, does not hold if it lies outside, and is open otherwise. Of one run
there is no interval, and its value decides. A verdict without claims is by hand, and "page"
explains it.
"""

import argparse
import functools
import math
import os
import shlex
import tomllib

import jinja2
from labkit import experiment, report, results, runner, stats

CATALOGUE = os.path.join(experiment.LAB, "catalogue")
PAGE = os.path.join(report.PAGES, "papers.rst")
VERDICTS = "holds", "holds in part", "does not hold", "not decided", "not run"
COUNTED = {name: [f"figure {n}" for n in figures] + [f"table {n}" for n in tables]
           for name, figures, tables in (
               ("marc", (*range(2, 27), 29, 30, 31), range(1, 9)), ("raar", range(3, 11), ()),
               ("ltfrc", range(1, 7), ()), ("dvrc", (3, *range(6, 18)), ()),
               ("ctfaf", (3, 4, 5, "6a", "6b", 7), range(1, 5)))}
MUST = {"id", "title", "shows", "setting", "metrics"}
MAY = {"open", "against", "headline", "needs", "experiment", "select", "claims", "points", "why",
       "verdict", "page"}


def load(directory=CATALOGUE):
    """The papers, by the names of their files."""
    return {name: tomllib.loads(report.content(os.path.join(directory, name + ".toml")))
            for name in COUNTED}


@functools.cache
def found(name, directory):
    """An experiment and its results."""
    spec = experiment.load(name)
    data = results.load(os.path.join(directory, name + ".json"))
    return spec, data and results.Results(data, spec)


def judge(claim, have):
    """(yes, no or open; mean, low, high; seeds) of a claim; no answer without results."""
    case, paper = claim["case"], claim.get("paper")
    other = {k: v for k, v in {**case, **claim.get("than", {})}.items() if v != ""}
    one = have.values(claim["metric"], **case)
    two = have.values(claim.get("than_metric", claim["metric"]), **other)
    if claim.get("of") == "SD":
        seeds = [s for s in one if None not in (one[s], two.get(s))]
        value, count = stats.sd_ratio([one[s] for s in seeds], [two[s] for s in seeds]), len(seeds)
    else:
        versus = "than" in claim or "than_metric" in claim
        e = stats.paired(one, two) if versus else stats.estimate(one.values())
        half, count = 0 if math.isnan(e.half) else e.half, e.n
        value = e.mean, e.mean - half, e.mean + half
    low, high = claim.get("above", -math.inf), claim.get("below", math.inf)
    if paper is not None:
        low, high = paper * (1 - claim["within"]), paper * (1 + claim["within"])
    inside, outside = low < value[1] and value[2] < high, value[1] >= high or value[2] <= low
    return (inside and "yes") or (outside and "no") or ("open" if count else None), value, count


def verdict(result, directory=results.COMMITTED):
    """One of VERDICTS, and the answers to the claims."""
    if "claims" not in result:
        return result.get("verdict", "not run"), []
    have = found(result["experiment"], directory)[1]
    judged = [judge(c, have) for c in result["claims"]] if have else []
    answers = {answer for answer, *_ in judged} - {None}
    if not answers:
        return "not run", judged
    return "holds" if answers == {"yes"} else "holds in part" if "yes" in answers else \
        "does not hold" if "no" in answers else "not decided", judged


def command(result):
    """What runs it, or what the lab lacks."""
    if "experiment" not in result:
        return "needs " + ", ".join(result.get("needs", ["a declaration"]))
    spec, words = found(result["experiment"], "")[0], result.get("select", [])
    more = ["--full"] * (not runner.wanted(spec, words))
    return shlex.join(["lab/bench", spec.name, *words, *more])


def chosen(papers, words, headline):
    """Results by paper and numbers: marc 9 table 5 6."""
    if words and words[0] not in (*papers, "all"):
        raise ValueError(f"no paper '{words[0]}': {', '.join(papers)} or all")
    kind, ids = "figure", []
    for word in words[1:]:
        kind, ids = (word, ids) if word in ("figure", "table") else (kind, [*ids, f"{kind} {word}"])
    some = [(name, r) for name, paper in papers.items() for r in paper["result"]
            if (not words or words[0] in (name, "all")) and (not ids or r["id"] in ids)
            and (not headline or r.get("headline"))]
    if missing := set(ids) - {r["id"] for _, r in some}:
        raise ValueError(f"no {', '.join(sorted(missing))} with results: lab/papers --list")
    return some


def problems(papers, directory=results.COMMITTED):
    """What is wrong with the catalogue: a line for each."""
    for name, paper in papers.items():
        ids = [r["id"] for r in paper["result"]]
        yield from (f"{name}: {i} is there {ids.count(i)} times" for i in
                    sorted({*ids, *COUNTED[name]}) if ids.count(i) != COUNTED[name].count(i))
        for r in paper["result"]:
            where, words = f"{name}, {r['id']}:", r.get("select", [])
            if not MUST <= set(r) <= MUST | MAY:
                yield f"{where} keys {', '.join(sorted((set(r) - MAY) ^ MUST))}"
            elif "verdict" in r and ("claims" in r or not {"why", "page"} <= set(r)):
                yield f"{where} a verdict by hand needs 'why' and 'page', and no claims"
            elif {"claims", "verdict"} & set(r) and "experiment" not in r:
                yield f"{where} a verdict without an experiment"
            elif r.get("experiment", "example") not in experiment.names():
                yield f"{where} no experiment '{r['experiment']}'"
            elif not runner.wanted(found(r.get("experiment", "example"), "")[0], words, full=True):
                yield f"{where} {r['experiment']} has no runs with {words}"
            elif "claims" in r and None in ([a for a, *_ in verdict(r, directory)[1]] or [None]):
                yield f"{where} a claim without a value in lab/results/{r['experiment']}.json"


def seeds(judged):
    """How many, of a verdict from claims."""
    return "".join(f" ({n} seed{'s' * (n > 1)})" for n in sorted({n for *_, n in judged}))


def page(papers):
    """The text of Documentation/results/papers.rst."""
    env = jinja2.Environment(loader=jinja2.FileSystemLoader(CATALOGUE), trim_blocks=True,
                             lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    rows = [{**paper, "result": [
        {**r, "verdict": verdict(r)[0], "judged": verdict(r)[1], "command": command(r),
         "drawn": os.path.exists(os.path.join(report.PAGES, f"{r.get('experiment')}.svg"))}
        for r in paper["result"]]} for paper in papers.values()]
    return env.get_template("page.rst.jinja").render(
        papers=rows, verdicts=VERDICTS, seeds=seeds, number=report.number, zip=zip,
        table=lambda p: report.rst(p["columns"], [list(map(str, row)) for row in p["rows"]]))


def main():
    """Do what is asked for."""
    p = argparse.ArgumentParser(prog="lab/papers", description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("words", nargs="*", metavar="PAPER|all|figure|table|NUMBER")
    p.add_argument("--list", action="store_true", help="a line for each result, and stop")
    p.add_argument("--write", action="store_true", help="write the page")
    p.add_argument("--check", action="store_true", help="fail if catalogue or page are wrong")
    p.add_argument("--headline", action="store_true", help="only those of the main claims")
    p.add_argument("--results", metavar="DIR", default=results.COMMITTED,
                   help="from which --list has its verdicts (lab/results)")
    p.add_argument("--jobs", type=int, default=min(2, os.cpu_count()), help="guests at a time (2)")
    args, papers = p.parse_intermixed_args(), load()
    some = chosen(papers, args.words, args.headline)
    if args.check or args.write:
        wrong = list(problems(papers))
        if args.write and not wrong:
            with open(PAGE, "w", encoding="utf-8") as file:
                file.write(page(papers))
        elif not wrong and report.content(PAGE) != page(papers):
            wrong = [f"{PAGE} is not what the catalogue says: run lab/papers --write"]
        print("\n".join(wrong), end="\n" * bool(wrong))
        return 1 if wrong else 0
    if args.list:
        for name, r in some:
            word, judged = verdict(r, args.results)
            print(f"{name:6} {r['id']:10} {word + seeds(judged):25} {command(r)}")
        return 0
    if not args.words:
        p.error("which paper? --list has them all")
    runs = dict.fromkeys((r["experiment"], *r.get("select", [])) for _, r in some
                         if "experiment" in r)
    failed = []
    for name, *words in runs:
        spec = found(name, "")[0]
        failed += runner.run([spec], words=words, full=not runner.wanted(spec, words),
                             jobs=args.jobs)[1]
    return 1 if failed else 0


if __name__ == "__main__":
    runner.program("lab/papers", main)
