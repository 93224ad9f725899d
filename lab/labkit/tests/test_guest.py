# SPDX-License-Identifier: GPL-2.0-only
"""What makes a run in a guest fail, with shell scripts in the place of the programs."""

import contextlib
import subprocess
import time

import pytest
from labkit import guest

SCENARIO = {"seconds": 60, "trace_interval": 1,
            "media": [{"start": 0, "end": None, "options": []}]}


def flow(monkeypatch, script):
    """A client that is this script, once it has ended or a second has passed."""
    monkeypatch.setattr(guest, "in_ns", lambda ns, *command: ["sh", "-c", script])
    process = guest.client(0, SCENARIO["media"][0], 5300, SCENARIO)
    until = time.monotonic() + 1
    while process.ended > time.monotonic() and time.monotonic() < until:
        time.sleep(0.01)
    process.kill()
    process.wait()
    return process


@pytest.mark.parametrize("script, at, says", [
    ("printf 'mono\\n1\\n' >0.csv; exit 3", 30, r"flow 0 ended at 30\.\d s of 60 s, status 3"),
    ("printf 'mono\\n1\\n' >0.csv; kill -9 $$", 30, "ended at 30.* status -9"),
    ("exit 1", 59.5, "flow 0 did not begin"), ("printf 'mono\\n1\\n' >0.csv; exit 1", 59.5, None),
    ("exit 0", 30, None), ("exec sleep 9", 61, None)])
def test_flows_that_break_off(tmp_path, monkeypatch, script, at, says):
    """A flow fails that ends with an error more than 1 s before its end, or without a beginning;
    one that goes on is killed after the end."""
    monkeypatch.chdir(tmp_path)
    clients, epoch = {0: flow(monkeypatch, script)}, time.monotonic() - at
    if says:
        with pytest.raises(SystemExit, match=says):
            guest.check(clients, SCENARIO, epoch)
    else:
        guest.check(clients, SCENARIO, epoch)


@pytest.mark.parametrize("script, says", [
    ("exit 3", r"status 3: sh -c 'exit 3'"), ("kill -9 $$", "status -9"), ("exit 0", None),
    ("exec sleep 9", None)])
def test_programs_in_the_background(script, says):
    """One that has failed fails the run; one that goes on, or has ended in order, does not."""
    with pytest.raises(SystemExit, match=says) if says else contextlib.nullcontext():
        with guest.background(["sh", "-c", script]) as processes:
            with contextlib.suppress(subprocess.TimeoutExpired):
                processes[0].wait(0.5)


@pytest.mark.parametrize("dropped, fails", [((0, 0), False), ((0, 7), True), ((0, ""), True)])
def test_captures_that_lack_packets(tmp_path, monkeypatch, dropped, fails):
    """tcpdump says how many when it is ended; one that says nothing has failed."""
    monkeypatch.chdir(tmp_path)
    programs = [["sh", "-c", f"trap 'echo {n} packets dropped by kernel >&2; exit' TERM; "
                 "touch $$.ready; while :; do sleep 0.1; done"] for n in dropped]
    try:
        with guest.recorded(programs):
            while len(list(tmp_path.glob("*.ready"))) < len(programs):
                time.sleep(0.01)
    except SystemExit as e:
        assert fails and "not complete" in str(e)
    else:
        assert not fails
