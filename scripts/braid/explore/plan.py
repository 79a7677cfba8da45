"""What a sweep runs: experiments, axes of keys that vary, conditions, seeds."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from braid.errors import InputError
from braid.experiment import Experiment, flat
from braid.explore.vary import values_of
from braid.explore.where import Condition

SEED = "experiment.seed"
RATE = "traffic.rate_flits_per_node_cycle"
MOST_POINTS = 1_000_000

#: Keys that vary together: one dictionary for each value of the axis.
Axis = list[dict[str, Any]]


@dataclass(frozen=True)
class Point:
    """One run: the experiment, and of the keys that vary what they are here."""

    experiment: Experiment
    settings: dict[str, Any]

    @property
    def seed(self) -> int:
        """`experiment.seed`."""
        return int(self.flat().get(SEED, 1))

    def flat(self) -> dict[str, Any]:
        """Every key with its value, by section.key."""
        return flat(self.experiment.configuration)


def axis_of(key: str, values: Any, where: str) -> Axis:
    """The axis of one key."""
    return [{key: value} for value in values_of(values, where)]


def linked_axis(keys: Mapping[str, Any], where: str) -> Axis:
    """The axis of keys whose lists go together: first with first, second with second."""
    columns = {key: values_of(values, f"{where} {key}") for key, values in keys.items()}
    lengths = {key: len(values) for key, values in columns.items()}
    if len(set(lengths.values())) > 1:
        counts = ", ".join(f"{key} has {count}" for key, count in lengths.items())
        raise InputError(f"{where}: expected as many values of each key; {counts}")
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


@dataclass
class Plan:
    """Experiments times axes times seeds, where every condition holds."""

    experiments: Sequence[Experiment]
    axes: list[Axis] = field(default_factory=list)
    only: list[Condition] = field(default_factory=list)
    seeds: int = 1

    def __post_init__(self) -> None:
        """Raises InputError for a key that varies twice, and for too many points."""
        keys = [key for axis in self.axes for key in axis[0]]
        twice = next((key for n, key in enumerate(keys) if key in keys[:n]), None)
        if twice is not None:
            raise InputError(f"{twice} varies twice: expected one list of its values")
        if self.seeds < 1:
            raise InputError(f"seeds = {self.seeds}: expected 1 or more")
        if self.seeds > 1 and SEED in keys:
            raise InputError(f"{SEED} varies, and there are {self.seeds} seeds: expected one of the two")
        count = len(self.experiments) * self.seeds
        for axis in self.axes:
            count *= len(axis)
        if count > MOST_POINTS:
            raise InputError(f"{count} points: expected at most {MOST_POINTS}")

    @property
    def keys(self) -> list[str]:
        """That vary, seeds left out."""
        return [key for axis in self.axes for key in axis[0]]

    def without(self, key: str) -> tuple[Plan, Axis | None]:
        """The plan without the axis of one key, and that axis."""
        axis = next((axis for axis in self.axes if key in axis[0]), None)
        if axis is not None and len(axis[0]) > 1:
            raise InputError(f"{key} is linked to other keys: a search cannot choose its values")
        rest = [other for other in self.axes if other is not axis]
        return Plan(self.experiments, rest, self.only, self.seeds), axis

    def combinations(self) -> Iterator[tuple[Experiment, dict[str, Any]]]:
        """Every experiment with every choice of the axes, conditions not yet asked."""
        for experiment, *choice in itertools.product(self.experiments, *self.axes):
            settings: dict[str, Any] = {}
            for part in choice:
                settings |= part
            yield experiment, settings

    def points(self, more: Mapping[str, Any] | None = None) -> list[Point]:
        """All points; `more`: settings for each. Raises InputError of what Braid does not know, where no condition
        leaves it out, and where the conditions leave nothing."""
        points: list[Point] = []
        seen: set[str] = set()
        for base, chosen in self.combinations():
            settings = {**chosen, **(more or {})}
            known = {**flat(base.configuration), **settings}
            try:
                experiment = base.with_(settings)
                known |= flat(experiment.configuration)
            except InputError:
                if self._holds(known):
                    raise
                continue
            seen |= known.keys()
            if self._holds(known):
                points += [Point(one, settings) for one in with_seeds(experiment, self.seeds)]
        for condition in self.only:
            condition.check(seen)
        if not points:
            raise InputError("the conditions leave no point: expected one that holds somewhere")
        return points

    def _holds(self, known: Mapping[str, Any]) -> bool:
        return all(condition.holds(known) for condition in self.only)


def with_seeds(experiment: Experiment, seeds: int) -> list[Experiment]:
    """The experiment with its own seed and those that follow it."""
    first = int(flat(experiment.configuration).get(SEED, 1))
    return [experiment, *(experiment.with_({SEED: first + n}) for n in range(1, seeds))]


def plan_of(
    experiments: Sequence[Experiment],
    vary: Mapping[str, Any] | None = None,
    linked: Sequence[Mapping[str, Any]] = (),
    only: Iterable[str] = (),
    seeds: int = 1,
    where: str = "vary",
) -> Plan:
    """A plan of what users write."""
    axes = [axis_of(key, values, f"{where} {key}") for key, values in (vary or {}).items()]
    axes += [linked_axis(keys, f"{where} (linked)") for keys in linked]
    return Plan(experiments, axes, [Condition(text, "only") for text in only], seeds)
