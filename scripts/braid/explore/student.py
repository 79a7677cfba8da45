"""Student's t: what intervals over seeds and Welch's test ask."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import fmean, variance


def _beta_fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function (Lentz)."""
    tiny = 1e-300
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > tiny else tiny)
    value = d
    for m in range(1, 300):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 + numerator * d
            d = 1 / (d if abs(d) > tiny else tiny)
            c = 1 + numerator / c
            c = c if abs(c) > tiny else tiny
            value *= d * c
        if abs(d * c - 1) < 1e-14:
            break
    return value


def _beta(a: float, b: float, x: float) -> float:
    """The regularized incomplete beta function."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return front * _beta_fraction(a, b, x) / a
    return 1 - front * _beta_fraction(b, a, 1 - x) / b


def two_sided(t: float, freedom: float) -> float:
    """The probability that |T| is more than |t|."""
    if math.isinf(t):
        return 0.0
    return _beta(freedom / 2, 0.5, freedom / (freedom + t * t))


@lru_cache(maxsize=4096)
def quantile(confidence: float, freedom: float) -> float:
    """The t that |T| does not pass with this probability."""
    low, high = 0.0, 1.0
    while two_sided(high, freedom) > 1 - confidence:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        if two_sided(middle, freedom) > 1 - confidence:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def half_width(values: Sequence[float], confidence: float = 0.95) -> float | None:
    """Of the interval of the mean of independent values; None of fewer than two."""
    if len(values) < 2:
        return None
    return quantile(confidence, len(values) - 1) * math.sqrt(variance(values) / len(values))


def welch(a: Sequence[float], b: Sequence[float], shift: float = 0.0) -> tuple[float, float, float]:
    """Of mean(b) - mean(a) - shift: its value, its standard error and Welch's degrees of freedom."""
    va, vb = variance(a) / len(a), variance(b) / len(b)
    difference = fmean(b) - fmean(a) - shift
    if va + vb == 0:
        return difference, 0.0, len(a) + len(b) - 2
    freedom = (va + vb) ** 2 / (va**2 / (len(a) - 1) + vb**2 / (len(b) - 1))
    return difference, math.sqrt(va + vb), freedom
