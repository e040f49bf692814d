"""Statistics over repeats: mean, Student-t confidence interval, Mann-Whitney U test.

Needs nothing beyond the standard library.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

LEVEL = 0.95  # of all confidence intervals
LEAST_RUNS = 3  # per group, below which no rank test is made
SIGNIFICANCE = 0.05  # a test that cannot reach it says nothing, whatever the data


@dataclass(frozen=True)
class Summary:
    """Mean of n values, in their unit; half_width is None for n = 1: no interval exists."""

    n: int
    mean: float
    half_width: float | None  # of the 95 % confidence interval of the mean


def summarise(values: Sequence[float]) -> Summary:
    """Mean and 95 % confidence interval (Student t, n - 1 degrees of freedom) of finite values."""
    n = len(values)
    if n == 0:
        raise ValueError("the mean of no values")
    mean = statistics.mean(values)  # exact, so equal values have an interval of width 0
    if n == 1:
        return Summary(1, mean, None)
    quantile = t_quantile(0.5 + LEVEL / 2, n - 1)
    return Summary(n, mean, quantile * statistics.stdev(values) / math.sqrt(n))


def t_quantile(probability: float, degrees: int) -> float:
    """Quantile of Student's t distribution with `degrees` degrees of freedom."""
    if not 0 < probability < 1 or degrees < 1:
        raise ValueError(f"t_quantile({probability}, {degrees}): outside its domain")
    if probability < 0.5:
        return -t_quantile(1 - probability, degrees)
    low, high = 0.0, 1.0
    while t_cdf(high, degrees) < probability:
        low, high = high, 2 * high
    while high - low > 1e-13 * high:
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if t_cdf(middle, degrees) < probability:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def t_cdf(t: float, degrees: int) -> float:
    """Distribution function of Student's t."""
    tail = 0.5 * incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t))
    return 1 - tail if t >= 0 else tail


def incomplete_beta(a: float, b: float, x: float) -> float:
    """Regularised incomplete beta function I_x(a, b)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):  # the other tail converges faster
        return 1 - incomplete_beta(b, a, 1 - x)
    log_front = (math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
                 + a * math.log(x) + b * math.log1p(-x))
    return math.exp(log_front) / a / _beta_fraction(a, b, x)


def _beta_fraction(a: float, b: float, x: float) -> float:
    """1 + d1/(1 + d2/(1 + ...)), the continued fraction below I_x(a, b), (DLMF 8.17.22)."""
    tiny = 1e-300
    fraction = c = 1.0
    d = 0.0
    for step in range(1, 10_000):
        m = step // 2
        if step % 2:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1 / (1 + term * d or tiny)
        c = 1 + term / c or tiny
        fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return fraction


@dataclass(frozen=True)
class RankTest:
    """Two-sided Mann-Whitney U test. p is None where the test was not made; `note` says why."""

    u: float  # pairs in which the first group's value is greater; a tie counts one half
    p: float | None
    note: str


def mann_whitney(first: Sequence[float], second: Sequence[float]) -> RankTest:
    """Exact test of "neither group tends to greater values", given the values seen.

    The p-value counts all ways to deal the mid-ranks out to the two groups, so ties need no
    correction. No test is made with fewer than LEAST_RUNS values in a group, nor when even
    completely separated groups could not reach p <= SIGNIFICANCE.
    """
    n, m = len(first), len(second)
    u = sum((a > b) + 0.5 * (a == b) for a in first for b in second)
    least = 2 / math.comb(n + m, n)
    if min(n, m) < LEAST_RUNS:
        return RankTest(u, None, f"too few runs for a test (n = {n} and {m})")
    if least > SIGNIFICANCE:
        return RankTest(u, None, f"too few runs for a test (n = {n} and {m}: p cannot fall below "
                                 f"{least:.2g})")
    return RankTest(u, _exact_p(first, second), "")


def _exact_p(first: Sequence[float], second: Sequence[float]) -> float:
    """Share of all deals whose rank sum is at least as far from its expectation as the one seen."""
    n, total = len(first), len(first) + len(second)
    ranks = _doubled_midranks([*first, *second])
    expected = n * (total + 1)  # of the sum of doubled ranks
    distance = abs(sum(ranks[:n]) - expected)
    width = math.comb(total, n).bit_length()  # bits that hold any count

    # ways[k] is a polynomial packed into one integer: the field at s * width counts the choices of
    # k values with doubled rank sum s.
    ways = [1] + [0] * n
    for rank in ranks:
        for k in range(n, 0, -1):
            ways[k] += ways[k - 1] << (rank * width)
    mask = (1 << width) - 1
    extreme = sum((ways[n] >> (s * width)) & mask for s in range(sum(ranks) + 1)
                  if abs(s - expected) >= distance)
    return extreme / math.comb(total, n)


def _doubled_midranks(values: Sequence[float]) -> list[int]:
    """Twice the rank (from 1) of each value; equal values share their mean rank."""
    return [2 * sum(other < value for other in values) + sum(other == value for other in values) + 1
            for value in values]
