# SPDX-License-Identifier: GPL-2.0-only
"""All experiments: each case has a scenario."""

import random

import pytest
from labkit import experiment


@pytest.mark.parametrize("name", experiment.names())
def test_scenarios(name):
    """With the arguments that the runner gives."""
    spec = experiment.load(name)
    for case in spec.all_cases() if spec.scenario else ():
        assert spec.scenario(random.Random(1), seed=1, **case).data()["seconds"] > 0
