"""Other readings of what in-transit-buffers leaves open, measured for the figures of Tables 1 to 4.

Two of "the minimum number of ITBs": a nearly minimal set of cycle breakers (the rows' own), or a rest wherever a path
breaks the rule of up*/down*. A row that differs is explained where another reading puts it inside its own tolerance.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from braid_tools.comparison import Row
from braid_tools.papers.itb.points import (
    BALANCED,
    BSMART,
    HIGHER_LOAD,
    RANDOM,
    SMART,
    UD,
    Routing,
    Traffic,
    with_violations,
)
from braid_tools.papers.itb.tables import NEAR, Cell
from braid_tools.papers.itb.throughputs import ByNetwork, ratio, ratios

MINIMUM = (BALANCED, BSMART, RANDOM)
PAIR_COLUMNS = ["figure", "quantity", "published", "tolerance", "minimum", "up_down"]


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


def over_up_down(cell: Cell) -> Cell | None:
    """UD in place of SMART."""
    table, a, b, switches, traffic, published = cell
    return (table, a, UD, switches, traffic, published) if b == SMART else None


def of_reversal(cell: Cell) -> Cell | None:
    """The figure itself, of bit reversal."""
    return cell if cell[4].pattern == "bit_reversal" else None


def others(cells: list[Cell], *readings: Callable[[Cell], Cell | None]) -> list[Cell]:
    """What has to be measured for the readings."""
    return [other for reading in readings for cell in cells if (other := reading(cell))]


@dataclass(frozen=True)
class Reason:
    """Why a row may differ: the sentence, the figure to measure instead, and where that was measured."""

    sentence: str
    reading: Callable[[Cell], Cell | None]
    of: ByNetwork
    average: Callable[[list[float]], float] = statistics.fmean

    def note(self, cell: Cell, row: Row) -> str:
        """The sentence and its measurement, if that is inside the row's tolerance; else nothing."""
        other = self.reading(cell)
        if other is None:
            return ""
        factors = list(ratios(self.of, *other[1:5]).values())
        measured = self.average(factors)
        inside = replace(row, measured=measured, note="").verdict == "match"
        found = f"{measured:.3f} ({len(factors)} topologies, {min(factors):.2f} to {max(factors):.2f})"
        return f"{self.sentence}: {found}" if inside else ""


@dataclass(frozen=True)
class Pair:
    """A row in both readings of the minimum."""

    row: Row
    up_down: float

    @property
    def off(self) -> tuple[float, float]:
        """How far minimum and up_down are from the paper, in tolerances of the row."""
        unit = self.row.tolerance * abs(self.row.published)
        return abs(self.row.measured - self.row.published) / unit, abs(self.up_down - self.row.published) / unit


@dataclass(frozen=True)
class Measured:
    """Cells of the tables, their rows, and the networks' figures that these are made of."""

    cells: list[Cell]
    rows: list[Row]
    of: ByNetwork

    def explained(self, *reasons: Reason) -> list[Row]:
        """The rows; those that differ with the first note there is."""
        return [
            row if row.verdict == "match" else replace(row, note=first_note(reasons, cell, row))
            for cell, row in zip(self.cells, self.rows, strict=True)
        ]

    def pairs(self) -> Iterator[Pair]:
        """Of the rows that the reading changes."""
        for cell, row in zip(self.cells, self.rows, strict=True):
            if other := at_violations(cell):
                yield Pair(row, ratio(self.of, *other[1:5]).mean)


def first_note(reasons: Iterable[Reason], cell: Cell, row: Row) -> str:
    """Of the first reason whose measurement is inside the tolerance."""
    return next(filter(None, (reason.note(cell, row) for reason in reasons)), "")


VIOLATIONS = "resting at every violation of up*/down*, the other reading of the minimum, gives"


def throughput_reasons(throughputs: ByNetwork) -> list[Reason]:
    """Why rows of Tables 1 and 3 may differ."""
    near = (
        "a radius of five switches reaches nearly every host, which is uniform traffic; to the next switches only "
        "(second reading) it is"
    )
    flows = (
        "reversal is one flow a host, which a topology favours or not: a few topologies make the mean; the median is"
    )
    return [
        Reason(near, to_neighbours, throughputs),
        Reason(flows, of_reversal, throughputs, statistics.median),
        Reason(VIOLATIONS, at_violations, throughputs),
    ]


def latency_reasons(low: ByNetwork, higher: ByNetwork) -> list[Reason]:
    """Why rows of Tables 2 and 4 may differ."""
    smart = (
        f"SMART's latency is {ratio(low, SMART, UD, 32, Traffic('uniform', 32)).mean:.3f} of UD's here (32 switches, "
        "32 bytes), its ways being longer, and at most UD's in every row of the paper's; over UD this row is"
    )
    load = f"the paper's low load is not given; at {HIGHER_LOAD} flits/cycle/host it is"
    return [
        Reason(VIOLATIONS, at_violations, low),
        Reason(smart, over_up_down, low),
        Reason(load, lambda cell: cell, higher),
    ]


def table_of(found: list[Pair]) -> Iterator[list[object]]:
    """readings.csv."""
    for pair in found:
        row = pair.row
        yield [row.figure, row.quantity, row.published, row.tolerance, row.measured, pair.up_down]


def tally(found: list[Pair]) -> str:
    """Which reading the paper's figures are closer to: what is said of the choice."""
    texts = []
    for name, i in (("minimum", 0), ("up_down", 1)):
        off = [pair.off[i] for pair in found]
        closer = sum(pair.off[i] < pair.off[1 - i] for pair in found)
        outside = sum(x > 1 for x in off)
        root = math.sqrt(statistics.fmean(x * x for x in off))
        texts.append(
            f'"{name}" is closer in {closer}, outside the tolerance in {outside}, {root:.2f} tolerances off (rms)'
        )
    return f"of {len(found)} figures of Tables 1 to 4, " + "; ".join(texts)
