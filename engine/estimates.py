"""Means and what is known of them: intervals of 95 %."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin, sqrt, tan
from statistics import NormalDist

NORMAL = NormalDist().inv_cdf(0.975)
"""Within so many deviations lie 95 % of the normal distribution."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its 95 % interval."""

    mean: float
    low: float
    high: float


def estimate(count: int, total: float, squares: float) -> Estimate:
    """The mean of many values from their number, their sum and the sum of their squares.

    >>> estimate(100, 50.0, 50.0).mean
    0.5
    """
    mean = total / count
    around = NORMAL * sqrt(max(squares / count - mean**2, 0.0) / count)
    return Estimate(mean, mean - around, mean + around)


def student(freedom: int) -> float:
    """Within so many deviations lie 95 % of Student's t distribution with so many degrees of freedom.

    >>> round(student(1), 3), round(student(10), 3), round(student(2000), 3)
    (12.706, 2.228, 1.961)
    """
    low, high = 0.0, pi / 2  # of the angle whose tangent is t over the root of the degrees of freedom
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, freedom) < 0.95 else (low, middle)
    return sqrt(freedom) * tan(low)


def _within(angle: float, freedom: int) -> float:
    """The share of the distribution up to this angle at either side (Abramowitz and Stegun, 26.7.3 and 26.7.4)."""
    odd = freedom % 2
    term = cos(angle) if odd else 1.0
    total = 0.0
    for step in range(2 + odd, freedom + 1, 2):
        total += term
        term *= cos(angle) ** 2 * (step - 1) / step
    total *= sin(angle)
    return 2 / pi * (angle + total) if odd else total
