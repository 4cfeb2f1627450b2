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


@dataclass(slots=True)
class Tally:
    """Values that come one after the other.

    >>> tally = Tally()
    >>> for value in (1.0, 0.0) * 50:
    ...     tally.add(value)
    >>> tally.mean, round(tally.estimate().high, 3), tally.exact()
    (0.5, 0.598, Estimate(mean=0.5, low=0.5, high=0.5))
    """

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, value: float, times: int = 1) -> None:
        """One more, or the same so many times."""
        self.count += times
        self.total += times * value
        self.squares += times * value * value

    @property
    def mean(self) -> float:
        """Their mean; 0 where there are none."""
        return self.total / self.count if self.count else 0.0

    def estimate(self) -> Estimate:
        """Their mean, as a sample of many more."""
        around = NORMAL * sqrt(max(self.squares / self.count - self.mean**2, 0.0) / self.count)
        return Estimate(self.mean, self.mean - around, self.mean + around)

    def exact(self) -> Estimate:
        """Their mean, where these are all there are."""
        return Estimate(self.mean, self.mean, self.mean)


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
