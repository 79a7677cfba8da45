"""Curves of a table: which key is the axis, which keys name the curves, where each saturates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from braid.explore.plan import RATE
from braid.explore.rows import Group, Value, in_order, name_of
from braid.plot import COLOURS, MARKS, style


@dataclass
class Curve:
    """Points of one choice of the other keys, by load."""

    name: str
    xs: list[float] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)

    def values(self, figure: str) -> list[Value | None]:
        """A figure at each x."""
        return [group.value(figure) for group in self.groups]

    @property
    def carried(self) -> float | None:
        """The greatest x below which nothing is saturated, and that is not itself."""
        best = None
        for x, group in zip(self.xs, self.groups, strict=True):
            if group.saturated:
                break
            best = x
        return best


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def axis_key(some: Sequence[Group]) -> str | None:
    """The key of the x axis: the rate, else the numeric key with the most values; None if no key has two numbers."""
    counts: dict[str, int] = {}
    for key in some[0].keys if some else ():
        values = [group.keys.get(key) for group in some]
        if all(_number(value) for value in values) and len(set(values)) > 1:
            counts[key] = len(set(values)) + (10**9 if key == RATE else 0)
    return max(counts, key=lambda key: counts[key]) if counts else None


def curves(some: Iterable[Group]) -> tuple[str | None, list[Curve]]:
    """The key of the x axis and the curves over it."""
    some = in_order(list(some))
    key = axis_key(some)
    if key is None:
        return None, []
    found: dict[str, Curve] = {}
    for group in some:
        if group.good:
            curve = found.setdefault(name_of(group.keys, key), Curve(name_of(group.keys, key) or "latency"))
            curve.xs.append(float(group.keys[key]))
            curve.groups.append(group)
    for curve in found.values():
        order = sorted(range(len(curve.xs)), key=lambda n: curve.xs[n])
        curve.xs, curve.groups = [curve.xs[n] for n in order], [curve.groups[n] for n in order]
    return key, list(found.values())


def looks(names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Colour and mark of each curve: its policy's own, and no two alike while there are enough."""
    chosen: dict[str, dict[str, Any]] = {}
    for name in names:
        look = style(name.split(", ")[0])
        start = COLOURS.index(look["color"])
        for step in range(len(COLOURS) * len(MARKS)):
            other = {
                "color": COLOURS[(start + step) % len(COLOURS)],
                "marker": look["marker"] if step == 0 else MARKS[(MARKS.index(look["marker"]) + step) % len(MARKS)],
            }
            taken = [one["color"] for one in chosen.values()]
            if other["color"] not in taken or (len(chosen) >= len(COLOURS) and other not in chosen.values()):
                look = other
                break
        chosen[name] = look
    return chosen


def claim(some: Sequence[Curve], key: str) -> str:
    """What a picture of the curves shows, in a line."""
    if key != RATE:
        return f"Latency over {key}"
    carried = [(curve.carried, curve.name) for curve in some if curve.carried is not None]
    ends = [curve for curve in some if any(group.saturated for group in curve.groups)]
    if not carried or not ends:
        return "Latency over load: nothing saturates here" if carried else "Latency over load"
    most, best = max(carried)
    least, worst = min(carried)
    if len(carried) == 1 or most == least:
        return f"Carries {most:g} flits/node/cycle" + (" each" if len(carried) > 1 else "")
    return f"{best} carries {most:g} flits/node/cycle, {worst} {least:g}"
