# SPDX-License-Identifier: GPL-2.0-only
"""Statistics, against tables of the distributions and by hand."""

import math

import pytest
from labkit import stats


def test_estimate():
    """Student's t of 4 degrees of freedom is 2.776 at 97.5 %; the deviation is sqrt(2.5)."""
    e = stats.estimate([1, 2, 3, 4, 5])
    assert e.mean == 3 and e.n == 5
    assert e.sd == pytest.approx(1.58114, abs=1e-5)
    assert e.half == pytest.approx(2.776 * 1.58114 / math.sqrt(5), rel=1e-3)
    assert (e.low, e.high) == (e.mean - e.half, e.mean + e.half)


def test_estimate_of_little():
    """One value has no interval, none has no mean; what is not known does not count."""
    assert stats.estimate([7]).mean == 7 and math.isnan(stats.estimate([7]).half)
    assert math.isnan(stats.estimate([]).mean)
    assert stats.estimate([1, None, math.nan, 3]).mean == 2


def test_paired():
    """A difference that is the same for each seed has no spread, however much the seeds vary."""
    e = stats.paired({1: 10, 2: 100, 3: 1000}, {1: 8, 2: 98, 3: 998})
    assert (e.mean, e.half, e.n) == (2, 0, 3)


def test_paired_takes_common_seeds():
    """What one of them lacks is left out."""
    e = stats.paired({1: 5, 2: 7, 3: None}, {2: 4, 3: 1, 4: 9})
    assert (e.mean, e.n, e.runs) == (3, 1, 4)


def test_sd_ratio_of_multiples():
    """Twice the same values: the ratio is known exactly."""
    assert stats.sd_ratio([2, 4, 6, 12], [1, 2, 3, 6]) == pytest.approx((2, 2, 2))


def test_sd_ratio_without_correlation():
    """t of 2 degrees of freedom is 4.3027, so k = 1 + 4.3027^2."""
    ratio, low, high = stats.sd_ratio([1, 1, -1, -1], [1, -1, 1, -1])
    k = 1 + 4.3027 ** 2
    assert ratio == pytest.approx(1)
    assert low == pytest.approx(math.sqrt(k - math.sqrt(k * k - 1)), rel=1e-3)
    assert high == pytest.approx(math.sqrt(k + math.sqrt(k * k - 1)), rel=1e-3)


def test_ratio():
    """2 and 4 of the seeds that both have: sqrt(8), and t of 1 degree of freedom is 12.706."""
    mean, low, high = stats.ratio({1: 2, 2: 8, 3: 5, 4: 7}, {1: 1, 2: 2, 3: None, 4: 0, 5: 1})
    half = 12.706 * math.log(2) / 2
    assert mean == pytest.approx(math.sqrt(8))
    assert math.log(low) == pytest.approx(math.log(8) / 2 - half, rel=1e-4)
    assert math.log(high) == pytest.approx(math.log(8) / 2 + half, rel=1e-4)


def test_ratio_of_one_seed():
    """It has no interval; of none there is nothing."""
    mean, low, high = stats.ratio({1: 6}, {1: 3})
    assert mean == pytest.approx(2) and math.isnan(low) and math.isnan(high)
    assert math.isnan(stats.ratio({1: 6}, {2: 3})[0])
