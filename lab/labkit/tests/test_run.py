# SPDX-License-Identifier: GPL-2.0-only
"""lab/run: whether KVM works, without a guest."""

import importlib.machinery
import os
import sys
import types

import pytest
from labkit.experiment import LAB


@pytest.fixture(name="lab_run")
def load(tmp_path, monkeypatch):
    """lab/run as a module, on a machine with /dev/kvm where nothing was built"""
    loader = importlib.machinery.SourceFileLoader("lab_run", os.path.join(LAB, "run"))
    module = types.ModuleType(loader.name)
    module.__file__ = loader.path
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    loader.exec_module(module)
    access = os.access
    monkeypatch.setattr(module, "BUILD", str(tmp_path))
    monkeypatch.setattr(os, "access", lambda path, mode: path == "/dev/kvm" or access(path, mode))
    monkeypatch.setattr(sys, "argv", ["lab/run", "--kernel", "6.12", "--", "true"])
    return module


def test_no_modules(lab_run, tmp_path, capfd):
    """That they are missing is said, and nothing is concluded about KVM."""
    assert lab_run.main() == 2
    assert capfd.readouterr().err == \
        f"lab/run: no modules in {tmp_path}/6.12/modules: run lab/build 6.12\n"
    assert not (tmp_path / "kvm").exists()


@pytest.mark.parametrize("status, answer", [
    (124, "fails"), (125, "fails"), (2, None), (0, "works")])
def test_kvm(lab_run, tmp_path, monkeypatch, status, answer):
    """Only a guest that has failed says that KVM does."""
    def run_guest(*_):
        if status:
            raise lab_run.Failed("some reason", status)

    monkeypatch.setattr(lab_run, "run_guest", run_guest)
    if answer:
        assert lab_run.have_kvm(lab_run.parse_args()) == (answer == "works")
        assert (tmp_path / "kvm").read_text().split()[1] == answer
    else:
        with pytest.raises(lab_run.Failed, match="some reason"):
            lab_run.have_kvm(lab_run.parse_args())
        assert not (tmp_path / "kvm").exists()
