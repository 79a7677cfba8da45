"""What `results`, `compare` and `report` read: stores of sweeps, and results files of single runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from braid.errors import InputError
from braid.explore.database import DONE, FAILED, Database, Row

EXPECTED = "expected a store of braid sweep, or results of braid run --json"


def _is_sqlite(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(16) == b"SQLite format 3\0"
    except OSError as e:
        raise InputError(f"{path}: cannot be read: {e.strerror}; {EXPECTED}") from None


def row_of_results(results: dict[str, Any], name: str) -> Row:
    """A results file as a row."""
    verdict = results.get("verdict")
    return Row(
        key=name,
        seed=results["seed"],
        version=results["version"],
        status=FAILED if verdict else DONE,
        message=verdict["text"] if verdict else "",
        command=name,
        configuration=results["configuration"],
        varied={},
        results=results,
        seconds=results.get("wall_seconds", 0.0),
        host="",
        finished="",
    )


def rows_of(path: Path) -> list[Row]:
    """The rows of a file. Raises InputError."""
    if _is_sqlite(path):
        with Database(path, must_exist=True) as store:
            rows = list(store)
    else:
        try:
            rows = [row_of_results(json.loads(path.read_text()), str(path))]
        except (ValueError, KeyError, TypeError) as e:
            raise InputError(f"{path}: is neither ({type(e).__name__}: {e}); {EXPECTED}") from None
    if not rows:
        raise InputError(f"{path}: has no results yet")
    return rows
