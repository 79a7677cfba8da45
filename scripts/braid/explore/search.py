"""Where a network saturates, where its latency bends, and the few points that draw the curve between."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from braid.explore.interpolation import interpolated
from braid.explore.rows import Group, Value

TOLERANCE = 0.01  # of the load: how wide the bracket of saturation may stay
KNEE = 2.0  # the knee: latency is so many times that of an idle network
KNEE_TOLERANCE = 0.02
IDLE = 0.05  # of the saturation load: there the network counts as idle

DEFINITION = f"""\
saturation: the greatest load at which most seeds' runs do not say `saturated` (docs/statistics.md: packets are not
  drained, accepted load stays below offered load, or the backlog grows), by bisection to a bracket of {TOLERANCE:.0%}
knee: the load at which mean packet latency is {KNEE:g} times that at {IDLE:.0%} of saturation, by bisection"""

#: The runs at a load, one a seed.
Measure = Callable[[float], Group]


@dataclass
class Found:
    """What a search has found for one choice of the other keys."""

    carried: float | None = None  # the greatest load that is carried
    saturated: float | None = None  # the least that is not
    knee: float | None = None
    groups: dict[float, Group] = field(default_factory=dict)  # load -> runs, all that were looked at

    @property
    def accepted(self) -> Value | None:
        """Throughput at the greatest load that is carried."""
        return None if self.carried is None else self.groups[self.carried].value("accepted")

    @property
    def failed(self) -> str | None:
        """Why the search ended early: the message of a load whose runs all failed."""
        return next((group.rows[0].message for group in self.groups.values() if not group.good), None)

    def curve(self) -> tuple[list[float], list[float]]:
        """Loads that are carried, and their latency."""
        known = {
            load: value.mean
            for load, group in sorted(self.groups.items())
            if group.good and not group.saturated and (value := group.value("latency")) is not None
        }
        return list(known), list(known.values())


class Search:
    """One search; a load is never run twice."""

    def __init__(self, measure: Measure, low: float, high: float) -> None:
        self._measure = measure
        self._low = low
        self._high = high
        self.found = Found()

    def _is_saturated(self, load: float) -> bool:
        group = self._at(load)
        if group.saturated:
            self.found.saturated = min(load, self.found.saturated or load)
        elif group.good:
            self.found.carried = max(load, self.found.carried or load)
        return group.saturated

    def _at(self, load: float) -> Group:
        load = float(f"{load:.6g}")  # as people write it
        if load not in self.found.groups:
            self.found.groups[load] = self._measure(load)
        return self.found.groups[load]

    def saturation(self) -> Found:
        """Bisection on the runs' own verdict."""
        if not self._is_saturated(self._high):
            return self.found
        low, high = self._low, self._high
        while high - low > TOLERANCE * high and self.found.failed is None:
            middle = float(f"{(low + high) / 2:.6g}")
            if self._is_saturated(middle):
                high = middle
            else:
                low = middle
        return self.found

    def knee(self) -> Found:
        """After saturation(): bisection on latency's growth."""
        end = self.found.carried
        if end is None or self.found.failed is not None:
            return self.found
        idle = self._latency(max(IDLE * end, self._low))
        if idle is None or (self._latency(end) or 0.0) < KNEE * idle:
            return self.found
        low, high = max(IDLE * end, self._low), end
        for load, latency in zip(*self.found.curve(), strict=True):
            if latency < KNEE * idle:
                low = max(low, load)
            else:
                high = min(high, load)
        while high - low > KNEE_TOLERANCE * high and self.found.failed is None:
            middle = float(f"{(low + high) / 2:.6g}")
            if (self._latency(middle) or 0.0) < KNEE * idle:
                low = middle
            else:
                high = middle
        self.found.knee = (low + high) / 2
        return self.found

    def _latency(self, load: float) -> float | None:
        value = self._at(load).value("latency")
        return None if value is None else value.mean

    def curve(self, count: int) -> Found:
        """`count` loads: the bracket of saturation to 3 %, the others where interpolation is least sure."""
        self._is_saturated(self._low)
        if count > 1:
            self._is_saturated(self._high)
        while len(self.found.groups) < count and self.found.failed is None:
            load = self._next()
            if load is None:
                break
            self._is_saturated(load)
        return self.found

    def _guesses(self) -> list[float]:
        """A saturated network accepts about what it can carry: loads on both sides of that, while they are new."""
        value = self._at(self._high).value("accepted")
        loads = [float(f"{factor * value.mean:.6g}") for factor in (0.96, 1.04)] if value else []
        return [load for load in loads if load not in self.found.groups]

    def _next(self) -> float | None:
        low, high = self.found.carried, self.found.saturated
        if low is None:
            return None
        if high is not None and high - low > 0.03 * high:
            return next((guess for guess in self._guesses() if low < guess < high), (low + high) / 2)
        return _least_sure(*self.found.curve())


def _least_sure(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """The middle of the gap beside the point that the others predict worst."""
    if len(xs) < 2:
        return None
    gaps = [b - a for a, b in itertools.pairwise(xs)]
    if len(xs) < 4:
        widest = max(range(len(gaps)), key=lambda n: gaps[n])
        return xs[widest] + gaps[widest] / 2
    errors = [0.0] * len(xs)
    for n in range(1, len(xs) - 1):
        others_x, others_y = [*xs[:n], *xs[n + 1 :]], [*ys[:n], *ys[n + 1 :]]
        errors[n] = abs(interpolated(others_x, others_y, xs[n]) / ys[n] - 1)
    floor = max(errors) / 100
    doubt = [(errors[n] + errors[n + 1] + floor) * way for n, way in enumerate(_ways(gaps, ys))]
    most = max(range(len(gaps)), key=lambda n: doubt[n])
    return xs[most] + gaps[most] / 2


def _ways(gaps: Sequence[float], ys: Sequence[float]) -> list[float]:
    """How far the curve goes in each gap, as shares of its width and of its height in factors of latency: before
    saturation a narrow gap hides most of the bend."""
    rises = [abs(math.log(b / a)) for a, b in itertools.pairwise(ys)]
    height = sum(rises) or 1.0
    return [gap / sum(gaps) + rise / height for gap, rise in zip(gaps, rises, strict=True)]
