"""Rows of a recorded run as CSV: above them a comment with the version, the date and the command that made them."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import asdict, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from braid_tools import program

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def write(path: Path, rows: Iterable[DataclassInstance], command: str, digits: int = 6) -> None:
    """Of one dataclass, one row at least; numbers to so many digits."""
    kept = list(rows)
    head = f"# {program.braid('--version').strip()}, {datetime.now(tz=UTC):%Y-%m-%d}, {command}\r\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        file.write(head)
        out = csv.DictWriter(file, [one.name for one in fields(kept[0])])
        out.writeheader()
        for row in kept:
            out.writerow({key: f"{v:.{digits}g}" if isinstance(v, float) else v for key, v in asdict(row).items()})


def read(path: Path) -> list[dict[str, str]]:
    """Text by column, row by row."""
    with path.open(newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))
