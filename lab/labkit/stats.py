# SPDX-License-Identifier: GPL-2.0-only
"""Statistics of runs that differ in their seed: means, intervals, paired differences.

All intervals are those of 95 %, two-sided. A seed gives every case the same random
numbers, so cases are compared seed by seed.
"""

import dataclasses
import math

import numpy as np
from scipy import stats

LEVEL = 0.95


@dataclasses.dataclass(frozen=True)
class Estimate:
    """A mean, half of its confidence interval, the standard deviation, how many values of how many
    runs."""
    mean: float
    half: float
    sd: float
    n: int
    runs: int

    @property
    def low(self):
        """Lower end of the interval."""
        return self.mean - self.half

    @property
    def high(self):
        """Upper end of the interval."""
        return self.mean + self.half


def estimate(values):
    """Mean and interval by Student's t; of one value there is no interval (NaN)."""
    runs = list(values)
    values = np.asarray([v for v in runs if v is not None and not math.isnan(v)], float)
    n = len(values)
    if n < 2:
        return Estimate(float(values[0]) if n else math.nan, math.nan, math.nan, n, len(runs))
    sd = float(values.std(ddof=1))
    half = float(stats.t.ppf((1 + LEVEL) / 2, n - 1)) * sd / math.sqrt(n)
    return Estimate(float(values.mean()), half, sd, n, len(runs))


def less(one, other):
    """one - other, of mappings from seeds to values; of seeds that both have."""
    return {s: one[s] - other[s] for s in sorted(set(one) & set(other))
            if one[s] is not None and other[s] is not None}


def paired(one, other):
    """Estimate of one - other, of mappings from seeds to values; of seeds that both have.

    It is of as many runs as there are seeds of either.
    """
    return dataclasses.replace(estimate(less(one, other).values()), runs=len({*one, *other}))


def positive(one, other):
    """Seeds of which a ratio has a logarithm."""
    return [s for s in sorted(set(one) & set(other)) if (one[s] or 0) > 0 and (other[s] or 0) > 0]


def ratio(one, other):
    """Geometric mean of one / other and its interval, of mappings from seeds to values."""
    e = estimate([math.log(one[s] / other[s]) for s in positive(one, other)])
    return tuple(math.exp(v) for v in (e.mean, e.low, e.high))


def sd_ratio(one, other):
    """Ratio of the standard deviations of pairs, and its interval (Pitman and Morgan)."""
    n = len(one)
    # Without a deviation there is no ratio: not a number.
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = float(np.var(one, ddof=1) / np.var(other, ddof=1))
        r = float(np.corrcoef(one, other)[0, 1])
    t = float(stats.t.ppf((1 + LEVEL) / 2, n - 2))
    k = 1 + 2 * (1 - r * r) * t * t / (n - 2)
    root = math.sqrt(max(0, k * k - 1))
    return tuple(math.sqrt(ratio * f) for f in (1, k - root, k + root))
