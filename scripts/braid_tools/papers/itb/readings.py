"""Other readings of what in-transit-buffers leaves open, measured for the figures of Tables 1 to 4.

Two of "the minimum number of ITBs": a nearly minimal set of cycle breakers (the rows' own), or a rest wherever a path
breaks the rule of up*/down*. A row that differs stays one that differs: the other readings of it are rows of their own.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from braid_tools.comparison import Row, Verdict
from braid_tools.papers.itb.points import (
    BALANCED,
    BSMART,
    HIGHER_LOAD,
    RANDOM,
    SMART,
    UD,
    Routing,
    with_violations,
)
from braid_tools.papers.itb.tables import NEAR, Cell
from braid_tools.papers.itb.throughputs import ByNetwork, ratio, ratios

MINIMUM = (BALANCED, BSMART, RANDOM)
PAIR_COLUMNS = ["figure", "quantity", "published", "tolerance"]
PLACEMENTS = ("minimum", "up_down")


def second(routing: Routing) -> Routing:
    """Its second reading; itself if it does not ask for the minimum."""
    return with_violations(routing) if routing in MINIMUM else routing


def at_violations(cell: Cell) -> Cell | None:
    """The figure with rests at every violation; none if that changes nothing, or for local traffic (to_neighbours)."""
    table, a, b, switches, traffic, published = cell
    other = (table, second(a), second(b), switches, traffic, published)
    return other if other != cell and traffic.pattern != "local" else None


def to_neighbours(cell: Cell) -> Cell | None:
    """Local traffic that goes to the next switches only, over routings without in-transit buffers."""
    table, a, b, switches, traffic, published = cell
    return (table, a, b, switches, NEAR, published) if traffic.pattern == "local" and b in (UD, SMART) else None


def of_reversal(cell: Cell) -> Cell | None:
    """The figure itself, of bit reversal."""
    return cell if cell[4].pattern == "bit_reversal" else None


def others(cells: list[Cell], *readings: Callable[[Cell], Cell | None]) -> list[Cell]:
    """What has to be measured for the readings."""
    return [other for reading in readings for cell in cells if (other := reading(cell))]


@dataclass(frozen=True)
class Reason:
    """Another reading of a row that differs: its name, why, the figure to measure instead, where that was measured."""

    name: str
    sentence: str
    reading: Callable[[Cell], Cell | None]
    of: ByNetwork
    average: Callable[[list[float]], float] = statistics.fmean

    def row(self, cell: Cell, row: Row) -> Row | None:
        """The row as this reading measures it; none for cells that it does not read otherwise."""
        other = self.reading(cell)
        if other is None:
            return None
        factors = list(ratios(self.of, *other[1:5]).values())
        found = f"{len(factors)} topologies, {min(factors):.2f} to {max(factors):.2f}"
        quantity = f"read as {self.name}: {row.quantity}"
        return replace(row, quantity=quantity, measured=self.average(factors), note=f"{self.sentence} ({found})")


@dataclass(frozen=True)
class Pair:
    """A row in two readings."""

    row: Row
    other: float

    @property
    def off(self) -> tuple[float, float]:
        """How far the row and its other reading are from the paper, in tolerances of the row."""
        unit = self.row.tolerance * abs(self.row.published)
        return abs(self.row.measured - self.row.published) / unit, abs(self.other - self.row.published) / unit


@dataclass(frozen=True)
class Measured:
    """Cells of the tables, their rows, and the networks' figures that these are made of."""

    cells: list[Cell]
    rows: list[Row]
    of: ByNetwork

    def with_readings(self, *reasons: Reason) -> list[Row]:
        """The rows; after each that differs its other readings."""
        found = []
        for cell, row in zip(self.cells, self.rows, strict=True):
            otherwise = [other for reason in reasons if (other := reason.row(cell, row))]
            if row.verdict != Verdict.DIFFERS or not otherwise:
                found.append(row)
                continue
            found += [replace(row, note=otherwise[0].note), *otherwise]
        return found

    def pairs(self) -> Iterator[Pair]:
        """Of the rows that the reading changes."""
        for cell, row in zip(self.cells, self.rows, strict=True):
            if other := at_violations(cell):
                yield Pair(row, ratio(self.of, *other[1:5]).mean)


VIOLATIONS = "packets rest wherever a path breaks the rule of up*/down*, the other reading of the minimum"


def throughput_reasons(throughputs: ByNetwork) -> list[Reason]:
    """Why rows of Tables 1 and 3 may differ."""
    near = "a radius of five switches reaches nearly every host, which is uniform traffic"
    flows = "reversal is one flow a host, which a topology favours or not: a few topologies make the mean"
    return [
        Reason("to the next switches only", near, to_neighbours, throughputs),
        Reason("median of topologies", flows, of_reversal, throughputs, statistics.median),
        Reason("rests at violations", VIOLATIONS, at_violations, throughputs),
    ]


def latency_reasons(low: ByNetwork, higher: ByNetwork) -> list[Reason]:
    """Why rows of Tables 2 and 4 may differ. (UD in SMART's place would measure another routing.)"""
    return [
        Reason("rests at violations", VIOLATIONS, at_violations, low),
        Reason(f"at {HIGHER_LOAD} flits/cycle/host", "the paper's low load is not given", lambda cell: cell, higher),
    ]


def table_of(found: list[Pair]) -> Iterator[list[object]]:
    """readings.csv."""
    for pair in found:
        row = pair.row
        yield [row.figure, row.quantity, row.published, row.tolerance, row.measured, pair.other]


def tally(found: list[Pair], names: tuple[str, str] = PLACEMENTS) -> str:
    """Which reading the paper's figures are closer to: what is said of the choice."""
    texts = []
    for i, name in enumerate(names):
        off = [pair.off[i] for pair in found]
        closer = sum(pair.off[i] < pair.off[1 - i] for pair in found)
        outside = sum(x > 1 for x in off)
        root = math.sqrt(statistics.fmean(x * x for x in off))
        texts.append(
            f'"{name}" is closer in {closer}, outside the tolerance in {outside}, {root:.2f} tolerances off (rms)'
        )
    return f"of {len(found)} figures of Tables 1 to 4, " + "; ".join(texts)
