"""What combining the papers gives: each mechanism on the others' networks, beside the same network without it, over
seeds. The gain of a cell is the mean of the gains of its seeds, with Student's 95 % interval over them.

Runs are kept in results/combining/runs.sqlite: a call that was broken off goes on where it was.

Usage: python -m braid_tools.combining.table [--quick] [--record]"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from statistics import fmean
from types import MappingProxyType
from typing import Any

from braid.errors import BraidError
from braid.explore.database import FAILED, Database, Row
from braid.explore.plan import Point
from braid.explore.student import half_width
from braid.explore.sweep import runner

from braid_tools import program, recorded
from braid_tools.combining.cells import (
    ACCEPTED,
    BESIDE,
    BROADCASTS,
    FAIRNESS,
    HEXAGON,
    IRREGULAR,
    LOWER_IS_BETTER,
    MIXED,
    SHORT,
    SHORT_UNITS,
    TREE,
    UNITS,
    Combination,
    Network,
    combinations,
    value,
    window,
)

OUT = program.ROOT / "results" / "combining"
KEPT = program.ROOT / "docs" / "results" / "combining.csv"  # of the last full run that was recorded
COMMAND = "python -m braid_tools.combining.table --record"
PICTURE = program.ROOT / "docs" / "images" / "combining.png"
CHANCE = "no difference beyond chance"
BETTER, WORSE, NEITHER = "#0072b2", "#d55e00", "#777777"
QUICK_SEEDS = 2
QUICK = {**window(2_000, 20_000), "simulation.batch_cycles": 1000}


@dataclass(frozen=True)
class Cell:
    """A figure of a network without and with a mechanism. The gain is relative: 0.1 is a tenth more."""

    mechanism: str
    network: str
    figure: str
    seeds: int
    before: float
    after: float
    gain: float
    half_width_95: float

    @property
    def says(self) -> str:
        """more, less, or that chance explains the difference."""
        if abs(self.gain) <= self.half_width_95:
            return CHANCE
        return "more" if self.gain > 0 else "less"

    @property
    def is_better(self) -> bool:
        """Is the change one for the better, chance aside?"""
        return (self.gain > 0) != (self.figure in LOWER_IS_BETTER)


def points(one: Combination, seeds: int, cycles: Mapping[str, Any]) -> list[Point]:
    """Without the mechanism, then with it, a seed after the other."""
    return [
        Point(one.network.experiment(seed, settings, cycles), {"experiment.seed": seed})
        for settings in (one.before, one.after)
        for seed in range(1, seeds + 1)
    ]


def cells(one: Combination, rows: Sequence[Row]) -> list[Cell]:
    """Of the runs that `points` asks for. Raises BraidError where one of them failed."""
    wrong = next((row for row in rows if row.status == FAILED or row.results is None), None)
    if wrong is not None:
        raise BraidError(f"{one.mechanism}, {one.network.name}: {wrong.message}\n  {wrong.command}")
    seeds = len(rows) // 2
    found = []
    for figure in one.figures:
        values = [value(row.results or {}, figure) for row in rows]
        before, after = values[:seeds], values[seeds:]
        gains = [b / a - 1 for a, b in zip(before, after, strict=True)]
        half = half_width(gains) or 0.0
        found.append(
            Cell(one.mechanism, one.network.name, figure, seeds, fmean(before), fmean(after), fmean(gains), half)
        )
    return found


def measured(
    all_of: Sequence[Combination],
    store: Path,
    seeds: int | None = None,
    cycles: Mapping[str, Any] = MappingProxyType({}),
) -> list[Cell]:
    """All cells, in their order; runs side by side. `seeds`, `cycles`: in place of the networks' own."""
    wanted = [points(one, seeds or one.network.seeds, cycles) for one in all_of]
    distinct = {id(point): point for some in wanted for point in some}
    with Database(store) as kept, runner(kept, progress=None) as run:
        rows = dict(zip(distinct, run.rows(list(distinct.values())), strict=True))
    return [
        cell
        for one, some in zip(all_of, wanted, strict=True)
        for cell in cells(one, [rows[id(point)] for point in some])
    ]


def write(path: Path, found: Iterable[Cell]) -> None:
    """With version, date and command in a line of its own."""
    recorded.write(path, found, COMMAND)


def read(path: Path) -> list[Cell]:
    """As written."""
    kinds: dict[str, Any] = {"str": str, "int": int, "float": float}
    types = {one.name: kinds[str(one.type)] for one in fields(Cell)}
    return [Cell(**{name: types[name](text) for name, text in line.items()}) for line in recorded.read(path)]


def line(cell: Cell) -> list[str]:
    """For people."""
    gain = f"{100 * cell.gain:+.1f} ± {100 * cell.half_width_95:.1f} %"
    values = [f"{cell.before:.4g}", f"{cell.after:.4g}"]
    return [cell.network, cell.mechanism, UNITS[cell.figure], *values, gain, str(cell.seeds)]


def table() -> list[str]:
    """For pages: the rows as recorded; a network and a mechanism are named where they change."""
    lines, last = [], ["", ""]
    for cell in read(KEPT):
        words = line(cell)
        names = [
            words[0] if words[0] != last[0] else "",
            words[1] if words[:2] != last else "",
        ]
        last = words[:2]
        lines.append("| " + " | ".join([*names, *words[2:]]) + " |")
    return lines


def figures() -> dict[str, str]:
    """For pages: what the recorded cells say in short."""
    kept = read(KEPT)

    def of(network: Network, figure: str) -> list[Cell]:
        return [cell for cell in kept if (cell.network, cell.figure) == (network.name, figure)]

    def losses(network: Network) -> list[int]:
        return sorted(round(-100 * cell.gain) for cell in of(network, ACCEPTED))

    fair = of(IRREGULAR, FAIRNESS)
    return {
        "irregular_before": f"{fair[0].before:.2f}",
        "irregular_after": f"{min(cell.after for cell in fair):.2f}",
        "irregular_least_loss": str(losses(IRREGULAR)[0]),
        "irregular_most_loss": str(losses(IRREGULAR)[-1]),
        "hexagon_before": f"{of(HEXAGON, FAIRNESS)[0].before:.2f}",
        "hexagon_least_loss": str(losses(HEXAGON)[0]),
        "hexagon_most_loss": str(losses(HEXAGON)[-1]),
        "mixed_loss": str(losses(MIXED)[0]),
        "tree_short": f"{-100 * of(TREE, SHORT)[0].gain:.0f}",
        "ring_beside": f"{100 * of(BESIDE, BROADCASTS)[0].gain:.0f}",
    }


def picture(found: Sequence[Cell], path: Path) -> None:
    """A bar a cell: its gain with the interval, in a colour for better and one for worse, hollow where chance explains
    it."""
    from matplotlib.figure import Figure

    short = {one.network.name: one.network.short for one in combinations()}
    figure = Figure(figsize=(9, 1.2 + 0.32 * len(found)), layout="constrained")
    axes = figure.subplots()
    for place, cell in enumerate(found):
        colour = NEITHER if cell.says == CHANCE else BETTER if cell.is_better else WORSE
        gain, half = 100 * cell.gain, 100 * cell.half_width_95
        look = {"color": colour} if cell.says != CHANCE else {"facecolor": "none", "edgecolor": colour}
        axes.barh([place], [gain], xerr=[half], ecolor="#777777", capsize=3, **look)
    names = [f"{short[cell.network]}, {cell.mechanism.partition(',')[0]}: {SHORT_UNITS[cell.figure]}" for cell in found]
    axes.set_yticks(range(len(found)), names, fontsize=8)
    axes.invert_yaxis()
    axes.axvline(0, color="#333333", linewidth=0.8)
    axes.set_xlabel("change [%]; blue: better, orange: worse, hollow: chance")
    axes.grid(axis="x", alpha=0.3)
    figure.savefig(path, dpi=110)


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help=f"short windows and {QUICK_SEEDS} seeds")
    parser.add_argument("--record", action="store_true", help="write the cells of a full run into docs/results")
    words = parser.parse_args()
    if words.quick and words.record:
        parser.error("--record: expected a full run")
    OUT.mkdir(parents=True, exist_ok=True)
    short = (QUICK_SEEDS, QUICK) if words.quick else ()
    try:
        found = measured(combinations(), OUT / "runs.sqlite", *short)
    except BraidError as e:
        print(f"combining: {e}", file=sys.stderr)
        return 1
    for cell in found:
        print("; ".join(line(cell)))
    if words.record:
        write(KEPT, found)
        picture(found, PICTURE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
