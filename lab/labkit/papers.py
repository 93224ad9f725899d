# SPDX-License-Identifier: GPL-2.0-only
"""The results of the five papers: what each shows, and whether it holds here.

    lab/papers --list                a line for each: paper, number, verdict, command
    lab/papers marc                  run the experiments of a paper: marc, raar, ltfrc, dvrc, ctfaf
    lab/papers marc 9 table 5 6      only those of figure 9 and of tables 5 and 6
    lab/papers all --headline        the main claims: one seed of the cases that they compare
    lab/papers --write               write Documentation/results/papers.rst, its thumbnails,
                                     and rules.rst beside it (labkit/rules.py)
    lab/papers --check               check the catalogue and this page

Results go to build/bench, as those of lab/bench do, and what is measured already is kept.
Verdicts are those of lab/results, or of another directory (--results build/bench).

A paper is a file of lab/catalogue. A result in it has an id, a title, what it shows, its setting,
what the paper leaves open, against whom it compares, and its metrics. "experiment" and "select" are
what lab/bench runs for it; "needs" is what the lab lacks. "points" are the paper's values, and
"read" says where they are from. Each of "claims" is a metric of a case, or its difference from that
of another case ("than", "than_metric"; of "SD" the ratio; of "mean" the geometric mean of the
ratios, seed by seed), less the same difference elsewhere ("beyond"), and must be "above" or "below"
a value, or "within" a share of the "paper"'s value. A claim holds if its 95 % interval lies within
these bounds, does not hold if it lies outside, and is open otherwise, as where it only touches one.
Of one run there is no interval, and its value decides, unless other runs have none. A verdict
without claims is by hand, and "page" explains it.
"""

import argparse
import functools
import math
import os
import shlex
import tomllib

import jinja2
from labkit import experiment, report, results, rules, runner, stats

CATALOGUE = os.path.join(experiment.LAB, "catalogue")
PAGE = os.path.join(report.PAGES, "papers.rst")
THUMBNAILS = os.path.join(report.PAGES, "papers")
WIDTH, STRIP = 220, 24      # of a thumbnail, and the height of a claim in it
TWINS = {"tfrc": "ns2", "tfrc-norecovery": "ns2", "tfrc-marc": "ns2-marc"}     # here, in ns-2
COLORS = {"yes": "#4c9a52", "no": "#b0413e", "open": "#7a7a7a"}
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
    case, other, *beyond = compared(claim)
    one = have.values(claim["metric"], **case)
    two = have.values(claim.get("than_metric", claim["metric"]), **other)
    runs = len({*one, *two})
    if beyond:
        one, two = (stats.less(values, have.values(claim["metric"], **of))
                    for values, of in zip((one, two), beyond))
    if claim.get("of") == "SD":
        seeds = [s for s in one if None not in (one[s], two.get(s))]
        value, count = stats.sd_ratio([one[s] for s in seeds], [two[s] for s in seeds]), len(seeds)
    elif claim.get("of") == "mean":
        ratio = stats.ratio(one, two)
        value = tuple(ratio[0] if math.isnan(v) else v for v in ratio)
        count = len(stats.positive(one, two))
    else:
        versus = "than" in claim or "than_metric" in claim
        e = stats.paired(one, two) if versus else stats.estimate(one.values())
        half, count = 0 if math.isnan(e.half) else e.half, e.n
        value = e.mean, e.mean - half, e.mean + half
    low, high = bounds(claim)
    inside, outside = low < value[1] and value[2] < high, value[1] > high or value[2] < low
    if count == 1 < runs:
        inside = outside = False
    return (inside and "yes") or (outside and "no") or ("open" if count else None), value, count


def in_ns2(result, directory=results.COMMITTED):
    """The answers to its claims about TFRC alone, judged for ns-2's TFRC; None for the others."""
    have = found(result["experiment"], directory)[1] if "claims" in result else None

    def twin(claim):
        return {**claim, **{key: {k: TWINS.get(v, v) if k == "flow" else v
                                  for k, v in claim[key].items()}
                            for key in ("case", "than", "beyond") if key in claim}}

    def there(claim):
        return have and {case.get("flow") for case in compared(claim)} <= set(TWINS) and all(
            case in measured for case in compared(twin(claim)))
    measured = [run["case"] for run in have.data["runs"]] if have else []
    return [judge(twin(c), have) if there(c) else (None, None, 0)
            for c in result.get("claims", [])]


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
    return shlex.join(["lab/bench", result["experiment"], *result.get("select", []),
                       *["--full"] * in_full(result)])


def compared(claim):
    """The cases of a claim."""
    cases = [claim["case"], {**claim["case"], **claim.get("than", {})}]
    if "beyond" in claim:
        cases += [{**case, **claim["beyond"]} for case in cases]
    return [{k: v for k, v in case.items() if v != ""} for case in cases]


def not_run(result, full):
    """The cases of its claims that its runs do not have, with or without --full."""
    spec, words = found(result["experiment"], "")[0], result.get("select", [])
    there = [case for case, _ in runner.wanted(spec, words, full=full)]
    return [case for claim in result.get("claims", []) for case in compared(claim)
            if case not in there]


def in_full(result):
    """Whether it needs --full."""
    spec, words = found(result["experiment"], "")[0], result.get("select", [])
    return bool(not_run(result, False)) or not runner.wanted(spec, words)


def runs_of(result, headline):
    """(spec, case, seed) of all, or of one seed and the cases of the claims."""
    spec, words = found(result["experiment"], "")[0], result.get("select", [])
    full = in_full(result)
    if not headline:
        return [(spec, *run) for run in runner.wanted(spec, words, full=full)]
    first = [(case, seed) for case, seed in runner.wanted(spec, words, full=full)
             if seed == next(iter(spec.seeds))]
    cases = [case for claim in result.get("claims", []) for case in compared(claim)]
    return [(spec, case, seed) for case, seed in
            ([(case, next(iter(spec.seeds))) for case in cases] if cases else first)]


def runs_for(some, headline=False):
    """The runs of some results, each once: (spec, case, seed)."""
    return list({(spec.name, results.key_of(case, seed)): (spec, case, seed)
                 for _, r in some if "experiment" in r
                 for spec, case, seed in runs_of(r, headline)}.values())


def seconds(some, headline=False, directory=results.COMMITTED):
    """How long they take, two at a time: by what those took of which there are results."""
    total = 0
    for spec, case, _ in runs_for(some, headline):
        have = found(spec.name, directory)[1]
        took = [run["took_s"] for run in have.runs(**case) or have.data["runs"]] if have else []
        total += stats.estimate(took).mean / 2 if took else 0
    return total


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
            elif any({"of", "beyond"} <= set(c) for c in r.get("claims", [])):
                yield f"{where} a claim with a ratio 'of' values cannot have 'beyond'"
            elif {"claims", "verdict"} & set(r) and "experiment" not in r:
                yield f"{where} a verdict without an experiment"
            elif r.get("experiment", "example") not in experiment.names():
                yield f"{where} no experiment '{r['experiment']}'"
            elif not runner.wanted(found(r.get("experiment", "example"), "")[0], words, full=True):
                yield f"{where} {r['experiment']} has no runs with {words}"
            elif no := not_run(r, True):
                yield f"{where} {r['experiment']} with {words} does not run {no[0]}"
            elif "claims" in r and None in ([a for a, *_ in verdict(r, directory)[1]] or [None]):
                yield f"{where} a claim without a value in lab/results/{r['experiment']}.json"
            elif "why" not in r and verdict(r, directory)[0] not in ("holds", "not run"):
                yield f"{where} does not hold as a whole, so it needs 'why'"


def basis(judged):
    """What a verdict from claims rests on: how many of them hold, unless all do, and the seeds."""
    yes = sum(answer == "yes" for answer, *_ in judged)
    words = [f"{yes} of {len(judged)} claims"] * (0 < yes < len(judged))
    words += [f"{n} seed{'s' * (n > 1)}" for n in sorted({n for *_, n in judged} - {0})]
    return f" ({', '.join(words)})" if words else ""


def bounds(claim):
    """Between them the claim holds."""
    if "paper" in claim:
        return claim["paper"] * (1 - claim["within"]), claim["paper"] * (1 + claim["within"])
    return claim.get("above", -math.inf), claim.get("below", math.inf)


def strip(claim, answer, value, top):
    """A claim as a strip of a thumbnail: where it holds, our value, the paper's."""
    limits = [v for v in bounds(claim) if math.isfinite(v)]
    known = [v for v in (*value, *limits, claim.get("paper", math.nan)) if math.isfinite(v)]
    low, high = min(known), max(known)
    margin = 0.1 * (high - low) or 0.1 * abs(high) or 1

    def x(v):
        return round(WIDTH * min(1, max(0, (v - low + margin) / (high - low + 2 * margin))), 1)
    one, two = map(x, bounds(claim))
    middle = top + STRIP / 3
    yield f'<rect x="{one}" y="{top + 1}" width="{round(two - one, 1)}" height="{STRIP - 11}" ' \
        'fill="#dcebdd"/>'
    yield f'<path d="M0 {middle:.1f}H{WIDTH}" stroke="#c8c8c8" stroke-width="0.6"/>'
    for v in limits:
        yield f'<text x="{min(max(x(v), 12), WIDTH - 12)}" y="{top + STRIP - 2}" ' \
            f'text-anchor="middle">{report.number(v)}</text>'
    if "paper" in claim:
        yield f'<rect x="{x(claim["paper"]) - 3.5:.1f}" y="{middle - 3.5:.1f}" width="7" ' \
            'height="7" fill="white" stroke="#333333"/>'
    color = COLORS[answer]
    if value[1] != value[2]:
        yield f'<path d="M{x(value[1])} {middle:.1f}H{x(value[2])}" stroke="{color}" ' \
            'stroke-width="2"/>'
    yield f'<circle cx="{x(value[0])}" cy="{middle:.1f}" r="3" fill="{color}"/>'


def thumbnail(claims, judged):
    """Our values beside the paper's, or beside the bounds of its claims: a strip for each."""
    lines = [line for i, (claim, (answer, value, _)) in enumerate(zip(claims, judged))
             if answer for line in strip(claim, answer, value, i * STRIP)]
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{STRIP * len(claims)}" '
        'font-family="DejaVu Sans, sans-serif" font-size="7" fill="#333333">', *lines,
        "</svg>", ""])


def thumbnails(papers):
    """By file: of all results with claims."""
    return {os.path.join(THUMBNAILS, f"{name}-{r['id'].replace(' ', '-')}.svg"):
            thumbnail(r["claims"], judged) for name, paper in papers.items()
            for r in paper["result"] if "claims" in r and (judged := verdict(r)[1])}


def page(papers):
    """The text of Documentation/results/papers.rst."""
    env = jinja2.Environment(loader=jinja2.FileSystemLoader(CATALOGUE), trim_blocks=True,
                             lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    rows = [{**paper, "name": name, "result": [
        {**r, "verdict": verdict(r)[0], "judged": verdict(r)[1], "command": command(r),
         "in_ns2": in_ns2(r),
         "drawn": os.path.exists(os.path.join(report.PAGES, f"{r.get('experiment')}.svg"))}
        for r in paper["result"]]} for name, paper in papers.items()]
    times = {name: [seconds(chosen(papers, [name], headline), headline)
                    for headline in (False, True)] for name in (*papers, "all")}
    return env.get_template("page.rst.jinja").render(
        papers=rows, times=times, verdicts=VERDICTS, basis=basis, number=report.number, zip=zip,
        table=lambda p: report.rst(p["columns"], [list(map(str, row)) for row in p["rows"]]))


def wrong_files(made):
    """The page and the thumbnails that are not as they should be, or should not be there."""
    there = os.listdir(THUMBNAILS) if os.path.isdir(THUMBNAILS) else []
    return [path for path in sorted({*made, *(os.path.join(THUMBNAILS, f) for f in there)})
            if report.content(path) != made.get(path) or not os.path.exists(path)]


def write(made, wrong):
    """Files that are wrong anew; those that should not be there are removed."""
    os.makedirs(THUMBNAILS, exist_ok=True)
    for path in set(wrong) - set(made):
        os.remove(path)
    for path, text in made.items():
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def main():
    """Do what is asked for."""
    p = argparse.ArgumentParser(prog="lab/papers", description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("words", nargs="*", metavar="PAPER|all|figure|table|NUMBER")
    p.add_argument("--list", action="store_true", help="a line for each result, and stop")
    p.add_argument("--write", action="store_true", help="write the page")
    p.add_argument("--check", action="store_true", help="fail if catalogue or page are wrong")
    p.add_argument("--headline", action="store_true",
                   help="the main claims: one seed of the cases that they compare")
    p.add_argument("--seeds", type=int, metavar="N", help="at most so many (all)")
    p.add_argument("--results", metavar="DIR", default=results.COMMITTED,
                   help="from which --list has its verdicts (lab/results)")
    p.add_argument("--jobs", type=int, default=min(2, os.cpu_count()), help="guests at a time (2)")
    args, papers = p.parse_intermixed_args(), load()
    some = chosen(papers, args.words, args.headline)
    if args.check or args.write:
        wrong = list(problems(papers))
        wrong += rules.problems() if results.whole() else []
        made = {} if wrong else {PAGE: page(papers), **thumbnails(papers)}
        if made and results.whole():
            made[rules.PAGE] = rules.page()
        if args.write and not wrong:
            write(made, wrong_files(made))
        elif not wrong:
            wrong = [f"{path} is not what the catalogue says: run lab/papers --write"
                     for path in wrong_files(made)]
        print("\n".join(wrong), end="\n" * bool(wrong))
        return 1 if wrong else 0
    if args.list:
        for name, r in some:
            word, judged = verdict(r, args.results)
            print(f"{name:6} {r['id']:10} {word + basis(judged):43} {command(r)}")
        return 0
    if not args.words:
        p.error("which paper? --list has them all")
    runs = [run for run in runs_for(some, args.headline)
            if args.seeds is None or run[2] <= args.seeds]
    specs = {spec.name: spec for spec, *_ in runs}
    failed = runner.run(list(specs.values()), runs=runs, jobs=args.jobs)[1]
    return 1 if failed else 0


if __name__ == "__main__":
    runner.program("lab/papers", main)
