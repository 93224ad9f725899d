# SPDX-License-Identifier: GPL-2.0-only
"""The catalogue of the papers' results: verdicts from intervals, selection, faults."""

import copy
import os
import types

import pytest
from labkit import experiment, papers, results, runner


def have():
    """Two flows and three seeds: 10, 11, 12 and 20, 21, 22; one of the second has no value."""
    return results.Results({"runs": [
        {"case": {"flow": flow}, "seed": seed, "series": {},
         "values": {"rate": first + seed, "wild": seed ** 5 * first, "none": None}}
        for flow, first in (("tfrc", 9), ("marc", 19)) for seed in (1, 2, 3)]},
        types.SimpleNamespace(published=()))


def answer(**claim):
    """To a claim about MARC's rate, whose interval is 21 +- 2.48."""
    return papers.judge({"metric": "rate", "case": {"flow": "marc"}, **claim}, have())[0]


@pytest.mark.parametrize("claim, expected", [
    ({"above": 18}, "yes"), ({"above": 19}, "open"), ({"above": 24}, "no"),
    ({"below": 18}, "no"), ({"below": 24}, "yes"), ({"above": 18, "below": 22}, "open"),
    ({"paper": 20, "within": 0.25}, "yes"), ({"paper": 16, "within": 0.25}, "open"),
    ({"paper": 10, "within": 0.25}, "no"),
    ({"than": {"flow": "tfrc"}, "above": 9.9}, "yes"),
    ({"than": {"flow": "tfrc"}, "below": 0}, "no"),
    ({"than": {"flow": ""}, "than_metric": "wild", "above": 0}, "open"),
    ({"than": {"flow": "tfrc"}, "of": "mean", "above": 1.6, "below": 2.4}, "yes"),
    ({"than": {"flow": "tfrc"}, "of": "mean", "above": 2.2}, "no"),
    ({"than": {"flow": "tfrc"}, "of": "mean", "above": 2}, "open"),
    ({"than": {"flow": "tfrc"}, "of": "mean", "metric": "none", "above": 2}, None),
    ({"metric": "none", "above": 0}, None)])
def test_answers(claim, expected):
    """Inside of the bounds, outside, or across one of them."""
    assert answer(**claim) == expected


def test_difference_of_differences():
    """MARC's CoV falls by 3 with n and TFRC's by 1, so by 2 more, or by 2 if n comes second."""
    data = results.Results({"runs": [
        {"case": {"flow": flow, "n": n}, "seed": seed, "values": {"CoV": value + seed}}
        for flow, n, value in (("marc", 8, 5), ("marc", 128, 2), ("tfrc", 8, 2), ("tfrc", 128, 1))
        for seed in (1, 2, 3)]}, types.SimpleNamespace(published=()))
    claim = {"metric": "CoV", "case": {"flow": "marc", "n": 8}, "than": {"n": 128},
             "beyond": {"flow": "tfrc"}, "above": 1.9, "below": 2.1}
    assert papers.judge(claim, data) == ("yes", (2, 2, 2), 3)
    claim = {**claim, "than": {"flow": "tfrc"}, "beyond": {"n": 128}}
    assert papers.judge(claim, data) == ("yes", (2, 2, 2), 3)


def test_in_ns2(monkeypatch):
    """Claims of TFRC alone have an answer of ns-2's TFRC, the others none."""
    data = results.Results({"runs": [
        {"case": {"flow": flow, "n": n}, "seed": seed, "values": {"CoV": value + n}}
        for flow, value in (("tfrc", 1), ("ns2", 3), ("marc", 5)) for n in (8, 16)
        for seed in (1, 2)]}, types.SimpleNamespace(published=()))
    monkeypatch.setattr(papers, "found", lambda name, directory: (None, data))
    one = {"metric": "CoV", "case": {"flow": "tfrc", "n": 8}, "below": 10}
    result = {"experiment": "some", "claims": [
        one, {**one, "than": {"n": 16}}, {**one, "than": {"flow": "marc"}},
        {**one, "case": {"flow": "marc", "n": 8}}, {**one, "case": {"n": 8}},
        {**one, "case": {"flow": "tfrc"}}]}
    assert [(answer, value and value[0]) for answer, value, _ in papers.in_ns2(result)] == [
        ("no", 11), ("yes", -8), (None, None), (None, None), (None, None), (None, None)]


def test_one_run():
    """Without an interval the value decides."""
    one = have()
    one.data["runs"] = [r for r in one.data["runs"] if r["seed"] == 1]
    claim = {"metric": "rate", "case": {"flow": "marc"}, "above": 19.5}
    assert papers.judge(claim, one) == ("yes", (20, 20, 20), 1)
    claim = {**claim, "than": {"flow": "tfrc"}, "of": "mean", "above": 1.9, "below": 2.1}
    assert papers.judge(claim, one) == ("yes", (2, 2, 2), 1)


def test_one_run_of_three():
    """The only value of more runs decides nothing, and neither does what is exactly at a bound."""
    some = have()
    for run in some.data["runs"]:
        run["values"].update(rare=5.0 if run["seed"] == 1 else None, same=7.0)
    for more in {}, {"than": {"flow": "tfrc"}}, {"than": {"flow": "tfrc"}, "of": "mean"}:
        claim = {"metric": "rare", "case": {"flow": "marc"}, **more, "above": -1}
        assert papers.judge(claim, some)[::2] == ("open", 1)
        assert papers.judge({**claim, "above": 9}, some)[0] == "open"
    claim = {"metric": "same", "case": {"flow": "marc"}, "than": {"flow": "tfrc"}}
    assert [papers.judge({**claim, "below": b}, some)[0] for b in (-1, 0, 1)] == [
        "no", "open", "yes"]


@pytest.mark.parametrize("bounds, word", [
    ([{"above": 18}, {"below": 24}], "holds"), ([{"above": 18}, {"above": 24}], "holds in part"),
    ([{"above": 18}, {"above": 19}], "holds in part"),
    ([{"above": 19}, {"above": 24}], "does not hold"), ([{"above": 19}], "not decided"),
    ([{"metric": "none", "above": 18}], "not run")])
def test_verdicts(monkeypatch, bounds, word):
    """From all answers."""
    monkeypatch.setattr(papers, "found", lambda *_: (None, have()))
    claims = [{"metric": "rate", "case": {"flow": "marc"}, **b} for b in bounds]
    assert papers.verdict({"experiment": "some", "claims": claims})[0] == word


def test_basis():
    """How many claims hold is said only where some do and some do not."""
    yes, no = ("yes", (1, 1, 1), 3), ("no", (1, 1, 1), 5)
    assert papers.basis([yes, no, yes]) == " (2 of 3 claims, 3 seeds, 5 seeds)"
    assert papers.basis([yes, yes]) == " (3 seeds)" and papers.basis([no]) == " (5 seeds)"
    assert papers.basis([]) == ""


def test_without_results(monkeypatch):
    """Nothing is claimed of what was not run."""
    monkeypatch.setattr(papers, "found", lambda *_: (None, None))
    assert papers.verdict({"experiment": "some", "claims": [{}]}) == ("not run", [])
    assert papers.verdict({}) == ("not run", [])


def test_chosen():
    """Figures unless tables are asked for; what does not exist is said."""
    catalogue = papers.load()
    assert [r["id"] for _, r in papers.chosen(catalogue, "marc 9 table 5 6".split(), False)] == \
        ["figure 9", "table 5", "table 6"]
    assert len(papers.chosen(catalogue, [], False)) == len(
        papers.chosen(catalogue, ["all"], False)) == 73
    assert 0 < len(papers.chosen(catalogue, ["raar"], True)) < 8
    for words in (["marc", "1"], ["vegas"]):
        with pytest.raises(ValueError):
            papers.chosen(catalogue, words, False)


@pytest.mark.parametrize("spoil", [
    lambda r: r.append(r[0]), lambda r: r.pop(), lambda r: r[0].update(id="figure 1"),
    lambda r: r[0].pop("shows"), lambda r: r[0].update(show=""),
    lambda r: r[0].update(experiment="none"), lambda r: r[7].update(select=["beta=7"]),
    lambda r: r[7].update(select=["beta=0.5"]),
    lambda r: r[0].update(verdict="holds"), lambda r: r[7].update(verdict="holds"),
    lambda r: r[0].update(verdict="holds", why="", page=""),
    lambda r: r[7]["claims"][0].update(case={"beta": 7}),
    lambda r: r[7]["claims"][0].update(metric="none"), lambda r: r[7].update(experiment="falls"),
    lambda r: r[7].pop("why"), lambda r: r[7]["claims"][0].update(of="mean", beyond={"beta": 0.9})])
def test_faults(spoil):
    """Each of these is found."""
    catalogue = copy.deepcopy(papers.load())
    assert not list(papers.problems(catalogue))
    assert catalogue["marc"]["result"][7]["experiment"] == "decay"
    spoil(catalogue["marc"]["result"])
    assert list(papers.problems(catalogue))


def test_command():
    """It runs all cases of the claims, with --full if need be."""
    claim = {"metric": "reports", "case": {"beta": 0.5, "flow": "marc"}, "than": {"beta": 0.9}}
    assert papers.command({"experiment": "decay", "claims": [claim]}) == "lab/bench decay"
    result = {"experiment": "marc_beside", "select": ["rate=10"], "claims": []}
    assert papers.command(result) == "lab/bench marc_beside rate=10"
    result["claims"] = [{"metric": "CoV of X", "case": {
        "background": "TCP and ON/OFF", "n": 128, "rate": 10, "flow": "marc"}}]
    assert papers.command(result) == "lab/bench marc_beside rate=10 --full"


def test_thumbnail():
    """A strip for each claim: 20 of 15 to 25 is in the middle, the paper's is at 20, too."""
    claim = {"paper": 20, "within": 0.25}
    text = papers.thumbnail([claim, {"above": 0}, {"above": 0}],
                            [("yes", (20, 18, 22), 3), ("no", (-1, -1, -1), 1),
                             (None, (0,) * 3, 0)])
    assert f'height="{3 * papers.STRIP}"' in text and text.count("<circle") == 2
    middle = papers.WIDTH / 2
    assert f'<circle cx="{middle}"' in text and f'<rect x="{middle - 3.5}"' in text
    # From 14 to 26 there are 12: 15 is at a twelfth, 18 at four, 22 at eight.
    assert f'<rect x="{round(papers.WIDTH / 12, 1)}"' in text
    assert f"M{round(papers.WIDTH * 4 / 12, 1)} " in text
    assert f"H{round(papers.WIDTH * 8 / 12, 1)}" in text
    assert text.count(papers.COLORS["no"]) == 1 and text.count(papers.COLORS["yes"]) == 2


def test_thumbnails_are_checked(tmp_path, monkeypatch):
    """One that is gone, one too many, one that is not what it should be; writing mends all."""
    monkeypatch.setattr(papers, "THUMBNAILS", str(tmp_path))
    made = papers.thumbnails(papers.load())
    papers.write(made, ())
    assert len(made) > 50 and not papers.wrong_files(made)
    first, second = sorted(made)[:2]
    os.remove(first)
    (tmp_path / "more.svg").write_text("")
    with open(second, "a", encoding="utf-8") as file:
        file.write("x")
    assert set(papers.wrong_files(made)) == {first, second, str(tmp_path / "more.svg")}
    papers.write(made, papers.wrong_files(made))
    assert not papers.wrong_files(made)


def test_headline_runs():
    """One seed of the cases that claims compare; without claims, of what is selected."""
    def of(headline, **result):
        result = {"experiment": "example", **result}
        return [(case, seed) for _, case, seed in papers.runs_of(result, headline)]
    assert len(of(False)) == 6 and {seed for _, seed in of(True)} == {1}
    one, two = (case for case, _ in of(True))
    claim = {"case": one, "than": two}
    assert of(True, claims=[claim]) == [(one, 1), (two, 1)]
    assert of(True, claims=[{"case": two}]) == [(two, 1)] * 2
    assert {case["flow"] for case, _ in of(False, select=[f"flow={one['flow']}"])} == {one["flow"]}


def test_time_left(monkeypatch):
    """Two runs took 60 s, so the other three take 90 s; after the last nothing is left."""
    monkeypatch.setattr(runner.time, "monotonic", lambda: 100)
    assert runner.left(40, 2, 5) == "; about 2 min left"
    assert runner.left(40, 5, 5) == ""


def test_how_long():
    """Runs that two figures share count once, and headlines take less than all."""
    catalogue = papers.load()
    both, one = (papers.chosen(catalogue, ["raar", *ids], False) for ids in (("6", "7"), ("7",)))
    assert papers.seconds(both) == papers.seconds(one) > papers.seconds(both, True) > 0


def test_seconds(monkeypatch):
    """Two at a time; a case without a run takes as long as the others in the mean."""
    spec = experiment.load("example")
    first, second, *_ = spec.cases
    took = [(first, 10), (first, 30), (second, 40)]
    runs = [{"case": case, "seed": seed, "took_s": s, "values": {}, "series": {}}
            for seed, (case, s) in enumerate(took)]
    have = spec, results.Results({"runs": runs}, spec)
    monkeypatch.setattr(papers, "found", lambda *_: have)
    many = [(spec, case, 1) for case in (first, second, {"flow": "other"})]
    monkeypatch.setattr(papers, "runs_for", lambda *_: many)
    assert papers.seconds([]) == pytest.approx((20 + 40 + 80 / 3) / 2)
