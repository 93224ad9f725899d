# SPDX-License-Identifier: GPL-2.0-only
"""What an experiment declares, and where experiments are found."""

import dataclasses
import importlib.machinery
import importlib.util
import itertools
import os
import random
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence

from labkit import flows

LAB = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOP = os.path.dirname(LAB)
EXPERIMENTS = os.path.join(LAB, "experiments")
HEADERS = 20 + 16           # bytes before the payload: IP's, DCCP's with long sequence numbers


def matrix(**values):
    """All combinations, as one dictionary for each case."""
    return [dict(zip(values, case)) for case in itertools.product(*values.values())]


def spread(rng: random.Random, count, start, end):
    """Times at which flows start."""
    return [rng.uniform(start, end) for _ in range(count)]


def program(name):
    """lab/NAME, a program, as a module."""
    loader = importlib.machinery.SourceFileLoader(name, os.path.join(LAB, name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


@dataclasses.dataclass
class Flow:
    """A media flow from left to right: dccperf, as flows.KINDS has it."""
    kind: str
    start: float = 0                        # s
    end: float | None = None                # s; by default that of the scenario
    options: Sequence = ()                  # more options of dccperf's client
    parameters: Mapping = dataclasses.field(default_factory=dict)   # more KEY=VALUE of its CCID
    name: str = "media"                     # the class of flows in which it is counted

    def data(self):
        """As the guest gets it."""
        kind = flows.KINDS[self.kind]
        return {"name": self.name, "ccid": kind.ccid, "start": self.start, "end": self.end,
                "options": [str(o) for o in (*kind.options(**self.parameters), *self.options)]}


@dataclasses.dataclass
class Scenario:
    """One run: a dumbbell, the flows in it, its changes, and its end.

    Time 0 is when traffic may begin. Commands are strings; their namespace is left, r1,
    r2 or right, and "" is the guest itself. Its sysctls are set before these are made, which
    begin with its values.
    """
    topology: Mapping                       # options of lab/topology up; True for a flag
    media: Sequence[Flow] = ()
    traffic: Sequence = ()                  # options of lab/traffic send, one string each
    seconds: float = 60
    setup: Sequence = ()                    # (namespace, command) before the captures
    events: Sequence = ()                   # (seconds, namespace, command)
    trace_interval: float = 0.1             # s, of dccperf's traces
    capture: bool = True                    # False: real time, in which tcpdump would be in the way
    at_right: bool = False                  # capture at the receivers, too: losses behind r2
    traffic_from: str = "left"              # the namespace of lab/traffic send
    modules: Sequence = ("ccid_marc", "ccid_raar", "ccid_ltfrc", "ccid_dvrc", "ccid_ctfaf")

    def data(self):
        """As the guest gets it."""
        values = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        return {**values, "media": [m.data() for m in self.media]}


@dataclasses.dataclass
class Table:
    """A table of means over the seeds; a row for each case, a column for each metric."""
    title: str
    metrics: Sequence[str] | None = None    # None: all
    where: Mapping = dataclasses.field(default_factory=dict)        # of the cases
    versus: Mapping | None = None           # paired differences from the cases with these values
    ratio: bool = False                     # only ratios to them, and no means
    sd: bool = False                        # standard deviations over the seeds, too, and ratios


@dataclasses.dataclass
class Experiment:
    """The cases to compare, the metrics, and the tables and figures.

    scenario(rng, **case) or measure(seed=..., **case) is one run. measure() returns the
    values itself, inside a guest, or on the host if where is "host".
    """
    title: str
    source: str                             # the paper and its figures, or what else is measured
    cases: Sequence[Mapping]
    scenario: Callable | None = None
    measure: Callable | None = None
    metrics: Mapping[str, Callable] = dataclasses.field(default_factory=dict)
    window: tuple | Mapping = (0, 60)       # s; or several, by name
    seeds: Iterable[int] = (1,)
    series: Mapping[str, Callable] = dataclasses.field(default_factory=dict)
    published: Sequence = ()                # (case, {metric: value of the paper})
    tables: Sequence[Table] = ()
    plot: Callable | None = None            # plot(figure, results)
    figure_size: tuple = (7, 3.6)           # inches
    where: str = "guest"
    guest: Callable = lambda **case: []     # options of lab/run
    kernels: Sequence[str] = ("uml",)       # those of its guests, for the results
    limit: float = 1500                     # s of the host, for a guest
    full: Sequence[Mapping] = ()            # more cases, which only --full runs
    group: str = ""                         # "by hand": not among those that run by default
    name: str = ""                          # that of the file
    about: str = ""                         # its docstring

    def windows(self):
        """By name."""
        return self.window if isinstance(self.window, Mapping) else {"": self.window}

    def all_cases(self):
        """Those of --full, too."""
        return [dict(c) for c in self.cases] + [dict(c) for c in self.full if c not in self.cases]

    def runs(self, full=True):
        """Cases and seeds: first one seed of everything."""
        cases = self.all_cases()[:None if full else len(self.cases)]
        return [(dict(case), seed) for seed in self.seeds for case in cases]


def case_label(case):
    """Of a row: the flow first, then what else varies."""
    words = [flows.label(case["flow"])] if "flow" in case else []
    words += [f"{k.replace('_', ' ')} {v}" if not isinstance(v, str) else v for k, v in case.items()
              if k != "flow" and v not in ("", None)]
    return ", ".join(words)


def names():
    """Of all experiments there are."""
    return sorted(f[:-3] for f in os.listdir(EXPERIMENTS) if f.endswith(".py") and f[0] != "_")


def load(name):
    """The experiment of a file in lab/experiments, or of any other file by its path."""
    path = name if name.endswith(".py") else os.path.join(EXPERIMENTS, name + ".py")
    if not os.path.exists(path):
        raise ValueError(f"no experiment '{name}': lab/bench --list has their names")
    name = os.path.basename(path)[:-3]
    spec = importlib.util.spec_from_file_location(f"experiment_{name}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    experiment = module.EXPERIMENT
    experiment.name, experiment.about = name, (module.__doc__ or "").strip()
    experiment.path = os.path.abspath(path)
    return experiment
