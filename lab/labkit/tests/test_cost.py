# SPDX-License-Identifier: GPL-2.0-only
"""lab/bench cost: instructions for a packet, of windows that are written down by hand."""

import sys

import pytest
from labkit import experiment

S = 10**9
experiment.load("cost")
per_packet = sys.modules["experiment_cost"].per_packet


def test_least_busy_window_is_subtracted():
    """1000 packets in 1 s with 34 ms of work, 1 ms of it without traffic: 33000 instructions.

    With threads the receiver takes 6 ms for 500 packets.
    """
    quiet = [0.001, 0.007, 0.0015]
    loaded = (S, 34 * S // 1000, 1000 * 1000)
    threaded = (S, 20 * S // 1000, 500 * 1000)
    for order in quiet, quiet[::-1], quiet[1:] + quiet[:1]:
        values = per_packet(order, loaded, threaded, 6 * S // 1000)
        assert values["instructions"] == pytest.approx(33000)
        assert values["receiver"] == pytest.approx(12000)
        assert values["spread"] == pytest.approx(6000)      # 7 ms less 1 ms, in a second
        assert values["packets/s"] == pytest.approx(1000)
        assert values["busy"] == pytest.approx(0.034)


def test_windows_of_other_lengths():
    """A window is as long as the guest let it be: 0.1 % busy is 0.1 % of the loaded one."""
    loaded = (2 * S, 62 * S // 1000, 3000 * 1000)
    values = per_packet([0.001], loaded, loaded, 0)
    assert values["instructions"] == pytest.approx(20000)
    assert values["spread"] == 0
    assert values["packets/s"] == pytest.approx(1500)
