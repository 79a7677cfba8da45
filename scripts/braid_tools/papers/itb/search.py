"""Throughput of a network: the accepted traffic at the load where the mean latency reaches a limit.

The load goes up or down by a factor, or down to what a saturated network accepted, until latencies below and above the
limit are known; then what lies between is halved (geometrically) until the ends are close. Between them the accepted
traffic is interpolated over the latency's logarithm: it hardly changes there, the latency a lot.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from braid_tools.program import BraidError

CLOSE = 1.06  # upper end over lower end
MOST_RUNS = 16


@dataclass(frozen=True)
class Sample:
    """What a run at a load gave; load and accepted traffic in the same unit."""

    load: float
    latency: float
    accepted: float


@dataclass
class Search:
    """One network's search. `step`: how far off the guess may be taken to be."""

    limit: float
    guess: float
    step: float = 1.3
    samples: list[Sample] = field(default_factory=list)

    def ends(self) -> tuple[Sample | None, Sample | None]:
        """The lowest load at or above the limit, and the highest below it that is lower."""
        above = min((s for s in self.samples if s.latency >= self.limit), key=lambda s: s.load, default=None)
        most = above.load if above else math.inf
        below = [s for s in self.samples if s.latency < self.limit and s.load < most]
        return max(below, key=lambda s: s.load, default=None), above

    def next_load(self) -> float | None:
        """The load to run next; none: the search is done."""
        below, above = self.ends()
        if below is None and above is None:
            return rounded(self.guess)
        if len(self.samples) >= MOST_RUNS:
            raise BraidError(f"no load found where the latency is {self.limit:g}: {self.samples}")
        if above is None:
            return rounded(below.load * self.step)
        if below is None:
            return rounded(min(above.load / self.step, above.accepted))
        if above.load / below.load <= CLOSE:
            return None
        return rounded(math.sqrt(below.load * above.load))

    def throughput(self) -> float:
        """Accepted traffic at the limit, of a search that is done."""
        below, above = self.ends()
        share = math.log(self.limit / below.latency) / math.log(above.latency / below.latency)
        return below.accepted + share * (above.accepted - below.accepted)


def rounded(load: float) -> float:
    """Four digits, so that the same search asks for the same runs."""
    return float(f"{load:.4g}")


Name = TypeVar("Name", bound=Hashable)
Measure = Callable[[list[tuple[Name, float]]], Iterable[Sample]]


def search_all(searches: dict[Name, Search], measure: Measure) -> dict[Name, float]:
    """The throughput of each; all searches take a step at a time, so that `measure` gets many runs at once."""
    while wanted := [(name, load) for name, s in searches.items() if (load := s.next_load()) is not None]:
        for (name, _), sample in zip(wanted, measure(wanted), strict=True):
            searches[name].samples.append(sample)
    return {name: s.throughput() for name, s in searches.items()}
