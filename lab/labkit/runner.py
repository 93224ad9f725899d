# SPDX-License-Identifier: GPL-2.0-only
"""Runs experiments: boots guests, measures their captures, stores the results."""

import concurrent.futures
import contextlib
import fcntl
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

from labkit import experiment, metrics, ns2, results

CACHE = os.environ.get("LAB_CACHE", os.path.join(experiment.TOP, "build"))
BUILD = os.environ.get("LAB_BUILD", os.path.join(experiment.TOP, "build"))
OUT = os.path.join(BUILD, "bench")
GUEST = os.path.join(experiment.LAB, "labkit/guest.py")


RUNNING = set()             # guests


def stop(*_):
    """End what runs: lab/run then ends its guest."""
    for process in list(RUNNING):
        process.terminate()
    raise KeyboardInterrupt


class Failed(Exception):
    """A message to the user in the place of a result."""


def program(name, main):
    """Run what a program does, and exit with its status; what the user did wrong is one line."""
    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    try:
        sys.exit(main())
    except (ValueError, Failed, results.Broken) as error:
        sys.exit(f"{name}: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:     # as of "lab/bench --list | head"; nothing can be written at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def say(text):
    """Progress, on standard error."""
    print(f"bench: {time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def kernel(kind="uml"):
    """What guests run by default, or with this --kernel."""
    series = "6.12" if kind == "uml" else kind
    try:
        with open(os.path.join(CACHE, f"linux/{series}/.complete"), encoding="ascii") as file:
            return f"uml {file.read().strip()}" if kind == "uml" else file.read().strip()
    except OSError:
        return kind


def boot(directory, what, python, options, limit):
    """Boot a guest for a scenario. Returns what the guest reports."""
    with open(os.path.join(directory, "what.json"), "w", encoding="utf-8") as file:
        json.dump(what, file)
    with subprocess.Popen(
            [os.path.join(experiment.LAB, "run"), *options, "--timeout", str(limit), "--", python,
             GUEST, "what.json"], cwd=directory, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True, errors="replace") as process:
        RUNNING.add(process)
        said = process.communicate()[1]
        RUNNING.discard(process)
    if process.returncode:
        raise Failed(f"the guest failed, status {process.returncode}; what it left is in "
                     f"{directory}:\n{said[-3000:]}")
    with open(os.path.join(directory, "guest.json"), encoding="utf-8") as file:
        return json.load(file)


def measured(spec, run):
    """Values and series of a run, over all windows."""
    values, series = {}, {}
    for name, window in spec.windows().items():
        seen = run.within(window)
        prefix = f"{name}: " if name else ""
        values |= {prefix + metric: function(seen) for metric, function in spec.metrics.items()}
    whole = list(spec.windows().values())[-1]
    for name, function in spec.series.items():
        series[name] = function(run.within(whole))
    return values, series


def one(spec, case, seed, keep=False):
    """Measure one case with one seed: a row of the result file."""
    start = time.monotonic()
    work = os.path.join(OUT, "work")
    os.makedirs(work, exist_ok=True)
    directory = tempfile.mkdtemp(prefix=spec.name + "-", dir=work)
    parameters, series = {}, {}
    options = spec.guest(**case)
    if spec.measure and spec.where == "host":
        values = spec.measure(seed=seed, **case)
    elif spec.measure:
        values = boot(directory, {"call": spec.path, "case": case, "seed": seed},
                      os.path.join(CACHE, "venv/bin/python"), options, spec.limit)
    else:
        scenario = spec.scenario(random.Random(seed), seed=seed, **case)
        parameters = scenario.data()
        if ns2.simulated(scenario):
            seen = ns2.run(directory, scenario, seed)
        else:
            guest = boot(directory, parameters, "/usr/bin/python3", options, spec.limit)
            seen = metrics.read(directory, guest, scenario)
        values, series = measured(spec, seen)
    if keep:
        say(f"captures and traces are in {directory}")
    else:
        shutil.rmtree(directory)
    words = [f"{k}={v}" for k, v in {**case, "seed": seed}.items()]
    words += ["--full"] * (case not in spec.all_cases()[:len(spec.cases)])
    return {"case": case, "seed": seed, "command": " ".join(["lab/bench", spec.name, *words]),
            "parameters": results.rounded(parameters, 8), "values": results.rounded(values),
            "series": results.rounded(series, 4), "took_s": round(time.monotonic() - start, 1)}


def wanted(spec, words, seeds=None, full=False):
    """Runs whose cases have these values: KEY=VALUE, or a VALUE of any key."""
    def has(run, word):
        case, seed = run
        key, _, value = word.rpartition("=")
        values = {**case, "seed": seed}
        return str(values.get(key)) == value if key else value in map(str, values.values())
    runs = [(case, s) for case, s in spec.runs(full) if seeds is None or s in seeds]
    return [run for run in runs if all(has(run, word) for word in words)]


def outdated(guests):
    """Why results in these guests would not be those of the sources, or None."""
    for kind in guests:
        built = os.path.join(BUILD, kind, "modules/.complete")
        if not os.path.exists(built):
            return f"there are no modules for {kind}: run lab/setup {kind} && lab/build {kind}"
        if any(os.path.getmtime(source) > os.path.getmtime(built)
               for source in results.files() if "/tools/" not in source):
            return f"the modules for {kind} are older than their sources: run lab/build {kind}"
    tools = ["make", "-sq", "-C", os.path.join(experiment.TOP, "tools/dccperf")]
    if guests and subprocess.run(tools, stdout=subprocess.DEVNULL, check=False).returncode:
        return "dccperf is older than its sources: run make tools"
    return None


def kernel_of(options):
    """What lab/run boots with these options."""
    return dict(zip(options, options[1:])).get("--kernel", "uml")


class Store:
    """The result file of an experiment while it runs."""

    def __init__(self, spec, directory):
        self.spec, self.path = spec, os.path.join(directory, spec.name + ".json")
        self.data = results.head(spec.name, ", ".join(map(kernel, spec.kernels)))
        with self.locked():
            old = results.load(self.path)
            if old and self.differs(old):
                more = ("", *(f"-{n}" for n in range(2, 99)))
                names = [self.path.replace(".json", f".{old['commit']}{m}.json") for m in more]
                aside = next(name for name in names if not os.path.exists(name))
                os.rename(self.path, aside)
                say(f"{spec.name}: the modules, the kernel or the senders have changed; what was "
                    f"measured at {old['commit']} is now in {aside}")
            elif old:
                self.data["runs"] = old["runs"]

    @contextlib.contextmanager
    def locked(self):
        """No other thread, and no other lab/bench, changes the file meanwhile."""
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        with open(os.path.join(os.path.dirname(self.path), ".lock"), "wb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def differs(self, old):
        """Is it of other modules, senders or kernels?"""
        return any(old[key] != self.data[key] for key in ("sources", "kernel"))

    def has(self, case, seed):
        """Is it measured already?"""
        return any(r["case"] == case and r["seed"] == seed for r in self.data["runs"])

    def add(self, row):
        """Keep it, in the order of the declaration, beside what another lab/bench has added."""
        with self.locked():
            if old := results.load(self.path):
                if self.differs(old):
                    raise Failed(f"{self.path} is of {old['commit']} now, not of "
                                 f"{self.data['commit']}: another lab/bench has written it")
                self.data["runs"] = old["runs"]
            key = results.key_of(row["case"], row["seed"])
            rows = {results.key_of(r["case"], r["seed"]): r for r in self.data["runs"]}
            rows[key] = row
            order = {results.key_of(c, s): i for i, (c, s) in enumerate(self.spec.runs())}
            self.data["runs"] = sorted(rows.values(), key=lambda r: order.get(
                results.key_of(r["case"], r["seed"]), len(order)))
            results.save(self.path, self.data)


def run(specs, *, words=(), seeds=None, full=False, runs=None, **how):
    """Measure all runs without results: those of the words, or these (spec, case, seed)."""
    if runs is None:
        runs = [(spec, case, seed) for spec in specs
                for case, seed in wanted(spec, words, seeds, full)]
    return carry_out(specs, runs, **how)


def left(began, done, total):
    """How long the rest will take, if it takes as long as what is done."""
    minutes = (time.monotonic() - began) / done * (total - done) / 60
    return f"; about {minutes:.0f} min left" if total > done else ""


def carry_out(specs, runs, *, jobs=2, again=False, keep=False, directory=OUT):
    """Measure these runs. One that fails does not stop the others."""
    if why := outdated({kernel_of(spec.guest(**case)) for spec, case, _ in runs
                        if spec.where == "guest"}):
        raise Failed(why)
    stores = [Store(spec, directory) for spec in specs]
    of = {store.spec.name: store for store in stores}
    todo = [(of[spec.name], case, seed) for spec, case, seed in runs
            if again or not of[spec.name].has(case, seed)]
    say(f"{len(todo)} runs to do, {jobs} at a time")
    failed, done, began = [], 0, time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        futures = {pool.submit(one, store.spec, case, seed, keep): (store, case, seed)
                   for store, case, seed in todo}
        try:
            for future in concurrent.futures.as_completed(futures):
                store, case, seed = futures[future]
                done += 1
                what = f"{done} of {len(todo)}: {store.spec.name} " \
                       f"{experiment.case_label(case)}, seed {seed}"
                try:
                    row = future.result()
                except Exception as e:          # of a metric, too
                    failed.append(what)
                    known = isinstance(e, (Failed, ns2.Failed))
                    say(f"{what}: FAILED: {e if known else traceback.format_exc()}")
                    continue
                store.add(row)
                say(f"{what} ({row['took_s']:.0f} s{left(began, done, len(todo))})")
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            raise
    return stores, failed
