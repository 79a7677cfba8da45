"""The picture of a sweep, by matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from braid.errors import BraidError
from braid.explore.curves import Curve, claim, curves, looks
from braid.explore.plan import RATE
from braid.explore.rows import Group

CUT = 6  # the axis of latency ends at so many times the least


def _draw(axes: Any, curve: Curve, figure: str, look: dict[str, Any]) -> list[float]:
    values = curve.values(figure)
    at = [n for n, value in enumerate(values) if value is not None]
    xs, ys = [curve.xs[n] for n in at], [values[n].mean for n in at]  # type: ignore[union-attr]
    halves = [(values[n].half or 0.0) if not curve.groups[n].saturated else 0.0 for n in at]  # type: ignore[union-attr]
    axes.plot(xs, ys, label=curve.name, markersize=5, linewidth=1.4, **look)
    low = [y - half for y, half in zip(ys, halves, strict=True)]
    high = [y + half for y, half in zip(ys, halves, strict=True)]
    axes.fill_between(xs, low, high, color=look["color"], alpha=0.2, linewidth=0)
    hollow = [(x, y) for x, y, n in zip(xs, ys, at, strict=True) if curve.groups[n].saturated]
    if hollow:
        hx, hy = zip(*hollow, strict=True)
        axes.plot(hx, hy, linestyle="", color="white", markeredgecolor=look["color"], marker=look["marker"], zorder=5)
    return [y for y, n in zip(ys, at, strict=True) if not curve.groups[n].saturated]


def _curves(axes: Any, key: str, some: Sequence[Curve]) -> None:
    chosen = looks([curve.name for curve in some])
    good = [y for curve in some for y in _draw(axes, curve, "latency", chosen[curve.name])]
    axes.set_xlabel("offered load [flits/node/cycle]" if key == RATE else key)
    axes.set_ylabel("packet latency [cycles]")
    axes.set_ylim(0, min(CUT * min(good), 1.15 * axes.dataLim.y1) if good else None)
    axes.grid(alpha=0.3)
    axes.set_title(claim(some, key), fontsize=10)
    if len(some) > 1:
        axes.legend(fontsize=8)


def _bars(axes: Any, some: Sequence[Group]) -> None:
    names, values = [], []
    for group in some:
        value = group.value("latency")
        if value is not None:
            names.append("\n".join(str(one) for one in group.keys.values()) or "run")
            values.append(value)
    axes.bar(names, [value.mean for value in values], yerr=[value.half or 0 for value in values], capsize=3)
    axes.set_ylabel("packet latency [cycles]")
    axes.set_title("Latency of each configuration", fontsize=10)


def draw(some: Sequence[Group], file: Path) -> None:
    """Latency over the key that varies most, a curve a choice of the others, bands over seeds. Raises BraidError where
    there is nothing to draw, or nothing to draw with."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise BraidError("a plot needs matplotlib: pip install 'braid-interconnect[explore]'") from None
    if not any(group.value("latency") for group in some):
        raise BraidError("there is no latency to draw")
    figure = Figure(figsize=(6.8, 4.4), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    key, found = curves(some)
    if key is None:
        _bars(axes, some)
    else:
        _curves(axes, key, found)
    try:
        figure.savefig(file, dpi=130)
    except (OSError, ValueError) as e:
        raise BraidError(f"{file}: cannot be written: {e}") from None
