"""A curve of latency through few points: a monotone cubic (Fritsch and Carlson) of 1/latency, which is nearly straight
where queues grow as 1/(saturation - load)."""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Sequence


def _slopes(xs: Sequence[float], ys: Sequence[float]) -> list[float]:
    steps = [b - a for a, b in itertools.pairwise(xs)]
    rises = [(b - a) / h for a, b, h in zip(ys, ys[1:], steps, strict=False)]
    if len(rises) == 1:
        return [rises[0], rises[0]]
    slopes = [_end(steps[0], steps[1], rises[0], rises[1])]
    for (h0, h1), (d0, d1) in zip(itertools.pairwise(steps), itertools.pairwise(rises), strict=True):
        w0, w1 = 2 * h1 + h0, h1 + 2 * h0
        slopes.append(0.0 if d0 * d1 <= 0 else (w0 + w1) / (w0 / d0 + w1 / d1))
    return [*slopes, _end(steps[-1], steps[-2], rises[-1], rises[-2])]


def _end(h0: float, h1: float, d0: float, d1: float) -> float:
    """The slope at an end: that of the parabola through three points, where it keeps the curve monotone."""
    slope = ((2 * h0 + h1) * d0 - h0 * d1) / (h0 + h1)
    if slope * d0 <= 0:
        return 0.0
    return 3 * d0 if d0 * d1 <= 0 and abs(slope) > abs(3 * d0) else slope


def interpolated(xs: Sequence[float], ys: Sequence[float], x: float) -> float:
    """The latency at x of a curve through points (xs ascending); beyond its ends that of the end."""
    if len(xs) == 1 or x <= xs[0]:
        return ys[0]
    if x >= xs[-1]:
        return ys[-1]
    inverse = [1 / y for y in ys]
    slopes = _slopes(xs, inverse)
    n = bisect_right(xs, x) - 1
    h = xs[n + 1] - xs[n]
    t = (x - xs[n]) / h
    value = (
        (1 + 2 * t) * (1 - t) ** 2 * inverse[n]
        + t * (1 - t) ** 2 * h * slopes[n]
        + t**2 * (3 - 2 * t) * inverse[n + 1]
        + t**2 * (t - 1) * h * slopes[n + 1]
    )
    return 1 / value
