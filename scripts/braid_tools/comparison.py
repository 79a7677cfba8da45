"""comparison.csv: published figures beside measured ones. A row is never left out because it differs, and none can pass
whatever is measured: `planted()` tries."""

from __future__ import annotations

import csv
import math
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from braid_tools.student import half_width, student_t


class Kind(StrEnum):
    """Whether a row is a test of a number that a paper prints, or of something weaker."""

    NUMBER = "number"
    SENTENCE = "sentence"  # an order, a bound or "similar" in words
    CLOSED_FORM = "closed form"  # ours or the paper's: no measurement of theirs
    INPUT = "input"  # what the experiment was given, read back
    OWN = "own"  # what Braid sets itself, beyond the paper


class Verdict(StrEnum):
    """What a row says."""

    MATCH = "match"
    EXPLAINED = "explained"  # not the published figure, but the one that an explanation predicts
    DIFFERS = "differs"
    TOO_SMALL = "too small to test"  # the published effect is within the tolerance: no effect would match as well
    NOT_MEASURED = "not measured"


@dataclass(frozen=True)
class Explanation:
    """Why a figure is not the published one, as the value that it then has. `predicted` and `band` come from
    somewhere else than the measured figure."""

    why: str
    predicted: float
    band: float  # absolute, either way

    def holds(self, measured: float) -> bool:
        """Not for a value that is no number."""
        return abs(measured - self.predicted) <= self.band


@dataclass(frozen=True)
class Row:
    """One figure. `tolerance` is relative. Nothing in `note` changes the verdict."""

    figure: str
    quantity: str
    unit: str
    published: float
    measured: float | None  # none: not measured
    tolerance: float
    note: str = ""
    at_most: bool = False  # the published figure is a bound; what is measured is not negative
    explanation: Explanation | None = None
    no_effect: float | None = None  # the figure if there were no effect, such as 1 for a factor
    stated_kind: Kind | None = None
    quote: str = ""  # of the paper, where it has no number
    most: float | None = None  # a range in words: from `published` to this
    over_seeds: tuple[float, ...] = ()  # measured with several seeds, this run's first; of none if it was one run

    def __post_init__(self) -> None:
        """An explanation that any value would fit explains nothing."""
        said = self.explanation
        if said is not None and not math.isfinite(said.predicted + said.band):
            raise ValueError(f"{self.quantity}: the explanation predicts anything")

    @property
    def ratio(self) -> float:
        """Measured over published."""
        return self.measured / self.published if self.published and self.measured is not None else math.nan

    @property
    def seed_half_width(self) -> float | None:
        """Of the 95 % interval of the mean over seeds; 0 of what no seed changes, none of one run."""
        return half_width(self.over_seeds) if len(self.over_seeds) > 1 else None

    @property
    def is_wide(self) -> bool:
        """Is one run of it no test of the published figure: does it scatter by more than the tolerance?"""
        if len(self.over_seeds) < 2:
            return False
        least, most = self.accepted
        return 2 * student_t(len(self.over_seeds) - 1) * statistics.stdev(self.over_seeds) > most - least

    @property
    def kind(self) -> Kind:
        """As given; else by figure and unit."""
        if self.stated_kind is not None:
            return self.stated_kind
        if self.figure in ("beyond the paper", "fit"):
            return Kind.OWN
        if "closed form" in f"{self.figure} {self.quantity}":
            return Kind.CLOSED_FORM
        return Kind.SENTENCE if self.unit == "holds" or self.quote else Kind.NUMBER

    @property
    def accepted(self) -> tuple[float, float]:
        """Values that agree with what is published, ends included."""
        room = self.tolerance * abs(self.published)
        if self.at_most:
            return 0.0, self.published + room
        return self.published - room, (self.published if self.most is None else self.most) + room

    @property
    def verdict(self) -> Verdict:
        """Of a value that is no number: differs."""
        if self.measured is None:
            return Verdict.NOT_MEASURED
        least, most = self.accepted
        if least <= self.measured <= most:
            too_small = self.no_effect is not None and least <= self.no_effect <= most
            return Verdict.TOO_SMALL if too_small else Verdict.MATCH
        if self.explanation is not None and self.explanation.holds(self.measured):
            return Verdict.EXPLAINED
        return Verdict.DIFFERS

    @property
    def key(self) -> str:
        """The row's name from run to run: without what stands in parentheses, where figures are."""
        return f"{self.figure}: {outside_parentheses(self.quantity)}"


def outside_parentheses(text: str) -> str:
    """What is left of a text, blanks taken together."""
    depth, kept = 0, []
    for letter in text:
        depth += letter == "("
        if depth == 0:
            kept.append(letter)
        depth -= letter == ")"
    return " ".join("".join(kept).split())


def beyond(value: float, way: int) -> float:
    """A value just outside an end of a band."""
    return value + way * max(1e-9, 1e-6 * abs(value))


def planted(row: Row) -> Iterator[Row]:
    """The row with values that it must not take: far off, no number, just outside each of its bands."""
    bands = [row.accepted]
    if row.explanation is not None:
        said = row.explanation
        bands.append((said.predicted - said.band, said.predicted + said.band))
    wrong = [1e6, -1e6, math.nan, *(beyond(end, way) for band in bands for end, way in zip(band, (-1, 1), strict=True))]
    inside = [value for value in wrong if any(least <= value <= most for least, most in bands)]
    yield from (replace(row, measured=value) for value in wrong if value not in inside)


def survivors(rows: Iterable[Row]) -> list[Row]:
    """Rows that pass with a planted value."""
    good = (Verdict.MATCH, Verdict.EXPLAINED, Verdict.TOO_SMALL, Verdict.NOT_MEASURED)
    return [wrong for row in rows for wrong in planted(row) if wrong.verdict in good]


def summary(rows: Sequence[Row]) -> Iterator[str]:
    """Each kind of row apart: a match of a closed form, or of the input, says nothing of a paper's figures."""
    for kind in Kind:
        verdicts = Counter(row.verdict for row in rows if row.kind == kind)
        counts = [f"{verdicts[verdict]} {verdict.value}" for verdict in Verdict if verdicts[verdict]]
        if counts:
            yield f"{kind.value}: {', '.join(counts)}"
    sampled = [row for row in rows if row.seed_half_width]
    if sampled:
        wide = sum(row.is_wide for row in sampled)
        yield f"over seeds: {len(sampled)} rows move, {wide} of them by more than their tolerance"


def with_seeds(rows: Iterable[Row], others: Iterable[Iterable[Row]]) -> list[Row]:
    """The rows of a run with what runs with other seeds measured in theirs of the same key; a row that one of them has
    not, or where one is no number, stays as it is."""
    by_key = [{row.key: row.measured for row in other} for other in others]
    found = []
    for row in rows:
        values = [row.measured, *(measured.get(row.key) for measured in by_key)]
        known = all(value is not None and math.isfinite(value) for value in values)
        found.append(replace(row, over_seeds=tuple(values)) if known else row)
    return found


COLUMNS = ["figure", "quantity", "unit", "kind", "published", "measured", "ratio", "tolerance", "verdict"]
COLUMNS += ["predicted", "band", "why", "note", "quote", "seeds", "seed_mean", "seed_half_width_95"]


def write(path: Path, rows: Iterable[Row], made: str = "") -> None:
    """Columns: COLUMNS. `made`: by what and when, a line of its own before them."""
    with path.open("w", newline="") as file:
        file.write(f"# {made}\r\n" if made else "")
        out = csv.writer(file)
        out.writerow(COLUMNS)
        for row in rows:
            said = row.explanation
            published = row.published if row.most is None else f"{row.published:g} to {row.most:g}"
            explained = ["", "", ""] if said is None else [said.predicted, said.band, said.why]
            figures = [published, "" if row.measured is None else row.measured, f"{row.ratio:.4f}", row.tolerance]
            line = [row.figure, row.quantity, row.unit, row.kind.value, *figures, row.verdict.value]
            seeds: list[object] = ["", "", ""]
            if row.over_seeds:
                seeds = [len(row.over_seeds), statistics.fmean(row.over_seeds), row.seed_half_width]
            out.writerow([*line, *explained, row.note, row.quote, *seeds])
