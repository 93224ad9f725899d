# SPDX-License-Identifier: GPL-2.0-only
"""Tables and figures for Documentation/results, from result files and nothing else."""

import hashlib
import math
import os
import re
import textwrap
import warnings

import matplotlib
matplotlib.use("svg")
# pylint: disable=wrong-import-position
import matplotlib.pyplot as plt
from tabulate import tabulate

from labkit import experiment, flows, results, stats

# A legend of nothing, when only some cases are measured
warnings.filterwarnings("ignore", "No artists with labels")
AGAIN = ": run lab/bench --out lab/results --publish"
PAGES = os.path.join(experiment.TOP, "Documentation/results")
# papers.py and calls.py check them.
OVERVIEWS = "papers.rst", "rules.rst", "calls.rst", "calls.svg"
INK = "#333333"

plt.rcParams.update({
    "font.family": "DejaVu Sans", "font.size": 9, "svg.hashsalt": "lab", "svg.fonttype": "none",
    "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": INK,
    "axes.labelcolor": INK, "text.color": INK, "xtick.color": INK, "ytick.color": INK,
    "axes.grid": True, "grid.color": "#e4e4e4", "grid.linewidth": 0.6, "axes.axisbelow": True,
    "axes.titlesize": 10, "axes.titleweight": "bold", "axes.titlelocation": "left",
    "legend.frameon": False, "legend.fontsize": 7.5,
})


def number(value, digits=3):
    """Three significant digits; a dash for what is not known."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "-"
    if not isinstance(value, (int, float)):
        return str(value)
    if value == 0 or isinstance(value, int):
        return str(int(value))
    if not 1e-4 <= abs(value) < 1e6:
        return f"{value:.{digits - 1}g}"
    places = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    return f"{value:.{places}f}"


def with_interval(e, sign=""):
    """A mean and half of its confidence interval, to the same place.

    What some runs do not have, such as a time until something, has no fair mean: it has no
    interval, but how many have it.
    """
    if 0 < e.n < e.runs:
        text = f"{number(e.mean)} ({e.n} of {e.runs})"
    elif math.isnan(e.half):
        text = number(e.mean)
    else:
        size = max(abs(e.mean), e.half) or 1
        places = max(0, 2 - math.floor(math.log10(size)))
        text = f"{e.mean:.{places}f} ± {e.half:.{places}f}"
    return sign + text if sign and not text.startswith("-") else text


def rst(head, rows):
    """A simple table of reStructuredText."""
    return tabulate(rows, head, tablefmt="rst", disable_numparse=True,
                    colalign=["left"] + ["right"] * (len(head) - 1))


def metrics_of(spec, found, table):
    """Columns of a table: what runs have, but nothing that the experiment measures no longer."""
    if table.metrics:
        return list(table.metrics)
    return list(dict.fromkeys(
        m for r in found.runs() for m in r["values"]
        if not spec.metrics or {m, m.partition(": ")[2]} & spec.metrics.keys()))


def headings(columns):
    """Without what all begin with: the name of the window, or what the table is about."""
    for mark in ": ", ", ":
        first = {c.partition(mark)[0] for c in columns}
        if len(first) == 1 and len(columns) > 1 and all(mark in c for c in columns):
            return [c.partition(mark)[2] for c in columns]
    return columns


def means(spec, found, table):
    """A row for each case; in brackets the paper's value."""
    columns = metrics_of(spec, found, table)
    rows = []
    for case in found.cases(**table.where):
        cells = []
        for metric in columns:
            e = found.estimate(metric, **case)
            cell = with_interval(e) + f" ({number(e.sd)})" * (table.sd and 1 < e.n == e.runs)
            paper = found.published(metric, **case)
            cells.append(cell + (f" [{paper}]" if paper is not None else ""))
        label = {k: v for k, v in case.items() if k not in table.where}
        rows.append([experiment.case_label(label) or spec.name,
                     *cells, str(len(found.runs(**case)))])
    return rst(["", *headings(columns), "runs"], rows) if rows else ""


def with_limits(one, other):
    """The ratio of values by seed and its interval, or of how many seeds of how many it is."""
    values, n = stats.ratio(one, other), len(stats.positive(one, other))
    if not n:
        return "-"
    mean, *limits = (f"{v:.2f}" for v in values)
    if n < len({*one, *other}):
        return f"{mean} ({n} of {len({*one, *other})})"
    return mean + (f" ({limits[0]} to {limits[1]})" if n > 1 else "")


def differences(spec, found, table):
    """Paired differences from the cases that have the values of "versus", or ratios to them."""
    columns, rows = metrics_of(spec, found, table), []
    for case in found.cases(**table.where):
        base = {**case, **table.versus}
        if base == case or not found.runs(**base):
            continue
        cells = [with_limits(found.values(m, **case), found.values(m, **base))
                 if table.ratio else with_interval(found.difference(m, case, base), "+") +
                 sd_ratio(found, m, case, base) * table.sd for m in columns]
        rows.append([experiment.case_label({k: v for k, v in case.items()
                                            if k not in table.where}), *cells])
    head = [f"{'over' if table.ratio else 'less'} {experiment.case_label(table.versus)}",
            *headings(columns)]
    return rst(head, rows) if rows else ""


def sd_ratio(found, metric, case, base):
    """Of the standard deviations of two cases over the seeds that both have."""
    one, other = found.values(metric, **case), found.values(metric, **base)
    seeds = [s for s in one if None not in (one[s], other.get(s))]
    if len(seeds) < 4 or len({other[s] for s in seeds}) == 1:
        return ""
    ratio, low, high = stats.sd_ratio([one[s] for s in seeds], [other[s] for s in seeds])
    return f" (x {ratio:.2f}, {low:.2f} to {high:.2f})"


def digest(*paths):
    """Of what a figure was drawn from."""
    value = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as file:
            value.update(file.read())
    return value.hexdigest()[:16]


def page(spec, data):
    """The text of Documentation/results/NAME.rst."""
    found = results.Results(data, spec)
    seeds = sorted({r["seed"] for r in data["runs"]})
    parts = [".. SPDX-License-Identifier: GPL-2.0-only", "",
             f".. Generated from lab/results/{spec.name}.json by lab/bench --publish {spec.name}: "
             "do not edit.", "",
             textwrap.fill(summary(spec, data, seeds), 100, break_on_hyphens=False), ""]
    for table in spec.tables or [experiment.Table("")]:
        text = (differences if table.ratio else means)(spec, found, table)
        if not text:
            continue
        parts += [table.title + "\n"] * bool(table.title) + [text, ""]
        if table.versus and len(seeds) > 1 and not table.ratio:
            parts += [differences(spec, found, table), ""]
    if spec.plot:
        parts += [f".. image:: /results/{spec.name}.svg", f"   :alt: {spec.title}", ""]
    return "\n".join(parts)


def summary(spec, data, seeds):
    """What was measured, of what, and how to read it."""
    text = f"**{spec.title}** ({spec.source}). ``lab/bench {spec.name}``; commit " \
        f"{data['commit']}, {data['kernel']}; {len(data['runs'])} runs, " \
        f"{'seeds' if len(seeds) > 1 else 'seed'} {numbers(seeds)}."
    if len(seeds) > 1:
        text += " Means over the seeds, with the 95 % confidence interval."
        found = results.Results(data, spec)
        same, cases = len(found.repeated()), len(found.cases())
        if same == cases:
            text += " The seeds change nothing here: the runs are repetitions of one scenario."
        elif same:
            text += f" In {same} of {cases} cases the seeds change nothing, so these are " \
                "repetitions."
    if any(t.sd for t in spec.tables) and len(seeds) > 1:
        text += " In parentheses: standard deviations over the seeds; with differences their " \
            "ratio and its interval by Pitman and Morgan."
    if spec.published:
        text += " In brackets: the paper's values."
    return text


def numbers(values):
    """1 to 5, or 1, 3."""
    if len(values) > 2 and values == list(range(values[0], values[-1] + 1)):
        return f"{values[0]} to {values[-1]}"
    return ", ".join(map(str, values))


def draw(spec, data, path, mark=""):
    """The figure of an experiment; the mark says from what it was drawn."""
    figure = plt.figure(figsize=spec.figure_size)
    spec.plot(figure, results.Results(data, spec))
    figure.tight_layout()
    save(figure, path, mark)


def save(figure, path, mark):
    """A figure that drawn_from() knows."""
    figure.savefig(path, metadata={"Date": None, "Description": f"drawn from {mark}"})
    plt.close(figure)


def drawn_from(path):
    """The mark of a figure, or None."""
    mark = re.search(r"drawn from (\w+)", content(path))
    return mark and mark[1]


def write(spec, source, directory):
    """Page and figure of a result file."""
    data = results.load(source)
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, spec.name + ".rst"), "w", encoding="utf-8") as file:
        file.write(page(spec, data))
    if spec.plot:
        draw(spec, data, os.path.join(directory, spec.name + ".svg"),
             digest(source, spec.path))


def text(spec, data):
    """For a terminal."""
    found = results.Results(data, spec)
    parts = [f"{spec.title} ({spec.source})", ""]
    for table in spec.tables or [experiment.Table("")]:
        for body in ("" if table.ratio else means(spec, found, table),
                     differences(spec, found, table) if table.versus else ""):
            parts += [table.title, "", body, ""] if body else []
    return "\n".join(parts)


def stale(directory=PAGES, source=results.COMMITTED):
    """What in Documentation/results does not agree with lab/results: a line for each."""
    problems, known = [], set()
    for name in sorted(os.listdir(source)) if os.path.isdir(source) else []:
        if not name.endswith(".json"):
            continue
        stem, path = name[:-5], os.path.join(source, name)
        try:
            spec, data = experiment.load(stem), results.load(path)
        except (ValueError, results.Broken) as e:
            problems.append(str(e))
            continue
        known |= {stem + ".rst", stem + ".svg"}
        if "dirty" in data["commit"]:
            problems.append(f"{path}: measured with changes that are in no commit")
        extra = [r["case"] for r in data["runs"] if r["case"] not in spec.all_cases()]
        if extra:
            problems.append(f"{path}: cases that the experiment does not have: {extra[0]}")
        other = [r["command"] for r in data["runs"] if spec.scenario and not extra and
                 r["parameters"] not in ({}, results.declared(spec, r["case"], r["seed"]))]
        if other:
            problems.append(f"{path}: the experiment has changed since, run it anew: {other[0]}")
        if content(os.path.join(directory, stem + ".rst")) != page(spec, data):
            problems.append(f"{directory}/{stem}.rst is not what {name} says{AGAIN} {stem}")
        if spec.plot and drawn_from(os.path.join(directory, stem + ".svg")) != \
                digest(path, spec.path):
            problems.append(f"{directory}/{stem}.svg is not drawn from {name}{AGAIN} {stem}")
    for name in sorted(set(os.listdir(directory) if os.path.isdir(directory) else []) - known):
        if name.endswith((".rst", ".svg")) and name not in OVERVIEWS:
            problems.append(f"{directory}/{name}: no lab/results/{name[:-4]}.json")
    return problems


def content(path):
    """Nothing if there is no such file."""
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


# ------------------------------------------------------------- helpers of plots

def over_time(axes, found, name, cases, *, start=0, step=1):
    """A series of several cases, mean over the seeds, by time."""
    for case in cases:
        values = found.series(name, **case)
        axes.plot([start + i * step for i in range(len(values))], values, linewidth=1.3,
                  color=flows.color(case.get("flow")), label=experiment.case_label(case))
    axes.set_xlabel("time (s)")


def against(axes, found, metric, x, lines, *, paper=True):
    """A metric against a number of the case: a line for each of the cases, with intervals,
    and the paper's points (hollow)."""
    for line in lines:
        cases = sorted(found.cases(**line), key=lambda c: c[x])
        estimates = [found.estimate(metric, **c) for c in cases]
        color = flows.color(line.get("flow"))
        axes.errorbar([c[x] for c in cases], [e.mean for e in estimates],
                      yerr=[0 if math.isnan(e.half) else e.half for e in estimates], fmt="o-",
                      markersize=3.5, linewidth=1.2, capsize=2, color=color,
                      label=experiment.case_label(line))
        points = [(c[x], found.published(metric, **c)) for c in cases]
        points = [p for p in points if isinstance(p[1], (int, float))]
        if paper and points:
            axes.plot(*zip(*points), "s", markersize=6, markerfacecolor="none",
                      markeredgecolor=color, label="the paper: " + experiment.case_label(line))
    axes.set_xlabel(x)
    axes.set_ylabel(metric)


def bars(axes, found, metric, cases):
    """A metric of several cases, with intervals, and the paper's values (hollow)."""
    for i, case in enumerate(cases):
        e = found.estimate(metric, **case)
        color = flows.color(case.get("flow"))
        axes.barh(i, e.mean, 0.7, color=color, alpha=0.85,
                  xerr=None if math.isnan(e.half) else e.half, capsize=2)
        paper = found.published(metric, **case)
        if isinstance(paper, (int, float)):
            axes.plot(paper, i, "s", markersize=7, markerfacecolor="white", markeredgecolor=INK)
    axes.set_yticks(range(len(cases)),
                    [textwrap.fill(experiment.case_label(c), 30) for c in cases])
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    axes.set_xlabel(metric)
