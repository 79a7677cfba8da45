"""Two sets of results: what differs in their configuration, and which figures differ by more than chance explains.

Seeds are samples: with two seeds or more on both sides a difference is tested by Welch's t test over the seeds. With
one run on a side, by the runs' own 95 % intervals, taken as normal. All tests of a comparison share one level (Holm):
with the usual 99.9 %, one comparison in a thousand of the same thing with itself says that something differs."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean
from typing import Any

from braid.experiment import flat
from braid.explore.database import Row
from braid.explore.plan import SEED
from braid.explore.rows import HALF, Group, differing, figures_of
from braid.explore.student import two_sided, welch

FIGURES = ("latency", "network_latency", "accepted")
CONFIDENCE = 0.999
_OF_95 = NormalDist().inv_cdf(0.975)


@dataclass
class Difference:
    """A figure on both sides."""

    pair: Pair
    figure: str
    a: float
    b: float
    chance: float | None  # that equal things differ so much; None: not known
    significant: bool = False

    @property
    def relative(self) -> float:
        """Growth from A to B."""
        return math.inf if self.a == 0 else self.b / self.a - 1


@dataclass
class Pair:
    """The runs of the same configuration on both sides, but for what differs everywhere."""

    keys: dict[str, Any]
    a: Group
    b: Group

    @property
    def test(self) -> str:
        """Which test the seeds allow."""
        return "Welch over seeds" if min(len(self.a.good), len(self.b.good)) > 1 else "intervals of the runs"

    def difference(self, figure: str) -> Difference | None:
        """Of a figure that both sides have."""
        a, b = (_samples(side, figure) for side in (self.a, self.b))
        if not a or not b:
            return None
        means = fmean(x for x, _ in a), fmean(x for x, _ in b)
        if len(a) > 1 and len(b) > 1:
            difference, error, freedom = welch([x for x, _ in a], [x for x, _ in b])
            chance = two_sided(difference / error, freedom) if error else float(difference == 0)
            return Difference(self, figure, *means, chance)
        return Difference(self, figure, *means, _chance_of_runs(a, b, means[1] - means[0]))


def _samples(group: Group, figure: str) -> list[tuple[float, float | None]]:
    """Mean and half-width of each run."""
    found = []
    for row in group.good:
        values = figures_of(row.results or {})
        if isinstance(values.get(figure), (int, float)):
            found.append((float(values[figure]), values.get(f"{figure}.{HALF}")))
    return found


def _chance_of_runs(
    a: Sequence[tuple[float, float | None]], b: Sequence[tuple[float, float | None]], difference: float
) -> float | None:
    if difference == 0:
        return 1.0
    error = 0.0
    for side in (a, b):
        halves = [half for _, half in side]
        if any(half is None for half in halves):
            return None
        error += sum((half / _OF_95) ** 2 for half in halves if half is not None) / len(side) ** 2
    return 2 * (1 - NormalDist().cdf(abs(difference) / math.sqrt(error))) if error else 0.0


@dataclass
class Comparison:
    """All pairs, and what stands alone."""

    pairs: list[Pair]
    only_a: list[Group]
    only_b: list[Group]
    changed: dict[str, tuple[list[Any], list[Any]]]  # key: its values in A, in B

    def steady(self) -> Comparison:
        """The pairs that saturate on neither side: else latency hangs on how long was measured."""
        return Comparison([p for p in self.pairs if not (p.a.saturated or p.b.saturated)], [], [], {})

    def differences(self, figures: Iterable[str], confidence: float = CONFIDENCE) -> list[Difference]:
        """Of every pair and figure, those that chance does not explain marked (Holm)."""
        found = [d for pair in self.pairs for f in figures if (d := pair.difference(f)) is not None]
        tested = sorted((d for d in found if d.chance is not None), key=lambda d: d.chance or 0.0)
        for n, difference in enumerate(tested):
            if (difference.chance or 0.0) > (1 - confidence) / (len(tested) - n):
                break
            difference.significant = True
        return found


def _grouped(rows: Sequence[Row], keys: Sequence[str]) -> dict[str, Group]:
    found: dict[str, Group] = {}
    for row in rows:
        configuration = flat(row.configuration)
        chosen = {key: configuration.get(key) for key in keys}
        found.setdefault(json.dumps(chosen), Group(chosen, [])).rows.append(row)
    return found


def _values(rows: Sequence[Row], key: str) -> list[Any]:
    """That a key has in these rows, each once."""
    known = {json.dumps(flat(row.configuration).get(key)): flat(row.configuration).get(key) for row in rows}
    return list(known.values())


def compare(a: Sequence[Row], b: Sequence[Row]) -> Comparison:
    """Pairs rows by the keys that vary inside A or inside B; what differs between A and B besides is `changed`."""
    keys = list(dict.fromkeys([*differing(a), *differing(b)]))
    groups_a, groups_b = _grouped(a, keys), _grouped(b, keys)
    pairs = [Pair(group.keys, group, groups_b[name]) for name, group in groups_a.items() if name in groups_b]
    names = dict.fromkeys(name for row in [*a, *b] for name in flat(row.configuration))
    changed = {}
    for name in names:
        if name in keys or name == SEED:
            continue
        values = _values(a, name), _values(b, name)
        if values[0] != values[1]:
            changed[name] = values
    versions = [sorted({row.version for row in side}) for side in (a, b)]
    if versions[0] != versions[1]:
        changed["version"] = (versions[0], versions[1])
    alone_a = [group for name, group in groups_a.items() if name not in groups_b]
    alone_b = [group for name, group in groups_b.items() if name not in groups_a]
    return Comparison(pairs, alone_a, alone_b, changed)
