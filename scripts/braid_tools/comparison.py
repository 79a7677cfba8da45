"""comparison.csv: published figures beside measured ones. A row is never left out because it differs."""

from __future__ import annotations

import csv
from dataclasses import astuple, dataclass, fields
from pathlib import Path


@dataclass(frozen=True)
class Row:
    """One figure. `tolerance` is relative; `note` gives the cause where the verdict is "explained"."""

    figure: str
    quantity: str
    unit: str
    published: float
    measured: float
    tolerance: float
    note: str = ""
    at_most: bool = False  # the published figure is a bound

    @property
    def ratio(self) -> float:
        """Measured over published."""
        return self.measured / self.published if self.published else float("nan")

    @property
    def verdict(self) -> str:
        """match, explained (with a note) or differs."""
        if self.at_most and self.measured <= self.published:
            return "match"
        if abs(self.measured - self.published) <= self.tolerance * abs(self.published):
            return "match"
        return "explained" if self.note else "differs"


def write(path: Path, rows: list[Row]) -> None:
    """Columns: figure,quantity,unit,published,measured,ratio,tolerance,verdict,note."""
    names = [field.name for field in fields(Row)]
    with path.open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow([*names[:5], "ratio", "tolerance", "verdict", "note"])
        for row in rows:
            values = astuple(row)
            out.writerow([*values[:5], f"{row.ratio:.4f}", row.tolerance, row.verdict, row.note])
