"""Student's t, for half-widths of confidence intervals."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence


def student_t(degrees: int, probability: float = 0.95) -> float:
    """What |T| stays below with `probability`, T being Student's t: by bisection of its closed form for whole degrees
    of freedom."""

    def inside(t: float) -> float:
        """Probability of |T| < t (Abramowitz and Stegun 26.7.3, 26.7.4)."""
        angle = math.atan(t / math.sqrt(degrees))
        cosine = math.cos(angle)
        if degrees % 2 == 0:
            term = total = 1.0
            for i in range(2, degrees, 2):
                term *= cosine * cosine * (i - 1) / i
                total += term
            return math.sin(angle) * total
        total = 0.0
        term = cosine
        for i in range(1, degrees - 1, 2):
            total += term
            term *= cosine * cosine * (i + 1) / (i + 2)
        return 2 / math.pi * (angle + math.sin(angle) * total)

    low, high = 0.0, 13.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if inside(middle) < probability else (low, middle)
    return high


def half_width(values: Sequence[float], probability: float = 0.95) -> float:
    """Of the interval of the mean of independent values, two at least."""
    return student_t(len(values) - 1, probability) * statistics.stdev(values) / math.sqrt(len(values))
