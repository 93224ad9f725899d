# SPDX-License-Identifier: GPL-2.0-only
"""Result files, tables, and the check that pages agree with them."""

import ast
import concurrent.futures
import json
import random
import subprocess

import pytest
from labkit import Experiment, Scenario, Table, experiment, matrix, report, results, runner
from labkit.__main__ import arguments, repeats, seeds_of


def spec():
    """An experiment with two flows and two seeds."""
    return Experiment("A title", "RAAR, figures 6 and 8 to 10, table 2",
                      matrix(flow=("tfrc", "marc")), seeds=(1, 2),
                      published=[({"flow": "marc"}, {"rate": 12})],
                      tables=[Table("", versus={"flow": "tfrc"})], name="some")


def data():
    """What was measured of it."""
    runs = [{"case": {"flow": flow}, "seed": seed, "command": "", "parameters": {},
             "values": {"rate": value}, "series": {}, "took_s": 1.0}
            for flow, seed, value in (("tfrc", 1, 10.0), ("tfrc", 2, 20.0), ("marc", 1, 13.0),
                                      ("marc", 2, 23.0))]
    return {"schema": 1, "experiment": "some", "commit": "abc", "sources": "0", "kernel": "uml",
            "runs": runs}


def test_file(tmp_path):
    """It comes back as it was written."""
    path = str(tmp_path / "some.json")
    results.save(path, data())
    assert results.load(path) == data()
    assert results.load(str(tmp_path / "none.json")) is None


def test_sources_have_a_new_ccid(tmp_path, monkeypatch):
    """Whether git knows it or not; what git ignores does not count."""
    monkeypatch.setattr(results.experiment, "TOP", str(tmp_path))
    subprocess.run(["git", "-C", tmp_path, "init", "-q"], check=True)
    (tmp_path / ".gitignore").write_text("*.o\n")
    (tmp_path / "ccid_mine").mkdir()
    (tmp_path / "ccid_mine/ccid.c").write_text("one")
    (tmp_path / "ccid_mine/ccid.o").write_text("object")
    before = results.sources()[1]
    assert results.files() == [str(tmp_path / "ccid_mine/ccid.c")]
    (tmp_path / "ccid_mine/ccid.c").write_text("two")
    assert results.sources()[1] != before
    before = results.sources()[1]
    (tmp_path / "lab").mkdir()
    (tmp_path / "lab/traffic").write_text("a source of traffic")
    assert results.sources()[1] != before
    assert results.files() == [str(tmp_path / "ccid_mine/ccid.c")]


def test_store_keeps_other_runs(tmp_path, monkeypatch):
    """A run that is measured again replaces itself only; two stores add to the same file."""
    monkeypatch.setattr(results, "sources", lambda: ("abc", "0"))
    monkeypatch.setattr(runner, "kernel", lambda kind="uml": kind)
    path, rows = str(tmp_path / "some.json"), data()["runs"]
    results.save(path, {**data(), "runs": rows[:2]})
    one, other = (runner.Store(spec(), str(tmp_path)) for _ in range(2))
    one.add({**rows[0], "values": {"rate": 11.0}})
    other.add(rows[2])
    found = results.load(path)["runs"]
    assert {(r["case"]["flow"], r["seed"]): r["values"]["rate"] for r in found} == \
        {("tfrc", 1): 11.0, ("tfrc", 2): 20.0, ("marc", 1): 13.0}


def test_store_waits(tmp_path, monkeypatch):
    """While another lab/bench writes the file, nothing is added: it would be lost."""
    monkeypatch.setattr(results, "sources", lambda: ("abc", "0"))
    monkeypatch.setattr(runner, "kernel", lambda kind="uml": kind)
    store, other = (runner.Store(spec(), str(tmp_path)) for _ in range(2))
    row = data()["runs"][0]
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        with store.locked():
            adding = pool.submit(other.add, row)
            with pytest.raises(concurrent.futures.TimeoutError):
                adding.result(0.3)
        assert adding.result(60) is None
    assert results.load(store.path)["runs"] == [row]


def test_a_run_that_fails(tmp_path, monkeypatch, capsys):
    """A metric that raises costs its own run only, and says where."""
    def one(_spec, case, seed, _keep):
        return {**data()["runs"][0], "case": case, "seed": 1 / (seed - 1) and seed}
    monkeypatch.setattr(runner, "one", one)
    monkeypatch.setattr(runner, "outdated", lambda guests: "")
    stores, failed = runner.run([spec()], directory=str(tmp_path))
    assert len(stores[0].data["runs"]) == 2 and len(failed) == 2
    assert "ZeroDivisionError" in capsys.readouterr().err


@pytest.mark.parametrize("spoil", [
    lambda d: d.pop("commit"), lambda d: d.update(schema=2), lambda d: d["runs"][0].pop("seed"),
    lambda d: d["runs"].append(d["runs"][0]), lambda d: d["runs"][0].update(values=None)])
def test_broken_files(tmp_path, spoil):
    """None of these is a result file."""
    broken = data()
    spoil(broken)
    path = tmp_path / "some.json"
    path.write_text(json.dumps(broken))
    with pytest.raises(results.Broken):
        results.load(str(path))


def test_rounded():
    """Significant digits; what is no number is null."""
    assert results.rounded({"a": [1.23456789, float("nan")], "b": 3}) == {"a": [1.2346, None],
                                                                         "b": 3}


def test_table():
    """Means of 15 and 18, the paper's value beside them; the difference is 3 with each seed."""
    found = results.Results(data(), spec())
    table = report.means(spec(), found, spec().tables[0])
    assert "15.0 ± 63.5" in table       # t of 1 degree of freedom: 12.706 * 7.071 / sqrt(2)
    assert "18.0 ± 63.5 [12]" in table
    assert "+3.00 ± 0.00" in report.differences(spec(), found, spec().tables[0])


def test_what_some_runs_lack():
    """The mean of the rest, without an interval, and how many they are."""
    some = data()
    some["runs"][3]["values"]["rate"] = None
    table = report.means(spec(), results.Results(some, spec()), spec().tables[0])
    assert "13.0 (1 of 2)" in table and "15.0 ± 63.5" in table
    table = report.differences(spec(), results.Results(some, spec()), spec().tables[0])
    assert "+3.00 (1 of 2)" in table
    ratio = Table("", versus={"flow": "tfrc"}, ratio=True)
    assert "1.30 (1 of 2)" in report.differences(spec(), results.Results(some, spec()), ratio)
    some["runs"] += [{**r, "seed": r["seed"] + 2} for r in some["runs"][:2]]
    table = report.differences(spec(), results.Results(some, spec()), spec().tables[0])
    assert "+3.00 (1 of 4)" in table


def test_seeds_that_change_nothing():
    """The page says so of as many cases as there are; what ns-2 does with it its values tell."""
    def said(*parameters, **values):
        some = data()
        for run, each in zip(some["runs"], parameters):
            run["parameters"] = each
            run["values"].update(values)
        return report.page(spec(), some).replace("\n", " ")
    one, other = ({"media": [{"ccid": "marc"}], "seconds": s} for s in (1, 2))
    ns2 = {"media": [{"ccid": "ns2"}]}
    idle, used = ([{**one, "traffic": [f"--seed {s} --duration 60 --{what} 5"]} for s in (1, 2)]
                  for what in ("crowd", "udp"))
    assert "In 1 of 2 cases" in said(*idle, *used)
    assert "The seeds change nothing here" in said(one, one, other, other)
    assert "In 1 of 2 cases the seeds change nothing" in said(one, one, one, other)
    assert "In 1 of 2 cases" in said(one, one, ns2, ns2)
    equal = dict.fromkeys(data()["runs"][0]["values"], 1.0)
    assert "The seeds change nothing here" in said(one, one, ns2, ns2, **equal)
    assert "change nothing" not in said(one, other, other, one) + said({}, {}, {}, {})


def test_full():
    """The default is a part of the matrix; tables and the check know all of it."""
    some = spec()
    some.full = matrix(flow=("raar", "marc", "tfrc", "dvrc"))
    assert [c["flow"] for c in some.all_cases()] == ["tfrc", "marc", "raar", "dvrc"]
    assert len(runner.wanted(some, [])) == 4 and len(runner.wanted(some, [], full=True)) == 8
    assert not runner.wanted(some, ["raar"]) and runner.wanted(some, ["raar"], full=True)
    more = data()
    more["runs"].append({**more["runs"][0], "case": {"flow": "dvrc"}})
    assert [c["flow"] for c in results.Results(more, some).cases()] == ["tfrc", "marc", "dvrc"]


def test_more_values():
    """A case whose values another one has, too, is not counted with it."""
    more = data()
    more["runs"] += [{**r, "case": {"flow": "marc", "n": 1}, "values": {"rate": 1}}
                     for r in more["runs"] if r["case"] == {"flow": "marc"}]
    found = results.Results(more, spec())
    assert found.estimate("rate", flow="marc").mean == 18 and len(found.runs(flow="marc")) == 2
    assert found.estimate("rate", n=1).mean == 1


def test_headings():
    """What all columns begin with is not repeated."""
    assert report.headings(["run: sent", "run: lost, %"]) == ["sent", "lost, %"]
    assert report.headings(["CoV, 1 s", "CoV, 4 s"]) == ["1 s", "4 s"]
    assert report.headings(["CoV, 1 s", "share, 4 s"]) == ["CoV, 1 s", "share, 4 s"]
    assert report.headings(["lost, %"]) == ["lost, %"]


def test_withdrawn_metric():
    """What an experiment measures no longer is in the results, and not on the page."""
    some, all_of_it = spec(), data()
    for run in all_of_it["runs"]:
        run["values"]["run: wrong"] = 1.0
    found = results.Results(all_of_it, some)
    assert report.metrics_of(some, found, Table("")) == ["rate", "run: wrong"]
    some.metrics = {"rate": None}
    assert report.metrics_of(some, found, Table("")) == ["rate"]
    some.metrics = {"rate": None, "wrong": None}
    assert report.metrics_of(some, found, Table("")) == ["rate", "run: wrong"]


def test_check(tmp_path, monkeypatch):
    """A page that was edited, a result that was, and a declaration that was are found."""
    source, pages = tmp_path / "results", tmp_path / "pages"
    path = tmp_path / "some.py"
    path.write_text("")
    some = spec()
    some.path = str(path)
    monkeypatch.setattr(experiment, "load", lambda name: some)
    results.save(str(source / "some.json"), data())
    report.write(some, str(source / "some.json"), str(pages))
    assert not report.stale(str(pages), str(source))
    some.scenario = lambda rng, seed, flow: Scenario({"rtt": 70})
    assert not report.stale(str(pages), str(source))
    measured = data()
    measured["runs"][0]["parameters"] = results.declared(some, {"flow": "tfrc"}, 1)
    results.save(str(source / "some.json"), measured)
    assert not report.stale(str(pages), str(source))
    some.scenario = lambda rng, seed, flow: Scenario({"rtt": 71})
    assert "has changed" in report.stale(str(pages), str(source))[0]
    some.scenario = None
    page = pages / "some.rst"
    page.write_text(page.read_text().replace("18.0", "18.1"))
    assert report.stale(str(pages), str(source))
    report.write(some, str(source / "some.json"), str(pages))
    changed = data()
    changed["runs"][0]["values"]["rate"] = 11.0
    results.save(str(source / "some.json"), changed)
    assert report.stale(str(pages), str(source))


def test_sources_are_not_mixed(tmp_path, monkeypatch):
    """What was measured of other sources is put aside."""
    monkeypatch.setattr(results, "sources", lambda: ("def", "1"))
    results.save(str(tmp_path / "some.json"), data())
    store = runner.Store(spec(), str(tmp_path))
    assert store.data["runs"] == [] and (tmp_path / "some.abc.json").exists()
    monkeypatch.setattr(results, "sources", lambda: ("abc", "0"))
    monkeypatch.setattr(runner, "kernel", lambda kind="uml": data()["kernel"])
    results.save(str(tmp_path / "some.json"), data())
    store = runner.Store(spec(), str(tmp_path))
    assert store.has({"flow": "marc"}, 2)
    results.save(str(tmp_path / "some.json"), {**data(), "kernel": "another"})
    with pytest.raises(runner.Failed, match="another lab/bench has written it"):
        store.add(data()["runs"][0])
    assert not runner.Store(spec(), str(tmp_path)).has({"flow": "marc"}, 2)
    assert (tmp_path / "some.abc-2.json").exists()


def test_selection():
    """By values, by figure, by seed."""
    assert len(runner.wanted(spec(), ["marc"])) == 2
    assert runner.wanted(spec(), ["flow=tfrc", "seed=2"]) == [({"flow": "tfrc"}, 2)]
    assert seeds_of("1,4-6") == {1, 4, 5, 6}

    class Args:
        """As argparse has them."""
        paper, figure, table = "raar", "9", None
    assert repeats(spec(), Args)
    Args.figure = "7"
    assert not repeats(spec(), Args)
    Args.figure, Args.table = None, "2"
    assert repeats(spec(), Args)


@pytest.mark.parametrize("name", experiment.names())
def test_declarations(name):
    """Every file in lab/experiments declares an experiment, each case of which makes a scenario."""
    some = experiment.load(name)
    assert some.about and some.runs()
    assert (some.scenario is None) != (some.measure is None)
    for case, seed in some.runs():
        assert json.loads(json.dumps(case)) == case     # as it comes back from a result file
        if some.scenario:
            json.dumps(some.scenario(random.Random(seed), seed=seed, **case).data())


def test_declarations_are_short():
    """An experiment that is a declaration has fewer than 60 lines, but for its docstring."""
    for name in experiment.names():
        some = experiment.load(name)
        if some.measure:
            continue
        with open(some.path, encoding="utf-8") as file:
            text = file.read()
        doc = ast.parse(text).body[0]
        lines = [line for i, line in enumerate(text.splitlines(), 1) if line.strip()
                 and not line.strip().startswith("#") and not doc.lineno <= i <= doc.end_lineno]
        assert len(lines) < 60, f"{name}: {len(lines)}"


def test_words_after_options(monkeypatch):
    """Values of cases may come behind an option."""
    monkeypatch.setattr("sys.argv", ["lab/bench", "ctfaf", "--full", "seed=1", "--jobs", "1",
                                     "flow=tfrc"])
    assert arguments().words == ["ctfaf", "seed=1", "flow=tfrc"]
