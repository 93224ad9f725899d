# SPDX-License-Identifier: GPL-2.0-only
"""The page over the cases of RFC 8867, from results that are made up."""

import pytest
from labkit import calls, results

RUN = {"command": "", "parameters": {}, "series": {}, "took_s": 1}


@pytest.fixture(name="result_dir")
def results_of_two_cases(tmp_path, monkeypatch):
    """5.4 of MARC and of CCID 3, and 5.6 of MARC alone, beside a case that the page leaves out."""
    def save(name, *runs):
        results.save(str(tmp_path / f"{name}.json"), {
            **results.head(name, "none"),
            "runs": [{**RUN, "case": case, "seed": seed, "values": values}
                     for case, seed, values in runs]})

    save("rtc_join", *(({"setting": "rfc", "flow": flow}, seed, {"good, %": good})
                       for flow, *goods in (("marc", 98.0, 100.0), ("ccid3", 90.0, 90.0))
                       for seed, good in enumerate(goods, 1)))
    save("rtc_tcp", *(({"setting": "rfc", "queue": queue, "tcp": "cubic", "flow": "marc"}, 1,
                       {"good, %": 80.0, "p95": 7.0, "use, %": None}) for queue in (300, 1000)))
    monkeypatch.setattr(results, "COMMITTED", str(tmp_path))
    calls.results_of.cache_clear()
    yield tmp_path
    calls.results_of.cache_clear()


def test_table(result_dir):
    """Cases and flows without results are left out; one that lacks a value has a dash."""
    lines = calls.table("good, %", "rfc").splitlines()
    cells = [[cell.strip() for cell in line.split("  ") if cell.strip()] for line in lines]
    assert cells[1] == ["..", "5.4", "5.6"]
    assert cells[3] == ["MARC", "99.0 ± 12.7", "80.0"]
    assert cells[4] == ["CCID 3", "90.0 ± 0.0", "-"]
    assert calls.measured("p95", "rfc")[0] == ["5.6"]
    assert calls.measured("use, %", "rfc") == ([], [])
    assert calls.measured("good, %", "even") == ([], [])
    assert calls.table("good, %", "even") == ""
    assert calls.counts() == "1 to 2"


def test_difference(result_dir):
    """Seed by seed, where both flows were measured; the other flow has no row."""
    titles, ((flow, (difference,)),) = calls.measured("good, %", "rfc", "ccid3")
    assert (titles, flow, difference.mean, difference.n) == (["5.4"], "marc", 9, 2)
    assert "+9.0 ± 12.7" in calls.table("good, %", "rfc", "ccid3")


def test_common_seeds(result_dir):
    """A third run of MARC has no partner."""
    path = str(result_dir / "rtc_join.json")
    data = results.load(path)
    results.save(path, {**data, "runs": [*data["runs"], {**data["runs"][0], "seed": 3}]})
    calls.results_of.cache_clear()
    assert "+9.00 (2 of 3)" in calls.table("good, %", "rfc", "ccid3")


def test_stale(result_dir, monkeypatch):
    """A page and a figure of other results are reported."""
    monkeypatch.setattr(calls, "PAGE", str(result_dir / "calls.rst"))
    monkeypatch.setattr(calls, "FIGURE", str(result_dir / "calls.svg"))
    assert len(calls.stale()) == 2
    calls.write()
    assert calls.stale() == []
    path = result_dir / "rtc_join.json"
    path.write_text(path.read_text().replace("100.0", "99.0"))
    calls.results_of.cache_clear()
    assert len(calls.stale()) == 2


def test_commits(result_dir):
    """Cases of one commit are together, in the order of the columns."""
    for name, commit in ("rtc_join", "aaa"), ("rtc_tcp", "bbb"), ("rtc_web", "aaa"):
        head = {**results.head(name, "none"), "commit": commit, "runs": []}
        results.save(str(result_dir / f"{name}.json"), head)
    assert calls.commits() == "5.4, 5.7: aaa; 5.6: bbb"
